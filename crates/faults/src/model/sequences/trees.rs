//! Trees of sequences, made of the formulas that ways collect.
//!
//! Problem: ten functional events make a thousand ways, and an OR of a thousand ANDs of large
//! formulas repeats each formula five hundred times.
//!
//! Idea: a formula that shares no event with the others is a part. It is solved once for all
//! sequences, and an event stands for it, or its negation, where it is collected. Ways with a
//! common beginning branch where they differ (a trie), and equal continuations are made once, so
//! the formula of a sequence is at most about as large as the event tree.
//!
//! Cost: linear in the ways and in what they collect.

use std::collections::BTreeMap;

use meetjoin_lattice::{Budget, Stop};

use crate::map::{Map, Set};
use crate::tree::{Argument, BasicEvent, Connective, FaultTree, Gate};

use super::way::{self, Houses, SequencesError, Way};
use crate::model::formula::{ModelGate, Operand};
use crate::model::place::FaultTreeFileError;
use crate::model::substitution;
use crate::model::whole::{Model, State};

/// What a sequence is.
#[derive(Clone, Debug)]
pub enum SequenceIs {
    /// A formula over basic events, some of which stand for parts. No two parts, and no part and
    /// any other event, have an event in common.
    Formula {
        /// The formula.
        tree: FaultTree,
        /// By event of the tree: the number of the part that it stands for.
        parts: Vec<Option<usize>>,
    },
    /// A probability alone.
    Probability(f64),
}

/// A formula with the number of its house events as they are set.
type Formula = (Operand, u32);

/// A formula, and whether it is negated.
type Signed = (Formula, bool);

/// By gate: the first of the equal gates without a name; a formula comes after those in it.
fn same(gates: &[ModelGate]) -> Vec<u32> {
    let mut first = Map::<(Connective, Vec<Operand>), u32>::default();
    let mut same: Vec<u32> = Vec::with_capacity(gates.len());
    for (number, gate) in (0..).zip(gates) {
        let known = |operand: &Operand| match *operand {
            Operand::Gate(below) => same
                .get(below as usize)
                .map_or(*operand, |g| Operand::Gate(*g)),
            other => other,
        };
        let operands: Vec<Operand> = gate.operands.iter().map(known).collect();
        same.push(match gate.name {
            Some(_) => number,
            None => *first.entry((gate.connective, operands)).or_insert(number),
        });
    }
    same
}

/// Makes the trees of sequences, with only the gates and events that they need.
pub(crate) struct Trees<'m> {
    model: &'m Model,
    events: Vec<BasicEvent>,
    /// House events of the state.
    houses: Vec<bool>,
    /// By gate: whether it depends on a house event.
    depends: Vec<bool>,
    /// House events as they were set; 0 is none.
    settings: Vec<Houses>,
    setting_numbers: BTreeMap<Houses, u32>,
    pub(crate) parts: Vec<FaultTree>,
    /// Parts by what all must hold in them.
    part_numbers: Map<Vec<Signed>, usize>,
    /// By gate: the first that says the same. Each path writes its own formula.
    same: Vec<u32>,
    /// The events below formulas.
    below: Map<(Operand, u32), Vec<u32>>,
}

/// A tree that is being made.
#[derive(Default)]
struct Made {
    gates: Vec<Gate>,
    events: Vec<BasicEvent>,
    event_numbers: Map<u32, u32>,
    /// By gate and number of house events as they are set.
    gate_numbers: Map<(u32, u32), Option<u32>>,
    /// By part: the event that stands for it.
    part_events: Map<usize, u32>,
    /// Gates that ways need, by what they are.
    known: Map<(Connective, Vec<Argument>), Argument>,
}

impl Made {
    fn tree(self, top: Argument) -> Result<FaultTree, FaultTreeFileError> {
        let tree = FaultTree::new(self.gates, self.events, top);
        tree.map_err(|error| FaultTreeFileError::whole(error.to_string()))
    }

