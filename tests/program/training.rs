//! Training data in binary formats, decoded by the crates that define them and compared with the
//! same games as text.

use bulletformat::{BulletFormat, ChessBoard};
use pgn2epd::options::{EnPassantPolicy, Format, Keyword, LabelForm, OnError};
use pgn2epd::training::{ScoreUnit, TrainingFormat};
use pgn2epd::{Options, Summary};
use sfbinpack::CompressedTrainingDataEntryReader;
use testkit::generate::{Generator, Style};
use testkit::hostile;
use testkit::shared::corpus_file;
use viriformat::dataformat::{Game, WDL};

use crate::chunks::assert_runs_agree;
use crate::support::{Converted, convert, program};

/// A position as all formats of games have it.
#[derive(Debug, PartialEq, Eq)]
struct Labelled {
    fen: String,
    uci: String,
    /// From the view of the side to move.
    score: i32,
    /// Likewise: 1, 0 or -1.
    result: i32,
}

impl Labelled {
    fn is_of_black(&self) -> bool {
        self.fen.contains(" b ")
    }
}

/// Comments in the style of cutechess, with some that are missing, odd or of a book.
fn cutechess() -> Vec<u8> {
    let mut games = Vec::new();
    let mut generator = Generator::new(Style::Plain, 11);
    (0..60).for_each(|_| generator.append_game(&mut games));
    let text = String::from_utf8(games).unwrap();
    let mut annotated = String::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with('[') || line.is_empty() {
            annotated.push_str(line);
        } else {
            for (place, word) in line.split(' ').enumerate() {
                annotated.push_str(word);
                let is_move = word.starts_with(|c: char| c.is_ascii_alphabetic());
                annotated.push_str(&match (number * 7 + place * 13) % 29 {
                    _ if !is_move => " ".to_owned(),
                    0 => " ".to_owned(),
                    1 => " {book} ".to_owned(),
                    2 => " {odd ]} ".to_owned(),
                    3 => format!(" {{+M{}/20 0.1s}} ", 2 * place + 1),
                    4 => format!(" {{-M{}/20 0.1s}} ", 2 * place + 2),
                    5 => " {+152.25/30 1.0s} ".to_owned(),
                    6 => " {-399.00/30 1.0s} ".to_owned(),
                    n => format!(" {{{:+}.{:02}/{n} 0.3{n}s}} ", n as i32 - 15, place % 100),
                });
            }
        }
        annotated.push('\n');
    }
    annotated.into_bytes()
}

pub(super) fn options(format: Format) -> Options {
    // Games of Chess960 have a test of their own.
    let options = Options::from_names([("where", "not Variant")]).unwrap();
    options.format(format).en_passant(EnPassantPolicy::Legal).on_error(OnError::Keep)
}

pub(super) fn encoded(pgn: &[u8], format: TrainingFormat) -> Converted {
    convert(pgn, &options(Format::Training(format)))
}

/// The score of a text label: mates are counted from 32767 there.
fn score_of_text(text: &str) -> i32 {
    let score: i32 = text.parse().unwrap();
    match 32767 - score.abs() {
        plies @ 0..767 if score > 0 => 32000 - plies.min(245),
        plies @ 0..767 => plies.min(246) - 32000,
        _ => score.clamp(-31753, 31753),
    }
}

/// The positions as text: those with a result, an evaluation and a move.
fn plain(pgn: &[u8]) -> Vec<Labelled> {
    let text = convert(pgn, &options(Format::Label(LabelForm::Plain)));
    let record = |lines: &[&str]| {
        let value = |line: usize, name: &str| lines[line].strip_prefix(name).unwrap().to_owned();
        let score = value(2, "score ").parse().unwrap();
        let result = value(4, "result ").parse().unwrap();
        Labelled { fen: value(0, "fen "), uci: value(1, "move "), score, result }
    };
    text.lines().chunks(6).map(record).collect()
}

fn of_binpack(bytes: &[u8]) -> Vec<Labelled> {
    let mut positions = Vec::new();
    let Ok(mut reader) = CompressedTrainingDataEntryReader::from_slice(bytes) else {
        return positions;
    };
    while reader.has_next() {
        let entry = reader.next();
        positions.push(Labelled {
            fen: entry.pos.fen().unwrap(),
            uci: entry.mv.as_uci(),
            score: entry.score.into(),
            result: entry.result.into(),
        });
    }
    positions
}

