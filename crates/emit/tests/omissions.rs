//! What `--omit` leaves out, position by position, against definitions by the rules of shakmaty.

use emit::{Omission, Plan, Select};
use san::Keyword;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Move, Position as _};
use testkit::rng::Rng;

use crate::support::{bare, lines, replay, run};

/// A position of a game, and what the comments have on it.
struct Ply {
    position: Chess,
    next: Option<Move>,
    has_evaluation: bool,
    has_mate: bool,
    is_of_book: bool,
}

/// Positions with few pieces: games from them reach mates, stalemates, promotions and positions in
/// which neither side can win, and go on.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/8/4k3/8/3p4/4K1N1 w - - 0 1",
    "8/P7/8/8/8/5k2/8/6K1 w - - 0 1",
    "k7/8/1K6/8/8/8/1r6/2Q5 w - - 0 1",
    "7k/8/5KN1/8/8/8/8/7b b - - 0 1",
    "8/4P3/8/k1K5/8/8/8/2b5 b - - 0 1",
    "k1b5/8/8/8/8/8/8/B1K5 w - - 0 1",
    "6k1/5ppp/8/3pP3/8/8/5PPP/R5K1 w - d6 0 1",
];

/// What the comments of a game are about.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// The position after the move: `[%eval 0.25]`.
    After,
    /// The position before the move: `+0.25/12 1s`, `book`.
    Before,
}

/// Plays a random game; returns its text and positions.
fn game(rng: &mut Rng) -> (String, Vec<Ply>) {
    let fen = rng.pick(&STARTS);
    let mut position: Chess =
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    let style = rng.pick(&[Style::After, Style::Before]);
    let mut text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n");
    let mut plies: Vec<Ply> = Vec::new();
    // An evaluation and a mate of the next position, from the comment before it.
    let mut said = (false, false);
    for _ in 0..=rng.between(0, 60) {
        let moves = position.legal_moves();
        let (has_evaluation, has_mate) = said;
        let here = position.clone();
        let mut ply =
            Ply { position: here, next: None, has_evaluation, has_mate, is_of_book: false };
        if moves.is_empty() {
            break;
        }
        let next = moves[rng.below(moves.len() as u32) as usize];
        text += &format!("{} ", SanPlus::from_move(position.clone(), next));
        position.play_unchecked(next);
        said = (false, false);
        let what = rng.below(4);
        match (style, what) {
            (_, 0) => {}
            (Style::After, 1) => (text, said) = (text + "{[%eval #-3]} ", (true, true)),
            (Style::After, _) => (text, said) = (text + "{[%eval -0.5]} ", (true, false)),
            (Style::Before, 1) => {
                text += "{-M6/12 0.1s} ";
                (ply.has_evaluation, ply.has_mate) = (true, true);
            }
            (Style::Before, 2) => (text, ply.is_of_book) = (text + "{book} ", true),
            (Style::Before, _) => (text, ply.has_evaluation) = (text + "{+0.31/9 0.1s} ", true),
        }
        plies.push(Ply { next: Some(next), ..ply });
    }
    let (has_evaluation, has_mate) = said;
    plies.push(Ply { position, next: None, has_evaluation, has_mate, is_of_book: false });
    (text + "*\n\n", plies)
}

/// Whether a word omits a position.
fn is_omitted(word: Omission, number: usize, ply: &Ply) -> bool {
    let Ply { position, next, .. } = ply;
    let is_played = |is: fn(&Chess, Move) -> bool| next.is_some_and(|next| is(position, next));
    let is_stalemate = position.is_stalemate();
    match word {
        Omission::Start => number == 0,
        Omission::Check => position.is_check(),
        Omission::Captures => is_played(|_, next| next.is_capture()),
        Omission::Promotions => is_played(|_, next| next.is_promotion()),
        Omission::CheckingMoves => {
            is_played(|position, next| position.clone().play(next).unwrap().is_check())
        }
        Omission::Finished => {
            position.legal_moves().is_empty() || position.is_insufficient_material()
        }
        Omission::BookMoves => ply.is_of_book,
        Omission::Unevaluated => !ply.has_evaluation,
        // A draw on the board has no mate, whatever a comment has (EPD 5.6).
        Omission::Mates => {
            position.is_checkmate()
                || ply.has_mate && !is_stalemate && !position.is_insufficient_material()
        }
        other => panic!("{other} is about games"),
    }
}

