//! `meetjoin solve`: one match over lattices, one line for each algorithm.

use std::borrow::Cow;
use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::Instant;

use meetjoin::dag::{AndOrDag, Kind, Problem, Valuation};
use meetjoin::file::{LatticeError, OutcomeVectors, ProblemFile, read_problem_file};
use meetjoin::lattice::{
    AnyElem, AnyLattice, Birkhoff, Budget, Chain, Distributive, DistributiveLattice, Extended,
    Families, Interval, Lattice, Limits, Powerset, Total, TotalOrder, Words, WorldSet,
};
use meetjoin::search::catalogue::{self, ALGORITHMS, Algorithm, Needs, algorithm};
use meetjoin::search::engine::{self, Engine, Solved, Task};
use meetjoin::search::{Counts, Duo, Outcome};

use crate::ALLOCATOR;
use crate::answer::{Answer, Facts, Found, Stats};
use crate::args::{HeaviestArgs, Part, SearchArgs, SolveArgs};
use crate::failure::Failure;
use crate::games::{self, Game, Made};
use crate::heaviest;
use crate::interrupt;
use crate::levels;
use crate::observers::{Events, ProgressLine, Watch};
use crate::output::{self, OutputFile};
use crate::prove;
use crate::subject::{Distinct, Elem, Explicit, Subject};

/// What a problem file holds.
pub(crate) enum Input {
    Problem(Box<Problem<AnyLattice>>),
    /// Leaves are outcomes of the dominance algebra.
    Outcomes(Box<Problem<OutcomeVectors>>),
    Game(Box<dyn Game>),
}

/// Reads a problem file, or standard input for `-`.
pub(crate) fn read(file: &Path) -> Result<Input, Failure> {
    let input: Box<dyn Read> = if file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let opened = File::open(file);
        let failed = |error| Failure::in_file(file, format!("the file cannot be read: {error}"));
        Box::new(opened.map_err(failed)?)
    };
    match read_problem_file(input).map_err(|error| Failure::in_file(file, error))? {
        ProblemFile::Explicit(problem) => Ok(Input::Problem(problem)),
        ProblemFile::Dominance(problem) => Ok(Input::Outcomes(problem)),
        ProblemFile::Game(keys) => {
            let game = games::from_file(keys).map_err(|error| Failure::in_file(file, error))?;
            Ok(Input::Game(game))
        }
    }
}

/// `meetjoin solve`.
pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let request = Request::new(&args.search, Some(&args.file))?;
    match read(&args.file)? {
        Input::Problem(problem) => by_lattice(*problem, &request),
        Input::Outcomes(_) => Err(request.refused(LatticeError::Dominance)),
        Input::Game(game) => game.solve(&request),
    }
}

/// `meetjoin racing` and its kin.
pub(crate) fn run_game(game: Made, args: &SearchArgs) -> Result<(), Failure> {
    let request = Request::new(args, None)?;
    game.map_err(Failure::Input)?.solve(&request)
}

fn unknown(id: &str) -> Failure {
    let ids: Vec<&str> = catalogue::all().map(|a| a.id).collect();
    let ids = ids.join(", ");
    Failure::Input(format!("there is no algorithm {id:?}; there are {ids}"))
}

/// What is asked for, whatever is solved.
pub(crate) struct Request<'a> {
    args: &'a SearchArgs,
    /// Where the problem comes from, if not from the command line.
    file: Option<&'a Path>,
    algorithm: &'static Algorithm,
}

impl<'a> Request<'a> {
    fn new(args: &'a SearchArgs, file: Option<&'a Path>) -> Result<Self, Failure> {
        let algorithm = algorithm(&args.algorithm).ok_or_else(|| unknown(&args.algorithm))?;
        if !args.without.is_empty() && algorithm.id != catalogue::DEFAULT {
            let why = format!(
                "--without leaves out parts of {}, and {} has none of them",
                catalogue::DEFAULT,
                algorithm.id
            );
            return Err(Failure::Input(why));
        }
        Ok(Self {
            args,
            file,
            algorithm,
        })
    }

