//! Bounds of positions of games with hidden cards from perfect information, for any such game.
//!
//! Problem: a search in families of sets is lost without bounds. Racing and bridge had theirs
//! written by hand: which worlds MAX wins if she may look at the hidden cards, which worlds are out
//! of the question, and where that is already the value.
//!
//! Idea: the union of a family is a [homomorphism](meetjoin_lattice::relaxation), so the stakes
//! that MAX wins when she sees all are an upper bound of the value, as one set. Worlds in which the
//! position cannot come about are in every value, so they are a lower bound. Both meet where MAX
//! wins nothing more, or stakes of one world only: with one world in mind she plays as if she saw
//! it. The stakes that she wins when she sees all come from [`AllSeen`]: a search over all worlds
//! at once ([`Together`]), a bit each, with a table; or whoever knows the game says it.
//!
//! Invariant: bounds are true of the position, whatever the window. Of the stakes only those that
//! are asked for are looked at.
//!
//! Cost: beyond the answer of [`AllSeen`] some operations with sets.
//!
//! Source: Frank, Basin (1998) for the model; the union as a homomorphism: the theory chapter.

use meetjoin_dag::{Heuristic, HiddenGame, HiddenSets, Played, Rooted, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Families, HeavyFamilies, Interval, Lattice, Powerset, Stop, WorldSet,
};

use crate::{Env, Table, Window, alpha_beta_duo};

/// What MAX wins from a position on when she sees the hidden cards.
pub trait AllSeen<P, B> {
    /// Of these stakes, of worlds in which the position can come about, those that she wins.
    ///
    /// # Errors
    /// When the budget ends it.
    fn won(&mut self, position: &P, asked: &B, budget: &Budget) -> Result<B, Stop>;

    /// Whether one strategy is known to win all of these without seeing them, as far as that takes
    /// no search: she wins each of them when she sees all. Without knowledge: no.
    ///
    /// # Errors
    /// When the budget ends it.
    fn one_wins(&mut self, _position: &P, _won: &B, _budget: &Budget) -> Result<bool, Stop> {
        Ok(false)
    }
}

/// What MAX wins when she sees all, for any game: one search over all worlds at once, by
/// alpha-beta duo over sets, from wherever it is asked. All its searches share one table, so
/// together they cost little more than one.
#[derive(Clone, Debug)]
pub struct Together<'a, G: HiddenGame, B: WorldSet> {
    sets: &'a HiddenSets<'a, G, B>,
    table: Table<G::Position, Interval<B>>,
}

impl<'a, G: HiddenGame, B: WorldSet> Together<'a, G, B> {
    /// Nothing asked yet.
    pub fn new(sets: &'a HiddenSets<'a, G, B>) -> Self {
        Self {
            sets,
            table: Table::default(),
        }
    }
}

impl<G: HiddenGame, B: WorldSet> AllSeen<G::Position, B> for Together<'_, G, B> {
    fn won(&mut self, position: &G::Position, asked: &B, budget: &Budget) -> Result<B, Stop> {
        let root = Rooted {
            dag: &Played(self.sets.game()),
            root: position.clone(),
        };
        // Between nothing and what is asked for: the rest is not looked at, and what the table
        // keeps is true of it all the same.
        let mut window = Window::full(self.sets.lattice());
        window.beta.clone_from(asked);
        let mut env = Env::new(budget).with_store(&mut self.table);
        let outcome = alpha_beta_duo(&root, self.sets, &window, &mut env);
        match outcome.stop {
            Some(stop) => Err(stop),
            None => Ok(outcome.clipped.upper().clone()),
        }
    }
}

/// Bounds of positions. See the [module page](self).
#[derive(Clone, Debug)]
pub struct PerfectInformation<'a, G, B: WorldSet, S> {
    sets: &'a HiddenSets<'a, G, B>,
    seen: S,
}

impl<'a, G: HiddenGame, B: WorldSet> PerfectInformation<'a, G, B, Together<'a, G, B>> {
    /// By a search over all worlds at once.
    pub fn new(sets: &'a HiddenSets<'a, G, B>) -> Self {
        Self::with(sets, Together::new(sets))
    }
}

