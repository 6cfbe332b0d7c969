//! Files that are mapped into memory: whatever is altered in one, it is refused, and whoever trusts
//! it all the same gets some problem and no panic.

use std::sync::Arc;

use meetjoin_dag::{AndOrDag, Bytes, Kind, NodeId, Problem, Valuation};
use meetjoin_file::{
    ProblemFile, Trust, read_binary, read_problem, read_problem_file, write_binary,
    write_binary_outcomes,
};
use meetjoin_lattice::AnyLattice;

/// Bytes that begin where those of a mapped file would.
struct Aligned(Vec<[u64; 8]>, usize);

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        &zerocopy::IntoBytes::as_bytes(&*self.0)[..self.1]
    }
}

/// All but the first of them.
struct Odd(Arc<Bytes>);

impl AsRef<[u8]> for Odd {
    fn as_ref(&self) -> &[u8] {
        &(*self.0).as_ref()[1..]
    }
}

fn aligned(bytes: &[u8]) -> Arc<Bytes> {
    let mut lines = vec![[0; 8]; bytes.len().div_ceil(64)];
    zerocopy::IntoBytes::as_mut_bytes(&mut *lines)[..bytes.len()].copy_from_slice(bytes);
    Arc::new(Aligned(lines, bytes.len()))
}

fn open(bytes: &[u8], trust: Trust) -> Result<ProblemFile, String> {
    read_binary(&aligned(bytes), trust).map_err(|error| error.to_string())
}

fn explicit(file: ProblemFile) -> Problem<AnyLattice> {
    match file {
        ProblemFile::Explicit(problem) => *problem,
        other => panic!("{other:?}"),
    }
}

fn binary(json: &str) -> Vec<u8> {
    let problem = read_problem(json.as_bytes()).expect("a fine problem");
    let mut file = Vec::new();
    write_binary(&problem, &mut file).expect("memory takes it");
    file
}

/// Files with every form of names and values, with bounds, notes and names of worlds; children
/// before and after their parents.
const FILES: [&str; 5] = [
    r#"{"format":"meetjoin-problem/1","lattice":{"type":"powerset","v":4},"root":0,"note":"n","worlds":["a","b","c","d"],"nodes":[
        {"id":0,"kind":"or","children":[1,2]},{"id":1,"kind":"and","children":[2,3,3],"lower":[],"upper":[1,2]},
        {"id":2,"kind":"leaf","value":[1,2]},{"id":3,"kind":"leaf","value":[2,3]}]}"#,
    r#"{"format":"meetjoin-problem/1","lattice":{"type":"families","v":3},"root":"r","nodes":[
        {"id":"x","kind":"leaf","value":"bottom"},{"id":7,"kind":"leaf","value":[[1],[2,3]]},
        {"id":"a","kind":"and","children":["x",7]},{"id":"r","kind":"or","children":["a",7]}]}"#,
    r#"{"format":"meetjoin-problem/1","lattice":{"type":"chain"},"root":5,"nodes":[
        {"id":5,"kind":"and","children":[-3,9]},{"id":-3,"kind":"leaf","value":"-inf"},{"id":9,"kind":"leaf","value":2.5}]}"#,
    r#"{"format":"meetjoin-problem/1","lattice":{"type":"product","of":[{"type":"bool"},{"type":"powerset","v":70},{"type":"divisors","n":12}]},"root":1,"nodes":[
        {"id":1,"kind":"or","children":[2,3]},{"id":2,"kind":"leaf","value":[true,[1,70],6]},{"id":3,"kind":"leaf","value":[false,[],4]}]}"#,
    r#"{"format":"meetjoin-problem/1","lattice":{"type":"bool"},"root":1,"nodes":[{"id":1,"kind":"leaf","value":true}]}"#,
];