    /// A gate, or what is equal to it and simpler.
    fn gate(&mut self, connective: Connective, mut arguments: Vec<Argument>) -> Argument {
        let neutral = match connective {
            Connective::And => Some(true),
            Connective::Or => Some(false),
            _ => None,
        };
        if let Some(neutral) = neutral {
            if arguments.contains(&Argument::Constant(!neutral)) {
                return Argument::Constant(!neutral);
            }
            arguments.retain(|argument| *argument != Argument::Constant(neutral));
            match arguments[..] {
                [] => return Argument::Constant(neutral),
                [one] => return one,
                _ => {}
            }
        }
        let next = Argument::Gate(self.gates.len() as u32);
        let key = (connective, arguments.clone());
        let known = *self.known.entry(key).or_insert(next);
        if known == next {
            self.gates.push(Gate {
                name: None,
                connective,
                arguments,
            });
        }
        known
    }

    /// An argument, or its negation.
    fn signed(&mut self, argument: Argument, negated: bool) -> Argument {
        match argument {
            Argument::Constant(constant) => Argument::Constant(constant != negated),
            _ if negated => self.gate(Connective::Not, vec![argument]),
            _ => argument,
        }
    }

    /// The event that stands for a part.
    fn part(&mut self, part: usize) -> Argument {
        let next = self.events.len() as u32;
        let event = *self.part_events.entry(part).or_insert(next);
        if event == next {
            self.events.push(BasicEvent {
                name: format!("part {part}"),
                probability: None,
            });
        }
        Argument::Event(event)
    }

    /// The OR over ways of the AND of what each collects.
    fn any(&mut self, trie: &Trie) -> Argument {
        let mut made = vec![Argument::Constant(false); trie.places.len()];
        for (place, Place { ends, next }) in trie.places.iter().enumerate().rev() {
            if *ends {
                made[place] = Argument::Constant(true);
                continue;
            }
            // Equal continuations, each with the formulas that lead to it.
            let mut alike: Vec<(Argument, Vec<(Argument, bool)>)> = Vec::new();
            let mut numbers = Map::<Argument, usize>::default();
            for &(formula, then) in next {
                let then = made[then];
                let number = *numbers.entry(then).or_insert(alike.len());
                if number == alike.len() {
                    alike.push((then, Vec::new()));
                }
                alike[number].1.push(formula);
            }
            let mut alternatives = Vec::new();
            for (then, formulas) in alike {
                let all: Set<(Argument, bool)> = formulas.iter().copied().collect();
                let certain = |&(argument, negated): &(Argument, bool)| {
                    negated && all.contains(&(argument, false))
                };
                let leads = if formulas.iter().any(certain) {
                    Argument::Constant(true)
                } else {
                    let formulas = formulas.iter();
                    let formulas = formulas.map(|&(argument, not)| self.signed(argument, not));
                    let formulas: Vec<Argument> = formulas.collect();
                    self.gate(Connective::Or, formulas)
                };
                alternatives.push(self.gate(Connective::And, vec![leads, then]));
            }
            made[place] = self.gate(Connective::Or, alternatives);
        }
        made[0]
    }
}

/// Something that ways collect, and the place of what is collected before.
type Collected<T> = (T, Option<usize>);

/// The ways to a sequence.
struct Ways {
    /// All that they collect.
    collected: Vec<Collected<Signed>>,
    /// By way: the place of what it collects last.
    last: Vec<Option<usize>>,
}

impl Ways {
    /// Some ways, without what only others collect.
    fn of(ways: &[Way], all: &[Collected<Signed>], budget: &Budget) -> Result<Self, Stop> {
        let last = ways.iter().map(|way| way.last.map(|last| last as usize));
        let last: Vec<Option<usize>> = last.collect();
        let (mut numbers, mut places) = (Map::<usize, usize>::default(), Vec::new());
        for mut at in last.iter().copied() {
            while let Some(place) = at.filter(|place| numbers.insert(*place, 0).is_none()) {
                budget.steps(1)?;
                places.push(place);
                at = all[place].1;
            }
        }
        places.sort_unstable();
        for (number, place) in places.iter().enumerate() {
            numbers.insert(*place, number);
        }
        let new = |place: Option<usize>| place.map(|place| numbers[&place]);
        let collected = places
            .iter()
            .map(|&place| (all[place].0, new(all[place].1)));
        Ok(Self {
            collected: collected.collect(),
            last: last.iter().copied().map(new).collect(),
        })
    }

