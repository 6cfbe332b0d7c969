//! The parts of the default: all of them but one, and each of them alone, so that one sees what it is worth.

use meetjoin::games::RandomParameters;
use meetjoin::search::{Duo, catalogue};

use super::instance::{self, Instance, SetLattice};
use super::{panel, thresholds};

/// The default, whole or in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) duo: Duo,
    /// Whether it asks simpler questions first: the union in families, both hands open in racing.
    pub(crate) bounds: bool,
}

const ALL: Parts = Parts {
    duo: Duo {
        refine: false,
        look: true,
        order: true,
        shared_only: true,
        narrow: true,
    },
    bounds: true,
};

const NONE: Parts = Parts {
    duo: Duo::PLAIN,
    bounds: false,
};

/// All parts but one.
pub(crate) const WITHOUT: [(&str, Parts); 5] = [
    (
        "without-bounds",
        Parts {
            bounds: false,
            ..ALL
        },
    ),
    (
        "without-look",
        Parts {
            duo: Duo {
                look: false,
                ..ALL.duo
            },
            ..ALL
        },
    ),
    (
        "without-order",
        Parts {
            duo: Duo {
                order: false,
                ..ALL.duo
            },
            ..ALL
        },
    ),
    (
        "without-shared-only",
        Parts {
            duo: Duo {
                shared_only: false,
                ..ALL.duo
            },
            ..ALL
        },
    ),
    (
        "without-narrow",
        Parts {
            duo: Duo {
                narrow: false,
                ..ALL.duo
            },
            ..ALL
        },
    ),
];

/// One part alone. Order says nothing without a look.
pub(crate) const ALONE: [(&str, Parts); 5] = [
    (
        "with-bounds",
        Parts {
            bounds: true,
            ..NONE
        },
    ),
    (
        "with-look",
        Parts {
            duo: Duo {
                look: true,
                ..NONE.duo
            },
            ..NONE
        },
    ),
    (
        "with-look-order",
        Parts {
            duo: Duo {
                look: true,
                order: true,
                ..NONE.duo
            },
            ..NONE
        },
    ),
    (
        "with-shared-only",
        Parts {
            duo: Duo {
                shared_only: true,
                ..NONE.duo
            },
            ..NONE
        },
    ),
    (
        "with-narrow",
        Parts {
            duo: Duo {
                narrow: true,
                ..NONE.duo
            },
            ..NONE
        },
    ),
];

/// The algorithm of the catalogue that an id of a line-up means, and the parts it has if it is the default.
pub(crate) fn meant(id: &str) -> (&str, Parts) {
    let named = WITHOUT.iter().chain(&ALONE).find(|(known, _)| *known == id);
    named.map_or((id, ALL), |(_, parts)| (catalogue::DEFAULT, *parts))
}

/// The kinds of [`game`].
pub(crate) const GAMES: [&str; 7] = [
    "sets, b = 4",
    "sets, b = 10",
    "families",
    "families, many sets",
    "racing, sets",
    "racing, families",
    "racing, several sets",
];

/// A game of one of the kinds; kind 1 is the first.
pub(crate) fn game(kind: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let graph = |branching, variables, lattice| {
        let parameters = RandomParameters {
            depth: 15,
            branching,
            variables,
            alternating: true,
            seed,
        };
        instance::random(parameters, lattice)
    };
    match kind {
        1 => graph(4, 10, SetLattice::Powerset),
        2 => graph(10, 10, SetLattice::Powerset),
        3 => graph(4, 10, SetLattice::Families),
        4 => thresholds::graph(12, seed),
        5 => panel::racing(17, 7, 5, seed, SetLattice::Powerset),
        6 => panel::racing(20, 7, 5, seed, SetLattice::Families),
        7 => thresholds::deal(4, seed),
        _ => Err(format!("there is no kind {kind}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_without_parts_is_the_whole_algorithm() {
        assert_eq!(ALL.duo, Duo::default());
        assert_eq!(meant(catalogue::DEFAULT), (catalogue::DEFAULT, ALL));
        assert_eq!(meant("minimax"), ("minimax", ALL));
        let (id, parts) = meant("without-look");
        assert_eq!(id, catalogue::DEFAULT);
        assert!(!parts.duo.look && parts.duo.order && parts.bounds);
    }
}
