//! A suit by its rules alone, as any game with hidden cards, against the values of its own.
//!
//! What its own save: `cargo test --release -p meetjoin-bridge --test suite -- --ignored
//! --nocapture by_rules` shows it.

use std::time::Instant;

use meetjoin_bridge::{
    DoubleDummy, Knowledge, SeenCards, Stage, Suit, SuitFamilies, SuitGame, SuitPosition,
    SuitWorlds, two_hands,
};
use meetjoin_dag::{
    AndOrDag, HiddenFamilies, HiddenSets, Kind, PerfectInformation, Seen, SeesAll, Stakes,
    Valuation, check_hidden,
};
use meetjoin_lattice::{Budget, Lattice, Stop, Weights, Words, WorldSet};
use meetjoin_search::perfect_information::HiddenBounds;
use meetjoin_search::{Counts, Env, Tables, heaviest};

/// The table of tricks, for the values that any game has.
struct ByTable<'a, B: WorldSet> {
    sets: &'a HiddenSets<'a, SuitGame<'a>, B>,
    table: &'a mut DoubleDummy,
}

impl<B: WorldSet> SeesAll<SuitPosition, B> for ByTable<'_, B> {
    fn seen(
        &mut self,
        position: &SuitPosition,
        _: Option<&B>,
        budget: &Budget,
    ) -> Result<Option<Seen<B>>, Stop> {
        let game = self.sets.game();
        if position.stage() != Stage::Lead || AndOrDag::kind(game, position) == Kind::Leaf {
            return Ok(None);
        }
        let possible = self.sets.possible(position);
        let mut impossible = self.sets.lattice().top();
        impossible.subtract(&possible);
        let mut won = impossible.clone();
        let (mut last, mut winnable) = (None, 0);
        for place in possible.ones() {
            let stake = self.sets.stakes().get(place).expect("a stake");
            let tricks = match last {
                Some((world, tricks)) if world == stake.world => tricks,
                _ => {
                    budget.steps(1)?;
                    let west = game.suit().layouts()[stake.world].west;
                    let tricks = self.table.tricks(game, position, west);
                    winnable += u32::from(tricks > game.floor() && tricks > position.tricks());
                    last = Some((stake.world, tricks));
                    tricks
                }
            };
            if stake.more_than < tricks.into() {
                won.insert(place);
            }
        }
        Ok(Some(Seen {
            impossible,
            won,
            is_exact: true,
            by_one: winnable <= 1,
        }))
    }
}

fn suits() -> Vec<Suit> {
    let hands = [
        ("AQT98", "5432"),
        ("KT32", "A954"),
        ("AJ9", "K432"),
        ("AKJ43", "752"),
        ("Q94", "K852"),
        ("AQ9", "432"),
        ("KJ532", "64"),
        ("AT982", "K3"),
        ("QJ32", "A4"),
        ("J432", "Q95"),
        ("AKT9", "543"),
        ("KQ97", "A43"),
        ("A9842", "J5"),
        ("Q862", "KJ"),
        ("AQJT2", "3"),
    ];
    let suit = |(north, south): &(&str, &str)| {
        let (north, south) = two_hands(north, south).expect("two hands");
        Suit::new(north, south, Knowledge::default()).expect("a suit")
    };
    hands.iter().map(suit).collect()
}

type Answer = (Vec<Vec<(usize, u32)>>, u64);

