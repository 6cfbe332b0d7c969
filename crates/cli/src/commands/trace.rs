//! `meetjoin trace`: a search as a page.

use meetjoin_explain::trace;
use meetjoin_lattice::Budget;

use crate::arguments::args::TraceArgs;
use crate::commands::solve;
use crate::process::failure::Failure;
use crate::process::input;
use crate::process::limits;
use crate::process::output;

pub(crate) fn run(args: &TraceArgs) -> Result<(), Failure> {
    let ids = args.algorithm.iter();
    let algorithms: Vec<_> = ids
        .map(|id| solve::algorithm_of(id))
        .collect::<Result<_, _>>()?;
    if algorithms.len() > 2 {
        let why = "a page shows one search, or two side by side";
        return Err(Failure::Input(format!("--algorithm: {why}")));
    }
    let budget = Budget::new(limits::of_command(&args.limits)?);
    let refused = |error| Failure::refused(Some(&args.file), error);
    output::try_paths([args.file.as_path()], [&args.html])?;
    let source = input::problem(&args.file, args.trust)?;
    let title = input::title(&source, Some(&args.file));
    let problem = source.instance().map_err(refused)?;
    let page =
        limits::searching(|| trace(&*problem, &title, &algorithms, &budget)).map_err(refused)?;
    output::replace(&args.html, |out| out.write_all(page.as_bytes()))?;
    output::tell_written([&args.html])?;
    match budget.fired() {
        Some(_) => Err(Failure::StoppedBefore(
            "a limit stopped the search; the page shows it up to there".to_owned(),
        )),
        None => Ok(()),
    }
}
