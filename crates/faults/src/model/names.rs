//! The names of a model: public and private ones, in containers within containers.
//!
//! A name is looked up from the innermost container outwards, as it is or as a path with dots. A
//! public name is known at the outermost level too.

use std::collections::BTreeSet;
use std::sync::Arc;

use meetjoin_report::meant;

use crate::map::Map;

/// The number of a text that names something.
pub(crate) type Symbol = u32;

/// The number of a container; 0 is the model itself.
pub(crate) type Container = u32;

/// What names of one kind stand for, by container and name.
pub(crate) type Table<T> = Map<(Container, Symbol), T>;

/// What the name of an event stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Defined {
    Gate(u32),
    Event(u32),
    House(u32),
}

/// See the [module page](self).
#[derive(Clone, Debug)]
pub(crate) struct Names {
    numbers: Map<Arc<str>, Symbol>,
    texts: Vec<Arc<str>>,
    /// By container: the one around it, and its name.
    containers: Vec<(Container, Symbol)>,
    inside: Table<Container>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Self {
            numbers: Map::default(),
            texts: Vec::new(),
            containers: Vec::new(),
            inside: Table::default(),
        };
        let model = names.number("");
        names.containers.push((0, model));
        names
    }
}

impl Names {
    /// The number of a text.
    pub(crate) fn number(&mut self, text: &str) -> Symbol {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let (text, number) = (Arc::<str>::from(text), self.texts.len() as Symbol);
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol as usize]
    }

    /// The number of a text that was met before.
    pub(crate) fn known(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// The end of a sentence about an undefined name: the known name that was probably meant, if
    /// one is similar.
    pub(crate) fn meant(&self, name: Symbol, known: impl IntoIterator<Item = Symbol>) -> String {
        let others = known.into_iter().filter(|known| *known != name);
        // Of several that are as near the first that the files have.
        let known: BTreeSet<Symbol> = others.collect();
        meant(
            self.text(name),
            known.into_iter().map(|known| self.text(known)),
        )
    }

    /// A new container; `None` if there is one of that name.
    pub(crate) fn container(&mut self, around: Container, name: Symbol) -> Option<Container> {
        let number = self.containers.len() as Container;
        match self.inside.insert((around, name), number) {
            None => {
                self.containers.push((around, name));
                Some(number)
            }
            Some(_) => None,
        }
    }

    /// A name with the containers around it.
    pub(crate) fn path(&self, container: Container, name: Symbol) -> String {
        let (mut parts, mut at) = (vec![self.text(name)], container);
        while at != 0 {
            let (around, name) = self.containers[at as usize];
            parts.push(self.text(name));
            at = around;
        }
        parts.reverse();
        parts.join(".")
    }

    /// The bytes of the path of a container.
    pub(crate) fn path_length(&self, container: Container) -> usize {
        let (mut length, mut at) = (0, container);
        while at != 0 {
            let (around, name) = self.containers[at as usize];
            length += self.text(name).len() + 1;
            at = around;
        }
        length
    }

    /// Gives something a name. Returns whether the name was free.
    pub(crate) fn define<T: Copy>(
        table: &mut Table<T>,
        (container, private): (Container, bool),
        name: Symbol,
        what: T,
    ) -> bool {
        let mut free = table.insert((container, name), what).is_none();
        if container != 0 && !private {
            free &= table.insert((0, name), what).is_none();
        }
        free
    }

    /// What a name stands for in a container.
    pub(crate) fn find<T: Copy>(
        &self,
        table: &Table<T>,
        container: Container,
        name: Symbol,
    ) -> Option<T> {
        let has_dots = self.text(name).contains('.');
        let mut at = container;
        loop {
            if let Some(found) = table.get(&(at, name)) {
                return Some(*found);
            }
            if has_dots && let Some(found) = self.along(table, at, name) {
                return Some(found);
            }
            if at == 0 {
                return None;
            }
            at = self.containers[at as usize].0;
        }
    }

    /// What a path from a container leads to.
    fn along<T: Copy>(&self, table: &Table<T>, from: Container, path: Symbol) -> Option<T> {
        let mut at = from;
        let mut parts = self.text(path).split('.').peekable();
        while let Some(part) = parts.next() {
            let name = self.known(part)?;
            if parts.peek().is_none() {
                return table.get(&(at, name)).copied();
            }
            at = *self.inside.get(&(at, name))?;
        }
        None
    }
}
