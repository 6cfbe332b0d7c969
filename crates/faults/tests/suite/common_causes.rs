//! Common causes by all four models against formulas of the literature, written down once more:
//! NUREG/CR-4780 (Mosleh and others, 1988), appendix C, and NUREG/CR-5485 (Mosleh, Rasmuson and
//! Marshall, 1998), table 5-2, for tests that are not staggered; phi factors are those of the
//! Model Exchange Format (Epstein and Rauzy, 2008), section IV.1.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::models::{model, near, probability};

/// The probability of a common event of `k` of `n` given members, by the names of the literature.
fn q(split: &str, n: u32, k: u32, total: f64, f: &[f64]) -> f64 {
    let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
    let choose = |n: u32, k: u32| factorial(n) / factorial(k) / factorial(n - k);
    let at = |place: u32| f.get(place as usize).copied().unwrap_or(0.0);
    match split {
        "beta-factor" if k == 1 => (1.0 - f[0]) * total,
        "beta-factor" if k == n => f[0] * total,
        "beta-factor" => 0.0,
        // rho(1) = 1, rho(2) = beta, rho(3) = gamma, .., rho(n + 1) = 0.
        "MGL" => {
            let rho = |i: u32| if i == 1 { 1.0 } else { at(i - 2) };
            let product: f64 = (1..=k).map(rho).product();
            product * (1.0 - rho(k + 1)) * total / choose(n - 1, k - 1)
        }
        "alpha-factor" => {
            let sum: f64 = (1..=n).map(|i| f64::from(i) * at(i - 1)).sum();
            f64::from(k) / choose(n - 1, k - 1) * at(k - 1) / sum * total
        }
        _ => at(k - 1) * total,
    }
}

#[test]
fn four_models_by_enumeration() {
    for (split, seed) in ["beta-factor", "MGL", "alpha-factor", "phi-factor"]
        .into_iter()
        .flat_map(|split| (0..250).map(move |seed| (split, seed)))
    {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let n: u32 = random.random_range(2..4);
        let total = f64::from(random.random_range(1..30)) / 100.0;
        let levels = match split {
            "beta-factor" => 1,
            "MGL" => random.random_range(1..n),
            _ => random.random_range(1..=n),
        };
        let mut factors: Vec<f64> = (0..levels)
            .map(|_| f64::from(random.random_range(1..90)) / 100.0)
            .collect();
        if matches!(split, "alpha-factor" | "phi-factor") {
            let sum: f64 = factors.iter().sum();
            for factor in &mut factors {
                *factor /= sum;
            }
        }
        let first = match split {
            "beta-factor" => n,
            "MGL" => 2,
            _ => 1,
        };
        let k = random.random_range(1..=n);
        let member = |m: u32| format!("<basic-event name=\"m{m}\"/>");
        let members: String = (0..n).map(member).collect();
        let written: String = (first..)
            .zip(&factors)
            .map(|(level, factor)| {
                format!("<factor level=\"{level}\"><float value=\"{factor}\"/></factor>")
            })
            .collect();
        let text = format!(
            "<opsa-mef><define-fault-tree name=\"t\"><define-gate name=\"top\"><atleast min=\"{k}\">{members}</atleast></define-gate></define-fault-tree>\
             <define-CCF-group name=\"g\" model=\"{split}\"><members>{members}</members><distribution><float value=\"{total}\"/></distribution><factors>{written}</factors></define-CCF-group></opsa-mef>"
        );
        let read =
            model(std::slice::from_ref(&text)).unwrap_or_else(|wrong| panic!("{wrong}: {text}"));
        // Without common causes members fail each for itself.
        let alone: f64 = (0..1_u32 << n)
            .filter(|state| state.count_ones() >= k)
            .map(|state| crate::plain::weight(state, &vec![total; n as usize]))
            .sum();
        assert!(
            near(probability(&read, "top").expect("a number"), alone),
            "{text}"
        );
        // With them, all sets of common events.
        let events: Vec<u32> = (1..1_u32 << n).collect();
        let p: Vec<f64> = events
            .iter()
            .map(|set| q(split, n, set.count_ones(), total, &factors))
            .collect();
        let failed = |state: u32| {
            let hit = events
                .iter()
                .enumerate()
                .filter(|(place, _)| state >> place & 1 == 1);
            hit.fold(0, |all, (_, set)| all | set).count_ones()
        };
        let sum: f64 = (0..1_u32 << events.len())
            .filter(|&state| failed(state) >= k)
            .map(|state| crate::plain::weight(state, &p))
            .sum();
        let found = read.with_common_causes().expect("they are few");
        let found = probability(&found, "top").unwrap_or_else(|wrong| panic!("{wrong}: {text}"));
        assert!(near(found, sum), "{found} and {sum}: {text}");
    }
}

