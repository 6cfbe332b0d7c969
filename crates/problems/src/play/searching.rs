//! The searches for players of a board game: to the end of the game, or to increasing depths.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

use meetjoin_dag::{Rooted, Valuation as _};
use meetjoin_games::StaticEvaluation as _;
use meetjoin_lattice::{Budget, Interval, Stop};
use meetjoin_search::sharing::SharedCaches;
use meetjoin_search::threads::{race, together};
use meetjoin_search::total_order::{
    Deepened, Deepening, Deepest, Level, iterative_deepening, mtd_bi, nega_scout,
    principal_variation,
};
use meetjoin_search::{
    Env, Estimate, Horizon, OfPositions, Outcome, PositionTables, SharedStores, Sharing,
    Store as _, Stores, Window,
};
use meetjoin_solve::request::{HEAD_START, Progress};
use meetjoin_solve::run::Watch;
use meetjoin_solve::subject::{Subject as _, most_of_memory};

use crate::games::Positions;
use crate::games::on_boards::board::BoardGame;
use crate::games::on_boards::settled::{Settled, best_known, known, within};

/// The result for a position.
#[derive(Clone, Debug)]
pub(super) struct Judged<E> {
    /// Its value, or bounds.
    pub(super) value: Interval<E>,
    /// The depth and the value of the game cut there, if the value is not known.
    pub(super) estimate: Option<(u32, E)>,
    /// Why the search was stopped, if it was.
    pub(super) stop: Option<Stop>,
}

impl<E> Judged<E> {
    /// A stop does not matter once the value is known.
    pub(super) fn new(value: Interval<E>, stop: Option<Stop>) -> Self {
        let stop = stop.filter(|_| matches!(value, Interval::Between { .. }));
        Self {
            value,
            estimate: None,
            stop,
        }
    }
}

/// The context of the searches.
pub(super) struct Searching<'a, 'p, G: BoardGame> {
    game: G,
    budget: &'a Budget,
    threads: usize,
    tables: PositionTables,
    /// Shared by all threads, if there are several.
    caches: Arc<SharedCaches>,
    pub(super) watch: Watch<'a, 'p, Positions<G>>,
}

pub(super) type Intervals<N, E> = <Sharing<PositionTables> as Stores<N>>::Store<Interval<E>>;

/// The depth if none is given; no game here takes so many moves.
pub(super) const DEEPEST: u32 = 1000;

impl<'a, 'p, G: BoardGame> Searching<'a, 'p, G> {
    pub(super) fn new(
        subject: &'a Positions<G>,
        game: G,
        budget: &'a Budget,
        threads: NonZero<usize>,
        progress: Option<&'p mut dyn Progress>,
    ) -> Self {
        let (threads, bytes) = (threads.get(), Some(most_of_memory(budget, TABLE_BYTES)));
        Self {
            game,
            budget,
            threads,
            tables: PositionTables { bytes },
            caches: Arc::new(SharedCaches::new(threads, bytes)),
            watch: Watch::of_several_values(subject, progress),
        }
    }

    /// The factory of a thread's caches for a search, which has the same number in all threads.
    pub(super) fn stores(&self, search: u64) -> Sharing<PositionTables> {
        if self.threads == 1 {
            return Sharing::Own(self.tables);
        }
        let stores = SharedStores::new(&self.caches);
        if search > 0 {
            stores.begin(search);
        }
        Sharing::Shared(stores, self.tables)
    }

    /// The value of a position.
    pub(super) fn exact(
        &mut self,
        store: &mut Intervals<G::Node, G::Number>,
        position: &G::Node,
    ) -> Judged<G::Number> {
        let (game, subject) = (self.game, self.watch.subject);
        let mut value = known(game, position, self.budget);
        let outcome = if self.threads == 1 {
            to_the_end(position, &value, store, self.budget, &mut self.watch)
        } else {
            let (own, caches, tables) = (&mut self.watch, &self.caches, self.tables);
            let search = |store: &mut _, budget: &Budget, watch: &mut Watch<'_, '_, _>| {
                let outcome = to_the_end(position, &value, store, budget, watch);
                let is_found = outcome.stop.is_none();
                (outcome, is_found)
            };
            let help = |budget: &Budget| {
                let stores = Sharing::Shared(SharedStores::new(caches), tables);
                let mut watch = helpers_watch(subject);
                let (outcome, found) = search(&mut stores.store(), budget, &mut watch);
                ((outcome, watch.counts), found)
            };
            let helpers = self.threads - 1;
            let ran = race(
                self.budget,
                helpers,
                HEAD_START,
                |budget| search(store, budget, own),
                help,
            );
            let (helped, counts): (Vec<_>, Vec<_>) = ran.helped.into_iter().unzip();
            for counts in counts {
                own.counts += counts;
            }
            together(game.lattice(), ran.own, helped)
        };
        value = within(&value, &outcome.value);
        if let Some(stored) = store.get(position).1 {
            value = within(&value, &stored);
        }
        Judged::new(value, outcome.stop)
    }

