//! Bounds in families of sets grow long in a search without bounds from outside, unless it keeps no
//! more of them than its window shows.

use meetjoin::dag::{HiddenFamilies, Stakes, Valuation};
use meetjoin::games::{Racing, RacingHands, RacingPosition};
use meetjoin::lattice::{Antichain, Budget, Words};
use meetjoin::search::{Duo, Env, Exit, Observer, Table, Window, alpha_beta_duo_as};

/// The most maximal sets of an upper bound that was returned.
#[derive(Default)]
struct Longest(usize);

impl<B> Observer<RacingPosition, Antichain<B>> for Longest {
    fn exit(&mut self, _: &RacingPosition, result: Exit<'_, Antichain<B>>) {
        if let Exit::Bounds(_, upper) = result {
            self.0 = self.0.max(upper.maximal().len());
        }
    }
}

#[test]
fn bounds_are_no_longer_than_the_window_needs() {
    let game = Racing::random(20, 5, 7, 1).expect("a deal");
    let listed = RacingHands::new(&game);
    let stakes = Stakes::all(&listed);
    let values = HiddenFamilies::<_, Words<15>>::new(&listed, &stakes).expect("924 worlds");
    let longest = |narrow| {
        let how = Duo {
            narrow,
            ..Duo::default()
        };
        let (budget, mut longest) = (Budget::visits_at_most(300_000), Longest::default());
        let env = Env::new(&budget).with_store(Table::new());
        let window = Window::full(values.lattice());
        let mut env = env.with_observer(&mut longest);
        let outcome = alpha_beta_duo_as(&game, &values, &window, how, &mut env);
        assert!(outcome.stop.is_some(), "it takes more than a million");
        longest.0
    };
    let (as_they_come, windowed) = (longest(false), longest(true));
    assert!(as_they_come > 40, "{as_they_come}");
    assert!(windowed <= 4, "{windowed}");
}
