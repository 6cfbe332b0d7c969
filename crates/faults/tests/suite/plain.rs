//! Expressions and formulas by their definitions: written as XML, and evaluated one state at a
//! time. Shares no code with the crate.

use std::rc::Rc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A deterministic expression.
pub enum Expr {
    Number(f64),
    Time,
    /// A parameter by its name, and what it is.
    Parameter(String, Rc<Expr>),
    Op(&'static str, Vec<Expr>),
    Switch(Vec<(Expr, Expr)>, Box<Expr>),
}

const UNARY: [&str; 18] = [
    "neg", "abs", "acos", "asin", "atan", "cos", "cosh", "exp", "log", "log10", "sin", "sinh",
    "tan", "tanh", "sqrt", "ceil", "floor", "not",
];
const BINARY: [&str; 8] = ["mod", "pow", "eq", "df", "lt", "gt", "leq", "geq"];
const MANY: [&str; 9] = [
    "add", "sub", "mul", "div", "min", "max", "mean", "and", "or",
];

impl Expr {
    pub fn random(random: &mut ChaCha8Rng, depth: u32, known: &[(String, Rc<Expr>)]) -> Self {
        let below = |random: &mut ChaCha8Rng| Self::random(random, depth - 1, known);
        if depth == 0 || random.random_range(0..5) == 0 {
            return match random.random_range(0..8) {
                0 => Self::Time,
                1 | 2 if !known.is_empty() => {
                    let (name, value) = &known[random.random_range(0..known.len())];
                    Self::Parameter(name.clone(), value.clone())
                }
                3 => Self::Number(f64::from(random.random_range(-3..4))),
                _ => Self::Number(f64::from(random.random_range(0..1000)) / 500.0),
            };
        }
        match random.random_range(0..9) {
            0 | 1 => {
                let word = UNARY[random.random_range(0..UNARY.len())];
                Self::Op(word, vec![below(random)])
            }
            2 => {
                let word = BINARY[random.random_range(0..BINARY.len())];
                Self::Op(word, vec![below(random), below(random)])
            }
            3 | 4 => {
                let word = MANY[random.random_range(0..MANY.len())];
                let count = random.random_range(1..4);
                Self::Op(word, (0..count).map(|_| below(random)).collect())
            }
            5 => Self::Op("ite", vec![below(random), below(random), below(random)]),
            6 => {
                let cases = random.random_range(0..3);
                let cases = (0..cases).map(|_| (below(random), below(random))).collect();
                Self::Switch(cases, Box::new(below(random)))
            }
            _ => Self::of_time(random),
        }
    }

    /// A distribution of time with parameters that mostly make one.
    fn of_time(random: &mut ChaCha8Rng) -> Self {
        let mut number = |scale: f64| {
            let number = random.random_range(-20..1000);
            Self::Number(if number < 0 {
                0.0
            } else {
                f64::from(number) * scale / 1000.0
            })
        };
        let (rate, other, interval) = (number(0.01), number(0.02), number(200.0));
        let (p, q, r) = (number(1.0), number(1.0), number(1.0));
        let (duration, first) = (number(20.0), number(50.0));
        match random.random_range(0..6) {
            0 => Self::Op("exponential", vec![rate, Self::Time]),
            1 => Self::Op("GLM", vec![p, rate, other, Self::Time]),
            2 => Self::Op("Weibull", vec![interval, q, first, Self::Time]),
            3 => Self::Op("periodic-test", vec![rate, interval, first, Self::Time]),
            4 => Self::Op(
                "periodic-test",
                vec![rate, other, interval, first, Self::Time],
            ),
            _ => {
                let available = Self::Number(f64::from(random.random_range(0..2)));
                let in_test = Self::Number(f64::from(random.random_range(0..10)) / 1000.0);
                Self::Op(
                    "periodic-test",
                    vec![
                        rate,
                        in_test,
                        other,
                        interval,
                        first,
                        p,
                        duration,
                        available,
                        q,
                        r,
                        Self::Time,
                    ],
                )
            }
        }
    }

    pub fn xml(&self) -> String {
        match self {
            Self::Number(value) => format!("<float value=\"{value}\"/>"),
            Self::Time => "<system-mission-time/>".to_owned(),
            Self::Parameter(name, _) => format!("<parameter name=\"{name}\"/>"),
            Self::Op(word, operands) => {
                let operands: String = operands.iter().map(Self::xml).collect();
                format!("<{word}>{operands}</{word}>")
            }
            Self::Switch(cases, otherwise) => {
                let case = |(c, v): &(Self, Self)| format!("<case>{}{}</case>", c.xml(), v.xml());
                let cases: String = cases.iter().map(case).collect();
                format!("<switch>{cases}{}</switch>", otherwise.xml())
            }
        }
    }

