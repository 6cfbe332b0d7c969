//! The words of endings, read by the rules that the book gives and played against every defence.

use meetjoin_bridge::Seat;
use meetjoin_bridge::ending::{EndingAnswer, EndingRequest, answered};
use meetjoin_lattice::{Budget, Limits};
use serde_json::Value;

use super::{
    Case, Hands, Node, Random, Trick, card, each, ending_of, hand, printed_line, random, solved,
    without, worlds, worst, written_deal,
};

/// A line of words with those that stand under it, by the rules that the book gives.
struct Said {
    /// Whether it is a case, of several.
    is_case: bool,
    seat: usize,
    leads: bool,
    /// `None` for any card.
    cards: Option<u64>,
    /// What follows.
    then: Vec<Said>,
}

/// Reads lines of text: what follows a line stands below it, and one step to the right below a
/// case.
fn read(
    lines: &mut std::iter::Peekable<std::slice::Iter<'_, (usize, String)>>,
    indent: usize,
) -> Vec<Said> {
    let mut said = Vec::new();
    while let Some((_, text)) = lines.next_if(|line| line.0 == indent) {
        if text == "otherwise" {
            let Some(&Said { seat, leads, .. }) = said.last() else {
                panic!("other than what?");
            };
            said.push(Said {
                is_case: true,
                seat,
                leads,
                cards: None,
                then: read(lines, indent + 1),
            });
            break;
        }
        let mut words = text.split(' ').peekable();
        let first = words.next_if(|word| ["if", "whatever"].contains(word));
        let seat = words.next().expect("a player");
        let seat = Seat::ALL.iter().position(|other| other.name() == seat);
        let leads = match words.next() {
            Some("leads") => true,
            Some("plays") => false,
            other => panic!("{other:?} in {text}"),
        };
        let cards = words.fold(0, |all, word| all | card(word.trim_end_matches(',')));
        let is_case = first == Some("if");
        assert_eq!(cards == 0, first == Some("whatever"), "{text}");
        assert!(is_case || cards.count_ones() < 2, "{text}");
        said.push(Said {
            is_case,
            seat: seat.expect("a seat"),
            leads,
            cards: (cards != 0).then_some(cards),
            then: read(lines, indent + usize::from(is_case)),
        });
        if !is_case {
            break;
        }
    }
    said
}

/// The words of an answer, as its text has them.
fn words(answer: &EndingAnswer) -> Vec<Said> {
    let text = answer.text();
    let lines = text.lines().skip_while(|line| !line.starts_with("line "));
    let lines = lines.enumerate();
    let lines = lines.take_while(|(place, line)| *place == 0 || line.starts_with(' '));
    let lines = lines.map(|(_, line)| {
        let said = line[10..].trim_start();
        ((line.len() - 10 - said.len()) / 2, said.to_owned())
    });
    let lines: Vec<(usize, String)> = lines.collect();
    let mut rest = lines.iter().peekable();
    let said = read(&mut rest, 0);
    assert!(rest.next().is_none(), "{text}");
    said
}

/// A play by the words, and by the list of nodes where they end: the tricks that are taken at
/// least.
struct Play<'a> {
    line: &'a [Node],
    case: &'a Case,
}

impl Play<'_> {
    fn fewest(
        &self,
        said: &[Said],
        node: Option<usize>,
        hands: Hands,
        trick: Trick,
        taken: usize,
    ) -> usize {
        if let Some(by) = trick.winner(self.case.trumps) {
            let taken = taken + usize::from(by.is_multiple_of(2));
            return self.fewest(said, node, hands, Trick::led_by(by), taken);
        }
        if said.is_empty() {
            return worst(self.line, node, hands, trick, self.case, taken);
        }
        let (seat, leads) = (trick.seat(), trick.count == 0);
        assert!(
            said.iter()
                .all(|said| (said.seat, said.leads) == (seat, leads))
        );
        assert!(said.len() == 1 || said.iter().all(|said| said.is_case));
        let choices = trick.legal(hands[seat]);
        let next = &self.line[node.expect("words end before the list of nodes does")].next;
        let follow = |chosen: u64, then: &[Said]| {
            // What happens in no world that is won is not in the list.
            let node = next.iter().find(|(card, _)| *card == chosen);
            node.map_or(0, |(_, node)| {
                let hands = without(hands, seat, chosen);
                self.fewest(then, *node, hands, trick.with(chosen), taken)
            })
        };
        if seat.is_multiple_of(2) {
            let [
                Said {
                    cards: Some(card),
                    then,
                    is_case: false,
                    ..
                },
            ] = said
            else {
                panic!("declarer has no choice left");
            };
            assert!(
                card.is_power_of_two() && choices & card != 0,
                "{}",
                written_deal(&self.case.hands)
            );
            return follow(*card, then);
        }
        // No card is told of that cannot come.
        let comes = next.iter().fold(0, |all, (card, _)| all | card);
        for told in said.iter().filter_map(|said| said.cards) {
            assert_eq!(told & !comes, 0);
        }
        let any = |chosen: u64| {
            let of = said
                .iter()
                .find(|said| said.cards.is_none_or(|cards| cards & chosen != 0));
            follow(chosen, of.map_or(&[], |said| &said.then))
        };
        each(choices).map(any).min().unwrap_or(0)
    }
}

