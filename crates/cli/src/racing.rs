//! Racing as a subject: positions are searched as the rules give them, and values are printed as hands of MIN.

use std::fmt;

use meetjoin::dag::{AndOrDag, Kind, Valuation};
use meetjoin::games::racing::{OfWorlds, Racing, RacingPosition, RacingVisitor};
use meetjoin::lattice::{DistributiveLattice, ElemOf};
use meetjoin::search::Visited;
use meetjoin::search::engine::Tables;

use crate::args::SetLattice;
use crate::failure::Failure;
use crate::solve::{self, Request};
use crate::subject::Subject;

/// The most hands of MIN that the command lists: a value has a bit for each.
const MOST_WORLDS: u64 = 1 << 24;

/// Refuses deals with more worlds than anybody wants to list.
pub(crate) fn check_size(game: &Racing) -> Result<(), String> {
    let worlds = game.world_count();
    if worlds <= MOST_WORLDS {
        return Ok(());
    }
    Err(format!(
        "MIN may hold {worlds} hands in this deal, more than {MOST_WORLDS}"
    ))
}

/// The value of a deal.
pub(crate) fn solve(
    game: &Racing,
    lattice: SetLattice,
    request: &Request<'_>,
) -> Result<(), Failure> {
    let solving = Solving { game, request };
    let solved = match lattice {
        SetLattice::Powerset => game.in_sets(solving),
        SetLattice::Families => game.in_families(solving),
    };
    solved.map_err(|error| request.refused(error))?
}

struct Solving<'a> {
    game: &'a Racing,
    request: &'a Request<'a>,
}

impl RacingVisitor for Solving<'_> {
    type Output = Result<(), Failure>;

    fn visit<V>(self, valuation: &V) -> Result<(), Failure>
    where
        V: OfWorlds<Lattice: DistributiveLattice>,
    {
        let deal = Deal {
            game: self.game,
            hands: self.game.hands(),
            valuation,
        };
        solve::solve(&deal, self.request, &solve::distributive)
    }
}

/// A hand for people.
pub(crate) fn hand_text(hand: &[u8]) -> String {
    let cards: Vec<String> = hand.iter().map(u8::to_string).collect();
    cards.join(" ")
}

/// A deal with the values of its leaves.
struct Deal<'a, V> {
    game: &'a Racing,
    hands: Vec<Vec<u8>>,
    valuation: &'a V,
}

impl<V> AndOrDag for Deal<'_, V> {
    type Node = RacingPosition;

    fn root(&self) -> RacingPosition {
        self.game.root()
    }

    #[inline]
    fn kind(&self, position: &RacingPosition) -> Kind {
        self.game.kind(position)
    }

    #[inline]
    fn children(&self, position: &RacingPosition, out: &mut Vec<RacingPosition>) {
        self.game.children(position, out);
    }

    fn name(&self, position: &RacingPosition, out: &mut dyn fmt::Write) -> fmt::Result {
        self.game.name(position, out)
    }
}

impl<V: Valuation<RacingPosition>> Valuation<RacingPosition> for Deal<'_, V> {
    type Lattice = V::Lattice;

    #[inline]
    fn lattice(&self) -> &V::Lattice {
        self.valuation.lattice()
    }

    #[inline]
    fn leaf(&self, position: &RacingPosition) -> ElemOf<V::Lattice> {
        self.valuation.leaf(position)
    }
}

impl<V: OfWorlds> Subject for Deal<'_, V> {
    type Stores = Tables;
    type Bounds<'s>
        = ()
    where
        Self: 's;
    type Distinct = Option<Visited<RacingPosition>>;

    fn stores(&self) -> Tables {
        Tables
    }

    fn bounds(&self) {}

    fn distinct(&self, affordable: bool) -> Option<Visited<RacingPosition>> {
        affordable.then(Visited::default)
    }

    fn push_node(&self, position: &RacingPosition, out: &mut String) {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = self.game.name(position, &mut name);
        out.push_str(&serde_json::Value::from(name).to_string());
    }

    fn push_value(&self, value: &ElemOf<V::Lattice>, out: &mut String) {
        let sets = V::sets(value);
        let sets: Vec<String> = sets.iter().map(|set| self.set_json(set)).collect();
        let [open, close] = if V::FAMILIES { ["[", "]"] } else { ["", ""] };
        out.push_str(open);
        out.push_str(&sets.join(","));
        out.push_str(close);
    }

    fn push_readable(&self, value: &ElemOf<V::Lattice>, out: &mut String) {
        let sets = V::sets(value);
        if sets.is_empty() {
            out.push_str("no set");
            return;
        }
        let shown = sets.iter().map(|set| {
            let hands = set.iter().map(|&world| hand_text(&self.hands[world]));
            format!("{{{}}}", shortened(hands, MOST_HANDS, ", "))
        });
        out.push_str(&shortened(shown, MOST_SETS, " "));
    }

    fn facts(&self, value: Option<&ElemOf<V::Lattice>>) -> Vec<(&'static str, Option<usize>)> {
        let sets = value.map(V::sets);
        let largest = |sets: &Vec<Vec<usize>>| sets.iter().map(Vec::len).max().unwrap_or(0);
        let mut facts = vec![
            ("worlds", Some(self.hands.len())),
            ("winning", sets.as_ref().map(largest)),
        ];
        if V::FAMILIES {
            facts.push(("sets", sets.as_ref().map(Vec::len)));
        }
        facts
    }
}

impl<V> Deal<'_, V> {
    fn set_json(&self, set: &[usize]) -> String {
        let hands = set.iter().map(|&world| {
            let cards: Vec<String> = self.hands[world].iter().map(u8::to_string).collect();
            format!("[{}]", cards.join(","))
        });
        format!("[{}]", hands.collect::<Vec<_>>().join(","))
    }
}

/// Hands of a set that are shown to people.
const MOST_HANDS: usize = 6;
/// Sets of a family that are shown to people.
const MOST_SETS: usize = 4;

/// The first items and the number of the rest.
fn shortened(items: impl ExactSizeIterator<Item = String>, most: usize, separator: &str) -> String {
    let rest = items.len().saturating_sub(most);
    let mut shown: Vec<String> = items.take(most).collect();
    if rest > 0 {
        shown.push(format!(".. and {rest} more"));
    }
    shown.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_shortened() {
        let list = |length: usize| shortened((0..length).map(|i| i.to_string()), 3, ", ");
        assert_eq!(list(0), "");
        assert_eq!(list(3), "0, 1, 2");
        assert_eq!(list(913), "0, 1, 2, .. and 910 more");
    }
}
