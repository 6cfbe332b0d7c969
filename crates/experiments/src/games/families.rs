//! Families of sets: how long bounds grow, what a limited depth loses, and whole values of racing
//! with many cards.

use meetjoin_catalogue::method::DEFAULT;
use meetjoin_dag::{AndOrDag, HiddenFamilies, NodeName, Problem, Stakes, Valuation};
use meetjoin_families::alpha_mu::to_depth;
use meetjoin_families::families::Memory;
use meetjoin_families::solve_families;
use meetjoin_games::racing::{PerfectInformation, RacingHands};
use meetjoin_games::{Racing, RandomDag, RandomParameters};
use meetjoin_lattice::{Antichain, Budget, Families, Lattice, Limits, Stop, Words, WorldSet};
use meetjoin_problems::games::racing::racing;
use meetjoin_problems::games::words::SetLattice;
use meetjoin_search::{
    Counts, DenseStores, Duo, Env, Exit, Observer, Stores, Tables, Window, alpha_beta_duo_as,
};
use meetjoin_solve::{Request, Value};

use crate::games::thresholds;
use crate::measuring::asking::{Failure, Lines, ask_all, mean_and_most};
use crate::measuring::measure::RunLimits;

/// Maximal sets of bounds that a search returned.
#[derive(Debug, Default)]
struct Lengths {
    lower: Length,
    upper: Length,
}

#[derive(Debug, Default)]
struct Length {
    returned: u64,
    sets: u64,
    longest: usize,
}

impl Length {
    fn add<B>(&mut self, bound: &Antichain<B>) {
        let sets = bound.maximal().len();
        self.returned += 1;
        self.sets += sets as u64;
        self.longest = self.longest.max(sets);
    }

    /// The mean and the maximum over several searches.
    fn show<'a>(all: impl Iterator<Item = &'a Self>) -> String {
        let sum = all.fold(Self::default(), |mut sum, one| {
            sum.returned += one.returned;
            sum.sets += one.sets;
            sum.longest = sum.longest.max(one.longest);
            sum
        });
        let mean = sum.sets as f64 / sum.returned.max(1) as f64;
        format!("{mean:.2}, {}", sum.longest)
    }
}

impl<N, B> Observer<N, Antichain<B>> for Lengths {
    fn exit(&mut self, _: &N, result: Exit<'_, Antichain<B>>) {
        if let Exit::Bounds(lower, upper) = result {
            self.lower.add(lower);
            self.upper.add(upper);
        }
    }
}

/// A search of the survey of lengths.
struct Measured {
    lengths: Lengths,
    steps: u64,
    ended: bool,
}

/// Alpha-beta duo without bounds from outside.
fn measured<D, B, V, S>(
    (dag, valuation): (&D, &V),
    stores: &S,
    narrow: bool,
    budget: &Budget,
) -> Result<Measured, Stop>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node>,
{
    let how = Duo {
        narrow,
        ..Duo::default()
    };
    let mut lengths = Lengths::default();
    let env = Env::new(budget).with_store(stores.store());
    let mut env = env.with_observer(&mut lengths);
    let window = Window::full(valuation.lattice());
    let outcome = alpha_beta_duo_as(dag, valuation, &window, how, &mut env);
    if outcome.stop == Some(Stop::Cancelled) {
        return Err(Stop::Cancelled);
    }
    Ok(Measured {
        lengths,
        steps: budget.steps_made(),
        ended: outcome.stop.is_none(),
    })
}

/// The games whose bounds are measured.
#[derive(Clone, Copy)]
enum Game {
    /// Racing with this number of cards, h = 7, g = 5.
    Racing(u8),
    /// Random graphs with many sets in their values, with this number of variables.
    Graph(u32),
}

/// Visits and probes of one search.
const LOOKS: u64 = 300_000;
/// Its steps in lattice operations.
const STEPS: u64 = 1 << 27;

/// How long bounds grow, as they come and no longer than the window shows: two lines for each game.
pub(crate) fn lengths(games: u64, limits: &RunLimits) -> Result<Lines, Failure> {
    let kinds = [
        (Game::Racing(17), "racing, d = 17"),
        (Game::Racing(18), "racing, d = 18"),
        (Game::Racing(20), "racing, d = 20"),
        (Game::Graph(12), "graphs, v = 12"),
    ];
    let mut lines = Vec::new();
    for (game, name) in kinds {
        for (narrow, bounds) in [(false, "as they come"), (true, "windowed")] {
            let first = [name.to_owned(), bounds.to_owned()];
            let cells = line_of_lengths(game, narrow, games, limits)?;
            lines.push(first.into_iter().chain(cells).collect());
        }
    }
    Ok(lines)
}

