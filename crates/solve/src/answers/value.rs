//! Values in answers, and how they are written for programs and for people.

use std::fmt::Debug;
use std::sync::Arc;

use meetjoin_dag::WorldNames;
use meetjoin_file::{print_value, read_readable, readable_lines, write_readable};
use meetjoin_lattice::{Antichain, AnyElem, AnyLattice, Interval, WorldSet};
use meetjoin_report::unbroken;

/// A value, or a bound of one.
#[derive(Clone, Debug)]
pub enum Value {
    /// An element of a lattice that a file can describe.
    Element {
        /// The element.
        element: AnyElem,
        /// Its lattice.
        domain: Arc<Domain>,
    },
    /// Sets of worlds that have names of their own.
    Sets {
        /// Ascending lists of worlds, counted from 0.
        sets: Vec<Vec<usize>>,
        /// Whether the value is a family of sets, and not one set.
        is_family: bool,
        /// How worlds are written.
        names: Arc<dyn Names>,
    },
    /// The least or the greatest value, not written as a list.
    End {
        /// Whether it is the greatest.
        top: bool,
    },
}

/// A lattice, and the names of its worlds if they have names.
#[derive(Clone, Debug)]
pub struct Domain {
    /// The lattice.
    pub lattice: AnyLattice,
    /// The names.
    pub worlds: Option<WorldNames>,
}

impl Domain {
    /// The element that is printed as this text; one set also without its braces: `{sun,wet}`,
    /// `sun`. `None` if there is none, and if two worlds of it have the same name.
    ///
    /// Cost: the names of all worlds.
    pub fn read_readable(&self, text: &str) -> Option<AnyElem> {
        let text = unbroken(text);
        let read = |text: &str| read_readable(&self.lattice, text, self.worlds.as_ref());
        read(&text).or_else(|| read(&format!("{{{text}}}")))
    }
}

/// Writes sets of worlds, which are given as ascending lists of worlds, numbered from 0.
pub trait Names: Debug + Send + Sync {
    /// As JSON.
    fn json(&self, set: &[usize]) -> String;

    /// For people.
    fn readable(&self, set: &[usize]) -> String;

    /// Several sets for people.
    fn readable_family(&self, sets: &[Vec<usize>]) -> String {
        if sets.is_empty() {
            return "no set".to_owned();
        }
        let sets: Vec<String> = sets.iter().map(|set| self.readable(set)).collect();
        sets.join(" ")
    }

    /// Several sets for people, in lines.
    fn lines(&self, sets: &[Vec<usize>]) -> Vec<String> {
        vec![self.readable_family(sets)]
    }
}

/// Sets as ascending lists of worlds, in the order of all answers.
pub fn sorted<B: WorldSet>(sets: &[B]) -> Vec<Vec<usize>> {
    let sets = sets.iter().map(|set| set.ones().collect());
    let mut sets: Vec<Vec<usize>> = sets.collect();
    sets.sort_unstable();
    sets
}

/// Converts both bounds for display.
pub fn shown<E, T>(bounds: &Interval<E>, show: impl Fn(&E) -> T) -> Interval<T> {
    match bounds {
        Interval::Exact(value) => Interval::Exact(show(value)),
        Interval::Between { lower, upper } => Interval::Between {
            lower: show(lower),
            upper: show(upper),
        },
    }
}

impl Value {
    /// Returns whether both are the same element of a lattice that a file can describe.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Element { element: a, .. }, Self::Element { element: b, .. }) => a == b,
            _ => false,
        }
    }

    /// An element of a lattice that a file can describe.
    pub fn of(element: AnyElem, domain: &Arc<Domain>) -> Self {
        Self::Element {
            element,
            domain: Arc::clone(domain),
        }
    }

    /// A family of sets of worlds.
    pub fn family<B: WorldSet>(family: &Antichain<B>, names: &Arc<dyn Names>) -> Self {
        Self::Sets {
            sets: sorted(family.maximal()),
            is_family: true,
            names: Arc::clone(names),
        }
    }

    /// One set of worlds.
    pub fn set(set: Vec<usize>, names: &Arc<dyn Names>) -> Self {
        Self::Sets {
            sets: vec![set],
            is_family: false,
            names: Arc::clone(names),
        }
    }

    /// As JSON.
    pub fn json(&self) -> String {
        match self {
            Self::Element { element, domain } => {
                let mut text = String::new();
                print_value(&domain.lattice, element, &mut text);
                text
            }
            Self::Sets {
                sets,
                is_family,
                names,
            } => {
                let sets: Vec<String> = sets.iter().map(|set| names.json(set)).collect();
                let sets = sets.join(",");
                if *is_family {
                    format!("[{sets}]")
                } else {
                    sets
                }
            }
            Self::End { .. } => format!("\"{}\"", self.text()),
        }
    }

    /// For people, in lines: a family of sets of stakes has a line for each set, since each gives
    /// points for every world.
    pub(crate) fn lines(&self) -> Vec<String> {
        match self {
            Self::Element { element, domain } => {
                readable_lines(&domain.lattice, element, domain.worlds.as_ref())
            }
            Self::Sets { sets, names, .. } => names.lines(sets),
            Self::End { .. } => vec![self.text()],
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        match self {
            Self::Element { element, domain } => {
                let mut text = String::new();
                let worlds = domain.worlds.as_ref();
                write_readable(&domain.lattice, element, worlds, &mut text);
                text
            }
            Self::Sets { sets, names, .. } => names.readable_family(sets),
            Self::End { top: false } => "bottom".to_owned(),
            Self::End { top: true } => "top".to_owned(),
        }
    }
}

/// The worlds of a problem file.
#[derive(Debug)]
pub(crate) struct Worlds {
    sets: AnyLattice,
    names: Option<WorldNames>,
}

impl Worlds {
    /// Worlds of a problem, with their names if they have names.
    pub(crate) fn new(worlds: usize, names: Option<&WorldNames>) -> Self {
        Self {
            sets: AnyLattice::powerset(worlds),
            names: names.cloned(),
        }
    }
}

impl Names for Worlds {
    fn json(&self, set: &[usize]) -> String {
        let mut text = String::new();
        if let Some(value) = self.sets.set(set.iter().copied()) {
            print_value(&self.sets, &value, &mut text);
        }
        text
    }

    fn readable(&self, set: &[usize]) -> String {
        let mut text = String::new();
        if let Some(value) = self.sets.set(set.iter().copied()) {
            write_readable(&self.sets, &value, self.names.as_ref(), &mut text);
        }
        text
    }

    fn lines(&self, sets: &[Vec<usize>]) -> Vec<String> {
        let are_stakes = self.names.as_ref().is_some_and(WorldNames::are_stakes);
        if sets.is_empty() || !are_stakes {
            return vec![self.readable_family(sets)];
        }
        sets.iter().map(|set| self.readable(set)).collect()
    }
}
