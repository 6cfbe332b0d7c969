//! The cost of a computation: time and memory, from its beginning on.

use std::time::Instant;

/// How memory is measured: an allocator that counts, if the program has one.
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

/// A computation that has begun.
#[derive(Debug)]
pub struct Measuring {
    started: Instant,
    meter: Meter,
    memory: usize,
}

/// What a computation took until some moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Seconds.
    pub seconds: f64,
    /// Bytes that it holds.
    pub bytes: usize,
    /// The most bytes that were in use, those from before included.
    pub peak: usize,
}

impl Measuring {
    /// Begins now.
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

    /// Bytes that were in use when it began.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// Bytes that it holds now.
    pub fn bytes(&self) -> usize {
        (self.meter.allocated)().saturating_sub(self.memory)
    }

    /// What it took until now.
    pub fn measured(&self) -> Measured {
        Measured {
            seconds: self.started.elapsed().as_secs_f64(),
            bytes: self.bytes(),
            peak: (self.meter.peak)(),
        }
    }
}
