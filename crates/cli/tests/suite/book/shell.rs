//! Commands as a reader gives them: in a shell, in a folder with the files of the examples. The
//! folder is removed afterwards.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::Scratch;

/// No command of a page may take longer: nobody would wait for the tests.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where the commands of one page are run, one after the other: what one writes the next can read.
pub struct Place(Scratch);

impl Place {
    pub fn new(root: &Path) -> Self {
        let scratch = Scratch::new("book");
        let examples = PathBuf::from(scratch.path("examples"));
        std::fs::create_dir(&examples).expect("a new folder");
        for entry in std::fs::read_dir(root.join("examples")).expect("the examples") {
            let entry = entry.expect("an entry");
            // A folder there is a crate that shows how one is written, and no command uses it.
            if entry.path().is_file() {
                std::fs::copy(entry.path(), examples.join(entry.file_name())).expect("a copy");
            }
        }
        Self(scratch)
    }

    /// A file that a command has written beside the examples.
    pub fn made(&self, name: &OsStr) -> Option<Vec<u8>> {
        std::fs::read(Path::new(&self.0.path("")).join(name)).ok()
    }

    /// What a terminal would show, line by line, and the exit status. What is typed is shown where
    /// it is typed.
    pub fn run(&self, command: &str, typed: &[String]) -> (Vec<String>, Option<i32>) {
        let built = Path::new(env!("CARGO_BIN_EXE_meetjoin"));
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&folders);
        let folders = built
            .parent()
            .map(Path::to_owned)
            .into_iter()
            .chain(folders);
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .env("PATH", std::env::join_paths(folders).expect("folders"))
            .current_dir(self.0.path(""))
            .stdin(if typed.is_empty() {
                Stdio::null()
            } else {
                Stdio::piped()
            })
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let text = shown(&mut child, command, typed);
        let status = child.wait().expect("its own child").code();
        let lines = text.trim_end().lines().map(str::to_owned).collect();
        (lines, status)
    }
}

/// What is printed, with each line that is typed at a prompt: what ends with a colon and a space is
/// one.
fn shown(child: &mut Child, command: &str, typed: &[String]) -> String {
    let mut out = child.stdout.take().expect("a pipe");
    let (sender, parts) = channel();
    thread::spawn(move || {
        let mut part = vec![0; 1 << 16];
        while let Ok(read @ 1..) = out.read(&mut part) {
            if sender.send(part[..read].to_vec()).is_err() {
                break;
            }
        }
    });
    let started = Instant::now();
    let (mut bytes, mut typed) = (Vec::new(), typed.iter());
    loop {
        match parts.recv_timeout(PATIENCE.saturating_sub(started.elapsed())) {
            Ok(part) => bytes.extend(part),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                panic!("`{command}` takes longer than {PATIENCE:?}");
            }
        }
        if bytes.ends_with(b": ") {
            match (&mut child.stdin, typed.next()) {
                (Some(keyboard), Some(line)) => {
                    let line = format!("{line}\n");
                    let sent = keyboard.write_all(line.as_bytes());
                    sent.expect("somebody who asks");
                    bytes.extend(line.into_bytes());
                }
                // Nobody is left to answer.
                (keyboard, _) => *keyboard = None,
            }
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}
