//! Decides whether the value of the root is at least a threshold.
//!
//! Idea: the claim is a problem over truth values. The values of an explicit problem are compared
//! with the threshold once, and then the lattice is not needed. In a board game positions are
//! compared on demand.

mod as_certificate;
mod on_threads;
mod written;

use std::fmt;
use std::num::NonZero;

use fixedbitset::FixedBitSet;
use meetjoin_check::Certificate;
use meetjoin_dag::{AndOrDag, Graph, Heuristic, NodeId, Problem, Valuation};
use meetjoin_file::{read_value, write_value};
use meetjoin_lattice::{AnyElem, Bool, Budget, Interval, JoinPrimes, Lattice, Stop};
use meetjoin_search::proof::{
    BestFirstProver, Decision, DepthFirstProver, DfPn, INFINITY, NoProofGraph, ProofGraph,
    ProofNumberSearch, ProofNumbers, ProofTable, Prover, Verdict,
};
use meetjoin_search::total_order::{Question, test};
use meetjoin_search::{Counts, Env, Observer, Progress as At, Store as _, Table};
use serde::Serialize;
use serde_json::Value as Json;

use crate::answers::answer::{NodeText, Stats, StatsJson};
use crate::answers::request::{Known, Moment, Progress, Refused, check_threads};
use crate::answers::value::{Domain, Value};
use crate::searching::subject::proof_bytes;
use meetjoin_report::Measuring;
use meetjoin_report::Meter;
use meetjoin_report::aligned;
use meetjoin_report::counted;
use meetjoin_report::json_line;

/// A claim, and how to decide it.
pub struct Claim<'a> {
    /// The threshold as JSON, or as answers print it.
    pub at_least: &'a str,
    /// The search.
    pub by: Decider,
    /// Limits and cancellation.
    pub budget: &'a Budget,
    /// The gauge of memory.
    pub meter: Meter,
    /// Threads that search together, by df-pn.
    pub threads: NonZero<usize>,
    /// The format of the proof, if one is wanted.
    pub proof: Option<ProofFormat>,
    /// Notified of progress.
    pub progress: Option<&'a mut dyn Progress>,
}

impl fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Claim of at least {}", self.at_least)
    }
}

/// How a claim is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Decider {
    /// Depth-first proof-number search, with a table of bounded size.
    DfPn,
    /// Proof-number search, with all of its nodes in memory.
    ProofNumber,
    /// TEST: depth-first from left to right, with a cache.
    Test,
}

impl Decider {
    /// Its name on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Self::DfPn => "df-pn",
            Self::ProofNumber => "proof-number",
            Self::Test => "test",
        }
    }
}

/// The format of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFormat {
    /// One JSON object, `meetjoin-proof-graph/1`.
    Json,
    /// A drawing for Graphviz.
    Dot,
    /// The strategy that the proof is, as an indented list for people.
    Text,
    /// A [certificate](Proved::certificate).
    Certificate,
}

impl Claim<'_> {
    /// The threshold as an element of this domain, which must be join-prime.
    ///
    /// # Errors
    /// If it is not, or is no element of the lattice.
    pub fn threshold(&self, domain: &Domain) -> Result<AnyElem, Refused> {
        let lattice = &domain.lattice;
        let wrong = |why: String| Refused::Argument(format!("--at-least {}: {why}", self.at_least));
        let threshold = read_value(lattice, self.at_least).or_else(|error| {
            let shown = domain.read_readable(self.at_least);
            shown.ok_or_else(|| wrong(error.to_string()))
        })?;
        let stopped = |stop: Stop| wrong(format!("it is not known to be join-prime: {stop}"));
        if lattice
            .is_join_prime(&threshold, self.budget)
            .map_err(stopped)?
        {
            return Ok(threshold);
        }
        if threshold == lattice.bottom() {
            return Err(wrong("every value is at least the bottom".to_owned()));
        }
        let part = self.budget.part(u64::MAX, MOST_STEPS);
        let below = match lattice.join_primes_below(&threshold, &part) {
            Err(Stop::Time) => {
                let long = "it is not join-prime, and to list those below it takes too long";
                return Err(wrong(long.to_owned()));
            }
            below => below.map_err(stopped)?,
        };
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

/// The most steps for listing the parts of a threshold that is not join-prime.
const MOST_STEPS: u64 = 1 << 28;
/// The most parts of a threshold that are listed.
const MOST_PARTS: usize = 8;

/// Which values and bounds of an explicit problem are at least a threshold.
struct Claims<'a> {
    graph: &'a Graph,
    /// By leaf ordinal.
    values: FixedBitSet,
    /// By node: whether its lower bound and its upper bound are at least the threshold, if it has
    /// bounds.
    bounds: Option<[FixedBitSet; 2]>,
}

