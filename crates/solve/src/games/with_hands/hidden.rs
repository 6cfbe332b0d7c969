//! Any game with hidden cards, ready to be searched, and the file of one: a public tree with worlds
//! by move.
//!
//! Idea: a game is listed with all its positions and is then a problem like any other, so nothing
//! is compiled for it but its rules. What it adds is what its worlds weigh. In a file everything is
//! read piece by piece, so that a mistake is told with the name of the position or the draw.

use meetjoin_dag::hidden::listed::{NotListed, listed};
use meetjoin_dag::{
    Graph, HiddenError, HiddenGame, HiddenTree, HiddenTreeBuilder, NodeName, Problem, Stakes,
};
use meetjoin_lattice::{AnyLattice, Budget};
use meetjoin_report::counted;
use meetjoin_search::method::Algorithm;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::answers::answer::Answer;
use crate::answers::request::{Refused, Request};
use crate::asked::heaviest::{Heaviest, HeaviestRequest};
use crate::asked::prove::{Claim, Proved};
use crate::games::words::SetLattice;
use crate::instances::explicit::explicit;
use crate::instances::game::{Game, Made, compact, lattice_key, sentence};
use crate::instances::instance::Instance;
use crate::nodes::view::Nodes;

/// The most stakes that a value has: a bit each.
const MOST_STAKES: u64 = 1 << 24;

/// What can be won in a game: every point, or, if there are any, only these numbers of points and
/// more.
///
/// # Errors
/// If they are too many, or a goal is out of reach.
pub fn stakes<G: HiddenGame>(game: &G, goals: Option<&[u32]>) -> Result<Stakes, Refused> {
    let most = game.most_points();
    if let Some(goal) = goals.into_iter().flatten().find(|g| **g == 0 || **g > most) {
        let why = format!(
            "the goal of {} is outside 1..{most}",
            counted(*goal, "point")
        );
        return Err(Refused::Problem(why));
    }
    let each = goals.map_or(u64::from(most), |goals| goals.len() as u64);
    let worlds = game.worlds() as u64;
    // All points are looked at, whichever of them are goals.
    if worlds.saturating_mul(each.max(u64::from(most))) > MOST_STAKES {
        return Err(Refused::Problem(format!(
            "{worlds} worlds with up to {most} points each are more than {MOST_STAKES} stakes"
        )));
    }
    Ok(match goals {
        None => Stakes::all(game),
        Some(goals) => Stakes::only(game, |stake| goals.contains(&(stake.more_than + 1))),
    })
}

/// A game ready to be searched by any algorithm. It is listed with all its positions within the
/// budget; worlds weigh what the game says, unless a request for the heaviest set says otherwise.
///
/// # Errors
/// If it makes no problem: it does not end, or a limit came first.
pub fn hidden<G: HiddenGame>(
    game: &G,
    stakes: &Stakes,
    lattice: SetLattice,
    budget: &Budget,
) -> Result<Box<dyn Instance>, Refused> {
    let problem = problem(game, stakes, lattice, budget).map_err(Refused::Problem)?;
    let weights = stakes.iter().map(|stake| game.weight(stake.world));
    Ok(Box::new(Weighed {
        problem: explicit(problem)?,
        weights: weights.collect(),
        places: (0..game.worlds())
            .map(|world| stakes.of_world(world).len())
            .collect(),
    }))
}

/// A game with all its positions.
fn problem<G: HiddenGame>(
    game: &G,
    stakes: &Stakes,
    lattice: SetLattice,
    budget: &Budget,
) -> Result<Problem<AnyLattice>, String> {
    let in_families = lattice == SetLattice::Families;
    listed(game, stakes, in_families, budget).map_err(|why| match why {
        NotListed::Stopped(stop) => format!("the game was not listed to its end: {stop}"),
        other => other.to_string(),
    })
}

/// A problem whose worlds have weights.
struct Weighed {
    problem: Box<dyn Instance>,
    /// Of each stake.
    weights: Vec<u64>,
    /// How many stakes each world has.
    places: Vec<usize>,
}

impl Instance for Weighed {
    fn admits(&self, algorithm: &Algorithm) -> Result<(), Refused> {
        self.problem.admits(algorithm)
    }

    fn solve(&self, request: Request<'_>) -> Result<Answer, Refused> {
        self.problem.solve(request)
    }

    fn prove(&self, claim: Claim<'_>) -> Result<Proved, Refused> {
        self.problem.prove(claim)
    }

