//! The search for the value of a root, for every subject.

use std::cell::OnceCell;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use meetjoin_catalogue::engine::{Engine, Solved, Task};
use meetjoin_catalogue::method::{ALGORITHMS, Algorithm, Method, Needs};
use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{Budget, Lattice, Limits, Stop};
use meetjoin_search::sharing::{SharedCaches, SharedStores, Sharing};
use meetjoin_search::threads::{race, together};
use meetjoin_search::{Call, Counts, Entries, Exit, Observer, Progress as At};

use crate::answers::answer::{Answer, Facts, Stats};
use crate::answers::checkpoint::Saving;
use crate::answers::request::{
    CountNodes, Form, HEAD_START, Known, Moment, PositionCache, Progress, Refused, Request,
    check_threads,
};
use crate::searching::compiled::Engines as _;
use crate::searching::events::Events;
use crate::searching::found::{STEPS, Written};
use crate::searching::subject::{Distinct, Elem, NodeOf, Subject, children_of, proof_bytes};
use meetjoin_report::Measuring;

/// Finds the value of the root, and of its children if they are asked for, on the requested number
/// of threads.
///
/// # Errors
/// If the request does not fit the subject: the algorithm does not run on its lattice or on several
/// threads, or nodes and values have no form in checkpoints.
pub fn solve<S: Subject + Sync>(subject: &S, request: Request<'_>) -> Result<Answer, Refused> {
    check_threads(request.threads)?;
    let threads = request.threads.get();
    if threads == 1 {
        return solve_alone(subject, request);
    }
    let refused = |why: &str| Refused::Argument(format!("--threads {threads}: {why}"));
    if request.events.is_some() {
        return Err(refused("--events tells of one thread"));
    }
    if request.checkpoint.is_some() {
        return Err(refused("--checkpoint is for one thread"));
    }
    if !request.algorithm.runs_on_threads() {
        let others = ALGORITHMS.iter().filter(|other| other.runs_on_threads());
        let others: Vec<&str> = others.map(|other| other.id).collect();
        let (id, others) = (request.algorithm.id, others.join(" or "));
        return Err(refused(&format!(
            "{id} runs on one thread; --algorithm {others} would work"
        )));
    }
    let bytes = subject.shared_bytes(request.tables, request.budget);
    let caches = Arc::new(SharedCaches::new(threads, bytes));
    let (mut number, budget) = (0, request.budget);
    let begin: Box<Begin<'_, '_, '_, S>> = Box::new(|work| {
        Ok(Box::new(move |root, watch| {
            number += 1;
            work.on_threads(threads, budget, &caches, number, root, watch)
        }))
    });
    find(subject, request, begin)
}

/// Finds the value of the root, and of its children if they are asked for, on one thread.
///
/// # Errors
/// As for [`solve`], and if more than one thread is asked for.
pub fn solve_alone<S: Subject>(subject: &S, request: Request<'_>) -> Result<Answer, Refused> {
    if request.threads.get() > 1 {
        let why = "--threads: a game that is judged at a depth is searched on one thread";
        return Err(Refused::Argument(why.to_owned()));
    }
    let known = OnceCell::new();
    let (tables, budget) = (request.tables, request.budget);
    let ask = request.checkpoint.clone();
    let begin: Box<Begin<'_, '_, '_, S>> = Box::new(|work| {
        let known = known.get_or_init(|| subject.known(&work.algorithm));
        let stores = Sharing::Own(subject.stores(tables, budget));
        let mut engine = work.engine(known, stores, budget)?;
        let ask = ask.map(|ask| {
            let path = ask.path.display().to_string();
            let busy = || format!("--checkpoint {path}: another run keeps its checkpoints there");
            Saving::new(ask).ok_or_else(|| Refused::Argument(busy()))
        });
        let mut ask = ask.transpose()?;
        if let Some(saving) = &mut ask {
            load(subject, &mut engine, saving, budget)?;
        }
        Ok(Box::new(move |root, watch| {
            watch.saving = watch.saving.take().or(ask.take());
            let mut solved = engine.search(root.clone(), watch);
            // Its cache stays valid, so it goes on from there: if caches leave more memory, the
            // operation that failed may succeed.
            while solved.outcome.stop == Some(Stop::Memory)
                && engine.entries().is_some()
                && budget.leave_more()
            {
                let (again, before) = (engine.search(root.clone(), watch), solved.outcome);
                solved = Solved {
                    outcome: together(subject.values().lattice(), again.outcome, vec![before]),
                    ..again
                };
            }
            if let Some(entries) = engine.entries().filter(|_| watch.is_last) {
                watch.save(entries);
            }
            Ok(solved)
        }))
    });
    find(subject, request, begin)
}

