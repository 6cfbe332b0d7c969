//! Racing: positions are searched as the rules give them, and values are printed as hands of MIN.

use std::cell::RefCell;
use std::fmt;

use meetjoin::dag::{AndOrDag, Graph, Kind, Problem, Valuation};
use meetjoin::file::GameFile;
use meetjoin::games::racing::{
    OfWorlds, PerfectInformation, Racing, RacingClasses, RacingFamilies, RacingPosition,
    RacingSets, RacingVisitor,
};
use meetjoin::lattice::{
    AnyLattice, DistributiveLattice, ElemOf, FixedBitSet, TooManyWorlds, Weights, Words, WorldSet,
};
use meetjoin::search::Visited;
use meetjoin::search::alpha_mu::to_depth;
use meetjoin::search::engine::Tables;
use serde_json::{Value, json};

use super::{Game, Made, expand, lattice_key, positions, sentence, take_all, take_lattice};
use crate::args::{RacingArgs, SetLattice};
use crate::failure::Failure;
use crate::heaviest::{self, Names};
use crate::levels;
use crate::prove;
use crate::solve::{self, Request};
use crate::subject::Subject;

/// The most hands of MIN that the command lists: a value has a bit for each.
const MOST_WORLDS: u64 = 1 << 24;

/// A deal, and where its values live.
struct RacingGame {
    game: Racing,
    lattice: SetLattice,
}

pub(crate) fn from_args(args: &RacingArgs) -> Made {
    let RacingArgs { deck, goal, .. } = *args;
    let game = match (&args.hand, args.lead, args.hand_size, args.seed) {
        (Some(hand), Some(lead), None, None) => Racing::new(deck, goal, hand, lead),
        (None, None, Some(size), Some(seed)) => Racing::random(deck, goal, size, seed),
        _ => {
            let pairs = "give either --hand and --lead, or --hand-size and --seed";
            return Err(pairs.to_owned());
        }
    };
    made(game.map_err(sentence)?, args.lattice)
}

pub(super) fn read(file: GameFile) -> Made {
    let (game, lattice) = take_all(file, |file| {
        let (deck, goal) = (file.take("deck")?, file.take("goal")?);
        let (hand, lead): (Vec<u8>, _) = (file.take("hand")?, file.take("lead")?);
        let lattice = take_lattice(file)?;
        Ok((Racing::new(deck, goal, &hand, lead), lattice))
    })?;
    made(game.map_err(sentence)?, lattice)
}

/// Refuses deals with more worlds than anybody wants to list.
fn made(game: Racing, lattice: SetLattice) -> Made {
    let worlds = game.world_count();
    if worlds <= MOST_WORLDS {
        return Ok(Box::new(RacingGame { game, lattice }));
    }
    Err(format!(
        "MIN may hold {worlds} hands in this deal, more than {MOST_WORLDS}"
    ))
}

impl RacingGame {
    /// All positions, breadth-first.
    fn expanded(&self) -> Result<(Graph, Vec<RacingPosition>), String> {
        let all = expand(&self.game, usize::MAX)?;
        Ok(all.unwrap_or_else(|| unreachable!("there are not so many nodes")))
    }

    /// Bounds by a search for so many levels.
    fn to_levels(&self, levels: u32, request: &Request<'_>) -> Result<(), Failure> {
        let families = self.game.families::<FixedBitSet>();
        let families = families.map_err(|error| request.refused(error))?;
        let hands = Hands(self.game.hands());
        let known = PerfectInformation::new(families.as_sets());
        levels::solve(levels, &hands, request, |budget, counts| {
            to_depth(
                &self.game, &families, levels, known, &Tables, budget, counts,
            )
        })
    }

    /// The heaviest sets of hands. For one alone hands count by classes, if those of a class weigh the same.
    fn heaviest(&self, request: &Request<'_>) -> Result<(), Failure> {
        let hands = Hands(self.game.hands());
        let weights = heaviest::weights(request, hands.0.len())?;
        let classes = RacingClasses::new(&self.game);
        let of_hands = classes.of_worlds();
        let one = request.heaviest().top.is_none_or(|top| top.get() == 1);
        let of_classes = one.then(|| weights_of_classes(&classes, &of_hands, &weights));
        if let Some(weights) = of_classes.flatten() {
            let names = Classes { hands, of_hands };
            return heaviest_in(&classes, &weights, &names, request);
        }
        heaviest_in(&self.game, &weights, &hands, request)
    }
}

