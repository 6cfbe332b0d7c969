//! Racing as a game with hidden cards: what makes it one, values that are asked world by world, and
//! the bounds that any such game has against racing's own, which share no line with them.
//!
//! What racing's own bounds save: `cargo test --release -p meetjoin --test suite -- --ignored
//! --nocapture by_rules` shows it.

use std::time::Instant;

use meetjoin::dag::{
    AndOrDag, Heuristic, HiddenFamilies, HiddenGame, PerfectInformation as Bounds, Played, SeesAll,
    Stakes, Valuation, check_hidden,
};
use meetjoin::families::heaviest;
use meetjoin::families::perfect_information::HiddenBounds;
use meetjoin::games::Racing;
use meetjoin::games::racing::{PerfectInformation, RacingHands, RacingPosition};
use meetjoin::lattice::{Antichain, Budget, Families, Weights, Words, WorldSet};
use meetjoin::search::{Counts, Env, Table, Tables, Window, alpha_beta_duo, minimax_cached};

/// The values as the paper has them, each world asked by itself.
struct OfPaper<'a> {
    deal: &'a Racing,
    hands: Vec<u64>,
    lattice: Families<Words<1>>,
}

impl Valuation<RacingPosition> for OfPaper<'_> {
    type Lattice = Families<Words<1>>;

    fn lattice(&self) -> &Families<Words<1>> {
        &self.lattice
    }

    fn leaf(&self, end: &RacingPosition) -> Antichain<Words<1>> {
        let mut worth = Words([0]);
        for (world, hand) in self.hands.iter().enumerate() {
            if self.deal.max_has_won(end) || end.min_played() & !hand != 0 {
                worth.insert(world);
            }
        }
        self.lattice.principal(worth)
    }
}

#[test]
fn racing_is_a_game_with_hidden_cards() {
    let free = Budget::unlimited();
    let mut compared = 0;
    for (deck, goal, held) in [(8, 2, 4), (9, 3, 4), (10, 2, 4), (7, 2, 3), (8, 1, 3)] {
        for seed in 0..6 {
            let deal = Racing::random(deck, goal, held, seed).expect("a deal");
            let rules = RacingHands::new(&deal);
            let classes = RacingHands::classes(&deal);
            let plans = classes.clone().with_named_cards();
            for game in [&rules, &classes, &plans] {
                check_hidden(game, &free).expect("racing is a game with hidden cards");
            }
            let stakes = Stakes::all(&rules);
            let values = HiddenFamilies::<_, Words<1>>::new(&rules, &stakes).expect("few worlds");
            let of_paper = OfPaper {
                hands: deal.worlds(),
                lattice: values.lattice().clone(),
                deal: &deal,
            };
            let mut env = Env::new(&free).with_store(Table::new());
            let expected = minimax_cached(&deal, &of_paper, &mut env);
            let window = Window::full(values.lattice());
            let env = Env::new(&free).with_store(Table::new());
            let mut env = env.with_heuristic(HiddenBounds::new(values.as_sets()));
            let found = alpha_beta_duo(&Played(&rules), &values, &window, &mut env);
            assert_eq!(found.exact(), expected.exact(), "{deck} {goal} {seed}");

            let mut by_rules = HiddenBounds::new(values.as_sets());
            let mut known = PerfectInformation::new(values.as_sets());
            let mut positions = vec![deal.root()];
            deal.children(&deal.root(), &mut positions);
            for position in positions {
                let won = by_rules.seen(&position, &free);
                assert_eq!(won, known.seen(&position, &free), "{position:?}");
                compared += 1;
            }
            let weights = Weights::new((0..).take(rules.worlds()).map(|world| 1 + world % 5));
            let weights = weights.expect("small");
            let by_rules = HiddenBounds::new(values.as_sets());
            let known = PerfectInformation::new(values.as_sets());
            let found = [
                best(&deal, &values, by_rules, &weights),
                best(&deal, &values, known, &weights),
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
            let rules = RacingHands::new(&deal);
            let stakes = Stakes::all(&rules);
            let values = HiddenFamilies::<_, Words<16>>::new(&rules, &stakes).expect("it fits");
            // The bounds that any game has, and racing's.
            let runs = [
                timed(&deal, &values, HiddenBounds::new(values.as_sets())),
                timed(&deal, &values, PerfectInformation::new(values.as_sets())),
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
