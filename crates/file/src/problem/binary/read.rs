//! Maps a binary file and validates it.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use meetjoin_dag::{
    Bytes, Frozen, Graph, Kind, Names, NodeId, Problem, ReadWords, Records, Values,
};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval, Lattice};
use serde_json::value::RawValue;
use zerocopy::{FromBytes, Immutable};

use super::header::{
    ALIGNMENT, HEADER, Header, MAGIC, NAMES_BYTES, NAMES_FROM, NAMES_INTEGERS, NEVER_BOTTOM,
    SECTIONS_IN_ORDER, Section, TEXTS, VERSION, WORDS,
};
use super::meta::{self, Meta};
use super::records;
use crate::error::ProblemError;
use crate::object::object;
use crate::problem::outcomes::outcomes;
use crate::problem::probabilities;
use crate::problem::problem_file::ProblemFile;
use crate::problem::worlds::check_worlds;
use crate::values::value::read::{read_outcome, read_value};

/// Whether a file is validated before it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Validates everything: one pass over nodes and edges, values, and names.
    #[default]
    Checked,
    /// Validates only the header and the parts that opening reads anyway. If the rest is invalid,
    /// answers may be wrong.
    Trusted,
}

/// The problem encoded in these bytes, which should be aligned to eight bytes, as mapped files are.
///
/// # Errors
/// Why they are no problem.
pub fn read_binary(bytes: &Arc<Bytes>, trust: Trust) -> Result<ProblemFile, ProblemError> {
    if cfg!(target_endian = "big") {
        return Err(refused(
            "its numbers have their lowest bytes first, and those of this machine their highest; JSON can be read anywhere",
        ));
    }
    let opened = File::open(bytes, trust)?;
    // Copied before validation, as texts are below: the bytes of a mapped file may change, and a
    // `str` must stay valid UTF-8.
    let meta = copied(opened.bytes(Section::Meta)?)?;
    let meta: Result<Meta, _> = serde_json::from_slice::<&RawValue>(&meta).and_then(object);
    let meta =
        meta.map_err(|error| refused(format!("its description is not as it should be: {error}")))?;
    let (lattice, is_dominance) = meta::lattice(&meta)?;
    if let Some(worlds) = &meta.worlds {
        check_worlds(&lattice, worlds)?;
    }
    let probabilities = meta
        .probabilities
        .map(|read| probabilities::checked(&lattice, read));
    let graph = opened.graph()?;
    let texts = opened.texts(&lattice, is_dominance)?;
    let bounds = opened.bounds(&lattice, &graph, &texts)?;
    let values = opened.values(&lattice, texts)?;
    let names = opened.names()?;
    let problem = Problem::from_parts(graph, names, lattice, Values::Records(values))
        .map_err(|misfit| refused(misfit.to_string()))?;
    let mut problem = problem
        .with_worlds(meta.worlds)
        .with_probabilities(probabilities.transpose()?)
        .with_note(meta.note);
    if !bounds.is_empty() {
        problem = problem.with_bounds(bounds);
    }
    Ok(if is_dominance {
        ProblemFile::Dominance(Box::new(outcomes(problem)?))
    } else {
        ProblemFile::Explicit(Box::new(problem))
    })
}

fn refused(why: impl AsRef<str>) -> ProblemError {
    ProblemError::new(format!(
        "the binary problem file cannot be used: {}",
        why.as_ref()
    ))
}

/// A file whose header has been validated.
struct File<'a> {
    all: &'a Arc<Bytes>,
    header: Header,
    trust: Trust,
}