/// The weights of classes, if the hands of each weigh the same. `of_hands` has the class of each hand.
fn weights_of_classes(
    classes: &RacingClasses<'_>,
    of_hands: &[usize],
    weights: &Weights,
) -> Option<Weights> {
    let mut of_one = vec![None; classes.counts().len()];
    for (hand, &class) in of_hands.iter().enumerate() {
        let weight = weights.of_world(hand);
        if *of_one[class].get_or_insert(weight) != weight {
            return None;
        }
    }
    let counts = classes.counts().iter();
    // No more than the weight of all hands.
    let products = counts
        .zip(of_one)
        .map(|(count, one)| count * one.unwrap_or(0));
    Weights::new(products).ok()
}

/// Hands or classes of hands, in any sets that hold them.
trait Worlds {
    fn families<B: WorldSet>(&self) -> Result<RacingFamilies<'_, B>, TooManyWorlds>;
}

impl Worlds for Racing {
    fn families<B: WorldSet>(&self) -> Result<RacingFamilies<'_, B>, TooManyWorlds> {
        RacingFamilies::new(self)
    }
}

impl Worlds for RacingClasses<'_> {
    fn families<B: WorldSet>(&self) -> Result<RacingFamilies<'_, B>, TooManyWorlds> {
        self.families()
    }
}

/// The heaviest sets by the rules of a game, in the smallest sets that hold its worlds.
fn heaviest_in<D>(
    game: &D,
    weights: &Weights,
    names: &impl Names,
    request: &Request<'_>,
) -> Result<(), Failure>
where
    D: AndOrDag<Node = RacingPosition> + Worlds,
{
    // Two kinds of sets, and not four as for values: a deal with few worlds takes no time either way, and each is compiled for itself.
    match weights.worlds() {
        0..=1024 => heaviest_of::<_, Words<16>>(game, weights, names, request),
        _ => heaviest_of::<_, FixedBitSet>(game, weights, names, request),
    }
}

fn heaviest_of<D, B>(
    game: &D,
    weights: &Weights,
    names: &impl Names,
    request: &Request<'_>,
) -> Result<(), Failure>
where
    D: AndOrDag<Node = RacingPosition> + Worlds,
    B: WorldSet,
{
    let families = game.families::<B>();
    let families = families.map_err(|error| request.refused(error))?;
    let known = PerfectInformation::new(families.as_sets());
    heaviest::solve(game, &families, known, weights, Tables, names, request)
}

impl Game for RacingGame {
    fn keys(&self) -> Vec<(&'static str, Value)> {
        let game = &self.game;
        let mut hand = game.hand().to_vec();
        hand.sort_unstable();
        vec![
            ("game", json!("racing")),
            ("deck", json!(game.deck())),
            ("goal", json!(game.goal())),
            ("hand", json!(hand)),
            ("lead", json!(game.lead())),
            ("lattice", lattice_key(self.lattice.word())),
        ]
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(self.expanded()?.0)
    }

