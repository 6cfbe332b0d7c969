//! What is solved: a game with its values, by any algorithm, watched.

use std::cell::RefCell;
use std::time::Instant;

use meetjoin::dag::{AndOrDag, Graph, NodeId, NodeName, Problem, Valuation};
use meetjoin::file::write_value;
use meetjoin::games::racing::{OfWorlds, RacingFamilies, RacingSets, RacingVisitor};
use meetjoin::games::{Racing, RandomDag, RandomParameters};
use meetjoin::lattice::{
    Antichain, AnyElem, AnyLattice, Budget, DistributiveLattice, ElemOf, Families, Lattice,
    Powerset, Stop, Words, WorldSet,
};
use meetjoin::search::catalogue::{self, Needs};
use meetjoin::search::engine::{self, DenseStores, Engine, Tables, Task};
use meetjoin::search::proof::{LEAST_ENTRIES, ProofTable};
use meetjoin::search::{Counts, Visited};
use serde_json::json;

use super::memory;
use super::parts::{self, Parts};

/// One game of an experiment.
pub(crate) trait Instance {
    /// Solves the game by the algorithm with this id. Distinct nodes are counted only where wanted, for that takes time and memory.
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String>;

    /// Whether each run of this algorithm does the same. Ours do.
    fn is_deterministic(&self, _algorithm: &str) -> bool {
        true
    }
}

/// What a search did.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) seconds: f64,
    pub(crate) counts: Counts,
    /// Distinct nodes visited, where they were counted.
    pub(crate) nodes: Option<usize>,
    /// The most memory that the search held at once, besides the game.
    pub(crate) peak_bytes: usize,
    /// The limit that fired, also if the bounds had met by then and the value is exact: the counters are those of an interrupted search.
    pub(crate) stop: Option<Stop>,
    /// The exact value as compact JSON, as the command line answers.
    pub(crate) value: Option<String>,
}

/// The lattice of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetLattice {
    Powerset,
    Families,
}

/// A random graph.
pub(crate) fn random(
    parameters: RandomParameters,
    lattice: SetLattice,
) -> Result<Box<dyn Instance>, String> {
    let dag = RandomDag::new(parameters).map_err(sentence)?;
    let sets: Powerset<Words<1>> = Powerset::new(dag.variables()).map_err(sentence)?;
    let set = |worlds: &mut dyn Iterator<Item = usize>| {
        // The generator draws no other worlds.
        sets.set(worlds).unwrap_or_else(|| sets.bottom())
    };
    Ok(match lattice {
        SetLattice::Powerset => Box::new(Explicit {
            any: AnyLattice::powerset(dag.variables()),
            problem: problem(sets.clone(), dag.into_parts(set))?,
            as_any: |value: &Words<1>| AnyElem::SmallSet(*value),
            choice: |id, _, task| {
                let bytes = table_bytes::<NodeId>(task.dag.graph().node_count());
                engine::sets(id, task, bytes).or_else(|| engine::distributive(id, task))
            },
        }),
        SetLattice::Families => Box::new(Explicit {
            any: AnyLattice::families(dag.variables()),
            problem: in_families(dag)?,
            as_any: |value: &Antichain<Words<1>>| AnyElem::SmallFamily(value.clone()),
            choice: |id, bounds, task| {
                if bounds {
                    engine::families(id, task)
                } else {
                    engine::distributive(id, task)
                }
            },
        }),
    })
}

/// A random graph in families of sets.
pub(crate) fn random_families(
    parameters: RandomParameters,
) -> Result<Problem<Families<Words<1>>>, String> {
    in_families(RandomDag::new(parameters).map_err(sentence)?)
}

fn in_families(dag: RandomDag) -> Result<Problem<Families<Words<1>>>, String> {
    let families = Families::of_worlds(dag.variables()).map_err(sentence)?;
    let family = |worlds: &mut dyn Iterator<Item = usize>| {
        // The generator draws no other worlds.
        let set = families.base().set(worlds);
        families.principal(set.unwrap_or_else(|| families.base().bottom()))
    };
    problem(families.clone(), dag.into_parts(family))
}

