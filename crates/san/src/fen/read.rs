//! Reads FENs.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Square};

use crate::error::{FenError, Field};
use crate::mailbox::Mailbox;
use crate::setup::{Repair, Right, Setup};

pub(crate) fn read(fen: &[u8]) -> Result<Setup, FenError> {
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
    let mut missing = |field| repairs.push(Repair::Missing(field));
    let rights = match fields.next() {
        Some(field) => castling(field)?,
        None => {
            missing(Field::Castling);
            ArrayVec::new()
        }
    };
    let en_passant = match fields.next() {
        Some(field) => en_passant(field)?,
        None => {
            missing(Field::EnPassant);
            None
        }
    };
    let mut clock = |field| match fields.next() {
        None => Ok((None, Some(Repair::Missing(field)))),
        Some(b"-") => Ok((None, Some(Repair::Dash(field)))),
        Some(digits) => number(digits).map(|n| (Some(n), None)).ok_or(FenError::NotANumber(field)),
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
    let Board { letters, by_role, by_color } = board;
    Ok(Setup {
        letters,
        by_role,
        by_color,
        turn,
        rights,
        en_passant,
        halfmoves: halfmoves.unwrap_or(0),
        fullmoves: fullmoves.unwrap_or(1).max(1),
        repairs,
    })
}

/// Reads the four fields that EPD and FEN share.
#[inline(always)]
pub(crate) fn read_fields(fields: [&[u8]; 4]) -> Result<Setup, FenError> {
    let [placed, side, rights, square] = fields;
    let Board { letters, by_role, by_color } = placement(placed)?;
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

struct Board {
    letters: Mailbox,
    by_role: [Bitboard; 6],
    by_color: [Bitboard; 2],
}

/// In one word, to load all at once: letter; role, three bits, and Black, a fourth; [`Extent`].
#[derive(Clone, Copy)]
struct Character(u32);

/// Numbers of squares, slashes and other characters, as one sum.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Extent(u32);

impl Extent {
    const SQUARE: u32 = 1;
    const SLASH: u32 = 1 << 10;
    const OTHER: u32 = 1 << 15;
    const BOARD: Extent = Extent(64 * Self::SQUARE + 7 * Self::SLASH);
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
    let mut table = [Character::new(0, 0, Extent::OTHER); 256];
    let letters = b"PNBRQKpnbrqk";
    let mut index = 0;
    while index < letters.len() {
        let code = (1 + index % 6 + 8 * (index / 6)) as u8;
        table[letters[index] as usize] = Character::new(letters[index], code, Extent::SQUARE);
        index += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        table[b'0' as usize + digit] = Character::new(0, 0, digit as u32 * Extent::SQUARE);
        digit += 1;
    }
    table[b'/' as usize] = Character::new(0, 0, Extent::SLASH);
    table
};

/// Branch-free, because characters are unpredictable. Errors are detected at the end.
#[inline(always)]
fn placement(field: &[u8]) -> Result<Board, FenError> {
    if field.len() > Extent::MOST_CHARACTERS {
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
        ends[((extent / Extent::SLASH) & 7) as usize] = extent as u8;
    }
    if Extent(extent) != Extent::BOARD || ends != [8, 16, 24, 32, 40, 48, 56, 64] {
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
    Ok(Board {
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
            if extent >= Extent::OTHER {
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
