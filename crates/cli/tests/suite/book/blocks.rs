//! The blocks of code on a page: what is to be run, and what says why it is not.

use std::ops::Range;

/// A console block that is run.
#[derive(Debug, PartialEq)]
pub struct Block {
    /// What a person types at the prompts of its commands.
    pub typed: Vec<String>,
    pub commands: Vec<Shown>,
}

/// A command, and the lines of the page that show what it prints.
#[derive(Debug, PartialEq)]
pub struct Shown {
    pub command: String,
    pub output: Range<usize>,
}

/// What a page has that can be tried, in order.
#[derive(Debug, Default, PartialEq)]
pub struct Page {
    pub blocks: Vec<Block>,
    /// Problem files that are shown whole, with the lines on which they begin.
    pub problems: Vec<(usize, String)>,
}

/// An error says on which line a block is neither run nor excused.
pub fn of(text: &str) -> Result<Page, String> {
    let lines: Vec<&str> = text.lines().collect();
    let Page {
        mut blocks,
        mut problems,
    } = Page::default();
    let (mut remark, mut at) = (None, 0);
    while let Some(&line) = lines.get(at) {
        at += 1;
        let Some(language) = line.trim_start().strip_prefix("```") else {
            if let Some(said) = line.strip_prefix("<!-- ") {
                let mut said = said.to_owned();
                while !said.ends_with("-->") && at < lines.len() {
                    said = said + " " + lines[at];
                    at += 1;
                }
                remark = Some(said.trim_end_matches("-->").trim().to_owned());
            } else if !line.is_empty() {
                lonely(remark.take(), at)?;
            }
            continue;
        };
        let inside = lines[at..].iter().position(|line| line.trim() == "```");
        let inside = inside.ok_or_else(|| format!(", line {at}: a block has no end"))?;
        let (first, end) = (at, at + inside);
        at = end + 1;
        let remark = remark.take();
        match (language, remark.as_deref()) {
            (_, Some(excuse)) if excuse.starts_with("not run: ") => (),
            ("console", remark) => {
                let typed = remark.and_then(|said| said.strip_prefix("typed: "));
                let typed = typed.unwrap_or_default().split_whitespace();
                blocks.push(Block {
                    typed: typed.map(str::to_owned).collect(),
                    commands: commands(&lines, first..end)?,
                });
            }
            ("sh", _) => {
                let of_ours = |line: &&str| line.starts_with(['$', 'm']);
                if lines[first..end].iter().any(of_ours) {
                    return Err(format!(
                        ", line {first}: a block `sh` is not run; make it a block `console`"
                    ));
                }
            }
            ("json", None)
                if lines[first..end]
                    .concat()
                    .contains("\"meetjoin-problem/1\"") =>
            {
                problems.push((first + 1, lines[first..end].join("\n")));
            }
            (_, remark) => lonely(remark.map(str::to_owned), first)?,
        }
    }
    Ok(Page { blocks, problems })
}

/// A remark about a block, and none that could be meant.
fn lonely(remark: Option<String>, line: usize) -> Result<(), String> {
    match remark {
        Some(said) if said.starts_with("not run") || said.starts_with("typed") => Err(format!(
            ", before line {line}: `{said}` stands before no block that could be run"
        )),
        _ => Ok(()),
    }
}

/// Commands begin with a dollar; what follows, up to the next, is what each prints. Those of cargo
/// build something and are left to the reader.
fn commands(lines: &[&str], inside: Range<usize>) -> Result<Vec<Shown>, String> {
    let mut commands: Vec<Shown> = Vec::new();
    for at in inside.clone() {
        if let Some(command) = lines[at].strip_prefix("$ ") {
            commands.push(Shown {
                command: command.to_owned(),
                output: at + 1..at + 1,
            });
        } else if let Some(last) = commands.last_mut() {
            last.output.end = at + 1;
        } else {
            return Err(format!(
                ", line {}: a block `console` begins with `$ ` and a command",
                at + 1
            ));
        }
    }
    let is_cargo = |shown: &Shown| shown.command.starts_with("cargo ");
    if let Some(shown) = commands
        .iter()
        .find(|shown| is_cargo(shown) && !shown.output.is_empty())
    {
        return Err(format!(
            ", line {}: what cargo prints is not looked at",
            shown.output.start
        ));
    }
    commands.retain(|shown| !is_cargo(shown));
    Ok(commands)
}

#[test]
fn commands_have_the_lines_up_to_the_next() {
    let page = "Text\n\n<!-- typed: h q -->\n```console\n$ cargo install\n$ a b\n1\n2\n$ c\n```\n";
    let shown = |command: &str, output| Shown {
        command: command.to_owned(),
        output,
    };
    let expected = Block {
        typed: vec!["h".to_owned(), "q".to_owned()],
        commands: vec![shown("a b", 6..8), shown("c", 9..9)],
    };
    let found = of(page).expect("a page");
    assert_eq!((found.blocks, found.problems), (vec![expected], Vec::new()));
}

#[test]
fn problem_files_are_found() {
    let page = "```json\n{\"format\":\n \"meetjoin-problem/1\"}\n```\n```json\n{}\n```\n";
    let problems = of(page).expect("a page").problems;
    let whole = "{\"format\":\n \"meetjoin-problem/1\"}".to_owned();
    assert_eq!(problems, [(2, whole)]);
}

#[test]
fn what_is_neither_run_nor_excused_is_refused() {
    let excused = "<!-- not run: it takes\nfour minutes -->\n\n```console\nfirst$ a\n```\n";
    assert_eq!(of(excused), Ok(Page::default()));
    for (page, why) in [
        ("```console\nfirst$ a\n```\n", "begins with"),
        ("```console\n$ a\n", "no end"),
        ("```sh\nmeetjoin solve a.json\n```\n", "`sh` is not run"),
        ("<!-- not run: lost -->\nText\n", "before no block"),
        ("<!-- typed: 1 -->\n```json\n{}\n```\n", "before no block"),
        ("```console\n$ cargo test\nok\n```\n", "not looked at"),
    ] {
        let error = of(page).expect_err(page);
        assert!(error.contains(why), "{error}");
    }
}
