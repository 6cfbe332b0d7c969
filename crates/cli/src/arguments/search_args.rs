//! How `solve` and its kin search, and what they print, as options.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use clap::builder::RangedI64ValueParser;

use crate::arguments::endings;
use crate::arguments::limit_args::LimitArgs;
use crate::arguments::units::{Seconds, Threads};

/// How to search, and what to print.
#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // they are flags
pub(crate) struct SearchArgs {
    /// Which algorithm; see `meetjoin algorithms`.
    #[arg(long, value_name = "ID", default_value = meetjoin_search::method::DEFAULT.id)]
    pub(crate) algorithm: String,

    /// Print the answer as one JSON object; =2 prints an exact value once, and hands that come back
    /// as places in one list.
    #[arg(long, value_name = "VERSION", num_args = 0..=1, require_equals = true, default_missing_value = "1", value_parser = RangedI64ValueParser::<u8>::new().range(1..=2))]
    pub(crate) json: Option<u8>,

    /// Print the value of each child of the root too.
    #[arg(long)]
    pub(crate) moves: bool,

    /// Write every event of the search to this file, as JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,

    /// Print a line of JSON whenever the search knows more of the value, before the answer.
    #[arg(long, conflicts_with_all = ["levels", "heaviest"])]
    pub(crate) watch: bool,

    /// Write what the search remembers to this file every now and then, and at its end, so that a
    /// run that was stopped or killed can go on.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["levels", "heaviest"])]
    pub(crate) checkpoint: Option<PathBuf>,

    /// How many seconds to wait between two checkpoints, at least.
    #[arg(
        long,
        value_name = "S",
        default_value = "30",
        requires = "checkpoint",
        allow_negative_numbers = true
    )]
    pub(crate) every: Seconds,

    /// Go on from the checkpoint, if there is one.
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,

    /// Say why the value is what it is, along the principal variation.
    #[arg(long, conflicts_with_all = ["levels", "heaviest"])]
    pub(crate) explain: bool,

    /// Print a strategy by which MAX makes sure of OF, a join-prime below the value as JSON (a
    /// number, a world, a set of worlds); without OF, of one that the value has. With --heaviest,
    /// of the set that was found.
    #[arg(long, value_name = "OF", num_args = 0..=1, allow_negative_numbers = true, conflicts_with = "levels")]
    #[allow(clippy::option_option)] // absent, without a value, with one
    pub(crate) strategy: Option<Option<String>>,

    /// Print a strategy by which MIN keeps the value at most OF, a meet-prime above it.
    #[arg(long, value_name = "OF", num_args = 0..=1, allow_negative_numbers = true, conflicts_with_all = ["levels", "heaviest", "strategy"])]
    #[allow(clippy::option_option)]
    pub(crate) refutation: Option<Option<String>>,

    /// Write the strategy to this file instead: as a page if it ends in .html, as a drawing for a
    /// browser if it ends in .svg or for Graphviz if it ends in .dot, as JSON if it ends in .json,
    /// as text if it ends in .txt or in nothing.
    #[arg(long, value_name = "FILE", value_parser = endings::strategy(), conflicts_with = "heaviest")]
    pub(crate) strategy_file: Option<PathBuf>,

    /// Write a certificate of the answer to this file, which `meetjoin verify` checks without any
    /// search. It is searched for after the answer, for which a limit on time leaves it a third.
    /// What a limit stops shows bounds.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Search on so many threads instead of one; `all` is as many as the machine has. The others
    /// help after 50 ms. The value is the same; counters differ from run to run.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with = "levels"
    )]
    pub(crate) threads: Option<Threads>,

    /// Count distinct nodes in a game even if the algorithm has no cache; that takes memory and
    /// time.
    #[arg(long)]
    pub(crate) count_nodes: bool,

    /// Leave out parts of the default algorithm. The value stays the same.
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    pub(crate) without: Vec<Part>,

    /// Search families of sets for so many levels only, and take the union of the sets below:
    /// bounds of the value.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with_all = ["algorithm", "moves", "events", "count_nodes", "heaviest", "without"]
    )]
    pub(crate) levels: Option<u32>,

    #[command(flatten)]
    pub(crate) heaviest: HeaviestArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// A part of the default algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Simpler questions first: the union in families of sets, perfect information in racing
    Bounds,
    /// A look at all children before one is visited
    Look,
    /// The child of the best bound first
    Order,
    /// No entries in the cache for nodes that can be reached in one way only
    SharedOnly,
    /// Bounds no longer than the window shows
    Narrow,
    /// Null windows that halve what is left, in chains where that pays
    Halving,
}

/// What is asked of a family of sets in place of its value.
#[derive(Args, Debug)]
pub(crate) struct HeaviestArgs {
    /// Find the heaviest set of a value in families of sets, and not the whole value.
    #[arg(long, conflicts_with_all = ["algorithm", "moves", "events", "count_nodes", "without"])]
    pub(crate) heaviest: bool,

    /// So many of the heaviest maximal sets.
    #[arg(
        long,
        value_name = "K",
        requires = "heaviest",
        allow_negative_numbers = true
    )]
    pub(crate) top: Option<NonZero<usize>>,

    /// What the worlds weigh: a JSON list of integers. Without it each weighs 1.
    #[arg(long, value_name = "FILE", requires = "heaviest")]
    pub(crate) weights: Option<PathBuf>,
}
