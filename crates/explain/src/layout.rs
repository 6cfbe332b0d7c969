//! Layered layout of an acyclic graph: layers from top to bottom, with few crossings.
//!
//! Idea: a node lies below all of its parents, and within its layer at the mean position of its
//! neighbours, which a few sweeps down and up improve. A layer that is too wide is split into
//! several rows, to which its nodes are assigned in turns.
//!
//! Source: Sugiyama, Tagawa, Toda (1981), with barycentres.

use serde::Serialize;

/// An edge from an upper node to a lower one.
pub type Edge = (usize, usize);

/// The position of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Place {
    /// From the left.
    pub x: f64,
    /// From above.
    pub y: f64,
}

const ACROSS: f64 = 64.0;
/// The most nodes of a row.
const MOST_ACROSS: usize = 20;
/// The distance of rows in a layer, relative to that of layers.
const ROW: f64 = 0.75;
const SWEEPS: usize = 8;

/// Positions of the nodes `0..count` in layers with this distance, and the total width and height.
pub fn layered(count: usize, edges: &[Edge], down: f64) -> (Vec<Place>, f64, f64) {
    let mut layer = vec![0_usize; count];
    // At most as many rounds as there are layers, as edges go down.
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
    let rows_of = |nodes: usize| nodes.div_ceil(MOST_ACROSS).max(1);
    let across = |nodes: usize| ACROSS / rows_of(nodes) as f64;
    let widths = rows.iter().map(|row| row.len() as f64 * across(row.len()));
    // With several rows, the last node of a layer need not be the rightmost one.
    let width = widths.fold(ACROSS, f64::max).ceil();
    let mut places = vec![Place::default(); count];
    let mut top = 0.0;
    for row in &rows {
        let several = rows_of(row.len());
        for (i, &node) in row.iter().enumerate() {
            places[node] = Place {
                x: width / 2.0 + rank[node] * across(row.len()),
                y: top + 0.5 * down + (i % several) as f64 * ROW * down,
            };
        }
        top += down + (several - 1) as f64 * ROW * down;
    }
    // Nodes of such rows may be half a place nearer to the border.
    let has_several = rows.iter().any(|row| rows_of(row.len()) > 1);
    let margin = if has_several { ACROSS / 2.0 } else { 0.0 };
    for place in &mut places {
        place.x += margin;
    }
    (places, width + 2.0 * margin, top)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_layers_stand_in_rows() {
        let edges: Vec<Edge> = (1..=90).map(|to| (0, to)).collect();
        let (places, width, height) = layered(91, &edges, 80.0);
        assert!(width <= (MOST_ACROSS + 1) as f64 * ACROSS, "{width}");
        for (i, a) in places.iter().enumerate() {
            let inside = |at: f64, most: f64| (16.0..=most - 16.0).contains(&at);
            assert!(inside(a.x, width) && inside(a.y, height), "{a:?}");
            assert!(i == 0 || a.y > places[0].y, "children stand below");
            for b in &places[..i] {
                let far = (a.x - b.x).abs() >= ACROSS - 1.0 || (a.y - b.y).abs() >= 0.7 * 80.0;
                assert!(far, "{a:?} {b:?}");
            }
        }
        let (places, width, height) = layered(3, &[(0, 1), (0, 2)], 80.0);
        assert_eq!((width, height, places[0].y), (128.0, 160.0, 40.0));
    }
}
