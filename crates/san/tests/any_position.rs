//! What positions of chess and of variants have in common, as the trait promises it.

use san::{AnyPosition, Buffer, FieldStyle, Line, Position, SanError, Variant, VariantPosition};

/// What a position says about itself.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    white_to_move: bool,
    clocks: (u32, u32),
    pieces: u32,
    is_check: bool,
    is_dead: bool,
}

fn said<P: AnyPosition>(position: &P) -> Said {
    Said {
        white_to_move: position.turn().is_white(),
        clocks: (position.halfmoves(), position.fullmoves()),
        pieces: position.piece_count(),
        is_check: position.is_check(),
        is_dead: position.is_insufficient_material(),
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn chess(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn variant(variant: Variant, fen: &str) -> VariantPosition {
    VariantPosition::from_fen(variant, fen.as_bytes()).unwrap().0
}

#[test]
fn side_to_move_clocks_pieces_and_check_are_the_same_in_chess_and_in_a_variant() {
    // FEN, white to move, clocks, pieces, check, whether neither side can win
    let cases = [
        (START, true, (0, 1), 32, false, false),
        ("4k3/4R3/8/8/8/8/8/4K3 b - - 7 40", false, (7, 40), 3, true, false),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 99 1200", true, (99, 1200), 3, false, true),
        ("4k3/8/8/8/8/8/8/4K3 b - - 3 4", false, (3, 4), 2, false, true),
    ];
    for (text, white_to_move, clocks, pieces, is_check, is_dead) in cases {
        let expected = Said { white_to_move, clocks, pieces, is_check, is_dead };
        let position = chess(text);
        assert_eq!(said(&position), expected, "{text}");
        assert_written(&position, text);
        // A lone king can reach the hill.
        let hill = variant(Variant::KingOfTheHill, text);
        assert_eq!(said(&hill), Said { is_dead: false, ..expected }, "{text}");
        assert_written(&hill, text);
    }
    assert!(said(&variant(Variant::Atomic, cases[3].0)).is_dead);
}

fn assert_written<P: AnyPosition>(position: &P, fen: &str) {
    let four: Vec<&str> = fen.split(' ').take(4).collect();
    let style = FieldStyle::default();
    assert_eq!(written(|line| position.write_fen(style, line)), fen);
    assert_eq!(written(|line| position.write_fields(style, line)), four.join(" "));
}

fn written(write: impl FnOnce(&mut Line<'_>)) -> String {
    let mut buffer = Buffer::default();
    let mut line = buffer.line();
    write(&mut line);
    line.finish();
    String::from_utf8(buffer.as_bytes().to_vec()).unwrap()
}

#[test]
fn captures_and_promotions_are_told_from_other_moves() {
    let promotion = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    let cases = [
        (promotion, "Kb1", false, "a1b1"),
        (promotion, "a8=R", false, "a7a8r"),
        (promotion, "axb8=N", true, "a7b8n"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e5", false, "e4e5"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", true, "e4d5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", true, "e5d6"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", false, "e1g1"),
    ];
    for (fen, san, is_capture, uci) in cases {
        assert_move(&chess(fen), san, is_capture, uci);
        assert_move(&variant(Variant::KingOfTheHill, fen), san, is_capture, uci);
    }
}

fn assert_move<P: AnyPosition>(position: &P, san: &str, is_capture: bool, uci: &str) {
    let played = position.resolve(san.as_bytes()).unwrap();
    assert_eq!(position.is_capture(played), is_capture, "{san}");
    assert_eq!(position.san_of(played).as_str(), san);
    assert_eq!(position.uci_of(played).as_str(), uci);
    let mut after = position.clone();
    after.play_unchecked(played);
    assert_ne!(after.turn(), position.turn());
    assert_eq!(position.resolve(b"hello").unwrap_err(), SanError::NotAMove);
}

/// Returns the position after these moves.
fn after<P: AnyPosition>(mut position: P, moves: &str) -> P {
    for san in moves.split(' ') {
        let played = position.resolve(san.as_bytes()).unwrap_or_else(|e| panic!("{san}: {e}"));
        position.play_unchecked(played);
    }
    position
}

fn assert_repeats<P: AnyPosition>(start: &P, moves: &str, repeats: bool) {
    let key = after(start.clone(), moves).repetition_key();
    assert_eq!(key == start.repetition_key(), repeats, "{start:?} {moves}");
}

#[test]
fn a_repetition_is_the_same_position_whatever_the_clocks() {
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (fen, moves, repeats) in [
        (castling, "Kd1 Kd8 Ke1 Ke8", false),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "Kd1 Kd8 Ke1 Ke8", true),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "Kd1 Ke7 Ke1", false),
    ] {
        assert_repeats(&chess(fen), moves, repeats);
        assert_repeats(&variant(Variant::KingOfTheHill, fen), moves, repeats);
    }
    // A check that was given counts in Three-check, a piece in hand in Crazyhouse.
    let checks = "4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1";
    assert_repeats(&variant(Variant::ThreeCheck, checks), "Rb1 Kd8 Ra1 Ke8", true);
    assert_repeats(&variant(Variant::ThreeCheck, checks), "Ra8+ Kd7 Ra1 Ke8", false);
    let in_hand = |pocket| format!("4k3/8/8/8/8/8/8/R3K3[{pocket}] w - - 0 1");
    let [knight, bishop] = ["N", "B"].map(|piece| variant(Variant::Crazyhouse, &in_hand(piece)));
    assert_ne!(knight.repetition_key(), bishop.repetition_key());
}

#[test]
fn only_a_position_of_chess_is_one() {
    let position = Position::default();
    assert_eq!(position.as_chess(), Some(&position));
    let atomic = VariantPosition::start(Variant::Atomic);
    assert_eq!(atomic.as_chess(), None);
}
