//! The panels: which game, with which parameter varied, over which lattice.

use meetjoin::games::{Racing, RandomParameters};

use super::instance::{self, Deal, Instance, SetLattice};

/// The algorithms of every panel, in the order in which they run; each with the name it has in tables and plots.
pub(crate) const ALGORITHMS: [(&str, &str); 5] = [
    ("alpha-beta", "AB"),
    ("alpha-beta-cached", "ABC"),
    ("minimax-cached", "MMC"),
    ("alpha-beta-duo-published", "ABD"),
    ("alpha-beta-duo", "default"),
];

/// Those of them that Li et al. compare.
pub(crate) const PUBLISHED: [&str; 4] = [
    "alpha-beta",
    "alpha-beta-cached",
    "minimax-cached",
    "alpha-beta-duo-published",
];

/// A family of games with one parameter.
#[derive(Debug)]
pub(crate) struct Panel {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// What the rows of the order-of-visits table call it.
    pub(crate) cell: (&'static str, &'static str),
    pub(crate) parameter: &'static str,
    pub(crate) values: &'static [u32],
    /// The values of a quick run.
    pub(crate) quick: &'static [u32],
    /// The value at which nothing is hidden, if there is one.
    pub(crate) perfect_information: Option<u32>,
    /// Whether a larger value is a harder game for every algorithm. If not, a stop says nothing of other points.
    pub(crate) harder_upwards: bool,
    /// The game for a value and a seed.
    pub(crate) instance: fn(u32, u64) -> Result<Box<dyn Instance>, String>,
}

impl Panel {
    /// A value of the parameter, as tables show it.
    pub(crate) fn label(&self, value: u32) -> String {
        if self.perfect_information == Some(value) {
            format!("{value} (one hand of MIN: perfect information)")
        } else {
            value.to_string()
        }
    }
}

/// Figures 3 and 4 of Li et al. (2022), and two of ours.
pub(crate) const PANELS: &[Panel] = &[
    Panel {
        id: "3-top",
        title: "Random graphs, alternating, sets of variables; d = 15, v = 10",
        cell: ("random, alternating", "powerset"),
        parameter: "b",
        values: &[2, 3, 4, 5, 6, 7, 8, 9, 10],
        quick: &[2, 3, 4, 5],
        perfect_information: None,
        harder_upwards: true,
        instance: |b, seed| random(b, 10, true, seed, SetLattice::Powerset),
    },
    Panel {
        id: "3-bottom",
        title: "Racing, sets of hands; d = 20, g = 5",
        cell: ("racing, by hand size", "powerset"),
        parameter: "h",
        values: &[5, 6, 7, 8, 9, 10],
        quick: &[5, 6],
        perfect_information: Some(10),
        harder_upwards: false,
        instance: |h, seed| racing(20, h, seed, SetLattice::Powerset),
    },
    Panel {
        id: "4-top",
        title: "Random graphs, alternating, families of sets; d = 15, b = 4",
        cell: ("random, alternating", "families"),
        parameter: "v",
        values: &[3, 4, 5, 6, 7, 8, 9, 10],
        quick: &[3, 4, 5, 6],
        perfect_information: None,
        harder_upwards: true,
        instance: |v, seed| random(4, v, true, seed, SetLattice::Families),
    },
    Panel {
        id: "4-bottom",
        title: "Racing, sets of hands; h = 7, g = 5",
        cell: ("racing, by deck", "powerset"),
        parameter: "d",
        values: &[14, 15, 16, 17, 18, 19, 20, 21, 22],
        quick: &[14, 15, 16, 17],
        perfect_information: Some(14),
        harder_upwards: true,
        instance: |d, seed| racing(d, 7, seed, SetLattice::Powerset),
    },
    Panel {
        id: "5",
        title: "Racing, families of sets of hands; h = 7, g = 5",
        cell: ("racing, by deck", "families"),
        parameter: "d",
        values: &[14, 15, 16, 17, 18, 19, 20],
        quick: &[14, 15, 16],
        perfect_information: Some(14),
        harder_upwards: true,
        instance: |d, seed| racing(d, 7, seed, SetLattice::Families),
    },
    Panel {
        id: "6",
        title: "Random graphs, labels at random, families of sets; d = 15, b = 4",
        cell: ("random, labels at random", "families"),
        parameter: "v",
        values: &[4, 8, 12, 16, 20, 24],
        quick: &[4, 8],
        perfect_information: None,
        harder_upwards: true,
        instance: |v, seed| random(4, v, false, seed, SetLattice::Families),
    },
];

/// What `--grid` adds, so that there is each kind of game over each lattice.
pub(crate) const GRID: Panel = Panel {
    id: "grid",
    title: "Random graphs, labels at random, sets of variables; d = 15, v = 10",
    cell: ("random, labels at random", "powerset"),
    parameter: "b",
    values: &[2, 3, 4, 5, 6, 7, 8, 9, 10],
    quick: &[2, 3, 4],
    perfect_information: None,
    harder_upwards: true,
    instance: |b, seed| random(b, 10, false, seed, SetLattice::Powerset),
};

fn random(
    branching: u32,
    variables: u32,
    alternating: bool,
    seed: u64,
    lattice: SetLattice,
) -> Result<Box<dyn Instance>, String> {
    let parameters = RandomParameters {
        depth: 15,
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
    seed: u64,
    lattice: SetLattice,
) -> Result<Box<dyn Instance>, String> {
    let small = |number: u32| u8::try_from(number).map_err(|error| error.to_string());
    let game = Racing::random(small(deck)?, 5, small(hand)?, seed);
    let game = game.map_err(|error| error.to_string())?;
    Ok(Box::new(Deal { game, lattice }))
}
