//! The words of suits, read by the rules that the book gives and played against every defence in
//! every layout.

use meetjoin_bridge::suit::compare::{Rule, compare};
use meetjoin_bridge::suit::request::{Lead, Length, SuitRequest, Suits, Vacant};
use meetjoin_bridge::suit::{Goal, Line, Solver, SuitAnswer};
use meetjoin_bridge::{Hand, Knowledge, Suit, SuitGame};
use meetjoin_lattice::Budget;
use meetjoin_report::{Application as _, Run};
use serde_json::Value;

use super::{Hands, bits, choices, choose, random_suits, suit};

const RANKS: [&str; 13] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen",
    "king", "ace",
];

/// Of a defender, small is the nine or lower.
const SMALL: u16 = 0xFF;

/// The request for all goals of a suit.
fn request_of(suit: &Suit) -> SuitRequest {
    let (north, south) = suit.given();
    let known = suit.knowledge();
    SuitRequest {
        north: north.to_string(),
        south: Some(south.to_string()),
        vacant: Vacant(known.places.0, known.places.1),
        west: Some(known.west.to_string()),
        east: Some(known.east.to_string()),
        west_length: Some(Length(known.west_length.0, known.west_length.1)),
        entries: known.entries,
        keep: Some(known.keep.to_string()),
        lead: known.lead.map(|(hand, card)| Lead(hand, card)),
        ..SuitRequest::default()
    }
}

fn rank(word: &str) -> u16 {
    let place = RANKS.iter().position(|rank| *rank == word);
    1 << place.unwrap_or_else(|| panic!("no card: {word:?}"))
}

/// A card of declarer: `None` is the lowest.
type Named = Option<u16>;

/// What a defender does: cards, and whether having none is among it.
#[derive(Clone, Copy, Debug)]
struct Does {
    cards: u16,
    out: bool,
}

impl Does {
    /// "plays small, the king or the queen or shows out".
    fn read(text: &str) -> Self {
        let (text, out) = match text.strip_suffix("shows out") {
            Some(before) => (before.strip_suffix(" or ").unwrap_or(before), true),
            None => (text, false),
        };
        let mut cards = 0;
        if text == "follows" {
            cards = 0x1FFF;
        } else if let Some(list) = text.strip_prefix("plays ") {
            let (list, lower) = match list.strip_suffix(" or lower") {
                Some(list) => (list, true),
                None => (list, false),
            };
            let mut last = 0;
            for item in list.split(", ").flat_map(|items| items.split(" or ")) {
                last = match item.strip_prefix("the ") {
                    Some(word) => rank(word),
                    None if item == "small" => SMALL,
                    None => panic!("no card: {item:?} in {text:?}"),
                };
                cards |= last;
            }
            if lower {
                cards |= last - 1;
            }
        } else {
            assert!(text.is_empty(), "{text:?}");
        }
        Self { cards, out }
    }

