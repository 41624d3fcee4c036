//! Random games, compared move by move with shakmaty.

use std::collections::BTreeSet;

use san::{
    Buffer, CastlingStyle, Color, EnPassantPolicy, FieldStyle, File, Move, Position, PositionKey,
    Rank, Role, Setup, Square, resolve, resolve_plain, san_of, uci_of,
};
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Piece, Position as _};
use testkit::rng::Rng;

use crate::random_game;

const GAMES: u64 = 3_000;

#[test]
fn random_games_are_those_of_shakmaty() {
    for seed in 0..GAMES {
        let mut ours: Option<Position> = None;
        random_game::play(seed, 120, |theirs, their_next| {
            let ours = ours.get_or_insert_with(|| Position::try_from(theirs).unwrap());
            assert_eq!(Chess::from(&*ours), *theirs);
            assert_same_text(ours, theirs);
            assert_same_state(ours, theirs);
            assert_restored(ours, theirs);
            let san = SanPlus::from_move(theirs.clone(), their_next).to_string();
            let next =
                resolve(ours, san.as_bytes()).unwrap_or_else(|e| panic!("{ours}: {san}: {e}"));
            assert_eq!(resolve_plain(ours, san.as_bytes()), Some(next), "{ours}: {san}");
            assert_eq!(san_of(ours, next).as_str(), san, "{ours}");
            let gives_check = san.ends_with(['+', '#']);
            assert_eq!(ours.gives_check(next), gives_check, "{ours}: {san}");
            ours.play_unchecked(next);
        });
    }
}

/// All legal moves, in SAN and UCI, in both directions; for some positions of each game only, since
/// it is slow.
#[test]
fn the_legal_moves_of_random_positions_and_their_text_are_those_of_shakmaty() {
    for seed in 0..GAMES / 10 {
        let mut ply = seed;
        random_game::play(seed ^ 0xabcdef, 160, |theirs, _| {
            ply += 1;
            if ply.is_multiple_of(7) {
                assert_same_moves(&Position::try_from(theirs).unwrap(), theirs);
            }
        });
    }
}

fn assert_same_moves(ours: &Position, theirs: &Chess) {
    let our_moves = ours.legal_moves();
    let our_text: BTreeSet<String> =
        our_moves.iter().map(|m| san_of(ours, *m).to_string()).collect();
    let their_moves = theirs.legal_moves();
    let their_text: BTreeSet<String> =
        their_moves.iter().map(|m| SanPlus::from_move(theirs.clone(), *m).to_string()).collect();
    assert_eq!(our_text, their_text, "{ours}");
    assert_eq!(our_moves.len(), their_moves.len(), "{ours}");
    for next in our_moves {
        let san = san_of(ours, next);
        assert_eq!(resolve(ours, san.as_bytes()), Ok(next), "{ours}: {san}");
        assert_eq!(resolve(ours, uci_of(next).as_bytes()), Ok(next), "{ours}: {san}");
        assert_uci(ours, theirs, next);
    }
}

fn assert_uci(ours: &Position, theirs: &Chess, next: Move) {
    let uci: UciMove = uci_of(next).as_str().parse().unwrap();
    let their_next = uci.to_move(theirs).unwrap();
    assert_eq!(
        their_next.to_uci(CastlingMode::Chess960).to_string(),
        king_takes_rook(next),
        "{ours}"
    );
}

fn king_takes_rook(next: Move) -> String {
    match next.castling_rook() {
        Some(rook) => format!("{}{rook}", next.from()),
        None => uci_of(next).to_string(),
    }
}

fn assert_same_text(ours: &Position, theirs: &Chess) {
    let policies = [
        (EnPassantPolicy::Always, EnPassantMode::Always),
        (EnPassantPolicy::Pseudo, EnPassantMode::PseudoLegal),
        (EnPassantPolicy::Legal, EnPassantMode::Legal),
    ];
    let mut buffer = Buffer::default();
    for (en_passant, mode) in policies {
        buffer.clear();
        let mut line = buffer.line();
        let style = FieldStyle { castling: CastlingStyle::XFen, en_passant };
        san::write_fields(ours, style, &mut line);
        line.finish();
        let expected = Epd::from_position(theirs, mode).to_string();
        assert_eq!(String::from_utf8_lossy(buffer.as_bytes()), expected);
    }
}

fn assert_same_state(ours: &Position, theirs: &Chess) {
    assert_eq!(ours.halfmoves(), theirs.halfmoves());
    assert_eq!(ours.fullmoves(), theirs.fullmoves().get());
    assert_eq!(ours.castling_rooks(), theirs.castles().castling_rights());
    assert_eq!(ours.checkers(), theirs.checkers());
    let key: Zobrist64 = theirs.zobrist_hash(EnPassantMode::PseudoLegal);
    assert_eq!(ours.key(), key.0, "{ours}");
}

