//! How workers talk: in rounds. In a round each sends parcels to others; it ends when all parcels
//! have been received.
//!
//! This is one timely dataflow for the whole run: an input whose time is the number of the round,
//! an exchange by addressee, and a probe that says when a round has ended everywhere. A worker that
//! leaves closes its input, which timely dataflow takes for the end of its messages; so each round
//! ends with a parcel from each worker to each, and a round without all of these has failed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use meetjoin_lattice::Budget;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::failure::{Failure, stopped};
use crate::talk::connection::Lost;

/// Bytes that are sent unchanged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsTheyLie;

        impl Visitor<'_> for AsTheyLie {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }
        }

        deserializer.deserialize_byte_buf(AsTheyLie)
    }
}

/// The content of a parcel.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Body {
    /// Nodes of a level, which the addressee owns.
    Keys { level: u32, keys: Bytes },
    /// Nodes whose values the sender asks for. It numbers its questions.
    Ask {
        number: u32,
        level: u32,
        keys: Bytes,
    },
    /// The answer to the question of this number: for each key the number of a value in the list,
    /// four bytes each if they are more than 256, else one.
    Tell {
        number: u32,
        values: Vec<String>,
        numbers: Bytes,
    },
    /// The last parcel of a round.
    Done(Report),
}

/// What a worker tells all others at the end of a round.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) numbers: Vec<u64>,
    pub(crate) text: String,
    /// Why the worker cannot go on: whether by a limit, and the sentence.
    failed: Option<(bool, String)>,
}

impl Report {
    pub(crate) fn of(numbers: Vec<u64>) -> Self {
        Self {
            numbers,
            ..Self::default()
        }
    }

    /// Anything that can be written as JSON.
    pub(crate) fn saying(what: &impl Serialize) -> Self {
        Self {
            text: serde_json::to_string(what).unwrap_or_default(),
            ..Self::default()
        }
    }
}

/// A message from one worker to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Parcel {
    to: u32,
    pub(crate) from: u32,
    pub(crate) body: Body,
}

type Inbox = Rc<RefCell<BTreeMap<u64, Vec<Parcel>>>>;

/// The rounds of a worker.
pub(crate) struct Rounds<'a> {
    worker: &'a mut Worker,
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Parcel>>>,
    probe: ProbeHandle<u64>,
    /// Parcels by round: of this one, and of the next from workers that are ahead.
    inbox: Inbox,
    /// The reports of this round so far.
    reports: Vec<Option<Report>>,
    lost: Lost,
    budget: &'a Budget,
    round: u64,
}

/// How long to sleep if nothing comes, before checking for lost processes.
const NAP: Duration = Duration::from_millis(20);

impl<'a> Rounds<'a> {
    /// Builds the dataflow. All workers do so at the same time.
    pub(crate) fn new(worker: &'a mut Worker, lost: Lost, budget: &'a Budget) -> Self {
        let mut input = InputHandle::new_with_builder();
        let inbox = Inbox::default();
        let letters = Rc::clone(&inbox);
        let probe = worker.dataflow(|scope| {
            let by_addressee = Exchange::new(|parcel: &Parcel| u64::from(parcel.to));
            let received = scope
                .input_from(&mut input)
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                    by_addressee,
                    "Receive",
                    |_, _| {
                        move |input, _| {
                            input.for_each(|capability, parcels| {
                                // Every message has a time, since inputs have.
                                let round = capability.least().copied().unwrap_or_default();
                                letters
                                    .borrow_mut()
                                    .entry(round)
                                    .or_default()
                                    .append(parcels);
                            });
                        }
                    },
                );
            received.probe().0
        });
        // Before its first step the probe looks as if all were done.
        while probe.done() {
            worker.step();
        }
        Self {
            reports: vec![None; worker.peers()],
            worker,
            input,
            probe,
            inbox,
            lost,
            budget,
            round: 0,
        }
    }

    /// Which worker this is.
    pub(crate) fn index(&self) -> usize {
        self.worker.index()
    }

    /// How many there are.
    pub(crate) fn workers(&self) -> usize {
        self.worker.peers()
    }

    /// Sends something in this round; a parcel to the worker itself stays local.
    pub(crate) fn send(&mut self, to: usize, body: Body) {
        let parcel = Parcel {
            to: to as u32,
            from: self.index() as u32,
            body,
        };
        if to == self.index() {
            let mut inbox = self.inbox.borrow_mut();
            inbox.entry(self.round).or_default().push(parcel);
        } else {
            self.input.send(parcel);
            self.input.flush();
            self.worker.step();
        }
    }

    /// Parcels of this round since the last call. Reports are kept until its end.
    pub(crate) fn received(&mut self) -> Result<Vec<Parcel>, Failure> {
        let come = self.inbox.borrow_mut().remove(&self.round);
        let mut parcels = come.unwrap_or_default();
        let workers = self.workers();
        if parcels.iter().any(|parcel| parcel.from as usize >= workers) {
            let why = "something has come from a worker that there is not";
            return Err(Failure::Broken(why.to_owned()));
        }
        for parcel in parcels.extract_if(.., |parcel| matches!(parcel.body, Body::Done(_))) {
            if let Body::Done(report) = parcel.body {
                self.reports[parcel.from as usize] = Some(report);
            }
        }
        Ok(parcels)
    }

    /// Ends the round. Returns the reports of all workers, in order. Parcels that still arrive are
    /// handed on.
    pub(crate) fn finish(
        &mut self,
        report: &Report,
        mut handle: impl FnMut(Parcel) -> Result<(), Failure>,
    ) -> Result<Vec<Report>, Failure> {
        for worker in 0..self.workers() {
            self.send(worker, Body::Done(report.clone()));
        }
        self.input.advance_to(self.round + 1);
        self.input.flush();
        loop {
            let ended = !self.probe.less_than(&(self.round + 1));
            for parcel in self.received()? {
                handle(parcel)?;
            }
            let mut reports = self.reports.iter().flatten();
            if let Some((by_limit, why)) = reports.find_map(|report| report.failed.clone()) {
                return Err(if by_limit {
                    Failure::Stopped(why)
                } else {
                    Failure::Broken(why)
                });
            }
            if ended {
                break;
            }
            if let Some(failure) = self.lost.is_final() {
                return Err(failure);
            }
            // Another worker may never answer.
            self.budget.check().map_err(stopped)?;
            self.worker.step_or_park(Some(NAP));
        }
        self.round += 1;
        let all: Option<Vec<Report>> = self.reports.iter_mut().map(Option::take).collect();
        all.ok_or_else(|| self.lost.failure())
    }

    /// Tells all others that this worker cannot go on.
    pub(crate) fn give_up(mut self, failure: &Failure, has_others: bool) {
        let by_limit = matches!(failure, Failure::Stopped(_));
        let report = Report {
            failed: Some((by_limit, failure.to_string())),
            ..Report::default()
        };
        // If a round was being finished, this worker is already in the next.
        self.round = *self.input.time();
        for worker in 0..self.workers() {
            self.send(worker, Body::Done(report.clone()));
        }
        // Long enough for the threads that send, if there are other processes: the workers of this
        // one end with it.
        for _ in 0..if has_others { 5 } else { 0 } {
            self.worker.step();
            std::thread::sleep(NAP / 2);
        }
    }
}
