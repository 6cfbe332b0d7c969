//! How well a first move is chosen in a game with hidden cards: by perfect information with
//! averaging, and by alpha-mu to a few tricks.
//!
//! Every first move of MAX has a worth: the greatest average of points that one strategy is sure of
//! after it, exactly. A chooser takes a move with the greatest estimate. Ties count with equal
//! weight, so that the order of moves does not matter.

use fixedbitset::FixedBitSet;
use meetjoin_dag::{HiddenFamilies, HiddenGame, Stakes};
use meetjoin_families::first_moves::Chosen;
use meetjoin_games::tricks::Tricks;
use meetjoin_lattice::{Budget, Stop};
use meetjoin_problems::first_cards;

/// The worth of a first move, and its estimates, in points times the weight of a world.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) worth: u64,
    /// By perfect information, and by alpha-mu to each depth.
    pub(crate) estimates: Vec<u64>,
}

/// A game judged.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// The weight of all worlds.
    pub(crate) total: u64,
    pub(crate) moves: Vec<Move>,
}

impl Judged {
    /// The worth of the best move, in points.
    pub(crate) fn value(&self) -> f64 {
        let best = self.moves.iter().map(|each| each.worth).max();
        self.points(best.unwrap_or(0))
    }

    /// Whether it matters which move is chosen.
    pub(crate) fn matters(&self) -> bool {
        self.moves
            .iter()
            .any(|each| each.worth != self.moves[0].worth)
    }

    /// Over the moves that a chooser may take: the share that is worse than the best, and the
    /// average loss in points.
    pub(crate) fn chosen_by(&self, chooser: usize) -> (f64, f64) {
        let moves = self.moves.iter();
        let moves = moves.map(|each| (each.worth, each.estimates[chooser]));
        let Chosen { worse, lost } = Chosen::among(moves);
        (worse, lost / self.total as f64)
    }

    fn points(&self, weight: u64) -> f64 {
        weight as f64 / self.total as f64
    }
}

/// Judges the first moves of a game in which MAX begins. `depths` are those of alpha-mu, in moves.
///
/// # Errors
/// When the budget ends it.
pub(crate) fn judge(game: &Tricks, depths: &[u32], budget: &Budget) -> Result<Judged, Stop> {
    let stakes = Stakes::all(game);
    let fits = "a bit set holds any number of stakes";
    let values = HiddenFamilies::<_, FixedBitSet>::new(game, &stakes).expect(fits);
    let weights = stakes
        .weights(game)
        .expect("the games of surveys are small");
    let found = first_cards(&values, &weights, depths, budget)?;
    let moves = found.into_iter().map(|each| Move {
        worth: each.worth,
        estimates: std::iter::once(each.seen).chain(each.ahead).collect(),
    });
    Ok(Judged {
        total: (0..game.worlds()).map(|world| game.weight(world)).sum(),
        moves: moves.collect(),
    })
}
