//! A deal of racing against the program, in lines of text. It says after each card what MAX can
//! still make sure of.

use std::io;

use meetjoin_dag::Kind;
use meetjoin_lattice::{Budget, Limits};
use meetjoin_problems::games::race::{Outlook, Race};
use meetjoin_problems::play::player;

use super::said::{Course, PATIENCE, Said, ask};
use crate::arguments::args::{PlayRacingArgs, SideWord};
use crate::process::failure::Failure;
use crate::process::{limits, output};

/// Plays until the deal is over, or the person leaves.
pub(super) fn play(args: &PlayRacingArgs) -> Result<(), Failure> {
    let mut limits = limits::of_each(&args.limits)?;
    limits.time = limits.time.or(Some(PATIENCE));
    let race = Race::new(&args.deal, args.min_hand.as_deref(), args.min_seed);
    let mut course = Course::new(race.map_err(Failure::Input)?);
    let person = match args.side {
        SideWord::Max => Kind::Or,
        SideWord::Min => Kind::And,
    };
    let name = player(person).unwrap_or_default();
    let cards = format!("card from 1 to {}", args.deal.deck);
    let mut input = io::stdin().lock();
    output::tell(&format!(
        "You are {name}. Name a card. h: a hint, u: a card back, q: leave.\n"
    ))?;
    if person == Kind::And {
        let hand = list(course.now.min_hand());
        output::tell(&format!("You hold {hand}.\n"))?;
    }
    loop {
        let now = &mut course.now;
        let Some(mover) = player(now.to_move()) else {
            let winner = if now.max_has_won() { "MAX" } else { "MIN" };
            let held = list(now.min_hand());
            return output::tell(&format!(
                "{}\nThe game is over: {winner} wins. MIN was dealt {held}.\n",
                now.text()
            ));
        };
        let (outlook, after) = outlook(now, &limits)?;
        output::tell(&format!("{}\n{}.\n", now.text(), outlook.text()))?;
        if now.to_move() != person {
            let card = now.best(&after).unwrap_or_default();
            output::tell(&format!("{mover} plays {card}.\n"))?;
            if let Some(next) = played(now, card.into())? {
                course.go_to(next);
            }
            continue;
        }
        let prompt = format!("{mover}'s card ({}): ", list(&now.cards()));
        loop {
            match ask(&mut input, &prompt, &cards)? {
                Said::Move(card) => {
                    if let Some(next) = played(now, card)? {
                        course.go_to(next);
                        break;
                    }
                }
                Said::Quit => return Ok(()),
                Said::Undo => {
                    course.go_back(|race| race.to_move() == person);
                    break;
                }
                Said::Hint => {
                    let best = now.clone().best(&after);
                    for (card, outlook) in &after {
                        let mark = if best == Some(*card) { "*" } else { " " };
                        output::tell(&format!("{mark} {card}: {}\n", outlook.text()))?;
                    }
                }
            }
        }
    }
}

/// The game after a card, if the rules allow it; if not, it says why.
fn played(now: &Race, card: u32) -> Result<Option<Race>, Failure> {
    // There is no card 0, so the rules refuse numbers that do not fit too.
    match now.play(u8::try_from(card).unwrap_or(0)) {
        Ok(next) => Ok(Some(next)),
        Err(why) => {
            output::tell(&format!("card {card}: {why}.\n"))?;
            Ok(None)
        }
    }
}

/// What MAX can still make sure of, now and after each card.
fn outlook(now: &Race, limits: &Limits) -> Result<(Outlook, Vec<(u8, Outlook)>), Failure> {
    let budget = Budget::new(limits.clone());
    let found = limits::thinking(|| now.outlook(&budget));
    found.map_err(|error| Failure::refused(None, error))
}

fn list(cards: &[u8]) -> String {
    let cards: Vec<String> = cards.iter().map(u8::to_string).collect();
    cards.join(" ")
}
