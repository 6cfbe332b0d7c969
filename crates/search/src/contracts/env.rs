//! The environment of a search: store, heuristic, observer, order and budget.

use meetjoin_dag::Heuristic;
use meetjoin_lattice::{Budget, Lattice};

use crate::contracts::order::Lent;
use crate::{Observer, Order};

/// The environment of a search. Each part is a value of its own kind; `()` stands for "none"
/// everywhere and costs nothing.
///
/// | part | says | none |
/// |---|---|---|
/// | `store` | what was found before ([`Store`](crate::Store)) | no cache |
/// | `heuristic` | bounds known without search ([`Heuristic`]) | bottom to top |
/// | `observer` | what to do at each event ([`Observer`]) | nothing |
/// | `order` | the order of children ([`Order`]) | as the graph lists them |
/// | `budget` | when to stop | [`Budget::unlimited`] |
///
/// Stores, heuristics and observers may be borrowed: their traits are also implemented for
/// `&mut T`; and for [`Option`], where `None` stands for `()`. A heuristic or an observer behind a
/// `&RefCell` serves a search and others inside it. A store to keep for the next search, and
/// counters to read afterwards, are fields of the environment.
///
/// ```
/// use meetjoin_lattice::Budget;
/// use meetjoin_search::{Counts, Env, Table};
///
/// let budget = Budget::visits_at_most(1_000_000);
/// let env = Env::new(&budget)
///     .with_store(Table::<u64, bool>::new())
///     .with_observer(Counts::default());
/// assert_eq!(env.observer.visits, 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Env<'a, S = (), H = (), O = (), R = ()> {
    /// The limits, shared with lattice operations and nested searches.
    pub budget: &'a Budget,
    /// The cache.
    pub store: S,
    /// Bounds known without search.
    pub heuristic: H,
    /// Notified of every event.
    pub observer: O,
    /// Arranges children before they are visited.
    pub order: R,
}

/// The environment of a search of nodes `N` with values in `L`: an [`Env`] whose parts fit. Each
/// search states what its store must be.
pub trait Tools<N, L: Lattice> {
    /// The cache.
    type Store;
    /// Bounds known without search.
    type Heuristic: Heuristic<N, L>;
    /// Notified of every event.
    type Observer: Observer<N, L::Elem>;
    /// Arranges children before they are visited.
    type Order: Order<N>;

    /// All parts at once.
    #[allow(clippy::type_complexity)] // four parts
    fn lend(
        &mut self,
    ) -> Env<'_, &mut Self::Store, &mut Self::Heuristic, &mut Self::Observer, Lent<'_, Self::Order>>;
}

impl<N, L, S, H, O, R> Tools<N, L> for Env<'_, S, H, O, R>
where
    L: Lattice,
    H: Heuristic<N, L>,
    O: Observer<N, L::Elem>,
    R: Order<N>,
{
    type Store = S;
    type Heuristic = H;
    type Observer = O;
    type Order = R;

    #[inline]
    fn lend(&mut self) -> Env<'_, &mut S, &mut H, &mut O, Lent<'_, R>> {
        Env {
            budget: self.budget,
            store: &mut self.store,
            heuristic: &mut self.heuristic,
            observer: &mut self.observer,
            order: Lent(&mut self.order),
        }
    }
}

impl<'a> Env<'a> {
    /// An environment with a budget and nothing else.
    pub fn new(budget: &'a Budget) -> Self {
        Env {
            budget,
            store: (),
            heuristic: (),
            observer: (),
            order: (),
        }
    }
}

impl<'a, S, H, O, R> Env<'a, S, H, O, R> {
    /// Replaces the store.
    pub fn with_store<T>(self, store: T) -> Env<'a, T, H, O, R> {
        let Self {
            budget,
            heuristic,
            observer,
            order,
            ..
        } = self;
        Env {
            budget,
            store,
            heuristic,
            observer,
            order,
        }
    }

    /// Replaces the heuristic.
    pub fn with_heuristic<T>(self, heuristic: T) -> Env<'a, S, T, O, R> {
        let Self {
            budget,
            store,
            observer,
            order,
            ..
        } = self;
        Env {
            budget,
            store,
            heuristic,
            observer,
            order,
        }
    }

    /// Replaces the observer.
    pub fn with_observer<T>(self, observer: T) -> Env<'a, S, H, T, R> {
        let Self {
            budget,
            store,
            heuristic,
            order,
            ..
        } = self;
        Env {
            budget,
            store,
            heuristic,
            observer,
            order,
        }
    }

    /// Replaces the order of children.
    pub fn with_order<T>(self, order: T) -> Env<'a, S, H, O, T> {
        let Self {
            budget,
            store,
            heuristic,
            observer,
            ..
        } = self;
        Env {
            budget,
            store,
            heuristic,
            observer,
            order,
        }
    }
}
