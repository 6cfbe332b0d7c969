//! A plan that works whatever happens: nondeterministic actions as an AND-OR graph.
//!
//! A traveller wants to get home. At a place she chooses an action: an OR node. An action may end in several places, and the
//! plan has to work in each: an AND node. The square is reached in several ways, but it is one node, and what has been found
//! out about it is not worked out again.
//!
//! The values are sets of weathers: those in which some plan is sure to arrive. She sees the weather before she leaves, so at
//! an OR node any action that works will do (union); at an AND node all outcomes must work (intersection).

use meetjoin::dag::{GraphBuilder, NodeName, Problem};
use meetjoin::lattice::{Powerset, Words, WorldSet};

const WEATHER: [&str; 4] = ["dry", "rain", "snow", "fog"];
const DRY: usize = 0;
const RAIN: usize = 1;
const SNOW: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Sets of up to 64 worlds in one machine word. `set` is `None` for a world that does not exist.
    let lattice = Powerset::<Words<1>>::new(WEATHER.len())?;
    let works_in = |weathers: &[usize]| {
        lattice
            .set(weathers.iter().copied())
            .ok_or("no such weather")
    };

    let name = NodeName::from;
    let mut builder = GraphBuilder::new();
    builder.or(name("at work"), [name("tram"), name("car")])?;
    builder.and(name("tram"), [name("square"), name("harbour")])?; // it may end at either stop
    builder.and(name("car"), [name("harbour"), name("bridge")])?; // the road may be closed
    builder.or(name("square"), [name("walk"), name("bus")])?;
    builder.or(name("harbour"), [name("ferry"), name("square")])?; // one can go back to the square
    builder.leaf(name("walk"), works_in(&[DRY])?)?;
    builder.leaf(name("bus"), works_in(&[DRY, RAIN])?)?;
    builder.leaf(name("ferry"), works_in(&[DRY, SNOW])?)?;
    builder.leaf(name("bridge"), works_in(&[SNOW])?)?;

    let built = builder.build(&name("at work"))?;
    let problem = Problem::new(built.graph, built.ids, lattice.clone(), built.values)?;
    let sure = meetjoin::solve(&problem);

    // By tram when it is dry or rains, by car in snow. No single action does for all three, and in fog nothing is sure.
    assert_eq!(Some(sure), lattice.set([DRY, RAIN, SNOW]));
    let names: Vec<_> = sure.ones().map(|weather| WEATHER[weather]).collect();
    println!("sure to get home in: {}", names.join(", "));
    Ok(())
}
