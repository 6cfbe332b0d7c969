//! The answer if a limit fired before the first visit.

use meetjoin_dag::AndOrDag;
use meetjoin_lattice::{Interval, Stop};
use meetjoin_search::Counts;

use crate::answers::answer::{Answer, Facts, Found, Stats, TooLong};
use crate::answers::request::Request;
use crate::answers::value::Value;
use crate::searching::subject::{children_of, position_name};
use meetjoin_report::Measuring;

/// The answer with the trivial bounds: the least and the greatest value, which lists this many
/// items.
pub fn unvisited<D: AndOrDag>(
    dag: &D,
    request: &Request<'_>,
    stop: Stop,
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
    let moves = request.moves.then(|| {
        let children = children_of(dag).into_iter();
        children
            .map(|child| (position_name(dag, &child), found()))
            .collect()
    });
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
