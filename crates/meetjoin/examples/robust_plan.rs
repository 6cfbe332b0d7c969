//! A plan that works whatever happens: nondeterministic actions as an AND-OR graph.
//!
//! A traveller wants to get home. At a place she chooses an action: an OR node. An action may end
//! in several places, and the plan has to work in each: an AND node. The square is reached in
//! several ways, but it is one node, and what has been found out about it is not worked out again.
//!
//! The values are sets of weathers: those in which some plan is sure to arrive. She sees the
//! weather before she leaves, so at an OR node any action that works will do (union); at an AND
//! node all outcomes must work (intersection).

use meetjoin::dag::{GraphBuilder, Problem};
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

    let mut builder = GraphBuilder::new();
    builder.or("at work", ["tram", "car"])?;
    builder.and("tram", ["square", "harbour"])?; // it may end at either stop
    builder.and("car", ["harbour", "bridge"])?; // the road may be closed
    builder.or("square", ["walk", "bus"])?;
    builder.or("harbour", ["ferry", "square"])?; // one can go back to the square
    builder.leaf("walk", works_in(&[DRY])?)?;
    builder.leaf("bus", works_in(&[DRY, RAIN])?)?;
    builder.leaf("ferry", works_in(&[DRY, SNOW])?)?;
    builder.leaf("bridge", works_in(&[SNOW])?)?;

    let problem = Problem::build(builder, "at work", lattice.clone())?;
    let sure = meetjoin::solve(&problem);

    // By tram when it is dry or rains, by car in snow. No single action does for all three, and in
    // fog nothing is sure.
    assert_eq!(Some(sure), lattice.set([DRY, RAIN, SNOW]));
    let names: Vec<_> = sure.ones().map(|weather| WEATHER[weather]).collect();
    println!("sure to get home in: {}", names.join(", "));
    Ok(())
}
