//! Pictures of graphs and lattices, and the shapes of nodes in all pictures.

use std::fmt::Write as _;

use meetjoin_dag::Kind;
use meetjoin_file::Shape;
use meetjoin_report::counted;
use meetjoin_report::page::{INK, MARK, PAPER, PATH, SOFT, escape};
use meetjoin_report::picture::{Picture, outlined, shortened};

use crate::drawn::LAYERS;
use crate::layout::{Edge, Place, layered};

/// A node in a picture.
#[derive(Clone, Debug)]
pub struct PictureNode {
    /// Its kind.
    pub kind: Kind,
    /// Its name for people.
    pub name: String,
    /// The value of a leaf for people.
    pub value: Option<String>,
}

/// The most letters inside a shape.
const INSIDE: usize = 5;
/// The most letters between two neighbours.
const BETWEEN: usize = 9;

/// A graph in layers; `hidden` is the number of edges to nodes that are not drawn.
pub fn graph(nodes: &[PictureNode], edges: &[Edge], hidden: usize) -> Picture {
    let (places, width, height) = layered(nodes.len(), edges, LAYERS);
    let mut drawing = lines(edges, &places);
    for (PictureNode { kind, name, value }, place) in nodes.iter().zip(&places) {
        let value = value.as_ref().filter(|value| *value != name);
        let full = value.map_or_else(|| name.clone(), |value| format!("{name}: {value}"));
        let below = value.map_or("", String::as_str);
        drawing.push_str(&node(Shape::of(*kind), false, place, [name, below], &full));
    }
    let lead = if hidden == 1 { "leads" } else { "lead" };
    let left_out = format!(
        "the first {}; {} {lead} to others",
        counted(nodes.len(), "node"),
        counted(hidden, "edge")
    );
    Picture {
        title: format!("AND-OR graph of {}", counted(nodes.len(), "node")),
        size: (width, height),
        drawing,
        above: Vec::new(),
        legend: legend(nodes),
        below: (hidden > 0).then_some(left_out).into_iter().collect(),
    }
}

/// Elements of a lattice, each above those that it covers. If not all are drawn, lines are dashed,
/// as there are elements between, and `left_out` describes the rest.
pub fn hasse(
    texts: &[String],
    covers: &[Edge],
    places: &[Place],
    size: (f64, f64),
    left_out: Option<String>,
) -> Picture {
    let mut drawing = String::new();
    let dashes = left_out
        .as_ref()
        .map_or("", |_| " stroke-dasharray=\"4 3\"");
    let _ = writeln!(drawing, "<g{dashes}>{}</g>", lines(covers, places));
    for (text, Place { x, y }) in texts.iter().zip(places) {
        let _ = writeln!(
            drawing,
            "<g class=\"element\"><title>{}</title><rect class=\"shape\" fill=\"{SOFT}\" stroke=\"{MARK}\" stroke-width=\"1.3\" \
             x=\"{:.1}\" y=\"{:.1}\" width=\"58\" height=\"28\" rx=\"14\"/>{}</g>",
            escape(text),
            x - 29.0,
            y - 14.0,
            label(*x, *y, text, BETWEEN - 1)
        );
    }
    Picture {
        title: format!("Hasse diagram of {}", counted(texts.len(), "element")),
        size,
        drawing,
        above: Vec::new(),
        legend: Vec::new(),
        below: left_out.into_iter().collect(),
    }
}

fn lines(edges: &[Edge], places: &[Place]) -> String {
    let mut text = String::new();
    for &(from, to) in edges {
        text.push_str(&line(false, places[from], places[to]));
    }
    text
}

/// A line between two places, which the player of a strategy chooses or not.
pub(crate) fn line(is_own: bool, from: Place, to: Place) -> String {
    let stroke = if is_own {
        format!("class=\"own\" stroke=\"{MARK}\" stroke-width=\"3\"")
    } else {
        format!("stroke=\"{INK}\" stroke-opacity=\"0.55\" stroke-width=\"1.2\"")
    };
    format!(
        "<line {stroke} x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>\n",
        from.x, from.y, to.x, to.y
    )
}

