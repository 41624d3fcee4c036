//! All accepted notations of a move; each has one meaning or is rejected.

use san::{Position, SanError, resolve, resolve_plain, san_of};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLING: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
const PROMOTION: &str = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
const CAPTURE: &str = "4k3/8/8/3p4/4P3/5N2/8/4K3 w - - 0 1";
const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
const CHECK: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";

#[test]
fn every_spelling_is_read_as_the_move_that_it_means() {
    let cases = [
        (START, "e4", "e4 e2e4 e2-e4 Pe4 Pe2-e4 e4! e4?! e4+ e4= e4+- ♙e4 e2–e4"),
        (
            START,
            "Nf3",
            "Nf3 Ngf3 N1f3 Ng1f3 Ng1-f3 g1f3 g1-f3 ♘f3 ♞f3 Nxf3 Nf3!? Nf3∞ Nf3⩲ Nf3+/- \
            N:f3 Nf3‼ Nf3x",
        ),
        (CASTLING, "O-O", "O-O 0-0 o-o OO 00 oo O–O O—O 0‑0 O-0 O-O+ O-O! e1g1 e1h1 Ke1g1 Ke1-g1"),
        (CASTLING, "O-O-O", "O-O-O 0-0-0 o-o-o OOO 000 O–O–O e1c1 e1a1 O-O-O#"),
        (
            PROMOTION,
            "a8=Q",
            "a8=Q a8Q a8(Q) a8(=Q) a8/Q a8=q a8q a7a8q a7-a8=Q Pa8=Q a8=Q+ a8=♕ a7a8Q",
        ),
        (PROMOTION, "a8=N", "a8=N a8N a8n a8/N a7a8n"),
        (
            PROMOTION,
            "axb8=Q+",
            "axb8=Q+ axb8=Q axb8Q ab8Q ab8=Q# a7xb8=Q a7b8q axb8(Q)+ a:b8=Q a×b8Q",
        ),
        (PROMOTION, "a8=B", "a8b a8=B a8B a8=(B) a8(=B) a8+=B a8+=(B)"),
        (CAPTURE, "exd5", "exd5 ed5 e:d5 e×d5 e4xd5 e4d5 e4-d5 Pexd5 exd5ch exd5!"),
        (EN_PASSANT, "exd6", "exd6 ed6 e5d6 e5xd6 exd6e.p. exd6ep exd6e.p"),
        (
            CHECK,
            "Ra8+",
            "Ra8+ Ra8 Ra8# Ra8++ Ra8ch Ra8ch. Ra8mate Ra8† Ra8‡ R1a8 Raa8 Ra1a8 a1a8 \
            Ra8dbl.ch. Ra8dis.ch. Ra8disc. Ra8. Ra8+, R\u{ad}a8 R1a8–",
        ),
    ];
    for (fen, expected, spellings) in cases {
        let position = Position::from_fen(fen).unwrap();
        for spelling in spellings.split(' ') {
            match resolve(&position, spelling.as_bytes()) {
                Ok(next) => assert_eq!(san_of(&position, next).as_str(), expected, "{spelling}"),
                Err(error) => panic!("{spelling}: {error}"),
            }
        }
    }
}

#[test]
fn latin_1_and_utf_8_multiplication_signs_are_captures() {
    let position = Position::from_fen(CAPTURE).unwrap();
    assert!(resolve(&position, b"e\xd7d5").is_ok());
    assert!(resolve(&position, "e×d5".as_bytes()).is_ok());
}

#[test]
fn what_is_no_move_is_refused() {
    let position = Position::from_fen(START).unwrap();
    for token in [
        "", "e", "4", "nf3", "Sf3", "Cf3", "ed", "xe4", "foo", "e4e5x6", "Nf9", "Ni3", "O-O-O-O",
        "O", "-O-O", "OO-O", "Nf33", "1-0", "*", "Nf3♘", "e2e4e5", "\u{7f}", "e=4", "(Q)", "=Q",
        "x", "+", "éé", "Ñf3", "Qd1-d3-d5", "ng1f3",
    ] {
        let error = resolve(&position, token.as_bytes()).unwrap_err();
        assert_eq!(error, san::SanError::NotAMove, "{token}: {error}");
    }
}

#[test]
fn no_letter_after_h_and_no_digit_after_8_is_taken_for_a_square() {
    let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    for token in ["Ri1", "Ra9", "i1", "Rai1", "axi1"] {
        assert_eq!(resolve(&position, token.as_bytes()), Err(san::SanError::NotAMove), "{token}");
        assert_eq!(resolve_plain(&position, token.as_bytes()), None, "{token}");
    }
}

#[test]
fn a_small_b_is_a_pawn_and_a_capital_b_is_a_bishop() {
    let position = Position::from_fen("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1").unwrap();
    let text = |token: &[u8]| san_of(&position, resolve(&position, token).unwrap()).to_string();
    assert_eq!(text(b"bxc3"), "bxc3");
    assert_eq!(text(b"bc3"), "bxc3");
    assert_eq!(text(b"Bxc3"), "Bxc3");
    assert_eq!(text(b"Bc3"), "Bxc3");
}

#[test]
fn a_pinned_rival_is_no_ambiguity() {
    let position = Position::from_fen("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1").unwrap();
    let next = resolve(&position, b"Ne2").unwrap();
    assert_eq!(next.from(), san::Square::G1);
    assert_eq!(san_of(&position, next).as_str(), "Ne2");
}

#[test]
fn disambiguation_is_by_file_then_rank_then_both() {
    let cases = [
        ("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1", "Nbd2", "Nbd2"),
        ("5k2/8/8/R7/8/8/8/R3K3 w - - 0 1", "R1a3", "R1a3"),
        ("8/k7/8/8/4Q2Q/8/K7/7Q w - - 0 1", "Qh4e1", "Qh4e1"),
        ("5k2/8/8/8/R6R/8/8/4K3 w - - 0 1", "Rad4", "Rad4"),
    ];
    for (fen, token, expected) in cases {
        let position = Position::from_fen(fen).unwrap();
        let next = resolve(&position, token.as_bytes()).unwrap();
        assert_eq!(san_of(&position, next).as_str(), expected, "{fen}");
    }
}

#[test]
fn chess960_castling_is_told_from_a_king_move() {
    // A king on f1 that moves to g1 does not castle, although castling is legal.
    for (rank, token, san) in [
        ("4K1R1 w G", "e1g1", "O-O"),
        ("4K1R1 w G", "O-O", "O-O"),
        ("4K1R1 w G", "e1f1", "Kf1"),
        ("5K1R w H", "f1g1", "Kg1"),
        ("5K1R w H", "f1h1", "O-O"),
    ] {
        let position = Position::from_fen(format!("4k3/8/8/8/8/8/8/{rank} - 0 1")).unwrap();
        let next = resolve(&position, token.as_bytes()).unwrap();
        assert_eq!(san_of(&position, next).as_str(), san, "{token}");
    }
}

/// Its end may be missing.
#[test]
fn castling_that_ends_with_a_dash_is_no_move() {
    let position = Position::from_fen(CASTLING).unwrap();
    for token in ["O-O-", "0-0-", "O-O–", "O-O-!"] {
        assert_eq!(resolve(&position, token.as_bytes()), Err(SanError::NotAMove), "{token}");
    }
}
