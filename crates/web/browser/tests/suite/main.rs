//! The pages of the site in a browser. `cargo xtask ci --web` builds these and says in `SITE` where
//! they are, and in `PROGRAMS` where the programs are that answer without a browser.

mod bridge;
mod faults;
mod graph;
mod play;
mod site;
mod suits;
mod support;
mod tasks;
