//! Which layouts are won at the end, in families of sets of worlds.
//!
//! A world is a layout together with a number of tricks j, and it is won if more than j tricks are
//! taken. A strategy that guarantees a layout t tricks wins the worlds (layout, j) with j below t.
//! So with one j the value is the family of sets of layouts in which a goal is reached; with all j
//! it is the family of all vectors of guarantees, and where each world has the weight of its
//! layout, the heaviest set has the greatest average.
//!
//! The value of a leaf also has all worlds whose layouts do not agree with what the defenders have
//! played: a move that a layout does not allow must not constrain it.

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{Antichain, Families, Lattice, Powerset, TooManyWorlds, WorldSet};

use super::cards::Cards;
use super::game::{Defender, SuitGame, SuitPosition};
use super::perfect::DoubleDummy;
use super::suit::Counts;

/// A layout, by its place in [`Suit::layouts`](super::Suit::layouts), and a number of tricks of
/// which more are to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SuitWorld {
    /// The layout.
    pub layout: usize,
    /// It is won with more tricks than these.
    pub more_than: u8,
}

/// The worlds of a game: those that could be won by somebody who sees all cards. No other is won by
/// any strategy.
#[derive(Clone, Debug)]
pub struct SuitWorlds {
    worlds: Vec<SuitWorld>,
}

impl SuitWorlds {
    /// All of them.
    pub fn new(game: &SuitGame<'_>, perfect: &mut DoubleDummy) -> Self {
        let mut worlds = Vec::new();
        let root = game.root();
        for (place, layout) in game.suit().layouts().iter().enumerate() {
            let most = perfect.tricks(game, &root, layout.west).min(game.ceiling());
            worlds.extend((game.floor()..most).map(|more_than| SuitWorld {
                layout: place,
                more_than,
            }));
        }
        Self { worlds }
    }

    /// Only those that are wanted. The others do not count.
    #[must_use]
    pub fn only(mut self, wanted: impl Fn(SuitWorld) -> bool) -> Self {
        self.worlds.retain(|world| wanted(*world));
        self
    }

    /// The worlds, by layout.
    pub fn worlds(&self) -> &[SuitWorld] {
        &self.worlds
    }
}

/// The families of worlds that one strategy of declarer wins.
#[derive(Clone, Debug)]
pub struct SuitFamilies<'a, B: WorldSet> {
    game: &'a SuitGame<'a>,
    worlds: &'a SuitWorlds,
    lattice: Families<B>,
    /// For each kind and number, the worlds in which West has at least so many.
    west_has: Vec<Vec<B>>,
    /// For each number of tricks, the worlds that it wins.
    won_with: Vec<B>,
}

impl<'a, B: WorldSet> SuitFamilies<'a, B> {
    /// The valuation.
    ///
    /// # Errors
    /// If the representation cannot hold so many worlds.
    pub fn new(game: &'a SuitGame<'a>, worlds: &'a SuitWorlds) -> Result<Self, TooManyWorlds> {
        let all = &worlds.worlds;
        let lattice = Families::over(Powerset::new(all.len())?);
        let layouts = game.suit().layouts();
        let those = |wanted: &dyn Fn(&SuitWorld) -> bool| {
            let mut set = B::empty(all.len());
            let wanted = all.iter().enumerate().filter(|(_, world)| wanted(world));
            wanted.for_each(|(place, _)| set.insert(place));
            set
        };
        let of_kind = |(kind, cards): (usize, &Cards)| {
            let counts = 0..=cards.count() + 1;
            counts
                .map(|count| those(&|world| layouts[world.layout].west.of(kind) >= count))
                .collect()
        };
        let west_has = game
            .suit()
            .kinds()
            .iter()
            .enumerate()
            .map(of_kind)
            .collect();
        let won_with = (0..=game.suit().tricks())
            .map(|tricks| those(&|world| world.more_than < tricks))
            .collect();
        Ok(Self {
            game,
            worlds,
            lattice,
            west_has,
            won_with,
        })
    }

    /// The game.
    pub fn game(&self) -> &'a SuitGame<'a> {
        self.game
    }

    /// What the worlds are.
    pub fn worlds(&self) -> &'a [SuitWorld] {
        &self.worlds.worlds
    }

    /// The worlds whose layouts agree with what the defenders have played.
    pub fn compatible(&self, position: &SuitPosition) -> B {
        let mut compatible = self.lattice.base().top();
        let (west, east) = (
            position.played(Defender::West),
            position.played(Defender::East),
        );
        let missing: Counts = self.game.suit().missing_counts();
        let (west_out, east_out) = (
            position.is_out(Defender::West),
            position.is_out(Defender::East),
        );
        for (kind, has) in self.west_has.iter().enumerate() {
            let (all, west, east) = (missing.of(kind), west.of(kind), east.of(kind));
            let least = if east_out { all - east } else { west };
            let most = if west_out { west } else { all - east };
            compatible.intersect_with(&has[usize::from(least)]);
            compatible.subtract(&has[usize::from(most) + 1]);
        }
        compatible
    }

    /// The worlds of other layouts.
    pub fn incompatible(&self, position: &SuitPosition) -> B {
        let mut rest = self.lattice.base().top();
        rest.subtract(&self.compatible(position));
        rest
    }

    /// The worlds that so many tricks win.
    pub fn won_with(&self, tricks: u8) -> &B {
        &self.won_with[usize::from(tricks)]
    }

    /// The worlds that are won at a leaf.
    pub fn at_leaf(&self, position: &SuitPosition) -> B {
        let mut won = self.incompatible(position);
        won.union_with(self.won_with(self.game.tricks_at_end(position)));
        won
    }
}

impl<B: WorldSet> Valuation<SuitPosition> for SuitFamilies<'_, B> {
    type Lattice = Families<B>;

    fn lattice(&self) -> &Families<B> {
        &self.lattice
    }

    fn leaf(&self, position: &SuitPosition) -> Antichain<B> {
        self.lattice.principal(self.at_leaf(position))
    }

    fn never_bottom(&self) -> bool {
        true
    }
}
