//! The greeting: mutual authentication of processes, and the check that they belong to one run.
//!
//! Problem: strangers may connect to the port, by mistake or to do harm.
//!
//! Idea: challenge and response. Both ends send a random number, and answer the other's with a code
//! (HMAC-SHA-256) that takes the secret to compute. Nothing else is sent or read until the answer
//! is right. The code covers both numbers and the direction, so an answer cannot be reflected. Then
//! each identifies itself ([`Hello`]), so that processes of another version, another problem or
//! another run are refused.
//!
//! Without a secret anyone can compute the code. Later traffic is not encrypted; it is
//! authenticated with keys derived from the secret and the two numbers.
//!
//! Cost: each greeting has one deadline for all of it, and reads a bounded number of bytes.

use std::fmt;
use std::io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::failure::Failure;
use crate::talk::connection::Keys;

/// How a process identifies itself, a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// The version of the program.
    pub(crate) meetjoin: String,
    /// The digest of the problem.
    pub(crate) problem: String,
    pub(crate) processes: usize,
    /// The number of workers of each process.
    pub(crate) workers: usize,
    pub(crate) process: usize,
    /// What it is asked to print: all processes take part in finding it.
    pub(crate) asked: String,
    /// The token of the folder's lock, if the process holds it.
    pub(crate) holds: String,
}

/// A secret shared by all processes of a run.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

/// The fewest bytes of a secret.
const LEAST_SECRET: usize = 16;

impl Secret {
    /// A secret of at least 16 bytes, without trailing white space.
    ///
    /// # Errors
    /// If it has fewer.
    pub fn new(bytes: &[u8]) -> Result<Self, Failure> {
        let bytes = bytes.trim_ascii_end();
        if bytes.len() < LEAST_SECRET {
            let why = format!(
                "a secret has at least {LEAST_SECRET} bytes, as `openssl rand -hex 32` makes"
            );
            return Err(Failure::Input(why));
        }
        Ok(Self(bytes.to_vec()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Which end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Caller,
    Listener,
}

impl End {
    fn word(self) -> &'static [u8] {
        match self {
            Self::Caller => b"caller",
            Self::Listener => b"listener",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Caller => Self::Listener,
            Self::Listener => Self::Caller,
        }
    }
}

/// The longest hello.
const LONGEST_HELLO: usize = 1 << 16;
/// Bytes of a random number, and of a code.
const NUMBER: usize = 32;
/// The interval between checks of the limits.
const NAP: Duration = Duration::from_millis(20);

/// A greeting.
pub(crate) struct Greeting<'a> {
    pub(crate) own: &'a Hello,
    pub(crate) secret: &'a Secret,
    pub(crate) end: End,
    /// When all of it must be done.
    pub(crate) deadline: Instant,
    /// Returns whether the result is no longer needed.
    pub(crate) is_over: &'a dyn Fn() -> bool,
}

impl Greeting<'_> {
    /// The other process, and the keys for later traffic; `None` if it does not identify itself in
    /// time.
    pub(crate) fn with(&self, stream: &TcpStream) -> Option<(Hello, Keys)> {
        stream.set_nonblocking(false).ok()?;
        stream.set_nodelay(true).ok()?;
        stream.set_read_timeout(Some(NAP)).ok()?;
        stream.set_write_timeout(Some(NAP * 10)).ok()?;
        let mut own = [0; NUMBER];
        getrandom::fill(&mut own).ok()?;
        self.say(stream, &own)?;
        let mut other = [0; NUMBER];
        self.hear(stream, &mut other)?;
        let about = |what: &[u8], first: &[u8], second: &[u8]| {
            // A key may have any length.
            let mut code = Hmac::<Sha256>::new_from_slice(&self.secret.0).ok()?;
            code.update(what);
            code.update(first);
            code.update(second);
            Some(code)
        };
        let code = |end: End, first: &[u8], second: &[u8]| about(end.word(), first, second);
        let answer = code(self.end, &own, &other)?.finalize().into_bytes();
        self.say(stream, &answer)?;
        let mut answer = [0; NUMBER];
        self.hear(stream, &mut answer)?;
        code(self.end.other(), &other, &own)?
            .verify_slice(&answer)
            .ok()?;
        let mut line = serde_json::to_vec(self.own).ok()?;
        line.push(b'\n');
        self.say(stream, &line)?;
        let hello = self.line(stream)?;
        stream.set_read_timeout(None).ok()?;
        stream.set_write_timeout(None).ok()?;
        let key = |first: &[u8], second: &[u8]| {
            Some(
                about(b"key of what is sent", first, second)?
                    .finalize()
                    .into_bytes()
                    .into(),
            )
        };
        let keys = Keys {
            to_send: key(&own, &other)?,
            to_read: key(&other, &own)?,
        };
        Some((hello, keys))
    }

    fn say(&self, mut stream: &TcpStream, bytes: &[u8]) -> Option<()> {
        let is_late = (self.is_over)() || Instant::now() >= self.deadline;
        if is_late {
            return None;
        }
        stream.write_all(bytes).ok()
    }

    /// Fills a buffer, and reads no byte more.
    fn hear(&self, mut stream: &TcpStream, bytes: &mut [u8]) -> Option<()> {
        let mut heard = 0;
        while heard < bytes.len() {
            match stream.read(&mut bytes[heard..]) {
                Ok(0) => return None,
                Ok(read) => heard += read,
                Err(error) if matches!(error.kind(), WouldBlock | TimedOut | Interrupted) => {}
                Err(_) => return None,
            }
            if (self.is_over)() || Instant::now() >= self.deadline {
                return None;
            }
        }
        Some(())
    }

    /// Byte by byte: what follows the line belongs to the connection.
    fn line(&self, stream: &TcpStream) -> Option<Hello> {
        let mut line = Vec::new();
        let mut byte = [0];
        while line.len() < LONGEST_HELLO {
            self.hear(stream, &mut byte)?;
            if byte == *b"\n" {
                return serde_json::from_slice(&line).ok();
            }
            line.extend(byte);
        }
        None
    }
}

/// Whether a process belongs to this run.
pub(crate) fn check(hello: &Hello, own: &Hello, process: usize) -> Result<(), Failure> {
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
