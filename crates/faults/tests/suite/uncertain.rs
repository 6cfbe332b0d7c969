//! Trials against moments that are known, P(top) over time, and safety integrity levels.

use meetjoin_faults::answer::uncertainty::Uncertainty;
use meetjoin_faults::{
    Asked, CutsError, CutsRequest, ModelReader, Sets, State, find_in_model, tree_of,
};
use meetjoin_lattice::Budget;

use crate::pages::request;

type Besides = meetjoin_faults::answer::Besides;

fn asked(text: &str, time: f64, asked: Asked) -> Result<Besides, CutsError> {
    let mut reader = ModelReader::new();
    reader.read(text.as_bytes()).expect("it is read");
    let model = reader.finish(None).expect("a model");
    let (state, budget) = (State::at(time), Budget::unlimited());
    let tree = tree_of(&model, None, &state, Sets::Cuts, &budget)?;
    let request = request(&budget, Sets::Cuts);
    Ok(
        find_in_model((&model, None, &state), &tree, request, asked)?
            .besides()
            .clone(),
    )
}

fn of(gate: &str, events: &[(&str, &str)], more: &str) -> String {
    let event = |(name, is): &(&str, &str)| {
        format!("<define-basic-event name=\"{name}\">{is}</define-basic-event>")
    };
    let events: String = events.iter().map(event).collect();
    format!(
        "<opsa-mef><define-fault-tree name=\"t\"><define-gate name=\"top\">{gate}</define-gate></define-fault-tree><model-data>{events}{more}</model-data></opsa-mef>"
    )
}

fn trials(text: &str, trials: usize, seed: u64) -> Uncertainty {
    let uncertainty = Some((trials, seed));
    let besides = asked(
        text,
        100.0,
        Asked {
            uncertainty,
            ..Asked::default()
        },
    );
    besides.expect("trials").uncertainty.expect("asked for")
}

const A: &str = "<event name=\"a\"/>";

/// Numbers within an element.
fn deviate(word: &str, numbers: &[f64]) -> String {
    let numbers: String = numbers
        .iter()
        .map(|n| format!("<float value=\"{n}\"/>"))
        .collect();
    format!("<{word}>{numbers}</{word}>")
}

#[test]
fn deviates_have_their_moments() {
    let histogram = "<histogram><float value=\"0.1\"/><bin><float value=\"0.2\"/><float value=\"3\"/></bin><bin><float value=\"0.9\"/><float value=\"1\"/></bin></histogram>";
    let z = 1.644_853_626_951_472_2_f64;
    let sigma = 3_f64.ln() / z;
    for (is, mean, variance) in [
        (deviate("uniform-deviate", &[0.2, 0.6]), 0.4, 0.16 / 12.0),
        (deviate("normal-deviate", &[0.5, 0.05]), 0.5, 0.0025),
        (
            deviate("lognormal-deviate", &[0.001, 3.0, 0.95]),
            0.001,
            1e-6 * ((sigma * sigma).exp() - 1.0),
        ),
        (
            deviate("lognormal-deviate", &[-7.0, 0.5]),
            (-7.0 + 0.125_f64).exp(),
            ((0.25_f64).exp() - 1.0) * (-14.0 + 0.25_f64).exp(),
        ),
        (deviate("gamma-deviate", &[3.0, 0.01]), 0.03, 3e-4),
        (
            deviate("beta-deviate", &[2.0, 6.0]),
            0.25,
            12.0 / (64.0 * 9.0),
        ),
        (
            histogram.to_owned(),
            0.75 * 0.15 + 0.25 * 0.55,
            0.75 * (0.15_f64.powi(2) + 0.01 / 12.0) + 0.25 * (0.55_f64.powi(2) + 0.49 / 12.0)
                - (0.75 * 0.15 + 0.25 * 0.55_f64).powi(2),
        ),
    ] {
        let text = of(A, &[("a", &is)], "");
        let found = trials(&text, 200_000, 7);
        let error = (variance / 200_000.0_f64).sqrt();
        assert!((found.mean - mean).abs() < 5.0 * error, "{is}: {found:?}");
        assert!(
            (found.standard_deviation / variance.sqrt() - 1.0).abs() < 0.03,
            "{is}: {found:?}"
        );
        assert!(found.interval[0] < found.mean && found.mean < found.interval[1]);
        let shares: f64 = found.histogram.iter().map(|bin| bin[2]).sum();
        assert!((shares - 1.0).abs() < 1e-9);
        assert!(
            found
                .quantiles
                .is_sorted_by(|a, b| a[0] < b[0] && a[1] <= b[1])
        );
        // The point value is the mean.
        let mut reader = ModelReader::new();
        reader.read(text.as_bytes()).expect("it is read");
        let tree = reader
            .finish(None)
            .expect("a model")
            .tree(None, &State::default());
        let p = tree.expect("a tree").events()[0]
            .probability
            .expect("known");
        assert!((p - mean).abs() < 1e-12, "{is}: {p} {mean}");
    }
}

