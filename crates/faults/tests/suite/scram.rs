//! The models that come with SCRAM, by both programs in one run, where it is installed.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use meetjoin_faults::{Analysis, BigUint, ModelReader, Sets, State, find_sequences, tree_of};
use meetjoin_lattice::Budget;
use meetjoin_report::progress::Listener;

/// Where its package puts models.
const FOLDER: &str = "/usr/share/scram/input";

/// Each line: common causes or not, and the files of a model.
const MODELS: &[(bool, &[&str])] = &[
    (false, &["BSCU/BSCU.xml"]),
    (
        false,
        &["Baobab/baobab1.xml", "Baobab/baobab1-basic-events.xml"],
    ),
    (
        false,
        &["Baobab/baobab2-basic-events.xml", "Baobab/baobab2.xml"],
    ),
    (
        false,
        &["CEA9601/CEA9601.xml", "CEA9601/CEA9601-basic-events.xml"],
    ),
    (
        false,
        &["Chinese/chinese.xml", "Chinese/chinese-basic-events.xml"],
    ),
    (false, &["Chinese/high-prob.xml", "Chinese/chinese.xml"]),
    (false, &["Chinese/chinese.xml", "Chinese/mcs_prob.xml"]),
    (
        false,
        &["Chinese/chinese.xml", "Chinese/mixed_mcs_prob.xml"],
    ),
    (false, &["EventTrees/attack.xml"]),
    (
        false,
        &["EventTrees/attack.xml", "EventTrees/attack_alignment.xml"],
    ),
    (false, &["EventTrees/bcd.xml"]),
    (
        false,
        &[
            "EventTrees/gas_leak/gas_leak.xml",
            "EventTrees/gas_leak/gas_leak_reactive.xml",
        ],
    ),
    (false, &["EventTrees/gas_leak/gas_leak_reactive.xml"]),
    (false, &["HIPPS/HIPPS.xml"]),
    (false, &["Lift/lift.xml"]),
    (false, &["SmallTree/SmallTree.xml"]),
    (false, &["Theatre/theatre.xml"]),
    (false, &["ThreeMotor/three_motor.xml"]),
    (
        false,
        &["ThreeMotor/event_tree.xml", "ThreeMotor/three_motor.xml"],
    ),
    (false, &["TwoTrain/two_train.xml"]),
    (
        false,
        &["TwoTrain/event_tree.xml", "TwoTrain/two_train.xml"],
    ),
    (false, &["TwoTrain/common_cause.xml"]),
    (true, &["TwoTrain/common_cause.xml"]),
    (false, &["TwoTrain/substitutions.xml"]),
    (false, &["TwoTrain/nondeclarative_substitutions.xml"]),
    (false, &["TwoTrain/two_train_alignment.xml"]),
    (true, &["TwoTrain/two_train_alignment.xml"]),
    (
        true,
        &[
            "TwoTrain/event_tree.xml",
            "TwoTrain/two_train_alignment.xml",
        ],
    ),
    (false, &["ne574/ne574.xml"]),
];

/// The greatest order of sets that are counted: of one tree there are too many for SCRAM.
fn order(files: &[&str]) -> usize {
    if files[0].starts_with("CEA") { 4 } else { 20 }
}

/// Sets and probability by what they are of.
type Answers = BTreeMap<String, (Option<String>, Option<f64>)>;

/// An attribute of a line of a report.
fn attribute<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(&format!(" {key}=\""))?;
    Some(rest.split_once('"')?.0)
}

fn by_scram(common_causes: bool, files: &[&str], more: &[&str]) -> Option<(Answers, String)> {
    let limit = &order(files).to_string();
    let ran = Command::new("scram")
        .args(["--no-indent", "--probability", "1", "--limit-order", limit])
        .args(["--ccf", if common_causes { "1" } else { "0" }])
        .args(more)
        .args(files.iter().map(|file| Path::new(FOLDER).join(file)))
        .output()
        .ok()?;
    let report = String::from_utf8_lossy(&ran.stdout).replace('>', ">\n");
    let mut answers = Answers::new();
    let (mut initiating, mut state) = (String::new(), String::new());
    for line in report.lines().map(str::trim) {
        let of = |key: &str| attribute(line, key).unwrap_or_default().to_owned();
        if line.starts_with("<initiating-event ") {
            (initiating, state) = (of("name"), of("alignment") + &of("phase"));
        } else if line.starts_with("<sequence ") {
            let key = format!("{initiating}/{state}/{}", of("name"));
            answers.entry(key).or_default().1 = of("value").parse().ok();
        } else if line.starts_with("<sum-of-products ") {
            let key = format!(
                "{}/{}{}/{}",
                of("initiating-event"),
                of("alignment"),
                of("phase"),
                of("name")
            );
            let entry = answers.entry(key).or_default();
            entry.0 = Some(of("products"));
            entry.1 = entry.1.or(of("probability").parse().ok());
        }
    }
    Some((answers, String::from_utf8_lossy(&ran.stderr).into_owned()))
}

