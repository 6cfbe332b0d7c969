//! Proof and disproof numbers as values, as observers receive them.
//!
//! For their computation from the children's numbers see [`proof::numbers`](crate::proof).
//!
//! Invariant: zero and [`INFINITY`] mean solved, and nothing else does.

/// The proof number of what cannot be proved, or disproof number of what cannot be disproved.
pub const INFINITY: u32 = u32::MAX;

/// The greatest number of a node that is not solved.
pub(crate) const GREATEST: u32 = INFINITY - 1;

/// The status of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It holds.
    Proved,
    /// It does not hold.
    Disproved,
    /// The search was stopped before it was decided.
    Unknown,
}

impl Verdict {
    /// The answer, if there is one.
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
    /// The number of open nodes to prove for a proof; 0 if the node is proved, [`INFINITY`] if it
    /// is disproved.
    pub proof: u32,
    /// The number of open nodes to disprove for a disproof; 0 if the node is disproved,
    /// [`INFINITY`] if it is proved.
    pub disproof: u32,
}

impl ProofNumbers {
    /// The numbers of an open node of which nothing is known.
    pub const OPEN: Self = Self {
        proof: 1,
        disproof: 1,
    };

    /// The numbers of a node that is proved, or disproved.
    pub const fn solved(answer: bool) -> Self {
        let (proof, disproof) = if answer { (0, INFINITY) } else { (INFINITY, 0) };
        Self { proof, disproof }
    }

    /// The status of the claim at the node.
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

    /// Returns whether the node is proved or disproved.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Clamps the numbers to those of an open node: neither zero nor infinity.
    #[inline]
    pub(crate) fn as_open(self) -> Self {
        Self {
            proof: self.proof.clamp(1, GREATEST),
            disproof: self.disproof.clamp(1, GREATEST),
        }
    }
}
