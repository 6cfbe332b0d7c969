//! Writes and checks certificates of answers, for any problem.

use std::io::{BufRead, Write};
use std::time::Instant;

use meetjoin_check::{Certificate, Checked, Rejected, check};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval, Lattice, Limits, Stop};
use meetjoin_search::certify::{Certified, NoCertificate, by_bounds, by_values, certify};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::unfolded::with;
use crate::unfolded::{Licence, Unfolded};
use meetjoin_report::{aligned, counted, json_line, raw};
use meetjoin_solve::Instance;
use meetjoin_solve::request::Refused;
use meetjoin_solve::value::Value;
use meetjoin_solve::{Nodes, Side};

/// The result of writing a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenCertificate {
    /// The number of steps.
    pub steps: usize,
    /// The limit that ended its search, if one did; then it shows only the bounds known by then.
    pub stop: Option<Stop>,
}

/// Why no certificate was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unwritten {
    /// A limit fired, or the command was cancelled.
    #[error("no certificate can be written: {0}")]
    Stopped(Stop),
    /// The request cannot be met.
    #[error(transparent)]
    Refused(#[from] Refused),
}

impl From<Unwritten> for Refused {
    fn from(why: Unwritten) -> Self {
        match why {
            Unwritten::Refused(refused) => refused,
            stopped @ Unwritten::Stopped(_) => Self::problem(stopped),
        }
    }
}

impl From<NoCertificate> for Unwritten {
    fn from(why: NoCertificate) -> Self {
        match why {
            NoCertificate::Stop(stop) => Self::Stopped(stop),
            error => Self::Refused(Refused::Problem(format!(
                "no certificate can be written: {error}"
            ))),
        }
    }
}

/// Limits of a search for an answer, and of the searches for its evidence afterwards: explanation,
/// strategy, certificate. These need caches that do not forget. A certificate takes about as long
/// as the answer: if one is wanted, the first search has two thirds of the time until the deadline,
/// and the last sixth is left for writing the certificate. Other limits hold for each search.
pub fn share_deadline(limits: Limits, has_certificate: bool) -> (Limits, Limits) {
    let (mut first, mut second) = (limits.clone(), limits);
    second.forget = false;
    if let (true, Some(deadline)) = (has_certificate, first.deadline) {
        let sixth = deadline.saturating_duration_since(Instant::now()) / 6;
        first.deadline = deadline.checked_sub(2 * sixth);
        second.deadline = deadline.checked_sub(sixth);
    }
    (first, second)
}

/// Writes a certificate that the value of a problem's root lies in an interval, as a file for
/// `meetjoin verify`. `digest` is that of the problem, and `stated` allows the use of bounds that
/// the problem states. If a limit on visits or time fires, the certificate shows what is known by
/// then.
///
/// # Errors
/// If the interval is false, memory runs out, the budget is cancelled, or `out` fails; for a table
/// that is not distributive also if any limit fires.
pub fn write_certificate(
    instance: &dyn Instance,
    digest: String,
    value: &Interval<Value>,
    stated: bool,
    budget: &Budget,
    out: &mut dyn Write,
) -> Result<WrittenCertificate, Unwritten> {
    with(instance, |problem| {
        let unfolded = Unfolded::new(problem, Side::Max, stated);
        let (lower, upper) = (
            problem.element(value.lower()),
            problem.element(value.upper()),
        );
        let value = Interval::new(lower, upper);
        let found = way(problem.lattice()).certify(&unfolded, &value, budget)?;
        let mut certificate = Certificate::new(digest, None, found.values);
        for step in found.steps {
            certificate.push(step.lower, step.upper, step.bound, step.children);
        }
        Ok(WrittenCertificate {
            steps: write(problem, &certificate.sorted(), out)?,
            stop: found.stop,
        })
    })?
}

/// The kind of a certificate.
enum Way {
    /// By claims.
    Claims,
    /// By bounds.
    Bounds,
    /// By the value of each node.
    Values,
}

