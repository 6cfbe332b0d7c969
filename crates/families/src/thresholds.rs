//! The value in families of sets, by asking which sets belong to it, many in each pass over the
//! graph.
//!
//! Problem: a value in families of sets of worlds is an antichain, and so is every value on the way
//! to it, each perhaps with thousands of sets. Their meets and joins take most of the time,
//! although the root's own value may be small.
//!
//! Idea: "does the set X belong to the value?" is "is the value at least {X}?", and {X} is
//! [join-prime](meetjoin_lattice::join_primes), so the question is answered at each node by a truth
//! value, and k questions at once by sets of k bits: a search by alpha-beta duo over sets of one or
//! eight machine words, which answers up to 512 of them.
//!
//! 1. The union of the value, by one search over sets of worlds: no other world matters. The union
//!    of each node bounds the answers there in all later passes.
//! 2. Is that union, as one set, the value? In games such as racing it nearly always is, and then
//!    that is all.
//! 3. Otherwise the border between what belongs and what does not is found by questions
//!    (`thresholds/dualize_and_advance.rs`), as many as possible in each pass. Threads find it
//!    together (`thresholds/common.rs`).
//!
//! Invariant: every answer is true of the root, so a stopped search has a lower bound from the sets
//! that belong, and an upper one from the union and the sets that do not.
//!
//! Cost: for p maximal sets of the value and m minimal sets outside it, over n worlds of the union,
//! at least p + m questions and, one at a time, at most (2 n + 1) (p + m); a pass answers up to
//! 512. Only the root's value is ever computed as an antichain. If m is large, another search is
//! better: m can be exponential in p.
//!
//! Needs: values in [`Families`]; any graph.
//!
//! Source: thresholds as homomorphisms: the errata chapter.

mod common;
mod dualize_and_advance;
mod fresh;
mod questions;
mod subset_index;

use std::cell::RefCell;
use std::sync::OnceLock;

use meetjoin_dag::{AndOrDag, Heuristic, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Families, Interval, Lattice, Relaxation, Stop, Unions, WorldSet,
};
use meetjoin_search::observer::Nodes;
use meetjoin_search::{Duo, Observer, Outcome, Relaxed, Store, Stores, driver};

use common::Common;
use dualize_and_advance::Border;
pub use questions::MOST;
pub(crate) use questions::{Caches, Game};

/// A value found by thresholds, with statistics of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByThresholds<E> {
    /// The value, or bounds.
    pub outcome: Outcome<E>,
    /// Finished searches of the graph by all threads: one for the union, and one for each batch of
    /// questions.
    pub passes: u64,
    /// Questions answered to all threads together.
    pub questions: u64,
    /// Whether the first question, for the union of the value as one set, was the last.
    pub first_decided: bool,
}

/// The value of the root in families of sets, by thresholds.
///
/// The caches come from `stores`: one for the union, one for passes of one machine word, and one
/// for those of eight. Each pass asks at most `at_once` questions, between 1 and 512; 512 is a good
/// choice.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_families::families_by_thresholds;
/// use meetjoin_lattice::{Budget, Families, Words};
/// use meetjoin_search::Tables;
///
/// let families = Families::<Words<1>>::of_worlds(3)?;
/// let won = |worlds: u64| families.principal(Words([worlds]));
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["x", "y"])?;
/// builder.leaf("x", won(0b011))?;
/// builder.leaf("y", won(0b110))?;
/// let problem = Problem::build(builder, "r", families.clone())?;
/// let budget = Budget::unlimited();
/// let solved = families_by_thresholds(&problem, &problem, &Tables, 512, &budget, &mut ());
/// let value = solved.outcome.exact().expect("no limit");
/// assert_eq!(value.maximal(), [Words([0b011]), Words([0b110])]);
/// assert!(!solved.first_decided);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn families_by_thresholds<D, B, V, S, O>(
    dag: &D,
    valuation: &V,
    stores: &S,
    at_once: usize,
    budget: &Budget,
    observer: &mut O,
) -> ByThresholds<Antichain<B>>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node>,
    O: Observer<D::Node, Antichain<B>>,
{
    let game = Game {
        dag,
        valuation,
        stores,
        duo: Duo::default(),
        budget,
    };
    let families = valuation.lattice();
    let unions = Unions::of(families, valuation.never_bottom());
    let mut store = stores.store::<Interval<B>>();
    let watch = &RefCell::new(observer);
    let union = Relaxed::new(dag, valuation, &unions, &mut store, Nodes::new(watch))
        .outcome(&dag.root(), budget);
    if union.stop.is_some() {
        let value = Interval::new(families.bottom(), unions.above(union.value.upper()));
        return ByThresholds {
            outcome: Outcome::of_full_window(value, union.stop),
            passes: 0,
            questions: 0,
            first_decided: false,
        };
    }
    if stores.threads() > 1 {
        store = own_copy(stores, &store, budget);
    }
    let mut relaxed = Relaxed::new(
        dag,
        valuation,
        &unions,
        &mut store,
        Nodes::for_bounds(watch),
    );
    let mut solved = by_border(
        &game,
        union.value.upper(),
        at_once,
        &mut relaxed,
        watch,
        |_| Ok(None),
    );
    solved.passes += 1;
    solved
}

