//! What perfect information says of a position: bounds on its value in sets and families of worlds.
//!
//! Idea: the worlds that somebody wins who sees all cards are the union of a position's value, so
//! they are an upper bound. If no more than one layout is left in which anything can still be won,
//! they are the value itself. Otherwise the worlds of layouts that are impossible by now are a
//! lower bound.
//!
//! Where entries are limited, or the first lead is given, the table of tricks knows nothing of it,
//! so its numbers are bounds from above only.
//!
//! Cost: at a position between tricks a look into the table for each layout that is left. Within a
//! trick nothing is said: the search goes to its end faster.
//!
//! Source: union as a homomorphism from families to sets: the errata chapter.

use meetjoin_dag::{AndOrDag, Heuristic, Kind};
use meetjoin_lattice::{
    Antichain, Budget, Families, HeavyFamilies, Interval, Lattice, Powerset, Stop, WorldSet,
};

use super::game::{Stage, SuitPosition};
use super::perfect::DoubleDummy;
use super::values::SuitFamilies;

/// Bounds of positions between tricks from [`DoubleDummy`].
#[derive(Debug)]
pub struct SeenCards<'a, B: WorldSet> {
    values: &'a SuitFamilies<'a, B>,
    table: &'a mut DoubleDummy,
}

impl<'a, B: WorldSet> SeenCards<'a, B> {
    /// For the worlds of a valuation.
    pub fn new(values: &'a SuitFamilies<'a, B>, table: &'a mut DoubleDummy) -> Self {
        Self { values, table }
    }

    /// The worlds that somebody wins who sees all cards, and whether one strategy does; `None` in
    /// the middle of a trick.
    fn won(&mut self, position: &SuitPosition, budget: &Budget) -> Result<Option<(B, bool)>, Stop> {
        let game = self.values.game();
        if position.stage() != Stage::Lead || game.kind(position) == Kind::Leaf {
            return Ok(None);
        }
        let compatible = self.values.compatible(position);
        let mut won = self.values.incompatible(position);
        let (worlds, layouts) = (self.values.worlds(), game.suit().layouts());
        let mut last: Option<(usize, u8)> = None;
        let mut winnable = 0;
        for place in compatible.ones() {
            let world = worlds[place];
            let tricks = match last {
                Some((layout, tricks)) if layout == world.layout => tricks,
                _ => {
                    budget.steps(1)?;
                    let tricks = self
                        .table
                        .tricks(game, position, layouts[world.layout].west);
                    winnable += u32::from(tricks > game.floor() && tricks > position.tricks());
                    last = Some((world.layout, tricks));
                    tricks
                }
            };
            if world.more_than < tricks {
                won.insert(place);
            }
        }
        Ok(Some((won, winnable <= 1 && game.is_free(position))))
    }
}

impl<B: WorldSet> Heuristic<SuitPosition, Powerset<B>> for SeenCards<'_, B> {
    fn bounds(
        &mut self,
        lattice: &Powerset<B>,
        position: &SuitPosition,
        budget: &Budget,
    ) -> Result<Option<Interval<B>>, Stop> {
        let exact = self.values.game().is_free(position);
        let won = self.won(position, budget)?;
        Ok(won.map(|(won, _)| {
            if exact {
                Interval::Exact(won)
            } else {
                Interval::new(lattice.bottom(), won)
            }
        }))
    }
}

impl<B: WorldSet> Heuristic<SuitPosition, Families<B>> for SeenCards<'_, B> {
    fn bounds(
        &mut self,
        families: &Families<B>,
        position: &SuitPosition,
        budget: &Budget,
    ) -> Result<Option<Interval<Antichain<B>>>, Stop> {
        let won = self.won(position, budget)?;
        Ok(won.map(|(won, by_one)| {
            let upper = families.principal(won);
            if by_one {
                return Interval::Exact(upper);
            }
            Interval::new(
                families.principal(self.values.incompatible(position)),
                upper,
            )
        }))
    }
}

impl<'w, B: WorldSet> Heuristic<SuitPosition, HeavyFamilies<'w, B>> for SeenCards<'_, B> {
    fn bounds(
        &mut self,
        heavy: &HeavyFamilies<'w, B>,
        position: &SuitPosition,
        budget: &Budget,
    ) -> Result<Option<Interval<Antichain<B>>>, Stop> {
        let won = self.won(position, budget)?;
        Ok(won.map(|(won, by_one)| {
            let upper = heavy.principal(won);
            if by_one {
                return Interval::Exact(upper);
            }
            Interval::new(heavy.principal(self.values.incompatible(position)), upper)
        }))
    }
}
