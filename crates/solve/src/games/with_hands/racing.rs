//! Racing: positions are searched as the rules give them, and values are shown as hands of MIN.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;

use clap::Args;
use meetjoin_dag::{AndOrDag, Graph, Kind, Problem, Valuation};
use meetjoin_games::Numbered;
use meetjoin_games::racing::{
    NoValues, OfWorlds, PerfectInformation, Racing, RacingClasses, RacingFamilies, RacingPosition,
    RacingSets,
};
use meetjoin_lattice::{
    AnyLattice, Budget, ElemOf, FixedBitSet, Stop, TooManyWorlds, Weights, Words, WorldSet,
};
use meetjoin_search::alpha_mu::to_depth;
use meetjoin_search::method::{Algorithm, Method, Needs};
use meetjoin_search::{Tables, Visited};
use serde::{Deserialize, Serialize};

use super::hands::{Hands, hand_text};
use super::racing_nodes::{layered, see_deal};
use super::racing_plan::plan;
use crate::answers::answer::{Answer, Facts, NodeText};
use crate::answers::levels;
use crate::answers::request::{CountNodes, PositionCache, Refused, Request};
use crate::answers::value::{Names, Value};
use crate::asked::heaviest::{self, Heaviest, HeaviestRequest};
use crate::asked::prove::{Claim, Proved};
use crate::games::words::SetLattice;
use crate::instances::game::{
    Game, Made, compact, expand, given, lattice_key, positions, sentence,
};
use crate::instances::instance::Instance;
use crate::nodes::layered::Layered;
use crate::nodes::view::Nodes;
use crate::searching::compiled::{Both, Compiled, Engines, Published};
use crate::searching::run;
use crate::searching::subject::{Subject, children_of, no_position, position_name};

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct RacingArgs {
    /// The deck has the cards 1..D.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub deck: u8,

    /// How many tricks win.
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub goal: u8,

    /// MAX's cards, separated by commas.
    #[arg(
        long,
        value_name = "CARDS",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    #[serde(deserialize_with = "given")]
    pub hand: Option<Vec<u8>>,

    /// The card that MIN leads.
    #[arg(long, value_name = "CARD", allow_negative_numbers = true)]
    #[serde(deserialize_with = "given")]
    pub lead: Option<u8>,

    /// Draw a hand of so many cards, and a lead, instead of naming them.
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    #[serde(skip)]
    pub hand_size: Option<u8>,

    /// Seed of that draw.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[serde(skip)]
    pub seed: Option<u64>,

    /// Where the values live.
    #[arg(long, value_enum)]
    #[serde(with = "lattice_key")]
    pub lattice: SetLattice,
}

/// The most hands of MIN that the command lists: a value has a bit for each.
const MOST_WORLDS: u64 = 1 << 24;

/// A deal, and where its values live.
#[derive(Clone)]
struct RacingGame {
    game: Racing,
    lattice: SetLattice,
}

/// The deal of its arguments. One with more worlds than anybody wants to list is refused.
pub(crate) fn deal(args: &RacingArgs) -> Result<Racing, String> {
    let RacingArgs { deck, goal, .. } = *args;
    let game = match (&args.hand, args.lead, args.hand_size, args.seed) {
        (Some(hand), Some(lead), None, None) => Racing::new(deck, goal, hand, lead),
        (None, None, Some(size), Some(seed)) => Racing::random(deck, goal, size, seed),
        _ => {
            let pairs = "give either --hand and --lead, or --hand-size and --seed";
            return Err(pairs.to_owned());
        }
    };
    let game = game.map_err(sentence)?;
    let worlds = game.world_count();
    if worlds > MOST_WORLDS {
        return Err(format!(
            "MIN may hold {worlds} hands in this deal, more than {MOST_WORLDS}"
        ));
    }
    Ok(game)
}

