//! `--levels`: an upper bound of a value in families of sets by a search to a limited depth.

use std::time::Instant;

use meetjoin::dag::Problem;
use meetjoin::lattice::{Antichain, AnyElem, AnyLattice, Budget, Interval, WorldSet};
use meetjoin::search::alpha_mu::families_to_depth;
use meetjoin::search::engine::Tables;
use meetjoin::search::{Counts, Estimate};

use crate::ALLOCATOR;
use crate::answer::{Answer, Facts, Found, Stats};
use crate::failure::Failure;
use crate::heaviest::{Names, Worlds};
use crate::output;
use crate::solve::Request;

/// Why there is no such bound.
pub(crate) const NO_FAMILIES: &str =
    "--levels bounds a value in families of sets, which the values of this problem are not";

/// A problem with all its nodes.
pub(crate) fn explicit(
    problem: Problem<AnyLattice>,
    levels: u32,
    request: &Request<'_>,
) -> Result<(), Failure> {
    macro_rules! families {
        ($families:expr, $variant:ident) => {{
            let names = Worlds::new(&problem, $families.worlds());
            let convert = |value| match value {
                AnyElem::$variant(value) => Ok(value),
                other => Err(Failure::Input(format!("{other:?} is outside the lattice"))),
            };
            let problem = problem.try_map($families, convert)?;
            solve(levels, &names, request, |budget, counts| {
                families_to_depth(&problem, &problem, levels, &Tables, budget, counts)
            })
        }};
    }
    match problem.lattice().clone() {
        AnyLattice::SmallFamilies(families) => families!(families, SmallFamily),
        AnyLattice::Families(families) => families!(families, Family),
        _ => Err(request.refused(NO_FAMILIES)),
    }
}

/// Searches for so many levels and prints what is known then: the value, or bounds of it.
pub(crate) fn solve<B: WorldSet>(
    levels: u32,
    names: &impl Names,
    request: &Request<'_>,
    search: impl FnOnce(&Budget, &mut Counts) -> Estimate<Antichain<B>>,
) -> Result<(), Failure> {
    let budget = Budget::new(request.limits()?);
    let (started, memory) = (Instant::now(), ALLOCATOR.allocated());
    let mut counts = Counts::default();
    let estimate = search(&budget, &mut counts);
    let outcome = &estimate.outcome;
    let show = |family: &Antichain<B>| {
        let sets = family.maximal().iter();
        let mut sets: Vec<Vec<usize>> = sets.map(|set| set.ones().collect()).collect();
        // As everywhere in answers, and not as the antichain has them.
        sets.sort_unstable();
        if request.json() {
            let sets: Vec<String> = sets.iter().map(|set| names.json(set)).collect();
            format!("[{}]", sets.join(","))
        } else {
            names.readable_family(&sets)
        }
    };
    let answer = Answer {
        algorithm: "alpha-mu",
        root: Found {
            value: match &outcome.value {
                Interval::Exact(value) => Interval::Exact(show(value)),
                Interval::Between { lower, upper } => Interval::Between {
                    lower: show(lower),
                    upper: show(upper),
                },
            },
            stop: outcome.stop,
            contradiction: false,
        },
        moves: None,
        facts: Facts(vec![("levels", usize::try_from(levels).ok())]),
        stats: Stats {
            nodes: None,
            counts,
            cache_entries: None,
            search_bytes: ALLOCATOR.allocated().saturating_sub(memory),
            peak_memory_bytes: ALLOCATOR.max_allocated(),
            seconds: started.elapsed().as_secs_f64(),
        },
    };
    output::print(&if request.json() {
        answer.json()
    } else {
        answer.text()
    })?;
    outcome.stop.map_or(Ok(()), |_| Err(Failure::Stopped))
}
