//! Certificates as data, and reading them from files.
//!
//! A file is text, with one item per line, so that a checker in any language is short:
//!
//! ```text
//! meetjoin-certificate/2
//! {"problem":"5d41..","at_least":null,"values":2,"steps":3}
//! 3
//! 7
//! 1 1 2 1
//! 0 0
//! 1 1
//! end
//! ```
//!
//! After the header come the values, each once, as JSON of the problem's lattice, sets as
//! hexadecimal numbers ([`write_compact`](meetjoin_file::write_compact); of `true` and `false` if
//! the certificate is about a claim), then the steps, the root's first. A step has the indices of
//! its lower and upper bounds among the values, counted from 0, or `-` for no bound; then `b` if it
//! uses a bound that the problem itself states; then for each child of the node, in the order of
//! the problem, how many steps further on its step is, or `-` for a child without a step. A leaf
//! has no children.
//!
//! The claim that no set of worlds exceeds a weight has `"no_heavier":{"than":13,"weights":null}`
//! in the header, with a list of weights unless each world weighs 1. Its values are families
//! without the sets that are not heavier, and the upper bound of its root is the family without
//! sets.
//!
//! Cost: linear in the file; 16 bytes and 4 for each child in memory.

use std::io::{self, BufRead};

use meetjoin_file::{object, read_value};
use meetjoin_lattice::{AnyElem, AnyLattice, Bool, Budget, Stop};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::weight::NoHeavier;

/// The first line of a file.
pub const FORMAT: &str = "meetjoin-certificate/2";

/// The previous version, in which sets were lists; it is read in the same way.
const BEFORE: &str = "meetjoin-certificate/1";

/// Stands for "no bound" and "no step" among numbers.
pub(crate) const NONE: u32 = u32::MAX;

/// A certificate that the value of a problem's root lies in an interval. See the [module
/// page](self).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The digest of the file that it was written for. The check does not use it: a certificate
    /// that passes is true of the problem it was checked with.
    pub problem: String,
    /// If the certificate is about a claim: the claimed lower bound, a join-prime. Its values are
    /// truth values then.
    pub at_least: Option<AnyElem>,
    /// If the certificate is about weights: the claim. Its values are families without light sets
    /// then.
    pub no_heavier: Option<NoHeavier>,
    /// The values that steps refer to.
    pub values: Vec<AnyElem>,
    pub(crate) steps: Vec<Packed>,
    pub(crate) links: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    pub(crate) lower: u32,
    pub(crate) upper: u32,
    /// Whether it uses a bound of the problem.
    pub(crate) bound: bool,
    /// The index of its first link; its links end where those of the next step begin.
    pub(crate) links: u32,
}

/// A step: a node with an interval that contains its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The index of the lower bound among the values.
    pub lower: Option<u32>,
    /// The index of the upper bound.
    pub upper: Option<u32>,
    /// Whether it uses a bound that the problem states.
    pub bound: bool,
    pub(crate) links: &'a [u32],
}

impl Step<'_> {
    /// For each child the index of its step, if it has one; empty for a leaf.
    pub fn children(&self) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        self.links.iter().map(|&link| some(link))
    }
}

pub(crate) fn some(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}

/// Why a text is no certificate, with the line, counted from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// A limit fired.
    #[error("line {line}: the certificate was not read to its end: {stop}")]
    Stop {
        /// The last line that was read.
        line: u64,
        /// The limit.
        stop: Stop,
    },
    /// The file cannot be read.
    #[error("line {line}: the certificate cannot be read: {error}")]
    Io {
        /// The last line that was read.
        line: u64,
        /// The reason.
        error: io::Error,
    },
    /// The text is wrong.
    #[error("line {line}: {why}")]
    Text {
        /// The line.
        line: u64,
        /// The error.
        why: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(crate) struct Header {
    pub(crate) problem: String,
    pub(crate) at_least: Option<Box<RawValue>>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "some_object"
    )]
    pub(crate) no_heavier: Option<NoHeavier>,
    pub(crate) values: u64,
    pub(crate) steps: u64,
}

fn some_object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NoHeavier>, D::Error> {
    object(deserializer).map(Some)
}

impl Certificate {
    /// A certificate without steps, with these values.
    pub fn new(problem: String, at_least: Option<AnyElem>, values: Vec<AnyElem>) -> Self {
        Self {
            problem,
            at_least,
            values,
            ..Self::default()
        }
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// A step by its index, which must be less than [`len`](Self::len).
    pub fn step(&self, number: usize) -> Step<'_> {
        let step = self.steps[number];
        let next = self.steps.get(number + 1);
        let end = next.map_or(self.links.len(), |next| next.links as usize);
        Step {
            lower: some(step.lower),
            upper: some(step.upper),
            bound: step.bound,
            links: &self.links[step.links as usize..end],
        }
    }

