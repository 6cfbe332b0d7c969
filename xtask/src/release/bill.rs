//! The SBOM of the program, as CycloneDX 1.5: every crate compiled into it, with version, licence,
//! checksum and dependencies.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::workspace::{cargo, metadata, output, read};

/// The bill of a package for a platform. `time` is written as the standard has it, in UTC.
pub(super) fn bill(package: &str, platform: &str, time: &str) -> Result<Value, String> {
    // `cargo tree` resolves features for this package alone; `cargo metadata` does so for the whole
    // workspace, and lists crates that are not in the program.
    let mut tree = cargo(&[
        "tree",
        "--locked",
        "--package",
        package,
        "--target",
        platform,
    ]);
    tree.args([
        "--edges",
        "normal",
        "--prefix",
        "depth",
        "--no-dedupe",
        "--format",
        " {p}",
    ]);
    let tree = output(&mut tree)?;
    let metadata = metadata(&["--locked", "--filter-platform", platform])?;
    of(
        &uses(&tree)?,
        &metadata,
        &checksums(&read("Cargo.lock")?),
        time,
    )
}

/// A crate by name and version.
type Name = (String, String);
/// The crate that all are for, and which crates each uses.
type Uses = (Name, BTreeMap<Name, BTreeSet<Name>>);

/// Which crates each crate uses, of a tree with the depth before each name.
fn uses(tree: &str) -> Result<Uses, String> {
    let (mut above, mut uses): (Vec<Name>, BTreeMap<Name, BTreeSet<Name>>) = Default::default();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let read = || {
            let mut words = line.split(' ');
            let depth: usize = words.next()?.parse().ok()?;
            let name = words.next()?.to_owned();
            let version = words.next()?.strip_prefix('v')?.to_owned();
            Some((depth, (name, version)))
        };
        let (depth, name) = read().ok_or_else(|| format!("a tree has the line {line:?}"))?;
        above.truncate(depth);
        if let Some(user) = above.last() {
            uses.entry(user.clone()).or_default().insert(name.clone());
        }
        uses.entry(name.clone()).or_default();
        above.push(name);
    }
    let root = above.into_iter().next().ok_or("a tree is empty")?;
    Ok((root, uses))
}

/// The checksums of a `Cargo.lock`, by name and version. Our own crates have none there.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let packages = lock.split("[[package]]").skip(1);
    let checksums = packages.filter_map(|package| {
        let said = |key: &str| {
            let mut lines = package.lines();
            lines.find_map(|line| line.strip_prefix(key)?.strip_suffix('"'))
        };
        let name = (said("name = \"")?, said("version = \"")?);
        Some((name, said("checksum = \"")?))
    });
    checksums.collect()
}

fn of(
    (root, uses): &Uses,
    metadata: &Value,
    checksums: &BTreeMap<(&str, &str), &str>,
    time: &str,
) -> Result<Value, String> {
    let packages = metadata["packages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let described = |name: &Name| {
        let mut packages = packages.iter();
        let package =
            packages.find(|found| found["name"] == *name.0 && found["version"] == *name.1);
        let package = package.ok_or_else(|| format!("cargo metadata has no {} {}", name.0, name.1));
        component(package?, checksums)
    };
    let mut program = described(root)?;
    program["type"] = json!("application");
    let components: Result<Vec<Value>, String> = uses
        .keys()
        .filter(|name| *name != root)
        .map(described)
        .collect();
    let dependencies = uses.iter().map(|(name, used)| {
        let used: Vec<String> = used.iter().map(reference).collect();
        json!({"ref": reference(name), "dependsOn": used})
    });
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"timestamp": time, "component": program},
        "components": components?,
        "dependencies": dependencies.collect::<Vec<_>>(),
    }))
}

fn reference((name, version): &Name) -> String {
    format!("pkg:cargo/{name}@{version}")
}

fn component(package: &Value, checksums: &BTreeMap<(&str, &str), &str>) -> Result<Value, String> {
    let text = |key: &str| package[key].as_str().unwrap_or_default();
    let reference = reference(&(text("name").to_owned(), text("version").to_owned()));
    let mut component = json!({
        "type": "library",
        "bom-ref": reference,
        "name": text("name"),
        "version": text("version"),
        "purl": reference,
    });
    if let Some(checksum) = checksums.get(&(text("name"), text("version"))) {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    } else if !package["source"].is_null() {
        return Err(format!("{reference} has no checksum in Cargo.lock"));
    }
    // Old manifests write a slash where the standard has OR.
    let licence = text("license").replace(" / ", "/").replace('/', " OR ");
    if licence.is_empty() {
        return Err(format!(
            "{reference} does not say under which licence it is"
        ));
    }
    component["licenses"] = json!([{"expression": licence}]);
    Ok(component)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_says_who_uses_whom() {
        let tree = "0 a v1.0.0 (/a)\n1 b v2.0.0\n2 c v0.1.0\n1 c v0.1.0\n";
        let name = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        let (a, b, c) = (name("a", "1.0.0"), name("b", "2.0.0"), name("c", "0.1.0"));
        let expected = BTreeMap::from([
            (a.clone(), BTreeSet::from([b.clone(), c.clone()])),
            (b, BTreeSet::from([c.clone()])),
            (c, BTreeSet::new()),
        ]);
        assert_eq!(uses(tree), Ok((a, expected)));
        assert!(uses("").is_err() && uses("0 a\n").is_err());
    }

    #[test]
    fn the_bill_of_the_program_is_whole() {
        let platform = "x86_64-unknown-linux-gnu";
        let bill = bill("meetjoin-cli", platform, "2026-01-01T00:00:00Z").expect("a bill");
        let has = |name: &str| {
            let mut components = bill["components"].as_array().expect("a list").iter();
            components.any(|part| part["name"] == name)
        };
        for compiled_in in ["meetjoin-lattice", "clap", "libmimalloc-sys", "signal-hook"] {
            assert!(has(compiled_in), "{compiled_in}");
        }
        // Dependencies of tests, of the build, of the experiments, and of other platforms.
        for other in ["proptest", "cc", "plotters", "rayon", "windows-sys"] {
            assert!(!has(other), "{other}");
        }
        let components = bill["components"].as_array().expect("a list");
        let text_of = |value: &Value| value.as_str().expect("a text").to_owned();
        let mut references = BTreeSet::from([text_of(&bill["metadata"]["component"]["bom-ref"])]);
        references.extend(components.iter().map(|part| text_of(&part["bom-ref"])));
        let dependencies = bill["dependencies"].as_array().expect("a list");
        assert_eq!(dependencies.len(), references.len());
        for dependency in dependencies {
            assert!(references.contains(&text_of(&dependency["ref"])));
            let used = dependency["dependsOn"].as_array().expect("a list");
            assert!(used.iter().all(|used| references.contains(&text_of(used))));
        }
        for part in components {
            let name = part["name"].as_str().expect("a name");
            let hash = part["hashes"][0]["content"].as_str();
            let is_ours = name.starts_with("meetjoin-");
            assert_eq!(hash.map(str::len), (!is_ours).then_some(64), "{name}");
        }
    }

    #[test]
    fn a_crate_without_licence_or_checksum_is_refused() {
        let package = |licence: &str| json!({"name": "a", "version": "1.0.0", "license": licence, "source": "registry"});
        let checksums = BTreeMap::from([(("a", "1.0.0"), "00")]);
        let of = |licence| component(&package(licence), &checksums);
        let fine = of("MIT/Apache-2.0").expect("a component");
        assert_eq!(fine["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert!(of("").is_err());
        assert!(component(&package("MIT"), &BTreeMap::new()).is_err());
    }
}
