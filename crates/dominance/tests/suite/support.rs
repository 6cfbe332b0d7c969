//! What the tests of this crate share: trees of vectors, and the algebra without limits.

use std::sync::Arc;

use meetjoin_dag::{Graph, Kind, NodeId, Rows};
use meetjoin_dominance::{
    Algebra, Dominance, Event, Expression, Packet, Player, VectorGame, bottom_up,
    procedure_f_deep_lattice_only, procedure_f_shallow,
};
use meetjoin_lattice::{
    Antichain, Budget, Extended, FreeLattice, Lattice, Packets as FreePackets, Poset, Stop,
};

pub type Vector = Arc<[i64]>;
pub type Expr = Expression<Vector>;

/// A tree in a line: [`max`] and [`min`] over [`x`].
#[derive(Clone, Debug)]
pub enum Tree<E> {
    Leaf(E),
    And(Vec<Tree<E>>),
    Or(Vec<Tree<E>>),
}

/// A tree of vectors.
pub type Vectors = Tree<Vec<i64>>;

pub fn x(values: &[i64]) -> Vectors {
    Tree::Leaf(values.to_vec())
}

pub fn max(children: impl IntoIterator<Item = Vectors>) -> Vectors {
    Tree::Or(children.into_iter().collect())
}

pub fn min(children: impl IntoIterator<Item = Vectors>) -> Vectors {
    Tree::And(children.into_iter().collect())
}

/// The game of a tree, numbered in preorder: the root is node 0.
pub fn game(tree: &Vectors) -> VectorGame {
    let mut kinds: Vec<(&Vectors, Vec<u32>)> = Vec::new();
    let mut stack = vec![(tree, None)];
    while let Some((tree, parent)) = stack.pop() {
        let number = kinds.len() as u32;
        kinds.push((tree, Vec::new()));
        if let Some(parent) = parent {
            let siblings: &mut (_, Vec<u32>) = &mut kinds[parent as usize];
            siblings.1.push(number);
        }
        if let Tree::And(children) | Tree::Or(children) = tree {
            stack.extend(children.iter().rev().map(|child| (child, Some(number))));
        }
    }
    let mut rows = Rows::new();
    let mut vectors = Vec::new();
    for (tree, children) in kinds {
        let children = children.into_iter().map(Into::into);
        match tree {
            Tree::Leaf(vector) => {
                vectors.push(vector.clone());
                rows.leaf()
            }
            Tree::And(_) => rows.and(children),
            Tree::Or(_) => rows.or(children),
        }
        .expect("small trees fit");
    }
    let graph = rows.finish(0.into()).expect("a tree");
    VectorGame::new(graph, vectors).expect("vectors of one length")
}

pub const ORDER: Dominance = Dominance;

/// Whether `b` equals or dominates `a`.
pub fn leq(a: &Vector, b: &Vector) -> bool {
    ORDER.below(a, b, &free()).expect("no limit")
}

pub fn free() -> Budget {
    Budget::unlimited()
}

/// A vector.
pub fn v(values: &[i64]) -> Vector {
    values.into()
}

pub fn packet(player: Player, outcomes: &[&[i64]]) -> Packet<Vector> {
    let budget = free();
    let outcomes = outcomes.iter().map(|values| v(values));
    Algebra::new(&ORDER, &budget)
        .packet(player, outcomes)
        .expect("no limit")
}

pub fn expression(player: Player, packets: &[&[&[i64]]]) -> Expr {
    let budget = free();
    let packets = packets.iter().map(|outcomes| packet(player, outcomes));
    Algebra::new(&ORDER, &budget)
        .absorb(player, packets)
        .expect("no limit")
}

/// Packets as plain lists, as the files of known answers have them.
pub fn lists<'a>(packets: impl IntoIterator<Item = &'a Packet<Vector>>) -> Vec<Vec<Vec<i64>>> {
    let packets = packets.into_iter();
    packets
        .map(|p| p.outcomes().iter().map(|x| x.to_vec()).collect())
        .collect()
}

pub fn for_max(expression: Expr) -> Expr {
    let budget = free();
    Algebra::new(&ORDER, &budget)
        .for_player(Player::Max, expression)
        .expect("no limit")
}

pub fn convert(expression: &Expr) -> Expr {
    let budget = free();
    Algebra::new(&ORDER, &budget)
        .convert(expression)
        .expect("no limit")
}

pub fn normal_form(expression: &Expr) -> Vec<Packet<Vector>> {
    let budget = free();
    Algebra::new(&ORDER, &budget)
        .normal_form(expression)
        .expect("no limit")
}

/// The root's expression, bottom-up.
pub fn solve(game: &VectorGame) -> Expr {
    bottom_up(game, game, &free()).expect("no limit")
}

/// What a search returns, and how many leaves it evaluated.
pub fn shallow(game: &VectorGame) -> (Expr, usize) {
    let mut leaves = 0;
    let mut count = |event: &Event<'_, _, _>| {
        leaves += usize::from(matches!(event, Event::Leaf { .. }));
    };
    let searched = procedure_f_shallow(game, game, &free(), &mut count);
    assert_eq!(searched.stop, None);
    (searched.packets, leaves)
}

