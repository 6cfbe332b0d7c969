//! Which processes take part, and how they find each other.
//!
//! Each process listens on its own address and connects to those before it. Both ends say who they are ([`Hello`]) before anything else, so that processes of another version, another
//! problem or another run are refused. What goes over the connections from then on is timely dataflow's.

use std::io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use meetjoin_lattice::Budget;
use serde::{Deserialize, Serialize};
use timely::communication::allocator::zero_copy::stream::Stream;

use crate::failure::{Failure, stopped};

/// The processes of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// Where each process listens: a name or a number, a colon, and a port.
    pub addresses: Vec<String>,
    /// Which of them this is.
    pub process: usize,
    /// How long to wait for the others at the start.
    pub patience: Duration,
}

impl Hosts {
    /// Hosts from a text with an address a line; what follows a `#` does not count.
    ///
    /// # Errors
    /// If there are no addresses, one is none, or this process is none of them.
    pub fn parse(text: &str, process: usize, patience: Duration) -> Result<Self, Failure> {
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or("").trim());
        let addresses: Vec<String> = lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect();
        let has_port = |a: &String| {
            a.rsplit_once(':')
                .is_some_and(|(_, p)| p.parse::<u16>().is_ok())
        };
        if let Some(address) = addresses.iter().find(|address| !has_port(address)) {
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
        })
    }
}

/// What a process says first, a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// The version of the program.
    pub(crate) meetjoin: String,
    /// The digest of the problem.
    pub(crate) problem: String,
    pub(crate) processes: usize,
    /// Of each process.
    pub(crate) workers: usize,
    pub(crate) process: usize,
    /// What it is to print: all take part in finding it.
    pub(crate) asked: String,
    /// The token of the folder's lock, if the process holds it.
    pub(crate) holds: String,
}

/// The longest hello.
const LONGEST_HELLO: usize = 1 << 16;
/// Between two looks at the limits.
const NAP: Duration = Duration::from_millis(20);
/// Between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);

/// Connects all processes. What the others have said, and a connection to each, in their order.
///
/// # Errors
/// If another process does not answer in time, or is none of this run; or when the budget ends it.
pub(crate) fn connect(
    hosts: &Hosts,
    own: &Hello,
    budget: &Budget,
) -> Result<(Vec<Hello>, Vec<Option<TcpStream>>), Failure> {
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
    let mut found: Vec<Option<(Hello, TcpStream)>> = Vec::new();
    found.resize_with(hosts.addresses.len(), || None);
    for (process, place) in found.iter_mut().enumerate().take(hosts.process) {
        let stream = call(hosts, process, deadline, budget)?;
        let hello = greet(&stream, own, deadline, budget)?;
        let hello = hello.ok_or_else(|| no_hello(hosts, process, deadline))?;
        check(&hello, own, process)?;
        *place = Some((hello, stream));
    }
    while let Some(missing) = (hosts.process + 1..found.len()).find(|&p| found[p].is_none()) {
        budget.check().map_err(stopped)?;
        if Instant::now() >= deadline {
            return Err(no_answer(hosts, missing));
        }
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == WouldBlock => {
                thread::sleep(PAUSE / 10);
                continue;
            }
            Err(error) => return Err(listening(error)),
        };
        // Others than processes of ours may knock.
        let Some(hello) = greet(&stream, own, deadline, budget)? else {
            continue;
        };
        check(&hello, own, hello.process)?;
        match found.get_mut(hello.process) {
            Some(place) if hello.process > hosts.process && place.is_none() => {
                *place = Some((hello, stream));
            }
            _ => {
                return Err(Failure::Input(format!(
                    "process {} takes part twice; each line of the hosts file is one process",
                    hello.process
                )));
            }
        }
    }
    let (mut hellos, mut streams) = (Vec::new(), Vec::new());
    for place in found {
        let (hello, stream) = place.unzip();
        hellos.extend(hello);
        streams.push(stream);
    }
    Ok((hellos, streams))
}

fn no_answer(hosts: &Hosts, process: usize) -> Failure {
    let (address, seconds) = (&hosts.addresses[process], hosts.patience.as_secs_f64());
    Failure::Input(format!(
        "process {process} at {address} did not answer within {seconds} s; start it there, or give --patience more seconds"
    ))
}

/// A process was reached, and did not say who it is.
fn no_hello(hosts: &Hosts, process: usize, deadline: Instant) -> Failure {
    if Instant::now() >= deadline {
        return no_answer(hosts, process);
    }
    let address = &hosts.addresses[process];
    Failure::Input(format!(
        "who answers at {address} is not process {process} of this run; is that the right address?"
    ))
}

