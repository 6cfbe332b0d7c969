//! The `meetjoin` command: solve, check, draw and generate AND-OR problems.
//!
//! All reading, printing and progress of the project is here; the libraries print nothing.

#![forbid(unsafe_code)]

mod args;
mod certificate_file;
mod check;
mod cluster;
mod cluster_args;
mod convert;
mod cuts;
mod ending;
mod ending_options;
mod endings;
mod events;
mod failure;
mod generate;
mod input;
mod limit_args;
mod limits;
mod memory;
mod output;
mod packet_events;
mod packets;
mod play;
mod progress;
mod prove;
mod search_args;
mod solve;
mod suit;
mod suit_options;
mod trace;
mod units;
mod verify;

use std::process::ExitCode;

use clap::Parser;
use meetjoin_solve::games::GameArgs;

use args::{Command, CommandLine};
use failure::Failure;

fn main() -> ExitCode {
    let done = match CommandLine::try_parse() {
        Ok(line) => limits::begin().and_then(|()| run(line.command)),
        Err(error) if !error.use_stderr() => output::print(&error.render().to_string()),
        Err(error) => Err(args::failure(&error)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Solve(args) => solve::run(&args),
        Command::Racing(args) => solve::run_game(GameArgs::Racing(args.game), &args.search),
        Command::Random(args) => solve::run_game(GameArgs::Random(args.game), &args.search),
        Command::Packets(args) => packets::run(&args),
        Command::Cuts(args) => cuts::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Play(args) => play::run(&args.game),
        Command::Suit(args) => suit::run(&args),
        Command::Ending(args) => ending::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Cluster(args) => cluster::run(args.command),
        Command::Generate(args) => generate::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Algorithms => output::print(&meetjoin_solve::algorithms()),
    }
}