    /// A single way.
    fn one(formulas: Vec<Signed>) -> Self {
        let last = formulas.len().checked_sub(1);
        let formulas = formulas.into_iter().enumerate();
        Self {
            collected: formulas
                .map(|(place, f)| (f, place.checked_sub(1)))
                .collect(),
            last: vec![last],
        }
    }
}

/// Ways by how they begin; the root is the first place, and each comes before those after it.
struct Trie {
    places: Vec<Place>,
}

#[derive(Default)]
struct Place {
    /// Whether a way ends here.
    ends: bool,
    /// How ways go on.
    next: Vec<((Argument, bool), usize)>,
}

impl Trie {
    fn of(collected: &[Collected<(Argument, bool)>], last: &[Option<usize>]) -> Self {
        let mut places = vec![Place::default()];
        let mut known = Map::<(usize, (Argument, bool)), usize>::default();
        let mut place_of: Vec<usize> = Vec::with_capacity(collected.len());
        for &(formula, before) in collected {
            let at = before.map_or(0, |before| place_of[before]);
            let new = places.len();
            let next = *known.entry((at, formula)).or_insert(new);
            if next == new {
                places.push(Place::default());
                places[at].next.push((formula, next));
            }
            place_of.push(next);
        }
        for last in last {
            places[last.map_or(0, |last| place_of[last])].ends = true;
        }
        Self { places }
    }
}

impl<'m> Trees<'m> {
    pub(crate) fn new(model: &'m Model, state: &State) -> Result<Self, FaultTreeFileError> {
        let mut houses = model.houses.clone();
        for &(house, is) in &state.houses {
            houses[house as usize] = is;
        }
        // The whole is checked once: that no gate depends on itself, and that all fits.
        let top = Operand::Constant(true);
        let checked = model.tree_of(top, state)?;
        let mut depends = vec![false; model.gates.len()];
        let order = checked.upwards().unwrap_or_default();
        let of_model = depends.len();
        for gate in order.into_iter().filter(|gate| (*gate as usize) < of_model) {
            let mut operands = model.gates[gate as usize].operands.iter();
            depends[gate as usize] = operands.any(|operand| match *operand {
                Operand::House(_) => true,
                Operand::Gate(gate) => depends[gate as usize],
                _ => false,
            });
        }
        Ok(Self {
            model,
            events: checked.events().to_vec(),
            houses,
            depends,
            settings: vec![Houses::new()],
            setting_numbers: BTreeMap::from([(Houses::new(), 0)]),
            parts: Vec::new(),
            part_numbers: Map::default(),
            below: Map::default(),
            same: same(&model.gates),
        })
    }

    fn setting(&mut self, houses: &Houses) -> u32 {
        if let Some(&number) = self.setting_numbers.get(houses) {
            return number;
        }
        let number = self.settings.len() as u32;
        self.settings.push(houses.clone());
        self.setting_numbers.insert(houses.clone(), number);
        number
    }

    /// The events that a formula leads to.
    fn events_below(&mut self, operand: Operand, setting: u32) -> &[u32] {
        let key = (operand, setting);
        if !self.below.contains_key(&key) {
            let (mut seen, mut stack) = (Set::<Operand>::default(), vec![operand]);
            while let Some(operand) = stack.pop() {
                if seen.insert(operand)
                    && let Operand::Gate(gate) = operand
                {
                    stack.extend(&self.model.gates[gate as usize].operands);
                }
            }
            let event = |operand: Operand| match operand {
                Operand::Event(event) => Some(event),
                _ => None,
            };
            let mut events: Vec<u32> = seen.into_iter().filter_map(event).collect();
            events.sort_unstable();
            self.below.insert(key, events);
        }
        &self.below[&key]
    }

    /// What was collected, without the negations around it.
    pub(crate) fn collected(&mut self, all: &[way::Collected]) -> Vec<Collected<Signed>> {
        let before = |of: &way::Collected| of.before.map(|before| before as usize);
        all.iter().map(|of| (self.signed(of), before(of))).collect()
    }

