use std::io::Read;

use shakmaty::EnPassantMode;

use super::*;
use crate::naive;

/// FNV-1a, which suffices to detect a changed byte.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn the_output_of_a_seed_never_changes() {
    let hashes = Style::ALL.map(|style| (style.name(), hash(&Generator::text(style, 7, 100_000))));
    assert_eq!(
        hashes,
        [
            ("plain", 1_952_589_001_994_502_316),
            ("lichess", 3_514_565_157_373_752_229),
            ("engine", 6_269_681_593_927_644_928),
            ("cutechess", 7_105_128_323_576_336_997),
            ("annotated", 6_754_417_085_289_963_473),
            ("chess960", 2_139_885_333_095_684_636),
        ],
        "if this is wanted, notes about generated inputs are void"
    );
}

#[test]
fn games_look_like_this() {
    for (style, seed, expected) in [
        (Style::Plain, 3, include_str!("snapshots/plain.pgn")),
        (Style::Annotated, 24, include_str!("snapshots/annotated.pgn")),
    ] {
        let mut game = Vec::new();
        Generator::new(style, seed).append_game(&mut game);
        assert_eq!(String::from_utf8(game).unwrap(), expected);
    }
}

#[test]
fn different_seeds_give_different_games() {
    assert_ne!(Generator::text(Style::Plain, 1, 1000), Generator::text(Style::Plain, 2, 1000));
}

#[test]
fn the_reader_yields_the_games_of_append_game_up_to_the_requested_size() {
    let mut games = Vec::new();
    let mut last = 0;
    let mut generator = Generator::new(Style::Lichess, 9);
    while games.len() < 200_000 {
        last = games.len();
        generator.append_game(&mut games);
    }
    let mut read = Vec::new();
    let mut reader = Generator::reader(Style::Lichess, 9, 200_000);
    let mut piece = [0; 977];
    loop {
        match reader.read(&mut piece).unwrap() {
            0 => break,
            count => read.extend_from_slice(&piece[..count]),
        }
    }
    assert!(last < 200_000);
    assert_eq!(read, games);
    assert!(Generator::text(Style::Plain, 1, 0).is_empty());
}

#[test]
fn all_games_are_legal_and_as_long_as_promised() {
    for style in Style::ALL {
        let text = String::from_utf8(Generator::text(style, 11, 300_000)).unwrap();
        let games = naive::games(&text);
        assert_eq!(games.len(), text.matches("\n[White \"").count(), "{}", style.name());
        assert!(games.iter().all(|game| game.moves.len() <= 160), "{}", style.name());
        assert!(games.iter().any(|game| game.moves.len() >= 140), "{}", style.name());
        let plies: usize = games.iter().map(|game| game.moves.len()).sum();
        let records = naive::records(&text, EnPassantMode::Legal);
        assert_eq!(records.len(), plies + games.len(), "{}", style.name());
    }
}

#[test]
fn the_moves_are_written_in_canonical_san() {
    for style in [Style::Plain, Style::Chess960] {
        let text = String::from_utf8(Generator::text(style, 12, 100_000)).unwrap();
        let written = naive::games(&text).into_iter().flat_map(|game| game.moves);
        let played =
            naive::records(&text, EnPassantMode::Always).into_iter().filter_map(|record| {
                record.split_once(" sm ").map(|(_, san)| san.trim_end_matches(';').to_owned())
            });
        assert!(written.eq(played));
    }
}

#[test]
fn engine_comments_are_long_and_hold_legal_lines() {
    let text = String::from_utf8(Generator::text(Style::Engine, 13, 100_000)).unwrap();
    let lengths: Vec<usize> =
        text.lines().filter(|line| line.contains(", pv=")).map(str::len).collect();
    assert!(lengths.iter().all(|&length| length < 1000));
    let long = lengths.iter().filter(|&&length| length > 300).count();
    assert!(long * 10 > lengths.len() * 7, "{long} of {}", lengths.len());
}

#[test]
fn comments_of_cutechess_are_an_evaluation_a_depth_and_a_time() {
    let text = String::from_utf8(Generator::text(Style::Cutechess, 13, 100_000)).unwrap();
    let text = text.replace('\n', " ");
    let comments: Vec<&str> =
        text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
    let (book, evaluations): (Vec<&str>, Vec<&str>) =
        comments.iter().partition(|&&comment| comment == "book");
    assert!(evaluations.len() > 5 * book.len());
    assert!(evaluations.iter().any(|comment| comment.starts_with("-M")));
    for comment in evaluations {
        let (score, rest) = comment.split_once('/').unwrap();
        let score = score.strip_prefix('+').or(score.strip_prefix('-')).unwrap();
        assert!(score.starts_with('M') || score.parse::<f32>().is_ok(), "{comment}");
        let (depth, time) = rest.split_once(' ').unwrap();
        assert!(depth.parse::<u8>().is_ok() && time.len() == 6, "{comment}");
    }
}

#[test]
fn annotations_nest_four_levels_deep_and_quote_tags() {
    let text = String::from_utf8(Generator::text(Style::Annotated, 14, 300_000)).unwrap();
    let mut depth = 0;
    let mut deepest = 0;
    let bare = text.split(['{', '}']).step_by(2);
    for byte in
        bare.flat_map(str::lines).flat_map(|line| line.split(';').next()).flat_map(str::bytes)
    {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    assert_eq!((depth, deepest), (0, 4));
    assert!(text.contains("\n[Event \"Quoted\"]\n"));
}

#[test]
fn the_styles_are_named() {
    assert_eq!("Chess960".parse(), Ok(Style::Chess960));
    assert!("fancy".parse::<Style>().unwrap_err().contains("annotated"));
}
