//! Answers for programs: one JSON object, `meetjoin-attacks/1`.

use std::io::{self, Write};

use meetjoin_lattice::Stop;
use serde_json::to_string;

use super::{Answer, Defended, List, Valued, number};

fn text(value: &impl serde::Serialize) -> String {
    // Strings and lists of strings are always JSON.
    to_string(value).unwrap_or_default()
}

impl Answer<'_> {
    /// One JSON object on a line. The result is what stopped the search or the writing of attacks,
    /// if anything did.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<Option<Stop>> {
        let count = self.count.as_ref().map(ToString::to_string);
        write!(
            out,
            r#"{{"format":"meetjoin-attacks/1","count":{}"#,
            text(&count)
        )?;
        self.write_best(out)?;
        write!(
            out,
            r#","probability":{}"#,
            self.probability.map_or("null".to_owned(), number)
        )?;
        if let Some(front) = &self.front {
            let names = self.front_names();
            write!(
                out,
                r#","front_of":{},"front":{}"#,
                text(&names),
                self.valued(front)
            )?;
            if !self.front_is_exact {
                write!(out, r#","front_is":"reached""#)?;
            }
        }
        self.write_defences(out)?;
        if let Some(damage) = &self.damage {
            let points = damage.iter().map(|point| {
                format!(
                    r#"{{"cost":{},"damage":{},"attack":{}}}"#,
                    number(point.cost),
                    number(point.damage),
                    text(&self.names(&point.attack))
                )
            });
            let points: Vec<String> = points.collect();
            write!(out, r#","damage_front":[{}]"#, points.join(","))?;
        }
        let mut stop = self.stop;
        if self.request.list != List::None {
            write!(out, r#","attacks":["#)?;
            let mut separator = "";
            let names = self.value_names();
            let listed = self.each_attack(self.request.list, |attack, values| {
                let values = Self::object(&names, values);
                let attack = text(&self.names(attack));
                write!(out, r#"{separator}{{"values":{values},"attack":{attack}}}"#)?;
                separator = ",";
                Ok(())
            })?;
            stop = stop.or(listed.err());
            write!(out, "]")?;
        }
        let unused = self.names(&self.tree.unused());
        let nodes = self.plan.as_ref().map_or((0, 0), crate::plan::Plan::nodes);
        let took = self.measuring.measured();
        writeln!(
            out,
            r#","unused":{},"stop":{},"stats":{{"function_nodes":{},"set_nodes":{},"peak_memory_bytes":{},"seconds":{}}}}}"#,
            text(&unused),
            text(&stop.map(Stop::word)),
            nodes.0,
            nodes.1,
            took.peak,
            took.seconds,
        )?;
        Ok(stop)
    }

    fn write_best(&self, out: &mut dyn Write) -> io::Result<()> {
        let attribute = |place: usize| text(&self.tree.attributes()[place].name);
        let all = |of: &dyn Fn(&super::BestOf) -> Option<String>| {
            let all = self
                .best
                .iter()
                .filter_map(|best| Some(format!("{}:{}", attribute(best.attribute), of(best)?)));
            all.collect::<Vec<String>>().join(",")
        };
        let values = all(&|best| {
            let value = best.best.as_ref().map(|(value, _)| number(*value));
            Some(value.unwrap_or_else(|| "null".to_owned()))
        });
        let attacks = all(&|best| {
            let attack = best.best.as_ref().map(|(_, attack)| self.names(attack));
            Some(text(&attack))
        });
        write!(out, r#","best":{{{values}}},"best_attacks":{{{attacks}}}"#)?;
        let bounds = all(&|best| best.bound.map(number));
        if !bounds.is_empty() {
            write!(out, r#","best_is_no_better_than":{{{bounds}}}"#)?;
        }
        Ok(())
    }

    fn write_defences(&self, out: &mut dyn Write) -> io::Result<()> {
        let null = || "null".to_owned();
        if let Some(front) = &self.defence_front {
            let points: Vec<String> = front.iter().map(|point| self.defended(point)).collect();
            let block = self.block().flatten();
            write!(
                out,
                r#","defence_front":[{}],"block":{}"#,
                points.join(","),
                block.map_or_else(null, |point| self.bought(point))
            )?;
        }
        if let (Some(value), Some(_)) = (self.request.stopping, &self.defence_front) {
            let found = self.stopping(value).flatten();
            let found = found.map_or_else(null, |point| self.defended(point));
            write!(out, r#","stopping":{found}"#)?;
        }
        if let (Some(most), Some(found)) = (self.request.spend, &self.within_budget) {
            let found = found
                .first()
                .map_or_else(null, |point| self.defended(point));
            write!(out, r#","budget":{},"within_budget":{found}"#, number(most))?;
        }
        if let Some(fronts) = &self.defence_fronts {
            let points = fronts.iter().map(|point| {
                format!(
                    r#"{{"cost":{},"defences":{},"front":{}}}"#,
                    number(point.price),
                    text(&self.names(&point.defences)),
                    self.valued(&point.front)
                )
            });
            let points: Vec<String> = points.collect();
            write!(out, r#","defence_fronts":[{}]"#, points.join(","))?;
        }
        Ok(())
    }

    /// Defences with what they cost.
    fn bought(&self, point: &Defended) -> String {
        format!(
            r#"{{"cost":{},"defences":{}}}"#,
            number(point.price),
            text(&self.names(&point.defences))
        )
    }

    /// Defences with their cost and what they leave.
    fn defended(&self, point: &Defended) -> String {
        let left = point.front.first();
        format!(
            r#"{{"cost":{},"attack_cost":{},"defences":{},"attack":{}}}"#,
            number(point.price),
            left.map_or("null".to_owned(), |left| number(left.values[0])),
            text(&self.names(&point.defences)),
            text(&left.map(|left| self.names(&left.attack)))
        )
    }

    fn object(names: &[impl AsRef<str>], values: &[f64]) -> String {
        let pairs = names.iter().zip(values);
        let pairs =
            pairs.map(|(name, &value)| format!("{}:{}", text(&name.as_ref()), number(value)));
        format!("{{{}}}", pairs.collect::<Vec<String>>().join(","))
    }

    fn valued(&self, front: &[Valued]) -> String {
        let points = front.iter().map(|point| {
            let values = Self::object(self.front_names(), &point.values);
            let attack = text(&self.names(&point.attack));
            format!(r#"{{"values":{values},"attack":{attack}}}"#)
        });
        format!("[{}]", points.collect::<Vec<String>>().join(","))
    }
}
