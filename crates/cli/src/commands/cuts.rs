//! `meetjoin cuts`: the minimal cut sets of a fault tree.

use std::path::Path;

use meetjoin_faults::FaultTree;
use meetjoin_faults::Sets;
use meetjoin_faults::{CutsError, CutsRequest, List, find};
use meetjoin_file::MAGIC;
use meetjoin_lattice::Budget;
use meetjoin_solve::Source;

use crate::arguments::args::CutsArgs;
use crate::process::failure::Failure;
use crate::process::input;
use crate::process::limits;
use crate::process::memory::METER;
use crate::process::output;

pub(crate) fn run(args: &CutsArgs) -> Result<(), Failure> {
    if let Some(cut_off) = args.cut_off
        && !(0.0..=1.0).contains(&cut_off)
    {
        return Err(Failure::Input(format!(
            "--cut-off {cut_off} is no probability: it must lie in 0..1"
        )));
    }
    let budget = Budget::new(limits::of_command(&args.limits)?);
    let tree = read(&args.file, args.top.as_deref())?;
    let request = CutsRequest {
        sets: match (args.paths, args.prime_implicants) {
            (true, _) => Sets::Paths,
            (false, true) => Sets::PrimeImplicants,
            (false, false) => Sets::Cuts,
        },
        limit_order: args.limit_order,
        cut_off: args.cut_off,
        list: match (args.list, args.most_probable) {
            (_, Some(most)) => List::MostProbable(most),
            (true, None) => List::BySize,
            (false, None) => List::None,
        },
        importance: args.importance,
        budget: &budget,
        meter: METER,
    };
    let found = limits::searching(|| find(&tree, request)).map_err(|error| match error {
        CutsError::NoOrder => Failure::Input(format!("--limit-order: {error}")),
        error => Failure::in_file(&args.file, error),
    })?;
    let mut stop = None;
    output::stream(|out| {
        stop = if args.json {
            found.write_json(out)?
        } else if args.csv {
            found.write_csv(out)?
        } else if args.open_psa {
            found.write_open_psa(out)?
        } else {
            found.write_text(out)?
        };
        Ok(())
    })?;
    match stop {
        // A list of sets alone does not say that it is short.
        Some(stop) if args.csv || args.open_psa => Err(Failure::StoppedBefore(format!(
            "{stop}; the sets that are printed are minimal, and perhaps not all"
        ))),
        Some(_) => Err(Failure::Stopped),
        None => Ok(()),
    }
}

/// Reads a fault tree.
pub(crate) fn read(file: &Path, top: Option<&str>) -> Result<FaultTree, Failure> {
    let bytes = input::all_of(file)?;
    if bytes.starts_with(&MAGIC) {
        if top.is_some() {
            let why = "--top names a gate of a fault tree; a problem file has a root";
            return Err(Failure::Input(why.to_owned()));
        }
        let source = Source::read(&*bytes).map_err(|error| Failure::in_file(file, error))?;
        return source
            .fault_tree()
            .map_err(|error| Failure::refused(Some(file), error));
    }
    let text = text(file, bytes)?;
    Source::read_fault_tree(&text, top).map_err(|error| Failure::refused(Some(file), error))
}

/// The bytes of a file as text.
fn text(file: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::in_file(
            file,
            format!("byte {at} and what follows is no text in UTF-8"),
        )
    })
}
