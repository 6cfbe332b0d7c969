//! Golden hashes of what the generators draw, and the documented draw orders done again by hand.
//!
//! A hash that changes means that the same parameters and seed no longer make the same graph, so
//! published results no longer reproduce. That is allowed only with a new major version and a line
//! in `CHANGELOG.md`; a new hash alone is never the repair. The draws done by hand use nothing but
//! the words of the generator, so they also show which promise of the `rand` crate a change has
//! broken.

use std::collections::HashMap;
use std::fmt::Write;

use meetjoin_dag::{AndOrDag, Graph, HiddenSets, Kind, NodeId, Stakes, Valuation};
use meetjoin_games::{
    ChildOrder, Correlation, CriteriaParameters, CriteriaTree, LeafValues, Racing, RacingHands,
    RandomDag, RandomParameters, UniformParameters, UniformTree,
};
use meetjoin_lattice::{FixedBitSet, WorldSet};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// The first 16 hexadecimal digits of the SHA-256 of lines.
fn hash(lines: impl IntoIterator<Item = String>) -> String {
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update(line);
        hasher.update("\n");
    }
    let digits = hasher.finalize();
    digits[..8].iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string");
        text
    })
}

/// Numbers with spaces between them.
fn list<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|n| n.to_string()).collect();
    numbers.join(" ")
}

fn parameters(
    depth: u32,
    branching: u32,
    variables: u32,
    alternating: bool,
    seed: u64,
) -> RandomParameters {
    RandomParameters {
        depth,
        branching,
        variables,
        alternating,
        seed,
    }
}

/// A graph as text, one line a node: its letter, then its children or the variables of its set.
fn lines(dag: &RandomDag) -> impl Iterator<Item = String> {
    let graph: &Graph = dag.graph();
    let line = |node: NodeId| match graph.leaf_ordinal(node) {
        Some(ordinal) => format!("L {}", list(dag.leaf_set(ordinal))),
        None => format!("{} {}", letter(graph.kind(node)), list(&*graph.row(node))),
    };
    graph.nodes().map(line)
}

fn letter(kind: Kind) -> char {
    match kind {
        Kind::Leaf => 'L',
        Kind::And => 'A',
        Kind::Or => 'O',
    }
}

#[test]
fn random_graphs() {
    let golden = [
        (parameters(1, 1, 3, true, 1), "a5b275c36af5de98"),
        (parameters(1, 4, 70, false, 1), "c9e6ca12d174a98b"),
        (parameters(2, 1, 1, false, 0), "4a3c2250617ff746"),
        (parameters(5, 3, 5, true, 1), "9c50b30e4c731737"),
        (parameters(5, 3, 5, false, 1), "fef6740258a331fa"),
        (parameters(6, 9, 64, false, 2), "3854be29dcbe6c60"),
        (parameters(7, 4, 70, false, 3), "f04274e140de5192"),
        (parameters(7, 1, 128, true, u64::MAX), "c792cbb0b20bdd9f"),
        (parameters(9, 4, 8, true, 1), "a96d2fa4185ddbd9"),
        (parameters(10, 2, 0, false, 4), "2a480a9b20648f19"),
        (parameters(15, 4, 10, true, 1), "52a16ebaab2d91f5"),
        (parameters(15, 4, 10, true, 2), "355dd1afec1e686e"),
        (parameters(15, 4, 24, false, 1), "fb9f5410f0c011cb"),
        (parameters(15, 10, 10, true, 1), "c92420f8050cdb52"),
    ];
    let drawn = golden.map(|(parameters, _)| {
        let dag = RandomDag::new(parameters).expect("it fits");
        (parameters, hash(lines(&dag)))
    });
    assert_eq!(
        drawn.map(|(p, hash)| format!("{p:?} {hash}")),
        golden.map(|(p, hash)| format!("{p:?} {hash}"))
    );
}

