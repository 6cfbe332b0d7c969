//! The pages about bridge.

use serde_json::json;

use crate::support::{natively, on_page};

#[test]
fn a_suit_is_answered_as_by_the_command() {
    on_page("suit.html", async |page| {
        for question in [
            json!({ "ask": { "suit": { "north": "AQT98", "south": "5432" } } }),
            json!({ "ask": { "suit": { "north": "KJ54", "south": "A32", "tricks": 4, "leads": true, "top": 3, "table": true } } }),
            json!({ "ask": { "suit": { "north": "AJ9", "south": "K82", "matchpoints": true, "vacant": [9, 11] } } }),
        ] {
            assert_eq!(
                page.asks(&question).await,
                natively("bridge", &question, b"")
            );
        }
        page
    });
}
