//! The probability of a solved tree for many numbers at once.
//!
//! Problem: P(top) over time, and its distribution when rates are uncertain, ask one tree the same
//! question thousands of times with other numbers.
//!
//! Idea: the diagrams of all modules become one straight list of steps, made once. A pass computes
//! eight numbers in each node, so the walk is paid for once and the arithmetic is vectorized. A row
//! of eight is a cache line, and is reused after the last step that reads it: a pass touches only
//! as many rows as are live at a time.
//!
//! Where many passes are to be made, the variables of each module are brought into a better order
//! first (sifting), which makes diagrams two to eight times smaller and changes numbers by rounding
//! only.
//!
//! Cost: a list takes 16 bytes for each node.

use meetjoin_lattice::diagram::{Function, Functions, Listing};
use meetjoin_lattice::{Budget, Stop};

use crate::diagram::analysis::Analysis;
use crate::rewrite::module::{Module, Variable};

/// How many numbers a pass computes at once.
pub(crate) const LANES: usize = 8;

/// Steps of passes that must be planned for each step of sifting.
const PAYS: u64 = 64;

/// Numbers that are computed at once.
pub(crate) type Lanes = [f64; LANES];

/// [`Lanes`] in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row(Lanes);

/// Rows for passes, used again.
#[derive(Debug, Default)]
pub(crate) struct Room {
    rows: Vec<Row>,
}

/// A node: `if` the variable `then` the one `or` the other, by their rows.
#[derive(Clone, Copy, Debug)]
struct Step {
    variable: u32,
    /// The row of the variable's opposite; [`ONE_LESS`] if it is to be computed.
    opposite: u32,
    then: u32,
    or: u32,
    into: u32,
}

/// An opposite that has no row: one less the variable. Of an event that is exact; of a module near
/// 1 it is not, but without negations it is multiplied with what is small beside the rest.
const ONE_LESS: u32 = 0;

/// The plan of a pass over the diagrams of a tree.
#[derive(Debug)]
pub(crate) struct Pass {
    /// The events, each with its row.
    events: Vec<(u32, u32)>,
    steps: Vec<Step>,
    rows: usize,
    /// Where the result is.
    root: u32,
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

    /// Plans a pass over the diagrams, of which `passes` will be made.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub(crate) fn pass(&self, passes: u64, budget: &Budget) -> Result<Pass, Stop> {
        // Rows 0 and 1 are the constants, then come events and nodes, each in a row of its own.
        let mut next = 2;
        let mut new_row = || {
            next += 1;
            next - 1
        };
        let events: Vec<(u32, u32)> = self
            .variables()
            .into_iter()
            .map(|e| (e, new_row()))
            .collect();
        let mut rows_of_events = events.iter().map(|&(_, row)| row);
        let (mut modules, mut steps) = (Vec::with_capacity(self.modules.len()), Vec::new());
        for module in &self.modules {
            let variables = module.variables.iter().map(|variable| match *variable {
                Variable::Event(_) => [rows_of_events.next().unwrap_or_default(), ONE_LESS],
                Variable::Module(inner) => modules[inner as usize],
            });
            let variables: Vec<[u32; 2]> = variables.collect();
            let (variables, function) = smaller(module, variables, passes, budget)?;
            let mut of = |constants: [u32; 2]| {
                let mut places = constants.to_vec();
                for node in &function.nodes {
                    let into = new_row();
                    let [variable, opposite] = variables[node.level as usize];
                    steps.push(Step {
                        variable,
                        opposite,
                        then: places[node.high as usize],
                        or: places[node.low as usize],
                        into,
                    });
                    places.push(into);
                }
                places[function.roots[0] as usize]
            };
            let opposite = if self.coherent { ONE_LESS } else { of([1, 0]) };
            modules.push([of([0, 1]), opposite]);
        }
        let root = modules.last().map_or(0, |module| module[0]);
        let first_node = 2 + events.len() as u32;
        let mut pass = Pass {
            events,
            steps,
            rows: next as usize,
            root,
        };
        pass.give_back(first_node);
        Ok(pass)
    }
}

