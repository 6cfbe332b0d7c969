//! How the command ends: the first thread that reports an end decides.

use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use crate::process::colours::{FAILED, STOPPED};
use crate::process::line;

/// The one of this process.
pub(crate) static LAST_WORD: LastWord = LastWord(Mutex::new(None));

/// The exit status, once it is clear.
pub(crate) struct LastWord(Mutex<Option<i32>>);

impl LastWord {
    /// Prints a sentence, unless one was printed before. Returns the exit status of the first.
    pub(crate) fn say(&self, status: i32, sentence: Option<&str>) -> i32 {
        line::end();
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *said.get_or_insert_with(|| {
            if let Some(sentence) = sentence {
                // If standard error cannot be written either, there is no place left to say so.
                let name = if status == 3 { STOPPED } else { FAILED };
                let _ = writeln!(anstream::stderr(), "{name}meetjoin:{name:#} {sentence}");
            }
            status
        })
    }
}
