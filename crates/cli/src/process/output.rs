//! Writing to standard output and to files: every failure is a sentence, and a closed pipe is no
//! failure.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use meetjoin_report::one_line;

use crate::process::colours::{self, Words};
use crate::process::failure::Failure;
use crate::process::line;

/// Prints text on standard output as it is, for programs.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    stream(|out| out.write_all(text.as_bytes()))
}

/// Prints lines for people.
pub(crate) fn tell(text: &str) -> Result<(), Failure> {
    stream_words(|out| out.write_all(text.as_bytes()))
}

/// Prints an answer, as JSON or in words.
pub(crate) fn print_answer(
    as_json: bool,
    json: impl FnOnce() -> String,
    words: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if as_json {
        print(&json())
    } else {
        tell(&words())
    }
}

/// Prints styled text; the styles are stripped unless a terminal shows it.
pub(crate) fn print_styled(text: &str) -> Result<(), Failure> {
    line::end();
    let written = anstream::stdout().write_all(text.as_bytes());
    written.map_err(|error| Failure::writing("standard output", &error))
}

/// Lets `write` write an answer to standard output, for programs or for people.
pub(crate) fn stream_answer(
    is_for_programs: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    if is_for_programs {
        stream(write)
    } else {
        stream_words(write)
    }
}

/// Lets `write` write lines for people to standard output: none is too wide, and values stand out
/// where colours are shown.
fn stream_words(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if colours::are_shown() {
        line::end();
        let mut out = Words::new(anstream::stdout().lock(), true);
        let written = write(&mut out).and_then(|()| out.flush());
        return written.map_err(|error| Failure::writing("standard output", &error));
    }
    stream(|out| {
        let mut words = Words::new(out, false);
        write(&mut words)?;
        words.flush()
    })
}

/// Lets `write` write to standard output.
pub(crate) fn stream(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    // Both may go to one terminal.
    line::end();
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = write(&mut out).and_then(|()| out.flush());
    // What is left in the buffer after an error must not be written when it is dropped.
    let _ = out.into_parts();
    written.map_err(|error| Failure::writing("standard output", &error))
}

/// Files that are not complete yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes incomplete files, and folders of the process's own, when it ends.
pub(crate) fn remove_unfinished() {
    for path in unfinished().drain(..) {
        // It may be gone already.
        let _ = match path.metadata() {
            Ok(metadata) if metadata.is_file() => fs::remove_file(path),
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
            _ => Ok(()),
        };
    }
}

/// Has a folder of the process's own removed at its end, wherever that is.
pub(crate) fn remove_at_the_end(folder: &Path) {
    unfinished().push(folder.to_owned());
}

fn unfinished() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that takes its place when it is complete: until then it lies beside, under a name of the
/// process's own, and it is removed again if it cannot be finished. Programs that have the old file
/// open, or mapped into memory, keep it. A path that is no ordinary file, such as a device, is
/// written directly, and when a pipe's reader has gone, the rest is dropped.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    /// Where it lies until it is complete.
    place: PathBuf,
    /// `None` once it is finished or given up.
    file: Option<BufWriter<File>>,
}

impl OutputFile {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        // A link stays one, and what it leads to is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let opened = match beside(&path) {
            Some(beside) => match File::create(&beside) {
                Err(error) if is_only_writable(&path, &error) => in_place(&path, true),
                file => file.map(|file| (file, beside)),
            },
            None => in_place(&path, true),
        };
        Self::opened(&path, opened)
    }

    /// A file that others read while it grows.
    pub(crate) fn growing(path: &Path) -> Result<Self, Failure> {
        Self::opened(path, File::create(path).map(|file| (file, path.to_owned())))
    }

    fn opened(path: &Path, opened: io::Result<(File, PathBuf)>) -> Result<Self, Failure> {
        let (file, place) = opened.map_err(|error| failed(path, &error))?;
        unfinished().push(place.clone());
        Ok(Self {
            path: path.to_owned(),
            place,
            file: Some(BufWriter::with_capacity(1 << 16, file)),
        })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match &mut self.file {
            Some(file) => {
                let written = file.write_all(bytes);
                written.or_else(|error| self.give_up(&error))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        if let Err(error) = file.flush() {
            self.file = Some(file);
            return self.give_up(&error);
        }
        drop(file);
        if self.place != self.path {
            fs::rename(&self.place, &self.path).map_err(|error| {
                self.remove();
                failed(&self.path, &error)
            })?;
        }
        unfinished().retain(|place| *place != self.place);
        Ok(())
    }

    /// Removes what was written. Devices stay.
    fn give_up(&mut self, error: &io::Error) -> Result<(), Failure> {
        if let Some(file) = self.file.take() {
            let (file, _) = file.into_parts();
            if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
                self.remove();
            }
        }
        match failed(&self.path, error) {
            Failure::ClosedPipe => Ok(()),
            failure => Err(failure),
        }
    }

    fn remove(&self) {
        // It may be gone already.
        let _ = fs::remove_file(&self.place);
        unfinished().retain(|place| *place != self.place);
    }
}