    /// Whether and how the heaviest sets are asked for.
    pub(crate) fn heaviest(&self) -> &'a HeaviestArgs {
        &self.args.heaviest
    }

    /// For how many levels families of sets are to be searched, if not to the end.
    pub(crate) fn levels(&self) -> Option<u32> {
        self.args.levels
    }

    /// Refuses what is asked of families of sets alone, for problems that have none.
    pub(crate) fn without_families(&self) -> Result<(), Failure> {
        match (self.heaviest().heaviest, self.levels()) {
            (true, _) => Err(self.refused(heaviest::NO_FAMILIES)),
            (_, Some(_)) => Err(self.refused(levels::NO_FAMILIES)),
            _ => Ok(()),
        }
    }

    /// The algorithm with its parts.
    fn chosen(&self) -> Chosen {
        let has = |part| !self.args.without.contains(&part);
        Chosen {
            id: self.algorithm.id,
            bounds: has(Part::Bounds),
            duo: Duo {
                look: has(Part::Look),
                order: has(Part::Order),
                shared_only: has(Part::SharedOnly),
                narrow: has(Part::Narrow),
                ..Duo::default()
            },
        }
    }

    /// Whether the answer is to be JSON.
    pub(crate) fn json(&self) -> bool {
        self.args.json
    }

    /// The limits of the search.
    pub(crate) fn limits(&self) -> Result<Limits, Failure> {
        interrupt::limits(&self.args.limits)
    }

    /// Bytes for a cache that forgets: what a limit of memory leaves, and no bound without one.
    pub(crate) fn table_bytes(&self) -> usize {
        interrupt::table_bytes(&self.args.limits, usize::MAX)
    }

    /// Whether all that is known of a game is to be used. Only the default does; others run as they are in the papers.
    pub(crate) fn uses_bounds(&self) -> bool {
        self.algorithm.id == catalogue::DEFAULT && self.chosen().bounds
    }

    /// Whether the value is to be found by claims.
    pub(crate) fn by_claims(&self) -> bool {
        self.algorithm.needs == Needs::JoinPrimes
    }

    /// Whether the claims are that sets belong to a family.
    pub(crate) fn asks_for_sets(&self) -> bool {
        self.algorithm.id == "thresholds"
    }

    /// Whether distinct nodes are to be counted, where that is `affordable` or asked for.
    pub(crate) fn counts_nodes(&self, affordable: bool) -> bool {
        affordable || self.args.count_nodes
    }

    /// That the algorithm needs more than the lattice has, and which ones do not.
    fn needs(&self, at_most: Needs, why: &str) -> String {
        let runs = ALGORITHMS.iter().filter(|a| a.needs <= at_most);
        let runs: Vec<&str> = runs.map(|a| a.id).collect();
        let Algorithm { id, needs, .. } = self.algorithm;
        let (needs, runs) = (needs.trait_name(), runs.join(" or "));
        format!("{id} needs a {needs}{why}; --algorithm {runs} would work")
    }

    /// Bad input, with the file it came from.
    pub(crate) fn refused(&self, error: impl Display) -> Failure {
        Failure::in_some_file(self.file, error)
    }
}

