//! What is said while somebody waits: one line, the same for every command.

use std::time::Duration;

use crate::one_line;

/// The most characters of a bound that are shown.
const SHOWN: usize = 40;

/// What is known of an answer on the way to it.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    /// What is being done: `cut sets`.
    pub doing: String,
    /// What the answer lies between, or what else is known of it.
    pub known: String,
    /// What was counted so far.
    pub counted: String,
}

impl Moment {
    /// The line: time and what is known first, as the end of a line may be cut off.
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

/// Who is told how far a computation is: nobody, or a function of the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Listener(Option<fn(Moment)>);

impl Listener {
    /// Nobody.
    pub const NONE: Self = Self(None);

    /// This function, which is called from the thread that computes.
    pub const fn new(hears: fn(Moment)) -> Self {
        Self(Some(hears))
    }

    /// Tells a moment, which is made only if somebody listens.
    pub fn tell(self, moment: impl FnOnce() -> Moment) {
        if let Some(hears) = self.0 {
            hears(moment());
        }
    }
}

/// A value between two bounds, each in so many characters.
pub fn between(lower: &str, upper: &str) -> String {
    format!("from {} to {}", shortened(lower), shortened(upper))
}

/// A time as one reads it off a clock.
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
