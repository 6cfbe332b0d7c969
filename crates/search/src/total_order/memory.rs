//! Null windows one after the other over one cache, and one depth after another.

pub(crate) mod border;
pub(crate) mod deepening;
pub(crate) mod duo_bi;
pub(crate) mod mtd_bi;
pub(crate) mod mtd_f;
