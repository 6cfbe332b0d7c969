//! The `meetjoin` command: solve, check, draw and generate AND-OR problems.
//!
//! All reading, printing and progress of the project is here; the libraries print nothing.

#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod files;
mod process;
use std::process::ExitCode;

use clap::Parser;
use meetjoin_solve::games::GameArgs;

use arguments::args::{Command, CommandLine};
use commands::{
    attacks, cluster, cuts, ending, packets, play, prove, sequences, solve, suit, trace, verify,
};
use files::{check, convert, generate};
use process::failure::Failure;
use process::last_word::LAST_WORD;
use process::{limits, output};

fn main() -> ExitCode {
    let done = match CommandLine::try_parse() {
        Ok(line) => limits::begin().and_then(|()| run(line.command)),
        Err(error) if !error.use_stderr() => output::print(&error.render().to_string()),
        Err(error) => Err(arguments::args::failure(&error)),
    };
    match done {
        Ok(()) => {
            // The answer is there: no limit is told any more.
            LAST_WORD.say(0, None);
            ExitCode::SUCCESS
        }
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
        Command::Attacks(args) => attacks::run(&args),
        Command::Sequences(args) => sequences::run(&args),
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
