//! The rules of well-known games.

use super::rules::{Aim, CardPoints, TrickRules};

/// The names of the games that [`named`] knows.
pub const NAMES: [&str; 6] = ["bridge", "whist", "skat", "hearts", "spades", "oh-hell"];

/// The rules of a game by its name. If trumps differ from deal to deal, none are set; set
/// [`TrickRules::trumps`].
pub fn named(name: &str) -> Option<TrickRules> {
    Some(match name {
        "bridge" => bridge(),
        "whist" => whist(),
        "skat" => skat(),
        "hearts" => hearts(),
        "spades" => spades(),
        "oh-hell" => oh_hell(),
        _ => return None,
    })
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// A pack of 52 for four players, without points.
fn plain() -> TrickRules {
    TrickRules {
        players: words("South West North East"),
        partners: Vec::new(),
        suits: words("C D H S"),
        ranks: words("2 3 4 5 6 7 8 9 T J Q K A"),
        trumps: None,
        high_trumps: Vec::new(),
        must_follow: true,
        must_trump: false,
        must_beat: false,
        to_be_broken: None,
        points: CardPoints::default(),
        aim: Aim::Most,
    }
}

fn tricks() -> CardPoints {
    CardPoints {
        trick: 1,
        ..CardPoints::default()
    }
}

/// Bridge: South plays her own cards and those of North, who is dummy.
pub fn bridge() -> TrickRules {
    TrickRules {
        partners: words("North"),
        points: tricks(),
        ..plain()
    }
}

/// Whist: like bridge, but the partner's hand is hidden, too. For two players, leave the others
/// out.
pub fn whist() -> TrickRules {
    bridge()
}

/// Skat: the declarer against two players. Jacks are the highest trumps, and a suit may be trumps
/// as well; card points are counted.
pub fn skat() -> TrickRules {
    let points = [("A", 11), ("10", 10), ("K", 4), ("Q", 3), ("J", 2)];
    let ranks = points.map(|(rank, points)| (rank.to_owned(), points));
    TrickRules {
        players: words("declarer left right"),
        suits: words("D H S C"),
        ranks: words("7 8 9 J Q K 10 A"),
        high_trumps: words("DJ HJ SJ CJ"),
        points: CardPoints {
            ranks: ranks.into_iter().collect(),
            ..CardPoints::default()
        },
        ..plain()
    }
}

/// Hearts: a heart is a point, the queen of spades 13, and MAX wants few points. There is no bonus
/// for taking all of them.
pub fn hearts() -> TrickRules {
    TrickRules {
        to_be_broken: Some("H".to_owned()),
        points: CardPoints {
            suits: [("H".to_owned(), 1)].into_iter().collect(),
            cards: [("SQ".to_owned(), 13)].into_iter().collect(),
            ..CardPoints::default()
        },
        aim: Aim::Fewest,
        ..plain()
    }
}

/// Spades: spades are trumps and may not be led before one was played.
pub fn spades() -> TrickRules {
    TrickRules {
        trumps: Some("S".to_owned()),
        to_be_broken: Some("S".to_owned()),
        ..bridge()
    }
}

/// Oh Hell: the tricks that were bid, no more and no fewer.
pub fn oh_hell() -> TrickRules {
    TrickRules {
        points: tricks(),
        aim: Aim::Exactly,
        ..plain()
    }
}
