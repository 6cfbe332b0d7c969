//! What all pages have in common.
