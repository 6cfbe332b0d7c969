//! Files that are no problem: status 2, nothing printed, one sentence with the file and, where
//! there is one, node and place.

use crate::support::{EXAMPLE, M3, Scratch, answer, leaf, meetjoin, problem, refused, solve};

const BOOL: &str = r#"{"type":"bool"}"#;
const SETS: &str = r#"{"type":"powerset","v":3}"#;
const X: &str = r#"{"id":"x","kind":"leaf","value":true}"#;

/// That a problem on one line is refused by a sentence with all these parts.
fn check(problem: impl AsRef<[u8]>, parts: &[&str]) {
    let run = solve(&problem, &[]);
    let sentence = refused(&run);
    let shown = String::from_utf8_lossy(problem.as_ref());
    let shown: String = shown.chars().take(300).collect();
    assert!(sentence.starts_with("standard input: "), "{sentence}");
    for part in parts {
        assert!(sentence.contains(part), "{part}: {sentence}\n{shown}");
    }
}

#[test]
#[rustfmt::skip]
fn nodes() {
    let at = "(line 1 column ";
    for (nodes, parts) in [
        (r#"{"id":1,"kind":"or","children":["x",7]},X"#, &["node 1", "child 7", "not defined"][..]),
        (r#"{"id":1,"kind":"or","children":["1"]}"#, &["node 1", r#"child "1""#, "not defined"]),
        (r#"{"id":1,"kind":"or","children":["x"]},X,X"#, &[r#"node "x""#, "used twice", at]),
        (r#"{"id":1,"kind":"or","children":["x",1]},X"#, &["cycle: 1 -> 1"]),
        (r#"{"id":1,"kind":"or","children":[2,"x"]},{"id":2,"kind":"and","children":["a"]},{"id":"a","kind":"or","children":[2]},X"#,
         &[r#"2 -> "a" -> 2"#]),
        (r#"{"id":1,"kind":"or","children":["x"]},{"id":2,"kind":"and","children":[2]},X"#, &["cycle: 2 -> 2"]),
        (r#"{"id":1,"kind":"and","children":[]}"#, &["node 1", "child", at]),
        (r#"{"id":1,"kind":"or"}"#, &["node 1", "`children`", at]),
        (r#"{"kind":"max","id":1,"children":["x"]},X"#, &["node 1", r#"kind "max""#, r#""and", "or" or "leaf""#, at]),
        (r#"{"id":1,"kind":"Leaf","value":true}"#, &["node 1", r#"kind "Leaf""#, at]),
        (r#"{"id":1,"kind":"leaf"}"#, &["node 1", "`value`", at]),
        (r#"{"id":1,"value":true}"#, &["node 1", "`kind`", at]),
        (r#"X,{"kind":"leaf","value":true}"#, &["node number 2", "`id`", at]),
        (r#"{"id":1,"kind":"leaf","value":true,"lower":false}"#, &["node 1", "leaf", "`lower`", at]),
        (r#"{"upper":true,"id":1,"kind":"leaf","value":true}"#, &["node 1", "leaf", "`upper`", at]),
        (r#"{"id":1,"kind":"leaf","value":true,"children":[]}"#, &["node 1", "`children`", at]),
        (r#"{"id":1,"kind":"or","children":["x"],"value":true},X"#, &["node 1", "`value`", at]),
        (r#"{"id":1,"kind":"or","children":["x"],"lower":true,"upper":false},X"#, &["node 1", "lower bound", "upper bound", at]),
        (r#"{"id":1,"kind":"or","children":["x"],"lower":1},X"#, &["node 1", "lower bound `1`", at]),
        (r#"{"id":1,"kind":"leaf","value":true,"colour":3}"#, &["node 1", "unknown key `colour`", at]),
        (r#"{"id":1,"kind":"leaf","value":true,"value":true}"#, &["node 1", "`value` appears twice", at]),
        (r#"{"id":1,"kind":"leaf","value":true,"note":7}"#, &["node 1", "`7`", at]),
        (r#"{"id":1.5,"kind":"leaf","value":true}"#, &["node number 1", "`1.5`", "an id", at]),
        (r#"{"id":9223372036854775808,"kind":"leaf","value":true}"#, &["node number 1", "9223372036854775808", at]),
        (r#"{"id":1e400,"kind":"leaf","value":true}"#, &["number out of range", at]),
        (r#"{"id":1,"kind":"or","children":"x"},X"#, &["node 1", "a list of ids", at]),
        (r#"{"id":1,"kind":"or","children":[null]},X"#, &["node 1", "an id", at]),
        ("X,7", &["node number 2", "a node", at]),
        ("", &["root 1", "not defined"]),
        ("X", &["root 1", "not defined"]),
    ] {
        let nodes = nodes.replace('X', X);
        check(problem(BOOL, &nodes), parts);
    }
}

#[test]
#[rustfmt::skip]
fn values_outside_the_lattice() {
    for (lattice, values, expected) in [
        (BOOL, &["1", "null", "\"true\"", "[true]", "\"Top\""][..], "`true` or `false`"),
        (r#"{"type":"chain"}"#,
         &["true", "\"inf\"", "[1]", "1e400", "-1e400", "18446744073709551616", "9223372036854775808", "1000000000000000000000000000000"],
         "a 64-bit integer or a decimal"),
        (r#"{"type":"chain","lo":3,"hi":7}"#, &["2", "8", "7.5", "2.9", "\"-inf\"", "\"+inf\""], "from 3 to 7"),
        (r#"{"type":"chain","lo":0.5,"hi":2}"#, &["0", "3", "0.4", "\"x\""], "from 0.5 to 2.0"),
        (SETS, &["[4]", "[0]", "[2,1]", "[1,1]", "[-1]", "[1.0]", "1", "{}", "[[1]]", "[18446744073709551616]"],
         "an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"powerset","v":0}"#, &["[1]", "[0]"], "an ascending list"),
        (r#"{"type":"families","v":3}"#, &["[4]", "[3,1]", "[[1],[4]]", "[[1],2]", "[1,[2]]", "1", "[[[1]]]"],
         "an ascending list of distinct integers from 1 to 3"),
        (r#"{"type":"product","dims":2}"#, &["[1]", "[1,2,3]", "1"], "a list of 2 values"),
        (r#"{"type":"divisors","n":12}"#, &["5", "0", "-1", "24", "6.0", "1e30", "\"1\""], "a positive divisor of 12"),
        (r#"{"type":"dual","of":{"type":"powerset","v":3}}"#, &["[4]"], "an ascending list"),
        (r#"{"type":"free","dims":2}"#, &["[1]", "[1,2,3]", "[1,2.5]", "[1,\"+inf\"]", "[[1,2]]", "[[[1]]]", "7",
           "[[[1,2],[3]]]", "[[[1,2]],[[3,4,5]]]", "[[[1,1e400]]]", "[\"-inf\",0]", "[[[]]]"], "a vector of 2 integers"),
        (r#"{"type":"table","size":2,"leq":[[1,1],[0,1]]}"#, &["2", "-1", "0.0", "\"0\""], "0 to 1"),
        (r#"{"type":"table","elements":["a","b"],"covers":[["a","b"]]}"#, &["\"c\"", "0", "\"A\""], "the name of an element"),
    ] {
        for value in values {
            check(leaf(lattice, value), &["node 1: the value `", value, expected, "(line 1 column "]);
            // The lattice may come last; then the place is gone, but not the node.
            let late = format!(
                r#"{{"format":"meetjoin-problem/1","root":1,"nodes":[{{"value":{value},"id":1,"kind":"leaf"}}],"lattice":{lattice}}}"#
            );
            check(late, &["node 1: the value `", value, expected]);
        }
    }
    // Within a product, the part that is wrong is shown.
    for (lattice, value, parts) in [
        (r#"{"type":"product","dims":2}"#, "[1,2.5]", ["`2.5`", "a 64-bit integer"]),
        (r#"{"type":"product","of":[{"type":"bool"},{"type":"chain"}]}"#, "[1,1]", ["`1`", "`true` or `false`"]),
    ] {
        check(leaf(lattice, value), &["node 1: the value "]);
        check(leaf(lattice, value), &parts);
    }
    // A large integer is fine until a decimal stands beside it.
    let large = r#"{"id":1,"kind":"or","children":[2,3]},{"id":2,"kind":"leaf","value":9007199254740993},{"id":3,"kind":"leaf","value":1}"#;
    let chain = r#"{"type":"chain"}"#;
    assert_eq!(answer(&problem(chain, large), &[])["value"].to_string(), "9007199254740993");
    let decimal = large.replace("\"value\":1}", "\"value\":1.5}");
    check(problem(chain, &decimal), &["node 2: the value `9007199254740993`", "2^53"]);
}

#[test]
#[rustfmt::skip]
fn lattices() {
    for (lattice, parts) in [
        (r#"{"type":"set"}"#, &["unknown lattice `set`", "`powerset`", "`free`"][..]),
        (r#"{"type":"dual","of":{"type":"dominance","dims":2}}"#, &["`dominance` is no lattice", "meetjoin packets"]),
        ("[]", &["the lattice `[]`", "object"]),
        ("\"bool\"", &["the lattice `\"bool\"`", "object"]),
        ("{}", &["no key `type`"]),
        (r#"{"type":"bool","v":3}"#, &["unknown key `v`"]),
        (r#"{"type":"bool","type":"bool"}"#, &["`type` appears twice"]),
        (r#"{"type":"powerset"}"#, &["no key `v`"]),
        (r#"{"type":"powerset","v":-1}"#, &["`v`", "`-1`"]),
        (r#"{"type":"powerset","v":1e3}"#, &["`v`", "`1e3`"]),
        (r#"{"type":"families","v":18446744073709551616}"#, &["`v`", "`18446744073709551616`"]),
        (r#"{"type":"families","v":18446744073709551615}"#, &["too large"]),
        (r#"{"type":"product","dims":100000000000}"#, &["too large"]),
        (r#"{"type":"product"}"#, &["no key `dims`"]),
        (
            r#"{"type":"product","dims":2,"of":[]}"#,
            &["`of` and `dims`", "do not go together"],
        ),
        (r#"{"type":"product","dims":2,"lo":0.5}"#, &["`lo`", "`0.5`", "integer"]),
        (r#"{"type":"product","of":[{"type":"x"}]}"#, &["unknown lattice `x`"]),
        (r#"{"type":"dual"}"#, &["no key `of`"]),
        (r#"{"type":"dual","of":{"type":"powerset"}}"#, &["no key `v`"]),
        (r#"{"type":"divisors","n":0}"#, &["`n`", "`0`", "positive"]),
        (r#"{"type":"divisors","n":18446744073709551616}"#, &["`n`", "64-bit"]),
        (r#"{"type":"chain","lo":7,"hi":3}"#, &["`lo`", "above `hi`"]),
        (r#"{"type":"chain","lo":"x"}"#, &["`lo`", "`\"x\"`"]),
        (r#"{"type":"free"}"#, &["no key `dims`"]),
        (r#"{"type":"free","dims":0}"#, &["`dims`", "`0`", "positive"]),
        (r#"{"type":"table"}"#, &["no key `size`"]),
        (r#"{"type":"table","size":3,"leq":[[1,1],[0,1]]}"#, &["`size`", "`3`"]),
        (r#"{"type":"table","size":2,"leq":[[1,1],[0]]}"#, &["row 1", "1 entry"]),
        (r#"{"type":"table","size":2,"leq":[[1,2],[0,1]]}"#, &["`leq`", "0 and 1"]),
        (r#"{"type":"table","size":2,"leq":[[0,1],[0,1]]}"#, &["not reflexive", "0"]),
        (r#"{"type":"table","size":2,"leq":[[1,1],[1,1]]}"#, &["not antisymmetric", "0 and 1"]),
        (r#"{"type":"table","size":3,"leq":[[1,1,0],[0,1,1],[0,0,1]]}"#, &["not transitive", "0", "2"]),
        // Two minimal elements under one top; two maximal ones over one bottom.
        (r#"{"type":"table","size":3,"leq":[[1,0,1],[0,1,1],[0,0,1]]}"#, &["no lattice: 0 and 1", "meet"]),
        (r#"{"type":"table","elements":["o","p","q"],"covers":[["o","p"],["o","q"]]}"#, &["no lattice: p and q", "join"]),
        (r#"{"type":"table","elements":["a","b"],"covers":[["a","c"]]}"#, &["c", "no element"]),
        (r#"{"type":"table","elements":["a","a"],"covers":[]}"#, &["a", "twice"]),
        (r#"{"type":"table","elements":["a","b"],"covers":[["a","b"],["b","a"]]}"#, &["circle", "a"]),
        (r#"{"type":"table","elements":[],"covers":[]}"#, &["at least one element"]),
        (r#"{"type":"table","elements":["top","x"],"covers":[["top","x"]]}"#, &["`top`", "means"]),
    ] {
        check(leaf(lattice, "true"), parts);
        check(leaf(lattice, "true"), &["(line 1 column "]);
    }
}

#[test]
#[rustfmt::skip]
fn files_as_a_whole() {
    let f = r#""format":"meetjoin-problem/1""#;
    let l = r#""lattice":{"type":"bool"}"#;
    let n = r#""nodes":[{"id":1,"kind":"leaf","value":true}]"#;
    for (keys, parts) in [
        (format!(r#""format":"meetjoin-problem/2",{l},"root":1,{n}"#), &["\"meetjoin-problem/2\"", "\"meetjoin-problem/1\"", "(line 1 column "][..]),
        (format!(r#""format":1,{l},"root":1,{n}"#), &["`format`", "`1`", "(line 1 column "]),
        (format!(r#"{l},"root":1,{n}"#), &["no key `format`"]),
        (format!(r#"{f},"root":1,{n}"#), &["no key `lattice`"]),
        (format!("{f},{l},{n}"), &["no key `root`"]),
        (format!(r#"{f},{l},"root":1"#), &["no key `nodes`"]),
        (format!(r#"{f},{l},"root":"1",{n}"#), &["root \"1\"", "not defined"]),
        (format!(r#"{f},{l},"root":[1],{n}"#), &["`root`", "an id", "(line 1 column "]),
        (format!(r#"{f},{l},"root":1,{n},"goal":3"#), &["unknown key `goal`", "(line 1 column "]),
        (format!(r#"{f},{l},"goal":3,"root":1,{n}"#), &["unknown key `goal`", "(line 1 column "]),
        (format!(r#"{f},{f},{l},"root":1,{n}"#), &["`format` appears twice", "(line 1 column "]),
        (format!(r#"{f},{l},"root":1,{n},"note":[]"#), &["`note`", "(line 1 column "]),
        (format!(r#"{f},{l},"root":1,{n},"worlds":["a"]"#), &["`worlds`", "no sets"]),
        (format!(r#"{f},"lattice":{SETS},"root":1,"nodes":[{{"id":1,"kind":"leaf","value":[]}}],"worlds":["a"]"#),
         &["`worlds`", "1 name for", "3 worlds"]),
        (format!(r#"{f},{l},"root":1,{n},"game":"racing""#), &["`nodes`", "`game`", "(line 1 column "]),
    ] {
        check(format!("{{{keys}}}"), parts);
    }
    for (text, parts) in [
        (&b""[..], &["not JSON", "the file is empty"][..]),
        (b" \n\n", &["not JSON", "line 3"]),
        (b"hello", &["not JSON", "line 1 column"]),
        (b"[]", &["sequence", "meetjoin-problem/1"]),
        (b"null", &["null", "meetjoin-problem/1"]),
        (b"\xff\xfe{}", &["not JSON", "UTF-16", "line 1 column 1"]),
        (b"{\x00}\x00", &["not JSON", "UTF-16", "line 1 column 2"]),
        (b"top = a and b", &["not JSON", "`meetjoin cuts`", "line 1 column"]),
        (b"\xef\xbb\xbf{}", &["not JSON", "line 1 column 1"]),
        (b"{\"format\":\"meetjoin-problem/1\",\"root\":\"\xff\"}", &["not JSON", "unicode", "line 1 column"]),
        (b"{\"a\\nb\\u001b[31m\":1}", &["unknown key `a\\nb"]),
    ] {
        check(text, parts);
    }
    check(format!("{}{}", leaf(BOOL, "true"), leaf(BOOL, "true")), &["trailing characters", "line 1 column"]);
}

#[test]
fn game_files_name_their_game() {
    for (file, game) in [
        (
            r#"{"format":"meetjoin-problem/1","game":"chess","deck":20,"lattice":{"type":"families"}}"#,
            "`chess`",
        ),
        (
            r#"{"deck":20,"format":"meetjoin-problem/1","game":"a\nb"}"#,
            r"`a\nb`",
        ),
    ] {
        check(
            file,
            &[
                "unknown game",
                game,
                "`racing`, `hidden`, `tricks`, `random`, `criteria`, `uniform`, `fault-tree`, `hexapawn`, `connect-four`, `kalah` and `tic-tac-toe`",
            ],
        );
    }
}

#[test]
fn files_cut_at_any_byte() {
    // The last line break may go.
    for end in 1..EXAMPLE.len() - 1 {
        let run = solve(&EXAMPLE[..end], &["--json"]);
        let sentence = refused(&run);
        assert!(sentence.contains("not JSON"), "{end}: {sentence}");
        assert!(sentence.contains("(line "), "{end}: {sentence}");
    }
}

#[test]
fn nesting_overflows_nothing() {
    const DEEP: usize = 100_000;
    let brackets = format!("{}{}", "[".repeat(DEEP), "]".repeat(DEEP));
    for lattice in [
        BOOL,
        SETS,
        M3,
        r#"{"type":"chain"}"#,
        r#"{"type":"families","v":3}"#,
        r#"{"type":"free","dims":1}"#,
        r#"{"type":"product","of":[{"type":"product","dims":1}]}"#,
    ] {
        check(
            leaf(lattice, &brackets),
            &["node 1: the value `[[[[", "..."],
        );
    }
    check(leaf(BOOL, &"[".repeat(DEEP)), &["not JSON"]);
    check(problem(BOOL, &brackets), &["node number 1"]);
    check("[".repeat(DEEP), &["sequence"]);
    check(r#"{"a":"#.repeat(DEEP), &["not JSON"]);
    check(format!(r#"{{"x":{brackets}}}"#), &["unknown key `x`"]);
    let nested =
        |open: &str, close: &str| format!("{}{BOOL}{}", open.repeat(DEEP), close.repeat(DEEP));
    let dual = nested(r#"{"type":"dual","of":"#, "}");
    check(leaf(&dual, "true"), &["nested more than", "deep"]);
    let product = nested(r#"{"type":"product","of":["#, "]}");
    check(leaf(&product, "true"), &["nested more than", "deep"]);
}

#[test]
fn files_and_places_are_named() {
    let scratch = Scratch::new("bad-files");
    let bad = EXAMPLE.replace("[2, 3]", "[2, 5]");
    let file = scratch.file("bad.json", &bad);
    for command in ["solve", "check", "generate"] {
        let run = meetjoin(&[command, &file], "");
        let expected = format!(
            "{file}: node \"y\": the value `[2, 5]` is not an ascending list of distinct integers from 1 to 4 (line 8 column 47)"
        );
        assert_eq!(refused(&run), expected);
        let missing = scratch.path("missing.json");
        let missing = (missing, "there is no such file");
        for (path, words) in [missing, (scratch.path(""), "it is a folder, not a file")] {
            let run = meetjoin(&[command, &path], "");
            assert_eq!(refused(&run), format!("{path}: {words}"));
        }
    }
    let odd = scratch.file("two\nlines.json", "{}");
    let run = meetjoin(&["solve", &odd], "");
    assert!(refused(&run).contains(r"two\nlines.json: "));
    assert_eq!(
        meetjoin(&["solve", &scratch.file("fine", EXAMPLE)], "").status,
        Some(0)
    );
}
