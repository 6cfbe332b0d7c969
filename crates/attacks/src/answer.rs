//! What is asked of an attack tree, and what is answered: as text, JSON, CSV and as a page.
//!
//! Idea: an answer holds diagrams, not lists: attacks are enumerated while they are written,
//! however many there are. When a limit stops a question, the answer is what is known by then:
//! attacks that exist, which are upper bounds of what an attacker has to pay, and a lower bound.

mod asked;
mod csv;
mod json;
mod known;
mod page;
mod text;

use std::io;

use meetjoin_lattice::{Budget, Stop};
use meetjoin_report::progress::Listener;
use meetjoin_report::{Measuring, Meter};
use num_bigint::BigUint;

use crate::algebra::criteria::Criteria;
use crate::plan::Plan;
use crate::stream::Attacks;
use crate::times::Values;
use crate::tree::{AttackTree, Rule};

pub use asked::ask;

/// What is asked of an attack tree.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The attributes of the front, if it is asked for.
    pub pareto: Vec<String>,
    /// The attributes whose best values are asked for; none: all. The first is the one in which the
    /// attacker is compared where one is needed; otherwise that is `cost`.
    pub best: Vec<String>,
    /// Whether the front of the defender's price and the attacker's value is asked for.
    pub defences: bool,
    /// What the defender can spend, if the best defences for that are asked for.
    pub spend: Option<f64>,
    /// If the cheapest defences are asked for that leave no attack up to this value.
    pub stopping: Option<f64>,
    /// Which attacks are written.
    pub list: List,
    /// Limits and cancellation.
    pub budget: &'a Budget,
    /// How memory is measured.
    pub meter: Meter,
    /// Called with progress.
    pub listener: Listener,
}

/// Which minimal attacks are written, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// None.
    None,
    /// All.
    All,
    /// This many, the best first.
    Cheapest(usize),
}

impl List {
    /// The list that is asked for; a number of attacks takes precedence over `all`.
    pub fn asked(all: bool, cheapest: Option<usize>) -> Self {
        match (all, cheapest) {
            (_, Some(most)) => Self::Cheapest(most),
            (true, None) => Self::All,
            (false, None) => Self::None,
        }
    }
}

/// Why a question makes no sense for a tree.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the sentences say it
pub enum AskError {
    #[error("there is no attribute {0:?}: the tree has {1}")]
    NoAttribute(String, String),
    #[error("the attribute {0:?} is asked for twice")]
    Twice(String),
    #[error("defences have a price only in an attribute that adds, and the tree has none")]
    NoPrice,
    #[error("the cheapest attacks are those of some attribute, and the tree has none")]
    NoOrder,
    #[error("time adds in sequences, so it is no attribute {0}")]
    Time(&'static str),
    #[error("the budget {0} is no amount that can be spent")]
    Budget(f64),
    #[error("stopping all attacks up to {0}: no attack has such a value")]
    Stopping(f64),
}

/// The best of one attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct BestOf {
    /// Its place in the tree.
    pub attribute: usize,
    /// The value, and an attack that has it; `None` if there is no attack.
    pub best: Option<(f64, Vec<u32>)>,
    /// If a limit ended the search: no attack is better than this.
    pub bound: Option<f64>,
}

/// An attack with its values, in the order in which attributes were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// The values.
    pub values: Vec<f64>,
    /// The actions.
    pub attack: Vec<u32>,
}

/// Defences, and what they leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Defended {
    /// What they cost.
    pub price: f64,
    /// Which they are.
    pub defences: Vec<u32>,
    /// The attacker's fronts: of one attribute, one attack; none if there is no attack.
    pub front: Vec<Valued>,
}

