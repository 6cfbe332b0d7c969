//! Event trees of the Model Exchange Format, rules, and initiating events, as drafts.

use meetjoin_report::counted;

use crate::map::{Map, Set};
use crate::model::names::Symbol;

use super::draft::{DraftBranch, DraftInstruction, DraftTarget, DraftTree};
use super::elements::Definition;
use super::open_psa::{Fallible, Reader};
use super::vocabulary::{END, INSTRUCTION};

/// The deepest nesting of instructions: dropping them recurses.
pub(super) const MOST_NESTED: usize = 1000;

impl Reader<'_> {
    /// Reads what only event trees have.
    pub(super) fn event_tree_layer(&mut self, d: &Definition) -> Fallible<()> {
        match d.word(0) {
            "define-initiating-event" => self.initiating_event(d),
            "define-rule" => self.rule(d),
            "define-event-tree" => self.event_tree(d),
            word => Err(d.wrong(0, format!("<{word}> is not read here"))),
        }
    }

    fn initiating_event(&mut self, d: &Definition) -> Fallible<()> {
        let name = self.draft.names.number(d.attribute(0, "name")?);
        let tree = match d.optional(0, "event-tree") {
            Some(_) => Some(self.mention(d, 0, "event-tree")?),
            None => None,
        };
        self.draft.initiating.push((name, tree, d.place(0)));
        Ok(())
    }

    fn rule(&mut self, d: &Definition) -> Fallible<()> {
        let name = self.draft.names.number(d.attribute(0, "name")?);
        let instructions = self.instructions(d, 0)?;
        self.draft.rules.push((name, instructions, d.place(0)));
        Ok(())
    }

    /// The instructions in an element.
    ///
    /// `if` and `block` are read from the end, as formulas are.
    fn instructions(&mut self, d: &Definition, of: usize) -> Fallible<Vec<DraftInstruction>> {
        let mut made = Map::<usize, Vec<DraftInstruction>>::default();
        // Formulas, expressions and other branches are skipped.
        let mut heads = Vec::new();
        let mut open = vec![(of, 0)];
        while let Some((at, depth)) = open.pop() {
            if depth > MOST_NESTED {
                let what = format!("instructions stand more than {MOST_NESTED} deep in each other");
                return Err(d.wrong(at, what));
            }
            for child in d.children(at) {
                if d.elements[child].word.is & INSTRUCTION != 0 {
                    heads.push(child);
                    if matches!(d.word(child), "if" | "block") {
                        open.push((child, depth + 1));
                    }
                }
            }
        }
        heads.sort_unstable();
        for &at in heads.iter().rev() {
            let inner: Vec<usize> = d.children(at).collect();
            let mut take = |at: usize| made.remove(&at).unwrap_or_default();
            let instructions = match (d.word(at), &inner[..]) {
                ("block", all) => all.iter().flat_map(|&child| take(child)).collect(),
                ("if", [condition, yes, no @ ..])
                    if no.len() < 2 && Self::is_expression(d, *condition) =>
                {
                    if let Some(&other) = inner[1..]
                        .iter()
                        .find(|&&at| d.elements[at].word.is & INSTRUCTION == 0)
                    {
                        let word = d.word(other);
                        return Err(d.wrong(other, format!("<{word}> is no instruction")));
                    }
                    let (yes, no) = (take(*yes), no.first().map_or(Vec::new(), |&no| take(no)));
                    let condition = self.expression(d, *condition)?;
                    vec![DraftInstruction::If { condition, yes, no }]
                }
                ("collect-formula", &[formula]) => {
                    vec![DraftInstruction::Formula(self.formula(d, formula)?)]
                }
                ("collect-expression", &[expression]) => {
                    vec![DraftInstruction::Expression(
                        self.expression(d, expression)?,
                    )]
                }
                ("set-house-event", _) => {
                    let (house, state) = self.set_house(d, at)?;
                    vec![DraftInstruction::House(house, state)]
                }
                ("rule", _) => vec![DraftInstruction::Rule(self.mention(d, at, "name")?)],
                ("event-tree", _) => vec![DraftInstruction::Link(self.mention(d, at, "name")?)],
                (word, all) => {
                    let what = format!(
                        "<{word}> of {} is not read here",
                        counted(all.len(), "element")
                    );
                    return Err(d.wrong(at, what));
                }
            };
            made.insert(at, instructions);
        }
        let all = d.children(of);
        Ok(all
            .flat_map(|child| made.remove(&child).unwrap_or_default())
            .collect())
    }

    fn event_tree(&mut self, d: &Definition) -> Fallible<()> {
        let name = self.draft.names.number(d.attribute(0, "name")?);
        let shown = self.draft.names.text(name).to_owned();
        let mut tree = DraftTree {
            name,
            place: d.place(0),
            functional: Vec::new(),
            sequences: Vec::new(),
            named: Vec::new(),
            branches: Vec::new(),
            initial: None,
        };
        let mut known = Set::<(&str, Symbol)>::default();
        for at in d.children(0) {
            if d.word(at) == "initial-state" {
                if tree.initial.is_some() {
                    let what = format!("<initial-state> is one too many in event tree {shown:?}");
                    return Err(d.wrong(at, what));
                }
                tree.initial = Some(self.branch(d, at, &mut tree.branches)?);
                continue;
            }
            let own = self.draft.names.number(d.attribute(at, "name")?);
            let kind = match d.word(at) {
                "define-functional-event" => "functional event",
                "define-sequence" => "sequence",
                _ => "branch",
            };
            if !known.insert((kind, own)) {
                let own = self.draft.names.text(own);
                let what = format!("the {kind} {own:?} is defined twice in {shown:?}");
                return Err(d.wrong(at, what));
            }
            match d.word(at) {
                "define-functional-event" => {
                    tree.functional.push(own);
                }
                "define-sequence" => {
                    let instructions = self.instructions(d, at)?;
                    tree.sequences.push((own, instructions, d.place(at)));
                }
                _ => {
                    let branch = self.branch(d, at, &mut tree.branches)?;
                    tree.named.push((own, branch));
                }
            }
        }
        if tree.initial.is_none() {
            return Err(d.wrong(0, format!("the event tree {shown:?} has no initial state")));
        }
        self.draft.trees.push(tree);
        Ok(())
    }

    /// Reads a branch and all that it forks into; its number.
    fn branch(
        &mut self,
        d: &Definition,
        of: usize,
        branches: &mut Vec<DraftBranch>,
    ) -> Fallible<u32> {
        let (first, end) = (branches.len(), d.elements[of].end);
        // A branch for this element and one for each path in it, in the order of the file.
        let is_branch = |at: &usize| *at == of || d.word(*at) == "path";
        let elements: Vec<usize> = (of..end).filter(is_branch).collect();
        let number = |at: usize| (first + elements.partition_point(|&e| e < at)) as u32;
        for &at in &elements {
            let place = d.place(at);
            let instructions = self.instructions(d, at)?;
            let mut ends = d.children(at).filter(|&c| d.elements[c].word.is & END != 0);
            let Some(target) = ends.next() else {
                return Err(d.wrong(at, Self::no_target(d, at)));
            };
            if let Some(second) = ends.next() {
                let (word, of) = (d.word(second), d.word(at));
                return Err(d.wrong(second, format!("<{word}> is one too many in <{of}>")));
            }
            if let Some(late) = d.children(at).find(|&c| c > target) {
                let word = d.word(late);
                return Err(d.wrong(late, format!("<{word}> stands after the end of the branch")));
            }
            let target = match d.word(target) {
                "sequence" => DraftTarget::Sequence(self.symbol(d, target, "name")?),
                "branch" => DraftTarget::Branch(self.symbol(d, target, "name")?),
                _ => {
                    let event = self.symbol(d, target, "functional-event")?;
                    let mut paths: Vec<(Symbol, u32)> = Vec::new();
                    let mut known = Set::<Symbol>::default();
                    for path in d.children(target) {
                        let state = self.symbol(d, path, "state")?;
                        if !known.insert(state) {
                            let state = self.draft.names.text(state);
                            let what = format!("there are two paths for the state {state:?}");
                            return Err(d.wrong(path, what));
                        }
                        paths.push((state, number(path)));
                    }
                    if paths.is_empty() {
                        let event = self.draft.names.text(event);
                        let what = format!("the fork of {event:?} has no path");
                        return Err(d.wrong(target, what));
                    }
                    DraftTarget::Fork(event, paths)
                }
            };
            branches.push(DraftBranch {
                instructions,
                target,
                place,
            });
        }
        Ok(first as u32)
    }

    fn no_target(d: &Definition, at: usize) -> String {
        let what = match d.word(at) {
            "path" => format!("the path for {:?}", d.optional(at, "state").unwrap_or("")),
            "define-branch" => format!("the branch {:?}", d.optional(at, "name").unwrap_or("")),
            _ => "the initial state".to_owned(),
        };
        format!("{what} leads to no fork, branch or sequence")
    }

    fn symbol(&mut self, d: &Definition, at: usize, key: &str) -> Fallible<Symbol> {
        Ok(self.draft.names.number(d.attribute(at, key)?))
    }
}
