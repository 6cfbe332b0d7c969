//! Plans of racing, played by the rules alone: in every hand that a plan claims, against every card
//! that MIN can play from it.

use meetjoin_catalogue::method::DEFAULT;
use meetjoin_dag::Kind;
use meetjoin_explain::{Strategy, StrategyRequest, strategy};
use meetjoin_games::Racing;
use meetjoin_lattice::{Budget, Interval};
use meetjoin_problems::games::racing::racing;
use meetjoin_problems::games::words::SetLattice;
use meetjoin_solve::{Instance, Request, Side, StrategyNode, Value};

/// Where the plan is, and what everybody holds.
#[derive(Clone)]
struct Table {
    place: usize,
    max: Vec<u8>,
    min: Vec<u8>,
    tricks: [u8; 2],
    led: Option<u8>,
    max_moves: bool,
}

impl Table {
    fn play(&self, card: u8, place: usize) -> Self {
        let mut next = self.clone();
        next.place = place;
        let held = if self.max_moves {
            &mut next.max
        } else {
            &mut next.min
        };
        let at = held.iter().position(|other| *other == card);
        held.remove(at.expect("a card that is held"));
        if let Some(led) = next.led.take() {
            let max_wins = (card > led) == self.max_moves;
            next.tricks[usize::from(!max_wins)] += 1;
            next.max_moves = max_wins;
        } else {
            next.led = Some(card);
            next.max_moves = !self.max_moves;
        }
        next
    }
}

/// Plays a plan against every card from this hand. A plan that has no card for MAX any more lets
/// her play each.
fn lines(game: &Racing, nodes: &[StrategyNode], hand: u64) -> u64 {
    let lead = game.lead();
    let min = (1..=game.deck()).filter(|card| hand >> (card - 1) & 1 == 1 && *card != lead);
    let mut open = vec![Table {
        place: 0,
        max: game.hand().to_vec(),
        min: min.collect(),
        tricks: [0, 0],
        led: Some(lead),
        max_moves: true,
    }];
    let mut lines = 0;
    while let Some(table) = open.pop() {
        let [won, lost] = table.tricks;
        let over = won.max(lost) == game.goal() || (table.max.is_empty() && table.led.is_none());
        if over {
            assert_eq!(won, game.goal(), "{}", nodes[table.place].name.text);
            lines += 1;
            continue;
        }
        let node = &nodes[table.place];
        let plays = if table.max_moves {
            &table.max
        } else {
            &table.min
        };
        if node.next.is_empty() {
            open.extend(plays.iter().map(|card| table.play(*card, table.place)));
            continue;
        }
        assert_eq!(node.kind == Kind::Or, table.max_moves);
        let follow = |card: &u8| {
            node.next
                .iter()
                .find(|follow| follow.by == card.to_string())
        };
        if table.max_moves {
            let [follow] = node.next.as_slice() else {
                panic!("MAX has one card")
            };
            let card = follow.by.parse().expect("a card");
            open.push(table.play(card, follow.to));
        } else {
            open.extend(plays.iter().map(|card| {
                let follow = follow(card);
                let follow = follow.unwrap_or_else(|| panic!("no answer to {card}"));
                table.play(*card, follow.to)
            }));
        }
    }
    lines
}

fn planned(instance: &dyn Instance, value: &Interval<Value>, of: &str, stated: bool) -> Strategy {
    let free = Budget::unlimited();
    let request = StrategyRequest {
        side: Side::Max,
        of: Some(of),
        stated,
        budget: &free,
    };
    strategy(instance, value, &request).unwrap_or_else(|error| panic!("{of}: {error}"))
}

fn as_json(hands: &[usize]) -> String {
    let hands: Vec<String> = hands.iter().map(|hand| (hand + 1).to_string()).collect();
    format!("[{}]", hands.join(","))
}

/// Whether two cards of MIN with none of MAX's between them are answered apart.
fn tells_cards_apart(game: &Racing, plan: &Strategy) -> bool {
    let replies = plan.nodes.iter().filter(|node| node.kind == Kind::And);
    let mut pairs = replies.flat_map(|node| node.next.windows(2));
    pairs.any(|pair| {
        let cards = pair.iter().map(|follow| follow.by.parse().expect("a card"));
        let cards: Vec<u8> = cards.collect();
        let (low, high) = (cards[0].min(cards[1]), cards[0].max(cards[1]));
        let neighbours = !game.hand().iter().any(|card| (low..high).contains(card));
        neighbours && pair[0].to != pair[1].to
    })
}

