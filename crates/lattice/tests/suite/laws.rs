//! The laws, proved on all elements of a small instance of every lattice and of every construction.

use fixedbitset::FixedBitSet;
use meetjoin_lattice::{
    Antichain, Bool, Budget, Chain, Decimal, Distributive, DistributiveLattice, Divisors, DownSets,
    Dual, Extended, Families, FreeLattice, Lattice, Powerset, Product, Relaxation, TotalOrder,
    Unions, Words, WorldSet, laws,
};

use crate::support::{
    Listed, check_same, closure, elements, free, leq, m3, n5, partitions, prove, prove_listed,
    worlds,
};

/// Proves a lattice, its dual, the dual of that, and its product with a truth value.
fn prove_all<L: Lattice>(lattice: &L, elements: &[L::Elem], distributive: bool) {
    laws::check_shortening(lattice, elements).expect("shortening");
    prove_constructions(&Listed::of(lattice, elements), distributive);
}

fn prove_constructions(lattice: &Listed, distributive: bool) {
    let elements = lattice.elements();
    prove_listed(lattice, &elements, distributive);
    prove_listed(&Dual(lattice), &elements, distributive);
    let twice = Dual(Dual(lattice));
    prove_listed(&twice, &elements, distributive);
    laws::check_rank(lattice, &elements).expect("ranks");
    laws::check_rank(&Dual(lattice), &elements).expect("ranks");
    check_same(lattice, &twice, &elements, u32::clone);
    let pairs = elements.iter().flat_map(|&a| [(a, false), (a, true)]);
    let pairs: Vec<(u32, bool)> = pairs.collect();
    laws::check_rank(&(lattice, Bool), &pairs).expect("ranks");
    prove_listed(&(lattice, Bool), &pairs, distributive);
}

/// The same for lattices that hold the licence.
fn prove_distributive<L: DistributiveLattice>(lattice: &L, elements: &[L::Elem]) {
    prove_all(lattice, elements, true);
}

fn prove_total<L: TotalOrder>(lattice: &L, elements: &[L::Elem]) {
    prove_distributive(lattice, elements);
    laws::check_total_order(lattice, elements).expect("a chain");
    laws::check_total_order(&Dual(lattice), elements).expect("a chain");
    laws::check_total_order(&Dual(Dual(lattice)), elements).expect("a chain");
}

#[test]
fn chains() {
    prove_total(&Bool, &[false, true]);
    prove_total(
        &Chain::new(-3, 4).expect("in order"),
        &(-3..=4).collect::<Vec<_>>(),
    );
    prove_total(&Chain::new(7, 7).expect("in order"), &[7]);
    let names = Chain::new("a".to_owned(), "c".to_owned()).expect("in order");
    prove_total(&names, &["a", "ab", "b", "c"].map(str::to_owned));
    let numbers = [i64::MIN, -1, 0, i64::MAX].map(Extended::Finite);
    let infinities = [Extended::NegInf, Extended::PosInf];
    prove_total(
        &Chain::unbounded(),
        &[&infinities[..], &numbers[..]].concat(),
    );
    let floats = [f64::NEG_INFINITY, -1e308, -0.0, 5e-324, 0.3, f64::INFINITY];
    let floats = floats.map(|f| Decimal::new(f).expect("a number"));
    prove_total(&Chain::decimals(), &floats);
}

/// All subsets of `v` worlds, in a universe where they are `apart` worlds apart.
fn powerset<B: WorldSet>(v: usize, apart: usize) -> (Powerset<B>, Vec<B>) {
    let lattice = Powerset::new((v - 1) * apart + 1).expect("it fits");
    let set = |mask| lattice.set(worlds(mask).map(|w| w * apart));
    let sets = (0..1 << v).map(|mask| set(mask).expect("worlds exist"));
    let sets = sets.collect();
    (lattice, sets)
}

#[test]
fn powersets() {
    fn check<B: WorldSet>(v: usize) {
        let (lattice, sets) = powerset::<B>(v, 1);
        prove_distributive(&lattice, &sets);
        assert_eq!(closure(&lattice, sets.clone()).len(), 1 << v);
    }
    for v in 1..=4 {
        check::<Words<1>>(v);
        check::<Words<2>>(v);
        check::<FixedBitSet>(v);
    }
    // Worlds 0, 55 and 110 of 111, with the top: beyond one machine word.
    let (lattice, sets) = powerset::<Words<2>>(3, 55);
    prove_distributive(&lattice, &closure(&lattice, sets));
    let (lattice, sets) = powerset::<FixedBitSet>(3, 55);
    prove_distributive(&lattice, &closure(&lattice, sets));
    let none = Powerset::<Words<1>>::new(0).expect("it fits");
    prove_distributive(&none, &[Words([0])]);
}

#[test]
fn unions_relax_families() {
    fn check<B: WorldSet>() {
        for v in 1..4 {
            let (lattice, all) = families::<B>(v);
            laws::check_relaxation(&lattice, &Unions::of(&lattice, false), &all).expect("laws");
            // Without the bottom, the families of at least the empty set are a lattice too.
            let unions = Unions::of(&lattice, true);
            for family in all.iter().filter(|family| **family != lattice.bottom()) {
                let union = unions.image_of(family);
                assert!(leq(&lattice, &unions.below(&union), family));
                assert!(leq(&lattice, family, &unions.above(&union)));
            }
        }
    }
    check::<Words<1>>();
    check::<FixedBitSet>();
}

