//! Positions whose value is known without search.
//!
//! Problem: a game cut at a horizon is evaluated there even if it is clear who wins.
//!
//! Idea: positions whose value the game knows are leaves with that value ([`Settled`]). So they are
//! never evaluated, and a search that ends at such positions only is exact.
//!
//! Needs: bounds that are true of every position ([`BoardGame`] is its own heuristic).

use std::fmt;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_games::StaticEvaluation;
use meetjoin_lattice::{Budget, Chain, Interval};

use crate::games::on_boards::board::BoardGame;

/// The value of a position if the game is over or its bounds meet, and otherwise its bounds.
#[inline]
pub(crate) fn known<G: BoardGame>(
    game: G,
    position: &G::Node,
    budget: &Budget,
) -> Interval<G::Number> {
    if game.kind(position) == Kind::Leaf {
        return Interval::Exact(game.leaf(position));
    }
    let (mut heuristic, chain) = (game, game.lattice());
    match heuristic.bounds(chain, position, budget) {
        Ok(Some(bounds)) => bounds,
        _ => Interval::new(*chain.lo(), *chain.hi()),
    }
}

/// The intersection of two true intervals.
pub(crate) fn within<E: Copy + Ord>(one: &Interval<E>, other: &Interval<E>) -> Interval<E> {
    let lower = *one.lower().max(other.lower());
    Interval::new(lower, *one.upper().min(other.upper()))
}

/// The legal move with the best known value: the first, if several are equally good.
pub(crate) fn best_known<G: BoardGame>(
    game: G,
    position: &G::Node,
    budget: &Budget,
) -> Option<(u32, G::Node)> {
    let max_moves = game.to_move(position) == Kind::Or;
    let moves = game.moves(position).into_iter();
    let judged = moves.map(|(number, next)| (known(game, &next, budget), (number, next)));
    let best = judged.reduce(|best, one| {
        let (old, new) = (&best.0, &one.0);
        let is_better = if max_moves {
            (new.lower(), new.upper()) > (old.lower(), old.upper())
        } else {
            (new.upper(), new.lower()) < (old.upper(), old.lower())
        };
        if is_better { one } else { best }
    });
    best.map(|(_, found)| found)
}

/// A game in which positions with known values are leaves. See the [module page](self).
pub(crate) struct Settled<'b, G> {
    game: G,
    budget: &'b Budget,
}

impl<'b, G: BoardGame> Settled<'b, G> {
    /// With its values spread so that evaluations fit between them.
    pub(crate) fn judged(game: G, budget: &'b Budget) -> Self {
        let game = game.judged();
        Self { game, budget }
    }
}

impl<G: BoardGame> AndOrDag for Settled<'_, G> {
    type Node = G::Node;

    fn root(&self) -> G::Node {
        self.game.root()
    }

    #[inline]
    fn kind(&self, position: &G::Node) -> Kind {
        match known(self.game, position, self.budget) {
            Interval::Exact(_) => Kind::Leaf,
            Interval::Between { .. } => self.game.kind(position),
        }
    }

    fn children(&self, position: &G::Node, out: &mut Vec<G::Node>) {
        self.game.children(position, out);
    }

    fn name(&self, position: &G::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.game.name(position, out)
    }

    fn move_name(&self, from: &G::Node, to: &G::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.game.move_name(from, to, out)
    }
}

impl<G: BoardGame> Valuation<G::Node> for Settled<'_, G> {
    type Lattice = Chain<G::Number>;

    fn lattice(&self) -> &Chain<G::Number> {
        self.game.lattice()
    }

    #[inline]
    fn leaf(&self, position: &G::Node) -> G::Number {
        // Both ends are the value.
        *known(self.game, position, self.budget).lower()
    }
}

impl<G: BoardGame> StaticEvaluation<G::Node> for Settled<'_, G> {
    #[inline]
    fn evaluate(&self, position: &G::Node) -> G::Number {
        self.game.evaluate(position)
    }
}
