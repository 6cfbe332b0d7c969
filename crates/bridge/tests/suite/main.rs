//! Suits, endings and contracts at bridge, against rules written anew and known answers.
#![allow(missing_docs)]

mod by_rules;
mod contracts;
mod ending;
mod rules;
mod suit;
mod suit_book;
