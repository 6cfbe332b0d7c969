//! `meetjoin prove`: is the value of the root at least this? And whole values by such claims.
//!
//! Idea: the claim is a problem of true and false. The values of an explicit problem, and the bounds of its nodes, are turned into truth values once,
//! and then the lattice is gone. A board game is asked position by position.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::path::Path;
use std::time::Instant;

use indicatif::ProgressBar;
use meetjoin::dag::{AndOrDag, Heuristic, Kind, NodeId, Problem, Valuation};
use meetjoin::file::{Dot, LatticeError, read_value, write_readable, write_value};
use meetjoin::lattice::{
    AnyElem, AnyLattice, Bool, Budget, Chain, Families, Interval, JoinPrimes, Lattice, Limits,
    Powerset, Stop, WorldSet,
};
use meetjoin::search::engine;
use meetjoin::search::proof::{
    BestFirstProver, Decision, DepthFirstProver, DfPn, INFINITY, Integer, LEAST_ENTRIES,
    NoProofGraph, ProofGraph, ProofNumberSearch, ProofNumbers, ProofTable, Prover, Reason, Verdict,
};
use meetjoin::search::total_order::{Question, test};
use meetjoin::search::{Counts, Env, Observer, Progress, Store as _, Table};
use serde::Serialize;
use serde_json::{Value, json};

use crate::ALLOCATOR;
use crate::answer::{Stats, StatsJson};
use crate::args::{ProveAlgorithm, ProveArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::observers::{PAUSE, spinner};
use crate::output::{self, OutputFile};
use crate::solve::{self, Chosen, EngineOf, Input};
use crate::subject::Subject;
use crate::text::aligned;

/// `meetjoin prove`.
pub(crate) fn run(args: &ProveArgs) -> Result<(), Failure> {
    let asked = Asked::new(args)?;
    match solve::read(&args.file)? {
        Input::Problem(problem) => explicit(*problem, &asked),
        Input::Outcomes(_) => Err(asked.refused(LatticeError::Dominance)),
        Input::Game(game) => game.prove(&asked),
    }
}

/// What is asked, whatever the game.
pub(crate) struct Asked<'a> {
    args: &'a ProveArgs,
    limits: Limits,
}

impl<'a> Asked<'a> {
    fn new(args: &'a ProveArgs) -> Result<Self, Failure> {
        let limits = interrupt::limits(&args.limits)?;
        Ok(Self { args, limits })
    }

    /// Bad input, with the file it came from.
    pub(crate) fn refused(&self, error: impl fmt::Display) -> Failure {
        Failure::in_file(&self.args.file, error)
    }

    /// The threshold, an element of this lattice that is join-prime.
    pub(crate) fn threshold(&self, lattice: &AnyLattice) -> Result<AnyElem, Failure> {
        let budget = Budget::new(self.limits.clone());
        let wrong =
            |why: String| Failure::Input(format!("--at-least {}: {why}", self.args.at_least));
        let threshold = read_value(lattice, &self.args.at_least);
        let threshold = threshold.map_err(|error| wrong(error.to_string()))?;
        let stopped = |stop: Stop| wrong(format!("it is not known to be join-prime: {stop}"));
        if lattice
            .is_join_prime(&threshold, &budget)
            .map_err(stopped)?
        {
            return Ok(threshold);
        }
        if threshold == lattice.bottom() {
            return Err(wrong("every value is at least the bottom".to_owned()));
        }
        let below = lattice.join_primes_below(&threshold, &budget);
        let below = below.map_err(stopped)?;
        let names = below.iter().take(MOST_PARTS).map(|part| {
            let mut text = String::new();
            write_value(lattice, part, &mut text);
            text
        });
        let names: Vec<String> = names.collect();
        let rest = below.len().saturating_sub(MOST_PARTS);
        let rest = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        Err(wrong(match names.as_slice() {
            [] => "it is not join-prime, and no join-prime lies below it".to_owned(),
            names => format!(
                "it is not join-prime; ask for each of the greatest join-primes below it, which are {}{rest}",
                names.join(" and ")
            ),
        }))
    }
}

