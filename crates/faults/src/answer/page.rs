//! An answer on a page: P(top), the sets with a field that searches them, importance as bars,
//! P(top) over time, what trials say, and the tree as a drawing whose gates open and close.
//!
//! A page that would be too long leaves out the rest and says how much that is.

mod lists;

use std::collections::VecDeque;
use std::fmt::Write as _;

use meetjoin_lattice::Stop;
use meetjoin_report::page::{Cell, Page, escape, table};
use meetjoin_report::{counted, one_line};
use num_bigint::BigUint;
use serde::Serialize;

use super::picture::{Shapes, kind};
use super::plot::{self, Frame};
use super::safety::Sil;
use super::uncertainty::Uncertainty;
use super::{Cuts, NOT_SOLVED, PhaseAnswer, curve};
use crate::diagram::Importance;
use crate::tree::{Argument, FaultTree};
use lists::{Measures, PageLists};

/// Events that have a bar.
const MOST_BARS: usize = 300;
/// Arguments of gates that can be opened.
const MOST_ARGUMENTS: usize = 20_000;
/// Points of a table of P(top) over time.
const MOST_POINTS: usize = 200;
/// How wide and how high pictures are: two beside each other, and one on a telephone.
const SIZE: (f64, f64) = (360.0, 240.0);

const MEASURES: [&str; 6] = [
    "Birnbaum (MIF)",
    "critical (CIF)",
    "diagnostic (DIF)",
    "Fussell-Vesely",
    "RAW",
    "RRW",
];
/// The one that is shown first, by its place.
const FIRST: usize = 3;

