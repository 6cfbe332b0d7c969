//! An experiment from the runs to the report, on games that take no time.

use std::sync::atomic::Ordering;
use std::time::Duration;

use meetjoin_games::{Racing, RandomParameters};
use meetjoin_lattice::{Budget, Stop};
use meetjoin_search::Counts;

use crate::measuring::instance::{self, Instance, SetLattice, Solved};
use crate::measuring::measure::RunLimits;
use crate::panels::lineup::{CACHES, DOMINANCE, Lineup, PROOFS_OF_SETS, RULES, THRESHOLDS};
use crate::panels::panel::{BY_NUMBER, GRID, PANELS, Panel};
use crate::panels::row::{self, Row};
use crate::panels::schedule::{Plan, mismatches};
use crate::panels::survey::SURVEYS;
use crate::reporting::plot;
use crate::reporting::report::{self, Contents};

/// A row of panel p, value 1, seed 1.
pub(crate) fn row(algorithm: &str, seconds: Option<f64>, stop: Option<&str>) -> Row {
    Row {
        panel: "p".to_owned(),
        parameter: "x".to_owned(),
        value: 1,
        algorithm: algorithm.to_owned(),
        seed: 1,
        seconds,
        nodes: None,
        visits: None,
        probes: None,
        relaxed_visits: None,
        leaves: None,
        peak_bytes: None,
        stop: stop.map(str::to_owned),
        digest: None,
    }
}

const fn panel(
    id: &'static str,
    values: &'static [u32],
    instance: fn(u32, u64) -> Result<Box<dyn Instance>, String>,
) -> Panel {
    Panel {
        id,
        title: "small <games>",
        cell: Some(("small", "lattice")),
        parameter: "x",
        values,
        quick: values,
        instance,
        ..BY_NUMBER
    }
}

fn random(branching: u32, seed: u64, lattice: SetLattice) -> Result<Box<dyn Instance>, String> {
    let parameters = RandomParameters {
        depth: 6,
        branching,
        variables: 6,
        alternating: false,
        seed,
    };
    instance::random(parameters, lattice)
}

fn racing(seed: u64, lattice: SetLattice) -> Result<Box<dyn Instance>, String> {
    let game = Racing::random(10, 2, 3, seed).map_err(|error| error.to_string())?;
    Ok(instance::deal(game, lattice))
}

const SETS_PANEL: Panel = panel("sets", &[2, 3], |b, seed| {
    random(b, seed, SetLattice::Powerset)
});
const FAMILIES_PANEL: Panel = panel("families", &[2, 3], |b, seed| {
    random(b, seed, SetLattice::Families)
});
const HANDS_PANEL: Panel = panel("hands", &[1], |_, seed| racing(seed, SetLattice::Powerset));
const STRATEGIES_PANEL: Panel = panel("strategies", &[1], |_, seed| {
    racing(seed, SetLattice::Families)
});

static SETS: Panel = SETS_PANEL;
static FAMILIES: Panel = FAMILIES_PANEL;
static HANDS: Panel = HANDS_PANEL;
static STRATEGIES: Panel = STRATEGIES_PANEL;

