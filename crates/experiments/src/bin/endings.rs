//! Measures random endings at bridge; `cargo xtask endings` starts it.
//!
//! Endings come by type: one, two or four suits, with trumps or without. The goal is the average
//! number of double-dummy tricks (those with all cards seen), or one more. Each search has a limit,
//! in CPU time where the system reports it (Linux), and in wall time elsewhere. The table has for
//! each type how many are exact, how long they took, and how far apart the bounds of the others
//! are; a list has each ending by itself. Endings that are in the list already are not measured
//! again, so a survey that was stopped can go on, and a larger survey builds on a smaller one.
//!
//! `--choose` answers another question: how often declarer's first card, chosen by double-dummy
//! results or by looking ahead, is worse than the best.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use fixedbitset::FixedBitSet;
use meetjoin_bridge::ending::first_cards;
use meetjoin_bridge::{
    AllSeen, Deal, Ending, EndingGame, EndingPosition, Seat, heaviest_of_ending,
};
use meetjoin_dag::AndOrDag;
use meetjoin_families::first_moves::{Chosen, FirstMove};
use meetjoin_lattice::{Budget, Limits, Stop};

#[cfg(test)]
#[path = "../help.rs"]
mod help;

/// How long random endings take.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask endings", bin_name = "cargo xtask endings")]
struct EndingsArgs {
    /// Cards a hand.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=8))]
    cards: u8,
    /// So many endings of each type.
    #[arg(long, default_value_t = 20)]
    count: u64,
    /// Seconds for each.
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Where the random numbers begin.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where the list of all endings goes, as CSV. If the file is there, those in it that were
    /// measured with as many seconds are taken from it.
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Instead: how declarer's first cards are chosen by perfect information with averaging, and by
    /// looking 2 to N tricks ahead. For endings in which she leads.
    #[arg(long, value_name = "N", conflicts_with = "list", value_parser = clap::value_parser!(u32).range(1..=8))]
    choose: Option<u32>,
}

/// Random numbers, the same on every platform: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % count
    }
}

/// A suit and a rank.
type Card = (usize, usize);

fn written(hand: &[Card]) -> String {
    let suits = (0..4).map(|suit| {
        let mut ranks: Vec<usize> = hand
            .iter()
            .filter(|card| card.0 == suit)
            .map(|card| card.1)
            .collect();
        ranks.sort_unstable();
        let letters = ranks
            .iter()
            .rev()
            .filter_map(|rank| "23456789TJQKA".chars().nth(*rank));
        letters.collect::<String>()
    });
    suits.collect::<Vec<_>>().join(".")
}

/// A random deal of `suits` suits, or of more if these have too few cards.
fn deal(random: &mut Random, cards: usize, suits: usize) -> String {
    let suit = |suit: usize| (0..13).map(move |rank| (suit, rank));
    let mut left: Vec<Card> = (0..suits).flat_map(suit).collect();
    let mut more = suits..4;
    let mut hands: [Vec<Card>; 4] = Default::default();
    for place in 0..4 * cards {
        if left.is_empty() {
            left.extend(more.by_ref().take(1).flat_map(suit));
        }
        let card = left.swap_remove(random.below(left.len()));
        hands[place % 4].push(card);
    }
    format!("N:{}", hands.map(|hand| written(&hand)).join(" "))
}

/// Layouts that are sampled for a goal.
const LOOKED_AT: usize = 50;

/// The average number of double-dummy tricks, or one more.
fn goal(random: &mut Random, ending: &Ending) -> Result<u8, Stop> {
    let (mut seen, budget) = (AllSeen::new(ending), Budget::unlimited());
    let game = EndingGame::new(ending, 1);
    let layouts = ending.layouts();
    let (mut taken, mut count) = (0_usize, 0);
    for layout in layouts.iter().step_by(layouts.len().div_ceil(LOOKED_AT)) {
        count += 1;
        for tricks in 1..=ending.tricks() {
            if !seen.takes(&game, &game.root(), layout.west, tricks, &budget)? {
                break;
            }
            taken += 1;
        }
    }
    let average = (2 * taken + count) / (2 * count);
    let goal = average + random.below(2);
    Ok(goal.clamp(1, usize::from(ending.tricks())) as u8)
}

