//! What is solved: a game with its values, by any algorithm, watched.

use std::time::Instant;

use meetjoin::dag::{AndOrDag, Graph, NodeName, Problem, Valuation, write_value};
use meetjoin::games::racing::{OfWorlds, RacingVisitor};
use meetjoin::games::{Racing, RandomDag, RandomParameters};
use meetjoin::lattice::{
    Antichain, AnyElem, AnyLattice, Budget, DistributiveLattice, ElemOf, Families, Lattice,
    Powerset, Stop, Words,
};
use meetjoin::search::engine::{self, DenseStores, Stores, Tables, Task};
use meetjoin::search::{Counts, Visited};
use peakmem_alloc::PeakMemAllocTrait as _;
use serde_json::json;

use crate::ALLOCATOR;

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
        }),
        SetLattice::Families => {
            let families = Families::over(sets.clone());
            Box::new(Explicit {
                any: AnyLattice::families(dag.variables()),
                problem: problem(
                    families.clone(),
                    dag.into_parts(|worlds| families.principal(set(worlds))),
                )?,
                as_any: |value: &Antichain<Words<1>>| AnyElem::SmallFamily(value.clone()),
            })
        }
    })
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
    }))
}

/// An explicit graph, over the lattice it is solved in and the one that writes its values.
struct Explicit<L: Lattice> {
    problem: Problem<L>,
    any: AnyLattice,
    as_any: fn(&L::Elem) -> AnyElem,
}

impl<L: DistributiveLattice> Instance for Explicit<L> {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let task = Task {
            dag: &self.problem,
            valuation: &self.problem,
            heuristic: (),
            stores: DenseStores {
                nodes: self.problem.graph().node_count(),
            },
            budget,
        };
        let json = |value: &L::Elem| {
            let mut text = String::new();
            write_value(&self.any, &(self.as_any)(value), &mut text);
            text
        };
        solve(algorithm, &task, count_nodes, json)
    }
}

/// A deal of racing.
pub(crate) struct Deal {
    pub(crate) game: Racing,
    pub(crate) lattice: SetLattice,
}

impl Instance for Deal {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let solving = Solving {
            game: &self.game,
            algorithm,
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
    budget: &'a Budget,
    count_nodes: bool,
}

impl RacingVisitor for Solving<'_> {
    type Output = Result<Solved, String>;

    fn visit<V>(self, valuation: &V) -> Result<Solved, String>
    where
        V: OfWorlds<Lattice: DistributiveLattice>,
    {
        let task = Task {
            dag: self.game,
            valuation,
            heuristic: (),
            stores: Tables,
            budget: self.budget,
        };
        let json = |value: &ElemOf<V::Lattice>| {
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
        };
        solve(self.algorithm, &task, self.count_nodes, json)
    }
}

/// Solves one task.
fn solve<D, V, S>(
    algorithm: &str,
    task: &Task<'_, D, V, (), S>,
    count_nodes: bool,
    json: impl Fn(&ElemOf<V::Lattice>) -> String,
) -> Result<Solved, String>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    S: Stores<D::Node>,
{
    let mut watch = (Counts::default(), count_nodes.then(Visited::default));
    ALLOCATOR.reset_peak_memory();
    let started = Instant::now();
    let mut engine = engine::distributive(algorithm, task)
        .ok_or_else(|| format!("no algorithm {algorithm} runs on this lattice"))?;
    let outcome = engine.search(task.dag.root(), &mut watch).outcome;
    let seconds = started.elapsed().as_secs_f64();
    let peak_bytes = ALLOCATOR.get_peak_memory();
    Ok(Solved {
        seconds,
        counts: watch.0,
        nodes: watch.1.map(|visited| visited.len()),
        peak_bytes,
        stop: outcome.stop.or(task.budget.fired()),
        value: outcome.exact().map(json),
    })
}
