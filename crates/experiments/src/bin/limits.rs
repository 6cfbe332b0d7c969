//! Measures the cost of memory limits, and whether they hold; `cargo xtask limits` starts it.
//!
//! `memory` runs every command and every algorithm under a limit, each as a process, and prints the
//! most memory that was resident, as a table. `curve` solves problems with less memory than they
//! take without a limit, prints a table, and plots the cost in visits and CPU time. `draw` plots
//! such a table again.

#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::{Args, Parser, Subcommand};
use meetjoin_report::picture::with_colours;
use plotters::prelude::*;
use serde_json::Value;
use wait4::Wait4 as _;

#[cfg(test)]
#[path = "../help.rs"]
mod help;

/// What limits on memory cost, and whether they hold.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask limits", bin_name = "cargo xtask limits")]
struct CommandLine {
    #[command(subcommand)]
    command: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Run every command and every algorithm under a limit, and print what was resident.
    Memory(MemoryArgs),
    /// Solve problems under smaller and smaller limits, and draw what that costs.
    Curve(CurveArgs),
    /// Draw the table of `curve` that stands on a page, without runs.
    Draw(DrawArgs),
}

#[derive(Args, Debug)]
struct MemoryArgs {
    /// The program, as `cargo build --release -p meetjoin-cli` makes it.
    program: PathBuf,
    /// The limit, in MiB.
    #[arg(long, default_value_t = 64)]
    limit: u64,
    /// The most seconds of a run.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
}

#[derive(Args, Debug)]
struct CurveArgs {
    /// The program, as `cargo build --release -p meetjoin-cli` makes it.
    program: PathBuf,
    /// Where the plot goes.
    #[arg(default_value = "memory-limits.svg")]
    plot: PathBuf,
    /// The most seconds of a run.
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
}

#[derive(Args, Debug)]
struct DrawArgs {
    /// The page with the table.
    page: PathBuf,
    /// Where the plot goes.
    #[arg(default_value = "memory-limits.svg")]
    plot: PathBuf,
}

