//! All input is either in the output, counted as lost, or reported.

use emit::{LongComments, Op, Ops, Plan, Replay, Text};
use epd::{RegisterStyle, Severity};
use openings::NameSource;
use pgn::Token;
use proptest::prelude::*;
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::shared::corpus_pgn;

/// The contents of a game or of its records.
#[derive(Debug, Default, PartialEq, Eq)]
struct Account {
    /// Number of moves of the main line and of variations, without the first move of each
    /// variation, which is an alternative to a move that is already counted.
    moves: u64,
    /// Characters of the comments without white space, sorted.
    comments: Vec<char>,
    annotations: u64,
}

fn characters(text: &str) -> impl Iterator<Item = char> {
    let is_gap = |c: &char| c.is_whitespace() || c.is_control();
    text.chars().filter(move |c| !is_gap(c)).map(|c| if c == '"' { '\'' } else { c })
}

/// Collects the contents of the input.
fn tokens(game: &pgn::Game<'_>) -> Account {
    let mut account = Account::default();
    let mut begins_variation = Vec::new();
    for token in game.movetext() {
        match token {
            Token::Move(text) => {
                let is_first = begins_variation.last_mut().is_some_and(std::mem::take);
                account.moves += u64::from(!is_first);
                account.annotations += u64::from(text.ends_with(b"!") || text.ends_with(b"?"));
            }
            Token::Nag(_) | Token::Glyph(_) => account.annotations += 1,
            Token::Comment(text) | Token::LineComment(text) => {
                account.comments.extend(characters(&pgn::text_of(text)));
            }
            Token::Open => begins_variation.push(true),
            Token::Close => drop(begins_variation.pop()),
            Token::Result(_) => {}
            Token::Unknown(text) => panic!("{text:?} is an error"),
        }
    }
    account.comments.sort();
    account
}

/// Collects the contents of the output of a game; `None` if an error is reported or a loss of text
/// is counted.
fn records(game: &[u8]) -> Option<Account> {
    let plan = Plan {
        ops: Ops::of(&[Op::C, Op::Sm]),
        registers: RegisterStyle::Full,
        names: NameSource::Off,
        variations: true,
        keep_commands: true,
        long_comments: LongComments::Split,
        ..Plan::default()
    };
    let mut text = Text::default();
    let (counts, _) = Replay::new(pgn::Chunk::whole(game), &plan).run(&mut text.sink(&plan));
    let is_error = |problem: &emit::Problem| problem.severity() == Severity::Error;
    if text.problems.iter().any(is_error) || text.losses().shortened > 0 {
        return None;
    }
    let mut account = Account { annotations: counts.annotations, ..Account::default() };
    for record in std::str::from_utf8(text.bytes.as_bytes()).unwrap().lines() {
        // Odd parts are the contents of strings, which contain no quotes.
        for (i, part) in record.split('"').enumerate() {
            if i % 2 == 0 {
                account.moves += u64::from(part.contains(" sm "));
            } else {
                let before = record.split('"').nth(i - 1).unwrap();
                let opcode = before.trim_end().rsplit(' ').next().unwrap();
                let text = Some(part).filter(|_| opcode != "c0");
                account.comments.extend(text.into_iter().flat_map(characters));
            }
        }
    }
    account.comments.sort();
    Some(account)
}

/// Compares input and output; returns the number of games compared.
fn assert_accounts(text: &[u8], most: usize) -> usize {
    let mut compared = 0;
    for game in pgn::games(text).take(most) {
        let bytes = &text[game.span().range()];
        if let Some(found) = records(bytes) {
            assert_eq!(found, tokens(&game), "{}", String::from_utf8_lossy(bytes));
            compared += 1;
        }
    }
    compared
}

#[test]
fn every_token_of_a_game_without_errors_is_written_or_counted() {
    for style in Style::ALL {
        let text = Generator::text(style, 3, 60_000);
        assert!(assert_accounts(&text, usize::MAX) > 0, "{style:?}");
    }
    for (_, text) in hostile().into_iter().filter(|(_, text)| text.len() < 20_000) {
        assert_accounts(&text, usize::MAX);
    }
    for file in corpus_pgn() {
        assert_accounts(&file.read().unwrap(), 10);
    }
}

proptest! {
    #[test]
    fn every_token_of_a_damaged_game_is_written_counted_or_reported(
        picked in 0..40_usize, damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6)
    ) {
        let mut text = GAMES.with(|games| games[picked].clone());
        for (at, byte) in damage {
            let at = at.index(text.len());
            text[at] = byte;
        }
        assert_accounts(&text, usize::MAX);
    }
}

thread_local! {
    static GAMES: Vec<Vec<u8>> = {
        let mut generator = Generator::new(Style::Annotated, 7);
        let game = |_| {
            let mut game = Vec::new();
            generator.append_game(&mut game);
            game
        };
        (0..40).map(game).collect()
    };
}
