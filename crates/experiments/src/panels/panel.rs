//! The panels: which game, with which parameter varied, over which lattice.

use meetjoin_games::{ChildOrder, LeafValues, Racing, RandomParameters};

use crate::games::boards;
use crate::games::criteria;
use crate::games::peer;
use crate::games::scores;
use crate::games::thresholds;
use crate::games::uniform;
use crate::measuring::instance::{self, Instance, SetLattice};
use crate::panels::lineup::{
    ALONE, BEST_FIRST, CACHES, DOMINANCE, ENDS, INFORMED, Lineup, PEERS, PEERS_ON_THREADS, PROOFS,
    PROOFS_OF_SETS, PROOFS_OF_TREES, RULES, SCORES, SOLVED, THRESHOLDS, TO_DEPTH, WINDOWS, WITHOUT,
};

/// A family of games with one parameter.
#[derive(Debug)]
pub(crate) struct Panel {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) lineup: &'static Lineup,
    /// The name of its row in the order-of-visits table; none for panels beyond Li et al. (2022).
    pub(crate) cell: Option<(&'static str, &'static str)>,
    pub(crate) parameter: &'static str,
    pub(crate) values: &'static [u32],
    /// The values of a quick run.
    pub(crate) quick: &'static [u32],
    /// Those that only a full run has besides.
    pub(crate) full: &'static [u32],
    /// The value at which nothing is hidden, if there is one.
    pub(crate) perfect_information: Option<u32>,
    /// The names of values that are kinds rather than numbers: value 1 is the first of them.
    pub(crate) kinds: &'static [&'static str],
    /// Whether a larger value is a harder game for every algorithm. If not, a stop says nothing
    /// about other points.
    pub(crate) harder_upwards: bool,
    /// How many games there are for a value, if not one for every seed.
    pub(crate) games: Option<u64>,
    /// The game for a value and a seed.
    pub(crate) instance: fn(u32, u64) -> Result<Box<dyn Instance>, String>,
}

impl Panel {
    /// How many of the seeds make different games.
    pub(crate) fn seeds(&self, seeds: u64) -> u64 {
        self.games.map_or(seeds, |games| games.min(seeds))
    }

    /// A value of the parameter, as tables show it.
    pub(crate) fn label(&self, value: u32) -> String {
        if self.perfect_information == Some(value) {
            format!("{value} (one hand of MIN: perfect information)")
        } else {
            self.short_label(value)
        }
    }

    /// A parameter's value, as axes show it.
    pub(crate) fn short_label(&self, value: u32) -> String {
        let place = (value as usize).checked_sub(1);
        match place.and_then(|place| self.kinds.get(place)) {
            Some(kind) => (*kind).to_owned(),
            None => value.to_string(),
        }
    }
}

/// Branching factors at which null windows are compared; published figures are for 20 to 60.
const BRANCHING: &[u32] = &[2, 4, 8, 12, 20, 30, 40, 50, 60];

/// The defaults of a panel: its values are numbers, and a larger one is a harder game for every
/// algorithm. Each panel fills in what is empty here.
pub(crate) const BY_NUMBER: Panel = Panel {
    id: "",
    title: "",
    lineup: &CACHES,
    cell: None,
    parameter: "",
    values: &[],
    quick: &[],
    full: &[],
    perfect_information: None,
    kinds: &[],
    harder_upwards: true,
    games: None,
    instance: |_, _| Err("this panel has no games".to_owned()),
};

/// The defaults for values that are kinds of games, of which a later one need not be harder.
const BY_KIND: Panel = Panel {
    harder_upwards: false,
    ..BY_NUMBER
};

/// What the panels on branching factors have in common: the tree of the first.
const BROAD: Panel = Panel {
    id: "b-independent",
    title: "Uniform trees by branching factor, independent leaves, in random order; d = 4",
    lineup: &WINDOWS,
    parameter: "b",
    values: BRANCHING,
    quick: &[2, 4, 8, 20],
    instance: |b, seed| uniform::broad(b, LeafValues::Independent, ChildOrder::Random, seed),
    ..BY_NUMBER
};

