//! Games from the command line or from a file of keys: solved, written with all their nodes, or written as their keys.

use std::collections::HashMap;

use meetjoin::dag::{
    AndOrDag, GameFile, Graph, Kind, LatticeError, NodeId, NodeName, OutcomeVectors,
    PROBLEM_FORMAT, Problem, ProblemError, Rows, Valuation,
};
use meetjoin::games::criteria::{Correlation, CriteriaParameters, CriteriaTree};
use meetjoin::games::uniform::{ChildOrder, LeafValues, UniformParameters, UniformTree};
use meetjoin::games::{Hexapawn, Racing, RacingPosition, RacingSets, RandomDag, RandomParameters};
use meetjoin::lattice::{
    AnyElem, AnyLattice, Budget, Chain, ElemOf, Extended, FixedBitSet, FreeLattice, Interval,
    Product, WorldSet,
};
use serde::Deserialize;
use serde_json::json;

use crate::args::{
    CorrelationWord, CriteriaArgs, CriteriaLattice, GameArgs, HexapawnArgs, OrderingWord,
    RacingArgs, RandomArgs, SetLattice, UniformArgs, UniformLattice, ValuesWord,
};
use crate::failure::Failure;
use crate::hexapawn;
use crate::packets::NO_OUTCOMES;
use crate::racing;
use crate::solve::{self, Request};

/// A game with all that makes it a problem.
pub(crate) enum Game {
    Racing(Racing, SetLattice),
    Random(RandomParameters, SetLattice),
    Criteria(CriteriaParameters, CriteriaLattice),
    /// With the slack of the bounds of its inner nodes, if they have any.
    Uniform(UniformParameters, Option<u32>),
    Hexapawn(Hexapawn, CriteriaLattice),
}

/// The key `lattice` of a game, which knows the number of worlds itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LatticeKey<L> {
    r#type: L,
}

/// The sentence of an error.
#[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
pub(crate) fn sentence(error: impl ToString) -> String {
    error.to_string()
}

impl TryFrom<&GameArgs> for Game {
    type Error = String;

    fn try_from(args: &GameArgs) -> Result<Self, String> {
        match args {
            GameArgs::Racing(args) => Self::try_from(args),
            GameArgs::Random(args) => Ok(Self::from(args)),
            GameArgs::Criteria(args) => Ok(Self::from(args)),
            GameArgs::Uniform(args) => Ok(Self::from(args)),
            GameArgs::Hexapawn(args) => Self::try_from(args),
        }
    }
}

impl TryFrom<&RacingArgs> for Game {
    type Error = String;

    fn try_from(args: &RacingArgs) -> Result<Self, String> {
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
        racing::check_size(&game)?;
        Ok(Self::Racing(game, args.lattice))
    }
}

impl From<&RandomArgs> for Game {
    fn from(args: &RandomArgs) -> Self {
        let parameters = RandomParameters {
            depth: args.depth,
            branching: args.branching,
            variables: args.variables,
            alternating: args.alternating,
            seed: args.seed,
        };
        Self::Random(parameters, args.lattice)
    }
}

impl From<&CriteriaArgs> for Game {
    fn from(args: &CriteriaArgs) -> Self {
        let parameters = CriteriaParameters {
            depth: args.depth,
            branching: args.branching,
            criteria: args.criteria,
            most: args.most,
            correlation: args.correlation.into(),
            alternating: args.alternating,
            seed: args.seed,
        };
        Self::Criteria(parameters, args.lattice)
    }
}

impl TryFrom<&HexapawnArgs> for Game {
    type Error = String;

    fn try_from(args: &HexapawnArgs) -> Result<Self, String> {
        let game = Hexapawn::new(args.columns, args.rows).map_err(sentence)?;
        Ok(Self::Hexapawn(game, args.lattice))
    }
}

impl From<CorrelationWord> for Correlation {
    fn from(word: CorrelationWord) -> Self {
        match word {
            CorrelationWord::Independent => Self::Independent,
            CorrelationWord::Correlated => Self::Correlated,
            CorrelationWord::AntiCorrelated => Self::AntiCorrelated,
        }
    }
}

/// As problem files call it.
fn correlation_word(correlation: Correlation) -> &'static str {
    match correlation {
        Correlation::Independent => "independent",
        Correlation::Correlated => "correlated",
        Correlation::AntiCorrelated => "anti-correlated",
    }
}

