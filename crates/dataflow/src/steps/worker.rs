//! The state that all steps of a worker share.

use std::ops::Range;

use meetjoin_lattice::Budget;
use meetjoin_solve::{Layered, Nodes};

use crate::disk::folder::Folder;
use crate::disk::key::parts_of;
use crate::failure::{Failure, stopped};
use crate::talk::rounds::{Report, Rounds};

/// A worker: its share of the problem, and its connection to the other workers.
pub(crate) struct Worker<'a> {
    pub(crate) rounds: Rounds<'a>,
    pub(crate) problem: &'a dyn Layered,
    pub(crate) nodes: Box<dyn Nodes + 'a>,
    pub(crate) folder: &'a Folder,
    pub(crate) budget: &'a Budget,
    /// Bytes of memory for the level in work.
    pub(crate) memory: usize,
    /// The parts of each level that it owns.
    pub(crate) parts: Range<usize>,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        rounds: Rounds<'a>,
        problem: &'a dyn Layered,
        folder: &'a Folder,
        budget: &'a Budget,
        memory: usize,
    ) -> Self {
        Self {
            parts: parts_of(rounds.index(), rounds.workers()),
            nodes: problem.nodes(),
            rounds,
            problem,
            folder,
            budget,
            memory,
        }
    }

    /// Nodes of a level that are in work at the same time.
    pub(crate) fn chunk(&self) -> u64 {
        (self.memory as u64 / 256).clamp(1 << 10, 1 << 28)
    }

    /// Exchanges numbers with all other workers.
    pub(crate) fn gather(&mut self, numbers: Vec<u64>) -> Result<Vec<Vec<u64>>, Failure> {
        let reports = self.rounds.finish(&Report::of(numbers), |_| Ok(()))?;
        Ok(reports.into_iter().map(|report| report.numbers).collect())
    }

    /// The sum of a number over all workers.
    pub(crate) fn sum(&mut self, number: u64) -> Result<u64, Failure> {
        let all = self.gather(vec![number])?;
        Ok(all.iter().filter_map(|numbers| numbers.first()).sum())
    }

    /// Fails if a limit has fired.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.budget.check().map_err(stopped)
    }
}
