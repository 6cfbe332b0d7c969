//! Any arguments: a command, or one sentence that says what is wrong. Arguments are assembled from
//! known options and random values, since random text is hardly ever an option; so all parsers of
//! values are reached: sizes, times, hands, holdings, contracts, weights and thresholds.
#![no_main]
#![allow(dead_code)]

/// The files of the command line, where its own paths lead.
#[path = "../../crates/cli/src/arguments"]
mod arguments {
    pub(crate) mod args;
    pub(crate) mod attacks_args;
    pub(crate) mod cluster_args;
    pub(crate) mod ending_options;
    pub(crate) mod endings;
    pub(crate) mod fault_tree_args;
    pub(crate) mod help_args;
    pub(crate) mod limit_args;
    pub(crate) mod search_args;
    pub(crate) mod units;
}

#[path = "../../crates/cli/src/help"]
mod help {
    pub(crate) mod mistakes;
}

#[path = "../../crates/cli/src/process"]
mod process {
    pub(crate) mod failure;

    /// A stub: nothing is printed, and the process does not end.
    pub(crate) mod last_word {
        pub(crate) static LAST_WORD: LastWord = LastWord;

        pub(crate) struct LastWord;

        impl LastWord {
            pub(crate) fn say(&self, status: i32, _: Option<&str>) -> i32 {
                status
            }
        }
    }
}

use std::ffi::OsString;
use std::sync::LazyLock;

use arguments::args;
use clap::{CommandFactory, Parser};
use help::mistakes;
use libfuzzer_sys::fuzz_target;
use meetjoin_problems::games::{GameArgs, made};

static ROOT: LazyLock<clap::Command> = LazyLock::new(args::CommandLine::command);

/// The subcommands, and those below them, with their options.
static COMMANDS: LazyLock<Vec<(Vec<String>, Vec<String>)>> = LazyLock::new(|| {
    let mut all = Vec::new();
    let mut open = vec![(vec!["meetjoin".to_owned()], ROOT.clone())];
    while let Some((words, command)) = open.pop() {
        let options = command.get_arguments();
        let options = options.filter_map(|option| Some(option.get_long()?.to_owned()));
        all.push((words.clone(), options.collect()));
        for below in command.get_subcommands() {
            let name = below.get_name().to_owned();
            open.push(([&words[..], &[name]].concat(), below.clone()));
        }
    }
    all
});

fuzz_target!(|input: (u8, Vec<(u8, Option<&str>)>)| {
    let (command, given) = input;
    let (words, options) = &COMMANDS[usize::from(command) % COMMANDS.len()];
    let mut line = words.clone();
    for (option, value) in given {
        let option = options.get(usize::from(option) % (options.len() + 1));
        line.extend(match (option, value) {
            (Some(option), Some(value)) => Some(format!("--{option}={value}")),
            (Some(option), None) => Some(format!("--{option}")),
            (None, value) => value.map(str::to_owned),
        });
    }
    match args::CommandLine::try_parse_from(&line) {
        Err(error) => {
            let typed: Vec<OsString> = line.iter().map(Into::into).collect();
            let failure = mistakes::failure(&error, &ROOT, &typed);
            assert!(!format!("{failure:?}").is_empty());
        }
        Ok(line) => {
            let game = match line.command {
                Some(args::Command::Racing(args)) => GameArgs::Racing(args.game),
                Some(args::Command::Random(args)) if args.game.depth < 4 => {
                    GameArgs::Random(args.game)
                }
                _ => return,
            };
            let _ = made(game);
        }
    }
});