/// Copies a shared cache to one of this thread's own, as far as there is room.
pub(crate) fn own_copy<N, T, S>(stores: &S, shared: &S::Store<T>, budget: &Budget) -> S::Store<T>
where
    T: Clone + Send + 'static,
    S: Stores<N>,
{
    let mut own = stores.own();
    shared.each(&mut |node, value| {
        let slot = own.get(node).0;
        let _ = own.put(slot, node, value.clone(), budget);
    });
    own
}

/// The value of a root whose union is known. After each pass of this thread, `otherwise` may find
/// the value in another way.
pub(crate) fn by_border<D, B, V, S, H, O>(
    game: &Game<'_, D, V, S>,
    union: &B,
    at_once: usize,
    unions: &mut H,
    observer: &RefCell<O>,
    mut otherwise: impl FnMut(&mut H) -> Result<Option<Antichain<B>>, Stop>,
) -> ByThresholds<Antichain<B>>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node>,
    H: Heuristic<D::Node, Families<B>>,
    O: Observer<D::Node, Antichain<B>>,
{
    let (families, budget) = (game.valuation.lattice(), game.budget);
    let common = game.stores.common::<OnceLock<Common<B>>>();
    let none = families.base().bottom();
    let threads = game.stores.threads();
    let common = common.get_or_init(|| Common::new(Border::new(union.clone(), none, threads)));
    let (most, mut caches) = (at_once.clamp(1, MOST), Caches::own());
    let mut of_this_thread = 0;
    let mut find = || {
        while let Some(batch) = common.next(most, budget)? {
            of_this_thread += 1;
            let answers = game.ask(&batch.sets, of_this_thread, &mut caches, unions, observer);
            let answers = answers.stop.map_or(Ok(answers.belonging), Err);
            common.bring(batch, answers, budget)?;
            if let Some(value) = otherwise(unions)? {
                return Ok(value);
            }
        }
        let sets: Vec<B> = common.found().border.belonging().cloned().collect();
        families.generated_by(sets, budget)
    };
    let value = find();
    let (is_found, found) = (value.is_ok(), common.found());
    let outcome = match value {
        Ok(value) => Outcome::of_full_window(Interval::Exact(value), None),
        Err(stop) => Outcome::of_full_window(bounds(families, union, &found.border), Some(stop)),
    };
    ByThresholds {
        outcome,
        passes: found.passes,
        questions: found.questions,
        first_decided: is_found && found.questions == 1,
    }
}

/// The bounds known when a search was stopped.
fn bounds<B: WorldSet>(
    families: &Families<B>,
    universe: &B,
    border: &Border<B>,
) -> Interval<Antichain<B>> {
    // The budget is spent, so this has a small one; what that stops is weaker, but true.
    let grace = driver::grace();
    let mut lower = families.bottom();
    for set in border.belonging() {
        let family = families.principal(set.clone());
        if families.join_assign(&mut lower, &family, &grace).is_err() {
            break;
        }
    }
    let mut upper = families.principal(universe.clone());
    for set in border.others() {
        let without = families.avoiding([set], &grace);
        let met = without.and_then(|without| families.meet_assign(&mut upper, &without, &grace));
        if met.is_err() {
            break;
        }
    }
    Interval::new(lower, upper)
}
