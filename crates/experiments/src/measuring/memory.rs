//! The allocator of the experiments: it counts every byte, so that one knows what memory a search
//! took.

use std::alloc::System;

use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait as _};

#[global_allocator]
static ALLOCATOR: PeakMemAlloc<System> = PeakMemAlloc::new(System);

/// The most bytes that were held at once since [`reset_peak`], besides those that were held then.
pub(crate) fn peak() -> usize {
    ALLOCATOR.get_peak_memory()
}

/// From here on the peak is counted anew.
pub(crate) fn reset_peak() {
    ALLOCATOR.reset_peak_memory();
}
