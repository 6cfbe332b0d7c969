//! The parts of the default: all of them but one, and each of them alone, so that one sees what it is worth.

use meetjoin::search::{Duo, catalogue};

/// The default, whole or in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) duo: Duo,
    /// Whether it asks simpler questions first: the union in families, both hands open in racing.
    pub(crate) bounds: bool,
}

const ALL: Parts = with_bounds(Duo::DEFAULT);
const NONE: Parts = without_bounds(Duo::PLAIN);

const fn with_bounds(duo: Duo) -> Parts {
    Parts { duo, bounds: true }
}

const fn without_bounds(duo: Duo) -> Parts {
    Parts { duo, bounds: false }
}

/// The default without a part.
macro_rules! without {
    ($part:ident) => {
        with_bounds(Duo {
            $part: false,
            ..ALL.duo
        })
    };
}

/// Algorithm 2 with these parts.
macro_rules! alone {
    ($($part:ident),+) => {
        without_bounds(Duo {
            $($part: true,)+
            ..NONE.duo
        })
    };
}

/// All parts but one.
pub(crate) const WITHOUT: [(&str, Parts); 5] = [
    ("without-bounds", without_bounds(ALL.duo)),
    ("without-look", without!(look)),
    ("without-order", without!(order)),
    ("without-shared-only", without!(shared_only)),
    ("without-narrow", without!(narrow)),
];

/// One part alone. Order says nothing without a look.
pub(crate) const ALONE: [(&str, Parts); 5] = [
    ("with-bounds", with_bounds(NONE.duo)),
    ("with-look", alone!(look)),
    ("with-look-order", alone!(look, order)),
    ("with-shared-only", alone!(shared_only)),
    ("with-narrow", alone!(narrow)),
];

/// The algorithm of the catalogue that an id of a line-up means, and the parts it has if it is the default.
pub(crate) fn meant(id: &str) -> (&str, Parts) {
    let named = WITHOUT.iter().chain(&ALONE).find(|(known, _)| *known == id);
    named.map_or((id, ALL), |(_, parts)| (catalogue::DEFAULT, *parts))
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
