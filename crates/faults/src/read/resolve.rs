//! Names looked up: a draft becomes a model.
//!
//! Rules are written out where they are called, parameters become their expressions, and whatever
//! depends on itself is named.

use meetjoin_report::counted;

use crate::map::{Map, Set};
use crate::model::Model;
use crate::model::event_tree::{
    Alignment, Branch, EventTree, InitiatingEvent, Instruction, Phase, Sequence, Target,
};
use crate::model::expression::{Changing, Expressions, Number, Path};
use crate::model::formula::{ModelEvent, ModelGate, Operand};
use crate::model::group::{Group, Split};
use crate::model::names::{Defined, Names, Symbol};
use crate::model::place::{FaultTreeFileError as Wrong, Place};
use crate::model::substitution::{InTheWay, Substitution, in_each_others_way};
use crate::walk::upwards;

use super::draft::{
    Argument, Draft, DraftGroup, DraftInstruction, DraftTarget, DraftTree, Expected, Mention,
};

use super::event_trees::MOST_NESTED;

type Fallible<T> = Result<T, Wrong>;

/// The number of an expression that is being looked at.
const OPEN: Number = Number::MAX;

/// The most instructions that rules are written out to.
const MOST_INSTRUCTIONS: usize = 1 << 20;

impl Draft {
    /// The model, if everything fits.
    pub(super) fn model(mut self) -> Fallible<Model> {
        let initiating_tests = std::mem::take(&mut self.initiating_tests);
        let groups = self.members()?;
        let gates = self.resolved_gates()?;
        let expressions = std::mem::take(&mut self.expressions);
        let (expressions, new) = self.ordered(&expressions)?;
        let substitutions = self.resolved_substitutions(&gates)?;
        let initiating_events = self.resolved_initiating()?;
        let event_trees = self.resolved_trees(&new)?;
        let alignments = self.resolved_alignments()?;
        let top = match self.top {
            Some(mention) => Some(self.operand(Argument::Name(mention, Expected::Any))?),
            None => None,
        };
        let events = self.events.into_iter().map(|event| ModelEvent {
            name: event.name,
            expression: event.expression.map(|expression| new[expression as usize]),
            place: event.place,
        });
        let groups = groups.into_iter().map(|group| Group {
            probability: new[group.probability as usize],
            factors: (group.factors.into_iter())
                .map(|(level, factor)| (level, new[factor as usize]))
                .collect(),
            ..group
        });
        let model = Model {
            top,
            names: self.names,
            defined: self.defined,
            gates,
            members: 0,
            events: events.collect(),
            houses: self.houses,
            expressions,
            groups: groups.collect(),
            substitutions,
            initiating_events,
            event_trees,
            alignments,
        };
        check_expressions(&model)?;
        check_initiating_tests(&model, &initiating_tests)?;
        Ok(model)
    }

