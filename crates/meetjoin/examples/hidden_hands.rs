//! Hidden hands: what a player can win who does not see the other's cards.
//!
//! There are four cards, 0 to 3. MIN holds two of them: six possible hands, the *worlds*. MIN shows
//! one card, and MAX names the other. MAX has to answer the same card in the same way whatever the
//! hand is, for she cannot tell the hands apart: her strategy is *uniform*.
//!
//! One game, two lattices. `Families`: the value is the family of all sets of hands that some
//! strategy wins. `Powerset`: the hands that MAX wins when she may peek.

use meetjoin::dag::{AndOrDag, Kind, Valuation};
use meetjoin::lattice::{Budget, Families, Lattice, Powerset, Words};

const HANDS: [[u8; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// The game with values in `L`, and the value of winning in a set of hands.
struct Game<L, F>(L, F);

impl<L, F> AndOrDag for Game<L, F> {
    type Node = Vec<u8>; // the cards spoken of: none, the one shown, the one shown and the one named
    fn root(&self) -> Vec<u8> {
        vec![]
    }
    fn kind(&self, cards: &Vec<u8>) -> Kind {
        [Kind::And, Kind::Or, Kind::Leaf][cards.len()]
    }
    fn children(&self, cards: &Vec<u8>, out: &mut Vec<Vec<u8>>) {
        let others = (0..4).filter(|card| !cards.contains(card));
        out.extend(others.map(|card| [&cards[..], &[card]].concat()));
    }
}

impl<L: Lattice, F: Fn(Words<1>) -> L::Elem> Valuation<Vec<u8>> for Game<L, F> {
    type Lattice = L;
    fn lattice(&self) -> &L {
        &self.0
    }
    /// MAX has won in the hands that hold both cards. MIN may show any card here, so hands without
    /// the card that was shown belong to the set too: they must not count against MAX.
    fn leaf(&self, cards: &Vec<u8>) -> L::Elem {
        let won = |hand: &[u8; 2]| !hand.contains(&cards[0]) || hand.contains(&cards[1]);
        let won = (0..6).filter(|&world| won(&HANDS[world]));
        (self.1)(Words([won.map(|world| 1 << world).sum()]))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (families, sets) = (Families::of_worlds(6)?, Powerset::new(6)?);
    let principal = |set| families.principal(set); // the family of all subsets of a set
    let uniform = meetjoin::solve(&Game(families.clone(), principal));
    let peeking = meetjoin::solve(&Game(sets.clone(), |set| set));
    // A strategy pairs the cards, answers each with its partner, and wins in two hands. There are
    // three ways to pair them.
    let pairs = [[0, 5], [1, 4], [2, 3]].map(|pair| sets.set(pair).expect("six worlds"));
    assert_eq!(uniform, families.generated_by(pairs, &Budget::unlimited())?);
    assert_eq!(peeking, sets.top());
    println!("one strategy wins in: {:?}", uniform.maximal());
    println!("peeking wins in: {peeking:?}");
    Ok(())
}
