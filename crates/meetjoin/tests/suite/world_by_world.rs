//! What is won with all cards seen, by one search over all worlds at once, as the library does it,
//! against one world after the other.
//!
//! What either costs: `cargo test --release -p meetjoin --test suite -- --ignored --nocapture
//! world_by_world` shows it.

use std::time::Instant;

use meetjoin::dag::{
    HiddenFamilies, HiddenGame, HiddenSets, PerfectInformation, Played, Seen, SeesAll, Stakes,
    Turn, Valuation,
};
use meetjoin::families::perfect_information::HiddenBounds;
use meetjoin::games::Racing;
use meetjoin::games::racing::RacingHands;
use meetjoin::games::tricks::order::Pack;
use meetjoin::games::tricks::random::random_deal;
use meetjoin::games::tricks::{TrickDeal, Tricks, presets};
use meetjoin::lattice::{Antichain, Budget, Interval, Lattice, Stop, Words, WorldSet};
use meetjoin::search::{Env, Store, Table, Window, alpha_beta_duo};

/// One search for each world, with yes and no as values. They share a table.
struct OneByOne<'a, G: HiddenGame, B: WorldSet> {
    sets: &'a HiddenSets<'a, G, B>,
    known: Table<(G::Position, usize), bool>,
}

impl<'a, G: HiddenGame, B: WorldSet> From<&'a HiddenSets<'a, G, B>> for OneByOne<'a, G, B> {
    fn from(sets: &'a HiddenSets<'a, G, B>) -> Self {
        Self {
            sets,
            known: Table::default(),
        }
    }
}

impl<G: HiddenGame, B: WorldSet> OneByOne<'_, G, B> {
    fn wins(
        &mut self,
        position: &G::Position,
        place: usize,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let key = (position.clone(), place);
        if let (_, Some(known)) = self.known.get(&key) {
            return Ok(*known);
        }
        let game = self.sets.game();
        let stake = self.sets.stakes().get(place).expect("a stake");
        let turn = game.turn(position);
        if turn == Turn::Over {
            let points = game.points_in_all(position);
            let points = points.unwrap_or_else(|| game.points(position, stake.world));
            return Ok(points > stake.more_than);
        }
        budget.visit()?;
        let mut next = Vec::new();
        game.moves(position, &mut next);
        let mut wins = turn == Turn::Min;
        for next in &next {
            let is_move = turn == Turn::Max || game.is_possible(next, stake.world);
            if is_move && self.wins(next, place, budget)? != wins {
                wins = !wins;
                break;
            }
        }
        let (slot, _) = self.known.get(&key);
        self.known.put(slot, &key, wins, budget)?;
        Ok(wins)
    }
}

impl<G: HiddenGame, B: WorldSet> SeesAll<G::Position, B> for OneByOne<'_, G, B> {
    fn seen(
        &mut self,
        position: &G::Position,
        universe: Option<&B>,
        budget: &Budget,
    ) -> Result<Option<Seen<B>>, Stop> {
        let mut possible = self.sets.possible(position);
        let mut impossible = self.sets.lattice().top();
        impossible.subtract(&possible);
        if let Some(universe) = universe {
            possible.intersect_with(universe);
        }
        let mut won = impossible.clone();
        let mut count = 0;
        for place in possible.ones() {
            if self.wins(position, place, budget)? {
                won.insert(place);
                count += 1;
            }
        }
        Ok(Some(Seen {
            impossible,
            won,
            is_exact: universe.is_none(),
            by_one: count <= 1,
        }))
    }
}

type Set = Words<16>;

/// A whole value with these bounds, and the seconds of it.
fn value<G: HiddenGame, S: SeesAll<G::Position, Set>>(
    game: &G,
    values: &HiddenFamilies<'_, G, Set>,
    known: PerfectInformation<S>,
) -> (Antichain<Set>, f64) {
    let (free, begun) = (Budget::unlimited(), Instant::now());
    let env = Env::new(&free).with_store(Table::<G::Position, Interval<_>>::new());
    let mut env = env.with_heuristic(known);
    let window = Window::full(values.lattice());
    let found = alpha_beta_duo(&Played(game), values, &window, &mut env);
    let value = found.exact().expect("no limit").clone();
    (value, begun.elapsed().as_secs_f64())
}

/// Both ways: the start alone, and a whole value. Seconds, all worlds at once first.
fn both<G: HiddenGame>(game: &G) -> [[f64; 2]; 2] {
    let stakes = Stakes::all(game);
    let values = HiddenFamilies::<_, Set>::new(game, &stakes).expect("it fits");
    let (sets, free) = (values.as_sets(), Budget::unlimited());
    let begun = Instant::now();
    let together = HiddenBounds::new(sets).seen(&game.start(), &free);
    let at_once = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let mut known = PerfectInformation::<OneByOne<'_, G, Set>>::new(sets);
    assert_eq!(known.seen(&game.start(), &free), together);
    let by_world = begun.elapsed().as_secs_f64();
    let together = value(game, &values, HiddenBounds::new(sets));
    let one_by_one = value(
        game,
        &values,
        PerfectInformation::<OneByOne<'_, G, Set>>::new(sets),
    );
    assert_eq!(together.0, one_by_one.0);
    [[at_once, by_world], [together.1, one_by_one.1]]
}

/// Deals of racing of so many cards, and endings of bridge of so many tricks.
fn compared(cards: u8, tricks: usize, seeds: std::ops::Range<u64>) {
    let mut sums = [[[0.0; 2]; 2]; 2];
    let mut add = |game: usize, seconds: [[f64; 2]; 2]| {
        for (sum, seconds) in sums[game].iter_mut().zip(seconds) {
            sum[0] += seconds[0];
            sum[1] += seconds[1];
        }
    };
    for seed in seeds {
        let deal = Racing::random(cards, 3, cards / 3 + 1, seed).expect("a deal");
        add(0, both(&RacingHands::new(&deal)));
        let mut rules = presets::bridge();
        rules.ranks = rules.ranks.split_off(13 - tricks - 3);
        let pack = Pack::new(rules).expect("rules");
        let mut deal: TrickDeal = random_deal(&pack, tricks, &[2], 0, seed);
        deal.goal = Some(tricks as u32 / 2);
        add(1, both(&Tricks::new(pack, &deal).expect("an ending")));
    }
    println!("racing, bridge; start, whole value; at once, world by world: {sums:.4?}");
}

#[test]
fn world_by_world_is_won_what_is_won_at_once() {
    compared(10, 2, 0..6);
}

#[test]
#[ignore = "shows figures"]
fn what_is_won_world_by_world_costs() {
    compared(15, 4, 0..6);
}
