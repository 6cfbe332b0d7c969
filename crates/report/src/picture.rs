//! Self-contained SVG pictures for browsers, pages and notebooks, with the colours of pages, and
//! with text above and below, wrapped to the width of the drawing.
//!
//! Drawings are made elsewhere; this file has what all pictures share.
//!
//! Invariant: without its style a picture is what it is by day, for most programs other than
//! browsers know no custom properties, and some no style. So colours and letters are attributes.

use std::fmt::Write as _;

use crate::page::{INK, PAPER, RULE, SOFT, by_night, escape};

/// A drawing with its texts.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// The title, for screen readers.
    pub title: String,
    /// The width and height of the drawing.
    pub size: (f64, f64),
    /// The drawing as SVG, with the origin at its upper left corner. Its texts are centred on their
    /// places, unless they say otherwise.
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
/// The letters of the first line.
const FIRST: &str = " font-weight=\"600\" font-size=\"13\"";

/// Attributes of a shape: filled with a colour, and outlined.
pub fn outlined(fill: &str) -> String {
    format!("class=\"shape\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.3\"")
}

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
        let line = |body: &mut String, y: &mut f64, x: f64, letters: &str, text: &str| {
            for part in wrapped(text, (width - x - GAP) / LETTER) {
                *y += LINE;
                // Writing to a string cannot fail.
                let _ = writeln!(
                    body,
                    "<text text-anchor=\"start\"{letters} x=\"{x:.0}\" y=\"{:.0}\">{}</text>",
                    *y - LINE / 2.0,
                    escape(&part)
                );
            }
        };
        for (place, text) in self.above.iter().enumerate() {
            let letters = if place == 0 { FIRST } else { "" };
            line(&mut body, &mut y, GAP, letters, text);
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
            line(&mut body, &mut y, GAP + SIGN, " class=\"meaning\"", text);
            y += 4.0;
        }
        for text in &self.below {
            line(&mut body, &mut y, GAP, "", text);
        }
        let (height, title) = (y + GAP, escape(&self.title));
        let by_night = by_night(".meetjoin");
        // Programs differ in `dominant-baseline`, and agree in where a shifted text stands.
        let body = body.replace("<text", "<text dy=\"0.35em\"");
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"meetjoin\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n\
             <style>\n.meetjoin {{ color-scheme: light dark; max-width: none; }}\n{by_night}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n\
             <g fill=\"{INK}\" font-family=\"system-ui, sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n{body}</g>\n</svg>\n"
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

/// Black, white and greys of plots, and the colours of pages for them.
const PLAIN: [(&str, &str); 6] = [
    ("\"#FFFFFF\"", PAPER),
    ("\"#000000\"", INK),
    ("\"#282828\"", INK),
    ("\"#6E6E6E\"", INK),
    ("\"#EEEEEE\"", SOFT),
    ("\"#D7D7D7\"", RULE),
];

/// Replaces black, white and greys of a plot by the colours of pages, so that it follows the dark
/// theme. Other colours are visible in both themes.
pub fn with_colours(svg: &str) -> String {
    let svg = PLAIN.iter().fold(svg.to_owned(), |svg, (plain, colour)| {
        svg.replace(plain, &format!("\"{colour}\""))
    });
    let Some((root, rest)) = svg.split_once('>') else {
        return svg;
    };
    let by_night = by_night(".plot");
    format!(
        "{root} class=\"plot\">\n<style>\n.plot {{ color-scheme: light dark; }}\n{by_night}</style>{rest}"
    )
}
