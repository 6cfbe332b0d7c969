//! The crates as a registry would get them: required fields of manifests, and
//! `cargo publish --dry-run` of all of them.

use serde_json::Value;

use crate::workspace::{cargo, metadata, read, root, succeed};

/// Checks the manifests and packs the crates, which must be those named. `cargo xtask install`
/// compiles what is packed; here only its contents are gathered and looked at by cargo.
pub(crate) fn check(published: &[&str]) -> Result<(), String> {
    let metadata = metadata(&["--no-deps"])?;
    let packages = metadata["packages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let is_published = package["publish"].is_null();
        if is_published != published.contains(&name) {
            return Err(format!(
                "{name}: `publish` in its manifest is not what the list of published crates says"
            ));
        }
        if is_published {
            let folder = name.strip_prefix("meetjoin-").unwrap_or(name);
            let readme = read(format!("crates/{folder}/README.md"))?;
            let missing = missing(package, &readme);
            if !missing.is_empty() {
                return Err(format!("{name} lacks {}", missing.join(", ")));
            }
            for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
                let here = read(format!("crates/{folder}/{licence}"))?;
                // Each is a symbolic link; on Windows it may be a file with the path of its target.
                let leads = cfg!(windows) && here.trim() == format!("../../{licence}");
                if here != read(licence)? && !leads {
                    return Err(format!("{name} has no {licence} like that of the root"));
                }
            }
        }
    }
    let mut publish = cargo(&[
        "publish",
        "--workspace",
        "--dry-run",
        "--no-verify",
        "--quiet",
    ]);
    // `--allow-dirty`: the gate looks at what is there, committed or not.
    succeed(publish.arg("--allow-dirty").current_dir(root()))
}

/// The fields that users look for in a registry and that a manifest lacks.
fn missing(package: &Value, readme: &str) -> Vec<&'static str> {
    let words = |key: &str| package[key].as_array().map_or(0, Vec::len);
    let is_said = |key: &str| package[key].as_str().is_some_and(|text| !text.is_empty());
    let has_example = ["```rust", "```console"];
    let checks = [
        (is_said("description"), "a description"),
        (is_said("readme"), "a README"),
        (is_said("license"), "a licence"),
        (is_said("repository"), "a repository"),
        (is_said("rust_version"), "an oldest compiler"),
        // The registry refuses more than five.
        (
            (3..=5).contains(&words("keywords")),
            "three to five keywords",
        ),
        (
            (1..=5).contains(&words("categories")),
            "one to five categories",
        ),
        (
            package["metadata"]["docs"]["rs"].is_object(),
            "settings for docs.rs",
        ),
        (
            has_example.iter().any(|block| readme.contains(block)),
            "an example in its README",
        ),
    ];
    let missing = checks.into_iter().filter(|(is_there, _)| !is_there);
    missing.map(|(_, what)| what).collect()
}

#[test]
fn what_strangers_look_for_is_asked_for() {
    let mut package = serde_json::json!({
        "description": "d", "readme": "README.md", "license": "MIT", "repository": "r",
        "rust_version": "1.88", "keywords": ["a", "b", "c"], "categories": ["algorithms"],
        "metadata": {"docs": {"rs": {"all-features": true}}},
    });
    let readme = "# x\n\n```rust\nlet x = 1;\n```\n";
    assert_eq!(missing(&package, readme), [""; 0]);
    assert_eq!(missing(&package, "# x\n"), ["an example in its README"]);
    package["keywords"] = serde_json::json!(["a", "b", "c", "d", "e", "f"]);
    package["metadata"] = Value::Null;
    assert_eq!(
        missing(&package, readme),
        ["three to five keywords", "settings for docs.rs"]
    );
}
