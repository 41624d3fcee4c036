//! Games that are written: whole, cut, without parts, with their openings; and how games end.

use std::sync::Arc;

use emit::{Filter, GameForm, Plan, Replay, Select, SelectedGames, Text};
use pgn::Chunk;
use san::{Position, PositionKey, PositionSet};

use testkit::rng::Rng;
use testkit::tree::Tree;

use crate::support::{AFTER_E4, bare, values};

const GAME: &str =
    "[Opening \"x\"]\n\n{a} 1. e4! {b [%clk 0:01]} (1. d4 d5) 1... e5 2. Nf3 (2. f4) 2... d6 *\n";

/// Returns the opening tags, the tag FEN and the moves of the game in a form, from the first to the
/// last ply.
fn written_of(pgn: &str, form: &str, first: u32, last: u32) -> String {
    let games: GameForm = form.parse().unwrap();
    let select = Select { first, last, ..Select::default() };
    let names = openings::NameSource::Embedded;
    let plan = Plan { games, select, names, wants_text: true, variations: true, ..bare() };
    let (mut text, chunk) = (Text::default(), Chunk::whole(pgn.as_bytes()));
    let mut sink = SelectedGames::new(&mut text, &plan, chunk, false);
    Replay::new(chunk, &plan).run(&mut sink);
    sink.finish(pgn.len());
    let text = String::from_utf8(text.bytes.as_bytes().to_vec()).unwrap();
    let is_shown = |line: &&str| {
        !line.starts_with('[')
            || ["[ECO", "[Opening", "[FEN"].iter().any(|tag| line.starts_with(tag))
    };
    text.lines().filter(is_shown).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("|")
}

#[test]
fn a_form_says_what_is_written_of_a_game() {
    let moves = "{a} 1. e4 $1 {b [%clk 0:01]} (1. d4 d5) 1... e5 2. Nf3 (2. f4) 2... d6 *";
    let all = u32::MAX;
    let after_e4 = format!("[FEN \"{AFTER_E4} 0 1\"]");
    let cases = [
        ("normal", 0, all, format!("[Opening \"x\"]|{moves}")),
        ("no-tags", 0, all, moves.to_owned()),
        ("no-tags,no-comments", 0, all, "1. e4 $1 (1. d4 d5) 1... e5 2. Nf3 (2. f4) 2... d6 *".into()),
        ("no-tags,no-clocks", 0, all, moves.replace(" [%clk 0:01]", "")),
        ("no-tags,no-nags", 0, all, moves.replace(" $1", "")),
        ("no-tags,no-variations", 0, all, "{a} 1. e4 $1 {b [%clk 0:01]} 1... e5 2. Nf3 d6 *".into()),
        ("no-tags,uci,no-variations,no-comments", 2, all, "1. e2e4 $1 e7e5 2. g1f3 d7d6 *".into()),
        ("no-tags,lan,no-variations,no-comments", 2, all, "1. e2-e4 $1 e7-e5 2. Ng1-f3 d7-d6 *".into()),
        // From the second position to the last but one.
        ("no-tags,selected", 1, 3, format!("{after_e4}|1... e5 2. Nf3 (2. f4) *")),
        ("no-tags,no-variations,selected", 1, 3, format!("{after_e4}|1... e5 2. Nf3 *")),
        ("no-tags,selected", 0, 1, "{a} 1. e4 $1 {b [%clk 0:01]} (1. d4 d5) *".into()),
        ("selected,openings", 0, 0, "[Opening \"Philidor Defense\"]|[ECO \"C41\"]|{a} *".into()),
        ("openings", 0, all, "[Opening \"Philidor Defense\"]|[ECO \"C41\"]|{a} 1. e4! {b [%clk 0:01]} (1. d4 d5) 1... e5 2. Nf3 (2. f4) 2... d6 *".into()),
        ("normal", 9, all, String::new()),
    ];
    for (form, first, last, expected) in cases {
        assert_eq!(written_of(GAME, form, first, last), expected, "{form} {first}..{last}");
    }
}

#[test]
fn a_move_of_black_has_its_number_after_a_comment_or_a_variation_and_signs_are_nags() {
    let mut rng = Rng::new(21);
    for _ in 0..1000 {
        let tree = Tree::new(&mut |bound| rng.below(bound));
        let found = written_of(&format!("{} *\n", tree.pgn), "no-tags", 0, u32::MAX);
        let words: Vec<&str> = found.split(['|', ' ']).collect();
        let expected = format!("{} *", tree.normal);
        assert_eq!(words, expected.split(' ').collect::<Vec<_>>(), "{}", tree.pgn);
    }
}

