//! The command line, declared once.

use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::RangedI64ValueParser;
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use meetjoin::lattice::AnyLattice;

use crate::failure::Failure;
use crate::units::{Seconds, Size};

/// Evaluate AND-OR graphs whose values come from a lattice: AND is meet, OR is join.
#[derive(Debug, Parser)]
#[command(name = "meetjoin", version, about)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the value of a problem's root.
    Solve(SolveArgs),
    /// Solve a deal of racing, the card game with hidden hands (Li et al. 2022).
    Racing(RacingCommand),
    /// Solve a random layered graph (Li et al. 2022).
    Random(RandomCommand),
    /// Find what each move can guarantee where outcomes have several criteria (Dasgupta et al. 1996).
    Packets(PacketsArgs),
    /// Prove or disprove that the value of a problem's root is at least something.
    Prove(ProveArgs),
    /// Play a board game, or find what a position and each of its moves is worth.
    Play(PlayCommand),
    /// Validate a problem file and print what its graph looks like.
    Check(CheckArgs),
    /// Write a problem, or its drawing, to standard output.
    Generate(GenerateArgs),
    /// List the algorithms: id, what the lattice must be, memory, source.
    Algorithms,
}

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// The problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RacingCommand {
    #[command(flatten)]
    pub(crate) game: RacingArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RandomCommand {
    #[command(flatten)]
    pub(crate) game: RandomArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// How to search, and what to print.
#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// Which algorithm; see `meetjoin algorithms`.
    #[arg(long, value_name = "ID", default_value = meetjoin::search::catalogue::DEFAULT)]
    pub(crate) algorithm: String,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the value of each child of the root too.
    #[arg(long)]
    pub(crate) moves: bool,

    /// Write every event of the search to this file, as JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,

    /// Count distinct nodes in a game even if the algorithm has no cache; that takes memory and time.
    #[arg(long)]
    pub(crate) count_nodes: bool,

    /// Leave out parts of the default algorithm. The value stays the same.
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    pub(crate) without: Vec<Part>,

    /// Search families of sets for so many levels only, and take the union of the sets below: bounds of the value.
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with_all = ["algorithm", "moves", "events", "count_nodes", "heaviest", "without"]
    )]
    pub(crate) levels: Option<u32>,

    #[command(flatten)]
    pub(crate) heaviest: HeaviestArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// A part of the default algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Simpler questions first: the union in families of sets, perfect information in racing
    Bounds,
    /// A look at all children before one is visited
    Look,
    /// The child of the best bound first
    Order,
    /// No entries in the cache for nodes that can be reached in one way only
    SharedOnly,
    /// Bounds no longer than the window shows
    Narrow,
}

/// What is asked of a family of sets in place of its value.
#[derive(Args, Debug)]
pub(crate) struct HeaviestArgs {
    /// Find the heaviest set of a value in families of sets, and not the whole value.
    #[arg(long, conflicts_with_all = ["algorithm", "moves", "events", "count_nodes", "without"])]
    pub(crate) heaviest: bool,

    /// So many of the heaviest maximal sets.
    #[arg(
        long,
        value_name = "K",
        requires = "heaviest",
        allow_negative_numbers = true
    )]
    pub(crate) top: Option<NonZero<usize>>,

    /// What the worlds weigh: a JSON list of integers. Without it each weighs 1.
    #[arg(long, value_name = "FILE", requires = "heaviest")]
    pub(crate) weights: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[allow(clippy::struct_field_names)] // they name the options
pub(crate) struct LimitArgs {
    /// Stop after so many visits and probes. They do not bound a single lattice operation or product of packets; time and memory do.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_visits: Option<u64>,

    /// Stop after so many seconds of search.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) max_seconds: Option<Seconds>,

    /// Stop when the program uses so much memory: bytes, or a number with K, M, G or T.
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub(crate) max_memory: Option<Size>,
}

#[derive(Args, Debug)]
pub(crate) struct PacketsArgs {
    /// The problem file, with the lattice type `dominance`; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// How to find the packets.
    #[arg(long, value_enum, default_value = "bottom-up")]
    pub(crate) algorithm: PacketsAlgorithm,

