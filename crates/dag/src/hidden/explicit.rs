//! Games with hidden cards as data: a public tree in which moves of MIN say in which worlds they
//! are possible, for games that programs generate.
//!
//! Idea: names get numbers as in every [graph](crate::builder), and the worlds that are left at a
//! node are those left before it that its move allows: computed once, a row of bits for each node.
//! Errors are found where the tree is made: names and lengths here, the rules by [`check`].
//!
//! Invariant: each node comes after at most one move, so it determines which worlds are left.
//!
//! Cost: a bit for each node and world, and a number for each leaf and world.

use std::collections::{HashMap, HashSet};
use std::fmt;

use meetjoin_lattice::Budget;

use super::check::{HiddenError, check};
use super::game::{HiddenGame, Turn};
use crate::{AndOrDag as _, Graph, GraphBuilder, GraphError, Kind, NodeId, NodeName};

/// Why the nodes make no tree of a game with hidden cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HiddenTreeError {
    /// Two worlds of one name.
    #[error("two worlds have the name {0:?}")]
    SameWorld(String),
    /// Not one weight for each world.
    #[error("{found} weights for {worlds} worlds")]
    Weights {
        /// Weights.
        found: usize,
        /// Worlds.
        worlds: usize,
    },
    /// A world that does not exist.
    #[error("node {node:?} has the move to {made:?} in world {world}, and there are {worlds}")]
    NoSuchWorld {
        /// The node.
        node: NodeName,
        /// Where the move leads.
        made: NodeName,
        /// The world, counted from 0.
        world: usize,
        /// The number of worlds.
        worlds: usize,
    },
    /// Points of another number of worlds.
    #[error("node {node:?} has the points of {found} worlds, and there are {worlds}")]
    Points {
        /// The node.
        node: NodeName,
        /// Their number.
        found: usize,
        /// Worlds.
        worlds: usize,
    },
    /// A node that comes after two moves.
    #[error(
        "node {node:?} comes after two moves, one at {first:?} and one at {second:?}: what both have seen differs, so these are two nodes"
    )]
    TwoWays {
        /// The node.
        node: NodeName,
        /// Where the first of them is made.
        first: NodeName,
        /// And the second.
        second: NodeName,
    },
    /// The nodes are no graph.
    #[error(transparent)]
    Graph(#[from] GraphError<NodeName>),
    /// The rules make no game.
    #[error(transparent)]
    Game(#[from] HiddenError),
}

/// Collects a game node by node, in any order. See the [module page](self).
///
/// ```
/// use meetjoin_dag::{HiddenTree, HiddenTreeBuilder};
/// use meetjoin_lattice::Budget;
///
/// // MIN holds the king, perhaps with the queen; when she plays it, MAX guesses which.
/// let mut game = HiddenTreeBuilder::new(["king", "king and queen"])?;
/// game.min("start", [("king played", None), ("queen played", Some(vec![1]))])?;
/// game.max("king played", ["finesse", "drop"])?;
/// game.over("finesse", [1, 0])?;
/// game.over("drop", [0, 1])?;
/// game.over("queen played", [0, 1])?;
/// let game: HiddenTree = game.build("start", &Budget::unlimited())?;
/// # Ok::<(), meetjoin_dag::HiddenTreeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HiddenTreeBuilder {
    worlds: Vec<String>,
    weights: Vec<u64>,
    most_points: Option<u32>,
    nodes: GraphBuilder<NodeName, Vec<u32>>,
    /// For a node that comes after a move: its parent, and the worlds in which the move is
    /// possible, if not in all.
    ways: HashMap<NodeName, (NodeName, Option<Vec<usize>>)>,
}

impl HiddenTreeBuilder {
    /// No nodes, and worlds with these names, each of weight 1.
    ///
    /// # Errors
    /// If two have one name.
    pub fn new(worlds: impl IntoIterator<Item: Into<String>>) -> Result<Self, HiddenTreeError> {
        let worlds: Vec<String> = worlds.into_iter().map(Into::into).collect();
        let mut names = HashSet::new();
        if let Some(twice) = worlds.iter().find(|world| !names.insert(world.as_str())) {
            return Err(HiddenTreeError::SameWorld(twice.clone()));
        }
        Ok(Self {
            weights: vec![1; worlds.len()],
            worlds,
            most_points: None,
            nodes: GraphBuilder::new(),
            ways: HashMap::new(),
        })
    }

