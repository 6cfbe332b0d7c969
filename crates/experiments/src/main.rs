//! The experiments of Li et al. (2022) and our own, measured and plotted; `cargo xtask bench`
//! starts it.
//!
//! A *panel* is a family of games with one parameter ([`panel`](panels::panel)) and a *line-up* of
//! algorithms ([`lineup`](panels::lineup)); an *instance* is one of its games
//! ([`instance`](measuring::instance)); a *run* is one algorithm on one instance
//! ([`measure`](measuring::measure)), and makes one row of the data ([`row`](panels::row)).
//! [`schedule`](panels::schedule) does all runs, one at a time. The rest makes tables and pictures
//! of the rows. A *survey* ([`survey`](panels::survey)) counts a property of many small games,
//! without times and rows. [`job`](panels::job) does everything, from arguments to report.

mod games;
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
