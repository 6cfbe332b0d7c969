//! Endings of games of tricks in files: rules, hands and unseen cards.

use meetjoin_dag::Stakes;
use meetjoin_games::tricks::{GivenRules, TrickEnding, named};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::game::{Made, lattice_key, sentence};
use crate::games::hidden::of_file;
use crate::games::words::SetLattice;

/// The keys of a file: those of an ending, and the lattice. The command line has no arguments for
/// them.
///
/// They are repeated here, and not flattened into one field: for a flattened struct serde's errors
/// name neither the position of a wrong key nor the key of a wrong value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // the page on games of tricks describes them
pub struct TricksArgs {
    pub rules: GivenRules,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trumps: Option<String>,
    #[serde(deserialize_with = "named")]
    pub hands: BTreeMap<String, String>,
    pub unseen: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<u32>,
    #[serde(default)]
    pub before: u32,
    #[serde(default = "yes")]
    pub broken: bool,
    #[serde(with = "lattice_key")]
    pub lattice: SetLattice,
}

fn yes() -> bool {
    true
}

/// The game of a file.
pub(crate) fn made(keys: TricksArgs) -> Made {
    let ending = TrickEnding {
        rules: Some(keys.rules.clone()),
        trumps: keys.trumps.clone(),
        hands: keys.hands.clone(),
        unseen: keys.unseen.clone(),
        leader: keys.leader.clone(),
        goal: keys.goal,
        before: keys.before,
        broken: keys.broken,
    };
    // Cards are shown by their real names, in every position.
    let game = ending.game(None).map_err(sentence)?.with_real_names();
    let stakes = Stakes::asked(&game, None).map_err(sentence)?;
    let lattice = keys.lattice;
    of_file("tricks", keys, lattice, game, stakes)
}
