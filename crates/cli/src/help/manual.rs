//! `meetjoin man`: manual pages, one for each command, from the same definition as the help.

use std::fs;
use std::io::{self, Write as _};

use clap::Command;
use clap_mangen::Man;

use crate::arguments::help_args::ManArgs;
use crate::help::{examples, whole};
use crate::process::failure::Failure;
use crate::process::output;

pub(crate) fn run(args: &ManArgs) -> Result<(), Failure> {
    let place = args.folder.display().to_string();
    fs::create_dir_all(&args.folder).map_err(|error| Failure::writing(&place, &error))?;
    let mut root = whole::command();
    // Only after this each command knows its full name.
    root.build();
    let mut left = vec![(root, Vec::new())];
    while let Some((command, path)) = left.pop() {
        let name = [&["meetjoin".to_owned()], &*path].concat().join("-");
        let page = page(&command, &name, &path).map_err(|error| Failure::writing(&name, &error))?;
        let file = args.folder.join(format!("{name}.1"));
        output::replace(&file, |out| out.write_all(&page))?;
        for below in command.get_subcommands() {
            if !below.is_hide_set() && below.get_name() != "help" {
                let path = [&*path, &[below.get_name().to_owned()]].concat();
                left.push((below.clone(), path));
            }
        }
    }
    Ok(())
}

/// One page.
fn page(command: &Command, name: &str, path: &[String]) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let man = Man::new(command.clone().display_name(name)).title(name);
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().any(|arg| !arg.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let examples = examples::of(&path);
    if !examples.is_empty() {
        writeln!(page, ".SH EXAMPLES")?;
    }
    for (says, line) in examples {
        let (says, line) = (literal(says), literal(&line));
        writeln!(page, ".PP\n{says}:\n.PP\n.RS 4\n.nf\n{line}\n.fi\n.RE")?;
    }
    writeln!(
        page,
        ".SH \"EXIT STATUS\"\n0: the answer is exact. 1: output cannot be written, or a fault of the program. 2: invalid \
         input or command line. 3: a limit or a signal stopped the search; the bounds found by then are \
         printed. 130: a signal ended the command outside a search."
    )?;
    writeln!(page, ".SH VERSION\nmeetjoin {}", env!("CARGO_PKG_VERSION"))?;
    Ok(page)
}

/// Text as a manual page shows it letter by letter.
fn literal(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    text.replace('\'', "\\(aq").replace('"', "\\(dq")
}
