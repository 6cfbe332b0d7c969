//! Three games of tricks, and how often and by how much a first move is chosen worse than the best
//! one.

use meetjoin_dag::HiddenGame;
use meetjoin_games::tricks::order::Pack;
use meetjoin_games::tricks::{Aim, TrickDeal, TrickRules, Tricks, presets, random_deal};
use meetjoin_lattice::{Budget, Limits, Stop};

use crate::games::choosers::{Judged, judge};
use crate::measuring::asking::{Failure, Lines, ask_all};
use crate::measuring::measure::RunLimits;

/// The game of a line.
#[derive(Clone, Copy)]
enum Game {
    /// One suit for two players, with the numbers of cards each and of cards out of play.
    OneSuit(usize, usize),
    /// Declarer, who leads, against two, with the number of cards each; hearts are trumps.
    Skat(usize),
    /// Numbers of players and of cards each, from twelve cards of three suits; the rest is out of
    /// play. The first suit is trumps, and MAX has bid what she reaches most often.
    OhHell(usize, usize),
}

/// The lines of [`choosers`].
const LINES: [Game; 7] = [
    Game::OneSuit(4, 4),
    Game::OneSuit(5, 4),
    Game::OneSuit(6, 3),
    Game::Skat(3),
    Game::Skat(4),
    Game::OhHell(2, 3),
    Game::OhHell(2, 4),
];

/// The most tricks that alpha-mu looks ahead.
const AHEAD: u32 = 4;

/// Visits for one deal.
const VISITS: u64 = 20_000_000;

/// Steps of families of sets for one deal, a few seconds; among four cards of Skat some take
/// thousands of millions.
const STEPS: u64 = 100_000_000;

impl Game {
    fn named(self) -> [String; 2] {
        match self {
            Self::OneSuit(cards, aside) => [
                "one suit for two".to_owned(),
                format!("{cards} of {}", 2 * cards + aside),
            ],
            Self::Skat(cards) => ["Skat".to_owned(), format!("{cards} of {}", 3 * cards)],
            Self::OhHell(players, cards) => {
                [format!("Oh Hell for {players}"), format!("{cards} of 12")]
            }
        }
    }

    fn rules(self) -> TrickRules {
        let numbers = |count: usize| (1..=count).map(|rank| rank.to_string()).collect();
        match self {
            Self::OneSuit(cards, aside) => {
                let mut rules = presets::whist();
                rules.players.truncate(2);
                rules.partners.clear();
                rules.suits.truncate(1);
                rules.ranks = numbers(2 * cards + aside);
                rules
            }
            Self::Skat(_) => TrickRules {
                trumps: Some("H".to_owned()),
                ..presets::skat()
            },
            Self::OhHell(players, _) => {
                let mut rules = presets::oh_hell();
                rules.players.truncate(players);
                rules.suits.truncate(3);
                rules.ranks = numbers(4);
                rules.trumps = Some(rules.suits[0].clone());
                rules
            }
        }
    }

    /// A deal in which MAX leads. For Skat only the cards in play are drawn: a player who remembers
    /// the cards played knows which they are.
    fn deal(self, pack: &Pack, seed: u64) -> TrickDeal {
        match self {
            Self::OneSuit(cards, aside) => random_deal(pack, cards, &[], aside, seed),
            Self::Skat(cards) => random_deal(pack, cards, &[], 0, seed),
            Self::OhHell(players, cards) => {
                random_deal(pack, cards, &[], 12 - players * cards, seed)
            }
        }
    }
}

/// The first moves of a deal, judged; `None` where MAX has no choice.
fn judged(game: Game, seed: u64, budget: &Budget) -> Result<Result<Option<Judged>, Stop>, String> {
    let pack = Pack::new(game.rules()).map_err(|error| error.to_string())?;
    let mut deal = game.deal(&pack, seed);
    let ahead: Vec<u32> = (1..=AHEAD).collect();
    let goals: Vec<Option<u32>> = match (pack.rules().aim, game) {
        (Aim::Exactly, Game::OhHell(_, cards)) => (0..=cards as u32).map(Some).collect(),
        _ => vec![None],
    };
    let mut best: Option<Judged> = None;
    for goal in goals {
        deal.goal = goal;
        let game = match Tricks::new(pack.clone(), &deal) {
            Ok(game) => game,
            // Four cards without a point among all players.
            Err(meetjoin_games::tricks::TrickError::NoPoints) => return Ok(Ok(None)),
            Err(error) => return Err(error.to_string()),
        };
        let moves = game.moves_by_card(&game.start());
        if moves.len() < 2 {
            return Ok(Ok(None));
        }
        let players = game.players() as u32;
        let depths: Vec<u32> = ahead.iter().map(|tricks| tricks * players).collect();
        let judged = match judge(&game, &depths, budget) {
            Ok(judged) => judged,
            Err(stop) => return Ok(Err(stop)),
        };
        if best
            .as_ref()
            .is_none_or(|best| judged.value() > best.value())
        {
            best = Some(judged);
        }
    }
    Ok(Ok(best))
}

