//! `cargo xtask bench`: the benchmarks of the workspace.

use crate::{cargo, succeed};

/// Runs every benchmark; Criterion prints what it measures and keeps its reports below `target/criterion`.
pub(crate) fn run() -> Result<(), String> {
    succeed(&mut cargo(&["bench", "--package", "meetjoin-benches"]))
}
