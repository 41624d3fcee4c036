//! Damaged movetext: no move is silently replaced by another one.

use emit::{Plan, Problem};
use epd::Severity;
use proptest::prelude::*;
use san::{Color, Position, Role, san_of, uci_of};
use testkit::generate::{Generator, Style};

use crate::support::MainLines;

fn play(pgn: &[u8]) -> MainLines {
    MainLines::of(pgn, &Plan::default())
}

#[test]
fn a_letter_apart_from_its_square_is_an_error() {
    // text, the moves before the damage, the reported token
    let cases: &[(&str, &str, &str)] = &[
        ("1. N f3 N f6 *", "", "N f3"),
        ("1. N\0f3 *", "", "N\0f3"),
        ("1. N\u{feff}f3 *", "", "N\u{feff}f3"),
        ("1. N\u{200b}f3 *", "", "N\u{200b}f3"),
        ("1. e4 e5 2. N\nf3 *", "e4 e5", "N"),
        ("1. e4 e5 2. N b1c3 *", "e4 e5", "N b1c3"),
        ("1. e4 e5 2. N x e5 *", "e4 e5", "N x e5"),
        ("1. e4 e5 2. N{x}f3 *", "e4 e5", "N{x}f3"),
        ("1. e4 e5 2. N(2. f4) f3 *", "e4 e5", "N(2. f4) f3"),
        ("1. e4 e5 2. N $1 f3 *", "e4 e5", "N $1 f3"),
        ("1. TN f3 *", "", "TN f3"),
        ("1. N *", "", "N *"),
        ("1. e4 e5 2. N;f3\n*", "e4 e5", "N;f3"),
        ("1. e4 N;6\n*", "e4", "N;6"),
        ("1. e4 N f6 *", "e4", "N f6"),
        ("1. e4 {best} N f6 *", "e4", "N f6"),
        // A knight cannot reach e4, but an annotation cannot precede its move either.
        ("1. N e4 *", "", "N e4"),
        ("1 N e4 *", "", "N e4"),
        ("1. d4 d5 2. Nf3 Nf6 3. N d2 *", "d4 d5 Nf3 Nf6", "N d2"),
        // The piece letter is missing.
        ("1. e4 e5 2. .a3 *", "e4 e5", ".a3"),
        ("1. e4 .a5 *", "e4", ".a5"),
        ("1. e4 \0b6 *", "e4", "\0b6"),
        ("1. e4 \u{1a}\0b6 *", "e4", "\u{1a}\0b6"),
        ("1. e4 $b6 *", "e4", "$b6"),
        ("1. e4 e5 2. 3a3 *", "e4 e5", "a3"),
        ("1. e4 e5 2. 2a3 *", "e4 e5", "a3"),
        ("1. e4 3a6 *", "e4", "a6"),
        ("1. e4 1a6 *", "e4", "a6"),
    ];
    for (text, moves, token) in cases {
        let played = play(format!("[A \"\"]\n\n{text}").as_bytes());
        assert_eq!(played.games[0].join(" "), *moves, "{text:?}");
        let [problem] = &played.problems[..] else { panic!("{text:?}: {:?}", played.problems) };
        assert_eq!(problem.severity(), Severity::Error, "{text:?}");
        assert_eq!(problem.token, *token, "{text:?}");
    }
}

#[test]
fn a_letter_is_an_error_if_a_comment_to_the_end_follows_unless_it_is_a_sign_of_a_move() {
    let after_number = ["1. e4 e5 2. N;f3 1/2-1/2", "1. e4 e5 2. N ; comment", "1. e4 e5 2... N"];
    for text in after_number.into_iter().chain(["1. e4 e5 N;6 2. d4 1-0"]) {
        let played = play(text.as_bytes());
        assert_eq!(played.games[0].join(" "), "e4 e5", "{text}");
        let first = played.problems.first().map(|problem| (problem.severity(), &*problem.token));
        assert_eq!(first, Some((Severity::Error, "N")), "{text}");
    }
}

