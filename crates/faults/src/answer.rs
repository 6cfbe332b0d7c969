//! The minimal cut sets of a fault tree, the probability of its top, and how much each event
//! matters.
//!
//! Idea: an answer holds diagrams, not lists: sets are enumerated while they are written, however
//! many there are. The same diagrams answer more about a model: [`curve`] is P(top) over time,
//! [`safety`] its safety integrity, [`uncertainty`] its distribution over random trials, and
//! `exchange` applies substitutions to the sets. [`sequences`] answers for event trees.
//! [`Cuts::html`] is a page of all of it, and `picture` the tree alone; `files` are for programs,
//! and `text` is for people.

mod average;
pub mod curve;
mod exchange;
mod files;
mod page;
mod picture;
mod plot;
pub mod safety;
pub mod sequences;
mod text;
pub mod uncertainty;

use std::io;
use std::time::Duration;

use curve::OverTime;

use crate::diagram::analysis::{simplest, unknown_event};
use crate::diagram::stream::of_set;
use crate::diagram::{Analysis, Importance, Only, Sets};
use crate::model::common_cause;
use crate::model::place::FaultTreeFileError;
use crate::model::{Model, State};
use crate::rewrite::Literal;
use crate::tree::{BasicEvent, FaultTree};
use meetjoin_lattice::{Budget, Limits, Stop};
use num_bigint::BigUint;
use serde::Serialize;

use meetjoin_report::progress::{Listener, Moment};
use meetjoin_report::{Measuring, Meter, counted};

/// What is asked of a fault tree.
#[derive(Clone, Copy, Debug)]
pub struct CutsRequest<'a> {
    /// Which sets.
    pub sets: Sets,
    /// The most members of a set.
    pub limit_order: Option<u32>,
    /// The least probability of a set.
    pub cut_off: Option<f64>,
    /// Which sets are written.
    pub list: List,
    /// Whether the importance of events is asked for.
    pub importance: bool,
    /// Limits and cancellation.
    pub budget: &'a Budget,
    /// How memory is measured.
    pub meter: Meter,
    /// Called with progress.
    pub listener: Listener,
}

/// Which sets are written, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// None.
    None,
    /// All, the smallest first.
    BySize,
    /// This many, the most probable first.
    MostProbable(usize),
}

impl List {
    /// The list that is asked for; a number of sets takes precedence over `all`.
    pub fn asked(all: bool, most_probable: Option<usize>) -> Self {
        match (all, most_probable) {
            (_, Some(most)) => Self::MostProbable(most),
            (true, None) => Self::BySize,
            (false, None) => Self::None,
        }
    }
}

/// What else is asked of a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// Hours between two points of P(top) over time.
    pub time_step: Option<f64>,
    /// Whether safety integrity levels are asked for; they need a time step.
    pub sil: bool,
    /// How many trials, and the seed of their generator.
    pub uncertainty: Option<(usize, u64)>,
}

/// What else was found out about a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Besides {
    /// The mission time in hours, if anything depends on it.
    pub mission_time: Option<f64>,
    /// The average of P(top) over that time, or why it is not known.
    pub average: Option<Result<f64, String>>,
    /// Groups of events with a common cause that the answer leaves out, since they were not asked
    /// for.
    pub groups_left_out: usize,
    /// Times, and P(top) at each.
    pub curve: Option<Vec<[f64; 2]>>,
    /// Safety integrity levels.
    pub sil: Option<safety::Sil>,
    /// The distribution of P(top) over trials.
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
    /// How many minimal sets there are in it, if that is known.
    pub count: Option<String>,
}

/// The answer about a fault tree. Sets are enumerated while they are written.
#[derive(Debug)]
pub struct Cuts<'a> {
    tree: &'a FaultTree,
    request: CutsRequest<'a>,
    analysis: Analysis,
    /// The probabilities of events; `None` if an event on which the top depends has none.
    probabilities: Option<Vec<f64>>,
    by_order: Vec<BigUint>,
    probability: Option<(f64, f64)>,
    importance: Option<Vec<Importance>>,
    besides: Besides,
    stop: Option<Stop>,
    measuring: Measuring,
}

/// The least time for counting sets after a time limit; more if finding them took long.
const COUNTING: Duration = Duration::from_millis(30);

