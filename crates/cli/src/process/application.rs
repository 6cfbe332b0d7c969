//! What the commands of all applications do alike: a request is answered, the answer is printed,
//! and its page and its picture are written.

use std::path::PathBuf;

use meetjoin_lattice::{Budget, Limits};
use meetjoin_report::{Answer, Application, Refusal, Run};

use crate::process::failure::Failure;
use crate::process::{limits, output};

/// Where the forms of an answer go. Without `json` it is printed as text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forms<'a> {
    pub(crate) json: bool,
    pub(crate) html: &'a Option<PathBuf>,
    pub(crate) picture: &'a Option<PathBuf>,
}

/// Answers a request and prints the answer.
pub(crate) fn run<A: Application>(
    request: &A::Request,
    limits: Limits,
    forms: Forms<'_>,
) -> Result<(), Failure> {
    output::try_paths([], [forms.html, forms.picture])?;
    let budget = Budget::new(limits);
    let run = Run {
        budget: &budget,
        page: forms.html.is_some(),
        picture: forms.picture.is_some(),
    };
    let answer = limits::searching(|| A::answer(request, &run)).map_err(refused)?;
    give(&*answer, forms)
}

/// Prints an answer, and writes its page and its picture.
fn give(answer: &dyn Answer, forms: Forms<'_>) -> Result<(), Failure> {
    let page = forms.html.iter().zip(answer.page());
    let picture = forms.picture.iter().zip(answer.picture());
    let files = page.chain(picture);
    let written = output::replace_all(files);
    output::print_answer(forms.json, || answer.json(), || answer.text())?;
    written?;
    if !forms.json {
        output::tell_written(forms.html.iter().chain(forms.picture))?;
    }
    Failure::unless_complete(answer.is_complete())
}

/// A refusal as a failure of the command line, where options have hyphens.
pub(crate) fn refused(refusal: Refusal) -> Failure {
    Failure::Input(match refusal.option {
        Some(option) => format!("--{}: {}", option.replace('_', "-"), refusal.why),
        None => refusal.why,
    })
}