/// Loads a checkpoint into the cache of an engine.
fn load<S: Subject, O>(
    subject: &S,
    engine: &mut Engine<'_, NodeOf<S>, Elem<S>, O>,
    saving: &mut Saving,
    budget: &Budget,
) -> Result<(), Refused> {
    let lattice = subject.values().lattice();
    let refused = |why: &str| Refused::Argument(format!("--checkpoint: {why}"));
    if engine.entries().is_none() {
        return Err(refused("the algorithm remembers no bounds of nodes"));
    }
    let known = subject.number(&subject.dag().root()).is_some();
    if !known || !subject.write_bound(&lattice.bottom(), false, &mut String::new()) {
        return Err(refused(
            "the nodes or the values of this game cannot be written to a file",
        ));
    }
    let loaded = saving.load(&mut |number, lower, upper| {
        let bound = |bytes| subject.read_bound(str::from_utf8(bytes).ok()?);
        let lower = bound(lower);
        let upper = upper.map_or_else(|| lower.clone(), bound);
        let (Some(node), Some(lower), Some(upper)) = (subject.numbered(number), lower, upper)
        else {
            return false;
        };
        // Entries for which there is no room are dropped; nothing is wrong with the file.
        let _ = engine.remember(&node, (lower, upper), budget);
        true
    });
    loaded.map_err(|error| Refused::Argument(format!("--resume: {error}")))
}

/// A search from any node, with an observer.
type Search<'a, 's, 'r, S> =
    dyn FnMut(NodeOf<S>, &mut Watch<'s, 'r, S>) -> Result<Solved<Elem<S>>, Refused> + 'a;

/// Makes a search, after the clock has started.
type Begin<'k, 's, 'r, S> =
    dyn FnOnce(Work<'s, S>) -> Result<Box<Search<'k, 's, 'r, S>>, Refused> + 'k;

/// Answers a request by searches that `begin` makes. Compiled once for one thread and several.
fn find<'s, 'r, S: Subject>(
    subject: &'s S,
    request: Request<'r>,
    begin: Box<Begin<'_, 's, 'r, S>>,
) -> Result<Answer, Refused> {
    let Request {
        algorithm,
        tables,
        budget,
        meter,
        ..
    } = request;
    let distinct = subject.distinct(request.count_nodes, &algorithm);
    let mut watch = Watch {
        progress: request.progress,
        events: request.events.map(Events::new),
        ..Watch::new(subject, distinct)
    };
    let measuring = Measuring::begin(meter);
    let mut search = begin(Work {
        subject,
        tables,
        algorithm,
        proof_bytes: proof_bytes::<NodeOf<S>>(request.proof_bytes, budget, subject.node_count()),
    })?;
    let root = subject.dag().root();
    let children = if request.moves {
        children_of(subject.dag())
    } else {
        Vec::new()
    };
    watch.is_last = children.is_empty();
    let Solved {
        outcome,
        cache_entries,
    } = search(root, &mut watch)?;
    let stats = Stats {
        nodes: watch.distinct.as_ref().map(Distinct::count),
        cache_entries: Some(cache_entries),
        ..Stats::of(&measuring, watch.counts)
    };
    // Events, counters and bounds as JSON are of the root's search only.
    watch.events = None;
    watch.progress = watch.progress.filter(|told| told.form() == Form::Text);
    let mut written = Written::new(request.most_items, budget);
    let root = written.found(subject, &outcome);
    let mut moves = request.moves.then(Vec::new);
    if let Some(moves) = &mut moves {
        let count = children.len();
        for (place, child) in children.into_iter().enumerate() {
            watch.best = None;
            watch.is_last = place + 1 == count;
            let outcome = search(child.clone(), &mut watch)?.outcome;
            moves.push((subject.name(&child), written.found(subject, &outcome)));
        }
    }
    if request.abandon {
        std::mem::forget(search);
    }
    Ok(Answer {
        algorithm: algorithm.id,
        root,
        moves,
        facts: Facts(subject.facts(outcome.value.exact())),
        stats,
        strategy: None,
        explanation: None,
        checkpoint: watch.saving.map(|saving| saving.done),
    })
}

/// The task of a search, on any thread.
struct Work<'w, S> {
    subject: &'w S,
    tables: PositionCache,
    algorithm: Algorithm,
    proof_bytes: usize,
}