/// What is said of a figure that needs all of the tree.
const NOT_SOLVED: &str = "unknown, for the tree is not solved within the limits";

/// What is said of a figure that needs the probabilities of all events.
const NO_PROBABILITIES: &str = "unknown, for events have no probability";

/// Why sets cannot be found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CutsError {
    /// An event on which the top depends has no probability, and the question needs it.
    #[error(
        "the event {0:?} has no probability, and what is asked for needs that of all on which the \
         top depends"
    )]
    NoProbability(String),
    /// A cut-off that is no probability.
    #[error("{0} is no probability: it must lie in 0..1")]
    NoCutOff(f64),
    /// Sets of no event are asked for.
    #[error("sets have at least one event, so the least order that can be asked for is 1")]
    NoOrder,
    /// The time step is not positive, or gives too many points.
    #[error("a time step must be above 0 and come to fewer than {most} points", most = curve::MOST_POINTS)]
    NoStep,
    /// Something that only makes sense for cuts is asked of path sets.
    #[error("importance, P(top) over time and its uncertainty are asked of cuts, and not of paths")]
    OfPaths,
    /// No trials, or too many.
    #[error("there must be 1 to {most} trials", most = uncertainty::MOST_TRIALS)]
    NoTrials,
    /// Something is asked for that needs P(top), which is only bounded.
    #[error("the tree is not solved within the limits, and what is asked for needs all of it")]
    NotSolved,
    /// The model is wrong at a time or in a trial.
    #[error(transparent)]
    Model(#[from] FaultTreeFileError),
    /// Substitutions of cut sets cannot be applied.
    #[error("{0}")]
    Substitutions(String),
}

/// Finds the minimal sets.
///
/// # Errors
/// If a probability that is needed is missing, the cut-off is no probability, sets of order 0 are
/// asked for, or importance is asked of path sets.
pub fn find<'a>(tree: &'a FaultTree, request: CutsRequest<'a>) -> Result<Cuts<'a>, CutsError> {
    find_with(tree, request, false)
}