/// Events of one parameter fail with one rate: E(x^2) and not E(x)^2.
#[test]
fn a_parameter_is_drawn_once() {
    let parameter = "<parameter name=\"p\"/>";
    let more = format!(
        "<define-parameter name=\"p\">{}</define-parameter>",
        deviate("uniform-deviate", &[0.0, 1.0])
    );
    let and = "<and><event name=\"a\"/><event name=\"b\"/></and>";
    let text = of(and, &[("a", parameter), ("b", parameter)], &more);
    let found = trials(&text, 100_000, 1);
    assert!((found.mean - 1.0 / 3.0).abs() < 0.005, "{found:?}");
    // And a quantile of x^2 is the square of that of x.
    assert!((found.quantiles[9][1] - 0.25).abs() < 0.01);
    // The same seed, the same numbers; another, others.
    assert_eq!(found, trials(&text, 100_000, 1));
    assert_ne!(found, trials(&text, 100_000, 2));
}

#[test]
fn what_is_certain_stays_as_it_is() {
    let found = trials(&of(A, &[("a", "<float value=\"0.3\"/>")], ""), 1000, 3);
    assert_eq!(
        (found.mean, found.standard_deviation, found.error_factor),
        (0.3, 0.0, 1.0)
    );
}

#[test]
fn no_probability_in_a_trial_is_told() {
    let text = of(A, &[("a", &deviate("normal-deviate", &[0.9, 0.1]))], "");
    let uncertainty = Some((1000, 0));
    let wrong = asked(
        &text,
        1.0,
        Asked {
            uncertainty,
            ..Asked::default()
        },
    )
    .expect_err("above 1");
    let said = wrong.to_string();
    assert!(
        said.starts_with("in trial ")
            && said.contains("of \"a\" does not lie in 0..1 (line 1 column"),
        "{said}"
    );
}

#[test]
fn what_is_said_of_the_top_is_not_asked_of_paths() {
    let mut reader = ModelReader::new();
    let text: &[u8] = b"top = or a b\na = 0.1\nb = 0.2\n";
    reader.read(text).expect("it is read");
    let model = reader.finish(None).expect("a model");
    let (state, budget) = (State::default(), Budget::unlimited());
    let tree = tree_of(&model, None, &state, Sets::Paths, &budget).expect("a tree");
    let found = |importance: bool, asked: Asked| {
        let request = CutsRequest {
            importance,
            ..request(&budget, Sets::Paths)
        };
        find_in_model((&model, None, &state), &tree, request, asked)
    };
    let over_time = Asked {
        time_step: Some(1000.0),
        ..Asked::default()
    };
    let uncertain = Asked {
        uncertainty: Some((10, 0)),
        ..Asked::default()
    };
    for (importance, asked) in [
        (true, Asked::default()),
        (false, over_time),
        (false, uncertain),
    ] {
        let refused = found(importance, asked);
        assert!(matches!(refused, Err(CutsError::OfPaths)), "{asked:?}");
    }
    let found = found(false, Asked::default()).expect("path sets");
    let (lower, upper) = found.probability().expect("it is known");
    assert!(
        lower <= 0.28 + 1e-12 && 0.28 - 1e-12 <= upper,
        "{lower} {upper}"
    );
}

#[test]
fn curves_and_levels() {
    let exponential = "<exponential><float value=\"0.001\"/><system-mission-time/></exponential>";
    let text = of(A, &[("a", exponential)], "");
    let ask = Asked {
        time_step: Some(0.25),
        sil: true,
        ..Asked::default()
    };
    let besides = asked(&text, 100.0, ask).expect("a curve");
    let curve = besides.curve.expect("asked for");
    assert_eq!(curve.len(), 401);
    for [time, p] in &curve {
        assert!(
            (p - (1.0 - (-0.001 * time).exp())).abs() < 1e-15,
            "{time} {p}"
        );
    }
    let sil = besides.sil.expect("asked for");
    let average = 1.0 - (1.0 - (-0.1_f64).exp()) / 0.1;
    assert!((sil.pfd_average / average - 1.0).abs() < 1e-6, "{sil:?}");
    // P passes 0.01 after 10.05 of 100 hours, and never reaches 0.1.
    assert!((sil.pfd[4].share - (1.0 - 0.1005)).abs() < 1e-3, "{sil:?}");
    let sum: f64 = sil.pfd.iter().map(|level| level.share).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sil:?}");
    // The rate by the hour is a little below 0.001.
    assert!(sil.pfh[5].share > 0.99, "{sil:?}");
    for step in [0.0, -1.0, f64::NAN, 1e-9] {
        let ask = Asked {
            time_step: Some(step),
            ..Asked::default()
        };
        assert_eq!(asked(&text, 100.0, ask), Err(CutsError::NoStep));
    }
    let late = of(
        A,
        &[(
            "a",
            "<sub><float value=\"1\"/><mul><float value=\"0.1\"/><system-mission-time/></mul></sub>",
        )],
        "",
    );
    let ask = Asked {
        time_step: Some(4.0),
        ..Asked::default()
    };
    let said = asked(&late, 10.0, ask);
    assert!(said.is_ok(), "{said:?}");
    let late = late.replace("0.1", "0.3");
    let said = asked(
        &late,
        3.0,
        Asked {
            time_step: Some(1.0),
            ..Asked::default()
        },
    );
    assert!(said.is_ok(), "{said:?}");
}
