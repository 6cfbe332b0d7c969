//! Line-ups: which algorithms a panel compares, and how its tables speak of them.
//!
//! A panel names its line-up, and everything after that (runs, tables, plots, comparisons) takes
//! the algorithms from there.

use crate::games::{peer, scores};
use crate::measuring::parts;
use crate::panels::quantity::Measure;

/// The algorithms of a panel.
#[derive(Debug)]
pub(crate) struct Lineup {
    /// Id and short name, in the order in which they run. At most [`crate::reporting::plot::MOST`],
    /// which have colours and marks.
    pub(crate) algorithms: &'static [(&'static str, &'static str)],
    /// Ratios are to the best of these ..
    pub(crate) yardstick: &'static [&'static str],
    /// .. which tables call this.
    pub(crate) yardstick_name: &'static str,
    /// The one whose ratio stands in the main tables. The table of all measures has those of all
    /// algorithms.
    pub(crate) ours: &'static str,
    /// Measures with a table, a plot and ratios of their own.
    pub(crate) main: &'static [Measure],
    /// All measures that are meaningful here.
    pub(crate) measures: &'static [Measure],
    /// What the short names mean, for the head of a report.
    pub(crate) note: &'static str,
}

impl Lineup {
    /// The short name of an algorithm.
    pub(crate) fn name<'a>(&self, id: &'a str) -> &'a str {
        let named = self.algorithms.iter().find(|(known, _)| *known == id);
        named.map_or(id, |(_, name)| name)
    }
}

/// Those that Li et al. (2022) compare: AB, ABC, MMC, ABD.
pub(crate) const PUBLISHED: [&str; 4] = [
    "alpha-beta",
    "alpha-beta-cached",
    "minimax-cached",
    "alpha-beta-duo-published",
];

/// The algorithms of Li et al. (2022), and the default.
pub(crate) static CACHES: Lineup = Lineup {
    algorithms: &[
        ("alpha-beta", "AB"),
        ("alpha-beta-cached", "ABC"),
        ("minimax-cached", "MMC"),
        ("alpha-beta-duo-published", "ABD"),
        ("alpha-beta-duo", "default"),
    ],
    yardstick: &PUBLISHED,
    yardstick_name: "best of the four",
    ours: "alpha-beta-duo",
    main: &[Measure::Seconds, Measure::Visits, Measure::Effort],
    measures: &Measure::ALL,
    note: "AB is alpha-beta, ABC alpha-beta with a cache, MMC minimax with a cache, ABD alpha-beta duo as published (Li et al. 2022); \
        `default` is the algorithm one gets without asking for another. ABD and the default make probes: they read the intervals of children that they do \
        not visit. In racing the default has bounds from perfect information, the others have none; in families it asks simpler questions first, whose visits are \
        counted as visits, or as relaxed visits where they are for bounds.",
};

/// The default without one of its parts.
pub(crate) static WITHOUT: Lineup = Lineup {
    algorithms: &[
        ("alpha-beta-duo", "default"),
        (parts::WITHOUT[0].id, "no bounds"),
        (parts::WITHOUT[1].id, "no look"),
        (parts::WITHOUT[2].id, "no order"),
        (parts::WITHOUT[3].id, "all cached"),
        (parts::WITHOUT[4].id, "long bounds"),
    ],
    yardstick: &["alpha-beta-duo"],
    yardstick_name: "the default",
    ours: parts::WITHOUT[1].id,
    note: "The parts of the default: bounds by simpler questions (unions in families, perfect information in racing), a look at the children before any is visited, their order by bounds, \
        no entries for nodes that can be reached in one way only, and bounds no longer than the window shows.",
    ..CACHES
};

/// Algorithm 2 with one of them.
pub(crate) static ALONE: Lineup = Lineup {
    algorithms: &[
        ("alpha-beta-duo-plain", "Algorithm 2"),
        (parts::ALONE[0].id, "bounds"),
        (parts::ALONE[1].id, "look"),
        (parts::ALONE[2].id, "look and order"),
        (parts::ALONE[3].id, "shared only"),
        (parts::ALONE[4].id, "short bounds"),
    ],
    yardstick: &["alpha-beta-duo-plain"],
    yardstick_name: "Algorithm 2",
    ours: parts::ALONE[1].id,
    note: "Algorithm 2 of Li et al. (2022) as printed, and with one part of the default each.",
    ..CACHES
};

