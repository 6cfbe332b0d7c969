//! Models from files: the Model Exchange Format of the Open-PSA initiative, Galileo, and a plain
//! text with one gate a line.
//!
//! Idea: all readers find names and formulas and put them into one [`draft`]; when all files are
//! read, `resolve` looks names up, so that definitions may stand in any order. `elements` reads XML
//! as a stream, by the words of `vocabulary`; [`open_psa`] and `event_trees` say what they mean.
//! What is wrong is said with line and column.

mod draft;
mod elements;
mod event_trees;
mod galileo;
mod open_psa;
mod plain;
mod resolve;
mod vocabulary;

use std::io::{BufRead, Read};

use crate::model::place::{FaultTreeFileError, Place};
use crate::model::{Model, State};
use crate::tree::FaultTree;

use draft::Draft;

pub use plain::words;

/// Reads the files of a model, one after the other, in any order.
#[derive(Debug, Default)]
pub struct ModelReader {
    draft: Draft,
    files: u32,
}

/// The bytes by which a format is known.
const HEAD: u64 = 1 << 12;

impl ModelReader {
    /// Nothing read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a file: XML if the first character is `<`, Galileo if the first word is `toplevel`,
    /// else plain text.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn read(&mut self, mut input: impl BufRead) -> Result<(), FaultTreeFileError> {
        self.read_either(&mut input)
    }

    /// Reads a file. (Compiled once, and not for each type of input.)
    fn read_either(&mut self, input: &mut dyn BufRead) -> Result<(), FaultTreeFileError> {
        let file = self.files;
        self.files += 1;
        let failed = |error: std::io::Error| FaultTreeFileError::whole(error.to_string());
        let mut head = Vec::new();
        let mut begin = (&mut *input).take(HEAD);
        begin.read_to_end(&mut head).map_err(failed)?;
        let bare = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
        let start = bare.trim_ascii_start();
        let is_xml = start.starts_with(b"<")
            || matches!(
                head[..],
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, b'<', ..]
            );
        if is_xml {
            let mut reader = open_psa::Reader::new(&mut self.draft);
            return elements::read(file, head.chain(input), &mut reader);
        }
        input.read_to_end(&mut head).map_err(failed)?;
        let text = String::from_utf8(head).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.split(|byte| *byte == b'\n').count() as u32;
            let place = Place {
                file,
                line,
                column: 1,
            };
            FaultTreeFileError::at(place, "invalid UTF-8 in this line")
        })?;
        let text = text.trim_start_matches('\u{feff}');
        if galileo::is_galileo(text) {
            galileo::read(file, text, &mut self.draft)
        } else {
            plain::read(file, text, &mut self.draft)
        }
    }

    /// The model, if everything fits. What a tree is asked about need not be mentioned by a gate.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn finish(mut self, top: Option<&str>) -> Result<Model, FaultTreeFileError> {
        if let Some(top) = top {
            let top = self.draft.names.number(top);
            self.draft.mentioned.insert(top);
        }
        let draft = &self.draft;
        let unknown = draft
            .stated
            .iter()
            .find(|(name, _)| !draft.mentioned.contains(name));
        if let Some(&(name, place)) = unknown {
            // A name that is mentioned without a line of its own may be the same one misspelt.
            let mentioned = draft.mentioned.iter().copied();
            let meant = draft
                .names
                .meant(name, mentioned.filter(|name| !draft.is_defined(*name)));
            let shown = draft.names.text(name);
            return Err(FaultTreeFileError::at(
                place,
                format!("no gate mentions {shown:?}{meant}"),
            ));
        }
        self.draft.model()
    }
}

/// Reads a fault tree of one text, for the usual mission time. `top` names the gate that it is
/// about; without it that is the one gate that no other has as an argument.
///
/// # Errors
/// What is wrong, and where.
pub fn fault_tree_from_text(
    text: &str,
    top: Option<&str>,
) -> Result<FaultTree, FaultTreeFileError> {
    let mut reader = ModelReader::new();
    reader.read(text.as_bytes())?;
    reader.finish(top)?.tree(top, &State::default())
}
