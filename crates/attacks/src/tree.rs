//! Attack trees: gates over actions of an attacker, with countermeasures of a defender.
//!
//! A tree is a graph without cycles: a node that several gates use is one node, an action that is
//! used twice is done once and paid once. A countermeasure keeps a node from being true. It belongs
//! to the other side, and may be countered again.
//!
//! Invariant: every node exists, there is no cycle, one gate leads to all others, every gate is
//! about nodes of one side, countermeasures are of the other side, and what the root leads to has a
//! value for each attribute that it needs.

use std::fmt;
use std::str::FromStr;

use meetjoin_faults::walk;
use meetjoin_report::meant;

/// What a node makes of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True if an argument is.
    Or,
    /// True if all arguments are.
    And,
    /// True if all arguments are, done one after the other.
    Sequence,
    /// True if at least so many arguments are.
    AtLeast(u32),
    /// An action that an attacker may do.
    Action,
    /// A defence that a defender may buy.
    Defence,
    /// Always so: a house event of a fault tree.
    Constant(bool),
}

/// The side that a node belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that wants the root to be true.
    Attacker,
    /// The side that wants it to be false.
    Defender,
}

/// A node as it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What it makes of its arguments.
    pub kind: Kind,
    /// The numbers of its arguments.
    pub arguments: Vec<u32>,
    /// The numbers of its countermeasures.
    pub counters: Vec<u32>,
    /// By attribute: its value, for actions and defences.
    pub values: Vec<Option<f64>>,
    /// The damage to the defender if the node is true.
    pub damage: f64,
}

/// How the values of actions combine to that of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// They add, and less is better: cost.
    Sum,
    /// The greatest counts, and less is better: the skill that is needed, time in parallel.
    Max,
    /// They multiply, and more is better: the probability that all succeed.
    Product,
}

impl Rule {
    /// The rule with this name.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "sum" => Some(Self::Sum),
            "max" => Some(Self::Max),
            "product" => Some(Self::Product),
            _ => None,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "sum",
            Self::Max => "max",
            Self::Product => "product",
        })
    }
}

/// Something by which attacks are compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// How values make that of an attack.
    pub rule: Rule,
}

/// A text that names no attribute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not NAME=sum, NAME=max or NAME=product")]
pub struct NoAttribute(String);

/// `NAME=RULE`, as the command line and pages have it.
impl FromStr for Attribute {
    type Err = NoAttribute;

    fn from_str(text: &str) -> Result<Self, NoAttribute> {
        let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
        let parts = parts.and_then(|(name, rule)| Some((name, Rule::named(rule)?)));
        let (name, rule) = parts.ok_or_else(|| NoAttribute(text.to_owned()))?;
        let name = name.to_owned();
        Ok(Self { name, rule })
    }
}

/// The attribute that adds up in a sequence, but is a maximum in other gates.
pub const TIME: &str = "time";
/// The default attribute of both sides, if the tree has it.
pub const COST: &str = "cost";
/// The attribute whose values count whenever a node is true.
pub const DAMAGE: &str = "damage";

/// An attack tree. See the [module page](self).
#[derive(Clone, Debug, PartialEq)]
pub struct AttackTree {
    nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    root: u32,
    /// The nodes that the root leads to, arguments and countermeasures first.
    upwards: Vec<u32>,
    /// By node.
    sides: Vec<Side>,
}

/// What is wrong with an attack tree.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the sentences say it
pub enum AttackTreeError {
    #[error("there is no gate")]
    NoGate,
    #[error("an argument of {name:?} does not exist")]
    Argument { node: u32, name: String },
    #[error("{name:?} depends on itself")]
    Cycle { node: u32, name: String },
    #[error("the gate {name:?} has no arguments")]
    EmptyGate { node: u32, name: String },
    #[error("{name:?} is no gate and has arguments")]
    Leaf { node: u32, name: String },
    #[error("the gate {name:?} asks for at least {least} of {found} arguments")]
    AtLeast {
        node: u32,
        name: String,
        least: u32,
        found: usize,
    },
    #[error("{name:?} has no value for the attribute {attribute:?}")]
    Missing {
        node: u32,
        name: String,
        attribute: String,
    },
    #[error("the {attribute} {value} of {name:?} {why}")]
    Value {
        node: u32,
        name: String,
        attribute: String,
        value: f64,
        why: &'static str,
    },
    #[error("the values of {attribute:?} have together more than 15 digits")]
    Digits { attribute: String },
    #[error("{counter:?} counters {name:?}, which is of its own side")]
    OwnSide {
        node: u32,
        name: String,
        counter: String,
    },
    #[error("the gate {name:?} is about {argument:?}, which is of the other side than its others")]
    Mixed {
        node: u32,
        name: String,
        argument: String,
    },
    #[error("the root {name:?} is the defender's")]
    Root { node: u32, name: String },
    #[error("{count} gates are used by no other ({names}): name the root with --top")]
    Roots { count: usize, names: String },
    /// `meant` names the gate that was probably meant.
    #[error("there is no gate {name:?}{meant}")]
    NoTop { name: String, meant: String },
    #[error("the attribute {name:?} is declared twice")]
    Twice { name: String },
}

