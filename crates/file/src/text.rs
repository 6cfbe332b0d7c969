//! Pieces of text that several modules write.

use std::fmt::{Display, Write};

use meetjoin_dag::NodeName;

/// JSON text for a message: on one line and not too long.
pub(crate) fn shown(json: &str) -> String {
    const MOST: usize = 60;
    let mut text = String::new();
    for (place, c) in json.trim().chars().enumerate() {
        if place == MOST {
            text.push_str("...");
            break;
        }
        text.push(if c.is_control() { ' ' } else { c });
    }
    text
}

/// Text as a JSON string.
pub(crate) fn push_json_string(text: &str, out: &mut String) {
    // Writing a string to memory cannot fail.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

/// Appends anything that can be printed.
pub(crate) fn push(out: &mut String, value: impl Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}

/// The text before, between and after the items of a list in JSON.
pub(crate) const JSON: [&str; 3] = ["[", ",", "]"];

/// Appends a list; `push_item` appends each item.
pub(crate) fn push_list<T>(
    items: impl IntoIterator<Item = T>,
    [open, separator, close]: [&str; 3],
    out: &mut String,
    mut push_item: impl FnMut(T, &mut String),
) {
    out.push_str(open);
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            out.push_str(separator);
        }
        push_item(item, out);
    }
    out.push_str(close);
}

/// Appends the name of a node as JSON.
pub fn write_name(name: &NodeName, out: &mut String) {
    match name {
        NodeName::Int(number) => out.push_str(itoa::Buffer::new().format(*number)),
        NodeName::Text(text) => push_json_string(text, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_type() {
        let mut json = String::new();
        for name in [NodeName::from(1), NodeName::from("1")] {
            write_name(&name, &mut json);
        }
        assert_eq!(json, r#"1"1""#);
    }
}