    /// The value; `None` if there is none. Distributions of time are off by a part, which tells
    /// what hangs on rounding.
    pub fn value(&self, time: f64, off: f64) -> Option<f64> {
        let found = match self {
            Self::Number(value) => *value,
            Self::Parameter(_, what) => return what.value(time, off),
            Self::Time => time,
            Self::Switch(cases, otherwise) => {
                for (condition, value) in cases {
                    if condition.value(time, off)? != 0.0 {
                        return value.value(time, off);
                    }
                }
                return otherwise.value(time, off);
            }
            Self::Op("ite", operands) => {
                let condition = operands[0].value(time, off)?;
                return operands[if condition == 0.0 { 2 } else { 1 }].value(time, off);
            }
            Self::Op(word, operands) => {
                let numbers: Option<Vec<f64>> =
                    operands.iter().map(|o| o.value(time, off)).collect();
                let found = apply(word, &numbers?)?;
                let of_time = matches!(*word, "exponential" | "GLM" | "Weibull" | "periodic-test");
                if of_time { found * (1.0 + off) } else { found }
            }
        };
        (!found.is_nan()).then_some(found)
    }
}

fn apply(word: &str, n: &[f64]) -> Option<f64> {
    let is = |condition: bool| f64::from(u8::from(condition));
    let fold = |f: fn(f64, f64) -> f64| n[1..].iter().fold(n[0], |a, b| f(a, *b));
    Some(match (word, n) {
        ("neg", [a]) => -a,
        ("abs", [a]) => a.abs(),
        ("acos", [a]) => a.acos(),
        ("asin", [a]) => a.asin(),
        ("atan", [a]) => a.atan(),
        ("cos", [a]) => a.cos(),
        ("cosh", [a]) => a.cosh(),
        ("exp", [a]) => a.exp(),
        ("log", [a]) => (*a > 0.0).then(|| a.ln())?,
        ("log10", [a]) => (*a > 0.0).then(|| a.log10())?,
        ("sin", [a]) => a.sin(),
        ("sinh", [a]) => a.sinh(),
        ("tan", [a]) => a.tan(),
        ("tanh", [a]) => a.tanh(),
        ("sqrt", [a]) => a.sqrt(),
        ("ceil", [a]) => a.ceil(),
        ("floor", [a]) => a.floor(),
        ("not", [a]) => is(*a == 0.0),
        ("mod", [a, b]) => {
            let is_whole = a.trunc() == *a && b.trunc() == *b;
            (is_whole && *b != 0.0).then(|| a - b * (a / b).trunc())?
        }
        ("pow", [a, b]) => (*a != 0.0 || *b > 0.0).then(|| a.powf(*b))?,
        ("eq", [a, b]) => is(a == b),
        ("df", [a, b]) => is(a != b),
        ("lt", [a, b]) => is(a < b),
        ("gt", [a, b]) => is(a > b),
        ("leq", [a, b]) => is(a <= b),
        ("geq", [a, b]) => is(a >= b),
        ("add", _) => fold(|a, b| a + b),
        ("sub", _) => fold(|a, b| a - b),
        ("mul", _) => fold(|a, b| a * b),
        ("div", all) => all[1..]
            .iter()
            .all(|b| *b != 0.0)
            .then(|| fold(|a, b| a / b))?,
        ("min", _) => fold(f64::min),
        ("max", _) => fold(f64::max),
        ("mean", _) => fold(|a, b| a + b) / n.len() as f64,
        ("and", _) => is(n.iter().all(|a| *a != 0.0)),
        ("or", _) => is(n.iter().any(|a| *a != 0.0)),
        ("exponential", [rate, t]) => {
            (*rate >= 0.0 && *t >= 0.0).then(|| 1.0 - (-rate * t).exp())?
        }
        ("GLM", [g, l, m, t]) => {
            if l + m == 0.0 {
                return Some(*g);
            }
            (l - (l - g * (l + m)) * (-(l + m) * t).exp()) / (l + m)
        }
        ("Weibull", [a, b, t0, t]) => (*a > 0.0 && *b > 0.0).then(|| {
            if t <= t0 {
                0.0
            } else {
                1.0 - (-((t - t0) / a).powf(*b)).exp()
            }
        })?,
        ("periodic-test", [rate, interval, first, t]) => {
            (*rate > 0.0 && *interval > 0.0).then(|| {
                // From test to test.
                let mut last = 0.0;
                let mut next = *first;
                while next < *t {
                    last = next;
                    next += interval;
                }
                1.0 - (-rate * (t - last)).exp()
            })?
        }
        ("periodic-test", [rate, repair, interval, first, t]) => {
            let tests = [
                *rate, 0.0, *repair, *interval, *first, 0.0, 0.0, 1.0, 1.0, 0.0, *t,
            ];
            tested(&tests, true)?
        }
        ("periodic-test", all) => tested(all, false)?,
        _ => panic!("{word}"),
    })
}

/// A tested part, period by period; `instant` tests take no time.
fn tested(n: &[f64], instant: bool) -> Option<f64> {
    let [
        rate,
        in_test,
        repair,
        interval,
        first,
        start,
        duration,
        available,
        found,
        restart,
        t,
    ] = n[..]
    else {
        return None;
    };
    if rate <= 0.0 || interval <= 0.0 || (!instant && (duration <= 0.0 || duration > interval)) {
        return None;
    }
    let fails = |rate: f64, t: f64| 1.0 - (-rate * t).exp();
    if t <= first {
        return Some(fails(rate, t));
    }
    // Repaired, and failed after that: the integral of the density of the one times the other.
    let again = |t: f64| {
        let both = if (rate - repair).abs() < 1e-12 * rate {
            fails(rate, t) - rate * t * (-rate * t).exp()
        } else {
            1.0 - (rate * (-repair * t).exp() - repair * (-rate * t).exp()) / (rate - repair)
        };
        fails(repair, t) * restart + (1.0 - restart) * both
    };
    let (mut failed, mut under, mut works) = (fails(rate, first), 0.0, 1.0 - fails(rate, first));
    let mut at = first;
    loop {
        // The test finds what it finds when it begins.
        let length = if instant { 0.0 } else { duration.min(t - at) };
        let lost = start + (1.0 - start) * fails(in_test, length);
        let broken = failed + works * lost;
        let from_repair = under * again(length);
        let still = under * (1.0 - fails(repair, length));
        let back = under - from_repair - still;
        let untouched = works * (1.0 - lost);
        if !instant && at + duration >= t {
            let usable = if available == 0.0 {
                back
            } else {
                untouched + back
            };
            return Some(1.0 - usable);
        }
        (failed, under) = (from_repair + (1.0 - found) * broken, still + found * broken);
        works = untouched + back;
        // And then the part is on its own.
        let rest = (interval - length).min(t - at - length);
        let from_repair = under * again(rest);
        let back = under * fails(repair, rest) - from_repair;
        failed += works * fails(rate, rest) + from_repair;
        works = works * (1.0 - fails(rate, rest)) + back;
        under *= 1.0 - fails(repair, rest);
        at += interval;
        if at > t {
            return Some(failed + under);
        }
    }
}

/// A formula.
pub enum Formula {
    Event(usize),
    House(usize),
    Constant(bool),
    Gate(usize),
    Of(&'static str, usize, usize, Vec<Formula>),
}

const CONNECTIVES: [&str; 10] = [
    "and",
    "or",
    "not",
    "xor",
    "nand",
    "nor",
    "atleast",
    "cardinality",
    "imply",
    "iff",
];

impl Formula {
    pub fn random(
        random: &mut ChaCha8Rng,
        depth: u32,
        (events, houses, gates): (usize, usize, usize),
    ) -> Self {
        let sizes = (events, houses, gates);
        if depth == 0 || random.random_range(0..4) == 0 {
            return match random.random_range(0..10) {
                0 if houses > 0 => Self::House(random.random_range(0..houses)),
                1 => Self::Constant(random.random_range(0..2) == 0),
                2..6 if gates > 0 => Self::Gate(random.random_range(0..gates)),
                _ => Self::Event(random.random_range(0..events)),
            };
        }
        let word = CONNECTIVES[random.random_range(0..CONNECTIVES.len())];
        let count = match word {
            "not" => 1,
            "imply" | "iff" => 2,
            _ => random.random_range(1..5),
        };
        let least = random.random_range(0..=count);
        let most = random.random_range(least..=count);
        let below = (0..count)
            .map(|_| Self::random(random, depth - 1, sizes))
            .collect();
        Self::Of(word, least, most, below)
    }