#[test]
fn trees_with_several_criteria() {
    use Correlation::{AntiCorrelated, Correlated, Independent};
    let tree =
        |depth, branching, criteria, most, correlation, alternating, seed| CriteriaParameters {
            depth,
            branching,
            criteria,
            most,
            correlation,
            alternating,
            seed,
        };
    let golden = [
        (tree(0, 1, 1, 9, Independent, true, 1), "40c8ab31bc003105"),
        (tree(4, 3, 2, 9, Independent, true, 1), "d922b057e5a6f068"),
        (tree(4, 3, 2, 9, Independent, false, 1), "ea31f1b0b95ca8b9"),
        (tree(4, 3, 3, 100, Correlated, true, 2), "deb6610181aa1c8c"),
        (
            tree(4, 3, 3, 100, AntiCorrelated, true, 2),
            "2e81fb0740ce46e3",
        ),
        (
            tree(9, 2, 4, 1 << 30, AntiCorrelated, false, u64::MAX),
            "f9893f600ce9add2",
        ),
        (tree(9, 2, 4, 7, Correlated, false, 3), "e7afae45019a005b"),
    ];
    let drawn = golden.map(|(parameters, _)| {
        let tree = CriteriaTree::new(parameters).expect("it fits");
        let graph = tree.graph();
        let vectors: Vec<&[i64]> = tree.vectors().collect();
        let line = |node: NodeId| match graph.leaf_ordinal(node) {
            Some(ordinal) => format!("L {}", list(vectors[ordinal])),
            None => format!("{} {}", letter(graph.kind(node)), list(&*graph.row(node))),
        };
        (parameters, hash(graph.nodes().map(line)))
    });
    assert_eq!(
        drawn.map(|(p, hash)| format!("{p:?} {hash}")),
        golden.map(|(p, hash)| format!("{p:?} {hash}"))
    );
}

/// The documented draws of anti-correlated leaves, from the words of the generator.
#[test]
fn trees_with_several_criteria_drawn_by_hand() {
    for seed in 0..100 {
        let most = 1000;
        let tree = CriteriaTree::new(CriteriaParameters {
            depth: 2,
            branching: 2,
            criteria: 3,
            most,
            correlation: Correlation::AntiCorrelated,
            alternating: false,
            seed,
        });
        let tree = tree.expect("it fits");
        let mut draws = ByHand::seeded(seed);
        for node in 0..3 {
            let or = tree.graph().kind(NodeId::from(node)) == Kind::Or;
            assert_eq!(or, draws.bool());
        }
        for vector in tree.vectors() {
            let mut cuts = [draws.below(most + 1), draws.below(most + 1)];
            cuts.sort_unstable();
            let parts = [cuts[0], cuts[1] - cuts[0], most - cuts[1]];
            let s = most / 8;
            let expected = parts.map(|part| {
                let e = draws.below(2 * s + 1);
                (i64::from(part) + i64::from(e) - i64::from(s)).clamp(0, i64::from(most))
            });
            assert_eq!(vector, expected);
        }
    }
}

