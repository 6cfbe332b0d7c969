//! Pages as browsers read them.
#![allow(missing_docs)]

mod pages;
