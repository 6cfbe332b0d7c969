//! Distributions of the time to failure, and means of random deviates.
//!
//! Each is a function of numbers. An undefined value is NaN, and the caller reports it.
//! `exponential`, `GLM`, `Weibull` and `periodic-test` are the built-ins of the Open-PSA Model
//! Exchange Format (version 2.0d, section V.2.6). Where possible, probabilities are computed
//! without subtracting nearly equal numbers.

use statrs::function::erf::erf_inv;

/// The value of an expression that is undefined.
pub(crate) const NONE: f64 = f64::NAN;

fn not_negative(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| *number >= 0.0)
}

fn is_probability(number: f64) -> bool {
    (0.0..=1.0).contains(&number)
}

/// The probability that a failure with a constant rate has happened after a time.
pub(crate) fn exponential(rate: f64, time: f64) -> f64 {
    if not_negative(&[rate, time]) {
        -(-rate * time).exp_m1()
    } else {
        NONE
    }
}

/// A part that fails on demand or at a rate, and is repaired at a rate.
pub(crate) fn glm(on_demand: f64, failure: f64, repair: f64, time: f64) -> f64 {
    if !(not_negative(&[failure, repair, time]) && is_probability(on_demand)) {
        return NONE;
    }
    let both = failure + repair;
    // Where nothing fails later and nothing is repaired, it stays as it is on demand.
    let limit = if both > 0.0 { failure / both } else { 0.0 };
    let settled = -(-both * time).exp_m1();
    on_demand * (-both * time).exp() + limit * settled
}

/// The Weibull distribution with a scale, a shape, and a time before which nothing fails.
pub(crate) fn weibull(scale: f64, shape: f64, from: f64, time: f64) -> f64 {
    if !(scale > 0.0 && shape > 0.0 && not_negative(&[from, time])) {
        NONE
    } else if time <= from {
        0.0
    } else {
        -(-((time - from) / scale).powf(shape)).exp_m1()
    }
}

/// How often a test was made, and the time since the last.
fn tests(interval: f64, first: f64, time: f64) -> (f64, f64) {
    let since_first = time - first;
    let count = (since_first / interval).floor();
    (count, (since_first - count * interval).max(0.0))
}

/// A part that is as good as new after each test: rate, time between tests, time of the first.
pub(crate) fn tested(rate: f64, interval: f64, first: f64, time: f64) -> f64 {
    if !(rate > 0.0 && interval > 0.0 && not_negative(&[first, time])) {
        return NONE;
    }
    if time <= first {
        return exponential(rate, time);
    }
    // At the moment of a test the part is as it was before.
    let (_, since) = tests(interval, first, time);
    exponential(rate, if since > 0.0 { since } else { interval })
}

/// The probability that what has a constant rate has not happened after a time.
fn remains(rate: f64, time: f64) -> f64 {
    (-rate * time).exp()
}

/// The mean of `exp(-x)` for x from a number to a greater one.
fn mean_of_exponential(from: f64, to: f64) -> f64 {
    let span = to - from;
    let mean = if span > 0.0 {
        -(-span).exp_m1() / span
    } else {
        1.0
    };
    (-from).exp() * mean
}

/// How often what has a constant rate happens in a time, on average.
fn expected(rate: f64, time: f64) -> f64 {
    (rate * time).min(f64::MAX)
}

/// The probability that a repair is over after a time and no failure has followed it.
fn repaired_and_works(repair: f64, failure: f64, time: f64) -> f64 {
    let (a, b) = (expected(repair, time), expected(failure, time));
    a * mean_of_exponential(a.min(b), a.max(b))
}

/// The probability that a repair, and then a failure, happen within a time.
///
/// It is the product of both rates, the square of the time, and the second divided difference of
/// `exp` at 0 and the negative products of rates and time. Where both are small, that is a
/// difference of nearly equal numbers, and its series is summed.
fn repaired_and_failed(repair: f64, failure: f64, time: f64) -> f64 {
    let (a, b) = (expected(repair, time), expected(failure, time));
    let (less, more) = (a.min(b), a.max(b));
    if more >= 1.0 {
        let difference = mean_of_exponential(0.0, less) - mean_of_exponential(less, more);
        return less * difference;
    }
    // Term n is the sum of all products of n factors out of both, divided by (n + 2)!.
    let (mut sum, mut factor, mut power, mut products) = (0.0, 0.5, 1.0, 1.0);
    for n in 1..=20 {
        sum += factor * products;
        power *= more;
        products = products * less + power;
        factor /= -f64::from(n + 2);
    }
    less * more * sum
}

