//! Board games: one trait for what they have in common, a file for each of them.
//!
//! Idea: a game is solved on the positions that its search wants to see ([`BoardGame`] itself is that graph), and written node by node by its rules
//! ([`BoardGame::Rules`]); both have the same values.

mod connect_four;
mod kalah;
pub(crate) mod settled;
mod tic_tac_toe;

use std::fmt;
use std::hash::Hash;

use meetjoin::dag::{AndOrDag, Graph, Heuristic, Kind, Problem, Valuation};
use meetjoin::file::{GameFile, ProblemError};
use meetjoin::games::{Playable, Quotient, StaticEvaluation, Symmetric, TicTacToe};
use meetjoin::lattice::{AnyElem, AnyLattice, Chain, Extended};
use meetjoin::search::proof::{Integer, Threshold, ThresholdBounds};
use meetjoin::search::{BoundedTables, Visited};
use serde_json::{Value, json};

use super::{Game, MOST_POSITIONS, Made, expand, positions, sentence, take_all};
use crate::args::{
    ConnectFourArgs, KalahArgs, LatticeWord, PlayGame, PlayedArgs, SymmetryArgs, TicTacToeArgs,
};
use crate::failure::Failure;
use crate::play;
use crate::prove::{self, Asked};
use crate::solve::{self, Request};
use crate::subject::Subject;

/// A number that values are made of.
pub(crate) trait Number:
    Integer + Hash + fmt::Display + Into<i64> + TryFrom<i64> + 'static
{
}
impl Number for i8 {}
impl Number for i16 {}

/// A board game as the commands see it.
pub(crate) trait BoardGame:
    Playable
    + Copy
    + Symmetric
    + Heuristic<Self::Node, Chain<Self::Number>>
    + StaticEvaluation<Self::Node, Lattice = Chain<Self::Number>>
{
    /// What values are.
    type Number: Number;
    /// The game with all legal moves.
    type Rules: Symmetric<Node = Self::Node>;

    /// Its name in files and on the command line.
    const NAME: &'static str;
    /// Whether positions may be images of each other.
    const HAS_SYMMETRY: bool = true;

    /// The game with all legal moves.
    fn rules(&self) -> Self::Rules;

    /// The keys that it has in a problem file besides its name, its moves and its lattice.
    fn keys(&self) -> Vec<(&'static str, Value)>;

    /// The same game with values between which evaluations fit.
    fn judged(self) -> Self {
        self
    }

    /// The value in this game of what has that value in the [`judged`](Self::judged) one.
    fn plain(&self, judged: Self::Number) -> Self::Number {
        judged
    }

    /// Whether only games that are over have such a value in the judged game. What a search to a limited depth finds is then the value itself:
    /// who can win within the horizon wins, and nobody wins sooner beyond it.
    fn is_decided(&self, _judged: Self::Number) -> bool {
        false
    }

    /// What a value means, for people.
    fn meaning(&self, value: Self::Number) -> String;
}

/// A board game, its moves so far, and how it is to be seen.
struct Board<G> {
    /// At the position after the moves.
    game: G,
    moves: String,
    up_to_symmetry: bool,
}

fn board<G: BoardGame + 'static>(game: G, moves: &str, up_to_symmetry: bool) -> Made {
    Ok(Box::new(Board {
        game: game.after(moves).map_err(sentence)?,
        moves: moves.to_owned(),
        up_to_symmetry,
    }))
}

/// Makes a board game of the command line.
pub(super) fn connect_four(args: &SymmetryArgs<ConnectFourArgs>) -> Made {
    let game = connect_four::game(&args.game)?;
    board(game, &args.game.moves, args.up_to_symmetry)
}

/// The same for Kalah.
pub(super) fn kalah(args: &KalahArgs) -> Made {
    board(kalah::game(args)?, &args.moves, false)
}

/// The same for tic-tac-toe.
pub(super) fn tic_tac_toe(args: &SymmetryArgs<TicTacToeArgs>) -> Made {
    board(TicTacToe::new(), &args.game.moves, args.up_to_symmetry)
}

