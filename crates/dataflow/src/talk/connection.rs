//! An authenticated connection for timely dataflow, which only hands on well-formed messages.
//!
//! Problem: timely dataflow's threads panic when a connection ends, or when bytes are none of its
//! messages. A broken partner, or a man in the middle, must lead to an error message and nothing
//! worse.
//!
//! Idea: bytes are sent in blocks, each with an authentication code (HMAC-SHA-256) of its number,
//! its length and its bytes, with a key that both ends have derived from the secret while they
//! [greeted](super::greeting) each other. In authentic blocks the heads of messages are validated
//! before timely dataflow sees them: sender, receiver and length. A connection that fails is
//! reported to the workers, and its thread waits for the end of the process.
//!
//! | bytes of a block | |
//! |---|---|
//! | 4 | length of the text, from 1 to 64 KiB, the lowest byte first |
//! | 32 | the code |
//! | .. | the text |
//!
//! Cost: a pass of SHA-256 over what is sent, and one over what is read.

use std::io::ErrorKind::Interrupted;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::networking::MessageHeader;

use crate::failure::Failure;

/// How a process was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loss {
    /// The connection ended.
    Left,
    /// The bytes received cannot be what it sent.
    Broken(&'static str),
}

/// Which process was lost, when, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost(Arc<Mutex<Option<(usize, Instant, Loss)>>>);

/// How long to wait for messages in transit from a process that has gone.
const GRACE: Duration = Duration::from_secs(1);

impl Lost {
    fn note(&self, process: usize, how: Loss) {
        let mut lost = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get_or_insert((process, Instant::now(), how));
    }

    fn found(&self) -> Option<(usize, Instant, Loss)> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The failure, once no more messages are in transit.
    pub(crate) fn is_final(&self) -> Option<Failure> {
        let (_, at, how) = self.found()?;
        (how != Loss::Left || at.elapsed() > GRACE).then(|| self.failure())
    }

    /// The failure. (At the end of a run, a process that leaves is no loss.)
    pub(crate) fn failure(&self) -> Failure {
        let resumed = "its levels so far are in its folder, and the same commands go on from them";
        Failure::Broken(match self.found() {
            None => "a worker has left the run".to_owned(),
            Some((process, _, Loss::Left)) => {
                format!("process {process} has left the run; {resumed}")
            }
            Some((process, _, Loss::Broken(why))) => format!(
                "what comes from process {process} is not what it can have sent: {why}; {resumed}"
            ),
        })
    }
}

/// The keys of the two directions of a connection.
#[derive(Clone)]
pub(crate) struct Keys {
    pub(crate) to_send: [u8; 32],
    pub(crate) to_read: [u8; 32],
}

/// A connection that was greeted.
pub(crate) type Way = (TcpStream, Keys);

/// The most bytes of text in a block.
const MOST: usize = 1 << 16;
/// Bytes of a code.
const CODE: usize = 32;
/// Bytes before the text of a block.
const HEAD: usize = 4 + CODE;

/// The code of a block; a key may have any length.
fn code(key: &[u8; 32], number: u64, text: &[u8]) -> Option<Hmac<Sha256>> {
    let mut code = Hmac::<Sha256>::new_from_slice(key).ok()?;
    code.update(&number.to_le_bytes());
    code.update(&(text.len() as u64).to_le_bytes());
    code.update(text);
    Some(code)
}

/// The check of messages over a connection: who may send to whom.
#[derive(Clone, Debug)]
struct Messages {
    /// Workers of the other process, and of this one.
    from: Range<usize>,
    to: Range<usize>,
    /// The beginning of the head of a message.
    head: Vec<u8>,
    /// Bytes that are still to come of the message.
    left: usize,
    /// Whether the last message has come.
    ended: bool,
}

/// Bytes of the head of a message.
const MESSAGE_HEAD: usize = 48;
/// The longest message, far more than any parcel.
const LONGEST: usize = 1 << 31;
/// More than the channels of the one dataflow.
const MOST_CHANNELS: usize = 1 << 10;

