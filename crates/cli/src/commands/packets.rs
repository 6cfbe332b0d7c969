//! `meetjoin packets`: what each move can guarantee when nobody weighs the criteria beforehand.

use meetjoin_dag::AndOrDag as _;
use meetjoin_dominance::{Lexicographic, Player, Preference, VectorGame, Weighted, check_weights};
use meetjoin_explain::{share_deadline, write_certificate};
use meetjoin_lattice::{Budget, Interval};
use meetjoin_problems::Source;
use meetjoin_problems::packets::{
    Outcome, PacketsAlgorithm, PacketsAnswer, event_lines, search, vectors,
};
use meetjoin_solve::Value;

use crate::arguments::args::PacketsArgs;
use crate::process::events::EventsFile;
use crate::process::failure::Failure;
use crate::process::memory::METER;
use crate::process::{certificate_file, input, limits, output};

pub(crate) fn run(args: &PacketsArgs) -> Result<(), Failure> {
    check_algorithm(args).map_err(Failure::Input)?;
    let limits = limits::of_command(&args.limits)?;
    let refused = |error: String| Failure::in_file(&args.file, error);
    let source = input::problem(&args.file, false)?;
    output::try_paths([args.file.as_path()], [&args.certificate, &args.events])?;
    let digest = args.certificate.as_ref().map(|_| source.digest());
    let problem = source.outcomes();
    let problem = problem.map_err(|error| refused(error.to_string()))?;
    let game = vectors(&problem).map_err(refused)?;
    let preference = preference(args, &game).map_err(Failure::Input)?;
    let cancel = limits.cancel.clone().unwrap_or_default();
    let mut events = EventsFile::open(args.events.as_deref(), cancel)?;
    let (limits, mut again) = share_deadline(limits, args.certificate.is_some());
    let budget = Budget::new(limits);
    let mut write = |line: &str| events.as_mut().is_some_and(|events| events.write(line));
    let found = limits::searching(|| match args.events {
        Some(_) => {
            let mut lines = event_lines(&problem, &mut write);
            search(args.algorithm, &game, &budget, &mut lines)
        }
        None => search(args.algorithm, &game, &budget, &mut |_| ()),
    });
    let stopped = found.root.stop.is_some();
    let choice = preference.map(|preference| found.choice(&*preference));
    let choice = choice.transpose();
    let choice = choice.map_err(|error| Failure::Output(error.to_string()));
    let printed = choice.and_then(|choice| {
        let answer = PacketsAnswer {
            problem: &problem,
            algorithm: args.algorithm,
            choice,
            weighed: args.weigh.as_ref().map(|weights| found.weighed(weights)),
            found,
            meter: METER,
        };
        output::print_answer(args.json, || answer.json(), || answer.text(args.verbose))
    });
    events.map_or(Ok(()), EventsFile::finish)?;
    printed?;
    limits::answered();
    if let (Some(path), Some(digest)) = (&args.certificate, digest) {
        let problem = Source::Outcomes(Box::new(problem)).certified();
        let problem = problem.map_err(|error| refused(error.to_string()))?;
        // The certificate is searched for anew, without known bounds.
        let anything = Interval::Between {
            lower: Value::End { top: false },
            upper: Value::End { top: true },
        };
        if !stopped {
            again.visits = None;
        }
        certificate_file::certify(again, path, |budget, text| {
            let written = write_certificate(&*problem, digest, &anything, true, budget, text)?;
            Ok(written.stop.filter(|_| !stopped))
        })?;
        if !args.json {
            output::tell_written([path])?;
        }
    }
    Failure::unless_complete(!stopped)
}

/// Refuses options that the algorithm does not support.
fn check_algorithm(args: &PacketsArgs) -> Result<(), String> {
    let wish = match (&args.prefer, &args.lexicographic) {
        (Some(_), _) => Some("--prefer"),
        (None, Some(_)) => Some("--lexicographic"),
        (None, None) => None,
    };
    match (args.algorithm, wish) {
        (PacketsAlgorithm::ProcedureFDeep, Some(wish)) => Err(format!(
            "{wish} needs exact packets, and procedure-f-deep is exact only as a lattice element; --algorithm bottom-up or procedure-f-shallow would work"
        )),
        (PacketsAlgorithm::BottomUp, _) if args.events.is_some() => Err(
            "--events needs --algorithm procedure-f-shallow or procedure-f-deep: bottom-up evaluation has no events"
                .to_owned(),
        ),
        _ => Ok(()),
    }
}

/// The preference of the player at the root, if there is one; checks the weights of `--weigh` too.
fn preference(
    args: &PacketsArgs,
    game: &VectorGame,
) -> Result<Option<Box<dyn Preference<Outcome>>>, String> {
    let player = Player::of(game.kind(&game.root()));
    let wrong = |option: &'static str| move |error| format!("{option}: {error}");
    let preference: Option<Box<dyn Preference<Outcome>>> = match (&args.prefer, &args.lexicographic)
    {
        (Some(weights), _) => {
            let weighted = Weighted::of_game(player, game, weights);
            Some(Box::new(weighted.map_err(wrong("--prefer"))?))
        }
        (None, Some(first)) => {
            let order = Lexicographic::new(player, game.criteria(), first);
            Some(Box::new(order.map_err(wrong("--lexicographic"))?))
        }
        (None, None) => None,
    };
    if let Some(weights) = &args.weigh {
        check_weights(game, weights).map_err(wrong("--weigh"))?;
    }
    Ok(preference)
}