/// The one match over lattices. Those that matter get a search compiled for them; the rest, and every search whose events are written,
/// run on the lattice chosen at run time.
pub(crate) fn by_lattice(
    problem: Problem<AnyLattice>,
    request: &Request<'_>,
) -> Result<(), Failure> {
    macro_rules! compiled {
        ($lattice:expr, $variant:ident, $choice:ident) => {{
            let convert = |value| match value {
                AnyElem::$variant(value) => Ok(value),
                other => Err(Failure::Input(format!("{other:?} is outside the lattice"))),
            };
            let subject = Explicit {
                lattice: problem.lattice().clone(),
                problem: problem.try_map($lattice, convert)?,
                as_any: Box::new(|value| Cow::Owned(AnyElem::$variant(value.clone()))),
            };
            solve(&subject, request, &$choice)
        }};
    }
    if request.heaviest().heaviest {
        return heaviest::explicit(problem, request);
    }
    if let Some(levels) = request.levels() {
        return levels::explicit(problem, levels, request);
    }
    if request.by_claims() {
        return by_claims(problem, request);
    }
    let needs_chain = request.algorithm.needs == Needs::TotalOrder;
    match problem.lattice().clone() {
        _ if request.args.events.is_some() => at_run_time(problem, request),
        AnyLattice::Integers(chain) => compiled!(chain, Integer, total_order),
        _ if needs_chain => at_run_time(problem, request),
        AnyLattice::SmallPowerset(sets) => compiled!(sets, SmallSet, distributive),
        AnyLattice::Powerset(sets) => compiled!(sets, Set, distributive),
        AnyLattice::SmallFamilies(families) => compiled!(families, SmallFamily, of_families),
        AnyLattice::Families(families) => compiled!(families, Family, of_families),
        AnyLattice::Finite(table) => {
            match Distributive::try_from(table).as_ref().map(Birkhoff::new) {
                Ok(Ok(sets)) => on_sets(problem, sets, request, &distributive),
                // Not distributive, or with too many join-irreducibles for a machine word.
                _ => at_run_time(problem, request),
            }
        }
        _ => at_run_time(problem, request),
    }
}

/// The same for the algorithms that find a value by claims.
fn by_claims(problem: Problem<AnyLattice>, request: &Request<'_>) -> Result<(), Failure> {
    let lattice = problem.lattice().clone();
    macro_rules! claims {
        ($lattice:expr, $variant:ident, $choice:path) => {{
            let convert = |value| match value {
                AnyElem::$variant(value) => Ok(value),
                other => Err(Failure::Input(format!("{other:?} is outside the lattice"))),
            };
            let subject = Explicit {
                problem: problem.try_map($lattice, convert)?,
                lattice,
                as_any: Box::new(|value| Cow::Owned(AnyElem::$variant(value.clone()))),
            };
            solve(&subject, request, &$choice)
        }};
    }
    let in_families = request.asks_for_sets();
    match lattice.clone() {
        AnyLattice::SmallFamilies(families) if in_families => {
            claims!(families, SmallFamily, prove::families)
        }
        AnyLattice::Families(families) if in_families => claims!(families, Family, prove::families),
        AnyLattice::SmallPowerset(sets) if !in_families => claims!(sets, SmallSet, prove::sets),
        AnyLattice::Powerset(sets) if !in_families => claims!(sets, Set, prove::sets),
        AnyLattice::Integers(chain) if !in_families => {
            let number = |value: &Extended| match value {
                Extended::NegInf => i128::from(i64::MIN) - 1,
                Extended::Finite(number) => i128::from(*number),
                Extended::PosInf => i128::from(i64::MAX) + 1,
            };
            let ends = Chain::new(number(chain.lo()), number(chain.hi()));
            let ends = ends.unwrap_or_else(|| unreachable!("the order is the same"));
            let convert = |value| match value {
                AnyElem::Integer(value) => Ok(number(&value)),
                other => Err(Failure::Input(format!("{other:?} is outside the lattice"))),
            };
            let subject = Explicit {
                problem: problem.try_map(ends, convert)?,
                lattice,
                as_any: Box::new(|value| {
                    let finite = i64::try_from(*value).map(Extended::Finite);
                    let infinite = if *value > 0 {
                        Extended::PosInf
                    } else {
                        Extended::NegInf
                    };
                    Cow::Owned(AnyElem::Integer(finite.unwrap_or(infinite)))
                }),
            };
            solve(&subject, request, &prove::integers)
        }
        AnyLattice::Finite(table) if !in_families => {
            match Distributive::try_from(table).as_ref().map(Birkhoff::new) {
                Ok(Ok(sets)) => on_sets(problem, sets, request, &prove::sets),
                _ => Err(request.refused(no_claims(request))),
            }
        }
        _ => Err(request.refused(no_claims(request))),
    }
}

