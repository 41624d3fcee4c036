//! Reading and validation of FENs.

use san::{
    Buffer, CastlingSide, CastlingStyle, Color, EnPassantPolicy, FenError, Field, FieldStyle,
    Position, PositionKey, Setup, Square, Variant, VariantPosition,
};

#[test]
fn a_fen_is_written_as_it_was_read() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "8/8/8/8/8/8/4k3/6K1 b - - 99 1234",
        "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 3 7",
        "bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w KQkq - 0 1",
        "1r2kr1r/8/8/8/8/8/8/1R2KR1R w KFkf - 0 1",
        "8/P6k/8/8/8/8/7K/8 w - - 4294967295 4294967295",
    ] {
        let fen = fen.replace("KFkf", "Ff");
        assert_eq!(Position::from_fen(&fen).unwrap().to_string(), fen);
    }
}

#[test]
fn fields_are_read_as_people_write_them() {
    let cases = [
        ("  4k3/8/8/8/8/8/4P3/4K3   w  -\t- 0 1  ", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/4P3/4K3 W - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1),
        ("4k3/8/8/8/8/8/4P3/4K3 B - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 1),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 2),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 3", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 1", 1),
        ("4k3/8/8/8/8/8/4P3/4K3 w", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 4),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - - 5", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 5", 1),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 7 0", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 1", 1),
        ("4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 4),
        ("4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0),
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQq - 0 1", "1r2k3/8/8/8/8/8/8/R3K2R w KQq - 0 1", 0),
        // The square of the pawn that has just advanced.
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d4 0 1", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", 1),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - e5 0 1", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", 1),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - d5 0 1", "4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 1", 1),
        ("4k3/8/8/3Pp3/8/8/8/4K3 b - e5 0 1", "4k3/8/8/3Pp3/8/8/8/4K3 b - - 0 1", 1),
    ];
    for (fen, expected, repairs) in cases {
        let mut setup = Setup::from_fen(fen.as_bytes()).unwrap();
        let done = setup.repair();
        assert_eq!(done.len(), repairs, "{fen}: {done:?}");
        assert_eq!(setup.position().unwrap().to_string(), expected, "{fen}");
    }
}

#[test]
fn every_kind_of_illegal_fen_is_refused_with_its_reason() {
    let material = |side| format!("{side} has more pieces than eight pawns can become");
    let right = |side, wing| {
        format!("{side} cannot have the right to castle {wing}: king and rook are not in place")
    };
    let checks = "no move can have given the checks to the king on e1";
    let advance = "no pawn has just advanced over the en passant square e6";
    let cases: &[(&str, &str)] = &[
        ("", "it is empty"),
        ("hello", "1 ranks, not 8"),
        ("8/8/8/8/8/8/8 w - - 0 1", "7 ranks, not 8"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "9 ranks, not 8"),
        ("4k3/8/8/8/8/8/44P/4K3 w - - 0 1", "rank 2 has 9 squares, not 8"),
        ("4k3/8/8/8/8/7/8/4K3 w - - 0 1", "rank 3 has 7 squares, not 8"),
        ("4k3/8/8/8/8/4X3/8/4K3 w - - 0 1", "rank 3: X is not a piece"),
        ("4k3/8/8/8/8/9/8/4K3 w - - 0 1", "rank 3: 9 is not a piece"),
        ("4k3/8/8/8/8/8/4P3/4K3", "the side to move is neither w nor b"),
        ("4k3/8/8/8/8/8/4P3/4K3 x - - 0 1", "the side to move is neither w nor b"),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w X - 0 1",
            "the castling field is neither - nor a list of castling rights",
        ),
        ("4k3/8/8/8/8/8/4P3/4K3 w - e9 0 1", "the en passant field is neither - nor a square"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - x 1", "the halfmove clock is not a number"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 99999999999", "the fullmove number is not a number"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 2", "more than six fields"),
        ("8/8/8/8/8/8/4P3/4K3 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/4P3/8 w - - 0 1", "White has no king"),
        ("4k3/8/8/8/8/8/4P3/K3K3 w - - 0 1", "White has more than one king"),
        ("4k2P/8/8/8/8/8/4P3/4K3 w - - 0 1", "a pawn on h8"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "a pawn on a1"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", &material("White")),
        ("qqk5/8/8/8/8/pppppppp/8/4K3 b - - 0 1", &material("Black")),
        ("4k3/8/8/8/8/8/4P3/4K3 w K - 0 1", &right("White", "kingside")),
        ("r3k3/8/8/8/8/8/8/4K3 w kq - 0 1", &right("Black", "kingside")),
        ("4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1", &right("White", "queenside")),
        ("4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1", advance),
        ("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", advance),
        ("4k3/8/8/4p3/8/8/8/r3K3 w - e6 0 1", checks),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "Black is in check, but it is White's turn"),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", checks),
        ("4k3/8/4r3/8/8/8/8/r3K2r w - - 0 1", checks),
        ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "Black is in check, but it is White's turn"),
    ];
    for (fen, reason) in cases {
        match Position::from_fen(fen) {
            Err(error) => assert_eq!(error.to_string(), *reason, "{fen}"),
            Ok(position) => panic!("{fen} is taken as {position}"),
        }
    }
}

