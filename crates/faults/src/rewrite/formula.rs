//! A formula: AND and OR over events and negated events, with equal parts shared.
//!
//! Idea: De Morgan's laws push every negation down to the events, k of n is unfolded along a grid
//! whose points are shared, and each gate is made once, whatever the order of its arguments. Gates
//! are simplified as they are made: constants, gates of one argument, arguments given twice, an
//! event with its negation, and arguments that another argument absorbs.
//!
//! Cost: linear in the file, and n k for a gate k of n.

use crate::map::Map;
use crate::tree::FaultTree;
use crate::tree::{Argument, Connective};
use crate::walk::upwards;

/// A node of a [`Formula`]. Nodes have greater numbers than those below them.
pub type Node = u32;

/// The node that is false.
pub const FALSE: Node = 0;
/// The node that is true.
pub const TRUE: Node = 1;

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// False or true.
    Constant(bool),
    /// An event, or its negation.
    Literal {
        /// The number of the event.
        event: u32,
        /// Whether the event itself.
        positive: bool,
    },
    /// A gate of at least two different arguments.
    Gate {
        /// Whether AND.
        and: bool,
        /// Its arguments.
        arguments: Vec<Node>,
    },
}

/// A gate of a formula from which [another one](Formula::rebuilt) is made.
#[derive(Clone, Copy, Debug)]
pub struct Gate<'f> {
    /// Its number in the old formula.
    pub node: Node,
    /// Whether AND.
    pub and: bool,
    /// Its arguments in the old formula.
    pub old: &'f [Node],
    /// What was made of them.
    pub arguments: &'f [Node],
}

/// A shared formula. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Formula {
    parts: Vec<Part>,
    /// By event: its negation and itself; `FALSE` where there is none yet.
    literals: Vec<[Node; 2]>,
    /// By kind and sorted arguments.
    gates: Map<(bool, Box<[Node]>), Node>,
    /// The root.
    pub root: Node,
}

impl Default for Formula {
    fn default() -> Self {
        Self {
            parts: vec![Part::Constant(false), Part::Constant(true)],
            literals: Vec::new(),
            gates: Map::default(),
            root: FALSE,
        }
    }
}

impl Formula {
    /// The formula of a fault tree.
    pub fn of(tree: &FaultTree) -> Self {
        Unfolding::of(tree)
    }

    /// What a node is.
    #[inline]
    pub fn part(&self, node: Node) -> &Part {
        &self.parts[node as usize]
    }

    /// How many nodes there are, used or not.
    pub fn size(&self) -> usize {
        self.parts.len()
    }

    /// The arguments of a gate; those of any other node are none.
    #[inline]
    pub fn arguments(&self, node: Node) -> &[Node] {
        match self.part(node) {
            Part::Gate { arguments, .. } => arguments,
            _ => &[],
        }
    }

    /// Whether a node is a gate of this kind.
    pub fn is_gate(&self, node: Node, kind: bool) -> bool {
        matches!(self.part(node), Part::Gate { and, .. } if *and == kind)
    }

    /// An event, or its negation.
    pub fn literal(&mut self, event: u32, positive: bool) -> Node {
        let place = event as usize;
        if self.literals.len() <= place {
            self.literals.resize(place + 1, [FALSE; 2]);
        }
        let literal = &mut self.literals[place][usize::from(positive)];
        if *literal == FALSE {
            *literal = self.parts.len() as Node;
            self.parts.push(Part::Literal { event, positive });
        }
        *literal
    }

    fn negated_literal(&self, node: Node) -> Option<Node> {
        match *self.part(node) {
            Part::Literal { event, positive } => {
                let negated = self.literals[event as usize][usize::from(!positive)];
                (negated != FALSE).then_some(negated)
            }
            _ => None,
        }
    }