pub(super) use connect_four::read as read_connect_four;
pub(super) use kalah::read as read_kalah;
pub(super) use tic_tac_toe::read as read_tic_tac_toe;

/// `meetjoin play`.
pub(crate) fn play(game: &PlayGame) -> Result<(), Failure> {
    match game {
        PlayGame::ConnectFour(PlayedArgs { game, play }) => {
            let empty = connect_four::game(game).map_err(Failure::Input)?;
            play::run(empty, &game.moves, play)
        }
        PlayGame::Kalah(PlayedArgs { game, play }) => {
            let start = kalah::game(game).map_err(Failure::Input)?;
            play::run(start, &game.moves, play)
        }
        PlayGame::TicTacToe(PlayedArgs { game, play }) => {
            play::run(TicTacToe::new(), &game.moves, play)
        }
    }
}

/// Takes the keys that all board games have; `take` takes the others.
fn read<G: BoardGame + 'static>(
    file: GameFile,
    take: impl FnOnce(&mut GameFile) -> Result<Result<G, String>, ProblemError>,
) -> Made {
    let (game, moves, up_to_symmetry) = take_all(file, |file| {
        let game = take(file)?;
        let moves: Option<String> = file.take_optional("moves")?;
        let up_to_symmetry: Option<bool> = if G::HAS_SYMMETRY {
            file.take_optional("up_to_symmetry")?
        } else {
            None
        };
        // There is only one.
        let LatticeWord::Chain = super::take_lattice(file)?;
        Ok((game, moves, up_to_symmetry))
    })?;
    let moves = moves.unwrap_or_default();
    board(game?, &moves, up_to_symmetry.unwrap_or(false))
}

impl<G: BoardGame> Board<G> {
    fn with_graph<D: AndOrDag<Node = G::Node>>(dag: &D) -> Result<(Graph, Vec<G::Node>), String> {
        let too_many = || {
            format!(
                "the game has more than {MOST_POSITIONS} positions from here on; meetjoin generate --compact and meetjoin solve need no list of them"
            )
        };
        expand(dag, MOST_POSITIONS)?.ok_or_else(too_many)
    }

    fn expanded(&self) -> Result<(Graph, Vec<G::Node>), String> {
        let rules = self.game.rules();
        if self.up_to_symmetry {
            Self::with_graph(&Quotient(rules))
        } else {
            Self::with_graph(&rules)
        }
    }
}

impl<G: BoardGame> Game for Board<G> {
    fn keys(&self) -> Vec<(&'static str, Value)> {
        let mut keys = vec![("game", json!(G::NAME))];
        keys.extend(self.game.keys());
        keys.push(("moves", json!(self.moves)));
        if self.up_to_symmetry {
            keys.push(("up_to_symmetry", json!(true)));
        }
        keys.push(("lattice", super::lattice_key("chain")));
        keys
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(self.expanded()?.0)
    }

    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        let (graph, all) = self.expanded()?;
        let number = |value: G::Number| Extended::Finite(value.into());
        let game = &self.game;
        let leaves = all.iter().filter(|p| game.to_move(p) == Kind::Leaf);
        let values = leaves.map(|leaf| AnyElem::Integer(number(game.leaf(leaf))));
        let values = values.collect();
        let lattice = AnyLattice::Integers(whole_numbers(game.lattice()));
        let names = positions(&game.rules(), &all);
        Problem::new(graph, names, lattice, values).map_err(sentence)
    }

    /// By the rules of the game, position by position.
    fn prove(&self, asked: &Asked<'_>) -> Result<(), Failure> {
        let game = self.game;
        let any = AnyLattice::Integers(whole_numbers(game.lattice()));
        let AnyElem::Integer(Extended::Finite(number)) = asked.threshold(&any)? else {
            return Err(asked.refused("no game has an infinite value"));
        };
        // What is in the chain of the game is a number of its type.
        let number = G::Number::try_from(number);
        let number = number.map_err(|_| asked.refused("no game has such a value"))?;
        let claim = Threshold::new(&game, number);
        let bounds = ThresholdBounds::new(game.lattice(), number, game);
        let name = |position: &G::Node| {
            let mut name = String::new();
            // Writing to a string cannot fail.
            let _ = game.name(position, &mut name);
            Value::from(name)
        };
        let shown = prove::Shown {
            written: number.to_string(),
            readable: number.to_string(),
        };
        if self.up_to_symmetry {
            prove::decide(&Quotient(game), &claim, bounds, name, &shown, None, asked)
        } else {
            prove::decide(&game, &claim, bounds, name, &shown, None, asked)
        }
    }

    /// By the rules of the game, position by position.
    fn solve(&self, request: &Request<'_>) -> Result<(), Failure> {
        request.without_families()?;
        let game = self.game;
        let tables = BoundedTables {
            bytes: request.table_bytes(),
        };
        let counts = request.counts_nodes(tables.bytes == usize::MAX);
        if self.up_to_symmetry {
            let dag = Quotient(game);
            let subject = Positions {
                dag,
                game,
                tables,
                counts,
            };
            search(&subject, request)
        } else {
            let dag = game;
            let subject = Positions {
                dag,
                game,
                tables,
                counts,
            };
            search(&subject, request)
        }
    }
}

