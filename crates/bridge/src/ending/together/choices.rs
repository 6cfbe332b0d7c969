//! Choices of declarer that are fixed: what is known of an ending where she may not choose.
//!
//! Idea: a root stands for all strategies. Where one of declarer's choices is fixed, there is
//! another root for those that are left: a copy of the shapes on the way from the root to the
//! choice, which has one step there. A core of all strategies is a core of these, so cores are
//! copied too. After the choice all roots share the shapes.
//!
//! Cost: a copy for each choice, and the shapes before it.

use meetjoin_lattice::Stop;

use super::{Layouts, Target, Together};

/// The number of a layout, and its weight.
pub(in crate::ending) type Heavy = (u32, u64);

/// The root where nothing is fixed.
pub(in crate::ending) const ALL: usize = 0;

/// A choice of declarer: the steps that lead to it from a root, by their numbers, and how many
/// steps she can choose from.
#[derive(Clone, Debug)]
pub(in crate::ending) struct Choice {
    pub(in crate::ending) way: Vec<usize>,
    pub(in crate::ending) count: usize,
}

/// The steps that lead to a place, and the layouts that can reach it.
struct Place {
    weight: u64,
    way: Vec<usize>,
    shape: usize,
    layouts: Vec<Heavy>,
}

impl Together<'_> {
    /// The choice of declarer after a root that the greatest weight of these layouts reaches. None
    /// if each is fixed, or comes in a later trick after equal cards.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(in crate::ending) fn choice(
        &mut self,
        root: usize,
        layouts: &[Heavy],
    ) -> Result<Option<Choice>, Stop> {
        let place = |way, shape, layouts: Vec<Heavy>| Place {
            weight: layouts.iter().map(|(_, weight)| weight).sum(),
            way,
            shape,
            layouts,
        };
        let mut open = vec![place(Vec::new(), root, layouts.to_vec())];
        loop {
            let all = open.iter().enumerate();
            let heaviest = all.max_by_key(|(number, place)| (place.weight, usize::MAX - number));
            let Some((number, _)) = heaviest else {
                return Ok(None);
            };
            let Place {
                way,
                shape,
                layouts,
                ..
            } = open.swap_remove(number);
            self.budget.steps(1 + layouts.len() as u64)?;
            let known = &self.shapes[shape];
            if layouts.len() <= 1 || known.shape.wanted == 0 || known.shape.trick.is_over() {
                continue;
            }
            let count = self.edges(shape);
            if self.shapes[shape].is_declarers && count > 1 {
                return Ok(Some(Choice { way, count }));
            }
            let numbers: Layouts = layouts.iter().map(|(layout, _)| *layout).collect();
            for edge in 0..count {
                let after = self.all_after(shape, edge, &numbers);
                let mut weights = layouts.iter();
                let allowed = after.before.iter().zip(&after.numbers);
                let allowed = allowed.filter_map(|(before, number)| {
                    let (_, weight) = weights.find(|(layout, _)| layout == before)?;
                    Some((*number, *weight))
                });
                let allowed = allowed.collect();
                open.push(place([&way[..], &[edge]].concat(), after.shape, allowed));
            }
        }
    }

    /// A new root in which the choice that these steps lead to is fixed to one step.
    pub(in crate::ending) fn fixed(&mut self, root: usize, way: &[usize], step: usize) -> usize {
        self.edges(root);
        let mut copy = self.shapes[root].clone();
        copy.layouts.forget();
        if let Some(kept) = &mut copy.kept {
            kept.won.clear();
        }
        copy.is_fixed = true;
        let number = self.shapes.len();
        self.shapes.push(copy);
        match way {
            [] => {
                let known = &mut self.shapes[number];
                known.edges = known
                    .edges
                    .take()
                    .map(|mut edges| vec![edges.swap_remove(step)]);
                known.decided = 0;
            }
            [first, rest @ ..] => {
                if let Some(to) = self.target(root, *first) {
                    let to = self.fixed(to, rest, step);
                    if let Some(edge) = self.shapes[number].edge(*first) {
                        edge.to = Target::Known(to);
                    }
                }
            }
        }
        number
    }

    /// The steps to a choice, and the one that is fixed, as cards at the root: those of a kind, or
    /// of declarer's that are equal there.
    pub(in crate::ending) fn cards(&mut self, root: usize, way: &[usize], step: usize) -> Vec<u32> {
        let mut names: Vec<u32> = (0..u32::BITS).map(|card| 1 << card).collect();
        let mut found = Vec::new();
        let mut shape = root;
        for edge in way.iter().chain([&step]) {
            self.edges(shape);
            let to = self.target(shape, *edge);
            let known = &self.shapes[shape];
            let (Some(to), Some(edges)) = (to, &known.edges) else {
                break;
            };
            let step = &edges[*edge].step;
            let cards = known.shape.equal(step, self.rules());
            let named = (0..u32::BITS).filter(|card| cards >> card & 1 == 1);
            found.push(named.map(|card| names[card as usize]).sum());
            for above in step.gone {
                let above = (0..u32::BITS).filter(|card| above >> card & 1 == 1);
                above.for_each(|card| names[card as usize - 1] = names[card as usize]);
            }
            shape = to;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::game::{Ending, EndingGame};
    use super::super::super::subgame::Whole;
    use super::super::super::values::AllSeen;
    use super::*;
    use crate::play::{Deal, Seat};
    use meetjoin_dag::AndOrDag;
    use meetjoin_lattice::Budget;

    #[test]
    fn what_is_won_is_won_with_one_card_of_each_choice() -> Result<(), Box<dyn std::error::Error>> {
        let deals = [
            "N:AJ2.A.. Q98.3.. KT3.2.. 765.4..",
            "N:KJ8.6.. AQ9.A.. T42.5.. 753.K..",
            "N:AQ.4.3. K7.6.9. 53.A.8. J9.K.T.",
        ];
        let budget = Budget::unlimited();
        let (mut choices, mut won) = (0, [0, 0]);
        let leaders = [Seat::South, Seat::West];
        let all = deals
            .iter()
            .flat_map(|deal| (1..=3).map(move |tricks| (deal, tricks)));
        let all = all.flat_map(|(deal, tricks)| leaders.map(|leader| (deal, tricks, leader)));
        for (deal, tricks, leader) in all {
            let deal = Deal::of_pbn(&format!("[Deal \"{deal}\"]"))?;
            let ending = Ending::new(&deal, Seat::South, leader, None, |_| 1)?;
            let game = EndingGame::new(&ending, tricks);
            let seen = AllSeen::with_ties(&ending, false);
            let whole = Whole::new(&game, &game.root(), &seen.rules);
            let layouts = whole.layouts.iter().map(|layout| layout.west);
            let mut together = Together::new(whole.shape, layouts, seen, &budget);
            let count = whole.layouts.len() as u32;
            let heavy: Vec<Heavy> = (0..count).map(|layout| (layout, 1)).collect();
            // Divided again and again: the last of the roots each time.
            let mut roots = vec![ALL];
            for _ in 0..4 {
                let Some(root) = roots.pop() else { break };
                let Some(Choice { way, count }) = together.choice(root, &heavy)? else {
                    roots.push(root);
                    break;
                };
                choices += 1;
                roots.extend((0..count).map(|step| together.fixed(root, &way, step)));
            }
            let mut state = 1_u64;
            for _ in 0..60 {
                let some: Layouts = (0..count)
                    .filter(|layout| {
                        state =
                            state.wrapping_mul(6_364_136_223_846_793_005) + 1 + u64::from(*layout);
                        state >> 61 == 0
                    })
                    .collect();
                let mut by_one = false;
                for root in &roots {
                    let core = together.core(*root, &some)?;
                    if let Some(core) = &core {
                        assert!(core.iter().all(|layout| some.contains(layout)));
                    }
                    by_one |= core.is_none();
                }
                assert_eq!(
                    together.core(ALL, &some)?.is_none(),
                    by_one,
                    "{deal:?} {some:?}"
                );
                won[usize::from(by_one)] += 1;
            }
        }
        assert!(
            choices > 40 && won.iter().all(|count| *count > 100),
            "{choices} {won:?}"
        );
        Ok(())
    }
}
