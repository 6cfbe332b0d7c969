//! What the targets share: limits for whatever is found in a file, small problems, and how bytes
//! are altered.

use std::path::PathBuf;

use meetjoin_lattice::{Budget, Limits};
use meetjoin_problems::Source;

/// A file of this process alone.
pub fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("meetjoin-fuzz-{}-{name}", std::process::id()))
}

/// A problem over one of the [lattices](LATTICES), with its digest.
pub fn problem(lattice: usize) -> (String, String) {
    let (lattice, values) = LATTICES[lattice];
    let leaves: Vec<String> = (0..6)
        .map(|i| format!(r#"{{"id":{},"kind":"leaf","value":{}}}"#, i + 5, values[i]))
        .collect();
    let text = format!(
        r#"{{"format":"meetjoin-problem/1","lattice":{lattice},"root":1,"nodes":[{{"id":1,"kind":"or","children":[2,3]}},
        {{"id":2,"kind":"and","children":[5,6,4]}},{{"id":3,"kind":"and","children":[4,7,8]}},{{"id":4,"kind":"or","children":[9,10]}},{}]}}"#,
        leaves.join(",")
    );
    let digest = Source::read(text.as_bytes()).expect("a problem").digest();
    (text, digest)
}

/// Bytes that are cut off, put in, left out or changed: how, where, and to what.
pub fn altered(mut bytes: Vec<u8>, edits: &[(u8, u16, u8)]) -> Vec<u8> {
    for (how, place, byte) in edits {
        let place = usize::from(*place) % bytes.len().max(1);
        match how % 4 {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, *byte),
            2 if !bytes.is_empty() => drop(bytes.remove(place)),
            _ if !bytes.is_empty() => bytes[place] = *byte,
            _ => {}
        }
    }
    bytes
}

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