    fn signed(&mut self, collected: &way::Collected) -> Signed {
        let setting = self.setting(&collected.houses);
        let (mut operand, mut negated) = (collected.operand, false);
        while let Operand::Gate(gate) = operand {
            let first = self.same[gate as usize];
            let ModelGate {
                connective,
                operands,
                ..
            } = &self.model.gates[first as usize];
            let (Connective::Not, [below]) = (*connective, &operands[..]) else {
                let (_, setting) = self.key(first, setting);
                return ((Operand::Gate(first), setting), negated);
            };
            (operand, negated) = (*below, !negated);
        }
        ((operand, setting), negated)
    }

    /// Formulas that share events together.
    fn groups(&mut self, formulas: &[Formula]) -> Vec<Vec<Formula>> {
        // The first formula of the group of each; it is its own first if nothing joins them.
        let mut first: Vec<usize> = (0..formulas.len()).collect();
        let root = |first: &mut [usize], mut at: usize| {
            while first[at] != at {
                first[at] = first[first[at]];
                at = first[at];
            }
            at
        };
        let mut user = Map::<u32, usize>::default();
        for (place, &(operand, setting)) in formulas.iter().enumerate() {
            for &event in self.events_below(operand, setting) {
                let other = *user.entry(event).or_insert(place);
                let (a, b) = (root(&mut first, other), root(&mut first, place));
                first[a.max(b)] = a.min(b);
            }
        }
        let mut groups: BTreeMap<usize, Vec<Formula>> = BTreeMap::new();
        for (place, &formula) in formulas.iter().enumerate() {
            groups
                .entry(root(&mut first, place))
                .or_default()
                .push(formula);
        }
        groups.into_values().collect()
    }

    /// The number of the part in which all of some formulas hold.
    fn part(&mut self, all: Vec<Signed>) -> Result<usize, FaultTreeFileError> {
        if let Some(&number) = self.part_numbers.get(&all) {
            return Ok(number);
        }
        let mut made = Made::default();
        let mut arguments = Vec::new();
        for &((operand, setting), negated) in &all {
            let argument = self.argument(&mut made, operand, setting);
            arguments.push(made.signed(argument, negated));
        }
        let top = made.gate(Connective::And, arguments);
        self.parts.push(made.tree(top)?);
        self.part_numbers.insert(all, self.parts.len() - 1);
        Ok(self.parts.len() - 1)
    }

    /// What a sequence is, given the ways to it and what all ways collect; `mixed` says what is
    /// wrong if they collect both formulas and factors.
    pub(crate) fn sequence(
        &mut self,
        ways: &[Way],
        collected: &[Collected<Signed>],
        whole: bool,
        budget: &Budget,
        mixed: impl Fn() -> FaultTreeFileError,
    ) -> Result<SequenceIs, SequencesError> {
        if ways.iter().any(|way| way.factor.is_some()) {
            if ways.iter().any(|way| way.last.is_some()) {
                return Err(mixed().into());
            }
            let sum: f64 = ways.iter().map(|way| way.factor.unwrap_or(1.0)).sum();
            return Ok(SequenceIs::Probability(sum));
        }
        let mut ways = Ways::of(ways, collected, budget)?;
        let mut made = Made::default();
        let mut arguments = Map::<Formula, Argument>::default();
        let substitutions = &self.model.substitutions;
        let declared = substitutions.iter().any(|s| s.sources.is_empty());
        if !whole && !declared {
            self.take_parts(&mut ways, &mut made, &mut arguments)?;
        }
        let mut known = Vec::with_capacity(ways.collected.len());
        for &((formula, negated), before) in &ways.collected {
            let argument = *arguments
                .entry(formula)
                .or_insert_with(|| self.argument(&mut made, formula.0, formula.1));
            known.push(((argument, negated), before));
        }
        let mut top = made.any(&Trie::of(&known, &ways.last));
        if declared {
            // What is known of the system besides holds here too.
            let mut operands = Map::<Operand, Argument>::default();
            for s in substitutions.iter().filter(|s| s.sources.is_empty()) {
                for operand in [s.hypothesis, s.target] {
                    let argument = self.argument(&mut made, operand, 0);
                    operands.insert(operand, argument);
                }
            }
            let argument = |operand: &Operand| operands[operand];
            top = substitution::under(substitutions, top, argument, &mut made.gates);
        }
        let mut parts = vec![None; made.events.len()];
        for (&part, &event) in &made.part_events {
            parts[event as usize] = Some(part);
        }
        let tree = made.tree(top)?;
        Ok(SequenceIs::Formula { tree, parts })
    }