/// A map of the states of a tested part: what each of failed, under repair, and working becomes.
type Step = [[f64; 3]; 3];

fn after(state: [f64; 3], step: &Step) -> [f64; 3] {
    let of = |to: usize| (0..3).map(|from| state[from] * step[from][to]).sum();
    [of(0), of(1), of(2)]
}

/// A step applied `times` times.
fn repeated(step: Step, times: f64) -> Step {
    let both = |a: &Step, b: &Step| [after(a[0], b), after(a[1], b), after(a[2], b)];
    let mut result = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    #[allow(clippy::cast_sign_loss)] // a number of tests
    let (mut power, mut left) = (step, times as u64);
    while left > 0 {
        if left & 1 == 1 {
            result = both(&result, &power);
        }
        power = both(&power, &power);
        left >>= 1;
    }
    result
}

/// A part whose failures are found by tests that take no time, and are then repaired at a rate.
pub(crate) fn repaired(rate: f64, repair: f64, interval: f64, first: f64, time: f64) -> f64 {
    if !(rate > 0.0 && interval > 0.0 && not_negative(&[repair, first, time])) {
        return NONE;
    }
    if time <= first {
        return exponential(rate, time);
    }
    // A test finds every failure: what was failed is under repair.
    let period = |time: f64| -> Step {
        let failed = exponential(rate, time);
        let again = repaired_and_failed(repair, rate, time);
        let works = repaired_and_works(repair, rate, time);
        let of_repair = [again, remains(repair, time), works];
        [of_repair, of_repair, [failed, 0.0, remains(rate, time)]]
    };
    let failed = exponential(rate, first);
    let (count, since) = tests(interval, first, time);
    let state = after(
        [failed, 0.0, remains(rate, first)],
        &repeated(period(interval), count),
    );
    let [failed, under_repair, _] = after(state, &period(since));
    failed + under_repair
}

/// A part with tests that take time and may themselves break it or miss a failure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tests {
    pub(crate) rate: f64,
    pub(crate) rate_in_test: f64,
    pub(crate) repair: f64,
    pub(crate) interval: f64,
    pub(crate) first: f64,
    /// The probability that the part fails because the test begins.
    pub(crate) at_start: f64,
    pub(crate) duration: f64,
    /// Whether the part is available during a test.
    pub(crate) available: bool,
    /// The probability that a test finds a failure.
    pub(crate) found: f64,
    /// The probability that a part fails when it is restarted after its repair.
    pub(crate) at_restart: f64,
}

impl Tests {
    pub(crate) fn at(self, time: f64) -> f64 {
        let Self {
            rate,
            rate_in_test,
            repair,
            interval,
            first,
            at_start,
            duration,
            available,
            found,
            at_restart,
        } = self;
        let fits = rate > 0.0
            && interval > 0.0
            && duration > 0.0
            && duration <= interval
            && not_negative(&[rate_in_test, repair, first, time])
            && [at_start, found, at_restart]
                .into_iter()
                .all(is_probability);
        if !fits {
            return NONE;
        }
        if time <= first {
            return exponential(rate, time);
        }
        let of_repair = |time: f64| {
            let repaired = exponential(repair, time);
            let again = repaired * at_restart
                + (1.0 - at_restart) * repaired_and_failed(repair, rate, time);
            let works = (1.0 - at_restart) * repaired_and_works(repair, rate, time);
            [again, remains(repair, time), works]
        };
        // What fails before or in a test is found or not.
        let in_test = |time: f64| -> Step {
            let fails = at_start + (1.0 - at_start) * exponential(rate_in_test, time);
            let works = (1.0 - at_start) * remains(rate_in_test, time);
            [
                [1.0 - found, found, 0.0],
                of_repair(time),
                [fails * (1.0 - found), fails * found, works],
            ]
        };
        let between = |time: f64| -> Step {
            let fails = exponential(rate, time);
            let works = remains(rate, time);
            [[1.0, 0.0, 0.0], of_repair(time), [fails, 0.0, works]]
        };
        let failed = exponential(rate, first);
        let (test, rest) = (in_test(duration), between(interval - duration));
        let period = [
            after(test[0], &rest),
            after(test[1], &rest),
            after(test[2], &rest),
        ];
        let (count, since) = tests(interval, first, time);
        let works = remains(rate, first);
        let state = after([failed, 0.0, works], &repeated(period, count));
        let [failed, under_repair, tested] = if since <= duration {
            let step = in_test(since);
            let [failed, under_repair, _] = after(state, &step);
            // What is tested does not work, unless it is available; what comes back from its
            // repair is not tested.
            let tested = if available {
                0.0
            } else {
                state[2] * step[2][2]
            };
            [failed, under_repair, tested]
        } else {
            let [failed, under_repair, _] = after(after(state, &test), &between(since - duration));
            [failed, under_repair, 0.0]
        };
        (failed + under_repair + tested).min(1.0)
    }
}