    /// Sets the weight of each world.
    ///
    /// # Errors
    /// If there is not one weight for each.
    pub fn weights(&mut self, weights: Vec<u64>) -> Result<(), HiddenTreeError> {
        let (found, worlds) = (weights.len(), self.worlds.len());
        if found != worlds {
            return Err(HiddenTreeError::Weights { found, worlds });
        }
        self.weights = weights;
        Ok(())
    }

    /// Sets the most points that MAX can have. The default is the most that any leaf has.
    pub fn most_points(&mut self, most: u32) {
        self.most_points = Some(most);
    }

    /// The name of each world.
    pub fn worlds(&self) -> &[String] {
        &self.worlds
    }

    /// Defines a node at which MAX moves, with the nodes after her moves.
    ///
    /// # Errors
    /// If the node was defined before, a node after it comes after another move already, or nothing
    /// comes after it.
    pub fn max(
        &mut self,
        id: impl Into<NodeName>,
        moves: impl IntoIterator<Item: Into<NodeName>>,
    ) -> Result<(), HiddenTreeError> {
        let moves = moves.into_iter().map(|to| (to, None));
        self.inner(id.into(), Turn::Max, moves)
    }

    /// Defines a node at which MIN moves, with the nodes after the moves. Each is possible in all
    /// worlds that are left, or in the given ones.
    ///
    /// # Errors
    /// As [`max`](Self::max), and if there is no such world.
    pub fn min(
        &mut self,
        id: impl Into<NodeName>,
        moves: impl IntoIterator<Item = (impl Into<NodeName>, Option<Vec<usize>>)>,
    ) -> Result<(), HiddenTreeError> {
        self.inner(id.into(), Turn::Min, moves)
    }

    /// Defines a node at which the game is over, with the points of MAX in each world. Points in
    /// worlds that are not left are ignored.
    ///
    /// # Errors
    /// If the node was defined before, or there is not one number for each world.
    pub fn over(
        &mut self,
        id: impl Into<NodeName>,
        points: impl Into<Vec<u32>>,
    ) -> Result<(), HiddenTreeError> {
        let (node, points) = (id.into(), points.into());
        let (found, worlds) = (points.len(), self.worlds.len());
        if found != worlds {
            return Err(HiddenTreeError::Points {
                node,
                found,
                worlds,
            });
        }
        Ok(self.nodes.leaf(node, points)?)
    }

    /// Defines an inner node whose moves are possible in the given worlds; those of MAX must be in
    /// all.
    fn inner(
        &mut self,
        node: NodeName,
        turn: Turn,
        moves: impl IntoIterator<Item = (impl Into<NodeName>, Option<Vec<usize>>)>,
    ) -> Result<(), HiddenTreeError> {
        let worlds = self.worlds.len();
        let moves: Vec<(NodeName, Option<Vec<usize>>)> = moves
            .into_iter()
            .map(|(to, allowed)| (to.into(), allowed))
            .collect();
        let to = || moves.iter().map(|(to, _)| to.clone());
        match turn {
            Turn::Max => self.nodes.or(node.clone(), to())?,
            _ => self.nodes.and(node.clone(), to())?,
        }
        for (made, allowed) in moves {
            let unknown = (allowed.iter().flatten()).find(|world| **world >= worlds);
            if let Some(&world) = unknown {
                return Err(HiddenTreeError::NoSuchWorld {
                    node,
                    made,
                    world,
                    worlds,
                });
            }
            if let Some((first, _)) = self.ways.get(&made) {
                return Err(HiddenTreeError::TwoWays {
                    first: first.clone(),
                    node: made,
                    second: node,
                });
            }
            self.ways.insert(made, (node.clone(), allowed));
        }
        Ok(())
    }

