//! `meetjoin solve`: one match over lattices, one line for each algorithm.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::Instant;

use fixedbitset::FixedBitSet;
use meetjoin::dag::{AndOrDag, NodeId, NodeName, Problem, Rooted, read_problem};
use meetjoin::lattice::{
    AnyElem, AnyLattice, Budget, Distributive, DistributiveLattice, ElemOf, Interval, Lattice,
    Limits,
};
use meetjoin::search::catalogue::{ALGORITHMS, Algorithm, Needs, algorithm};
use meetjoin::search::{
    Dense, Env, FromHeuristic, Observer, Outcome, Store, Window, alpha_beta, alpha_beta_cached,
    alpha_beta_duo, alpha_beta_duo_plain, alpha_beta_duo_published, minimax, minimax_cached,
};

use crate::ALLOCATOR;
use crate::answer::{Answer, Found, Stats};
use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::observers::{Events, ProgressLine, Watch};
use crate::output::{self, OutputFile};

/// Reads a problem file, or standard input for `-`.
pub(crate) fn read(file: &Path) -> Result<Problem<AnyLattice>, Failure> {
    let input: Box<dyn Read> = if file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let opened = File::open(file);
        let failed = |error| Failure::in_file(file, format!("the file cannot be read: {error}"));
        Box::new(opened.map_err(failed)?)
    };
    read_problem(input).map_err(|error| Failure::in_file(file, error))
}

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let algorithm = algorithm(&args.algorithm).ok_or_else(|| unknown(&args.algorithm))?;
    let problem = read(&args.file)?;
    let request = Request {
        args,
        algorithm,
        lattice: problem.lattice().clone(),
    };
    by_lattice(problem, &request)
}

fn unknown(id: &str) -> Failure {
    let ids: Vec<&str> = ALGORITHMS.iter().map(|a| a.id).collect();
    let ids = ids.join(", ");
    Failure::Input(format!("there is no algorithm {id:?}; there are {ids}"))
}

/// What is asked for, whatever the lattice.
struct Request<'a> {
    args: &'a SolveArgs,
    algorithm: &'static Algorithm,
    /// The lattice as the file describes it, for printing.
    lattice: AnyLattice,
}

/// The one match over lattices. Those that matter get a search compiled for them; the rest, and every search whose events are written,
/// run on the lattice chosen at run time.
fn by_lattice(problem: Problem<AnyLattice>, request: &Request<'_>) -> Result<(), Failure> {
    macro_rules! compiled {
        ($lattice:expr, $variant:ident) => {{
            let convert = |value| match value {
                AnyElem::$variant(value) => Ok(value),
                other => Err(Failure::Input(format!("{other:?} is outside the lattice"))),
            };
            let problem = problem.try_map($lattice, convert)?;
            let limits = interrupt::limits(&request.args.limits)?;
            solve(
                &problem,
                request,
                AnyElem::$variant,
                &distributive,
                limits,
                None,
            )
        }};
    }
    match problem.lattice().clone() {
        _ if request.args.events.is_some() => at_run_time(problem, request),
        AnyLattice::Integers(chain) => compiled!(chain, Integer),
        AnyLattice::SmallPowerset(sets) => compiled!(sets, SmallSet),
        AnyLattice::Powerset(sets) => compiled!(sets, Set),
        AnyLattice::SmallFamilies(families) => compiled!(families, SmallFamily),
        AnyLattice::Families(families) => compiled!(families, Family),
        _ => at_run_time(problem, request),
    }
}

