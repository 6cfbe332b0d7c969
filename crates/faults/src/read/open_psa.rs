//! Models in the Open-PSA Model Exchange Format (version 2.0d, 2008): its definitions as drafts.
//!
//! Names are public, and known everywhere, unless they or a container of theirs have
//! `role="private"`; a private name is known within its container, and by its path with dots from
//! everywhere.
//!
//! Formulas and expressions are read from their ends, so that operands come before what has them
//! and nothing depends on how deep they are.

use meetjoin_report::counted;

use crate::map::Set;
use crate::model::distribution::NONE;
use crate::model::expression::{Deviate, Number, Operation};
use crate::model::group::Split;
use crate::model::names::{Container, Defined, Names, Symbol};
use crate::model::place::FaultTreeFileError as Wrong;
use crate::tree::Connective;

use super::draft::{
    Argument, Draft, DraftGroup, DraftParameter, DraftPhase, DraftSubstitution, Expected, Mention,
};
use super::elements::{Definition, Definitions};
use super::vocabulary::EXPRESSION;

pub(super) type Fallible<T> = Result<T, Wrong>;

/// The bytes of the path of a component, at most: names are shown with it.
const MOST_PATH: usize = 4096;

/// Reads definitions into a draft.
pub(super) struct Reader<'d> {
    pub(super) draft: &'d mut Draft,
    /// The containers that are open, and whether they make names private.
    within: Vec<(Container, bool)>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(draft: &'d mut Draft) -> Self {
        Self {
            draft,
            within: Vec::new(),
        }
    }
}

impl Definitions for Reader<'_> {
    fn enter(&mut self, definition: &Definition) -> Fallible<()> {
        let (around, private) = self.home();
        if !matches!(definition.word(0), "define-fault-tree" | "define-component") {
            self.within.push((around, private));
            return Ok(());
        }
        let name = definition.attribute(0, "name")?;
        let name = self.draft.names.number(name);
        let private = definition.is_private(0, private)?;
        let Some(container) = self.draft.names.container(around, name) else {
            let path = self.draft.names.path(around, name);
            return Err(definition.wrong(0, format!("{path:?} is defined twice")));
        };
        if self.draft.names.path_length(container) > MOST_PATH {
            let what = format!("the path of this component has more than {MOST_PATH} bytes");
            return Err(definition.wrong(0, what));
        }
        self.within.push((container, private));
        Ok(())
    }

    fn leave(&mut self) {
        self.within.pop();
    }

    fn define(&mut self, definition: &Definition) -> Fallible<()> {
        match definition.word(0) {
            "define-gate" => self.gate(definition),
            "define-basic-event" => self.event(definition),
            "define-house-event" => self.house(definition),
            "define-parameter" => self.parameter(definition),
            "define-CCF-group" => self.group(definition),
            "define-substitution" => self.substitution(definition),
            "define-alignment" => self.alignment(definition),
            _ => self.event_tree_layer(definition),
        }
    }
}

