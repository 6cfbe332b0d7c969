//! The minimal cut sets of a fault tree, the probability of its top, and how much each event
//! matters.
//!
//! Idea: an answer holds diagrams, and not lists: sets are found while they are written, however
//! many there are. Of a model more can be asked, over the same diagrams: [`curve`] is P(top) over
//! time, [`safety`] its safety integrity, [`uncertainty`] what trials make of it, and `exchange`
//! applies substitutions to the sets. [`sequences`] answers for event trees. [`Cuts::html`] is a
//! page of all of it.

pub mod curve;
mod exchange;
mod page;
mod plot;
pub mod safety;
pub mod sequences;
pub mod uncertainty;

use std::io::{self, Write};

use crate::diagram::{Analysis, Importance, Only, Sets};
use crate::model::place::FaultTreeFileError;
use crate::model::{Model, State};
use crate::rewrite::Literal;
use crate::tree::Argument;
use crate::tree::FaultTree;
use meetjoin_lattice::{Budget, Stop};
use num_bigint::BigUint;
use serde::Serialize;

use meetjoin_report::Measuring;
use meetjoin_report::Meter;
use meetjoin_report::{aligned, one_line};

/// What is asked of a fault tree.
#[derive(Clone, Copy, Debug)]
pub struct CutsRequest<'a> {
    /// Which sets.
    pub sets: Sets,
    /// Sets of at most so many members.
    pub limit_order: Option<u32>,
    /// Sets that are at least so probable.
    pub cut_off: Option<f64>,
    /// Which sets are written.
    pub list: List,
    /// Whether the importance of events is asked for.
    pub importance: bool,
    /// Limits and cancellation.
    pub budget: &'a Budget,
    /// How memory is measured.
    pub meter: Meter,
}

/// Which sets are written, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// None.
    None,
    /// All, the smallest first.
    BySize,
    /// So many, the most probable first.
    MostProbable(usize),
}

/// What is asked of a model besides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// Hours between two points of P(top) over time.
    pub time_step: Option<f64>,
    /// Whether safety integrity levels are asked for; they need a time step.
    pub sil: bool,
    /// How many trials, and the seed of their generator.
    pub uncertainty: Option<(usize, u64)>,
}

/// What was found out of a model besides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Besides {
    /// The mission time in hours, if anything depends on it.
    pub mission_time: Option<f64>,
    /// Times, and P(top) at each.
    pub curve: Option<Vec<[f64; 2]>>,
    /// Safety integrity levels.
    pub sil: Option<safety::Sil>,
    /// What trials say.
    pub uncertainty: Option<uncertainty::Uncertainty>,
    /// The answer in each phase of each alignment.
    pub phases: Vec<PhaseAnswer>,
}

/// The answer in a phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseAnswer {
    /// The alignment.
    pub alignment: String,
    /// The phase.
    pub phase: String,
    /// Which part of the time it takes.
    pub fraction: f64,
    /// P(top) in it.
    pub probability: Option<f64>,
    /// How many minimal sets there are in it.
    pub count: String,
}

/// What was found out. Sets are found while they are written.
#[derive(Debug)]
pub struct Cuts<'a> {
    tree: &'a FaultTree,
    request: CutsRequest<'a>,
    analysis: Analysis,
    /// By event; `None` if one is missing.
    probabilities: Option<Vec<f64>>,
    by_order: Vec<BigUint>,
    probability: Option<(f64, f64)>,
    importance: Option<Vec<Importance>>,
    besides: Besides,
    stop: Option<Stop>,
    measuring: Measuring,
}

