//! Every way in which a file can be no problem, and the sentence that says so.

use std::io::{self, Read};

use meetjoin_file::read_problem;

/// The sentence about a file.
fn sentence(file: &str) -> String {
    match read_problem(file.as_bytes()) {
        Ok(_) => format!("no error in {file}"),
        Err(error) => error.to_string(),
    }
}

/// A file on one line, with these nodes and this lattice.
fn file(lattice: &str, nodes: &str) -> String {
    format!(r#"{{"format":"meetjoin-problem/1","root":1,"lattice":{lattice},"nodes":[{nodes}]}}"#)
}

/// The same file with the lattice at its end.
fn late(lattice: &str, nodes: &str) -> String {
    format!(r#"{{"format":"meetjoin-problem/1","root":1,"nodes":[{nodes}],"lattice":{lattice}}}"#)
}

/// A file with one leaf.
fn leaf(lattice: &str, value: &str) -> String {
    file(
        lattice,
        &format!(r#"{{"id":1,"kind":"leaf","value":{value}}}"#),
    )
}

/// Without its place, because the place is the same everywhere in a file on one line.
fn without_place(sentence: &str) -> &str {
    sentence.split(" (line 1 column").next().unwrap_or(sentence)
}

fn check(cases: &[(&str, String, &str)]) {
    for (what, file, expected) in cases {
        let found = sentence(file);
        assert_eq!(without_place(&found), *expected, "{what}: {file}");
    }
}

fn check_rows(cases: &[(&str, &str)], make: impl Fn(&str) -> String) {
    for (input, expected) in cases {
        let found = sentence(&make(input));
        assert_eq!(without_place(&found), *expected, "{input}");
    }
}

#[test]
fn places_are_named_once() {
    let lines = r#"{"format": "meetjoin-problem/1",
 "lattice": {"type": "powerset", "v": 4},
 "root": "r",
 "nodes": [
   {"id": "r", "kind": "or", "children": ["x"]},
   {"id": "x", "kind": "leaf", "value": VALUE}]}"#;
    assert_eq!(
        sentence(&lines.replace("VALUE", "[2,1]")),
        "node \"x\": the value `[2,1]` is not an ascending list of distinct integers from 1 to 4 (line 6 column 46)"
    );
    assert_eq!(
        sentence(&lines.replace("VALUE", "[2,")),
        "not JSON: expected value (line 6 column 44)"
    );
    assert_eq!(
        sentence(&lines.replace("\"or\"", "\"xor\"")),
        "node \"r\": unknown kind \"xor\", expected \"and\", \"or\" or \"leaf\" (line 5 column 48)"
    );
    let error = read_problem(&b"[]"[..]).expect_err("a list");
    assert_eq!(error.place(), Some((1, 1)));
    let error = read_problem(file("{\"type\":\"bool\"}", "").as_bytes()).expect_err("no root");
    assert_eq!(error.place(), None);
}

#[test]
#[rustfmt::skip]
fn not_json() {
    check_rows(
        &[
            ("", "not JSON: the file is empty"),
            (" \n ", "not JSON: EOF while parsing a value (line 2 column 1)"),
            ("{", "not JSON: EOF while parsing an object"),
            ("nonsense", "not JSON: expected ident; a problem file begins with `{`; fault trees, in text or Open-PSA, are for `meetjoin cuts`"),
            ("\u{feff}{}", "not JSON: expected value; the file begins with a byte order mark, and must be UTF-8 without one"),
            ("{} x", "not JSON: trailing characters"),
            ("{\"format\":\"meetjoin-problem/1\",}", "not JSON: trailing comma"),
            ("{\"format\":\"meetjoin-problem/1\"", "not JSON: EOF while parsing an object"),
            ("[]", "invalid type: sequence, expected an object with the keys of `meetjoin-problem/1`"),
            ("17", "invalid type: integer `17`, expected an object with the keys of `meetjoin-problem/1`"),
        ],
        str::to_owned,
    );
    let deep = "[".repeat(1_000_000);
    assert_eq!(
        sentence(&leaf("{\"type\":\"bool\"}", &deep)),
        "not JSON: expected value (line 1 column 1000106)"
    );
    assert!(sentence(&deep).starts_with("invalid type: sequence"));
    let bytes = b"{\"format\":\"meetjoin-problem/1\",\"root\":\"\xff\"}";
    let error = read_problem(&bytes[..]).expect_err("not UTF-8");
    assert_eq!(
        error.to_string(),
        "not JSON: invalid unicode code point (line 1 column 40)"
    );
}

#[test]
fn a_file_that_is_cut_anywhere_is_an_error() {
    let whole = late(
        r#"{"type":"product","of":[{"type":"chain","lo":-1.5},{"type":"families","v":70}]}"#,
        r#"{"note":"é\n","lower":[-1,[1]],"id":1,"kind":"or","children":["a\"b"]},{"id":"a\"b","kind":"leaf","value":[0,[[1],[2,70]]]}"#,
    );
    assert_eq!(sentence(&whole), format!("no error in {whole}"));
    for end in 0..whole.len() {
        let error = read_problem(&whole.as_bytes()[..end]).expect_err("it is cut");
        let text = error.to_string();
        assert!(text.starts_with("not JSON: "), "{end}: {text}");
    }
}

#[test]
fn any_damaged_byte_is_read_or_refused_without_panic() {
    let whole = file(
        r#"{"type":"free","dims":2}"#,
        r#"{"id":1,"kind":"or","children":[2,3],"upper":[[[1,2]]]},{"id":2,"kind":"leaf","value":[1,-2]},{"id":3,"kind":"leaf","value":[]}"#,
    );
    let mut refused = 0;
    for place in 0..whole.len() {
        for byte in [
            b'0', b'9', b'"', b'[', b'}', b'-', b'.', b'e', b'\\', b',', 0, 255,
        ] {
            let mut bytes = whole.clone().into_bytes();
            bytes[place] = byte;
            refused += usize::from(read_problem(&bytes[..]).is_err());
        }
    }
    assert!(refused > whole.len());
}

#[test]
#[rustfmt::skip]
fn the_file_as_a_whole() {
    let bool = r#"{"type":"bool"}"#;
    let nodes = r#"[{"id":1,"kind":"leaf","value":true}]"#;
    let object = |keys: &str| format!("{{{keys}}}");
    check_rows(
        &[
            ("", "the problem has no key `format`"),
            (r#""format":"meetjoin-problem/2""#, r#"unknown format "meetjoin-problem/2", expected "meetjoin-problem/1""#),
            (r#""format":1"#, "`format`: invalid type: integer `1`, expected a string"),
            (r#""format":"meetjoin-problem/1""#, "the problem has no key `lattice`"),
            (r#""format":"meetjoin-problem/1","format":"meetjoin-problem/1""#, "the key `format` appears twice"),
            (r#""format":"meetjoin-problem/1","nodes":[],"lattice":{"type":"bool"}"#, "the problem has no key `root`"),
            (r#""format":"meetjoin-problem/1","root":1,"lattice":{"type":"bool"}"#, "the problem has no key `nodes`"),
            (r#""format":"meetjoin-problem/1","root":1,"lattice":{"type":"bool"},"nodes":[]"#, "the root 1 is not defined"),
            (r#""root":null"#, "`root`: invalid type: null, expected an id, which is a 64-bit integer or a text"),
            (r#""root":9223372036854775808"#, "`root`: the id 9223372036854775808 is beyond 64-bit integers, which end at 9223372036854775807"),
            (r#""root":18446744073709551616"#, "`root`: invalid type: floating point `1.8446744073709552e+19`, expected an id, which is a 64-bit integer or a text"),
            (r#""nodes":{}"#, "`nodes`: invalid type: map, expected a list of nodes"),
            (r#""note":1"#, "`note`: invalid type: integer `1`, expected a string"),
            (r#""worlds":[1]"#, "`worlds`: invalid type: integer `1`, expected a string"),
            (r#""probabilities":0.5"#, "`probabilities`: invalid type: floating point `0.5`, expected a sequence"),
            (r#""probabilities":[0.5,1.5]"#, "`probabilities`: invalid value: floating point `1.5`, expected a probability in 0..1 or null"),
            (r#""probabilities":[-1]"#, "`probabilities`: invalid value: floating point `-1.0`, expected a probability in 0..1 or null"),
            (r#""probabilities":["a"]"#, "`probabilities`: invalid type: string \"a\", expected a probability in 0..1 or null"),
            (r#""game":"chess","probabilities":[]"#, "unknown key `probabilities`"),
            (r#""colour":1"#, "unknown key `colour`"),
            (r#""nodes":[],"colour":1,"root":true"#, "unknown key `colour`"),
            (r#""colour":1,"nodes":[{"ill":"formed"}]"#, "unknown key `colour`"),
            (r#""game":"racing","deck":20"#, "the problem has no key `format`"),
            (r#""deck":20,"game":"chess","format":"meetjoin-problem/1""#, "the problem has no nodes: the game `chess` generates them"),
            (r#""lattice":{"type":"families"},"game":"chess","format":"meetjoin-problem/1""#, "the problem has no nodes: the game `chess` generates them"),
            (r#""lattice":{"type":"families"},"root":1,"nodes":[{"ill":"formed"}]"#, "the lattice has no key `v`"),
            (r#""lattice":{"type":"families"},"root":1"#, "the lattice has no key `v`"),
            (r#""game":"racing","deck":20,"deck":20"#, "the key `deck` appears twice"),
            (r#""root":1,"game":"chess""#, "unknown key `root`"),
            (r#""game":"chess","worlds":[]"#, "unknown key `worlds`"),
            (r#""nodes":[],"game":"chess""#, "a problem has either the key `nodes` or the key `game`"),
        ],
        object,
    );
    for (worlds, lattice, expected) in [
        ("[\"a\"]", r#"{"type":"powerset","v":2}"#, "`worlds` has 1 name for 2 worlds"),
        (
            "[\"a\",\"a\"]",
            r#"{"type":"powerset","v":2}"#,
            "`worlds` has the name \"a\" twice; give each world a name of its own",
        ),
        (
            "[]",
            bool,
            "`worlds` names the elements of sets, but the values of this lattice are no sets",
        ),
    ] {
        let file = format!(
            r#"{{"format":"meetjoin-problem/1","worlds":{worlds},"lattice":{lattice},"root":1,"nodes":{}}}"#,
            nodes.replace("true", "\"top\"")
        );
        assert_eq!(sentence(&file), expected);
    }
    for (lattice, expected) in [
        (r#"{"type":"monotone","v":3}"#, "`probabilities` has 2 entries for 3 events"),
        (
            r#"{"type":"powerset","v":2}"#,
            "`probabilities` are those of events, but the values of this lattice are no functions of events; `monotone` has such values",
        ),
    ] {
        let file = format!(
            r#"{{"format":"meetjoin-problem/1","probabilities":[0.5,null],"lattice":{lattice},"root":1,"nodes":{}}}"#,
            nodes.replace("true", "\"top\"")
        );
        assert_eq!(sentence(&file), expected);
    }
}

#[test]
#[rustfmt::skip]
fn nodes() {
    check_rows(
        &[
            ("1", "node number 1 of the list: invalid type: integer `1`, expected a node: an object with `id`, `kind` and `children` or `value`"),
            ("{}", "node number 1 of the list: the node has no key `id`"),
            (r#"{"id":1}"#, "node 1: the node has no key `kind`"),
            (r#"{"id":1.5}"#, "node number 1 of the list: invalid type: floating point `1.5`, expected an id, which is a 64-bit integer or a text"),
            (r#"{"id":"1","kind":"leaf"}"#, "node \"1\": the node has no key `value`"),
            (r#"{"kind":"and","id":1}"#, "node 1: the node has no key `children`"),
            (r#"{"id":1,"kind":"or","children":[]}"#, "node 1: an inner node needs a child"),
            (r#"{"id":1,"kind":"or","children":3}"#, "node 1: invalid type: integer `3`, expected a list of ids"),
            (r#"{"id":1,"kind":"or","children":[true]}"#, "node 1: invalid type: boolean `true`, expected an id, which is a 64-bit integer or a text"),
            (r#"{"kind":"max","id":1}"#, "node 1: unknown kind \"max\", expected \"and\", \"or\" or \"leaf\""),
            (r#"{"id":1,"kind":2}"#, "node 1: invalid type: integer `2`, expected a kind, which is \"and\", \"or\" or \"leaf\""),
            (r#"{"colour":[{}],"kind":"leaf","id":1}"#, "node 1: unknown key `colour`"),
            (r#"{"kind":"leaf","kind":"leaf","id":1}"#, "node 1: the key `kind` appears twice"),
            (r#"{"id":1,"id":2}"#, "node 1: the key `id` appears twice"),
            (r#"{"id":1,"kind":"leaf","value":true,"children":[]}"#, "node 1: a leaf cannot have `children`"),
            (r#"{"id":1,"kind":"leaf","value":true,"lower":false}"#, "node 1: a leaf cannot have `lower`"),
            (r#"{"id":1,"upper":true,"kind":"leaf","value":true}"#, "node 1: a leaf cannot have `upper`"),
            (r#"{"id":1,"kind":"and","children":[1],"value":true}"#, "node 1: an inner node cannot have `value`"),
            (r#"{"id":1,"kind":"leaf","value":0}"#, "node 1: the value `0` is not `true` or `false`"),
            (r#"{"id":1,"kind":"leaf","value":true,"note":7}"#, "node 1: invalid type: integer `7`, expected a text"),
            (r#"{"id":1,"kind":"leaf","value":true},{"id":1,"kind":"leaf","value":true}"#, "node 1: the id is used twice"),
            (r#"{"id":1,"kind":"and","children":[1]}"#, "the nodes form a cycle: 1 -> 1"),
            (r#"{"id":1,"kind":"and","children":["1"]}"#, "node 1 has the child \"1\", which is not defined"),
            (r#"{"id":2,"kind":"leaf","value":true}"#, "the root 1 is not defined"),
            (r#"{"id":1,"kind":"leaf","value":true},{"id":"a","kind":"and","children":[1,"b"]},{"id":"b","kind":"or","children":["a"]}"#, "the nodes form a cycle: \"a\" -> \"b\" -> \"a\""),
            (r#"{"id":1,"kind":"and","children":[2],"lower":1},{"id":2,"kind":"leaf","value":true}"#, "node 1: the lower bound `1` is not `true` or `false`"),
            (r#"{"id":1,"kind":"and","children":[2],"upper":false,"lower":true},{"id":2,"kind":"leaf","value":true}"#, "node 1: the lower bound does not lie below the upper bound"),
        ],
        |nodes| file(r#"{"type":"bool"}"#, nodes),
    );
}

#[test]
fn values_are_checked_when_the_lattice_comes_late() {
    let bool = r#"{"type":"bool"}"#;
    check(&[
        (
            "value",
            late(bool, r#"{"id":1,"kind":"leaf","value":[ 1,  2 ]}"#),
            "node 1: the value `[ 1,  2 ]` is not `true` or `false`",
        ),
        (
            "bound",
            late(
                bool,
                r#"{"id":1,"kind":"or","children":[2],"upper":"x"},{"id":2,"kind":"leaf","value":true}"#,
            ),
            "node 1: the upper bound `\"x\"` is not `true` or `false`",
        ),
        (
            "order",
            late(
                bool,
                r#"{"id":2,"kind":"leaf","value":true},{"id":1,"kind":"or","children":[2],"lower":"top","upper":"bottom"}"#,
            ),
            "node 1: the lower bound does not lie below the upper bound",
        ),
    ]);
}

#[test]
#[rustfmt::skip]
fn integers_among_decimals() {
    let chain = r#"{"type":"chain"}"#;
    let two = |first: &str, second: &str| {
        format!(
            r#"{{"id":1,"kind":"leaf","value":{first}}},{{"id":2,"kind":"leaf","value":{second}}}"#
        )
    };
    let first = "node 1: the value `9007199254740993` is not an integer up to 2^53 in size, as it must be among decimals";
    let second = "node 2: the value `9007199254740993` is not an integer up to 2^53 in size, as it must be among decimals";
    check(&[
        (
            "before",
            file(chain, &two("9007199254740993", "0.5")),
            first,
        ),
        (
            "after",
            file(chain, &two("0.5", "9007199254740993")),
            second,
        ),
        ("late", late(chain, &two("9007199254740993", "0.5")), first),
        (
            "end",
            leaf(r#"{"type":"chain","lo":-9007199254740993,"hi":0.5}"#, "0"),
            "`-9007199254740993` is not an integer up to 2^53 in size, as it must be among decimals",
        ),
        (
            "end, by a value",
            leaf(r#"{"type":"chain","hi":9007199254740993}"#, "0.5"),
            "node 1: the value `9007199254740993` is not an integer up to 2^53 in size, as it must be among decimals",
        ),
        (
            "outside",
            leaf(r#"{"type":"chain","lo":1,"hi":2}"#, "2.5"),
            "node 1: the value `2.5` is not a number from 1 to 2",
        ),
        (
            "bounds of two kinds",
            file(chain, r#"{"id":1,"kind":"or","children":[2],"lower":2,"upper":1.5},{"id":2,"kind":"leaf","value":0}"#),
            "node 1: the lower bound does not lie below the upper bound",
        ),
    ]);
}

#[test]
#[rustfmt::skip]
fn values_outside_the_lattice() {
    let cases: &[(&str, &str, &str)] = &[
        (r#"{"type":"bool"}"#, "null", "`null` is not `true` or `false`"),
        (r#"{"type":"chain"}"#, "18446744073709551616", "`18446744073709551616` is not a 64-bit integer or a decimal from -inf to +inf"),
        (r#"{"type":"chain"}"#, "9223372036854775808", "`9223372036854775808` is not a 64-bit integer or a decimal from -inf to +inf"),
        (r#"{"type":"chain"}"#, "1e999", "`1e999` is not a 64-bit integer or a decimal from -inf to +inf"),
        (r#"{"type":"chain"}"#, "\"inf\"", "`\"inf\"` is not a 64-bit integer or a decimal from -inf to +inf"),
        (r#"{"type":"chain","lo":0}"#, "-1", "`-1` is not a 64-bit integer or a decimal from 0 to +inf"),
        (r#"{"type":"chain","lo":0}"#, "\"-inf\"", "`\"-inf\"` is not a 64-bit integer or a decimal from 0 to +inf"),
        (r#"{"type":"chain","lo":0.5}"#, "0", "`0` is not a number from 0.5 to +inf"),
        (r#"{"type":"powerset","v":3}"#, "[0]", "`[0]` is not an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"powerset","v":3}"#, "[1,1]", "`[1,1]` is not an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"powerset","v":3}"#, "[4]", "`[4]` is not an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"powerset","v":3}"#, "[1.0]", "`[1.0]` is not an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"powerset","v":3}"#, "[[1]]", "`[[1]]` is not an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"powerset","v":70}"#, "[70,71]", "`[70,71]` is not an ascending list of distinct integers from 1 to 70"),
        (r#"{"type":"powerset","v":70}"#, "[18446744073709551616]", "`[18446744073709551616]` is not an ascending list of distinct integers from 1 to 70"),
        (r#"{"type":"families","v":3}"#, "[2,1]", "`[2,1]` is not an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"families","v":3}"#, "[[2],[4]]", "`[[2],[4]]` is not a list of sets, each an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"families","v":3}"#, "[[2],4]", "`[[2],4]` is not a list of sets, each an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"families","v":3}"#, "{}", "`{}` is not an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"product","dims":2}"#, "[1]", "`[1]` is not a list of 2 values"),
        (r#"{"type":"product","dims":2}"#, "[1,2.5]", "`2.5` is not a 64-bit integer from -inf to +inf"),
        (r#"{"type":"product","dims":2,"hi":4}"#, "[5,1]", "`5` is not a 64-bit integer from -inf to 4"),
        (r#"{"type":"product","of":[{"type":"bool"},{"type":"chain"}]}"#, "[1,1]", "`1` is not `true` or `false`"),
        (r#"{"type":"divisors","n":12}"#, "8", "`8` is not a positive divisor of 12"),
        (r#"{"type":"divisors","n":12}"#, "0", "`0` is not a positive divisor of 12"),
        (r#"{"type":"divisors","n":12}"#, "-1", "`-1` is not a positive divisor of 12"),
        (r#"{"type":"dual","of":{"type":"chain"}}"#, "[]", "`[]` is not a 64-bit integer or a decimal from -inf to +inf"),
        (r#"{"type":"free","dims":2}"#, "[1]", "`[1]` is not a vector of 2 integers or a list of packets of them"),
        (r#"{"type":"free","dims":2}"#, "[1,0.5]", "`[1,0.5]` is not a vector of 2 integers or a list of packets of them"),
        (r#"{"type":"free","dims":2}"#, "[[1,2]]", "`[[1,2]]` is not a vector of 2 integers or a list of packets of them"),
        (r#"{"type":"free","dims":2}"#, "[[[1,2]],3]", "`[[[1,2]],3]` is not a vector of 2 integers or a list of packets of them"),
        (r#"{"type":"free","dims":2}"#, "3", "`3` is not a vector of 2 integers or a list of packets of them"),
        (r#"{"type":"table","size":1,"leq":[[1]]}"#, "1", "`1` is not the number of an element of the table, 0 to 0"),
        (r#"{"type":"table","elements":["a"],"covers":[]}"#, "0", "`0` is not the name of an element of the table"),
        (r#"{"type":"table","elements":["a"],"covers":[]}"#, "\"b\"", "`\"b\"` is not the name of an element of the table"),
        (r#"{"type":"bool"}"#, "\"middle\"", "`\"middle\"` is not `true` or `false`"),
    ];
    for (lattice, value, expected) in cases {
        let expected = format!("node 1: the value {expected}");
        for file in [
            leaf(lattice, value),
            late(
                lattice,
                &format!(r#"{{"value":{value},"id":1,"kind":"leaf"}}"#),
            ),
        ] {
            let found = sentence(&file);
            assert_eq!(without_place(&found), expected, "{file}");
        }
    }
}

#[test]
#[rustfmt::skip]
fn lattices() {
    let nested = format!(
        "{}{{\"type\":\"bool\"}}{}",
        r#"{"type":"dual","of":"#.repeat(100_000),
        "}".repeat(100_000)
    );
    let large_table = format!(
        r#"{{"type":"table","elements":[{}"x"],"covers":[]}}"#,
        "\"\",".repeat(20_000)
    );
    let no_lattice = r#"{"type":"table","elements":["0","a","b","c","d","1"],
        "covers":[["0","a"],["0","b"],["a","c"],["a","d"],["b","c"],["b","d"],["c","1"],["d","1"]]}"#
        .replace('\n', "");
    check_rows(
        &[
            ("[]", "the lattice `[]` is not a JSON object"),
            ("{}", "the lattice has no key `type`"),
            (r#"{"type":1}"#, "`type` of the lattice is `1`, not a text"),
            (r#"{"type":"poset"}"#, "unknown lattice `poset`; there are `bool`, `chain`, `powerset`, `families`, `monotone`, `product`, `divisors`, `dual`, `free` and `table`"),
            (r#"{"type":"dominance"}"#, "the lattice has no key `dims`"),
            (r#"{"type":"dominance","dims":0}"#, "`dims` of the lattice is `0`, not a positive integer"),
            (r#"{"type":"dominance","dims":2,"v":1}"#, "unknown key `v` in the lattice"),
            (r#"{"type":"dual","of":{"type":"dominance","dims":2}}"#, "`dominance` is no lattice; `meetjoin packets` solves such problems"),
            (r#"{"type":"bool","v":1}"#, "unknown key `v` in the lattice"),
            (r#"{"type":"bool","type":"bool"}"#, "the key `type` appears twice in the lattice"),
            (r#"{"type":"powerset"}"#, "the lattice has no key `v`"),
            (r#"{"type":"powerset","v":-1}"#, "`v` of the lattice is `-1`, not a number of worlds"),
            (r#"{"type":"powerset","v":1.5}"#, "`v` of the lattice is `1.5`, not a number of worlds"),
            (r#"{"type":"powerset","v":1e3}"#, "`v` of the lattice is `1e3`, not a number of worlds"),
            (r#"{"type":"powerset","v":1000000000000}"#, "the lattice is too large: it would take more than 1024 MiB by itself"),
            (r#"{"type":"powerset","v":4294967295}"#, "the lattice is too large: it would take more than 1024 MiB by itself"),
            (r#"{"type":"families","v":18446744073709551616}"#, "`v` of the lattice is `18446744073709551616`, not a number of worlds"),
            (r#"{"type":"product","dims":18446744073709551615}"#, "the lattice is too large: it would take more than 1024 MiB by itself"),
            (r#"{"type":"chain","lo":2,"hi":1}"#, "`lo` of the lattice lies above `hi`"),
            (r#"{"type":"chain","lo":2,"hi":1.5}"#, "`lo` of the lattice lies above `hi`"),
            (r#"{"type":"chain","lo":true}"#, "`lo` of the lattice is `true`, not a 64-bit number"),
            (r#"{"type":"product"}"#, "the lattice has no key `dims`"),
            (r#"{"type":"product","dims":2,"lo":0.5}"#, "`lo` of the lattice is `0.5`, not a 64-bit integer"),
            (r#"{"type":"product","dims":2,"of":[]}"#, "the keys `of` and `dims` of the lattice do not go together"),
            (r#"{"type":"product","of":[],"hi":2}"#, "the keys `of` and `hi` of the lattice do not go together"),
            (r#"{"type":"product","of":[],"v":2}"#, "unknown key `v` in the lattice"),
            (r#"{"type":"product","of":{}}"#, "`of` of the lattice is `{}`, not a list of lattices"),
            (r#"{"type":"product","of":[{"type":"x"}]}"#, "unknown lattice `x`; there are `bool`, `chain`, `powerset`, `families`, `monotone`, `product`, `divisors`, `dual`, `free` and `table`"),
            (r#"{"type":"divisors","n":0}"#, "`n` of the lattice is `0`, not a positive 64-bit integer"),
            (r#"{"type":"dual"}"#, "the lattice has no key `of`"),
            (r#"{"type":"free","dims":0}"#, "`dims` of the lattice is `0`, not a positive integer"),
            (r#"{"type":"table","size":2,"leq":[[1]]}"#, "`size` of the lattice is `2`, not the number of rows of `leq`"),
            (r#"{"type":"table","size":1,"leq":[[2]]}"#, "`leq` of the lattice is `[..2..]`, not a list of lists of 0 and 1"),
            (r#"{"type":"table","size":2,"leq":[[1,0],[0,1]]}"#, "this order is no lattice: 0 and 1 have no meet"),
            (r#"{"type":"table","size":2,"leq":[[1,1],[1,1]]}"#, "the order is not antisymmetric: 0 and 1 lie below each other"),
            (r#"{"type":"table","elements":[],"covers":[]}"#, "a lattice has at least one element"),
            (r#"{"type":"table","size":1,"leq":[[1]],"covers":[]}"#, "the keys `size` and `covers` of the lattice do not go together"),
            (r#"{"type":"table","elements":["a"],"covers":[],"size":1}"#, "the keys `elements` and `size` of the lattice do not go together"),
            (r#"{"type":"table","elements":["a"]}"#, "the lattice has no key `covers`"),
            (r#"{"type":"table","elements":["a"],"covers":[["a","b"]]}"#, "the covers name b, which is no element"),
            (r#"{"type":"table","elements":["top","a"],"covers":[["top","a"]]}"#, "the element `top` of the table is not the top, but its name means that in every lattice"),
            (&no_lattice, "this order is no lattice: c and d have no meet"),
            (&nested, "lattices are nested more than 64 deep"),
            (&large_table, "the lattice is too large: it would take more than 1024 MiB by itself"),
        ],
        |lattice| late(lattice, r#"{"id":1,"kind":"leaf","value":"top"}"#),
    );
}

#[test]
fn a_reader_that_fails_is_reported_with_its_cause() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }
    let error = read_problem(b"{\"root\":".chain(Broken)).expect_err("it fails");
    assert_eq!(
        error.to_string(),
        "the file cannot be read: the disk is on fire"
    );
    assert!(std::error::Error::source(&error).is_some());
}