/// The game of its arguments.
pub(crate) fn made(args: &RacingArgs) -> Made {
    let lattice = args.lattice;
    Ok(Box::new(RacingGame {
        game: deal(args)?,
        lattice,
    }))
}

impl RacingGame {
    /// The heaviest sets with a plan for the first, if it is wanted and there is time.
    fn planned(
        &self,
        mut found: Heaviest,
        wanted: bool,
        budget: &Budget,
        hands: impl Fn(&[usize]) -> Vec<usize>,
    ) -> Heaviest {
        if let (true, Some((_, Value::Sets { sets, .. }))) = (wanted, found.sets.first()) {
            let hands = hands(sets.first().map_or(&[], Vec::as_slice));
            found.strategy = plan(&self.game, &hands, true, budget).ok().flatten();
        }
        found
    }

    /// All positions, breadth-first.
    fn expanded(&self) -> Result<(Graph, Vec<RacingPosition>), String> {
        let all = expand(&self.game, usize::MAX)?;
        Ok(all.unwrap_or_else(|| unreachable!("there are not so many nodes")))
    }
}

/// A deal ready to be searched.
pub fn racing(game: Racing, lattice: SetLattice) -> Box<dyn Instance> {
    Box::new(RacingGame { game, lattice })
}

impl Game for RacingGame {
    fn compact(&self) -> String {
        let game = &self.game;
        let mut hand = game.hand().to_vec();
        hand.sort_unstable();
        let keys = RacingArgs {
            deck: game.deck(),
            goal: game.goal(),
            hand: Some(hand),
            lead: Some(game.lead()),
            hand_size: None,
            seed: None,
            lattice: self.lattice,
        };
        compact("racing", &keys)
    }

    fn layered(&self) -> Result<Arc<dyn Layered>, Refused> {
        layered(self.game.clone(), self.lattice)
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(self.expanded()?.0)
    }

    /// Nodes are named by their positions, worlds by the hands.
    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        let game = &self.game;
        let (graph, all) = self.expanded()?;
        let hands = game.hands();
        let lattice = self.lattice.over(hands.len());
        let sets = RacingSets::<FixedBitSet>::new(game).map_err(sentence)?;
        let leaves = all.iter().filter(|p| game.kind(p) == Kind::Leaf);
        let values = leaves.filter_map(|leaf| lattice.set(WorldSet::ones(&sets.leaf(leaf))));
        let values = values.collect();
        let problem = Problem::new(graph, positions(game, &all), lattice, values);
        let worlds = hands.iter().map(|hand| hand_text(hand)).collect();
        Ok(problem.map_err(sentence)?.with_worlds(Some(worlds)))
    }

    /// By the rules: no graph is made.
    fn instance(&self) -> Result<Box<dyn Instance>, Refused> {
        Ok(racing(self.game.clone(), self.lattice))
    }
}

/// The values of a deal. If a limit is reached before there are any, the answer is what is known
/// without them.
macro_rules! made {
    ($values:ty, $game:expr, $request:expr) => {
        match <$values>::within($game, $request.budget) {
            Ok(values) => values,
            Err(NoValues::Stopped(stop)) => {
                return Ok(unvisited(
                    $game,
                    <$values as OfWorlds>::FAMILIES,
                    &$request,
                    stop,
                ))
            }
            Err(error) => return Err(Refused::problem(error)),
        }
    };
}

impl Instance for RacingGame {
    fn admits(&self, algorithm: &Algorithm) -> Result<(), Refused> {
        let in_families = self.lattice == SetLattice::Families;
        let asks_for_sets = algorithm.method == Method::Thresholds;
        if algorithm.needs() == Needs::JoinPrimes && asks_for_sets != in_families {
            return Err(Refused::no_claims(algorithm));
        }
        Ok(())
    }

