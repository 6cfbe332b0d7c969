//! Racing by its rules alone, as any game with hidden cards: the values, heaviest sets and bounds
//! of racing's own code, which shares no line of them.
//!
//! What racing's own costs less: `cargo test --release -p meetjoin --test suite -- --ignored
//! --nocapture by_rules` shows it.

use std::time::Instant;

use meetjoin::dag::{
    AndOrDag, Heuristic, HiddenFamilies, HiddenGame, Kind, PerfectInformation as Bounds, SeesAll,
    Stakes, Turn, Valuation, check_hidden,
};
use meetjoin::games::racing::{PerfectInformation, RacingPosition};
use meetjoin::games::{Racing, RacingFamilies};
use meetjoin::lattice::{Antichain, Budget, Families, Weights, Words};
use meetjoin::search::perfect_information::HiddenBounds;
use meetjoin::search::{
    Counts, Env, Table, Tables, Window, alpha_beta_duo, heaviest, minimax_cached,
};

/// A deal with its worlds: the rules, and nothing that is known of them.
struct ByRules<'a> {
    deal: &'a Racing,
    /// For each card a row of bits: the worlds that hold it.
    holding: Vec<Vec<u64>>,
    worlds: Vec<u64>,
}

impl<'a> ByRules<'a> {
    fn new(deal: &'a Racing) -> Self {
        let worlds = deal.worlds();
        let mut holding = vec![vec![0; worlds.len().div_ceil(64)]; 64];
        for (world, hand) in worlds.iter().enumerate() {
            let held = (0..64).filter(|card| hand >> card & 1 == 1);
            held.for_each(|card: usize| holding[card][world / 64] |= 1 << (world % 64));
        }
        Self {
            deal,
            holding,
            worlds,
        }
    }
}

impl HiddenGame for ByRules<'_> {
    type Position = RacingPosition;

    fn worlds(&self) -> usize {
        self.worlds.len()
    }

    fn start(&self) -> RacingPosition {
        self.deal.root()
    }

    fn turn(&self, position: &RacingPosition) -> Turn {
        match self.deal.kind(position) {
            Kind::Or => Turn::Max,
            Kind::And => Turn::Min,
            Kind::Leaf => Turn::Over,
        }
    }

    fn moves(&self, position: &RacingPosition, out: &mut Vec<RacingPosition>) {
        self.deal.children(position, out);
    }

    fn is_possible(&self, position: &RacingPosition, world: usize) -> bool {
        position.min_played() & !self.worlds[world] == 0
    }

    fn points(&self, position: &RacingPosition, _: usize) -> u32 {
        self.deal.max_has_won(position).into()
    }

    fn points_in_all(&self, position: &RacingPosition) -> Option<u32> {
        Some(self.deal.max_has_won(position).into())
    }

    fn possible(&self, position: &RacingPosition, words: &mut [u64]) {
        let mut played = position.min_played();
        let first = played.trailing_zeros() as usize;
        words.copy_from_slice(&self.holding[first]);
        while played & (played - 1) != 0 {
            played &= played - 1;
            let row = &self.holding[played.trailing_zeros() as usize];
            words
                .iter_mut()
                .zip(row)
                .for_each(|(word, row)| *word &= row);
        }
    }
}

