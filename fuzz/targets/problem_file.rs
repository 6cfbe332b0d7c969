//! Any bytes as a problem file: an error with a sentence, or a problem that is searched, and
//! written and read again without a change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use meetjoin_catalogue::method::DEFAULT;
use meetjoin_file::write_problem;
use meetjoin_fuzz::limits;
use meetjoin_problems::Source;
use meetjoin_solve::Request;

fuzz_target!(|bytes: &[u8]| {
    let source = match Source::read(bytes) {
        Ok(source) => source,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    match &source {
        Source::Problem(problem) => {
            let mut written = Vec::new();
            write_problem(problem, &mut written).expect("a list of bytes takes all");
            let Ok(Source::Problem(again)) = Source::read(&*written) else {
                panic!("what was written is a problem");
            };
            let mut twice = Vec::new();
            write_problem(&again, &mut twice).expect("a list of bytes takes all");
            assert!(written == twice);
        }
        // A few bytes may describe a huge game.
        Source::Game(game) => {
            let _ = game.compact();
            return;
        }
        Source::Outcomes(_) => return,
    }
    if let Ok(instance) = source.instance() {
        let budget = limits();
        if let Ok(answer) = instance.solve(Request::new(DEFAULT, &budget)) {
            assert!(serde_json::from_str::<serde_json::Value>(&answer.json()).is_ok());
            let _ = answer.text(true);
        }
    }
});
