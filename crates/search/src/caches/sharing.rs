//! Caches of one thread, or those that threads share: which is known at run time only, and a search
//! is compiled once for both.
//!
//! Problem: threads that share a store must each get the same one. A search makes its caches
//! itself, of types that only it knows, some of them in the middle of its work.
//!
//! Idea: every thread runs the same search, so it asks for the same caches in the same order. The
//! first that asks makes a cache, the others get it: by its type, its number among those of the
//! type, and the search it is asked for in, since entries may be true of one search only.
//!
//! Invariant: what a search asks for depends on values that were found, and never on time or on
//! other threads. Where it does, it asks for a cache of [its own](Stores::own).

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

/// The caches that threads share.
pub struct SharedCaches {
    threads: usize,
    bytes: Option<usize>,
    made: Mutex<Vec<Made>>,
}

/// What some thread asked for.
struct Made {
    key: Key,
    what: Box<dyn Any + Send>,
    /// Threads that have not asked for it yet.
    to_come: usize,
}

/// The search, the type, and how many of this type were asked for before.
type Key = (u64, TypeId, u64);

impl Debug for SharedCaches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedCaches for {} threads", self.threads)
    }
}

impl SharedCaches {
    /// Caches for so many threads, each growing, or of so many bytes.
    pub fn new(threads: usize, bytes: Option<usize>) -> Self {
        Self {
            threads,
            bytes,
            made: Mutex::default(),
        }
    }

    /// What is known by this key, made when it is asked for first.
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
        // Whoever comes later is in a search of which all threads have what it shares. What
        // outlives a search is kept.
        if all[place].to_come == 0 && key.0 != 0 {
            all.swap_remove(place);
        }
        made.unwrap_or_else(|| unreachable!("the key has the type"))
    }
}

/// Where one thread's caches come from, when threads share them. Clones count together.
#[derive(Clone)]
pub struct SharedStores {
    caches: Arc<SharedCaches>,
    asked: Rc<RefCell<Asked>>,
}

#[derive(Default)]
struct Asked {
    /// The number of the search, from 1 on; before any, 0.
    search: u64,
    /// How many caches of each type this thread has asked for in it.
    of_type: Vec<(TypeId, u64)>,
}

impl Debug for SharedStores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedStores of {:?}", self.caches)
    }
}

impl SharedStores {
    /// For one of the threads. What is asked for before a search [begins](Self::begin) is kept for
    /// all searches.
    pub fn new(caches: &Arc<SharedCaches>) -> Self {
        Self {
            caches: Arc::clone(caches),
            asked: Rc::default(),
        }
    }

    /// A search begins, with the same number in all threads, from 1 on.
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

/// Where caches come from: those of one thread, or those that threads share.
#[derive(Clone, Debug)]
pub enum Sharing<S> {
    /// There is one thread.
    Own(S),
    /// There are several. What a thread does not share comes from where it would come from if there
    /// were one.
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

/// A cache of one thread, or one that threads share.
#[derive(Debug)]
pub enum SharingStore<S, N: Clone + Eq, V> {
    /// Of one thread.
    Own(S),
    /// Of several.
    Shared(SharedView<N, V>),
}

/// An entry being read: as either kind of cache lends it.
#[derive(Debug)]
pub enum SharingRef<'a, R, V> {
    /// That of one thread.
    Own(R),
    /// That of several.
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
