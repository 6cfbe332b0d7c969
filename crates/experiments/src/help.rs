//! The help of each program as a file, which `cargo xtask bench --help` prints without compiling
//! the program.

use clap::CommandFactory;

/// Asserts that the file of this name has the help of a command line. With `BLESS=1` it is written.
pub(crate) fn is_in_its_file<C: CommandFactory>(name: &str) {
    let help = C::command().term_width(100).render_long_help().to_string();
    let file = format!("{}/src/help/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &help).expect("the file can be written");
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        written, help,
        "{file} differs from the help; BLESS=1 cargo test -p meetjoin-experiments writes it"
    );
}
