//! Board games as problems: explicit, by their rules, and generated, by the moves that a search
//! needs.

use std::sync::Arc;

use clap::Args;
use meetjoin_catalogue::method::Algorithm;
use meetjoin_dag::{AndOrDag, Graph, Kind, Problem, Valuation as _};
use meetjoin_games::{PackedPosition, Playable as _, Quotient};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Chain, Extended};
use meetjoin_search::proof::{Threshold, ThresholdBounds};
use meetjoin_search::{At, Horizon, PositionTables, Tables, Visited};
use meetjoin_solve::answer::{Answer, NodeText};
use meetjoin_solve::compiled::All;
use meetjoin_solve::instance::Instance;
use meetjoin_solve::layered::Layered;
use meetjoin_solve::prove::{self, Claim, Proved};
use meetjoin_solve::request::{CountNodes, PositionCache, Refused, Request};
use meetjoin_solve::run;
use meetjoin_solve::subject::{Subject, most_of_memory, position_name, visited_if_counted};
use meetjoin_solve::value::{Domain, Value, shown};
use meetjoin_solve::view;
use serde::{Deserialize, Serialize};

use crate::game::{Game, MOST_POSITIONS, Made, compact, expand, positions, sentence};
use crate::games::on_boards::any_board::AnyBoard;
use crate::games::on_boards::board::{BoardGame, Number, element};
use crate::games::on_boards::levels::by_rules;
use crate::games::on_boards::moves::Moves;
use crate::games::positions::Positions as Nodes;

/// The arguments of a board game, which are its keys in a problem file.
pub trait BoardArgs: Args + Clone + Serialize + 'static {
    /// The game that they make.
    type Game: BoardGame + Into<AnyBoard>;
    /// Their form where a game is listed: the type itself, or with symmetries [`SymmetryArgs`].
    type Command: Args;

    /// The arguments that were given in that form.
    fn of_command(command: Self::Command) -> Self;

    /// The game from its beginning.
    ///
    /// # Errors
    /// If there is no such board.
    fn start(&self) -> Result<Self::Game, String>;

    /// The moves so far.
    fn moves(&mut self) -> &mut String;

    /// The flag to keep one of several symmetric positions; `None` for games without symmetries.
    fn one_image(&mut self) -> Option<&mut bool> {
        None
    }

    /// The game after the moves so far.
    ///
    /// # Errors
    /// If there is no such board, or a move is not legal.
    fn game(&self) -> Result<Self::Game, String> {
        let moves = std::mem::take(self.clone().moves());
        self.start()?.after(&moves).map_err(sentence)
    }
}

/// The arguments of a game with symmetries.
#[derive(Args, Clone, Debug, Deserialize)]
#[serde(transparent)]
#[allow(missing_docs)] // they would become the help of the command
pub struct SymmetryArgs<A: Args> {
    #[command(flatten)]
    /// The arguments of the game itself, which have it too: there files say it.
    pub game: A,

    /// Keep only one of each set of symmetric positions.
    #[arg(long)]
    #[serde(skip)]
    pub up_to_symmetry: bool,
}

impl<A: BoardArgs> SymmetryArgs<A> {
    /// The arguments of the game itself.
    pub(crate) fn complete(mut self) -> A {
        if let Some(one_image) = self.game.one_image() {
            *one_image |= self.up_to_symmetry;
        }
        self.game
    }
}

/// A board game with its arguments.
struct Board<A> {
    args: A,
    /// The position after the moves.
    game: AnyBoard,
    up_to_symmetry: bool,
}

/// The game of its arguments.
pub(crate) fn made(mut args: impl BoardArgs) -> Made {
    Ok(Box::new(Board {
        game: args.game()?.into(),
        up_to_symmetry: args.one_image().is_some_and(|one_image| *one_image),
        args,
    }))
}

/// A graph with its positions.
fn all_positions<D: AndOrDag>(dag: &D) -> Result<(Graph, Vec<D::Node>), String> {
    let too_many = || {
        format!(
            "the game has more than {MOST_POSITIONS} positions from here on; meetjoin generate --compact and meetjoin solve need no list of them"
        )
    };
    expand(dag, MOST_POSITIONS)?.ok_or_else(too_many)
}

/// The graph of all positions of a game by its rules, or of one of each class of symmetric ones.
fn expanded(game: &AnyBoard, up_to_symmetry: bool) -> Result<(Graph, Vec<PackedPosition>), String> {
    let rules = game.rules();
    if up_to_symmetry {
        all_positions(&Quotient(rules))
    } else {
        all_positions(&rules)
    }
}

