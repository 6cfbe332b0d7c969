//! `meetjoin generate`: problems and drawings on standard output.

use std::io::{self, Write};
use std::path::Path;

use clap::{Command, Subcommand as _};
use meetjoin_attacks::to_text;
use meetjoin_dag::{Problem, Valuation};
use meetjoin_faults::problem::problem;
use meetjoin_file::{Dot, OutcomeVectors, push_outcome, write_problem, write_readable};
use meetjoin_lattice::AnyLattice;
use meetjoin_problems::{Game, Source, games};

use crate::arguments::args::GenerateArgs;
use crate::arguments::attacks_args::Generated;
use crate::commands::cuts;
use crate::process::failure::Failure;
use crate::process::input;
use crate::process::limits;
use crate::process::output;

pub(crate) fn run(args: &GenerateArgs) -> Result<(), Failure> {
    limits::of_clock(&args.limits)?;
    if args.dot && args.compact {
        let both = "--dot draws nodes and --compact leaves them out: give one of them";
        return Err(Failure::Input(both.to_owned()));
    }
    if let Some(file) = &args.from {
        if args.compact {
            let why = "only a problem that a game generates can be written as its keys";
            return Err(Failure::in_file(file, why));
        }
        let tree = cuts::read(file, args.top.as_deref())?;
        let problem = problem(&tree).map_err(|error| Failure::in_file(file, error))?;
        return write(&problem, args);
    }
    match (&args.game, &args.file) {
        (Some(Generated::AttackTree(_)), _) if args.dot || args.compact => {
            let why = "an attack tree is written as text, without --dot and --compact";
            Err(Failure::Input(why.to_owned()))
        }
        (Some(Generated::AttackTree(tree)), _) => {
            limits::working("while the tree was made");
            let tree = tree.parameters().tree();
            let tree = tree.map_err(|error| Failure::Input(error.to_string()))?;
            limits::working("while the tree was written");
            let text = to_text(&tree).map_err(|error| Failure::Input(error.to_string()))?;
            output::print(&text)
        }
        (Some(Generated::Game(game)), _) => {
            limits::working("while the game was made");
            let game = games::made(game.clone()).map_err(Failure::Input)?;
            generate(&*game, None, args)
        }
        (None, Some(file)) => match read(file)? {
            Source::Game(game) => generate(&*game, Some(file), args),
            Source::Problem(_) | Source::Outcomes(_) if args.compact => {
                let why = "only a problem that a game generates can be written as its keys";
                Err(Failure::in_file(file, why))
            }
            Source::Problem(problem) => write(&problem, args),
            Source::Outcomes(problem) => write_outcomes(&problem, args),
        },
        (None, None) => Err(Failure::Input(
            "name a game or a problem file (see meetjoin generate --help)".to_owned(),
        )),
    }
}

/// Reads a problem file; the error for a missing one says if an unknown game was probably meant.
fn read(file: &Path) -> Result<Source, Failure> {
    let games = Generated::augment_subcommands(Command::new("generate"));
    input::no_game(file, &games).map_or_else(|| input::problem(file, false), Err)
}

fn generate(game: &dyn Game, file: Option<&Path>, args: &GenerateArgs) -> Result<(), Failure> {
    let refused = |error: String| Failure::in_some_file(file, error);
    limits::working("while the game was expanded");
    if args.compact {
        // Keys that make no problem must not be written.
        game.check().map_err(refused)?;
        return output::print(&game.compact());
    }
    if game.has_outcomes() {
        return write_outcomes(&game.outcomes().map_err(refused)?, args);
    }
    let problem = game.problem().map_err(refused)?;
    write(&problem, args)
}

/// Writes a problem with all its nodes, or its drawing.
fn write(problem: &Problem<AnyLattice>, args: &GenerateArgs) -> Result<(), Failure> {
    limits::working("while the problem was written");
    output::stream(|out| {
        if args.dot {
            draw(problem, out)
        } else {
            write_problem(problem, out)
        }
    })
}

/// Writes a problem with outcomes of the dominance algebra, or its drawing.
fn write_outcomes(problem: &Problem<OutcomeVectors>, args: &GenerateArgs) -> Result<(), Failure> {
    output::stream(|out| {
        if !args.dot {
            return meetjoin_file::write_outcomes(problem, out);
        }
        let value = |leaf: &_, out: &mut dyn std::fmt::Write| {
            let mut text = String::new();
            push_outcome(&problem.leaf(leaf), &mut text);
            out.write_str(&text)
        };
        write!(out, "{}", Dot::new(problem, value))
    })
}

/// Writes the drawing of a problem.
fn draw(problem: &Problem<AnyLattice>, out: &mut dyn Write) -> io::Result<()> {
    let value = |leaf: &_, out: &mut dyn std::fmt::Write| {
        let mut text = String::new();
        let value = problem.leaf(leaf);
        write_readable(problem.lattice(), &value, problem.world_names(), &mut text);
        out.write_str(&text)
    };
    write!(out, "{}", Dot::new(problem, value))
}
