//! The values of a game with hidden cards: sets of stakes, if MAX sees the hidden cards, and
//! families of such sets, if she does not.
//!
//! The value of a leaf has the stakes that MAX has won in each world in which the game can end
//! there, and all stakes of the other worlds: a move that is impossible in a world must not
//! constrain it. With this, the meet over MIN's moves does the right thing (Li et al. 2022, section
//! 6).
//!
//! Cost: a leaf takes a step for each word of worlds, and if points differ by world, a call for
//! each world.

use std::borrow::Cow;
use std::ops::Range;

use meetjoin_lattice::{Antichain, Families, Lattice, Powerset, TooManyWorlds, WorldSet};

use super::game::HiddenGame;
use super::stakes::Stakes;
use crate::Valuation;

/// The most words kept in all precomputed sets of stakes together.
const MOST_KEPT: u64 = 1 << 17;

/// Adds a range of stakes, 64 at a time.
fn insert<B: WorldSet>(set: &mut B, places: Range<usize>) {
    let mut next = places.start;
    while next < places.end {
        let (low, count) = (next % 64, (64 - next % 64).min(places.end - next));
        set.insert_word(next / 64, (u64::MAX >> (64 - count)) << low);
        next += count;
    }
}

/// The stakes that MAX wins when she may look at the hidden cards.
#[derive(Clone, Debug)]
pub struct HiddenSets<'a, G, B: WorldSet> {
    game: &'a G,
    stakes: &'a Stakes,
    lattice: Powerset<B>,
    /// Whether sets of stakes are sets of worlds.
    are_worlds: bool,
    /// The stakes that each number of points wins; empty if they would take too much memory.
    won_with: Vec<B>,
    /// A number of points that wins all of them.
    enough: u32,
}

impl<'a, G: HiddenGame, B: WorldSet> HiddenSets<'a, G, B> {
    /// The valuation, in sets of indices of [`Stakes::iter`].
    ///
    /// # Errors
    /// If the representation cannot hold so many.
    pub fn new(game: &'a G, stakes: &'a Stakes) -> Result<Self, TooManyWorlds> {
        let mut sets = Self {
            won_with: Vec::new(),
            enough: stakes.enough(),
            are_worlds: stakes.are_worlds(),
            game,
            stakes,
            lattice: Powerset::new(stakes.len())?,
        };
        let words = 1 + stakes.len() as u64 / 64;
        if words.saturating_mul(1 + u64::from(sets.enough)) <= MOST_KEPT {
            sets.won_with = (0..=sets.enough).map(|points| sets.won(points)).collect();
        }
        Ok(sets)
    }

    /// The game.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The stakes at the indices of sets.
    pub fn stakes(&self) -> &'a Stakes {
        self.stakes
    }

    /// The stakes that `points` points win, over all worlds.
    pub fn won_with(&self, points: u32) -> Cow<'_, B> {
        let points = points.min(self.enough);
        match self.won_with.get(points as usize) {
            Some(won) => Cow::Borrowed(won),
            None => Cow::Owned(self.won(points)),
        }
    }

    fn won(&self, points: u32) -> B {
        let mut won = self.lattice.bottom();
        for world in 0..self.game.worlds() {
            insert(&mut won, self.stakes.won_in(world, points));
        }
        won
    }

    /// The stakes of worlds in which the position is possible.
    pub fn possible(&self, position: &G::Position) -> B {
        self.of_worlds(position, |possible| possible)
    }

    /// The stakes of worlds in which the position is impossible.
    pub fn impossible(&self, position: &G::Position) -> B {
        self.of_worlds(position, |possible| !possible)
    }

    /// The stakes of those worlds that `wanted` selects, word by word, given the possible ones.
    fn of_worlds(&self, position: &G::Position, wanted: impl Fn(u64) -> u64) -> B {
        let worlds = self.game.worlds();
        let count = worlds.div_ceil(64);
        // Called at each leaf, so few worlds should need no heap.
        let (mut few, mut many) = ([0; 16], Vec::new());
        let words = few.get_mut(..count).unwrap_or_else(|| {
            many.resize(count, 0);
            &mut many
        });
        self.game.possible(position, words);
        let mut set = self.lattice.bottom();
        for (place, &word) in words.iter().enumerate() {
            // A faulty game may set bits beyond its worlds; ignore them.
            let room = worlds.saturating_sub(64 * place).min(64) as u32;
            let word = wanted(word) & u64::MAX.checked_shr(64 - room).unwrap_or(0);
            if self.are_worlds {
                set.insert_word(place, word);
                continue;
            }
            let mut rest = word;
            while rest != 0 {
                let world = 64 * place + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                insert(&mut set, self.stakes.of_world(world));
            }
        }
        set
    }
}

