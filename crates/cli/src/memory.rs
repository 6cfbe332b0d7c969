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

/// Resident bytes of the process that are its own, where the system tells. Pages of a file that is mapped are not: the system takes them back when it needs room.
pub(crate) fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}
