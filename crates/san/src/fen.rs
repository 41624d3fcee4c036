//! FEN, X-FEN and Shredder-FEN: text to [`Setup`] and [`Position`], [`Position`] to text.

mod placement;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square, attacks};

use crate::buffer::Line;
use crate::error::{FenError, Field};
use crate::position::{Mailbox, Position};
use crate::setup::{Repair, Right, Setup, beside};

/// Style of the fields that have more than one notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FieldStyle {
    /// The castling rights.
    pub castling: CastlingStyle,
    /// When to write an en passant square.
    pub en_passant: EnPassantPolicy,
}

impl Setup {
    /// Reads a FEN, X-FEN or Shredder-FEN (PGN standard 16.1).
    ///
    /// Accepts: spaces around and between the fields, `W` and `B` for the side to move, missing
    /// fields after it, `-` for a clock, a fullmove number of 0. [`Setup::repair`] lists which of
    /// these occurred. Fails if the text is not a FEN. Legality is not checked here.
    pub fn from_fen(fen: &[u8]) -> Result<Self, FenError> {
        let trimmed = fen.trim_ascii_end();
        let (fen, has_semicolon) = match trimmed.strip_suffix(b";") {
            Some(fen) => (fen, true),
            None => (trimmed, false),
        };
        let mut fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        let board = placement(fields.next().ok_or(FenError::Empty)?)?;
        let mut repairs = ArrayVec::new();
        if has_semicolon {
            repairs.push(Repair::Semicolon);
        }
        let turn = match fields.next() {
            Some(capital @ (b"W" | b"B")) => {
                repairs.push(Repair::CapitalSide);
                Color::from_white(capital == b"W")
            }
            field => side_to_move(field.unwrap_or_default())?,
        };
        let mut next_or_hyphen = |field| {
            fields.next().unwrap_or_else(|| {
                repairs.push(Repair::Missing(field));
                b"-"
            })
        };
        let rights = castling(next_or_hyphen(Field::Castling))?;
        let en_passant = en_passant(next_or_hyphen(Field::EnPassant))?;
        let mut clock = |field| match fields.next() {
            None => Ok((None, Some(Repair::Missing(field)))),
            Some(b"-") => Ok((None, Some(Repair::Dash(field)))),
            Some(digits) => {
                number(digits).map(|n| (Some(n), None)).ok_or(FenError::NotANumber(field))
            }
        };
        let (halfmoves, halfmoves_repair) = clock(Field::HalfmoveClock)?;
        let (fullmoves, fullmoves_repair) = clock(Field::FullmoveNumber)?;
        repairs.extend(halfmoves_repair);
        repairs.extend(fullmoves_repair);
        if fullmoves == Some(0) {
            repairs.push(Repair::ZeroFullmove);
        }
        if fields.next().is_some() {
            return Err(FenError::TooLong);
        }
        let PlacedPieces { letters, by_role, by_color } = board;
        let (halfmoves, fullmoves) = (halfmoves.unwrap_or(0), fullmoves.unwrap_or(1).max(1));
        Ok(Setup {
            letters,
            by_role,
            by_color,
            turn,
            rights,
            en_passant,
            halfmoves,
            fullmoves,
            repairs,
        })
    }

    /// Reads the four fields of an EPD record, passed separately (EPD 3). The clocks are 0 and 1.
    /// Fails if a field is malformed; [`FenError::field`] tells which. Legality is not checked
    /// here.
    ///
    /// ```
    /// use san::{Field, Setup};
    ///
    /// assert!(Setup::from_fields(["4k3/8/8/8/8/8/8/4K3", "w", "-", "-"]).is_ok());
    /// let error = Setup::from_fields(["4k3/8/8/8/8/8/8/4K3", "x", "-", "-"]).unwrap_err();
    /// assert_eq!(error.field(), Some(Field::SideToMove));
    /// ```
    #[inline(always)]
    pub fn from_fields(fields: [&str; 4]) -> Result<Self, FenError> {
        let [placed, side, rights, square] = fields.map(str::as_bytes);
        let PlacedPieces { letters, by_role, by_color } = placement(placed)?;
        Ok(Setup {
            letters,
            by_role,
            by_color,
            turn: side_to_move(side)?,
            rights: castling(rights)?,
            en_passant: en_passant(square)?,
            halfmoves: 0,
            fullmoves: 1,
            repairs: ArrayVec::new(),
        })
    }
}

