//! Runs over games: numbers of games and problems, whatever the command, the threads and the
//! chunks.

use pgn2epd::game::Severity;
use pgn2epd::{Conversion, Options, Summary, convert_observed, games};

use crate::support::{Problems, jobs, named, text};

/// Games of five lines each; the reply in each third game is wrong.
fn pgn(count: usize) -> String {
    let game = |number: usize| {
        let reply = if number.is_multiple_of(3) { "Ke6" } else { "e5" };
        format!("[White \"{number}\"]\n\n1. e4\n{reply} *\n\n")
    };
    (1..=count).map(game).collect()
}

/// What every command says of these games, by hand.
fn expected(count: usize) -> Vec<String> {
    let wrong = (3..=count).step_by(3);
    let of_game = |game: usize| {
        let line = 5 * game - 1;
        format!("{line}:1: game {game} ({game} - ?), 1... Ke6: illegal: no black king can reach e6")
    };
    wrong.map(of_game).collect()
}

fn assert_summary(summary: &Summary, count: u64) {
    let found = (summary.games, summary.bad_games, summary.errors);
    assert_eq!(found, (count, count / 3, count / 3));
}

#[test]
fn every_command_counts_games_and_problems_from_the_beginning_of_its_text() {
    let count = 200;
    let (pgn, expected) = (pgn(count), expected(count));
    for (threads, chunk_bytes) in [(1, 1 << 20), (1, 100), (3, 100), (2, 1000)] {
        let options = Options::default().jobs(jobs(threads)).chunk_bytes(chunk_bytes);
        let mut said = Problems::default();
        let summary = convert_observed(pgn.as_bytes(), std::io::sink(), &options, &mut said);
        assert_summary(&summary.unwrap(), count as u64);
        assert_eq!(said.messages(), expected, "convert, {threads} threads, {chunk_bytes}");

        let mut said = Problems::default();
        let names = [("format", "csv"), ("rows", "games"), ("columns", "game")];
        let table = named(&names).jobs(jobs(threads)).chunk_bytes(chunk_bytes);
        let mut lines = Vec::new();
        convert_observed(pgn.as_bytes(), &mut lines, &table, &mut said).unwrap();
        assert_eq!(said.messages(), expected, "rows, {threads} threads, {chunk_bytes}");
        let lines = String::from_utf8(lines).unwrap();
        assert!(lines.lines().skip(1).map(str::to_owned).eq((1..=count).map(|n| n.to_string())));

        let mut games = games(std::io::Cursor::new(pgn.clone()), &options);
        let said: Vec<String> = games
            .by_ref()
            .map(Result::unwrap)
            .flat_map(|game| game.problems)
            .map(|problem| problem.to_string())
            .collect();
        assert_eq!(said, expected, "games, {threads} threads, {chunk_bytes}");
        assert_summary(games.summary().unwrap(), count as u64);
    }
}

#[test]
fn a_second_text_has_its_own_numbers_of_games() {
    let mut said = Problems::default();
    let mut conversion = Conversion::new(std::io::sink(), &Options::default().chunk_bytes(100));
    for _ in 0..2 {
        let summary = conversion.input(pgn(9).as_bytes(), &mut said).unwrap();
        assert_summary(&summary, 9);
    }
    assert_eq!(said.messages(), [expected(9), expected(9)].concat());
    assert_summary(&conversion.finish().unwrap(), 18);
}

#[cfg(feature = "gzip")]
#[test]
fn values_of_a_damaged_stream_have_their_problems_and_the_error_hides_none() {
    let mut packed = testkit::pack::gzip(pgn(9).as_bytes());
    let checksum = packed.len() - 8;
    packed[checksum] ^= 1;
    let mut games = games(std::io::Cursor::new(packed), &Options::default());
    let problems: usize = games.by_ref().take(9).map(|game| game.unwrap().problems.len()).sum();
    assert_eq!(problems, 3);
    let Some(Err(pgn2epd::GameError::Read(error))) = games.next() else { panic!("no error") };
    assert!(error.to_string().contains("damaged"), "{error}");
}

#[cfg(feature = "serde")]
#[test]
fn totals_and_problems_are_structures() {
    let mut games = games(&b"1. e4 Ke6 *"[..], &Options::default());
    let problem = &games.next().unwrap().unwrap().problems[0];
    let problem = serde_json::to_value(problem).unwrap();
    assert_eq!((&problem["kind"], &problem["move"]), (&"illegal-move".into(), &"1...".into()));
    assert!(games.next().is_none());
    let summary = *games.summary().unwrap();
    let text = serde_json::to_string(&summary).unwrap();
    assert!(text.contains("\"bad_games\":1"), "{text}");
    assert_eq!(serde_json::from_str::<Summary>(&text).unwrap(), summary);
}

/// The records of a file of this kind.
fn records_of(kind: &str, records: &str) -> String {
    text(records.as_bytes(), &[("input", kind)])
}

#[test]
fn a_mate_after_an_impossible_number_of_plies_is_that_in_the_same_number_of_moves() {
    const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    for (written, expected) in [(32766, 32766), (32765, 32766), (-32766, -32765)] {
        let sources = [
            ("epd", format!("{MATE} | {written} | 1.0\n")),
            ("csv", format!("fen,ce\n{MATE},{written}\n")),
            ("jsonl", format!("{{\"fen\":\"{MATE}\",\"ce\":{written}}}\n")),
        ];
        for (kind, text) in sources {
            let records = records_of(kind, &text);
            assert!(records.contains(&format!(" ce {expected};")), "{kind} {written}: {records}");
            assert_eq!(records_of("epd", &records), records);
        }
    }
    // Scores count plies from 32000.
    let plain = format!("fen {MATE}\nmove d1d8\nscore 31998\nply 0\nresult 1\ne\n");
    assert!(records_of("plain", &plain).contains(" ce 32766;"));
}

#[test]
fn problems_are_counted_by_their_severity() {
    let one = "[White \"a]\n\n1. e4 e5\n\n[FEN \"x\"]\n\n1. e4 Ke6 (1. d4 } *\n\n1. e4 e5 2. Ke2 Ke7 ) 3. Kd3 { *\n";
    let text = format!("{one}}}\n\n").repeat(5);
    let mut said = Problems::default();
    let options = Options::default();
    let summary = convert_observed(text.as_bytes(), std::io::sink(), &options, &mut said).unwrap();
    let found = [Severity::Error, Severity::Warning, Severity::Note]
        .map(|severity| said.0.iter().filter(|problem| problem.severity() == severity).count());
    assert_eq!([summary.errors, summary.warnings, summary.notes], found.map(|count| count as u64));
    assert!(found[0] > 1 && found[1] > 1, "{found:?}");
}

#[test]
fn conditions_know_the_name_of_the_input() {
    let options = named(&[("where", "file = \"b.pgn\""), ("format", "fen")]);
    let mut output = Vec::new();
    let mut conversion = Conversion::new(&mut output, &options);
    for (file, game) in [("a.pgn", "1. e4 *\n"), ("b.pgn", "1. d4 *\n"), ("c.pgn", "1. c4 *\n")] {
        conversion.name_input(file);
        conversion.input(game.as_bytes(), &mut ()).unwrap();
    }
    conversion.finish().unwrap();
    let text = String::from_utf8(output).unwrap();
    let boards: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(boards, [start, "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"]);
}
