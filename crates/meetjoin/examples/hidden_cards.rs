//! MAX holds 2, 4 and 6; MIN holds three of 1, 3, 5 and 7. MAX leads, the higher card takes the
//! trick, and who takes it leads next. How many tricks is MAX sure of, and against which hands?

use meetjoin::dag::{HiddenFamilies, HiddenGame, Played, Stakes, Turn};
use meetjoin::lattice::{Budget, Words};
use meetjoin::search::perfect_information::HiddenBounds;
use meetjoin::search::{Env, Tables, heaviest};

struct Tricks;

/// Bit c for card c: what MAX has left, what MIN has played; the card on the table, if there is
/// one; whether MAX is to play; her tricks.
type Seen = (u8, u8, u8, bool, u32);

/// The card that MIN does not hold, by world.
const MISSING: [u8; 4] = [1, 3, 5, 7];

impl HiddenGame for Tricks {
    type Position = Seen;
    fn worlds(&self) -> usize {
        MISSING.len()
    }
    fn most_points(&self) -> u32 {
        3
    }
    fn start(&self) -> Seen {
        (0b0101_0100, 0, 0, true, 0)
    }
    fn turn(&self, &(mine, _, table, max_moves, _): &Seen) -> Turn {
        match max_moves {
            _ if mine == 0 && table == 0 => Turn::Over,
            true => Turn::Max,
            false => Turn::Min,
        }
    }
    fn moves(&self, &(mine, theirs, table, max_moves, tricks): &Seen, out: &mut Vec<Seen>) {
        let cards = if max_moves {
            mine
        } else {
            0b1010_1010 & !theirs
        };
        for card in (1..8).filter(|card| cards >> card & 1 == 1) {
            let (mine, theirs) = (
                mine & !(1 << card),
                theirs | cards & 1 << card & 0b1010_1010,
            );
            out.push(if table == 0 {
                (mine, theirs, card, !max_moves, tricks)
            } else {
                let max_takes = (card > table) == max_moves;
                (mine, theirs, 0, max_takes, tricks + u32::from(max_takes))
            });
        }
    }
    fn is_possible(&self, &(_, theirs, ..): &Seen, world: usize) -> bool {
        theirs >> MISSING[world] & 1 == 0
    }
    fn points(&self, &(.., tricks): &Seen, _: usize) -> u32 {
        tricks
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let budget = Budget::unlimited();
    let positions = meetjoin::dag::hidden::check::check(&Tricks, &budget)?;
    let stakes = Stakes::all(&Tricks);
    let families = HiddenFamilies::<_, Words<1>>::new(&Tricks, &stakes)?;
    let mut seen = HiddenBounds::<_, Words<1>>::new(families.as_sets());
    let open = seen.seen(&Tricks.start(), &budget)?.ok_or("known")?;
    let weights = stakes.weights(&Tricks)?;
    let env = Env::new(&budget).with_store(Tables).with_heuristic(seen);
    let best = heaviest(&Played(&Tricks), &families, &weights, 9, env);
    println!("{positions} positions");
    println!(
        "if MAX saw MIN's hand: {:?}",
        stakes.points(meetjoin::lattice::WorldSet::ones(&open))
    );
    for (sum, set) in best.sets {
        println!(
            "by one strategy: {:?}, {sum} in 4 hands",
            stakes.points(meetjoin::lattice::WorldSet::ones(&set))
        );
    }
    Ok(())
}