    /// Choose a move by the weighted sum of the criteria; the weights, separated by commas, are positive integers.
    #[arg(
        long,
        value_name = "WEIGHTS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = weight()
    )]
    pub(crate) prefer: Option<Vec<i64>>,

    /// Choose a move by these criteria, counted from 1, one after the other; the rest follow.
    #[arg(
        long,
        value_name = "CRITERIA",
        value_delimiter = ',',
        conflicts_with = "prefer"
    )]
    pub(crate) lexicographic: Option<Vec<usize>>,

    /// Print the value of the game in which only this weighted sum counts; a weight may be 0.
    #[arg(
        long,
        value_name = "WEIGHTS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = weight()
    )]
    pub(crate) weigh: Option<Vec<i64>>,

    /// Write every event of procedure F at the root to this file, as JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// A weight as it is read. One that contradicts dominance is refused later, with two outcomes that show it.
fn weight() -> RangedI64ValueParser {
    let most = i64::from(u32::MAX);
    RangedI64ValueParser::new().range(-most..=most)
}

/// How packets are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PacketsAlgorithm {
    /// Every node, without pruning.
    BottomUp,
    /// Procedure F with shallow pruning: exact.
    ProcedureFShallow,
    /// Procedure F with deep pruning: exact as a value of the free lattice only, so packets may be missing or superfluous.
    ProcedureFDeep,
}

impl PacketsAlgorithm {
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::BottomUp => "bottom-up",
            Self::ProcedureFShallow => "procedure-f-shallow",
            Self::ProcedureFDeep => "procedure-f-deep",
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct ProveArgs {
    /// The problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// The threshold: a value of the problem's lattice as JSON, which must be join-prime.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) at_least: String,

    /// How to find out.
    #[arg(long, value_enum, default_value = "df-pn")]
    pub(crate) algorithm: ProveAlgorithm,

    /// Write the proof, or the disproof, to this file: as a drawing for Graphviz if it ends in .dot, else as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// How a claim is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ProveAlgorithm {
    /// Depth-first proof-number search, with a table that may forget.
    DfPn,
    /// Proof-number search, with everything in memory.
    ProofNumber,
    /// TEST: depth-first from left to right, with a cache.
    Test,
}

impl ProveAlgorithm {
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::DfPn => "df-pn",
            Self::ProofNumber => "proof-number",
            Self::Test => "test",
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// The problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// Verify the bounds of inner nodes: are they true, and are they consistent?
    #[arg(long)]
    pub(crate) bounds: bool,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct GenerateArgs {
    /// A problem file to write again or to draw; `-` reads standard input.
    pub(crate) file: Option<PathBuf>,

    /// Write a drawing for Graphviz instead of a problem file.
    #[arg(long, global = true)]
    pub(crate) dot: bool,

    /// Write the game's keys instead of its nodes.
    #[arg(long, global = true)]
    pub(crate) compact: bool,

    #[command(subcommand)]
    pub(crate) game: Option<GameArgs>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GameArgs {
    /// Racing, the card game with hidden hands (Li et al. 2022).
    Racing(RacingArgs),
    /// A random layered graph (Li et al. 2022).
    Random(RandomArgs),
    /// A random tree whose outcomes have several criteria.
    Criteria(CriteriaArgs),
    /// A uniform tree whose leaves are integers, alternately MAX's and MIN's.
    Uniform(UniformArgs),
    /// Hexapawn, a chess of pawns in which MAX wants to capture many and to lose few.
    Hexapawn(HexapawnArgs),
    /// Connect Four, on boards of up to 7 columns and 6 rows.
    ConnectFour(SymmetryArgs<ConnectFourArgs>),
    /// Kalah(m, n), a game of sowing seeds (Irving, Donkers, Uiterwijk 2000).
    Kalah(KalahArgs),
    /// Tic-tac-toe.
    TicTacToe(SymmetryArgs<TicTacToeArgs>),
}

#[derive(Args, Debug)]
pub(crate) struct PlayCommand {
    #[command(subcommand)]
    pub(crate) game: PlayGame,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlayGame {
    /// Connect Four, on boards of up to 7 columns and 6 rows.
    ConnectFour(PlayedArgs<ConnectFourArgs>),
    /// Kalah(m, n), a game of sowing seeds (Irving, Donkers, Uiterwijk 2000).
    Kalah(PlayedArgs<KalahArgs>),
    /// Tic-tac-toe.
    TicTacToe(PlayedArgs<TicTacToeArgs>),
}

/// A game that is to be played.
#[derive(Args, Debug)]
pub(crate) struct PlayedArgs<G: Args> {
    #[command(flatten)]
    pub(crate) game: G,

    #[command(flatten)]
    pub(crate) play: PlayArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Search so many moves ahead and judge what comes then by a static evaluation, instead of playing to the end.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,

    /// Play against the program.
    #[arg(long)]
    pub(crate) interactive: bool,

    /// Whom you play, if not who is to move first.
    #[arg(long, value_enum, requires = "interactive")]
    pub(crate) side: Option<SideWord>,

    /// Print the answer as one JSON object.
    #[arg(long, conflicts_with = "interactive")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SideWord {
    /// Who begins the game.
    Max,
    /// The other one.
    Min,
}

/// A game with symmetries.
#[derive(Args, Debug)]
pub(crate) struct SymmetryArgs<G: Args> {
    #[command(flatten)]
    pub(crate) game: G,

    /// Of positions that are images of each other, keep one.
    #[arg(long)]
    pub(crate) up_to_symmetry: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ConnectFourArgs {
    /// Columns of the board.
    #[arg(
        long,
        value_name = "C",
        default_value_t = 7,
        allow_negative_numbers = true
    )]
    pub(crate) columns: u32,

    /// Rows of the board.
    #[arg(
        long,
        value_name = "R",
        default_value_t = 6,
        allow_negative_numbers = true
    )]
    pub(crate) rows: u32,

