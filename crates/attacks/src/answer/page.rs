//! Answers as a page: the tree with gates that open and close, the front with its attacks shown in
//! the tree, and a slider for what the defender spends.

use std::collections::HashSet;
use std::fmt::Write as _;

use meetjoin_report::page::{Cell, INK, MARK, PAPER, document, escape, table};

use super::{Answer, Defended, Valued, number};
use crate::tree::{AttackTree, Kind, Side};

/// The most rows and points that a page shows; it says how many it leaves out.
const MOST: usize = 1000;

const STYLE: &str = "<style>
.done { background: var(--good); font-weight: 600; }
#shown { position: sticky; bottom: 0; background: var(--paper); padding: 0.5rem 0; border-top: 1px solid var(--rule); }
.bought { background: var(--bad); font-weight: 600; }
.point { cursor: pointer; }
.point:focus { stroke: var(--ink); stroke-width: 3; }
input[type=range] { width: 100%; }
@media print { #shown { position: static; } }
</style>
";

/// Marks an attack and the defences that are bought, in the tree and in a sentence.
const SCRIPT: &str = "<script>
function show(of) {
  for (const [key, mark] of [['attack', 'done'], ['defences', 'bought']]) {
    const nodes = new Set((of.dataset[key] || '').split(' '));
    for (const node of document.querySelectorAll('[data-node]'))
      node.classList.toggle(mark, nodes.has(node.dataset.node));
  }
  document.getElementById('shown').textContent = of.dataset.says;
}
for (const of of document.querySelectorAll('[data-says]')) {
  of.addEventListener('click', () => show(of));
  of.addEventListener('keydown', event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); show(of); } });
}
const slider = document.getElementById('budget');
if (slider) {
  const points = document.querySelectorAll('#prices [data-says]');
  slider.addEventListener('input', () => show(points[slider.value]));
}
</script>
";

fn numbers(nodes: &[u32]) -> String {
    let nodes: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    nodes.join(" ")
}

