//! From a request to an answer: which pass answers which question.

use std::cmp::Ordering;

use meetjoin_lattice::{Budget, Stop};
use meetjoin_report::progress::Moment;
use meetjoin_report::{Measuring, meant};

use super::known::known;
use super::{Answer, AskError, BestOf, Defended, List, Request, Valued};
use crate::algebra::criteria::Criteria;
use crate::algebra::left::{Left, Point};
use crate::algebra::witness::{Witness, Witnesses};
use crate::algebra::{Best, Count, Duel, Fronts, Probability, damage_front, evaluate};
use crate::plan::{Defences, Plan};
use crate::times::{Values, adds_in_sequence, front_with_time};
use crate::tree::{AttackTree, Rule, Scale};

/// Answers a request.
///
/// # Errors
/// If it makes no sense for this tree.
pub fn ask<'a>(tree: &'a AttackTree, request: Request<'a>) -> Result<Answer<'a>, AskError> {
    let place = |name: &String| {
        tree.attribute(name).ok_or_else(|| {
            let names = tree
                .attributes()
                .iter()
                .map(|attribute| attribute.name.as_str());
            let names: Vec<&str> = names.collect();
            let names = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            let known = tree.attributes().iter();
            let meant = meant(name, known.map(|attribute| attribute.name.as_str()));
            AskError::NoAttribute(name.clone(), format!("{names}{meant}"))
        })
    };
    for asked in [&request.pareto, &request.best] {
        for (number, name) in asked.iter().enumerate() {
            if asked[..number].contains(name) {
                return Err(AskError::Twice(name.clone()));
            }
        }
    }
    let pareto: Vec<usize> = request.pareto.iter().map(place).collect::<Result<_, _>>()?;
    let best: Vec<usize> = match &request.best[..] {
        [] => (0..tree.attributes().len()).collect(),
        best => best.iter().map(place).collect::<Result<_, _>>()?,
    };
    let first = request.best.first().map(place).transpose()?;
    let by = first
        .or_else(|| tree.price())
        .or((!tree.attributes().is_empty()).then_some(0));
    let is_time = |place: Option<usize>| place.is_some_and(|place| adds_in_sequence(tree, place));
    let wants_defences = request.defences || request.spend.is_some() || request.stopping.is_some();
    if wants_defences {
        if tree.price().is_none() {
            return Err(AskError::NoPrice);
        }
        if is_time(by) || (request.defences && pareto.iter().any(|&place| is_time(Some(place)))) {
            return Err(AskError::Time("in which defences can be compared"));
        }
    }
    if let List::Cheapest(_) = request.list {
        match by {
            None => return Err(AskError::NoOrder),
            Some(by) if is_time(Some(by)) => {
                return Err(AskError::Time("by which minimal attacks can be ordered"));
            }
            _ => {}
        }
    }
    let is_wrong = |amount: &f64| amount.is_nan() || *amount < 0.0;
    // JSON has no infinity.
    let no_amount = |amount: &f64| is_wrong(amount) || amount.is_infinite();
    if let Some(price) = request.spend.filter(no_amount) {
        return Err(AskError::Budget(price));
    }
    if let Some(value) = request.stopping.filter(is_wrong) {
        return Err(AskError::Stopping(value));
    }
    let measuring = Measuring::begin(request.meter);
    let mut answer = Answer {
        tree,
        plan: None,
        count: None,
        best: Vec::new(),
        front: None,
        front_is_exact: true,
        probability: None,
        by,
        defence_front: None,
        defence_fronts: None,
        within_budget: None,
        damage: None,
        stop: None,
        measuring,
        request,
    };
    let found = answer.find(&best, &pareto);
    answer.stop = found.err();
    if answer.stop.is_some() {
        answer.bound(&best, &pareto);
    }
    Ok(answer)
}