/// Why sets cannot be looked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CutsError {
    /// An event has no probability, where that of all events is needed.
    #[error("the event {0:?} has no probability, and what is asked for needs that of all")]
    NoProbability(String),
    /// Sets of no event are asked for.
    #[error("sets have at least one event, so the least order that can be asked for is 1")]
    NoOrder,
    /// A curve of too many points, or of a step that is none.
    #[error("a time step must be above 0 and come to fewer than {most} points", most = curve::MOST_POINTS)]
    NoStep,
    /// No trials, or too many.
    #[error("there must be 1 to {most} trials", most = uncertainty::MOST_TRIALS)]
    NoTrials,
    /// Something is asked for that needs P(top), and that is only bounded.
    #[error("the tree is not solved within the limits, and what is asked for needs all of it")]
    NotSolved,
    /// The model is wrong at a time or in a trial.
    #[error(transparent)]
    Model(#[from] FaultTreeFileError),
    /// Substitutions that speak of cut sets.
    #[error("{0}")]
    Substitutions(String),
}

/// Finds the minimal sets.
///
/// # Errors
/// If something is asked for that needs the probability of an event that has none, or sets of no
/// event.
pub fn find<'a>(tree: &'a FaultTree, request: CutsRequest<'a>) -> Result<Cuts<'a>, CutsError> {
    if request.limit_order == Some(0) {
        return Err(CutsError::NoOrder);
    }
    let all: Option<Vec<f64>> = tree
        .events()
        .iter()
        .map(|event| event.probability)
        .collect();
    if all.is_none()
        && (request.importance
            || request.cut_off.is_some()
            || matches!(request.list, List::MostProbable(_)))
    {
        let missing = tree
            .events()
            .iter()
            .find(|event| event.probability.is_none());
        let name = missing.map_or("", |event| &event.name);
        return Err(CutsError::NoProbability(name.to_owned()));
    }
    // A path set is made of events that do not occur.
    let of_members = all.map(|events| match request.sets {
        Sets::Paths => events.into_iter().map(|p| 1.0 - p).collect(),
        Sets::Cuts | Sets::PrimeImplicants => events,
    });
    let measuring = Measuring::begin(request.meter);
    let only = match (request.limit_order, request.cut_off) {
        (Some(order), _) => Only::Order(order),
        (None, Some(least)) => Only::Probability(least),
        (None, None) => Only::All,
    };
    let analysis = Analysis::with_only(tree, request.sets, only, request.budget);
    let mut this = Cuts {
        tree,
        request,
        stop: analysis.stop,
        analysis,
        probabilities: of_members,
        by_order: Vec::new(),
        probability: None,
        importance: None,
        besides: Besides::default(),
        measuring,
    };
    if let Err(stop) = this.measure() {
        this.stop = this.stop.or(Some(stop));
    }
    Ok(this)
}

/// The fault tree of a top of a model: after the substitutions that speak of cut sets, if it has
/// any, that of the sum of its sets.
///
/// # Errors
/// What is wrong with the model, or why its sets cannot be found.
pub fn tree_of(
    model: &Model,
    top: Option<&str>,
    state: &State,
    sets: Sets,
    budget: &Budget,
) -> Result<FaultTree, CutsError> {
    let tree = model.tree(top, state)?;
    exchange::exchanged(model, tree, state, sets, budget).map_err(|error| match error {
        exchange::NotExchanged::NotSolved => CutsError::NotSolved,
        exchange::NotExchanged::Because(why) => CutsError::Substitutions(why),
    })
}

