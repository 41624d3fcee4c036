//! Whatever an engine writes, an answer has legal moves, and is of bounded size.
#![no_main]

use engine::{Answer, Board, EngineOption, Limits, Question, Settings};
use libfuzzer_sys::fuzz_target;
use pgn2epd::Position;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _};

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9",
    "8/P6k/8/8/8/8/p6K/8 b - - 97 120",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

fuzz_target!(|input: (u8, u16, &str)| {
    let (start, nodes, text) = input;
    let start = STARTS[usize::from(start) % STARTS.len()];
    let question = Question::new(Board::Chess(Position::from_fen(start).expect("a FEN")));
    let limits = Limits { nodes: Some(nodes.into()), ..Limits::default() };
    let settings = Settings { limits, ..Settings::new("x".parse().expect("a command")) };
    for line in text.lines() {
        if let Some(option) = EngineOption::read(line) {
            assert!(!option.name.is_empty() && option.is_named(&option.name.to_uppercase()));
        }
    }
    let Ok(answer) = Answer::read(&question, &settings, text.lines()) else { return };
    let fen: Fen = start.parse().expect("a FEN");
    let fen: Chess = fen.into_position(CastlingMode::Chess960).expect("a position");
    let plays = |moves: &[pgn2epd::chess::MoveText]| {
        let mut position = fen.clone();
        for mv in moves {
            let san: SanPlus = mv.as_str().parse().expect("SAN");
            position.play_unchecked(san.san.to_move(&position).expect("it is legal"));
        }
    };
    plays(&[answer.best]);
    answer.lines.iter().for_each(|line| plays(&line.moves));
    answer.findings.iter().for_each(|found| plays(&[found.best]));
    assert!(answer.lines.len() <= 1024 && answer.findings.len() <= 1024);
});
