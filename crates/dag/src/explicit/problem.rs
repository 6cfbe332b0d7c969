//! A problem: a graph, a lattice, the values of the leaves, and names and bounds of nodes.
//!
//! Idea: everything is an array by node number or by leaf ordinal, and the lattice is a type
//! parameter. A file is read as a problem over [`AnyLattice`](meetjoin_lattice::AnyLattice),
//! whatever lattice it names; [`Problem::try_map`] turns it into one over a concrete lattice, in
//! which a search runs at full speed. The crate `meetjoin-file` reads and writes files.
//!
//! Invariant: there is a name for each node and a value for each leaf, so look-ups by a search
//! cannot fail.

use std::borrow::Cow;
use std::fmt;

use meetjoin_lattice::{Budget, ElemOf, Interval, Lattice, Stop};

use crate::arrays::name::NodeName;
use crate::arrays::names::Names;
use crate::arrays::node::NodeId;
use crate::arrays::values::Values;
use crate::error::GraphError;
use crate::explicit::builder::{Built, GraphBuilder};
use crate::explicit::graph::Graph;
use crate::explicit::world_names::WorldNames;
use crate::traits::{AndOrDag, Heuristic, Kind, Valuation};

/// An explicit graph with values from a lattice. See the [module page](self).
#[derive(Clone, Debug, PartialEq)]
pub struct Problem<L: Lattice> {
    graph: Graph,
    names: Names,
    lattice: L,
    values: Values<L::Elem>,
    bounds: Option<Bounds<L::Elem>>,
    worlds: Option<WorldNames>,
    probabilities: Option<Vec<Option<f64>>>,
    note: Option<String>,
}

/// Parts that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found} {what} do not fit a graph that needs {needed}")]
pub struct Misfit {
    what: &'static str,
    found: usize,
    needed: usize,
}

/// Bounds of inner nodes. Most problems have none, some have them at every node.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bounds<E> {
    /// By node: the index into `intervals`, or `NO_BOUNDS`.
    places: Vec<u32>,
    intervals: Vec<Interval<E>>,
}

const NO_BOUNDS: u32 = u32::MAX;

impl<L: Lattice> Problem<L> {
    /// A problem without bounds, names of worlds, probabilities and note.
    ///
    /// `names` are indexed by node number; they should differ, or a file of the problem cannot be
    /// read back. `values` are indexed by leaf ordinal.
    ///
    /// # Errors
    /// If there is not one name for each node and one value for each leaf.
    pub fn new(
        graph: Graph,
        names: Vec<NodeName>,
        lattice: L,
        values: Vec<L::Elem>,
    ) -> Result<Self, Misfit> {
        Self::from_parts(graph, names.into(), lattice, values.into())
    }

    /// A problem whose names and values may lie in a file.
    ///
    /// # Errors
    /// If there is not one name for each node and one value for each leaf.
    pub fn from_parts(
        graph: Graph,
        names: Names,
        lattice: L,
        values: Values<L::Elem>,
    ) -> Result<Self, Misfit> {
        let fits = |what, found, needed| {
            let misfit = Misfit {
                what,
                found,
                needed,
            };
            if found == needed { Ok(()) } else { Err(misfit) }
        };
        fits("names", names.len(), graph.node_count())?;
        fits("values", values.len(), graph.leaf_count())?;
        Ok(Self::of(graph, names, lattice, values))
    }

    /// The problem of a graph that was built node by node.
    ///
    /// # Errors
    /// What is wrong with the graph.
    pub fn build(
        builder: GraphBuilder<NodeName, L::Elem>,
        root: impl Into<NodeName>,
        lattice: L,
    ) -> Result<Self, GraphError<NodeName>> {
        let Built { graph, ids, values } = builder.build(&root.into())?;
        Ok(Self::of(graph, ids.into(), lattice, values.into()))
    }

    /// Assembles parts that fit together.
    fn of(graph: Graph, names: Names, lattice: L, values: Values<L::Elem>) -> Self {
        Self {
            graph,
            names,
            lattice,
            values,
            bounds: None,
            worlds: None,
            probabilities: None,
            note: None,
        }
    }

