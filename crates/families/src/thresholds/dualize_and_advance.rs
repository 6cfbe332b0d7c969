//! Dualize and advance: finds the border between the sets that belong to a family and those that do
//! not, by asking about many sets at a time.
//!
//! Problem: an oracle answers whether a set belongs to a family closed under subsets. Which are the
//! family's maximal sets? Each answer should add information, and the algorithm must know when it
//! is complete.
//!
//! Idea: for a set that is neither below a known member nor above a known non-member, the answer
//! gives a new member or non-member. A *task* then moves it to the border, world by world: one that
//! belongs grows as long as it belongs, one that does not shrinks as long as it does not. If a step
//! fails, the set tried is a new one of the other kind, and starts a task of its own. A task whose
//! set has meanwhile become known by another task is dropped. So tasks move along the border, and
//! most steps need no question, because known sets answer them.
//!
//! Questions are sent in *batches*, with the tasks that ask them, and several batches may be
//! pending at once. If several threads ask, a task *forks* if there is room for more questions: a
//! copy of it takes the worlds in another order, and most likely ends at another set. (A single
//! thread would make fewer, but longer passes by that.)
//!
//! When there are no tasks, *regions* describe what is left: all sets from `lower` to `upper`. If
//! `upper` belongs or `lower` does not, the region is settled. If `upper` is unknown, it or a set
//! below it is asked about next. Otherwise `upper` contains a known non-member e, and every unknown
//! set of the region lacks a world of e: the region is split by the first world of e that a set
//! lacks. This enumerates the transversals of the non-members, and ends when all regions are
//! settled.
//!
//! Invariant: known answers are true. Every subset of the universe is known, or in a region that is
//! queued or held by a task or a batch.
//!
//! Cost: let p maximal sets belong to the family, and m minimal ones not, over n worlds. One
//! question at a time, each task that is taken up arrives at a border set that no task before it
//! has found, so there are at most p + m. Each of its questions adds a world or settles one; those
//! that try several worlds at once pay for themselves: at most (2 n + 1) (p + m) questions.
//! Concurrent tasks may end at the same set, so k questions at a time can be more in all, in fewer
//! passes. Every algorithm of this kind needs at least p + m questions, and m can be exponential in
//! p: then this is the wrong method.
//!
//! Source: dualize and advance: Gunopulos, Khardon, Mannila, Toivonen (1997); the duality it rests
//! on: Fredman, Khachiyan (1996).

use std::collections::{BTreeSet, VecDeque};

use meetjoin_lattice::{Budget, Stop, WorldSet};

use super::subset_index::SubsetIndex;
use crate::random::Random;

/// The most regions before they are taken from the end.
const MANY: usize = 1 << 16;

/// The direction in which a task moves its set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// It belongs, and adds worlds.
    Grow,
    /// It does not, and removes worlds.
    Shrink,
}

/// All sets from `lower` to `upper`.
struct Region<B> {
    lower: B,
    upper: B,
}

/// A set on its way to the border.
struct Task<B> {
    way: Way,
    /// The current set, stored in the index at `place`.
    set: B,
    place: usize,
    /// Worlds still to be added or removed.
    open: Vec<usize>,
    /// The number of worlds to try at once, if the task gets one question.
    stride: usize,
    /// A region that waits for the task to end.
    region: Option<Region<B>>,
}

/// The step that a question is about.
#[derive(Clone, Copy)]
enum Step {
    /// So many of its open worlds at once, from the end of the list.
    Several(usize),
    /// One of them, by index.
    Single(usize),
}

/// The origin of a question.
enum Asked<B> {
    /// By the task of the batch with this number.
    Move(usize, Step),
    /// A set of a region: does it belong?
    Of(Region<B>, B),
}

/// Questions that are sent together.
pub(super) struct Batch<B> {
    /// Does each of these sets belong?
    pub(super) sets: Vec<B>,
    asked: Vec<Asked<B>>,
    tasks: Vec<Task<B>>,
}

