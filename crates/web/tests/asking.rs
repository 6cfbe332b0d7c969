//! The boundary between a page and a program: questions, limits and files as they are read.

use meetjoin_web::asking::{Memory, read};
use meetjoin_web::bridge;

#[test]
fn a_question_has_limits_and_perhaps_a_file() {
    let question = b"{\"ask\":7,\"seconds\":2.5,\"mebibytes\":3}\nfile\n\xff";
    let asked = read::<u8>(question, Memory::UNKNOWN).expect("a question");
    assert_eq!((asked.ask, asked.file), (7, &b"file\n\xff"[..]));
    let limits = asked.limits;
    assert_eq!(limits.time.map(|time| time.as_millis()), Some(2500));
    assert_eq!(limits.memory.map(|memory| memory.bytes), Some(3 << 20));
    // Without limits of its own it has some, and none that a program cannot have.
    let asked = read::<u8>(b"{\"ask\":7,\"mebibytes\":999999999}", Memory::UNKNOWN);
    let asked = asked.expect("a question");
    assert_eq!(asked.file, b"");
    assert_eq!(asked.limits.time.map(|time| time.as_secs()), Some(60));
    assert_eq!(
        asked.limits.memory.map(|memory| memory.bytes),
        Some(3 << 30)
    );
}

#[test]
fn what_is_no_question_gets_a_sentence() {
    for (question, sentence) in [
        (&b""[..], "this is no question: EOF"),
        (b"\xff\xfe", "this is no question"),
        (
            b"{\"ask\":{\"suit\":{}},\"second\":1}",
            "unknown field `second`",
        ),
        (b"{\"ask\":{\"suits\":{}}}", "unknown variant `suits`"),
        (
            b"{\"ask\":{\"suit\":{\"nort\":\"A\"}}}",
            "suit has no option \"nort\"; did you mean \"north\"?",
        ),
        (
            b"{\"ask\":{\"suit\":{}},\"seconds\":-1}",
            "-1 is not a number of seconds",
        ),
        (
            b"{\"ask\":{\"suit\":{}},\"seconds\":1e300}",
            "is not a number of seconds",
        ),
        (
            b"{\"ask\":{\"suit\":{\"north\":\"A\",\"south\":\"2\",\"vacant\":[14,0]}}}",
            "vacant: 14 is more than 13",
        ),
        (
            b"{\"ask\":{\"suit\":{\"north\":\"A\",\"south\":\"2\",\"west_length\":[0,14]}}}",
            "west_length: 14 is more than 13",
        ),
        (
            b"{\"ask\":{\"ending\":{\"deal\":\"\",\"tricks\":300}}}",
            "this is no question",
        ),
    ] {
        let said = bridge::answer(question, Memory::UNKNOWN).expect_err("no question");
        assert!(said.contains(sentence), "{said} and not {sentence}");
    }
}
