//! Algorithms as values, and the table of them: one list that drives the command line, its
//! messages, and the documentation.
//!
//! A [`Method`] is a search technique with its options. A row of the table ([`Algorithm`]) is a
//! method with a name: with or without a cache, with or without the bounds of inner nodes that a
//! problem states. The method determines what the lattice must be;
//! [`engine`](crate::engine) runs it. Other combinations of parts are algorithms as
//! well, and need no row in the table.

use meetjoin_search::Duo;
use meetjoin_search::pruning::Rule;

/// A search technique with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Evaluates every node.
    Minimax,
    /// Minimax that prunes by a rule.
    Prune(Rule),
    /// Algorithm 1 of Li et al. (2022).
    AlphaBeta,
    /// Algorithm 2 of Li et al. (2022), with refinements.
    Duo(Parts),
    /// A depth-first search of a total order.
    Window(Windows),
    /// SSS-2, with a solution tree.
    SolutionTree(Direction),
    /// SSS*, with the tips of a solution tree.
    Tips(Direction),
    /// A proof search for one claim "at least t" after the other.
    Proofs(Proofs),
    /// Claims that sets belong to a family, many in each search.
    Thresholds,
}

/// The parts of alpha-beta duo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The parts of each search.
    pub duo: Duo,
    /// Whether cheaper bounds come first, if there are any: the union in families of sets
    /// ([`solve_families`](meetjoin_families::solve_families)), or bounds from the rules of a
    /// game.
    pub bounds: bool,
    /// Whether null windows bisect the range of values, in chains where that pays
    /// ([`duo_bi`](meetjoin_search::total_order::duo_bi())).
    pub halving: bool,
}

impl Parts {
    /// The default of the command line.
    pub const DEFAULT: Self = Self {
        duo: Duo::DEFAULT,
        bounds: true,
        halving: true,
    };
    /// As in the paper's experiments.
    pub const PUBLISHED: Self = Self {
        duo: Duo::PUBLISHED,
        bounds: false,
        halving: false,
    };
    /// Algorithm 2 as printed.
    pub const PLAIN: Self = Self {
        duo: Duo::PLAIN,
        bounds: false,
        halving: false,
    };

    /// These parts, with one of them used or left out.
    #[must_use]
    pub const fn with(mut self, part: Part, is_used: bool) -> Self {
        *match part {
            Part::Bounds => &mut self.bounds,
            Part::Look => &mut self.duo.look,
            Part::Order => &mut self.duo.order,
            Part::SharedOnly => &mut self.duo.shared_only,
            Part::Narrow => &mut self.duo.narrow,
            Part::Halving => &mut self.halving,
        } = is_used;
        self
    }
}

/// One of the [`Parts`].
#[allow(missing_docs)] // they are named as the fields are
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Bounds,
    Look,
    Order,
    SharedOnly,
    Narrow,
    Halving,
}

/// Every part with its name on the command line, and a line about it.
pub const PARTS: &[(Part, &str, &str)] = &[
    (
        Part::Bounds,
        "bounds",
        "Bounds from a simpler problem: the union of a family of sets, perfect information in racing",
    ),
    (
        Part::Look,
        "look",
        "Reading the known intervals of all children before visiting one",
    ),
    (
        Part::Order,
        "order",
        "Visiting the child with the best bound first",
    ),
    (
        Part::SharedOnly,
        "shared-only",
        "Caching only nodes that can be reached in more than one way",
    ),
    (
        Part::Narrow,
        "narrow",
        "Shortening bounds to what the window needs",
    ),
    (
        Part::Halving,
        "halving",
        "Null windows that halve the remaining interval, in chains where that pays",
    ),
];

/// The windows of a depth-first search of a total order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Windows {
    /// Alpha-beta with the bounds of nodes.
    AlphaBeta,
    /// SCOUT.
    Scout,
    /// NegaScout.
    NegaScout,
    /// MTD(f).
    MtdF(Direction),
    /// MTD(bi), also called C*.
    MtdBi,
}

/// The side from which a search approaches the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// By ever smaller upper bounds.
    Above,
    /// By ever greater lower bounds: the dual.
    Below,
}

/// A proof search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proofs {
    /// Proof-number search.
    BestFirst,
    /// df-pn.
    DepthFirst,
}

/// The lattices an algorithm needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Needs {
    /// Any [`Lattice`](meetjoin_lattice::Lattice).
    Lattice,
    /// A [`DistributiveLattice`](meetjoin_lattice::DistributiveLattice).
    Distributive,
    /// A [`TotalOrder`](meetjoin_lattice::TotalOrder), which is distributive.
    TotalOrder,
    /// [`JoinPrimes`](meetjoin_lattice::JoinPrimes) that the algorithm can enumerate: those of
    /// integers and sets, or of families of sets.
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

    /// Returns whether a lattice that is `known` to be this meets the need.
    pub fn met_by(self, known: Self) -> bool {
        match self {
            Self::Lattice => true,
            Self::Distributive => matches!(known, Self::Distributive | Self::TotalOrder),
            Self::TotalOrder | Self::JoinPrimes => known == self,
        }
    }
}

