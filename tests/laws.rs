//! Laws: no panics, no missing positions, and equal records by all code paths.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use pgn2epd::openings::Openings;
use pgn2epd::options::{EnPassantPolicy, NameSource, Ops, Plies, RegisterStyle, Template};
use pgn2epd::{GameError, Options, Problem, Summary};
use proptest::prelude::*;
use shakmaty::EnPassantMode;
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::naive;
use testkit::shared::{corpus_pgn, is_full};

use crate::oracle::records_of_games;
use crate::support::{Bytes, convert, decoded, fields, fixture, games, jobs, try_convert};

fn alone() -> Options {
    Options::default().jobs(jobs(1)).ops(Some(Ops::COUNTERS_AND_MOVE.into()))
}

/// Arbitrary bytes, with a preference for those with a meaning in PGN.
pub(crate) fn bytes() -> impl Strategy<Value = Bytes> {
    let marks = prop::sample::select(b" \n\r\t{}()[];%$\"\\!?+-#=*./0123e4NfKO".to_vec());
    let byte = prop_oneof![4 => marks, 1 => any::<u8>()];
    prop::collection::vec(byte, 0..600).prop_map(Bytes)
}

/// The text of hostile inputs up to a length.
pub(crate) fn hostile_texts(longest: usize) -> impl Iterator<Item = Vec<u8>> {
    let small = hostile().into_iter().filter(move |(_, pgn)| pgn.len() <= longest);
    small.filter_map(|(_, pgn)| decoded(&pgn))
}

/// The number of lines before a byte, counted byte by byte.
fn lines_before(pgn: &[u8]) -> u64 {
    let ends = pgn
        .iter()
        .enumerate()
        .filter(|&(at, byte)| *byte == b'\n' || *byte == b'\r' && pgn.get(at + 1) != Some(&b'\n'));
    ends.count() as u64
}

#[track_caller]
fn assert_within(pgn: &[u8], problem: &Problem) {
    let place = problem.place;
    let at = usize::try_from(place.byte).unwrap();
    assert!(at <= pgn.len(), "{problem}: byte {at} of {}", pgn.len());
    assert_eq!(place.line, 1 + lines_before(&pgn[..at]), "{problem}: the line of byte {at}");
    assert!(place.column >= 1 && place.column <= place.byte + 1, "{problem}: the column");
    let whole_token = problem.token.trim_end_matches('…').as_bytes();
    if pgn.is_ascii() {
        assert!(pgn[at..].starts_with(whole_token), "{problem}: the token at byte {at}");
    }
}

#[test]
fn problems_of_hostile_inputs_have_correct_places() {
    for pgn in hostile_texts(100_000) {
        for problem in try_convert(&pgn, &alone()).map_or(Vec::new(), |c| c.problems) {
            assert_within(&pgn, &problem);
        }
    }
}

#[test]
fn a_game_of_n_plies_has_n_plus_one_records() {
    for style in Style::ALL {
        let pgn = Generator::text(style, 5, 40_000);
        let naive = naive::games(std::str::from_utf8(&pgn).unwrap());
        for (game, naive) in games(&pgn).iter().zip(&naive) {
            assert_eq!(game.problems, [], "{style:?}");
            assert_eq!(game.positions.len(), naive.moves.len() + 1, "{style:?}");
            assert!(game.positions.iter().zip(0..).all(|(record, ply)| record.ply == ply));
            assert!(game.positions.iter().all(|record| record.game == game.number));
            let moves = game.positions.iter().filter(|record| record.next.is_some());
            assert_eq!(moves.count(), naive.moves.len());
            for (name, value) in &naive.tags {
                assert_eq!(game.tag(name), Some(&**value), "{style:?}: {name}");
            }
        }
        let summary = convert(&pgn, &alone()).summary;
        assert_eq!(summary.games, naive.len() as u64, "{style:?}");
    }
}

