//! All input is either in the output, counted as lost, or reported.

use emit::{Comments, Op, Ops, Plan, Replay, Text};
use epd::{Dialect, ReadOptions, RecordScanner, RegisterStyle, Registers, Severity};
use openings::NameSource;
use pgn::Token;
use proptest::prelude::*;
use testkit::generate::{Generator, Style};
use testkit::hostile::hostile;
use testkit::shared::corpus_pgn;

/// The tags of a title, and those that name the opening.
const TITLE: [&[u8]; 7] = [b"White", b"Black", b"Event", b"Site", b"Date", b"Round", b"Result"];
const NAME: [&[u8]; 5] = [b"ECO", b"NIC", b"Opening", b"Variation", b"SubVariation"];

/// The contents of a game or of its records.
#[derive(Debug, Default, PartialEq, Eq)]
struct Account {
    /// Number of moves of the main line and of variations, without the first move of each
    /// variation, which is an alternative to a move that is already counted.
    moves: u64,
    /// Characters of the comments without white space, sorted.
    comments: Vec<char>,
    annotations: u64,
    /// Variations that are not played, without those inside them.
    variations: u64,
}

/// Ways to write the records of a game.
fn plans() -> Vec<Plan> {
    let default = Plan::default;
    let all = Plan {
        ops: Ops::of(&[Op::C, Op::Sm]),
        registers: RegisterStyle::Full,
        names: NameSource::Off,
        variations: true,
        comments: Comments::Raw,
        ..default()
    };
    vec![
        Plan { comments: Comments::Cut, ..all.clone() },
        Plan { comments: Comments::Drop, ..all.clone() },
        Plan { registers: RegisterStyle::Delta, comments: Comments::Split, ..all.clone() },
        Plan { names: NameSource::Tags, ..default() },
        default(),
        all,
    ]
}

fn characters(text: &str) -> impl Iterator<Item = char> {
    let is_gap = |c: &char| c.is_whitespace() || c.is_control();
    text.chars().filter(move |c| !is_gap(c)).map(|c| if c == '"' { '\'' } else { c })
}

/// Collects the contents of the input.
fn tokens(game: &pgn::Game<'_>, plan: &Plan) -> Account {
    let mut account = Account::default();
    let mut begins_variation = Vec::new();
    for token in game.movetext() {
        let is_played = plan.variations || begins_variation.is_empty();
        match token {
            Token::Open => {
                account.variations += u64::from(!plan.variations && is_played);
                begins_variation.push(true);
            }
            Token::Close => drop(begins_variation.pop()),
            _ if !is_played => {}
            Token::Unknown(text) => panic!("{text:?} is an error"),
            Token::Number(_) => {}
            Token::Move(text) => {
                let is_first = begins_variation.last_mut().is_some_and(std::mem::take);
                account.moves += u64::from(!is_first);
                account.annotations += u64::from(text.ends_with(b"!") || text.ends_with(b"?"));
            }
            Token::Nag(_) | Token::Glyph(_) => account.annotations += 1,
            Token::Comment(text) | Token::LineComment(text) => {
                let text =
                    emit::comment_text(text, san::Color::White, plan.comments == Comments::Raw);
                account.comments.extend(characters(&text));
            }
            Token::Result(_) => {}
        }
    }
    account.comments.sort();
    account
}

/// The texts of a game's tags that its records should have, without white space.
fn texts_of_tags(game: &pgn::Game<'_>, plan: &Plan) -> Vec<String> {
    let names: &[&[u8]] = if matches!(plan.names, NameSource::Tags) { &NAME } else { &[] };
    let known = |name: &&[u8]| pgn::known_value(game.tags(), name);
    // The unknown parts of a date are dropped.
    let text = |value: std::borrow::Cow<'_, str>| -> String {
        characters(value.trim_end_matches(".??")).collect()
    };
    let all: Vec<String> = TITLE.iter().chain(names).filter_map(known).map(text).collect();
    // A name is divided at these.
    all.iter().flat_map(|text| text.split([':', ','])).map(str::to_owned).collect()
}

