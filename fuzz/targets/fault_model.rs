//! Any bytes as the files of a fault-tree model: an error with a sentence, or all that can be asked
//! of it within limits, with common causes, over time, in trials, and its sequences.
#![no_main]

use libfuzzer_sys::fuzz_target;
use meetjoin_faults::{
    Asked, CutsRequest, List, ModelReader, Sets, State, find_in_model, find_sequences, tree_of,
};
use meetjoin_fuzz::limits;
use meetjoin_report::progress::Listener;
use meetjoin_solve::Meter;

fuzz_target!(|input: (u8, &[u8], &[u8])| {
    let (how, first, second) = input;
    let mut reader = ModelReader::new();
    if reader.read(first).is_err() || (how & 1 != 0 && reader.read(second).is_err()) {
        return;
    }
    let Ok(mut model) = reader.finish(None) else {
        return;
    };
    if how & 2 != 0 {
        let Ok(with) = model.with_common_causes() else {
            return;
        };
        model = with;
    }
    let (budget, state) = (limits(), State::at(f64::from(how) * 10.0));
    if let Ok(found) = find_sequences(
        &model,
        state.mission_time,
        how & 4 != 0,
        &budget,
        Listener::NONE,
    ) {
        let mut out = Vec::new();
        found
            .write_json(&mut out)
            .expect("a list of bytes takes all");
        assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
    }
    let Ok(tree) = tree_of(&model, None, &state, Sets::Cuts, &budget) else {
        return;
    };
    let request = CutsRequest {
        sets: Sets::Cuts,
        limit_order: None,
        cut_off: None,
        list: List::BySize,
        importance: how & 8 != 0,
        budget: &budget,
        meter: Meter::NONE,
        listener: Listener::NONE,
    };
    let asked = Asked {
        time_step: (how & 16 != 0).then_some(500.0),
        sil: how & 16 != 0,
        uncertainty: (how & 32 != 0).then_some((20, 1)),
    };
    if let Ok(found) = find_in_model((&model, None, &state), &tree, request, asked) {
        let mut out = Vec::new();
        found
            .write_json(&mut out)
            .expect("a list of bytes takes all");
        assert!(serde_json::from_slice::<serde_json::Value>(&out).is_ok());
        found
            .write_text(&mut out, None, true)
            .expect("a list of bytes takes all");
    }
});
