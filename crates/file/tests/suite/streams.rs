//! Files and streams are read alike, and so are ids of either kind: those that are numbers already,
//! and those that get one.

use std::fmt::Write as _;

use meetjoin_dag::{Names, Problem};
use meetjoin_file::{ProblemFile, Trust, open_problem_file, read_problem};
use meetjoin_lattice::AnyLattice;

/// A chain of OR nodes above two leaves, with these ids. `late` writes the first node's children
/// before its id.
fn chain(ids: &[String], late: bool) -> String {
    let mut nodes = String::new();
    let inner = ids.len() - 2;
    for (place, id) in ids.iter().enumerate() {
        let children = format!(
            "\"children\":[{},{}]",
            ids[(place + 1).min(inner)],
            ids[inner + 1]
        );
        let _ = match place {
            0 if late => write!(nodes, "{{\"kind\":\"or\",{children},\"id\":{id}}}"),
            _ if place < inner => write!(nodes, ",{{\"id\":{id},\"kind\":\"or\",{children}}}"),
            _ => write!(
                nodes,
                ",{{\"id\":{id},\"kind\":\"leaf\",\"value\":{place}}}"
            ),
        };
    }
    let nodes = nodes.trim_start_matches(',');
    format!(
        "{{\"format\":\"meetjoin-problem/1\",\"lattice\":{{\"type\":\"chain\"}},\"root\":{},\"nodes\":[{nodes}]}}",
        ids[0]
    )
}

fn read(json: &str) -> Problem<AnyLattice> {
    read_problem(json.as_bytes()).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[test]
fn ids_may_stop_to_be_consecutive_at_any_node() {
    for first in [0, 1, -3, i64::MAX - 7, i64::MIN] {
        for odd in 0..8 {
            for other in [
                "\"x\"",
                "-9",
                "4000000000",
                "99",
                "9223372036854775807",
                "-9223372036854775808",
            ] {
                let id = |place: i64| first.checked_add(place).expect("no overflow").to_string();
                let mut ids: Vec<String> = (0..8).map(id).collect();
                let consecutive = read(&chain(&ids, false));
                assert!(matches!(consecutive.names(), Names::From { count: 8, .. }));
                assert_eq!(consecutive, read(&chain(&ids, true)));
                if !ids.contains(&other.to_owned()) {
                    other.clone_into(&mut ids[odd]);
                    assert_eq!(
                        read(&chain(&ids, false)),
                        read(&chain(&ids, true)),
                        "{ids:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_wrong_with_ids_is_said_in_either_way() {
    let node = |rest: &str| {
        format!(
            "{{\"format\":\"meetjoin-problem/1\",\"lattice\":{{\"type\":\"bool\"}},\"root\":ROOT,\"nodes\":[{rest}]}}"
        )
    };
    let cases = [
        (
            "1",
            r#"{"id":1,"kind":"or","children":[2,3]},{"id":2,"kind":"leaf","value":true}"#,
            "node 1 has the child 3, which is not defined",
        ),
        (
            "1",
            r#"{"id":1,"kind":"or","children":[2,"3"]},{"id":2,"kind":"leaf","value":true}"#,
            "node 1 has the child \"3\", which is not defined",
        ),
        (
            "1",
            r#"{"id":1,"kind":"or","children":[2,0]},{"id":2,"kind":"leaf","value":true}"#,
            "node 1 has the child 0, which is not defined",
        ),
        (
            "5",
            r#"{"id":1,"kind":"or","children":[2]},{"id":2,"kind":"leaf","value":true}"#,
            "the root 5 is not defined",
        ),
        (
            "\"1\"",
            r#"{"id":1,"kind":"or","children":[2]},{"id":2,"kind":"leaf","value":true}"#,
            "the root \"1\" is not defined",
        ),
        (
            "1",
            r#"{"id":1,"kind":"or","children":[2]},{"id":2,"kind":"and","children":[1]}"#,
            "the nodes form a cycle: 1 -> 2 -> 1",
        ),
        (
            "1",
            r#"{"id":1,"kind":"or","children":[2]},{"id":2,"kind":"leaf","value":true},{"id":1,"kind":"leaf","value":true}"#,
            "node 1: the id is used twice",
        ),
        (
            "1",
            r#"{"id":1,"kind":"or","children":[2]},{"id":2,"kind":"leaf","value":3}"#,
            "node 2: the value `3` is not `true` or `false`",
        ),
    ];
    for (root, nodes, expected) in cases {
        let json = node(nodes).replace("ROOT", root);
        let error = read_problem(json.as_bytes())
            .expect_err("it is wrong")
            .to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_file_and_a_stream_have_the_same_errors() {
    let file = chain(&["1", "2", "3", "4"].map(str::to_owned), false).replace("},", "},\n  ");
    let path = std::env::temp_dir().join(format!("meetjoin-streams-{}", std::process::id()));
    let mut broken: Vec<Vec<u8>> = (0..file.len())
        .map(|length| file.as_bytes()[..length].to_vec())
        .collect();
    for place in 0..file.len() {
        for byte in [b'x', b'"', b'}', b'9', 0xff] {
            let mut altered = file.clone().into_bytes();
            altered[place] = byte;
            broken.push(altered);
        }
    }
    for text in broken {
        std::fs::write(&path, &text).expect("a place for a file");
        let of_file = open_problem_file(&path, Trust::Checked).map(|file| match file {
            ProblemFile::Explicit(problem) => *problem,
            other => panic!("{other:?}"),
        });
        let of_stream = read_problem(&*text);
        let shown = String::from_utf8_lossy(&text).into_owned();
        match (of_file, of_stream) {
            (Ok(file), Ok(stream)) => assert_eq!(file, stream, "{shown}"),
            (file, stream) => {
                let [file, stream] = [file, stream].map(|read| read.expect_err("both or none"));
                let [file, stream] = [file, stream].map(|error| error.to_string());
                assert_eq!(file, stream, "{shown}");
            }
        }
    }
    std::fs::remove_file(&path).expect("it was there");
}
