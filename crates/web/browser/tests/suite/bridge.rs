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
        // By keys alone, and the focus stays where it was.
        page.press("#best", Key::Enter).await;
        page.shows("#now", "East is to play.").await;
        assert_eq!(page.value("document.activeElement.id").await, "best");
        page.press("#back", Key::Enter).await;
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
        page.click("[aria-label='West: queen']").await;
        // Nine cards are missing, which is many layouts.
        page.write("#north", "K5").await;
        page.write("#south", "J3").await;
        page.shows("#state", "96 layouts").await;
        let click = "document.querySelector('#deck [aria-label=\"North: 4\"]').click()";
        let longest = page.longest_task(click).await;
        assert!(longest <= 50.0, "a task of the page took {longest} ms");
        page
    });
}

/// For each goal of the suit that is shown: the layouts in which the line takes it by what it
/// guarantees, and how many of them are played to less by some defence.
const PLAYED: &str =
    "(() => found.goals.filter((row) => row.goal !== 'average' && row.line).map((row) => {
    const line = lineOf(row);
    const begun = start(line);
    goal = row.goal;
    forward(begun);
    const won = found.layouts.filter((layout) => layout.tricks[begun.place] >= row.goal);
    const worth = won.map((layout) => worthOf(begun, layout));
    return [won.length, worth.filter((tricks) => tricks < row.goal || tricks > 13).length];
}))()";

