//! The pages about bridge.

use fantoccini::key::Key;
use serde_json::json;

use crate::support::{Page, natively, on_page};

/// Chooses cards of the defenders until nothing depends on the rest.
async fn play_to_the_end(page: &Page) -> usize {
    let mut cards = 0;
    while page
        .find("#best")
        .await
        .is_enabled()
        .await
        .expect("a button")
    {
        page.click("#best").await;
        cards += 1;
        assert!(cards < 30, "the play has an end");
    }
    cards
}

#[test]
fn questions_about_bridge_are_answered_as_without_a_browser() {
    let deal =
        "[Deal \"N:AJ2.A.. Q98.3.. KT3.2.. 765.4..\"]\n[Declarer \"S\"]\n[Contract \"3NT\"]\n";
    on_page("suit.html", async |page| {
        for question in [
            json!({ "ask": { "suit": { "north": "AQT98", "south": "5432" } } }),
            json!({ "ask": { "suit": { "north": "KJ54", "south": "A32", "tricks": 4, "leads": true, "top": 3, "table": true } } }),
            json!({ "ask": { "suit": { "north": "AJ9", "south": "K82", "matchpoints": true, "vacant": [9, 11] } } }),
            json!({ "ask": { "suit": { "north": "KT94", "south": "AJ3", "west_length": [2, 4], "average": true } } }),
            json!({ "ask": { "ending": { "deal": deal, "tricks": 3 } } }),
            json!({ "ask": { "ending": { "deal": deal, "tricks": 4, "lengths": [["S", [2, 3]]] } } }),
        ] {
            let answer = natively("bridge", &question, b"");
            assert!(answer.starts_with('{'), "{question}: {answer}");
            assert_eq!(page.asks(&question).await, answer);
        }
        page
    });
}

#[test]
fn a_suit_is_typed_clicked_and_played() {
    on_page("suit.html", async |page| {
        page.shows("#figure", "82.8% for 4 tricks (exactly 476/575)")
            .await;
        page.shows(
            "#words",
            "In short: lead small from South to the ace, then small to the queen",
        )
        .await;
        // Another goal, with the keyboard.
        page.press("[aria-label='Play for 5 tricks']", Key::Enter)
            .await;
        page.shows("#figure", "26.6% for 5 tricks").await;
        page.click("[aria-label='Play for 4 tricks']").await;
        // The first defender plays low; only layouts with a small card in West are left.
        page.shows("#now", "South leads the 2. West is to play.")
            .await;
        page.click("[aria-label='West plays the 6']").await;
        page.shows("#now", "North plays the ace. East is to play.")
            .await;
        page.shows("#table", "83.6% of them by weight").await;
        page.click("#back").await;
        page.shows("#now", "West is to play.").await;
        // Best defence knows a layout in which the line fails.
        assert!(play_to_the_end(&page).await >= 2);
        page.shows("#now", "0 of ").await;
        page.click("#again").await;
        page.shows("#now", "10 of 12 layouts, 82.8%").await;
        // A card moves from South to North, and the answer with it.
        page.click("[aria-label='North: 5']").await;
        page.shows("#figure", "tricks").await;
        assert_eq!(
            page.value("byId('north').value + ' ' + byId('south').value")
                .await,
            "AQT985 432"
        );
        page.write("#north", "AJ9").await;
        page.write("#south", "K82").await;
        page.shows("#figure", "for 3 tricks").await;
        page.click("[aria-label='West: queen']").await;
        page.shows("#figure", "100% for 3 tricks").await;
        // 50 ms are meant; a machine that compiles meanwhile holds up any page.
        let longest = page.longest_task().await;
        assert!(longest <= 250.0, "a task of the page took {longest} ms");
        page
    });
}

#[test]
fn lines_are_compared_and_a_link_holds_the_question() {
    on_page(
        "suit.html#n=AQT98&s=5432&goal=4&vacant=9%2C13",
        async |page| {
            page.shows("#state", "missing").await;
            assert_eq!(
                page.value("[byId('west-vacant').value, byId('known').open]")
                    .await,
                json!(["9", true])
            );
            page.click("#by option[value='imps']").await;
            page.shows("#compared-said", "line").await;
            page.write("#contract", "9Q").await;
            page.shows(
                "#sentence",
                "\"9Q\" is no contract; write 4S, 3NT, 6HX",
            )
            .await;
            page.write("#contract", "4SV").await;
            page.shows("#compared-said", "No line beats line").await;
            page.shows("#compared", "4SV made with 4 tricks").await;
            page.click("[aria-label='Play for 5 tricks']").await;
            let address = page.value("location.hash").await;
            assert_eq!(address, "#n=AQT98&s=5432&goal=5&vacant=9%2C13");
            page
        },
    );
}

#[test]
fn what_is_no_suit_gets_the_sentence_and_the_page_goes_on() {
    on_page("suit.html", async |page| {
        page.shows("#figure", "82.8%").await;
        for (north, south, sentence) in [
            ("AKQJT98765432A", "-", "twice"),
            ("AQT98", "A432", "the card A is there twice"),
            ("AQ\u{1F0A1}", "2", "there is no card"),
            ("-", "-", "neither North nor South has a card"),
        ] {
            page.write("#north", north).await;
            page.write("#south", south).await;
            page.shows("#sentence", sentence).await;
        }
        // What nobody types is refused before it is in the field.
        page.value("byId('north').dispatchEvent(Object.assign(new Event('paste', { cancelable: true }), { clipboardData: { getData: () => 'A'.repeat(200e6) } }))").await;
        page.shows("#sentence", "What was pasted has 200000000 letters")
            .await;
        page.write("#north", "AQT98").await;
        page.write("#south", "5432").await;
        page.shows("#figure", "82.8%").await;
        assert_eq!(page.text("#sentence").await, "");
        page
    });
}