/// The signs of the annotations of section 10 of the standard, and of those that chess programs
/// have added to it.
const SIGNS: [(u8, &str, &str); 27] = [
    (1, "good move", "!"),
    (2, "poor move", "?"),
    (3, "very good move", "!! ‼"),
    (4, "very poor move", "?? ⁇"),
    (5, "speculative move", "!? ⁉"),
    (6, "questionable move", "?! ⁈"),
    (7, "forced move", "□"),
    (10, "drawish position", "="),
    (13, "unclear position", "∞"),
    (14, "White has a slight advantage", "+= += ⩲ +/="),
    (15, "Black has a slight advantage", "=+ ⩱ =/+"),
    (16, "White has a moderate advantage", "± +/-"),
    (17, "Black has a moderate advantage", "∓ -/+"),
    (18, "White has a decisive advantage", "+- +--"),
    (19, "Black has a decisive advantage", "-+ --+"),
    (22, "White is in zugzwang", "⨀"),
    (26, "White has a moderate space advantage", "○"),
    (36, "White has the initiative", "↑"),
    (40, "White has the attack", "→"),
    (44, "White has sufficient compensation for material deficit", "=/∞"),
    (132, "White has moderate counterplay", "⇆"),
    (138, "White has severe time control pressure", "⊕"),
    (140, "with the idea", "∆"),
    (142, "better is", "⌓"),
    (145, "editorial comment", "RR"),
    (146, "novelty", "N TN"),
    (220, "diagram", "D"),
];

#[test]
fn signs_are_the_nags_of_the_standard() {
    for (nag, meaning, signs) in SIGNS {
        for sign in signs.split(' ') {
            for pgn in [format!("1. e4 {sign} e5 *"), format!("1. e4 {{a}} {sign} 1... e5 *")] {
                let found = written_of(&pgn, "no-tags", 0, u32::MAX);
                assert_eq!(found, pgn.replace(sign, &format!("${nag}")), "{meaning}");
            }
            let black = format!("1. e4 e5 {sign} *");
            let found = written_of(&black, "no-tags", 0, u32::MAX);
            assert_eq!(found, format!("1. e4 e5 ${nag} *"), "{meaning}");
        }
    }
    // What a sign says of White, the same in a mirror says of Black: the next number.
    let side = |nag: u8| SIGNS.iter().find(|(other, ..)| *other == nag).unwrap().2;
    for nag in [14, 16, 18] {
        let mirrored = |sign: &str| sign.chars().rev().collect::<String>();
        let ascii = |signs: &'static str| signs.split(' ').filter(|sign| sign.is_ascii());
        for sign in ascii(side(nag)) {
            let is_mirrored = |other: &str| other == mirrored(sign) || sign == "+--";
            assert!(ascii(side(nag + 1)).any(is_mirrored), "{sign}");
        }
    }
}

#[test]
fn a_code_of_an_opening_is_kept_if_it_says_no_less() {
    // The tags as they are, and as they are written.
    let kept = ["C41", "C41/05", "C41a"].map(|code| (code, code));
    let replaced = ["C4", "C", "", "?", "C42", "c41"].map(|code| (code, "C41"));
    let rest = "[Opening \"Philidor Defense\"]\n\n1. e4 e5 2. Nf3 d6 *";
    for form in ["openings", "no-comments,openings"] {
        for (before, after) in kept.into_iter().chain(replaced) {
            let found = written_of(&format!("[ECO \"{before}\"]\n{rest}\n"), form, 0, u32::MAX);
            let after = if form == "openings" { after } else { "C41" };
            let expected =
                format!("[ECO \"{after}\"]\n{rest}").replace("\n\n", "|").replace('\n', "|");
            assert_eq!(found, expected, "{form} {before}");
        }
    }
}

/// Returns the plies at which a filter holds.
fn plies(pgn: &str, filter: Filter) -> String {
    values(pgn, "{ply}", Plan { filter: Some(filter), ..bare() }).join(" ")
}

#[test]
fn a_filter_of_positions_holds_from_them_on() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 5 9";
    let key = PositionKey::of(&Position::from_fen(fen).unwrap());
    let positions = Arc::new(PositionSet::from_iter([key]));
    for (filter, expected) in [(None, "2 3 4"), (Some("turn = b or ply = 0"), "3")] {
        let filter = filter.map(|filter| filter.parse().unwrap());
        let reaching = Filter::reaching(filter, positions.clone());
        assert_eq!(plies("1. e4 e5 2. Nf3 d6 *\n\n1. d4 d5 2. e4 e5 *\n", reaching), expected);
    }
    // As many other sequences as a condition may have.
    let many: Vec<String> = (1..=16).map(|plies| format!("ply > 0 for {plies} plies")).collect();
    let filter: Filter = many.join(" or ").parse().unwrap();
    assert_eq!(plies("1. e4 e5 2. Nf3 *", Filter::reaching(Some(filter), positions)), "2 3");
}

#[test]
fn the_end_of_a_game_is_known_from_its_beginning() {
    let mate = "[Termination \"Time forfeit\"]\n\n1. f3 (1. e4 e5) 1... e5 2. g4 Qh4 0-1\n";
    let cases = [
        (mate, "checkmate"),
        ("[Termination \"Time forfeit\"]\n\n1. e4 0-1\n", "time forfeit"),
        ("[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 *\n", "stalemate"),
        ("1. e4 (1. f3 e5 2. g4 Qh4) *\n", ""),
    ];
    for (pgn, ending) in cases {
        for other in ["checkmate", "time forfeit", "stalemate"] {
            let filter = format!("ply = 0 and termination = '{other}'").parse().unwrap();
            assert_eq!(plies(pgn, filter), if other == ending { "0" } else { "" }, "{pgn}");
        }
    }
}
