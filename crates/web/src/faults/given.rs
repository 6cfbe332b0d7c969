//! Files as pages give them: their names in sentences, and the check that they are no problem
//! files.

/// The sentence about a file, as the command has it: with its name, if it has one.
pub(super) fn about(name: &str, error: impl std::fmt::Display) -> String {
    if name.is_empty() {
        error.to_string()
    } else {
        format!("{name}: {error}")
    }
}

/// Returns whether bytes begin as a problem file, which is a graph and no tree.
pub(super) fn is_problem_file(bytes: &[u8]) -> bool {
    let bare = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bare.trim_ascii_start().starts_with(b"{")
}

/// Why it is refused.
pub(super) const PROBLEM_FILE: &str = "this is a problem file, which the command takes for a tree and this page does not: it takes Open-PSA, Galileo, ADTool and plain text";