impl<'w, S: Subject> Work<'w, S> {
    /// The engine of the algorithm, if the subject has it.
    fn engine<'e, O>(
        &self,
        known: &'e S::Known<'w>,
        stores: Sharing<S::Stores>,
        budget: &'e Budget,
    ) -> Result<Engine<'e, NodeOf<S>, Elem<S>, O>, Refused>
    where
        'w: 'e,
        O: Observer<NodeOf<S>, Elem<S>>,
    {
        let task = Task {
            dag: self.subject.dag(),
            valuation: self.subject.values(),
            heuristic: S::bounds(known),
            stores,
            budget,
            proof_bytes: self.proof_bytes,
        };
        let engine = S::Engines::engine(&self.algorithm, &task);
        engine.ok_or_else(|| {
            if self.algorithm.needs() == Needs::JoinPrimes {
                let no_claims = Refused::no_claims(&self.algorithm);
                if self.algorithm.method == Method::Thresholds {
                    return no_claims;
                }
                let why = "--max-memory leaves too little for the table of df-pn, or the game has values of another kind";
                return Refused::Problem(format!("{no_claims}; {why}"));
            }
            let why = ", which the lattice of this game is not";
            Refused::needs(&self.algorithm, Needs::Distributive, why)
        })
    }

    /// A search on several threads, each of which has an engine of its own.
    fn on_threads(
        &self,
        threads: usize,
        budget: &Budget,
        caches: &Arc<SharedCaches>,
        number: u64,
        root: NodeOf<S>,
        watch: &mut Watch<'_, '_, S>,
    ) -> Result<Solved<Elem<S>>, Refused>
    where
        S: Sync,
    {
        if self.algorithm.method == Method::Minimax
            && let Some(all) = self.subject.by_levels(&root, threads, budget)
        {
            watch.counts += all.counts;
            if let Some(distinct) = &mut watch.distinct {
                all.nodes.iter().for_each(|node| distinct.visit(node));
            }
            return Ok(Solved {
                outcome: all.outcome,
                cache_entries: all.inner as usize,
            });
        }
        let roots = Mutex::new(vec![root; threads]);
        let run = |budget: &Budget, watch: &mut Watch<'_, '_, S>| {
            let root = roots.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let root = root.unwrap_or_else(|| self.subject.dag().root());
            let known = self.subject.known(&self.algorithm);
            let stores = SharedStores::new(caches);
            let own = self.subject.stores(self.tables, budget);
            let engine = self.engine(&known, Sharing::Shared(stores.clone(), own), budget);
            let solved = engine.map(|mut engine| {
                stores.begin(number);
                engine.search(root, watch)
            });
            let is_found = match &solved {
                Ok(solved) => solved.outcome.stop.is_none(),
                // No thread has such an engine.
                Err(_) => true,
            };
            (solved, is_found)
        };
        let counts_nodes = watch.distinct.is_some();
        let help = |budget: &Budget| {
            let distinct = || self.subject.distinct(CountNodes::Always, &self.algorithm);
            let mut watch = Watch::new(self.subject, counts_nodes.then(distinct).flatten());
            let (solved, is_found) = run(budget, &mut watch);
            ((solved.ok(), watch.counts, watch.distinct), is_found)
        };
        let ran = race(
            budget,
            threads - 1,
            HEAD_START,
            |budget| run(budget, watch),
            help,
        );
        let own = ran.own?;
        let mut outcomes = Vec::new();
        for (solved, counts, distinct) in ran.helped {
            watch.counts += counts;
            if let (Some(all), Some(distinct)) = (&mut watch.distinct, distinct) {
                all.add(distinct);
            }
            outcomes.extend(solved.map(|solved| solved.outcome));
        }
        Ok(Solved {
            outcome: together(self.subject.values().lattice(), own.outcome, outcomes),
            ..own
        })
    }
}

