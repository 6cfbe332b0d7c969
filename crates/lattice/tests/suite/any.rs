//! The lattice chosen at run time does exactly what the concrete lattice does.

use fixedbitset::FixedBitSet;
use meetjoin_lattice::{
    AnyElem, AnyLattice, Bool, Budget, Chain, Decimal, Distributive, Divisors, Dual, Extended,
    FreeLattice, Lattice, Powerset, Product, Words, laws,
};

use crate::laws::families;
use crate::support::{check_same, closure, elements, free, m3, n5, partitions, prove, worlds};

/// Compares a lattice, its dual and its square with their wrapped forms.
fn check<L: Lattice + Clone>(
    any: &AnyLattice,
    lattice: &L,
    elements: &[L::Elem],
    wrap: impl Fn(&L::Elem) -> AnyElem,
) {
    let distributive = any.check_distributive().is_ok();
    check_same(lattice, any, elements, &wrap);
    prove(
        any,
        &elements.iter().map(&wrap).collect::<Vec<_>>(),
        distributive,
    );

    let dual = AnyLattice::Dual(Box::new(Dual(any.clone())));
    check_same(&Dual(lattice), &dual, elements, &wrap);
    let twice = AnyLattice::Dual(Box::new(Dual(dual.clone())));
    check_same(lattice, &twice, elements, &wrap);

    let square = AnyLattice::Product(Product::power(any.clone(), 2));
    let few = &elements[..elements.len().min(6)];
    let pairs = few
        .iter()
        .flat_map(|a| few.iter().map(|b| [a.clone(), b.clone()]));
    let wrap_pair = |pair: &[L::Elem; 2]| AnyElem::Tuple(pair.iter().map(&wrap).collect());
    let squared = [lattice.clone(), lattice.clone()];
    check_same(&squared, &square, &pairs.collect::<Vec<_>>(), wrap_pair);

    // The licence, and that it changes nothing.
    for form in [any, &dual, &twice, &square] {
        assert_eq!(form.check_distributive().is_ok(), distributive);
        match Distributive::try_from(form.clone()) {
            Ok(licensed) => {
                assert_eq!(licensed.get(), form);
                assert_eq!(licensed.bottom(), form.bottom());
                assert_eq!(licensed.top(), form.top());
            }
            Err(refused) => assert!(!distributive, "{refused}"),
        }
    }
    if let Ok(licensed) = Distributive::try_from(any.clone()) {
        check_same(lattice, &licensed, elements, wrap);
    }
}

#[test]
fn chains() {
    check(&AnyLattice::Bool(Bool), &Bool, &[false, true], |&b| {
        AnyElem::Bool(b)
    });
    let numbers = [-5, 0, i64::MAX].map(Extended::Finite);
    let all = [&[Extended::NegInf, Extended::PosInf][..], &numbers].concat();
    let chain = Chain::unbounded();
    check(&AnyLattice::Integers(chain), &chain, &all, |&n| {
        AnyElem::Integer(n)
    });
    let few = Chain::new(numbers[0], numbers[1]).expect("in order");
    check(&AnyLattice::Integers(few), &few, &numbers[..2], |&n| {
        AnyElem::Integer(n)
    });
    let floats = [f64::NEG_INFINITY, -0.5, 0.0, f64::INFINITY];
    let floats = floats.map(|f| Decimal::new(f).expect("a number"));
    let chain = Chain::decimals();
    check(&AnyLattice::Decimals(chain), &chain, &floats, |&f| {
        AnyElem::Decimal(f)
    });
}

#[test]
fn sets() {
    let small = Powerset::<Words<1>>::new(3).expect("it fits");
    let sets: Vec<_> = (0..8)
        .map(|mask| small.set(worlds(mask)).expect("worlds exist"))
        .collect();
    check(&AnyLattice::powerset(3), &small, &sets, |&set| {
        AnyElem::SmallSet(set)
    });
    let large = Powerset::<FixedBitSet>::new(65).expect("it fits");
    let sets = (0..8).map(|mask| worlds(mask).map(|w| w * 32));
    let sets: Vec<_> = sets
        .map(|set| large.set(set).expect("worlds exist"))
        .collect();
    let sets = closure(&large, sets);
    check(&AnyLattice::powerset(65), &large, &sets, |set| {
        AnyElem::Set(set.clone())
    });
}

