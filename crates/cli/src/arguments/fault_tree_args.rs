//! The arguments of `meetjoin cuts` and `meetjoin sequences`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::limit_args::ClockArgs;

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // they are flags
pub(crate) struct CutsArgs {
    /// The fault tree: Open-PSA XML in any number of files, Galileo, text with one gate a line, or
    /// a problem file; `-` reads standard input.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// The gate that it is about, if not the one that no other gate has as an argument.
    #[arg(long, value_name = "GATE")]
    pub(crate) top: Option<String>,

    /// Find minimal path sets: events whose absence keeps the top event from happening.
    #[arg(long)]
    pub(crate) paths: bool,

    /// Where events are negated, find prime implicants with negated events in them, instead of sets
    /// of events alone.
    #[arg(long, conflicts_with = "paths")]
    pub(crate) prime_implicants: bool,

    /// Only sets of at most so many events.
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) limit_order: Option<u32>,

    /// Only sets that are at least so probable.
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) cut_off: Option<f64>,

    /// Write the sets, the smallest first.
    #[arg(long)]
    pub(crate) list: bool,

    /// Write so many sets, the most probable first.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "list",
        allow_negative_numbers = true
    )]
    pub(crate) most_probable: Option<usize>,

    /// Say how much each event matters.
    #[arg(long, conflicts_with_all = ["paths", "csv"])]
    pub(crate) importance: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Say how probable the top is over time, a point each so many hours: as a table, or in the
    /// files of --picture and --html if there are any.
    #[arg(long, value_name = "H", conflicts_with_all = ["paths", "open_psa"], allow_negative_numbers = true)]
    pub(crate) time_step: Option<f64>,

    /// Write a drawing (SVG) of the tree, with the probabilities of its events, and with
    /// --importance how much each matters; with --time-step of P(top) over time, instead of its
    /// table.
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,

    /// Write the answer as a page too: sets, importance, pictures, and the tree, whose gates open
    /// and close.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Say how much of the time each safety integrity level holds (IEC 61508).
    #[arg(long, requires = "time_step", conflicts_with = "csv")]
    pub(crate) sil: bool,

    /// Draw what is uncertain so many times, and say how P(top) is distributed.
    #[arg(long, value_name = "TRIALS", conflicts_with_all = ["paths", "open_psa", "csv"], allow_negative_numbers = true)]
    pub(crate) uncertainty: Option<usize>,

    /// Seed of the generator of trials.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        requires = "uncertainty",
        allow_negative_numbers = true
    )]
    pub(crate) seed: u64,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the sets alone, one a line, names separated by commas; with --time-step the points of
    /// the curve alone.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,

    /// Print a report in the Open-PSA format: the sets as a sum of products, with probabilities.
    #[arg(long, conflicts_with_all = ["json", "csv", "importance"])]
    pub(crate) open_psa: bool,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,
}

/// In which state a model is looked at.
#[derive(Args, Debug)]
pub(crate) struct ModelArgs {
    /// How long the system has to work, in hours.
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) mission_time: Option<f64>,

    /// Let the members of common-cause groups fail together, and not each for itself.
    #[arg(long)]
    pub(crate) ccf: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SequencesArgs {
    /// The model: Open-PSA XML in any number of files; `-` reads standard input.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Write the minimal cut sets of each sequence.
    #[arg(long)]
    pub(crate) list: bool,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,
}
