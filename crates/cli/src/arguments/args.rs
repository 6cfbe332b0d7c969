//! The command line, declared once.

use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::RangedI64ValueParser;
use clap::{Args, Parser, Subcommand};
use meetjoin_bridge::suit::contract::Contract;
use meetjoin_solve::Decider;
use meetjoin_solve::games::racing::RacingArgs;
use meetjoin_solve::games::random::RandomArgs;
use meetjoin_solve::packets::PacketsAlgorithm;
use meetjoin_solve::with_each_board;

use crate::arguments::attacks_args::{AttacksArgs, Generated};
use crate::arguments::cluster_args::ClusterArgs;
use crate::arguments::ending_options::{Player, SuitLength};
use crate::arguments::endings;
use crate::arguments::fault_tree_args::{CutsArgs, SequencesArgs};
use crate::arguments::help_args::{CompletionsArgs, ManArgs};
use crate::arguments::limit_args::{ClockArgs, LimitArgs};
use crate::arguments::search_args::SearchArgs;
use crate::arguments::suit_options::{Lead, Length, Vacant};
use crate::arguments::units::Threads;

/// Exact answers about games, cards, fault trees, attack trees, and all that is an AND-OR graph
/// whose values come from a lattice.
#[derive(Debug, Parser)]
#[command(
    name = "meetjoin",
    version,
    disable_version_flag = true,
    override_usage = "meetjoin <COMMAND> ..\n       meetjoin <COMMAND> --help"
)]
pub(crate) struct CommandLine {
    /// Print the version.
    #[arg(short = 'V', long)]
    pub(crate) version: bool,

    /// With --version: print how the program was built too, for a report of a bug.
    #[arg(short, long, requires = "version")]
    pub(crate) verbose: bool,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the value of a problem's root.
    Solve(SolveArgs),
    /// Solve a deal of racing, the card game with hidden hands (Li et al. 2022).
    Racing(RacingCommand),
    /// Solve a random layered graph (Li et al. 2022).
    Random(RandomCommand),
    /// Find what each move can guarantee where outcomes have several criteria (Dasgupta et al.
    /// 1996).
    Packets(PacketsArgs),
    /// Find the minimal cut sets of a fault tree and the probability of its top event.
    Cuts(CutsArgs),
    /// Find how probable each sequence of the event trees of a model is, and its minimal cut sets.
    Sequences(SequencesArgs),
    /// Find what attacks of an attack tree cost, the fronts of several attributes, and what
    /// defences are worth.
    Attacks(AttacksArgs),
    /// Prove or disprove that the value of a problem's root is at least something.
    Prove(ProveArgs),
    /// Check a certificate: that the value of a problem's root is what somebody says. Nothing is
    /// searched.
    Verify(VerifyArgs),
    /// Write a page that shows a search step by step: the graph, the window in the lattice, the
    /// cuts.
    Trace(TraceArgs),
    /// Play a board game, or find what a position and each of its moves is worth.
    Play(PlayCommand),
    /// Find how to play a suit at bridge, and how often that works.
    Suit(SuitArgs),
    /// Find how to play the last tricks of a deal at bridge, and how often that works.
    ///
    /// Where more than five tricks are left the search ends after ten seconds, unless --max-seconds
    /// or --max-visits says otherwise. With --rules it goes to its end.
    Ending(EndingArgs),
    /// Validate a problem file and print what its graph looks like.
    Check(CheckArgs),
    /// Solve a problem level by level, on many workers and machines.
    Cluster(ClusterArgs),
    /// Write a problem, or its drawing, to standard output.
    Generate(GenerateArgs),
    /// Write a problem file as a binary one, which is mapped into memory and used in place, or as
    /// JSON.
    Convert(ConvertArgs),
    /// List the algorithms: id, what the lattice must be, memory, source.
    Algorithms,
    /// Print what a shell needs to complete command lines.
    Completions(CompletionsArgs),
    /// Write manual pages, one for each command, to a folder.
    #[command(hide = true)]
    Man(ManArgs),
}

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// The problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// Skip validation of a binary problem file; if the file is corrupt, the answer may be wrong.
    #[arg(long)]
    pub(crate) trust: bool,

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

