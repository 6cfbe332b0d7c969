//! A job: from the arguments to the report.
//!
//! Invariant: whatever ends the job, the rows so far are on disk, or, where the disk failed, on
//! standard output.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;

use crate::measuring::measure::RunLimits;
use crate::panels::header::{self, root};
use crate::panels::panel::{GRID, PANELS, Panel};
use crate::panels::quantity::Measure;
use crate::panels::row::{self, Row};
use crate::panels::schedule::{self, Plan};
use crate::panels::survey::{Answer, SURVEYS, Survey};
use crate::reporting::report::{self, Contents};

/// The experiments: every algorithm on the games of the papers, with a report of tables and plots.
#[derive(Debug, Parser)]
#[allow(clippy::struct_excessive_bools)] // each is a switch
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
pub(crate) struct BenchArgs {
    /// Only these panels and surveys: 3-top, 3-bottom, 4-top, 4-bottom, 5 to 10, parts,
    /// parts-alone, pruning, packets, preference, b-independent, b-independent-ordered,
    /// b-incremental, b-incremental-ordered, u-independent, u-independent-ordered, u-incremental,
    /// u-incremental-ordered, bounds, kalah, peers, peers-dropped, peers-threads,
    /// peers-threads-dropped, scores, ends, solved, proofs, proofs-uniform, proofs-sets,
    /// thresholds, thresholds-racing, lengths, depths, many-cards, fault-trees,
    /// fault-trees-search, choosers. Without this and without --all, --quick or --full: 3-top to
    /// 6, about five minutes on two cores.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    panel: Vec<String>,
    /// All panels and surveys: about a quarter of an hour on two cores.
    #[arg(long, conflicts_with = "panel")]
    all: bool,
    /// Games for each point, with the seeds 1, 2, ..
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: Option<u64>,
    /// Seconds after which a run is stopped.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// GiB of memory at which a run is stopped.
    #[arg(long, value_name = "GIB", value_parser = gibibytes, default_value = "4")]
    memory_limit: u64,
    /// All panels in under a minute: the smaller points of each, 2 seeds, 0.5 s a run.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// All panels as in the paper: 10 seeds, 60 s a run. Takes hours.
    #[arg(long)]
    full: bool,
    /// One panel more, so that the table of the order of visits has each kind of game over each
    /// lattice.
    #[arg(long, conflicts_with = "panel")]
    grid: bool,
    /// Where the report goes, instead of target/bench-report in the workspace. The data.json of an
    /// earlier run there becomes data.previous.json.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Games of a survey that are asked at once. Runs that are timed have the machine to
    /// themselves.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), default_value = "1")]
    jobs: u16,
    /// A folder with fault trees (Open-PSA, NAME.xml) for fault-trees.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Count the minimal cut sets of one tree: what fault-trees measures.
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) cuts_of: Option<PathBuf>,
    /// The data.json of an earlier run: say what moved.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("{text:?} is no number of seconds above 0"))
}

fn gibibytes(text: &str) -> Result<u64, String> {
    let size: Option<f64> = text.parse().ok();
    let size = size.filter(|size| *size > 0.0 && *size < 1e6);
    #[allow(clippy::cast_sign_loss)] // it is above 0
    size.map(|size| (size * f64::from(1 << 30)) as u64)
        .ok_or_else(|| format!("{text:?} is no number of GiB above 0"))
}

/// Runs the experiments and writes the report.
///
/// # Errors
/// If two algorithms find different values, if the job is interrupted, if something cannot be read
/// or written. What was measured is kept.
pub(crate) fn run(args: &BenchArgs) -> Result<(), String> {
    let cancel = Arc::new(AtomicBool::new(false));
    let plan = plan(args, &cancel)?;
    let old = args.compare.as_deref().map(read_rows).transpose()?;
    let standard = || root().join("target/bench-report");
    let out = args.out.clone().unwrap_or_else(standard);
    prepare(&out)?;
    catch_signals(&cancel)?;
    let started = Instant::now();
    let mut rows = Vec::new();
    let mut ran = plan.run(&mut rows, |rows| write_rows(&out, rows));
    let mut surveys = Vec::new();
    if ran.is_ok() {
        ran = plan.answer(&mut surveys);
    }
    if rows.is_empty() && surveys.is_empty() {
        ran?;
        return Err("interrupted before the first game was solved; nothing is written".to_owned());
    }
    let facts = facts(&plan, args, started.elapsed());
    let contents = Contents {
        facts,
        panels: &plan.panels,
        rows: &rows,
        surveys: &surveys,
        planned: plan.runs(),
        time_limit: plan.limits.time.as_secs_f64(),
        old,
    };
    let report = report::report(&contents)?;
    let written = write_rows(&out, &rows)
        .and_then(|()| write_surveys(&out, &surveys))
        .and_then(|()| write_report(&out, &report));
    if written.is_ok() {
        let page = out.join("report.html");
        print(&format!(
            "{}The report is {}\n",
            report.brief,
            page.display()
        ));
    } else {
        // The disk failed: standard output is all there is.
        print(&format!("{}{}", report.brief, row::csv(&rows)));
    }
    let mut wrong: Vec<String> = [ran.err(), written.err()].into_iter().flatten().collect();
    if cancel.load(Ordering::Relaxed) {
        let (done, planned) = (rows.len(), plan.runs());
        let (answered, asked) = (surveys.len(), plan.surveys.len());
        wrong.push(format!(
            "interrupted after {done} of {planned} runs and {answered} of {asked} surveys; the report has these"
        ));
    }
    wrong.extend(schedule::mismatches(&rows));
    wrong.extend(report.changed);
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("; "))
    }
}

