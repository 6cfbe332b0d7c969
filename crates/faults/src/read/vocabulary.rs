//! The words of the Model Exchange Format: which attributes each element has and what stands in it.
//!
//! Invariant: nothing is ignored silently. An element that is not in this table is refused by name
//! and place; those that do not affect the model (labels, user attributes, names of authors) are in
//! it.

use std::sync::LazyLock;

use meetjoin_report::meant;

use crate::map::Map;

/// Kinds of elements, one bit each.
pub(super) type Kinds = u32;

pub(super) const NOTE: Kinds = 1;
/// What has definitions in it.
pub(super) const CONTAINER: Kinds = 1 << 1;
pub(super) const GATE: Kinds = 1 << 2;
/// Definitions of events and parameters.
pub(super) const DATA: Kinds = 1 << 3;
pub(super) const GROUP: Kinds = 1 << 4;
/// What only stands at the outermost level.
pub(super) const OUTER: Kinds = 1 << 5;
pub(super) const FORMULA: Kinds = 1 << 6;
pub(super) const EXPRESSION: Kinds = 1 << 7;
pub(super) const INSTRUCTION: Kinds = 1 << 8;
const CONSTANT: Kinds = 1 << 9;
const BASIC: Kinds = 1 << 10;
/// Where a branch ends.
pub(super) const END: Kinds = 1 << 11;
const ATTRIBUTE: Kinds = 1 << 12;
const CASE: Kinds = 1 << 13;
const BIN: Kinds = 1 << 14;
const PHASE: Kinds = 1 << 15;
const PATH: Kinds = 1 << 16;
const IN_TREE: Kinds = 1 << 17;
const IN_GROUP: Kinds = 1 << 18;
const FACTOR: Kinds = 1 << 19;
const IN_SUBSTITUTION: Kinds = 1 << 20;
const HOUSE: Kinds = 1 << 21;

/// An element of the format.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) name: &'static str,
    pub(super) attributes: &'static [&'static str],
    /// What it is.
    pub(super) is: Kinds,
    /// What stands in it.
    pub(super) has: Kinds,
}

const NAMED: &[&str] = &["name"];
const WITH_ROLE: &[&str] = &["name", "role"];
const VALUE: &[&str] = &["value"];

const fn word(
    name: &'static str,
    attributes: &'static [&'static str],
    is: Kinds,
    has: Kinds,
) -> Word {
    Word {
        name,
        attributes,
        is,
        has,
    }
}

/// A connective or an operation: operands of its own kinds.
const fn over(name: &'static str, kind: Kinds) -> Word {
    word(name, &[], kind, kind)
}

