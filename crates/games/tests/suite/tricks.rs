//! Games of tricks against a program that shares the rules in words alone: hands as lists of
//! names, all strategies by enumeration, nothing canonical.

mod in_words;

use std::collections::HashMap;

use meetjoin_dag::{
    AndOrDag, HiddenFamilies, HiddenGame, Kind, Played, Stakes, Valuation, hidden::check::check,
};
use meetjoin_games::tricks::order::Pack;
use meetjoin_games::tricks::random::random_deal;
use meetjoin_games::tricks::{Aim, TrickDeal, TrickError, TrickRules, Tricks, presets, text};
use meetjoin_lattice::{Antichain, Budget, Lattice};

use fixedbitset::FixedBitSet;

use in_words::{Plain, Points, of_any_rules, of_game, small, value};

/// The value by plain evaluation, as points by world.
fn evaluated(game: &Tricks) -> Vec<Points> {
    let stakes = Stakes::all(game);
    let values = HiddenFamilies::<_, FixedBitSet>::new(game, &stakes).expect("any number fits");
    let mut known = HashMap::new();
    let value = evaluate(&Played(game), &values, game.start(), &mut known);
    let mut points: Vec<Points> = value
        .maximal()
        .iter()
        .map(|set| stakes.points(set.ones()))
        .collect();
    points.sort();
    points
}

fn evaluate<D, V>(
    dag: &D,
    values: &V,
    node: D::Node,
    known: &mut HashMap<D::Node, Antichain<FixedBitSet>>,
) -> Antichain<FixedBitSet>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    V::Lattice: Lattice<Elem = Antichain<FixedBitSet>>,
{
    if let Some(value) = known.get(&node) {
        return value.clone();
    }
    let (lattice, budget) = (values.lattice(), Budget::unlimited());
    let kind = dag.kind(&node);
    let mut value = match kind {
        Kind::Leaf => values.leaf(&node),
        Kind::Or => lattice.bottom(),
        Kind::And => lattice.top(),
    };
    let mut children = Vec::new();
    if kind != Kind::Leaf {
        dag.children(&node, &mut children);
    }
    for child in children {
        let other = evaluate(dag, values, child, known);
        let done = if kind == Kind::Or {
            lattice.join_assign(&mut value, &other, &budget)
        } else {
            lattice.meet_assign(&mut value, &other, &budget)
        };
        done.expect("there is no limit");
    }
    known.insert(node, value.clone());
    value
}

fn compared(rules: &TrickRules, deal: &TrickDeal) -> usize {
    let pack = Pack::new(rules.clone()).expect("rules");
    let game = match Tricks::new(pack.clone(), deal) {
        Ok(game) => game,
        // So few hearts that there is nothing to win.
        Err(TrickError::NoPoints) => return 0,
        Err(error) => panic!("{error}"),
    };
    let plain = Plain::new(rules, deal, &game);
    let wanted = value(&plain, &plain.start(&game));
    check(&game, &Budget::unlimited()).expect("a game with hidden cards");
    assert_eq!(evaluated(&game), wanted, "{rules:?} {deal:?}");
    let real = game.clone().with_real_names();
    check(&real, &Budget::unlimited()).expect("a game with hidden cards");
    assert_eq!(evaluated(&real), wanted, "real names: {rules:?} {deal:?}");
    game.worlds()
}

#[test]
fn every_game_by_name_is_what_its_rules_say() {
    for seed in 0..12 {
        let mut worlds = 0;
        for name in presets::NAMES {
            let (rules, mut deal) = of_game(name, seed);
            worlds += compared(&rules, &deal);
            if rules.aim != Aim::Exactly {
                deal.goal = Some(if name == "skat" { 20 } else { 1 });
                worlds += compared(&rules, &deal);
            }
        }
        assert!(worlds > 60, "{worlds}");
    }
}

#[test]
fn every_rule_is_what_it_says() {
    for seed in 0..40 {
        let (rules, deal) = of_any_rules(seed);
        compared(&rules, &deal);
    }
}

#[test]
fn what_is_known_of_hidden_hands_is_kept() {
    let rules = small("bridge", "T J Q K A");
    let pack = Pack::new(rules.clone()).expect("rules");
    let hand = |text: &str| text::hand(&pack, "hand", text).expect("a hand");
    let unseen = text::cards(&pack, "unseen", "SK SQ HK HQ DK DQ").expect("cards");
    let worlds = |west: &str, east: &str| {
        let hands = [hand("SA HA DA"), hand(west), hand("SJ HJ DJ"), hand(east)];
        let deal = TrickDeal::new(hands.to_vec(), unseen.clone());
        let count = compared(&rules, &deal);
        let mut weighed = Tricks::weighed(pack.clone(), &deal, |hands| {
            hands[0]
                .iter()
                .filter(|card| pack.name(**card).starts_with('S'))
                .count() as u64
        });
        if let Ok(game) = &mut weighed {
            assert!((0..game.worlds()).all(|world| game.weight(world) > 0));
        }
        (count, weighed.map_or(0, |game| game.worlds()))
    };
    assert_eq!(worlds("?", "?"), (20, 16));
    assert_eq!(worlds("? SK", "?"), (10, 10));
    assert_eq!(worlds("? -S", "?"), (4, 0));
    assert_eq!(worlds("? SK -HK", "? DK"), (3, 3));
    let hands = [hand("SA"), hand("? -S -H -D"), hand("SJ"), hand("?")];
    let deal = TrickDeal::new(hands.to_vec(), unseen[..2].to_vec());
    let error = Tricks::new(pack.clone(), &deal).expect_err("no world");
    assert_eq!(error, TrickError::NoWorld);
}