/// What the panels on shapes of trees have in common.
const SHAPED: Panel = Panel {
    id: "u-independent",
    title: "Uniform trees by shape, independent leaves, in random order",
    lineup: &BEST_FIRST,
    parameter: "tree",
    values: &[1, 2, 3, 4],
    quick: &[1, 2, 3, 4],
    kinds: &uniform::SHAPES,
    instance: |shape, seed| {
        uniform::shape(shape, LeafValues::Independent, ChildOrder::Random, seed)
    },
    ..BY_KIND
};

/// What the panels beyond the sizes of the paper have in common: the first of them.
const LARGER: Panel = Panel {
    id: "7",
    title: "Larger random graphs, alternating, sets of variables; b = 4, v = 10",
    lineup: &CACHES,
    parameter: "d",
    values: &[15, 16, 17, 18, 19],
    quick: &[13, 14, 15],
    full: &[20, 21],
    instance: |d, seed| random(d, 4, 10, true, seed, SetLattice::Powerset),
    ..BY_NUMBER
};

/// The default with all parts but one.
const PARTS: Panel = Panel {
    id: "parts",
    title: "What each part of the default is worth: all but one",
    lineup: &WITHOUT,
    parameter: "game",
    values: &[1, 2, 3, 4, 5, 6, 7],
    quick: &[1, 3],
    kinds: &GAMES_OF_PARTS,
    instance: game_of_parts,
    ..BY_KIND
};

/// One of those beside another library.
const WITH_A_PEER: Panel = Panel {
    id: "peers",
    title: "Connect Four from the empty board by depth, all moves of the rules",
    lineup: &PEERS,
    parameter: "depth",
    values: &[8, 10, 12, 14, 16],
    quick: &[8, 10],
    games: Some(1),
    instance: |depth, _| Ok(peer::by_rules(depth)),
    ..BY_NUMBER
};

/// Beside a peer, on all cores.
const WITH_A_PEER_ON_THREADS: Panel = Panel {
    id: "peers-threads",
    title: "Connect Four from the empty board by depth, all moves of the rules, on all cores",
    lineup: &PEERS_ON_THREADS,
    values: &[12, 14, 16],
    full: &[18],
    ..WITH_A_PEER
};

