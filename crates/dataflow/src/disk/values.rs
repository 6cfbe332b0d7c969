//! The values of one level, by numbers.
//!
//! Idea: elements are interned as numbers; meets and joins of small numbers are memoized. On disk
//! and on the way to another worker an element is its JSON text, which reads back as the same
//! element.

use std::collections::HashMap;

use meetjoin_dag::Kind;
use meetjoin_file::{read_value, write_compact};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Lattice, Stop};

/// Meets and joins of numbers below this are memoized.
const SMALL: usize = 256;
/// No result yet.
const UNKNOWN: u32 = u32::MAX;

/// Elements of a lattice by numbers.
pub(crate) struct Values {
    lattice: AnyLattice,
    elements: Vec<AnyElem>,
    texts: Vec<String>,
    numbers: HashMap<AnyElem, u32>,
    of_texts: HashMap<String, u32>,
    /// Meets, then joins, of small numbers.
    known: Vec<u32>,
    bottom: u32,
    top: u32,
}

impl Values {
    pub(crate) fn new(lattice: AnyLattice) -> Self {
        let (bottom, top) = (lattice.bottom(), lattice.top());
        let mut values = Self {
            lattice,
            elements: Vec::new(),
            texts: Vec::new(),
            numbers: HashMap::new(),
            of_texts: HashMap::new(),
            known: vec![UNKNOWN; 2 * SMALL * SMALL],
            bottom: 0,
            top: 0,
        };
        values.bottom = values.number(bottom);
        values.top = values.number(top);
        values
    }

    /// The number of an element.
    pub(crate) fn number(&mut self, element: AnyElem) -> u32 {
        if let Some(number) = self.numbers.get(&element) {
            return *number;
        }
        // Memory runs out before numbers do.
        let number = self.elements.len() as u32;
        let mut text = String::new();
        write_compact(&self.lattice, &element, &mut text);
        self.elements.push(element.clone());
        self.numbers.insert(element, number);
        self.of_texts.insert(text.clone(), number);
        self.texts.push(text);
        number
    }

    /// The number of the element with this text; `None` if it is no element's.
    pub(crate) fn number_of_text(&mut self, text: &str) -> Option<u32> {
        if let Some(number) = self.of_texts.get(text) {
            return Some(*number);
        }
        let element = read_value(&self.lattice, text).ok()?;
        let number = self.number(element);
        self.of_texts.insert(text.to_owned(), number);
        Some(number)
    }

    pub(crate) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// The value of a node before its first child.
    pub(crate) fn initial(&self, kind: Kind) -> u32 {
        if kind == Kind::Or {
            self.bottom
        } else {
            self.top
        }
    }

    /// The value of a node that no further child changes.
    pub(crate) fn settled(&self, kind: Kind) -> u32 {
        if kind == Kind::Or {
            self.top
        } else {
            self.bottom
        }
    }

    /// The value of a node that had the value `a`, after a child of value `b`.
    pub(crate) fn combine(
        &mut self,
        kind: Kind,
        a: u32,
        b: u32,
        budget: &Budget,
    ) -> Result<u32, Stop> {
        if a == b {
            return Ok(a);
        }
        let small = (a as usize) < SMALL && (b as usize) < SMALL;
        let table = if kind == Kind::Or { SMALL * SMALL } else { 0 };
        let place = table + (a as usize * SMALL + b as usize) % (SMALL * SMALL);
        if small && self.known[place] != UNKNOWN {
            return Ok(self.known[place]);
        }
        let mut result = self.elements[a as usize].clone();
        let other = &self.elements[b as usize];
        match kind {
            Kind::Or => self.lattice.join_assign(&mut result, other, budget)?,
            _ => self.lattice.meet_assign(&mut result, other, budget)?,
        }
        let result = self.number(result);
        if small {
            self.known[place] = result;
        }
        Ok(result)
    }
}