/// A node: its shape, its name inside or, if that is too long, below, and a second text below the
/// name; the full text is a tooltip.
pub(crate) fn node(
    shape: Shape,
    is_own: bool,
    place: &Place,
    [name, below]: [&str; 2],
    full: &str,
) -> String {
    let Place { x, y } = *place;
    let is_inside = shape == Shape::Plain || name.chars().count() <= INSIDE;
    // The two lines of a leaf are where other nodes have their shape.
    let (of_name, of_below) = match (shape, below.is_empty()) {
        (Shape::Plain, true) => (y, y),
        (Shape::Plain, false) => (y - 7.0, y + 8.0),
        _ if is_inside => (y, y + 27.0),
        _ => (y + 27.0, y + 41.0),
    };
    let most = if is_inside && shape != Shape::Plain {
        INSIDE
    } else {
        BETWEEN
    };
    let mut texts = String::new();
    if !name.is_empty() {
        let label = label(x, of_name, name, most);
        texts.push_str(&if is_inside { label } else { over(&label) });
    }
    if !below.is_empty() {
        let label = label(x, of_below, below, BETWEEN);
        let label = label.replacen("<text", &format!("<text fill=\"{MARK}\""), 1);
        texts.push_str(&if shape == Shape::Plain {
            label
        } else {
            over(&label)
        });
    }
    let outline = match shape {
        Shape::Square => format!(
            "x=\"{:.1}\" y=\"{:.1}\" width=\"34\" height=\"34\"",
            x - 17.0,
            y - 17.0
        ),
        Shape::Circle => format!("cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"18\""),
        Shape::Plain => format!(
            "x=\"{:.1}\" y=\"{:.1}\" width=\"60\" height=\"28\" rx=\"8\"",
            x - 30.0,
            y - 14.0
        ),
    };
    format!(
        "<g class=\"{}\"><title>{}</title>{}{texts}</g>\n",
        classes("node ", shape, is_own),
        escape(full),
        outlined_by(shape, is_own, &outline)
    )
}

fn classes(first: &str, shape: Shape, is_own: bool) -> String {
    let own = if is_own { " own" } else { "" };
    format!("{first}{}{own}", shape.name())
}

/// A shape at the place that attributes give it.
fn outlined_by(shape: Shape, is_own: bool, place: &str) -> String {
    let fill = if is_own { PATH } else { SOFT };
    match shape {
        Shape::Square => format!("<rect {} {place}/>", outlined(fill)),
        Shape::Circle => format!("<circle {} {place}/>", outlined(fill)),
        Shape::Plain => format!("<rect class=\"shape\" fill=\"{PAPER}\" {place}/>"),
    }
}

/// Text at a place, with at most `most` letters.
pub(crate) fn label(x: f64, y: f64, text: &str, most: usize) -> String {
    let text = escape(&shortened(text, most));
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>")
}

/// A label with a margin, which hides lines that it stands over. Not all programs draw the outline
/// of a letter below the letter, so the margin is a text of its own.
pub(crate) fn over(label: &str) -> String {
    let margin = format!(
        "<text class=\"margin\" stroke=\"{PAPER}\" stroke-width=\"4\" stroke-linejoin=\"round\""
    );
    label.replacen("<text", &margin, 1) + label
}

/// A line of a legend for each kind of node that occurs.
fn legend(nodes: &[PictureNode]) -> Vec<(String, String)> {
    [
        (Kind::Or, "OR node: the join of its children"),
        (Kind::And, "AND node: the meet of its children"),
        (Kind::Leaf, "leaf: its name, and its value below"),
    ]
    .into_iter()
    .filter(|(kind, _)| nodes.iter().any(|node| node.kind == *kind))
    .map(|(kind, words)| (sign(Shape::of(kind), false), words.to_owned()))
    .collect()
}

/// A node as shown in a legend.
pub(crate) fn sign(shape: Shape, is_own: bool) -> String {
    let outline = match shape {
        Shape::Square => outlined_by(
            shape,
            is_own,
            "x=\"-7\" y=\"-7\" width=\"14\" height=\"14\"",
        ),
        Shape::Circle => outlined_by(shape, is_own, "r=\"7.5\""),
        Shape::Plain => "<text>a</text>".to_owned(),
    };
    format!("<g class=\"{}\">{outline}</g>", classes("", shape, is_own))
}
