//! `--heaviest`: the heaviest sets of a value in families.

use std::fs;
use std::path::Path;
use std::time::Instant;

use meetjoin::dag::{AndOrDag, Problem, Valuation};
use meetjoin::file::{write_readable, write_value};
use meetjoin::lattice::{AnyElem, AnyLattice, Budget, Families, Lattice, Stop, Weights, WorldSet};
use meetjoin::search::engine::{DenseStores, Stores};
use meetjoin::search::heaviest::KnownOfNodes;
use meetjoin::search::{Counts, Env, Heaviest, heaviest};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::ALLOCATOR;
use crate::answer::{Stats, StatsJson, raw};
use crate::failure::Failure;
use crate::output;
use crate::solve::Request;
use crate::text::aligned;

/// How the sets of worlds of a subject are printed; they come as ascending lists of worlds, numbered from 0.
pub(crate) trait Names {
    /// As JSON.
    fn json(&self, set: &[usize]) -> String;

    /// For people.
    fn readable(&self, set: &[usize]) -> String;

    /// Several of them for people.
    fn readable_family(&self, sets: &[Vec<usize>]) -> String {
        if sets.is_empty() {
            return "no set".to_owned();
        }
        let sets: Vec<String> = sets.iter().map(|set| self.readable(set)).collect();
        sets.join(" ")
    }
}

/// A problem with all its nodes.
pub(crate) fn explicit(problem: Problem<AnyLattice>, request: &Request<'_>) -> Result<(), Failure> {
    let stores = DenseStores {
        nodes: problem.graph().node_count(),
    };
    macro_rules! families {
        ($families:expr, $variant:ident) => {{
            let names = Worlds::new(&problem, $families.worlds());
            let convert = |value| match value {
                AnyElem::$variant(value) => Ok(value),
                other => Err(Failure::Input(format!("{other:?} is outside the lattice"))),
            };
            let problem = problem.try_map($families, convert)?;
            let weights = weights(request, problem.lattice().worlds())?;
            solve(&problem, &problem, (), &weights, stores, &names, request)
        }};
    }
    match problem.lattice().clone() {
        AnyLattice::SmallFamilies(families) => families!(families, SmallFamily),
        AnyLattice::Families(families) => families!(families, Family),
        _ => Err(request.refused(NO_FAMILIES)),
    }
}

/// Why there is no heaviest set.
pub(crate) const NO_FAMILIES: &str = "--heaviest asks for a set of a value in families of sets, which the values of this problem are not";

/// The worlds of a problem file.
pub(crate) struct Worlds {
    sets: AnyLattice,
    names: Option<Vec<String>>,
}

impl Worlds {
    /// So many worlds, as a problem names them.
    pub(crate) fn new(problem: &Problem<AnyLattice>, worlds: usize) -> Self {
        Self {
            sets: AnyLattice::powerset(worlds),
            names: problem.worlds().map(<[String]>::to_vec),
        }
    }
}

impl Names for Worlds {
    fn json(&self, set: &[usize]) -> String {
        let mut text = String::new();
        if let Some(value) = self.sets.set(set.iter().copied()) {
            write_value(&self.sets, &value, &mut text);
        }
        text
    }

    fn readable(&self, set: &[usize]) -> String {
        let mut text = String::new();
        if let Some(value) = self.sets.set(set.iter().copied()) {
            write_readable(&self.sets, &value, self.names.as_deref(), &mut text);
        }
        text
    }
}

