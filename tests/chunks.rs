//! Output does not depend on the number of threads and on chunk boundaries.

use std::io::{self, Write};

use pgn2epd::options::{Format, LabelForm, OnError, Ops, Plies};
use pgn2epd::{Options, Summary};
use proptest::prelude::*;
use testkit::generate::{Generator, Style};
use testkit::hostile::{PIECES, hostile};
use testkit::shared::{corpus_pgn, is_full};

use crate::support::{Bytes, convert, jobs, try_convert};

/// Threads and bytes per chunk. All pairs agree if each of them agrees with the plain run.
const RUNS: [(usize, usize); 7] =
    [(1, 64), (1, 700), (1, 10_000), (2, 64), (2, 4096), (7, 257), (7, 100_000)];

/// One thread, and all of the text in one chunk.
pub(crate) fn plain_run(options: &Options) -> Options {
    options.clone().jobs(jobs(1)).chunk_bytes(4 << 20)
}

/// Options with which records contain the number of their game and its line, which depend on the
/// text before.
fn numbered() -> Options {
    Options::from_names([("add", "id={game} {line}")]).unwrap()
}

#[track_caller]
pub(crate) fn assert_runs_agree(
    name: &str,
    pgn: &[u8],
    options: &Options,
    runs: &[(usize, usize)],
) {
    let expected = try_convert(pgn, &plain_run(options));
    for &(threads, chunk_bytes) in runs {
        let options = options.clone().jobs(jobs(threads)).chunk_bytes(chunk_bytes);
        let actual = try_convert(pgn, &options);
        // Not assert_eq, which would print megabytes.
        if actual != expected {
            let run = format!("{name}: -j {threads}, chunks of {chunk_bytes} bytes");
            let (Ok(actual), Ok(expected)) = (&actual, &expected) else {
                panic!("{run}: {actual:?} and {expected:?}");
            };
            assert_eq!(actual.summary, expected.summary, "{run}");
            assert_eq!(actual.messages(), expected.messages(), "{run}");
            assert_eq!(actual.problems, expected.problems, "{run}");
            let differs = actual.lines().iter().zip(expected.lines()).position(|(a, b)| *a != b);
            panic!("{run}: record {differs:?} differs");
        }
    }
}

#[test]
fn chunks_do_not_matter_for_hostile_inputs() {
    for (name, pgn) in hostile() {
        // A chunk of 64 bytes takes as long as one of some kilobytes, so large inputs are not cut
        // into chunks of 64 bytes.
        let runs = if pgn.len() < 200_000 { &RUNS[..] } else { &RUNS[1..3] };
        assert_runs_agree(name, &pgn, &numbered(), runs);
        if is_full() {
            assert_runs_agree(name, &pgn, &Options::default(), runs);
        }
    }
}

#[test]
fn games_are_counted_without_being_played() {
    let generated = Style::ALL.map(|style| (style.name(), Generator::text(style, 12, 50_000)));
    for (name, pgn) in hostile().into_iter().chain(generated) {
        // Games are counted after UTF-16 was decoded.
        if !pgn.starts_with(b"\xff\xfe") && !pgn.starts_with(b"\xfe\xff") {
            let converted = convert(&pgn, &Options::default());
            let games = converted.summary.games;
            // Text that only looks like a game is counted too, until it is played.
            let counted = pgn::count_games(pgn::Chunk::whole(&pgn));
            let has_text = converted.problems.iter().any(|problem| problem.game == 0);
            assert!(counted == games || has_text && counted > games, "{name}: {counted}, {games}");
        }
    }
}

