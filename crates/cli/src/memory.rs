//! The allocator of the command line: it counts every byte, so that `--max-memory` sees transient products of lattice operations too.

use std::alloc::System;

use cap::Cap;
use meetjoin_solve::Meter;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// How searches measure memory.
pub(crate) const METER: Meter = Meter {
    begin: || (),
    allocated: || ALLOCATOR.allocated(),
    peak: || ALLOCATOR.max_allocated(),
};

/// Resident bytes of the process, where the system tells.
pub(crate) fn resident() -> Option<u64> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem as u64)
}