impl Answer<'_> {
    fn find(&mut self, best: &[usize], pareto: &[usize]) -> Result<(), Stop> {
        let (tree, budget) = (self.tree, self.request.budget);
        budget.check()?;
        let plan = Plan::of(tree, Defences::Absent, false, budget)?;
        for &attribute in best {
            self.tell(&format!("the best {}", tree.attributes()[attribute].name));
            let found = self.best_of(&plan, attribute)?;
            self.best.push(found);
        }
        self.tell("the probability");
        self.probability = probability(tree, &plan, budget)?;
        if !pareto.is_empty() {
            self.tell("the front");
            self.front = Some(front(tree, &plan, pareto, budget)?);
        }
        self.tell("damage and defences");
        let damaged = tree.upwards().iter();
        let mut damaged = damaged.map(|&node| tree.nodes()[node as usize].damage);
        if let (Some(price), true) = (tree.price(), damaged.any(|damage| damage > 0.0)) {
            self.damage = Some(damage_front(tree, price, budget)?);
        }
        self.defend(pareto)?;
        // Minimal sets may be many more than functions, so they come last.
        self.tell("minimal attacks");
        let plan = Plan::of(tree, Defences::Absent, true, budget)?;
        self.count = Some(evaluate(&plan, &Count, budget)?);
        self.plan = Some(plan);
        Ok(())
    }

    /// Tells what is being done, and the best values that are found.
    fn tell(&self, doing: &str) {
        self.request.listener.tell(|| {
            let found = self.best.iter().filter_map(|best| {
                let (value, _) = best.best.as_ref()?;
                let name = &self.tree.attributes()[best.attribute].name;
                Some(format!("{name} {value}"))
            });
            Moment {
                doing: doing.to_owned(),
                known: found.collect::<Vec<_>>().join(", "),
                ..Moment::default()
            }
        });
    }

    fn best_of(&self, plan: &Plan, attribute: usize) -> Result<BestOf, Stop> {
        let (tree, budget) = (self.tree, self.request.budget);
        let best = if adds_in_sequence(tree, attribute) {
            let none = Criteria::of(tree, &[]);
            front_with_time(tree, &none, budget)?.into_iter().next()
        } else {
            let criteria = Criteria::of(tree, &[attribute]);
            let witnesses = Witnesses::default();
            let found = evaluate(plan, &Best::of(&criteria, &witnesses), budget)?;
            found.map(|(_, witness)| {
                let attack = witnesses.leaves(witness);
                (criteria.values(tree, &attack)[0], attack)
            })
        };
        Ok(BestOf {
            attribute,
            best,
            bound: None,
        })
    }

    /// Answers the questions about defences.
    fn defend(&mut self, pareto: &[usize]) -> Result<(), Stop> {
        let (tree, budget) = (self.tree, self.request.budget);
        let Request {
            defences,
            spend,
            stopping,
            ..
        } = self.request;
        let (Some(price), Some(by)) = (tree.price(), self.by) else {
            return Ok(());
        };
        if !defences && spend.is_none() && stopping.is_none() {
            return Ok(());
        }
        let plan = Plan::of(tree, Defences::Open, false, budget)?;
        let witnesses = Witnesses::default();
        let within = |fronts: &[Defended], most: f64| {
            let affordable: Vec<&Defended> =
                fronts.iter().filter(|point| point.price <= most).collect();
            affordable.last().map(|point| (*point).clone())
        };
        let criteria = Criteria::of(tree, &[by]);
        let attacker = Best::of(&criteria, &witnesses);
        // If only a budget is asked for, dearer defences do not matter.
        let most = spend.filter(|_| !defences && stopping.is_none());
        let duel = Duel::of(tree, &attacker, &witnesses, price, most);
        let points = evaluate(&plan, &duel, budget)?;
        let attack = |left: &Option<(f64, Witness)>| {
            left.iter()
                .map(|&(_, witness)| witnesses.leaves(witness))
                .collect()
        };
        let found = defended(tree, price, &criteria, &witnesses, points, attack);
        self.within_budget = spend
            .and_then(|most| within(&found, most))
            .map(|point| vec![point]);
        if most.is_none() {
            self.defence_front = Some(found);
        }
        if defences && pareto.len() > 1 {
            // Fronts cannot all be compared, so they need defences first.
            let plan = Plan::of(tree, Defences::First, false, budget)?;
            let criteria = Criteria::of(tree, pareto);
            let attacker = Fronts::of(&criteria, &witnesses);
            let duel = Duel::of(tree, &attacker, &witnesses, price, spend);
            let points = evaluate(&plan, &duel, budget)?;
            let attacks = |left: &crate::algebra::front::Front| {
                let all = left.witnesses().iter();
                all.map(|&witness| witnesses.leaves(witness)).collect()
            };
            let found = defended(tree, price, &criteria, &witnesses, points, attacks);
            self.defence_fronts = Some(found);
        }
        Ok(())
    }

    /// Fills in bounds where a limit stopped the search.
    fn bound(&mut self, best: &[usize], pareto: &[usize]) {
        let tree = self.tree;
        let mut attacks = Vec::new();
        for &attribute in best.iter().chain(pareto) {
            let found = known(tree, attribute);
            let is_missing = self.best.iter().all(|best| best.attribute != attribute);
            if is_missing && best.contains(&attribute) {
                let best = found.as_ref();
                self.best.push(BestOf {
                    attribute,
                    best: best.map(|known| (known.value, known.attack.clone())),
                    bound: best.map(|known| known.bound),
                });
            }
            attacks.extend(found.map(|known| known.attack));
        }
        attacks.extend(
            self.best
                .iter()
                .filter_map(|best| Some(best.best.as_ref()?.1.clone())),
        );
        if self.front.is_none() && !pareto.is_empty() {
            let values = Values::of(tree, pareto);
            let valued = attacks.into_iter().map(|attack| Valued {
                values: values.of_attack(tree, &attack),
                attack,
            });
            self.front = Some(unbettered(tree, pareto, valued.collect()));
            self.front_is_exact = false;
        }
    }
}