    /// A gate, or what is equal to it and simpler.
    pub fn gate(&mut self, and: bool, arguments: impl IntoIterator<Item = Node>) -> Node {
        let (neutral, absorbing) = if and { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut arguments: Vec<Node> = arguments
            .into_iter()
            .filter(|&node| node != neutral)
            .collect();
        let mut key = arguments.clone();
        key.sort_unstable();
        key.dedup();
        let contains = |node: &Node| key.binary_search(node).is_ok();
        if contains(&absorbing)
            || key.iter().any(|&node| {
                self.negated_literal(node)
                    .is_some_and(|node| contains(&node))
            })
        {
            return absorbing;
        }
        // a (a + b) = a, and the same upside down.
        let absorbed =
            |node: Node| self.is_gate(node, !and) && self.arguments(node).iter().any(contains);
        let kept: Vec<Node> = key
            .iter()
            .copied()
            .filter(|&node| !absorbed(node))
            .collect();
        match kept[..] {
            [] => return neutral,
            [node] => return node,
            _ => {}
        }
        let key = (and, kept.into_boxed_slice());
        if let Some(&node) = self.gates.get(&key) {
            return node;
        }
        // In the order in which they are given, each once.
        let mut is_left = vec![true; key.1.len()];
        arguments.retain(|node| {
            let place = key.1.binary_search(node);
            place.is_ok_and(|place| std::mem::replace(&mut is_left[place], false))
        });
        self.parts.push(Part::Gate { and, arguments });
        let node = (self.parts.len() - 1) as Node;
        self.gates.insert(key, node);
        node
    }

    /// At least `least` of some arguments, along a grid of shared gates.
    pub fn at_least(&mut self, least: usize, arguments: &[Node]) -> Node {
        // `row[k]` is "at least k of those that were seen".
        let mut row = vec![FALSE; least + 1];
        row[0] = TRUE;
        for (seen, &argument) in arguments.iter().rev().enumerate() {
            // Skips points of the grid from which the arguments to come cannot reach `least`.
            let to_come = arguments.len() - 1 - seen;
            for k in (least.saturating_sub(to_come).max(1)..=least.min(seen + 1)).rev() {
                let with = self.gate(true, [argument, row[k - 1]]);
                row[k] = self.gate(false, [with, row[k]]);
            }
        }
        row[least]
    }

    /// The nodes that the root leads to, arguments first.
    pub fn reached(&self) -> Vec<Node> {
        let mut marks = vec![false; self.parts.len()];
        marks[self.root as usize] = true;
        for node in (0..=self.root).rev() {
            if marks[node as usize] {
                for &argument in self.arguments(node) {
                    marks[argument as usize] = true;
                }
            }
        }
        (0..=self.root)
            .filter(|&node| marks[node as usize])
            .collect()
    }

    /// How many gates below the root have each node as an argument.
    pub fn parents(&self) -> Vec<u32> {
        let mut counts = vec![0; self.parts.len()];
        for node in self.reached() {
            for &argument in self.arguments(node) {
                counts[argument as usize] += 1;
            }
        }
        counts
    }

    /// The events that the root leads to, in the order of their numbers.
    pub fn events(&self) -> Vec<u32> {
        let event = |node: Node| match *self.part(node) {
            Part::Literal { event, .. } => Some(event),
            _ => None,
        };
        let mut events: Vec<u32> = self.reached().into_iter().filter_map(event).collect();
        events.sort_unstable();
        events.dedup();
        events
    }

    /// The events that the root leads to negated.
    pub fn negated_events(&self) -> Vec<u32> {
        let negated = |node: Node| match *self.part(node) {
            Part::Literal {
                event,
                positive: false,
            } => Some(event),
            _ => None,
        };
        self.reached().into_iter().filter_map(negated).collect()
    }

    /// The dual: AND and OR exchanged. It is true at a point unless this is true at the complement
    /// of the point.
    #[must_use]
    pub fn dual(&self) -> Self {
        let mut dual =
            self.rebuilt(|new, gate| new.gate(!gate.and, gate.arguments.iter().copied()));
        // A constant is no argument of any gate.
        if let Part::Constant(constant) = *dual.part(dual.root) {
            dual.root = Node::from(!constant);
        }
        dual
    }

    /// A formula with the same constants and literals, in which `make` makes each gate anew.
    #[must_use]
    pub fn rebuilt(&self, mut make: impl FnMut(&mut Self, Gate<'_>) -> Node) -> Self {
        let mut new = Self::default();
        let mut made = vec![FALSE; self.parts.len()];
        let mut arguments = Vec::new();
        // Along a walk from the root, so that numbers keep the order of the file.
        for node in self.walk() {
            made[node as usize] = match self.part(node) {
                Part::Constant(constant) => Node::from(*constant),
                Part::Literal { event, positive } => new.literal(*event, *positive),
                Part::Gate {
                    and,
                    arguments: old,
                } => {
                    arguments.clear();
                    arguments.extend(old.iter().map(|&argument| made[argument as usize]));
                    let gate = Gate {
                        node,
                        and: *and,
                        old,
                        arguments: &arguments,
                    };
                    make(&mut new, gate)
                }
            };
        }
        new.root = made[self.root as usize];
        new
    }

    /// The nodes that the root leads to, each after its arguments, in the order of a depth-first
    /// walk.
    pub fn walk(&self) -> Vec<Node> {
        let below = |node| self.arguments(node).iter().copied();
        let order = upwards(self.parts.len(), [self.root], below);
        order.unwrap_or_else(|cycle| unreachable!("arguments have lower numbers: {cycle:?}"))
    }
}

/// Unfolds a fault tree into a formula: each gate, and its negation where needed.
struct Unfolding<'t> {
    tree: &'t FaultTree,
    formula: Formula,
    /// By gate and sign.
    made: Vec<[Option<Node>; 2]>,
}

impl Unfolding<'_> {
    fn of(tree: &FaultTree) -> Formula {
        let made = vec![[None; 2]; tree.gates().len()];
        let mut this = Unfolding {
            tree,
            formula: Formula::default(),
            made,
        };
        if let Argument::Gate(top) = tree.top() {
            this.make(top);
        }
        let root = this.argument(tree.top(), true);
        this.formula.root = root.unwrap_or(FALSE);
        this.formula
    }

