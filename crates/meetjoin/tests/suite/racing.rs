//! Racing: known answers in both lattices under every algorithm, and two independent checks.

use meetjoin::dag::{AndOrDag, HiddenFamilies, HiddenSets, Kind, Stakes, Valuation};
use meetjoin::families::families_by_thresholds;
use meetjoin::games::{Racing, RacingHands, RacingPosition};
use meetjoin::lattice::{
    Budget, DistributiveLattice, ElemOf, FixedBitSet, Lattice, Limits, Words, WorldSet,
};
use meetjoin::search::Tables;
use meetjoin::search::{
    Env, FailSoft, Store, Table, Window, alpha_beta, alpha_beta_cached, alpha_beta_duo,
    alpha_beta_duo_plain, alpha_beta_duo_published, minimax, minimax_cached,
};
use serde_json::{Value, json};

use crate::support::racing_cases;

struct Case {
    id: String,
    name: String,
    game: Racing,
    /// Winning hands, and maximal sets of hands.
    hands: Value,
    maximal_sets: Value,
}

fn cases() -> Vec<Case> {
    let case = |(game, case): (Racing, Value)| {
        assert_eq!(json!(game.worlds().len()), case["S_size"]);
        Case {
            id: case["id"].as_str().expect("a text").to_owned(),
            name: format!("{} ({})", case["id"], case["note"]),
            game,
            hands: case["set_value"]["hands"].clone(),
            maximal_sets: case["family_value"]["maximal_sets"].clone(),
        }
    };
    racing_cases().into_iter().map(case).collect()
}

/// Cards of a hand, ascending.
fn hand(set: u64) -> Vec<u32> {
    (0..64)
        .filter(|i| set >> i & 1 == 1)
        .map(|i| i + 1)
        .collect()
}

/// The hands of a set of worlds, sorted.
fn hands<B: WorldSet>(game: &Racing, set: &B) -> Vec<Vec<u32>> {
    let worlds = game.worlds();
    set.ones().map(|world| hand(worlds[world])).collect()
}