    /// The columns of the moves so far, one digit each, from 1 on the left: 4453.
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub(crate) moves: String,

    /// What a game is worth.
    #[arg(long, value_enum, default_value = "distance")]
    pub(crate) scoring: ScoringWord,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ScoringWord {
    /// 1 plus the stones that the winner has in hand: more for a sooner win.
    #[default]
    Distance,
    /// 1, 0 or -1.
    Outcome,
}

#[derive(Args, Debug)]
pub(crate) struct KalahArgs {
    /// Pits of each player, m.
    #[arg(
        long,
        value_name = "M",
        default_value_t = 6,
        allow_negative_numbers = true
    )]
    pub(crate) pits: u32,

    /// Seeds in each pit, n.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        allow_negative_numbers = true
    )]
    pub(crate) seeds: u32,

    /// The pits of the moves so far, one digit each, from 1 for the one farthest from the mover's store: 362.
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub(crate) moves: String,

    /// When a last seed that falls into an own empty pit goes to the store with all seeds opposite.
    #[arg(long, value_enum, default_value = "always")]
    pub(crate) capture: CaptureWord,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CaptureWord {
    /// Always.
    #[default]
    Always,
    /// Only if there are seeds opposite.
    Seeds,
}

#[derive(Args, Debug)]
pub(crate) struct TicTacToeArgs {
    /// The cells of the moves so far, one digit each, from 1 to 9, row by row: 519.
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub(crate) moves: String,
}

#[derive(Args, Debug)]
pub(crate) struct RacingArgs {
    /// The deck has the cards 1..D.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(crate) deck: u8,

    /// How many tricks win.
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub(crate) goal: u8,

    /// MAX's cards, separated by commas.
    #[arg(
        long,
        value_name = "CARDS",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    pub(crate) hand: Option<Vec<u8>>,

    /// The card that MIN leads.
    #[arg(long, value_name = "CARD", allow_negative_numbers = true)]
    pub(crate) lead: Option<u8>,

    /// Draw a hand of so many cards, and a lead, instead of naming them.
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) hand_size: Option<u8>,

    /// Seed of that draw.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Where the values live.
    #[arg(long, value_enum)]
    pub(crate) lattice: SetLattice,
}

#[derive(Args, Debug)]
pub(crate) struct RandomArgs {
    /// Layers, d.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(crate) depth: u32,

    /// Children of an inner node, b.
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub(crate) branching: u32,

    /// Variables of which a leaf holds a random set, v.
    #[arg(long, value_name = "V", allow_negative_numbers = true)]
    pub(crate) variables: u32,

    /// OR and AND in alternating layers instead of at random.
    #[arg(long)]
    pub(crate) alternating: bool,