    fn resolved_gates(&mut self) -> Fallible<Vec<ModelGate>> {
        let drafts = std::mem::take(&mut self.gates);
        let arguments = std::mem::take(&mut self.arguments);
        let mut gates = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let mut operands = Vec::with_capacity(draft.count);
            for argument in &arguments[draft.first..draft.first + draft.count] {
                operands.push(self.operand(*argument)?);
            }
            gates.push(ModelGate {
                name: draft.name.map(|name| self.names.text(name).to_owned()),
                connective: draft.connective,
                operands,
                place: draft.place,
            });
        }
        Ok(gates)
    }

    fn operand(&mut self, argument: Argument) -> Fallible<Operand> {
        let (mention, expected) = match argument {
            Argument::Constant(constant) => return Ok(Operand::Constant(constant)),
            Argument::Inner(gate) => return Ok(Operand::Gate(gate)),
            Argument::Name(mention, expected) => (mention, expected),
        };
        let found = self
            .names
            .find(&self.defined, mention.container, mention.name);
        match (found, expected) {
            (Some(Defined::Gate(gate)), Expected::Gate | Expected::Any) => Ok(Operand::Gate(gate)),
            (Some(Defined::Event(event)), Expected::Event | Expected::Any) => {
                Ok(Operand::Event(event))
            }
            (Some(Defined::House(house)), Expected::House | Expected::Any) => {
                Ok(Operand::House(house))
            }
            (None, _) if self.implicit_events => {
                let name = self.names.text(mention.name).to_owned();
                let event = self.event(name, None, mention.place);
                self.define(
                    (0, false),
                    mention.name,
                    Defined::Event(event),
                    mention.place,
                )?;
                Ok(Operand::Event(event))
            }
            (found, expected) => {
                let asked = match expected {
                    Expected::Gate => "gate",
                    Expected::Event => "basic event",
                    Expected::House => "house event",
                    Expected::Any => "gate or event",
                };
                let is = match found {
                    None => {
                        let known = self.defined.iter().filter(|(_, known)| {
                            matches!(
                                (known, expected),
                                (Defined::Gate(_), Expected::Gate)
                                    | (Defined::Event(_), Expected::Event)
                                    | (Defined::House(_), Expected::House)
                                    | (_, Expected::Any)
                            )
                        });
                        let known = known.map(|((_, name), _)| *name);
                        self.names.meant(mention.name, known)
                    }
                    Some(Defined::Gate(_)) => ": it is a gate".to_owned(),
                    Some(Defined::Event(_)) => ": it is a basic event".to_owned(),
                    Some(Defined::House(_)) => ": it is a house event".to_owned(),
                };
                let name = self.names.text(mention.name);
                let what = format!("there is no {asked} {name:?}{is}");
                Err(Wrong::at(mention.place, what))
            }
        }
    }

    /// A basic event that a name stands for.
    fn basic_event(&mut self, mention: Mention) -> Fallible<u32> {
        match self.operand(Argument::Name(mention, Expected::Event))? {
            Operand::Event(event) => Ok(event),
            _ => Err(Wrong::at(mention.place, "this is no basic event")),
        }
    }

    fn house(&mut self, mention: Mention) -> Fallible<u32> {
        match self.operand(Argument::Name(mention, Expected::House))? {
            Operand::House(house) => Ok(house),
            _ => Err(Wrong::at(mention.place, "this is no house event")),
        }
    }

    /// The groups, and their members, which are basic events from here on.
    fn members(&mut self) -> Fallible<Vec<Group>> {
        let drafts = std::mem::take(&mut self.groups);
        let mut group_of = Map::<u32, Symbol>::default();
        let mut known = Set::<Symbol>::default();
        let mut groups = Vec::new();
        for draft in drafts {
            let shown = self.names.text(draft.name).to_owned();
            if !known.insert(draft.name) {
                let what = format!("the group {shown:?} is defined twice");
                return Err(Wrong::at(draft.place, what));
            }
            let mut members = Vec::new();
            for &mention in &draft.members {
                let member = self.names.text(mention.name).to_owned();
                let found = self
                    .names
                    .find(&self.defined, mention.container, mention.name);
                let event = match found {
                    None => {
                        let home = (mention.container, draft.private);
                        let name = if draft.private {
                            self.names.path(mention.container, mention.name)
                        } else {
                            member.clone()
                        };
                        let event = self.event(name, None, mention.place);
                        self.define(home, mention.name, Defined::Event(event), mention.place)?;
                        event
                    }
                    Some(_) => self.basic_event(mention)?,
                };
                let draft_event = &mut self.events[event as usize];
                let in_other = group_of.insert(event, draft.name).is_some();
                if in_other || draft_event.expression.is_some() {
                    let what = if in_other {
                        format!("{member:?} is a member of a group twice")
                    } else {
                        format!("{member:?} has a probability, and that of the group {shown:?} too")
                    };
                    return Err(Wrong::at(mention.place, what));
                }
                draft_event.expression = Some(draft.probability);
                members.push(event);
            }
            let factors = factors(&draft, &shown)?;
            groups.push(Group {
                name: draft.name,
                split: draft.split,
                members,
                probability: draft.probability,
                factors,
                place: draft.place,
            });
        }
        Ok(groups)
    }

    fn resolved_substitutions(&mut self, gates: &[ModelGate]) -> Fallible<Vec<Substitution>> {
        let drafts = std::mem::take(&mut self.substitutions);
        let mut known = Set::<Symbol>::default();
        let mut substitutions = Vec::new();
        for draft in drafts {
            if !known.insert(draft.name) {
                let shown = self.names.text(draft.name);
                let what = format!("the substitution {shown:?} is defined twice");
                return Err(Wrong::at(draft.place, what));
            }
            let hypothesis = self.operand(draft.hypothesis)?;
            let mut sources = Vec::new();
            for source in draft.sources {
                sources.push(self.basic_event(source)?);
            }
            let target = self.operand(draft.target)?;
            substitutions.push(Substitution {
                name: draft.name,
                place: draft.place,
                hypothesis,
                sources,
                target,
            });
        }
        if let Some(InTheWay {
            event,
            exchanges: (first, as_first),
            asks: (second, as_second),
        }) = in_each_others_way(&substitutions, gates)
        {
            let event = &self.events[event as usize].name;
            let [first, second] = [first, second].map(|number| &substitutions[number]);
            let what = format!(
                "{event:?} is {as_first} of the substitution {:?} and {as_second} of {:?}, so sets \
                 would depend on which comes first, and the format gives no order",
                self.names.text(first.name),
                self.names.text(second.name)
            );
            return Err(Wrong::at(second.place, what));
        }
        Ok(substitutions)
    }

    /// All expressions with parameters looked up, operands first, and the new number of each.
    fn ordered(&mut self, old: &Expressions) -> Fallible<(Expressions, Vec<Number>)> {
        let mut parameter_of = Map::<Number, u32>::default();
        for &(number, mention, unit) in &self.references {
            let name = self.names.text(mention.name);
            let table = &self.parameters_by_name;
            let Some(found) = self.names.find(table, mention.container, mention.name) else {
                let known = table.keys().map(|(_, name)| *name);
                let meant = self.names.meant(mention.name, known);
                let what = format!("there is no parameter {name:?}{meant}");
                return Err(Wrong::at(mention.place, what));
            };
            let has = self.parameters[found as usize].unit;
            if unit.is_some() && unit != has {
                let text = |unit: Option<Symbol>| match unit {
                    Some(unit) => format!("in {:?}", self.names.text(unit)),
                    None => "without a unit".to_owned(),
                };
                let what = format!(
                    "the parameter {name:?} is {}, and not {}",
                    text(has),
                    text(unit)
                );
                return Err(Wrong::at(mention.place, what));
            }
            parameter_of.insert(number, found);
        }
        let mut new: Vec<Option<Number>> = vec![None; old.len()];
        let mut all = Expressions::default();
        let mut operands = Vec::new();
        let mut stack = Vec::new();
        for start in 0..old.len() as Number {
            stack.push(start);
            while let Some(&number) = stack.last() {
                if new[number as usize].is_some_and(|new| new != OPEN) {
                    stack.pop();
                    continue;
                }
                let parameter = parameter_of.get(&number).copied();
                let aliased = parameter.map(|p| self.parameters[p as usize].expression);
                let below = match &aliased {
                    Some(expression) => std::slice::from_ref(expression),
                    None => old.operands(number),
                };
                let first = new[number as usize] != Some(OPEN);
                new[number as usize] = Some(OPEN);
                let before = stack.len();
                for &operand in below.iter().rev().filter(|_| first) {
                    match new[operand as usize] {
                        None => stack.push(operand),
                        Some(OPEN) => return Err(self.circular(&stack, operand, &parameter_of)),
                        Some(_) => {}
                    }
                }
                if stack.len() > before {
                    continue;
                }
                operands.clear();
                operands.extend(below.iter().filter_map(|&operand| new[operand as usize]));
                let made = if aliased.is_some() {
                    operands[0]
                } else {
                    let e = old.get(number);
                    all.push(e.operation, e.word, &operands, e.place)
                };
                new[number as usize] = Some(made);
                stack.pop();
            }
        }
        Ok((
            all,
            new.into_iter().map(Option::unwrap_or_default).collect(),
        ))
    }

    /// Parameters that depend on themselves.
    fn circular(&self, stack: &[Number], operand: Number, of: &Map<Number, u32>) -> Wrong {
        let start = stack
            .iter()
            .position(|&number| number == operand)
            .unwrap_or(0);
        let on_way = stack[start..].iter().filter_map(|number| of.get(number));
        let mut parameters: Vec<u32> = on_way.copied().collect();
        parameters.dedup();
        let names = parameters.iter().map(|&p| {
            let name = self.names.text(self.parameters[p as usize].name);
            format!("{name:?}")
        });
        let names: Vec<String> = names.collect();
        let place = parameters
            .first()
            .map_or(Place::default(), |&p| self.parameters[p as usize].place);
        Wrong::at(place, depends_on_itself("the parameter", &names))
    }

    fn resolved_initiating(&mut self) -> Fallible<Vec<InitiatingEvent>> {
        let drafts = std::mem::take(&mut self.initiating);
        let numbers = self.tree_numbers()?;
        let mut known = Set::<Symbol>::default();
        let mut events = Vec::new();
        for (name, tree, place) in drafts {
            if !known.insert(name) {
                let shown = self.names.text(name);
                let what = format!("the initiating event {shown:?} is defined twice");
                return Err(Wrong::at(place, what));
            }
            let tree = match tree {
                Some(mention) => Some(self.tree_number(&numbers, mention)?),
                None => None,
            };
            events.push(InitiatingEvent { name, tree });
        }
        Ok(events)
    }

    fn tree_numbers(&self) -> Fallible<Map<Symbol, u32>> {
        let mut numbers = Map::default();
        for (number, tree) in (0..).zip(&self.trees) {
            if numbers.insert(tree.name, number).is_some() {
                let shown = self.names.text(tree.name);
                let what = format!("the event tree {shown:?} is defined twice");
                return Err(Wrong::at(tree.place, what));
            }
        }
        Ok(numbers)
    }

    fn tree_number(&self, numbers: &Map<Symbol, u32>, mention: Mention) -> Fallible<u32> {
        numbers.get(&mention.name).copied().ok_or_else(|| {
            let name = self.names.text(mention.name);
            let meant = self.names.meant(mention.name, numbers.keys().copied());
            let what = format!("there is no event tree {name:?}{meant}");
            Wrong::at(mention.place, what)
        })
    }

    fn resolved_trees(&mut self, new: &[Number]) -> Fallible<Vec<EventTree>> {
        let numbers = self.tree_numbers()?;
        let drafts = std::mem::take(&mut self.trees);
        self.check_tests(&drafts)?;
        let mut rules = Rules::default();
        for (number, (name, instructions, place)) in
            std::mem::take(&mut self.rules).into_iter().enumerate()
        {
            if rules.numbers.insert(name, number).is_some() {
                let shown = self.names.text(name);
                return Err(Wrong::at(
                    place,
                    format!("the rule {shown:?} is defined twice"),
                ));
            }
            rules.all.push((name, instructions, place));
        }
        let mut trees = Vec::new();
        for draft in drafts {
            let mut writer = Writer {
                draft: self,
                rules: &rules,
                trees: &numbers,
                new,
                left: MOST_INSTRUCTIONS,
            };
            trees.push(writer.tree(&draft)?);
        }
        check_links(&trees, |symbol| format!("{:?}", self.names.text(symbol)))?;
        Ok(trees)
    }

    /// Refuses tests of functional events and states that no fork has.
    fn check_tests(&self, trees: &[DraftTree]) -> Fallible<()> {
        let mut states = Set::<(Symbol, Symbol)>::default();
        for branch in trees.iter().flat_map(|tree| &tree.branches) {
            if let DraftTarget::Fork(event, paths) = &branch.target {
                states.extend(paths.iter().map(|&(state, _)| (*event, state)));
            }
        }
        for &(event, state, place) in &self.tests {
            if !states.contains(&(event, state)) {
                let (event, state) = (self.names.text(event), self.names.text(state));
                let what = format!("no fork of {event:?} has a path for the state {state:?}");
                return Err(Wrong::at(place, what));
            }
        }
        Ok(())
    }

    fn resolved_alignments(&mut self) -> Fallible<Vec<Alignment>> {
        let mut known = Set::<Symbol>::default();
        let mut alignments = Vec::new();
        for (name, drafts, place) in std::mem::take(&mut self.alignments) {
            if !known.insert(name) {
                let shown = self.names.text(name);
                let what = format!("the alignment {shown:?} is defined twice");
                return Err(Wrong::at(place, what));
            }
            let mut phases = Vec::new();
            for phase in drafts {
                let mut houses = Vec::new();
                for (mention, state) in phase.houses {
                    houses.push((self.house(mention)?, state));
                }
                phases.push(Phase {
                    name: phase.name,
                    fraction: phase.fraction,
                    houses,
                });
            }
            alignments.push(Alignment { name, phases });
        }
        Ok(alignments)
    }
}