fn plan(panels: &[&'static Panel], seeds: u64) -> Plan {
    Plan {
        panels: panels
            .iter()
            .map(|panel| (*panel, panel.values.to_vec()))
            .collect(),
        surveys: Vec::new(),
        seeds,
        limits: RunLimits::ample(),
    }
}

fn run(plan: &Plan) -> Vec<Row> {
    let mut rows = Vec::new();
    plan.run(&mut rows, |_| Ok(())).expect("nothing fails");
    rows
}

#[test]
fn an_experiment_from_runs_to_report() {
    let plan = plan(&[&SETS, &FAMILIES, &HANDS, &STRATEGIES], 2);
    let rows = run(&plan);
    assert_eq!((rows.len(), rows.len()), (60, plan.runs()));
    for row in &rows {
        let (nodes, visits) = (row.nodes.expect("counted"), row.visits.expect("counted"));
        assert!(row.ended() && 0 < nodes && nodes <= visits, "{row:?}");
        assert!(row.seconds > Some(0.0), "{row:?}");
    }
    // The allocator counts for all threads, so another test may hide what a run took; it cannot
    // hide most of them.
    let with_memory = rows.iter().filter(|row| row.peak_bytes > Some(0));
    assert!(2 * with_memory.count() > rows.len());
    assert_eq!(mismatches(&rows), Vec::<String>::new());
    let text = row::json(&rows).expect("rows are plain data");
    assert_eq!(row::from_json(&text), Ok(rows.clone()));
    let csv = row::csv(&rows);
    let commas = |line: &str| line.matches(',').count();
    assert!(csv.lines().count() == 61 && csv.lines().all(|line| commas(line) == 13));

    let contents = Contents {
        facts: vec![("Machine", "this one".to_owned())],
        panels: &plan.panels,
        rows: &rows,
        surveys: &[],
        planned: plan.runs() + 1,
        time_limit: 60.0,
        old: Some(("old.json".to_owned(), rows.clone())),
    };
    let report = report::report(&contents).expect("it can be drawn");
    assert!(report.html.contains("60 of 61 runs") && report.html.contains("small &lt;games&gt;"));
    for outside in ["src=", "@import", "url("] {
        assert!(!report.html.contains(outside), "the page needs {outside}");
    }
    for link in report.html.split(" href=\"").skip(1) {
        let to = link.split('"').next().unwrap_or_default();
        let id = to.strip_prefix('#').expect("links stay in the page");
        assert!(report.html.contains(&format!(" id=\"{id}\"")), "{to}");
    }
    for (file, svg) in &report.pictures {
        assert!(report.markdown.contains(&format!("({file})")), "{file}");
        assert!(report.html.contains(svg), "{file}");
        drawn_for_all(file, svg);
    }
    assert!(
        report
            .html
            .contains("<title>meetjoin: the experiments</title>")
    );
    assert!(report.html.contains("prefers-color-scheme: dark"));
    assert!(!report.html.contains("1000 ms"), "that is a second");
    // Time, visits, nodes, leaves and memory of four panels; probes, where there are any.
    assert!(report.pictures.len() >= 20);
    assert!(report.brief.contains("What moved") && report.brief.contains("| 1.00 | 1.00 |"));
    // At the head what most look for first, then panel by panel, each with its note.
    let order = [
        "[strategies](#panel-strategies)",
        "](sets-small.svg)",
        "## What moved",
        "## The order of visits",
        "## This run",
        "## Panel sets",
        "AB is alpha-beta",
        "## Panel families",
        "AB is alpha-beta",
    ];
    let mut rest = &*report.markdown;
    for part in order {
        let (_, after) = rest
            .split_once(part)
            .unwrap_or_else(|| panic!("no {part} here"));
        rest = after;
    }
}

/// A plot is as narrow as it can be read on a telephone, has colours for day and night, and, where
/// it has words at all, a name and a mark for each algorithm and for nothing else.
fn drawn_for_all(file: &str, svg: &str) {
    let width = svg
        .split("width=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let width: u32 = width.and_then(|width| width.parse().ok()).expect("a width");
    assert!(
        width <= 600 && svg.contains("prefers-color-scheme: dark"),
        "{file}: {width}"
    );
    if file.ends_with("-small.svg") {
        return;
    }
    // One is drawn in the colour of words, and it alone with discs.
    let signs = [
        "\"#E69F00\"",
        "\"#009E73\"",
        "\"#56B4E9\"",
        "\"#CC3C1E\"",
        "<circle",
        "\"#CC79A7\"",
    ];
    let drawn = signs.map(|sign| svg.contains(sign));
    let names = CACHES.algorithms.iter().map(|(_, name)| *name);
    let named = names
        .filter(|name| svg.contains(&format!("\n{name}\n")))
        .count();
    assert_eq!(named, CACHES.algorithms.len(), "{file}");
    assert_eq!(
        drawn,
        [0, 1, 2, 3, 4, 5].map(|place| place < named),
        "{file}"
    );
}

/// The digests of what `meetjoin random` and `meetjoin racing` answer with `--json`, taken with
/// other programs.
#[test]
fn digests_are_those_of_the_command_line() {
    let rows = run(&plan(&[&SETS, &FAMILIES, &HANDS, &STRATEGIES], 2));
    let expect = |panel: &str, value: u32, seed: u64, digest: &str| {
        let mine = rows
            .iter()
            .filter(|r| (&*r.panel, r.value, r.seed) == (panel, value, seed));
        let digests: Vec<_> = mine.map(|row| row.digest.as_deref()).collect();
        assert_eq!(digests, [Some(digest); 5], "{panel}, seed {seed}");
    };
    expect("sets", 3, 1, "17ec0c346922df8a");
    expect("sets", 3, 2, "ad5bcb279bddf86c");
    expect("families", 3, 1, "206d2100784493f4");
    expect("families", 3, 2, "85071c20f79169b5");
    expect("hands", 1, 1, "5d7cc7cd034a7c25");
    expect("hands", 1, 2, "2b0138a6595a6291");
    expect("strategies", 1, 1, "061a90903f966fcc");
    expect("strategies", 1, 2, "d486c57a56bfec83");
}

/// The same digests by claims: for each world of a set, and for sets of a family.
#[test]
fn values_by_claims_are_the_same() {
    static CLAIMS: [Panel; 4] = [
        Panel {
            lineup: &PROOFS_OF_SETS,
            ..SETS_PANEL
        },
        Panel {
            lineup: &PROOFS_OF_SETS,
            ..HANDS_PANEL
        },
        Panel {
            lineup: &THRESHOLDS,
            ..FAMILIES_PANEL
        },
        Panel {
            lineup: &THRESHOLDS,
            ..STRATEGIES_PANEL
        },
    ];
    let panels: Vec<&'static Panel> = CLAIMS.iter().collect();
    let plan = plan(&panels, 2);
    let rows = run(&plan);
    assert_eq!(rows.len(), plan.runs());
    assert!(rows.iter().all(|row| row.ended() && row.digest.is_some()));
    assert_eq!(mismatches(&rows), Vec::<String>::new());
    let digest = |panel: &str, value: u32| {
        let row = rows
            .iter()
            .find(|row| (&*row.panel, row.value, row.seed) == (panel, value, 1));
        row.and_then(|row| row.digest.as_deref())
    };
    assert_eq!(digest("sets", 3), Some("17ec0c346922df8a"));
    assert_eq!(digest("families", 3), Some("206d2100784493f4"));
    assert_eq!(digest("hands", 1), Some("5d7cc7cd034a7c25"));
    assert_eq!(digest("strategies", 1), Some("061a90903f966fcc"));
}

#[test]
fn proofs_find_the_values_of_uniform_trees() {
    let plan = Plan {
        panels: vec![(named("proofs-uniform"), vec![5, 6])],
        ..plan(&[], 1)
    };
    let rows = run(&plan);
    assert_eq!(rows.len(), plan.runs());
    assert!(rows.iter().all(|row| row.ended() && row.digest.is_some()));
    assert_eq!(mismatches(&rows), Vec::<String>::new());
}

/// An instance that alpha-beta cannot solve in time, and whose value depends on the algorithm. With
/// seed 3 it can, so that two of three runs are stopped.
struct Strange {
    seed: u64,
}

impl Instance for Strange {
    fn solve(&self, algorithm: &str, _: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let stop = (algorithm == "alpha-beta" && self.seed != 3).then_some(Stop::Time);
        let value = format!("\"{}\"", algorithm.contains("duo"));
        Ok(Solved {
            seconds: 1.0,
            counts: Counts::default(),
            nodes: count_nodes.then_some(1),
            peak_bytes: 1,
            stop,
            value: stop.is_none().then_some(value),
        })
    }
}

static STRANGE: Panel = panel("strange", &[1, 2, 3], |_, seed| {
    Ok(Box::new(Strange { seed }))
});

#[test]
fn harder_points_are_skipped_after_two_stops() {
    let stops = |seeds| -> Vec<Option<String>> {
        let rows = run(&plan(&[&STRANGE], seeds));
        let stopped = rows.into_iter().filter(|row| row.algorithm == "alpha-beta");
        stopped.map(|row| row.stop).collect()
    };
    let (time, skipped) = (Some("time".to_owned()), Some("skipped".to_owned()));
    assert_eq!(stops(1), vec![time.clone(); 3], "one stop a point");
    let expected = [vec![time.clone(); 2], vec![skipped.clone(); 4]].concat();
    assert_eq!(stops(2), expected, "two stops");
    let expected = [vec![time.clone(), time, None], vec![skipped; 6]].concat();
    assert_eq!(stops(3), expected, "the point itself is completed");
}

#[test]
fn different_values_are_found_out() {
    let found = mismatches(&run(&plan(&[&STRANGE], 1)));
    assert_eq!(found.len(), 6, "two algorithms at three points: {found:?}");
    assert!(
        found[0].contains("panel strange, x = 1, seed 1"),
        "{found:?}"
    );
    assert!(
        found[0].contains("alpha-beta-cached and alpha-beta-duo-published"),
        "{found:?}"
    );
}

#[test]
fn a_cancelled_experiment_keeps_what_is_done() {
    let plan = plan(&[&SETS], 2);
    let (mut rows, mut kept) = (Vec::new(), Vec::new());
    let ran = plan.run(&mut rows, |rows| {
        plan.limits.cancel.store(true, Ordering::Relaxed);
        kept.push(rows.len());
        Ok(())
    });
    assert_eq!(ran, Ok(()));
    assert_eq!(kept, [10], "after the first point");
    assert_eq!(rows.len(), 2 * CACHES.algorithms.len());
}

/// An instance whose first run meets the limit when its bounds have met already: exact, and with
/// the counters of an interrupted search.
struct ExactWhenStopped;

impl Instance for ExactWhenStopped {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let solved = Strange { seed: 3 }.solve(algorithm, budget, count_nodes)?;
        let counts = Counts {
            visits: if count_nodes { 100 } else { 99 },
            ..solved.counts
        };
        let stop = (!count_nodes).then_some(Stop::Time);
        Ok(Solved {
            counts,
            stop,
            ..solved
        })
    }
}

static EXACT: Panel = panel("exact", &[1], |_, _| Ok(Box::new(ExactWhenStopped)));

#[test]
fn a_stopped_run_with_an_exact_answer_is_a_stopped_run() {
    let rows = run(&plan(&[&EXACT], 1));
    assert_eq!(rows.len(), CACHES.algorithms.len());
    for row in rows {
        assert_eq!(row.stop.as_deref(), Some("time"));
        assert!(row.digest.is_some() && row.nodes.is_none(), "{row:?}");
    }
}

/// Where the limit falls does not matter: there is a row for each run, and no talk of
/// non-determinism.
#[test]
fn any_limit_is_survived() {
    for micros in [1, 10, 30, 100, 300, 1000] {
        let mut plan = plan(&[&SETS, &FAMILIES], 2);
        plan.limits.time = Duration::from_micros(micros);
        assert_eq!(run(&plan).len(), plan.runs());
    }
}

#[test]
fn line_ups_name_what_they_have() {
    for panel in PANELS.iter().chain([&GRID]) {
        let Lineup {
            algorithms,
            yardstick,
            ours,
            main,
            measures,
            ..
        } = panel.lineup;
        assert!(algorithms.len() <= plot::MOST, "{}", panel.id);
        let has = |id: &str| algorithms.iter().any(|(known, _)| *known == id);
        assert!(
            yardstick.iter().all(|id| has(id)) && has(ours),
            "{}",
            panel.id
        );
        assert!(main.iter().all(|measure| measures.contains(measure)));
        assert!(panel.kinds.is_empty() || panel.kinds.len() == panel.values.len());
    }
    let published = PANELS.iter().filter(|panel| panel.cell.is_some());
    let ids: Vec<&str> = published.map(|panel| panel.id).collect();
    assert_eq!(ids, ["3-top", "3-bottom", "4-top", "4-bottom", "5", "6"]);
}

fn named(id: &str) -> &'static Panel {
    let panel = PANELS.iter().find(|panel| panel.id == id);
    panel.expect("there is such a panel")
}

