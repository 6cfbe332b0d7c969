//! Racing level by level: a level is the number of cards played.

use std::sync::Arc;

use meetjoin_games::Numbered as _;
use meetjoin_games::racing::{OfWorlds, Racing, RacingFamilies, RacingSets};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, FixedBitSet, Lattice as _};

use super::hands::{Hands, as_hands};
use crate::answers::request::Refused;
use crate::answers::value::Names;
use crate::games::words::SetLattice;
use crate::nodes::layered::{Layered, Nodes, Positions};

/// A deal, and where its values live.
struct Levels {
    game: Racing,
    lattice: SetLattice,
    any: AnyLattice,
    names: Arc<dyn Names>,
}

/// A deal level by level.
pub(crate) fn layered(game: Racing, lattice: SetLattice) -> Result<Arc<dyn Layered>, Refused> {
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
    fn positions<'a, V: OfWorlds + 'a, E>(&'a self, values: Result<V, E>) -> Box<dyn Nodes + 'a> {
        let values = values.ok();
        let lattice = &self.any;
        let free = Budget::unlimited();
        let leaf = move |position: &_| {
            let sets = values.iter().flat_map(|all| V::sets(&all.leaf(position)));
            let sets: Vec<AnyElem> = sets.filter_map(|set| lattice.set(set)).collect();
            let mut all = lattice.bottom();
            for set in &sets {
                // Without limits there is no stop.
                let _ = lattice.join_assign(&mut all, set, &free);
            }
            all
        };
        let show = |value: &AnyElem| as_hands(value, V::FAMILIES, &self.names);
        Box::new(Positions::new(&self.game, &self.game, leaf, show))
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
            SetLattice::Powerset => self.positions(RacingSets::<FixedBitSet>::new(&self.game)),
            SetLattice::Families => self.positions(RacingFamilies::<FixedBitSet>::new(&self.game)),
        }
    }
}
