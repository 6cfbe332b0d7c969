//! Racing node by node, and level by level: a level is the number of cards played.

use std::cell::RefCell;
use std::sync::Arc;

use meetjoin_dag::Heuristic as _;
use meetjoin_games::Numbered as _;
use meetjoin_games::racing::{OfWorlds, Racing, RacingFamilies, RacingPosition, RacingSets};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, ElemOf, FixedBitSet, Lattice as _};

use super::hands::{Hands, as_hands, sets_of};
use super::racing_plan::plan;
use crate::answers::request::Refused;
use crate::answers::value::{Names, shown};
use crate::games::words::SetLattice;
use crate::nodes::layered::Layered;
use crate::nodes::positions::Positions;
use crate::nodes::view::Nodes;

/// The value of a deal as an element of the lattice of files.
fn element<V: OfWorlds>(value: &ElemOf<V::Lattice>, lattice: &AnyLattice) -> AnyElem {
    let free = Budget::unlimited();
    // Hands are worlds of the lattice, and without limits there is no stop.
    let sets = V::maximal(value).iter();
    let sets = sets.filter_map(|set| lattice.set_of(set));
    let all = sets.reduce(|mut all, set| {
        let _ = lattice.join_assign(&mut all, &set, &free);
        all
    });
    all.unwrap_or_else(|| lattice.bottom())
}

/// The positions of a deal, with these values of its ends.
fn positions<'a, V: OfWorlds>(
    game: &'a Racing,
    lattice: &'a AnyLattice,
    names: &'a Arc<dyn Names>,
    leaf: impl Fn(&RacingPosition) -> ElemOf<V::Lattice> + 'a,
) -> Positions<'a, Racing, Racing> {
    Positions::new(
        game,
        game,
        lattice,
        move |end| element::<V>(&leaf(end), lattice),
        |value| as_hands(value, V::FAMILIES, names),
    )
}

/// Shows a deal with these values node by node.
pub(super) fn see_deal<V: OfWorlds>(
    game: &Racing,
    values: &V,
    lattice: &AnyLattice,
    see: &mut dyn FnMut(&dyn Nodes),
) {
    let names: Arc<dyn Names> = Arc::new(Hands(game.clone()));
    let (known, free) = (RefCell::new(values.known()), Budget::unlimited());
    let nodes = positions::<V>(game, lattice, &names, |end| values.leaf(end));
    let nodes = nodes.with_bounds(|position| {
        let known = known.borrow_mut().bounds(values.lattice(), position, &free);
        Some(shown(&known.ok()??, |value| element::<V>(value, lattice)))
    });
    see(&nodes.with_plan(|of, stated, budget| {
        let sets = sets_of(of);
        let hands = sets.first().map_or(&[][..], Vec::as_slice);
        plan(game, hands, stated, budget)
    }));
}

/// A deal, and where its values live.
struct Levels {
    game: Racing,
    lattice: SetLattice,
    any: AnyLattice,
    names: Arc<dyn Names>,
}

/// A deal level by level.
pub(super) fn layered(game: Racing, lattice: SetLattice) -> Result<Arc<dyn Layered>, Refused> {
    // Threads make their own values; here it is found out that they can.
    RacingSets::<FixedBitSet>::new(&game).map_err(Refused::problem)?;
    let any = lattice.over(game.world_count() as usize);
    let names = Arc::new(Hands(game.clone()));
    Ok(Arc::new(Levels {
        game,
        lattice,
        any,
        names,
    }))
}

impl Levels {
    /// The positions with these values. Without values, which was ruled out before, all are worth
    /// the bottom.
    fn of<'a, V: OfWorlds + 'a, E>(&'a self, values: Result<V, E>) -> Box<dyn Nodes + 'a> {
        let nothing = || unreachable!("values were made before");
        let values = values.unwrap_or_else(|_| nothing());
        Box::new(positions::<V>(
            &self.game,
            &self.any,
            &self.names,
            move |end| values.leaf(end),
        ))
    }
}

impl Layered for Levels {
    fn lattice(&self) -> &AnyLattice {
        &self.any
    }

    fn key_bits(&self) -> u32 {
        self.game.bits()
    }

    fn nodes(&self) -> Box<dyn Nodes + '_> {
        match self.lattice {
            SetLattice::Powerset => self.of(RacingSets::<FixedBitSet>::new(&self.game)),
            SetLattice::Families => self.of(RacingFamilies::<FixedBitSet>::new(&self.game)),
        }
    }
}