    /// Replaces formulas that share nothing with others by events; in a single way also those that
    /// share something, all together.
    fn take_parts(
        &mut self,
        ways: &mut Ways,
        made: &mut Made,
        arguments: &mut Map<Formula, Argument>,
    ) -> Result<(), FaultTreeFileError> {
        let all = ways.collected.iter().map(|&((formula, _), _)| formula);
        let mut formulas: Vec<Formula> = all.collect();
        formulas.sort_unstable();
        formulas.dedup();
        let mut groups = self.groups(&formulas);
        for only in groups.iter().filter(|group| group.len() == 1) {
            if let (Operand::Gate(_), _) = only[0] {
                let part = self.part(vec![(only[0], false)])?;
                arguments.insert(only[0], made.part(part));
            }
        }
        groups.retain(|group| group.len() > 1);
        if ways.last.len() > 1 || groups.is_empty() {
            return Ok(());
        }
        let mut numbers = Map::<Formula, usize>::default();
        for (number, group) in groups.iter().enumerate() {
            numbers.extend(group.iter().map(|&formula| (formula, number)));
        }
        let mut together = vec![Vec::new(); groups.len()];
        let mut way = Vec::new();
        for &(signed, _) in &ways.collected {
            match numbers.get(&signed.0) {
                Some(&number) => together[number].push(signed),
                None => way.push(signed),
            }
        }
        for (group, mut together) in groups.iter().zip(together) {
            together.sort_unstable();
            together.dedup();
            let part = self.part(together)?;
            arguments.insert(group[0], made.part(part));
            way.push((group[0], false));
        }
        *ways = Ways::one(way);
        Ok(())
    }

    /// What an operand is in the tree, with house events as they are set.
    fn argument(&self, made: &mut Made, operand: Operand, setting: u32) -> Argument {
        let mut stack = vec![operand];
        while let Some(&top) = stack.last() {
            let Operand::Gate(gate) = top else {
                stack.pop();
                continue;
            };
            let key = self.key(gate, setting);
            if made.gate_numbers.get(&key).copied().flatten().is_some() {
                stack.pop();
                continue;
            }
            let model_gate = &self.model.gates[gate as usize];
            if made.gate_numbers.insert(key, None).is_none() {
                stack.extend(model_gate.operands.iter().rev());
                continue;
            }
            let operands = model_gate.operands.iter();
            let arguments: Vec<Argument> = operands
                .map(|&operand| self.leaf(made, operand, setting))
                .collect();
            let number = made.gates.len() as u32;
            made.gates.push(Gate {
                name: model_gate.name.clone(),
                connective: model_gate.connective,
                arguments,
            });
            made.gate_numbers.insert(key, Some(number));
            stack.pop();
        }
        self.leaf(made, operand, setting)
    }

    fn key(&self, gate: u32, setting: u32) -> (u32, u32) {
        (
            gate,
            if self.depends[gate as usize] {
                setting
            } else {
                0
            },
        )
    }

    /// [`Self::argument`] for an operand that is no gate, or a gate that is already made.
    fn leaf(&self, made: &mut Made, operand: Operand, setting: u32) -> Argument {
        match operand {
            Operand::Gate(gate) => {
                let number = made.gate_numbers.get(&self.key(gate, setting));
                Argument::Gate(number.copied().flatten().unwrap_or_default())
            }
            Operand::Event(event) => {
                let next = made.events.len() as u32;
                let number = *made.event_numbers.entry(event).or_insert(next);
                if number == next {
                    made.events.push(self.events[event as usize].clone());
                }
                Argument::Event(number)
            }
            Operand::House(house) => {
                let set = self.settings[setting as usize].get(&house).copied();
                Argument::Constant(set.unwrap_or(self.houses[house as usize]))
            }
            Operand::Constant(constant) => Argument::Constant(constant),
        }
    }
}
