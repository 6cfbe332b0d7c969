//! Any text as a fault tree, in Open-PSA XML or a gate a line: an error with a sentence, or its
//! minimal cut sets within limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use meetjoin_faults::Sets;
use meetjoin_faults::{CutsRequest, List, find};
use meetjoin_fuzz::limits;
use meetjoin_problems::Source;
use meetjoin_report::progress::Listener;
use meetjoin_solve::Meter;

fuzz_target!(|input: (u8, &str)| {
    let (how, text) = input;
    let Ok(tree) = Source::read_fault_tree(text, None) else {
        return;
    };
    let budget = limits();
    let found = find(
        &tree,
        CutsRequest {
            sets: [Sets::Cuts, Sets::Paths, Sets::PrimeImplicants][usize::from(how % 3)],
            limit_order: (how & 4 != 0).then_some(2),
            cut_off: None,
            list: List::BySize,
            importance: how & 8 != 0,
            budget: &budget,
            meter: Meter::NONE,
            listener: Listener::NONE,
        },
    );
    if let Ok(found) = found {
        let mut out = Vec::new();
        found
            .write_json(&mut out)
            .expect("a list of bytes takes all");
        assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
    }
});
