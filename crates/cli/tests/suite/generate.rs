//! `meetjoin generate`: random problems, problems written again, drawings.

use std::process::{Command, Stdio};

use crate::support::{
    EXAMPLE, Scratch, algorithms_for_sets, answer, example_without_bounds, finish, meetjoin,
    problem, start,
};

fn random(lattice: &str, seed: &str, more: &[&str]) -> String {
    let args = [
        "generate",
        "random",
        "--depth",
        "5",
        "--branching",
        "3",
        "--variables",
        "6",
        "--lattice",
        lattice,
        "--seed",
        seed,
    ];
    let run = meetjoin(&[&args, more].concat(), "");
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    run.out
}

#[test]
fn random_problems_are_reproducible_and_solvable() {
    for lattice in ["powerset", "families"] {
        let first = random(lattice, "1", &[]);
        assert_eq!(first, random(lattice, "1", &[]));
        assert_ne!(first, random(lattice, "2", &[]));
        assert_ne!(first, random(lattice, "1", &["--alternating"]));
        assert!(first.contains(&format!(r#""lattice":{{"type":"{lattice}","v":6}}"#)));
        for more in [&[][..], &["--alternating"]] {
            let problem = random(lattice, "18446744073709551615", more);
            let values = algorithms_for_sets().map(|algorithm| {
                let answer = answer(&problem, &["--algorithm", algorithm.id]);
                answer["value"].to_string()
            });
            let values: Vec<String> = values.collect();
            assert!(
                values.windows(2).all(|pair| pair[0] == pair[1]),
                "{values:?}"
            );
            assert_eq!(meetjoin(&["check", "-"], &problem).status, Some(0));
        }
    }
}

#[test]
fn the_smallest_random_problems() {
    for (depth, branching, variables) in [
        ("1", "1", "0"),
        ("1", "1", "1"),
        ("2", "1", "1"),
        ("1", "4", "70"),
    ] {
        let args = [
            "generate",
            "random",
            "--depth",
            depth,
            "--branching",
            branching,
            "--variables",
            variables,
            "--lattice",
            "families",
            "--seed",
            "0",
        ];
        let run = meetjoin(&args, "");
        assert_eq!(run.status, Some(0), "{run:?}");
        answer(&run.out, &[]);
    }
}

#[test]
fn the_example_written_again() {
    let expected = r#"{"format":"meetjoin-problem/1",
 "lattice":{"type":"powerset","v":4},
 "root":"r",
 "nodes":[
  {"id":"r","kind":"or","children":["a","x"]},
  {"id":"a","kind":"and","children":["x","y","y"],"upper":[1,2]},
  {"id":"x","kind":"leaf","value":[1,2]},
  {"id":"y","kind":"leaf","value":[2,3]}]}
"#;
    let scratch = Scratch::new("generate");
    let file = scratch.file("p.json", EXAMPLE);
    for (args, stdin) in [
        (["generate", "-"], EXAMPLE),
        (["generate", &file], ""),
        (["generate", "-"], expected),
    ] {
        let run = meetjoin(&args, stdin);
        assert_eq!((run.status, &*run.out, &*run.err), (Some(0), expected, ""));
    }
}

#[test]
fn worlds_notes_and_odd_ids_survive() {
    let nodes = r#"{"id":1,"kind":"or","children":["1","q\"\\\n<b>"],"lower":"bottom","upper":[[1],[2]]},{"id":"1","kind":"leaf","value":"bottom"},{"id":"q\"\\\n<b>","kind":"leaf","value":[[]]}"#;
    let problem = problem(r#"{"type":"families","v":2}"#, nodes);
    let problem = problem.replace(
        "\"root\"",
        r#""note":"two\nlines","worlds":["é","\"w\""],"root""#,
    );
    let run = meetjoin(&["generate", "-"], &problem);
    assert_eq!(run.status, Some(0), "{run:?}");
    for part in [
        r#""note":"two\nlines""#,
        r#""worlds":["é","\"w\""]"#,
        r#""q\"\\\n<b>""#,
        r#""value":"bottom""#,
        r#""value":[[]]"#,
        r#""upper":[[1],[2]]"#,
    ] {
        assert!(run.out.contains(part), "{part} in {}", run.out);
    }
    assert_eq!(meetjoin(&["generate", "-"], &run.out).out, run.out);
    assert_eq!(answer(&run.out, &[])["value"].to_string(), "[[]]");
}

#[test]
fn drawings_show_kinds_edges_and_values() {
    let run = meetjoin(&["generate", "-", "--dot"], EXAMPLE);
    assert_eq!((run.status, &*run.err), (Some(0), ""));
    for (part, times) in [
        ("digraph {\n", 1),
        ("n0 [shape=square, label=\"r\"];", 1),
        ("n1 [shape=circle, label=\"a\"];", 1),
        (r#"n2 [shape=plaintext, label="x\n{1,2}"];"#, 1),
        ("n1 -> n3;", 2),
        (" -> ", 5),
    ] {
        assert_eq!(
            run.out.matches(part).count(),
            times,
            "{part} in {}",
            run.out
        );
    }
    let seeded = random("powerset", "1", &["--dot"]);
    assert!(seeded.starts_with("digraph {") && seeded.ends_with("}\n"));
    assert_eq!(
        seeded,
        meetjoin(&["generate", "--dot", "-"], random("powerset", "1", &[])).out
    );
}

#[test]
fn graphviz_draws_the_drawings() {
    let version = Command::new("dot")
        .arg("-V")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !version.is_ok_and(|status| status.success()) {
        eprintln!("Graphviz is not installed: nothing drawn");
        return;
    }
    let odd = r#"{"id":1,"kind":"or","children":["q\"\\\n<b>&","é\\"]},{"id":"q\"\\\n<b>&","kind":"leaf","value":[1]},{"id":"é\\","kind":"leaf","value":[]}"#;
    let odd = problem(r#"{"type":"powerset","v":1}"#, odd);
    let odd = odd.replace("\"root\"", r#""worlds":["\"w\\"],"root""#);
    for problem in [
        EXAMPLE.to_owned(),
        example_without_bounds(),
        odd,
        random("families", "3", &[]),
    ] {
        let dot = meetjoin(&["generate", "--dot", "-"], &problem);
        let figures = meetjoin(&["check", "-"], &problem).out;
        let reachable = figures.split("\nreachable  ").nth(1).expect("a figure");
        let nodes = reachable.split(':').next().map(str::to_owned);
        let drawn = finish(start(Command::new("dot").arg("-Tsvg")), dot.out.as_bytes());
        assert_eq!((drawn.status, &*drawn.err), (Some(0), ""), "{}", dot.out);
        let drawn = drawn.out.matches("class=\"node\"").count();
        assert_eq!(Some(drawn.to_string()), nodes, "{}", dot.out);
    }
}