#[derive(Args, Debug)]
pub(crate) struct PacketsArgs {
    /// The problem file, with the lattice type `dominance`; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// How to find the packets.
    #[arg(long, value_enum, default_value = "bottom-up")]
    pub(crate) algorithm: PacketsAlgorithm,

    /// Choose a move by the weighted sum of the criteria; the weights, separated by commas, are
    /// positive integers.
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

    /// Write a certificate of what is guaranteed, the value in the free lattice, to this file, for
    /// `meetjoin verify`. It is searched for after the packets, in the time that is left.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Write every event of procedure F at the root to this file, as JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// A weight as it is read. One that contradicts dominance is refused later, with two outcomes that
/// show it.
fn weight() -> RangedI64ValueParser {
    let most = i64::from(u32::MAX);
    RangedI64ValueParser::new().range(-most..=most)
}

#[derive(Args, Debug)]
pub(crate) struct ProveArgs {
    /// The problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// Skip validation of a binary problem file; if the file is corrupt, the answer may be wrong.
    #[arg(long)]
    pub(crate) trust: bool,

    /// The threshold: a value of the problem's lattice as JSON, which must be join-prime.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) at_least: String,

    /// How to find out.
    #[arg(long, value_enum, default_value = "df-pn")]
    pub(crate) algorithm: Decider,

    /// Search on so many threads instead of one, by df-pn; `all` is as many as the machine has. The
    /// others help after 50 ms. The answer is the same; counters differ from run to run.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) threads: Option<Threads>,

    /// Write the proof, or the disproof, to this file: as a drawing for Graphviz if it ends in
    /// .dot, as a strategy for people if it ends in .txt, as JSON if it ends in .json or in
    /// nothing.
    #[arg(long, value_name = "FILE", value_parser = endings::proof())]
    pub(crate) proof: Option<PathBuf>,

    /// Write the proof, or the disproof, as a certificate to this file, for `meetjoin verify`.
    #[arg(long, value_name = "FILE", conflicts_with = "proof")]
    pub(crate) certificate: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args, Debug)]
pub(crate) struct TraceArgs {
    /// The problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// Skip validation of a binary problem file; if the file is corrupt, the answer may be wrong.
    #[arg(long)]
    pub(crate) trust: bool,

    /// The page: one HTML file that needs no network.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: PathBuf,

    /// Which algorithm, or two separated by a comma, which are shown side by side; see
    /// `meetjoin algorithms`.
    #[arg(long, value_name = "ID[,ID]", value_delimiter = ',', default_value = meetjoin_search::method::DEFAULT.id)]
    pub(crate) algorithm: Vec<String>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// The problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// The certificate.
    pub(crate) certificate: PathBuf,

    /// Print what it shows as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a switch
pub(crate) struct SuitArgs {
    /// North's cards: A K Q J T 9 .. 2 in any order, 10 for T, x for a small one, - for none.
    /// Alone, - reads suits from standard input, one a line: north south, and perhaps the number of
    /// tricks.
    #[arg(allow_hyphen_values = true)]
    pub(crate) north: String,

    /// South's cards.
    #[arg(allow_hyphen_values = true)]
    pub(crate) south: Option<String>,

