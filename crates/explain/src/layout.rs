//! Places for the nodes of a graph without cycles: layers from top to bottom, with few crossings.
//!
//! Idea: a node lies below all of its parents, and in its layer where the middle of its neighbours
//! is, which a few sweeps down and up make better.
//!
//! Source: Sugiyama, Tagawa, Toda (1981), with barycentres.

use serde::Serialize;

/// An edge from above to below.
pub type Edge = (usize, usize);

/// Where a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Place {
    /// From the left.
    pub x: f64,
    /// From above.
    pub y: f64,
}

const ACROSS: f64 = 64.0;
const SWEEPS: usize = 8;

/// Places of the nodes `0..count` in layers so far apart, and width and height of all.
pub fn layered(count: usize, edges: &[Edge], down: f64) -> (Vec<Place>, f64, f64) {
    let mut layer = vec![0_usize; count];
    // As many rounds as there are layers; edges go down, so it ends.
    let mut changed = true;
    while changed {
        changed = false;
        for &(from, to) in edges {
            if layer[to] <= layer[from] {
                layer[to] = layer[from] + 1;
                changed = true;
            }
        }
    }
    let layers = layer.iter().max().map_or(0, |last| last + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layers];
    (0..count).for_each(|node| rows[layer[node]].push(node));
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(from, to) in edges {
        near[from].push(to);
        near[to].push(from);
    }
    let mut rank = vec![0.0; count];
    let place = |rows: &[Vec<usize>], rank: &mut [f64]| {
        for row in rows {
            let middle = (row.len() as f64 - 1.0) / 2.0;
            for (i, &node) in row.iter().enumerate() {
                rank[node] = i as f64 - middle;
            }
        }
    };
    place(&rows, &mut rank);
    for sweep in 0..SWEEPS {
        let downwards = sweep % 2 == 0;
        for step in 0..layers {
            let row = if downwards { step } else { layers - 1 - step };
            let centre = |node: usize, rank: &[f64]| {
                let sides = near[node]
                    .iter()
                    .filter(|&&other| (layer[other] < row) == downwards);
                let sides: Vec<f64> = sides.map(|&other| rank[other]).collect();
                if sides.is_empty() {
                    rank[node]
                } else {
                    sides.iter().sum::<f64>() / sides.len() as f64
                }
            };
            let mut nodes = std::mem::take(&mut rows[row]);
            nodes.sort_by(|&a, &b| centre(a, &rank).total_cmp(&centre(b, &rank)));
            rows[row] = nodes;
            place(&rows[row..=row], &mut rank);
        }
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let (width, height) = (widest * ACROSS, layers as f64 * down);
    let places = (0..count).map(|node| Place {
        x: width / 2.0 + rank[node] * ACROSS,
        y: (layer[node] as f64 + 0.5) * down,
    });
    (places.collect(), width, height)
}
