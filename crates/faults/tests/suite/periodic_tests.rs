//! Periodic tests by the graph of the Model Exchange Format, integrated step by step, and by SCRAM
//! where it is installed; and the average of P(top) over the mission.

use std::process::Command;
use std::time::Duration;

use meetjoin_faults::{Asked, ModelReader, Sets, State, find_in_model, tree_of};
use meetjoin_lattice::{Budget, Limits};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::pages::request;

/// The eleven arguments of `periodic-test`, by the names of the format.
#[derive(Clone, Copy, Debug)]
struct Tested {
    lambda: f64,
    lambda_in_test: f64,
    mu: f64,
    tau: f64,
    theta: f64,
    gamma: f64,
    pi: f64,
    x: bool,
    sigma: f64,
    omega: f64,
    t: f64,
}

impl Tested {
    /// Long and short tests, perfect and poor ones, and an end in a test or between two.
    fn random(random: &mut ChaCha8Rng) -> Self {
        let mut part = || match random.random_range(0..4) {
            0 => 0.0,
            1 => 1.0,
            _ => f64::from(random.random_range(1..100)) / 100.0,
        };
        let (gamma, sigma, omega, length, inside) = (part(), part(), part(), part(), part());
        let (first, rate, other, repair) = (part(), part(), part(), part());
        let tau = f64::from(random.random_range(20..200));
        let pi = tau * length.max(0.01);
        let theta = (first * 300.0).round();
        let tests = f64::from(random.random_range(0..6));
        let within = if random.random_range(0..2) == 0 {
            pi
        } else {
            tau
        };
        Self {
            lambda: 0.0001 + rate * 0.02,
            lambda_in_test: other * 0.05,
            mu: repair * 0.1,
            tau,
            theta,
            gamma,
            pi,
            x: random.random_range(0..2) == 0,
            sigma,
            omega,
            // Not at a jump, where rounding decides.
            t: theta + tests * tau + within * (0.013 + 0.97 * inside),
        }
    }

    fn xml(&self) -> String {
        let float = |value: f64| format!("<float value=\"{value}\"/>");
        let before = [
            self.lambda,
            self.lambda_in_test,
            self.mu,
            self.tau,
            self.theta,
        ];
        format!(
            "<periodic-test>{}{}{}<bool value=\"{}\"/>{}{}{}</periodic-test>",
            before.map(float).concat(),
            float(self.gamma),
            float(self.pi),
            self.x,
            float(self.sigma),
            float(self.omega),
            float(self.t)
        )
    }

    /// The probability that the part is not available, state by state and step by step: figures
    /// "periodic-test" and "multi-phase Markov graph" of the format.
    fn unavailable(&self) -> f64 {
        // Works, failed, under repair; and in a test also: works and is not tested, found failed.
        let mut state = [1.0, 0.0, 0.0, 0.0, 0.0];
        let outside = |[a, _, r, ..]: [f64; 5]| {
            let (fails, ends) = (self.lambda * a, self.mu * r);
            [
                (1.0 - self.omega) * ends - fails,
                fails + self.omega * ends,
                -ends,
                0.0,
                0.0,
            ]
        };
        let in_test = |[a, _, r, back, _]: [f64; 5]| {
            let (fails, ends, again) = (self.lambda_in_test * a, self.mu * r, self.lambda * back);
            [
                -fails,
                (1.0 - self.sigma) * fails + self.omega * ends + again,
                -ends,
                (1.0 - self.omega) * ends - again,
                self.sigma * fails,
            ]
        };
        let mut at = 0.0;
        let mut next = self.theta;
        integrate(&mut state, self.t.min(next), outside);
        at = f64::max(at, self.t.min(next));
        while at < self.t {
            let [a, f, r, ..] = state;
            let failed = f + self.gamma * a;
            state = [
                (1.0 - self.gamma) * a,
                (1.0 - self.sigma) * failed,
                r,
                0.0,
                self.sigma * failed,
            ];
            let end = (next + self.pi).min(self.t);
            integrate(&mut state, end - at, in_test);
            at = end;
            if at >= self.t {
                let [a, _, _, back, _] = state;
                return 1.0 - back - if self.x { a } else { 0.0 };
            }
            let [a, f, r, back, found] = state;
            state = [a + back, f, r + found, 0.0, 0.0];
            next += self.tau;
            let end = next.min(self.t);
            integrate(&mut state, end - at, outside);
            at = end;
        }
        1.0 - state[0]
    }
}