#[test]
fn families_of_sets() {
    let (small, all) = families::<Words<1>>(3);
    check(&AnyLattice::families(3), &small, &all, |f| {
        AnyElem::SmallFamily(f.clone())
    });
    let (large, all) = families::<FixedBitSet>(3);
    let any = AnyLattice::Families(large.clone());
    check(&any, &large, &all, |f| AnyElem::Family(f.clone()));
}

#[test]
fn the_smaller_representation_is_chosen_while_it_holds_the_worlds() {
    for (worlds, small) in [(0, true), (64, true), (65, false), (1000, false)] {
        let set = AnyLattice::powerset(worlds);
        assert_eq!(matches!(set, AnyLattice::SmallPowerset(_)), small);
        assert_eq!(matches!(set, AnyLattice::Powerset(_)), !small);
        let family = AnyLattice::families(worlds);
        assert_eq!(matches!(family, AnyLattice::SmallFamilies(_)), small);
        assert_eq!(matches!(family, AnyLattice::Families(_)), !small);
    }
}

#[test]
fn products_of_different_lattices() {
    let any = AnyLattice::Product(Product::new([
        AnyLattice::Bool(Bool),
        AnyLattice::Divisors(Divisors::of(12).expect("positive")),
    ]));
    let pair = (Bool, Divisors::of(12).expect("positive"));
    let all: Vec<_> = [1, 2, 3, 4, 6, 12]
        .into_iter()
        .flat_map(|d| [(false, d), (true, d)])
        .collect();
    check(&any, &pair, &all, |&(b, d)| {
        AnyElem::Tuple(Box::from([AnyElem::Bool(b), AnyElem::Divisor(d)]))
    });
}

#[test]
fn divisors_and_tables() {
    let divisors = Divisors::of(60).expect("positive");
    let all: Vec<u64> = (1..=60).filter(|&d| divisors.contains(d)).collect();
    check(&AnyLattice::Divisors(divisors), &divisors, &all, |&d| {
        AnyElem::Divisor(d)
    });
    for table in [m3(), n5(), partitions()] {
        let any = AnyLattice::Finite(table.clone());
        check(&any, &table, &elements(&table), |&e| AnyElem::Element(e));
    }
}

#[test]
fn the_free_lattice() {
    let lattice = FreeLattice::of_vectors(2);
    let all = closure(&lattice, (0..3).map(|i| free(&lattice, [[[i, 2 - i]]])));
    let any = AnyLattice::Free(lattice.clone());
    check(&any, &lattice, &all, |f| AnyElem::Free(f.clone()));
}

#[test]
fn a_table_deep_inside_keeps_the_licence_away_and_is_named() {
    let inner = AnyLattice::Product(Product::new([
        AnyLattice::Bool(Bool),
        AnyLattice::Dual(Box::new(Dual(AnyLattice::Finite(n5())))),
    ]));
    let refused = Distributive::try_from(AnyLattice::Dual(Box::new(Dual(inner))));
    let refused = refused.expect_err("a pentagon inside");
    assert_eq!(refused, n5().check_distributive().expect_err("a pentagon"));
    let names = refused.names.each_ref().map(String::as_str);
    laws::check_distributive(&n5(), &refused.elements).expect_err("a witness");
    assert_eq!(
        names.concat(),
        refused.elements.map(|e| e.to_string()).concat()
    );
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "no elements of")]
fn elements_of_another_lattice_are_a_mistake_of_the_program() {
    let mut a = AnyElem::Bool(true);
    let done =
        AnyLattice::Bool(Bool).meet_assign(&mut a, &AnyElem::Divisor(1), &Budget::unlimited());
    done.expect("the panic comes first");
}
