//! The book of all suits at bridge: what `cargo xtask suits` starts.
//!
//! One suit of each class with the same values is solved, on all cores. Results are kept beside the
//! book, in a journal, so the job can be stopped and resumed. When all is done the book is written,
//! and the journal removed.

#![forbid(unsafe_code)]

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::Parser;
use meetjoin_bridge::suit::book::{
    self, Book, BookError, Class, RECORD, Row, TOTAL, Tables, Values,
};
use meetjoin_bridge::suit::{Goal, Solver};
use meetjoin_bridge::{Knowledge, Suit};
use meetjoin_lattice::{Budget, Limits, Stop};
use meetjoin_report::json_line;

#[cfg(test)]
#[path = "../help.rs"]
mod help;

/// The chances and averages of all suits at bridge, in one file that NumPy reads.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask suits", bin_name = "cargo xtask suits")]
struct SuitsArgs {
    /// Where the book goes. Beside it, with .part at its end, lies what is done so far.
    #[arg(default_value = "suits.npy")]
    file: PathBuf,
    /// Only so many suits at random, and how long each took. Their book has these alone.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Print those suits in which the first play matters most, as JSON, and make no book. From a
    /// book that is there it takes the chances.
    #[arg(long)]
    gaps: bool,
    /// Print what stands out among the suits of a book, as JSON: chances by honours and length, and
    /// the hardest.
    #[arg(long, conflicts_with_all = ["gaps", "sample"])]
    tables: bool,
    /// Where the choice of the sample begins.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leave suits open that take longer, and name them. The same command goes on with those of a
    /// book.
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,
    /// So many at a time; all cores if it is not given.
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZero<usize>>,
}

/// A solved class, and how long it took.
struct Solved {
    class: Class,
    values: Values,
    time: Duration,
}

/// A number of seconds above 0.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "this is no number of seconds above 0".to_owned())
}

/// What a job may take.
#[derive(Clone)]
struct Allowed {
    threads: usize,
    /// Of a suit.
    time: Option<Duration>,
    cancel: Arc<AtomicBool>,
}