/// [`find`]; `is_probable` if something else is asked for that needs probabilities.
fn find_with<'a>(
    tree: &'a FaultTree,
    request: CutsRequest<'a>,
    is_probable: bool,
) -> Result<Cuts<'a>, CutsError> {
    if request.limit_order == Some(0) {
        return Err(CutsError::NoOrder);
    }
    if let Some(least) = request.cut_off.filter(|least| !(0.0..=1.0).contains(least)) {
        return Err(CutsError::NoCutOff(least));
    }
    if request.importance && request.sets == Sets::Paths {
        return Err(CutsError::OfPaths);
    }
    let measuring = Measuring::begin(request.meter);
    request.listener.tell(|| doing("making the tree simple"));
    let formula = simplest(tree, request.sets, request.budget);
    let unknown = unknown_event(&formula, tree);
    let is_probable = is_probable
        || request.importance
        || request.cut_off.is_some()
        || matches!(request.list, List::MostProbable(_));
    if let Some(event) = unknown.filter(|_| is_probable) {
        return Err(CutsError::NoProbability(event.name.clone()));
    }
    let probabilities = unknown.is_none().then(|| {
        // Nothing depends on events without a probability.
        let of_event = |event: &BasicEvent| event.probability.unwrap_or_default();
        tree.events().iter().map(of_event).collect()
    });
    let only = match (request.limit_order, request.cut_off) {
        (Some(order), _) => Only::Order(order),
        (None, Some(least)) => Only::Probability(least),
        (None, None) => Only::All,
    };
    let CutsRequest {
        sets,
        budget,
        listener,
        ..
    } = request;
    let analysis = Analysis::of_formula(&formula, tree, sets, only, budget, listener);
    let mut this = Cuts {
        tree,
        request,
        stop: analysis.stop,
        analysis,
        probabilities,
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

/// The fault tree of a top of a model. If the model has substitutions of cut sets, it is the OR of
/// the sets after them.
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

/// Finds the minimal sets of a tree of a model, and what else is asked for.
///
/// # Errors
/// As [`find`]; or what is wrong with the model at some time or in some trial; or if anything else
/// is asked of path sets.
pub fn find_in_model<'a>(
    (model, top, state): (&Model, Option<&str>, &State),
    tree: &'a FaultTree,
    request: CutsRequest<'a>,
    asked: Asked,
) -> Result<Cuts<'a>, CutsError> {
    let needs_all = asked.time_step.is_some() || asked.uncertainty.is_some();
    if needs_all && request.sets == Sets::Paths {
        return Err(CutsError::OfPaths);
    }
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
    let mut found = find_with(tree, request, needs_all)?;
    if needs_all && (found.stop.is_some() || !found.analysis.is_exact()) {
        return Err(CutsError::NotSolved);
    }
    let mut besides = Besides {
        mission_time: model.depends_on_time().then_some(state.mission_time),
        groups_left_out: model.groups.len(),
        ..Besides::default()
    };
    if let Some(times) = times {
        request.listener.tell(|| Moment {
            doing: "P(top) over time".to_owned(),
            counted: counted(times.len(), "point"),
            ..Moment::default()
        });
        let points = match OverTime::new(&found.analysis, model, times.len(), request.budget) {
            Ok(mut top) => top.curve(&times, request.budget)?,
            Err(stop) => Err(stop),
        };
        match points {
            Ok(points) => besides.curve = Some(points),
            Err(stop) => found.stop = Some(stop),
        }
    }
    if let Some(trials) = asked.uncertainty {
        let time = state.mission_time;
        let (budget, listener) = (request.budget, request.listener);
        let drawn =
            uncertainty::uncertainty(&found.analysis, model, time, trials, budget, listener);
        match drawn {
            Ok(uncertainty) => besides.uncertainty = Some(uncertainty),
            Err(uncertainty::NoTrials::Stop(stop)) => found.stop = Some(stop),
            Err(uncertainty::NoTrials::Model(wrong)) => return Err(wrong.into()),
        }
    }
    for phase in model.phases() {
        request.listener.tell(|| Moment {
            doing: format!("phase {} of {}", phase.name, phase.alignment),
            ..Moment::default()
        });
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
            count: answer.stop.is_none().then(|| answer.count().to_string()),
        });
    }
    // It is asked for by nobody, so it comes last.
    if besides.mission_time.is_some() && request.sets != Sets::Paths {
        besides.average = Some(found.average(model, state.mission_time));
    }
    if asked.sil {
        let known = besides
            .average
            .as_ref()
            .and_then(|known| known.as_ref().ok());
        let levels = |points: &[[f64; 2]]| safety::levels(points, known.copied());
        besides.sil = besides.curve.as_deref().map(levels);
    }
    found.besides = besides;
    Ok(found)
}

impl<'a> Cuts<'a> {
    /// The average of P(top) from 0 to a time, or why it is not known.
    fn average(&mut self, model: &Model, time: f64) -> Result<f64, String> {
        if self.probability.is_none() {
            return Err(NO_PROBABILITIES.to_owned());
        }
        if !self.analysis.is_exact() {
            return Err(NOT_SOLVED.to_owned());
        }
        let budget = self.request.budget;
        self.request
            .listener
            .tell(|| doing("the average of P(top)"));
        let found = match self.stop {
            Some(stop) => Err(stop),
            None => OverTime::new(&self.analysis, model, 0, budget)
                .and_then(|mut top| average::average(&mut top, model, time, budget)),
        };
        found.unwrap_or_else(|stop| {
            self.stop = Some(stop);
            Err(format!("unknown, for {stop}"))
        })
    }

    /// What else was found out about a model.
    pub fn besides(&self) -> &Besides {
        &self.besides
    }

