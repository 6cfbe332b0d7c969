//! Reads a value as people read it: the text that [`write_readable`](super::write_readable) writes.
//!
//! Idea: the lattice says what comes next, so that one pass over the text is enough. Spaces around
//! names and signs do not matter.

use std::borrow::Cow;
use std::collections::HashMap;

use meetjoin_dag::WorldNames;
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Lattice as _};

use super::read::{BorrowedText, read_value};
use super::sets::{ALL, ALL_OTHERS};

/// The value that [`write_readable`](super::write_readable) writes as this text. `None` if there is
/// none, or if it depends on the name of a world that another world has too.
///
/// Cost: the names of all worlds.
pub fn read_readable(
    lattice: &AnyLattice,
    text: &str,
    worlds: Option<&WorldNames>,
) -> Option<AnyElem> {
    let places = None;
    let rest = text;
    let mut text = Text {
        rest,
        worlds,
        places,
    };
    let value = text.value(lattice)?;
    text.rest.trim().is_empty().then_some(value)
}

/// What is still to be read.
struct Text<'a> {
    rest: &'a str,
    worlds: Option<&'a WorldNames>,
    /// The element of each name, and none of a name that several have; made for the first list.
    places: Option<HashMap<Cow<'a, str>, Option<usize>>>,
}

impl<'a> Text<'a> {
    fn value(&mut self, lattice: &AnyLattice) -> Option<AnyElem> {
        match lattice {
            AnyLattice::Dual(dual) => self.value(&dual.0),
            AnyLattice::Product(product) => {
                self.take("(")?;
                let mut values = Vec::new();
                for (place, factor) in product.factors().iter().enumerate() {
                    if place > 0 {
                        self.take(",")?;
                    }
                    values.push(self.value(factor)?);
                }
                self.take(")")?;
                Some(AnyElem::Tuple(values.into()))
            }
            AnyLattice::Finite(finite) => {
                let (name, _) = self.name(&[',', ')'])?;
                let Some(names) = finite.names() else {
                    return read_value(lattice, &name).ok();
                };
                let place = names.iter().position(|other| *other == name)?;
                Some(AnyElem::Element(u32::try_from(place).ok()?))
            }
            AnyLattice::SmallPowerset(_) | AnyLattice::Powerset(_) => lattice.set(self.set()?),
            AnyLattice::SmallFamilies(_) | AnyLattice::Families(_) => {
                let mut family = lattice.bottom();
                if self.take("no set").is_none() {
                    for set in self.each(Self::set)? {
                        let set = lattice.set(set)?;
                        let joined = lattice.join_assign(&mut family, &set, &Budget::unlimited());
                        joined.ok()?;
                    }
                }
                Some(family)
            }
            AnyLattice::Monotone(functions) => {
                let none = self.take("no set").is_some();
                let sets = if none {
                    Vec::new()
                } else {
                    self.each(Self::events)?
                };
                let function = functions.of_sets(&sets, &Budget::unlimited());
                function.ok().map(AnyElem::Function)
            }
            AnyLattice::Free(_) => {
                if self.take("no packet").is_some() {
                    return Some(lattice.bottom());
                }
                if self.take("the empty packet").is_some() {
                    return read_value(lattice, "[[]]").ok();
                }
                let packets = self.each(Self::packet)?;
                read_value(lattice, &format!("[{}]", packets.join(","))).ok()
            }
            AnyLattice::Bool(_)
            | AnyLattice::Integers(_)
            | AnyLattice::Decimals(_)
            | AnyLattice::Divisors(_) => {
                let (number, _) = self.name(&[',', ')'])?;
                let as_text = || serde_json::to_string(&number).ok();
                let value = read_value(lattice, &number).ok();
                value.or_else(|| read_value(lattice, &as_text()?).ok())
            }
        }
    }

    /// Reads a sign or a word, if it comes next.
    fn take(&mut self, sign: &str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(sign)?;
        Some(())
    }

