//! A game written in Python as a graph: an object with `root`, `kind`, `children` and `leaf`.
//!
//! Idea: nodes are any hashable objects; each gets a number when it is first seen, and the search
//! knows the numbers alone. Every method is called once for a node, as a call of Python takes a
//! good part of a microsecond and a search revisits nodes. A node is hashed once each time that it
//! comes out of `children`, and compared only with nodes of the same hash.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use hashbrown::HashTable;
use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Lattice};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::{MeetjoinError, refused};
use crate::own::raised::call;

/// A game. See the [module page](self).
pub(crate) struct Game<'b> {
    /// Checked after each call of Python, which may take arbitrarily long.
    budget: &'b Budget,
    kind: Py<PyAny>,
    children: Py<PyAny>,
    leaf: Py<PyAny>,
    nodes: RefCell<Nodes>,
    root: u32,
    /// Whether a limit has ended the listing of some node's children. The result of the search may
    /// then rest on only some of them.
    is_cut: Cell<bool>,
}

/// The nodes seen so far.
#[derive(Default)]
struct Nodes {
    /// Numbers of nodes, by hash.
    numbers: HashTable<u32>,
    known: Vec<Node>,
    /// Those of all nodes whose children are known, one after the other.
    children: Vec<u32>,
    /// The words for kinds that `kind` has returned: it returns the same objects again and again.
    words: Vec<(Py<PyString>, Kind)>,
}

struct Node {
    object: Py<PyAny>,
    hash: u64,
    kind: Option<Kind>,
    /// Where its children begin and end; no node has none.
    row: (usize, usize),
}

/// In Python small integers hash to themselves, and the table needs all bits to be mixed.
fn hash(node: &Bound<'_, PyAny>) -> PyResult<u64> {
    let hash = (node.hash()?.cast_unsigned() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Ok(hash ^ hash >> 32)
}

impl Nodes {
    fn number(&mut self, node: Bound<'_, PyAny>) -> PyResult<u32> {
        let (hash, mut failed) = (hash(&node)?, None);
        let same = |number: &u32| {
            let known = &self.known[*number as usize];
            known.hash == hash
                && (known.object.is(&node)
                    || node.eq(&known.object).unwrap_or_else(|error| {
                        failed = Some(error);
                        true
                    }))
        };
        if let Some(&number) = self.numbers.find(hash, same) {
            return failed.map_or(Ok(number), Err);
        }
        let number = u32::try_from(self.known.len())
            .map_err(|_| refused("a game has more nodes than fit in 32 bits"))?;
        self.known.push(Node {
            object: node.unbind(),
            hash,
            kind: None,
            row: (0, 0),
        });
        let known = &self.known;
        let hash_of = |number: &u32| known[*number as usize].hash;
        self.numbers.insert_unique(hash, number, hash_of);
        Ok(number)
    }

    /// The kind that a word stands for.
    fn kind(&mut self, word: Bound<'_, PyAny>, node: &Bound<'_, PyAny>) -> PyResult<Kind> {
        if let Some((_, kind)) = self.words.iter().find(|(known, _)| known.is(&word)) {
            return Ok(*kind);
        }
        let no_kind = |what: String| {
            refused(format!(
                "the kind of {} is {what}; it must be \"leaf\", \"and\" or \"or\"",
                short(node)
            ))
        };
        let word = match word.cast_into::<PyString>() {
            Ok(word) => word,
            Err(error) => return Err(no_kind(short(&error.into_inner()))),
        };
        let kind = match word.to_cow()?.as_ref() {
            "leaf" => Kind::Leaf,
            "and" => Kind::And,
            "or" => Kind::Or,
            other => return Err(no_kind(format!("{other:?}"))),
        };
        if self.words.len() < WORDS {
            self.words.push((word.unbind(), kind));
        }
        Ok(kind)
    }
}

/// Children listed between two checks of limits and signals.
const LOOK: usize = 256;
/// How long children are still listed when a limit has fired.
const GRACE: Duration = Duration::from_millis(50);
/// The most words that are remembered: a game may make a new string each time.
const WORDS: usize = 6;

impl<'b> Game<'b> {
    pub(crate) fn new(game: &Bound<'_, PyAny>, budget: &'b Budget) -> PyResult<Self> {
        let method = |name| game.getattr(name).map(Bound::unbind);
        let mut nodes = Nodes::default();
        let root = nodes.number(game.call_method0("root")?)?;
        Ok(Self {
            budget,
            kind: method("kind")?,
            children: method("children")?,
            leaf: method("leaf")?,
            nodes: RefCell::new(nodes),
            root,
            is_cut: Cell::new(false),
        })
    }

    /// Returns whether to end a listing of children: a limit has fired, and `GRACE` has passed
    /// since, by when a finite list is complete and the search keeps sound bounds.
    fn is_over(&self, py: Python<'_>, ends: &mut Option<Instant>) -> PyResult<bool> {
        // Iterators in native code never let other threads run.
        py.detach(|| ());
        py.check_signals()?;
        if self.budget.check().is_ok() {
            return Ok(false);
        }
        Ok(Instant::now() >= *ends.get_or_insert_with(|| Instant::now() + GRACE))
    }

    /// Whether a limit has ended a listing of children.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Calls a method of the game. If a limit has fired meanwhile, the next visit notices.
    fn ask<T>(&self, work: impl FnMut(Python<'_>) -> PyResult<T>) -> Option<T> {
        let found = call(work);
        let _ = self.budget.check();
        found
    }

    pub(crate) fn node<'py>(&self, py: Python<'py>, node: u32) -> Bound<'py, PyAny> {
        self.nodes.borrow().known[node as usize]
            .object
            .bind(py)
            .clone()
    }

    /// How many nodes were seen.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.borrow().known.len()
    }

    /// How many edges were seen.
    pub(crate) fn edge_count(&self) -> usize {
        self.nodes.borrow().children.len()
    }

    /// A node on a cycle, if there is one among the nodes seen.
    pub(crate) fn on_a_cycle(&self) -> Option<u32> {
        let Nodes {
            known, children, ..
        } = &*self.nodes.borrow();
        // Nodes on the current path, and finished ones.
        let (mut open, mut done) = (vec![false; known.len()], vec![false; known.len()]);
        let mut path: Vec<(usize, usize)> = Vec::new();
        for start in 0..known.len() {
            if !done[start] {
                open[start] = true;
                path.push((start, known[start].row.0));
            }
            while let Some((node, next)) = path.last_mut() {
                if *next == known[*node].row.1 {
                    open[*node] = false;
                    done[*node] = true;
                    path.pop();
                    continue;
                }
                let child = children[*next];
                *next += 1;
                let place = child as usize;
                if open[place] {
                    return Some(child);
                }
                if !done[place] {
                    open[place] = true;
                    path.push((place, known[place].row.0));
                }
            }
        }
        None
    }
}

