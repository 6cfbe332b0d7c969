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
pub struct Stakes {
    all: Vec<Stake>,
    /// For each world the place of its first stake, and their number at the end.
    first: Vec<usize>,
}

impl Stakes {
    /// Every point of every world.
    pub fn all<G: HiddenGame>(game: &G) -> Self {
        Self::only(game, |_| true)
    }

    /// At least so many points, in every world.
    pub fn goal<G: HiddenGame>(game: &G, points: u32) -> Self {
        Self::only(game, |stake| stake.more_than.checked_add(1) == Some(points))
    }

    /// Those that are wanted. The others do not count.
    pub fn only<G: HiddenGame>(game: &G, wanted: impl Fn(Stake) -> bool) -> Self {
        let most = game.most_points();
        let (mut all, mut first) = (Vec::new(), vec![0]);
        for world in 0..game.worlds() {
            let stakes = (0..most).map(|more_than| Stake { world, more_than });
            all.extend(stakes.filter(|stake| wanted(*stake)));
            first.push(all.len());
        }
        Self { all, first }
    }

    /// The stakes, by their places in sets.
    pub fn list(&self) -> &[Stake] {
        &self.all
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether nothing can be won.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether there is one for each world, so that sets of stakes are sets of worlds.
    pub fn are_worlds(&self) -> bool {
        self.all.len() + 1 == self.first.len()
            && (self.first.iter().enumerate()).all(|(world, place)| world == *place)
    }

    /// The places of the stakes of a world, which is one of the game.
    pub fn of_world(&self, world: usize) -> std::ops::Range<usize> {
        self.first[world]..self.first[world + 1]
    }

    /// The weights of stakes: those of their worlds.
    ///
    /// # Errors
    /// If they add up to more than 64 bits hold.
    pub fn weights<G: HiddenGame>(&self, game: &G) -> Result<Weights, TooHeavy> {
        Weights::new(self.all.iter().map(|stake| game.weight(stake.world)))
    }

    /// The points that a strategy is sure of in each world, if these are the stakes that it wins:
    /// so many of the world's stakes.
    pub fn points(&self, won: impl IntoIterator<Item = usize>) -> Vec<u32> {
        let mut points = vec![0; self.first.len() - 1];
        for place in won {
            points[self.all[place].world] += 1;
        }
        points
    }

    /// The points in each world of a set of stakes.
    pub fn of<B: WorldSet>(&self, won: &B) -> Vec<u32> {
        self.points(won.ones())
    }
}
