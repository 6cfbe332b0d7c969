//! How `solve` and its kin search, and what they print, as options.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, RangedI64ValueParser, TypedValueParser};
use meetjoin_catalogue::method::{PARTS, Part};

use crate::arguments::endings;
use crate::arguments::limit_args::LimitArgs;
use crate::arguments::units::{Seconds, Threads};

/// The headings in the help.
const ANSWER: &str = "Answer";
const CHECKPOINTS: &str = "Checkpoints";
const FAMILIES: &str = "Families of sets";
const EXPERIMENTS: &str = "For experiments";

/// How to search, and what to print.
#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // they are flags
pub(crate) struct SearchArgs {
    /// The algorithm; see `meetjoin algorithms`.
    #[arg(long, value_name = "ID", default_value = meetjoin_catalogue::method::DEFAULT.id)]
    pub(crate) algorithm: String,

    /// Print the answer as one JSON object; --json=2 prints an exact value only once, and repeated
    /// hands as indices into one list.
    #[arg(help_heading = ANSWER, long, value_name = "VERSION", num_args = 0..=1, require_equals = true, default_missing_value = "1", value_parser = RangedI64ValueParser::<u8>::new().range(1..=2))]
    pub(crate) json: Option<u8>,

    /// Also print the value of each child of the root.
    #[arg(help_heading = ANSWER, long)]
    pub(crate) moves: bool,

    /// Print a line of JSON whenever the bounds of the value improve, before the answer.
    #[arg(help_heading = ANSWER, long, conflicts_with_all = ["levels", "heaviest"])]
    pub(crate) watch: bool,

    /// Write the cache of the search to this file at intervals and at the end, so that --resume can
    /// continue a run that was stopped or killed.
    #[arg(help_heading = CHECKPOINTS, long, value_name = "FILE", conflicts_with_all = ["levels", "heaviest"])]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Wait at least S seconds between two checkpoints.
    #[arg(
        help_heading = CHECKPOINTS,
        long,
        value_name = "S",
        default_value = "30",
        requires = "checkpoint",
        allow_negative_numbers = true
    )]
    pub(crate) every: Seconds,

    /// Continue from the checkpoint, if it exists.
    #[arg(help_heading = CHECKPOINTS, long, requires = "checkpoint")]
    pub(crate) resume: bool,

    /// Explain the value along the principal variation.
    #[arg(help_heading = ANSWER, long, conflicts_with_all = ["levels", "heaviest"])]
    pub(crate) explain: bool,

    /// Print a strategy of MAX that guarantees OF, a join-prime not above the value, written as
    /// JSON (a number, a world, a set of worlds). Without OF one is chosen; with --heaviest it is
    /// the set that was found.
    #[arg(help_heading = ANSWER, long, value_name = "OF", num_args = 0..=1, allow_negative_numbers = true, conflicts_with = "levels")]
    #[allow(clippy::option_option)] // absent, without a value, with one
    pub(crate) strategy: Option<Option<String>>,

    /// Print a strategy of MIN that guarantees at most OF, a meet-prime not below the value.
    /// Without OF one is chosen.
    #[arg(help_heading = ANSWER, long, value_name = "OF", num_args = 0..=1, allow_negative_numbers = true, conflicts_with_all = ["levels", "heaviest", "strategy"])]
    #[allow(clippy::option_option)]
    pub(crate) refutation: Option<Option<String>>,

    /// Write the strategy to this file instead: an HTML page (.html), a drawing (.svg, or .dot for
    /// Graphviz), JSON (.json), or text (.txt, or no extension).
    #[arg(help_heading = ANSWER, long, value_name = "FILE", value_parser = endings::strategy(), conflicts_with = "heaviest")]
    pub(crate) strategy_file: Option<PathBuf>,

    /// Write a certificate of the answer to this file, which `meetjoin verify` checks without a
    /// search. It is computed after the answer; a third of --max-seconds is reserved for it. If a
    /// limit stops either computation, the certificate proves bounds only.
    #[arg(help_heading = ANSWER, long, value_name = "FILE", value_parser = endings::certificate())]
    pub(crate) certificate: Option<PathBuf>,

    /// Search on N threads instead of one, or on as many as the machine has (`all`). All but the
    /// first start after 50 ms. The value is the same; counters differ from run to run.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with = "levels"
    )]
    pub(crate) threads: Option<Threads>,

    /// Search families of sets for N levels only, and use the union of the sets below them: an
    /// upper bound of the value.
    #[arg(
        help_heading = FAMILIES,
        help_heading = FAMILIES,
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with_all = ["algorithm", "moves", "events", "count_nodes", "heaviest", "without"]
    )]
    pub(crate) levels: Option<u32>,

    /// Also print the algorithm, counters of the search, time and memory, which JSON always has.
    #[arg(short, long, help_heading = ANSWER)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) heaviest: HeaviestArgs,

    /// Write every event of the search to this file, as JSON lines.
    #[arg(help_heading = EXPERIMENTS, long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,

    /// Count distinct nodes in a game even if the algorithm has no cache; that takes memory and
    /// time.
    #[arg(help_heading = EXPERIMENTS, long)]
    pub(crate) count_nodes: bool,

    /// Leave out parts of the default algorithm, separated by commas. The value stays the same.
    #[arg(help_heading = EXPERIMENTS, long, value_name = "PART", value_delimiter = ',', value_parser = part())]
    pub(crate) without: Vec<Part>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

impl SearchArgs {
    /// Whether bounds that the problem states may be used.
    pub(crate) fn stated(&self) -> bool {
        !self.without.contains(&Part::Bounds)
    }
}

/// The parser for a part of the default algorithm.
fn part() -> impl TypedValueParser<Value = Part> {
    let shown =
        |(_, id, about): &(_, &'static str, &'static str)| PossibleValue::new(*id).help(*about);
    PossibleValuesParser::new(PARTS.iter().map(shown)).try_map(|id| {
        let named = PARTS.iter().find(|(_, other, _)| id == *other);
        named
            .map(|(part, _, _)| *part)
            .ok_or("there is no such part")
    })
}

/// What is asked of a family of sets in place of its value.
#[derive(Args, Debug)]
#[command(next_help_heading = FAMILIES)]
pub(crate) struct HeaviestArgs {
    /// Find only the heaviest set of a value in families of sets, not the whole value.
    #[arg(long, conflicts_with_all = ["algorithm", "moves", "events", "count_nodes", "without"])]
    pub(crate) heaviest: bool,

    /// Find the K heaviest maximal sets instead of one.
    #[arg(
        long,
        value_name = "K",
        requires = "heaviest",
        allow_negative_numbers = true
    )]
    pub(crate) top: Option<NonZero<usize>>,

    /// The weights of the worlds: a JSON list of integers. By default each world weighs 1.
    #[arg(long, value_name = "FILE", requires = "heaviest")]
    pub(crate) weights: Option<PathBuf>,
}
