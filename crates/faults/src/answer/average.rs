//! The average of P(top) over the mission: the probability of failure on demand (PFDavg).
//!
//! Problem: with periodic tests P(top) is a saw, and its value at the end of the mission says where
//! in a tooth that end lies.
//!
//! Idea: P(top) is smooth from test to test, so it is integrated between them. Each piece has two
//! estimates from the same seven points, by the rules of Gauss (three points) and Kronrod. Pieces
//! whose estimates differ by too much are halved, until all differences together are small. The
//! second rule is far more exact than the first, so this difference is more than its error.
//!
//! Source: Kronrod, Nodes and Weights of Quadrature Formulas (1965).

use meetjoin_lattice::{Budget, Stop};

use super::curve::OverTime;
use crate::diagram::lanes::LANES;
use crate::model::Model;
use crate::model::expression::{Changing, Number, Operation};
use crate::model::place::FaultTreeFileError;

/// The difference of the two estimates, as a part of the average.
const ACCURACY: f64 = 1e-9;

/// The most pieces of the mission: seven points each are about as many as a curve may have.
const MOST_PIECES: usize = 1 << 17;

/// The pieces without any test, so that nothing hides between seven points.
const FEWEST_PIECES: u32 = 8;

/// A point right of the middle of -1..1, and its weights by Kronrod's rule and by Gauss's.
const POINTS: [(f64, f64, f64); 3] = [
    (0.434_243_749_346_802_6, 0.401_397_414_775_962_2, 0.0),
    (0.774_596_669_241_483_4, 0.268_488_089_868_333_4, 5.0 / 9.0),
    (0.960_491_268_708_020_3, 0.104_656_226_026_467_27, 0.0),
];
/// The weights of the middle.
const MIDDLE: (f64, f64) = (0.450_916_538_658_474_15, 8.0 / 9.0);

/// A piece of the mission, with the integral over it.
struct Piece {
    from: f64,
    to: f64,
    sum: f64,
    /// How far the two estimates differ.
    error: f64,
}

/// The average from 0 to a time; a text says why it is not known.
pub(super) fn average(
    top: &mut OverTime<'_>,
    model: &Model,
    end: f64,
    budget: &Budget,
) -> Result<Result<f64, String>, Stop> {
    let said = |wrong: FaultTreeFileError| format!("unknown: {wrong}");
    if end <= 0.0 {
        let [p, ..] = match top.at(&[end], budget) {
            Ok(found) => found?,
            Err(wrong) => return Ok(Err(said(wrong))),
        };
        return Ok(Ok(p));
    }
    let Some(times) = smooth_between(model, top.needed(), end) else {
        let why = format!("unknown, for there are more than {MOST_PIECES} tests");
        return Ok(Err(why));
    };
    let mut pieces = Vec::with_capacity(times.len());
    let mut waiting: Vec<[f64; 2]> = times.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    loop {
        for [from, to] in waiting.drain(..) {
            match piece(top, [from, to], budget) {
                Ok(piece) => pieces.push(piece?),
                Err(wrong) => return Ok(Err(said(wrong))),
            }
        }
        let sum: f64 = pieces.iter().map(|piece| piece.sum).sum();
        let error: f64 = pieces.iter().map(|piece| piece.error).sum();
        let most = ACCURACY * sum + f64::MIN_POSITIVE;
        if error <= most {
            return Ok(Ok(sum / end));
        }
        let share = most / pieces.len() as f64;
        pieces.retain(|piece| {
            let middle = f64::midpoint(piece.from, piece.to);
            let is_split = piece.error > share;
            if is_split {
                waiting.extend([[piece.from, middle], [middle, piece.to]]);
            }
            !is_split
        });
        if pieces.len() + waiting.len() > MOST_PIECES {
            let why = "unknown, for P(top) jumps too often between the tests";
            return Ok(Err(why.to_owned()));
        }
    }
}

/// The integral over a piece.
fn piece(
    top: &mut OverTime<'_>,
    [from, to]: [f64; 2],
    budget: &Budget,
) -> Result<Result<Piece, Stop>, FaultTreeFileError> {
    let (middle, half) = (f64::midpoint(from, to), (to - from) / 2.0);
    let mut times = [middle; LANES];
    for (place, (point, ..)) in POINTS.iter().enumerate() {
        times[2 * place] = middle - half * point;
        times[2 * place + 1] = middle + half * point;
    }
    let p = match top.at(&times, budget)? {
        Ok(p) => p,
        Err(stop) => return Ok(Err(stop)),
    };
    let (mut kronrod, mut gauss) = (MIDDLE.0 * p[LANES - 1], MIDDLE.1 * p[LANES - 1]);
    for (place, (_, by_kronrod, by_gauss)) in POINTS.iter().enumerate() {
        let both = p[2 * place] + p[2 * place + 1];
        kronrod += by_kronrod * both;
        gauss += by_gauss * both;
    }
    // A piece with no number inside has nothing to be found out.
    let is_whole = from < middle && middle < to;
    Ok(Ok(Piece {
        from,
        to,
        sum: half * kronrod,
        error: if is_whole {
            half * (kronrod - gauss).abs()
        } else {
            0.0
        },
    }))
}

/// Times from 0 to the end, between which no test begins or ends; `None` if there are too many. The
/// tests of a distribution over another time than that of the mission are left to the halving.
fn smooth_between(model: &Model, needed: &[Number], end: f64) -> Option<Vec<f64>> {
    let all = &model.expressions;
    let depends = all.depending(Changing::Time);
    let values = all.values(end, &crate::model::expression::Path::default());
    let equal = (0..=FEWEST_PIECES).map(|part| end * f64::from(part) / f64::from(FEWEST_PIECES));
    let mut times: Vec<f64> = equal.collect();
    for &number in needed {
        let Some((time, parameters)) = all.operands(number).split_last() else {
            continue;
        };
        let is_plain = matches!(all.get(*time).operation, Operation::MissionTime)
            && !parameters.iter().any(|&other| depends[other as usize]);
        if !is_plain {
            continue;
        }
        let of = |place: usize| values[parameters[place] as usize];
        // The first, the time to the next, and how long it takes.
        let (first, interval, duration) = match (all.get(number).operation, parameters.len()) {
            (Operation::Weibull, 3) => (of(2), end, 0.0),
            (Operation::PeriodicTest, 3) => (of(2), of(1), 0.0),
            (Operation::PeriodicTest, 4) => (of(3), of(2), 0.0),
            (Operation::PeriodicTest, 10) => (of(4), of(3), of(6)),
            _ => continue,
        };
        let count = ((end - first) / interval).floor();
        if count >= (MOST_PIECES / 2) as f64 {
            return None;
        }
        let mut test = 0.0;
        while test <= count {
            let at = first + test * interval;
            times.extend([at, at + duration]);
            test += 1.0;
        }
        if times.len() > 4 * MOST_PIECES {
            return None;
        }
    }
    times.retain(|time| (0.0..=end).contains(time));
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    (times.len() <= MOST_PIECES).then_some(times)
}
