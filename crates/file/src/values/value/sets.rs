//! Sets and families for people: lists of worlds, or the points guaranteed in each world.
//!
//! Notation, if elements are stakes: `{3 points in a | b; 1 in c}` guarantees 3 points in the
//! worlds a and b and 1 in c. Groups are ordered from many points to few, and each world is in one
//! of them. `all` stands for all worlds, `all others` for those that no group names: the largest
//! group, if it has many worlds. A name that could be misread is written as a JSON string.
//!
//! A set that does not correspond to points, since a stake of fewer points is missing, is written
//! as a list.

use std::collections::BTreeMap;

use meetjoin_dag::WorldNames;
use meetjoin_lattice::{Antichain, WorldSet};

use super::write::sorted_sets;
use crate::text::{push, push_json_string, push_list};

/// A group of at most so many worlds is always written out; of larger groups, all but the largest.
const MOST_NAMED: usize = 8;
pub(super) const ALL: &str = "all";
pub(super) const ALL_OTHERS: &str = "all others";
/// Signs that no name without quotes has.
const SIGNS: [char; 5] = ['{', '}', ';', '|', '"'];

/// Appends a set.
pub(super) fn push_set<B: WorldSet>(set: &B, worlds: Option<&WorldNames>, out: &mut String) {
    if let Some(points) = worlds.and_then(|worlds| worlds.points(set.ones())) {
        push_points(&points, out);
        return;
    }
    push_list(set.ones(), ["{", ",", "}"], out, |world, out| {
        push_element(world, worlds, out);
    });
}

/// Appends the name of an element in a list, or its number if it has none.
pub(super) fn push_element(world: usize, worlds: Option<&WorldNames>, out: &mut String) {
    match worlds.and_then(|worlds| worlds.get(world)) {
        Some(name) => push_name(&name, &[','], out),
        None => push(out, world + 1),
    }
}

/// Appends the sets of a family, in the order of answers.
pub(super) fn push_family<B: WorldSet>(
    family: &Antichain<B>,
    worlds: Option<&WorldNames>,
    out: &mut String,
) {
    if family.maximal().is_empty() {
        out.push_str("no set");
    } else {
        push_list(sorted_sets(family), ["", " ", ""], out, |set, out| {
            push_set(set, worlds, out);
        });
    }
}

/// The sets of a family in the order of answers, a line each; `no set` if there is none.
pub(super) fn lines_of<B: WorldSet>(
    family: &Antichain<B>,
    worlds: Option<&WorldNames>,
) -> Vec<String> {
    let line = |set: &B| {
        let mut line = String::new();
        push_set(set, worlds, &mut line);
        line
    };
    let lines: Vec<String> = sorted_sets(family).into_iter().map(line).collect();
    if lines.is_empty() {
        return vec!["no set".to_owned()];
    }
    lines
}

/// Appends the points guaranteed in each world.
fn push_points(worlds: &[(&str, u32)], out: &mut String) {
    let mut groups: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for &(name, points) in worlds {
        groups.entry(points).or_default().push(name);
    }
    let mut groups: Vec<(u32, Vec<&str>)> = groups.into_iter().rev().collect();
    // Of equally large groups the one with fewest points.
    let largest = (0..groups.len()).max_by_key(|&place| groups[place].1.len());
    let largest = largest.filter(|&place| groups.len() == 1 || groups[place].1.len() > MOST_NAMED);
    let rest = largest.map(|place| groups.remove(place).0);
    let word = if groups.is_empty() { ALL } else { ALL_OTHERS };
    let named = groups
        .into_iter()
        .map(|(points, names)| (points, Some(names)));
    let all = named.chain(rest.map(|points| (points, None)));
    push_list(
        all.enumerate(),
        ["{", "; ", "}"],
        out,
        |(place, (points, names)), out| {
            push(out, points);
            out.push_str(match (place, points) {
                (0, 1) => " point in ",
                (0, _) => " points in ",
                _ => " in ",
            });
            match names {
                None => out.push_str(word),
                Some(names) => push_list(names, ["", " | ", ""], out, |name, out| {
                    push_name(name, &[], out);
                }),
            }
        },
    );
}

/// Appends a name: as it is, or as a JSON string if it could be misread where these signs end it.
pub(super) fn push_name(name: &str, ends: &[char], out: &mut String) {
    let is_plain = !name.is_empty()
        && name.trim() == name
        && ![ALL, ALL_OTHERS].contains(&name)
        && !name.contains(SIGNS)
        && !name.contains(ends)
        && !name.contains(char::is_control)
        // In a list of stakes these are the words of points by world, and `-a` is the event a that
        // does not occur.
        && ![" point in ", " points in "].iter().any(|words| name.contains(words))
        && (name == "-" || !name.starts_with('-'));
    if is_plain {
        out.push_str(name);
    } else {
        push_json_string(name, out);
    }
}