/// Plays the words of an answer against every defence: they win what is printed. Whether there are
/// any.
fn check_words(case: &Case) -> bool {
    let answer = solved(case, None);
    let Some(line) = printed_line(&answer) else {
        return false;
    };
    let said = words(&answer);
    let (play, first) = (Play { line: &line, case }, Trick::led_by(case.leader));
    let won = worlds(case)
        .into_iter()
        .filter(|hands| play.fewest(&said, Some(0), *hands, first, 0) >= case.goal);
    let (text, deal) = (answer.text(), written_deal(&case.hands));
    assert_eq!(won.count() as u64, answer.weight, "{deal} {text}");
    true
}

#[test]
fn words_are_worth_what_is_printed() {
    for (deal, trumps, leader, goal) in [
        ("KT..K. .K.AQ. AQJ... .A.JT.", None, 2, 3),
        (".QJ43.. AT2.T.. K.A72.. 98.K9..", None, 2, 4),
        (".AJT.. A.8.A. K.Q9.. Q.K7..", None, 1, 2),
        ("AJ8... 95.A.. QT.K.. K76...", None, 2, 2),
        ("J7.K.. 95.A.. AT8... KQ6...", Some(0), 3, 2),
        ("AT9... KJ7... Q6.A.. 8.K.A.", Some(0), 1, 1),
        ("AT9... KJ7... Q6.A.. 8.K.A.", Some(0), 1, 2),
    ] {
        let mut hands = deal.split(' ').map(hand);
        let hands = std::array::from_fn(|_| hands.next().expect("four hands"));
        let case = Case {
            hands,
            trumps,
            leader,
            goal,
        };
        assert!(check_words(&case), "{deal}");
    }
    let mut numbers = Random(39);
    let mut told = 0;
    for tricks in [2, 3, 4] {
        for _ in 0..120 {
            told += usize::from(check_words(&random(&mut numbers, tricks)));
        }
    }
    assert!(told > 150, "{told}");
}

/// The same answer, of which less is asked or for which there is less time after the search.
fn again(case: &Case, is_whole: bool, steps: Option<u64>) -> EndingAnswer {
    let limits = Limits {
        steps,
        ..Limits::default()
    };
    let request = EndingRequest {
        tricks: case.goal as u8,
        ahead: None,
        is_whole,
        budget: &Budget::unlimited(),
        afterwards: Some(limits),
        heard: &|_, _, _| (),
    };
    answered(&ending_of(case), request)
}

/// Words are those of the whole strategy or there are none, and what is seen is right or not said.
#[test]
fn what_there_was_no_time_for_is_not_said() {
    let mut numbers = Random(40);
    let (mut told, mut seen) = ([0, 0], [0, 0]);
    for tricks in [3, 4] {
        for _ in 0..20 {
            let case = random(&mut numbers, tricks);
            let whole = solved(&case, None);
            let first = again(&case, false, None);
            assert_eq!((&first.words, first.seen), (&whole.words, whole.seen));
            assert!(first.line.is_empty() || first.line.len() == whole.line.len());
            if whole.weight == 0 {
                continue;
            }
            for steps in (0..12).map(|power| 1 << power) {
                let part = again(&case, true, Some(steps));
                assert_eq!((part.weight, part.stop), (whole.weight, None));
                let is_told = !part.words.is_empty();
                let expected = if is_told { &whole.words } else { &Vec::new() };
                let deal = written_deal(&case.hands);
                assert_eq!(&part.words, expected, "{deal} {steps}");
                let has_line = !part.line.is_empty();
                assert!(!has_line || part.line.len() == whole.line.len());
                assert!(part.seen.is_none_or(|seen| Some(seen) == whole.seen));
                told[usize::from(is_told)] += 1;
                seen[usize::from(part.seen.is_some())] += 1;

                let (text, page) = (part.text(), part.html());
                assert_eq!(
                    text.contains("\nline      one is known, "),
                    !is_told,
                    "{text}"
                );
                assert_eq!(text.contains("\nseen      "), part.seen.is_some(), "{text}");
                assert_eq!(
                    page.contains("Who sees all cards takes"),
                    part.seen.is_some()
                );
                assert!(page.contains(&format!("{} ways to deal", part.worlds)));
                let json: Value = serde_json::from_str(&part.json()).expect("JSON");
                assert_eq!(json["all_cards_seen"].as_u64(), part.seen);
                assert_eq!(json["line"].is_null(), !has_line);
            }
        }
    }
    let all = told.iter().chain(&seen);
    assert!(all.clone().all(|count| *count > 20), "{told:?} {seen:?}");
}