/// The error for a cycle.
fn depends_on_itself(kind: &str, names: &[String]) -> String {
    match names {
        [] => format!("{kind} depends on itself"),
        [one] => format!("{kind} {one} depends on itself"),
        [first, others @ ..] => {
            format!(
                "{kind} {first} depends on itself through {}",
                others.join(", ")
            )
        }
    }
}

/// Rules by name.
#[derive(Default)]
struct Rules {
    numbers: Map<Symbol, usize>,
    all: Vec<(Symbol, Vec<DraftInstruction>, Place)>,
}

/// Writes the instructions of an event tree out.
struct Writer<'a> {
    draft: &'a mut Draft,
    rules: &'a Rules,
    trees: &'a Map<Symbol, u32>,
    new: &'a [Number],
    left: usize,
}

/// A list of instructions that is being written out.
struct Frame<'a> {
    rest: std::slice::Iter<'a, DraftInstruction>,
    written: Vec<Instruction>,
    then: Then<'a>,
}

/// Where a list goes when it is complete.
enum Then<'a> {
    /// The instructions go on in the frame below.
    Inline(Option<usize>),
    /// The branch of an `if` whose condition holds.
    Yes(Number, &'a [DraftInstruction]),
    /// The branch of an `if` whose condition does not hold.
    No(Number, Vec<Instruction>),
}