/// The problem of a graph; its nodes are named by their numbers.
fn problem<L: Lattice>(
    lattice: L,
    (graph, values): (Graph, Vec<L::Elem>),
) -> Result<Problem<L>, String> {
    let numbers = graph.nodes().map(|node| i64::from(u32::from(node)));
    let names = numbers.map(NodeName::Int).collect();
    Problem::new(graph, names, lattice, values).map_err(sentence)
}

#[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
fn sentence(error: impl ToString) -> String {
    error.to_string()
}

/// An explicit graph with the values of its leaves. `any` is the lattice that writes values, and `as_any` makes them its own.
pub(crate) fn explicit<L: DistributiveLattice + 'static>(
    lattice: L,
    any: AnyLattice,
    parts: (Graph, Vec<L::Elem>),
    as_any: fn(&L::Elem) -> AnyElem,
) -> Result<Box<dyn Instance>, String> {
    Ok(Box::new(Explicit {
        any,
        problem: problem(lattice, parts)?,
        as_any,
        choice: |id, _, task| engine::distributive(id, task),
    }))
}

/// The most bytes of a table of df-pn.
pub(crate) const TABLE_BYTES: usize = 4 << 20;

/// Bytes for a table of df-pn on a graph with so many nodes: no table needs room for more.
pub(crate) fn table_bytes<N: Clone + Eq + std::hash::Hash>(nodes: usize) -> usize {
    let slot = ProofTable::<N>::least_bytes() / LEAST_ENTRIES;
    // Seven of eight slots may be used.
    let enough = (nodes / 7 + 1).saturating_mul(8 * slot);
    enough.min(TABLE_BYTES)
}

/// A search that is watched.
type Watched<'a, D, V> = Engine<
    'a,
    <D as AndOrDag>::Node,
    ElemOf<<V as Valuation<<D as AndOrDag>::Node>>::Lattice>,
    Watch<<D as AndOrDag>::Node>,
>;

/// Counters, and distinct nodes where they are counted.
pub(crate) type Watch<N> = (Counts, Option<Visited<N>>);

/// The algorithm with an id on an explicit graph, with bounds by simpler questions if it is wanted to have them, if it runs on its lattice.
type Choice<L> = for<'a> fn(
    &str,
    bool,
    &Task<'a, Problem<L>, Problem<L>, (), DenseStores>,
) -> Option<Watched<'a, Problem<L>, Problem<L>>>;

/// An explicit graph, over the lattice it is solved in and the one that writes its values.
struct Explicit<L: Lattice> {
    problem: Problem<L>,
    any: AnyLattice,
    as_any: fn(&L::Elem) -> AnyElem,
    choice: Choice<L>,
}

impl<L: DistributiveLattice> Instance for Explicit<L> {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let (algorithm, parts) = parts::meant(algorithm);
        let task = Task {
            dag: &self.problem,
            valuation: &self.problem,
            heuristic: (),
            stores: DenseStores {
                nodes: self.problem.graph().node_count(),
            },
            budget,
            duo: parts.duo,
        };
        let json = |value: &L::Elem| {
            let mut text = String::new();
            write_value(&self.any, &(self.as_any)(value), &mut text);
            text
        };
        let made = || (self.choice)(algorithm, parts.bounds, &task);
        solve(Begun::now(), algorithm, &task, made, count_nodes, json)
    }
}

/// A deal of racing.
pub(crate) struct Deal {
    pub(crate) game: Racing,
    pub(crate) lattice: SetLattice,
}

impl Instance for Deal {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let (algorithm, parts) = parts::meant(algorithm);
        let solving = Solving {
            game: &self.game,
            algorithm,
            parts,
            budget,
            count_nodes,
        };
        let solved = match self.lattice {
            SetLattice::Powerset => self.game.in_sets(solving),
            SetLattice::Families => self.game.in_families(solving),
        };
        solved.map_err(sentence)?
    }
}

struct Solving<'a> {
    game: &'a Racing,
    algorithm: &'a str,
    parts: Parts,
    budget: &'a Budget,
    count_nodes: bool,
}

impl<'a> Solving<'a> {
    /// Whether the algorithm needs to know more of the lattice than that it is distributive.
    fn by_claims(&self) -> bool {
        let known = catalogue::algorithm(self.algorithm);
        known.is_some_and(|algorithm| algorithm.needs == Needs::JoinPrimes)
    }

