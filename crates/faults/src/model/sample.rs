//! Random numbers for what is uncertain, and whole trials of a model.
//!
//! In one trial each deviate is drawn once, however many events depend on it: parts of one kind
//! have one rate that is not known well.
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
use super::place::FaultTreeFileError;
use super::{Model, ModelEvent};

/// Trials that share a stream of random numbers.
pub(crate) const BLOCK: usize = 1 << 12;

/// The generator of a block.
pub(crate) fn generator(seed: u64, block: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(block);
    random
}

/// Draws a deviate; no number if its parameters make none.
fn draw(deviate: Deviate, operands: &[f64], random: &mut ChaCha8Rng) -> f64 {
    let mut drawn = |distribution: Option<Normal<f64>>| {
        distribution.map_or(NONE, |normal| normal.sample(random))
    };
    match (deviate, operands) {
        (Deviate::Normal, &[mean, deviation]) if deviation > 0.0 => {
            drawn(Normal::new(mean, deviation).ok())
        }
        (Deviate::Lognormal, &[mean, deviation]) if deviation > 0.0 => {
            drawn(Normal::new(mean, deviation).ok()).exp()
        }
        (Deviate::Lognormal, &[mean, factor, level]) => {
            let parameters = lognormal(mean, factor, level);
            let normal = parameters.and_then(|(mean, deviation)| Normal::new(mean, deviation).ok());
            drawn(normal).exp()
        }
        (Deviate::Uniform, &[lower, upper]) if lower < upper => {
            lower + (upper - lower) * random.random::<f64>()
        }
        (Deviate::Gamma, &[shape, scale]) => {
            Gamma::new(shape, scale).map_or(NONE, |gamma| gamma.sample(random))
        }
        (Deviate::Beta, &[a, b]) => Beta::new(a, b).map_or(NONE, |beta| beta.sample(random)),
        (Deviate::Histogram, all) if is_histogram(all) => {
            let weights = || all[1..].chunks_exact(2).map(|bin| bin[1]);
            let mut left = random.random::<f64>() * weights().sum::<f64>();
            let mut lower = all[0];
            let (mut from, mut to, mut part) = (lower, lower, 0.0);
            for bin in all[1..].chunks_exact(2) {
                if bin[1] > 0.0 {
                    (from, to, part) = (lower, bin[0], (left / bin[1]).min(1.0));
                    if left < bin[1] {
                        break;
                    }
                    left -= bin[1];
                }
                lower = bin[0];
            }
            from + (to - from) * part
        }
        _ => NONE,
    }
}

/// What trials of some events compute, and what they need not compute again.
#[derive(Debug)]
pub(crate) struct Trials<'m> {
    model: &'m Model,
    /// Expressions that change from trial to trial, operands first.
    changing: Vec<Number>,
    /// Where each of them stands in the list above.
    slots: Map<Number, usize>,
    /// All values with deviates at their means.
    fixed: Vec<f64>,
    /// The events, and their expressions.
    events: Vec<(u32, Number)>,
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
        let mut places = vec![0; model.events.len()];
        for (place, &(event, _)) in events.iter().enumerate() {
            places[event as usize] = place;
        }
        let all = &model.expressions;
        let needed = all.below(events.iter().map(|&(_, expression)| expression));
        let depends = all.depending(Changing::Trial);
        let is_changing = |&number: &Number| needed[number as usize] && depends[number as usize];
        let changing: Vec<Number> = (0..all.len() as Number).filter(is_changing).collect();
        Self {
            model,
            slots: changing
                .iter()
                .enumerate()
                .map(|(slot, &n)| (n, slot))
                .collect(),
            changing,
            fixed: all.values(time, &Path::default()),
            places,
            events,
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
        time: f64,
        random: &mut ChaCha8Rng,
        values: &mut Vec<Lanes>,
        probabilities: &mut Vec<Lanes>,
    ) -> Result<(), FaultTreeFileError> {
        let all = &self.model.expressions;
        let path = Path::default();
        values.clear();
        let mut operands = Vec::new();
        let of = |values: &[Lanes], number: Number, lane: usize| match self.slots.get(&number) {
            Some(&slot) => values[slot][lane],
            None => self.fixed[number as usize],
        };
        for &number in &self.changing {
            let mut made = [0.0; LANES];
            for (lane, made) in made.iter_mut().enumerate() {
                operands.clear();
                operands.extend(all.operands(number).iter().map(|&o| of(values, o, lane)));
                *made = match all.get(number).operation {
                    Operation::Deviate(deviate) => draw(deviate, &operands, random),
                    operation => value(operation, &operands, time, &path),
                };
            }
            values.push(made);
        }
        probabilities.clear();
        for &(event, expression) in &self.events {
            let mut made = [0.0; LANES];
            for (lane, made) in made.iter_mut().enumerate() {
                *made = of(values, expression, lane);
                if lane < count && !(0.0..=1.0).contains(made) {
                    let event: &ModelEvent = &self.model.events[event as usize];
                    let checked = self.model.checked(event, *made, |n| of(values, n, lane));
                    return checked.map(|_| ()).map_err(|wrong| {
                        wrong.within(&format!("in trial {}, ", first + lane + 1))
                    });
                }
            }
            probabilities.push(made);
        }
        Ok(())
    }
}
