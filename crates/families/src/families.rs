//! The default in families of sets: cheaper questions first, each by alpha-beta duo over the
//! cheapest lattice that can answer it.
//!
//! Problem: values in families of sets are antichains, and bounds of them are larger antichains.
//! Over such values alpha-beta spends its time in lattice operations, and loses to minimax with a
//! cache, although it visits less.
//!
//! Idea: in this order,
//! 1. the union of the value, by a search over sets ([`Relaxed`]); no other world matters, and with
//!    at most one world it is the value;
//! 2. with at most [`WORLDS`] worlds left, which of all their subsets belong: a family is then a
//!    set of at most 512 bits, meet is "and", join is "or", and one pass finds it;
//! 3. does the union belong, as one set? Then it is the value. In games such as racing it nearly
//!    always is;
//! 4. the families themselves, with the union of each node as its upper bound, which also says
//!    which child to visit first;
//! 5. with at most [`FEW`] worlds left, in turns with that the border between what belongs and what
//!    does not ([`thresholds`]).
//!
//! Invariant: each step leaves true bounds of the root, which a stopped search returns.
//!
//! Cost: the steps before the last are searches over machine words, or over sets. In the last, see
//! [`alpha_beta_duo()`](meetjoin_search::alpha_beta_duo()).
//!
//! Needs: values in [`Families`]; any graph.
//!
//! Source: unions and thresholds as homomorphisms: the theory chapter.

use std::cell::RefCell;

use meetjoin_dag::{AndOrDag, Heuristic, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Families, Interval, Lattice, Relaxation, Stop, Unions, WorldSet,
};
use meetjoin_search::driver::{self, Kept, enter};
use meetjoin_search::observer::Nodes;
use meetjoin_search::{
    Duo, Entries, Env, Observer, Outcome, Relaxed, Store, Stores, Window, alpha_beta_duo_as,
};

use crate::thresholds::{self, Caches, Game, own_copy};

/// The most worlds for which one search asks for all subsets.
pub const WORLDS: usize = 9;
/// The most worlds for which the border is searched. With hundreds of worlds, it is far too large.
pub const FEW: usize = 64;

/// The caches of a search in families. Entries stay true for other roots of the same graph.
#[derive(Debug)]
pub struct Memory<N, B: WorldSet, S: Stores<N>> {
    unions: S::Store<Interval<B>>,
    families: S::Store<Interval<Antichain<B>>>,
}