/// A member is an event: it is no top, even if no gate has it.
#[test]
fn a_member_is_no_top() {
    let text = r#"<opsa-mef><define-fault-tree name="f"><define-gate name="top"><or><basic-event name="a"/><basic-event name="x"/></or></define-gate>
<define-CCF-group name="g" model="beta-factor"><members><basic-event name="a"/><basic-event name="b"/></members><distribution><float value="0.1"/></distribution><factor level="2"><float value="0.2"/></factor></define-CCF-group></define-fault-tree>
<model-data><define-basic-event name="x"><float value="0.1"/></define-basic-event></model-data></opsa-mef>"#;
    let read = model(&[text.to_owned()]).expect("it is read");
    let read = read.with_common_causes().expect("they are few");
    let tree = read
        .tree(None, &meetjoin_faults::State::default())
        .expect("one top");
    let same = read.tree(Some("top"), &meetjoin_faults::State::default());
    assert_eq!(Ok(tree), same);
    let found = probability(&read, "top").expect("a number");
    // Of a by itself, a and b, and x: one less none of them.
    let none = (1.0 - 0.08) * (1.0 - 0.02) * 0.9;
    assert!(near(found, 1.0 - none), "{found}");
    // It is what can be asked for, by its name.
    assert!(near(probability(&read, "b").expect("b"), 1.0 - 0.92 * 0.98));
    let bare = text.replace("define-gate", "define-house-event");
    let bare = bare.replace(
        r#"<or><basic-event name="a"/><basic-event name="x"/></or>"#,
        "",
    );
    let read = model(&[bare]).expect("it is read").with_common_causes();
    let said = read
        .expect("few")
        .tree(None, &meetjoin_faults::State::default());
    assert_eq!(said.expect_err("no gate").to_string(), "there is no gate");
}

/// A substitution exchanges events, and with common causes a member is several.
#[test]
fn members_are_not_exchanged() {
    let text = |source: &str, target: &str| {
        format!(
            r#"<opsa-mef><define-fault-tree name="f"><define-gate name="top"><and><basic-event name="a"/><basic-event name="b"/><basic-event name="x"/></and></define-gate>
<define-CCF-group name="g" model="beta-factor"><members><basic-event name="a"/><basic-event name="b"/></members><distribution><float value="0.1"/></distribution><factor level="2"><float value="0.2"/></factor></define-CCF-group></define-fault-tree>
<define-substitution name="s"><hypothesis><basic-event name="a"/></hypothesis><source><basic-event name="{source}"/></source><target><basic-event name="{target}"/></target></define-substitution>
<model-data><define-basic-event name="x"><float value="0.1"/></define-basic-event><define-basic-event name="y"><float value="0.1"/></define-basic-event></model-data></opsa-mef>"#
        )
    };
    for (source, target, member) in [("b", "y", "b"), ("x", "b", "b")] {
        let read = model(&[text(source, target)]).expect("it is read");
        let said = read
            .with_common_causes()
            .expect_err("no member")
            .to_string();
        let expected =
            format!("the substitution \"s\" exchanges \"{member}\", which is several events");
        assert!(
            said.starts_with(&expected) && said.contains("(line 3 "),
            "{said}"
        );
    }
    let read = model(&[text("x", "y")]).expect("it is read");
    assert!(read.with_common_causes().is_ok());
}