    /// The game from a node on, after a check of every position.
    ///
    /// # Errors
    /// The first violation; or why the budget ended the check.
    pub fn build(
        self,
        root: impl Into<NodeName>,
        budget: &Budget,
    ) -> Result<HiddenTree, HiddenTreeError> {
        let built = self.nodes.build(&root.into())?;
        let (graph, names) = (built.graph, built.ids);
        let (row, points) = (self.worlds.len().div_ceil(64), built.values);
        let mut game = HiddenTree {
            possible: vec![0; names.len() * row],
            most_points: 0,
            graph,
            names,
            worlds: self.worlds,
            weights: self.weights,
            points,
        };
        let root = game.graph.root();
        for world in 0..game.worlds.len() {
            game.possible[root.index() * row + world / 64] |= 1 << (world % 64);
        }
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let before = game.row(node).to_vec();
            let children = game.graph.row(node).into_owned();
            for child in children {
                let place = child.index() * row;
                let after = &mut game.possible[place..place + row];
                let way = self.ways.get(&game.names[child.index()]);
                match way.and_then(|(_, allowed)| allowed.as_ref()) {
                    None => after.copy_from_slice(&before),
                    Some(allowed) => {
                        for world in allowed {
                            after[world / 64] |= before[world / 64] & 1 << (world % 64);
                        }
                    }
                }
                open.push(child);
            }
        }
        let most = game.points.iter().flatten().copied().max();
        game.most_points = self.most_points.unwrap_or(most.unwrap_or(0).max(1));
        check(&game, budget)?;
        Ok(game)
    }
}

/// A game with hidden cards, stored node by node. See the [module page](self).
#[derive(Clone, Debug)]
pub struct HiddenTree {
    graph: Graph,
    names: Vec<NodeName>,
    worlds: Vec<String>,
    weights: Vec<u64>,
    most_points: u32,
    /// For each node a row of words with a bit for each world.
    possible: Vec<u64>,
    /// For each leaf, by its ordinal, the points in each world.
    points: Vec<Vec<u32>>,
}

impl HiddenTree {
    /// The public tree.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The names of nodes, by their numbers.
    pub fn names(&self) -> &[NodeName] {
        &self.names
    }

    /// The names of worlds.
    pub fn world_names(&self) -> &[String] {
        &self.worlds
    }

    /// The weight of each world.
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    fn row(&self, node: NodeId) -> &[u64] {
        let words = self.worlds.len().div_ceil(64);
        &self.possible[node.index() * words..][..words]
    }
}

impl HiddenGame for HiddenTree {
    type Position = NodeId;

    fn worlds(&self) -> usize {
        self.worlds.len()
    }

    fn weight(&self, world: usize) -> u64 {
        self.weights[world]
    }

    fn start(&self) -> NodeId {
        self.graph.root()
    }

    fn turn(&self, node: &NodeId) -> Turn {
        match self.graph.kind(*node) {
            Kind::Or => Turn::Max,
            Kind::And => Turn::Min,
            Kind::Leaf => Turn::Over,
        }
    }

    fn moves(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        self.graph.children(node, out);
    }

    fn is_possible(&self, node: &NodeId, world: usize) -> bool {
        self.row(*node)[world / 64] >> (world % 64) & 1 == 1
    }

    fn points(&self, node: &NodeId, world: usize) -> u32 {
        let leaf = self.graph.leaf_ordinal(*node);
        leaf.map_or(0, |leaf| self.points[leaf][world])
    }

    fn most_points(&self) -> u32 {
        self.most_points
    }

    fn possible(&self, node: &NodeId, words: &mut [u64]) {
        words.copy_from_slice(self.row(*node));
    }

    fn name(&self, node: &NodeId, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{}", self.names[node.index()])
    }

