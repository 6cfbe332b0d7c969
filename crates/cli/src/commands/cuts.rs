//! `meetjoin cuts`: the minimal cut sets of a fault tree.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use meetjoin_faults::answer::curve;
use meetjoin_faults::model;
use meetjoin_faults::{
    Asked, Cuts, CutsError, CutsRequest, FaultTree, FaultTreeFileError, List, Model, ModelReader,
    Sets, State, find, find_in_model, tree_of,
};
use meetjoin_file::MAGIC;
use meetjoin_lattice::Budget;
use meetjoin_problems::Source;

use crate::arguments::fault_tree_args::{CutsArgs, ModelArgs};
use crate::process::failure::Failure;
use crate::process::input::{self, Input, unreadable};
use crate::process::limits;
use crate::process::line;
use crate::process::memory::METER;
use crate::process::output;

/// The content of the files.
pub(crate) enum Said {
    Model(Box<Model>),
    /// A problem file: a tree only.
    Tree(Box<FaultTree>),
}

pub(crate) fn run(args: &CutsArgs) -> Result<(), Failure> {
    output::try_paths(
        args.files.iter().map(PathBuf::as_path),
        [&args.picture, &args.html],
    )?;
    let budget = Budget::new(limits::of_clock(&args.limits)?);
    let state = State::at(mission_time(&args.model)?);
    let read = read_files(&args.files, args.top.as_deref())?;
    let request = CutsRequest {
        sets: match (args.paths, args.prime_implicants) {
            (true, _) => Sets::Paths,
            (false, true) => Sets::PrimeImplicants,
            (false, false) => Sets::Cuts,
        },
        limit_order: args.limit_order,
        cut_off: args.cut_off,
        list: List::asked(args.list, args.most_probable),
        importance: args.importance,
        budget: &budget,
        meter: METER,
        listener: line::listener(),
    };
    let refused = |error: CutsError| refused(args, error);
    match read {
        Said::Tree(tree) => {
            if args.time_step.is_some() || args.uncertainty.is_some() || args.model.ccf {
                let why = "a problem file has neither times nor rates, nor common causes";
                return Err(Failure::in_file(&args.files[0], why));
            }
            let found = limits::searching(|| find(&tree, request)).map_err(refused)?;
            write(&found, args)
        }
        Said::Model(model) => {
            let model = with_common_causes(*model, &args.model, &args.files)?;
            let top = args.top.as_deref();
            let asked = Asked {
                time_step: args.time_step,
                sil: args.sil,
                uncertainty: args.uncertainty.map(|trials| (trials, args.seed)),
            };
            let place = "while the tree was built from the model";
            let tree = limits::searching_in(place, || {
                tree_of(&model, top, &state, request.sets, &budget)
            });
            let tree = tree.map_err(refused)?;
            let found =
                limits::searching(|| find_in_model((&model, top, &state), &tree, request, asked));
            write(&found.map_err(refused)?, args)
        }
    }
}

/// The failure for sets that cannot be found, in terms of the command line.
fn refused(args: &CutsArgs, error: CutsError) -> Failure {
    match error {
        CutsError::NoCutOff(_) => Failure::Input(format!("--cut-off {error}")),
        CutsError::NoOrder => Failure::Input(format!("--limit-order: {error}")),
        CutsError::NoStep => Failure::Input(format!("--time-step: {error}")),
        CutsError::NoTrials => Failure::Input(format!("--uncertainty: {error}")),
        CutsError::NotSolved => Failure::StoppedBefore(error.to_string()),
        CutsError::Model(error) => in_files(&args.files, &error),
        error => Failure::in_file(&args.files[0], error),
    }
}

fn write(found: &Cuts<'_>, args: &CutsArgs) -> Result<(), Failure> {
    let points = found.besides().curve.as_deref();
    // With a time step but no points, a limit has fired before the curve.
    let is_drawn = points.is_some() || args.time_step.is_none();
    let picture = args.picture.as_ref().filter(|_| is_drawn);
    let drawn = picture.map(|file| {
        let drawn = points.map_or_else(|| found.picture(), curve::picture);
        (file, drawn)
    });
    let mut of_page = None;
    let page = args.html.as_ref().map(|file| {
        let lists = found.page_lists();
        of_page = lists.stop;
        (file, found.html(&lists))
    });
    let written = output::replace_all(drawn.into_iter().chain(page));
    let mut stop = None;
    let is_for_programs = args.json || args.csv || args.open_psa;
    output::stream_answer(is_for_programs, |out| {
        stop = if args.json {
            found.write_json(out)?
        } else if let (true, Some(points)) = (args.csv, points) {
            out.write_all(curve::csv(points).as_bytes())?;
            None
        } else if args.csv {
            found.write_csv(out)?
        } else if args.open_psa {
            found.write_open_psa(out)?
        } else {
            let shown = args.picture.as_ref().or(args.html.as_ref());
            let shown = shown.map(|file| file.display().to_string());
            found.write_text(out, shown.as_deref(), args.verbose)?
        };
        Ok(())
    })?;
    written?;
    if !is_for_programs {
        output::tell_written(picture.into_iter().chain(&args.html))?;
    }
    match stop.or(of_page) {
        // A bare list of sets does not show that it is incomplete.
        Some(stop) if args.csv || args.open_psa => Err(Failure::StoppedBefore(format!(
            "{stop}; the sets that are printed are minimal, but there may be more"
        ))),
        Some(_) => Err(Failure::Stopped),
        // No limit fired, but importance that was asked for is missing.
        None if found.lacks_importance() => {
            Err(Failure::StoppedBefore(CutsError::NotSolved.to_string()))
        }
        None => Ok(()),
    }
}