/// A random graph with values in families of sets.
fn in_families(parameters: RandomParameters) -> Result<Problem<Families<Words<1>>>, String> {
    let dag = RandomDag::new(parameters).map_err(sentence)?;
    let families = Families::<Words<1>>::of_worlds(dag.variables()).map_err(sentence)?;
    let (graph, values) = dag.into_parts(|worlds: &mut dyn Iterator<Item = usize>| {
        // The generator draws no other worlds.
        let set = families.base().set(worlds);
        families.principal(set.unwrap_or_else(|| families.base().bottom()))
    });
    let numbers = graph.nodes().map(|node| i64::from(u32::from(node)));
    let names = numbers.map(NodeName::Int).collect();
    Problem::new(graph, names, families, values).map_err(sentence)
}

fn line_of_lengths(
    game: Game,
    narrow: bool,
    games: u64,
    limits: &RunLimits,
) -> Result<Vec<String>, Failure> {
    let each = Limits {
        visits: Some(LOOKS),
        steps: Some(STEPS),
        ..Limits::default()
    };
    let (searches, _) = ask_all(games, (each, limits), |seed, budget| match game {
        Game::Racing(deck) => {
            let game = Racing::random(deck, 5, 7, seed).map_err(sentence)?;
            let hands = RacingHands::new(&game);
            let stakes = Stakes::all(&hands);
            let values = HiddenFamilies::<_, Words<16>>::new(&hands, &stakes).map_err(sentence)?;
            Ok(measured((&game, &values), &Tables, narrow, budget))
        }
        Game::Graph(variables) => {
            let parameters = thresholds::graph_parameters(variables, seed)?;
            let problem = in_families(parameters)?;
            let nodes = problem.graph().node_count();
            let stores = DenseStores { nodes };
            Ok(measured((&problem, &problem), &stores, narrow, budget))
        }
    })?;
    let ended = searches.iter().filter(|search| search.ended).count();
    Ok(vec![
        searches.len().to_string(),
        (searches.len() - ended).to_string(),
        Length::show(searches.iter().map(|search| &search.lengths.lower)),
        Length::show(searches.iter().map(|search| &search.lengths.upper)),
        mean_and_most(searches.iter().map(|search| search.steps)),
    ])
}

/// The kind of deals whose value has several maximal sets, among [`thresholds::DEALS`].
const SEVERAL_SETS: u32 = 4;

/// The cost and the loss of an upper bound to a limited depth, on deals whose value has several
/// maximal sets: a line for each depth.
pub(crate) fn depths(deals: u64, limits: &RunLimits) -> Result<Lines, Failure> {
    let lines = (0..=14).step_by(2).map(|depth| {
        let first = ["d = 17, h = 7, g = 4".to_owned(), depth.to_string()];
        let cells = line_of_depth(depth, deals.min(thresholds::GAMES), limits)?;
        Ok(first.into_iter().chain(cells).collect())
    });
    lines.collect()
}

fn line_of_depth(depth: u32, deals: u64, limits: &RunLimits) -> Result<Vec<String>, Failure> {
    let each = Limits {
        visits: Some(5_000_000),
        ..Limits::default()
    };
    let (found, stopped) = ask_all(deals, (each, limits), |seed, budget| {
        let game = thresholds::racing(SEVERAL_SETS, seed)?;
        let hands = RacingHands::new(&game);
        let stakes = Stakes::all(&hands);
        let values = HiddenFamilies::<_, Words<16>>::new(&hands, &stakes).map_err(sentence)?;
        let free = Budget::unlimited();
        let mut memory = Memory::new(&Tables);
        let duo = Duo::default();
        let value = solve_families(&game, &values, &mut memory, &Tables, duo, &free, &mut ());
        let value = value.exact().ok_or("no limit, and no value")?.clone();
        let mut counts = Counts::default();
        let known = PerfectInformation::new(values.as_sets());
        let most = to_depth(&game, &values, depth, known, &Tables, budget, &mut counts);
        if let Some(stop) = most.outcome.stop {
            return Ok(Err(stop));
        }
        let bound = most.outcome.value.upper();
        let largest = |family: &Antichain<Words<16>>| {
            let sizes = family.maximal().iter().map(WorldSet::count);
            sizes.max().unwrap_or(0) as f64
        };
        Ok(Ok((
            *bound == value,
            largest(bound) / largest(&value),
            counts.visits,
            counts.probes,
        )))
    })?;
    let excess = found.iter().map(|deal| deal.1).sum::<f64>() / found.len().max(1) as f64;
    Ok(vec![
        found.len().to_string(),
        stopped.to_string(),
        found.iter().filter(|deal| deal.0).count().to_string(),
        format!("{excess:.3}"),
        mean_and_most(found.iter().map(|deal| deal.2)),
        mean_and_most(found.iter().map(|deal| deal.3)),
    ])
}

