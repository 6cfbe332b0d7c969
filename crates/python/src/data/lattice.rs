//! The lattices that a problem file can describe, as objects.

use meetjoin_file::{lattice_from_json, lattice_to_json};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Chain, Decimal, Extended, Lattice as _, Stop};
use pyo3::prelude::*;

use crate::data::value;
use crate::error::refused;

/// A lattice of the file format. Elements come in as JSON and go out as Python objects.
#[pyclass(frozen, module = "meetjoin._meetjoin")]
pub(crate) struct Lattice(pub(crate) AnyLattice);

#[pymethods]
impl Lattice {
    #[new]
    fn new(json: &str) -> PyResult<Self> {
        Ok(Self(lattice_from_json(json).map_err(refused)?))
    }

    fn json(&self) -> String {
        lattice_to_json(&self.0)
    }

    fn bottom(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        value::element(py, &self.0, &self.0.bottom())
    }

    fn top(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        value::element(py, &self.0, &self.0.top())
    }

    fn join(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<Py<PyAny>> {
        self.combine(py, a, b, AnyLattice::join_assign)
    }

    fn meet(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<Py<PyAny>> {
        self.combine(py, a, b, AnyLattice::meet_assign)
    }

    fn leq(&self, a: &str, b: &str) -> PyResult<bool> {
        let (a, b) = (value::read(&self.0, a)?, value::read(&self.0, b)?);
        self.0.leq(&a, &b, &Budget::unlimited()).map_err(refused)
    }

    /// The same chain over decimals.
    fn decimals(&self) -> PyResult<Self> {
        let AnyLattice::Integers(chain) = &self.0 else {
            return Err(refused("only a chain of integers has one of decimals"));
        };
        let decimal = |end: &Extended| match end {
            Extended::NegInf => Some(Decimal::NEG_INF),
            Extended::Finite(end) => Decimal::new(*end as f64),
            Extended::PosInf => Some(Decimal::POS_INF),
        };
        let ends = decimal(chain.lo()).zip(decimal(chain.hi()));
        let chain = ends.and_then(|(lo, hi)| Chain::new(lo, hi));
        chain
            .map(|chain| Self(AnyLattice::Decimals(chain)))
            .ok_or_else(|| refused("the chain is empty"))
    }

    fn is_distributive(&self) -> bool {
        self.0.check_distributive().is_ok()
    }

    fn is_total(&self) -> bool {
        self.0.check_total().is_ok()
    }
}

impl Lattice {
    fn combine(
        &self,
        py: Python<'_>,
        a: &str,
        b: &str,
        operation: impl Fn(&AnyLattice, &mut AnyElem, &AnyElem, &Budget) -> Result<(), Stop>,
    ) -> PyResult<Py<PyAny>> {
        let (mut a, b) = (value::read(&self.0, a)?, value::read(&self.0, b)?);
        operation(&self.0, &mut a, &b, &Budget::unlimited()).map_err(refused)?;
        value::element(py, &self.0, &a)
    }
}