/// Figures 3 and 4 of Li et al. (2022), two of ours of the same kind, those on partial orders, and
/// those on total orders.
pub(crate) const PANELS: &[Panel] = &[
    Panel {
        id: "3-top",
        title: "Random graphs, alternating, sets of variables; d = 15, v = 10",
        lineup: &CACHES,
        cell: Some(("random, alternating", "powerset")),
        parameter: "b",
        values: &[2, 3, 4, 5, 6, 7, 8, 9, 10],
        quick: &[2, 3, 4, 5],
        instance: |b, seed| random(15, b, 10, true, seed, SetLattice::Powerset),
        ..BY_NUMBER
    },
    Panel {
        id: "3-bottom",
        title: "Racing, sets of hands; d = 20, g = 5",
        lineup: &CACHES,
        cell: Some(("racing, by hand size", "powerset")),
        parameter: "h",
        values: &[5, 6, 7, 8, 9, 10],
        quick: &[5, 6],
        perfect_information: Some(10),
        harder_upwards: false,
        instance: |h, seed| racing(20, h, 5, seed, SetLattice::Powerset),
        ..BY_NUMBER
    },
    Panel {
        id: "4-top",
        title: "Random graphs, alternating, families of sets; d = 15, b = 4",
        lineup: &CACHES,
        cell: Some(("random, alternating", "families")),
        parameter: "v",
        values: &[3, 4, 5, 6, 7, 8, 9, 10],
        quick: &[3, 4, 5, 6],
        instance: |v, seed| random(15, 4, v, true, seed, SetLattice::Families),
        ..BY_NUMBER
    },
    Panel {
        id: "4-bottom",
        title: "Racing, sets of hands; h = 7, g = 5",
        lineup: &CACHES,
        cell: Some(("racing, by deck", "powerset")),
        parameter: "d",
        values: &[14, 15, 16, 17, 18, 19, 20, 21, 22],
        quick: &[14, 15, 16, 17],
        perfect_information: Some(14),
        instance: |d, seed| racing(d, 7, 5, seed, SetLattice::Powerset),
        ..BY_NUMBER
    },
    Panel {
        id: "5",
        title: "Racing, families of sets of hands; h = 7, g = 5",
        lineup: &CACHES,
        cell: Some(("racing, by deck", "families")),
        parameter: "d",
        values: &[14, 15, 16, 17, 18, 19, 20],
        quick: &[14, 15, 16],
        perfect_information: Some(14),
        instance: |d, seed| racing(d, 7, 5, seed, SetLattice::Families),
        ..BY_NUMBER
    },
    Panel {
        id: "6",
        title: "Random graphs, labels at random, families of sets; d = 15, b = 4",
        lineup: &CACHES,
        cell: Some(("random, labels at random", "families")),
        parameter: "v",
        values: &[4, 8, 12, 16, 20, 24],
        quick: &[4, 8],
        instance: |v, seed| random(15, 4, v, false, seed, SetLattice::Families),
        ..BY_NUMBER
    },
    LARGER,
    Panel {
        id: "8",
        title: "Larger random graphs, labels at random, families of sets; b = 4, v = 8",
        instance: |d, seed| random(d, 4, 8, false, seed, SetLattice::Families),
        ..LARGER
    },
    Panel {
        id: "9",
        title: "Racing with larger decks, sets of hands; h = 8, g = 5",
        values: &[16, 17, 18, 19, 20, 22, 24, 26, 28, 30],
        quick: &[16, 18, 20],
        full: &[],
        perfect_information: Some(16),
        instance: |d, seed| racing(d, 8, 5, seed, SetLattice::Powerset),
        ..LARGER
    },
    Panel {
        id: "10",
        title: "Racing with larger decks, families of sets of hands; h = 6, g = 4",
        values: &[12, 14, 16, 18, 20, 22],
        quick: &[12, 14, 16],
        full: &[24, 26],
        perfect_information: Some(12),
        instance: |d, seed| racing(d, 6, 4, seed, SetLattice::Families),
        ..LARGER
    },
    PARTS,
    Panel {
        id: "parts-alone",
        title: "What each part of the default is worth: one alone",
        lineup: &ALONE,
        ..PARTS
    },
    Panel {
        id: "pruning",
        title: "Pruning rules on the same random trees, by lattice; d = 6, b = 3",
        lineup: &RULES,
        parameter: "lattice",
        values: &[1, 2, 3, 4, 5],
        quick: &[1, 2, 3, 4, 5],
        kinds: &criteria::LATTICES,
        instance: criteria::over,
        ..BY_KIND
    },
    Panel {
        id: "packets",
        title: "Packets of random trees, independent criteria; d = 5, b = 2",
        lineup: &DOMINANCE,
        parameter: "criteria",
        values: &[1, 2, 3, 4],
        quick: &[1, 2, 3],
        instance: criteria::packets,
        ..BY_NUMBER
    },
    BROAD,
    Panel {
        id: "b-independent-ordered",
        title: "Uniform trees by branching factor, independent leaves, well ordered; d = 4",
        instance: |b, seed| uniform::broad(b, LeafValues::Independent, ChildOrder::BestFirst, seed),
        ..BROAD
    },
    Panel {
        id: "b-incremental",
        title: "Uniform trees by branching factor, values that grow along edges, in random order; d = 4",
        instance: |b, seed| uniform::broad(b, LeafValues::Incremental, ChildOrder::Random, seed),
        ..BROAD
    },
    Panel {
        id: "b-incremental-ordered",
        title: "Uniform trees by branching factor, values that grow along edges, well ordered; d = 4",
        instance: |b, seed| uniform::broad(b, LeafValues::Incremental, ChildOrder::BestFirst, seed),
        ..BROAD
    },
    SHAPED,
    Panel {
        id: "u-independent-ordered",
        title: "Uniform trees by shape, independent leaves, well ordered",
        instance: |shape, seed| {
            uniform::shape(shape, LeafValues::Independent, ChildOrder::BestFirst, seed)
        },
        ..SHAPED
    },
    Panel {
        id: "u-incremental",
        title: "Uniform trees by shape, values that grow along edges, in random order",
        instance: |shape, seed| {
            uniform::shape(shape, LeafValues::Incremental, ChildOrder::Random, seed)
        },
        ..SHAPED
    },
    Panel {
        id: "u-incremental-ordered",
        title: "Uniform trees by shape, values that grow along edges, well ordered",
        instance: |shape, seed| {
            uniform::shape(shape, LeafValues::Incremental, ChildOrder::BestFirst, seed)
        },
        ..SHAPED
    },
    Panel {
        id: "bounds",
        title: "Known bounds, by the most they lie away from the value; U(4,6), independent leaves",
        lineup: &INFORMED,
        parameter: "slack",
        values: &[1, 2, 3, 4, 5, 6],
        quick: &[1, 3, 5],
        kinds: &uniform::SLACKS,
        instance: uniform::informed,
        ..BY_KIND
    },
    Panel {
        id: "kalah",
        title: "Kalah(6,4) by depth, 20 positions after four random moves, judged by the stores",
        lineup: &TO_DEPTH,
        parameter: "depth",
        values: &[2, 3, 4, 5, 6, 7, 8, 9],
        quick: &[3, 5],
        instance: boards::kalah,
        ..BY_NUMBER
    },
    WITH_A_PEER,
    Panel {
        id: "peers-dropped",
        title: "Connect Four from the empty board by depth, without hopeless moves",
        instance: |depth, _| Ok(peer::without_hopeless(depth)),
        ..WITH_A_PEER
    },
    WITH_A_PEER_ON_THREADS,
    Panel {
        id: "peers-threads-dropped",
        title: "Connect Four from the empty board by depth, without hopeless moves, on all cores",
        full: &[18, 20],
        instance: |depth, _| Ok(peer::without_hopeless(depth)),
        ..WITH_A_PEER_ON_THREADS
    },
    Panel {
        id: "scores",
        title: "Connect Four, exact scores: 2000 positions near the end, 300 of the middle, 50 near the beginning",
        lineup: &SCORES,
        parameter: "set",
        values: &[1, 2, 3],
        quick: &[1],
        kinds: &scores::SETS,
        games: Some(1),
        instance: |set, _| scores::set(set),
        ..BY_KIND
    },
    Panel {
        id: "ends",
        title: "Connect Four near the end, 500 positions by stones, solved exactly",
        lineup: &ENDS,
        parameter: "stones",
        values: &[28, 30, 32, 34],
        quick: &[28, 32],
        games: Some(1),
        harder_upwards: false,
        instance: |stones, _| boards::end_positions(stones),
        ..BY_NUMBER
    },
    Panel {
        id: "solved",
        title: "Small games from the start, solved exactly; C4 is Connect Four",
        lineup: &SOLVED,
        parameter: "game",
        values: &[1, 2, 3, 4, 5, 6],
        quick: &[1, 4],
        kinds: &boards::SMALL,
        games: Some(1),
        instance: |game, _| boards::from_the_start(game),
        ..BY_KIND
    },
    Panel {
        id: "proofs",
        title: "Values by proofs, on board games; C4 is Connect Four",
        lineup: &PROOFS,
        parameter: "game",
        values: &[1, 2, 3, 4, 5, 6],
        quick: &[1, 4],
        kinds: &boards::PROVED,
        games: Some(1),
        instance: |game, _| boards::proved(game),
        ..BY_KIND
    },
    Panel {
        id: "proofs-uniform",
        title: "Values by proofs, on uniform trees with independent leaves, in random order",
        lineup: &PROOFS_OF_TREES,
        parameter: "tree",
        values: &[1, 2, 3, 4, 5, 6],
        quick: &[1, 6],
        kinds: &uniform::PROVED,
        instance: uniform::proved,
        ..BY_KIND
    },
    Panel {
        id: "proofs-sets",
        title: "Sets by proofs: racing by d (h = 7, g = 5), random graphs (d = 15, b = 4, v = 10)",
        lineup: &PROOFS_OF_SETS,
        parameter: "game",
        values: &[1, 2, 3, 4],
        quick: &[1, 2, 4],
        kinds: &["racing 14", "racing 15", "alternating", "random"],
        instance: |game, seed| match game {
            1 | 2 => racing(13 + game, 7, 5, seed, SetLattice::Powerset),
            3 => random(15, 4, 10, true, seed, SetLattice::Powerset),
            _ => random(15, 4, 10, false, seed, SetLattice::Powerset),
        },
        ..BY_KIND
    },
    Panel {
        id: "thresholds",
        title: "Families by thresholds: random graphs, labels at random; d = 15, b = 4",
        lineup: &THRESHOLDS,
        parameter: "v",
        values: &[12, 16, 20],
        quick: &[12],
        games: Some(thresholds::GAMES),
        instance: thresholds::graph,
        ..BY_NUMBER
    },
    Panel {
        id: "thresholds-racing",
        title: "Families by thresholds: racing by g, d = 20, h = 7; and deals with several maximal sets",
        lineup: &THRESHOLDS,
        parameter: "deal",
        values: &[1, 2, 3, 4],
        quick: &[1, 2],
        kinds: &thresholds::DEALS,
        games: Some(thresholds::GAMES),
        instance: thresholds::deal,
        ..BY_KIND
    },
];