/// The value by each algorithm; all agree. Algorithms that cache nothing, or too little, give up
/// after `patience` visits; also said is which did.
fn value<V>(
    game: &Racing,
    valuation: &V,
    patience: u64,
    name: &str,
) -> (ElemOf<V::Lattice>, Vec<&'static str>)
where
    V: Valuation<RacingPosition, Lattice: DistributiveLattice>,
{
    let free = Budget::unlimited();
    let env = || Env::new(&free);
    let window = Window::full(valuation.lattice());
    let (g, v, w) = (game, valuation, &window);
    let first = minimax_cached(g, v, &mut env().with_store(Table::new()));
    let value = first.exact().expect("no limit").clone();
    let limited = || Budget::visits_at_most(patience);
    let limits = [limited(), limited(), limited()];
    let outcomes = [
        (
            "duo",
            alpha_beta_duo(g, v, w, &mut env().with_store(Table::new())),
        ),
        (
            "plain",
            alpha_beta_duo_plain(g, v, w, &mut env().with_store(Table::new())),
        ),
        (
            "published",
            alpha_beta_duo_published(g, v, w, &mut env().with_store(Table::new())),
        ),
        (
            "ABC",
            alpha_beta_cached(g, v, w, &mut Env::new(&limits[0]).with_store(Table::new())),
        ),
        (
            "AB",
            alpha_beta(g, v, w, FailSoft, &mut Env::new(&limits[1])),
        ),
        ("minimax", minimax(g, v, &mut Env::new(&limits[2]))),
    ];
    let mut gave_up = Vec::new();
    for (algorithm, outcome) in outcomes {
        if outcome.stop.is_none() {
            assert_eq!(outcome.exact(), Some(&value), "{name}: {algorithm}");
        } else {
            gave_up.push(algorithm);
            let leq = |a, b| valuation.lattice().leq(a, b, &free).expect("no limit");
            assert!(leq(outcome.value.lower(), &value), "{name}: {algorithm}");
            assert!(leq(&value, outcome.value.upper()), "{name}: {algorithm}");
        }
    }
    (value, gave_up)
}

/// Which algorithms give up on which case, in which lattice: no more and no fewer may, or the test
/// says less than it seems to.
const GAVE_UP: [(&str, &str, &[&str]); 7] = [
    ("r51", "families", &["minimax"]),
    ("r54", "families", &["minimax"]),
    ("r57", "families", &["AB", "minimax"]),
    ("r60", "powerset", &["minimax"]),
    ("r60", "families", &["ABC", "AB", "minimax"]),
    ("r63", "powerset", &["minimax"]),
    ("r63", "families", &["ABC", "AB", "minimax"]),
];

#[test]
fn known_answers_in_both_lattices() {
    let mut gave_up = Vec::new();
    for Case {
        id,
        name,
        game,
        hands: expected_hands,
        maximal_sets,
    } in cases()
    {
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let sets = HiddenSets::<_, FixedBitSet>::new(&listed, &stakes).expect("no limit");
        let (set, tired) = value(&game, &sets, 300_000, &name);
        gave_up.push((id.clone(), "powerset", tired));
        assert_eq!(json!(hands(&game, &set)), expected_hands, "{name}");
        let families = HiddenFamilies::<_, FixedBitSet>::new(&listed, &stakes).expect("no limit");
        let (family, tired) = value(&game, &families, 30_000, &name);
        gave_up.push((id, "families", tired));
        let mut maximal: Vec<_> = family.maximal().iter().map(|s| hands(&game, s)).collect();
        maximal.sort();
        assert_eq!(json!(maximal), maximal_sets, "{name}");
    }
    gave_up.retain(|(_, _, algorithms)| !algorithms.is_empty());
    let gave_up: Vec<(&str, &str, &[&str])> = gave_up
        .iter()
        .map(|(id, lattice, algorithms)| (&**id, *lattice, &**algorithms))
        .collect();
    assert_eq!(gave_up, GAVE_UP);
}

/// Perfect information: whether MAX wins against this hand of MIN, both seeing everything.
fn wins_against(game: &Racing, position: &RacingPosition, world: u64) -> bool {
    let sets = game.kind(position);
    let mut children = Vec::new();
    if sets != Kind::Leaf {
        game.children(position, &mut children);
    }
    let playable = |child: &&RacingPosition| child.min_played() & !world == 0;
    match sets {
        Kind::Leaf => position.max_tricks() >= game.goal(),
        Kind::Or => children
            .iter()
            .any(|child| wins_against(game, child, world)),
        Kind::And => children
            .iter()
            .filter(playable)
            .all(|child| wins_against(game, child, world)),
    }
}

#[test]
fn the_set_value_is_perfect_information_in_each_world() {
    for (deck, goal, cards, lead) in [
        (8, 2, &[2, 5, 7][..], 6),
        (9, 3, &[1, 4, 8, 9], 5),
        (10, 2, &[3, 6, 9], 8),
        (6, 3, &[4, 6], 1),
    ] {
        let game = Racing::new(deck, goal, cards, lead).expect("a fine deal");
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let sets = HiddenSets::<_, Words<1>>::new(&listed, &stakes).expect("few worlds");
        let (set, _) = value(&game, &sets, 300_000, "perfect information");
        for (world, &cards) in game.worlds().iter().enumerate() {
            let wins = wins_against(&game, &game.root(), cards);
            assert_eq!(WorldSet::contains(&set, world), wins, "{:?}", hand(cards));
        }
    }
}

/// Taking the union is a lattice homomorphism, so it maps the families value of every position to
/// its set value.
#[test]
fn the_union_of_the_families_value_is_the_set_value_everywhere() {
    let game = Racing::new(12, 3, &[2, 5, 8, 10], 6).expect("a fine deal");
    let listed = RacingHands::new(&game);
    let stakes = Stakes::all(&listed);
    let sets = HiddenSets::<_, Words<1>>::new(&listed, &stakes).expect("few worlds");
    let families = HiddenFamilies::<_, Words<1>>::new(&listed, &stakes).expect("few worlds");
    let free = Budget::unlimited();
    let mut of_sets = Env::new(&free).with_store(Table::new());
    minimax_cached(&game, &sets, &mut of_sets);
    let mut of_families = Env::new(&free).with_store(Table::new());
    minimax_cached(&game, &families, &mut of_families);
    let (mut todo, mut checked) = (vec![game.root()], std::collections::HashSet::new());
    while let Some(position) = todo.pop() {
        if game.kind(&position) == Kind::Leaf || !checked.insert(position) {
            continue;
        }
        let set = *of_sets
            .store
            .get(&position)
            .1
            .expect("every position is visited");
        let family = of_families
            .store
            .get(&position)
            .1
            .expect("every position is visited");
        let union = family.maximal().iter().fold(Words([0]), |mut all, set| {
            all.union_with(set);
            all
        });
        assert_eq!(union, set);
        game.children(&position, &mut todo);
    }
    assert!(checked.len() > 1000);
}

/// The known answers again, by questions. Where a value of several sets leaves too many to ask, the
/// bounds are true.
#[test]
fn the_families_value_by_thresholds() {
    let (mut all, mut first, mut stopped) = (0, 0, 0);
    for Case {
        name,
        game,
        maximal_sets,
        ..
    } in cases()
    {
        let listed = RacingHands::new(&game);
        let stakes = Stakes::all(&listed);
        let families = HiddenFamilies::<_, FixedBitSet>::new(&listed, &stakes).expect("no limit");
        let limited = Budget::new(Limits {
            visits: Some(3_000_000),
            steps: Some(3_000_000),
            ..Limits::default()
        });
        let solved = families_by_thresholds(&game, &families, &Tables, 512, &limited, &mut ());
        all += 1;
        first += u32::from(solved.first_decided);
        if let Some(family) = solved.outcome.exact() {
            let sets = family.maximal().iter();
            let mut maximal: Vec<_> = sets.map(|set| hands(&game, set)).collect();
            maximal.sort();
            assert_eq!(json!(maximal), maximal_sets, "{name}");
            assert_eq!(solved.first_decided, maximal.len() == 1, "{name}");
            continue;
        }
        stopped += 1;
        let free = Budget::unlimited();
        let mut env = Env::new(&free).with_store(Table::new());
        let value = minimax_cached(&game, &families, &mut env);
        let value = value.exact().expect("no limit");
        let leq = |a, b| families.lattice().leq(a, b, &free).expect("no limit");
        assert!(leq(solved.outcome.value.lower(), value), "{name}");
        assert!(leq(value, solved.outcome.value.upper()), "{name}");
    }
    assert_eq!(
        (first, stopped, all),
        (8, 1, 22),
        "decided by the first question, stopped, all"
    );
}

/// The deal that refutes counting MIN's cards per gap between MAX's: a uniform strategy may answer
/// two interchangeable cards differently.
#[test]
fn a_strategy_may_tell_interchangeable_cards_apart() {
    let game = Racing::new(17, 4, &[1, 2, 5, 8, 13, 14, 16], 12).expect("a fine deal");
    let listed = RacingHands::new(&game);
    let stakes = Stakes::all(&listed);
    let families = HiddenFamilies::<_, Words<2>>::new(&listed, &stakes).expect("few worlds");
    let free = Budget::unlimited();
    let mut env = Env::new(&free).with_store(Table::new());
    let outcome = minimax_cached(&game, &families, &mut env);
    let family = outcome.exact().expect("no limit");
    let sets = family.maximal().iter();
    let sets: Vec<_> = sets.map(|set| hands(&game, set)).collect();
    let mut sizes: Vec<_> = sets.iter().map(Vec::len).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(sizes, [23, 18, 18, 18, 18, 11, 11, 11, 11]);
    let solved = families_by_thresholds(&game, &families, &Tables, 512, &free, &mut ());
    assert_eq!(solved.outcome.exact(), Some(family));
    assert!(!solved.first_decided);
    // How many cards of a hand lie in each gap; the card led is the same in all hands.
    let class = |hand: &Vec<u32>| {
        [3..=4, 6..=7, 9..=11, 15..=15, 17..=17].map(|gap| {
            let inside = hand.iter().filter(|&card| gap.contains(card));
            inside.count()
        })
    };
    let all: Vec<Vec<u32>> = game.worlds().into_iter().map(hand).collect();
    let is_union_of_classes = |set: &Vec<Vec<u32>>| {
        all.iter()
            .all(|hand| set.contains(hand) || set.iter().all(|won| class(won) != class(hand)))
    };
    assert!(!sets.iter().all(is_union_of_classes));
}