impl Answer<'_> {
    /// One file that needs no network.
    pub fn html(&self) -> String {
        let tree = self.tree;
        let root = &tree.nodes()[tree.root() as usize].name;
        let mut body = STYLE.to_owned();
        let parts = [
            (self.front.is_some(), "front", "Front"),
            (self.defence_front.is_some(), "defences", "Defences"),
            (self.damage.is_some(), "damage", "Damage"),
            (true, "tree", "Tree"),
        ];
        let links = parts.iter().filter(|part| part.0);
        let links = links.map(|(_, id, name)| format!("<a href=\"#{id}\">{name}</a> "));
        let _ = writeln!(body, "<nav>{}</nav>", links.collect::<String>().trim_end());
        body.push_str(&self.in_short());
        if let Some(front) = &self.front {
            body.push_str("<h2 id=\"front\">Front</h2>\n");
            if !self.front_is_exact {
                body.push_str("<p>The search was stopped: these attacks exist, and others may better them.</p>\n");
            }
            body.push_str(&self.pictures(front));
            body.push_str(&self.front_table(front));
        }
        if let Some(front) = &self.defence_front {
            body.push_str("<h2 id=\"defences\">What defences leave</h2>\n");
            body.push_str(&self.prices(front));
        }
        if let Some(damage) = &self.damage {
            let rows = damage.iter().take(MOST).map(|point| {
                let cells = [
                    self.listed(&point.attack),
                    number(point.cost),
                    number(point.damage),
                ];
                cells.map(Cell::from).to_vec()
            });
            let head = ["attack", "cost", "damage"].map(str::to_owned);
            body.push_str("<h2 id=\"damage\">Cost and damage</h2>\n");
            body.push_str(&table(
                "What an attack costs and which damage it does",
                1,
                &head,
                &rows.collect::<Vec<_>>(),
            ));
            body.push_str(&left_out(damage.len()));
        }
        body.push_str("<h2 id=\"tree\">Tree</h2>\n<p id=\"shown\" role=\"status\">Choose an attack, and the tree shows it.</p>\n");
        body.push_str(&branches(tree));
        body.push_str("<h2 id=\"about\">What is counted</h2>\n<p>An action is done once and paid once, wherever it is used. An attack in the front is bettered by no other in all its attributes. Defences are bought before the attack, and the attacker knows them.</p>\n");
        body.push_str(SCRIPT);
        document(&format!("Attacks: {root}"), &body)
    }

    fn in_short(&self) -> String {
        let mut rows = Vec::new();
        let mut row = |what: &str, value: String, how: String| {
            rows.push([what.to_owned(), how, value].map(Cell::from).to_vec());
        };
        let count = self
            .count
            .as_ref()
            .map_or("not known".to_owned(), ToString::to_string);
        row("minimal attacks", count, String::new());
        for best in &self.best {
            let name = &self.tree.attributes()[best.attribute].name;
            let what = if best.bound.is_some() {
                format!("best {name} until now")
            } else {
                format!("best {name}")
            };
            match &best.best {
                Some((value, attack)) => row(&what, number(*value), self.listed(attack)),
                None => row(&what, "no attack".to_owned(), String::new()),
            }
        }
        if let Some(probability) = self.probability {
            row(
                "success of whoever tries everything",
                number(probability),
                String::new(),
            );
        }
        if let Some(block) = self.block() {
            match block {
                Some(point) => row(
                    "stops all attacks",
                    number(point.price),
                    self.listed(&point.defences),
                ),
                None => row(
                    "stops all attacks",
                    String::new(),
                    "no defences do".to_owned(),
                ),
            }
        }
        if let Some(stop) = self.stop {
            row("stopped", stop.to_string(), String::new());
        }
        let head = ["", "by", "value"].map(str::to_owned);
        table("In short", 2, &head, &rows)
    }

    fn says(&self, point: &Valued) -> String {
        let values = self.front_names().iter().zip(&point.values);
        let values: Vec<String> = values
            .map(|(name, &value)| format!("{name} {}", number(value)))
            .collect();
        format!("{}: {}", values.join(", "), self.listed(&point.attack))
    }

    fn front_table(&self, front: &[Valued]) -> String {
        let mut text = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"The front\">\n<table aria-label=\"The front\">\n<thead><tr><th scope=\"col\" class=\"words\">attack</th>".to_owned();
        // Writing to a string cannot fail.
        for name in self.front_names() {
            let _ = write!(text, "<th scope=\"col\">{}</th>", escape(name));
        }
        text.push_str("</tr></thead>\n<tbody>\n");
        for point in front.iter().take(MOST) {
            let _ = write!(
                text,
                "<tr><th scope=\"row\" class=\"words\"><button type=\"button\" data-attack=\"{}\" data-says=\"{}\">{}</button></th>",
                numbers(&point.attack),
                escape(&self.says(point)),
                escape(&self.listed(&point.attack))
            );
            for &value in &point.values {
                let _ = write!(text, "<td>{}</td>", number(value));
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</tbody>\n</table>\n</div>\n");
        text.push_str(&left_out(front.len()));
        text
    }

    /// Steps for two attributes, a picture of each pair for more.
    fn pictures(&self, front: &[Valued]) -> String {
        let names = self.front_names();
        let mut text = "<div class=\"pictures\">\n".to_owned();
        for x in 0..names.len() {
            for y in x + 1..names.len() {
                text.push_str(&self.picture(front, x, y, names.len() == 2));
            }
        }
        text + "</div>\n"
    }

    fn picture(&self, front: &[Valued], x: usize, y: usize, steps: bool) -> String {
        const SIDES: (f64, f64) = (360.0, 260.0);
        const EDGE: f64 = 44.0;
        let names = self.front_names();
        let range = |of: usize| {
            let values = front.iter().map(|point| point.values[of]);
            let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| {
                (a.min(value), b.max(value))
            });
            if least < most {
                (least, most)
            } else {
                (least - 1.0, least + 1.0)
            }
        };
        if front.is_empty() {
            return String::new();
        }
        let ((x0, x1), (y0, y1)) = (range(x), range(y));
        let at = |point: &Valued| {
            let across = (point.values[x] - x0) / (x1 - x0);
            let up = (point.values[y] - y0) / (y1 - y0);
            (
                EDGE + across * (SIDES.0 - 2.0 * EDGE),
                SIDES.1 - EDGE - up * (SIDES.1 - 2.0 * EDGE),
            )
        };
        let (a, b) = (escape(&names[x]), escape(&names[y]));
        let mut text = format!(
            "<figure><svg viewBox=\"0 0 {} {}\" role=\"group\" aria-label=\"{a} against {b}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n\
             <g fill=\"{INK}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
             <path fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"0.55\" d=\"M{EDGE} {EDGE}V{}H{}\"/>\n",
            SIDES.0,
            SIDES.1,
            SIDES.1 - EDGE,
            SIDES.0 - EDGE
        );
        let _ = writeln!(
            text,
            "<text x=\"{EDGE}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{a}</text>",
            SIDES.1 - EDGE + 16.0,
            number(x0),
            SIDES.0 - EDGE,
            SIDES.1 - EDGE + 16.0,
            number(x1),
            SIDES.0 / 2.0,
            SIDES.1 - 8.0
        );
        let short = |value: f64| {
            number(if value.abs() < 1.0 {
                (value * 1e4).round() / 1e4
            } else {
                value
            })
        };
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text x=\"{EDGE}\" y=\"{}\">{b}</text>",
            EDGE - 4.0,
            SIDES.1 - EDGE,
            short(y0),
            EDGE - 4.0,
            EDGE + 8.0,
            short(y1),
            EDGE - 14.0
        );
        if steps {
            let mut path = String::new();
            for (place, point) in front.iter().take(MOST).enumerate() {
                let (x, y) = at(point);
                let _ = if place == 0 {
                    write!(path, "M{x:.1} {y:.1}")
                } else {
                    write!(path, "H{x:.1}V{y:.1}")
                };
            }
            let _ = writeln!(
                text,
                "<path fill=\"none\" stroke=\"{MARK}\" stroke-width=\"1.5\" stroke-opacity=\"0.6\" d=\"{path}\"/>"
            );
        }
        for point in front.iter().take(MOST) {
            let (x, y) = at(point);
            let says = escape(&self.says(point));
            let _ = writeln!(
                text,
                "<circle class=\"point\" fill=\"{MARK}\" tabindex=\"0\" role=\"button\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" data-attack=\"{}\" data-says=\"{says}\"><title>{says}</title></circle>",
                numbers(&point.attack)
            );
        }
        text + "</g></svg></figure>\n"
    }

    /// A slider, and a table with a row for each price that makes a difference.
    fn prices(&self, front: &[Defended]) -> String {
        let by = self
            .by
            .map_or("", |by| self.tree.attributes()[by].name.as_str());
        let mut text = String::new();
        if front.len() > 1 {
            let _ = writeln!(
                text,
                "<p><label>What the defender spends: from {} to {}<input type=\"range\" id=\"budget\" min=\"0\" max=\"{}\" value=\"0\"></label></p>",
                number(front[0].price),
                number(front[front.len() - 1].price),
                front.len() - 1
            );
        }
        let _ = writeln!(
            text,
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Prices\">\n<table id=\"prices\" aria-label=\"Prices\">\n<thead><tr><th scope=\"col\" class=\"words\">defences</th><th scope=\"col\">price</th><th scope=\"col\">attacker's {}</th></tr></thead>\n<tbody>",
            escape(by)
        );
        for point in front {
            let left = point.front.first();
            let value = left.map_or("no attack".to_owned(), |left| number(left.values[0]));
            let attack = left.map_or(String::new(), |left| numbers(&left.attack));
            let says = match left {
                None => format!(
                    "For {}: {}. No attack is left.",
                    number(point.price),
                    self.listed(&point.defences)
                ),
                Some(left) => format!(
                    "For {}: {}. The best attack then: {} {}, {}.",
                    number(point.price),
                    self.listed(&point.defences),
                    by,
                    value,
                    self.listed(&left.attack)
                ),
            };
            let _ = writeln!(
                text,
                "<tr><th scope=\"row\" class=\"words\"><button type=\"button\" data-attack=\"{attack}\" data-defences=\"{}\" data-says=\"{}\">{}</button></th><td>{}</td><td>{}</td></tr>",
                numbers(&point.defences),
                escape(&says),
                escape(&self.listed(&point.defences)),
                number(point.price),
                escape(&value)
            );
        }
        text + "</tbody>\n</table>\n</div>\n"
    }
}

