//! A binary problem file with any bytes altered, or any bytes at all, checked and trusted: an error
//! with a sentence, or a problem that is searched. One that was checked is written and read again
//! without a change.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use meetjoin_catalogue::method::{ALGORITHMS, DEFAULT};
use meetjoin_file::Trust;
use meetjoin_fuzz::{LATTICES, altered, limits, problem, scratch};
use meetjoin_problems::Source;
use meetjoin_solve::Request;

static FILE: LazyLock<PathBuf> = LazyLock::new(|| scratch("binary.mj"));

static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let write = |lattice| {
        let mut bytes = Vec::new();
        let source = Source::read(problem(lattice).0.as_bytes()).expect("a problem");
        source
            .write_binary(&mut bytes)
            .expect("a list of bytes takes all");
        bytes
    };
    (0..LATTICES.len()).map(write).collect()
});

fuzz_target!(|input: (u8, u8, Vec<(u8, u16, u8)>, &[u8])| {
    let (lattice, how, edits, bytes) = input;
    let bytes = if bytes.is_empty() {
        altered(FILES[usize::from(lattice) % FILES.len()].clone(), &edits)
    } else {
        bytes.to_vec()
    };
    let (trust, is_mapped) = (how & 1 != 0, how & 2 != 0);
    let source = if trust || is_mapped {
        fs::write(&*FILE, &bytes).expect("a folder for files of a moment");
        Source::open(
            &FILE,
            if trust {
                Trust::Trusted
            } else {
                Trust::Checked
            },
        )
    } else {
        Source::read(&*bytes)
    };
    let source = match source {
        Ok(source) => source,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    if matches!(source, Source::Game(_)) {
        // A few bytes may describe a huge game.
        return;
    }
    if !trust {
        let write = |source: &Source| {
            let mut bytes = Vec::new();
            source.write_binary(&mut bytes).map(|()| bytes)
        };
        if let Ok(once) = write(&source) {
            let again = Source::read(&*once).expect("what was written is a problem");
            assert!(write(&again).expect("again") == once);
        }
    }
    if let Ok(instance) = source.instance() {
        let budget = limits();
        let method = match how >> 2 {
            0 => DEFAULT,
            other => ALGORITHMS[usize::from(other) % ALGORITHMS.len()],
        };
        if let Ok(answer) = instance.solve(Request::new(method, &budget)) {
            assert!(serde_json::from_str::<serde_json::Value>(&answer.json()).is_ok());
            let _ = answer.text(true);
        }
    }
});
