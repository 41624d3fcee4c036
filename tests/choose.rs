//! Filters, and selections that depend on the order of records.

use pgn2epd::options::{EnPassantPolicy, Filter, Format, OpList, Preference};
use pgn2epd::{Conversion, ConvertError, Options};
use testkit::generate::{Generator, Style};

use crate::support::{self, Converted, convert, jobs, program};

fn games() -> Vec<u8> {
    Generator::text(Style::Lichess, 5, 60_000)
}

fn four_fields() -> Options {
    Options::default().en_passant(EnPassantPolicy::Legal).ops(Some(OpList::NONE))
}

fn clocks() -> Option<OpList> {
    Some("fmvn,hmvc,sm".parse().unwrap())
}

fn filtered(filter: &str) -> Options {
    four_fields().filter(Some(filter.parse::<Filter>().unwrap()))
}

/// The result does not depend on threads and chunks.
#[track_caller]
fn convert_all_ways(pgn: &[u8], options: &Options) -> Converted {
    let plain = options.clone().jobs(jobs(1)).chunk_bytes(4 << 20);
    let expected = convert(pgn, &plain);
    for (threads, chunk_bytes) in [(1, 700), (2, 3000), (5, 20_000)] {
        let options = options.clone().jobs(jobs(threads)).chunk_bytes(chunk_bytes);
        let actual = convert(pgn, &options);
        assert!(actual.output == expected.output, "-j {threads}, chunks of {chunk_bytes} bytes");
        assert_eq!(actual.summary.positions, expected.summary.positions);
        assert_eq!(actual.summary.duplicates, expected.summary.duplicates);
        assert_eq!(actual.summary.bytes_written, expected.output.len() as u64);
    }
    expected
}