/// Where the algorithm can go through the join-primes.
pub(crate) fn no_claims(request: &Request<'_>) -> String {
    let id = request.algorithm.id;
    let (where_, other) = if id == "thresholds" {
        ("families of sets", "df-pn finds those of integers and sets")
    } else {
        (
            "integers, sets and distributive tables",
            "thresholds finds those of families of sets",
        )
    };
    format!(
        "{id} finds whole values of {where_} only, and {other}; meetjoin prove asks for one join-prime of any lattice"
    )
}

/// Runs on the sets of join-irreducibles that stand for the elements of a distributive table.
fn on_sets(
    problem: Problem<AnyLattice>,
    sets: Birkhoff<Words<1>>,
    request: &Request<'_>,
    choice: &Choice<'_, Explicit<Powerset<Words<1>>>>,
) -> Result<(), Failure> {
    let convert = |value| match value {
        AnyElem::Element(element) => sets.set(element).copied().ok_or(value),
        other => Err(other),
    };
    let outside = |value| Failure::Input(format!("{value:?} is outside the lattice"));
    let subject = Explicit {
        lattice: problem.lattice().clone(),
        problem: problem.try_map(sets.powerset().clone(), |value| {
            convert(value).map_err(outside)
        })?,
        as_any: Box::new(move |set| {
            let element = sets.element(set);
            let element = element.unwrap_or_else(|| {
                unreachable!("meets and joins of sets that stand for elements stand for elements")
            });
            Cow::Owned(AnyElem::Element(element))
        }),
    };
    solve(&subject, request, choice)
}

/// Runs on the lattice chosen at run time, whose licence for what the algorithm needs is a check.
fn at_run_time(problem: Problem<AnyLattice>, request: &Request<'_>) -> Result<(), Failure> {
    let lattice = problem.lattice().clone();
    macro_rules! licensed {
        ($licence:expr, $choice:ident) => {
            match $licence {
                Ok(licensed) => {
                    let subject = Explicit {
                        lattice,
                        problem: problem.try_map(licensed, Ok::<_, Failure>)?,
                        as_any: Box::new(|value| Cow::Borrowed(value)),
                    };
                    solve(&subject, request, &$choice)
                }
                Err(witness) => Err(lacks(request, &lattice, witness)),
            }
        };
    }
    match request.algorithm.needs {
        Needs::TotalOrder => licensed!(Total::try_from(lattice.clone()), total_order),
        Needs::Distributive => licensed!(Distributive::try_from(lattice.clone()), distributive),
        Needs::JoinPrimes => by_claims(problem, request),
        Needs::Lattice => licensed!(Ok::<_, Infallible>(lattice.clone()), any_lattice),
    }
}

/// The algorithm needs more than the lattice is.
fn lacks(request: &Request<'_>, lattice: &AnyLattice, witness: impl Display) -> Failure {
    let at_most = match lattice.check_distributive() {
        Ok(()) => Needs::Distributive,
        Err(_) => Needs::Lattice,
    };
    request.refused(request.needs(at_most, &format!(", and {witness}")))
}

/// The file for events, if one is named.
pub(crate) fn events_file(
    path: Option<&Path>,
    problem: Option<&Path>,
) -> Result<Option<OutputFile>, Failure> {
    let Some(path) = path else {
        return Ok(None);
    };
    if problem.is_some_and(|file| same_file(path, file)) {
        let message = format!("--events {} would overwrite the problem", path.display());
        return Err(Failure::Input(message));
    }
    OutputFile::create(path).map(Some)
}

/// Whether the events would go to the file that the problem comes from, by whatever name; `-` is standard input.
fn same_file(events: &Path, problem: &Path) -> bool {
    let problem = if problem.as_os_str() == "-" {
        Path::new("/dev/stdin")
    } else {
        problem
    };
    identity(events).is_some_and(|events| identity(problem) == Some(events))
}

