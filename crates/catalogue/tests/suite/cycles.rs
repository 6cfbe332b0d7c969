//! Rules that lead from a position back to itself: a depth-first search says so, and ends.

use meetjoin_catalogue::engine::{self, Task};
use meetjoin_catalogue::method::ALGORITHMS;
use meetjoin_catalogue::solve;
use meetjoin_dag::{AndOrDag, Kind, Valuation, find_cycle};
use meetjoin_lattice::{Budget, Chain, Stop};
use meetjoin_search::{Counts, Tables};

/// The ways out: neither player likes his own.
const EARLY: u32 = u32::MAX;
const LATE: u32 = u32::MAX - 1;

/// A walk on a ring of `fields`, after `before` steps towards it. At each step one may leave, MAX
/// for 1 and MIN for 9, so both go on. With `ends` the ring is cut open, and who comes to its end
/// leaves.
struct Walk {
    before: u32,
    fields: u32,
    ends: bool,
    chain: Chain<i64>,
}

impl AndOrDag for Walk {
    type Node = u32;

    fn root(&self) -> u32 {
        0
    }

    fn kind(&self, step: &u32) -> Kind {
        match *step {
            LATE | EARLY => Kind::Leaf,
            step if step.is_multiple_of(2) => Kind::Or,
            _ => Kind::And,
        }
    }

    fn children(&self, &step: &u32, out: &mut Vec<u32>) {
        let last = step + 1 == self.before + self.fields;
        if !last {
            out.push(step + 1);
        } else if !self.ends {
            out.push(self.before);
        }
        out.push(if step.is_multiple_of(2) { EARLY } else { LATE });
    }
}

impl Valuation<u32> for Walk {
    type Lattice = Chain<i64>;

    fn lattice(&self) -> &Chain<i64> {
        &self.chain
    }

    fn leaf(&self, &out: &u32) -> i64 {
        if out == EARLY { 1 } else { 9 }
    }
}

fn walk(before: u32, fields: u32, ends: bool) -> Walk {
    let chain = Chain::new(0, 9).expect("0 <= 9");
    Walk {
        before,
        fields,
        ends,
        chain,
    }
}

/// To be solved within a limit on visits that no search here needs that sees where play comes back.
fn task<'a>(game: &'a Walk, budget: &'a Budget) -> Task<'a, Walk, Walk, (), Tables> {
    Task {
        dag: game,
        valuation: game,
        heuristic: None,
        stores: Tables,
        budget,
        proof_bytes: 1 << 20,
    }
}

#[test]
fn depth_first_search_ends_where_a_line_of_play_comes_back() {
    for (before, fields) in [(0, 1), (0, 2), (3, 4), (70, 1), (1, 1000)] {
        for ends in [false, true] {
            let game = walk(before, fields, ends);
            for algorithm in ALGORITHMS {
                let budget = Budget::visits_at_most(100_000);
                let Some(mut engine) = engine::distributive(algorithm, &task(&game, &budget))
                else {
                    continue;
                };
                let outcome = engine.search(0, &mut Counts::default()).outcome;
                let what = format!("{} {before} {fields} {ends}", algorithm.id);
                if ends {
                    let last = (before + fields - 1).is_multiple_of(2);
                    assert_eq!(outcome.exact(), Some(if last { &1 } else { &9 }), "{what}");
                } else {
                    assert_eq!(outcome.stop, Some(Stop::Cycle), "{what}");
                    assert!(outcome.value.exact().is_none(), "{what}");
                }
            }
        }
    }
}

/// What the page of `solve` says of those that do not see it: they end by a limit alone.
#[test]
fn other_searches_end_by_a_limit() {
    let game = walk(3, 4, false);
    let mut unseeing = Vec::new();
    for algorithm in ALGORITHMS {
        let budget = Budget::visits_at_most(100_000);
        let Some(mut engine) = engine::total_order(algorithm, &task(&game, &budget)) else {
            continue;
        };
        let outcome = engine.search(0, &mut Counts::default()).outcome;
        assert!(outcome.value.exact().is_none(), "{}", algorithm.id);
        match outcome.stop {
            Some(Stop::Cycle) => {}
            Some(Stop::Visits) => unseeing.push(algorithm.id),
            other => panic!("{}: {other:?}", algorithm.id),
        }
    }
    let kin = [
        "sss-2",
        "sss-2-cached",
        "sss-2-dual",
        "sss-star",
        "sss-star-dual",
    ];
    assert_eq!(unseeing, kin);
}

#[test]
#[should_panic(expected = "from a position back to itself, over 4 positions: [3, 4, 5, 6]")]
fn the_value_in_one_call_names_the_positions() {
    assert_eq!(solve(&walk(3, 4, true)), 1);
    solve(&walk(3, 4, false));
}

#[test]
#[should_panic(expected = "over 1000 positions: [0, 1, 2, 3, 4, 5, 6, 7], ...")]
fn a_long_cycle_is_named_by_its_beginning() {
    solve(&walk(0, 1000, false));
}

#[test]
fn a_cycle_is_found_and_none_where_there_is_none() {
    let unlimited = Budget::unlimited();
    assert_eq!(
        find_cycle(&walk(3, 4, false), &unlimited),
        Ok(Some(vec![3, 4, 5, 6]))
    );
    assert_eq!(find_cycle(&walk(3, 400_000, true), &unlimited), Ok(None));
}
