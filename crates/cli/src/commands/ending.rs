//! `meetjoin ending`: the last tricks of a deal at bridge.

use std::cell::Cell;
use std::time::Duration;

use meetjoin_bridge::ending::ending;
use meetjoin_bridge::{Deal, DealHand, Ending};
use meetjoin_lattice::Budget;

use crate::arguments::args::EndingArgs;
use crate::arguments::ending_options::{Player, SuitLength, Trumps};
use crate::arguments::suit_options::Length;
use crate::process::failure::Failure;
use crate::process::{input, limits, output};

/// Without limits, an ending of more tricks than can be expected to be solved stops after so long.
const TIME_BEYOND: Duration = Duration::from_secs(10);
const SURE_TRICKS: u8 = 5;

fn read(file: &std::path::Path) -> Result<String, Failure> {
    let bytes = input::all_of(file)?;
    // Old files are Latin-1; what counts is ASCII.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A line of a file of weights.
struct Weighed {
    hand: DealHand,
    weight: u64,
    line: usize,
    /// Whether the defender can hold this hand.
    is_met: Cell<bool>,
}

/// Weights of West's hands: a line has a hand as PBN writes it, and a number. Other hands weigh
/// nothing.
fn weights(file: &std::path::Path) -> Result<Vec<Weighed>, Failure> {
    let text = read(file)?;
    let mut weights = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |why: String| Failure::in_file(file, format!("line {}: {why}", number + 1));
        let words: Vec<&str> = line.split_whitespace().collect();
        match *words.as_slice() {
            [] => {}
            [hand, weight] => {
                let hand = DealHand::of_text(hand).map_err(|error| wrong(error.to_string()))?;
                let parsed: Option<u32> = weight.parse().ok();
                let weight = parsed.ok_or_else(|| {
                    wrong(format!("{weight:?} is no weight from 0 to 4294967295"))
                })?;
                weights.push(Weighed {
                    hand,
                    weight: u64::from(weight),
                    line: number + 1,
                    is_met: Cell::new(false),
                });
            }
            _ => {
                return Err(wrong(
                    "a line has a hand, as in AQ.K.J2., and its weight".to_owned(),
                ));
            }
        }
    }
    Ok(weights)
}

pub(crate) fn run(args: &EndingArgs) -> Result<(), Failure> {
    let mut limits = limits::of_command(&args.limits)?;
    let text = read(&args.file)?;
    let deal = Deal::of_pbn(&text).map_err(|error| Failure::in_file(&args.file, error))?;
    let declarer = args.declarer.map(|Player(seat)| seat).or(deal.declarer);
    let declarer = declarer.ok_or_else(|| {
        Failure::in_file(
            &args.file,
            "no declarer is named; add --declarer N, E, S or W",
        )
    })?;
    let leader = args
        .lead
        .map(|Player(seat)| seat)
        .or(deal.leader)
        .unwrap_or(declarer);
    let trumps = args
        .trumps
        .map(|Trumps(trumps)| trumps)
        .or(deal.trumps)
        .flatten();
    let listed = args.weights.as_deref().map(weights).transpose()?;
    let weigh = |west: DealHand| {
        let fits = args
            .west_length
            .iter()
            .all(|SuitLength(suit, Length(least, most))| {
                let length = west.cards().filter(|card| card.suit() == *suit).count();
                (usize::from(*least)..=usize::from(*most)).contains(&length)
            });
        let weight = match &listed {
            None => 1,
            Some(listed) => {
                let of_hand = listed.iter().filter(|listed| listed.hand == west);
                of_hand
                    .inspect(|listed| listed.is_met.set(true))
                    .map(|listed| listed.weight)
                    .sum()
            }
        };
        if fits { weight } else { 0 }
    };
    let found = Ending::new(&deal, declarer, leader, trumps, weigh);
    let found = found.map_err(|error| Failure::in_file(&args.file, error))?;
    if let (Some(file), Some(listed)) = (&args.weights, &listed)
        && let Some(other) = listed.iter().find(|listed| !listed.is_met.get())
    {
        let (hand, line) = (other.hand, other.line);
        let why = format!("line {line}: the defender whose hands are weighed cannot hold {hand}");
        return Err(Failure::in_file(file, why));
    }
    let left = found.tricks();
    if args.tricks == 0 || args.tricks > left {
        return Err(Failure::Input(format!(
            "{} tricks are no goal: {left} are left",
            args.tricks
        )));
    }
    if left > SURE_TRICKS && limits.visits.is_none() {
        limits.time = limits.time.or(Some(TIME_BEYOND));
    }
    let budget = Budget::new(limits);
    let ahead = args.alpha_mu.map(std::num::NonZero::get);
    let ahead = ahead.map(u32::from);
    let answer = limits::searching(|| ending(&found, args.tricks, ahead, &budget));
    output::print(&if args.json {
        answer.json()
    } else {
        answer.text()
    })?;
    if answer.is_complete() {
        Ok(())
    } else {
        Err(Failure::Stopped)
    }
}