/// Integrates linear equations by the rule of Runge and Kutta.
fn integrate(state: &mut [f64; 5], time: f64, rates: impl Fn([f64; 5]) -> [f64; 5]) {
    let steps = (time / 0.1).ceil();
    let h = time / steps.max(1.0);
    let mut left = steps;
    while left > 0.0 {
        left -= 1.0;
        let moved = |k: [f64; 5], by: f64| -> [f64; 5] {
            std::array::from_fn(|place| state[place] + by * k[place])
        };
        let k1 = rates(*state);
        let k2 = rates(moved(k1, h / 2.0));
        let k3 = rates(moved(k2, h / 2.0));
        let k4 = rates(moved(k3, h));
        *state = std::array::from_fn(|place| {
            let sum = k1[place] + 2.0 * k2[place] + 2.0 * k3[place] + k4[place];
            state[place] + h / 6.0 * sum
        });
    }
}

const CASES: u64 = 300;

/// The test of the issue: omega is for what comes back from its repair, as the graph has it, so it
/// changes nothing where every repair is over before the first test.
const OMEGA: Tested = Tested {
    lambda: 1e-9,
    lambda_in_test: 0.0,
    mu: 0.01,
    tau: 720.0,
    theta: 0.0,
    gamma: 0.0,
    pi: 1e-9,
    x: true,
    sigma: 1.0,
    omega: 0.05,
    t: 360.0,
};

fn cases() -> Vec<Tested> {
    let random = (0..CASES).map(|seed| Tested::random(&mut ChaCha8Rng::seed_from_u64(seed)));
    std::iter::once(OMEGA).chain(random).collect()
}

/// A model with a top for each case.
fn all(cases: &[Tested]) -> String {
    let tree = |(number, case): (usize, &Tested)| {
        format!(
            "<define-fault-tree name=\"f{number}\"><define-gate name=\"t{number}\"><or><basic-event name=\"a{number}\"/><basic-event name=\"b{number}\"/></or></define-gate>\
             <define-basic-event name=\"a{number}\">{}</define-basic-event><define-basic-event name=\"b{number}\"><float value=\"0\"/></define-basic-event></define-fault-tree>",
            case.xml()
        )
    };
    let trees: String = cases.iter().enumerate().map(tree).collect();
    format!("<opsa-mef>{trees}</opsa-mef>")
}

#[test]
fn eleven_arguments_by_the_graph_of_the_format() {
    let cases = cases();
    let model = crate::models::model(&[all(&cases)]).expect("it is read");
    for (number, case) in cases.iter().enumerate() {
        let found = crate::models::probability(&model, &format!("t{number}")).expect("a number");
        let expected = case.unavailable();
        assert!(
            (found - expected).abs() < 1e-7,
            "{found} {expected}: {case:?}"
        );
    }
}

