//! A graph by its rules: plans for a network, made of plans that they share.
//!
//! All parts of an OR plan are built, so it connects what they connect together: the join. Of an
//! AND plan one variant is built, and nobody knows yet which, so what it connects for certain is
//! the meet. The last level has single cables.

use meetjoin::dag::{AndOrDag, Kind, Valuation};

use crate::partitions::{Groups, Partitions, STATIONS, cable};

/// Plans drawn from a seed: `width` on each of `levels` levels.
pub struct Plans {
    pub seed: u64,
    pub levels: u32,
    pub width: u64,
}

/// A plan: its level, and its number there.
pub type Plan = (u32, u64);

impl Plans {
    /// A number that depends on all of these, and on nothing else.
    fn draw(&self, (level, number): Plan, which: u64) -> u64 {
        [u64::from(level), number, which]
            .iter()
            .fold(self.seed, |mixed, part| {
                let mixed = (mixed ^ part).wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                mixed ^ (mixed >> 27)
            })
    }
}

impl AndOrDag for Plans {
    type Node = Plan;

    fn root(&self) -> Plan {
        (0, 0)
    }

    fn kind(&self, &(level, _): &Plan) -> Kind {
        match level {
            level if level == self.levels => Kind::Leaf,
            level if level % 3 == 2 => Kind::And,
            _ => Kind::Or,
        }
    }

    fn children(&self, plan: &Plan, out: &mut Vec<Plan>) {
        let part = |which| (plan.0 + 1, self.draw(*plan, which) % self.width);
        out.extend((0..3).map(part));
    }
}

impl Valuation<Plan> for Plans {
    type Lattice = Partitions;

    fn lattice(&self) -> &Partitions {
        &Partitions
    }

    fn leaf(&self, plan: &Plan) -> Groups {
        let station = |which| (self.draw(*plan, which) % STATIONS as u64) as usize;
        cable(station(0), station(1))
    }
}
