//! Two criteria in one game: hexapawn, where MAX wants to capture many pawns and to lose few.
//!
//! There is no best move, because captures cost pawns. The dominance algebra says for each move
//! which *packets* MAX can hold the outcome to: sets of outcomes, of which MIN picks one. A
//! preference of MAX then chooses a packet and a move; another preference, another move. In the
//! free lattice the same game has one value: the packets that guarantee most.

use meetjoin::dag::{AndOrDag, Valuation};
use meetjoin::dominance::{
    Algebra, Dominance, Expression, Lexicographic, OutcomesBy, Player, choose_move, root_packets,
};
use meetjoin::games::Hexapawn;
use meetjoin::lattice::{Budget, Extended};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Hexapawn::new(3, 4)?; // three columns, four rows
    let budget = Budget::unlimited();

    // An outcome is (captured, minus lost).
    let leaves = OutcomesBy::new(Dominance, |leaf: &_| game.outcome(leaf).into());
    let root = root_packets(&game, &leaves, &budget);
    for r#move in &root.moves {
        let mut name = String::new();
        game.name(&r#move.node, &mut name)?;
        println!("{name}");
        for packet in r#move.packets.iter().flat_map(Expression::packets) {
            println!("    {:?}", packet.outcomes());
        }
    }

    // Who counts captures first opens with a pawn at the edge, who counts losses first with the one
    // in the middle.
    let mut chosen = Vec::new();
    for (what, first) in [("captures", 1), ("losses", 2)] {
        let preference = Lexicographic::new(Player::Max, 2, &[first])?;
        let choice = choose_move(&preference, &root)?.ok_or("there are moves")?;
        let packet = choice.packet.outcomes();
        println!("{what} first: move {} for {packet:?}", choice.r#move + 1);
        chosen.push(choice.r#move);
    }
    assert_eq!(chosen, [0, 1]);

    // The value in the free lattice is the same, without the packets that contain others.
    let value = meetjoin::solve(&game);
    let packets = root.packets.ok_or("no limit")?;
    let (free, mut guaranteed) = (Valuation::lattice(&game), Vec::new());
    for packet in Algebra::new(&Dominance, &budget).normal_form(&packets)? {
        let outcomes = packet.outcomes().iter();
        let outcomes = outcomes.map(|x| x.iter().copied().map(Extended::Finite).collect());
        guaranteed.push(free.packet(outcomes, &budget)?);
    }
    println!(
        "{} of {} packets guarantee most",
        guaranteed.len(),
        packets.packets().len()
    );
    assert_eq!(value, free.generated_by(guaranteed, &budget)?);
    Ok(())
}