/// Whole values of racing with more cards than in the paper: a line for each deck.
pub(crate) fn many_cards(deals: u64, limits: &RunLimits) -> Result<Lines, Failure> {
    (22..=26)
        .map(|deck| line_of_deck(deck, deals, limits))
        .collect()
}

/// The result of the default for a deal: for both bounds, the number of maximal sets, and of hands
/// in all of them together.
struct Found {
    worlds: usize,
    lower: (usize, usize),
    upper: (usize, usize),
    ended: bool,
}

/// How many sets a value has, and how many hands are in them together.
fn size(value: &Value) -> (usize, usize) {
    let Value::Sets { sets, .. } = value else {
        return (0, 0);
    };
    let mut hands: Vec<usize> = sets.iter().flatten().copied().collect();
    hands.sort_unstable();
    hands.dedup();
    (sets.len(), hands.len())
}

fn line_of_deck(deck: u8, deals: u64, limits: &RunLimits) -> Result<Vec<String>, Failure> {
    let each = Limits {
        visits: Some(20_000),
        steps: Some(STEPS),
        ..Limits::default()
    };
    let (found, _) = ask_all(deals, (each, limits), |seed, budget| {
        let game = Racing::random(deck, 5, 7, seed).map_err(sentence)?;
        let worlds = game.worlds().len();
        let answer = racing(game, SetLattice::Families).solve(Request::new(DEFAULT, budget));
        let root = answer.map_err(sentence)?.root;
        let found = Found {
            worlds,
            lower: size(root.value.lower()),
            upper: size(root.value.upper()),
            ended: root.stop.is_none(),
        };
        Ok(match budget.fired() {
            Some(Stop::Cancelled) => Err(Stop::Cancelled),
            _ => Ok(found),
        })
    })?;
    let (ended, open): (Vec<&Found>, Vec<&Found>) = found.iter().partition(|deal| deal.ended);
    let most = ended.iter().map(|deal| deal.upper.0).max();
    let share = |deal: &&&Found| deal.lower.1 as f64 / deal.upper.1.max(1) as f64;
    let least = open.iter().map(|deal| share(&deal)).reduce(f64::min);
    let longest = open.iter().map(|deal| deal.lower.0.max(deal.upper.0)).max();
    let dash = || "–".to_owned();
    Ok(vec![
        deck.to_string(),
        found.first().map_or(0, |deal| deal.worlds).to_string(),
        ended.len().to_string(),
        open.len().to_string(),
        most.map_or_else(dash, |most| most.to_string()),
        longest.map_or_else(dash, |longest| longest.to_string()),
        least.map_or_else(dash, |least| format!("{least:.3}")),
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
    fn windowed_bounds_are_shorter() {
        let sets = |narrow| {
            let cells = line_of_lengths(Game::Racing(20), narrow, 1, &RunLimits::ample());
            let cells = cells.expect("nothing is cancelled");
            let longest = cells[3].rsplit(' ').next().map(str::parse::<u32>);
            longest.expect("a number").expect("a number")
        };
        assert!(sets(false) > 10 * sets(true));
    }

    #[test]
    fn deep_enough_is_the_value() {
        let cells = line_of_depth(14, 1, &RunLimits::ample()).expect("nothing is cancelled");
        assert_eq!(cells[..4], ["1", "0", "1", "1.000"]);
    }

    #[test]
    fn a_deck_of_22_cards_is_within_reach() {
        let cells = line_of_deck(22, 1, &RunLimits::ample()).expect("nothing is cancelled");
        assert_eq!(cells, ["22", "3003", "1", "0", "1", "–", "–"]);
    }
}
