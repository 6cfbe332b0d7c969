//! Ways through event trees, what they collect, and why they may not be found.

use std::collections::BTreeMap;
use std::rc::Rc;

use meetjoin_lattice::Stop;

use crate::model::formula::Operand;
use crate::model::place::FaultTreeFileError;

/// House events that were set.
pub(crate) type Houses = BTreeMap<u32, bool>;

/// A formula that a way collected. Ways that begin alike share what they collect until they part:
/// each of their own would make a square of a chain of forks.
#[derive(Clone, Debug)]
pub(crate) struct Collected {
    pub(crate) operand: Operand,
    /// The house events as set at that point.
    pub(crate) houses: Rc<Houses>,
    /// The place of what was collected before, which is less.
    pub(crate) before: Option<u32>,
}

/// A way, as far as it was followed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    /// The place of the formula that was collected last.
    pub(crate) last: Option<u32>,
    /// The product of what was collected, if anything was.
    pub(crate) factor: Option<f64>,
    pub(crate) houses: Rc<Houses>,
}

/// Why sequences cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SequencesError {
    /// A limit fired.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// Something is wrong with the model.
    #[error(transparent)]
    Model(#[from] FaultTreeFileError),
    /// No initiating event leads into an event tree.
    #[error("no initiating event leads into an event tree")]
    None,
}
