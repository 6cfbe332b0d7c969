//! The chances of a suit as a picture: a bar for each number of tricks, and the line that has it.

use std::fmt::Write as _;

use meetjoin_report::page::{MARK, RULE, SOFT, escape};
use meetjoin_report::picture::Picture;
use meetjoin_report::{counted, percent};

use super::Goal;
use super::answer::{self, SuitTable};
use super::goal::reached;

/// A bar that is full.
const WIDE: f64 = 220.0;
/// Left of the bars.
const LEFT: f64 = 76.0;
/// Right of the bars, for chances, and for chances that are reached at least.
const RIGHT: [f64; 2] = [64.0, 112.0];
/// From bar to bar.
const STEP: f64 = 30.0;

/// The picture.
pub(super) fn svg(table: &SuitTable) -> String {
    let (north, south) = table.suit.given();
    let title = format!("{north} opposite {south}");
    let mut drawing = String::new();
    let mut y = 6.0;
    let mut is_stopped = false;
    for (chance, line) in table.shown() {
        let Goal::Tricks(tricks) = chance.goal else {
            continue;
        };
        let share = chance.weight as f64 / chance.total.max(1) as f64;
        let line = line.map_or_else(String::new, |line| {
            format!(" by line {}", answer::letter(line))
        });
        let said = reached(percent(chance.weight, chance.total), chance.stop.is_some());
        is_stopped |= chance.stop.is_some();
        // Writing to a string cannot fail.
        let _ = writeln!(
            drawing,
            "<text text-anchor=\"start\" x=\"0\" y=\"{0:.0}\">{3}</text>\n\
             <rect x=\"{LEFT}\" y=\"{y:.0}\" width=\"{WIDE}\" height=\"20\" fill=\"{SOFT}\" stroke=\"{RULE}\"/>\n\
             <rect x=\"{LEFT}\" y=\"{y:.0}\" width=\"{1:.1}\" height=\"20\" fill=\"{MARK}\"><title>{said}{line}</title></rect>\n\
             <text text-anchor=\"start\" x=\"{2:.0}\" y=\"{0:.0}\">{said}</text>",
            y + 10.0,
            share * WIDE,
            LEFT + WIDE + 8.0,
            counted(tricks, "trick")
        );
        y += STEP;
    }
    let lines = table.lines.iter().enumerate().map(|(place, line)| {
        let words = line.short.clone().unwrap_or_else(|| {
            let words = line.words.iter().map(|(_, said)| said.as_str());
            words.collect::<Vec<&str>>().join("; ")
        });
        (
            format!(
                "<text font-weight=\"600\">{}</text>",
                escape(&answer::letter(place))
            ),
            words,
        )
    });
    Picture {
        title: format!("{title}: chances of each number of tricks"),
        size: (LEFT + WIDE + RIGHT[usize::from(is_stopped)], y),
        drawing,
        above: vec![title, "The best chance of at least".to_owned()],
        legend: lines.collect(),
        below: is_stopped
            .then(|| "The search was stopped: there may be better chances.".to_owned())
            .into_iter()
            .collect(),
    }
    .svg()
}
