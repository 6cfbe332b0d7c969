//! A strategy for layouts that are won together, card by card.
//!
//! Idea: where declarer plays, the card is one after which the layouts that agree with what was
//! seen are still [won together](super::together). What the search has found answers nearly all of
//! these questions.
//!
//! Where the search took cards as equal, so does the strategy: the layouts that are left are
//! classes, and a card of a defender that wins the trick so far is as good as the highest of its
//! kind. If both defenders have played such a card, the search has shown that the rest is won
//! whichever of them takes the trick, so the strategy goes on from the one who does.
//!
//! Invariant: at every position the layouts that agree with it are won together.
//!
//! Cost: for each position a pass over the layouts that agree with it, for each card.

use std::collections::HashMap;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::Stop;
use serde::Serialize;

use super::game::{EndingGame, EndingPosition, NORTH, SOUTH};
use super::subgame::placed;
use super::together::{Layouts, Together, random_state};

/// A node of a strategy: who plays, and what follows each card.
#[derive(Clone, Debug, Serialize)]
pub struct LineNode {
    /// Whose turn it is.
    pub turn: &'static str,
    /// Whether the card begins a trick.
    pub leads: bool,
    /// Whether it is declarer's side that plays.
    #[serde(skip)]
    pub is_own: bool,
    /// Cards that the player holds, and the places of the nodes that follow. Declarer's side has
    /// one; `null` where the tricks are won already.
    pub next: Vec<(String, Option<usize>)>,
}

/// The tables of a search of an ending, and the kinds of cards that it distinguished.
pub(super) struct Plan<'a> {
    pub(super) together: Together<'a>,
    /// Where kinds begin at the root.
    pub(super) kinds: u32,
}

impl Plan<'_> {
    /// Whether one strategy wins all these layouts of the ending, which agree with a position.
    fn wins(
        &mut self,
        game: &EndingGame<'_>,
        position: &EndingPosition,
        layouts: &[u32],
    ) -> Result<bool, Stop> {
        let all = game.ending().layouts();
        let wests = layouts.iter().map(|layout| all[*layout as usize].west);
        let rules = self.together.rules();
        let (shape, mut wests) = placed(game, position, self.kinds, wests, rules);
        wests.sort_unstable();
        wests.dedup();
        self.together.wins(shape, &wests)
    }

    /// The first nodes of the strategy for these layouts, in order of depth, and whether these are
    /// all: limited in depth, in number, and by the budget.
    ///
    /// Positions name declarer's cards by canonical places, and which cards these are depends on
    /// what was played before. So a node is here once for each pair of hands with which declarer
    /// can come to it.
    pub(super) fn line(
        &mut self,
        game: &EndingGame<'_>,
        layouts: Layouts,
        (cards, most): (u32, usize),
    ) -> (Vec<LineNode>, bool) {
        let ending = game.ending();
        let mut line: Vec<LineNode> = Vec::new();
        let root = (game.root(), ending.own());
        let mut agreeing = vec![layouts];
        let mut order = vec![root];
        // Nodes after as many cards are a level, one after the other.
        let (mut level, mut level_ends) = (0, 1);
        let mut places = HashMap::with_hasher(random_state());
        places.insert(root, 0);
        while let Some((position, hands)) = order.get(line.len()).copied() {
            if line.len() == level_ends {
                (level, level_ends) = (level + 1, order.len());
            }
            if line.len() == most || level > cards {
                return (line, false);
            }
            let agree = std::mem::take(&mut agreeing[line.len()]);
            let mut node = LineNode {
                turn: ending.seat(position.turn()).name(),
                leads: position.is_lead(),
                is_own: game.kind(&position) == Kind::Or,
                next: Vec::new(),
            };
            for (card, after) in game.moves(&position) {
                let all = ending.layouts();
                let fits = |layout: &&u32| game.allows(&after, &all[**layout as usize]);
                let left: Layouts = agree.iter().filter(fits).copied().collect();
                if left.is_empty() {
                    continue;
                }
                let is_won = match self.together.pays(agree.len()) {
                    Ok(()) if node.is_own => self.wins(game, &after, &left),
                    paid => paid.map(|()| true),
                };
                match is_won {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(_) => return (line, false),
                }
                let (card, hands) = played(game, &position, hands, card);
                let state = (after, hands);
                let to = (game.kind(&after) != Kind::Leaf).then(|| {
                    *places.entry(state).or_insert_with(|| {
                        order.push(state);
                        agreeing.push(left);
                        order.len() - 1
                    })
                });
                node.next.push((ending.card(card).to_string(), to));
                if node.is_own {
                    break;
                }
            }
            line.push(node);
        }
        (line, true)
    }
}

/// The card that is really played where a position says `card`, and declarer's real hands after it.
pub(super) fn played(
    game: &EndingGame<'_>,
    position: &EndingPosition,
    (north, south): (u32, u32),
    card: u8,
) -> (u8, (u32, u32)) {
    let (canonical_north, canonical_south) = position.own();
    match position.turn() {
        NORTH => {
            let card = game.real(north, canonical_north, card);
            (card, (north & !(1 << card), south))
        }
        SOUTH => {
            let card = game.real(south, canonical_south, card);
            (card, (north, south & !(1 << card)))
        }
        _ => (card, (north, south)),
    }
}
