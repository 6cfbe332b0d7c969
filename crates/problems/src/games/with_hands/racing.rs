//! Racing: searched by its rules, with values shown as hands of MIN.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;

use clap::Args;
use meetjoin_catalogue::method::{Algorithm, Method, Needs};
use meetjoin_dag::hidden::listed::listed;
use meetjoin_dag::{
    Graph, Heuristic, HiddenFamilies, HiddenGame as _, HiddenSets, Played, Problem, Stakes,
    Valuation,
};
use meetjoin_families::alpha_mu::to_depth;
use meetjoin_games::Numbered;
use meetjoin_games::racing::{PerfectInformation, Racing, RacingHands, RacingPosition};
use meetjoin_lattice::{
    Antichain, AnyLattice, Budget, ElemOf, Families, FixedBitSet, Powerset, Stop, Weights, Words,
    WorldSet,
};
use meetjoin_search::{Tables, Visited};
use meetjoin_solve::answer::{Answer, Facts, NodeText};
use meetjoin_solve::compiled::{Both, Compiled, Engines, Published};
use meetjoin_solve::heaviest::{self, Heaviest, HeaviestRequest};
use meetjoin_solve::instance::Instance;
use meetjoin_solve::layered::Layered;
use meetjoin_solve::levels;
use meetjoin_solve::prove::{Claim, Proved};
use meetjoin_solve::request::{CountNodes, PositionCache, Refused, Request};
use meetjoin_solve::run;
use meetjoin_solve::subject::{Subject, position_name, visited_if_counted};
use meetjoin_solve::unvisited::unvisited;
use meetjoin_solve::value::{Names, Value, sorted};
use meetjoin_solve::view::Nodes;
use serde::{Deserialize, Serialize};

use super::hands::Hands;
use super::racing_nodes::Seen;
use super::racing_plan::plan;
use crate::game::{Game, Made, compact, expand, given, lattice_key, sentence};
use crate::games::words::SetLattice;

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct RacingArgs {
    /// The deck: cards 1 to D.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub deck: u8,

    /// Number of tricks needed to win.
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

    /// The card that MIN has led.
    #[arg(long, value_name = "CARD", allow_negative_numbers = true)]
    #[serde(deserialize_with = "given")]
    pub lead: Option<u8>,

    /// Draw a hand of H cards and a lead at random, instead of --hand and --lead.
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    #[serde(skip)]
    pub hand_size: Option<u8>,

    /// Seed for --hand-size.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[serde(skip)]
    pub seed: Option<u64>,

    /// The lattice of the values.
    #[arg(long, value_enum)]
    #[serde(with = "lattice_key")]
    pub lattice: SetLattice,
}

/// The most hands of MIN that the command lists: a value has a bit for each.
const MOST_WORLDS: u64 = 1 << 24;

/// A deal, and the lattice of its values.
#[derive(Clone)]
struct RacingGame {
    game: Racing,
    lattice: SetLattice,
}

