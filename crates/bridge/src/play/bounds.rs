//! What perfect information says of a position: bounds on its value in sets and families of stakes.
//!
//! Idea: the stakes that are won double dummy (with all cards seen) contain the union of a
//! position's value, so they are an upper bound. If no more than one layout is left in which
//! anything can still be won, they are the value itself. Otherwise the stakes of layouts that are
//! impossible by now are a lower bound. Any game with hidden cards has such bounds from a search;
//! here a table of tricks knows them without one.
//!
//! The table of tricks ignores limits of entries and a first lead that is given, so with these its
//! numbers are upper bounds only.
//!
//! Cost: at a position between tricks, a look-up for each layout that is left. Within a trick there
//! are no bounds: searching to its end is faster.
//!
//! Source: union as a homomorphism from families to sets: the errata chapter.

use meetjoin_dag::{
    AndOrDag, HiddenFamilies, HiddenSets, Kind, PerfectInformation, Seen, SeesAll, Valuation,
};
use meetjoin_lattice::{Budget, Lattice, Stop, WorldSet};

use super::game::{Stage, SuitGame, SuitPosition};
use super::perfect::DoubleDummy;

/// The families of stakes that one strategy of declarer wins: those of any game with hidden cards.
/// A stake is a layout, by its place in [`Suit::layouts`](super::Suit::layouts), with a number of
/// tricks of which more are to be taken.
pub type SuitFamilies<'a, B> = HiddenFamilies<'a, SuitGame<'a>, B>;

/// Bounds of positions between tricks from [`DoubleDummy`].
pub type SeenCards<'a, B> = PerfectInformation<SeenSuit<'a, B>>;

/// Double-dummy results. See the [module page](self).
#[derive(Debug)]
pub struct SeenSuit<'a, B: WorldSet> {
    sets: &'a HiddenSets<'a, SuitGame<'a>, B>,
    table: &'a mut DoubleDummy,
}

/// For the stakes of a valuation.
impl<'a, B: WorldSet> From<(&'a SuitFamilies<'a, B>, &'a mut DoubleDummy)> for SeenSuit<'a, B> {
    fn from((values, table): (&'a SuitFamilies<'a, B>, &'a mut DoubleDummy)) -> Self {
        let sets = values.as_sets();
        Self { sets, table }
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
        let game = self.sets.game();
        if position.stage() != Stage::Lead || game.kind(position) == Kind::Leaf {
            return Ok(None);
        }
        let possible = self.sets.possible(position);
        let mut impossible = self.sets.lattice().top();
        impossible.subtract(&possible);
        let mut won = impossible.clone();
        let (stakes, layouts) = (self.sets.stakes(), game.suit().layouts());
        let mut last: Option<(usize, u8)> = None;
        let mut winnable = 0;
        for place in possible.ones() {
            let Some(stake) = stakes.get(place) else {
                continue;
            };
            let tricks = match last {
                Some((world, tricks)) if world == stake.world => tricks,
                _ => {
                    budget.steps(1)?;
                    let west = layouts[stake.world].west;
                    let tricks = self.table.tricks(game, position, west);
                    winnable += u32::from(tricks > game.floor() && tricks > position.tricks());
                    last = Some((stake.world, tricks));
                    tricks
                }
            };
            if stake.more_than < tricks.into() {
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
