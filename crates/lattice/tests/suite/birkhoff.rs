//! Birkhoff's isomorphism, checked against the table on all elements and all sets.

use meetjoin_lattice::{
    Birkhoff, Chain, Disjunctive, Distributive, Divisors, FiniteLattice, FinitePoset, FixedBitSet,
    Lattice, Powerset, Words, WorldSet,
};

use crate::support::{check_same, closure, covers, elements, table, word, worlds};

fn check<B: WorldSet>(table: &FiniteLattice, irreducibles: usize) {
    let licensed = Distributive::try_from(table.clone()).expect("distributive");
    let birkhoff = Birkhoff::<B>::new(&licensed).expect("it fits");
    assert_eq!(birkhoff.join_irreducibles().len(), irreducibles);
    assert_eq!(birkhoff.join_irreducibles(), table.join_irreducibles());
    let sets = birkhoff.powerset();
    assert_eq!(sets.worlds(), irreducibles);
    let all = elements(table);
    let set = |e: &u32| birkhoff.set(*e).expect("an element").clone();
    check_same(table, sets, &all, set);
    for e in &all {
        assert_eq!(birkhoff.element(&set(e)), Some(*e));
    }
    // Other sets stand for nothing.
    if irreducibles <= 12 {
        let every = (0..1 << irreducibles).map(|mask| sets.set(worlds(mask)).expect("worlds"));
        let standing = every.filter(|set| birkhoff.element(set).is_some()).count();
        assert_eq!(standing, all.len());
    }
    assert_eq!(birkhoff.set(table.size() as u32), None);
}

#[test]
fn distributive_tables_are_lattices_of_sets() {
    let divisors = Divisors::of(360).expect("positive");
    let all: Vec<u64> = (1..=360).filter(|&d| divisors.contains(d)).collect();
    let chain = Chain::new(0, 9).expect("in order");
    let sets = Powerset::<Words<1>>::new(4).expect("it fits");
    let three = FinitePoset::from_leq(&[
        vec![true, false, false],
        vec![false, true, false],
        vec![false, false, true],
    ]);
    let free = Disjunctive::free_over(three.expect("an order"));
    let free_elements = closure(&free, (0..3).map(|x| free.outcome(x)));
    let tables = [
        (table(&divisors, &all), 6),
        (table(&chain, &(0..10).collect::<Vec<_>>()), 9),
        (table(&sets, &(0..16).map(word).collect::<Vec<_>>()), 4),
        (table(&free, &free_elements), 8),
        (covers("only", ""), 0),
    ];
    for (table, irreducibles) in tables {
        check::<Words<1>>(&table, irreducibles);
        check::<Words<2>>(&table, irreducibles);
        check::<FixedBitSet>(&table, irreducibles);
    }
}

#[test]
fn a_long_chain_needs_larger_sets() {
    let chain = Chain::new(0, 70).expect("in order");
    let table = table(&chain, &(0..=70).collect::<Vec<_>>());
    let licensed = Distributive::try_from(table.clone()).expect("distributive");
    let refused = Birkhoff::<Words<1>>::new(&licensed).expect_err("70 worlds");
    assert_eq!(refused.worlds, 70);
    check::<FixedBitSet>(&table, 70);
    assert_eq!(table.top(), 70);
}