/// Finds the minimal sets of a tree of a model, and what is asked for besides.
///
/// # Errors
/// As [`find`]; or what is wrong with the model at some time or in some trial.
pub fn find_in_model<'a>(
    (model, top, state): (&Model, Option<&str>, &State),
    tree: &'a FaultTree,
    request: CutsRequest<'a>,
    asked: Asked,
) -> Result<Cuts<'a>, CutsError> {
    let times = match asked.time_step {
        Some(step) => Some(curve::times(state.mission_time, step).ok_or(CutsError::NoStep)?),
        None => None,
    };
    if asked
        .uncertainty
        .is_some_and(|(trials, _)| !(1..=uncertainty::MOST_TRIALS).contains(&trials))
    {
        return Err(CutsError::NoTrials);
    }
    let mut found = find(tree, request)?;
    if times.is_some() || asked.uncertainty.is_some() {
        let Some(_) = found.probabilities else {
            let missing = tree
                .events()
                .iter()
                .find(|event| event.probability.is_none());
            let name = missing.map_or("", |event| &event.name);
            return Err(CutsError::NoProbability(name.to_owned()));
        };
        if found.stop.is_some() || !found.analysis.is_exact() {
            return Err(CutsError::NotSolved);
        }
    }
    let mut besides = Besides {
        mission_time: model.depends_on_time().then_some(state.mission_time),
        ..Besides::default()
    };
    if let Some(times) = times {
        match curve::curve(&found.analysis, model, &times, request.budget)? {
            Ok(points) => besides.curve = Some(points),
            Err(stop) => found.stop = Some(stop),
        }
    }
    if asked.sil {
        besides.sil = besides.curve.as_deref().map(safety::levels);
    }
    if let Some(trials) = asked.uncertainty {
        let time = state.mission_time;
        let drawn = uncertainty::uncertainty(&found.analysis, model, time, trials, request.budget);
        match drawn {
            Ok(uncertainty) => besides.uncertainty = Some(uncertainty),
            Err(uncertainty::NoTrials::Stop(stop)) => found.stop = Some(stop),
            Err(uncertainty::NoTrials::Model(wrong)) => return Err(wrong.into()),
        }
    }
    for phase in model.phases() {
        let state = phase.state(state.mission_time);
        let tree = tree_of(model, top, &state, request.sets, request.budget)?;
        let request = CutsRequest {
            importance: false,
            list: List::None,
            ..request
        };
        let answer = find(&tree, request)?;
        found.stop = found.stop.or(answer.stop);
        #[allow(clippy::float_cmp)] // equal if they come from one function
        let known = answer.probability.filter(|(lower, upper)| lower == upper);
        besides.phases.push(PhaseAnswer {
            alignment: phase.alignment.to_owned(),
            phase: phase.name.to_owned(),
            fraction: phase.fraction,
            probability: known.map(|(p, _)| p),
            count: answer.count().to_string(),
        });
    }
    found.besides = besides;
    Ok(found)
}

impl<'a> Cuts<'a> {
    /// What was found out of a model besides.
    pub fn besides(&self) -> &Besides {
        &self.besides
    }

    /// Counts and probabilities.
    fn measure(&mut self) -> Result<(), Stop> {
        // What was found before a limit fired is still to be told.
        let unlimited = Budget::unlimited();
        let budget = if self.stop.is_some() {
            &unlimited
        } else {
            self.request.budget
        };
        let CutsRequest {
            limit_order,
            cut_off,
            sets,
            ..
        } = self.request;
        if let Some(probabilities) = &self.probabilities {
            let (lower, upper) = self.analysis.probability(probabilities, budget)?;
            self.probability = Some(match sets {
                Sets::Paths => (1.0 - upper, 1.0 - lower),
                Sets::Cuts | Sets::PrimeImplicants => (lower, upper),
            });
            if self.request.importance {
                self.importance = Some(self.analysis.importance(probabilities, budget)?);
            }
        }
        self.by_order = match (cut_off, &self.probabilities) {
            (Some(cut_off), Some(probabilities)) => {
                let mut counts = Vec::new();
                let mut sets = self
                    .analysis
                    .by_probability(probabilities, budget)?
                    .down_to(cut_off);
                while let Some((set, _)) = sets.next_set(budget)? {
                    if counts.len() <= set.len() {
                        counts.resize(set.len() + 1, BigUint::default());
                    }
                    counts[set.len()] += 1_u32;
                }
                counts
            }
            _ => self.analysis.by_order(budget)?,
        };
        if let Some(most) = limit_order {
            self.by_order.truncate(most as usize + 1);
        }
        while self
            .by_order
            .pop_if(|last| *last == BigUint::default())
            .is_some()
        {}
        Ok(())
    }

    /// Whether no limit has kept anything back.
    pub fn is_complete(&self) -> bool {
        self.stop.is_none()
    }

    /// How many sets were found.
    pub fn count(&self) -> BigUint {
        self.by_order.iter().sum()
    }

    /// How many sets were found of each order, from order 0 on.
    pub fn by_order(&self) -> &[BigUint] {
        &self.by_order
    }