/// Makes the folder, finds out whether files can be written there, and puts earlier data aside.
fn prepare(out: &Path) -> Result<(), String> {
    let failed = |error| format!("no report can be written to {}: {error}", out.display());
    fs::create_dir_all(out).map_err(failed)?;
    write(out, "probe", "")?;
    fs::remove_file(out.join("probe")).map_err(failed)?;
    let data = out.join("data.json");
    if data.exists() {
        fs::rename(&data, out.join("data.previous.json")).map_err(failed)?;
    }
    Ok(())
}

/// Prints, ignoring failure: the output may be closed.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// The plan of runs.
fn plan(args: &BenchArgs, cancel: &Arc<AtomicBool>) -> Result<Plan, String> {
    let mut ids: Vec<&str> = PANELS.iter().map(|panel| panel.id).collect();
    ids.extend(SURVEYS.iter().map(|survey| survey.id));
    ids.dedup();
    if let Some(unknown) = args.panel.iter().find(|id| !ids.contains(&id.as_str())) {
        return Err(format!(
            "there is no panel {unknown:?}; there are {}",
            ids.join(", ")
        ));
    }
    let all = args.all || args.quick || args.full;
    let asked = |id, is_published| match &args.panel[..] {
        [] => all || is_published,
        panels => panels.iter().any(|asked| asked == id),
    };
    let panels = PANELS.iter();
    let panels = panels.filter(|panel| asked(panel.id, panel.cell.is_some()));
    let panels = panels.chain(args.grid.then_some(&GRID));
    let surveys = SURVEYS.iter().filter(|survey| asked(survey.id, false));
    let games = |survey: &Survey| {
        if args.quick {
            survey.quick
        } else {
            survey.games
        }
    };
    let values = |panel: &Panel| match (args.quick, args.full) {
        (true, _) => panel.quick.to_vec(),
        (_, true) => [panel.values, panel.full].concat(),
        _ => panel.values.to_vec(),
    };
    let (seeds, time) = match (args.quick, args.full) {
        (true, _) => (2, Duration::from_millis(500)),
        (_, true) => (10, Duration::from_secs(60)),
        _ => (3, Duration::from_secs(2)),
    };
    Ok(Plan {
        panels: panels.map(|panel| (panel, values(panel))).collect(),
        surveys: surveys.map(|survey| (survey, games(survey))).collect(),
        seeds: args.seeds.unwrap_or(seeds),
        limits: RunLimits {
            time: args.time_limit.unwrap_or(time),
            memory: args.memory_limit,
            cancel: Arc::clone(cancel),
            jobs: args.jobs.into(),
            data: args.data.clone(),
        },
    })
}

/// The first signal ends the run that is going on and keeps what is done; the second ends the
/// process.
fn catch_signals(cancel: &Arc<AtomicBool>) -> Result<(), String> {
    let flag = Arc::clone(cancel);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| format!("cannot wait for signals: {error}"))
}

fn facts(plan: &Plan, args: &BenchArgs, took: Duration) -> Vec<(&'static str, String)> {
    let mut facts = header::facts();
    let seeds = match plan.seeds {
        1 => "1".to_owned(),
        seeds => format!("1 to {seeds}"),
    };
    facts.push(("Seeds", seeds));
    let memory = args.memory_limit as f64 / f64::from(1 << 30);
    let time = plan.limits.time.as_secs_f64();
    facts.push(("Limits of a run", format!("{time} s, {memory} GiB")));
    let size = match (args.quick, args.full, args.all) {
        (true, _, _) => "quick: the smaller points only",
        (_, true, _) => "full",
        (_, _, true) => "default, all panels",
        _ => "default",
    };
    facts.push(("Size", size.to_owned()));
    facts.push((
        "Took",
        format!("{} min {} s", took.as_secs() / 60, took.as_secs() % 60),
    ));
    facts
}

/// The name and the rows of an earlier run.
fn read_rows(file: &Path) -> Result<(String, Vec<Row>), String> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
    let rows = row::from_json(&text).map_err(|error| format!("{name} is no data.json: {error}"))?;
    Ok((name, rows))
}

fn write_rows(out: &Path, rows: &[Row]) -> Result<(), String> {
    write(out, "data.json", &row::json(rows)?)?;
    write(out, "data.csv", &row::csv(rows))
}