#[test]
fn signs_numbers_and_padding_with_one_reading_cost_nothing() {
    let cases: &[(&str, &str)] = &[
        ("1. Nf3 N e5 TN *", "Nf3 e5"),
        ("1. e4 N 1... Nf6 *", "e4 Nf6"),
        ("1. e4 N ;f6\n1... Nf6 *", "e4 Nf6"),
        ("1. e4 N Nf6 *", "e4 Nf6"),
        ("1. e4 $1 N Nf6 $14 $20 TN *", "e4 Nf6"),
        ("1. e4 e5 D 2. d4 *", "e4 e5 d4"),
        ("1. e4 (1. d4 N) 1... e5 N *", "e4 e5"),
        ("1 .e4 e5 2 . Nf3 ... Nc6 3... *", "e4 e5 Nf3 Nc6"),
        ("1e4 e5 2Nf3 Nc6 *", "e4 e5 Nf3 Nc6"),
        ("1e4 (1d4 1... d5 2c4) e5 (1c5 2Nf3) 2Nf3 *", "e4 e5 Nf3"),
        ("1. e4$1 e5 $2Nf3 *", "e4 e5 Nf3"),
        ("1. e4\0 e5 \0 2. Nf3\0\n*\0", "e4 e5 Nf3"),
        ("1. e4 $ e5 *", "e4 e5"),
    ];
    for (text, moves) in cases {
        let played = play(text.as_bytes());
        assert_eq!(played.games[0].join(" "), *moves, "{text:?}");
        assert_eq!(played.problems, [], "{text:?}");
    }
}

#[test]
fn a_letter_for_a_pawn_is_a_warning_once_a_game() {
    let played = play(b"1. Pe4 Pd5 2. Pexd5 *\n\n1. d4 Pd5 *");
    assert_eq!(played.games, [vec!["e4", "d5", "exd5"], vec!["d4", "d5"]]);
    let shown: Vec<String> = played.problems.iter().map(Problem::to_string).collect();
    let reason = "warning: P is read as a pawn: if it is another piece, name the language";
    let expected = ["1:4: game 1, 1. Pe4: ", "3:7: game 2, 1... Pd5: "];
    assert_eq!(shown, expected.map(|place| format!("{place}{reason}")));
}

#[test]
fn castling_without_its_last_sign_is_an_error() {
    let before = "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. Nf3 e6 6. e3 Bd6 7. Be2 Nf6 8. ";
    let cases =
        [("O-O-", 14), ("O-O- O", 14), ("O-O-\0", 14), ("0-0-", 14), ("o-o-", 14), ("0-0 0", 15)];
    for (castling, plies) in cases {
        let played = play(format!("{before}{castling} a6 *").as_bytes());
        assert_eq!(played.games[0].len(), plies, "{castling}: {:?}", played.games[0]);
        assert_eq!(played.problems.len(), 1, "{castling}: {:?}", played.problems);
    }
}

/// A naive reader, which gives up at any word that is neither a number nor the unique spelling of a
/// legal move.
fn obvious(movetext: &str) -> Option<Vec<String>> {
    let (mut position, mut moves) = (Position::default(), Vec::new());
    let mut rest = movetext;
    let mut depth = 0;
    let mut starts_line = true;
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '%' if starts_line => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            ';' => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            '{' => rest.find('}')? + 1,
            '(' => {
                depth += 1;
                1
            }
            ')' if depth > 0 => {
                depth -= 1;
                1
            }
            '$' => 1 + rest[1..].find(|c: char| !c.is_ascii_digit()).filter(|len| *len > 0)?,
            c if c.is_whitespace() => c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || "{};()<>[]$\0\u{1a}".contains(c);
                let end = rest.find(ends).unwrap_or(rest.len());
                if depth == 0 {
                    let word = &rest[..end];
                    if matches!(word, "*" | "1-0" | "0-1" | "1/2-1/2") {
                        return Some(moves);
                    }
                    let word = without_number(word, &position);
                    if !word.is_empty() {
                        let next = only_move(word, &position)?;
                        moves.push(san_of(&position, next).to_string());
                        position.play_unchecked(next);
                    }
                }
                end
            }
        };
        if end == 0 {
            return None;
        }
        starts_line = matches!(c, '\n' | '\r');
        rest = &rest[end..];
    }
    (depth == 0).then_some(moves)
}

