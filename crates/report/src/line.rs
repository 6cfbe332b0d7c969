//! Lines of play for people: one card on each line of text, and cases where play depends on a card.
//!
//! The player of the strategy *leads* or *plays* one card, and the continuation is below it. Where
//! it depends on another player's card, there are several cases: *if* with the cards of the case,
//! whose continuation is indented; *otherwise* stands for every other card of that player. After
//! *whatever*, all cards have the same continuation. Cards after which nothing is left to decide
//! are omitted.
//!
//! Cost: each line of the given number of cards once, so that number must be small if there are
//! many branches.

/// Lines of text, each with its indentation in steps.
pub type Lines = Vec<(usize, String)>;

/// A node of a strategy for a game of cards.
#[derive(Clone, Copy, Debug)]
pub struct PlayedBy<'a> {
    /// The player to move.
    pub turn: &'a str,
    /// Whether the card begins a trick.
    pub leads: bool,
    /// Whether the strategy chooses the card: then there is one.
    pub is_own: bool,
    /// Cards, and the indices of the nodes after them; `None` where nothing is left to decide.
    pub next: &'a [(String, Option<usize>)],
}

impl PlayedBy<'_> {
    fn verb(&self) -> &'static str {
        if self.leads { "leads" } else { "plays" }
    }
}

/// Cards with the same continuation, and that continuation.
type Way<'a> = (Vec<&'a str>, Lines);

/// The text of a strategy from a node on, for at most `cards` cards. `node` looks up a node by its
/// index.
pub fn said<'a>(node: &dyn Fn(usize) -> PlayedBy<'a>, place: usize, cards: u32) -> Lines {
    if cards == 0 {
        return Lines::new();
    }
    let here = node(place);
    let mut ways: Vec<Way<'_>> = Vec::new();
    for (card, to) in here.next {
        let rest = to.map_or_else(Lines::new, |to| said(node, to, cards - 1));
        match ways.iter_mut().find(|(_, other)| *other == rest) {
            Some((cards, _)) => cards.push(card),
            None => ways.push((vec![card], rest)),
        }
    }
    match ways.as_slice() {
        // A card of another player is only mentioned if something follows.
        [(_, rest)] if !here.is_own && rest.is_empty() => Lines::new(),
        [(cards, rest)] => {
            let (turn, verb) = (here.turn, here.verb());
            let first = match cards.as_slice() {
                [card] => format!("{turn} {verb} {card}"),
                _ => format!("whatever {turn} {verb}"),
            };
            let mut text = vec![(0, first)];
            text.extend(rest.iter().cloned());
            text
        }
        _ => cases(&here, ways),
    }
}

/// The case with the most cards comes last, as "otherwise", so that similar strategies have the
/// same text.
fn cases(here: &PlayedBy<'_>, mut ways: Vec<Way<'_>>) -> Lines {
    let widest = (0..ways.len()).max_by_key(|way| ways[*way].0.len());
    let all_go_on = ways.iter().all(|(_, rest)| !rest.is_empty());
    let last = widest.filter(|way| all_go_on && ways[*way].0.len() > 1);
    let last = last.map(|way| ways.remove(way));
    let ways = ways.into_iter().filter(|(_, rest)| !rest.is_empty());
    let named = ways.map(|(cards, rest)| {
        let cards = cards.join(", ");
        (format!("if {} {} {cards}", here.turn, here.verb()), rest)
    });
    let last = last.map(|(_, rest)| ("otherwise".to_owned(), rest));
    let mut text = Lines::new();
    for (case, rest) in named.chain(last) {
        text.push((0, case));
        text.extend(rest.into_iter().map(|(indent, said)| (indent + 1, said)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Own {
        turn: &'static str,
        next: Vec<(String, Option<usize>)>,
    }

    fn node(turn: &'static str, next: &[(&str, Option<usize>)]) -> Own {
        let next = next.iter().map(|(card, to)| ((*card).to_owned(), *to));
        let next = next.collect();
        Own { turn, next }
    }

    fn text(nodes: &[Own], cards: u32) -> String {
        let look_up = |place: usize| PlayedBy {
            turn: nodes[place].turn,
            leads: place == 0,
            is_own: nodes[place].turn == "she",
            next: &nodes[place].next,
        };
        let lines = said(&look_up, 0, cards).into_iter();
        let lines = lines.map(|(indent, said)| format!("{}{said}\n", "  ".repeat(indent)));
        lines.collect()
    }

    #[test]
    fn what_follows_is_told_once_and_in_cases_where_it_differs() {
        let nodes = [
            node(
                "he",
                &[
                    ("A", Some(1)),
                    ("K", Some(2)),
                    ("Q", Some(2)),
                    ("J", Some(3)),
                ],
            ),
            node("she", &[("2", None)]),
            node("she", &[("3", Some(4))]),
            node("she", &[("4", None)]),
            node("he", &[("5", None), ("6", None)]),
        ];
        let all = "if he leads A\n  she plays 2\nif he leads J\n  she plays 4\n\
                   otherwise\n  she plays 3\n";
        assert_eq!(text(&nodes, 3), all);
        assert_eq!(text(&nodes, 1), "");
        assert_eq!(text(&nodes[1..], 1), "she leads 2\n");
    }

    #[test]
    fn where_a_card_ends_it_every_other_is_named() {
        let nodes = [
            node("he", &[("A", Some(1)), ("K", None), ("Q", Some(1))]),
            node("she", &[("2", Some(2))]),
            node("he", &[("7", Some(3)), ("8", Some(3))]),
            node("she", &[("3", None)]),
        ];
        let all = "if he leads A, Q\n  she plays 2\n  whatever he plays\n  she plays 3\n";
        assert_eq!(text(&nodes, 4), all);
    }
}
