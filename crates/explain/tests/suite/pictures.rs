//! Pictures of graphs: shapes are those of the kinds, and the legend has what is drawn.

use meetjoin_dag::Kind;
use meetjoin_explain::picture::{PictureNode, graph, hasse};
use roxmltree::{Document, Node};

fn class<'a>(node: &Node<'a, '_>) -> Vec<&'a str> {
    node.attribute("class")
        .unwrap_or_default()
        .split(' ')
        .collect()
}

/// The shapes of a group: tags of the elements that are outlines.
fn outline(group: &Node<'_, '_>) -> Vec<String> {
    let shapes = group
        .children()
        .filter(|child| class(child).contains(&"shape"));
    let frame = |shape: &Node<'_, '_>| match shape.attribute("stroke") {
        Some(_) => "",
        None => "no ",
    };
    shapes
        .map(|shape| format!("{}{}", frame(&shape), shape.tag_name().name()))
        .collect()
}

#[test]
fn or_nodes_are_squares_and_and_nodes_circles() {
    let node = |kind, name: &str, value: Option<&str>| PictureNode {
        kind,
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    let nodes = [
        node(Kind::Or, "<root>", None),
        node(Kind::And, "a name that is long", None),
        node(Kind::Leaf, "x", Some("{1,2}")),
        node(Kind::Leaf, "7", Some("7")),
    ];
    let picture = graph(&nodes, &[(0, 1), (0, 2), (1, 2), (1, 3)], 5);
    let svg = picture.svg();
    let document = Document::parse(&svg).expect("SVG is XML");
    let drawn = document
        .descendants()
        .filter(|group| class(group).contains(&"node"));
    let drawn: Vec<(String, &str, Vec<String>)> = drawn
        .map(|group| {
            let title = group
                .children()
                .find(|child| child.has_tag_name(("http://www.w3.org/2000/svg", "title")));
            let title = title.and_then(|title| title.text()).unwrap_or_default();
            (title.to_owned(), class(&group)[1], outline(&group))
        })
        .collect();
    assert_eq!(
        drawn,
        [
            ("<root>".to_owned(), "square", vec!["rect".to_owned()]),
            (
                "a name that is long".to_owned(),
                "circle",
                vec!["circle".to_owned()]
            ),
            ("x: {1,2}".to_owned(), "plain", vec!["no rect".to_owned()]),
            ("7".to_owned(), "plain", vec!["no rect".to_owned()]),
        ]
    );
    let is_line = |node: &Node<'_, '_>| node.tag_name().name() == "line";
    assert_eq!(document.descendants().filter(is_line).count(), 4);
    let meanings = document
        .descendants()
        .filter(|text| class(text).contains(&"meaning"));
    let meanings: Vec<&str> = meanings.filter_map(|text| text.text()).collect();
    assert_eq!(meanings.len(), 3);
    assert!(svg.contains("the first 4 nodes; 5 edges lead to others"));
    // Of what is not there the legend does not speak.
    let leaf = graph(&nodes[2..3], &[], 0);
    assert_eq!((leaf.legend.len(), leaf.below.len()), (1, 0));
}

#[test]
fn a_part_of_a_lattice_has_dashed_lines() {
    use meetjoin_explain::layout::layered;

    let texts = ["0", "1"].map(str::to_owned);
    let (places, width, height) = layered(2, &[(1, 0)], 52.0);
    let whole = hasse(&texts, &[(1, 0)], &places, (width, height), None).svg();
    let part = hasse(
        &texts,
        &[(1, 0)],
        &places,
        (width, height),
        Some("more".to_owned()),
    )
    .svg();
    for (svg, is_part) in [(whole, false), (part, true)] {
        let document = Document::parse(&svg).expect("SVG is XML");
        let dashed = document
            .descendants()
            .any(|group| group.has_attribute("stroke-dasharray"));
        assert_eq!((dashed, svg.contains(">more</text>")), (is_part, is_part));
    }
}
