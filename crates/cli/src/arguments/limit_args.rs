//! Limits on the command line.

use clap::Args;

use crate::arguments::units::{Seconds, Size};

#[derive(Args, Debug)]
#[allow(clippy::struct_field_names)] // they name the options
pub(crate) struct LimitArgs {
    /// Stop after so many visits and probes. They do not bound a single lattice operation or
    /// product of packets; time and memory do.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_visits: Option<u64>,

    #[command(flatten)]
    pub(crate) clock: ClockArgs,
}

/// Limits of everything, not of searches alone.
#[derive(Args, Clone, Debug)]
pub(crate) struct ClockArgs {
    /// Stop after so many seconds, counted from the start of the command. The time that an answer
    /// gives is that of the search alone: reading comes before it.
    #[arg(long, global = true, value_name = "S", allow_negative_numbers = true)]
    pub(crate) max_seconds: Option<Seconds>,

    /// Use no more memory than this: caches forget, and where that does not help the program stops.
    /// Bytes, or a number with K, M, G or T.
    #[arg(
        long,
        global = true,
        value_name = "SIZE",
        allow_negative_numbers = true
    )]
    pub(crate) max_memory: Option<Size>,
}
