//! Answers for spreadsheets: one table.

use std::io::{self, Write};

use meetjoin_lattice::Stop;

use super::{Answer, List, number};

/// A cell: what has a comma, a quote or the end of a line in it stands in quotes.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl Answer<'_> {
    /// The front, or what defences leave, or else all attacks or those that were asked for; the
    /// actions of an attack stand in one cell, separated by semicolons. The result is what stopped
    /// the search or the writing, if anything did.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<Option<Stop>> {
        let attack = |attack: &[u32]| cell(&self.names(attack).join(";"));
        if let Some(front) = &self.front {
            let names: Vec<String> = self.front_names().iter().map(|name| cell(name)).collect();
            writeln!(out, "{},attack", names.join(","))?;
            for point in front {
                let values: Vec<String> = point.values.iter().map(|&value| number(value)).collect();
                writeln!(out, "{},{}", values.join(","), attack(&point.attack))?;
            }
            return Ok(self.stop);
        }
        if let Some(front) = &self.defence_front {
            writeln!(out, "cost,attack_cost,defences,attack")?;
            for point in front {
                let left = point.front.first();
                writeln!(
                    out,
                    "{},{},{},{}",
                    number(point.price),
                    left.map_or(String::new(), |left| number(left.values[0])),
                    attack(&point.defences),
                    left.map_or(String::new(), |left| attack(&left.attack))
                )?;
            }
            return Ok(self.stop);
        }
        let names: Vec<String> = self
            .value_names()
            .iter()
            .map(|name| cell(name) + ",")
            .collect();
        writeln!(out, "{}attack", names.concat())?;
        let list = match self.request.list {
            List::None => List::All,
            list => list,
        };
        let listed = self.each_attack(list, |found, values| {
            let values: Vec<String> = values.iter().map(|&value| number(value) + ",").collect();
            writeln!(out, "{}{}", values.concat(), attack(found))
        })?;
        Ok(self.stop.or(listed.err()))
    }
}
