//! The command line, declared once.

use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::RangedI64ValueParser;
use clap::{Args, Parser, Subcommand};
use meetjoin_bridge::suit::request::SuitRequest;
use meetjoin_problems::games::racing::RacingArgs;
use meetjoin_problems::games::random::RandomArgs;
use meetjoin_problems::packets::PacketsAlgorithm;
use meetjoin_problems::with_each_board;
use meetjoin_solve::Decider;

use crate::arguments::attacks_args::{AttacksArgs, Generated};
use crate::arguments::cluster_args::ClusterArgs;
use crate::arguments::ending_options::{Player, SuitLength};
use crate::arguments::endings;
use crate::arguments::fault_tree_args::{CutsArgs, SequencesArgs};
use crate::arguments::help_args::{CompletionsArgs, ManArgs};
use crate::arguments::limit_args::{ClockArgs, LimitArgs};
use crate::arguments::search_args::SearchArgs;
use crate::arguments::units::Threads;

/// Exact answers about games, cards, fault trees, attack trees, and any other AND-OR graph with
/// values in a lattice.
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

    /// With --version: also print how the program was built, for bug reports.
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
    /// Analyse event trees: probability and minimal cut sets of each sequence.
    Sequences(SequencesArgs),
    /// Find the best attacks of an attack tree, Pareto fronts of several attributes, and the effect
    /// of defences.
    Attacks(AttacksArgs),
    /// Prove or disprove that the value of a problem's root is at least a threshold.
    Prove(ProveArgs),
    /// Verify a certificate without searching.
    Verify(VerifyArgs),
    /// Write a page that shows a search step by step: the graph, the window in the lattice, the
    /// cuts.
    Trace(TraceArgs),
    /// Play against the program, or find the value of a position and of each of its moves.
    Play(PlayCommand),
    /// Find how to play a suit at bridge, and how often that works.
    Suit(SuitArgs),
    /// Find how to play the last tricks of a deal at bridge, and how often that works.
    ///
    /// At most eight tricks may be left. If more than five are, the search stops after ten seconds
    /// unless --max-seconds or --max-visits is given. With --rules neither limit holds.
    Ending(EndingArgs),
    /// Validate a problem file and print the size and shape of its graph.
    Check(CheckArgs),
    /// Solve a problem level by level, on many workers and machines.
    Cluster(ClusterArgs),
    /// Write a problem, or its drawing, to standard output.
    Generate(GenerateArgs),
    /// Convert a problem file to JSON, or to the binary format, which is mapped into memory and
    /// used in place.
    Convert(ConvertArgs),
    /// List the algorithms: id, requirement on the lattice, memory, source.
    Algorithms,
    /// Print the completion script for a shell.
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

    /// The algorithm.
    #[arg(long, value_enum, default_value = "bottom-up")]
    pub(crate) algorithm: PacketsAlgorithm,

    /// Choose a move by the weighted sum of the criteria; WEIGHTS are positive integers, separated
    /// by commas.
    #[arg(
        long,
        value_name = "WEIGHTS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = weight()
    )]
    pub(crate) prefer: Option<Vec<i64>>,

    /// Choose a move lexicographically: by these criteria in this order, then by the others.
    /// Criteria are counted from 1 and separated by commas.
    #[arg(
        long,
        value_name = "CRITERIA",
        value_delimiter = ',',
        conflicts_with = "prefer"
    )]
    pub(crate) lexicographic: Option<Vec<usize>>,

    /// Print the value of the game in which only this weighted sum counts; weights are separated by
    /// commas and may be 0.
    #[arg(
        long,
        value_name = "WEIGHTS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = weight()
    )]
    pub(crate) weigh: Option<Vec<i64>>,

    /// Write a certificate of the value in the free lattice (the outcomes that are guaranteed) to
    /// this file, for `meetjoin verify`. It is computed after the packets, in the remaining time.
    #[arg(long, value_name = "FILE", value_parser = endings::certificate())]
    pub(crate) certificate: Option<PathBuf>,

    /// Write every event of procedure F at the root to this file, as JSON lines.
    #[arg(long, value_name = "FILE")]
    pub(crate) events: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Also print the algorithm, counters of the search, time and memory, which JSON always has.
    #[arg(short, long)]
    pub(crate) verbose: bool,

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

    /// The threshold, as JSON or as answers print it. It must be join-prime, such as a number or a
    /// single world; for other values the join-primes below them are named.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) at_least: String,

    /// The search algorithm.
    #[arg(long, value_enum, default_value = "df-pn")]
    pub(crate) algorithm: Decider,

    /// Search on N threads instead of one, or on as many as the machine has (`all`); only with
    /// df-pn. All but the first start after 50 ms. The answer is the same; counters differ from run
    /// to run.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) threads: Option<Threads>,

    /// Write the proof or disproof to this file: a drawing for Graphviz (.dot), a strategy in words
    /// (.txt), or JSON (.json, or no extension). Not with --algorithm test.
    #[arg(long, value_name = "FILE", value_parser = endings::proof())]
    pub(crate) proof: Option<PathBuf>,

    /// Write the proof or disproof as a certificate to this file, for `meetjoin verify`.
    #[arg(long, value_name = "FILE", value_parser = endings::certificate(), conflicts_with = "proof")]
    pub(crate) certificate: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Also print the algorithm, counters of the search, time and memory, which JSON always has.
    #[arg(short, long)]
    pub(crate) verbose: bool,

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

    /// Write the page to this file: HTML that needs no network.
    #[arg(long, value_name = "FILE", value_parser = endings::page())]
    pub(crate) html: PathBuf,

    /// The algorithm, or two separated by a comma to show side by side; see `meetjoin algorithms`.
    #[arg(long, value_name = "ID[,ID]", value_delimiter = ',', default_value = meetjoin_catalogue::method::DEFAULT.id)]
    pub(crate) algorithm: Vec<String>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// The problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// The certificate file.
    pub(crate) certificate: PathBuf,

    /// Print what the certificate proves as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args, Debug)]