    /// Replaces the bounds of inner nodes. Of several bounds for one node the last counts; nodes
    /// that do not exist are ignored.
    #[must_use]
    pub fn with_bounds(
        mut self,
        bounds: impl IntoIterator<Item = (NodeId, Interval<L::Elem>)>,
    ) -> Self {
        let mut places = vec![NO_BOUNDS; self.graph.node_count()];
        let mut intervals = Vec::new();
        for (node, interval) in bounds {
            if let Some(place) = places.get_mut(node.index()) {
                *place = intervals.len() as u32;
                intervals.push(interval);
            }
        }
        self.bounds = (!intervals.is_empty()).then_some(Bounds { places, intervals });
        self
    }

    /// Names the elements 1..v of a set lattice, for people.
    #[must_use]
    pub fn with_worlds(self, worlds: Option<Vec<String>>) -> Self {
        self.with_world_names(worlds.map(WorldNames::from))
    }

    /// Names the elements 1..v of a set lattice, which may be [stakes](crate::Stakes).
    #[must_use]
    pub fn with_world_names(mut self, worlds: Option<WorldNames>) -> Self {
        self.worlds = worlds;
        self
    }

    /// Sets the known probabilities of the events 1..v of which values are functions, as in a fault
    /// tree. Searches ignore them.
    #[must_use]
    pub fn with_probabilities(mut self, probabilities: Option<Vec<Option<f64>>>) -> Self {
        self.probabilities = probabilities;
        self
    }

    /// Sets the note, a free text.
    #[must_use]
    pub fn with_note(mut self, note: Option<String>) -> Self {
        self.note = note;
        self
    }

    /// The graph.
    #[inline]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The name of each node, by its number.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The name of one node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn node_name(&self, node: NodeId) -> Cow<'_, NodeName> {
        match self.names.get(node.index()) {
            Some(name) => name,
            None => panic!("there is no node {node}"),
        }
    }

    /// The lattice.
    #[inline]
    pub fn lattice(&self) -> &L {
        &self.lattice
    }

    /// The value of each leaf, by its ordinal.
    pub fn values(&self) -> &Values<L::Elem> {
        &self.values
    }

    /// Returns whether any node has bounds.
    pub fn has_bounds(&self) -> bool {
        self.bounds.is_some()
    }

    /// The given bounds of a node.
    #[inline]
    pub fn bounds_of(&self, node: NodeId) -> Option<&Interval<L::Elem>> {
        let bounds = self.bounds.as_ref()?;
        let place = *bounds.places.get(node.index())?;
        // `NO_BOUNDS` lies beyond the end.
        bounds.intervals.get(place as usize)
    }

    /// The names of the elements 1..v of a set lattice, if they have names, and the world of each
    /// where they are stakes.
    pub fn world_names(&self) -> Option<&WorldNames> {
        self.worlds.as_ref()
    }

    /// The probabilities of the events 1..v, where known.
    pub fn probabilities(&self) -> Option<&[Option<f64>]> {
        self.probabilities.as_deref()
    }

    /// The note, if there is one.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// This problem over another lattice, with `convert` applied to every value and bound. Values
    /// in a file are converted on access; one that `convert` refuses becomes the bottom.
    ///
    /// # Errors
    /// The first error of `convert`.
    pub fn try_map<M: Lattice + Clone + Send + Sync + 'static, E>(
        self,
        lattice: M,
        convert: impl Fn(L::Elem) -> Result<M::Elem, E> + Send + Sync + 'static,
    ) -> Result<Problem<M>, E>
    where
        L::Elem: 'static,
        M::Elem: 'static,
    {
        let interval = |interval| {
            Ok(match interval {
                Interval::Exact(value) => Interval::Exact(convert(value)?),
                Interval::Between { lower, upper } => {
                    Interval::new(convert(lower)?, convert(upper)?)
                }
            })
        };
        let bounds = match self.bounds {
            None => None,
            Some(Bounds { places, intervals }) => {
                let intervals = intervals.into_iter().map(interval);
                let intervals = intervals.collect::<Result<_, E>>()?;
                Some(Bounds { places, intervals })
            }
        };
        let values = match self.values {
            Values::List(values) => {
                let values = values.into_iter().map(&convert);
                Values::List(values.collect::<Result<_, E>>()?)
            }
            Values::Records(records) => {
                let otherwise = lattice.clone();
                Values::Records(
                    records.map(move |value| convert(value).unwrap_or_else(|_| otherwise.bottom())),
                )
            }
        };
        Ok(Problem {
            values,
            bounds,
            graph: self.graph,
            names: self.names,
            lattice,
            worlds: self.worlds,
            probabilities: self.probabilities,
            note: self.note,
        })
    }
}

impl<L: Lattice> AndOrDag for Problem<L> {
    type Node = NodeId;

