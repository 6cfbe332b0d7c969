//! All runs of an experiment, one at a time: skipping hopeless ones, checking results, and
//! estimating the time left.

use std::collections::HashMap;
use std::io::IsTerminal as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::measuring::measure::{self, RunLimits};
use crate::panels::panel::Panel;
use crate::panels::quantity::Measure;
use crate::panels::row::{Row, SKIPPED};
use crate::panels::survey::{Answer, Survey};

/// The panels and surveys to run.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Each panel with the values of its parameter.
    pub(crate) panels: Vec<(&'static Panel, Vec<u32>)>,
    /// Each survey with its games for each line.
    pub(crate) surveys: Vec<(&'static Survey, u64)>,
    pub(crate) seeds: u64,
    pub(crate) limits: RunLimits,
}

/// Runs stopped at one point before harder points are skipped.
const STOPS: usize = 2;

impl Plan {
    /// How many runs there are.
    pub(crate) fn runs(&self) -> usize {
        let panels = self.panels.iter();
        let runs = panels.map(|(panel, values)| {
            values.len() * panel.lineup.algorithms.len() * panel.seeds(self.seeds) as usize
        });
        runs.sum()
    }

    /// Runs everything and hands the rows so far to `keep` after each point. Ends early, without an
    /// error, when it is cancelled; a game that not all algorithms have solved is then left out.
    ///
    /// # Errors
    /// If a game cannot be made, if an algorithm is not deterministic, or if `keep` fails. The rows
    /// stay.
    pub(crate) fn run(
        &self,
        rows: &mut Vec<Row>,
        mut keep: impl FnMut(&[Row]) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut progress = Progress::new(self);
        for (panel, values) in &self.panels {
            let mut gave_up: Vec<&str> = Vec::new();
            for &value in values {
                let point = rows.len();
                for seed in 1..=panel.seeds(self.seeds) {
                    let before = rows.len();
                    let done = self.instance(panel, value, seed, &gave_up, rows, &mut progress);
                    let parameter = panel.parameter;
                    let done = done.map_err(|error| {
                        format!(
                            "panel {}, {parameter} = {value}, seed {seed}: {error}",
                            panel.id
                        )
                    })?;
                    if !done {
                        // Means over different games could not be compared.
                        rows.truncate(before);
                        return Ok(());
                    }
                }
                keep(rows)?;
                progress.point(panel, value, &rows[point..]);
                if panel.harder_upwards {
                    let ids = panel.lineup.algorithms.iter().map(|(id, _)| *id);
                    let stopped = ids.filter(|id| {
                        let stops = rows[point..]
                            .iter()
                            .filter(|row| row.algorithm == *id && !row.ended() && !row.skipped());
                        stops.count() >= STOPS
                    });
                    gave_up.extend(stopped);
                }
            }
        }
        Ok(())
    }

    /// Answers the surveys. Ends early, without an error, when it is cancelled; the survey that was
    /// going on is then left out.
    ///
    /// # Errors
    /// If a game cannot be made, or if two algorithms contradict each other.
    pub(crate) fn answer(&self, answers: &mut Vec<Answer>) -> Result<(), String> {
        for (survey, games) in &self.surveys {
            let started = Instant::now();
            let Some(answer) = survey.answer(*games, &self.limits)? else {
                return Ok(());
            };
            answers.push(answer);
            let (id, took) = (survey.id, started.elapsed().as_secs_f64());
            eprintln!("survey {id}: {games} games a line, {took:.1} s");
        }
        Ok(())
    }

    /// Every algorithm on one game. `false` if it was cancelled before all were done.
    fn instance(
        &self,
        panel: &Panel,
        value: u32,
        seed: u64,
        gave_up: &[&str],
        rows: &mut Vec<Row>,
        progress: &mut Progress,
    ) -> Result<bool, String> {
        let instance = (panel.instance)(value, seed)?;
        for &(algorithm, _) in panel.lineup.algorithms {
            if self.limits.cancel.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let mut row = Row {
                panel: panel.id.to_owned(),
                parameter: panel.parameter.to_owned(),
                value,
                algorithm: algorithm.to_owned(),
                seed,
                seconds: None,
                nodes: None,
                visits: None,
                probes: None,
                relaxed_visits: None,
                leaves: None,
                peak_bytes: None,
                stop: None,
                digest: None,
            };
            if gave_up.contains(&algorithm) {
                row.stop = Some(SKIPPED.to_owned());
                progress.ended(panel, algorithm, Duration::ZERO);
            } else {
                progress.begins(panel, value, seed, algorithm);
                let started = Instant::now();
                let solved = measure::measure(&*instance, algorithm, &self.limits)?;
                let Some(solved) = solved else {
                    return Ok(false);
                };
                progress.ended(panel, algorithm, started.elapsed());
                row.seconds = Some(solved.seconds);
                row.nodes = solved.nodes.map(|nodes| nodes as u64);
                row.visits = Some(solved.counts.visits);
                row.probes = Some(solved.counts.probes);
                row.relaxed_visits = Some(solved.counts.relaxed_visits);
                row.leaves = Some(solved.counts.leaves);
                row.peak_bytes = Some(solved.peak_bytes as u64);
                row.stop = solved.stop.map(|stop| stop.word().to_owned());
                row.digest = solved.value.as_deref().map(measure::digest);
            }
            rows.push(row);
        }
        Ok(true)
    }
}

/// Games for which two algorithms found different values; a sentence for each.
pub(crate) fn mismatches(rows: &[Row]) -> Vec<String> {
    let mut first: HashMap<(&str, u32, u64), &Row> = HashMap::new();
    let mut found = Vec::new();
    for row in rows.iter().filter(|row| row.digest.is_some()) {
        let game = (row.panel.as_str(), row.value, row.seed);
        let other = first.entry(game).or_insert(row);
        if other.digest != row.digest {
            found.push(format!(
                "panel {}, {} = {}, seed {}: {} and {} found different values",
                row.panel, row.parameter, row.value, row.seed, other.algorithm, row.algorithm
            ));
        }
    }
    found
}

/// The progress bar of the whole experiment. Without a terminal, a line for each point.
struct Progress {
    bar: ProgressBar,
    terminal: bool,
    /// The time of the last run of each algorithm in each panel.
    last: HashMap<(&'static str, &'static str), Duration>,
    remaining: Vec<(&'static str, &'static str)>,
}

impl Progress {
    fn new(plan: &Plan) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} runs {wide_msg}");
        let bar =
            ProgressBar::with_draw_target(Some(plan.runs() as u64), ProgressDrawTarget::stderr())
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let mut remaining = Vec::with_capacity(plan.runs());
        for (panel, values) in &plan.panels {
            for _ in 0..values.len() * panel.seeds(plan.seeds) as usize {
                let algorithms = panel.lineup.algorithms.iter();
                remaining.extend(algorithms.map(|(algorithm, _)| (panel.id, *algorithm)));
            }
        }
        remaining.reverse();
        Self {
            bar,
            terminal,
            last: HashMap::new(),
            remaining,
        }
    }

    fn begins(&self, panel: &Panel, value: u32, seed: u64, algorithm: &str) {
        self.bar.set_message(format!(
            "{} left; panel {}, {} = {}, seed {seed}, {algorithm}",
            self.time_left(),
            panel.id,
            panel.parameter,
            panel.short_label(value),
        ));
    }

    fn ended(&mut self, panel: &Panel, algorithm: &'static str, took: Duration) {
        self.last.insert((panel.id, algorithm), took);
        self.remaining.pop();
        self.bar.inc(1);
    }

    /// An estimate: each run to come takes as long as the last of its kind, and kinds not seen yet
    /// as long as those seen, on average.
    fn time_left(&self) -> String {
        if self.last.is_empty() {
            return "unknown time".to_owned();
        }
        let usual = self.last.values().sum::<Duration>() / self.last.len() as u32;
        let runs = self.remaining.iter();
        let left: Duration = runs
            .map(|kind| *self.last.get(kind).unwrap_or(&usual))
            .sum();
        match left.as_secs() {
            seconds @ 0..=89 => format!("{seconds} s"),
            seconds => format!("{} min", seconds.div_ceil(60)),
        }
    }

    /// A line for a point that is done.
    fn point(&self, panel: &Panel, value: u32, rows: &[Row]) {
        let times = panel.lineup.algorithms.iter().map(|(algorithm, name)| {
            let mine: Vec<&Row> = rows.iter().filter(|r| r.algorithm == *algorithm).collect();
            let seconds: Vec<f64> = mine.iter().filter_map(|row| row.seconds).collect();
            let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
            let mean = Measure::Seconds.show(mean);
            match mine.iter().filter(|row| !row.ended()).count() {
                _ if seconds.is_empty() => format!("{name} skipped"),
                0 => format!("{name} {mean}"),
                stopped => format!("{name} > {mean} ({stopped} stopped)"),
            }
        });
        let times: Vec<String> = times.collect();
        let (id, parameter, value) = (panel.id, panel.parameter, panel.short_label(value));
        let line = format!(
            "panel {id:8} {parameter} = {value:>2}  {}",
            times.join("  ")
        );
        if self.terminal {
            self.bar.println(line);
        } else {
            eprintln!("{line}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
