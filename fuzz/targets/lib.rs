//! What the targets share: limits for whatever is found in a file.

use meetjoin::lattice::{Budget, Limits};

/// Few enough visits and steps that an input takes milliseconds.
pub fn limits() -> Budget {
    Budget::new(Limits {
        visits: Some(2_000),
        steps: Some(200_000),
        ..Limits::default()
    })
}

/// The lattices of the small problems, as files describe them, with some values of each.
pub const LATTICES: [(&str, [&str; 6]); 9] = [
    (
        r#"{"type":"bool"}"#,
        ["true", "false", "true", "false", "true", "false"],
    ),
    (
        r#"{"type":"chain"}"#,
        ["0", "-3", "7", "2", "\"-inf\"", "5"],
    ),
    (
        r#"{"type":"powerset","v":5}"#,
        ["[1,2]", "[]", "[5]", "[2,3,4]", "[1,5]", "[1,2,3,4,5]"],
    ),
    (
        r#"{"type":"families","v":4}"#,
        ["[[1,2],[3]]", "[1]", "[[2,3],[1,4]]", "[[]]", "[]", "[2,4]"],
    ),
    (
        r#"{"type":"divisors","n":360}"#,
        ["1", "12", "360", "45", "8", "30"],
    ),
    (
        r#"{"type":"dual","of":{"type":"powerset","v":3}}"#,
        ["[1]", "[2,3]", "[]", "[1,3]", "[2]", "[1,2,3]"],
    ),
    (
        r#"{"type":"product","of":[{"type":"chain","lo":0,"hi":3},{"type":"powerset","v":2}]}"#,
        [
            "[0,[1]]",
            "[3,[]]",
            "[2,[1,2]]",
            "[1,[2]]",
            "[0,[]]",
            "[3,[1,2]]",
        ],
    ),
    (
        r#"{"type":"table","elements":["0","a","b","c","1"],"covers":[["0","a"],["0","b"],["0","c"],["a","1"],["b","1"],["c","1"]]}"#,
        ["\"0\"", "\"a\"", "\"b\"", "\"c\"", "\"1\"", "\"a\""],
    ),
    (
        r#"{"type":"free","dims":2}"#,
        [
            "[[[1,2]]]",
            "[[[0,3]],[[2,2]]]",
            "[[[5,0],[0,5]]]",
            "[]",
            "[[]]",
            "[[[1,1]]]",
        ],
    ),
];
