//! `meetjoin check`: validates a problem file, prints statistics, and verifies bounds.

use meetjoin_problems::Source;
use meetjoin_solve::bounds;

use crate::arguments::args::CheckArgs;
use crate::process::failure::Failure;
use crate::process::{input, limits, output};

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    limits::of_clock(&args.limits)?;
    let source = input::problem(&args.file, false)?;
    let wrong = |error: String| Failure::in_file(&args.file, error);
    limits::working("while the problem was checked");
    let statistics = source.statistics();
    let mut text = statistics
        .map_err(|error| wrong(error.to_string()))?
        .to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    if args.bounds {
        text.push_str(&match &source {
            Source::Problem(problem) => bounds::check(problem).map_err(wrong)?,
            Source::Game(game) if game.has_bounds() => {
                let problem = game.problem().map_err(wrong)?;
                bounds::check(&problem).map_err(wrong)?
            }
            Source::Game(_) | Source::Outcomes(_) => bounds::NO_BOUNDS.to_owned(),
        });
    }
    output::tell(&text)
}