/// The heaviest set by its own values, by those of any game with its own bounds, and with none of
/// its own: the sets, visits, seconds.
fn compared<B: WorldSet>(suit: &Suit, game: &SuitGame<'_>) -> Vec<(Answer, u64, f64)> {
    let budget = Budget::unlimited();
    let mut found = Vec::new();
    let mut table = DoubleDummy::new();
    let worlds = SuitWorlds::new(game, &mut table);
    let weight = |layout: usize| suit.layouts()[layout].weight;
    let weights = Weights::new(worlds.worlds().iter().map(|world| weight(world.layout)));
    let weights = weights.expect("they fit");
    let begun = Instant::now();
    let values = SuitFamilies::<B>::new(game, &worlds).expect("it fits");
    let known = SeenCards::new((&values, &mut table));
    let env = Env::new(&budget).with_store(Tables).with_heuristic(known);
    let mut counts = Counts::default();
    let own = heaviest(game, &values, &weights, 1, env.with_observer(&mut counts));
    let seconds = begun.elapsed().as_secs_f64();
    let all = |set: &B| -> Vec<(usize, u32)> {
        let all = set.ones().map(|place| worlds.worlds()[place]);
        all.map(|world| (world.layout, world.more_than.into()))
            .collect()
    };
    let sets = own.sets.iter().map(|(_, set)| all(set)).collect();
    found.push(((sets, own.bound), counts.visits, seconds));

    let mut table = DoubleDummy::new();
    let worlds = SuitWorlds::new(game, &mut table);
    let stakes = Stakes::only(game, |stake| {
        let wanted = |world: &meetjoin_bridge::SuitWorld| {
            world.layout == stake.world && u32::from(world.more_than) == stake.more_than
        };
        worlds.worlds().iter().any(wanted)
    });
    let begun = Instant::now();
    let values = HiddenFamilies::<_, B>::new(game, &stakes).expect("it fits");
    let weights = stakes.weights(game).expect("they fit");
    let all = |set: &B| -> Vec<(usize, u32)> {
        let all = set.ones().filter_map(|place| stakes.get(place));
        all.map(|stake| (stake.world, stake.more_than)).collect()
    };
    let by_table = ByTable {
        sets: values.as_sets(),
        table: &mut table,
    };
    let known = PerfectInformation::<ByTable<'_, B>>::new(by_table);
    let env = Env::new(&budget).with_store(Tables).with_heuristic(known);
    let mut counts = Counts::default();
    let any = heaviest(game, &values, &weights, 1, env.with_observer(&mut counts));
    let seconds = begun.elapsed().as_secs_f64();
    let sets = any.sets.iter().map(|(_, set)| all(set)).collect();
    found.push(((sets, any.bound), counts.visits, seconds));
    let begun = Instant::now();
    let known = HiddenBounds::new(values.as_sets());
    let env = Env::new(&budget).with_store(Tables).with_heuristic(known);
    let mut counts = Counts::default();
    let any = heaviest(game, &values, &weights, 1, env.with_observer(&mut counts));
    let seconds = begun.elapsed().as_secs_f64();
    let sets = any.sets.iter().map(|(_, set)| all(set)).collect();
    found.push(((sets, any.bound), counts.visits, seconds));
    found
}

/// Every way finds the same for these suits, and their own values the same sets. Visits and seconds
/// of each way: of goals, and of averages.
fn sums(suits: &[Suit]) -> [[(u64, f64); 3]; 2] {
    let mut sums = [[(0, 0.0); 3]; 2];
    for suit in suits {
        let goals = (1..=suit.tricks()).map(|goal| SuitGame::goal(suit, goal));
        let games = goals.map(|game| (0, game));
        for (kind, game) in games.chain([(1, SuitGame::all_tricks(suit))]) {
            check_hidden(&game, &Budget::unlimited()).expect("a game with hidden cards");
            let worlds = SuitWorlds::new(&game, &mut DoubleDummy::new());
            let runs = match worlds.worlds().len() {
                0..=64 => compared::<Words<1>>(suit, &game),
                65..=256 => compared::<Words<4>>(suit, &game),
                _ => compared::<Words<16>>(suit, &game),
            };
            assert!(runs.iter().all(|run| run.0.1 == runs[0].0.1));
            assert_eq!(runs[0].0, runs[1].0);
            for (sum, run) in sums[kind].iter_mut().zip(&runs) {
                sum.0 += run.1;
                sum.1 += run.2;
            }
        }
    }
    sums
}

#[test]
fn a_suit_is_a_game_with_hidden_cards() {
    let [goals, average] = sums(&suits()[..4]);
    for ways in [goals, average] {
        assert_eq!(ways[0].0, ways[1].0, "visits");
        assert!(ways[2].0 > 0);
    }
}

#[test]
#[ignore = "shows figures"]
fn what_a_suit_by_rules_costs() {
    println!("{:?}", sums(&suits()));
}
