//! Pages: branches that open, texts that are no markup, and graphs in layers.

use meetjoin_report::page::{PAPER, branches, by_night, document, table};
use meetjoin_report::picture::{Picture, with_colours, wrapped};
use meetjoin_report::{fraction, percent};

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

/// Each page and each picture has the same colours by day and by night, and asks for nothing.
#[test]
fn pages_and_pictures_have_one_style() {
    let picture = Picture {
        title: "<b>".to_owned(),
        size: (100.0, 50.0),
        drawing: "<line x1=\"0\" y1=\"0\" x2=\"9\" y2=\"9\"/>".to_owned(),
        above: vec!["word ".repeat(30)],
        legend: vec![("<text>a</text>".to_owned(), "a sign".to_owned())],
        below: vec!["&".to_owned()],
    };
    let svg = picture.svg();
    let plot = with_colours("<svg width=\"9\">\n<rect fill=\"#FFFFFF\"/></svg>");
    assert!(
        plot.starts_with("<svg width=\"9\" class=\"plot\">\n<style>"),
        "{plot}"
    );
    for text in [&svg, &plot] {
        assert!(
            text.contains(&format!("fill=\"{PAPER}\"")) && !text.contains("var("),
            "{text}"
        );
    }
    let page = document("a", "");
    for (text, selector) in [(&svg, ".meetjoin"), (&plot, ".plot"), (&page, ":root")] {
        assert!(text.contains(&by_night(selector)), "{text}");
        for outside in ["src=", "@import", "url(", "href=", "https:"] {
            assert!(!text.contains(outside), "{outside} in {text}");
        }
    }
    // Rules of a picture are of pictures alone: a notebook takes them for its own.
    let style = svg
        .split("<style>")
        .nth(1)
        .and_then(|rest| rest.split("</style>").next());
    for rule in style
        .expect("a style")
        .lines()
        .filter(|line| line.contains('{') && !line.starts_with("@media"))
    {
        assert!(rule.starts_with(".meetjoin"), "{rule}");
    }
    assert!(svg.contains("<title>&lt;b&gt;</title>") && svg.contains(">&amp;</text>"));
    // Thirty words of a hundred and fifty letters are three lines or more.
    assert!(svg.matches("font-weight=\"600\"").count() >= 3, "{svg}");
}

#[test]
fn lines_are_broken_between_words() {
    let lines = wrapped("one two  three fourfourfourfour", 9.0);
    assert_eq!(lines, ["one two", "three", "fourfourf", "ourfour"]);
    assert_eq!(wrapped("", 9.0), [""]);
}

#[test]
fn what_is_not_certain_does_not_look_certain() {
    for (part, whole, text, exactly) in [
        (476, 575, "82.8%", "476/575"),
        (20, 40, "50%", "1/2"),
        (0, 7, "0%", "0/1"),
        (7, 7, "100%", "1/1"),
        (9999, 10_000, "over 99.9%", "9999/10000"),
        (999, 1000, "99.9%", "999/1000"),
        (1, 10_000, "under 0.1%", "1/10000"),
        (1, 1000, "0.1%", "1/1000"),
        (1, 3, "33.3%", "1/3"),
        (2, 3, "66.7%", "2/3"),
        (
            u64::MAX - 1,
            u64::MAX,
            "over 99.9%",
            "18446744073709551614/18446744073709551615",
        ),
    ] {
        assert_eq!(
            (&*percent(part, whole), &*fraction(part, whole)),
            (text, exactly)
        );
    }
}

/// What has a ground of its own keeps it in print, and has an outline where readers have colours of
/// their own; what is wider than paper is neither cut nor scrolled.
#[test]
fn pages_are_seen_in_print_and_with_colours_of_readers() {
    let page = document("a", "");
    let (_, print) = page.split_once("@media print {").expect("rules for print");
    let (print, forced) = print
        .split_once("@media (forced-colors: active) {")
        .expect("rules for colours of readers");
    assert!(page.contains("print-color-adjust: exact;"));
    for rule in [
        ".wide { overflow: visible; }",
        "svg { max-width: 100% !important;",
    ] {
        assert!(print.contains(rule), "{rule}");
    }
    for what in [
        "[aria-pressed=true]",
        ".chosen",
        ".good",
        ".bad",
        ".done",
        ".bought",
    ] {
        assert!(forced.contains(what), "{what}");
    }
    // Paper is white, whatever the screen is.
    assert_eq!(
        page.matches("(prefers-color-scheme: dark)").count(),
        page.matches("@media screen and (prefers-color-scheme: dark)")
            .count()
    );
}
