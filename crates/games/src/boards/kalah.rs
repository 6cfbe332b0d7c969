//! Kalah(m, n): m pits a player, n seeds in each, and a store for each player.
//!
//! Rules, in the variant that Irving, Donkers and Uiterwijk (2000) solved. MAX begins. The player
//! to move takes all seeds from one of their own pits that is not empty and sows them one by one
//! counterclockwise: into their own following pits, their own store, the opponent's pits, and again
//! from their own first pit; the opponent's store is skipped, but not the pit that the seeds came
//! from. Then
//! - if the last seed fell into the own store, the same player moves again, and must;
//! - if it fell into an own pit that was empty, that seed and all seeds in the opponent's pit
//!   opposite go to the own store, even if the pit opposite is empty. A pit that was emptied by
//!   this very move counts as empty, after sowing once around;
//! - if now all pits of a player are empty, whoever it is, the game is over, and the seeds in the
//!   other player's pits go to that player's store.
//!
//! The value is the number of seeds in MAX's store minus those in MIN's.
//!
//! Other variants have other results. If a seed that falls opposite an empty pit stays there
//! ([`Capture::Seeds`]), Kalah(5, 2) is won by 2; by the rules above it is a draw. If the game went
//! on until the player to move had no seeds, Kalah(1, 5) would be a draw; here it is won by 2.
//!
//! A position is all pits, both stores, and who moves. Moves are ordered from the pit nearest to
//! the mover's store to the farthest, because near pits most often give another move. There is no
//! symmetry.
//!
//! Bounds: a seed in a store stays there. With a of all t seeds in MAX's store and b in MIN's, the
//! value lies between 2 a - t and t - 2 b. So the owner of a store with more than half of the seeds
//! wins. As a [`Heuristic`] the game returns both bounds.
//!
//! Cost: a position is 16 bytes; a move is as many steps as there are seeds to sow.
//!
//! Source: Irving, Donkers, Uiterwijk (2000), "Solving Kalah".

use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, Chain, Interval, Stop};
use serde::{Deserialize, Serialize};

use crate::boards::packed::{PackedPosition, Packs};
use crate::{Numbered, Playable, Refusal, StaticEvaluation, Symmetric};

/// The most pits a player may have.
pub const MOST_PITS: u32 = 6;
/// The most seeds there may be in all: each count is a byte.
pub const MOST_SEEDS: u32 = 255;

/// Why parameters make no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KalahError {
    /// Too few or too many pits.
    #[error("a player has 1 to {MOST_PITS} pits, and not {pits}")]
    Pits {
        /// The number of pits.
        pits: u32,
    },
    /// Too few or too many seeds.
    #[error("there are 1 to {MOST_SEEDS} seeds in all, and not 2 times {pits} times {seeds}")]
    Seeds {
        /// The number of pits of a player.
        pits: u32,
        /// The number of seeds in each pit.
        seeds: u32,
    },
}

/// When the last seed, fallen into an own empty pit, goes to the store, and all seeds opposite with
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Capture {
    /// Always.
    ///
    /// This is the rule of Irving, Donkers and Uiterwijk, elsewhere called empty capture.
    #[default]
    Always,
    /// Only if there are seeds opposite.
    Seeds,
}

/// The game from any position on.
#[derive(Clone, Copy, Debug)]
pub struct Kalah {
    pits: u8,
    total: u8,
    capture: Capture,
    root: KalahPosition,
    chain: Chain<i16>,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KalahPosition {
    /// Seeds: MAX's pits in the order of sowing, MAX's store, MIN's pits, MIN's store; then
    /// nothing. The last byte is 0 if MAX moves, 1 if MIN moves, 2 if the game is over.
    cells: [u8; CELLS],
}

/// Room for all pits, two stores, and the state.
const CELLS: usize = 16;
const STATE: usize = CELLS - 1;
const OVER: u8 = 2;

impl Kalah {
    /// The game with this many pits for each player, and this many seeds in each pit.
    ///
    /// # Errors
    /// If there are too few or too many of either.
    pub fn new(pits: u32, seeds: u32) -> Result<Self, KalahError> {
        if !(1..=MOST_PITS).contains(&pits) {
            return Err(KalahError::Pits { pits });
        }
        let total = seeds.saturating_mul(2 * pits);
        if !(1..=MOST_SEEDS).contains(&total) {
            return Err(KalahError::Seeds { pits, seeds });
        }
        let mut cells = [0; CELLS];
        let m = pits as usize;
        cells[..m].fill(seeds as u8);
        cells[m + 1..=2 * m].fill(seeds as u8);
        Ok(Self {
            pits: pits as u8,
            total: total as u8,
            capture: Capture::default(),
            root: KalahPosition { cells },
            chain: differences(total as i16),
        })
    }

    /// This game with another rule of capture.
    #[must_use]
    pub fn with_capture(self, capture: Capture) -> Self {
        Self { capture, ..self }
    }

