//! Bottom-up evaluation: the packets of every node, without pruning.
//!
//! Idea: a MAX node has the sum of its children's MAX-expressions, a MIN node that of their
//! MIN-expressions (Theorems 4.3 and 4.4). A child of the other player is converted. A child of the
//! same player is added unchanged, as if its moves were the parent's own. Each node is evaluated
//! once, however many parents it has.
//!
//! Cost: one expression for each node, and the conversions: products that can explode, within the
//! budget.
//!
//! This is the specification of the dominance algebra: [`procedure_f`](crate::procedure_f) is
//! tested against it.
//!
//! Source: Dasgupta, Chakrabarti, DeSarkar (1996), section 4.

use std::rc::Rc;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{Budget, Poset, Stop};

use crate::fold::Fold;
use crate::outcomes::{LeafOutcomes, OutcomeOf};
use crate::packets::{Algebra, Expression, Packet};
use crate::player::Player;

/// The expression of the root, for the player who moves there (MAX, if it is a leaf).
///
/// # Errors
/// When the budget ends it. [`root_packets`] returns partial results then.
pub fn bottom_up<D, G>(
    dag: &D,
    leaves: &G,
    budget: &Budget,
) -> Result<Expression<OutcomeOf<G, D::Node>>, Stop>
where
    D: AndOrDag,
    G: LeafOutcomes<D::Node>,
{
    let algebra = Algebra::new(leaves.order(), budget);
    let value = Fold::new().of(dag, &dag.root(), budget, |node, kind, below| {
        node_value(algebra, leaves, node, kind, below)
    })?;
    Ok((*value).clone())
}

/// The expression of a node from those of its children.
fn node_value<N, G: LeafOutcomes<N>>(
    algebra: Algebra<'_, G::Order>,
    leaves: &G,
    node: &N,
    kind: Kind,
    below: &[Rc<Expression<OutcomeOf<G, N>>>],
) -> Result<Expression<OutcomeOf<G, N>>, Stop> {
    let player = Player::of(kind);
    if kind == Kind::Leaf {
        return Ok(Expression::outcome(player, leaves.outcome(node)));
    }
    let mut sum = Expression::empty(player);
    for child in below {
        algebra.add(&mut sum, child)?;
    }
    Ok(sum)
}

/// A move at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMove<N, X> {
    /// The child it leads to.
    pub node: N,
    /// The packets of the player at the root through this move, if the budget allowed for them.
    /// They are minimal for the move; other moves may absorb them.
    pub packets: Option<Expression<X>>,
}

/// The packets of each move at the root.
///
/// If a limit fired, it is in `stop`, `packets` is `None`, and finished moves still have their
/// packets: the player at the root can guarantee each of these, though another move may offer
/// better ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootPackets<N, X> {
    /// The player at the root; MAX, if it is a leaf.
    pub player: Player,
    /// The moves in the order of the graph; empty if the root is a leaf. A repeated child appears
    /// each time.
    pub moves: Vec<RootMove<N, X>>,
    /// The packets of the root: those of all moves, without the inferior ones.
    pub packets: Option<Expression<X>>,
    /// Why it ended before everything was known, if it did.
    pub stop: Option<Stop>,
}

impl<N, X: Ord> RootPackets<N, X> {
    /// The indices of the moves that offer exactly this packet. More than one is a tie.
    pub fn moves_with(&self, packet: &Packet<X>) -> Vec<usize> {
        let offers = |r#move: &RootMove<N, X>| {
            let packets = r#move.packets.as_ref();
            packets.is_some_and(|packets| packets.contains(packet))
        };
        let moves = self.moves.iter().enumerate();
        moves
            .filter_map(|(place, r#move)| offers(r#move).then_some(place))
            .collect()
    }
}

/// The packets of each move at the root, and of the root, bottom-up.
pub fn root_packets<D, G>(
    dag: &D,
    leaves: &G,
    budget: &Budget,
) -> RootPackets<D::Node, OutcomeOf<G, D::Node>>
where
    D: AndOrDag,
    G: LeafOutcomes<D::Node>,
{
    let algebra = Algebra::new(leaves.order(), budget);
    root_packets_by(dag, budget, algebra, |node, kind, below| {
        node_value(algebra, leaves, node, kind, below)
    })
}

/// The root's packets, given how a node's expression is made from those of its children.
pub(crate) fn root_packets_by<D, P>(
    dag: &D,
    budget: &Budget,
    algebra: Algebra<'_, P>,
    mut value: impl FnMut(
        &D::Node,
        Kind,
        &[Rc<Expression<P::Elem>>],
    ) -> Result<Expression<P::Elem>, Stop>,
) -> RootPackets<D::Node, P::Elem>
where
    D: AndOrDag,
    P: Poset,
{
    let root = dag.root();
    let kind = dag.kind(&root);
    let player = Player::of(kind);
    let mut nodes = Vec::new();
    if kind != Kind::Leaf {
        dag.children(&root, &mut nodes);
    }
    let moves = nodes.into_iter().map(|node| RootMove {
        node,
        packets: None,
    });
    let mut known = RootPackets {
        player,
        moves: moves.collect(),
        packets: None,
        stop: None,
    };
    let mut fold = Fold::new();
    let mut all = || -> Result<Expression<P::Elem>, Stop> {
        if kind != Kind::Leaf {
            budget.visit()?;
        }
        let mut sum = Expression::empty(player);
        for place in 0..known.moves.len() {
            let node = known.moves[place].node.clone();
            let child = fold.of(dag, &node, budget, &mut value)?;
            let packets = Expression::clone(&child);
            let packets = algebra.for_player(player, packets)?;
            known.moves[place].packets = Some(packets.clone());
            algebra.add(&mut sum, &packets)?;
        }
        if kind == Kind::Leaf {
            let leaf = fold.of(dag, &root, budget, &mut value)?;
            return Ok(Expression::clone(&leaf));
        }
        Ok(sum)
    };
    match all() {
        Ok(sum) => known.packets = Some(sum),
        Err(stop) => known.stop = Some(stop),
    }
    known
}
