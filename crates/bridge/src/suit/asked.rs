//! What is asked of a suit, and everything that is answered: goals, lines compared, first leads.

use std::num::NonZero;

use meetjoin_lattice::Budget;
use meetjoin_report::counted;

use crate::play::Suit;

use super::compare::{Comparison, Rule, compare};
use super::contract::{Contract, ContractError};
use super::page::html;
use super::picture::svg;
use super::{Goal, Solver, SuitAnswer, SuitTable};

/// What is asked of a suit. The default is the table of all goals.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is asked for by itself
pub struct Asked {
    /// The goal; none for all of them.
    pub goal: Option<Goal>,
    /// Compare lines by who takes more tricks.
    pub matchpoints: bool,
    /// Compare lines by the swing of this contract, which the tricks of the goal make.
    pub imps: Option<Contract>,
    /// Each first lead with the best of it.
    pub leads: bool,
    /// The number of best lines for the goal, if asked for.
    pub top: Option<NonZero<usize>>,
    /// The tricks of each line in each layout.
    pub table: bool,
    /// A page beside the answer.
    pub page: bool,
    /// A picture beside the answer: the chances of all goals.
    pub picture: bool,
}

/// Something that cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskedError {
    /// A goal that no line can have.
    #[error("the goal must be 1 to {most} for this suit, not {}", counted(*.tricks, "trick"))]
    Goal {
        /// The goal.
        tricks: u8,
        /// The most tricks.
        most: u8,
    },
    /// Lines are the best for a goal.
    #[error("--top needs a goal: --tricks K or --average")]
    Top,
    /// The contract and the tricks do not go together.
    #[error(transparent)]
    Contract(#[from] ContractError),
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Found {
    /// Lines compared.
    Compared(Comparison),
    /// One goal.
    One(SuitAnswer),
    /// All goals.
    All(SuitTable),
}

/// An answer, with the page and the picture if they were asked for.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The answer.
    pub found: Found,
    /// The page.
    pub page: Option<String>,
    /// The picture.
    pub picture: Option<String>,
}

impl Found {
    /// Whether no limit has stopped it.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Compared(comparison) => comparison.is_complete(),
            Self::One(answer) => answer.is_complete(),
            Self::All(table) => table.is_complete(),
        }
    }

    /// One JSON object on a line.
    pub fn json(&self) -> String {
        match self {
            Self::Compared(comparison) => comparison.json(),
            Self::One(answer) => answer.json(),
            Self::All(table) => table.json(),
        }
    }

    /// Lines for people.
    pub fn text(&self) -> String {
        match self {
            Self::Compared(comparison) => comparison.text(),
            Self::One(answer) => answer.text(),
            Self::All(table) => table.text(),
        }
    }
}

impl Asked {
    /// Whether a line for this suit can have the goal.
    pub fn check(&self, suit: &Suit) -> Result<(), AskedError> {
        match self.goal {
            Some(Goal::Tricks(tricks)) if tricks == 0 || tricks > suit.tricks() => {
                let most = suit.tricks();
                Err(AskedError::Goal { tricks, most })
            }
            _ => Ok(()),
        }
    }

    /// How lines are compared, if that is asked for.
    fn rule(&self, suit: &Suit) -> Result<Option<Rule>, ContractError> {
        if self.matchpoints {
            return Ok(Some(Rule::Matchpoints));
        }
        let (Some(contract), Some(Goal::Tricks(tricks))) = (&self.imps, self.goal) else {
            return Ok(None);
        };
        let scores = contract.scores(tricks, suit.tricks())?;
        let played = format!("{contract} made with {}", counted(tricks, "trick"));
        Ok(Some(Rule::Imps(played, scores)))
    }

    /// Answers it.
    pub fn answer(&self, suit: &Suit, budget: &Budget) -> Result<Answered, AskedError> {
        self.check(suit)?;
        let mut solver = Solver::new(suit, budget);
        if let Some(rule) = self.rule(suit)? {
            let mut comparison = compare(&mut solver, &rule);
            comparison.table = self.table;
            return Ok(Answered {
                found: Found::Compared(comparison),
                page: None,
                picture: None,
            });
        }
        let Some(goal) = self.goal else {
            if self.top.is_some() {
                return Err(AskedError::Top);
            }
            let mut table = solver.all();
            table.table = self.table;
            if self.leads {
                let goals = table.goals.iter().map(|(chance, _)| chance.goal);
                table.leads = Some(goals.map(|goal| (goal, solver.leads(goal))).collect());
            }
            let page = self.page.then(|| html(&mut solver, &table, None));
            let picture = self.picture.then(|| svg(&table));
            return Ok(Answered {
                found: Found::All(table),
                page,
                picture,
            });
        };
        let mut answer = solver.one(goal);
        answer.table = self.table;
        if let Some(most) = self.top {
            answer.top = Some(solver.top(goal, most.get()));
        }
        if self.leads {
            answer.leads = Some(solver.leads(goal));
        }
        if let (Goal::Tricks(tricks), Some(line), None, None) = (
            goal,
            &answer.line,
            answer.chance.stop,
            suit.knowledge().lead,
        ) {
            answer.sure = Some(solver.sure(line, tricks));
        }
        let page = self.page.then(|| {
            let table = solver.all();
            html(&mut solver, &table, Some(goal))
        });
        let picture = self.picture.then(|| svg(&solver.all()));
        Ok(Answered {
            found: Found::One(answer),
            page,
            picture,
        })
    }
}
