//! How chances change with vacant places: those of the lines of an answer, and the best.

use crate::play::{Knowledge, Suit};

use super::MOST_VISITS_TO_BE_SURE;
use crate::suit::answer::{Line, SuitTable};
use crate::suit::{Goal, Solver};

/// Goals at most: those beyond are in tables.
const MOST_GOALS: usize = 6;

/// The vacant places along a picture: East's grow to 13 with West's 13, then West's fall.
pub(in crate::suit) fn places() -> Vec<(u8, u8)> {
    let left = (0..=13).map(|east| (13, east));
    left.chain((0..13).rev().map(|west| (west, 13))).collect()
}

/// The chances of the lines, and the best chance, by vacant places, as far as known.
#[derive(Clone, Debug)]
pub(in crate::suit) struct Curves {
    pub(in crate::suit) goal: Goal,
    pub(in crate::suit) lines: Vec<Vec<Option<f64>>>,
    pub(in crate::suit) best: Vec<Option<f64>>,
}

impl Curves {
    fn is_empty(&self) -> bool {
        let mut values = self.lines.iter().flatten().chain(&self.best);
        values.all(Option::is_none)
    }
}

/// For each goal that is not certain, with one to begin with if there is one. Goals of which
/// nothing is known are left out.
pub(in crate::suit) fn by_vacant_places(
    solver: &mut Solver<'_>,
    table: &SuitTable,
    first: Option<Goal>,
) -> Vec<Curves> {
    let mut goals: Vec<Goal> = table
        .shown()
        .into_iter()
        .filter(|(chance, _)| chance.weight < chance.total || chance.goal == Goal::Average)
        .map(|(chance, _)| chance.goal)
        .collect();
    if let Some(at) = goals.iter().position(|own| Some(*own) == first) {
        goals[..=at].rotate_right(1);
    }
    let all = goals.into_iter().take(MOST_GOALS);
    let all = all.map(|goal| curves(solver, table, goal));
    all.filter(|curves| !curves.is_empty()).collect()
}

fn curves(solver: &mut Solver<'_>, table: &SuitTable, goal: Goal) -> Curves {
    let suit = &table.suit;
    let visits = solver.budget.visits_made();
    let mut curves = Curves {
        goal,
        lines: vec![Vec::new(); table.lines.len()],
        best: Vec::new(),
    };
    for places in places() {
        let knowledge = Knowledge {
            places,
            ..suit.knowledge().clone()
        };
        let other = suit.with(knowledge).ok();
        for (line, curve) in table.lines.iter().zip(&mut curves.lines) {
            curve.push(
                other
                    .as_ref()
                    .and_then(|other| share(suit, line, other, goal)),
            );
        }
        let is_cheap = solver.budget.visits_made() - visits < MOST_VISITS_TO_BE_SURE;
        curves
            .best
            .push(other.filter(|_| is_cheap).and_then(|other| {
                let chance = solver.elsewhere(&other, |solver| solver.greatest(goal));
                chance
                    .stop
                    .is_none()
                    .then_some(chance.weight as f64 / chance.total as f64)
            }));
    }
    curves
}

/// The chance of a line with other vacant places, if known and if the line says what to do in all
/// layouts there.
fn share(suit: &Suit, line: &Line, other: &Suit, goal: Goal) -> Option<f64> {
    if line.at_least {
        return None;
    }
    let known = suit.layouts();
    let mut reached = 0;
    for layout in other.layouts() {
        let place = known.iter().position(|own| own.west == layout.west)?;
        let taken = line.guarantees[place];
        reached += layout.weight
            * match goal {
                Goal::Tricks(tricks) => u64::from(taken >= tricks),
                Goal::Average => u64::from(taken),
            };
    }
    Some(reached as f64 / other.total_weight() as f64)
}
