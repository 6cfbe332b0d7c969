//! Join-primes and meet-primes: by definition on all elements of small lattices, known answers,
//! limits, and a checker that finds what is wrong.

use fixedbitset::FixedBitSet;
use meetjoin_lattice::diagram::Function;
use meetjoin_lattice::laws::{Violation, check_decomposition, check_join_primes};
use meetjoin_lattice::{
    Antichain, AnyElem, AnyLattice, Birkhoff, Bool, Budget, Chain, Decimal, Distributive, Divisors,
    DownSets, Dual, Extended, Families, FiniteLattice, FreeLattice, JoinPrimes, Lattice,
    MeetPrimes, Monotone, Powerset, Product, Stop, Total, Words, WorldSet,
};
use proptest::prelude::*;

use crate::laws::families;
use crate::support::{
    Listed, closure, elements, free, leq, m3, n5, partitions, step_limit, stopped_by, word, worlds,
};

/// Proves the join-primes of a lattice, and that each element is the join of its parts.
fn prove_join<L: JoinPrimes>(lattice: &L, elements: &[L::Elem]) {
    let listed = Listed::with_join_primes(lattice, elements);
    check_join_primes(&listed, &listed.elements()).expect("join-primes");
    check_decomposition(&listed, &listed.elements()).expect("distributive");
}

/// Proves the join-primes of a lattice and of its dual.
fn prove_both<L: JoinPrimes + MeetPrimes>(lattice: &L, elements: &[L::Elem]) -> Listed {
    let listed = Listed::with_primes(lattice, elements);
    let all = listed.elements();
    check_join_primes(&listed, &all).expect("join-primes");
    check_join_primes(&Dual(&listed), &all).expect("meet-primes");
    check_join_primes(&Dual(Dual(&listed)), &all).expect("join-primes");
    listed
}

/// The same where each element is the join of its parts, and the meet of those above it.
fn prove_distributive<L: JoinPrimes + MeetPrimes>(lattice: &L, elements: &[L::Elem]) {
    let listed = prove_both(lattice, elements);
    check_decomposition(&listed, &listed.elements()).expect("distributive");
    check_decomposition(&Dual(&listed), &listed.elements()).expect("distributive");
}

#[test]
fn chains() {
    prove_distributive(&Bool, &[false, true]);
    let chain = Chain::new(-3, 4).expect("in order");
    prove_distributive(&chain, &(-3..=4).collect::<Vec<_>>());
    prove_distributive(&Chain::new(7, 7).expect("in order"), &[7]);
    let numbers = [i64::MIN, 0, i64::MAX].map(Extended::Finite);
    let numbers = [&numbers[..], &[Extended::NegInf, Extended::PosInf]].concat();
    prove_distributive(&Chain::unbounded(), &numbers);
    let floats = [f64::NEG_INFINITY, -0.5, 0.0, f64::INFINITY];
    let floats = floats.map(|f| Decimal::new(f).expect("a number"));
    prove_distributive(&Chain::decimals(), &floats);
    let total = Total::try_from(AnyLattice::Integers(Chain::unbounded())).expect("a chain");
    let numbers: Vec<AnyElem> = numbers.into_iter().map(AnyElem::Integer).collect();
    prove_distributive(&total, &numbers);
}

#[test]
fn sets_and_families() {
    fn check<B: WorldSet>() {
        for v in 0..4 {
            let powerset = Powerset::<B>::new(v).expect("it fits");
            let set = |mask| powerset.set(worlds(mask)).expect("worlds exist");
            let all: Vec<B> = (0..1 << v).map(set).collect();
            prove_distributive(&powerset, &all);
            if v > 0 {
                let (lattice, families) = families::<B>(v);
                prove_distributive(&lattice, &families);
            }
        }
    }
    check::<Words<1>>();
    check::<Words<2>>();
    check::<FixedBitSet>();
    let none = Families::<Words<1>>::of_worlds(0).expect("it fits");
    prove_distributive(&none, &[none.bottom(), none.top()]);
}

#[test]
fn down_sets_of_chains_and_tables() {
    let lattice = DownSets::over(Chain::new(0, 3).expect("in order"));
    let all = closure(&lattice, (0..=3).map(|n| lattice.principal(n)));
    prove_join(&lattice, &all);
    for base in [m3(), n5()] {
        let lattice = DownSets::over(&base);
        let single = elements(&base).into_iter().map(|e| lattice.principal(e));
        let all = closure(&lattice, single);
        prove_join(&lattice, &all);
    }
}

