//! Strategies as pictures and as pages: positions in the shapes of their kinds, moves at the lines,
//! values of the ends, and the plan in words.

use std::fmt::Write as _;

use meetjoin_dag::Kind;
use meetjoin_file::Shape;
use meetjoin_report::page::{self, Page, escape};
use meetjoin_report::picture::{Picture, shortened, wrapped};
use meetjoin_solve::plan::StrategyNode;
use meetjoin_solve::request::Refused;

use super::Strategy;
use crate::layout::{Place, layered};
use crate::picture::{label, line, node, over, sign};

/// The most positions in a drawing; more are not readable.
const MOST_DRAWN: usize = 300;
/// The distance between layers: room for moves in several lines.
const LAYERS: f64 = 110.0;
/// The most letters in a line of moves, and the most lines.
const MOVES: (usize, usize) = (11, 3);
/// The distance between lines of moves.
const MOVE: f64 = 13.0;
/// The most letters of names at their nodes. If one is longer, nodes are numbered instead.
const NAME: usize = 9;
/// The label of a position where no move matters any more.
const SURE: &str = "sure";

impl Strategy {
    /// An SVG drawing with a legend and the name of its problem: squares are OR nodes, where MAX
    /// moves, circles AND nodes, where MIN does; moves are at the lines.
    ///
    /// # Errors
    /// If the strategy has too many positions to be drawn.
    pub fn svg(&self, about: &str) -> Result<String, Refused> {
        let count = self.nodes.len();
        if count > MOST_DRAWN {
            let why = format!(
                "the strategy has {count} positions, and a drawing shows {MOST_DRAWN} at most; a file of another kind holds them all"
            );
            return Err(Refused::Problem(why));
        }
        let above = vec![about.to_owned(), self.promise()];
        Ok(Picture {
            above,
            ..self.picture()
        }
        .svg())
    }

    /// A page with the guarantee, the plan in words with collapsible branches, and the drawing, if
    /// it is not too large.
    pub fn html(&self, about: &str) -> String {
        let text = self.text();
        let mut lines = text.lines();
        lines.next();
        let lines = lines.map(|line| {
            let words = line.trim_start();
            ((line.len() - words.len()) / 2, words.to_owned())
        });
        let lines: Vec<(usize, String)> = lines.collect();
        let mut body = format!("<p class=\"big\">{}</p>\n", escape(&self.promise()));
        body.push_str("<h2 id=\"plan\">The plan</h2>\n");
        body.push_str(&page::branches("the-plan", &lines));
        body.push_str("<h2 id=\"drawing\">The drawing</h2>\n");
        let count = self.nodes.len();
        // Writing to a string cannot fail.
        let _ = if count > MOST_DRAWN {
            writeln!(
                body,
                "<p>The strategy has {count} positions; up to {MOST_DRAWN} are drawn.</p>"
            )
        } else {
            writeln!(
                body,
                "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"The drawing\">\n{}</div>",
                self.picture().svg()
            )
        };
        Page {
            title: about,
            body: &body,
            // A large drawing is scrolled rather than scaled down.
            style: ".big { font-size: 1.3rem; } .wide svg { width: auto; }\n",
            ..Page::default()
        }
        .html()
    }

    fn promise(&self) -> String {
        let (player, _, bound) = self.player();
        format!("{player} makes sure of {bound} {}", self.of.text())
    }

    fn picture(&self) -> Picture {
        let ways: Vec<_> = self.nodes.iter().map(StrategyNode::ways).collect();
        let edges = ways.iter().enumerate();
        let edges = edges.flat_map(|(from, ways)| ways.iter().map(move |(to, _)| (from, *to)));
        let edges: Vec<_> = edges.collect();
        let (places, width, height) = layered(self.nodes.len(), &edges, LAYERS);
        let mut drawing = String::new();
        for (from, ways) in ways.iter().enumerate() {
            for (to, _) in ways {
                drawing.push_str(&line(self.is_choice(from), places[from], places[*to]));
            }
        }
        let nodes = self.nodes.iter();
        let has_numbers = nodes
            .clone()
            .any(|node| node.name.text.chars().count() > NAME);
        let mut names = Vec::new();
        for (at, own) in nodes.enumerate() {
            let shape = Shape::of(own.part());
            let name = own.name.text.as_str();
            let number = (at + 1).to_string();
            let shown = if has_numbers { &number } else { name };
            let text = match self.ends.get(at) {
                Some(Some(worth)) if worth == name => [name, ""],
                Some(Some(worth)) => [shown, worth],
                _ if shape == Shape::Plain => [shown, SURE],
                _ => [shown, ""],
            };
            if has_numbers {
                names.push(format!("{number}: {name}"));
            }
            drawing.push_str(&node(shape, self.is_choice(at), &places[at], text, name));
        }
        let mut taken: Vec<Room> = places.iter().map(|place| Room::of_node(*place)).collect();
        for (from, ways) in ways.iter().enumerate() {
            for (to, by) in ways {
                // In a graph without names of moves a move has the name of its target.
                if *by != self.nodes[*to].name.text {
                    drawing.push_str(&moves(places[from], places[*to], by, &mut taken));
                }
            }
        }
        Picture {
            title: self.promise(),
            size: (width, height),
            drawing,
            above: Vec::new(),
            legend: self.legend(has_numbers),
            below: names,
        }
    }