impl Valuation<NodeId> for Claims<'_> {
    type Lattice = Bool;

    fn lattice(&self) -> &Bool {
        &Bool
    }

    #[inline]
    fn leaf(&self, node: &NodeId) -> bool {
        let ordinal = self.graph.leaf_ordinal(*node);
        ordinal.is_some_and(|ordinal| self.values[ordinal])
    }
}

impl Heuristic<NodeId, Bool> for &Claims<'_> {
    #[inline]
    fn bounds(
        &mut self,
        _: &Bool,
        node: &NodeId,
        _: &Budget,
    ) -> Result<Option<Interval<bool>>, Stop> {
        Ok(self
            .bounds
            .as_ref()
            .map(|[lower, upper]| Interval::new(lower[node.index()], upper[node.index()])))
    }
}

/// A problem with all its nodes.
pub(crate) fn explicit<L: Lattice>(
    problem: &Problem<L>,
    domain: &Domain,
    as_any: &dyn Fn(&L::Elem) -> AnyElem,
    claim: Claim<'_>,
) -> Result<Proved, Refused> {
    let lattice = &domain.lattice;
    let threshold = claim.threshold(domain)?;
    let graph = problem.graph();
    let budget = claim.budget;
    let stopped = |stop: Stop| Refused::Problem(format!("while leaves were compared: {stop}"));
    let reaches = |value: &L::Elem| {
        lattice
            .leq(&threshold, &as_any(value), budget)
            .map_err(stopped)
    };
    let mut values = FixedBitSet::with_capacity(graph.leaf_count());
    for ordinal in 0..problem.values().len() {
        values.set(ordinal, reaches(&problem.values().get(ordinal))?);
    }
    let mut bounds = None;
    if problem.has_bounds() {
        let [mut lower, mut upper] =
            [(); 2].map(|()| FixedBitSet::with_capacity(graph.node_count()));
        // Nodes without bounds lie between false and true.
        upper.insert_range(..);
        for node in graph.nodes() {
            if let Some(known) = problem.bounds_of(node) {
                lower.set(node.index(), reaches(known.lower())?);
                upper.set(node.index(), reaches(known.upper())?);
            }
        }
        bounds = Some([lower, upper]);
    }
    let claims = Claims {
        graph,
        values,
        bounds,
    };
    let name = |node: &NodeId| (&*problem.node_name(*node)).into();
    let threshold = Value::Element {
        element: threshold,
        domain: std::sync::Arc::new(domain.clone()),
    };
    decide_explicit(&claims, &name, threshold, claim)
}

/// Decides a claim about a graph. (Compiled here, and not for each lattice.)
fn decide_explicit(
    claims: &Claims<'_>,
    name: &dyn Fn(&NodeId) -> NodeText,
    threshold: Value,
    claim: Claim<'_>,
) -> Result<Proved, Refused> {
    let graph = claims.graph;
    let nodes = Some(graph.node_count());
    decide(graph, claims, claims, name, threshold, nodes, claim)
}

