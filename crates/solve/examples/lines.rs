use meetjoin::games::bridge::*;
use meetjoin::lattice::Budget;
use meetjoin_solve::suit::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (n, s) = two_hands(&a[1], &a[2]).unwrap();
    let suit = Suit::new(n, s, Knowledge::default()).unwrap();
    let goals: Vec<Goal> = if a.len() > 3 { a[3..].iter().map(|g| g.parse().map_or(Goal::Average, Goal::Tricks)).collect() } else { (1..=suit.tricks()).map(Goal::Tricks).chain([Goal::Average]).collect() };
    for goal in goals {
        let t = std::time::Instant::now();
        let b = Budget::unlimited();
        let mut solver = Solver::new(&suit, &b);
        let answer = solver.one(goal);
        println!("{n} {s} {goal:?} {} {:?}", answer.chance.weight as f64 / answer.chance.total as f64, t.elapsed());
        for (i, l) in answer.line.map_or(vec![], |l| l.lines) { println!("   {}{l}", "  ".repeat(i)); }
    }
}
