//! Builds and writes certificates. Checks do not depend on this code.

use std::io::{self, Write};

use meetjoin_file::write_compact;
use meetjoin_lattice::AnyLattice;

use crate::certificate::{Certificate, FORMAT, Header, NONE, Packed, some};

impl Certificate {
    /// Adds a step; the first is the root's. `children` has for each child the index of its step,
    /// or `None`. In a file these must be later steps, as [`sorted`](Self::sorted) arranges.
    pub fn push(
        &mut self,
        lower: Option<u32>,
        upper: Option<u32>,
        bound: bool,
        children: impl IntoIterator<Item = Option<u32>>,
    ) {
        self.steps.push(Packed {
            lower: lower.unwrap_or(NONE),
            upper: upper.unwrap_or(NONE),
            bound,
            links: self.links.len() as u32,
        });
        let links = children.into_iter().map(|child| child.unwrap_or(NONE));
        self.links.extend(links);
    }

    /// Sorts steps so that each comes before those of its children, and drops steps that cannot be
    /// reached from the first.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        let mut seen = vec![false; self.len()];
        let mut path: Vec<(u32, usize)> = Vec::new();
        if let Some(first) = seen.first_mut() {
            *first = true;
            path.push((0, 0));
        }
        let mut order = Vec::new();
        while let Some((number, next)) = path.last_mut() {
            let Some(&link) = self.step(*number as usize).links.get(*next) else {
                order.push(*number);
                path.pop();
                continue;
            };
            *next += 1;
            if link != NONE && !std::mem::replace(&mut seen[link as usize], true) {
                path.push((link, 0));
            }
        }
        order.reverse();
        let mut places = vec![NONE; self.len()];
        for (place, number) in (0..).zip(&order) {
            places[*number as usize] = place;
        }
        let problem = std::mem::take(&mut self.problem);
        let values = std::mem::take(&mut self.values);
        let mut sorted = Self {
            no_heavier: self.no_heavier.take(),
            ..Self::new(problem, self.at_least.take(), values)
        };
        for number in order {
            let step = self.step(number as usize);
            let children = step.children().map(|child| some(places[child? as usize]));
            sorted.push(step.lower, step.upper, step.bound, children);
        }
        sorted
    }

    /// Writes the file. `lattice` is that of the problem.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, lattice: &AnyLattice, mut out: impl Write) -> io::Result<()> {
        let mut line = String::new();
        let raw = |json: String| serde_json::value::RawValue::from_string(json);
        let at_least = self.at_least.as_ref().map(|value| {
            write_compact(lattice, value, &mut line);
            raw(std::mem::take(&mut line))
        });
        let header = Header {
            problem: self.problem.clone(),
            at_least: at_least.transpose()?,
            no_heavier: self.no_heavier.clone(),
            values: self.values.len() as u64,
            steps: self.steps.len() as u64,
        };
        writeln!(out, "{FORMAT}\n{}", serde_json::to_string(&header)?)?;
        for value in &self.values {
            line.clear();
            write_compact(self.lattice(lattice), value, &mut line);
            writeln!(out, "{line}")?;
        }
        for number in 0..self.len() {
            let step = self.step(number);
            for (place, bound) in [step.lower, step.upper].into_iter().enumerate() {
                let space = if place == 0 { "" } else { " " };
                match bound {
                    Some(bound) => write!(out, "{space}{bound}")?,
                    None => write!(out, "{space}-")?,
                }
            }
            if step.bound {
                write!(out, " b")?;
            }
            for child in step.children() {
                match child {
                    Some(child) => write!(out, " {}", u64::from(child) - number as u64)?,
                    None => write!(out, " -")?,
                }
            }
            writeln!(out)?;
        }
        writeln!(out, "end")
    }
}
