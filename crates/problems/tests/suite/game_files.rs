//! Games by the keys of a file that are no games, or too large for a list of their positions.

use meetjoin_file::{ProblemFile, read_problem_file};
use meetjoin_problems::games::from_file;

#[test]
fn a_board_with_too_many_positions_is_refused() {
    let file = br#"{"format":"meetjoin-problem/1","game":"hexapawn","columns":6,"rows":6,"lattice":{"type":"product"}}"#;
    let Ok(ProblemFile::Game(file)) = read_problem_file(&file[..]) else {
        panic!("a game");
    };
    let error = from_file(&file).and_then(|game| game.graph()).map(|_| ());
    assert_eq!(
        error,
        Err("a board of 6 columns and 6 rows has more than 1048576 positions".to_owned())
    );
}
