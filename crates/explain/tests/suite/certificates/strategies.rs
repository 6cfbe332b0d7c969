//! Strategies of both players, played out.

use meetjoin_dag::{AndOrDag, Kind, NodeId, Valuation};
use meetjoin_explain::{Strategy, StrategyRequest, strategy};
use meetjoin_lattice::{AnyLattice, Budget, Lattice};
use meetjoin_solve::Side;

use super::cases::{Case, LATTICES, case, element, problem};

fn request<'a>(side: Side, of: Option<&'a str>, budget: &'a Budget) -> StrategyRequest<'a> {
    StrategyRequest {
        side,
        of,
        stated: true,
        budget,
    }
}

/// Plays a strategy against every reply: from the root by one move of the player, by all of the
/// other, to ends that are worth what it promises.
fn play_out(case: &Case, found: &Strategy) -> usize {
    let problem = &case.problem;
    let node = |name: &str| {
        problem
            .graph()
            .nodes()
            .find(|node| problem.node_name(*node).to_string() == name)
            .expect("a node")
    };
    assert_eq!(node(&found.nodes[0].name.text), problem.root());
    let mut lines = 0;
    let mut open = vec![0];
    let mut children: Vec<NodeId> = Vec::new();
    while let Some(place) = open.pop() {
        let here = &found.nodes[place];
        let at = node(&here.name.text);
        assert_eq!(here.kind, problem.kind(&at));
        let follows: Vec<NodeId> = here
            .next
            .iter()
            .map(|follow| node(&found.nodes[follow.to].name.text))
            .collect();
        children.clear();
        match problem.kind(&at) {
            Kind::Leaf => {
                let (value, of) = (problem.leaf(&at), element(&found.of));
                match found.side {
                    Side::Max => assert!(case.leq(of, &value)),
                    Side::Min => assert!(case.leq(&value, of)),
                }
                lines += 1;
                continue;
            }
            kind => {
                problem.children(&at, &mut children);
                assert!(follows.iter().all(|follow| children.contains(follow)));
                if (kind == Kind::Or) == (found.side == Side::Max) {
                    assert_eq!(follows.len(), 1);
                } else {
                    assert!(children.iter().all(|child| follows.contains(child)));
                }
            }
        }
        open.extend(here.next.iter().map(|follow| follow.to));
    }
    lines
}

#[test]
fn strategies_of_both_players_do_what_they_promise() {
    use meetjoin_file::print_value;
    use meetjoin_lattice::{Dual, JoinPrimes};

    let (mut found, mut lines) = (0, 0);
    for row in LATTICES {
        for seed in 0..20 {
            let case = case(&problem(*row, seed));
            // Meet-primes of families over many worlds are too many to be listed.
            let few = !row.0.contains("\"v\":66");
            for side in [Side::Max, Side::Min]
                .into_iter()
                .take(1 + usize::from(few))
            {
                let lattice = case.problem.lattice();
                let seen = match side {
                    Side::Max => lattice.clone(),
                    Side::Min => AnyLattice::Dual(Box::new(Dual(lattice.clone()))),
                };
                let free = Budget::unlimited();
                let primes = seen
                    .join_primes_below(case.value(), &free)
                    .expect("no limit");
                for prime in primes.iter().take(6) {
                    let mut json = String::new();
                    print_value(lattice, prime, &mut json);
                    let plan = strategy(
                        &*case.instance,
                        &case.answer.root.value,
                        &request(side, Some(&json), &free),
                    )
                    .expect("a strategy");
                    // It may guarantee more than what it was looked for.
                    assert_eq!(seen.leq(prime, element(&plan.of), &free), Ok(true));
                    lines += play_out(&case, &plan);
                    found += 1;
                    assert!(!plan.text().is_empty() && plan.dot().starts_with("digraph"));
                }
                let any = strategy(
                    &*case.instance,
                    &case.answer.root.value,
                    &request(side, None, &free),
                );
                assert_eq!(any.is_ok(), !primes.is_empty());
                // What the value does not have is refused, and what it has is named.
                for other in seen
                    .join_primes_below(&seen.top(), &free)
                    .expect("no limit")
                    .iter()
                    .take(4)
                {
                    let has = match side {
                        Side::Max => case.leq(other, case.value()),
                        Side::Min => case.leq(case.value(), other),
                    };
                    if has {
                        continue;
                    }
                    let mut json = String::new();
                    print_value(lattice, other, &mut json);
                    let error = strategy(
                        &*case.instance,
                        &case.answer.root.value,
                        &request(side, Some(&json), &free),
                    )
                    .expect_err("refused");
                    assert!(error.to_string().contains("guarantee"), "{error}");
                }
            }
        }
    }
    println!("{found} strategies, {lines} lines played out");
    assert!(found > 600, "{found}");
}
