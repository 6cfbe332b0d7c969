//! Large random graphs.

use meetjoin_dag::Graph;

use super::graphs::graph;

/// A layered graph of some thousand nodes, in which threads meet.
pub fn large(seed: u64) -> Graph {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut inner: Vec<(bool, u8, Vec<u16>)> = Vec::new();
    for _ in 0..3_000 {
        let many = 2 + next() % 4;
        let picks = (0..many).map(|_| next() as u16).collect();
        inner.push((next() % 2 == 0, 0, picks));
    }
    graph(&inner, 50, 0)
}
