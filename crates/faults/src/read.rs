//! Fault trees from files: the Model Exchange Format of the Open-PSA initiative, and a plain text
//! with one gate a line.
//!
//! Idea: both readers find names and formulas and put them into one draft, which numbers names,
//! finds the top, and checks. What is wrong is said with line and column.
//!
//! Entities and DTDs are refused, so nothing is fetched and nothing expands.

mod draft;
mod open_psa;
mod plain;

pub use draft::FaultTreeFileError;

use crate::tree::FaultTree;

/// Reads a fault tree: XML if the first character is `<`, else plain text. `top` names the gate
/// that it is about; without it that is the one gate that no other has as an argument.
///
/// # Errors
/// What is wrong, and where.
pub fn fault_tree_from_text(
    text: &str,
    top: Option<&str>,
) -> Result<FaultTree, FaultTreeFileError> {
    let xml = text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<');
    let draft = if xml {
        open_psa::read(text)
    } else {
        plain::read(text, top)
    };
    draft
        .and_then(|draft| draft.finish(top))
        .map_err(|wrong| wrong.of(text))
}