/// The parameters of the normal distribution under a lognormal one, of its mean, and the factor
/// between its median and the quantile of a level.
pub(crate) fn lognormal(mean: f64, factor: f64, level: f64) -> Option<(f64, f64)> {
    // A factor of 1 and more leads from the median to a quantile above it.
    if !(mean > 0.0 && factor >= 1.0 && level > 0.5 && level < 1.0) {
        return None;
    }
    // The quantile of the standard normal distribution.
    let quantile = std::f64::consts::SQRT_2 * erf_inv(2.0 * level - 1.0);
    let deviation = factor.ln() / quantile;
    let of_logarithm = mean.ln() - deviation * deviation / 2.0;
    deviation.is_finite().then_some((of_logarithm, deviation))
}

/// Whether bounds and weights make a histogram: `[lower, upper, weight, upper, weight, ..]`.
pub(crate) fn is_histogram(numbers: &[f64]) -> bool {
    let bounds = numbers
        .iter()
        .take(1)
        .chain(numbers.iter().skip(1).step_by(2));
    let weights = numbers.iter().skip(2).step_by(2);
    bounds.is_sorted_by(|a, b| a < b)
        && weights.clone().all(|weight| *weight >= 0.0)
        && weights.sum::<f64>() > 0.0
}

/// The mean of a histogram: each weight is that of its interval.
pub(crate) fn mean_of_histogram(numbers: &[f64]) -> f64 {
    if !is_histogram(numbers) {
        return NONE;
    }
    let (mut lower, mut sum, mut weights) = (numbers[0], 0.0, 0.0);
    for bin in numbers[1..].chunks_exact(2) {
        sum += f64::midpoint(lower, bin[0]) * bin[1];
        weights += bin[1];
        lower = bin[0];
    }
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        let error = (found / expected - 1.0).abs();
        assert!(error < 1e-14, "{found:e}, and exactly {expected:e}");
    }

    /// Differences of nearly equal numbers by their series, and nothing jumps where one takes over.
    #[test]
    fn small_and_nearly_equal_rates() {
        // a b / 2 (1 - (a + b) / 3 + (a a + a b + b b) / 12 - ..)
        let (a, b): (f64, f64) = (3e-9, 7e-8);
        close(
            repaired_and_failed(a, b, 1.0),
            a * b / 2.0 * (1.0 - (a + b) / 3.0),
        );
        close(
            repaired_and_failed(b, a, 1.0),
            a * b / 2.0 * (1.0 - (a + b) / 3.0),
        );
        let both = 1.0 - 2.0 * (-1.0_f64).exp();
        for other in [1.0, 1.0 + 1e-15, 1.0 - 1e-15] {
            close(repaired_and_failed(1.0, other, 1.0), both);
            close(repaired_and_failed(other, other, 1.0), both);
        }
        // Of two rates that differ by 1e-9 the derivative says how much less it is.
        let less = repaired_and_failed(2.0, 2.0, 1.0) - repaired_and_failed(2.0, 2.0 - 1e-9, 1.0);
        let slope = (-2.0_f64).exp();
        assert!((less / 1e-9 - slope).abs() < 1e-5, "{less}");
        close(repaired_and_failed(1e-16, 40.0, 1.0), 1e-16 * 39.0 / 40.0);
        close(repaired_and_works(5.0, 5.0, 1.0), 5.0 * (-5.0_f64).exp());
        close(repaired_and_works(1e-16, 40.0, 1.0), 1e-16 / 40.0);
        close(repaired_and_failed(1e300, 1e300, 1e300), 1.0);
        // What is left of a demand failure after a long repair.
        close(glm(1.0, 0.0, 1.0, 40.0), (-40.0_f64).exp());
    }
}
