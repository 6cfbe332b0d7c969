//! Symmetry: only one of several symmetric positions is searched.
//!
//! Problem: many games are symmetric. A position and its mirror image have the same value, but a
//! search evaluates both.
//!
//! Idea: the game names the representative of a position's class ([`Symmetric::canonical`]), and
//! [`Quotient`] is the game in which every child is replaced by its representative. Of children
//! with the same representative the first is kept. The type of nodes does not change, so the values
//! of leaves and the bounds of a heuristic are those of the game itself. That images have the same
//! value is a promise of the game; [`check`] tests it on samples.
//!
//! Cost: a call of `canonical` for each child, and comparing each child with its siblings.

use std::fmt::{self, Debug};

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::ElemOf;

/// A game in which some positions are images of others.
pub trait Symmetric: AndOrDag {
    /// The representative of the node's class: of the same kind, with the same value, and its own
    /// representative.
    fn canonical(&self, node: &Self::Node) -> Self::Node;

    /// The number of distinct images of the node, itself included: as many nodes have its
    /// representative. `None` if the game does not provide it.
    fn images(&self, _node: &Self::Node) -> Option<u32> {
        None
    }
}

/// A game up to symmetry. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Quotient<G>(pub G);

impl<G: Symmetric> AndOrDag for Quotient<G> {
    type Node = G::Node;

    fn root(&self) -> G::Node {
        self.0.canonical(&self.0.root())
    }

    #[inline]
    fn kind(&self, node: &G::Node) -> Kind {
        self.0.kind(node)
    }

    fn children(&self, node: &G::Node, out: &mut Vec<G::Node>) {
        let begin = out.len();
        self.0.children(node, out);
        let mut end = begin;
        for i in begin..out.len() {
            let child = self.0.canonical(&out[i]);
            if !out[begin..end].contains(&child) {
                out[end] = child;
                end += 1;
            }
        }
        out.truncate(end);
    }

    fn name(&self, node: &G::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.0.name(node, out)
    }
}

impl<G: AndOrDag + Valuation<<G as AndOrDag>::Node>> Valuation<G::Node> for Quotient<G> {
    type Lattice = G::Lattice;

    fn lattice(&self) -> &G::Lattice {
        self.0.lattice()
    }

    #[inline]
    fn leaf(&self, node: &G::Node) -> ElemOf<G::Lattice> {
        self.0.leaf(node)
    }

    fn never_bottom(&self) -> bool {
        self.0.never_bottom()
    }
}

/// Why a symmetry is wrong. Nodes are given by their names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSymmetry<V: Debug> {
    /// A representative has another representative.
    #[error("{representative} stands for {node}, and {other} for {representative}")]
    Representative {
        /// The sample.
        node: String,
        /// Its representative.
        representative: String,
        /// The representative of that.
        other: String,
    },
    /// A node and its representative are of different kinds.
    #[error(
        "{node} is of the kind {kind:?}, and {representative}, which stands for it, of the kind {other:?}"
    )]
    Kind {
        /// The sample.
        node: String,
        /// Its kind.
        kind: Kind,
        /// Its representative.
        representative: String,
        /// The kind of the representative.
        other: Kind,
    },
    /// The game and its quotient differ in value.
    #[error("{node} is worth {value:?}, and up to symmetry {other:?}")]
    Value {
        /// The sample.
        node: String,
        /// Its value in the game.
        value: V,
        /// Its value in the quotient.
        other: V,
    },
}

/// Compares a game with its quotient on samples. `value` computes the value of a node in the game,
/// `up_to_symmetry` in the [`Quotient`]. The latter is called with the sample's representative.
///
/// # Errors
/// The first difference.
pub fn check<G: Symmetric, V: Debug + PartialEq>(
    game: &G,
    samples: impl IntoIterator<Item = G::Node>,
    mut value: impl FnMut(&G::Node) -> V,
    mut up_to_symmetry: impl FnMut(&G::Node) -> V,
) -> Result<(), NoSymmetry<V>> {
    let name = |node: &G::Node| {
        let mut name = String::new();
        match game.name(node, &mut name) {
            Ok(()) => name,
            Err(fmt::Error) => format!("{node:?}"),
        }
    };
    for node in samples {
        let representative = game.canonical(&node);
        let again = game.canonical(&representative);
        if again != representative {
            return Err(NoSymmetry::Representative {
                node: name(&node),
                representative: name(&representative),
                other: name(&again),
            });
        }
        let (kind, other) = (game.kind(&node), game.kind(&representative));
        if kind != other {
            return Err(NoSymmetry::Kind {
                node: name(&node),
                kind,
                representative: name(&representative),
                other,
            });
        }
        let (value, other) = (value(&node), up_to_symmetry(&representative));
        if value != other {
            return Err(NoSymmetry::Value {
                node: name(&node),
                value,
                other,
            });
        }
    }
    Ok(())
}