impl<'a> File<'a> {
    fn open(all: &'a Arc<Bytes>, trust: Trust) -> Result<Self, ProblemError> {
        let bytes = (**all).as_ref();
        if !bytes.starts_with(&MAGIC) {
            return Err(refused("it does not begin as one"));
        }
        let Ok((header, body)) = Header::read_from_prefix(bytes) else {
            return Err(refused(format!(
                "it ends within its header of {HEADER} bytes"
            )));
        };
        let version = header.version.get();
        if version != VERSION {
            return Err(refused(format!(
                "its version is {version}, and this program knows version {VERSION}"
            )));
        }
        if header.own_sum.get() != header.sum() {
            return Err(refused("the checksum of its header is wrong"));
        }
        let (length, found) = (header.length.get(), bytes.len() as u64);
        if length != found {
            return Err(refused(format!(
                "it has {found} bytes and says that it has {length}"
            )));
        }
        if trust == Trust::Checked && crc32fast::hash(body) != header.body_sum.get() {
            return Err(refused("its checksum is wrong"));
        }
        let file = Self { all, header, trust };
        file.check_rest(bytes)?;
        Ok(file)
    }

    /// Checks that the file has no unused parts. Only a checked file is tested for what takes
    /// reading all of it.
    fn check_rest(&self, bytes: &[u8]) -> Result<(), ProblemError> {
        let header = &self.header;
        let names_later = header.names != NAMES_FROM;
        let unknown = [
            (header.zeros != [0; 5], "bytes 51 to 55 are not zero"),
            (
                header.more_zeros != [0; 48],
                "bytes 208 to 255 are not zero",
            ),
            (
                header.flags & !NEVER_BOTTOM != 0,
                "byte 50 is neither 0 nor 1",
            ),
            (
                names_later && header.first_name.get() != 0,
                "it has a first name, and names of its own for all nodes",
            ),
        ];
        if let Some((_, why)) = unknown.into_iter().find(|(is_so, _)| *is_so) {
            return Err(refused(format!(
                "{why}, which this program does not understand"
            )));
        }
        if !self.is_checked() {
            return Ok(());
        }
        let mut end = HEADER;
        for section in SECTIONS_IN_ORDER {
            let range = header.section(section);
            let range = range.ok_or_else(|| misplaced(section))?;
            let gap = bytes.get(end..range.start);
            let is_next = gap.is_some_and(|gap| gap.len() < ALIGNMENT as usize);
            if !is_next || gap.is_none_or(|gap| gap.iter().any(|byte| *byte != 0)) {
                return Err(refused(format!(
                    "something stands before its part `{section:?}` that belongs to no part"
                )));
            }
            end = range.end;
        }
        if end != bytes.len() {
            return Err(refused("something stands after its last part"));
        }
        let unused = match header.names {
            NAMES_FROM => &[Section::Names, Section::NameBytes][..],
            NAMES_INTEGERS => &[Section::NameBytes],
            _ => &[],
        };
        for section in unused {
            if !self.bytes(*section)?.is_empty() {
                return Err(refused(format!(
                    "its part `{section:?}` is not empty, and its nodes are named without it"
                )));
            }
        }
        Ok(())
    }

    fn is_checked(&self) -> bool {
        self.trust == Trust::Checked
    }

