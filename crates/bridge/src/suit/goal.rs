//! What one can want of a suit, and how people write how much of it is reached.

/// What is asked of a suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// At least this many tricks.
    Tricks(u8),
    /// As many as possible on average.
    Average,
}

/// A figure that is reached; "at least" if a search was stopped.
pub(super) fn reached(figure: String, at_least: bool) -> String {
    if at_least {
        format!("at least {figure}")
    } else {
        figure
    }
}

/// A chance in percent, or an average of tricks.
pub(super) fn figure(goal: Goal, weight: u64, total: u64) -> String {
    match goal {
        Goal::Average => trimmed(weight as f64 / total as f64),
        Goal::Tricks(_) => percent(weight, total),
    }
}

/// Four places, without the zeros at the end.
fn trimmed(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn percent(weight: u64, total: u64) -> String {
    format!("{}%", trimmed(100.0 * weight as f64 / total as f64))
}
