//! What applications and front ends agree on: a request goes in, an answer or a refusal comes out.
//!
//! A request is one plain struct, the same for the command, the pages and Python, so that an option
//! is written once. An answer is complete before anything of it is rendered: it can be shown as
//! JSON, text, a page or a picture, in any order, without a search and without a limit.
//!
//! ```
//! use meetjoin_lattice::Budget;
//! use meetjoin_report::{Answer, Application, Refusal, Run, json_line, request};
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//!
//! /// How many pairs of distinct things there are.
//! struct Pairs;
//!
//! #[derive(Default, Deserialize)]
//! #[serde(deny_unknown_fields, default)]
//! struct PairsRequest {
//!     things: u32,
//! }
//!
//! #[derive(Serialize)]
//! struct PairsAnswer {
//!     pairs: u64,
//! }
//!
//! impl Application for Pairs {
//!     const NAME: &'static str = "pairs";
//!     type Request = PairsRequest;
//!
//!     fn answer(request: &PairsRequest, _: &Run<'_>) -> Result<Box<dyn Answer>, Refusal> {
//!         let things = u64::from(request.things);
//!         if things < 2 {
//!             return Err(Refusal::of("things", "give at least two things"));
//!         }
//!         let pairs = things * (things - 1) / 2;
//!         Ok(Box::new(PairsAnswer { pairs }))
//!     }
//! }
//!
//! impl Answer for PairsAnswer {
//!     fn is_complete(&self) -> bool {
//!         true
//!     }
//!     fn json(&self) -> String {
//!         json_line(self)
//!     }
//!     fn text(&self) -> String {
//!         format!("pairs  {}\n", self.pairs)
//!     }
//! }
//!
//! let budget = Budget::unlimited();
//! let run = Run::new(&budget);
//! let asked = |json| Pairs::answer(&request(Pairs::NAME, json)?, &run);
//! assert_eq!(asked(json!({"things": 4})).map(|answer| answer.text()).ok(), Some("pairs  6\n".into()));
//! let refused = asked(json!({"thing": 4})).err().map(|refusal| refusal.to_string());
//! assert_eq!(refused.as_deref(), Some("pairs has no option \"thing\"; did you mean \"things\"?"));
//! ```

use std::fmt;

use meetjoin_lattice::Budget;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_json::Value;

use crate::nearest;

/// What can be asked by a name: a request and what answers it.
pub trait Application {
    /// Its name: that of the command.
    const NAME: &'static str;
    /// Its options, all of them with a default.
    type Request: Default + DeserializeOwned;

    /// Answers a request.
    ///
    /// # Errors
    /// If the request makes no sense. A limit is no error: the answer is then not complete.
    fn answer(request: &Self::Request, run: &Run<'_>) -> Result<Box<dyn Answer>, Refusal>;
}

/// One run: what it may cost, and which forms of the answer are wanted besides JSON and text.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The limits.
    pub budget: &'a Budget,
    /// A page.
    pub page: bool,
    /// A picture.
    pub picture: bool,
}

impl<'a> Run<'a> {
    /// JSON and text alone.
    pub fn new(budget: &'a Budget) -> Self {
        Self {
            budget,
            page: false,
            picture: false,
        }
    }
}

/// A complete answer.
pub trait Answer {
    /// Whether no limit has stopped it; if one has, every figure is a bound.
    fn is_complete(&self) -> bool;
    /// One JSON object on a line.
    fn json(&self) -> String;
    /// Lines for people.
    fn text(&self) -> String;
    /// An HTML page, if the run wanted one and this answer has one.
    fn page(&self) -> Option<String> {
        None
    }
    /// An SVG, if the run wanted one and this answer has one.
    fn picture(&self) -> Option<String> {
        None
    }
}

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The option that is wrong, by its name in requests: `west_length`.
    pub option: Option<&'static str>,
    /// What is wrong, and what to do.
    pub why: String,
}

impl Refusal {
    /// A wrong option.
    pub fn of(option: &'static str, why: impl fmt::Display) -> Self {
        Self {
            option: Some(option),
            why: why.to_string(),
        }
    }
}

/// Everything wrong that names no option.
impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self {
            option: None,
            why: error.to_string(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.option {
            Some(option) => write!(f, "{option}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

/// Reads a request of the application with this name from JSON, as pages and Python write it.
///
/// # Errors
/// If it is no object, or an option of it is unknown or has another kind of value.
pub fn request<T: DeserializeOwned>(name: &str, given: Value) -> Result<T, Refusal> {
    let wrong = |why: String| Refusal { option: None, why };
    let Value::Object(options) = &given else {
        return Err(wrong(format!(
            "a request for {name} is a JSON object, as in {{}}"
        )));
    };
    let known = fields::<T>();
    if let Some(unknown) = options.keys().find(|key| !known.contains(&key.as_str())) {
        let near = nearest(unknown, known.iter().copied());
        let near = near.map_or_else(
            || format!("; there are {}", known.join(", ")),
            |near| format!("; did you mean {near:?}?"),
        );
        return Err(wrong(format!("{name} has no option {unknown:?}{near}")));
    }
    // Each by itself, so that an error can name its option.
    for (key, value) in options {
        let alone = Value::Object([(key.clone(), value.clone())].into_iter().collect());
        let option = known.iter().find(|known| *known == key).copied();
        T::deserialize(alone).map_err(|error| Refusal {
            option,
            why: in_words(&error.to_string()),
        })?;
    }
    Ok(T::deserialize(given)?)
}

/// What serde says of a value of the wrong kind, for people who know no Rust.
fn in_words(error: &str) -> String {
    let kind = error
        .strip_prefix("invalid type: ")
        .or_else(|| error.strip_prefix("invalid value: "));
    let Some((found, wanted)) = kind.and_then(|kind| kind.split_once(", expected ")) else {
        return error.to_owned();
    };
    let wanted = match wanted {
        "u8" => "a number from 0 to 255",
        "a nonzero usize" => "a number from 1 on",
        "a boolean" => "true or false",
        "a string" => "a text",
        "a tuple of size 2" => "two numbers",
        wanted => wanted,
    };
    format!("it is {}, and must be {wanted}", found.replace('`', ""))
}

/// The names of the fields of a struct: what it asks a deserializer for.
fn fields<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It gets no value, so it fails.
    let _ = T::deserialize(Names(&mut names));
    names
}

struct Names<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("only names are asked for"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