#[test]
fn the_free_lattice() {
    let lattice = FreeLattice::of_vectors(2);
    for n in 0..4 {
        let vectors = (0..n).map(|i| free(&lattice, [[[i, n - i]]]));
        prove_distributive(&lattice, &closure(&lattice, vectors));
    }
    let chains = [[0, 5], [1, 6], [5, 0], [6, 1]];
    let all = closure(&lattice, chains.map(|v| free(&lattice, [[v]])));
    prove_distributive(&lattice, &all);
    let conjunctive = lattice.conjunctive();
    let budget = Budget::unlimited();
    let turned = |value| lattice.to_conjunctive(value, &budget).expect("no limit");
    prove_distributive(&conjunctive, &all.iter().map(turned).collect::<Vec<_>>());
}

#[test]
fn products_and_divisors() {
    let chain = Chain::new(0, 2).expect("in order");
    let pair = (chain, Divisors::of(6).expect("positive"));
    let pairs: Vec<(i32, u64)> = (0..3).flat_map(|a| [1, 2, 3, 6].map(|b| (a, b))).collect();
    prove_distributive(&pair, &pairs);
    let array = [chain, Chain::new(5, 5).expect("in order"), chain];
    let arrays = (0..3).flat_map(|a| (0..3).map(move |c| [a, 5, c]));
    let arrays: Vec<[i32; 3]> = arrays.collect();
    prove_distributive(&array, &arrays);
    let lists: Vec<Box<[i32]>> = arrays.iter().map(|a| Box::from(&a[..])).collect();
    prove_distributive(&Product::new(array), &lists);
    prove_distributive(&Product::<Bool>::new([]), &[Box::from([])]);
    let spoilt = (m3(), Bool);
    let all: Vec<_> = (0..5).flat_map(|a| [(a, false), (a, true)]).collect();
    prove_both(&spoilt, &all);
    for n in [1, 13, 64, 360] {
        let lattice = Divisors::of(n).expect("positive");
        let all: Vec<u64> = (1..=n).filter(|&d| lattice.contains(d)).collect();
        prove_distributive(&lattice, &all);
    }
}

/// All functions of so many events.
fn functions(events: u32) -> (Monotone, Vec<Function>) {
    let (lattice, budget) = (Monotone::new(events), Budget::unlimited());
    let literal = |point: u32, event: u32| match point >> event & 1 {
        1 => i64::from(event) + 1,
        _ => -1 - i64::from(event),
    };
    let set = |point| (0..events).map(|event| literal(point, event)).collect();
    let points: Vec<Vec<i64>> = (0..1 << events).map(set).collect();
    let all = (0_u32..1 << points.len()).map(|which| {
        let chosen = points.iter().enumerate();
        let chosen = chosen.filter(|(number, _)| which >> number & 1 == 1);
        let sets: Vec<_> = chosen.map(|(_, set)| set.clone()).collect();
        lattice.of_sets(&sets, &budget).expect("no limit")
    });
    let all = all.collect();
    (lattice, all)
}

#[test]
fn functions_are_joins_of_points() {
    for events in 0..3 {
        let (lattice, all) = functions(events);
        prove_distributive(&lattice, &all);
        let all: Vec<_> = all.into_iter().map(AnyElem::Function).collect();
        prove_distributive(&AnyLattice::Monotone(lattice), &all);
    }
    let lattice = Monotone::new(40);
    let few = step_limit(1000);
    let stopped = lattice.join_primes_below(&lattice.top(), &few);
    assert_eq!(stopped, Err(Stop::Time));
}

#[test]
fn tables_by_test() {
    for (table, primes) in [(m3(), 0), (n5(), 2), (partitions(), 0)] {
        prove_both(&table, &elements(&table));
        let budget = Budget::unlimited();
        let is_prime = |e: &u32| table.is_join_prime(e, &budget).expect("no limit");
        let found = elements(&table).into_iter().filter(is_prime).count();
        assert_eq!(found, primes);
        assert!(check_decomposition(&table, &elements(&table)).is_err());
    }
}

