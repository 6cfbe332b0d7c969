//! The XML of ADTool, read and written.
//!
//! A label is a name: elements with the same label are one node. A `node` with `switchRole` is a
//! countermeasure of the node around it, and may be there at one place of a label and not at
//! another. The side that owns the root is the attacker.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use meetjoin_report::{meant, other_encoding};
use roxmltree::{Document, Node as Xml, NodeId};

use super::draft::{Draft, Wrong};
use crate::tree::{AttackTree, Attribute, Kind, Rule};

/// Domains of ADTool: their attribute here, and how values combine.
const DOMAINS: &[(&str, &str, Rule)] = &[
    ("MinCost", "cost", Rule::Sum),
    ("RealG0MinSumCost", "cost", Rule::Sum),
    ("MinTimePar", "time", Rule::Max),
    ("MinTimeSeq", "time_in_sequence", Rule::Sum),
    ("RealG0MinSum", "time_in_sequence", Rule::Sum),
    ("MinSkill", "skill", Rule::Max),
    ("ProbSucc", "p", Rule::Product),
    ("DiffLMH", "difficulty", Rule::Max),
    ("DiffLMHE", "difficulty", Rule::Max),
    ("PowerCons", "power", Rule::Sum),
    ("ReachPar", "reach", Rule::Max),
    ("ReachSeq", "reach_in_sequence", Rule::Sum),
];

/// Degrees of difficulty: low, medium, high, extreme.
const DEGREES: &[(&str, f64)] = &[("L", 1.0), ("M", 2.0), ("H", 3.0), ("E", 4.0)];

/// Attributes of any element that say how it is to be validated.
const SCHEMA: &str = "http://www.w3.org/2001/XMLSchema-instance";

fn wrong(at: Xml<'_, '_>, what: impl Into<String>) -> Wrong {
    Wrong::at(at.range().start, what)
}

/// Refuses another name space, and attributes but these.
fn only(element: Xml<'_, '_>, attributes: &[&str]) -> Result<(), Wrong> {
    let name = element.tag_name().name();
    if let Some(space) = element.tag_name().namespace() {
        let what = format!("<{name}> of the name space {space:?} is not known");
        return Err(wrong(element, what));
    }
    for attribute in element.attributes() {
        let own = attribute.name();
        if attribute.namespace() == Some(SCHEMA) {
            continue;
        }
        if attribute.namespace().is_some() || !attributes.contains(&own) {
            let meant = meant(own, attributes.iter().copied());
            let what = format!("<{name}> has no attribute {own:?}{meant}");
            return Err(Wrong::at(attribute.range().start, what));
        }
    }
    Ok(())
}

/// The elements in an element that has nothing else, but these attributes.
fn elements_of<'a, 'i>(
    element: Xml<'a, 'i>,
    attributes: &[&str],
) -> Result<impl Iterator<Item = Xml<'a, 'i>>, Wrong> {
    only(element, attributes)?;
    for child in element.children().filter(Xml::is_text) {
        let text = child.text().unwrap_or("").trim();
        if !text.is_empty() {
            let name = element.tag_name().name();
            let begin: String = text.chars().take(40).collect();
            return Err(wrong(child, format!("<{name}> has no text, as {begin:?}")));
        }
    }
    Ok(element.children().filter(Xml::is_element))
}