/// The deal of these arguments. A deal with too many worlds is refused.
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
    /// The answer if a limit fired before the first visit.
    fn unvisited(&self, request: &Request<'_>, stop: Stop) -> Answer {
        let worlds = usize::try_from(self.game.world_count()).ok();
        let is_family = self.lattice == SetLattice::Families;
        let facts = Facts(facts(worlds, None, is_family.then_some(("sets", None))));
        unvisited(&self.game, request, stop, worlds, facts)
    }

    /// The heaviest sets with a plan for the first, if it is wanted and limits allow.
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
        Ok(Arc::new(Seen::new(&self.game, self.lattice)))
    }

    fn graph(&self) -> Result<Graph, String> {
        let all = expand(&self.game, usize::MAX)?;
        let (graph, _) = all.unwrap_or_else(|| unreachable!("there are not so many nodes"));
        Ok(graph)
    }

    /// Nodes are named by their positions, worlds by the hands.
    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        let hands = RacingHands::new(&self.game);
        let in_families = self.lattice == SetLattice::Families;
        let free = Budget::unlimited();
        listed(&hands, &Stakes::all(&hands), in_families, &free).map_err(sentence)
    }

    /// Searched by the rules: no explicit graph is made.
    fn instance(&self) -> Result<Box<dyn Instance>, Refused> {
        Ok(racing(self.game.clone(), self.lattice))
    }
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
        let game = match RacingHands::within(&self.game, request.budget) {
            Ok(hands) => Played(hands),
            Err(stop) => return Ok(self.unvisited(&request, stop)),
        };
        let is_published = matches!(
            algorithm.method,
            Method::Minimax | Method::AlphaBeta | Method::Duo(_)
        );
        // Four types of sets where times are compared, and two where another type would mean
        // compiling one more search for little gain. Sets of up to 1024 worlds need no heap.
        // Instructions without `Words<4>`, at 84 worlds: 1.25 to 1.45 times; without `Words<16>`
        // for thresholds, at 84 and 924 worlds: 1.28 and 1.57 times.
        match game.0.worlds() {
            0..=64 if is_published => solve::<Words<1>, Published>(&game, self.lattice, request),
            0..=256 if is_published => solve::<Words<4>, Published>(&game, self.lattice, request),
            0..=1024 => solve::<Words<16>, Both>(&game, self.lattice, request),
            _ => solve::<FixedBitSet, Both>(&game, self.lattice, request),
        }
    }

    /// On the explicit problem.
    fn prove(&self, claim: Claim<'_>) -> Result<Proved, Refused> {
        let problem = Game::problem(self).map_err(Refused::Problem)?;
        meetjoin_solve::explicit::explicit(problem)?.prove(claim)
    }

    /// For a single set, classes of equivalent hands are worlds, if the hands of each class weigh
    /// the same.
    fn heaviest(&self, request: HeaviestRequest<'_>) -> Result<Heaviest, Refused> {
        if !matches!(self.lattice, SetLattice::Families) {
            return Err(Refused::no_heaviest());
        }
        let weights = request.weights(self.game.world_count() as usize)?;
        let hands = Hands(self.game.clone());
        let classes = RacingHands::classes(&self.game);
        let of_hands = classes.of_worlds();
        let one = request.top.is_none_or(|top| top == 1);
        let of_classes = one.then(|| weights_of_classes(&classes, &of_hands, &weights));
        // The plan is made from what was found.
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
        let found = heaviest_in(&RacingHands::new(&self.game), &weights, &names, &search)?;
        Ok(self.planned(found, request.strategy, request.budget, <[usize]>::to_vec))
    }

    fn with_nodes(&self, see: &mut dyn FnMut(&dyn Nodes)) -> Result<(), Refused> {
        Seen::new(&self.game, self.lattice).see(see)
    }

    fn to_levels(&self, levels: u32, request: Request<'_>) -> Result<Answer, Refused> {
        if !matches!(self.lattice, SetLattice::Families) {
            return Err(Refused::no_levels());
        }
        let game = Played(RacingHands::new(&self.game));
        let stakes = Stakes::all(&game.0);
        let families = HiddenFamilies::<_, FixedBitSet>::new(&game.0, &stakes);
        let families = families.map_err(Refused::problem)?;
        let names: Arc<dyn Names> = Arc::new(Hands(self.game.clone()));
        let known = PerfectInformation::new(families.as_sets());
        Ok(levels::find(levels, &names, &request, |budget, counts| {
            to_depth(&game, &families, levels, known, &Tables, budget, counts)
        }))
    }
}

/// Finds the value of a deal, with sets of this type.
fn solve<B, E>(
    game: &Played<RacingHands>,
    lattice: SetLattice,
    request: Request<'_>,
) -> Result<Answer, Refused>
where
    B: WorldSet,
    E: Engines<Powerset<B>> + Engines<Families<B>>,
{
    let stakes = Stakes::all(&game.0);
    let families = HiddenFamilies::<_, B>::new(&game.0, &stakes).map_err(Refused::problem)?;
    let sets = families.as_sets();
    let names: Arc<dyn Names> = Arc::new(Hands(game.0.deal().clone()));
    let engines = PhantomData::<fn() -> E>;
    match lattice {
        SetLattice::Powerset => run::solve(
            &Deal {
                game,
                values: sets,
                maximal: std::slice::from_ref,
                is_family: false,
                sets,
                names,
                engines,
            },
            request,
        ),
        SetLattice::Families => run::solve(
            &Deal {
                game,
                values: &families,
                maximal: Antichain::maximal,
                is_family: true,
                sets,
                names,
                engines,
            },
            request,
        ),
    }
}

/// The weights of classes; `None` if hands of one class differ in weight. `of_hands` has the class
/// of each hand.
fn weights_of_classes(
    classes: &RacingHands,
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
    // At most the weight of all hands.
    let products = counts
        .zip(of_one)
        .map(|(count, one)| count * one.unwrap_or(0));
    Weights::new(products).ok()
}

/// The heaviest sets by the rules of a game, with the smallest type of sets that holds its worlds.
fn heaviest_in(
    game: &RacingHands,
    weights: &Weights,
    names: &Arc<dyn Names>,
    request: &HeaviestRequest<'_>,
) -> Result<Heaviest, Refused> {
    // Two types of sets, and not four as for values: a deal with few worlds is fast either way, and
    // each type takes time to compile.
    match weights.worlds() {
        0..=1024 => heaviest_of::<Words<16>>(game, weights, names, request),
        _ => heaviest_of::<FixedBitSet>(game, weights, names, request),
    }
}

