//! `meetjoin convert`: a problem file of one kind as one of the other.

use meetjoin_solve::Refused;

use crate::arguments::args::ConvertArgs;
use crate::arguments::endings::ending;
use crate::process::failure::Failure;
use crate::process::{input, limits, output};

pub(crate) fn run(args: &ConvertArgs) -> Result<(), Failure> {
    limits::of_clock(&args.limits)?;
    let refused = |error: Refused| Failure::in_file(&args.from, error);
    let source = input::problem(&args.from, false)?;
    if args.to.as_os_str() != "-" {
        output::try_paths([args.from.as_path()], [&args.to])?;
    }
    limits::working("while the problem was written");
    let source = source.expanded().map_err(refused)?;
    if args.to.as_os_str() == "-" {
        return output::stream(|out| source.write_json(out));
    }
    let binary = ending(&args.to) == Some("mj");
    output::replace(&args.to, |out| {
        if binary {
            source.write_binary(out)
        } else {
            source.write_json(out)
        }
    })
}