/// The explicit problem.
fn problem(game: &AnyBoard, up_to_symmetry: bool) -> Result<Problem<AnyLattice>, String> {
    let (graph, all) = expanded(game, up_to_symmetry)?;
    let number = |value| Extended::Finite(Into::into(value));
    let leaves = all.iter().filter(|p| game.to_move(p) == Kind::Leaf);
    let values = leaves.map(|leaf| AnyElem::Integer(number(game.leaf(leaf))));
    let values = values.collect();
    let lattice = AnyLattice::Integers(whole_numbers(game.lattice()));
    let names = positions(&game.rules(), &all);
    Problem::new(graph, names, lattice, values).map_err(sentence)
}

impl<A: BoardArgs> Game for Board<A> {
    fn compact(&self) -> String {
        compact(self.game.title(), &self.args)
    }

    /// The value of a position does not depend on the moves before it.
    fn compact_from_its_beginning(&self) -> String {
        let mut args = self.args.clone();
        args.moves().clear();
        compact(self.game.title(), &args)
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(expanded(&self.game, self.up_to_symmetry)?.0)
    }

    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        problem(&self.game, self.up_to_symmetry)
    }

    fn layered(&self) -> Result<Arc<dyn Layered>, Refused> {
        let lattice = AnyLattice::Integers(whole_numbers(self.game.lattice()));
        Ok(by_rules(self.game, self.up_to_symmetry, lattice))
    }

    /// Searched by the rules of the game, without an explicit graph.
    fn instance(&self) -> Result<Box<dyn Instance>, Refused> {
        Ok(Box::new(Positions::new(self.game, self.up_to_symmetry)))
    }
}

/// The chain of integers of any size in place of a game's numbers.
fn whole_numbers<T: Number>(chain: &Chain<T>) -> Chain<Extended> {
    let end = |number: T| Extended::Finite(number.into());
    Chain::new(end(*chain.lo()), end(*chain.hi())).unwrap_or_else(Chain::unbounded)
}

/// The positions of a game, ready to be searched.
pub(crate) struct Positions<G: BoardGame> {
    dag: Moves<G>,
    domain: Arc<Domain>,
}

impl<G: BoardGame> Positions<G> {
    pub(crate) fn new(game: G, up_to_symmetry: bool) -> Self {
        let lattice = AnyLattice::Integers(whole_numbers(game.lattice()));
        let worlds = None;
        Self {
            dag: Moves {
                up_to_symmetry,
                ..Moves::of(game)
            },
            domain: Arc::new(Domain { lattice, worlds }),
        }
    }
}

impl<G: BoardGame> Subject for Positions<G> {
    type Dag = Moves<G>;
    type Values = G;
    type Lattice = Chain<G::Number>;
    type Engines = All;
    type Stores = PositionTables;
    type Known<'s>
        = G
    where
        Self: 's;
    type Bounds<'s, 'k>
        = G
    where
        Self: 's,
        's: 'k;
    type Distinct = Visited<G::Node>;

    fn dag(&self) -> &Moves<G> {
        &self.dag
    }

    fn values(&self) -> &G {
        &self.dag.game
    }

    fn stores(&self, cache: PositionCache, budget: &Budget) -> PositionTables {
        let bytes = || most_of_memory(budget, usize::MAX);
        PositionTables {
            bytes: (cache == PositionCache::Forgets).then(bytes),
        }
    }

    fn shared_bytes(&self, cache: PositionCache, budget: &Budget) -> Option<usize> {
        self.stores(cache, budget).bytes
    }

    fn known(&self, _: &Algorithm) -> G {
        self.dag.game
    }

    fn bounds<'s, 'k>(known: &'k G) -> Option<G>
    where
        Self: 's,
        's: 'k,
    {
        Some(*known)
    }

    fn distinct(&self, count: CountNodes, algorithm: &Algorithm) -> Option<Visited<G::Node>> {
        visited_if_counted(count, algorithm)
    }

    fn number(&self, node: &G::Node) -> Option<u128> {
        Some(self.dag.game.number(node))
    }

    fn numbered(&self, number: u128) -> Option<G::Node> {
        Some(self.dag.game.position(number))
    }

    fn name(&self, node: &G::Node) -> NodeText {
        position_name(&self.dag, node)
    }

    fn value(&self, value: &G::Number) -> Value {
        Value::of(element(*value), &self.domain)
    }
}

impl<G: BoardGame> Instance for Positions<G> {
    fn solve(&self, mut request: Request<'_>) -> Result<Answer, Refused> {
        request.count_nodes = request.count_nodes.where_caches_forget(request.budget);
        run::solve(self, request)
    }

