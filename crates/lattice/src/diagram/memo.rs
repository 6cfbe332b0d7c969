//! A direct-mapped cache of results: a new entry overwrites what was in its place.
//!
//! Invariant: keys are compared whole, so what was overwritten affects the time alone.

/// Two operands and their result; all zero if empty.
type Entry = [u32; 3];

const FIRST: usize = 64;
/// The most places: 48 MiB.
const MOST: usize = 1 << 22;

#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    entries: Vec<Entry>,
    /// Whether the table has its greatest size.
    full: bool,
}

impl Memo {
    #[inline]
    fn place(&self, a: u32, b: u32) -> usize {
        let key = u64::from(a) << 32 | u64::from(b);
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (product >> (64 - self.entries.len().ilog2())) as usize
    }

    /// The result for two operands, of which the first is not zero.
    #[inline]
    pub(super) fn get(&self, a: u32, b: u32) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        let [x, y, result] = self.entries[self.place(a, b)];
        (x == a && y == b).then_some(result)
    }

    /// Remembers a result.
    #[inline]
    pub(super) fn put(&mut self, a: u32, b: u32, result: u32) {
        if self.entries.is_empty() {
            self.entries = vec![[0; 3]; FIRST];
        }
        let place = self.place(a, b);
        self.entries[place] = [a, b, result];
    }

    /// Grows to about one place per node, within a limit of bytes.
    #[cold]
    pub(super) fn grow_with(&mut self, nodes: usize, bytes_left: Option<u64>) {
        let wanted = nodes.next_power_of_two().clamp(FIRST, MOST);
        let affordable =
            bytes_left.is_none_or(|left| (wanted * size_of::<Entry>()) as u64 <= left / 4);
        if wanted > self.entries.len() && affordable {
            let old = std::mem::replace(&mut self.entries, vec![[0; 3]; wanted]);
            for [a, b, result] in old.into_iter().filter(|entry| entry[0] != 0) {
                self.put(a, b, result);
            }
        }
        self.full = self.entries.len() < nodes;
    }

    #[inline]
    pub(super) fn places(&self) -> usize {
        self.entries
            .len()
            .max(if self.full { usize::MAX } else { 0 })
    }

    pub(super) fn forget(&mut self) {
        self.entries.fill([0; 3]);
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.entries.capacity() * size_of::<Entry>()) as u64
    }
}
