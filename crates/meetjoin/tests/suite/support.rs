//! Known answers that several tests share.

use meetjoin::games::Racing;
use serde_json::Value;

/// The deals of racing with known answers, each with its case: of the project's collection where
/// that is present, else of the copy in the repository.
pub fn racing_cases() -> Vec<(Racing, Value)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let paths = ["../shared/cases", "cases"].map(|folder| format!("{root}/{folder}/racing.json"));
    let text = paths
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok());
    let text = text.expect("the repository keeps a copy of the known answers");
    let file: Value = serde_json::from_str(&text).expect("valid JSON");
    let number = |value: &Value| u8::try_from(value.as_u64().expect("a number")).expect("small");
    let case = |case: &Value| {
        let hand = case["max_hand"].as_array().expect("a hand");
        let hand: Vec<u8> = hand.iter().map(number).collect();
        let (deck, goal, lead) = (&case["d"], &case["g"], &case["first"]);
        let game = Racing::new(number(deck), number(goal), &hand, number(lead));
        (game.expect("a fine deal"), case.clone())
    };
    let cases = file["cases"].as_array().expect("cases");
    cases.iter().map(case).collect()
}