/// What two names of one file have in common.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((metadata.dev(), metadata.ino()))
}

/// What two names of one file have in common.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<std::path::PathBuf> {
    fs::canonicalize(path).ok()
}

/// Finds the value of the root, prints the answer, and writes the events if a file for them is named.
pub(crate) fn solve<S: Subject>(
    subject: &S,
    request: &Request<'_>,
    choice: &Choice<'_, S>,
) -> Result<(), Failure> {
    let limits = request.limits()?;
    let cancel = limits.cancel.clone().unwrap_or_default();
    let events = events_file(request.args.events.as_deref(), request.file)?;
    let events = events.map(|file| Events::new(file, subject, cancel));
    let budget = Budget::new(limits);
    let (started, memory) = (Instant::now(), ALLOCATOR.allocated());
    let affordable = request.algorithm.has_cache() || request.args.count_nodes;
    let mut watch = Watch {
        counts: Counts::default(),
        distinct: subject.distinct(affordable),
        line: ProgressLine::new(subject),
        events,
    };
    let mut engine = choice(request.chosen(), subject, &budget).ok_or_else(|| {
        if request.by_claims() {
            let why = "--max-memory leaves too little for the table of df-pn, or the game has values of another kind";
            return request.refused(format!("{}; {why}", no_claims(request)));
        }
        let why = ", which the lattice of this game is not";
        request.refused(request.needs(Needs::Distributive, why))
    })?;
    let Solved {
        outcome,
        cache_entries,
    } = engine.search(subject.root(), &mut watch);
    let stats = Stats {
        nodes: watch.distinct.count(),
        counts: watch.counts,
        cache_entries: Some(cache_entries),
        search_bytes: ALLOCATOR.allocated().saturating_sub(memory),
        peak_memory_bytes: ALLOCATOR.max_allocated(),
        seconds: started.elapsed().as_secs_f64(),
    };
    // Events and counters are those of the root's search alone.
    let events = watch.events.take();
    let moves: Option<Vec<(String, Found)>> = request.args.moves.then(|| {
        let solved = children_of_root(subject).into_iter().map(|child| {
            let found = found(
                subject,
                request,
                &engine.search(child.clone(), &mut watch).outcome,
            );
            (node_text(subject, request, &child), found)
        });
        solved.collect()
    });
    watch.line.finish();
    let facts = Facts(subject.facts(outcome.value.exact()));
    let root = found(subject, request, &outcome);
    let all = moves.iter().flatten().map(|(_, found)| found);
    let done = if std::iter::once(&root)
        .chain(all)
        .any(|found| found.contradiction)
    {
        let why = "the bounds of its nodes contradict each other; meetjoin check --bounds names one that is false";
        Err(request.refused(why))
    } else {
        let answer = Answer {
            algorithm: request.algorithm.id,
            root,
            moves,
            facts,
            stats,
        };
        print(&answer, request.args.json)
    };
    events.map_or(Ok(()), Events::finish)?;
    done
}

/// The children of the root, each once.
fn children_of_root<S: Subject>(subject: &S) -> Vec<S::Node> {
    let (root, mut children) = (subject.root(), Vec::new());
    if subject.kind(&root) != Kind::Leaf {
        subject.children(&root, &mut children);
    }
    let mut seen = HashSet::new();
    children.retain(|child| seen.insert(child.clone()));
    children
}

