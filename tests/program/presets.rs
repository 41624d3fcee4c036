//! Presets, and the programs that read their output.

use testkit::program::Outcome;

use crate::support::{fixture, program};

#[test]
fn every_record_of_a_suite_has_a_best_move() {
    let pgn = [
        "1. e4 Ke6 *\n\n1. e4 e5 2. -- *\n\n1. e4 (1. d4) e5 *\n\n".as_bytes(),
        "[Variant \"Three-check\"]\n\n1. e4 e5 *\n\n1. e4 *\n\n".as_bytes(),
        &fixture("classics.pgn"),
        &fixture("bad.pgn"),
    ]
    .concat();
    for on_error in ["keep", "skip", "stop"] {
        for more in [&["--on-error", on_error][..], &["--on-error", on_error, "--variations"]] {
            let outcome = program().args(["-q", "--preset", "suite"]).args(more).stdin(&*pgn).run();
            assert!(on_error == "stop" || outcome.lines().len() > 50, "{more:?}");
            for line in outcome.lines() {
                assert!(line.contains(" bm "), "{more:?}: {line}");
            }
        }
    }
}

/// The counters of a line as read by a program, or the reason for refusing it.
type Reader = fn(&str) -> Result<(u32, u32), String>;

/// Four words, then operations, each ended by a semicolon. A quote in place of an opcode is an
/// error.
fn cutechess(line: &str) -> Result<(u32, u32), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (fields, operations) = words.split_at_checked(4).ok_or("a field is missing")?;
    placement(fields[0])?;
    let (mut halfmoves, mut fullmoves) = (0, 1);
    let operations = operations.join(" ");
    let (ended, rest) = operations.rsplit_once(';').unwrap_or(("", &operations));
    if !rest.is_empty() {
        return Err(format!("{rest:?} is lost without its semicolon"));
    }
    for operation in ended.split(';') {
        match operation.trim().split_once(' ') {
            Some(("hmvc", value)) => halfmoves = number(value)?,
            Some(("fmvn", value)) => fullmoves = number(value)?,
            _ => return Err(format!("{operation:?} is not a counter")),
        }
    }
    Ok((halfmoves, fullmoves))
}

/// Fields separated by single spaces, rights of KQkq only, then the words after `hmvc` and `fmvn`.
/// A move number below 1 is fatal, and a line without a semicolon is read as a FEN.
fn fastchess(line: &str) -> Result<(u32, u32), String> {
    if !line.contains(';') {
        return Err("read as FEN".to_owned());
    }
    let words: Vec<&str> = line.split(' ').collect();
    let [board, turn, castling, ep, operations @ ..] = &words[..] else {
        return Err("a field is missing".to_owned());
    };
    placement(board)?;
    if !matches!(*turn, "w" | "b") || ep.len() > 2 {
        return Err("the fields are shifted".to_owned());
    }
    if *castling != "-" && !castling.chars().all(|right| "KQkq".contains(right)) {
        return Err(format!("the rights {castling} are lost"));
    }
    let value = |name: &str| {
        let at = operations.iter().position(|word| *word == name).ok_or(format!("no {name}"))?;
        number(operations.get(at + 1).ok_or("no value")?.trim_end_matches(';'))
    };
    match (value("hmvc")?, value("fmvn")?) {
        (_, 0) => Err("move 0".to_owned()),
        counters => Ok(counters),
    }
}

/// Four fields, an en passant square only if a capture is legal, then operations with numbers.
/// Other text in place of a number is an error, as are the two fields of a FEN.
fn python_chess(line: &str) -> Result<(u32, u32), String> {
    let mut fields = line.split_whitespace();
    let board = [(); 4].map(|()| fields.next().unwrap_or_default()).join(" ");
    let position =
        pgn2epd::Position::from_fen(format!("{board} 0 1")).map_err(|e| e.to_string())?;
    let legal = position.en_passant(pgn2epd::options::EnPassantPolicy::Legal);
    if !board.ends_with(" -") && legal.is_none() {
        return Err("superfluous en passant square".to_owned());
    }
    let rest = fields.collect::<Vec<_>>().join(" ");
    let (mut halfmoves, mut fullmoves) = (0, 1);
    for operation in rest.trim_end_matches(';').split(';') {
        let (opcode, value) = operation.trim().split_once(' ').ok_or("an opcode alone")?;
        if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(format!("{opcode} is not an opcode"));
        }
        match opcode {
            "hmvc" => halfmoves = number(value)?,
            _ => fullmoves = number(value)?,
        }
    }
    Ok((halfmoves, fullmoves))
}

fn placement(text: &str) -> Result<(), String> {
    let squares = |rank: &str| rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum::<u32>();
    let is_board = text.split('/').count() == 8 && text.split('/').all(|rank| squares(rank) == 8);
    is_board.then_some(()).ok_or(format!("{text} is not a board"))
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number"))
}

const READERS: [(&str, Reader); 3] =
    [("cutechess", cutechess), ("fastchess", fastchess), ("python-chess", python_chess)];

/// All three programs read every line with the same result.
#[track_caller]
fn assert_read_alike(lines: &[&str], name: &str) {
    for line in lines {
        let read = READERS.map(|(_, read)| read(line));
        let counters = read[0].clone();
        for ((reader, _), read) in READERS.iter().zip(&read) {
            assert!(read.is_ok(), "{name}: {reader}: {read:?}: {line}");
            assert_eq!(*read, counters, "{name}: {reader}: {line}");
        }
    }
}

#[test]
fn the_readers_refuse_lines_that_their_programs_misread() {
    let fields = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let wrong: [(Reader, &[String]); 3] = [
        (cutechess, &[format!("{fields} hmvc 0; fmvn 8"), format!("{fields} 0 8")]),
        (
            fastchess,
            &[
                format!("{fields} 0 8"),
                format!("{fields} hmvc 0; fmvn 0;"),
                format!("{fields} hmvc 0;").replace(" w ", "  w "),
                format!("{fields} hmvc 0; fmvn 1;").replace("KQkq", "HAha"),
            ],
        ),
        (
            python_chess,
            &[
                format!("{fields} 0 8"),
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 hmvc 0; fmvn 1;"
                    .to_owned(),
            ],
        ),
    ];
    for (read, lines) in wrong {
        for line in lines {
            assert!(read(line).is_err(), "{line}");
        }
    }
    assert_eq!(fastchess(&format!("{fields} fmvn 8; hmvc 3;")), Ok((3, 8)));
}

fn convert(pgn: Vec<u8>) -> Outcome {
    program().args(["--preset", "match", "-q"]).stdin(pgn).run()
}

#[test]
fn three_programs_read_a_book_of_the_preset_alike() {
    for name in ["annotated.pgn", "bad.pgn", "chess960.pgn", "classics.pgn", "immortal.pgn"] {
        let outcome = convert(fixture(name));
        assert!(!outcome.stdout.is_empty() && !outcome.stdout.contains(&b'\r'), "{name}");
        assert_read_alike(&outcome.lines(), name);
    }
    // According to its tag this game begins at move 0.
    let zero = b"[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 0\"]\n\n1. O-O *\n".to_vec();
    assert_read_alike(&convert(zero).lines(), "move 0");
}

#[test]
fn three_programs_read_a_book_of_the_corpus_alike() {
    // Each third file, since this takes long.
    let step = if testkit::shared::is_full() { 1 } else { 3 };
    for file in testkit::shared::corpus_pgn().step_by(step) {
        assert_read_alike(&convert(file.read_first().unwrap()).lines(), &file.name);
    }
}
