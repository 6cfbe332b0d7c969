//! The experiments of Li et al. (2022) and our own, measured and plotted; `cargo xtask bench`
//! starts it.
//!
//! A *panel* is a family of games with one parameter and a *line-up* of algorithms; an *instance*
//! is one of its games; a *run* is one algorithm on one instance, and makes one row of the data.
//! Runs go one at a time; the rest makes tables and pictures of the rows. A *survey* counts a
//! property of many small games, without times and rows.
//!
//! ```sh
//! cargo xtask bench --panel 3-top    # one panel: rows, tables and plots in target/bench-report
//! ```
//!
//! | question | function | file |
//! |---|---|---|
//! | which game, with which parameter? | `Panel`, `PANELS` | `panels/panel.rs` |
//! | which algorithms are compared? | `Lineup` | `panels/lineup.rs` |
//! | which properties are counted? | `Survey`, `SURVEYS` | `panels/survey.rs` |
//! | how is a game made? | a function for each panel and survey | `games/` |
//! | what is one game, for any algorithm? | `Instance` | `measuring/instance.rs` |
//! | what does a run cost, and when is it stopped? | `measure`, `RunLimits` | `measuring/measure.rs` |
//! | the default without one of its parts? | `WITHOUT`, `ALONE` | `measuring/parts.rs` |
//! | which run is next, and which are skipped? | `Plan` | `panels/schedule.rs` |
//! | how are rows written and read? | `Row`, `csv`, `json`, `from_json` | `panels/row.rs` |
//! | what happens from the arguments to the report? | `BenchArgs`, `job::run` | `panels/job.rs` |
//! | what does the report show? | `report`, `Contents` | `reporting/report.rs` |
//! | do the papers' claims hold? | `claims` | `reporting/claims.rs` |
//! | what changed since an earlier run? | `compare` | `reporting/compare.rs` |
//! | the book of all suits, limits on memory, endings? | `main` | `bin/` |

mod games;
#[cfg(test)]
mod help;
mod measuring;
mod panels;
mod reporting;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = panels::job::BenchArgs::parse();
    if let Some(file) = &args.cuts_of {
        return match games::fault_trees::count_sets(file) {
            Ok(count) => {
                println!("{count}");
                ExitCode::SUCCESS
            }
            Err(message) => {
                eprintln!("bench: {message}");
                ExitCode::FAILURE
            }
        };
    }
    match panels::job::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}
