//! Certificates that no set of a value exceeds a weight.
//!
//! Idea: a search over families without their light sets finds no set at the root, and the bounds
//! in its cache prove it.

use std::io::Write;

use meetjoin_check::{Certificate, NoHeavier};
use meetjoin_dag::{Heuristic, Valuation};
use meetjoin_lattice::{
    AnyElem, AnyLattice, Budget, Families, FixedBitSet, HeavyFamilies, Interval, Lattice, Stop,
    WorldSet,
};
use meetjoin_search::certify::by_bounds;

use crate::certificate::{Unwritten, write};
use crate::unfolded::Unfolded;
use crate::unfolded::with;
use meetjoin_solve::Instance;
use meetjoin_solve::request::Refused;
use meetjoin_solve::{Key, Side};

/// Writes a certificate that no set of the root's value is heavier than claimed, as a file for
/// `meetjoin verify`; returns the number of steps. `digest` is that of the problem, and `stated`
/// allows the use of bounds that the problem states.
///
/// # Errors
/// If the claim is false, or about another problem, a limit fires, or `out` fails.
pub fn write_no_heavier(
    instance: &dyn Instance,
    digest: String,
    claim: NoHeavier,
    stated: bool,
    budget: &Budget,
    out: &mut dyn Write,
) -> Result<usize, Unwritten> {
    with(instance, |problem| {
        let lattice = problem.lattice();
        let weights = claim.weights(lattice).ok_or_else(Refused::no_heaviest)?;
        let families: Families<FixedBitSet> =
            Families::of_worlds(weights.worlds()).map_err(Refused::problem)?;
        let (all, least) = (families.base().top(), claim.than.saturating_add(1));
        let values = Heavy {
            unfolded: &Unfolded::new(problem, Side::Max, stated),
            lattice: HeavyFamilies::new(&families, all, &weights, least),
        };
        let found = by_bounds(values.unfolded, &values, &mut &values, budget)?;
        if let Some(stop) = found.stop {
            return Err(Unwritten::Stopped(stop));
        }
        let nothing = found.steps.first().and_then(|root| root.upper);
        if nothing.is_none_or(|upper| found.values[upper as usize] != values.lattice.bottom()) {
            let why = format!(
                "no certificate can be written: some set weighs more than {}",
                claim.than
            );
            return Err(Refused::Problem(why).into());
        }
        let shown = found
            .values
            .iter()
            .map(|value| shown(lattice, value, budget));
        let shown = shown.collect::<Result<_, Stop>>();
        let shown = shown.map_err(Unwritten::Stopped)?;
        let mut certificate = Certificate::new(digest, None, shown);
        certificate.no_heavier = Some(claim);
        for step in found.steps {
            certificate.push(None, step.upper, step.bound, step.children);
        }
        Ok(write(problem, &certificate.sorted(), out)?)
    })?
}

/// The values of a problem without their light sets.
struct Heavy<'a> {
    unfolded: &'a Unfolded<'a>,
    lattice: HeavyFamilies<'a, FixedBitSet>,
}

impl<'a> Heavy<'a> {
    fn part(&self, value: &AnyElem, budget: &Budget) -> Result<Elem<'a>, Stop> {
        let mut part = self.lattice.bottom();
        for set in sets(value) {
            let set = self.lattice.principal(set);
            self.lattice.join_assign(&mut part, &set, budget)?;
        }
        Ok(part)
    }
}

type Elem<'a> = <HeavyFamilies<'a, FixedBitSet> as Lattice>::Elem;

impl<'a> Valuation<Key> for Heavy<'a> {
    type Lattice = HeavyFamilies<'a, FixedBitSet>;

    fn lattice(&self) -> &Self::Lattice {
        &self.lattice
    }

    fn leaf(&self, node: &Key) -> Elem<'a> {
        let value = self.unfolded.leaf(node);
        // Without limits nothing stops it.
        let part = self.part(&value, &Budget::unlimited());
        part.unwrap_or_else(|_| self.lattice.top())
    }
}

impl<'a> Heuristic<Key, HeavyFamilies<'a, FixedBitSet>> for &Heavy<'a> {
    fn bounds(
        &mut self,
        _: &HeavyFamilies<'a, FixedBitSet>,
        node: &Key,
        budget: &Budget,
    ) -> Result<Option<Interval<Elem<'a>>>, Stop> {
        let mut unfolded = self.unfolded;
        let stated = unfolded.bounds(unfolded.lattice(), node, budget)?;
        let Some(stated) = stated else {
            return Ok(None);
        };
        let lower = self.part(stated.lower(), budget)?;
        let upper = self.part(stated.upper(), budget)?;
        Ok(Some(Interval::new(lower, upper)))
    }
}

/// The maximal sets of a family.
fn sets(value: &AnyElem) -> Vec<FixedBitSet> {
    match value {
        AnyElem::SmallFamily(family) => {
            let sets = family.maximal().iter();
            sets.map(|set| set.ones().collect()).collect()
        }
        AnyElem::Family(family) => family.maximal().to_vec(),
        _ => Vec::new(),
    }
}

/// Converts a family to the lattice of the problem.
fn shown(lattice: &AnyLattice, family: &Elem<'_>, budget: &Budget) -> Result<AnyElem, Stop> {
    let sets = family.maximal().iter();
    let mut sets = sets.filter_map(|set| lattice.set(WorldSet::ones(set)));
    sets.try_fold(lattice.bottom(), |mut all, set| {
        lattice.join_assign(&mut all, &set, budget)?;
        Ok(all)
    })
}