/// The known part of a family, and the work in progress.
pub(super) struct Border<B> {
    universe: B,
    belonging: SubsetIndex<B>,
    others: SubsetIndex<B>,
    waiting: VecDeque<Task<B>>,
    /// Whether tasks fork.
    may_fork: bool,
    /// Tasks of the last batch as they were sent: direction, set and open worlds. Empty once there
    /// are any answers, for these lead to better questions.
    forks: Vec<(Way, B, Vec<usize>)>,
    /// Sets of regions in pending batches.
    asked_for: BTreeSet<B>,
    regions: Vec<Region<B>>,
    random: Random,
}

impl<B: WorldSet> Border<B> {
    /// A border of which nothing is known but that only subsets of `universe` can belong. `none` is
    /// the empty set. `threads` threads will ask.
    pub(super) fn new(universe: B, none: B, threads: usize) -> Self {
        Self {
            belonging: SubsetIndex::new(&universe),
            others: SubsetIndex::new(&universe),
            waiting: VecDeque::new(),
            may_fork: threads > 1,
            forks: Vec::new(),
            asked_for: BTreeSet::new(),
            regions: vec![Region {
                lower: none,
                upper: universe.clone(),
            }],
            universe,
            random: Random::new(0x2545_f491_4f6c_dd1d),
        }
    }

    /// Sets known to belong: the maximal ones among them, once there are no more questions.
    pub(super) fn belonging(&self) -> impl Iterator<Item = &B> {
        self.belonging.sets()
    }

    /// Sets known not to belong: the minimal ones among them, once there are no more questions.
    pub(super) fn others(&self) -> impl Iterator<Item = &B> {
        self.others.sets()
    }

    /// The next questions, at most `most`. The first is whether the universe belongs. If there are
    /// none, and no batch is pending, the border is known.
    ///
    /// # Errors
    /// The reason of a stop. Regions may be lost then: known answers stay true, but later questions
    /// are incomplete.
    pub(super) fn questions(&mut self, most: usize, budget: &Budget) -> Result<Batch<B>, Stop> {
        let mut batch = Batch {
            sets: Vec::new(),
            asked: Vec::new(),
            tasks: Vec::new(),
        };
        while batch.tasks.len() < most
            && let Some(task) = self.waiting.pop_front()
        {
            batch.tasks.extend(self.activate(task, budget)?);
        }
        let mut later = Vec::new();
        // Regions whose sets are being asked about are not worth checking again and again.
        while batch.tasks.len() + batch.sets.len() < most
            && later.len() <= self.asked_for.len()
            && let Some(region) = self.next_region()
        {
            let Some(region) = self.look_into(region, budget)? else {
                continue;
            };
            // Waits until a task has found out why its upper end does not belong.
            if self.is_known(Way::Shrink, &region.upper, None, budget)? {
                later.push(region);
                continue;
            }
            let set = self.unknown(&region, budget)?;
            if self.asked_for.insert(set.clone()) {
                batch.sets.push(set.clone());
                batch.asked.push(Asked::Of(region, set));
            } else {
                later.push(region);
            }
        }
        self.regions.append(&mut later);
        let room = most - batch.sets.len();
        let share = room.checked_div(batch.tasks.len()).unwrap_or_default();
        for number in 0..batch.tasks.len() {
            self.ask_for(number, share, &mut batch, budget)?;
        }
        if self.may_fork {
            self.fork(most, &mut batch, budget)?;
        }
        Ok(batch)
    }

