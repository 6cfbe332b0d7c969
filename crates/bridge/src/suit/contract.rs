//! What a contract scores, and IMPs: the laws of duplicate bridge, 2017, laws 77 and 78.

use std::fmt;
use std::str::FromStr;

use meetjoin_report::counted;

/// The trumps of a contract, as far as they count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Minor,
    Major,
    NoTrump,
}

/// A contract with the tricks of one suit that make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    text: String,
    level: u8,
    kind: Kind,
    /// 1, 2 for doubled, 4 for redoubled.
    times: i32,
    is_vulnerable: bool,
}

/// Something that is no contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// Letters that make no sense.
    #[error(
        "{0:?} is not a contract; write 4S, 3NT, 6HX for a doubled or 2DXX for a redoubled one, with V at the end if declarer is vulnerable"
    )]
    Unknown(String),
    /// Tricks elsewhere cannot be as many.
    #[error(
        "{contract} needs {}, and {tricks} of this suit cannot be what makes it",
        counted(.needed, "trick")
    )]
    Tricks {
        /// The contract.
        contract: String,
        /// The tricks that it needs.
        needed: u8,
        /// The tricks of the suit.
        tricks: u8,
    },
    /// More tricks than thirteen.
    #[error(
        "{contract} with {} of this suit would leave {all} tricks in all, and there are 13",
        counted(.tricks, "trick")
    )]
    TooMany {
        /// The contract.
        contract: String,
        /// The tricks of the suit that make it.
        tricks: u8,
        /// The tricks if all of the suit are taken.
        all: u8,
    },
}

impl FromStr for Contract {
    type Err = ContractError;

    fn from_str(text: &str) -> Result<Self, ContractError> {
        let unknown = || ContractError::Unknown(text.to_owned());
        let upper = text.to_ascii_uppercase();
        let (rest, is_vulnerable) = match upper.strip_suffix('V') {
            Some(rest) => (rest, true),
            None => (upper.as_str(), false),
        };
        let bid = rest.trim_end_matches('X');
        let times = match rest.len() - bid.len() {
            0 => 1,
            1 => 2,
            2 => 4,
            _ => return Err(unknown()),
        };
        let mut letters = bid.chars();
        let level = letters.next().and_then(|level| level.to_digit(10));
        let level = level.filter(|level| (1..=7).contains(level));
        let kind = match letters.as_str() {
            "C" | "D" => Kind::Minor,
            "H" | "S" => Kind::Major,
            "N" | "NT" => Kind::NoTrump,
            _ => return Err(unknown()),
        };
        Ok(Self {
            text: upper.clone(),
            level: level.ok_or_else(unknown)? as u8,
            kind,
            times,
            is_vulnerable,
        })
    }
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Contract {
    /// The tricks that make it.
    fn needed(&self) -> u8 {
        6 + self.level
    }

    /// The score of each number of tricks of a suit, from none to `all`, if `tricks` of them make
    /// the contract.
    ///
    /// # Errors
    /// If the numbers do not fit together.
    pub fn scores(&self, tricks: u8, all: u8) -> Result<Vec<i32>, ContractError> {
        let Some(elsewhere) = self.needed().checked_sub(tricks) else {
            return Err(ContractError::Tricks {
                contract: self.text.clone(),
                needed: self.needed(),
                tricks,
            });
        };
        if elsewhere + all > 13 {
            return Err(ContractError::TooMany {
                contract: self.text.clone(),
                tricks,
                all: elsewhere + all,
            });
        }
        Ok((0..=all)
            .map(|taken| self.score(elsewhere + taken))
            .collect())
    }

    /// The score of `taken` tricks in all.
    fn score(&self, taken: u8) -> i32 {
        let over = i32::from(taken) - i32::from(self.needed());
        if over < 0 {
            return -self.penalty(-over);
        }
        let (each, first) = match self.kind {
            Kind::Minor => (20, 0),
            Kind::Major => (30, 0),
            Kind::NoTrump => (30, 10),
        };
        let bid = self.times * (each * i32::from(self.level) + first);
        let by_state = |free, vulnerable| if self.is_vulnerable { vulnerable } else { free };
        let game = if bid >= 100 { by_state(300, 500) } else { 50 };
        let slam = match self.level {
            6 => by_state(500, 750),
            7 => by_state(1000, 1500),
            _ => 0,
        };
        let (insult, overtrick) = match self.times {
            1 => (0, each),
            times => (25 * times, by_state(50, 100) * times),
        };
        bid + game + slam + insult + over * overtrick
    }

    fn penalty(&self, under: i32) -> i32 {
        if self.times == 1 {
            return under * if self.is_vulnerable { 100 } else { 50 };
        }
        let doubled: i32 = (1..=under)
            .map(|trick| match (trick, self.is_vulnerable) {
                (1, false) => 100,
                (1, true) | (2 | 3, false) => 200,
                _ => 300,
            })
            .sum();
        doubled * self.times / 2
    }
}

/// The least difference of scores for each number of IMPs from 1 on.
const IMPS: [i32; 24] = [
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
    2000, 2250, 2500, 3000, 3500, 4000,
];

/// The IMPs of a difference of scores.
pub fn imps(difference: i32) -> i32 {
    let imps = (1..)
        .zip(IMPS)
        .take_while(|(_, least)| *least <= difference.abs());
    let imps = imps.last().map_or(0, |(imps, _)| imps);
    imps * difference.signum()
}
