//! Maps ids to numbers, fast for ids as programs write them.
//!
//! Problem: looking up an id in a hash table of ten million costs three cache misses (table,
//! number, id), which was most of the time of reading a large file.
//!
//! Idea: programs number their nodes densely, and mostly write them in that order. As long as nodes
//! are defined as consecutive integers, ids need neither a look-up nor memory. At the first other
//! id, be it the last node, the nodes are renumbered once, and from then on there is a table: an
//! array indexed by the id itself serves all integers up to a few times the number of ids met so
//! far, with one miss and nothing to compare; other integers and texts go through the hash table.
//!
//! Invariant: an integer id within the array is found there, and nowhere else. So when the array
//! grows, the ids that it newly covers are moved there; as it grows by doubling, that costs
//! amortized constant time for each id.
//!
//! Cost: nothing for consecutive integers. Otherwise at most 32 bytes of array per id, of which
//! dense ids touch 4.

use meetjoin_dag::{Graph, GraphError, Interner, Mention, NameView, NodeName, Numbering};

/// The array is grown to this many times the number of ids, rounded up to a power of two.
const SPARSE: usize = 4;

/// All ids met so far.
pub(super) enum Names {
    /// Nodes are defined as consecutive integers, and the number of mention is the id minus the
    /// first one.
    Consecutive {
        /// The id of the first node, once that is known.
        first: Option<i64>,
        /// The number of defined nodes, including the one that is being read.
        defined: u32,
    },
    /// Ids are arbitrary.
    Any(Known),
}

impl Default for Names {
    fn default() -> Self {
        Self::Consecutive {
            first: None,
            defined: 0,
        }
    }
}

impl Names {
    /// The number of mention of the node that is being defined. `None` when numbers run out.
    #[inline]
    pub(super) fn define(&mut self, id: NameView<'_>, nodes: &mut Numbering) -> Option<Mention> {
        if let (Self::Consecutive { first, defined }, NameView::Int(id)) = (&mut *self, id)
            && *defined as usize == nodes.node_count()
        {
            // Children before the first id were not consecutive.
            let expected = first.get_or_insert(id).checked_add(i64::from(*defined));
            if expected == Some(id) && *defined < u32::MAX - 1 {
                *defined += 1;
                return Some(Mention(*defined - 1));
            }
        }
        self.known(nodes)?.mention(id)
    }

    /// The number of mention of a child. `None` when numbers run out.
    #[inline]
    pub(super) fn mention(&mut self, id: NameView<'_>, nodes: &mut Numbering) -> Option<Mention> {
        if let (
            Self::Consecutive {
                first: Some(first), ..
            },
            NameView::Int(id),
        ) = (&*self, id)
        {
            let number = id.checked_sub(*first).and_then(|n| u32::try_from(n).ok());
            if let Some(number) = number.filter(|&number| number < u32::MAX) {
                return Some(Mention(number));
            }
        }
        self.known(nodes)?.mention(id)
    }

    /// The table of ids. If none was needed so far, it is made now, and children are converted from
    /// ids to numbers of mention.
    fn known(&mut self, nodes: &mut Numbering) -> Option<&mut Known> {
        if let Self::Consecutive { first, defined } = *self {
            let mut known = Known::default();
            let first = first.unwrap_or_default();
            // These sums were differences, so nothing wraps.
            let mut of =
                |number: u32| known.mention(NameView::Int(first.wrapping_add(number.into())));
            for node in 0..defined {
                of(node)?;
            }
            nodes.renumber(|child| of(child.0))?;
            *self = Self::Any(known);
        }
        match self {
            Self::Any(known) => Some(known),
            Self::Consecutive { .. } => None,
        }
    }

    /// The id with this number of mention.
    pub(super) fn get(&self, mention: Mention) -> Option<NodeName> {
        match self {
            Self::Consecutive { first, .. } => {
                Some(NodeName::Int((*first)?.wrapping_add(mention.0.into())))
            }
            Self::Any(known) => known.ids.get(mention.0).cloned(),
        }
    }