impl AndOrDag for Game<'_> {
    type Node = u32;

    fn root(&self) -> u32 {
        self.root
    }

    fn kind(&self, node: &u32) -> Kind {
        if let Some(kind) = self.nodes.borrow().known[*node as usize].kind {
            return kind;
        }
        let kind = self.ask(|py| {
            let object = self.node(py, *node);
            let word = self.kind.bind(py).call1((&object,))?;
            self.nodes.borrow_mut().kind(word, &object)
        });
        if let Some(kind) = kind {
            self.nodes.borrow_mut().known[*node as usize].kind = Some(kind);
        }
        kind.unwrap_or(Kind::Leaf)
    }

    fn children(&self, node: &u32, out: &mut Vec<u32>) {
        {
            let nodes = self.nodes.borrow();
            let (begin, end) = nodes.known[*node as usize].row;
            if begin < end {
                out.extend_from_slice(&nodes.children[begin..end]);
                return;
            }
        }
        let before = out.len();
        let asked = self.ask(|py| {
            out.truncate(before);
            let object = self.node(py, *node);
            let children = self.children.bind(py).call1((&object,))?;
            let mut ends = None;
            for child in children.try_iter()? {
                let number = self.nodes.borrow_mut().number(child?)?;
                out.push(number);
                if out.len().is_multiple_of(LOOK) && self.is_over(py, &mut ends)? {
                    self.is_cut.set(true);
                    break;
                }
            }
            if out.len() == before {
                return Err(refused(format!(
                    "{} is an inner node and has no children",
                    short(&object)
                )));
            }
            Ok(())
        });
        if asked.is_some() {
            let mut nodes = self.nodes.borrow_mut();
            let begin = nodes.children.len();
            nodes.children.extend_from_slice(&out[before..]);
            nodes.known[*node as usize].row = (begin, nodes.children.len());
        }
    }
}

/// Makes a value of what `leaf` returns.
pub(crate) type Read<'g, E> = dyn Fn(&Bound<'_, PyAny>) -> PyResult<E> + 'g;

/// The leaves of a game, in the lattice of a search.
pub(crate) struct Leaves<'g, L: Lattice> {
    game: &'g Game<'g>,
    lattice: L,
    read: &'g Read<'g, L::Elem>,
    /// By node.
    values: RefCell<Vec<Option<L::Elem>>>,
}

impl<'g, L: Lattice> Leaves<'g, L> {
    pub(crate) fn new(game: &'g Game<'g>, lattice: L, read: &'g Read<'g, L::Elem>) -> Self {
        Self {
            game,
            lattice,
            read,
            values: RefCell::default(),
        }
    }
}

impl<L: Lattice> Valuation<u32> for Leaves<'_, L> {
    type Lattice = L;

    fn lattice(&self) -> &L {
        &self.lattice
    }

    fn leaf(&self, node: &u32) -> ElemOf<L> {
        let place = *node as usize;
        if let Some(Some(value)) = self.values.borrow().get(place) {
            return value.clone();
        }
        let value = self.game.ask(|py| {
            let object = self.game.node(py, *node);
            let value = self.game.leaf.bind(py).call1((&object,))?;
            (self.read)(&value).map_err(|error| {
                if error.is_instance_of::<MeetjoinError>(py) {
                    refused(format!("node {}: {}", short(&object), error.value(py)))
                } else {
                    error
                }
            })
        });
        let Some(value) = value else {
            return self.lattice.bottom();
        };
        let mut values = self.values.borrow_mut();
        if values.len() <= place {
            values.resize(self.game.node_count(), None);
        }
        values[place] = Some(value.clone());
        value
    }
}

/// The beginning of an object's `repr`.
pub(crate) fn short(object: &Bound<'_, PyAny>) -> String {
    let text = object
        .repr()
        .map(|text| text.to_string())
        .unwrap_or_default();
    if text.chars().count() <= 60 {
        return text;
    }
    text.chars().take(57).chain("...".chars()).collect()
}