impl From<&UniformArgs> for Game {
    fn from(args: &UniformArgs) -> Self {
        let parameters = UniformParameters {
            depth: args.depth,
            branching: args.branching,
            values: args.values.into(),
            most: args.most,
            ordering: args.ordering.into(),
            seed: args.seed,
        };
        Self::Uniform(parameters, args.bounds)
    }
}

impl From<ValuesWord> for LeafValues {
    fn from(word: ValuesWord) -> Self {
        match word {
            ValuesWord::Independent => Self::Independent,
            ValuesWord::Incremental => Self::Incremental,
        }
    }
}

/// As problem files call it.
fn values_word(values: LeafValues) -> &'static str {
    match values {
        LeafValues::Independent => "independent",
        LeafValues::Incremental => "incremental",
    }
}

impl From<OrderingWord> for ChildOrder {
    fn from(word: OrderingWord) -> Self {
        match word {
            OrderingWord::Random => Self::Random,
            OrderingWord::BestFirst => Self::BestFirst,
        }
    }
}

/// As problem files call it.
fn ordering_word(ordering: ChildOrder) -> &'static str {
    match ordering {
        ChildOrder::Random => "random",
        ChildOrder::BestFirst => "best-first",
    }
}

impl TryFrom<GameFile> for Game {
    type Error = String;

    fn try_from(mut file: GameFile) -> Result<Self, String> {
        match file.name() {
            "racing" => {
                let (deck, goal, hand, lead, lattice) = racing_keys(file).map_err(sentence)?;
                let game = Racing::new(deck, goal, &hand, lead).map_err(sentence)?;
                racing::check_size(&game)?;
                Ok(Self::Racing(game, lattice))
            }
            "random" => random_keys(&mut file)
                .and_then(|game| file.finish().map(|()| game))
                .map_err(sentence),
            "criteria" => criteria_keys(&mut file)
                .and_then(|game| file.finish().map(|()| game))
                .map_err(sentence),
            "uniform" => uniform_keys(&mut file)
                .and_then(|game| file.finish().map(|()| game))
                .map_err(sentence),
            "hexapawn" => {
                let (columns, rows, lattice) = hexapawn_keys(file).map_err(sentence)?;
                let game = Hexapawn::new(columns, rows).map_err(sentence)?;
                Ok(Self::Hexapawn(game, lattice))
            }
            name => Err(format!(
                "unknown game `{name}`; there are `racing`, `random`, `criteria`, `uniform` and `hexapawn`"
            )),
        }
    }
}

type RacingKeys = (u8, u8, Vec<u8>, u8, SetLattice);