/// Returns the word after a move number: digits and dots, or digits alone if they are the correct
/// number before a move of White.
fn without_number<'t>(word: &'t str, position: &Position) -> &'t str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &word[..word.len() - rest.len()];
    let is_right = digits == position.fullmoves().to_string() && position.turn() == Color::White;
    let dots = rest.trim_start_matches('.');
    match rest.len() - dots.len() {
        0 if rest.is_empty() || is_right => rest,
        0 => word,
        // Dots alone precede moves of Black, as in `2. ... Nc6`.
        1 if digits.is_empty() && !dots.is_empty() => word,
        _ => dots,
    }
}

fn only_move(word: &str, position: &Position) -> Option<san::Move> {
    let legal = position.legal_moves();
    let mut meant = legal
        .iter()
        .filter(|next| spellings(position, **next).iter().any(|s| is_spelling(word, s)));
    match (meant.next(), meant.next()) {
        (Some(next), None) => Some(*next),
        _ => None,
    }
}

/// Returns all spellings of a move that `san::resolve` accepts and that a change of one byte can
/// produce.
fn spellings(position: &Position, next: san::Move) -> Vec<String> {
    let san = san_of(position, next).to_string();
    let bare = san.trim_end_matches(['+', '#']);
    let mut spellings = vec![uci_of(next).to_string()];
    if next.castling().is_some() {
        for dash in ["-", ""] {
            let signs = bare.matches('O').count() as u32;
            for mix in 0..3_usize.pow(signs) {
                let sign = |at: u32| ["O", "0", "o"][mix / 3_usize.pow(at) % 3];
                spellings.push((0..signs).map(sign).collect::<Vec<_>>().join(dash));
            }
        }
    } else {
        let (from, to) = (next.from().to_string(), next.to().to_string());
        let is_pawn = next.role() == Role::Pawn;
        let letter = if is_pawn { String::new() } else { next.role().upper_char().to_string() };
        for hint in ["", &from[..1], &from[1..], &from] {
            for sign in ["", "x", "-", ":"] {
                let names_file = hint.starts_with(|c: char| c.is_ascii_alphabetic());
                let is_bare = hint.is_empty() && sign.is_empty() && !next.is_capture();
                if !is_pawn || names_file || is_bare {
                    spellings.push(format!("{letter}{hint}{sign}{to}"));
                }
            }
        }
        if let Some(role) = next.promotion() {
            let bases = std::mem::take(&mut spellings);
            let pieces = [role.upper_char(), role.char()];
            let mark = |base: &str| {
                let base = base.trim_end_matches(role.char());
                let with = |sign: &str| pieces.map(|piece| format!("{base}{sign}{piece}"));
                [with("="), with(""), with("/")].concat()
            };
            spellings = bases.iter().flat_map(|base| mark(base)).collect();
        }
    }
    spellings
}

/// Returns whether the word is one of the spellings, with annotations that do not affect the move.
fn is_spelling(word: &str, spelling: &str) -> bool {
    let is_sign = |c: char| "+#!?=/~".contains(c);
    let rest = word.strip_prefix(spelling);
    rest.is_some_and(|rest| rest.chars().all(|c| is_sign(c) || c == '-' && !spelling.contains('-')))
}

/// Returns a description of the error if the text with one changed byte is read incorrectly.
fn complaint(game: &[u8], damaged: &[u8]) -> Option<String> {
    let played = play(damaged);
    if !played.problems.is_empty() {
        return None;
    }
    let moves = &played.games[0];
    if *moves == play(game).games[0] {
        return None;
    }
    let text: String = match std::str::from_utf8(damaged) {
        Ok(text) => text.to_owned(),
        Err(_) => damaged.iter().copied().map(char::from).collect(),
    };
    let expected = obvious(&text);
    (expected.as_ref() != Some(moves)).then(|| format!("{moves:?}\nbut {expected:?}\nin {text}"))
}

