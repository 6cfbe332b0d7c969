//! `meetjoin attacks`: attack trees from files to costs, fronts and defences.

use serde_json::{Value, json};

use crate::support::{Run, Scratch, meetjoin, one_sentence, refused};

/// Bottom-up evaluation pays `a` twice.
const SHOP: &str = "attribute cost sum
attribute p product
r = or bribe both
both = and a either
either = or a b
bribe cost=9 p=0.9
a cost=2 p=0.5
b cost=3 p=1
defence camera cost=4
camera counters a
";

fn attacks(tree: &str, args: &[&str]) -> Run {
    meetjoin(&[&["attacks", "-"], args].concat(), tree.as_bytes())
}

fn answer(tree: &str, args: &[&str]) -> Value {
    let run = attacks(tree, &[&["--json"], args].concat());
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{run:?}");
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn one_answer_in_every_form() {
    let found = answer(
        SHOP,
        &[
            "--pareto",
            "cost,p",
            "--defences",
            "--cheapest",
            "1",
            "--budget",
            "5",
            "--stopping",
            "8",
        ],
    );
    assert_eq!(found["format"], "meetjoin-attacks/1");
    assert_eq!(found["count"], "2");
    assert_eq!(found["best"], json!({"cost": 2, "p": 0.9}));
    assert_eq!(
        found["best_attacks"],
        json!({"cost": ["a"], "p": ["bribe"]})
    );
    assert_eq!(
        found["front"],
        json!([{"values": {"cost": 2, "p": 0.5}, "attack": ["a"]}, {"values": {"cost": 9, "p": 0.9}, "attack": ["bribe"]}])
    );
    let free = json!({"cost": 0, "attack_cost": 2, "defences": [], "attack": ["a"]});
    let bought = json!({"cost": 4, "attack_cost": 9, "defences": ["camera"], "attack": ["bribe"]});
    assert_eq!(found["defence_front"], json!([free, bought]));
    assert_eq!(found["block"], Value::Null);
    assert_eq!(
        (&found["within_budget"], &found["stopping"]),
        (&bought, &bought)
    );
    assert_eq!(
        found["attacks"],
        json!([{"values": {"cost": 2, "p": 0.5}, "attack": ["a"]}])
    );
    assert!((found["probability"].as_f64().expect("a number") - 0.95).abs() < 1e-12);
    let run = attacks(SHOP, &["--csv", "--pareto", "cost,p"]);
    assert_eq!(run.out, "cost,p,attack\n2,0.5,a\n9,0.9,bribe\n");
    let run = attacks(SHOP, &["--csv", "--defences"]);
    assert_eq!(
        run.out,
        "cost,attack_cost,defences,attack\n0,2,,a\n4,9,camera,bribe\n"
    );
    let run = attacks(SHOP, &["--csv", "--cheapest", "2"]);
    assert_eq!(run.out, "cost,p,attack\n2,0.5,a\n9,0.9,bribe\n");
    let run = attacks(SHOP, &["--pareto", "cost,p", "--defences"]);
    for line in [
        "minimal attacks    2\n",
        "best cost          2  by a\n",
        "\n   9  0.9  bribe\n",
        "\n    4                9  camera\n",
        "stops all attacks  no defences do\n",
    ] {
        assert!(run.out.contains(line), "{line:?} in {}", run.out);
    }
}

#[test]
fn a_page_without_network() {
    let scratch = Scratch::new("attacks");
    let page = scratch.path("page.html");
    let run = attacks(SHOP, &["--html", &page, "--pareto", "cost,p", "--defences"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let html = std::fs::read_to_string(&page).expect("a page");
    for part in [
        ">Attacks: r</h1>",
        "id=\"budget\" min=\"0\" max=\"1\"",
        "data-says=\"cost 2, p 0.5: a\"",
        "<span data-node=",
        ">stops all attacks</th><td class=\"words\">no defences do</td>",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(
        !html.contains("http:") && !html.contains("https:"),
        "no network"
    );
}

#[test]
fn adtool_in_and_out() {
    let run = attacks(SHOP, &["--adtool"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let found = answer(&run.out, &["--defences"]);
    assert_eq!(found["best"]["cost"], 2);
    assert_eq!(found["defence_front"][1]["attack_cost"], 9);
    let own = run.out.replace("predefined.MinCost", "predefined.Own");
    let said = attacks(&own, &[]);
    assert!(
        refused(&said).contains("--attribute MinCost1=sum|max|product"),
        "{said:?}"
    );
    assert_eq!(answer(&own, &["--attribute", "Own=max"])["best"]["Own"], 2);
}

#[test]
fn fault_trees_and_problem_files_are_attack_trees() {
    let open_psa = r#"<opsa-mef><define-fault-tree name="t"><define-gate name="top"><or><basic-event name="a"/><basic-event name="b"/></or></define-gate>
        <define-basic-event name="a"><float value="0.25"/></define-basic-event><define-basic-event name="b"><float value="0.5"/></define-basic-event></define-fault-tree></opsa-mef>"#;
    let found = answer(open_psa, &[]);
    assert_eq!(
        (&found["count"], &found["best"]["p"]),
        (&json!("2"), &json!(0.5))
    );
    let problem = meetjoin(
        &[
            "generate",
            "fault-tree",
            "--events",
            "9",
            "--gates",
            "7",
            "--seed",
            "3",
        ],
        "",
    );
    let cuts = meetjoin(&["cuts", "-", "--json"], &problem.out);
    let cuts: Value = serde_json::from_str(&cuts.out).expect("JSON");
    let found = answer(&problem.out, &[]);
    assert_eq!(
        (&found["count"], &found["unused"]),
        (&cuts["count"], &json!([]))
    );
    for tree in [open_psa, &problem.out] {
        assert_eq!(
            refused(&attacks(tree, &["--attribute", "zz=sum"])),
            "standard input: the attribute \"zz\" is for a domain of ADTool, and fault trees have none"
        );
    }
}

#[test]
fn generated_trees_are_read() {
    let generate = [
        "generate",
        "attack-tree",
        "--nodes",
        "300",
        "--sharing",
        "20",
        "--defences",
        "10",
        "--seed",
        "5",
    ];
    let tree = meetjoin(&generate, "");
    assert_eq!(tree.status, Some(0), "{tree:?}");
    assert_eq!(meetjoin(&generate, "").out, tree.out);
    let found = answer(&tree.out, &["--defences", "--pareto", "cost,skill,p"]);
    assert_eq!(
        found["defence_front"][0]["attack_cost"],
        found["best"]["cost"]
    );
    assert_eq!(found["front"][0]["values"]["cost"], found["best"]["cost"]);
    let none = meetjoin(
        &["generate", "attack-tree", "--nodes", "2", "--seed", "1"],
        "",
    );
    assert!(
        refused(&none).starts_with("an attack tree has 3 to"),
        "{none:?}"
    );
}

/// A tree that nobody waits for, so that some limit ends the command first.
#[test]
fn a_limit_says_what_was_done() {
    let generate = "generate attack-tree --nodes 16000000 --seed 1";
    for limit in [["--max-seconds", "0"], ["--max-memory", "64M"]] {
        let args: Vec<&str> = generate.split(' ').chain(limit).collect();
        let run = meetjoin(&args, "");
        let sentence = one_sentence(&run, 3);
        let known = ["made", "written"];
        let mut known = known
            .iter()
            .map(|done| format!(" while the tree was {done}"));
        assert!(known.any(|end| sentence.ends_with(&end)), "{sentence}");
    }
}

#[test]
fn a_limit_leaves_what_is_known() {
    // Such a tree is read in a tenth of the time that a command may take to end.
    for seed in ["1", "2", "3", "4", "5"] {
        let generate = "generate attack-tree --nodes 300 --sharing 30 --seed";
        let generate: Vec<&str> = generate.split(' ').chain([seed]).collect();
        stopped_at_once(&meetjoin(&generate, "").out);
    }
}

/// What is printed of a tree without time to search is true of what is printed with it.
fn stopped_at_once(tree: &str) {
    // On a busy machine there may be no time to read the tree.
    let within_no_time = |output| {
        let args = [output, "--pareto", "cost,p", "--max-seconds", "0"];
        let runs = (0..50).map(|_| attacks(tree, &args));
        let mut runs = runs.skip_while(|run| run.status == Some(3) && run.out.is_empty());
        runs.next().expect("one that has read the tree")
    };
    let run = within_no_time("--json");
    assert_eq!((run.status, &*run.err), (Some(3), ""), "{run:?}");
    let found: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        (&found["stop"], &found["count"]),
        (&json!("time"), &Value::Null)
    );
    assert_eq!(found["front_is"], "reached");
    let exact = answer(tree, &["--pareto", "cost,p"]);
    for (name, more) in [("cost", true), ("p", false)] {
        let [exact, found, bound] = [
            &exact["best"],
            &found["best"],
            &found["best_is_no_better_than"],
        ]
        .map(|of| of[name].as_f64().expect("a number"));
        assert!(
            if more {
                bound <= exact && exact <= found
            } else {
                found <= exact && exact <= bound
            },
            "{name}: {found} {exact} {bound}"
        );
    }
    let run = within_no_time("--csv");
    assert_eq!(run.status, Some(3));
    assert!(run.err.contains("there may be more"), "{run:?}");
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let cases: &[(&[&str], &str)] = &[
        (
            &["--pareto", "cost,time"],
            "standard input: there is no attribute \"time\": the tree has cost, p",
        ),
        (
            &["--pareto", "p,p"],
            "standard input: the attribute \"p\" is asked for twice",
        ),
        (
            &["--budget", "-1"],
            "standard input: the budget -1 is no amount that can be spent",
        ),
        (
            &["--budget", "inf", "--json"],
            "standard input: the budget inf is no amount that can be spent",
        ),
        (
            &["--stopping", "-1"],
            "standard input: stopping all attacks up to -1: no attack has such a value",
        ),
        (&["--top", "x"], "standard input: there is no gate \"x\""),
        (
            &["--top", "botth"],
            "standard input: there is no gate \"botth\" (did you mean `both`?)",
        ),
        (
            &["--csv", "--pareto", "p", "--defences"],
            "--csv prints one table: give --pareto or --defences",
        ),
    ];
    for (args, sentence) in cases {
        assert_eq!(refused(&attacks(SHOP, args)), *sentence);
    }
    let run = attacks("r = or a b", &["--defences"]);
    assert_eq!(
        refused(&run),
        "standard input: defences have a price only in an attribute that adds, and the tree has none"
    );
    let run = meetjoin(&["attacks", "no-such-file"], "");
    assert!(
        one_sentence(&run, 2).starts_with("no-such-file: there is no such file"),
        "{run:?}"
    );
    let run = meetjoin(
        &[
            "generate",
            "attack-tree",
            "--nodes",
            "9",
            "--seed",
            "1",
            "--dot",
        ],
        "",
    );
    assert_eq!(
        refused(&run),
        "an attack tree is written as text, without --dot and --compact"
    );
}
