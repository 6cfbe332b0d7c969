//! Answers for people.

use std::io::{self, Write};

use meetjoin_lattice::Stop;
use meetjoin_report::{aligned, one_line};

use super::{Answer, Defended, List, number};

impl Answer<'_> {
    /// Lines for people. The result is what stopped the search or the writing of attacks, if
    /// anything did.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<Option<Stop>> {
        let mut lines = Vec::new();
        let mut line = |key: String, value: String| lines.push((key, value));
        let count = self.count.as_ref().map(ToString::to_string);
        line(
            "minimal attacks".to_owned(),
            count.unwrap_or_else(|| "not known".to_owned()),
        );
        for best in &self.best {
            let name = &self.tree.attributes()[best.attribute].name;
            let found = best
                .best
                .as_ref()
                .map(|(value, attack)| format!("{}  by {}", number(*value), self.listed(attack)));
            let found = found.unwrap_or_else(|| "no attack".to_owned());
            match best.bound {
                None => line(format!("best {name}"), found),
                Some(bound) => {
                    line(format!("best {name} until now"), found);
                    line(format!("no better {name} than"), number(bound));
                }
            }
        }
        if let Some(probability) = self.probability {
            line(
                "everything tried".to_owned(),
                format!("succeeds with probability {}", number(probability)),
            );
        }
        if let (Some(most), Some(found)) = (self.request.spend, &self.within_budget) {
            let found = found.first().map(|point| self.sentence(point));
            line(
                format!("for at most {}", number(most)),
                found.unwrap_or_default(),
            );
        }
        if let Some(block) = self.block() {
            let found = block
                .map(|point| format!("{}  {}", number(point.price), self.listed(&point.defences)));
            let found = found.unwrap_or_else(|| "no defences do".to_owned());
            line("stops all attacks".to_owned(), found);
        }
        if let Some(value) = self.request.stopping
            && let Some(found) = self.stopping(value)
        {
            let found = found.map(|point| self.sentence(point));
            let found = found.unwrap_or_else(|| "no defences do".to_owned());
            line(format!("stops all up to {}", number(value)), found);
        }
        let unused = self.tree.unused();
        if !unused.is_empty() {
            line("unused".to_owned(), self.listed(&unused));
        }
        if let Some(stop) = self.stop {
            line("stopped".to_owned(), stop.to_string());
        }
        write!(out, "{}", aligned(&lines))?;
        if let Some(front) = &self.front {
            let how = if self.front_is_exact {
                ""
            } else {
                " (reached until now; others may better them)"
            };
            writeln!(out, "\nfront{how}")?;
            let head: Vec<&str> = self.front_names().iter().map(String::as_str).collect();
            let rows = front.iter().map(|point| {
                let values: Vec<String> = point.values.iter().map(|&value| number(value)).collect();
                (values, self.listed(&point.attack))
            });
            table(out, &head, "attack", rows.collect())?;
        }
        if let Some(front) = &self.defence_front {
            writeln!(out, "\nwhat defences leave")?;
            let by = self
                .by
                .map_or("", |by| self.tree.attributes()[by].name.as_str());
            let left = format!("attacker's {by}");
            let rows = front.iter().map(|point| {
                let left = point
                    .front
                    .first()
                    .map_or_else(|| "none".to_owned(), |left| number(left.values[0]));
                (
                    vec![number(point.price), left],
                    self.listed(&point.defences),
                )
            });
            table(out, &["price", &left], "defences", rows.collect())?;
        }
        for point in self.defence_fronts.iter().flatten() {
            let defences = self.listed(&point.defences);
            writeln!(out, "\nfront for {}: {defences}", number(point.price))?;
            let head: Vec<&str> = self.front_names().iter().map(String::as_str).collect();
            let rows = point.front.iter().map(|point| {
                let values: Vec<String> = point.values.iter().map(|&value| number(value)).collect();
                (values, self.listed(&point.attack))
            });
            table(out, &head, "attack", rows.collect())?;
        }
        if let Some(damage) = &self.damage {
            writeln!(out, "\ncost and damage")?;
            let rows = damage.iter().map(|point| {
                let values = vec![number(point.cost), number(point.damage)];
                (values, self.listed(&point.attack))
            });
            table(out, &["cost", "damage"], "attack", rows.collect())?;
        }
        let mut stop = self.stop;
        if self.request.list != List::None && self.plan.is_some() {
            writeln!(out, "\nattacks")?;
            let names = self.value_names();
            let listed = self.each_attack(self.request.list, |attack, values| {
                let values = names.iter().zip(values);
                let values = values.map(|(name, &value)| format!("  {name}={}", number(value)));
                let values: String = values.collect();
                writeln!(out, "{}{}", self.listed(attack), one_line(&values))
            })?;
            if let Err(why) = listed {
                writeln!(out, "stopped  {why}")?;
                stop = stop.or(Some(why));
            }
        }
        Ok(stop)
    }

    /// Names on a line.
    pub(super) fn listed(&self, nodes: &[u32]) -> String {
        match self.names(nodes)[..] {
            [] => "nothing".to_owned(),
            ref names => one_line(&names.join(", ")),
        }
    }

    fn sentence(&self, point: &Defended) -> String {
        let defences = self.listed(&point.defences);
        let left = match point.front.first() {
            None => "no attack".to_owned(),
            Some(left) => format!(
                "{} by {}",
                number(left.values[0]),
                self.listed(&left.attack)
            ),
        };
        format!("{}  {defences}, which leaves {left}", number(point.price))
    }
}

/// Numbers in columns, and words after them.
fn table(
    out: &mut dyn Write,
    head: &[&str],
    last: &str,
    rows: Vec<(Vec<String>, String)>,
) -> io::Result<()> {
    let head: Vec<String> = head.iter().map(|name| one_line(name)).collect();
    let width = |place: usize| {
        let cells = rows.iter().map(|(cells, _)| cells[place].len());
        cells.max().unwrap_or(0).max(head[place].chars().count())
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let rows = rows.into_iter();
    for (cells, words) in std::iter::once((head, last.to_owned())).chain(rows) {
        for (cell, &width) in cells.iter().zip(&widths) {
            write!(out, "{cell:>width$}  ")?;
        }
        writeln!(out, "{words}")?;
    }
    Ok(())
}