/// Returns the movetext of a game, without its tags.
fn movetext(game: &[u8]) -> &[u8] {
    let is_end = |at: &usize| game[*at..].starts_with(b"]\n") || game[*at..].starts_with(b"]\r\n");
    let start = (0..game.len()).rev().find(is_end).map_or(0, |at| at + 1);
    game[start..].trim_ascii()
}

fn assert_no_silent_difference(game: &[u8], changes: impl Iterator<Item = (usize, u8)>) {
    assert_eq!(play(game).problems, [], "{}", String::from_utf8_lossy(game));
    for (at, byte) in changes {
        let mut damaged = game.to_vec();
        damaged[at] = byte;
        if let Some(complaint) = complaint(game, &damaged) {
            panic!("byte {at} of the game becomes {:?}: {complaint}", char::from(byte));
        }
    }
}

/// Bytes that have a meaning in movetext, or used to.
const BYTES: &[u8] = b" .N\0$\n)(*-x+=P1a!;<{}[%/DTR\x1a\t\"8#:b0O\xa0\xff";

#[test]
fn one_changed_byte_never_makes_another_game_without_a_message() {
    let mut games = Vec::new();
    for style in [Style::Plain, Style::Annotated, Style::Lichess] {
        games.extend(generated(style, 5).take(2));
    }
    let corpus = ["worldcup2005", "chess_db/chessdoctor", "chess_db/russian_chess"];
    for file in corpus.iter().filter_map(|name| testkit::shared::corpus_file(name)) {
        let text = file.read().unwrap();
        games.extend(pgn::games(&text).take(2).map(|game| text[game.span().range()].to_vec()));
    }
    for (seed, game) in games.iter().enumerate() {
        let game = movetext(game);
        let game = &game[..game.len().min(1500)];
        if !play(game).problems.is_empty() {
            continue;
        }
        // Every byte is changed, to one that depends on its position.
        let change = |at| (at, BYTES[(at * 7 + seed) % BYTES.len()]);
        assert_no_silent_difference(game, (0..game.len()).map(change));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]
    #[test]
    fn any_byte_at_any_place_changes_no_game_without_a_message(
        seed in 0..50_u64, at in any::<prop::sample::Index>(), byte in any::<u8>(), picked in any::<bool>()
    ) {
        let game = GAMES.with(|games| games[seed as usize % games.len()].clone());
        let byte = if picked { BYTES[usize::from(byte) % BYTES.len()] } else { byte };
        assert_no_silent_difference(&game, std::iter::once((at.index(game.len()), byte)));
    }
}

/// Marks whose loss or appearance moves text between the main line, variations and comments.
const MARKS: &[&str] = &[
    "(", ")", "{", "}", ";", "[", "]", "<", ">", "*", "+", "-", "#", "|", "\n", "\n\n", "\n%",
    "\n+", "\n|", "\n[", "$", "\"", "1-0", "(1.",
];

/// Returns a game with one mark removed, or added before a word.
fn damaged_in_one_place(game: &str, at: usize, mark: Option<&str>) -> String {
    let ends: Vec<usize> = match mark {
        Some(_) => game.match_indices([' ', '\n']).map(|(at, _)| at + 1).collect(),
        None => game.match_indices(['(', ')', '{', '}', '[', ']', ';']).map(|(at, _)| at).collect(),
    };
    let at = ends[at % ends.len()];
    match mark {
        Some(mark) => [&game[..at], mark, &game[at..]].concat(),
        None => [&game[..at], &game[at + 1..]].concat(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: testkit::shared::cases(500),
        rng_seed: proptest::test_runner::RngSeed::Fixed(std::env::var("SEED").map_or(62, |s| s.parse().unwrap())),
        ..ProptestConfig::default()
    })]
    #[test]
    fn a_mark_too_many_or_too_few_loses_no_move_of_the_main_line_without_an_error(
        seed in 0..20_u64, at in 0..100_000_usize, mark in prop::option::of(prop::sample::select(MARKS))
    ) {
        let (game, whole) = ANNOTATED.with(|games| games[seed as usize].clone());
        let damaged = damaged_in_one_place(&game, at, mark);
        let found = play(damaged.as_bytes());
        let has_error = found.problems.iter().any(Problem::is_error);
        let all: Vec<String> = found.games.concat();
        prop_assert!(has_error || all == whole, "{}\n{:?}", damaged, all);
    }
}

