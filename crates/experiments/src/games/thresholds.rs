//! Families of sets by thresholds: the games, and how often the first threshold decides.

use meetjoin_dag::{HiddenFamilies, Stakes};
use meetjoin_families::families_by_thresholds;
use meetjoin_games::racing::RacingHands;
use meetjoin_games::{Racing, RandomParameters};
use meetjoin_lattice::{Limits, Stop, Words};
use meetjoin_search::Tables;

use crate::measuring::asking::{Failure, Lines, ask_all, mean_and_most};
use crate::measuring::instance::{self, Instance, SetLattice};
use crate::measuring::measure::RunLimits;

/// The seeds of the first ten random graphs (labels at random, d = 15, b = 4) whose value has more
/// than one set, by the number of variables. For most graphs it has only the set of all variables,
/// or only the empty one, and says little about families.
const SEEDS: [(u32, [u64; 10]); 3] = [
    (12, [5, 14, 53, 64, 90, 94, 96, 97, 100, 105]),
    (16, [5, 9, 11, 14, 15, 16, 17, 19, 24, 26]),
    (20, [5, 9, 11, 14, 15, 16, 17, 19, 20, 24]),
];

/// The seeds of the first nine deals (d = 17, h = 7, g = 4) whose value has more than one maximal
/// set. For most deals it has one.
const SEVERAL: [u64; 9] = [78, 81, 82, 89, 102, 111, 133, 158, 162];

/// How many games there are for each number of variables, and of deals with several maximal sets.
pub(crate) const GAMES: u64 = 10;

/// The item of a list for a seed, which begin with 1.
fn nth<T: Copy>(list: &[T], seed: u64) -> Result<T, String> {
    let place = usize::try_from(seed).unwrap_or(0).checked_sub(1);
    let item = place.and_then(|place| list.get(place));
    item.copied()
        .ok_or_else(|| format!("there are {GAMES} games, and no game {seed}"))
}

/// A random graph with labels at random and a value of many sets; at most [`GAMES`] seeds make one
/// each.
pub(crate) fn graph(variables: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    instance::random(graph_parameters(variables, seed)?, SetLattice::Families)
}

/// The parameters of that graph.
pub(crate) fn graph_parameters(variables: u32, seed: u64) -> Result<RandomParameters, String> {
    let row = SEEDS.iter().find(|(known, _)| *known == variables);
    let (_, seeds) = row.ok_or_else(|| format!("no graphs are chosen for v = {variables}"))?;
    let seed = nth(seeds, seed)?;
    Ok(RandomParameters {
        depth: 15,
        branching: 4,
        variables,
        alternating: false,
        seed,
    })
}

/// The kinds of [`deal`]: goals with a deck of 20 cards, and deals whose value has several maximal
/// sets. In the first of those, strategies tell apart cards between which MAX has none.
pub(crate) const DEALS: [&str; 4] = ["g = 2", "g = 3", "g = 5", "several sets"];

/// The cards of MAX in each deal.
const HAND: u8 = 7;

/// A deal of one of the [`DEALS`] as a game to be measured; kind 1 is the first.
pub(crate) fn deal(kind: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    Ok(instance::deal(racing(kind, seed)?, SetLattice::Families))
}

/// A deal of one of the [`DEALS`].
pub(crate) fn racing(kind: u32, seed: u64) -> Result<Racing, String> {
    let game = match kind {
        1 => Racing::random(20, 2, HAND, seed),
        2 => Racing::random(20, 3, HAND, seed),
        3 => Racing::random(20, 5, HAND, seed),
        4 if seed == 1 => Racing::new(17, 4, &[1, 2, 5, 8, 13, 14, 16], 12),
        4 => Racing::random(17, 4, HAND, nth(&SEVERAL, seed.saturating_sub(1))?),
        _ => return Err(format!("there is no kind {kind}")),
    };
    game.map_err(sentence)
}

/// The decks and goals of [`first_decides`].
const LINES: [(u8, u8); 8] = [
    (17, 4),
    (17, 5),
    (18, 3),
    (18, 4),
    (18, 5),
    (20, 2),
    (20, 3),
    (20, 5),
];

/// Visits for one deal: enough for the first threshold, mostly.
const VISITS: u64 = 3_000_000;

/// How often the first threshold decides a deal: a line for each deck and goal.
pub(crate) fn first_decides(deals: u64, limits: &RunLimits) -> Result<Lines, Failure> {
    let lines = LINES.into_iter();
    lines.map(|rules| line(rules, deals, limits)).collect()
}

fn line((deck, goal): (u8, u8), deals: u64, limits: &RunLimits) -> Result<Vec<String>, Failure> {
    let each = Limits {
        visits: Some(VISITS),
        ..Limits::default()
    };
    let (solved, stopped) = ask_all(deals, (each, limits), |seed, budget| {
        let game = Racing::random(deck, goal, HAND, seed).map_err(sentence)?;
        let hands = RacingHands::new(&game);
        let stakes = Stakes::all(&hands);
        let valuation = HiddenFamilies::<_, Words<16>>::new(&hands, &stakes).map_err(sentence)?;
        let solved = families_by_thresholds(&game, &valuation, &Tables, 512, budget, &mut ());
        // A second search has answered the first threshold, whatever came later.
        Ok(match solved.outcome.stop {
            Some(stop) if solved.passes < 2 || stop == Stop::Cancelled => Err(stop),
            _ => Ok(solved),
        })
    })?;
    let ended = solved.iter().filter(|solved| solved.outcome.stop.is_none());
    let (first, more): (Vec<_>, Vec<_>) = ended.partition(|solved| solved.first_decided);
    let values = solved.iter().filter_map(|solved| solved.outcome.exact());
    let sets = values.map(|value| value.maximal().len());
    Ok(vec![
        deck.to_string(),
        goal.to_string(),
        solved.len().to_string(),
        stopped.to_string(),
        first.len().to_string(),
        more.len().to_string(),
        sets.max().unwrap_or(0).to_string(),
        mean_and_most(solved.iter().map(|solved| solved.questions)),
        mean_and_most(solved.iter().map(|solved| solved.passes)),
    ])
}

#[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
fn sentence(error: impl ToString) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_cell_for_each_column() {
        let limits = RunLimits::ample();
        // MIN can hold one hand only, so a value has one set.
        let cells = line((14, 2), 3, &limits).expect("nothing is cancelled");
        assert_eq!(
            cells,
            ["14", "2", "3", "0", "3", "0", "1", "1.0, 1", "2.0, 2"]
        );
    }

    #[test]
    fn there_are_as_many_games_as_there_should_be() {
        for (variables, seeds) in SEEDS {
            assert_eq!(seeds.len() as u64, GAMES, "v = {variables}");
        }
        assert_eq!(SEVERAL.len() as u64 + 1, GAMES);
        for seed in 1..=GAMES {
            assert!(deal(4, seed).is_ok(), "deal {seed}");
        }
        assert!(deal(4, 0).is_err() && deal(4, GAMES + 1).is_err() && deal(5, 1).is_err());
        assert!(graph(12, GAMES + 1).is_err() && graph(13, 1).is_err());
    }
}
