//! `meetjoin generate`: problems and drawings on standard output.

use std::io::{self, Write};

use meetjoin::dag::{Dot, NodeName, Problem, Valuation, write_problem, write_readable};
use meetjoin::games::{RandomDag, RandomParameters};
use meetjoin::lattice::AnyLattice;

use crate::args::{Game, GenerateArgs, RandomArgs, SetLattice};
use crate::failure::Failure;
use crate::{output, solve};

pub(crate) fn run(args: &GenerateArgs) -> Result<(), Failure> {
    let problem = match (&args.game, &args.file) {
        (Some(Game::Random(random_args)), _) => random(random_args)?,
        (None, Some(file)) => solve::read(file)?,
        (None, None) => return Err(Failure::Input("name a game or a problem file".to_owned())),
    };
    output::stream(|out| {
        if args.dot {
            draw(&problem, out)
        } else {
            write_problem(&problem, out)
        }
    })
}

/// Writes the drawing of a problem.
fn draw(problem: &Problem<AnyLattice>, out: &mut dyn Write) -> io::Result<()> {
    let value = |leaf: &_, out: &mut dyn std::fmt::Write| {
        let mut text = String::new();
        let value = problem.leaf(leaf);
        write_readable(problem.lattice(), &value, problem.worlds(), &mut text);
        out.write_str(&text)
    };
    write!(out, "{}", Dot::new(problem, value))
}

/// The problem of a random graph; its nodes are named by their numbers.
fn random(args: &RandomArgs) -> Result<Problem<AnyLattice>, Failure> {
    let parameters = RandomParameters {
        depth: args.depth,
        branching: args.branching,
        variables: args.variables,
        alternating: args.alternating,
        seed: args.seed,
    };
    let dag = RandomDag::new(parameters).map_err(|error| Failure::Input(error.to_string()))?;
    let worlds = dag.variables();
    let lattice = match args.lattice {
        SetLattice::Powerset => AnyLattice::powerset(worlds),
        SetLattice::Families => AnyLattice::families(worlds),
    };
    let (graph, values) = dag.into_parts(|set| lattice.set(set));
    let values = values.into_iter().flatten().collect();
    let names = graph
        .nodes()
        .map(|node| NodeName::Int(i64::from(u32::from(node))));
    let names = names.collect();
    Problem::new(graph, names, lattice, values).map_err(|error| Failure::Input(error.to_string()))
}
