//! Random fault trees: coherent, with shared gates and events.
//!
//! Gate 0 is the top. Every other gate j is an argument of one gate drawn from the up to eight
//! before it, so all gates matter. Then each gate gets one to `arguments` more arguments: with
//! probability 1/6 one of the up to eight gates after it, else an event; an argument that it has
//! already is left out. A gate of one argument gets the event with its own number, modulo their
//! count. A gate is AND or OR with equal probability, and one in eight with three arguments or more
//! is "at least k", with k drawn from 2 to one less than the arguments.
//!
//! Draw order, from `ChaCha8Rng::seed_from_u64(seed)`: for each gate from 1 on `random_range` of
//! its first parent; then gate by gate `random_range(1..=arguments)` and for each such argument
//! `random_range(0..6)` and, where there is a gate after it and 0 was drawn, `random_range` of it,
//! else `random_range(0..events)`; then `random_range(0..16)` for the connective and, if it is "at
//! least", `random_range` of k; last for each event `random_range(0..7)`, the place of its
//! probability among 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001.

use crate::tree::FaultTree;
use crate::tree::{Argument, BasicEvent, Connective, Gate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a random fault tree is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultTreeParameters {
    /// Basic events, at least 1.
    pub events: u32,
    /// Gates, at least 1.
    pub gates: u32,
    /// The most arguments that are drawn for a gate, at least 1.
    pub arguments: u32,
    /// Seed of the generator.
    pub seed: u64,
}

/// Parameters that make no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a fault tree has at least 1 event, 1 gate and 1 argument for each, and at most {MOST} of each"
)]
pub struct NoFaultTree;

/// The most events, gates and arguments.
const MOST: u32 = 1 << 24;
/// How far apart a gate and its gate arguments are at most.
const NEAR: u32 = 8;
const PROBABILITIES: [f64; 7] = [0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

impl FaultTreeParameters {
    /// Checks the parameters without drawing the tree.
    ///
    /// # Errors
    /// If they make none.
    pub fn check(&self) -> Result<(), NoFaultTree> {
        let fits = |number| (1..=MOST).contains(&number);
        (fits(self.events) && fits(self.gates) && fits(self.arguments))
            .then_some(())
            .ok_or(NoFaultTree)
    }

    /// Draws the tree.
    ///
    /// # Errors
    /// If the parameters make none.
    pub fn tree(&self) -> Result<FaultTree, NoFaultTree> {
        self.check()?;
        let &Self {
            events,
            gates,
            arguments,
            seed,
        } = self;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut drawn: Vec<Vec<Argument>> = vec![Vec::new(); gates as usize];
        for gate in 1..gates {
            let parent = random.random_range(gate.saturating_sub(NEAR)..gate);
            drawn[parent as usize].push(Argument::Gate(gate));
        }
        let mut made = Vec::with_capacity(drawn.len());
        for (number, mut of_gate) in (0..gates).zip(drawn) {
            for _ in 0..random.random_range(1..=arguments) {
                let after = number + 1..gates.min(number + 1 + NEAR);
                let argument = if random.random_range(0..6) == 0 && !after.is_empty() {
                    Argument::Gate(random.random_range(after))
                } else {
                    Argument::Event(random.random_range(0..events))
                };
                if !of_gate.contains(&argument) {
                    of_gate.push(argument);
                }
            }
            let own = Argument::Event(number % events);
            if of_gate.len() == 1 && of_gate[0] != own {
                of_gate.push(own);
            }
            let count = of_gate.len() as u32;
            let connective = match random.random_range(0..16) {
                0 | 1 if count >= 3 => Connective::AtLeast(random.random_range(2..count)),
                kind if kind % 2 == 0 => Connective::And,
                _ => Connective::Or,
            };
            let name = Some(format!("g{number}"));
            made.push(Gate {
                name,
                connective,
                arguments: of_gate,
            });
        }
        let event = |number: u32| BasicEvent {
            name: format!("e{number}"),
            probability: Some(PROBABILITIES[random.random_range(0..PROBABILITIES.len())]),
        };
        let events = (0..events).map(event).collect();
        let tree = FaultTree::new(made, events, Argument::Gate(0));
        Ok(tree.unwrap_or_else(|error| unreachable!("arguments come after gates: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_tree() {
        let parameters = FaultTreeParameters {
            events: 30,
            gates: 40,
            arguments: 4,
            seed: 7,
        };
        let tree = parameters.tree().expect("a tree");
        assert_eq!(parameters.tree(), Ok(tree.clone()));
        assert_eq!((tree.gates().len(), tree.events().len()), (40, 30));
        assert!(tree.gates().iter().all(|gate| !gate.arguments.is_empty()));
        // Golden: what the draw order says.
        let first: Vec<usize> = tree
            .gates()
            .iter()
            .take(5)
            .map(|gate| gate.arguments.len())
            .collect();
        assert_eq!(first, [6, 6, 4, 2, 3]);
        assert_eq!(
            FaultTreeParameters {
                events: 0,
                ..parameters
            }
            .tree(),
            Err(NoFaultTree)
        );
    }
}