/// The text of an element that has nothing else, but these attributes, with one space between its
/// words. Comments within it do not divide words.
fn text_of(element: Xml<'_, '_>, attributes: &[&str]) -> Result<String, Wrong> {
    only(element, attributes)?;
    if let Some(inner) = element.children().find(Xml::is_element) {
        let (name, inner_name) = (element.tag_name().name(), inner.tag_name().name());
        return Err(wrong(inner, format!("<{name}> has no <{inner_name}>")));
    }
    let texts = element.children().filter(Xml::is_text);
    let text: String = texts.filter_map(|child| child.text()).collect();
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The one child of this name, if there is one.
fn single<'a, 'i>(element: Xml<'a, 'i>, name: &str) -> Result<Option<Xml<'a, 'i>>, Wrong> {
    let is_it = |child: &Xml<'_, '_>| child.tag_name().name() == name;
    let mut all = element.children().filter(Xml::is_element).filter(is_it);
    let first = all.next();
    match all.next() {
        None => Ok(first),
        Some(second) => {
            let of = element.tag_name().name();
            Err(wrong(second, format!("<{of}> has a second <{name}>")))
        }
    }
}

/// Refuses an encoding that is declared and is not that of the text.
fn check_encoding(text: &str) -> Result<(), Wrong> {
    let declaration = text.trim_start().strip_prefix("<?xml");
    let declaration = declaration.and_then(|rest| Some(rest.split_once("?>")?.0));
    let value = declaration.and_then(|rest| {
        let (_, value) = rest.split_once("encoding")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next()?;
        Some(value[quote.len_utf8()..].split_once(quote)?.0)
    });
    match value.and_then(other_encoding) {
        Some(what) => Err(Wrong::at(0, what)),
        None => Ok(()),
    }
}

/// Reads a tree. `given` declares unknown domains, by id or by class: each must match one.
pub(super) fn read(text: &str, given: &[Attribute]) -> Result<Draft, Wrong> {
    check_encoding(text)?;
    let document = Document::parse(text).map_err(|error| {
        let place = error.pos();
        let lines = text
            .split_inclusive('\n')
            .take(place.row.saturating_sub(1) as usize);
        let before: usize = lines.map(str::len).sum();
        Wrong::at(before, format!("this is no XML: {error}"))
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "adtree" {
        let name = root.tag_name().name();
        return Err(wrong(
            root,
            format!("an attack tree is <adtree>, and this is <{name}>"),
        ));
    }
    let mut reading = Reading {
        draft: Draft::default(),
        domains: HashMap::new(),
        given,
        used: HashSet::new(),
        sides: HashMap::new(),
        degrees: Vec::new(),
    };
    let mut tops = Vec::new();
    for element in elements_of(root, &[])? {
        match element.tag_name().name() {
            "node" => tops.push(element),
            "domain" => reading.domain(element)?,
            other => return Err(wrong(element, format!("<adtree> has no <{other}>"))),
        }
    }
    match tops[..] {
        [top] => reading.tree(top)?,
        [] => return Err(wrong(root, "there is no root: <adtree> has no <node>")),
        [_, second, ..] => return Err(wrong(second, "there are two roots in <adtree>")),
    }
    let is_unused = |given: &&Attribute| !reading.used.contains(given.name.as_str());
    if let Some(Attribute { name, .. }) = given.iter().find(is_unused) {
        let mut ids: Vec<&str> = reading.domains.keys().map(String::as_str).collect();
        ids.sort_unstable();
        let meant = meant(name, ids);
        return Err(Wrong::whole(format!("there is no domain {name:?}{meant}")));
    }
    Ok(reading.draft)
}

struct Reading<'a> {
    draft: Draft,
    /// By id: the place of the attribute.
    domains: HashMap<String, usize>,
    given: &'a [Attribute],
    /// Names of `given` attributes that were used.
    used: HashSet<&'a str>,
    /// By label: whether the attacker's.
    sides: HashMap<String, bool>,
    /// By attribute: degrees that its values may have.
    degrees: Vec<&'static [(&'static str, f64)]>,
}

