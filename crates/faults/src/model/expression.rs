//! Expressions: what probabilities and rates are computed from.
//!
//! Idea: all expressions of a model stand in one list, operands before those that have them, so one
//! pass computes all of them, for one time or for eight trials at once. An undefined value (a
//! division by zero, a distribution with a negative rate) is NaN, and so is what is computed from
//! it; the cause is looked for only where an answer needs the value.

use std::collections::BTreeSet;

use crate::map::{Map, Set};

use super::distribution::{
    NONE, Tests, exponential, glm, is_histogram, lognormal, mean_of_histogram, repaired, tested,
    weibull,
};
use super::names::Symbol;
use super::place::Place;

/// The number of an expression.
pub(crate) type Number = u32;

/// What an expression does with its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Number(f64),
    MissionTime,
    Negation,
    Sum,
    Difference,
    Product,
    Quotient,
    /// A function of one number.
    Function(fn(f64) -> f64),
    Modulo,
    Power,
    Least,
    Greatest,
    Mean,
    Not,
    And,
    Or,
    /// Whether two numbers compare so.
    Compare(fn(&f64, &f64) -> bool),
    IfThenElse,
    /// Conditions and values in turn, and the value if none holds.
    Switch,
    Exponential,
    Glm,
    Weibull,
    PeriodicTest,
    Deviate(Deviate),
    /// Whether the sequence begins with this initiating event.
    TestInitiating(Symbol),
    /// Whether this functional event is in this state.
    TestFunctional(Symbol, Symbol),
}

/// A random number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deviate {
    Uniform,
    Normal,
    Lognormal,
    Gamma,
    Beta,
    Histogram,
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expression {
    pub(crate) operation: Operation,
    /// Its operands, in the list of all.
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// The word of the format for it.
    pub(crate) word: &'static str,
    pub(crate) place: Place,
}

/// All expressions of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expressions {
    all: Vec<Expression>,
    operands: Vec<Number>,
}

/// What expressions depend on besides each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changing {
    Time,
    Trial,
    Path,
}

/// The path of an event tree on which an expression is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    pub(crate) initiating: Option<Symbol>,
    /// Functional events and their states.
    pub(crate) states: Set<(Symbol, Symbol)>,
}

impl Expressions {
    pub(crate) fn push(
        &mut self,
        operation: Operation,
        word: &'static str,
        operands: &[Number],
        place: Place,
    ) -> Number {
        let first = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        self.all.push(Expression {
            operation,
            first,
            count: operands.len() as u32,
            word,
            place,
        });
        self.all.len() as Number - 1
    }

