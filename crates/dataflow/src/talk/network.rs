//! Which processes take part, and how they find each other.
//!
//! Each process listens on its own address and connects to those before it. Both ends
//! [greet](super::greeting) before anything else, so that strangers and processes of another
//! version, another problem or another run are refused. From then on the
//! [connections](super::connection) carry timely dataflow's messages.

use std::io;
use std::io::ErrorKind::WouldBlock;
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use meetjoin_lattice::Budget;

use super::connection::Way;
use super::greeting::{End, Greeting, Hello, Secret, check};
use crate::failure::{Failure, stopped};

/// The processes of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// Where each process listens: host name or IP address, a colon, and a port.
    pub addresses: Vec<String>,
    /// Which of them this is.
    pub process: usize,
    /// How long to wait for the others at the start.
    pub patience: Duration,
    /// The shared secret; an empty one gives no protection.
    pub secret: Secret,
}

impl Hosts {
    /// Parses hosts from a text with an address a line; `#` begins a comment.
    ///
    /// # Errors
    /// If there are no addresses, one is invalid, or the text has none for this process.
    pub fn parse(text: &str, process: usize, patience: Duration) -> Result<Self, Failure> {
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or("").trim());
        let addresses: Vec<String> = lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect();
        let is_address = |a: &String| {
            a.rsplit_once(':').is_some_and(|(host, port)| {
                let is_word = !host.is_empty() && !host.contains(char::is_whitespace);
                is_word && port.parse::<u16>().is_ok()
            })
        };
        if let Some(address) = addresses.iter().find(|address| !is_address(address)) {
            let why = format!(
                "{address:?} is no address; one is a host, a colon and a port, as in 10.0.0.1:4000"
            );
            return Err(Failure::Input(why));
        }
        let is_again = |at: &usize| addresses[..*at].contains(&addresses[*at]);
        if let Some(again) = (0..addresses.len()).find(is_again) {
            let why = format!(
                "{:?} stands there twice; each line is one process",
                addresses[again]
            );
            return Err(Failure::Input(why));
        }
        if process >= addresses.len() {
            let count = addresses.len();
            let why = format!(
                "there is no process {process}: the hosts are {count}, and processes are counted from 0"
            );
            return Err(Failure::Input(why));
        }
        Ok(Self {
            addresses,
            process,
            patience,
            secret: Secret::default(),
        })
    }
}

/// The interval between checks of the limits.
const NAP: Duration = Duration::from_millis(20);
/// The time in which a caller must identify itself.
const LONGEST_GREETING: Duration = Duration::from_secs(5);
/// The most concurrent greetings.
const MOST_AT_ONCE: usize = 64;
/// The pause between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);

/// A process that was greeted, and the connection to it.
type Greeted = (Hello, Way);

/// Connects all processes. Returns for each other one its hello and a connection, in order.
///
/// # Errors
/// If another process does not answer in time, or does not belong to this run; or when the budget
/// ends it.
pub(crate) fn connect(
    hosts: &Hosts,
    own: &Hello,
    budget: &Budget,
) -> Result<(Vec<Hello>, Vec<Option<Way>>), Failure> {
    let deadline = Instant::now() + hosts.patience;
    let address = &hosts.addresses[hosts.process];
    let listening = |e: io::Error| {
        Failure::Input(format!(
            "cannot listen on {address}, the address of process {}: {e}",
            hosts.process
        ))
    };
    let listener = TcpListener::bind(address).map_err(listening)?;
    listener.set_nonblocking(true).map_err(listening)?;
    let mut found: Vec<Option<Greeted>> = Vec::new();
    found.resize_with(hosts.addresses.len(), || None);
    for (process, place) in found.iter_mut().enumerate().take(hosts.process) {
        let stream = call(hosts, process, deadline, budget)?;
        let greeting = Greeting {
            own,
            secret: &hosts.secret,
            end: End::Caller,
            deadline,
            is_over: &|| budget.check().is_err(),
        };
        let hello = greeting.with(&stream);
        budget.check().map_err(stopped)?;
        let (hello, keys) = hello.ok_or_else(|| no_hello(hosts, process, deadline))?;
        check(&hello, own, process)?;
        *place = Some((hello, (stream, keys)));
    }
    let greeters = Greeters::new(hosts, own, deadline);
    while let Some(missing) = (hosts.process + 1..found.len()).find(|&p| found[p].is_none()) {
        budget.check().map_err(stopped)?;
        if Instant::now() >= deadline {
            return Err(no_answer(hosts, missing));
        }
        // A caller beyond `MOST_AT_ONCE` is accepted when one of the others is done.
        match (!greeters.are_busy()).then(|| listener.accept()) {
            Some(Ok((stream, _))) => greeters.greet(stream),
            Some(Err(error)) if error.kind() != WouldBlock => return Err(listening(error)),
            None | Some(Err(_)) => thread::sleep(PAUSE / 10),
        }
        for (hello, way) in greeters.greeted.try_iter() {
            check(&hello, own, hello.process)?;
            match found.get_mut(hello.process) {
                Some(place) if hello.process > hosts.process && place.is_none() => {
                    *place = Some((hello, way));
                }
                _ => {
                    return Err(Failure::Input(format!(
                        "process {} takes part twice; each line of the hosts file is one process",
                        hello.process
                    )));
                }
            }
        }
    }
    let (mut hellos, mut ways) = (Vec::new(), Vec::new());
    for place in found {
        let (hello, way) = place.unzip();
        hellos.extend(hello);
        ways.push(way);
    }
    Ok((hellos, ways))
}