    /// Fills a batch with questions of forks: of its own tasks or, if it has none, of those of the
    /// last batch with tasks.
    fn fork(&mut self, most: usize, batch: &mut Batch<B>, budget: &Budget) -> Result<(), Stop> {
        if !batch.tasks.is_empty() {
            let several = batch.tasks.iter().filter(|task| task.open.len() > 1);
            let forks = several.map(|task| (task.way, task.set.clone(), task.open.clone()));
            self.forks = forks.collect();
        }
        let mut next = 0;
        while let Some((way, set, open)) = self.forks.get(next % self.forks.len().max(1))
            && batch.sets.len() + open.len() <= most
        {
            let task = self.task(*way, set.clone(), open.clone(), None, budget)?;
            let number = batch.tasks.len();
            for step in (1..=task.open.len()).map(Step::Several) {
                let set = moved(task.way, &task.set, step.worlds(&task.open));
                batch.sets.push(set);
                batch.asked.push(Asked::Move(number, step));
            }
            batch.tasks.push(task);
            next += 1;
        }
        Ok(())
    }

    /// Records the answers to the questions of a batch: which of its sets belong.
    ///
    /// # Errors
    /// The reason of a stop; see [`questions`](Self::questions).
    pub(super) fn answer(
        &mut self,
        batch: Batch<B>,
        answers: &[bool],
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut of_tasks: Vec<Vec<(Step, bool)>> = Vec::new();
        of_tasks.resize_with(batch.tasks.len(), Vec::new);
        for (question, answer) in batch.asked.into_iter().zip(answers) {
            match question {
                Asked::Move(task, step) => of_tasks[task].push((step, *answer)),
                Asked::Of(region, set) => {
                    self.asked_for.remove(&set);
                    self.start_in(region, set, *answer, budget)?;
                }
            }
        }
        self.forks.clear();
        // Tasks that were begun go on first, in the same order.
        for (task, steps) in batch.tasks.into_iter().zip(of_tasks).rev() {
            let task = self.advance(task, &steps, budget)?;
            self.waiting.push_front(task);
        }
        Ok(())
    }

    /// Returns whether the sets of this direction, except the one at a place, imply that a set
    /// belongs, or that it does not.
    fn is_known(
        &self,
        way: Way,
        set: &B,
        except: Option<usize>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        match way {
            Way::Grow => self.belonging.some_above(set, except, budget),
            Way::Shrink => self.others.some_below(set, except, budget),
        }
    }

    fn filed(&mut self, way: Way) -> &mut SubsetIndex<B> {
        match way {
            Way::Grow => &mut self.belonging,
            Way::Shrink => &mut self.others,
        }
    }

    /// Shuffles the worlds of a task, so that tasks take different paths; deterministic.
    fn shuffle(&mut self, worlds: &mut [usize]) {
        for i in (1..worlds.len()).rev() {
            worlds.swap(i, self.random_below(i + 1));
        }
    }

    /// A number below `limit`, which is not 0.
    fn random_below(&mut self, limit: usize) -> usize {
        // A remainder is smaller than the limit.
        (self.random.number() % limit as u64) as usize
    }

    /// The next region, chosen at random: neighbouring regions would lead to the same sets at the
    /// same time, which on random graphs (d = 15, b = 4, v = 20) took a fifth more questions. If
    /// there are very many, the last one, which keeps their number bounded.
    fn next_region(&mut self) -> Option<Region<B>> {
        match self.regions.len() {
            0 => None,
            1..=MANY => {
                let place = self.random_below(self.regions.len());
                Some(self.regions.swap_remove(place))
            }
            _ => self.regions.pop(),
        }
    }

    /// Starts a task for a set, if it is unknown. `settled` is a world known to make no step.
    fn start(
        &mut self,
        way: Way,
        set: B,
        settled: Option<usize>,
        region: Option<Region<B>>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        if self.is_known(way, &set, None, budget)? {
            self.regions.extend(region);
            return Ok(());
        }
        let open = self.universe.ones();
        let open = open.filter(|world| set.contains(*world) == (way == Way::Shrink));
        let open = open.filter(|world| Some(*world) != settled).collect();
        let task = self.task(way, set, open, region, budget)?;
        match way {
            Way::Grow => self.waiting.push_front(task),
            Way::Shrink => self.waiting.push_back(task),
        }
        Ok(())
    }