    fn solve(&self, mut request: Request<'_>) -> Result<Answer, Refused> {
        let algorithm = request.algorithm;
        self.admits(&algorithm)?;
        request.count_nodes = request.count_nodes.where_caches_forget(request.budget);
        let game = &self.game;
        let is_published = matches!(
            algorithm.method,
            Method::Minimax | Method::AlphaBeta | Method::Duo(_)
        );
        macro_rules! solved {
            ($values:ty, $engines:ty) => {{
                let values = made!($values, game, request);
                solve::<_, $engines>(&values, game, request)
            }};
        }
        // Four kinds of sets where times are compared, and two where each more would be a search
        // compiled once more for little. Sets of up to 1024 worlds lie in the value itself.
        // Instructions without `Words<4>`, at 84 worlds: 1.25 to 1.45 times; without `Words<16>`
        // for thresholds, at 84 and 924 worlds: 1.28 and 1.57 times.
        macro_rules! in_smallest_sets {
            ($values:ident) => {
                match game.world_count() {
                    0..=64 if is_published => solved!($values<Words<1>>, Published),
                    0..=256 if is_published => solved!($values<Words<4>>, Published),
                    0..=1024 => solved!($values<Words<16>>, Both),
                    _ => solved!($values<FixedBitSet>, Both),
                }
            };
        }
        match self.lattice {
            SetLattice::Powerset => in_smallest_sets!(RacingSets),
            SetLattice::Families => in_smallest_sets!(RacingFamilies),
        }
    }

    /// Node by node.
    fn prove(&self, claim: Claim<'_>) -> Result<Proved, Refused> {
        let problem = Game::problem(self).map_err(Refused::Problem)?;
        crate::instances::explicit::explicit(problem)?.prove(claim)
    }

    /// For one set alone hands count by classes, if those of a class weigh the same.
    fn heaviest(&self, request: HeaviestRequest<'_>) -> Result<Heaviest, Refused> {
        if !matches!(self.lattice, SetLattice::Families) {
            return Err(Refused::no_heaviest());
        }
        let weights = request.weights(self.game.world_count() as usize)?;
        let hands = Hands(self.game.clone());
        let classes = RacingClasses::new(&self.game);
        let of_hands = classes.of_worlds();
        let one = request.top.is_none_or(|top| top == 1);
        let of_classes = one.then(|| weights_of_classes(&classes, &of_hands, &weights));
        // Its plan is made of what was found.
        let search = HeaviestRequest {
            strategy: false,
            weights: None,
            ..request
        };
        if let Some(weights) = of_classes.flatten() {
            let names = Arc::new(Classes { hands, of_hands });
            let shown: Arc<dyn Names> = names.clone();
            let found = heaviest_in(&classes, &weights, &shown, &search)?;
            return Ok(
                self.planned(found, request.strategy, request.budget, |set| {
                    names.spread(set)
                }),
            );
        }
        let names: Arc<dyn Names> = Arc::new(hands);
        let found = heaviest_in(&self.game, &weights, &names, &search)?;
        Ok(self.planned(found, request.strategy, request.budget, <[usize]>::to_vec))
    }

    fn with_nodes(&self, see: &mut dyn FnMut(&dyn Nodes)) -> Result<(), Refused> {
        let (game, lattice) = (
            &self.game,
            self.lattice.over(self.game.world_count() as usize),
        );
        match self.lattice {
            SetLattice::Powerset => {
                let sets = RacingSets::<FixedBitSet>::new(game).map_err(Refused::problem)?;
                see_deal(game, &sets, &lattice, see);
            }
            SetLattice::Families => {
                let families =
                    RacingFamilies::<FixedBitSet>::new(game).map_err(Refused::problem)?;
                see_deal(game, &families, &lattice, see);
            }
        }
        Ok(())
    }

    fn to_levels(&self, levels: u32, request: Request<'_>) -> Result<Answer, Refused> {
        if !matches!(self.lattice, SetLattice::Families) {
            return Err(Refused::no_levels());
        }
        let families = RacingFamilies::<FixedBitSet>::new(&self.game).map_err(Refused::problem)?;
        let names: Arc<dyn Names> = Arc::new(Hands(self.game.clone()));
        let known = PerfectInformation::new(families.as_sets());
        let game = &self.game;
        Ok(levels::find(levels, &names, &request, |budget, counts| {
            to_depth(game, &families, levels, known, &Tables, budget, counts)
        }))
    }
}

