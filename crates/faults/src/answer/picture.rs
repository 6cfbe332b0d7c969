//! The tree as a picture: a line for each gate and event, below the gate that it is an argument of.
//!
//! Names of fault trees are long and trees are wide, so each gate or event has a line of its own.
//! An argument shared by several gates is opened once, at its place nearest to the top.

use std::collections::VecDeque;
use std::fmt::Write as _;

use meetjoin_report::counted;
use meetjoin_report::page::{INK, MARK, PAPER, SOFT, escape};
use meetjoin_report::picture::{Picture, outlined, shortened};

use super::Cuts;
use crate::tree::{Argument, Connective, FaultTree};

/// Lines of a picture; more are not readable.
const MOST_LINES: usize = 200;
/// Letters of a name.
const NAME: usize = 60;
/// From line to line, and from a gate to its arguments.
const STEP: (f64, f64) = (30.0, 26.0);
/// Where the first symbol stands.
const FIRST: f64 = 14.0;
/// From a symbol to its name.
const WORDS: f64 = 18.0;
/// How wide a letter is, and not less.
const LETTER: f64 = 7.2;

/// Outlines of symbols around the origin, on pages too, with the colours that pages draw them in.
#[derive(serde::Serialize)]
pub(super) struct Shapes {
    and: &'static str,
    or: &'static str,
    vote: &'static str,
    not: &'static str,
    house: &'static str,
    ink: &'static str,
    mark: &'static str,
    paper: &'static str,
    soft: &'static str,
}

const SHAPES: Shapes = Shapes {
    and: "M-10 9V-1A10 10 0 0 1 10 -1V9Z",
    or: "M-10 9Q-10 -5 0 -11Q10 -5 10 9Q0 4 -10 9Z",
    vote: "M-6 -10H6L11 0L6 10H-6L-11 0Z",
    not: "M-10 9L0 -10L10 9Z",
    house: "M-9 9V-2L0 -10L9 -2V9Z",
    ink: INK,
    mark: MARK,
    paper: PAPER,
    soft: SOFT,
};

impl Default for Shapes {
    fn default() -> Self {
        SHAPES
    }
}

/// A line of the picture.
struct Line {
    what: What,
    depth: usize,
    /// The lines below it that belong to it.
    below: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Argument(Argument),
    /// A gate whose arguments stand at another line.
    Again(u32),
    /// A gate whose arguments do not fit any more.
    Closed(u32),
    /// The number of further arguments, which do not fit any more.
    More(usize),
}

impl What {
    fn argument(self) -> Option<Argument> {
        match self {
            Self::Argument(argument) => Some(argument),
            Self::Again(gate) | Self::Closed(gate) => Some(Argument::Gate(gate)),
            Self::More(_) => None,
        }
    }
}

