//! Questions about a deal of racing that is played: what each card leaves MAX sure of, and which
//! one the program would play.

use meetjoin_dag::Kind;
use meetjoin_lattice::Budget;
use meetjoin_problems::games::race::Race;
use meetjoin_problems::games::racing::RacingArgs;
use meetjoin_problems::games::words::SetLattice;
use meetjoin_problems::play::player;
use meetjoin_report::json_line;
use serde::{Deserialize, Serialize};

use crate::asking::Answered;

/// A deal, and the cards that were played.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    deck: u8,
    goal: u8,
    /// MAX's cards, and MIN's lead; without them `hand_size` cards are drawn by `seed`.
    hand: Option<Vec<u8>>,
    lead: Option<u8>,
    hand_size: Option<u8>,
    seed: Option<u64>,
    /// MIN's cards; without them they are drawn.
    min_hand: Option<Vec<u8>>,
    #[serde(default = "first_seed")]
    min_seed: u64,
    #[serde(default)]
    played: Vec<u8>,
}

fn first_seed() -> u64 {
    1
}

#[derive(Serialize)]
struct Answer<'a> {
    format: &'a str,
    position: String,
    to_move: Option<&'a str>,
    max_has_won: Option<bool>,
    min_hand: &'a [u8],
    min_left: Vec<u8>,
    cards: Vec<u8>,
    says: String,
    after: Vec<After>,
    best: Option<u8>,
    complete: bool,
}

#[derive(Serialize)]
struct After {
    card: u8,
    says: String,
}

/// Answers it.
///
/// # Errors
/// Why it cannot be answered.
pub(super) fn answer(question: &Question, budget: &Budget) -> Result<Answered, String> {
    let args = RacingArgs {
        deck: question.deck,
        goal: question.goal,
        hand: question.hand.clone(),
        lead: question.lead,
        hand_size: question.hand_size,
        seed: question.seed,
        lattice: SetLattice::Families,
    };
    let mut race = Race::new(&args, question.min_hand.as_deref(), question.min_seed)?;
    let said = |error: meetjoin_solve::Refused| error.to_string();
    for &card in &question.played {
        if race.to_move() == Kind::Or {
            // MAX keeps the plan that she had.
            let (_, after) = race.outlook(budget).map_err(said)?;
            race.best(&after);
        }
        race = race
            .play(card)
            .map_err(|why| format!("card {card}: {why}"))?;
    }
    let over = race.to_move() == Kind::Leaf;
    let (outlook, after) = race.outlook(budget).map_err(said)?;
    let is_complete = outlook.stop.is_none();
    let best = if over { None } else { race.best(&after) };
    let text = json_line(&Answer {
        format: "meetjoin-racing-play/1",
        position: race.text(),
        to_move: player(race.to_move()),
        max_has_won: over.then(|| race.max_has_won()),
        min_hand: race.min_hand(),
        min_left: race.min_left(),
        cards: race.cards(),
        says: outlook.text(),
        after: after
            .iter()
            .map(|(card, outlook)| After {
                card: *card,
                says: outlook.text(),
            })
            .collect(),
        best,
        complete: is_complete,
    });
    Ok(Answered { text, is_complete })
}
