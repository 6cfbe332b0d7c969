//! `meetjoin ending --rules`: the last tricks of any game of tricks.

use std::collections::BTreeMap;
use std::path::Path;

use meetjoin_file::{GameFile, object};
use meetjoin_games::tricks::{GivenRules, TrickEnding, TrickError, TrickRules, named, presets};
use meetjoin_lattice::Budget;
use meetjoin_problems::tricks;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::arguments::args::EndingArgs;
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
            "{given:?} is neither a file of rules nor a game; games by name are {names}"
        )));
    }
    let Rules(rules) = read(file)?;
    Ok(GivenRules::All(Box::new(rules)))
}

/// The rules of a file.
#[derive(Deserialize)]
struct Rules(#[serde(deserialize_with = "object")] TrickRules);

fn read<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T, Failure> {
    let bytes = input::all_of(file)?;
    serde_json::from_slice(&bytes).map_err(|error| Failure::in_file(file, error))
}

/// The hands of an ending by player, each as `PLAYER=CARDS`.
fn of_hands(given: &[String]) -> Result<TrickEnding, Failure> {
    let mut hands = BTreeMap::new();
    for hand in given {
        let Some((player, cards)) = hand.split_once('=') else {
            return Err(Failure::Input(format!(
                "{hand:?} is not a hand by player, as in \"declarer=CJ D10\"; with --rules give such hands, or one file"
            )));
        };
        if hands.insert(player.to_owned(), cards.to_owned()).is_some() {
            return Err(Failure::Input(format!("{player} has two hands")));
        }
    }
    Ok(TrickEnding {
        rules: None,
        trumps: None,
        hands,
        unseen: String::new(),
        leader: None,
        goal: None,
        before: 0,
        broken: true,
    })
}

/// The keys of a file, each once.
#[derive(Deserialize)]
struct Keys(#[serde(deserialize_with = "named")] BTreeMap<String, Box<RawValue>>);

fn of_file(file: &Path) -> Result<TrickEnding, Failure> {
    let Keys(mut keys) = read(file)?;
    let game = keys.get("game").map(|game| game.get());
    if game == Some("\"tricks\"") {
        // A problem file: its lattice does not matter here.
        for key in ["format", "game", "lattice"] {
            keys.remove(key);
        }
    }
    let keys = GameFile::new("tricks".to_owned(), keys.into_iter().collect());
    keys.read().map_err(|error| Failure::in_file(file, error))
}

/// Options take precedence over the file.
fn with_options(mut ending: TrickEnding, args: &EndingArgs) -> TrickEnding {
    ending.trumps = args.trumps.clone().or(ending.trumps);
    ending.leader = args.lead.clone().or(ending.leader);
    ending.unseen = args.unseen.clone().unwrap_or(ending.unseen);
    ending.goal = args.goal.or(ending.goal);
    ending.before = args.before.unwrap_or(ending.before);
    ending.broken &= !args.unbroken;
    ending
}

pub(crate) fn run(given: &str, args: &EndingArgs) -> Result<(), Failure> {
    let limits = limits::of_command(&args.limits)?;
    // `file` says that the ending has them itself.
    let named = (given != "file").then(|| rules(given)).transpose()?;
    let file = match args.hands.as_slice() {
        [file] if Path::new(file).exists() => Some(Path::new(file)),
        [one] if !one.contains('=') => {
            return Err(Failure::Input(format!(
                "{one:?} is neither an existing file nor a hand by player, as in \"declarer=CJ D10\""
            )));
        }
        _ => None,
    };
    let ending = match file {
        Some(file) => of_file(file)?,
        None => of_hands(&args.hands)?,
    };
    let wrong = |error: TrickError| Failure::in_some_file(file, error);
    let game = with_options(ending, args)
        .game(named.as_ref())
        .map_err(wrong)?;
    let ahead = args.alpha_mu.map(|tricks| u32::from(tricks.get()));
    let budget = Budget::new(limits);
    let answer = limits::searching(|| tricks(game, ahead, &budget));
    let answer = answer.map_err(|error| Failure::in_some_file(file, error))?;
    output::print_answer(args.json, || answer.json(), || answer.text())?;
    Failure::unless_complete(answer.stop.is_none())
}
