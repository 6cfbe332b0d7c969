//! The best value of one attribute, with an attack that has it.

use meetjoin_lattice::{Budget, Stop};

use super::criteria::{Criteria, Criterion};
use super::witness::{NOTHING, Witness, Witnesses};
use super::{Algebra, Compared};

/// The least sum, the least maximum or the greatest product, with an attack that has it.
#[derive(Debug)]
pub struct Best<'a> {
    criteria: &'a Criteria,
    criterion: Criterion,
    witnesses: &'a Witnesses,
}

impl<'a> Best<'a> {
    /// For a single criterion.
    pub fn of(criteria: &'a Criteria, witnesses: &'a Witnesses) -> Self {
        Self {
            criteria,
            criterion: criteria.all[0],
            witnesses,
        }
    }
}

impl Algebra for Best<'_> {
    /// `None`: never.
    type Value = Option<(f64, Witness)>;

    fn never(&self) -> Self::Value {
        None
    }

    fn always(&self) -> Self::Value {
        Some((Criterion::FREE, NOTHING))
    }

    fn leaf(&self, node: u32) -> Self::Value {
        Some((self.criteria.of_leaf(node)[0], self.witnesses.leaf(node)))
    }

    fn choose(
        &self,
        variable: &Self::Value,
        high: &Self::Value,
        low: &Self::Value,
        _: &Budget,
    ) -> Result<Self::Value, Stop> {
        let (Some((own, first)), Some((rest, then))) = (*variable, *high) else {
            return Ok(*low);
        };
        let with = self.criterion.times(own, rest);
        match *low {
            Some((without, _)) if without <= with => Ok(*low),
            _ => Ok(Some((with, self.witnesses.join(first, then)))),
        }
    }
}

impl Compared for Best<'_> {
    fn no_more(&self, a: &Self::Value, b: &Self::Value) -> bool {
        match (a, b) {
            (None, _) => true,
            (_, None) => false,
            (Some((a, _)), Some((b, _))) => self.criterion.no_worse(*b, *a),
        }
    }
}