    /// The graph and the names of its nodes.
    pub(super) fn build(
        mut self,
        mut nodes: Numbering,
        root: &NodeName,
    ) -> Result<(Graph, meetjoin_dag::Names), GraphError<NodeName>> {
        if let Self::Consecutive { first, defined } = self
            && defined as usize == nodes.node_count()
        {
            let first = first.unwrap_or_default();
            let place = match root {
                NodeName::Int(root) => root.checked_sub(first),
                NodeName::Text(_) => None,
            };
            let root = place
                .and_then(|place| u32::try_from(place).ok())
                .filter(|&place| place < defined)
                .ok_or_else(|| GraphError::MissingRoot(root.clone()))?;
            let name = |node| NodeName::Int(first.wrapping_add(u32::from(node).into()));
            let graph = nodes.build_in_order(Mention(root), name)?;
            let count = graph.node_count();
            return Ok((graph, meetjoin_dag::Names::From { first, count }));
        }
        let known = self.known(&mut nodes).ok_or(GraphError::TooLarge)?;
        let root = known.mention(root.view()).ok_or(GraphError::TooLarge)?;
        let ids = std::mem::take(known).ids.into_things();
        let (graph, ids) = nodes.build(ids, root)?;
        Ok((graph, ids.into()))
    }
}

/// Ids in a table.
#[derive(Default)]
pub(super) struct Known {
    ids: Interner<NodeName>,
    /// By integer id: one more than its number of mention, or 0.
    direct: Vec<u32>,
}

impl Known {
    /// The number of mention of an id. `None` when numbers run out.
    #[inline]
    fn mention(&mut self, id: NameView<'_>) -> Option<Mention> {
        let Some(place) = self.direct_place(id) else {
            let known = self.ids.things().len();
            let mention = self
                .ids
                .intern(&id, |other| other.view() == id, || id.to_name())?;
            if self.ids.things().len() > known {
                self.make_room();
            }
            return Some(Mention(mention));
        };
        if let Some(mention) = self.direct[place].checked_sub(1) {
            return Some(Mention(mention));
        }
        let mention = self.ids.push(id.to_name())?;
        self.direct[place] = mention + 1;
        self.make_room();
        Some(Mention(mention))
    }

    /// The index of an id in the array, if it belongs there.
    #[inline]
    fn direct_place(&self, id: NameView<'_>) -> Option<usize> {
        match id {
            NameView::Int(id) => {
                let place = usize::try_from(id).ok();
                place.filter(|&place| place < self.direct.len())
            }
            NameView::Text(_) => None,
        }
    }

    /// Grows the array with the number of ids.
    fn make_room(&mut self) {
        let covered = self.direct.len();
        if self.ids.things().len() <= covered / 2 {
            return;
        }
        let room = (SPARSE * self.ids.things().len()).next_power_of_two();
        if self.direct.try_reserve_exact(room - covered).is_err() {
            // The hash table serves as well, and fails if there is no memory.
            return;
        }
        self.direct.resize(room, 0);
        for (mention, id) in self.ids.things().iter().enumerate() {
            if let Some(place) = self
                .direct_place(id.view())
                .filter(|&place| place >= covered)
            {
                self.direct[place] = mention as u32 + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_numbers_while_the_array_grows_over_them() {
        let mut names = Known::default();
        // Dense ids, far ones that the array reaches later, negative ones, texts; each met three
        // times.
        let far = |i: i64| i * i * 37 + 100;
        let mut expected = Vec::new();
        for round in 0..3 {
            for i in 0..3000_i64 {
                let text = format!("{i}");
                let ids = [
                    NameView::Int(i),
                    NameView::Int(far(i)),
                    NameView::Int(-i - 1),
                    NameView::Int(i64::MAX - i),
                    NameView::Text(&text),
                ];
                for id in ids {
                    let mention = names.mention(id).expect("numbers suffice");
                    let number = mention.0 as usize;
                    if round == 0 && number == expected.len() {
                        expected.push(id.to_name());
                    }
                    assert!(expected[number].view() == id);
                }
            }
        }
        assert!(
            expected.len() < 5 * 3000,
            "some of the far ids are among the dense ones"
        );
        assert_eq!(names.ids.into_things(), expected);
    }
}
