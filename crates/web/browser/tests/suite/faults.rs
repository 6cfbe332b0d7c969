//! The pages about fault trees and attack trees.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::support::{Page, natively, on_page};

const PLANT: &str = include_str!("../../../../../examples/plant.txt");
const COOLING: &str = include_str!("../../../../../examples/cooling.xml");
const OFFICE: &str = include_str!("../../../../../examples/office.txt");

/// An answer without what differs from run to run: how long it took, and how much memory.
fn without_costs(answer: &str) -> (Value, Option<Value>) {
    let mut lines = answer.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).expect("a line of JSON");
        if let Some(line) = line.as_object_mut() {
            line.remove("stats");
        }
        line
    });
    (lines.next().expect("a line"), lines.next())
}

/// Writes a text into a field at once, as a paste does.
async fn paste(page: &Page, text: &str) {
    let text = json!(text);
    page.value(&format!("(byId('text').value = {text}, byId('text').dispatchEvent(new Event('input', {{ bubbles: true }})))")).await;
}

/// What is in the page within the page.
async fn inside(page: &Page, css: &str) -> String {
    let text = page
        .value(&format!("[...document.querySelector('#page iframe').contentDocument.querySelectorAll({})].map((one) => one.textContent).join('|')", json!(css)))
        .await;
    text.as_str().unwrap_or_default().to_owned()
}

#[test]
fn questions_about_trees_are_answered_as_without_a_browser() {
    on_page("faults.html", async |page| {
        page.is_answered().await;
        for (question, file) in [
            (
                json!({ "ask": { "cuts": { "list": true, "importance": true } } }),
                PLANT,
            ),
            (
                json!({ "ask": { "cuts": { "sets": "paths", "list": true, "csv": true } } }),
                PLANT,
            ),
            (
                json!({ "ask": { "cuts": { "time_step": 1000, "sil": true, "uncertainty": 50, "ccf": true, "curve": true } } }),
                COOLING,
            ),
            (
                json!({ "ask": { "attacks": { "pareto": ["cost", "p"], "cheapest": 3, "page": true } } }),
                OFFICE,
            ),
            (
                json!({ "ask": { "attacks": { "defences": true, "budget": 9, "csv": true } } }),
                OFFICE,
            ),
        ] {
            let answer = natively("faults", &question, file.as_bytes());
            assert!(answer.starts_with('{'), "{question}: {answer}");
            let asked = page
                .value(&format!("(await program.ask({question}, {{ file: new TextEncoder().encode({}) }})).text", json!(file)))
                .await;
            let asked = asked.as_str().expect("an answer");
            assert_eq!(without_costs(asked), without_costs(&answer), "{question}");
        }
        page
    });
}

#[test]
fn a_fault_tree_is_written_and_asked_about() {
    on_page("faults.html", async |page| {
        page.shows("#state", "9 minimal cut sets.").await;
        page.shows("#figure", "P(top) is 6.051018e-3.").await;
        let rows = inside(&page, "#set-list li").await;
        assert_eq!(rows.split('|').count(), 9, "{rows}");
        // The sets are searched in the page within the page.
        page.value("(() => { const inner = document.querySelector('#page iframe').contentDocument; const field = inner.getElementById('search'); field.value = 'filter'; field.dispatchEvent(new Event('input')); })()").await;
        assert_eq!(inside(&page, "#found").await, "1 of 9 sets");
        // The tree as a file has its colours as attributes, and no style that needs the page.
        let saved = page.value("pictureOf(document.querySelector('#page iframe').contentDocument.querySelector('#tree svg'))").await;
        let saved = saved.as_str().expect("a picture");
        for part in [
            "fill=\"#1c2430\"",
            "stroke=\"#1c2430\"",
            "prefers-color-scheme: dark",
        ] {
            assert!(saved.contains(part), "{part}: {saved}");
        }
        assert!(!saved.contains("var("), "{saved}");
        // Another tree, by the keyboard.
        page.write("#text", "top = 2 of a b c\na = 0.1\nb = 0.2\nc = 0.5\n")
            .await;
        page.shows("#state", "3 minimal cut sets.").await;
        page.shows("#figure", "P(top) is 1.500000e-1.").await;
        // Path sets.
        page.click("#options summary").await;
        page.click("#sets option[value='paths']").await;
        page.shows("#state", "3 minimal path sets.").await;
        // What goes through their diagrams is nothing of the top.
        for field in ["#curve", "#uncertain"] {
            page.click(field).await;
            page.shows("#sentence", "asked of cuts, and not of paths")
                .await;
            page.click(field).await;
            page.shows("#state", "3 minimal path sets.").await;
        }
        page
    });
}

