//! Cards as numbers from 1 up, and sets of them as bits of a word.

use std::fmt::{self, Write};

/// The set of one card.
pub(super) fn bit(card: u8) -> u64 {
    1 << (card - 1)
}

/// The cards of a set, ascending.
pub(super) fn cards(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let card = set.trailing_zeros() as u8 + 1;
        let more = set != 0;
        set &= set.wrapping_sub(1);
        more.then_some(card)
    })
}

/// Writes a number of at most two digits after some text. Names of positions have many numbers, and
/// `write!` takes five times as long.
pub(super) fn write_number(before: &str, number: u8, out: &mut dyn Write) -> fmt::Result {
    out.write_str(before)?;
    if number >= 10 {
        out.write_char(char::from(b'0' + number / 10))?;
    }
    out.write_char(char::from(b'0' + number % 10))
}
