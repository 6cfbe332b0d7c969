//! `meetjoin sequences`: the sequences of the event trees of a model.

use meetjoin_faults::find_sequences;
use meetjoin_faults::model::sequences::SequencesError;
use meetjoin_lattice::Budget;

use crate::arguments::fault_tree_args::SequencesArgs;
use crate::commands::cuts::{Said, in_files, mission_time, read_files, with_common_causes};
use crate::process::failure::Failure;
use crate::process::limits;
use crate::process::line;
use crate::process::output;

pub(crate) fn run(args: &SequencesArgs) -> Result<(), Failure> {
    let budget = Budget::new(limits::of_clock(&args.limits)?);
    let time = mission_time(&args.model)?;
    let Said::Model(model) = read_files(&args.files, None)? else {
        let why = "a problem file has no event trees";
        return Err(Failure::in_file(&args.files[0], why));
    };
    let model = with_common_causes(*model, &args.model, &args.files)?;
    let found =
        limits::searching(|| find_sequences(&model, time, args.list, &budget, line::listener()));
    let found = found.map_err(|error| match error {
        SequencesError::Model(error) => in_files(&args.files, &error),
        SequencesError::Stop(stop) => Failure::StoppedBefore(stop.to_string()),
        error => Failure::in_file(&args.files[0], error),
    })?;
    output::stream_answer(args.json, |out| {
        if args.json {
            found.write_json(out)
        } else {
            found.write_text(out)
        }
    })?;
    Failure::unless_complete(found.stop.is_none())
}