/// Calls a process until it answers.
fn call(
    hosts: &Hosts,
    process: usize,
    deadline: Instant,
    budget: &Budget,
) -> Result<TcpStream, Failure> {
    // To look a name up and to reach an address takes as long as the system likes, so a thread does it. Nobody waits for it that is not interested any more.
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

/// Says who we are, and hears who the other one is; `None` if it is nobody who says so in time.
fn greet(
    mut stream: &TcpStream,
    own: &Hello,
    deadline: Instant,
    budget: &Budget,
) -> Result<Option<Hello>, Failure> {
    let mut line = serde_json::to_vec(own).unwrap_or_default();
    line.push(b'\n');
    let said = stream
        .set_nonblocking(false)
        .and_then(|()| stream.set_nodelay(true))
        .and_then(|()| stream.set_read_timeout(Some(NAP)))
        .and_then(|()| stream.write_all(&line));
    if said.is_err() {
        return Ok(None);
    }
    // Byte by byte: what comes after the line is not for us.
    line.clear();
    let mut byte = [0];
    while line.len() < LONGEST_HELLO {
        match stream.read(&mut byte) {
            Ok(1) if byte == *b"\n" => {
                let hello = serde_json::from_slice(&line).ok();
                return Ok(hello.filter(|_| stream.set_read_timeout(None).is_ok()));
            }
            Ok(1) => line.extend(byte),
            Err(error) if matches!(error.kind(), WouldBlock | TimedOut | Interrupted) => {}
            _ => return Ok(None),
        }
        budget.check().map_err(stopped)?;
        if Instant::now() >= deadline {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Whether a process belongs to this run.
fn check(hello: &Hello, own: &Hello, process: usize) -> Result<(), Failure> {
    let differs = if hello.meetjoin != own.meetjoin {
        format!(
            "has version {} of meetjoin, and this one {}",
            hello.meetjoin, own.meetjoin
        )
    } else if hello.problem != own.problem {
        "works on another problem".to_owned()
    } else if hello.processes != own.processes {
        format!(
            "has a hosts file of {} lines, and this one of {}",
            hello.processes, own.processes
        )
    } else if hello.workers != own.workers {
        format!(
            "has --workers {}, and this one {}",
            hello.workers, own.workers
        )
    } else if hello.asked != own.asked {
        "has other --counts or --at".to_owned()
    } else if hello.process != process {
        format!(
            "says that it is process {}; the hosts files differ",
            hello.process
        )
    } else {
        return Ok(());
    };
    Err(Failure::Input(format!(
        "process {process} {differs}; start all with the same arguments"
    )))
}

/// Which process was lost, and when.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost(Arc<Mutex<Option<(usize, Instant)>>>);

impl Lost {
    fn note(&self, process: usize) {
        let mut lost = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        lost.get_or_insert((process, Instant::now()));
    }

    /// The process whose connection ended first, and for how long it has been gone. At the end of a run that is no loss.
    pub(crate) fn since(&self) -> Option<(usize, Duration)> {
        let lost = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        lost.map(|(process, at)| (process, at.elapsed()))
    }
}

/// A connection that notes its end, and never fails: timely dataflow's threads would panic, where workers are to say in a sentence what has happened.
pub(crate) struct Watched {
    pub(crate) stream: TcpStream,
    pub(crate) process: usize,
    pub(crate) lost: Lost,
    /// Zero bytes at the end of what was read. The last message of all is nothing else.
    zeros: usize,
}

/// Bytes of the last message.
const LAST_MESSAGE: usize = 48;

impl Watched {
    pub(crate) fn new(stream: TcpStream, process: usize, lost: Lost) -> Self {
        Self {
            stream,
            process,
            lost,
            zeros: 0,
        }
    }

    /// Waits for the end of the process.
    fn end(&self) -> ! {
        self.lost.note(self.process);
        loop {
            thread::park();
        }
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if self.zeros >= LAST_MESSAGE => {
                    self.lost.note(self.process);
                    return Ok(0);
                }
                Ok(0) => self.end(),
                Ok(read) => {
                    let zeros = buffer[..read]
                        .iter()
                        .rev()
                        .take_while(|byte| **byte == 0)
                        .count();
                    self.zeros = if zeros == read {
                        self.zeros + read
                    } else {
                        zeros
                    };
                    return Ok(read);
                }
                Err(error) if error.kind() == Interrupted => {}
                Err(_) => self.end(),
            }
        }
    }
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(bytes) {
                Ok(written) if written > 0 => return Ok(written),
                Err(error) if error.kind() == Interrupted => {}
                _ => self.end(),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Watched {
    fn try_clone(&self) -> io::Result<Self> {
        let stream = self.stream.try_clone()?;
        Ok(Self::new(stream, self.process, self.lost.clone()))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other end may have gone, which is as good.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
