//! Elements as answers print them for people, by which a strategy is asked for.

use std::collections::HashSet;

use meetjoin_lattice::{AnyElem, Budget, Lattice as _};
use meetjoin_report::unbroken;
use meetjoin_solve::Nodes;
use meetjoin_solve::value::Value;

/// Longer texts are not offered, as they would have to be typed.
const MOST: usize = 60;

/// The text by which an element can be asked for, if there is a short one without single quotes.
pub(super) fn written(problem: &dyn Nodes, of: &AnyElem) -> Option<String> {
    let text = problem.value(of).text();
    let is_short = text.len() <= MOST && !text.contains('\'');
    let is_read = is_short && read(problem, &text).as_ref() == Some(of);
    is_read.then_some(text)
}

/// The element that is printed as this text; one set also without its braces: `{sun,wet}`, `sun`.
/// `None` if there is none, and if two worlds of it have the same name.
pub(super) fn read(problem: &dyn Nodes, text: &str) -> Option<AnyElem> {
    let lattice = problem.lattice();
    match problem.value(&lattice.bottom()) {
        Value::Element { domain, .. } => domain.read_readable(text),
        Value::Sets { .. } => hands(problem, text),
        Value::End { .. } => None,
    }
}

/// Sets of hands, which no commas, spaces or braces in names make ambiguous: an element that stands
/// for several hands is in a set if all of them are.
fn hands(problem: &dyn Nodes, text: &str) -> Option<AnyElem> {
    if text.contains("..") {
        // Only the first hands, or the first sets, are printed.
        return None;
    }
    let lattice = problem.lattice();
    let mut all = lattice.bottom();
    for set in unbroken(text).split("} {") {
        let mut missing: HashSet<&str> = words(set).collect();
        let wanted = missing.clone();
        let mut places = Vec::new();
        for world in 0.. {
            let Some(single) = lattice.set([world]) else {
                break;
            };
            let name = problem.value(&single).text();
            if words(&name).all(|word| wanted.contains(word)) {
                missing.retain(|missing| words(&name).all(|word| word != *missing));
                places.push(world);
            }
        }
        if !missing.is_empty() {
            return None;
        }
        let set = lattice.set(places)?;
        lattice
            .join_assign(&mut all, &set, &Budget::unlimited())
            .ok()?;
    }
    Some(all)
}

/// The hands of a set.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.trim().trim_start_matches('{').trim_end_matches('}');
    inner
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
}
