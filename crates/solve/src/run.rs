//! The one search for the value of a root, whatever the subject.

use std::collections::HashSet;
use std::fmt::{self, Write as _};

use meetjoin::dag::{AndOrDag, Kind, Valuation};
use meetjoin::lattice::{Budget, Interval, Lattice, Limits};
use meetjoin::search::engine::{Solved, Task};
use meetjoin::search::method::{Method, Needs};
use meetjoin::search::{Call, Counts, Exit, Observer, Outcome, Progress as At};

use crate::answer::{Answer, Facts, Found, NodeText, Stats, TooLong};
use crate::compiled::Engines as _;
use crate::measuring::Measuring;
use crate::request::{Form, Known, Moment, Progress, Refused, Request};
use crate::subject::{Distinct, Elem, NodeOf, Subject, proof_bytes};
use crate::value::Value;

/// Finds the value of the root, and of its children if they are asked for.
pub(crate) fn solve<S: Subject>(subject: &S, request: Request<'_>) -> Result<Answer, Refused> {
    let Request {
        algorithm,
        budget,
        meter,
        ..
    } = request;
    let distinct = subject.distinct(request.count_nodes, &algorithm);
    let mut watch = Watch {
        counts: Counts::default(),
        distinct,
        subject,
        best: None,
        one_question: true,
        progress: request.progress,
        events: request.events.map(Events::new),
    };
    let measuring = Measuring::begin(meter);
    let known = subject.known(&algorithm);
    let task = Task {
        dag: subject.dag(),
        valuation: subject.values(),
        heuristic: S::bounds(&known),
        stores: subject.stores(request.tables, budget),
        budget,
        proof_bytes: proof_bytes::<NodeOf<S>>(request.proof_bytes, budget, subject.node_count()),
    };
    let engine = S::Engines::engine(&algorithm, &task);
    let mut engine = engine.ok_or_else(|| {
        if algorithm.needs() == Needs::JoinPrimes {
            let why = "--max-memory leaves too little for the table of df-pn, or the game has values of another kind";
            return Refused::Problem(format!("{}; {why}", Refused::no_claims(&algorithm)));
        }
        let why = ", which the lattice of this game is not";
        Refused::needs(&algorithm, Needs::Distributive, why)
    })?;
    let Solved {
        outcome,
        cache_entries,
    } = engine.search(subject.dag().root(), &mut watch);
    let stats = Stats {
        nodes: watch.distinct.as_ref().map(Distinct::count),
        cache_entries: Some(cache_entries),
        ..measuring.stats(watch.counts)
    };
    // Events, counters and bounds as JSON are those of the root's search alone.
    watch.events = None;
    watch.progress = watch.progress.filter(|told| told.form() == Form::Text);
    let moves = request.moves.then(|| {
        let solved = children_of_root(subject).into_iter().map(|child| {
            watch.best = None;
            let outcome = engine.search(child.clone(), &mut watch).outcome;
            (
                subject.name(&child),
                found(subject, &outcome, request.most_items),
            )
        });
        solved.collect()
    });
    Ok(Answer {
        algorithm: algorithm.id,
        root: found(subject, &outcome, request.most_items),
        moves,
        facts: Facts(subject.facts(outcome.value.exact())),
        stats,
        strategy: None,
        explanation: None,
    })
}

/// Whether an algorithm uses all that is known of a game. Only alpha-beta duo with that part does; others run as they are in the papers.
pub(crate) fn uses_knowledge(method: Method) -> bool {
    matches!(method, Method::Duo(parts) if parts.bounds)
}

/// The children of the root, each once.
fn children_of_root<S: Subject>(subject: &S) -> Vec<NodeOf<S>> {
    let (dag, mut children) = (subject.dag(), Vec::new());
    let root = dag.root();
    if dag.kind(&root) != Kind::Leaf {
        dag.children(&root, &mut children);
    }
    let mut seen = HashSet::new();
    children.retain(|child| seen.insert(child.clone()));
    children
}

