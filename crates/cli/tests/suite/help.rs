//! What the command says of itself: groups, examples, lines as wide as the terminal, names that
//! were meant, completions, manual pages, versions, colours, and the line while it works.

use std::collections::BTreeSet;
use std::process::Command;

use crate::book::shell::Place;
use crate::book::{compare, root};
use crate::support::{Run, Scratch, command, finish, meetjoin, one_sentence, start};

/// The help of a command at a width.
fn help(path: &[String], width: usize) -> String {
    let args: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
    let mut command = command(&args);
    let run = finish(start(command.env("COLUMNS", width.to_string())), b"");
    assert_eq!((run.status, &*run.err), (Some(0), ""), "{path:?}");
    run.out
}

/// The commands that the help of one lists: those of its groups, or below `Commands:`.
fn listed(help: &str) -> Vec<String> {
    let mut is_list = false;
    let mut names = Vec::new();
    for line in help.lines() {
        if line.ends_with(':') && !line.starts_with(' ') {
            is_list = !matches!(line, "Arguments:" | "Examples:");
        }
        let name = line
            .strip_prefix("  ")
            .filter(|rest| !rest.starts_with([' ', '-']));
        if let (true, Some(name)) = (is_list, name) {
            names.extend(name.split_whitespace().next().map(str::to_owned));
        }
    }
    names.retain(|name| name != "help");
    names
}

/// Every command with those below it.
fn commands() -> Vec<Vec<String>> {
    let (mut all, mut left) = (Vec::new(), vec![Vec::new()]);
    while let Some(path) = left.pop() {
        for name in listed(&help(&path, 100)) {
            left.push([&*path, &[name]].concat());
        }
        all.push(path);
    }
    all
}

/// The lines to type of a help, each whole.
fn examples(help: &str) -> Vec<String> {
    let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_default();
    let mut lines: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in examples.lines() {
        let Some(typed) = line.strip_prefix("    ") else {
            continue;
        };
        let (typed, more) = match typed.trim().strip_suffix('\\') {
            Some(typed) => (typed.trim(), true),
            None => (typed.trim(), false),
        };
        match lines.last_mut() {
            Some(last) if goes_on => *last = format!("{last} {typed}"),
            _ => lines.push(typed.to_owned()),
        }
        goes_on = more;
    }
    lines
}

#[test]
fn help_keeps_to_the_width_and_breaks_no_word() {
    let commands = commands();
    assert!(commands.len() > 40, "{commands:?}");
    for path in &commands {
        let words = |width: usize| {
            let help = help(path, width);
            for line in help.lines() {
                assert!(line.chars().count() <= width, "{path:?} at {width}: {line}");
            }
            let words = help.split_whitespace().filter(|word| *word != "\\");
            words.map(str::to_owned).collect::<Vec<String>>()
        };
        let widest = words(100);
        for width in [60, 80] {
            assert_eq!(words(width), widest, "{path:?} at {width}");
        }
    }
}

#[test]
fn every_command_has_two_examples_and_they_run() {
    let place = Place::new(&root());
    let mut seen = BTreeSet::new();
    for path in commands().iter().filter(|path| !path.is_empty()) {
        // Only its games are commands.
        if path.len() == 1 && path[0] == "man" {
            continue;
        }
        let narrow = examples(&help(path, 60));
        assert_eq!(narrow, examples(&help(path, 100)), "{path:?}");
        assert_eq!(narrow.len(), 2, "{path:?}");
        let name = format!("meetjoin {}", path.join(" "));
        assert!(
            narrow.iter().any(|line| line.starts_with(&name)),
            "{narrow:?}"
        );
        for line in narrow {
            if seen.insert(line.clone()) {
                let (printed, status) = place.run(&line, &[]);
                assert_eq!(status, Some(0), "{line}: {printed:?}");
                assert_eq!(compare::too_wide(&line, &printed), None, "{line}");
            }
        }
    }
    assert!(seen.len() > 60, "{seen:?}");
}