fn frame<'l>(list: &'l [DraftInstruction], then: Then<'l>) -> Frame<'l> {
    Frame {
        rest: list.iter(),
        written: Vec::new(),
        then,
    }
}

impl<'a> Writer<'a> {
    fn instructions<'l>(&mut self, list: &'l [DraftInstruction]) -> Fallible<Vec<Instruction>>
    where
        'a: 'l,
    {
        let mut frames = vec![frame(list, Then::Inline(None))];
        let mut open_rules = Set::<usize>::default();
        loop {
            if frames.len() > MOST_NESTED {
                let what = format!("rules stand more than {MOST_NESTED} deep in each other");
                return Err(Wrong::whole(what));
            }
            let Some(top) = frames.last_mut() else { break };
            if let Some(instruction) = top.rest.next() {
                self.left = self.left.checked_sub(1).ok_or_else(|| {
                    Wrong::whole(format!(
                        "rules come to more than {MOST_INSTRUCTIONS} instructions"
                    ))
                })?;
                match instruction {
                    DraftInstruction::Formula(argument) => {
                        let operand = self.draft.operand(*argument)?;
                        top.written.push(Instruction::Formula(operand));
                    }
                    DraftInstruction::Expression(number) => {
                        let number = self.new[*number as usize];
                        top.written.push(Instruction::Expression(number));
                    }
                    DraftInstruction::House(mention, state) => {
                        let house = self.draft.house(*mention)?;
                        top.written.push(Instruction::House(house, *state));
                    }
                    DraftInstruction::Link(mention) => {
                        let tree = self.draft.tree_number(self.trees, *mention)?;
                        top.written.push(Instruction::Link(tree));
                    }
                    DraftInstruction::Rule(mention) => {
                        let name = self.draft.names.text(mention.name);
                        let Some(&rule) = self.rules.numbers.get(&mention.name) else {
                            let known = self.rules.numbers.keys().copied();
                            let meant = self.draft.names.meant(mention.name, known);
                            let what = format!("there is no rule {name:?}{meant}");
                            return Err(Wrong::at(mention.place, what));
                        };
                        if !open_rules.insert(rule) {
                            let what = format!("the rule {name:?} depends on itself");
                            return Err(Wrong::at(mention.place, what));
                        }
                        frames.push(frame(&self.rules.all[rule].1, Then::Inline(Some(rule))));
                    }
                    DraftInstruction::If { condition, yes, no } => {
                        let condition = self.new[*condition as usize];
                        frames.push(frame(yes, Then::Yes(condition, no)));
                    }
                }
                continue;
            }
            let Some(done) = frames.pop() else { break };
            let written = match done.then {
                Then::Inline(rule) => {
                    if let Some(rule) = rule {
                        open_rules.remove(&rule);
                    }
                    done.written
                }
                Then::Yes(condition, no) => {
                    frames.push(frame(no, Then::No(condition, done.written)));
                    continue;
                }
                Then::No(condition, yes) => vec![Instruction::If {
                    condition,
                    yes,
                    no: done.written,
                }],
            };
            match frames.last_mut() {
                Some(below) => below.written.extend(written),
                None => return Ok(written),
            }
        }
        Ok(Vec::new())
    }

    fn tree(&mut self, draft: &DraftTree) -> Fallible<EventTree> {
        let shown = self.draft.names.text(draft.name).to_owned();
        let functional: Set<Symbol> = draft.functional.iter().copied().collect();
        let sequence_numbers: Map<Symbol, u32> = (0..)
            .zip(&draft.sequences)
            .map(|(number, s)| (s.0, number))
            .collect();
        let named: Map<Symbol, u32> = draft.named.iter().copied().collect();
        let missing = |names: &Names, kind: &str, name, known: Vec<Symbol>, place| {
            let meant = names.meant(name, known);
            let name = names.text(name);
            let what = format!("there is no {kind} {name:?} in the event tree {shown:?}{meant}");
            Wrong::at(place, what)
        };
        let mut sequences = Vec::new();
        for (name, instructions, _) in &draft.sequences {
            sequences.push(Sequence {
                name: *name,
                instructions: self.instructions(instructions)?,
            });
        }
        let mut branches = Vec::new();
        for branch in &draft.branches {
            let names = &self.draft.names;
            let target = match &branch.target {
                DraftTarget::Fork(event, paths) => {
                    if !functional.contains(event) {
                        let (kind, known) = ("functional event", draft.functional.clone());
                        return Err(missing(names, kind, *event, known, branch.place));
                    }
                    Target::Fork(*event, paths.clone())
                }
                DraftTarget::Branch(name) => {
                    let found = named.get(name).copied();
                    let known = || named.keys().copied().collect();
                    let absent = || missing(names, "branch", *name, known(), branch.place);
                    Target::Branch(found.ok_or_else(absent)?)
                }
                DraftTarget::Sequence(name) => {
                    let found = sequence_numbers.get(name).copied();
                    let known = || sequence_numbers.keys().copied().collect();
                    let absent = || missing(names, "sequence", *name, known(), branch.place);
                    Target::Sequence(found.ok_or_else(absent)?)
                }
            };
            let instructions = self.instructions(&branch.instructions)?;
            if links(&instructions).next().is_some() {
                let what = "an <event-tree> is gone on with at the end of another: in a sequence";
                return Err(Wrong::at(branch.place, what));
            }
            branches.push(Branch {
                instructions,
                target,
            });
        }
        let order = check_branches(&branches, |branch| {
            let name = draft.named.iter().find(|(_, number)| *number == branch);
            let name = name.map_or("", |(name, _)| self.draft.names.text(*name));
            let what = format!("the branch {name:?} of the event tree {shown:?} leads to itself");
            Wrong::at(draft.branches[branch as usize].place, what)
        })?;
        if let Some((event, branch)) = forked_twice(&branches, &order) {
            let event = self.draft.names.text(event);
            let what = format!(
                "the functional event {event:?} of the event tree {shown:?} forks here, and again \
                 on a path from here: it would be in two states"
            );
            return Err(Wrong::at(draft.branches[branch as usize].place, what));
        }
        Ok(EventTree {
            name: draft.name,
            place: draft.place,
            initial: draft.initial.unwrap_or_default(),
            branches,
            sequences,
        })
    }
}

