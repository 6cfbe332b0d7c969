//! Drawings of a graph and of its lattice, made by the code that draws pages and notebooks.

use std::sync::Arc;

use meetjoin_explain::drawn::drawn;
use meetjoin_explain::hasse::{Hasse, elements};
use meetjoin_explain::picture::{self, PictureNode};
use meetjoin_explain::trace::MOST_NODES;
use meetjoin_lattice::{AnyElem, AnyLattice, Budget};
use meetjoin_solve::{Domain, Instance, Value};

/// Elements that are drawn.
const MOST_ELEMENTS: usize = 64;

/// A drawing, and what it leaves out.
pub(super) fn graph(instance: &dyn Instance) -> Result<(String, String), String> {
    let drawn = drawn(instance, MOST_NODES).map_err(|error| error.to_string())?;
    let nodes = drawn.nodes.into_iter().map(|node| PictureNode {
        kind: node.kind,
        name: node.name,
        value: node.value,
    });
    let nodes: Vec<PictureNode> = nodes.collect();
    let picture = picture::graph(&nodes, &drawn.edges, drawn.hidden);
    Ok((picture.svg(), picture.below.join(" ")))
}

/// The Hasse diagram, and what it leaves out.
pub(super) fn lattice(lattice: &AnyLattice, budget: &Budget) -> Result<(String, String), String> {
    let stopped = |stop: meetjoin_lattice::Stop| stop.to_string();
    let (elements, is_whole) = elements(lattice, MOST_ELEMENTS, budget).map_err(stopped)?;
    let hasse = Hasse::of(lattice, elements, budget).map_err(stopped)?;
    let domain = Arc::new(Domain {
        lattice: lattice.clone(),
        worlds: None,
    });
    let text = |element: &AnyElem| {
        let (element, domain) = (element.clone(), Arc::clone(&domain));
        Value::Element { element, domain }.text()
    };
    let texts: Vec<String> = hasse.elements.iter().map(text).collect();
    let left_out = (!is_whole).then(|| {
        format!(
            "{} elements of the lattice; dashed lines leave out others",
            texts.len()
        )
    });
    let size = (hasse.width, hasse.height);
    let picture = picture::hasse(&texts, &hasse.covers, &hasse.places, size, left_out);
    Ok((picture.svg(), picture.below.join(" ")))
}
