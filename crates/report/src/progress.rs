//! Progress of a computation: one line, in the same form for every command.

use std::time::Duration;

use crate::one_line;

/// The most characters of a bound that are shown.
const SHOWN: usize = 40;

/// The state of a computation in progress.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    /// The task: `cut sets`.
    pub doing: String,
    /// Known bounds of the answer, or other known facts.
    pub known: String,
    /// Counters so far.
    pub counted: String,
}

impl Moment {
    /// The line. Time and known bounds come first, as the end of a line may be cut off.
    pub fn line(&self, elapsed: Duration, bytes: usize) -> String {
        let time = spent(elapsed);
        let memory = format!("{} MiB", bytes >> 20);
        let parts = [&time, &self.doing, &self.known, &self.counted, &memory];
        let parts: Vec<&str> = parts
            .into_iter()
            .map(String::as_str)
            .filter(|part| !part.is_empty())
            .collect();
        one_line(&parts.join(", "))
    }
}

/// Receives the progress of a computation: no one, or a function of the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Listener(Option<fn(Moment)>);

impl Listener {
    /// No listener.
    pub const NONE: Self = Self(None);

    /// This function, which is called from the thread that computes.
    pub const fn new(hears: fn(Moment)) -> Self {
        Self(Some(hears))
    }

    /// Reports a moment, which is only constructed if there is a listener.
    pub fn tell(self, moment: impl FnOnce() -> Moment) {
        if let Some(hears) = self.0 {
            hears(moment());
        }
    }
}

/// A value between two bounds, each shortened.
pub fn between(lower: &str, upper: &str) -> String {
    format!("from {} to {}", shortened(lower), shortened(upper))
}

/// A time as hours, minutes and seconds.
fn spent(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    match (seconds / 3600, seconds / 60 % 60) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes}:{:02} min", seconds % 60),
        (hours, minutes) => format!("{hours}:{minutes:02}:{:02} h", seconds % 60),
    }
}

fn shortened(bound: &str) -> String {
    let text = one_line(bound);
    if text.chars().count() > SHOWN {
        return text.chars().take(SHOWN).chain("..".chars()).collect();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Moment, between};

    #[test]
    fn time_and_bounds_come_first() {
        let moment = Moment {
            known: between("{1}", &"1".repeat(50)),
            counted: "7 visits".to_owned(),
            ..Moment::default()
        };
        let expected = format!("12 s, from {{1}} to {}.., 7 visits, 3 MiB", "1".repeat(40));
        assert_eq!(moment.line(Duration::from_secs(12), 3 << 20), expected);
        let line = |seconds| Moment::default().line(Duration::from_secs(seconds), 0);
        assert_eq!(line(61), "1:01 min, 0 MiB");
        assert_eq!(line(3661), "1:01:01 h, 0 MiB");
    }
}
