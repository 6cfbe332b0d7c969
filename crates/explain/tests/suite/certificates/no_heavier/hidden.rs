//! Random games with hidden cards in files: that no set of stakes is heavier is shown for the
//! greatest average of all strategies, which are tried one by one, and for nothing less.

use std::io::Cursor;

use meetjoin_check::NoHeavier;
use meetjoin_explain::verify;
use meetjoin_lattice::Budget;
use meetjoin_problems::Source;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{certified, heaviest};

/// A game that is drawn: its positions as a file has them.
struct Drawn {
    worlds: usize,
    most: u32,
    positions: Vec<Value>,
}

/// What strategies have in each world; where a world is not left, any points.
type Strategies = Vec<Vec<u32>>;

impl Drawn {
    fn name(world: usize) -> String {
        format!("w{world}")
    }

    /// Draws a position and all that comes after it, in which so many worlds are left; its number
    /// and what each strategy from there has.
    fn draw(&mut self, left: &[usize], depth: u32, rng: &mut ChaCha8Rng) -> (usize, Strategies) {
        let place = self.positions.len();
        self.positions.push(Value::Null);
        if depth == 0 || rng.random_bool(0.15) {
            let points: Vec<u32> = (0..self.worlds)
                .map(|_| rng.random_range(0..=self.most))
                .collect();
            self.positions[place] = json!({"id": place, "over": points});
            let of = |world| {
                if left.contains(&world) {
                    points[world]
                } else {
                    self.most
                }
            };
            return (place, vec![(0..self.worlds).map(of).collect()]);
        }
        if rng.random_bool(0.5) {
            let (mut moves, mut all) = (Vec::new(), Vec::new());
            for _ in 0..rng.random_range(1..3) {
                let (to, strategies) = self.draw(left, depth - 1, rng);
                moves.push(to);
                all.extend(strategies);
            }
            self.positions[place] = json!({"id": place, "max": moves});
            return (place, all);
        }
        // Each world has the first move or the second, and some have both.
        let first: Vec<usize> = left
            .iter()
            .copied()
            .filter(|_| rng.random_bool(0.6))
            .collect();
        let lacks = |world: &usize| !first.contains(world);
        let second = left
            .iter()
            .copied()
            .filter(|w| lacks(w) || rng.random_bool(0.4));
        let second: Vec<usize> = second.collect();
        let (mut moves, mut all) = (Vec::new(), vec![vec![self.most; self.worlds]]);
        for worlds in [first, second]
            .into_iter()
            .filter(|worlds| !worlds.is_empty())
        {
            let (to, strategies) = self.draw(&worlds, depth - 1, rng);
            let names: Vec<String> = worlds.into_iter().map(Self::name).collect();
            moves.push(json!({"to": to, "in": names}));
            let with = |one: &Vec<u32>, other: &Vec<u32>| -> Vec<u32> {
                one.iter().zip(other).map(|(a, b)| *a.min(b)).collect()
            };
            let pairs = all
                .iter()
                .flat_map(|one| strategies.iter().map(move |other| with(one, other)));
            all = pairs.collect();
        }
        self.positions[place] = json!({"id": place, "min": moves});
        (place, all)
    }
}

#[test]
fn the_greatest_average_of_random_hidden_games_is_shown_and_nothing_less() {
    let rng = &mut ChaCha8Rng::seed_from_u64(43);
    let (mut shown, mut weighed) = (0, 0);
    for _ in 0..300 {
        let worlds = rng.random_range(1..6);
        let mut drawn = Drawn {
            worlds,
            most: rng.random_range(1..4),
            positions: Vec::new(),
        };
        let all: Vec<usize> = (0..worlds).collect();
        let (start, strategies) = drawn.draw(&all, 4, rng);
        let mut weights: Vec<u64> = (0..worlds).map(|_| rng.random_range(0..7)).collect();
        weights[0] += 1;
        let draws = weights.iter().enumerate();
        let draws =
            draws.map(|(world, weight)| json!({"name": Drawn::name(world), "weight": weight}));
        let file = json!({
            "format": "meetjoin-problem/1", "game": "hidden", "lattice": {"type": "families"},
            "draws": draws.collect::<Vec<_>>(), "start": start, "positions": drawn.positions,
            "most_points": drawn.most,
        });
        let average = |points: &Vec<u32>| -> u64 {
            let points = points.iter().zip(&weights);
            points
                .map(|(points, weight)| u64::from(*points) * weight)
                .sum()
        };
        let best = strategies.iter().map(average).max().expect("a strategy");
        let source = Source::read(file.to_string().as_bytes()).expect("a problem");
        let digest = source.digest();
        let instance = source.instance().expect("a game");
        let found = heaviest(&*instance);
        assert_eq!(found.sets[0].0, best, "{file}");
        let write = |than: u64| {
            let weights = found.weights.clone();
            certified(&*instance, &digest, NoHeavier { than, weights })
        };
        let text = write(best).expect("true");
        let verified = verify(&*instance, Cursor::new(text), &Budget::unlimited()).expect("right");
        assert_eq!(
            (verified.answer, verified.no_heavier_than),
            (Some(true), Some(best))
        );
        shown += 1;
        if best > 0 {
            let error = write(best - 1).expect_err("not true");
            assert!(error.contains("some set weighs more than"), "{error}");
            weighed += 1;
        }
    }
    assert!(shown == 300 && weighed > 200, "{shown} {weighed}");
}