/// The same with deep pruning.
pub fn deep(game: &VectorGame) -> (Expr, usize) {
    let mut leaves = 0;
    let mut count = |event: &Event<'_, _, _>| {
        leaves += usize::from(matches!(event, Event::Leaf { .. }));
    };
    let found = procedure_f_deep_lattice_only(game, game, &free(), &mut count);
    assert_eq!(found.found_perhaps_inexact().stop, None);
    (found.found_perhaps_inexact().packets.clone(), leaves)
}

type FreeElem = Antichain<Antichain<Box<[Extended]>>>;

/// A MAX-expression in the free lattice of the lattice crate.
pub fn element(lattice: &FreeLattice, packets: &[Packet<Vector>]) -> FreeElem {
    let budget = free();
    let packets = packets.iter().map(|packet| {
        let outcomes = packet.outcomes().iter().map(|x| numbers(x));
        lattice.packet(outcomes, &budget).expect("no limit")
    });
    let packets: Vec<<FreePackets<meetjoin_lattice::Vectors> as Poset>::Elem> = packets.collect();
    lattice.generated_by(packets, &budget).expect("no limit")
}

pub fn numbers(vector: &[i64]) -> Box<[Extended]> {
    vector.iter().copied().map(Extended::Finite).collect()
}

/// A small generator, so that each test draws many trees from seeds (`SplitMix64`, Steele, Lea,
/// Flood 2014).
pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 11) % n
    }

    pub fn vector(&mut self, criteria: usize, most: u64) -> Vec<i64> {
        let number = |_| i64::try_from(self.below(most + 1)).expect("small");
        (0..criteria).map(number).collect()
    }

    /// A tree of at most this depth; alternating, or with labels at random.
    pub fn tree(&mut self, criteria: usize, depth: u32, alternating: bool) -> Vectors {
        let or = self.below(2) == 0;
        self.subtree(criteria, depth, or, alternating)
    }

    fn subtree(&mut self, criteria: usize, depth: u32, or: bool, alternating: bool) -> Vectors {
        if depth == 0 || self.below(5) == 0 {
            return Tree::Leaf(self.vector(criteria, 3));
        }
        let children: Vec<Vectors> = (0..=self.below(3))
            .map(|_| {
                let next = if alternating { !or } else { self.below(2) == 0 };
                self.subtree(criteria, depth - 1, next, alternating)
            })
            .collect();
        if or { max(children) } else { min(children) }
    }

    /// Packets of a player, not absorbed.
    pub fn packets(&mut self, player: Player, criteria: usize) -> Vec<Packet<Vector>> {
        let count = 1 + self.below(6);
        let budget = free();
        let algebra = Algebra::new(&ORDER, &budget);
        let packets = (0..count).map(|_| {
            let outcomes = 1 + self.below(3);
            let outcomes: Vec<Vector> = (0..outcomes)
                .map(|_| self.vector(criteria, 3).into())
                .collect();
            algebra.packet(player, outcomes).expect("no limit")
        });
        packets.collect()
    }

    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let place = self.below(last as u64 + 1) as usize;
            things.swap(last, place);
        }
    }
}

/// A tree with children in another order at every node.
pub fn shuffled(tree: &Vectors, draw: &mut Draw) -> Vectors {
    let mut again = |children: &[Vectors]| {
        let mut children: Vec<Vectors> = children.iter().map(|c| shuffled(c, draw)).collect();
        draw.shuffle(&mut children);
        children
    };
    match tree {
        Tree::And(children) => min(again(children)),
        Tree::Or(children) => max(again(children)),
        Tree::Leaf(x) => Tree::Leaf(x.clone()),
    }
}

pub fn unwrap_stop<T>(result: Result<T, Stop>) -> T {
    result.expect("no limit")
}

/// The value of a tree in a lattice, given those of its leaves by ordinal. The definition: no
/// search of the library takes part.
pub fn value_in<L: Lattice>(lattice: &L, tree: &Graph, leaves: &[L::Elem]) -> L::Elem {
    fn below<L: Lattice>(l: &L, tree: &Graph, leaves: &[L::Elem], node: NodeId) -> L::Elem {
        let row = tree.row(node);
        let children = row.iter();
        let children = children.map(|&child| below(l, tree, leaves, child));
        match tree.kind(node) {
            Kind::Leaf => leaves[tree.leaf_ordinal(node).expect("a leaf")].clone(),
            Kind::And => children.fold(l.top(), |mut all, value| {
                l.meet_assign(&mut all, &value, &free()).expect("no limit");
                all
            }),
            Kind::Or => children.fold(l.bottom(), |mut all, value| {
                l.join_assign(&mut all, &value, &free()).expect("no limit");
                all
            }),
        }
    }
    below(lattice, tree, leaves, tree.root())
}

/// A file of known answers: beside the project where that is present, else the copy in the
/// repository.
pub fn cases(file: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let paths = [
        format!("{root}/../shared/cases/{file}"),
        format!("{root}/cases/{file}"),
    ];
    let mut texts = paths.iter().flat_map(std::fs::read_to_string);
    texts
        .next()
        .expect("the repository keeps a copy of the known answers")
}
