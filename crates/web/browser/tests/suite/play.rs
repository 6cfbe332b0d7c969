//! The page on which games are played.

use fantoccini::key::Key;
use serde_json::json;

use crate::support::{natively, on_page};

#[test]
fn positions_are_judged_as_without_a_browser() {
    on_page("play.html", async |page| {
        page.is_answered().await;
        let without_costs = |text: &str| {
            let (head, tail) = text.split_once(",\"stats\"").expect("an answer");
            let more = tail.split_once('\n').expect("a second line").1;
            format!("{head}\n{more}")
        };
        for board in [
            json!({ "game": "tic-tac-toe", "moves": "519", "lattice": { "type": "chain" } }),
            json!({ "game": "kalah", "pits": 3, "seeds": 2, "moves": "", "lattice": { "type": "chain" } }),
            json!({ "game": "connect-four", "moves": "44", "depth": 6, "lattice": { "type": "chain" } }),
        ] {
            let question = json!({ "ask": { "board": board } });
            let answer = natively("play", &question, b"");
            let asked = page.asks(&question).await;
            let asked = asked.as_str().expect("an answer");
            assert_eq!(without_costs(asked), without_costs(&answer), "{question}");
        }
        let deal = json!({ "ask": { "racing": { "deck": 6, "goal": 2, "hand": [1, 2, 4], "lead": 3, "min_hand": [3, 5, 6], "played": [1] } } });
        assert_eq!(page.asks(&deal).await, natively("play", &deal, b""));
        page
    });
}

#[test]
fn tic_tac_toe_is_played_to_its_end() {
    on_page("play.html", async |page| {
        page.is_answered().await;
        page.click("details summary").await;
        page.click("#game option[value='tic-tac-toe']").await;
        page.shows("#turn", "your turn").await;
        page.shows("#says", "The position is worth 0: a draw.")
            .await;
        // The corner, by the keyboard; MIN must answer in the centre, and does.
        page.press("[data-move='1']", Key::Enter).await;
        page.shows("#moves", "1 5").await;
        page.shows("#turn", "your turn").await;
        page.click("#undo").await;
        page.shows("#moves", "none").await;
        page.shows("#turn", "your turn").await;
        // To the end, always the best move.
        for _ in 0..5 {
            page.click("#board button.best").await;
            page.is_answered().await;
            page.value("new Promise((resolve) => setTimeout(resolve, 1000))")
                .await;
        }
        page.shows("#turn", "The game is over: a draw.").await;
        page
    });
}

#[test]
fn the_program_begins_where_somebody_plays_the_other_side() {
    on_page("play.html", async |page| {
        page.is_answered().await;
        page.click("#game option[value='connect-four']").await;
        page.click("#size option:nth-of-type(3)").await;
        page.click("#side option[value='MIN']").await;
        page.shows("#turn", "MIN is to move: your turn.").await;
        assert_eq!(page.value("game.moves.length").await, json!(1));
        // The first move is the program's, which makes it again when it is taken back.
        page.click("#undo").await;
        page.shows("#turn", "MIN is to move: your turn.").await;
        assert_eq!(page.value("game.moves.length").await, json!(1));
        page.click("[data-move='2']").await;
        page.shows("#turn", "MIN is to move: your turn.").await;
        assert_eq!(page.value("game.moves.length").await, json!(3));
        page.click("#worth").await;
        assert_eq!(page.text("#values").await, "");
        page.click("#new").await;
        page.shows("#turn", "your turn").await;
        page
    });
}

#[test]
fn kalah_and_racing_are_played() {
    on_page("play.html", async |page| {
        page.is_answered().await;
        page.click("#game option[value='kalah']").await;
        page.click("#size option:nth-of-type(3)").await;
        page.shows("#turn", "MAX is to move: your turn.").await;
        page.shows("#values", "pit 1").await;
        page.click("#board button:not(:disabled)").await;
        page.shows("#turn", "your turn").await;
        page.click("#game option[value='racing']").await;
        page.click("#size option:nth-of-type(2)").await;
        page.shows("#turn", "your turn").await;
        page.shows("#values", "card ").await;
        page.click("#board button:not(:disabled)").await;
        page.shows("#turn", "").await;
        page.is_answered().await;
        page
    });
}

/// The program moves a moment after its answer, unless another position is asked for by then.
#[test]
fn no_move_is_made_in_a_position_that_was_left() {
    on_page("play.html", async |page| {
        page.is_answered().await;
        page.click("details summary").await;
        page.click("#game option[value='tic-tac-toe']").await;
        page.shows("#turn", "your turn").await;
        page.value(
            "(() => { window.kept = []; const real = window.setTimeout; \
             window.setTimeout = (run, wait, ...more) => wait === 250 ? kept.push(run) : real(run, wait, ...more); })()",
        )
        .await;
        page.click("[data-move='1']").await;
        page.value("new Promise((done) => { const look = () => kept.length ? done() : requestAnimationFrame(look); look(); })")
            .await;
        // While the next position is looked at, and when it is known.
        let left = "(() => { byId('undo').click(); kept[0](); return game.moves.length; })()";
        assert_eq!(page.value(left).await, json!(0));
        page.shows("#turn", "your turn").await;
        let known = "(() => { kept[0](); return game.moves.length; })()";
        assert_eq!(page.value(known).await, json!(0));
        page
    });
}

#[test]
fn thinking_is_stopped_and_an_answer_comes_within_two_seconds() {
    on_page("play.html", async |page| {
        page.is_answered().await;
        page.shows("#turn", "your turn").await;
        // The whole board takes as long as it may.
        // Both at once, or a fast machine has its answer first.
        page.value("byId('new').click() ?? byId('stop').click()")
            .await;
        page.shows("#state", "Stopped.").await;
        page.click("#new").await;
        page.shows("#turn", "your turn").await;
        page
    });
}

#[test]
fn a_stopped_position_is_not_thought_about_any_more() {
    on_page("play.html", async |page| {
        page.is_answered().await;
        page.shows("#turn", "your turn").await;
        page.value("byId('new').click() ?? byId('stop').click()")
            .await;
        page.shows("#turn", "The program was stopped, and says nothing")
            .await;
        page
    });
}
