//! The `meetjoin` command: solve, check, draw and generate AND-OR problems.
//!
//! All reading, printing and progress of the project is here; the libraries print nothing. The
//! README has the commands, with an example. To change them:
//!
//! | question | function | file |
//! |---|---|---|
//! | which commands are there, and which options has each? | `Command`, and a struct for each | `arguments/args.rs` |
//! | which options do searches and limits have in common? | `SearchArgs`, `LimitArgs` | `arguments/search_args.rs`, `arguments/limit_args.rs` |
//! | how are sizes, times and numbers of threads read? | `Size`, `Seconds`, `Threads` | `arguments/units.rs` |
//! | what does a command do? | its `run` | `commands/`, `files/` |
//! | what does `--help` show? | `whole::command`, `examples::of` | `help/whole.rs`, `help/examples.rs` |
//! | what is said of an invalid command line? | `mistakes::failure` | `help/mistakes.rs` |
//! | how is input read, and output written? | `Input`, `print_answer`, `Words`, `OutputFile` | `process/input.rs`, `process/output.rs` |
//! | how do limits and signals end a command? | `limits::begin`, `of_command` | `process/limits.rs` |
//! | how is memory counted? | `METER` | `process/memory.rs` |
//! | which exit status and sentence has each failure? | `Failure` | `process/failure.rs` |
//! | what is shown during a search? | `ProgressLine`, `WatchLines` | `process/progress.rs` |

#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod files;
mod help;
mod process;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use meetjoin_problems::games::GameArgs;

use arguments::args::{Command, CommandLine};
use commands::{
    attacks, cluster, cuts, ending, packets, play, prove, sequences, solve, suit, trace, verify,
};
use files::{check, convert, generate};
use help::{completions, manual, mistakes, version, whole};
use process::failure::Failure;
use process::last_word::LAST_WORD;
use process::{limits, output};

fn main() -> ExitCode {
    let typed = heard(std::env::args_os().collect());
    let done = match read(CommandLine::command(), &typed) {
        Ok(line) => answer(line),
        Err(error) => told(&error, &typed),
    };
    let status = match done {
        Ok(()) => {
            // The answer is printed: limits are not reported any more.
            LAST_WORD.say(0, None);
            ExitCode::SUCCESS
        }
        Err(failure) => failure.report(),
    };
    // After the last word: on a busy disk it may take longer than the limit has left.
    output::remove_unfinished();
    status
}

/// The command line with `help COMMAND` for `help COMMAND --help`: the built-in command takes names
/// of commands alone, and no option.
fn heard(mut typed: Vec<OsString>) -> Vec<OsString> {
    if typed.get(1).is_some_and(|command| command == "help") {
        let count = typed.len();
        typed.retain(|word| word != "--help" && word != "-h");
        if typed.len() == 2 && count > 2 {
            typed.push("help".into());
        }
    }
    typed
}

fn read(root: clap::Command, typed: &[OsString]) -> Result<CommandLine, clap::Error> {
    let matches = root.bin_name("meetjoin").try_get_matches_from(typed)?;
    CommandLine::from_arg_matches(&matches)
}

/// Prints help, or says what is wrong with a command line. The complete help is only assembled
/// here: it takes more memory than many searches.
fn told(error: &clap::Error, typed: &[OsString]) -> Result<(), Failure> {
    if !mistakes::is_help(error) {
        return Err(mistakes::failure(error, &whole::command(), typed));
    }
    let help = match read(whole::command(), typed) {
        Err(help) => help.render().ansi().to_string(),
        Ok(_) => String::new(),
    };
    if error.use_stderr() {
        Err(Failure::Usage(help))
    } else {
        output::print_styled(&help)
    }
}

fn answer(line: CommandLine) -> Result<(), Failure> {
    if line.version {
        return output::tell(&version::text(line.verbose));
    }
    let Some(command) = line.command else {
        let help = whole::command().render_help().ansi().to_string();
        return Err(Failure::Usage(help));
    };
    limits::begin()?;
    run(command)
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
        Command::Algorithms => output::tell(&meetjoin_solve::algorithms()),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => manual::run(&args),
    }
}