impl AttackTreeError {
    /// The node that it is about, if it is about one.
    pub fn node(&self) -> Option<u32> {
        match *self {
            Self::Argument { node, .. }
            | Self::Cycle { node, .. }
            | Self::EmptyGate { node, .. }
            | Self::Leaf { node, .. }
            | Self::AtLeast { node, .. }
            | Self::Missing { node, .. }
            | Self::Value { node, .. }
            | Self::OwnSide { node, .. }
            | Self::Mixed { node, .. }
            | Self::Root { node, .. } => Some(node),
            _ => None,
        }
    }
}

impl AttackTree {
    /// A tree of its parts; `top` names the root, if it is not the one gate that nothing uses.
    ///
    /// # Errors
    /// The first of the invariants that does not hold.
    pub fn new(
        nodes: Vec<Node>,
        attributes: Vec<Attribute>,
        top: Option<&str>,
    ) -> Result<Self, AttackTreeError> {
        for (place, attribute) in attributes.iter().enumerate() {
            if attributes[..place]
                .iter()
                .any(|other| other.name == attribute.name)
            {
                let name = attribute.name.clone();
                return Err(AttackTreeError::Twice { name });
            }
        }
        check_shape(&nodes)?;
        let all: Vec<u32> = (0..nodes.len() as u32).collect();
        // If every gate is used, there is a cycle; the walk names it.
        upwards(&nodes, &all)?;
        let root = root(&nodes, top)?;
        Self::rooted(nodes, attributes, root)
    }

    /// A tree of its parts, with the number of the root.
    ///
    /// # Errors
    /// The first of the invariants that does not hold.
    pub fn rooted(
        nodes: Vec<Node>,
        attributes: Vec<Attribute>,
        root: u32,
    ) -> Result<Self, AttackTreeError> {
        check_shape(&nodes)?;
        let all: Vec<u32> = (0..nodes.len() as u32).collect();
        let everything = upwards(&nodes, &all)?;
        let sides = sides(&nodes, &everything)?;
        if sides[root as usize] == Side::Defender {
            let name = nodes[root as usize].name.clone();
            return Err(AttackTreeError::Root { node: root, name });
        }
        let upwards = upwards(&nodes, &[root])?;
        let tree = Self {
            nodes,
            attributes,
            root,
            upwards,
            sides,
        };
        tree.check_values()?;
        Ok(tree)
    }

    /// The nodes, by number.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The place of an attribute.
    pub fn attribute(&self, name: &str) -> Option<usize> {
        let mut names = self.attributes.iter();
        names.position(|attribute| attribute.name == name)
    }

    /// The root.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// The nodes that the root leads to, each after its arguments and its countermeasures.
    pub fn upwards(&self) -> &[u32] {
        &self.upwards
    }

    /// The side that a node belongs to.
    pub fn side(&self, node: u32) -> Side {
        self.sides[node as usize]
    }

