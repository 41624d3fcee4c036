//! The text of a move: canonical SAN (PGN standard 8.2.3) and UCI.

use std::fmt;

use shakmaty::{Bitboard, CastlingSide, Role, Square};

use crate::Position;
use crate::moves::Move;

/// The text of a move, in place: no move is longer than `Qa1xb2+`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveText {
    bytes: [u8; 8],
    len: u8,
}

impl MoveText {
    const EMPTY: MoveText = MoveText { bytes: [0; 8], len: 0 };

    /// The text as bytes, all of them ASCII.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("only ASCII is pushed")
    }

    /// Writes the text into a line.
    #[inline]
    pub fn write(&self, line: &mut crate::Line<'_>) {
        line.text_of_len(&self.bytes, usize::from(self.len));
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.len & 7)] = byte;
        self.len += 1;
    }

    #[inline]
    fn push_square(&mut self, square: Square) {
        self.push(file(square));
        self.push(rank(square));
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

#[inline]
fn file(square: Square) -> u8 {
    b'a' + square as u8 % 8
}

#[inline]
fn rank(square: Square) -> u8 {
    b'1' + square as u8 / 8
}

/// The canonical SAN of a legal move: no more disambiguation than needed, `+` and `#` where true.
///
/// ```
/// let position = san::Position::from_fen("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1").unwrap();
/// let text = |token: &[u8]| san::san_of(&position, san::resolve(&position, token).unwrap()).to_string();
/// assert_eq!(text(b"e1g1"), "O-O");
/// assert_eq!(text(b"Ra1xa8"), "Ra8+");
/// ```
#[inline]
pub fn san_of(position: &Position, next: Move) -> MoveText {
    let mut text = MoveText::EMPTY;
    match next.role {
        Role::Pawn => pawn(next, &mut text),
        Role::King if next.castling().is_some() => {
            let castles =
                if next.castling() == Some(CastlingSide::KingSide) { "O-O" } else { "O-O-O" };
            castles.bytes().for_each(|byte| text.push(byte));
        }
        role => {
            text.push(role.upper_char() as u8);
            disambiguate(position, next, &mut text);
            if next.is_capture() {
                text.push(b'x');
            }
            text.push_square(next.to);
        }
    }
    if position.gives_check(next) {
        text.push(check_mark(position, next));
    }
    text
}

#[inline]
fn pawn(next: Move, text: &mut MoveText) {
    if next.is_capture() {
        text.push(file(next.from));
        text.push(b'x');
    }
    text.push_square(next.to);
    if let Some(role) = next.promotion() {
        text.push(b'=');
        text.push(role.upper_char() as u8);
    }
}

/// The file if that tells the piece from the others, else the rank, else both (PGN standard 8.2.3.4).
#[inline]
fn disambiguate(position: &Position, next: Move, text: &mut MoveText) {
    let Move { from, to, role, .. } = next;
    let rivals = position.movers(role, to, !Bitboard::from_square(from));
    if rivals.any() {
        disambiguate_from(position, next, rivals, text);
    }
}

#[cold]
fn disambiguate_from(position: &Position, next: Move, rivals: Bitboard, text: &mut MoveText) {
    let Move { from, to, .. } = next;
    let (mut any, mut same_file, mut same_rank) = (false, false, false);
    for rival in rivals {
        // A rival that may not move there does not count.
        if position.is_safe(rival, to) {
            any = true;
            same_file |= rival.file() == from.file();
            same_rank |= rival.rank() == from.rank();
        }
    }
    if any && (!same_file || same_rank) {
        text.push(file(from));
    }
    if same_file {
        text.push(rank(from));
    }
}

#[cold]
fn check_mark(position: &Position, next: Move) -> u8 {
    let mut after = position.clone();
    after.play_unchecked(next);
    if after.has_legal_move() { b'+' } else { b'#' }
}

/// The move as engines read and write it (UCI protocol): `e2e4`, `e7e8q`, castling as the king's two squares.
///
/// In Chess960, where that would be ambiguous or not a king's leap, castling is written as the king taking its rook.
///
/// ```
/// let position = san::Position::default();
/// let next = san::resolve(&position, b"Nf3")?;
/// assert_eq!(san::uci_of(next).as_str(), "g1f3");
/// # Ok::<_, san::SanError>(())
/// ```
pub fn uci_of(next: Move) -> MoveText {
    let mut text = MoveText::EMPTY;
    text.push_square(next.from);
    match next.castling_rook() {
        Some(rook) if !is_standard_castling(next.from, rook) => text.push_square(rook),
        _ => text.push_square(next.to()),
    }
    if let Some(role) = next.promotion() {
        text.push(role.char() as u8);
    }
    text
}

fn is_standard_castling(king: Square, rook: Square) -> bool {
    use shakmaty::File;
    king.file() == File::E && matches!(rook.file(), File::A | File::H)
}
