//! Games with hidden cards against all strategies: random public trees with worlds by move, whose
//! values are found by trying every strategy of MAX in every world.
//!
//! The long form: `cargo test --release -p meetjoin-families --test suite -- --ignored
//! ten_thousand`.

use meetjoin_check::{Certificate, check};
use meetjoin_dag::hidden::listed::listed;
use meetjoin_dag::{
    HiddenFamilies, HiddenGame, HiddenSets, HiddenTree, HiddenTreeBuilder, NodeId, NodeName,
    Played, SeesAll as _, Stakes, Valuation,
};
use meetjoin_families::alpha_mu::{families_to_depth, to_depth};
use meetjoin_families::families::Memory;
use meetjoin_families::heaviest::{Wanted, heaviest_of};
use meetjoin_families::perfect_information::{HiddenBounds, Together};
use meetjoin_families::{families_by_thresholds, solve_families};
use meetjoin_lattice::{Antichain, AnyElem, Budget, Families, Interval, Lattice, Words, WorldSet};
use meetjoin_search::certify::by_bounds;
use meetjoin_search::strategy::{Guarantees, strategy};
use meetjoin_search::{Duo, Env, Table, Tables, Window, alpha_beta_duo, minimax};

type Set = Words<1>;

/// Numbers that look random, the same for a seed everywhere.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % most
    }
}

/// A node as the test has it: moves with the worlds in which they are possible, as bits.
enum Node {
    Max(Vec<usize>),
    Min(Vec<(usize, u32)>),
    Over(Vec<u32>),
}

/// A game as the test has it, the root first.
struct Drawn {
    nodes: Vec<Node>,
    weights: Vec<u64>,
    most: u32,
}