    fn bytes(&self, section: Section) -> Result<&'a [u8], ProblemError> {
        let range = self.header.section(section);
        let bytes = range.and_then(|range| (**self.all).as_ref().get(range));
        bytes.ok_or_else(|| misplaced(section))
    }

    /// A section of `count` items, in place.
    fn array<T>(&self, section: Section, count: Option<usize>) -> Result<Frozen<T>, ProblemError>
    where
        T: FromBytes + Immutable + Send + Sync + 'static,
    {
        let range = self.header.section(section);
        let part = range.and_then(|range| Frozen::part(Arc::clone(self.all), range));
        let fits = |part: &Frozen<T>| count.is_none_or(|count| part.len() == count);
        part.filter(fits).ok_or_else(|| misplaced(section))
    }

    fn graph(&self) -> Result<Graph, ProblemError> {
        let header = &self.header;
        let nodes = self.array(Section::Nodes, Some(header.nodes.get() as usize))?;
        let children = self.array(Section::Children, Some(header.edges.get() as usize))?;
        let root = NodeId::from(header.root.get());
        let graph = Graph::of_arrays(root, nodes, children, header.leaves.get());
        let graph = graph.map_err(|error| refused(error.to_string()))?;
        if self.is_checked() {
            graph
                .check_form()
                .map_err(|error| refused(error.to_string()))?;
        }
        Ok(graph)
    }

    /// The values that are written as texts.
    fn texts(&self, lattice: &AnyLattice, dominance: bool) -> Result<Vec<AnyElem>, ProblemError> {
        let ends: Frozen<u64> = self.array(Section::TextEnds, None)?;
        let bytes = copied(self.bytes(Section::Texts)?)?;
        let mut values = Vec::new();
        let room = values.try_reserve_exact(ends.len());
        room.map_err(|_| no_memory())?;
        let mut begin = 0;
        for &end in &*ends {
            let end = usize::try_from(end).unwrap_or(usize::MAX);
            let text = bytes
                .get(begin..end)
                .and_then(|text| str::from_utf8(text).ok());
            let text = text.ok_or_else(|| misplaced(Section::Texts))?;
            let value = match lattice {
                AnyLattice::Free(free) if dominance => read_outcome(free, text),
                lattice => read_value(lattice, text),
            };
            values.push(value.map_err(|error| refused(format!("a value in it, {error}")))?);
            begin = end;
        }
        if begin != bytes.len() {
            return Err(misplaced(Section::Texts));
        }
        Ok(values)
    }

    fn bounds(
        &self,
        lattice: &AnyLattice,
        graph: &Graph,
        texts: &[AnyElem],
    ) -> Result<Vec<(NodeId, Interval<AnyElem>)>, ProblemError> {
        let triples: Frozen<[u64; 3]> = self.array(Section::Bounds, None)?;
        let mut bounds: Vec<(NodeId, Interval<AnyElem>)> = Vec::new();
        let room = bounds.try_reserve_exact(triples.len());
        room.map_err(|_| no_memory())?;
        let wrong = || {
            refused(
                "it has bounds of a node that cannot have them, or bounds that contradict each other",
            )
        };
        for &[node, lower, upper] in &*triples {
            let node = u32::try_from(node).map(NodeId::from).map_err(|_| wrong())?;
            let after = bounds.last().is_none_or(|(last, _)| *last < node);
            if !after || node.index() >= graph.node_count() || graph.kind(node) == Kind::Leaf {
                return Err(wrong());
            }
            let text = |number: u64| texts.get(usize::try_from(number).ok()?);
            let (Some(lower), Some(upper)) = (text(lower), text(upper)) else {
                return Err(wrong());
            };
            if lattice.leq(lower, upper, &Budget::unlimited()) != Ok(true) {
                return Err(wrong());
            }
            bounds.push((node, Interval::new(lower.clone(), upper.clone())));
        }
        Ok(bounds)
    }

    fn values(
        &self,
        lattice: &AnyLattice,
        texts: Vec<AnyElem>,
    ) -> Result<Records<AnyElem>, ProblemError> {
        let (header, count) = (&self.header, self.header.leaves.get() as usize);
        let width = header.width.get() as usize;
        let words = count.checked_mul(width);
        let words = words.ok_or_else(|| misplaced(Section::Values))?;
        let words = self.array(Section::Values, Some(words))?;
        let (above, below) = (lattice.clone(), lattice.bottom());
        let read: Arc<ReadWords<AnyElem>> = match header.values {
            WORDS if records::width(lattice) == Some(width) => {
                Arc::new(move |words| records::read(&above, words))
            }
            TEXTS if width == 1 => Arc::new(move |words| {
                let number = words.first().and_then(|&word| usize::try_from(word).ok());
                let value = number.and_then(|number| texts.get(number));
                value.unwrap_or(&below).clone()
            }),
            _ => {
                return Err(refused(
                    "its values have a form that those of its lattice have not",
                ));
            }
        };
        let bottom = lattice.bottom();
        let values = Records {
            words,
            width,
            count,
            read,
            none: Arc::new(move || bottom.clone()),
            never_bottom: header.flags & NEVER_BOTTOM != 0,
        };
        if self.is_checked() {
            self.check_values(lattice, &values)?;
        }
        Ok(values)
    }

    /// Checks that each value is valid, and that no other value has its words.
    fn check_values(
        &self,
        lattice: &AnyLattice,
        values: &Records<AnyElem>,
    ) -> Result<(), ProblemError> {
        let (bottom, mut some_bottom) = (lattice.bottom(), false);
        let texts = self.array::<u64>(Section::TextEnds, None)?.len() as u64;
        let mut again = Vec::new();
        for ordinal in 0..values.count {
            let value = values.get(ordinal);
            let words = &values.words[ordinal * values.width..][..values.width];
            again.clear();
            let is_value = if self.header.values == WORDS {
                records::push(lattice, &value, &mut again).is_some() && again == words
            } else {
                words[0] < texts
            };
            if !is_value {
                return Err(refused(format!(
                    "the value of leaf number {ordinal} is outside its lattice"
                )));
            }
            some_bottom |= value == bottom;
        }
        if some_bottom == values.never_bottom {
            return Err(refused(
                "what it says of leaves that are worth the bottom is not so",
            ));
        }
        Ok(())
    }

    fn names(&self) -> Result<Names, ProblemError> {
        let count = self.header.nodes.get() as usize;
        let names = match self.header.names {
            NAMES_FROM => {
                let first = self.header.first_name.get();
                let last = self.header.nodes.get().saturating_sub(1);
                if first.checked_add(last.into()).is_none() {
                    return Err(refused("the names of its nodes are beyond 64-bit integers"));
                }
                Names::From { first, count }
            }
            NAMES_INTEGERS => Names::Integers(self.array(Section::Names, Some(count))?),
            NAMES_BYTES => Names::Bytes {
                ends: self.array(Section::Names, Some(count))?,
                bytes: self.array(Section::NameBytes, None)?,
            },
            _ => {
                return Err(refused(
                    "its nodes are named in a way that this program does not know",
                ));
            }
        };
        if self.is_checked() {
            check_names(&names)?;
        }
        Ok(names)
    }
}

