//! The ways to deal the unseen cards.

use super::error::TrickError;
use super::order::MOST_PLAYERS;

/// The most worlds.
pub(super) const MOST_WORLDS: usize = 1_000_000;

/// What is known of a hidden hand, as sets of cards in play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) player: usize,
    pub(super) has: u32,
    pub(super) lacks: u32,
}

/// A way to deal: the cards of each hidden hand.
pub(super) type Held = [u32; MOST_PLAYERS];

/// All ways to deal `size` of the unseen cards to each hidden hand, in a fixed order.
pub(super) fn all(unseen: u32, hidden: &[Known], size: u32) -> Result<Vec<Held>, TrickError> {
    let mut ways = vec![[0; MOST_PLAYERS]];
    for (place, known) in hidden.iter().enumerate() {
        let later = hidden[place + 1..].iter();
        let kept = later.fold(0, |all, other| all | other.has);
        let mut next = Vec::new();
        for way in ways {
            let given = way.iter().fold(0, |all, cards| all | cards);
            let free = unseen & !given & !kept & !known.lacks & !known.has;
            let Some(wanted) = size.checked_sub(known.has.count_ones()) else {
                continue;
            };
            for some in subsets(free, wanted) {
                if next.len() == MOST_WORLDS {
                    return Err(TrickError::ManyWorlds(MOST_WORLDS));
                }
                let mut way = way;
                way[known.player] = known.has | some;
                next.push(way);
            }
        }
        ways = next;
    }
    if ways.is_empty() {
        return Err(TrickError::NoWorld);
    }
    Ok(ways)
}

/// The subsets of `of` with `count` cards.
fn subsets(of: u32, count: u32) -> impl Iterator<Item = u32> {
    let cards = of.count_ones();
    // Subsets are numbers of indices: the next one is the next number with as many ones.
    let end = 1_u64 << cards;
    let first = (count <= cards).then(|| (1_u64 << count) - 1);
    std::iter::successors(first, move |&places| {
        let lowest = places & places.wrapping_neg();
        let above = places.checked_add(lowest).filter(|_| places != 0)?;
        let next = above | (((places ^ above) >> 2) / lowest);
        (next < end).then_some(next)
    })
    .map(move |places| spread(places, of))
}

/// The cards at these indices of a set.
fn spread(places: u64, of: u32) -> u32 {
    let (mut rest, mut cards, mut place) = (of, 0, 0);
    while rest != 0 {
        let card = rest & rest.wrapping_neg();
        rest &= rest - 1;
        if places >> place & 1 == 1 {
            cards |= card;
        }
        place += 1;
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_all_and_each_once() {
        for (of, count, wanted) in [
            (0b1011_0100_u32, 2, 6),
            (0b111, 0, 1),
            (0, 0, 1),
            (0b11, 3, 0),
            (u32::MAX, 1, 32),
            (u32::MAX, 32, 1),
        ] {
            let mut found: Vec<u32> = subsets(of, count).collect();
            assert_eq!(found.len(), wanted, "{of:b} {count}");
            assert!(
                found
                    .iter()
                    .all(|set| set & !of == 0 && set.count_ones() == count)
            );
            found.dedup();
            assert_eq!(found.len(), wanted);
        }
    }
}
