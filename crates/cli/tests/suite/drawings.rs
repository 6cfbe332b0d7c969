//! Drawings and pages as their readers see them: the same shapes in all of them, a legend of what
//! is drawn, a title, colours for day and night, and nothing from a network.

use std::collections::BTreeMap;
use std::fs;

use roxmltree::{Document, Node};
use serde_json::Value;

use crate::support::{Scratch, meetjoin};

/// An OR node above an AND node above an OR node.
const PROBLEM: &str = r#"{"format":"meetjoin-problem/1","note":"Three <layers>","lattice":{"type":"chain"},"root":"r","nodes":[{"id":"r","kind":"or","children":["a","b"]},{"id":"a","kind":"and","children":["x","y"]},{"id":"b","kind":"and","children":["y","c"]},{"id":"c","kind":"or","children":["z","w"]},{"id":"x","kind":"leaf","value":3},{"id":"y","kind":"leaf","value":7},{"id":"z","kind":"leaf","value":5},{"id":"w","kind":"leaf","value":9}]}"#;

/// What a name is.
fn kind(name: &str) -> &'static str {
    match name {
        "r" | "c" => "or",
        "a" | "b" => "and",
        _ => "leaf",
    }
}

fn done(args: &[&str]) {
    let run = meetjoin(args, "");
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{run:?}");
}

fn classes<'a>(node: &Node<'a, '_>) -> Vec<&'a str> {
    node.attribute("class")
        .unwrap_or_default()
        .split(' ')
        .collect()
}

/// By name the shape in which an SVG draws it: its outline, and whether that has a frame.
fn shapes(svg: &Document<'_>) -> BTreeMap<String, String> {
    let groups = svg
        .descendants()
        .filter(|group| classes(group).contains(&"node"));
    let shapes = groups.map(|group| {
        let title = group
            .children()
            .find(|child| child.tag_name().name() == "title");
        let name = title.and_then(|title| title.text()).expect("a title");
        let outlines = group
            .children()
            .filter(|child| classes(child).contains(&"shape"));
        let outlines: Vec<&str> = outlines.map(|shape| shape.tag_name().name()).collect();
        let frame = if classes(&group).contains(&"plain") {
            "no "
        } else {
            ""
        };
        (name.to_owned(), format!("{frame}{}", outlines.join(" ")))
    });
    shapes.collect()
}

/// What a picture or a page must be, whatever it shows.
fn stands_alone(text: &str, title: &str) {
    assert!(
        text.contains(&format!("<title>{title}</title>")),
        "{title}: {text}"
    );
    assert!(text.contains("prefers-color-scheme: dark"), "{title}");
    let outside = [
        "src=",
        "@import",
        "url(",
        " href=\"http",
        "fetch(",
        "https:",
    ];
    for outside in outside {
        assert!(!text.contains(outside), "{title} has {outside}");
    }
    let namespace = "http://www.w3.org/2000/svg";
    assert_eq!(
        text.matches("http:").count(),
        text.matches(namespace).count()
    );
}

#[test]
fn or_is_a_square_and_and_a_circle_in_all_forms() {
    let folder = Scratch::new("drawings");
    let problem = folder.file("problem.json", PROBLEM);
    for player in ["--strategy", "--refutation"] {
        let written = |ending: &str| {
            let path = folder.path(&format!("s.{ending}"));
            done(&["solve", &problem, player, "--strategy-file", &path]);
            fs::read_to_string(path).expect("written")
        };
        // Graphviz.
        let dot = written("dot");
        let nodes = dot.lines().filter(|line| line.contains("shape="));
        for line in nodes {
            let after = |key: &str| line.split(key).nth(1).expect("a key");
            let shape = after("shape=").split(',').next().expect("a shape");
            let name = after("label=\"").split(['"', '\\']).next().expect("a name");
            let shapes =
                BTreeMap::from([("or", "square"), ("and", "circle"), ("leaf", "plaintext")]);
            assert_eq!(shape, shapes[kind(name)], "{line}");
        }
        // A drawing by itself and on a page.
        let svg = written("svg");
        let page = written("html");
        let begin = page.find("<svg").expect("a drawing");
        let end = page.find("</svg>").expect("its end") + "</svg>".len();
        for text in [&*svg, &page[begin..end]] {
            let drawn = shapes(&Document::parse(text).expect("SVG is XML"));
            assert!(drawn.len() >= 4, "{drawn:?}");
            for (name, shape) in drawn {
                let shapes =
                    BTreeMap::from([("or", "rect"), ("and", "circle"), ("leaf", "no rect")]);
                assert_eq!(shape, shapes[kind(&name)], "{name}");
            }
        }
        let promise = if player == "--strategy" {
            "MAX makes sure of at least 7"
        } else {
            "MIN makes sure of at most 7"
        };
        stands_alone(&svg, promise);
        assert!(
            svg.contains(">Three &lt;layers&gt;</text>"),
            "what it is of"
        );
        stands_alone(&page, "Three &lt;layers&gt;");
        assert!(page.contains(promise) && page.contains("plays"), "{page}");
    }
    // A trace.
    let path = folder.path("trace.html");
    done(&["trace", &problem, "--html", &path, "--algorithm", "minimax"]);
    let page = fs::read_to_string(path).expect("written");
    stands_alone(&page, "Three &lt;layers&gt;");
    let data = page.split("id=\"data\">").nth(1).expect("data");
    let data = data.split("</script>").next().expect("its end");
    let data: Value = serde_json::from_str(data).expect("JSON");
    for node in data["nodes"].as_array().expect("nodes") {
        let shapes = BTreeMap::from([("or", "square"), ("and", "circle"), ("leaf", "plain")]);
        let kind = kind(node["name"].as_str().expect("a name"));
        assert_eq!(
            (&node["kind"], &node["shape"]),
            (&kind.into(), &shapes[kind].into())
        );
    }
}

