//! An ending on a page for players: the answer, the hands, the line whose branches open and close,
//! and the layouts in which it works.

use std::fmt::Write as _;

use meetjoin_report::page::{self, Cell};
use meetjoin_report::{counted, percent};

use super::answer::{EndingAnswer, LayoutRow, NOT_TOLD, said};

/// Cards of the line that are told, at most, and lines of text that end it sooner.
const MOST_CARDS: u32 = 32;
const MOST_LINES: usize = 400;
/// Layouts of each kind that are listed.
const MOST_LAYOUTS: usize = 200;

impl EndingAnswer {
    /// A page for players.
    pub fn html(&self) -> String {
        html(self)
    }
}

fn html(answer: &EndingAnswer) -> String {
    let (left, goal) = answer.tricks;
    let [(dummy, north), (declarer, south)] = &answer.hands;
    let share = percent(answer.weight, answer.total);
    let (at_least, exactly) = match answer.stop {
        Some(_) => ("at least ", "at least"),
        None => ("", "exactly"),
    };
    let tricks = counted(goal, "trick");
    let mut body = format!(
        "<p><span class=\"big\">{at_least}{share}</span> for {tricks} of {left} <span class=\"quiet\">({exactly} {} of {})</span></p>\n",
        answer.weight, answer.total
    );
    if let Some(stop) = answer.stop {
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "<p><strong>The search was stopped: {}. This is reached, and at most {} can be.</strong></p>",
            page::escape(&stop.to_string()),
            percent(answer.bound, answer.total)
        );
    }
    let ways = counted(answer.worlds, "way");
    let _ = match answer.seen {
        Some(seen) => writeln!(
            body,
            "<p>Who sees all cards takes them in {} of the {ways} to deal the defenders' cards.</p>",
            percent(seen, answer.total),
        ),
        None => writeln!(
            body,
            "<p>There are {ways} to deal the defenders' cards.</p>"
        ),
    };
    body.push_str("<h2 id=\"hands\">Hands</h2>\n");
    let head = ["", "spades", "hearts", "diamonds", "clubs"].map(str::to_owned);
    let rows = [(dummy, north), (declarer, south)].map(|(name, hand)| suits(name, hand));
    body.push_str(&page::table("Dummy and declarer", 5, &head, &rows));
    body.push_str("<h2 id=\"line\">How to play</h2>\n");
    body.push_str(&line(answer));
    body.push_str("<h2 id=\"layouts\">Layouts</h2>\n");
    let is_known = answer.layouts.iter().any(|layout| layout.is_won);
    if is_known {
        // The line of a search that was stopped may win others, too.
        let lost = answer.stop.map_or("lost", |_| "open");
        for (is_won, name) in [(false, lost), (true, "won")] {
            body.push_str(&layouts(answer, is_won, name));
        }
    } else {
        body.push_str("<p>No line is known that wins any.</p>\n");
    }
    let exact = answer.stop.map_or(", and exact", |_| "");
    // Writing to a string cannot fail.
    let _ = writeln!(
        body,
        "<h2 id=\"about\">What is counted</h2>\n<p>Best defence: the defenders see all cards and know how declarer plays. Declarer goes by what she has seen. \
         Chances are weights of layouts{exact}.</p>"
    );
    page::document(&format!("{dummy} {north}, {declarer} {south}"), &body)
}

/// A hand, a suit in each cell.
fn suits(name: &str, hand: &str) -> Vec<Cell> {
    let suits = hand
        .split('.')
        .map(|suit| Cell::from(if suit.is_empty() { "-" } else { suit }));
    [Cell::from(name)].into_iter().chain(suits).collect()
}

/// The line, as far as it can be told.
fn line(answer: &EndingAnswer) -> String {
    if answer.words.is_empty() {
        let why = match answer.stop {
            _ if answer.weight > 0 => NOT_TOLD,
            Some(_) => "no line is known that takes them in any layout",
            None => "no line takes them in any layout",
        };
        return format!("<p>{why}.</p>\n");
    }
    let mut words = answer.words.clone();
    // After a stop only the first trick is known.
    let more = if answer.line.is_empty() {
        0
    } else {
        MOST_CARDS
    };
    for cards in 6..=more {
        let longer = said(&answer.line, 0, cards);
        if longer.len() > MOST_LINES {
            break;
        }
        words = longer;
    }
    page::branches("line-played", &words)
}

/// Layouts that the line wins, or loses.
fn layouts(answer: &EndingAnswer, is_won: bool, name: &str) -> String {
    let of_kind = || {
        answer
            .layouts
            .iter()
            .filter(|layout| layout.is_won == is_won)
    };
    let count = of_kind().count();
    if count == 0 {
        return format!("<p>None is {name}.</p>\n");
    }
    let [west, east] = answer.defenders;
    let head = [west, east, "weight", "share"].map(str::to_owned);
    let row = |layout: &LayoutRow| {
        let [west, east] = &layout.hands;
        let share = percent(layout.weight, answer.total);
        [&**west, east, &layout.weight.to_string(), &share]
            .map(Cell::from)
            .into()
    };
    let rows: Vec<Vec<Cell>> = of_kind().take(MOST_LAYOUTS).map(row).collect();
    let more = if count > rows.len() {
        format!(", the first {} of {count}", rows.len())
    } else {
        String::new()
    };
    page::table(
        &format!("Layouts that the line leaves {name}{more}"),
        2,
        &head,
        &rows,
    )
}