    /// Where the values live.
    #[arg(long, value_enum)]
    pub(crate) lattice: SetLattice,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SetLattice {
    /// Sets of variables or worlds.
    Powerset,
    /// Families of sets of variables or worlds.
    Families,
}

impl SetLattice {
    /// The lattice over so many worlds.
    pub(crate) fn over(self, worlds: usize) -> AnyLattice {
        match self {
            Self::Powerset => AnyLattice::powerset(worlds),
            Self::Families => AnyLattice::families(worlds),
        }
    }

    /// As problem files call it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Powerset => "powerset",
            Self::Families => "families",
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct CriteriaArgs {
    /// Levels below the root.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(crate) depth: u32,

    /// Children of an inner node.
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub(crate) branching: u32,

    /// Criteria of an outcome.
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) criteria: u32,

    /// The largest value of a criterion; the smallest is 0.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) most: u32,

    /// How the criteria of an outcome hang together.
    #[arg(long, value_enum, default_value = "independent")]
    pub(crate) correlation: CorrelationWord,

    /// OR and AND in alternating levels instead of at random.
    #[arg(long)]
    pub(crate) alternating: bool,

    /// What the outcomes are: of the dominance algebra, of the free lattice, or values in a product of chains.
    #[arg(long, value_enum)]
    pub(crate) lattice: CriteriaLattice,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CorrelationWord {
    /// Not at all.
    Independent,
    /// Good in one is good in the others.
    Correlated,
    /// Good in one is bad in the others.
    AntiCorrelated,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CriteriaLattice {
    /// Outcomes of the dominance algebra, for `meetjoin packets`.
    Dominance,
    /// The free distributive lattice over the outcomes.
    Free,
    /// Meet and join in each criterion.
    Product,
}

impl CriteriaLattice {
    /// As problem files call it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Dominance => "dominance",
            Self::Free => "free",
            Self::Product => "product",
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct UniformArgs {
    /// Children of an inner node, b.
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub(crate) branching: u32,

    /// Levels below the root, d.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub(crate) depth: u32,

    /// Where the values of the leaves come from.
    #[arg(long, value_enum, default_value = "independent")]
    pub(crate) values: ValuesWord,

    /// The largest value of a leaf, whose smallest is 0; if incremental, of an edge, whose smallest is -N.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) most: u32,

    /// In which order children stand.
    #[arg(long, value_enum, default_value = "random")]
    pub(crate) ordering: OrderingWord,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// Give inner nodes bounds that are at most so far from their value.
    #[arg(long, value_name = "SLACK", allow_negative_numbers = true)]
    pub(crate) bounds: Option<u32>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ValuesWord {
    /// Each leaf is drawn for itself.
    Independent,
    /// Each edge is drawn, and a leaf is worth the sum along its path.
    Incremental,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OrderingWord {
    /// As they were drawn.
    Random,
    /// Mostly the best one for the player to move first.
    BestFirst,
}

/// The key `lattice` of a game whose values are integers.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LatticeWord {
    Chain,
}

#[derive(Args, Debug)]
pub(crate) struct HexapawnArgs {
    /// Columns of the board, and pawns of each player.
    #[arg(
        long,
        value_name = "C",
        default_value_t = 3,
        allow_negative_numbers = true
    )]
    pub(crate) columns: u32,

    /// Rows of the board.
    #[arg(
        long,
        value_name = "R",
        default_value_t = 3,
        allow_negative_numbers = true
    )]
    pub(crate) rows: u32,

    /// What the outcomes (captured, minus lost) are.
    #[arg(long, value_enum)]
    pub(crate) lattice: CriteriaLattice,
}

/// What is wrong with a command line, in one sentence.
pub(crate) fn failure(error: &clap::Error) -> Failure {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // What it displays is the help.
        return Failure::Input("no command is given (see meetjoin --help)".to_owned());
    }
    let text = error.render().to_string();
    // The first paragraph says what is wrong; usage and tips follow after an empty line.
    let first = text.split("\n\n").next().unwrap_or(&text);
    let words: Vec<&str> = first.split_whitespace().collect();
    let sentence = words.join(" ");
    let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
    Failure::Input(format!("{sentence} (see meetjoin --help)"))
}
