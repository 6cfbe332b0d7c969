//! Strangers at the port of a cluster, and partners that break: before the greeting, in the middle,
//! and after it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::support::{Attack, Numbers, check, finish, json, start, words};

fn code(secret: &[u8], parts: [&[u8]; 3]) -> [u8; 32] {
    let mut code = Hmac::<Sha256>::new_from_slice(secret).expect("any length");
    for part in parts {
        code.update(part);
    }
    code.finalize().into_bytes().into()
}

/// Greets process 0 as process 1; the key by which what is said next is sealed.
fn greet(mut stream: &TcpStream, secret: &[u8]) -> Option<[u8; 32]> {
    let (own, mut other, mut answer) = ([7; 32], [0; 32], [0; 32]);
    stream.write_all(&own).ok()?;
    stream.read_exact(&mut other).ok()?;
    stream
        .write_all(&code(secret, [b"caller", &own, &other]))
        .ok()?;
    stream.read_exact(&mut answer).ok()?;
    let mut line = Vec::new();
    let mut byte = [0];
    while byte != *b"\n" {
        stream.read_exact(&mut byte).ok()?;
        line.extend(byte);
    }
    let mut hello: serde_json::Value = serde_json::from_slice(&line).ok()?;
    hello["process"] = 1.into();
    hello["holds"] = "".into();
    writeln!(stream, "{hello}").ok()?;
    Some(code(secret, [b"key of what is sent", &own, &other]))
}

/// A block as a partner sends it.
fn sealed(key: &[u8; 32], number: u64, text: &[u8]) -> Vec<u8> {
    let length = (text.len() as u64).to_le_bytes();
    let code = code(key, [&number.to_le_bytes(), &length, text]);
    [&(text.len() as u32).to_le_bytes(), &code[..], text].concat()
}

/// Something that may be the head of a message of timely dataflow, and what follows it.
fn message(numbers: &mut Numbers) -> Vec<u8> {
    let small = |numbers: &mut Numbers| numbers.below(4) as u64;
    let length = *numbers.one(&[0, 1, 8, 100, 1 << 20, 1 << 31, 1 << 40, u64::MAX]);
    let head = [
        small(numbers),
        *numbers.one(&[1, 1, 1, 0, 2, u64::MAX]),
        *numbers.one(&[0, 0, 0, 1, u64::MAX]),
        *numbers.one(&[1, 1, 1, 0, 2, u64::MAX]),
        length,
        small(numbers),
    ];
    let mut text: Vec<u8> = head
        .iter()
        .flat_map(|number| number.to_be_bytes())
        .collect();
    let mut some = length.min(200) as usize;
    if numbers.happens(4) {
        some = some.saturating_sub(numbers.below(50));
    }
    text.extend((0..some).map(|_| {
        if numbers.happens(2) {
            0
        } else {
            numbers.next() as u8
        }
    }));
    text
}

fn random(numbers: &mut Numbers, most: usize) -> Vec<u8> {
    let length = numbers.below(most);
    let zeros = numbers.happens(3);
    (0..length)
        .map(|_| if zeros { 0 } else { numbers.next() as u8 })
        .collect()
}

/// Connects to process 0 as soon as it listens.
fn knock(address: &str) -> Option<TcpStream> {
    let until = Instant::now() + Duration::from_secs(5);
    while Instant::now() < until {
        if let Ok(stream) = TcpStream::connect(address) {
            let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
            return Some(stream);
        }
        thread::sleep(Duration::from_millis(2));
    }
    None
}

#[test]
#[ignore = "goes on for as long as it is given"]
fn strangers_and_broken_partners_end_in_a_sentence() {
    let mut attack = Attack::new("strangers");
    while attack.goes_on() {
        let ports: Vec<TcpListener> = (0..2)
            .map(|_| TcpListener::bind("127.0.0.1:0").expect("a port"))
            .collect();
        let addresses: Vec<String> = ports
            .iter()
            .map(|port| port.local_addr().expect("bound").to_string())
            .collect();
        drop(ports);
        let hosts = attack.file("hosts", addresses.join("\n"));
        let secret = "0123456789abcdef0123456789abcdef";
        let secret_file = attack.file("secret", secret);
        let line = |process: usize, game: &str| {
            words(&format!(
                "cluster solve --json --hosts {hosts} --process {process} --secret-file {secret_file} --patience 5 --max-seconds 8 {game}"
            ))
        };
        let game = "connect-four --columns 4 --rows 3";
        let begun = Instant::now();
        let args = line(0, game);
        let one = start(&attack, "zero", &args, Stdio::null());
        // Strangers who know nothing.
        for _ in 0..attack.numbers.below(4) {
            let Some(stream) = knock(&addresses[0]) else {
                break;
            };
            let _ = (&stream).write_all(&random(&mut attack.numbers, 300));
            if attack.numbers.happens(2) {
                let _ = greet(&stream, b"another secret of enough bytes");
            }
            let _ = (&stream).write_all(&random(&mut attack.numbers, 5000));
        }
        if attack.numbers.happens(3) {
            // Nobody breaks: the strangers have changed nothing.
            let args = line(1, game);
            let other = start(&attack, "one", &args, Stdio::null());
            for (name, child) in [("zero", one), ("one", other)] {
                let found = finish(&attack, name, child, begun);
                check(&attack, &args, &found);
                assert_eq!(found.status, Some(0), "{}: {}", attack.place(), found.err);
                assert_eq!(json(&found)["value"], 0, "{}", attack.place());
            }
            continue;
        }
        let stream = knock(&addresses[0]).expect("it listens");
        let key = greet(&stream, secret.as_bytes()).expect("the secret is right");
        for number in 0..=attack.numbers.below(5) as u64 {
            let text = if attack.numbers.happens(3) {
                random(&mut attack.numbers, 400)
            } else {
                message(&mut attack.numbers)
            };
            let mut block = sealed(&key, number, &text);
            match attack.numbers.below(6) {
                // As it should not be sealed.
                0 => block = text,
                1 => {
                    let place = attack.numbers.below(block.len());
                    block[place] ^= 1 << attack.numbers.below(8);
                }
                2 => block.truncate(attack.numbers.below(block.len())),
                _ => {}
            }
            let _ = (&stream).write_all(&block);
        }
        if attack.numbers.happens(2) {
            thread::sleep(Duration::from_millis(attack.numbers.below(300) as u64));
        }
        drop(stream);
        let found = finish(&attack, "zero", one, begun);
        check(&attack, &args, &found);
        assert!(
            matches!(found.status, Some(1 | 3)),
            "{}: {found:?}",
            attack.place()
        );
        assert!(
            found.took < Duration::from_secs(10),
            "{}: {found:?}",
            attack.place()
        );
    }
}
