//! The allocator of the experiments: it counts every byte, for the peak memory of a search.

use std::alloc::System;

use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait as _};

#[global_allocator]
static ALLOCATOR: PeakMemAlloc<System> = PeakMemAlloc::new(System);

/// The most bytes that were held at once since [`reset_peak`], besides those that were held then.
pub(crate) fn peak() -> usize {
    ALLOCATOR.get_peak_memory()
}

/// Resets the peak.
pub(crate) fn reset_peak() {
    ALLOCATOR.reset_peak_memory();
}