#[test]
fn the_join_irreducibles_of_birkhoff_are_the_join_primes() {
    let (lattice, all) = families::<Words<1>>(3);
    let table = Distributive::try_from(crate::support::table(&lattice, &all)).expect("it is");
    let numbers = elements(table.get());
    prove_distributive(&table, &numbers);
    let birkhoff = Birkhoff::<Words<1>>::new(&table).expect("it fits");
    let budget = Budget::unlimited();
    let primes = numbers.into_iter();
    let primes = primes.filter(|e| table.is_join_prime(e, &budget).expect("no limit"));
    assert_eq!(primes.collect::<Vec<_>>(), birkhoff.join_irreducibles());
}

#[test]
fn the_lattice_chosen_at_run_time() {
    let (_, all) = families::<Words<1>>(3);
    let all: Vec<AnyElem> = all.into_iter().map(AnyElem::SmallFamily).collect();
    let any = AnyLattice::families(3);
    prove_distributive(&any, &all);
    let dual = AnyLattice::Dual(Box::new(Dual(any)));
    prove_distributive(&dual, &all);
    let table = AnyLattice::Finite(n5());
    let all: Vec<AnyElem> = elements(&n5()).into_iter().map(AnyElem::Element).collect();
    prove_both(&table, &all);
    let square = AnyLattice::Product(Product::power(AnyLattice::powerset(2), 2));
    let sets = (0..4).map(|mask| AnyElem::SmallSet(word(mask)));
    let sets: Vec<AnyElem> = sets.collect();
    let pairs = sets.iter().flat_map(|a| {
        let pair = |b: &AnyElem| AnyElem::Tuple(Box::from([a.clone(), b.clone()]));
        sets.iter().map(pair).collect::<Vec<_>>()
    });
    prove_distributive(&square, &pairs.collect::<Vec<_>>());
}

#[test]
fn the_meet_primes_of_families_exclude_one_set() {
    let lattice = Families::<Words<1>>::of_worlds(4).expect("it fits");
    let budget = Budget::unlimited();
    // {1,2} and {2,3}: outside are {0} and {1,3}.
    let value = lattice.generated_by([word(0b0110), word(0b1100)], &budget);
    let value = value.expect("no limit");
    let outside = lattice.minimal_outside(&value, &budget).expect("no limit");
    assert_eq!(outside, [word(0b0001), word(0b1010)]);
    let primes = lattice
        .meet_primes_above(&value, &budget)
        .expect("no limit");
    assert_eq!(primes[0].maximal(), [word(0b1110)]);
    assert_eq!(primes[1].maximal(), [word(0b0111), word(0b1101)]);
    let bottom = lattice.bottom();
    let outside = lattice.minimal_outside(&bottom, &budget).expect("no limit");
    assert_eq!(outside, [word(0)]);
    assert_eq!(lattice.minimal_outside(&lattice.top(), &budget), Ok(vec![]));
}

/// k pairs of worlds: 2^k minimal sets are outside.
#[test]
fn limits_hold_inside_a_dualisation() {
    let k = 18;
    let lattice = Families::<Words<1>>::of_worlds(2 * k).expect("it fits");
    let full = (1_u64 << (2 * k)) - 1;
    let sets = (0..k).map(|i| word(full & !(0b11 << (2 * i))));
    let value = lattice.generated_by(sets, &Budget::unlimited());
    let value = value.expect("no limit");
    for steps in [0, 10, 1000, 100_000] {
        let stopped = lattice.meet_primes_above(&value, &step_limit(steps));
        assert_eq!(stopped_by(stopped), Stop::Time);
    }
    let product = Divisors::of(4_294_967_291 * 4_294_967_279).expect("positive");
    let stopped = product.join_primes_below(&product.n(), &step_limit(100));
    assert_eq!(stopped_by(stopped), Stop::Time);
}

proptest! {
    #[test]
    fn dualising_twice_gives_the_family_back(masks in prop::collection::vec(0_u64..1 << 9, 0..8)) {
        let lattice = Families::<Words<1>>::of_worlds(9).expect("it fits");
        let budget = Budget::unlimited();
        let value = lattice.generated_by(masks.into_iter().map(word), &budget).expect("no limit");
        let outside = lattice.minimal_outside(&value, &budget).expect("no limit");
        prop_assert_eq!(lattice.avoiding(&outside, &budget), Ok(value.clone()));
        for mask in 0..1 << 9 {
            let inside = leq(&lattice, &lattice.principal(word(mask)), &value);
            let above = outside.iter().any(|set| set.is_subset(&word(mask)));
            prop_assert_ne!(inside, above);
        }
        check_decomposition(&lattice, std::slice::from_ref(&value)).expect("distributive");
        check_decomposition(&Dual(&lattice), &[value]).expect("distributive");
    }
}

