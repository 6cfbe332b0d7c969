//! A lattice written in Python: elements are Python objects, compared by `==`.

use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::sync::Arc;

use meetjoin_lattice::{Budget, DistributiveLattice, Lattice, Stop, TotalOrder};
use pyo3::prelude::*;

use crate::own::raised::call;

/// An element of a lattice written in Python.
#[derive(Clone)]
pub(crate) struct Element(pub(crate) Arc<Py<PyAny>>);

impl Element {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> Self {
        Self(Arc::new(object.clone().unbind()))
    }
}

impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&*other.0) || call(|py| self.0.bind(py).eq(other.0.bind(py))).unwrap_or(false)
    }
}

impl Eq for Element {}

impl Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&call(|py| Ok(self.0.bind(py).repr()?.to_string())).unwrap_or_default())
    }
}

/// An object with `join`, `meet`, `leq`, `bottom` and `top`.
#[derive(Debug)]
pub(crate) struct InPython {
    join: Py<PyAny>,
    meet: Py<PyAny>,
    leq: Py<PyAny>,
    bottom: Element,
    top: Element,
}

impl InPython {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let method = |name| object.getattr(name).map(Bound::unbind);
        let end = |name| Ok::<_, PyErr>(Element::new(&object.call_method0(name)?));
        Ok(Self {
            join: method("join")?,
            meet: method("meet")?,
            leq: method("leq")?,
            bottom: end("bottom")?,
            top: end("top")?,
        })
    }

    fn combine(method: &Py<PyAny>, a: &mut Element, b: &Element) -> Result<(), Stop> {
        if Arc::ptr_eq(&a.0, &b.0) {
            return Ok(());
        }
        let combined = call(|py| {
            let arguments = (a.0.clone_ref(py), b.0.clone_ref(py));
            method.call1(py, arguments)
        });
        *a = Element(Arc::new(combined.ok_or(Stop::Cancelled)?));
        Ok(())
    }
}

impl Lattice for InPython {
    type Elem = Element;

    fn bottom(&self) -> Element {
        self.bottom.clone()
    }

    fn top(&self) -> Element {
        self.top.clone()
    }

    fn leq(&self, a: &Element, b: &Element, _: &Budget) -> Result<bool, Stop> {
        if Arc::ptr_eq(&a.0, &b.0) {
            return Ok(true);
        }
        let below = call(|py| {
            let arguments = (a.0.clone_ref(py), b.0.clone_ref(py));
            self.leq.bind(py).call1(arguments)?.is_truthy()
        });
        below.ok_or(Stop::Cancelled)
    }

    fn join_assign(&self, a: &mut Element, b: &Element, _: &Budget) -> Result<(), Stop> {
        Self::combine(&self.join, a, b)
    }

    fn meet_assign(&self, a: &mut Element, b: &Element, _: &Budget) -> Result<(), Stop> {
        Self::combine(&self.meet, a, b)
    }
}

// Marker traits: the object declares its properties, and the caller checks them before a search.
impl DistributiveLattice for InPython {}

impl TotalOrder for InPython {
    fn compare(&self, a: &Element, b: &Element) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        match self.leq(a, b, &Budget::unlimited()) {
            Ok(true) => Ordering::Less,
            Ok(false) => Ordering::Greater,
            Err(_) => Ordering::Equal,
        }
    }
}