#[test]
fn records_as_values_have_the_same_numbers_however_the_text_is_cut() {
    // Some cuts are wrong, since comments contain beginnings of games.
    let pgn = "[Event \"a\"]\n\n1. e4 {\n\n[Event \"b\"]\n} e5 *\n\n[Event \"c\"]\n\n1. d4 *\n\n"
        .repeat(40);
    let records = |options: &Options| -> Vec<String> {
        let input = io::Cursor::new(pgn.clone());
        pgn2epd::records(input, options).map(|record| record.unwrap().record.to_string()).collect()
    };
    let expected = records(&plain_run(&numbered()));
    assert!(expected.len() == 200 && expected[199].contains("id \"80 "), "{:?}", expected.last());
    for (threads, chunk_bytes) in RUNS {
        let options = numbered().jobs(jobs(threads)).chunk_bytes(chunk_bytes);
        assert_eq!(records(&options), expected, "-j {threads}, chunks of {chunk_bytes} bytes");
    }
}

#[test]
fn chunks_do_not_matter_for_hostile_inputs_without_bad_games() {
    let texts = hostile().into_iter().filter(|(_, pgn)| pgn.len() <= 20_000);
    for (number, (name, pgn)) in texts.enumerate() {
        // Each text with one of them, unless both are wanted.
        let (first, step) = if is_full() { (0, 1) } else { (number % 2, 2) };
        for on_error in [OnError::Skip, OnError::Stop].into_iter().skip(first).step_by(step) {
            let options = Options::default().on_error(on_error);
            assert_runs_agree(name, &pgn, &options, &[(1, 64), (2, 300), (7, 100)]);
        }
    }
}

#[test]
fn chunks_do_not_matter_for_games_of_every_style() {
    for style in Style::ALL {
        let pgn = Generator::text(style, 11, if is_full() { 120_000 } else { 40_000 });
        assert_runs_agree(style.name(), &pgn, &Options::default(), &RUNS);
        assert_runs_agree(style.name(), &pgn, &numbered(), &RUNS);
    }
}

#[test]
fn chunks_do_not_matter_for_the_corpus() {
    for file in corpus_pgn() {
        let pgn = file.read().unwrap();
        let runs = if pgn.len() < 200_000 { &RUNS[1..] } else { &[(2, 700), (7, 100_000)] };
        assert_runs_agree(&file.name, &pgn, &Options::default(), runs);
    }
}

#[test]
fn a_hundred_thousand_empty_games_are_a_hundred_thousand_records() {
    let pgn = "[Event \"x\"]\n\n*\n\n".repeat(100_000).into_bytes();
    for (threads, chunk_bytes) in [(1, 64), (2, 1000), (7, 65_536), (1, 4 << 20)] {
        let ops = Some(Ops::COUNTERS_AND_MOVE.into());
        let options = Options::default().jobs(jobs(threads)).chunk_bytes(chunk_bytes).ops(ops);
        let converted = convert(&pgn, &options);
        let summary = converted.summary;
        assert_eq!((summary.games, summary.positions), (100_000, 100_000));
        assert_eq!((summary.errors, summary.warnings), (0, 0));
        assert_eq!(summary.bytes_read, pgn.len() as u64);
        let start = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - fmvn 1; hmvc 0;\n";
        assert!(converted.output == start.repeat(100_000));
    }
}

/// A large game between small ones, followed by a game with errors.
fn large_between_small(large: &str) -> Vec<u8> {
    let small = "[Event \"small\"]\n\n1. e4 e5 *\n\n";
    let bad = "[Event \"bad\"]\n\n1. e4 e4 *\n\n";
    let tags = "[Event \"large\"]\n[White \"A\"]\n[Black \"B\"]\n\n";
    format!("{small}{small}{tags}{large}\n\n{small}{bad}{small}").into_bytes()
}