/// A position that is restored from its key has the same moves, written in the notation that its
/// castling rights need.
fn assert_restored(ours: &Position, theirs: &Chess) {
    let key = PositionKey::of(ours);
    let restored = key.position_unchecked(ours.halfmoves(), ours.fullmoves());
    assert_eq!(PositionKey::of(&restored), key, "{ours}");
    let fields = |position: &Chess| Epd::from_position(position, EnPassantMode::Legal).to_string();
    assert_eq!(fields(&Chess::from(&restored)), fields(theirs));
    let rights = theirs.castles().castling_rights();
    let is_initial = |rook: Square| {
        let king = theirs.board().king_of(theirs.board().color_at(rook).unwrap()).unwrap();
        king.file() == File::E && matches!(rook.file(), File::A | File::H)
    };
    let mode = CastlingMode::from_chess960(!rights.into_iter().all(is_initial));
    let castlings = |moves: Vec<String>| moves.into_iter().collect::<BTreeSet<_>>();
    let our_moves = restored.legal_moves().into_iter().filter(|next| next.castling().is_some());
    let their_moves = theirs.legal_moves().into_iter().filter(|next| next.is_castle());
    assert_eq!(
        castlings(our_moves.map(|next| restored.uci_of(next).to_string()).collect()),
        castlings(their_moves.map(|next| next.to_uci(mode).to_string()).collect()),
        "{ours}"
    );
}

/// A board with pawns of both sides next to each other on the rank where they capture en passant,
/// lines to the king that such a capture may open, and pieces where a pawn would come from.
fn board_of_pawns(rng: &mut Rng) -> shakmaty::Setup {
    let turn = Color::from_white(rng.one_in(2));
    let square =
        |file: u32, rank: Rank| Square::from_coords(File::new(file), turn.relative_rank(rank));
    let mut setup = shakmaty::Setup { turn, ..shakmaty::Setup::empty() };
    let mut put = |square, color, role| setup.board.set_piece_at(square, Piece { color, role });
    let any = |rng: &mut Rng| Square::new(rng.below(64));
    for _ in 0..rng.between(1, 5) {
        let role = rng.pick(&[Role::Rook, Role::Bishop, Role::Queen, Role::Knight]);
        put(any(rng), if rng.one_in(4) { turn } else { !turn }, role);
    }
    for _ in 0..rng.between(1, 2) {
        let file = rng.below(7);
        let (own, other) = if rng.one_in(2) { (file, file + 1) } else { (file + 1, file) };
        put(square(own, Rank::Fifth), turn, Role::Pawn);
        put(square(other, Rank::Fifth), !turn, Role::Pawn);
        if rng.one_in(4) {
            let rank = rng.pick(&[Rank::Sixth, Rank::Seventh]);
            put(square(other, rank), !turn, rng.pick(&[Role::Knight, Role::Bishop]));
        }
    }
    for color in Color::ALL {
        put(any(rng), color, Role::King);
    }
    setup
}

fn is_pinned(position: &Chess) -> bool {
    let square = |mode| position.ep_square(mode);
    square(EnPassantMode::PseudoLegal).is_some() && square(EnPassantMode::Legal).is_none()
}

fn polyglot(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

#[test]
fn en_passant_squares_are_possible_pinned_and_part_of_the_keys_as_in_shakmaty() {
    let mut rng = Rng::new(8);
    // Boards with a pinned square, with a pawn that cannot have advanced, and refused squares.
    let (mut pinned, mut blocked, mut impossible) = (0, 0, 0);
    for _ in 0..60_000 {
        let mut setup = board_of_pawns(&mut rng);
        let mode = CastlingMode::Standard;
        let Ok(plain) = Chess::from_setup(setup.clone(), mode) else { continue };
        let ours = Position::try_from(&plain).unwrap();
        let squares = File::ALL.map(|file| {
            let square = Square::from_coords(file, setup.turn.relative_rank(Rank::Sixth));
            setup.ep_square = Some(square);
            let fen = Fen::try_from_setup(setup.clone()).unwrap().to_string();
            let theirs = Chess::from_setup(setup.clone(), mode);
            let strict = Setup::from_fen(fen.as_bytes()).unwrap();
            assert_eq!(strict.position().is_ok(), theirs.is_ok(), "{fen}");
            impossible += u32::from(theirs.is_err());
            let mut repaired = strict;
            repaired.repair();
            let ours = match (repaired.position(), &theirs) {
                (Ok(ours), _) => ours,
                // The square is possible without the check, which is another error.
                (Err(san::FenError::ImpossibleCheck(_)), Err(error)) => {
                    let kinds = shakmaty::PositionErrorKinds::IMPOSSIBLE_CHECK;
                    assert!(error.kinds().contains(kinds), "{fen}: {error}");
                    return plain.clone();
                }
                (Err(error), _) => panic!("{fen}: {error}"),
            };
            // An impossible square is left out.
            let theirs = theirs.unwrap_or_else(|_| plain.clone());
            assert_same_text(&ours, &theirs);
            assert_eq!(ours.key(), polyglot(&theirs), "{fen}");
            assert_eq!(ours.pinned_en_passant().is_some(), is_pinned(&theirs), "{fen}");
            theirs
        });
        let expected = squares.iter().find(|position| is_pinned(position));
        let found = ours.with_pinned_en_passant();
        assert_eq!(found.map(|position| position.key()), expected.map(polyglot), "{ours}");
        pinned += u32::from(expected.is_some());
        // The square that the pawn came from is occupied.
        setup.ep_square = None;
        let is_blocked = |file: File| {
            let [pawn, behind, start] = [Rank::Fifth, Rank::Sixth, Rank::Seventh]
                .map(|rank| Square::from_coords(file, setup.turn.relative_rank(rank)));
            let piece = |square| setup.board.piece_at(square);
            piece(pawn) == Some(Piece { color: !setup.turn, role: Role::Pawn })
                && piece(behind).is_none()
                && piece(start).is_some()
        };
        blocked += u32::from(File::ALL.into_iter().any(is_blocked));
    }
    assert!(
        pinned > 300 && blocked > 300 && impossible > 10_000,
        "{pinned} {blocked} {impossible}"
    );
}
