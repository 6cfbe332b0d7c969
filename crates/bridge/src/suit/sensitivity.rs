//! How sure a line is: for which vacant places it stays the best, and what the best of the other
//! first leads is worth.
//!
//! Problem: each of these is a search of its own, and some of them take longer than the answer.
//!
//! Idea: whether a line stays the best is one question, "is any set of layouts heavier than those
//! of the line?", and a search that has to answer nothing else ends with the first such set, or
//! with the first threshold. The other first leads are one game, in which the line's own is
//! forbidden; then the first lead is looked for that wins one of its heaviest sets.

pub(super) mod vacant_places;

use std::cmp::Reverse;

use crate::play::{Card, Hand, Knowledge, Move, SeenCards, SuitGame};
use meetjoin_dag::{AndOrDag, Stakes, Valuation};
use meetjoin_families::heaviest::Wanted;
use meetjoin_lattice::{Words, WorldSet};
use meetjoin_search::Tables;
use meetjoin_search::strategy::Guarantees;

use super::answer::{FirstLead, Line, Range, Sure};
use super::{Goal, Solver};

/// The visits after which the range of vacant places is searched no further; the answer then says
/// so.
pub(super) const MOST_VISITS_TO_BE_SURE: u64 = 50_000;

impl Solver<'_> {
    /// How far the vacant places of a defender can change until a line for `tricks` tricks is no
    /// longer the best, and the second-best first lead.
    pub fn sure(&mut self, line: &Line, tricks: u8) -> Sure {
        let visits = self.budget.visits_made();
        let mut looked = |west: bool| {
            let (a, b) = self.suit.knowledge().places;
            let places = |here: u8| if west { (here, b) } else { (a, here) };
            let own = if west { a } else { b };
            let mut range = Range {
                from: own,
                to: own,
                is_known: true,
            };
            for down in [true, false] {
                let mut here = own;
                loop {
                    let next = if down {
                        here.checked_sub(1)
                    } else {
                        Some(here + 1).filter(|here| *here <= 13)
                    };
                    let Some(next) = next else {
                        break;
                    };
                    if self.budget.visits_made() - visits > MOST_VISITS_TO_BE_SURE {
                        range.is_known = false;
                        break;
                    }
                    match self.is_best_with(line, tricks, places(next)) {
                        Some(true) => {}
                        Some(false) => break,
                        None => {
                            range.is_known = false;
                            break;
                        }
                    }
                    here = next;
                }
                if down {
                    range.from = here;
                } else {
                    range.to = here;
                }
            }
            range
        };
        let (west, east) = (looked(true), looked(false));
        let second = self.second(line, Goal::Tricks(tricks));
        Sure { west, east, second }
    }

    /// Whether a line has the greatest chance with other vacant places too; `None` if the search
    /// was stopped.
    fn is_best_with(&mut self, line: &Line, tricks: u8, places: (u8, u8)) -> Option<bool> {
        let knowledge = Knowledge {
            places,
            ..self.suit.knowledge().clone()
        };
        let Ok(suit) = self.suit.with(knowledge) else {
            return Some(false);
        };
        let known = self.suit.layouts();
        let mut reached = 0;
        for layout in suit.layouts() {
            let place = known.iter().position(|other| other.west == layout.west);
            // The line's result in a layout that was impossible is not known.
            let Some(place) = place else {
                return Some(false);
            };
            if line.guarantees[place] >= tricks {
                reached += layout.weight;
            }
        }
        let wanted = Wanted {
            more_than: Some(reached),
            ..Wanted::most(1)
        };
        let goal = Goal::Tricks(tricks);
        let better = self.elsewhere(&suit, |solver| solver.greatest_of(goal, wanted));
        match better.stop {
            _ if better.weight > reached => Some(false),
            None => Some(true),
            Some(_) => None,
        }
    }

    /// The first of [`leads`](Self::leads) with which a line does not begin. What the others are
    /// worth is found out by one search without that lead: leads that are worse are never known in
    /// full.
    fn second(&mut self, line: &Line, goal: Goal) -> Option<FirstLead> {
        let Some((hand, card)) = line.tree.lead() else {
            return self.leads(goal).into_iter().next();
        };
        let game = Self::game(self.suit, goal).without_lead(hand, card);
        let mut leads = self.first_leads();
        leads.sort_unstable_by_key(|(hand, card, _)| (*hand, Reverse(*card)));
        let own = (hand, game.first_place(hand, card));
        let places = leads.into_iter().map(|(hand, card, _)| {
            let place = game.first_place(hand, card);
            (hand, card, place)
        });
        let leads: Vec<(Hand, Card, Card)> = places
            .filter(|(hand, _, place)| (*hand, *place) != own)
            .collect();
        if leads.is_empty() {
            return None;
        }
        let stakes = self.table.stakes(&game);
        with_sets_for!(stakes, B => self.best_lead::<B>(&game, &stakes, goal, &leads))
    }

    /// The first of several leads, with their places, that is as good as any.
    fn best_lead<B: WorldSet>(
        &mut self,
        game: &SuitGame<'_>,
        stakes: &Stakes,
        goal: Goal,
        leads: &[(Hand, Card, Card)],
    ) -> Option<FirstLead> {
        let values = Self::families::<B>(game, stakes);
        let found = self.heaviest(&values, |_, weight| weight, 1);
        let mut best = None;
        'found: for lead in leads {
            let after = game.after(&game.root(), Move::Play(lead.0, lead.2));
            for set in &found.sets {
                let claim = values.lattice().principal(set.clone());
                let known = SeenCards::new((&values, &mut self.table));
                let mut guarantees = Guarantees::new(game, &values, claim, known, &Tables);
                if guarantees.holds(&after, self.budget) == Ok(true) {
                    best = Some(lead);
                    break 'found;
                }
            }
        }
        let mut chance = self.chance(goal, &found);
        if best.is_none() && chance.weight > 0 {
            // A limit fired before it was known which lead it is that comes to this.
            chance.weight = 0;
            chance.stop = chance.stop.or(self.budget.fired());
        }
        let (hand, card, _) = *best.or(leads.first())?;
        Some(FirstLead { hand, card, chance })
    }
}