    /// A card, or 0 for none.
    fn has(self, played: u16) -> bool {
        if played == 0 {
            self.out
        } else {
            self.cards & played != 0
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Third {
    Low,
    Run,
    To(u16),
}

/// One trick.
#[derive(Debug)]
struct Trick {
    /// By the place of the hand; `None` if only the card says it.
    from: Option<usize>,
    card: Named,
    third: Third,
    exceptions: Vec<(Does, Named)>,
    /// The first that holds; then the last, which has no condition.
    cases: Vec<(Vec<Vec<Part>>, Said)>,
}

/// A part of a condition.
#[derive(Debug)]
enum Part {
    Wins(bool),
    /// Of West or East, by the place at the table, or of either.
    Does(Option<usize>, Does),
}

#[derive(Debug)]
enum Said {
    /// Nothing matters any more, or high cards from the top.
    Top,
    Trick(Box<Trick>),
}

/// Reads lines of text, each with how far it stands to the right.
struct Reader<'l> {
    lines: std::iter::Peekable<std::slice::Iter<'l, (usize, String)>>,
}

impl Reader<'_> {
    /// What a line says after its condition, and what stands below it.
    fn body(&mut self, text: &str, indent: usize) -> Said {
        if text == "play from the top" {
            return Said::Top;
        }
        let (text, ends) = match text.strip_suffix(", then play from the top") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let mut trick = instruction(text);
        if ends {
            return Said::Trick(Box::new(trick));
        }
        if let Some((indent, text)) = self.lines.next_if(|line| line.1.starts_with("then ")) {
            trick
                .cases
                .push((Vec::new(), self.body(&text["then ".len()..], *indent)));
            return Said::Trick(Box::new(trick));
        }
        let below = self
            .lines
            .peek()
            .filter(|line| line.0 > indent)
            .map(|line| line.0);
        while let Some(below) = below {
            let (_, text) = self.lines.next_if(|line| line.0 == below).expect("an else");
            if let Some(text) = text.strip_prefix("else ") {
                trick.cases.push((Vec::new(), self.body(text, below)));
                break;
            }
            let text = text.strip_prefix("if ").expect("a condition");
            let end = [", lead ", ", run ", ", play from"]
                .iter()
                .filter_map(|word| text.find(word));
            let end = end.min().expect("an instruction");
            let clauses = text[..end]
                .split(", or ")
                .map(|clause| clause.split(" and ").map(part).collect());
            let clauses = clauses.collect();
            let said = self.body(&text[end + 2..], below);
            trick.cases.push((clauses, said));
        }
        Said::Trick(Box::new(trick))
    }
}

fn part(text: &str) -> Part {
    if let Some(text) = text.strip_prefix("it ") {
        return Part::Wins(text == "wins");
    }
    if let Some(text) = text.strip_prefix("West or East ") {
        return Part::Does(None, Does::read(text));
    }
    let (who, does) = text.split_once(' ').expect("a defender");
    Part::Does(Some(if who == "West" { 3 } else { 1 }), Does::read(does))
}

fn place(hand: &str) -> usize {
    match hand {
        "North" => 0,
        "South" => 2,
        _ => panic!("no hand: {hand}"),
    }
}

/// "lead small from South to the queen (if West plays the king, play the ace)".
fn instruction(text: &str) -> Trick {
    let mut parts = text.split(" (");
    let lead = parts.next().expect("a lead");
    let mut trick = Trick {
        from: None,
        card: None,
        third: Third::Low,
        exceptions: Vec::new(),
        cases: Vec::new(),
    };
    let mut rest = if let Some(card) = lead.strip_prefix("run the ") {
        trick.third = Third::Run;
        trick.card = Some(rank(card));
        ""
    } else if let Some(rest) = lead.strip_prefix("lead small from ") {
        let (hand, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        trick.from = Some(place(hand));
        rest
    } else {
        let rest = lead
            .strip_prefix("lead the ")
            .unwrap_or_else(|| panic!("{text:?}"));
        let (card, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        trick.card = Some(rank(card));
        rest
    };
    if let Some(card) = rest.strip_prefix("to the ") {
        trick.third = Third::To(rank(card));
        rest = "";
    } else if let Some(hand) = rest.strip_prefix("and play small from ") {
        assert_eq!(Some(2 - place(hand)), trick.from);
        rest = "";
    }
    assert_eq!(rest, "", "{text:?}");
    for exception in parts {
        let exception = exception.strip_suffix(')').expect("a bracket");
        let of = |text: &str| Does::read(text.split_once(' ').expect("a defender").1);
        if let Some(text) = exception.strip_prefix("also if ") {
            let Third::To(card) = trick.third else {
                panic!("also what? {text}");
            };
            trick.exceptions.push((of(text), Some(card)));
        } else {
            let text = exception.strip_prefix("if ").expect("a case");
            let (text, card) = text.split_once(", play ").expect("a card");
            let card = card.strip_prefix("the ").map(rank);
            trick.exceptions.push((of(text), card));
        }
    }
    trick
}

fn read(words: &[(usize, String)]) -> Said {
    let mut reader = Reader {
        lines: words.iter().peekable(),
    };
    let (indent, first) = reader.lines.next().expect("a line");
    let said = reader.body(first, *indent);
    assert!(reader.lines.next().is_none(), "{words:?}");
    said
}

fn lowest(hand: u16) -> u16 {
    hand & hand.wrapping_neg()
}

fn highest(hand: u16) -> u16 {
    if hand == 0 { 0 } else { 1 << hand.ilog2() }
}

/// What declarer knows, and what is left.
#[derive(Clone, Copy)]
struct Play {
    hands: Hands,
    /// Who has shown out, by their place.
    out: [bool; 4],
    /// Leads from North that are left, if they are counted, and whether North won the last trick.
    entries: Option<u8>,
    north_won: bool,
    tricks: u8,
}

impl Play {
    fn missing(&self) -> u16 {
        self.hands[1] | self.hands[3]
    }

    fn may_lead(&self, hand: usize) -> bool {
        self.hands[hand] != 0
            && (hand == 2 || self.north_won || self.entries.is_none_or(|entries| entries > 0))
    }

    fn is_known_void(&self, who: usize) -> bool {
        self.out[who] || self.missing() == 0
    }

    /// The highest card, from the shorter hand if both have one as high, and from North if they are
    /// as long.
    fn top_lead(&self) -> Option<(usize, u16)> {
        let hands = [0, 2].into_iter().filter(|hand| self.may_lead(*hand));
        let best = hands.min_by_key(|hand| {
            let above = self.missing() & !((highest(self.hands[*hand]) << 1) - 1);
            (above.count_ones(), self.hands[*hand].count_ones())
        })?;
        Some((best, highest(self.hands[best])))
    }

    /// The fewest tricks that words take from here.
    fn fewest(self, said: &Said) -> u8 {
        if self.hands[0] | self.hands[2] == 0 {
            return self.tricks;
        }
        let trick = match said {
            Said::Top => None,
            Said::Trick(trick) => Some(trick),
        };
        let named = trick.and_then(|trick| {
            let has = |hand: &usize| match trick.card {
                None => self.hands[*hand] != 0,
                Some(card) => self.hands[*hand] & card != 0,
            };
            let hands = [0, 2]
                .into_iter()
                .filter(|hand| trick.from.is_none_or(|from| from == *hand));
            let from = hands.filter(|hand| self.may_lead(*hand)).find(has)?;
            Some((from, trick.card.unwrap_or_else(|| lowest(self.hands[from]))))
        });
        // A card that is gone: nothing depends on the rest.
        let trick = trick.filter(|_| named.is_some());
        let Some((from, led)) = named.or_else(|| self.top_lead()) else {
            return self.tricks;
        };
        let [second, third, fourth] = [1, 2, 3].map(|step| (from + step) % 4);
        let mut fewest = u8::MAX;
        let mut after = self;
        after.hands[from] &= !led;
        if from == 0 && !self.north_won {
            after.entries = self.entries.map(|entries| entries - 1);
        }
        for a in choices(self.hands[second]) {
            let mut after = after;
            after.hands[second] &= !a;
            let held = self.hands[third];
            let news = a == 0 && !self.is_known_void(second);
            let meant = trick.map_or(Some(lowest(held)), |trick| {
                trick.third_card(held, led, a, news)
            });
            let (b, trick) = match meant {
                Some(card) => (card, trick),
                None => (lowest(held), None),
            };
            after.hands[third] &= !b;
            after.out[second] |= a == 0;
            for c in choices(self.hands[fourth]) {
                let mut after = after;
                after.hands[fourth] &= !c;
                after.out[fourth] |= c == 0;
                let won = (led | b) > (a | c);
                after.tricks += u8::from(won);
                let north = if from == 0 { led } else { b };
                after.north_won = north > (led | b | a | c) & !north;
                let mut played = [0; 4];
                (played[second], played[fourth]) = (a, c);
                let next = trick.and_then(|trick| trick.next(won, played));
                fewest = fewest.min(after.fewest(next.unwrap_or(&Said::Top)));
            }
        }
        fewest
    }
}

impl Trick {
    /// The third card, 0 if there is none, or nothing if the words name one that is gone.
    fn third_card(&self, held: u16, led: u16, second: u16, news: bool) -> Option<u16> {
        let exception = self.exceptions.iter().find(|(does, _)| does.has(second));
        if let Some((_, named)) = exception {
            return match named {
                None => (held != 0).then(|| lowest(held)),
                Some(card) => (held & card != 0).then_some(*card),
            };
        }
        let beats = |card: u16| match lowest(held & !((card << 1) - 1)) {
            0 => lowest(held),
            cheapest => cheapest,
        };
        match self.third {
            Third::Run if second > led => Some(beats(second)),
            Third::Low | Third::Run => Some(lowest(held)),
            Third::To(card) if held & card == 0 => None,
            Third::To(_) if news => Some(highest(held)),
            Third::To(card) if second > led && second > card => Some(beats(second)),
            Third::To(card) => Some(card),
        }
    }

    /// How to go on, if the words say it.
    fn next(&self, won: bool, played: [u16; 4]) -> Option<&Said> {
        let holds = |part: &Part| match part {
            Part::Wins(wins) => *wins == won,
            Part::Does(Some(who), does) => does.has(played[*who]),
            Part::Does(None, does) => does.has(played[1]) || does.has(played[3]),
        };
        let case = self.cases.iter().find(|(clauses, _)| {
            clauses.is_empty() || clauses.iter().any(|clause| clause.iter().all(holds))
        });
        case.map(|(_, said)| said)
    }
}

/// The tricks that words take in all ways to deal the missing cards, with their weights.
fn played_out(suit: &Suit, words: &[(usize, String)]) -> Vec<(u64, u8)> {
    let all = played_by_cards(suit, words).into_iter();
    all.map(|(_, weight, taken)| (weight, taken)).collect()
}

/// The same, with West's cards before.
fn played_by_cards(suit: &Suit, words: &[(usize, String)]) -> Vec<(u16, u64, u8)> {
    let said = read(words);
    let missing = suit.missing().bits();
    let n = u64::from(missing.count_ones());
    let Knowledge {
        places,
        west,
        east,
        west_length,
        entries,
        ..
    } = suit.knowledge().clone();
    let (a, b) = (u64::from(places.0), u64::from(places.1));
    let mut all = Vec::new();
    let mut held = missing;
    loop {
        let w = u64::from(held.count_ones());
        let is_known = west.bits() & !held == 0 && east.bits() & held == 0;
        let is_long = (west_length.0..=west_length.1).contains(&(w as u8));
        if w <= a && n - w <= b && is_known && is_long {
            let play = Play {
                hands: [
                    suit.north().bits(),
                    missing & !held,
                    suit.south().bits(),
                    held,
                ],
                out: [false; 4],
                entries,
                north_won: false,
                tricks: 0,
            };
            all.push((held, choose(a + b - n, a - w), play.fewest(&said)));
        }
        if held == 0 {
            return all;
        }
        held = (held - 1) & missing;
    }
}

/// What was played reaches so much of a goal.
fn worth(played: &[(u64, u8)], goal: Goal) -> u64 {
    let worth = played.iter().map(|(weight, taken)| match goal {
        Goal::Tricks(tricks) => weight * u64::from(*taken >= tricks),
        Goal::Average => weight * u64::from(*taken),
    });
    worth.sum()
}

/// The words of a line reach what the line is said to reach, at each goal and on average.
fn check(suit: &Suit, line: &Line, goal: Goal) {
    let played = played_out(suit, &line.words);
    check_short(suit, line);
    let (north, south) = suit.given();
    for goal in [goal, Goal::Average] {
        assert_eq!(
            worth(&played, goal),
            line.weight(suit, goal),
            "{goal:?} of {north} {south}: {:#?}",
            line.words
        );
    }
}

/// The tricks of "lead small from South to the ace, then run the ten, then play from the top": what
/// both sides play if the defenders play their lowest cards and declarer wins.
fn check_short(suit: &Suit, line: &Line) {
    let Some(short) = &line.short else {
        assert!(line.words.len() <= 4, "{:#?}", line.words);
        return;
    };
    let lowest = lowest(suit.missing().bits());
    let whole = read(&line.words);
    let mut said = Some(&whole);
    let mut hand = None;
    for part in short.split(", then ") {
        let Some(Said::Trick(trick)) = said else {
            assert_eq!(part, "play from the top", "{short}: {:#?}", line.words);
            break;
        };
        // What is left out is as in the trick before.
        let mut part = part.to_owned();
        if !part.starts_with("lead ") && !part.starts_with("run ") {
            part = format!("lead {part}");
        }
        if part.starts_with("lead small") && !part.starts_with("lead small from ") {
            let hand = ["North", "East", "South"][hand.expect("a hand was named")];
            part = part.replacen("lead small", &format!("lead small from {hand}"), 1);
        }
        let told = instruction(&part);
        assert_eq!(
            (told.from, told.card, told.third),
            (trick.from, trick.card, trick.third),
            "{short}: {:#?}",
            line.words
        );
        let card = trick.card.unwrap_or_default();
        let of_card = [0, 2].into_iter().find(|hand| {
            let held = if *hand == 0 {
                suit.north()
            } else {
                suit.south()
            };
            held.bits() & card != 0
        });
        hand = trick.from.or(of_card);
        said = trick.next(true, [0, lowest, 0, lowest]);
    }
    // The words say no more, and the sentence says no more than they.
    assert!(!matches!(said, Some(Said::Trick(_))), "{short}");
    assert!(short.matches("from the top").count() < 2, "{short}");
}

/// The lines of text under a heading, each with how far it stands to the right.
fn under(text: &str, heading: &str) -> Vec<(usize, String)> {
    let lines = text.lines().skip_while(|line| !line.starts_with(heading));
    let lines = lines.enumerate();
    let lines = lines.take_while(|(place, line)| *place == 0 || line.starts_with(' '));
    let lines = lines.map(|(_, line)| {
        let said = line[10..].trim_start();
        ((line.len() - 10 - said.len()) / 2, said.to_owned())
    });
    lines.collect()
}

/// The words of the best line for a goal, as they are printed.
pub(super) fn check_answer(suit: &Suit, answer: &SuitAnswer, goal: Goal) {
    let line = answer.line.as_ref().expect("a line");
    check(suit, line, goal);
    let text = answer.text();
    assert_eq!(under(&text, "line "), line.words);
    let short = text
        .lines()
        .find_map(|line| line.strip_prefix("in short  "));
    assert_eq!(short, line.short.as_deref());
}

/// The best line for each goal.
fn check_goals(suit: &Suit) {
    let budget = Budget::unlimited();
    let mut solver = Solver::new(suit, &budget);
    for goal in (1..=suit.tricks()).map(Goal::Tricks).chain([Goal::Average]) {
        check_answer(suit, &solver.one(goal), goal);
    }
}

/// The lines of the table, the best three for each goal, and those that are compared at
/// matchpoints.
fn check_others(suit: &Suit) {
    let budget = Budget::unlimited();
    let mut solver = Solver::new(suit, &budget);
    let table = solver.all();
    for (chance, place) in &table.goals {
        if let Some(place) = place {
            check(suit, &table.lines[*place], chance.goal);
        }
    }
    for tricks in 1..=suit.tricks() {
        for top in solver.top(Goal::Tricks(tricks), 3) {
            check(suit, &top.line, Goal::Tricks(tricks));
        }
    }
    for line in &compare(&mut solver, &Rule::Matchpoints).lines {
        check(suit, line, Goal::Average);
    }
}

#[test]
fn words_that_were_read_otherwise_than_the_tree() {
    let suits = [
        ("94", "AKT3"),
        ("96", "AT43"),
        ("QT76", "AJ3"),
        ("A62", "QT87"),
        ("J7652", "AT4"),
        ("KQ", "9763"),
        ("AK8", "9743"),
        ("AJT9", "432"),
        ("AKJT", "432"),
        ("Q9832", "KJ4"),
        ("KJ75", "T83"),
    ];
    for (north, south) in suits {
        check_goals(&suit(north, south, Knowledge::default()));
    }
}

#[test]
fn words_of_all_other_lines_reach_what_is_printed() {
    for (north, south) in random_suits(25) {
        check_others(&suit(&north, &south, Knowledge::default()));
    }
}

#[test]
fn words_hold_for_what_is_known() {
    for (north, south) in random_suits(20) {
        let all = suit(&north, &south, Knowledge::default());
        let mut known = vec![
            Knowledge {
                places: (7, 13),
                ..Knowledge::default()
            },
            Knowledge {
                west_length: (0, 2),
                ..Knowledge::default()
            },
            Knowledge {
                west: all.missing().descending().take(1).collect(),
                ..Knowledge::default()
            },
            Knowledge {
                keep: all.south().ascending().take(1).collect(),
                ..Knowledge::default()
            },
        ];
        known.extend((0..3).map(|entries| Knowledge {
            entries: Some(entries),
            ..Knowledge::default()
        }));
        known.extend([Hand::North, Hand::South].into_iter().filter_map(|hand| {
            let card = all.hand(hand).descending().next()?;
            Some(Knowledge {
                lead: Some((hand, card)),
                ..Knowledge::default()
            })
        }));
        for knowledge in known {
            if let Ok(suit) = all.with(knowledge) {
                check_goals(&suit);
            }
        }
    }
}

/// A line begins with the lead that was asked for, whatever that is worth, in words as in cards.
#[test]
fn a_lead_that_is_asked_for_is_the_first_of_the_line() {
    let few = |entries| Knowledge {
        entries: Some(entries),
        ..Knowledge::default()
    };
    let places = Knowledge {
        places: (5, 5),
        ..few(1)
    };
    let mut suits = vec![suit("A2", "-", few(1)), suit("AQJT75432", "-", places)];
    for (north, south) in random_suits(10) {
        suits.extend((0..2).map(|entries| suit(&north, &south, few(entries))));
    }
    let budget = Budget::unlimited();
    let mut without = 0;
    for all in &suits {
        let game = SuitGame::all_tricks(all);
        for (hand, card, suit) in Solver::new(all, &budget).first_leads() {
            let of_each = (1..=suit.tricks()).map(Goal::Tricks);
            for goal in of_each.chain([Goal::Average]) {
                let answer = Solver::new(&suit, &budget).one(goal);
                let line = answer.line.expect("a line");
                check(&suit, &line, goal);
                let Said::Trick(trick) = read(&line.words) else {
                    panic!("no lead: {:?}", line.words);
                };
                let held = suit.hand(hand);
                let named = held.ascending().find(|card| match trick.card {
                    Some(named) => 1 << card.rank() == named,
                    None => trick.from == Some(place(hand.name())),
                });
                let of_tree = line.tree.lead().expect("a lead");
                assert_eq!(Some(of_tree), named.map(|named| (hand, named)));
                let place_of = |card| game.first_place(hand, card);
                assert_eq!(place_of(of_tree.1), place_of(card), "{:?}", line.words);
                without += usize::from(answer.chance.weight == 0 && goal == Goal::Average);
            }
        }
    }
    assert!(without >= 2, "{without}");
}

/// What is said of a line after a search that was stopped holds for its words: a figure is what
/// they take, or is called a bound and is one.
#[test]
fn what_is_said_of_a_line_after_a_stop_is_true() {
    let (mut exact, mut bounds, mut loose, mut without) = (0, 0, 0, 0);
    for (north, south) in [("AQT98", "5432"), ("AJ73", "Q95"), ("KJ5", "T83")] {
        let suit = suit(north, south, Knowledge::default());
        let all = suit.total_weight();
        let goals = (1..=suit.tricks()).map(Goal::Tricks).chain([Goal::Average]);
        for (goal, visits) in goals.flat_map(|goal| (0..13).map(move |step| (goal, 5 << step))) {
            let budget = Budget::visits_at_most(visits);
            let answer = Solver::new(&suit, &budget).one(goal);
            let Some(line) = &answer.line else { continue };
            let played = played_out(&suit, &line.words);
            let mut counted = |is_bound: bool, said: u64, taken: u64| {
                assert!(
                    if is_bound {
                        said <= taken
                    } else {
                        said == taken
                    },
                    "{goal:?} {visits}"
                );
                exact += u32::from(!is_bound);
                bounds += u32::from(is_bound);
                loose += u32::from(said < taken);
            };
            for goal in (1..=suit.tricks()).map(Goal::Tricks).chain([Goal::Average]) {
                counted(
                    line.at_least,
                    line.weight(&suit, goal),
                    worth(&played, goal),
                );
            }
            let text = answer.text();
            let row = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
            if let (Goal::Tricks(_), Some(fails)) = (goal, row("fails     ")) {
                let is_bound = fails.starts_with("at most ");
                counted(is_bound, line.weight(&suit, goal), worth(&played, goal));
                assert_eq!(is_bound, answer.chance.stop.is_some() && fails != "never");
            }
            for said in row("tricks    ")
                .into_iter()
                .flat_map(|row| row.split(", "))
            {
                let (tricks, chance) = said.split_once(' ').expect("a chance");
                let bound = chance.strip_prefix("at least ");
                let figure = bound.unwrap_or(chance).strip_suffix('%');
                let figure: f64 = figure.expect("percent").parse().expect("a number");
                let goal = Goal::Tricks(tricks.parse().expect("tricks"));
                let reached = 100.0 * worth(&played, goal) as f64 / all as f64;
                assert_eq!(bound.is_some(), line.at_least, "{said}");
                assert!(reached > figure - 0.000_1, "{said}: {reached}");
            }
            let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
            assert_eq!(json["line"]["at_least"] == true, line.at_least);
        }
        for visits in (0..13).map(|step| 5 << step) {
            let budget = Budget::visits_at_most(visits);
            let mut solver = Solver::new(&suit, &budget);
            for line in &compare(&mut solver, &Rule::Matchpoints).lines {
                check(&suit, line, Goal::Average);
            }
            let budget = Budget::visits_at_most(visits);
            let mut solver = Solver::new(&suit, &budget);
            let table = solver.all();
            let request = request_of(&suit);
            let budget = Budget::visits_at_most(visits);
            let run = Run {
                page: true,
                ..Run::new(&budget)
            };
            let found = Suits::answer(&request, &run).unwrap_or_else(|why| panic!("{why}"));
            let page = found.page().expect("a page");
            let is_bound = table.lines.iter().any(|line| line.at_least);
            let mut pictures = page.split("<svg").skip(1);
            assert!(pictures.all(|one| one.contains("<circle") || one.contains("<path")));
            let has_none = page.contains("<p>Nothing is known of that");
            assert_eq!(has_none, !page.contains("<svg"), "{page}");
            without += u32::from(has_none);
            for text in [table.text(), page] {
                assert!(!is_bound || text.contains("may be better"), "{text}");
            }
        }
    }
    assert!(
        exact > 100 && bounds > 100 && loose > 20 && without > 2,
        "{exact} {bounds} {loose} {without}"
    );
}

/// So many of these cards.
fn any(count: u32, of: u16) -> impl Iterator<Item = u16> {
    (0..=of).filter(move |some| some & !of == 0 && some.count_ones() == count)
}

/// The hands that are meant by "Kx and two of JT9", where each small card is one of `lowest`.
fn meant(text: &str, lowest: u16) -> Vec<u16> {
    const COUNTS: [&str; 9] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight",
    ];
    let mut hands = vec![0];
    for part in text.split(" and ").filter(|part| *part != "void") {
        let some: Vec<u16> = if let Some((count, of)) = part.split_once(" of ") {
            let count = COUNTS
                .iter()
                .position(|word| *word == count)
                .expect("a count");
            any(count as u32, bits(of)).collect()
        } else {
            let named = bits(&part.replace('x', ""));
            let small = part.matches('x').count();
            any(small as u32, lowest)
                .map(|small| small | named)
                .collect()
        };
        let with = hands
            .iter()
            .flat_map(|hand| some.iter().map(move |some| hand | some));
        hands = with.collect();
    }
    hands
}

/// The layouts that are named are those in which the words fail, with their chances.
#[test]
fn a_line_fails_where_it_is_said_to() {
    let mut suits = vec![suit("AQ3", "42", Knowledge::default())];
    for (north, south) in random_suits(40) {
        let all = suit(&north, &south, Knowledge::default());
        let missing = all.missing();
        suits.extend(all.with(Knowledge {
            west: missing.ascending().take(1).collect(),
            east: missing.descending().take(1).collect(),
            ..Knowledge::default()
        }));
        suits.push(all);
    }
    let budget = Budget::unlimited();
    let (mut single, mut several) = (0, 0);
    for suit in &suits {
        let missing = suit.missing().bits();
        let low = lowest(missing);
        let above = (suit.north().or(suit.south())).bits() & !(low - 1);
        let lowest = missing & (lowest(above).wrapping_sub(1));
        for tricks in 1..=suit.tricks() {
            let answer = Solver::new(suit, &budget).one(Goal::Tricks(tricks));
            let line = answer.line.as_ref().expect("a line");
            let text = answer.text();
            let fails = text
                .lines()
                .find_map(|line| line.strip_prefix("fails     "));
            let fails = fails.expect("a row");
            if fails == "never" || fails.ends_with("--table lists them") {
                continue;
            }
            let mut played = played_by_cards(suit, &line.words);
            played.retain(|(_, _, taken)| *taken < tricks);
            for item in fails.split(", ") {
                let (who, rest) = item.split_once(' ').expect("a defender");
                let (hand, chance) = rest.split_once(" (").expect("a chance");
                let hands = meant(hand, lowest).into_iter();
                let west = hands.map(|hand| if who == "West" { hand } else { missing & !hand });
                let west: Vec<u16> = west.collect();
                let of_item = played.iter().filter(|(held, ..)| west.contains(held));
                let weight: u64 = of_item.map(|(_, weight, _)| weight).sum();
                let figure = chance.strip_suffix("%)").expect("percent");
                let figure: f64 = figure.parse().expect("a number");
                let reached = 100.0 * weight as f64 / suit.total_weight() as f64;
                assert!((reached - figure).abs() < 0.000_1, "{item}: {reached}");
                played.retain(|(held, ..)| !west.contains(held));
                let is_single = west.len() == 1;
                single += u32::from(is_single);
                several += u32::from(!is_single);
            }
            assert!(played.is_empty(), "{fails}: {played:?}");
        }
    }
    assert!(single > 50 && several > 50, "{single} {several}");
}

/// The long form: `cargo test --release -p meetjoin-bridge --test suite -- --ignored two_thousand`.
#[test]
#[ignore = "takes minutes"]
fn words_of_two_thousand_random_suits_reach_what_is_printed() {
    let mut words = 0;
    let mut lines = 0;
    for (place, (north, south)) in random_suits(2000).iter().enumerate() {
        let suit = suit(north, south, Knowledge::default());
        check_goals(&suit);
        let budget = Budget::unlimited();
        for goal in (1..=suit.tricks()).map(Goal::Tricks) {
            let line = Solver::new(&suit, &budget).one(goal).line.expect("a line");
            lines += line.words.len();
            let of = |text: &String| text.split(' ').count();
            words += line.words.iter().map(|(_, text)| of(text)).sum::<usize>();
        }
        if place % 100 == 99 {
            println!("{} suits: {lines} lines, {words} words", place + 1);
        }
    }
}
