//! What `cargo xtask` can be asked for, read from its arguments.

/// One task, with its options.
#[derive(Debug, PartialEq)]
pub(crate) enum Task {
    /// Checks beside the tests: the steps that are always run and those asked for, or one.
    Ci {
        only: Option<String>,
        asked: Vec<String>,
    },
    Fuzz {
        seconds: u32,
        target: Option<String>,
    },
    Attack {
        seconds: u32,
        seed: Option<u64>,
    },
    /// Instruction counts beside those of a file, or written into it.
    Counts {
        file: String,
        write: bool,
    },
    /// A program of the experiments; it parses all other arguments.
    Experiments(&'static str),
    Map,
    /// The mass of each crate, or that of today into its file.
    Mass {
        write: bool,
    },
    Book,
    Man(Option<String>),
    Python,
    Site,
    /// The archive of the program; with `twice` in two folders, which are compared.
    Dist {
        twice: bool,
    },
    /// The command from packed crates, in an empty home.
    Install,
    /// All code under another compiler, other versions, or for another system.
    Check(Check),
    /// The public items of all libraries, or of one, beside those of a revision.
    Semver {
        revision: String,
        package: Option<String>,
    },
    /// Writes the release notes to a file.
    Notes(String),
    Help,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Check {
    Oldest,
    Minimal,
    Windows,
    Macos,
}

/// Steps of `ci` that are run on demand only.
pub(crate) const ASKED_FOR: [&str; 4] = ["--tests", "--python", "--web", "--counts"];

pub(crate) const USAGE: &str = "\
Tasks of the meetjoin workspace.

Usage: cargo xtask ci [--tests] [--python] [--web] [--counts]
       cargo xtask ci --only STEP
       cargo xtask ci --fuzz [SECONDS [TARGET]]
       cargo xtask ci --attack [SECONDS] [--seed N]
       cargo xtask bench [ARGUMENTS]
       cargo xtask bench --baseline FILE [--write]
       cargo xtask suits [FILE] [ARGUMENTS]
       cargo xtask limits memory|curve|draw ARGUMENTS
       cargo xtask endings [ARGUMENTS]
       cargo xtask map
       cargo xtask mass [--write]
       cargo xtask book
       cargo xtask man [FOLDER]
       cargo xtask python
       cargo xtask site
       cargo xtask dist [--twice]
       cargo xtask install
       cargo xtask check oldest|minimal|windows|macos
       cargo xtask semver REVISION [PACKAGE]
       cargo xtask notes FILE

  ci     Everything that must hold beside the tests: format, layers, circles, mass, documents, workflows, deny, clippy, rustdoc, examples, package;
         --tests adds the tests, --python the Python package, --web the pages of the site in a browser, --counts the instruction counts of benches/counts.json,
         --only runs the step with this name, --fuzz each target of fuzz/ for 20 seconds, or so many,
         --attack each attack on the release program likewise: random trees, damaged files, command lines, kills, strangers, limits
  bench  The experiments: every algorithm on the games of the papers, with a report of tables and plots; 'cargo xtask bench --help' lists the arguments;
         --baseline counts the instructions of twenty commands by callgrind and fails where one takes 3 % more than the file says; --write writes the file
  suits  The book of all suits at bridge, for 'meetjoin suit --book'; 'cargo xtask suits --help' lists the arguments
  limits Whether limits on memory hold for every command and algorithm, and what they cost, as a table and a plot;
         'cargo xtask limits --help' lists the arguments
  endings How long random endings at bridge take; 'cargo xtask endings --help' lists the arguments
  map    The tables of the architecture page and of the code map, from the first lines of all files
  mass   Lines, public types, error types and build seconds of each crate; --write records them in mass.json, which the gate holds all changes to
  book   What commands print, written into the pages that show it
  man    Manual pages of all commands, from the release program, in target/man or in a folder
  python The Python package: a wheel and a source archive, installed into an empty environment, with tests, types and examples
  site   The book, and the pages on which one tries meetjoin in a browser, in target/site
  dist   The program with manual pages, completions and licences as an archive, its checksum and what it is made of, in target/dist;
         --twice builds it in two folders and fails unless both archives are the same to the byte
  install The command from packed crates into an empty home, as 'cargo install' does it from crates.io, timed and tried
  check  All code under the oldest compiler that is promised, with the oldest versions of dependencies, or for another system
  semver The public items of the libraries, or of one, beside those of a revision, such as the tag of the last release
  notes  What CHANGELOG.md says of this version, into a file
";

/// Reads the arguments. An error is a sentence.
pub(crate) fn parse(words: &[&str]) -> Result<Task, String> {
    let task = match words {
        ["bench", "--baseline", file] => Task::Counts {
            file: (*file).to_owned(),
            write: false,
        },
        ["bench", "--baseline", file, "--write"] => Task::Counts {
            file: (*file).to_owned(),
            write: true,
        },
        ["bench", rest @ ..] if rest.contains(&"--baseline") => {
            return Err("it is written bench --baseline FILE [--write]".to_owned());
        }
        ["bench", ..] => Task::Experiments("meetjoin-experiments"),
        ["suits", ..] => Task::Experiments("suits"),
        ["limits", ..] => Task::Experiments("limits"),
        ["endings", ..] => Task::Experiments("endings"),
        ["map"] => Task::Map,
        ["mass"] => Task::Mass { write: false },
        ["mass", "--write"] => Task::Mass { write: true },
        ["book"] => Task::Book,
        ["site"] => Task::Site,
        ["man"] => Task::Man(None),
        ["man", folder] => Task::Man(Some((*folder).to_owned())),
        ["python"] => Task::Python,
        ["dist"] => Task::Dist { twice: false },
        ["dist", "--twice"] => Task::Dist { twice: true },
        ["install"] => Task::Install,
        ["check", "oldest"] => Task::Check(Check::Oldest),
        ["check", "minimal"] => Task::Check(Check::Minimal),
        ["check", "windows"] => Task::Check(Check::Windows),
        ["check", "macos"] => Task::Check(Check::Macos),
        ["semver", revision, package @ ..] if package.len() <= 1 => Task::Semver {
            revision: (*revision).to_owned(),
            package: package.first().map(|package| (*package).to_owned()),
        },
        ["notes", file] => Task::Notes((*file).to_owned()),
        ["ci", "--only", step] => one_step(step),
        ["ci", only] if only.starts_with("--only=") => one_step(&only["--only=".len()..]),
        ["ci", "--fuzz", rest @ ..] if rest.len() <= 2 => Task::Fuzz {
            seconds: rest.first().map_or(Ok(20), |word| number(word))?,
            target: rest.get(1).map(|target| (*target).to_owned()),
        },
        ["ci", "--attack", rest @ ..] => attack(rest)?,
        ["ci", asked @ ..] if asked.iter().all(|word| ASKED_FOR.contains(word)) => Task::Ci {
            only: None,
            asked: asked.iter().map(|word| (*word).to_owned()).collect(),
        },
        [.., "-h" | "--help"] | ["help"] => Task::Help,
        _ => return Err(format!("there is no task {:?}", words.join(" "))),
    };
    Ok(task)
}

fn one_step(step: &str) -> Task {
    Task::Ci {
        only: Some(step.to_owned()),
        asked: Vec::new(),
    }
}

/// Parses the arguments after `--attack`: seconds for each attack, and the seed.
fn attack(words: &[&str]) -> Result<Task, String> {
    let (seconds, rest) = match words {
        [seconds, rest @ ..] if *seconds != "--seed" => (number(seconds)?, rest),
        rest => (20, rest),
    };
    let seed = match rest {
        [] => None,
        ["--seed", seed] => Some(number(seed)?),
        _ => return Err("it is written --attack [SECONDS] [--seed N]".to_owned()),
    };
    Ok(Task::Attack { seconds, seed })
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{word:?} is no number"))
}

#[test]
fn arguments_are_read_or_refused() {
    let asked = |words: &[&str]| Task::Ci {
        only: None,
        asked: words.iter().map(|word| (*word).to_owned()).collect(),
    };
    assert_eq!(parse(&["ci"]), Ok(asked(&[])));
    assert_eq!(parse(&["ci", "--web"]), Ok(asked(&["--web"])));
    assert_eq!(parse(&["ci", "--only=deny"]), Ok(one_step("deny")));
    let fuzz = |seconds, target: Option<&str>| Task::Fuzz {
        seconds,
        target: target.map(str::to_owned),
    };
    assert_eq!(parse(&["ci", "--fuzz"]), Ok(fuzz(20, None)));
    let words = ["ci", "--fuzz", "5", "deals"];
    assert_eq!(parse(&words), Ok(fuzz(5, Some("deals"))));
    let words = ["ci", "--attack", "--seed", "3"];
    let attack = Task::Attack {
        seconds: 20,
        seed: Some(3),
    };
    assert_eq!(parse(&words), Ok(attack));
    let counts = Task::Counts {
        file: "a".to_owned(),
        write: true,
    };
    assert_eq!(parse(&["bench", "--baseline", "a", "--write"]), Ok(counts));
    assert_eq!(
        parse(&["bench", "--panel", "x"]),
        Ok(Task::Experiments("meetjoin-experiments"))
    );
    let semver = |package: Option<&str>| Task::Semver {
        revision: "v0.1.0".to_owned(),
        package: package.map(str::to_owned),
    };
    assert_eq!(parse(&["semver", "v0.1.0"]), Ok(semver(None)));
    let words = ["semver", "v0.1.0", "meetjoin-dag"];
    assert_eq!(parse(&words), Ok(semver(Some("meetjoin-dag"))));
    for refused in [
        &["ci", "--fast"][..],
        &["semver"],
        &["semver", "v0.1.0", "meetjoin-dag", "meetjoin-lattice"],
        &["ci", "--fuzz", "long"],
        &["bench", "--baseline"],
        &["check", "amiga"],
        &["dist", "--thrice"],
        &[],
    ] {
        assert!(parse(refused).is_err(), "{refused:?}");
    }
}

#[test]
fn the_usage_names_every_task() {
    let named = USAGE.lines().filter_map(|line| {
        line.split_once("cargo xtask ")?
            .1
            .split(' ')
            .next()
            .filter(|_| !line.contains('\''))
    });
    for name in named.collect::<std::collections::BTreeSet<_>>() {
        let tries: [&[&str]; 4] = [
            &[name],
            &[name, "x"],
            &[name, "oldest"],
            &[name, "--baseline", "x"],
        ];
        assert!(tries.iter().any(|words| parse(words).is_ok()), "{name}");
        assert!(USAGE.contains(&format!("\n  {name} ")), "{name}");
    }
}