/// A table that is wrong about its join-primes.
struct Wrong {
    table: FiniteLattice,
    is_prime: IsPrime,
    parts: Parts,
}

type IsPrime = fn(u32) -> bool;
type Parts = fn(u32) -> Vec<u32>;

impl Lattice for Wrong {
    type Elem = u32;

    fn bottom(&self) -> u32 {
        self.table.bottom()
    }

    fn top(&self) -> u32 {
        self.table.top()
    }

    fn leq(&self, a: &u32, b: &u32, budget: &Budget) -> Result<bool, Stop> {
        self.table.leq(a, b, budget)
    }

    fn join_assign(&self, a: &mut u32, b: &u32, budget: &Budget) -> Result<(), Stop> {
        self.table.join_assign(a, b, budget)
    }

    fn meet_assign(&self, a: &mut u32, b: &u32, budget: &Budget) -> Result<(), Stop> {
        self.table.meet_assign(a, b, budget)
    }
}

impl JoinPrimes for Wrong {
    fn is_join_prime(&self, t: &u32, _: &Budget) -> Result<bool, Stop> {
        Ok((self.is_prime)(*t))
    }

    fn join_primes_below(&self, v: &u32, _: &Budget) -> Result<Vec<u32>, Stop> {
        Ok((self.parts)(*v))
    }
}

#[test]
fn the_checker_finds_what_is_wrong() {
    // The subsets of two worlds as bit masks: 1 and 2 are join-prime.
    let square = || crate::support::covers("0 1 2 3", "0 < 1 < 3, 0 < 2 < 3");
    let atoms = |v: u32| (1..3).filter(|t| t & !v == 0).collect::<Vec<_>>();
    let sound = |t: u32| t == 1 || t == 2;
    let case = |is_prime: IsPrime, parts: Parts| {
        let wrong = Wrong {
            table: square(),
            is_prime,
            parts,
        };
        let caught = check_join_primes(&wrong, &[0, 1, 2, 3]);
        match caught.and_then(|()| check_decomposition(&wrong, &[0, 1, 2, 3])) {
            Ok(()) => "nothing",
            Err(Violation::Law { law, .. }) => law,
            Err(other) => panic!("{other}"),
        }
    };
    assert_eq!(case(sound, atoms), "nothing");
    let cases: [(&str, IsPrime, Parts); 7] = [
        ("bottom is not join-prime", |t| t < 3, atoms),
        (
            "a join-prime t <= a join b gives t <= a or t <= b",
            |t| t > 0,
            atoms,
        ),
        ("what breaks no law is join-prime", |t| t == 1, atoms),
        ("each part of v is join-prime", sound, |v| vec![v]),
        ("each part of v lies below v", sound, |_| vec![1, 2]),
        ("no part of v lies below another", sound, |v| {
            [v, v].into_iter().filter(|t| *t == 1).collect()
        }),
        (
            "each join-prime t <= v lies below a part of v",
            sound,
            |_| Vec::new(),
        ),
    ];
    for (law, is_prime, parts) in cases {
        assert_eq!(case(is_prime, parts), law);
    }
    let table = m3();
    let caught = check_decomposition(&table, &elements(&table)).expect_err("M3 has none");
    assert_eq!(caught.to_string(), "v is the join of its parts fails for 1");
}

#[test]
fn a_single_set_is_join_prime_whatever_its_size() {
    let lattice = Families::<Words<4>>::of_worlds(200).expect("it fits");
    let budget = Budget::unlimited();
    for set in [vec![], vec![199], (0..200).collect()] {
        let set = lattice.base().set(set).expect("worlds exist");
        let family: Antichain<Words<4>> = lattice.principal(set);
        assert_eq!(lattice.is_join_prime(&family, &budget), Ok(true));
    }
    assert_eq!(lattice.is_join_prime(&lattice.bottom(), &budget), Ok(false));
}
