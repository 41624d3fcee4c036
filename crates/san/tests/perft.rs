//! Exact perft counts (figures: chessprogramming.org, Perft Results).

use san::Position;
use shakmaty::{CastlingMode, Chess, Setup};

const SUITE: &[(&str, &[u64])] = &[
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624, 11_030_083]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
];

/// Larger counts are only tested with the feature `deep-perft`, in release mode.
const SHALLOW: u64 = if cfg!(feature = "deep-perft") { u64::MAX } else { 1_000_000 };

#[test]
fn perft_of_the_six_standard_positions_is_exact() {
    for (fen, counts) in SUITE {
        let position = Position::from_fen(fen).unwrap();
        for (depth, count) in (1..).zip(*counts).filter(|(_, count)| **count <= SHALLOW) {
            assert_eq!(position.perft(depth), *count, "{fen} at depth {depth}");
        }
    }
}

#[test]
fn perft_of_all_start_positions_of_chess960_is_that_of_shakmaty() {
    let depth = if cfg!(feature = "deep-perft") { 4 } else { 2 };
    for number in 0..960 {
        let theirs = chess960(number);
        let ours = Position::try_from(&theirs).unwrap();
        assert_eq!(ours.perft(depth), shakmaty::perft(&theirs, depth), "{ours}");
    }
}

/// Chess960 positions that exercise castling: kings and rooks with rights, with nothing in between,
/// on every pair of files.
#[test]
fn perft_with_castling_in_chess960_is_that_of_shakmaty() {
    for king in 1..7_usize {
        for rook in (0..8).filter(|rook| *rook != king) {
            for attacker in 0..8 {
                let mut home = [b'1'; 8];
                (home[king], home[rook]) = (b'K', b'R');
                let mut away = [b'1'; 8];
                away[attacker] = b'r';
                away[if attacker == 7 { 0 } else { 7 }] = b'k';
                let (home, away) = (String::from_utf8_lossy(&home), String::from_utf8_lossy(&away));
                let file = char::from(b'A' + rook as u8);
                let fen = format!("{away}/8/8/8/8/8/8/{home} w {file} - 0 1");
                let Ok(ours) = Position::from_fen(&fen) else { continue };
                assert_eq!(ours.perft(2), shakmaty::perft(&Chess::from(&ours), 2), "{fen}");
            }
        }
    }
}

fn chess960(number: u32) -> Chess {
    let board = shakmaty::Board::chess960(number);
    let setup = Setup { castling_rights: board.rooks(), board, ..Setup::initial() };
    setup.position(CastlingMode::Chess960).unwrap()
}