impl Position {
    /// Reads a FEN, X-FEN or Shredder-FEN (PGN standard 16.1). Missing fields at the end default to
    /// `- - 0 1`. Fails if it is not a FEN, or the position is not legal; impossible castling
    /// rights and en passant squares are errors too. [`Setup::repair`] can remove those.
    ///
    /// ```
    /// use san::{FenError, Position};
    ///
    /// assert!(Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").is_ok());
    /// let error = Position::from_fen("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "Black is in check, but it is White's turn");
    /// ```
    pub fn from_fen(fen: impl AsRef<[u8]>) -> Result<Self, FenError> {
        Setup::from_fen(fen.as_ref())?.position()
    }
}

/// Writes the four fields of an EPD record (EPD 3).
///
/// ```
/// use san::{Buffer, FieldStyle, Position};
///
/// let mut buffer = Buffer::default();
/// let mut line = buffer.line();
/// san::write_fields(&Position::default(), FieldStyle::default(), &mut line);
/// line.finish();
/// assert_eq!(buffer.as_bytes(), b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
/// ```
#[inline(always)]
pub fn write_fields(position: &Position, style: FieldStyle, line: &mut Line<'_>) {
    placement::write(position, line);
    write_castling(position, style.castling, line);
    write_en_passant(position.en_passant(style.en_passant), line);
}

// Castling rights, each the square of a rook, and their three notations.

crate::keywords! {
    /// Notation of castling rights.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum CastlingStyle {
        /// KQkq, and the letter of a file where that would be ambiguous (Chess960)
        ///
        /// As in X-FEN: `KQkq` is the right of the outermost rook of that side. In standard chess
        /// this agrees with the standard (EPD 3.3).
        #[default]
        XFen = "xfen",
        /// The letters of the rooks' files: HAha
        Shredder = "shredder",
        /// Always KQkq
        Standard = "standard",
    }
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The second and third field for each side and rights of corner rooks, outermost for any king.
struct StateTexts([[u8; 8]; 32]);

static LETTERS: StateTexts = texts(b"KQkq");

static FILES: StateTexts = texts(b"HAha");

static LENGTHS: [u8; 16] = [5, 5, 5, 6, 5, 6, 6, 7, 5, 6, 6, 7, 6, 7, 7, 8];

/// The bits of the rights in writing order.
const BITS: [usize; 4] = [2, 1, 8, 4];

const fn texts(letters: &[u8; 4]) -> StateTexts {
    let mut table = [*b" w -    "; 32];
    let mut index = 0;
    while index < 32 {
        let text = &mut table[index];
        text[1] = if index < 16 { b'b' } else { b'w' };
        let (mut letter, mut len) = (0, 3);
        while letter < 4 {
            if index & BITS[letter] != 0 {
                text[len] = letters[letter];
                len += 1;
            }
            letter += 1;
        }
        index += 1;
    }
    StateTexts(table)
}

/// Writes the side to move and the castling rights, each preceded by a space, and a trailing space.
#[inline(always)]
pub(crate) fn write_castling(position: &Position, style: CastlingStyle, line: &mut Line<'_>) {
    let rooks = position.castling_rooks.0;
    if rooks & !CORNERS != 0 {
        return line.fill(|room| write_rights_of_any_king(position, style, room));
    }
    // The product has the four corners as its highest bits, and no two terms with a bit in common.
    let corners = (rooks.wrapping_mul(1 << 60 | 1 << 54 | 1 << 6 | 1) >> 60) as usize;
    let texts = if style == CastlingStyle::Shredder { &FILES } else { &LETTERS };
    let text = &texts.0[16 * position.turn as usize + corners];
    line.text_of_len(text, usize::from(LENGTHS[corners]));
}

