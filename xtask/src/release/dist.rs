//! `cargo xtask dist`: the program with its manual pages, completions and licences, as folders that
//! can be laid over `/usr/local`; its checksum, and its SBOM.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::archive::{Entry, packed, sha256, unpack};
use super::bill::bill;
use crate::workspace::{cargo_path, folder, output, root, succeed, target, version, write};

/// Where each shell looks for completions below `share`.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "share/bash-completion/completions/meetjoin"),
    ("zsh", "share/zsh/site-functions/_meetjoin"),
    ("fish", "share/fish/vendor_completions.d/meetjoin.fish"),
    ("elvish", "share/meetjoin/completions/meetjoin.elv"),
    ("powershell", "share/meetjoin/completions/meetjoin.ps1"),
];

/// Files of the repository that go with the program.
const WORDS: [(&str, &str); 4] = [
    ("crates/cli/README.md", "share/doc/meetjoin/README.md"),
    ("CHANGELOG.md", "share/doc/meetjoin/CHANGELOG.md"),
    ("LICENSE-APACHE", "share/doc/meetjoin/LICENSE-APACHE"),
    ("LICENSE-MIT", "share/doc/meetjoin/LICENSE-MIT"),
];

/// Makes all of it in `target/dist`, and tests the archive.
pub(crate) fn dist(twice: bool) -> Result<(), String> {
    let here = target()?.join("dist");
    let platform = platform()?;
    let name = format!("meetjoin-{}-{platform}", version());
    if twice {
        // Uncommitted changes would be in the first archive only.
        let changed = output(git(&root()).args(["status", "--porcelain"]))?;
        if !changed.is_empty() {
            return Err(format!("not everything is committed:\n{changed}"));
        }
    }
    let archive = made(&root(), &here, &name)?;
    if twice {
        let copy = here.join("again");
        let _ = std::fs::remove_dir_all(&copy);
        let mut clone = git(&root());
        clone.args(["clone", "--quiet", "--shared"]).arg(root());
        succeed(clone.arg(&copy))?;
        let again = made(&copy, &copy.join("target").join("dist"), &name)?;
        if archive != again {
            let second = here.join(format!("{name}-again.tar.gz"));
            write(&second, again)?;
            return Err(format!(
                "the second archive, {}, is another one than the first",
                second.display()
            ));
        }
        println!("dist: built in two folders, the same to the byte");
    }
    let file = format!("{name}.tar.gz");
    write(&here.join(&file), &archive)?;
    let day = "--date=format-local:%Y-%m-%dT%H:%M:%SZ";
    let mut time = git(&root());
    time.env("TZ", "UTC0")
        .args(["log", "-1", "--format=%cd", day]);
    let bill = bill("meetjoin-cli", &platform, output(&mut time)?.trim())?;
    let bill_file = format!("{name}.cdx.json");
    let text = serde_json::to_string_pretty(&bill).map_err(|error| error.to_string())? + "\n";
    write(&here.join(&bill_file), &text)?;
    let mut sums = String::new();
    for (file, bytes) in [(&file, &archive[..]), (&bill_file, text.as_bytes())] {
        let _ = writeln!(sums, "{}  {file}", sha256(bytes));
        println!("dist: {file} has {} bytes", bytes.len());
    }
    write(&here.join(format!("{name}.sha256")), sums)?;
    tried(&archive, &here.join("tried"), &name)
}

/// The archive of a copy of the repository, which is compiled below `folder`.
fn made(source: &Path, folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    let time = output(git(source).args(["log", "-1", "--format=%ct"]))?;
    let time = time.trim();
    let program = program(source, folder, time)?;
    let mut entries = vec![Entry {
        path: format!("bin/meetjoin{}", std::env::consts::EXE_SUFFIX),
        bytes: bytes(&program)?,
        is_program: true,
    }];
    let mut add = |path: &str, bytes| {
        entries.push(Entry {
            path: path.to_owned(),
            bytes,
            is_program: false,
        });
    };
    for (shell, path) in COMPLETIONS {
        let completions = output(Command::new(&program).args(["completions", shell]))?;
        add(path, completions.into_bytes());
    }
    for (from, to) in WORDS {
        add(to, bytes(&source.join(from))?);
    }
    let manual = folder.join("man");
    let _ = std::fs::remove_dir_all(&manual);
    let mut write = Command::new(&program);
    succeed(write.arg("man").arg(&manual).stdout(Stdio::null()))?;
    for page in self::folder(&manual)? {
        let name = page.file_name().and_then(|name| name.to_str());
        let path = format!("share/man/man1/{}", name.unwrap_or_default());
        add(&path, bytes(&page)?);
    }
    let time = time.parse().map_err(|_| "when was the last commit?")?;
    packed(name, entries, time)
}

/// Compiles the program without any trace of place or time.
fn program(source: &Path, folder: &Path, time: &str) -> Result<PathBuf, String> {
    let home = ["CARGO_HOME", "HOME", "USERPROFILE"]
        .into_iter()
        .find_map(|name| {
            let path = PathBuf::from(std::env::var_os(name)?);
            Some(if name == "CARGO_HOME" {
                path
            } else {
                path.join(".cargo")
            })
        });
    let home = home.ok_or("where is the home of cargo?")?;
    let places = [(source, "meetjoin"), (&home, "cargo")];
    let said = |flag: &str| {
        let flags = places.map(|(path, name)| {
            let mut words = OsString::from(flag);
            words.push(path);
            words.push(format!("={name}"));
            words
        });
        flags.join(&OsString::from(" "))
    };
    let mut build = Command::new(cargo_path());
    build.args([
        "build",
        "--release",
        "--locked",
        "--quiet",
        "--package",
        "meetjoin-cli",
    ]);
    build
        .current_dir(source)
        .env("CARGO_TARGET_DIR", folder.join("build"));
    build.env("RUSTFLAGS", said("--remap-path-prefix="));
    if !cfg!(windows) {
        build.env("CFLAGS", said("-ffile-prefix-map="));
    }
    // The allocator contains its compile time.
    build.env("SOURCE_DATE_EPOCH", time);
    build.env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    succeed(&mut build)?;
    let name = format!("meetjoin{}", std::env::consts::EXE_SUFFIX);
    let program = folder.join("build").join("release").join(name);
    let code = bytes(&program)?;
    for (path, _) in places {
        let path = path.as_os_str().as_encoded_bytes();
        if code.windows(path.len()).any(|part| part == path) {
            let path = String::from_utf8_lossy(path);
            return Err(format!("{path} is still in the program"));
        }
    }
    Ok(program)
}

/// Unpacks the archive as a user would, and asks the program for an answer.
fn tried(archive: &[u8], folder: &Path, name: &str) -> Result<(), String> {
    let _ = std::fs::remove_dir_all(folder);
    unpack(archive, folder)?;
    let program = format!("bin/meetjoin{}", std::env::consts::EXE_SUFFIX);
    let mut suit = Command::new(folder.join(name).join(program));
    let answer = output(suit.args(["suit", "AQT98", "5432"]))?;
    if answer.contains("82.7826%") {
        println!("dist: unpacked in {}, and it answers", folder.display());
        Ok(())
    } else {
        Err(format!("the program of the archive answers {answer:?}"))
    }
}

/// The platform of this compiler.
fn platform() -> Result<String, String> {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let version = output(rustc.arg("-vV").current_dir(root()))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| "rustc does not say its platform".to_owned())
}

fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(folder);
    git
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}
