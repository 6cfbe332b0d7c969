//! A suit on a page for players: the answer, lines whose branches open and close, layouts, lines
//! compared, and how chances change with vacant places.

use std::fmt::Write as _;

use super::Goal;
use super::answer::{self, Chance, Line, SuitTable};
use super::compare::{self, Rule};
use super::goal::reached;
use super::sensitivity::vacant_places::{Curves, places};
use meetjoin_report::page::{self, Cell, INK, PAPER, RULE};
use meetjoin_report::{counted, fraction, percent};

/// The page, with a goal to begin with if there is one.
pub(super) fn html(table: &SuitTable, by_places: &[Curves], goal: Option<Goal>) -> String {
    let suit = &table.suit;
    let (north, south) = suit.given();
    let mut body = answer_text(table, goal);
    body.push_str("<h2 id=\"lines\">How to play</h2>\n");
    for (place, line) in ordered(table, goal) {
        let name = answer::letter(place);
        let best = best_for(table, place);
        let short = line.short.as_ref().map_or_else(String::new, |short| {
            format!("<p>In short: {}.</p>\n", page::escape(short))
        });
        let _ = write!(
            body,
            "<h3>Line {name}: {}</h3>\n{short}{}",
            page::escape(&best),
            page::branches(&format!("line-{name}"), &line.words)
        );
    }
    body.push_str(
        "<p class=\"quiet\">To the queen: if the defender before it beats her, beat his card as cheaply as possible, or play the lowest if that cannot be; if he shows out and nobody \
         knew it, play the highest card of that hand. Run: as with the queen, but else play the lowest card. Small: the lowest card of a hand; of a defender, the nine or lower. From the \
         top: lead the highest card, and follow with the lowest.</p>\n",
    );
    body.push_str("<h2 id=\"compare\">Lines compared</h2>\n");
    body.push_str(&compared(table));
    body.push_str("<h2 id=\"places\">If one defender has fewer vacant places</h2>\n");
    body.push_str(&pictures(table, by_places));
    body.push_str("<h2 id=\"layouts\">Layouts</h2>\n");
    body.push_str(&layouts(table, goal));
    let exact = if table.is_complete() {
        ", and exact"
    } else {
        ""
    };
    let _ = writeln!(
        body,
        "<h2 id=\"about\">What is counted</h2>\n<p>Best defence: the defenders see all cards and know how declarer plays. Declarer goes by what she has seen, and may lead from either \
         hand. A line guarantees each layout a number of tricks; chances are weights of layouts{exact}.</p>"
    );
    page::document(&format!("{north} opposite {south}"), &body)
}

/// A chance with one decimal, or an average of tricks with two, as a player speaks of it.
fn rounded(goal: Goal, weight: u64, total: u64) -> String {
    match goal {
        Goal::Tricks(_) => percent(weight, total),
        Goal::Average => format!("{:.2}", weight as f64 / total as f64),
    }
}

/// [`rounded`] with the exact fraction.
fn exactly(goal: Goal, weight: u64, total: u64) -> String {
    let rounded = rounded(goal, weight, total);
    if weight == 0 || weight == total {
        return rounded;
    }
    format!("{rounded} ({})", fraction(weight, total))
}

