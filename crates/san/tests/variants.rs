//! Moves and fields of variants.

use san::{
    AnyPosition, CastlingStyle, EnPassantPolicy, FieldStyle, SanError, Square, Variant,
    VariantPosition,
};

fn position(variant: Variant, fen: &str) -> VariantPosition {
    VariantPosition::from_fen(variant, fen.as_bytes()).unwrap().0
}

#[test]
fn a_variant_is_found_by_its_names() {
    let cases: &[(&str, Option<Variant>)] = &[
        ("Antichess", Some(Variant::Antichess)),
        ("Giveaway", Some(Variant::Antichess)),
        ("atomic", Some(Variant::Atomic)),
        ("Crazyhouse 960", Some(Variant::Crazyhouse)),
        ("horde", Some(Variant::Horde)),
        ("King of the Hill", Some(Variant::KingOfTheHill)),
        ("Racing Kings", Some(Variant::RacingKings)),
        ("Three-check", Some(Variant::ThreeCheck)),
        ("3-Check", Some(Variant::ThreeCheck)),
        ("Chess960", None),
        ("Standard", None),
        ("", None),
    ];
    for (name, expected) in cases {
        assert_eq!(VariantPosition::variant_named(name.as_bytes()), *expected, "{name}");
    }
}

#[test]
fn every_spelling_of_a_move_in_a_variant_means_that_move() {
    let castling = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    let capture = "4k3/8/8/3p4/4P3/5N2/8/4K3 w - - 0 1";
    let promotion = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    let pocket = "4k3/8/8/8/8/8/8/4K3[NPp] w - - 0 1";
    let cases: &[(&str, &str, &[&str])] = &[
        (castling, "O-O", &["O-O", "0-0", "e1g1", "e1h1", "Ke1g1"]),
        (castling, "O-O-O", &["O-O-O", "e1c1", "e1a1", "Ke1-c1"]),
        (castling, "Kf1", &["Kf1", "e1f1", "Ke1f1"]),
        (castling, "e4", &["e4", "e2e4", "e2-e4", "Pe4"]),
        (capture, "exd5", &["exd5", "ed5", "e4xd5", "e4d5"]),
        (capture, "Nd4", &["Nd4", "Nfd4", "N3d4", "f3d4", "Nf3-d4", "Nd4!"]),
        (promotion, "axb8=Q+", &["axb8=Q", "a7b8q", "ab8Q"]),
        (promotion, "a8=N", &["a8=N", "a7a8n", "a8(N)"]),
        (pocket, "N@f3", &["N@f3", "n@f3", "N@f3!"]),
        (pocket, "@e4", &["@e4", "P@e4"]),
    ];
    for (fen, expected, spellings) in cases {
        let position = position(Variant::Crazyhouse, fen);
        for spelling in *spellings {
            let played = position.resolve(spelling.as_bytes());
            let played = played.unwrap_or_else(|error| panic!("{spelling}: {error}"));
            assert_eq!(position.san_of(played).as_str(), *expected, "{spelling}");
        }
    }
}

#[test]
fn what_is_no_move_of_the_variant_is_refused_with_its_reason() {
    let castling = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    let capture = "4k3/8/8/3p4/4P3/5N2/8/4K3 w - - 0 1";
    let promotion = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    let rooks = "4k3/8/8/8/8/8/8/R3K2R[N] w - - 0 1";
    let (role, to) = (san::Role::Rook, Square::D6);
    let ambiguous = SanError::Ambiguous { role, first: Square::A6, second: Square::H6, to };
    let cases = [
        (castling, "hello", SanError::NotAMove),
        (castling, "--", SanError::NullMove),
        // The king leaps only if both squares are given.
        (castling, "Kg1", SanError::NotInVariant),
        (castling, "Kh1", SanError::NotInVariant),
        (castling, "e5", SanError::NotInVariant),
        // A pawn captures only if its file is given.
        (capture, "d5", SanError::NotInVariant),
        (capture, "dxe5", SanError::NotInVariant),
        (capture, "Ngd4", SanError::NotInVariant),
        (capture, "N4d4", SanError::NotInVariant),
        (capture, "Bd4", SanError::NotInVariant),
        (capture, "N@f4", SanError::NotInVariant),
        (promotion, "a8", SanError::PromotionMissing(Square::A8)),
        (promotion, "a8=K", SanError::NotInVariant),
        (rooks, "N@e1", SanError::NotInVariant),
        (rooks, "B@e4", SanError::NotInVariant),
        (rooks, "X@e4", SanError::NotAMove),
        (rooks, "NN@e4", SanError::NotAMove),
        (rooks, "N@e9", SanError::NotAMove),
        ("6k1/8/R6R/8/8/8/8/4K3 w - - 0 1", "Rd6", ambiguous),
    ];
    for (fen, token, expected) in cases {
        let position = position(Variant::Crazyhouse, fen);
        let found = position.resolve(token.as_bytes());
        assert_eq!(found, Err(expected), "{token} in {fen}");
    }
}

#[test]
fn castling_rights_and_en_passant_squares_of_a_variant_are_written_in_every_style() {
    use CastlingStyle::{Shredder, Standard, XFen};
    use EnPassantPolicy::{Always, Legal, Pseudo};
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R";
    let chess960 = "1r2k1r1/8/8/8/8/8/8/RR2K1R1";
    let pinned = "8/8/8/8/k2Pp2Q/8/8/3K4";
    let cases = [
        (castling, "w KQkq -", XFen, Always, "w KQkq -"),
        (castling, "w KQkq -", Shredder, Always, "w HAha -"),
        (castling, "b Qk -", Shredder, Always, "b Ah -"),
        (castling, "w Kq -", Standard, Always, "w Kq -"),
        (castling, "w - -", Shredder, Always, "w - -"),
        (chess960, "w GBgb -", XFen, Always, "w KBkq -"),
        (chess960, "w GBgb -", Shredder, Always, "w GBgb -"),
        (chess960, "w GBgb -", Standard, Always, "w KQkq -"),
        (pinned, "b - d3", XFen, Always, "b - d3"),
        (pinned, "b - d3", XFen, Pseudo, "b - d3"),
        (pinned, "b - d3", XFen, Legal, "b - -"),
        ("4k3/8/8/8/4P3/8/8/4K3", "b - e3", XFen, Always, "b - e3"),
        ("4k3/8/8/8/4P3/8/8/4K3", "b - e3", XFen, Pseudo, "b - -"),
    ];
    for (placement, rest, castling, en_passant, expected) in cases {
        let fen = format!("{placement} {rest} 0 1");
        let written =
            position(Variant::KingOfTheHill, &fen).fields(FieldStyle { castling, en_passant });
        assert_eq!(written, format!("{placement} {expected}"), "{castling:?} {en_passant:?}");
    }
}

#[test]
fn castling_in_chess960_is_the_king_on_the_square_of_its_rook() {
    for (fen, san, uci) in [
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "O-O", "e1g1"),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "O-O-O", "e1b1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "e1g1"),
    ] {
        let position = position(Variant::Atomic, fen);
        let played = position.resolve(san.as_bytes()).unwrap();
        assert_eq!(position.uci_of(played).as_str(), uci, "{fen}");
        assert_eq!(position.resolve(uci.as_bytes()), Ok(played), "{fen}");
    }
}
