//! The names of elements of sets, and the world of each where they are stakes.
//!
//! Idea: a set of stakes ([`Stakes`](crate::Stakes)) gives the points that are guaranteed in each
//! world, and that is what people want to read. There may be millions of stakes, so a problem that
//! was made of a game keeps no names of them, but the worlds and the points of each stake.
//!
//! Invariant: stakes of one world are neighbours, with ascending points, and worlds come in their
//! order.

use std::borrow::Cow;

/// Names of the elements 1..v of a set lattice or, where these are stakes, the world and the points
/// of each. Stakes of one world are neighbours, with ascending points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldNames {
    /// Empty where elements are stakes.
    names: Vec<String>,
    worlds: Vec<Staked>,
}

/// A world with stakes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Staked {
    name: String,
    /// The index of its first stake.
    first: usize,
    /// The points of its stakes, ascending.
    points: Vec<u32>,
}

impl From<Vec<String>> for WorldNames {
    /// Elements with names that are not stakes.
    fn from(names: Vec<String>) -> Self {
        let worlds = Vec::new();
        Self { names, worlds }
    }
}

impl WorldNames {
    /// Elements that are stakes, named `world: points`: each world has a name, and the points that
    /// win its stakes, ascending. Worlds without stakes are left out.
    pub fn of_stakes(worlds: impl IntoIterator<Item = (String, Vec<u32>)>) -> Self {
        let mut first = 0;
        let worlds = worlds.into_iter().filter(|(_, points)| !points.is_empty());
        let worlds = worlds.map(|(name, points)| {
            let world = Staked {
                name,
                first,
                points,
            };
            first += world.points.len();
            world
        });
        let worlds = worlds.collect();
        let names = Vec::new();
        Self { names, worlds }
    }

    /// The name of each element.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, str>> {
        (0..).map_while(|place| self.get(place))
    }

    /// The name of an element, if it has one.
    pub fn get(&self, place: usize) -> Option<Cow<'_, str>> {
        let after = self.worlds.partition_point(|world| world.first <= place);
        let Some(Staked {
            name,
            first,
            points,
        }) = self.worlds[..after].last()
        else {
            return self.names.get(place).map(Cow::from);
        };
        let points = points.get(place - first)?;
        Some(format!("{name}: {points}").into())
    }

    /// Returns whether elements are stakes, so that a set says how many points are sure in each
    /// world.
    pub fn are_stakes(&self) -> bool {
        !self.worlds.is_empty()
    }

    /// The name of each world with the points that a set of stakes, in ascending order, guarantees
    /// there. `None` if elements are no stakes, or if the set has a stake without the stakes of the
    /// same world with fewer points, which no strategy can win.
    pub fn points(&self, set: impl IntoIterator<Item = usize>) -> Option<Vec<(&str, u32)>> {
        if !self.are_stakes() {
            return None;
        }
        let mut won = set.into_iter().peekable();
        let of_world = |world: &'_ Staked| {
            let mut sure = 0;
            for (place, &points) in (world.first..).zip(&world.points) {
                if won.next_if_eq(&place).is_some() {
                    sure = points;
                } else {
                    break;
                }
            }
            sure
        };
        let points: Vec<u32> = self.worlds.iter().map(of_world).collect();
        // The stakes that are left do not begin with the first ones of their world.
        won.next().is_none().then(|| {
            let names = self.worlds.iter().map(|world| world.name.as_str());
            names.zip(points).collect()
        })
    }

    /// The stakes of a set that guarantees these points in each world, in ascending order; the
    /// reverse of [`points`](Self::points). `None` if a world has no points, or points that none of
    /// its stakes and not 0 stand for.
    pub fn stakes(&self, mut sure: impl FnMut(&str) -> Option<u32>) -> Option<Vec<usize>> {
        let mut won = Vec::new();
        for world in &self.worlds {
            let sure = sure(&world.name)?;
            let count = match sure {
                0 => 0,
                _ => 1 + world.points.binary_search(&sure).ok()?,
            };
            won.extend(world.first..world.first + count);
        }
        Some(won)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> WorldNames {
        let worlds = [("a", vec![2, 5]), ("b", vec![]), ("c", vec![1])];
        WorldNames::of_stakes(worlds.map(|(name, points)| (name.to_owned(), points)))
    }

    #[test]
    fn stakes_are_called_by_world_and_points() {
        let names = names();
        assert_eq!(names.iter().collect::<Vec<_>>(), ["a: 2", "a: 5", "c: 1"]);
        assert_eq!(names.get(3), None);
    }

    #[test]
    fn a_set_of_stakes_is_points_by_world() {
        let (a, c) = (|points| ("a", points), |points| ("c", points));
        for (set, points) in [
            (vec![], Some(vec![a(0), c(0)])),
            (vec![0], Some(vec![a(2), c(0)])),
            (vec![2], Some(vec![a(0), c(1)])),
            (vec![0, 1, 2], Some(vec![a(5), c(1)])),
            (vec![1], None),
            (vec![1, 2], None),
            (vec![0, 3], None),
        ] {
            assert_eq!(names().points(set.iter().copied()), points, "{set:?}");
            if let Some(points) = points {
                let sure = |name: &str| points.iter().find(|(of, _)| *of == name).map(|(_, p)| *p);
                assert_eq!(names().stakes(sure), Some(set));
            }
        }
    }

    #[test]
    fn points_that_no_stake_stands_for_are_no_set() {
        assert_eq!(names().stakes(|_| Some(3)), None);
        assert_eq!(names().stakes(|name| (name == "a").then_some(2)), None);
    }

    #[test]
    fn elements_that_are_no_stakes_have_no_points() {
        let names = WorldNames::from(vec!["a".to_owned()]);
        assert_eq!(names.points([0]), None);
        assert!(!names.are_stakes() && names.iter().eq(["a"]) && names.get(1).is_none());
    }
}
