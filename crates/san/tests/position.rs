//! What a position tells: its pieces, its clocks, whether the game is over; and what passing and
//! playing do to it.

use san::{
    Bitboard, Color, IllegalMove, MoveCode, Position, PositionKey, Role, Setup, Square, resolve,
    san_of, uci_of,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

#[test]
fn the_piece_on_a_square_is_given_as_a_letter_and_as_a_kind() {
    let (start, setup) = (position(START), Setup::from_fen(START.as_bytes()).unwrap());
    for (square, letter, role) in [
        (Square::A1, Some('R'), Some(Role::Rook)),
        (Square::G8, Some('n'), Some(Role::Knight)),
        (Square::C8, Some('b'), Some(Role::Bishop)),
        (Square::D1, Some('Q'), Some(Role::Queen)),
        (Square::E8, Some('k'), Some(Role::King)),
        (Square::H7, Some('p'), Some(Role::Pawn)),
        (Square::E4, None, None),
    ] {
        assert_eq!(start.letter(square), letter, "{square}");
        assert_eq!(setup.letter(square), letter, "{square}");
        assert_eq!(start.role(square), role, "{square}");
    }
    assert_eq!(start.king(Color::Black), Square::E8);
    assert_eq!(start.pieces(Role::King), Bitboard::from(Square::E1).with(Square::E8));
    assert_eq!(start.side(Color::White).count(), 16);
    assert_eq!(start.castling_rooks(), Bitboard::CORNERS);
    assert_eq!(format!("{start:?}"), format!("Position({START})"));
}

#[test]
fn clocks_are_set_and_a_fullmove_number_is_at_least_one() {
    for (halfmoves, fullmoves, expected) in [
        (0, 1, "0 1"),
        (99, 150, "99 150"),
        (3, 0, "3 1"),
        (u32::MAX, u32::MAX, "4294967295 4294967295"),
    ] {
        let expected = START.replace("0 1", expected);
        let set = Position::default().with_clocks(halfmoves, fullmoves);
        assert_eq!(set.to_string(), expected);
        let mut setup = Setup::from(&Position::default());
        setup.set_clocks(halfmoves, fullmoves);
        assert_eq!(setup.turn(), Color::White);
        assert_eq!(setup.position().unwrap(), set);
    }
}

#[test]
fn the_en_passant_square_of_a_setup_is_set() {
    let fen =
        |square| format!("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq {square} 0 3");
    for (square, name) in [(Some(Square::E3), "e3"), (None, "-")] {
        let other = if square.is_none() { "e3" } else { "-" };
        let mut setup = Setup::from_fen(fen(other).as_bytes()).unwrap();
        setup.set_en_passant(square);
        let found = setup.position().unwrap();
        assert_eq!(found.to_string(), fen(name));
        assert_eq!(resolve(&found, b"dxe3").is_ok(), square.is_some());
    }
}

#[test]
fn the_end_of_a_game_is_mate_or_stalemate_and_nothing_else() {
    // FEN, check, mate, stalemate
    let cases = [
        (START, false, false, false),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", true, true, false),
        ("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1", true, false, false),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", false, false, true),
        ("7k/5Q2/6K1/8/8/p7/8/8 b - - 0 1", false, false, false),
    ];
    for (fen, check, mate, stalemate) in cases {
        let position = position(fen);
        let said = (position.is_check(), position.is_checkmate(), position.is_stalemate());
        assert_eq!(said, (check, mate, stalemate), "{fen}");
        assert_eq!(position.has_legal_move(), !mate && !stalemate, "{fen}");
    }
}

#[test]
fn nobody_can_win_with_bare_kings_one_minor_piece_or_bishops_on_one_colour() {
    let cases = [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KN2", true),
        ("4kn2/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KB2", true),
        ("4k3/8/8/8/8/8/8/2B1K3", true),
        // c8 and f1 are white squares, f8 and c1 are black.
        ("2b1k3/8/8/8/8/8/8/4KB2", true),
        ("4kb2/8/8/8/8/8/8/2B1K3", true),
        ("4kb2/8/8/8/8/8/8/4KB2", false),
        ("4k3/8/8/8/8/8/8/4KNN1", false),
        ("4kn2/8/8/8/8/8/8/4KN2", false),
        ("4kb2/8/8/8/8/8/8/4KN2", false),
        ("4k3/8/8/8/8/8/4P3/4K3", false),
        ("r3k3/8/8/8/8/8/8/4K3", false),
        ("4k3/8/8/8/8/8/8/3QK3", false),
    ];
    for (placement, expected) in cases {
        let position = position(&format!("{placement} w - - 0 1"));
        assert_eq!(position.is_insufficient_material(), expected, "{placement}");
    }
}

#[test]
fn passing_changes_the_turn_and_counts_as_a_move() {
    let cases = [
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9", Some("4k3/8/8/8/3pP3/8/8/4K3 w - - 1 10")),
        ("4k3/8/8/8/8/8/8/4K2R w K - 7 9", Some("4k3/8/8/8/8/8/8/4K2R b K - 8 9")),
        ("4k3/4R3/8/8/8/8/8/4K3 b - - 7 9", None),
    ];
    for (fen, expected) in cases {
        let mut passed = position(fen);
        assert_eq!(passed.pass(), expected.is_some(), "{fen}");
        assert_eq!(passed.to_string(), expected.unwrap_or(fen));
    }
}

#[test]
fn a_move_of_another_position_is_not_played() {
    let mut here = position(START);
    let there = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let kd2 = resolve(&there, b"Kd2").unwrap();
    assert_eq!(here.play(kd2), Err(IllegalMove));
    assert_eq!(here.to_string(), START);
    let e4 = resolve(&here, b"e4").unwrap();
    assert_eq!(here.play(e4), Ok(()));
    assert_eq!(here.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
}

#[test]
fn a_move_tells_what_it_does() {
    // FEN, SAN, UCI, square of the castling rook, capture, en passant
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    let cases = [
        (START, "Nf3", "g1f3", None, false, false),
        (castling, "O-O", "e8g8", Some(Square::H8), false, false),
        (castling, "O-O-O", "e8c8", Some(Square::A8), false, false),
        (castling, "Rxh1+", "h8h1", None, true, false),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5d6", None, true, true),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "axb8=N", "a7b8n", None, true, false),
    ];
    for (fen, san, uci, rook, is_capture, is_en_passant) in cases {
        let position = position(fen);
        let played = resolve(&position, san.as_bytes()).unwrap();
        assert_eq!(format!("{}{}", played.from(), played.to()), uci[..4]);
        assert_eq!(played.castling_rook(), rook, "{san}");
        assert_eq!(played.castling().is_some(), rook.is_some(), "{san}");
        assert_eq!((played.is_capture(), played.is_en_passant()), (is_capture, is_en_passant));
        assert_eq!(played.promotion(), played.code().promotion(), "{san}");
        assert_eq!(MoveCode::of(Some(played)).find(&position), Some(played), "{san}");
        assert!(!played.code().is_none() && MoveCode::of(None).is_none());
        let (san_text, uci_text) = (san_of(&position, played), uci_of(played));
        assert_eq!((san_text.as_str(), uci_text.as_ref()), (san, uci));
        assert_eq!(format!("{san_text:?}"), format!("{san:?}"));
        assert_eq!(format!("[{san_text:<9}]"), format!("[{san:<9}]"));
    }
}

#[test]
fn the_key_of_a_position_tells_its_parts() {
    // FEN, rooks with rights, en passant square if a capture is legal
    let cases = [
        ("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 1", &[Square::H1, Square::A8][..], Some(Square::D6)),
        ("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 1", &[Square::A1, Square::H1], Some(Square::E3)),
        ("r3k2r/8/8/8/4P3/8/8/R3K2R b - e3 0 1", &[], None),
    ];
    for (fen, rooks, en_passant) in cases {
        let position = position(fen);
        let key = PositionKey::of(&position);
        assert_eq!(key.occupied(), position.occupied(), "{fen}");
        assert_eq!(key.castling_rooks(), rooks.iter().copied().collect(), "{fen}");
        assert_eq!(key.en_passant(), en_passant, "{fen}");
        assert_eq!(key.turn(), position.turn(), "{fen}");
        assert_eq!(key.planes_of_pieces(), planes(&position), "{fen}");
    }
}

/// Returns the bits of pawn 1, knight 2, bishop 3, rook 4, queen 5 and king 6, and the black
/// pieces, square by square.
fn planes(position: &Position) -> [u64; 4] {
    let mut planes = [0; 4];
    for square in position.occupied() {
        let bit = 1 << square as u32;
        let role = position.role(square).unwrap() as u64;
        (0..3).filter(|plane| role >> plane & 1 != 0).for_each(|plane| planes[plane] |= bit);
        if position.side(Color::Black).contains(square) {
            planes[3] |= bit;
        }
    }
    planes
}
