//! Random numbers for what is uncertain, and whole trials of a model.
//!
//! In one trial each deviate is drawn once, however many events depend on it: parts of one kind
//! share one uncertain rate.
//!
//! Draw order: trials go in blocks of [`BLOCK`], block `b` draws from the stream `b` of
//! `ChaCha8Rng::seed_from_u64(seed)`. Eight trials go together; within them expressions are drawn
//! in the order of the model, each for the eight in turn.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Beta, Distribution, Gamma, Normal};

use crate::diagram::lanes::{LANES, Lanes};
use crate::map::Map;

use super::distribution::{NONE, is_histogram, lognormal};
use super::expression::{Changing, Deviate, Number, Operation, Path, value};
use super::formula::ModelEvent;
use super::place::FaultTreeFileError;
use super::whole::Model;

/// Trials that share a stream of random numbers.
pub(crate) const BLOCK: usize = 1 << 12;

/// The generator of a block.
pub(crate) fn generator(seed: u64, block: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(block);
    random
}

/// A deviate with its parameters.
#[derive(Clone, Debug)]
enum Drawer {
    Normal(Normal<f64>),
    Lognormal(Normal<f64>),
    Uniform(f64, f64),
    Gamma(Gamma<f64>),
    Beta(Beta<f64>),
    Histogram(Vec<f64>),
    /// Its parameters are invalid.
    None,
}

impl Drawer {
    fn new(deviate: Deviate, operands: &[f64]) -> Self {
        let made = match (deviate, operands) {
            (Deviate::Normal, &[mean, deviation]) if deviation > 0.0 => {
                Normal::new(mean, deviation).ok().map(Self::Normal)
            }
            (Deviate::Lognormal, &[mean, deviation]) if deviation > 0.0 => {
                Normal::new(mean, deviation).ok().map(Self::Lognormal)
            }
            (Deviate::Lognormal, &[mean, factor, level]) => lognormal(mean, factor, level)
                .and_then(|(mean, deviation)| Normal::new(mean, deviation).ok())
                .map(Self::Lognormal),
            (Deviate::Uniform, &[lower, upper]) if lower < upper => {
                Some(Self::Uniform(lower, upper))
            }
            (Deviate::Gamma, &[shape, scale]) => Gamma::new(shape, scale).ok().map(Self::Gamma),
            (Deviate::Beta, &[a, b]) => Beta::new(a, b).ok().map(Self::Beta),
            (Deviate::Histogram, all) if is_histogram(all) => Some(Self::Histogram(all.to_vec())),
            _ => None,
        };
        made.unwrap_or(Self::None)
    }

    /// Draws a number; NaN if the parameters are invalid.
    fn draw(&self, random: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::Normal(normal) => normal.sample(random),
            Self::Lognormal(normal) => normal.sample(random).exp(),
            Self::Uniform(lower, upper) => lower + (upper - lower) * random.random::<f64>(),
            Self::Gamma(gamma) => gamma.sample(random),
            Self::Beta(beta) => beta.sample(random),
            Self::Histogram(all) => of_histogram(all, random.random::<f64>()),
            Self::None => NONE,
        }
    }
}

/// The place in a histogram below which a part of it lies.
fn of_histogram(all: &[f64], part: f64) -> f64 {
    let mut left = part * all[1..].chunks_exact(2).map(|bin| bin[1]).sum::<f64>();
    let mut lower = all[0];
    let (mut from, mut to, mut within) = (lower, lower, 0.0);
    for bin in all[1..].chunks_exact(2) {
        if bin[1] > 0.0 {
            (from, to, within) = (lower, bin[0], (left / bin[1]).min(1.0));
            if left < bin[1] {
                break;
            }
            left -= bin[1];
        }
        lower = bin[0];
    }
    from + (to - from) * within
}

/// Where a number of a trial comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// It is the same in all trials.
    Fixed(f64),
    /// It was computed in this trial, at this place.
    Made(usize),
}

impl Source {
    fn of(self, values: &[Lanes], lane: usize) -> f64 {
        match self {
            Self::Fixed(value) => value,
            Self::Made(place) => values[place][lane],
        }
    }
}

/// An expression that changes from trial to trial.
#[derive(Clone, Debug)]
struct Step {
    operation: Operation,
    operands: Vec<Source>,
    /// A deviate whose parameters do not change.
    drawer: Option<Drawer>,
}