/// The panel that `--grid` adds, to have each kind of game over each lattice.
pub(crate) const GRID: Panel = Panel {
    id: "grid",
    title: "Random graphs, labels at random, sets of variables; d = 15, v = 10",
    lineup: &CACHES,
    cell: Some(("random, labels at random", "powerset")),
    parameter: "b",
    values: &[2, 3, 4, 5, 6, 7, 8, 9, 10],
    quick: &[2, 3, 4],
    instance: |b, seed| random(15, b, 10, false, seed, SetLattice::Powerset),
    ..BY_NUMBER
};

fn random(
    depth: u32,
    branching: u32,
    variables: u32,
    alternating: bool,
    seed: u64,
    lattice: SetLattice,
) -> Result<Box<dyn Instance>, String> {
    let parameters = RandomParameters {
        depth,
        branching,
        variables,
        alternating,
        seed,
    };
    instance::random(parameters, lattice)
}

fn racing(
    deck: u32,
    hand: u32,
    goal: u32,
    seed: u64,
    lattice: SetLattice,
) -> Result<Box<dyn Instance>, String> {
    let small = |number: u32| u8::try_from(number).map_err(|error| error.to_string());
    let game = Racing::random(small(deck)?, small(goal)?, small(hand)?, seed);
    let game = game.map_err(|error| error.to_string())?;
    Ok(instance::deal(game, lattice))
}

/// The kinds of [`game_of_parts`].
const GAMES_OF_PARTS: [&str; 7] = [
    "sets, b = 4",
    "sets, b = 10",
    "families",
    "families, many sets",
    "racing, sets",
    "racing, families",
    "racing, several sets",
];

/// A game on which the parts of the default are compared; kind 1 is the first.
fn game_of_parts(kind: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    match kind {
        1 => random(15, 4, 10, true, seed, SetLattice::Powerset),
        2 => random(15, 10, 10, true, seed, SetLattice::Powerset),
        3 => random(15, 4, 10, true, seed, SetLattice::Families),
        4 => thresholds::graph(12, seed),
        5 => racing(17, 7, 5, seed, SetLattice::Powerset),
        6 => racing(20, 7, 5, seed, SetLattice::Families),
        7 => thresholds::deal(4, seed),
        _ => Err(format!("there is no kind {kind}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_panel_says_what_it_shows() {
        for panel in PANELS.iter().chain([&GRID]) {
            let said = [panel.id, panel.title, panel.parameter];
            assert!(said.iter().all(|text| !text.is_empty()), "{said:?}");
            let points = [panel.values, panel.quick];
            assert!(points.iter().all(|values| !values.is_empty()), "{said:?}");
        }
    }
}
