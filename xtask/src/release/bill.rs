//! What the program is made of, as CycloneDX 1.5 (an SBOM): every crate that is compiled into it,
//! with version, licence, checksum, and the crates that it uses.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::workspace::{metadata, read};

/// The bill of a package for a platform. `time` is written as the standard has it, in UTC.
pub(super) fn bill(package: &str, platform: &str, time: &str) -> Result<Value, String> {
    let metadata = metadata(&["--locked", "--filter-platform", platform])?;
    of(package, &metadata, &checksums(&read("Cargo.lock")?), time)
}

/// The checksums of a `Cargo.lock`, by name and version. Crates of ours have none there.
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
    package: &str,
    metadata: &Value,
    checksums: &BTreeMap<(&str, &str), &str>,
    time: &str,
) -> Result<Value, String> {
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    let by_id: BTreeMap<&str, &Value> = packages
        .iter()
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect();
    let nodes = list(&metadata["resolve"]["nodes"]);
    let uses: BTreeMap<&str, BTreeSet<&str>> = nodes
        .iter()
        .filter_map(|node| Some((node["id"].as_str()?, compiled_in(node))))
        .collect();
    let root = packages.iter().find(|found| found["name"] == package);
    let root = root.and_then(|root| root["id"].as_str());
    let root = root.ok_or_else(|| format!("there is no package {package}"))?;
    let mut reached = BTreeSet::from([root]);
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        let used = uses.get(id).into_iter().flatten();
        open.extend(used.filter(|used| reached.insert(used)));
    }
    let mut components = BTreeMap::new();
    let mut dependencies = BTreeMap::new();
    for id in &reached {
        let component = component(by_id.get(id).ok_or("cargo metadata is torn")?, checksums)?;
        let reference = component["bom-ref"].as_str().unwrap_or_default().to_owned();
        let used = uses.get(id).into_iter().flatten();
        let used: Result<BTreeSet<String>, String> = used
            .map(|id| reference_of(by_id.get(id).ok_or("cargo metadata is torn")?))
            .collect();
        dependencies.insert(
            reference.clone(),
            json!({"ref": reference, "dependsOn": used?}),
        );
        components.insert(reference, component);
    }
    let mut program = components
        .remove(&reference_of(by_id[root])?)
        .unwrap_or_default();
    program["type"] = json!("application");
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "component": program,
        },
        "components": components.into_values().collect::<Vec<_>>(),
        "dependencies": dependencies.into_values().collect::<Vec<_>>(),
    }))
}

/// The packages whose code becomes part of a package: not those of its tests or its build.
fn compiled_in(node: &Value) -> BTreeSet<&str> {
    let dependencies = node["deps"].as_array().map_or(&[][..], Vec::as_slice);
    let is_normal = |dependency: &&Value| {
        let kinds = dependency["dep_kinds"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
    };
    let normal = dependencies.iter().filter(is_normal);
    normal
        .filter_map(|dependency| dependency["pkg"].as_str())
        .collect()
}

fn reference_of(package: &Value) -> Result<String, String> {
    match (package["name"].as_str(), package["version"].as_str()) {
        (Some(name), Some(version)) => Ok(format!("pkg:cargo/{name}@{version}")),
        _ => Err("a package without a name or a version".to_owned()),
    }
}

fn component(package: &Value, checksums: &BTreeMap<(&str, &str), &str>) -> Result<Value, String> {
    let reference = reference_of(package)?;
    let text = |key: &str| package[key].as_str().unwrap_or_default();
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
    use crate::workspace::{cargo, output};

    #[test]
    fn the_bill_names_what_cargo_compiles_in() {
        let platform = "x86_64-unknown-linux-gnu";
        let bill = bill("meetjoin-cli", platform, "2026-01-01T00:00:00Z").expect("a bill");
        let names = |of: &Value| {
            let list = of.as_array().expect("a list").iter();
            let names = list.map(|part| format!("{} v{}", part["name"], part["version"]));
            names
                .map(|name| name.replace('"', ""))
                .collect::<BTreeSet<_>>()
        };
        let mut tree = cargo(&["tree", "--locked", "--package", "meetjoin-cli"]);
        tree.args(["--edges", "normal", "--prefix", "none", "--format", "{p}"]);
        let tree = output(tree.args(["--target", platform])).expect("a tree");
        let tree = tree.lines().filter_map(|line| {
            let words: Vec<&str> = line.split(' ').take(2).collect();
            (words[0] != "meetjoin-cli").then(|| words.join(" "))
        });
        assert_eq!(names(&bill["components"]), tree.collect());
        let components = bill["components"].as_array().expect("a list");
        let mut references = BTreeSet::from([&bill["metadata"]["component"]["bom-ref"]]);
        references.extend(components.iter().map(|part| &part["bom-ref"]));
        let dependencies = bill["dependencies"].as_array().expect("a list");
        assert_eq!(dependencies.len(), references.len());
        for dependency in dependencies {
            assert!(references.contains(&dependency["ref"]));
            let used = dependency["dependsOn"].as_array().expect("a list");
            assert!(used.iter().all(|used| references.contains(used)));
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
