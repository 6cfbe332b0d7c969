//! The heaviest set of layouts in which one strategy takes the tricks of an ending.
//!
//! Idea: a set is won by one strategy if it has no *core*, a few layouts that no strategy wins
//! together (`together.rs`). So the complement of the heaviest set is the lightest set of layouts
//! that hits all cores ([`hitting`](meetjoin_families::cores::hitting)). There are too many cores
//! to list, but few matter:
//!
//! 1. *Division.* The strategies with one card of declarer's first choice are a *way*: it has more
//!    cores, and smaller ones, than all ways have in common. If a defender leads, the choice is the
//!    one after the card which most layouts allow. The way with the highest bound is always
//!    searched next.
//! 2. *Ascent.* Begin with all layouts. As long as no strategy wins those that remain, find a core
//!    among them, shrink it until no single layout can be left out, and subtract from each of its
//!    layouts the least weight that one of them has left. Layouts with no weight left drop out.
//! 3. *Growth.* The remaining set is won. Add the heaviest layouts that complete no known core, and
//!    ask again. If the larger set is lost, there is a new core, and other layouts are tried.
//! 4. *Closing.* The lightest set that hits the known cores bounds what can be won. If its
//!    complement is won, it is the heaviest set. If not, there are new cores: the ascent goes on
//!    from there. If hitting sets take many nodes, the way is divided by its next choice.
//!
//! In parallel, with as much effort, a set grows (`heaviest/growth.rs`) that any way may win, so
//! that there is a good set early. When nothing can be added to it, heavier sets are sought near
//! the best (`heaviest/ways/neighbours.rs`), as long as that pays.
//!
//! At every moment the best set that was won and the greatest bound of the ways enclose the answer.
//!
//! *Equal cards.* Let two neighbours among the defenders' cards be exchangeable: declarer has none
//! between them, and layouts that differ in them alone weigh the same. If it did not matter which
//! of the two wins a trick to which both are played, some heaviest set would treat them alike.
//! Proof: let s be a strategy and t an order of the cards of such a kind. Play by s as if the cards
//! that West plays of the kind were the first of t, one after the other, and those that East plays
//! the last. Then, where West has w of them, it is as if he had the first w of t, whatever he plays
//! first, so the class of layouts with w is won if s wins that one. For a random t that is any
//! layout of the class with the same probability, so some t wins classes of no less weight than all
//! that s wins. Where ways are divided, play for each t is in one of them.
//!
//! It does matter if it decides which defender leads. So sets are won in the game where the
//! defenders decide such ties. If such a tie came up, each core is asked again in the game where
//! declarer decides: there she can play s and t as above, and name the winner that t names. Only
//! what is a core there too (a *strong* core) counts for the bound. If other cores are left at the
//! end, or if hitting sets take many nodes before, the bound is closed in the game where declarer
//! decides all ties, which may be far too high. A tie is West's or East's with equal probability,
//! so the average of the bounds of these two games is a bound too (`heaviest/ties.rs`). If that
//! still exceeds what was won, a search follows in which each card is a kind of its own. It begins
//! with the set that was won.
//!
//! Invariants: each core has been proven, whatever stops the search afterwards; the best set is
//! won.
//!
//! Cost: that of the questions; most are about two or three layouts. Endings of five tricks take
//! milliseconds, of eight from seconds to minutes. Without the division K962.AT opposite J43.643
//! (six cards, three tricks) takes more than ten seconds, and with it two.
//!
//! Sources: implicit hitting sets: Davies and Bacchus (2011); cores with what is left of weights:
//! Ansótegui, Bonet and Levy (2009); what makes a best strategy against best defence: Frank and
//! Basin (1998), Ginsberg (2001).

mod found;
mod growth;
mod ties;
mod ways;

use meetjoin_lattice::{Budget, Stop, WorldSet};

use super::game::{Ending, EndingGame, EndingPosition};
use super::plan::Plan;
use super::subgame::Whole;
use super::together::Together;
use super::values::AllSeen;
use found::Search;
use ways::{Gives, Hunt, Way};

pub use found::{
    EndingChoice, EndingFirstTie, EndingHeaviest, EndingOrders, EndingReasons, EndingWatch,
    EndingWay,
};

/// Searches of games by ties end when the total effort is this many times that before them.
const MOST_TIMES: u64 = 16;

/// The heaviest set from a position on. `watch` is told the bounds of its weight when they change.
pub fn heaviest_of_ending<B: WorldSet>(
    game: &EndingGame<'_>,
    position: &EndingPosition,
    budget: &Budget,
    watch: &mut EndingWatch<'_>,
) -> EndingHeaviest<B> {
    planned(game, position, budget, watch).0
}

/// Like [`heaviest_of_ending`], with a strategy for the set if the position is the root.
pub(super) fn planned<'a, B: WorldSet>(
    game: &EndingGame<'_>,
    position: &EndingPosition,
    budget: &'a Budget,
    watch: &mut EndingWatch<'_>,
) -> (EndingHeaviest<B>, Option<Plan<'a>>) {
    let ending = game.ending();
    let rules = AllSeen::new(ending).rules;
    let whole = Whole::new(game, position, &rules);
    let mut search = Search::new(ending, &whole, budget, watch);
    let kinds = whole.widest_kinds(&rules);
    let searched = if kinds == whole.shape.kinds {
        search.alone(&whole, ending)
    } else {
        let merged = whole.in_kinds(kinds);
        search.in_kinds(&merged, ending).and_then(|()| {
            if search.is_closed() {
                return Ok(());
            }
            search.alone(&whole, ending)
        })
    };
    search.found.stop = searched.err();
    (search.found, search.plan)
}

impl<B: WorldSet> Search<'_, '_, '_, B> {
    /// The search in which each card is a kind of its own.
    fn alone(&mut self, whole: &Whole, ending: &Ending) -> Result<(), Stop> {
        let layouts = whole.layouts.iter().map(|layout| layout.west);
        let seen = AllSeen::with_ties(ending, false);
        let mut together = Together::new(whole.shape, layouts, seen, self.budget);
        let before = self.found.set.as_ref().map(|_| self.found.weight);
        let ways = vec![Way::all(whole)];
        let closed = Hunt::new(self, whole, (&mut together, None), ways, Gives::Both).close();
        let after = self.found.set.as_ref().map(|_| self.found.weight);
        if after > before {
            self.plan = Some(Plan {
                together,
                kinds: whole.shape.kinds,
            });
        }
        closed
    }

    /// The search in which exchangeable cards are one kind.
    fn in_kinds(&mut self, whole: &Whole, ending: &Ending) -> Result<(), Stop> {
        let budget = self.budget;
        let table = |ties_to_declarer| {
            let layouts = whole.layouts.iter().map(|layout| layout.west);
            let seen = AllSeen::with_ties(ending, ties_to_declarer);
            Together::new(whole.shape, layouts, seen, budget)
        };
        let (mut worst, mut best) = (table(false), table(true));
        let (ways, tables) = (vec![Way::all(whole)], (&mut worst, Some(&mut best)));
        let mut hunt = Hunt::new(self, whole, tables, ways, Gives::Both);
        let closed = hunt.close();
        let ways = hunt.ways;
        self.plan = Some(Plan {
            together: worst,
            kinds: whole.shape.kinds,
        });
        closed?;
        if self.is_closed() {
            return Ok(());
        }
        let strong = ways.iter().map(Way::strong).collect();
        let until = best.effort().saturating_mul(MOST_TIMES);
        self.agree(whole, &mut best, strong, until)
    }
}
