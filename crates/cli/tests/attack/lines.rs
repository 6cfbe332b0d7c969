//! Random command lines: words of the command, values that fit and values that do not.

use crate::support::{Attack, Numbers, check, run, words};

const COMMANDS: &[&str] = &[
    "solve FILE",
    "solve",
    "solve -",
    "racing",
    "random --depth 4 --branching 2",
    "packets FILE",
    "cuts TREE",
    "cuts FILE",
    "prove FILE --at-least [1]",
    "verify FILE FILE",
    "trace FILE --html OUT",
    "play tic-tac-toe",
    "play connect-four",
    "play",
    "suit AQT98 5432",
    "suit AQ KJ",
    "suit -",
    "ending DEAL --tricks 2",
    "check FILE",
    "convert FILE OUT",
    "generate hexapawn --columns 3 --rows 3",
    "generate FILE",
    "generate --from TREE",
    "cluster solve",
    "cluster solve FILE",
    "algorithms",
    "help",
    "",
];
const OPTIONS: &[&str] = &[
    "--json",
    "--json=2",
    "--json=9",
    "--moves",
    "--algorithm",
    "--trust",
    "--max-visits",
    "--events OUT",
    "--watch",
    "--checkpoint OUT",
    "--resume",
    "--every",
    "--explain",
    "--strategy",
    "--refutation",
    "--strategy-file OUT",
    "--certificate OUT",
    "--threads",
    "--count-nodes",
    "--without",
    "--levels",
    "--heaviest",
    "--top",
    "--weights FILE",
    "--at-least",
    "--proof OUT",
    "--prefer",
    "--lexicographic",
    "--weigh",
    "--paths",
    "--prime-implicants",
    "--limit-order",
    "--cut-off",
    "--list",
    "--most-probable",
    "--importance",
    "--csv",
    "--open-psa",
    "--tricks",
    "--average",
    "--vacant",
    "--west",
    "--east",
    "--west-length",
    "--lead",
    "--leads",
    "--matchpoints",
    "--imps",
    "--entries",
    "--keep",
    "--html OUT",
    "--book FILE",
    "--table",
    "--declarer",
    "--trumps",
    "--alpha-mu",
    "--bounds",
    "--from TREE",
    "--dot",
    "--compact",
    "--workers",
    "--hosts FILE",
    "--process",
    "--secret-file FILE",
    "--patience",
    "--folder DIR",
    "--memory",
    "--counts",
    "--at",
    "--deck",
    "--goal",
    "--hand-size",
    "--seed",
    "--columns",
    "--rows",
    "--depth",
    "--best",
    "--scoring",
    "--lattice",
    "--variables",
    "-h",
    "--",
    "-",
    "--no-such",
];
const VALUES: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "13",
    "-1",
    "0.5",
    "1e9",
    "nan",
    "inf",
    "18446744073709551616",
    "x",
    "é",
    "[1]",
    "[]",
    "\"top\"",
    "{",
    "alpha-beta-duo",
    "minimax",
    "mtd-f",
    "sss-star",
    "df-pn",
    "proof-number",
    "thresholds",
    "S",
    "N",
    "A",
    "AKQ",
    "1,2",
    "..",
    "2..4",
    "S=2",
    "4S",
    "3NTXXV",
    "families",
    "powerset",
    "free",
    "outcome",
    "1G",
    "64K",
    "",
    "bounds",
    "look",
    "order",
    "a",
    "r",
    "top",
    "FILE",
    "OUT",
    "/dev/null",
    "/",
];

const FILE: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"families","v":4},"root":"r","nodes":[{"id":"r","kind":"or","children":["a","x"]},{"id":"a","kind":"and","children":["x","y","y"]},{"id":"x","kind":"leaf","value":[[1,2],[3]]},{"id":"y","kind":"leaf","value":[2,3]}]}"#;
const TREE: &str = "top = or a b\nb = 2 of c d e\n";
const DEAL: &str = "[Deal \"N:AJ2... Q98... KT3... 765...\"]\n[Declarer \"S\"]\n";

/// The words of one of these.
fn some(numbers: &mut Numbers, of: &[&str]) -> Vec<String> {
    words(of[numbers.below(of.len())])
}

#[test]
#[ignore = "goes on for as long as it is given"]
fn every_command_line_ends_with_a_documented_status() {
    let mut attack = Attack::new("command-lines");
    let file = attack.file("p.json", FILE);
    let tree = attack.file("t.txt", TREE);
    let deal = attack.file("d.pbn", DEAL);
    let (out, folder) = (attack.path("out"), attack.path("folder"));
    while attack.goes_on() {
        let mut line = some(&mut attack.numbers, COMMANDS);
        for _ in 0..attack.numbers.below(6) {
            line.extend(some(&mut attack.numbers, OPTIONS));
            if !attack.numbers.happens(3) {
                line.push((*attack.numbers.one(VALUES)).to_owned());
            }
            if attack.numbers.happens(12) {
                // In another place.
                let (from, to) = (
                    attack.numbers.below(line.len()),
                    attack.numbers.below(line.len()),
                );
                line.swap(from, to);
            }
        }
        // A line that is right may ask for hours of work.
        let at = if line.first().is_some_and(|first| first == "cluster") {
            2
        } else {
            1
        };
        if line.len() >= at {
            line.splice(at..at, words("--max-seconds 1"));
        }
        let names = [
            ("FILE", &file),
            ("TREE", &tree),
            ("DEAL", &deal),
            ("OUT", &out),
            ("DIR", &folder),
        ];
        for word in &mut line {
            if let Some((_, path)) = names.iter().find(|(name, _)| name == word) {
                word.clone_from(path);
            }
        }
        let found = run(&attack, &line);
        if found.status == Some(0) && found.out.is_empty() && found.err.is_empty() {
            // A file was written, or there was no input.
            continue;
        }
        check(&attack, &line, &found);
        let _ = std::fs::remove_file(&out);
    }
}