/// CPU time of the main thread, or else wall time.
fn used(started: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| started.elapsed().as_secs_f64(), |used| used / 1e9)
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    seconds: f64,
    least: u64,
    most: u64,
    total: u64,
}

impl Row {
    fn gap(&self) -> f64 {
        (self.most - self.least) as f64 / self.total as f64
    }
}

/// Runs `work` within a limit of CPU time; returns its result, and the time it took.
fn within<R>(seconds: f64, work: impl FnOnce(&Budget) -> R) -> (R, f64) {
    let cancel = Arc::new(AtomicBool::new(false));
    let budget = Budget::new(Limits {
        cancel: Some(Arc::clone(&cancel)),
        ..Limits::default()
    });
    let started = Instant::now();
    let before = used(started);
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while is_done.recv_timeout(Duration::from_millis(20)) == Err(RecvTimeoutError::Timeout)
            {
                if used(started) - before > seconds {
                    cancel.store(true, Ordering::Relaxed);
                }
            }
        });
        let found = work(&budget);
        drop(done);
        (found, used(started) - before)
    })
}

fn measure(ending: &Ending, goal: u8, seconds: f64) -> Row {
    let game = EndingGame::new(ending, goal);
    let (found, seconds) = within(seconds, |budget| {
        heaviest_of_ending::<FixedBitSet>(&game, &game.root(), budget, &mut |_, _| ())
    });
    Row {
        seconds,
        least: found.weight,
        most: found.bound,
        total: ending.total_weight(),
    }
}

/// The first line of a list.
const HEADER: &str = "suits,trumps,number,deal,leader,limit,goal,least,most,layouts,seconds\n";

/// The endings that were measured before, by the columns before the goal, and the file for new
/// ones.
#[derive(Default)]
struct List {
    known: HashMap<String, Row>,
    file: Option<File>,
}

impl List {
    /// Reads the file, if there is one. An incomplete last line, left by a stop, is cut off.
    fn open(path: Option<&Path>) -> Result<Self, Box<dyn Error>> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let end = text.rfind('\n').map_or(0, |end| end + 1);
        let mut known = HashMap::new();
        if let Some(lines) = text[..end].strip_prefix(HEADER) {
            for line in lines.lines() {
                let row = read(line);
                let (key, row) = row.ok_or_else(|| format!("{}: {line:?}", path.display()))?;
                known.insert(key, row);
            }
        } else if !text.is_empty() && !HEADER.starts_with(&text) {
            return Err(format!("{} is no list of endings", path.display()).into());
        }
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        file.set_len(end as u64)?;
        file.seek(SeekFrom::End(0))?;
        if end == 0 {
            file.write_all(HEADER.as_bytes())?;
        }
        let file = Some(file);
        Ok(Self { known, file })
    }

    fn add(&mut self, key: &str, goal: u8, row: &Row) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let Row {
            seconds,
            least,
            most,
            total,
        } = row;
        file.write_all(format!("{key},{goal},{least},{most},{total},{seconds:.3}\n").as_bytes())
    }
}

/// A line of a list.
fn read(line: &str) -> Option<(String, Row)> {
    let mut fields = line.rsplitn(6, ',');
    let seconds = fields.next()?.parse().ok()?;
    let mut number = || fields.next()?.parse().ok();
    let (total, most, least, _goal) = (number()?, number()?, number()?, number()?);
    let row = Row {
        seconds,
        least,
        most,
        total,
    };
    Some((fields.next()?.to_owned(), row))
}

/// The random numbers of an ending.
fn numbers(seed: u64) -> Random {
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (seed + 1).wrapping_mul(0xBF58_476D_1CE4_E5B9));
    for _ in 0..20 {
        random.below(1);
    }
    random
}

