//! A checkpoint with any bytes altered: detected, what is intact is used, and the answer is right.
//! And any entries at all, with the right checksums: whatever they claim, there is an answer.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use meetjoin_catalogue::method::algorithm;
use meetjoin_fuzz::{LATTICES, altered, limits, problem, scratch};
use meetjoin_lattice::{Budget, Lattice as _};
use meetjoin_problems::Source;
use meetjoin_solve::{Answer, Checkpoint, Instance, Request, Value};

/// A problem with its digest, its value and a checkpoint of it.
struct Solved {
    file: String,
    digest: String,
    value: Value,
    checkpoint: Vec<u8>,
}

static FILE: LazyLock<PathBuf> = LazyLock::new(|| scratch("checkpoint"));

fn instance(file: &str) -> Box<dyn Instance> {
    let source = Source::read(file.as_bytes());
    source.and_then(Source::instance).expect("a problem")
}

/// Searches by one of the algorithms that write checkpoints, from what the file has.
fn resume(
    solved: (&str, &str),
    which: u8,
    budget: &Budget,
) -> Result<Answer, meetjoin_solve::Refused> {
    let (file, digest) = solved;
    let ids = [
        "alpha-beta-duo-plain",
        "alpha-beta-duo",
        "alpha-beta-cached",
        "minimax-cached",
    ];
    let chosen = algorithm(ids[usize::from(which) % ids.len()]);
    let mut request = Request::new(*chosen.expect("an algorithm"), budget);
    request.checkpoint = Some(Checkpoint {
        path: FILE.clone(),
        digest: digest.to_owned(),
        every: Duration::from_secs(3600),
        resume: true,
    });
    instance(file).solve(request)
}

static SOLVED: LazyLock<Vec<Solved>> = LazyLock::new(|| {
    let solve = |lattice| {
        let (file, digest) = problem(lattice);
        let _ = fs::remove_file(&*FILE);
        // Minimax runs on every lattice.
        let answer = resume((&file, &digest), 3, &Budget::unlimited());
        let value = answer.expect("every lattice has it").root.value;
        let checkpoint = fs::read(&*FILE).expect("it was written");
        let value = value.exact().expect("nothing stops it").clone();
        Solved {
            file,
            digest,
            value,
            checkpoint,
        }
    };
    (0..LATTICES.len()).map(solve).collect()
});

/// A checkpoint of these entries with the right checksums.
fn sealed(digest: &str, blocks: &[u8]) -> Vec<u8> {
    let mut bytes = b"meetjoin-check/1".to_vec();
    bytes.extend(digest.as_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    for block in blocks.split(|byte| *byte == 0xff).chain([&[][..]]) {
        bytes.extend((block.len() as u32).to_le_bytes());
        bytes.extend(block);
        bytes.extend(crc32fast::hash(block).to_le_bytes());
    }
    bytes
}

fuzz_target!(|input: (u8, u8, Vec<(u8, u16, u8)>, &[u8])| {
    let (lattice, which, edits, entries) = input;
    let solved = &SOLVED[usize::from(lattice) % SOLVED.len()];
    let is_true = entries.is_empty();
    let bytes = if is_true {
        altered(solved.checkpoint.clone(), &edits)
    } else {
        sealed(&solved.digest, entries)
    };
    fs::write(&*FILE, bytes).expect("a folder for files of a moment");
    let free = Budget::unlimited();
    // Contradictory entries may mislead a search for long.
    let limited = limits();
    let budget = if is_true { &free } else { &limited };
    let Ok(answer) = resume((&solved.file, &solved.digest), which, budget) else {
        return;
    };
    assert!(serde_json::from_str::<serde_json::Value>(&answer.json()).is_ok());
    if !is_true {
        return;
    }
    let (Value::Element { element, domain }, Value::Element { element: value, .. }) = (
        answer.root.value.exact().expect("nothing stops it"),
        &solved.value,
    ) else {
        panic!("values of files");
    };
    assert_eq!(domain.lattice.leq(element, value, &free), Ok(true));
    assert_eq!(domain.lattice.leq(value, element, &free), Ok(true));
});
