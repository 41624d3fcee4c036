//! Conditions on patterns of the board and on several positions, also in variations.

use emit::{Filter, Plan, Select};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, EnPassantMode, Position as _, fen::Fen};
use testkit::rng::Rng;

use crate::support::{bare, values};

const GAME: &str = "[White \"Smith, A\"]\n[Black \"Jones, B\"]\n[WhiteElo \"2300\"]\n[BlackElo \"2100\"]\n[Result \"0-1\"]\n\n\
    1. e4 e5 (1... c5 2. Nf3 (2. Nc3 d6) 2... d6) (1... e6 2. d4 d5) 2. Nf3 {[%eval 0.3]} Nc6 3. Ng1 Nb8 4. Nf3 Nc6 0-1";

/// Returns the plies of the positions that a condition selects, and the moves played from them.
fn selected(condition: &str, pgn: &str) -> String {
    let filter: Filter = condition.parse().unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan { filter: Some(filter), variations: true, ..bare() };
    values(pgn, "{ply} {san|end}", plan).join(", ")
}

#[test]
fn sequences_follow_each_line_of_the_game() {
    let cases = [
        // Main line and variations from their beginnings; a variation goes on from the line that it
        // leaves.
        ("line = '1. e4 e5 2. Nf3'", "3 Nc6, 4 Ng1, 5 Nb8, 6 Nf3, 7 Nc6, 8 end"),
        ("line = 'e4 c5'", "2 Nf3, 3 d6, 4 end, 3 d6, 4 end"),
        ("line = 'e4 c5 Nc3'", "3 d6, 4 end"),
        ("line = 'e4 e6'", "2 d4, 3 d5, 4 end"),
        ("line = 'd4'", ""),
        ("line = '1.e4' and ply = 1", "1 e5"),
        ("moves ~ 'e4 e5'", "2 Nf3"),
        ("moves ~ 'c5 Nf3'", "3 d6"),
        ("moves ~ 'e4 c5 Nc3 d6'", "4 end"),
        // The move of the main line after a variation.
        ("moves ~ 'e5 Nf3 Nc6'", "4 Ng1"),
        ("moves ~ 'Nc6 Ng1'", "5 Nb8"),
        // A capture and a move without one are different.
        ("moves ~ 'Nxf3'", ""),
        ("moves ~ 'Nf3'", "3 d6, 3 Nc6, 7 Nc6"),
        (
            "reached 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2' and ply > 5",
            "6 Nf3, 7 Nc6, 8 end",
        ),
        ("repetition = 2", "6 Nf3, 7 Nc6, 8 end"),
        ("turn = b for 1 ply and ply < 4", "1 e5, 3 d6, 3 d6, 3 d5, 3 Nc6"),
        ("ply < 3 and turn = b for 1 ply and ply > 0 or san = 'd5'", "1 e5, 3 d5"),
        ("turn = b for 2 plies", ""),
        ("ply > 4 for 3 plies", "7 Nc6, 8 end"),
        ("san = 'c5' then ply > 2", "3 d6, 4 end, 3 d6, 4 end"),
        ("san = 'e5' then turn = w within 1 ply", "2 Nf3"),
        ("san = 'e5' then turn = w within 3 plies", "2 Nf3, 4 Ng1"),
        // The first condition must hold before the second, not with it.
        ("ply = 6 then ply = 6", ""),
        ("ply = 1 then ply = 2 then ply = 3", "3 d6, 3 d6, 3 d5, 3 Nc6"),
        ("(ply = 1 then ply = 2 within 1) and san ~ 'd4'", "2 d4"),
        ("not (ply >= 1 then ply > 1)", "0 e4, 1 e5"),
    ];
    let mut wrong = Vec::new();
    for (condition, expected) in cases {
        // With what follows each position the game is passed on at its end.
        let with_evaluation = format!("({condition}) and not eval = 5000");
        for condition in [condition, &with_evaluation] {
            let found = selected(condition, GAME);
            if found != expected {
                wrong.push(format!("{condition}: {found}, not {expected}"));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_variation_of_the_first_move_of_a_variation_leaves_the_same_position() {
    let pgn =
        "1. a4 Nh6 $2 {[%eval 0.3] good} 2. a5 (2. Nc3 (2. c4 e5 (2... e6 3. e4) 3. d3) b6) *";
    let cases = [
        ("ply >= 0 for 5 plies and ply = 4", "4 d3, 4 e4, 4 end"),
        ("ply >= 0 for 5 plies and ply = 3", ""),
        ("moves ~ 'Nc3 c4'", ""),
        ("moves ~ 'Nh6 c4'", "3 e5"),
        ("moves ~ 'a4 Nh6 c4 e6'", "4 e4"),
        ("line = 'a4 Nh6 c4'", "3 e5, 4 d3, 4 e4, 5 end, 5 end"),
        ("line = 'a4 Nh6 Nc3'", "3 b6, 4 end"),
        ("ply = 2 and eval = 30 then ply = 3 within 1", "3 e5, 3 b6, 3 end"),
        ("comment = 'good' then san within 1 ply", "3 e5, 3 b6"),
        ("nags = '$2' then ply = 4", "4 d3, 4 e4, 4 end"),
    ];
    for (condition, expected) in cases {
        let mut found: Vec<_> = selected(condition, pgn).split(", ").map(str::to_owned).collect();
        let mut expected: Vec<_> = expected.split(", ").map(str::to_owned).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{condition}");
    }
}

#[test]
fn a_variation_before_the_first_move_begins_at_the_start() {
    let pgn = "(1. d4 d5 2. c4) 1. e4 e5 *";
    assert_eq!(selected("line = 'd4 d5'", pgn), "2 c4, 3 end");
    assert_eq!(selected("line = 'e4'", pgn), "1 e5, 2 end");
    assert_eq!(selected("moves ~ 'd4'", pgn), "1 d5");
}

#[test]
fn a_player_is_white_or_black() {
    let cases = [
        ("player ~ 'smith'", true),
        ("player ~ 'jones' and color = b and score = 1", true),
        ("player ~ 'jones' and color = w", false),
        ("player ~ 'smith' and score = 1", false),
        ("player ~ 'smith' and opponent ~ 'jones'", true),
        ("player ~ 'smith' and opponent ~ 'smith'", false),
        ("player_elo = 2100 and opponent_elo = 2300 and color = b", true),
        ("player_elo > 2200 and color = b", false),
        ("opponent_elo - player_elo = 200", true),
        ("score in (0.5, 0) and player ~ 'smith'", true),
        ("player ~ 'jones' or player ~ 'unknown'", true),
        ("player ~ 'unknown'", false),
    ];
    for (condition, expected) in cases {
        let filter: Filter = condition.parse().unwrap();
        let game = pgn::games(GAME.as_bytes()).next().unwrap();
        let verdict = if expected { Some(true) } else { Some(false) };
        assert_eq!(filter.game(game.tags()), verdict, "{condition}");
    }
    // The result is that of the movetext if the tag has none.
    let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 1-0\n";
    assert_eq!(selected("player = 'A' and score = 1 and ply = 1", pgn), "1 end");
    assert_eq!(selected("player = 'B' and score = 1", pgn), "");
    assert_eq!(selected("player = 'A' and score", "[White \"A\"]\n\n1. e4 *\n"), "");
}

#[test]
fn patterns_are_compared_with_the_board() {
    let cases = [
        ("board ~ '8/8/8/8/4P3/8/8/8'", "1 e5, 2 end"),
        ("board ~ '8/8/8/4_3/8/8/8/8' and ply < 3", "0 e4, 1 e5"),
        ("board ~ '8/8/8/4[pP]3/8/8/8/R7'", "2 end"),
        ("board ~ '8/8/8/4a3/4A3/8/8/K7'", ""),
        ("board ~ '8/8/8/4a3/4!3/8/8/A6A'", "2 end"),
        ("board ~ '????????/8/8/8/8/4?3/8/8' and ply = 0", "0 e4"),
        ("either(board ~ '8/8/8/8/4P3/8/8/8')", "1 e5, 2 end"),
        ("either(board ~ '8/8/8/4p3/8/8/8/8')", "1 e5, 2 end"),
        ("mirrored(board ~ '8/8/8/8/3P4/8/8/8')", "1 e5, 2 end"),
        ("mirrored(not board ~ '8/8/8/8/3P4/8/8/8') and ply = 1", "1 e5"),
        ("material = 'KQR2B2N2P8vKQRRBBNNPPPPPPPP' and ply = 1", "1 e5"),
        ("material ~ 'KQ+R1-2B*N2-P7+vKQ?R2BBNNP8' and ply = 1", "1 e5"),
        ("material ~ 'KQR2M4P8 v KQR2M3+P8' and ply = 1", "1 e5"),
        ("material ~ 'KQRRNM3P8vKQRRMMMMP8' and ply = 1", "1 e5"),
        // Two bishops cannot be one minor piece, whatever the number of knights.
        ("material ~ 'KQR2N*M?P8vKQR2M4P8' or material ~ 'KQR2M4P8vKQR2B*MP8'", ""),
        ("material ~ 'KQR2N*M2P8vKQR2B*M2P8' and ply = 1", "1 e5"),
        ("material ~ 'KQR2M3P8vKQR2M4P8' or material ~ 'KvK'", ""),
        ("material ~ 'KQ*R*B*N*vKQ*R*B*N*P*'", ""),
        ("mirrored(either(board ~ '8/8/8/3p4/8/8/8/8')) and ply < 2", "1 e5"),
        ("attacks(wQ, h5)", "1 e5, 2 end"),
        ("attacks(bQ, h4)", "2 end"),
        ("attacks(wA, d5) and not attacks(wN, d5)", "1 e5, 2 end"),
        ("attacks(wP, bA) or attacks(bK, wA)", ""),
        ("attacks(wK, wP) and ply = 0", "0 e4"),
        ("either(attacks(wQ, a5)) or mirrored(attacks(wQ, a5))", "1 e5, 2 end"),
        ("either(attacks(wQ, h5)) and ply = 1", "1 e5"),
    ];
    let found = cases.map(|(condition, _)| (condition, selected(condition, "1. e4 e5 *")));
    let expected = cases.map(|(condition, expected)| (condition, expected.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn mistakes_are_shown_at_their_place() {
    let cases = [
        ("board ~ '8/8/8/8/8/8/8'", 22..22, "eight ranks are expected"),
        ("board ~ '8/8/8/8/8/8/8/8/8'", 24..25, "more than eight ranks"),
        ("board ~ '8/8/8/8/8/8/8/7'", 24..24, "rank 1 has 7 squares"),
        ("board ~ '8/7/8/8/8/8/8/8'", 12..13, "rank 7 has 7 squares"),
        ("board ~ '8/9'", 11..12, "'9' is not a piece"),
        ("board ~ '8/[Q'", 11..12, "`]` is missing"),
        ("board ~ '8/[]7'", 12..13, "']' is not a piece"),
        ("board = '8'", 6..7, "compared with a pattern by ~"),
        ("board ~ 5", 8..9, "expected a pattern of the board in quotes"),
        ("material ~ 'KRP'", 12..15, "has a v between them"),
        ("material = 'KXvK'", 13..14, "a piece is K"),
        ("material ~ 'K2vK'", 12..14, "each side has one king"),
        ("material ~ 'KP3-2vK'", 13..17, "the range is empty"),
        ("attacks(Q, e5)", 8..9, "expected a piece"),
        ("attacks(wQ e5)", 11..13, "expected a comma"),
        ("attacks(wQ, e9)", 12..14, "expected a square"),
        ("attacks(wQ, e5", 14..14, "expected `)`"),
        ("either(check)", 0..13, "for board, material and attacks alone"),
        ("either(mirrored(either(material ~ 'KvK')))", 16..22, "either() in either()"),
        ("line = '1. e4 x'", 14..15, "x is not a move"),
        ("moves ~ ''", 9..9, "one to 63 moves"),
        ("reached 'x'", 9..10, "ranks"),
        ("check for 0 plies", 10..11, "expected a number of plies"),
        ("check for 1.5", 10..13, "expected a number of plies"),
        ("check then", 10..10, "expected a tag"),
        ("check then check within 2 and ply > 3", 26..29, "write parentheses"),
        ("not player = 'A'", 0..3, "cannot be part of `not`"),
        ("player = 'A' for 2 plies", 13..16, "cannot be part of `for`"),
        ("player = 'A' then check", 13..17, "cannot be part of `then`"),
    ];
    let mut wrong = Vec::new();
    for (text, place, reason) in cases {
        let error = text.parse::<Filter>().expect_err(text);
        if (error.start..error.end) != place || !error.reason.contains(reason) {
            wrong.push(format!("{text}: {}..{}: {}", error.start, error.end, error.reason));
        }
    }
    assert_eq!(wrong, [""; 0]);
    let most = vec!["check for 2 plies"; 17].join(" or ");
    let error = most.parse::<Filter>().unwrap_err();
    assert!(error.reason.contains("more than 16"), "{}", error.reason);
}

/// A position on the way to another one, as the naive conditions see it.
#[derive(Clone, Debug)]
struct Visited {
    board: Chess,
    comment: String,
    nags: Vec<u8>,
    /// The move that is played from it on this way.
    san: Option<String>,
}

/// A random game with its variations, and the way to each position that has a record.
struct RandomGame {
    rng: Rng,
    text: String,
    ways: Vec<Vec<Visited>>,
}

const COMMENTS: [(&str, &str); 4] = [
    ("{only\nmove}", "only move"),
    ("{ a  good\n[%eval 0.31] one}", "a good one"),
    ("{[%eval -1.5]}", ""),
    ("{x}", "x"),
];

impl RandomGame {
    fn new(seed: u64) -> Self {
        let (rng, text, ways) = (Rng::new(seed), "[Event \"x\"]\n\n".to_owned(), Vec::new());
        let mut game = RandomGame { rng, text, ways };
        let mut start =
            Visited { board: Chess::default(), comment: String::new(), nags: vec![], san: None };
        game.comment(&mut start);
        let length = game.rng.between(1, 8);
        game.line(&[], start, length, 0);
        game.text.push('*');
        game
    }

    fn comment(&mut self, of: &mut Visited) {
        if self.rng.one_in(3) {
            let (written, text) = self.rng.pick(&COMMENTS);
            self.text.push_str(written);
            self.text.push(' ');
            of.comment = [&of.comment, " ", text].concat().trim().to_owned();
        }
    }

    /// Writes a line from a position, which follows those before it.
    fn line(&mut self, before: &[Visited], start: Visited, length: u32, depth: u32) {
        let (mut way, mut here) = (before.to_vec(), start);
        for at in 0..length {
            if at == 0 && depth < 3 && self.rng.one_in(4) {
                self.variation(&way, &here, depth);
            }
            let (Some(san), board) = self.pick(&here.board) else { break };
            let mut next = Visited { board, comment: String::new(), nags: vec![], san: None };
            if depth > 0 && at == 0 {
                // Before the first move of a variation it is about the position after it.
                self.comment(&mut next);
            }
            let number = here.board.fullmoves();
            let dots = if here.board.turn() == Color::White { "." } else { "..." };
            self.text.push_str(&format!("{number}{dots} {san} "));
            if self.rng.one_in(4) {
                let nag = self.rng.pick(&[2, 4, 6]);
                self.text.push_str(&format!("${nag} "));
                next.nags.push(nag);
            }
            self.comment(&mut next);
            while depth < 4 && self.rng.one_in(3) {
                self.variation(&way, &here, depth);
                self.comment(&mut next);
            }
            here.san = Some(san);
            way.push(here);
            if depth == 0 || at > 0 {
                self.ways.push(way.clone());
            }
            here = next;
        }
        way.push(here);
        self.ways.push(way);
    }

    fn variation(&mut self, before: &[Visited], start: &Visited, depth: u32) {
        let length = self.rng.between(1, 4);
        self.text.push('(');
        self.line(before, start.clone(), length, depth + 1);
        self.text.push_str(") ");
    }

    /// Plays a random move, often one after which a position occurs again.
    fn pick(&mut self, board: &Chess) -> (Option<String>, Chess) {
        let mut legal: Vec<_> = board.legal_moves().into_iter().collect();
        legal.sort_by_key(|played| format!("{played:?}"));
        let is_knight = |san: &str| ["Nf3", "Ng1", "Nf6", "Ng8"].contains(&san);
        let mut sans = legal.iter().map(|played| SanPlus::from_move(board.clone(), *played));
        let knights = sans.position(|san| is_knight(&san.to_string()));
        let chosen = match knights.filter(|_| self.rng.one_in(2)) {
            Some(knight) => legal[knight],
            None if legal.is_empty() => return (None, board.clone()),
            None => self.rng.pick(&legal),
        };
        let san = SanPlus::from_move(board.clone(), chosen).to_string();
        (Some(san), board.clone().play(chosen).unwrap())
    }
}

type Holds = fn(&[Visited]) -> bool;

/// A condition, and the naive way to find whether it holds in the last position of a way.
enum Naive {
    Of(&'static str, Holds),
    For(Box<Naive>, usize),
    Then(Box<Naive>, Box<Naive>, usize),
    Moves(Vec<String>),
    Line(Vec<String>),
    And(Box<Naive>, Box<Naive>),
    Not(Box<Naive>),
}

fn last(way: &[Visited]) -> &Visited {
    way.last().unwrap()
}

fn occurred(way: &[Visited]) -> usize {
    let key = |visited: &Visited| {
        let fen = Fen::from_position(&visited.board, EnPassantMode::Legal).to_string();
        fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
    };
    way.iter().filter(|visited| key(visited) == key(last(way))).count()
}

const NAIVE: [(&str, Holds); 14] = [
    ("turn = b", |way| last(way).board.turn() == Color::Black),
    ("comment ~ 'only move'", |way| last(way).comment.contains("only move")),
    ("comment ~ 'a good one'", |way| last(way).comment.contains("a good one")),
    ("comment", |way| !last(way).comment.is_empty()),
    ("nags ~ '$4'", |way| last(way).nags.contains(&4)),
    ("nags", |way| !last(way).nags.is_empty()),
    ("san ~ 'N'", |way| last(way).san.as_ref().is_some_and(|san| san.contains('N'))),
    ("san", |way| last(way).san.is_some()),
    ("ply in 2..4", |way| (2..=4).contains(&(way.len() - 1))),
    ("pieces < 32", |way| last(way).board.board().occupied().count() < 32),
    ("repetition >= 2", |way| occurred(way) >= 2),
    ("repetition + ply - ply > 1", |way| occurred(way) > 1),
    ("repetition", |_| true),
    ("check", |way| last(way).board.is_check()),
];

impl Naive {
    fn random(rng: &mut Rng, way: &[Visited], depth: u32) -> Naive {
        let inner = |rng: &mut Rng| Box::new(Naive::random(rng, way, depth + 1));
        let sans: Vec<String> = way.iter().filter_map(|visited| visited.san.clone()).collect();
        match if depth > 2 { 0 } else { rng.below(9) } {
            1 => Naive::For(inner(rng), rng.between(1, 4) as usize),
            2 => Naive::Then(inner(rng), inner(rng), rng.between(1, 4) as usize),
            3 => Naive::Then(inner(rng), inner(rng), usize::MAX),
            4 if !sans.is_empty() => {
                let from = rng.below(sans.len() as u32) as usize;
                Naive::Moves(
                    sans[from..].iter().take(rng.between(1, 3) as usize).cloned().collect(),
                )
            }
            5 if !sans.is_empty() => Naive::Line(sans),
            6 => Naive::And(inner(rng), inner(rng)),
            7 => Naive::Not(inner(rng)),
            _ => {
                let (text, holds) = rng.pick(&NAIVE);
                Naive::Of(text, holds)
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Naive::Of(text, _) => (*text).to_owned(),
            Naive::For(of, plies) => format!("(({}) for {plies} plies)", of.text()),
            Naive::Then(first, then, usize::MAX) => {
                format!("(({}) then ({}))", first.text(), then.text())
            }
            Naive::Then(first, then, within) => {
                format!("(({}) then ({}) within {within})", first.text(), then.text())
            }
            Naive::Moves(moves) => format!("moves ~ '{}'", moves.join(" ")),
            Naive::Line(moves) => format!("line = '{}'", moves.join(" ")),
            Naive::And(a, b) => format!("({} and {})", a.text(), b.text()),
            Naive::Not(of) => format!("(not ({}))", of.text()),
        }
    }

    fn holds(&self, way: &[Visited]) -> bool {
        let sans: Vec<&String> = way[..way.len() - 1].iter().flat_map(|one| &one.san).collect();
        let first = |of: &Naive, count: usize| of.holds(&way[..count]);
        match self {
            Naive::Of(_, holds) => holds(way),
            Naive::For(of, plies) => {
                way.len() >= *plies
                    && (way.len() - plies + 1..=way.len()).all(|count| first(of, count))
            }
            Naive::Then(one, then, within) => {
                let from = way.len().saturating_sub(*within).max(1);
                then.holds(way) && (from..way.len()).any(|count| first(one, count))
            }
            Naive::Moves(moves) => sans.ends_with(&moves.iter().collect::<Vec<_>>()),
            Naive::Line(moves) => sans.starts_with(&moves.iter().collect::<Vec<_>>()),
            Naive::And(a, b) => a.holds(way) && b.holds(way),
            Naive::Not(of) => !of.holds(way),
        }
    }
}

#[test]
fn sequences_in_random_variations_are_those_of_a_naive_matcher() {
    let (mut found, mut wrong) = (0, Vec::new());
    for seed in 0..400 {
        let mut game = RandomGame::new(seed);
        let way = game.rng.below(game.ways.len() as u32) as usize;
        let naive = Naive::random(&mut game.rng, &game.ways[way], 0);
        let condition = naive.text();
        let first = game.rng.pick(&[0, 0, 2, 4]);
        let mut expected: Vec<String> = game
            .ways
            .iter()
            .filter(|way| way.len() > first as usize && naive.holds(way))
            .map(|way| {
                let fen = Fen::from_position(&last(way).board, EnPassantMode::Always);
                format!("{} {} {fen}", way.len() - 1, last(way).san.as_deref().unwrap_or("end"))
            })
            .collect();
        expected.sort();
        // With what follows each position the game is passed on at its end.
        for condition in [condition.clone(), format!("({condition}) and not eval = 5000")] {
            let filter = condition.parse().unwrap_or_else(|error| panic!("{error}"));
            let select = Select { first, ..Select::default() };
            let plan = Plan { filter: Some(filter), variations: true, select, ..bare() };
            let mut records = values(&game.text, "{ply} {san|end} {fen}", plan);
            records.sort();
            found += records.len();
            if records != expected {
                let text = &game.text;
                wrong.push(format!("{seed}: {condition}\n{text}\n{records:#?}\nnot {expected:#?}"));
            }
        }
    }
    wrong.sort_by_key(String::len);
    assert!(wrong.is_empty(), "{} wrong, such as {}", wrong.len(), wrong[0]);
    assert!(found > 3000, "{found}");
}