/// Games of a style. Making a generator takes longer than its games.
fn generated(style: Style, seed: u64) -> impl Iterator<Item = Vec<u8>> {
    let mut generator = Generator::new(style, seed);
    std::iter::repeat_with(move || {
        let mut game = Vec::new();
        generator.append_game(&mut game);
        game
    })
}

thread_local! {
    /// Annotated games, and the moves of their main lines.
    static ANNOTATED: Vec<(String, Vec<String>)> = generated(Style::Annotated, 0)
        // Short ones leave time for more places.
        .filter(|game| game.len() < 3000)
        .map(|game| (String::from_utf8(game.clone()).unwrap(), play(&game).games.concat()))
        .take(20)
        .collect();
    static GAMES: Vec<Vec<u8>> =
        generated(Style::Plain, 11).map(|game| movetext(&game).to_vec()).take(50).collect();
}

#[test]
fn a_comment_that_swallows_the_last_moves_is_an_error() {
    for game in [
        "1. e4 e5 2. Nf3 {good 2... Nc6 3. Bb5 (3. Bc4 Nf6 {too}) 1-0\n",
        "1. e4 e5 2. ;Nf3 *\n",
        "1. e4 e5 2. Nf3 (2. f4 {exf4) 2... Nc6 (2... d6 {too})) 1-0\n",
        "1. e4 e5 2. Nf3 ;Nc6 1-0\n",
        "1. e4 e5 2. Nf3 ;2... Nc6 3. Bb5\n1-0\n",
        "1. e4 e5 2. Nf3\n%Nc6 $2 *\n",
        "1. e4 e5 2. Nf3 Nc6\n%3. Bb5 {a} a6\n1-0\n",
        "1. e4 e5 2. Nf3 Nc6\n\n%3. Bb5 {a} a6 1-0\n",
        "1. e4 e5 2.\n%Nf3 Nc6 ; a comment\n3. c4 1-0\n",
        "1. e4 e5 (1... c5\n;2. c3 d5) 2. Nf3 Nc6 (2... d6\n3. d4) 1-0\n",
        "1. e4 e5 1-0 {inserted} 2. Nf3 ; a comment of words\n2... Nc6 1-0\n",
    ] {
        let found = play(game.as_bytes());
        assert!(found.problems.iter().any(Problem::is_error), "{game}: {:?}", found.problems);
    }
    for game in [
        "1. e4 e5 ; 2. Nf3 Nc6\n*\n",
        "1. e4 e5 ;\t2. Nf3 Nc6\n*\n",
        "1. e4 e5\n% 2. Nf3 was played by all\n*\n",
        "1. e4 e5\n% 2. Nf3 Nc6\n2. f4 *\n",
        "1. e4 e5 2. f4 exf4\n% 2. Nf3 Nc6\n*\n",
    ] {
        assert_eq!(play(game.as_bytes()).problems, [], "{game}");
    }
}

