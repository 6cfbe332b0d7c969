//! Racing node by node, and level by level, where a level is the number of cards played.

use std::cell::RefCell;
use std::sync::Arc;

use meetjoin_dag::{HiddenSets, SeesAll as _, Stakes, Valuation as _};
use meetjoin_games::Numbered as _;
use meetjoin_games::racing::bounds::SeenHands;
use meetjoin_games::racing::{Racing, RacingHands, RacingPosition};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, FixedBitSet, Interval};
use meetjoin_solve::layered::Layered;
use meetjoin_solve::request::Refused;
use meetjoin_solve::value::Names;
use meetjoin_solve::view::Nodes;

use super::hands::{Hands, as_hands, sets_of};
use super::racing_plan::plan;
use crate::games::positions::Positions;
use crate::games::words::SetLattice;

/// A deal with its worlds, and the lattice of its values.
pub(super) struct Seen {
    hands: RacingHands,
    stakes: Stakes,
    lattice: SetLattice,
    any: AnyLattice,
    names: Arc<dyn Names>,
}

impl Seen {
    pub(super) fn new(deal: &Racing, lattice: SetLattice) -> Self {
        let hands = RacingHands::new(deal);
        Self {
            any: lattice.over(hands.hands().len()),
            stakes: Stakes::all(&hands),
            names: Arc::new(Hands(deal.clone())),
            hands,
            lattice,
        }
    }

    /// The values of leaves, as sets.
    fn sets(&self) -> Result<HiddenSets<'_, RacingHands, FixedBitSet>, Refused> {
        HiddenSets::new(&self.hands, &self.stakes).map_err(Refused::problem)
    }

    /// A set, as an element of the lattice of files.
    fn element(&self, set: &FixedBitSet) -> AnyElem {
        let element = self.any.set_of(set);
        element.unwrap_or_else(|| unreachable!("hands are worlds of the lattice"))
    }

    /// The positions, with the values of leaves.
    fn positions<'a>(
        &'a self,
        leaf: impl Fn(&RacingPosition) -> FixedBitSet + 'a,
    ) -> Positions<'a, Racing, Racing> {
        let (deal, is_family) = (self.hands.deal(), self.lattice == SetLattice::Families);
        Positions::new(
            deal,
            deal,
            &self.any,
            move |end| self.element(&leaf(end)),
            move |value| as_hands(value, is_family, &self.names),
        )
    }

    /// Shows the deal node by node, with bounds of positions and racing's own plans.
    pub(super) fn see(&self, see: &mut dyn FnMut(&dyn Nodes)) -> Result<(), Refused> {
        let (sets, free) = (self.sets()?, Budget::unlimited());
        let known = RefCell::new(SeenHands::from(&sets));
        let nodes = self.positions(|end| sets.leaf(end));
        let nodes = nodes.with_bounds(|position| {
            let seen = known.borrow_mut().seen(position, None, &free).ok()??;
            let upper = self.element(&seen.won);
            Some(match self.lattice {
                SetLattice::Families if !seen.by_one => {
                    Interval::new(self.element(&seen.impossible), upper)
                }
                SetLattice::Families | SetLattice::Powerset => Interval::Exact(upper),
            })
        });
        see(&nodes.with_plan(|of, stated, budget| {
            let sets = sets_of(of);
            let hands = sets.first().map_or(&[][..], Vec::as_slice);
            plan(self.hands.deal(), hands, stated, budget)
        }));
        Ok(())
    }
}

impl Layered for Seen {
    fn lattice(&self) -> &AnyLattice {
        &self.any
    }

    fn key_bits(&self) -> u32 {
        self.hands.deal().bits()
    }

    fn nodes(&self) -> Box<dyn Nodes + '_> {
        let sets = self.sets();
        let sets = sets.unwrap_or_else(|_| unreachable!("a bit set holds any number"));
        Box::new(self.positions(move |end| sets.leaf(end)))
    }
}