#[test]
fn castling_rights_are_written_in_three_styles() {
    let cases = [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "Kq", "Ha", "Kq"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-", "-", "-"),
        // The outermost rook on the kingside is on h1; the right is that of f1.
        ("4k3/8/8/8/8/8/8/1R2KR1R w FB - 0 1", "FQ", "FB", "KQ"),
        ("bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRKBRN w GDgd - 0 1", "KQkq", "GDgd", "KQkq"),
    ];
    for (fen, xfen, shredder, standard) in cases {
        let position = Position::from_fen(fen).unwrap();
        let styles = [CastlingStyle::XFen, CastlingStyle::Shredder, CastlingStyle::Standard];
        for (castling, expected) in styles.into_iter().zip([xfen, shredder, standard]) {
            let mut buffer = Buffer::default();
            let mut line = buffer.line();
            let style = FieldStyle { castling, en_passant: EnPassantPolicy::Always };
            san::write_fields(&position, style, &mut line);
            line.finish();
            let text = String::from_utf8_lossy(buffer.as_bytes()).into_owned();
            assert_eq!(text.split(' ').nth(2), Some(expected), "{fen}, {castling:?}");
        }
    }
}

#[test]
fn two_checkers_in_one_line_with_the_king_are_refused() {
    for fen in [
        "4k3/8/8/8/8/8/8/r3K2r w - - 0 1",
        "4r1k1/8/8/8/4K3/8/8/4r3 w - - 0 1",
        "6k1/8/1b6/8/3K4/8/5b2/8 w - - 0 1",
        "R3k2R/8/8/8/8/8/8/4K3 b - - 0 1",
    ] {
        let error = Position::from_fen(fen).unwrap_err();
        assert!(matches!(error, FenError::ImpossibleCheck(_)), "{fen}: {error}");
    }
    let in_two_lines = "4k3/8/8/8/4r3/8/8/r3K3 w - - 0 1";
    assert_eq!(Position::from_fen(in_two_lines).unwrap().to_string(), in_two_lines);
}

#[test]
fn an_en_passant_square_needs_the_square_that_the_pawn_left_to_be_empty() {
    for (empty, occupied, square) in [
        ("4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", Square::E6),
        ("4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3P4/8/3B4/4K3 b - d3 0 1", Square::D3),
    ] {
        assert_eq!(Position::from_fen(empty).unwrap().to_string(), empty);
        assert_eq!(Position::from_fen(occupied), Err(FenError::NoSuchAdvance(square)));
    }
}