#[test]
fn uniform_trees() {
    use ChildOrder::{BestFirst, Random};
    use LeafValues::{Incremental, Independent};
    let tree = |depth, branching, values, most, ordering, seed| UniformParameters {
        depth,
        branching,
        values,
        most,
        ordering,
        seed,
    };
    let golden = [
        (tree(0, 1, Independent, 9, Random, 1), "029e98dce27b1e94"),
        (tree(4, 3, Independent, 9, Random, 1), "1ae46d59c35c10da"),
        (tree(4, 3, Independent, 9, BestFirst, 1), "24653dffacad26ec"),
        (tree(5, 4, Incremental, 100, Random, 2), "54e6b21d7a1d9bfa"),
        (
            tree(5, 4, Incremental, 100, BestFirst, 2),
            "49928aadb753c2a8",
        ),
        (
            tree(9, 2, Incremental, 1 << 30, BestFirst, u64::MAX),
            "bfae1f192143a950",
        ),
        (
            tree(2, 60, Independent, 1 << 30, BestFirst, 3),
            "ef93c3d2ccff604d",
        ),
    ];
    // One line a node: its letter, evaluation, value, and its children; for an inner node the
    // bounds with a slack of 1000 too.
    let drawn = golden.map(|(parameters, _)| {
        let tree = UniformTree::new(parameters).expect("it fits");
        let (graph, bounds) = (tree.graph(), tree.bounds(1000, parameters.seed));
        let line = |node: NodeId| {
            let place = node.index();
            let numbers = [tree.evaluations()[place], tree.values()[place]];
            let bounds = bounds.get(place).map(|&(lower, upper)| [lower, upper]);
            format!(
                "{} {} / {} / {}",
                letter(graph.kind(node)),
                list(numbers),
                list(&*graph.row(node)),
                list(bounds.into_iter().flatten())
            )
        };
        (parameters, hash(graph.nodes().map(line)))
    });
    assert_eq!(
        drawn.map(|(p, hash)| format!("{p:?} {hash}")),
        golden.map(|(p, hash)| format!("{p:?} {hash}"))
    );
}

/// The documented draws of uniform trees with two levels below the root, from the words of the
/// generator.
#[test]
fn uniform_trees_drawn_by_hand() {
    for seed in 0..200 {
        let (most, branching) = (1000, 3);
        let values = [LeafValues::Independent, LeafValues::Incremental][seed as usize % 2];
        let tree = UniformTree::new(UniformParameters {
            depth: 2,
            branching,
            values,
            most,
            ordering: ChildOrder::BestFirst,
            seed,
        });
        let tree = tree.expect("it fits");
        let mut draws = ByHand::seeded(seed);
        let leaves: Vec<i64> = match values {
            LeafValues::Independent => (0..9).map(|_| i64::from(draws.below(most + 1))).collect(),
            LeafValues::Incremental => {
                let mut edge = |_| i64::from(draws.below(2 * most + 1)) - i64::from(most);
                let edges: Vec<i64> = (0..12).map(&mut edge).collect();
                assert_eq!(tree.evaluations()[1..4], edges[..3]);
                (0..9)
                    .map(|leaf| edges[leaf / 3] + edges[3 + leaf])
                    .collect()
            }
        };
        assert_eq!(tree.leaves(), leaves);
        let lowest = |leaves: &[i64]| leaves.iter().copied().fold(i64::MAX, i64::min);
        let replies: Vec<i64> = leaves.chunks(3).map(lowest).collect();
        let root = replies.iter().copied().fold(i64::MIN, i64::max);
        let worth = [&[root], &*replies, &*leaves].concat();
        assert_eq!(tree.values(), worth);
        for node in 0..4_u32 {
            let mut row: Vec<u32> = (3 * node + 1..3 * node + 4).collect();
            row.sort_by_key(|&child| worth[child as usize] * if node == 0 { -1 } else { 1 });
            if draws.below(10) < 3 {
                let place = draws.below(branching);
                row.swap(0, place as usize);
            }
            assert_eq!(list(&*tree.graph().row(NodeId::from(node))), list(row));
        }
    }
}

/// The documented draws of bounds, before they are made consistent: those of the root are never
/// changed.
#[test]
fn bounds_of_uniform_trees_drawn_by_hand() {
    for seed in 0..100 {
        let tree = UniformTree::new(UniformParameters {
            depth: 2,
            branching: 2,
            values: LeafValues::Incremental,
            most: 1000,
            ordering: ChildOrder::Random,
            seed,
        });
        let tree = tree.expect("it fits");
        let mut words = ChaCha8Rng::seed_from_u64(seed);
        words.set_stream(1);
        let bounds = tree.bounds(99, seed);
        let mut root_upper = i64::MAX;
        for node in 0..3 {
            let mut away = || i64::from((u64::from(words.next_u32()) * 100 / (1 << 32)) as u32);
            let value = tree.values()[node];
            let (upper, lower) = (value + away(), value - away());
            // The root is MAX's: no child may have a higher upper bound.
            let expected = (lower, upper.min(root_upper));
            assert_eq!(bounds[node], expected);
            root_upper = root_upper.min(bounds[0].1);
        }
    }
}

