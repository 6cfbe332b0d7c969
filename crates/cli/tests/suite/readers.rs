//! What readers pass over, and what they refuse: the two tables of the page "When things go wrong"
//! row by row.

use std::fs;

use serde_json::Value;

use crate::support::{EXAMPLE, Scratch, command, finish, meetjoin, refused, start};

const DEAL: &str =
    "[Deal \"N:AJ2... Q98... KT3... 765...\"]\n[Declarer \"S\"]\n[Contract \"3NT\"]\n";
const TREE: &str =
    "top = or pump valve\npump = 2 of p1 p2 p3\nvalve = 0.01\np1 = 0.1\np2 = 0.1\np3 = 0.1\n";
const MODEL: &str = "<opsa-mef><define-fault-tree name=\"t\"><define-gate name=\"top\"><or>\
    <event name=\"a\"/><event name=\"b\"/></or></define-gate><define-basic-event name=\"a\"><float value=\"0.1\"/></define-basic-event>\
    <define-basic-event name=\"b\"><float value=\"0.2\"/></define-basic-event></define-fault-tree></opsa-mef>";
const FAMILIES: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"families","v":3},"root":1,"nodes":[{"id":1,"kind":"leaf","value":[[1,2],[3]]}]}"#;
const OUTCOMES: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"dominance","dims":2},"root":1,"nodes":[{"id":1,"kind":"leaf","value":[1,2]}]}"#;
const GAME: &str = r#"{"format":"meetjoin-problem/1","game":"tic-tac-toe","moves":"519","lattice":{"type":"chain"}}"#;

/// Files that rows need beside their own.
struct Files(Scratch);

impl Files {
    fn new() -> Self {
        let scratch = Scratch::new("readers");
        scratch.file("problem", EXAMPLE);
        scratch.file("families", FAMILIES);
        scratch.file("deal", DEAL);
        scratch.file("hosts", "127.0.0.1:1\n127.0.0.1:2\n");
        let path = |name: &str| scratch.path(name);
        for args in [
            ["convert", &path("problem"), &path("mapped.mj")],
            ["convert", &path("problem"), &path("again.json")],
        ] {
            assert_eq!(meetjoin(&args, "").status, Some(0), "{args:?}");
        }
        for name in ["certificate", "packed.gz"] {
            let args = ["solve", &path("problem"), "--certificate", &path(name)];
            assert_eq!(meetjoin(&args, "").status, Some(0), "{args:?}");
        }
        Self(scratch)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path(name)).expect("it was written")
    }

    /// Runs a command on a file; in its words `FILE` is that one, and `@name` another.
    fn run(&self, line: &str, content: impl AsRef<[u8]>) -> crate::support::Run {
        let file = self.0.file("file", content);
        let word = |word: &str| match word.strip_prefix('@') {
            Some(name) => self.0.path(name),
            None if word == "FILE" => file.clone(),
            None => word.to_owned(),
        };
        let args: Vec<String> = line.split(' ').map(word).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        if args.contains(&"-") {
            let input = fs::read(&file).expect("its own file");
            return finish(start(&mut command(&args)), &input);
        }
        meetjoin(&args, "")
    }
}

fn with(text: &str, old: &str, new: &str) -> Vec<u8> {
    assert!(text.contains(old), "{old}");
    text.replacen(old, new, 1).into_bytes()
}