    /// The game with values of one kind.
    fn task<V, H>(&self, valuation: &'a V, heuristic: H) -> Task<'a, Racing, V, H, Tables> {
        Task {
            dag: self.game,
            valuation,
            heuristic,
            stores: Tables,
            budget: self.budget,
            duo: self.parts.duo,
        }
    }

    /// A value as the command line answers.
    fn json<V: OfWorlds>(&self, value: &ElemOf<V::Lattice>) -> String {
        let hands = self.game.hands();
        let hand = |world: usize| hands[world].as_slice();
        let sets = V::sets(value).into_iter();
        let sets: Vec<Vec<&[u8]>> = sets
            .map(|set| set.into_iter().map(hand).collect())
            .collect();
        let value = if V::FAMILIES {
            json!(sets)
        } else {
            json!(sets.first())
        };
        value.to_string()
    }

    /// Solves the game by an algorithm that is found in time.
    fn solve<'t, V: OfWorlds, H>(
        &self,
        begun: Begun,
        task: &Task<'t, Racing, V, H, Tables>,
        made: impl FnOnce() -> Option<Watched<'t, Racing, V>>,
    ) -> Result<Solved, String> {
        let json = |value: &ElemOf<V::Lattice>| self.json::<V>(value);
        solve(begun, self.algorithm, task, made, self.count_nodes, json)
    }
}

impl RacingVisitor for Solving<'_> {
    type Output = Result<Solved, String>;

    fn visit<V>(self, valuation: &V) -> Result<Solved, String>
    where
        V: OfWorlds<Lattice: DistributiveLattice>,
    {
        let begun = Begun::now();
        // The default uses what is known of the game. The published algorithms had nothing of the kind.
        let is_known = self.algorithm == catalogue::DEFAULT && self.parts.bounds;
        let known = is_known.then(|| RefCell::new(valuation.known()));
        let task = self.task(valuation, known.as_ref());
        self.solve(begun, &task, || engine::distributive(self.algorithm, &task))
    }

    fn visit_sets<B>(self, valuation: &RacingSets<'_, B>) -> Result<Solved, String>
    where
        B: WorldSet + 'static,
    {
        if !self.by_claims() {
            return self.visit(valuation);
        }
        let task = self.task(valuation, ());
        self.solve(Begun::now(), &task, || {
            engine::sets(self.algorithm, &task, TABLE_BYTES)
        })
    }

    fn visit_families<B>(self, valuation: &RacingFamilies<'_, B>) -> Result<Solved, String>
    where
        B: WorldSet + 'static,
    {
        if !self.by_claims() {
            return self.visit(valuation);
        }
        let task = self.task(valuation, ());
        self.solve(Begun::now(), &task, || {
            engine::thresholds(self.algorithm, &task)
        })
    }
}

/// When a search was begun, its preparations included.
#[derive(Clone, Copy)]
pub(crate) struct Begun(Instant);

impl Begun {
    /// Begins to measure.
    pub(crate) fn now() -> Self {
        memory::reset_peak();
        Self(Instant::now())
    }
}

/// Solves one task by the engine that `made` makes of it, whose making counts.
fn solve<'a, D, V, H, S>(
    begun: Begun,
    algorithm: &str,
    task: &Task<'a, D, V, H, S>,
    made: impl FnOnce() -> Option<Watched<'a, D, V>>,
    count_nodes: bool,
    json: impl Fn(&ElemOf<V::Lattice>) -> String,
) -> Result<Solved, String>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
{
    let mut watch: Watch<D::Node> = (Counts::default(), count_nodes.then(Visited::default));
    let mut engine =
        made().ok_or_else(|| format!("no algorithm {algorithm} runs on this lattice"))?;
    let outcome = engine.search(task.dag.root(), &mut watch).outcome;
    let seconds = begun.0.elapsed().as_secs_f64();
    let peak_bytes = memory::peak();
    Ok(Solved {
        seconds,
        counts: watch.0,
        nodes: watch.1.map(|visited| visited.len()),
        peak_bytes,
        stop: outcome.stop.or(task.budget.fired()),
        value: outcome.exact().map(json),
    })
}
