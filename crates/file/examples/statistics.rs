//! Reads a problem file and prints its statistics: `cargo run --release --example statistics FILE`.

use std::error::Error;
use std::fs::File;
use std::time::Instant;

use meetjoin_dag::Statistics;
use meetjoin_file::read_problem;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let start = Instant::now();
    let problem = read_problem(File::open(path)?)?;
    let read = start.elapsed();
    let start = Instant::now();
    println!("{}", Statistics::of(problem.graph()));
    let measured = start.elapsed();
    eprintln!("read in {read:.2?}, measured in {measured:.2?}");
    Ok(())
}
