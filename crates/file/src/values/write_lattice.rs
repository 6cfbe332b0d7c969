//! Writes a lattice as JSON, in the form of problem files.

use std::cmp::Reverse;

use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Chain, Extended, FiniteLattice, Lattice};

use crate::text::{push, push_json_string};
use crate::values::value::write_value;

/// The lattice as the JSON of a problem file, which reads back as an equal lattice.
///
/// A table with names is written by its covers, one without by its order.
pub fn lattice_to_json(lattice: &AnyLattice) -> String {
    let object = |kind: &str, rest: String| format!("{{\"type\":\"{kind}\"{rest}}}");
    let worlds = |kind: &str, v: usize| object(kind, format!(",\"v\":{v}"));
    match lattice {
        AnyLattice::Bool(_) => object("bool", String::new()),
        AnyLattice::Integers(chain) => object("chain", integer_ends(chain)),
        AnyLattice::Decimals(chain) => {
            let mut rest = String::new();
            for (key, end) in [("lo", *chain.lo()), ("hi", *chain.hi())] {
                if end.get().is_finite() {
                    push(&mut rest, format_args!(",\"{key}\":"));
                    write_value(lattice, &AnyElem::Decimal(end), &mut rest);
                }
            }
            object("chain", rest)
        }
        AnyLattice::SmallPowerset(l) => worlds("powerset", l.worlds()),
        AnyLattice::Powerset(l) => worlds("powerset", l.worlds()),
        AnyLattice::SmallFamilies(l) => worlds("families", l.worlds()),
        AnyLattice::Families(l) => worlds("families", l.worlds()),
        AnyLattice::Product(product) => {
            let factors = product.factors();
            match factors.first() {
                Some(first @ AnyLattice::Integers(chain)) if factors.iter().all(|f| f == first) => {
                    let dims = factors.len();
                    object(
                        "product",
                        format!(",\"dims\":{dims}{}", integer_ends(chain)),
                    )
                }
                _ => {
                    let factors: Vec<String> = factors.iter().map(lattice_to_json).collect();
                    object("product", format!(",\"of\":[{}]", factors.join(",")))
                }
            }
        }
        AnyLattice::Divisors(divisors) => object("divisors", format!(",\"n\":{}", divisors.n())),
        AnyLattice::Dual(dual) => object("dual", format!(",\"of\":{}", lattice_to_json(&dual.0))),
        AnyLattice::Finite(finite) => object("table", table_keys(finite)),
        AnyLattice::Monotone(l) => worlds("monotone", l.events() as usize),
        AnyLattice::Free(free) => {
            let dims = free.vectors().dims();
            object("free", format!(",\"dims\":{dims}"))
        }
    }
}

/// The ends of a chain that are not the usual infinities.
fn integer_ends(chain: &Chain<Extended>) -> String {
    let mut rest = String::new();
    for (key, end) in [("lo", chain.lo()), ("hi", chain.hi())] {
        match (key, end) {
            ("lo", Extended::NegInf) | ("hi", Extended::PosInf) => {}
            (_, Extended::Finite(end)) => push(&mut rest, format_args!(",\"{key}\":{end}")),
            _ => push(&mut rest, format_args!(",\"{key}\":\"{end}\"")),
        }
    }
    rest
}

fn table_keys(lattice: &FiniteLattice) -> String {
    if let Some(names) = lattice.names() {
        let quoted = |name: &String| {
            let mut text = String::new();
            push_json_string(name, &mut text);
            text
        };
        let names: Vec<String> = names.iter().map(quoted).collect();
        let pair = |(a, b): (u32, u32)| format!("[{},{}]", names[a as usize], names[b as usize]);
        let covers: Vec<String> = covers(lattice).into_iter().map(pair).collect();
        let (names, covers) = (names.join(","), covers.join(","));
        return format!(",\"elements\":[{names}],\"covers\":[{covers}]");
    }
    let elements = 0..lattice.size() as u32;
    let row = |a: u32| {
        let row = elements
            .clone()
            .map(|b| if below(lattice, a, b) { "1" } else { "0" });
        format!("[{}]", row.collect::<Vec<_>>().join(","))
    };
    let rows: Vec<String> = elements.clone().map(row).collect();
    format!(",\"size\":{},\"leq\":[{}]", rows.len(), rows.join(","))
}

fn below(lattice: &FiniteLattice, a: u32, b: u32) -> bool {
    lattice.leq(&a, &b, &Budget::unlimited()) == Ok(true)
}

/// All pairs (a, b) where b covers a.
fn covers(lattice: &FiniteLattice) -> Vec<(u32, u32)> {
    let elements = 0..lattice.size() as u32;
    // An element between a and b has more elements above it than b, so it comes before b in this
    // order.
    let above = |a: u32| elements.clone().filter(|&b| below(lattice, a, b)).count();
    let mut upwards: Vec<u32> = elements.clone().collect();
    upwards.sort_by_cached_key(|&a| Reverse(above(a)));
    let mut covers = Vec::new();
    for a in elements.clone() {
        let begin = covers.len();
        for &b in &upwards {
            let between = |&(_, c): &(u32, u32)| below(lattice, c, b);
            if a != b && below(lattice, a, b) && !covers[begin..].iter().any(between) {
                covers.push((a, b));
            }
        }
    }
    covers
}
