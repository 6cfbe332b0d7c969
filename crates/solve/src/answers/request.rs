//! Requests to an instance: the algorithm, limits and wishes; and why one is refused.

use std::fmt::{self, Debug};
use std::num::NonZero;
use std::time::Duration;

use meetjoin_lattice::Budget;
use meetjoin_report::Meter;
use meetjoin_search::method::{ALGORITHMS, Algorithm, Method, Needs};
use meetjoin_search::proof::ProofNumbers;

use crate::answers::checkpoint::Checkpoint;

/// For so long the first of several threads works alone: most searches are done then, and a shorter
/// one gains nothing by more.
pub const HEAD_START: Duration = Duration::from_millis(50);

/// The most threads of a search. Each takes some megabytes of addresses, and beyond the processors
/// of a machine none helps.
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
    /// Which algorithm, with which parts.
    pub algorithm: Algorithm,
    /// Limits and cancellation.
    pub budget: &'a Budget,
    /// How memory is measured.
    pub meter: Meter,
    /// Bytes of a table of df-pn; without a number, what the limit of memory leaves, or 64 MiB.
    pub proof_bytes: Option<usize>,
    /// Whether caches for positions grow until memory is out, or forget within what the limit of
    /// memory leaves.
    pub tables: PositionCache,
    /// Whether distinct nodes are counted.
    pub count_nodes: CountNodes,
    /// The most items that a bound of a stopped search may list; one that has more is given as the
    /// least or the greatest value. To write millions takes many times what a limit allowed to find
    /// them. A value that has more is given if limits leave enough to write it.
    pub most_items: usize,
    /// Whether each child of the root is solved too.
    pub moves: bool,
    /// Threads that search together. With one thread every counter is the same each time. The
    /// others begin where the first has not been done in 50 ms: below that they gain nothing.
    pub threads: NonZero<usize>,
    /// Whether the memory of the search is left to the system when the program ends. To give
    /// gigabytes back piece by piece takes longer than a limit of time may be passed by.
    pub abandon: bool,
    /// Whether what the search remembers goes to disk, and comes from there.
    pub checkpoint: Option<Checkpoint>,
    /// Told where the search is.
    pub progress: Option<&'a mut dyn Progress>,
    /// Told of every event of the root's search, one JSON object each. On `false` it is told no
    /// more.
    pub events: Option<&'a mut dyn FnMut(&str) -> bool>,
}

impl<'a> Request<'a> {
    /// By an algorithm within a budget, and nothing else.
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

/// Whether distinct nodes are counted, which takes time, and memory where there is no list of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountNodes {
    /// They are not.
    Never,
    /// Where it costs little: in a graph that is listed, and by an algorithm that remembers them
    /// anyway.
    IfCheap,
    /// In any case.
    Always,
}

impl CountNodes {
    /// Never, where caches forget within a limit of memory and a count would not; else as it is.
    pub(crate) fn where_caches_forget(self, budget: &Budget) -> Self {
        match self {
            Self::IfCheap if budget.memory_left().is_some() => Self::Never,
            other => other,
        }
    }
}

/// What becomes of a cache for the positions of a board game when memory runs out, or when many
/// positions share a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionCache {
    /// It forgets.
    Forgets,
    /// It remembers everything, and the search stops.
    Grows,
}

/// Told where a search is.
pub trait Progress {
    /// Whether it wants to be told now. Asked every few hundred visits.
    fn wanted(&mut self) -> bool;

    /// How bounds are to be written.
    fn form(&self) -> Form {
        Form::Text
    }

    /// Where the search is.
    fn show(&mut self, moment: &Moment);
}

/// How bounds of a moment are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people, and of each search that is made.
    Text,
    /// As JSON, of the root alone, and only when they are better than before.
    Json,
}

/// A moment in the middle of a search.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Visits and probes so far.
    pub visits: u64,
    /// Entries in the cache.
    pub entries: usize,
    /// What is known.
    pub known: Known,
}

/// What a search knows before its end.
#[derive(Clone, Debug)]
pub enum Known {
    /// Bounds of the value. Each pair of a search lies within the one before.
    Between(String, String),
    /// What is still to be found out for a proof and for a disproof.
    Numbers(ProofNumbers),
}

/// Why something cannot be done, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The problem does not allow it.
    #[error("{0}")]
    Problem(String),
    /// An argument is wrong.
    #[error("{0}")]
    Argument(String),
    /// A search was stopped before it knew what was asked for.
    #[error("{0}")]
    Stopped(String),
}

impl Refused {
    /// The problem does not allow it, and this says why.
    #[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
    pub fn problem(error: impl ToString) -> Self {
        Self::Problem(error.to_string())
    }

    /// The algorithm needs more than the lattice has; those that do not.
    pub(crate) fn needs(algorithm: &Algorithm, known: Needs, why: &str) -> Self {
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

    /// The algorithm goes through the join-primes of other lattices.
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

    /// There is no heaviest set of what is no family.
    pub fn no_heaviest() -> Self {
        let why = "--heaviest asks for a set of a value in families of sets, which the values of this problem are not";
        Self::Problem(why.to_owned())
    }

    /// There is no one graph behind the problem.
    pub fn no_nodes() -> Self {
        let why = "this is a series of searches, and no one graph whose nodes could be named";
        Self::Problem(why.to_owned())
    }

    /// There are no levels to be searched where values are no families.
    pub(crate) fn no_levels() -> Self {
        let why =
            "--levels bounds a value in families of sets, which the values of this problem are not";
        Self::Problem(why.to_owned())
    }
}