/// The factors of a group, if their numbers of members fit.
fn factors(draft: &DraftGroup, shown: &str) -> Fallible<Vec<(u32, Number)>> {
    let wrong = |what: String| {
        Err(Wrong::at(
            draft.place,
            format!("the group {shown:?} {what}"),
        ))
    };
    let n = draft.members.len() as u32;
    if n < 2 {
        let members = counted(n, "member");
        return wrong(format!("has {members}; a common cause has two or more"));
    }
    let first = match draft.split {
        Split::Beta => {
            return match draft.factors[..] {
                [(0, factor)] => Ok(vec![(n, factor)]),
                [(level, factor)] if level == n => Ok(vec![(n, factor)]),
                _ => wrong(format!(
                    "of {n} members needs one factor, that of level {n}"
                )),
            };
        }
        Split::GreekLetters => 2,
        Split::Alpha | Split::Phi => 1,
    };
    let mut factors = draft.factors.clone();
    factors.sort_unstable_by_key(|&(level, _)| level);
    let in_turn = (first..)
        .zip(&factors)
        .all(|(turn, &(level, _))| turn == level);
    if factors.is_empty() || !in_turn || factors.len() as u32 + first - 1 > n {
        return wrong(format!(
            "of {n} members needs factors of the levels {first}, {}, .. up to {n} at most",
            first + 1
        ));
    }
    Ok(factors)
}