    /// The nodes that the root leads to of a kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = u32> {
        let nodes = self.upwards.iter().copied();
        nodes.filter(move |&node| self.nodes[node as usize].kind == kind)
    }

    /// Returns whether there are countermeasures.
    pub fn has_defences(&self) -> bool {
        self.of_kind(Kind::Defence).next().is_some()
    }

    /// The attribute in which the defender pays: `cost`, or else the first that adds.
    pub fn price(&self) -> Option<usize> {
        let adds = |place: &usize| self.attributes[*place].rule == Rule::Sum;
        let cost = self.attribute(COST).filter(adds);
        cost.or_else(|| (0..self.attributes.len()).find(adds))
    }

    /// Nodes that the root does not lead to.
    pub fn unused(&self) -> Vec<u32> {
        let mut used = vec![false; self.nodes.len()];
        for &node in &self.upwards {
            used[node as usize] = true;
        }
        (0..self.nodes.len() as u32)
            .filter(|&node| !used[node as usize])
            .collect()
    }

    fn check_values(&self) -> Result<(), AttackTreeError> {
        let price = self.price();
        for (number, node) in (0..).zip(&self.nodes) {
            let wrong = |attribute: &str, value: f64, why| AttackTreeError::Value {
                node: number,
                name: node.name.clone(),
                attribute: attribute.to_owned(),
                value,
                why,
            };
            for (attribute, value) in self.attributes.iter().zip(&node.values) {
                let Some(value) = *value else { continue };
                match attribute.rule {
                    Rule::Sum | Rule::Max if !value.is_finite() => {
                        return Err(wrong(&attribute.name, value, "is not finite"));
                    }
                    Rule::Sum | Rule::Max if value < 0.0 => {
                        return Err(wrong(&attribute.name, value, "is negative"));
                    }
                    Rule::Product if !(0.0..=1.0).contains(&value) => {
                        return Err(wrong(&attribute.name, value, "does not lie in 0..1"));
                    }
                    _ => {}
                }
            }
            if !node.damage.is_finite() || node.damage < 0.0 {
                let why = "is negative or not finite";
                return Err(wrong(DAMAGE, node.damage, why));
            }
            if node.damage > 0.0 && self.side(number) == Side::Defender {
                let why = "is of the defender's side, which does none";
                return Err(wrong(DAMAGE, node.damage, why));
            }
        }
        for &number in &self.upwards {
            let node = &self.nodes[number as usize];
            for (place, attribute) in self.attributes.iter().enumerate() {
                let needed = match node.kind {
                    Kind::Action => true,
                    Kind::Defence => price == Some(place),
                    _ => false,
                };
                if needed && node.values.get(place).copied().flatten().is_none() {
                    return Err(AttackTreeError::Missing {
                        node: number,
                        name: node.name.clone(),
                        attribute: attribute.name.clone(),
                    });
                }
            }
        }
        for (place, attribute) in self.attributes.iter().enumerate() {
            if attribute.rule == Rule::Sum && Scale::of(self, place).is_none() {
                let attribute = attribute.name.clone();
                return Err(AttackTreeError::Digits { attribute });
            }
        }
        if Scale::of_damage(self).is_none() {
            let attribute = DAMAGE.to_owned();
            return Err(AttackTreeError::Digits { attribute });
        }
        Ok(())
    }
}

/// Checks each node by itself.
fn check_shape(nodes: &[Node]) -> Result<(), AttackTreeError> {
    for (number, node) in (0..).zip(nodes) {
        let name = || node.name.clone();
        let mut others = node.arguments.iter().chain(&node.counters);
        if others.any(|&other| other as usize >= nodes.len()) {
            let name = name();
            return Err(AttackTreeError::Argument { node: number, name });
        }
        let found = node.arguments.len();
        let is_gate = matches!(
            node.kind,
            Kind::Or | Kind::And | Kind::Sequence | Kind::AtLeast(_)
        );
        if !is_gate && found > 0 {
            let name = name();
            return Err(AttackTreeError::Leaf { node: number, name });
        }
        if is_gate && found == 0 {
            let name = name();
            return Err(AttackTreeError::EmptyGate { node: number, name });
        }
        if let Kind::AtLeast(least) = node.kind
            && (least == 0 || least as usize > found)
        {
            return Err(AttackTreeError::AtLeast {
                node: number,
                name: name(),
                least,
                found,
            });
        }
    }
    Ok(())
}

/// Whether a node can be the root by its kind.
fn is_gate(node: &Node) -> bool {
    !node.arguments.is_empty()
}