#[test]
fn a_filter_keeps_the_games_and_positions_that_match() {
    let pgn = games();
    let games = support::games(&pgn);
    let elo = |game: &pgn2epd::Game| game.tag("WhiteElo").and_then(|elo| elo.parse::<u32>().ok());
    type Holds<'h> = &'h dyn Fn(&pgn2epd::Game, &pgn2epd::PlayedPosition) -> bool;
    let cases: [(&str, Holds<'_>); 6] = [
        ("WhiteElo >= 1500", &|game, _| elo(game).is_some_and(|elo| elo >= 1500)),
        ("Result = \"1-0\" and ply > 20", &|game, record| {
            game.tag("Result") == Some("1-0") && record.ply > 20
        }),
        ("turn = \"b\" or Result = \"0-1\"", &|game, record| {
            record.position.turn().is_black() || game.tag("Result") == Some("0-1")
        }),
        ("plies <= 60", &|game, _| game.positions.len() <= 61),
        ("check and not pieces > 20", &|_, record| {
            record.position.is_check() && record.position.occupied().count() <= 20
        }),
        ("move >= 10 and move < 12", &|_, record| (10..12).contains(&record.position.fullmoves())),
    ];
    for (filter, holds) in cases {
        let converted = convert_all_ways(&pgn, &filtered(filter));
        let mut expected = 0;
        for game in &games {
            expected += game.positions.iter().filter(|record| holds(game, record)).count();
        }
        assert_eq!(converted.summary.positions, expected as u64, "{filter}");
        assert!(expected > 0, "{filter}");
        assert_eq!(converted.summary.games, games.len() as u64, "{filter}");
    }
}

#[test]
fn errors_of_excluded_games_are_not_reported() {
    let pgn = b"[White \"A\"]\n\n1. e5 *\n\n[White \"B\"]\n\n1. e4 *\n";
    let converted = convert_all_ways(pgn, &filtered("White = 'B'"));
    assert_eq!(converted.messages(), [""; 0]);
    assert_eq!((converted.summary.games, converted.summary.left_out), (2, 1));
    assert_eq!(convert(pgn, &filtered("White = 'A'")).messages().len(), 1);
}

#[test]
fn skip_and_limit_apply_after_the_filter() {
    let pgn = games();
    let all = convert(&pgn, &four_fields());
    for (skip, limit) in [(0, 0), (0, 1), (5, 100), (300, 1), (0, 1 << 40), (1 << 40, 3)] {
        let options = four_fields().skip(skip).limit(Some(limit));
        let expected: Vec<&str> =
            all.lines().into_iter().skip(skip as usize).take(limit as usize).collect();
        assert_eq!(convert_all_ways(&pgn, &options).lines(), expected, "{skip} {limit}");
    }
}

#[test]
fn a_sample_respects_size_order_and_seed() {
    let pgn = games();
    let all = convert(&pgn, &four_fields().ops(clocks()));
    let sample = |count, seed| {
        convert_all_ways(&pgn, &four_fields().sample(Some(count)).seed(seed).ops(clocks()))
    };
    let some = sample(50, 1);
    assert_eq!(some.lines().len(), 50);
    let mut rest = all.lines().into_iter();
    assert!(some.lines().iter().all(|line| rest.any(|other| other == *line)), "not in order");
    assert_ne!(some.output, sample(50, 2).output);
    assert_eq!(sample(1 << 40, 1).output, all.output);
    assert_eq!(sample(0, 1).output, b"");
    // Uniform: over many seeds the mean index of the sample is the middle.
    let lines = all.lines();
    let places: Vec<usize> = (0..40)
        .flat_map(|seed| {
            let options = four_fields().sample(Some(50)).seed(seed).ops(clocks());
            let drawn = convert(&pgn, &options);
            let place = |line: &&str| lines.iter().position(|other| other == line).unwrap();
            drawn.lines().iter().map(place).collect::<Vec<_>>()
        })
        .collect();
    let mean = places.iter().sum::<usize>() as f64 / places.len() as f64 / lines.len() as f64;
    assert!((0.46..0.54).contains(&mean), "{mean}");
}

#[test]
fn empty_lines_separate_the_remaining_games() {
    let pgn = games();
    let perl = Options::default().format(Format::Perl);
    let all = convert(&pgn, &perl);
    let options = perl.clone().limit(Some(1 << 40));
    assert!(convert_all_ways(&pgn, &options).output == all.output);
    let few = convert_all_ways(&pgn, &perl.sample(Some(20)).seed(3));
    assert!(few.output.ends_with(b"\n\n") && !few.output.windows(3).any(|w| w == b"\n\n\n"));
    let unique = Options::default().unique(Some(Preference::First)).skip(9).blank_line(true);
    let [little, enough] = [10_000, 300_000]
        .map(|memory| convert_all_ways(&pgn, &unique.clone().memory(memory)).output);
    assert!(little == enough);
}

#[test]
fn an_invalid_condition_is_shown_with_its_place() {
    let outcome = program().args(["--where", "WhiteElo >= 2400 and game > 20"]).run();
    assert_eq!(outcome.status, 2);
    insta::assert_snapshot!("where-error", outcome.stderr);
}

#[test]
fn a_temporary_file_that_cannot_be_created_is_an_error_whatever_the_threads() {
    let pgn = games();
    let spilling = Options::default().memory(1).temp_dir(Some("no such folder".into()));
    let shuffled = spilling.clone().shuffle(true);
    let best = spilling.unique(Some(Preference::Last));
    let sorted = best.clone().unique(None).sort(Some("-ply".parse().unwrap()));
    for options in [shuffled.clone(), shuffled.unique(Some(Preference::First)), best, sorted] {
        for threads in 1..4 {
            let options = options.clone().jobs(jobs(threads)).chunk_bytes(2_000);
            let mut conversion = Conversion::new(Vec::new(), &options);
            let error = conversion.input(&pgn[..], &mut ()).unwrap_err();
            assert!(matches!(error, ConvertError::Temporary(_)), "{error:?}");
            // What was stored before the error, or the same error.
            drop(conversion.finish());
        }
    }
}
