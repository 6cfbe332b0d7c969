//! A way through event trees, and what it collects.

use std::collections::BTreeMap;

use crate::model::expression::Path;
use crate::model::formula::Operand;

/// House events that were set.
pub(crate) type Houses = BTreeMap<u32, bool>;

/// A formula that a way collected, with the house events as set at that point.
pub(crate) type Collected = (Operand, Houses);

/// A way to a sequence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    pub(crate) formulas: Vec<Collected>,
    /// The product of what was collected, if anything was.
    pub(crate) factor: Option<f64>,
    pub(crate) houses: Houses,
    pub(crate) path: Path,
}
