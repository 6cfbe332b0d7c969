//! Tasks for a release: the archive of the program, the installation from packed crates, and checks
//! with other compilers, versions and systems.

mod archive;
mod bill;
mod check;
mod dist;
mod install;
mod notes;

pub(crate) use check::{check, semver};
pub(crate) use dist::dist;
pub(crate) use install::install;
pub(crate) use notes::notes;
