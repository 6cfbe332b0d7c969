//! Contracts at bridge: scores as in the laws, and swings.

use meetjoin_bridge::suit::contract::{Contract, imps};

#[test]
fn contracts_score_as_in_the_laws() {
    let score = |text: &str, taken: usize| {
        let contract = text.parse::<Contract>().expect("a contract");
        let level = text.as_bytes()[0] - b'0';
        contract.scores(6 + level, 13).expect("all tricks")[taken]
    };
    assert_eq!(score("4S", 10), 420);
    assert_eq!(score("4SV", 11), 650);
    assert_eq!(score("3nt", 9), 400);
    assert_eq!(score("3N", 8), -50);
    assert_eq!(score("2C", 9), 110);
    assert_eq!(score("2CXV", 8), 180);
    assert_eq!(score("2HX", 9), 570);
    assert_eq!(score("2HXXV", 9), 1240);
    assert_eq!(score("6NTV", 12), 1440);
    assert_eq!(score("7DX", 13), 1630);
    assert_eq!(score("4SX", 6), -800);
    assert_eq!(score("4SXV", 6), -1100);
    assert_eq!(score("4SXXV", 8), -1000);
    assert_eq!(score("4SV", 7), -300);
}

#[test]
fn swings_are_imps() {
    assert_eq!(
        [0, 10, 20, 40, 50, 420, 470].map(imps),
        [0, 0, 1, 1, 2, 9, 10]
    );
    assert_eq!((imps(-600), imps(4000), imps(9000)), (-12, 24, 24));
}

#[test]
fn what_is_no_contract_is_said() {
    for text in ["", "S4", "8NT", "4SXXX", "4", "0C", "é"] {
        assert!(text.parse::<Contract>().is_err(), "{text}");
    }
    let contract: Contract = "7NT".parse().expect("a contract");
    assert!(contract.scores(4, 4).is_ok());
    assert!(contract.scores(4, 5).is_err());
    let contract: Contract = "1C".parse().expect("a contract");
    assert!(contract.scores(8, 8).is_err());
}
