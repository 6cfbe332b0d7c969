//! The heaviest sets of a value in families.

use std::num::NonZero;
use std::sync::Arc;

use meetjoin_check::NoHeavier;
use meetjoin_dag::{AndOrDag, Heuristic, Valuation};
use meetjoin_families::heaviest;
use meetjoin_families::heaviest::{KnownOfNodes, together};
use meetjoin_lattice::{Budget, Families, Lattice, Stop, Weights, WorldSet};
use meetjoin_search::sharing::{SharedCaches, SharedStores, Sharing};
use meetjoin_search::strategy::{Guarantees, strategy};
use meetjoin_search::threads::race;
use meetjoin_search::{Counts, Env, Stores};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::answers::answer::{Stats, StatsJson};
use crate::answers::request::{HEAD_START, Refused, check_threads};
use crate::answers::value::{Names, Value};
use crate::nodes::plan::{self, NodeJson, StrategyNode, nodes_json, shown};
use crate::nodes::side::Side;
use meetjoin_report::Measuring;
use meetjoin_report::Meter;
use meetjoin_report::aligned;
use meetjoin_report::counted;
use meetjoin_report::{json_line, raw};

/// A request for the heaviest sets.
#[derive(Debug)]
pub struct HeaviestRequest<'a> {
    /// Limits and cancellation.
    pub budget: &'a Budget,
    /// The gauge of memory.
    pub meter: Meter,
    /// Threads that search together.
    pub threads: NonZero<usize>,
    /// The number of heaviest maximal sets; the default is one.
    pub top: Option<usize>,
    /// The weights of worlds; by default each weighs 1.
    pub weights: Option<Vec<u64>>,
    /// Whether a strategy that wins the first of the sets is wanted.
    pub strategy: bool,
}

impl HeaviestRequest<'_> {
    /// The weights of `worlds` worlds.
    ///
    /// # Errors
    /// If there are weights for another number of worlds, their sum is too large, or there are
    /// too many threads.
    pub fn weights(&self, worlds: usize) -> Result<Weights, Refused> {
        check_threads(self.threads)?;
        let wrong = Refused::Argument;
        match &self.weights {
            Some(list) if list.len() != worlds => {
                let (weights, worlds) = (counted(list.len(), "weight"), counted(worlds, "world"));
                Err(wrong(format!("{weights} for {worlds}")))
            }
            Some(list) => {
                Weights::new(list.iter().copied()).map_err(|error| wrong(error.to_string()))
            }
            None => Ok(Weights::equal(worlds)),
        }
    }
}

/// The heaviest sets, and a bound of the other sets.
#[derive(Clone, Debug)]
pub struct Heaviest {
    /// The sets with their weights, the heaviest first.
    pub sets: Vec<(u64, Value)>,
    /// No other set weighs more.
    pub bound: u64,
    /// The weight of all worlds.
    pub total: u64,
    /// The weights of worlds, from the request or the game; `None` if each weighs 1.
    pub weights: Option<Vec<u64>>,
    /// The number of searches of the graph.
    pub passes: u64,
    /// Visits of searches in simpler lattices.
    pub relaxed_visits: u64,
    /// Why the search was stopped, if it was.
    pub stop: Option<Stop>,
    /// The cost of the search.
    pub stats: Stats,
    /// A strategy that wins the first of the sets, if it was asked for and limits allowed: its
    /// positions, the root first.
    pub strategy: Option<Vec<StrategyNode>>,
    several: bool,
}