#[test]
fn eleven_arguments_by_scram() {
    let cases = cases();
    let file = std::env::temp_dir().join(format!("meetjoin-tests-{}.xml", std::process::id()));
    std::fs::write(&file, all(&cases)).expect("it is written");
    let ran = Command::new("scram")
        .args(["--bdd", "--probability", "1"])
        .arg(&file)
        .output();
    std::fs::remove_file(&file).expect("it is there");
    let Ok(ran) = ran else {
        eprintln!("SCRAM is not installed: nothing is compared");
        return;
    };
    let report = String::from_utf8_lossy(&ran.stdout).into_owned();
    let model = crate::models::model(&[all(&cases)]).expect("it is read");
    let mut compared = 0;
    for (number, case) in cases.iter().enumerate() {
        let attribute = |key: &str| -> Option<f64> {
            let (_, rest) = report.split_once(&format!("<sum-of-products name=\"t{number}\""))?;
            let (line, _) = rest.split_once('>')?;
            let (_, value) = line.split_once(&format!(" {key}=\""))?;
            value.split_once('"')?.0.parse().ok()
        };
        let Some(theirs) = attribute("probability") else {
            continue;
        };
        let found = crate::models::probability(&model, &format!("t{number}")).expect("a number");
        compared += 1;
        assert!(
            (found - theirs).abs() <= 6e-6 * theirs + 1e-15,
            "{found} {theirs}: {case:?}"
        );
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(compared, cases.len(), "{said}");
}

/// A model of a gate over basic events that depend on the time of the mission.
fn over_time(gate: &str, events: &[&str]) -> String {
    let define = |(number, event): (usize, &&str)| {
        format!("<define-basic-event name=\"e{number}\">{event}</define-basic-event>")
    };
    let mention = |number: usize| format!("<basic-event name=\"e{number}\"/>");
    let all: String = (0..events.len()).map(mention).collect();
    let defined: String = events.iter().enumerate().map(define).collect();
    format!(
        "<opsa-mef><define-fault-tree name=\"f\"><define-gate name=\"top\"><{gate}>{all}</{gate}></define-gate></define-fault-tree><model-data>{defined}</model-data></opsa-mef>"
    )
}

fn of_time(word: &str, parameters: &[f64]) -> String {
    let float = |value: &f64| format!("<float value=\"{value}\"/>");
    let parameters: String = parameters.iter().map(float).collect();
    format!("<{word}>{parameters}<system-mission-time/></{word}>")
}

/// The average, P(top) at the end, the text and the JSON of an answer.
fn answer(text: &str, time: f64, budget: &Budget) -> (Option<Result<f64, String>>, String, Value) {
    let mut reader = ModelReader::new();
    reader.read(text.as_bytes()).expect("it is read");
    let model = reader.finish(None).expect("a model");
    let state = State::at(time);
    let unlimited = Budget::unlimited();
    let tree = tree_of(&model, None, &state, Sets::Cuts, &unlimited).expect("a tree");
    let asked = Asked::default();
    let found = find_in_model(
        (&model, None, &state),
        &tree,
        request(budget, Sets::Cuts),
        asked,
    );
    let found = found.expect("an answer");
    let (mut shown, mut json) = (Vec::new(), Vec::new());
    found.write_text(&mut shown, None, true).expect("memory");
    found.write_json(&mut json).expect("memory");
    let average = found.besides().average.clone();
    let shown = String::from_utf8(shown).expect("text");
    (average, shown, serde_json::from_slice(&json).expect("JSON"))
}

fn average(text: &str, time: f64) -> f64 {
    let (average, shown, json) = answer(text, time, &Budget::unlimited());
    let average = average
        .expect("it depends on time")
        .unwrap_or_else(|why| panic!("{why}: {text}"));
    assert_eq!(json["pfd_average"].as_f64(), Some(average), "{json}");
    let line = format!(
        "\nPFDavg            {average:.6e}, the average of P(top) from 0 to {time} hours\n"
    );
    assert!(shown.contains(&line), "{shown}");
    let p = json["probability"].as_f64().expect("a number");
    assert!(
        shown.contains(&format!("\nP(top)            {p:.6e} at {time} hours\n")),
        "{shown}"
    );
    average
}

fn close(found: f64, expected: f64) {
    let off = (found - expected).abs() / expected;
    assert!(off < 1e-10, "{found} {expected} {off}");
}

#[test]
fn averages_that_have_a_formula() {
    let of_rate = |x: f64| 1.0 + (-x).exp_m1() / x;
    for (rate, time) in [(1e-3, 100.0), (0.5, 8760.0), (1e-3, 8760.0)] {
        let text = over_time("or", &[&of_time("exponential", &[rate])]);
        close(average(&text, time), of_rate(rate * time));
    }
    // Tests that find everything: each tooth is the first one, and the last may be cut.
    let (rate, time) = (1e-5, 8760.0);
    for interval in [1.0, 110.0, 730.0, 800.0, 2200.0, 8760.0, 9000.0] {
        let text = over_time(
            "or",
            &[&of_time("periodic-test", &[rate, interval, interval])],
        );
        let teeth = (time / interval).floor();
        let rest = time - teeth * interval;
        let area = |time: f64| {
            if time > 0.0 {
                time * of_rate(rate * time)
            } else {
                0.0
            }
        };
        // The formula loses digits where the rate is small; its series does not.
        let area = |time: f64| {
            let x = rate * time;
            if x < 1e-2 {
                time * x * (1.0 / 2.0 - x * (1.0 / 6.0 - x * (1.0 / 24.0 - x / 120.0)))
            } else {
                area(time)
            }
        };
        close(
            average(&text, time),
            (teeth * area(interval) + area(rest)) / time,
        );
    }
}

/// The saw of P(top) at the end of the mission goes up and down with the interval of tests, and its
/// average does not: designs are compared by that.
#[test]
fn longer_intervals_are_worse_on_average() {
    let (mut ends, mut averages) = (Vec::new(), Vec::new());
    for interval in (110..=2200).step_by(110) {
        let interval = f64::from(interval);
        let tested = |first: f64| of_time("periodic-test", &[2e-6, 0.05, interval, first]);
        let text = over_time("and", &[&tested(interval), &tested(interval)]);
        averages.push(average(&text, 8760.0));
        let (_, _, json) = answer(&text, 8760.0, &Budget::unlimited());
        ends.push(json["probability"].as_f64().expect("a number"));
    }
    assert!(averages.is_sorted_by(|a, b| a < b), "{averages:?}");
    assert!(!ends.is_sorted(), "{ends:?}");
}

/// The example of the chapter on fault trees.
#[test]
fn two_intervals_of_the_book() {
    let both = [1500.0, 2000.0].map(|interval| {
        let text = over_time(
            "or",
            &[&of_time("periodic-test", &[2e-6, interval, interval])],
        );
        let (_, _, json) = answer(&text, 8760.0, &Budget::unlimited());
        let p = json["probability"].as_f64().expect("a number");
        format!("{p:.2e} {:.2e}", average(&text, 8760.0))
    });
    assert_eq!(both, ["2.52e-3 1.46e-3", "1.52e-3 1.89e-3"]);
}

/// Several tests and distributions in one tree, against sums over many points between the tests.
#[test]
fn averages_by_sums_over_points() {
    for seed in 0..20 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let time = 1000.0;
        let mut number = |scale: u32| f64::from(random.random_range(1..=scale));
        // All tests begin and end at whole hours.
        let (tau, pi) = (number(400), number(10));
        let (other, from) = (number(300), number(500));
        let long = [
            1e-4 * number(10),
            1e-3,
            0.01 * number(5),
            tau + pi,
            number(300),
            0.01,
            pi,
            0.0,
            0.9,
            0.05,
        ];
        let tested = of_time("periodic-test", &[1e-3, other, number(100)]);
        let text = over_time(
            if seed % 2 == 0 { "or" } else { "and" },
            &[
                &of_time("periodic-test", &long),
                &tested,
                &of_time("Weibull", &[2000.0, 2.0, from]),
                &of_time("GLM", &[0.01, 1e-3, 0.1]),
            ],
        );
        let model = crate::models::model(std::slice::from_ref(&text)).expect("it is read");
        let p = |time: f64| {
            let tree = model.tree(None, &State::at(time)).expect("a tree");
            let p: Vec<f64> = tree
                .events()
                .iter()
                .map(|e| e.probability.expect("known"))
                .collect();
            if seed % 2 == 0 {
                1.0 - p.iter().map(|p| 1.0 - p).product::<f64>()
            } else {
                p.iter().product()
            }
        };
        // Gauss with two points on a quarter of an hour.
        let sum: f64 = (0..4000)
            .map(|quarter| {
                let middle = (f64::from(quarter) + 0.5) / 4.0;
                let off = 0.125 / 3.0_f64.sqrt();
                (p(middle - off) + p(middle + off)) / 8.0
            })
            .sum();
        let found = average(&text, time);
        assert!(
            (found * time / sum - 1.0).abs() < 1e-8,
            "{seed}: {found} {}",
            sum / time
        );
    }
}

