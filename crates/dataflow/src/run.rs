//! A run: connects the processes, starts the workers, and puts together what they find.

use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use meetjoin_lattice::{Budget, Limits};
use meetjoin_solve::Layered;
use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Config, Hooks};
use timely::worker::Worker as Timely;

use crate::disk::folder::Folder;
use crate::disk::key::{Key, PARTS};
use crate::failure::Failure;
use crate::solution::{LevelCounts, Solution};
use crate::steps::evaluate::evaluate;
use crate::steps::expand::expand;
use crate::steps::question;
use crate::steps::worker::Worker;
use crate::talk::connection::{Connection, Lost};
use crate::talk::greeting::Hello;
use crate::talk::network::{Hosts, connect};
use crate::talk::rounds::Rounds;

/// How to solve.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Workers of this process, each a thread. All processes have as many.
    pub workers: usize,
    /// All processes, if there are more than this one.
    pub hosts: Option<Hosts>,
    /// Where levels are kept. Processes on one machine may share a folder.
    pub folder: PathBuf,
    /// Bytes of memory for the level in work, for each worker.
    pub memory: usize,
    /// Limits of each worker.
    pub limits: Limits,
    /// Whether to count nodes by value.
    pub counts: bool,
    /// Positions that are asked for, by the names of the moves that lead there. In all processes
    /// the same.
    pub lines: Vec<Vec<String>>,
}

/// The interval between checks whether the last messages have left this process.
const NAP: Duration = Duration::from_millis(20);
/// The most such checks: 10 s.
const MOST_NAPS: u32 = 500;

/// Solves a problem level by level, together with the other processes. `digest` is that of the
/// problem.
///
/// # Errors
/// What is wrong with the arguments, or what has failed. Levels that were completed stay in the
/// folder.
pub fn solve(
    problem: Arc<dyn Layered>,
    digest: &str,
    mut settings: Settings,
) -> Result<Solution, Failure> {
    // One clock runs for the greeting and for all workers.
    let limits = &mut settings.limits;
    let ends = limits
        .time
        .take()
        .and_then(|time| Instant::now().checked_add(time));
    limits.deadline = [limits.deadline, ends].into_iter().flatten().min();
    let budget = Budget::new(limits.clone());
    let processes = settings
        .hosts
        .as_ref()
        .map_or(1, |hosts| hosts.addresses.len());
    let workers = settings.workers.saturating_mul(processes);
    if !(1..=PARTS).contains(&workers) {
        return Err(Failure::Input(format!(
            "there may be 1 to {PARTS} workers in all processes together, and not {workers}"
        )));
    }
    question::check(&*problem.nodes(), &settings.lines)?;
    let folder = Folder::open(&settings.folder, digest)?;
    if processes == 1 && !folder.is_ours() {
        return Err(folder.taken());
    }
    let lost = Lost::default();
    let (builders, others) = match &settings.hosts {
        Some(hosts) if processes > 1 => {
            let hello = Hello {
                meetjoin: env!("CARGO_PKG_VERSION").to_owned(),
                problem: digest.to_owned(),
                processes,
                workers: settings.workers,
                process: hosts.process,
                asked: format!("{} {:?}", settings.counts, settings.lines),
                holds: folder.token.clone(),
            };
            connected(hosts, &hello, &folder, &lost, &budget)?
        }
        _ => Config::Process(settings.workers)
            .try_build()
            .map_err(Failure::Broken)?,
    };
    let (found, finds) = mpsc::channel();
    let found = Mutex::new(found);
    let own = settings.workers;
    let run = move |worker: &mut Timely| {
        let found = found
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .clone();
        if problem.key_bits() <= u64::BITS {
            work::<u64>(worker, &*problem, &folder, &settings, lost.clone(), &found);
        } else {
            work::<u128>(worker, &*problem, &folder, &settings, lost.clone(), &found);
        }
    };
    let guards = timely::execute::execute_from(builders, others, WorkerConfig::default(), run);
    let guards = guards.map_err(Failure::Broken)?;
    let mut solution = None;
    let mut failure = None;
    for _ in 0..own {
        match finds.recv() {
            Ok(Ok(found)) => solution = Some(found),
            Ok(Err(failed)) => {
                failure = Some(failed);
                break;
            }
            Err(_) => break,
        }
    }
    if let (Some(solution), None) = (solution, &failure) {
        // The last messages must leave this process first; processes that are gone are not waited
        // for.
        let (ended, end) = mpsc::channel();
        thread::spawn(move || {
            drop(guards);
            let _ = ended.send(());
        });
        for _ in 0..MOST_NAPS {
            if end.recv_timeout(NAP) != Err(RecvTimeoutError::Timeout) || budget.check().is_err() {
                break;
            }
        }
        return Ok(solution);
    }
    // The other workers may wait for messages that never come: they end with the process.
    std::mem::forget(guards);
    Err(failure.unwrap_or_else(|| Failure::Broken("a worker has ended without a word".to_owned())))
}

