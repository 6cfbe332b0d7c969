//! `meetjoin ending`: the last tricks of a deal at bridge.

mod rules;

use std::cell::Cell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use meetjoin_bridge::ending::asked::Asked;
use meetjoin_bridge::ending::{EndingRequest, answered};
use meetjoin_bridge::suit::request::Length;
use meetjoin_bridge::{Deal, DealError, DealHand};
use meetjoin_lattice::{Budget, Limits};
use meetjoin_report::progress::between;
use meetjoin_report::{counted, percent};
use serde::de::IgnoredAny;

use crate::arguments::args::EndingArgs;
use crate::arguments::ending_options::{Player, SuitLength, Trumps};
use crate::process::failure::Failure;
use crate::process::{input, limits, line, output};

/// The default time limit of an ending with too many tricks to expect an exact answer.
const TIME_BEYOND: Duration = Duration::from_secs(10);
const SURE_TRICKS: u8 = 5;
/// The time limit of the line after a search was stopped.
const TIME_AFTERWARDS: Duration = Duration::from_secs(2);
/// The error for hands that are not three.
const NOT_ALL: &str =
    "give three hands: North's, South's, and all cards of both defenders; or one file with a deal";

/// The error for a file in JSON.
const NO_PBN: &str = "it is JSON, not a deal in Portable Bridge Notation as --tricks needs; use --rules file for an ending with the rules of its game";