/// The lines that are best for the goal first.
fn ordered<'t>(table: &'t SuitTable, goal: Option<Goal>) -> Vec<(usize, &'t Line)> {
    let mut lines: Vec<(usize, &'t Line)> = table.lines.iter().enumerate().collect();
    if let Some(goal) = goal {
        let first = of_goal(table, goal).and_then(|(_, line)| *line);
        lines.sort_unstable_by_key(|(place, _)| (Some(*place) != first, *place));
    }
    lines
}

fn of_goal(table: &SuitTable, goal: Goal) -> Option<&(Chance, Option<usize>)> {
    table.goals.iter().find(|(chance, _)| chance.goal == goal)
}

fn goal_name(goal: Goal) -> String {
    match goal {
        Goal::Tricks(tricks) => counted(tricks, "trick"),
        Goal::Average => "average".to_owned(),
    }
}

/// What a line is best for.
fn best_for(table: &SuitTable, place: usize) -> String {
    let line = &table.lines[place];
    let goals = table.shown().into_iter().filter(|(chance, _)| {
        chance.weight > 0
            && chance.stop.is_none()
            && line.weight(&table.suit, chance.goal) == chance.weight
            && (chance.weight < chance.total || chance.goal == Goal::Average)
    });
    let names: Vec<String> = goals
        .map(|(chance, _)| match chance.goal {
            goal @ Goal::Average => {
                let average = rounded(goal, chance.weight, chance.total);
                format!("{} on average", counted(average, "trick"))
            }
            goal @ Goal::Tricks(_) => {
                let chance = rounded(goal, chance.weight, chance.total);
                format!("{} {chance}", goal_name(goal))
            }
        })
        .collect();
    if names.is_empty() {
        "another way".to_owned()
    } else {
        format!("best for {}", names.join(", "))
    }
}

fn answer_text(table: &SuitTable, goal: Option<Goal>) -> String {
    let suit = &table.suit;
    let (a, b) = suit.knowledge().places;
    let mut text = String::new();
    if let Some(goal) = goal
        && let Some((chance, line)) = of_goal(table, goal)
    {
        let figure = rounded(goal, chance.weight, chance.total);
        let at_least = reached(figure.clone(), chance.stop.is_some());
        let fraction = fraction(chance.weight, chance.total);
        let exactly = chance.stop.map_or("exactly", |_| "at least");
        let what = match goal {
            Goal::Average if figure == "1" => " trick on average".to_owned(),
            Goal::Average => " tricks on average".to_owned(),
            goal @ Goal::Tricks(_) => format!(" for {}", goal_name(goal)),
        };
        let by = line.map_or_else(String::new, |line| {
            format!(", line {}", answer::letter(line))
        });
        let _ = writeln!(
            text,
            "<p><span class=\"big\">{at_least}</span>{what}{by} <span class=\"quiet\">({exactly} {fraction})</span></p>"
        );
    }
    let _ = write!(
        text,
        "<p>Missing: {}, in {}, of which {}. Vacant places: West {a}, East {b}.</p>\n\
         <nav aria-label=\"Parts of the page\"><a href=\"#lines\">How to play</a> <a href=\"#compare\">Lines compared</a> \
         <a href=\"#places\">Vacant places</a> <a href=\"#layouts\">Layouts</a></nav>\n",
        suit.missing(),
        counted(suit.layouts_of_cards(), "layout"),
        answer::differ(suit.layouts().len(), "")
    );
    if !table.is_complete() {
        text.push_str("<p><strong>The search was stopped: chances and tricks are those that are known to be reached, and there may be better ones.</strong></p>\n");
    }
    let head = ["at least", "best chance", "exactly", "line"].map(str::to_owned);
    let rows = table.shown().into_iter().map(|(chance, line)| {
        let line = line.map_or_else(|| "-".to_owned(), answer::letter);
        vec![
            goal_name(chance.goal).into(),
            reached(
                rounded(chance.goal, chance.weight, chance.total),
                chance.stop.is_some(),
            )
            .into(),
            reached(fraction(chance.weight, chance.total), chance.stop.is_some()).into(),
            line.into(),
        ]
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    text.push_str(&page::table("The best for each goal", 1, &head, &rows));
    text
}

fn compared(table: &SuitTable) -> String {
    let suit = &table.suit;
    let shown = table.shown();
    let total = suit.total_weight();
    let mut head = vec!["line".to_owned()];
    head.extend(shown.iter().map(|(chance, _)| goal_name(chance.goal)));
    let rows = table.lines.iter().enumerate().map(|(place, line)| {
        let cells = shown.iter().map(|(chance, _)| {
            let weight = line.weight(suit, chance.goal);
            let is_best = weight == chance.weight && chance.stop.is_none();
            Cell {
                text: reached(exactly(chance.goal, weight, total), line.at_least),
                class: if is_best { "good" } else { "" },
            }
        });
        let mut row = vec![Cell::from(answer::letter(place))];
        row.extend(cells);
        row
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let mut text = page::table(
        "Chance of at least each number of tricks, and the average",
        1,
        &head,
        &rows,
    );
    // Lines are compared by all that they take.
    if table.lines.len() > 1 && !table.lines.iter().any(|line| line.at_least) {
        let mut head = vec!["line".to_owned()];
        head.extend(
            (0..table.lines.len()).map(|place| format!("against {}", answer::letter(place))),
        );
        let margins = compare::margins(suit, &Rule::Matchpoints, &table.lines);
        let rows = margins.into_iter().enumerate().map(|(own, margins)| {
            let margins = margins.into_iter().enumerate();
            let cells = margins.map(|(other, margin)| match margin {
                _ if other == own => Cell::from(""),
                0 => Cell::from("0"),
                _ => {
                    let sign = if margin < 0 { "-" } else { "+" };
                    let amount = exactly(Goal::Tricks(0), margin.unsigned_abs(), total);
                    Cell::from(format!("{sign}{amount}"))
                }
            });
            [Cell::from(answer::letter(own))]
                .into_iter()
                .chain(cells)
                .collect()
        });
        let rows: Vec<Vec<Cell>> = rows.collect();
        let caption =
            "Matchpoints: how much oftener a line takes more tricks than another than fewer";
        text.push_str(&page::table(caption, 1, &head, &rows));
    }
    text
}

fn layouts(table: &SuitTable, goal: Option<Goal>) -> String {
    let suit = &table.suit;
    let total = suit.total_weight();
    let mut head = ["West", "East", "chance", "exactly"]
        .map(str::to_owned)
        .to_vec();
    head.extend((0..table.lines.len()).map(|place| format!("line {}", answer::letter(place))));
    let rows = suit.layouts().iter().enumerate().map(|(place, layout)| {
        let (west, east) = suit.cards_of(layout);
        let mut row: Vec<Cell> = vec![
            west.to_string().into(),
            east.to_string().into(),
            percent(layout.weight, total).into(),
            fraction(layout.weight, total).into(),
        ];
        let most = table.lines.iter().map(|line| line.guarantees[place]).max();
        row.extend(table.lines.iter().map(|line| {
            let taken = line.guarantees[place];
            let class = match goal {
                Some(Goal::Tricks(tricks)) if taken >= tricks => "good",
                Some(Goal::Tricks(_)) if !line.at_least => "bad",
                _ if Some(taken) == most && table.lines.len() > 1 => "good",
                _ => "",
            };
            Cell {
                text: reached(taken.to_string(), line.at_least),
                class,
            }
        }));
        row
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let caption = "The tricks that each line guarantees in each layout";
    let mut text = page::table(caption, 2, &head, &rows);
    if let Some(equal) = answer::layouts::equal_cards(suit) {
        let _ = writeln!(text, "<p class=\"quiet\">{equal}</p>");
    }
    text
}

fn pictures(table: &SuitTable, known: &[Curves]) -> String {
    if known.is_empty() {
        return "<p>Nothing is known of that, as the search was stopped.</p>\n".to_owned();
    }
    let mut text = "<div class=\"pictures\">\n".to_owned();
    for curves in known {
        text.push_str(&picture(table, curves));
    }
    text.push_str(
        "</div>\n<p class=\"quiet\">Along the bottom: vacant places of West and East. Circles: the best there is, as far as it was looked for. The letters are the lines.</p>\n",
    );
    text.push_str("<details><summary>The figures of the pictures</summary>\n");
    for curves in known {
        let goal = curves.goal;
        let mut head = ["West", "East", "best"].map(str::to_owned).to_vec();
        head.extend((0..table.lines.len()).map(|place| format!("line {}", answer::letter(place))));
        let figure = |value: Option<f64>| match (value, goal) {
            (None, _) => "-".to_owned(),
            (Some(value), Goal::Average) => format!("{value:.2}"),
            (Some(value), _) if value > 0.999 && value < 1.0 => "over 99.9%".to_owned(),
            (Some(value), _) => format!("{:.1}%", 100.0 * value),
        };
        let rows = places().into_iter().enumerate().map(|(at, (west, east))| {
            let mut row: Vec<Cell> = vec![
                west.to_string().into(),
                east.to_string().into(),
                figure(curves.best[at]).into(),
            ];
            row.extend(
                curves
                    .lines
                    .iter()
                    .map(|curve| Cell::from(figure(curve[at]))),
            );
            row
        });
        let rows: Vec<Vec<Cell>> = rows.collect();
        let caption = format!("Vacant places of West and East: {}", goal_name(goal));
        text.push_str(&page::table(&caption, 0, &head, &rows));
    }
    text.push_str("</details>\n");
    text
}

/// Colours and dashes, so that lines are told apart without colours too.
const STROKES: [(&str, &str); 6] = [
    ("#1f77b4", ""),
    ("#d1591b", "7 4"),
    ("#2a8a3e", "2 3"),
    ("#8a4fb0", "10 3 2 3"),
    ("#c0365a", "5 2"),
    ("#6b6b00", "1 4"),
];

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 230.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 22.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;

fn picture(table: &SuitTable, curves: &Curves) -> String {
    let suit = &table.suit;
    let most = match curves.goal {
        Goal::Average => f64::from(suit.tricks()),
        Goal::Tricks(_) => 1.0,
    };
    let places = places();
    let last = (places.len() - 1) as f64;
    let x = |at: usize| LEFT + (WIDTH - LEFT - RIGHT) * at as f64 / last;
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / most;
    let name = match curves.goal {
        Goal::Average => "Tricks on average".to_owned(),
        goal @ Goal::Tricks(_) => format!("Chance of {}", goal_name(goal)),
    };
    let mut svg = format!(
        "<figure><figcaption>{name}</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{name} against vacant places; the figures are in the table below\" \
         font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"{INK}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n"
    );
    let ticks = match curves.goal {
        Goal::Average => (0..=suit.tricks())
            .map(|t| (f64::from(t), t.to_string()))
            .collect(),
        Goal::Tricks(_) => vec![0.0, 0.25, 0.5, 0.75, 1.0]
            .into_iter()
            .map(|share| (share, format!("{:.0}%", 100.0 * share)))
            .collect::<Vec<_>>(),
    };
    for (value, label) in ticks {
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"{RULE}\"/><text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{label}</text>",
            WIDTH - RIGHT,
            y(value),
            LEFT - 5.0,
            y(value) + 4.0
        );
    }
    let base = HEIGHT - BOTTOM;
    for at in [0, 4, 8, 13, 18, 22, 26] {
        let (west, east) = places[at];
        let _ = writeln!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{base}\" y2=\"{1}\" stroke=\"{INK}\"/><text x=\"{0:.1}\" y=\"{2}\" text-anchor=\"middle\">{west}</text><text x=\"{0:.1}\" y=\"{3}\" text-anchor=\"middle\">{east}</text>",
            x(at),
            base + 4.0,
            base + 16.0,
            base + 30.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"2\" y=\"{}\">West</text><text x=\"2\" y=\"{}\">East</text>",
        base + 16.0,
        base + 30.0
    );
    if let Some(here) = places
        .iter()
        .position(|places| *places == suit.knowledge().places)
    {
        let _ = writeln!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{TOP}\" y2=\"{base}\" stroke=\"{INK}\" stroke-opacity=\"0.5\" stroke-dasharray=\"3 3\"/>",
            x(here)
        );
    }
    for (at, value) in curves.best.iter().enumerate() {
        if let Some(value) = value {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.2\" fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"0.6\"/>",
                x(at),
                y(*value)
            );
        }
    }
    for (line, curve) in curves.lines.iter().enumerate() {
        let (colour, dashes) = STROKES[line % STROKES.len()];
        let mut path = String::new();
        let mut before = false;
        for (at, value) in curve.iter().enumerate() {
            if let Some(value) = value {
                let _ = write!(
                    path,
                    "{}{:.1} {:.1} ",
                    if before { "L" } else { "M" },
                    x(at),
                    y(*value)
                );
            }
            before = value.is_some();
        }
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>"
        );
        let end = curve
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, value)| value.map(|value| (at, value)));
        if let Some((at, value)) = end {
            // Letters of lines that end at the same height stand above each other.
            let above = curves.lines[..line]
                .iter()
                .filter(|other| other[at].is_some_and(|other| (y(other) - y(value)).abs() < 9.0));
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-weight=\"bold\">{}</text>",
                x(at) + 5.0,
                y(value) + 4.0 - 11.0 * above.count() as f64,
                answer::letter(line)
            );
        }
    }
    let _ = writeln!(svg, "</svg></figure>");
    svg
}