/// Parts of a threshold that are listed.
const MOST_PARTS: usize = 8;

/// A problem with all its nodes.
pub(crate) fn explicit(problem: Problem<AnyLattice>, asked: &Asked<'_>) -> Result<(), Failure> {
    let lattice = problem.lattice().clone();
    let threshold = asked.threshold(&lattice)?;
    let (mut written, mut readable) = (String::new(), String::new());
    write_value(&lattice, &threshold, &mut written);
    write_readable(&lattice, &threshold, problem.worlds(), &mut readable);
    let budget = Budget::new(asked.limits.clone());
    let claims = problem.try_map(Bool, |value| lattice.leq(&threshold, &value, &budget));
    let claims =
        claims.map_err(|stop| asked.refused(format!("while leaves were compared: {stop}")))?;
    let name = |node: &NodeId| json_name(&claims, *node);
    let shown = Shown { written, readable };
    let nodes = claims.graph().node_count();
    decide(&claims, &claims, &claims, name, &shown, Some(nodes), asked)
}

fn json_name(problem: &Problem<Bool>, node: NodeId) -> Value {
    match problem.node_name(node) {
        meetjoin::dag::NodeName::Int(number) => json!(number),
        meetjoin::dag::NodeName::Text(text) => json!(&**text),
    }
}

/// A threshold as it is printed.
pub(crate) struct Shown {
    /// As JSON.
    pub(crate) written: String,
    /// For people.
    pub(crate) readable: String,
}

/// Bytes of a table of df-pn, where there is no limit of memory.
const TABLE_BYTES: usize = 64 << 20;

/// Bytes for a table of df-pn within this budget. `nodes` is how many there are, if that is known: no table needs room for more.
fn table_bytes<N: Clone + Eq + Hash>(budget: &Budget, nodes: Option<usize>) -> usize {
    let slot = ProofTable::<N>::least_bytes() / LEAST_ENTRIES;
    // Seven of eight slots may be used.
    let enough = nodes.map(|nodes| (nodes / 7 + 1).saturating_mul(8 * slot));
    let bytes = budget.memory_left().map_or(TABLE_BYTES, |left| {
        usize::try_from(left / 4 * 3).unwrap_or(usize::MAX)
    });
    bytes.min(enough.unwrap_or(usize::MAX))
}