impl Cuts<'_> {
    /// The answer as a page: one file that needs no network.
    pub fn html(&self, lists: &PageLists) -> String {
        let mut parts: Vec<(&str, &str, String)> = Vec::new();
        parts.push(("sets", "Sets", self.sets_part(lists)));
        let importance = match &lists.importance {
            Measures::None => None,
            Measures::Unknown => Some(format!("<p>Importance is {NOT_SOLVED}.</p>\n")),
            Measures::Known(measured) => Some(self.importance_part(measured)),
        };
        if let Some(text) = importance {
            parts.push(("importance", "Importance", text));
        }
        if let Some(points) = &self.besides.curve {
            parts.push((
                "time",
                "Over time",
                over_time(points, self.besides.sil.as_ref()),
            ));
        }
        if let Some(uncertainty) = &self.besides.uncertainty {
            parts.push(("uncertainty", "Uncertainty", uncertain(uncertainty)));
        }
        if !self.besides.phases.is_empty() {
            parts.push(("phases", "Phases", phases(&self.besides.phases)));
        }
        parts.push(("drawing", "The tree", drawing(self.tree)));
        let mut body = self.answer_part(lists.stop);
        body.push_str("<nav aria-label=\"Parts of the page\">");
        for (id, name, _) in &parts {
            let _ = write!(body, "<a href=\"#{id}\">{name}</a> ");
        }
        body.push_str("</nav>\n");
        for (id, name, text) in &parts {
            let _ = write!(body, "<h2 id=\"{id}\">{name}</h2>\n{text}");
        }
        let title = self.title();
        let page = Page {
            title: &title,
            body: &body,
            style: include_str!("page/page.css"),
            script: include_str!("page/page.js"),
        };
        page.html()
    }

    fn answer_part(&self, stop: Option<Stop>) -> String {
        let mut text = match self.top_text() {
            Some((p, time)) => {
                format!("<p>P(top) <span class=\"big\">{p}</span>{time}</p>\n")
            }
            None => "<p>P(top) is unknown, for events have no probability.</p>\n".to_owned(),
        };
        if let Some((average, of)) = self.average_text() {
            let average = escape(&average);
            let _ = writeln!(text, "<p>PFDavg <strong>{average}</strong>{of}</p>");
        }
        let (gates, events) = self.tree.below_top();
        let found = if self.stop.is_some() { " found" } else { "" };
        let only = match (self.request.limit_order, self.request.cut_off) {
            (None, None) => String::new(),
            (Some(most), None) => format!(" of at most {}", counted(most, "event")),
            (None, Some(least)) => format!(" that are at least {least:e} probable"),
            (Some(most), Some(least)) => {
                format!(
                    " of at most {} that are at least {least:e} probable",
                    counted(most, "event")
                )
            }
        };
        let _ = writeln!(
            text,
            "<p><strong>{}</strong> {}{only}{found}, over {} and {}.</p>",
            self.count(),
            self.what(),
            counted(gates, "gate"),
            counted(events, "event")
        );
        if let Some(left_out) = self.left_out() {
            let _ = writeln!(text, "<p>Common causes: {left_out}.</p>");
        }
        if let Some(stop) = stop {
            let _ = writeln!(
                text,
                "<p><strong>Stopped: {stop}. What is shown is true, but may be incomplete.</strong></p>"
            );
        }
        text
    }

    fn sets_part(&self, lists: &PageLists) -> String {
        let order = if self.probabilities.is_some() {
            "the most probable first"
        } else {
            "the smallest first"
        };
        let mut lines = String::new();
        for (set, probability) in &lists.sets {
            lines.push_str("<li>");
            if let Some(p) = probability {
                let _ = write!(lines, "<span class=\"p\">{p:.6e}</span> ");
            }
            for &literal in set {
                let (class, not) = if literal.positive {
                    ("member", "")
                } else {
                    ("member not", "not ")
                };
                let name = escape(&one_line(self.name(literal)));
                let _ = write!(lines, "<span class=\"{class}\">{not}{name}</span>");
            }
            lines.push_str("</li>\n");
        }
        let mut text = String::new();
        let by_order = self.by_order.iter().enumerate();
        let by_order = by_order.filter(|(_, count)| **count != BigUint::default());
        let rows =
            by_order.map(|(order, count)| vec![order.to_string().into(), count.to_string().into()]);
        let rows: Vec<Vec<Cell>> = rows.collect();
        if !rows.is_empty() {
            let head = ["events".to_owned(), "sets".to_owned()];
            text.push_str(&table(
                "Sets by the number of their events",
                0,
                &head,
                &rows,
            ));
        }
        let shown = BigUint::from(lists.sets.len());
        // A limit may have come before they were counted.
        let all = self.count().max(shown.clone());
        let _ = if shown < all {
            writeln!(
                text,
                "<p>{}, {order}; {} more are not on this page (<code>--list</code> writes all).</p>",
                counted(&shown, "set"),
                &all - &shown
            )
        } else {
            let (all_of, found) = match self.stop {
                Some(_) => ("", " found"),
                None if shown == BigUint::from(1_u32) => ("", ""),
                None => ("All ", ""),
            };
            writeln!(
                text,
                "<p>{all_of}{}{found}, {order}.</p>",
                counted(&all, "set")
            )
        };
        let _ = write!(
            text,
            "<div class=\"controls\" id=\"searching\" hidden><label for=\"search\">Sets with</label> \
             <input id=\"search\" type=\"search\" autocomplete=\"off\" placeholder=\"parts of names\"> \
             <span id=\"found\" role=\"status\"></span></div>\n<ol class=\"sets\" id=\"set-list\">\n{lines}</ol>\n"
        );
        text
    }

    /// Bars, and all measures as a table.
    fn importance_part(&self, measured: &[Importance]) -> String {
        let sorted = Self::sorted(measured).into_iter();
        let mut sorted: Vec<(&Importance, [Option<f64>; 6])> =
            sorted.map(|i| (i, values(i))).collect();
        let all = sorted.len();
        sorted.truncate(MOST_BARS);
        let most = sorted.iter().filter_map(|(_, values)| values[FIRST]);
        let most = most.map(f64::abs).fold(0.0, f64::max);
        let mut text = String::new();
        if sorted.len() < all {
            let _ = writeln!(
                text,
                "<p>The {} events with the greatest {}; {} more are not on this page \
                 (<code>--importance</code> writes all).</p>",
                sorted.len(),
                MEASURES[FIRST],
                all - sorted.len()
            );
        }
        text.push_str("<div class=\"controls\" id=\"measuring\" hidden><label for=\"measure\">Measure</label> <select id=\"measure\" autocomplete=\"off\">");
        for (place, name) in MEASURES.iter().enumerate() {
            let chosen = if place == FIRST { " selected" } else { "" };
            let _ = write!(text, "<option{chosen}>{name}</option>");
        }
        let _ = writeln!(
            text,
            "</select></div>\n<ul class=\"bars\" id=\"bars\" aria-label=\"Importance of events, {} first\">",
            MEASURES[FIRST]
        );
        let mut rows: Vec<Vec<Cell>> = Vec::with_capacity(sorted.len());
        for (importance, values) in &sorted {
            let name = one_line(&self.tree.events()[importance.event as usize].name);
            let value = values[FIRST];
            let part = value.map_or(
                0.0,
                |value| if most > 0.0 { value.abs() / most } else { 0.0 },
            );
            let class = if value.is_some_and(|value| value < 0.0) {
                "bar below"
            } else {
                "bar"
            };
            let _ = writeln!(
                text,
                "<li data-of=\"{}\"><span class=\"name\">{}</span><span class=\"track\"><span class=\"{class}\" style=\"width: {:.3}%\"></span></span>\
                 <span class=\"number\">{}</span></li>",
                escape(&super::json(values)),
                escape(&name),
                100.0 * part,
                number(value)
            );
            let mut row = vec![
                Cell::from(name),
                number(Some(importance.probability)).into(),
            ];
            row.extend(values.iter().map(|value| Cell::from(number(*value))));
            rows.push(row);
        }
        text.push_str("</ul>\n<details><summary>All measures as a table</summary>\n");
        let mut head = vec!["event".to_owned(), "P(event)".to_owned()];
        head.extend(MEASURES.map(str::to_owned));
        text.push_str(&table("Importance of events", 1, &head, &rows));
        text.push_str("</details>\n");
        text
    }
}

