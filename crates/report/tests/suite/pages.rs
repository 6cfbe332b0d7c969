//! Pages: branches that open, texts that are no markup, and graphs in layers.

use meetjoin_report::page::{branches, document, table};

#[test]
fn what_is_further_to_the_right_opens_with_what_is_above() {
    let lines = [(0, "a"), (1, "b"), (2, "c"), (1, "d")].map(|(i, text)| (i, text.to_owned()));
    let text = branches("x", &lines);
    let inside = text.split("<div id=\"x\">\n").nth(1).expect("the lines");
    assert_eq!(
        inside,
        "<details open><summary>a</summary><div class=\"branch\">\n\
         <details open><summary>b</summary><div class=\"branch\">\n\
         <p class=\"step\">c</p>\n</div></details>\n<p class=\"step\">d</p>\n</div></details>\n</div>\n"
    );
}

#[test]
fn texts_are_no_markup() {
    let page = document("<b>", "");
    assert!(page.contains("<title>&lt;b&gt;</title>") && !page.contains("<b>"));
    let text = table("a \"b\"", 1, &["<i>".to_owned()], &[vec!["&".into()]]);
    assert!(text.contains("aria-label=\"a &quot;b&quot;\"") && text.contains("&lt;i&gt;"));
    assert!(
        text.contains("<th scope=\"row\" class=\"words\">&amp;</th>"),
        "{text}"
    );
}