/// The outcome of a search as answers have it.
fn found<S: Subject>(subject: &S, outcome: &Outcome<Elem<S>>, most_items: usize) -> Found {
    let mut too_long = None;
    let value = match &outcome.value {
        Interval::Exact(value) => Interval::Exact(subject.value(value)),
        Interval::Between { lower, upper } => {
            let lengths = [lower, upper].map(|bound| subject.length(bound));
            let [low, high] = lengths.map(|length| length > most_items && outcome.stop.is_some());
            too_long = (low || high).then_some(TooLong {
                lower: low.then_some(lengths[0]),
                upper: high.then_some(lengths[1]),
            });
            let lower = if low {
                Value::End { top: false }
            } else {
                subject.value(lower)
            };
            let upper = if high {
                Value::End { top: true }
            } else {
                subject.upper(upper)
            };
            if lower.is(&upper) {
                Interval::Exact(lower)
            } else {
                Interval::Between { lower, upper }
            }
        }
    };
    Found {
        stop: outcome.stop.filter(|_| value.exact().is_none()),
        value,
        too_long,
        contradiction: contradicts(subject.values().lattice(), outcome),
    }
}

/// Steps that it may take to compare two bounds which look wrong.
const STEPS: u64 = 1 << 20;

/// Whether an outcome is neither exact nor stopped, or its bounds are crossed.
fn contradicts<L: Lattice>(lattice: &L, outcome: &Outcome<L::Elem>) -> bool {
    let Interval::Between { lower, upper } = &outcome.value else {
        return false;
    };
    let budget = Budget::new(Limits {
        steps: Some(STEPS),
        ..Limits::default()
    });
    outcome.stop.is_none() || lattice.leq(lower, upper, &budget) == Ok(false)
}

/// Takes what a search says of its root into the best bounds, and tells whether they are better than before. A search that asks one question after the other
/// knows less at the beginning of each than at the end of the last.
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
    // One that is stopped leaves a bound that is true and no worse than it was.
    let _ = lattice.join_assign(lower, now.lower, &budget);
    let _ = lattice.meet_assign(upper, now.upper, &budget);
    before != (lower.clone(), upper.clone())
}

/// Everything that is watched.
pub(crate) struct Watch<'s, 'r, S: Subject> {
    pub(crate) counts: Counts,
    pub(crate) distinct: Option<S::Distinct>,
    pub(crate) subject: &'s S,
    /// The best bounds that were told.
    pub(crate) best: Option<(Elem<S>, Elem<S>)>,
    /// Whether all that is told is of one value. Of one depth after another it is not.
    pub(crate) one_question: bool,
    pub(crate) progress: Option<&'r mut dyn Progress>,
    pub(crate) events: Option<Events<'r>>,
}

impl<S: Subject> Watch<'_, '_, S> {
    #[inline]
    fn visit(&mut self, node: &NodeOf<S>) {
        if let Some(distinct) = &mut self.distinct {
            distinct.visit(node);
        }
    }

    /// Tells whoever listens of one event: its name, its node, values under their keys, and what else there is.
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
        let values = values.map(|&(key, value)| match key {
            "upper" | "beta" => (key, subject.upper(value).json()),
            _ => (key, subject.value(value).json()),
        });
        events.tell(event, &subject.name(node), values, rest);
    }
}

/// Who is told of events.
pub(crate) struct Events<'r> {
    /// `None` once it wants to hear no more.
    listener: Option<&'r mut dyn FnMut(&str) -> bool>,
    line: String,
}

impl<'r> Events<'r> {
    fn new(listener: &'r mut dyn FnMut(&str) -> bool) -> Self {
        Self {
            listener: Some(listener),
            line: String::new(),
        }
    }

    fn tell<'v>(
        &mut self,
        event: &str,
        node: &NodeText,
        values: impl Iterator<Item = (&'v str, String)>,
        rest: fmt::Arguments<'_>,
    ) {
        let Some(listener) = &mut self.listener else {
            return;
        };
        self.line.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.line, "{{\"event\":\"{event}\",\"node\":{}", node.json);
        for (key, value) in values {
            let _ = write!(self.line, ",\"{key}\":{value}");
        }
        let _ = writeln!(self.line, "{rest}}}");
        if !listener(&self.line) {
            self.listener = None;
        }
    }
}

/// An event that has nothing else to say.
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
