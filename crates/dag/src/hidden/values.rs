//! The values of a game with hidden cards: sets of stakes, for who may look at the hidden cards,
//! and families of such sets, for who may not.
//!
//! The value of a leaf has what MAX has won in each world in which the game can end there, and
//! everything of the other worlds: a move that a world does not allow must not constrain it. With
//! this, the meet over MIN's moves does the right thing (Li et al. 2022, section 6).
//!
//! Cost: a leaf takes a step for each word of worlds, and where points differ by world a question
//! for each.

use meetjoin_lattice::{Antichain, Families, Lattice, Powerset, TooManyWorlds, WorldSet};

use super::game::HiddenGame;
use super::stakes::Stakes;
use crate::Valuation;

/// The stakes that MAX wins when she may look at the hidden cards.
#[derive(Clone, Debug)]
pub struct HiddenSets<'a, G, B: WorldSet> {
    game: &'a G,
    stakes: &'a Stakes,
    lattice: Powerset<B>,
    /// Whether sets of stakes are sets of worlds.
    are_worlds: bool,
    /// The stakes that so many points win.
    won_with: Vec<B>,
    /// So many points win all of them.
    enough: u32,
}

impl<'a, G: HiddenGame, B: WorldSet> HiddenSets<'a, G, B> {
    /// The valuation, in sets of places of [`Stakes::iter`].
    ///
    /// # Errors
    /// If the representation cannot hold so many.
    pub fn new(game: &'a G, stakes: &'a Stakes) -> Result<Self, TooManyWorlds> {
        let lattice: Powerset<B> = Powerset::new(stakes.len())?;
        let with = |points: u32| {
            let mut set = lattice.bottom();
            let places = stakes.iter().enumerate();
            let won = places.filter(|(_, stake)| stake.more_than < points);
            won.for_each(|(place, _)| set.insert(place));
            set
        };
        Ok(Self {
            won_with: (0..=game.most_points()).map(with).collect(),
            enough: stakes
                .iter()
                .map(|stake| stake.more_than + 1)
                .max()
                .unwrap_or(0),
            are_worlds: stakes.are_worlds(),
            game,
            stakes,
            lattice,
        })
    }

    /// The game.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// What the places in sets are.
    pub fn stakes(&self) -> &'a Stakes {
        self.stakes
    }

    /// The stakes that so many points win, in whatever world.
    pub fn won_with(&self, points: u32) -> &B {
        let most = self.won_with.len() - 1;
        &self.won_with[most.min(points as usize)]
    }

    /// The stakes of worlds in which the position can come about.
    pub fn possible(&self, position: &G::Position) -> B {
        self.of_worlds(position, |possible| possible)
    }

    /// The stakes of the other worlds.
    pub fn impossible(&self, position: &G::Position) -> B {
        self.of_worlds(position, |possible| !possible)
    }

    /// The stakes of worlds that are wanted, by words of those in which the position can come
    /// about.
    fn of_worlds(&self, position: &G::Position, wanted: impl Fn(u64) -> u64) -> B {
        let worlds = self.game.worlds();
        let count = worlds.div_ceil(64);
        // It is asked at each leaf, where a set of few worlds needs no heap either.
        let (mut few, mut many) = ([0; 16], Vec::new());
        let words = few.get_mut(..count).unwrap_or_else(|| {
            many.resize(count, 0);
            &mut many
        });
        self.game.possible(position, words);
        let mut set = self.lattice.bottom();
        for (place, &word) in words.iter().enumerate() {
            // A game that says more than it has worlds is wrong, and no reason to end.
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
                self.stakes.of_world(world).for_each(|of| set.insert(of));
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
            won.union_with(self.won_with(points));
            return won;
        }
        let possible = self.possible(position);
        let mut won = self.lattice.top();
        won.subtract(&possible);
        let mut last = None;
        for (place, stake) in possible
            .ones()
            .filter_map(|place| Some((place, self.stakes.get(place)?)))
        {
            let points = match last {
                Some((world, points)) if world == stake.world => points,
                _ => self.game.points(position, stake.world),
            };
            last = Some((stake.world, points));
            if stake.more_than < points {
                won.insert(place);
            }
        }
        won
    }
}

/// The families of stakes that one strategy of MAX wins, who does not see the hidden cards.
#[derive(Clone, Debug)]
pub struct HiddenFamilies<'a, G, B: WorldSet> {
    sets: HiddenSets<'a, G, B>,
    lattice: Families<B>,
}

impl<'a, G: HiddenGame, B: WorldSet> HiddenFamilies<'a, G, B> {
    /// The valuation, in families of sets of places of [`Stakes::iter`].
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