#[test]
fn the_fen_of_a_variant_is_refused_where_that_of_chess_is_and_the_rules_allow_no_more() {
    use FenError::{NoVariantFen, NotInVariant, VariantMaterial};
    // The variant, the fields of a FEN, `@` for the ranks of pawns and between them, and whether it
    // is repaired or why it is rejected.
    let cases = [
        ("Atomic", "rnbqkbnr/@/RNBQKBNR w KQkq -", Ok(false)),
        // Seventeen pieces, nine pawns, three queens and eight pawns.
        ("Atomic", "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq -", Err(VariantMaterial)),
        (
            "Three-check",
            "rnbqkbnr/pppppppp/8/8/8/QQ6/PPPPPPPP/RNBQKB1R w KQkq - 3+3",
            Err(VariantMaterial),
        ),
        ("King of the Hill", "rnbqkbnr/@/BNBQKBNR w kq -", Err(VariantMaterial)),
        ("Atomic", "rn11kbnr/@/RNBQKBNR w KQkq -", Ok(true)),
        ("Atomic", "rn3bnr/@/RNBQKBNR w KQkq -", Err(NotInVariant)),
        ("Atomic", "rnbqkbn/@/RNBQKBNR w KQkq -", Err(NoVariantFen)),
        // Rights without a rook.
        ("Atomic", "rnbqkbnr/@/RNBQKBN1 w KQkq -", Ok(true)),
        // 36 pawns, and one more.
        (
            "Horde",
            "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq -",
            Ok(false),
        ),
        (
            "Horde",
            "rnbqkbnr/pppppppp/8/1PPP1PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq -",
            Err(VariantMaterial),
        ),
        // Pieces change sides, on the board or in the pocket, but their number does not grow.
        ("Crazyhouse", "rnbqkbnr/pppp1ppp/8/8/8/4P3/PPPPPPPP/RNBQKBNR w KQkq -", Ok(false)),
        ("Crazyhouse", "4k3/8/8/8/8/8/8/Q~3K3[QQppp] w - -", Ok(false)),
        ("Crazyhouse", "rnbqkbnr/@/RNBQKBNR[P] w KQkq -", Err(VariantMaterial)),
        ("Crazyhouse", "4k3/8/8/8/8/8/8/Q3K3[QQ] w - -", Err(VariantMaterial)),
        // No king, or a king from promotion.
        ("Antichess", "8/8/8/8/8/8/p7/7R w - -", Ok(false)),
        ("Racing Kings", "rnbqkbnr/@/RNBQKBNR w KQkq -", Err(NotInVariant)),
    ];
    for (name, fen, expected) in cases {
        let variant = VariantPosition::variant_named(name.as_bytes()).unwrap();
        let fen = fen.replace('@', "pppppppp/8/8/8/8/PPPPPPPP") + " 0 1";
        let found = VariantPosition::from_fen(variant, fen.as_bytes());
        assert_eq!(found.map(|(_, repaired)| repaired), expected, "{name} {fen}");
    }
}

#[test]
fn every_repair_says_what_was_wrong_and_how_it_was_read() {
    let rest = "4k3/8/8/8/8/8/4P3/4K3";
    let king = "cannot have the right to castle kingside: king and rook are not in place: left out";
    let cases: &[(&str, &[&str])] = &[
        ("w - - 0 1", &[]),
        ("W - - 0 1", &["the side to move is a capital letter: taken as the small one"]),
        (
            "w",
            &[
                "no castling field: taken as -",
                "no en passant field: taken as -",
                "no halfmove clock: taken as 0",
                "no fullmove number: taken as 1",
            ],
        ),
        (
            "w - - - -",
            &["the halfmove clock is -: taken as 0", "the fullmove number is -: taken as 1"],
        ),
        ("w - - 0 0", &["the fullmove number is 0: taken as 1"]),
        ("w - - 0 1;", &["trailing semicolon: ignored"]),
        ("w - - 0 1 ; ", &["trailing semicolon: ignored"]),
        ("w Kk - 0 1", &[&format!("White {king}"), &format!("Black {king}")]),
        ("w - e6 0 1", &["no pawn has just advanced over the en passant square e6: left out"]),
    ];
    for (fields, expected) in cases {
        let mut setup = Setup::from_fen(format!("{rest} {fields}").as_bytes()).unwrap();
        let repairs: Vec<String> = setup.repair().iter().map(ToString::to_string).collect();
        assert_eq!(repairs, *expected, "{fields}");
        assert!(setup.repair().is_empty(), "{fields}");
    }
}

