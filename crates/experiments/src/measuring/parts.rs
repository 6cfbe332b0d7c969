//! Ablations of the default algorithm: all parts but one, and each part alone.

use meetjoin_catalogue::method::{Algorithm, DEFAULT, Method, Part, Parts, Windows, algorithm};

/// The default with other parts.
const fn with(id: &'static str, parts: Parts) -> Algorithm {
    Algorithm {
        id,
        method: Method::Duo(parts),
        ..DEFAULT
    }
}

/// All parts but one.
pub(crate) const WITHOUT: [Algorithm; 6] = [
    without("without-bounds", Part::Bounds),
    without("without-look", Part::Look),
    without("without-order", Part::Order),
    without("without-shared-only", Part::SharedOnly),
    without("without-narrow", Part::Narrow),
    without("without-halving", Part::Halving),
];

const fn without(id: &'static str, part: Part) -> Algorithm {
    with(id, Parts::DEFAULT.with(part, false))
}

/// One part alone. Order alone has no effect: it needs the look.
pub(crate) const ALONE: [Algorithm; 5] = [
    alone("with-bounds", &[Part::Bounds]),
    alone("with-look", &[Part::Look]),
    alone("with-look-order", &[Part::Look, Part::Order]),
    alone("with-shared-only", &[Part::SharedOnly]),
    alone("with-narrow", &[Part::Narrow]),
];

const fn alone(id: &'static str, of: &[Part]) -> Algorithm {
    let (mut parts, mut place) = (Parts::PLAIN, 0);
    while place < of.len() {
        parts = parts.with(of[place], true);
        place += 1;
    }
    with(id, parts)
}

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