fn read(file: &std::path::Path) -> Result<String, Failure> {
    let bytes = input::all_of(file)?;
    // Old files are Latin-1; the tags that matter are ASCII.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The line of a hand in a file of weights.
struct Weighed {
    weight: u64,
    line: usize,
    /// Whether the defender can hold this hand.
    is_met: Cell<bool>,
}

/// Weights of West's hands: a line has a hand as PBN writes it, and a number. Other hands weigh
/// nothing.
fn weights(file: &std::path::Path) -> Result<HashMap<DealHand, Weighed>, Failure> {
    let text = read(file)?;
    let mut weights = HashMap::<DealHand, Weighed>::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |why: String| Failure::in_file(file, format!("line {}: {why}", number + 1));
        let words: Vec<&str> = line.split_whitespace().collect();
        match *words.as_slice() {
            [] => {}
            [hand, weight] => {
                let hand = DealHand::of_text(hand).map_err(|error| wrong(error.to_string()))?;
                let parsed: Option<u32> = weight.parse().ok();
                let weight = parsed.ok_or_else(|| {
                    wrong(format!("{weight:?} is not a weight from 0 to 4294967295"))
                })?;
                let weighed = Weighed {
                    weight: u64::from(weight),
                    line: number + 1,
                    is_met: Cell::new(false),
                };
                if let Some(Weighed { line, .. }) = weights.insert(hand, weighed) {
                    return Err(wrong(format!("the hand {hand} stands on line {line} too")));
                }
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

/// The deal, and the file that it comes from.
fn deal(given: &[String]) -> Result<(Deal, Option<PathBuf>), Failure> {
    let wrong = |error: DealError| Failure::Input(error.to_string());
    match given {
        [north, south, defenders] => {
            for hand in given {
                DealHand::of_text(hand).map_err(wrong)?;
            }
            let tags = format!("[Deal \"N:{north} {defenders} {south} -\"]\n[Declarer \"S\"]");
            Ok((Deal::of_pbn(&tags).map_err(wrong)?, None))
        }
        [file] => {
            let path = PathBuf::from(file);
            if DealHand::of_text(file).is_ok() && !path.exists() {
                return Err(Failure::Input(NOT_ALL.to_owned()));
            }
            let text = read(&path)?;
            // A brace can also begin a comment in PBN.
            if serde_json::from_str::<IgnoredAny>(&text).is_ok() {
                return Err(Failure::in_file(&path, NO_PBN));
            }
            let deal = Deal::of_pbn(&text).map_err(|error| Failure::in_file(&path, error))?;
            Ok((deal, Some(path)))
        }
        _ => Err(Failure::Input(NOT_ALL.to_owned())),
    }
}

/// The limits as given; an ending of many tricks without any gets a time limit.
fn with_an_end(mut limits: Limits, tricks: u8) -> Limits {
    let is_limited = limits.visits.is_some() || limits.deadline.is_some();
    if tricks > SURE_TRICKS && !is_limited {
        limits.time = Some(TIME_BEYOND);
    }
    limits
}

/// The limits of the search, and those for the line of a search that was stopped.
fn with_something_left(mut limits: Limits) -> (Limits, Limits) {
    let mut afterwards = Limits {
        time: Some(TIME_AFTERWARDS),
        // After a signal the line is still worked out.
        cancel: None,
        ..limits.clone()
    };
    if let Some(deadline) = limits.deadline {
        let third = deadline.saturating_duration_since(Instant::now()) / 3;
        let left = third.min(TIME_AFTERWARDS);
        limits.deadline = deadline.checked_sub(left);
        // Dropping the tables takes time too.
        afterwards.deadline = deadline.checked_sub(left / 4);
    }
    (limits, afterwards)
}

/// The value of an option that has another meaning with `--rules`.
fn option<T: FromStr<Err = String>>(name: &str, value: Option<&str>) -> Result<Option<T>, Failure> {
    let parsed = value.map(|text| {
        let wrong = |why| Failure::Input(format!("invalid value '{text}' for '{name}': {why}"));
        text.parse().map_err(wrong)
    });
    parsed.transpose()
}

/// The error where --tricks is missing.
fn no_goal(left: u8) -> String {
    match left {
        1 => "1 trick is left; --tricks 1 finds the chance of it".to_owned(),
        left => {
            format!("{left} tricks are left; give the goal, from --tricks 1 to --tricks {left}")
        }
    }
}

pub(crate) fn run(args: &EndingArgs) -> Result<(), Failure> {
    if let Some(given) = &args.rules {
        return rules::run(given, args);
    }
    // The argument parser does not check that these require --rules where other options exclude it.
    let others = [
        ("--unseen", args.unseen.is_some()),
        ("--goal", args.goal.is_some()),
        ("--before", args.before.is_some()),
        ("--unbroken", args.unbroken),
    ];
    if let Some((name, _)) = others.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::Input(format!(
            "{name} needs --rules; at bridge the goal is --tricks"
        )));
    }
    let limits = limits::of_command(&args.limits)?;
    let (deal, file) = deal(&args.hands)?;
    let file = file.as_deref();
    output::try_paths(
        file.into_iter().chain(args.weights.as_deref()),
        [&args.html],
    )?;
    let listed = args.weights.as_deref().map(weights).transpose()?;
    let weigh = |west: DealHand| {
        let Some(listed) = &listed else { return 1 };
        listed.get(&west).map_or(0, |listed| {
            listed.is_met.set(true);
            listed.weight
        })
    };
    let ahead = args.alpha_mu.map(std::num::NonZero::get);
    let ahead = ahead.map(u32::from);
    let lengths = args.west_length.iter();
    let asked = Asked {
        declarer: args.declarer.map(|Player(seat)| seat),
        leader: option("--lead", args.lead.as_deref())?.map(|Player(seat)| seat),
        trumps: option("--trumps", args.trumps.as_deref())?.map(|Trumps(trumps)| trumps),
        tricks: args.tricks.unwrap_or_default(),
        lengths: lengths
            .map(|SuitLength(suit, Length(least, most))| (*suit, (*least, *most)))
            .collect(),
        ahead,
    };
    let found = asked.ending(&deal, weigh);
    let found = found.map_err(|error| Failure::in_some_file(file, error))?;
    let Some(tricks) = args.tricks else {
        return Err(Failure::Input(no_goal(found.tricks())));
    };
    if let (Some(file), Some(listed)) = (&args.weights, &listed)
        && let unmet = listed.iter().filter(|(_, listed)| !listed.is_met.get())
        && let Some((hand, Weighed { line, .. })) = unmet.min_by_key(|(_, listed)| listed.line)
    {
        let why = format!("line {line}: the defender whose hands are weighed cannot hold {hand}");
        return Err(Failure::in_file(file, why));
    }
    asked
        .check(&found)
        .map_err(|error| Failure::Input(error.to_string()))?;
    let limits = with_an_end(limits, found.tricks());
    let (limits, afterwards) = with_something_left(limits);
    let budget = Budget::new(limits);
    let request = EndingRequest {
        tricks,
        ahead,
        is_whole: args.json || args.html.is_some(),
        budget: &budget,
        afterwards: Some(afterwards),
        heard: &|least, most, all| {
            let share = |weight| percent(weight, all);
            let known = format!("chance {}", between(&share(least), &share(most)));
            line::says(known, counted(budget.visits_made(), "visit"));
        },
    };
    let answer = limits::searching(|| answered(&found, request));
    let page = args.html.iter().map(|file| (file, answer.html()));
    let written = output::replace_all(page);
    output::print_answer(args.json, || answer.json(), || answer.text())?;
    written?;
    if !args.json {
        output::tell_written(&args.html)?;
    }
    Failure::unless_complete(answer.is_complete())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_given_is_the_limit() {
        let none = Limits::default();
        assert_eq!(with_an_end(none.clone(), SURE_TRICKS).time, None);
        assert_eq!(with_an_end(none, SURE_TRICKS + 1).time, Some(TIME_BEYOND));
        let minute = Limits {
            deadline: Instant::now().checked_add(6 * TIME_BEYOND),
            ..Limits::default()
        };
        let visits = Limits {
            visits: Some(1 << 40),
            ..Limits::default()
        };
        for given in [minute, visits] {
            let deadline = given.deadline;
            let limits = with_an_end(given, SURE_TRICKS + 1);
            assert_eq!((limits.time, limits.deadline), (None, deadline));
        }
    }
}