    pub(crate) fn number(&mut self, value: f64, place: Place) -> Number {
        self.push(Operation::Number(value), "float", &[], place)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn get(&self, number: Number) -> &Expression {
        &self.all[number as usize]
    }

    pub(crate) fn operands(&self, number: Number) -> &[Number] {
        let Expression { first, count, .. } = *self.get(number);
        &self.operands[first as usize..(first + count) as usize]
    }

    /// By number: whether an expression depends on something.
    pub(crate) fn depending(&self, on: Changing) -> Vec<bool> {
        let mut depends: Vec<bool> = Vec::with_capacity(self.all.len());
        for number in 0..self.all.len() as Number {
            let own = matches!(
                (self.get(number).operation, on),
                (Operation::MissionTime, Changing::Time)
                    | (Operation::Deviate(_), Changing::Trial)
                    | (
                        Operation::TestInitiating(_) | Operation::TestFunctional(..),
                        Changing::Path
                    )
            );
            let operands = self.operands(number);
            depends.push(own || operands.iter().any(|&operand| depends[operand as usize]));
        }
        depends
    }

    /// By number: whether an expression is one of these or computes one of them.
    pub(crate) fn below(&self, wanted: impl IntoIterator<Item = Number>) -> Vec<bool> {
        let mut needed = vec![false; self.all.len()];
        wanted
            .into_iter()
            .for_each(|number| needed[number as usize] = true);
        for number in (0..self.all.len() as Number).rev() {
            if needed[number as usize] {
                for &operand in self.operands(number) {
                    needed[operand as usize] = true;
                }
            }
        }
        needed
    }

    /// The value of every expression at a time, with deviates at their means.
    pub(crate) fn values(&self, time: f64, path: &Path) -> Vec<f64> {
        let all: Vec<Number> = (0..self.all.len() as Number).collect();
        let mut values = vec![NONE; all.len()];
        self.fill(&all, time, path, &mut values);
        values
    }

    /// [`Self::values`] of some expressions, operands before those that have them.
    pub(crate) fn fill(&self, numbers: &[Number], time: f64, path: &Path, values: &mut [f64]) {
        let mut operands = Vec::new();
        for &number in numbers {
            operands.clear();
            let below = self.operands(number).iter();
            operands.extend(below.map(|&operand| values[operand as usize]));
            values[number as usize] = value(self.get(number).operation, &operands, time, path);
        }
    }

    /// The values of one expression and of what it is computed from.
    pub(crate) fn values_below(&self, number: Number, time: f64, path: &Path) -> Map<Number, f64> {
        let (mut needed, mut stack) = (BTreeSet::new(), vec![number]);
        while let Some(number) = stack.pop() {
            if needed.insert(number) {
                stack.extend(self.operands(number));
            }
        }
        let (mut values, mut operands) = (Map::<Number, f64>::default(), Vec::new());
        for number in needed {
            operands.clear();
            operands.extend(self.operands(number).iter().map(|operand| values[operand]));
            values.insert(
                number,
                value(self.get(number).operation, &operands, time, path),
            );
        }
        values
    }

    /// The cause of a value that is NaN: the expression, and its operands in words.
    pub(crate) fn cause(&self, number: Number, value: impl Fn(Number) -> f64) -> (Number, String) {
        let mut at = number;
        while let Some(&operand) = (self.operands(at).iter()).find(|&&o| value(o).is_nan()) {
            at = operand;
        }
        let operands = self.operands(at).iter();
        let shown: Vec<String> = operands.map(|&o| shown(value(o))).collect();
        let word = self.get(at).word;
        let of = if shown.is_empty() { "" } else { " of " };
        (at, format!("<{word}>{of}{}", shown.join(", ")))
    }
}

/// A number in as few digits as are needed to tell it from all others.
pub(crate) fn shown(value: f64) -> String {
    if value == 0.0 || (1e-4..1e7).contains(&value.abs()) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// A number as true or false.
fn truth(value: f64) -> f64 {
    f64::from(u8::from(value != 0.0))
}

fn none_if(condition: bool, value: f64) -> f64 {
    if condition || value.is_nan() {
        NONE
    } else {
        value
    }
}

/// What an operation makes of its operands.
pub(crate) fn value(operation: Operation, operands: &[f64], time: f64, path: &Path) -> f64 {
    let any_none = || operands.iter().any(|operand| operand.is_nan());
    match (operation, operands) {
        (Operation::Number(number), _) => number,
        (Operation::MissionTime, _) => time,
        (Operation::Negation, [a]) => -a,
        (Operation::Sum, all) => all.iter().sum(),
        (Operation::Difference, [first, rest @ ..]) => rest.iter().fold(*first, |a, b| a - b),
        (Operation::Product, all) => all.iter().product(),
        (Operation::Quotient, [first, rest @ ..]) => {
            rest.iter().fold(*first, |a, &b| none_if(b == 0.0, a / b))
        }
        (Operation::Function(f), [a]) => f(*a),
        // Defined for integers only: conventions differ for other remainders.
        (Operation::Modulo, [a, b]) => {
            let is_whole = a.fract() == 0.0 && b.fract() == 0.0;
            none_if(!is_whole || *b == 0.0, a % b)
        }
        (Operation::Power, [a, b]) => none_if(any_none() || (*a == 0.0 && *b <= 0.0), a.powf(*b)),
        (Operation::Least, all) => none_if(any_none(), least(all)),
        (Operation::Greatest, all) => none_if(any_none(), -least(&negated(all))),
        (Operation::Mean, all) => all.iter().sum::<f64>() / all.len() as f64,
        (Operation::Not, [a]) => none_if(a.is_nan(), 1.0 - truth(*a)),
        (Operation::And, all) => none_if(
            any_none(),
            truth(f64::from(u8::from(all.iter().all(|a| *a != 0.0)))),
        ),
        (Operation::Or, all) => none_if(
            any_none(),
            truth(f64::from(u8::from(all.iter().any(|a| *a != 0.0)))),
        ),
        (Operation::Compare(compare), [a, b]) => {
            none_if(any_none(), f64::from(u8::from(compare(a, b))))
        }
        (Operation::IfThenElse, [condition, yes, no]) => {
            if condition.is_nan() {
                NONE
            } else if *condition != 0.0 {
                *yes
            } else {
                *no
            }
        }
        (Operation::Switch, [cases @ .., otherwise]) => {
            for case in cases.chunks_exact(2) {
                if case[0].is_nan() {
                    return NONE;
                } else if case[0] != 0.0 {
                    return case[1];
                }
            }
            *otherwise
        }
        (Operation::Exponential, [rate, time]) => exponential(*rate, *time),
        (Operation::Glm, [gamma, lambda, mu, time]) => glm(*gamma, *lambda, *mu, *time),
        (Operation::Weibull, [scale, shape, from, time]) => weibull(*scale, *shape, *from, *time),
        (Operation::PeriodicTest, [rate, interval, first, time]) => {
            tested(*rate, *interval, *first, *time)
        }
        (Operation::PeriodicTest, [rate, repair, interval, first, time]) => {
            repaired(*rate, *repair, *interval, *first, *time)
        }
        (
            Operation::PeriodicTest,
            &[
                rate,
                rate_in_test,
                repair,
                interval,
                first,
                at_start,
                duration,
                available,
                found,
                at_restart,
                time,
            ],
        ) => none_if(any_none(), {
            let tests = Tests {
                rate,
                rate_in_test,
                repair,
                interval,
                first,
                at_start,
                duration,
                available: available != 0.0,
                found,
                at_restart,
            };
            tests.at(time)
        }),
        (Operation::Deviate(deviate), operands) => mean(deviate, operands),
        (Operation::TestInitiating(event), _) => {
            f64::from(u8::from(path.initiating == Some(event)))
        }
        (Operation::TestFunctional(event, state), _) => {
            f64::from(u8::from(path.states.contains(&(event, state))))
        }
        // The reader counts operands.
        _ => NONE,
    }
}

fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

fn negated(numbers: &[f64]) -> Vec<f64> {
    numbers.iter().map(|number| -number).collect()
}

/// The mean of a deviate; NaN if its parameters are invalid.
fn mean(deviate: Deviate, operands: &[f64]) -> f64 {
    match (deviate, operands) {
        (Deviate::Uniform, [lower, upper]) => {
            none_if(lower >= upper, f64::midpoint(*lower, *upper))
        }
        (Deviate::Normal, [mean, deviation]) => {
            none_if(*deviation <= 0.0 || deviation.is_nan(), *mean)
        }
        (Deviate::Lognormal, [mean, factor, level]) => {
            lognormal(*mean, *factor, *level).map_or(NONE, |_| *mean)
        }
        (Deviate::Lognormal, [mean, deviation]) => none_if(
            *deviation <= 0.0 || deviation.is_nan(),
            (mean + deviation * deviation / 2.0).exp(),
        ),
        (Deviate::Gamma, [shape, scale]) => none_if(!(*shape > 0.0 && *scale > 0.0), shape * scale),
        (Deviate::Beta, [a, b]) => none_if(!(*a > 0.0 && *b > 0.0), a / (a + b)),
        (Deviate::Histogram, all) if is_histogram(all) => mean_of_histogram(all),
        _ => NONE,
    }
}
