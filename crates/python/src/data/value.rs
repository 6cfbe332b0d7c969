//! Values as Python has them, and back.

use meetjoin_file::{print_value, read_value};
use meetjoin_lattice::{
    Antichain, AnyElem, AnyLattice, Budget, Decimal, Extended, Interval, Lattice as _, WorldSet,
};
use meetjoin_solve::Value;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyTuple};
use serde_json::Value as Json;

use crate::error::refused;

/// The most minimal sets of a function that are listed.
const MOST_SETS: usize = 10_000;

/// An element: `bool`, `int`, `float`, `frozenset` of worlds from 1 on, `frozenset` of those,
/// `tuple`, and `frozenset` of `frozenset` of `tuple` in the free lattice. An element of a table is
/// its number.
pub(crate) fn element(
    py: Python<'_>,
    lattice: &AnyLattice,
    element: &AnyElem,
) -> PyResult<Py<PyAny>> {
    match (lattice, element) {
        (AnyLattice::Dual(dual), element) => self::element(py, &dual.0, element),
        (AnyLattice::Product(product), AnyElem::Tuple(values)) => {
            let factors = product.factors().iter().zip(values);
            let values = factors.map(|(lattice, value)| self::element(py, lattice, value));
            let values = values.collect::<PyResult<Vec<_>>>()?;
            PyTuple::new(py, values)?.into_py_any(py)
        }
        (_, AnyElem::Bool(value)) => value.into_py_any(py),
        (_, AnyElem::Integer(value)) => integer(py, *value),
        (_, AnyElem::Decimal(value)) => value.get().into_py_any(py),
        (_, AnyElem::SmallSet(set)) => worlds(py, set),
        (_, AnyElem::Set(set)) => worlds(py, set),
        (_, AnyElem::SmallFamily(family)) => sets(py, family),
        (_, AnyElem::Family(family)) => sets(py, family),
        (_, AnyElem::Divisor(value)) => value.into_py_any(py),
        (_, AnyElem::Free(packets)) => {
            let packets = packets.maximal().iter().map(|packet| {
                let outcomes = packet.maximal().iter().map(|outcome| {
                    let numbers = outcome.iter().map(|number| integer(py, *number));
                    PyTuple::new(py, numbers.collect::<PyResult<Vec<_>>>()?)
                });
                PyFrozenSet::new(py, outcomes.collect::<PyResult<Vec<_>>>()?)
            });
            PyFrozenSet::new(py, packets.collect::<PyResult<Vec<_>>>()?)?.into_py_any(py)
        }
        (AnyLattice::Monotone(functions), AnyElem::Function(function)) => {
            // At most as many as answers list.
            let sets = functions.sets(*function, MOST_SETS, &Budget::unlimited());
            match sets.map_err(refused)? {
                Ok(sets) => {
                    let sets = sets.into_iter().map(|set| PyFrozenSet::new(py, set));
                    PyFrozenSet::new(py, sets.collect::<PyResult<Vec<_>>>()?)?.into_py_any(py)
                }
                Err(count) => {
                    let dict = PyDict::new(py);
                    dict.set_item("count", count)?;
                    dict.into_py_any(py)
                }
            }
        }
        (lattice, element) => {
            let mut text = String::new();
            print_value(lattice, element, &mut text);
            json(py, &serde_json::from_str(&text).map_err(refused)?)
        }
    }
}

fn integer(py: Python<'_>, value: Extended) -> PyResult<Py<PyAny>> {
    match value {
        Extended::NegInf => f64::NEG_INFINITY.into_py_any(py),
        Extended::Finite(value) => value.into_py_any(py),
        Extended::PosInf => f64::INFINITY.into_py_any(py),
    }
}

fn worlds<B: WorldSet>(py: Python<'_>, set: &B) -> PyResult<Py<PyAny>> {
    PyFrozenSet::new(py, set.ones().map(|world| world + 1))?.into_py_any(py)
}

fn sets<B: WorldSet>(py: Python<'_>, family: &Antichain<B>) -> PyResult<Py<PyAny>> {
    let sets = family.maximal().iter().map(|set| worlds(py, set));
    PyFrozenSet::new(py, sets.collect::<PyResult<Vec<_>>>()?)?.into_py_any(py)
}

/// JSON as Python has it, with tuples for lists.
pub(crate) fn json(py: Python<'_>, value: &Json) -> PyResult<Py<PyAny>> {
    match value {
        Json::Null => Ok(py.None()),
        Json::Bool(value) => value.into_py_any(py),
        Json::Number(number) => match number.as_i64() {
            Some(number) => number.into_py_any(py),
            None => number.as_f64().into_py_any(py),
        },
        Json::String(text) => text.into_py_any(py),
        Json::Array(values) => {
            let values = values.iter().map(|value| json(py, value));
            PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_py_any(py)
        }
        Json::Object(members) => {
            let dict = PyDict::new(py);
            for (key, value) in members {
                dict.set_item(key, json(py, value)?)?;
            }
            dict.into_py_any(py)
        }
    }
}