    /// The rule of capture.
    pub fn capture(&self) -> Capture {
        self.capture
    }

    /// The number of pits of a player.
    pub fn pits(&self) -> u32 {
        self.pits.into()
    }

    /// The number of all seeds.
    pub fn seeds(&self) -> u32 {
        self.total.into()
    }

    /// Seeds in MAX's store and in MIN's.
    pub fn stores(&self, position: &KalahPosition) -> (u32, u32) {
        let m = usize::from(self.pits);
        let cells = &position.cells;
        (cells[m].into(), cells[2 * m + 1].into())
    }

    /// The first cell of the player to move.
    #[inline]
    fn first(&self, position: &KalahPosition) -> usize {
        match position.cells[STATE] {
            0 => 0,
            _ => usize::from(self.pits) + 1,
        }
    }

    /// Sows the seeds of a cell of the player to move.
    #[inline]
    fn sow(&self, position: &KalahPosition, from: usize) -> KalahPosition {
        let m = usize::from(self.pits);
        let mut cells = position.cells;
        let mover = cells[STATE];
        let first = self.first(position);
        let (store, skipped, end) = (first + m, (m + 1) - first + m, 2 * m + 2);
        let mut seeds = std::mem::take(&mut cells[from]);
        let mut to = from;
        while seeds > 0 {
            to += 1;
            if to == skipped {
                to += 1;
            }
            if to >= end {
                to -= end;
            }
            cells[to] += 1;
            seeds -= 1;
        }
        if to != store {
            cells[STATE] = 1 - mover;
            let opposite = 2 * m - to.min(2 * m);
            if (first..store).contains(&to)
                && cells[to] == 1
                && (self.capture == Capture::Always || cells[opposite] > 0)
            {
                cells[store] += 1 + std::mem::take(&mut cells[opposite]);
                cells[to] = 0;
            }
        }
        let sum = |pits: &[u8]| pits.iter().sum::<u8>();
        let (max, min) = (sum(&cells[..m]), sum(&cells[m + 1..=2 * m]));
        if max == 0 || min == 0 {
            cells[m] += max;
            cells[2 * m + 1] += min;
            cells[..m].fill(0);
            cells[m + 1..=2 * m].fill(0);
            cells[STATE] = OVER;
        }
        KalahPosition { cells }
    }
}

fn differences(total: i16) -> Chain<i16> {
    Chain::new(-total, total).expect("in order")
}

impl KalahPosition {
    /// Returns whether a player has no seeds left.
    pub fn is_over(&self) -> bool {
        self.cells[STATE] == OVER
    }
}

impl Kalah {
    /// Appends the positions after each move in some form, the pit nearest to the store first.
    #[inline]
    fn put_children<T>(
        &self,
        position: &KalahPosition,
        out: &mut Vec<T>,
        form: impl Fn(KalahPosition) -> T,
    ) {
        let first = self.first(position);
        for from in (first..first + usize::from(self.pits)).rev() {
            if position.cells[from] > 0 {
                out.push(form(self.sow(position, from)));
            }
        }
    }
}

/// The cells and the state, a byte each.
impl Numbered for Kalah {
    fn bits(&self) -> u32 {
        128
    }

    fn number(&self, position: &KalahPosition) -> u128 {
        u128::from_be_bytes(position.cells)
    }

    fn position(&self, number: u128) -> KalahPosition {
        KalahPosition {
            cells: number.to_be_bytes(),
        }
    }
}

impl AndOrDag for Kalah {
    type Node = KalahPosition;

    fn root(&self) -> KalahPosition {
        self.root
    }

    #[inline]
    fn kind(&self, position: &KalahPosition) -> Kind {
        match position.cells[STATE] {
            0 => Kind::Or,
            1 => Kind::And,
            _ => Kind::Leaf,
        }
    }

    #[inline]
    fn children(&self, position: &KalahPosition, out: &mut Vec<KalahPosition>) {
        self.put_children(position, out, |child| child);
    }

    /// MAX's pits in the order of sowing, MAX's store in brackets, the same for MIN:
    /// `0 4 4 [1] 3 3 3 [0], MAX to move`.
    fn name(&self, position: &KalahPosition, out: &mut dyn Write) -> fmt::Result {
        let m = usize::from(self.pits);
        for (i, player) in position.cells[..2 * m + 2].chunks(m + 1).enumerate() {
            if i > 0 {
                out.write_char(' ')?;
            }
            for seeds in &player[..m] {
                write!(out, "{seeds} ")?;
            }
            write!(out, "[{}]", player[m])?;
        }
        out.write_str(match position.cells[STATE] {
            0 => ", MAX to move",
            1 => ", MIN to move",
            _ => ", over",
        })
    }
}

/// The value: seeds in MAX's store minus those in MIN's.
impl Valuation<KalahPosition> for Kalah {
    type Lattice = Chain<i16>;

