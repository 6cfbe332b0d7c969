//! The experiments of Li et al. (2022) and ours, measured and drawn: what `cargo xtask bench` starts.
//!
//! A *panel* is a family of games with one parameter ([`panel`]) and a *line-up* of algorithms ([`lineup`]); an *instance* is one of its games ([`instance`]); a *run* is one algorithm
//! on one instance ([`measure`]), and makes one row of the data ([`row`]). [`schedule`] does all runs, one at a time. The rest makes tables
//! and pictures of the rows. A *survey* ([`survey`]) counts a property of many small games, without times and rows. [`job`] is all of it.

mod asking;
mod boards;
mod claims;
mod compare;
mod criteria;
mod do_cuts_help;
mod families;
mod fault_trees;
mod grid;
mod growth;
mod header;
mod instance;
mod job;
mod lineup;
mod measure;
mod memory;
mod page;
mod panel;
mod parts;
mod peer;
mod plot;
mod quantity;
mod report;
mod row;
mod schedule;
mod scores;
mod summary;
mod survey;
#[cfg(test)]
mod tests;
mod thresholds;
mod trees;
mod uniform;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let args = job::BenchArgs::parse();
    if let Some(file) = &args.cuts_of {
        return match fault_trees::count_sets(file) {
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
    match job::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::FAILURE
        }
    }
}