#[test]
fn a_model_of_several_files_has_a_curve_and_uncertainty() {
    on_page("faults.html", async |page| {
        page.is_answered().await;
        page.click("#examples button:nth-of-type(2)").await;
        page.shows("#state", "minimal cut sets.").await;
        page.click("#options summary").await;
        page.click("#ccf").await;
        page.click("#curve").await;
        page.click("#uncertain").await;
        page.shows("#exports", "SVG: P(top) over time, large").await;
        page.write("#mission", "4380").await;
        page.press("#mission", Key::Enter).await;
        page.shows("#exports", "SVG: P(top) over time, large").await;
        page.shows("#state", "minimal cut sets.").await;
        assert!(inside(&page, "h2").await.contains("Uncertainty"));
        // Two files are one model, in any order.
        let [head, tail] = COOLING
            .split_once("  <model-data>")
            .map(|(head, tail)| {
                [
                    format!("{head}</opsa-mef>\n"),
                    format!("<opsa-mef>\n  <model-data>{tail}"),
                ]
            })
            .expect("a model with data");
        page.value(&format!(
            "input.take([new File([{}], 'data.xml'), new File([{}], 'tree.xml')])",
            json!(tail),
            json!(head)
        ))
        .await;
        page.shows("#chosen", "tree.xml").await;
        page.shows("#state", "minimal cut sets.").await;
        page.takes("'<opsa-mef><oops/></opsa-mef>'", "wrong.xml")
            .await;
        page.shows("#sentence", "wrong.xml: ").await;
        page.click("#no-files").await;
        page.shows("#state", "minimal cut sets.").await;
        page
    });
}

#[test]
fn many_trials_are_stopped() {
    on_page("faults.html", async |page| {
        page.is_answered().await;
        page.click("#examples button:nth-of-type(2)").await;
        page.shows("#state", "minimal cut sets.").await;
        page.click("#options summary").await;
        page.write("#trials", "10000000").await;
        page.click("#uncertain").await;
        page.shows("#state", "Searching for ").await;
        page.click("#stop").await;
        page.shows("#state", "Stopped.").await;
        // What was there is the answer to another question.
        assert_eq!(page.value("byId('answer').hidden").await, json!(true));
        page.click("#uncertain").await;
        page.shows("#state", "minimal cut sets.").await;
        page
    });
}

#[test]
fn another_link_asks_its_question() {
    on_page("faults.html#sets=paths&text=top+%3D+or+a+b", async |page| {
        page.shows("#state", "1 minimal path sets.").await;
        page.value("(location.hash = '#order=1&text=top+%3D+or+a+b+both%0Aboth+%3D+and+c+d')")
            .await;
        page.shows("#state", "2 minimal cut sets.").await;
        page.value("history.back()").await;
        page.shows("#state", "1 minimal path sets.").await;
        assert_eq!(page.value("byId('order').value").await, "");
        // A time of no hours.
        page.value(
            "(location.hash = '#curve=yes&mission=0&text=top+%3D+or+a+b%0Aa+%3D+0.5%0Ab+%3D+0.5')",
        )
        .await;
        page.shows("#figure", "P(top) is 7.500000e-1.").await;
        page.shows("#exports", "CSV: P(top) over time").await;
        // What defences may cost is in the link too.
        page.go("attacks.html").await;
        page.shows("#state", "minimal attacks.").await;
        page.value("(byId('budget').value = '9', byId('cheapest').value = '2', ask())")
            .await;
        page.shows("#figure", "for 9 the best defences are").await;
        let hash = page.value("location.hash").await;
        page.go("index.html").await;
        page.go(&format!("attacks.html{}", hash.as_str().expect("a text")))
            .await;
        page.shows("#figure", "for 9 the best defences are").await;
        let rows = "document.querySelectorAll('#page tbody tr').length";
        assert_eq!(page.value(rows).await, 2);
        page
    });
}