impl Drawn {
    /// A game with at most so many strategies of MAX.
    fn new(seed: u64, strategies: usize) -> Self {
        let mut draws = Draws(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        loop {
            let game = Self::draw(&mut draws);
            if game.strategy_count() <= strategies {
                return game;
            }
        }
    }

    fn draw(draws: &mut Draws) -> Self {
        let (worlds, most) = (1 + draws.below(5), 1 + draws.below(3) as u32);
        let weights = (0..worlds).map(|_| draws.below(6) as u64);
        let mut game = Self {
            weights: weights.collect(),
            nodes: Vec::new(),
            most,
        };
        game.weights[0] += 1;
        let depth = 1 + draws.below(6);
        game.nodes.push(Node::Over(Vec::new()));
        let mut open = vec![(0, (1_u32 << worlds) - 1, depth)];
        while let Some((place, left, depth)) = open.pop() {
            let is_over = depth == 0 || place > 0 && draws.below(6) == 0;
            if is_over || game.nodes.len() > 60 {
                let points = (0..worlds).map(|_| draws.below(most as usize + 1) as u32);
                game.nodes[place] = Node::Over(points.collect());
                continue;
            }
            let count = 1 + draws.below(3);
            let first = game.nodes.len();
            game.nodes
                .extend((0..count).map(|_| Node::Over(Vec::new())));
            game.nodes[place] = if draws.below(2) == 0 {
                open.extend((first..first + count).map(|next| (next, left, depth - 1)));
                Node::Max((first..first + count).collect())
            } else {
                let mut moves: Vec<(usize, u32)> = (first..first + count)
                    .map(|next| (next, left & draws.below(1 << worlds) as u32))
                    .collect();
                // Each world that is left has a move, and each move a world.
                for world in (0..worlds).filter(|world| left >> world & 1 == 1) {
                    if moves.iter().all(|(_, allowed)| allowed >> world & 1 == 0) {
                        let some = draws.below(count);
                        moves[some].1 |= 1 << world;
                    }
                }
                for (_, allowed) in &mut moves {
                    if *allowed == 0 {
                        *allowed = left;
                    }
                }
                open.extend(
                    moves
                        .iter()
                        .map(|(next, worlds)| (*next, *worlds, depth - 1)),
                );
                Node::Min(moves)
            };
        }
        game
    }

    fn strategy_count(&self) -> usize {
        let choices = self.nodes.iter().map(|node| match node {
            Node::Max(moves) => moves.len(),
            _ => 1,
        });
        choices.fold(1, usize::saturating_mul)
    }

    /// What MAX has in a world by a strategy, a choice for each of her nodes, against the worst
    /// that MIN can do.
    fn worst(&self, place: usize, world: usize, strategy: &[usize]) -> u32 {
        match &self.nodes[place] {
            Node::Over(points) => points[world],
            Node::Max(moves) => self.worst(moves[strategy[place]], world, strategy),
            Node::Min(moves) => {
                let possible = moves.iter().filter(|(_, worlds)| worlds >> world & 1 == 1);
                let worst = possible.map(|(next, _)| self.worst(*next, world, strategy));
                worst.min().expect("a move in each world")
            }
        }
    }

    /// What she has if she sees the world.
    fn seen(&self, place: usize, world: usize) -> u32 {
        match &self.nodes[place] {
            Node::Over(points) => points[world],
            Node::Max(moves) => {
                let after = moves.iter().map(|next| self.seen(*next, world));
                after.max().expect("a move")
            }
            Node::Min(moves) => {
                let possible = moves.iter().filter(|(_, worlds)| worlds >> world & 1 == 1);
                let worst = possible.map(|(next, _)| self.seen(*next, world));
                worst.min().expect("a move in each world")
            }
        }
    }

    /// What she has in each world, by each of her strategies.
    fn by_strategy(&self) -> Vec<Vec<u32>> {
        let mut strategy = vec![0; self.nodes.len()];
        let mut all = Vec::new();
        loop {
            let worlds = 0..self.weights.len();
            all.push(worlds.map(|w| self.worst(0, w, &strategy)).collect());
            // Like counting.
            let mut next = None;
            for (place, node) in self.nodes.iter().enumerate() {
                if let Node::Max(moves) = node {
                    if strategy[place] + 1 < moves.len() {
                        next = Some(place);
                        break;
                    }
                    strategy[place] = 0;
                }
            }
            match next {
                Some(place) => strategy[place] += 1,
                None => return all,
            }
        }
    }

    /// The same game for the library.
    fn tree(&self) -> HiddenTree {
        let worlds = self.weights.len();
        let names = (0..worlds).map(|world| format!("w{world}"));
        let mut game = HiddenTreeBuilder::new(names).expect("names differ");
        game.weights(self.weights.clone()).expect("one a world");
        game.most_points(self.most);
        let name = |place: usize| NodeName::from(place.to_string().as_str());
        for (place, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Over(points) => game.over(name(place), points.clone()),
                Node::Max(moves) => game.max(name(place), moves.iter().map(|next| name(*next))),
                Node::Min(moves) => {
                    let moves = moves.iter().map(|(next, allowed)| {
                        let worlds = (0..worlds).filter(|w| allowed >> w & 1 == 1);
                        (name(*next), Some(worlds.collect()))
                    });
                    game.min(name(place), moves)
                }
            }
            .expect("a tree");
        }
        let built = game.build(name(0), &Budget::unlimited());
        built.expect("a game")
    }
}

/// The stakes that points in each world win.
fn won(stakes: &Stakes, points: &[u32]) -> u64 {
    let all = stakes.iter().enumerate();
    let won = all.filter(|(_, stake)| points[stake.world] > stake.more_than);
    won.fold(0, |set, (place, _)| set | 1 << place)
}

/// The largest of these sets, ascending.
fn largest(mut sets: Vec<u64>) -> Vec<u64> {
    sets.sort_unstable();
    sets.dedup();
    let all = sets.clone();
    sets.retain(|set| all.iter().all(|other| set == other || set & !other != 0));
    sets
}

fn words(family: &Antichain<Set>) -> Vec<u64> {
    let mut words: Vec<u64> = family.maximal().iter().map(|set| set.0[0]).collect();
    words.sort_unstable();
    words
}

