//! Memory-enhanced searches: series of null windows, or of depths, over one cache.

pub(crate) mod border;
pub(crate) mod deepening;
pub(crate) mod duo_bi;
pub(crate) mod mtd_bi;
pub(crate) mod mtd_f;
