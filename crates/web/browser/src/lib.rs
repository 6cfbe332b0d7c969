//! Nothing: what is here are the tests.