/// Where moves have no names of their own, what they lead to is named once; where they have, no
/// two hide each other.
#[test]
fn moves_at_lines_repeat_no_name_and_can_be_read() {
    let folder = Scratch::new("moves");
    let problem = folder.file("problem.json", PROBLEM);
    let path = folder.path("s.svg");
    done(&["solve", &problem, "--refutation", "--strategy-file", &path]);
    let svg = fs::read_to_string(&path).expect("written");
    assert!(
        svg.contains(">a</text>") && !svg.contains("class=\"moves\""),
        "{svg}"
    );

    let racing = "racing --deck 16 --goal 3 --hand-size 5 --seed 5 --lattice families";
    let args: Vec<&str> = racing.split(' ').collect();
    done(&[&*args, &["--strategy", "--strategy-file", &path]].concat());
    let svg = fs::read_to_string(&path).expect("written");
    let svg = Document::parse(&svg).expect("SVG is XML");
    let moves = texts(&svg, "moves");
    assert!(moves.len() > 10, "{moves:?}");
    stand_apart(&moves);

    let finesse = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/finesse.json");
    done(&["solve", finesse, "--strategy", "--strategy-file", &path]);
    let svg = fs::read_to_string(&path).expect("written");
    let svg = Document::parse(&svg).expect("SVG is XML");
    let values = texts(&svg, "plain");
    assert!(values.len() >= 6, "{values:?}");
    stand_apart(&values);
}

/// Lines of text in groups of a class: the middle, and half of the width.
fn texts(svg: &Document<'_>, class: &str) -> Vec<(f64, f64, f64)> {
    let groups = svg.descendants();
    let groups = groups.filter(|node| classes(node).contains(&class));
    let texts = groups.flat_map(|group| {
        let lines = group.children().filter(|node| node.has_tag_name("text"));
        let lines = lines.filter(|line| !classes(line).contains(&"margin"));
        lines.filter_map(|line| {
            let number = |key| line.attribute(key).and_then(|text| text.parse().ok());
            // Those of a legend have no place of their own.
            let [x, y]: [Option<f64>; 2] = ["x", "y"].map(number);
            let letters = line.text().unwrap_or_default().chars().count();
            Some((x?, y?, 3.3 * letters as f64))
        })
    });
    texts.collect()
}

fn stand_apart(texts: &[(f64, f64, f64)]) {
    for (place, (x, y, half)) in texts.iter().enumerate() {
        for (x2, y2, half2) in &texts[..place] {
            let apart = (x - x2).abs() >= half + half2 || (y - y2).abs() >= 11.0;
            assert!(apart, "({x}, {y}) and ({x2}, {y2})");
        }
    }
}

/// The signs of the legend are those of the drawing, and no others.
#[test]
fn legends_have_what_is_drawn() {
    let folder = Scratch::new("legends");
    let problem = folder.file("problem.json", PROBLEM);
    let racing = "racing --deck 10 --goal 2 --hand-size 4 --seed 3 --lattice families";
    let racing: Vec<&str> = racing.split(' ').collect();
    for args in [
        vec!["solve", &problem, "--strategy"],
        vec!["solve", &problem, "--refutation"],
        racing,
    ] {
        let path = folder.path("s.svg");
        let args = [&*args, &["--strategy-file", &path]].concat();
        done(&args);
        let svg = fs::read_to_string(path).expect("written");
        let svg = Document::parse(&svg).expect("SVG is XML");
        let in_legend = |node: &Node<'_, '_>| {
            node.ancestors()
                .any(|above| classes(&above).contains(&"sign"))
        };
        // Shapes with their colours, and lines with theirs; words have no frame.
        let sign = |node: Node<'_, '_>| {
            let is_line = node.tag_name().name() == "line";
            let of = if is_line { Some(node) } else { node.parent() };
            let classes = of.map(|of| classes(&of)).unwrap_or_default();
            let is_own = classes.contains(&"own");
            let is_shape = classes.contains(&"square") || classes.contains(&"circle");
            let name = node.tag_name().name().to_owned();
            (is_line || is_shape && name != "text" && name != "title").then_some((name, is_own))
        };
        let (mut drawn, mut explained) = (Vec::new(), Vec::new());
        for node in svg.descendants().filter(Node::is_element) {
            let list = if in_legend(&node) {
                &mut explained
            } else {
                &mut drawn
            };
            list.extend(sign(node));
        }
        drawn.sort();
        drawn.dedup();
        explained.sort();
        assert!(drawn.len() >= 2, "{drawn:?}");
        assert_eq!(drawn, explained, "each once");
        let ends = svg.descendants().filter_map(|node| node.text());
        let outcomes = ends.filter(|text| ["3", "7", "9", "sure"].contains(text));
        assert!(outcomes.count() >= 2, "what the ends are worth is there");
    }
}
