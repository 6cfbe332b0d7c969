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

use meetjoin_dag::{AndOrDag, Kind, PerfectInformation, Seen, SeesAll};
use meetjoin_lattice::{Budget, Stop, WorldSet};

use super::game::{Stage, SuitPosition};
use super::perfect::DoubleDummy;
use super::values::SuitFamilies;

/// Bounds of positions between tricks from [`DoubleDummy`].
pub type SeenCards<'a, B> = PerfectInformation<SeenSuit<'a, B>>;

/// What is won by somebody who sees all cards. See the [module page](self).
#[derive(Debug)]
pub struct SeenSuit<'a, B: WorldSet> {
    values: &'a SuitFamilies<'a, B>,
    table: &'a mut DoubleDummy,
}

/// For the worlds of a valuation.
impl<'a, B: WorldSet> From<(&'a SuitFamilies<'a, B>, &'a mut DoubleDummy)> for SeenSuit<'a, B> {
    fn from((values, table): (&'a SuitFamilies<'a, B>, &'a mut DoubleDummy)) -> Self {
        Self { values, table }
    }
}

impl<B: WorldSet> SeesAll<SuitPosition, B> for SeenSuit<'_, B> {
    /// Nothing in the middle of a trick.
    fn seen(
        &mut self,
        position: &SuitPosition,
        _: Option<&B>,
        budget: &Budget,
    ) -> Result<Option<Seen<B>>, Stop> {
        let game = self.values.game();
        if position.stage() != Stage::Lead || game.kind(position) == Kind::Leaf {
            return Ok(None);
        }
        let compatible = self.values.compatible(position);
        let impossible = self.values.incompatible(position);
        let mut won = impossible.clone();
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
        let is_exact = game.is_free(position);
        Ok(Some(Seen {
            impossible,
            won,
            is_exact,
            by_one: winnable <= 1 && is_exact,
        }))
    }
}