#[cold]
fn write_rights_of_any_king(
    position: &Position,
    style: CastlingStyle,
    room: &mut [u8; 8],
) -> usize {
    *room = *if position.turn.is_white() { b" w      " } else { b" b      " };
    let mut len = 3;
    for color in Color::ALL {
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            let Some(rook) = position.castling_rook(color, side) else { continue };
            let home = Bitboard::from_rank(color.backrank());
            let rooks = position.pieces(Role::Rook) & position.side(color) & home;
            let outermost = rooks & beside(position.king(color), side);
            let is_outermost = match side {
                CastlingSide::KingSide => outermost.last() == Some(rook),
                CastlingSide::QueenSide => outermost.first() == Some(rook),
            };
            let letter = match style {
                CastlingStyle::Standard => side_letter(side),
                CastlingStyle::XFen if is_outermost => side_letter(side),
                _ => rook.file().upper_char(),
            };
            room[len] = color.fold_wb(letter as u8, letter.to_ascii_lowercase() as u8);
            len += 1;
        }
    }
    len + 1
}

fn side_letter(side: CastlingSide) -> char {
    if side.is_king_side() { 'K' } else { 'Q' }
}

impl Position {
    /// Returns the rook with which a side may still castle.
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling_rooks & Bitboard::from_rank(color.backrank());
        rooks
            .into_iter()
            .find(|rook| CastlingSide::from_queen_side(*rook < self.king(color)) == side)
    }
}

crate::keywords! {
    /// When the en passant field contains a square.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum EnPassantPolicy {
        /// After every pawn advance of two squares, as in the standard.
        #[default]
        Always = "always",
        /// Only if an enemy pawn is next to the pawn: X-FEN.
        Pseudo = "pseudo",
        /// Only if a capture is legal, as in Lichess, python-chess and cutechess.
        Legal = "legal",
    }
}

impl Position {
    /// Returns the square behind a pawn that has just advanced by two, subject to the policy.
    ///
    /// ```
    /// use san::{EnPassantPolicy, Position, Square};
    ///
    /// let position = Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")?;
    /// assert_eq!(position.en_passant(EnPassantPolicy::Always), Some(Square::E3));
    /// assert_eq!(position.en_passant(EnPassantPolicy::Pseudo), None);
    /// # Ok::<_, san::FenError>(())
    /// ```
    #[inline]
    pub fn en_passant(&self, policy: EnPassantPolicy) -> Option<Square> {
        if policy == EnPassantPolicy::Always {
            return self.en_passant;
        }
        let square = self.en_passant?;
        let given = match policy {
            EnPassantPolicy::Always => true,
            EnPassantPolicy::Pseudo => self.en_passant_captors(square).any(),
            EnPassantPolicy::Legal => self
                .en_passant_captors(square)
                .into_iter()
                .any(|from| self.is_safe_en_passant(from, square)),
        };
        given.then_some(square)
    }

    /// Returns the en passant square if a pawn attacks it but may not capture, because of a pin.
    /// Such a square is part of Polyglot's key, but does not otherwise distinguish positions.
    #[inline]
    pub fn pinned_en_passant(&self) -> Option<Square> {
        let square = self.en_passant(EnPassantPolicy::Pseudo)?;
        self.en_passant(EnPassantPolicy::Legal).is_none().then_some(square)
    }

    pub(crate) fn en_passant_captors(&self, square: Square) -> Bitboard {
        attacks::pawn_attacks(!self.turn, square) & self.pieces(Role::Pawn) & self.us()
    }
}

/// The name of each square and its length, and `-` for none; a table lookup avoids a branch.
static TEXTS: [([u8; 2], u8); 65] = {
    let mut table = [(*b"- ", 1); 65];
    let mut square = 0;
    while square < 64 {
        table[square] = ([b'a' + square as u8 % 8, b'1' + square as u8 / 8], 2);
        square += 1;
    }
    table
};

#[inline(always)]
pub(crate) fn write_en_passant(square: Option<Square>, line: &mut Line<'_>) {
    let (text, len) = &TEXTS[square.map_or(64, Square::to_usize)];
    line.text_of_len(text, usize::from(*len));
}

struct PlacedPieces {
    letters: Mailbox,
    by_role: [Bitboard; 6],
    by_color: [Bitboard; 2],
}

/// Letter, role (three bits), Black (a fourth) and [`FenExtent`], in one word to load at once.
#[derive(Clone, Copy)]
struct Character(u32);

/// Numbers of squares, slashes and other characters, as one sum.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FenExtent(u32);

