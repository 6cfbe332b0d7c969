//! Hash maps and sets with the same hashes in every run.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

/// A hash map. Nothing may depend on the order in which it is iterated.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<ahash::AHasher>>;

/// A hash set, by the same rule.
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<ahash::AHasher>>;