/// What trials of some events compute, and what they need not compute again.
#[derive(Debug)]
pub(crate) struct Trials<'m> {
    model: &'m Model,
    time: f64,
    /// What changes, operands first.
    steps: Vec<Step>,
    /// Where each expression that changes stands in the list above.
    slots: Map<Number, usize>,
    /// All values with deviates at their means.
    fixed: Vec<f64>,
    /// The events, and where their probabilities come from.
    events: Vec<(u32, Source)>,
    /// By event, its place in the list above.
    places: Vec<usize>,
}

impl<'m> Trials<'m> {
    /// Trials of these events at a time.
    pub(crate) fn new(model: &'m Model, events: &[u32], time: f64) -> Self {
        let expression = |&event: &u32| {
            let expression = model.events[event as usize].expression;
            expression.map(|expression| (event, expression))
        };
        let events: Vec<(u32, Number)> = events.iter().filter_map(expression).collect();
        let all = &model.expressions;
        let needed = all.below(events.iter().map(|&(_, expression)| expression));
        let depends = all.depending(Changing::Trial);
        let mut this = Self {
            model,
            time,
            steps: Vec::new(),
            slots: Map::default(),
            fixed: all.values(time, &Path::default()),
            events: Vec::new(),
            places: vec![0; model.events.len()],
        };
        let changes = |number: &Number| needed[*number as usize] && depends[*number as usize];
        for number in (0..all.len() as Number).filter(changes) {
            let operands = all.operands(number).iter();
            let operands: Vec<Source> = operands.map(|&operand| this.source(operand)).collect();
            let operation = all.get(number).operation;
            let parameters = operands.iter().map(|source| match source {
                Source::Fixed(value) => Some(*value),
                Source::Made(_) => None,
            });
            let parameters: Option<Vec<f64>> = parameters.collect();
            let drawer = match (operation, parameters) {
                (Operation::Deviate(deviate), Some(all)) => Some(Drawer::new(deviate, &all)),
                _ => None,
            };
            this.slots.insert(number, this.steps.len());
            this.steps.push(Step {
                operation,
                operands,
                drawer,
            });
        }
        for (place, &(event, expression)) in events.iter().enumerate() {
            this.places[event as usize] = place;
            this.events.push((event, this.source(expression)));
        }
        this
    }

    fn source(&self, number: Number) -> Source {
        match self.slots.get(&number) {
            Some(&slot) => Source::Made(slot),
            None => Source::Fixed(self.fixed[number as usize]),
        }
    }

    /// The place of an event in what a trial draws.
    pub(crate) fn place(&self, event: u32) -> usize {
        self.places[event as usize]
    }

    /// Draws the probabilities of the events for the trials from `first` on, of which `count` are
    /// asked for.
    pub(crate) fn draw(
        &self,
        first: usize,
        count: usize,
        random: &mut ChaCha8Rng,
        values: &mut Vec<Lanes>,
        probabilities: &mut Vec<Lanes>,
    ) -> Result<(), FaultTreeFileError> {
        let path = Path::default();
        let mut operands = Vec::new();
        values.clear();
        for step in &self.steps {
            let mut made = [0.0; LANES];
            for (lane, made) in made.iter_mut().enumerate() {
                if let Some(drawer) = &step.drawer {
                    *made = drawer.draw(random);
                    continue;
                }
                operands.clear();
                operands.extend(step.operands.iter().map(|source| source.of(values, lane)));
                *made = match step.operation {
                    Operation::Deviate(deviate) => Drawer::new(deviate, &operands).draw(random),
                    operation => value(operation, &operands, self.time, &path),
                };
            }
            values.push(made);
        }
        probabilities.clear();
        for &(event, source) in &self.events {
            let mut made = [0.0; LANES];
            for (lane, made) in made.iter_mut().enumerate() {
                *made = source.of(values, lane);
                if lane < count && !(0.0..=1.0).contains(made) {
                    let event: &ModelEvent = &self.model.events[event as usize];
                    let checked = self
                        .model
                        .checked(event, *made, |n| self.source(n).of(values, lane));
                    let trial = first + lane + 1;
                    return checked
                        .map(|_| ())
                        .map_err(|wrong| wrong.within(&format!("in trial {trial}, ")));
                }
            }
            probabilities.push(made);
        }
        Ok(())
    }
}
