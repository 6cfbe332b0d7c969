//! Games with hidden cards, ready to be searched, and their problem files: public trees with worlds
//! by move.
//!
//! Idea: a game is listed with all its positions and is then an explicit problem like any other, so
//! only its rules are compiled for it. It adds the weights of its worlds. Files are read piece by
//! piece, so that errors name the position or the draw.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use meetjoin_catalogue::method::Algorithm;
use meetjoin_dag::hidden::listed::{NotListed, listed};
use meetjoin_dag::{
    Graph, GraphBuilder, HiddenError, HiddenGame, HiddenTree, HiddenTreeBuilder, HiddenTreeError,
    NodeName, Played, Problem, Stakes,
};
use meetjoin_file::object;
use meetjoin_lattice::{AnyLattice, Budget, Lattice as _, Stop};
use meetjoin_solve::answer::{Answer, Facts};
use meetjoin_solve::explicit::{explicit, weighed};
use meetjoin_solve::heaviest::{Heaviest, HeaviestRequest};
use meetjoin_solve::instance::Instance;
use meetjoin_solve::prove::{Claim, Proved};
use meetjoin_solve::request::{Refused, Request};
use meetjoin_solve::unvisited::unvisited;
use meetjoin_solve::view::Nodes;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use crate::game::{Game, Made, compact, given, lattice_key, sentence};
use crate::games::words::SetLattice;

/// A game ready to be searched by any algorithm. All positions are listed at the first request,
/// within its limits; if these end the listing, nothing is known. Worlds have the game's weights,
/// unless a request for the heaviest set has others.
pub fn hidden<G: HiddenGame + Send + Sync + 'static>(
    game: impl Into<Arc<G>>,
    stakes: Stakes,
    lattice: SetLattice,
) -> Box<dyn Instance> {
    Cards {
        game: game.into(),
        stakes,
        lattice,
    }
    .unlisted()
}

/// A game, its stakes, and whether MAX sees all cards.
struct Cards<G> {
    game: Arc<G>,
    stakes: Stakes,
    lattice: SetLattice,
}

impl<G: HiddenGame + Send + Sync + 'static> Cards<G> {
    /// The explicit problem.
    fn problem(&self, budget: &Budget) -> Result<Problem<AnyLattice>, NotListed> {
        let in_families = self.lattice == SetLattice::Families;
        listed(&*self.game, &self.stakes, in_families, budget)
    }

    fn unlisted(&self) -> Box<dyn Instance> {
        Box::new(Unlisted {
            cards: Self {
                game: Arc::clone(&self.game),
                stakes: self.stakes.clone(),
                ..*self
            },
            listed: OnceCell::new(),
        })
    }
}

/// A game, and the explicit problem once its positions are listed.
struct Unlisted<G> {
    cards: Cards<G>,
    listed: OnceCell<Box<dyn Instance>>,
}

impl<G: HiddenGame + Send + Sync + 'static> Unlisted<G> {
    /// The explicit problem, unless the budget ends the listing.
    fn within(&self, budget: &Budget) -> Result<Result<&dyn Instance, Stop>, Refused> {
        if let Some(listed) = self.listed.get() {
            return Ok(Ok(&**listed));
        }
        let problem = match self.cards.problem(budget) {
            Err(NotListed::Stopped(stop)) => return Ok(Err(stop)),
            problem => problem.map_err(Refused::problem)?,
        };
        let Cards { game, stakes, .. } = &self.cards;
        let of_world = |world| (game.weight(world), stakes.of_world(world).len());
        let listed = weighed(problem, Some((0..game.worlds()).map(of_world).collect()))?;
        Ok(Ok(&**self.listed.get_or_init(|| listed)))
    }

    /// The explicit problem, without limits.
    fn all(&self) -> Result<&dyn Instance, Refused> {
        self.within(&Budget::unlimited())?.map_err(Refused::problem)
    }
}