    /// The node of an argument, unless its gate is not made yet.
    fn argument(&mut self, argument: Argument, positive: bool) -> Option<Node> {
        match argument {
            Argument::Constant(constant) => Some(Node::from(constant == positive)),
            Argument::Event(event) => Some(self.formula.literal(event, positive)),
            Argument::Gate(gate) => self.made[gate as usize][usize::from(positive)],
        }
    }

    /// Makes a gate and all that it needs.
    fn make(&mut self, top: u32) {
        let mut stack = vec![(top, true)];
        while let Some(&(gate, positive)) = stack.last() {
            if self.made[gate as usize][usize::from(positive)].is_some() {
                stack.pop();
                continue;
            }
            let ready = stack.len();
            let tree = self.tree;
            let parts = &tree.gates()[gate as usize];
            let signs: &[bool] = match parts.connective {
                Connective::Xor => &[true, false],
                Connective::Not | Connective::Nand | Connective::Nor => &[!positive],
                _ => &[positive],
            };
            for &argument in parts.arguments.iter().rev() {
                for &sign in signs {
                    if let (None, Argument::Gate(gate)) = (self.argument(argument, sign), argument)
                    {
                        stack.push((gate, sign));
                    }
                }
            }
            if stack.len() > ready {
                continue;
            }
            let mut nodes = |sign: bool| -> Vec<Node> {
                parts
                    .arguments
                    .iter()
                    .filter_map(|&argument| self.argument(argument, sign))
                    .collect()
            };
            let node = match parts.connective {
                Connective::Xor => {
                    let (yes, no) = (nodes(true), nodes(false));
                    self.parity(&yes, &no, positive)
                }
                Connective::And => {
                    let n = nodes(positive);
                    self.formula.gate(positive, n)
                }
                Connective::Or => {
                    let n = nodes(positive);
                    self.formula.gate(!positive, n)
                }
                Connective::Not => {
                    let n = nodes(!positive);
                    self.formula.gate(true, n)
                }
                Connective::Nand => {
                    let n = nodes(!positive);
                    self.formula.gate(!positive, n)
                }
                Connective::Nor => {
                    let n = nodes(!positive);
                    self.formula.gate(positive, n)
                }
                Connective::AtLeast(least) => {
                    let n = nodes(positive);
                    // Not at least k of n is at least n - k + 1 negations.
                    let least = if positive {
                        least as usize
                    } else {
                        n.len() + 1 - least as usize
                    };
                    if least > n.len() {
                        FALSE
                    } else {
                        self.formula.at_least(least, &n)
                    }
                }
            };
            self.made[gate as usize][usize::from(positive)] = Some(node);
            stack.pop();
        }
    }

    /// Whether the number of true arguments is odd, or, if not `odd`, even.
    fn parity(&mut self, yes: &[Node], no: &[Node], odd: bool) -> Node {
        let formula = &mut self.formula;
        let (mut is_odd, mut is_even) = (FALSE, TRUE);
        for (&yes, &no) in yes.iter().zip(no).rev() {
            let odd = [[yes, is_even], [no, is_odd]].map(|pair| formula.gate(true, pair));
            let even = [[yes, is_odd], [no, is_even]].map(|pair| formula.gate(true, pair));
            (is_odd, is_even) = (formula.gate(false, odd), formula.gate(false, even));
        }
        if odd { is_odd } else { is_even }
    }
}
