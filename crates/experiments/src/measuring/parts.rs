//! Ablations of the default algorithm: all parts but one, and each part alone.

use meetjoin_search::Duo;
use meetjoin_search::method::{Algorithm, DEFAULT, Method, Parts, Windows, algorithm};

/// The default with other parts.
const fn with(id: &'static str, parts: Parts) -> Algorithm {
    Algorithm {
        id,
        method: Method::Duo(parts),
        ..DEFAULT
    }
}

const fn with_bounds(duo: Duo) -> Parts {
    Parts {
        duo,
        ..Parts::DEFAULT
    }
}

/// Algorithm 2 with parts of its own: neither bounds nor halving.
const fn without_others(duo: Duo) -> Parts {
    Parts {
        duo,
        ..Parts::PLAIN
    }
}

/// The default without a part.
macro_rules! without {
    ($part:ident) => {
        with_bounds(Duo {
            $part: false,
            ..Duo::DEFAULT
        })
    };
}

/// Algorithm 2 with these parts.
macro_rules! alone {
    ($($part:ident),+) => {
        without_others(Duo {
            $($part: true,)+
            ..Duo::PLAIN
        })
    };
}

/// All parts but one.
pub(crate) const WITHOUT: [Algorithm; 6] = [
    with(
        "without-bounds",
        Parts {
            bounds: false,
            ..Parts::DEFAULT
        },
    ),
    with("without-look", without!(look)),
    with("without-order", without!(order)),
    with("without-shared-only", without!(shared_only)),
    with("without-narrow", without!(narrow)),
    with(
        "without-halving",
        Parts {
            halving: false,
            ..Parts::DEFAULT
        },
    ),
];

/// One part alone. Order alone has no effect: it needs the look.
pub(crate) const ALONE: [Algorithm; 5] = [
    with(
        "with-bounds",
        Parts {
            bounds: true,
            ..Parts::PLAIN
        },
    ),
    with("with-look", alone!(look)),
    with("with-look-order", alone!(look, order)),
    with("with-shared-only", alone!(shared_only)),
    with("with-narrow", alone!(narrow)),
];

/// NegaScout with the bounds of the game, which that of the table does without: without a cache,
/// and with one.
pub(crate) const INFORMED: [Algorithm; 2] = [
    informed("nega-scout-informed", false),
    informed("nega-scout-informed-cached", true),
];

const fn informed(id: &'static str, cache: bool) -> Algorithm {
    Algorithm {
        id,
        name: "NegaScout with bounds",
        method: Method::Window(Windows::NegaScout),
        cache,
        bounds: true,
        source: "Reinefeld 1983; Pijls and de Bruin",
    }
}

/// The algorithm that an id of a line-up means.
pub(crate) fn row(id: &str) -> Option<Algorithm> {
    let ours = WITHOUT.iter().chain(&ALONE).chain(&INFORMED);
    let named = ours.copied().find(|row| row.id == id);
    named.or_else(|| algorithm(id).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_without_parts_is_the_whole_algorithm() {
        assert_eq!(row(DEFAULT.id), Some(DEFAULT));
        assert_eq!(row("minimax").map(|row| row.method), Some(Method::Minimax));
        let Some(Method::Duo(parts)) = row("without-look").map(|row| row.method) else {
            panic!("it is the default");
        };
        assert!(!parts.duo.look && parts.duo.order && parts.bounds);
    }
}