    /// A task that starts from this set, which is in the index, with open worlds in any order.
    fn task(
        &mut self,
        way: Way,
        set: B,
        mut open: Vec<usize>,
        region: Option<Region<B>>,
        budget: &Budget,
    ) -> Result<Task<B>, Stop> {
        self.shuffle(&mut open);
        budget.room((size_of::<Task<B>>() + open.len() * size_of::<usize>()) as u64)?;
        let place = self.filed(way).add(set.clone(), budget)?;
        Ok(Task {
            way,
            set,
            place,
            open,
            stride: 1,
            region,
        })
    }

    /// Returns the task, unless it has ended, or its set is known without it.
    fn activate(&mut self, mut task: Task<B>, budget: &Budget) -> Result<Option<Task<B>>, Stop> {
        if self.is_known(task.way, &task.set, Some(task.place), budget)? {
            self.filed(task.way).remove(task.place);
            self.regions.extend(task.region);
            return Ok(None);
        }
        while let Some(world) = task.open.last() {
            let next = moved(task.way, &task.set, &[*world]);
            if !self.is_known(opposite(task.way), &next, None, budget)? {
                return Ok(Some(task));
            }
            task.open.pop();
        }
        self.filed(task.way).settle(task.place);
        self.regions.extend(task.region);
        Ok(None)
    }

    /// The questions of one task, about `share` of them: if that is enough, about every length of
    /// its step; otherwise about its next step, and single worlds.
    fn ask_for(
        &self,
        number: usize,
        share: usize,
        batch: &mut Batch<B>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let task = &batch.tasks[number];
        let open = task.open.len();
        let mut steps = Vec::new();
        if share >= open {
            steps.extend((1..=open).map(Step::Several));
        } else {
            let several = moved(task.way, &task.set, last(&task.open, task.stride));
            let is_known = self.is_known(opposite(task.way), &several, None, budget)?;
            steps.push(Step::Several(if is_known {
                1
            } else {
                task.stride.min(open)
            }));
        }
        // The last world is a step already.
        let singles = (0..open.saturating_sub(1)).rev().map(Step::Single);
        steps.extend(singles.take(share.saturating_sub(steps.len())));
        for step in steps {
            let set = moved(task.way, &task.set, step.worlds(&task.open));
            batch.sets.push(set);
            batch.asked.push(Asked::Move(number, step));
        }
        Ok(())
    }

    /// Moves a task by its answers. Failed steps start tasks of the other kind.
    fn advance(
        &mut self,
        mut task: Task<B>,
        steps: &[(Step, bool)],
        budget: &Budget,
    ) -> Result<Task<B>, Stop> {
        let Task { way, open, .. } = &mut task;
        let (way, open) = (*way, std::mem::take(open));
        let old = task.set.clone();
        let mut done = vec![false; open.len()];
        let (mut best, mut failed) = (0, None);
        let mut other = Vec::new();
        for (step, belongs) in steps {
            let goes_on = *belongs == (way == Way::Grow);
            match *step {
                Step::Several(count) if goes_on => best = best.max(count),
                Step::Several(count) => {
                    failed = Some(failed.map_or(count, |least: usize| least.min(count)));
                }
                Step::Single(place) if goes_on => {
                    if best == 0 && task.set == old {
                        task.set = moved(way, &old, &[open[place]]);
                        done[place] = true;
                    }
                }
                Step::Single(place) => {
                    done[place] = true;
                    other.push((moved(way, &old, &[open[place]]), Some(open[place])));
                }
            }
        }
        if best > 0 {
            task.set = moved(way, &old, last(&open, best));
            done[open.len() - best..].fill(true);
        }
        if let Some(count) = failed {
            let settled = (count == best + 1).then(|| open.len() - count);
            if let Some(place) = settled {
                done[place] = true;
            }
            let set = moved(way, &old, last(&open, count));
            other.push((set, settled.map(|place| open[place])));
        }
        let left = open.into_iter().zip(done);
        let left = left.filter_map(|(world, done)| (!done).then_some(world));
        task.open = left.collect();
        task.stride = match failed {
            None => (2 * task.stride).min(task.open.len().max(1)),
            Some(_) => (task.stride / 2).max(1),
        };
        if task.set != old {
            let (place, set) = (task.place, task.set.clone());
            self.filed(way).write(place, set);
        }
        for (set, settled) in other {
            self.start(opposite(way), set, settled, None, budget)?;
        }
        Ok(task)
    }

