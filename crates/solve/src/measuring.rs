//! What a search takes: time and memory, from its beginning on.

use std::time::Instant;

use meetjoin_search::Counts;

use crate::answer::Stats;
use crate::request::Meter;

/// A search that has begun.
#[derive(Debug)]
pub(crate) struct Measuring {
    started: Instant,
    meter: Meter,
    /// Bytes in use when it began.
    memory: usize,
}

impl Measuring {
    pub(crate) fn begin(meter: Meter) -> Self {
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
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// Bytes that it holds now.
    pub(crate) fn bytes(&self) -> usize {
        (self.meter.allocated)().saturating_sub(self.memory)
    }

    /// What it took until now. Nodes and entries of a cache are not counted here.
    pub(crate) fn stats(&self, counts: Counts) -> Stats {
        Stats {
            seconds: self.started.elapsed().as_secs_f64(),
            nodes: None,
            counts,
            cache_entries: None,
            search_bytes: self.bytes(),
            peak_memory_bytes: (self.meter.peak)(),
        }
    }
}
