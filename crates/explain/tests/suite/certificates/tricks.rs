//! Small games of tricks in files, drawn at random: what certificates say of the value, of its
//! heaviest set and of single claims is what all strategies can do, which are tried one by one by
//! rules in words. A certificate with something else in it shows nothing that is not true.

#[path = "../../../../games/tests/suite/tricks/in_words.rs"]
#[allow(dead_code)] // what other tests need
mod in_words;

use std::io::Cursor;
use std::num::NonZero;

use meetjoin_catalogue::method::DEFAULT;
use meetjoin_check::NoHeavier;
use meetjoin_dag::Stakes;
use meetjoin_explain::{Verified, verify, write_certificate, write_proof};
use meetjoin_games::tricks::order::Pack;
use meetjoin_games::tricks::{
    GivenRules, TrickDeal, TrickEnding, TrickHand, TrickRules, Tricks, text,
};
use meetjoin_lattice::Budget;
use meetjoin_problems::Source;
use meetjoin_solve::{Claim, Decider, Instance, Meter, ProofFormat, Request};
use serde_json::{Value as Json, json};

use super::no_heavier::{certified, heaviest};
use in_words::{Plain, of_any_rules, of_game, value};

/// Ascending lists of places of stakes, counted from 1 as in files.
type Sets = Vec<Vec<usize>>;

struct Case {
    instance: Box<dyn Instance>,
    digest: String,
    /// The stakes that each of the best strategies wins.
    sets: Sets,
    stakes: usize,
}

impl Case {
    /// A deal as a file, and what all strategies can do. `None` if there is nothing to win.
    fn new(rules: &TrickRules, deal: &TrickDeal) -> Option<Self> {
        let pack = Pack::new(rules.clone()).expect("rules");
        let game = Tricks::new(pack.clone(), deal).ok()?;
        let hands = rules.players.iter().zip(&deal.hands);
        let seen = hands.filter_map(|(player, hand)| match hand {
            TrickHand::Seen(cards) => {
                Some((player.clone(), text::written(&pack, cards.iter().copied())))
            }
            TrickHand::Hidden { .. } => None,
        });
        let ending = TrickEnding {
            rules: Some(GivenRules::All(Box::new(rules.clone()))),
            trumps: None,
            hands: seen.collect(),
            unseen: text::written(&pack, deal.unseen.iter().copied()),
            leader: Some(rules.players[deal.leader].clone()),
            goal: deal.goal,
            // A file says neither where it would mean nothing.
            before: deal.goal.map_or(0, |_| deal.before),
            broken: deal.broken || rules.to_be_broken.is_none(),
        };
        let mut file = serde_json::to_value(ending).expect("JSON");
        file["format"] = json!("meetjoin-problem/1");
        file["game"] = json!("tricks");
        file["lattice"] = json!({"type": "families"});
        let source = Source::read(file.to_string().as_bytes()).expect("a problem");
        let stakes = Stakes::all(&game);
        let plain = Plain::new(rules, deal, &game);
        let won = |points: Vec<u32>| -> Vec<usize> {
            let worlds = points.into_iter().enumerate();
            let places = worlds.flat_map(|(world, points)| stakes.won_in(world, points));
            places.map(|place| place + 1).collect()
        };
        let mut sets: Sets = value(&plain, &plain.start(&game))
            .into_iter()
            .map(won)
            .collect();
        sets.sort();
        Some(Self {
            digest: source.digest(),
            instance: source.instance().expect("a game"),
            sets,
            stakes: stakes.len(),
        })
    }

    fn verify(&self, text: &str) -> Result<Verified, String> {
        let free = Budget::unlimited();
        let verified = verify(&*self.instance, Cursor::new(text), &free);
        verified.map_err(|error| error.to_string())
    }

    /// Whether some strategy wins these.
    fn is_won(&self, set: &[usize]) -> bool {
        is_below(&[set.to_vec()], &self.sets)
    }

    /// Whether nothing that is shown is false.
    fn is_true(&self, shown: &Verified) -> bool {
        let [lower, upper] = [shown.value.lower(), shown.value.upper()]
            .map(|bound| serde_json::from_str::<Sets>(&bound.json()).expect("a family"));
        is_below(&lower, &self.sets) && is_below(&self.sets, &upper)
    }

    fn value_certificate(&self) -> String {
        let free = Budget::unlimited();
        let answer = self.instance.solve(Request::new(DEFAULT, &free));
        let root = answer.expect("solved").root.value;
        let found: Sets = serde_json::from_str(&root.lower().json()).expect("a family");
        assert_eq!(found, self.sets);
        let mut text = Vec::new();
        let digest = self.digest.clone();
        write_certificate(&*self.instance, digest, &root, true, &free, &mut text).expect("true");
        String::from_utf8(text).expect("text")
    }

    /// The certificate of a claim, and whether it is true.
    fn claim(&self, set: &[usize]) -> (String, bool) {
        let free = Budget::unlimited();
        let proved = self.instance.prove(Claim {
            at_least: &json!(set).to_string(),
            by: Decider::DfPn,
            budget: &free,
            meter: Meter::NONE,
            threads: NonZero::<usize>::MIN,
            proof: Some(ProofFormat::Certificate),
            progress: None,
        });
        let certificate = proved.expect("a claim").certificate.expect("decided");
        let mut text = Vec::new();
        let digest = self.digest.clone();
        write_proof(&*self.instance, digest, certificate, &mut text).expect("memory takes it");
        (String::from_utf8(text).expect("text"), self.is_won(set))
    }
}

/// Whether each of some sets lies within one of others.
fn is_below(sets: &[Vec<usize>], others: &[Vec<usize>]) -> bool {
    let within = |set: &Vec<usize>, other: &Vec<usize>| set.iter().all(|one| other.contains(one));
    sets.iter()
        .all(|set| others.iter().any(|other| within(set, other)))
}