/// Decides the claim and prints the answer. `nodes` is how many there are, if that is known: no table needs room for more.
pub(crate) fn decide<D, V, H>(
    dag: &D,
    claim: &V,
    heuristic: H,
    name: impl Fn(&D::Node) -> Value,
    threshold: &Shown,
    nodes: Option<usize>,
    asked: &Asked<'_>,
) -> Result<(), Failure>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    H: Heuristic<D::Node, Bool>,
{
    let args = asked.args;
    let budget = Budget::new(asked.limits.clone());
    let started = Instant::now();
    let mut env = Env::new(&budget)
        .with_heuristic(heuristic)
        .with_observer((Counts::default(), Line::new()));
    let Decided {
        decision,
        entries,
        bytes,
        proof,
    } = match args.algorithm {
        ProveAlgorithm::ProofNumber => {
            let memory = ALLOCATOR.allocated();
            let mut prover = BestFirstProver::new(ProofNumberSearch::default());
            decided(
                dag,
                claim,
                &mut prover,
                &mut env,
                memory,
                args.proof.is_some(),
            )
        }
        ProveAlgorithm::DfPn => {
            let memory = ALLOCATOR.allocated();
            let table = ProofTable::with_bytes(table_bytes::<D::Node>(&budget, nodes));
            let table = table.map_err(|error| {
                let least = memory + ProofTable::<D::Node>::least_bytes().div_ceil(3) * 4;
                Failure::Input(format!(
                    "{error}; --max-memory counts the problem too, so it must be {least} at least"
                ))
            })?;
            let how = DfPn::default();
            {
                let mut prover = DepthFirstProver { how, table };
                decided(
                    dag,
                    claim,
                    &mut prover,
                    &mut env,
                    memory,
                    args.proof.is_some(),
                )
            }
        }
        ProveAlgorithm::Test if args.proof.is_some() => {
            let why = "test keeps no proof; --algorithm df-pn or proof-number do";
            return Err(Failure::Input(why.to_owned()));
        }
        ProveAlgorithm::Test => {
            let memory = ALLOCATOR.allocated();
            let mut env = env_with_table(&mut env);
            let tested = test(dag, claim, Question::AtLeast(true), &mut env);
            let numbers = match tested.answer {
                Some(true) => ProofNumbers {
                    proof: 0,
                    disproof: INFINITY,
                },
                Some(false) => ProofNumbers {
                    proof: INFINITY,
                    disproof: 0,
                },
                None => ProofNumbers::OPEN,
            };
            let decision = Decision {
                verdict: numbers.verdict(),
                numbers,
                stop: tested.stop,
            };
            Decided {
                decision,
                entries: env.store.len(),
                bytes: ALLOCATOR.allocated().saturating_sub(memory),
                proof: None,
            }
        }
    };
    let (counts, line) = env.observer;
    line.finish();
    let found = proof.as_ref().and_then(|proof| proof.as_ref().ok());
    let answer = Answer {
        algorithm: args.algorithm.id(),
        threshold,
        decision,
        proof_nodes: found.map(|proof| proof.steps.len()),
        stats: Stats {
            nodes: None,
            counts,
            cache_entries: Some(entries),
            search_bytes: bytes,
            peak_memory_bytes: ALLOCATOR.max_allocated(),
            seconds: started.elapsed().as_secs_f64(),
        },
    };
    // Whatever becomes of the proof, the answer is there.
    output::print(&if args.json {
        answer.json()
    } else {
        answer.text()
    })?;
    match (&args.proof, &proof) {
        (Some(path), Some(Ok(proof))) => write_proof(path, dag, proof, &name, threshold)?,
        (_, Some(Err(error))) => {
            return Err(asked.refused(format!("no proof can be written: {error}")));
        }
        _ => {}
    }
    match decision.verdict {
        Verdict::Unknown => Err(Failure::Stopped),
        _ => Ok(()),
    }
}

/// Writes a proof: as a drawing if the name of the file says so, else as JSON.
fn write_proof<D: AndOrDag>(
    path: &Path,
    dag: &D,
    proof: &ProofGraph<D::Node>,
    name: &impl Fn(&D::Node) -> Value,
    threshold: &Shown,
) -> Result<(), Failure> {
    let text = if path.extension().is_some_and(|extension| extension == "dot") {
        let value = |_: &D::Node, out: &mut dyn fmt::Write| {
            out.write_str(if proof.answer {
                "at least "
            } else {
                "not at least "
            })?;
            out.write_str(&threshold.readable)
        };
        Dot::new(&Drawn::new(dag, proof), value).to_string()
    } else {
        proof_json(dag, proof, name, threshold)
    };
    let mut file = OutputFile::create(path)?;
    file.write(text.as_bytes())?;
    file.finish()
}

/// The same environment with a table of intervals.
fn env_with_table<'e, 'b, N: Clone + Eq + Hash, H, O>(
    env: &'e mut Env<'b, (), H, O>,
) -> Env<'b, Table<N, Interval<bool>>, &'e mut H, &'e mut O> {
    Env {
        budget: env.budget,
        store: Table::new(),
        heuristic: &mut env.heuristic,
        observer: &mut env.observer,
        order: (),
    }
}

/// What a search has found, what it remembers, and the proof if one is wanted.
struct Decided<N> {
    decision: Decision,
    entries: usize,
    /// What its memory takes.
    bytes: usize,
    proof: Option<Result<ProofGraph<N>, NoProofGraph>>,
}