    /// The value of the first position, and best play to the end of the game.
    pub(super) fn exact_with_line(
        &mut self,
        store: &mut Intervals<G::Node, G::Number>,
    ) -> (Judged<G::Number>, Vec<u32>) {
        let position = &self.game.root();
        let found = self.exact(store, position);
        let mut line = Vec::new();
        let Some(value) = found.value.exact().copied() else {
            return (found, line);
        };
        let (game, dag) = (self.game, self.watch.subject.dag());
        let mut env = Env::new(self.budget)
            .with_store(Some(store))
            .with_heuristic(Some(game))
            .with_observer(&mut self.watch);
        let best = principal_variation(dag, &game, &value, &mut env);
        line.extend(numbers(&game, &best.nodes));
        line.extend(self.played_out(best.nodes.last().unwrap_or(position)));
        (found, line)
    }

    /// Moves to the end of the game from a position whose value is known without search, each known
    /// to keep that value. Empty for other positions.
    fn played_out(&self, position: &G::Node) -> Vec<u32> {
        let (game, mut position) = (self.game, position.clone());
        let known = |position: &G::Node| known(game, position, self.budget);
        let mut line = Vec::new();
        let Interval::Exact(value) = known(&position) else {
            return line;
        };
        while let Some((number, next)) = best_known(game, &position, self.budget) {
            if known(&next) != Interval::Exact(value) {
                break;
            }
            line.push(number);
            position = next;
        }
        line
    }

    /// The value of the game cut at a depth below a position.
    pub(super) fn estimated(&mut self, position: &G::Node, depth: u32) -> Judged<G::Number> {
        let judged = Settled::judged(self.game, self.budget);
        let rooted = Rooted {
            dag: &judged,
            root: position.clone(),
        };
        let evaluate = |position: &G::Node| judged.evaluate(position);
        let horizon = Horizon::new(&rooted, &judged, evaluate, depth);
        let mut env = Env::new(self.budget)
            .with_store(self.tables.store())
            .with_observer(OfPositions(&mut self.watch));
        let window = Window::full(judged.lattice());
        let outcome = nega_scout(&horizon, &horizon, &window, &mut env);
        let stop = outcome.stop;
        self.judgement(position, Some(&horizon.estimate(outcome)), stop)
    }

    /// The value of the first position by iterative deepening, with a best line: to the end of the
    /// game if the value is exact.
    pub(super) fn deepened(&mut self, depth: u32) -> (Judged<G::Number>, Vec<u32>) {
        let (game, subject) = (self.game, self.watch.subject);
        let how = Deepening {
            // Threads defer each other's children, which NegaScout does not allow.
            search: if self.threads == 1 {
                Deepened::NegaScout
            } else {
                Deepened::MtdF
            },
            most: depth,
            step: if depth == DEEPEST { 1 } else { game.step() },
            remembered: REMEMBERED.min(self.tables.bytes.unwrap_or(TABLE_BYTES) / 1024),
        };
        let deepest = if self.threads == 1 {
            to_depth(game, how, self.stores(1), self.budget, &mut self.watch)
        } else {
            let (stores, caches, tables) = (self.stores(1), &self.caches, self.tables);
            let help = |budget: &Budget| {
                let shared = SharedStores::new(caches);
                shared.begin(1);
                let mut watch = helpers_watch(subject);
                let stores = Sharing::Shared(shared, tables);
                let deepest = to_depth(game, how, stores, budget, &mut watch);
                let is_found = deepest.stop.is_none();
                ((deepest, watch.counts), is_found)
            };
            let own = &mut self.watch;
            let search = |budget: &Budget| {
                let deepest = to_depth(game, how, stores, budget, own);
                let is_found = deepest.stop.is_none();
                (deepest, is_found)
            };
            let ran = race(self.budget, self.threads - 1, HEAD_START, search, help);
            let mut best = ran.own;
            for (deepest, counts) in ran.helped {
                self.watch.counts += counts;
                if reached(&deepest) > reached(&best) {
                    let stop = best.stop.and(deepest.stop);
                    best = Deepest { stop, ..deepest };
                }
            }
            best
        };
        let root = game.root();
        let level = deepest.level.as_ref();
        let nodes = level.map_or(&[][..], |level| &level.line);
        let mut line = numbers(&game, nodes);
        let found = self.judgement(&root, level.map(|level| &level.estimate), deepest.stop);
        if found.value.exact().is_some() {
            line.extend(self.played_out(nodes.last().unwrap_or(&root)));
        }
        (found, line)
    }