/// One game with these stakes, by every way.
fn compare(drawn: &Drawn, game: &HiddenTree, stakes: &Stakes, by_strategy: &[Vec<u32>]) {
    let free = Budget::unlimited();
    let expected = largest(by_strategy.iter().map(|p| won(stakes, p)).collect());
    let dag = Played(game);
    let values = HiddenFamilies::<_, Set>::new(&game, stakes).expect("few worlds");
    let families: &Families<Set> = values.lattice();
    let sets = values.as_sets();

    let seen: Vec<u32> = (0..game.worlds()).map(|w| drawn.seen(0, w)).collect();
    let with_sets = minimax(&dag, sets, &mut Env::new(&free));
    let union = won(stakes, &seen);
    assert_eq!(
        with_sets.exact(),
        Some(&Words([union])),
        "when she sees all"
    );
    let value = minimax(&dag, &values, &mut Env::new(&free));
    let value = value.exact().expect("no limit").clone();
    assert_eq!(words(&value), expected, "minimax");
    let known = || HiddenBounds::<_, Set>::new(sets);
    assert_eq!(
        known().seen(&game.start(), &free),
        Ok(Some(Words([union]))),
        "perfect information"
    );

    let window = Window::full(families);
    let duo = alpha_beta_duo(&dag, &values, &window, &mut Env::new(&free));
    assert_eq!(duo.exact(), Some(&value), "alpha-beta duo");
    let env = Env::new(&free).with_store(Table::default());
    let mut env = env.with_heuristic(known());
    let duo = alpha_beta_duo(&dag, &values, &window, &mut env);
    assert_eq!(duo.exact(), Some(&value), "with perfect information");
    let mut memory = Memory::new(&Tables);
    let default = Duo::default();
    let solved = solve_families(&dag, &values, &mut memory, &Tables, default, &free, &mut ());
    assert_eq!(solved.exact(), Some(&value), "the default");
    let asked = families_by_thresholds(&dag, &values, &Tables, 512, &free, &mut ());
    assert_eq!(asked.outcome.exact(), Some(&value), "by thresholds");

    let weights = stakes.weights(game).expect("small");
    let weight = |set: &u64| weights.of_set(&Words([*set]));
    let most = expected.iter().map(weight).max().unwrap_or(0);
    let wanted = Wanted::most(1);
    let env = || Env::new(&free).with_store(Tables);
    let heaviest = [
        heaviest_of(&dag, &values, &weights, wanted, env()),
        heaviest_of(
            &dag,
            &values,
            &weights,
            wanted,
            env().with_heuristic(known()),
        ),
    ];
    for found in &heaviest {
        assert_eq!((found.sets[0].0, found.bound), (most, most), "heaviest");
        let set = found.sets[0].1.0[0];
        assert_eq!(weight(&set), most);
        assert!(expected.contains(&set), "a set of the value");
    }
    if stakes.len() == game.worlds() * drawn.most as usize {
        let average = by_strategy.iter().map(|points| {
            let worlds = points.iter().zip(&drawn.weights);
            worlds.map(|(p, weight)| u64::from(*p) * weight).sum()
        });
        assert_eq!(average.max(), Some(most), "the greatest average");
    }

    for depth in [0, 1, 2, 3, 8] {
        let plain = families_to_depth(&dag, &values, depth, &Tables, &free, &mut ());
        let with = to_depth(&dag, &values, depth, known(), &Tables, &free, ());
        for estimate in [plain, with] {
            let bounds = &estimate.outcome.value;
            let leq = |a, b| families.leq(a, b, &free).expect("no limit");
            assert!(leq(bounds.lower(), &value) && leq(&value, bounds.upper()));
            // No path has more moves.
            assert!(depth < 8 || estimate.is_exact());
            assert!(!estimate.is_exact() || *bounds.upper() == value);
        }
    }

    let claim = |set: u64| families.principal(Words([set]));
    let holds = |set: u64| {
        let mut guarantees = Guarantees::new(&dag, &values, claim(set), known(), &Tables);
        let found = strategy(&dag, &mut guarantees, &mut (), &free).expect("no limit");
        if let Some(found) = &found {
            assert_eq!(found.check(&dag, &values, &claim(set)), Ok(()));
        }
        found.is_some()
    };
    for &set in &expected {
        assert!(holds(set), "a strategy for each set");
        for place in (0..stakes.len()).filter(|place| set >> place & 1 == 0) {
            assert!(!holds(set | 1 << place), "and none for more");
        }
    }
    certified(game, stakes, &expected);
}