#[test]
fn racing_deals() {
    let golden = [
        ((2, 1), "b8d3678960f9f7f6"),
        ((14, 5), "1cc9dca47d8aa5ec"),
        ((20, 7), "2fd5195983be281e"),
        ((52, 13), "5206c51c2c540c40"),
        ((64, 32), "80dfd9058f38f89b"),
    ];
    let drawn = golden.map(|(deal, _)| {
        let seeds = (0..1000).chain([u64::MAX]);
        let line = |seed| {
            let game = Racing::random(deal.0, 3, deal.1, seed).expect("a fine deal");
            format!("{} lead {}", list(game.hand()), game.lead())
        };
        (deal, hash(seeds.map(line)))
    });
    assert_eq!(drawn.each_ref().map(|(d, h)| (*d, &**h)), golden);
}

#[test]
fn racing_worlds() {
    let game = Racing::new(20, 5, &[2, 4, 9, 13, 15, 16, 17], 7).expect("a fine deal");
    let cards = |set: &u64| list((1..=64).filter(|c| set >> (c - 1) & 1 == 1));
    let worlds = game.worlds();
    assert_eq!(cards(&worlds[0]), "1 3 5 6 7 8 10");
    assert_eq!(hash(worlds.iter().map(cards)), "5fc76f9e4b8f6684");
}

/// All positions of a deal as text, breadth first: letter, and the numbers of the children or the
/// worlds of the leaf.
fn positions(game: &Racing) -> Vec<String> {
    let listed = RacingHands::new(game);
    let stakes = Stakes::all(&listed);
    let sets = HiddenSets::<_, FixedBitSet>::new(&listed, &stakes).expect("no limit");
    let mut found = vec![game.root()];
    let mut numbers = HashMap::from([(game.root(), 0)]);
    let mut lines = Vec::new();
    while let Some(&position) = found.get(lines.len()) {
        let kind = game.kind(&position);
        let mut children = Vec::new();
        lines.push(if kind == Kind::Leaf {
            let worlds = sets.leaf(&position);
            format!("L {}", list(WorldSet::ones(&worlds)))
        } else {
            game.children(&position, &mut children);
            let number = |child| {
                *numbers.entry(child).or_insert_with(|| {
                    found.push(child);
                    found.len() - 1
                })
            };
            let row = list(children.into_iter().map(number));
            format!("{} {row}", letter(kind))
        });
    }
    lines
}

#[test]
fn racing_graphs() {
    let golden = [
        ((6, 2, &[2, 6][..], 3), 13, "18121f26b2ba0dcc"),
        ((14, 3, &[1, 5, 8, 11, 13], 9), 8125, "ecae513dce2a15a4"),
        ((10, 5, &[3, 5, 6, 10], 1), 574, "3a4bec13675f4b43"),
    ];
    let found = golden.map(|(deal, ..)| {
        let (deck, goal, hand, lead) = deal;
        let game = Racing::new(deck, goal, hand, lead).expect("a fine deal");
        let lines = positions(&game);
        (deal, lines.len(), hash(lines))
    });
    let found = found.each_ref().map(|(d, count, h)| (*d, *count, &**h));
    assert_eq!(found, golden);
}

/// The generator, word by word: how the documented draws come from 32 bits at a time.
struct ByHand(ChaCha8Rng);