    #[inline]
    fn lattice(&self) -> &Chain<i16> {
        &self.chain
    }

    #[inline]
    fn leaf(&self, position: &KalahPosition) -> i16 {
        let m = usize::from(self.pits);
        i16::from(position.cells[m]) - i16::from(position.cells[2 * m + 1])
    }
}

/// The seeds in MAX's store so far minus those in MIN's.
impl StaticEvaluation<KalahPosition> for Kalah {
    #[inline]
    fn evaluate(&self, position: &KalahPosition) -> i16 {
        self.leaf(position)
    }
}

/// A player's pits are counted from the one farthest from the own store.
///
/// ```
/// use meetjoin_games::{Kalah, Playable};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // MAX's first move ends in the store, so MAX moves again, and then MIN.
/// assert!(Kalah::new(6, 4)?.after("362").is_ok());
/// let error = Kalah::new(3, 3)?.after("11").map(drop).unwrap_err();
/// let text = "move 2, pit 1: the pit is empty; the position is 0 4 4 [1] 3 3 3 [0], MAX to move";
/// assert_eq!(error.to_string(), text);
/// # Ok(())
/// # }
/// ```
impl Playable for Kalah {
    fn move_word(&self) -> &'static str {
        "pit"
    }

    fn numbers(&self) -> u32 {
        self.pits()
    }

    fn play(&self, position: &KalahPosition, pit: u32) -> Result<KalahPosition, Refusal> {
        if !(1..=self.pits()).contains(&pit) {
            return Err(Refusal::Unknown);
        }
        if position.is_over() {
            return Err(Refusal::Over);
        }
        let from = self.first(position) + pit as usize - 1;
        if position.cells[from] == 0 {
            return Err(Refusal::Blocked("the pit is empty"));
        }
        Ok(self.sow(position, from))
    }

    fn to_move(&self, position: &KalahPosition) -> Kind {
        self.kind(position)
    }

    fn from_position(self, root: KalahPosition) -> Self {
        Self { root, ..self }
    }

    /// As on the table, with MAX in front: MIN's pits from right to left, the stores beside them,
    /// MAX's pits from left to right, and their numbers.
    fn draw(&self, position: &KalahPosition, out: &mut dyn Write) -> fmt::Result {
        let m = usize::from(self.pits);
        let (max, min) = position.cells[..2 * m + 2].split_at(m + 1);
        let row = |pits: &mut dyn Iterator<Item = u32>| -> String {
            pits.fold(String::new(), |mut row, number| {
                // Writing to a string cannot fail.
                let _ = write!(row, "{number:4}");
                row
            })
        };
        let numbers = 1..=self.pits();
        let seeds = |pits: &[u8]| pits.iter().copied().map(u32::from).collect::<Vec<u32>>();
        writeln!(
            out,
            "      {}   MIN's pits",
            row(&mut numbers.clone().rev())
        )?;
        writeln!(
            out,
            "      {}",
            row(&mut seeds(&min[..m]).into_iter().rev())
        )?;
        writeln!(
            out,
            "  [{:2}]{:width$}  [{:2}]",
            min[m],
            "",
            max[m],
            width = 4 * m
        )?;
        writeln!(out, "      {}", row(&mut seeds(&max[..m]).into_iter()))?;
        writeln!(out, "      {}   MAX's pits", row(&mut numbers.clone()))
    }
}

/// The last byte but one is never in use.
impl Packs for Kalah {
    #[inline]
    fn pack(position: &KalahPosition) -> PackedPosition {
        PackedPosition::of_bytes(position.cells)
    }

    #[inline]
    fn unpack(packed: &PackedPosition) -> KalahPosition {
        let cells = packed.bytes();
        KalahPosition { cells }
    }

    fn expand(&self, position: &KalahPosition, out: &mut Vec<PackedPosition>) {
        self.put_children(position, out, |child| Self::pack(&child));
    }
}

/// There is no symmetry: every position is its own representative.
impl Symmetric for Kalah {
    #[inline]
    fn canonical(&self, position: &KalahPosition) -> KalahPosition {
        *position
    }

    fn images(&self, _: &KalahPosition) -> Option<u32> {
        Some(1)
    }
}

/// Bounds from the seeds in the stores, which stay there.
impl Heuristic<KalahPosition, Chain<i16>> for Kalah {
    #[inline]
    fn bounds(
        &mut self,
        _: &Chain<i16>,
        position: &KalahPosition,
        _: &Budget,
    ) -> Result<Option<Interval<i16>>, Stop> {
        let m = usize::from(self.pits);
        let total = i16::from(self.total);
        let lower = 2 * i16::from(position.cells[m]) - total;
        let upper = total - 2 * i16::from(position.cells[2 * m + 1]);
        Ok(Some(Interval::new(lower, upper)))
    }
}
