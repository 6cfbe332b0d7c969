//! Games of tricks in words alone: hands as lists of names, nothing canonical, nothing shared with
//! the library but rules as values. And deals to try them with.

use meetjoin_dag::HiddenGame;
use meetjoin_games::tricks::order::Pack;
use meetjoin_games::tricks::random::random_deal;
use meetjoin_games::tricks::{Aim, TrickDeal, TrickHand, TrickRules, Tricks, presets};

/// A game.
pub(super) struct Plain<'a> {
    pub(super) rules: &'a TrickRules,
    pub(super) deal: &'a TrickDeal,
    /// The most points.
    pub(super) most: u32,
    /// Which players MAX moves, and whose points count.
    pub(super) moves: Vec<bool>,
    pub(super) counts: Vec<bool>,
}

/// What is on the table and in the hands.
#[derive(Clone)]
pub(super) struct State {
    /// By world and player.
    pub(super) hands: Vec<Vec<Vec<String>>>,
    /// The worlds that are left.
    pub(super) worlds: Vec<usize>,
    pub(super) trick: Vec<(usize, String)>,
    pub(super) turn: usize,
    pub(super) won: u32,
    pub(super) broken: bool,
}

impl<'a> Plain<'a> {
    /// The rules and the deal of a game of the library.
    pub(super) fn new(rules: &'a TrickRules, deal: &'a TrickDeal, game: &Tricks) -> Self {
        let counts = (0..rules.players.len())
            .map(|player| player == 0 || rules.partners.contains(&rules.players[player]));
        let counts: Vec<bool> = counts.collect();
        let seen = deal
            .hands
            .iter()
            .map(|hand| matches!(hand, TrickHand::Seen(_)));
        Self {
            rules,
            deal,
            most: game.most_points(),
            moves: counts
                .iter()
                .zip(seen)
                .map(|(own, seen)| *own && seen)
                .collect(),
            counts,
        }
    }

    /// The hands in each world of the game.
    pub(super) fn start(&self, game: &Tricks) -> State {
        let pack = game.pack();
        let hands = (0..game.worlds()).map(|world| {
            let of = |(player, hand): (usize, &TrickHand)| -> Vec<String> {
                let cards = match hand {
                    TrickHand::Seen(cards) => cards.clone(),
                    TrickHand::Hidden { .. } => game.held(world, player),
                };
                cards.into_iter().map(|card| pack.name(card)).collect()
            };
            self.deal.hands.iter().enumerate().map(of).collect()
        });
        State {
            worlds: (0..game.worlds()).collect(),
            hands: hands.collect(),
            trick: Vec::new(),
            turn: self.deal.leader,
            won: 0,
            broken: self.deal.broken,
        }
    }

    fn is_trump(&self, card: &String) -> bool {
        self.rules.high_trumps.contains(card)
            || self
                .rules
                .trumps
                .as_ref()
                .is_some_and(|suit| card.starts_with(suit.as_str()))
    }

    pub(super) fn suit(&self, card: &String) -> String {
        if self.is_trump(card) {
            "trumps".to_owned()
        } else {
            card[..1].to_owned()
        }
    }

    pub(super) fn strength(&self, card: &String) -> (bool, usize, usize) {
        let high = self.rules.high_trumps.iter().position(|name| name == card);
        let rank = self.rules.ranks.iter().position(|rank| *rank == card[1..]);
        (
            self.is_trump(card),
            high.map_or(0, |place| place + 1),
            rank.expect("a rank"),
        )
    }

