use super::super::{RawGames, read_head};
use super::*;

const GAME: &str = "e6f4e3f6g5d6e7f5c5";
const BOARD: &str = "---------------------------OX------XO---------------------------";

fn records(text: &str) -> Vec<Result<GameRecord, Fault>> {
    let mut input = text.as_bytes();
    let head = read_head(&mut input).unwrap();
    let mut games = RawGames::new(&Csv, head, input);
    let mut records = Vec::new();
    while let Some(raw) = games.next_game().unwrap() {
        let raw = raw.map(<[u8]>::to_vec);
        let header = games.header().cloned().unwrap_or_default();
        records.push(raw.and_then(|raw| {
            let mut record = GameRecord::default();
            Csv.parse_with(&raw, &header, &mut record).map(|()| record)
        }));
    }
    records
}

fn moves(record: &Result<GameRecord, Fault>) -> String {
    let record = record.as_ref().unwrap();
    record.moves.iter().map(|m| m.mv.to_string()).collect()
}

#[test]
fn tables_of_every_kind() {
    for text in [
        format!("id,winner,game_moves\n0,-1,\"{GAME}\"\n1,-1,\"{GAME}\"\n"),
        format!("id;moves\r\n1;{GAME}\r\n2;\"{GAME}\"\r\n"),
        format!("moves\n{GAME}\n{GAME}"),
        format!(
            "date\tmoves\tn_moves\n2003\t{}\t9\n\n2004\t{GAME}\t9\n",
            GAME.to_uppercase()
        ),
        format!("Smith, John,x,\"{GAME}\"\nJones, Jim,y,{GAME}\n"),
        format!("\u{feff}a,b\n# comment\n\"Smith \"\"J\"\", x\",\"{GAME}\"\nb,{GAME}"),
        format!("black,white,moves,note\n\"A, B\",C,\"{GAME}\",\"two\nlines\"\n,,{GAME},\n"),
        format!("a|b\n|{GAME}\n|1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5\n"),
    ] {
        assert!(Csv.recognises(text.as_bytes()), "{text}");
        let records = records(&text);
        assert_eq!(records.len(), 2, "{text}: {records:?}");
        for record in &records {
            assert_eq!(moves(record), GAME, "{text}");
        }
    }
}

#[test]
fn columns_tell_who_when_and_the_result() {
    let text = format!(
        "Date,Black Player,White,black_elo,WhiteRating,Result,Moves\n2019-05-04,\"A \"\"x\"\"\",B,1800,,13-0,{GAME}\n"
    );
    let record = records(&text).remove(0).unwrap();
    assert_eq!(record.facts.black, "A \"x\"");
    assert_eq!(record.facts.white, "B");
    assert_eq!(record.facts.year, Some(2019));
    assert_eq!(record.facts.ratings, [Some(1800.0), None]);
    assert_eq!(record.claim, Some(13));
}

#[test]
fn boards_may_have_moves_or_a_value() {
    let text = format!("board,value,phase\n{BOARD},-4,0\n\"{BOARD}\",2.5,0\n{BOARD},x,0\n");
    assert!(Csv.recognises(text.as_bytes()));
    let records = records(&text);
    assert_eq!(records[0].as_ref().unwrap().value, Some(-4.0));
    assert_eq!(records[1].as_ref().unwrap().value, Some(2.5));
    assert_eq!(records[2], Err(Fault::BadValue("x".into())));
    let text = format!("start,side,moves\n{BOARD},O,f4d3\n");
    let record = super::tests::records(&text).remove(0).unwrap();
    let color = record.start.unwrap().color;
    assert_eq!(
        (color, record.moves.len()),
        (Some(crate::board::Color::White), 2)
    );
}

#[test]
fn rows_without_a_game_are_told_and_stray_quotes_cost_one_row() {
    let good = format!("1,\"{GAME}\"\n");
    for (row, reason) in [
        ("2,\n", "no_moves"),
        ("2,\"e6 hello\"\n", "not_a_move"),
        ("\"2,\n", "no_moves"),
        ("2,\"e6f4\n", "not_a_move"),
        ("2,e6\"f4\n", "not_a_move"),
    ] {
        let text = format!("id,moves\n{good}{row}{}", good.repeat(3));
        let records = records(&text);
        let good = records.iter().filter(|record| record.is_ok()).count();
        assert_eq!(good, 4, "{row}: {records:?}");
        let faults: Vec<&str> = records
            .iter()
            .filter_map(|r| r.as_ref().err())
            .map(Fault::reason)
            .collect();
        assert_eq!(faults, [reason], "{row}");
    }
}

#[test]
fn move_text_and_prose_are_no_tables() {
    for text in [
        "F5,D6,C3\n",
        "0,-1,e6f4e3f6g5d6e7f5c5\n",
        "f5, d6, c3 : +12\n",
        "Games of 2019, Paris\nf5d6c3d3c4\n",
        "Dear reader, hello\nthis, is a letter\n",
        "id,name\n1,Smith\n",
        "",
    ] {
        assert!(!Csv.recognises(text.as_bytes()), "{text}");
    }
}
