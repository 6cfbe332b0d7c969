//! The page about all suits.

use fantoccini::key::Key;
use serde_json::json;

use crate::support::on_page;

#[test]
fn a_suit_is_looked_up_in_the_book_and_by_the_program() {
    on_page("suits.html", async |page| {
        page.shows("#found", "AQT98 opposite 5432").await;
        page.shows("#chances", "82.8%").await;
        page.shows("#gap", "Between the best and the next").await;
        page.write("#north", "KJx").await;
        page.write("#south", "xx").await;
        page.press("#south", Key::Enter).await;
        page.shows("#found", "opposite").await;
        page.shows("#to-suit", "How to play it").await;
        // Suits that the book has for certain are found there, with the same numbers.
        let first = "(() => { const [north, south] = BOOK.parts.at(-1).map((bits) => [...RANKS].filter((_, place) => (bits >> place) & 1).join('') || '-'); byId('north').value = north; byId('south').value = south; lookUp(); })()";
        page.value(first).await;
        page.shows("#to-suit", "The book says the same.").await;
        // The hardest is computed on the spot where the book is not there.
        page.click("#hardest tbody button").await;
        page.shows("#found", "opposite").await;
        page.shows("#gap", "Between the best and the next").await;
        page.click("#goal option[value='average']").await;
        page.shows("#leads", ".").await;
        page.write("#north", "AA").await;
        page.press("#north", Key::Enter).await;
        page.shows("#sentence", "twice").await;
        page
    });
}

#[test]
fn tables_are_of_all_suits_and_say_what_is_served() {
    on_page("suits.html", async |page| {
        page.shows("#hardest", "Of all 797,161 suits.").await;
        page.shows("#gaps-of", "Of all 797,161 suits.").await;
        // AKQJT and eight others are thirteen tricks, as all cards of one hand at best.
        page.shows(
            "#averages",
            "Tricks on average, by the number of cards. Of all 797,161 suits.",
        )
        .await;
        let row = "[...document.querySelectorAll('#averages tbody tr')].find((row) => row.cells[0].textContent === 'AKQJT').cells[5].textContent";
        // Five cards that are the five honours: from three tricks to five, as they lie.
        let average: f64 = page
            .value(row)
            .await
            .as_str()
            .and_then(|text| text.parse().ok())
            .expect("a number");
        assert!((3.0..5.0).contains(&average), "{average}");
        page.click("#of-goal option[value='3']").await;
        page.shows("#averages", "The chance of at least 3 tricks")
            .await;
        assert_eq!(page.value(row).await, json!("100%"));
        let whole = page.value("BOOK.whole").await == json!(true);
        let said = if whole {
            "This page has all suits"
        } else {
            "computed on the spot"
        };
        page.shows("#whole", said).await;
        page
    });
}

#[test]
fn classes_are_those_of_the_book() {
    on_page("suits.html", async |page| {
        page.is_answered().await;
        // K952 opposite AT3 is worth what AT2 opposite K953 is.
        let same = "[['K952', 'AT3'], ['AT2', 'K953']].map(([a, b]) => classOf(bitsOf(a), bitsOf(b)).join())";
        let same = page.value(same).await;
        assert_eq!(same[0], same[1]);
        // Every suit of the index is first of its part, and found there.
        let found = page
            .value("Promise.all(BOOK.parts.map(async ([north, south]) => { const cards = (bits) => [...RANKS].filter((_, place) => (bits >> place) & 1).join('') || '-'; return (await numbersOf(cards(north), cards(south))).length; }))")
            .await;
        let found = found.as_array().expect("a list");
        assert!(!found.is_empty() && found.iter().all(|length| length == 14));
        page
    });
}

#[test]
fn corrections_of_the_encyclopedia_agree_with_the_program() {
    on_page("suits.html", async |page| {
        page.shows("#here-12", ".").await;
        let rows = page
            .value("CORRECTED.map(([, , , goal, figure], place) => [goal, figure, byId(`here-${place}`).textContent])")
            .await;
        for row in rows.as_array().expect("a list") {
            let [goal, figure, here] = [&row[0], &row[1], &row[2]];
            let number = |text: &serde_json::Value| -> f64 {
                let text = text.as_str().expect("a text").trim_end_matches('%');
                text.parse().expect("a number")
            };
            let near = if *goal == json!("average") {
                0.005
            } else {
                0.5
            };
            assert!(
                (number(figure) - number(here)).abs() <= near + 1e-9,
                "{row}"
            );
        }
        page
    });
}