/// The pruning rules, none of which has a cache.
pub(crate) static RULES: Lineup = Lineup {
    algorithms: &[
        ("minimax", "none"),
        ("shallow", "shallow"),
        ("deep", "deep"),
        ("couwenberg", "simple"),
        ("alpha-beta", "Li"),
        ("strong", "strong"),
    ],
    yardstick: &["shallow"],
    yardstick_name: "shallow",
    ours: "alpha-beta",
    main: &[Measure::Leaves, Measure::Seconds, Measure::Visits],
    measures: CHAIN_MEASURES,
    note: "Of the pruning rules, `none` is plain minimax, `shallow` and `deep` are those of Ginsberg and Jaffray (2002), `simple` and `strong` \
        those of Couwenberg (2011), and `Li` is alpha-beta of Li et al. (2022). Shallow pruning is right on every lattice, the others need a \
        distributive one: a ratio to `shallow` says what distributivity is worth.",
};

/// The dominance algebra of Dasgupta et al. (1996).
pub(crate) static DOMINANCE: Lineup = Lineup {
    algorithms: &[
        ("bottom-up", "bottom-up"),
        ("procedure-f-shallow", "F shallow"),
        ("procedure-f-deep", "F deep"),
    ],
    yardstick: &["bottom-up"],
    yardstick_name: "bottom-up",
    ours: "procedure-f-shallow",
    main: &[Measure::Seconds, Measure::Visits, Measure::Leaves],
    measures: CHAIN_MEASURES,
    note: "In the dominance algebra of Dasgupta et al. (1996), `F shallow` and `F deep` are procedure F with shallow and with deep pruning. \
        The first is exact. The second is exact as a lattice element only, so its packets are not compared with those of the others.",
};

/// The algorithms of total orders besides alpha-beta: does a null window pay?
pub(crate) static WINDOWS: Lineup = Lineup {
    algorithms: &[
        ("alpha-beta", "alpha-beta"),
        ("scout", "SCOUT"),
        ("nega-scout", "NegaScout"),
        ("nega-scout-cached", "NegaScout, cache"),
        ("mtd-f", "MTD(f)"),
    ],
    yardstick: &["alpha-beta"],
    yardstick_name: "alpha-beta",
    ours: "nega-scout",
    main: &[Measure::Leaves, Measure::Seconds, Measure::Visits],
    measures: CHAIN_MEASURES,
    note: "On uniform trees a point is many trees, and figures are their totals: as many as have a million leaves together, at most 12,500, or one that has more. SCOUT and NegaScout \
        have no cache, MTD(f) begins at the top and has one.",
};

/// Best-first search and its relatives against the depth-first ones.
pub(crate) static BEST_FIRST: Lineup = Lineup {
    algorithms: &[
        ("alpha-beta", "alpha-beta"),
        ("scout", "SCOUT"),
        ("nega-scout", "NegaScout"),
        ("sss-2", "SSS-2"),
        ("sss-star", "SSS*"),
        ("mtd-f", "MTD(f)"),
    ],
    yardstick: &["alpha-beta"],
    yardstick_name: "alpha-beta",
    ours: "sss-2",
    main: &[Measure::Leaves, Measure::Seconds, Measure::Visits],
    measures: CHAIN_MEASURES,
    note: "A point is as many trees as have 200,000 leaves together, and figures are their totals. SSS-2 keeps a solution tree as an object, SSS* as a list of its tips (Pijls and de Bruin, Figures 5, 6 and 8). MTD(f) visits again the \
        leaves that a search before it has evaluated; each visit counts.",
};

/// The two algorithms with a heuristic pair, and the same without it.
pub(crate) static INFORMED: Lineup = Lineup {
    algorithms: &[
        ("nega-scout", "NegaScout, no bounds"),
        ("alpha-beta", "alpha-beta, one bound"),
        ("alpha-beta-informed", "informed alpha-beta"),
        ("sss-2", "SSS-2"),
        ("sss-star", "SSS*, upper bounds"),
    ],
    yardstick: &["nega-scout"],
    yardstick_name: "NegaScout, no bounds",
    ours: "alpha-beta-informed",
    main: &[Measure::Leaves, Measure::Visits, Measure::Seconds],
    measures: CHAIN_MEASURES,
    note: "Alpha-beta of Li et al. (2022) uses the lower bound of an OR node and the upper bound of an AND node, informed alpha-beta and SSS-2 use \
        both of each, the list form SSS* only upper ones, and NegaScout none.",
};