#[test]
#[rustfmt::skip]
fn what_is_not_understood_is_refused() {
    let files = Files::new();
    let after = |name: &str, more: &[u8]| [&*files.bytes(name), more].concat();
    let certificate = String::from_utf8(files.bytes("certificate")).expect("text");
    let hosts = "cluster solve --hosts FILE --process 0 tic-tac-toe";
    let secret = "cluster solve --hosts @hosts --process 0 --secret-file FILE tic-tac-toe";
    for (what, line, content, parts) in [
        ("a key of a problem", "solve FILE", with(EXAMPLE, "\"root\"", "\"roots\": 1, \"root\""), &["unknown key `roots`", "(line 4 column "][..]),
        ("a key of a node", "solve FILE", with(EXAMPLE, "\"kind\": \"leaf\"", "\"colour\": 1, \"kind\": \"leaf\""), &["node \"x\"", "unknown key `colour`"]),
        ("a key of a lattice", "solve FILE", with(EXAMPLE, "\"v\": 4", "\"v\": 4, \"w\": 4"), &["unknown key `w`"]),
        ("a key of a game", "solve FILE", with(GAME, "\"moves\"", "\"colour\":1,\"moves\""), &["unknown key `colour` of the game `tic-tac-toe`"]),
        ("a key of a game, twice", "solve FILE", with(GAME, "\"moves\"", "\"moves\":\"1\",\"moves\""), &["`moves` appears twice"]),
        ("a key twice", "solve FILE", with(EXAMPLE, "\"root\": \"r\"", "\"root\": \"r\", \"root\": \"r\""), &["`root` appears twice"]),
        ("text after a problem", "solve FILE", after("problem", b"{}"), &["trailing characters", "line 9"]),
        ("a mark before a problem", "solve FILE", after_mark(EXAMPLE), &["not JSON", "line 1 column 1"]),
        ("names of worlds that are too few", "solve FILE", with(EXAMPLE, "\"root\"", "\"worlds\": [\"a\"], \"root\""), &["`worlds`", "1 name for"]),
        ("probabilities without events", "solve FILE", with(EXAMPLE, "\"root\"", "\"probabilities\": [0.5], \"root\""), &["`probabilities`"]),
        ("a key of outcomes", "packets FILE", with(OUTCOMES, "\"root\"", "\"colour\":1,\"root\""), &["unknown key `colour`"]),
        ("bytes after a binary problem", "solve FILE", after("mapped.mj", b"\0"), &["bytes and says that it has"]),
        ("a key of a certificate", "verify @problem FILE", with(&certificate, "{\"problem\"", "{\"colour\":1,\"problem\""), &["line 2", "colour"]),
        ("text after a certificate", "verify @problem FILE", after("certificate", b"\n"), &["nothing may come after `end`"]),
        ("a word of a step", "verify @problem FILE", with(&certificate, "\nend", " x\nend"), &["`x` leads to no later step"]),
        ("bytes after a packed certificate", "verify @problem FILE", after("packed.gz", b"more"), &["cannot be read"]),
        ("a gate that a binary problem has not", "cuts FILE --top g", files.bytes("mapped.mj"), &["--top names a gate"]),
        ("a word after a probability", "cuts FILE", with(TREE, "= 0.01", "= 0.01 per year"), &["line 3"]),
        ("a mark in a name", "cuts FILE", with(TREE, "pump valve", "pump,valve"), &["line 1", "a mark that names do not have"]),
        ("an event that no gate mentions", "cuts FILE", after_text(TREE, "p4 = 0.1\n"), &["no gate mentions \"p4\""]),
        ("an attribute of a model", "cuts FILE", with(MODEL, "name=\"top\"", "name=\"top\" colour=\"red\""), &["colour"]),
        ("an element of a model", "cuts FILE", with(MODEL, "</opsa-mef>", "<define-CCF-group name=\"g\"/></opsa-mef>"), &["define-CCF-group"]),
        ("a misspelt tag", "ending FILE --tricks 2", with(DEAL, "Declarer", "Declarar"), &["line 2", "\"Declarar\"", "did you mean `Declarer`?"]),
        ("a tag twice", "ending FILE --tricks 2", after_text(DEAL, "[Contract \"4S\"]\n"), &["line 4", "Contract stands twice"]),
        ("text between tags", "ending FILE --tricks 2", with(DEAL, "[Declarer", "South plays\n[Declarer"), &["line 2", "\"South plays\"", "neither a tag nor a comment"]),
        ("a comment without end", "ending FILE --tricks 2", with(DEAL, "[Declarer", "{ so [Declarer"), &["line 2", "has no end"]),
        ("a third word of a weight", "ending @deal --tricks 2 --weights FILE", b"Q98... 3 4\n".to_vec(), &["line 1", "a hand, as in"]),
        ("a weight of a hand that cannot be", "ending @deal --tricks 2 --weights FILE", b"Q98... 3\nAQ8... 1\n".to_vec(), &["line 2", "cannot hold AQ8..."]),
        ("text after weights", "solve @families --heaviest --weights FILE", b"[1,2,3] 4".to_vec(), &["trailing characters"]),
        ("a weight too many", "solve @families --heaviest --weights FILE", b"[1,2,3,4]".to_vec(), &["4", "3"]),
        ("a fourth word of a suit", "suit -", b"AQT98 5432 4 5\n".to_vec(), &["line 1", "a line has the cards"]),
        ("a suit's card that is none", "suit -", b"AQT98 5432\nAQ1 K\n".to_vec(), &["line 2", "1"]),
        ("a word after an address", hosts, b"127.0.0.1:1 x\n".to_vec(), &["is no address"]),
        ("a word before an address", hosts, b"the 127.0.0.1:1\n".to_vec(), &["is no address"]),
        ("an address without a host", hosts, b":4000\n".to_vec(), &["is no address"]),
        ("a secret of few bytes", secret, b"short\n".to_vec(), &["at least 16 bytes"]),
    ] {
        let run = files.run(line, content);
        if line.contains("suit -") {
            // Lines before it have been answered.
            assert_eq!(run.status, Some(2), "{what}: {run:?}");
            assert!(parts.iter().all(|part| run.err.contains(part)), "{what}: {run:?}");
            continue;
        }
        let sentence = refused(&run);
        for part in parts {
            assert!(sentence.contains(part), "{what}, {part}: {sentence}");
        }
    }
}

