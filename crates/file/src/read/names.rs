//! Ids to numbers, fast for the ids that programs write.
//!
//! Problem: looking up an id in a hash table of ten million costs three cache misses (table, number, id), and that was most of the time of
//! reading a large file.
//!
//! Idea: programs number their nodes densely. An array indexed by the id itself serves all integers up to a few times the number of
//! ids met so far, with one miss and nothing to compare; other integers and texts go through the hash table.
//!
//! Invariant: an integer id within the array is found there, and nowhere else. So when the array grows, the ids that it newly covers
//! are entered; as it grows by doubling, that costs a constant for each id.
//!
//! Cost: at most 32 bytes of array an id, of which dense ids touch 4.

use meetjoin_dag::{Interner, Mention, NameView, NodeName};

/// The array is grown to this many times the number of ids, rounded up to a power of two.
const SPARSE: usize = 4;

/// All ids met so far.
#[derive(Default)]
pub(super) struct Names {
    ids: Interner<NodeName>,
    /// By integer id: 1 + the number of its mention, or 0.
    direct: Vec<u32>,
}

impl Names {
    /// The number of mention of an id. `None` when numbers run out.
    #[inline]
    pub(super) fn mention(&mut self, id: NameView<'_>) -> Option<Mention> {
        let Some(place) = self.direct_place(id) else {
            let known = self.ids.things().len();
            let mention = self
                .ids
                .intern(&id, |other| other.view() == id, || id.to_name())?;
            if self.ids.things().len() > known {
                self.make_room();
            }
            return Some(Mention(mention));
        };
        if let Some(mention) = self.direct[place].checked_sub(1) {
            return Some(Mention(mention));
        }
        let mention = self.ids.push(id.to_name())?;
        self.direct[place] = mention + 1;
        self.make_room();
        Some(Mention(mention))
    }

    /// Where an id stands in the array, if it belongs there.
    #[inline]
    fn direct_place(&self, id: NameView<'_>) -> Option<usize> {
        match id {
            NameView::Int(id) => {
                let place = usize::try_from(id).ok();
                place.filter(|&place| place < self.direct.len())
            }
            NameView::Text(_) => None,
        }
    }

    /// Lets the array keep up with the number of ids.
    fn make_room(&mut self) {
        let covered = self.direct.len();
        if self.ids.things().len() <= covered / 2 {
            return;
        }
        let room = (SPARSE * self.ids.things().len()).next_power_of_two();
        self.direct.resize(room, 0);
        for (mention, id) in self.ids.things().iter().enumerate() {
            if let Some(place) = self
                .direct_place(id.view())
                .filter(|&place| place >= covered)
            {
                self.direct[place] = mention as u32 + 1;
            }
        }
    }

    /// The id with this number of mention.
    pub(super) fn get(&self, mention: Mention) -> Option<&NodeName> {
        self.ids.get(mention.0)
    }

    /// All ids by their number of mention.
    pub(super) fn into_vec(self) -> Vec<NodeName> {
        self.ids.into_things()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_numbers_while_the_array_grows_over_them() {
        let mut names = Names::default();
        // Dense ids, far ones that the array reaches later, negative ones, texts; each met three times.
        let far = |i: i64| i * i * 37 + 100;
        let mut expected = Vec::new();
        for round in 0..3 {
            for i in 0..3000_i64 {
                let text = format!("{i}");
                let ids = [
                    NameView::Int(i),
                    NameView::Int(far(i)),
                    NameView::Int(-i - 1),
                    NameView::Int(i64::MAX - i),
                    NameView::Text(&text),
                ];
                for id in ids {
                    let mention = names.mention(id).expect("numbers suffice");
                    let number = mention.0 as usize;
                    if round == 0 && number == expected.len() {
                        expected.push(id.to_name());
                    }
                    assert!(expected[number].view() == id);
                }
            }
        }
        assert!(
            expected.len() < 5 * 3000,
            "some of the far ids are among the dense ones"
        );
        assert_eq!(names.into_vec(), expected);
    }
}
