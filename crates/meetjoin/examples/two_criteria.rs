//! Two criteria at once: gain, where more is better, and cost, where less is better.
//!
//! The lattice is a pair: a chain for the gain and the *dual* of a chain for the cost. Up is always
//! better for the player: a larger gain, a smaller cost. One search works out both guarantees.
//!
//! Mind what such a value says. Meet and join work on each component by itself, so the value of an
//! OR node is the best gain and the best cost that can be guaranteed, each on its own: a *joint
//! bound*. No single choice need reach both. (The lattice `FreeLattice` keeps the alternatives
//! apart.)

use meetjoin::dag::{GraphBuilder, Problem};
use meetjoin::lattice::{Chain, Dual};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scale = Chain::new(0, 10).ok_or("0 lies below 10")?;
    let gain_and_cost = (scale, Dual(scale));

    let mut builder = GraphBuilder::new();
    // I choose where to buy, the market chooses how it goes.
    builder.or("choice", ["at home", "abroad"])?;
    builder.and("at home", ["home, good", "home, bad"])?;
    builder.and("abroad", ["abroad, good", "abroad, bad"])?;
    builder.leaf("home, good", (8, 5))?;
    builder.leaf("home, bad", (6, 4))?;
    builder.leaf("abroad, good", (9, 9))?;
    builder.leaf("abroad, bad", (7, 8))?;

    let mut values = Vec::new();
    for root in ["at home", "abroad", "choice"] {
        let problem = Problem::build(builder.clone(), root, gain_and_cost)?;
        let (gain, cost) = meetjoin::solve(&problem);
        println!("{root}: a gain of at least {gain} and a cost of at most {cost}");
        values.push((gain, cost));
    }
    // At home and abroad: the worse of both years, criterion by criterion. The choice: a gain of 7
    // is guaranteed abroad, a cost of 5 at home, and nothing guarantees both.
    assert_eq!(values, [(6, 5), (7, 9), (7, 5)]);
    Ok(())
}
