//! From a tree to diagrams of its modules, over which every question is one pass.
//!
//! Idea: a defence that is not bought is *absent*, which helps the attacker. Over actions and
//! absent defences the root is a monotone function: a countermeasure is the negation of a gate,
//! which turns AND into OR and defences into absent ones, and a countermeasure of it is an
//! alternative. So simplification, modules and variable orders of fault trees apply here too. Parts
//! that share nothing with the rest are modules with a diagram each, whose variables may be
//! modules.
//!
//! Invariant: in the diagram of a module with gates that share something, variables are defences
//! and modules of defences alone, which come first unless the module is mixed, and actions and
//! modules of actions alone. A module of both is a variable only where a single gate leads to it.

mod compile;
mod formula;

use meetjoin_faults::rewrite::formula::{FALSE, Formula, Node, Part, TRUE};
use meetjoin_faults::rewrite::modules::{modules, split};
use meetjoin_faults::rewrite::order::Scope;
use meetjoin_faults::rewrite::simplify::simplified;
use meetjoin_lattice::diagram::{Listed, Listing};
use meetjoin_lattice::{Budget, Stop};

use crate::tree::{AttackTree, Kind};

pub use formula::{Defences, Steps, formula, within_times};

/// A variable of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// An action, or that a defence is absent.
    Leaf(u32),
    /// The module with this number.
    Module(u32),
}

/// A part that shares nothing with the rest.
#[derive(Clone, Debug)]
pub struct Module {
    /// By level.
    pub variables: Vec<Variable>,
    /// The function.
    pub function: Listing,
    /// Its minimal sets, if they were asked for.
    pub sets: Option<Listing>,
    /// Whether defences stand among actions in the order, so that a pass with defences first is not
    /// possible.
    pub is_mixed: bool,
}

/// The modules of a tree, each after those that it needs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The modules.
    pub modules: Vec<Module>,
    /// The root, or its value if it is constant.
    pub root: Result<Variable, bool>,
}

impl Plan {
    /// The plan of a tree.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn of(
        tree: &AttackTree,
        defences: Defences,
        with_sets: bool,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        Self::made(tree, &formula(tree, defences), defences, with_sets, budget)
    }

    /// The plan of a formula over the leaves of a tree.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn of_formula(
        tree: &AttackTree,
        formula: &Formula,
        with_sets: bool,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        Self::made(tree, formula, Defences::First, with_sets, budget)
    }

    fn made(
        tree: &AttackTree,
        formula: &Formula,
        defences: Defences,
        with_sets: bool,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let formula = simplified(formula, budget);
        // To split it checks no budget, so it is not begun without time.
        budget.check()?;
        let formula = split(&formula);
        budget.check()?;
        let root = match *formula.part(formula.root) {
            Part::Constant(constant) => Err(constant),
            Part::Literal { event, .. } => Ok(Variable::Leaf(event)),
            Part::Gate { .. } => Ok(Variable::Module(0)),
        };
        let mut plan = Self {
            modules: Vec::new(),
            root,
        };
        if root != Ok(Variable::Module(0)) {
            return Ok(plan);
        }
        let has = below(tree, &formula);
        let mut is_module = vec![false; formula.size()];
        for module in modules(&formula) {
            is_module[module as usize] = true;
        }
        let is_whole: Vec<bool> = (0..formula.size())
            .map(|node| is_module[node] && has[node] != [true; 2])
            .collect();
        // From the root down: which modules are needed, and their variables.
        let mut scopes: Vec<(Node, Scope, Vec<Node>)> = Vec::new();
        let mut is_needed = vec![false; formula.size()];
        let mut open = vec![formula.root];
        is_needed[formula.root as usize] = true;
        while let Some(module) = open.pop() {
            let mut scope = Scope::of(&formula, module, &is_module);
            if scope.gates.len() > 1 {
                scope = Scope::of(&formula, module, &is_whole);
            }
            let variables = scope.variables.clone();
            for &variable in &variables {
                let is_gate = !formula.arguments(variable).is_empty();
                if is_gate && !std::mem::replace(&mut is_needed[variable as usize], true) {
                    open.push(variable);
                }
            }
            scopes.push((module, scope, variables));
        }
        // Arguments have lower numbers.
        scopes.sort_unstable_by_key(|&(module, ..)| module);
        let mut numbers = vec![0; formula.size()];
        for (number, (module, ..)) in scopes.iter().enumerate() {
            numbers[*module as usize] = number as u32;
        }
        let variable = |node: Node| match *formula.part(node) {
            Part::Literal { event, .. } => Variable::Leaf(event),
            _ => Variable::Module(numbers[node as usize]),
        };
        for (module, scope, _) in &scopes {
            budget.steps(1)?;
            let (order, function, sets, is_mixed) = if scope.gates.len() == 1 {
                let order = formula.arguments(*module).to_vec();
                let chain = chain(order.len(), formula.is_gate(*module, true));
                // In a gate over disjoint parts, each path is a minimal set.
                (order, chain.clone(), with_sets.then_some(chain), false)
            } else {
                let is_defence = |node: Node| has[node as usize] == [false, true];
                let has_both = has[*module as usize] == [true; 2];
                let wanted = if has_both { defences } else { Defences::First };
                compile::compiled(&formula, scope, is_defence, wanted, with_sets, budget)?
            };
            plan.modules.push(Module {
                variables: order.into_iter().map(variable).collect(),
                function,
                sets,
                is_mixed,
            });
        }
        plan.root = Ok(Variable::Module(plan.modules.len() as u32 - 1));
        Ok(plan)
    }

    /// Diagram nodes of functions and of sets.
    pub fn nodes(&self) -> (usize, usize) {
        let functions = self
            .modules
            .iter()
            .map(|module| module.function.nodes.len());
        let sets = self
            .modules
            .iter()
            .filter_map(|module| module.sets.as_ref());
        (functions.sum(), sets.map(|sets| sets.nodes.len()).sum())
    }
}

/// By node: whether there are actions below it, and defences.
fn below(tree: &AttackTree, formula: &Formula) -> Vec<[bool; 2]> {
    let mut has = vec![[false; 2]; formula.size()];
    for node in formula.walk() {
        has[node as usize] = match *formula.part(node) {
            Part::Constant(_) => [false; 2],
            Part::Literal { event, .. } => {
                let is_defence = tree.nodes()[event as usize].kind == Kind::Defence;
                [!is_defence, is_defence]
            }
            Part::Gate { ref arguments, .. } => {
                let all = arguments.iter().map(|&argument| has[argument as usize]);
                all.fold([false; 2], |[a, d], [b, e]| [a || b, d || e])
            }
        };
    }
    has
}

/// AND or OR of `length` variables.
fn chain(length: usize, and: bool) -> Listing {
    let mut nodes = Vec::with_capacity(length);
    let mut place = u32::from(and);
    for level in (0..length as u32).rev() {
        let (high, low) = if and { (place, FALSE) } else { (TRUE, place) };
        nodes.push(Listed { level, high, low });
        place = nodes.len() as u32 + 1;
    }
    Listing {
        nodes,
        roots: vec![place],
    }
}