impl<G: HiddenGame, B: WorldSet> Valuation<G::Position> for HiddenSets<'_, G, B> {
    type Lattice = Powerset<B>;

    fn lattice(&self) -> &Powerset<B> {
        &self.lattice
    }

    fn leaf(&self, position: &G::Position) -> B {
        let in_all = self.game.points_in_all(position);
        if in_all.is_some_and(|points| points >= self.enough) {
            return self.lattice.top();
        }
        if let Some(points) = in_all {
            let mut won = self.impossible(position);
            won.union_with(&self.won_with(points));
            return won;
        }
        let possible = self.possible(position);
        let mut won = self.lattice.top();
        won.subtract(&possible);
        let win = |world: usize| {
            let points = self.game.points(position, world);
            insert(&mut won, self.stakes.won_in(world, points));
        };
        if self.are_worlds {
            possible.ones().for_each(win);
        } else {
            let is_left = |world: &usize| {
                let mut stakes = self.stakes.of_world(*world);
                stakes.next().is_some_and(|place| possible.contains(place))
            };
            (0..self.game.worlds()).filter(is_left).for_each(win);
        }
        won
    }
}

/// The families of stakes that strategies of MAX win, who does not see the hidden cards.
#[derive(Clone, Debug)]
pub struct HiddenFamilies<'a, G, B: WorldSet> {
    sets: HiddenSets<'a, G, B>,
    lattice: Families<B>,
}

impl<'a, G: HiddenGame, B: WorldSet> HiddenFamilies<'a, G, B> {
    /// The valuation, in families of sets of indices of [`Stakes::iter`].
    ///
    /// # Errors
    /// If the representation cannot hold so many.
    pub fn new(game: &'a G, stakes: &'a Stakes) -> Result<Self, TooManyWorlds> {
        let sets = HiddenSets::new(game, stakes)?;
        let lattice = Families::over(sets.lattice.clone());
        Ok(Self { sets, lattice })
    }

    /// The values in sets of the same stakes.
    pub fn as_sets(&self) -> &HiddenSets<'a, G, B> {
        &self.sets
    }
}

impl<G: HiddenGame, B: WorldSet> Valuation<G::Position> for HiddenFamilies<'_, G, B> {
    type Lattice = Families<B>;

    fn lattice(&self) -> &Families<B> {
        &self.lattice
    }

    fn leaf(&self, position: &G::Position) -> Antichain<B> {
        self.lattice.principal(self.sets.leaf(position))
    }

    fn never_bottom(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use meetjoin_lattice::FixedBitSet;

    use super::*;
    use crate::{Stake, Turn};

    /// A finished game in which the worlds `w` with bit `w % 5` of the position are left, and have
    /// points.
    #[derive(Clone)]
    struct Ends {
        worlds: usize,
        most: u32,
    }

    impl HiddenGame for Ends {
        type Position = u32;

        fn worlds(&self) -> usize {
            self.worlds
        }

        fn most_points(&self) -> u32 {
            self.most
        }

        fn start(&self) -> u32 {
            31
        }

        fn turn(&self, _: &u32) -> Turn {
            Turn::Over
        }

        fn moves(&self, _: &u32, _: &mut Vec<u32>) {}

        fn is_possible(&self, position: &u32, world: usize) -> bool {
            position >> (world % 5) & 1 == 1
        }

        fn points(&self, position: &u32, world: usize) -> u32 {
            (7 * position + 13 * world as u32) % (self.most + 1)
        }

        fn points_in_all(&self, position: &u32) -> Option<u32> {
            position
                .checked_sub(32)
                .map(|points| points % (self.most + 1))
        }
    }

    /// The values are the same whether sets of stakes are kept or made each time, in words or one
    /// by one.
    #[test]
    fn leaves_are_what_their_points_win() {
        for (worlds, most) in [(1, 1), (7, 1), (70, 1), (3, 2), (9, 40), (70, 3), (2, 4000)] {
            let game = Ends { worlds, most };
            let wanted = |stake: Stake| stake.more_than % 3 != 1;
            for stakes in [Stakes::all(&game), Stakes::only(&game, wanted)] {
                let kept = HiddenSets::<_, FixedBitSet>::new(&game, &stakes).expect("any number");
                let mut made = kept.clone();
                made.won_with.clear();
                for sets in [&kept, &made] {
                    for position in (0..64).step_by(3) {
                        let places = stakes.iter().enumerate().filter(|(_, stake)| {
                            let own = game.points(&position, stake.world);
                            let points = game.points_in_all(&position).unwrap_or(own);
                            !game.is_possible(&position, stake.world) || stake.more_than < points
                        });
                        let won: Vec<usize> = places.map(|(place, _)| place).collect();
                        let found: Vec<usize> = sets.leaf(&position).ones().collect();
                        assert_eq!(found, won, "{worlds} {most} {position}");
                    }
                }
                for points in 0..=most.min(50) + 1 {
                    assert_eq!(kept.won_with(points), made.won_with(points));
                }
            }
        }
        // The last of these is too many to keep, and the one before is not.
        let kept = |worlds, most| {
            let game = Ends { worlds, most };
            let stakes = Stakes::all(&game);
            let sets = HiddenSets::<_, FixedBitSet>::new(&game, &stakes).expect("any number");
            !sets.won_with.is_empty()
        };
        assert!(kept(70, 3) && !kept(2, 4000));
    }
}
