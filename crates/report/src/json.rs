//! Answers for programs: one JSON object on a line.

use serde::Serialize;
use serde_json::value::RawValue;

/// A JSON object on a line of its own.
pub fn json_line(object: &impl Serialize) -> String {
    let mut text = serde_json::to_string(object).unwrap_or_default();
    text.push('\n');
    text
}

/// Text that is JSON already; `null` if it is not.
pub fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
