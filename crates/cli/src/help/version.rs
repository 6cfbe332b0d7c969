//! `meetjoin --version`, and with `--verbose` what a report of a bug needs.

use std::thread;

/// The version on one line.
const VERSION: &str = concat!("meetjoin ", env!("CARGO_PKG_VERSION"), "\n");

/// What is printed.
pub(crate) fn text(verbose: bool) -> String {
    if !verbose {
        return VERSION.to_owned();
    }
    let cores = thread::available_parallelism()
        .map_or_else(|_| "unknown".to_owned(), |cores| cores.to_string());
    let checked = if cfg!(debug_assertions) { "yes" } else { "no" };
    let lines = [
        ("commit", env!("MEETJOIN_COMMIT").to_owned()),
        ("target", env!("MEETJOIN_TARGET").to_owned()),
        ("compiler", env!("MEETJOIN_COMPILER").to_owned()),
        (
            "profile",
            format!("{}, debug assertions: {checked}", env!("MEETJOIN_PROFILE")),
        ),
        ("features", env!("MEETJOIN_FEATURES").to_owned()),
        ("processor", env!("MEETJOIN_PROCESSOR").to_owned()),
        ("system", std::env::consts::OS.to_owned()),
        ("cores", cores),
    ];
    let lines = lines.map(|(key, value)| (key.to_owned(), value));
    format!("{VERSION}{}", meetjoin_report::aligned(&lines))
}