#[test]
fn rights_of_rooks_that_have_moved_by_the_rules_of_standard_chess_are_left_out() {
    let cases = [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", 0),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", 0),
        ("r4k1r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQ", 2),
        ("r3k1r1/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", "Kq", 2),
        ("r3k2r/8/8/8/8/8/8/R2K3R b KQkq - 0 1", "kq", 2),
    ];
    for (fen, rights, left_out) in cases {
        let mut setup = Setup::from_fen(fen.as_bytes()).unwrap();
        assert_eq!(setup.leave_out_moved().len(), left_out, "{fen}");
        let position = setup.position().unwrap().to_string();
        assert_eq!(position.split(' ').nth(2), Some(rights), "{fen}");
    }
    // White's right to castle on the queenside, with the king on the b-file.
    let mut setup = Setup::from_fen(b"4k3/8/8/8/8/8/8/RK5R w KQ - 0 1").unwrap();
    let repairs: Vec<String> = setup.leave_out_moved().iter().map(ToString::to_string).collect();
    for (repair, side) in repairs.iter().zip(["kingside", "queenside"]) {
        assert!(repair.starts_with(&format!("White cannot have the right to castle {side}")));
    }
    assert_eq!(repairs.len(), 2);
    // A right without any rook is left to `repair`.
    let mut setup = Setup::from_fen(b"4k3/8/8/8/8/8/8/4K3 w KQ - 0 1").unwrap();
    assert_eq!((setup.leave_out_moved().len(), setup.repair().len()), (0, 2));
}

#[test]
fn a_castling_right_that_is_written_twice_is_an_error() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R w";
    for field in ["KQkQ", "KKQkq", "KQkqkq", "kQkq-", "K-Qkq", "HAHA", "KHQkq", "QA", "kh", "haq"] {
        let fen = format!("{board} {field} - 0 1");
        let error = Setup::from_fen(fen.as_bytes()).and_then(|mut setup| {
            setup.repair();
            setup.playable()
        });
        assert_eq!(error.unwrap_err(), FenError::Castling, "{field}");
        assert_eq!(Position::from_fen(&fen).unwrap_err(), FenError::Castling, "{field}");
    }
    for field in ["KQkq", "HAha", "KAkq", "HQkq", "qkQK", "K", "a"] {
        assert!(Position::from_fen(format!("{board} {field} - 0 1")).is_ok(), "{field}");
    }
}

#[test]
fn all_moves_of_positions_with_too_many_pieces_are_found() {
    let cases = [
        // 29 bishops and a king; 258 moves of queens.
        "Bk6/1B1B1B1B/B1B1B1B1/1B1B1B1B/B1B1B1B1/1B1B1B1B/B1B1B1B1/1B1B1BKB w - - 0 1",
        "knQQQQQQ/ppQ4Q/QQ5Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQKQ w - - 0 1",
    ];
    for fen in cases {
        let setup = Setup::from_fen(fen.as_bytes()).unwrap();
        let (position, oddity) = setup.playable().unwrap();
        assert!(oddity.is_some(), "{fen}");
        let board: shakmaty::Board = fen.split(' ').next().unwrap().parse().unwrap();
        let us = board.white() & !board.kings() & !board.pawns();
        let most: usize =
            us.into_iter().map(|from| (board.attacks_from(from) & !board.white()).count()).sum();
        let moves = position.legal_moves();
        let of_pieces =
            moves.iter().filter(|mv| !matches!(mv.role(), san::Role::King | san::Role::Pawn));
        assert_eq!(of_pieces.count(), most, "{fen}");
        assert_eq!(PositionKey::of(&position).position(0, 1).as_ref(), Ok(&position), "{fen}");
    }
}

#[test]
fn moves_are_played_from_positions_that_no_game_reaches() {
    let material = |color| Ok(Some(FenError::TooMuchMaterial(color)));
    let cases = [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Ok(None)),
        // Three bishops on squares of one colour, and eight pawns.
        ("4k3/8/8/8/8/2B5/PPPPPPPP/B3K3 w - - 0 1", material(Color::White)),
        ("4k3/pppppppp/2b1b3/8/8/8/8/4K3 w - - 0 1", material(Color::Black)),
        // A third bishop must be a promoted pawn, whatever its colour.
        ("4k3/8/8/8/4B3/2B5/PPPPPPPP/B3K3 w - - 0 1", material(Color::White)),
        ("4k3/8/QQ6/8/8/8/PPPPPPPP/4K3 w - - 0 1", material(Color::White)),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", Ok(Some(FenError::ImpossibleCheck(Square::E1)))),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", Err(FenError::OtherSideInCheck(Color::Black))),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", Err(FenError::NoKing(Color::Black))),
        (
            "4k3/8/8/8/8/3n1n2/8/4K3 w K - 0 1",
            Err(FenError::NoSuchRight { color: Color::White, side: CastlingSide::KingSide }),
        ),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - e6 0 1", Err(FenError::NoSuchAdvance(Square::E6))),
        ("4k3/8/8/8/8/2B5/PPPPPPPP/B3K2R b K - 0 1", material(Color::White)),
    ];
    for (fen, expected) in cases {
        let setup = Setup::from_fen(fen.as_bytes()).unwrap();
        match setup.playable() {
            Ok((position, oddity)) => {
                assert_eq!((Ok(oddity), position.to_string()), (expected, fen.to_owned()));
            }
            Err(error) => assert_eq!(Err(error), expected, "{fen}"),
        }
    }
}