impl Reader<'_> {
    fn home(&self) -> (Container, bool) {
        self.within.last().copied().unwrap_or_default()
    }

    fn own_home(&self, d: &Definition) -> Fallible<(Container, bool)> {
        let (container, private) = self.home();
        Ok((container, d.is_private(0, private)?))
    }

    /// The one child of an element.
    fn only(d: &Definition, of: usize) -> Fallible<Option<usize>> {
        let mut children = d.children(of);
        let first = children.next();
        match children.next() {
            None => Ok(first),
            Some(second) => {
                let (word, of) = (d.word(second), d.word(of));
                Err(d.wrong(second, format!("<{word}> is one too many in <{of}>")))
            }
        }
    }

    pub(super) fn mention(&mut self, d: &Definition, at: usize, key: &str) -> Fallible<Mention> {
        let name = self.draft.names.number(d.attribute(at, key)?);
        Ok(Mention {
            name,
            container: self.home().0,
            place: d.place(at),
        })
    }

    fn gate(&mut self, d: &Definition) -> Fallible<()> {
        let name = self.draft.names.number(d.attribute(0, "name")?);
        let home = self.own_home(d)?;
        // No formula, or two, is reported before a mistake within one.
        let Some(formula) = Self::only(d, 0)? else {
            let shown = self.draft.names.text(name);
            return Err(d.wrong(0, format!("gate {shown:?} has no formula")));
        };
        let gate = match self.formula(d, formula)? {
            // A formula that was made for this gate becomes it.
            Argument::Inner(gate) => {
                let gate_draft = &mut self.draft.gates[gate as usize];
                (gate_draft.name, gate_draft.place) = (Some(name), d.place(0));
                gate
            }
            other => self
                .draft
                .gate(Some(name), Connective::Or, [other], d.place(0)),
        };
        self.draft
            .define(home, name, Defined::Gate(gate), d.place(0))
    }

    /// The name of an event: a private one is known by its path, which no other has.
    fn event_name(&self, (container, private): (Container, bool), name: u32) -> String {
        if private {
            self.draft.names.path(container, name)
        } else {
            self.draft.names.text(name).to_owned()
        }
    }

    fn event(&mut self, d: &Definition) -> Fallible<()> {
        let name = self.draft.names.number(d.attribute(0, "name")?);
        let home = self.own_home(d)?;
        let expression = match Self::only(d, 0)? {
            Some(expression) => Some(self.expression(d, expression)?),
            None => None,
        };
        let shown = self.event_name(home, name);
        let event = self.draft.event(shown, expression, d.place(0));
        self.draft
            .define(home, name, Defined::Event(event), d.place(0))
    }

    fn house(&mut self, d: &Definition) -> Fallible<()> {
        let name = self.draft.names.number(d.attribute(0, "name")?);
        let home = self.own_home(d)?;
        let state = match Self::only(d, 0)? {
            Some(constant) => d.boolean(constant)?,
            None => false,
        };
        self.draft.houses.push(state);
        let house = self.draft.houses.len() as u32 - 1;
        self.draft
            .define(home, name, Defined::House(house), d.place(0))
    }

    fn parameter(&mut self, d: &Definition) -> Fallible<()> {
        let name = self.draft.names.number(d.attribute(0, "name")?);
        let home = self.own_home(d)?;
        let shown = self.draft.names.text(name).to_owned();
        let Some(expression) = Self::only(d, 0)? else {
            return Err(d.wrong(0, format!("the parameter {shown:?} has no value")));
        };
        let expression = self.expression(d, expression)?;
        let unit = self.unit(d, 0)?;
        let number = self.draft.parameters.len() as u32;
        self.draft.parameters.push(DraftParameter {
            name,
            unit,
            expression,
            place: d.place(0),
        });
        if !Names::define(&mut self.draft.parameters_by_name, home, name, number) {
            return Err(d.wrong(0, format!("the parameter {shown:?} is defined twice")));
        }
        Ok(())
    }

    fn unit(&mut self, d: &Definition, at: usize) -> Fallible<Option<u32>> {
        const UNITS: [&str; 9] = [
            "bool", "int", "float", "hours", "hours-1", "years", "years-1", "fit", "demands",
        ];
        match d.optional(at, "unit") {
            None => Ok(None),
            Some(unit) if UNITS.contains(&unit) => Ok(Some(self.draft.names.number(unit))),
            Some(unit) => Err(d.wrong(at, format!("{unit:?} is no unit"))),
        }
    }

    /// Reads a formula; formulas within it are gates of their own.
    pub(super) fn formula(&mut self, d: &Definition, formula: usize) -> Fallible<Argument> {
        let end = d.elements[formula].end;
        let mut made: Vec<Option<Argument>> = vec![None; end - formula];
        for at in (formula..end).rev() {
            let arguments: Vec<Argument> = d
                .children(at)
                .filter_map(|child| made[child - formula])
                .collect();
            made[at - formula] = Some(self.formula_of(d, at, &arguments)?);
        }
        made[0].ok_or_else(|| d.wrong(formula, "there is no formula"))
    }

    fn formula_of(
        &mut self,
        d: &Definition,
        at: usize,
        arguments: &[Argument],
    ) -> Fallible<Argument> {
        let place = d.place(at);
        let word = d.word(at);
        let expected = match word {
            "constant" => return Ok(Argument::Constant(d.boolean(at)?)),
            "gate" => Expected::Gate,
            "basic-event" => Expected::Event,
            "house-event" => Expected::House,
            "event" => match d.optional(at, "type") {
                None => Expected::Any,
                Some("gate") => Expected::Gate,
                Some("basic-event") => Expected::Event,
                Some("house-event") => Expected::House,
                Some(other) => {
                    return Err(d.wrong(at, format!("type={other:?} is no type of events")));
                }
            },
            _ => {
                let mut gate = |connective, arguments: &[Argument]| {
                    let arguments = arguments.iter().copied();
                    Argument::Inner(self.draft.gate(None, connective, arguments, place))
                };
                let number = |name| d.number::<u32>(at, name, "a number of arguments");
                return Ok(match (word, arguments) {
                    ("and", _) => gate(Connective::And, arguments),
                    ("or", _) => gate(Connective::Or, arguments),
                    ("not", _) => gate(Connective::Not, arguments),
                    ("xor", _) => gate(Connective::Xor, arguments),
                    ("nand", _) => gate(Connective::Nand, arguments),
                    ("nor", _) => gate(Connective::Nor, arguments),
                    ("atleast", _) => gate(Connective::AtLeast(number("min")?), arguments),
                    ("cardinality", _) => {
                        let (least, most) = (number("min")?, number("max")?);
                        if least > most || most as usize > arguments.len() {
                            let count = counted(arguments.len(), "argument");
                            let what = format!("{least} to {most} of {count} are none");
                            return Err(d.wrong(at, what));
                        }
                        let enough = gate(Connective::AtLeast(least), arguments);
                        if most as usize == arguments.len() {
                            enough
                        } else {
                            let more = gate(Connective::AtLeast(most + 1), arguments);
                            let not_more = gate(Connective::Not, &[more]);
                            gate(Connective::And, &[enough, not_more])
                        }
                    }
                    ("imply", [condition, then]) => {
                        let not = gate(Connective::Not, &[*condition]);
                        gate(Connective::Or, &[not, *then])
                    }
                    ("iff", [a, b]) => {
                        let differ = gate(Connective::Xor, &[*a, *b]);
                        gate(Connective::Not, &[differ])
                    }
                    _ => {
                        let count = counted(arguments.len(), "argument");
                        let what = format!("<{word}> of {count} is not read here");
                        return Err(d.wrong(at, what));
                    }
                });
            }
        };
        Ok(Argument::Name(self.mention(d, at, "name")?, expected))
    }

    /// Reads an expression.
    pub(super) fn expression(&mut self, d: &Definition, expression: usize) -> Fallible<Number> {
        let end = d.elements[expression].end;
        let mut made: Vec<Vec<Number>> = vec![Vec::new(); end - expression];
        for at in (expression..end).rev() {
            let mut operands = Vec::new();
            for child in d.children(at) {
                operands.append(&mut made[child - expression]);
            }
            made[at - expression] = match d.word(at) {
                // They are operands of what they stand in.
                "case" | "bin" => {
                    if operands.len() != 2 {
                        return Err(Self::wrong_count(d, at, operands.len()));
                    }
                    operands
                }
                _ => vec![self.expression_of(d, at, &operands)?],
            };
        }
        Ok(made[0][0])
    }

    fn wrong_count(d: &Definition, at: usize, count: usize) -> Wrong {
        let word = d.word(at);
        d.wrong(
            at,
            format!(
                "<{word}> of {} is not read here",
                counted(count, "expression")
            ),
        )
    }

    #[allow(clippy::too_many_lines)] // a table
    fn expression_of(
        &mut self,
        d: &Definition,
        at: usize,
        operands: &[Number],
    ) -> Fallible<Number> {
        use Operation as O;
        let (place, word, count) = (d.place(at), d.word(at), operands.len());
        let (operation, fits) = match word {
            "float" => (O::Number(d.finite(at, "value")?), count == 0),
            "int" => {
                let number: i64 = d.number(at, "value", "an integer")?;
                (O::Number(number as f64), count == 0)
            }
            "bool" => (O::Number(f64::from(u8::from(d.boolean(at)?))), count == 0),
            "pi" => (O::Number(std::f64::consts::PI), count == 0),
            "system-mission-time" => {
                if let Some(unit) = d.optional(at, "unit").filter(|unit| *unit != "hours") {
                    let what = format!("the mission time is in hours, and not in {unit:?}");
                    return Err(d.wrong(at, what));
                }
                (O::MissionTime, count == 0)
            }
            "parameter" => {
                let mention = self.mention(d, at, "name")?;
                let unit = self.unit(d, at)?;
                let number = self.draft.expressions.push(O::Sum, word, &[], place);
                self.draft.references.push((number, mention, unit));
                return Ok(number);
            }
            "test-initiating-event" => {
                let name = self.draft.names.number(d.attribute(at, "name")?);
                self.draft.initiating_tests.push((name, place));
                (O::TestInitiating(name), count == 0)
            }
            "test-functional-event" => {
                let name = self.draft.names.number(d.attribute(at, "name")?);
                let state = self.draft.names.number(d.attribute(at, "state")?);
                self.draft.tests.push((name, state, place));
                (O::TestFunctional(name, state), count == 0)
            }
            "neg" => (O::Negation, count == 1),
            "add" => (O::Sum, count >= 1),
            "sub" => (O::Difference, count >= 1),
            "mul" => (O::Product, count >= 1),
            "div" => (O::Quotient, count >= 1),
            "mod" => (O::Modulo, count == 2),
            "pow" => (O::Power, count == 2),
            "min" => (O::Least, count >= 1),
            "max" => (O::Greatest, count >= 1),
            "mean" => (O::Mean, count >= 1),
            "not" => (O::Not, count == 1),
            "and" => (O::And, count >= 1),
            "or" => (O::Or, count >= 1),
            "eq" => (O::Compare(f64::eq), count == 2),
            "df" => (O::Compare(f64::ne), count == 2),
            "lt" => (O::Compare(f64::lt), count == 2),
            "gt" => (O::Compare(f64::gt), count == 2),
            "leq" => (O::Compare(f64::le), count == 2),
            "geq" => (O::Compare(f64::ge), count == 2),
            "ite" => (O::IfThenElse, count == 3),
            "switch" => {
                let cases = d.children(at).filter(|&c| d.word(c) == "case").count();
                let last = d.children(at).last().map(|last| d.word(last));
                (O::Switch, count == 2 * cases + 1 && last != Some("case"))
            }
            "exponential" => (O::Exponential, count == 2),
            "GLM" => (O::Glm, count == 4),
            "Weibull" => (O::Weibull, count == 4),
            "periodic-test" => (O::PeriodicTest, matches!(count, 4 | 5 | 11)),
            "uniform-deviate" => (O::Deviate(Deviate::Uniform), count == 2),
            "normal-deviate" => (O::Deviate(Deviate::Normal), count == 2),
            "lognormal-deviate" => (O::Deviate(Deviate::Lognormal), matches!(count, 2 | 3)),
            "gamma-deviate" => (O::Deviate(Deviate::Gamma), count == 2),
            "beta-deviate" => (O::Deviate(Deviate::Beta), count == 2),
            "histogram" => {
                let bins = d.children(at).filter(|&c| d.word(c) == "bin").count();
                let first = d.children(at).next().map(|first| d.word(first));
                let fits = bins >= 1 && count == 2 * bins + 1 && first != Some("bin");
                (O::Deviate(Deviate::Histogram), fits)
            }
            _ => match function(word) {
                Some(function) => (O::Function(function), count == 1),
                None => return Err(d.wrong(at, format!("<{word}> is no expression"))),
            },
        };
        if !fits {
            return Err(Self::wrong_count(d, at, count));
        }
        Ok(self
            .draft
            .expressions
            .push(operation, word, operands, place))
    }

    fn group(&mut self, d: &Definition) -> Fallible<()> {
        let name = self.draft.names.number(d.attribute(0, "name")?);
        let shown = self.draft.names.text(name).to_owned();
        let split = match d.attribute(0, "model")? {
            "beta-factor" => Split::Beta,
            "MGL" => Split::GreekLetters,
            "alpha-factor" => Split::Alpha,
            "phi-factor" => Split::Phi,
            other => {
                let what = format!(
                    "model={other:?} of the group {shown:?} is none of beta-factor, MGL, \
                     alpha-factor, phi-factor"
                );
                return Err(d.wrong(0, what));
            }
        };
        let (mut members, mut probability, mut factors) = (Vec::new(), None, Vec::new());
        for part in d.children(0) {
            match d.word(part) {
                "members" => {
                    for member in d.children(part) {
                        members.push(self.mention(d, member, "name")?);
                    }
                }
                "distribution" if probability.is_none() => {
                    let Some(expression) = Self::only(d, part)? else {
                        return Err(Self::wrong_count(d, part, 0));
                    };
                    probability = Some(self.expression(d, expression)?);
                }
                "factors" => {
                    for factor in d.children(part) {
                        self.factor(d, factor, split, &mut factors)?;
                    }
                }
                "factor" => self.factor(d, part, split, &mut factors)?,
                word => {
                    let what = format!("<{word}> is one too many in <define-CCF-group>");
                    return Err(d.wrong(part, what));
                }
            }
        }
        let Some(probability) = probability else {
            return Err(d.wrong(0, format!("the group {shown:?} has no distribution")));
        };
        self.draft.groups.push(DraftGroup {
            name,
            split,
            members,
            private: self.home().1,
            probability,
            factors,
            place: d.place(0),
        });
        Ok(())
    }

    fn factor(
        &mut self,
        d: &Definition,
        at: usize,
        split: Split,
        factors: &mut Vec<(u32, Number)>,
    ) -> Fallible<()> {
        let Some(expression) = Self::only(d, at)? else {
            return Err(Self::wrong_count(d, at, 0));
        };
        let expression = self.expression(d, expression)?;
        let first = match split {
            Split::Alpha | Split::Phi => 1,
            Split::Beta | Split::GreekLetters => 2,
        };
        let level = match d.optional(at, "level") {
            Some(_) => d.number(at, "level", "a number of members")?,
            // The one factor of a beta group is that of all members.
            None if split == Split::Beta => 0,
            None => factors.last().map_or(first, |&(level, _)| level + 1),
        };
        factors.push((level, expression));
        Ok(())
    }

    fn substitution(&mut self, d: &Definition) -> Fallible<()> {
        let shown = d.attribute(0, "name")?.to_owned();
        let kind = d.optional(0, "type");
        let (mut hypothesis, mut target, mut sources) = (None, None, Vec::new());
        for part in d.children(0) {
            match d.word(part) {
                "hypothesis" if hypothesis.is_none() => {
                    let Some(formula) = Self::only(d, part)? else {
                        return Err(d.wrong(part, "a hypothesis is a formula"));
                    };
                    hypothesis = Some(self.formula(d, formula)?);
                }
                "target" if target.is_none() => {
                    let Some(formula) = Self::only(d, part)? else {
                        return Err(d.wrong(part, "a target is a basic event or a constant"));
                    };
                    target = Some(self.formula(d, formula)?);
                }
                "source" => {
                    for source in d.children(part) {
                        sources.push(self.mention(d, source, "name")?);
                    }
                    if sources.is_empty() {
                        return Err(d.wrong(part, "a source is one basic event or more"));
                    }
                }
                word => {
                    let what = format!("<{word}> is one too many in <define-substitution>");
                    return Err(d.wrong(part, what));
                }
            }
        }
        let (Some(hypothesis), Some(target)) = (hypothesis, target) else {
            let what = format!("the substitution {shown:?} needs a hypothesis and a target");
            return Err(d.wrong(0, what));
        };
        // The substitution must be of its declared type.
        let fits = match kind {
            None => true,
            Some("delete-terms") => {
                sources.is_empty() && matches!(target, Argument::Constant(false))
            }
            Some("recovery-rule") => matches!(target, Argument::Name(..)),
            Some("exchange-event") => sources.len() == 1 && matches!(target, Argument::Name(..)),
            Some(other) => {
                let what = format!(
                    "type={other:?} of the substitution {shown:?} is none of delete-terms, \
                     recovery-rule, exchange-event"
                );
                return Err(d.wrong(0, what));
            }
        };
        if !fits {
            let kind = kind.unwrap_or_default();
            let what = format!("the substitution {shown:?} is no {kind}");
            return Err(d.wrong(0, what));
        }
        self.draft.substitutions.push(DraftSubstitution {
            name: self.draft.names.number(&shown),
            place: d.place(0),
            hypothesis,
            sources,
            target,
        });
        Ok(())
    }

    fn alignment(&mut self, d: &Definition) -> Fallible<()> {
        let name = self.draft.names.number(d.attribute(0, "name")?);
        let shown = self.draft.names.text(name).to_owned();
        let mut phases: Vec<DraftPhase> = Vec::new();
        let mut known = Set::<Symbol>::default();
        for at in d.children(0) {
            let name = self.draft.names.number(d.attribute(at, "name")?);
            let phase = self.draft.names.text(name).to_owned();
            if !known.insert(name) {
                return Err(d.wrong(at, format!("the phase {phase:?} is defined twice")));
            }
            let fraction = d.finite(at, "time-fraction")?;
            if !(fraction > 0.0 && fraction <= 1.0) {
                let what =
                    format!("the fraction {fraction} of phase {phase:?} does not lie in 0..1");
                return Err(d.wrong(at, what));
            }
            let mut houses = Vec::new();
            for set in d.children(at) {
                if d.word(set) != "set-house-event" {
                    let word = d.word(set);
                    let what = format!("<{word}> in <define-phase> is not read here");
                    return Err(d.wrong(set, what));
                }
                houses.push(self.set_house(d, set)?);
            }
            phases.push(DraftPhase {
                name,
                fraction,
                houses,
            });
        }
        if phases.is_empty() {
            return Err(d.wrong(0, format!("the alignment {shown:?} has no phase")));
        }
        let sum: f64 = phases.iter().map(|phase| phase.fraction).sum();
        if (sum - 1.0).abs() > 1e-4 {
            let what =
                format!("the phases of the alignment {shown:?} take {sum} of the time, not 1");
            return Err(d.wrong(0, what));
        }
        self.draft.alignments.push((name, phases, d.place(0)));
        Ok(())
    }

    pub(super) fn set_house(&mut self, d: &Definition, at: usize) -> Fallible<(Mention, bool)> {
        if let Some(direction) = d.optional(at, "direction").filter(|is| *is != "forward") {
            return Err(d.wrong(at, format!("direction={direction:?} is not read here")));
        }
        let Some(constant) = Self::only(d, at)? else {
            return Err(d.wrong(at, "a house event is set to a <constant>"));
        };
        Ok((self.mention(d, at, "name")?, d.boolean(constant)?))
    }

    /// Whether an element is read as an expression.
    pub(super) fn is_expression(d: &Definition, at: usize) -> bool {
        d.elements[at].word.is & EXPRESSION != 0
    }
}

/// A function of one number, by its word.
fn function(word: &str) -> Option<fn(f64) -> f64> {
    Some(match word {
        "abs" => f64::abs,
        "acos" => f64::acos,
        "asin" => f64::asin,
        "atan" => f64::atan,
        "cos" => f64::cos,
        "cosh" => f64::cosh,
        "exp" => f64::exp,
        "log" => |x| if x > 0.0 { x.ln() } else { NONE },
        "log10" => |x| if x > 0.0 { x.log10() } else { NONE },
        "sin" => f64::sin,
        "sinh" => f64::sinh,
        "tan" => f64::tan,
        "tanh" => f64::tanh,
        "sqrt" => f64::sqrt,
        "ceil" => f64::ceil,
        "floor" => f64::floor,
        _ => return None,
    })
}
