//! The keys of a game, as the types that a game has for them.

use meetjoin_file::{GameFile, ProblemFile, read_problem_file};
use serde::Deserialize;

#[derive(Debug, PartialEq, Deserialize)]
struct Nim {
    heaps: Vec<u32>,
    #[serde(default)]
    most: u8,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Games {
    Nim(Nim),
    BlueNim { heaps: Vec<u32> },
    Chance,
}

fn file(name: &str, keys: &str) -> GameFile {
    let text = format!(r#"{{"format":"meetjoin-problem/1",{keys}"game":"{name}"}}"#);
    match read_problem_file(text.as_bytes()) {
        Ok(ProblemFile::Game(game)) => game,
        other => panic!("no game: {other:?}"),
    }
}

#[test]
fn a_struct_or_an_enum_of_them() {
    let nim = file("nim", r#""most":2,"heaps":[3,4],"#);
    let (heaps, most) = (vec![3, 4], 2);
    assert_eq!(nim.read::<Nim>().expect("a game"), Nim { heaps, most });
    let (heaps, most) = (vec![], 0);
    let games = [
        ("nim", r#""heaps":[],"#, Games::Nim(Nim { heaps, most })),
        (
            "blue-nim",
            r#""heaps":[1],"#,
            Games::BlueNim { heaps: vec![1] },
        ),
        ("chance", "", Games::Chance),
    ];
    for (name, keys, game) in games {
        assert_eq!(file(name, keys).read::<Games>().expect("a game"), game);
    }
}

#[test]
fn what_is_wrong_is_said_in_one_sentence() {
    for (name, keys, why) in [
        ("nim", "", "the game `nim` needs the key `heaps`"),
        (
            "nim",
            r#""heaps":[1],"colour":1,"#,
            "unknown key `colour` of the game `nim`",
        ),
        (
            "chance",
            r#""colour":1,"#,
            "unknown key `colour` of the game `chance`",
        ),
        (
            "nim",
            r#""heaps":[1],"most":256,"#,
            "`most`: invalid value: integer `256`, expected u8",
        ),
        (
            "nim",
            r#""heaps":{},"#,
            "`heaps`: invalid type: map, expected a sequence",
        ),
        (
            "go",
            "",
            "unknown game `go`; there are `nim`, `blue-nim` and `chance`",
        ),
    ] {
        let error = file(name, keys).read::<Games>().expect_err(why);
        assert_eq!(error.to_string(), why);
    }
}