/// Walks through all that a search could ask of a problem.
fn walk(problem: &Problem<AnyLattice>) {
    let graph = problem.graph();
    let mut open = vec![problem.root()];
    let mut seen = vec![false; graph.node_count()];
    let mut children = Vec::new();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        let mut name = String::new();
        problem.name(&node, &mut name).expect("a string takes it");
        let _ = (problem.is_shared(&node), problem.bounds_of(node));
        problem.prefetch(&[node]);
        if problem.kind(&node) == Kind::Leaf {
            let _ = problem.leaf(&node);
            continue;
        }
        children.clear();
        problem.children(&node, &mut children);
        assert!(!children.is_empty(), "an inner node has children");
        assert!(
            children.iter().all(|child| *child > node),
            "so there is no cycle"
        );
        assert!(
            children
                .iter()
                .all(|child| child.index() < graph.node_count())
        );
        open.extend(&children);
    }
    let _ = problem.never_bottom();
}

#[test]
fn probabilities_come_back() {
    let json = |p: &str| {
        format!(
            r#"{{"format":"meetjoin-problem/1","lattice":{{"type":"monotone","v":3}},"probabilities":{p},"root":1,
                "nodes":[{{"id":1,"kind":"leaf","value":[[1,2],[3]]}}]}}"#
        )
    };
    let file = binary(&json("[0.25,null,1]"));
    let again = explicit(open(&file, Trust::Checked).expect("a fine file"));
    let known = [Some(0.25), None, Some(1.0)];
    assert_eq!(again.probabilities(), Some(&known[..]));
}

#[test]
fn files_of_every_form_come_back() {
    for json in FILES {
        let problem = read_problem(json.as_bytes()).expect("a fine problem");
        let file = binary(json);
        for trust in [Trust::Checked, Trust::Trusted] {
            let again = explicit(open(&file, trust).expect("a fine file"));
            walk(&again);
            assert_eq!(again.lattice(), problem.lattice());
            assert_eq!(again.note(), problem.note());
            assert_eq!(again.world_names(), problem.world_names());
            assert_eq!(again.never_bottom(), problem.never_bottom());
            // Once more from bytes to bytes: now the numbers are in order, and nothing changes any
            // more.
            let mut copy = Vec::new();
            write_binary(&again, &mut copy).expect("memory takes it");
            assert_eq!(copy, file);
        }
        let ProblemFile::Explicit(streamed) = read_problem_file(&*file).expect("a fine file")
        else {
            panic!("a problem");
        };
        walk(&streamed);
    }
}

#[test]
fn outcomes_come_back() {
    let json = r#"{"format":"meetjoin-problem/1","lattice":{"type":"dominance","dims":2},"root":1,"nodes":[
        {"id":1,"kind":"or","children":[2,3]},{"id":2,"kind":"leaf","value":[1,-5]},{"id":3,"kind":"leaf","value":[0,7]}]}"#;
    let ProblemFile::Dominance(problem) = read_problem_file(json.as_bytes()).expect("fine") else {
        panic!("outcomes");
    };
    let mut file = Vec::new();
    write_binary_outcomes(&problem, &mut file).expect("memory takes it");
    let Ok(ProblemFile::Dominance(again)) = open(&file, Trust::Checked) else {
        panic!("outcomes");
    };
    assert_eq!(*again, *problem);
}

#[test]
fn every_truncation_is_refused() {
    for json in FILES {
        let file = binary(json);
        for length in 0..file.len() {
            for trust in [Trust::Checked, Trust::Trusted] {
                let error = open(&file[..length], trust).expect_err("it is too short");
                assert!(
                    error.starts_with("the binary problem file cannot be used: "),
                    "{error}"
                );
            }
        }
        let mut longer = file.clone();
        longer.push(0);
        open(&longer, Trust::Trusted).expect_err("it is too long");
    }
}

#[test]
fn every_altered_byte_is_refused_or_answered_without_a_panic() {
    for json in FILES {
        let mut file = binary(json);
        for place in 0..file.len() {
            let before = file[place];
            for other in [before ^ 1, before ^ 0x80, before.wrapping_add(3), 0, 0xff] {
                if other == before {
                    continue;
                }
                file[place] = other;
                open(&file, Trust::Checked).expect_err("a byte is another");
                if let Ok(problem) = open(&file, Trust::Trusted) {
                    assert!(place >= 256, "the header is always checked");
                    walk(&explicit(problem));
                }
            }
            file[place] = before;
        }
    }
}