/// The problem with all its nodes has the value, and a certificate of it passes.
fn certified(game: &HiddenTree, stakes: &Stakes, expected: &[u64]) {
    let free = Budget::unlimited();
    let problem = listed(game, stakes, true, &free).expect("a small game");
    let of_words = problem.clone().try_map(
        Families::<Set>::of_worlds(stakes.len()).expect("few"),
        |value| match value {
            AnyElem::SmallFamily(family) => Ok(family),
            other => Err(other),
        },
    );
    let of_words = of_words.expect("families");
    let shown = by_bounds(&of_words, &of_words, &mut (), &free).expect("no limit");
    let values = shown.values.into_iter().map(AnyElem::SmallFamily);
    let mut certificate = Certificate::new("random".to_owned(), None, values.collect());
    for step in shown.steps {
        certificate.push(step.lower, step.upper, step.bound, step.children);
    }
    let sorted = certificate.sorted();
    let checked = check(&problem, &problem, &mut &problem, &sorted, &free).expect("it is right");
    let Some(AnyElem::SmallFamily(lower)) = &checked.lower else {
        panic!("a family")
    };
    assert_eq!(words(lower), expected);
    assert_eq!(checked.lower, checked.upper);
}

/// The games of these seeds: points, one goal, and two goals at once.
fn compare_all(seeds: std::ops::Range<u64>) {
    let (games, mut blind, mut several) = (seeds.end - seeds.start, 0, 0);
    for seed in seeds {
        let drawn = Drawn::new(seed, 300);
        let game = drawn.tree();
        let by_strategy = drawn.by_strategy();
        let goal = 1 + seed as u32 % drawn.most;
        let all = Stakes::all(&game);
        compare(&drawn, &game, &all, &by_strategy);
        let sets = largest(by_strategy.iter().map(|p| won(&all, p)).collect());
        let union = sets.iter().fold(0, |union, set| union | set);
        blind += u64::from(!sets.contains(&union));
        several += u64::from(sets.len() > 2);
        compare(&drawn, &game, &Stakes::goal(&game, goal), &by_strategy);
        let ends = |more_than| more_than == 0 || more_than + 1 == drawn.most;
        let two = Stakes::only(&game, |stake| ends(stake.more_than));
        compare(&drawn, &game, &two, &by_strategy);
    }
    // In many of them it matters that she does not see.
    assert!(blind > games / 10, "{blind} of {games}");
    assert!(several > games / 50, "{several} of {games}");
}

#[test]
fn every_way_finds_what_trying_all_strategies_finds() {
    compare_all(0..300);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_games_against_all_strategies() {
    compare_all(0..10_000);
}

/// Bounds are true at every position of a game, of sets, of families, and of their heavy parts.
#[test]
fn what_perfect_information_says_is_true_of_every_position() {
    let free = Budget::unlimited();
    let (mut exact, mut open) = (0, 0);
    for seed in 0..300 {
        let game = Drawn::new(seed, 300).tree();
        let stakes = Stakes::all(&game);
        let values = HiddenFamilies::<_, Set>::new(&game, &stakes).expect("few worlds");
        let dag = Played(&game);
        let mut known = HiddenBounds::<_, Set>::new(values.as_sets());
        for node in (0..game.graph().node_count()).map(|node| NodeId::from(node as u32)) {
            let from = meetjoin_dag::Rooted {
                dag: &dag,
                root: node,
            };
            let value = minimax(&from, &values, &mut Env::new(&free));
            let value = value.exact().expect("no limit");
            let bounds =
                meetjoin_dag::Heuristic::bounds(&mut known, values.lattice(), &node, &free);
            let bounds: Interval<Antichain<Set>> = bounds.expect("no limit").expect("bounds");
            let leq = |a, b| values.lattice().leq(a, b, &free).expect("no limit");
            assert!(leq(bounds.lower(), value) && leq(value, bounds.upper()));
            match bounds.exact() {
                Some(_) => exact += 1,
                None => open += 1,
            }
        }
    }
    assert!(exact > 1000 && open > 100, "{exact} exact, {open} open");
}

#[test]
fn only_what_counts_is_asked_for() {
    let game = Drawn::new(7, 300).tree();
    let stakes = Stakes::all(&game);
    let sets = HiddenSets::<_, Set>::new(&game, &stakes).expect("few worlds");
    let free = Budget::unlimited();
    let mut known = Together::from(&sets);
    let mut won = |universe: Option<&Set>| {
        let seen = known.seen(&game.start(), universe, &free);
        seen.expect("no limit").expect("something").won
    };
    let all = won(None);
    assert!(all.count() > 1);
    let one = Words([1 << all.ones().next().expect("a stake")]);
    assert_eq!(won(Some(&one)), one);
    assert_eq!(won(Some(&Words([0]))), Words([0]));
}
