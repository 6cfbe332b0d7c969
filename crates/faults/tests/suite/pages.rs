//! Pages read back: the numbers in them are those of the answer, and names are no markup.

use std::time::Duration;

use meetjoin_faults::{
    Asked, Cuts, CutsRequest, FaultTree, List, Model, ModelReader, Sets, State,
    fault_tree_from_text, find, find_in_model, tree_of,
};
use meetjoin_lattice::{Budget, Limits};
use meetjoin_report::Meter;
use meetjoin_report::progress::Listener;
use serde_json::Value;

pub(crate) fn request(budget: &Budget, sets: Sets) -> CutsRequest<'_> {
    CutsRequest {
        sets,
        limit_order: None,
        cut_off: None,
        list: List::None,
        importance: false,
        budget,
        meter: Meter::NONE,
        listener: Listener::NONE,
    }
}

fn page_of(found: &Cuts<'_>) -> String {
    found.html(&found.page_lists())
}

fn page(text: &str, sets: Sets) -> String {
    let tree = fault_tree_from_text(text, None).expect("a tree");
    let budget = Budget::unlimited();
    page_of(&find(&tree, request(&budget, sets)).expect("found"))
}

/// What stands between two texts, each time.
fn between<'t>(text: &'t str, begin: &'t str, end: &'t str) -> Vec<&'t str> {
    let parts = text.split(begin).skip(1);
    parts.filter_map(|part| part.split(end).next()).collect()
}

/// The data of the drawing.
fn tree(page: &str) -> Value {
    let data = between(page, "id=\"tree-data\">", "</script>");
    assert_eq!(data.len(), 1);
    serde_json::from_str(data[0]).expect("JSON")
}

/// The text of lines of the list of sets, without markup.
fn sets(page: &str) -> Vec<String> {
    let list = between(page, "id=\"set-list\">\n", "</ol>")[0];
    let lines = list.lines().map(|line| {
        let parts = between(line, ">", "<").into_iter().map(str::trim);
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    });
    lines.collect()
}