#[test]
fn a_partner_whose_hand_is_hidden_is_taken_to_help_nobody() {
    for seed in 0..6 {
        let rules = small("whist", "J Q K A");
        let pack = Pack::new(rules.clone()).expect("rules");
        compared(&rules, &random_deal(&pack, 2, &[], 0, seed));
    }
}

#[test]
fn what_is_no_game_is_refused_with_its_name_and_place() {
    let rules = presets::skat();
    let wrong = |change: fn(&mut TrickRules)| {
        let mut rules = rules.clone();
        change(&mut rules);
        Pack::new(rules).expect_err("wrong rules").to_string()
    };
    let says = [
        (
            wrong(|rules| rules.trumps = Some("X".to_owned())),
            "trumps: \"X\" is no suit of this game",
        ),
        (
            wrong(|rules| rules.high_trumps.push("S1".to_owned())),
            "high_trumps: \"S1\" is no card of this game",
        ),
        (
            wrong(|rules| rules.partners.push("me".to_owned())),
            "partners: \"me\" is no player of this game",
        ),
        (
            wrong(|rules| rules.partners.push("declarer".to_owned())),
            "partners: \"declarer\" is MAX herself, who is the first of the players",
        ),
        (
            wrong(|rules| _ = rules.points.ranks.insert("2".to_owned(), 1)),
            "points.ranks: \"2\" is no rank of this game",
        ),
        (
            wrong(|rules| _ = rules.points.cards.insert("SA".to_owned(), u32::MAX)),
            "points: all of them together are 4294967404, and can be 60000 at most",
        ),
        (
            wrong(|rules| rules.players.clear()),
            "the rules have 0 players, and can have 2 to 6",
        ),
        (
            wrong(|rules| rules.suits.push("SS".to_owned())),
            "suit \"SS\" is not named by one letter or sign",
        ),
        (
            wrong(|rules| rules.suits.push("S".to_owned())),
            "suit \"S\" is there twice",
        ),
        (
            wrong(|rules| rules.ranks.push(String::new())),
            "rank \"\" is no name: it must have letters or digits, and no spaces",
        ),
        (
            wrong(|rules| (rules.must_follow, rules.must_trump) = (false, true)),
            "must_trump is for games with must_follow: who need not follow need not trump",
        ),
    ];
    for (said, wanted) in says {
        assert_eq!(said, wanted);
    }
    let pack = Pack::new(rules).expect("rules");
    let hand = |text: &str| text::hand(&pack, "left", text).expect("a hand");
    let error = |hands: [&str; 3], unseen: &str| {
        let unseen = text::cards(&pack, "unseen", unseen).expect("cards");
        let deal = TrickDeal::new(hands.map(hand).to_vec(), unseen);
        let error = Tricks::new(pack.clone(), &deal).expect_err("no deal");
        error.to_string()
    };
    assert_eq!(
        error(["SA SK", "?", "?"], "S7 S8 S9"),
        "the hidden hands have 4 cards together, and 3 cards are unseen"
    );
    assert_eq!(
        error(["SA", "SA", "?"], "S7"),
        "SA is in the hand of declarer and in the hand of left"
    );
    assert_eq!(
        error(["SA SA", "?", "?"], "S7 S8 S9 SK"),
        "SA is twice in the hand of declarer"
    );
    assert_eq!(
        error(["SA SK", "? S7 S7", "?"], "S7 S8 S9 S10"),
        "S7 is twice in the hand of left"
    );
    assert_eq!(
        error(["SA SK", "? S7", "? S7"], "S7 S8 S9 S10"),
        "S7 is in the hand of left and in the hand of right"
    );
    assert_eq!(
        error(["SA SK", "?", "?"], "S7 S8 S7 S9"),
        "S7 is twice in the unseen cards"
    );
    assert_eq!(
        error(["SA", "SK S7", "?"], "S8"),
        "left has 2 cards and declarer has 1: at a lead all have as many"
    );
    assert_eq!(
        error(["SA", "? SK", "?"], "S7 S8"),
        "SK is said to be in the hand of left, and is none of the unseen cards"
    );
    assert_eq!(
        error(["?", "?", "?"], "S7 S8"),
        "the hand of declarer is hidden, and she is MAX, who sees her own cards"
    );
    assert_eq!(
        error(["", "?", "?"], ""),
        "the game is over: declarer has no card"
    );
    let deal = TrickDeal::new(vec![hand("SA")], Vec::new());
    let said = Tricks::new(pack.clone(), &deal).expect_err("one hand");
    assert_eq!(said.to_string(), "there are 1 hands, and 3 players");
    let said = text::hand(&pack, "left", "? -X").expect_err("no suit");
    assert_eq!(
        said.to_string(),
        "left: \"X\" is no card or suit of this game"
    );
}
