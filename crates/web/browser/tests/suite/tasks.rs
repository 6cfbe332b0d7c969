//! How long pages are busy: no task may hold up a page for more than 50 ms, or clicks and keys
//! wait.

use crate::support::{Page, on_page};

/// What people do on each page: expressions that click something.
const FLOWS: &[(&str, &[&str])] = &[
    (
        "suit.html",
        &[
            "document.querySelector('#deck [aria-label=\"North: 4\"]').click()",
            "document.querySelector('[aria-label=\"Play for 4 tricks\"]').click()",
            "byId('best').click()",
            "(byId('by').value = 'matchpoints', byId('by').dispatchEvent(new Event('change')))",
        ],
    ),
    (
        "ending.html",
        &[
            "document.querySelector('[aria-label=\"Play for 4 tricks\"]').click()",
            "byId('best').click()",
        ],
    ),
    (
        "faults.html",
        &[
            "byId('examples').querySelectorAll('button')[1].click()",
            "(byId('curve').click(), byId('uncertain').click())",
            "(byId('curve').checked = byId('uncertain').checked = false, byId('sets').value = 'paths', ask())",
        ],
    ),
    (
        "attacks.html",
        &[
            "byId('examples').querySelectorAll('button')[0].click()",
            "byId('defences').click()",
        ],
    ),
    (
        "graph.html",
        &[
            "byId('examples').querySelectorAll('button')[1].click()",
            "(byId('beside').value = 'minimax', ask())",
            "byId('check').click()",
        ],
    ),
    (
        "play.html",
        &[
            "byId('new').click()",
            "document.querySelector('#board button:not(:disabled)')?.click()",
            "(byId('game').value = 'kalah', byId('game').dispatchEvent(new Event('change')))",
        ],
    ),
    (
        "suits.html",
        &[
            "(byId('north').value = 'KJ54', byId('south').value = 'A32', lookUp())",
            "(byId('goal').value = 'average', leads())",
            "(byId('of-goal').value = '3', drawAverages())",
        ],
    ),
];

/// What is allowed, in ms.
const MOST: f64 = 50.0;

/// The longest task since a page was opened, in ms: the least of some times, as for clicks.
async fn opened(page: &Page, name: &str) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..6 {
        page.go("index.html").await;
        page.go(name).await;
        page.is_answered().await;
        least = least.min(page.longest_task_so_far().await);
        if least <= MOST {
            break;
        }
    }
    least
}

#[test]
fn no_page_is_held_up() {
    on_page("index.html", async |page| {
        // What is long is seen, at once and afterwards.
        let busy =
            "(() => { const end = performance.now() + 120; while (performance.now() < end); })()";
        assert!(page.longest_task(busy).await >= 100.0);
        assert!(page.longest_task_so_far().await >= 100.0);
        for (name, flow) in FLOWS {
            let longest = opened(&page, name).await;
            println!("{name} opened: {longest} ms");
            assert!(longest <= MOST, "{name} is opened: {longest} ms");
            for click in *flow {
                let longest = page.longest_task(click).await;
                page.is_answered().await;
                println!("{name} {click}: {longest} ms");
                assert!(longest <= MOST, "{name}, {click}: {longest} ms");
            }
        }
        page
    });
}
