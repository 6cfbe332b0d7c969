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

/// The error of a problem file, or nothing if it is a game.
fn refusal(text: &str) -> Option<String> {
    match read_problem_file(text.as_bytes()) {
        Ok(ProblemFile::Game(file)) => from_file(&file).map(|_| ()).err(),
        Ok(_) => panic!("no game: {text}"),
        Err(error) => Some(error.to_string()),
    }
}

const HIDDEN: &str = r#"{"format":"meetjoin-problem/1","game":"hidden","lattice":{"type":"families"},
"draws":[{"name":"a","weight":3},{"name":"b"}],"start":1,"positions":[{"id":1,"max":[2,5]},
{"id":2,"min":[{"to":3,"in":["a","b"]},{"to":4,"in":["b"]}]},{"id":3,"over":[2,0]},
{"id":4,"over":1},{"id":5,"over":[0,1]}]}"#;

const TRICKS: &str = r#"{"format":"meetjoin-problem/1","game":"tricks","lattice":{"type":"families"},
"rules":{"players":["she","he"],"suits":["C","D"],"ranks":["7","K","A"],"points":{"trick":1,"ranks":{"K":4}}},
"hands":{"she":"CK DA","he":"? CA -D7"},"unseen":"C7 CA D7 DK"}"#;

#[test]
fn arrays_are_not_taken_for_objects() {
    let (hidden, tricks) = ((HIDDEN, "hidden"), (TRICKS, "tricks"));
    let lattice = "an object with the type of the lattice";
    for ((file, name), from, to, expected) in [
        (hidden, r#"{"type":"families"}"#, r#"["families"]"#, lattice),
        (hidden, r#"{"type":"families"}"#, "7", lattice),
        (
            hidden,
            r#"{"name":"a","weight":3}"#,
            r#"["a",3]"#,
            "draw 1: ",
        ),
        (
            hidden,
            r#"{"id":1,"max":[2,5]}"#,
            "[1,[2,5]]",
            "position 1: ",
        ),
        (
            hidden,
            r#"{"to":4,"in":["b"]}"#,
            r#"[4,["b"]]"#,
            "where a move leads",
        ),
        (tricks, r#"{"type":"families"}"#, r#"["families"]"#, lattice),
        (
            tricks,
            r#""rules":{"players":["she","he"],"suits":["C","D"],"ranks":["7","K","A"],"points":{"trick":1,"ranks":{"K":4}}}"#,
            r#""rules":[["she","he"],[],["C","D"],["7","K","A"]]"#,
            "an object with all rules",
        ),
        (
            tricks,
            r#"{"trick":1,"ranks":{"K":4}}"#,
            "[1,0]",
            "an object",
        ),
        (
            tricks,
            r#"{"she":"CK DA","he":"? CA -D7"}"#,
            r#"["CK DA"]"#,
            "an object",
        ),
    ] {
        assert_eq!(refusal(file), None, "{name}");
        let error = refusal(&file.replacen(from, to, 1)).expect("an error");
        assert!(error.contains(expected), "{name}: {error}");
        assert!(!error.contains("struct "), "{name}: {error}");
    }
}

#[test]
fn what_stands_twice_is_refused() {
    for (file, from, to, expected) in [
        (
            HIDDEN,
            "\"start\"",
            "\"goals\":[1,2,1],\"start\"",
            "`goals` has the goal 1 twice",
        ),
        (
            HIDDEN,
            r#"["a","b"]"#,
            r#"["a","b","a"]"#,
            "the move to 3 is in \"a\" twice",
        ),
        (
            TRICKS,
            "? CA -D7",
            "? CA CA",
            "CA is twice in the hand of he",
        ),
        (
            TRICKS,
            "? CA -D7",
            "? -D7 CA -D7",
            "if it has CA, write it before -D7",
        ),
        (TRICKS, "? CA -D7", "? -D7 -D7", "-D7 is twice in hands.he"),
    ] {
        let error = refusal(&file.replacen(from, to, 1)).expect("an error");
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn goals_that_no_play_reaches_are_refused() {
    // Two tricks, one king in play and one among the unseen cards.
    let goal = |aim: &str, keys: &str| {
        let file = TRICKS.replacen("\"points\"", &format!("\"aim\":\"{aim}\",\"points\""), 1);
        refusal(&file.replacen("\"unseen\"", &format!("{keys},\"unseen\""), 1))
    };
    let beyond = |goal, least, most| {
        let range = format!("{least} to {most}");
        Some(format!(
            "goal: {goal} points are out of reach; the side of the first player can have {range}"
        ))
    };
    assert_eq!(goal("most", "\"goal\":10"), None);
    assert_eq!(goal("most", "\"goal\":11"), beyond(11, 0, 10));
    assert_eq!(goal("most", "\"goal\":13,\"before\":3"), None);
    assert_eq!(goal("most", "\"goal\":14,\"before\":3"), beyond(14, 3, 13));
    assert_eq!(goal("fewest", "\"goal\":3,\"before\":3"), None);
    assert_eq!(goal("fewest", "\"goal\":2,\"before\":3"), beyond(2, 3, 13));
    assert_eq!(goal("exactly", "\"goal\":2,\"before\":3"), beyond(2, 3, 13));
    assert_eq!(
        goal("exactly", "\"goal\":14,\"before\":3"),
        beyond(14, 3, 13)
    );
}