#[test]
fn records_equal_those_of_the_naive_path() {
    let policies = [
        (EnPassantPolicy::Always, EnPassantMode::Always),
        (EnPassantPolicy::Pseudo, EnPassantMode::PseudoLegal),
        (EnPassantPolicy::Legal, EnPassantMode::Legal),
    ];
    let generated = Style::ALL.map(|style| (style.name(), Generator::text(style, 23, 60_000)));
    let fixtures = ["immortal.pgn", "classics.pgn", "annotated.pgn"];
    for (name, pgn) in generated.into_iter().chain(fixtures.map(|name| (name, fixture(name)))) {
        for (en_passant, mode) in policies {
            let options = alone().en_passant(en_passant);
            let converted = convert(&pgn, &options);
            assert_eq!(converted.messages(), [""; 0], "{name}");
            let slow = naive::records(std::str::from_utf8(&pgn).unwrap(), mode);
            for (fast, slow) in converted.lines().iter().zip(&slow) {
                assert_eq!(fast, slow, "{name}, {en_passant:?}");
            }
            assert_eq!(converted.lines().len(), slow.len(), "{name}, {en_passant:?}");
        }
    }
}

/// A table that has not built its tree of moves, so that every position is looked up: the tree is
/// built after 2,000 games.
fn without_tree(table: &Openings) -> NameSource {
    NameSource::Table(Arc::new(table.clone()))
}

#[test]
fn records_that_only_name_an_opening_equal_those_of_the_general_path() {
    // A template without a value sends every record through the general path.
    let nothing: Template = "Zz={NoSuchTag}".parse().unwrap();
    Openings::embedded().prepare();
    let texts =
        Style::ALL.iter().map(|style| (style.name().into(), Generator::text(*style, 3, 20_000)));
    let files = corpus_pgn().map(|file| (file.name.clone(), file.read_first().unwrap()));
    for (name, pgn) in texts.chain(files) {
        let ops = |list: &str| Options::default().ops(Some(list.parse().unwrap()));
        let legal = ops("eco,v,hmvc").en_passant(EnPassantPolicy::Legal);
        let styles = [Options::default(), legal, ops("eco,v,sm")];
        let with_variations = Options::default().variations(true);
        let all = styles.into_iter().chain([with_variations]);
        let skipped = if is_full() { 0 } else { 2 };
        for direct in all.skip(skipped) {
            let direct = direct.jobs(jobs(1));
            let templates = vec![nothing.clone()];
            let names = without_tree(Openings::embedded());
            let general = direct.clone().templates(templates).names(names);
            let (direct, general) = (convert(&pgn, &direct), convert(&pgn, &general));
            // Not assert_eq, which would print megabytes.
            if direct.output != general.output {
                let lines = general.lines();
                let first = direct.lines().iter().zip(&lines).position(|(a, b)| a != b);
                let first = first.unwrap_or_else(|| lines.len().min(direct.lines().len()));
                panic!("{name}: {:?} and {:?}", direct.lines().get(first), lines.get(first));
            }
        }
    }
}