/// Finds the heaviest sets and prints them. `known` has bounds of inner nodes.
pub(crate) fn solve<D, B, V, H, S>(
    dag: &D,
    valuation: &V,
    known: H,
    weights: &Weights,
    stores: S,
    names: &impl Names,
    request: &Request<'_>,
) -> Result<(), Failure>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: KnownOfNodes<D::Node, B>,
    S: Stores<D::Node>,
{
    let args = request.heaviest();
    let budget = Budget::new(request.limits()?);
    let started = Instant::now();
    let mut counts = Counts::default();
    let most = args.top.map_or(1, usize::from);
    let env = Env::new(&budget).with_store(stores);
    let env = env.with_heuristic(known).with_observer(&mut counts);
    let found = heaviest(dag, valuation, weights, most, env);
    let stats = Stats {
        nodes: None,
        counts,
        cache_entries: None,
        search_bytes: 0,
        peak_memory_bytes: ALLOCATOR.max_allocated(),
        seconds: started.elapsed().as_secs_f64(),
    };
    let total = weights.of_set(&valuation.lattice().base().top());
    let printed = if request.json() {
        json_text(&found, total, args.top.is_some(), &stats, names)
    } else {
        text(&found, total, &stats, names)
    };
    output::print(&printed)?;
    found.stop.map_or(Ok(()), |_| Err(Failure::Stopped))
}

/// The weights that are asked for; without a file all worlds weigh 1.
pub(crate) fn weights(request: &Request<'_>, worlds: usize) -> Result<Weights, Failure> {
    match &request.heaviest().weights {
        Some(file) => read(file, worlds),
        None => Ok(Weights::equal(worlds)),
    }
}

/// The weights of a file, a JSON list with one for each world.
fn read(file: &Path, worlds: usize) -> Result<Weights, Failure> {
    let wrong = |why: String| Failure::Input(format!("--weights {}: {why}", file.display()));
    let text = fs::read_to_string(file)
        .map_err(|error| wrong(format!("the file cannot be read: {error}")))?;
    let list: Vec<u64> = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("it is no list of integers from 0 on: {error}")))?;
    if list.len() != worlds {
        let count = list.len();
        return Err(wrong(format!("{count} weights for {worlds} worlds")));
    }
    Weights::new(list).map_err(|error| wrong(error.to_string()))
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
    stop: Option<&'static str>,
    passes: u64,
    stats: StatsJson,
}

#[derive(Serialize)]
struct SetJson {
    weight: u64,
    set: Box<RawValue>,
}

/// One JSON object, `meetjoin-heaviest/1`; `several` says that more than one set is asked for.
fn json_text<B: WorldSet>(
    found: &Heaviest<B>,
    total: u64,
    several: bool,
    stats: &Stats,
    names: &impl Names,
) -> String {
    let json = |(weight, set): &(u64, B)| {
        let set: Vec<usize> = set.ones().collect();
        SetJson {
            weight: *weight,
            set: raw(&names.json(&set)),
        }
    };
    let mut counted = stats.json();
    counted.relaxed_visits = found.relaxed_visits;
    let first = found.sets.first().map(json);
    let answer = AnswerJson {
        format: "meetjoin-heaviest/1",
        exact: found.stop.is_none(),
        weight: first.as_ref().map(|first| first.weight),
        set: first.map(|first| first.set),
        bound: found.bound,
        total,
        sets: several.then(|| found.sets.iter().map(json).collect()),
        stop: found.stop.map(Stop::word),
        passes: found.passes,
        stats: counted,
    };
    let mut text = serde_json::to_string(&answer).unwrap_or_default();
    text.push('\n');
    text
}

/// A few aligned lines.
fn text<B: WorldSet>(found: &Heaviest<B>, total: u64, stats: &Stats, names: &impl Names) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
    for (weight, set) in &found.sets {
        let set: Vec<usize> = set.ones().collect();
        line("set", names.readable(&set));
        line("weight", format!("{weight} of {total}"));
    }
    if found.sets.is_empty() {
        line("set", "none".to_owned());
    }
    line("bound", found.bound.to_string());
    if let Some(stop) = found.stop {
        line("stopped", stop.to_string());
    }
    line("passes", found.passes.to_string());
    line("relaxed visits", found.relaxed_visits.to_string());
    lines.extend(stats.lines());
    aligned(&lines)
}