/// All families over `v` worlds, from all sets of generating sets.
pub(crate) fn families<B: WorldSet>(v: usize) -> (Families<B>, Vec<Antichain<B>>) {
    let (base, sets) = powerset::<B>(v, 1);
    let lattice = DownSets::over(base);
    let mut families = Vec::new();
    for chosen in 0..1_u64 << sets.len() {
        let generators = worlds(chosen).map(|i| sets[i].clone());
        let family = lattice.generated_by(generators, &Budget::unlimited());
        families.push(family.expect("no limit"));
    }
    families.sort();
    families.dedup();
    (lattice, families)
}

#[test]
fn families_of_sets() {
    fn check<B: WorldSet>() {
        for (v, count) in [(1, 3), (2, 6), (3, 20)] {
            let (lattice, families) = families::<B>(v);
            assert_eq!(families.len(), count, "a Dedekind number");
            assert!(families.contains(&lattice.bottom()));
            prove_distributive(&lattice, &families);
        }
    }
    check::<Words<1>>();
    check::<Words<2>>();
    check::<FixedBitSet>();
}

#[test]
fn down_sets_are_distributive_over_any_base() {
    // Over a chain of n elements: the n principal down-sets and the empty one.
    let lattice = DownSets::over(Chain::new(0, 3).expect("in order"));
    let all = closure(&lattice, (0..=3).map(|n| lattice.principal(n)));
    assert_eq!(all.len(), 5);
    prove_distributive(&lattice, &all);
    for (base, count) in [(m3(), 10), (n5(), 8)] {
        let lattice = DownSets::over(&base);
        let all = closure(
            &lattice,
            elements(&base).into_iter().map(|e| lattice.principal(e)),
        );
        assert_eq!(all.len(), count, "antichains of the base");
        prove_distributive(&lattice, &all);
    }
}

#[test]
fn products() {
    let chain = Chain::new(0, 2).expect("in order");
    let divisors = Divisors::of(6).expect("positive");
    let pair = (chain, divisors);
    let pairs: Vec<(i32, u64)> = (0..3).flat_map(|a| [1, 2, 3, 6].map(|b| (a, b))).collect();
    prove_distributive(&pair, &pairs);
    let array = [chain, Chain::new(-1, 0).expect("in order"), chain];
    let arrays = (0..3).flat_map(|a| (-1..1).flat_map(move |b| (0..3).map(move |c| [a, b, c])));
    let arrays: Vec<[i32; 3]> = arrays.collect();
    prove_distributive(&array, &arrays);
    let list = Product::new(array);
    let lists: Vec<Box<[i32]>> = arrays.iter().map(|a| Box::from(&a[..])).collect();
    prove_distributive(&list, &lists);
    check_same(&array, &list, &arrays, |a| Box::from(&a[..]));
    let nothing: [Bool; 0] = [];
    prove_distributive(&nothing, &[[]]);
    prove_distributive(&Product::<Bool>::new([]), &[Box::from([])]);
    assert_eq!(Product::power(Bool, 5).factors().len(), 5);
    // One factor that is not distributive spoils the product.
    let spoilt = (m3(), Bool);
    let all: Vec<_> = (0..5).flat_map(|a| [(a, false), (a, true)]).collect();
    prove(&spoilt, &all, false);
    let squares: Vec<[u32; 2]> = (0..5).flat_map(|a| (0..5).map(move |b| [a, b])).collect();
    prove(&[n5(), m3()], &squares, false);
}

#[test]
fn divisors() {
    for (n, count) in [(1, 1), (13, 2), (64, 7), (360, 24)] {
        let lattice = Divisors::of(n).expect("positive");
        let all: Vec<u64> = (1..=n).filter(|&d| lattice.contains(d)).collect();
        assert_eq!(all.len(), count);
        prove_distributive(&lattice, &all);
    }
    assert_eq!(Divisors::of(0), None);
}

#[test]
fn tables() {
    for table in [m3(), n5(), partitions()] {
        prove_all(&table, &elements(&table), false);
    }
    let (_, sets) = powerset::<Words<1>>(3, 1);
    let boolean = crate::support::table(&Powerset::<Words<1>>::new(3).expect("it fits"), &sets);
    let licensed = Distributive::try_from(boolean.clone()).expect("distributive");
    prove_distributive(&licensed, &elements(&boolean));
    check_same(licensed.get(), &licensed, &elements(&boolean), u32::clone);
    assert_eq!(licensed.into_inner(), boolean);
}

#[test]
fn the_free_lattice_over_n_vectors_has_a_dedekind_number_of_elements() {
    let lattice = FreeLattice::of_vectors(2);
    for (n, count) in [(0, 2), (1, 3), (2, 6), (3, 20), (4, 168)] {
        let vectors = (0..n).map(|i| free(&lattice, [[[i, n - i]]]));
        let all = closure(&lattice, vectors);
        assert_eq!(all.len(), count);
        if n < 4 {
            prove_distributive(&lattice, &all);
        } else {
            prove(&lattice, &all, true);
        }
    }
    // Vectors that are comparable stay so: here two chains of two.
    let chains = [[0, 5], [1, 6], [5, 0], [6, 1]];
    let all = closure(&lattice, chains.map(|v| free(&lattice, [[v]])));
    assert_eq!(
        all.len(),
        20,
        "the free distributive lattice over 2 + 2, with bounds"
    );
    prove_distributive(&lattice, &all);
}
