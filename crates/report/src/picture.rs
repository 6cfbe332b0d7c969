//! Self-contained SVG pictures for browsers, pages and notebooks, with the colours of pages, and
//! with text above and below, wrapped to the width of the drawing.
//!
//! Drawings are made elsewhere; this file has what all pictures share.

use std::fmt::Write as _;

use crate::page::{colours, escape};

/// A drawing with its texts.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The title, for screen readers.
    pub title: String,
    /// The width and height of the drawing.
    pub size: (f64, f64),
    /// The drawing as SVG, with the origin at its upper left corner.
    pub drawing: String,
    /// Lines above it; the first is emphasized.
    pub above: Vec<String>,
    /// The legend: signs as SVG around the origin, with their meanings.
    pub legend: Vec<(String, String)>,
    /// Lines below it.
    pub below: Vec<String>,
}

/// The least width of a picture with text: lines of some fifty letters.
const NARROW: f64 = 340.0;
/// The average width of a letter, rounded up.
const LETTER: f64 = 6.6;
/// The distance between lines.
const LINE: f64 = 18.0;
/// The distance between lines and other parts.
const GAP: f64 = 10.0;
/// Where the texts of a legend begin.
const SIGN: f64 = 34.0;

/// The style of all pictures. Its selectors match pictures only, because notebooks apply it to the
/// whole page.
const STYLE: &str = ".meetjoin { font: 12px system-ui, sans-serif; max-width: none; }
.meetjoin .paper { fill: var(--paper); }
.meetjoin text { fill: var(--ink); text-anchor: middle; dominant-baseline: central; }
.meetjoin .line { text-anchor: start; }
.meetjoin .first { font-weight: 600; font-size: 13px; }
.meetjoin line { stroke: var(--ink); stroke-opacity: 0.55; stroke-width: 1.2; }
.meetjoin .dashed line { stroke-dasharray: 4 3; }
.meetjoin line.own { stroke: var(--mark); stroke-opacity: 1; stroke-width: 3; }
.meetjoin .shape { fill: var(--paper); stroke: var(--ink); stroke-width: 1.3; }
.meetjoin .own .shape { fill: var(--path); }
.meetjoin .plain .shape { stroke: none; }
.meetjoin .over { stroke: var(--paper); stroke-width: 4; paint-order: stroke; }
";

impl Picture {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let has_words = !(self.above.is_empty() && self.legend.is_empty() && self.below.is_empty());
        let inner = self
            .size
            .0
            .max(if has_words { NARROW - 2.0 * GAP } else { 0.0 });
        let width = inner + 2.0 * GAP;
        let mut body = String::new();
        let mut y = GAP;
        let line = |body: &mut String, y: &mut f64, x: f64, class: &str, text: &str| {
            for part in wrapped(text, (width - x - GAP) / LETTER) {
                *y += LINE;
                // Writing to a string cannot fail.
                let _ = writeln!(
                    body,
                    "<text class=\"{class}\" x=\"{x:.0}\" y=\"{:.0}\">{}</text>",
                    *y - LINE / 2.0,
                    escape(&part)
                );
            }
        };
        for (place, text) in self.above.iter().enumerate() {
            let class = if place == 0 { "line first" } else { "line" };
            line(&mut body, &mut y, GAP, class, text);
        }
        let _ = writeln!(
            body,
            "<g transform=\"translate({:.1} {y:.1})\">\n{}</g>",
            (width - self.size.0) / 2.0,
            self.drawing
        );
        y += self.size.1 + GAP;
        for (sign, text) in &self.legend {
            let _ = write!(
                body,
                "<g class=\"sign\" transform=\"translate({:.0} {:.0})\">{sign}</g>",
                GAP + SIGN / 2.0 - 5.0,
                y + LINE / 2.0
            );
            line(&mut body, &mut y, GAP + SIGN, "line meaning", text);
            y += 4.0;
        }
        for text in &self.below {
            line(&mut body, &mut y, GAP, "line", text);
        }
        let (height, title) = (y + GAP, escape(&self.title));
        let colours = colours(".meetjoin");
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"meetjoin\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n\
             <style>\n{colours}{STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n"
        )
    }
}

/// Wraps a text to lines of so many letters, and breaks words only if they are longer than a line.
pub fn wrapped(text: &str, letters: f64) -> Vec<String> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some dozens
    let most = letters.max(8.0) as usize;
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > most {
            lines.push(String::new());
            used = 0;
        }
        for letter in (used > 0).then_some(' ').into_iter().chain(word.chars()) {
            if used == most {
                lines.push(String::new());
                used = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(letter);
                used += 1;
            }
        }
    }
    lines
}

/// Shortens a text to at most `most` letters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars()
        .take(most.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// Fixed colours of plots, with their names in styles.
const PLAIN: [(&str, &str); 6] = [
    ("#FFFFFF", "paper"),
    ("#000000", "ink"),
    ("#282828", "ink"),
    ("#6E6E6E", "ink"),
    ("#EEEEEE", "soft"),
    ("#D7D7D7", "rule"),
];

/// Replaces black, white and greys of a plot by the colours of pages, so that it follows the dark
/// theme. Other colours are visible in both themes.
pub fn with_colours(svg: &str) -> String {
    let mut style = colours(".plot");
    for (plain, name) in PLAIN {
        for what in ["fill", "stroke"] {
            // Writing to a string cannot fail.
            let _ = writeln!(
                style,
                ".plot [{what}=\"{plain}\"] {{ {what}: var(--{name}); }}"
            );
        }
    }
    let Some((root, rest)) = svg.split_once('>') else {
        return svg.to_owned();
    };
    format!("{root} class=\"plot\">\n<style>\n{style}</style>{rest}")
}
