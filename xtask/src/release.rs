//! What a release takes: the archive of the program, the command from packed crates, and checks of
//! compilers, versions and systems that are not those one works with.

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
