//! A position of Connect Four as a picture: the stones, and above each column what it is worth.

use std::fmt::Write as _;

use meetjoin_problems::play::Analysis;
use meetjoin_report::page::{CUT, INK, MARK, PAPER, SOFT, escape};
use meetjoin_report::picture::Picture;

/// The side of a cell.
const CELL: f64 = 44.0;
/// Above the board, for values.
const ABOVE: f64 = 26.0;

/// The picture of a board as text, and of what its moves are worth.
pub(super) fn svg(board: &str, analysis: &Analysis) -> String {
    let is_cell = |word: &&str| matches!(*word, "." | "X" | "O");
    let rows = board
        .lines()
        .map(|line| line.split_whitespace().filter(is_cell).collect());
    let rows: Vec<Vec<&str>> = rows.filter(|row: &Vec<&str>| !row.is_empty()).collect();
    let columns = rows.first().map_or(0, Vec::len);
    let (width, height) = (columns as f64 * CELL, rows.len() as f64 * CELL);
    let mut drawing = format!(
        "<rect x=\"0\" y=\"{ABOVE}\" width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{SOFT}\" stroke=\"{INK}\" stroke-opacity=\"0.55\"/>\n"
    );
    let middle = |place: usize| (place as f64 + 0.5) * CELL;
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            let fill = match *cell {
                "X" => MARK,
                "O" => CUT,
                _ => PAPER,
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                drawing,
                "<circle cx=\"{}\" cy=\"{}\" r=\"17\" fill=\"{fill}\" stroke=\"{INK}\" stroke-opacity=\"0.55\"/>",
                middle(x),
                ABOVE + middle(y)
            );
        }
    }
    for (number, found) in &analysis.moves {
        let value = found
            .value
            .exact()
            .map_or_else(|| "?".to_owned(), ToString::to_string);
        let column = usize::try_from(*number).unwrap_or(1).saturating_sub(1);
        let best = analysis.line.first() == Some(number);
        let weight = if best { " font-weight=\"700\"" } else { "" };
        let _ = writeln!(
            drawing,
            "<text x=\"{}\" y=\"{}\" font-size=\"15\"{weight}>{}</text>",
            middle(column),
            ABOVE / 2.0,
            escape(&value)
        );
    }
    let disc = |colour: &str| format!("<circle r=\"7\" fill=\"{colour}\"/>");
    let value = analysis.root.text();
    Picture {
        title: format!("Connect Four: {value}"),
        size: (width, ABOVE + height),
        drawing,
        above: vec![
            format!("Value {value}"),
            "Above each column what a move there is worth, in bold the best:".to_owned(),
        ],
        legend: vec![
            (
                disc(MARK),
                "MAX, who wins if the value is above 0".to_owned(),
            ),
            (disc(CUT), "MIN, who wins if it is below 0".to_owned()),
        ],
        below: Vec::new(),
    }
    .svg()
}