impl<G: HiddenGame + Send + Sync + 'static> Instance for Unlisted<G> {
    /// The answer depends on the lattice alone.
    fn admits(&self, algorithm: &Algorithm) -> Result<(), Refused> {
        let lattice = self.cards.lattice.over(self.cards.stakes.len());
        let mut leaf = GraphBuilder::new();
        leaf.leaf("", lattice.bottom()).map_err(Refused::problem)?;
        let problem = Problem::build(leaf, "", lattice).map_err(Refused::problem)?;
        explicit(problem)?.admits(algorithm)
    }

    fn solve(&self, request: Request<'_>) -> Result<Answer, Refused> {
        let Cards { game, stakes, .. } = &self.cards;
        match self.within(request.budget)? {
            Ok(listed) => listed.solve(request),
            Err(stop) => {
                let (dag, facts) = (Played(&**game), Facts(Vec::new()));
                Ok(unvisited(&dag, &request, stop, Some(stakes.len()), facts))
            }
        }
    }

    fn prove(&self, claim: Claim<'_>) -> Result<Proved, Refused> {
        self.all()?.prove(claim)
    }

    fn heaviest(&self, request: HeaviestRequest<'_>) -> Result<Heaviest, Refused> {
        self.all()?.heaviest(request)
    }

    fn with_nodes(&self, see: &mut dyn FnMut(&dyn Nodes)) -> Result<(), Refused> {
        self.all()?.with_nodes(see)
    }

    fn to_levels(&self, levels: u32, request: Request<'_>) -> Result<Answer, Refused> {
        self.all()?.to_levels(levels, request)
    }
}

/// The keys of a file. The command line has no arguments for them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the page on problem files describes them
pub struct HiddenArgs {
    pub draws: Vec<Raw>,
    pub start: Raw,
    pub positions: Vec<Raw>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub most_points: Option<Raw>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub goals: Option<Vec<Raw>>,
    #[serde(with = "lattice_key")]
    pub lattice: SetLattice,
}

/// A piece of a file that is parsed later, when its context is known.
#[derive(Clone, Debug)]
pub struct Raw(Box<RawValue>);

/// Written without whitespace, so that the digest does not depend on the layout of the file.
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
        serde_json::from_str(self.0.get()).map_err(Self::sentence)
    }

    /// A struct, which must be an object.
    fn object<'a, T: Deserialize<'a>>(&'a self) -> Result<T, String> {
        object(&*self.0).map_err(Self::sentence)
    }

    /// The position in the message is relative to this piece, not to the file.
    #[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
    fn sentence(error: serde_json::Error) -> String {
        let text = error.to_string();
        text.split(" at line ").next().unwrap_or(&text).to_owned()
    }

    /// The name of a node: an integer or a text, as in any problem file.
    fn node(&self) -> Result<NodeName, String> {
        match self.read::<Json>()? {
            Json::String(text) => Ok(NodeName::from(text.as_str())),
            Json::Number(number) if number.is_i64() => {
                Ok(NodeName::from(number.as_i64().unwrap_or_default()))
            }
            other => Err(format!(
                "{other} is not an id, which is an integer or a text"
            )),
        }
    }

    /// A whole number of at most `most`.
    fn number<T: TryFrom<u64>>(&self, what: &str, most: u64) -> Result<T, String> {
        let number = self.read::<Json>()?;
        let fits = number.as_u64().and_then(|number| T::try_from(number).ok());
        fits.ok_or_else(|| format!("the {what} {number} is not a whole number from 0 to {most}"))
    }

    fn points(&self, what: &str) -> Result<u32, String> {
        self.number(what, u32::MAX.into())
    }
}

/// A draw: a world.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with the name of a draw")]
struct DrawKeys {
    name: String,
    #[serde(default, deserialize_with = "given")]
    weight: Option<Raw>,
}

/// A position: a decision of one player, or an end.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with the id of a position")]
struct PositionKeys {
    id: Raw,
    #[serde(default, deserialize_with = "given")]
    max: Option<Vec<Raw>>,
    #[serde(default, deserialize_with = "given")]
    min: Option<Vec<Raw>>,
    #[serde(default, deserialize_with = "given")]
    over: Option<Raw>,
}

/// The id of a position whose other keys are wrong.
#[derive(Deserialize)]
struct IdKey {
    id: Raw,
}

/// A move of MIN.
#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object that says where a move leads, as in {\"to\": \"king\"}"
)]
struct MoveKeys {
    to: Raw,
    #[serde(default, deserialize_with = "given")]
    r#in: Option<Vec<String>>,
}

