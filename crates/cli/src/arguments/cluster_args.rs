//! The arguments of `meetjoin cluster`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use meetjoin_problems::games::GameArgs;

use crate::arguments::limit_args::ClockArgs;
use crate::arguments::units::{Seconds, Size};

#[derive(Args, Debug)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    pub(crate) command: ClusterCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Find the value of a problem's root by computing the values of all its nodes.
    Solve(ClusterSolveArgs),
}

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = false,
    subcommand_negates_reqs = true
)]
pub(crate) struct ClusterSolveArgs {
    /// The problem file; `-` reads standard input. Instead of a file, a game and its arguments may
    /// follow all options.
    #[arg(required = true)]
    pub(crate) file: Option<PathBuf>,

    /// Number of workers of this process, each a thread.
    #[arg(
        long,
        value_name = "W",
        default_value = "1",
        allow_negative_numbers = true
    )]
    pub(crate) workers: NonZero<u16>,

    /// A file with the address of each process, HOST:PORT, one per line; the same for all
    /// processes.
    #[arg(long, value_name = "FILE")]
    pub(crate) hosts: Option<PathBuf>,

    /// The line of this process in the hosts file, counted from 0.
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) process: Option<u16>,

    /// A file with a secret of at least 16 bytes that all processes share; connections without it
    /// are refused.
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub(crate) secret_file: Option<PathBuf>,

    /// Wait S seconds for other processes at the start.
    #[arg(
        long,
        value_name = "S",
        default_value = "60",
        allow_negative_numbers = true
    )]
    pub(crate) patience: Seconds,

    /// Keep levels in this folder, and continue from those already there. By default they are kept
    /// in a temporary folder, which is removed at the end.
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,

    /// Memory of each worker for the current level: bytes, or a number with K, M, G or T. The rest
    /// of the level goes to disk.
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "256M",
        allow_negative_numbers = true
    )]
    pub(crate) memory: Size,

    /// Count the nodes of each level by value.
    #[arg(long)]
    pub(crate) counts: bool,

    /// Also print the value of the position after these moves, separated by commas, and of each
    /// move there. May be given several times.
    #[arg(long, value_name = "MOVES")]
    pub(crate) at: Vec<String>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Also print the number of nodes, time and disk space, which JSON always has.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,

    #[command(subcommand)]
    pub(crate) game: Option<GameArgs>,
}
