//! The shapes of nodes in all drawings, as in Li et al. (2022).

use meetjoin_dag::Kind;

/// The shape of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// An OR node.
    Square,
    /// An AND node.
    Circle,
    /// A leaf: text without a frame.
    Plain,
}

impl Shape {
    /// The shape of a kind of nodes.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Or => Self::Square,
            Kind::And => Self::Circle,
            Kind::Leaf => Self::Plain,
        }
    }

    /// Its name in styles and scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Square => "square",
            Self::Circle => "circle",
            Self::Plain => "plain",
        }
    }

    /// Its name in Graphviz.
    #[must_use]
    pub const fn graphviz(self) -> &'static str {
        match self {
            Self::Square => "square",
            Self::Circle => "circle",
            Self::Plain => "plaintext",
        }
    }
}
