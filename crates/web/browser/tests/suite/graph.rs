//! The page about graphs.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::support::{Page, natively, on_page};

const EXAMPLE: &str = include_str!("../../../../../examples/example.json");

async fn paste(page: &Page, text: &str) {
    let text = json!(text);
    page.value(&format!("(byId('text').value = {text}, byId('text').dispatchEvent(new Event('input', {{ bubbles: true }})))")).await;
}

/// Answers without what differs from run to run.
fn without_costs(answer: &str) -> Vec<Value> {
    let lines = answer.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).expect("a line of JSON");
        if let Some(line) = line.as_object_mut() {
            line.remove("stats");
        }
        line
    });
    lines.collect()
}

#[test]
fn questions_about_graphs_are_answered_as_without_a_browser() {
    on_page("graph.html", async |page| {
        page.is_answered().await;
        for question in [
            json!({ "ask": { "graph": { "moves": true } } }),
            json!({ "ask": { "graph": { "algorithm": "alpha-beta", "strategies": true, "certificate": true, "drawings": true, "trace": ["minimax", "alpha-beta"] } } }),
        ] {
            let answer = natively("solve", &question, EXAMPLE.as_bytes());
            assert!(answer.starts_with('{'), "{question}: {answer}");
            let asked = page
                .value(&format!("(await program.ask({question}, {{ file: new TextEncoder().encode({}) }})).text", json!(EXAMPLE)))
                .await;
            let asked = asked.as_str().expect("an answer");
            assert_eq!(without_costs(asked), without_costs(&answer), "{question}");
        }
        page
    });
}

#[test]
fn a_figure_is_searched_step_by_step_and_checked() {
    on_page("graph.html", async |page| {
        // Figure 1 of Li et al., left: {2} or ({1,2,4} and {1,3}).
        page.shows("#value", "[1,2]").await;
        page.shows("#moves", "0100").await;
        let steps = page.value("document.querySelector('#trace iframe').contentDocument.querySelectorAll('svg').length").await;
        assert!(steps.as_u64() >= Some(2), "{steps}");
        page.shows("#plans", "MAX makes sure of at least").await;
        page.shows("#plans", "MIN makes sure of at most").await;
        page.shows("#checked", "verified").await;
        let drawn = page
            .value(
                "['drawing', 'hasse'].map((id) => document.querySelectorAll(`#${id} svg`).length)",
            )
            .await;
        assert_eq!(drawn, json!([1, 1]));
        // A certificate of something else is not accepted, and the right one is.
        page.value("(globalThis.proof = byId('proof').value, byId('proof').value = proof.replaceAll('2', '3'))").await;
        page.click("#check").await;
        page.shows("#checked", "The certificate is not accepted.")
            .await;
        page.value("(byId('proof').value = proof)").await;
        page.click("#check").await;
        page.shows("#checked", "the value is [1,2]").await;
        // The way past the search leaves the question in the address, which another one changes.
        page.value("byId('steps-skip').click()").await;
        assert_eq!(page.value("document.activeElement.id").await, "strategies");
        let hash = page.value("location.hash").await;
        assert_ne!(hash, "#strategies");
        page.value("(location.hash = `#${new URLSearchParams({ algorithm: 'minimax', text: byId('text').value.replace('[2]', '[4]') })}`)").await;
        page.shows("#value", "[1,4]").await;
        assert_eq!(page.value("byId('algorithm').value").await, "minimax");
        page.value("history.back()").await;
        page.shows("#value", "[1,2]").await;
        // Two searches side by side.
        page.click("#beside option[value='minimax']").await;
        page.shows("#state", "The graph is searched.").await;
        page
    });
}