impl Method {
    /// The lattices it needs.
    pub fn needs(self) -> Needs {
        match self {
            Self::Minimax | Self::Prune(Rule::Shallow) => Needs::Lattice,
            Self::Prune(Rule::Deep | Rule::Couwenberg | Rule::Strong)
            | Self::AlphaBeta
            | Self::Duo(_) => Needs::Distributive,
            Self::Window(_) | Self::SolutionTree(_) | Self::Tips(_) => Needs::TotalOrder,
            Self::Proofs(_) | Self::Thresholds => Needs::JoinPrimes,
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// Its name on the command line.
    pub id: &'static str,
    /// Its name in the literature.
    pub name: &'static str,
    /// The technique.
    pub method: Method,
    /// Whether it has a cache, if that is optional.
    pub cache: bool,
    /// Whether it uses the bounds of inner nodes that a problem states.
    pub bounds: bool,
    /// The source.
    pub source: &'static str,
}

impl Algorithm {
    /// The lattices it needs.
    pub fn needs(&self) -> Needs {
        self.method.needs()
    }

    /// Returns whether it remembers the nodes it has left. If not, it may make too many visits for
    /// [`Visited`](meetjoin_search::Visited) to hold.
    pub fn remembers_nodes(&self) -> bool {
        self.cache || matches!(self.method, Method::Proofs(_) | Method::Thresholds)
    }

    /// Returns whether threads with a shared cache can work on one search together.
    pub fn runs_on_threads(&self) -> bool {
        match self.method {
            Method::Duo(_) | Method::Thresholds => true,
            // SCOUT and NegaScout visit a child twice in a row.
            Method::Minimax
            | Method::Window(Windows::AlphaBeta | Windows::MtdF(_) | Windows::MtdBi) => self.cache,
            Method::Prune(_)
            | Method::AlphaBeta
            | Method::Window(Windows::Scout | Windows::NegaScout)
            | Method::SolutionTree(_)
            | Method::Tips(_)
            | Method::Proofs(_) => false,
        }
    }

    /// A description of what it remembers.
    pub fn memory(&self) -> &'static str {
        match (self.method, self.cache) {
            (Method::Minimax, true) => "one value a node",
            (Method::AlphaBeta, true) => "one value a node without cuts",
            (Method::SolutionTree(_), true) => "a solution tree and two values a node",
            (Method::SolutionTree(_), false) => "a solution tree",
            (Method::Tips(_), _) => "a list of tips",
            (Method::Proofs(Proofs::BestFirst), _) => "a record a node",
            (Method::Proofs(Proofs::DepthFirst), _) => "two numbers a node, bounded",
            (Method::Thresholds, _) | (Method::Duo(_) | Method::Window(_), true) => {
                "two values a node"
            }
            (
                Method::Minimax
                | Method::Prune(_)
                | Method::AlphaBeta
                | Method::Duo(_)
                | Method::Window(_),
                _,
            ) => "depth",
        }
    }
}

/// The default algorithm.
pub const DEFAULT: Algorithm = Algorithm {
    id: "alpha-beta-duo",
    name: "alpha-beta duo (default)",
    method: Method::Duo(Parts::DEFAULT),
    cache: true,
    bounds: true,
    source: "Li et al. 2022, Algorithm 2, and what proved to help",
};

/// Every algorithm.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        id: "minimax",
        name: "minimax",
        method: Method::Minimax,
        cache: false,
        bounds: false,
        source: "Li et al. 2022, section 3 (the definition)",
    },
    Algorithm {
        id: "minimax-cached",
        name: "minimax with cache (MMC)",
        method: Method::Minimax,
        cache: true,
        bounds: false,
        source: "Li et al. 2022, section 6",
    },
    Algorithm {
        id: "shallow",
        name: "shallow pruning",
        method: Method::Prune(Rule::Shallow),
        cache: false,
        bounds: false,
        source: "Ginsberg and Jaffray 2002",
    },
    Algorithm {
        id: "deep",
        name: "deep pruning",
        method: Method::Prune(Rule::Deep),
        cache: false,
        bounds: false,
        source: "Ginsberg and Jaffray 2002",
    },
    Algorithm {
        id: "couwenberg",
        name: "Couwenberg's simple rule",
        method: Method::Prune(Rule::Couwenberg),
        cache: false,
        bounds: false,
        source: "Couwenberg 2011, part 3",
    },
    Algorithm {
        id: "strong",
        name: "Couwenberg's strong rule",
        method: Method::Prune(Rule::Strong),
        cache: false,
        bounds: false,
        source: "Couwenberg 2011, part 3, strong version",
    },
    Algorithm {
        id: "alpha-beta",
        name: "alpha-beta (AB)",
        method: Method::AlphaBeta,
        cache: false,
        bounds: true,
        source: "Li et al. 2022, Algorithm 1",
    },
    Algorithm {
        id: "alpha-beta-cached",
        name: "alpha-beta with cache (ABC)",
        method: Method::AlphaBeta,
        cache: true,
        bounds: true,
        source: "Li et al. 2022, section 6",
    },
    DEFAULT,
    Algorithm {
        id: "alpha-beta-duo-published",
        name: "alpha-beta duo (ABD)",
        method: Method::Duo(Parts::PUBLISHED),
        cache: true,
        bounds: true,
        source: "Li et al. 2022, Algorithm 2, refined as in section 6",
    },
    Algorithm {
        id: "alpha-beta-duo-plain",
        name: "alpha-beta duo, plain",
        method: Method::Duo(Parts::PLAIN),
        cache: true,
        bounds: true,
        source: "Li et al. 2022, Algorithm 2 as printed",
    },
    Algorithm {
        id: "scout",
        name: "SCOUT",
        method: Method::Window(Windows::Scout),
        cache: false,
        bounds: false,
        source: "Pearl 1980; Hsu's slides",
    },
    Algorithm {
        id: "scout-cached",
        name: "SCOUT with cache",
        method: Method::Window(Windows::Scout),
        cache: true,
        bounds: false,
        source: "as scout, with a cache of intervals",
    },
    Algorithm {
        id: "alpha-beta-informed",
        name: "informed alpha-beta",
        method: Method::Window(Windows::AlphaBeta),
        cache: false,
        bounds: true,
        source: "Pijls and de Bruin, Figure 3",
    },
    Algorithm {
        id: "alpha-beta-informed-cached",
        name: "informed alpha-beta with cache",
        method: Method::Window(Windows::AlphaBeta),
        cache: true,
        bounds: true,
        source: "as alpha-beta-informed, with a cache of intervals",
    },
    Algorithm {
        id: "nega-scout",
        name: "NegaScout",
        method: Method::Window(Windows::NegaScout),
        cache: false,
        bounds: false,
        source: "Reinefeld 1983; Hsu's slides, F4",
    },
    Algorithm {
        id: "nega-scout-cached",
        name: "NegaScout with cache",
        method: Method::Window(Windows::NegaScout),
        cache: true,
        bounds: false,
        source: "as nega-scout, with a cache of intervals",
    },
    Algorithm {
        id: "mtd-f",
        name: "MTD(f) from above, as SSS*",
        method: Method::Window(Windows::MtdF(Direction::Above)),
        cache: true,
        bounds: false,
        source: "Plaat, Schaeffer, Pijls, de Bruin 1996",
    },
    Algorithm {
        id: "mtd-f-dual",
        name: "MTD(f) from below, as DUAL*",
        method: Method::Window(Windows::MtdF(Direction::Below)),
        cache: true,
        bounds: false,
        source: "Plaat, Schaeffer, Pijls, de Bruin 1996",
    },
    Algorithm {
        id: "mtd-bi",
        name: "MTD(bi), as C*",
        method: Method::Window(Windows::MtdBi),
        cache: true,
        bounds: true,
        source: "Coplan 1982; Plaat, Schaeffer, Pijls, de Bruin 1996",
    },
    Algorithm {
        id: "sss-2",
        name: "SSS-2",
        method: Method::SolutionTree(Direction::Above),
        cache: false,
        bounds: true,
        source: "Pijls and de Bruin, Figures 4 to 6",
    },
    Algorithm {
        id: "sss-2-cached",
        name: "SSS-2 with cache",
        method: Method::SolutionTree(Direction::Above),
        cache: true,
        bounds: true,
        source: "as sss-2, with a cache of intervals",
    },
    Algorithm {
        id: "sss-2-dual",
        name: "the dual of SSS-2",
        method: Method::SolutionTree(Direction::Below),
        cache: false,
        bounds: true,
        source: "Pijls and de Bruin, for the other player",
    },
    Algorithm {
        id: "sss-star",
        name: "SSS* as a list of tips",
        method: Method::Tips(Direction::Above),
        cache: false,
        bounds: true,
        source: "Pijls and de Bruin, Figure 8; Stockman 1979",
    },
    Algorithm {
        id: "sss-star-dual",
        name: "DUAL* as a list of tips",
        method: Method::Tips(Direction::Below),
        cache: false,
        bounds: true,
        source: "as sss-star, for the other player",
    },
    // Searches by claims: the first two in chains of integers and in sets, the third in families of
    // sets.
    Algorithm {
        id: "proof-number",
        name: "proof-number search",
        method: Method::Proofs(Proofs::BestFirst),
        cache: false,
        bounds: true,
        source: "Allis, van der Meulen, van den Herik 1994; Hsu's slides",
    },
    Algorithm {
        id: "df-pn",
        name: "depth-first proof-number search (df-pn)",
        method: Method::Proofs(Proofs::DepthFirst),
        cache: false,
        bounds: true,
        source: "Nagai 2002; Pawlewicz and Lew 2007",
    },
    Algorithm {
        id: "thresholds",
        name: "up to 512 thresholds at once",
        method: Method::Thresholds,
        cache: false,
        bounds: false,
        source: "this library; Gunopulos et al. 1997",
    },
];

/// The algorithm with this id.
pub fn algorithm(id: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.id == id)
}