    /// Find the greatest chance of at least so many tricks.
    #[arg(
        long,
        value_name = "K",
        conflicts_with = "average",
        allow_negative_numbers = true
    )]
    pub(crate) tricks: Option<u8>,

    /// Find the greatest average of tricks.
    #[arg(long)]
    pub(crate) average: bool,

    /// Vacant places of West and East.
    #[arg(long, value_name = "A,B", default_value = "13,13")]
    pub(crate) vacant: Vacant,

    /// Cards that West has.
    #[arg(long, value_name = "CARDS")]
    pub(crate) west: Option<String>,

    /// Cards that East has.
    #[arg(long, value_name = "CARDS")]
    pub(crate) east: Option<String>,

    /// How many cards of the suit West has: a number, or L..M.
    #[arg(long, value_name = "L..M")]
    pub(crate) west_length: Option<Length>,

    /// Only lines that begin with this lead: N or S and the card, as in S2.
    #[arg(long, value_name = "LEAD")]
    pub(crate) lead: Option<Lead>,

    /// Print the best value of each first lead.
    #[arg(long, conflicts_with = "lead")]
    pub(crate) leads: bool,

    /// Print so many of the best lines for the goal, and those that are as good as the last.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) top: Option<NonZero<usize>>,

    /// Compare lines by who takes more tricks: is there one that no other beats?
    #[arg(long, conflicts_with_all = ["tricks", "average", "leads", "top", "imps"])]
    pub(crate) matchpoints: bool,

    /// Compare lines by the swing in IMPs: 4S, 3NT, 6HX (doubled), 2DXX, with V at the end if
    /// vulnerable; --tricks says how many tricks of the suit make it.
    #[arg(long, value_name = "CONTRACT", requires = "tricks", conflicts_with_all = ["leads", "top"])]
    pub(crate) imps: Option<Contract>,

    /// Leads from North that do not follow a trick won by North; leads from South are free.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) entries: Option<u8>,

    /// Cards of North or South that are not to be played.
    #[arg(long, value_name = "CARDS")]
    pub(crate) keep: Option<String>,

    /// Write a page for a browser: the answer, lines whose branches open and close, layouts,
    /// pictures.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["matchpoints", "imps"])]
    pub(crate) html: Option<PathBuf>,

    /// Write a picture (SVG): the best chance of each number of tricks, and the lines.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["matchpoints", "imps"])]
    pub(crate) picture: Option<PathBuf>,

    /// Look the answer up in a book of suits, which `cargo xtask suits` makes. It has no lines.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["west", "east", "west_length", "lead", "leads", "entries", "keep", "top", "table", "matchpoints", "imps", "html", "picture"]
    )]
    pub(crate) book: Option<PathBuf>,

    /// Print the tricks of each line in each layout.
    #[arg(long)]
    pub(crate) table: bool,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args, Debug)]
#[command(
    override_usage = "meetjoin ending --tricks <K> [OPTIONS] <NORTH> <SOUTH> <DEFENDERS>\n       meetjoin ending --tricks <K> [OPTIONS] <FILE>"
)]
pub(crate) struct EndingArgs {
    /// Three hands: North's, South's, and all cards of the defenders as one. A hand has spades,
    /// hearts, diamonds and clubs, with a point between suits: AQ.K.J2. has no clubs. Or one file
    /// with a deal in Portable Bridge Notation, the cards that are left; `-` reads standard input.
    /// There, too, the defenders' cards may be one hand, with - for the other. With --rules a file
    /// in JSON, or the hands by player: "declarer=CJ D10 S10" "left=? -C".
    #[arg(required = true, num_args = 1..=6, value_name = "HANDS")]
    pub(crate) hands: Vec<String>,

    /// Who plays: N, E, S or W. Otherwise the tag Declarer says it, and of hands South.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) declarer: Option<Player>,