impl FenExtent {
    const SQUARE: u32 = 1;
    const SLASH: u32 = 1 << 10;
    const OTHER: u32 = 1 << 15;
    const BOARD: FenExtent = FenExtent(64 * Self::SQUARE + 7 * Self::SLASH);
    /// 64 pieces and 7 slashes; the squares of 71 characters do not reach the slashes' bits.
    const MOST_CHARACTERS: usize = 71;
}

impl Character {
    const fn new(letter: u8, code: u8, extent: u32) -> Self {
        Character((extent << 16) | ((code as u32) << 8) | letter as u32)
    }

    fn extent(self) -> u32 {
        self.0 >> 16
    }
}

static CHARACTERS: [Character; 256] = {
    let mut table = [Character::new(0, 0, FenExtent::OTHER); 256];
    let letters = b"PNBRQKpnbrqk";
    let mut index = 0;
    while index < letters.len() {
        let code = (1 + index % 6 + 8 * (index / 6)) as u8;
        table[letters[index] as usize] = Character::new(letters[index], code, FenExtent::SQUARE);
        index += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        table[b'0' as usize + digit] = Character::new(0, 0, digit as u32 * FenExtent::SQUARE);
        digit += 1;
    }
    table[b'/' as usize] = Character::new(0, 0, FenExtent::SLASH);
    table
};

/// Branch-free, because characters are unpredictable. Errors are detected at the end.
#[inline(always)]
fn placement(field: &[u8]) -> Result<PlacedPieces, FenError> {
    if field.len() > FenExtent::MOST_CHARACTERS {
        return Err(placement_error(field));
    }
    let mut letters = Mailbox::EMPTY;
    let mut codes = [0_u8; 64];
    // The number of squares at the end of each rank.
    let mut ends = [0_u8; 8];
    let mut extent = 0;
    for &byte in field {
        let character = CHARACTERS[usize::from(byte)];
        // From a8 to h1.
        let square = (extent & 63) as usize ^ 56;
        letters.0[square] = character.0 as u8;
        codes[square] = (character.0 >> 8) as u8;
        extent += character.extent();
        ends[((extent / FenExtent::SLASH) & 7) as usize] = extent as u8;
    }
    if FenExtent(extent) != FenExtent::BOARD || ends != [8, 16, 24, 32, 40, 48, 56, 64] {
        return Err(placement_error(field));
    }
    let (ones, twos) = (plane(&codes, 0), plane(&codes, 1));
    let (fours, black) = (plane(&codes, 2), plane(&codes, 3));
    // Pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6.
    let by_role = [
        ones & !twos & !fours,
        twos & !ones & !fours,
        ones & twos,
        fours & !ones & !twos,
        ones & fours,
        twos & fours,
    ];
    let white = (ones | twos | fours) & !black;
    Ok(PlacedPieces {
        letters,
        by_role: by_role.map(Bitboard),
        // In shakmaty's order of colors, Black comes first.
        by_color: [Bitboard(black), Bitboard(white)],
    })
}

/// Gathers one bit of each byte, the lowest from the first; a multiplication gathers eight.
#[inline(always)]
fn plane(codes: &[u8; 64], bit: u32) -> u64 {
    let mut plane = 0;
    for (rank, eight) in codes.chunks_exact(8).enumerate() {
        let word = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        let bits = word >> bit & 0x0101_0101_0101_0101;
        plane |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * rank);
    }
    plane
}

/// Too many ranks come before a bad one, or else it is the first bad rank.
#[cold]
fn placement_error(field: &[u8]) -> FenError {
    let ranks = field.split(|b| *b == b'/').count();
    if ranks != 8 {
        return FenError::RankCount(ranks.min(99) as u8);
    }
    for (text, rank) in field.split(|b| *b == b'/').zip(Rank::ALL.into_iter().rev()) {
        let mut squares = 0;
        for &byte in text {
            let extent = CHARACTERS[usize::from(byte)].extent();
            if extent >= FenExtent::OTHER {
                return FenError::NotAPiece { rank, byte };
            }
            squares += extent;
        }
        if squares != 8 {
            return FenError::RankLength { rank, squares: squares.min(99) as u8 };
        }
    }
    FenError::RankCount(8)
}

fn side_to_move(field: &[u8]) -> Result<Color, FenError> {
    match field {
        b"w" => Ok(Color::White),
        b"b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove),
    }
}

