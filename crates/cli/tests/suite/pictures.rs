//! Pictures as programs draw them that know attributes alone, and neither styles nor custom
//! properties: each has five colours or more, and whatever it says or shows can be told from what
//! lies behind it, by day and by night.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use meetjoin_web::asking::Memory;
use meetjoin_web::solve;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

use crate::support::{Scratch, meetjoin};

/// The least contrast of texts, and of lines and shapes, by WCAG 2.
const LEAST: [f64; 2] = [4.5, 3.0];
/// That in plots of experiments, where marks of different shapes may lie upon each other.
const LEAST_OF_PLOTS: [f64; 2] = [4.5, 1.0];
/// Grounds and grids, by day and by night, which are to be seen less.
const QUIET: [&str; 6] = [
    "#ffffff", "#f1f4f8", "#c4ccd6", "#14181e", "#1f252d", "#46505c",
];

type Colour = [f64; 3];

fn colour(text: &str) -> Option<Colour> {
    let digits = match text {
        "none" => return None,
        "black" => "000000",
        "white" => "ffffff",
        other => other.strip_prefix('#').expect("a literal colour"),
    };
    assert_eq!(digits.len(), 6, "{text}");
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("a colour");
    Some([0, 2, 4].map(|at| f64::from(part(at)) / 255.0))
}

fn luminance(colour: Colour) -> f64 {
    let linear = |part: f64| {
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    };
    let [r, g, b] = colour.map(linear);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(one: Colour, other: Colour) -> f64 {
    let [one, other] = [one, other].map(|colour| luminance(colour) + 0.05);
    one.max(other) / one.min(other)
}

/// What elements inherit from those around them.
#[derive(Clone, Copy)]
struct Look<'a> {
    fill: &'a str,
    stroke: &'a str,
    opacity: [f64; 2],
    from_start: bool,
    at: [f64; 2],
    scale: f64,
}

/// An area that is filled: its lower and upper corner, and its colour.
type Filled = ([f64; 2], [f64; 2], Colour);

#[derive(Default)]
struct Drawn {
    filled: Vec<Filled>,
    colours: HashSet<[u8; 3]>,
    failures: Vec<String>,
}

fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
    parts.filter_map(|part| part.parse().ok()).collect()
}

impl Drawn {
    /// The colour at a point until now.
    fn behind(&self, point: [f64; 2]) -> Colour {
        let is_in = |(low, high, _): &&Filled| {
            (0..2).all(|of| low[of] <= point[of] && point[of] <= high[of])
        };
        let top = self.filled.iter().rev().find(is_in);
        top.map_or([1.0; 3], |(.., colour)| *colour)
    }

    /// The colour that is seen where this is drawn over another.
    fn seen(&mut self, over: Colour, text: &str, opacity: f64) -> Option<Colour> {
        let own = colour(text)?;
        let mixed = [0, 1, 2].map(|of| opacity * own[of] + (1.0 - opacity) * over[of]);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to 255
        self.colours.insert(mixed.map(|part| (255.0 * part) as u8));
        Some(mixed)
    }