    fn world_name(&self, world: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(&self.worlds[world])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builder() -> HiddenTreeBuilder {
        HiddenTreeBuilder::new(["a", "b"]).expect("two names")
    }

    fn built(game: HiddenTreeBuilder) -> Result<HiddenTree, HiddenTreeError> {
        game.build("r", &Budget::unlimited())
    }

    fn sentence(game: HiddenTreeBuilder) -> String {
        built(game).expect_err("no game").to_string()
    }

    #[test]
    fn worlds_that_are_left_follow_from_moves() {
        let mut game = builder();
        game.min("r", [("x", Some(vec![1])), ("y", None)])
            .expect("new");
        game.max("x", ["z"]).expect("new");
        game.over("z", [9, 2]).expect("new");
        game.over("y", [0, 1]).expect("new");
        let game = built(game).expect("a game");
        let at = |name: &str| {
            let place = game.names().iter().position(|n| *n == NodeName::from(name));
            NodeId::from(place.expect("a node") as u32)
        };
        let left = |name| [0, 1].map(|world| game.is_possible(&at(name), world));
        assert_eq!(left("z"), [false, true]);
        assert_eq!(left("y"), [true, true]);
        assert_eq!(game.points(&at("z"), 1), 2);
        // A leaf's points in a world that is not left count only for the most points.
        assert_eq!(game.most_points(), 9);
    }

    #[test]
    fn names_and_lengths_are_looked_at_where_they_are_given() {
        let twice = HiddenTreeBuilder::new(["a", "b", "a"]).expect_err("twice");
        assert_eq!(twice.to_string(), "two worlds have the name \"a\"");
        let mut game = builder();
        let wrong = game.weights(vec![1]).expect_err("one weight");
        assert_eq!(wrong.to_string(), "1 weights for 2 worlds");
        let wrong = game.over("x", [1, 0, 1]).expect_err("three");
        let points = "node \"x\" has the points of 3 worlds, and there are 2";
        assert_eq!(wrong.to_string(), points);
        let wrong = game.min("r", [("x", Some(vec![2]))]).expect_err("no world");
        let world = "node \"r\" has the move to \"x\" in world 2, and there are 2";
        assert_eq!(wrong.to_string(), world);
        let mut game = builder();
        game.max("r", ["x", "y"]).expect("new");
        game.over("y", [0, 0]).expect("new");
        let wrong = game.over("y", [0, 0]).expect_err("twice");
        assert_eq!(wrong.to_string(), "node \"y\" is defined twice");
        let wrong = game.max("x", ["y"]).expect_err("two ways");
        assert_eq!(
            wrong.to_string(),
            "node \"y\" comes after two moves, one at \"r\" and one at \"x\": what both have seen differs, so these are two nodes"
        );
    }

    #[test]
    fn what_is_no_game_is_found_where_it_is_made() {
        let none: [&str; 0] = [];
        let mut game = HiddenTreeBuilder::new(none).expect("no names");
        game.over("r", []).expect("new");
        let no_world = "the game has no world, and needs at least one";
        assert_eq!(sentence(game), no_world);

        let over = |points: [u32; 2]| {
            let mut game = builder();
            game.over("r", points).expect("new");
            game
        };
        let mut game = over([0, 0]);
        game.most_points(0);
        let no_points = "the most points are 0, and must be at least 1";
        assert_eq!(sentence(game), no_points);
        let mut game = over([0, 3]);
        game.most_points(2);
        let many = "at r MAX has 3 points in world b, and the most are 2";
        assert_eq!(sentence(game), many);
        let mut game = over([0, 1]);
        game.weights(vec![u64::MAX, 1]).expect("two");
        let heavy = built(game).expect_err("too heavy");
        assert!(matches!(
            heavy,
            HiddenTreeError::Game(HiddenError::TooHeavy(_))
        ));
        let mut game = over([0, 1]);
        game.weights(vec![0, 0]).expect("two");
        assert_eq!(sentence(game), "every world weighs 0");

        let min = |x: Option<Vec<usize>>, y: Option<Vec<usize>>| {
            let mut game = builder();
            game.min("r", [("x", x), ("y", y)]).expect("new");
            game.over("x", [0, 1]).expect("new");
            game.over("y", [0, 1]).expect("new");
            game
        };
        let nowhere = "at r the move x is possible in no world";
        assert_eq!(sentence(min(Some(vec![]), None)), nowhere);
        let stuck = "at r MIN has no move in world b";
        assert_eq!(sentence(min(Some(vec![0]), Some(vec![0]))), stuck);
        built(min(Some(vec![1]), Some(vec![0]))).expect("a game");

        let mut game = builder();
        game.inner("r".into(), Turn::Max, [("x", Some(vec![0]))])
            .expect("new");
        game.over("x", [0, 1]).expect("new");
        assert_eq!(
            sentence(game),
            "at r the move x of MAX is impossible in world b: what she may do must not depend on what she does not see"
        );

        let mut game = builder();
        game.max("r", ["x"]).expect("new");
        let missing = "node \"r\" has the child \"x\", which is not defined";
        assert_eq!(sentence(game), missing);
        let mut game = builder();
        game.max("r", ["x"]).expect("new");
        game.max("x", ["r"]).expect("new");
        let cycle = "the nodes form a cycle: \"r\" -> \"x\" -> \"r\"";
        assert_eq!(sentence(game), cycle);
    }

    #[test]
    fn a_limit_ends_the_look() {
        let mut game = builder();
        game.over("r", [0, 1]).expect("new");
        let budget = Budget::unlimited().part(0, 0);
        let stopped = game.build("r", &budget).expect_err("no step");
        assert!(matches!(
            stopped,
            HiddenTreeError::Game(HiddenError::Stopped(_))
        ));
    }
}
