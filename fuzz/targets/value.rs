//! A lattice on the first line and a value on the second: an error with a sentence, or a value that
//! is written and read again without a change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use meetjoin_file::{lattice_from_json, lattice_to_json, read_value, write_readable, write_value};

fuzz_target!(|text: &str| {
    let Some((lattice, value)) = text.split_once('\n') else {
        return;
    };
    let Ok(lattice) = lattice_from_json(lattice) else {
        return;
    };
    let again =
        lattice_from_json(&lattice_to_json(&lattice)).expect("what was written is a lattice");
    assert_eq!(lattice_to_json(&again), lattice_to_json(&lattice));
    let Ok(value) = read_value(&lattice, value) else {
        return;
    };
    let (mut written, mut readable) = (String::new(), String::new());
    write_value(&lattice, &value, &mut written);
    write_readable(&lattice, &value, None, &mut readable);
    assert_eq!(
        read_value(&lattice, &written).as_ref().ok(),
        Some(&value),
        "{written}"
    );
});