pub(crate) struct SuitArgs {
    #[command(flatten)]
    pub(crate) request: SuitRequest,

    /// Also write the answer as an HTML page: lines whose branches open and close, layouts,
    /// pictures.
    #[arg(long, value_name = "FILE", value_parser = endings::page(), conflicts_with_all = ["matchpoints", "imps"])]
    pub(crate) html: Option<PathBuf>,

    /// Write a picture (SVG): the best chance of each number of tricks, and the lines.
    #[arg(long, value_name = "FILE", value_parser = endings::picture(), conflicts_with_all = ["matchpoints", "imps"])]
    pub(crate) picture: Option<PathBuf>,

    /// Look the answer up in this book of suits, as made by `cargo xtask suits`. Books contain no
    /// lines.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["west", "east", "west_length", "lead", "leads", "entries", "keep", "top", "table", "matchpoints", "imps", "html", "picture"]
    )]
    pub(crate) book: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args, Debug)]
#[command(
    override_usage = "meetjoin ending --tricks <K> [OPTIONS] <HANDS>...\n       meetjoin ending --rules <RULES> [OPTIONS] <HANDS>..."
)]
pub(crate) struct EndingArgs {
    /// Three hands: North's, South's, and all cards of both defenders. A hand is spades, hearts,
    /// diamonds and clubs, separated by points: AQ.K.J2. has no clubs. Or one file with the
    /// remaining cards of a deal in Portable Bridge Notation, in which one defender may hold all
    /// cards of both, and the other -; `-` reads standard input. With --rules: one JSON file, or
    /// hands by player, as in "declarer=CJ D10 S10" "left=? -C".
    #[arg(required = true, num_args = 1..=6, value_name = "HANDS")]
    pub(crate) hands: Vec<String>,

    /// Declarer: N, E, S or W. The default is the tag Declarer of the file, or South for hands on
    /// the command line.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) declarer: Option<Player>,