/// What jumps where no test is known to be is found by halving.
#[test]
fn averages_of_what_jumps_anywhere() {
    let step = "<ite><lt><system-mission-time/><float value=\"333.3\"/></lt><float value=\"0.001\"/><float value=\"0.5\"/></ite>";
    let found = average(&over_time("or", &[step]), 1000.0);
    assert!(
        (found / (0.3333 * 0.001 + 0.6667 * 0.5) - 1.0).abs() < 1e-8,
        "{found}"
    );
    // Tests in another time than that of the mission.
    let twice = "<mul><float value=\"2\"/><system-mission-time/></mul>";
    let tested = of_time("periodic-test", &[1e-3, 100.0, 100.0]);
    let tested = tested.replace("<system-mission-time/>", twice);
    let x = 0.1_f64;
    let found = average(&over_time("or", &[&tested]), 1000.0);
    assert!(
        (found / (1.0 + (-x).exp_m1() / x) - 1.0).abs() < 1e-8,
        "{found}"
    );
}

/// P(top) stays, and an average that is not known says why.
#[test]
fn averages_that_are_not_known() {
    // A number that is a probability only at the end.
    let late = "<sub><system-mission-time/><float value=\"999.5\"/></sub>";
    let tests = of_time("periodic-test", &[1e-3, 1e-3, 1.0]);
    for (event, why) in [
        (late, "of \"e0\" does not lie in 0..1 (line 1 column "),
        (&*tests, "unknown, for there are more than 131072 tests"),
    ] {
        let (average, shown, json) =
            answer(&over_time("or", &[event]), 1000.0, &Budget::unlimited());
        let said = average.expect("it depends on time").expect_err("unknown");
        assert!(said.contains(why), "{said}");
        assert!(
            shown.contains(&format!("\nPFDavg            {said}\n")),
            "{shown}"
        );
        assert!(
            json["pfd_average"].is_null() && json["probability"].is_f64(),
            "{json}"
        );
        assert!(json["stop"].is_null(), "{json}");
    }
    // Nothing depends on time.
    let (average, shown, json) = answer(
        &over_time("or", &["<float value=\"0.5\"/>"]),
        10.0,
        &Budget::unlimited(),
    );
    assert!(average.is_none() && !shown.contains("PFDavg") && json.get("pfd_average").is_none());
    assert!(
        shown.contains("\nP(top)            5.000000e-1\n"),
        "{shown}"
    );
}

