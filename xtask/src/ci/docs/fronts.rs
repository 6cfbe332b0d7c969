//! The tables of front pages, which say where a question about a crate is answered: the files that
//! they name must be there.

use std::path::Path;

use crate::workspace::{folder, read, root};

/// How such a table begins, in a README or in the header of a file.
const BEGIN: &str = "| question | function | file |";

pub(super) fn check() -> Result<(), String> {
    for name in folder(&root().join("crates"))? {
        for page in ["README.md", "src/lib.rs", "src/main.rs"] {
            let page = name.join(page);
            if page.exists() {
                check_page(&name.join("src"), &read(&page)?)
                    .map_err(|why| format!("{}: {why}", page.display()))?;
            }
        }
    }
    Ok(())
}

/// Checks that the files of a page's tables are in the folder of sources.
fn check_page(source: &Path, page: &str) -> Result<(), String> {
    for table in page.split(BEGIN).skip(1) {
        let rows = table.lines().skip(2);
        let rows = rows.map(|line| line.trim_start_matches("//! "));
        for row in rows.take_while(|row| row.starts_with('|')) {
            let cell = row.trim_end_matches('|').rsplit('|').next();
            // Every second part is code.
            let files: Vec<&str> = cell
                .unwrap_or_default()
                .split('`')
                .skip(1)
                .step_by(2)
                .collect();
            if files.is_empty() {
                return Err(format!("a row without a file: {row}"));
            }
            for file in files {
                if !source.join(file).exists() {
                    return Err(format!("there is no {file}, which a row names: {row}"));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_its_file_is_found() {
        let check = |last: &str| {
            let row = format!("//! {BEGIN}\n//! |---|---|---|\n//! | how? | `f` | {last} |\n");
            check_page(&root().join("xtask/src"), &row)
        };
        assert_eq!(check("`ci.rs`, `ci/`"), Ok(()));
        assert!(check("`ci.rs`, `no.rs`").is_err_and(|why| why.contains("there is no no.rs")));
        assert!(check("nowhere").is_err());
    }
}