const OF_POSITIONS: [Omission; 9] = [
    Omission::Start,
    Omission::Check,
    Omission::Captures,
    Omission::Promotions,
    Omission::CheckingMoves,
    Omission::Finished,
    Omission::BookMoves,
    Omission::Unevaluated,
    Omission::Mates,
];

/// Returns the plies that are written, and the counts of what is omitted.
fn written(pgn: &str, omit: &str) -> (Vec<usize>, emit::Omitted) {
    let templates = vec!["id={ply}".parse().unwrap()];
    let plan = Plan { omit: omit.parse().unwrap(), templates, ..bare() };
    let (text, counts) = run(pgn, &plan);
    assert_eq!(text.problems, [], "{pgn}");
    let ply = |line: &str| line.split('"').nth(1).unwrap().parse().unwrap();
    let plies = lines(&text).into_iter().map(ply).collect();
    let mut omitted = text.counts.omitted;
    omitted += counts.omitted;
    (plies, omitted)
}

#[test]
fn each_word_omits_the_positions_of_its_definition_in_every_game() {
    let mut rng = Rng::new(13);
    let mut counts = [0; OF_POSITIONS.len()];
    for _ in 0..2000 {
        let (pgn, plies) = game(&mut rng);
        let mut sets: Vec<Vec<Omission>> = OF_POSITIONS.map(|word| vec![word]).to_vec();
        sets.push(OF_POSITIONS.into_iter().filter(|_| rng.one_in(3)).collect());
        for words in sets.iter().filter(|words| !words.is_empty()) {
            let (kept, omitted): (Vec<usize>, Vec<usize>) = (0..plies.len()).partition(|number| {
                !words.iter().any(|word| is_omitted(*word, *number, &plies[*number]))
            });
            let list = words.iter().map(|word| word.word()).collect::<Vec<_>>().join(",");
            let (found, counted) = written(&pgn, &list);
            assert_eq!(found, kept, "{list}: {pgn}");
            let total: u64 = counted.all().map(|(_, count)| count).sum();
            assert_eq!(total, omitted.len() as u64, "{list}: {pgn}");
            if let [word] = words[..] {
                assert_eq!(counted.count(word), total, "{list}: {pgn}");
                counts[OF_POSITIONS.iter().position(|other| *other == word).unwrap()] += total;
            }
        }
    }
    // Every word is tried on positions that it omits.
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}

#[test]
fn a_position_counts_for_the_first_option_that_excludes_it() {
    let pgn = "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *\n\n1. d4 d5 *\n";
    let count = |omit: &str, select: Select, filter: &str| {
        let filter = Some(filter.parse().unwrap());
        let plan = Plan { omit: omit.parse().unwrap(), select, filter, ..bare() };
        let text = replay(pgn, &plan);
        let words = text.counts.omitted.all().filter(|(_, count)| *count > 0);
        (text.counts.positions, words.map(|(word, count)| (word.word(), count)).collect::<Vec<_>>())
    };
    let last = Select { only_final: true, ..Select::default() };
    // Of ten positions two are the last of their games, and one of those is after three moves.
    assert_eq!(count("none", last, "ply > 5"), (1, vec![("ply", 8), ("where", 1)]));
    let from_2 = Select { first: 2, ..Select::default() };
    let expected = (3, vec![("start", 2), ("captures", 2), ("ply", 2), ("where", 1)]);
    assert_eq!(count("start,captures", from_2, "turn = w or ply > 4"), expected);
}

#[test]
fn games_are_omitted_by_the_way_they_ended() {
    let terminations = ["time forfeit", "abandoned", "adjudication", "normal", "illegal move", ""];
    let cases = [
        (Omission::TimeForfeits, vec!["time forfeit"]),
        (Omission::Abandoned, vec!["abandoned", "illegal move"]),
        (Omission::Adjudicated, vec!["adjudication"]),
    ];
    assert_eq!(OF_POSITIONS.len() + cases.len(), Omission::LISTED.len());
    for (word, ends) in cases {
        for termination in terminations {
            let pgn = format!("[Termination \"{termination}\"]\n\n1. e4 e5 1-0\n");
            let is_kept = !ends.contains(&termination);
            let plies = written(&pgn, word.word()).0;
            assert_eq!(plies.len(), if is_kept { 3 } else { 0 }, "{word} {termination}");
        }
    }
}
