//! `meetjoin prove`: is the value of the root at least this?

use meetjoin_explain::write_proof;
use meetjoin_lattice::Budget;
use meetjoin_search::proof::Verdict;
use meetjoin_solve::{Claim, ProofFormat};

use crate::arguments::args::ProveArgs;
use crate::arguments::endings::ending;
use crate::process::failure::Failure;
use crate::process::memory::METER;
use crate::process::output::{self, OutputFile};
use crate::process::progress::ProgressLine;
use crate::process::{certificate_file, input, limits};

pub(crate) fn run(args: &ProveArgs) -> Result<(), Failure> {
    let limits = limits::of_command(&args.limits)?;
    let refused = |error| Failure::refused(Some(&args.file), error);
    let source = input::problem(&args.file, args.trust)?;
    output::try_paths([args.file.as_path()], [&args.certificate, &args.proof])?;
    let digest = args.certificate.as_ref().map(|_| source.digest());
    let problem = source.instance().map_err(refused)?;
    let mut line = ProgressLine::new();
    let budget = Budget::new(limits);
    let format = args.proof.as_ref().map(|path| match ending(path) {
        Some("dot") => ProofFormat::Dot,
        Some("txt") => ProofFormat::Text,
        _ => ProofFormat::Json,
    });
    let format = format.or(args.certificate.as_ref().map(|_| ProofFormat::Certificate));
    let claim = Claim {
        at_least: &args.at_least,
        by: args.algorithm,
        budget: &budget,
        meter: METER,
        threads: args.threads.unwrap_or_default().0,
        proof: format,
        progress: Some(&mut line),
    };
    let proved = limits::searching(|| problem.prove(claim));
    let proved = proved.map_err(refused)?;
    // The answer is printed even if the proof cannot be written.
    output::print_answer(args.json, || proved.json(), || proved.text(args.verbose))?;
    limits::answered();
    let mut written = Vec::new();
    if let (Some(path), Some(proof)) = (&args.proof, proved.proof) {
        let mut file = OutputFile::create(path)?;
        file.write(proof.map_err(refused)?.as_bytes())?;
        file.finish()?;
        written.push(path);
    }
    if let (Some(path), Some(digest), Some(certificate)) =
        (&args.certificate, digest, proved.certificate)
    {
        let mut text = Vec::new();
        write_proof(&*problem, digest, certificate, &mut text).map_err(refused)?;
        certificate_file::write(path, &text)?;
        written.push(path);
    }
    if !args.json {
        output::tell_written(written)?;
    }
    Failure::unless_complete(proved.decision.verdict != Verdict::Unknown)
}