/// The ending of a number and a type, from the list or measured.
fn row(
    args: &EndingsArgs,
    (suits, trumps): (usize, Option<u8>),
    number: u64,
    list: &mut List,
) -> Result<Row, Box<dyn Error>> {
    let mut random = numbers(args.seed + number);
    let text = deal(&mut random, usize::from(args.cards), suits);
    let leader = Seat::ALL[random.below(4)];
    let (kind, limit) = (has_trumps(trumps), args.seconds);
    let key = format!("{suits},{kind},{number},{text},{},{limit}", leader.name());
    if let Some(row) = list.known.get(&key) {
        return Ok(*row);
    }
    let deal = Deal::of_pbn(&format!("[Deal \"{text}\"]"))?;
    let ending = Ending::new(&deal, Seat::South, leader, trumps, |_| 1)?;
    let goal = goal(&mut random, &ending)?;
    let row = measure(&ending, goal, args.seconds);
    list.add(&key, goal, &row)?;
    Ok(row)
}

/// An ending in which declarer leads: her chance, the double-dummy chance, and for each chooser the
/// share of its cards that are worse than the best, and the chance that is lost.
struct Judged {
    chance: f64,
    seen: f64,
    choosers: Vec<(f64, f64)>,
}

/// The first cards of an ending, unless that takes too long.
fn judged(
    (args, ahead): (&EndingsArgs, u32),
    (suits, trumps): (usize, Option<u8>),
    number: u64,
) -> Result<Option<Judged>, Box<dyn Error>> {
    let mut random = numbers(args.seed + number);
    let text = deal(&mut random, usize::from(args.cards), suits);
    let leader = [Seat::North, Seat::South][random.below(2)];
    let deal = Deal::of_pbn(&format!("[Deal \"{text}\"]"))?;
    let ending = Ending::new(&deal, Seat::South, leader, trumps, |_| 1)?;
    let goal = goal(&mut random, &ending)?;
    let depths: Vec<u32> = (2..=ahead).collect();
    let (found, _) = within(args.seconds, |budget| {
        first_cards(&ending, goal, &depths, budget)
    });
    let Ok(cards) = found else {
        return Ok(None);
    };
    let total = ending.total_weight() as f64;
    let chosen_by = |estimate: &dyn Fn(&FirstMove<EndingPosition>) -> u64| {
        let Chosen { worse, lost } =
            Chosen::among(cards.iter().map(|card| (card.worth, estimate(card))));
        (worse, lost / total)
    };
    let mut choosers = vec![chosen_by(&|card| card.seen)];
    choosers.extend((0..depths.len()).map(|depth| chosen_by(&|card| card.ahead[depth])));
    let most = |of: fn(&FirstMove<EndingPosition>) -> u64| {
        cards.iter().map(of).max().unwrap_or(0) as f64 / total
    };
    Ok(Some(Judged {
        chance: most(|card| card.worth),
        seen: most(|card| card.seen),
        choosers,
    }))
}

/// The table of `--choose`.
fn choose(args: &EndingsArgs, ahead: u32) -> Result<(), Box<dyn Error>> {
    print!("| suits | trumps | endings | stopped | chance | expected | PIMC |");
    let depths = (2..=ahead).map(|depth| format!(" alpha-mu {depth} |"));
    println!("{}", depths.collect::<String>());
    println!(
        "|--:|---|--:|--:|--:|--:|--:|{}",
        "--:|".repeat(ahead as usize - 1)
    );
    for suits in [1, 2, 4] {
        for trumps in [None, Some(0)] {
            let all = (0..args.count).map(|number| judged((args, ahead), (suits, trumps), number));
            let all = all.collect::<Result<Vec<_>, _>>()?;
            let all: Vec<Judged> = all.into_iter().flatten().collect();
            println!(
                "| {suits} | {} | {} | {} |{}",
                has_trumps(trumps),
                all.len(),
                args.count - all.len() as u64,
                chosen(&all, ahead)
            );
        }
    }
    Ok(())
}