    /// Nodes are named by their positions, worlds by the hands.
    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        let game = &self.game;
        let (graph, all) = self.expanded()?;
        let hands = game.hands();
        let lattice = self.lattice.over(hands.len());
        let sets = RacingSets::<FixedBitSet>::new(game).map_err(sentence)?;
        let leaves = all.iter().filter(|p| game.kind(p) == Kind::Leaf);
        let values = leaves.filter_map(|leaf| lattice.set(WorldSet::ones(&sets.leaf(leaf))));
        let values = values.collect();
        let problem = Problem::new(graph, positions(game, &all), lattice, values);
        let worlds = hands.iter().map(|hand| hand_text(hand)).collect();
        Ok(problem.map_err(sentence)?.with_worlds(Some(worlds)))
    }

    /// By the rules: no graph is made.
    fn solve(&self, request: &Request<'_>) -> Result<(), Failure> {
        let in_families = matches!(self.lattice, SetLattice::Families);
        if !in_families {
            request.without_families()?;
        }
        if request.heaviest().heaviest {
            return self.heaviest(request);
        }
        if let Some(levels) = request.levels() {
            return self.to_levels(levels, request);
        }
        if request.by_claims() && request.asks_for_sets() != in_families {
            return Err(request.refused(solve::no_claims(request)));
        }
        let game = &self.game;
        let solving = Solving { game, request };
        let solved = match self.lattice {
            SetLattice::Powerset => game.in_sets(solving),
            SetLattice::Families => game.in_families(solving),
        };
        solved.map_err(|error| request.refused(error))?
    }
}

struct Solving<'a> {
    game: &'a Racing,
    request: &'a Request<'a>,
}

impl<'a> Solving<'a> {
    fn deal<V: OfWorlds>(&self, valuation: &'a V) -> Deal<'a, V> {
        Deal {
            game: self.game,
            hands: Hands(self.game.hands()),
            known: (self.request.uses_bounds()).then(|| RefCell::new(valuation.known())),
            valuation,
        }
    }
}

impl RacingVisitor for Solving<'_> {
    type Output = Result<(), Failure>;

    fn visit<V>(self, valuation: &V) -> Result<(), Failure>
    where
        V: OfWorlds<Lattice: DistributiveLattice>,
    {
        let deal = self.deal(valuation);
        solve::solve(&deal, self.request, &solve::distributive)
    }

    fn visit_sets<B>(self, valuation: &RacingSets<'_, B>) -> Result<(), Failure>
    where
        B: WorldSet + 'static,
    {
        if !self.request.by_claims() {
            return self.visit(valuation);
        }
        solve::solve(&self.deal(valuation), self.request, &prove::sets)
    }

    fn visit_families<B>(self, valuation: &RacingFamilies<'_, B>) -> Result<(), Failure>
    where
        B: WorldSet + 'static,
    {
        if !self.request.by_claims() {
            return self.visit(valuation);
        }
        solve::solve(&self.deal(valuation), self.request, &prove::families)
    }
}

/// Sets of hands as they are printed.
struct Hands(Vec<Vec<u8>>);

impl Names for Hands {
    fn json(&self, set: &[usize]) -> String {
        let hands = set.iter().map(|&world| {
            let cards: Vec<String> = self.0[world].iter().map(u8::to_string).collect();
            format!("[{}]", cards.join(","))
        });
        format!("[{}]", hands.collect::<Vec<_>>().join(","))
    }

    fn readable(&self, set: &[usize]) -> String {
        let hands = set.iter().map(|&world| hand_text(&self.0[world]));
        format!("{{{}}}", shortened(hands, MOST_HANDS, ", "))
    }

    fn readable_family(&self, sets: &[Vec<usize>]) -> String {
        if sets.is_empty() {
            return "no set".to_owned();
        }
        let sets = sets.iter().map(|set| self.readable(set));
        shortened(sets, MOST_SETS, " ")
    }
}

/// Sets of classes of hands, which are printed as the hands of these classes.
struct Classes {
    hands: Hands,
    /// The class of each hand.
    of_hands: Vec<usize>,
}

impl Classes {
    /// The hands of the classes of a set.
    fn spread(&self, set: &[usize]) -> Vec<usize> {
        let hands = self.of_hands.iter().enumerate();
        let inside = hands.filter(|(_, class)| set.binary_search(class).is_ok());
        inside.map(|(hand, _)| hand).collect()
    }
}

impl Names for Classes {
    fn json(&self, set: &[usize]) -> String {
        self.hands.json(&self.spread(set))
    }

    fn readable(&self, set: &[usize]) -> String {
        self.hands.readable(&self.spread(set))
    }
}

/// A hand for people.
fn hand_text(hand: &[u8]) -> String {
    let cards: Vec<String> = hand.iter().map(u8::to_string).collect();
    cards.join(" ")
}

/// A deal with the values of its leaves.
struct Deal<'a, V: OfWorlds + 'a> {
    game: &'a Racing,
    hands: Hands,
    /// What is known of positions, if it is to be used.
    known: Option<RefCell<V::Known<'a>>>,
    valuation: &'a V,
}

impl<V: OfWorlds> AndOrDag for Deal<'_, V> {
    type Node = RacingPosition;

    fn root(&self) -> RacingPosition {
        self.game.root()
    }

    #[inline]
    fn kind(&self, position: &RacingPosition) -> Kind {
        self.game.kind(position)
    }

    #[inline]
    fn children(&self, position: &RacingPosition, out: &mut Vec<RacingPosition>) {
        self.game.children(position, out);
    }

    fn name(&self, position: &RacingPosition, out: &mut dyn fmt::Write) -> fmt::Result {
        self.game.name(position, out)
    }
}

impl<V: OfWorlds> Valuation<RacingPosition> for Deal<'_, V> {
    type Lattice = V::Lattice;

