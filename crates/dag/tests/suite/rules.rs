//! Rules that make no game are told by the first position that is wrong.

use meetjoin_dag::{AndOrDag, Kind, RulesError, Valuation, check_rules};
use meetjoin_lattice::{Budget, Chain, Powerset, Stop, Words};

/// Nodes by what they are: the children of an OR node, or what a leaf is worth.
enum Is<V> {
    Or(&'static [usize]),
    Leaf(V),
}

struct Listed<L, V>(L, Vec<Is<V>>);

impl<L, V> AndOrDag for Listed<L, V> {
    type Node = usize;

    fn root(&self) -> usize {
        0
    }

    fn kind(&self, node: &usize) -> Kind {
        match self.1[*node] {
            Is::Or(_) => Kind::Or,
            Is::Leaf(_) => Kind::Leaf,
        }
    }

    fn children(&self, node: &usize, out: &mut Vec<usize>) {
        if let Is::Or(children) = self.1[*node] {
            out.extend_from_slice(children);
        }
    }
}

impl<L: meetjoin_lattice::Lattice> Valuation<usize> for Listed<L, L::Elem> {
    type Lattice = L;

    fn lattice(&self) -> &L {
        &self.0
    }

    fn leaf(&self, node: &usize) -> L::Elem {
        match &self.1[*node] {
            Is::Leaf(value) => value.clone(),
            Is::Or(_) => self.0.bottom(),
        }
    }
}

fn checked(nodes: Vec<Is<i32>>) -> Result<u64, RulesError<usize>> {
    let chain = Chain::new(0, 10).expect("a chain");
    check_rules(&Listed(chain, nodes), &Budget::unlimited())
}

#[test]
fn each_position_counts_once() {
    let nodes = vec![Is::Or(&[1, 2, 1]), Is::Or(&[2]), Is::Leaf(10), Is::Leaf(99)];
    assert_eq!(checked(nodes), Ok(3), "nothing leads to the last");
    assert_eq!(checked(vec![Is::Leaf(0)]), Ok(1));
}

#[test]
fn what_is_wrong_is_named() {
    let nodes = vec![Is::Or(&[1, 2]), Is::Or(&[3]), Is::Or(&[]), Is::Leaf(5)];
    assert_eq!(checked(nodes), Err(RulesError::NoChildren(2)));
    let nodes = vec![Is::Or(&[1]), Is::Or(&[2]), Is::Or(&[1])];
    assert_eq!(checked(nodes), Err(RulesError::Cycle(vec![1, 2])));
    for (worth, text) in [
        (
            -1,
            "the leaf 1 is worth -1, which does not lie between 0 and 10",
        ),
        (
            11,
            "the leaf 1 is worth 11, which does not lie between 0 and 10",
        ),
    ] {
        let wrong = checked(vec![Is::Or(&[1]), Is::Leaf(worth)]);
        assert_eq!(wrong.expect_err("no element").to_string(), text);
    }
}

#[test]
fn a_lattice_that_is_no_chain_has_ends_too() {
    let sets = Powerset::<Words<1>>::new(3).expect("three worlds");
    let set = |sets: &Powerset<Words<1>>| sets.set([0, 2]).expect("worlds");
    let (more, given) = (Powerset::<Words<1>>::new(5).expect("five"), set(&sets));
    let outside = more.set([4]).expect("a world");
    let free = Budget::unlimited();
    let game = |leaf| Listed(sets.clone(), vec![Is::Or(&[1]), Is::Leaf(leaf)]);
    assert_eq!(check_rules(&game(given), &free), Ok(2));
    let wrong = check_rules(&game(outside), &free);
    assert!(
        matches!(wrong, Err(RulesError::Value { node: 1, .. })),
        "{wrong:?}"
    );
}

#[test]
fn a_budget_ends_it() {
    let chain = Chain::new(0, 10).expect("a chain");
    let nodes = vec![Is::Or(&[1, 2]), Is::Leaf(1), Is::Leaf(2)];
    let found = check_rules(&Listed(chain, nodes), &Budget::visits_at_most(2));
    assert_eq!(found, Err(RulesError::Stopped(Stop::Visits)));
}
