//! Where something stands in the files of a model, and what is wrong there.

/// A place in the files of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The number of the file, from 0, in the order in which they were given.
    pub file: u32,
    /// The line, from 1; 0 is no place.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// What is wrong with a model, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}{}", shown_place(*.place))]
pub struct FaultTreeFileError {
    what: String,
    place: Option<Place>,
}

fn shown_place(place: Option<Place>) -> String {
    place.map_or_else(String::new, |Place { line, column, .. }| {
        format!(" (line {line} column {column})")
    })
}

impl FaultTreeFileError {
    pub(crate) fn at(place: Place, what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: (place.line > 0).then_some(place),
        }
    }

    pub(crate) fn whole(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: None,
        }
    }

    /// Puts some words before the message.
    pub(crate) fn within(self, before: &str) -> Self {
        Self {
            what: format!("{before}{}", self.what),
            ..self
        }
    }

    /// Line and column, from 1, if it has a place.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.place
            .map(|place| (place.line as usize, place.column as usize))
    }

    /// The number of the file, if it has a place.
    pub fn file(&self) -> Option<usize> {
        self.place.map(|place| place.file as usize)
    }
}