/// Refuses, before hours of work are done for them, paths that cannot be written, that would
/// overwrite what is read (`-` for standard input), two for one file, and `-`, which would be a
/// file of that name. What is there stays.
pub(crate) fn try_paths<'a>(
    read: impl IntoIterator<Item = &'a Path>,
    written: impl IntoIterator<Item = impl Into<Option<&'a PathBuf>>>,
) -> Result<(), Failure> {
    let of_input = |path: &Path| {
        let is_standard = path.as_os_str() == "-";
        identity(if is_standard {
            Path::new("/dev/stdin")
        } else {
            path
        })
    };
    let read: Vec<_> = read.into_iter().filter_map(of_input).collect();
    let mut known = Vec::new();
    for path in written.into_iter().filter_map(Into::into) {
        let shown = path.display();
        if path.as_os_str() == "-" {
            let why = "- is standard output, which has the answer; name a file \
                       (./- for a file of that name)";
            return Err(Failure::Input(why.to_owned()));
        }
        if let Some(identity) = identity(path) {
            if read.contains(&identity) {
                let why = format!("{shown} would overwrite an input");
                return Err(Failure::Input(why));
            }
            if known.contains(&identity) {
                let why = format!("{shown} is named for two outputs, and would hold only one");
                return Err(Failure::Input(why));
            }
            known.push(identity);
        }
        try_path(path)?;
    }
    Ok(())
}

/// The identity of a file under all its names: where it lies, or would lie. A path that is no
/// ordinary file may be written twice.
#[derive(PartialEq)]
enum Identity {
    #[cfg(unix)]
    Known(u64, u64),
    Named(PathBuf),
}

fn identity(path: &Path) -> Option<Identity> {
    let Ok(metadata) = path.metadata() else {
        let (folder, name) = (path.parent()?, path.file_name()?);
        let here = folder.as_os_str().is_empty();
        let folder = if here { Path::new(".") } else { folder };
        return Some(Identity::Named(folder.canonicalize().ok()?.join(name)));
    };
    if !metadata.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some(Identity::Known(metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    path.canonicalize().ok().map(Identity::Named)
}

/// Refuses a path that cannot be written.
fn try_path(path: &Path) -> Result<(), Failure> {
    let Some(beside) = beside(path) else {
        if path.is_dir() {
            let error = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(failed(path, &error));
        }
        // Opening a pipe or a device may have an effect of its own.
        return Ok(());
    };
    let tried = match File::create(&beside) {
        Ok(_) => fs::remove_file(&beside),
        Err(error) if is_only_writable(path, &error) => in_place(path, false).map(|_| ()),
        Err(error) => Err(error),
    };
    tried.map_err(|error| failed(path, &error))
}

/// Where a file lies until it is complete; none if the path exists and is no ordinary file.
fn beside(path: &Path) -> Option<PathBuf> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return None;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    Some(beside.into())
}

/// Whether nothing new may be made in the folder of a file that is there.
fn is_only_writable(path: &Path, error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && path.is_file()
}

/// Opens what is there, perhaps to be written from its beginning.
fn in_place(path: &Path, truncate: bool) -> io::Result<(File, PathBuf)> {
    let file = OpenOptions::new().write(true).truncate(truncate).open(path);
    file.map(|file| (file, path.to_owned()))
}

/// Lets `write` write a file, as [`OutputFile`] does.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut file = OutputFile::create(path)?;
    let written = match &mut file.file {
        Some(out) => write(out),
        None => Ok(()),
    };
    written.or_else(|error| file.give_up(&error))?;
    file.finish()
}

/// Writes texts to files. A failure is reported after the answer, so that the answer is not lost:
/// the caller keeps it until then.
pub(crate) fn replace_all<'a>(
    files: impl IntoIterator<Item = (&'a PathBuf, String)>,
) -> Result<(), Failure> {
    let mut all = Ok(());
    for (file, text) in files {
        all = all.and(replace(file, |out| out.write_all(text.as_bytes())));
    }
    all
}

/// Tells people, after an answer in words, which files were written; only ordinary files count.
pub(crate) fn tell_written<'a>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    let files = paths.into_iter().filter(|path| path.is_file());
    let lines = files.map(|path| format!("written  {}\n", one_line(&path.display().to_string())));
    tell(&lines.collect::<String>())
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::writing(&path.display().to_string(), error)
}