impl Reading<'_> {
    /// `<domain id=".."><class>..</class></domain>`.
    fn domain(&mut self, element: Xml<'_, '_>) -> Result<(), Wrong> {
        for child in elements_of(element, &["id"])? {
            match child.tag_name().name() {
                "class" | "tool" => {}
                other => return Err(wrong(child, format!("<domain> has no <{other}>"))),
            }
        }
        let Some(id) = element.attribute("id") else {
            return Err(wrong(element, "a domain has no id"));
        };
        if self.domains.contains_key(id) {
            return Err(wrong(
                element,
                format!("the domain {id:?} is defined twice"),
            ));
        }
        let class = single(element, "class")?;
        let class = class.map(|class| text_of(class, &[])).transpose()?;
        let class = class.as_deref().unwrap_or(id);
        self.declare(element, id, class.rsplit('.').next().unwrap_or(class))?;
        Ok(())
    }

    /// The attribute of a domain, which is new.
    fn declare(&mut self, at: Xml<'_, '_>, id: &str, class: &str) -> Result<usize, Wrong> {
        if let Some(&place) = self.domains.get(id) {
            return Ok(place);
        }
        let given = self.given.iter();
        let given = given.filter(|given| given.name == id || given.name == class);
        let given: Vec<&Attribute> = given.collect();
        let known = DOMAINS.iter().find(|(name, ..)| *name == class);
        let (name, rule) = match (&given[..], known) {
            ([], Some(&(_, name, rule))) => (name, rule),
            ([given], None) => {
                self.used.insert(&given.name);
                (given.name.as_str(), given.rule)
            }
            ([], None) => {
                let what = format!(
                    "the domain {id:?} is not known: say what it is with --attribute {id}=sum|max|product"
                );
                return Err(wrong(at, what));
            }
            ([given, ..], Some((_, name, rule))) => {
                let Attribute {
                    name: own,
                    rule: new,
                } = given;
                let what = format!(
                    "the domain {id:?} is known ({name}, {rule}), and --attribute {own}={new} is \
                     for those that are not"
                );
                return Err(wrong(at, what));
            }
            ([one, other, ..], None) => {
                let what = format!(
                    "it is said twice what the domain {id:?} is: --attribute {}={}, \
                     --attribute {}={}",
                    one.name, one.rule, other.name, other.rule
                );
                return Err(wrong(at, what));
            }
        };
        let names = &self.draft.attributes;
        let is_taken = names.iter().any(|(attribute, _)| attribute.name == name);
        let name = if is_taken { id } else { name }.to_owned();
        let attribute = Attribute { name, rule };
        self.draft.attributes.push((attribute, at.range().start));
        let place = self.draft.attributes.len() - 1;
        self.domains.insert(id.to_owned(), place);
        let most = match class {
            "DiffLMH" => 3,
            "DiffLMHE" => 4,
            _ => 0,
        };
        self.degrees.push(&DEGREES[..most]);
        Ok(place)
    }

    /// All nodes from the root on.
    fn tree(&mut self, top: Xml<'_, '_>) -> Result<(), Wrong> {
        // By element: whether the attacker's.
        let mut sides: HashMap<NodeId, bool> = HashMap::new();
        let mut labels: HashMap<NodeId, String> = HashMap::new();
        let is_node = |element: &Xml<'_, '_>| element.has_tag_name("node");
        let nodes: Vec<Xml<'_, '_>> = top.descendants().filter(is_node).collect();
        for &element in &nodes {
            let around = element
                .parent()
                .and_then(|parent| sides.get(&parent.id()).copied());
            let is_attacker = match around {
                None => true,
                Some(around) => around != switches(element)?,
            };
            sides.insert(element.id(), is_attacker);
            let label = label(element)?;
            let known = self.sides.insert(label.clone(), is_attacker);
            if known.is_some_and(|known| known != is_attacker) {
                let what = format!("the role of {label:?} changes: it stands on both sides");
                return Err(wrong(element, what));
            }
            labels.insert(element.id(), label);
        }
        // Countermeasures by label, for each place where it stands.
        let mut counters: HashMap<&str, Vec<Vec<&str>>> = HashMap::new();
        let own = |element: Xml<'_, '_>, counter: bool| -> Vec<&str> {
            let side = sides[&element.id()];
            let children = element.children().filter(is_node);
            let children = children.filter(|child| (sides[&child.id()] != side) == counter);
            children.map(|child| labels[&child.id()].as_str()).collect()
        };
        for &element in &nodes {
            let label = labels[&element.id()].as_str();
            counters.entry(label).or_default().push(own(element, true));
        }
        // What stands for an element: its label, or, where a label is countered at some places and
        // not at others, a gate for the place.
        let mut stands: HashMap<NodeId, u32> = HashMap::new();
        let mut gates: HashMap<(&str, Vec<&str>), u32> = HashMap::new();
        let mut names: HashSet<String> = self.sides.keys().cloned().collect();
        // Arguments first.
        for &element in nodes.iter().rev() {
            let name = labels[&element.id()].as_str();
            let spot = element.range().start;
            let number = self.element(element, name, sides[&element.id()])?;
            let arguments: Vec<u32> = element
                .children()
                .filter(is_node)
                .filter(|child| sides[&child.id()] == sides[&element.id()])
                .map(|child| stands[&child.id()])
                .collect();
            if arguments.is_empty() {
                refinement(element)?;
            } else {
                self.gate(element, name, number, &arguments)?;
            }
            let here: Vec<u32> = element
                .children()
                .filter(is_node)
                .filter(|child| sides[&child.id()] != sides[&element.id()])
                .map(|child| stands[&child.id()])
                .collect();
            let places = &counters[name];
            let stand = if here.is_empty() || places.iter().all(|other| *other == places[0]) {
                number
            } else {
                let against = own(element, true);
                if let Some(&gate) = gates.get(&(name, against.clone())) {
                    gate
                } else {
                    let mut own = format!("{name} against {}", against.join(" and "));
                    // A label of the file may read the same.
                    while !names.insert(own.clone()) {
                        own.push('\'');
                    }
                    let gate = self.draft.mention(&own, spot);
                    self.draft.define(&own, Kind::Or, spot)?;
                    self.draft.add_argument(gate, number);
                    gates.insert((name, against), gate);
                    gate
                }
            };
            for counter in here {
                self.draft.add_counter(counter, stand);
            }
            stands.insert(element.id(), stand);
        }
        self.draft.root = stands.get(&top.id()).copied();
        Ok(())
    }

    /// A node by its label, with its values.
    fn element(
        &mut self,
        element: Xml<'_, '_>,
        name: &str,
        is_attacker: bool,
    ) -> Result<u32, Wrong> {
        let spot = element.range().start;
        let number = self.draft.mention(name, spot);
        if !is_attacker && !self.draft.is_defined(number) {
            self.draft.set_kind(number, Kind::Defence);
        }
        for child in elements_of(element, &["refinement", "switchRole"])? {
            match child.tag_name().name() {
                "parameter" => {}
                "node" | "label" | "comment" => continue,
                other => return Err(wrong(child, format!("<node> has no <{other}>"))),
            }
            let Some(id) = child.attribute("domainId") else {
                return Err(wrong(child, "a parameter has no domainId"));
            };
            let class = id.trim_end_matches(|c: char| c.is_ascii_digit());
            let place = self.declare(child, id, class)?;
            let text = text_of(child, &["domainId", "category"])?;
            match child.attribute("category") {
                None | Some("basic") => {}
                // Derived values can be computed from the rest.
                Some("derived") => continue,
                Some(other) => {
                    let what = format!("the category {other:?} is not basic or derived");
                    return Err(wrong(child, what));
                }
            }
            let degree = self.degrees[place].iter().find(|(name, _)| *name == text);
            let value = degree
                .map(|&(_, value)| value)
                .or_else(|| text.parse().ok());
            let Some(value) = value.filter(|value| value.is_finite()) else {
                return Err(wrong(child, format!("{text:?} is not a finite number")));
            };
            let attribute = self.draft.attributes[place].0.name.clone();
            let at = child.range().start;
            self.draft.value(number, &attribute, value, at, true)?;
        }
        Ok(number)
    }

    /// Defines the gate of a label; all definitions of one label must agree.
    fn gate(
        &mut self,
        element: Xml<'_, '_>,
        name: &str,
        number: u32,
        arguments: &[u32],
    ) -> Result<(), Wrong> {
        let kind = refinement(element)?;
        if self.draft.is_defined(number) {
            let same = self.draft.kind(number) == kind && self.draft.arguments(number) == arguments;
            return if same {
                Ok(())
            } else {
                Err(wrong(element, format!("{name:?} is refined in two ways")))
            };
        }
        self.draft.define(name, kind, element.range().start)?;
        for &argument in arguments {
            self.draft.add_argument(number, argument);
        }
        Ok(())
    }
}

