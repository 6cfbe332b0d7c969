//! Problems by name, as their users meet them: files, games, packets and endings, checked by the
//! rules alone.
#![allow(missing_docs)]

mod game_files;
mod packets;
mod race;
mod requests;
mod tricks;
