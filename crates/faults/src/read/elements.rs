//! XML as a stream of definitions.
//!
//! Problem: models of hundreds of megabytes come as one file, and the text is several times as
//! large as the model.
//!
//! Idea: the text is read once, from front to back. What has definitions in it is entered and left;
//! each definition (a gate with its formula, an event with its expression) becomes a small list of
//! elements, in the order of the file, which is read and forgotten before the next. So the text is
//! never in memory as a whole.
//!
//! Entities and DTDs are refused, so nothing is fetched and nothing expands.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::Error;
use quick_xml::events::{BytesStart, Event};

use meetjoin_report::{meant, other_encoding};

use crate::model::place::{FaultTreeFileError as Wrong, Place};

use super::vocabulary::{self, CONTAINER, NOTE, Word};

type Fallible<T> = Result<T, Wrong>;

/// The most name spaces in scope at one place.
const MOST_SPACES: usize = 1000;

/// Attributes of this name space say where a schema is.
const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// An input that tracks its line and column.
struct Followed<R> {
    input: R,
    place: Place,
}

impl<R: BufRead> Read for Followed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let found = self.fill_buf()?;
        let count = found.len().min(into.len());
        into[..count].copy_from_slice(&found[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Followed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if let Ok(buffer) = self.input.fill_buf() {
            self.place = after(self.place, &buffer[..count.min(buffer.len())]);
        }
        self.input.consume(count);
    }
}

/// The place after some text.
#[allow(clippy::naive_bytecount)] // it is fast enough, and no crate more
fn after(place: Place, text: &[u8]) -> Place {
    let lines = text.iter().filter(|byte| **byte == b'\n').count() as u32;
    let (start, column) = if lines == 0 {
        (0, place.column)
    } else {
        (
            text.iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1),
            1,
        )
    };
    // Continuation bytes of UTF-8 are no columns.
    let letters = text[start..].iter().filter(|byte| **byte & 0xc0 != 0x80);
    Place {
        line: place.line.saturating_add(lines),
        column: column.saturating_add(letters.count() as u32),
        ..place
    }
}

/// An element of a definition.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) word: &'static Word,
    pub(super) place: Place,
    /// The number of the element after its last descendant.
    pub(super) end: usize,
    attributes: Range<usize>,
}

/// A definition: elements in the order of the file, the first of which has all others in it.
#[derive(Debug, Default)]
pub(super) struct Definition {
    pub(super) elements: Vec<Element>,
    attributes: Vec<(&'static str, Range<usize>)>,
    text: String,
}

impl Definition {
    fn clear(&mut self) {
        self.elements.clear();
        self.attributes.clear();
        self.text.clear();
    }

    /// The elements directly in one.
    pub(super) fn children(&self, of: usize) -> impl Iterator<Item = usize> {
        let (mut next, end) = (of + 1, self.elements[of].end);
        std::iter::from_fn(move || {
            let found = next;
            (found < end).then(|| {
                next = self.elements[found].end;
                found
            })
        })
    }

    pub(super) fn word(&self, element: usize) -> &'static str {
        self.elements[element].word.name
    }

    pub(super) fn place(&self, element: usize) -> Place {
        self.elements[element].place
    }

    pub(super) fn wrong(&self, element: usize, what: impl Into<String>) -> Wrong {
        Wrong::at(self.place(element), what)
    }

    /// An attribute, if it is there; perhaps it is empty.
    fn written(&self, element: usize, name: &str) -> Option<&str> {
        let range = self.elements[element].attributes.clone();
        let mut attributes = self.attributes[range].iter();
        let (_, value) = attributes.find(|(key, _)| *key == name)?;
        Some(self.text[value.clone()].trim())
    }

    /// An attribute, if it is there and not empty.
    pub(super) fn optional(&self, element: usize, name: &str) -> Option<&str> {
        self.written(element, name)
            .filter(|value| !value.is_empty())
    }

    /// An attribute that must be there.
    pub(super) fn attribute(&self, element: usize, name: &str) -> Fallible<&str> {
        let word = self.word(element);
        let what = match self.written(element, name) {
            Some("") => format!("the attribute {name:?} of <{word}> is empty"),
            Some(value) => return Ok(value),
            None => format!("<{word}> needs the attribute {name:?}"),
        };
        Err(self.wrong(element, what))
    }