/// Runs on the lattice chosen at run time, whose licence for cuts is a check.
fn at_run_time(problem: Problem<AnyLattice>, request: &Request<'_>) -> Result<(), Failure> {
    match Distributive::try_from(problem.lattice().clone()) {
        Ok(lattice) => {
            let problem = problem.try_map(lattice, Ok::<_, Failure>)?;
            with_events(&problem, request, &distributive)
        }
        Err(_) if request.algorithm.needs == Needs::Lattice => {
            with_events(&problem, request, &any_lattice)
        }
        Err(witness) => {
            let runs = ALGORITHMS.iter().filter(|a| a.needs == Needs::Lattice);
            let runs: Vec<&str> = runs.map(|a| a.id).collect();
            let why = format!(
                "{} needs a {}, and {witness}; --algorithm {} would work",
                request.algorithm.id,
                request.algorithm.needs.trait_name(),
                runs.join(" or "),
            );
            Err(Failure::in_file(&request.args.file, why))
        }
    }
}

/// Solves, and writes the events if a file for them is named.
fn with_events<L: Lattice<Elem = AnyElem>>(
    problem: &Problem<L>,
    request: &Request<'_>,
    engine: &Engine<L>,
) -> Result<(), Failure> {
    let limits = interrupt::limits(&request.args.limits)?;
    let Some(path) = &request.args.events else {
        return solve(problem, request, |value| value, engine, limits, None);
    };
    if same_file(path, &request.args.file) {
        let message = format!("--events {} would overwrite the problem", path.display());
        return Err(Failure::Input(message));
    }
    let file = OutputFile::create(path)?;
    let cancel = limits.cancel.clone().unwrap_or_default();
    let mut events = Events::new(file, problem.names(), &request.lattice, cancel);
    let solved = solve(
        problem,
        request,
        |value| value,
        engine,
        limits,
        Some(&mut events),
    );
    events.finish()?;
    solved
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

/// Solves the problem and prints the answer.
fn solve<'p, L: Lattice>(
    problem: &'p Problem<L>,
    request: &'p Request<'_>,
    wrap: fn(L::Elem) -> AnyElem,
    engine: &Engine<L>,
    limits: Limits,
    events: Option<&'p mut dyn Observer<NodeId, L::Elem>>,
) -> Result<(), Failure> {
    let budget = Budget::new(limits);
    let (started, memory) = (Instant::now(), ALLOCATOR.allocated());
    let (lattice, worlds) = (&request.lattice, problem.worlds());
    let mut watch = Watch::new(problem, ProgressLine::new(lattice, worlds, wrap), events);
    let mut search = engine(request.algorithm.id, problem, &budget)
        .ok_or_else(|| unknown(request.algorithm.id))?;
    let (outcome, cache_entries) = search(problem.root(), &mut watch);
    let stats = Stats {
        nodes: watch.distinct.0.count_ones(..),
        counts: watch.counts,
        cache_entries,
        search_bytes: ALLOCATOR.allocated().saturating_sub(memory),
        peak_memory_bytes: ALLOCATOR.max_allocated(),
        seconds: started.elapsed().as_secs_f64(),
    };
    let found = |outcome: Outcome<L::Elem>| Found {
        value: match outcome.value {
            Interval::Exact(value) => Interval::Exact(wrap(value)),
            Interval::Between { lower, upper } => Interval::new(wrap(lower), wrap(upper)),
        },
        stop: outcome.stop,
    };
    let moves: Option<Vec<(&NodeName, Found)>> = request.args.moves.then(|| {
        // Events and counters are those of the root's search alone.
        watch.events = None;
        let mut children = problem.graph().row(problem.root()).to_vec();
        if problem.graph().leaf_ordinal(problem.root()).is_some() {
            children.clear();
        }
        let mut seen = FixedBitSet::with_capacity(problem.graph().node_count());
        children.retain(|child| !seen.put(child.index()));
        let solved = children
            .into_iter()
            .map(|child| (problem.node_name(child), found(search(child, &mut watch).0)));
        solved.collect()
    });
    watch.line.finish();
    let root = found(outcome);
    // Neither exact nor stopped: that takes a bound which is not true.
    let contradiction = |found: &Found| found.stop.is_none() && found.value.exact().is_none();
    let all = moves.iter().flatten().map(|(_, found)| found);
    if std::iter::once(&root).chain(all).any(contradiction) {
        let why = "the bounds of its nodes contradict each other; meetjoin check --bounds names one that is false";
        return Err(Failure::in_file(&request.args.file, why));
    }
    let answer = Answer {
        algorithm: request.algorithm.id,
        lattice,
        worlds,
        root,
        moves,
        stats,
    };
    output::print(&if request.args.json {
        answer.json()
    } else {
        answer.text()
    })?;
    let found = std::iter::once(&answer.root);
    let moves = answer.moves.iter().flatten().map(|(_, found)| found);
    let stopped = found.chain(moves).any(|found| found.stop.is_some());
    if stopped {
        Err(Failure::Stopped)
    } else {
        Ok(())
    }
}