fn en_passant(field: &[u8]) -> Result<Option<Square>, FenError> {
    match field {
        b"-" => Ok(None),
        square => Square::from_ascii(square).map(Some).map_err(|_| FenError::EnPassant),
    }
}

fn castling(field: &[u8]) -> Result<ArrayVec<Right, 16>, FenError> {
    let mut rights = ArrayVec::new();
    if field == b"-" {
        return Ok(rights);
    }
    for &byte in field {
        let color = Color::from_white(byte.is_ascii_uppercase());
        let right = match byte.to_ascii_lowercase() {
            b'k' => Right::Side(color, CastlingSide::KingSide),
            b'q' => Right::Side(color, CastlingSide::QueenSide),
            letter => File::from_char(char::from(letter))
                .map(|file| Right::File(color, file))
                .ok_or(FenError::Castling)?,
        };
        // `KQkQ` is a damaged `KQkq` or `KQk`.
        if rights.contains(&right) {
            return Err(FenError::Castling);
        }
        rights.try_push(right).map_err(|_| FenError::Castling)?;
    }
    Ok(rights)
}

fn number(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    if text.starts_with('+') { None } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_lies_beside_a_square_has_another_file() {
        for king in Square::ALL {
            for other in Square::ALL {
                let lies = |side| beside(king, side).contains(other);
                assert_eq!(lies(CastlingSide::KingSide), other.file() > king.file());
                assert_eq!(lies(CastlingSide::QueenSide), other.file() < king.file());
            }
        }
    }

    /// Reads a placement rank by rank.
    fn naive(field: &str) -> Option<[u8; 64]> {
        let ranks: Vec<&str> = field.split('/').collect();
        let mut letters = [0; 64];
        for (index, rank) in ranks.iter().enumerate() {
            let mut file = 0;
            for c in rank.bytes() {
                match c {
                    b'1'..=b'8' => file += usize::from(c - b'0'),
                    _ if b"PNBRQKpnbrqk".contains(&c) => {
                        *letters.get_mut((7_usize.checked_sub(index)?) * 8 + file)? = c;
                        file += 1;
                    }
                    _ => return None,
                }
                if file > 8 {
                    return None;
                }
            }
            if file != 8 {
                return None;
            }
        }
        (ranks.len() == 8).then_some(letters)
    }

    proptest! {
        #[test]
        fn a_placement_is_read_as_rank_by_rank(
            ranks in proptest::collection::vec("[PNBRQKpnbrqk]{0,4}[1-8]?[pP]{0,3}[1-4]?", 7..=9),
            fill in any::<bool>(),
            edit in proptest::option::of((0..80_usize, "[ -~]|/|[89]")),
        ) {
            let squares = |rank: &str| -> u32 {
                rank.bytes().map(|c| if c.is_ascii_digit() { u32::from(c - b'0') } else { 1 }).sum()
            };
            let rank = |mut rank: String| {
                while fill && squares(&rank) > 8 {
                    rank.pop();
                }
                let missing = 8_u32.saturating_sub(squares(&rank));
                if fill && missing > 0 {
                    rank.push_str(&missing.to_string());
                }
                rank
            };
            let ranks: Vec<String> = ranks.into_iter().map(rank).collect();
            let mut field = ranks.join("/");
            if let Some((at, text)) = edit {
                field.insert_str(at.min(field.len()), &text);
            }
            let read = placement(field.as_bytes());
            prop_assert_eq!(read.as_ref().ok().map(|board| board.letters.0), naive(&field));
            if let Ok(board) = read {
                let all = board.by_color[0] | board.by_color[1];
                let roles = board.by_role.into_iter().fold(Bitboard::EMPTY, |all, role| all | role);
                prop_assert_eq!(all, roles);
                prop_assert_eq!(all, Square::ALL.into_iter().filter(|s| board.letters[*s] != 0).collect());
            }
        }
    }

    #[test]
    fn long_placements_are_errors_even_if_their_squares_add_up() {
        for field in ["8/".repeat(40), "1".repeat(64 + 256), "/".repeat(7 + 32) + &"8".repeat(8)] {
            assert!(placement(field.as_bytes()).is_err(), "{field}");
        }
    }
}
