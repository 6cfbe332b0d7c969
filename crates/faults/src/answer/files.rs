//! Answers for programs: JSON, lines of CSV, and reports in the Open-PSA format.

use std::io::{self, Write};

use meetjoin_lattice::Stop;
use serde::Serialize;

use super::{Besides, Cuts, List, json};
use crate::diagram::Sets;
use crate::tree::Argument;

impl Cuts<'_> {
    /// One JSON object, `meetjoin-cuts/1`. The result is what stopped the writing of sets, if
    /// anything did.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<Option<Stop>> {
        let orders: Vec<String> = self
            .by_order
            .iter()
            .skip(1)
            .map(ToString::to_string)
            .collect();
        let sets = match self.request.sets {
            Sets::Cuts => "cuts",
            Sets::Paths => "paths",
            Sets::PrimeImplicants => "prime-implicants",
        };
        write!(
            out,
            r#"{{"format":"meetjoin-cuts/1","sets_are":"{sets}","coherent":{},"count":"{}","by_order":[{}],"probability":{}"#,
            self.analysis.coherent,
            self.count(),
            orders.join(","),
            match self.probability {
                None => "null".to_owned(),
                #[allow(clippy::float_cmp)] // equal if they come from one function
                Some((lower, upper)) if lower == upper => json(&lower),
                Some((lower, upper)) => json(&Bounds { lower, upper }),
            }
        )?;
        let Besides {
            mission_time,
            average,
            groups_left_out: _,
            curve,
            sil,
            uncertainty,
            phases,
        } = &self.besides;
        if let Some(mission_time) = mission_time {
            write!(out, r#","mission_time":{}"#, json(mission_time))?;
        }
        if let Some(average) = average {
            write!(out, r#","pfd_average":{}"#, json(&average.as_ref().ok()))?;
        }
        if !phases.is_empty() {
            write!(out, r#","phases":{}"#, json(phases))?;
        }
        if let Some(curve) = curve {
            write!(out, r#","curve":{}"#, json(curve))?;
        }
        if let Some(sil) = sil {
            write!(out, r#","sil":{}"#, json(sil))?;
        }
        if let Some(uncertainty) = uncertainty {
            write!(out, r#","uncertainty":{}"#, json(uncertainty))?;
        }
        if self.lacks_importance() {
            write!(out, r#","importance":null"#)?;
        }
        if let Some(importance) = &self.importance {
            let importance = importance.iter().map(|i| ImportanceJson {
                event: &self.tree.events()[i.event as usize].name,
                probability: i.probability,
                birnbaum: i.birnbaum,
                critical: i.critical,
                diagnostic: i.diagnostic,
                fussell_vesely: i.fussell_vesely,
                risk_achievement: i.risk_achievement,
                risk_reduction: i.risk_reduction,
            });
            write!(
                out,
                r#","importance":{}"#,
                json(&importance.collect::<Vec<_>>())
            )?;
        }
        let mut stop = self.stop;
        if self.request.list != List::None {
            write!(out, r#","sets":["#)?;
            let (mut first, mut products) = (true, Vec::new());
            let most_probable = matches!(self.request.list, List::MostProbable(_));
            let listed = self.each_set(self.request.list, |set, probability| {
                if most_probable {
                    products.extend(probability);
                }
                let separator = if std::mem::take(&mut first) { "" } else { "," };
                let events = set.iter().map(|&literal| {
                    let name = json(&self.name(literal));
                    if literal.positive {
                        name
                    } else {
                        format!(r#"{{"not":{name}}}"#)
                    }
                });
                let events: Vec<String> = events.collect();
                write!(out, "{separator}[{}]", events.join(","))
            })?;
            stop = stop.or(listed.err());
            write!(out, "]")?;
            if most_probable {
                write!(out, r#","set_probabilities":{}"#, json(&products))?;
            }
        }
        let took = self.measuring.measured();
        let (function_nodes, set_nodes) = self.nodes();
        writeln!(
            out,
            r#","stop":{},"stats":{{"function_nodes":{function_nodes},"set_nodes":{set_nodes},"modules":{},"peak_memory_bytes":{},"seconds":{}}}}}"#,
            json(&stop.map(Stop::word)),
            self.analysis.modules.len(),
            took.peak,
            json(&took.seconds),
        )?;
        Ok(stop)
    }

    /// A set a line, names separated by commas; a name with a comma or a quote stands in quotes,
    /// and a negated event has a `-` before its name. Of prime implicants a name that begins with
    /// `-` or a quote is a JSON string.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<Option<Stop>> {
        let list = match self.request.list {
            List::None => List::BySize,
            list => list,
        };
        let listed = self.each_set(list, |set, _| {
            for (place, &literal) in set.iter().enumerate() {
                let comma = if place > 0 { "," } else { "" };
                let name = self.member(literal);
                if name.contains(['"', ',', '\n', '\r']) {
                    write!(out, "{comma}\"{}\"", name.replace('"', "\"\""))?;
                } else {
                    write!(out, "{comma}{name}")?;
                }
            }
            writeln!(out)
        })?;
        Ok(self.stop.or(listed.err()))
    }

    /// A report in the Model Exchange Format of the Open-PSA initiative: one sum of products, with
    /// what is known of probabilities.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_open_psa(&self, out: &mut dyn Write) -> io::Result<Option<Stop>> {
        let list = match self.request.list {
            List::None => List::BySize,
            list => list,
        };
        let quantity = match self.request.sets {
            Sets::Cuts => "Minimal Cut Sets",
            Sets::Paths => "Minimal Path Sets",
            Sets::PrimeImplicants => "Prime Implicants",
        };
        writeln!(
            out,
            r#"<?xml version="1.0" encoding="UTF-8"?>
<report>
  <information>
    <software name="meetjoin" version="{}"/>
    <calculated-quantity name="{quantity}"/>
    <model-features><gates>{}</gates><basic-events>{}</basic-events></model-features>"#,
            env!("CARGO_PKG_VERSION"),
            self.tree.gates().len(),
            self.tree.events().len(),
        )?;
        let mut probability = String::new();
        match self.probability {
            None => {}
            #[allow(clippy::float_cmp)] // equal if they come from one function
            Some((lower, upper)) if lower == upper => {
                probability = format!(r#" probability="{lower:e}""#);
            }
            Some((lower, upper)) => writeln!(
                out,
                "    <warning>The probability lies between {lower:e} and {upper:e}.</warning>"
            )?,
        }
        if let Some(stop) = self.stop {
            writeln!(out, "    <warning>Perhaps not all sets: {stop}.</warning>")?;
        }
        let top = match self.tree.top() {
            Argument::Gate(gate) => self.tree.gates()[gate as usize].name.as_deref(),
            Argument::Event(event) => Some(&*self.tree.events()[event as usize].name),
            Argument::Constant(_) => None,
        };
        writeln!(
            out,
            r#"  </information>
  <results>
    <sum-of-products name="{}" basic-events="{}" products="{}"{probability}>"#,
            xml(top.unwrap_or("top")),
            self.tree.events().len(),
            self.count(),
        )?;
        let listed = self.each_set(list, |set, probability| {
            write!(out, r#"      <product order="{}""#, set.len())?;
            if let Some(probability) = probability {
                write!(out, r#" probability="{probability:e}""#)?;
            }
            write!(out, ">")?;
            for &literal in set {
                let event = format!(r#"<basic-event name="{}"/>"#, xml(self.name(literal)));
                if literal.positive {
                    write!(out, "{event}")?;
                } else {
                    write!(out, "<not>{event}</not>")?;
                }
            }
            writeln!(out, "</product>")
        })?;
        writeln!(out, "    </sum-of-products>\n  </results>\n</report>")?;
        Ok(self.stop.or(listed.err()))
    }
}

/// A name within an attribute. What XML cannot hold at all becomes a mark.
fn xml(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            letter if letter.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[derive(Serialize)]
struct Bounds {
    lower: f64,
    upper: f64,
}

#[derive(Serialize)]
struct ImportanceJson<'a> {
    event: &'a str,
    probability: f64,
    birnbaum: f64,
    critical: Option<f64>,
    diagnostic: Option<f64>,
    fussell_vesely: Option<f64>,
    risk_achievement: Option<f64>,
    risk_reduction: Option<f64>,
}