/// The benefit of null windows in a real game.
pub(crate) static TO_DEPTH: Lineup = Lineup {
    note: "In Kalah a point is 20 positions, and figures are their totals. A player who moves again uses up a level of depth like any other move.",
    ..WINDOWS
};

/// Another library on the same game.
pub(crate) static PEERS: Lineup = Lineup {
    algorithms: &[
        (peer::PEERS[0], "minimax"),
        (peer::PEERS[1], "minimax, double"),
        (peer::PEERS[2], "minimax, MTD(f)"),
        ("mtd-f", "MTD(f)"),
        (peer::DEEPENED[0], "NegaScout, deepened"),
        (peer::DEEPENED[1], "MTD(f), deepened"),
    ],
    yardstick: &peer::PEERS,
    yardstick_name: "best of the peer",
    ours: peer::DEEPENED[1],
    main: &[Measure::Seconds, Measure::Visits, Measure::Leaves],
    measures: &[
        Measure::Seconds,
        Measure::Visits,
        Measure::Leaves,
        Measure::PeakBytes,
    ],
    note: "`minimax` is the crate of that name, version 0.6: iterative deepening with null windows and a table of 1 MiB; `double` goes in steps of two depths; with \
        MTD(f) it does so too. It plays on our positions, with the same moves in the same order and the same evaluation, and its visits are the moves that it \
        makes. Making its table counts, as ours does. `deepened` is ours in steps of four depths, with one table for all of them. One thread each.",
};

/// Ours and the peers on all cores.
pub(crate) static PEERS_ON_THREADS: Lineup = Lineup {
    algorithms: &[
        (peer::PARALLEL[0], "minimax"),
        (peer::PARALLEL[1], "minimax, MTD(f)"),
        (peer::PARALLEL[2], "minimax, 4"),
        (peer::PARALLEL[3], "minimax, MTD(f), 4"),
        (peer::ON_THREADS, "MTD(f), deepened"),
    ],
    yardstick: &peer::PARALLEL,
    ours: peer::ON_THREADS,
    main: &[Measure::Seconds],
    measures: &[Measure::Seconds, Measure::PeakBytes],
    note: "`minimax` is `ParallelSearch` of the crate of that name in steps of two depths; with `4` the last four levels are left to one thread each, with which it is \
        fastest here. Ours are as many threads with one table. Times are by the clock.",
    ..PEERS
};

/// Exact scores of Connect Four, and a solver that does nothing else.
pub(crate) static SCORES: Lineup = Lineup {
    algorithms: &[
        (scores::PEER, "connect-four-ai"),
        ("mtd-bi", "MTD(bi)"),
        ("alpha-beta-duo", "default"),
        (parts::WITHOUT[5].id, "default, no halving"),
        (parts::INFORMED[1].id, "NegaScout, bounds"),
        ("alpha-beta-informed-cached", "informed alpha-beta"),
    ],
    yardstick: &[scores::PEER],
    yardstick_name: "connect-four-ai",
    ours: "alpha-beta-duo",
    main: &[Measure::Seconds, Measure::Visits],
    measures: CHAIN_MEASURES,
    note: "Figures are totals of all positions of a set. `connect-four-ai` is the crate of that name, version 1.0, without its book of openings. It has null windows         in the same order and a table of 64 MB, which is made before the clock runs and emptied in no time before each position; ours begins with an empty table         that grows. Its visits are the positions that it says it has explored. Every value is compared with the one in the file.",
};

/// Exact solutions of positions near the end.
pub(crate) static ENDS: Lineup = Lineup {
    algorithms: &[
        ("alpha-beta", "alpha-beta, one bound"),
        ("nega-scout-cached", "NegaScout, no bounds"),
        (parts::INFORMED[0].id, "NegaScout, bounds, no cache"),
        (parts::INFORMED[1].id, "NegaScout, bounds"),
        ("alpha-beta-informed-cached", "informed alpha-beta"),
        ("alpha-beta-duo", "default"),
    ],
    yardstick: &["nega-scout-cached"],
    yardstick_name: "NegaScout, no bounds",
    ours: parts::INFORMED[1].id,
    main: &[Measure::Visits, Measure::Seconds, Measure::Leaves],
    measures: CHAIN_MEASURES,
    note: "Near the end of Connect Four a point is 500 positions, and figures are their totals. The bounds say how soon the players can win. Every value is compared with \
        the one in the file.",
};