/// Alters bytes of one part of a file and makes the checksums right again: what a program that
/// writes wrong files would do.
fn lying(file: &[u8], section: usize, at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = file.to_vec();
    let field = 64 + 16 * section;
    let begin = u64::from_le_bytes(file[field..field + 8].try_into().expect("eight bytes"));
    let begin = begin as usize + at;
    file[begin..begin + bytes.len()].copy_from_slice(bytes);
    sealed(file)
}

/// A file with the length and the checksums that it has.
fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    let length = file.len() as u64;
    file[16..24].copy_from_slice(&length.to_le_bytes());
    let body = crc32fast::hash(&file[256..]);
    file[24..28].copy_from_slice(&body.to_le_bytes());
    file[12..16].fill(0);
    let header = crc32fast::hash(&file[..256]);
    file[12..16].copy_from_slice(&header.to_le_bytes());
    file
}

#[test]
fn lies_are_found_and_named() {
    let file = binary(FILES[0]);
    let row = |start: u32, packed: u32| [start.to_le_bytes(), packed.to_le_bytes()].concat();
    for (section, at, bytes, expected) in [
        (
            0,
            0,
            row(0, 2 << 3 | 3),
            "node number 0 has a kind, an ordinal or a place",
        ),
        (
            0,
            0,
            row(1, 2 << 3 | 2),
            "node number 0 has a kind, an ordinal or a place",
        ),
        (
            0,
            0,
            row(0, 900 << 3 | 2),
            "node number 0 has a kind, an ordinal or a place",
        ),
        (
            0,
            0,
            row(0, 2),
            "node number 0 has a kind, an ordinal or a place",
        ),
        (
            0,
            16,
            row(1, 4),
            "node number 2 has a kind, an ordinal or a place",
        ),
        (
            0,
            16,
            row(0, 0),
            "node number 2 is marked as shared and is not, or is shared and not marked",
        ),
        (0, 24, row(0, 1 << 3 | 1), "the last node is no leaf"),
        (
            1,
            0,
            0_u32.to_le_bytes().to_vec(),
            "node number 0 has the child number 0",
        ),
        (
            1,
            0,
            4_u32.to_le_bytes().to_vec(),
            "node number 0 has the child number 4",
        ),
        (
            1,
            8,
            1_u32.to_le_bytes().to_vec(),
            "node number 1 has the child number 1",
        ),
        (
            2,
            0,
            (1_u64 << 4).to_le_bytes().to_vec(),
            "the value of leaf number 0 is outside its lattice",
        ),
        (
            2,
            0,
            0_u64.to_le_bytes().to_vec(),
            "leaves that are worth the bottom",
        ),
        (
            7,
            0,
            2_u64.to_le_bytes().to_vec(),
            "bounds of a node that cannot have them",
        ),
        (
            7,
            8,
            9_u64.to_le_bytes().to_vec(),
            "bounds of a node that cannot have them",
        ),
        (5, 0, 999_u64.to_le_bytes().to_vec(), "its part `Texts`"),
        (
            8,
            0,
            b"[".to_vec(),
            "its description is not as it should be",
        ),
    ] {
        let lie = lying(&file, section, at, &bytes);
        let error = open(&lie, Trust::Checked).expect_err("it lies");
        assert!(error.contains(expected), "{error}\nand not\n{expected}");
        if let Ok(problem) = open(&lie, Trust::Trusted) {
            walk(&explicit(problem));
        }
    }
    // The description as a list, without the names of its keys.
    let [begin, length] = [0, 8].map(|field| {
        let field = 64 + 16 * 8 + field;
        u64::from_le_bytes(file[field..field + 8].try_into().expect("eight bytes")) as usize
    });
    let text = std::str::from_utf8(&file[begin..begin + length]).expect("JSON");
    let meta: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let list = serde_json::json!([meta["lattice"], meta["decimals"], null, null, null]);
    let list = format!("{:length$}", list.to_string());
    let error = open(&lying(&file, 8, 0, list.as_bytes()), Trust::Checked).expect_err("it lies");
    assert!(error.contains("expected an object"), "{error}");
    let file = binary(FILES[2]);
    for (section, bytes, expected) in [
        (
            3,
            9_i64.to_le_bytes(),
            "two of its nodes have the same name",
        ),
        (
            2,
            f64::NAN.to_bits().to_le_bytes(),
            "the value of leaf number 0 is outside",
        ),
    ] {
        let error = open(&lying(&file, section, 0, &bytes), Trust::Checked).expect_err("it lies");
        assert!(error.contains(expected), "{error}\nand not\n{expected}");
    }
}

