//! Limits, and Ctrl-C as a limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use meetjoin::lattice::{Limits, MemoryLimit};

use crate::args::LimitArgs;
use crate::failure::Failure;
use crate::memory::METER;
use crate::units::{Seconds, Size};

/// Whether the program waits for a person and has nothing to lose.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Waits for a person. A signal meanwhile ends the process at once.
pub(crate) fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::Relaxed);
    let waited = wait();
    WAITING.store(false, Ordering::Relaxed);
    waited
}

/// The limits of a search; the signals INT, TERM and HUP cancel it from here on. A second signal ends the process at once.
pub(crate) fn limits(args: &LimitArgs) -> Result<Limits, Failure> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) || WAITING.load(Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::Output(format!("cannot wait for signals: {error}")))?;
    Ok(Limits {
        visits: args.max_visits,
        time: args.max_seconds.map(|Seconds(time)| time),
        memory: args.max_memory.map(|Size(bytes)| MemoryLimit {
            bytes,
            used: || (METER.allocated)() as u64,
        }),
        cancel: Some(cancel),
        ..Limits::default()
    })
}