impl ByHand {
    fn seeded(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The highest bit of a word.
    fn bool(&mut self) -> bool {
        self.0.next_u32() >> 31 == 1
    }

    /// Two words, the lower half first.
    fn u64(&mut self) -> u64 {
        let low = u64::from(self.0.next_u32());
        low | u64::from(self.0.next_u32()) << 32
    }

    /// The upper word of a product with the size of the range. Where the next 32 bits of the
    /// fraction could still carry into it, they are drawn too (Canon's method).
    fn below(&mut self, size: u32) -> u32 {
        let product = u64::from(self.0.next_u32()) * u64::from(size);
        let (upper, lower) = (product >> 32, product & u64::from(u32::MAX));
        if lower <= u64::from(size.wrapping_neg()) {
            return upper as u32;
        }
        let more = (u64::from(self.0.next_u32()) * u64::from(size)) >> 32;
        (upper + ((lower + more) >> 32)) as u32
    }
}

/// The text of a random graph, drawn by hand for the layers with these sizes.
fn drawn_by_hand(layers: &[u32], parameters: &RandomParameters) -> Vec<String> {
    let mut rng = ByHand::seeded(parameters.seed);
    let mut lines = Vec::new();
    let mut next_start = 0;
    for (layer, pair) in layers.windows(2).enumerate() {
        next_start += pair[0];
        for _ in 0..pair[0] {
            let or = if parameters.alternating {
                layer % 2 == 0
            } else {
                rng.bool()
            };
            let mut children = Vec::new();
            while children.len() < parameters.branching.min(pair[1]) as usize {
                let child = next_start + rng.below(pair[1]);
                if !children.contains(&child) {
                    children.push(child);
                }
            }
            let letter = if or { 'O' } else { 'A' };
            lines.push(format!("{letter} {}", list(children)));
        }
    }
    for _ in 0..layers[layers.len() - 1] {
        let mut set = Vec::new();
        for start in (0..parameters.variables).step_by(64) {
            let word = rng.u64();
            let last = parameters.variables.min(start + 64);
            set.extend((start..last).filter(|i| word >> (i - start) & 1 == 1));
        }
        lines.push(format!("L {}", list(set)));
    }
    lines
}

#[test]
fn random_graphs_drawn_by_hand() {
    // The last is large enough that some draws take the second word.
    let exponents: [&[u32]; 4] = [
        &[0],
        &[0, 1, 2, 3, 3],
        &[0, 1, 2, 3, 4, 4],
        &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 10, 9, 8],
    ];
    let layers = exponents.map(|list| list.iter().map(|&e| 3_u32.pow(e)).collect::<Vec<_>>());
    for (layers, branching, variables) in [
        (&layers[0], 1, 70),
        (&layers[1], 3, 5),
        (&layers[1], 30, 64),
        (&layers[2], 4, 65),
        (&layers[3], 4, 130),
    ] {
        for (alternating, seed) in [(true, 1), (false, 1), (true, 99), (false, u64::MAX)] {
            let depth = layers.len() as u32;
            let parameters = parameters(depth, branching, variables, alternating, seed);
            let dag = RandomDag::new(parameters).expect("it fits");
            let lines: Vec<String> = lines(&dag).collect();
            assert!(
                lines == drawn_by_hand(layers, &parameters),
                "{parameters:?}"
            );
        }
    }
}

#[test]
fn racing_deals_drawn_by_hand() {
    for (deck, held) in [(2, 1), (9, 4), (20, 7), (64, 32)] {
        for seed in 0..200 {
            let mut rng = ByHand::seeded(seed);
            let mut row: Vec<u8> = (1..=deck).collect();
            for place in 0..held {
                let drawn = place + rng.below(u32::from(deck) - place);
                row.swap(place as usize, drawn as usize);
            }
            let lead = held + rng.below(u32::from(deck) - held);
            let hand = &row[..held as usize];
            let expected = Racing::new(deck, 1, hand, row[lead as usize]);
            assert_eq!(Racing::random(deck, 1, held as u8, seed), expected);
        }
    }
}