#[test]
fn what_a_limit_leaves_of_a_probability_is_said() {
    on_page("faults.html", async |page| {
        page.is_answered().await;
        let asked = format!(
            "(await program.ask({{ ask: {{ cuts: {{}} }}, seconds: 0 }}, {{ file: new TextEncoder().encode({}) }})).json",
            json!(PLANT)
        );
        let figure = page.value(&format!("figureOf({asked})")).await;
        let figure = figure.as_str().expect("a sentence");
        assert!(figure.starts_with("P(top) lies from "), "{figure}");
        assert!(figure.contains(" to "), "{figure}");
        let known = page.value("figureOf({ probability: 0.5 })").await;
        assert_eq!(known, "P(top) is 5.000000e-1.");
        page
    });
}

#[test]
fn what_a_limit_leaves_of_attacks_is_said() {
    on_page("attacks.html", async |page| {
        page.shows("#figure", "best cost 6").await;
        let asked = format!(
            "(await program.ask({{ ask: {{ attacks: {{}} }}, seconds: 0 }}, {{ file: new TextEncoder().encode({}) }})).json",
            json!(OFFICE)
        );
        let said = page.value(&format!("summary({asked})")).await;
        let said = said.as_str().expect("a sentence");
        assert!(said.starts_with("cost 7, with none better than "), "{said}");
        page
    });
}

/// Whether the browser is kept from its own way with what is dropped on an element.
const DROPS: &str = "['#text', '#input', 'h1'].flatMap((css) => [[], [new File(['top = or a b c'], 'x.txt')]].map((files) => {
    const drop = new Event('drop', { bubbles: true, cancelable: true });
    drop.dataTransfer = { files, types: files.length > 0 ? ['Files'] : ['text/plain'] };
    document.querySelector(css).dispatchEvent(drop);
    return drop.defaultPrevented;
}))";

#[test]
fn text_is_dropped_where_it_is_dropped_and_no_file_takes_the_place_of_the_page() {
    on_page("faults.html", async |page| {
        page.is_answered().await;
        let kept = page.value(DROPS).await;
        assert_eq!(kept, json!([false, true, false, true, false, true]));
        page.shows("#state", "3 minimal cut sets.").await;
        page.go("ending.html").await;
        page.shows("#figure", "100%").await;
        let kept = page.value(&DROPS.replace("#input", "#deal")).await;
        assert_eq!(kept, json!([false, true, false, true, false, true]));
        page
    });
}

#[test]
fn a_number_that_is_none_of_its_field_is_refused() {
    on_page("faults.html#text=top+%3D+or+a+b", async |page| {
        page.shows("#state", "2 minimal cut sets.").await;
        page.click("#options summary").await;
        for (field, number, sentence) in [
            (
                "#order",
                "1.5",
                "“Only sets of at most events”: 1.5 is no whole number from 1 to 4294967295.",
            ),
            ("#order", "-1", "-1 is no whole number from 1 to"),
            (
                "#trials",
                "1e10",
                "“Trials”: 1e10 is no whole number from 1 to 100000000.",
            ),
            ("#cut-off", "2", "2 is no number from 0 to 1."),
            ("#mission", "-3", "-3 is no number from 0 on."),
        ] {
            page.write(field, number).await;
            page.press(field, Key::Tab).await;
            page.shows("#sentence", sentence).await;
            assert_eq!(page.value("byId('answer').hidden").await, json!(true));
            page.value(&format!(
                "(document.querySelector('{field}').value = '', ask())"
            ))
            .await;
            page.shows("#state", "2 minimal cut sets.").await;
        }
        page
    });
}

