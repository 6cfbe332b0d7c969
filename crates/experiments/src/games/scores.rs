//! Exact scores of Connect Four near the end, in the middle and near the beginning, by meetjoin and
//! by the crate `connect-four-ai`.
//!
//! The peer is a dedicated solver of this game, with the usual techniques: two words for a
//! position, no hopeless moves, a table, null windows. Its book of openings is left out.

use std::cell::RefCell;
use std::time::Instant;

use connect_four_ai::{Position, Solver};
use meetjoin_lattice::Budget;
use meetjoin_search::Counts;
use serde_json::json;

use crate::games::boards::{ENDS, connect_four, listed};
use crate::measuring::instance::{Instance, Series, Solved};
use crate::measuring::memory;

/// The peer.
pub(crate) const PEER: &str = "connect-four-ai";

/// The sets of positions.
pub(crate) const SETS: [&str; 3] = ["end", "middle", "beginning"];

const MIDDLES: &str = include_str!("../../../../cases/connect_four_middles.txt");
const BEGINNINGS: &str = include_str!("../../../../cases/connect_four_beginnings.txt");

thread_local! {
    /// The peer, with its table.
    static SOLVER: RefCell<Solver> = RefCell::new(Solver::empty());
}

/// A set of positions.
struct Set {
    listed: Vec<(&'static str, i64)>,
    ours: Series,
}

/// One of the sets; set 1 is the first.
pub(crate) fn set(number: u32) -> Result<Box<dyn Instance>, String> {
    let listed = match number {
        1 => listed(ENDS),
        2 => listed(MIDDLES),
        3 => listed(BEGINNINGS),
        _ => Err(format!("there is no set {number}")),
    }?;
    let ours = connect_four(&listed)?;
    Ok(Box::new(Set { listed, ours }))
}

impl Instance for Set {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        if algorithm == PEER {
            SOLVER.with_borrow_mut(|solver| self.peer(solver))
        } else {
            self.ours.solve(algorithm, budget, count_nodes)
        }
    }
}

impl Set {
    fn peer(&self, solver: &mut Solver) -> Result<Solved, String> {
        memory::reset_peak();
        let (mut seconds, mut counts) = (0.0, Counts::default());
        let mut values = Vec::with_capacity(self.listed.len());
        for (moves, known) in &self.listed {
            let position = Position::from_moves(moves).map_err(|error| error.to_string())?;
            solver.reset();
            let started = Instant::now();
            let score = i64::from(solver.solve(&position));
            seconds += started.elapsed().as_secs_f64();
            counts.visits += solver.explored_positions as u64;
            // Its scores are for the player to move.
            let value = if moves.len() % 2 == 0 { score } else { -score };
            if value != *known {
                return Err(format!(
                    "{PEER} finds {value} for {moves}, which is worth {known}"
                ));
            }
            values.push(value);
        }
        Ok(Solved {
            seconds,
            counts,
            nodes: None,
            peak_bytes: memory::peak(),
            stop: None,
            value: Some(json!(values).to_string()),
        })
    }
}