    fn draw<'a>(&mut self, node: Node<'a, 'a>, mut look: Look<'a>, least: [f64; 2]) {
        let name = node.tag_name().name();
        if matches!(name, "style" | "title") || !node.is_element() {
            return;
        }
        for own in node.attributes() {
            let value = own.value();
            assert!(!value.contains("var("), "{value}");
            assert_ne!(own.name(), "style", "{value}: attributes have colours");
            match own.name() {
                "fill" => look.fill = value,
                "stroke" => look.stroke = value,
                "fill-opacity" => look.opacity[0] = numbers(value)[0],
                "stroke-opacity" => look.opacity[1] = numbers(value)[0],
                "opacity" => look.opacity = look.opacity.map(|of| of * numbers(value)[0]),
                "text-anchor" => look.from_start = value == "start",
                "transform" if value.starts_with("scale") => look.scale *= numbers(value)[0],
                "transform" if value.starts_with("rotate") => {}
                "transform" => {
                    let by = numbers(value);
                    look.at = [
                        look.at[0] + look.scale * by[0],
                        look.at[1] + look.scale * by[1],
                    ];
                }
                _ => {}
            }
        }
        let number = |key: &str| match node.attribute(key) {
            Some("100%") => 1e9,
            Some(text) => numbers(text)[0],
            None => 0.0,
        };
        let place = |x: f64, y: f64| [look.at[0] + look.scale * x, look.at[1] + look.scale * y];
        let (x, y) = (number("x"), number("y"));
        let points = node.attribute("d").or_else(|| node.attribute("points"));
        let points = numbers(&points.unwrap_or_default().replace('-', " -"));
        let (low, high) = match name {
            "rect" => ([x, y], [x + number("width"), y + number("height")]),
            "circle" => {
                let ([x, y], r) = ([number("cx"), number("cy")], number("r"));
                ([x - r, y - r], [x + r, y + r])
            }
            "line" => ([number("x1"), number("y1")], [number("x2"), number("y2")]),
            "polyline" | "path" if look.fill == "none" => {
                ([points[0], points[1]], [points[0], points[1]])
            }
            "polygon" => {
                let ends = |of: usize| {
                    let own = points.iter().skip(of).step_by(2);
                    own.fold((f64::MAX, f64::MIN), |(a, b), part| {
                        (a.min(*part), b.max(*part))
                    })
                };
                let (x, y) = (ends(0), ends(1));
                ([x.0, y.0], [x.1, y.1])
            }
            // Symbols around the origin.
            "path" => ([-11.0; 2], [11.0; 2]),
            "text" | "tspan" => {
                let shift = if look.from_start { 4.0 } else { 0.0 };
                ([x + shift, y], [x + shift, y])
            }
            _ => ([0.0; 2], [0.0; 2]),
        };
        let (low, high) = (place(low[0], low[1]), place(high[0], high[1]));
        let middle = [0, 1].map(|of| {
            let whole = high[of] - low[of] > 1e6;
            if whole {
                low[of]
            } else {
                f64::midpoint(low[of], high[of])
            }
        });
        let over = self.behind(middle);
        let says = format!("{name} {:?} {} {}", node.text(), look.fill, look.stroke);
        match name {
            "text" | "tspan" if node.attribute("class") == Some("margin") => {
                self.seen(over, look.stroke, look.opacity[1]);
                return;
            }
            "text" | "tspan" if node.text().is_some_and(|text| !text.trim().is_empty()) => {
                let letters = self.seen(over, look.fill, look.opacity[0]);
                let apart = letters.map_or(1.0, |letters| contrast(letters, over));
                if apart < least[0] {
                    self.failures.push(format!("{says}: {apart:.2}"));
                }
            }
            "rect" | "circle" | "line" | "path" | "polyline" | "polygon" => {
                let fill = if name == "line" { "none" } else { look.fill };
                let inside = self.seen(over, fill, look.opacity[0]);
                let around = self.seen(over, look.stroke, look.opacity[1]);
                let is_quiet = [fill, look.stroke]
                    .iter()
                    .all(|text| *text == "none" || QUIET.contains(text));
                let both = [inside, around].into_iter().flatten();
                let apart = both.map(|own| contrast(own, over)).fold(1.0, f64::max);
                if apart < least[1] && !is_quiet {
                    self.failures.push(format!("{says}: {apart:.2}"));
                }
                if let Some(inside) = inside {
                    self.filled.push((low, high, inside));
                }
            }
            _ => {}
        }
        if name == "text" {
            look.at = place(x, y);
        }
        for child in node.children() {
            self.draw(child, look, least);
        }
    }
}

/// A picture by night: each colour as the style of `page` gives it, which may be its own.
fn by_night(svg: &str, page: &str) -> String {
    let mut night = svg.to_owned();
    for rule in page.split("[fill=\"").skip(1) {
        let (day, rest) = rule.split_once("\"] { fill: ").expect("a rule");
        let (dark, _) = rest.split_once(';').expect("its colour");
        night = night.replace(&format!("=\"{day}\""), &format!("=\"{dark}\" "));
    }
    night
}

/// The pictures of a page, or the one that a text is.
fn inside(text: &str) -> Vec<&str> {
    let pictures = text.split_inclusive("</svg>");
    pictures
        .filter_map(|part| Some(&part[part.find("<svg ")?..]))
        .collect()
}

