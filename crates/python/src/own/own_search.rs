//! Searches of games written in Python, over any lattice, by any algorithm that it permits.
//!
//! Idea: searches are compiled once for the lattices of files and once for those written in Python.
//! Algorithms that need join-primes need a concrete lattice, so [`by_claims`] compiles only these
//! for integers, sets and families.

use std::time::Instant;

use meetjoin_catalogue::engine::{self, Engine, Task};
use meetjoin_catalogue::method::Algorithm;
use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{
    AnyElem, AnyLattice, Birkhoff, Budget, Distributive, ElemOf, Interval, Lattice, Stop, Words,
};
use meetjoin_search::proof::ProofTable;
use meetjoin_search::{Counts, Exit, Observer, Progress, Tables};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::value;
use crate::error::refused;
use crate::limits::{METER, Watch};
use crate::own::own_game::{Game, Leaves, Read, short};
use crate::own::raised::call;
use crate::problem::counters;

/// Bytes of a table of df-pn, which forgets: some hundred thousand nodes, which take Python as many
/// microseconds. Allocating a larger one takes milliseconds.
const PROOF_BYTES: usize = 4 << 20;

/// Makes a Python object of an element.
pub(crate) type Show<'g, E> = dyn Fn(Python<'_>, &E) -> PyResult<Py<PyAny>> + 'g;

/// Counts, checks signals, and notices cycles in the game.
pub(crate) struct Seen<'g, E> {
    counts: Counts,
    watch: Watch,
    game: &'g Game<'g>,
    show: &'g Show<'g, E>,
    /// Visits since the game was last searched for cycles.
    since: usize,
    /// Nodes and edges that it had then.
    looked_through: usize,
}

impl<'g, E> Seen<'g, E> {
    fn new(game: &'g Game<'g>, show: &'g Show<'g, E>, watch: Watch) -> Self {
        Self {
            counts: Counts::default(),
            watch,
            game,
            show,
            since: 0,
            looked_through: 0,
        }
    }

    /// Looks for a cycle, if there is something new. That takes time linear in the game, so it is
    /// done after as many visits.
    fn look_for_cycles(&mut self) {
        self.since = 0;
        let size = self.game.node_count() + self.game.edge_count();
        if size == self.looked_through {
            return;
        }
        self.looked_through = size;
        if let Some(node) = self.game.on_a_cycle() {
            call(|py| {
                let node = short(&self.game.node(py, node));
                Err::<(), _>(refused(format!("the game has a cycle through {node}")))
            });
        }
    }
}

/// Visits after which a small game is searched for cycles.
const FEW: usize = 4096;

impl<E: Clone> Observer<u32, E> for Seen<'_, E> {
    fn enter(&mut self, node: &u32, window: Option<(&E, &E)>) {
        Observer::<u32, E>::enter(&mut self.counts, node, window);
        self.since += 1;
        if self.since > FEW && self.since > self.looked_through + self.game.node_count() {
            self.look_for_cycles();
        }
    }

    fn exit(&mut self, _: &u32, _: Exit<'_, E>) {}

    fn leaf(&mut self, node: &u32) {
        Observer::<u32, E>::leaf(&mut self.counts, node);
    }

    fn cache_hit(&mut self, node: &u32) {
        Observer::<u32, E>::cache_hit(&mut self.counts, node);
    }

    fn probe(&mut self, node: &u32) {
        Observer::<u32, E>::probe(&mut self.counts, node);
    }

    fn cutoff(&mut self, node: &u32, skipped: usize) {
        Observer::<u32, E>::cutoff(&mut self.counts, node, skipped);
    }

    fn wants_progress(&mut self) -> bool {
        self.watch.look()
    }

    fn progress(&mut self, progress: Progress<'_, E>) {
        let text = |value: &E| {
            let text = call(|py| Ok((self.show)(py, value)?.bind(py).str()?.to_string()));
            text.unwrap_or_default()
        };
        let (lower, upper) = (text(progress.lower), text(progress.upper));
        meetjoin_solve::Progress::show(
            &mut self.watch,
            &meetjoin_solve::Moment {
                visits: progress.visits,
                entries: progress.entries,
                known: meetjoin_solve::Known::Between(lower, upper),
            },
        );
    }
}

/// A game to be solved, and how.
pub(crate) struct Asked<'g> {
    pub(crate) game: &'g Game<'g>,
    pub(crate) algorithm: Algorithm,
    pub(crate) budget: &'g Budget,
    pub(crate) moves: bool,
    pub(crate) watch: Watch,
}

/// What is asked of the engines.
type Todo<'g, L> = Task<'g, Game<'g>, Leaves<'g, L>, (), Tables>;
type EngineOf<'g, L> = Engine<'g, u32, ElemOf<L>, Seen<'g, ElemOf<L>>>;

/// Bounds of one node, and why the search was stopped, if it was.
type Known<E> = (Interval<E>, Option<Stop>);

/// Bounds as a search found them.
pub(crate) fn as_found<E>(bounds: Interval<E>) -> Interval<E> {
    bounds
}