/// The answer where nothing was visited.
fn unvisited(game: &Racing, is_family: bool, request: &Request<'_>, stop: Stop) -> Answer {
    let children = request.moves.then(|| children_of(game));
    let children = children.map(|children| {
        let names = children.iter().map(|child| position_name(game, child));
        names.collect()
    });
    let worlds = usize::try_from(game.world_count()).ok();
    let mut facts = vec![("worlds", worlds), ("winning", None)];
    if is_family {
        facts.push(("sets", None));
    }
    crate::answers::unvisited::unvisited(request, stop, children, worlds, Facts(facts))
}

/// Finds the value of a deal with these values.
fn solve<V, E>(values: &V, game: &Racing, request: Request<'_>) -> Result<Answer, Refused>
where
    V: OfWorlds<Lattice: Compiled> + Sync,
    E: Engines<V::Lattice>,
{
    let names: Arc<dyn Names> = Arc::new(Hands(game.clone()));
    let worlds = game.world_count() as usize;
    run::solve(
        &Deal {
            game,
            values,
            names,
            worlds,
            engines: PhantomData::<fn() -> E>,
        },
        request,
    )
}

/// The weights of classes, if the hands of each weigh the same. `of_hands` has the class of each
/// hand.
fn weights_of_classes(
    classes: &RacingClasses<'_>,
    of_hands: &[usize],
    weights: &Weights,
) -> Option<Weights> {
    let mut of_one = vec![None; classes.counts().len()];
    for (hand, &class) in of_hands.iter().enumerate() {
        let weight = weights.of_world(hand);
        if *of_one[class].get_or_insert(weight) != weight {
            return None;
        }
    }
    let counts = classes.counts().iter();
    // No more than the weight of all hands.
    let products = counts
        .zip(of_one)
        .map(|(count, one)| count * one.unwrap_or(0));
    Weights::new(products).ok()
}

/// Hands or classes of hands, in any sets that hold them.
trait Worlds {
    fn families<B: WorldSet>(&self) -> Result<RacingFamilies<'_, B>, TooManyWorlds>;
}

impl Worlds for Racing {
    fn families<B: WorldSet>(&self) -> Result<RacingFamilies<'_, B>, TooManyWorlds> {
        RacingFamilies::new(self)
    }
}

impl Worlds for RacingClasses<'_> {
    fn families<B: WorldSet>(&self) -> Result<RacingFamilies<'_, B>, TooManyWorlds> {
        self.families()
    }
}

/// The heaviest sets by the rules of a game, in the smallest sets that hold its worlds.
fn heaviest_in<D>(
    game: &D,
    weights: &Weights,
    names: &Arc<dyn Names>,
    request: &HeaviestRequest<'_>,
) -> Result<Heaviest, Refused>
where
    D: AndOrDag<Node = RacingPosition> + Worlds + Sync,
{
    // Two kinds of sets, and not four as for values: a deal with few worlds takes no time either
    // way, and each is compiled for itself.
    match weights.worlds() {
        0..=1024 => heaviest_of::<_, Words<16>>(game, weights, names, request),
        _ => heaviest_of::<_, FixedBitSet>(game, weights, names, request),
    }
}

fn heaviest_of<D, B>(
    game: &D,
    weights: &Weights,
    names: &Arc<dyn Names>,
    request: &HeaviestRequest<'_>,
) -> Result<Heaviest, Refused>
where
    D: AndOrDag<Node = RacingPosition> + Worlds + Sync,
    B: WorldSet,
{
    let families = game.families::<B>().map_err(Refused::problem)?;
    let known = PerfectInformation::new(families.as_sets());
    // One search for hands and classes.
    let game: &(dyn AndOrDag<Node = RacingPosition> + Sync) = game;
    Ok(heaviest::find(
        &game, &families, known, weights, &Tables, names, request,
    ))
}

