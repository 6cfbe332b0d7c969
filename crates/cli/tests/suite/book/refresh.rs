//! What a page is to show now: the lines that are printed, with as little changed as possible. What
//! was left out stays left out, and lines that are still right stay as they are.

use super::compare::{is_rest, is_same_line};

pub fn refreshed(shown: &[String], printed: &[String]) -> Vec<String> {
    let mut now = Vec::new();
    let (mut from, mut gone) = (0, 0);
    let ends = [(shown.len(), printed.len())];
    for (at, other) in kept(shown, printed).into_iter().chain(ends) {
        between(&shown[from..at], &printed[gone..other], &mut now);
        now.extend(shown.get(at).cloned());
        (from, gone) = (at + 1, other + 1);
    }
    now
}

/// The lines that stay, as many as can be in order: their places on the page and in what is
/// printed.
fn kept(shown: &[String], printed: &[String]) -> Vec<(usize, usize)> {
    let is_kept =
        |at: usize, other: usize| !is_rest(&shown[at]) && is_same_line(&shown[at], &printed[other]);
    // How many can stay of what follows these two places.
    let mut most = vec![vec![0; printed.len() + 1]; shown.len() + 1];
    for at in (0..shown.len()).rev() {
        for other in (0..printed.len()).rev() {
            most[at][other] = if is_kept(at, other) {
                most[at + 1][other + 1] + 1
            } else {
                most[at + 1][other].max(most[at][other + 1])
            };
        }
    }
    let (mut kept, mut at, mut other) = (Vec::new(), 0, 0);
    while at < shown.len() && other < printed.len() {
        if is_kept(at, other) {
            kept.push((at, other));
            (at, other) = (at + 1, other + 1);
        } else if most[at + 1][other] >= most[at][other + 1] {
            at += 1;
        } else {
            other += 1;
        }
    }
    kept
}

/// Lines none of which stay. Where some were left out, as many as were shown before and after them
/// are shown again.
fn between(shown: &[String], printed: &[String], now: &mut Vec<String>) {
    let first = shown.iter().position(|line| is_rest(line));
    let last = shown.iter().rposition(|line| is_rest(line));
    let (Some(first), Some(last)) = (first, last) else {
        now.extend_from_slice(printed);
        return;
    };
    let head = first.min(printed.len());
    let tail = (shown.len() - last - 1).min(printed.len() - head);
    now.extend_from_slice(&printed[..head]);
    now.push(shown[first].clone());
    now.extend_from_slice(&printed[printed.len() - tail..]);
}

#[test]
fn what_is_right_stays_and_what_is_left_out_stays_out() {
    for (shown, printed, now) in [
        ("a b c", "a x c", "a x c"),
        ("a ..", "x b c", "x .."),
        ("a .. d e", "a b c d x y", "a .. d x y"),
        ("a b .. y z", "a x 1 2 3 u v", "a x .. u v"),
        ("", "a b", "a b"),
        ("a b", "", ""),
        (".. a .. z", "1 2 a 3 y", ".. a .. y"),
        ("a,.. b", "a,1 c", "a,.. c"),
    ] {
        let lines =
            |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        let (shown, printed) = (lines(shown), lines(printed));
        let found = refreshed(&shown, &printed);
        assert_eq!(found, lines(now), "{shown:?}, {printed:?}");
        assert!(super::compare::is_same(&found, &printed));
    }
}
