//! Fault trees in the Open-PSA Model Exchange Format (version 2.0d, 2008): fault trees, components,
//! gates, basic events, house events, parameters.
//!
//! Names are public, and known everywhere, unless they or a container of theirs have
//! `role="private"`; a private name is known within its container, and by its path with dots from
//! everywhere. Probabilities are numbers or parameters.
//!
//! Invariant: nothing is passed over. Event trees, common causes, substitutions, other expressions
//! and the rest of the format are refused by name and place, and so is what the format does not
//! know.

use std::collections::HashMap;

use crate::tree::Connective;
use roxmltree::{Document, Node, NodeId, ParsingOptions, TextPos};

use super::draft::{Draft, Expected, Mention, Spot, Wrong};

type Fallible<T> = Result<T, Wrong>;

/// Parameters that refer to one another, at most so many in a row.
const MOST_PARAMETERS: usize = 1000;

/// The bytes of the path of a component, at most: every name in it is kept with its path.
const MOST_PATH: usize = 4096;

/// The attributes of an element, at most: that no two are the same takes their square.
const MOST_ATTRIBUTES: usize = 1000;

struct Reader<'t> {
    draft: Draft,
    /// Where each container stands, and whether it makes names private.
    containers: HashMap<NodeId, (String, bool)>,
    parameters: HashMap<&'t str, Node<'t, 't>>,
}

pub(super) fn read(text: &str) -> Fallible<Draft> {
    let options = ParsingOptions {
        allow_dtd: false,
        ..ParsingOptions::default()
    };
    if let Some(at) = too_many_attributes(text) {
        let what = format!("an element has more than {MOST_ATTRIBUTES} attributes");
        return Err(Wrong::at(at, what));
    }
    let document = Document::parse_with_options(text, options).map_err(|error| {
        if let (roxmltree::Error::DtdDetected, Some(at)) = (&error, text.find("<!DOCTYPE")) {
            return Wrong::at(at, "documents with a DTD are not read");
        }
        let spot = place_of(text, error.pos());
        // The library says the place too.
        let said = format!(" at {}", error.pos());
        let what = error.to_string().replacen(&said, "", 1);
        Wrong::at(spot, format!("this is no XML: {what}"))
    })?;
    let mut reader = Reader {
        draft: Draft::default(),
        containers: HashMap::new(),
        parameters: HashMap::new(),
    };
    let root = document.root_element();
    if !root.has_tag_name("opsa-mef") {
        return Err(reader.wrong(
            root,
            format!(
                "the root is <{}> and must be <opsa-mef>",
                root.tag_name().name()
            ),
        ));
    }
    reader.definitions(root)?;
    let mut elements = root.descendants().filter(Node::is_element);
    elements.try_for_each(|element| reader.check_understood(element))?;
    Ok(reader.draft)
}

