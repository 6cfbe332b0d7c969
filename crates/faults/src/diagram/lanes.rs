//! The probability of a solved tree for many numbers at once.
//!
//! Problem: P(top) over time, and its distribution when rates are uncertain, ask one tree the same
//! question thousands of times with other numbers.
//!
//! Idea: the diagrams stay as they are, and one pass over them goes with eight numbers in each
//! node, so that the walk is paid for once and the arithmetic is that of vectors.

use crate::diagram::analysis::Analysis;
use crate::rewrite::module::Variable;

/// How many numbers go together.
pub(crate) const LANES: usize = 8;

/// Numbers that go together.
pub(crate) type Lanes = [f64; LANES];

/// Room for passes over diagrams, used again.
#[derive(Debug, Default)]
pub(crate) struct Room {
    known: Vec<Lanes>,
    places: Vec<Lanes>,
    modules: Vec<Lanes>,
}

impl Analysis {
    /// Whether the probability of the whole is known, and not only bounded.
    pub(crate) fn is_exact(&self) -> bool {
        self.modules.iter().all(|module| module.upper.is_none())
    }

    /// The events on which any function depends.
    pub(crate) fn variables(&self) -> Vec<u32> {
        let of_modules = self.modules.iter().flat_map(|module| &module.variables);
        let events = of_modules.filter_map(|variable| match *variable {
            Variable::Event(event) => Some(event),
            Variable::Module(_) => None,
        });
        events.collect()
    }

    /// The probability of the whole, given those of the events.
    pub(crate) fn probability_of(&self, event: impl Fn(u32) -> Lanes, room: &mut Room) -> Lanes {
        let Room {
            known,
            places,
            modules,
        } = room;
        modules.clear();
        for module in &self.modules {
            known.clear();
            known.extend(module.variables.iter().map(|variable| match *variable {
                Variable::Event(number) => event(number),
                Variable::Module(inner) => modules[inner as usize],
            }));
            places.clear();
            places.extend([[0.0; LANES], [1.0; LANES]]);
            for node in &module.function.nodes {
                let p = known[node.level as usize];
                let (high, low) = (places[node.high as usize], places[node.low as usize]);
                let mut made = [0.0; LANES];
                for lane in 0..LANES {
                    made[lane] = low[lane] + p[lane] * (high[lane] - low[lane]);
                }
                places.push(made);
            }
            modules.push(places[module.function.roots[0] as usize]);
        }
        modules.last().copied().unwrap_or([0.0; LANES])
    }
}
