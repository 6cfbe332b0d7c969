//! Connect Four positions near the end, by random play, each with its exact value from two
//! algorithms: the file `cases/connect_four_ends.txt`.
//!
//! `cargo run --release -p meetjoin --example end_positions > cases/connect_four_ends.txt`

use meetjoin::dag::{AndOrDag, Valuation};
use meetjoin::games::{ConnectFour, Playable, random_play};
use meetjoin::lattice::Budget;
use meetjoin::search::total_order::nega_scout;
use meetjoin::search::{Env, Table, Window, alpha_beta_duo};

/// How many stones are on the board.
const STONES: [usize; 4] = [28, 30, 32, 34];
/// Positions with so many stones.
const POSITIONS: u64 = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("# Connect Four, 7 by 6: the columns of the moves so far, and the value for MAX.");
    println!(
        "# Random play with the seeds {} to {}; the value is 1 plus the stones that the winner has in hand.",
        seed(STONES[0], 0),
        seed(STONES[3], POSITIONS - 1)
    );
    let empty = ConnectFour::new(7, 6)?;
    for stones in STONES {
        for i in 0..POSITIONS {
            let moves = random_play(&empty, stones, seed(stones, i)).ok_or("no game so long")?;
            let game = empty.after(&moves)?;
            let (rules, budget) = (game.by_rules(), Budget::unlimited());
            let window = Window::full(game.lattice());
            let mut env = Env::new(&budget).with_store(Table::new());
            let one = nega_scout(&game, &game, &window, &mut env);
            let mut env = Env::new(&budget).with_store(Table::new());
            let other = alpha_beta_duo(&rules, &game, &window, &mut env);
            let (one, other) = (one.exact(), other.exact());
            if one != other || game.is_over(&game.root()) {
                return Err(format!("{moves}: {one:?} and {other:?}").into());
            }
            println!("{moves} {}", one.ok_or("no limit")?);
        }
    }
    Ok(())
}

fn seed(stones: usize, i: u64) -> u64 {
    1000 * stones as u64 + i
}
