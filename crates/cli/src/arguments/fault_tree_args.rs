//! The arguments of `meetjoin cuts` and `meetjoin sequences`.

use std::path::PathBuf;

use clap::Args;

use crate::arguments::endings;
use crate::arguments::limit_args::ClockArgs;

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // they are flags
pub(crate) struct CutsArgs {
    /// The fault tree: Open-PSA XML in any number of files, Galileo, text with one gate a line, or
    /// a problem file; `-` reads standard input.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// The top gate of the tree. The default is the gate that is no other's argument.
    #[arg(long, value_name = "GATE")]
    pub(crate) top: Option<String>,

    /// Find minimal path sets instead of cut sets: events whose absence prevents the top event.
    #[arg(long)]
    pub(crate) paths: bool,

    /// If events are negated, find prime implicants, which may contain negated events, instead of
    /// cut sets.
    #[arg(long, conflicts_with = "paths")]
    pub(crate) prime_implicants: bool,

    /// Find only sets of at most K events.
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) limit_order: Option<u32>,

    /// Find only sets with a probability of at least P.
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) cut_off: Option<f64>,

    /// Write all sets, the smallest first.
    #[arg(long)]
    pub(crate) list: bool,

    /// Write the N most probable sets, the most probable first.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "list",
        allow_negative_numbers = true
    )]
    pub(crate) most_probable: Option<usize>,

    /// Print the importance measures of each event.
    #[arg(long, conflicts_with_all = ["paths", "csv"])]
    pub(crate) importance: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Print P(top) over the mission time, in steps of H hours: as a table, or in the files of
    /// --picture and --html if given.
    #[arg(long, value_name = "H", conflicts_with_all = ["paths", "open_psa"], allow_negative_numbers = true)]
    pub(crate) time_step: Option<f64>,

    /// Write a drawing (SVG) of the tree with the probability of each event, and with --importance
    /// its importance. With --time-step, draw P(top) over time instead.
    #[arg(long, value_name = "FILE", value_parser = endings::picture())]
    pub(crate) picture: Option<PathBuf>,

    /// Also write the answer as an HTML page: sets, importance, pictures, and the tree, whose gates
    /// open and close.
    #[arg(long, value_name = "FILE", value_parser = endings::page())]
    pub(crate) html: Option<PathBuf>,

    /// Print the part of the time spent in each safety integrity level (IEC 61508).
    #[arg(long, requires = "time_step", conflicts_with = "csv")]
    pub(crate) sil: bool,

    /// Draw uncertain parameters TRIALS times, and print the distribution of P(top).
    #[arg(long, value_name = "TRIALS", conflicts_with_all = ["paths", "open_psa", "csv"], allow_negative_numbers = true)]
    pub(crate) uncertainty: Option<usize>,

    /// Seed of the generator for --uncertainty.
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

    /// Print only the sets, one per line, names separated by commas; with --time-step, only the
    /// points of the curve.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,

    /// Print a report in the Open-PSA format: the sets as a sum of products, with probabilities.
    #[arg(long, conflicts_with_all = ["json", "csv", "importance"])]
    pub(crate) open_psa: bool,

    /// Also print the size of the diagrams, time and memory, which JSON always has.
    #[arg(short, long, conflicts_with_all = ["csv", "open_psa"])]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,
}

/// The state in which a model is analysed.
#[derive(Args, Debug)]
pub(crate) struct ModelArgs {
    /// Time that the system has to work, in hours. The default is a year, 8760.
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) mission_time: Option<f64>,

    /// Let members of common-cause groups fail together. By default they fail independently.
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
