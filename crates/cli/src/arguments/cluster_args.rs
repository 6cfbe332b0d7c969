//! The arguments of `meetjoin cluster`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use meetjoin_solve::games::GameArgs;

use crate::arguments::limit_args::ClockArgs;
use crate::arguments::units::{Seconds, Size};

#[derive(Args, Debug)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    pub(crate) command: ClusterCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Find the value of a problem's root by the values of all its nodes.
    Solve(ClusterSolveArgs),
}

#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = false,
    subcommand_negates_reqs = true
)]
pub(crate) struct ClusterSolveArgs {
    /// The problem file; `-` reads standard input. Instead, a game may be named with its arguments
    /// after all options.
    #[arg(required = true)]
    pub(crate) file: Option<PathBuf>,

    /// Workers of this process, each a thread.
    #[arg(
        long,
        value_name = "W",
        default_value = "1",
        allow_negative_numbers = true
    )]
    pub(crate) workers: NonZero<u16>,

    /// A file with the address of each process, a host, a colon and a port on a line. All processes
    /// have the same.
    #[arg(long, value_name = "FILE")]
    pub(crate) hosts: Option<PathBuf>,

    /// Which line of the hosts file this process is, counted from 0.
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) process: Option<u16>,

    /// A file with a secret of at least 16 bytes that all processes have: who does not know it is
    /// not let in.
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub(crate) secret_file: Option<PathBuf>,

    /// Wait so long for other processes at the start.
    #[arg(
        long,
        value_name = "S",
        default_value = "60",
        allow_negative_numbers = true
    )]
    pub(crate) patience: Seconds,

    /// Keep levels in this folder, and go on from those that are there. Without it they are removed
    /// at the end.
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,

    /// Memory of each worker for the level in work: bytes, or a number with K, M, G or T. What is
    /// more goes to the disk.
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

    /// Print what the position after these moves is worth, and each of its moves; moves are
    /// separated by commas. May be given several times.
    #[arg(long, value_name = "MOVES")]
    pub(crate) at: Vec<String>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,

    #[command(subcommand)]
    pub(crate) game: Option<GameArgs>,
}