impl Allowed {
    /// For one suit.
    fn budget(&self) -> Budget {
        Budget::new(Limits {
            time: self.time,
            cancel: Some(Arc::clone(&self.cancel)),
            ..Limits::default()
        })
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

fn main() -> ExitCode {
    match run(&SuitsArgs::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(3),
        Err(message) => {
            eprintln!("suits: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &SuitsArgs) -> Result<bool, String> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| format!("cannot wait for signals: {error}"))?;
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        std::num::NonZero::get,
    );
    let allowed = Allowed {
        threads,
        time: args.seconds,
        cancel,
    };
    match args.sample {
        _ if args.tables => {
            print!("{}", json_line(&Tables::of(&read_book(&args.file)?)));
            Ok(true)
        }
        _ if args.gaps => gaps(args, &allowed),
        Some(count) => sample(args, count, &allowed),
        None => all(&args.file, &allowed),
    }
}

/// Solves a class, unless something stops it.
fn solve(class: Class, budget: &Budget) -> Option<Solved> {
    let started = Instant::now();
    let values = book::values(class.0, class.1, budget).ok()?;
    let time = started.elapsed();
    Some(Solved {
        class,
        values,
        time,
    })
}

/// Works on classes on several threads; `done` gets what was found of each as it is ready. Returns
/// whether that is all: suits that take too long are named.
fn each<T: Send>(
    classes: &[Class],
    allowed: &Allowed,
    work: impl Fn(Class, &Budget) -> Option<T> + Sync,
    mut done: impl FnMut(T) -> Result<(), String>,
) -> Result<bool, String> {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..allowed.threads {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                while let Some(class) = classes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = work(*class, &allowed.budget());
                    if allowed.is_cancelled() || sender.send((*class, found)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut count = 0;
        for (class, found) in receiver {
            let Some(found) = found else {
                eprintln!("takes longer: {} opposite {}", class.0, class.1);
                continue;
            };
            count += 1;
            if let Err(message) = done(found) {
                allowed.cancel.store(true, Ordering::Relaxed);
                return Err(message);
            }
        }
        Ok(count == classes.len())
    })
}

fn all(file: &Path, allowed: &Allowed) -> Result<bool, String> {
    let journal_path = file.with_extension("npy.part");
    let mut solved = read_journal(&journal_path)?;
    let classes = book::classes();
    let open: Vec<Class> = classes
        .iter()
        .filter(|class| !solved.contains_key(class))
        .copied()
        .collect();
    eprintln!(
        "{} of {} classes of suits are open, on {} threads",
        open.len(),
        classes.len(),
        allowed.threads
    );
    let failed = |error: io::Error| format!("cannot write {}: {error}", journal_path.display());
    let journal = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&journal_path)
        .map_err(failed)?;
    let mut journal = BufWriter::new(journal);
    let mut progress = Progress::of(open.len());
    let finished = each(&open, allowed, solve, |one| {
        journal
            .write_all(&entry(one.class, &one.values))
            .map_err(failed)?;
        solved.insert(one.class, one.values);
        if progress.tell() {
            journal.flush().map_err(failed)?;
        }
        Ok(())
    })?;
    journal.flush().map_err(failed)?;
    if !finished {
        eprintln!(
            "{} classes are open; the same command goes on from {}",
            classes.len() - solved.len(),
            journal_path.display()
        );
        return Ok(false);
    }
    let rows = book::suits().filter_map(|(north, south)| {
        let values = *solved.get(&book::class(north, south))?;
        Some(Row {
            north,
            south,
            values,
        })
    });
    write_book(file, rows)?;
    std::fs::remove_file(&journal_path).map_err(failed)?;
    eprintln!(
        "{} classes in {:.0} s",
        open.len(),
        progress.started.elapsed().as_secs_f64()
    );
    Ok(true)
}

/// Says every ten seconds how far a job is.
struct Progress {
    started: Instant,
    told: Instant,
    done: usize,
    all: usize,
}

impl Progress {
    fn of(all: usize) -> Self {
        let (started, told) = (Instant::now(), Instant::now());
        Self {
            started,
            told,
            done: 0,
            all,
        }
    }

    /// One more is done. Returns whether it was said now.
    fn tell(&mut self) -> bool {
        self.done += 1;
        let is_time = self.told.elapsed() > Duration::from_secs(10);
        if is_time {
            self.told = Instant::now();
            let left = self.started.elapsed().as_secs_f64() / self.done as f64
                * (self.all - self.done) as f64;
            eprintln!(
                "{} of {} classes, about {:.0} minutes left",
                self.done,
                self.all,
                left / 60.0
            );
        }
        is_time
    }
}

fn write_book(file: &Path, rows: impl Iterator<Item = Row>) -> Result<(), String> {
    let failed = |error: io::Error| format!("cannot write {}: {error}", file.display());
    let out = File::create(file).map_err(failed)?;
    let mut out = BufWriter::new(out);
    let count = book::write(&mut out, rows).map_err(failed)?;
    eprintln!("{}: {count} suits", file.display());
    Ok(())
}

fn read_book(file: &Path) -> Result<Vec<Row>, String> {
    let failed = |error: BookError| format!("cannot read {}: {error}", file.display());
    let open = File::open(file).map_err(|error| failed(error.into()))?;
    let mut book = Book::open(BufReader::new(open)).map_err(failed)?;
    let rows = 0..book.rows();
    rows.map(|row| book.row(row))
        .collect::<Result<_, _>>()
        .map_err(failed)
}

/// An entry of the journal is a record of the book.
fn entry(class: Class, values: &Values) -> [u8; RECORD] {
    let (north, south) = class;
    let values = *values;
    Row {
        north,
        south,
        values,
    }
    .bytes()
}

/// What an earlier job has done. An entry that was not finished is cut off.
fn read_journal(path: &Path) -> Result<BTreeMap<Class, Values>, String> {
    let failed = |error: io::Error| format!("cannot read {}: {error}", path.display());
    let mut bytes = Vec::new();
    match File::open(path) {
        Ok(mut file) => file.read_to_end(&mut bytes).map_err(failed)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(failed(error)),
    };
    let (entries, rest) = bytes.as_chunks::<RECORD>();
    if !rest.is_empty() {
        let whole = bytes.len() - rest.len();
        let file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        file.set_len(whole as u64).map_err(failed)?;
    }
    let rows: Vec<Row> = entries.iter().filter_map(Row::of_bytes).collect();
    let damaged = entries.len() - rows.len();
    if damaged > 0 {
        eprintln!(
            "{damaged} of {} entries of {} are damaged, or of an older program, and are done again",
            entries.len(),
            path.display()
        );
    }
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| (book::class(row.north, row.south), row.values))
        .collect())
}

/// A random sample of `count` suits.
fn drawn(count: usize, seed: u64) -> Vec<Class> {
    let mut suits: Vec<Class> = book::suits().collect();
    let mut state = seed;
    // The first places of a shuffle by a linear congruential generator (Knuth's constants).
    let count = count.min(suits.len());
    for place in 0..count {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let rest = (suits.len() - place) as u64;
        let other = place + ((state >> 33) % rest) as usize;
        suits.swap(place, other);
    }
    suits.truncate(count);
    suits
}

/// How many suits are listed.
const LISTED: usize = 10;

/// A suit with the goal for which its first play matters most: the best, and the best after
/// another.
type Gap = (Class, u8, u64, u64);

/// The goal for which the first play of a suit matters most, if it matters by more than `least`:
/// how far the best first card is ahead of others that reach the goal double dummy in at least as
/// many layouts. (Other cards are tempting to nobody, like a low one from AKQ.)
fn widest(
    class: Class,
    values: Option<&Values>,
    least: u64,
    budget: &Budget,
) -> Result<Option<Gap>, Stop> {
    let Ok(suit) = Suit::new(class.0, class.1, Knowledge::default()) else {
        return Ok(None);
    };
    let mut solver = Solver::new(&suit, budget);
    let first = solver.first_leads();
    let mut widest: Option<Gap> = None;
    for tricks in 1..=suit.tricks() {
        let best = match values {
            Some(values) => u64::from(values[usize::from(tricks) - 1]),
            None => solver.greatest(Goal::Tricks(tricks)).weight,
        };
        let least = widest.map_or(least, |(_, _, best, next)| least.max(best - next));
        // No gap is wider than the chance.
        if best <= least || best == TOTAL {
            continue;
        }
        let leads = first.iter();
        let leads =
            leads.map(|(hand, card, suit)| (solver.seen_after((*hand, *card), tricks), suit));
        let mut leads: Vec<(u64, &Suit)> = leads.collect();
        leads.sort_by_key(|(seen, _)| Reverse(*seen));
        let next = next_best(&leads, tricks, (best, least), budget);
        widest = next.map(|next| (class, tricks, best, next)).or(widest);
    }
    budget.fired().map_or(Ok(widest), Err)
}

/// The greatest weight of a first lead other than the best one, among those with at least its
/// double-dummy weight, by which `leads` are sorted; none if it is not less by more than `least`.
fn next_best(
    leads: &[(u64, &Suit)],
    tricks: u8,
    (best, least): (u64, u64),
    budget: &Budget,
) -> Option<u64> {
    let weight = |suit| {
        Solver::new(suit, budget)
            .greatest(Goal::Tricks(tricks))
            .weight
    };
    let (mut next, mut found) = (None, None);
    for (seen, suit) in leads {
        if found.is_some_and(|found| *seen < found) {
            break;
        }
        match weight(suit) {
            weight if weight == best && found.is_none() => found = Some(*seen),
            weight if best.saturating_sub(weight) <= least => return None,
            weight => next = next.max(Some(weight)),
        }
    }
    next.filter(|_| found.is_some())
}

/// Prints the suits in which the first play matters most, of all or of a sample.
fn gaps(args: &SuitsArgs, allowed: &Allowed) -> Result<bool, String> {
    let classes = match args.sample {
        Some(count) => drawn(count, args.seed),
        None => book::classes(),
    };
    let known: BTreeMap<Class, Values> = if args.file.is_file() {
        book::of_classes(&read_book(&args.file)?)
            .into_iter()
            .collect()
    } else {
        BTreeMap::new()
    };
    let mut found: Vec<Gap> = Vec::new();
    let mut searched = 0;
    let mut progress = Progress::of(classes.len());
    // A little less than the last of the list, as of equal ones the first are listed.
    let least = AtomicU64::new(0);
    let work = |class, budget: &Budget| {
        let least = least.load(Ordering::Relaxed);
        widest(class, known.get(&class), least, budget).ok()
    };
    let finished = each(&classes, allowed, work, |gap| {
        found.extend(gap);
        // Those with the same numbers differ in small cards: one is enough.
        found.sort_by_key(|(class, tricks, best, next)| {
            (Reverse(best - next), *tricks, *best, *class)
        });
        found.dedup_by_key(|(_, tricks, best, next)| (*tricks, *best, *next));
        found.truncate(LISTED);
        if let Some((_, _, best, next)) = found.get(LISTED - 1) {
            least.store((best - next).saturating_sub(1), Ordering::Relaxed);
        }
        searched += 1;
        progress.tell();
        Ok(())
    })?;
    if allowed.is_cancelled() {
        return Ok(false);
    }
    let suits: Vec<String> = found
        .iter()
        .map(|((north, south), tricks, best, next)| {
            format!("[\"{north}\",\"{south}\",{tricks},{best},{next}]")
        })
        .collect();
    let sample = args.sample.map_or("null".to_owned(), |n| n.to_string());
    println!(
        "{{\"sample\":{sample},\"open\":{},\"suits\":[{}]}}",
        classes.len() - searched,
        suits.join(",")
    );
    Ok(finished)
}

fn sample(args: &SuitsArgs, count: usize, allowed: &Allowed) -> Result<bool, String> {
    let suits = drawn(count, args.seed);
    let mut times: Vec<(Duration, Class)> = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    let started = Instant::now();
    let finished = each(&suits, allowed, solve, |one| {
        times.push((one.time, one.class));
        let (north, south) = one.class;
        rows.push(Row {
            north,
            south,
            values: one.values,
        });
        Ok(())
    })?;
    times.sort_by_key(|(time, _)| Reverse(*time));
    let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
    let sum: Duration = times.iter().map(|(time, _)| *time).sum();
    let below = |hundredths: usize| {
        let slowest = times.get((100 - hundredths) * times.len() / 100);
        slowest.map_or(0.0, |(time, _)| milliseconds(*time))
    };
    println!(
        "suits     {} in {:.1} s on {} threads",
        times.len(),
        started.elapsed().as_secs_f64(),
        allowed.threads
    );
    println!(
        "a suit    {:.1} ms on average, median {:.1}, 90 of 100 below {:.1}, 99 of 100 below {:.1}",
        milliseconds(sum) / times.len().max(1) as f64,
        below(50),
        below(90),
        below(99)
    );
    for (time, (north, south)) in times.iter().take(10) {
        println!(
            "slowest   {:8.1} ms  {north} opposite {south}",
            milliseconds(*time)
        );
    }
    write_book(&args.file, rows.into_iter())?;
    Ok(finished)
}

#[cfg(test)]
mod tests {
    use meetjoin_bridge::two_hands;

