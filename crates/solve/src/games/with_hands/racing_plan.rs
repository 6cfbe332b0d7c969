//! Plans of racing: how MAX beats a set of hands, in as few positions as say it.
//!
//! Idea: MIN's cards between the same cards of MAX are one reply, and a plan ends where nothing
//! that anybody plays can change who wins. If one strategy beats the hands in question only by
//! telling such cards apart, the plan names all cards.

use meetjoin_dag::{AndOrDag, Kind, Valuation as _};
use meetjoin_games::racing::{
    Decided, OneStrategy, Racing, RacingClasses, RacingFamilies, RacingPlans, RacingPosition,
};
use meetjoin_lattice::{Budget, FixedBitSet, Stop};
use meetjoin_search::Tables;
use meetjoin_search::strategy::{Ends, Guarantees, Strategy, strategy};

use crate::answers::request::Refused;
use crate::nodes::plan::{Follow, StrategyNode};
use crate::searching::subject::position_name;

/// The positions of a plan that beats all of these hands, which are places in [`Racing::worlds`];
/// `None` if no plan does. Without `stated` nothing is taken from what the rules say of positions.
pub(crate) fn plan(
    game: &Racing,
    hands: &[usize],
    stated: bool,
    budget: &Budget,
) -> Result<Option<Vec<StrategyNode>>, Refused> {
    let classes = RacingClasses::new(game);
    let of_classes = classes.families().map_err(Refused::problem)?;
    let mut asked = FixedBitSet::with_capacity(classes.counts().len());
    let mut held = 0;
    for hand in hands.iter().filter_map(|hand| game.world(*hand)) {
        asked.insert(classes.class(hand));
        held |= hand;
    }
    let plans = RacingPlans::new(game, &classes);
    if let Some(found) = beating(&plans, &of_classes, asked, stated, budget)? {
        let cards = |from: &RacingPosition, to: &RacingPosition| plans.cards(from, to, held);
        return Ok(Some(by_cards(&plans, &found, cards)));
    }
    let of_hands = RacingFamilies::new(game).map_err(Refused::problem)?;
    let mut asked = FixedBitSet::with_capacity(game.world_count() as usize);
    asked.extend(hands.iter().copied());
    let found = beating(game, &of_hands, asked, stated, budget)?;
    let card = |from: &RacingPosition, to: &RacingPosition| {
        let card = game.played(from, to);
        card.into_iter().collect()
    };
    Ok(found.map(|found| by_cards(game, &found, card)))
}

/// A strategy that wins all of these worlds.
fn beating(
    dag: &dyn AndOrDag<Node = RacingPosition>,
    values: &RacingFamilies<'_, FixedBitSet>,
    asked: FixedBitSet,
    stated: bool,
    budget: &Budget,
) -> Result<Option<Strategy<RacingPosition>>, Refused> {
    let sets = values.as_sets();
    let families = values.lattice();
    let claim = families.principal(asked.clone());
    let known = stated.then(|| OneStrategy::new(sets, asked.clone()));
    let mut guarantees = Guarantees::with_answers(&dag, values, claim.clone(), known, &Tables);
    let mut ends = End(Decided::new(sets, asked));
    let stopped = |stop: Stop| Refused::Problem(format!("no strategy was found: {stop}"));
    let found = strategy(&dag, &mut guarantees, &mut ends, budget).map_err(stopped)?;
    if let Some(found) = &found {
        found
            .check_until(&dag, values, &claim, &mut ends)
            .map_err(|error| {
                Refused::Problem(format!(
                    "what the rules say of its positions is not true: {error}"
                ))
            })?;
    }
    Ok(found)
}

/// Where a plan ends.
struct End<'a>(Decided<'a, FixedBitSet>);

impl Ends<RacingPosition> for End<'_> {
    fn is_decided(&mut self, position: &RacingPosition) -> bool {
        self.0.is_won(position)
    }

    fn is_reached(&mut self, position: &RacingPosition) -> bool {
        self.0.is_possible(position)
    }
}

/// The positions of a strategy, where a move is any of some cards.
fn by_cards<D: AndOrDag<Node = RacingPosition>>(
    dag: &D,
    found: &Strategy<RacingPosition>,
    cards: impl Fn(&RacingPosition, &RacingPosition) -> Vec<u8>,
) -> Vec<StrategyNode> {
    let nodes = found.nodes();
    let shown = nodes.iter().map(|(node, next)| {
        let follow = |to: usize| {
            let cards = cards(node, &nodes[to].0).into_iter();
            cards.map(move |card| Follow {
                by: card.to_string(),
                rank: Some(card),
                to,
            })
        };
        let kind = dag.kind(node);
        StrategyNode {
            name: position_name(dag, node),
            kind,
            is_own: kind == Kind::Or,
            next: next.iter().flat_map(|to| follow(*to)).collect(),
        }
    });
    shown.collect()
}