/// The last cells of a row of [`choose`].
fn chosen(all: &[Judged], ahead: u32) -> String {
    let among = all.len().max(1) as f64;
    // `sum` of an empty iterator is -0 for floats.
    let sum = |of: &dyn Fn(&Judged) -> f64| all.iter().map(of).fold(0.0, std::ops::Add::add);
    let mean = |of: &dyn Fn(&Judged) -> f64| 100.0 * sum(of) / among;
    let chances = format!(
        " {:.1} % | {:.1} % |",
        mean(&|one| one.chance),
        mean(&|one| one.seen)
    );
    let choosers = (0..ahead as usize).map(|chooser| {
        let worst = all.iter().map(|one| one.choosers[chooser].1);
        let worst = 100.0 * worst.fold(0.0, f64::max);
        format!(
            " {:.1} %, {:.2}, {worst:.1} |",
            mean(&|one| one.choosers[chooser].0),
            mean(&|one| one.choosers[chooser].1)
        )
    });
    std::iter::once(chances).chain(choosers).collect()
}

fn has_trumps(trumps: Option<u8>) -> &'static str {
    if trumps.is_some() { "yes" } else { "no" }
}

fn run(args: &EndingsArgs) -> Result<(), Box<dyn Error>> {
    let mut list = List::open(args.list.as_deref())?;
    println!(
        "| suits | trumps | exact | median | 95 of 100 | longest | interval, 9 of 10 | widest |"
    );
    println!("|--:|---|--:|--:|--:|--:|--:|--:|");
    for suits in [1, 2, 4] {
        for trumps in [None, Some(0)] {
            let rows = (0..args.count).map(|number| row(args, (suits, trumps), number, &mut list));
            let rows = rows.collect::<Result<Vec<Row>, _>>()?;
            println!("| {suits} | {} | {} |", has_trumps(trumps), summary(&rows));
        }
    }
    Ok(())
}

