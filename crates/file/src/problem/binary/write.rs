//! Writes a problem as a file that is mapped into memory.
//!
//! The header has the positions of sections and a checksum of everything, so the content is
//! generated twice: once to measure it, once to write it. Only the texts of values without words
//! are held in memory.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};

use meetjoin_dag::{Graph, Kind, Names, NodeId, NodeName, Problem, Row, Valuation};
use meetjoin_lattice::{AnyElem, AnyLattice, Lattice};
use serde_json::value::RawValue;
use zerocopy::IntoBytes;
use zerocopy::little_endian::{I64, U32, U64};

use super::header::{
    ALIGNMENT, HEADER, Header, MAGIC, NAMES_BYTES, NAMES_FROM, NAMES_INTEGERS, NEVER_BOTTOM,
    SECTIONS, Section, TEXTS, VERSION, WORDS,
};
use super::meta::{Meta, decimals};
use super::order::order;
use super::records;
use crate::problem::probabilities;
use crate::problem::problem_file::OutcomeVectors;
use crate::problem::write::{lattice_of_outcomes, push_outcome};
use crate::values::value::write_value;
use crate::values::write_lattice::lattice_to_json;

/// Writes a problem as a file that [`read_binary`](super::read_binary) uses in place.
///
/// If a child has a smaller number than its parent, nodes are renumbered; their names stay.
///
/// # Errors
/// Those of `out`, and [`OutOfMemory`](io::ErrorKind::OutOfMemory).
pub fn write_binary(problem: &Problem<AnyLattice>, out: &mut dyn Write) -> io::Result<()> {
    let lattice = problem.lattice();
    let text = |value: &AnyElem, text: &mut String| write_value(lattice, value, text);
    let words = |value: &AnyElem, out: &mut Vec<u64>| records::push(lattice, value, out);
    let mut flags = Vec::new();
    decimals(lattice, &mut flags);
    let meta = meta(problem, lattice_to_json(lattice), flags)?;
    let width = records::width(lattice);
    write(
        problem,
        &meta,
        (width, &words),
        &text,
        &mut BufWriter::new(out),
    )
}

/// Writes a problem whose leaves are outcomes of the dominance algebra.
///
/// # Errors
/// Those of `out`, and [`InvalidInput`](io::ErrorKind::InvalidInput) if a number is not finite:
/// files cannot hold it.
pub fn write_binary_outcomes(
    problem: &Problem<OutcomeVectors>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let meta = meta(problem, lattice_of_outcomes(problem)?, Vec::new())?;
    write(
        problem,
        &meta,
        (None, &|_, _| None),
        &|value, text| push_outcome(value, text),
        &mut BufWriter::new(out),
    )
}

/// The parts that are no arrays.
fn meta<L: Lattice>(
    problem: &Problem<L>,
    lattice: String,
    decimals: Vec<bool>,
) -> io::Result<String> {
    let meta = Meta {
        lattice: RawValue::from_string(lattice)?,
        decimals,
        worlds: problem
            .world_names()
            .map(|names| names.iter().map(Into::into).collect()),
        probabilities: probabilities::to_write(problem),
        note: problem.note().map(str::to_owned),
    };
    Ok(serde_json::to_string(&meta)?)
}

/// Appends the words of a value, if it has any.
type PushWords<'a, E> = &'a dyn Fn(&E, &mut Vec<u64>) -> Option<()>;

/// Measures, and then writes.
fn write<L: Lattice>(
    problem: &Problem<L>,
    meta: &str,
    (width, words): (Option<usize>, PushWords<'_, L::Elem>),
    text: &dyn Fn(&L::Elem, &mut String),
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut texts = Texts::default();
    let values = problem.values();
    // Values are written as words only if all of them have words.
    let mut buffer = Vec::new();
    let width = width.filter(|_| {
        (0..values.len()).all(|leaf| {
            buffer.clear();
            words(&values.get(leaf), &mut buffer).is_some()
        })
    });
    if width.is_none() {
        for leaf in 0..values.len() {
            texts.number(&values.get(leaf), text)?;
        }
    }
    let order = order(problem.graph())?;
    let numbers = order.as_deref().map(inverse).transpose()?;
    let places = Places { order, numbers };
    let bounds = bounds(problem, &places, &mut texts, text)?;
    let names = NameForm::of(problem, &places);
    let content = Content {
        problem,
        meta,
        width,
        words,
        text,
        texts,
        bounds,
        names,
        places,
    };
    let mut measured = Body::new(BufWriter::new(Sum(crc32fast::Hasher::new())));
    content.write(&mut measured)?;
    let mut header = content.header(&measured)?;
    let sum = measured
        .out
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    header.body_sum = U32::new(sum.0.finalize());
    header.own_sum = U32::new(header.sum());
    out.write_all(header.as_bytes())?;
    content.write(&mut Body::new(&mut *out))?;
    out.flush()
}

/// The order of the nodes in the file, if it differs from that of their numbers.
struct Places {
    /// By position in the file: the node.
    order: Option<Vec<NodeId>>,
    /// By node: its position in the file.
    numbers: Option<Vec<NodeId>>,
}

impl Places {
    fn node_at(&self, place: NodeId) -> NodeId {
        self.order
            .as_ref()
            .map_or(place, |order| order[place.index()])
    }

    fn of(&self, node: NodeId) -> NodeId {
        self.numbers
            .as_ref()
            .map_or(node, |numbers| numbers[node.index()])
    }

    /// The nodes in the order of the file.
    fn nodes<'a>(&'a self, graph: &Graph) -> impl Iterator<Item = NodeId> + use<'a> {
        graph.nodes().map(|place| self.node_at(place))
    }
}