/// A line that goes on does so further to the right than it began, and than what comes below it.
#[test]
fn lines_that_go_on_are_indented() {
    let suit = meetjoin(&["suit", "AQT98", "5432"], "").out;
    let step = "            if West plays small and East plays the jack or shows out, lead small\n\
                \u{20}               from South to the eight, then play from the top\n";
    assert!(suit.contains(step), "{suit}");
    let worlds: Vec<String> = (100..160).map(|world| world.to_string()).collect();
    let lattice = r#"{"type":"powerset","v":160}"#;
    let set = format!("[{}]", worlds.join(","));
    let out = meetjoin(&["solve", "-", "-v"], crate::support::leaf(lattice, &set)).out;
    let (first, rest) = out.split_once('\n').expect("lines");
    assert!(first.starts_with("value        {100,101,"), "{out}");
    let rest: Vec<&str> = rest
        .lines()
        .take_while(|line| line.starts_with(' '))
        .collect();
    assert!(rest.len() > 2, "{out}");
    let indent = " ".repeat("value        ".len() + 4) + "1";
    assert!(rest.iter().all(|line| line.starts_with(&indent)), "{out}");
    let all: Vec<&str> = std::iter::once(first).chain(rest).map(str::trim).collect();
    assert!(
        all.concat().ends_with(&format!("{{{}}}", worlds.join(","))),
        "{out}"
    );
    for line in out.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn options_stand_below_headings() {
    let sections = |command: &str| {
        let help = help(
            &command.split(' ').map(str::to_owned).collect::<Vec<_>>(),
            100,
        );
        let mut sections: Vec<(String, Vec<String>)> = Vec::new();
        for line in help.lines() {
            if line.ends_with(':') && !line.starts_with(' ') {
                sections.push((line.trim_end_matches(':').to_owned(), Vec::new()));
            }
            let option = line.trim().split(", ").find(|word| word.starts_with("--"));
            let option = option.and_then(|option| option.split([' ', '[', '=']).next());
            if let (Some(option), Some((_, options))) = (option, sections.last_mut()) {
                options.push(option.to_owned());
            }
        }
        move |heading: &str| {
            let section = sections.iter().find(|(name, _)| name == heading);
            section
                .map(|(_, options)| options.join(" "))
                .unwrap_or_default()
        }
    };
    for command in ["solve", "racing", "random"] {
        let of = sections(command);
        assert_eq!(
            of("Limits"),
            "--max-visits --max-seconds --max-memory",
            "{command}"
        );
        assert_eq!(
            of("Checkpoints"),
            "--checkpoint --every --resume",
            "{command}"
        );
        assert_eq!(
            of("Families of sets"),
            "--levels --heaviest --top --weights",
            "{command}"
        );
        assert_eq!(
            of("For experiments"),
            "--events --count-nodes --without",
            "{command}"
        );
        let answer = "--json --moves --watch --explain --strategy --refutation --strategy-file \
                      --certificate --verbose";
        assert_eq!(of("Answer"), answer, "{command}");
    }
    let of = sections("generate racing");
    assert_eq!(of("Output"), "--dot --compact");
    assert_eq!(of("Limits"), "--max-seconds --max-memory");
    assert!(of("Options").starts_with("--deck ") && !of("Options").contains("--dot"));
    let ending = meetjoin(&["ending", "--help"], "").out;
    for words in [
        "--tricks <K> [OPTIONS] <HANDS>...",
        "--rules <RULES> [OPTIONS] <HANDS>...",
        "At most eight tricks",
    ] {
        assert!(ending.contains(words), "{ending}");
    }
}

/// The answer comes alone; how it was found is told to those who ask.
#[test]
fn counters_and_times_are_told_to_those_who_ask() {
    let scratch = Scratch::new("verbose");
    let problem = scratch.file("example.json", crate::support::EXAMPLE);
    let outcomes = root().join("examples/choice.json").display().to_string();
    let tree = scratch.file("tree.txt", "t = or a b\na = 0.1\nb = 0.1\n");
    let racing = "racing --deck 8 --goal 2 --hand-size 3 --seed 1 --lattice families";
    for (line, key) in [
        ("solve PROBLEM".to_owned(), "visits "),
        ("solve PROBLEM --max-visits 1".to_owned(), "visits "),
        ("prove PROBLEM --at-least [2]".to_owned(), "visits "),
        ("packets OUTCOMES".to_owned(), "visits "),
        (racing.to_owned(), "visits "),
        (format!("{racing} --heaviest"), "passes "),
        (
            "random --depth 3 --branching 2 --variables 4 --lattice powerset --seed 1".to_owned(),
            "visits ",
        ),
        ("play tic-tac-toe --moves 5".to_owned(), "visits "),
        ("cuts TREE".to_owned(), "diagrams "),
        ("cluster solve PROBLEM".to_owned(), "4 nodes "),
    ] {
        let args: Vec<&str> = line
            .split(' ')
            .map(|word| match word {
                "PROBLEM" => &problem,
                "OUTCOMES" => &outcomes,
                "TREE" => &tree,
                word => word,
            })
            .collect();
        let [brief, long] = [&[][..], &["--verbose"]].map(|more| {
            let run = meetjoin(&[&args, more].concat(), "");
            assert!(
                matches!(run.status, Some(0 | 3)) && run.err.is_empty(),
                "{run:?}"
            );
            run.out
        });
        let is_told = |out: &str, key: &str| out.lines().any(|line| line.starts_with(key));
        assert!(
            is_told(&long, key) && !is_told(&brief, key),
            "{line}: {brief}{long}"
        );
        let words = |out: &str| {
            out.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let (brief, long) = (words(&brief), words(&long));
        assert!(
            long.starts_with(&brief) && long.len() > brief.len(),
            "{line}: {brief:?} {long:?}"
        );
    }
    for line in [
        "cuts TREE --csv -v",
        "cuts TREE --open-psa -v",
        "play tic-tac-toe --interactive -v",
    ] {
        let line = line.replace("TREE", &tree);
        let args: Vec<&str> = line.split(' ').collect();
        assert!(
            one_sentence(&meetjoin(&args, ""), 2).contains("--verbose"),
            "{line}"
        );
    }
}

#[test]
fn without_a_command_the_groups_are_shown() {
    let Run { status, out, err } = meetjoin(&[], "");
    assert_eq!((status, &*out), (Some(2), ""));
    assert_eq!(err, meetjoin(&["--help"], "").out);
    let groups = [
        "Solve problems:\n  solve ",
        "Games:\n  play ",
        "Bridge:\n  suit ",
        "Fault and attack trees:\n  cuts ",
        "Files:\n  check ",
        "Experiments:\n  racing ",
    ];
    let places = groups.map(|group| err.find(group).expect(group));
    assert!(places.is_sorted(), "{err}");
    for (line, words) in [("play", "connect-four"), ("cluster", "solve")] {
        let run = meetjoin(&[line], "");
        assert_eq!((run.status, &*run.out), (Some(2), ""));
        assert!(run.err.contains(words), "{run:?}");
    }
}

#[test]
#[rustfmt::skip]
fn near_misses_name_what_was_meant() {
    let scratch = Scratch::new("near");
    let file = scratch.file("example.json", crate::support::EXAMPLE);
    let near = scratch.path("exmaple.json");
    let tree = scratch.file("shop.txt", "attribute cost sum\nr = or a b\na cost=1\nb cost=2\n");
    for (line, sentence) in [
        ("sole", "unrecognized subcommand 'sole' (did you mean `solve`? see meetjoin --help)".to_owned()),
        ("frobnicate", "unrecognized subcommand 'frobnicate' (see meetjoin --help)".to_owned()),
        ("play conect-four", "unrecognized subcommand 'conect-four' (did you mean `connect-four`? see meetjoin play --help)".to_owned()),
        ("cuts FILE --lst", "unexpected argument '--lst' found (did you mean `--list`? see meetjoin cuts --help)".to_owned()),
        ("racing --lattice famlies", "invalid value 'famlies' for '--lattice <LATTICE>' [possible values: powerset, families] (did you mean `families`? see meetjoin racing --help)".to_owned()),
        ("cluster solve --up-to-symmetry tic-tac-toe", "unexpected argument '--up-to-symmetry' found (it belongs after tic-tac-toe; see meetjoin cluster solve tic-tac-toe --help)".to_owned()),
        ("cluster solve tic-tac-toe --workers 2", "unexpected argument '--workers' found (it belongs before tic-tac-toe; see meetjoin cluster solve --help)".to_owned()),
        ("help sole", "unrecognized subcommand 'sole' (did you mean `solve`? see meetjoin --help)".to_owned()),
        ("solve NEAR", format!("{near}: there is no such file (did you mean `{file}`?)")),
    ] {
        let args: Vec<&str> = line.split(' ').map(|word| match word {
            "FILE" => &file,
            "NEAR" => &near,
            word => word,
        }).collect();
        assert_eq!(one_sentence(&meetjoin(&args, ""), 2), sentence);
    }
    for (line, begin) in [
        ("generate conect-four", "there is no game and no file \"conect-four\" (did you mean `connect-four`?); games are racing, "),
        ("generate chess", "there is no game and no file \"chess\"; games are racing, "),
        ("generate atack-tree", "there is no game and no file \"atack-tree\" (did you mean `attack-tree`?)"),
        ("cluster solve tictactoe", "there is no game and no file \"tictactoe\" (did you mean `tic-tac-toe`?); games are racing, "),
        ("solve FILE --algorithm minimx", "there is no algorithm \"minimx\" (did you mean `minimax`?); there are minimax, "),
        ("attacks TREE --best cots", "TREE: there is no attribute \"cots\": the tree has cost (did you mean `cost`?)"),
    ] {
        let args: Vec<&str> = line.split(' ').map(|word| match word {
            "FILE" => &file,
            "TREE" => &tree,
            word => word,
        }).collect();
        let run = meetjoin(&args, "");
        let begin = begin.replace("TREE", &tree);
        assert!(one_sentence(&run, 2).starts_with(&begin), "{run:?}");
    }
    // Names in files.
    let lattice = r#"{"format":"meetjoin-problem/1","lattice":{"type":"powerst","v":4},"root":1,"nodes":[]}"#;
    for (problem, words) in [
        (lattice.to_owned(), "unknown lattice `powerst` (did you mean `powerset`?); there are `bool`"),
        (crate::support::leaf(r#"{"type":"bool"}"#, "true").replace("leaf", "laef"), "unknown kind \"laef\" (did you mean `leaf`?), expected"),
        (r#"{"format":"meetjoin-problem/1","game":"conect-four"}"#.to_owned(), "unknown game `conect-four` (did you mean `connect-four`?); there are `racing`"),
        (r#"{"format":"meetjoin-problem/1","game":"connect-four","colums":4}"#.to_owned(), "unknown key `colums` of the game `connect-four` (did you mean `columns`?)"),
    ] {
        let run = meetjoin(&["solve", "-"], problem);
        assert!(one_sentence(&run, 2).contains(words), "{run:?}");
    }
}

#[test]
fn shells_complete_what_is_typed() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = meetjoin(&["completions", shell], "");
        assert_eq!((run.status, &*run.err), (Some(0), ""), "{shell}");
        assert!(run.out.contains("max-seconds"), "{shell}");
    }
    let scratch = Scratch::new("completions");
    let script = scratch.file("meetjoin.bash", meetjoin(&["completions", "bash"], "").out);
    let completed = |words: &[&str]| {
        let line = format!(
            "source {script}; COMP_WORDS=(meetjoin {}); COMP_CWORD={}; _meetjoin meetjoin '{}' '{}'; echo \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words.len(),
            words.last().unwrap_or(&""),
            words
                .len()
                .checked_sub(2)
                .map_or("meetjoin", |before| words[before]),
        );
        let done = Command::new("bash")
            .args(["-c", &line])
            .output()
            .expect("bash runs");
        assert!(done.stderr.is_empty(), "{done:?}");
        String::from_utf8(done.stdout)
            .expect("UTF-8")
            .trim()
            .to_owned()
    };
    assert_eq!(completed(&["so"]), "solve");
    assert_eq!(completed(&["cuts", "--most"]), "--most-probable");
    assert_eq!(completed(&["play", "con"]), "connect-four");
}

#[test]
fn every_command_has_a_manual_page() {
    let scratch = Scratch::new("man");
    let folder = scratch.path("pages");
    let run = meetjoin(&["man", &folder], "");
    assert_eq!((run.status, &*run.out, &*run.err), (Some(0), "", ""));
    let mut expected: Vec<String> = commands()
        .iter()
        .map(|path| [&["meetjoin".to_owned()], &**path].concat().join("-") + ".1")
        .collect();
    expected.sort();
    let pages = std::fs::read_dir(&folder).expect("a folder");
    let pages = pages.map(|page| page.expect("a page").file_name().into_string());
    let mut pages: Vec<String> = pages.collect::<Result<_, _>>().expect("UTF-8");
    pages.sort();
    assert_eq!(pages, expected);
    for page in pages {
        let text = std::fs::read_to_string(format!("{folder}/{page}")).expect("a page");
        for section in [
            ".TH ",
            ".SH NAME\n",
            ".SH SYNOPSIS\n",
            ".SH DESCRIPTION\n",
            ".SH \"EXIT STATUS\"\n",
        ] {
            assert!(text.contains(section), "{page} has no {section}");
        }
        let examples = text.matches("\n.nf\n").count();
        assert_eq!(examples, if page == "meetjoin.1" { 0 } else { 2 }, "{page}");
        assert!(!text.contains('\u{1b}'), "{page}");
    }
}

#[test]
fn a_version_says_what_a_report_needs() {
    let short = meetjoin(&["--version"], "").out;
    let long = meetjoin(&["--version", "--verbose"], "");
    assert_eq!((long.status, &*long.err), (Some(0), ""));
    let rest = long.out.strip_prefix(&short).expect("the version first");
    let keys: Vec<&str> = rest
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(key, _)| key)
        .collect();
    let expected = [
        "commit",
        "target",
        "compiler",
        "profile",
        "features",
        "processor",
        "system",
        "cores",
    ];
    assert_eq!(keys, expected);
    assert!(rest.contains("compiler   rustc 1."), "{rest}");
    assert_eq!(meetjoin(&["-V", "-v"], "").out, long.out);
    let alone = meetjoin(&["--verbose"], "");
    assert!(one_sentence(&alone, 2).contains("--version"), "{alone:?}");
}

#[test]
fn colours_are_shown_where_they_are_seen() {
    let plain = meetjoin(&["solve", "-"], crate::support::EXAMPLE).out;
    assert!(plain.starts_with("value  {1,2}\n"), "{plain}");
    let with = |name: &str, args: &[&str]| {
        let mut command = command(args);
        command.env_remove("NO_COLOR").env(name, "1");
        finish(start(&mut command), crate::support::EXAMPLE.as_bytes())
    };
    let painted = with("CLICOLOR_FORCE", &["solve", "-"]).out;
    assert!(
        painted.starts_with("value  \u{1b}[1m\u{1b}[32m{1,2}\u{1b}[0m\n"),
        "{painted:?}"
    );
    let bounds = with("CLICOLOR_FORCE", &["solve", "-", "--max-visits", "1"]).out;
    assert!(
        bounds.starts_with("lower bound  \u{1b}[1m\u{1b}[33m{1,2}\u{1b}[0m\n"),
        "{bounds:?}"
    );
    let failed = with("CLICOLOR_FORCE", &["sole"]).err;
    assert!(
        failed.starts_with("\u{1b}[1m\u{1b}[31mmeetjoin:\u{1b}[0m "),
        "{failed:?}"
    );
    let help = with("CLICOLOR_FORCE", &["--help"]).out;
    assert!(help.contains("\u{1b}[1m\u{1b}[4mBridge:"), "{help:?}");
    for args in [&["solve", "-"][..], &["--help"], &["sole"]] {
        let run = with("NO_COLOR", args);
        assert!(!(run.out + &run.err).contains('\u{1b}'), "{args:?}");
    }
    let json = with("CLICOLOR_FORCE", &["solve", "-", "--json"]).out;
    assert!(!json.contains('\u{1b}'), "{json}");
}

/// What a terminal gets to see.
#[cfg(target_os = "linux")]
fn on_a_terminal(line: &str, variables: &[(&str, &str)]) -> String {
    let line = format!("{} {line}", env!("CARGO_BIN_EXE_meetjoin"));
    let mut script = Command::new("script");
    script
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR");
    script.envs(variables.iter().copied());
    finish(start(&mut script), b"").out
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_how_far_a_search_is() {
    let scratch = Scratch::new("terminal");
    let tree = "generate fault-tree --events 600 --gates 550 --seed 11";
    let tree = meetjoin(&tree.split(' ').collect::<Vec<&str>>(), "");
    let tree = scratch.file("tree.json", tree.out);
    // Each takes many seconds on any machine; the ending over a minute.
    for (line, words) in [
        (
            "play connect-four --max-seconds 1.5",
            &["1 s | ", "visits", " MiB"][..],
        ),
        (
            "racing --deck 24 --goal 5 --hand-size 8 --seed 1 --lattice families --algorithm minimax-cached --max-seconds 1.5",
            &["1 s | value from "],
        ),
        (
            "ending A754.K64.. J82.Q53.J. KQT963.AJT9872.K. --tricks 3 --lead E --max-seconds 3",
            &["1 s | chance from ", "visits"],
        ),
        (
            &format!("cuts {tree} --max-seconds 1.5"),
            &["1 s | module "],
        ),
    ] {
        let seen = on_a_terminal(line, &[]);
        for word in words {
            assert!(seen.contains(word), "{word}: {seen:?} for {line}");
        }
    }
    let quick = on_a_terminal("suit AQT98 5432", &[]);
    assert!(!quick.contains(" s | "), "{quick:?}");
    // Colours, unless somebody does not want them.
    let file = scratch.file("example.json", crate::support::EXAMPLE);
    let seen = on_a_terminal(&format!("solve {file}"), &[]);
    assert!(seen.contains("\u{1b}[32m{1,2}"), "{seen:?}");
    let seen = on_a_terminal(&format!("solve {file}"), &[("NO_COLOR", "1")]);
    assert!(seen.contains("value  {1,2}"), "{seen:?}");
}