impl Cuts<'_> {
    /// The tree as SVG: its gates and events, with probabilities, and with the importance of
    /// events if that was asked for. Of a tree of more than 200 lines those next to the top.
    pub fn picture(&self) -> String {
        let lines = opened(self.tree);
        let mut order = Vec::with_capacity(lines.len());
        let mut stack = vec![0];
        while let Some(line) = stack.pop() {
            order.push(line);
            stack.extend(lines[line].below.iter().rev());
        }
        let mut row_of = vec![0; lines.len()];
        for (row, line) in order.iter().enumerate() {
            row_of[*line] = row;
        }
        let place = |line: usize| {
            let x = FIRST + STEP.1 * lines[line].depth as f64;
            (x, STEP.0 * (row_of[line] as f64 + 0.5))
        };
        let (mut links, mut rows, mut width) = (String::new(), String::new(), 0.0_f64);
        for line in order {
            let (x, y) = place(line);
            if let Some(last) = lines[line].below.last() {
                let _ = write!(links, "<path d=\"M{x} {}V{}", y + 12.0, place(*last).1);
                for below in &lines[line].below {
                    let _ = write!(links, "M{x} {}h{}", place(*below).1, STEP.1 - 12.0);
                }
                links.push_str("\"/>\n");
            }
            let (name, more) = self.words(lines[line].what);
            let shown = shortened(&name, NAME);
            let letters = shown.chars().count() + more.chars().count() + 2;
            width = width.max(x + WORDS + LETTER * letters as f64);
            let _ = writeln!(
                rows,
                "<g transform=\"translate({x} {y})\"><title>{}</title>{}<text text-anchor=\"start\" x=\"{WORDS}\">\
                 {}<tspan dx=\"8\" fill-opacity=\"0.75\">{}</tspan></text></g>",
                escape(&name),
                self.symbol(lines[line].what),
                escape(&shown),
                escape(&more)
            );
        }
        let height = STEP.0 * lines.len() as f64;
        Picture {
            title: self.title(),
            size: (width, height),
            drawing: format!(
                "<g fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"0.55\" stroke-width=\"1.2\">{links}</g>\n{rows}"
            ),
            above: vec![self.title(), self.summary()],
            legend: self.legend(&lines),
            below: Vec::new(),
        }
        .svg()
    }

    /// A summary of the top and of the sets.
    fn summary(&self) -> String {
        let (count, what) = (self.count(), self.what());
        let found = if self.stop.is_some() { " found" } else { "" };
        let sets = format!("{what}{found}: {count}");
        match self.top_text() {
            Some((p, time)) => format!("P(top) {p}{time}; {sets}"),
            None => sets,
        }
    }

    /// The words of a line: a name, and details beside it.
    fn words(&self, what: What) -> (String, String) {
        let name = what.argument().map(|argument| self.tree.called(argument));
        let beside = match what {
            What::Argument(Argument::Gate(gate)) => kind(self.tree, gate),
            What::Argument(Argument::Event(event)) => self.of_event(event),
            What::Argument(Argument::Constant(_)) => String::new(),
            What::Again(gate) => format!("{}, opened elsewhere", kind(self.tree, gate)),
            What::Closed(gate) => {
                let arguments = self.tree.gates()[gate as usize].arguments.len();
                let arguments = counted(arguments, "argument");
                format!("{}, {arguments}, not drawn", kind(self.tree, gate))
            }
            What::More(more) => format!("{more} more, not drawn"),
        };
        (name.unwrap_or_default(), beside)
    }

    /// Probability and importance of an event, as far as they are known.
    fn of_event(&self, event: u32) -> String {
        let p = self.tree.events()[event as usize].probability;
        let mut text = p.map_or_else(String::new, |p| format!("{p:.4e}"));
        let mut measured = self.importance.iter().flatten();
        let measured = measured.find(|measured| measured.event == event);
        if let Some(value) = measured.and_then(|measured| measured.fussell_vesely) {
            // Writing to a text cannot fail.
            let _ = write!(text, ", Fussell-Vesely {value:.4}");
        }
        text
    }

    fn symbol(&self, what: What) -> String {
        let look = outlined(SOFT);
        let shape = |of: &str| format!("<path {look} d=\"{of}\"/>");
        let inside = |text: &str| format!("<text y=\"1\">{text}</text>");
        let not = format!("<circle {look} cy=\"-12\" r=\"2.5\"/>");
        match what.argument() {
            None => inside("…"),
            Some(Argument::Event(_)) => format!("<circle {look} r=\"9\"/>"),
            Some(Argument::Constant(_)) => shape(SHAPES.house),
            Some(Argument::Gate(gate)) => match self.tree.gates()[gate as usize].connective {
                Connective::And => shape(SHAPES.and),
                Connective::Nand => shape(SHAPES.and) + &not,
                Connective::Or => shape(SHAPES.or),
                Connective::Nor => shape(SHAPES.or) + &not,
                Connective::Xor => shape(SHAPES.or) + &inside("x"),
                Connective::Not => shape(SHAPES.not),
                Connective::AtLeast(least) => shape(SHAPES.vote) + &inside(&least.to_string()),
            },
        }
    }

    /// The legend of the symbols that occur.
    fn legend(&self, lines: &[Line]) -> Vec<(String, String)> {
        let words = |argument| match argument {
            Argument::Event(_) => "an event, with its probability",
            Argument::Constant(_) => "a house event: certain or impossible",
            Argument::Gate(gate) => match self.tree.gates()[gate as usize].connective {
                Connective::And => "and: all of its arguments",
                Connective::Nand => "nand: not all of its arguments",
                Connective::Or => "or: any of its arguments",
                Connective::Nor => "nor: none of its arguments",
                Connective::Xor => "xor: an odd number of its arguments",
                Connective::Not => "not: its argument does not occur",
                Connective::AtLeast(_) => "a number k: at least k of its arguments",
            },
        };
        let mut legend: Vec<(String, String)> = Vec::new();
        for line in lines {
            if let Some(words) = line.what.argument().map(words)
                && legend.iter().all(|(_, other)| other != words)
            {
                // A line of a legend is lower than one of the tree.
                let sign = format!(
                    "<g transform=\"scale(0.75)\">{}</g>",
                    self.symbol(line.what)
                );
                legend.push((sign, words.to_owned()));
            }
        }
        legend
    }
}

/// The connective of a gate in words.
pub(super) fn kind(tree: &FaultTree, gate: u32) -> String {
    let gate = &tree.gates()[gate as usize];
    match gate.connective {
        Connective::AtLeast(least) => format!("{least} of {}", gate.arguments.len()),
        other => other.to_string(),
    }
}

/// The lines, the top first: gates are opened from the top down while there are lines left.
fn opened(tree: &FaultTree) -> Vec<Line> {
    let line = |what, depth| Line {
        what,
        depth,
        below: Vec::new(),
    };
    let mut lines = vec![line(What::Argument(tree.top()), 0)];
    let mut is_open = vec![false; tree.gates().len()];
    let mut next = VecDeque::from([0]);
    while let Some(at) = next.pop_front() {
        let What::Argument(Argument::Gate(gate)) = lines[at].what else {
            continue;
        };
        let arguments = &tree.gates()[gate as usize].arguments;
        let left = MOST_LINES - lines.len();
        if is_open[gate as usize] {
            lines[at].what = What::Again(gate);
            continue;
        }
        if arguments.len().min(2) > left {
            lines[at].what = What::Closed(gate);
            continue;
        }
        is_open[gate as usize] = true;
        let shown = if arguments.len() <= left {
            arguments.len()
        } else {
            left - 1
        };
        let depth = lines[at].depth + 1;
        let more = arguments.len() - shown;
        let below = arguments[..shown].iter().map(|own| What::Argument(*own));
        for what in below.chain((more > 0).then_some(What::More(more))) {
            next.push_back(lines.len());
            let below = lines.len();
            lines[at].below.push(below);
            lines.push(line(what, depth));
        }
    }
    lines
}