    /// The XML, with a name for each event, house event and gate.
    pub fn xml(&self, name: &impl Fn(&Self) -> String) -> String {
        match self {
            Self::Constant(constant) => format!("<constant value=\"{constant}\"/>"),
            Self::Of(word, least, most, below) => {
                let below: String = below.iter().map(|formula| formula.xml(name)).collect();
                let attributes = match *word {
                    "atleast" => format!(" min=\"{least}\""),
                    "cardinality" => format!(" min=\"{least}\" max=\"{most}\""),
                    _ => String::new(),
                };
                format!("<{word}{attributes}>{below}</{word}>")
            }
            leaf => name(leaf),
        }
    }

    pub fn holds(&self, state: u32, houses: &[bool], gates: &[Formula]) -> bool {
        match self {
            Self::Event(event) => state >> event & 1 == 1,
            Self::House(house) => houses[*house],
            Self::Constant(constant) => *constant,
            Self::Gate(gate) => gates[*gate].holds(state, houses, gates),
            Self::Of(word, least, most, below) => {
                let values: Vec<bool> = below
                    .iter()
                    .map(|f| f.holds(state, houses, gates))
                    .collect();
                let count = values.iter().filter(|value| **value).count();
                match *word {
                    "and" => count == values.len(),
                    "or" => count > 0,
                    "not" => !values[0],
                    "xor" => count % 2 == 1,
                    "nand" => count < values.len(),
                    "nor" => count == 0,
                    "atleast" => count >= *least,
                    "cardinality" => (*least..=*most).contains(&count),
                    "imply" => !values[0] || values[1],
                    _ => values[0] == values[1],
                }
            }
        }
    }
}

/// The probability of a state of independent events.
pub fn weight(state: u32, probabilities: &[f64]) -> f64 {
    let of = |(event, p): (usize, &f64)| if state >> event & 1 == 1 { *p } else { 1.0 - p };
    probabilities.iter().enumerate().map(of).product()
}
