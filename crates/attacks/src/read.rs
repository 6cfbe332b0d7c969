//! Attack trees from files: a plain text with one node a line, the XML of ADTool, and fault trees.

mod adtool;
mod draft;
mod fault_tree;
mod plain;

pub use adtool::{NoAdtool, written as to_adtool};
pub use draft::AttackTreeFileError;
pub use fault_tree::{FaultTreeAsAttack, from_fault_tree};

pub use plain::{NoText, written as to_text};

use meetjoin_faults::{FaultTreeFileError, fault_tree_from_text};

use crate::tree::{AttackTree, Attribute};

/// Why a file is no attack tree.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotRead {
    /// Not text.
    #[error("invalid UTF-8 from byte {0} on")]
    NoText(usize),
    /// A fault tree that is wrong.
    #[error(transparent)]
    FaultTree(#[from] FaultTreeFileError),
    /// A fault tree that is no attack tree.
    #[error(transparent)]
    NoAttackTree(#[from] FaultTreeAsAttack),
    /// An attack tree that is wrong.
    #[error(transparent)]
    AttackTree(#[from] AttackTreeFileError),
}

/// Reads an attack tree from a file of any kind: a fault tree in Open-PSA XML, or what
/// [`from_text`] reads.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn from_bytes(
    bytes: &[u8],
    top: Option<&str>,
    domains: &[Attribute],
) -> Result<AttackTree, NotRead> {
    let text = std::str::from_utf8(bytes).map_err(|error| NotRead::NoText(error.valid_up_to()))?;
    if is_open_psa(text) {
        return Ok(from_fault_tree(&fault_tree_from_text(text, top)?, domains)?);
    }
    Ok(from_text(text, top, domains)?)
}

/// Returns whether the first element is that of Open-PSA.
fn is_open_psa(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    // Comments, the declaration and the document type come before it.
    while let Some(inner) = rest.strip_prefix("<!").or_else(|| rest.strip_prefix("<?")) {
        let end = if inner.starts_with("--") { "-->" } else { ">" };
        let Some((_, after)) = inner.split_once(end) else {
            return false;
        };
        rest = after.trim_start();
    }
    rest.starts_with("<opsa-mef")
}

/// Reads an attack tree: XML of ADTool, or text with one node a line. `top` names the root, if it
/// is not the one gate that nothing uses; `domains` declares unknown domains of ADTool, by id or by
/// class: each must match one.
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