/// Refuses tests of initiating events that are not defined.
fn check_initiating_tests(model: &Model, tests: &[(Symbol, Place)]) -> Fallible<()> {
    let known: Set<Symbol> = model.initiating_events.iter().map(|i| i.name).collect();
    match tests.iter().find(|(name, _)| !known.contains(name)) {
        None => Ok(()),
        Some(&(name, place)) => {
            let shown = model.names.text(name);
            let what = format!("there is no initiating event {shown:?}");
            Err(Wrong::at(place, what))
        }
    }
}

/// Refuses groups whose factors make no distribution, and probabilities of events that depend on a
/// path in an event tree.
fn check_expressions(model: &Model) -> Fallible<()> {
    let on_path = model.expressions.depending(Changing::Path);
    for event in &model.events {
        if event
            .expression
            .is_some_and(|expression| on_path[expression as usize])
        {
            let what = format!(
                "the probability of {:?} depends on a test of an event tree, which no event has",
                event.name
            );
            return Err(Wrong::at(event.place, what));
        }
    }
    if model.groups.is_empty() {
        return Ok(());
    }
    let values = model
        .expressions
        .values(crate::model::MISSION_TIME, &Path::default());
    for group in &model.groups {
        let name = model.names.text(group.name);
        let mut sum = 0.0;
        for &(level, factor) in &group.factors {
            let value = values[factor as usize];
            sum += value;
            if !(0.0..=1.0).contains(&value) {
                let what = format!(
                    "the factor {value} of level {level} of the group {name:?} does not lie in 0..1"
                );
                return Err(Wrong::at(group.place, what));
            }
        }
        if matches!(group.split, Split::Alpha | Split::Phi) && (sum - 1.0).abs() > 1e-4 {
            let what = format!("the factors of the group {name:?} sum to {sum}, not to 1");
            return Err(Wrong::at(group.place, what));
        }
    }
    Ok(())
}

