//! Answers as JSON in which nothing is printed twice.
//!
//! Problem: an exact value is its own lower and upper bound, and a family of sets of hands names the same hands in many of its sets. So the first version of the
//! format has megabytes where tens of kilobytes would do.
//!
//! Idea: an exact value is printed as the value alone, and where that is at most half as long, worlds are listed once and sets are lists of their places in that list.

use std::collections::HashMap;

use crate::answer::{Answer, Version, raw};
use crate::value::Value;
use meetjoin::lattice::Interval;
use serde_json::value::RawValue;

/// One JSON object, `meetjoin-answer/2`.
pub fn brief_json(answer: &Answer) -> String {
    let values = answer.found().flat_map(|found| match &found.value {
        Interval::Exact(value) => vec![value],
        Interval::Between { lower, upper } => vec![lower, upper],
    });
    let mut worlds = Places::default();
    let lengths = values.map(|value| {
        let short = worlds.value(value).map_or(0, |text| text.len());
        (value.json().len(), short)
    });
    let (plain, short) = lengths.fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    let listed: usize = worlds.texts.iter().map(|text| text.len() + 1).sum();
    // Where there are no sets of worlds with names, nothing is listed.
    let by_places = listed > 0 && 2 * (listed + short) <= plain;
    answer.json_of(Version {
        format: "meetjoin-answer/2",
        worlds: by_places.then(|| worlds.texts.iter().map(|text| raw(text)).collect()),
        repeats: false,
        show: |value: &Value| {
            let short = if by_places { worlds.value(value) } else { None };
            raw(&short.unwrap_or_else(|| value.json()))
        },
    })
}

/// Worlds as JSON, each once, and their places.
#[derive(Default)]
struct Places {
    texts: Vec<String>,
    places: HashMap<String, usize>,
}

impl Places {
    /// A value of sets of worlds by their places; `None` for any other.
    fn value(&mut self, value: &Value) -> Option<String> {
        let Value::Sets {
            sets,
            is_family,
            names,
        } = value
        else {
            return None;
        };
        let sets = sets.iter().map(|set| self.set(&names.json(set)));
        let sets = sets.collect::<Option<Vec<String>>>()?.join(",");
        Some(if *is_family {
            format!("[{sets}]")
        } else {
            sets
        })
    }

    /// A list of worlds by their places.
    fn set(&mut self, json: &str) -> Option<String> {
        let worlds: Vec<&RawValue> = serde_json::from_str(json).ok()?;
        let places = worlds.into_iter().map(|world| {
            let next = self.texts.len();
            let place = *self.places.entry(world.get().to_owned()).or_insert(next);
            if place == next {
                self.texts.push(world.get().to_owned());
            }
            place.to_string()
        });
        Some(format!("[{}]", places.collect::<Vec<_>>().join(",")))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use meetjoin::search::Counts;

    use super::*;
    use crate::answer::{Facts, Found, Stats};
    use crate::value::Names;

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
}