/// The measures in the order of their names.
fn values(importance: &Importance) -> [Option<f64>; 6] {
    [
        Some(importance.birnbaum),
        importance.critical,
        importance.diagnostic,
        importance.fussell_vesely,
        importance.risk_achievement,
        importance.risk_reduction,
    ]
}

fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.4e}"))
}

fn over_time(points: &[[f64; 2]], sil: Option<&Sil>) -> String {
    let mut text = format!(
        "<div class=\"pictures\">\n<figure>{}</figure>\n</div>\n",
        curve::drawing(points, SIZE)
    );
    if let Some(sil) = sil {
        let head = ["level", "on demand", "by the hour"].map(str::to_owned);
        let names = ["better", "SIL 4", "SIL 3", "SIL 2", "SIL 1", "none"];
        let levels = names.iter().zip(&sil.pfd).zip(&sil.pfh);
        let rows = levels.map(|((name, pfd), pfh)| {
            vec![
                Cell::from(*name),
                format!("{:.6}", pfd.share).into(),
                format!("{:.6}", pfh.share).into(),
            ]
        });
        let rows: Vec<Vec<Cell>> = rows.collect();
        let caption = "The part of the time in each safety integrity level (IEC 61508)";
        let _ = write!(
            text,
            "<p>PFDavg {:.6e}, PFHavg {:.6e}.</p>\n{}",
            sil.pfd_average,
            sil.pfh_average,
            table(caption, 1, &head, &rows)
        );
    }
    let each = points.len().div_ceil(MOST_POINTS);
    // The last point is that of the mission time.
    let last = points.len().saturating_sub(1);
    let shown = points.iter().enumerate();
    let shown = shown.filter(|(place, _)| place % each == 0 || *place == last);
    let rows = shown.map(|(_, [time, p])| vec![time.to_string().into(), format!("{p:.6e}").into()]);
    let rows: Vec<Vec<Cell>> = rows.collect();
    let summary = if each > 1 {
        format!(
            "{} of the {} points as a table (<code>--csv</code> writes all)",
            rows.len(),
            points.len()
        )
    } else {
        "The points as a table".to_owned()
    };
    let head = ["hours".to_owned(), "P(top)".to_owned()];
    let _ = write!(
        text,
        "<details><summary>{summary}</summary>\n{}</details>\n",
        table("P(top) over time", 0, &head, &rows)
    );
    text
}

fn uncertain(uncertainty: &Uncertainty) -> String {
    let [lower, upper] = uncertainty.interval;
    let rows: [(&str, String); 6] = [
        ("trials", uncertainty.trials.to_string()),
        ("mean", format!("{:.6e}", uncertainty.mean)),
        (
            "standard deviation",
            format!("{:.6e}", uncertainty.standard_deviation),
        ),
        ("mean, 95 %: from", format!("{lower:.6e}")),
        ("mean, 95 %: to", format!("{upper:.6e}")),
        ("error factor", format!("{:.4}", uncertainty.error_factor)),
    ];
    let rows = rows.map(|(name, value)| vec![name.into(), value.into()]);
    let head = ["of P(top)".to_owned(), String::new()];
    let frame = Frame {
        title: "Part of the trials against P(top)",
        across: "P(top)",
        size: SIZE,
    };
    let quantiles = uncertainty.quantiles.iter();
    let quantiles =
        quantiles.map(|[level, p]| vec![format!("{level:.2}").into(), format!("{p:.6e}").into()]);
    let quantiles: Vec<Vec<Cell>> = quantiles.collect();
    format!(
        "{}<div class=\"pictures\">\n<figure>{}</figure>\n</div>\n\
         <details><summary>Quantiles as a table</summary>\n{}</details>\n",
        table("What the trials say", 1, &head, &rows),
        plot::bars(frame, &uncertainty.histogram),
        table(
            "Quantiles of P(top) over the trials",
            0,
            &["part of the trials".to_owned(), "P(top)".to_owned()],
            &quantiles
        )
    )
}