#[test]
fn against_every_defence_a_line_is_played_to_what_it_guarantees() {
    on_page("suit.html", async |page| {
        for (north, south) in [
            ("AQT98", "5432"),
            ("KJ54", "A32"),
            ("AJ9", "K82"),
            ("QT4", "A53"),
            ("KT7", "-"),
        ] {
            page.write("#north", north).await;
            page.write("#south", south).await;
            page.is_answered().await;
            let whole = format!("found.north === '{north}' && found.south === '{south}'");
            while page.value(&whole).await != json!(true) {
                page.is_answered().await;
            }
            let played = page.value(PLAYED).await;
            let goals = played.as_array().expect("goals");
            assert!(!goals.is_empty(), "{north} {south}");
            assert!(
                goals.iter().any(|goal| goal[0].as_u64() > Some(1)),
                "{north} {south}: {played}"
            );
            assert!(
                goals.iter().all(|goal| goal[1] == json!(0)),
                "{north} {south}: {played}"
            );
        }
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
            page.shows("#sentence", "\"9Q\" is not a contract; write 4S, 3NT, 6HX")
                .await;
            page.write("#contract", " ").await;
            page.shows("#compared-said", "Write a contract").await;
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
fn what_a_limit_leaves_of_chances_is_said() {
    on_page("suit.html", async |page| {
        page.shows("#figure", "82.8%").await;
        // As the page does it, with no time.
        let stopped = "(async () => { found = (await program.ask({ ask: { suit: question() }, seconds: 0 })).json; show(firstGoal(found)); return found.stop; })()";
        assert_eq!(page.value(stopped).await, "time");
        page.shows("#figure", "0% to ").await;
        page.shows("#figure", "a limit stopped the search: 0/1 to ")
            .await;
        page.shows("#goals", "0.00 to ").await;
        page.shows("#words", "the search was stopped before there was one")
            .await;
        page.go("suits.html").await;
        page.shows("#gap", "Between the best and the next").await;
        let stopped = "(async () => { shown = (await program.ask({ ask: { suit: { north: 'AQT98', south: '5432' } }, seconds: 0 })).json; await show(shown); return byId('chances').textContent; })()";
        let chances = page.value(stopped).await;
        let chances = chances.as_str().expect("a text");
        assert!(chances.contains("5 tricks0% to 50%4"), "{chances}");
        page
    });
}

#[test]
fn what_is_no_suit_gets_the_sentence_and_the_page_goes_on() {
    on_page("suit.html", async |page| {
        page.shows("#figure", "82.8%").await;
        for (north, south, sentence) in [
            ("AKQJT98765432A", "-", "twice"),
            ("AQT98", "A432", "North and South both have the card A"),
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

/// Six tricks in two suits, which take long.
const LONG: &str =
    "[Deal \"N:J863.J4.. AQT97K2.AT8Q6.. 4.K9537.. -\"]\n[Declarer \"S\"]\n[Contract \"4H\"]\n";

/// Puts a text into a field at once, as a paste does.
async fn paste(page: &Page, css: &str, text: &str) {
    let script = format!(
        "(() => {{ const field = document.querySelector({}); field.value = {}; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
        json!(css),
        json!(text)
    );
    page.value(&script).await;
}

#[test]
fn an_ending_is_pasted_clicked_and_played() {
    on_page("ending.html", async |page| {
        page.shows(
            "#figure",
            "100% for 3 tricks of 4 (70 of 70 ways to deal the cards)",
        )
        .await;
        page.shows("#goals", "57.1%").await;
        page.click("[aria-label='Play for 4 tricks']").await;
        page.shows("#figure", "57.1% for 4 tricks of 4 (40 of 70")
            .await;
        page.shows("#ways", "70 of 70 ways").await;
        assert!(play_to_the_end(&page).await < 20, "the play has an end");
        page.shows("#now", "The goal is reached").await;
        page.click("#back").await;
        page.click("#again").await;
        page.shows("#now", "West is to play").await;
        // A trick less: two cards of each side are taken away by clicks.
        for card in ["2 of hearts", "2 of spades", "3 of hearts", "4 of hearts"] {
            let seat = match card {
                "2 of hearts" => "S",
                "2 of spades" => "N",
                "3 of hearts" => "E",
                _ => "W",
            };
            page.click(&format!("input[name=seat][value={seat}]")).await;
            page.click(&format!("#deck [aria-label='{card}']")).await;
        }
        page.shows("#state", "20 ways to deal").await;
        // The link holds all of it.
        let hash = page.value("location.hash").await;
        page.go("index.html").await;
        page.go(&format!("ending.html{}", hash.as_str().expect("a text")))
            .await;
        page.shows("#state", "20 ways to deal").await;
        page
    });
}

/// In small letters, with a ten in digits and a declarer with a mark, as no page should read it by
/// itself; after comments and a game without a deal, in a file whose next game has trumps.
const SMALL: &str = "{ [Deal \"N:2... 3... 4... 5...\"]\n\n }\n[Declarer \"E\"]\n\n; [Deal \"N:2... 3... 4... 5...\"]\n  % [Declarer \"N\"]\n[Event \"{one; two\"]\n[Deal \"n: aj2.a.. q98.3.. k103.2.. 765.4..\"]\n[Declarer \"^s\"]\n\n[Deal \"N:2... 3... 4... 5...\"]\n[Declarer \"E\"]\n[Contract \"1H\"]\n";

#[test]
fn an_ending_is_played_as_the_program_reads_its_deal() {
    on_page("ending.html", async |page| {
        page.shows("#figure", "100%").await;
        paste(&page, "#deal", SMALL).await;
        page.shows(
            "#figure",
            "100% for 3 tricks of 4 (70 of 70 ways to deal the cards)",
        )
        .await;
        page.shows("#ways", "70 of 70 ways").await;
        assert_eq!(page.value("byId('before').textContent").await, "West");
        assert_eq!(
            page.value("[play.before, play.other]").await,
            json!(["W", "E"])
        );
        let table = page.value("found.table").await;
        assert_eq!(table["hands"]["S"], json!(["H2", "S3", "ST", "SK"]));
        assert_eq!(
            (&table["declarer"], &table["trumps"]),
            (&json!("S"), &json!(""))
        );
        let ten = "document.querySelector(\"#deck [aria-label='ten of spades']\").title";
        assert_eq!(page.value(ten).await, "South");
        // To its end: what the table says is what the line has.
        assert!(play_to_the_end(&page).await < 20, "the play has an end");
        page.shows("#now", "The goal is reached").await;
        // A click changes the deal that was read, and nothing else of the file.
        page.click("input[name=seat][value=N]").await;
        page.click("#deck [aria-label='ten of spades']").await;
        page.shows("#sentence", "South has 3 cards and North has 5")
            .await;
        let (before, after) = SMALL.split_at(SMALL.find("[Deal \"n:").expect("the deal"));
        let (_, after) = after.split_once('\n').expect("the rest");
        let deal = "[Deal \"N:AJT2.A.. Q98.3.. K3.2.. 765.4..\"]";
        let text = page.value("byId('deal').value").await;
        assert_eq!(text, json!(format!("{before}{deal}\n{after}")));
        page
    });
}

#[test]
fn what_is_no_deal_gets_the_sentence_and_the_page_goes_on() {
    on_page("ending.html", async |page| {
        page.shows("#figure", "100%").await;
        page.click("#text summary").await;
        for (deal, sentence) in [
            ("", "there is no tag [Deal \"..\"]"),
            (
                "[Deal \"N:A... A... K... Q...\"]",
                "North and East both have the card SA",
            ),
            ("[Deal \"N:A... K... Q... J...\"]", "no declarer is named"),
            (
                "[Deal \"N:AKQJT98765432.A.. - 2... -\"]\n[Declarer \"S\"]",
                "North and South both have the card S2",
            ),
            ("\u{0}\u{1}\u{2} \u{fffd}", "is neither a tag nor a comment"),
        ] {
            paste(&page, "#deal", deal).await;
            page.shows("#sentence", sentence).await;
        }
        let drop = "(() => { const event = new Event('drop', { bubbles: true, cancelable: true }); event.dataTransfer = { files: [new File([new Uint8Array(200e6)], 'long.pbn')] }; byId('text').dispatchEvent(event); })()";
        page.value(drop).await;
        page.shows("#sentence", "long.pbn has 200000000 bytes")
            .await;
        paste(
            &page,
            "#deal",
            "[Deal \"N:A... K... Q... J...\"]\n[Declarer \"S\"]",
        )
        .await;
        page.shows("#figure", "100% for 1 trick of 1").await;
        page
    });
}

#[test]
fn a_long_search_is_stopped_and_the_page_goes_on() {
    on_page("ending.html", async |page| {
        page.shows("#figure", "100%").await;
        paste(&page, "#deal", LONG).await;
        page.shows("#state", "Searching for 0.").await;
        page.shows("#state", "MiB, chance ").await;
        page.click("#stop").await;
        page.shows("#state", "Stopped.").await;
        // A limit ends it too, with what is known by then.
        let question =
            json!({ "ask": { "ending": { "deal": LONG, "tricks": 3 } }, "seconds": 0.3 });
        let answer = page.value(&format!("(async () => {{ const {{ json, isComplete }} = await program.ask({question}); return [isComplete, json.stop, json.worlds]; }})()")).await;
        assert_eq!(answer, json!([false, "time", 924]));
        let question =
            json!({ "ask": { "ending": { "deal": LONG, "tricks": 3 } }, "mebibytes": 2 });
        let answer = page.value(&format!("(async () => {{ const {{ json, isComplete }} = await program.ask({question}); return [isComplete, json.stop]; }})()")).await;
        assert_eq!(answer, json!([false, "memory"]));
        paste(
            &page,
            "#deal",
            "[Deal \"N:A... K... Q... J...\"]\n[Declarer \"S\"]",
        )
        .await;
        page.shows("#figure", "100% for 1 trick of 1").await;
        page
    });
}

/// With colours of the reader's own the chosen cards of the deck look unlike all others; in print
/// what is good or bad keeps its ground.
#[test]
fn what_is_chosen_or_good_is_seen_in_all_colours() {
    on_page("suit.html", async |page| {
        page.shows("#figure", "82.8% for 4 tricks").await;
        for forced in [true, false] {
            page.is_seen("screen", forced).await;
            let grounds = |chosen: bool| {
                format!(
                    "[...new Set([...document.querySelectorAll('[data-card][aria-pressed={chosen}]')].map((card) => getComputedStyle(card).backgroundColor))]"
                )
            };
            let chosen = page.value(&grounds(true)).await;
            let others = page.value(&grounds(false)).await;
            let grounds = [chosen.clone(), others.clone()];
            assert!(
                grounds
                    .iter()
                    .all(|all| all.as_array().is_some_and(|all| all.len() == 1)),
                "{grounds:?}"
            );
            assert_ne!(chosen, others, "{forced}");
        }
        page.is_seen("print", false).await;
        let ground = "(() => { const { backgroundColor, printColorAdjust } = getComputedStyle(document.querySelector('.good')); return [backgroundColor, printColorAdjust]; })()";
        assert_eq!(
            page.value(ground).await,
            json!(["rgb(217, 239, 220)", "exact"])
        );
        page
    });
}
