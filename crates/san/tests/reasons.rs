//! Every reason why a move cannot be played, as reported to the user.

use san::{Position, resolve};

#[test]
fn every_reason_is_given_with_its_squares() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq";
    // The first fields of a FEN, the move, and the reason.
    let cases: &[(&str, &str, &str)] = &[
        (start, "hello", "not a move"),
        (start, "--", "a null move, which is not chess"),
        (start, "Z0", "a null move, which is not chess"),
        (start, "N@f3", "a drop, which is not chess"),
        (start, "Nd4", "no white knight can reach d4"),
        (start, "Nbf3", "no white knight on the b-file can reach f3"),
        (start, "N1f4", "no white knight on rank 1 can reach f4"),
        (start, "Nd2", "White's own pawn is on d2"),
        (start, "Ra3", "the rook on a1 cannot reach a3: the pawn on a2 is in the way"),
        (start, "Qa4", "the queen on d1 cannot reach a4: the pawn on c2 is in the way"),
        (start, "Bb5", "the bishop on f1 cannot reach b5: the pawn on e2 is in the way"),
        (start, "N8c6", "White has no knight on rank 8"),
        (start, "Nc1b3", "the piece on c1 is a bishop, not a knight"),
        (start, "e7e5", "the pawn on e7 is black, but it is White's turn"),
        (start, "e4e5", "no piece on e4"),
        (start, "e5", "no white pawn can reach e5"),
        (start, "exd3", "the pawn on e2 has nothing to capture on d3"),
        (start, "exd5", "no white pawn on the e-file can reach d5"),
        (start, "O-O", "castling kingside is blocked by the bishop on f1"),
        (start, "0-0-0", "castling queenside is blocked by the knight on b1"),
        (start, "e4=Q", "no pawn is promoted on e4"),
        (start, "Nf3=Q", "a knight is not promoted"),
        ("4k3/8/8/8/8/8/8/4K3", "Qd4", "White has no queen"),
        ("4k3/8/8/8/8/8/8/4K3", "e4", "White has no pawn"),
        ("4k3/8/8/8/8/4p3/4P3/4K3", "e3", "the pawn on e2 is blocked by the pawn on e3"),
        ("4k3/8/8/8/8/4n3/4P3/4K3", "e4", "the pawn on e2 is blocked by the knight on e3"),
        ("4k3/8/8/8/4n3/8/4P3/4K3", "e4", "the pawn on e2 is blocked by the knight on e4"),
        (
            "4k3/8/p7/8/p7/8/8/R3K3",
            "Ra8",
            "the rook on a1 cannot reach a8: the pawn on a4 is in the way",
        ),
        ("4k3/8/8/8/8/3N4/4P3/4K3", "exd3", "White's own knight is on d3"),
        ("4k3/4p3/4N3/8/8/8/8/4K3 b", "e5", "the pawn on e7 is blocked by the knight on e6"),
        // Not on the fifth rank, and on it without a pawn beside it.
        ("4k3/8/8/8/3pP3/8/8/4K3", "exd5", "the pawn on e4 has nothing to capture on d5"),
        ("4k3/8/8/4P3/8/8/8/4K3", "exd6", "the pawn on e5 has nothing to capture on d6"),
        (
            "4k3/8/8/8/3Pp3/8/8/4K3 b",
            "exd3",
            "the pawn on e4 may not capture en passant on d3: the other pawn did not advance with the last move",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3",
            "exd6",
            "the pawn on e5 may not capture en passant on d6: the other pawn did not advance with the last move",
        ),
        (
            "4k3/8/8/8/1b6/2N5/8/4K3",
            "Nd5",
            "the knight on c3 is pinned to the king on e1 by the bishop on b4",
        ),
        (
            "4k3/4r3/8/8/8/3p4/4P3/4K3",
            "exd3",
            "the pawn on e2 is pinned to the king on e1 by the rook on e7",
        ),
        ("4k3/4r3/8/8/8/8/8/N3K3", "Nb3", "the king on e1 would stay in check from the rook on e7"),
        ("4k3/8/8/8/8/8/5r2/4K3", "Kd2", "the king would be in check on d2 from the rook on f2"),
        ("8/8/8/8/8/4k3/8/4K3", "Ke2", "the king would be in check on e2 from the king on e3"),
        ("4k3/8/8/8/4r3/8/4K3/8", "Ke1", "the king would be in check on e1 from the rook on e4"),
        (
            "4k3/8/8/8/1b6/2N5/8/r3K3",
            "Ne2",
            "the knight on c3 is pinned to the king on e1 by the bishop on b4",
        ),
        (
            "4k3/8/8/8/1b6/8/2N5/r3K3",
            "Nd4",
            "the king on e1 would stay in check from the rook on a1",
        ),
        ("8/8/8/8/8/4k3/8/4K3", "Ke4", "no white king can reach e4"),
        (
            "8/8/8/K2pP2r/8/8/8/4k3 w - d6",
            "exd6",
            "capturing en passant would leave the king on a5 in check from the rook on h5",
        ),
        ("8/P6k/8/8/8/8/7K/8", "a8", "the promotion piece on a8 is missing, for example a8=Q"),
        ("8/P6k/8/8/8/8/7K/8", "a8=K", "a pawn does not become a king"),
        ("8/P6k/8/8/8/8/7K/8", "a8=P", "a pawn does not become a pawn"),
        ("4k3/8/8/8/8/8/8/RN2KN2", "Nd2", "ambiguous: the knights on b1 and f1 can both go to d2"),
        ("4k3/8/8/8/8/8/8/4K2R", "O-O", "White does not have the right to castle kingside"),
        ("4k3/8/8/8/4r3/8/8/4K2R w K", "O-O", "no castling in check: the rook on e4 gives check"),
        (
            "4kr2/8/8/8/8/8/8/4K2R w K",
            "O-O",
            "castling kingside is not possible: f1 is attacked by the rook on f8",
        ),
        (
            "4k1r1/8/8/8/8/8/8/4K2R w K",
            "O-O",
            "castling kingside is not possible: g1 is attacked by the rook on g8",
        ),
        (
            "3rk3/8/8/8/8/8/8/R3K3 w Q",
            "O-O-O",
            "castling queenside is not possible: d1 is attacked by the rook on d8",
        ),
        ("4k3/8/8/8/8/8/8/Rn2K3 w Q", "O-O-O", "castling queenside is blocked by the knight on b1"),
        // In Chess960, the king's target may be beside its rook, which no longer hides it.
        (
            "4k3/8/8/8/8/8/8/1rR1K3 w C",
            "O-O-O",
            "castling queenside is not possible: c1 is attacked by the rook on b1",
        ),
        ("4k3/8/8/8/8/8/8/4K2R w K", "Kg1", "no white king can reach g1"),
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq",
            "a3",
            "White is checkmated: the game is over",
        ),
        ("7k/5Q2/6K1/8/8/8/8/8 b", "Kg8", "Black is stalemated: the game is over"),
    ];
    for (fields, token, reason) in cases {
        let others = ["w", "-", "-", "0", "1"].into_iter().skip(fields.split(' ').count() - 1);
        let fen = fields.split(' ').chain(others).collect::<Vec<_>>().join(" ");
        let error = resolve(&Position::from_fen(&fen).unwrap(), token.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), *reason, "{token} in {fen}");
    }
}
