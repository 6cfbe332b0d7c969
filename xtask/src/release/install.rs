//! `cargo xtask install`: the command as a new user gets it, `cargo install meetjoin-cli` from
//! packed crates into an empty home, with the time it takes. A folder with the packed crates and
//! their dependencies stands in for the registry.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4 as _;

use super::archive::{sha256, unpack};
use crate::ci::layers;
use crate::workspace::{cargo, cargo_path, output, succeed, target, version, write};

/// Packs, installs, and tries.
pub(crate) fn install() -> Result<(), String> {
    let here = target()?.join("install");
    let _ = std::fs::remove_dir_all(&here);
    let registry = here.join("registry");
    filled(&registry)?;
    let home = here.join("home");
    let config = format!(
        "[source.crates-io]\nreplace-with = \"packed\"\n[source.packed]\ndirectory = {:?}\n",
        registry.display().to_string()
    );
    write(&home.join(".cargo").join("config.toml"), config)?;
    let rustup = std::env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let rustup = rustup.or_else(|| {
        let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"))?;
        Some(PathBuf::from(home).join(".rustup"))
    });
    let mut install = Command::new(cargo_path());
    install.args(["install", "--quiet", "--locked", "meetjoin-cli"]);
    install.current_dir(&home).env("HOME", &home);
    install.env("CARGO_HOME", home.join(".cargo"));
    if let Some(rustup) = rustup {
        install.env("RUSTUP_HOME", rustup);
    }
    for name in ["CARGO_TARGET_DIR", "CARGO_INCREMENTAL", "RUSTFLAGS"] {
        install.env_remove(name);
    }
    let started = Instant::now();
    let mut child = install
        .spawn()
        .map_err(|error| format!("{install:?} does not start: {error}"))?;
    let used = child.wait4().map_err(|error| error.to_string())?;
    if !used.status.success() {
        return Err(format!("{install:?} failed: {}", used.status));
    }
    let processor = used.rusage.utime + used.rusage.stime;
    println!(
        "install: {:.0} s, {:.0} s of the processor",
        started.elapsed().as_secs_f64(),
        processor.as_secs_f64()
    );
    let name = format!("meetjoin{}", std::env::consts::EXE_SUFFIX);
    let program = home.join(".cargo").join("bin").join(name);
    let bytes = program.metadata().map_or(0, |metadata| metadata.len());
    println!("install: {} has {bytes} bytes", program.display());
    let answer = output(Command::new(&program).args(["suit", "AQT98", "5432"]))?;
    if !answer.contains("82.7826%") {
        return Err(format!("what was installed answers {answer:?}"));
    }
    let about = output(Command::new(&program).args(["--version", "--verbose"]))?;
    print!("{about}");
    Ok(())
}

/// Fills a folder with third-party crates and our packed ones.
fn filled(registry: &Path) -> Result<(), String> {
    let mut vendor = cargo(&["vendor", "--quiet", "--locked", "--versioned-dirs"]);
    succeed(vendor.arg(registry).stdout(Stdio::null()))?;
    let mut package = cargo(&["package", "--quiet", "--no-verify", "--allow-dirty"]);
    for name in layers::PUBLISHED {
        package.args(["--package", name]);
    }
    let built = target()?.join("install").join("packed");
    succeed(package.env("CARGO_TARGET_DIR", &built))?;
    for name in layers::PUBLISHED {
        let folder = format!("{name}-{}", version());
        let file = built.join("package").join(format!("{folder}.crate"));
        let packed =
            std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        unpack(&packed, registry)?;
        let checksum = serde_json::json!({"files": {}, "package": sha256(&packed)});
        let beside = registry.join(folder).join(".cargo-checksum.json");
        write(&beside, checksum.to_string())?;
    }
    Ok(())
}
