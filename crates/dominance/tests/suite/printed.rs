//! Procedure F exactly as printed, in the antichain reading. It lives here to show its error: one
//! flag for two opposite cases.

use meetjoin_dominance::{Algebra, Expression, Player};

use crate::support::{Expr, ORDER, Tree, Vectors, free, unwrap_stop};

/// F(n, -infinity, +infinity) for vectors of so many criteria: a MAX-expression.
pub fn procedure_f(tree: &Vectors, criteria: usize) -> Expr {
    let minus = infinity(Player::Max, criteria);
    let plus = infinity(Player::Min, criteria);
    call(tree, minus.clone(), plus, &minus)
}

/// What a player has who has nothing yet: the worst outcome.
pub fn infinity(player: Player, criteria: usize) -> Expr {
    let worst = match player {
        Player::Max => i64::MIN,
        Player::Min => i64::MAX,
    };
    Expression::outcome(player, vec![worst; criteria].into())
}

fn call(tree: &Vectors, mut alpha: Expr, mut beta: Expr, minus: &Expr) -> Expr {
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    let add = |sum: &mut Expr, other: &Expr| unwrap_stop(algebra.add(sum, other));
    match tree {
        Tree::Leaf(x) => Expression::outcome(Player::Max, x.clone().into()),
        Tree::Or(children) => {
            let mut sum = minus.clone();
            for child in children {
                let value = call(child, alpha.clone(), beta.clone(), minus);
                if value != *minus {
                    add(&mut alpha, &value);
                    add(&mut sum, &value);
                    if unwrap_stop(algebra.prunes(&beta, &unwrap_stop(algebra.convert(&value)))) {
                        return minus.clone();
                    }
                }
            }
            sum
        }
        Tree::And(children) => {
            let criteria = minus.packets()[0].outcomes()[0].len();
            let mut sum = infinity(Player::Min, criteria);
            for child in children {
                let value = call(child, alpha.clone(), beta.clone(), minus);
                if value != *minus {
                    add(&mut beta, &value);
                    add(&mut sum, &value);
                    if unwrap_stop(algebra.prunes(&alpha, &value)) {
                        return minus.clone();
                    }
                }
            }
            unwrap_stop(algebra.convert(&sum))
        }
    }
}