/// The parts of timely dataflow that carry messages.
type Carriers = (Vec<AllocatorBuilder>, Box<dyn std::any::Any + Send>);

/// Connects the processes, and makes sure that no other run works in the folder.
fn connected(
    hosts: &Hosts,
    hello: &Hello,
    folder: &Folder,
    lost: &Lost,
    budget: &Budget,
) -> Result<Carriers, Failure> {
    let (others, ways) = connect(hosts, hello, budget)?;
    let holder = folder.holder();
    if !folder.is_ours() && !others.iter().any(|other| other.holds == holder) {
        return Err(folder.taken());
    }
    let (own, workers) = (hosts.process, hello.workers);
    let connection = |(process, way)| Connection::new(way, [process, own], workers, lost.clone());
    let ways = ways.into_iter().enumerate();
    let connections = ways.map(|(process, way)| way.map(|way| connection((process, way))));
    let hooks = Hooks::default();
    let within = ProcessBuilder::new_typed_vector(hello.workers, hooks.refill.clone(), None);
    let networking = initialize_networking_from_sockets(
        within,
        connections.collect(),
        hosts.process,
        hello.workers,
        hooks,
    );
    let (builders, guard) = networking
        .map_err(|error| Failure::Broken(format!("connections cannot be used: {error}")))?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    Ok((builders, Box::new(guard)))
}

/// Runs one worker and sends its result.
fn work<K: Key>(
    timely: &mut Timely,
    problem: &dyn Layered,
    folder: &Folder,
    settings: &Settings,
    lost: Lost,
    found: &Sender<Result<Solution, Failure>>,
) {
    let budget = Budget::new(settings.limits.clone());
    let rounds = Rounds::new(timely, lost, &budget);
    let mut worker = Worker::new(rounds, problem, folder, &budget, settings.memory);
    let done = whole::<K>(&mut worker, settings);
    if let Err(failure) = &done {
        worker.rounds.give_up(failure, settings.hosts.is_some());
    }
    // The receiver is gone if another worker has failed before.
    let _ = found.send(done);
}

fn whole<K: Key>(worker: &mut Worker<'_>, settings: &Settings) -> Result<Solution, Failure> {
    let begin = Instant::now();
    let (nodes, expanded) = expand::<K>(worker)?;
    let down = begin.elapsed();
    let evaluated = evaluate::<K>(worker, nodes.len() as u32)?;
    let up = begin.elapsed().saturating_sub(down);
    let levels = if settings.counts {
        question::counts::<K>(worker, &nodes)?
    } else {
        let level = |nodes| LevelCounts {
            nodes,
            positions: None,
            values: None,
        };
        nodes.iter().copied().map(level).collect()
    };
    let lines = question::lines::<K>(worker, &settings.lines)?;
    let bytes = worker.folder.bytes(nodes.len() as u32, &worker.parts)?;
    let bytes = worker.sum(bytes)?;
    let children = worker.sum(evaluated.children)?;
    let asked = worker.sum(evaluated.asked)?;
    Ok(Solution {
        value: lines[0].value.clone(),
        levels,
        lines,
        workers: worker.rounds.workers(),
        before: [expanded, evaluated.before],
        children,
        asked,
        seconds: [down.as_secs_f64(), up.as_secs_f64()],
        bytes,
    })
}