/// Returns whether an algorithm uses everything that is known of a game. Only alpha-beta duo with
/// the part `bounds` does; others run as in the papers.
pub fn uses_knowledge(method: Method) -> bool {
    matches!(method, Method::Duo(parts) if parts.bounds)
}

/// Combines reported bounds of the root with the best ones; returns whether these have improved. A
/// search that asks several questions knows less at the beginning of each than at the end of the
/// last.
fn improve<L: Lattice>(
    lattice: &L,
    best: &mut Option<(L::Elem, L::Elem)>,
    now: &At<'_, L::Elem>,
) -> bool {
    let Some((lower, upper)) = best else {
        *best = Some((now.lower.clone(), now.upper.clone()));
        return true;
    };
    let budget = Budget::new(Limits {
        steps: Some(STEPS),
        ..Limits::default()
    });
    let before = (lower.clone(), upper.clone());
    // A stopped operation leaves a true bound that is no worse than before.
    let _ = lattice.join_assign(lower, now.lower, &budget);
    let _ = lattice.meet_assign(upper, now.upper, &budget);
    before.0 != *lower || before.1 != *upper
}

/// The observer of a search, with everything to be reported.
pub struct Watch<'s, 'r, S: Subject> {
    /// The counters.
    pub counts: Counts,
    /// What is searched.
    pub subject: &'s S,
    distinct: Option<S::Distinct>,
    /// The best bounds reported so far.
    best: Option<(Elem<S>, Elem<S>)>,
    /// Checkpoints, if they are asked for.
    saving: Option<Saving>,
    /// Whether this is the last search of the engine.
    is_last: bool,
    /// Whether all bounds are of one value, and not of the values of several depths.
    one_question: bool,
    progress: Option<&'r mut dyn Progress>,
    events: Option<Events<'r>>,
}

impl<'s, 'r, S: Subject> Watch<'s, 'r, S> {
    /// An observer that counts and reports nothing.
    pub fn new(subject: &'s S, distinct: Option<S::Distinct>) -> Self {
        Self {
            counts: Counts::default(),
            subject,
            distinct,
            best: None,
            saving: None,
            is_last: true,
            one_question: true,
            progress: None,
            events: None,
        }
    }

    /// The observer of searches of several values, of which nothing is counted but visits.
    pub fn of_several_values(subject: &'s S, progress: Option<&'r mut dyn Progress>) -> Self {
        Self {
            one_question: false,
            progress,
            ..Self::new(subject, None)
        }
    }

    /// Writes a checkpoint.
    fn save(&mut self, entries: &dyn Entries<NodeOf<S>, Elem<S>>) {
        let (Some(saving), subject) = (&mut self.saving, self.subject) else {
            return;
        };
        let (mut low, mut high) = (String::new(), String::new());
        saving.save(&mut |file| {
            entries.each(&mut |node, lower, upper| {
                let Some(number) = subject.number(node) else {
                    return;
                };
                low.clear();
                high.clear();
                subject.write_bound(lower, false, &mut low);
                if lower != upper {
                    subject.write_bound(upper, true, &mut high);
                }
                let high = (lower != upper).then_some(high.as_bytes());
                file.entry(number, low.as_bytes(), high);
            });
        });
    }

    #[inline]
    fn visit(&mut self, node: &NodeOf<S>) {
        if let Some(distinct) = &mut self.distinct {
            distinct.visit(node);
        }
    }

    /// Reports an event to the listener: its name, its node, values with their keys, and other
    /// data.
    #[cold]
    fn tell(
        &mut self,
        event: &str,
        node: &NodeOf<S>,
        values: &[(&str, &Elem<S>)],
        rest: fmt::Arguments<'_>,
    ) {
        let (Some(events), subject) = (&mut self.events, self.subject) else {
            return;
        };
        let values = values.iter();
        let mut values = values.map(|&(key, value)| match key {
            "upper" | "beta" => (key, subject.upper(value).json()),
            _ => (key, subject.value(value).json()),
        });
        events.tell(event, &subject.name(node), &mut values, rest);
    }
}