/// The outcome of a search with its values as they will be printed.
fn found<S: Subject>(subject: &S, request: &Request<'_>, outcome: &Outcome<Elem<S>>) -> Found {
    let show = |value: &Elem<S>| {
        let mut text = String::new();
        if request.args.json {
            subject.push_value(value, &mut text);
        } else {
            subject.push_readable(value, &mut text);
        }
        text
    };
    Found {
        value: match &outcome.value {
            Interval::Exact(value) => Interval::Exact(show(value)),
            Interval::Between { lower, upper } => Interval::Between {
                lower: show(lower),
                upper: show(upper),
            },
        },
        stop: outcome.stop,
        contradiction: contradicts(subject.lattice(), outcome),
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

/// The name of a node as it will be printed.
fn node_text<S: Subject>(subject: &S, request: &Request<'_>, node: &S::Node) -> String {
    let mut text = String::new();
    if request.args.json {
        subject.push_node(node, &mut text);
    } else {
        // Writing to a string cannot fail.
        let _ = subject.name(node, &mut text);
    }
    text
}

/// Prints the answer; one that is not complete is no success.
fn print(answer: &Answer<'_>, json: bool) -> Result<(), Failure> {
    output::print(&if json { answer.json() } else { answer.text() })?;
    let found = std::iter::once(&answer.root);
    let moves = answer.moves.iter().flatten().map(|(_, found)| found);
    let stopped = found.chain(moves).any(|found| found.stop.is_some());
    if stopped {
        Err(Failure::Stopped)
    } else {
        Ok(())
    }
}

/// An algorithm.
#[derive(Clone, Copy)]
pub(crate) struct Chosen {
    pub(crate) id: &'static str,
    /// Whether the default asks simpler questions first.
    bounds: bool,
    /// Its other parts.
    duo: Duo,
}

/// The search by an algorithm, if it runs on the lattice of the subject.
type Choice<'e, S> = dyn for<'s> Fn(Chosen, &'s S, &'s Budget) -> Option<EngineOf<'s, S>> + 'e;

/// A search that is watched.
pub(crate) type EngineOf<'s, S> = Engine<'s, <S as AndOrDag>::Node, Elem<S>, Watch<'s, S>>;

/// What is given to a search of a subject.
pub(crate) type TaskOf<'s, S> = Task<'s, S, S, <S as Subject>::Bounds<'s>, <S as Subject>::Stores>;

pub(crate) fn task<'s, S: Subject>(
    chosen: Chosen,
    subject: &'s S,
    budget: &'s Budget,
) -> TaskOf<'s, S> {
    Task {
        dag: subject,
        valuation: subject,
        heuristic: subject.bounds(),
        stores: subject.stores(),
        budget,
        duo: chosen.duo,
    }
}

/// The algorithms for any lattice.
fn any_lattice<'s, S: Subject>(
    chosen: Chosen,
    subject: &'s S,
    budget: &'s Budget,
) -> Option<EngineOf<'s, S>> {
    engine::any_lattice(chosen.id, &task(chosen, subject, budget))
}

/// The algorithms for distributive lattices, and those for any.
pub(crate) fn distributive<'s, S>(
    chosen: Chosen,
    subject: &'s S,
    budget: &'s Budget,
) -> Option<EngineOf<'s, S>>
where
    S: Subject,
    S::Lattice: DistributiveLattice,
{
    engine::distributive(chosen.id, &task(chosen, subject, budget))
}

/// The algorithms for families of sets, and those for distributive lattices. Bounds from a file are used where there are any.
fn of_families<'s, S, B>(
    chosen: Chosen,
    subject: &'s S,
    budget: &'s Budget,
) -> Option<EngineOf<'s, S>>
where
    S: Subject<Stores: Clone> + Valuation<<S as AndOrDag>::Node, Lattice = Families<B>>,
    B: WorldSet + 'static,
{
    let others = subject.has_bounds() || !chosen.bounds;
    if others && chosen.id == catalogue::DEFAULT {
        distributive(chosen, subject, budget)
    } else {
        engine::families(chosen.id, &task(chosen, subject, budget))
    }
}

/// The algorithms for total orders, and all others.
pub(crate) fn total_order<'s, S>(
    chosen: Chosen,
    subject: &'s S,
    budget: &'s Budget,
) -> Option<EngineOf<'s, S>>
where
    S: Subject,
    S::Lattice: TotalOrder,
{
    engine::total_order(chosen.id, &task(chosen, subject, budget))
}