fn is_seen(name: &str, text: &str, least: [f64; 2]) {
    let all = inside(text);
    assert!(!all.is_empty(), "{name}: {text}");
    for svg in all {
        let night = by_night(svg, text);
        assert_ne!(svg, night, "{name}");
        for (when, svg) in [("day", svg), ("night", &*night)] {
            let look = Look {
                fill: "black",
                stroke: "none",
                opacity: [1.0; 2],
                from_start: true,
                at: [0.0; 2],
                scale: 1.0,
            };
            let options = ParsingOptions::default();
            let document = Document::parse_with_options(svg, options).expect("SVG is XML");
            let mut drawn = Drawn::default();
            drawn.draw(document.root_element(), look, least);
            let colours = drawn.colours.len();
            assert!(
                colours >= 5,
                "{name} by {when} has {colours} colours: {svg}"
            );
            assert!(
                drawn.failures.is_empty(),
                "{name} by {when}: {:#?}",
                drawn.failures
            );
        }
    }
}

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_picture_is_seen_without_styles() {
    let folder = Scratch::new("pictures");
    let [trip, finesse, cooling, house, plant, office] = [
        "trip.json",
        "finesse.json",
        "cooling.xml",
        "house.txt",
        "plant.txt",
        "office.txt",
    ]
    .map(example);
    let four = "play connect-four --columns 6 --rows 5 --moves 3323";
    let racing = "racing --deck 10 --goal 2 --hand-size 4 --seed 3 --lattice families";
    let words = |line: &'static str| line.split(' ').collect::<Vec<&str>>();
    for (args, option) in [
        (vec!["solve", &*trip, "--strategy"], "--strategy-file s.svg"),
        (
            vec!["solve", &*trip, "--refutation"],
            "--strategy-file s.svg",
        ),
        (
            vec!["solve", &*trip, "--strategy"],
            "--strategy-file s.html",
        ),
        (
            vec!["solve", &*finesse, "--strategy"],
            "--strategy-file s.svg",
        ),
        (words(racing), "--strategy-file s.svg"),
        (vec!["cuts", &*cooling], "--picture s.svg"),
        (vec!["cuts", &*cooling, "--importance"], "--picture s.svg"),
        (vec!["cuts", &*plant, "--importance"], "--picture s.svg"),
        (
            vec!["cuts", &*cooling, "--time-step", "100"],
            "--picture s.svg",
        ),
        (
            vec![
                "cuts",
                &*cooling,
                "--time-step",
                "100",
                "--uncertainty",
                "100",
            ],
            "--html s.html",
        ),
        (
            vec!["attacks", &*house, "--pareto", "cost,time"],
            "--html s.html",
        ),
        (
            vec!["attacks", &*office, "--pareto", "cost,time"],
            "--html s.html",
        ),
        (words("suit AQT98 5432"), "--picture s.svg"),
        (words("suit AQT98 5432"), "--html s.html"),
        (words(four), "--picture s.svg"),
    ] {
        let (option, file) = option.split_once(' ').expect("an option and a file");
        let path = folder.path(file);
        let run = meetjoin(&[&*args, &[option, &path]].concat(), "");
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{args:?}: {run:?}");
        let text = fs::read_to_string(path).expect("written");
        is_seen(&format!("{args:?} {option}"), &text, LEAST);
    }
    // Graphs and lattices, as pages and notebooks draw them.
    let problem = fs::read_to_string(trip).expect("an example");
    let question = format!("{{\"ask\":{{\"graph\":{{\"drawings\":true}}}}}}\n{problem}");
    let answered = solve::answer(question.as_bytes(), Memory::UNKNOWN).expect("an answer");
    let more = answered.text.lines().nth(1).expect("what is more");
    let answered: Value = serde_json::from_str(more).expect("JSON");
    for kind in ["graph", "lattice"] {
        let svg = answered[kind]["text"][0].as_str().expect("a picture");
        is_seen(kind, svg, LEAST);
    }
}

#[test]
fn every_picture_of_the_book_is_seen_without_styles() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/images");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the pictures") {
        let path = entry.expect("a picture").path();
        if path.extension().is_some_and(|of| of == "svg") {
            let text = fs::read_to_string(&path).expect("a picture");
            is_seen(&path.display().to_string(), &text, LEAST_OF_PLOTS);
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}
