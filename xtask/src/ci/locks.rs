//! Each `Cargo.lock` of the repository, those of workspaces of their own too, fits the manifests
//! that it pins: a build changes none of them, and takes no untested version.

use crate::workspace::{cargo, output, tree};

pub(crate) fn check() -> Result<(), String> {
    for lock in tree("lock")? {
        let manifest = lock.with_file_name("Cargo.toml");
        let args = ["metadata", "--locked", "--quiet", "--format-version", "1"];
        let mut metadata = cargo(&args);
        let found = output(metadata.arg("--manifest-path").arg(&manifest));
        found.map_err(|_| {
            let (lock, manifest) = (lock.display(), manifest.display());
            format!(
                "{lock}: cargo says why above; if it is not up to date, `cargo metadata --manifest-path {manifest}` mends it"
            )
        })?;
    }
    Ok(())
}
