//! Parsers of sizes, times and numbers of threads.

use std::num::NonZero;
use std::thread;

use meetjoin_solve::MOST_THREADS;
use std::time::Duration;

/// A number of bytes: `800000`, `512K`, `64M`, `2.5GiB`. K, M, G and T are powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size(pub(crate) u64);

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is not a size; write bytes, or a number with K, M, G or T");
        let digits = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let shift = match unit.to_ascii_uppercase().as_str() {
            "" | "B" => 0,
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            "T" | "TB" | "TIB" => 40,
            _ => return Err(wrong()),
        };
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let bytes = number * (1_u64 << shift) as f64;
        #[allow(clippy::cast_sign_loss)] // it is made of digits and a point
        (bytes < u64::MAX as f64)
            .then_some(Self(bytes as u64))
            .ok_or_else(wrong)
    }
}

/// A time in seconds, whole or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds(pub(crate) Duration);

impl std::str::FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds: Option<f64> = text.parse().ok();
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.map(Self)
            .ok_or_else(|| format!("{text:?} is not a number of seconds"))
    }
}

/// How many threads: a number, or `all` for as many as the machine runs at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Threads(pub(crate) NonZero<usize>);

impl Default for Threads {
    fn default() -> Self {
        Self(NonZero::<usize>::MIN)
    }
}

impl std::str::FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            let all = thread::available_parallelism();
            return Ok(all.map_or_else(|_| Self::default(), Self));
        }
        match text.parse::<NonZero<usize>>() {
            Ok(number) if number.get() <= MOST_THREADS => Ok(Self(number)),
            _ => Err(format!(
                "{text:?} is not a number of threads; write 1 to {MOST_THREADS}, or all"
            )),
        }
    }
}
