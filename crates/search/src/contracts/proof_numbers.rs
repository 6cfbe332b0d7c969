//! Proof and disproof numbers as values: what an observer is told of a search for a proof.
//!
//! How a node's numbers come from its children's is [`proof::numbers`](crate::proof).
//!
//! Invariant: zero and [`INFINITY`] mean solved, and nothing else does.

/// The number of what cannot be done.
pub const INFINITY: u32 = u32::MAX;

/// The greatest number of a node that is not solved.
pub(crate) const GREATEST: u32 = INFINITY - 1;

/// What is known of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It holds.
    Proved,
    /// It does not hold.
    Disproved,
    /// The search was stopped before it knew.
    Unknown,
}

impl Verdict {
    /// The answer as far as there is one.
    pub fn answer(self) -> Option<bool> {
        match self {
            Self::Proved => Some(true),
            Self::Disproved => Some(false),
            Self::Unknown => None,
        }
    }
}

/// The proof number and the disproof number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProofNumbers {
    /// Open nodes to prove for a proof; 0 if there is one, [`INFINITY`] if there is none.
    pub proof: u32,
    /// Open nodes to disprove for a disproof; 0 if there is one, [`INFINITY`] if there is none.
    pub disproof: u32,
}

impl ProofNumbers {
    /// Of an open node of which nothing is known.
    pub const OPEN: Self = Self {
        proof: 1,
        disproof: 1,
    };

    /// Of a node that is proved, or disproved.
    pub const fn solved(answer: bool) -> Self {
        let (proof, disproof) = if answer { (0, INFINITY) } else { (INFINITY, 0) };
        Self { proof, disproof }
    }

    /// What they say of the claim.
    #[inline]
    pub fn verdict(self) -> Verdict {
        if self.proof == 0 {
            Verdict::Proved
        } else if self.disproof == 0 {
            Verdict::Disproved
        } else {
            Verdict::Unknown
        }
    }

    /// Whether the node is proved or disproved.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// These numbers as those of an open node: neither zero nor infinity.
    #[inline]
    pub(crate) fn as_open(self) -> Self {
        Self {
            proof: self.proof.clamp(1, GREATEST),
            disproof: self.disproof.clamp(1, GREATEST),
        }
    }
}