    #[inline]
    fn lattice(&self) -> &V::Lattice {
        self.valuation.lattice()
    }

    #[inline]
    fn leaf(&self, position: &RacingPosition) -> ElemOf<V::Lattice> {
        self.valuation.leaf(position)
    }

    fn never_bottom(&self) -> bool {
        self.valuation.never_bottom()
    }
}

impl<'a, V: OfWorlds> Subject for Deal<'a, V> {
    type Stores = Tables;
    type Bounds<'s>
        = Option<&'s RefCell<V::Known<'a>>>
    where
        Self: 's;
    type Distinct = Option<Visited<RacingPosition>>;

    fn stores(&self) -> Tables {
        Tables
    }

    fn bounds(&self) -> Option<&RefCell<V::Known<'a>>> {
        self.known.as_ref()
    }

    fn distinct(&self, affordable: bool) -> Option<Visited<RacingPosition>> {
        affordable.then(Visited::default)
    }

    fn push_node(&self, position: &RacingPosition, out: &mut String) {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = self.game.name(position, &mut name);
        out.push_str(&Value::from(name).to_string());
    }

    fn push_value(&self, value: &ElemOf<V::Lattice>, out: &mut String) {
        let sets = V::sets(value);
        let sets: Vec<String> = sets.iter().map(|set| self.hands.json(set)).collect();
        let [open, close] = if V::FAMILIES { ["[", "]"] } else { ["", ""] };
        out.push_str(open);
        out.push_str(&sets.join(","));
        out.push_str(close);
    }

    fn push_readable(&self, value: &ElemOf<V::Lattice>, out: &mut String) {
        out.push_str(&self.hands.readable_family(&V::sets(value)));
    }

    fn facts(&self, value: Option<&ElemOf<V::Lattice>>) -> Vec<(&'static str, Option<usize>)> {
        let sets = value.map(V::sets);
        let largest = |sets: &Vec<Vec<usize>>| sets.iter().map(Vec::len).max().unwrap_or(0);
        let mut facts = vec![
            ("worlds", Some(self.hands.0.len())),
            ("winning", sets.as_ref().map(largest)),
        ];
        if V::FAMILIES {
            facts.push(("sets", sets.as_ref().map(Vec::len)));
        }
        facts
    }
}

/// Hands of a set that are shown to people.
const MOST_HANDS: usize = 6;
/// Sets of a family that are shown to people.
const MOST_SETS: usize = 4;

/// The first items and the number of the rest.
fn shortened(items: impl ExactSizeIterator<Item = String>, most: usize, separator: &str) -> String {
    let rest = items.len().saturating_sub(most);
    let mut shown: Vec<String> = items.take(most).collect();
    if rest > 0 {
        shown.push(format!(".. and {rest} more"));
    }
    shown.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_shortened() {
        let list = |length: usize| shortened((0..length).map(|i| i.to_string()), 3, ", ");
        assert_eq!(list(0), "");
        assert_eq!(list(3), "0, 1, 2");
        assert_eq!(list(913), "0, 1, 2, .. and 910 more");
    }
}