/// The kind that suits a lattice: bounds if there are many primes, values if it is not distributive
/// or its primes are not available.
fn way(lattice: &AnyLattice) -> Way {
    if lattice.check_distributive().is_err() {
        return Way::Values;
    }
    match lattice {
        AnyLattice::SmallFamilies(_)
        | AnyLattice::Families(_)
        | AnyLattice::Free(_)
        | AnyLattice::Monotone(_)
        | AnyLattice::Product(_)
        | AnyLattice::Dual(_) => Way::Bounds,
        _ => Way::Claims,
    }
}

impl Way {
    fn certify(
        self,
        unfolded: &Unfolded<'_>,
        value: &Interval<AnyElem>,
        budget: &Budget,
    ) -> Result<Certified<AnyElem>, NoCertificate> {
        match self {
            Self::Claims => {
                let part = budget.part(u64::MAX, u64::MAX);
                match certify(unfolded, unfolded, &mut &*unfolded, value, &part) {
                    Err(NoCertificate::Stop(Stop::Visits | Stop::Time)) => {
                        Self::Bounds.certify(unfolded, value, budget)
                    }
                    done => done,
                }
            }
            Self::Bounds => {
                let values = Licence::new(unfolded);
                by_bounds(unfolded, &values, &mut &values, budget)
            }
            Self::Values => by_values(unfolded, unfolded, budget),
        }
    }
}

/// Writes the certificate of a claim that was [proved](meetjoin_solve::prove::Proved::certificate)
/// or disproved.
///
/// # Errors
/// If `out` fails.
pub fn write_proof(
    instance: &dyn Instance,
    digest: String,
    mut certificate: Certificate,
    out: &mut dyn Write,
) -> Result<usize, Refused> {
    certificate.problem = digest;
    with(instance, |problem| write(problem, &certificate, out))?
}

pub(crate) fn write(
    problem: &dyn Nodes,
    certificate: &Certificate,
    out: &mut dyn Write,
) -> Result<usize, Refused> {
    let failed = |error| Refused::Problem(format!("the certificate cannot be written: {error}"));
    certificate.write(problem.lattice(), out).map_err(failed)?;
    Ok(certificate.len())
}

/// The content of a verified certificate.
#[derive(Clone, Debug)]
pub struct Verified {
    /// If the certificate is about a claim: the claimed lower bound of the value.
    pub claim: Option<Value>,
    /// If the certificate is about weights: the claimed upper bound of the weight of sets.
    pub no_heavier_than: Option<u64>,
    /// Whether the claim is true, if the certificate decides it.
    pub answer: Option<bool>,
    /// The value of the root, or bounds of it.
    pub value: Interval<Value>,
    /// The number of steps.
    pub steps: usize,
    /// The number of steps for leaves.
    pub leaves: u64,
    /// The number of steps that rest on bounds that the problem states.
    pub bounds: u64,
}

/// Reads a certificate and checks it. It depends on the problem itself, and not on the form or
/// order of its file.
///
/// # Errors
/// The first error, and its place.
pub fn verify(
    instance: &dyn Instance,
    mut input: impl BufRead,
    budget: &Budget,
) -> Result<Verified, Refused> {
    verify_any(instance, &mut input, budget)
}

/// Compiled once, and not for each type of input.
fn verify_any(
    instance: &dyn Instance,
    input: &mut dyn BufRead,
    budget: &Budget,
) -> Result<Verified, Refused> {
    with(instance, |problem| {
        let certificate = Certificate::read(input, problem.lattice(), budget);
        let certificate = certificate.map_err(Refused::problem)?;
        let unfolded = Unfolded::new(problem, Side::Max, true);
        match check(&unfolded, &unfolded, &mut &unfolded, &certificate, budget) {
            Ok(checked) => Ok(verified(problem, &certificate, checked)),
            Err(stopped @ Rejected::Stop(_)) => Err(Refused::problem(stopped)),
            Err(wrong) => Err(Refused::Problem(format!(
                "{wrong}: the certificate is wrong, or of another problem"
            ))),
        }
    })?
}

