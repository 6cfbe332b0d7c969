//! What can be asked of an attack tree.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use meetjoin_attacks::{AttackTreeParameters, Attribute};
use meetjoin_solve::games::GameArgs;

use crate::arguments::limit_args::ClockArgs;

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // they are flags
pub(crate) struct AttacksArgs {
    /// The attack tree: text with one node a line, XML of ADTool, a fault tree in Open-PSA XML, or
    /// a problem file; `-` reads standard input.
    pub(crate) file: PathBuf,

    /// The gate that it is about, if not the one that nothing uses.
    #[arg(long, value_name = "GATE")]
    pub(crate) top: Option<String>,

    /// What a domain of ADTool is that is not known, by its id or its class: its values add
    /// (sum), the greatest counts (max), or they multiply (product). May be given several times.
    #[arg(long, value_name = "NAME=RULE")]
    pub(crate) attribute: Vec<Attribute>,

    /// Find the vectors of these attributes that no other attack betters, each with an attack.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) pareto: Vec<String>,

    /// Find the best values of these attributes alone; otherwise of all. The first is the one by
    /// which attacks are ordered and defences compared, which otherwise is `cost`.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) best: Vec<String>,

    /// Find what each price of defences leaves the attacker, and the cheapest that stop all
    /// attacks; with several attributes in --pareto also the front for each price.
    #[arg(long)]
    pub(crate) defences: bool,

    /// Find the best defences that cost at most so much.
    #[arg(long, value_name = "PRICE", allow_negative_numbers = true)]
    pub(crate) budget: Option<f64>,

    /// Find the cheapest defences that stop all attacks that are at least as good as this.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) stopping: Option<f64>,

    /// Write the minimal attacks.
    #[arg(long)]
    pub(crate) list: bool,

    /// Write so many minimal attacks, the cheapest first.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "list",
        allow_negative_numbers = true
    )]
    pub(crate) cheapest: Option<usize>,

    /// Write a page for a browser: the front, what defences leave, and the tree, in which each
    /// attack can be shown.
    #[arg(long, value_name = "FILE", conflicts_with = "adtool")]
    pub(crate) html: Option<PathBuf>,

    /// Print the answer as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print one table: the front, or what defences leave, or else the attacks.
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,

    /// Print the tree as XML for ADTool; nothing is asked.
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
    /// Gates and actions.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) nodes: u32,

    /// Uses of actions that are replaced by uses of others.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) sharing: u32,

    /// Defences.
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