#[test]
fn numbers_are_those_of_the_answer() {
    let page = page(
        "top = or a g\ng = 2 of a b c\na = 0.1\nb = 0.2\nc = 0.5\n",
        Sets::Cuts,
    );
    // 1 - 0.9 (1 - 0.1)
    assert!(
        page.contains("<span class=\"big\">1.900000e-1</span>"),
        "{page}"
    );
    assert!(page.contains("<title>Fault tree top</title>"));
    assert_eq!(sets(&page), ["1.000000e-1 a", "1.000000e-1 b c"]);
    // Birnbaum of a: 1 - 0.1. Fussell-Vesely: 1 - 0.1 / 0.19.
    let bars = between(&page, "<li data-of=\"", "</li>");
    let of_a = bars.iter().find(|bar| bar.contains(">a<")).expect("a bar");
    let values: Vec<f64> =
        serde_json::from_str(of_a.split('"').next().expect("values")).expect("numbers");
    assert!(
        (values[0] - 0.9).abs() < 1e-12 && (values[3] - (1.0 - 0.1 / 0.19)).abs() < 1e-12,
        "{values:?}"
    );
    assert!(
        of_a.contains("<span class=\"number\">4.7368e-1</span>")
            && of_a.contains("width: 100.000%"),
        "{of_a}"
    );
    let tree = tree(&page);
    assert_eq!(tree["top"], serde_json::json!([0, 0]));
    assert_eq!(tree["gates"][0]["kind"], "or");
    assert_eq!(
        tree["gates"][1],
        serde_json::json!({"name": "g", "kind": "2 of 3", "of": [[1, 0], [1, 1], [1, 2]], "more": 0, "uses": 1})
    );
    assert_eq!(tree["events"][0], serde_json::json!(["a", 0.1]));
    for outside in ["src=", "@import", "url(", "href=\"http", "fetch(", "https:"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn names_are_no_markup() {
    let bad = "x</script><b>'";
    let page = page(
        &format!("{bad} = and {bad}x y\n{bad}x = 0.5\ny = 0.5\n"),
        Sets::Cuts,
    );
    assert!(!page.contains("<b>"), "{page}");
    assert!(page.contains("<title>Fault tree x&lt;/script&gt;&lt;b&gt;&#39;</title>"));
    let tree = tree(&page);
    assert_eq!(tree["gates"][0]["name"], bad);
    assert_eq!(tree["events"][0][0], format!("{bad}x"));
}

#[test]
fn negations_paths_and_what_is_unknown() {
    let text = "top = or g h\ng = and a n\nn = not b\nh = and b c\na = 0.1\nb = 0.2\nc = 0.3\n";
    let primes = page(text, Sets::PrimeImplicants);
    assert!(
        sets(&primes).contains(&"8.000000e-2 a not b".to_owned()),
        "{:?}",
        sets(&primes)
    );
    let paths = page("top = or a b\na = 0.1\nb = 0.2\n", Sets::Paths);
    assert_eq!(sets(&paths), ["7.200000e-1 a b"]);
    assert!(!paths.contains("id=\"bars\">") && !paths.contains("href=\"#importance\""));
    let unknown = page("top = or a g\ng = and b c\n", Sets::Cuts);
    assert!(unknown.contains("P(top) is unknown"));
    assert_eq!(sets(&unknown), ["a", "b c"]);
    assert!(!unknown.contains("href=\"#importance\""));
}

/// Of bounds there is no importance, and the page says so.
#[test]
fn importance_of_a_tree_that_is_not_solved() {
    let limits = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    let budget = Budget::new(limits);
    let text = "top = and a b c\na = 0.1\nb = 0.2\nc = 0.5\n";
    let tree = fault_tree_from_text(text, None).expect("a tree");
    let asked = CutsRequest {
        importance: true,
        ..request(&budget, Sets::Cuts)
    };
    let found = find(&tree, asked).expect("found");
    let (lower, upper) = found.probability().expect("known");
    assert!(lower < upper && found.importance().is_none() && found.lacks_importance());
    let page = page_of(&found);
    let unknown = "<p>Importance is unknown, for the tree is not solved within the limits.</p>";
    assert!(
        page.contains(unknown) && !page.contains("id=\"bars\">"),
        "{page}"
    );
    assert!(!found.picture().contains("Fussell-Vesely"));
}

/// A large model is cut short, and the page says by how much.
#[test]
fn what_is_left_out_is_said() {
    let events: String = (0..60).map(|e| format!("e{e} = 0.01\n")).collect();
    let half = |from: usize| {
        (from..from + 30)
            .map(|e| format!(" e{e}"))
            .collect::<String>()
    };
    let mut text = format!(
        "top = and l r w\nl = or{}\nr = or{}\n{events}w = or",
        half(0),
        half(30)
    );
    // As many arguments as are drawn, and some more.
    for gate in 0..21_000 {
        text += &format!(" v{gate}");
    }
    text.push('\n');
    for gate in 0..21_000 {
        text += &format!("v{gate} = 1e-6\n");
    }
    let page = page(&text, Sets::Cuts);
    assert_eq!(sets(&page).len(), 1_000);
    // 30 * 30 * 21000
    assert!(
        page.contains("<p>1000 sets, the most probable first; 18899000 more are not on this page")
    );
    assert!(page.contains(
        "<p>The 300 events with the greatest Fussell-Vesely; 20760 more are not on this page"
    ));
    let tree = tree(&page);
    assert_eq!(tree["gates"][3]["more"], 21_000 - (20_000 - 3 - 60));
    assert!(page.contains("The drawing has 20000 arguments of gates"));
    assert!(page.len() < 3 << 20, "{}", page.len());
}

#[test]
fn what_a_model_says_besides() {
    let model = std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/cooling.xml"
    ))
    .expect("read");
    let mut reader = ModelReader::new();
    reader.read(&*model).expect("it is read");
    let model = reader.finish(None).expect("a model");
    let (state, budget) = (State::at(8760.0), Budget::unlimited());
    let tree = tree_of(&model, None, &state, Sets::Cuts, &budget).expect("a tree");
    // More points than a table has.
    let asked = Asked {
        time_step: Some(8.0),
        sil: true,
        uncertainty: Some((500, 1)),
    };
    let found = find_in_model(
        (&model, None, &state),
        &tree,
        request(&budget, Sets::Cuts),
        asked,
    )
    .expect("found");
    let page = page_of(&found);
    let besides = found.besides();
    let (curve, uncertainty) = (
        besides.curve.as_ref().expect("asked"),
        besides.uncertainty.as_ref().expect("asked"),
    );
    let (p, _) = found.probability().expect("it is known");
    let top = format!("<p>P(top) <span class=\"big\">{p:.6e}</span> at 8760 hours</p>");
    assert!(page.contains(&top), "{page}");
    let average = besides.average.clone().expect("it depends on time");
    let average = average.expect("it is known");
    let line = format!(
        "<p>PFDavg <strong>{average:.6e}</strong>, the average of P(top) from 0 to 8760 hours</p>"
    );
    assert!(page.contains(&line), "{page}");
    assert_eq!(besides.sil.as_ref().expect("asked").pfd_average, average);
    let last = curve.last().expect("points");
    assert!(page.contains(&format!(
        "<th scope=\"row\">8760</th><td>{:.6e}</td>",
        last[1]
    )));
    assert!(
        page.contains(&format!(
            "{} of the 1096 points",
            1096_usize.div_ceil(6) + 1
        )),
        "{:?}",
        between(&page, "<summary>", "<")
    );
    assert!(page.contains(&format!(">mean</th><td>{:.6e}</td>", uncertainty.mean)));
    // Bars are as high as their part of the trials.
    let bins = between(&page, "<rect class=\"bin\"", "/>");
    assert_eq!(bins.len(), uncertainty.histogram.len());
    let high = |bin: &str| {
        between(bin, " height=\"", "\"")[0]
            .parse::<f64>()
            .expect("a number")
    };
    let highest = uncertainty
        .histogram
        .iter()
        .map(|bin| bin[2])
        .fold(0.0, f64::max);
    for (bin, [_, _, part]) in bins.iter().zip(&uncertainty.histogram) {
        assert!(
            (high(bin) - 186.0 * part / highest).abs() < 0.02,
            "{bin} {part}"
        );
    }
    // Each part has a name of its own, and what leads to a part finds it.
    let mut ids = between(&page, " id=\"", "\"");
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "{ids:?}");
    for target in between(&page, "href=\"#", "\"") {
        assert!(ids.contains(&target), "{target}");
    }
    let sil = besides.sil.as_ref().expect("asked");
    assert!(page.contains(&format!("PFDavg {:.6e}", sil.pfd_average)));
}