/// No other data.
const NOTHING: fmt::Arguments<'static> = format_args!("");

impl<S: Subject> Observer<NodeOf<S>, Elem<S>> for Watch<'_, '_, S> {
    #[inline]
    fn enter(&mut self, node: &NodeOf<S>, window: Option<(&Elem<S>, &Elem<S>)>) {
        self.counts.enter(node, window);
        self.visit(node);
        if self.events.is_some() {
            match window {
                Some((alpha, beta)) => {
                    self.tell("enter", node, &[("alpha", alpha), ("beta", beta)], NOTHING);
                }
                None => self.tell("enter", node, &[], NOTHING),
            }
        }
    }

    #[inline]
    fn enter_call(&mut self, node: &NodeOf<S>, call: Call, bound: Option<&Elem<S>>) {
        self.counts.enter_call(node, call, bound);
        self.visit(node);
        if self.events.is_some() {
            let call = match call {
                Call::Expand => "expand",
                Call::Diminish => "diminish",
            };
            self.tell("enter", node, &[], format_args!(",\"call\":\"{call}\""));
        }
    }

    #[inline]
    fn enter_relaxed(&mut self, node: &NodeOf<S>) {
        Observer::<NodeOf<S>, Elem<S>>::enter_relaxed(&mut self.counts, node);
    }

    #[inline]
    fn leaf(&mut self, node: &NodeOf<S>) {
        Observer::<NodeOf<S>, Elem<S>>::leaf(&mut self.counts, node);
        if self.events.is_some() {
            self.tell("leaf", node, &[], NOTHING);
        }
    }

    #[inline]
    fn cache_hit(&mut self, node: &NodeOf<S>) {
        Observer::<NodeOf<S>, Elem<S>>::cache_hit(&mut self.counts, node);
    }

    #[inline]
    fn probe(&mut self, child: &NodeOf<S>) {
        Observer::<NodeOf<S>, Elem<S>>::probe(&mut self.counts, child);
    }

    #[inline]
    fn cutoff(&mut self, node: &NodeOf<S>, skipped: usize) {
        Observer::<NodeOf<S>, Elem<S>>::cutoff(&mut self.counts, node, skipped);
        if self.events.is_some() {
            self.tell("cutoff", node, &[], format_args!(",\"skipped\":{skipped}"));
        }
    }

    #[inline]
    fn exit(&mut self, node: &NodeOf<S>, result: Exit<'_, Elem<S>>) {
        if self.events.is_some() {
            match result {
                Exit::Value(value) => self.tell("exit", node, &[("value", value)], NOTHING),
                Exit::Bounds(lower, upper) => {
                    self.tell("exit", node, &[("lower", lower), ("upper", upper)], NOTHING);
                }
            }
        }
    }

    fn wants_entries(&mut self) -> bool {
        self.saving.as_ref().is_some_and(Saving::is_due)
    }

    fn entries(&mut self, entries: &dyn Entries<NodeOf<S>, Elem<S>>) {
        self.save(entries);
    }

    fn wants_progress(&mut self) -> bool {
        self.progress.as_mut().is_some_and(|told| told.wanted())
    }

    fn progress(&mut self, progress: At<'_, Elem<S>>) {
        let Some(told) = &mut self.progress else {
            return;
        };
        if !self.one_question {
            self.best = None;
        }
        let improved = improve(self.subject.values().lattice(), &mut self.best, &progress);
        let (Some((lower, upper)), true) = (&self.best, improved || told.form() == Form::Text)
        else {
            return;
        };
        let (lower, upper) = (self.subject.value(lower), self.subject.upper(upper));
        let known = match told.form() {
            Form::Text => Known::Between(lower.text(), upper.text()),
            Form::Json => Known::Between(lower.json(), upper.json()),
        };
        told.show(&Moment {
            visits: progress.visits,
            entries: progress.entries,
            known,
        });
    }
}
