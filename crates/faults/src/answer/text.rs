//! Answers for people: lines and tables.

use std::io::{self, Write};

use meetjoin_lattice::Stop;
use meetjoin_report::{aligned, counted, one_line};
use num_bigint::BigUint;

use super::{Besides, Cuts, List, NO_PROBABILITIES, NOT_SOLVED};
use crate::diagram::Importance;

impl Cuts<'_> {
    /// Lines for people, and with `verbose` the cost. P(top) over time is a table, unless `shown`
    /// names the place where it is drawn.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_text(
        &self,
        out: &mut dyn Write,
        shown: Option<&str>,
        verbose: bool,
    ) -> io::Result<Option<Stop>> {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        let found = if self.stop.is_some() { " found" } else { "" };
        line(&format!("{}{found}", self.what()), self.count().to_string());
        for (order, count) in self
            .by_order
            .iter()
            .enumerate()
            .filter(|(_, count)| **count != BigUint::default())
        {
            line(&format!("of order {order}"), count.to_string());
        }
        let unknown = || (NO_PROBABILITIES.to_owned(), String::new());
        let (p, time) = self.top_text().unwrap_or_else(unknown);
        line("P(top)", p + &time);
        if let Some((average, of)) = self.average_text() {
            line("PFDavg", format!("{average}{of}"));
        }
        if self.lacks_importance() {
            line("importance", NOT_SOLVED.to_owned());
        }
        if let Some(text) = self.left_out() {
            line("common causes", format!("{text} (use --ccf)"));
        }
        let points = self.besides.curve.as_ref().map(Vec::len);
        if let (Some(points), Some(file)) = (points, shown) {
            line(
                "over time",
                format!("{} in {file}", counted(points, "point")),
            );
        }
        if let Some(stop) = self.stop {
            line("stopped", stop.to_string());
        }
        if verbose {
            let (functions, sets) = self.nodes();
            let functions = counted(functions, "node");
            let modules = counted(self.analysis.modules.len(), "module");
            line(
                "diagrams",
                format!("{functions}, and {sets} for the sets, in {modules}"),
            );
            let took = self.measuring.measured();
            line("time", format!("{:.3} s", took.seconds));
            let peak = took.peak as f64 / f64::from(1 << 20);
            line("peak memory", format!("{peak:.1} MiB"));
        }
        out.write_all(aligned(&lines).as_bytes())?;
        self.write_besides(out, shown.is_none())?;
        if let Some(importance) = &self.importance {
            self.write_importance(importance, out)?;
        }
        if self.request.list == List::None {
            return Ok(self.stop);
        }
        writeln!(out)?;
        let listed = self.each_set(self.request.list, |set, probability| {
            if let Some(probability) = probability {
                write!(out, "{probability:.6e} ")?;
            }
            let names = set.iter().map(|&literal| one_line(&self.member(literal)));
            writeln!(out, "{{{}}}", names.collect::<Vec<_>>().join(", "))
        })?;
        // A search that was stopped has said so above.
        if let (None, Err(stop)) = (self.stop, &listed) {
            writeln!(out, "\nstopped  {stop}")?;
        }
        Ok(self.stop.or(listed.err()))
    }

    /// A table with the names first: a name that is too long for its column has a line of its own.
    fn write_importance(&self, importance: &[Importance], out: &mut dyn Write) -> io::Result<()> {
        const WIDTH: usize = 80;
        const HEAD: [&str; 7] = ["P(event)", "MIF", "CIF", "DIF", "FV", "RAW", "RRW"];
        let sorted = Self::sorted(importance);
        let cells = |i: &Importance| {
            let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.3e}"));
            let measures = [
                Some(i.probability),
                Some(i.birnbaum),
                i.critical,
                i.diagnostic,
            ];
            let others = [i.fussell_vesely, i.risk_achievement, i.risk_reduction];
            [&measures[..], &others].concat().into_iter().map(number)
        };
        let name = |i: &Importance| one_line(&self.tree.events()[i.event as usize].name);
        let (mut widths, mut longest) = (HEAD.map(str::len), "event".len());
        for i in &sorted {
            longest = longest.max(name(i).chars().count());
            for (width, cell) in widths.iter_mut().zip(cells(i)) {
                *width = cell.len().max(*width);
            }
        }
        let numbers: usize = widths.iter().map(|width| width + 1).sum();
        let first = longest.min(WIDTH.saturating_sub(numbers));
        writeln!(out)?;
        let mut row = |name: &str, cells: Vec<String>| {
            if name.chars().count() > first {
                writeln!(out, "{name}")?;
            }
            let shown = if name.chars().count() > first {
                ""
            } else {
                name
            };
            write!(out, "{shown:first$}")?;
            for (cell, width) in cells.iter().zip(widths) {
                write!(out, " {cell:>width$}")?;
            }
            writeln!(out)
        };
        row("event", HEAD.map(str::to_owned).to_vec())?;
        for i in sorted {
            row(&name(i), cells(i).collect())?;
        }
        Ok(())
    }

    /// Writes what else was found out about a model, for people.
    fn write_besides(&self, out: &mut dyn Write, has_curve: bool) -> io::Result<()> {
        let Besides {
            curve,
            sil,
            uncertainty,
            phases,
            ..
        } = &self.besides;
        if !phases.is_empty() {
            writeln!(out, "\n{:<9} {:<12} {:<8} phase", "part", "P(top)", "sets")?;
            for phase in phases {
                let p = phase
                    .probability
                    .map_or("-".to_owned(), |p| format!("{p:.6e}"));
                let count = phase.count.as_deref().unwrap_or("-");
                let name = one_line(&format!("{}: {}", phase.alignment, phase.phase));
                writeln!(out, "{:<9} {p:<12} {count:<8} {name}", phase.fraction)?;
            }
        }
        if let Some(uncertainty) = uncertainty {
            let [lower, upper] = uncertainty.interval;
            let lines = [
                ("trials", uncertainty.trials.to_string()),
                ("mean", format!("{:.6e}", uncertainty.mean)),
                (
                    "standard deviation",
                    format!("{:.6e}", uncertainty.standard_deviation),
                ),
                (
                    "95 % interval of the mean",
                    format!("from {lower:.6e} to {upper:.6e}"),
                ),
                ("error factor", format!("{:.4}", uncertainty.error_factor)),
            ];
            let lines = lines.map(|(key, value)| (key.to_owned(), value));
            write!(out, "\n{}", aligned(&lines))?;
            writeln!(out, "\nquantile  P(top)")?;
            for [level, p] in &uncertainty.quantiles {
                writeln!(out, "{level:<9.2} {p:.6e}")?;
            }
        }
        if let Some(curve) = curve.as_ref().filter(|_| has_curve) {
            writeln!(out, "\n{:<12} P(top)", "hours")?;
            for [time, p] in curve {
                writeln!(out, "{time:<12} {p:.6e}")?;
            }
        }
        if let Some(sil) = sil {
            writeln!(out, "\nPFHavg    {:.6e}", sil.pfh_average)?;
            writeln!(out, "\n{:<9} {:<16} by the hour", "level", "on demand")?;
            let names = ["better", "SIL 4", "SIL 3", "SIL 2", "SIL 1", "none"];
            for ((name, pfd), pfh) in names.iter().zip(&sil.pfd).zip(&sil.pfh) {
                writeln!(out, "{name:<9} {:<16.6} {:.6}", pfd.share, pfh.share)?;
            }
        }
        Ok(())
    }
}
