//! Tables of the suits of a book: chances by honours and length, and the suits in which goals are
//! most at odds.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::{Class, Row, Values, class};
use crate::play::Cards;

/// Suits of a list of those that stand out.
const LISTED: usize = 10;
const HONOURS: &str = "AKQJT";

/// What stands out among the suits of a book. Weights are of [`TOTAL`](super::TOTAL) for each suit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tables {
    /// How many suits these are, and of how many classes.
    pub suits: u64,
    /// The classes of suits that are worth the same.
    pub classes: usize,
    /// The suits in which one line serves all goals worst.
    pub hardest: Vec<Hard>,
    /// By honours and length.
    pub cells: Vec<Cell>,
}

/// A suit in which one line serves goals worst.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hard {
    /// North's cards.
    pub north: String,
    /// South's cards.
    pub south: String,
    /// The sum of the best weights of the goals, each by its own line.
    pub separately: u64,
    /// The sum of the weights that the line with the best average reaches.
    pub together: u64,
}

/// Suits with the same honours and as many cards in the two hands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The honours, the ace first, or `none`.
    pub honours: String,
    /// Cards of the two hands.
    pub cards: u8,
    /// How many suits.
    pub suits: u32,
    /// The sum of the best weights for at least 1, 2, .. tricks, as far as there is a chance.
    pub tricks: Vec<u64>,
    /// The sum of the greatest averages.
    pub average: u64,
}

impl Tables {
    /// The tables of these suits. Cost: each suit once, and its class.
    pub fn of(rows: &[Row]) -> Self {
        let classes = of_classes(rows);
        let mut sums: BTreeMap<(usize, u8), (u32, [u64; 14])> = BTreeMap::new();
        for row in rows {
            let held = row.north.or(row.south);
            let (suits, sum) = sums.entry((honours(held), held.count())).or_default();
            *suits += 1;
            for (sum, value) in sum.iter_mut().zip(row.values) {
                *sum += u64::from(value);
            }
        }
        Self {
            suits: rows.len() as u64,
            classes: classes.len(),
            hardest: hardest(&classes),
            cells: sums.into_iter().map(cell).collect(),
        }
    }
}

/// One suit of each class, in order, with its numbers.
pub fn of_classes(rows: &[Row]) -> Vec<(Class, Values)> {
    let classes = rows
        .iter()
        .map(|row| (class(row.north, row.south), row.values));
    let classes: BTreeMap<Class, Values> = classes.collect();
    classes.into_iter().collect()
}

fn cell(((honours, cards), (suits, sums)): ((usize, u8), (u32, [u64; 14]))) -> Cell {
    let [tricks @ .., average] = sums;
    Cell {
        honours: named(honours),
        cards,
        suits,
        tricks: tricks.into_iter().take_while(|sum| *sum > 0).collect(),
        average,
    }
}

/// The honours of a suit, a bit for each, the ace first.
fn honours(held: Cards) -> usize {
    HONOURS.chars().enumerate().fold(0, |set, (place, rank)| {
        let has = held.to_string().contains(rank);
        set | usize::from(has) << (HONOURS.len() - 1 - place)
    })
}

fn named(honours: usize) -> String {
    let has = |place: usize| honours >> (HONOURS.len() - 1 - place) & 1 == 1;
    let named: String = HONOURS
        .chars()
        .enumerate()
        .filter(|(place, _)| has(*place))
        .map(|(_, rank)| rank)
        .collect();
    if named.is_empty() {
        "none".to_owned()
    } else {
        named
    }
}

/// Those in which the best line for the average falls furthest behind what the best line for each
/// goal reaches of it. Of suits with the same numbers, which differ in small cards, the first.
fn hardest(all: &[(Class, Values)]) -> Vec<Hard> {
    let sums = |values: &Values| {
        let separately: u64 = values[..13].iter().map(|value| u64::from(*value)).sum();
        (separately, u64::from(values[13]))
    };
    let lost = |values: &Values| {
        let (separately, together) = sums(values);
        separately.saturating_sub(together)
    };
    let mut sorted: Vec<&(Class, Values)> = all.iter().collect();
    sorted.sort_unstable_by_key(|(class, values)| (Reverse(lost(values)), *values, *class));
    sorted.dedup_by_key(|(_, values)| *values);
    let listed = sorted.into_iter().take(LISTED);
    listed
        .map(|((north, south), values)| {
            let (separately, together) = sums(values);
            Hard {
                north: north.to_string(),
                south: south.to_string(),
                separately,
                together,
            }
        })
        .collect()
}