/// A search from any node of a problem. It keeps its cache from call to call and says how many entries there are.
type Search<'s, E> = Box<dyn FnMut(NodeId, &mut Watch<'_, E>) -> (Outcome<E>, usize) + 's>;

/// Finds the search for an algorithm's id.
type Engine<L> = dyn for<'s> Fn(&str, &'s Problem<L>, &'s Budget) -> Option<Search<'s, ElemOf<L>>>;

/// The algorithms for any lattice.
fn any_lattice<'s, L: Lattice>(
    id: &str,
    problem: &'s Problem<L>,
    budget: &'s Budget,
) -> Option<Search<'s, L::Elem>> {
    let at = |root| Rooted { dag: problem, root };
    let env = move || Env::new(budget);
    Some(match id {
        "minimax" => Box::new(move |root, watch| {
            (
                minimax(&at(root), problem, &mut env().with_observer(watch)),
                0,
            )
        }),
        "minimax-cached" => with_store(problem, move |root, store, watch| {
            let mut env = env().with_observer(watch).with_store(store);
            minimax_cached(&at(root), problem, &mut env)
        }),
        _ => return None,
    })
}

/// The algorithms for distributive lattices, and those for any.
fn distributive<'s, L: DistributiveLattice>(
    id: &str,
    problem: &'s Problem<L>,
    budget: &'s Budget,
) -> Option<Search<'s, L::Elem>> {
    let at = |root| Rooted { dag: problem, root };
    let env = move || Env::new(budget).with_heuristic(problem);
    let window = Window::full(problem.lattice());
    macro_rules! duo {
        ($algorithm:ident) => {
            with_store(problem, move |root, store, watch| {
                let mut env = env().with_observer(watch).with_store(store);
                $algorithm(&at(root), problem, &window, &mut env)
            })
        };
    }
    Some(match id {
        "alpha-beta" => Box::new(move |root, watch| {
            let mut env = Env::new(budget).with_observer(watch);
            let initial = FromHeuristic(problem);
            (
                alpha_beta(&at(root), problem, &window, initial, &mut env),
                0,
            )
        }),
        "alpha-beta-cached" => with_store(problem, move |root, store, watch| {
            let mut env = env().with_observer(watch).with_store(store);
            alpha_beta_cached(&at(root), problem, &window, &mut env)
        }),
        "alpha-beta-duo" => duo!(alpha_beta_duo),
        "alpha-beta-duo-published" => duo!(alpha_beta_duo_published),
        "alpha-beta-duo-plain" => duo!(alpha_beta_duo_plain),
        _ => return any_lattice(id, problem, budget),
    })
}

/// A search with a store of values `V` that lives as long as the search.
fn with_store<'s, L: Lattice, V: 's>(
    problem: &Problem<L>,
    mut search: impl FnMut(NodeId, &mut Dense<NodeId, V>, &mut Watch<'_, L::Elem>) -> Outcome<L::Elem>
    + 's,
) -> Search<'s, L::Elem> {
    let mut store = Dense::new(problem.graph().node_count());
    Box::new(move |root, watch| {
        let outcome = search(root, &mut store, watch);
        (outcome, store.len())
    })
}
