//! Values as JSON: what may be written, how it is printed, and that what is printed can be read.

use meetjoin_file::{
    lattice_from_json, lattice_to_json, read_value, write_compact, write_input, write_readable,
    write_value,
};
use meetjoin_lattice::{AnyElem, AnyLattice, Lattice};

const M3: &str = r#"{"type":"table","elements":["0","a","b","c","1"],
    "covers":[["0","a"],["0","b"],["0","c"],["a","1"],["b","1"],["c","1"]]}"#;

fn lattice(json: &str) -> AnyLattice {
    lattice_from_json(json).expect("a lattice")
}

fn printed(lattice: &AnyLattice, value: &AnyElem) -> String {
    let mut out = String::new();
    write_value(lattice, value, &mut out);
    out
}

fn readable(lattice: &AnyLattice, value: &AnyElem, worlds: Option<&[String]>) -> String {
    let mut out = String::new();
    write_readable(lattice, value, worlds, &mut out);
    out
}

/// Lattice, value as read, value as printed, value for people.
const VALUES: &[(&str, &str, &str, &str)] = &[
    (r#"{"type":"bool"}"#, " true ", "true", "true"),
    (r#"{"type":"bool"}"#, "\"bottom\"", "false", "false"),
    (r#"{"type":"chain"}"#, "-0", "0", "0"),
    (
        r#"{"type":"chain"}"#,
        "-9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775808",
    ),
    (r#"{"type":"chain"}"#, "\"bottom\"", "\"-inf\"", "-inf"),
    (r#"{"type":"chain","hi":7}"#, "\"top\"", "7", "7"),
    (r#"{"type":"chain"}"#, "\"\\u002binf\"", "\"+inf\"", "+inf"),
    (r#"{"type":"chain","lo":0.0}"#, "7", "7.0", "7.0"),
    (r#"{"type":"chain","lo":0.0}"#, "0.1e0", "0.1", "0.1"),
    (r#"{"type":"chain","lo":0.0}"#, "1e21", "1e21", "1e21"),
    (
        r#"{"type":"chain","lo":0.0}"#,
        "\"+inf\"",
        "\"+inf\"",
        "+inf",
    ),
    (
        r#"{"type":"chain","hi":1.5}"#,
        "9007199254740993e-20",
        "9.007199254740993e-5",
        "9.007199254740993e-5",
    ),
    (r#"{"type":"powerset","v":3}"#, "[1, 3]", "[1,3]", "{1,3}"),
    (r#"{"type":"powerset","v":3}"#, "[]", "[]", "{}"),
    (r#"{"type":"powerset","v":0}"#, "\"top\"", "[]", "{}"),
    (
        r#"{"type":"powerset","v":64}"#,
        "[1,64]",
        "[1,64]",
        "{1,64}",
    ),
    (
        r#"{"type":"powerset","v":65}"#,
        "[1,64,65]",
        "[1,64,65]",
        "{1,64,65}",
    ),
    (r#"{"type":"families","v":3}"#, "[]", "[[]]", "{}"),
    (r#"{"type":"families","v":3}"#, "[ [ ] ]", "[[]]", "{}"),
    (r#"{"type":"families","v":3}"#, "\"bottom\"", "[]", "no set"),
    (
        r#"{"type":"families","v":3}"#,
        "\"top\"",
        "[[1,2,3]]",
        "{1,2,3}",
    ),
    (r#"{"type":"families","v":3}"#, "[1,3]", "[[1,3]]", "{1,3}"),
    // 3 before 1,2 as numbers of bits, after it as a list.
    (
        r#"{"type":"families","v":4}"#,
        "[[3],[1],[1,2],[2,3],[1,2],[4]]",
        "[[1,2],[2,3],[4]]",
        "{1,2} {2,3} {4}",
    ),
    (
        r#"{"type":"families","v":70}"#,
        "[[70],[1,69],[1,2,70]]",
        "[[1,2,70],[1,69]]",
        "{1,2,70} {1,69}",
    ),
    (
        r#"{"type":"product","dims":3}"#,
        "[1, -2, 3]",
        "[1,-2,3]",
        "(1,-2,3)",
    ),
    (
        r#"{"type":"product","dims":2,"lo":0}"#,
        "\"bottom\"",
        "[0,0]",
        "(0,0)",
    ),
    (
        r#"{"type":"product","dims":2,"lo":0}"#,
        "[\"top\",5]",
        "[\"+inf\",5]",
        "(+inf,5)",
    ),
    (r#"{"type":"product","dims":0}"#, "[]", "[]", "()"),
    (
        r#"{"type":"product","of":[{"type":"families","v":2},{"type":"bool"}]}"#,
        "[\"bottom\",true]",
        "[[],true]",
        "(no set,true)",
    ),
    (r#"{"type":"divisors","n":12}"#, "4", "4", "4"),
    (
        r#"{"type":"divisors","n":18446744073709551615}"#,
        "\"top\"",
        "18446744073709551615",
        "18446744073709551615",
    ),
    (
        r#"{"type":"dual","of":{"type":"families","v":2}}"#,
        "\"top\"",
        "[]",
        "no set",
    ),
    (
        r#"{"type":"dual","of":{"type":"families","v":2}}"#,
        "\"bottom\"",
        "[[1,2]]",
        "{1,2}",
    ),
    (
        r#"{"type":"dual","of":{"type":"dual","of":{"type":"families","v":2}}}"#,
        "\"bottom\"",
        "[]",
        "no set",
    ),
    (r#"{"type":"dual","of":{"type":"chain"}}"#, "5", "5", "5"),
    (
        r#"{"type":"free","dims":2}"#,
        "[1,2]",
        "[[[1,2]]]",
        "{(1,2)}",
    ),
    (r#"{"type":"free","dims":2}"#, "[]", "[]", "no packet"),
    (
        r#"{"type":"free","dims":2}"#,
        "\"bottom\"",
        "[]",
        "no packet",
    ),
    (
        r#"{"type":"free","dims":2}"#,
        "[[]]",
        "[[]]",
        "the empty packet",
    ),
    (
        r#"{"type":"free","dims":2}"#,
        "\"top\"",
        "[[]]",
        "the empty packet",
    ),
    // The packet {(1,0),(0,1)} lies below {(1,1)}, and (3,0) above (1,0) within its packet is dropped.
    (
        r#"{"type":"free","dims":2}"#,
        "[[[4,-1]],[[1,0],[0,1]],[[1,1]],[[5,-5],[-1,2],[6,-5]]]",
        "[[[-1,2],[5,-5]],[[1,1]],[[4,-1]]]",
        "{(-1,2) (5,-5)} {(1,1)} {(4,-1)}",
    ),
    (M3, "\"a\"", "\"a\"", "a"),
    (M3, "\"bottom\"", "\"0\"", "0"),
    (
        r#"{"type":"table","size":2,"leq":[[1,1],[0,1]],"name":"a chain"}"#,
        "1",
        "1",
        "1",
    ),
];

#[test]
fn values_are_printed_as_the_format_says() {
    for (json, read, print, people) in VALUES {
        let lattice = lattice(json);
        let value = read_value(&lattice, read).unwrap_or_else(|e| panic!("{json} {read}: {e}"));
        assert_eq!(printed(&lattice, &value), *print, "{json} {read}");
        assert_eq!(readable(&lattice, &value, None), *people, "{json} {read}");
        let mut input = String::new();
        write_input(&lattice, &value, &mut input);
        assert_eq!(read_value(&lattice, &input), Ok(value), "{json} {input}");
    }
}

#[test]
fn lattices_are_written_as_they_are_read() {
    for (json, ..) in VALUES {
        let once = lattice(json);
        let text = lattice_to_json(&once);
        assert_eq!(lattice_from_json(&text), Ok(once), "{json} as {text}");
    }
    for (read, written) in [
        (
            r#"{"lo":"-inf","type":"chain","hi":3}"#,
            r#"{"type":"chain","hi":3}"#,
        ),
        (
            r#"{"type":"chain","lo":"+inf"}"#,
            r#"{"type":"chain","lo":"+inf"}"#,
        ),
        (
            r#"{"type":"chain","lo":1,"hi":2.5}"#,
            r#"{"type":"chain","lo":1.0,"hi":2.5}"#,
        ),
        (
            r#"{"type":"product","of":[{"type":"chain"},{"type":"chain"}]}"#,
            r#"{"type":"product","dims":2}"#,
        ),
        (
            r#"{"type":"product","of":[{"type":"chain"},{"type":"bool"}]}"#,
            r#"{"type":"product","of":[{"type":"chain"},{"type":"bool"}]}"#,
        ),
        (
            r#"{"type":"product","of":[]}"#,
            r#"{"type":"product","of":[]}"#,
        ),
        (
            r#"{"type":"dual","of":{"type":"free","dims":3}}"#,
            r#"{"type":"dual","of":{"type":"free","dims":3}}"#,
        ),
        // A pair of the order that is no cover is not written.
        (
            r#"{"type":"table","elements":["a","\"","c"],"covers":[["a","\""],["a","c"],["\"","c"]]}"#,
            r#"{"type":"table","elements":["a","\"","c"],"covers":[["a","\""],["\"","c"]]}"#,
        ),
        (
            r#"{"type":"table","size":1,"leq":[[1]],"name":"point"}"#,
            r#"{"type":"table","size":1,"leq":[[1]]}"#,
        ),
    ] {
        assert_eq!(lattice_to_json(&lattice(read)), written);
    }
}

#[test]
fn worlds_have_names_for_people() {
    let names = ["ace".to_owned(), "king".to_owned(), "queen".to_owned()];
    let json = r#"{"type":"product","of":[{"type":"powerset","v":3},{"type":"families","v":3}]}"#;
    let lattice = lattice(json);
    let value = read_value(&lattice, "[[1,3],[[2],[3]]]").expect("a value");
    let text = readable(&lattice, &value, Some(&names));
    assert_eq!(text, "({ace,queen},{king} {queen})");
}

#[test]
fn a_value_alone_is_checked_like_one_in_a_file() {
    let chain = lattice(r#"{"type":"chain"}"#);
    for (json, sentence) in [
        ("", "`` is not JSON text"),
        ("[1", "`[1` is not JSON text"),
        ("1 2", "`1 2` is not JSON text"),
        // A lattice on its own is settled: integers stay integers.
        ("2.5", "`2.5` is not a 64-bit integer from -inf to +inf"),
        ("\"a\nb\"", "`\"a b\"` is not JSON text"),
    ] {
        let error = read_value(&chain, json).expect_err("no value");
        assert_eq!(error.to_string(), sentence);
    }
    let long = format!("[{}]", "1,".repeat(1000));
    let error = read_value(&chain, &long).expect_err("no value");
    assert!(error.to_string().len() < 120);
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    for json in [
        r#"{"type":"families","v":3}"#,
        r#"{"type":"free","dims":1}"#,
    ] {
        read_value(&lattice(json), &deep).expect_err("no value");
    }
}

#[test]
fn an_element_of_another_lattice_is_printed_without_panic() {
    let table = lattice(M3);
    let other = AnyElem::Element(99);
    assert_eq!(printed(&table, &other), "99");
    let product = lattice(r#"{"type":"product","dims":2}"#);
    assert_eq!(printed(&table, &product.top()), "null");
}

#[test]
fn sets_as_hexadecimal_numbers() {
    for (v, json, digits) in [
        (8, "[]", r#""0""#),
        (8, "[1]", r#""1""#),
        (8, "[1,2,3,4,5]", r#""1f""#),
        (100, "[5,100]", r#""8000000000000000000000010""#),
    ] {
        let powerset = lattice(&format!(r#"{{"type":"powerset","v":{v}}}"#));
        let families = lattice(&format!(r#"{{"type":"families","v":{v}}}"#));
        for (lattice, json, digits) in [
            (&powerset, json.to_owned(), digits.to_owned()),
            (&families, format!("[{json}]"), format!("[{digits}]")),
        ] {
            let value = read_value(lattice, &json).expect("a value");
            let mut text = String::new();
            write_compact(lattice, &value, &mut text);
            assert_eq!(text, digits);
            assert_eq!(read_value(lattice, &text).expect("the same"), value);
        }
    }
    let families = lattice(r#"{"type":"families","v":8}"#);
    let both = read_value(&families, r#"["3", "6"]"#).expect("a family");
    assert_eq!(printed(&families, &both), "[[1,2],[2,3]]");
    let mut text = String::new();
    write_compact(&families, &families.bottom(), &mut text);
    assert_eq!(text, "\"bottom\"");
    for wrong in [
        r#""""#, r#""00""#, r#""01""#, r#""A""#, r#""g""#, r#""100""#,
    ] {
        let error = read_value(&families, wrong)
            .expect_err("no set")
            .to_string();
        assert!(!error.contains('\n'), "{error}");
    }
}