/// The records with the position of another one, since a scanner does not read those of variants.
fn of_chess(records: &str) -> String {
    let operations = |line: &str| {
        let rest = line.splitn(5, ' ').nth(4).unwrap_or_default();
        // The checks given in Three-check.
        let is_count = |word: &str| word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+'));
        let rest = match rest.split_once(' ') {
            Some((first, rest)) if is_count(first) => rest,
            _ => rest,
        };
        format!("4k3/8/8/8/8/8/8/4K3 w - - {rest}\n")
    };
    records.lines().map(operations).collect()
}

/// Compares the records of a game with its tokens; returns `false` if errors are reported.
fn assert_account(game: &pgn::Game<'_>, bytes: &[u8], plan: &Plan) -> bool {
    let mut text = Text::default();
    let (counts, _) = Replay::new(pgn::Chunk::whole(bytes), plan).run(&mut text.sink(plan));
    let is_error = |problem: &emit::Problem| problem.severity() == Severity::Error;
    // Text that is not a game is reported, a promotion piece may be apart from its square, and
    // `0-0` may be a result.
    let is_text = |problem: &emit::Problem| problem.game == 0;
    let is_apart = |token| match token {
        Token::Move(text) => pgn::is_double_loss(text),
        token => matches!(token, Token::Unknown(_)),
    };
    if text.problems.iter().any(|problem| is_error(problem) || is_text(problem))
        || game.movetext().any(is_apart)
    {
        return false;
    }
    let (annotations, variations) = (counts.annotations, counts.variations);
    let mut found = Account { annotations, variations, ..Account::default() };
    let records = of_chess(std::str::from_utf8(text.bytes.as_bytes()).unwrap());
    // Other dialects have escapes in strings.
    let options =
        ReadOptions { dialect: Some(Dialect::Standard), moves: false, ..ReadOptions::default() };
    let mut scanner = RecordScanner::with_options(&records, options);
    let mut of_tags: Vec<char> = Vec::new();
    while let Some(record) = scanner.next_record(&mut |_| {}) {
        found.moves += u64::from(record.operations().any(|operation| operation.name() == "sm"));
        let mut own = Registers::default();
        own.read(&record);
        let registers = match plan.registers {
            RegisterStyle::Delta => scanner.registers(),
            _ => &own,
        };
        let comments = (1..10).filter_map(|rank| registers.comment(rank));
        found.comments.extend(comments.flat_map(characters));
        if of_tags.is_empty() {
            let names = (0..10).filter_map(|rank| registers.variation(rank));
            let texts = [registers.comment(0), registers.eco(), registers.nic()];
            of_tags = texts.into_iter().flatten().chain(names).flat_map(characters).collect();
        }
    }
    found.comments.sort();

    let mut expected = tokens(game, plan);
    let mut rest = found.comments.iter().peekable();
    let mut missing = Vec::new();
    expected.comments.retain(|c| {
        let is_there = rest.next_if_eq(&c).is_some();
        if !is_there {
            missing.push(*c);
        }
        is_there
    });
    let what = || format!("{plan:?} {}", String::from_utf8_lossy(bytes));
    assert_eq!(found, expected, "{}", what());
    // White space is dropped on both sides, so parts of names are compared without their
    // separators.
    let of_tags: String = of_tags.into_iter().collect();
    let lacks = |text: &String| !of_tags.contains(&**text);
    let lacking: Vec<String> = texts_of_tags(game, plan).into_iter().filter(lacks).collect();
    if text.losses().shortened == 0 {
        assert!(missing.is_empty() && lacking.is_empty(), "{missing:?} {lacking:?} {}", what());
    }
    true
}

/// Compares input and output by all plans; returns the number of games compared.
fn assert_accounts(text: &[u8], most: usize) -> usize {
    let (mut compared, plans) = (0, plans());
    for game in pgn::games(text).take(most) {
        let bytes = &text[game.span().range()];
        let are_played = plans.iter().filter(|plan| assert_account(&game, bytes, plan)).count();
        compared += usize::from(are_played == plans.len());
    }
    compared
}

#[test]
fn every_tag_too_long_for_a_string_is_counted() {
    for name in TITLE.iter().chain(&NAME).map(|name| std::str::from_utf8(name).unwrap()) {
        let pgn = format!("[{name} \"{} end\"]\n\n1. e4 *\n", "word ".repeat(60));
        assert!(assert_accounts(pgn.as_bytes(), 1) == 1, "{name}");
    }
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
