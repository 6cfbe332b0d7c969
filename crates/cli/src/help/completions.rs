//! `meetjoin completions`: what a shell needs to complete command lines.

use crate::arguments::help_args::CompletionsArgs;
use crate::help::whole;
use crate::process::failure::Failure;
use crate::process::output;

pub(crate) fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut whole::command(), "meetjoin", &mut script);
    output::stream(|out| out.write_all(&script))
}
