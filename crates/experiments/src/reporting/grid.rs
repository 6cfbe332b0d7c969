//! The order of visits that Li et al. (2022, section 6) expect, ABD < ABC < MMC < AB: where does it
//! hold?

use crate::panels::lineup::PUBLISHED;
use crate::panels::panel::{GRID, PANELS, Panel};
use crate::panels::row::Row;

/// How often something held among the games where one can tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) held: usize,
    pub(crate) known: usize,
}

impl Tally {
    fn add(&mut self, held: Option<bool>) {
        self.known += usize::from(held.is_some());
        self.held += usize::from(held == Some(true));
    }

    pub(crate) fn show(self) -> String {
        if self.known == 0 {
            return "unknown".to_owned();
        }
        format!("{} of {}", self.held, self.known)
    }
}

/// A row of the table: a panel's games, and how often each inequality held.
#[derive(Debug)]
pub(crate) struct Cell {
    pub(crate) panel: &'static Panel,
    pub(crate) games: usize,
    /// ABD < ABC, ABC < MMC, MMC < AB.
    pub(crate) pairs: [Tally; 3],
    /// All three.
    pub(crate) chain: Tally,
}

/// A row for each panel that was run, for one way to count.
pub(crate) fn cells(rows: &[Row], count: fn(&Row) -> Option<u64>) -> Vec<Cell> {
    let panels = PANELS.iter().chain([&GRID]);
    panels
        .filter(|panel| panel.cell.is_some())
        .filter_map(|panel| cell(rows, panel, count))
        .collect()
}

fn cell(rows: &[Row], panel: &'static Panel, count: fn(&Row) -> Option<u64>) -> Option<Cell> {
    let mine: Vec<&Row> = rows.iter().filter(|row| row.panel == panel.id).collect();
    let mut games: Vec<(u32, u64)> = mine.iter().map(|row| (row.value, row.seed)).collect();
    games.dedup();
    let mut cell = Cell {
        panel,
        games: games.len(),
        pairs: [Tally::default(); 3],
        chain: Tally::default(),
    };
    let [ab, abc, mmc, abd] = PUBLISHED;
    for (value, seed) in games {
        let row = |id| {
            let mut rows = mine.iter();
            rows.find(|row| (row.value, row.seed, &*row.algorithm) == (value, seed, id))
        };
        let pairs = [(abd, abc), (abc, mmc), (mmc, ab)].map(|(a, b)| less(row(a)?, row(b)?, count));
        for (tally, held) in cell.pairs.iter_mut().zip(pairs) {
            tally.add(held);
        }
        let all: Option<Vec<bool>> = pairs.into_iter().collect();
        let chain = if pairs.contains(&Some(false)) {
            Some(false)
        } else {
            all.map(|_| true)
        };
        cell.chain.add(chain);
    }
    (cell.games > 0).then_some(cell)
}

/// Whether one run counts less than another, if one can tell: a stopped run would have counted more
/// than it did.
fn less(a: &Row, b: &Row, count: fn(&Row) -> Option<u64>) -> Option<bool> {
    let (left, right) = (count(a)?, count(b)?);
    match (a.ended(), b.ended()) {
        (true, true) => Some(left < right),
        (true, false) => (left < right).then_some(true),
        (false, true) => (left >= right).then_some(false),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::row;

    #[test]
    fn stopped_runs_say_what_they_can() {
        let less = |a: &Row, b: &Row| less(a, b, |row| row.visits);
        let run = |visits, stop| Row {
            visits: Some(visits),
            ..row("alpha-beta", Some(1.0), stop)
        };
        let (few, many) = (run(10, None), run(20, None));
        let (few_stopped, many_stopped) = (run(10, Some("time")), run(20, Some("time")));
        assert_eq!(less(&few, &many), Some(true));
        assert_eq!(less(&many, &few), Some(false));
        assert_eq!(less(&few, &few), Some(false));
        assert_eq!(less(&few, &many_stopped), Some(true));
        assert_eq!(less(&many, &few_stopped), None);
        assert_eq!(less(&many_stopped, &few), Some(false));
        assert_eq!(less(&few_stopped, &many), None);
        assert_eq!(less(&few_stopped, &many_stopped), None);
    }

    #[test]
    fn the_chain_needs_all_three() {
        let [ab, abc, mmc, abd] = PUBLISHED;
        let game = |seed, visits: [u64; 4]| {
            [ab, abc, mmc, abd]
                .into_iter()
                .zip(visits)
                .map(move |(id, visits)| Row {
                    panel: "3-top".to_owned(),
                    seed,
                    visits: Some(visits),
                    ..row(id, Some(1.0), None)
                })
        };
        let rows: Vec<Row> = game(1, [40, 20, 30, 10])
            .chain(game(2, [25, 20, 30, 10]))
            .collect();
        let cells = cells(&rows, |row| row.visits);
        assert_eq!(cells.len(), 1);
        assert_eq!(cells[0].games, 2);
        assert_eq!(cells[0].pairs.map(|tally| tally.held), [2, 2, 1]);
        assert_eq!(cells[0].chain, Tally { held: 1, known: 2 });
    }
}
