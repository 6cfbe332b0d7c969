//! Sets of stakes as people read them, read back by the rules of the page on problem files.

use meetjoin_dag::WorldNames;
use meetjoin_file::{read_value, readable_lines};
use meetjoin_lattice::{AnyLattice, Lattice};

use crate::values::{lattice, readable};

/// The name at the beginning of a text, whether it is a JSON string, and what follows it.
fn read_name(text: &str) -> (String, bool, &str) {
    if text.starts_with('"') {
        let mut names = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let name = names.next().expect("a name").expect("a JSON string");
        return (name, true, &text[names.byte_offset()..]);
    }
    let name = text.split([';', '|']).next().unwrap_or(text).trim_end();
    (name.to_owned(), false, &text[name.len()..])
}

/// The points by world that a text says, by the rules of the page on problem files.
fn read_points(text: &str, worlds: &[String]) -> Vec<u32> {
    let inner = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    let mut rest = inner.expect("braces");
    let (mut points, mut others) = (vec![None; worlds.len()], None);
    while !rest.is_empty() {
        let (number, mut names) = rest.split_once(" in ").expect("points in worlds");
        let number = number.split(' ').next().expect("a word");
        let number: u32 = number.parse().expect("a number of points");
        loop {
            let (name, is_text, after) = read_name(names);
            if !is_text && ["all", "all others"].contains(&&*name) {
                assert_eq!(others.replace(number), None, "{text}");
            } else {
                let place = worlds.iter().position(|world| *world == name);
                let place = place.unwrap_or_else(|| panic!("no world {name} in {text}"));
                assert_eq!(points[place].replace(number), None, "{text}");
            }
            rest = after;
            match after.strip_prefix(" | ") {
                Some(more) => names = more,
                None => break,
            }
        }
        rest = rest.strip_prefix("; ").unwrap_or(rest);
    }
    let points = points.into_iter().map(|number| number.or(others));
    points
        .map(|number| number.expect("each world is in a group"))
        .collect()
}

#[test]
fn sets_of_stakes_are_read_as_points_by_world() {
    let strange = [
        "",
        "all",
        "all others",
        " a",
        "a | b",
        "c; 1 in d",
        "\"e\"",
        "f\ng",
        "}",
        "h, i: 2",
    ];
    for worlds in [1, 2, strange.len(), 30] {
        let name = |world| {
            strange
                .get(world)
                .map_or(format!("w{world}"), ToString::to_string)
        };
        let names: Vec<String> = (0..worlds).map(name).collect();
        let staked = names.iter().map(|name| (name.clone(), vec![1, 2, 5]));
        let stakes = WorldNames::of_stakes(staked);
        let sets = AnyLattice::powerset(3 * worlds);
        for seed in 0..200_usize {
            // How many stakes of each world the set has.
            let most = 1 + seed % 4;
            let won = |world: usize| (world * world * 7 + seed * (world + 1) / 3 + seed) % most;
            let set = (0..worlds).flat_map(|world| (0..won(world)).map(move |at| 3 * world + at));
            let set = sets.set(set).expect("so many stakes");
            let points: Vec<u32> = (0..worlds).map(|world| [0, 1, 2, 5][won(world)]).collect();
            let text = readable(&sets, &set, Some(&stakes));
            assert_eq!(read_points(&text, &names), points, "{text}");
        }
    }
}

#[test]
fn sets_of_stakes_are_short_and_families_have_a_line_for_each() {
    let points = |worlds: usize, set: &[usize]| {
        let name = |world| format!("w{world}");
        let staked = (0..worlds).map(|world| (name(world), vec![1, 2]));
        let stakes = WorldNames::of_stakes(staked);
        let sets = AnyLattice::powerset(2 * worlds);
        let set = sets.set(set.iter().copied()).expect("so many stakes");
        readable(&sets, &set, Some(&stakes))
    };
    assert_eq!(points(3, &[0, 1, 2]), "{2 points in w0; 1 in w1; 0 in w2}");
    assert_eq!(points(3, &[0, 2]), "{1 point in w0 | w1; 0 in w2}");
    assert_eq!(points(3, &[]), "{0 points in all}");
    assert_eq!(points(10, &[4]), "{1 point in w2; 0 in all others}");
    // No strategy wins the second point without the first.
    assert_eq!(points(3, &[1, 2]), "{w0: 2,w1: 1}");
    let staked = [("a".to_owned(), vec![1, 2]), ("b".to_owned(), vec![1])];
    let stakes = WorldNames::of_stakes(staked);
    let families = lattice(r#"{"type":"families","v":3}"#);
    let value = read_value(&families, "[[1,2],[1,3]]").expect("a family");
    let lines = ["{2 points in a; 0 in b}", "{1 point in all}"];
    assert_eq!(readable_lines(&families, &value, Some(&stakes)), lines);
    assert_eq!(readable(&families, &value, Some(&stakes)), lines.join(" "));
    let none = families.bottom();
    assert_eq!(readable_lines(&families, &none, Some(&stakes)), ["no set"]);
}