    #[inline]
    fn root(&self) -> NodeId {
        self.graph.root()
    }

    #[inline]
    fn kind(&self, node: &NodeId) -> Kind {
        self.graph.kind(*node)
    }

    #[inline]
    fn children(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        self.graph.children(node, out);
    }

    #[inline]
    fn is_shared(&self, node: &NodeId) -> bool {
        self.graph.is_shared(*node)
    }

    #[inline]
    fn prefetch(&self, nodes: &[NodeId]) {
        self.graph.prefetch(nodes);
    }

    fn name(&self, node: &NodeId, out: &mut dyn fmt::Write) -> fmt::Result {
        match self.names.get(node.index()) {
            Some(name) => write!(out, "{name}"),
            None => write!(out, "{node}"),
        }
    }
}

impl<L: Lattice> Valuation<NodeId> for Problem<L> {
    type Lattice = L;

    #[inline]
    fn lattice(&self) -> &L {
        &self.lattice
    }

    #[inline]
    fn leaf(&self, node: &NodeId) -> ElemOf<L> {
        match self.graph.leaf_ordinal(*node) {
            Some(ordinal) => self.values.get(ordinal),
            None => unreachable!("only leaves have values, and node {node} is none"),
        }
    }

    fn never_bottom(&self) -> bool {
        match &self.values {
            Values::List(values) => {
                let bottom = self.lattice.bottom();
                values.iter().all(|value| *value != bottom)
            }
            Values::Records(records) => records.never_bottom,
        }
    }
}

/// The given bounds of the problem.
impl<L: Lattice> Heuristic<NodeId, L> for &Problem<L> {
    #[inline]
    fn bounds(
        &mut self,
        _: &L,
        node: &NodeId,
        _: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        Ok(self.bounds_of(*node).cloned())
    }
}

#[cfg(test)]
mod tests {
    use meetjoin_lattice::Chain;

    use super::*;

    fn small() -> Problem<Chain<i32>> {
        let mut builder = GraphBuilder::new();
        let name = NodeName::from;
        builder.or(name("r"), [name("x"), name("y")]).expect("new");
        builder.leaf(name("x"), 3).expect("new");
        builder.leaf(name("y"), 7).expect("new");
        let built = builder.build(&name("r")).expect("a graph");
        let chain = Chain::new(0, 9).expect("in order");
        Problem::new(built.graph, built.ids, chain, built.values).expect("it fits")
    }

    #[test]
    fn parts_must_fit() {
        let Problem { graph, lattice, .. } = small();
        let names = vec![NodeName::from(1); 3];
        let misfit = Problem::new(graph, names, lattice, vec![1]).expect_err("a value is missing");
        assert_eq!(
            misfit.to_string(),
            "1 values do not fit a graph that needs 2"
        );
    }

    #[test]
    fn values_and_bounds_are_found_by_node() {
        let [root, x, y] = [0, 1, 2].map(NodeId::from);
        let between = Interval::new(2, 8);
        let problem = small().with_bounds([(root, between.clone()), (NodeId::from(9), between)]);
        assert_eq!((problem.leaf(&x), problem.leaf(&y)), (3, 7));
        let budget = Budget::unlimited();
        let mut heuristic = &problem;
        let bounds = heuristic.bounds(problem.lattice(), &root, &budget);
        assert_eq!(bounds, Ok(Some(Interval::new(2, 8))));
        let bounds = heuristic.bounds(problem.lattice(), &x, &budget);
        assert_eq!(bounds, Ok(None));
        assert!(!small().has_bounds());
    }

    #[test]
    fn conversion_reaches_values_and_bounds() {
        let problem = small()
            .with_bounds([(NodeId::from(0), Interval::new(2, 8))])
            .with_note(Some("a note".to_owned()));
        let chain = Chain::new(0, 90_i64).expect("in order");
        let tenfold = |value| Ok::<_, ()>(i64::from(value) * 10);
        let mapped = problem.clone().try_map(chain, tenfold).expect("no error");
        assert_eq!(*mapped.values().list(), [30, 70]);
        assert_eq!(
            mapped.bounds_of(NodeId::from(0)),
            Some(&Interval::new(20, 80))
        );
        assert_eq!(mapped.note(), Some("a note"));
        let refused = problem.try_map(chain, |value| if value < 7 { Ok(0) } else { Err(value) });
        // Bounds are converted first, and 8 is a bound.
        assert_eq!(refused, Err(8));
    }
}