    fn judgement(
        &self,
        position: &G::Node,
        estimate: Option<&Estimate<G::Number>>,
        stop: Option<Stop>,
    ) -> Judged<G::Number> {
        let game = self.game;
        let bounds = known(game, position, self.budget);
        let found = estimate.and_then(|estimate| Some((estimate, *estimate.value()?)));
        match found {
            Some((estimate, value)) if estimate.is_exact() || game.is_decided(value) => {
                Judged::new(Interval::Exact(game.plain(value)), None)
            }
            Some((estimate, value)) if bounds.exact().is_none() => Judged {
                estimate: Some((estimate.depth, value)),
                ..Judged::new(bounds, stop)
            },
            _ => Judged::new(bounds, stop),
        }
    }
}

/// Bytes of a cache, and of its larger successor while it grows, without a memory limit: 2 GiB, or
/// less on 32-bit systems.
const TABLE_BYTES: usize = if usize::BITS > 32 { 1 << 31 } else { 1 << 29 };

/// Positions for which iterative deepening remembers the best move.
const REMEMBERED: usize = 1 << 20;

/// The observer of a helping thread, which only counts.
fn helpers_watch<G: BoardGame>(subject: &Positions<G>) -> Watch<'_, 'static, Positions<G>> {
    Watch::of_several_values(subject, None)
}

/// Searches a position with known bounds by MTD(bi). Bisecting alpha-beta duo makes half as many
/// visits, but so many looks at children that both take the same time.
fn to_the_end<G: BoardGame>(
    position: &G::Node,
    known: &Interval<G::Number>,
    store: &mut Intervals<G::Node, G::Number>,
    budget: &Budget,
    watch: &mut Watch<'_, '_, Positions<G>>,
) -> Outcome<G::Number> {
    let (dag, game) = (watch.subject.dag(), watch.subject.values());
    let rooted = Rooted {
        dag,
        root: position.clone(),
    };
    let mut env = Env::new(budget)
        .with_store(Some(store))
        .with_heuristic(Some(*game))
        .with_observer(watch);
    mtd_bi(&rooted, game, Some(known.clone()), &mut env)
}

/// Searches the first position to increasing depths.
fn to_depth<G: BoardGame>(
    game: G,
    how: Deepening,
    stores: Sharing<PositionTables>,
    budget: &Budget,
    watch: &mut Watch<'_, '_, Positions<G>>,
) -> Deepest<G::Node, G::Number> {
    let judged = Settled::judged(game, budget);
    let mut env = Env::new(budget)
        .with_store(stores)
        .with_observer(OfPositions(watch));
    let evaluate = |position: &G::Node| judged.evaluate(position);
    let seen = |level: &Level<G::Node, G::Number>| match level.estimate.value() {
        Some(value) if game.is_decided(*value) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    iterative_deepening(&judged, &judged, evaluate, how, &mut env, seen)
}

/// The progress of a search: whether it has finished, and its depth.
fn reached<N, E>(deepest: &Deepest<N, E>) -> (bool, Option<u32>) {
    let depth = deepest.level.as_ref().map(|level| level.estimate.depth);
    (deepest.stop.is_none(), depth)
}

/// The moves between consecutive positions.
fn numbers<G: BoardGame>(game: &G, positions: &[G::Node]) -> Vec<u32> {
    let number = |pair: &[G::Node]| {
        let mut moves = game.moves(&pair[0]).into_iter();
        moves.find(|(_, next)| *next == pair[1]).map(|(n, _)| n)
    };
    positions.windows(2).filter_map(number).collect()
}