/// The mission time that is asked for.
pub(crate) fn mission_time(args: &ModelArgs) -> Result<f64, Failure> {
    let time = model::mission_time(args.mission_time);
    time.map_err(|error| Failure::Input(format!("--mission-time {error}")))
}

/// A model with its common causes, if they are asked for.
pub(crate) fn with_common_causes(
    model: Model,
    args: &ModelArgs,
    files: &[PathBuf],
) -> Result<Model, Failure> {
    if !args.ccf {
        return Ok(model);
    }
    model.with_common_causes().map_err(|error| {
        // An error without a place is about the whole model, not one of its files.
        match error.file() {
            Some(_) => in_files(files, &error),
            None => Failure::Input(format!("--ccf: {error}")),
        }
    })
}

/// What is wrong with a model, with the file that says it.
pub(crate) fn in_files(files: &[PathBuf], error: &FaultTreeFileError) -> Failure {
    let file = error.file().unwrap_or_default();
    Failure::in_file(&files[file.min(files.len() - 1)], error)
}

/// Reads a model, or the tree of a problem file.
pub(crate) fn read_files(files: &[PathBuf], top: Option<&str>) -> Result<Said, Failure> {
    if files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return Err(input::standard_input_twice());
    }
    let mut reader = ModelReader::new();
    for file in files {
        let mut input = BufReader::with_capacity(1 << 16, Input::open(file)?);
        let unreadable = |error| unreadable(file, &error);
        let start = input.fill_buf().map_err(unreadable)?;
        let is_text = start
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(start)
            .trim_ascii_start();
        if start.starts_with(&MAGIC) || is_text.starts_with(b"{") {
            if files.len() > 1 {
                let why =
                    "a problem file is a whole model, and cannot be combined with other files";
                return Err(Failure::in_file(file, why));
            }
            let mut bytes = Vec::new();
            input.read_to_end(&mut bytes).map_err(unreadable)?;
            limits::working("while the problem was prepared");
            return tree_of_problem(file, bytes, top).map(|tree| Said::Tree(Box::new(tree)));
        }
        reader.read(input).map_err(|error| match error.place() {
            Some(_) => in_files(files, &error),
            None => Failure::in_file(file, error),
        })?;
    }
    limits::working("while the model was prepared");
    let model = reader
        .finish(top)
        .map_err(|error| in_files(files, &error))?;
    Ok(Said::Model(Box::new(model)))
}

/// The tree of a problem file.
pub(crate) fn tree_of_problem(
    file: &Path,
    bytes: Vec<u8>,
    top: Option<&str>,
) -> Result<FaultTree, Failure> {
    if bytes.starts_with(&MAGIC) {
        if top.is_some() {
            let why = "--top names a gate of a fault tree; a problem file has a root";
            return Err(Failure::Input(why.to_owned()));
        }
        let source = Source::read(&*bytes).map_err(|error| Failure::in_file(file, error))?;
        return source
            .fault_tree()
            .map_err(|error| Failure::refused(Some(file), error));
    }
    let text = text(file, bytes)?;
    Source::read_fault_tree(&text, top).map_err(|error| Failure::refused(Some(file), error))
}

/// Reads a fault tree for the usual mission time.
pub(crate) fn read(file: &Path, top: Option<&str>) -> Result<FaultTree, Failure> {
    let files = [file.to_owned()];
    match read_files(&files, top)? {
        Said::Tree(tree) => Ok(*tree),
        Said::Model(model) => {
            let tree = model.tree(top, &State::default());
            tree.map_err(|error| in_files(&files, &error))
        }
    }
}

/// The bytes of a file as text.
pub(crate) fn text(file: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::in_file(file, format!("invalid UTF-8 from byte {at} on"))
    })
}
