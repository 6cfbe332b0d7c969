//! Pictures of trees read back: each gate and event once, with its probability, and no more lines
//! than can be read.

use std::fmt::Write as _;

use meetjoin_faults::{CutsRequest, Sets, fault_tree_from_text, find};
use meetjoin_lattice::Budget;

use crate::pages::request;

fn picture(text: &str, importance: bool) -> String {
    let tree = fault_tree_from_text(text, None).expect("a tree");
    let budget = Budget::unlimited();
    let request = CutsRequest {
        importance,
        ..request(&budget, Sets::Cuts)
    };
    find(&tree, request).expect("found").picture()
}

/// Each line from above: how far to the right, its name, and what stands beside it.
fn lines(svg: &str) -> Vec<(f64, String, String)> {
    let rows = svg.split("<g transform=\"translate(").skip(2);
    let rows = rows.map(|row| {
        let x = row.split(' ').next().expect("a place");
        let name = row.split("<title>").nth(1).expect("a name");
        let name = name.split("</title>").next().expect("its end");
        let beside = row.split("fill-opacity=\"0.75\">").nth(1).expect("more");
        let beside = beside.split("</tspan>").next().expect("its end");
        (
            x.parse().expect("a number"),
            name.to_owned(),
            beside.to_owned(),
        )
    });
    rows.collect()
}

#[test]
fn a_line_for_each_gate_and_event() {
    let text = "top = or both two\nboth = and a b\ntwo = 2 of a b c\na = 0.1\nb = 0.2\nc = 0.5\n";
    let svg = picture(text, false);
    let lines: Vec<_> = lines(&svg);
    let step = lines[1].0 - lines[0].0;
    assert!(step > 0.0);
    let lines: Vec<String> = lines
        .iter()
        .map(|(x, name, beside)| format!("{} {name} {beside}", (x - lines[0].0) / step))
        .collect();
    let expected = [
        "0 top or",
        "1 both and",
        "2 a 1.0000e-1",
        "2 b 2.0000e-1",
        "1 two 2 of 3",
        "2 a 1.0000e-1",
        "2 b 2.0000e-1",
        "2 c 5.0000e-1",
    ];
    assert_eq!(lines, expected);
    assert!(svg.contains("<title>Fault tree top</title>"), "{svg}");
    // P(top) = P(a b or a c or b c) = 0.02 + 0.05 + 0.1 - 2 * 0.01.
    assert!(
        svg.contains(">P(top) 1.500000e-1; minimal cut sets: 3<"),
        "{svg}"
    );
    assert!(!svg.contains("Fussell-Vesely"));
    let measured = picture(text, true);
    assert_eq!(measured.matches("Fussell-Vesely").count(), 5, "{measured}");
}

#[test]
fn what_several_gates_have_is_opened_once() {
    let svg = picture("top = and x y\nx = or g a\ny = or b g\ng = or c d\n", false);
    let of_g: Vec<String> = lines(&svg)
        .into_iter()
        .filter(|(_, name, _)| name == "g")
        .map(|(.., beside)| beside)
        .collect();
    assert_eq!(of_g, ["or", "or, opened elsewhere"]);
    assert_eq!(lines(&svg).iter().filter(|line| line.1 == "c").count(), 1);
}

#[test]
fn a_large_tree_is_drawn_next_to_its_top() {
    let mut text = String::from("top = or");
    for gate in 0..90 {
        let _ = write!(text, " g{gate}");
    }
    for gate in 0..90 {
        let _ = write!(text, "\ng{gate} = and a{gate} b{gate} c{gate}");
    }
    let all = lines(&picture(&text, false));
    assert!((150..=200).contains(&all.len()), "{}", all.len());
    let closed = all
        .iter()
        .filter(|line| line.2 == "and, 3 arguments, not drawn");
    assert!(closed.count() > 40);
    // One gate with more arguments than there are lines has as many as fit.
    let mut text = String::from("top = or");
    (0..500).for_each(|event| {
        let _ = write!(text, " e{event}");
    });
    let all = lines(&picture(&text, false));
    assert_eq!(all.len(), 200);
    assert_eq!(all[199].2, "302 more, not drawn");
}

#[test]
fn symbols_and_names_are_safe() {
    let text = "top = or n x k\nn = not a\nx = xor <b> c\nk = nor d e\n";
    let svg = picture(text, false);
    assert!(svg.contains("&lt;b>") || svg.contains("&lt;b&gt;"), "{svg}");
    assert!(!svg.contains("<b>"), "{svg}");
    for words in [
        "not: its argument does not occur",
        "xor: an odd number of its arguments",
        "nor: none of its arguments",
        "or: any of its arguments",
        "an event, with its probability",
    ] {
        assert_eq!(svg.matches(&format!(">{words}<")).count(), 1, "{words}");
    }
    assert!(!svg.contains(">and: all of its arguments<"));
}
