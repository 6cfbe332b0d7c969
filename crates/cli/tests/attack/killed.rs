//! Searches that are long enough to have checkpoints, ended at random moments by random signals, go
//! on to the same answer.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Attack, check, finish, json, run, start, words};

const GAMES: &[&str] = &[
    "connect-four --columns 5 --rows 4 --scoring distance",
    "kalah --pits 3 --seeds 3",
    "uniform --depth 9 --branching 4 --values independent --most 1000 --ordering random --seed 3",
    "random --depth 12 --branching 3 --variables 12 --lattice powerset --seed 2",
];
const ALGORITHMS: &[&str] = &["minimax-cached", "alpha-beta-cached", "alpha-beta-duo"];

#[test]
#[ignore = "goes on for as long as it is given"]
fn searches_that_are_ended_go_on_to_the_same_answer() {
    let mut attack = Attack::new("killed");
    let mut resumed = 0;
    while attack.goes_on() {
        let place = attack.numbers.below(GAMES.len());
        let compact = run(
            &attack,
            &words(&format!("generate {} --compact", GAMES[place])),
        );
        assert_eq!(compact.status, Some(0), "{}", compact.err);
        let file = attack.file("game.json", &compact.out);
        let algorithm = *attack.numbers.one(ALGORITHMS);
        let checkpoint = attack.path("checkpoint");
        for leftover in ["", ".part", ".lock"] {
            let _ = std::fs::remove_file(format!("{checkpoint}{leftover}"));
        }
        let line = format!("solve {file} --json --algorithm {algorithm}");
        let whole = run(&attack, &words(&line));
        assert_eq!(whole.status, Some(0), "{}", whole.err);
        let value = json(&whole)["value"].clone();
        let most = u64::try_from(whole.took.as_millis()).unwrap_or(1000).max(2);
        let args = words(&format!(
            "{line} --checkpoint {checkpoint} --every 0.01 --resume"
        ));
        for _ in 0..30 {
            let begun = Instant::now();
            let child = start(&attack, "kept", &args, Stdio::null());
            let pause = attack.numbers.below(usize::try_from(most).unwrap_or(1000));
            thread::sleep(Duration::from_millis(pause as u64));
            let signal = *attack.numbers.one(&["KILL", "INT", "TERM", "HUP"]);
            // It may have ended by itself.
            let sent = Command::new("kill")
                .args([format!("-{signal}"), child.id().to_string()])
                .stderr(Stdio::null())
                .status();
            sent.expect("kill is there");
            let found = finish(&attack, "kept", child, begun);
            // Others end it as quietly before it has begun to listen.
            let is_silent = found.out.is_empty() && found.err.is_empty();
            if found.status.is_none() && (signal == "KILL" || is_silent) {
                continue;
            }
            check(&attack, &args, &found);
            if found.status == Some(0) {
                assert_eq!(json(&found)["value"], value, "{} {line}", attack.place());
            }
        }
        let last = run(&attack, &args);
        check(&attack, &args, &last);
        let answer = json(&last);
        assert_eq!(answer["value"], value, "{} {line}", attack.place());
        resumed += u64::from(answer["checkpoint"]["loaded"].as_u64() > Some(0));
    }
    println!("killed: {resumed} went on from a checkpoint");
}
