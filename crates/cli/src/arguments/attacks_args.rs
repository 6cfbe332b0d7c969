//! What can be asked of an attack tree.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use meetjoin_attacks::{AttackTreeParameters, Attribute};
use meetjoin_problems::games::GameArgs;

use crate::arguments::endings;
use crate::arguments::limit_args::ClockArgs;

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // they are flags
pub(crate) struct AttacksArgs {
    /// The attack tree: text with one node a line, XML of ADTool, a fault tree in Open-PSA XML, or
    /// a problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// The top gate of the tree. The default is the gate that no other node uses.
    #[arg(long, value_name = "GATE")]
    pub(crate) top: Option<String>,

    /// How values of an unknown ADTool domain combine; NAME is its id or class, RULE is sum, max or
    /// product. May be given several times.
    #[arg(long, value_name = "NAME=RULE")]
    pub(crate) attribute: Vec<Attribute>,

    /// Find the Pareto front of these attributes, separated by commas, with an attack for each
    /// point.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) pareto: Vec<String>,

    /// Find the best values of these attributes only, separated by commas. The first one (by
    /// default `cost`) orders attacks and compares defences.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) best: Vec<String>,

    /// Find the attacker's best value for each price of defences, and the cheapest defences that
    /// stop all attacks; with several attributes in --pareto, also the front for each price.
    #[arg(long)]
    pub(crate) defences: bool,

    /// Find the best defences that cost at most PRICE.
    #[arg(long, value_name = "PRICE", allow_negative_numbers = true)]
    pub(crate) budget: Option<f64>,

    /// Find the cheapest defences that stop all attacks with VALUE or a better one.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) stopping: Option<f64>,

    /// Write all minimal attacks.
    #[arg(long)]
    pub(crate) list: bool,

    /// Write the N cheapest minimal attacks, the cheapest first.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "list",
        allow_negative_numbers = true
    )]
    pub(crate) cheapest: Option<usize>,

    /// Also write the answer as an HTML page: the front, the effect of defences, and the tree, in
    /// which each attack can be shown.
    #[arg(long, value_name = "FILE", value_parser = endings::page(), conflicts_with = "adtool")]
    pub(crate) html: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print one table as CSV: the front of --pareto, or the result of --defences, or else the
    /// attacks.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,

    /// Print the tree as XML for ADTool, without solving anything.
    #[arg(long, conflicts_with_all = ["json", "csv", "pareto", "best", "defences", "budget", "stopping", "list", "cheapest"])]
    pub(crate) adtool: bool,

    #[command(flatten)]
    pub(crate) limits: ClockArgs,
}

/// What can be generated.
#[derive(Debug, Subcommand)]
pub(crate) enum Generated {
    #[command(flatten)]
    Game(GameArgs),
    /// A random attack tree, as text with one node a line.
    AttackTree(AttackTreeArgs),
}

#[derive(Args, Debug)]
pub(crate) struct AttackTreeArgs {
    /// Number of gates and actions.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) nodes: u32,

    /// Number of uses of actions to replace by uses of other actions, so that actions are shared.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) sharing: u32,

    /// Number of defences.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) defences: u32,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

impl AttackTreeArgs {
    pub(crate) fn parameters(&self) -> AttackTreeParameters {
        AttackTreeParameters {
            nodes: self.nodes,
            sharing: self.sharing,
            defences: self.defences,
            seed: self.seed,
        }
    }
}