/// Searches positions by any algorithm for integers.
fn search<D, G>(subject: &Positions<D, G>, request: &Request<'_>) -> Result<(), Failure>
where
    D: AndOrDag<Node = G::Node>,
    G: BoardGame,
{
    if request.by_claims() {
        solve::solve(subject, request, &prove::integers)
    } else {
        solve::solve(subject, request, &solve::total_order)
    }
}

/// Numbers of any size in place of those of a game.
fn whole_numbers<T: Number>(chain: &Chain<T>) -> Chain<Extended> {
    let end = |number: T| Extended::Finite(number.into());
    Chain::new(end(*chain.lo()), end(*chain.hi())).unwrap_or_else(Chain::unbounded)
}

/// The positions of a game, or of its quotient.
pub(crate) struct Positions<D, G> {
    pub(crate) dag: D,
    pub(crate) game: G,
    pub(crate) tables: BoundedTables,
    /// Whether distinct positions may be counted, which takes memory.
    pub(crate) counts: bool,
}

impl<D: AndOrDag, G> AndOrDag for Positions<D, G> {
    type Node = D::Node;

    fn root(&self) -> D::Node {
        self.dag.root()
    }

    #[inline]
    fn kind(&self, node: &D::Node) -> Kind {
        self.dag.kind(node)
    }

    #[inline]
    fn children(&self, node: &D::Node, out: &mut Vec<D::Node>) {
        self.dag.children(node, out);
    }

    fn name(&self, node: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.dag.name(node, out)
    }
}

impl<D, G: BoardGame> Valuation<G::Node> for Positions<D, G> {
    type Lattice = Chain<G::Number>;

    #[inline]
    fn lattice(&self) -> &Chain<G::Number> {
        self.game.lattice()
    }

    #[inline]
    fn leaf(&self, node: &G::Node) -> G::Number {
        self.game.leaf(node)
    }
}

impl<D: AndOrDag<Node = G::Node>, G: BoardGame> Subject for Positions<D, G> {
    type Stores = BoundedTables;
    type Bounds<'s>
        = G
    where
        Self: 's;
    type Distinct = Option<Visited<G::Node>>;

    fn stores(&self) -> BoundedTables {
        self.tables
    }

    fn bounds(&self) -> G {
        self.game
    }

    fn distinct(&self, affordable: bool) -> Option<Visited<G::Node>> {
        (affordable && self.counts).then(Visited::default)
    }

    fn push_node(&self, node: &G::Node, out: &mut String) {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = self.dag.name(node, &mut name);
        out.push_str(&Value::from(name).to_string());
    }

    fn push_value(&self, value: &G::Number, out: &mut String) {
        out.push_str(&value.to_string());
    }

    fn push_readable(&self, value: &G::Number, out: &mut String) {
        self.push_value(value, out);
    }
}