impl HiddenArgs {
    /// The game and its stakes.
    fn read(&self) -> Result<(HiddenTree, Stakes), String> {
        let (mut names, mut weights) = (Vec::new(), Vec::new());
        for (place, draw) in self.draws.iter().enumerate() {
            let at = |error| format!("draw {}: {error}", place + 1);
            let DrawKeys { name, weight } = draw.object().map_err(at)?;
            let at = |error| format!("draw {name:?}: {error}");
            let weight = weight.map(|weight| weight.number("weight", u64::MAX));
            weights.push(weight.transpose().map_err(at)?.unwrap_or(1));
            names.push(name);
        }
        let places = names.iter().cloned().zip(0..).collect();
        let mut game = HiddenTreeBuilder::new(names).map_err(sentence)?;
        game.weights(weights).map_err(sentence)?;
        if let Some(most) = &self.most_points {
            game.most_points(most.points("number of points")?);
        }
        for (place, position) in self.positions.iter().enumerate() {
            let id = position.object::<IdKey>().and_then(|keys| keys.id.node());
            let at = |error: String| match &id {
                Ok(id) => format!("position {id:?}: {error}"),
                Err(_) => format!("position {}: {error}", place + 1),
            };
            let keys = position.object::<PositionKeys>().map_err(at)?;
            let id = keys.id.node().map_err(at)?;
            let added = add(&mut game, &places, id, &keys).map_err(at)?;
            added.map_err(sentence)?;
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
        if let Some(twice) = goals.as_deref().and_then(twice) {
            return Err(format!("`goals` has the goal {twice} twice"));
        }
        let stakes = Stakes::asked(&game, goals.as_deref()).map_err(sentence)?;
        Ok((game, stakes))
    }
}

/// Adds a position. Errors of its keys do not name the position; errors of the game do.
fn add(
    game: &mut HiddenTreeBuilder,
    places: &HashMap<String, usize>,
    id: NodeName,
    keys: &PositionKeys,
) -> Result<Result<(), HiddenTreeError>, String> {
    Ok(match (&keys.max, &keys.min, &keys.over) {
        (Some(moves), None, None) => {
            let moves: Result<Vec<NodeName>, String> = moves.iter().map(Raw::node).collect();
            game.max(id, moves?)
        }
        (None, Some(moves), None) => {
            let read = moves.iter().map(|one| {
                let MoveKeys { to, r#in } = one.object()?;
                let to = to.node()?;
                if let Some(name) = r#in.as_deref().and_then(twice) {
                    return Err(format!("the move to {to:?} is in {name:?} twice"));
                }
                let allowed = r#in.map(|names| {
                    let allowed = names.iter().map(|name| {
                        places.get(name).copied().ok_or_else(|| {
                            format!("the move to {to:?} is in {name:?}, and no draw has that name")
                        })
                    });
                    allowed.collect::<Result<Vec<usize>, String>>()
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
                vec![over.points("number of points")?; places.len()]
            };
            game.over(id, points)
        }
        _ => {
            let one = "it needs exactly one of the keys `max`, `min` and `over`";
            return Err(one.to_owned());
        }
    })
}

/// The first item that equals one before it.
fn twice<T: Eq + Hash>(items: &[T]) -> Option<&T> {
    let mut met = HashSet::new();
    items.iter().find(|item| !met.insert(*item))
}

/// The game of a file.
pub(crate) fn made(keys: HiddenArgs) -> Made {
    let (game, stakes) = keys.read()?;
    let lattice = keys.lattice;
    of_file("hidden", keys, lattice, game, stakes)
}

/// A game of a file, with its keys.
struct OfFile<K, G> {
    name: &'static str,
    keys: K,
    cards: Cards<G>,
}

/// A game of a file with these keys, unless its weights are too large.
pub(super) fn of_file<G: HiddenGame + Send + Sync + 'static>(
    name: &'static str,
    keys: impl Serialize + 'static,
    lattice: SetLattice,
    game: G,
    stakes: Stakes,
) -> Made {
    // Weights are summed over stakes, of which a world may have several.
    stakes
        .weights(&game)
        .map_err(|error| HiddenError::from(error).to_string())?;
    let cards = Cards {
        game: Arc::new(game),
        stakes,
        lattice,
    };
    Ok(Box::new(OfFile { name, keys, cards }))
}

impl<K: Serialize, G: HiddenGame + Send + Sync + 'static> Game for OfFile<K, G> {
    fn compact(&self) -> String {
        compact(self.name, &self.keys)
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(self.problem()?.graph().clone())
    }

    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        self.cards.problem(&Budget::unlimited()).map_err(sentence)
    }

    fn instance(&self) -> Result<Box<dyn Instance>, Refused> {
        Ok(self.cards.unlisted())
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
