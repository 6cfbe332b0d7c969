//! Caches of one thread or shared by threads, chosen at run time, so that a search is compiled once
//! for both.
//!
//! Problem: threads that share a store must all get the same one. But a search makes its caches
//! itself, of types that only it knows, some of them in the middle of its work.
//!
//! Idea: every thread runs the same search, so all ask for the same caches in the same order. The
//! first thread that asks makes a cache, and the others get it. Its key is the search, as entries
//! may be true of one search only, its type, and its number among the caches of that type.
//!
//! Invariant: which caches a search asks for depends on values alone, and never on time or other
//! threads. Where it does, the search asks for a cache of [its own](Stores::own).

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use meetjoin_lattice::{Budget, Stop};

use crate::caches::in_progress::InProgress;
use crate::caches::shared::{Read, SharedView};
use crate::{SharedTable, Slot, Store, Stores};

/// The caches shared by threads.
pub struct SharedCaches {
    threads: usize,
    bytes: Option<usize>,
    made: Mutex<Vec<Made>>,
}

/// A cache that some thread asked for.
struct Made {
    key: Key,
    what: Box<dyn Any + Send>,
    /// The number of threads that have not asked for it yet.
    to_come: usize,
}

/// The search, the type, and the number of caches of this type requested before.
type Key = (u64, TypeId, u64);

impl Debug for SharedCaches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedCaches for {} threads", self.threads)
    }
}

impl SharedCaches {
    /// Caches for so many threads, each growing or of at most `bytes` bytes.
    pub fn new(threads: usize, bytes: Option<usize>) -> Self {
        Self {
            threads,
            bytes,
            made: Mutex::default(),
        }
    }

    /// The cache with this key, made at the first request.
    fn get<T: Clone + Send + 'static>(&self, key: Key, make: impl FnOnce() -> T) -> T {
        let mut all = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.iter().position(|made| made.key == key);
        let place = place.unwrap_or_else(|| {
            all.push(Made {
                key,
                what: Box::new(make()),
                to_come: self.threads,
            });
            all.len() - 1
        });
        let made = all[place].what.downcast_ref::<T>().cloned();
        all[place].to_come = all[place].to_come.saturating_sub(1);
        // All threads have it, so it is dropped here, unless it outlives the search.
        if all[place].to_come == 0 && key.0 != 0 {
            all.swap_remove(place);
        }
        made.unwrap_or_else(|| unreachable!("the key has the type"))
    }
}

/// The factory of one thread's shared caches. Clones share their counters.
#[derive(Clone)]
pub struct SharedStores {
    caches: Arc<SharedCaches>,
    asked: Rc<RefCell<Asked>>,
}

#[derive(Default)]
struct Asked {
    /// The number of the search, from 1 on; 0 before the first.
    search: u64,
    /// The number of caches of each type that this thread has requested in the search.
    of_type: Vec<(TypeId, u64)>,
}

impl Debug for SharedStores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedStores of {:?}", self.caches)
    }
}

impl SharedStores {
    /// The factory for one of the threads. Caches requested before a search [begins](Self::begin)
    /// are kept for all searches.
    pub fn new(caches: &Arc<SharedCaches>) -> Self {
        Self {
            caches: Arc::clone(caches),
            asked: Rc::default(),
        }
    }

    /// Begins a search, which must have the same number in all threads, from 1 on.
    pub fn begin(&self, search: u64) {
        *self.asked.borrow_mut() = Asked {
            search,
            of_type: Vec::new(),
        };
    }

    fn in_turn<T: Clone + Send + 'static>(&self, make: impl FnOnce() -> T) -> T {
        let mut asked = self.asked.borrow_mut();
        let this = TypeId::of::<T>();
        let place = asked.of_type.iter().position(|(other, _)| *other == this);
        let place = place.unwrap_or_else(|| {
            asked.of_type.push((this, 0));
            asked.of_type.len() - 1
        });
        let number = asked.of_type[place].1;
        asked.of_type[place].1 += 1;
        let key = (asked.search, this, number);
        self.caches.get(key, make)
    }

    fn table<N, V>(&self) -> SharedTable<N, V>
    where
        N: Clone + Eq + Hash,
        V: Clone,
    {
        SharedTable::new(self.caches.bytes)
    }
}

