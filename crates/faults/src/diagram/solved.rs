//! The modules that are solved so far, and what the next one needs of them.
//!
//! A module is a variable elsewhere: with a probability, with a most probable and with a smallest
//! set.

use meetjoin_lattice::diagram::{Function, Functions, Listing, SetFamilies};
use meetjoin_lattice::{Budget, Stop};

use crate::diagram::interval::{Chance, chance};
use crate::diagram::wanted::Sets;
use crate::rewrite::module::{Choice, Module, Variable, choice};

/// See the [module page](self).
pub(crate) struct Solved<'a> {
    /// The modules, each after those that it has as variables.
    pub(crate) modules: Vec<Module>,
    /// Whether no event is negated.
    coherent: bool,
    sets: Sets,
    /// The chances of events, or guesses.
    events: &'a [Chance],
    /// By module: the same.
    chances: Vec<Chance>,
    /// By module: the most probable set.
    best: Vec<f64>,
    /// By module: the order of the smallest set.
    least: Vec<u32>,
}

/// A diagram that is a constant.
pub(crate) fn constant(place: u32) -> Listing {
    Listing {
        nodes: Vec::new(),
        roots: vec![place],
    }
}

impl<'a> Solved<'a> {
    pub(crate) fn new(coherent: bool, sets: Sets, events: &'a [Chance]) -> Self {
        Self {
            modules: Vec::new(),
            coherent,
            sets,
            events,
            chances: Vec::new(),
            best: Vec::new(),
            least: Vec::new(),
        }
    }

    /// Adds the next module.
    pub(crate) fn push(&mut self, module: Module) {
        let free = Budget::unlimited();
        // These are small passes; stopping them would waste the result.
        let p = chance(&module.function, &self.by_level(&module.variables), &free);
        let best = |level: u32, high: &f64, low: &f64| {
            low.max(self.best_of(module.choices[level as usize]) * high)
        };
        let best = module.sets.upwards(0.0, 1.0, best, &free);
        let least = |level: u32, high: &u32, low: &u32| {
            (*low).min(
                self.least_of(module.choices[level as usize])
                    .saturating_add(*high),
            )
        };
        let least = module.sets.upwards(u32::MAX, 0, least, &free);
        let root = module.sets.roots[0] as usize;
        self.chances.push(p.unwrap_or(Chance::of(0.5)));
        self.best.push(best.map_or(1.0, |best| best[root]));
        self.least.push(least.map_or(0, |least| least[root]));
        self.modules.push(module);
    }

    /// Whether the sets have negated events.
    pub(crate) fn has_prime_implicants(&self) -> bool {
        self.sets == Sets::PrimeImplicants && !self.coherent
    }

    /// The minimal sets of a function, but for those that lie in another.
    pub(crate) fn minimal_sets(
        &self,
        mut functions: Functions,
        mut function: Function,
        variables: &[Variable],
        outside: Function,
        budget: &Budget,
    ) -> Result<Listing, Stop> {
        // With negated events, an unknown module may have the empty set; then even sets without a
        // choice from it may not be minimal.
        let unknown = |variable: &Variable| match *variable {
            Variable::Module(module) => {
                let module = &self.modules[module as usize];
                module.sets.roots == [0] && (module.upper.is_some() || module.function.roots != [0])
            }
            Variable::Event(_) => false,
        };
        if !self.coherent && variables.iter().any(unknown) {
            return Ok(constant(0));
        }
        let mut families = SetFamilies::default();
        let family = if self.has_prime_implicants() {
            families.prime_implicants(&mut functions, function, budget)?
        } else if self.coherent {
            families.minimal_outside(&functions, function, outside, budget)?
        } else {
            // A module that may always be true has the empty set: there is nothing to choose.
            let certain = self.certain(variables, |module| &module.sets);
            function = where_true(&mut functions, function, &certain, budget)?;
            families.minimal_points(&functions, function, outside, budget)?
        };
        families.listing(&[family], budget)
    }

    /// By level: whether a variable is a module that is always true.
    pub(crate) fn certain(&self, variables: &[Variable], of: fn(&Module) -> &Listing) -> Vec<bool> {
        let is_true = |variable: &Variable| match *variable {
            Variable::Module(module) => of(&self.modules[module as usize]).roots == [1],
            Variable::Event(_) => false,
        };
        variables.iter().map(is_true).collect()
    }

    pub(crate) fn choices(&self, variables: &[Variable]) -> Vec<Choice> {
        let signs: &[bool] = if self.has_prime_implicants() {
            &[true, false]
        } else {
            &[true]
        };
        let choices = variables
            .iter()
            .flat_map(|&variable| signs.iter().map(move |&sign| (variable, sign)));
        choices
            .map(|(variable, sign)| choice(variable, sign))
            .collect()
    }

    /// How probable a choice is at best.
    pub(crate) fn best_of(&self, choice: Choice) -> f64 {
        match choice {
            Choice::Literal(literal) if literal.positive => self.events[literal.event as usize].yes,
            Choice::Literal(literal) => self.events[literal.event as usize].no,
            Choice::Module(module) => self.best[module as usize],
        }
    }

    /// How many members a choice has at least.
    pub(crate) fn least_of(&self, choice: Choice) -> u32 {
        match choice {
            Choice::Literal(_) => 1,
            Choice::Module(module) => self.least[module as usize],
        }
    }

    pub(crate) fn by_level(&self, variables: &[Variable]) -> Vec<Chance> {
        let of = |variable: &Variable| match *variable {
            Variable::Event(event) => self.events[event as usize],
            Variable::Module(module) => self.chances[module as usize],
        };
        variables.iter().map(of).collect()
    }
}

/// A function where some variables are true; mostly none is.
pub(crate) fn where_true(
    functions: &mut Functions,
    f: Function,
    are_true: &[bool],
    budget: &Budget,
) -> Result<Function, Stop> {
    if !are_true.contains(&true) {
        return Ok(f);
    }
    functions.where_true(f, |level| are_true[level as usize], budget)
}