    /// Solve an ending of any trick-taking game: its name (bridge, whist, skat, hearts, spades,
    /// oh-hell), a file with its rules, or `file` if the file of the ending contains them.
    #[arg(
        long,
        value_name = "RULES",
        conflicts_with_all = ["tricks", "declarer", "west_length", "weights", "html"]
    )]
    pub(crate) rules: Option<String>,

    /// With --rules: the cards that the first player has not seen, as in "SJ HA DA".
    #[arg(long, value_name = "CARDS")]
    pub(crate) unseen: Option<String>,

    /// With --rules: find the greatest chance of reaching this goal, in points, instead of the best
    /// average.
    #[arg(long, value_name = "POINTS")]
    pub(crate) goal: Option<u32>,

    /// With --rules: points that the first player's side already has, which count towards the goal.
    #[arg(long, value_name = "POINTS")]
    pub(crate) before: Option<u32>,

    /// With --rules: no card of the suit that must be broken before it is led has been played yet.
    #[arg(long)]
    pub(crate) unbroken: bool,

    /// Find the greatest chance of at least K tricks.
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) tricks: Option<u8>,

    /// Trumps: S, H, D, C or NT. The default is the tag Contract of the file, or else NT. With
    /// --rules: a suit, in place of the one in the rules or the file.
    #[arg(long, value_name = "SUIT")]
    pub(crate) trumps: Option<String>,

    /// The player who leads to the next trick: N, E, S or W. The default is the tag Play of the
    /// file, or else declarer. With --rules: the name of a player.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) lead: Option<String>,

    /// Number of cards of a suit that the defender before dummy holds (West if South declares):
    /// S=2, or S=2..4. May be given for several suits.
    #[arg(long, value_name = "SUIT=L..M")]
    pub(crate) west_length: Vec<SuitLength>,

    /// A file with weights of the possible hands of the defender before dummy: on each line a hand,
    /// as in AQ.K.J2., and its weight. Hands that are not listed have weight 0.
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,

    /// Also run alpha-mu, which looks TRICKS tricks ahead (3 if no number is given) and assumes
    /// that from then on all cards are seen.
    #[arg(long, value_name = "TRICKS", num_args = 0..=1, default_missing_value = "3", allow_negative_numbers = true)]
    pub(crate) alpha_mu: Option<NonZero<u8>>,

    /// Also write the answer as an HTML page: the line, whose branches open and close, and the
    /// layouts in which it works.
    #[arg(long, value_name = "FILE", value_parser = endings::page())]
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
    /// The problem file, JSON or binary; if it names a game, all nodes of the game are written. `-`
    /// reads standard input.
    pub(crate) from: PathBuf,

    /// The file to write: binary (.mj), or JSON (.json, or no extension); `-` writes JSON to
    /// standard output.
    #[arg(value_parser = endings::problem())]
    pub(crate) to: PathBuf,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct GenerateArgs {
    /// A problem file to rewrite, or to draw with --dot; `-` reads standard input.
    pub(crate) file: Option<PathBuf>,

    /// A fault tree to write as a problem over the free distributive lattice: Open-PSA XML, or text
    /// with one gate a line.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub(crate) from: Option<PathBuf>,

    /// The top gate of the fault tree. The default is the gate that is no other's argument.
    #[arg(long, value_name = "GATE", requires = "from")]
    pub(crate) top: Option<String>,

    /// Write a drawing for Graphviz instead of a problem file.
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) dot: bool,

    /// Write a compact file: the game's arguments instead of its nodes.
    #[arg(long, global = true, help_heading = "Output")]
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
            /// Racing, the card game with hidden hands (Li et al. 2022), against the program; after
            /// each card it shows what MAX can still guarantee.
            #[command(
                mut_arg("lattice", |lattice| lattice.required(false).default_value("families")),
                mut_arg("max_seconds", |time| time.help("Think for S seconds per move, instead of two"))
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
    /// Search N moves ahead, then use a static evaluation, instead of searching to the end of the
    /// game.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,

    /// Search on N threads instead of one, or on as many as the machine has (`all`). Values are the
    /// same.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) threads: Option<Threads>,

    /// Play against the program, which thinks for two seconds per move unless --max-seconds or
    /// --depth is given.
    #[arg(long)]
    pub(crate) interactive: bool,

    /// The side that you play. The default is the player to move.
    #[arg(long, value_enum, requires = "interactive")]
    pub(crate) side: Option<SideWord>,

    /// Write a picture (SVG) of the position with the value of each move. Only for Connect Four.
    #[arg(long, value_name = "FILE", value_parser = endings::picture(), conflicts_with = "interactive")]
    pub(crate) picture: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long, conflicts_with = "interactive")]
    pub(crate) json: bool,

    /// Also print counters of the search, time and memory, which JSON always has.
    #[arg(short, long, conflicts_with = "interactive")]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// A deal of racing that is to be played.
#[derive(Args, Debug)]
pub(crate) struct PlayRacingArgs {
    #[command(flatten)]
    pub(crate) deal: RacingArgs,

    /// The side that you play: MIN, who sees both hands, or MAX, who sees only her own.
    #[arg(long, value_enum, default_value = "min")]
    pub(crate) side: SideWord,

    /// MIN's cards, including the lead, separated by commas. By default they are drawn at random.
    #[arg(
        long,
        value_name = "CARDS",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    pub(crate) min_hand: Option<Vec<u8>>,

    /// Seed for drawing MIN's cards.
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
    /// MAX, who moves first in board games.
    Max,
    /// MIN.
    Min,
}