/// The probability that trying everything succeeds: by the attribute `p`, or else the first
/// product.
fn probability(tree: &AttackTree, plan: &Plan, budget: &Budget) -> Result<Option<f64>, Stop> {
    let multiplies = |place: &usize| tree.attributes()[*place].rule == Rule::Product;
    let p = tree.attribute("p").filter(multiplies);
    let Some(p) = p.or_else(|| (0..tree.attributes().len()).find(multiplies)) else {
        return Ok(None);
    };
    let nodes = tree.nodes().iter();
    let leaves: Vec<f64> = nodes
        .map(|node| node.values.get(p).copied().flatten().unwrap_or(0.0))
        .collect();
    let probability = Probability { leaves: &leaves };
    evaluate(plan, &probability, budget).map(Some)
}

/// The front over some attributes where no defence is bought, in lexicographic order.
fn front(
    tree: &AttackTree,
    plan: &Plan,
    pareto: &[usize],
    budget: &Budget,
) -> Result<Vec<Valued>, Stop> {
    let is_time = |&place: &usize| adds_in_sequence(tree, place);
    let mut found: Vec<Valued> = if let Some(at) = pareto.iter().position(is_time) {
        let mut others = pareto.to_vec();
        others.remove(at);
        let criteria = Criteria::of(tree, &others);
        let with_time = front_with_time(tree, &criteria, budget)?.into_iter();
        with_time
            .map(|(time, attack)| {
                let mut values = criteria.values(tree, &attack);
                values.insert(at, time);
                Valued { values, attack }
            })
            .collect()
    } else {
        let criteria = Criteria::of(tree, pareto);
        let witnesses = Witnesses::default();
        let front = evaluate(plan, &Fronts::of(&criteria, &witnesses), budget)?;
        let attacks = front
            .witnesses()
            .iter()
            .map(|&witness| witnesses.leaves(witness));
        attacks
            .map(|attack| Valued {
                values: criteria.values(tree, &attack),
                attack,
            })
            .collect()
    };
    sort(tree, pareto, &mut found);
    Ok(found)
}

/// The better first.
fn order(tree: &AttackTree, attributes: &[usize], a: &Valued, b: &Valued) -> Ordering {
    let values = attributes.iter().zip(a.values.iter().zip(&b.values));
    values.fold(Ordering::Equal, |order, (&place, (a, b))| {
        order.then(match tree.attributes()[place].rule {
            Rule::Product => b.total_cmp(a),
            Rule::Sum | Rule::Max => a.total_cmp(b),
        })
    })
}

fn sort(tree: &AttackTree, attributes: &[usize], valued: &mut [Valued]) {
    valued.sort_by(|a, b| order(tree, attributes, a, b));
}

/// The non-dominated ones of a few vectors.
fn unbettered(tree: &AttackTree, attributes: &[usize], mut all: Vec<Valued>) -> Vec<Valued> {
    sort(tree, attributes, &mut all);
    let mut kept: Vec<Valued> = Vec::new();
    for new in all {
        let no_worse = |old: &Valued| {
            let mut values = attributes.iter().zip(old.values.iter().zip(&new.values));
            values.all(|(&place, (old, new))| match tree.attributes()[place].rule {
                Rule::Product => old >= new,
                Rule::Sum | Rule::Max => old <= new,
            })
        };
        if !kept.iter().any(no_worse) {
            kept.push(new);
        }
    }
    kept
}

/// Points of a duel with names and values.
fn defended<V>(
    tree: &AttackTree,
    price: usize,
    criteria: &Criteria,
    witnesses: &Witnesses,
    points: Vec<Point<V>>,
    attacks: impl Fn(&V) -> Vec<Vec<u32>>,
) -> Vec<Defended> {
    let scale = Scale::of(tree, price).unwrap_or(Scale::ONE);
    let points = points.into_iter().map(|point| {
        let attacks = match &point.left {
            Left::Nothing => Vec::new(),
            Left::Everything => vec![Vec::new()],
            Left::Attacks(value) => attacks(value),
        };
        let front = attacks.into_iter().map(|attack| Valued {
            values: criteria.values(tree, &attack),
            attack,
        });
        Defended {
            price: scale.value(point.price),
            defences: witnesses.leaves(point.defences),
            front: front.collect(),
        }
    });
    points.collect()
}
