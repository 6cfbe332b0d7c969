//! Measures what limits on memory cost and whether they hold; `cargo xtask limits` starts it.
//!
//! `memory` runs every command and every algorithm under a limit, each as a process, and prints the
//! most memory that was resident, as a table. `curve` solves problems under limits below what they
//! take without one, and draws what that costs in visits and processor time.

#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::{Args, Parser, Subcommand};
use plotters::prelude::*;
use serde_json::Value;
use wait4::Wait4 as _;

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

type Failed = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let done = match CommandLine::parse().command {
        Task::Memory(args) => memory(&args),
        Task::Curve(args) => curve(&args),
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
    /// Of the processor, in the process and for it.
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

/// Problems, each with what makes it. They are written by the program itself, without a limit.
const FILES: &[(&str, &str)] = &[
    (
        "families.json",
        "generate random --depth 12 --branching 6 --variables 10 --seed 1 --lattice families",
    ),
    (
        "sets.json",
        "generate random --depth 14 --branching 8 --variables 12 --seed 1 --lattice powerset",
    ),
    (
        "numbers.json",
        "generate uniform --depth 8 --branching 5 --most 100 --seed 1",
    ),
    ("connect-four.json", "generate connect-four --compact"),
    ("kalah.json", "generate kalah --compact --pits 6 --seeds 4"),
    (
        "hexapawn.json",
        "generate hexapawn --compact --columns 4 --rows 5 --lattice product",
    ),
    (
        "outcomes.json",
        "generate criteria --depth 9 --branching 3 --criteria 3 --most 40 --seed 1 --lattice dominance",
    ),
    (
        "fault-tree.json",
        "generate fault-tree --compact --events 120 --gates 90 --seed 3",
    ),
];

/// An ending of eight cards.
const ENDING: &str = "[Deal \"N:AJ2.A32.5.2 Q98.K4.KJ.3 KT3.Q5.A4.4 765.J9.Q3.5\"]\n[Declarer \"S\"]\n[Contract \"3NT\"]\n";

/// Commands, and how they are called; some use what those before have written. `DIR` is the folder
/// with the files, `ALGORITHM` each algorithm in turn.
const COMMANDS: &[(&str, &str)] = &[
    ("convert", "convert DIR/sets.json DIR/sets.mj"),
    (
        "solve, families",
        "solve DIR/families.json --algorithm ALGORITHM",
    ),
    ("solve, sets", "solve DIR/sets.json --algorithm ALGORITHM"),
    (
        "solve, numbers",
        "solve DIR/numbers.json --algorithm ALGORITHM",
    ),
    (
        "solve, Connect Four",
        "solve DIR/connect-four.json --algorithm ALGORITHM",
    ),
    (
        "racing, families",
        "racing --deck 24 --goal 5 --hand-size 8 --seed 2 --lattice families --algorithm ALGORITHM",
    ),
    (
        "racing, sets",
        "racing --deck 26 --goal 6 --hand-size 9 --seed 1 --lattice powerset --algorithm ALGORITHM",
    ),
    (
        "racing, two threads",
        "racing --deck 26 --goal 6 --hand-size 9 --seed 1 --lattice powerset --algorithm alpha-beta-duo-plain --threads 2",
    ),
    (
        "racing, 9.7 million worlds",
        "racing --deck 40 --goal 7 --hand-size 13 --seed 3 --lattice families --moves",
    ),
    (
        "racing, heaviest set",
        "racing --deck 30 --goal 6 --hand-size 10 --seed 1 --lattice families --heaviest",
    ),
    ("solve, Kalah, moves", "solve DIR/kalah.json --moves"),
    ("solve, Hexapawn", "solve DIR/hexapawn.json"),
    ("solve, binary file", "solve DIR/sets.mj"),
    (
        "solve, certificate",
        "solve DIR/sets.json --certificate DIR/certificate.gz",
    ),
    (
        "solve, checkpoint",
        "solve DIR/connect-four.json --checkpoint DIR/check --resume",
    ),
    (
        "random",
        "random --depth 15 --branching 8 --variables 12 --seed 1 --lattice families",
    ),
    (
        "prove, df-pn",
        "prove DIR/connect-four.json --at-least 1 --algorithm df-pn",
    ),
    (
        "prove, proof-number",
        "prove DIR/connect-four.json --at-least 1 --algorithm proof-number",
    ),
    ("verify", "verify DIR/sets.json DIR/certificate.gz"),
    ("trace", "trace DIR/families.json --html DIR/trace.html"),
    ("packets", "packets DIR/outcomes.json"),
    ("cuts", "cuts DIR/fault-tree.json --list"),
    ("play connect-four", "play connect-four"),
    ("play kalah", "play kalah"),
    ("play tic-tac-toe", "play tic-tac-toe"),
    (
        "play racing",
        "play racing --deck 24 --goal 5 --hand-size 8 --seed 2 --lattice families",
    ),
    ("suit", "suit AJ32 K54"),
    ("ending", "ending DIR/ending.pbn --tricks 5"),
    ("check", "check DIR/sets.json"),
    (
        "generate",
        "generate random --depth 20 --branching 10 --variables 12 --seed 1 --lattice families",
    ),
    (
        "generate racing",
        "generate racing --deck 26 --goal 6 --hand-size 9 --seed 1 --lattice families",
    ),
    (
        "cluster solve",
        "cluster solve --memory 16M connect-four --columns 5 --rows 5",
    ),
];

/// Beside the limit: a tenth of it, and 32 MiB.
fn allowed(limit: u64) -> u64 {
    limit + limit / 10 + (32 << 20)
}

/// What stands for the runs of a command.
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
    for (name, line) in FILES {
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
    for (name, line) in COMMANDS {
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

/// What is solved under smaller and smaller limits.
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
struct Point {
    share: u32,
    visits: f64,
    seconds: f64,
    exact: bool,
}

fn curve(args: &CurveArgs) -> Result<bool, Failed> {
    let mut lines = Vec::new();
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
        let mut points = Vec::new();
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
            let seconds = ran.seconds / free.seconds;
            points.push(Point {
                share,
                visits: of / all,
                seconds,
                exact,
            });
        }
        lines.push((*name, points));
    }
    print!("{table}");
    draw(&args.plot, &lines)?;
    Ok(true)
}

/// Colours that differ for the colour-blind too (Okabe and Ito).
const COLOURS: [RGBColor; 3] = [
    RGBColor(230, 159, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
];

/// Full lines and discs for time, dashes and rings for visits; crosses at the time where a run was
/// stopped.
fn draw(file: &Path, lines: &[(&str, Vec<Point>)]) -> Result<(), Failed> {
    let root = SVGBackend::new(file, (860, 420)).into_drawing_area();
    root.fill(&WHITE)?;
    let (plot, legend) = root.split_horizontally(650);
    let all = || lines.iter().flat_map(|(_, points)| points);
    let most = all().fold(2.0_f64, |most, p| {
        most.max(if p.exact { p.visits } else { p.seconds })
    });
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
        .axis_desc_style(("sans-serif", 15))
        .label_style(("sans-serif", 14))
        .draw()?;
    for ((_, points), colour) in lines.iter().zip(COLOURS) {
        let exact = || points.iter().filter(|p| p.exact);
        let time: Vec<_> = exact().map(|p| (f64::from(p.share), p.seconds)).collect();
        let visits: Vec<_> = exact().map(|p| (f64::from(p.share), p.visits)).collect();
        let disc = |&at: &(f64, f64)| Circle::new(at, 4, colour.filled());
        let ring = |&at: &(f64, f64)| Circle::new(at, 4, colour.stroke_width(1));
        chart.draw_series(time.iter().map(disc))?;
        chart.draw_series(visits.iter().map(ring))?;
        chart.draw_series(LineSeries::new(time, colour.stroke_width(2)))?;
        chart.draw_series(DashedLineSeries::new(visits, 5, 4, colour.stroke_width(1)))?;
        let stopped = points.iter().filter(|p| !p.exact);
        let stopped = stopped.map(|p| (f64::from(p.share), p.seconds.max(1.1 * LEAST)));
        chart.draw_series(stopped.map(|at| Cross::new(at, 4, colour.stroke_width(2))))?;
    }
    let font = ("sans-serif", 14).into_font();
    let mut y = 30;
    for ((name, _), colour) in lines.iter().zip(COLOURS) {
        for (what, style) in [
            ("time", colour.stroke_width(3)),
            ("visits", colour.stroke_width(1)),
        ] {
            legend.draw(&PathElement::new([(4, y), (30, y)], style))?;
            let text = format!("{name}: {what}");
            legend.draw(&Text::new(text, (38, y - 7), font.clone()))?;
            y += 22;
        }
    }
    y += 8;
    legend.draw(&Text::new(
        "x  stopped by a limit",
        (14, y - 7),
        font.clone(),
    ))?;
    root.present()?;
    Ok(())
}

/// Where the vertical axis begins.
const LEAST: f64 = 0.5;