    /// The lattice of the certificate's values, given the problem's.
    pub fn lattice<'a>(&self, problem: &'a AnyLattice) -> &'a AnyLattice {
        match self.at_least {
            Some(_) => &AnyLattice::Bool(Bool),
            None => problem,
        }
    }

    /// Reads a file about a problem over this lattice. The counts in its header are compared with
    /// the content, and never determine an allocation.
    ///
    /// # Errors
    /// The first error, and its line.
    pub fn read(
        input: impl BufRead,
        lattice: &AnyLattice,
        budget: &Budget,
    ) -> Result<Self, CertificateError> {
        let mut lines = Lines {
            input,
            budget,
            line: 0,
            text: String::new(),
        };
        let first = lines.next()?;
        if first != FORMAT && first != BEFORE {
            let versions = first.starts_with("meetjoin-certificate/");
            return Err(lines.wrong(if versions {
                format!("this is a certificate of another version; {FORMAT} is known here")
            } else {
                format!("this is no certificate: the first line of one is {FORMAT}")
            }));
        }
        let header = serde_json::from_str::<&RawValue>(lines.next()?);
        let header: Result<Header, _> = header.and_then(object);
        let header =
            header.map_err(|error| lines.wrong(format!("the header is wrong: {error}")))?;
        let mut certificate = Self {
            problem: header.problem,
            ..Self::default()
        };
        if let Some(json) = header.at_least {
            let value = read_value(lattice, json.get());
            certificate.at_least = Some(value.map_err(|error| lines.wrong(error.to_string()))?);
        }
        if let Some(claim) = &header.no_heavier
            && (certificate.at_least.is_some() || claim.weights(lattice).is_none())
        {
            let why = "the claim about weights is for families of sets of as many worlds as have weights, of 64 bits together, and no other claim goes with it";
            return Err(lines.wrong(why.to_owned()));
        }
        certificate.no_heavier = header.no_heavier;
        let of_values = certificate.lattice(lattice);
        for _ in 0..header.values {
            let value = read_value(of_values, lines.next()?);
            let value = value.map_err(|error| lines.wrong(error.to_string()))?;
            certificate.values.push(value);
        }
        for number in 0..header.steps {
            lines.next()?;
            certificate
                .read_step(number, header.steps, &lines.text)
                .map_err(|why| lines.wrong(why))?;
        }
        if lines.next()? != "end" {
            return Err(lines.wrong("`end` must come after the last step".to_owned()));
        }
        if lines.more()? {
            return Err(lines.wrong("nothing may come after `end`".to_owned()));
        }
        Ok(certificate)
    }

    fn read_step(&mut self, number: u64, steps: u64, text: &str) -> Result<(), String> {
        let mut words = text.split(' ').peekable();
        let values = self.values.len();
        let mut bound = || match words.next() {
            Some("-") => Ok(None),
            Some(word) => match word.parse::<u32>() {
                Ok(value) if (value as usize) < values => Ok(Some(value)),
                _ => Err(format!(
                    "`{}` is no number of a value; there are {values}",
                    short(word)
                )),
            },
            None => Err("a step begins with two bounds".to_owned()),
        };
        let (lower, upper) = (bound()?, bound()?);
        let by_problem = words.next_if_eq(&"b").is_some();
        let begin = self.links.len();
        for word in words {
            let link = match word {
                "-" => NONE,
                word => {
                    let further = word.parse::<u64>().ok().filter(|further| *further > 0);
                    let child = further.and_then(|further| number.checked_add(further));
                    let child = child.filter(|child| *child < steps);
                    let child = child.and_then(|child| u32::try_from(child).ok());
                    child
                        .filter(|child| *child != NONE)
                        .ok_or_else(|| format!("`{}` leads to no later step", short(word)))?
                }
            };
            self.links.push(link);
        }
        if self.links.len() >= NONE as usize {
            return Err("there are too many links".to_owned());
        }
        self.steps.push(Packed {
            lower: lower.unwrap_or(NONE),
            upper: upper.unwrap_or(NONE),
            bound: by_problem,
            links: begin as u32,
        });
        Ok(())
    }
}

/// The beginning of a word, for a message.
fn short(word: &str) -> String {
    word.chars().take(20).collect()
}

/// The most bytes of the first line; a longer one is no certificate's.
const MOST_FIRST: usize = 1 << 10;

/// Bytes of a long line between two checks of the limits.
const PIECE: usize = 1 << 16;

/// Reads lines of any length, within a budget.
struct Lines<'a, R> {
    input: R,
    budget: &'a Budget,
    line: u64,
    text: String,
}

impl<R: BufRead> Lines<'_, R> {
    fn next(&mut self) -> Result<&str, CertificateError> {
        self.line += 1;
        let line = self.line;
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        loop {
            let before = bytes.len();
            let mut piece = io::Read::take(&mut self.input, PIECE as u64);
            let read = piece.read_until(b'\n', &mut bytes);
            let read = read.map_err(|error| CertificateError::Io { line, error })?;
            let stopped = |stop| CertificateError::Stop { line, stop };
            self.budget.steps(read as u64).map_err(stopped)?;
            if bytes.last() == Some(&b'\n') {
                bytes.pop();
                break;
            }
            if bytes.len() == before {
                let why = "the certificate ends before its end".to_owned();
                return Err(CertificateError::Text { line, why });
            }
            if line == 1 && bytes.len() > MOST_FIRST {
                break;
            }
            self.budget.check().map_err(stopped)?;
        }
        let text = String::from_utf8(bytes).map_err(|_| CertificateError::Text {
            line,
            why: "this is no text".to_owned(),
        })?;
        self.text = text;
        Ok(&self.text)
    }

    fn more(&mut self) -> Result<bool, CertificateError> {
        let line = self.line;
        let rest = self.input.fill_buf();
        let rest = rest.map_err(|error| CertificateError::Io { line, error })?;
        Ok(!rest.is_empty())
    }

    fn wrong(&self, why: String) -> CertificateError {
        CertificateError::Text {
            line: self.line,
            why,
        }
    }
}