/// Decides the claim. `claims` has the truth of each leaf, `heuristic` what is known of inner nodes
/// without search; `nodes` is their number, if known: no table needs room for more.
///
/// # Errors
/// If the decider does not run on so many threads.
pub fn decide<D, V, H>(
    dag: &D,
    claims: &V,
    heuristic: H,
    name: &dyn Fn(&D::Node) -> NodeText,
    threshold: Value,
    nodes: Option<usize>,
    claim: Claim<'_>,
) -> Result<Proved, Refused>
where
    D: AndOrDag + Sync,
    V: Valuation<D::Node, Lattice = Bool> + Sync,
    H: Heuristic<D::Node, Bool> + Clone + Sync,
{
    let Claim {
        by,
        budget,
        meter,
        threads,
        proof,
        progress,
        ..
    } = claim;
    check_threads(threads)?;
    let threads = threads.get();
    if threads > 1 && by != Decider::DfPn {
        let why = "runs on one thread; --algorithm df-pn would work";
        let id = by.id();
        return Err(Refused::Argument(format!(
            "--threads {threads}: {id} {why}"
        )));
    }
    let measuring = Measuring::begin(meter);
    let of_claim = match &threshold {
        Value::Element { element, .. } => Some(element.clone()),
        Value::Sets { .. } | Value::End { .. } => None,
    };
    let watch = (
        Counts::default(),
        Line {
            progress,
            at: (0, 0),
        },
    );
    let mut env = Env::new(budget)
        .with_heuristic(heuristic)
        .with_observer(watch);
    let found = match by {
        Decider::ProofNumber => {
            let mut prover = BestFirstProver::new(ProofNumberSearch::default());
            let decision = prover.decide(dag, claims, &mut env);
            decided(
                decision,
                dag,
                claims,
                &mut prover,
                &mut env,
                &measuring,
                proof,
            )
        }
        Decider::DfPn => {
            let bytes = proof_bytes::<D::Node>(None, budget, nodes);
            let table = match threads {
                1 => ProofTable::with_bytes(bytes),
                _ => ProofTable::shared(bytes),
            };
            let table = table.map_err(|error| {
                let least =
                    measuring.memory() + ProofTable::<D::Node>::least_bytes().div_ceil(3) * 4;
                Refused::Argument(format!(
                    "{error}; --max-memory counts the problem too, so it must be {least} at least"
                ))
            })?;
            let how = DfPn::default();
            let mut prover = DepthFirstProver { how, table };
            let decision = match threads {
                1 => prover.decide(dag, claims, &mut env),
                _ => on_threads::decide(dag, claims, &prover, &mut env, threads),
            };
            decided(
                decision,
                dag,
                claims,
                &mut prover,
                &mut env,
                &measuring,
                proof,
            )
        }
        Decider::Test if proof.is_some() => {
            let why = "test keeps no proof; --algorithm df-pn or proof-number do";
            return Err(Refused::Argument(why.to_owned()));
        }
        Decider::Test => {
            let mut env = Env {
                budget,
                store: Table::new(),
                heuristic: &mut env.heuristic,
                observer: &mut env.observer,
                order: (),
            };
            let tested = test(dag, claims, Question::AtLeast(true), &mut env);
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
                bytes: measuring.bytes(),
                proof: None,
            }
        }
    };
    let stats = Stats {
        cache_entries: Some(found.entries),
        search_bytes: found.bytes,
        ..Stats::of(&measuring, env.observer.0)
    };
    let graph = found.proof.as_ref().and_then(|proof| proof.as_ref().ok());
    let proof_nodes = graph.map(|graph| graph.steps.len());
    let mut certificate = None;
    let write = |graph: ProofGraph<D::Node>| match proof {
        Some(ProofFormat::Certificate) => {
            certificate = of_claim.map(|claim| as_certificate::as_certificate(dag, &graph, claim));
            String::new()
        }
        Some(ProofFormat::Dot) => written::dot(dag, &graph, name, &threshold),
        Some(ProofFormat::Text) => written::text(dag, &graph, name, &threshold),
        Some(ProofFormat::Json) | None => written::json(dag, &graph, name, &threshold),
    };
    let refused =
        |error: NoProofGraph| Refused::Problem(format!("no proof can be written: {error}"));
    let proof = found.proof.map(|graph| graph.map(write).map_err(refused));
    Ok(Proved {
        algorithm: by.id(),
        threshold,
        decision: found.decision,
        proof_nodes,
        stats,
        proof,
        certificate,
    })
}