#[test]
fn an_error_names_the_field_that_it_is_about() {
    let cases = [
        ("", Some(Field::Placement)),
        ("4k3/8/8/8/8/4X3/8/4K3 w - - 0 1", Some(Field::Placement)),
        ("4k3/8/8/8/8/7/8/4K3 w - - 0 1", Some(Field::Placement)),
        ("8/8 w - - 0 1", Some(Field::Placement)),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", Some(Field::Placement)),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", Some(Field::Placement)),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", Some(Field::Placement)),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", Some(Field::Placement)),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", Some(Field::SideToMove)),
        ("4k3/8/8/8/8/8/8/4K3 w X - 0 1", Some(Field::Castling)),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", Some(Field::Castling)),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", Some(Field::EnPassant)),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", Some(Field::EnPassant)),
        ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", Some(Field::HalfmoveClock)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", Some(Field::FullmoveNumber)),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", None),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", None),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", None),
    ];
    for (fen, expected) in cases {
        let error = Position::from_fen(fen).unwrap_err();
        assert_eq!(error.field(), expected, "{fen}: {error}");
    }
    for error in [FenError::NoVariantFen, FenError::NotInVariant, FenError::VariantMaterial] {
        assert_eq!(error.field(), None);
    }
}

#[test]
fn a_character_that_is_no_piece_is_shown_or_given_as_a_number() {
    for (character, shown) in
        [("!", "!"), ("~", "~"), ("\x7f", "byte 0x7f"), ("\0", "byte 0x00"), ("é", "byte 0xc3")]
    {
        let fen = format!("4k3/8/8/8/8/8/7{character}/4K3 w - - 0 1");
        let error = Position::from_fen(fen).unwrap_err().to_string();
        assert_eq!(error, format!("rank 2: {shown} is not a piece"));
    }
}

#[test]
fn the_four_fields_are_read_apart_as_they_are_together() {
    let fields = ["r3k2r/8/8/8/3pP3/8/8/R3K2R", "b", "KQkq", "e3"];
    let expected = format!("{} 0 1", fields.join(" "));
    assert_eq!(Setup::from_fields(fields).unwrap().position().unwrap().to_string(), expected);
    let cases = [
        (["8/8", "w", "-", "-"], FenError::RankCount(2)),
        (["4k3/8/8/8/8/8/8/4K3", "W", "-", "-"], FenError::SideToMove),
        (["4k3/8/8/8/8/8/8/4K3", "w", "X", "-"], FenError::Castling),
        (["4k3/8/8/8/8/8/8/4K3", "w", "-", "x"], FenError::EnPassant),
        // More rights than can be stored.
        (["4k3/8/8/8/8/8/8/4K3", "w", "KKKKKKKKKKKKKKKKK", "-"], FenError::Castling),
    ];
    for (fields, error) in cases {
        assert_eq!(Setup::from_fields(fields), Err(error), "{fields:?}");
    }
}

#[test]
fn two_digits_in_a_row_are_a_repair_in_a_variant_only_if_they_are_on_the_board() {
    for (fen, repaired) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 10 12", false),
        ("4k3/8/8/8/8/8/8/22K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", true),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", true),
        (" 4k3/8/8/8/8/8/8/4K3 w - - 0 1 ", false),
    ] {
        let found = VariantPosition::from_fen(Variant::Atomic, fen.as_bytes());
        assert_eq!(found.map(|(_, repaired)| repaired), Ok(repaired), "{fen}");
    }
}
