//! The command as its users meet it: everything here goes through the built binary.
#![allow(missing_docs, unreachable_pub)]

mod answers;
mod attacks;
mod bad_files;
#[cfg(unix)]
mod book;
mod cases;
mod certificates;
mod check;
mod checkpoints;
mod cluster;
mod cluster_counts;
mod convert;
mod cuts;
mod drawings;
mod ending;
mod events;
mod games;
mod generate;
mod heaviest;
#[cfg(unix)]
mod help;
mod hidden;
mod kept;
mod known;
mod limits;
mod models;
mod outputs;
mod packets;
mod parts;
mod pictures;
mod play;
mod prove;
mod readers;
mod suit;
mod support;
mod threads;
mod total_order;
mod tricks;
mod uniform;
mod units;
mod usage;
#[cfg(unix)]
mod waits;
mod web;
mod whole_command;
