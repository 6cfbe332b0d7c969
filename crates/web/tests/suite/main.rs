//! What the site is made of, without a browser.

mod book;