#[test]
fn an_oversized_game_is_an_error_and_its_neighbours_are_complete() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8\n";
    let game = "[Event \"quoted\"]\n\n1. d4 d5 1-0\n\n";
    let large = [
        format!("{} *", shuffle.repeat(1000)),
        format!("{} *", shuffle.repeat(1000).replace('\n', " ")),
        format!("1. e4 {{{}}} *", "long ".repeat(1000)),
        format!("1. e4 {{{}}} *", game.repeat(100)),
        format!("1. e4 {}{} *", "(1. d4 d5 ".repeat(300), ")".repeat(300)),
        format!("1. e4 * {{{}}}", game.repeat(100)),
    ];
    for large in large {
        let pgn = large_between_small(&large);
        let options = Options::default().max_game_bytes(1000);
        let plain = convert(&pgn, &plain_run(&options));
        assert_eq!((plain.summary.games, plain.summary.bad_games), (6, 2), "{large:.40}");
        assert_eq!(plain.summary.positions, 4 * 3 + 2, "{large:.40}");
        assert_eq!(
            plain.messages()[0],
            "9:1: game 3 (A - B), the game is larger than 1000 bytes, the limit for one game: omitted"
        );
        assert_eq!(plain.summary.bytes_read, pgn.len() as u64);
        let name = format!("{large:.40}");
        assert_runs_agree(&name, &pgn, &options, &RUNS);
        assert_runs_agree(&name, &pgn, &numbered().max_game_bytes(1000), &RUNS);
    }
}

#[test]
fn a_game_as_large_as_the_limit_is_read() {
    let pgn = large_between_small(&format!("1. e4 {{{}}} *", "x".repeat(5000)));
    for limit in [5050, 5060, 5070, 5080] {
        let options = Options::default().max_game_bytes(limit);
        assert_runs_agree("around the limit", &pgn, &options, &RUNS);
    }
}

/// A piece of PGN, whole or broken.
fn piece() -> impl Strategy<Value = String> {
    (prop::sample::select(PIECES), 1..3usize).prop_map(|(text, times)| text.repeat(times))
}

/// Concatenated pieces, with some bytes removed or changed.
pub(crate) fn text() -> impl Strategy<Value = Bytes> {
    let pieces = prop::collection::vec(piece(), 0..120);
    let mutations = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (pieces, mutations).prop_map(|(pieces, mutations)| {
        let mut bytes = pieces.concat().into_bytes();
        for (index, byte) in mutations {
            if bytes.is_empty() {
                break;
            }
            let at = index.index(bytes.len());
            if byte < 128 {
                bytes.remove(at);
            } else {
                bytes[at] = byte;
            }
        }
        Bytes(bytes)
    })
}

#[test]
fn chunks_do_not_matter_for_a_line_of_megabytes() {
    let games =
        "1. e4 e5 {good [Event \"x\"]} 2. Nf3 (2. f4 exf4) Nc6 1/2-1/2 [White \"A B\"] 1. d4 d5 * ";
    let pgn = games.repeat(13_000);
    let runs = [(1, 64 << 10), (2, 1 << 20)];
    assert_runs_agree("one line", pgn.as_bytes(), &Options::default(), &runs);
    let word = "e4-".repeat(400_000);
    assert_runs_agree("one word", word.as_bytes(), &Options::default(), &runs);
}

#[test]
fn chunks_do_not_matter_where_the_rest_of_a_line_decides() {
    let fen = "FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"";
    let texts = [
        // A game without tags that begins in the middle of a line.
        "*\n\n$1. e4 e5 1. d4\n".to_owned(),
        "1-0\n\n)*1. d4 12...e5 13. e4 *\n".to_owned(),
        // The number or mark of an item of a list.
        format!("*\n1. [{fen}]\n\n1. e4 Ke7 *\n"),
        format!("*\n* [{fen}]\n\n1. e4 Ke7 *\n"),
        format!("junk * [{fen}]\n\n1. e4 Ke7 *\n"),
        // A tag behind other text, or text that looks like games.
        format!("*\nsome text ({fen})\n\n1. e4 Ke7 *\n"),
        format!("*\nsome text ({fen}) x\n\n1. e4 Ke7 *\n"),
        format!("[White \"W\"]\n\nhello 1-0 1. e4 e5 1-0 [Event \"b\"] {fen}\n\n1. e4 Ke7 *\n"),
    ];
    for text in texts {
        for before in 0..80 {
            let text = format!("[A \"\"]\n\n1. e4{}{text}", " ".repeat(before));
            assert_runs_agree(&text, text.as_bytes(), &numbered(), &[(1, 64)]);
        }
    }
}