    pub(super) fn best<'s>(&self, trick: &'s [(usize, String)]) -> &'s (usize, String) {
        let led = self.suit(&trick[0].1);
        let in_it = trick
            .iter()
            .filter(|(_, card)| self.is_trump(card) || self.suit(card) == led);
        in_it
            .max_by_key(|(_, card)| self.strength(card))
            .expect("the led card")
    }

    /// The cards that may be played out of a hand.
    pub(super) fn legal(&self, state: &State, hand: &[String]) -> Vec<String> {
        let all = hand.to_vec();
        let Some((_, led)) = state.trick.first() else {
            let locked = self.rules.to_be_broken.as_ref().filter(|_| !state.broken);
            let Some(locked) = locked else { return all };
            let name = if self.rules.trumps.as_ref() == Some(locked) {
                "trumps"
            } else {
                locked
            };
            let others: Vec<String> = all
                .iter()
                .filter(|card| self.suit(card) != name)
                .cloned()
                .collect();
            return if others.is_empty() { all } else { others };
        };
        let of = |cards: &[String], suit: &str| -> Vec<String> {
            let cards = cards.iter().filter(|card| self.suit(card) == suit);
            cards.cloned().collect()
        };
        let mut may = all.clone();
        if self.rules.must_follow {
            let follows = of(&all, &self.suit(led));
            if !follows.is_empty() {
                may = follows;
            } else if self.rules.must_trump && !of(&all, "trumps").is_empty() {
                may = of(&all, "trumps");
            }
        }
        if self.rules.must_beat {
            let beats = |card: &&String| {
                let mut trick = state.trick.clone();
                trick.push((99, (*card).clone()));
                self.best(&trick).0 == 99
            };
            let winning: Vec<String> = may.iter().filter(beats).cloned().collect();
            if !winning.is_empty() {
                may = winning;
            }
        }
        may
    }

    pub(super) fn worth(&self, card: &String) -> u32 {
        let points = &self.rules.points;
        points.cards.get(card).copied().unwrap_or_else(|| {
            points.ranks.get(&card[1..]).copied().unwrap_or(0)
                + points.suits.get(&card[..1]).copied().unwrap_or(0)
        })
    }

    /// What MAX has of so many points.
    pub(super) fn result(&self, won: u32) -> u32 {
        let sure = self.deal.before + won;
        match (self.rules.aim, self.deal.goal) {
            (Aim::Most, None) => won,
            (Aim::Most, Some(goal)) => u32::from(sure >= goal),
            (Aim::Fewest, None) => self.most - won,
            (Aim::Fewest, Some(goal)) => u32::from(sure <= goal),
            (Aim::Exactly, goal) => u32::from(Some(sure) == goal),
        }
    }

    /// What is there after a card.
    pub(super) fn after(&self, state: &State, card: &String) -> State {
        let mut next = state.clone();
        let turn = state.turn;
        for world in &next.worlds {
            next.hands[*world][turn].retain(|other| other != card);
        }
        next.trick.push((turn, card.clone()));
        if let Some(suit) = &self.rules.to_be_broken {
            let trumps = self.rules.trumps.as_ref() == Some(suit);
            next.broken |= self.suit(card) == *suit || trumps && self.is_trump(card);
        }
        let players = self.rules.players.len();
        next.turn = (turn + 1) % players;
        if next.trick.len() == players {
            let winner = self.best(&next.trick).0;
            let is_last = next.hands[next.worlds[0]][winner].is_empty();
            if self.counts[winner] {
                let points = &self.rules.points;
                let cards = next.trick.iter().map(|(_, card)| self.worth(card));
                next.won += cards.sum::<u32>() + points.trick;
                next.won += if is_last { points.last_trick } else { 0 };
            }
            (next.turn, next.trick) = (winner, Vec::new());
        }
        next
    }
}

/// Points by world.
pub(super) type Points = Vec<u32>;

