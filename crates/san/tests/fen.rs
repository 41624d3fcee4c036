//! What is a FEN, and what is a legal position.

use san::{Buffer, CastlingStyle, EnPassantPolicy, FieldStyle, Position, Setup};

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
        ("4k3/8/8/8/8/8/8/R3K2R w KKQ - 0 1", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 0),
    ];
    for (fen, expected, repairs) in cases {
        let mut setup = Setup::from_fen(fen.as_bytes()).unwrap();
        let done = setup.repair();
        assert_eq!(done.len(), repairs, "{fen}: {done:?}");
        assert_eq!(setup.into_position().unwrap().to_string(), expected, "{fen}");
    }
}

#[test]
fn every_kind_of_illegal_fen_is_refused_with_its_reason() {
    let cases = [
        ("", "it is empty"),
        ("hello", "1 ranks, not 8"),
        ("8/8/8/8/8/8/8 w - - 0 1", "7 ranks, not 8"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "9 ranks, not 8"),
        ("4k3/8/8/8/8/8/44P/4K3 w - - 0 1", "rank 2 has 9 squares, not 8"),
        ("4k3/8/8/8/8/7/8/4K3 w - - 0 1", "rank 3 has 7 squares, not 8"),
        ("4k3/8/8/8/8/4X3/8/4K3 w - - 0 1", "rank 3: X is no piece"),
        ("4k3/8/8/8/8/9/8/4K3 w - - 0 1", "rank 3: 9 is no piece"),
        ("4k3/8/8/8/8/8/4P3/4K3", "the side to move is neither w nor b"),
        ("4k3/8/8/8/8/8/4P3/4K3 x - - 0 1", "the side to move is neither w nor b"),
        ("4k3/8/8/8/8/8/4P3/4K3 w X - 0 1", "the castling field is none"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - e9 0 1", "the en passant field is neither - nor a square"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - x 1", "the halfmove clock is not a number"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 99999999999", "the fullmove number is not a number"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 2", "more than six fields"),
        ("8/8/8/8/8/8/4P3/4K3 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/4P3/8 w - - 0 1", "White has no king"),
        ("4k3/8/8/8/8/8/4P3/K3K3 w - - 0 1", "White has more than one king"),
        ("4k2P/8/8/8/8/8/4P3/4K3 w - - 0 1", "a pawn on h8"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "a pawn on a1"),
        (
            "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
            "White has more pieces than eight pawns can become",
        ),
        (
            "qqk5/8/8/8/8/pppppppp/8/4K3 b - - 0 1",
            "Black has more pieces than eight pawns can become",
        ),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w K - 0 1",
            "White cannot have the right to castle kingside: king and rook do not stand there",
        ),
        (
            "r3k3/8/8/8/8/8/8/4K3 w kq - 0 1",
            "Black cannot have the right to castle kingside: king and rook do not stand there",
        ),
        (
            "4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1",
            "White cannot have the right to castle queenside: king and rook do not stand there",
        ),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1",
            "no pawn has just advanced over the en passant square e6",
        ),
        (
            "4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1",
            "no pawn has just advanced over the en passant square e6",
        ),
        (
            "4k3/8/8/4p3/8/8/8/r3K3 w - e6 0 1",
            "no pawn has just advanced over the en passant square e6",
        ),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "Black is in check, but it is White's turn"),
        (
            "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
            "no move can have given the checks to the king on e1",
        ),
        (
            "4k3/8/4r3/8/8/8/8/r3K2r w - - 0 1",
            "no move can have given the checks to the king on e1",
        ),
        ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "Black is in check, but it is White's turn"),
    ];
    for (fen, reason) in cases {
        match Position::from_fen(fen) {
            Err(error) => assert_eq!(error.to_string(), reason, "{fen}"),
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
        // The outermost rook on the king's side is on h1, the right is that of f1.
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