    pub(super) fn number<N: std::str::FromStr>(
        &self,
        element: usize,
        name: &str,
        kind: &str,
    ) -> Fallible<N> {
        let text = self.attribute(element, name)?;
        text.parse().map_err(|_| {
            let word = self.word(element);
            self.wrong(
                element,
                format!("{name}={text:?} of <{word}> is not {kind}"),
            )
        })
    }

    /// A number that is finite.
    pub(super) fn finite(&self, element: usize, name: &str) -> Fallible<f64> {
        let number: f64 = self.number(element, name, "a number")?;
        if number.is_finite() {
            return Ok(number);
        }
        let (word, text) = (self.word(element), self.attribute(element, name)?);
        let what = format!("{name}={text:?} of <{word}> is not a finite number");
        Err(self.wrong(element, what))
    }

    pub(super) fn boolean(&self, element: usize) -> Fallible<bool> {
        match self.attribute(element, "value")? {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            other => Err(self.wrong(
                element,
                format!("value={other:?} is neither true nor false"),
            )),
        }
    }

    /// Whether a definition is private; what it inherits unless it says.
    pub(super) fn is_private(&self, element: usize, inherited: bool) -> Fallible<bool> {
        match self.optional(element, "role") {
            None => Ok(inherited),
            Some("private") => Ok(true),
            Some("public") => Ok(false),
            Some(other) => Err(self.wrong(
                element,
                format!("role={other:?} is neither public nor private"),
            )),
        }
    }
}

/// The receiver of a file's definitions.
pub(super) trait Definitions {
    /// An element begins that contains definitions; `definition` has this element alone.
    fn enter(&mut self, definition: &Definition) -> Fallible<()>;
    /// It ends.
    fn leave(&mut self);
    /// A definition.
    fn define(&mut self, definition: &Definition) -> Fallible<()>;
}

/// An open element.
struct Open {
    word: &'static Word,
    /// Its number in the definition; none if it has definitions in it, or says nothing.
    element: Option<usize>,
    /// Whether this element began the definition.
    begins: bool,
    /// How many name spaces were known before it.
    spaces: usize,
}

/// A file that is being read.
struct File<'d, D> {
    definitions: &'d mut D,
    open: Vec<Open>,
    definition: Definition,
    /// Prefixes and what they stand for, innermost last.
    spaces: Vec<(String, String)>,
    had_root: bool,
}

/// Reads a file.
pub(super) fn read(
    file: u32,
    input: impl BufRead,
    definitions: &mut impl Definitions,
) -> Fallible<()> {
    let place = Place {
        file,
        line: 1,
        column: 1,
    };
    let mut input = Followed { input, place };
    check_encoding(&mut input)?;
    let mut reader = Reader::from_reader(input);
    reader.config_mut().check_comments = true;
    let mut this = File {
        definitions,
        open: Vec::new(),
        definition: Definition::default(),
        spaces: Vec::new(),
        had_root: false,
    };
    let mut buffer = Vec::new();
    loop {
        let place = reader.get_ref().place;
        buffer.clear();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(Error::Io(error)) => return Err(Wrong::at(place, error.to_string())),
            Err(error) => return Err(no_xml(place, &error.to_string())),
        };
        no_odd_character(&event, place)?;
        match event {
            Event::Start(start) => this.start(&start, place, false)?,
            Event::Empty(start) => this.start(&start, place, true)?,
            Event::End(_) => this.end()?,
            Event::Text(text) => this.text(&text, place)?,
            Event::CData(text) => this.text(&text, place)?,
            Event::GeneralRef(reference) => this.reference(&reference, place)?,
            Event::Comment(_) | Event::PI(_) => {}
            Event::Decl(declaration) => {
                if let Some(encoding) = declaration.encoding() {
                    let encoding = encoding.map_err(|error| no_xml(place, &error.to_string()))?;
                    if let Some(what) = other_encoding(&encoding) {
                        return Err(Wrong::at(place, what));
                    }
                }
            }
            Event::DocType(_) => return Err(Wrong::at(place, "documents with a DTD are not read")),
            Event::Eof => {
                return match this.open.last() {
                    Some(open) => Err(no_xml(
                        place,
                        &format!("the file ends within <{}>", open.word.name),
                    )),
                    None if this.had_root => Ok(()),
                    None => Err(no_xml(place, "there is no element")),
                };
            }
        }
    }
}

