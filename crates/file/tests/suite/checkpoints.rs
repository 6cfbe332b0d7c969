//! Checkpoints: what is written is read, and of a file that is cut off, altered or stopped half way
//! nothing is believed that is not true.

use std::io::{self, Write};

use meetjoin_file::checkpoint::{CheckpointError, Writer, pull, push, read};

const DIGEST_OF_A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

type Kept = Vec<(u128, Vec<u8>, Option<Vec<u8>>)>;

fn some_entries() -> Kept {
    (0..5_000_u32)
        .map(|i| {
            let node = u128::from(i) << (i % 100);
            let lower = vec![i as u8; i as usize % 40];
            (node, lower, (i % 3 == 0).then(|| vec![7; i as usize % 5]))
        })
        .collect()
}

fn written(entries: &Kept) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), DIGEST_OF_A).expect("a list of bytes takes all");
    for (node, lower, upper) in entries {
        writer.entry(*node, lower, upper.as_deref());
    }
    let (count, bytes) = writer.finish().expect("a list of bytes takes all");
    assert_eq!(count, entries.len() as u64);
    bytes
}

fn kept(bytes: &[u8], digest: &str) -> Result<(bool, Kept), CheckpointError> {
    let mut found = Kept::new();
    let whole = read(&mut &*bytes, digest, &mut |node, lower, upper| {
        found.push((node, lower.to_vec(), upper.map(<[u8]>::to_vec)));
        true
    })?;
    Ok((whole, found))
}

#[test]
fn what_was_written_is_read() {
    for entries in [Kept::new(), some_entries()] {
        let bytes = written(&entries);
        assert_eq!(
            kept(&bytes, DIGEST_OF_A).expect("a checkpoint"),
            (true, entries)
        );
        let other = DIGEST_OF_A.replace('a', "b");
        assert!(matches!(
            kept(&bytes, &other),
            Err(CheckpointError::Problem)
        ));
    }
}

#[test]
fn whatever_is_cut_off_or_altered_the_rest_is_true() {
    let entries = some_entries();
    let bytes = written(&entries);
    let known: std::collections::HashSet<_> = entries.into_iter().collect();
    let check = |damaged: &[u8]| match kept(damaged, DIGEST_OF_A) {
        Ok((whole, found)) => {
            assert!(!whole);
            assert!(found.iter().all(|entry| known.contains(entry)));
            found.len()
        }
        Err(CheckpointError::Other) => 0,
        Err(error) => panic!("{error}"),
    };
    for length in (0..bytes.len()).step_by(97) {
        check(&bytes[..length]);
    }
    let mut most = 0;
    for place in (0..bytes.len()).step_by(61).chain(0..100) {
        let mut altered = bytes.clone();
        altered[place] ^= 1 << (place % 8);
        most = most.max(check(&altered));
    }
    assert!(
        most > known.len() / 4,
        "of the other blocks nothing is lost"
    );
    let mut longer = bytes;
    longer.push(0);
    check(&longer);
}

/// A file that takes so many writes, and fails at the next.
struct Failing(usize);

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_error_at_any_write_is_told() {
    let entries = some_entries();
    let mut writes = 0;
    loop {
        let written = Writer::new(Failing(writes), DIGEST_OF_A).and_then(|mut writer| {
            for (node, lower, upper) in &entries {
                writer.entry(*node, lower, upper.as_deref());
            }
            writer.finish()
        });
        match written {
            Ok((count, _)) => {
                assert_eq!(count, entries.len() as u64);
                break;
            }
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::StorageFull),
        }
        writes += 1;
    }
    assert!(writes > 4, "a head, a block and an end");
}

#[test]
fn numbers_of_any_size() {
    for number in [
        0,
        1,
        127,
        128,
        u128::from(u64::MAX),
        u128::MAX,
        u128::MAX - 1,
    ] {
        let mut bytes = Vec::new();
        push(&mut bytes, number);
        assert_eq!(pull(&mut &*bytes), Some(number));
        assert_eq!(pull(&mut &bytes[..bytes.len() - 1]), None);
    }
    assert_eq!(pull(&mut &[0xff; 19][..]), None);
}