/// Finds the heaviest sets. `known` has bounds of inner nodes.
pub fn find<D, B, V, H, S>(
    dag: &D,
    valuation: &V,
    known: H,
    weights: &Weights,
    stores: &S,
    names: &Arc<dyn Names>,
    request: &HeaviestRequest<'_>,
) -> Heaviest
where
    D: AndOrDag + Sync,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>> + Sync,
    H: KnownOfNodes<D::Node, B> + Heuristic<D::Node, Families<B>> + Clone + Sync,
    S: Stores<D::Node> + Clone + Sync,
{
    let measuring = Measuring::begin(request.meter);
    let (threads, most) = (request.threads.get(), request.top.unwrap_or(1));
    let caches = Arc::new(SharedCaches::new(threads, None));
    let search = |budget: &Budget| {
        let mut counts = Counts::default();
        let shared = SharedStores::new(&caches);
        shared.begin(1);
        let stores = match threads {
            1 => Sharing::Own(stores.clone()),
            _ => Sharing::Shared(shared, stores.clone()),
        };
        let env = Env::new(budget).with_store(stores);
        let env = env.with_heuristic(known.clone()).with_observer(&mut counts);
        let found = heaviest(dag, valuation, weights, most, env);
        let is_found = found.stop.is_none();
        ((found, counts), is_found)
    };
    let (found, counts) = if threads == 1 {
        search(request.budget).0
    } else {
        let ran = race(request.budget, threads - 1, HEAD_START, search, search);
        let (helped, counted): (Vec<_>, Vec<Counts>) = ran.helped.into_iter().unzip();
        let (own, mut counts) = ran.own;
        for other in counted {
            counts += other;
        }
        (together(own, helped), counts)
    };
    let first = found.sets.first().filter(|_| request.strategy);
    let strategy = first.and_then(|(_, set)| {
        let claim = valuation.lattice().principal(set.clone());
        let mut guarantees = Guarantees::new(dag, valuation, claim, known, stores);
        let found = strategy(dag, &mut guarantees, &mut (), request.budget);
        found
            .ok()
            .flatten()
            .map(|found| shown(dag, &found, Side::Max))
    });
    let sets = found.sets.iter();
    let sets = sets.map(|(weight, set)| (*weight, Value::set(set.ones().collect(), names)));
    Heaviest {
        sets: sets.collect(),
        bound: found.bound,
        weights: request.weights.clone(),
        total: weights.of_set(&valuation.lattice().base().top()),
        passes: found.passes,
        relaxed_visits: found.relaxed_visits,
        stop: found.stop,
        stats: Stats::of(&measuring, counts),
        strategy,
        several: request.top.is_some(),
    }
}

#[derive(Serialize)]
struct AnswerJson {
    format: &'static str,
    exact: bool,
    weight: Option<u64>,
    set: Option<Box<RawValue>>,
    bound: u64,
    total: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<Vec<SetJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<Vec<NodeJson>>,
    stop: Option<&'static str>,
    passes: u64,
    stats: StatsJson,
}

#[derive(Serialize)]
struct SetJson {
    weight: u64,
    set: Box<RawValue>,
}

impl Heaviest {
    /// The claim of a certificate of the answer: no set weighs more than the first one or, if the
    /// search was stopped, than the bound.
    pub fn no_heavier(self) -> NoHeavier {
        // Of several sets, later ones are lighter.
        let first = self.sets.first().map_or(0, |(weight, _)| *weight);
        let than = match self.stop {
            Some(_) => first.max(self.bound),
            None => first,
        };
        NoHeavier {
            than,
            weights: self.weights,
        }
    }

    /// One JSON object, `meetjoin-heaviest/1`.
    pub fn json(&self) -> String {
        let json = |(weight, set): &(u64, Value)| SetJson {
            weight: *weight,
            set: raw(&set.json()),
        };
        let mut counted = self.stats.json();
        counted.relaxed_visits = self.relaxed_visits;
        let first = self.sets.first().map(json);
        json_line(&AnswerJson {
            format: "meetjoin-heaviest/1",
            exact: self.stop.is_none(),
            weight: first.as_ref().map(|first| first.weight),
            set: first.map(|first| first.set),
            bound: self.bound,
            total: self.total,
            sets: self.several.then(|| self.sets.iter().map(json).collect()),
            strategy: self.strategy.as_deref().map(nodes_json),
            stop: self.stop.map(Stop::word),
            passes: self.passes,
            stats: counted,
        })
    }

    /// A few aligned lines for people, and with `verbose` the cost.
    pub fn text(&self, verbose: bool) -> String {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        let at_least = self.stop.map_or("", |_| "at least ");
        for (weight, set) in &self.sets {
            line("set", set.text());
            line("weight", format!("{at_least}{weight} of {}", self.total));
        }
        if self.sets.is_empty() {
            let none = self.stop.map_or("none", |_| "none is known");
            line("set", none.to_owned());
        }
        line("bound", self.bound.to_string());
        if let Some(stop) = self.stop {
            line("stopped", stop.to_string());
        }
        if verbose {
            line("passes", self.passes.to_string());
            line("relaxed visits", self.relaxed_visits.to_string());
            lines.extend(self.stats.lines());
        }
        if let Some(nodes) = &self.strategy {
            lines.push(("strategy".to_owned(), counted(nodes.len(), "position")));
        }
        let mut text = aligned(&lines);
        if let Some(nodes) = &self.strategy {
            plan::write(nodes, "MAX", "MIN", &mut text);
        }
        text
    }
}
