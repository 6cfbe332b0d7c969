//! Functions of events that are too large for a list of sets, as diagrams.
//!
//! Problem: a function with a diagram of a hundred nodes may have 10^9 minimal sets.
//!
//! Idea: `{"diagram":[[event,high,low],..]}` lists the nodes of the decision diagram, children
//! before parents: if the event occurs, the function is `high`, else `low`. Child 0 is false, child
//! 1 is true, and child `k + 2` is node `k` of the list, counted from 0. The last node is the
//! function.

use meetjoin_lattice::Budget;
use meetjoin_lattice::diagram::{Function, Listed, Listing};
use meetjoin_lattice::{Monotone, Stop};
use serde::Deserialize;

use crate::text::{JSON, push, push_list};

/// Appends a function that is no constant.
pub(super) fn push_diagram(listing: &Listing, out: &mut String) {
    out.push_str("{\"diagram\":");
    push_list(&listing.nodes, JSON, out, |node, out| {
        let event = u64::from(node.level) + 1;
        push(out, format_args!("[{event},{},{}]", node.high, node.low));
    });
    out.push('}');
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Diagram {
    diagram: Vec<(u64, u32, u32)>,
}

/// The function of a diagram; `Ok(None)` if the text is none.
pub(super) fn read_diagram(
    lattice: &Monotone,
    json: &str,
    budget: &Budget,
) -> Result<Option<Function>, Stop> {
    let Ok(Diagram { diagram }) = serde_json::from_str(json) else {
        return Ok(None);
    };
    let mut listing = Listing::default();
    for (event, high, low) in diagram {
        let Some(level) = event.checked_sub(1).and_then(|level| level.try_into().ok()) else {
            return Ok(None);
        };
        listing.nodes.push(Listed { level, high, low });
    }
    let root = u32::try_from(listing.nodes.len() + 1);
    listing.roots = root.into_iter().filter(|root| *root > 1).collect();
    lattice.of_listing(&listing, budget)
}