/// The answer about an attack tree.
#[derive(Debug)]
pub struct Answer<'a> {
    tree: &'a AttackTree,
    request: Request<'a>,
    /// The plan where no defence is bought, with minimal sets.
    plan: Option<Plan>,
    /// How many minimal attacks there are, if that is known.
    pub count: Option<BigUint>,
    /// The best of each attribute that was asked for.
    pub best: Vec<BestOf>,
    /// The front, if it was asked for.
    pub front: Option<Vec<Valued>>,
    /// Whether the front is known; otherwise its attacks exist, and others may better them.
    pub front_is_exact: bool,
    /// The probability that an attacker who tries everything succeeds.
    pub probability: Option<f64>,
    /// The attribute of the attacker where one is needed.
    pub by: Option<usize>,
    /// What each price leaves the attacker in this attribute.
    pub defence_front: Option<Vec<Defended>>,
    /// What each price leaves in the attributes of the front, if there are several.
    pub defence_fronts: Option<Vec<Defended>>,
    /// The best defences for what can be spent.
    pub within_budget: Option<Vec<Defended>>,
    /// Cost and damage, if nodes do damage.
    pub damage: Option<Vec<crate::algebra::damage::Damage>>,
    /// What ended the search, if anything did.
    pub stop: Option<Stop>,
    measuring: Measuring,
}

impl<'a> Answer<'a> {
    /// The tree.
    pub fn tree(&self) -> &'a AttackTree {
        self.tree
    }

    /// The cheapest defences that leave no attack: `None` if the front is not known, `Some(None)`
    /// if there are none.
    pub fn block(&self) -> Option<Option<&Defended>> {
        let front = self.defence_front.as_ref()?;
        Some(front.iter().find(|point| point.front.is_empty()))
    }

    /// The cheapest defences that leave no attack that is as good as a value.
    pub fn stopping(&self, value: f64) -> Option<Option<&Defended>> {
        let front = self.defence_front.as_ref()?;
        let rule = self.tree.attributes()[self.by?].rule;
        let is_worse = |best: f64| match rule {
            Rule::Product => best < value,
            Rule::Sum | Rule::Max => best > value,
        };
        Some(front.iter().find(|point| {
            let mut attacks = point.front.iter();
            attacks.all(|attack| is_worse(attack.values[0]))
        }))
    }

    fn name(&self, node: u32) -> &'a str {
        &self.tree.nodes()[node as usize].name
    }

    fn names(&self, nodes: &[u32]) -> Vec<&'a str> {
        nodes.iter().map(|&node| self.name(node)).collect()
    }

    /// Names of the attributes of the front.
    fn front_names(&self) -> &[String] {
        &self.request.pareto
    }

    /// The names of the attributes of listed attacks.
    fn value_names(&self) -> Vec<&'a str> {
        let attributes = self.tree.attributes().iter();
        attributes
            .map(|attribute| attribute.name.as_str())
            .collect()
    }

    /// Hands the attacks that are listed to `found`, each with the values of all attributes.
    fn each_attack(
        &self,
        list: List,
        mut found: impl FnMut(&[u32], &[f64]) -> io::Result<()>,
    ) -> io::Result<Result<(), Stop>> {
        let Some(plan) = &self.plan else {
            return Ok(Ok(()));
        };
        let by = self.by.map(|by| Criteria::of(self.tree, &[by]));
        let all: Vec<usize> = (0..self.tree.attributes().len()).collect();
        let values = Values::of(self.tree, &all);
        let (criteria, mut left) = match list {
            List::None => return Ok(Ok(())),
            List::All => (None, usize::MAX),
            List::Cheapest(most) => (by.as_ref(), most),
        };
        let budget = self.request.budget;
        let mut attacks = match Attacks::of(plan, criteria, budget) {
            Ok(attacks) => attacks,
            Err(stop) => return Ok(Err(stop)),
        };
        while left > 0 {
            match attacks.next_attack(budget) {
                Ok(Some(attack)) => {
                    found(&attack, &values.of_attack(self.tree, &attack))?;
                }
                Ok(None) => break,
                Err(stop) => return Ok(Err(stop)),
            }
            left -= 1;
        }
        Ok(Ok(()))
    }
}

/// A number as people and JSON write it.
fn number(value: f64) -> String {
    if value != 0.0 && !(1e-6..1e15).contains(&value.abs()) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}
