//! A Boolean circuit as a graph: the carry of a full adder, `(a and b) or (c and (a or b))`.
//!
//! An AND gate is an AND node, an OR gate an OR node, an input a leaf. The lattice has two
//! elements, `false` below `true`, so meet is "and" and join is "or". A wire that leads to several
//! gates is a node with several parents.

use meetjoin::dag::{GraphBuilder, Problem};
use meetjoin::lattice::Bool;

type Error = Box<dyn std::error::Error>;

/// Builds the circuit for three inputs and evaluates it.
fn carry(a: bool, b: bool, c: bool) -> Result<bool, Error> {
    let mut builder = GraphBuilder::new();
    // Nodes may be defined in any order. The first argument is the node, the second its children.
    builder.or("carry", ["both", "passed on"])?;
    builder.and("both", ["a", "b"])?;
    builder.and("passed on", ["c", "either"])?;
    builder.or("either", ["a", "b"])?;
    builder.leaf("a", a)?;
    builder.leaf("b", b)?;
    builder.leaf("c", c)?;
    // `build` checks the graph: every child exists, nothing is circular.
    // A graph, a lattice and the values of the leaves are a problem, and a problem can be solved.
    let problem = Problem::build(builder, "carry", Bool)?;
    Ok(meetjoin::solve(&problem))
}

fn main() -> Result<(), Error> {
    for inputs in 0..8_u8 {
        let [a, b, c] = [0, 1, 2].map(|bit| inputs >> bit & 1 == 1);
        // The carry is set exactly if at least two inputs are.
        assert_eq!(carry(a, b, c)?, inputs.count_ones() >= 2);
    }
    println!("carry(1, 0, 1) = {}", carry(true, false, true)?);
    Ok(())
}