/// How much of a list is not shown.
fn left_out(length: usize) -> String {
    match length.checked_sub(MOST) {
        None | Some(0) => String::new(),
        Some(more) => format!("<p>{more} more are not shown here; --csv prints all.</p>\n"),
    }
}

/// The tree: what is used several times is shown where it stands first.
fn branches(tree: &AttackTree) -> String {
    enum Step {
        Open(u32, bool),
        Close,
    }
    let mut text = "<p><button type=\"button\" data-of=\"branches\" data-open=\"yes\">Open all</button><button type=\"button\" data-of=\"branches\" data-open=\"no\">Close all</button></p>\n<div id=\"branches\">\n".to_owned();
    let mut seen = HashSet::new();
    let mut stack = vec![Step::Open(tree.root(), false)];
    let mut depth = 0;
    // Writing to a string cannot fail.
    while let Some(step) = stack.pop() {
        let Step::Open(place, counters) = step else {
            text.push_str("</div></details>\n");
            depth -= 1;
            continue;
        };
        let node = &tree.nodes()[place as usize];
        let mut line = escape(&node.name);
        let kind = match node.kind {
            Kind::Or => "or".to_owned(),
            Kind::And => "and".to_owned(),
            Kind::Sequence => "in sequence".to_owned(),
            Kind::AtLeast(least) => format!("at least {least} of {}", node.arguments.len()),
            Kind::Action | Kind::Defence | Kind::Constant(_) => String::new(),
        };
        if !kind.is_empty() {
            let _ = write!(line, " <span class=\"quiet\">{kind}</span>");
        }
        for (attribute, value) in tree.attributes().iter().zip(&node.values) {
            if let Some(value) = value {
                let _ = write!(
                    line,
                    " <span class=\"quiet\">{} {}</span>",
                    escape(&attribute.name),
                    number(*value)
                );
            }
        }
        if node.damage > 0.0 {
            let _ = write!(
                line,
                " <span class=\"quiet\">damage {}</span>",
                number(node.damage)
            );
        }
        let whose = match (counters, tree.side(place)) {
            (false, _) => "",
            (true, Side::Defender) => "defence: ",
            (true, Side::Attacker) => "against it: ",
        };
        let line = format!("{whose}<span data-node=\"{place}\">{line}</span>");
        let below = node.arguments.len() + node.counters.len();
        let is_new = seen.insert(place);
        if below == 0 {
            let _ = writeln!(text, "<p class=\"step\">{line}</p>");
        } else if !is_new {
            let _ = writeln!(
                text,
                "<p class=\"step\">{line} <span class=\"quiet\">(shown above)</span></p>"
            );
        } else {
            let open = if depth < 4 { " open" } else { "" };
            let _ = writeln!(
                text,
                "<details{open}><summary>{line}</summary><div class=\"branch\">"
            );
            depth += 1;
            stack.push(Step::Close);
            stack.extend(
                node.counters
                    .iter()
                    .rev()
                    .map(|&counter| Step::Open(counter, true)),
            );
            stack.extend(
                node.arguments
                    .iter()
                    .rev()
                    .map(|&argument| Step::Open(argument, false)),
            );
        }
    }
    text + "</div>\n"
}