#[test]
fn racing_by_its_rules_alone_has_racings_values() {
    let free = Budget::unlimited();
    let mut compared = 0;
    for (deck, goal, held) in [(8, 2, 4), (9, 3, 4), (10, 2, 4), (7, 2, 3), (8, 1, 3)] {
        for seed in 0..6 {
            let deal = Racing::random(deck, goal, held, seed).expect("a deal");
            let rules = ByRules::new(&deal);
            check_hidden(&rules, &free).expect("racing is a game with hidden cards");
            let stakes = Stakes::all(&rules);
            let values = HiddenFamilies::<_, Words<1>>::new(&rules, &stakes).expect("few worlds");
            let own = RacingFamilies::<Words<1>>::new(&deal).expect("few worlds");
            let mut env = Env::new(&free).with_store(Table::new());
            let expected = minimax_cached(&deal, &own, &mut env);
            let window = Window::full(values.lattice());
            let env = Env::new(&free).with_store(Table::new());
            let mut env = env.with_heuristic(HiddenBounds::new(values.as_sets()));
            let found = alpha_beta_duo(&deal, &values, &window, &mut env);
            assert_eq!(found.exact(), expected.exact(), "{deck} {goal} {seed}");

            let mut by_rules = HiddenBounds::new(values.as_sets());
            let mut known = PerfectInformation::new(own.as_sets());
            let mut positions = vec![deal.root()];
            deal.children(&deal.root(), &mut positions);
            for position in positions {
                let won = by_rules.seen(&position, &free);
                assert_eq!(won, known.seen(&position, &free), "{position:?}");
                compared += 1;
            }
            let weights = Weights::new((0..).take(rules.worlds()).map(|world| 1 + world % 5));
            let weights = weights.expect("small");
            let found = [
                best(
                    &deal,
                    &values,
                    HiddenBounds::new(values.as_sets()),
                    &weights,
                ),
                best(
                    &deal,
                    &own,
                    PerfectInformation::new(own.as_sets()),
                    &weights,
                ),
            ];
            assert_eq!(found[0], found[1]);
        }
    }
    assert!(compared > 100, "{compared}");
}

/// The heaviest sets of a deal.
fn best<V, S>(
    deal: &Racing,
    values: &V,
    known: Bounds<S>,
    weights: &Weights,
) -> Vec<(u64, Words<1>)>
where
    V: Valuation<RacingPosition, Lattice = Families<Words<1>>>,
    S: SeesAll<RacingPosition, Words<1>>,
{
    let free = Budget::unlimited();
    let env = Env::new(&free).with_store(Tables).with_heuristic(known);
    heaviest(deal, values, weights, 3, env).sets
}

/// A search with these bounds: the value, what it took, and seconds.
fn timed<V, H>(deal: &Racing, values: &V, known: H) -> (Antichain<Words<16>>, Counts, f64)
where
    V: Valuation<RacingPosition, Lattice = Families<Words<16>>>,
    H: Heuristic<RacingPosition, Families<Words<16>>>,
{
    let (free, begun) = (Budget::unlimited(), Instant::now());
    let env = Env::new(&free).with_store(Table::new());
    let env = env.with_heuristic(known);
    let mut env = env.with_observer(Counts::default());
    let found = alpha_beta_duo(deal, values, &Window::full(values.lattice()), &mut env);
    let seconds = begun.elapsed().as_secs_f64();
    let value = found.exact().expect("no limit").clone();
    (value, env.observer, seconds)
}

#[test]
#[ignore = "takes minutes, and shows figures"]
fn what_racing_by_rules_costs() {
    for (deck, goal, held) in [(16, 3, 6), (18, 4, 6), (20, 4, 7), (20, 5, 7)] {
        for seed in 1..4 {
            let deal = Racing::random(deck, goal, held, seed).expect("a deal");
            let rules = ByRules::new(&deal);
            let stakes = Stakes::all(&rules);
            let values = HiddenFamilies::<_, Words<16>>::new(&rules, &stakes).expect("it fits");
            let own = RacingFamilies::<Words<16>>::new(&deal).expect("it fits");
            // The values of the rules with both kinds of bounds, and all that is racing's.
            let runs = [
                timed(&deal, &values, HiddenBounds::new(values.as_sets())),
                timed(&deal, &values, PerfectInformation::new(own.as_sets())),
                timed(&deal, &own, PerfectInformation::new(own.as_sets())),
            ];
            assert!(runs.iter().all(|run| run.0 == runs[0].0));
            let shown = runs.map(|(_, counts, seconds)| format!("{} {seconds:.4}", counts.visits));
            let worlds = rules.worlds();
            println!(
                "{deck} {goal} {held} {seed} {worlds} worlds: {}",
                shown.join("  ")
            );
        }
    }
}
