//! Bounds of positions from perfect information, for any game.
//!
//! Problem: a search in families of sets is hopeless without bounds of inner positions. What a
//! player who sees the hidden cards can win gives such bounds, and each game finds that in its own
//! way: by a search over all worlds at once, by a table of ranks, by a table of tricks.
//!
//! Idea: the union of a family is a [homomorphism](meetjoin_lattice::relaxation), so what is won
//! with all cards seen is an upper bound of a position's value, as one set. Worlds in which the
//! position is impossible constrain nothing, so they are a lower bound. The upper bound is the
//! value if one strategy wins all of it. That is always so if at most one world can still be won,
//! for then MAX plays as if she saw that world. A game answers these questions ([`SeesAll`]), and
//! [`PerfectInformation`] turns the answers into bounds over sets, families, and their heavy parts.
//!
//! Invariant: bounds are true of the position, whatever the window.
//!
//! Source: Frank, Basin (1998) for the model; union as a homomorphism: the errata chapter.

use meetjoin_lattice::{
    Antichain, Budget, Families, HeavyFamilies, Interval, Lattice, Powerset, Stop, WorldSet,
};

use crate::Heuristic;

/// What a player who sees all cards wins from a position on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen<B> {
    /// What is in every value: the stakes of worlds in which the position is impossible.
    pub impossible: B,
    /// What is won, `impossible` included, within the universe asked for.
    pub won: B,
    /// Whether `won` is exactly what is won, and no bound.
    pub is_exact: bool,
    /// Whether one strategy that does not see the cards is known to win all of it.
    pub by_one: bool,
}

/// Answers what is won with all cards seen: a table of the game, or a search.
pub trait SeesAll<P, B> {
    /// What is won at a position, within `universe` if there is one; `None` if nothing is known of
    /// it.
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
    /// Bounds from this source.
    pub fn new(known: impl Into<S>) -> Self {
        Self(known.into())
    }

    /// What a player who sees all cards wins at a position, with the impossible stakes: its value
    /// in sets, if it is known.
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

    /// The bounds over families; `family` makes a family of a set.
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
