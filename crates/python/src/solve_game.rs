//! Games written in Python, over lattices of files and lattices written in Python, under every
//! algorithm.
//!
//! A lattice in Python declares its trait; [`solve_game`] refuses algorithms that need another.

use meetjoin_catalogue::engine;
use meetjoin_catalogue::method::{ALGORITHMS, DEFAULT, Needs};
use meetjoin_lattice::{AnyElem, Licensed};
use meetjoin_solve::Refused;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::{lattice, value};
use crate::error::refused;
use crate::limits::{Allowed, Limit, Watch, algorithm};
use crate::own::nesting::Nested;
use crate::own::own_game::{Game, Leaves};
use crate::own::own_lattice::{Element, InPython};
use crate::own::own_search::{Asked, as_found, by_claims};
use crate::own::raised::watched;

/// Solves a game written in Python over a lattice of files (with `write`, which makes JSON of a
/// value) or one written in Python, which is `needs`: "Lattice", "DistributiveLattice" or
/// "TotalOrder".
#[pyfunction]
#[pyo3(signature = (game, lattice, needs, write, algorithm, time_limit, max_visits, max_memory, moves, progress))]
pub(crate) fn solve_game<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    lattice: &Bound<'py, PyAny>,
    needs: &str,
    write: &Bound<'py, PyAny>,
    algorithm: Option<&str>,
    time_limit: Option<f64>,
    max_visits: Option<Limit>,
    max_memory: Option<Limit>,
    moves: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let _nested = Nested::enter()?;
    let known = match needs {
        "TotalOrder" => Needs::TotalOrder,
        "DistributiveLattice" => Needs::Distributive,
        _ => Needs::Lattice,
    };
    let suitable = if DEFAULT.needs().met_by(known) {
        DEFAULT.id
    } else {
        "minimax-cached"
    };
    let algorithm = self::algorithm(algorithm.unwrap_or(suitable))?;
    let claims = algorithm.needs() == Needs::JoinPrimes;
    if !claims && !algorithm.needs().met_by(known) {
        let why = format!(
            ", and this lattice says that it is a {}",
            known.trait_name()
        );
        return Err(refused(Refused::needs(&algorithm, known, &why)));
    }
    let allowed = Allowed::new(py, time_limit, max_visits, max_memory)?;
    let budget = allowed.budget();
    let game = Game::new(game, &budget)?;
    let asked = Asked {
        game: &game,
        algorithm,
        budget: &budget,
        moves,
        watch: Watch::new(&allowed, progress),
    };
    let (found, raised) = watched(&allowed.cancel, || {
        if let Ok(built_in) = lattice.cast::<lattice::Lattice>() {
            let any = &built_in.get().0;
            let read = |object: &Bound<'_, PyAny>| match value::of_python(any, object) {
                Some(value) => Ok(value),
                None => value::read(any, &write.call1((object,))?.extract::<String>()?),
            };
            if claims {
                return by_claims(py, asked, any, &read);
            }
            let show = |py: Python<'_>, value: &AnyElem| value::element(py, any, value);
            let leaves = Leaves::new(&game, Licensed(any.clone()), &read);
            match known {
                Needs::Lattice => asked.search(py, &leaves, &show, engine::any_lattice, as_found),
                _ => asked.search(py, &leaves, &show, engine::total_order, as_found),
            }
        } else {
            let own = InPython::new(lattice)?;
            let read = |value: &Bound<'_, PyAny>| Ok(Element::new(value));
            let show = |py: Python<'_>, value: &Element| Ok(value.0.clone_ref(py));
            let leaves = Leaves::new(&game, own, &read);
            match known {
                _ if claims => Ok(None),
                Needs::Lattice => asked.search(py, &leaves, &show, engine::any_lattice, as_found),
                _ => asked.search(py, &leaves, &show, engine::total_order, as_found),
            }
        }
    });
    match raised {
        Some(error) => Err(error),
        None => found?.ok_or_else(|| {
            let runs = ALGORITHMS.iter().filter(|row| row.needs().met_by(known));
            let runs: Vec<&str> = runs.map(|row| row.id).collect();
            let (why, runs) = (Refused::no_claims(&algorithm), runs.join(" or "));
            refused(format!("{why}; --algorithm {runs} would work"))
        }),
    }
}