/// Deals of every game by name and of any rules.
fn cases() -> impl Iterator<Item = Case> {
    let names = meetjoin_games::tricks::presets::NAMES;
    let by_name = (0..8).flat_map(move |seed| names.map(|name| of_game(name, seed)));
    let all = by_name.chain((0..24).map(of_any_rules));
    all.filter_map(|(rules, deal)| Case::new(&rules, &deal))
}

/// The lines of a certificate with another one in place of one of them.
fn with_line(text: &str, place: usize, line: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines[place] = line;
    lines.join("\n") + "\n"
}

/// The sets of a line with a value, which are hexadecimal numbers; `None` for any other line.
fn named_sets(line: &str) -> Option<Sets> {
    let sets: Vec<String> = serde_json::from_str(line).ok()?;
    let set = |digits: String| -> Vec<usize> {
        let digits = digits.chars().rev().enumerate();
        let places = digits.flat_map(|(place, digit)| {
            let bits = digit.to_digit(16).expect("a hexadecimal digit");
            let set = (0..4).filter(move |bit| bits >> bit & 1 == 1);
            set.map(move |bit| 4 * place + bit + 1)
        });
        places.collect()
    };
    Some(sets.into_iter().map(set).collect())
}

fn header(text: &str) -> Json {
    let header = text.lines().nth(1).expect("a header");
    header.parse().expect("JSON")
}

#[test]
fn the_value_is_what_all_strategies_can_do() {
    let (mut shown, mut rejected) = (0, 0);
    for case in cases() {
        let text = case.value_certificate();
        let verified = case.verify(&text).expect("right");
        assert!(verified.value.exact().is_some() && case.is_true(&verified));
        shown += 1;
        // Each value that it names with one stake more or less, in each of its sets.
        for (place, line) in text.lines().enumerate().skip(2) {
            let Some(sets) = named_sets(line) else {
                break;
            };
            for changed in 0..sets.len() {
                let mut sets = sets.clone();
                let stake = 1 + place % case.stakes;
                if let Some(at) = sets[changed].iter().position(|one| *one == stake) {
                    sets[changed].remove(at);
                } else {
                    sets[changed].push(stake);
                    sets[changed].sort_unstable();
                }
                match case.verify(&with_line(&text, place, &json!(sets).to_string())) {
                    Ok(verified) => assert!(case.is_true(&verified), "{text}\n{place} {sets:?}"),
                    Err(_) => rejected += 1,
                }
            }
        }
    }
    assert!(shown > 30 && rejected > 300, "{shown} {rejected}");
}

#[test]
fn the_greatest_sum_is_what_the_best_strategy_has() {
    let mut shown = 0;
    for case in cases() {
        let best = case.sets.iter().map(Vec::len).max().unwrap_or(0) as u64;
        let found = heaviest(&*case.instance);
        assert_eq!(found.sets.first().map_or(0, |(weight, _)| *weight), best);
        let weights = found.weights;
        let write = |than: u64| {
            let weights = weights.clone();
            certified(&*case.instance, &case.digest, NoHeavier { than, weights })
        };
        let text = write(best).expect("true");
        let verified = case.verify(&text).expect("right");
        let said = (verified.answer, verified.no_heavier_than);
        assert_eq!(said, (Some(true), Some(best)));
        let Some(heaviest) = case
            .sets
            .iter()
            .find(|set| set.len() as u64 == best && best > 0)
        else {
            continue;
        };
        let error = write(best - 1).expect_err("not true");
        assert!(error.contains("some set weighs more than"), "{error}");
        // One point less, or one world that weighs more, in a certificate that is there.
        let header = header(&text);
        let mut less = header.clone();
        less["no_heavier"]["than"] = json!(best - 1);
        let mut more = header.clone();
        more["no_heavier"]["weights"][heaviest[0] - 1] = json!(2);
        for changed in [less, more] {
            assert_ne!(changed, header);
            let changed = case.verify(&with_line(&text, 1, &changed.to_string()));
            assert_ne!(changed.map(|shown| shown.answer), Ok(Some(true)), "{text}");
        }
        shown += 1;
    }
    assert!(shown > 30, "{shown}");
}

#[test]
fn claims_are_true_where_a_strategy_wins_them() {
    let (mut proved, mut disproved, mut rejected) = (0, 0, 0);
    for case in cases() {
        for set in case.sets.iter().filter(|set| !set.is_empty()).take(3) {
            let (text, is_true) = case.claim(set);
            let verified = case.verify(&text).expect("right");
            assert_eq!((is_true, verified.answer), (true, Some(true)));
            proved += 1;
            let others = (1..=case.stakes).map(|stake| {
                let mut more = set.clone();
                more.push(stake);
                more.sort_unstable();
                more.dedup();
                more
            });
            let Some(more) = others.into_iter().find(|more| !case.is_won(more)) else {
                continue;
            };
            let (refuted, is_true) = case.claim(&more);
            let verified = case.verify(&refuted).expect("right");
            assert_eq!((is_true, verified.answer), (false, Some(false)));
            disproved += 1;
            // The proof of one under the claim of the other.
            let mut changed = header(&text);
            changed["at_least"] = header(&refuted)["at_least"].clone();
            assert_ne!(changed, header(&text));
            let changed = case.verify(&with_line(&text, 1, &changed.to_string()));
            assert_ne!(changed.map(|shown| shown.answer), Ok(Some(true)), "{text}");
            rejected += 1;
        }
    }
    assert!(
        proved > 40 && disproved > 30 && rejected > 30,
        "{proved} {disproved} {rejected}"
    );
}
