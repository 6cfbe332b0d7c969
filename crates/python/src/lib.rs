//! The compiled part of the Python package `meetjoin`: it reads problems, runs searches, and
//! converts values. The public API is in `python/meetjoin`.
//!
//! Idea: problems over lattices that a file can describe go through [`meetjoin_solve`], which knows
//! nothing of Python, so the interpreter is released meanwhile. Lattices and games written in
//! Python are a lattice ([`own_lattice`](own::own_lattice)) and a graph
//! ([`own_game`](own::own_game)) like any other; their searches ([`own_search`](own::own_search))
//! hold the interpreter.
//!
//! An example: `meetjoin.Problem.solve` checks its arguments in `python/meetjoin/problem.py` and
//! calls `Problem::solve` here. That releases the interpreter, asks the instance, and returns the
//! answer as a `dict`; `python/meetjoin/result.py` makes an `Answer` of it.
//!
//! | question | function | file |
//! |---|---|---|
//! | a problem over a lattice of files: its value, proofs, strategies? | `Problem` | `problem.rs` |
//! | a game written in Python? | `solve_game`; `Game`, `Asked::search` | `solve_game.rs`; `own/own_game.rs`, `own/own_search.rs` |
//! | a game with hidden cards written in Python? | `hidden_game` | `own/own_hidden.rs` |
//! | a lattice written in Python? | `InPython` | `own/own_lattice.rs` |
//! | what becomes of an exception in a callback? | `raise`, `watched` | `own/raised.rs` |
//! | fault trees, attack trees, suits, packets? | `FaultTree`, `AttackTree`, `suit`, `packets` | `fault_tree.rs`, `attack_tree.rs`, `application.rs`, `packets.rs` |
//! | how do values go to Python and back? | `value`, `of_python` | `data/value.rs` |
//! | a lattice of files as an object? | `Lattice` | `data/lattice.rs` |
//! | files, arrays of rows, drawings? | `write_text`, `Rows`, `graph_picture`, `hasse` | `data/files.rs`, `data/rows.rs`, `data/drawing.rs` |
//! | what ends a search? | `Allowed`, `Watch` | `limits.rs` |
//! | how is the interpreter released, and what if it ends meanwhile? | `detached`, `closing` | `running.rs` |
//! | which error does a caller get? | `MeetjoinError`, `refused` | `error.rs` |

mod application;
mod attack_tree;
mod data;
mod error;
mod fault_tree;
mod limits;
mod own;
mod packets;
mod problem;
mod running;
mod solve_game;

use meetjoin_catalogue::method::ALGORITHMS;
use meetjoin_file::MAGIC;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use error::MeetjoinError;

/// The table of algorithms: id, name, the trait that the lattice needs, source.
#[pyfunction]
fn algorithms() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    let rows = ALGORITHMS.iter();
    rows.map(|row| (row.id, row.name, row.needs().trait_name(), row.source))
        .collect()
}

/// What is added to a message about an unknown name: ` (is alpha meant?)`, or nothing.
#[pyfunction]
fn meant(typed: &str, known: Vec<String>) -> String {
    meetjoin_report::meant(typed, known.iter().map(String::as_str))
}

#[pymodule(gil_used = false)]
fn _meetjoin(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("MAGIC", PyBytes::new(module.py(), &MAGIC))?;
    module.add("MeetjoinError", module.py().get_type::<MeetjoinError>())?;
    module.add_class::<problem::Problem>()?;
    module.add_class::<data::lattice::Lattice>()?;
    module.add_class::<fault_tree::FaultTree>()?;
    module.add_class::<attack_tree::AttackTree>()?;
    module.add("MOST_THREADS", meetjoin_solve::MOST_THREADS)?;
    module.add(
        "MOST_TRIALS",
        meetjoin_faults::answer::uncertainty::MOST_TRIALS,
    )?;
    module.add_function(wrap_pyfunction!(algorithms, module)?)?;
    module.add_function(wrap_pyfunction!(meant, module)?)?;
    module.add_function(wrap_pyfunction!(running::closing, module)?)?;
    module.add_function(wrap_pyfunction!(packets::packets, module)?)?;
    module.add_function(wrap_pyfunction!(application::suit, module)?)?;
    module.add_function(wrap_pyfunction!(data::files::write_text, module)?)?;
    module.add_function(wrap_pyfunction!(data::files::write_rows, module)?)?;
    module.add_function(wrap_pyfunction!(data::rows::arrays_of_text, module)?)?;
    module.add_function(wrap_pyfunction!(data::drawing::hasse, module)?)?;
    module.add_function(wrap_pyfunction!(data::drawing::graph_picture, module)?)?;
    module.add_function(wrap_pyfunction!(solve_game::solve_game, module)?)?;
    module.add_function(wrap_pyfunction!(own::own_hidden::hidden_game, module)?)?;
    Ok(())
}