    /// The name of the kind of sets.
    fn what(&self) -> &'static str {
        match (self.request.sets, self.analysis.coherent) {
            (Sets::Cuts, true) => "minimal cut sets",
            (Sets::Cuts, false) => "minimal p-cuts",
            (Sets::Paths, _) => "minimal path sets",
            (Sets::PrimeImplicants, _) => "prime implicants",
        }
    }

    /// The title of the answer.
    fn title(&self) -> String {
        format!("Fault tree {}", self.tree.called(self.tree.top()))
    }

    /// P(top) or its bounds, and the time for which they hold; `None` if it is unknown.
    fn top_text(&self) -> Option<(String, String)> {
        let (lower, upper) = self.probability?;
        #[allow(clippy::float_cmp)] // equal if they come from one function
        let p = if lower == upper {
            format!("{lower:.6e}")
        } else {
            format!("from {lower:.6e} to {upper:.6e}")
        };
        let time = self.besides.mission_time;
        let time = time.map(|hours| format!(" at {}", counted(hours, "hour")));
        Some((p, time.unwrap_or_default()))
    }

    /// The average of P(top), if it is asked for: the number, or why it is not known; and of what
    /// it is the average.
    fn average_text(&self) -> Option<(String, String)> {
        let hours = self.besides.mission_time?;
        Some(match self.besides.average.as_ref()? {
            Ok(p) => {
                let of = format!(
                    ", the average of P(top) from 0 to {}",
                    counted(hours, "hour")
                );
                (format!("{p:.6e}"), of)
            }
            Err(why) => (why.clone(), String::new()),
        })
    }

    /// The measures of events, the greatest Fussell-Vesely importance first; if there is none, the
    /// greatest Birnbaum importance.
    fn sorted(importance: &[Importance]) -> Vec<&Importance> {
        let key = |i: &Importance| i.fussell_vesely.unwrap_or(i.birnbaum);
        let mut sorted: Vec<&Importance> = importance.iter().collect();
        sorted.sort_by(|a, b| key(b).total_cmp(&key(a)));
        sorted
    }

    /// A member of a set in lines: an event that does not occur has a `-` before its name. Where
    /// sets have such, a name that could be taken for one is a JSON string.
    fn member(&self, literal: Literal) -> String {
        let name = self.name(literal);
        let minus = if literal.positive { "" } else { "-" };
        if self.request.sets == Sets::PrimeImplicants && name.starts_with(['-', '"']) {
            return format!("{minus}{}", json(&name));
        }
        format!("{minus}{name}")
    }

    /// The sentence about common-cause groups that the answer leaves out.
    fn left_out(&self) -> Option<String> {
        common_cause::left_out(self.besides.groups_left_out)
    }

    /// Counts and probabilities.
    fn measure(&mut self) -> Result<(), Stop> {
        // The results found before a limit fired are still reported.
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
        if let Some(probabilities) = &self.probabilities {
            let bounds = self.analysis.probability(probabilities, budget);
            self.probability = Some(bounds.unwrap_or((0.0, 1.0)));
            bounds?;
            // Computed from bounds, measures would be meaningless.
            if self.request.importance && self.analysis.is_exact() {
                self.importance = Some(self.analysis.importance(probabilities, budget)?);
            }
        }
        self.request.listener.tell(|| doing("counting sets"));
        let counting;
        let budget = if self.stop == Some(Stop::Time) {
            // Counting sets may take much longer than finding them: it is quadratic in chains of
            // modules.
            let took = Duration::from_secs_f64(self.measuring.measured().seconds);
            counting = Budget::new(Limits {
                time: Some(COUNTING + took / 40),
                ..Limits::default()
            });
            &counting
        } else {
            budget
        };
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

    /// Returns whether no limit left anything out.
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
    /// event on which it depends has no probability.
    pub fn probability(&self) -> Option<(f64, f64)> {
        self.probability
    }

    /// The importance of each event on which the top depends, if it was asked for and P(top) is no
    /// interval.
    pub fn importance(&self) -> Option<&[Importance]> {
        self.importance.as_deref()
    }

    /// Whether importance was asked for and is not known, since the tree is not solved.
    pub fn lacks_importance(&self) -> bool {
        self.request.importance && self.importance.is_none()
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

    /// [`Self::each_set`] for the first `most` at most.
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
                let members = self
                    .probabilities
                    .as_ref()
                    .map(|p| self.analysis.members(p));
                let mut sets = searched!(self.analysis.by_size(most, budget));
                while left > 0
                    && let Some(set) = searched!(sets.next_set(budget))
                {
                    let product = members.as_ref().map(|members| of_set(&set, members));
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
}

/// A progress report with only a description.
fn doing(what: &str) -> Moment {
    Moment {
        doing: what.to_owned(),
        ..Moment::default()
    }
}

/// Numbers and names cannot fail to be written.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
