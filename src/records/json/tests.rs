use super::super::RawGames;
use super::*;

const GAME: &str = "e6f4e3f6g5d6e7f5c5";
const BOARD: &str = "---------------------------OX------XO---------------------------";

/// Games of a text that comes in blocks of `block` bytes.
fn records(text: &str, block: usize) -> Vec<Result<GameRecord, Fault>> {
    let mut cutter = Values::default();
    let bytes = text.as_bytes();
    let (mut from, mut to) = (0, 0);
    let mut records = Vec::new();
    loop {
        match cutter.cut(&bytes[from..to], to == bytes.len()) {
            Cut::Game(range) => {
                let mut record = GameRecord::default();
                let raw = &bytes[from + range.start..from + range.end];
                records.push(Json.parse(raw, &mut record).map(|()| record));
                from += range.end;
            }
            Cut::More { .. } if to == bytes.len() => return records,
            Cut::More { used } => {
                from += used;
                to = (to + block).min(bytes.len());
            }
            Cut::Bad { fault, .. } => panic!("{fault}"),
        }
    }
}

fn is_game(record: &Result<GameRecord, Fault>) -> bool {
    record.as_ref().is_ok_and(|record| {
        let words: String = record.moves.iter().map(|m| m.mv.to_string()).collect();
        words == GAME
    })
}

#[test]
fn objects_lists_and_lines() {
    let list: Vec<String> = GAME
        .as_bytes()
        .chunks(2)
        .map(|m| format!("\"{}\"", String::from_utf8_lossy(m)))
        .collect();
    let list = list.join(", ");
    for text in [
        format!("[{{\"g\":\"{GAME}\",\"w\":-1}},{{\"g\":\"{GAME}\",\"w\":1}}]"),
        format!("{{\"moves\": \"{GAME}\"}}\n{{\"moves\": \"{GAME}\"}}\n"),
        format!("{{\"moves\": \"{GAME}\"}}\r\n\r\n{{\"id\": 7, \"anything\": \"{GAME}\"}}"),
        format!("[\"{GAME}\",\n\"{}\"]", GAME.to_uppercase()),
        format!(
            "{{\"source\": \"x\", \"games\": [{{\"moves\": \"{GAME}\"}}, {{\"moves\": \"{GAME}\"}}], \"n\": {{\"a\": \"b\"}}}}"
        ),
        format!("{{\"games\": [\"{GAME}\", \"{GAME}\"], \"note\": \"hello\"}}"),
        format!("{{\"moves\": [{list}]}}\n{{\"moves\": [{list}]}}"),
        format!("[[{list}], [{list}]]"),
        format!(
            "[\n  {{\n    \"players\": {{\"black\": {{\"name\": \"A {{\\\"\"}}}},\n    \"moves\": \"{GAME}\"\n  }},\n  {{\n    \"moves\": \"{GAME}\",\n    \"tags\": [1, 2]\n  }}\n]\n"
        ),
    ] {
        assert!(Json.recognises(text.as_bytes()), "{text}");
        for block in [1, 7, 100_000] {
            let records = records(&text, block);
            assert_eq!(records.len(), 2, "{text} {block}: {records:?}");
            assert!(records.iter().all(is_game), "{text} {block}: {records:?}");
        }
    }
}

#[test]
fn keys_tell_who_when_and_the_result() {
    let text = format!(
        "{{\"date\": \"2020.01.01\", \"black\": {{\"name\": \"A\", \"rating\": 1700.5}}, \"white\": \"B\", \
         \"result\": \"13-0\", \"moves\": \"{GAME}\"}}"
    );
    let record = records(&text, 9).remove(0).unwrap();
    assert_eq!(
        (record.facts.black.as_str(), record.facts.white.as_str()),
        ("A", "B")
    );
    assert_eq!(record.facts.ratings, [Some(1700.5), None]);
    assert_eq!(record.facts.year, Some(2020));
    assert_eq!(record.claim, Some(13));
    let text = format!("{{\"board\": \"{BOARD}\", \"side\": \"O\", \"value\": -3}}");
    let record = records(&text, 9).remove(0).unwrap();
    assert_eq!(record.value, Some(-3.0));
    assert_eq!(
        record.start.unwrap().color,
        Some(crate::board::Color::White)
    );
}

#[test]
fn what_holds_no_game_is_named() {
    for (text, reason) in [
        ("[{\"a\": 1}]", "no_moves"),
        ("[\"hello\"]", "no_moves"),
        ("[{\"moves\": \"f5 hello\"}]", "not_a_move"),
        ("{\"moves\": \"f5d6\"", "cut"),
        ("{\"moves\": f5}", "bad_json"),
        (
            &format!("{{\"1\": {{\"g\": \"{GAME}\"}}, \"2\": {{\"g\": \"{GAME}\"}}}}"),
            "several_games",
        ),
    ] {
        let records = records(text, 3);
        let faults: Vec<&str> = records
            .iter()
            .filter_map(|r| r.as_ref().err())
            .map(Fault::reason)
            .collect();
        assert_eq!(faults, [reason], "{text}");
    }
}

#[test]
fn a_broken_game_costs_no_other() {
    let good = format!("{{\"moves\": \"{GAME}\"}}");
    for broken in [
        "{\"moves\": \"f5d6}",
        "{\"moves\": \"f5d6\"",
        "{\"moves: \"f5d6\"}",
        "{moves\": \"f5d6\"}",
        "\"moves\": \"f5d6\"}",
        "{\"moves\": [\"f5\"}",
    ] {
        for between in ["\n", ",", ",\n"] {
            let text = [&good, broken, &good, &good]
                .map(str::to_owned)
                .join(between);
            let records = records(&text, 5);
            let found = records.iter().filter(|record| is_game(record)).count();
            assert!(found >= 2, "{text}: {records:?}");
        }
    }
}

#[test]
fn a_game_that_is_too_long_costs_no_other() {
    let good = format!("{{\"moves\": \"{GAME}\"}}\n");
    let long = "f5".repeat(super::super::MAX_GAME_BYTES);
    let text = format!("{good}{{\"moves\": \"{long}\"}}\n{good}{good}");
    let mut games = RawGames::new(&Json, Vec::new(), text.as_bytes());
    let (mut whole, mut faults) = (0, 0);
    while let Some(raw) = games.next_game().unwrap() {
        match raw {
            Ok(_) => whole += 1,
            Err(_) => faults += 1,
        }
    }
    assert_eq!(whole, 3);
    assert!((1..=4).contains(&faults), "{faults}");
}

#[test]
fn other_json_is_not_taken_for_games() {
    for text in [
        "{\"schema\": \"rdg_phase_metadata_v1\", \"config_sha256\": \"a1b2c3d4e5f60718293a4b5c6d7e8f90\"}",
        "[1, 2, 3]",
        "{}",
        "[]",
        "(;GM[2])",
        "[8 -------- *]",
    ] {
        assert!(!Json.recognises(text.as_bytes()), "{text}");
    }
}