/// Sets of classes of hands, which are shown as the hands of these classes.
#[derive(Debug)]
struct Classes {
    hands: Hands,
    /// The class of each hand.
    of_hands: Vec<usize>,
}

impl Classes {
    /// The hands of the classes of a set.
    fn spread(&self, set: &[usize]) -> Vec<usize> {
        let hands = self.of_hands.iter().enumerate();
        let inside = hands.filter(|(_, class)| set.binary_search(class).is_ok());
        inside.map(|(hand, _)| hand).collect()
    }
}

impl Names for Classes {
    fn json(&self, set: &[usize]) -> String {
        self.hands.json(&self.spread(set))
    }

    fn readable(&self, set: &[usize]) -> String {
        self.hands.readable(&self.spread(set))
    }
}

/// A deal with the values of its leaves.
struct Deal<'a, V, E> {
    game: &'a Racing,
    values: &'a V,
    names: Arc<dyn Names>,
    worlds: usize,
    engines: PhantomData<fn() -> E>,
}

impl<V, E> Subject for Deal<'_, V, E>
where
    V: OfWorlds<Lattice: Compiled>,
    E: Engines<V::Lattice>,
{
    type Dag = Racing;
    type Values = V;
    type Lattice = V::Lattice;
    type Engines = E;
    type Stores = Tables;
    /// What perfect information says, if it is to be used.
    type Known<'s>
        = Option<RefCell<V::Known<'s>>>
    where
        Self: 's;
    type Bounds<'s, 'k>
        = &'k RefCell<V::Known<'s>>
    where
        Self: 's,
        's: 'k;
    type Distinct = Visited<RacingPosition>;

    fn dag(&self) -> &Racing {
        self.game
    }

    fn values(&self) -> &V {
        self.values
    }

    fn stores(&self, _: PositionCache, _: &Budget) -> Tables {
        Tables
    }

    fn known(&self, algorithm: &Algorithm) -> Option<RefCell<V::Known<'_>>> {
        run::uses_knowledge(algorithm.method).then(|| RefCell::new(self.values.known()))
    }

    fn bounds<'s, 'k>(known: &'k Option<RefCell<V::Known<'s>>>) -> Option<&'k RefCell<V::Known<'s>>>
    where
        Self: 's,
        's: 'k,
    {
        known.as_ref()
    }

    fn distinct(
        &self,
        count: CountNodes,
        algorithm: &Algorithm,
    ) -> Option<Visited<RacingPosition>> {
        no_position(count, algorithm)
    }

    fn number(&self, position: &RacingPosition) -> Option<u128> {
        Some(Numbered::number(self.game, position))
    }

    fn numbered(&self, number: u128) -> Option<RacingPosition> {
        Some(Numbered::position(self.game, number))
    }

    fn name(&self, position: &RacingPosition) -> NodeText {
        position_name(self.game, position)
    }

    fn value(&self, value: &ElemOf<V::Lattice>) -> Value {
        Value::Sets {
            sets: V::sets(value),
            is_family: V::FAMILIES,
            names: Arc::clone(&self.names),
        }
    }

    fn length(&self, value: &ElemOf<V::Lattice>) -> usize {
        V::length(value)
    }

    fn facts(&self, value: Option<&ElemOf<V::Lattice>>) -> Vec<(&'static str, Option<usize>)> {
        let sets = value.map(V::sets);
        let largest = |sets: &Vec<Vec<usize>>| sets.iter().map(Vec::len).max().unwrap_or(0);
        let mut facts = vec![
            ("worlds", Some(self.worlds)),
            ("winning", sets.as_ref().map(largest)),
        ];
        if V::FAMILIES {
            facts.push(("sets", sets.as_ref().map(Vec::len)));
        }
        facts
    }
}
