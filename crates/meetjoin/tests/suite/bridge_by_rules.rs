//! Bridge as one of the games of tricks, against the ending that knows bridge alone.

use fixedbitset::FixedBitSet;
use meetjoin_bridge::ending::{
    AllSeen, EndingFamilies, EndingGame, EndingSeen, heaviest_of_ending,
};
use meetjoin_bridge::{Deal, Ending, Seat};
use meetjoin_dag::{AndOrDag, HiddenFamilies, HiddenGame, Played, Stakes, Valuation};
use meetjoin_families::heaviest::{Wanted, heaviest_of};
use meetjoin_families::perfect_information::HiddenBounds;
use meetjoin_games::tricks::order::Pack;
use meetjoin_games::tricks::random::random_deal;
use meetjoin_games::tricks::{TrickDeal, TrickHand, Tricks, presets};
use meetjoin_lattice::{Budget, Weights};
use meetjoin_search::{Env, Table, Tables, Window, alpha_beta_duo};

const RANKS: &str = "23456789TJQKA";

/// A hand as deals of bridge are written: spades, hearts, diamonds, clubs.
fn written(pack: &Pack, cards: &[u16]) -> String {
    let suit = |suit: char| -> String {
        let names = cards.iter().map(|card| pack.name(*card));
        let own: Vec<String> = names.filter(|name| name.starts_with(suit)).collect();
        let ranks = RANKS.chars().rev();
        ranks
            .filter(|rank| own.iter().any(|name| name.ends_with(*rank)))
            .collect()
    };
    ['S', 'H', 'D', 'C'].map(suit).join(".")
}

/// The maximal sets of worlds, each world as West's hand.
type Family = Vec<Vec<String>>;

fn in_order(mut family: Family) -> Family {
    for set in &mut family {
        set.sort();
    }
    family.sort();
    family
}

/// The special ending's family and its heaviest weight.
fn special(ending: &Ending, goal: u8) -> (Option<Family>, u64) {
    let game = EndingGame::new(ending, goal);
    let values = EndingFamilies::<FixedBitSet>::new(&game).expect("any number fits");
    let budget = Budget::unlimited();
    let mut table = AllSeen::new(ending);
    let best = heaviest_of_ending::<FixedBitSet>(&game, &game.root(), &budget, &mut |_, _| ());
    let known = EndingSeen::new((&values, &mut table));
    let mut env = Env::new(&budget)
        .with_store(Table::new())
        .with_heuristic(known);
    let window = Window::full(values.lattice());
    let family = (ending.tricks() < 4).then(|| {
        let value = alpha_beta_duo(&game, &values, &window, &mut env);
        let value = value.exact().expect("there is no limit").clone();
        let west = |place: usize| ending.hands_of(&ending.layouts()[place]).0.to_string();
        let sets = value.maximal().iter();
        in_order(sets.map(|set| set.ones().map(west).collect()).collect())
    });
    (family, best.weight)
}

fn general(pack: &Pack, game: &Tricks) -> (Option<Family>, u64) {
    let stakes = Stakes::all(game);
    assert!(stakes.are_worlds());
    let values = HiddenFamilies::<_, FixedBitSet>::new(game, &stakes).expect("any number fits");
    let (dag, budget) = (Played(game), Budget::unlimited());
    let known = HiddenBounds::new(values.as_sets());
    let mut env = Env::new(&budget)
        .with_store(Table::new())
        .with_heuristic(known.clone());
    let window = Window::full(values.lattice());
    let family = (game.tricks() < 4).then(|| {
        let value = alpha_beta_duo(&dag, &values, &window, &mut env);
        let value = value.exact().expect("there is no limit").clone();
        // West is to the left of South, who declares and is the first player.
        let west = |world: usize| written(pack, &game.held(world, 1));
        let sets = value.maximal().iter();
        in_order(sets.map(|set| set.ones().map(west).collect()).collect())
    });
    let weights: Weights = stakes.weights(game).expect("few worlds");
    let env = Env::new(&budget).with_store(Tables).with_heuristic(known);
    let found = heaviest_of(&dag, &values, &weights, Wanted::most(1), env);
    let best = found.sets.first().map_or(0, |(weight, _)| *weight);
    (family, best)
}

#[test]
fn bridge_among_the_games_of_tricks_is_bridge() {
    let mut several = 0;
    for seed in 0..36_u64 {
        let mut rules = presets::bridge();
        let kept = [9, 7, 6][seed as usize % 3];
        rules.ranks = rules.ranks.split_off(kept);
        let trump = [None, Some("S"), Some("H"), Some("C")][seed as usize % 4];
        rules.trumps = trump.map(str::to_owned);
        let pack = Pack::new(rules).expect("rules");
        let tricks = [2, 3, 4][seed as usize % 3];
        let mut deal: TrickDeal = random_deal(&pack, tricks, &[2], 0, seed);
        deal.leader = (seed / 3) as usize % 4;
        let hand = |player: usize| match &deal.hands[player] {
            TrickHand::Seen(cards) => written(&pack, cards),
            TrickHand::Hidden { .. } => "-".to_owned(),
        };
        let text = format!(
            "[Deal \"N:{} {} {} -\"]",
            hand(2),
            written(&pack, &deal.unseen),
            hand(0)
        );
        let bridge: Deal = Deal::of_pbn(&text).expect("a deal");
        // Players in the order South, West, North, East.
        let leader = Seat::South.after(deal.leader);
        let suit = trump.map(|name| "SHDC".find(name).expect("a suit") as u8);
        // Some layouts weigh more, and in some endings some weigh nothing.
        let weight = |hand: &str| -> u64 {
            let spades = hand.split('.').next().map_or(0, str::len) as u64;
            match seed % 3 {
                0 => 1,
                1 => 1 + spades,
                _ => (seed % 2 + 2).saturating_sub(spades),
            }
        };
        let ending = Ending::new(&bridge, Seat::South, leader, suit, |west| {
            weight(&west.to_string())
        });
        for goal in 1..=tricks as u32 {
            deal.goal = Some(goal);
            let game = Tricks::weighed(pack.clone(), &deal, |hands| {
                weight(&written(&pack, &hands[0]))
            });
            let (Ok(ending), Ok(game)) = (&ending, game) else {
                panic!("seed {seed}: {ending:?}");
            };
            assert_eq!(game.worlds(), ending.layouts().len());
            let wanted = special(ending, goal as u8);
            assert_eq!(general(&pack, &game), wanted, "seed {seed}, {goal} tricks");
            several += usize::from(wanted.0.is_some_and(|family| family.len() > 1));
        }
    }
    assert!(several > 3, "{several}");
}
