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
        // Two cards that take nothing have no goal to lead for, and nothing is asked about one.
        page.write("#north", "x").await;
        page.write("#south", "x").await;
        page.press("#south", Key::Enter).await;
        page.shows("#found", "3 opposite 2").await;
        page.value("new Promise((resolve) => setTimeout(resolve, 500))")
            .await;
        page.shows("#state", "The suit is found.").await;
        assert_eq!(page.text("#sentence").await, "");
        page.write("#south", "32").await;
        for (north, sentence) in [
            ("AA", "twice"),
            ("AKQJT98765432A", "twice"),
            ("A\u{1F0A1}", "there is no card"),
        ] {
            page.write("#north", north).await;
            page.press("#north", Key::Enter).await;
            page.shows("#sentence", sentence).await;
        }
        page.write("#north", "KJx").await;
        page.press("#north", Key::Enter).await;
        page.shows("#found", "opposite").await;
        page
    });
}

#[test]
fn tables_say_of_which_suits_they_are() {
    on_page("suits.html", async |page| {
        let whole = page.value("BOOK.whole").await == json!(true);
        let of = "Of all 797,161 suits.";
        page.shows("#hardest", &format!("The ten hardest. {of}"))
            .await;
        page.shows("#gaps", of).await;
        page.shows("#averages", of).await;
        // Two missing cards take two tricks at most of the six or more that there are.
        page.click("#of-goal option[value='3']").await;
        page.shows("#averages", "The chance of at least 3 tricks")
            .await;
        let long = "(() => {
            const long = [...document.querySelectorAll('#averages thead th')].map((head) => Number(head.textContent) >= 11);
            return [...document.querySelectorAll('#averages tbody tr')].flatMap((row) => [...row.cells].filter((_, place) => long[place])).map((cell) => cell.textContent).filter((text) => text !== '');
        })()";
        let long = page.value(long).await;
        let long = long.as_array().expect("a list");
        assert!(
            !long.is_empty() && long.iter().all(|chance| chance == "100%"),
            "{long:?}"
        );
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