fn summary(rows: &[Row]) -> String {
    let sorted = |of: fn(&Row) -> f64| {
        let mut values: Vec<f64> = rows.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let at = |values: &[f64], part: usize| {
        let place = (values.len() * part).div_ceil(100).saturating_sub(1);
        values.get(place).copied().unwrap_or(0.0)
    };
    let (seconds, gaps) = (sorted(|row| row.seconds), sorted(Row::gap));
    let exact = rows.iter().filter(|row| row.least == row.most).count();
    format!(
        "{exact} of {} | {:.2} s | {:.2} s | {:.2} s | {:.1} % | {:.1} %",
        rows.len(),
        at(&seconds, 50),
        at(&seconds, 95),
        at(&seconds, 100),
        100.0 * at(&gaps, 90),
        100.0 * at(&gaps, 100)
    )
}

fn main() -> ExitCode {
    let args = EndingsArgs::parse();
    let done = match args.choose {
        Some(ahead) => choose(&args, ahead),
        None => run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("endings: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_quantiles_and_intervals() {
        let row = |seconds, least, most| Row {
            seconds,
            least,
            most,
            total: 100,
        };
        let rows = [row(1.0, 50, 50), row(2.0, 40, 40), row(5.0, 30, 42)];
        assert_eq!(
            summary(&rows),
            "2 of 3 | 2.00 s | 5.00 s | 5.00 s | 12.0 % | 12.0 %"
        );
    }

    #[test]
    fn endings_have_their_suits_and_goals() -> Result<(), Box<dyn Error>> {
        for suits in [1, 2, 4] {
            let mut random = Random(suits as u64);
            let text = deal(&mut random, 4, suits);
            let deal = Deal::of_pbn(&format!("[Deal \"{text}\"]"))?;
            let ending = Ending::new(&deal, Seat::South, Seat::South, None, |_| 1)?;
            let needed = if suits == 1 { 2 } else { suits };
            let used = ending.own().0.count_ones();
            assert_eq!((ending.tricks(), used), (4, 4));
            assert!(text.split([':', ' ']).skip(1).all(|hand| {
                let held = hand
                    .split('.')
                    .enumerate()
                    .filter(|(_, suit)| !suit.is_empty());
                held.map(|(place, _)| place).max() < Some(needed)
            }));
            let goal = goal(&mut random, &ending)?;
            assert!((1..=4).contains(&goal));
            let row = measure(&ending, goal, 60.0);
            assert!(row.least == row.most && row.gap() == 0.0);
        }
        Ok(())
    }

    #[test]
    fn choosers_have_shares_and_points() {
        let one = |chance, seen, choosers: [(f64, f64); 2]| Judged {
            chance,
            seen,
            choosers: choosers.to_vec(),
        };
        let all = [
            one(0.5, 0.75, [(0.5, 0.03), (0.0, 0.0)]),
            one(0.25, 0.25, [(0.0, 0.0), (0.0, 0.0)]),
            one(1.0, 1.0, [(1.0, 0.09), (0.25, 0.015)]),
        ];
        assert_eq!(
            chosen(&all, 2),
            " 58.3 % | 66.7 % | 50.0 %, 4.00, 9.0 | 8.3 %, 0.50, 1.5 |"
        );
        assert_eq!(chosen(&[], 1), " 0.0 % | 0.0 % | 0.0 %, 0.00, 0.0 |");
    }

    #[test]
    fn who_looks_to_the_end_chooses_the_best() -> Result<(), Box<dyn Error>> {
        let args = EndingsArgs::parse_from(["endings", "--cards", "4", "--seconds", "60"]);
        let (mut worse, mut expected) = (0.0, 0.0);
        for number in 0..20 {
            let one = judged((&args, 4), (4, Some(0)), number)?.expect("there is time");
            assert_eq!(one.choosers.len(), 4);
            assert_eq!(one.choosers[3], (0.0, 0.0));
            assert!(one.seen >= one.chance);
            worse += one.choosers[0].0;
            expected += one.seen - one.chance;
        }
        assert!(worse > 0.0 && expected > 0.0, "{worse} {expected}");
        Ok(())
    }

    #[test]
    fn a_survey_that_was_stopped_goes_on() -> Result<(), Box<dyn Error>> {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("meetjoin-endings-{}.csv", std::process::id()));
        let args = |count| EndingsArgs {
            cards: 3,
            count,
            seconds: 60.0,
            seed: 0,
            list: Some(path.clone()),
            choose: None,
        };
        run(&args(1))?;
        let first = std::fs::read_to_string(&path)?;
        assert_eq!(first.lines().count(), 7);
        // One is marked, and one was being written.
        let marked = first.replacen(",20,0.", ",20,1234.", 1);
        assert_ne!(marked, first);
        std::fs::write(&path, marked.clone() + "1,no,1,N:")?;
        run(&args(2))?;
        let second = std::fs::read_to_string(&path)?;
        assert_eq!(
            second
                .strip_prefix(&marked)
                .map(|more| more.lines().count()),
            Some(6)
        );
        let known = List::open(Some(&path))?.known;
        assert_eq!(known.len(), 12);
        assert!(
            known
                .values()
                .any(|row| row.seconds >= 1234.0 && row.total == 20)
        );
        // Other limits are other measurements, and another file is left alone.
        run(&EndingsArgs {
            seconds: 50.0,
            ..args(1)
        })?;
        assert_eq!(std::fs::read_to_string(&path)?.lines().count(), 19);
        for other in ["cards\n1\n", "mine"] {
            std::fs::write(&path, other)?;
            assert!(run(&args(1)).is_err());
            assert_eq!(std::fs::read_to_string(&path)?, other);
        }
        std::fs::remove_file(&path)?;
        Ok(())
    }

    #[test]
    fn help_is_in_its_file() {
        help::is_in_its_file::<EndingsArgs>("endings");
    }
}