/// Checks that names are valid and distinct.
fn check_names(names: &Names) -> Result<(), ProblemError> {
    match names {
        Names::Integers(names) => check_different(names.iter()),
        Names::Bytes { ends, bytes } => {
            let begins = std::iter::once(0).chain(ends.iter().copied());
            let pairs = begins.zip(&**ends);
            let named = |number: usize| names.of_bytes(number).is_some();
            if !(0..ends.len()).all(named) || ends.last() != Some(&(bytes.len() as u64)) {
                return Err(misplaced(Section::NameBytes));
            }
            check_different(pairs.map(|(begin, &end)| &bytes[begin as usize..end as usize]))
        }
        _ => Ok(()),
    }
}

fn check_different<T: Hash + Eq>(names: impl Iterator<Item = T>) -> Result<(), ProblemError> {
    let mut seen = HashSet::new();
    for name in names {
        seen.try_reserve(1).map_err(|_| no_memory())?;
        if !seen.insert(name) {
            return Err(refused("two of its nodes have the same name"));
        }
    }
    Ok(())
}

fn copied(bytes: &[u8]) -> Result<Vec<u8>, ProblemError> {
    let mut copy = Vec::new();
    let room = copy.try_reserve_exact(bytes.len());
    room.map_err(|_| no_memory())?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

fn misplaced(section: Section) -> ProblemError {
    refused(format!(
        "its part `{section:?}` is not where it should be, or has another length"
    ))
}

fn no_memory() -> ProblemError {
    refused("there is not enough memory to check it")
}
