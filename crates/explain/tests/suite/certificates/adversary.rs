//! What somebody would write who wants to be believed.

use super::cases::{SMALL, case};

#[test]
fn an_adversary() {
    let case = case(SMALL);
    let digest = &case.digest;
    let certificate = |header: &str, body: &str| {
        let header = header.replace("DIGEST", digest);
        format!("meetjoin-certificate/2\n{header}\n{body}")
    };
    let usual = r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":2}"#;
    let good = certificate(usual, "7\n0 - - 1\n0 -\nend\n");
    assert_eq!(
        case.verify(&good)
            .map(|verified| verified.value.lower().json()),
        Ok("7".to_owned())
    );
    for (text, why) in [
        // A reason that is its own.
        (
            certificate(usual, "9\n0 - 0 0\n0 -\nend\n"),
            "line 4: `0` leads to no later step",
        ),
        // Back to an earlier step.
        (
            certificate(usual, "9\n0 - 1 -\n0 - 4294967295 -\nend\n"),
            "line 5: `4294967295` leads to no later step",
        ),
        // A step for a node that is another one.
        (
            certificate(usual, "7\n0 - 1 -\n0 -\nend\n"),
            "step 1 (a): its lower bound does not follow",
        ),
        (
            certificate(
                r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":3}"#,
                "7\n0 - 1 2\n- - - 1\n0 -\nend\n",
            ),
            "",
        ),
        (
            certificate(
                r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":3}"#,
                "7\n0 - 1 2\n- - 1 -\n0 -\nend\n",
            ),
            "step 1 (a): a child is another node than that of its step",
        ),
        // Claims too much.
        (
            certificate(usual, "8\n0 - - 1\n0 -\nend\n"),
            "step 1 (y): its lower bound does not follow",
        ),
        // At most 3, with the child left out that is worth more.
        (
            certificate(
                r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":3}"#,
                "3\n- 0 1 -\n- 0 1 -\n- 0\nend\n",
            ),
            "step 0 (r): its upper bound does not follow",
        ),
        // One child fewer than there are.
        (
            certificate(usual, "7\n0 - 1\n0 -\nend\n"),
            "step 0 (r): the node has another number of children",
        ),
        // A bound that nobody stated.
        (
            certificate(
                r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":1}"#,
                "9\n0 - b\nend\n",
            ),
            "step 0 (r): the problem states no bound of the node",
        ),
        // A value outside the lattice.
        (
            certificate(usual, "[1]\n0 - - 1\n0 -\nend\n"),
            "line 3: `[1]` is not a 64-bit integer",
        ),
        (
            certificate(usual, "7\n1 - - 1\n0 -\nend\n"),
            "line 4: `1` is no number of a value; there are 1",
        ),
        // The digest is a name: what is true is true.
        (
            certificate(&usual.replace("DIGEST", "ab"), "7\n0 - - 1\n0 -\nend\n"),
            "",
        ),
        // Sizes that lie.
        (
            certificate(
                &usual.replace(":1,", ":18446744073709551615,"),
                "7\n0 - - 1\n0 -\nend\n",
            ),
            "line 4: `0 - - 1` is not",
        ),
        (
            certificate(
                &usual.replace(":2}", ":18446744073709551615}"),
                "7\n0 - - 1\n0 -\nend\n",
            ),
            "line 6: `end` is no number of a value",
        ),
        (
            certificate(&usual.replace(":2}", ":1}"), "7\n0 - - 1\n0 -\nend\n"),
            "line 4: `1` leads to no later step",
        ),
        (
            certificate(&usual.replace(":2}", ":0}"), "7\nend\n"),
            "the certificate has no step",
        ),
        (
            certificate(&usual.replace(":2}", ":3}"), "7\n0 - - 1\n0 -\n- -\nend\n"),
            "step 2: no earlier step leads to it",
        ),
        // Versions, ends and beginnings.
        (
            good.replace("certificate/2", "certificate/3"),
            "line 1: this is a certificate of another version",
        ),
        (format!("{SMALL}\n"), "line 1: this is no certificate"),
        (format!("{good} "), "line 6: nothing may come after `end`"),
        (
            good.replace("end\n", "end"),
            "line 6: the certificate ends before its end",
        ),
        // An object is an object.
        (
            certificate(r#"["DIGEST",null,null,1,2]"#, "7\n0 - - 1\n0 -\nend\n"),
            "line 2: the header is wrong: invalid type: sequence, expected an object",
        ),
        (
            certificate(
                &usual.replace("null", "null,\"no_heavier\":[1,null]"),
                "7\n0 - - 1\n0 -\nend\n",
            ),
            "line 2: the header is wrong: invalid type: sequence, expected an object",
        ),
        // A claim that is no question.
        (
            certificate(
                &usual.replace("null", "\"bottom\""),
                "true\n0 - - 1\n0 -\nend\n",
            ),
            "what the certificate claims is not join-prime",
        ),
    ] {
        match case.verify(&text) {
            Ok(_) if why.is_empty() => {}
            Ok(verified) => panic!("{text}\npassed: {verified:?}"),
            Err(error) => assert!(
                !why.is_empty() && error.contains(why),
                "{error}\nin place of {why}\n{text}"
            ),
        }
    }
    for end in 0..good.len() {
        assert!(case.verify(&good[..end]).is_err(), "{}", &good[..end]);
    }
}