fn after_mark(text: &str) -> Vec<u8> {
    [b"\xef\xbb\xbf", text.as_bytes()].concat()
}

fn after_text(text: &str, more: &str) -> Vec<u8> {
    [text, more].concat().into_bytes()
}

/// What may be there and changes nothing.
#[test]
#[rustfmt::skip]
fn what_is_passed_over_changes_nothing() {
    let files = Files::new();
    let answered = |line: &str, content: &[u8]| {
        let run = files.run(line, content);
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{line}: {run:?}");
        let mut answer: Value = serde_json::from_str(&run.out).expect("JSON");
        answer["stats"].take();
        answer
    };
    let certificate = String::from_utf8(files.bytes("certificate")).expect("text");
    let (deal, tree) = ("ending FILE --tricks 2 --json", "cuts FILE --json --importance");
    for (what, line, less, more) in [
        ("a note", "solve FILE --json", EXAMPLE, with(EXAMPLE, "\"root\"", "\"note\": \"n\", \"root\"")),
        ("a note of a node", "solve FILE --json", EXAMPLE, with(EXAMPLE, "\"kind\": \"leaf\"", "\"note\": \"n\", \"kind\": \"leaf\"")),
        ("a node that nothing leads to", "solve FILE --json", EXAMPLE, with(EXAMPLE, "\n   {\"id\": \"x\"", "{\"id\": 7, \"kind\": \"leaf\", \"value\": []},\n {\"id\": \"x\"")),
        ("names of worlds", "solve FILE --json", EXAMPLE, with(EXAMPLE, "\"root\"", "\"worlds\": [\"a\",\"b\",\"c\",\"d\"], \"root\"")),
        ("the problem that a certificate names", "verify @problem FILE --json", &*certificate, with(&certificate, "{\"problem\":\"", "{\"problem\":\"0")),
        ("a comment in a fault tree", tree, TREE, with(TREE, "\npump", " # both\n\n# pumps\npump")),
        ("a label of a model", tree, MODEL, with(MODEL, "<or>", "<label>so</label><or>")),
        ("another tag of a deal", deal, DEAL, with(DEAL, "[Declarer", "[Event \"x\"] [Dealer \"N\"]\n[Declarer")),
        ("a section of a deal", deal, DEAL, after_text(DEAL, "[Auction \"N\"]\nPass 1S\n")),
        ("comments in a deal", deal, DEAL, with(DEAL, "[Declarer", "% so\n{so\nand so} ; [Deal \"x\"]\n[Declarer")),
        ("the games after the first", deal, DEAL, after_text(DEAL, "\n[Deal \"N:- - - -\"]\n")),
        ("an empty line of suits", "suit -", "AQT98 5432\n", b"\n\nAQT98 5432\n\n".to_vec()),
    ] {
        assert_eq!(answered(line, less.as_bytes()), answered(line, &more), "{what}");
    }
}