#[test]
fn tables_name_the_same_by_moves_and_by_positions() {
    let codes_without_names = "eco\tnic\tname\tpgn\nX1234\t\t\t1. e4\nC20\tKP 1\t\t1. e4 e5\n";
    let fewer_and_more_parts = "A00\ta: b, c, d\t1. e4\nA00\ta: b\t1. e4 e5\nA01\t\t1. e4 e5 2. Nf3\n\
        A01\tx: a name that is long, so long that there is no room for it in a line, or hardly any at all\t1. e4 e5 2. Nf3 Nc6\n";
    let scid = "A00b \"One: a\"  1.e4 *\nB00 \"One\" 1.e4 e5\n 2.Nf3 Nc6 *\nC00 \"Two\" 1.d4 *\n";
    let pgn = "[ECO \"A10\"]\n[Opening \"Pawn\"]\n\n1. e4 *\n\n[ECO \"A11\"]\n[Opening \"Pawns\"]\n\n1. e4 e5 2. Nf3 *\n";
    let epd =
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - eco \"B00\"; v0 \"From EPD\";\n";
    let perl =
        "\"CODE\",\"FEN\"\n\"B00\",\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3\"\n";
    let layers: [&[&str]; 7] = [
        &[codes_without_names],
        &[fewer_and_more_parts],
        &[scid],
        &[pgn],
        &[pgn, fewer_and_more_parts, epd],
        &[epd, codes_without_names],
        &[scid, perl],
    ];
    let games = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n1. e4 e5 {why} 2. Nf3 {why not} Nc6 3. d4 *\n\n1. Nf3 e5 2. e4 Nc6 *\n\n\
        1. d4 d5 *\n\n1. e4 c5 (1... e5 2. Nf3 Nc6) 2. Nf3 *\n\n1. e4 e5 2. Nf3 Ke4 *\n\n1. Nf3 Nc6 2. Ng1 Nb8 3. e4 e5 *\n\n\
        [FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n\n1... e5 2. Nf3 Nc6 *\n";
    let openings = String::from_utf8(Generator::text(Style::Plain, 17, 20_000)).unwrap();
    let games = format!("{games}\n{openings}");
    for files in layers {
        for over_embedded in [false, true] {
            let mut table = Openings::default();
            if over_embedded {
                table.layer_embedded();
            }
            for file in files {
                table.layer(file.as_bytes()).unwrap();
            }
            table.prepare();
            let table = Arc::new(table);
            let along = NameSource::Table(table.clone());

            for ops in [None, Some("eco,nic,v,fmvn,sm"), Some("nic,v"), Some("eco,sm,c")] {
                for (plies, registers, filter) in [
                    ((0, u32::MAX), RegisterStyle::Delta, None),
                    ((2, u32::MAX), RegisterStyle::Delta, None),
                    ((3, 3), RegisterStyle::Delta, None),
                    ((0, u32::MAX), RegisterStyle::Full, None),
                    // Some positions are played but not written.
                    ((0, u32::MAX), RegisterStyle::Delta, Some("ply != 2 and ply != 5")),
                ] {
                    let mut options = Options::default().jobs(jobs(1)).registers(Some(registers));
                    options.ops = ops.map(|ops| ops.parse().unwrap());
                    options.plies = Plies { first: plies.0, last: plies.1 };
                    options.filter = filter.map(|filter| filter.parse().unwrap());
                    let along = options.clone().names(along.clone());
                    let asked = options.names(without_tree(&table));
                    let (along, asked) =
                        (convert(games.as_bytes(), &along), convert(games.as_bytes(), &asked));
                    assert_eq!(along.lines(), asked.lines(), "{files:?}, {ops:?}, {plies:?}");
                }
            }
        }
    }
}

/// The iterator and the stream of the same text.
#[track_caller]
fn assert_iterator_agrees(pgn: &[u8], options: &Options) {
    let Ok(converted) = try_convert(pgn, options) else { return };
    let (mut records, mut errors) = (Vec::new(), Vec::new());
    let mut iterator = pgn2epd::records(Cursor::new(pgn.to_vec()), options);
    for item in iterator.by_ref() {
        match item {
            Ok(position) => {
                let text = position.to_string();
                assert_eq!(text.parse().as_ref(), Ok(&position.record));
                records.push(text);
            }
            Err(GameError::Problem(problem)) => errors.push(*problem),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(records, converted.lines());
    let mut problems = converted.problems;
    problems.retain(Problem::is_error);
    assert_eq!(errors, problems);
    let mut expected: Summary = converted.summary;
    // Records are not text here.
    (expected.bytes_written, expected.long_records) = (0, 0);
    assert_eq!(iterator.summary(), Some(&expected));
}

/// Options with the given names, for small chunks and one worker.
fn named(names: &[(&str, &str)]) -> Options {
    let options = Options::from_names(names.iter().copied()).unwrap();
    options.chunk_bytes(2000).jobs(jobs(1))
}

#[test]
fn the_iterator_returns_the_records_of_the_stream() {
    for style in Style::ALL {
        assert_iterator_agrees(&Generator::text(style, 3, 20_000), &alone());
    }
    for name in ["annotated.pgn", "chess960.pgn", "bad.pgn"] {
        assert_iterator_agrees(&fixture(name), &alone());
    }
    // The positions of the iterator follow the rules of chess.
    for pgn in hostile_texts(20_000).filter(|pgn| !pgn.windows(8).any(|w| w == b"[Variant")) {
        assert_iterator_agrees(&pgn, &alone());
    }
}

#[test]
fn the_iterator_takes_all_options() {
    let every_operation = "Rav,acd,acn,acs,c,ce,dm,draw_claim,eco,fmvn,hmvc,nic,pv,rc,resign,sm,v";
    let cases: [&[(&str, &str)]; 9] = [
        &[],
        &[("registers", "full"), ("names", "tags")],
        &[("ops", every_operation), ("variations", "true"), ("comments", "split")],
        &[("ops", every_operation), ("comments", "raw"), ("ascii", "true")],
        &[("add", "id={White}-{Black}.{ply}"), ("add", "ce={eval|7}"), ("add", "Xyz={game}")],
        &[
            ("add", "bm={san}"),
            ("add", "tcri=a@b.c|{White}"),
            ("add", "noop={ply} x"),
            ("ops", "none"),
        ],
        &[("where", "ply > 4 and turn = \"b\""), ("ply", "2..30")],
        &[("omit", "check,captures"), ("last", "true")],
        &[("on-error", "skip"), ("strict", "true")],
    ];
    for names in cases {
        for style in Style::ALL {
            assert_iterator_agrees(&Generator::text(style, 11, 12_000), &named(names));
        }
        for name in ["annotated.pgn", "classics.pgn", "bad.pgn"] {
            assert_iterator_agrees(&fixture(name), &named(names));
        }
    }
    assert_iterator_agrees(&fixture("bad.pgn"), &named(&[("on-error", "stop")]));
}

#[test]
fn an_iterator_that_is_dropped_stops_reading() {
    let pgn = Cursor::new("1. e4 *\n\n".repeat(1 << 12)).chain(io::repeat(b'\n'));
    let options = Options::default().chunk_bytes(4096).jobs(jobs(2));
    let first = pgn2epd::records(pgn, &options).next().unwrap().unwrap();
    assert_eq!((first.game, first.ply), (1, 0));
}

#[test]
fn an_error_of_reading_is_the_last_item() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let pgn = || (&b"1. e4 *\n\n1. d4 *\n\n[White \"A\"]\n\n1. c4"[..]).chain(Fails);
    let mut games = pgn2epd::games(pgn(), &Options::default());
    let plies: Vec<usize> =
        games.by_ref().map_while(|game| Some(game.ok()?.moves().count())).collect();
    assert_eq!(plies, [1, 1]);
    assert!(games.next().is_none() && games.summary().is_none());
    let last = pgn2epd::records(pgn(), &Options::default()).last();
    assert!(matches!(last, Some(Err(GameError::Read(error))) if error.to_string() == "unplugged"));
}

#[test]
fn epdlist_returns_the_fields_of_the_records_after_the_start() {
    for style in [Style::Plain, Style::Chess960] {
        let pgn = Generator::text(style, 8, 30_000);
        let naive = naive::games(std::str::from_utf8(&pgn).unwrap());
        for (game, naive) in games(&pgn).into_iter().zip(naive) {
            let list = match game.tag("FEN") {
                Some(fen) => pgn2epd::epdlist_from(fen, &naive.moves),
                None => pgn2epd::epdlist(&naive.moves),
            };
            let played = game.positions[1..].iter();
            let records: Vec<String> = played.map(|record| fields(&record.to_string())).collect();
            assert_eq!(list.as_ref(), Ok(&records), "{style:?}, game {}", game.number);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(2000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_panic_and_problems_lie_where_they_say(pgn in bytes()) {
        if let Ok(converted) = try_convert(&pgn.0, &alone()) {
            for problem in &converted.problems {
                assert_within(&pgn.0, problem);
            }
            assert_eq!(converted.summary.bytes_read, pgn.0.len() as u64);
            assert_eq!(converted.summary.bytes_written, converted.output.len() as u64);
            assert_eq!(converted.summary.positions, converted.lines().len() as u64);
        }
        assert_iterator_agrees(&pgn.0, &alone());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(200), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_window_of_plies_is_that_part_of_all_records(
        seed in 0..40u64,
        first in 0..60u32,
        length in 0..60u32,
        open in any::<bool>(),
        only_final in any::<bool>(),
    ) {
        let pgn = Generator::text(Style::Plain, seed, 3000);
        let last = if open { u32::MAX } else { first + length };
        let options = alone().plies(Plies { first, last }).only_final(only_final);
        let all = records_of_games(&pgn, &alone(), &mut ());
        let window = records_of_games(&pgn, &options, &mut ());
        assert_eq!(all.len(), window.len());
        for (all, window) in all.iter().zip(window) {
            let end = all.len() as u32 - 1;
            let wanted: Vec<String> = (0..=end)
                .filter(|ply| (first..=last).contains(ply) && (!only_final || *ply == end))
                .map(|ply| all[ply as usize].clone())
                .collect();
            assert_eq!(window, wanted);
        }
    }
}