    /// Reads a name up to one of these signs, and says whether it is in quotes.
    fn name(&mut self, ends: &[char]) -> Option<(Cow<'a, str>, bool)> {
        let rest = self.rest.trim_start();
        if rest.starts_with('"') {
            let mut texts =
                serde_json::Deserializer::from_str(rest).into_iter::<BorrowedText<'_>>();
            let name = texts.next()?.ok()?.0;
            self.rest = &rest[texts.byte_offset()..];
            return Some((name, true));
        }
        let (name, rest) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        self.rest = rest;
        Some((name.trim_end().into(), false))
    }

    /// Reads one item in braces or more.
    fn each<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.rest.trim_start().starts_with('{') {
            items.push(item(self)?);
        }
        Some(items)
    }

    /// Reads a set: points by world, or a list of elements.
    fn set(&mut self) -> Option<Vec<usize>> {
        let begin = self.rest;
        if let Some(set) = self.points() {
            return Some(set);
        }
        self.rest = begin;
        self.list(|text| {
            let (name, _) = text.name(&[',', '}'])?;
            text.place(&name)
        })
    }

    /// Reads a list in braces.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.take("{")?;
        let mut items = Vec::new();
        if self.take("}").is_some() {
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(",").is_none() {
                self.take("}")?;
                return Some(items);
            }
        }
    }

    /// Reads a set of events, negative for those that do not occur.
    fn events(&mut self) -> Option<Vec<i64>> {
        self.list(|text| {
            // A name that begins with this sign is in quotes, and one that is nothing else is `-`.
            let rest = text.rest.trim_start().strip_prefix('-');
            let is_name = rest.is_some_and(|rest| rest.starts_with([',', '}']));
            let is_not = !is_name && text.take("-").is_some();
            let (name, _) = text.name(&[',', '}'])?;
            let event = i64::try_from(text.place(&name)?).ok()? + 1;
            Some(if is_not { -event } else { event })
        })
    }

    /// Reads a packet, as JSON.
    fn packet(&mut self) -> Option<String> {
        let rest = self.rest.trim_start();
        let (packet, rest) = rest.split_at(rest.find('}')? + 1);
        self.rest = rest;
        let outcomes = packet.strip_prefix('{')?.strip_suffix('}')?;
        let outcomes = outcomes.replace(") (", "],[");
        Some(format!(
            "[{}]",
            outcomes.replace('(', "[").replace(')', "]")
        ))
    }

    /// The element with a name, or with a number if elements have no names.
    fn place(&mut self, name: &str) -> Option<usize> {
        let Some(worlds) = self.worlds else {
            return name.parse::<usize>().ok()?.checked_sub(1);
        };
        let places = self.places.get_or_insert_with(|| {
            let mut places = HashMap::new();
            for (place, name) in worlds.iter().enumerate() {
                let known = places.entry(name);
                known
                    .and_modify(|known| *known = None)
                    .or_insert(Some(place));
            }
            places
        });
        *places.get(name)?
    }

    /// Reads the points of each world, if elements are stakes.
    fn points(&mut self) -> Option<Vec<usize>> {
        let worlds = self.worlds.filter(|worlds| worlds.are_stakes())?;
        let (mut sure, mut others) = (HashMap::new(), None);
        self.take("{")?;
        loop {
            let rest = self.rest.trim_start();
            let (number, rest) = rest.split_once(' ')?;
            self.rest = rest;
            let points: u32 = number.parse().ok()?;
            let words = ["points in ", "point in ", "in "];
            words.iter().find_map(|words| self.take(words))?;
            loop {
                let (name, is_quoted) = self.name(&['|', ';', '}'])?;
                if !is_quoted && [ALL, ALL_OTHERS].contains(&&*name) {
                    others = Some(points);
                } else if sure.insert(name, points).is_some() {
                    return None;
                }
                if self.take("|").is_none() {
                    break;
                }
            }
            if self.take(";").is_none() {
                break;
            }
        }
        self.take("}")?;
        let set = worlds.stakes(|world| sure.remove(world).or(others))?;
        sure.is_empty().then_some(set)
    }
}