fn verified(problem: &dyn Nodes, certificate: &Certificate, checked: Checked) -> Verified {
    let (lattice, value) = (problem.lattice(), |value: &AnyElem| problem.value(value));
    let Checked {
        lower,
        upper,
        bounds,
        leaves,
    } = checked;
    let (mut least, mut most) = (lattice.bottom(), lattice.top());
    let mut answer = None;
    let no_heavier = certificate.no_heavier.as_ref();
    match &certificate.at_least {
        None if no_heavier.is_some() => {
            answer = (upper.as_ref() == Some(&lattice.bottom())).then_some(true);
        }
        None => {
            least = lower.unwrap_or(least);
            most = upper.unwrap_or(most);
        }
        Some(claim) => {
            if lower == Some(AnyElem::Bool(true)) {
                answer = Some(true);
                least.clone_from(claim);
            } else if upper == Some(AnyElem::Bool(false)) {
                answer = Some(false);
            }
        }
    }
    Verified {
        claim: certificate.at_least.as_ref().map(value),
        no_heavier_than: no_heavier.map(|claim| claim.than),
        answer,
        value: if least == most {
            Interval::Exact(value(&least))
        } else {
            Interval::Between {
                lower: value(&least),
                upper: value(&most),
            }
        },
        steps: certificate.len(),
        leaves,
        bounds,
    }
}

#[derive(Serialize)]
struct VerifiedJson {
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_heavier_than: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    exact: bool,
    lower: Box<RawValue>,
    upper: Box<RawValue>,
    steps: usize,
    leaves: u64,
    stated_bounds: u64,
}

impl Verified {
    fn result(&self) -> &'static str {
        match self.answer {
            Some(true) => "proved",
            Some(false) => "disproved",
            None => "unknown",
        }
    }

    /// One JSON object, `meetjoin-verified/1`.
    pub fn json(&self) -> String {
        json_line(&VerifiedJson {
            format: "meetjoin-verified/1",
            at_least: self.claim.as_ref().map(|claim| raw(&claim.json())),
            no_heavier_than: self.no_heavier_than,
            result: (self.claim.is_some() || self.no_heavier_than.is_some()).then(|| self.result()),
            exact: matches!(self.value, Interval::Exact(_)),
            lower: raw(&self.value.lower().json()),
            upper: raw(&self.value.upper().json()),
            steps: self.steps,
            leaves: self.leaves,
            stated_bounds: self.bounds,
        })
    }

    /// A few aligned lines for people.
    pub fn text(&self) -> String {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        line(
            "verified",
            format!(
                "{}, {} of them {}",
                counted(self.steps, "step"),
                self.leaves,
                if self.leaves == 1 { "a leaf" } else { "leaves" }
            ),
        );
        if let Some(claim) = &self.claim {
            line("at least", claim.text());
            line("result", self.result().to_owned());
        } else if let Some(weight) = self.no_heavier_than {
            line("no set over", weight.to_string());
            line("result", self.result().to_owned());
        } else {
            match &self.value {
                Interval::Exact(value) => line("value", value.text()),
                Interval::Between { lower, upper } => {
                    line("lower bound", lower.text());
                    line("upper bound", upper.text());
                }
            }
        }
        if self.bounds > 0 {
            let bounds = counted(self.bounds, "bound");
            line(
                "rests on",
                format!(
                    "{bounds} that the problem states; meetjoin check --bounds checks those of a file"
                ),
            );
        }
        aligned(&lines)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use meetjoin_lattice::Limits;

    use super::share_deadline;

    #[test]
    fn a_certificate_gets_a_part_of_the_time() {
        let now = Instant::now();
        let limits = Limits {
            visits: Some(5),
            deadline: now.checked_add(Duration::from_secs(600)),
            forget: true,
            ..Limits::default()
        };
        let minutes = |limits: &Limits| {
            let left = limits.deadline.map(|deadline| deadline - now);
            left.map(|left| left.as_secs_f64().div_euclid(60.0))
        };
        let (first, second) = share_deadline(limits.clone(), true);
        assert_eq!((minutes(&first), minutes(&second)), (Some(6.0), Some(8.0)));
        assert!(first.forget && !second.forget);
        assert_eq!((first.visits, second.visits), (Some(5), Some(5)));
        let (first, second) = share_deadline(limits.clone(), false);
        assert_eq!([first.deadline, second.deadline], [limits.deadline; 2]);
        let (first, second) = share_deadline(Limits::default(), true);
        assert_eq!([first.deadline, second.deadline], [None; 2]);
    }
}