/// How well perfect information with averaging and alpha-mu choose: a line for each game and size.
pub(crate) fn choosers(deals: u64, limits: &RunLimits) -> Result<Lines, Failure> {
    LINES
        .into_iter()
        .map(|game| line(game, deals, limits))
        .collect()
}

fn line(game: Game, deals: u64, limits: &RunLimits) -> Result<Vec<String>, Failure> {
    let each = Limits {
        visits: Some(VISITS),
        steps: Some(STEPS),
        ..Limits::default()
    };
    let (said, stopped) = ask_all(deals, (each, limits), |seed, budget| {
        judged(game, seed, budget)
    })?;
    let all: Vec<Judged> = said.iter().flatten().cloned().collect();
    let among = all.len().max(1) as f64;
    let mut cells = game.named().to_vec();
    cells.push(said.len().to_string());
    cells.push(stopped.to_string());
    cells.push(all.len().to_string());
    cells.push(all.iter().filter(|deal| deal.matters()).count().to_string());
    let value: f64 = all.iter().map(Judged::value).sum();
    cells.push(format!("{:.3}", value / among));
    // Perfect information first.
    for chooser in 0..=AHEAD as usize {
        let chosen: Vec<(f64, f64)> = all.iter().map(|deal| deal.chosen_by(chooser)).collect();
        let worse: f64 = chosen.iter().map(|(worse, _)| worse).sum();
        let lost: f64 = chosen.iter().map(|(_, lost)| lost).sum();
        let worst = chosen.iter().map(|(_, lost)| *lost).fold(0.0, f64::max);
        cells.push(format!(
            "{:.1} %, {:.4}, {worst:.3}",
            100.0 * worse / among,
            lost / among
        ));
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::games::choosers::Move;

    #[test]
    fn choosers_that_see_to_the_end_choose_the_best() {
        let limits = RunLimits {
            time: Duration::from_secs(600),
            ..RunLimits::ample()
        };
        for game in [Game::OneSuit(3, 3), Game::Skat(2), Game::OhHell(2, 3)] {
            let cells = line(game, 8, &limits).expect("nothing is cancelled");
            assert_eq!(cells.len(), 7 + 1 + AHEAD as usize);
            // No game has more than four tricks.
            assert_eq!(cells[11], "0.0 %, 0.0000, 0.000", "{cells:?}");
        }
    }

    #[test]
    fn estimates_are_never_less_than_the_worth() {
        let budget = Budget::unlimited();
        for seed in 1..=12 {
            let game = [Game::OneSuit(4, 3), Game::Skat(3), Game::OhHell(2, 3)][seed as usize % 3];
            let said = judged(game, seed, &budget).expect("a game");
            let Some(deal) = said.expect("no limit") else {
                continue;
            };
            for each in &deal.moves {
                // Looking further ahead, estimates only fall.
                let all: Vec<u64> = each.estimates.iter().copied().chain([each.worth]).collect();
                assert!(all.is_sorted_by(|a, b| a >= b), "{all:?}");
            }
        }
    }

    #[test]
    fn moves_that_are_estimated_alike_count_alike() {
        let each = |worth, estimate| Move {
            worth,
            estimates: vec![estimate],
        };
        let deal = Judged {
            total: 10,
            moves: vec![each(5, 20), each(8, 20), each(9, 19)],
        };
        assert_eq!(deal.chosen_by(0), (1.0, 0.25));
        assert!(deal.matters());
        assert!((deal.value() - 0.9).abs() < 1e-12);
    }
}
