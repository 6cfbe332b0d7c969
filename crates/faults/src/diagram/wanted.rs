//! Which of the sets of a fault tree are asked for.

/// Which sets are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sets {
    /// Minimal sets of events whose occurrence can make the top true. Where there are negations,
    /// the events that must not occur are left out (minimal p-cuts).
    #[default]
    Cuts,
    /// Minimal sets of events whose absence can make the top false: the cuts of the dual.
    Paths,
    /// Minimal sets of events and of negated events that make the top true.
    PrimeImplicants,
}

/// Which of the sets are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Only {
    /// All of them.
    All,
    /// Those of at most so many members.
    Order(u32),
    /// Those that are at least so probable.
    Probability(f64),
}