/// The event trees that instructions lead to.
fn links(instructions: &[Instruction]) -> impl Iterator<Item = u32> {
    let (mut found, mut lists) = (Vec::new(), vec![instructions]);
    while let Some(list) = lists.pop() {
        for instruction in list {
            match instruction {
                Instruction::Link(tree) => found.push(*tree),
                Instruction::If { yes, no, .. } => lists.extend([&yes[..], &no[..]]),
                _ => {}
            }
        }
    }
    found.into_iter()
}

/// The nodes of a graph, each after those below it, or those of a cycle.
fn ordered(below: &[Vec<u32>]) -> Result<Vec<u32>, Vec<u32>> {
    let nodes = 0..below.len() as u32;
    upwards(below.len(), nodes, |node| {
        below[node as usize].iter().copied()
    })
}

/// Refuses event trees that lead to themselves.
fn check_links(trees: &[EventTree], name: impl Fn(Symbol) -> String) -> Fallible<()> {
    let of = |tree: &EventTree| {
        tree.sequences
            .iter()
            .flat_map(|s| links(&s.instructions))
            .collect()
    };
    let below: Vec<Vec<u32>> = trees.iter().map(of).collect();
    match ordered(&below) {
        Ok(_) => Ok(()),
        Err(found) => {
            let place = trees[found[0] as usize].place;
            let names = found.iter().map(|&tree| name(trees[tree as usize].name));
            let names: Vec<String> = names.collect();
            Err(Wrong::at(
                place,
                depends_on_itself("the event tree", &names),
            ))
        }
    }
}