fn inverse(order: &[NodeId]) -> io::Result<Vec<NodeId>> {
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(order.len())?;
    numbers.resize(order.len(), NodeId::from(0));
    for (place, node) in order.iter().enumerate() {
        numbers[node.index()] = NodeId::from(place as u32);
    }
    Ok(numbers)
}

/// Texts of values, each once.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, u64>,
    ends: Vec<u64>,
    bytes: String,
    line: String,
}

impl Texts {
    fn number<E>(&mut self, value: &E, text: &dyn Fn(&E, &mut String)) -> io::Result<u64> {
        self.line.clear();
        text(value, &mut self.line);
        if let Some(&number) = self.numbers.get(&self.line) {
            return Ok(number);
        }
        let number = self.ends.len() as u64;
        self.numbers.try_reserve(1)?;
        self.ends.try_reserve(1)?;
        self.bytes.try_reserve(self.line.len())?;
        self.bytes.push_str(&self.line);
        self.ends.push(self.bytes.len() as u64);
        self.numbers.insert(self.line.clone(), number);
        Ok(number)
    }

    /// The index of a text that is present.
    fn known<E>(&self, value: &E, text: &dyn Fn(&E, &mut String), line: &mut String) -> u64 {
        line.clear();
        text(value, line);
        self.numbers.get(line).copied().unwrap_or_default()
    }
}

/// Bounds as triples, in the order of the file.
fn bounds<L: Lattice>(
    problem: &Problem<L>,
    places: &Places,
    texts: &mut Texts,
    text: &dyn Fn(&L::Elem, &mut String),
) -> io::Result<Vec<[u64; 3]>> {
    let mut bounds = Vec::new();
    if problem.has_bounds() {
        for (place, node) in places.nodes(problem.graph()).enumerate() {
            if let Some(interval) = problem.bounds_of(node) {
                let lower = texts.number(interval.lower(), text)?;
                let upper = texts.number(interval.upper(), text)?;
                bounds.try_reserve(1)?;
                bounds.push([place as u64, lower, upper]);
            }
        }
    }
    Ok(bounds)
}

/// The encoding of names.
#[derive(Clone, Copy)]
enum NameForm {
    From(i64),
    Integers,
    Bytes,
}

impl NameForm {
    fn of<L: Lattice>(problem: &Problem<L>, places: &Places) -> Self {
        match problem.names() {
            Names::From { first, .. } if places.order.is_none() => return Self::From(*first),
            Names::From { .. } | Names::Integers(_) => return Self::Integers,
            _ => {}
        }
        let is_integer = |node| matches!(&*problem.node_name(node), NodeName::Int(_));
        if problem.graph().nodes().all(is_integer) {
            Self::Integers
        } else {
            Self::Bytes
        }
    }
}

/// The content of a file.
struct Content<'a, L: Lattice> {
    problem: &'a Problem<L>,
    meta: &'a str,
    /// The number of words in a value, if values are written as words.
    width: Option<usize>,
    words: PushWords<'a, L::Elem>,
    text: &'a dyn Fn(&L::Elem, &mut String),
    texts: Texts,
    bounds: Vec<[u64; 3]>,
    names: NameForm,
    places: Places,
}

