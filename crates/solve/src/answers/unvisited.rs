//! The answer where a limit was reached before anything was visited.

use meetjoin_lattice::{Interval, Stop};
use meetjoin_search::Counts;

use crate::answers::answer::{Answer, Facts, Found, NodeText, Stats, TooLong};
use crate::answers::request::Request;
use crate::answers::value::Value;
use meetjoin_report::Measuring;

/// What is known then: values lie between the least and the greatest one, which lists so many
/// items.
pub(crate) fn unvisited(
    request: &Request<'_>,
    stop: Stop,
    moves: Option<Vec<NodeText>>,
    items: Option<usize>,
    facts: Facts,
) -> Answer {
    let found = || Found {
        value: Interval::Between {
            lower: Value::End { top: false },
            upper: Value::End { top: true },
        },
        stop: Some(stop),
        too_long: items.map(|items| TooLong {
            lower: None,
            upper: Some(items),
        }),
        contradiction: false,
    };
    let moves = moves.map(|names| names.into_iter().map(|name| (name, found())).collect());
    Answer {
        algorithm: request.algorithm.id,
        root: found(),
        moves,
        facts,
        stats: Stats::of(&Measuring::begin(request.meter), Counts::default()),
        strategy: None,
        explanation: None,
        checkpoint: None,
    }
}
