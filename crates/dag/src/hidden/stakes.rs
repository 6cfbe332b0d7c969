//! What can be won: a world together with a number of points of which more are to be had.
//!
//! A strategy that is sure of t points in a world wins the stakes (world, j) with j below t. So the
//! set of stakes that a strategy wins says how many points it is sure of in each world, the union
//! of two such sets is the greater number in each world, and where each stake has the weight of its
//! world the heaviest set has the greatest average. With one number j it is the goal "more than j",
//! with several it is several goals at once.
//!
//! Invariant: stakes of one world are neighbours, in ascending order of points, and worlds come in
//! their order.

use meetjoin_lattice::{TooHeavy, Weights, WorldSet};

use super::game::HiddenGame;

/// A world, won with more points than a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stake {
    /// The world.
    pub world: usize,
    /// It is won with more points than these.
    pub more_than: u32,
}

/// What can be won in a game. See the [module page](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stakes(Kept);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kept {
    /// One for each of so many worlds, all with the same number of points: there may be millions.
    One { worlds: usize, more_than: u32 },
    /// Any.
    Listed {
        all: Vec<Stake>,
        /// For each world the place of its first stake, and their number at the end.
        first: Vec<usize>,
    },
}

impl Stakes {
    /// Every point of every world.
    pub fn all<G: HiddenGame>(game: &G) -> Self {
        if game.most_points() == 1 {
            return Self::goal(game, 1);
        }
        Self::only(game, |_| true)
    }

    /// At least so many points, in every world.
    pub fn goal<G: HiddenGame>(game: &G, points: u32) -> Self {
        match points.checked_sub(1) {
            Some(more_than) if more_than < game.most_points() => Self(Kept::One {
                worlds: game.worlds(),
                more_than,
            }),
            _ => Self::only(game, |_| false),
        }
    }

    /// Those that are wanted. The others do not count.
    pub fn only<G: HiddenGame>(game: &G, wanted: impl Fn(Stake) -> bool) -> Self {
        let most = game.most_points();
        let of_world = |world| (0..most).map(move |more_than| Stake { world, more_than });
        Self::listed(game.worlds(), of_world, wanted)
    }

    /// Those of these that are wanted.
    #[must_use]
    pub fn kept(&self, wanted: impl Fn(Stake) -> bool) -> Self {
        let of_world = |world| self.of_world(world).filter_map(|place| self.get(place));
        Self::listed(self.worlds(), of_world, wanted)
    }

    fn listed<I: Iterator<Item = Stake>>(
        worlds: usize,
        of_world: impl Fn(usize) -> I,
        wanted: impl Fn(Stake) -> bool,
    ) -> Self {
        let (mut all, mut first) = (Vec::new(), vec![0]);
        for world in 0..worlds {
            all.extend(of_world(world).filter(|stake| wanted(*stake)));
            first.push(all.len());
        }
        Self(Kept::Listed { all, first })
    }

    /// The worlds of the game.
    fn worlds(&self) -> usize {
        match &self.0 {
            Kept::One { worlds, .. } => *worlds,
            Kept::Listed { first, .. } => first.len() - 1,
        }
    }

    /// The stake at a place in sets, if there is one.
    pub fn get(&self, place: usize) -> Option<Stake> {
        match &self.0 {
            Kept::One { worlds, more_than } => (place < *worlds).then_some(Stake {
                world: place,
                more_than: *more_than,
            }),
            Kept::Listed { all, .. } => all.get(place).copied(),
        }
    }

    /// The stakes, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = Stake> {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::One { worlds, .. } => *worlds,
            Kept::Listed { all, .. } => all.len(),
        }
    }

    /// Whether nothing can be won.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is one for each world, so that sets of stakes are sets of worlds.
    pub fn are_worlds(&self) -> bool {
        match &self.0 {
            Kept::One { .. } => true,
            Kept::Listed { all, first } => {
                all.len() + 1 == first.len()
                    && first
                        .iter()
                        .enumerate()
                        .all(|(world, place)| world == *place)
            }
        }
    }

    /// The places of the stakes of a world, which is one of the game.
    pub fn of_world(&self, world: usize) -> std::ops::Range<usize> {
        match &self.0 {
            Kept::One { .. } => world..world + 1,
            Kept::Listed { first, .. } => first[world]..first[world + 1],
        }
    }

    /// The weights of stakes: those of their worlds.
    ///
    /// # Errors
    /// If they add up to more than 64 bits hold.
    pub fn weights<G: HiddenGame>(&self, game: &G) -> Result<Weights, TooHeavy> {
        Weights::new(self.iter().map(|stake| game.weight(stake.world)))
    }

    /// The points that a strategy is sure of in each world, if these are the stakes that it wins:
    /// so many of the world's stakes.
    pub fn points(&self, won: impl IntoIterator<Item = usize>) -> Vec<u32> {
        let mut points = vec![0; self.worlds()];
        for stake in won.into_iter().filter_map(|place| self.get(place)) {
            points[stake.world] += 1;
        }
        points
    }

    /// The points in each world of a set of stakes.
    pub fn of<B: WorldSet>(&self, won: &B) -> Vec<u32> {
        self.points(won.ones())
    }
}