fn write_surveys(out: &Path, surveys: &[Answer]) -> Result<(), String> {
    let name = |survey: &Survey| format!("survey-{}.csv", survey.id);
    // Answers of another run must not remain beside this one's. Mostly there are none.
    for survey in &SURVEYS {
        let _ = fs::remove_file(out.join(name(survey)));
    }
    surveys
        .iter()
        .try_for_each(|answer| write(out, &name(answer.survey), &answer.csv()))
}

fn write_report(out: &Path, report: &report::Report) -> Result<(), String> {
    // Pictures of another run must not remain beside this one's.
    for panel in PANELS.iter().chain([&GRID]) {
        let large = Measure::ALL.map(|measure| report::picture_name(panel, measure));
        for old in large.into_iter().chain([report::small_picture_name(panel)]) {
            // Mostly there is none.
            let _ = fs::remove_file(out.join(old));
        }
    }
    write(out, "report.html", &report.html)?;
    write(out, "report.md", &report.markdown)?;
    report
        .pictures
        .iter()
        .try_for_each(|(name, svg)| write(out, name, svg))
}

/// Writes a file beside its place and moves it there, so that it is complete at any moment.
fn write(out: &Path, name: &str, text: &str) -> Result<(), String> {
    let (file, part) = (out.join(name), out.join(format!("{name}.part")));
    fs::write(&part, text)
        .and_then(|()| fs::rename(&part, &file))
        .map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(args: &[&str]) -> Result<Plan, String> {
        let args = ["bench"].iter().chain(args);
        let args = BenchArgs::try_parse_from(args).map_err(|error| error.to_string())?;
        plan(&args, &Arc::default())
    }

    #[test]
    fn what_is_asked_for_is_planned() {
        let ids = |args: &[&str]| {
            let plan = planned(args).expect("there are such panels");
            let panels = plan.panels.iter().map(|(panel, _)| panel.id);
            (panels.collect::<Vec<_>>(), plan.surveys.len())
        };
        let published = ["3-top", "3-bottom", "4-top", "4-bottom", "5", "6"];
        assert_eq!(ids(&[]), (published.to_vec(), 0));
        let (with_grid, _) = ids(&["--grid"]);
        assert_eq!(with_grid, [&published[..], &["grid"]].concat());
        let all = (PANELS.iter().map(|panel| panel.id).collect(), SURVEYS.len());
        for args in [
            &["--all"][..],
            &["--quick"],
            &["--full"],
            &["--all", "--quick"],
        ] {
            assert_eq!(ids(args), all, "{args:?}");
        }
        assert_eq!(ids(&["--panel", "packets,6"]), (vec!["6", "packets"], 1));
        assert_eq!(ids(&["--panel", "6", "--quick"]), (vec!["6"], 0));
        assert_eq!(ids(&["--panel", "lengths"]), (vec![], 1));
    }

    #[test]
    fn help_is_in_its_file() {
        crate::help::is_in_its_file::<BenchArgs>("bench");
    }

    #[test]
    fn help_lists_whatever_can_be_asked_for() {
        use clap::CommandFactory as _;
        let help = BenchArgs::command().render_long_help().to_string();
        let words = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let words: Vec<&str> = words.collect();
        let panels = PANELS.iter().map(|panel| panel.id);
        for id in panels.chain(SURVEYS.iter().map(|survey| survey.id)) {
            // It says "5 to 10".
            let in_range = id
                .parse()
                .is_ok_and(|number: u8| (5..=10).contains(&number));
            assert!(in_range || words.contains(&id), "{id}: {help}");
        }
    }

    #[test]
    fn sizes_are_of_points_seeds_and_time() {
        let size = |args: &[&str]| {
            let plan = planned(args).expect("there are such panels");
            let values = plan.panels.iter().find(|(panel, _)| panel.id == "7");
            let points = values.map_or(0, |(_, values)| values.len());
            (points, plan.seeds, plan.limits.time.as_millis())
        };
        assert_eq!(size(&[]), (0, 3, 2_000));
        assert_eq!(size(&["--all"]), (5, 3, 2_000));
        assert_eq!(size(&["--quick"]), (3, 2, 500));
        assert_eq!(size(&["--full"]), (7, 10, 60_000));
        assert_eq!(
            size(&["--full", "--seeds", "1", "--time-limit", "0.25"]),
            (7, 1, 250)
        );
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        for args in [
            ["--all", "--panel=6"],
            ["--grid", "--panel=6"],
            ["--quick", "--full"],
        ] {
            let refused = planned(&args).err().unwrap_or_default();
            assert!(
                refused.contains("cannot be used with"),
                "{args:?}: {refused}"
            );
        }
        let unknown = planned(&["--panel", "66"]).err().unwrap_or_default();
        assert!(
            unknown.starts_with("there is no panel \"66\"; there are 3-top,"),
            "{unknown}"
        );
    }
}
