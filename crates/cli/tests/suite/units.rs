//! Sizes, times and numbers of threads, as one writes them: by the file of the program itself.

use std::num::NonZero;
use std::time::Duration;

use own::{Seconds, Size, Threads};

#[path = "../../src/arguments/units.rs"]
mod own;

#[test]
fn sizes() {
    for (text, bytes) in [("0", 0), ("10B", 10), ("2k", 2048), ("1.5MiB", 1_572_864)] {
        assert_eq!(text.parse(), Ok(Size(bytes)));
    }
    for text in ["", "x", "-1", "1Q", "1e9", "99999999999999T", ".", "1..2"] {
        assert!(text.parse::<Size>().is_err(), "{text}");
    }
}

#[test]
fn seconds() {
    assert_eq!("0.5".parse(), Ok(Seconds(Duration::from_millis(500))));
    for text in ["", "-1", "nan", "inf", "1e300", "soon"] {
        assert!(text.parse::<Seconds>().is_err(), "{text}");
    }
}

#[test]
fn threads() {
    assert_eq!("2".parse(), Ok(Threads(NonZero::new(2).expect("not zero"))));
    assert!("all".parse::<Threads>().is_ok());
    for text in ["", "0", "-1", "two", "All"] {
        assert!(text.parse::<Threads>().is_err(), "{text}");
    }
}