fn decided<D, V, H, P>(
    dag: &D,
    claim: &V,
    prover: &mut P,
    env: &mut Env<'_, (), H, Watch>,
    memory: usize,
    with_proof: bool,
) -> Decided<D::Node>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    H: Heuristic<D::Node, Bool>,
    P: Prover<D::Node>,
{
    let decision = prover.decide(dag, claim, env);
    let wanted = with_proof && decision.verdict != Verdict::Unknown;
    let entries = prover.entries();
    let bytes = ALLOCATOR.allocated().saturating_sub(memory);
    let proof = wanted.then(|| prover.proof(dag, claim, env));
    Decided {
        decision,
        entries,
        bytes,
        proof,
    }
}

/// Counters, and the line.
type Watch = (Counts, Line);

/// A line on standard error while the search is going on, if that is a terminal.
struct Line {
    bar: Option<ProgressBar>,
    started: Instant,
    next: Instant,
    progress: (u64, usize),
}

impl Line {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            bar: spinner(),
            started: now,
            next: now + PAUSE,
            progress: (0, 0),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl<N> Observer<N, bool> for Line {
    fn wants_progress(&mut self) -> bool {
        self.bar.is_some() && Instant::now() >= self.next
    }

    fn progress(&mut self, progress: Progress<'_, bool>) {
        self.progress = (progress.visits, progress.entries);
        self.next = Instant::now() + PAUSE;
    }

    fn proof_numbers(&mut self, root: ProofNumbers) {
        let Some(bar) = &self.bar else { return };
        let (visits, entries) = self.progress;
        let speed = visits as f64 / self.started.elapsed().as_secs_f64();
        let ProofNumbers { proof, disproof } = root;
        bar.set_message(format!(
            "{visits} visits, {speed:.0} a second, {entries} entries, {} MiB, {} to prove, {} to disprove",
            ALLOCATOR.allocated() >> 20,
            number(proof),
            number(disproof),
        ));
        bar.tick();
    }
}

/// A proof or disproof number for people.
fn number(number: u32) -> String {
    if number == INFINITY {
        "infinity".to_owned()
    } else {
        number.to_string()
    }
}

struct Answer<'a> {
    algorithm: &'static str,
    threshold: &'a Shown,
    decision: Decision,
    proof_nodes: Option<usize>,
    stats: Stats,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    format: &'a str,
    threshold: Value,
    result: &'a str,
    algorithm: &'a str,
    /// `null` is infinity.
    proof_number: Option<u32>,
    disproof_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof_nodes: Option<usize>,
    stop: Option<&'a str>,
    stats: StatsJson,
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Disproved => "disproved",
        Verdict::Unknown => "unknown",
    }
}

impl Answer<'_> {
    /// One JSON object, `meetjoin-proof/1`.
    fn json(&self) -> String {
        let ProofNumbers { proof, disproof } = self.decision.numbers;
        let finite = |number: u32| (number != INFINITY).then_some(number);
        let json = AnswerJson {
            format: "meetjoin-proof/1",
            threshold: serde_json::from_str(&self.threshold.written).unwrap_or_default(),
            result: word(self.decision.verdict),
            algorithm: self.algorithm,
            proof_number: finite(proof),
            disproof_number: finite(disproof),
            proof_nodes: self.proof_nodes,
            stop: self.decision.stop.map(Stop::word),
            stats: self.stats.json(),
        };
        let mut text = serde_json::to_string(&json).unwrap_or_default();
        text.push('\n');
        text
    }

    fn text(&self) -> String {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        line("at least", self.threshold.readable.clone());
        line("result", word(self.decision.verdict).to_owned());
        if let Some(stop) = self.decision.stop {
            let ProofNumbers { proof, disproof } = self.decision.numbers;
            line("stopped", stop.to_string());
            line("to prove", number(proof));
            line("to disprove", number(disproof));
        }
        if let Some(nodes) = self.proof_nodes {
            line("proof", format!("{nodes} nodes"));
        }
        line("algorithm", self.algorithm.to_owned());
        lines.extend(self.stats.lines());
        aligned(&lines)
    }
}