/// A limit, wherever it fires, leaves a number that is true or none.
#[test]
fn a_stop_leaves_no_false_average() {
    let tested = |rate: f64| of_time("periodic-test", &[rate, 7.0, 3.0]);
    let events: Vec<String> = (1..9).map(|rate| tested(f64::from(rate) * 1e-4)).collect();
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let text = over_time("or", &events);
    let known = average(&text, 8760.0);
    let (mut stopped, mut whole) = (0, 0);
    let steps = (0..40).map(|power| Limits {
        steps: Some(10 << (power / 2)),
        ..Limits::default()
    });
    let at_once = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    for limits in steps.chain([at_once]) {
        let (average, shown, json) = answer(&text, 8760.0, &Budget::new(limits));
        match average.expect("it depends on time") {
            Ok(found) => {
                whole += 1;
                assert_eq!(found, known);
                assert!(json["stop"].is_null(), "{json}");
            }
            Err(why) => {
                stopped += 1;
                assert!(why.starts_with("unknown, for "), "{why}");
                assert!(
                    json["pfd_average"].is_null() && !json["stop"].is_null(),
                    "{json}"
                );
                assert!(
                    shown.contains("\nstopped ") && shown.contains(&why),
                    "{shown}"
                );
            }
        }
    }
    assert!(stopped > 3 && whole > 3, "{stopped} {whole}");
}