/// The header speaks of the tree, and not of all that stands in the file.
#[test]
fn what_the_header_counts_is_below_the_top() {
    let text = "top = or a inner\ninner = and b true\nother = or a x y\nx = and y z\n";
    for (top, counts) in [
        ("top", "over 2 gates and 2 events"),
        ("other", "over 2 gates and 3 events"),
        ("x", "over 1 gate and 2 events"),
    ] {
        let tree = fault_tree_from_text(text, Some(top)).expect("a tree");
        let budget = Budget::unlimited();
        let page = page_of(&find(&tree, request(&budget, Sets::Cuts)).expect("found"));
        assert!(
            page.contains(counts),
            "{top}: {:?}",
            between(&page, "<strong>", "</p>")
        );
    }
}

/// A curve of many points keeps its peaks.
#[test]
fn a_picture_of_many_points_has_the_highest() {
    let points: Vec<[f64; 2]> = (0..100_000)
        .map(|at| [f64::from(at), if at == 54_321 { 1.0 } else { 0.25 }])
        .collect();
    let svg = meetjoin_faults::answer::curve::picture(&points);
    assert!(svg.len() < 200_000, "{}", svg.len());
    let line = between(&svg, "points=\"", "\"")[0];
    let heights: Vec<f64> = line
        .split(' ')
        .map(|point| {
            point
                .split(',')
                .nth(1)
                .expect("y")
                .parse()
                .expect("a number")
        })
        .collect();
    let top = heights.iter().copied().fold(f64::MAX, f64::min);
    assert!((top - 10.0).abs() < 0.01, "{top}");
    assert!(svg.contains("prefers-color-scheme: dark") && svg.contains("stroke=\"#1d4f9c\""));
}

