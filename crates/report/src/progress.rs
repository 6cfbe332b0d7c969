//! Progress of a computation: one line that fits a terminal, in the same form for every command.

use std::time::Duration;

use crate::one_line;

/// The most characters of a bound that are shown.
const SHOWN: usize = 15;
/// The most columns of the line.
const WIDEST: usize = 76;
/// What stands between its parts.
const BETWEEN: &str = " | ";

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
    /// The line. What does not fit beside time and memory is left out; known bounds always fit.
    pub fn line(&self, elapsed: Duration, bytes: usize) -> String {
        let memory = format!("{BETWEEN}{} MiB", bytes >> 20);
        let mut line = spent(elapsed);
        for part in [&self.known, &self.doing, &self.counted] {
            let part = one_line(part);
            let more = BETWEEN.len() + part.chars().count() + memory.len();
            if !part.is_empty() && line.chars().count() + more <= WIDEST {
                line.push_str(BETWEEN);
                line.push_str(&part);
            }
        }
        line + &memory
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

/// A count in three digits or so: `48.3 M`.
pub fn about(count: u64) -> String {
    const UNITS: [&str; 6] = [" k", " M", " G", " T", " P", " E"];
    let mut count = (count as f64, "");
    for unit in UNITS {
        // What would be rounded to a thousand is one of the next unit.
        if count.0 < 999.5 {
            break;
        }
        count = (count.0 / 1000.0, unit);
    }
    match count {
        (count, "") => count.to_string(),
        (count, unit) if count < 9.95 => format!("{count:.1}{unit}"),
        (count, unit) => format!("{count:.0}{unit}"),
    }
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

    use super::{Moment, WIDEST, about, between};

    #[test]
    fn the_line_fits_and_bounds_stay() {
        let long = "1".repeat(50);
        let moment = Moment {
            doing: "a module of very many gates".to_owned(),
            known: format!("value {}", between(&long, &long)),
            counted: long,
        };
        let line = moment.line(Duration::from_secs(360_000), 12 << 30);
        assert!(
            line.contains("| value from 11") && line.len() <= WIDEST,
            "{line}"
        );
    }

    #[test]
    fn counts_are_short() {
        for (count, said) in [
            (0, "0"),
            (999, "999"),
            (1000, "1.0 k"),
            (9_949, "9.9 k"),
            (9_950, "10 k"),
            (48_291_739, "48 M"),
            (999_499, "999 k"),
            (999_500, "1.0 M"),
            (u64::MAX, "18 E"),
        ] {
            assert_eq!(about(count), said);
        }
    }

    #[test]
    fn time_and_bounds_come_first() {
        let moment = Moment {
            known: between("{1}", &"1".repeat(50)),
            counted: "7 visits".to_owned(),
            ..Moment::default()
        };
        let expected = format!(
            "12 s | from {{1}} to {}.. | 7 visits | 3 MiB",
            "1".repeat(15)
        );
        assert_eq!(moment.line(Duration::from_secs(12), 3 << 20), expected);
        let line = |seconds| Moment::default().line(Duration::from_secs(seconds), 0);
        assert_eq!(line(61), "1:01 min | 0 MiB");
        assert_eq!(line(3661), "1:01:01 h | 0 MiB");
    }
}
