//! Errors of rules and endings of games of tricks.

/// Why rules or a deal are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrickError {
    /// Too few or too many of something.
    #[error("the rules have {count} {what}, and can have {least} to {most}")]
    Count {
        /// The kind of things.
        what: &'static str,
        /// Their number.
        count: usize,
        /// The least number.
        least: usize,
        /// The greatest number.
        most: usize,
    },
    /// A name occurs twice.
    #[error("{what} {name:?} is there twice")]
    Twice {
        /// The kind of thing.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A suit whose name is no letter.
    #[error("suit {0:?} is not named by one letter or sign")]
    SuitName(String),
    /// A rank whose name is nothing, or has a space in it.
    #[error("rank {0:?} is no name: it must have letters or digits, and no spaces")]
    RankName(String),
    /// An unknown name.
    #[error("{place}: {name:?} is no {what} of this game")]
    Unknown {
        /// Its place.
        place: String,
        /// The kind of thing it should name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// MAX is among her own partners.
    #[error("partners: {0:?} is MAX herself, who is the first of the players")]
    OwnPartner(String),
    /// The suit to be broken has no cards, because all of them are trumps.
    #[error("to_be_broken: every card of suit {0:?} is a trump")]
    NoSuit(String),
    /// `must_trump` is set without `must_follow`.
    #[error("must_trump is for games with must_follow: who need not follow need not trump")]
    TrumpsAlone,
    /// There are too many points to add.
    #[error("points: all of them together are {0}, and can be 60000 at most")]
    ManyPoints(u64),
    /// There is nothing to win.
    #[error("there is nothing to win: no card in play and no trick has points")]
    NoPoints,
    /// Points from before, and no goal that they count for.
    #[error("before: {0} points count for a goal, and there is none")]
    BeforeWithoutGoal(u32),
    /// A suit that is to be broken is said not to be, and there is none.
    #[error("broken: in these rules no suit is to be broken")]
    NothingToBreak,
    /// The number of hands is not that of players.
    #[error("there are {hands} hands, and {players} players")]
    Hands {
        /// Hands.
        hands: usize,
        /// Players.
        players: usize,
    },
    /// MAX's own hand is hidden.
    #[error("the hand of {0} is hidden, and she is MAX, who sees her own cards")]
    Unseen(String),
    /// The leader is not a player.
    #[error("player {leader} leads, and there are {players} players")]
    Leader {
        /// The leader, from 0.
        leader: usize,
        /// Players.
        players: usize,
    },
    /// No cards are left.
    #[error("the game is over: {0} has no card")]
    Finished(String),
    /// Hands have different lengths.
    #[error("{name} has {cards} cards and {max} has {own}: at a lead all have as many")]
    Lengths {
        /// A player.
        name: String,
        /// Her cards.
        cards: usize,
        /// MAX.
        max: String,
        /// Her cards.
        own: usize,
    },
    /// A card is in two places.
    #[error("{card} is in {first} and in {second}")]
    Shared {
        /// The card.
        card: String,
        /// A place.
        first: String,
        /// The other place.
        second: String,
    },
    /// A card is twice in one place.
    #[error("{card} is twice in {place}")]
    TwiceIn {
        /// The card.
        card: String,
        /// The place.
        place: String,
    },
    /// A card of a hidden hand that could be held or lacked.
    #[error(
        "{place}: write -{card} if the hand lacks {card}; if it has {card}, write it before {after}"
    )]
    AfterMinus {
        /// The hand.
        place: String,
        /// The card, which has no minus sign.
        card: String,
        /// What the hand lacks, before the card.
        after: String,
    },
    /// There are too many cards in play.
    #[error("{0} cards are in play, and there can be 32")]
    ManyCards(usize),
    /// There are fewer unseen cards than the hidden hands need.
    #[error("the hidden hands have {wanted} cards together, and {unseen} cards are unseen")]
    FewUnseen {
        /// The number they need.
        wanted: usize,
        /// The number there is.
        unseen: usize,
    },
    /// A card is said to be in a hidden hand, but is not unseen.
    #[error("{card} is said to be in the hand of {name}, and is none of the unseen cards")]
    NotUnseen {
        /// The card.
        card: String,
        /// The player.
        name: String,
    },
    /// No way to deal agrees with what is known.
    #[error("no way to deal the unseen cards agrees with what is known")]
    NoWorld,
    /// There are too many ways to deal.
    #[error(
        "there are more than {0} ways to deal the unseen cards; fewer of them, or more that is known of hidden hands, make fewer ways"
    )]
    ManyWorlds(usize),
    /// There is no game with this name.
    #[error(
        "there is no game {0:?}; games by name are bridge, whist, skat, hearts, spades and oh-hell"
    )]
    NoGame(String),
    /// The rules are missing.
    #[error("rules: they are missing; give the name of a game, or all of them")]
    NoRules,
    /// The rules are given in two places.
    #[error("the rules are given twice, beside the ending and in it; remove one")]
    TwoRules,
    /// A goal that no play reaches.
    #[error(
        "goal: {goal} points are out of reach; the side of the first player can have {least} to {most}"
    )]
    OutOfReach {
        /// The goal.
        goal: u32,
        /// The fewest points, which it has already.
        least: u32,
        /// The most points.
        most: u32,
    },
    /// The goal is missing.
    #[error("the aim is to win exactly the goal, and no goal is given")]
    NoGoal,
}