#[test]
fn the_main_line_leaves_a_variation_that_is_not_closed() {
    for (moves, main) in [
        ("1. e4 e5 (1... c5 2. Nf3 d6 $18 2. Nf3 Nc6 3. Bb5 *", "e4 e5 Nf3 Nc6 Bb5"),
        (
            "1. e4 e5 (1... c5 2. c3 {a} 2. Nf3 Nc6 (2... d6 3. d4 {b} 3. Bb5 a6 1-0",
            "e4 e5 Nf3 Nc6 Bb5 a6",
        ),
        ("1. e4 (1. d4 d5 (1... Nf6 2. c4) 1... e5 2. Nf3 *", "e4 e5 Nf3"),
        ("1. e4 e5 (1... c5 (1... d5 2. exd5) 2. c3 2. Nf3 Nc6 *", "e4 e5 Nf3 Nc6"),
        // An inner variation is not closed, either.
        ("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2. Nf3 Nc6 3. Bb5 *", "e4 e5 Nf3 Nc6 Bb5"),
        ("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5 2. Nf3 Nc6 3. Bb5 *", "e4 e5 Nf3 Nc6 Bb5"),
        ("1. e4 e5 (1... c5 (1... d5 2. exd5 2. c3) 2. Nf3 Nc6 *", "e4 e5 Nf3 Nc6"),
        ("1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. d4 2. Nc3 Nf6 3. f4 *", "e4 e5 Nc3 Nf6 f4"),
        (
            "1. e4 e5 2. Nf3 (2. f4 exf4 (2... d5 3. exd5 (3. Nf3 dxe4) 2... Nc6 3. Bb5 *",
            "e4 e5 Nf3 Nc6 Bb5",
        ),
        // Either variation may go on.
        ("1. e4 e5 (1... c5 (1... d5 2. exd5 2. Nf3 Nc6 *", "e4 e5"),
        // The variation goes on.
        ("1. e4 e5 (1... c5 2. Nf3 d6 3. d4 *", "e4 e5"),
        ("1. e4 e5 (1... c5 2. Nf3 d6 2. Nf6 *", "e4 e5"),
    ] {
        for variations in [false, true] {
            let plan = Plan { variations, ..Plan::default() };
            let found = MainLines::of(format!("[A \"\"]\n\n{moves}"), &plan);
            assert_eq!(found.games.concat().join(" "), main, "{moves}");
            assert!(found.problems.iter().any(Problem::is_error), "{moves}");
        }
    }
}

#[test]
fn moves_behind_a_mark_or_in_brackets_are_read_or_an_error() {
    for (text, all) in [
        ("+[Event \"A\"]\n+[Result \"1-0\"]\n+\n+1. e4 e5 2. Nf3 1-0\n", true),
        ("> [Event \"A\"]\n> [Result \"1-0\"]\n>\n> 1. e4 e5 2. Nf3 1-0\n", true),
        ("| [Event \"A\"]\n|\n| 1. e4 e5 2. Nf3 1-0\n", true),
        ("[Event \"A\"]\n[1. e4 e5 2. Nf3 1-0\n", true),
        ("[Event \"A\"]\n\n[1. e4 e5 2. Nf3 1-0\n", true),
        ("[Event \"A\"]\n[1. e4 e5 2. Nf3] 1-0\n", true),
        ("[Event \"A\"]\n\n(1. e4 e5 2. Nf3 1-0\n", false),
        ("[Event \"A\"]\n\n(1. e4 e5 2. Nf3) 1-0\n", false),
        ("[Event \"A\"]\n\n- 1. e4 e5 2. Nf3 1-0\n", true),
        ("[Event \"A\"]\n#1. e4 e5 2. Nf3 1-0\n", true),
        ("[Event \"A\"]\n|1. e4 e5 2. Nf3 1-0\n", true),
        ("[Event \"A\"]\n-1. e4 e5 2. Nf3 1-0\n", true),
        ("[Event \"A\"]\n\n+1. e4 e5 2. Nf3 1-0\n", false),
        ("[Event \"A\"]\n\n|1. e4 e5 2. Nf3 1-0\n", false),
        ("[Event x] 1. e4 e5 2. Nf3 1-0\n", true),
        ("[Event \"A\"] [Round x] 1. e4 e5 2. Nf3 1-0\n", true),
        ("[Event \"A\"]\nxyz 1. e4 e5 2. Nf3 1-0\n", false),
        ("+1. e4 e5 2. Nf3 1-0\n", true),
        ("#1. e4 e5 2. Nf3 1-0\n", true),
        ("|1. e4 e5 2. Nf3 1-0\n", true),
        ("[1. e4 e5 2. Nf3 1-0\n", true),
        ("(1. e4 e5 2. Nf3 1-0\n", false),
    ] {
        let found = play(text.as_bytes());
        match all {
            true => assert_eq!(found.games.concat().join(" "), "e4 e5 Nf3", "{text}"),
            false => assert!(found.problems.iter().any(Problem::is_error), "{text}"),
        }
    }
}
