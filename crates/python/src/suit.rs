//! Single suits at bridge: cards in, JSON and text out.

use meetjoin_bridge::suit::{Goal, Solver};
use meetjoin_bridge::{Knowledge, Suit, named_cards, two_hands};
use pyo3::prelude::*;

use crate::error::refused;
use crate::limits::{Allowed, Limit};

/// The answer as `meetjoin-suit/1` and as text. `tricks` is a goal, 0 for the average; none for a
/// table of all goals.
#[pyfunction]
#[pyo3(signature = (north, south, tricks, vacant, west, east, west_length, entries, keep, leads, time_limit, max_visits, max_memory))]
pub(crate) fn suit(
    py: Python<'_>,
    north: &str,
    south: &str,
    tricks: Option<u8>,
    vacant: (u8, u8),
    west: &str,
    east: &str,
    west_length: (u8, u8),
    entries: Option<u8>,
    keep: &str,
    leads: bool,
    time_limit: Option<f64>,
    max_visits: Option<Limit>,
    max_memory: Option<Limit>,
) -> PyResult<(String, String)> {
    let knowledge = Knowledge {
        places: vacant,
        west: named_cards(west).map_err(refused)?,
        east: named_cards(east).map_err(refused)?,
        west_length,
        entries,
        keep: named_cards(keep).map_err(refused)?,
        lead: None,
    };
    let (north, south) = two_hands(north, south).map_err(refused)?;
    let suit = Suit::new(north, south, knowledge).map_err(refused)?;
    if let Some(tricks) = tricks
        && tricks > suit.tricks()
    {
        let most = suit.tricks();
        return Err(refused(format!(
            "the goal must be 1 to {most} for this suit, not {tricks} tricks"
        )));
    }
    let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
    Ok(py.detach(|| {
        let budget = allowed.budget();
        let mut solver = Solver::new(&suit, &budget);
        let goal = match tricks {
            None => {
                let table = solver.all();
                return (table.json(), table.text());
            }
            Some(0) => Goal::Average,
            Some(tricks) => Goal::Tricks(tricks),
        };
        let mut answer = solver.one(goal);
        if leads {
            answer.leads = Some(solver.leads(goal));
        }
        (answer.json(), answer.text())
    }))
}