/// The result of a search, statistics of its memory, and the proof if one is wanted.
struct Decided<N> {
    decision: Decision,
    entries: usize,
    /// Bytes of its memory.
    bytes: usize,
    proof: Option<Result<ProofGraph<N>, NoProofGraph>>,
}

fn decided<D, V, H, P>(
    decision: Decision,
    dag: &D,
    claim: &V,
    prover: &mut P,
    env: &mut Env<'_, (), H, (Counts, Line<'_>)>,
    measuring: &Measuring,
    proof: Option<ProofFormat>,
) -> Decided<D::Node>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    H: Heuristic<D::Node, Bool>,
    P: Prover<D::Node>,
{
    let wanted = proof.is_some() && decision.verdict != Verdict::Unknown;
    let entries = prover.entries();
    let bytes = measuring.bytes();
    let proof = wanted.then(|| prover.proof(dag, claim, env));
    Decided {
        decision,
        entries,
        bytes,
        proof,
    }
}

/// Forwards progress.
#[derive(Default)]
struct Line<'a> {
    progress: Option<&'a mut dyn Progress>,
    at: (u64, usize),
}

impl<N> Observer<N, bool> for Line<'_> {
    fn wants_progress(&mut self) -> bool {
        self.progress.as_mut().is_some_and(|told| told.wanted())
    }

    fn progress(&mut self, progress: At<'_, bool>) {
        self.at = (progress.visits, progress.entries);
    }

    fn proof_numbers(&mut self, root: ProofNumbers) {
        let (visits, entries) = self.at;
        if let Some(told) = &mut self.progress {
            told.show(&Moment {
                visits,
                entries,
                known: Known::Numbers(root),
            });
        }
    }
}

/// A proof or disproof number for people.
pub fn number(number: u32) -> String {
    if number == INFINITY {
        "infinity".to_owned()
    } else {
        number.to_string()
    }
}

/// The answer to a claim.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The id of the search.
    pub algorithm: &'static str,
    /// The threshold.
    pub threshold: Value,
    /// Proved, disproved or neither.
    pub decision: Decision,
    /// The number of nodes of the proof, if it was wanted.
    pub proof_nodes: Option<usize>,
    /// The cost of the search.
    pub stats: Stats,
    /// The proof or disproof as text, if it was wanted and there is one, or why it cannot be
    /// written.
    pub proof: Option<Result<String, Refused>>,
    /// The proof or disproof as a certificate, if that was wanted.
    pub certificate: Option<Certificate>,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    format: &'a str,
    threshold: Json,
    result: &'a str,
    algorithm: &'a str,
    /// `null` stands for infinity.
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

impl Proved {
    /// One JSON object, `meetjoin-proof/1`.
    pub fn json(&self) -> String {
        let ProofNumbers { proof, disproof } = self.decision.numbers;
        let finite = |number: u32| (number != INFINITY).then_some(number);
        json_line(&AnswerJson {
            format: "meetjoin-proof/1",
            threshold: serde_json::from_str(&self.threshold.json()).unwrap_or_default(),
            result: word(self.decision.verdict),
            algorithm: self.algorithm,
            proof_number: finite(proof),
            disproof_number: finite(disproof),
            proof_nodes: self.proof_nodes,
            stop: self.decision.stop.map(Stop::word),
            stats: self.stats.json(),
        })
    }

    /// A few aligned lines for people, and with `verbose` the algorithm and the cost.
    pub fn text(&self, verbose: bool) -> String {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        line("at least", self.threshold.text());
        line("result", word(self.decision.verdict).to_owned());
        if let Some(stop) = self.decision.stop {
            let ProofNumbers { proof, disproof } = self.decision.numbers;
            line("stopped", stop.to_string());
            line("to prove", number(proof));
            line("to disprove", number(disproof));
        }
        if let Some(nodes) = self.proof_nodes {
            line("proof", counted(nodes, "node"));
        }
        if verbose {
            line("algorithm", self.algorithm.to_owned());
            lines.extend(self.stats.lines());
        }
        aligned(&lines)
    }
}