fn no_xml(place: Place, what: &str) -> Wrong {
    Wrong::at(place, format!("this is no XML: {what}"))
}

/// Refuses what XML cannot hold, wherever it stands.
fn no_odd_character(text: &str, place: Place) -> Fallible<()> {
    let is_odd = |c: &char| match c {
        '\t' | '\n' | '\r' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        c => *c < ' ',
    };
    let Some(odd) = text.chars().find(is_odd) else {
        return Ok(());
    };
    let what = format!("the character U+{:04X} cannot stand in it", u32::from(odd));
    Err(no_xml(place, &what))
}

/// Refuses other encodings that say so in their first bytes.
fn check_encoding(input: &mut impl BufRead) -> Fallible<()> {
    let start = input
        .fill_buf()
        .map_err(|error| Wrong::whole(error.to_string()))?;
    let other = match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'<', 0, ..] | [0, b'<', ..] => "UTF-16",
        [0x4c, 0x6f, 0xa7, 0x94, ..] => "EBCDIC",
        _ => return Ok(()),
    };
    let what = format!("the encoding {other:?} is not read here, but UTF-8");
    Err(Wrong::whole(what))
}

impl<D: Definitions> File<'_, D> {
    fn start(&mut self, start: &BytesStart<'_>, place: Place, is_empty: bool) -> Fallible<()> {
        let name = start.name();
        if self.open.is_empty() && std::mem::replace(&mut self.had_root, true) {
            return Err(no_xml(place, "there is more than one outermost element"));
        }
        let spaces = self.spaces.len();
        self.declared_spaces(start, place)?;
        let shown = || name.as_ref().to_owned();
        if self.is_foreign(name.as_ref()) {
            let what = format!("<{}> is of another name space and not read here", shown());
            return Err(Wrong::at(place, what));
        }
        let local = name.local_name();
        let word = match (vocabulary::find(local.as_ref()), self.open.last()) {
            (Some(word), None) if word.name == "opsa-mef" => word,
            (_, None) if name.local_name().as_ref() == "adtree" => {
                let what = "this is an attack tree of ADTool, and `meetjoin attacks` reads it";
                return Err(Wrong::at(place, what));
            }
            (_, None) => {
                let what = format!("the root is <{}> and must be <opsa-mef>", shown());
                return Err(Wrong::at(place, what));
            }
            (Some(word), Some(around)) if word.is & around.word.has != 0 => word,
            (_, Some(around)) => {
                let (name, around) = (shown(), around.word);
                let reason = vocabulary::reason(local.as_ref(), around);
                let name_around = around.name;
                let what = format!("<{name}> in <{name_around}> is not read here{reason}");
                return Err(Wrong::at(place, what));
            }
        };
        let within = self.open.last().and_then(|open| open.element);
        let is_note =
            word.is & NOTE != 0 || self.open.last().is_some_and(|o| o.word.is & NOTE != 0);
        let has_definitions =
            matches!(word.name, "opsa-mef" | "model-data") || word.is & CONTAINER != 0;
        if within.is_none() {
            self.definition.clear();
        }
        let attributes = self.attributes(word, start, place)?;
        let element = self.definition.elements.len();
        if !is_note {
            self.definition.elements.push(Element {
                word,
                place,
                end: element + 1,
                attributes,
            });
        }
        if has_definitions {
            self.definitions.enter(&self.definition)?;
        }
        self.open.push(Open {
            word,
            element: (!is_note && !has_definitions).then_some(element).or(within),
            begins: !is_note && !has_definitions && within.is_none(),
            spaces,
        });
        if is_empty {
            self.end()?;
        }
        Ok(())
    }

    fn end(&mut self) -> Fallible<()> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        self.spaces.truncate(open.spaces);
        if open.word.is & NOTE != 0 || self.open.last().is_some_and(|o| o.word.is & NOTE != 0) {
            return Ok(());
        }
        match open.element {
            None => self.definitions.leave(),
            Some(element) => {
                self.definition.elements[element].end = self.definition.elements.len();
                if open.begins {
                    self.definitions.define(&self.definition)?;
                    self.definition.clear();
                }
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str, place: Place) -> Fallible<()> {
        let blank = text.trim_start_matches('\u{feff}').trim().is_empty();
        match self.open.last() {
            _ if blank => Ok(()),
            None => Err(no_xml(place, "text stands outside of all elements")),
            Some(open) if open.word.name == "label" => Ok(()),
            Some(open) => {
                let skipped = text.len() - text.trim_start().len();
                let place = after(place, &text.as_bytes()[..skipped]);
                let what = format!("text in <{}> is not read here", open.word.name);
                Err(Wrong::at(place, what))
            }
        }
    }

    fn reference(&mut self, name: &str, place: Place) -> Fallible<()> {
        match quick_xml::escape::unescape(&format!("&{name};")) {
            Ok(letter) => no_odd_character(&letter, place)?,
            Err(error) => return Err(no_xml(place, &error.to_string())),
        }
        self.text("&", place)
    }

    /// The name spaces that an element declares.
    fn declared_spaces(&mut self, start: &BytesStart<'_>, place: Place) -> Fallible<()> {
        for attribute in start.attributes().with_checks(false) {
            let Ok(attribute) = attribute else {
                // Reported when the attributes are read.
                return Ok(());
            };
            let Some(prefix) = attribute.key.as_ref().strip_prefix("xmlns") else {
                continue;
            };
            let Some(prefix) = prefix.strip_prefix(':').or(prefix.is_empty().then_some("")) else {
                continue;
            };
            let space = attribute.value.clone().into_owned();
            // Each prefix is searched among all of them.
            if self.spaces.len() == MOST_SPACES {
                let what = format!("there are more than {MOST_SPACES} name spaces");
                return Err(Wrong::at(place, what));
            }
            self.spaces.push((prefix.to_owned(), space));
        }
        Ok(())
    }

    fn space(&self, prefix: &str) -> Option<&str> {
        let mut spaces = self.spaces.iter().rev();
        let found = spaces.find(|(known, _)| known == prefix);
        found.map(|(_, space)| space.as_str())
    }

    /// Whether an element is in a name space: those of the format are in none.
    fn is_foreign(&self, name: &str) -> bool {
        name.contains(':') || self.space("").is_some_and(|space| !space.is_empty())
    }

    /// Reads the attributes of an element into the definition.
    fn attributes(
        &mut self,
        word: &'static Word,
        start: &BytesStart<'_>,
        place: Place,
    ) -> Fallible<Range<usize>> {
        let first = self.definition.attributes.len();
        let raw: &str = start;
        // The place of an attribute: its name is a part of what was read.
        let place_of = |key: &str| {
            let offset = (key.as_ptr() as usize).saturating_sub(raw.as_ptr() as usize);
            let before = &raw.as_bytes()[..offset.min(raw.len())];
            let place = Place {
                column: place.column + 1,
                ..place
            };
            after(place, before)
        };
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| no_xml(place, &error.to_string()))?;
            let key = attribute.key.as_ref();
            if key == "xmlns" || key.starts_with("xmlns:") {
                continue;
            }
            if let Some((prefix, _)) = key.split_once(':')
                && self.space(prefix) == Some(SCHEMA_INSTANCE)
            {
                continue;
            }
            let Some(&known) = word.attributes.iter().find(|known| **known == key) else {
                let name = word.name;
                let at = place_of(attribute.key.as_ref());
                let meant = meant(key, word.attributes.iter().copied());
                let what = format!("the attribute {key:?} of <{name}> is not read here{meant}");
                return Err(Wrong::at(at, what));
            };
            let at = || place_of(attribute.key.as_ref());
            if self.definition.attributes[first..]
                .iter()
                .any(|(key, _)| *key == known)
            {
                let what = format!("attribute '{known}' is already defined");
                return Err(no_xml(at(), &what));
            }
            let value = &*attribute.value;
            if value.contains('<') {
                return Err(no_xml(at(), "'<' cannot stand in an attribute"));
            }
            let value = quick_xml::escape::unescape(value)
                .map_err(|error| no_xml(at(), &error.to_string()))?;
            no_odd_character(&value, at())?;
            let from = self.definition.text.len();
            self.definition.text.push_str(&value);
            let range = from..self.definition.text.len();
            self.definition.attributes.push((known, range));
        }
        Ok(first..self.definition.attributes.len())
    }
}