type Failed = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let done = match CommandLine::parse().command {
        Task::Memory(args) => memory(&args),
        Task::Curve(args) => curve(&args),
        Task::Draw(args) => redraw(&args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("limits: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A run that has ended.
struct Ran {
    out: String,
    status: Option<i32>,
    /// CPU time, user and system.
    seconds: f64,
    /// The most that was resident.
    bytes: u64,
}

/// Bytes of the output that are kept.
const HEAD: u64 = 1 << 24;

fn run(program: &Path, args: &[String]) -> Result<Ran, Failed> {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut head = Vec::new();
    if let Some(mut out) = child.stdout.take() {
        out.by_ref().take(HEAD).read_to_end(&mut head)?;
        std::io::copy(&mut out, &mut std::io::sink())?;
    }
    let used = child.wait4()?;
    Ok(Ran {
        out: String::from_utf8_lossy(&head).into_owned(),
        status: used.status.code(),
        seconds: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        bytes: used.rusage.maxrss,
    })
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// The lines of a text, each a name and its definition.
fn named(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.split_once(": "))
}

/// Problems, each with the command that makes it, which is run without a limit.
const FILES: &str = "\
families.json: generate random --depth 12 --branching 6 --variables 10 --seed 1 --lattice families
sets.json: generate random --depth 14 --branching 8 --variables 12 --seed 1 --lattice powerset
numbers.json: generate uniform --depth 8 --branching 5 --most 100 --seed 1
connect-four.json: generate connect-four --compact
kalah.json: generate kalah --compact --pits 6 --seeds 4
hexapawn.json: generate hexapawn --compact --columns 4 --rows 5 --lattice product
outcomes.json: generate criteria --depth 9 --branching 3 --criteria 3 --most 40 --seed 1 --lattice dominance
fault-tree.json: generate fault-tree --compact --events 120 --gates 90 --seed 3
";

/// An ending of eight cards.
const ENDING: &str = "[Deal \"N:AJ2.A32.5.2 Q98.K4.KJ.3 KT3.Q5.A4.4 765.J9.Q3.5\"]\n[Declarer \"S\"]\n[Contract \"3NT\"]\n";

/// Commands, with their names; some use files that earlier ones have written. `DIR` is the folder
/// with the files, `ALGORITHM` each algorithm in turn.
const COMMANDS: &str = "\
convert: convert DIR/sets.json DIR/sets.mj
solve, families: solve DIR/families.json --algorithm ALGORITHM
solve, sets: solve DIR/sets.json --algorithm ALGORITHM
solve, numbers: solve DIR/numbers.json --algorithm ALGORITHM
solve, Connect Four: solve DIR/connect-four.json --algorithm ALGORITHM
racing, families: racing --deck 24 --goal 5 --hand-size 8 --seed 2 --lattice families --algorithm ALGORITHM
racing, sets: racing --deck 26 --goal 6 --hand-size 9 --seed 1 --lattice powerset --algorithm ALGORITHM
racing, two threads: racing --deck 26 --goal 6 --hand-size 9 --seed 1 --lattice powerset --algorithm alpha-beta-duo-plain --threads 2
racing, 9.7 million worlds: racing --deck 40 --goal 7 --hand-size 13 --seed 3 --lattice families --moves
racing, heaviest set: racing --deck 30 --goal 6 --hand-size 10 --seed 1 --lattice families --heaviest
solve, Kalah, moves: solve DIR/kalah.json --moves
solve, Hexapawn: solve DIR/hexapawn.json
solve, binary file: solve DIR/sets.mj
solve, certificate: solve DIR/sets.json --certificate DIR/certificate.gz
solve, checkpoint: solve DIR/connect-four.json --checkpoint DIR/check --resume
random: random --depth 15 --branching 8 --variables 12 --seed 1 --lattice families
prove, df-pn: prove DIR/connect-four.json --at-least 1 --algorithm df-pn
prove, proof-number: prove DIR/connect-four.json --at-least 1 --algorithm proof-number
verify: verify DIR/sets.json DIR/certificate.gz
trace: trace DIR/families.json --html DIR/trace.html
packets: packets DIR/outcomes.json
cuts: cuts DIR/fault-tree.json --list
play connect-four: play connect-four
play kalah: play kalah
play tic-tac-toe: play tic-tac-toe
play racing: play racing --deck 24 --goal 5 --hand-size 8 --seed 2 --lattice families
suit: suit AJ32 K54
ending: ending DIR/ending.pbn --tricks 5
check: check DIR/sets.json
generate: generate random --depth 20 --branching 10 --variables 12 --seed 1 --lattice families
generate racing: generate racing --deck 26 --goal 6 --hand-size 9 --seed 1 --lattice families
cluster solve: cluster solve --memory 16M connect-four --columns 5 --rows 5
";

/// The most resident bytes that count as within a limit: that and a tenth, and 32 MiB.
fn allowed(limit: u64) -> u64 {
    limit + limit / 10 + (32 << 20)
}

/// The worst of the runs of a command.
#[derive(Default)]
struct Worst {
    runs: u32,
    bytes: u64,
    of: String,
    answers: u32,
    stops: u32,
    refused: u32,
    over: u32,
}

fn memory(args: &MemoryArgs) -> Result<bool, Failed> {
    let folder = std::env::temp_dir().join(format!("meetjoin-limits-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let done = table(args, &folder);
    fs::remove_dir_all(&folder)?;
    done
}

fn table(args: &MemoryArgs, folder: &Path) -> Result<bool, Failed> {
    let program = args.program.canonicalize()?;
    for (name, line) in named(FILES) {
        let file = File::create(folder.join(name))?;
        let made = Command::new(&program)
            .args(words(line))
            .stdout(file)
            .status()?;
        if !made.success() {
            return Err(format!("meetjoin {line}: {made}").into());
        }
    }
    fs::write(folder.join("ending.pbn"), ENDING)?;
    // The first word of each line but the header.
    let listed = run(&program, &words("algorithms"))?.out;
    let algorithms = listed.lines().skip(1);
    let algorithms: Vec<&str> = algorithms
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let limit = args.limit << 20;
    println!(
        "| | runs | most resident | allowed | algorithm | exact | stopped by a limit | refused |"
    );
    println!("|---|--:|--:|--:|---|--:|--:|--:|");
    let mut holds = true;
    for (name, line) in named(COMMANDS) {
        let mut worst = Worst::default();
        let every: &[&str] = if line.contains("ALGORITHM") {
            &algorithms
        } else {
            &[""]
        };
        for &algorithm in every {
            let line = line.replace("DIR", &folder.to_string_lossy());
            let mut line = words(&line.replace("ALGORITHM", algorithm));
            line.push(format!("--max-memory={limit}"));
            line.push(format!("--max-seconds={}", args.seconds));
            if line[0] == "cluster" {
                // The game comes after all options.
                let options = line.split_off(line.len() - 2);
                line.splice(2..2, options);
            }
            let ran = run(&program, &line)?;
            worst.runs += 1;
            match ran.status {
                Some(0) => worst.answers += 1,
                Some(3) => worst.stops += 1,
                Some(2) => worst.refused += 1,
                other => return Err(format!("{line:?} ended with {other:?}").into()),
            }
            if ran.bytes > worst.bytes {
                (worst.bytes, worst.of) = (ran.bytes, algorithm.to_owned());
            }
            worst.over += u32::from(ran.bytes > allowed(limit));
        }
        holds &= worst.over == 0;
        let mib = |bytes: u64| format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20));
        let Worst {
            runs,
            of,
            answers,
            stops,
            refused,
            ..
        } = &worst;
        let (most, allowed) = (mib(worst.bytes), mib(allowed(limit)));
        let over = if worst.over > 0 { " **over**" } else { "" };
        println!(
            "| {name} | {runs} | {most}{over} | {allowed} | {of} | {answers} | {stops} | {refused} |"
        );
    }
    Ok(holds)
}

/// The problems that are solved under smaller and smaller limits.
const SUBJECTS: &[(&str, &str)] = &[
    (
        "racing, families",
        "racing --deck 18 --goal 4 --hand-size 6 --seed 1 --lattice families --algorithm alpha-beta-duo-plain",
    ),
    (
        "racing, sets",
        "racing --deck 20 --goal 5 --hand-size 7 --seed 1 --lattice powerset --algorithm alpha-beta-duo-plain",
    ),
    (
        "random graph, minimax",
        "random --depth 14 --branching 8 --variables 12 --seed 1 --lattice families --algorithm minimax-cached",
    ),
];

/// Shares of the memory that a run without a limit takes, in percent.
const SHARES: [u32; 8] = [120, 100, 80, 60, 45, 35, 25, 15];

/// A run under a limit: the limit in percent, and the visits and the time as multiples of those
/// without one.
#[derive(Clone, Copy)]
struct Point {
    share: f64,
    visits: f64,
    seconds: f64,
    exact: bool,
}

fn curve(args: &CurveArgs) -> Result<bool, Failed> {
    let mut table = String::from(
        "| | limit | of what it takes | exact | visits | processor time | most resident |\n|---|--:|--:|---|--:|--:|--:|\n",
    );
    for (name, line) in SUBJECTS {
        let mut line = words(line);
        line.push("--json".to_owned());
        let solve = |more: &[String]| -> Result<(Ran, Value), Failed> {
            let ran = run(&args.program, &[&line[..], more].concat())?;
            let answer = serde_json::from_str(ran.out.lines().last().unwrap_or_default())?;
            Ok((ran, answer))
        };
        let (free, answer) = solve(&[])?;
        let visits = |answer: &Value| answer["stats"]["visits"].as_f64().unwrap_or(0.0);
        let (value, all) = (answer["value"].clone(), visits(&answer));
        let peak = answer["stats"]["peak_memory_bytes"].as_u64().unwrap_or(0);
        let mib = |bytes: u64| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
        writeln!(
            table,
            "| {name} | none | | yes | {all} | {:.2} s | {} |",
            free.seconds,
            mib(free.bytes)
        )?;
        for share in SHARES {
            let limit = peak / 100 * u64::from(share);
            let more = [
                format!("--max-memory={limit}"),
                format!("--max-seconds={}", args.seconds),
            ];
            let (ran, answer) = solve(&more)?;
            let exact = answer["exact"] == true;
            if exact && answer["value"] != value {
                return Err(
                    format!("{name} has another value under a limit of {limit} bytes").into(),
                );
            }
            let (of, what) = (visits(&answer), if exact { "yes" } else { "no" });
            writeln!(
                table,
                "| {name} | {} | {share} % | {what} | {:.2} | {:.2} | {} |",
                mib(limit),
                of / all,
                ran.seconds / free.seconds,
                mib(ran.bytes)
            )?;
        }
    }
    print!("{table}");
    fs::write(&args.plot, plot(&lines_of(&table))?)?;
    Ok(true)
}

fn redraw(args: &DrawArgs) -> Result<bool, Failed> {
    let lines = lines_of(&fs::read_to_string(&args.page)?);
    if lines.is_empty() {
        return Err(format!("{} has no table of runs under limits", args.page.display()).into());
    }
    fs::write(&args.plot, plot(&lines)?)?;
    Ok(true)
}

/// The runs of one problem.
type Line = (String, Vec<Point>);

/// The runs under limits in a table that `curve` has printed, by problem.
fn lines_of(page: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for row in page.lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let ["", name, _, share, exact, visits, seconds, _, ""] = cells[..] else {
            continue;
        };
        let share = share
            .strip_suffix(" %")
            .and_then(|share| share.parse().ok());
        let (Some(share), Ok(visits), Ok(seconds)) = (share, visits.parse(), seconds.parse())
        else {
            continue;
        };
        let point = Point {
            share,
            visits,
            seconds,
            exact: exact == "yes",
        };
        match lines.last_mut() {
            Some((last, points)) if last == name => points.push(point),
            _ => lines.push((name.to_owned(), vec![point])),
        }
    }
    lines
}

/// Colours that differ for the colour-blind too (Okabe and Ito).
const COLOURS: [RGBColor; 3] = [
    RGBColor(230, 159, 0),
    RGBColor(86, 140, 233),
    RGBColor(0, 158, 115),
];

/// The series that are drawn for one problem.
#[derive(Clone, Copy)]
enum Series {
    /// Full lines and discs.
    Time,
    /// Dashes and rings.
    Visits,
    /// Crosses at the time.
    Stopped,
}

impl Series {
    const ALL: [Self; 3] = [Self::Time, Self::Visits, Self::Stopped];

    fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Visits => "visits",
            Self::Stopped => "stopped by a limit",
        }
    }

    /// Its points among those of a problem.
    fn of(self, points: &[Point]) -> Vec<(f64, f64)> {
        let mine = points.iter().filter(|point| match self {
            Self::Time | Self::Visits => point.exact,
            Self::Stopped => !point.exact,
        });
        let at = |point: &Point| match self {
            Self::Time => (point.share, point.seconds),
            Self::Visits => (point.share, point.visits),
            Self::Stopped => (point.share, point.seconds.max(1.1 * LEAST)),
        };
        mine.map(at).collect()
    }
}

