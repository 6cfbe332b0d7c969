//! Racing: sets of hands of MIN, as answers show them.

use std::sync::Arc;

use meetjoin_games::Racing;
use meetjoin_lattice::{AnyElem, WorldSet};
use meetjoin_solve::value::{Names, Value, sorted};

/// Sets of hands of a deal as they are shown.
#[derive(Debug)]
pub(crate) struct Hands(pub(super) Racing);

impl Hands {
    fn at(&self, world: usize) -> Vec<u8> {
        // Worlds of sets are hands of this deal.
        self.0.hand_at(world).unwrap_or_default()
    }
}

impl Names for Hands {
    fn json(&self, set: &[usize]) -> String {
        let hands = set.iter().map(|&world| {
            let cards: Vec<String> = self.at(world).iter().map(u8::to_string).collect();
            format!("[{}]", cards.join(","))
        });
        format!("[{}]", hands.collect::<Vec<_>>().join(","))
    }

    fn readable(&self, set: &[usize]) -> String {
        let hands = set.iter().map(|&world| hand_text(&self.at(world)));
        format!("{{{}}}", shortened(hands, MOST_HANDS, ", "))
    }

    fn readable_family(&self, sets: &[Vec<usize>]) -> String {
        if sets.is_empty() {
            return "no set".to_owned();
        }
        let sets = sets.iter().map(|set| self.readable(set));
        shortened(sets, MOST_SETS, " ")
    }
}

/// A value as hands.
pub(crate) fn as_hands(value: &AnyElem, is_family: bool, names: &Arc<dyn Names>) -> Value {
    Value::Sets {
        sets: sets_of(value),
        is_family,
        names: Arc::clone(names),
    }
}

/// The maximal sets of a value.
pub(crate) fn sets_of(value: &AnyElem) -> Vec<Vec<usize>> {
    match value {
        AnyElem::SmallSet(set) => vec![WorldSet::ones(set).collect()],
        AnyElem::Set(set) => vec![WorldSet::ones(set).collect()],
        AnyElem::SmallFamily(family) => sorted(family.maximal()),
        AnyElem::Family(family) => sorted(family.maximal()),
        _ => Vec::new(),
    }
}

/// A hand for people.
pub(crate) fn hand_text(hand: &[u8]) -> String {
    let cards: Vec<String> = hand.iter().map(u8::to_string).collect();
    cards.join(" ")
}

/// The most hands of a set that are shown to people.
const MOST_HANDS: usize = 6;
/// The most sets of a family that are shown to people.
const MOST_SETS: usize = 4;

/// The first items and the number of the remaining ones.
fn shortened(items: impl ExactSizeIterator<Item = String>, most: usize, separator: &str) -> String {
    let rest = items.len().saturating_sub(most);
    let mut shown: Vec<String> = items.take(most).collect();
    if rest > 0 {
        shown.push(format!(".. and {rest} more"));
    }
    shown.join(separator)
}