fn by_meetjoin(common_causes: bool, files: &[&str], tops: impl Iterator<Item = String>) -> Answers {
    let mut reader = ModelReader::new();
    for file in files {
        let text = std::fs::read(Path::new(FOLDER).join(file)).expect("it is there");
        reader
            .read(&*text)
            .unwrap_or_else(|wrong| panic!("{file}: {wrong}"));
    }
    let mut model = reader
        .finish(None)
        .unwrap_or_else(|wrong| panic!("{files:?}: {wrong}"));
    if common_causes {
        model = model.with_common_causes().expect("they are few");
    }
    let budget = Budget::unlimited();
    let mut answers = Answers::new();
    if model.has_sequences() {
        let found =
            find_sequences(&model, 8760.0, false, &budget, Listener::NONE).expect("sequences");
        for sequence in found.sequences {
            let state =
                sequence.alignment.unwrap_or_default() + &sequence.phase.unwrap_or_default();
            let key = format!("{}/{state}/{}", sequence.initiating_event, sequence.name);
            answers.insert(key, (sequence.count, sequence.probability));
        }
    }
    let mut states = vec![(String::new(), State::default())];
    if !model.phases().is_empty() {
        let phases = model.phases().into_iter();
        states = phases
            .map(|p| (format!("{}{}", p.alignment, p.name), p.state(8760.0)))
            .collect();
    }
    for top in tops {
        for (name, state) in &states {
            let tree = tree_of(&model, Some(&top), state, Sets::Cuts, &budget).expect("a tree");
            let analysis = Analysis::of(&tree, Sets::Cuts, &budget);
            let by_order = analysis.by_order(&budget).expect("no limit");
            let count: BigUint = by_order.iter().take(order(files) + 1).sum();
            let events: Option<Vec<f64>> = tree.events().iter().map(|e| e.probability).collect();
            let p =
                events.map(|events| analysis.probability(&events, &budget).expect("no limit").0);
            answers.insert(format!("/{name}/{top}"), (Some(count.to_string()), p));
        }
    }
    answers
}

#[test]
fn all_models_by_both() {
    if Command::new("scram").arg("--version").output().is_err() {
        eprintln!("SCRAM is not installed: nothing is compared");
        return;
    }
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for &(common_causes, files) in MODELS {
        let exchanged = files[0].contains("nondeclarative");
        // Exact, but where SCRAM cannot be.
        let method: &[&str] = if exchanged { &["--mcub"] } else { &["--bdd"] };
        let Some((theirs, said)) = by_scram(common_causes, files, method) else {
            continue;
        };
        let tops = theirs.keys().filter_map(|key| {
            let mut parts = key.split('/');
            (parts.next() == Some("")).then(|| parts.nth(1).unwrap_or_default().to_owned())
        });
        let tops: std::collections::BTreeSet<String> = tops.collect();
        let ours = by_meetjoin(common_causes, files, tops.into_iter());
        let (names, ccf) = (files.join(" "), if common_causes { " --ccf" } else { "" });
        if theirs.is_empty() {
            wrong.push(format!("{names}: SCRAM says nothing: {said}"));
        }
        for (key, (count, p)) in &theirs {
            let our = ours.get(key).cloned().unwrap_or_default();
            let shown = |p: Option<f64>| p.map_or("-".to_owned(), |p| format!("{p:.6}"));
            let show = |c: &Option<String>| c.clone().unwrap_or("-".to_owned());
            eprintln!(
                "| {names}{ccf} | {key} | {} | {} | {} | {} |",
                show(count),
                show(&our.0),
                shown(*p),
                shown(our.1)
            );
            compared += 1;
            // Reports have six digits.
            let same = match (p, our.1) {
                (Some(p), Some(our)) => (p - our).abs() <= 6e-6 * p.abs() || exchanged,
                (None, _) => true,
                _ => false,
            };
            if !same || (count.is_some() && *count != our.0) {
                wrong.push(format!("{names}{ccf} {key}: {count:?} {p:?} and {our:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 60, "{compared}");
}
