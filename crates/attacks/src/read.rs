//! Attack trees from files: a plain text with one node a line, the XML of ADTool, and fault trees.

mod adtool;
mod draft;
mod fault_tree;
mod plain;

pub use adtool::{NoAdtool, written as to_adtool};
pub use draft::AttackTreeFileError;
pub use fault_tree::{FaultTreeAsAttack, from_fault_tree};

pub use plain::{NoText, written as to_text};

use crate::tree::{AttackTree, Attribute};

/// Reads an attack tree: XML of ADTool, or text with one node a line. `top` names the root, if it
/// is not the one gate that nothing uses; `domains` gives names to domains of ADTool that are not
/// known.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn from_text(
    text: &str,
    top: Option<&str>,
    domains: &[Attribute],
) -> Result<AttackTree, AttackTreeFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = if text.trim_start().starts_with('<') {
        adtool::read(text, domains)
    } else if let Some(domain) = domains.first() {
        Err(draft::Wrong::whole(format!(
            "the attribute {:?} is declared in the text itself: a line `attribute NAME RULE`",
            domain.name
        )))
    } else {
        plain::read(text)
    };
    read.and_then(|draft| draft.finish(top))
        .map_err(|wrong| wrong.of(text))
}