    /// Weights may be given for worlds or for stakes.
    fn heaviest(&self, mut request: HeaviestRequest<'_>) -> Result<Heaviest, Refused> {
        request.weights = Some(match request.weights.take() {
            None => self.weights.clone(),
            Some(of_worlds) if of_worlds.len() == self.places.len() => {
                let worlds = of_worlds.iter().zip(&self.places);
                worlds
                    .flat_map(|(weight, places)| std::iter::repeat_n(*weight, *places))
                    .collect()
            }
            Some(others) => others,
        });
        self.problem.heaviest(request)
    }

    fn with_nodes(&self, see: &mut dyn FnMut(&dyn Nodes)) -> Result<(), Refused> {
        self.problem.with_nodes(see)
    }

    fn to_levels(&self, levels: u32, request: Request<'_>) -> Result<Answer, Refused> {
        self.problem.to_levels(levels, request)
    }
}

/// The keys of a file. Nothing of it can be said on a command line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the page on problem files describes them
pub struct HiddenArgs {
    pub draws: Vec<Raw>,
    pub start: Raw,
    pub positions: Vec<Raw>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_points: Option<Raw>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<Vec<Raw>>,
    #[serde(with = "lattice_key")]
    pub lattice: SetLattice,
}

/// A piece of a file that is looked at later, when it is known where it stands.
#[derive(Clone, Debug)]
pub struct Raw(Box<RawValue>);

/// On one line, whatever the file looked like: what it says is what its digest is of.
impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = without_spaces(self.0.get());
        let same = RawValue::from_string(text).map_err(S::Error::custom)?;
        same.serialize(serializer)
    }
}

/// JSON without spaces between its tokens.
fn without_spaces(json: &str) -> String {
    let (mut in_text, mut escaped) = (false, false);
    let stays = |letter: &char| {
        let stays = in_text || !matches!(letter, ' ' | '\t' | '\n' | '\r');
        if *letter == '"' && !escaped {
            in_text = !in_text;
        }
        escaped = in_text && *letter == '\\' && !escaped;
        stays
    };
    json.chars().filter(stays).collect()
}

impl Default for Raw {
    fn default() -> Self {
        Self(RawValue::NULL.to_owned())
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

impl Raw {
    fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, String> {
        serde_json::from_str(self.0.get()).map_err(|error| {
            let text = error.to_string();
            // The place is one in this piece, not in the file.
            text.split(" at line ").next().unwrap_or(&text).to_owned()
        })
    }

    /// A node: an integer or a text, as in any problem file.
    fn node(&self) -> Result<NodeName, String> {
        match self.read::<Json>()? {
            Json::String(text) => Ok(NodeName::from(text.as_str())),
            Json::Number(number) if number.is_i64() => {
                Ok(NodeName::from(number.as_i64().unwrap_or_default()))
            }
            other => Err(format!("{other} is no id: an integer or a text")),
        }
    }

    /// A whole number within these bits.
    fn number<T: TryFrom<u64>>(&self, what: &str, most: u64) -> Result<T, String> {
        let number = self.read::<Json>()?;
        let fits = number.as_u64().and_then(|number| T::try_from(number).ok());
        fits.ok_or_else(|| format!("the {what} {number} is no whole number from 0 to {most}"))
    }

    fn points(&self, what: &str) -> Result<u32, String> {
        self.number(what, u32::MAX.into())
    }
}

/// A draw: a world.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawKeys {
    name: String,
    weight: Option<Raw>,
}

/// A position: a decision of one player, or an end.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionKeys {
    id: Raw,
    max: Option<Vec<Raw>>,
    min: Option<Vec<Raw>>,
    over: Option<Raw>,
}

/// The id of a position whose other keys are wrong.
#[derive(Deserialize)]
struct IdKey {
    id: Raw,
}

/// A move of MIN.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveKeys {
    to: Raw,
    r#in: Option<Vec<String>>,
}