impl<'g> Asked<'g> {
    /// Searches by an engine, and makes a dictionary of what it finds. `None` if there is no such
    /// engine.
    pub(crate) fn search<'py, L: Lattice>(
        self,
        py: Python<'py>,
        leaves: &'g Leaves<'g, L>,
        show: &'g Show<'g, ElemOf<L>>,
        engine: impl FnOnce(&Algorithm, &Todo<'g, L>) -> Option<EngineOf<'g, L>>,
        bounds: impl Fn(Interval<ElemOf<L>>) -> Interval<ElemOf<L>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let started = Instant::now();
        let Self { game, budget, .. } = self;
        let memory_left = budget.memory_left().map_or(usize::MAX, |left| {
            usize::try_from(left / 4 * 3).unwrap_or(usize::MAX)
        });
        let task = Task {
            dag: game,
            valuation: leaves,
            heuristic: None::<()>,
            stores: Tables,
            budget,
            // With less memory than that, the memory limit stops the search, which then has bounds.
            proof_bytes: PROOF_BYTES
                .min(memory_left)
                .max(ProofTable::<u32>::least_bytes()),
        };
        let Some(mut engine) = engine(&self.algorithm, &task) else {
            return Ok(None);
        };
        let mut seen = Seen::new(game, show, self.watch);
        let mut solve = |root, seen: &mut Seen<'g, _>| {
            let solved = engine.search(root, seen);
            seen.look_for_cycles();
            let (mut value, mut stop) = (bounds(solved.outcome.value), solved.outcome.stop);
            if game.is_cut() {
                let lattice = leaves.lattice();
                value = Interval::Between {
                    lower: lattice.bottom(),
                    upper: lattice.top(),
                };
                stop = budget.fired();
            }
            let stop = stop.filter(|_| value.exact().is_none());
            ((value, stop), solved.cache_entries)
        };
        let (root, entries) = solve(game.root(), &mut seen);
        let (counts, seconds) = (seen.counts, started.elapsed().as_secs_f64());
        let mut children = Vec::new();
        if self.moves && game.kind(&game.root()) != Kind::Leaf {
            game.children(&game.root(), &mut children);
            let mut once = std::collections::HashSet::new();
            children.retain(|child| once.insert(*child));
        }
        let moves = self.moves.then(|| {
            let moves = children.into_iter();
            moves
                .map(|child| (child, solve(child, &mut seen).0))
                .collect::<Vec<_>>()
        });
        if let Some(error) = seen.watch.raised.take() {
            return Err(error);
        }
        let found = |(value, stop): &Known<L::Elem>| {
            let dict = PyDict::new(py);
            value::interval(py, &dict, value, |value| show(py, value))?;
            dict.set_item("stop", stop.map(Stop::word))?;
            dict.set_item("contradiction", false)?;
            Ok::<_, PyErr>(dict)
        };
        let dict = found(&root)?;
        dict.set_item("algorithm", self.algorithm.id)?;
        let moves = moves.map(|moves| {
            let moves = moves.iter();
            let moves = moves.map(|(node, of)| Ok((game.node(py, *node), found(of)?)));
            moves.collect::<PyResult<Vec<_>>>()
        });
        dict.set_item("moves", moves.transpose()?)?;
        let stats = counters(py, &counts)?;
        stats.set_item("nodes", game.node_count())?;
        stats.set_item("cache_entries", entries)?;
        stats.set_item("peak_memory_bytes", (METER.peak)())?;
        stats.set_item("seconds", seconds)?;
        dict.set_item("stats", stats)?;
        Ok(Some(dict))
    }
}

/// Solves by claims that join-primes lie below the value, if the lattice is one whose join-primes
/// can be enumerated.
pub(crate) fn by_claims<'py>(
    py: Python<'py>,
    asked: Asked<'_>,
    any: &AnyLattice,
    read: &Read<'_, AnyElem>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let show_any = |py: Python<'_>, value: &AnyElem| value::element(py, any, value);
    // Cannot happen: values are read as elements of this lattice.
    let strange = || refused("a value of another lattice");
    macro_rules! over {
        ($lattice:expr, $variant:ident, $engine:path) => {{
            let read = |value: &Bound<'_, PyAny>| match read(value)? {
                AnyElem::$variant(value) => Ok(value),
                _ => Err(strange()),
            };
            let show =
                |py: Python<'_>, value: &_| show_any(py, &AnyElem::$variant(Clone::clone(value)));
            let leaves = Leaves::new(asked.game, $lattice.clone(), &read);
            asked.search(py, &leaves, &show, $engine, as_found)
        }};
    }
    match any {
        AnyLattice::Integers(chain) => over!(chain, Integer, engine::proofs_of_integers),
        AnyLattice::SmallPowerset(sets) => over!(sets, SmallSet, engine::proofs_of_sets),
        AnyLattice::Powerset(sets) => over!(sets, Set, engine::proofs_of_sets),
        AnyLattice::SmallFamilies(families) => over!(families, SmallFamily, engine::thresholds),
        AnyLattice::Families(families) => over!(families, Family, engine::thresholds),
        AnyLattice::Finite(table) => {
            let table = Distributive::try_from(table.clone());
            let Ok(Ok(sets)) = table.as_ref().map(Birkhoff::<Words<1>>::new) else {
                return Ok(None);
            };
            let read = |value: &Bound<'_, PyAny>| match read(value)? {
                AnyElem::Element(element) => sets.set(element).copied().ok_or_else(strange),
                _ => Err(strange()),
            };
            let show = |py: Python<'_>, set: &Words<1>| {
                let element = sets.element(set).ok_or_else(strange)?;
                show_any(py, &AnyElem::Element(element))
            };
            // A search that was stopped may know single join-irreducibles below the value, which
            // need not be a down-set.
            let down_sets = |found: Interval<Words<1>>| {
                let set =
                    |element: Option<u32>| element.and_then(|element| sets.set(element).copied());
                let lower = set(sets.least_above(found.lower()));
                let upper = set(sets.greatest_below(found.upper()));
                lower
                    .zip(upper)
                    .map_or(found, |(lower, upper)| Interval::new(lower, upper))
            };
            let leaves = Leaves::new(asked.game, sets.powerset().clone(), &read);
            asked.search(py, &leaves, &show, engine::proofs_of_sets, down_sets)
        }
        _ => Ok(None),
    }
}
