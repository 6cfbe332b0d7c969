//! Writes a problem as a file.
//!
//! There is one node per line, in the order of their numbers, so that reading the file back gives
//! an equal problem. The lattice comes before the nodes, so that a reader need not keep values as
//! text. Only one node's text is held in memory.
//!
//! Two things are lost, because files cannot express them: trivial bounds, and whether a chain
//! without any finite number has integers or decimals.

use std::io::{self, BufWriter, Write};

use meetjoin_dag::{Kind, Problem};
use meetjoin_lattice::{AnyElem, AnyLattice, ElemOf, Extended, Lattice};

use crate::problem::problem_file::{OutcomeVectors, PROBLEM_FORMAT};
use crate::text::{JSON, push, push_json_string, push_list, write_name};
use crate::values::value::write_value;
use crate::values::write_lattice::lattice_to_json;

/// Writes a problem as a file that [`read_problem`](crate::read_problem) reads back.
///
/// # Errors
/// Those of `out`.
pub fn write_problem(problem: &Problem<AnyLattice>, out: &mut dyn Write) -> io::Result<()> {
    let lattice = problem.lattice();
    let value = |value: &AnyElem, text: &mut String| write_value(lattice, value, text);
    write_nodes(problem, &lattice_to_json(lattice), value, out)
}

/// Writes a problem whose leaves are outcomes of the dominance algebra as a file that
/// [`read_problem_file`](crate::read_problem_file) reads back.
///
/// # Errors
/// Those of `out`, and [`InvalidInput`](io::ErrorKind::InvalidInput) if a number is not finite:
/// files cannot hold it.
pub fn write_outcomes(problem: &Problem<OutcomeVectors>, out: &mut dyn Write) -> io::Result<()> {
    write_nodes(problem, &lattice_of_outcomes(problem)?, push_outcome, out)
}

/// The lattice of such a problem as JSON, if a file can express it.
pub(crate) fn lattice_of_outcomes(problem: &Problem<OutcomeVectors>) -> io::Result<String> {
    let values = problem.values().list();
    if values
        .iter()
        .flatten()
        .any(|number| !matches!(number, Extended::Finite(_)))
    {
        let message = "an outcome has a number that is not finite";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let dims = problem.lattice().factors().len();
    Ok(format!("{{\"type\":\"dominance\",\"dims\":{dims}}}"))
}

/// Appends an outcome as JSON, which needs finite numbers.
pub fn push_outcome(outcome: &ElemOf<OutcomeVectors>, text: &mut String) {
    push_list(outcome, JSON, text, |number, text| match number {
        Extended::NegInf => text.push_str("-inf"),
        Extended::Finite(number) => push(text, number),
        Extended::PosInf => text.push_str("inf"),
    });
}

/// Writes a problem, given the text of its lattice and a function that writes values.
fn write_nodes<L: Lattice>(
    problem: &Problem<L>,
    lattice: &str,
    value: impl Fn(&L::Elem, &mut String),
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let mut line = String::from("{\"format\":");
    push_json_string(PROBLEM_FORMAT, &mut line);
    if let Some(note) = problem.note() {
        line.push_str(",\n \"note\":");
        push_json_string(note, &mut line);
    }
    line.push_str(",\n \"lattice\":");
    line.push_str(lattice);
    if let Some(worlds) = problem.world_names() {
        line.push_str(",\n \"worlds\":");
        push_list(worlds.iter(), JSON, &mut line, |world, line| {
            push_json_string(&world, line);
        });
    }
    if let Some(probabilities) = problem.probabilities() {
        line.push_str(",\n \"probabilities\":");
        push_list(probabilities, JSON, &mut line, |p, line| match p {
            // The shortest number with a point or an exponent that is read back as the same.
            Some(p) => push(line, format_args!("{p:?}")),
            None => line.push_str("null"),
        });
    }
    line.push_str(",\n \"root\":");
    write_name(&problem.node_name(problem.graph().root()), &mut line);
    line.push_str(",\n \"nodes\":[");
    let (bottom, top) = (problem.lattice().bottom(), problem.lattice().top());
    for (place, node) in problem.graph().nodes().enumerate() {
        line.push_str(if place == 0 { "\n  " } else { ",\n  " });
        line.push_str("{\"id\":");
        write_name(&problem.node_name(node), &mut line);
        line.push_str(match problem.graph().kind(node) {
            Kind::Leaf => ",\"kind\":\"leaf\"",
            Kind::And => ",\"kind\":\"and\",\"children\":",
            Kind::Or => ",\"kind\":\"or\",\"children\":",
        });
        if let Some(ordinal) = problem.graph().leaf_ordinal(node) {
            line.push_str(",\"value\":");
            value(&problem.values().get(ordinal), &mut line);
        } else {
            push_list(
                &*problem.graph().row(node),
                JSON,
                &mut line,
                |child, line| {
                    write_name(&problem.node_name(*child), line);
                },
            );
            if let Some(bounds) = problem.bounds_of(node) {
                let ends = [
                    ("lower", bounds.lower(), &bottom),
                    ("upper", bounds.upper(), &top),
                ];
                for (key, bound, trivial) in ends {
                    if bound != trivial {
                        push(&mut line, format_args!(",\"{key}\":"));
                        value(bound, &mut line);
                    }
                }
            }
        }
        line.push('}');
        out.write_all(line.as_bytes())?;
        line.clear();
    }
    out.write_all(line.as_bytes())?;
    out.write_all(b"]}\n")?;
    out.flush()
}
