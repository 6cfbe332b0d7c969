//! `meetjoin ending --rules`: the last tricks of any game of tricks.

use std::path::Path;

use meetjoin_games::tricks::{GivenRules, TrickEnding, TrickRules, presets};
use meetjoin_lattice::Budget;
use meetjoin_solve::tricks;

use crate::arguments::limit_args::LimitArgs;
use crate::process::failure::Failure;
use crate::process::{input, limits, output};

/// The rules of a game by its name, or from a file.
fn rules(given: &str) -> Result<GivenRules, Failure> {
    if presets::NAMES.contains(&given) {
        return Ok(GivenRules::Named(given.to_owned()));
    }
    let file = Path::new(given);
    if !file.exists() {
        let names = presets::NAMES.join(", ");
        return Err(Failure::Input(format!(
            "{given:?} is no file of rules and no game; games by name are {names}"
        )));
    }
    let rules: TrickRules = read(file)?;
    Ok(GivenRules::All(Box::new(rules)))
}

fn read<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T, Failure> {
    let bytes = input::all_of(file)?;
    serde_json::from_slice(&bytes).map_err(|error| Failure::in_file(file, error))
}

pub(crate) fn run(
    given: &str,
    file: &Path,
    ahead: Option<u32>,
    json: bool,
    limit_args: &LimitArgs,
) -> Result<(), Failure> {
    let limits = limits::of_command(limit_args)?;
    // `file` says that the ending has them itself.
    let named = (given != "file").then(|| rules(given)).transpose()?;
    let mut keys: serde_json::Map<String, serde_json::Value> = read(file)?;
    if keys.get("game").is_some_and(|game| game == "tricks") {
        // A problem file: the lattice makes no difference here.
        for key in ["format", "game", "lattice"] {
            keys.remove(key);
        }
    }
    let ending: TrickEnding =
        serde_json::from_value(keys.into()).map_err(|error| Failure::in_file(file, error))?;
    let game = ending.game(named.as_ref());
    let game = game.map_err(|error| Failure::in_file(file, error))?;
    let budget = Budget::new(limits);
    let answer = limits::searching(|| tricks(game, ahead, &budget));
    let answer = answer.map_err(|error| Failure::in_file(file, error))?;
    output::print(&if json { answer.json() } else { answer.text() })?;
    if answer.stop.is_none() {
        Ok(())
    } else {
        Err(Failure::Stopped)
    }
}