#[test]
fn a_game_that_is_too_large_does_not_end_where_its_main_line_leaves_a_variation() {
    let options = Options::default().max_game_bytes(40);
    for end in ["{so}\n\n1. Nf3 Nc6 2. Bb5\n", "*1. d4 *1. d4\n"] {
        let pgn = format!("[Event \"b\"]\n(1. d4 \n\n1. e4 e5 {end}[Event \"h\"]\n\n1. e4 *\n");
        let whole = of_games(pgn.as_bytes(), &plain_run(&options)).unwrap();
        let in_chunks = of_games(pgn.as_bytes(), &options.clone().jobs(jobs(1)).chunk_bytes(64));
        assert_eq!((whole.1, whole.2), (2, 1), "{pgn}");
        assert_eq!(in_chunks, Some(whole), "{pgn}");
    }
}

/// Returns the records, the number of games and the messages about games. Comments between games
/// that exceed the limit are read in pieces, so the number of messages about them depends on the
/// chunks.
fn of_games(pgn: &[u8], options: &Options) -> Option<(String, u64, u64, Vec<String>)> {
    let converted = try_convert(pgn, options).ok()?;
    let of_games = converted.problems.iter().filter(|problem| problem.game > 0);
    let messages = of_games.map(ToString::to_string).collect();
    let Summary { games, bad_games, .. } = converted.summary;
    Some((converted.lines().join("\n"), games, bad_games, messages))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testkit::shared::cases(4000), max_shrink_iters: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_reads_the_same_however_it_is_cut(
        pgn in text(),
        chunk_bytes in 64..4096usize,
        threads in prop::sample::select(vec![1, 2, 7]),
        is_numbered in any::<bool>(),
    ) {
        let runs = [(threads, chunk_bytes), (1, chunk_bytes % 97 + 64)];
        let options = if is_numbered { numbered() } else { Options::default() };
        assert_runs_agree("generated", &pgn.0, &options, &runs);
    }

    #[test]
    fn any_text_with_games_that_are_too_large_reads_the_same_however_it_is_cut(
        pgn in text(),
        max_game_bytes in 40..600usize,
        chunk_bytes in 64..700usize,
        threads in prop::sample::select(vec![1, 2]),
    ) {
        let options = Options::default().max_game_bytes(max_game_bytes);
        let whole = of_games(&pgn.0, &plain_run(&options));
        let in_chunks = of_games(&pgn.0, &options.jobs(jobs(threads)).chunk_bytes(chunk_bytes));
        prop_assert_eq!(in_chunks, whole);
    }
}