/// A value of an answer.
pub(crate) fn value(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    match value {
        Value::Element { element, domain } => self::element(py, &domain.lattice, element),
        Value::Sets {
            sets,
            is_family,
            names,
        } => {
            let sets = sets.iter().map(|set| {
                let set: Json = serde_json::from_str(&names.json(set)).map_err(refused)?;
                let worlds = set.as_array().into_iter().flatten();
                let worlds = worlds.map(|world| json(py, world));
                PyFrozenSet::new(py, worlds.collect::<PyResult<Vec<_>>>()?)
            });
            let sets = sets.collect::<PyResult<Vec<_>>>()?;
            match (is_family, sets.as_slice()) {
                (false, [set]) => set.into_py_any(py),
                _ => PyFrozenSet::new(py, sets)?.into_py_any(py),
            }
        }
        // Only occurs where a request limits the items of bounds.
        Value::End { .. } => value.text().into_py_any(py),
    }
}

/// `exact`, `value`, `lower` and `upper` of a result.
pub(crate) fn bounds(
    py: Python<'_>,
    into: &Bound<'_, PyDict>,
    lower: Py<PyAny>,
    upper: Option<Py<PyAny>>,
) -> PyResult<()> {
    let exact = upper.is_none();
    let upper = upper.unwrap_or_else(|| lower.clone_ref(py));
    into.set_item("exact", exact)?;
    into.set_item("value", exact.then(|| lower.clone_ref(py)))?;
    into.set_item("lower", lower)?;
    into.set_item("upper", upper)
}

/// The same of an interval.
pub(crate) fn interval<E>(
    py: Python<'_>,
    into: &Bound<'_, PyDict>,
    interval: &Interval<E>,
    show: impl Fn(&E) -> PyResult<Py<PyAny>>,
) -> PyResult<()> {
    let lower = show(interval.lower())?;
    let upper = match interval {
        Interval::Exact(_) => None,
        Interval::Between { upper, .. } => Some(show(upper)?),
    };
    bounds(py, into, lower, upper)
}

/// The element of a lattice that a Python value is, where that takes no JSON: truth values,
/// numbers, and sets of a small lattice. `None` if the value has no such form; it may still be one
/// in JSON.
pub(crate) fn of_python(lattice: &AnyLattice, value: &Bound<'_, PyAny>) -> Option<AnyElem> {
    match lattice {
        AnyLattice::Bool(_) => Some(AnyElem::Bool(value.cast_exact::<PyBool>().ok()?.is_true())),
        AnyLattice::Integers(chain) => {
            let number = Extended::Finite(whole(value)?);
            chain.contains(&number).then_some(AnyElem::Integer(number))
        }
        AnyLattice::Decimals(chain) => {
            let number = value.cast_exact::<PyFloat>().ok()?.value();
            let number = Decimal::new(number).filter(|number| chain.contains(number))?;
            Some(AnyElem::Decimal(number))
        }
        AnyLattice::SmallPowerset(_) | AnyLattice::Powerset(_) => lattice.set(members(value)?),
        AnyLattice::SmallFamilies(_) | AnyLattice::Families(_) => {
            let mut family = lattice.bottom();
            for set in value.cast_exact::<PyFrozenSet>().ok()?.iter() {
                let set = lattice.set(members(&set)?)?;
                lattice
                    .join_assign(&mut family, &set, &Budget::unlimited())
                    .ok()?;
            }
            Some(family)
        }
        _ => None,
    }
}

/// An `int` that is no `bool`.
fn whole(value: &Bound<'_, PyAny>) -> Option<i64> {
    value.cast_exact::<PyInt>().ok()?.extract().ok()
}

/// The worlds of a set, counted from 0.
fn members(set: &Bound<'_, PyAny>) -> Option<Vec<usize>> {
    let members = set.cast_exact::<PyFrozenSet>().ok()?.iter();
    let members = members.map(|world| usize::try_from(whole(&world)?.checked_sub(1)?).ok());
    members.collect()
}

/// The element of a lattice that a Python value is, given as the JSON of problem files.
pub(crate) fn read(lattice: &AnyLattice, json: &str) -> PyResult<AnyElem> {
    read_value(lattice, json).map_err(refused)
}

/// A list of JSON texts as elements; `name` is what an error calls one, by its place.
pub(crate) fn read_all(
    lattice: &AnyLattice,
    list: &Bound<'_, PyList>,
    name: impl Fn(usize) -> String,
) -> PyResult<Vec<AnyElem>> {
    let values = list.iter().enumerate().map(|(place, json)| {
        let value = read_value(lattice, &json.extract::<String>()?);
        value.map_err(|error| refused(format!("{}: {error}", name(place))))
    });
    values.collect()
}