/// A series as drawn: problem, kind, points, and colour.
type Drawn<'a> = (&'a str, Series, Vec<(f64, f64)>, RGBColor);

/// The size of the plot without its legend, and the height of a line of the legend.
const SIZE: (u32, u32) = (600, 400);
const LINE: u32 = 23;

/// Times and visits under limits as SVG, with a legend of exactly the series that are drawn.
fn plot(lines: &[Line]) -> Result<String, Failed> {
    let all: Vec<Drawn<'_>> = lines
        .iter()
        .zip(COLOURS.into_iter().cycle())
        .flat_map(|((name, points), colour)| {
            let of = move |series: Series| (name.as_str(), series, series.of(points), colour);
            Series::ALL.map(of)
        })
        .filter(|(_, _, points, _)| !points.is_empty())
        .collect();
    let mut text = String::new();
    let rows = u32::try_from(all.len())?;
    let root =
        SVGBackend::with_string(&mut text, (SIZE.0, SIZE.1 + LINE * rows)).into_drawing_area();
    root.fill(&WHITE)?;
    let (plot, legend) = root.split_vertically(SIZE.1);
    let highest = all.iter().flat_map(|(_, _, points, _)| points);
    let most = highest.fold(2.0_f64, |most, (_, times)| most.max(*times));
    let mut chart = ChartBuilder::on(&plot)
        .margin(10)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(125.0..10.0, (LEAST..most * 1.3).log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(RGBColor(238, 238, 238))
        .bold_line_style(RGBColor(215, 215, 215))
        .x_labels(12)
        .x_label_formatter(&|share| format!("{share:.0} %"))
        .y_label_formatter(&|times| format!("{times:.1}"))
        .x_desc("limit, of the memory that the search takes without one")
        .y_desc("times as much as without a limit")
        .axis_desc_style(("sans-serif", 16))
        .label_style(("sans-serif", 15))
        .draw()?;
    let font = ("sans-serif", 16).into_font();
    for (row, (name, series, points, colour)) in all.iter().enumerate() {
        // The line and a mark, in the plot and in the legend alike.
        let y = i32::try_from(row)? * i32::try_from(LINE)? + 10;
        let has_line = points.len() > 1;
        let sign = [(14, y), (44, y)];
        match series {
            Series::Time => {
                let style = colour.stroke_width(2);
                if has_line {
                    chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
                    legend.draw(&PathElement::new(sign, style))?;
                }
                let disc = |&at: &(f64, f64)| Circle::new(at, 4, colour.filled());
                chart.draw_series(points.iter().map(disc))?;
                legend.draw(&Circle::new((29, y), 4, colour.filled()))?;
            }
            Series::Visits => {
                let style = colour.stroke_width(1);
                if has_line {
                    let line = points.iter().copied();
                    chart.draw_series(DashedLineSeries::new(line, 5, 4, style))?;
                    for dash in [14, 23, 32, 41] {
                        let dash = [(dash, y), ((dash + 5).min(44), y)];
                        legend.draw(&PathElement::new(dash, style))?;
                    }
                }
                let ring = |&at: &(f64, f64)| Circle::new(at, 4, style);
                chart.draw_series(points.iter().map(ring))?;
                legend.draw(&Circle::new((29, y), 4, style))?;
            }
            Series::Stopped => {
                let style = colour.stroke_width(2);
                let cross = |&at: &(f64, f64)| Cross::new(at, 4, style);
                chart.draw_series(points.iter().map(cross))?;
                legend.draw(&Cross::new((29, y), 4, style))?;
            }
        }
        let text = format!("{name}: {}", series.name());
        legend.draw(&Text::new(text, (56, y - 8), font.clone()))?;
    }
    root.present()?;
    drop((chart, plot, legend, root));
    Ok(with_colours(&text))
}

/// Where the vertical axis begins.
const LEAST: f64 = 0.5;

#[cfg(test)]
mod tests {
    use meetjoin_report::page::{INK, PAPER, RULE, SOFT};

    use super::*;

    const TABLE: &str = "| a | none | | yes | 9 | 0.07 s | 1 MiB |\n\
        | a | 2.0 MiB | 100 % | yes | 1.00 | 0.79 | 1 MiB |\n\
        | a | 1.0 MiB | 50 % | yes | 2.00 | 1.50 | 1 MiB |\n\
        | b | 1.0 MiB | 100 % | yes | 1.00 | 1.00 | 1 MiB |\n\
        | b | 1.0 MiB | 50 % | no | 9.00 | 8.00 | 1 MiB |\n";

    /// Each element of a colour, with the shape and the width of its stroke, and whether it is in
    /// the legend.
    fn signs(svg: &str) -> Vec<(String, bool)> {
        let in_legend = |element: &str| {
            let heights = ["cy=\"", "points=\"", "y1=\""].iter();
            let height = heights.filter_map(|key| {
                let place = element.split(key).nth(1)?;
                let place = place.split('"').next()?;
                // The first point of a path.
                let place = place.split(' ').next()?;
                place.rsplit(',').next()?.parse::<f64>().ok()
            });
            height.into_iter().any(|y| y > f64::from(SIZE.1))
        };
        let mut signs: Vec<(String, bool)> = Vec::new();
        for element in svg.split('<') {
            let name = element.split(' ').next().unwrap_or_default();
            let of = |key: &str| element.split(key).nth(1)?.split('"').next();
            let colour = match (of("stroke=\""), of("fill=\"")) {
                (Some(stroke), _) if stroke != "none" => stroke,
                (_, Some(fill)) => fill,
                _ => continue,
            };
            let is_of_grid = [INK, PAPER, RULE, SOFT].contains(&colour);
            if name == "text" || name == "rect" || is_of_grid {
                continue;
            }
            let width = of("stroke-width=\"").unwrap_or_default();
            let filled = of("fill=\"").is_some_and(|fill| fill != "none");
            let sign = format!("{name} {colour} {width} {filled}");
            let sign = (sign, in_legend(element));
            if !signs.contains(&sign) {
                signs.push(sign);
            }
        }
        signs
    }

    #[test]
    fn the_legend_has_what_is_drawn_and_nothing_else() {
        let svg = plot(&lines_of(TABLE)).expect("it can be drawn");
        let texts = |text: &str| svg.contains(&format!("\n{text}\n"));
        for there in [
            "a: time",
            "a: visits",
            "b: time",
            "b: visits",
            "b: stopped by a limit",
        ] {
            assert!(texts(there), "{there}\n{svg}");
        }
        assert!(!texts("a: stopped by a limit"));
        let signs = signs(&svg);
        let mut drawn: Vec<&str> = Vec::new();
        let mut explained: Vec<&str> = Vec::new();
        for (sign, in_legend) in &signs {
            let list = if *in_legend {
                &mut explained
            } else {
                &mut drawn
            };
            list.push(sign);
        }
        drawn.sort_unstable();
        explained.sort_unstable();
        // Two kinds of lines, two discs, two rings and one kind of crosses.
        assert_eq!((drawn.len(), &drawn), (7, &explained), "{svg}");
    }

    #[test]
    fn the_picture_of_the_book_is_that_of_its_table() {
        let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
        let page = book.join("guide/limits.md");
        let page = fs::read_to_string(page).expect("a page");
        let picture = fs::read_to_string(book.join("images/memory-limits.svg"));
        let drawn = plot(&lines_of(&page)).expect("it can be drawn");
        assert!(
            picture.expect("a picture") == drawn,
            "cargo xtask limits draw docs/src/guide/limits.md docs/src/images/memory-limits.svg"
        );
    }

    #[test]
    fn help_is_in_its_file() {
        help::is_in_its_file::<CommandLine>("limits");
    }
}