/// What is known of the value of a position.
struct Known<B> {
    /// In every value.
    impossible: B,
    /// And no other stakes in any of its sets.
    most: B,
    /// Whether these are the value, as one set.
    is_won: bool,
}

impl<'a, G, B, S> PerfectInformation<'a, G, B, S>
where
    G: HiddenGame,
    B: WorldSet,
    S: AllSeen<G::Position, B>,
{
    /// As whoever knows the game says.
    pub fn with(sets: &'a HiddenSets<'a, G, B>, seen: S) -> Self {
        Self { sets, seen }
    }

    /// The value of a position where MAX sees all.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn value(&mut self, position: &G::Position, budget: &Budget) -> Result<B, Stop> {
        let possible = self.sets.possible(position);
        let mut value = self.sets.lattice().top();
        value.subtract(&possible);
        value.union_with(&self.seen.won(position, &possible, budget)?);
        Ok(value)
    }

    /// Of the stakes in `universe`, if there is one.
    fn known(
        &mut self,
        position: &G::Position,
        universe: Option<&B>,
        budget: &Budget,
    ) -> Result<Known<B>, Stop> {
        let mut asked = self.sets.possible(position);
        let mut impossible = self.sets.lattice().top();
        impossible.subtract(&asked);
        if let Some(universe) = universe {
            asked.intersect_with(universe);
        }
        let won = self.seen.won(position, &asked, budget)?;
        let is_won = self.are_of_one_world(&won) || self.seen.one_wins(position, &won, budget)?;
        let mut most = impossible.clone();
        most.union_with(&won);
        Ok(Known {
            impossible,
            most,
            is_won,
        })
    }

    /// Whether no two of these stakes are of different worlds.
    fn are_of_one_world(&self, won: &B) -> bool {
        let stakes = self.sets.stakes().list();
        // They stand in the order of their worlds.
        let mut worlds = won.ones().map(|place| stakes[place].world);
        match worlds.next() {
            Some(first) => worlds.all(|world| world == first),
            None => true,
        }
    }
}

impl<G, B, S> Heuristic<G::Position, Powerset<B>> for PerfectInformation<'_, G, B, S>
where
    G: HiddenGame,
    B: WorldSet,
    S: AllSeen<G::Position, B>,
{
    fn bounds(
        &mut self,
        _: &Powerset<B>,
        position: &G::Position,
        budget: &Budget,
    ) -> Result<Option<Interval<B>>, Stop> {
        Ok(Some(Interval::Exact(self.value(position, budget)?)))
    }
}

impl<G, B, S> Heuristic<G::Position, Families<B>> for PerfectInformation<'_, G, B, S>
where
    G: HiddenGame,
    B: WorldSet,
    S: AllSeen<G::Position, B>,
{
    fn bounds(
        &mut self,
        families: &Families<B>,
        position: &G::Position,
        budget: &Budget,
    ) -> Result<Option<Interval<Antichain<B>>>, Stop> {
        let known = self.known(position, None, budget)?;
        let most = families.principal(known.most);
        Ok(Some(if known.is_won {
            Interval::Exact(most)
        } else {
            Interval::new(families.principal(known.impossible), most)
        }))
    }
}

impl<'w, G, B, S> Heuristic<G::Position, HeavyFamilies<'w, B>> for PerfectInformation<'_, G, B, S>
where
    G: HiddenGame,
    B: WorldSet,
    S: AllSeen<G::Position, B>,
{
    fn bounds(
        &mut self,
        heavy: &HeavyFamilies<'w, B>,
        position: &G::Position,
        budget: &Budget,
    ) -> Result<Option<Interval<Antichain<B>>>, Stop> {
        let known = self.known(position, Some(heavy.universe()), budget)?;
        let most = heavy.principal(known.most);
        Ok(Some(if known.is_won {
            Interval::Exact(most)
        } else {
            Interval::new(heavy.principal(known.impossible), most)
        }))
    }
}
