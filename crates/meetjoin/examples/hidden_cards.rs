//! A round of poker by its rules alone. MAX holds the 4 and MIN one of 1, 2, 3 and 5; each has put
//! in a chip. MIN checks or bets a chip, but not on the 1; then MAX checks or bets, calls or folds.

use meetjoin::dag::{HiddenFamilies, HiddenGame, Played, Stakes, Turn, check_hidden};
use meetjoin::families::{heaviest, perfect_information::HiddenBounds};
use meetjoin::{lattice::Budget, lattice::Words, search::Env, search::Tables};
struct Poker;

impl HiddenGame for Poker {
    type Position = &'static str;
    fn worlds(&self) -> usize {
        4
    }
    fn most_points(&self) -> u32 {
        4 // chips she has in the end, of two that she brought
    }
    fn start(&self) -> &'static str {
        "start"
    }
    fn turn(&self, at: &&'static str) -> Turn {
        match *at {
            "start" | "check bet" => Turn::Min,
            "check" | "bet" => Turn::Max,
            _ => Turn::Over,
        }
    }
    fn moves(&self, at: &&'static str, out: &mut Vec<&'static str>) {
        out.extend(match *at {
            "start" => ["check", "bet"],
            "check" => ["check check", "check bet"],
            "bet" => ["bet call", "bet fold"],
            _ => ["check bet call", "check bet fold"],
        });
    }
    fn is_possible(&self, at: &&'static str, world: usize) -> bool {
        world > 0 || !at.starts_with("bet")
    }
    fn points(&self, at: &&'static str, world: usize) -> u32 {
        match (*at, world < 3) {
            ("bet fold", _) | ("check check", false) => 1,
            ("check bet fold", _) | ("check check", true) => 3,
            (_, wins) => 4 * u32::from(wins),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (budget, chips) = (Budget::unlimited(), Stakes::all(&Poker));
    check_hidden(&Poker, &budget)?;
    let values = HiddenFamilies::<_, Words<1>>::new(&Poker, &chips)?;
    let mut bounds = HiddenBounds::new(values.as_sets());
    let open = bounds.seen(&"start", &budget)?.ok_or("it is known")?;
    assert_eq!(chips.of(&open), [3, 3, 3, 1]); // if she saw MIN's card
    let env = Env::new(&budget).with_store(Tables).with_heuristic(bounds);
    let best = heaviest(&Played(&Poker), &values, &chips.weights(&Poker)?, 9, env).sets;
    let best = best.iter().map(|(sum, set)| (*sum, chips.of(set))); // she calls, or she folds
    assert!(best.eq([(9, vec![3, 3, 3, 0]), (6, vec![3, 1, 1, 1])]));
    Ok(())
}