/// The function of a module with its variables, by level, in an order in which it is smaller, as
/// far as that pays.
fn smaller(
    module: &Module,
    variables: Vec<[u32; 2]>,
    passes: u64,
    budget: &Budget,
) -> Result<(Vec<[u32; 2]>, Listing), Stop> {
    let listing = &module.function;
    let all = (listing.nodes.len() as u64).saturating_mul(passes);
    let part = budget.part(u64::MAX, all / PAYS);
    if all / PAYS == 0 {
        return Ok((variables, listing.clone()));
    }
    let mut functions = Functions::default();
    let mut made = vec![Function::FALSE, Function::TRUE];
    for node in &listing.nodes {
        let [high, low] = [node.high, node.low].map(|place| made[place as usize]);
        made.push(functions.node(node.level, high, low, budget)?);
    }
    let root = made[listing.roots[0] as usize];
    let new = functions.sift(&[root], &part);
    budget.spend(&part)?;
    let mut sifted = variables.clone();
    for (&variable, &level) in variables.iter().zip(&new) {
        sifted[level as usize] = variable;
    }
    Ok((sifted, functions.listing(&[root], budget)?))
}

impl Pass {
    /// Reuses rows, from the first node on, after their last read.
    fn give_back(&mut self, first_node: u32) {
        let mut last = vec![u32::MAX; self.rows];
        for (number, step) in (0..).zip(&self.steps) {
            for row in [step.variable, step.opposite, step.then, step.or] {
                last[row as usize] = number;
            }
        }
        last[self.root as usize] = u32::MAX;
        let mut new: Vec<u32> = (0..self.rows as u32).collect();
        let (mut free, mut rows) = (Vec::new(), first_node);
        for (number, step) in (0..).zip(&mut self.steps) {
            let mut read = [step.variable, step.opposite, step.then, step.or];
            [step.variable, step.opposite, step.then, step.or] = read.map(|row| new[row as usize]);
            read.sort_unstable();
            for (place, &row) in read.iter().enumerate() {
                let again = place > 0 && read[place - 1] == row;
                if row >= first_node && last[row as usize] == number && !again {
                    free.push(new[row as usize]);
                }
            }
            let into = free.pop().unwrap_or_else(|| {
                rows += 1;
                rows - 1
            });
            new[step.into as usize] = into;
            step.into = into;
        }
        self.root = new[self.root as usize];
        self.rows = rows as usize;
    }

    /// How many steps there are.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The probability of the whole, given those of the events.
    pub(crate) fn probability(&self, event: impl Fn(u32) -> Lanes, room: &mut Room) -> Lanes {
        room.rows.resize(self.rows, Row([0.0; LANES]));
        let rows = &mut room.rows[..];
        (rows[0], rows[1]) = (Row([0.0; LANES]), Row([1.0; LANES]));
        for &(number, row) in &self.events {
            rows[row as usize] = Row(event(number));
        }
        for step in &self.steps {
            let Row(p) = rows[step.variable as usize];
            let q = match step.opposite {
                ONE_LESS => p.map(|p| 1.0 - p),
                row => rows[row as usize].0,
            };
            let (Row(high), Row(low)) = (rows[step.then as usize], rows[step.or as usize]);
            let mut made = [0.0; LANES];
            for lane in 0..LANES {
                made[lane] = p[lane] * high[lane] + q[lane] * low[lane];
            }
            rows[step.into as usize] = Row(made);
        }
        rows[self.root as usize].0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::diagram::Sets;
    use crate::random::FaultTreeParameters;

    proptest! {
        /// A pass says what the diagrams say one number at a time, sifted for as long as it may
        /// take or not at all, and in fewer rows than there are nodes.
        #[test]
        fn passes(seed in 0_u64..1 << 20, events in 1_u32..40, passes in 0_u64..100, p in 0.0..0.5) {
            let parameters = FaultTreeParameters { events, gates: 30, arguments: 4, seed };
            let tree = parameters.tree().expect("it is sound");
            let budget = Budget::unlimited();
            let analysis = Analysis::of(&tree, Sets::Cuts, &budget);
            let mut room = Room::default();
            let pass = analysis.pass(passes * 1000, &budget).expect("no limit");
            prop_assert!(pass.rows <= 3 + analysis.variables().len() + pass.steps.len());
            if pass.steps.len() > 100 {
                prop_assert!(pass.rows < 2 + analysis.variables().len() + pass.steps.len() / 2);
            }
            let number = |event: u32, lane: usize| {
                let scale = (event as usize * LANES + lane) % 7 + 1;
                p * scale as f64 / 7.0
            };
            // The rows of one pass are there for the next.
            for _ in 0..2 {
                let found = pass.probability(|e| std::array::from_fn(|lane| number(e, lane)), &mut room);
                for (lane, found) in found.into_iter().enumerate() {
                    let events: Vec<f64> = (0..events).map(|event| number(event, lane)).collect();
                    let (expected, _) = analysis.probability(&events, &budget).expect("no limit");
                    prop_assert!((found - expected).abs() <= 1e-12 * expected + 1e-300, "{} {}", found, expected);
                }
            }
        }
    }
}