fn refinement(element: Xml<'_, '_>) -> Result<Kind, Wrong> {
    match element.attribute("refinement") {
        None | Some("disjunctive") => Ok(Kind::Or),
        Some("conjunctive") => Ok(Kind::And),
        Some("sequential") => Ok(Kind::Sequence),
        Some(other) => {
            let what =
                format!("the refinement {other:?} is not disjunctive, conjunctive or sequential");
            Err(wrong(element, what))
        }
    }
}

fn switches(element: Xml<'_, '_>) -> Result<bool, Wrong> {
    match element.attribute("switchRole") {
        None | Some("no") => Ok(false),
        Some("yes") => Ok(true),
        Some(other) => Err(wrong(
            element,
            format!("switchRole is {other:?}, not yes or no"),
        )),
    }
}

fn label(element: Xml<'_, '_>) -> Result<String, Wrong> {
    let label = single(element, "label")?;
    let text = label.map(|label| text_of(label, &[])).transpose()?;
    text.filter(|text| !text.is_empty())
        .ok_or_else(|| wrong(element, "a node has no label"))
}

/// Why a tree has no form in ADTool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoAdtool {
    /// A gate that ADTool does not have.
    #[error("the gate {0:?} is a K-of-N gate or a constant, which ADTool does not support")]
    Gate(String),
    /// An attribute with the name of a domain of ADTool that combines values in another way.
    #[error("the attribute {0:?} has the name of a domain of ADTool, which combines values by {1}")]
    Attribute(String, Rule),
    /// ADTool has no damage.
    #[error("{0:?} has a damage, which ADTool does not support")]
    Damage(String),
    /// The tree gets too large: shared parts are written once for each use.
    #[error("what is shared would be written too often: more than {MOST} nodes")]
    Size,
}