#[rustfmt::skip] // a table
const WORDS: &[Word] = &[
    word("opsa-mef", &["name", "author", "version"], 0, NOTE | CONTAINER | GATE | DATA | GROUP | OUTER),
    word("model-data", NAMED, OUTER, NOTE | DATA),
    word("define-fault-tree", WITH_ROLE, CONTAINER, NOTE | CONTAINER | GATE | DATA | GROUP),
    word("define-component", WITH_ROLE, CONTAINER, NOTE | CONTAINER | GATE | DATA | GROUP),
    word("label", &[], NOTE, 0),
    word("attributes", &[], NOTE, ATTRIBUTE),
    word("attribute", &["name", "value", "type"], ATTRIBUTE, 0),
    word("define-gate", WITH_ROLE, GATE, NOTE | FORMULA),
    word("define-basic-event", WITH_ROLE, DATA, NOTE | EXPRESSION),
    word("define-house-event", WITH_ROLE, DATA, NOTE | CONSTANT),
    word("define-parameter", &["name", "role", "unit"], DATA, NOTE | EXPRESSION),
    // Formulas.
    word("and", &[], FORMULA | EXPRESSION, FORMULA | EXPRESSION),
    word("or", &[], FORMULA | EXPRESSION, FORMULA | EXPRESSION),
    word("not", &[], FORMULA | EXPRESSION, FORMULA | EXPRESSION),
    over("xor", FORMULA),
    over("nand", FORMULA),
    over("nor", FORMULA),
    over("imply", FORMULA),
    over("iff", FORMULA),
    word("atleast", &["min"], FORMULA, FORMULA),
    word("cardinality", &["min", "max"], FORMULA, FORMULA),
    word("gate", NAMED, FORMULA, 0),
    word("basic-event", NAMED, FORMULA | BASIC, 0),
    word("house-event", NAMED, FORMULA | HOUSE, 0),
    word("event", &["name", "type"], FORMULA, 0),
    word("constant", VALUE, FORMULA | CONSTANT, 0),
    // Expressions.
    word("float", VALUE, EXPRESSION, 0),
    word("int", VALUE, EXPRESSION, 0),
    word("bool", VALUE, EXPRESSION, 0),
    word("parameter", &["name", "unit"], EXPRESSION, 0),
    word("system-mission-time", &["unit"], EXPRESSION, 0),
    word("pi", &[], EXPRESSION, 0),
    over("neg", EXPRESSION), over("add", EXPRESSION), over("sub", EXPRESSION),
    over("mul", EXPRESSION), over("div", EXPRESSION), over("abs", EXPRESSION),
    over("acos", EXPRESSION), over("asin", EXPRESSION), over("atan", EXPRESSION),
    over("cos", EXPRESSION), over("cosh", EXPRESSION), over("exp", EXPRESSION),
    over("log", EXPRESSION), over("log10", EXPRESSION), over("mod", EXPRESSION),
    over("pow", EXPRESSION), over("sin", EXPRESSION), over("sinh", EXPRESSION),
    over("tan", EXPRESSION), over("tanh", EXPRESSION), over("sqrt", EXPRESSION),
    over("ceil", EXPRESSION), over("floor", EXPRESSION), over("min", EXPRESSION),
    over("max", EXPRESSION), over("mean", EXPRESSION), over("eq", EXPRESSION),
    over("df", EXPRESSION), over("lt", EXPRESSION), over("gt", EXPRESSION),
    over("leq", EXPRESSION), over("geq", EXPRESSION), over("ite", EXPRESSION),
    word("switch", &[], EXPRESSION, EXPRESSION | CASE),
    word("case", &[], CASE, EXPRESSION),
    over("exponential", EXPRESSION), over("GLM", EXPRESSION), over("Weibull", EXPRESSION),
    over("periodic-test", EXPRESSION),
    over("uniform-deviate", EXPRESSION), over("normal-deviate", EXPRESSION),
    over("lognormal-deviate", EXPRESSION), over("gamma-deviate", EXPRESSION),
    over("beta-deviate", EXPRESSION),
    word("histogram", &[], EXPRESSION, EXPRESSION | BIN),
    word("bin", &[], BIN, EXPRESSION),
    word("test-initiating-event", NAMED, EXPRESSION, 0),
    word("test-functional-event", &["name", "state"], EXPRESSION, 0),
    // Common causes.
    word("define-CCF-group", &["name", "model"], GROUP, NOTE | IN_GROUP | FACTOR),
    word("members", &[], IN_GROUP, BASIC),
    word("distribution", &[], IN_GROUP, EXPRESSION),
    word("factors", &[], IN_GROUP, FACTOR),
    word("factor", &["level"], FACTOR, EXPRESSION),
    // Substitutions.
    word("define-substitution", &["name", "type"], OUTER, NOTE | IN_SUBSTITUTION),
    word("hypothesis", &[], IN_SUBSTITUTION, FORMULA),
    word("source", &[], IN_SUBSTITUTION, BASIC),
    word("target", &[], IN_SUBSTITUTION, BASIC | CONSTANT),
    // Event trees.
    word("define-initiating-event", &["name", "event-tree"], OUTER, NOTE),
    word("define-event-tree", NAMED, OUTER, NOTE | IN_TREE),
    word("define-functional-event", NAMED, IN_TREE, NOTE),
    word("define-sequence", NAMED, IN_TREE, NOTE | INSTRUCTION),
    word("define-branch", NAMED, IN_TREE, NOTE | INSTRUCTION | END),
    word("initial-state", &[], IN_TREE, INSTRUCTION | END),
    word("fork", &["functional-event"], END, PATH),
    word("path", &["state"], PATH, INSTRUCTION | END),
    word("sequence", NAMED, END, 0),
    word("branch", NAMED, END, 0),
    word("define-rule", NAMED, OUTER, NOTE | INSTRUCTION),
    word("set-house-event", &["name", "direction"], INSTRUCTION, CONSTANT),
    word("collect-formula", &[], INSTRUCTION, FORMULA),
    word("collect-expression", &[], INSTRUCTION, EXPRESSION),
    word("if", &[], INSTRUCTION, EXPRESSION | INSTRUCTION),
    word("block", &[], INSTRUCTION, INSTRUCTION),
    word("rule", NAMED, INSTRUCTION, 0),
    word("event-tree", NAMED, INSTRUCTION, 0),
    // Alignments.
    word("define-alignment", NAMED, OUTER, NOTE | PHASE),
    word("define-phase", &["name", "time-fraction"], PHASE, NOTE | INSTRUCTION),
];

/// The word for an element.
pub(super) fn find(name: &str) -> Option<&'static Word> {
    static BY_NAME: LazyLock<Map<&str, &Word>> = LazyLock::new(|| {
        let words = WORDS.iter();
        words.map(|word| (word.name, word)).collect()
    });
    BY_NAME.get(name).copied()
}

/// Why an element is not read within another, or which one was meant, if there is more to say.
pub(super) fn reason(name: &str, around: &Word) -> String {
    match name {
        "define-extern-library" | "define-extern-function" | "extern-function" => {
            ": code of others is not run".to_owned()
        }
        _ => {
            let allowed = WORDS.iter().filter(|word| word.is & around.has != 0);
            meant(name, allowed.map(|word| word.name))
        }
    }
}
