//! `meetjoin verify`: is a certificate right?

use meetjoin_explain::verify;
use meetjoin_lattice::Budget;

use crate::arguments::args::VerifyArgs;
use crate::process::failure::Failure;
use crate::process::{certificate_file, input, limits, output};

pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let budget = Budget::new(limits::of_command(&args.limits)?);
    let source = input::problem(&args.file, false)?;
    let refused = |error| Failure::refused(Some(&args.file), error);
    let problem = source.certified().map_err(refused)?;
    let path = &args.certificate;
    let verified = verify(&*problem, certificate_file::open(path)?, &budget);
    let verified = verified.map_err(|error| match budget.fired() {
        Some(_) => Failure::StoppedBefore(error.to_string()),
        None => Failure::in_file(path, error),
    })?;
    output::print_answer(args.json, || verified.json(), || verified.text())
}