fn racing_keys(mut file: GameFile) -> Result<RacingKeys, ProblemError> {
    let (deck, goal) = (file.take("deck")?, file.take("goal")?);
    let (hand, lead) = (file.take("hand")?, file.take("lead")?);
    let lattice: LatticeKey<SetLattice> = file.take("lattice")?;
    file.finish()?;
    Ok((deck, goal, hand, lead, lattice.r#type))
}

fn random_keys(file: &mut GameFile) -> Result<Game, ProblemError> {
    let parameters = RandomParameters {
        depth: file.take("depth")?,
        branching: file.take("branching")?,
        variables: file.take("variables")?,
        alternating: file.take("alternating")?,
        seed: file.take("seed")?,
    };
    let lattice: LatticeKey<SetLattice> = file.take("lattice")?;
    Ok(Game::Random(parameters, lattice.r#type))
}

fn criteria_keys(file: &mut GameFile) -> Result<Game, ProblemError> {
    let parameters = CriteriaParameters {
        depth: file.take("depth")?,
        branching: file.take("branching")?,
        criteria: file.take("criteria")?,
        most: file.take("most")?,
        correlation: file.take::<CorrelationWord>("correlation")?.into(),
        alternating: file.take("alternating")?,
        seed: file.take("seed")?,
    };
    let lattice: LatticeKey<CriteriaLattice> = file.take("lattice")?;
    Ok(Game::Criteria(parameters, lattice.r#type))
}

fn uniform_keys(file: &mut GameFile) -> Result<Game, ProblemError> {
    let parameters = UniformParameters {
        depth: file.take("depth")?,
        branching: file.take("branching")?,
        values: file.take::<ValuesWord>("values")?.into(),
        most: file.take("most")?,
        ordering: file.take::<OrderingWord>("ordering")?.into(),
        seed: file.take("seed")?,
    };
    let bounds = file.take_optional("bounds")?;
    let lattice: LatticeKey<UniformLattice> = file.take("lattice")?;
    // There is only one.
    let UniformLattice::Chain = lattice.r#type;
    Ok(Game::Uniform(parameters, bounds))
}

fn hexapawn_keys(mut file: GameFile) -> Result<(u32, u32, CriteriaLattice), ProblemError> {
    let (columns, rows) = (file.take("columns")?, file.take("rows")?);
    let lattice: LatticeKey<CriteriaLattice> = file.take("lattice")?;
    file.finish()?;
    Ok((columns, rows, lattice.r#type))
}

impl Game {
    /// Finds the value and prints the answer. Racing is searched by its rules, a random graph node by node.
    pub(crate) fn solve(&self, request: &Request<'_>) -> Result<(), Failure> {
        match self {
            Self::Racing(game, lattice) => racing::solve(game, *lattice, request),
            Self::Criteria(_, CriteriaLattice::Dominance)
            | Self::Hexapawn(_, CriteriaLattice::Dominance) => {
                Err(request.refused(LatticeError::Dominance))
            }
            Self::Random(..) | Self::Criteria(..) | Self::Uniform(..) | Self::Hexapawn(..) => {
                let problem = self.explicit().map_err(|error| request.refused(error))?;
                solve::by_lattice(problem, request)
            }
        }
    }

    /// The graph with all its nodes.
    pub(crate) fn graph(&self) -> Result<Graph, String> {
        match self {
            Self::Racing(game, _) => Ok(expand_all(game)?.0),
            Self::Hexapawn(game, _) => Ok(hexapawn::graph(game)?.0),
            Self::Random(parameters, _) => {
                let dag = RandomDag::new(*parameters).map_err(sentence)?;
                Ok(dag.graph().clone())
            }
            Self::Criteria(parameters, _) => {
                let tree = CriteriaTree::new(*parameters).map_err(sentence)?;
                Ok(tree.graph().clone())
            }
            Self::Uniform(parameters, _) => {
                let tree = UniformTree::new(*parameters).map_err(sentence)?;
                Ok(tree.into_parts(drop).0)
            }
        }
    }

    /// Whether inner nodes have bounds.
    pub(crate) fn has_bounds(&self) -> bool {
        matches!(self, Self::Uniform(_, Some(_)))
    }

    /// Whether it makes a problem at all, as far as that can be told without making it.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self {
            // A deal or a board that makes none is refused when it is read.
            Self::Racing(..) | Self::Hexapawn(..) => Ok(()),
            Self::Random(parameters, _) => parameters.check().map_err(sentence),
            Self::Criteria(parameters, _) => parameters.check().map_err(sentence),
            Self::Uniform(parameters, _) => parameters.check().map_err(sentence),
        }
    }

    /// The problem over outcomes of the dominance algebra, if the game's values are such; nodes are named by their numbers.
    pub(crate) fn outcomes(&self) -> Result<Problem<OutcomeVectors>, String> {
        let parameters = match self {
            Self::Criteria(parameters, CriteriaLattice::Dominance) => parameters,
            Self::Hexapawn(game, CriteriaLattice::Dominance) => return hexapawn::outcomes(game),
            _ => return Err(NO_OUTCOMES.to_owned()),
        };
        let tree = CriteriaTree::new(*parameters).map_err(sentence)?;
        let vectors = OutcomeVectors::power(Chain::unbounded(), tree.criteria());
        let (graph, values) = tree.into_parts(outcome);
        let names = numbers(&graph);
        Problem::new(graph, names, vectors, values).map_err(sentence)
    }

    /// The problem with all its nodes.
    pub(crate) fn explicit(&self) -> Result<Problem<AnyLattice>, String> {
        match self {
            Self::Racing(game, lattice) => explicit_racing(game, *lattice),
            Self::Random(parameters, lattice) => explicit_random(*parameters, *lattice),
            Self::Criteria(parameters, lattice) => explicit_criteria(*parameters, *lattice),
            Self::Uniform(parameters, bounds) => explicit_uniform(*parameters, *bounds),
            Self::Hexapawn(game, lattice) => hexapawn::explicit(game, *lattice),
        }
    }

    /// The problem as a file of the game's keys.
    pub(crate) fn compact(&self) -> String {
        let format = json!(PROBLEM_FORMAT);
        let keys = match self {
            Self::Racing(game, lattice) => {
                let mut hand = game.hand().to_vec();
                hand.sort_unstable();
                vec![
                    ("game", json!("racing")),
                    ("deck", json!(game.deck())),
                    ("goal", json!(game.goal())),
                    ("hand", json!(hand)),
                    ("lead", json!(game.lead())),
                    ("lattice", json!({"type": lattice.word()})),
                ]
            }
            Self::Random(parameters, lattice) => vec![
                ("game", json!("random")),
                ("depth", json!(parameters.depth)),
                ("branching", json!(parameters.branching)),
                ("variables", json!(parameters.variables)),
                ("alternating", json!(parameters.alternating)),
                ("seed", json!(parameters.seed)),
                ("lattice", json!({"type": lattice.word()})),
            ],
            Self::Criteria(parameters, lattice) => vec![
                ("game", json!("criteria")),
                ("depth", json!(parameters.depth)),
                ("branching", json!(parameters.branching)),
                ("criteria", json!(parameters.criteria)),
                ("most", json!(parameters.most)),
                (
                    "correlation",
                    json!(correlation_word(parameters.correlation)),
                ),
                ("alternating", json!(parameters.alternating)),
                ("seed", json!(parameters.seed)),
                ("lattice", json!({"type": lattice.word()})),
            ],
            Self::Uniform(parameters, bounds) => {
                let mut keys = vec![
                    ("game", json!("uniform")),
                    ("depth", json!(parameters.depth)),
                    ("branching", json!(parameters.branching)),
                    ("values", json!(values_word(parameters.values))),
                    ("most", json!(parameters.most)),
                    ("ordering", json!(ordering_word(parameters.ordering))),
                    ("seed", json!(parameters.seed)),
                ];
                keys.extend(bounds.map(|slack| ("bounds", json!(slack))));
                keys.push(("lattice", json!({"type": "chain"})));
                keys
            }
            Self::Hexapawn(game, lattice) => vec![
                ("game", json!("hexapawn")),
                ("columns", json!(game.columns())),
                ("rows", json!(game.rows())),
                ("lattice", json!({"type": lattice.word()})),
            ],
        };
        let keys = std::iter::once(("format", format)).chain(keys);
        let keys: Vec<String> = keys
            .map(|(key, value)| format!("\"{key}\":{value}"))
            .collect();
        format!("{{{}}}\n", keys.join(","))
    }
}

/// The set lattice over so many worlds.
fn lattice_of(lattice: SetLattice, worlds: usize) -> AnyLattice {
    match lattice {
        SetLattice::Powerset => AnyLattice::powerset(worlds),
        SetLattice::Families => AnyLattice::families(worlds),
    }
}

/// The problem of a random graph; its nodes are named by their numbers.
fn explicit_random(
    parameters: RandomParameters,
    lattice: SetLattice,
) -> Result<Problem<AnyLattice>, String> {
    let dag = RandomDag::new(parameters).map_err(sentence)?;
    let lattice = lattice_of(lattice, dag.variables());
    let (graph, values) = dag.into_parts(|set| lattice.set(set));
    let values = values.into_iter().flatten().collect();
    let names = numbers(&graph);
    Problem::new(graph, names, lattice, values).map_err(sentence)
}

/// The numbers of nodes as their names.
fn numbers(graph: &Graph) -> Vec<NodeName> {
    let numbers = graph.nodes().map(|node| i64::from(u32::from(node)));
    numbers.map(NodeName::Int).collect()
}

/// An outcome from its numbers.
fn outcome(numbers: &[i64]) -> ElemOf<OutcomeVectors> {
    numbers.iter().copied().map(Extended::Finite).collect()
}

/// The problem of a tree with several criteria, over a lattice; its nodes are named by their numbers.
fn explicit_criteria(
    parameters: CriteriaParameters,
    lattice: CriteriaLattice,
) -> Result<Problem<AnyLattice>, String> {
    let tree = CriteriaTree::new(parameters).map_err(sentence)?;
    let criteria = tree.criteria();
    let chain = || {
        let ends = [0, i64::from(parameters.most)].map(Extended::Finite);
        Chain::new(ends[0], ends[1]).unwrap_or_else(Chain::unbounded)
    };
    let lattice = match lattice {
        CriteriaLattice::Dominance => return Err(LatticeError::Dominance.to_string()),
        CriteriaLattice::Free => AnyLattice::Free(FreeLattice::of_vectors(criteria)),
        CriteriaLattice::Product => {
            AnyLattice::Product(Product::power(AnyLattice::Integers(chain()), criteria))
        }
    };
    let budget = Budget::unlimited();
    let value = |numbers: &[i64]| {
        if let AnyLattice::Free(free) = &lattice {
            let packet = free.packet([outcome(numbers)], &budget).map_err(sentence)?;
            return Ok(AnyElem::Free(free.principal(packet)));
        }
        let numbers = numbers
            .iter()
            .map(|&number| AnyElem::Integer(Extended::Finite(number)));
        Ok(AnyElem::Tuple(numbers.collect()))
    };
    let (graph, values) = tree.into_parts(value);
    let values = values.into_iter().collect::<Result<_, String>>()?;
    let names = numbers(&graph);
    Problem::new(graph, names, lattice, values).map_err(sentence)
}

/// The problem of a uniform tree, with bounds as loose as `slack` if there is one; its nodes are named by their numbers. The bounds are
/// drawn with the seed of the tree.
fn explicit_uniform(
    parameters: UniformParameters,
    slack: Option<u32>,
) -> Result<Problem<AnyLattice>, String> {
    let tree = UniformTree::new(parameters).map_err(sentence)?;
    let bounds = slack.map(|slack| tree.bounds(slack, parameters.seed));
    let integer = |number| AnyElem::Integer(Extended::Finite(number));
    let (graph, values) = tree.into_parts(integer);
    let names = numbers(&graph);
    let lattice = AnyLattice::Integers(Chain::unbounded());
    let problem = Problem::new(graph, names, lattice, values).map_err(sentence)?;
    let Some(bounds) = bounds else {
        return Ok(problem);
    };
    let bounds = bounds
        .into_iter()
        .map(|(lower, upper)| Interval::new(integer(lower), integer(upper)));
    Ok(problem.with_bounds((0..).map(NodeId::from).zip(bounds)))
}

/// The problem of a deal; its nodes are named by their positions, its worlds by the hands.
fn explicit_racing(game: &Racing, lattice: SetLattice) -> Result<Problem<AnyLattice>, String> {
    let (graph, positions) = expand_all(game)?;
    let hands = game.hands();
    let lattice = lattice_of(lattice, hands.len());
    let sets = RacingSets::<FixedBitSet>::new(game).map_err(sentence)?;
    let leaves = positions.iter().filter(|p| game.kind(p) == Kind::Leaf);
    let values = leaves.filter_map(|leaf| lattice.set(WorldSet::ones(&sets.leaf(leaf))));
    let values = values.collect();
    let names = positions.iter().map(|position| name(game, position));
    let names = names.collect();
    let problem = Problem::new(graph, names, lattice, values).map_err(sentence)?;
    let worlds = hands.iter().map(|hand| racing::hand_text(hand)).collect();
    Ok(problem.with_worlds(Some(worlds)))
}

fn name(game: &Racing, position: &RacingPosition) -> NodeName {
    let mut name = String::new();
    // Writing to a string cannot fail.
    let _ = game.name(position, &mut name);
    NodeName::from(name.as_str())
}

/// A graph, and what its nodes are in the game.
type Expanded<D> = (Graph, Vec<<D as AndOrDag>::Node>);

/// [`expand`] without a limit.
fn expand_all<D: AndOrDag>(dag: &D) -> Result<Expanded<D>, String> {
    let all = expand(dag, usize::MAX)?;
    Ok(all.unwrap_or_else(|| unreachable!("there are not so many nodes")))
}

/// All nodes that the root reaches, in the order in which a breadth-first walk meets them, and their graph. `None` if they are more than
/// `most`.
pub(crate) fn expand<D: AndOrDag>(dag: &D, most: usize) -> Result<Option<Expanded<D>>, String> {
    let mut nodes = vec![dag.root()];
    let mut numbers = HashMap::from([(dag.root(), NodeId::from(0))]);
    let (mut rows, mut children) = (Rows::new(), Vec::new());
    while let Some(node) = nodes.get(rows.node_count()) {
        if nodes.len() > most {
            return Ok(None);
        }
        let kind = dag.kind(node);
        if kind == Kind::Leaf {
            rows.leaf().map_err(sentence)?;
            continue;
        }
        dag.children(node, &mut children);
        let row = children.drain(..).map(|child: D::Node| {
            *numbers.entry(child).or_insert_with_key(|child| {
                nodes.push(child.clone());
                // `rows` refuses more nodes than there are numbers.
                NodeId::from(nodes.len() as u32 - 1)
            })
        });
        let added = if kind == Kind::Or {
            rows.or(row)
        } else {
            rows.and(row)
        };
        added.map_err(sentence)?;
    }
    let graph = rows.finish(NodeId::from(0)).map_err(sentence)?;
    Ok(Some((graph, nodes)))
}