#[test]
fn what_is_no_tree_gets_the_sentence_and_the_page_goes_on() {
    on_page("faults.html", async |page| {
        page.is_answered().await;
        for (text, sentence) in [
            ("top = and a", "top"),
            ("top = 2 off a b", "line 1"),
            ("<opsa-mef><define-fault-tree", "line 1"),
            ("{\"format\": 1}", "this is a problem file"),
            ("\u{0}\u{1}\u{2}", "line 1"),
        ] {
            paste(&page, text).await;
            if text == "top = and a" {
                page.shows("#figure", "P(top) is not known.").await;
            } else {
                page.shows("#sentence", sentence).await;
            }
        }
        page.value("byId('text').dispatchEvent(Object.assign(new Event('paste', { cancelable: true }), { clipboardData: { getData: () => 'A'.repeat(200e6) } }))").await;
        page.shows("#sentence", "What was pasted has 200000000 letters")
            .await;
        page.takes("new Uint8Array(200e6)", "large.xml").await;
        page.shows("#sentence", "large.xml has 200000000 bytes")
            .await;
        page.takes("new Uint8Array([0xff, 0xfe, 0x41, 0, 0xd8])", "wide.xml")
            .await;
        page.shows("#sentence", "wide.xml").await;
        page.click("#no-files").await;
        paste(&page, "top = or a b\n").await;
        page.shows("#state", "2 minimal cut sets.").await;
        page
    });
}

#[test]
fn what_is_no_attack_tree_gets_the_sentence_and_the_page_goes_on() {
    on_page("attacks.html", async |page| {
        page.is_answered().await;
        for (bytes, sentence) in [
            (
                "new Uint8Array([0, 1, 2, 3])",
                "some.txt: a line is NAME = ",
            ),
            (
                "new Uint8Array([0xff, 0xfe, 0x41, 0, 0xd8])",
                "some.txt: invalid UTF-8 from byte 0 on",
            ),
            ("'{\"format\": 1}'", "some.txt: this is a problem file"),
            (
                "'<opsa-mef><oops/></opsa-mef>'",
                "some.txt: <oops> in <opsa-mef> is not read here",
            ),
            ("'<adtree><node'", "some.txt: this is no XML"),
            ("new Uint8Array(200e6)", "some.txt has 200000000 bytes"),
        ] {
            page.takes(bytes, "some.txt").await;
            page.shows("#sentence", sentence).await;
        }
        // A name like the beginning of an object is a name.
        page.takes("'a = or a'", "{1}.txt").await;
        page.shows("#sentence", "{1}.txt: \"a\" depends on itself")
            .await;
        page.value(
            "input.take([new File(['a = or b c'], 'a.txt'), new File(['b = or d e'], 'b.txt')])",
        )
        .await;
        page.shows("#sentence", "These are 2 files, and this page takes one.")
            .await;
        paste(&page, "a = or a\n").await;
        page.click("#no-files").await;
        page.shows("#sentence", "\"a\" depends on itself").await;
        paste(
            &page,
            "attribute cost sum\na = or b c\nb cost=1\nc cost=2\n",
        )
        .await;
        page.shows("#state", "2 minimal attacks.").await;
        // No defences, and nothing to be spent on them.
        assert_eq!(page.value("byId('budget').disabled").await, json!(true));
        page
    });
}

#[test]
fn an_attack_tree_is_asked_about() {
    on_page("attacks.html", async |page| {
        page.shows("#state", "minimal attacks.").await;
        page.shows("#figure", "best cost 6").await;
        // Each attack of the front is a point, and shown in the tree.
        let points = page.value("document.querySelector('#page iframe').contentDocument.querySelectorAll('circle.point').length").await;
        assert!(points.as_u64() >= Some(2), "{points}");
        page.value("document.querySelector('#page iframe').contentDocument.querySelector('circle.point').dispatchEvent(new MouseEvent('click', { bubbles: true }))").await;
        assert!(inside(&page, "#shown").await.contains("cost "));
        page.shows("#page table", "badge").await;
        page.click("#defences").await;
        page.shows("#exports", "CSV: what defences leave").await;
        assert!(inside(&page, "h2").await.contains("What defences leave"));
        page.write("#budget", "9").await;
        page.press("#budget", Key::Tab).await;
        page.shows("#figure", "for 9 the best defences are").await;
        // Another front.
        page.click("#attributes input[value='time']").await;
        page.shows("#sentence", "time adds in sequences").await;
        page.click("#attributes input[value='time']").await;
        page.shows("#state", "minimal attacks.").await;
        paste(&page, "a = or b c\nb cost=1\n").await;
        page.shows("#sentence", "cost").await;
        paste(
            &page,
            "attribute cost sum\na = or b c\nb cost=1\nc cost=2\n",
        )
        .await;
        page.shows("#state", "2 minimal attacks.").await;
        page
    });
}
