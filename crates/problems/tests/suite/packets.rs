//! Packets as an answer: what a preference and a weighted sum make of them, and events.

use meetjoin_dominance::{Lexicographic, Player, Weighted};
use meetjoin_lattice::Budget;
use meetjoin_problems::Source;
use meetjoin_problems::packets::{
    Found, PacketsAlgorithm, PacketsAnswer, event_lines, search, vectors,
};
use meetjoin_solve::Meter;

/// MAX may take (2,2), or leave MIN the choice between (0,5) and (5,0).
const CHOICE: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"dominance","dims":2},"root":"r","nodes":[
    {"id":"r","kind":"or","children":["safe","free","safe"]},
    {"id":"safe","kind":"leaf","value":[2,2]},
    {"id":"free","kind":"and","children":[1,2]},
    {"id":1,"kind":"leaf","value":[0,5]},
    {"id":2,"kind":"leaf","value":[5,0]}]}"#;

fn with_found(budget: &Budget, see: impl FnOnce(Found, PacketsAnswer<'_>)) {
    let problem = Source::read(CHOICE.as_bytes()).and_then(Source::outcomes);
    let problem = problem.expect("a problem over outcomes");
    let game = vectors(&problem).expect("vectors of numbers");
    let found = || search(PacketsAlgorithm::BottomUp, &game, budget, &mut |_| ());
    let answer = PacketsAnswer {
        problem: &problem,
        algorithm: PacketsAlgorithm::BottomUp,
        found: found(),
        choice: None,
        weighed: None,
        meter: Meter::NONE,
    };
    see(found(), answer);
}

#[test]
fn an_answer_has_what_was_asked_for() {
    with_found(&Budget::unlimited(), |found, mut answer| {
        let sum = Weighted::new(Player::Max, 2, [4, 1]).expect("positive weights");
        let first = Lexicographic::new(Player::Max, 2, &[1]).expect("a criterion");
        let choice = found.choice(&sum).expect("exact packets");
        assert_eq!(found.choice(&first), Ok(choice.clone()));
        let chosen = choice.as_ref().expect("there are moves");
        assert_eq!(chosen.packet.to_string(), "{(2,2)}");
        // The move that is there twice is not tied with itself.
        assert!(chosen.tied.is_empty());
        for key in ["choice", "weighed"] {
            assert!(!answer.json().contains(key));
        }
        answer.choice = Some(choice);
        answer.weighed = Some(found.weighed(&[4, 1]));
        let json = answer.json();
        for part in [
            r#""choice":{"child":"safe","packet":[[2,2]],"tied":[]}"#,
            r#""moves":[{"child":"safe","packets":[[[2,2]]]},{"child":"free","packets":[[[0,5],[5,0]]]}]"#,
            r#""weighed":10}"#,
        ] {
            assert!(json.contains(part), "{part}: {json}");
        }
        let text = answer.text(true);
        assert!(text.contains("move safe for {(2,2)}"), "{text}");
    });
}

#[test]
fn a_stopped_search_has_no_choice() {
    with_found(&Budget::visits_at_most(2), |found, mut answer| {
        let sum = Weighted::new(Player::Max, 2, [1, 1]).expect("positive weights");
        assert_eq!(found.choice(&sum), Ok(None));
        assert_eq!(found.weighed(&[1, 1]), None);
        answer.choice = Some(None);
        assert!(answer.json().contains(r#""choice":null"#));
        let text = answer.text(true);
        assert!(text.contains("not known: the search was stopped"), "{text}");
    });
}

#[test]
fn events_end_when_nobody_listens() {
    let problem = Source::read(CHOICE.as_bytes()).and_then(Source::outcomes);
    let problem = problem.expect("a problem over outcomes");
    let game = vectors(&problem).expect("vectors of numbers");
    let mut lines = Vec::new();
    let mut listener = |line: &str| {
        lines.push(line.to_owned());
        lines.len() < 3
    };
    let by = PacketsAlgorithm::ProcedureFShallow;
    let budget = Budget::unlimited();
    search(
        by,
        &game,
        &budget,
        &mut event_lines(&problem, &mut listener),
    );
    let first = [
        "{\"event\":\"enter\",\"node\":\"r\",\"alpha\":[],\"beta\":[]}\n",
        "{\"event\":\"leaf\",\"node\":\"safe\"}\n",
        "{\"event\":\"update\",\"node\":\"r\",\"packets\":[[[2,2]]],\"alpha\":[[[2,2]]],\"beta\":[]}\n",
    ];
    assert_eq!(lines, first);
}
