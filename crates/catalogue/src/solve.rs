//! The value of a game in one call, by the default engine for its lattice.
//!
//! Problem: which search is the default depends on the lattice: in families of sets, cheaper bounds
//! come first.
//!
//! Idea: the lattice chooses the search ([`Solvable`]), so only that one is compiled for a game.

use meetjoin_dag::{AndOrDag, Valuation, find_cycle};
use meetjoin_families::families::{Memory, solve_families};
use meetjoin_lattice::{
    AnyLattice, Bool, Budget, Chain, Distributive, DistributiveLattice, Divisors, Dual, ElemOf,
    Families, FreeLattice, Lattice, Licensed, Monotone, Powerset, Product, Stop, Total, WorldSet,
};
use meetjoin_search::{Duo, Env, Outcome, Table, Tables, Window, alpha_beta_duo};

/// A lattice whose games [`solve`] can solve. For a lattice of your own,
/// `impl Solvable for MyLattice {}` is enough.
pub trait Solvable: DistributiveLattice {
    /// The value of a game with values in this lattice, by the default engine without limits.
    ///
    /// # Panics
    /// Panics where a line of play that the search follows leads from a position back to itself.
    fn solve<G>(game: &G) -> Self::Elem
    where
        G: AndOrDag + Valuation<<G as AndOrDag>::Node, Lattice = Self>,
        Self: Sized,
    {
        let budget = Budget::unlimited();
        let mut env = Env::new(&budget).with_store(Table::new());
        let window = Window::full(game.lattice());
        value(game, &alpha_beta_duo(game, game, &window, &mut env))
    }
}

impl Solvable for Bool {}
impl Solvable for Divisors {}
impl Solvable for FreeLattice {}
impl Solvable for Monotone {}
impl<T> Solvable for Chain<T> where Self: DistributiveLattice {}
impl<B: WorldSet> Solvable for Powerset<B> {}
impl<L: Solvable> Solvable for Dual<L> {}
impl<L: Solvable> Solvable for Product<L> {}
impl<A: Solvable, B: Solvable> Solvable for (A, B) {}
impl<L: Solvable, const K: usize> Solvable for [L; K] {}
impl<L: Lattice> Solvable for Distributive<L> {}
impl<L: Lattice> Solvable for Total<L> {}
impl Solvable for Licensed<AnyLattice> {}

/// Cheaper bounds first: [`solve_families`].
impl<B: WorldSet> Solvable for Families<B> {
    fn solve<G>(game: &G) -> Self::Elem
    where
        G: AndOrDag + Valuation<<G as AndOrDag>::Node, Lattice = Self>,
    {
        let (budget, mut memory) = (Budget::unlimited(), Memory::new(&Tables));
        let duo = Duo::DEFAULT;
        let outcome = solve_families(game, game, &mut memory, &Tables, duo, &budget, &mut ());
        value(game, &outcome)
    }
}

/// The value of a game, by the default engine without limits.
///
/// `game` is the graph and the values of its leaves in one.
///
/// # Panics
/// Panics where a line of play that the search follows leads from a position back to itself, and
/// names the positions. Depth-first searches called directly return [`Stop::Cycle`] instead.
/// `sss_2`, `sss_2_dual`, `sss_star` and `sss_star_dual` of
/// [`total_order`](meetjoin_search::total_order) do not detect cycles, with or without a cache:
/// without a limit they run for ever. Proof searches do not detect them either, and guarantee
/// nothing then.
///
/// No search checks that only leaves have no children, or that each leaf's value is an element of
/// the lattice; [`check_rules`](meetjoin_dag::check_rules) does, in a test of the rules.
pub fn solve<G>(game: &G) -> ElemOf<G::Lattice>
where
    G: AndOrDag + Valuation<<G as AndOrDag>::Node>,
    G::Lattice: Solvable,
{
    G::Lattice::solve(game)
}

/// The most positions of a cycle that are named.
const NAMED: usize = 8;

/// The value that a search without limits has found.
fn value<G: AndOrDag, E: Clone>(game: &G, outcome: &Outcome<E>) -> E {
    if outcome.stop == Some(Stop::Cycle) {
        let cycle = find_cycle(game, &Budget::unlimited()).ok().flatten();
        let cycle = cycle.unwrap_or_default();
        let named = &cycle[..cycle.len().min(NAMED)];
        let more = if cycle.len() > NAMED { ", ..." } else { "" };
        panic!(
            "the rules lead from a position back to itself, over {} positions: {named:?}{more}",
            cycle.len()
        );
    }
    outcome.value.lower().clone()
}