impl<N, B: WorldSet, S: Stores<N>> Memory<N, B, S> {
    /// Empty caches.
    pub fn new(stores: &S) -> Self {
        Self {
            unions: stores.store(),
            families: stores.store(),
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.unions.len() + self.families.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Stores a true lower and upper bound of a node, unless it has an entry.
    ///
    /// # Errors
    /// [`Stop::Memory`] when the cache may not grow.
    pub fn remember(
        &mut self,
        node: &N,
        bounds: (Antichain<B>, Antichain<B>),
        budget: &Budget,
    ) -> Result<(), Stop> {
        enter(&mut self.families, node, bounds, budget)
    }
}

/// Unions are not shown: they are found again quickly.
impl<N, B: WorldSet, S: Stores<N>> Entries<N, Antichain<B>> for Memory<N, B, S> {
    fn each(&self, see: &mut dyn FnMut(&N, &Antichain<B>, &Antichain<B>)) {
        Kept::<_, Interval<Antichain<B>>>::new(&self.families).each(see);
    }
}

/// The value of the root in families of sets. See the [module page](self).
///
/// `memory` may come from a search from another root of the same graph; `stores` makes the caches
/// for this search alone; `duo` has the parts of all its searches.
pub fn solve_families<D, B, V, S, O>(
    dag: &D,
    valuation: &V,
    memory: &mut Memory<D::Node, B, S>,
    stores: &S,
    duo: Duo,
    budget: &Budget,
    observer: &mut O,
) -> Outcome<Antichain<B>>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node>,
    O: Observer<D::Node, Antichain<B>>,
{
    let families = valuation.lattice();
    let game = Game {
        dag,
        valuation,
        stores,
        duo,
        budget,
    };
    let unions = Unions::of(families, valuation.never_bottom());
    let watch = &RefCell::new(observer);
    let store = &mut memory.unions;
    let union = Relaxed::new(dag, valuation, &unions, store, Nodes::new(watch))
        .with_parts(duo)
        .outcome(&dag.root(), budget);
    let (least, most) = (union.value.lower(), union.value.upper());
    let known = Interval::new(unions.below(least), unions.above(most));
    if union.stop.is_some() || known.exact().is_some() {
        return Outcome::of_full_window(known, union.stop);
    }
    let worlds = most.count();
    let bounds = |store| {
        Relaxed::new(dag, valuation, &unions, store, Nodes::for_bounds(watch)).with_parts(duo)
    };
    if worlds <= WORLDS {
        return all_at_once(&game, most, &mut bounds(&mut memory.unions), watch);
    }
    if worlds <= FEW {
        let mut own = (stores.threads() > 1).then(|| own_copy(stores, &memory.unions, budget));
        let store = own.as_mut().unwrap_or(&mut memory.unions);
        return by_turns(&game, most, &mut bounds(store), &mut memory.families, watch);
    }
    let mut relaxed = bounds(&mut memory.unions);
    let (union, mut caches) = (std::slice::from_ref(most), Caches::shared());
    let asked = game.ask(union, 0, &mut caches, &mut relaxed, watch);
    match (asked.belonging[0], asked.stop) {
        (true, _) => Outcome::of_full_window(Interval::Exact(known.upper().clone()), None),
        (_, Some(_)) => Outcome::of_full_window(known, asked.stop),
        _ => by_bounds(&game, &mut relaxed, &mut memory.families, watch),
    }
}

/// The value of a root whose union is at most nine worlds, by asking which of all their subsets
/// belong to it.
fn all_at_once<D, B, V, S, H, O>(
    game: &Game<'_, D, V, S>,
    universe: &B,
    unions: &mut H,
    observer: &RefCell<O>,
) -> Outcome<Antichain<B>>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node>,
    H: Heuristic<D::Node, Families<B>>,
    O: Observer<D::Node, Antichain<B>>,
{
    let families = game.valuation.lattice();
    let worlds: Vec<usize> = universe.ones().collect();
    // Subset i has the worlds that are the binary digits of i.
    let subset = |i: usize| {
        let mut set = families.base().bottom();
        let digits = worlds
            .iter()
            .enumerate()
            .filter(|(digit, _)| i >> digit & 1 == 1);
        digits.for_each(|(_, world)| set.insert(*world));
        set
    };
    let subsets: Vec<B> = (0..1 << worlds.len()).map(subset).collect();
    let answers = game.ask(&subsets, 0, &mut Caches::shared(), unions, observer);
    let family = |members: &[bool]| {
        let larger = |i: usize| (0..worlds.len()).any(|d| i >> d & 1 == 0 && members[i | 1 << d]);
        let maximal = (0..members.len()).filter(|i| members[*i] && !larger(*i));
        families.generated_by(maximal.map(|i| subsets[i].clone()), &Budget::unlimited())
    };
    match (family(&answers.belonging), family(&answers.possible)) {
        (Ok(lower), Ok(upper)) => {
            Outcome::of_full_window(Interval::new(lower, upper), answers.stop)
        }
        _ => unreachable!("there is no limit"),
    }
}

/// The steps of the first turn of the search by bounds: some thousand visits.
const FIRST_TURN: u64 = 1 << 16;
/// The steps that a visit counts as.
const VISIT: u64 = 16;

/// The value of a root by a portfolio of two searches in turns: by the border, and by bounds. Which
/// is better is not known beforehand: the border can be exponentially larger than the value, and
/// values of inner nodes can be far larger than both. The turns of the search by bounds grow, and
/// together get about half of the time of the border, so that neither search is delayed for long.
fn by_turns<D, B, V, S, H, F, O>(
    game: &Game<'_, D, V, S>,
    union: &B,
    unions: &mut H,
    store: &mut F,
    observer: &RefCell<O>,
) -> Outcome<Antichain<B>>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node>,
    H: Heuristic<D::Node, Families<B>>,
    F: Store<D::Node, Interval<Antichain<B>>>,
    O: Observer<D::Node, Antichain<B>>,
{
    let cost = |budget: &Budget| VISIT * budget.visits_made() + budget.steps_made();
    let (begun, mut of_bounds, mut known) = (cost(game.budget), 0, None);
    let otherwise = |unions: &mut H| {
        let of_border = cost(game.budget) - begun - of_bounds;
        if of_border < 4 * of_bounds {
            return Ok(None);
        }
        let turn = FIRST_TURN.max(of_border / 2);
        let part = game.budget.part(turn / VISIT, turn);
        let in_part = Game {
            budget: &part,
            ..*game
        };
        let outcome = by_bounds(&in_part, unions, &mut *store, observer);
        of_bounds += cost(&part);
        let spent = game.budget.spend(&part);
        let value = outcome.exact().cloned();
        known = Some(outcome.value);
        spent.map(|()| value)
    };
    let outcome =
        thresholds::by_border(game, union, thresholds::MOST, unions, observer, otherwise).outcome;
    match (outcome.stop, known) {
        (Some(stop), Some(known)) => {
            let both = both_bounds(game.valuation.lattice(), &outcome.value, &known);
            Outcome::of_full_window(both, Some(stop))
        }
        _ => outcome,
    }
}

/// Combines what two stopped searches know of one value.
fn both_bounds<B: WorldSet>(
    families: &Families<B>,
    one: &Interval<Antichain<B>>,
    other: &Interval<Antichain<B>>,
) -> Interval<Antichain<B>> {
    // The budget is spent, so this has a small one; what that stops is weaker, but true.
    let grace = driver::grace();
    let (mut lower, mut upper) = (one.lower().clone(), one.upper().clone());
    let _ = families.join_assign(&mut lower, other.lower(), &grace);
    let _ = families.meet_assign(&mut upper, other.upper(), &grace);
    Interval::new(lower, upper)
}

/// The value of a root by a search in families that is bounded by unions at each node.
fn by_bounds<D, B, V, S, H, F, O>(
    game: &Game<'_, D, V, S>,
    unions: H,
    store: &mut F,
    observer: &RefCell<O>,
) -> Outcome<Antichain<B>>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: Heuristic<D::Node, Families<B>>,
    F: Store<D::Node, Interval<Antichain<B>>>,
    O: Observer<D::Node, Antichain<B>>,
{
    let window = Window::full(game.valuation.lattice());
    let env = Env::new(game.budget)
        .with_store(store)
        .with_heuristic(unions);
    let mut env = env.with_observer(observer);
    alpha_beta_duo_as(game.dag, game.valuation, &window, game.duo, &mut env)
}