/// What the tests count.
#[derive(Debug, Default)]
struct Counts {
    plans: usize,
    positions: usize,
    lines: u64,
    /// Plans that tell interchangeable cards apart.
    apart: usize,
}

/// Plays out a plan for each world, or set of worlds, that the value has.
fn play_out(game: &Racing, lattice: SetLattice, counts: &mut Counts) {
    let hands = game.worlds();
    let instance = racing(game.clone(), lattice);
    let free = Budget::unlimited();
    let answer = instance
        .solve(Request::new(DEFAULT, &free))
        .expect("solved");
    let value = &answer.root.value;
    let Some(Value::Sets { sets, .. }) = value.exact() else {
        panic!("sets of hands")
    };
    let claims: Vec<(String, Vec<usize>)> = match lattice {
        SetLattice::Powerset => {
            let worlds = sets.iter().flatten();
            worlds
                .map(|world| (as_json(&[*world]), vec![*world]))
                .collect()
        }
        SetLattice::Families => {
            let claim = |set: &Vec<usize>| (format!("[{}]", as_json(set)), set.clone());
            sets.iter().map(claim).collect()
        }
    };
    for (of, worlds) in claims {
        for stated in [true, false] {
            let plan = planned(&*instance, value, &of, stated);
            for world in &worlds {
                counts.lines += lines(game, &plan.nodes, hands[*world]);
            }
            let dot = plan.dot();
            assert!(!plan.text().is_empty() && dot.starts_with("digraph"));
            let mut edges: Vec<&str> = dot.lines().filter(|line| line.contains("->")).collect();
            let all = edges.len();
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(
                edges.len(),
                all,
                "one line for all cards that lead to one place"
            );
            counts.plans += 1;
            counts.positions += plan.nodes.len();
            counts.apart += usize::from(tells_cards_apart(game, &plan));
        }
    }
}

#[test]
fn plans_beat_every_hand_that_they_claim() {
    let mut counts = Counts::default();
    let deals = (0..80).map(|seed| (8, 2, 4, seed));
    let deals = deals.chain((0..60).map(|seed| (9, 3, 4, seed)));
    let deals = deals.chain((0..40).map(|seed| (10, 1, 3, seed)));
    for (deck, goal, held, seed) in deals.chain((0..30).map(|seed| (11, 3, 5, seed))) {
        let game = Racing::random(deck, goal, held, seed).expect("a deal");
        for lattice in [SetLattice::Powerset, SetLattice::Families] {
            play_out(&game, lattice, &mut counts);
        }
    }
    println!("{counts:?}");
    assert!(counts.plans > 1000 && counts.lines > 100_000, "{counts:?}");
}

/// The deal that refutes counting MIN's cards per gap between MAX's.
#[test]
fn a_plan_may_tell_interchangeable_cards_apart() {
    let game = Racing::new(17, 4, &[1, 2, 5, 8, 13, 14, 16], 12).expect("a deal");
    let mut counts = Counts::default();
    play_out(&game, SetLattice::Families, &mut counts);
    println!("{counts:?}");
    assert!(counts.plans == 18 && counts.apart > 0, "{counts:?}");
}

/// The deal of a deck of 20: what took 20,000 to 60,000 positions takes some hundred.
#[test]
fn plans_are_short() {
    for (seed, most) in [(1, 300), (4, 400)] {
        let game = Racing::random(20, 5, 7, seed).expect("a deal");
        let hands = game.worlds();
        let instance = racing(game.clone(), SetLattice::Families);
        let free = Budget::unlimited();
        let answer = instance
            .solve(Request::new(DEFAULT, &free))
            .expect("solved");
        let request = StrategyRequest {
            side: Side::Max,
            of: None,
            stated: true,
            budget: &free,
        };
        let plan = strategy(&*instance, &answer.root.value, &request).expect("a plan");
        assert!(plan.nodes.len() < most, "{}", plan.nodes.len());
        let Value::Sets { sets, .. } = &plan.of else {
            panic!("a set of hands")
        };
        let some = sets[0].iter().step_by(40);
        let played: u64 = some
            .map(|world| lines(&game, &plan.nodes, hands[*world]))
            .sum();
        assert!(played > 1000, "{played}");
    }
}
