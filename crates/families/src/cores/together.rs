//! Decides whether one strategy of MAX wins all of some stakes; if not, finds a core of stakes that
//! none wins together.
//!
//! Idea: that is a yes-or-no question, so it is a search without families of sets. Each answer is
//! stored at its position:
//!
//! 1. *Won*: all stakes of the question. One strategy wins any part of them too.
//! 2. *Lost*: a *core*, read off the failed proof. No strategy wins any set that has it as a part.
//!    A stake that is lost with all cards seen is a core by itself. Where MIN moves, the core of
//!    one move is enough. Where MAX moves, each of her moves has one, and together they are a core.
//!    So a move is tried with the stakes first that are in the core already, and moves that are
//!    refuted by what is won with all cards seen share stakes where they can.
//!
//! Invariants: sets at a position have stakes of worlds in which it is possible; stored answers are
//! true whatever stops a search.
//!
//! Cost: two sets for each position that is visited, and the stored sets. A look-up is a pass over
//! the stored sets of a position.
//!
//! Sources: lattice values by question and answer: Ginsberg (2001); why no strategy wins worlds
//! together: Frank and Basin (1998); nogoods of constraint satisfaction: Dechter (1990).

use std::collections::HashMap;

use ahash::RandomState;
use meetjoin_dag::{HiddenGame, HiddenSets, SeesAll, Turn, Valuation};
use meetjoin_lattice::{Budget, Lattice, Stop, WorldSet};

/// The answer to a question.
enum Answer<B> {
    Won,
    Lost(B),
}

/// The stakes won at a position with all cards seen.
struct Seen<B> {
    /// An upper bound of these stakes.
    won: B,
    /// Whether it is exact.
    is_exact: bool,
}

/// The entry of a position.
struct Known<P, B> {
    position: P,
    turn: Turn,
    /// The stakes of worlds in which the position is impossible.
    impossible: B,
    seen: Option<Seen<B>>,
    moves: Option<Box<[u32]>>,
    /// Cores, those that answered most recently first.
    lost: Vec<B>,
    won: Vec<B>,
    /// The move that decided most recently.
    decided: u32,
}

/// The positions of a game and their stored answers.
pub(super) struct Together<'a, G: HiddenGame, B: WorldSet, S> {
    sets: &'a HiddenSets<'a, G, B>,
    known: S,
    budget: &'a Budget,
    numbers: HashMap<G::Position, u32, RandomState>,
    positions: Vec<Known<G::Position, B>>,
}

/// A question that waits for the answer to another one.
struct Frame<B> {
    position: u32,
    set: B,
    /// The moves that are not refuted yet; the last is asked first.
    left: Vec<u32>,
    /// Where MAX moves: the core so far.
    core: B,
    /// Sets of stakes of which the core must contain one each.
    refuted: Vec<B>,
    /// Whether the last move was asked about the core's stakes only.
    is_part: bool,
}

/// The next step of a frame.
enum Next<B> {
    Ask(u32, B),
    Done(Answer<B>),
}