/// A writer that fails after a number of writes and remembers the largest.
#[derive(Default)]
struct Writes {
    sizes: Vec<usize>,
    most: Option<usize>,
}

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.most == Some(self.sizes.len()) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.sizes.push(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn records_of_a_huge_game_are_written_while_it_is_played() {
    let pgn = format!("[Event \"huge\"]\n\n{}*\n", "Nf3 Nf6 Ng1 Ng8\n".repeat(10_000));
    let options = Options::default().jobs(jobs(1)).chunk_bytes(4096);
    let mut writes = Writes::default();
    pgn2epd::convert(pgn.as_bytes(), &mut writes, &options).unwrap();
    let written: usize = writes.sizes.iter().sum();
    let largest = *writes.sizes.iter().max().unwrap();
    assert!(written > 2_000_000 && largest < 200_000, "{written}, {largest}");

    // After an error nothing is written.
    let mut writes = Writes { most: Some(3), ..Writes::default() };
    assert!(pgn2epd::convert(pgn.as_bytes(), &mut writes, &options).is_err());
    assert_eq!(writes.sizes.len(), 3);
}

#[test]
fn chunks_do_not_matter_for_huge_games_in_every_format() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8\n".repeat(400);
    let fen = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n";
    let games = [
        format!("{fen}O-O Kd7 Kg2 {{why?}} {} 1-0\n\n", "Kc6 Kg3 Kd7 Kg2\n".repeat(900)),
        "[Event \"no moves\"]\n\n1-0\n\n".to_owned(),
        format!("[Result \"0-1\"]\n\n{shuffle} e4 e4 {shuffle} 0-1\n\n"),
        format!("[Variant \"Antichess\"]\n\n{shuffle} 1-0\n\n"),
        format!("[Event \"cut\"]\n\n{shuffle}"),
    ];
    let pgn = format!("{}{}", games.concat(), games.concat());
    let label = Format::Label(LabelForm::C9);
    for format in [Format::Epd, Format::Fen, Format::Perl, Format::Crafty, label] {
        for on_error in [OnError::Keep, OnError::Skip, OnError::Stop] {
            for (min_ply, only_final) in [(0, false), (1000, false), (0, true)] {
                let options = Options::default()
                    .format(format)
                    .on_error(on_error)
                    .plies(Plies { first: min_ply, ..Plies::ALL })
                    .only_final(only_final);
                assert_runs_agree(
                    "huge games",
                    pgn.as_bytes(),
                    &options,
                    &[(1, 64), (2, 500), (1, 3000)],
                );
            }
        }
    }
}

#[test]
fn text_before_a_game_is_not_an_error_of_that_game() {
    let pgn = b"so \"First\"]\n[Black \"B\"]\n\n1. e4 *\n\n[Event \"Second\"]\n\n1. d4 d5 *\n";
    for on_error in [OnError::Keep, OnError::Skip, OnError::Stop] {
        let options = Options::default().on_error(on_error).strict(true);
        let converted = try_convert(pgn, &plain_run(&options)).unwrap();
        let summary = converted.summary;
        assert_eq!((summary.games, summary.errors), (2, 1), "{on_error:?}");
        assert_eq!((summary.bad_games, summary.positions), (0, 5), "{on_error:?}");
        assert_runs_agree("text before a game", pgn, &options, &[(1, 64), (3, 80)]);
    }
}

#[test]
fn the_end_of_an_oversized_game_does_not_depend_on_chunks() {
    let tags = "[Event \"x\"]\n[White \"A\"]\n";
    let long = "long ".repeat(30);
    // Texts with their number of games.
    let cases = [
        // Tags after a comment in the tag section belong to the same game,
        (1, format!("{tags}{{{long}\n{long}}}[Black \"B\"]\n1. e4 *\n")),
        // but not tags before a comment that follows a blank line,
        (2, format!("{tags}{{{long}\n{long}}}\n\n{tags}\n1. e4 *\n")),
        (2, format!("{tags}{{{long}\n{long}}}[Black \"B\"]\n\n[White \"A\"]\n\n1. e4 *\n")),
        // and not tags after a comment that precedes the moves.
        (1, format!("{tags}{{{long}\n{long}}} 1. e4 *\n")),
        // A blank line ends a list of moves, but not a comment.
        (2, format!("1. e4\n\n{{{long}\n{long}}} 1. d4 *\n")),
        (1, format!("1. e4\n\n{{{long}\n{long}}} 2. d4 *\n")),
    ];
    for (games, pgn) in cases {
        let options = Options::default().max_game_bytes(100);
        let plain = try_convert(pgn.as_bytes(), &plain_run(&options)).unwrap();
        assert_eq!(plain.summary.games, games, "{pgn}");
        assert_runs_agree(&pgn, pgn.as_bytes(), &options, &RUNS);
    }
}
