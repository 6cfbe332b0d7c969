//! Values as people read them, with names that could be misread, are read back as the same values.

use meetjoin_dag::WorldNames;
use meetjoin_file::{lattice_from_json, read_readable, read_value};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::round_trips::lattice_and_values;
use crate::values::{lattice, readable};

/// More than the worlds of any lattice here.
const NAMES: usize = 132;

/// Names made of what the text of values has around names, all different.
fn names() -> impl Strategy<Value = Vec<String>> {
    let parts = vec![
        "a",
        "b",
        "é",
        ",",
        "{",
        "}",
        ";",
        "|",
        " | ",
        "; ",
        " ",
        "\"",
        "'",
        "\\",
        "\n",
        "(",
        ")",
        "-",
        "all",
        "all others",
        "no set",
        "1",
        "2 points in ",
        "1 point in a",
        " in ",
        ": 1",
        "bottom",
        "top",
        "[1]",
        "null",
    ];
    let name = vec(prop::sample::select(parts), 0..4).prop_map(|parts| parts.concat());
    vec(name, NAMES).prop_map(|names| {
        let mut different: Vec<String> = Vec::new();
        for mut name in names {
            while different.contains(&name) {
                name.push_str(&different.len().to_string());
            }
            different.push(name);
        }
        different
    })
}

proptest! {
    #[test]
    fn values_are_read_as_people_read_them(
        names in names(),
        goals in vec(1..4_u32, NAMES),
        (lattice, values) in lattice_and_values(),
    ) {
        let lattice = lattice_from_json(&lattice).expect("a lattice");
        let staked = names.iter().cloned().zip(goals.iter().map(|most| (1..=*most).collect()));
        let stakes = WorldNames::of_stakes(staked);
        let names = WorldNames::from(names);
        for worlds in [None, Some(&names), Some(&stakes)] {
            for json in &values {
                let value = read_value(&lattice, json).expect("a value");
                let text = readable(&lattice, &value, worlds);
                let again = read_readable(&lattice, &text, worlds);
                prop_assert_eq!(again, Some(value), "{}", text);
            }
        }
    }

    #[test]
    fn sets_of_stakes_that_a_strategy_wins_are_read(
        names in names(),
        points in vec(0..4_u32, 1..20),
        other in vec(0..4_u32, 20),
    ) {
        let worlds = points.len();
        let staked = names.into_iter().take(worlds).map(|name| (name, vec![1, 2, 3]));
        let stakes = WorldNames::of_stakes(staked);
        let families = lattice(&format!(r#"{{"type":"families","v":{}}}"#, 3 * worlds));
        let won = |points: &[u32]| {
            let set = (0..worlds).flat_map(|world| (1..=points[world] as usize).map(move |p| 3 * world + p));
            set.collect::<Vec<_>>()
        };
        let sets = format!("[{:?},{:?}]", won(&points), won(&other));
        let value = read_value(&families, &sets).expect("a family");
        let text = readable(&families, &value, Some(&stakes));
        prop_assert_eq!(read_readable(&families, &text, Some(&stakes)), Some(value), "{}", text);
    }

    #[test]
    fn elements_of_tables_are_read_by_name(names in names(), pick in 0..6_usize) {
        let names = &names[..6];
        let covers: Vec<_> = names.windows(2).collect();
        let table = serde_json::json!({"type": "table", "elements": names, "covers": covers});
        let pair = serde_json::json!({"type": "product", "of": [table, {"type": "chain"}, table]});
        // A table whose names mean the ends of another lattice is refused.
        let Ok(table) = lattice_from_json(&table.to_string()) else {
            return Ok(());
        };
        let pair = lattice(&pair.to_string());
        let name = serde_json::to_string(&names[pick]).expect("JSON");
        let value = serde_json::json!([names[pick], 3, names[5 - pick]]).to_string();
        for (lattice, json) in [(&table, name), (&pair, value)] {
            let value = read_value(lattice, &json).expect("a value");
            let text = readable(lattice, &value, None);
            prop_assert_eq!(read_readable(lattice, &text, None), Some(value), "{}", text);
        }
    }
}

#[test]
fn what_no_value_prints_is_not_read() {
    let sets = lattice(r#"{"type":"families","v":3}"#);
    let names = WorldNames::from(["a", "b", "b"].map(str::to_owned).to_vec());
    for text in [
        "", "{", "{a", "a", "{a} b", "{c}", "{b}", "{a,,b}", "[[1]]", "{\"a}", "no sets",
    ] {
        assert_eq!(read_readable(&sets, text, Some(&names)), None, "{text}");
    }
    // Signs of several bytes, where one byte could be looked for.
    let functions = lattice(r#"{"type":"monotone","v":3}"#);
    for text in ["{é}", "{-é}", "é", "{a,é", "{-", "{", "{é,-}"] {
        assert_eq!(
            read_readable(&functions, text, Some(&names)),
            None,
            "{text}"
        );
    }
    let staked = [("a".to_owned(), vec![1, 2]), ("b".to_owned(), vec![1])];
    let stakes = WorldNames::of_stakes(staked);
    for text in [
        "{1 point in a}",
        "{3 points in all}",
        "{2 points in a; 1 in b; 0 in c}",
        "{1 point in a | b | a}",
        "{many points in a; 0 in b}",
    ] {
        assert_eq!(read_readable(&sets, text, Some(&stakes)), None, "{text}");
    }
}