    fn prove(&self, claim: Claim<'_>) -> Result<Proved, Refused> {
        let game = self.dag.game;
        let refused = |why: &str| Refused::Problem(why.to_owned());
        let threshold = claim.threshold(&self.domain)?;
        let AnyElem::Integer(Extended::Finite(number)) = threshold else {
            return Err(refused("no game has an infinite value"));
        };
        // Elements of the game's chain are numbers of its type.
        let number = G::Number::try_from(number);
        let number = number.map_err(|_| refused("no game has such a value"))?;
        let claims = Threshold::new(&game, number);
        let bounds = ThresholdBounds::new(game.lattice(), number, game);
        let name = |position: &G::Node| position_name(&self.dag, position);
        let shown = Value::of(element(number), &self.domain);
        prove::decide(&self.dag, &claims, bounds, &name, shown, None, claim)
    }

    fn with_nodes(&self, see: &mut dyn FnMut(&dyn view::Nodes)) -> Result<(), Refused> {
        let game = &self.dag.game;
        let nodes = Nodes::new(
            &self.dag,
            game,
            &self.domain.lattice,
            |position| element(game.leaf(position)),
            |value| Value::of(value.clone(), &self.domain),
        );
        see(&nodes.with_bounds(|position| {
            let bounds = { *game }.bounds(game.lattice(), position, &Budget::unlimited());
            Some(shown(&bounds.ok()??, |bound| element(*bound)))
        }));
        Ok(())
    }
}

/// The positions of a game from its root on, ready to be searched by searches compiled here.
pub fn from_the_root(game: AnyBoard) -> Box<dyn Instance> {
    Box::new(Positions::new(game, false))
}

/// A game that is cut at a depth and evaluated there, with all legal moves or with those that a
/// search needs. (The searches are compiled in the calling crate.)
pub fn to_depth<G: BoardGame + 'static>(game: G, by_rules: bool, depth: u32) -> Box<dyn Instance> {
    Box::new(ToDepth {
        moves: Moves {
            by_rules,
            ..Moves::of(game)
        },
        domain: Positions::new(game, false).domain,
        depth,
    })
}

struct ToDepth<G: BoardGame> {
    moves: Moves<G>,
    domain: Arc<Domain>,
    depth: u32,
}

impl<G: BoardGame> Instance for ToDepth<G> {
    fn solve(&self, request: Request<'_>) -> Result<Answer, Refused> {
        let game = &self.moves.game;
        let judge = |position: &G::Node| game.evaluate(position);
        let horizon = Horizon::new(&self.moves, game, judge, self.depth);
        let domain = &self.domain;
        run::solve_alone(&Judged { horizon, domain }, request)
    }

    fn prove(&self, _: Claim<'_>) -> Result<Proved, Refused> {
        let why = "a game that is judged at a depth has no proof";
        Err(Refused::Problem(why.to_owned()))
    }
}

/// A game that is cut at one depth.
struct Judged<'a, G: BoardGame, F> {
    horizon: Horizon<'a, Moves<G>, G, F>,
    domain: &'a Arc<Domain>,
}

impl<'a, G: BoardGame, F: Fn(&G::Node) -> G::Number> Subject for Judged<'a, G, F> {
    type Dag = Horizon<'a, Moves<G>, G, F>;
    type Values = Horizon<'a, Moves<G>, G, F>;
    type Lattice = Chain<G::Number>;
    type Engines = All;
    type Stores = Tables;
    type Known<'s>
        = ()
    where
        Self: 's;
    type Bounds<'s, 'k>
        = ()
    where
        Self: 's,
        's: 'k;
    type Distinct = Visited<At<G::Node>>;

    fn dag(&self) -> &Self::Dag {
        &self.horizon
    }

    fn values(&self) -> &Self::Values {
        &self.horizon
    }

    fn stores(&self, _: PositionCache, _: &Budget) -> Tables {
        Tables
    }

    fn known(&self, _: &Algorithm) {}

    fn bounds<'s, 'k>((): &'k ()) -> Option<()>
    where
        Self: 's,
        's: 'k,
    {
        None
    }

    fn distinct(&self, count: CountNodes, algorithm: &Algorithm) -> Option<Visited<At<G::Node>>> {
        visited_if_counted(count, algorithm)
    }

    fn name(&self, node: &At<G::Node>) -> NodeText {
        position_name(&self.horizon, node)
    }

    fn value(&self, value: &G::Number) -> Value {
        Value::of(element(*value), self.domain)
    }
}
