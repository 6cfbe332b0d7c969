//! The commands in groups, as the help shows them.

use std::fmt::Write;

use clap::Command;
use meetjoin_report::wrapped;

use crate::help::lines::{HEADER, NAME};

/// Groups in the order in which they are shown, each with its commands.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Solve problems",
        &[
            "solve",
            "prove",
            "verify",
            "trace",
            "packets",
            "cluster",
            "algorithms",
        ],
    ),
    ("Games", &["play"]),
    ("Bridge", &["suit", "ending"]),
    ("Fault and attack trees", &["cuts", "sequences", "attacks"]),
    ("Files", &["check", "generate", "convert"]),
    ("Experiments", &["racing", "random"]),
    ("Help", &["help", "completions"]),
];

/// What the built-in command `help` does.
const ABOUT_HELP: &str = "Print the help of a command";

/// The groups as text, in lines of at most `width` letters.
pub(crate) fn text(root: &Command, width: usize) -> String {
    let longest = GROUPS.iter().flat_map(|(_, names)| *names);
    let longest = longest.map(|name| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (group, names) in GROUPS {
        let _ = writeln!(text, "{HEADER}{group}:{HEADER:#}");
        for name in names {
            let about = root.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or_else(|| ABOUT_HELP.to_owned(), ToString::to_string);
            let indent = longest + 4;
            let lines = wrapped(&about, width.saturating_sub(indent), 0);
            let lines = lines.join(&format!("\n{:indent$}", ""));
            let space = longest - name.len() + 2;
            let _ = writeln!(text, "  {NAME}{name}{NAME:#}{:space$}{lines}", "");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::GROUPS;
    use crate::help::whole;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        grouped.sort_unstable();
        let root = whole::command();
        let shown = root
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let mut commands: Vec<&str> = shown.map(clap::Command::get_name).collect();
        // It is built in, and comes when a command line is read.
        commands.push("help");
        commands.sort_unstable();
        assert_eq!(grouped, commands);
    }
}
