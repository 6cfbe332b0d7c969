//! The cost of a computation in time and memory.

use std::time::Instant;

/// A gauge of memory: a counting allocator, if the program has one.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Called when a computation begins.
    pub begin: fn(),
    /// Bytes in use.
    pub allocated: fn() -> usize,
    /// The most bytes in use since the beginning.
    pub peak: fn() -> usize,
}

impl Meter {
    /// No memory accounting.
    pub const NONE: Self = Self {
        begin: || (),
        allocated: || 0,
        peak: || 0,
    };
}

/// A computation in progress.
#[derive(Debug)]
pub struct Measuring {
    started: Instant,
    meter: Meter,
    memory: usize,
}

/// The cost of a computation so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Seconds.
    pub seconds: f64,
    /// Bytes allocated since it began.
    pub bytes: usize,
    /// The most bytes in use, including those from before it began.
    pub peak: usize,
}

impl Measuring {
    /// Starts measuring.
    pub fn begin(meter: Meter) -> Self {
        let memory = (meter.allocated)();
        (meter.begin)();
        let started = Instant::now();
        Self {
            started,
            meter,
            memory,
        }
    }

    /// Bytes in use when it began.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// Bytes allocated since it began.
    pub fn bytes(&self) -> usize {
        (self.meter.allocated)().saturating_sub(self.memory)
    }

    /// The cost so far.
    pub fn measured(&self) -> Measured {
        Measured {
            seconds: self.started.elapsed().as_secs_f64(),
            bytes: self.bytes(),
            peak: (self.meter.peak)(),
        }
    }
}