fn root(nodes: &[Node], top: Option<&str>) -> Result<u32, AttackTreeError> {
    if let Some(top) = top {
        let found = nodes
            .iter()
            .position(|node| node.name == top && is_gate(node));
        return found.map(|place| place as u32).ok_or_else(|| {
            let gates = nodes.iter().filter(|node| is_gate(node));
            AttackTreeError::NoTop {
                name: top.to_owned(),
                meant: meant(top, gates.map(|node| &*node.name)),
            }
        });
    }
    let mut used = vec![false; nodes.len()];
    for node in nodes {
        for &other in node.arguments.iter().chain(&node.counters) {
            used[other as usize] = true;
        }
    }
    let roots = (0..).zip(nodes);
    let roots = roots.filter(|(number, node)| is_gate(node) && !used[*number as usize]);
    let roots: Vec<(u32, &Node)> = roots.collect();
    match roots[..] {
        [(root, _)] => Ok(root),
        [] => Err(AttackTreeError::NoGate),
        _ => {
            const SHOWN: usize = 10;
            let names = roots.iter().take(SHOWN).map(|(_, node)| node.name.as_str());
            let names: Vec<&str> = names.collect();
            let more = if roots.len() > SHOWN { ", ..." } else { "" };
            Err(AttackTreeError::Roots {
                count: roots.len(),
                names: format!("{}{more}", names.join(", ")),
            })
        }
    }
}

/// The nodes reachable from some, each after its arguments and its countermeasures.
fn upwards(nodes: &[Node], starts: &[u32]) -> Result<Vec<u32>, AttackTreeError> {
    let below = |number: u32| {
        let node = &nodes[number as usize];
        node.arguments.iter().chain(&node.counters).copied()
    };
    let order = walk::upwards(nodes.len(), starts.iter().copied(), below);
    order.map_err(|cycle| {
        let node = cycle[0];
        let name = nodes[node as usize].name.clone();
        AttackTreeError::Cycle { node, name }
    })
}

/// The side of each node.
fn sides(nodes: &[Node], upwards: &[u32]) -> Result<Vec<Side>, AttackTreeError> {
    let mut sides = vec![Side::Attacker; nodes.len()];
    for &number in upwards {
        let node = &nodes[number as usize];
        let side = match node.kind {
            Kind::Defence => Side::Defender,
            _ => node
                .arguments
                .first()
                .map_or(Side::Attacker, |&first| sides[first as usize]),
        };
        sides[number as usize] = side;
        let mut arguments = node.arguments.iter();
        if let Some(&other) = arguments.find(|&&argument| sides[argument as usize] != side) {
            return Err(AttackTreeError::Mixed {
                node: number,
                name: node.name.clone(),
                argument: nodes[other as usize].name.clone(),
            });
        }
        let mut counters = node.counters.iter();
        if let Some(&counter) = counters.find(|&&counter| sides[counter as usize] == side) {
            return Err(AttackTreeError::OwnSide {
                node: number,
                name: node.name.clone(),
                counter: nodes[counter as usize].name.clone(),
            });
        }
    }
    Ok(sides)
}

/// The unit in which sums are whole numbers, so that adding them rounds nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale(f64);

impl Scale {
    /// The unit 1, for values without fractions.
    pub const ONE: Self = Self(1.0);

    /// The unit of an attribute; `None` if all values together are too great to be exact.
    pub fn of(tree: &AttackTree, attribute: usize) -> Option<Self> {
        let values = tree.upwards.iter();
        let values = values.filter_map(|&node| tree.nodes[node as usize].values.get(attribute));
        Self::of_values(values.copied().flatten())
    }

    /// The unit of damage.
    pub fn of_damage(tree: &AttackTree) -> Option<Self> {
        let nodes = tree.upwards.iter();
        Self::of_values(nodes.map(|&node| tree.nodes[node as usize].damage))
    }

    fn of_values(values: impl Iterator<Item = f64>) -> Option<Self> {
        const MOST: f64 = (1_u64 << 53) as f64;
        let (mut digits, mut total) = (0_usize, 0.0);
        for value in values {
            let text = value.to_string();
            digits = digits.max(text.find('.').map_or(0, |point| text.len() - point - 1));
            total += value;
        }
        // A power of ten up to here is exact.
        let digits = i32::try_from(digits).ok().filter(|&digits| digits <= 22)?;
        let scale = 10_f64.powi(digits);
        (total * scale < MOST).then_some(Self(scale))
    }

    /// A value in whole units.
    pub fn units(self, value: f64) -> f64 {
        (value * self.0).round()
    }

    /// The value of a number of units.
    pub fn value(self, units: f64) -> f64 {
        units / self.0
    }
}
