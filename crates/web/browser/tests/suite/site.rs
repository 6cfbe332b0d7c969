//! What all pages have in common.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::support::{on_page, site};

/// The files of the site beside the book whose names end so, by name.
fn files(end: &str) -> Vec<String> {
    let folder = std::fs::read_dir(site()).expect("a folder");
    let paths = folder.map(|file| file.expect("a file").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|found| found == end));
    let names = paths.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The pages that are there.
fn pages() -> Vec<String> {
    files("html")
}

#[test]
fn pages_lead_to_each_other_and_fit_narrow_and_wide() {
    on_page("index.html", async |page| {
        for name in pages() {
            page.go(&name).await;
            let here = page
                .value("document.querySelector('nav [aria-current]').getAttribute('href')")
                .await;
            assert_eq!(here, json!(name));
            for other in pages() {
                let links = format!("document.querySelectorAll('nav a[href=\"{other}\"]').length");
                assert_eq!(page.value(&links).await, json!(1), "{name} to {other}");
            }
            for width in [320, 390, 1300] {
                page.is_wide(width).await;
                let over =
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth";
                assert_eq!(page.value(over).await, json!(0), "{name} at {width}");
            }
        }
        page
    });
}

/// Fields and buttons without a name, headings that jump a level, and what is said in no region.
const UNNAMED: &str = "(() => {
    const named = (element) => element.labels?.length || element.getAttribute('aria-label') || element.textContent.trim() || element.title;
    const unnamed = [...document.querySelectorAll('input, select, textarea, button, summary, [role=img], [role=group], [role=region]')].filter((element) => !named(element));
    const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map((heading) => Number(heading.tagName[1]));
    const jumps = levels.filter((level, place) => level > (levels[place - 1] ?? 0) + 1);
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
    return [unnamed.map((element) => element.outerHTML), jumps, twice];
})()";

/// The least contrast of text that is seen, and what it stands for: WCAG 2.2 asks for 4.5. Controls
/// that are switched off are left out, as there.
const CONTRAST: &str = "(() => {
    const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => { const of = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }; return 0.2126 * of(r) + 0.7152 * of(g) + 0.0722 * of(b); };
    const behind = (element) => { for (let at = element; at; at = at.parentElement) { const colour = rgb(getComputedStyle(at).backgroundColor); if (colour.length === 3 || colour[3] === 1) return colour; } return [255, 255, 255]; };
    let least = [21, ''];
    for (const element of document.querySelectorAll('body *')) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || !element.checkVisibility() || element.closest(':disabled, script, style, noscript')) continue;
        const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < least[0]) least = [contrast, element.outerHTML.slice(0, 200)];
    }
    return least;
})()";

#[test]
fn what_is_seen_has_names_and_contrast_by_day_and_by_night() {
    on_page("index.html", async |page| {
        for name in pages() {
            page.go(&name).await;
            if name != "index.html" {
                page.is_answered().await;
            }
            assert_eq!(page.value(UNNAMED).await, json!([[], [], []]), "{name}");
            for scheme in ["light", "dark"] {
                page.is_by(scheme).await;
                let least = page.value(CONTRAST).await;
                assert!(least[0].as_f64() >= Some(4.5), "{name}, {scheme}: {least}");
            }
        }
        page
    });
}

#[test]
fn no_script_of_a_page_reaches_anybody() {
    on_page("suit.html", async |page| {
        let policy = page
            .value("document.querySelector('meta[http-equiv]').content")
            .await;
        let policy = policy.as_str().expect("a text").to_owned();
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        assert!(!policy.contains("http"), "{policy}");
        page
    });
}

/// The bytes of a file as a server sends it.
fn sent(name: &str) -> usize {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    let bytes = std::fs::read(site().join(name)).expect("a file of the site");
    packed.write_all(&bytes).expect("memory is enough");
    packed.finish().expect("memory is enough").len()
}

#[test]
fn pages_are_small() {
    let suit: usize = ["suit.html", "shared.js", "bridge.js"]
        .map(sent)
        .iter()
        .sum();
    assert!(suit <= 600_000, "the page of suits takes {suit} bytes");
    let parts = files("html").into_iter().chain(files("js"));
    let all: usize = parts.map(|name| sent(&name)).sum();
    assert!(all <= 3_000_000, "all pages take {all} bytes");
}

/// Links to a page: one that is answered, what then is shown where, and what others say that the
/// page cannot show.
const LINKS: [(&str, &str, [&str; 2], &[&str]); 6] = [
    (
        "suit.html",
        "n=AQT98&s=5432&goal=5&vacant=9,13&length=0,4",
        ["#figure", "%"],
        &[
            "vacant=99,5",
            "vacant=9",
            "length=3,x",
            "goal=14",
            "goal=all",
            "tricks=5",
        ],
    ),
    (
        "ending.html",
        "tricks=3&by=S&lead=W&trumps=NT&known=S1-3,H0-2",
        ["#figure", "%"],
        &[
            "tricks=5",
            "tricks=0",
            "by=Q",
            "lead=w",
            "trumps=N",
            "known=S1-14",
            "known=S1-3,H",
            "goal=5",
        ],
    ),
    (
        "suits.html",
        "n=AQT98&s=5432",
        ["#state", "The suit is found."],
        &["goal=5", "N=AQ"],
    ),
    (
        "graph.html",
        "algorithm=minimax&beside=df-pn",
        ["#state", "The graph is searched."],
        &["algorithm=best", "beside=minmax", "lattice=bool"],
    ),
    (
        "faults.html",
        "sets=paths&order=2",
        ["#state", "minimal path sets"],
        &[
            "sets=best",
            "order=two",
            "cut-off=1,5",
            "mission=1e",
            "sil=no",
            "gates=top",
        ],
    ),
    (
        "attacks.html",
        "front=cost&cheapest=3",
        ["#state", "minimal attacks."],
        &[
            "front=cost,costs",
            "budget=much",
            "defences=true",
            "rule=a=sum",
        ],
    ),
];

/// A control would take the nearest value or none, and the answer would be to another question.
#[test]
fn what_a_link_says_and_no_control_shows_is_refused() {
    on_page("suit.html", async |page| {
        for (of, good, [css, part], wrong) in LINKS {
            page.go(&format!("{of}#{good}")).await;
            page.shows(css, part).await;
            for wrong in wrong {
                page.value(&format!("location.hash = '{wrong}'")).await;
                let sentence = format!("The link says {wrong}, which this page cannot show.");
                page.shows("#sentence", &sentence).await;
                assert_eq!(page.value("byId('answer').hidden").await, json!(true));
                // A wrong front is known when the tree has been read, which is in the link then.
                let kept = format!("decodeURIComponent(location.hash).endsWith('{wrong}')");
                assert_eq!(page.value(&kept).await, json!(true), "{wrong}");
                page.value(&format!("location.hash = '{good}'")).await;
                page.shows(css, part).await;
            }
        }
        page
    });
}
