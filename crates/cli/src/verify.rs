//! `meetjoin verify`: is a certificate right?

use std::fs::File;
use std::io::BufReader;

use meetjoin::lattice::Budget;
use meetjoin_solve::verify;

use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::{interrupt, output, solve};

pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let budget = Budget::new(interrupt::limits(&args.limits)?);
    let source = solve::read(&args.file)?;
    let digest = source.digest();
    let refused = |error| Failure::refused(Some(&args.file), error);
    let problem = source.instance().map_err(refused)?;
    let path = &args.certificate;
    let failed = |error| Failure::in_file(path, format!("the file cannot be read: {error}"));
    let file = File::open(path).map_err(failed)?;
    let verified = verify(&*problem, &digest, BufReader::new(file), &budget);
    let verified = verified.map_err(|error| match budget.fired() {
        Some(_) => Failure::StoppedBefore(error.to_string()),
        None => Failure::in_file(path, error),
    })?;
    output::print(&if args.json {
        verified.json()
    } else {
        verified.text()
    })
}
