//! Bounds of positions from perfect information, whatever the game.
//!
//! Problem: a search in families of sets is lost without bounds of inner positions. What helps is
//! what somebody wins who sees the hidden cards, and every game knows that in its own way: by a
//! search over all worlds at once, by a table of ranks, by a table of tricks.
//!
//! Idea: the union of a family is a [homomorphism](meetjoin_lattice::relaxation), so what is won
//! with all cards seen is an upper bound of a position's value, as one set. Worlds in which the
//! position cannot come about constrain nothing, so they are a lower bound. The upper bound is the
//! value where one strategy wins all of it: always where no more than one world can still be won,
//! for with one world in mind MAX plays as if she saw it. A game says these things ([`SeesAll`]),
//! and [`PerfectInformation`] makes bounds of them over sets, families, and their heavy parts.
//!
//! Invariant: bounds are true of the position, whatever the window.
//!
//! Source: Frank, Basin (1998) for the model; union as a homomorphism: the errata chapter.

use meetjoin_lattice::{
    Antichain, Budget, Families, HeavyFamilies, Interval, Lattice, Powerset, Stop, WorldSet,
};

use crate::Heuristic;

/// What somebody wins from a position on who sees all cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen<B> {
    /// What is in every value: that of worlds in which the position cannot come about.
    pub impossible: B,
    /// All that is won, the impossible included, as far as it was asked for.
    pub won: B,
    /// Whether all of it really is won, and not more than that.
    pub is_exact: bool,
    /// Whether one strategy is known to win all of it that does not see the cards.
    pub by_one: bool,
}

/// Whoever knows what is won with all cards seen: a game's own table, or a search.
pub trait SeesAll<P, B> {
    /// What is won at a position, of the things in `universe` if there is one; `None` if nothing is
    /// known of such a position.
    ///
    /// # Errors
    /// When the budget ends it.
    fn seen(
        &mut self,
        position: &P,
        universe: Option<&B>,
        budget: &Budget,
    ) -> Result<Option<Seen<B>>, Stop>;
}

/// Bounds of positions. See the [module page](self).
#[derive(Clone, Debug)]
pub struct PerfectInformation<S>(S);

impl<S> PerfectInformation<S> {
    /// By what somebody knows, or can be asked by a table that is made of it.
    pub fn new(known: impl Into<S>) -> Self {
        Self(known.into())
    }

    /// What is won at a position by somebody who sees all, with all that is impossible there: its
    /// value in sets, if that is known.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn seen<P, B>(&mut self, position: &P, budget: &Budget) -> Result<Option<B>, Stop>
    where
        S: SeesAll<P, B>,
    {
        let seen = self.0.seen(position, None, budget)?;
        Ok(seen.filter(|seen| seen.is_exact).map(|seen| seen.won))
    }

    /// Bounds among families, `family` the one of a set.
    fn in_families<P, B: WorldSet>(
        &mut self,
        position: &P,
        universe: Option<&B>,
        budget: &Budget,
        family: impl Fn(B) -> Antichain<B>,
    ) -> Result<Option<Interval<Antichain<B>>>, Stop>
    where
        S: SeesAll<P, B>,
    {
        let seen = self.0.seen(position, universe, budget)?;
        Ok(seen.map(|seen| {
            let upper = family(seen.won);
            if seen.by_one {
                Interval::Exact(upper)
            } else {
                Interval::new(family(seen.impossible), upper)
            }
        }))
    }
}

impl<P, B: WorldSet, S: SeesAll<P, B>> Heuristic<P, Powerset<B>> for PerfectInformation<S> {
    fn bounds(
        &mut self,
        sets: &Powerset<B>,
        position: &P,
        budget: &Budget,
    ) -> Result<Option<Interval<B>>, Stop> {
        let seen = self.0.seen(position, None, budget)?;
        Ok(seen.map(|seen| {
            if seen.is_exact {
                Interval::Exact(seen.won)
            } else {
                Interval::new(sets.bottom(), seen.won)
            }
        }))
    }
}

impl<P, B: WorldSet, S: SeesAll<P, B>> Heuristic<P, Families<B>> for PerfectInformation<S> {
    fn bounds(
        &mut self,
        families: &Families<B>,
        position: &P,
        budget: &Budget,
    ) -> Result<Option<Interval<Antichain<B>>>, Stop> {
        self.in_families(position, None, budget, |set| families.principal(set))
    }
}

impl<'w, P, B, S> Heuristic<P, HeavyFamilies<'w, B>> for PerfectInformation<S>
where
    B: WorldSet,
    S: SeesAll<P, B>,
{
    fn bounds(
        &mut self,
        heavy: &HeavyFamilies<'w, B>,
        position: &P,
        budget: &Budget,
    ) -> Result<Option<Interval<Antichain<B>>>, Stop> {
        let universe = Some(heavy.universe());
        self.in_families(position, universe, budget, |set| heavy.principal(set))
    }
}