impl<'a, G, B, S> Together<'a, G, B, S>
where
    G: HiddenGame,
    B: WorldSet,
    S: SeesAll<G::Position, B>,
{
    /// No answers yet; `known` gives what is won with all cards seen.
    pub(super) fn new(sets: &'a HiddenSets<'a, G, B>, known: S, budget: &'a Budget) -> Self {
        Self {
            sets,
            known,
            budget,
            // The table is never iterated over, so fixed seeds are fine.
            numbers: HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4)),
            positions: Vec::new(),
        }
    }

    /// The positions after each first move of MAX, by number, or the start if it is not her turn.
    pub(super) fn first_moves(&mut self) -> Vec<u32> {
        let start = self.number(self.sets.game().start());
        if self.at(start).turn != Turn::Max {
            return vec![start];
        }
        let moves = 0..self.moves(start);
        moves.map(|place| self.to(start, place)).collect()
    }

    /// The stakes won from a position with all cards seen; no others can be won.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn winnable(&mut self, start: u32) -> Result<B, Stop> {
        self.see(start)?;
        Ok(self.seen(start).won.clone())
    }

    /// A core of these stakes at a position; `None` if one strategy wins all of them.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn core(&mut self, start: u32, set: &B) -> Result<Option<B>, Stop> {
        match self.decide(start, set.clone())? {
            Answer::Won => Ok(None),
            Answer::Lost(core) => Ok(Some(core)),
        }
    }

    fn number(&mut self, position: G::Position) -> u32 {
        if let Some(known) = self.numbers.get(&position) {
            return *known;
        }
        let number = self.positions.len() as u32;
        self.positions.push(Known {
            turn: self.sets.game().turn(&position),
            impossible: self.sets.impossible(&position),
            position: position.clone(),
            seen: None,
            moves: None,
            lost: Vec::new(),
            won: Vec::new(),
            decided: u32::MAX,
        });
        self.numbers.insert(position, number);
        number
    }

    fn at(&self, position: u32) -> &Known<G::Position, B> {
        &self.positions[position as usize]
    }

    fn at_mut(&mut self, position: u32) -> &mut Known<G::Position, B> {
        &mut self.positions[position as usize]
    }

    /// The number of moves of a position; [`to`](Self::to) gives their targets.
    fn moves(&mut self, position: u32) -> usize {
        if self.at(position).moves.is_none() {
            let mut after = Vec::new();
            let game = self.sets.game();
            game.moves(&self.at(position).position, &mut after);
            let numbers = after.into_iter().map(|next| self.number(next)).collect();
            self.at_mut(position).moves = Some(numbers);
        }
        self.at(position)
            .moves
            .as_ref()
            .map_or(0, |moves| moves.len())
    }

    fn to(&self, position: u32, place: usize) -> u32 {
        // Only called with indices below the number of moves.
        self.at(position)
            .moves
            .as_ref()
            .map_or(position, |moves| moves[place])
    }

    fn seen(&self, position: u32) -> &Seen<B> {
        match &self.at(position).seen {
            Some(seen) => seen,
            None => unreachable!("a position is seen before it is asked about"),
        }
    }

    /// Finds what is won with all cards seen.
    fn see(&mut self, position: u32) -> Result<(), Stop> {
        let mut open = vec![position];
        while let Some(&next) = open.last() {
            if self.at(next).seen.is_none() && !self.see_at_once(next)? {
                let before = open.len();
                for place in 0..self.moves(next) {
                    let to = self.to(next, place);
                    if self.at(to).seen.is_none() {
                        open.push(to);
                    }
                }
                if open.len() > before {
                    continue;
                }
                self.budget.steps(1)?;
                let seen = self.seen_by_moves(next);
                self.at_mut(next).seen = Some(seen);
            }
            open.pop();
        }
        Ok(())
    }

    /// What is seen at leaves, or known without search.
    fn see_at_once(&mut self, position: u32) -> Result<bool, Stop> {
        let place = position as usize;
        if self.positions[place].turn == Turn::Over {
            let won = self.sets.leaf(&self.positions[place].position);
            self.positions[place].seen = Some(Seen {
                won,
                is_exact: true,
            });
            return Ok(true);
        }
        let known = &self.positions[place].position;
        let Some(seen) = self.known.seen(known, None, self.budget)? else {
            return Ok(false);
        };
        self.positions[place].seen = Some(Seen {
            won: seen.won,
            is_exact: seen.is_exact,
        });
        Ok(true)
    }

    /// Combines what is seen after each move.
    fn seen_by_moves(&self, position: u32) -> Seen<B> {
        let known = self.at(position);
        let is_max = known.turn == Turn::Max;
        let mut won = known.impossible.clone();
        if !is_max {
            won = self.sets.lattice().top();
        }
        let mut is_exact = true;
        for to in known.moves.iter().flatten() {
            let after = self.seen(*to);
            is_exact &= after.is_exact;
            if is_max {
                won.union_with(&after.won);
            } else {
                won.intersect_with(&after.won);
            }
        }
        Seen { won, is_exact }
    }

    /// Returns whether all stakes are of one world.
    fn are_of_one_world(&self, set: &B) -> bool {
        let stakes = self.sets.stakes();
        let mut worlds = set.ones().filter_map(|place| stakes.get(place));
        let Some(first) = worlds.next() else {
            return true;
        };
        worlds.all(|stake| stake.world == first.world)
    }

    fn look_up(&mut self, position: u32, set: &B) -> Result<Option<Answer<B>>, Stop> {
        let entries = self.at(position).lost.len() + self.at(position).won.len();
        if entries == 0 {
            return Ok(None);
        }
        self.budget.steps(1 + entries as u64 / 16)?;
        let known = self.at_mut(position);
        if let Some(place) = known.lost.iter().position(|core| core.is_subset(set)) {
            let core = known.lost[place].clone();
            known.lost.swap(place, place / 2);
            return Ok(Some(Answer::Lost(core)));
        }
        if let Some(place) = known.won.iter().position(|won| set.is_subset(won)) {
            known.won.swap(place, place / 2);
            return Ok(Some(Answer::Won));
        }
        Ok(None)
    }

    /// The answer, if it takes no search. The stakes must be of worlds in which the position is
    /// possible.
    fn at_once(&mut self, position: u32, set: &B) -> Result<Option<Answer<B>>, Stop> {
        self.see(position)?;
        let seen = self.seen(position);
        let mut lost = set.clone();
        lost.subtract(&seen.won);
        if let Some(first) = lost.ones().next() {
            return Ok(Some(Answer::Lost(self.one(first))));
        }
        if self.at(position).turn == Turn::Over || seen.is_exact && self.are_of_one_world(set) {
            return Ok(Some(Answer::Won));
        }
        self.look_up(position, set)
    }

    fn one(&self, stake: usize) -> B {
        let mut one = self.sets.lattice().bottom();
        one.insert(stake);
        one
    }

    fn decide(&mut self, position: u32, set: B) -> Result<Answer<B>, Stop> {
        let mut frames: Vec<Frame<B>> = Vec::new();
        let mut answer = self.ask(position, set, &mut frames)?;
        while let Some(mut frame) = frames.pop() {
            match self.step(&mut frame, answer.take()) {
                Next::Ask(to, set) => {
                    frames.push(frame);
                    answer = self.ask(to, set, &mut frames)?;
                }
                Next::Done(found) => {
                    self.keep(&frame, &found);
                    answer = Some(found);
                }
            }
        }
        Ok(answer.unwrap_or(Answer::Won))
    }

    /// The answer, or a frame that finds it.
    fn ask(
        &mut self,
        position: u32,
        mut set: B,
        frames: &mut Vec<Frame<B>>,
    ) -> Result<Option<Answer<B>>, Stop> {
        set.subtract(&self.at(position).impossible);
        if let Some(answer) = self.at_once(position, &set)? {
            return Ok(Some(answer));
        }
        self.budget.visit()?;
        let mut frame = Frame {
            position,
            set,
            left: Vec::new(),
            core: self.sets.lattice().bottom(),
            refuted: Vec::new(),
            is_part: false,
        };
        let found = if self.at(position).turn == Turn::Max {
            self.begin_max(&mut frame)?
        } else {
            self.begin_min(&mut frame)?
        };
        if let Some(found) = found {
            self.keep(&frame, &found);
            return Ok(Some(found));
        }
        frames.push(frame);
        Ok(None)
    }

    /// The stakes of a set that remain possible after a move.
    fn after(&self, to: u32, set: &B) -> B {
        let mut after = set.clone();
        after.subtract(&self.at(to).impossible);
        after
    }

    /// Answers what is known after each move of MIN, and lists the other moves.
    fn begin_min(&mut self, frame: &mut Frame<B>) -> Result<Option<Answer<B>>, Stop> {
        let mut open: Vec<(bool, usize, usize, u32)> = Vec::new();
        let last = self.at(frame.position).decided;
        for place in 0..self.moves(frame.position) {
            let to = self.to(frame.position, place);
            let after = self.after(to, &frame.set);
            match self.at_once(to, &after)? {
                Some(Answer::Won) => {}
                Some(Answer::Lost(core)) => return Ok(Some(Answer::Lost(core))),
                None => open.push((to == last, after.count(), place, to)),
            }
        }
        open.sort_unstable();
        frame.left = open.into_iter().map(|(.., to)| to).collect();
        Ok(None)
    }

    /// Answers what is known after each move of MAX, and lists the other moves.
    fn begin_max(&mut self, frame: &mut Frame<B>) -> Result<Option<Answer<B>>, Stop> {
        let mut open: Vec<u32> = Vec::new();
        let last = self.at(frame.position).decided;
        for place in 0..self.moves(frame.position) {
            let to = self.to(frame.position, place);
            self.see(to)?;
            let mut lost = self.after(to, &frame.set);
            lost.subtract(&self.seen(to).won);
            if lost.ones().next().is_some() {
                frame.refuted.push(lost);
            } else {
                open.push(to);
            }
        }
        for to in open {
            let after = self.after(to, &frame.set);
            match self.at_once(to, &after)? {
                Some(Answer::Won) => {
                    self.at_mut(frame.position).decided = to;
                    return Ok(Some(Answer::Won));
                }
                Some(Answer::Lost(core)) if frame.core.ones().next().is_none() => {
                    frame.core = core;
                }
                _ => frame.left.push(to),
            }
        }
        frame.left.reverse();
        to_the_end(&mut frame.left, last);
        Ok(None)
    }

    fn step(&mut self, frame: &mut Frame<B>, answer: Option<Answer<B>>) -> Next<B> {
        if self.at(frame.position).turn == Turn::Max {
            self.step_max(frame, answer)
        } else {
            self.step_min(frame, answer)
        }
    }

    fn step_min(&mut self, frame: &mut Frame<B>, answer: Option<Answer<B>>) -> Next<B> {
        match answer {
            Some(Answer::Lost(core)) => {
                if let Some(to) = frame.left.last() {
                    self.at_mut(frame.position).decided = *to;
                }
                return Next::Done(Answer::Lost(core));
            }
            Some(Answer::Won) => {
                frame.left.pop();
            }
            None => {}
        }
        match frame.left.last() {
            Some(to) => Next::Ask(*to, self.after(*to, &frame.set)),
            None => Next::Done(Answer::Won),
        }
    }

    fn step_max(&mut self, frame: &mut Frame<B>, answer: Option<Answer<B>>) -> Next<B> {
        match (answer, frame.left.last()) {
            (Some(Answer::Won), Some(to)) => {
                if !frame.is_part {
                    self.at_mut(frame.position).decided = *to;
                    return Next::Done(Answer::Won);
                }
                frame.is_part = false;
                return Next::Ask(*to, self.after(*to, &frame.set));
            }
            (Some(Answer::Lost(core)), Some(_)) => {
                frame.core.union_with(&core);
                frame.left.pop();
            }
            _ => {}
        }
        let Some(to) = frame.left.last() else {
            hit(&mut frame.core, &mut frame.refuted);
            return Next::Done(Answer::Lost(frame.core.clone()));
        };
        frame.is_part = frame.core.ones().next().is_some();
        let asked = if frame.is_part {
            &frame.core
        } else {
            &frame.set
        };
        Next::Ask(*to, self.after(*to, asked))
    }

    /// Stores an answer.
    fn keep(&mut self, frame: &Frame<B>, found: &Answer<B>) {
        let known = self.at_mut(frame.position);
        match found {
            Answer::Won => {
                known.won.retain(|won| !won.is_subset(&frame.set));
                known.won.push(frame.set.clone());
            }
            Answer::Lost(core) => {
                known.lost.retain(|lost| !core.is_subset(lost));
                known.lost.push(core.clone());
            }
        }
    }
}

/// Moves a position to the end, and keeps the order of the others. Compiled once for all games.
fn to_the_end(positions: &mut [u32], last: u32) {
    positions.sort_by_key(|position| *position == last);
}

/// Adds stakes to a core until it hits each of these sets.
fn hit<B: WorldSet>(core: &mut B, all: &mut Vec<B>) {
    let has = |core: &B, set: &B| set.ones().any(|stake| core.contains(stake));
    all.retain(|set| !has(core, set));
    while let Some(first) = all.first() {
        let count = |stake: usize| all.iter().filter(|set| set.contains(stake)).count();
        // One stake of the first set must be in; it takes the first of those in most sets.
        let best = first
            .ones()
            .max_by_key(|stake| (count(*stake), usize::MAX - stake));
        let Some(best) = best else {
            return;
        };
        core.insert(best);
        all.retain(|set| !set.contains(best));
    }
}