fn heaviest_of<B: WorldSet>(
    game: &RacingHands,
    weights: &Weights,
    names: &Arc<dyn Names>,
    request: &HeaviestRequest<'_>,
) -> Result<Heaviest, Refused> {
    let stakes = Stakes::all(game);
    let families = HiddenFamilies::<_, B>::new(game, &stakes).map_err(Refused::problem)?;
    let known = PerfectInformation::new(families.as_sets());
    let game = &Played(game);
    Ok(heaviest::find(
        game, &families, known, weights, &Tables, names, request,
    ))
}

/// Shows sets of classes of hands as the hands of these classes.
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
struct Deal<'a, V: Valuation<RacingPosition>, B: WorldSet, E> {
    game: &'a Played<RacingHands>,
    values: &'a V,
    /// The maximal sets of a value, in some order.
    maximal: fn(&ElemOf<V::Lattice>) -> &[B],
    /// Whether a value may have several sets.
    is_family: bool,
    sets: &'a HiddenSets<'a, RacingHands, B>,
    names: Arc<dyn Names>,
    engines: PhantomData<fn() -> E>,
}

impl<'a, V, B, E> Subject for Deal<'a, V, B, E>
where
    V: Valuation<RacingPosition, Lattice: Compiled>,
    B: WorldSet,
    PerfectInformation<'a, B>: Heuristic<RacingPosition, V::Lattice>,
    E: Engines<V::Lattice>,
{
    type Dag = Played<RacingHands>;
    type Values = V;
    type Lattice = V::Lattice;
    type Engines = E;
    type Stores = Tables;
    /// Bounds from perfect information, if they are to be used.
    type Known<'s>
        = Option<RefCell<PerfectInformation<'a, B>>>
    where
        Self: 's;
    type Bounds<'s, 'k>
        = &'k RefCell<PerfectInformation<'a, B>>
    where
        Self: 's,
        's: 'k;
    type Distinct = Visited<RacingPosition>;

    fn dag(&self) -> &Played<RacingHands> {
        self.game
    }

    fn values(&self) -> &V {
        self.values
    }

    fn stores(&self, _: PositionCache, _: &Budget) -> Tables {
        Tables
    }

    fn known(&self, algorithm: &Algorithm) -> Option<RefCell<PerfectInformation<'a, B>>> {
        let known = || RefCell::new(PerfectInformation::new(self.sets));
        run::uses_knowledge(algorithm.method).then(known)
    }

    fn bounds<'s, 'k>(
        known: &'k Option<RefCell<PerfectInformation<'a, B>>>,
    ) -> Option<&'k RefCell<PerfectInformation<'a, B>>>
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
        visited_if_counted(count, algorithm)
    }

    fn number(&self, position: &RacingPosition) -> Option<u128> {
        Some(self.game.0.deal().number(position))
    }

    fn numbered(&self, number: u128) -> Option<RacingPosition> {
        Some(self.game.0.deal().position(number))
    }

    fn name(&self, position: &RacingPosition) -> NodeText {
        position_name(self.game, position)
    }

    fn value(&self, value: &ElemOf<V::Lattice>) -> Value {
        Value::Sets {
            sets: sorted((self.maximal)(value)),
            is_family: self.is_family,
            names: Arc::clone(&self.names),
        }
    }

    fn length(&self, value: &ElemOf<V::Lattice>) -> usize {
        let sets = (self.maximal)(value).iter();
        sets.map(WorldSet::count).sum()
    }

    fn facts(&self, value: Option<&ElemOf<V::Lattice>>) -> Vec<(&'static str, Option<usize>)> {
        let sets = value.map(self.maximal);
        let largest = |sets: &[_]| sets.iter().map(WorldSet::count).max().unwrap_or(0);
        facts(
            self.game.0.worlds().into(),
            sets.map(largest),
            self.is_family.then(|| ("sets", sets.map(<[_]>::len))),
        )
    }
}

/// Facts about racing: the number of hands of MIN, how many of them one strategy wins at most, and
/// in families the number of sets.
fn facts(
    worlds: Option<usize>,
    winning: Option<usize>,
    sets: Option<(&'static str, Option<usize>)>,
) -> Vec<(&'static str, Option<usize>)> {
    [("worlds", worlds), ("winning", winning)]
        .into_iter()
        .chain(sets)
        .collect()
}