    /// A lower and an upper bound of the probability of the top, equal if it is known; `None` if an
    /// event has no probability.
    pub fn probability(&self) -> Option<(f64, f64)> {
        self.probability
    }

    /// The importance of each event on which the top depends, if it was asked for.
    pub fn importance(&self) -> Option<&[Importance]> {
        self.importance.as_deref()
    }

    /// Diagram nodes of functions and of sets.
    pub fn nodes(&self) -> (usize, usize) {
        self.analysis.nodes()
    }

    /// Hands the sets that are listed to `found`, each with its probability if that is known.
    fn each_set(
        &self,
        list: List,
        found: impl FnMut(&[Literal], Option<f64>) -> io::Result<()>,
    ) -> io::Result<Result<(), Stop>> {
        self.first_sets((list, usize::MAX), found)
    }

    /// The same for so many of them at most.
    fn first_sets(
        &self,
        (list, first): (List, usize),
        mut found: impl FnMut(&[Literal], Option<f64>) -> io::Result<()>,
    ) -> io::Result<Result<(), Stop>> {
        let mut left = first;
        let unlimited = Budget::unlimited();
        let budget = if self.stop.is_some() {
            &unlimited
        } else {
            self.request.budget
        };
        let CutsRequest {
            limit_order,
            cut_off,
            ..
        } = self.request;
        let most = limit_order.unwrap_or(u32::MAX);
        /// The value, or the end of the search within the success of writing.
        macro_rules! searched {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => return Ok(Err(stop)),
                }
            };
        }
        match (list, &self.probabilities) {
            (List::None, _) => {}
            (List::MostProbable(most_probable), Some(probabilities)) => {
                left = left.min(most_probable);
                let sets = searched!(self.analysis.by_probability(probabilities, budget));
                let mut sets = sets.down_to(cut_off.unwrap_or(0.0));
                while left > 0
                    && let Some((set, product)) = searched!(sets.next_set(budget))
                {
                    if set.len() <= most as usize {
                        found(&set, Some(product))?;
                        left -= 1;
                    }
                }
            }
            _ => {
                let mut sets = searched!(self.analysis.by_size(most, budget));
                while left > 0
                    && let Some(set) = searched!(sets.next_set(budget))
                {
                    let product = self.probabilities.as_ref().map(|p| product(&set, p));
                    if cut_off.is_none_or(|least| product.is_none_or(|product| product >= least)) {
                        found(&set, product)?;
                        left -= 1;
                    }
                }
            }
        }
        Ok(Ok(()))
    }

    fn name(&self, literal: Literal) -> &'a str {
        &self.tree.events()[literal.event as usize].name
    }

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
            curve,
            sil,
            uncertainty,
            phases,
        } = &self.besides;
        if let Some(mission_time) = mission_time {
            write!(out, r#","mission_time":{}"#, json(mission_time))?;
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
    /// and a negated event has a `-` before its name.
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
                let (comma, minus) = (
                    if place > 0 { "," } else { "" },
                    if literal.positive { "" } else { "-" },
                );
                let name = self.name(literal);
                if name.contains(['"', ',', '\n', '\r']) {
                    write!(out, "{comma}\"{minus}{}\"", name.replace('"', "\"\""))?;
                } else {
                    write!(out, "{comma}{minus}{name}")?;
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

    /// Lines for people.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<Option<Stop>> {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        let what = match (self.request.sets, self.analysis.coherent) {
            (Sets::Cuts, true) => "minimal cut sets",
            (Sets::Cuts, false) => "minimal p-cuts",
            (Sets::Paths, _) => "minimal path sets",
            (Sets::PrimeImplicants, _) => "prime implicants",
        };
        let found = if self.stop.is_some() { " found" } else { "" };
        line(&format!("{what}{found}"), self.count().to_string());
        for (order, count) in self
            .by_order
            .iter()
            .enumerate()
            .filter(|(_, count)| **count != BigUint::default())
        {
            line(&format!("of order {order}"), count.to_string());
        }
        match self.probability {
            None => line(
                "P(top)",
                "unknown, for events have no probability".to_owned(),
            ),
            #[allow(clippy::float_cmp)] // equal if they come from one function
            Some((lower, upper)) if lower == upper => line("P(top)", format!("{lower:.6e}")),
            Some((lower, upper)) => line("P(top)", format!("from {lower:.6e} to {upper:.6e}")),
        }
        if let Some(hours) = self.besides.mission_time {
            line("mission time", format!("{hours} hours"));
        }
        if let Some(stop) = self.stop {
            line("stopped", stop.to_string());
        }
        let (functions, sets) = self.nodes();
        line(
            "diagrams",
            format!(
                "{functions} nodes, and {sets} for the sets, in {} modules",
                self.analysis.modules.len()
            ),
        );
        let took = self.measuring.measured();
        line("time", format!("{:.3} s", took.seconds));
        line(
            "peak memory",
            format!("{:.1} MiB", took.peak as f64 / f64::from(1 << 20)),
        );
        out.write_all(aligned(&lines).as_bytes())?;
        self.write_besides(out)?;
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
            let names = set.iter().map(|&literal| {
                let minus = if literal.positive { "" } else { "-" };
                one_line(&format!("{minus}{}", self.name(literal)))
            });
            writeln!(out, "{{{}}}", names.collect::<Vec<_>>().join(", "))
        })?;
        Ok(self.stop.or(listed.err()))
    }

    fn write_importance(&self, importance: &[Importance], out: &mut dyn Write) -> io::Result<()> {
        let mut sorted: Vec<&Importance> = importance.iter().collect();
        sorted.sort_by(|a, b| b.birnbaum.total_cmp(&a.birnbaum));
        let number =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4e}"));
        writeln!(
            out,
            "\n{:<11} {:<11} {:<11} {:<11} {:<14} {:<11} {:<11} event",
            "P(event)", "Birnbaum", "critical", "diagnostic", "Fussell-Vesely", "RAW", "RRW"
        )?;
        for i in sorted {
            let name = one_line(&self.tree.events()[i.event as usize].name);
            writeln!(
                out,
                "{:<11} {:<11} {:<11} {:<11} {:<14} {:<11} {:<11} {name}",
                number(Some(i.probability)),
                number(Some(i.birnbaum)),
                number(i.critical),
                number(i.diagnostic),
                number(i.fussell_vesely),
                number(i.risk_achievement),
                number(i.risk_reduction),
            )?;
        }
        Ok(())
    }

    /// What was found of a model besides, for people.
    fn write_besides(&self, out: &mut dyn Write) -> io::Result<()> {
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
                let name = one_line(&format!("{}: {}", phase.alignment, phase.phase));
                writeln!(
                    out,
                    "{:<9} {p:<12} {:<8} {name}",
                    phase.fraction, phase.count
                )?;
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
        if let Some(curve) = curve {
            writeln!(out, "\n{:<12} P(top)", "hours")?;
            for [time, p] in curve {
                writeln!(out, "{time:<12} {p:.6e}")?;
            }
        }
        if let Some(sil) = sil {
            let lines = [
                ("PFDavg".to_owned(), format!("{:.6e}", sil.pfd_average)),
                ("PFHavg".to_owned(), format!("{:.6e}", sil.pfh_average)),
            ];
            write!(out, "\n{}", aligned(&lines))?;
            writeln!(out, "\n{:<9} {:<16} by the hour", "level", "on demand")?;
            let names = ["better", "SIL 4", "SIL 3", "SIL 2", "SIL 1", "none"];
            for ((name, pfd), pfh) in names.iter().zip(&sil.pfd).zip(&sil.pfh) {
                writeln!(out, "{name:<9} {:<16.6} {:.6}", pfd.share, pfh.share)?;
            }
        }
        Ok(())
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

/// Numbers and names cannot fail to be written.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn product(set: &[Literal], probabilities: &[f64]) -> f64 {
    let of = |literal: &Literal| {
        let p = probabilities[literal.event as usize];
        if literal.positive { p } else { 1.0 - p }
    };
    set.iter().map(of).product()
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