fn of_viriformat(mut bytes: &[u8]) -> Vec<Labelled> {
    let mut positions = Vec::new();
    while !bytes.is_empty() {
        let game = Game::deserialise_from(&mut bytes, Vec::new()).unwrap();
        let white = match game.outcome() {
            WDL::Win => 1,
            WDL::Draw => 0,
            WDL::Loss => -1,
        };
        let mut moves = game.moves();
        game.visit_positions(|board, score| {
            let fen = board.to_string();
            let sign = if fen.contains(" b ") { -1 } else { 1 };
            let uci = moves.next().unwrap().display(false).to_string();
            positions.push(Labelled { fen, uci, score: sign * score, result: sign * white });
        });
    }
    positions
}

/// The file with engines' or servers' comments, as it is and in parts.
pub(super) fn games() -> Vec<(&'static str, Vec<u8>)> {
    let mut games = vec![("cutechess", cutechess())];
    for style in [Style::Lichess, Style::Engine, Style::Cutechess] {
        let (mut text, mut generator) = (Vec::new(), Generator::new(style, 5));
        (0..40).for_each(|_| generator.append_game(&mut text));
        games.push((style.name(), text));
    }
    for name in ["tcec", "lichess_2025-05_first219", "chesscom_cancer0707_first800"] {
        games.extend(corpus_file(name).map(|file| (name, file.read().unwrap())));
    }
    games
}

#[track_caller]
fn assert_same(name: &str, found: &[Labelled], expected: &[Labelled]) {
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(found.len(), expected.len(), "{name}");
}

#[test]
fn entries_are_the_positions_of_the_text_in_order() {
    for (name, pgn) in games() {
        let expected = plain(&pgn);
        let binpack = encoded(&pgn, TrainingFormat::Binpack);
        assert_same(name, &of_binpack(&binpack.output), &expected);
        assert_eq!(binpack.summary.positions, expected.len() as u64, "{name}");
        let viriformat = encoded(&pgn, TrainingFormat::Viriformat);
        // Its boards have the en passant square after each advance beside an enemy pawn.
        let without_square = |positions: Vec<Labelled>| -> Vec<Labelled> {
            let fen = |position: &Labelled| {
                let fields: Vec<&str> = position.fen.split(' ').collect();
                [&fields[..3], &fields[4..]].concat().join(" ")
            };
            positions
                .into_iter()
                .map(|position| Labelled { fen: fen(&position), ..position })
                .collect()
        };
        // The crate reads positions before the fifty-move rule applies.
        let clock =
            |position: &Labelled| position.fen.split(' ').nth(4).unwrap().parse::<u32>().unwrap();
        let expected: Vec<Labelled> =
            expected.into_iter().filter(|position| clock(position) < 100).collect();
        let found = without_square(of_viriformat(&viriformat.output));
        assert_same(name, &found, &without_square(expected));
        let summary = viriformat.summary;
        assert_eq!(summary.positions, found.len() as u64, "{name}");
        assert_eq!(summary.bytes_written, viriformat.output.len() as u64, "{name}");
    }
}

#[test]
fn records_of_bulletformat_are_those_of_its_text() {
    for (name, pgn) in games() {
        let text = convert(&pgn, &options(Format::Label(LabelForm::Bullet)));
        let encoded = encoded(&pgn, TrainingFormat::Bulletformat);
        let records: Vec<&[u8]> = encoded.output.chunks(32).collect();
        assert_eq!(records.len(), text.lines().len(), "{name}");
        for (line, record) in text.lines().into_iter().zip(records) {
            let parts: Vec<&str> = line.split(" | ").collect();
            let score = score_of_text(parts[1]);
            let line = format!("{} | {score} | {}", parts[0], parts[2]);
            let board: ChessBoard = line.parse().unwrap();
            assert_eq!(ChessBoard::as_bytes_slice(&[board]), record, "{name}: {line}");
        }
    }
}

/// After 1. e4 White is better by 1.00 as Black sees it and says; White wins.
const GAME: &str = "[Result \"1-0\"]\n\n1. e4 {+0.40/9 1s} e5 {-1.00/9 1s} 2. Nf3 {+M5/9 1s} 1-0\n";