    use super::*;

    #[test]
    fn a_gap_is_what_another_card_loses_that_looks_as_good() {
        let budget = Budget::unlimited();
        for (north, south, gap) in [
            // Low to the ten, and to the queen if that loses, or to the queen at once.
            ("AQT", "32", Some((2, 7_904_456, 5_460_196))),
            ("KJ2", "54", Some((1, 7_904_456, 5_460_196))),
            // Double dummy, the two is no lead to compare with.
            ("AKQJT32", "-", None),
            ("A", "2", None),
        ] {
            let class = two_hands(north, south).expect("two hands");
            let values = book::values(class.0, class.1, &budget).expect("no limit");
            let least = |least| {
                let known = widest(class, Some(&values), least, &budget).expect("no limit");
                let found = widest(class, None, least, &budget).expect("no limit");
                assert_eq!(known, found);
                found.map(|(of, tricks, best, next)| {
                    assert_eq!(of, class);
                    (tricks, best, next)
                })
            };
            assert_eq!(least(0), gap);
            if let Some((_, best, next)) = gap {
                assert_eq!(least(best - next - 1), gap);
                assert_eq!(least(best - next), None);
            }
        }
    }

    #[test]
    fn a_book_is_read_for_its_tables() {
        let path = std::env::temp_dir().join(format!("meetjoin-suits-{}.npy", std::process::id()));
        let budget = Budget::unlimited();
        let rows = [("AQ", "32"), ("KJ9", "-"), ("32", "A")].map(|(north, south)| {
            let (north, south) = two_hands(north, south).expect("two hands");
            let values = book::values(north, south, &budget).expect("no limit");
            Row {
                north,
                south,
                values,
            }
        });
        write_book(&path, rows.into_iter()).expect("it is written");
        let read = read_book(&path).expect("a book");
        assert_eq!(Tables::of(&read).suits, 3);
        let values = |rows: &[Row]| {
            let mut values: Vec<Values> = rows.iter().map(|row| row.values).collect();
            values.sort_unstable();
            values
        };
        assert_eq!(values(&read), values(&rows));
        std::fs::write(&path, "no book").expect("it is written");
        assert!(read_book(&path).is_err_and(|why| why.contains("not a book of suits")));
        std::fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn help_is_in_its_file() {
        help::is_in_its_file::<SuitsArgs>("suits");
    }
}
