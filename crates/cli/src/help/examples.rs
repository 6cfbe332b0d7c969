//! Two examples for each command, which its help and its manual page show, and which a test runs.

/// The name of a command, and below it what each example does, and the line. `..` stands for any
/// command that takes games. Files whose names begin with `examples/` are in the repository; all
/// others are made.
const EXAMPLES: &str = include_str!("examples.txt");

/// What each example below a name does, and the line.
fn below(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = EXAMPLES.lines().skip_while(move |line| *line != name);
    let mut lines = lines.skip(1).map_while(|line| line.strip_prefix("  "));
    std::iter::from_fn(move || Some((lines.next()?, lines.next()?.trim_start())))
}

/// The examples of a command, by the names that lead to it.
pub(crate) fn of(path: &[&str]) -> Vec<(&'static str, String)> {
    let [before @ .., last] = path else {
        return Vec::new();
    };
    let own: Vec<_> = below(&path.join(" "))
        .map(|(says, line)| (says, line.to_owned()))
        .collect();
    if !own.is_empty() {
        return own;
    }
    let before = before.join(" ");
    let line = |(says, line): (_, &str)| (says, line.replacen("..", &before, 1));
    below(&format!(".. {last}")).map(line).collect()
}
