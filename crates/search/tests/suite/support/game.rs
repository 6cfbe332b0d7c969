//! Games made of arrays, and a second evaluator.

use meetjoin_dag::{AndOrDag, Graph, Heuristic, Kind, NodeId, Valuation};
use meetjoin_lattice::{Budget, Interval, Lattice, Stop};

/// A graph with values at its leaves and, perhaps, bounds at all nodes.
#[derive(Clone, Debug)]
pub struct Game<L: Lattice> {
    pub graph: Graph,
    pub lattice: L,
    pub values: Vec<L::Elem>,
    /// By node number.
    pub bounds: Option<Vec<Interval<L::Elem>>>,
}

impl<L: Lattice> AndOrDag for Game<L> {
    type Node = NodeId;

    fn root(&self) -> NodeId {
        self.graph.root()
    }

    fn kind(&self, node: &NodeId) -> Kind {
        self.graph.kind(*node)
    }

    fn children(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        self.graph.children(node, out);
    }

    fn is_shared(&self, node: &NodeId) -> bool {
        self.graph.is_shared(*node)
    }
}

impl<L: Lattice> Valuation<NodeId> for Game<L> {
    type Lattice = L;

    fn lattice(&self) -> &L {
        &self.lattice
    }

    fn leaf(&self, node: &NodeId) -> L::Elem {
        let ordinal = self
            .graph
            .leaf_ordinal(*node)
            .expect("only leaves have values");
        self.values[ordinal].clone()
    }
}

impl<L: Lattice> Heuristic<NodeId, L> for &Game<L> {
    fn bounds(
        &mut self,
        _: &L,
        node: &NodeId,
        _: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        assert_ne!(
            self.graph.kind(*node),
            Kind::Leaf,
            "asked of inner nodes only"
        );
        Ok(self
            .bounds
            .as_ref()
            .map(|bounds| bounds[node.index()].clone()))
    }
}

impl<L: Lattice> Game<L> {
    /// The value of every node, by a pass over the nodes in reverse topological order: no search of
    /// the library takes part.
    pub fn all_values(&self) -> Vec<L::Elem> {
        let free = Budget::unlimited();
        let n = self.graph.node_count();
        let mut values: Vec<Option<L::Elem>> = vec![None; n];
        let mut todo: Vec<NodeId> = self.graph.nodes().collect();
        while let Some(node) = todo.pop() {
            if values[node.index()].is_some() {
                continue;
            }
            let row = self.graph.row(node);
            let open = row.iter().filter(|c| values[c.index()].is_none());
            let open: Vec<NodeId> = open.copied().collect();
            if !open.is_empty() {
                todo.push(node);
                todo.extend(open);
                continue;
            }
            let mut children = row.iter().map(|c| values[c.index()].clone().expect("done"));
            let value = match self.graph.kind(node) {
                Kind::Leaf => self.leaf(&node),
                Kind::And => children.fold(self.lattice.top(), |mut all, v| {
                    self.lattice
                        .meet_assign(&mut all, &v, &free)
                        .expect("no limit");
                    all
                }),
                Kind::Or => children.by_ref().fold(self.lattice.bottom(), |mut all, v| {
                    self.lattice
                        .join_assign(&mut all, &v, &free)
                        .expect("no limit");
                    all
                }),
            };
            values[node.index()] = Some(value);
        }
        values
            .into_iter()
            .map(|v| v.expect("every node is done"))
            .collect()
    }

    /// The value of the root, by the same pass.
    pub fn value(&self) -> L::Elem {
        self.all_values()[self.graph.root().index()].clone()
    }

    pub fn leq(&self, a: &L::Elem, b: &L::Elem) -> bool {
        self.lattice
            .leq(a, b, &Budget::unlimited())
            .expect("no limit")
    }

    pub fn contains(&self, interval: &Interval<L::Elem>, value: &L::Elem) -> bool {
        self.leq(interval.lower(), value) && self.leq(value, interval.upper())
    }
}