/// Greets callers concurrently: a silent one does not delay the others.
struct Greeters {
    own: Hello,
    secret: Secret,
    deadline: Instant,
    is_over: Arc<AtomicBool>,
    running: Arc<()>,
    greet: mpsc::Sender<Greeted>,
    greeted: mpsc::Receiver<Greeted>,
}

impl Greeters {
    fn new(hosts: &Hosts, own: &Hello, deadline: Instant) -> Self {
        let (greet, greeted) = mpsc::channel();
        Self {
            own: own.clone(),
            secret: hosts.secret.clone(),
            deadline,
            is_over: Arc::default(),
            running: Arc::default(),
            greet,
            greeted,
        }
    }

    fn are_busy(&self) -> bool {
        Arc::strong_count(&self.running) > MOST_AT_ONCE
    }

    fn greet(&self, stream: TcpStream) {
        let (own, secret) = (self.own.clone(), self.secret.clone());
        let deadline = self.deadline.min(Instant::now() + LONGEST_GREETING);
        let (is_over, running) = (Arc::clone(&self.is_over), Arc::clone(&self.running));
        let greet = self.greet.clone();
        thread::spawn(move || {
            let greeting = Greeting {
                own: &own,
                secret: &secret,
                end: End::Listener,
                deadline,
                is_over: &|| is_over.load(Ordering::Relaxed),
            };
            if let Some((hello, keys)) = greeting.with(&stream) {
                // The receiver may be gone.
                let _ = greet.send((hello, (stream, keys)));
            }
            drop(running);
        });
    }
}

impl Drop for Greeters {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn no_answer(hosts: &Hosts, process: usize) -> Failure {
    let (address, seconds) = (&hosts.addresses[process], hosts.patience.as_secs_f64());
    Failure::Input(format!(
        "process {process} at {address} did not answer within {seconds} s; start it there, or give --patience more seconds"
    ))
}

/// The failure of a process that was reached but did not identify itself.
fn no_hello(hosts: &Hosts, process: usize, deadline: Instant) -> Failure {
    if Instant::now() >= deadline {
        return no_answer(hosts, process);
    }
    let address = &hosts.addresses[process];
    Failure::Input(format!(
        "who answers at {address} is not process {process} of this run; is that the right address, and the same --secret-file?"
    ))
}

/// Calls a process until it answers.
fn call(
    hosts: &Hosts,
    process: usize,
    deadline: Instant,
    budget: &Budget,
) -> Result<TcpStream, Failure> {
    // Name look-up and connecting may block without limit, so a thread does them, which is
    // abandoned after a stop.
    let (answered, answer) = mpsc::channel();
    let address = hosts.addresses[process].clone();
    thread::spawn(move || {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            for address in address.to_socket_addrs().into_iter().flatten() {
                let patience = left.min(Duration::from_secs(1));
                if let Ok(stream) = TcpStream::connect_timeout(&address, patience) {
                    let _ = answered.send(stream);
                    return;
                }
            }
            thread::sleep(PAUSE.min(left));
        }
    });
    loop {
        match answer.recv_timeout(NAP) {
            Ok(stream) => return Ok(stream),
            Err(RecvTimeoutError::Disconnected) => return Err(no_answer(hosts, process)),
            Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                return Err(no_answer(hosts, process));
            }
            Err(RecvTimeoutError::Timeout) => budget.check().map_err(stopped)?,
        }
    }
}