/// Games solved from the start.
pub(crate) static SOLVED: Lineup = Lineup {
    algorithms: &[
        ("minimax-cached", "minimax"),
        ("alpha-beta-cached", "alpha-beta"),
        ("alpha-beta-duo", "default"),
        ("nega-scout-cached", "NegaScout, no bounds"),
        (parts::INFORMED[1].id, "NegaScout, bounds"),
        ("mtd-f", "MTD(f)"),
    ],
    yardstick: &["minimax-cached"],
    yardstick_name: "minimax",
    ours: parts::INFORMED[1].id,
    main: &[Measure::Seconds, Measure::Visits, Measure::PeakBytes],
    measures: CHAIN_MEASURES,
    note: "Of the small games, Connect Four is asked for its outcome, Kalah for its value. All algorithms have a cache that forgets nothing; its size is the peak memory.",
};

/// Searches for proofs against searches for values.
pub(crate) static PROOFS: Lineup = Lineup {
    algorithms: &[
        ("minimax-cached", "minimax"),
        ("alpha-beta-duo", "default"),
        ("nega-scout-cached", "NegaScout, no bounds"),
        (parts::INFORMED[1].id, "NegaScout, bounds"),
        ("proof-number", "proof numbers"),
        ("df-pn", "df-pn"),
    ],
    yardstick: &["alpha-beta-duo"],
    yardstick_name: "the default",
    ours: "df-pn",
    main: &[Measure::Seconds, Measure::Visits, Measure::PeakBytes],
    measures: CHAIN_MEASURES,
    note: "By proofs a value takes several claims; a visit is an expansion then, and the leaves below it are evaluated without being visited. df-pn has a table of 4 MiB, which \
        it fills with nothing beforehand. Connect Four from the start is asked for its outcome, 500 positions of 28 stones for their values.",
};

/// Proofs on trees, where nothing is known of nodes and a cache has nothing to find.
pub(crate) static PROOFS_OF_TREES: Lineup = Lineup {
    algorithms: &[
        ("minimax-cached", "minimax"),
        ("alpha-beta-duo", "default"),
        ("nega-scout-cached", "NegaScout, cache"),
        ("proof-number", "proof numbers"),
        ("df-pn", "df-pn"),
    ],
    note: "On uniform trees a point is as many trees as have 200,000 leaves together, and figures are their totals. Values go up to 1,000,000, but for the last two kinds, \
        which are U(2,12) with values of 0 to 9 and of 0 or 1. By proofs a value takes several claims. A table of df-pn is no larger than its graph.",
    ..PROOFS
};

/// Searches for proofs where a value takes a claim for each world.
pub(crate) static PROOFS_OF_SETS: Lineup = Lineup {
    algorithms: &[
        ("minimax-cached", "minimax"),
        ("alpha-beta-duo", "default"),
        ("proof-number", "proof numbers"),
        ("df-pn", "df-pn"),
    ],
    note: "In lattices of sets a search by proofs makes a claim for each world, and the others take all worlds at once. Racing is named by its deck.",
    ..PROOFS
};

/// Families of sets by questions of membership.
pub(crate) static THRESHOLDS: Lineup = Lineup {
    algorithms: &[
        ("minimax-cached", "minimax"),
        ("alpha-beta-duo", "default"),
        ("thresholds", "thresholds"),
    ],
    yardstick: &["minimax-cached"],
    yardstick_name: "minimax",
    ours: "thresholds",
    main: &[Measure::Seconds, Measure::Visits, Measure::PeakBytes],
    measures: CHAIN_MEASURES,
    note: "Thresholds find a value in families of sets by asking which sets belong to it, up to 512 in one search of the graph; visits are those of all searches.",
};

/// The measures that are meaningful where a tree is searched once.
const CHAIN_MEASURES: &[Measure] = &[
    Measure::Seconds,
    Measure::Visits,
    Measure::Nodes,
    Measure::Leaves,
    Measure::PeakBytes,
];
