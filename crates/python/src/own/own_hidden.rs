//! A game with hidden cards written in Python, whose positions the Python code has listed, asking
//! about each once.
//!
//! Idea: with its positions listed the game needs no interpreter. It is checked before anything is
//! searched, and is then a problem like any other.

use std::fmt;

use fixedbitset::FixedBitSet;
use meetjoin_dag::hidden::check::check;
use meetjoin_dag::hidden::listed::listed;
use meetjoin_dag::{HiddenFamilies, HiddenGame, Stakes, Turn};
use meetjoin_families::first_moves::first_moves;
use meetjoin_lattice::Budget;
use meetjoin_problems::Source;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::error::refused;
use crate::limits::{Allowed, Limit};
use crate::own::nesting::Nested;
use crate::running;

/// A game with all its positions.
struct Walked {
    worlds: Vec<String>,
    weights: Vec<u64>,
    most: u32,
    /// By position.
    names: Vec<String>,
    turns: Vec<Turn>,
    moves: Vec<Vec<u32>>,
    /// The worlds in which a position can come about, as bits.
    possible: Vec<Vec<u64>>,
    /// The points at positions at the end, by world.
    points: Vec<Vec<u32>>,
}

impl HiddenGame for Walked {
    type Position = u32;

    fn worlds(&self) -> usize {
        self.worlds.len()
    }

    fn weight(&self, world: usize) -> u64 {
        self.weights[world]
    }

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, position: &u32) -> Turn {
        self.turns[*position as usize]
    }

    fn moves(&self, position: &u32, out: &mut Vec<u32>) {
        out.extend_from_slice(&self.moves[*position as usize]);
    }

    fn is_possible(&self, position: &u32, world: usize) -> bool {
        self.possible[*position as usize][world / 64] >> (world % 64) & 1 == 1
    }

    fn possible(&self, position: &u32, words: &mut [u64]) {
        words.copy_from_slice(&self.possible[*position as usize]);
    }

    fn points(&self, position: &u32, world: usize) -> u32 {
        let points = &self.points[*position as usize];
        points.get(world).copied().unwrap_or(0)
    }

    fn most_points(&self) -> u32 {
        self.most
    }

    fn name(&self, position: &u32, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(&self.names[*position as usize])
    }

    fn world_name(&self, world: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(&self.worlds[world])
    }
}

/// Places of worlds as bits; all are in range.
fn bits(places: Vec<usize>, worlds: usize) -> Vec<u64> {
    let mut bits = vec![0; worlds.div_ceil(64)];
    for place in places.into_iter().filter(|place| *place < worlds) {
        bits[place / 64] |= 1 << (place % 64);
    }
    bits
}

/// Checks a game whose positions are listed, the start first, and makes a problem of it. `turns`
/// has a letter for each position (x for MAX, n for MIN, e for the end), `possible` the places of
/// worlds in which it can come about, and `points` what MAX has in each world if it is an end. With
/// a goal, that many points are wanted in a world; without one, as many as possible.
///
/// Returns the problem as a file, the stakes of its sets (places of worlds, and points), and, with
/// `depths`, each first move: its place, its worth, its worth with perfect information, and what
/// alpha-mu expects at these depths.
#[pyfunction]
#[pyo3(signature = (worlds, weights, most, names, turns, moves, possible, points, goal, depths, time_limit, max_visits, max_memory))]
pub(crate) fn hidden_game(
    py: Python<'_>,
    worlds: Vec<String>,
    weights: Vec<u64>,
    most: u32,
    names: Vec<String>,
    turns: &str,
    moves: Vec<Vec<u32>>,
    possible: Vec<Vec<usize>>,
    points: Vec<Vec<u32>>,
    goal: Option<u32>,
    depths: Option<Vec<u32>>,
    time_limit: Option<f64>,
    max_visits: Option<Limit>,
    max_memory: Option<Limit>,
) -> PyResult<Py<PyDict>> {
    let _nested = Nested::enter()?;
    let positions = names.len();
    let turns: Vec<Turn> = turns
        .chars()
        .map(|letter| match letter {
            'x' => Turn::Max,
            'n' => Turn::Min,
            _ => Turn::Over,
        })
        .collect();
    let as_many = [turns.len(), moves.len(), possible.len(), points.len()];
    let in_range = moves.iter().flatten().all(|to| (*to as usize) < positions);
    if positions == 0 || as_many != [positions; 4] || weights.len() != worlds.len() || !in_range {
        return Err(refused(
            "the lists of positions and worlds differ in length",
        ));
    }
    let count = worlds.len();
    let game = Walked {
        possible: possible
            .into_iter()
            .map(|places| bits(places, count))
            .collect(),
        worlds,
        weights,
        most,
        names,
        turns,
        moves,
        points,
    };
    let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
    let done = running::detached(py, || {
        made(&game, goal, depths.as_deref(), &allowed.budget())
    });
    let made = done.map_err(refused)?;
    let dict = PyDict::new(py);
    dict.set_item("problem", PyBytes::new(py, &made.problem))?;
    dict.set_item("stakes", made.stakes)?;
    dict.set_item("weights", made.weights)?;
    dict.set_item("moves", made.moves)?;
    Ok(dict.unbind())
}

/// The place of a first move, its worth, that with perfect information, and what alpha-mu expects.
type Moves = Vec<(u32, u64, u64, Vec<u64>)>;

struct Made {
    /// A problem file.
    problem: Vec<u8>,
    /// Places of worlds, and points.
    stakes: Vec<(usize, u32)>,
    weights: Vec<u64>,
    moves: Option<Moves>,
}

fn made(
    game: &Walked,
    goal: Option<u32>,
    depths: Option<&[u32]>,
    budget: &Budget,
) -> Result<Made, String> {
    let sentence = |error: &dyn fmt::Display| error.to_string();
    check(game, budget).map_err(|error| sentence(&error))?;
    let stakes = match goal {
        Some(goal) if goal == 0 || goal > game.most => {
            let most = game.most;
            return Err(format!(
                "the goal is {goal} points, and MAX can have 1 to {most}"
            ));
        }
        _ => Stakes::asked(game, goal.as_ref().map(std::slice::from_ref)),
    };
    let stakes = stakes.map_err(|error| sentence(&error))?;
    let weights = stakes.weights(game).map_err(|error| sentence(&error))?;
    let problem = listed(game, &stakes, true, budget).map_err(|error| sentence(&error))?;
    let moves = match depths {
        Some(depths) if game.turns[0] == Turn::Max => {
            let values = HiddenFamilies::<_, FixedBitSet>::new(game, &stakes);
            let values = values.map_err(|error| sentence(&error))?;
            let found = first_moves(&values, &weights, depths, budget);
            let found = found.map_err(|stop| sentence(&stop))?;
            let rows = found.into_iter();
            Some(
                rows.map(|each| (each.position, each.worth, each.seen, each.ahead))
                    .collect(),
            )
        }
        _ => None,
    };
    let all = stakes.iter();
    let of_stakes = all.map(|stake| (stake.world, stake.more_than + 1));
    let mut text = Vec::new();
    let source = Source::Problem(Box::new(problem));
    let written = source.write_json(&mut text);
    written.map_err(|error| sentence(&error))?;
    Ok(Made {
        problem: text,
        stakes: of_stakes.collect(),
        weights: (0..stakes.len())
            .map(|place| weights.of_world(place))
            .collect(),
        moves,
    })
}
