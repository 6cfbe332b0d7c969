//! Requests to an instance: algorithm, limits and options; and reasons for refusals.

use std::fmt::{self, Debug};
use std::num::NonZero;
use std::time::Duration;

use meetjoin_catalogue::method::{ALGORITHMS, Algorithm, Method, Needs};
use meetjoin_lattice::Budget;
use meetjoin_report::Meter;
use meetjoin_search::proof::ProofNumbers;

use crate::answers::checkpoint::Checkpoint;

/// How long the first of several threads works alone: most searches end within this time, and such
/// short ones gain nothing from more threads.
pub const HEAD_START: Duration = Duration::from_millis(50);

/// The most threads of a search. Each takes some megabytes of address space, and more threads than
/// processors do not help.
pub const MOST_THREADS: usize = 1024;

/// Refuses more threads than a search may have.
pub(crate) fn check_threads(threads: NonZero<usize>) -> Result<(), Refused> {
    if threads.get() <= MOST_THREADS {
        return Ok(());
    }
    Err(Refused::Argument(format!(
        "--threads {threads}: a search takes at most {MOST_THREADS}"
    )))
}

/// A search for the value of a root.
pub struct Request<'a> {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Limits and cancellation.
    pub budget: &'a Budget,
    /// The gauge of memory.
    pub meter: Meter,
    /// Bytes of a df-pn table; by default, what the memory limit leaves, or 64 MiB.
    pub proof_bytes: Option<usize>,
    /// Whether caches for positions grow until memory is used up, or evict entries within what the
    /// memory limit leaves.
    pub tables: PositionCache,
    /// Whether distinct nodes are counted.
    pub count_nodes: CountNodes,
    /// The most items that a bound of a stopped search may list; a longer one is replaced by the
    /// least or the greatest value, as writing millions of items takes many times as long as a
    /// limit allowed for finding them. A longer exact value is written if the limits leave enough
    /// for it.
    pub most_items: usize,
    /// Whether each child of the root is solved too.
    pub moves: bool,
    /// Threads that search together. With one thread all counters are deterministic. The other
    /// threads start if the first has not finished in 50 ms: below that they gain nothing.
    pub threads: NonZero<usize>,
    /// Whether the memory of the search is leaked, for the system to reclaim at the end of the
    /// program. Freeing gigabytes piece by piece would overrun a time limit.
    pub abandon: bool,
    /// Whether the cache of the search is saved to disk, and loaded from there.
    pub checkpoint: Option<Checkpoint>,
    /// Notified of progress.
    pub progress: Option<&'a mut dyn Progress>,
    /// Called with every event of the root's search, one JSON object each, until it returns
    /// `false`.
    pub events: Option<&'a mut dyn FnMut(&str) -> bool>,
}

impl<'a> Request<'a> {
    /// A request for an algorithm and a budget, with default options.
    pub fn new(algorithm: Algorithm, budget: &'a Budget) -> Self {
        Self {
            algorithm,
            budget,
            meter: Meter::NONE,
            proof_bytes: None,
            tables: PositionCache::Forgets,
            count_nodes: CountNodes::Never,
            most_items: usize::MAX,
            moves: false,
            threads: NonZero::<usize>::MIN,
            abandon: false,
            checkpoint: None,
            progress: None,
            events: None,
        }
    }
}

impl Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request by {}", self.algorithm.id)
    }
}

/// Whether distinct nodes are counted, which takes time, and memory if the graph is not explicit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountNodes {
    /// They are not counted.
    Never,
    /// If that is cheap: in an explicit graph, or with an algorithm that remembers all nodes
    /// anyway.
    IfCheap,
    /// In any case.
    Always,
}

impl CountNodes {
    /// `Never` if caches evict entries within a memory limit, which a count would not respect;
    /// otherwise unchanged.
    #[must_use]
    pub fn where_caches_forget(self, budget: &Budget) -> Self {
        match self {
            Self::IfCheap if budget.memory_left().is_some() => Self::Never,
            other => other,
        }
    }
}

/// What a cache for the positions of a board game does when memory runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionCache {
    /// It evicts entries.
    Forgets,
    /// It remembers everything, and the search stops.
    Grows,
}

/// Receives the progress of a search.
pub trait Progress {
    /// Returns whether it wants progress now. Called every few hundred visits.
    fn wanted(&mut self) -> bool;

    /// The format in which bounds are written.
    fn form(&self) -> Form {
        Form::Text
    }

    /// Shows the state of the search.
    fn show(&mut self, moment: &Moment);
}

/// The format of bounds in progress reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people; reported for every search.
    Text,
    /// JSON; reported for the root only, and only when they have improved.
    Json,
}

/// The state of a search in progress.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Visits and probes so far.
    pub visits: u64,
    /// Entries in the cache.
    pub entries: usize,
    /// The known bounds or numbers.
    pub known: Known,
}

/// What is known before a search ends.
#[derive(Clone, Debug)]
pub enum Known {
    /// Bounds of the value. During one search they only become tighter.
    Between(String, String),
    /// The proof and disproof numbers of the root.
    Numbers(ProofNumbers),
}

/// Why a request is refused, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The problem does not allow it.
    #[error("{0}")]
    Problem(String),
    /// An argument is wrong.
    #[error("{0}")]
    Argument(String),
    /// A search was stopped before it had the answer.
    #[error("{0}")]
    Stopped(String),
}

impl Refused {
    /// The problem does not allow it, for this reason.
    #[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
    pub fn problem(error: impl ToString) -> Self {
        Self::Problem(error.to_string())
    }

    /// The algorithm needs more than the lattice has; names algorithms that do not.
    pub fn needs(algorithm: &Algorithm, known: Needs, why: &str) -> Self {
        let runs = ALGORITHMS
            .iter()
            .filter(|other| other.needs().met_by(known));
        let runs: Vec<&str> = runs.map(|other| other.id).collect();
        let (id, needs, runs) = (
            algorithm.id,
            algorithm.needs().trait_name(),
            runs.join(" or "),
        );
        Self::Problem(format!(
            "{id} needs a {needs}{why}; --algorithm {runs} would work"
        ))
    }

    /// The algorithm enumerates the join-primes of other lattices.
    pub fn no_claims(algorithm: &Algorithm) -> Self {
        let id = algorithm.id;
        let (these, other) = if algorithm.method == Method::Thresholds {
            ("families of sets", "df-pn finds those of integers and sets")
        } else {
            (
                "integers, sets and distributive tables",
                "thresholds finds those of families of sets",
            )
        };
        Self::Problem(format!(
            "{id} finds whole values of {these} only, and {other}; meetjoin prove asks for one join-prime of any lattice"
        ))
    }

    /// Only families of sets have heaviest sets.
    pub fn no_heaviest() -> Self {
        let why = "--heaviest asks for a set of a value in families of sets, which the values of this problem are not";
        Self::Problem(why.to_owned())
    }

    /// The problem has no single graph.
    pub fn no_nodes() -> Self {
        let why = "this is a series of searches, and no one graph whose nodes could be named";
        Self::Problem(why.to_owned())
    }

    /// Only values in families can be searched by levels.
    pub fn no_levels() -> Self {
        let why =
            "--levels bounds a value in families of sets, which the values of this problem are not";
        Self::Problem(why.to_owned())
    }
}
