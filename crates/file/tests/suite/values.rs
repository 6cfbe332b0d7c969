//! Values as JSON: what may be written, how it is printed, and that what is printed can be read.

use meetjoin_dag::WorldNames;
use meetjoin_file::{
    Written, lattice_from_json, lattice_to_json, print_value, read_value, write_compact,
    write_readable, write_value,
};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Chain, Dual, Lattice, Product};

const M3: &str = r#"{"type":"table","elements":["0","a","b","c","1"],
    "covers":[["0","a"],["0","b"],["0","c"],["a","1"],["b","1"],["c","1"]]}"#;

pub(crate) fn lattice(json: &str) -> AnyLattice {
    lattice_from_json(json).expect("a lattice")
}

fn printed(lattice: &AnyLattice, value: &AnyElem) -> String {
    let mut out = String::new();
    print_value(lattice, value, &mut out);
    out
}

pub(crate) fn readable(
    lattice: &AnyLattice,
    value: &AnyElem,
    worlds: Option<&WorldNames>,
) -> String {
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
    // The packet {(1,0),(0,1)} lies below {(1,1)}, and (3,0) above (1,0) within its packet is
    // dropped.
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
        write_value(&lattice, &value, &mut input);
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
    let names = ["ace", "king", "queen"].map(str::to_owned).to_vec();
    let names = WorldNames::from(names);
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

/// Each lattice without parts, with some of its values. The ends come by themselves.
const SIMPLE: &[(&str, &[&str])] = &[
    (r#"{"type":"bool"}"#, &[]),
    (
        r#"{"type":"chain"}"#,
        &["0", "-9223372036854775808", "9223372036854775807"],
    ),
    (r#"{"type":"chain","lo":-2,"hi":2}"#, &["0"]),
    (r#"{"type":"chain","lo":0.5}"#, &["0.5", "1e300", "2"]),
    (r#"{"type":"powerset","v":0}"#, &[]),
    (r#"{"type":"powerset","v":5}"#, &["[]", "[1,5]"]),
    (r#"{"type":"powerset","v":70}"#, &["[]", "[1,64,65,70]"]),
    (r#"{"type":"families","v":0}"#, &["[]"]),
    (r#"{"type":"families","v":1}"#, &["[]", "[1]"]),
    (
        r#"{"type":"families","v":5}"#,
        &["[]", "[3]", "[[1,2],[2,5]]"],
    ),
    (
        r#"{"type":"families","v":70}"#,
        &["[]", "[3]", "[[1,2],[2,70]]"],
    ),
    (r#"{"type":"product","dims":2,"lo":0}"#, &["[0,7]"]),
    (r#"{"type":"divisors","n":12}"#, &["4", "6"]),
    (r#"{"type":"monotone","v":0}"#, &["[[]]"]),
    (
        r#"{"type":"monotone","v":3}"#,
        &["1", "-2", "[[]]", "[[1,2],[-3]]"],
    ),
    (
        r#"{"type":"free","dims":2}"#,
        &["[]", "[[]]", "[1,2]", "[[[1,2],[2,1]],[[0,5]]]"],
    ),
    (
        r#"{"type":"table","size":2,"leq":[[1,1],[0,1]]}"#,
        &["0", "1"],
    ),
    (M3, &["\"a\"", "\"0\""]),
    (
        r#"{"type":"table","elements":["f","0","[]","3"],"covers":[["f","0"],["f","[]"],["0","3"],["[]","3"]]}"#,
        &["\"f\"", "\"[]\""],
    ),
];

/// A lattice with some values.
#[derive(Clone)]
struct Sampled {
    lattice: AnyLattice,
    values: Vec<AnyElem>,
}

impl Sampled {
    /// These and the ends, bottom first.
    fn new(lattice: AnyLattice, values: impl IntoIterator<Item = AnyElem>) -> Self {
        let mut all = vec![lattice.bottom(), lattice.top()];
        all.extend(values);
        Self {
            lattice,
            values: all,
        }
    }

    fn dual(&self) -> Self {
        let lattice = AnyLattice::Dual(Box::new(Dual(self.lattice.clone())));
        Self::new(lattice, self.values.iter().cloned())
    }

    fn with(&self, other: &Self) -> Self {
        let factors = vec![self.lattice.clone(), other.lattice.clone()];
        let lattice = AnyLattice::Product(Product::new(factors));
        let most = self.values.len().max(other.values.len());
        let pairs = (0..2 * most).map(|place| {
            let of =
                |sampled: &Self, place: usize| sampled.values[place % sampled.values.len()].clone();
            AnyElem::Tuple([of(self, place), of(other, place / 2)].into())
        });
        Self::new(lattice, pairs)
    }
}

/// Every construction of these lattices.
fn constructions(of: &[Sampled], with: &[Sampled]) -> Vec<Sampled> {
    let duals = of.iter().map(Sampled::dual);
    let products = of.iter().flat_map(|a| with.iter().map(move |b| a.with(b)));
    duals.chain(products).collect()
}

#[test]
fn what_is_written_reads_back_in_every_lattice_two_deep() {
    let simple: Vec<Sampled> = SIMPLE
        .iter()
        .map(|(json, values)| {
            let lattice = lattice(json);
            let read = |text: &&str| read_value(&lattice, text).expect("a value");
            let values: Vec<AnyElem> = values.iter().map(read).collect();
            Sampled::new(lattice, values)
        })
        .collect();
    let once = constructions(&simple, &simple);
    let twice = constructions(&once, &simple[7..9]);
    let mut count = 0;
    for Sampled { lattice, values } in simple.iter().chain(&once).chain(&twice) {
        for value in values {
            for write in [
                write_value,
                write_compact,
                |l: &AnyLattice, v: &AnyElem, out: &mut String| l.write(v, out),
            ] {
                let mut text = String::new();
                write(lattice, value, &mut text);
                assert_eq!(
                    read_value(lattice, &text).as_ref(),
                    Ok(value),
                    "{text} of {lattice:?}"
                );
                assert_eq!(
                    lattice.read(&text).as_ref(),
                    Some(value),
                    "{text} of {lattice:?}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 30_000, "{count}");
}

/// Searches that are compiled for a lattice go on from what those of a lattice chosen at run time
/// wrote, and the other way round.
#[test]
fn compiled_lattices_write_as_those_chosen_at_run_time() {
    fn same<L: Written>(
        any: &AnyLattice,
        compiled: &L,
        of: impl Fn(&AnyElem) -> Option<L::Elem>,
        values: &[&str],
    ) {
        for value in ["\"bottom\"", "\"top\""].iter().chain(values) {
            let value = read_value(any, value).expect("a value");
            let element = of(&value).expect("one of this lattice");
            let (mut by_any, mut by_compiled) = (String::new(), String::new());
            any.write(&value, &mut by_any);
            compiled.write(&element, &mut by_compiled);
            assert_eq!(by_any, by_compiled);
            assert_eq!(compiled.read(&by_any), Some(element));
        }
    }
    for (json, values) in SIMPLE {
        let any = lattice(json);
        match &any {
            AnyLattice::Integers(l) => same(
                &any,
                l,
                |v| {
                    if let AnyElem::Integer(v) = v {
                        Some(*v)
                    } else {
                        None
                    }
                },
                values,
            ),
            AnyLattice::SmallPowerset(l) => same(
                &any,
                l,
                |v| {
                    if let AnyElem::SmallSet(v) = v {
                        Some(*v)
                    } else {
                        None
                    }
                },
                values,
            ),
            AnyLattice::Powerset(l) => same(
                &any,
                l,
                |v| {
                    if let AnyElem::Set(v) = v {
                        Some(v.clone())
                    } else {
                        None
                    }
                },
                values,
            ),
            AnyLattice::SmallFamilies(l) => same(
                &any,
                l,
                |v| {
                    if let AnyElem::SmallFamily(v) = v {
                        Some(v.clone())
                    } else {
                        None
                    }
                },
                values,
            ),
            AnyLattice::Families(l) => same(
                &any,
                l,
                |v| {
                    if let AnyElem::Family(v) = v {
                        Some(v.clone())
                    } else {
                        None
                    }
                },
                values,
            ),
            _ => {}
        }
    }
    let small = Chain::new(-3_i16, 3).expect("a chain");
    let mut text = String::new();
    small.write(&-2, &mut text);
    assert_eq!(
        (&*text, small.read("-2"), small.read("7"), small.read("x")),
        ("-2", Some(-2), Some(3), None)
    );
}

#[test]
fn functions_with_many_sets_are_diagrams() {
    let lattice = lattice(r#"{"type":"monotone","v":60}"#);
    let AnyLattice::Monotone(functions) = &lattice else {
        panic!("functions of events");
    };
    let budget = Budget::unlimited();
    let mut value = lattice.top();
    for event in (1..60).step_by(2) {
        let either = functions.of_sets(&[vec![event], vec![event + 1]], &budget);
        let either = AnyElem::Function(either.expect("no limit"));
        lattice
            .meet_assign(&mut value, &either, &budget)
            .expect("no limit");
    }
    assert_eq!(printed(&lattice, &value), r#"{"count":"1073741824"}"#);
    for write in [write_value, write_compact] {
        let mut text = String::new();
        write(&lattice, &value, &mut text);
        assert!(
            text.starts_with(r#"{"diagram":[[60,1,0],[59,1,2],"#),
            "{text}"
        );
        assert_eq!(read_value(&lattice, &text).as_ref(), Ok(&value));
        // In another store too, and it is the same function there.
        let other = lattice_from_json(r#"{"type":"monotone","v":60}"#).expect("a lattice");
        let there = read_value(&other, &text).expect("a function");
        let mut again = String::new();
        write(&other, &there, &mut again);
        assert_eq!(again, text);
    }
    let xor = read_value(&lattice, r#"{"diagram":[[2,0,1],[2,1,0],[1,2,3]]}"#);
    assert_eq!(
        printed(&lattice, &xor.expect("a function")),
        "[[-1,2],[1,-2]]"
    );
    for wrong in [
        r#"{"diagram":[]}"#,
        r#"{"diagram":[[0,1,0]]}"#,
        r#"{"diagram":[[61,1,0]]}"#,
        r#"{"diagram":[[1,1,2]]}"#,
        r#"{"diagram":[[1,1,0],[1,2,0]]}"#,
        r#"{"diagram":[[1,1,0],[2,2,0]]}"#,
        r#"{"diagram":[[1,1,0]],"root":2}"#,
        r#"{"count":"5"}"#,
    ] {
        let error = read_value(&lattice, wrong)
            .expect_err("no value")
            .to_string();
        assert!(
            error.ends_with("is not a diagram of events of this lattice"),
            "{error}"
        );
    }
}

#[test]
fn a_name_means_the_same_end_in_a_dual() {
    let table = r#"{"type":"table","elements":["low","top"],"covers":[["low","top"]]}"#;
    assert!(lattice_from_json(table).is_ok());
    let error = lattice_from_json(&format!(r#"{{"type":"dual","of":{table}}}"#));
    let error = error.expect_err("`top` would be its bottom").to_string();
    assert!(
        error.starts_with("the table has an element `top`, which is not the top of its dual"),
        "{error}"
    );
}