#[test]
fn each_format_has_the_point_of_view_that_its_help_states() {
    let encoded = |format| encoded(GAME.as_bytes(), format).output;
    let binpack = of_binpack(&encoded(TrainingFormat::Binpack));
    let all: Vec<i32> = binpack.iter().map(|position| position.score).collect();
    assert_eq!(all, [40, -100, 31995]);
    let bytes = encoded(TrainingFormat::Viriformat);
    let game = Game::deserialise_from(&mut &bytes[..], Vec::new()).unwrap();
    let white: Vec<i16> = game.moves.iter().map(|(_, score)| score.get()).collect();
    assert_eq!(white, [40, 100, 31995]);
    // The scores and results of records, which are at this byte and the next but one.
    let labels = |format, at: usize| -> Vec<(i16, u8)> {
        let label = |it: &[u8]| (i16::from_le_bytes([it[at], it[at + 1]]), it[at + 2]);
        encoded(format).chunks(32).map(label).collect()
    };
    assert_eq!(labels(TrainingFormat::Bulletformat, 24), [(40, 2), (-100, 0), (31995, 2)]);
    assert_eq!(labels(TrainingFormat::Marlinformat, 28), [(40, 2), (100, 2), (31995, 2)]);
    let help = program().args(["help", "formats"]).run();
    for line in [
        "viriformat    Games of moves with scores, binary (.vf): scores and results are White's",
        "binpack       Stockfish's compressed games, binary (.binpack): scores and results are those of the side to move",
        "bulletformat  Positions of 32 bytes without moves, binary (.bullet): scores and results are those of the side to move",
        "marlinformat  Positions of 32 bytes without moves, binary: scores and results are White's",
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(help.text()).contains(&words(line)), "{line}");
    }
}

#[test]
fn scores_in_the_unit_of_stockfish_depend_on_the_material() {
    let pgn = "1. e4 {-2.19/20 1s} e5 {+2.19/20 1s} 1-0";
    let format = Format::Training(TrainingFormat::Binpack);
    let encoded = convert(pgn.as_bytes(), &options(format).score(ScoreUnit::Stockfish));
    let scores: Vec<i32> =
        of_binpack(&encoded.output).iter().map(|position| position.score).collect();
    assert_eq!(scores, [-829, 829]);
}

#[test]
fn neither_threads_nor_chunks_change_a_byte() {
    let pgn = [cutechess(), games()[2].1.clone()].concat();
    for format in TrainingFormat::ALL {
        let options = options(Format::Training(*format));
        assert!(encoded(&pgn, *format).output.len() > 1000);
        let runs = [(1, 100), (2, 3_000), (4, 70_000), (3, 1 << 20)];
        assert_runs_agree(&format.to_string(), &pgn, &options, &runs);
    }
}

/// The counts of a conversion to binpack, and its positions.
fn counted(pgn: &str, args: &[(&str, &str)]) -> (Summary, Vec<Labelled>) {
    let named = [("format", "binpack")].iter().chain(args).copied();
    let converted = convert(pgn.as_bytes(), &Options::from_names(named).unwrap());
    (converted.summary, of_binpack(&converted.output))
}

