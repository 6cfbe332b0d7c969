//! Answers in their second form: hands that come back are listed once.

use std::sync::Arc;

use meetjoin_lattice::Interval;
use meetjoin_search::Counts;
use meetjoin_solve::answer::{Answer, Facts, Found, Stats};
use meetjoin_solve::value::Names;
use meetjoin_solve::{Value, brief_json};

#[derive(Debug)]
struct Hands;

impl Names for Hands {
    fn json(&self, set: &[usize]) -> String {
        let hands: Vec<String> = set
            .iter()
            .map(|hand| format!("\"the hand with number {hand}\""))
            .collect();
        format!("[{}]", hands.join(","))
    }

    fn readable(&self, set: &[usize]) -> String {
        self.json(set)
    }
}

fn answer(sets: &[&[usize]], exact: bool) -> Answer {
    let names: Arc<dyn Names> = Arc::new(Hands);
    let value = Value::Sets {
        sets: sets.iter().map(|set| set.to_vec()).collect(),
        is_family: true,
        names,
    };
    let value = if exact {
        Interval::Exact(value)
    } else {
        Interval::Between {
            lower: value.clone(),
            upper: value,
        }
    };
    Answer {
        algorithm: "minimax",
        root: Found {
            value,
            stop: None,
            too_long: None,
            contradiction: false,
        },
        moves: None,
        facts: Facts::default(),
        stats: Stats {
            nodes: None,
            counts: Counts::default(),
            cache_entries: None,
            search_bytes: 0,
            peak_memory_bytes: 0,
            seconds: 0.0,
        },
        strategy: None,
        explanation: None,
        checkpoint: None,
    }
}

fn json(answer: &Answer) -> serde_json::Value {
    serde_json::from_str(&brief_json(answer)).expect("JSON")
}

#[test]
fn hands_that_come_back_are_listed_once() {
    let sets: [&[usize]; 4] = [&[7, 8, 9], &[7, 8, 5], &[8, 9, 5], &[7, 9, 5]];
    let brief = json(&answer(&sets, true));
    assert_eq!(
        brief["worlds"].to_string(),
        r#"["the hand with number 7","the hand with number 8","the hand with number 9","the hand with number 5"]"#
    );
    assert_eq!(
        brief["value"].to_string(),
        "[[0,1,2],[0,1,3],[1,2,3],[0,2,3]]"
    );
    assert_eq!((brief.get("lower"), brief.get("upper")), (None, None));
}

#[test]
fn hands_that_do_not_are_written_where_they_stand() {
    let brief = json(&answer(&[&[7, 8]], true));
    assert_eq!(brief.get("worlds"), None);
    assert_eq!(
        brief["value"].to_string(),
        r#"[["the hand with number 7","the hand with number 8"]]"#
    );
}

#[test]
fn bounds_are_both_there() {
    let brief = json(&answer(&[&[7, 8]], false));
    assert_eq!(brief["value"], serde_json::Value::Null);
    assert_eq!(brief["lower"], brief["upper"]);
}