/// A proof as a file.
fn proof_json<D: AndOrDag>(
    dag: &D,
    proof: &ProofGraph<D::Node>,
    name: &impl Fn(&D::Node) -> Value,
    threshold: &Shown,
) -> String {
    let steps = proof.steps.iter().map(|step| {
        let kind = match dag.kind(&step.node) {
            Kind::Or => "or",
            Kind::And => "and",
            Kind::Leaf => "leaf",
        };
        let (reason, children) = match &step.reason {
            Reason::Leaf => ("leaf", Vec::new()),
            Reason::Bounds => ("bounds", Vec::new()),
            Reason::Children(children) => ("children", children.iter().map(name).collect()),
        };
        let mut json = json!({"id": name(&step.node), "kind": kind, "reason": reason});
        if !children.is_empty() {
            json["children"] = Value::Array(children);
        }
        json.to_string()
    });
    let steps: Vec<String> = steps.collect();
    let result = if proof.answer { "proved" } else { "disproved" };
    format!(
        "{{\"format\":\"meetjoin-proof-graph/1\",\"threshold\":{},\"result\":\"{result}\",\"nodes\":[\n  {}\n]}}\n",
        threshold.written,
        steps.join(",\n  ")
    )
}

/// A proof as a graph.
struct Drawn<'a, D: AndOrDag> {
    dag: &'a D,
    children: HashMap<&'a D::Node, &'a [D::Node]>,
}

impl<'a, D: AndOrDag> Drawn<'a, D> {
    fn new(dag: &'a D, proof: &'a ProofGraph<D::Node>) -> Self {
        let children = proof.steps.iter().map(|step| match &step.reason {
            Reason::Children(children) => (&step.node, &**children),
            Reason::Leaf | Reason::Bounds => (&step.node, &[][..]),
        });
        let children = children.collect();
        Self { dag, children }
    }

    fn below(&self, node: &D::Node) -> &[D::Node] {
        self.children.get(node).copied().unwrap_or_default()
    }
}

impl<D: AndOrDag> AndOrDag for Drawn<'_, D> {
    type Node = D::Node;

    fn root(&self) -> D::Node {
        self.dag.root()
    }

    fn kind(&self, node: &D::Node) -> Kind {
        if self.below(node).is_empty() {
            Kind::Leaf
        } else {
            self.dag.kind(node)
        }
    }

    fn children(&self, node: &D::Node, out: &mut Vec<D::Node>) {
        out.extend_from_slice(self.below(node));
    }

    fn name(&self, node: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.dag.name(node, out)
    }
}

/// The search for whole values in chains of integers, for [`solve::solve`].
pub(crate) fn integers<'s, S, T>(
    chosen: Chosen,
    subject: &'s S,
    budget: &'s Budget,
) -> Option<EngineOf<'s, S>>
where
    S: Subject + Valuation<<S as AndOrDag>::Node, Lattice = Chain<T>>,
    T: Integer + 'static,
{
    let bytes = table_bytes::<S::Node>(budget, subject.node_count());
    engine::integers(chosen.id, &solve::task(chosen, subject, budget), bytes)
}

/// The same in sets.
pub(crate) fn sets<'s, S, B>(
    chosen: Chosen,
    subject: &'s S,
    budget: &'s Budget,
) -> Option<EngineOf<'s, S>>
where
    S: Subject + Valuation<<S as AndOrDag>::Node, Lattice = Powerset<B>>,
    B: WorldSet + 'static,
{
    let bytes = table_bytes::<S::Node>(budget, subject.node_count());
    engine::sets(chosen.id, &solve::task(chosen, subject, budget), bytes)
}

/// The same in families of sets.
pub(crate) fn families<'s, S, B>(
    chosen: Chosen,
    subject: &'s S,
    budget: &'s Budget,
) -> Option<EngineOf<'s, S>>
where
    S: Subject<Stores: Clone> + Valuation<<S as AndOrDag>::Node, Lattice = Families<B>>,
    B: WorldSet + 'static,
{
    engine::thresholds(chosen.id, &solve::task(chosen, subject, budget))
}