    /// Settles a region or splits it by a known set; returns it if there is none.
    fn look_into(&mut self, region: Region<B>, budget: &Budget) -> Result<Option<Region<B>>, Stop> {
        let Region { lower, upper } = &region;
        if self.is_known(Way::Grow, upper, None, budget)?
            || self.is_known(Way::Shrink, lower, None, budget)?
        {
            return Ok(None);
        }
        let Some(set) = self.others.smallest_below(upper, lower, budget)? else {
            return Ok(Some(region));
        };
        budget.room((size_of::<Region<B>>() * set.ones().count()) as u64)?;
        let mut lower = lower.clone();
        let lacking = set.ones().filter(|world| !region.lower.contains(*world));
        for world in lacking {
            let mut upper = upper.clone();
            upper.remove(world);
            self.regions.push(Region {
                lower: lower.clone(),
                upper,
            });
            lower.insert(world);
        }
        Ok(None)
    }

    /// A set to ask about, given a region whose upper end is unknown: that end or, once most border
    /// sets do not belong, a minimal unknown set below it. If that set does not belong either, it
    /// is on the border at once: on random graphs (d = 15, b = 4, v = 20) this saves more than a
    /// fifth of the questions.
    fn unknown(&mut self, region: &Region<B>, budget: &Budget) -> Result<B, Stop> {
        let mut set = region.upper.clone();
        if self.others.len() <= self.belonging.len() {
            return Ok(set);
        }
        let mut worlds: Vec<usize> = set.ones().collect();
        self.shuffle(&mut worlds);
        // Prefers a set of this region to one that a neighbouring region leads to as well.
        worlds.sort_by_key(|world| region.lower.contains(*world));
        let (mut rest, mut stride) = (&worlds[..], 1);
        while !rest.is_empty() {
            let (some, others) = rest.split_at(stride.min(rest.len()));
            let next = moved(Way::Shrink, &set, some);
            if !self.is_known(Way::Grow, &next, None, budget)? {
                (set, rest, stride) = (next, others, 2 * stride);
            } else if some.len() > 1 {
                stride = some.len() / 2;
            } else {
                rest = others;
            }
        }
        Ok(set)
    }

    /// Continues from a set of a region.
    fn start_in(
        &mut self,
        region: Region<B>,
        set: B,
        belongs: bool,
        budget: &Budget,
    ) -> Result<(), Stop> {
        if !belongs {
            return self.start(Way::Shrink, set, None, Some(region), budget);
        }
        if set != region.upper {
            self.regions.push(region);
        }
        self.start(Way::Grow, set, None, None, budget)
    }
}

impl Step {
    /// The worlds of a list that the step is about.
    fn worlds(self, open: &[usize]) -> &[usize] {
        match self {
            Self::Several(count) => last(open, count),
            Self::Single(place) => &open[place..=place],
        }
    }
}

fn last(open: &[usize], count: usize) -> &[usize] {
    &open[open.len().saturating_sub(count)..]
}

fn opposite(way: Way) -> Way {
    match way {
        Way::Grow => Way::Shrink,
        Way::Shrink => Way::Grow,
    }
}

/// The set with these worlds added, or removed.
fn moved<B: WorldSet>(way: Way, set: &B, worlds: &[usize]) -> B {
    let mut set = set.clone();
    for world in worlds {
        match way {
            Way::Grow => set.insert(*world),
            Way::Shrink => set.remove(*world),
        }
    }
    set
}