/// The branches that a branch leads to.
fn next_branches(branch: &Branch) -> Vec<u32> {
    match &branch.target {
        Target::Fork(_, paths) => paths.iter().map(|&(_, branch)| branch).collect(),
        Target::Branch(branch) => vec![*branch],
        Target::Sequence(_) => Vec::new(),
    }
}

/// The branches, each after those that it leads to; refuses branches that lead to themselves.
fn check_branches(branches: &[Branch], wrong: impl Fn(u32) -> Wrong) -> Fallible<Vec<u32>> {
    let below: Vec<Vec<u32>> = branches.iter().map(next_branches).collect();
    match ordered(&below) {
        Ok(order) => Ok(order),
        // Reports the branch that has a name.
        Err(found) => {
            let called = |&&node: &&u32| {
                let mut targets = found.iter().map(|&b| &branches[b as usize].target);
                targets.any(|target| matches!(target, Target::Branch(b) if *b == node))
            };
            Err(wrong(*found.iter().find(called).unwrap_or(&found[0])))
        }
    }
}

/// A functional event that forks twice on one path, and the first branch on it that does.
fn forked_twice(branches: &[Branch], order: &[u32]) -> Option<(Symbol, u32)> {
    let mut users = vec![0_usize; branches.len()];
    for next in branches.iter().flat_map(next_branches) {
        users[next as usize] += 1;
    }
    // By branch: what forks on the paths from it. The last user takes the set as it is.
    let mut below: Vec<Set<Symbol>> = vec![Set::default(); branches.len()];
    for &branch in order {
        let mut forks = Set::default();
        for next in next_branches(&branches[branch as usize]) {
            users[next as usize] -= 1;
            let mut more = if users[next as usize] == 0 {
                std::mem::take(&mut below[next as usize])
            } else {
                below[next as usize].clone()
            };
            if more.len() > forks.len() {
                std::mem::swap(&mut more, &mut forks);
            }
            forks.extend(more);
        }
        if let Target::Fork(event, _) = branches[branch as usize].target
            && !forks.insert(event)
        {
            return Some((event, branch));
        }
        below[branch as usize] = forks;
    }
    None
}
