//! Limits on the command line.

use clap::Args;

use crate::arguments::units::{Seconds, Size};

#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
#[allow(clippy::struct_field_names)] // they name the options
pub(crate) struct LimitArgs {
    /// Stop after N visits and probes. This does not limit a single lattice operation or product of
    /// packets; --max-seconds and --max-memory do.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_visits: Option<u64>,

    #[command(flatten)]
    pub(crate) clock: ClockArgs,
}

/// Limits of everything, not of searches alone.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct ClockArgs {
    /// Stop S seconds after the start of the command.
    #[arg(long, global = true, value_name = "S", allow_negative_numbers = true)]
    pub(crate) max_seconds: Option<Seconds>,

    /// Use no more memory than this: caches forget entries, and if that is not enough, the program
    /// stops. Bytes, or a number with K, M, G or T.
    #[arg(
        long,
        global = true,
        value_name = "SIZE",
        allow_negative_numbers = true
    )]
    pub(crate) max_memory: Option<Size>,
}
