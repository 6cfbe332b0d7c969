//! `meetjoin attacks`: what attacks of an attack tree cost, and what defences are worth.

use std::path::Path;

use meetjoin_attacks::{
    AttackTree, Attribute, List, Request, ask, from_fault_tree, from_text, to_adtool,
};
use meetjoin_faults::FaultTree;
use meetjoin_file::MAGIC;
use meetjoin_lattice::Budget;
use meetjoin_solve::Source;

use crate::arguments::attacks_args::AttacksArgs;
use crate::commands::cuts;
use crate::process::failure::Failure;
use crate::process::input;
use crate::process::limits;
use crate::process::line;
use crate::process::memory::METER;
use crate::process::output::{self, OutputFile};

pub(crate) fn run(args: &AttacksArgs) -> Result<(), Failure> {
    let budget = Budget::new(limits::of_clock(&args.limits)?);
    if args.csv && !args.pareto.is_empty() && args.defences {
        let both = "--csv prints one table: give --pareto or --defences";
        return Err(Failure::Input(both.to_owned()));
    }
    let given: Vec<Attribute> = args.attribute.iter().map(|given| given.0.clone()).collect();
    let tree = read(&args.file, args.top.as_deref(), &given)?;
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
        list: match (args.list, args.cheapest) {
            (_, Some(most)) => List::Cheapest(most),
            (true, None) => List::All,
            (false, None) => List::None,
        },
        budget: &budget,
        meter: METER,
        listener: line::listener(),
    };
    let answer = limits::searching(|| ask(&tree, request))
        .map_err(|error| Failure::in_file(&args.file, error))?;
    if let Some(file) = &args.html {
        let mut file = OutputFile::create(file)?;
        file.write(answer.html().as_bytes())?;
        file.finish()?;
    }
    let mut stop = None;
    output::stream(|out| {
        stop = if args.json {
            answer.write_json(out)?
        } else if args.csv {
            answer.write_csv(out)?
        } else {
            answer.write_text(out)?
        };
        Ok(())
    })?;
    match stop {
        // A table alone does not say that it is short.
        Some(stop) if args.csv => Err(Failure::StoppedBefore(format!(
            "{stop}; the attacks that are printed exist, and perhaps there are others"
        ))),
        Some(_) => Err(Failure::Stopped),
        None => Ok(()),
    }
}

/// A fault tree, or the tree of a problem file.
fn fault_tree(file: &Path, bytes: Vec<u8>, top: Option<&str>) -> Result<FaultTree, Failure> {
    let refused = |error| Failure::refused(Some(file), error);
    if bytes.starts_with(&MAGIC) {
        let source = Source::read(&*bytes).map_err(refused)?;
        return source.fault_tree().map_err(refused);
    }
    Source::read_fault_tree(&cuts::text(file, bytes)?, top).map_err(refused)
}

/// Reads an attack tree.
fn read(file: &Path, top: Option<&str>, given: &[Attribute]) -> Result<AttackTree, Failure> {
    let bytes = input::all_of(file)?;
    let begins = |mark: &[u8]| bytes.trim_ascii_start().starts_with(mark);
    let is_open_psa = begins(b"<") && bytes.windows(9).any(|window| window == b"<opsa-mef");
    if bytes.starts_with(&MAGIC) || begins(b"{") || is_open_psa {
        let tree = fault_tree(file, bytes, top)?;
        return from_fault_tree(&tree).map_err(|error| Failure::in_file(file, error));
    }
    let text = cuts::text(file, bytes)?;
    from_text(&text, top, given).map_err(|error| Failure::in_file(file, error))
}