    /// Returns whether the player of the strategy moves there.
    fn is_choice(&self, at: usize) -> bool {
        let node = &self.nodes[at];
        node.is_own && !node.next.is_empty()
    }

    /// The symbols that occur in the drawing.
    fn legend(&self, has_numbers: bool) -> Vec<(String, String)> {
        let (player, other, _) = self.player();
        let mut legend = Vec::new();
        for (kind, mover, name) in [
            (Kind::Or, "MAX", "an OR node"),
            (Kind::And, "MIN", "an AND node"),
        ] {
            let mut places = (0..self.nodes.len()).filter(|at| self.nodes[*at].part() == kind);
            if let Some(at) = places.next() {
                let words = format!("{mover} moves: {name}");
                legend.push((sign(Shape::of(kind), self.is_choice(at)), words));
            }
        }
        let stroke = |is_own: bool| {
            let place = |x| Place { x, y: 0.0 };
            line(is_own, place(-13.0), place(13.0))
        };
        let has = |own: bool| {
            let mut places = 0..self.nodes.len();
            places.any(|at| !self.nodes[at].next.is_empty() && self.is_choice(at) == own)
        };
        if has(true) {
            legend.push((stroke(true), format!("what {player} plays")));
        }
        if has(false) {
            legend.push((stroke(false), format!("what {other} may play")));
        }
        if self.ends.iter().any(Option::is_some) {
            let words = "an end: its name, and what it is worth".to_owned();
            legend.push((sign(Shape::Plain, false), words));
        }
        if self.nodes.iter().any(StrategyNode::is_decided) {
            let words = "it is sure now, whatever anybody plays".to_owned();
            legend.push((label(0.0, 0.0, SURE, NAME), words));
        }
        if has_numbers {
            let number = label(0.0, 0.0, "1, 2", NAME);
            legend.push((number, "the positions, whose names are below".to_owned()));
        }
        legend
    }
}

/// An occupied area.
#[derive(Clone, Copy)]
struct Room {
    middle: Place,
    /// Half of its width and of its height.
    half: [f64; 2],
}

impl Room {
    /// A node with the names below it.
    fn of_node(Place { x, y }: Place) -> Self {
        Self {
            middle: Place { x, y: y + 8.0 },
            half: [18.0, 26.0],
        }
    }

    /// The area of the intersection.
    fn shared(&self, other: &Self) -> f64 {
        let apart = [
            (self.middle.x - other.middle.x).abs(),
            (self.middle.y - other.middle.y).abs(),
        ];
        let common = [0, 1].map(|at| (self.half[at] + other.half[at] - apart[at]).max(0.0));
        common[0] * common[1]
    }
}

/// Fractions of a line at which its moves may be placed, the best first: nearer to the target,
/// where lines from one position are farther apart.
const WAYS: [f64; 8] = [0.55, 0.62, 0.48, 0.68, 0.41, 0.74, 0.35, 0.29];

/// The moves of a line, in several lines of text, placed where they overlap least.
fn moves(from: Place, to: Place, by: &str, taken: &mut Vec<Room>) -> String {
    let (letters, most) = MOVES;
    let mut lines = wrapped(by, letters as f64);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = shortened(&format!("{last}……"), letters);
        }
    }
    let longest = lines.iter().map(|line| line.chars().count()).max();
    let half = [
        3.3 * longest.unwrap_or(0) as f64,
        MOVE / 2.0 * lines.len() as f64,
    ];
    let rooms = WAYS.map(|part| {
        let middle = Place {
            x: from.x + part * (to.x - from.x),
            y: from.y + part * (to.y - from.y),
        };
        Room { middle, half }
    });
    let hidden = |room: &Room| taken.iter().map(|other| room.shared(other)).sum::<f64>();
    let best = rooms.iter().min_by(|a, b| hidden(a).total_cmp(&hidden(b)));
    let room = *best.unwrap_or(&rooms[0]);
    taken.push(room);
    let Place { x, y } = room.middle;
    let first = y - MOVE * (lines.len() as f64 - 1.0) / 2.0;
    let mut text = format!("<g class=\"moves\"><title>{}</title>", escape(by));
    for (place, line) in lines.iter().enumerate() {
        let y = first + MOVE * place as f64;
        text.push_str(&over(&label(x, y, line, letters)));
    }
    text + "</g>\n"
}