fn phases(phases: &[PhaseAnswer]) -> String {
    let head = ["alignment", "phase", "part of the time", "P(top)", "sets"].map(str::to_owned);
    let rows = phases.iter().map(|phase| {
        vec![
            Cell::from(one_line(&phase.alignment)),
            one_line(&phase.phase).into(),
            phase.fraction.to_string().into(),
            phase
                .probability
                .map_or("-".to_owned(), |p| format!("{p:.6e}"))
                .into(),
            phase.count.clone().unwrap_or("-".to_owned()).into(),
        ]
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    table("The answer in each phase", 2, &head, &rows)
}

/// The data of the drawing of a tree: gates from the top down, and their events.
#[derive(Default, Serialize)]
struct Drawn<'a> {
    shapes: Shapes,
    top: (u8, u32),
    gates: Vec<DrawnGate<'a>>,
    /// Names, and probabilities.
    events: Vec<(String, Option<f64>)>,
}

#[derive(Serialize)]
struct DrawnGate<'a> {
    name: Option<&'a str>,
    kind: String,
    /// Kinds of arguments (gate, event, constant), and their numbers.
    of: Vec<(u8, u32)>,
    /// How many arguments more there are.
    more: usize,
    /// How often gates have it as an argument.
    uses: u32,
}

fn drawing(tree: &FaultTree) -> String {
    let mut drawn = Drawn::default();
    let mut number_of_gate: Vec<Option<u32>> = vec![None; tree.gates().len()];
    let mut number_of_event: Vec<Option<u32>> = vec![None; tree.events().len()];
    let mut uses = vec![0_u32; tree.gates().len()];
    for argument in tree.gates().iter().flat_map(|gate| &gate.arguments) {
        if let Argument::Gate(gate) = argument {
            uses[*gate as usize] += 1;
        }
    }
    let mut waiting: VecDeque<u32> = VecDeque::new();
    let mut left = MOST_ARGUMENTS;
    let mut place_of =
        |argument: Argument, drawn: &mut Drawn<'_>, waiting: &mut VecDeque<u32>| match argument {
            Argument::Gate(gate) => {
                let next = drawn.gates.len() + waiting.len();
                let known = &mut number_of_gate[gate as usize];
                let number = known.unwrap_or_else(|| {
                    waiting.push_back(gate);
                    next as u32
                });
                *known = Some(number);
                (0, number)
            }
            Argument::Event(event) => {
                let number = *number_of_event[event as usize].get_or_insert_with(|| {
                    let event = &tree.events()[event as usize];
                    drawn
                        .events
                        .push((one_line(&event.name), event.probability));
                    drawn.events.len() as u32 - 1
                });
                (1, number)
            }
            Argument::Constant(is) => (2, u32::from(is)),
        };
    drawn.top = place_of(tree.top(), &mut drawn, &mut waiting);
    while let Some(&number) = waiting.front() {
        let gate = &tree.gates()[number as usize];
        let all = gate.arguments.len();
        let shown = all.min(left);
        left -= shown;
        // A gate waits on the stack until its arguments have numbers.
        let of = gate.arguments[..shown].iter();
        let of = of
            .map(|&argument| place_of(argument, &mut drawn, &mut waiting))
            .collect();
        waiting.pop_front();
        drawn.gates.push(DrawnGate {
            name: gate.name.as_deref(),
            kind: kind(tree, number),
            of,
            more: all - shown,
            uses: uses[number as usize],
        });
    }
    let left_out = if left == 0 && drawn.gates.iter().any(|gate| gate.more > 0) {
        format!(
            "<p>The drawing has {MOST_ARGUMENTS} arguments of gates, those next to the top. Where it ends it says so.</p>\n"
        )
    } else {
        String::new()
    };
    // Escaped so that the JSON cannot close its script element.
    let data = super::json(&drawn).replace('<', "\\u003c");
    format!(
        "{left_out}<div class=\"controls\" id=\"tree-controls\" hidden><button type=\"button\" id=\"tree-open\">Open all</button>\
         <button type=\"button\" id=\"tree-close\">Close all</button><span id=\"tree-says\" role=\"status\"></span></div>\n\
         <p class=\"quiet\">A gate opens and closes at a touch or with <kbd>Enter</kbd>; <kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd> <kbd>→</kbd> lead through the tree. Round above: and. \
         Pointed: or. A number k: at least k of the arguments. A small circle on top: not. Circles: events, with their probabilities.</p>\n\
         <div class=\"wide\" id=\"tree\"></div>\n<noscript><p>The drawing needs a script, which is part of this file.</p></noscript>\n\
         <script type=\"application/json\" id=\"tree-data\">{data}</script>\n"
    )
}