impl HiddenArgs {
    /// The game, and what can be won in it.
    fn read(&self) -> Result<(HiddenTree, Stakes), String> {
        let (mut names, mut weights) = (Vec::new(), Vec::new());
        for (place, draw) in self.draws.iter().enumerate() {
            let at = |error| format!("draw {}: {error}", place + 1);
            let DrawKeys { name, weight } = draw.read().map_err(at)?;
            let at = |error| format!("draw {name:?}: {error}");
            let weight = weight.map(|weight| weight.number("weight", u64::MAX));
            weights.push(weight.transpose().map_err(at)?.unwrap_or(1));
            names.push(name);
        }
        let mut game = HiddenTreeBuilder::new(names).map_err(sentence)?;
        game.weights(weights).map_err(sentence)?;
        if let Some(most) = &self.most_points {
            game.most_points(most.points("number of points")?);
        }
        for (place, position) in self.positions.iter().enumerate() {
            let id = position.read::<IdKey>().and_then(|keys| keys.id.node());
            let at = |error: String| match &id {
                Ok(id) => format!("position {id:?}: {error}"),
                Err(_) => format!("position {}: {error}", place + 1),
            };
            let keys = position.read::<PositionKeys>().map_err(at)?;
            let id = keys.id.node().map_err(at)?;
            add(&mut game, id, &keys).map_err(|error| match error {
                Wrong::Here(error) => at(error),
                Wrong::Named(error) => error,
            })?;
        }
        let start = self
            .start
            .node()
            .map_err(|error| format!("`start`: {error}"))?;
        let game = game.build(start, &Budget::unlimited()).map_err(sentence)?;
        let goals = self.goals.as_ref().map(|goals| {
            let goals = goals.iter().map(|goal| goal.points("goal"));
            goals.collect::<Result<Vec<u32>, String>>()
        });
        let goals = goals.transpose()?;
        if goals.as_ref().is_some_and(Vec::is_empty) {
            return Err("`goals` has no goal; without it every point counts".to_owned());
        }
        let stakes = stakes(&game, goals.as_deref()).map_err(sentence)?;
        Ok((game, stakes))
    }
}

/// What is wrong with a position.
enum Wrong {
    /// It needs to be said where.
    Here(String),
    /// It says where.
    Named(String),
}

impl From<String> for Wrong {
    fn from(error: String) -> Self {
        Self::Here(error)
    }
}

fn add(game: &mut HiddenTreeBuilder, id: NodeName, keys: &PositionKeys) -> Result<(), Wrong> {
    let worlds = game.worlds().to_vec();
    let added = match (&keys.max, &keys.min, &keys.over) {
        (Some(moves), None, None) => {
            let moves: Result<Vec<NodeName>, String> = moves.iter().map(Raw::node).collect();
            game.max(id, moves?)
        }
        (None, Some(moves), None) => {
            let read = moves.iter().map(|one| {
                let MoveKeys { to, r#in } = one.read()?;
                let to = to.node()?;
                let allowed = r#in.map(|names| {
                    let places = names.iter().map(|name| {
                        let place = worlds.iter().position(|world| world == name);
                        place.ok_or_else(|| {
                            format!("the move to {to:?} is in {name:?}, and no draw has that name")
                        })
                    });
                    places.collect::<Result<Vec<usize>, String>>()
                });
                Ok((to.clone(), allowed.transpose()?))
            });
            let moves = read.collect::<Result<Vec<_>, String>>()?;
            game.min(id, moves)
        }
        (None, None, Some(over)) => {
            let points = if over.0.get().trim_start().starts_with('[') {
                let list: Vec<Raw> = over.read()?;
                let points = list.iter().map(|points| points.points("number of points"));
                points.collect::<Result<Vec<u32>, String>>()?
            } else {
                vec![over.points("number of points")?; worlds.len()]
            };
            game.over(id, points)
        }
        _ => {
            let one = "it needs exactly one of the keys `max`, `min` and `over`";
            return Err(Wrong::Here(one.to_owned()));
        }
    };
    added.map_err(|error| Wrong::Named(error.to_string()))
}

/// A game of a file.
struct HiddenFile {
    keys: HiddenArgs,
    game: HiddenTree,
    stakes: Stakes,
}

/// The game of a file.
pub(crate) fn made(keys: HiddenArgs) -> Made {
    let (game, stakes) = keys.read()?;
    // Sums are those of stakes, of which a world may have several.
    stakes
        .weights(&game)
        .map_err(|error| HiddenError::from(error).to_string())?;
    Ok(Box::new(HiddenFile { keys, game, stakes }))
}

impl Game for HiddenFile {
    fn compact(&self) -> String {
        compact("hidden", &self.keys)
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(self.game.graph().clone())
    }

    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        let free = Budget::unlimited();
        problem(&self.game, &self.stakes, self.keys.lattice, &free)
    }

    fn instance(&self) -> Result<Box<dyn Instance>, Refused> {
        let free = Budget::unlimited();
        hidden(&self.game, &self.stakes, self.keys.lattice, &free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_stay_in_texts_alone() {
        let text = "{ \"a b\" : [1, 2 ],\n\t\"q\\\" \\\\\": \"x y\" , \"z\" : 3}";
        let short = "{\"a b\":[1,2],\"q\\\" \\\\\":\"x y\",\"z\":3}";
        assert_eq!(without_spaces(text), short);
        let read = |text| serde_json::from_str::<Json>(text).expect("JSON");
        assert_eq!(read(text), read(short));
    }
}
