//! Compact answers as JSON, in which nothing is printed twice.
//!
//! Problem: an exact value is its own lower and upper bound, and a family of sets of hands names
//! the same hands in many of its sets. So the first version of the format has megabytes where tens
//! of kilobytes would do.
//!
//! Idea: an exact value is printed as the value alone, and where that is at most half as long,
//! worlds are listed once and sets are lists of their places in that list.

use std::collections::HashMap;

use crate::answers::answer::{Answer, Version};
use crate::answers::value::Value;
use meetjoin_lattice::Interval;
use meetjoin_report::raw;
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
    // Without named sets of worlds, nothing is listed.
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

/// Worlds as JSON, each once, with their indices.
#[derive(Default)]
struct Places {
    texts: Vec<String>,
    places: HashMap<String, usize>,
}

impl Places {
    /// A value of sets of worlds, written by indices; `None` for any other value.
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

    /// A list of worlds, written by indices.
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