/// What a later program may put where there is nothing today is not passed over.
#[test]
fn what_nobody_reads_is_refused() {
    let file = binary(FILES[0]);
    let with = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        sealed(file)
    };
    let field = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("eight bytes"));
    let end_of_nodes = (field(64) + field(72)) as usize;
    assert!(
        end_of_nodes < field(80) as usize,
        "there is room between two parts"
    );
    let longer = sealed([&*file, &[0]].concat());
    for (file, expected) in [
        (with(50, 2), "byte 50 is neither 0 nor 1"),
        (with(51, 1), "bytes 51 to 55 are not zero"),
        (with(255, 1), "bytes 208 to 255 are not zero"),
        (
            with(end_of_nodes, 1),
            "something stands before its part `Children`",
        ),
        (longer, "something stands after its last part"),
    ] {
        let error = open(&file, Trust::Checked).expect_err(expected);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn what_is_wrong_with_the_header_is_said() {
    let file = binary(FILES[0]);
    let mut newer = file.clone();
    newer[8] = 2;
    let error = open(&newer, Trust::Trusted).expect_err("a version of the future");
    assert_eq!(
        error,
        "the binary problem file cannot be used: its version is 2, and this program knows version 1"
    );
    assert!(
        open(&file[1..], Trust::Trusted)
            .expect_err("no magic")
            .contains("does not begin as one")
    );
    // At an odd place in memory nothing can be read as numbers: an error too.
    let shifted: Arc<Bytes> = Arc::new(Odd(aligned(&[&[0], &*file].concat())));
    read_binary(&shifted, Trust::Trusted).expect_err("numbers at odd places");
}

#[test]
fn numbers_follow_the_order_from_parents_to_children() {
    let problem = explicit(open(&binary(FILES[1]), Trust::Checked).expect("a fine file"));
    let names: Vec<String> = problem
        .names()
        .iter()
        .map(|name| format!("{name:?}"))
        .collect();
    assert_eq!(names, ["\"r\"", "\"a\"", "\"x\"", "7"]);
    assert_eq!(problem.root(), NodeId::from(0));
}

/// A chain of nodes whose ids are these, the first the root.
fn named(ids: &[i64]) -> String {
    let (last, inner) = ids.split_last().expect("a node");
    let mut nodes: Vec<String> = inner
        .iter()
        .zip(&ids[1..])
        .map(|(id, child)| format!(r#"{{"id":{id},"kind":"or","children":[{child}]}}"#))
        .collect();
    nodes.push(format!(r#"{{"id":{last},"kind":"leaf","value":true}}"#));
    format!(
        r#"{{"format":"meetjoin-problem/1","lattice":{{"type":"bool"}},"root":{},"nodes":[{}]}}"#,
        ids[0],
        nodes.join(",")
    )
}

#[test]
fn every_id_of_64_bits_comes_back() {
    let (min, max) = (i64::MIN, i64::MAX);
    for ids in [
        vec![max],
        vec![max - 1, max],
        vec![max, max - 1],
        (max - 9..=max).collect(),
        vec![min],
        (min..min + 10).collect(),
        vec![min + 1, min],
        vec![max, min],
        vec![min, max],
        vec![-1, 0, 1],
        vec![max - 1, 7, max],
    ] {
        let json = named(&ids);
        let problem = read_problem(json.as_bytes()).expect("a problem");
        let names: Vec<String> = problem
            .names()
            .iter()
            .map(|name| name.to_string())
            .collect();
        let expected: Vec<String> = ids.iter().map(i64::to_string).collect();
        assert_eq!(names, expected);
        for trust in [Trust::Checked, Trust::Trusted] {
            let file = open(&binary(&json), trust);
            let file = file.unwrap_or_else(|error| panic!("{ids:?}: {error}"));
            assert_eq!(explicit(file), problem, "{ids:?}");
        }
    }
}
