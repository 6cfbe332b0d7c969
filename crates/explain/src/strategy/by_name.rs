//! Elements as printed for people: sets of worlds by name, and elements of tables.

use meetjoin_file::read_value;
use meetjoin_lattice::{AnyElem, AnyLattice};
use meetjoin_solve::Nodes;

/// Longer texts are not offered, as they would have to be typed.
const MOST: usize = 60;

/// The text by which an element can be asked for, if there is a short one without single quotes.
pub(super) fn written(problem: &dyn Nodes, of: &AnyElem) -> Option<String> {
    let text = problem.value(of).text();
    let is_short = text.len() <= MOST && !text.contains('\'');
    let is_read = is_short && read(problem, &text).as_ref() == Some(of);
    is_read.then_some(text)
}

/// The element that is printed as this text, with or without braces: `{sun,wet}`, `sun`, `red`.
/// `None` if there is none, and if two worlds have the same name or one has a comma in its name.
///
/// Cost: the names of all worlds.
pub(super) fn read(problem: &dyn Nodes, text: &str) -> Option<AnyElem> {
    let lattice = problem.lattice();
    if let AnyLattice::Finite(_) = lattice {
        return read_value(lattice, &serde_json::to_string(text).ok()?).ok();
    }
    let words: Vec<&str> = without_braces(text).split(',').map(str::trim).collect();
    let mut found = vec![None; words.len()];
    for world in 0.. {
        let Some(set) = lattice.set([world]) else {
            break;
        };
        let name = problem.value(&set).text();
        for (word, found) in words.iter().zip(&mut found) {
            if *word == without_braces(&name) && found.replace(world).is_some() {
                return None;
            }
        }
    }
    lattice.set(found.into_iter().collect::<Option<Vec<usize>>>()?)
}

fn without_braces(text: &str) -> &str {
    let text = text.trim();
    let inner = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    inner.unwrap_or(text).trim()
}