impl<L: Lattice> Content<'_, L> {
    /// The header without its checksums.
    fn header<W>(&self, body: &Body<W>) -> io::Result<Header> {
        let graph = self.problem.graph();
        let count = |count: usize| {
            let small = u32::try_from(count).map(U32::new);
            small.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
        };
        let bottom = self.problem.lattice().bottom();
        let values = self.problem.values();
        let never_bottom = (0..values.len()).all(|leaf| values.get(leaf) != bottom);
        let (names, first_name) = match self.names {
            NameForm::From(first) => (NAMES_FROM, first),
            NameForm::Integers => (NAMES_INTEGERS, 0),
            NameForm::Bytes => (NAMES_BYTES, 0),
        };
        Ok(Header {
            magic: MAGIC,
            version: U32::new(VERSION),
            own_sum: U32::ZERO,
            length: U64::new(body.at),
            body_sum: U32::ZERO,
            root: U32::new(self.places.of(graph.root()).into()),
            nodes: count(graph.node_count())?,
            leaves: count(graph.leaf_count())?,
            edges: count(graph.edge_count())?,
            width: count(self.width.unwrap_or(1))?,
            values: if self.width.is_some() { WORDS } else { TEXTS },
            names,
            flags: if never_bottom { NEVER_BOTTOM } else { 0 },
            zeros: [0; 5],
            first_name: I64::new(first_name),
            sections: body.sections.map(|section| section.map(U64::new)),
            more_zeros: [0; 48],
        })
    }

    fn write<W: Write>(&self, body: &mut Body<W>) -> io::Result<()> {
        let (problem, graph) = (self.problem, self.problem.graph());
        body.section(Section::Nodes, |out| {
            let (mut leaves, mut children) = (0, 0);
            for node in self.places.nodes(graph) {
                let length = graph.row(node).len() as u32;
                let next = if graph.kind(node) == Kind::Leaf {
                    &mut leaves
                } else {
                    &mut children
                };
                let row = Row::of(graph.kind(node), graph.is_shared(node), *next, length);
                *next += length.max(u32::from(graph.kind(node) == Kind::Leaf));
                out.write_all(&row.to_le_bytes())?;
            }
            Ok(())
        })?;
        body.section(Section::Children, |out| {
            for node in self.places.nodes(graph) {
                for child in graph.row(node).iter() {
                    out.write_all(&u32::from(self.places.of(*child)).to_le_bytes())?;
                }
            }
            Ok(())
        })?;
        body.section(Section::Values, |out| {
            let (mut words, mut line) = (Vec::new(), String::new());
            for node in self
                .places
                .nodes(graph)
                .filter(|node| graph.kind(*node) == Kind::Leaf)
            {
                let value = problem.leaf(&node);
                words.clear();
                if self.width.is_some() {
                    // All values have words.
                    let _ = (self.words)(&value, &mut words);
                } else {
                    words.push(self.texts.known(&value, self.text, &mut line));
                }
                push_words(&words, out)?;
            }
            Ok(())
        })?;
        self.write_names(body)?;
        body.section(Section::TextEnds, |out| push_words(&self.texts.ends, out))?;
        body.section(Section::Texts, |out| {
            out.write_all(self.texts.bytes.as_bytes())
        })?;
        body.section(Section::Bounds, |out| {
            push_words(self.bounds.as_flattened(), out)
        })?;
        body.section(Section::Meta, |out| out.write_all(self.meta.as_bytes()))
    }

    fn write_names<W: Write>(&self, body: &mut Body<W>) -> io::Result<()> {
        let (problem, graph) = (self.problem, self.problem.graph());
        let nodes = || self.places.nodes(graph);
        let length = |name: &NodeName| match name {
            NodeName::Int(_) => 9,
            NodeName::Text(text) => 1 + text.len() as u64,
        };
        body.section(Section::Names, |out| match self.names {
            NameForm::From(_) => Ok(()),
            NameForm::Integers => nodes().try_for_each(|node| match &*problem.node_name(node) {
                NodeName::Int(name) => out.write_all(&name.to_le_bytes()),
                NodeName::Text(_) => Ok(()),
            }),
            NameForm::Bytes => {
                let mut end = 0;
                nodes().try_for_each(|node| {
                    end += length(&problem.node_name(node));
                    push_words(&[end], out)
                })
            }
        })?;
        body.section(Section::NameBytes, |out| match self.names {
            NameForm::From(_) | NameForm::Integers => Ok(()),
            NameForm::Bytes => nodes().try_for_each(|node| match &*problem.node_name(node) {
                NodeName::Int(number) => {
                    out.write_all(&[1])?;
                    out.write_all(&number.to_le_bytes())
                }
                NodeName::Text(text) => {
                    out.write_all(&[0])?;
                    out.write_all(text.as_bytes())
                }
            }),
        })
    }
}

fn push_words(words: &[u64], out: &mut dyn Write) -> io::Result<()> {
    words
        .iter()
        .try_for_each(|word| out.write_all(&word.to_le_bytes()))
}

/// Computes the checksum of the bytes written to it.
struct Sum(crc32fast::Hasher);

impl Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes everything after the header, with zeros between the sections.
struct Body<W> {
    out: W,
    at: u64,
    sections: [[u64; 2]; SECTIONS],
}

impl<W: Write> Body<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            at: HEADER as u64,
            sections: [[0; 2]; SECTIONS],
        }
    }

    fn section(
        &mut self,
        section: Section,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let begin = self.at.next_multiple_of(ALIGNMENT);
        let zeros = [0; ALIGNMENT as usize];
        self.write_all(&zeros[..(begin - self.at) as usize])?;
        write(self)?;
        self.sections[section as usize] = [begin, self.at - begin];
        Ok(())
    }
}

impl<W: Write> Write for Body<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