/// A factory of caches of one thread, or of shared ones.
#[derive(Clone, Debug)]
pub enum Sharing<S> {
    /// For a single thread.
    Own(S),
    /// For several threads. Caches that a thread does not share come from the second factory.
    Shared(SharedStores, S),
}

impl<N, S> Stores<N> for Sharing<S>
where
    N: Clone + Eq + Hash + Send + 'static,
    S: Stores<N>,
{
    type Store<T: Clone + Send + 'static> = SharingStore<S::Store<T>, N, T>;

    fn store<T: Clone + Send + 'static>(&self) -> Self::Store<T> {
        match self {
            Self::Own(stores) => SharingStore::Own(stores.store()),
            Self::Shared(stores, _) => {
                SharingStore::Shared(stores.in_turn(|| stores.table()).view())
            }
        }
    }

    fn own<T: Clone + Send + 'static>(&self) -> Self::Store<T> {
        match self {
            Self::Own(stores) | Self::Shared(_, stores) => SharingStore::Own(stores.own()),
        }
    }

    fn threads(&self) -> usize {
        match self {
            Self::Own(_) => 1,
            Self::Shared(stores, _) => stores.caches.threads,
        }
    }

    fn common<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        match self {
            Self::Own(stores) => stores.common(),
            Self::Shared(stores, _) => stores.in_turn(Arc::default),
        }
    }
}

/// A cache of one thread, or a shared one.
#[derive(Debug)]
pub enum SharingStore<S, N: Clone + Eq, V> {
    /// Of one thread.
    Own(S),
    /// Shared by several threads.
    Shared(SharedView<N, V>),
}

/// An entry read from either kind of cache.
#[derive(Debug)]
pub enum SharingRef<'a, R, V> {
    /// From a cache of one thread.
    Own(R),
    /// From a shared cache.
    Shared(Read<'a, V>),
}

impl<V, R: Deref<Target = V>> Deref for SharingRef<'_, R, V> {
    type Target = V;

    #[inline]
    fn deref(&self) -> &V {
        match self {
            Self::Own(entry) => entry,
            Self::Shared(entry) => entry,
        }
    }
}

impl<S, N, V> Store<N, V> for SharingStore<S, N, V>
where
    N: Clone + Eq + Hash,
    V: Clone,
    S: Store<N, V>,
{
    type Ref<'a>
        = SharingRef<'a, S::Ref<'a>, V>
    where
        Self: 'a,
        V: 'a;

    #[inline]
    fn get(&self, node: &N) -> (Slot, Option<Self::Ref<'_>>) {
        match self {
            Self::Own(store) => {
                let (slot, known) = store.get(node);
                (slot, known.map(SharingRef::Own))
            }
            Self::Shared(store) => {
                let (slot, known) = store.get(node);
                (slot, known.map(SharingRef::Shared))
            }
        }
    }

    #[inline]
    fn put(&mut self, slot: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        match self {
            Self::Own(store) => store.put(slot, node, value, budget),
            Self::Shared(store) => store.put(slot, node, value, budget),
        }
    }

    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        match self {
            Self::Own(store) => store.each(see),
            Self::Shared(store) => store.each(see),
        }
    }

    #[inline]
    fn len(&self) -> usize {
        match self {
            Self::Own(store) => store.len(),
            Self::Shared(store) => store.len(),
        }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        match self {
            Self::Own(store) => store.is_empty(),
            Self::Shared(store) => store.is_empty(),
        }
    }

    #[inline]
    fn in_progress(&self) -> Option<&Arc<InProgress>> {
        match self {
            Self::Own(store) => store.in_progress(),
            Self::Shared(store) => store.in_progress(),
        }
    }
}
