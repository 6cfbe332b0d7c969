//! Stakes: a world with a number of points to be exceeded in it.
//!
//! A strategy that guarantees t points in a world wins the stakes (world, j) with j below t. So the
//! set of stakes that a strategy wins gives the points it guarantees in each world, the union of
//! two such sets is the greater number in each world, and if each stake has the weight of its
//! world, the heaviest set has the greatest average. Stakes with one number j are the goal "more
//! than j"; with several numbers, several goals at once.
//!
//! Invariant: stakes of one world are neighbours, in ascending order of points, and worlds come in
//! their order.

use meetjoin_lattice::{TooHeavy, Weights, WorldSet};

use super::game::HiddenGame;

/// A world, to be won with more than a number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stake {
    /// The world.
    pub world: usize,
    /// It is won with more points than this.
    pub more_than: u32,
}

/// The most stakes that [`Stakes::asked`] allows: a set has a bit for each.
pub const MOST_STAKES: u64 = 1 << 24;

/// Why there are no stakes for a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoStakes {
    /// A goal out of reach.
    #[error(
        "the goal of {goal} point{s} is outside 1..{most}",
        s = if *goal == 1 { "" } else { "s" }
    )]
    Goal {
        /// The goal.
        goal: u32,
        /// The most points.
        most: u32,
    },
    /// Too many stakes.
    #[error(
        "{worlds} worlds with up to {each} point{s} each are more than {MOST_STAKES} stakes",
        s = if *each == 1 { "" } else { "s" }
    )]
    TooMany {
        /// Worlds.
        worlds: usize,
        /// The numbers of points that count.
        each: u64,
    },
}

/// The stakes of a game. See the [module page](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stakes(Kept);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kept {
    /// The same in each world: `each` numbers of points from `least` on. There may be millions.
    Each {
        worlds: usize,
        least: u32,
        each: u32,
    },
    /// Any stakes.
    Listed {
        all: Vec<Stake>,
        /// For each world the index of its first stake; at the end, the number of stakes.
        first: Vec<usize>,
    },
}

impl Stakes {
    /// Every number of points in every world.
    pub fn all<G: HiddenGame>(game: &G) -> Self {
        Self(Kept::Each {
            worlds: game.worlds(),
            least: 0,
            each: game.most_points(),
        })
    }

    /// The goal of at least `points` points, in every world.
    pub fn goal<G: HiddenGame>(game: &G, points: u32) -> Self {
        let is_in_reach = (1..=game.most_points()).contains(&points);
        Self(Kept::Each {
            worlds: game.worlds(),
            least: points.saturating_sub(1),
            each: is_in_reach.into(),
        })
    }

    /// The stakes of a game of any size, checked: a stake for every point or, if `goals` are given,
    /// for each goal of so many points or more.
    ///
    /// # Errors
    /// If they are too many, or a goal is out of reach.
    pub fn asked<G: HiddenGame>(game: &G, goals: Option<&[u32]>) -> Result<Self, NoStakes> {
        let (worlds, most) = (game.worlds(), game.most_points());
        let mut goals = goals.map(<[u32]>::to_vec);
        if let Some(goals) = &mut goals {
            goals.sort_unstable();
            goals.dedup();
            if let Some(&goal) = goals.iter().find(|goal| !(1..=most).contains(*goal)) {
                return Err(NoStakes::Goal { goal, most });
            }
        }
        let each = goals
            .as_ref()
            .map_or(u64::from(most), |goals| goals.len() as u64);
        if (worlds as u64).saturating_mul(each) > MOST_STAKES {
            return Err(NoStakes::TooMany { worlds, each });
        }
        Ok(match goals.as_deref() {
            None => Self::all(game),
            Some(&[goal]) => Self::goal(game, goal),
            Some(goals) => {
                let of_world = |world| {
                    let more_than = goals.iter().map(|goal| goal - 1);
                    more_than.map(move |more_than| Stake { world, more_than })
                };
                Self::listed(worlds, of_world, |_| true)
            }
        })
    }

    /// The stakes that pass `wanted`.
    pub fn only<G: HiddenGame>(game: &G, wanted: impl Fn(Stake) -> bool) -> Self {
        let most = game.most_points();
        let of_world = |world| (0..most).map(move |more_than| Stake { world, more_than });
        Self::listed(game.worlds(), of_world, wanted)
    }

    /// Those of these stakes that pass `wanted`.
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

    /// The number of worlds of the game.
    fn worlds(&self) -> usize {
        match &self.0 {
            Kept::Each { worlds, .. } => *worlds,
            Kept::Listed { first, .. } => first.len() - 1,
        }
    }

    /// The stake at an index of sets, if there is one.
    pub fn get(&self, place: usize) -> Option<Stake> {
        match &self.0 {
            Kept::Each {
                worlds,
                least,
                each,
            } => {
                let world = place.checked_div(*each as usize)?;
                (world < *worlds).then_some(Stake {
                    world,
                    more_than: least + (place % *each as usize) as u32,
                })
            }
            Kept::Listed { all, .. } => all.get(place).copied(),
        }
    }