/// A list that a limit ended says so in its last line, when the tree itself was solved.
#[test]
fn a_short_list_says_so() {
    let names: Vec<String> = (0..40).map(|i| format!("p{i}")).collect();
    let mut text = format!("top = and {}\n", names.join(" "));
    for name in names {
        text += &format!("{name} = or {name}a {name}b\n{name}a = 0.1\n{name}b = 0.2\n");
    }
    let tree = fault_tree_from_text(&text, None).expect("a tree");
    for list in [List::BySize, List::MostProbable(1 << 20)] {
        let budget = Budget::new(Limits {
            steps: Some(1 << 20),
            ..Limits::default()
        });
        let asked = CutsRequest {
            list,
            ..request(&budget, Sets::Cuts)
        };
        let found = find(&tree, asked).expect("found");
        let mut out = Vec::new();
        let stop = found.write_text(&mut out, None, true).expect("memory");
        let stop = stop.expect("there are 2^40 sets");
        let out = String::from_utf8(out).expect("text");
        assert!(out.starts_with("minimal cut sets"), "{out}");
        let (answer, list) = out.split_once("\n\n").expect("an answer and a list");
        assert!(!answer.contains("stopped"), "{answer}");
        let (sets, said) = list.rsplit_once("\n\n").expect("a list and a line");
        assert_eq!(said, format!("stopped  {stop}\n"));
        assert!(sets.lines().all(|line| line.ends_with('}')));
    }
}

/// The answer about a model, with importance.
fn important<'a>(model: &Model, tree: &'a FaultTree, budget: &'a Budget) -> Cuts<'a> {
    let asked = CutsRequest {
        importance: true,
        ..request(budget, Sets::Cuts)
    };
    let of = (model, None, &State::at(1.0));
    find_in_model(of, tree, asked, Asked::default()).expect("found")
}

/// Wherever a limit ends it: bounds of P(top), sets that are found, and nothing of a phase that is
/// not known.
#[test]
fn each_figure_of_a_stopped_answer_is_a_bound_or_absent() {
    let pairs: Vec<String> = (0..6)
        .map(|i| {
            format!(
                "<and><basic-event name=\"b{i}\"/><basic-event name=\"b{}\"/></and>",
                (i * 5 + 1) % 7
            )
        })
        .collect();
    let events: String = (0..7)
        .map(|i| {
            format!(
                "<define-basic-event name=\"b{i}\"><float value=\"0.{}\"/></define-basic-event>",
                i + 1
            )
        })
        .collect();
    let text = format!(
        "<opsa-mef><define-alignment name=\"a\"><define-phase name=\"off\" time-fraction=\"0.25\"/>\
         <define-phase name=\"on\" time-fraction=\"0.75\"><set-house-event name=\"h\"><constant value=\"true\"/>\
         </set-house-event></define-phase></define-alignment><define-fault-tree name=\"f\"><define-gate name=\"top\">\
         <or><and><house-event name=\"h\"/><basic-event name=\"b0\"/></and><atleast min=\"2\">{}</atleast></or></define-gate>\
         </define-fault-tree><model-data><define-house-event name=\"h\"><constant value=\"false\"/></define-house-event>\
         {events}</model-data></opsa-mef>",
        pairs.concat()
    );
    let mut reader = ModelReader::new();
    reader.read(text.as_bytes()).expect("a model");
    let model = reader.finish(None).expect("a model");
    let free = Budget::unlimited();
    let tree = tree_of(&model, None, &State::at(1.0), Sets::Cuts, &free).expect("a tree");
    let whole = important(&model, &tree, &free);
    let (exact, _) = whole.probability().expect("all events have one");
    let (mut stopped, mut unknown) = (0, 0);
    for steps in 0..free.steps_made() {
        let budget = Budget::new(Limits {
            steps: Some(steps),
            ..Limits::default()
        });
        let found = important(&model, &tree, &budget);
        let (lower, upper) = found.probability().expect("bounds");
        assert!(lower <= exact && exact <= upper, "{steps}");
        assert!(found.count() <= whole.count() && (found.is_complete() || lower <= upper));
        let mut out = Vec::new();
        found.write_text(&mut out, None, true).expect("memory");
        let out = String::from_utf8(out).expect("text");
        assert!(!out.contains("have no probability"), "{out}");
        let phases = found.besides().phases.iter().zip(&whole.besides().phases);
        for (found, whole) in phases {
            assert!(found.probability.is_none() || found.probability == whole.probability);
            assert!(
                found.count.is_none() || found.count == whole.count,
                "{steps}"
            );
            unknown += usize::from(found.count.is_none());
        }
        stopped += usize::from(!found.is_complete());
    }
    assert!(stopped > 100 && unknown > 100, "{stopped} {unknown}");
}
