//! The examples that pages have to be tried by one click: files that README and book use.

use serde::Serialize;

/// A file that can be tried.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Example {
    /// The name of the file.
    pub name: &'static str,
    /// What its button says.
    pub title: &'static str,
    /// What it holds.
    pub text: &'static str,
}

macro_rules! examples {
    ($($path:literal: $title:literal),* $(,)?) => {
        &[$(Example {
            name: $path,
            title: $title,
            text: include_str!(concat!("../../../", $path)),
        }),*]
    };
}

const FAULTS: &[Example] = examples!(
    "examples/plant.txt": "A cooling plant",
    "examples/cooling.xml": "Two pumps and a common cause (Open-PSA)",
);

const ATTACKS: &[Example] = examples!(
    "examples/office.txt": "A small firm",
);

const GRAPHS: &[Example] = examples!(
    "docs/src/figures/li-1-left.json": "Li et al., Figure 1, left",
    "docs/src/figures/li-1-right.json": "Figure 1, right",
    "docs/src/figures/li-2-right.json": "Figure 2, right",
    "examples/example.json": "Sets of four worlds",
    "examples/small.json": "Numbers",
);

/// The examples of a page.
pub(crate) fn of_page(file: &str) -> &'static [Example] {
    match file {
        "faults.html" => FAULTS,
        "attacks.html" => ATTACKS,
        "graph.html" => GRAPHS,
        _ => &[],
    }
}
