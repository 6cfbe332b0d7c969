//! Plans of racing: short strategies by which MAX beats a set of hands.
//!
//! Idea: MIN's cards between the same two cards of MAX count as one reply, and a plan ends where no
//! card can change who wins. If a strategy for these hands must distinguish such cards, the plan
//! names all cards.

use meetjoin_dag::Valuation as _;
use meetjoin_dag::{AndOrDag as _, HiddenFamilies, HiddenGame as _, Kind, Played, Stakes};
use meetjoin_games::racing::{Decided, OneStrategy, Racing, RacingHands, RacingPosition};
use meetjoin_lattice::{Budget, FixedBitSet, Stop};
use meetjoin_search::Tables;
use meetjoin_search::strategy::{Ends, Guarantees, strategy};
use meetjoin_solve::plan::{Follow, StrategyNode};
use meetjoin_solve::request::Refused;
use meetjoin_solve::subject::position_name;

/// The positions of a plan that beats all of these hands, given by indices into [`Racing::worlds`];
/// `None` if there is none. Without `stated` no bounds from the rules are used.
pub(crate) fn plan(
    deal: &Racing,
    hands: &[usize],
    stated: bool,
    budget: &Budget,
) -> Result<Option<Vec<StrategyNode>>, Refused> {
    let hands: Vec<u64> = hands.iter().filter_map(|hand| deal.world(*hand)).collect();
    let by_classes = RacingHands::classes(deal).with_named_cards();
    if let Some(found) = beating(&by_classes, &hands, stated, budget)? {
        return Ok(Some(found));
    }
    beating(&RacingHands::new(deal), &hands, stated, budget)
}

/// A strategy that beats all of these hands.
fn beating(
    game: &RacingHands,
    hands: &[u64],
    stated: bool,
    budget: &Budget,
) -> Result<Option<Vec<StrategyNode>>, Refused> {
    let stakes = Stakes::all(game);
    let values = HiddenFamilies::new(game, &stakes).map_err(Refused::problem)?;
    let (dag, sets) = (Played(game), values.as_sets());
    let mut asked = FixedBitSet::with_capacity(game.worlds());
    asked.extend(hands.iter().map(|hand| game.class(*hand)));
    let claim = values.lattice().principal(asked.clone());
    let known = stated.then(|| OneStrategy::new(sets, asked.clone()));
    let mut guarantees = Guarantees::with_answers(&dag, &values, claim.clone(), known, &Tables);
    let mut ends = End(Decided::new(sets, asked));
    let stopped = |stop: Stop| Refused::Problem(format!("no strategy was found: {stop}"));
    let Some(found) = strategy(&dag, &mut guarantees, &mut ends, budget).map_err(stopped)? else {
        return Ok(None);
    };
    let is_true = found.check_until(&dag, &values, &claim, &mut ends);
    is_true.map_err(|error| {
        Refused::Problem(format!(
            "what the rules say of its positions is not true: {error}"
        ))
    })?;
    let (nodes, held) = (
        found.nodes(),
        hands.iter().fold(0, |held, hand| held | hand),
    );
    let shown = nodes.iter().map(|(node, next)| {
        let follow = |to: usize| {
            let cards = game.cards(node, &nodes[to].0, held).into_iter();
            cards.map(move |card| Follow {
                by: card.to_string(),
                rank: Some(card),
                to,
            })
        };
        let kind = dag.kind(node);
        StrategyNode {
            name: position_name(&dag, node),
            kind,
            is_own: kind == Kind::Or,
            next: next.iter().flat_map(|to| follow(*to)).collect(),
        }
    });
    Ok(Some(shown.collect()))
}

/// Decides where a plan ends.
struct End<'a>(Decided<'a, FixedBitSet>);

impl Ends<RacingPosition> for End<'_> {
    fn is_decided(&mut self, position: &RacingPosition) -> bool {
        self.0.is_won(position)
    }

    fn is_reached(&mut self, position: &RacingPosition) -> bool {
        self.0.is_possible(position)
    }
}
