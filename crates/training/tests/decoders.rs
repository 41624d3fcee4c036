//! What the encoder writes, as decoded by the crates that define the formats.

use proptest::prelude::*;
use san::{CastlingStyle, Color, EnPassantPolicy};
use testkit::rng::Rng;
use training::{Encoder, GameResult, TrainingFormat};

use crate::games::{self, Expected, RandomGame, encode, fen};

fn games(seed: u64, chess960: bool) -> Vec<RandomGame> {
    let mut dice = Rng::new(seed);
    (0..4).map(|_| games::random(&mut dice, chess960)).collect()
}

fn encoded(format: TrainingFormat, games: &[RandomGame]) -> (Vec<u8>, Vec<Expected>) {
    let mut encoder = Encoder::new(format);
    let written = encode(&mut encoder, games);
    (games::file(format, &encoder), written)
}

/// The score of White.
fn white(expected: &Expected) -> i16 {
    let score = expected.score;
    expected.position.turn().fold_wb(score, score.of_other_side()).get()
}

fn own_points(expected: &Expected) -> i16 {
    i16::from(expected.result.halves(expected.position.turn())) - 1
}

fn check_viriformat(seed: u64, chess960: bool) {
    use viriformat::dataformat::{Game, WDL};

    let (bytes, written) = encoded(TrainingFormat::Viriformat, &games(seed, chess960));
    let (mut rest, mut written) = (&bytes[..], written.iter());
    while !rest.is_empty() {
        let game = Game::deserialise_from(&mut rest, Vec::new()).unwrap();
        let mut moves = game.moves.iter();
        game.visit_positions(|board, score| {
            let expected = written.next().unwrap();
            let (played, _) = moves.next().unwrap();
            let style = if chess960 { CastlingStyle::Shredder } else { CastlingStyle::XFen };
            let text = board.to_string();
            let fen = fen(&expected.position, style, EnPassantPolicy::Pseudo);
            if chess960 {
                // The crate writes rights of Chess960 in its own way: compare the other fields.
                let other = |text: &str| {
                    let fields = text.split(' ').enumerate().filter(|(field, _)| *field != 2);
                    fields.map(|(_, text)| text.to_owned()).collect::<Vec<_>>()
                };
                assert_eq!(other(&text), other(&fen));
            } else {
                assert_eq!(text, fen);
                let uci = san::uci_of(expected.played).to_string();
                assert_eq!(played.display(false).to_string(), uci);
            }
            assert_eq!(score, i32::from(white(expected)));
            let wdl = match expected.result {
                GameResult::WhiteWins => WDL::Win,
                GameResult::Draw => WDL::Draw,
                GameResult::BlackWins => WDL::Loss,
            };
            assert_eq!(game.outcome(), wdl);
        });
    }
    assert!(written.next().is_none());
}

fn check_binpack(seed: u64, chess960: bool) {
    use sfbinpack::{CompressedTrainingDataEntryReader, CompressedTrainingDataEntryWriter};

    let (bytes, written) = encoded(TrainingFormat::Binpack, &games(seed, chess960));
    if written.is_empty() {
        return assert!(bytes.is_empty());
    }
    let mut reader = CompressedTrainingDataEntryReader::from_slice(&bytes).unwrap();
    let mut writer = CompressedTrainingDataEntryWriter::new_in_memory().unwrap();
    for expected in &written {
        assert!(reader.has_next());
        let entry = reader.next();
        assert_eq!(
            entry.pos.fen().unwrap(),
            fen(&expected.position, CastlingStyle::XFen, EnPassantPolicy::Legal)
        );
        assert_eq!(entry.mv.as_uci(), san::uci_of(expected.played).to_string());
        assert_eq!(entry.score, expected.score.get());
        let turn = expected.position.turn();
        let ply = 2 * (expected.position.fullmoves() - 1) + turn.fold_wb(0, 1);
        assert_eq!(u32::from(entry.ply), ply);
        assert_eq!(entry.result, own_points(expected));
        writer.write_entry(&entry).unwrap();
    }
    assert!(!reader.has_next());
    assert!(writer.into_bytes().unwrap() == bytes, "the crate writes other bytes");
}

fn check_bulletformat(seed: u64, chess960: bool) {
    use bulletformat::{BulletFormat, ChessBoard};

    let (bytes, written) = encoded(TrainingFormat::Bulletformat, &games(seed, chess960));
    assert_eq!(bytes.len(), 32 * written.len());
    for (record, expected) in bytes.chunks(32).zip(&written) {
        let points = ["0.0", "0.5", "1.0"][usize::from(expected.result.halves(Color::White))];
        let fen = fen(&expected.position, CastlingStyle::XFen, EnPassantPolicy::Legal);
        // The crate's text has White's score; it cannot negate -32768, which is not written.
        let text = format!("{fen} | {} | {points}", white(expected));
        let board: ChessBoard = text.parse().unwrap();
        assert_eq!(ChessBoard::as_bytes_slice(&[board]), record, "{text}");
        assert_eq!(board.score(), expected.score.get());
        assert_eq!(board.result_idx() as i16, own_points(expected) + 1);
    }
}

fn check_marlinformat(seed: u64, chess960: bool) {
    use viriformat::chess::board::Board;

    let (bytes, written) = encoded(TrainingFormat::Marlinformat, &games(seed, chess960));
    assert_eq!(bytes.len(), 32 * written.len());
    for (record, expected) in bytes.chunks(32).zip(&written) {
        let style = if chess960 { CastlingStyle::Shredder } else { CastlingStyle::XFen };
        let mut board = Board::new();
        let fen = fen(&expected.position, style, EnPassantPolicy::Pseudo);
        board.set_from_fen(&fen, chess960).unwrap();
        let points = expected.result.halves(Color::White);
        let packed = board.to_marlinformat(white(expected), points, 0);
        assert_eq!(packed.as_bytes(), record, "{}", expected.position);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn viriformat_is_what_its_crate_reads(seed: u64, chess960: bool) {
        check_viriformat(seed, chess960);
    }

    #[test]
    fn binpack_is_what_its_crate_reads_and_writes(seed: u64, chess960: bool) {
        check_binpack(seed, chess960);
    }

    #[test]
    fn bulletformat_is_what_its_crate_makes_of_text(seed: u64, chess960: bool) {
        check_bulletformat(seed, chess960);
    }

    #[test]
    fn marlinformat_is_what_its_crate_packs(seed: u64, chess960: bool) {
        check_marlinformat(seed, chess960);
    }
}
