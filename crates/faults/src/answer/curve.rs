//! P(top) over time: a table, lines of CSV, and a picture.

use std::fmt::Write as _;

use meetjoin_lattice::{Budget, Stop};

use super::plot::{self, Frame};
use crate::diagram::Analysis;
use crate::diagram::lanes::{LANES, Lanes, Pass, Room};
use crate::map::Map;
use crate::model::Model;
use crate::model::expression::{Number, Path};
use crate::model::place::FaultTreeFileError;

/// The most points of a curve.
pub const MOST_POINTS: usize = 1_000_000;

/// The times from 0 to the mission time; `None` if there are too many.
pub(crate) fn times(mission_time: f64, step: f64) -> Option<Vec<f64>> {
    let count = (mission_time / step).ceil();
    if !(step > 0.0 && count < MOST_POINTS as f64) {
        return None;
    }
    #[allow(clippy::cast_sign_loss)] // a time divided by a step above 0
    let mut times: Vec<f64> = (0..count as usize)
        .map(|place| place as f64 * step)
        .collect();
    times.push(mission_time);
    Some(times)
}

/// P(top) at any times, over the kept diagram.
pub(super) struct OverTime<'m> {
    model: &'m Model,
    pass: Pass,
    /// The events on which the top depends, and the place of each.
    variables: Vec<u32>,
    places: Map<u32, usize>,
    /// The expressions from which their probabilities come, and their values at a time.
    needed: Vec<Number>,
    values: Vec<f64>,
    events: Vec<Lanes>,
    room: Room,
}

impl<'m> OverTime<'m> {
    /// The top of a tree of a model, asked for at about so many times.
    pub(super) fn new(
        analysis: &Analysis,
        model: &'m Model,
        times: usize,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let variables = analysis.variables();
        let expressions = variables
            .iter()
            .filter_map(|&event| model.events[event as usize].expression);
        let is_needed = model.expressions.below(expressions);
        let needed = (0..).zip(is_needed).filter(|(_, is_needed)| *is_needed);
        Ok(Self {
            model,
            pass: analysis.pass(times.div_ceil(LANES) as u64, budget)?,
            places: variables.iter().enumerate().map(|(p, &e)| (e, p)).collect(),
            needed: needed.map(|(number, _)| number).collect(),
            values: vec![f64::NAN; model.expressions.len()],
            events: vec![[0.0; LANES]; variables.len()],
            room: Room::default(),
            variables,
        })
    }

    /// The expressions from which probabilities come, operands first.
    pub(super) fn needed(&self) -> &[Number] {
        &self.needed
    }

    /// P(top) at a few times, at most [`LANES`].
    pub(super) fn at(
        &mut self,
        times: &[f64],
        budget: &Budget,
    ) -> Result<Result<Lanes, Stop>, FaultTreeFileError> {
        if let Err(stop) = budget.steps(self.pass.steps().max(LANES as u64)) {
            return Ok(Err(stop));
        }
        let expressions = &self.model.expressions;
        for (lane, &time) in times.iter().enumerate() {
            expressions.fill(&self.needed, time, &Path::default(), &mut self.values);
            let values = &self.values;
            for (&event, lanes) in self.variables.iter().zip(&mut self.events) {
                let event = &self.model.events[event as usize];
                let value = event.expression.map_or(f64::NAN, |e| values[e as usize]);
                let checked = self
                    .model
                    .checked(event, value, |number| values[number as usize]);
                lanes[lane] =
                    checked.map_err(|wrong| wrong.within(&format!("at time {time}, ")))?;
            }
        }
        let (events, places) = (&self.events, &self.places);
        let top = self
            .pass
            .probability(|event| events[places[&event]], &mut self.room);
        Ok(Ok(top))
    }

    /// P(top) at all of some times.
    pub(super) fn curve(
        &mut self,
        times: &[f64],
        budget: &Budget,
    ) -> Result<Result<Vec<[f64; 2]>, Stop>, FaultTreeFileError> {
        let mut points = Vec::with_capacity(times.len());
        for together in times.chunks(LANES) {
            match self.at(together, budget)? {
                Ok(top) => points.extend(together.iter().zip(top).map(|(&time, p)| [time, p])),
                Err(stop) => return Ok(Err(stop)),
            }
        }
        Ok(Ok(points))
    }
}

/// Lines of CSV.
pub fn csv(points: &[[f64; 2]]) -> String {
    let mut text = String::from("time,probability\n");
    for [time, p] in points {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{time},{p:e}");
    }
    text
}

/// A drawing of the curve as SVG.
pub fn picture(points: &[[f64; 2]]) -> String {
    drawing(points, (640.0, 320.0))
}

/// [`picture`] with a width and a height.
pub(super) fn drawing(points: &[[f64; 2]], size: (f64, f64)) -> String {
    let frame = Frame {
        title: "P(top) over time",
        across: "hours",
        size,
    };
    plot::line(frame, points)
}