#[test]
fn a_graph_is_made_by_a_form() {
    on_page("graph.html", async |page| {
        page.is_answered().await;
        paste(&page, "").await;
        for (name, kind, content) in [
            ("r", "or", "a, b"),
            ("a", "leaf", "3"),
            ("b", "and", "c, a"),
            ("c", "leaf", "7"),
        ] {
            page.write("#node", name).await;
            page.click(&format!("#kind option[value='{kind}']")).await;
            page.write("#content", content).await;
            page.press("#add", Key::Enter).await;
        }
        page.shows("#value", "3").await;
        page.write("#node", "a").await;
        page.click("#kind option[value='leaf']").await;
        page.write("#content", "5").await;
        page.click("#add").await;
        page.shows("#value", "5").await;
        // A file that was dropped is what is put into; two are none.
        let file = "'{\"format\":\"meetjoin-problem/1\",\"lattice\":{\"type\":\"chain\"},\"root\":\"x\",\"nodes\":[{\"id\":\"x\",\"kind\":\"leaf\",\"value\":1}]}'";
        page.takes(file, "x.json").await;
        page.shows("#value", "1").await;
        page.value(&format!(
            "input.take([new File([{file}], 'x.json'), new File([{file}], 'y.json')])"
        ))
        .await;
        page.shows("#sentence", "These are 2 files, and this page takes one.")
            .await;
        let form = "(byId('node').value = 'x', byId('content').value = '8', byId('kind').value = 'leaf', byId('add').click(), byId('text').value)";
        let text = page.value(form).await;
        let text = text.as_str().expect("a text");
        assert!(
            text.contains(r#"{"id":"x","kind":"leaf","value":8}"#),
            "{text}"
        );
        assert!(!text.contains(r#""id":"a""#), "{text}");
        page.shows("#value", "8").await;
        // Another lattice: leaves begin at its bottom.
        page.click("#lattice option:nth-of-type(5)").await;
        page.shows("#value", "[]").await;
        for none in ["null", "{\"nodes\":[null]}", "{\"nodes\":5}"] {
            let said = page.value(&format!("(byId('text').value = {}, byId('remove').click(), byId('sentence').textContent)", json!(none))).await;
            assert_eq!(
                said,
                "The text has no list of nodes, so nothing can be put into it."
            );
        }
        page.click("#examples button:nth-of-type(1)").await;
        page.shows("#state", "The graph is searched.").await;
        page.write("#node", "nobody").await;
        page.click("#remove").await;
        page.shows("#sentence", "There is no node \"nobody\".")
            .await;
        page
    });
}

/// Numbers that none of JavaScript holds, or that it would write otherwise.
const EXACT: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"chain"},"root":1,"nodes":[
{"id":1,"kind":"or","children":[2,9007199254740993]},
{"id":2,"kind":"leaf","value":-9223372036854775807},
{"id":9007199254740993,"kind":"leaf","value":9007199254740993}]}"#;

#[test]
fn numbers_are_those_of_the_file() {
    on_page("graph.html", async |page| {
        page.is_answered().await;
        paste(&page, EXACT).await;
        page.shows("#value", "9007199254740993").await;
        page.shows("#moves", "-9223372036854775807").await;
        page.shows("#moves", "9007199254740993 9007199254740993")
            .await;
        // What is put in changes nothing else.
        page.write("#node", "2").await;
        page.click("#kind option[value='leaf']").await;
        page.write("#content", "9007199254740995").await;
        page.click("#add").await;
        page.shows("#value", "9007199254740995").await;
        let text = page.value("byId('text').value").await;
        let text = text.as_str().expect("a text");
        assert!(
            text.contains(r#"{"id":9007199254740993,"kind":"leaf","value":9007199254740993}"#),
            "{text}"
        );
        // A name that is missing between commas is no node 0.
        page.write("#node", "1").await;
        page.click("#kind option[value='or']").await;
        page.write("#content", "2,").await;
        page.click("#add").await;
        page.shows("#sentence", "\"\"").await;
        paste(
            &page,
            &EXACT
                .replace("{\"type\":\"chain\"}", "{\"type\":\"chain\",\"lo\":0.0}")
                .replace("-9223372036854775807", "0.5")
                .replace("\"value\":9007199254740993", "\"value\":2.0"),
        )
        .await;
        page.shows("#value", "2").await;
        page.write("#node", "2").await;
        page.click("#kind option[value='leaf']").await;
        page.write("#content", "2.5").await;
        page.click("#add").await;
        page.shows("#value", "2.5").await;
        page
    });
}

#[test]
fn what_is_no_graph_gets_the_sentence_and_the_page_goes_on() {
    on_page("graph.html", async |page| {
        page.is_answered().await;
        for (text, sentence) in [
            ("{", "line 1"),
            ("[1]", "line 1"),
            (
                "{\"format\":\"meetjoin-problem/1\",\"game\":\"tic-tac-toe\",\"lattice\":{\"type\":\"chain\"}}",
                "this file names a game",
            ),
            (
                "{\"format\":\"meetjoin-problem/1\",\"lattice\":{\"type\":\"chain\"},\"root\":\"r\",\"nodes\":[{\"id\":\"r\",\"kind\":\"or\",\"children\":[\"r\"]}]}",
                "cycle",
            ),
        ] {
            paste(&page, text).await;
            page.shows("#sentence", sentence).await;
        }
        for (bytes, sentence) in [
            ("new Uint8Array([0, 1, 2, 3])", "not JSON"),
            ("new Uint8Array([0xff, 0xfe, 0x7b, 0])", "UTF-16"),
            ("new Uint8Array(200e6)", "some.json has 200000000 bytes"),
        ] {
            page.takes(bytes, "some.json").await;
            page.shows("#sentence", sentence).await;
            page.click("#examples button:nth-of-type(4)").await;
            // A file that is not taken leaves the answer that is there.
            page.shows("#state", "The graph is searched.").await;
            page.shows("#value", "[1,2]").await;
            assert_eq!(page.text("#sentence").await, "");
        }
        page
    });
}

/// A graph in layers whose leaves are families of sets of many worlds: its value is long.
fn long() -> String {
    let (layers, wide, worlds) = (13_u64, 60_u64, 32_u64);
    let mut state = 1_u64;
    let mut next = |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % most
    };
    let mut nodes = Vec::new();
    for layer in 0..layers {
        for place in 0..wide {
            let id = layer * wide + place;
            let node = if layer + 1 == layers {
                let sets: Vec<Vec<u64>> = (0..6)
                    .map(|_| {
                        let mut set: Vec<u64> = (0..14).map(|_| 1 + next(worlds)).collect();
                        set.sort_unstable();
                        set.dedup();
                        set
                    })
                    .collect();
                json!({ "id": id, "kind": "leaf", "value": sets })
            } else {
                let children: Vec<u64> = (0..4).map(|_| (layer + 1) * wide + next(wide)).collect();
                let kind = if layer % 2 == 0 { "or" } else { "and" };
                json!({ "id": id, "kind": kind, "children": children })
            };
            nodes.push(node);
        }
    }
    json!({ "format": "meetjoin-problem/1", "lattice": { "type": "families", "v": worlds }, "root": 0, "nodes": nodes }).to_string()
}

#[test]
fn a_long_search_is_stopped() {
    on_page("graph.html", async |page| {
        page.is_answered().await;
        paste(&page, &long()).await;
        page.shows("#state", "Searching for ").await;
        page.click("#stop").await;
        page.shows("#state", "Stopped.").await;
        page.click("#examples button:nth-of-type(5)").await;
        page.shows("#state", "The graph is searched.").await;
        page
    });
}