    /// The stakes, in the order of their indices.
    pub fn iter(&self) -> impl Iterator<Item = Stake> {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// The number of stakes.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Each { worlds, each, .. } => worlds * *each as usize,
            Kept::Listed { all, .. } => all.len(),
        }
    }

    /// A number of points that wins all of them.
    pub(super) fn enough(&self) -> u32 {
        match &self.0 {
            Kept::Each { least, each, .. } => least + each,
            Kept::Listed { all, .. } => {
                let enough = all.iter().map(|stake| stake.more_than + 1);
                enough.max().unwrap_or(0)
            }
        }
    }

    /// Returns whether there is nothing to win.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether there is exactly one stake for each world, so that sets of stakes are sets
    /// of worlds.
    pub fn are_worlds(&self) -> bool {
        match &self.0 {
            Kept::Each { each, .. } => *each == 1,
            Kept::Listed { all, first } => {
                all.len() + 1 == first.len()
                    && first
                        .iter()
                        .enumerate()
                        .all(|(world, place)| world == *place)
            }
        }
    }

    /// The indices of the stakes of a world of the game.
    pub fn of_world(&self, world: usize) -> std::ops::Range<usize> {
        match &self.0 {
            Kept::Each { each, .. } => {
                let each = *each as usize;
                world * each..(world + 1) * each
            }
            Kept::Listed { first, .. } => first[world]..first[world + 1],
        }
    }

    /// The indices of those stakes of a world of the game that `points` points win.
    pub fn won_in(&self, world: usize, points: u32) -> std::ops::Range<usize> {
        let all = self.of_world(world);
        let won = match &self.0 {
            Kept::Each { least, each, .. } => points.saturating_sub(*least).min(*each) as usize,
            Kept::Listed { all: listed, .. } => {
                listed[all.clone()].partition_point(|stake| stake.more_than < points)
            }
        };
        all.start..all.start + won
    }

    /// The weight of each stake: that of its world.
    ///
    /// # Errors
    /// If their sum does not fit 64 bits.
    pub fn weights<G: HiddenGame>(&self, game: &G) -> Result<Weights, TooHeavy> {
        Weights::new(self.iter().map(|stake| game.weight(stake.world)))
    }

    /// The points that a strategy which wins these stakes has in each world: the number of the
    /// world's stakes among them.
    pub fn points(&self, won: impl IntoIterator<Item = usize>) -> Vec<u32> {
        let mut points = vec![0; self.worlds()];
        for stake in won.into_iter().filter_map(|place| self.get(place)) {
            points[stake.world] += 1;
        }
        points
    }

    /// The points that a set of stakes guarantees in each world.
    pub fn of<B: WorldSet>(&self, won: &B) -> Vec<u32> {
        self.points(won.ones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Turn;

    /// A game with this many worlds and points that is over.
    struct Over(usize, u32);

    impl HiddenGame for Over {
        type Position = ();

        fn worlds(&self) -> usize {
            self.0
        }

        fn most_points(&self) -> u32 {
            self.1
        }

        fn start(&self) {}

        fn turn(&self, (): &()) -> Turn {
            Turn::Over
        }

        fn moves(&self, (): &(), _: &mut Vec<()>) {}

        fn is_possible(&self, (): &(), _: usize) -> bool {
            true
        }

        fn points(&self, (): &(), _: usize) -> u32 {
            0
        }
    }

    #[test]
    fn stakes_by_number_are_those_of_a_list() {
        for (worlds, most) in [(1, 1), (1, 5), (3, 1), (4, 3)] {
            let game = Over(worlds, most);
            let same = |stakes: &Stakes, wanted: &dyn Fn(Stake) -> bool| {
                let listed = Stakes::only(&game, wanted);
                assert!(stakes.iter().eq(listed.iter()));
                assert_eq!(stakes.len(), listed.len());
                assert_eq!(stakes.get(stakes.len()), None);
                assert_eq!(stakes.are_worlds(), listed.are_worlds());
                assert_eq!(stakes.enough(), listed.enough());
                for world in 0..worlds {
                    assert_eq!(stakes.of_world(world), listed.of_world(world));
                    for points in 0..=most + 1 {
                        let won = listed.of_world(world).filter(|place| {
                            listed
                                .get(*place)
                                .is_some_and(|stake| stake.more_than < points)
                        });
                        let won: Vec<usize> = won.collect();
                        for stakes in [stakes, &listed] {
                            assert!(stakes.won_in(world, points).eq(won.iter().copied()));
                        }
                    }
                }
            };
            same(&Stakes::all(&game), &|_| true);
            same(&Stakes::asked(&game, None).expect("few"), &|_| true);
            for goal in 1..=most {
                same(&Stakes::goal(&game, goal), &|stake| {
                    stake.more_than + 1 == goal
                });
                let goals = [goal, 1, goal];
                let asked = Stakes::asked(&game, Some(&goals)).expect("few");
                same(&asked, &|stake| goals.contains(&(stake.more_than + 1)));
            }
        }
        assert!(Stakes::goal(&Over(3, 2), 0).is_empty() && Stakes::goal(&Over(3, 2), 3).is_empty());
    }

    #[test]
    fn what_cannot_be_asked_is_said() {
        let said = |game: Over, goals: Option<&[u32]>| {
            let asked = Stakes::asked(&game, goals);
            asked
                .map(|stakes| stakes.len())
                .map_err(|error| error.to_string())
        };
        let is = |found: Result<usize, String>, why: &str| assert_eq!(found, Err(why.to_owned()));
        is(
            said(Over(2, 3), Some(&[1, 4])),
            "the goal of 4 points is outside 1..3",
        );
        is(
            said(Over(2, 3), Some(&[0])),
            "the goal of 0 points is outside 1..3",
        );
        is(
            said(Over(2, u32::MAX), None),
            "2 worlds with up to 4294967295 points each are more than 16777216 stakes",
        );
        is(
            said(Over((1 << 24) + 1, 1), None),
            "16777217 worlds with up to 1 point each are more than 16777216 stakes",
        );
        // Only the goals count, however many points there are.
        assert_eq!(said(Over(2, u32::MAX), Some(&[u32::MAX, 7])), Ok(4));
        assert_eq!(said(Over(1 << 24, 1), None), Ok(1 << 24));
    }
}