#[test]
fn a_game_that_cannot_be_used_costs_no_other_game() {
    let good = "[Result \"0-1\"]\n\n1. d4 {+0.10/1 1s} d5 {+0.20/1 1s} 0-1\n\n";
    let cases = [
        // Text after the result, positions, unlabelled positions, errors.
        ("\n1. e4 {+0.40/9 1s} (1. d4 {+0.90/9 1s} d5) e5 {+0.10/9 1s} 1-0", 2, 1, 0),
        ("\n1. e4 {+0.40/9 1s} e5 2. Nf3 {+0.30/9 1s} 1-0", 2, 2, 0),
        ("\n1. e4 {+0.40/9 1s} e5 {odd {comment} 2. Nf3 {+0.30/9 1s} 1-0", 2, 2, 0),
        ("[Result \"*\"]\n\n1. e4 {+0.40/9 1s} e5 {+0.10/9 1s} *", 0, 3, 0),
        ("\n1. e4 {+0.40/9 1s} Ke5 {+0.10/9 1s} 1-0", 1, 1, 1),
        ("[Variant \"Atomic\"]\n\n1. e4 {+0.40/9 1s} e5 {+0.10/9 1s} 1-0", 0, 0, 1),
        ("\n1. e4 {+0.40/9 1s} -- 2. d4 {+0.10/9 1s} 1-0", 1, 1, 1),
    ];
    for (pgn, positions, unlabelled, errors) in cases {
        let result = if pgn.starts_with("[Result") { "" } else { "[Result \"1-0\"]\n" };
        let pgn = format!("{result}{pgn}\n\n");
        let (summary, entries) = counted(&[&pgn, good, &pgn].concat(), &[]);
        assert_eq!(summary.positions, 2 * positions + 2, "{pgn}");
        assert_eq!(entries.len() as u64, summary.positions, "{pgn}");
        assert_eq!(summary.unlabelled, 2 * unlabelled + 1, "{pgn}");
        assert_eq!(summary.errors, 2 * errors, "{pgn}");
    }
    // A null move has no entry, and the position after it begins another chain.
    let null = "[Result \"1-0\"]\n\n1. e4 {+0.40/9 1s} -- 2. d4 {+0.10/9 1s} 1-0\n\n";
    let (summary, entries) = counted(null, &[("null-moves", "true")]);
    assert_eq!((summary.positions, summary.unlabelled), (2, 2));
    assert_eq!((&*entries[1].uci, entries[1].score), ("d2d4", 10));
    // A game that the end of the file cuts off.
    let (summary, entries) = counted("1. e4 {+0.40/9 1s} e5 {+0.1", &[]);
    assert_eq!((summary.positions, entries.len()), (0, 0));
}

#[test]
fn castling_of_chess960_is_left_out_where_the_format_has_none() {
    let pgn = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1\"]\n[Result \"1-0\"]\n\n\
        1. e4 {+0.10/9 1s} e5 {+0.20/9 1s} 2. Rf1 1-0\n";
    let pgn = pgn.replace("2. Rf1 ", "2. Nb3 {+0.30/9 1s} Nb6 {+0.1/9 1s} ");
    let encoded =
        |format| convert(pgn.as_bytes(), &Options::default().format(Format::Training(format)));
    let viriformat = encoded(TrainingFormat::Viriformat);
    assert_eq!((viriformat.summary.positions, viriformat.summary.unlabelled), (4, 1));
    assert_eq!(of_viriformat(&viriformat.output).len(), 4);
    let binpack = encoded(TrainingFormat::Binpack);
    assert_eq!((binpack.summary.positions, binpack.summary.unlabelled), (0, 5));
    assert!(binpack.output.is_empty());
}

#[test]
fn plain_text_has_the_mates_of_stockfish_as_a_binpack_does() {
    let game = "[Result \"1-0\"]\n\n1. e4 {+M7/9 1s} e5 {-M6/9 1s} 2. Nf3 {+400.00/9 1s} Nc6 {-0.10/9 1s} 3. Bb5 {+M249/9 1s} a6 \
        {-M248/9 1s} 1-0\n";
    let plain =
        convert(game.as_bytes(), &Options::default().format(Format::Label(LabelForm::Plain)));
    let scores = |text: &[u8]| -> Vec<i32> {
        let text = String::from_utf8_lossy(text).into_owned();
        text.lines().filter_map(|line| line.strip_prefix("score ")?.parse().ok()).collect()
    };
    let expected = [31_993, -31_994, 31_753, -10, 31_755, -31_754];
    assert_eq!(scores(&plain.output), expected);
    let binpack = encoded(game.as_bytes(), TrainingFormat::Binpack).output;
    let found: Vec<i32> = of_binpack(&binpack).into_iter().map(|entry| entry.score).collect();
    assert_eq!(found, expected);
    let decoded =
        program().file("x.binpack", binpack).args(["--format", "plain", "x.binpack"]).run();
    assert_eq!(scores(&decoded.stdout), expected);
}

#[test]
fn hostile_input_gives_entries_that_decode() {
    for (name, pgn) in hostile::hostile() {
        let options = options(Format::Training(TrainingFormat::Binpack));
        let Ok(converted) = crate::support::try_convert(&pgn, &options) else { continue };
        let entries = of_binpack(&converted.output);
        assert_eq!(entries.len() as u64, converted.summary.positions, "{name}");
        assert!(entries.iter().all(|entry| entry.is_of_black() || entry.fen.contains(" w ")));
    }
}