impl Messages {
    /// Follows the next bytes, or says why they are no message.
    fn follow(&mut self, mut bytes: &[u8]) -> Result<(), &'static str> {
        while !bytes.is_empty() {
            if self.ended {
                return Err("something comes after the last message");
            }
            if self.left > 0 {
                let some = self.left.min(bytes.len());
                self.left -= some;
                bytes = &bytes[some..];
                continue;
            }
            let some = (MESSAGE_HEAD - self.head.len()).min(bytes.len());
            let (head, rest) = bytes.split_at(some);
            self.head.extend(head);
            bytes = rest;
            if self.head.len() == MESSAGE_HEAD {
                self.begin()?;
                self.head.clear();
            }
        }
        Ok(())
    }

    /// Checks a complete head.
    fn begin(&mut self) -> Result<(), &'static str> {
        if self.head.iter().all(|byte| *byte == 0) {
            self.ended = true;
            return Ok(());
        }
        // Timely dataflow reads a head only where its message is there too, so without one.
        let mut numbers = [0; 6];
        for (number, bytes) in numbers.iter_mut().zip(self.head.chunks_exact(8)) {
            let wide = u64::from_be_bytes(std::array::from_fn(|i| bytes[i]));
            *number = usize::try_from(wide).map_err(|_| "a number is too large")?;
        }
        let [channel, source, target_lower, target_upper, length, seqno] = numbers;
        let header = MessageHeader {
            channel,
            source,
            target_lower,
            target_upper,
            length,
            seqno,
        };
        if !self.from.contains(&header.source) {
            return Err("a message is from a worker of another process");
        }
        let to = header.target_lower..header.target_upper;
        if to.is_empty() || to.start < self.to.start || to.end > self.to.end {
            return Err("a message is to a worker that is not here");
        }
        if header.channel >= MOST_CHANNELS {
            return Err("a message is for a channel that there is not");
        }
        if !(1..=LONGEST).contains(&header.length) {
            return Err("a message is empty, or longer than any");
        }
        self.left = header.length;
        Ok(())
    }
}

/// A connection to a process of the run.
pub(crate) struct Connection {
    stream: TcpStream,
    process: usize,
    lost: Lost,
    keys: Keys,
    messages: Messages,
    /// Blocks sent and read.
    sent: u64,
    read: u64,
    /// Authentic text that was read, and how much of it was handed on.
    text: Vec<u8>,
    used: usize,
}

impl Connection {
    /// A connection from process `own` to `process`, each with `workers` workers.
    pub(crate) fn new(
        (stream, keys): Way,
        [process, own]: [usize; 2],
        workers: usize,
        lost: Lost,
    ) -> Self {
        let of = |process: usize| process * workers..(process + 1) * workers;
        Self {
            stream,
            process,
            lost,
            keys,
            messages: Messages {
                from: of(process),
                to: of(own),
                head: Vec::new(),
                left: 0,
                ended: false,
            },
            sent: 0,
            read: 0,
            text: Vec::new(),
            used: 0,
        }
    }

    /// Waits for the end of the process.
    fn end(&self, how: Loss) -> ! {
        self.lost.note(self.process, how);
        loop {
            thread::park();
        }
    }

    /// Fills a buffer. Returns `false` if the connection ends before the first byte.
    fn fill(&mut self, buffer: &mut [u8]) -> bool {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.stream.read(&mut buffer[filled..]) {
                Ok(0) if filled == 0 => return false,
                Ok(0) => self.end(Loss::Broken("it ends in the middle")),
                Ok(read) => filled += read,
                Err(error) if error.kind() == Interrupted => {}
                Err(_) => self.end(Loss::Left),
            }
        }
        true
    }

    /// Reads the next block. `false` if there is none after the last message.
    fn next(&mut self) -> bool {
        let mut head = [0; HEAD];
        if !self.fill(&mut head) {
            if !self.messages.ended {
                self.end(Loss::Left);
            }
            self.lost.note(self.process, Loss::Left);
            return false;
        }
        let length = u32::from_le_bytes(std::array::from_fn(|i| head[i])) as usize;
        if !(1..=MOST).contains(&length) {
            self.end(Loss::Broken("a block has no length that one can have"));
        }
        let mut text = std::mem::take(&mut self.text);
        text.resize(length, 0);
        if !self.fill(&mut text) {
            self.end(Loss::Broken("it ends in the middle"));
        }
        let code = code(&self.keys.to_read, self.read, &text);
        let is_right = code.is_some_and(|code| code.verify_slice(&head[4..]).is_ok());
        if !is_right {
            self.end(Loss::Broken("a block has not the code that it should have"));
        }
        if let Err(why) = self.messages.follow(&text) {
            self.end(Loss::Broken(why));
        }
        self.read += 1;
        (self.text, self.used) = (text, 0);
        true
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.used == self.text.len() && !self.next() {
            return Ok(0);
        }
        let rest = &self.text[self.used..];
        let some = rest.len().min(buffer.len());
        buffer[..some].copy_from_slice(&rest[..some]);
        self.used += some;
        Ok(some)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = &bytes[..bytes.len().min(MOST)];
        let mut block = (text.len() as u32).to_le_bytes().to_vec();
        if let Some(code) = code(&self.keys.to_send, self.sent, text) {
            block.extend(code.finalize().into_bytes());
        }
        block.extend(text);
        if self.stream.write_all(&block).is_err() {
            self.end(Loss::Left);
        }
        self.sent += 1;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Connection {
    /// One of the two sends and the other reads, so that each counts its own blocks.
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self {
            stream: self.stream.try_clone()?,
            process: self.process,
            lost: self.lost.clone(),
            keys: self.keys.clone(),
            messages: self.messages.clone(),
            sent: self.sent,
            read: self.read,
            text: self.text.clone(),
            used: self.used,
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other end may have gone already.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
