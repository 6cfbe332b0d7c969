//! What makes no game of tricks.

/// What is wrong with rules or with a deal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrickError {
    /// Too few or too many of something.
    #[error("the rules have {count} {what}, and can have {least} to {most}")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// At least.
        least: usize,
        /// At most.
        most: usize,
    },
    /// Two of the same name.
    #[error("{what} {name:?} is there twice")]
    Twice {
        /// What it is.
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
    /// A name that is none.
    #[error("{place}: {name:?} is no {what} of this game")]
    Unknown {
        /// Where it stands.
        place: String,
        /// What it should be.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// MAX among her own partners.
    #[error("partners: {0:?} is MAX herself, who is the first of the players")]
    OwnPartner(String),
    /// A suit to be broken that no card belongs to, because all of them are trumps.
    #[error("to_be_broken: every card of suit {0:?} is a trump")]
    NoSuit(String),
    /// Whoever cannot follow must play a trump, and nobody has to follow.
    #[error("must_trump is for games with must_follow: who need not follow need not trump")]
    TrumpsAlone,
    /// Points that are too many to add.
    #[error("points: all of them together are {0}, and can be 60000 at most")]
    ManyPoints(u64),
    /// Nothing to win.
    #[error("there is nothing to win: no card in play and no trick has points")]
    NoPoints,
    /// More hands or fewer than players.
    #[error("there are {hands} hands, and {players} players")]
    Hands {
        /// Hands.
        hands: usize,
        /// Players.
        players: usize,
    },
    /// MAX's own hand is not there.
    #[error("the hand of {0} is hidden, and she is MAX, who sees her own cards")]
    Unseen(String),
    /// The leader is none of the players.
    #[error("player {leader} leads, and there are {players} players")]
    Leader {
        /// The leader, from 0.
        leader: usize,
        /// Players.
        players: usize,
    },
    /// No card is left.
    #[error("the game is over: {0} has no card")]
    Finished(String),
    /// Hands of different lengths.
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
    /// A card in two places.
    #[error("{card} is in {first} and in {second}")]
    Shared {
        /// The card.
        card: String,
        /// A place.
        first: String,
        /// Another.
        second: String,
    },
    /// A card twice in one place.
    #[error("{card} is twice in {place}")]
    TwiceIn {
        /// The card.
        card: String,
        /// The place.
        place: String,
    },
    /// Too many cards.
    #[error("{0} cards are in play, and there can be 32")]
    ManyCards(usize),
    /// Fewer unseen cards than the hidden hands have.
    #[error("the hidden hands have {wanted} cards together, and {unseen} cards are unseen")]
    FewUnseen {
        /// What they have.
        wanted: usize,
        /// What there is.
        unseen: usize,
    },
    /// A card that is said to be in a hidden hand, and is not unseen.
    #[error("{card} is said to be in the hand of {name}, and is none of the unseen cards")]
    NotUnseen {
        /// The card.
        card: String,
        /// The player.
        name: String,
    },
    /// No way to deal.
    #[error("no way to deal the unseen cards agrees with what is known")]
    NoWorld,
    /// More ways than can be numbered.
    #[error(
        "there are more than {0} ways to deal the unseen cards; fewer of them, or more that is known of hidden hands, make fewer ways"
    )]
    ManyWorlds(usize),
    /// No game of this name.
    #[error(
        "there is no game {0:?}; games by name are bridge, whist, skat, hearts, spades and oh-hell"
    )]
    NoGame(String),
    /// No rules.
    #[error("rules: they are missing; give the name of a game, or all of them")]
    NoRules,
    /// Rules in two places.
    #[error("rules: they are given beside the ending too; leave one of the two out")]
    TwoRules,
    /// A goal is missing.
    #[error("the aim is to win exactly so many points, and the goal does not say how many")]
    NoGoal,
}