    /// Any game of tricks: its name (bridge, whist, skat, hearts, spades, oh-hell), a file with its
    /// rules, or `file` where the ending is a file that has them.
    #[arg(
        long,
        value_name = "RULES",
        conflicts_with_all = ["tricks", "declarer", "west_length", "weights", "html"]
    )]
    pub(crate) rules: Option<String>,

    /// With --rules: the cards that the first player has not seen, as in "SJ HA DA".
    #[arg(long, value_name = "CARDS")]
    pub(crate) unseen: Option<String>,

    /// With --rules: find the greatest chance of so many points, instead of their average.
    #[arg(long, value_name = "POINTS")]
    pub(crate) goal: Option<u32>,

    /// With --rules: points that her side has already, which count for the goal.
    #[arg(long, value_name = "POINTS")]
    pub(crate) before: Option<u32>,

    /// With --rules: no card of the suit that is to be broken was played yet.
    #[arg(long)]
    pub(crate) unbroken: bool,

    /// Find the greatest chance of at least so many tricks.
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) tricks: Option<u8>,

    /// Trumps: S, H, D, C or NT. Otherwise the tag Contract says it; without it there are none.
    /// With --rules a suit, instead of what rules or file say.
    #[arg(long, value_name = "SUIT")]
    pub(crate) trumps: Option<String>,

    /// Who leads to the next trick. Otherwise the tag Play says it; without it declarer. With
    /// --rules a player by name.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) lead: Option<String>,

    /// How many cards of a suit are with the defender who plays before dummy, West if South
    /// declares: S=2, or S=2..4. May be given for several suits.
    #[arg(long, value_name = "SUIT=L..M")]
    pub(crate) west_length: Vec<SuitLength>,

    /// A file with weights of that defender's hands: a line has a hand, as in AQ.K.J2., and its
    /// weight. Other hands weigh nothing.
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,

    /// Also look so many tricks ahead and suppose that all cards are seen then.
    #[arg(long, value_name = "TRICKS", num_args = 0..=1, default_missing_value = "3", allow_negative_numbers = true)]
    pub(crate) alpha_mu: Option<NonZero<u8>>,

    /// Write the answer as a page too: the line, which opens and closes, and the layouts in which
    /// it works.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// The problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// Verify the bounds of inner nodes: are they true, and are they consistent?
    #[arg(long)]
    pub(crate) bounds: bool,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ConvertArgs {
    /// The problem file, JSON or binary; a game is generated. `-` reads standard input.
    pub(crate) from: PathBuf,

    /// The file to write: binary if it ends in .mj, JSON if it ends in .json or in nothing; `-`
    /// writes JSON to standard output.
    #[arg(value_parser = endings::problem())]
    pub(crate) to: PathBuf,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct GenerateArgs {
    /// A problem file to write again or to draw; `-` reads standard input.
    pub(crate) file: Option<PathBuf>,

    /// A fault tree to write as a problem over the free distributive lattice: Open-PSA XML, or text
    /// with one gate a line.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub(crate) from: Option<PathBuf>,

    /// The gate that the fault tree is about.
    #[arg(long, value_name = "GATE", requires = "from")]
    pub(crate) top: Option<String>,

    /// Write a drawing for Graphviz instead of a problem file.
    #[arg(long, global = true)]
    pub(crate) dot: bool,

    /// Write the game's keys instead of its nodes.
    #[arg(long, global = true)]
    pub(crate) compact: bool,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,

    #[command(subcommand)]
    pub(crate) game: Option<Generated>,
}

#[derive(Args, Debug)]
pub(crate) struct PlayCommand {
    #[command(subcommand)]
    pub(crate) game: PlayGame,
}

/// Defines [`PlayGame`].
macro_rules! play_game {
    ([$($(#[$help:meta])* $board:ident: $args:ty),*]) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum PlayGame {
            $($(#[$help])* $board(PlayedArgs<$args>),)*
            /// Racing, the card game with hidden hands (Li et al. 2022): against the program, with
            /// what MAX can still make sure of after each card.
            #[command(
                mut_arg("lattice", |lattice| lattice.required(false).default_value("families")),
                mut_arg("max_seconds", |time| time.help("Think so many seconds a move instead of two"))
            )]
            Racing(PlayRacingArgs),
        }
    };
}
with_each_board!(play_game!());

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
    /// Search so many moves ahead and judge what comes then by a static evaluation, instead of
    /// playing to the end.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,

    /// Search on so many threads instead of one; `all` is as many as the machine has. Values are
    /// the same.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) threads: Option<Threads>,

    /// Play against the program.
    #[arg(long)]
    pub(crate) interactive: bool,

    /// Whom you play, if not who is to move first.
    #[arg(long, value_enum, requires = "interactive")]
    pub(crate) side: Option<SideWord>,

    /// Write a picture (SVG) of the position, with what each move is worth: of Connect Four.
    #[arg(long, value_name = "FILE", conflicts_with = "interactive")]
    pub(crate) picture: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long, conflicts_with = "interactive")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// A deal of racing that is to be played.
#[derive(Args, Debug)]
pub(crate) struct PlayRacingArgs {
    #[command(flatten)]
    pub(crate) deal: RacingArgs,

    /// Whom you play: MIN, who sees both hands, or MAX, who sees her own.
    #[arg(long, value_enum, default_value = "min")]
    pub(crate) side: SideWord,

    /// The cards that MIN holds, the lead among them; otherwise they are drawn.
    #[arg(
        long,
        value_name = "CARDS",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    pub(crate) min_hand: Option<Vec<u8>>,

    /// Seed of that draw.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    pub(crate) min_seed: u64,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SideWord {
    /// MAX, who begins a game on a board.
    Max,
    /// MIN.
    Min,
}