/// Where an element begins that has too many attributes, if there is one.
fn too_many_attributes(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find('<').map(|at| from + at) {
        let rest = &text[at..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((_, end)) = skipped.iter().find(|(begin, _)| rest.starts_with(begin)) {
            from = at + rest.find(end)?;
            continue;
        }
        let (mut quote, mut count, mut length) = (None, 0, rest.len());
        for (place, byte) in rest.bytes().enumerate() {
            match (quote, byte) {
                (None, b'>') => {
                    length = place;
                    break;
                }
                (None, b'"' | b'\'') => {
                    quote = Some(byte);
                    count += 1;
                }
                (Some(open), _) if byte == open => quote = None,
                _ => {}
            }
        }
        if count > MOST_ATTRIBUTES {
            return Some(at);
        }
        from = at + length;
    }
    None
}

/// What says nothing of the model.
const NOTES: &[&str] = &["label", "attributes"];
const CONTAINERS: &[&str] = &["define-fault-tree", "define-component", "define-gate"];
const DATA: &[&str] = &[
    "define-basic-event",
    "define-house-event",
    "define-parameter",
];
const FORMULAS: &[&str] = &[
    "and",
    "or",
    "not",
    "xor",
    "nand",
    "nor",
    "atleast",
    "gate",
    "basic-event",
    "house-event",
    "event",
    "constant",
];
const EXPRESSIONS: &[&str] = &["float", "int", "bool", "parameter"];

/// The attributes of an element and the kinds of elements in it that are read, and those that are
/// passed over as the book says.
fn understood(
    element: &str,
) -> Option<(&'static [&'static str], &'static [&'static [&'static str]])> {
    Some(match element {
        "opsa-mef" => (
            &["name", "author", "version"],
            &[NOTES, CONTAINERS, DATA, &["model-data"]],
        ),
        "model-data" => (&["name"], &[NOTES, DATA]),
        "define-fault-tree" | "define-component" => (&["name", "role"], &[NOTES, CONTAINERS, DATA]),
        "define-gate" => (&["name", "role"], &[NOTES, FORMULAS]),
        "define-basic-event" => (&["name", "role"], &[NOTES, EXPRESSIONS]),
        "define-house-event" => (&["name", "role"], &[NOTES, &["constant"]]),
        "define-parameter" => (&["name", "role", "unit"], &[NOTES, EXPRESSIONS]),
        "attributes" => (&[], &[&["attribute"]]),
        "attribute" => (&["name", "value", "type"], &[]),
        "label" => (&[], &[]),
        "and" | "or" | "not" | "xor" | "nand" | "nor" => (&[], &[FORMULAS]),
        "atleast" => (&["min"], &[FORMULAS]),
        "gate" | "basic-event" | "house-event" => (&["name"], &[]),
        "event" => (&["name", "type"], &[]),
        "constant" | "float" | "int" | "bool" => (&["value"], &[]),
        "parameter" => (&["name", "unit"], &[]),
        _ => return None,
    })
}

/// Attributes of this name space say where a schema is.
const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The bytes before a place.
fn place_of(text: &str, place: TextPos) -> Spot {
    let lines = text.split_inclusive('\n').map(str::len);
    let before: usize = lines.take((place.row as usize).saturating_sub(1)).sum();
    let line = text.get(before..).unwrap_or_default();
    let mut columns = line.char_indices().map(|(at, _)| at);
    before
        + columns
            .nth((place.col as usize).saturating_sub(1))
            .unwrap_or(line.len())
}

impl<'t> Reader<'t> {
    #[allow(clippy::unused_self)] // it reads as the others do
    fn spot(&self, node: Node<'_, '_>) -> Spot {
        node.range().start
    }

    fn wrong(&self, node: Node<'_, '_>, what: impl Into<String>) -> Wrong {
        Wrong::at(self.spot(node), what)
    }

    fn attribute(&self, node: Node<'t, 't>, name: &str) -> Fallible<&'t str> {
        let value = node
            .attribute(name)
            .map(str::trim)
            .filter(|value| !value.is_empty());
        value.ok_or_else(|| {
            self.wrong(
                node,
                format!("<{}> needs the attribute {name:?}", node.tag_name().name()),
            )
        })
    }

    fn number<N: std::str::FromStr>(
        &self,
        node: Node<'t, 't>,
        name: &str,
        kind: &str,
    ) -> Fallible<N> {
        let text = self.attribute(node, name)?;
        text.parse().map_err(|_| {
            let tag = node.tag_name().name();
            self.wrong(node, format!("{name}={text:?} of <{tag}> is not {kind}"))
        })
    }

    fn boolean(&self, node: Node<'t, 't>) -> Fallible<bool> {
        match self.attribute(node, "value")? {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            other => Err(self.wrong(node, format!("value={other:?} is neither true nor false"))),
        }
    }

    /// Every definition, in the order of the file: document order visits a container before what is
    /// in it.
    fn definitions(&mut self, root: Node<'t, 't>) -> Fallible<()> {
        for node in root.descendants().filter(Node::is_element) {
            if node.has_tag_name("define-parameter") {
                let name = self.attribute(node, "name")?;
                if self.parameters.insert(name, node).is_some() {
                    return Err(
                        self.wrong(node, format!("the parameter {name:?} is defined twice"))
                    );
                }
            }
        }
        for node in root.descendants().filter(Node::is_element) {
            match node.tag_name().name() {
                "define-fault-tree" | "define-component" => {
                    let (path, private) = self.within(node);
                    let name = self.attribute(node, "name")?;
                    let path = if path.is_empty() {
                        name.to_owned()
                    } else {
                        format!("{path}.{name}")
                    };
                    if path.len() > MOST_PATH {
                        let what =
                            format!("the path of this component has more than {MOST_PATH} bytes");
                        return Err(self.wrong(node, what));
                    }
                    let private = self.is_private(node, private)?;
                    self.containers.insert(node.id(), (path, private));
                }
                "define-gate" => {
                    let (name, keys, container) = self.name(node)?;
                    let gate = self.draft.gate(name, &keys, self.spot(node))?;
                    let formula = self.one_child(node)?;
                    let formula = formula
                        .ok_or_else(|| self.wrong(node, format!("gate {name:?} has no formula")))?;
                    self.formula(gate, formula, &container)?;
                }
                "define-basic-event" => {
                    let (name, keys, _) = self.name(node)?;
                    let probability = self
                        .one_child(node)?
                        .map(|expression| self.expression(expression))
                        .transpose()?;
                    self.draft
                        .event(name, &keys, probability, self.spot(node))?;
                }
                "define-house-event" => {
                    let (name, keys, _) = self.name(node)?;
                    let state = match self.one_child(node)? {
                        Some(constant) if constant.has_tag_name("constant") => {
                            self.boolean(constant)?
                        }
                        Some(other) => {
                            return Err(self.wrong(
                                other,
                                format!(
                                    "a house event is a <constant>, not <{}>",
                                    other.tag_name().name()
                                ),
                            ));
                        }
                        None => false,
                    };
                    self.draft.house(name, &keys, state, self.spot(node))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Refuses what stands in an element and would be passed over.
    fn check_understood(&self, element: Node<'t, 't>) -> Fallible<()> {
        let name = element.tag_name().name();
        let root = element.document().root_element();
        if element.tag_name().namespace() != root.tag_name().namespace() {
            let what = format!("<{name}> is of another name space and not read here");
            return Err(self.wrong(element, what));
        }
        let Some((attributes, children)) = understood(name) else {
            return Err(self.wrong(element, format!("<{name}> is not read here")));
        };
        for attribute in element.attributes() {
            let (key, space) = (attribute.name(), attribute.namespace());
            if space != Some(SCHEMA_INSTANCE) && (space.is_some() || !attributes.contains(&key)) {
                let what = format!("the attribute {key:?} of <{name}> is not read here");
                return Err(Wrong::at(attribute.range().start, what));
            }
        }
        for child in element.children() {
            let tag = child.tag_name().name();
            if child.is_element() && !children.iter().any(|kind| kind.contains(&tag)) {
                let what = format!("<{tag}> in <{name}> is not read here");
                return Err(self.wrong(child, what));
            }
            let text = child.text().filter(|_| child.is_text()).unwrap_or_default();
            if name != "label" && !text.trim().is_empty() {
                let what = format!("text in <{name}> is not read here");
                return Err(self.wrong(child, what));
            }
        }
        Ok(())
    }

    /// The container of a node.
    fn within(&self, node: Node<'t, 't>) -> (String, bool) {
        let parent = node
            .parent()
            .and_then(|parent| self.containers.get(&parent.id()));
        parent.cloned().unwrap_or_default()
    }

    fn is_private(&self, node: Node<'t, 't>, inherited: bool) -> Fallible<bool> {
        match node.attribute("role") {
            None => Ok(inherited),
            Some("private") => Ok(true),
            Some("public") => Ok(false),
            Some(other) => Err(self.wrong(
                node,
                format!("role={other:?} is neither public nor private"),
            )),
        }
    }

    /// The name of a definition, what it may be called by, and its container.
    fn name(&self, node: Node<'t, 't>) -> Fallible<(&'t str, Vec<String>, String)> {
        let name = self.attribute(node, "name")?;
        let (container, private) = self.within(node);
        let path = format!("{container}.{name}");
        let mut keys = Vec::new();
        let is_private = self.is_private(node, private)?;
        if container.is_empty() || !is_private {
            keys.push(name.to_owned());
        }
        if !container.is_empty() {
            keys.push(path);
        }
        Ok((name, keys, container))
    }

    /// The one child that is neither a label nor a list of attributes.
    fn one_child(&self, node: Node<'t, 't>) -> Fallible<Option<Node<'t, 't>>> {
        let of_interest = |child: &Node<'t, 't>| {
            child.is_element() && !matches!(child.tag_name().name(), "label" | "attributes")
        };
        let mut children = node.children().filter(of_interest);
        let first = children.next();
        match children.next() {
            None => Ok(first),
            Some(second) => {
                let (tag, of) = (second.tag_name().name(), node.tag_name().name());
                Err(self.wrong(second, format!("<{tag}> is one too many in <{of}>")))
            }
        }
    }

    /// Reads a formula into a gate. Formulas within it are gates of their own.
    fn formula(&mut self, gate: u32, formula: Node<'t, 't>, container: &str) -> Fallible<()> {
        if self.connective(formula)?.is_none() {
            // The gate is another name for something.
            self.draft.set_connective(gate, Connective::Or);
            let mention = self.mention(formula, container)?;
            self.draft.add_argument(gate, mention, self.spot(formula));
            return Ok(());
        }
        let mut gates = HashMap::from([(formula.id(), gate)]);
        // In document order parents come first.
        for node in formula.descendants().filter(Node::is_element) {
            let own = gates.get(&node.id()).copied();
            let parent = node
                .parent()
                .and_then(|parent| gates.get(&parent.id()).copied());
            let spot = self.spot(node);
            match (self.connective(node)?, own, parent) {
                (Some(connective), Some(own), _) => self.draft.set_connective(own, connective),
                (Some(connective), None, Some(parent)) => {
                    let inner = self.draft.inner(spot);
                    self.draft.set_connective(inner, connective);
                    gates.insert(node.id(), inner);
                    self.draft.add_argument(parent, Mention::Inner(inner), spot);
                }
                (None, _, Some(parent)) => {
                    let mention = self.mention(node, container)?;
                    self.draft.add_argument(parent, mention, spot);
                }
                (_, _, None) => {
                    return Err(self.wrong(
                        node,
                        format!("<{}> cannot stand here", node.tag_name().name()),
                    ));
                }
            }
        }
        Ok(())
    }

    fn connective(&self, node: Node<'t, 't>) -> Fallible<Option<Connective>> {
        Ok(Some(match node.tag_name().name() {
            "and" => Connective::And,
            "or" => Connective::Or,
            "not" => Connective::Not,
            "xor" => Connective::Xor,
            "nand" => Connective::Nand,
            "nor" => Connective::Nor,
            "atleast" => Connective::AtLeast(self.number(node, "min", "a number of arguments")?),
            _ => return Ok(None),
        }))
    }

    fn mention(&self, node: Node<'t, 't>, container: &str) -> Fallible<Mention> {
        let expected = match node.tag_name().name() {
            "gate" => Expected::Gate,
            "basic-event" => Expected::Event,
            "house-event" => Expected::House,
            "event" => match node.attribute("type") {
                None => Expected::Any,
                Some("gate") => Expected::Gate,
                Some("basic-event") => Expected::Event,
                Some("house-event") => Expected::House,
                Some(other) => {
                    return Err(self.wrong(node, format!("type={other:?} is no type of events")));
                }
            },
            "constant" => return Ok(Mention::Constant(self.boolean(node)?)),
            other => {
                return Err(self.wrong(node, format!("<{other}> is no formula that is read here")));
            }
        };
        let name = self.attribute(node, "name")?.to_owned();
        Ok(Mention::Name {
            name,
            container: container.to_owned(),
            expected,
        })
    }

    /// The value of an expression.
    fn expression(&self, mut node: Node<'t, 't>) -> Fallible<f64> {
        for _ in 0..MOST_PARAMETERS {
            match node.tag_name().name() {
                "float" | "int" => return self.number(node, "value", "a number"),
                "bool" => return Ok(f64::from(u8::from(self.boolean(node)?))),
                "parameter" => {
                    let name = self.attribute(node, "name")?;
                    let Some(definition) = self.parameters.get(name) else {
                        return Err(self.wrong(node, format!("there is no parameter {name:?}")));
                    };
                    node = match self.one_child(*definition)? {
                        Some(expression) => expression,
                        None => {
                            return Err(self.wrong(
                                *definition,
                                format!("the parameter {name:?} has no value"),
                            ));
                        }
                    };
                }
                other => {
                    return Err(self.wrong(
                        node,
                        format!("<{other}> is no expression that is read here: give a number"),
                    ));
                }
            }
        }
        Err(self.wrong(node, "a parameter depends on itself"))
    }
}