#[test]
fn the_rules_on_small_lattices() {
    let plan = Plan {
        panels: vec![(named("pruning"), vec![1, 2, 3, 4])],
        ..plan(&[], 1)
    };
    let rows = run(&plan);
    assert_eq!(rows.len(), 4 * RULES.algorithms.len());
    assert_eq!(mismatches(&rows), Vec::<String>::new());
    assert!(rows.iter().all(|row| row.ended() && row.digest.is_some()));
    for game in rows.chunks(RULES.algorithms.len()) {
        let visits: Vec<u64> = game.iter().filter_map(|row| row.visits).collect();
        let [none, shallow, deep, simple, li, strong] = visits[..] else {
            panic!("six rules: {visits:?}");
        };
        // Of the whole tree: (3^7 - 1) / 2 nodes.
        assert_eq!(none, 1093);
        assert!(
            none > shallow && shallow >= deep && deep >= li,
            "{visits:?}"
        );
        assert!(simple >= li, "{visits:?}");
        assert_eq!(li, strong, "they cut at the same moment");
    }
}

#[test]
fn packets_from_runs_to_report() {
    let plan = Plan {
        panels: vec![(named("packets"), vec![1, 2])],
        surveys: vec![(&SURVEYS[0], 2), (&SURVEYS[1], 2)],
        ..plan(&[], 2)
    };
    let rows = run(&plan);
    assert_eq!((rows.len(), rows.len()), (12, plan.runs()));
    assert_eq!(mismatches(&rows), Vec::<String>::new());
    for game in rows.chunks(DOMINANCE.algorithms.len()) {
        let [bottom_up, shallow, deep] = game else {
            panic!("three procedures: {game:?}");
        };
        // A binary tree of depth 5.
        assert_eq!((bottom_up.visits, bottom_up.leaves), (Some(63), Some(32)));
        assert!(bottom_up.digest.is_some() && bottom_up.digest == shallow.digest);
        assert_eq!(deep.digest, None, "its packets need not be the same");
        assert!(shallow.visits <= bottom_up.visits && deep.visits <= shallow.visits);
        assert!(
            game.iter()
                .all(|row| row.nodes == row.visits && row.ended())
        );
    }
    let mut surveys = Vec::new();
    assert_eq!(plan.answer(&mut surveys), Ok(()));
    let contents = Contents {
        facts: Vec::new(),
        panels: &plan.panels,
        rows: &rows,
        surveys: &surveys,
        planned: plan.runs(),
        time_limit: 60.0,
        old: Some(("old.json".to_owned(), rows.clone())),
    };
    let report = report::report(&contents).expect("it can be drawn");
    let has = |text: &str| report.markdown.contains(text);
    assert!(has(
        "| criteria | bottom-up | F shallow | F deep | F shallow / bottom-up, time |"
    ));
    assert!(has("Survey packets") && has("Survey preference"));
    assert!(report.brief.contains("anti-correlated"));
    // Statements about the figures of Li et al. do not belong here, and nothing probes.
    for other in ["Published shapes", "The order of visits", "ABD", "robes"] {
        assert!(!has(other), "{other}");
    }
    assert!(
        report
            .pictures
            .iter()
            .any(|(file, _)| file == "packets-leaves.svg")
    );
}
