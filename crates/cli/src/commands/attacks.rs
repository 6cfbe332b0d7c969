//! `meetjoin attacks`: what attacks of an attack tree cost, and what defences are worth.

use meetjoin_attacks::{AttackTree, List, Request, ask, from_bytes, from_fault_tree, to_adtool};
use meetjoin_file::MAGIC;
use meetjoin_lattice::Budget;

use crate::arguments::attacks_args::AttacksArgs;
use crate::commands::cuts;
use crate::process::failure::Failure;
use crate::process::input;
use crate::process::limits;
use crate::process::line;
use crate::process::memory::METER;
use crate::process::output;

pub(crate) fn run(args: &AttacksArgs) -> Result<(), Failure> {
    let budget = Budget::new(limits::of_clock(&args.limits)?);
    if args.csv && !args.pareto.is_empty() && args.defences {
        let both = "--csv prints one table: give --pareto or --defences";
        return Err(Failure::Input(both.to_owned()));
    }
    output::try_paths([args.file.as_path()], [&args.html])?;
    let tree = read(args)?;
    if args.adtool {
        let text = to_adtool(&tree).map_err(|error| Failure::in_file(&args.file, error))?;
        return output::print(&text);
    }
    let request = Request {
        pareto: args.pareto.clone(),
        best: args.best.clone(),
        defences: args.defences,
        spend: args.budget,
        stopping: args.stopping,
        list: List::asked(args.list, args.cheapest),
        budget: &budget,
        meter: METER,
        listener: line::listener(),
    };
    let answer = limits::searching(|| ask(&tree, request))
        .map_err(|error| Failure::in_file(&args.file, error))?;
    let page = args.html.iter().map(|file| (file, answer.html()));
    let written = output::replace_all(page);
    let mut stop = None;
    output::stream_answer(args.json || args.csv, |out| {
        stop = if args.json {
            answer.write_json(out)?
        } else if args.csv {
            answer.write_csv(out)?
        } else {
            answer.write_text(out)?
        };
        Ok(())
    })?;
    written?;
    if !(args.json || args.csv) {
        output::tell_written(&args.html)?;
    }
    match stop {
        // A bare table does not show that it is incomplete.
        Some(stop) if args.csv => Err(Failure::StoppedBefore(format!(
            "{stop}; the attacks that are printed exist, but there may be more"
        ))),
        Some(_) => Err(Failure::Stopped),
        None => Ok(()),
    }
}

/// Reads an attack tree, or the tree of a problem file.
fn read(args: &AttacksArgs) -> Result<AttackTree, Failure> {
    let (file, top) = (&args.file, args.top.as_deref());
    let bytes = input::all_of(file)?;
    if bytes.starts_with(&MAGIC) || bytes.trim_ascii_start().starts_with(b"{") {
        let tree = cuts::tree_of_problem(file, bytes, top)?;
        return from_fault_tree(&tree, &args.attribute)
            .map_err(|error| Failure::in_file(file, error));
    }
    from_bytes(&bytes, top, &args.attribute).map_err(|error| Failure::in_file(file, error))
}
