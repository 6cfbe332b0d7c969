//! The store for explicit graphs: nodes are small numbers, so nothing has to be hashed in earnest.
//!
//! Problem: an array of values for all nodes of a large graph takes time and memory for nodes that no search ever sees, and many searches see few.
//! An array of entry numbers does not, but each look-up then misses the processor's cache twice.
//!
//! Idea: begin with a table by open addressing, whose hash is one multiplication and whose entries lie in it, so that a look-up misses the
//! cache once, and not even that as long as few nodes are known. When it would take as much room as an array does, go over to
//! pages of 256 neighbouring nodes, made when the first of them is stored. The list of pages is small enough to stay in the processor's cache.
//!
//! Cost: for n entries of a sparse search two to four times their room; 16 bytes for each 256 nodes of the graph, and for each page with an entry
//! the room for all its nodes, from the time on when there are pages.

use std::marker::PhantomData;

use meetjoin_dag::DenseNode;
use meetjoin_lattice::{Budget, Stop};

use crate::Store;

/// Nodes in a page.
const PAGE: usize = 256;
/// Places that a sparse table begins with.
const FIRST: usize = 64;
/// A sparse table has at most one place for so many nodes of the graph.
const SPARSE: usize = 2;

type Page<V> = Box<[Option<V>]>;

/// A cache for the nodes `0..n` of an explicit graph. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Dense<N, V> {
    entries: Entries<V>,
    nodes: usize,
    len: usize,
    node: PhantomData<fn(&N)>,
}

#[derive(Clone, Debug)]
enum Entries<V> {
    /// A power of two of places, or none; at most half of them are in use. An entry lies at its own place or, past others, after it.
    Few(Vec<Option<(u32, V)>>),
    /// A page without entries is empty.
    Many(Vec<Page<V>>),
}

impl<N: DenseNode, V> Dense<N, V> {
    /// An empty cache for a graph of `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Self {
            entries: Entries::Few(Vec::new()),
            nodes,
            len: 0,
            node: PhantomData,
        }
    }

    /// Makes room for one more entry in the sparse table, or goes over to pages.
    #[cold]
    fn grow(&mut self, budget: &Budget) -> Result<(), Stop> {
        let Entries::Few(places) = &mut self.entries else {
            return Ok(());
        };
        let larger = (2 * places.len()).max(FIRST);
        if larger > self.nodes / SPARSE {
            budget.room((self.nodes.div_ceil(PAGE) * size_of::<Page<V>>()) as u64)?;
            let pages = self.nodes.div_ceil(PAGE);
            let mut pages: Vec<Page<V>> = (0..pages).map(|_| Page::default()).collect();
            let touched = places.iter().flatten().map(|(key, _)| *key as usize / PAGE);
            for page in touched {
                make_page(&mut pages[page], budget)?;
            }
            for (key, value) in places.drain(..).flatten() {
                let key = key as usize;
                pages[key / PAGE][key % PAGE] = Some(value);
            }
            self.entries = Entries::Many(pages);
        } else {
            budget.room((larger * size_of::<Option<(u32, V)>>()) as u64)?;
            let mut next: Vec<Option<(u32, V)>> = Vec::new();
            next.resize_with(larger, || None);
            for (key, value) in std::mem::take(places).into_iter().flatten() {
                let place = place_of(&next, key);
                next[place] = Some((key, value));
            }
            *places = next;
        }
        Ok(())
    }
}

/// Makes a page, if it is not there.
fn make_page<V>(page: &mut Page<V>, budget: &Budget) -> Result<(), Stop> {
    if page.is_empty() {
        budget.room((PAGE * size_of::<Option<V>>()) as u64)?;
        *page = (0..PAGE).map(|_| None).collect();
    }
    Ok(())
}

/// Where the entry of a key is, or belongs. Some place is free.
#[inline]
fn place_of<V>(places: &[Option<(u32, V)>], key: u32) -> usize {
    let mask = places.len() - 1;
    // The upper bits of a product with an odd number depend on all bits of the key (Knuth 1973, 6.4).
    let hash = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut place = (hash >> 32) as usize & mask;
    while let Some((known, _)) = &places[place]
        && *known != key
    {
        place = (place + 1) & mask;
    }
    place
}

impl<N: DenseNode, V> Store<N, V> for Dense<N, V> {
    type Slot = ();
    type Ref<'a>
        = &'a V
    where
        Self: 'a,
        V: 'a;

    fn no_slot(&self) {}

    #[inline]
    fn get(&self, node: &N) -> ((), Option<&V>) {
        let index = node.index();
        let value = match &self.entries {
            Entries::Few(places) if places.is_empty() => None,
            Entries::Few(places) => {
                let key = u32::try_from(index).ok();
                let entry = key.and_then(|key| places[place_of(places, key)].as_ref());
                entry.map(|(_, value)| value)
            }
            Entries::Many(pages) => {
                let page = pages.get(index / PAGE);
                let entry = page.and_then(|page| page.get(index % PAGE));
                entry.and_then(Option::as_ref)
            }
        };
        ((), value)
    }

    #[inline]
    fn put(&mut self, (): (), node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        let index = node.index();
        // A node beyond the graph, or one too large to be numbered, is forgotten at once, which any store may do.
        let Some(key) = u32::try_from(index).ok().filter(|_| index < self.nodes) else {
            return Ok(());
        };
        if let Entries::Few(places) = &self.entries
            && 2 * (self.len + 1) > places.len()
        {
            self.grow(budget)?;
        }
        let entry = match &mut self.entries {
            Entries::Few(places) => {
                let place = place_of(places, key);
                let entry = &mut places[place];
                self.len += usize::from(entry.is_none());
                *entry = Some((key, value));
                return Ok(());
            }
            Entries::Many(pages) => {
                let page = &mut pages[index / PAGE];
                make_page(page, budget)?;
                &mut page[index % PAGE]
            }
        };
        self.len += usize::from(entry.is_none());
        *entry = Some(value);
        Ok(())
    }

    fn len(&self) -> usize {
        self.len
    }
}
