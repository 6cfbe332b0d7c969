//! Racing as it is played: what the program says it can make sure of, it does, against everything
//! the other can play.

use meetjoin_dag::Kind;
use meetjoin_lattice::{Budget, Limits};
use meetjoin_problems::games::race::{Outlook, Race};
use meetjoin_problems::games::racing::RacingArgs;
use meetjoin_problems::games::words::SetLattice;

fn args(deck: u8, goal: u8, hand: u8, seed: u64, lattice: SetLattice) -> RacingArgs {
    RacingArgs {
        deck,
        goal,
        hand: None,
        lead: None,
        hand_size: Some(hand),
        seed: Some(seed),
        lattice,
    }
}

fn outlook(race: &Race) -> (Outlook, Vec<(u8, Outlook)>) {
    race.outlook(&Budget::unlimited()).expect("it is solved")
}

/// Plays the program as one side against every card of the other, and counts the ends that the
/// program has won, and all.
fn play_out(race: Race, program: Kind) -> (u64, u64) {
    let (mut won, mut all) = (0, 0);
    let mut open = vec![race];
    while let Some(mut race) = open.pop() {
        let mover = race.to_move();
        if mover == Kind::Leaf {
            won += u64::from(race.max_has_won() == (program == Kind::Or));
            all += 1;
        } else if mover == program {
            let (_, after) = outlook(&race);
            let card = race.best(&after).expect("the game goes on");
            open.push(race.play(card).expect("the program keeps to the rules"));
        } else {
            let cards = race.cards();
            assert!(!cards.is_empty());
            open.extend(
                cards
                    .iter()
                    .map(|&card| race.play(card).expect("it is held")),
            );
        }
    }
    (won, all)
}

#[test]
fn what_it_has_in_mind_it_wins_whatever_is_played() {
    let (mut sure, mut lines) = (0, 0);
    for lattice in [SetLattice::Families, SetLattice::Powerset] {
        for seed in 0..6 {
            let args = args(11, 3, 4, seed, lattice);
            let first = Race::new(&args, None, 0).expect("a deal");
            let (at_root, after) = outlook(&first);
            let mut aiming = first.clone();
            aiming.best(&after);
            for (place, hand) in hands(&args).iter().enumerate() {
                let race = Race::new(&args, Some(hand), 0).expect("a hand that MIN may hold");
                assert_eq!(race.min_hand(), hand);
                let can_win = at_root.sets.iter().any(|set| set.contains(&place));
                // In families MAX beats the hands that she has chosen, and with MIN's cards in
                // sight all that can be beaten.
                let aims = at_root.sets.first().is_some_and(|set| set.contains(&place));
                let (won, all) = play_out(race.clone(), Kind::Or);
                assert!(
                    all > 0 && (!aims || won == all),
                    "{seed} {hand:?}: {won} of {all}"
                );
                sure += u64::from(aims);
                lines += all;
                // MIN sees both hands: she loses no game that she can win.
                let (won, all) = play_out(race, Kind::And);
                assert!(can_win || won == all, "{seed} {hand:?}: {won} of {all}");
                lines += all;
            }
        }
    }
    assert!(sure > 30 && lines > 5_000, "{sure} hands, {lines} lines");
}

/// All hands that MIN may hold in a deal.
fn hands(args: &RacingArgs) -> Vec<Vec<u8>> {
    let (size, seed) = (args.hand_size.expect("a size"), args.seed.expect("a seed"));
    let deal = meetjoin_games::Racing::random(args.deck, args.goal, size, seed);
    deal.expect("a deal").hands()
}

#[test]
fn what_is_no_card_or_no_hand_is_refused() {
    let args = args(9, 2, 3, 1, SetLattice::Families);
    let wrong = Race::new(&args, Some(&[1, 1, 1]), 0).expect_err("no hand");
    assert!(
        wrong.starts_with("MIN cannot hold 1 1 1: it takes 3 cards"),
        "{wrong}"
    );
    let race = Race::new(&args, None, 7).expect("a deal");
    let of_min = race.min_hand()[0];
    let why = race.play(of_min).expect_err("MAX is to move");
    assert_eq!(why.to_string(), "MAX does not hold it");
    assert!(race.play(0).is_err() && race.play(200).is_err());
    let next = race.play(race.cards()[0]).expect("a card");
    assert_eq!(next.min_left().len() + 1, next.min_hand().len());
}

#[test]
fn a_limit_leaves_what_is_known() {
    let args = args(14, 4, 5, 3, SetLattice::Families);
    let race = Race::new(&args, None, 0).expect("a deal");
    for visits in [0, 1, 10, 100] {
        let budget = Budget::new(Limits {
            visits: Some(visits),
            ..Limits::default()
        });
        let (now, after) = race.outlook(&budget).expect("it is searched");
        let card = race.clone().best(&after).expect("a card all the same");
        assert!(race.cards().contains(&card));
        let whole = outlook(&race).0;
        let most = |outlook: &Outlook| outlook.sets.first().map_or(0, Vec::len);
        assert!(most(&now) <= most(&whole));
        assert!(now.stop.is_none() || now.text().contains("at least") || most(&now) == 0);
    }
}