/// The most nodes that are written.
const MOST: usize = 1 << 20;

/// The id and the class of the domain of each attribute.
fn domains(attributes: &[Attribute]) -> Result<Vec<(String, String)>, NoAdtool> {
    let is_taken = |id: &str| attributes.iter().any(|attribute| attribute.name == id);
    let domain = |(place, attribute): (usize, &Attribute)| {
        let Attribute { name, rule } = attribute;
        let mut known = DOMAINS.iter();
        if let Some((class, ..)) = known.find(|(_, own, by)| own == name && by == rule) {
            let mut ids = (place + 1..).map(|number| format!("{class}{number}"));
            let id = ids.find(|id| !is_taken(id)).unwrap_or_default();
            return Ok((id, (*class).to_owned()));
        }
        // A second attribute of one class is known by its id.
        let class = name.trim_end_matches(|c: char| c.is_ascii_digit());
        match DOMAINS.iter().find(|(known, ..)| *known == class) {
            None => Ok((name.clone(), name.clone())),
            Some((.., by)) if by == rule => Ok((name.clone(), class.to_owned())),
            Some((.., by)) => Err(NoAdtool::Attribute(name.clone(), *by)),
        }
    };
    attributes.iter().enumerate().map(domain).collect()
}

/// A tree as ADTool reads it: what is shared is written at each use.
///
/// # Errors
/// If it has gates that ADTool has not, or gets too large.
pub fn written(tree: &AttackTree) -> Result<String, NoAdtool> {
    enum Step {
        Open(u32, bool),
        Close,
    }
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<adtree>\n".to_owned();
    let domains = domains(tree.attributes())?;
    if let Some(node) = tree.nodes().iter().find(|node| node.damage != 0.0) {
        return Err(NoAdtool::Damage(node.name.clone()));
    }
    let mut stack = vec![Step::Open(tree.root(), false)];
    let (mut count, mut depth) = (0, 1);
    // Writing to a string cannot fail.
    while let Some(step) = stack.pop() {
        let Step::Open(number, switches) = step else {
            depth -= 1;
            let _ = writeln!(text, "{}</node>", "  ".repeat(depth.min(40)));
            continue;
        };
        count += 1;
        if count > MOST {
            return Err(NoAdtool::Size);
        }
        let node = &tree.nodes()[number as usize];
        let refinement = match node.kind {
            Kind::Or | Kind::Action | Kind::Defence => "disjunctive",
            Kind::And => "conjunctive",
            Kind::Sequence => "sequential",
            Kind::AtLeast(_) | Kind::Constant(_) => return Err(NoAdtool::Gate(node.name.clone())),
        };
        let space = "  ".repeat(depth.min(40));
        let switch = if switches { " switchRole=\"yes\"" } else { "" };
        let label = escape(&node.name);
        let _ = writeln!(text, "{space}<node refinement=\"{refinement}\"{switch}>");
        let _ = writeln!(text, "{space}  <label>{label}</label>");
        for ((id, _), value) in domains.iter().zip(&node.values) {
            if let Some(value) = value {
                let id = escape(id);
                let _ = writeln!(
                    text,
                    "{space}  <parameter domainId=\"{id}\" category=\"basic\">{value}</parameter>"
                );
            }
        }
        depth += 1;
        stack.push(Step::Close);
        let counters = node.counters.iter().rev();
        stack.extend(counters.map(|&counter| Step::Open(counter, true)));
        let arguments = node.arguments.iter().rev();
        stack.extend(arguments.map(|&argument| Step::Open(argument, false)));
    }
    for (id, class) in &domains {
        let (id, class) = (escape(id), escape(class));
        let _ = writeln!(
            text,
            "  <domain id=\"{id}\">\n    <class>lu.uni.adtool.domains.predefined.{class}</class>\n    \
             <tool>ADTool</tool>\n  </domain>"
        );
    }
    text.push_str("</adtree>\n");
    Ok(text)
}

fn escape(text: &str) -> String {
    meetjoin_report::page::escape(text)
}