/// What strategies can be sure of by world; worlds that are not left have any points.
pub(super) fn value(plain: &Plain<'_>, state: &State) -> Vec<Points> {
    let any = plain.most;
    let first = state.worlds[0];
    if state.hands[first][state.turn].is_empty() {
        let mut points = vec![any; state.hands.len()];
        state
            .worlds
            .iter()
            .for_each(|world| points[*world] = plain.result(state.won));
        return vec![points];
    }
    let mut cards: Vec<String> = Vec::new();
    for world in &state.worlds {
        cards.extend(plain.legal(state, &state.hands[*world][state.turn]));
    }
    cards.sort();
    cards.dedup();
    if plain.moves[state.turn] {
        let all = cards
            .iter()
            .flat_map(|card| value(plain, &plain.after(state, card)));
        return best(all.collect());
    }
    let mut all: Vec<Points> = vec![vec![any; state.hands.len()]];
    for card in cards {
        let mut left = state.clone();
        left.worlds.retain(|world| {
            let hand = &state.hands[*world][state.turn];
            plain.legal(state, hand).contains(&card)
        });
        let values = value(plain, &plain.after(&left, &card));
        let mut meets = Vec::new();
        for a in &all {
            for b in &values {
                meets.push(a.iter().zip(b).map(|(a, b)| *a.min(b)).collect());
            }
        }
        all = best(meets);
    }
    all
}

/// Those that no other is better than.
fn best(mut all: Vec<Points>) -> Vec<Points> {
    all.sort();
    all.dedup();
    let worse = |a: &Points, b: &Points| a != b && a.iter().zip(b).all(|(a, b)| a <= b);
    let kept = all.iter().filter(|a| !all.iter().any(|b| worse(a, b)));
    kept.cloned().collect()
}

/// Rules with few ranks, so that small deals have something to play for.
pub(super) fn small(name: &str, ranks: &str) -> TrickRules {
    let mut rules = presets::named(name).expect("a preset");
    rules.ranks = ranks.split(' ').map(str::to_owned).collect();
    rules
}

/// A deal of a game by its name; with a goal if the rules need one.
pub(super) fn of_game(name: &str, seed: u64) -> (TrickRules, TrickDeal) {
    let ranks = if name == "skat" {
        "7 J Q K 10 A"
    } else {
        "9 T J Q K A"
    };
    let mut rules = small(name, ranks);
    if ["whist", "skat", "oh-hell"].contains(&name) && !seed.is_multiple_of(3) {
        rules.trumps = Some("H".to_owned());
    }
    let players = rules.players.len();
    let (tricks, seen): (usize, &[usize]) = match players {
        3 => (3, &[]),
        _ => (2, &[2]),
    };
    let pack = Pack::new(rules.clone()).expect("rules");
    let mut deal = random_deal(&pack, tricks, seen, 0, seed);
    deal.leader = seed as usize % players;
    deal.broken = seed.is_multiple_of(2);
    if rules.aim == Aim::Exactly {
        (deal.before, deal.goal) = (1, Some(2));
    }
    (rules, deal)
}

/// Any rules, and a deal.
pub(super) fn of_any_rules(seed: u64) -> (TrickRules, TrickDeal) {
    let mut rules = small("oh-hell", "T J Q K A");
    rules.aim = [Aim::Most, Aim::Fewest, Aim::Exactly][seed as usize % 3];
    rules.trumps = (seed % 5 < 4).then(|| "S".to_owned());
    rules.must_follow = seed % 7 != 6;
    rules.must_trump = rules.must_follow && seed.is_multiple_of(2);
    rules.must_beat = seed % 4 < 2;
    rules.to_be_broken = seed.is_multiple_of(3).then(|| "D".to_owned());
    rules.points.ranks.insert("K".to_owned(), seed as u32 % 2);
    rules.points.suits.insert("D".to_owned(), 1);
    rules.points.cards.insert("SA".to_owned(), 2);
    rules.points.last_trick = 1;
    let two = seed % 2 == 1;
    rules.players.truncate(if two { 2 } else { 3 });
    let pack = Pack::new(rules.clone()).expect("rules");
    let aside = if seed % 3 == 1 { 2 } else { 0 };
    let tricks = if two { 3 } else { 2 };
    let mut deal = random_deal(&pack, tricks, &[], aside, seed);
    deal.leader = seed as usize % rules.players.len();
    deal.broken = false;
    deal.goal = (rules.aim == Aim::Exactly).then_some(2);
    (rules, deal)
}
