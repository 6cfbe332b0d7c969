//! The table of algorithms: one list that drives the command line, its messages, and the documentation.

/// What an algorithm demands of the lattice. Each demand includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Needs {
    /// Any [`Lattice`](meetjoin_lattice::Lattice).
    Lattice,
    /// A [`DistributiveLattice`](meetjoin_lattice::DistributiveLattice).
    Distributive,
    /// A [`TotalOrder`](meetjoin_lattice::TotalOrder).
    TotalOrder,
    /// [`JoinPrimes`](meetjoin_lattice::JoinPrimes) that the algorithm can go through: [`PROOFS`] says which.
    JoinPrimes,
}

impl Needs {
    /// The name of the trait.
    pub fn trait_name(self) -> &'static str {
        match self {
            Self::Lattice => "Lattice",
            Self::Distributive => "DistributiveLattice",
            Self::TotalOrder => "TotalOrder",
            Self::JoinPrimes => "JoinPrimes",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// How the command line calls it.
    pub id: &'static str,
    /// How the literature calls it.
    pub name: &'static str,
    /// What the lattice must be.
    pub needs: Needs,
    /// What it remembers.
    pub memory: &'static str,
    /// Whether it uses the bounds of inner nodes that a problem brings along.
    pub uses_bounds: bool,
    /// Where it comes from.
    pub source: &'static str,
}

impl Algorithm {
    /// Whether it remembers the nodes it has left. One that does not may visit far more often than there is memory to count nodes with.
    pub fn has_cache(&self) -> bool {
        self.memory.contains("a node")
    }
}

/// The algorithm that is used unless another is asked for.
pub const DEFAULT: &str = "alpha-beta-duo";

/// Every algorithm that backs values up, or intervals.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        id: "minimax",
        name: "minimax",
        needs: Needs::Lattice,
        memory: "depth",
        uses_bounds: false,
        source: "Li et al. 2022, section 3 (the definition)",
    },
    Algorithm {
        id: "minimax-cached",
        name: "minimax with cache (MMC)",
        needs: Needs::Lattice,
        memory: "one value a node",
        uses_bounds: false,
        source: "Li et al. 2022, section 6",
    },
    Algorithm {
        id: "shallow",
        name: "shallow pruning",
        needs: Needs::Lattice,
        memory: "depth",
        uses_bounds: false,
        source: "Ginsberg and Jaffray 2002",
    },
    Algorithm {
        id: "deep",
        name: "deep pruning",
        needs: Needs::Distributive,
        memory: "depth",
        uses_bounds: false,
        source: "Ginsberg and Jaffray 2002",
    },
    Algorithm {
        id: "couwenberg",
        name: "Couwenberg's simple rule",
        needs: Needs::Distributive,
        memory: "depth",
        uses_bounds: false,
        source: "Couwenberg 2011, part 3",
    },
    Algorithm {
        id: "strong",
        name: "Couwenberg's strong rule",
        needs: Needs::Distributive,
        memory: "depth",
        uses_bounds: false,
        source: "Couwenberg 2011, part 3, strong version",
    },
    Algorithm {
        id: "alpha-beta",
        name: "alpha-beta (AB)",
        needs: Needs::Distributive,
        memory: "depth",
        uses_bounds: true,
        source: "Li et al. 2022, Algorithm 1",
    },
    Algorithm {
        id: "alpha-beta-cached",
        name: "alpha-beta with cache (ABC)",
        needs: Needs::Distributive,
        memory: "one value a node without cuts",
        uses_bounds: true,
        source: "Li et al. 2022, section 6",
    },
    Algorithm {
        id: "alpha-beta-duo",
        name: "alpha-beta duo (default)",
        needs: Needs::Distributive,
        memory: "two values a node",
        uses_bounds: true,
        source: "Li et al. 2022, Algorithm 2, and what proved to help",
    },
    Algorithm {
        id: "alpha-beta-duo-published",
        name: "alpha-beta duo (ABD)",
        needs: Needs::Distributive,
        memory: "two values a node",
        uses_bounds: true,
        source: "Li et al. 2022, Algorithm 2, refined as in section 6",
    },
    Algorithm {
        id: "alpha-beta-duo-plain",
        name: "alpha-beta duo, plain",
        needs: Needs::Distributive,
        memory: "two values a node",
        uses_bounds: true,
        source: "Li et al. 2022, Algorithm 2 as printed",
    },
    Algorithm {
        id: "scout",
        name: "SCOUT",
        needs: Needs::TotalOrder,
        memory: "depth",
        uses_bounds: false,
        source: "Pearl 1980; Hsu's slides",
    },
    Algorithm {
        id: "scout-cached",
        name: "SCOUT with cache",
        needs: Needs::TotalOrder,
        memory: "two values a node",
        uses_bounds: false,
        source: "the same, with a cache of intervals",
    },
    Algorithm {
        id: "alpha-beta-informed",
        name: "informed alpha-beta",
        needs: Needs::TotalOrder,
        memory: "depth",
        uses_bounds: true,
        source: "Pijls and de Bruin, Figure 3",
    },
    Algorithm {
        id: "alpha-beta-informed-cached",
        name: "informed alpha-beta with cache",
        needs: Needs::TotalOrder,
        memory: "two values a node",
        uses_bounds: true,
        source: "the same, with a cache of intervals",
    },
    Algorithm {
        id: "nega-scout",
        name: "NegaScout",
        needs: Needs::TotalOrder,
        memory: "depth",
        uses_bounds: false,
        source: "Reinefeld 1983; Hsu's slides, F4",
    },
    Algorithm {
        id: "nega-scout-cached",
        name: "NegaScout with cache",
        needs: Needs::TotalOrder,
        memory: "two values a node",
        uses_bounds: false,
        source: "the same, with a cache of intervals",
    },
    Algorithm {
        id: "mtd-f",
        name: "MTD(f) from above, as SSS*",
        needs: Needs::TotalOrder,
        memory: "two values a node",
        uses_bounds: false,
        source: "Plaat, Schaeffer, Pijls, de Bruin 1996",
    },
    Algorithm {
        id: "mtd-f-dual",
        name: "MTD(f) from below, as DUAL*",
        needs: Needs::TotalOrder,
        memory: "two values a node",
        uses_bounds: false,
        source: "Plaat, Schaeffer, Pijls, de Bruin 1996",
    },
    Algorithm {
        id: "sss-2",
        name: "SSS-2",
        needs: Needs::TotalOrder,
        memory: "a solution tree",
        uses_bounds: true,
        source: "Pijls and de Bruin, Figures 4 to 6",
    },
    Algorithm {
        id: "sss-2-cached",
        name: "SSS-2 with cache",
        needs: Needs::TotalOrder,
        memory: "a solution tree and two values a node",
        uses_bounds: true,
        source: "the same, with a cache of intervals",
    },
    Algorithm {
        id: "sss-2-dual",
        name: "the dual of SSS-2",
        needs: Needs::TotalOrder,
        memory: "a solution tree",
        uses_bounds: true,
        source: "Pijls and de Bruin, for the other player",
    },
    Algorithm {
        id: "sss-star",
        name: "SSS* as a list of tips",
        needs: Needs::TotalOrder,
        memory: "a list of tips",
        uses_bounds: true,
        source: "Pijls and de Bruin, Figure 8; Stockman 1979",
    },
    Algorithm {
        id: "sss-star-dual",
        name: "DUAL* as a list of tips",
        needs: Needs::TotalOrder,
        memory: "a list of tips",
        uses_bounds: true,
        source: "the same, for the other player",
    },
];

/// Those that find a value by claims "at least t": `proof-number` and `df-pn` in chains of integers and in sets, `thresholds` in families of sets.
pub const PROOFS: &[Algorithm] = &[
    Algorithm {
        id: "proof-number",
        name: "proof-number search",
        needs: Needs::JoinPrimes,
        memory: "a record a node",
        uses_bounds: true,
        source: "Allis, van der Meulen, van den Herik 1994; Hsu's slides",
    },
    Algorithm {
        id: "df-pn",
        name: "depth-first proof-number search (df-pn)",
        needs: Needs::JoinPrimes,
        memory: "two numbers a node, bounded",
        uses_bounds: true,
        source: "Nagai 2002; Pawlewicz and Lew 2007",
    },
    Algorithm {
        id: "thresholds",
        name: "up to 512 thresholds at once",
        needs: Needs::JoinPrimes,
        memory: "two values a node",
        uses_bounds: false,
        source: "this library; Gunopulos et al. 1997",
    },
];

/// All algorithms.
pub fn all() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().chain(PROOFS)
}

/// The algorithm with this id.
pub fn algorithm(id: &str) -> Option<&'static Algorithm> {
    all().find(|algorithm| algorithm.id == id)
}
