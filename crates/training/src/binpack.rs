//! Stockfish's binpack: blocks of chains, where a chain is a position of 32 bytes and the moves and
//! score differences that follow it.

use std::io::{self, Read, Write};

use san::{
    Bitboard, CastlingSide, Color, EnPassantPolicy, Move, MoveCode, Piece, Position, Rank, Role,
    Setup, Square,
};
use shakmaty::attacks;

use crate::entry::{Damage, Entry, GameResult, Input, ReadError, Score, ply_of};
use crate::packed::{POSITION, position_of, read_pieces};

// Numbers of any number of bits, the highest bits of a byte first.

/// Bits of the digits of numbers with any number of them.
const DIGIT: u32 = 4;

/// Numbers that follow each other, at most 56 bits in all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bits {
    /// The last number in the lowest bits.
    word: u64,
    count: u32,
}

impl Bits {
    /// Adds a number below `1 << count`.
    #[inline(always)]
    pub(crate) fn add(&mut self, number: u8, count: u32) {
        self.word = self.word << count | u64::from(number);
        self.count += count;
    }

    /// Digits of four bits, the lowest first, each after a bit that says whether more follow.
    #[inline(always)]
    pub(crate) fn add_digits(&mut self, mut number: u16) {
        loop {
            let digit = number as u8 & 15;
            number >>= DIGIT;
            let more = u8::from(number > 0) << DIGIT;
            self.add(more | digit, DIGIT + 1);
            if number == 0 {
                return;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BitWriter {
    /// Unused bits of the last byte.
    room: u32,
}

impl BitWriter {
    /// All at once: one by one, encoding a binpack takes 1.1 times the instructions.
    #[inline(always)]
    pub(crate) fn push(&mut self, numbers: Bits, bytes: &mut Vec<u8>) {
        let Bits { word, count } = numbers;
        debug_assert!(count <= 56);
        let (used, len) = match self.room {
            0 => (0, bytes.len()),
            room => (8 - room, bytes.len() - 1),
        };
        let first = if used > 0 { bytes[len] } else { 0 };
        let end = used + count;
        // Above the lowest bit: a shift by 64 bits would be an overflow.
        let word = (word << 1 << (63 - count) >> used) | u64::from(first) << 56;
        bytes.truncate(len);
        bytes.extend_from_slice(&word.to_be_bytes());
        bytes.truncate(len + end.div_ceil(8) as usize);
        self.room = end.wrapping_neg() % 8;
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BitReader {
    /// The number of bits read.
    at: usize,
}

impl BitReader {
    /// Reads a number of `count` bits, at most 8.
    #[inline]
    pub(crate) fn next(&mut self, count: u32, bytes: &[u8]) -> Result<u8, Damage> {
        if count == 0 {
            return Ok(0);
        }
        let end = self.at + count as usize;
        if end > 8 * bytes.len() {
            return Err(Damage::Truncated("a chain"));
        }
        let (byte, bit) = (self.at / 8, self.at % 8);
        let low = bytes.get(byte + 1).copied().unwrap_or_default();
        let both = u16::from_be_bytes([bytes[byte], low]) << bit;
        self.at = end;
        Ok((both >> (16 - count)) as u8)
    }

    #[inline]
    pub(crate) fn next_digits(&mut self, bytes: &[u8]) -> Result<u16, Damage> {
        let mut number = 0;
        for place in 0..4 {
            let digit = self.next(DIGIT + 1, bytes)?;
            number |= u16::from(digit & 15) << (place * DIGIT);
            if digit >> DIGIT == 0 {
                return Ok(number);
            }
        }
        Err(Damage::LongNumber)
    }

    /// Returns the number of bytes read, counting the last one as whole.
    pub(crate) fn bytes(self) -> usize {
        self.at.div_ceil(8)
    }
}

/// Returns the number of bits for numbers below `count`.
#[inline(always)]
pub(crate) fn bits_below(count: u32) -> u32 {
    u32::BITS - count.saturating_sub(1).leading_zeros()
}

// The numbering of the moves of a piece in a chain: by target square, from a1 to h8. Moves count
// that leave the king in check. Pawns have four moves for each target on the last rank, and a king
// has a move for each castling right, the queen's side first, after its targets.

#[derive(Clone, Copy, Debug)]
pub(crate) struct Destinations {
    targets: Bitboard,
    kind: MoveKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveKind {
    Plain,
    Promotions,
    King { can_castle_long: bool, rights: u32 },
}

impl Destinations {
    /// Returns the moves of the piece on a square, which belongs to the side to move.
    #[inline(always)]
    pub(crate) fn of(position: &Position, from: Square, role: Role) -> Self {
        let turn = position.turn();
        let (ours, occupied) = (position.side(turn), position.occupied());
        let plain =
            |attacked: Bitboard| Destinations { targets: attacked & !ours, kind: MoveKind::Plain };
        match role {
            Role::Pawn => Destinations::of_pawn(position, from),
            Role::Knight => plain(attacks::knight_attacks(from)),
            Role::Bishop => plain(attacks::bishop_attacks(from, occupied)),
            Role::Rook => plain(attacks::rook_attacks(from, occupied)),
            Role::Queen => plain(attacks::queen_attacks(from, occupied)),
            Role::King => {
                let rooks = position.castling_rooks() & Bitboard::from_rank(turn.backrank());
                let corner = turn.fold_wb(Square::A1, Square::A8);
                let can_castle_long = rooks.contains(corner);
                let kind = MoveKind::King { can_castle_long, rights: rooks.count() as u32 };
                Destinations { targets: attacks::king_attacks(from) & !ours, kind }
            }
        }
    }

    #[inline(always)]
    fn of_pawn(position: &Position, from: Square) -> Self {
        let turn = position.turn();
        let (theirs, occupied) = (position.side(!turn), position.occupied());
        let square = position.en_passant(EnPassantPolicy::Legal);
        let captured = theirs | square.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let mut targets = attacks::pawn_attacks(turn, from) & captured;
        let pawn = Bitboard::from_square(from);
        let step = |pawns: Bitboard| match turn {
            Color::White => Bitboard(pawns.0 << 8) & !occupied,
            Color::Black => Bitboard(pawns.0 >> 8) & !occupied,
        };
        let (start, last) =
            turn.fold_wb((Rank::Second, Rank::Seventh), (Rank::Seventh, Rank::Second));
        let once = step(pawn);
        targets |= once;
        if from.rank() == start {
            targets |= step(once);
        }
        let kind = if from.rank() == last { MoveKind::Promotions } else { MoveKind::Plain };
        Destinations { targets, kind }
    }

    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        let targets = self.targets.count() as u32;
        match self.kind {
            MoveKind::Plain => targets,
            MoveKind::Promotions => 4 * targets,
            MoveKind::King { rights, .. } => targets + rights,
        }
    }

    #[inline(always)]
    pub(crate) fn number(self, played: Move) -> u8 {
        let targets = self.targets.count() as u32;
        if let MoveKind::King { can_castle_long, .. } = self.kind
            && let Some(side) = played.castling()
        {
            let is_second = can_castle_long && side == CastlingSide::KingSide;
            return (targets + u32::from(is_second)) as u8;
        }
        let before = (1 << played.to() as u32) - 1;
        let number = (self.targets.0 & before).count_ones() as u8;
        match played.promotion() {
            Some(role) => number * 4 + (role as u8 - Role::Knight as u8),
            None => number,
        }
    }

    /// Returns the target, in castling the square of the rook, and the promotion piece.
    pub(crate) fn target(self, number: u8, turn: Color) -> Result<(Square, Option<Role>), Damage> {
        let missing = || Damage::NoMove(number, self.count());
        let targets = self.targets.count() as u32;
        let wanted = u32::from(number);
        match self.kind {
            MoveKind::Promotions => {
                let square = nth(self.targets, wanted / 4).ok_or_else(missing)?;
                let role =
                    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen][number as usize % 4];
                Ok((square, Some(role)))
            }
            MoveKind::King { can_castle_long, rights } if wanted >= targets => {
                if wanted >= targets + rights {
                    return Err(missing());
                }
                let is_long = wanted == targets && can_castle_long;
                let rooks = turn.fold_wb([Square::H1, Square::A1], [Square::H8, Square::A8]);
                Ok((rooks[usize::from(is_long)], None))
            }
            _ => nth(self.targets, wanted).map(|square| (square, None)).ok_or_else(missing),
        }
    }
}

pub(crate) fn nth(squares: Bitboard, number: u32) -> Option<Square> {
    squares.into_iter().nth(number as usize)
}

// The first entry of a chain, in 32 bytes, big-endian: the occupied squares (8 bytes), half a byte
// for each of them (16), the move (2), the score (2), the ply and the result (2), the halfmove
// clock (2). Half a byte is a piece, from 0 for a white pawn to 11 for a black king; 12 is a pawn
// that can be taken en passant, 13 and 14 are rooks of White and Black with castling rights, 15 is
// the black king if Black is to move.

/// The offset of the ply and the result.
const PLY: usize = 28;

/// The highest ply with room in its 14 bits.
const LAST_PLY: u32 = 0x3fff;

const EN_PASSANT_PAWN: u8 = 12;
const WHITE_CASTLING_ROOK: u8 = 13;
const BLACK_CASTLING_ROOK: u8 = 14;
const BLACK_KING_TO_MOVE: u8 = 15;

/// The pieces by their codes.
const LETTERS: &[u8; 12] = b"PpNnBbRrQqKk";

static CODES: [u8; 128] = {
    let mut codes = [0; 128];
    let mut code = 0;
    while code < LETTERS.len() {
        codes[LETTERS[code] as usize] = code as u8;
        code += 1;
    }
    codes
};

/// Returns whether the format has room for the clocks and castling rights of a position.
#[inline]
pub(crate) fn fits(position: &Position) -> bool {
    !position.has_chess960_rights()
        && position.halfmoves() <= u8::MAX.into()
        && ply_of(position) <= LAST_PLY
}

/// Maps the numbers 0, -1, 1, -2, 2 … to 0, 1, 2, 3, 4 …
pub(crate) fn unsigned(number: i16) -> u16 {
    (number << 1 ^ number >> 15) as u16
}

pub(crate) fn signed(number: u16) -> i16 {
    (number >> 1) as i16 ^ -((number & 1) as i16)
}

/// Writes the entry of a position that [fits], with a drawn game as result.
pub(crate) fn write(position: &Position, played: Move, score: Score, bytes: &mut Vec<u8>) {
    let mut packed = [0; POSITION];
    let (turn, occupied) = (position.turn(), position.occupied());
    packed[..8].copy_from_slice(&occupied.0.to_be_bytes());
    let pawn = position.en_passant(EnPassantPolicy::Legal).map(|behind| {
        let rank = turn.fold_wb(Rank::Fifth, Rank::Fourth);
        Square::from_coords(behind.file(), rank)
    });
    let rooks = position.castling_rooks();
    for (index, square) in occupied.into_iter().enumerate().take(32) {
        let letter = position.letter(square).unwrap_or_default();
        let code = match letter {
            'P' | 'p' if pawn == Some(square) => EN_PASSANT_PAWN,
            'R' if rooks.contains(square) => WHITE_CASTLING_ROOK,
            'r' if rooks.contains(square) => BLACK_CASTLING_ROOK,
            'k' if turn == Color::Black => BLACK_KING_TO_MOVE,
            letter => CODES[letter as usize & 127],
        };
        packed[8 + index / 2] |= code << (index % 2 * 4);
    }
    packed[24..26].copy_from_slice(&code(played).to_be_bytes());
    packed[26..PLY].copy_from_slice(&unsigned(score.get()).to_be_bytes());
    packed[PLY..30].copy_from_slice(&(ply_of(position) as u16).to_be_bytes());
    packed[30..].copy_from_slice(&(position.halfmoves() as u16).to_be_bytes());
    bytes.extend_from_slice(&packed);
}

/// Writes the result of a game into an entry; `halves` are the half points of the side to move.
pub(crate) fn set_result(stem: &mut [u8], halves: u8) {
    let two_bits = unsigned(i16::from(halves) - 1) as u8;
    stem[PLY] = stem[PLY] & 0x3f | two_bits << 6;
}

/// Kind (2 bits: promotion 1, castling 2, en passant 3), from (6), to (6), promotion piece (2).
fn code(played: Move) -> u16 {
    let ours = played.code().0;
    let (from, to) = (ours & 63, ours >> 6 & 63);
    let (kind, promotion) = match played.promotion() {
        Some(role) => (1, role as u16 - Role::Knight as u16),
        None if played.castling().is_some() => (2, 0),
        None if played.is_en_passant() => (3, 0),
        None => (0, 0),
    };
    kind << 14 | from << 8 | to << 2 | promotion
}

pub(crate) fn read(packed: &[u8; POSITION]) -> Result<Entry, Damage> {
    let number = |at: usize| u16::from_be_bytes([packed[at], packed[at + 1]]);
    let occupied = u64::from_be_bytes(*packed.first_chunk().expect("there are eight bytes"));
    let mut setup = read_pieces(occupied, packed, put)?;
    let (ply, two_bits) = (number(PLY) & LAST_PLY as u16, number(PLY) >> 14);
    setup.set_clocks(number(30).into(), u32::from(ply) / 2 + 1);
    let position = position_of(&setup)?;
    let result = match signed(two_bits) {
        result @ -1..=1 => GameResult::of_halves((result + 1) as u8, position.turn()),
        _ => None,
    };
    let result = result.ok_or(Damage::NoResult(two_bits as u8))?;
    let played = match number(24) {
        0 => None,
        code => {
            let promotion = if code >> 14 == 1 { (code & 3) + Role::Knight as u16 } else { 0 };
            Some(find(&position, code >> 8 & 63 | (code >> 2 & 63) << 6 | promotion << 12)?)
        }
    };
    let score = Score::of_raw(signed(number(26)));
    Ok(Entry { position, played, score, ply: ply.into(), result, is_start: true })
}

fn put(setup: &mut Setup, code: u8, square: Square) -> Result<(), Damage> {
    let no_piece = || Damage::NoPiece(code, square);
    let piece = match code {
        EN_PASSANT_PAWN => {
            let (color, behind) = match square.rank() {
                Rank::Fourth => (Color::White, Rank::Third),
                Rank::Fifth => (Color::Black, Rank::Sixth),
                _ => return Err(no_piece()),
            };
            setup.set_en_passant(Some(Square::from_coords(square.file(), behind)));
            color.pawn()
        }
        WHITE_CASTLING_ROOK | BLACK_CASTLING_ROOK => {
            let color = Color::from_white(code == WHITE_CASTLING_ROOK);
            if !Bitboard::CORNERS.contains(square) || square.rank() != color.backrank() {
                return Err(no_piece());
            }
            setup.add_right(color, square.file());
            color.rook()
        }
        BLACK_KING_TO_MOVE => {
            setup.set_turn(Color::Black);
            Color::Black.king()
        }
        code => {
            let role = Role::ALL[usize::from(code / 2)];
            Piece { color: Color::from_white(code % 2 == 0), role }
        }
    };
    setup.put(square, piece);
    Ok(())
}

/// Returns the legal move with our own code.
pub(crate) fn find(position: &Position, code: u16) -> Result<Move, Damage> {
    let found = MoveCode(code).find(position);
    found.ok_or_else(|| Damage::IllegalMove(code, position.to_string()))
}

// Writes the entries of a chain.

const MOST: u16 = u16::MAX;

/// Length of a chain without its first entry, in bytes: Stockfish's writers have room for 10 KiB.
const LARGEST: usize = 10_000;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    /// The offset of the first entry.
    pub(crate) start: usize,
    count: u16,
    bits: BitWriter,
    /// The last score, from the view of the side that is to move next.
    last: Score,
}

impl Chain {
    pub(crate) fn begin(
        position: &Position,
        played: Move,
        score: Score,
        bytes: &mut Vec<u8>,
    ) -> Self {
        let start = bytes.len();
        write(position, played, score, bytes);
        bytes.extend_from_slice(&[0, 0]);
        Chain { start, count: 0, bits: BitWriter::default(), last: score.of_other_side() }
    }

    pub(crate) fn has_room(&self, bytes: &[u8]) -> bool {
        self.count < MOST && bytes.len() - self.start < LARGEST
    }

    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        position: &Position,
        played: Move,
        score: Score,
        bytes: &mut Vec<u8>,
    ) {
        let ours = position.side(position.turn());
        let before = (1 << played.from() as u32) - 1;
        let piece = (ours.0 & before).count_ones() as u8;
        let mut numbers = Bits::default();
        numbers.add(piece, bits_below(ours.count() as u32));
        let destinations = Destinations::of(position, played.from(), played.role());
        numbers.add(destinations.number(played), bits_below(destinations.count()));
        let difference = score.get().wrapping_sub(self.last.get());
        numbers.add_digits(unsigned(difference));
        self.bits.push(numbers, bytes);
        (self.last, self.count) = (score.of_other_side(), self.count + 1);
    }

    pub(crate) fn end(self, bytes: &mut [u8]) {
        let count = self.start + POSITION;
        bytes[count..count + 2].copy_from_slice(&self.count.to_be_bytes());
    }
}

// Puts chains into blocks.

/// The first bytes of a block; its size follows in four bytes, little-endian.
pub(crate) const MAGIC: &[u8; 4] = b"BINP";

/// A block of this size is complete; that of Stockfish's tools.
const FULL: usize = 1 << 20;

/// The blocks of a binpack: chains are collected until there is about a mebibyte of them.
///
/// Blocks depend on the chains only, not on the pieces in which they are added.
#[derive(Debug, Default)]
pub struct Blocks {
    block: Vec<u8>,
}

impl Blocks {
    /// Adds chains, which end at `ends`; returns the number of bytes of complete blocks written.
    /// Fails if `output` cannot be written.
    pub fn add(
        &mut self,
        chains: &[u8],
        ends: &[usize],
        output: &mut impl Write,
    ) -> io::Result<u64> {
        let (mut start, mut written) = (0, 0);
        for end in ends {
            if self.block.len() >= FULL {
                written += self.finish(output)?;
            }
            self.block.extend_from_slice(&chains[start..*end]);
            start = *end;
        }
        Ok(written)
    }

    /// Writes the last block, if there are any chains left. Returns the number of bytes written.
    /// Fails if `output` cannot be written.
    pub fn finish(&mut self, output: &mut impl Write) -> io::Result<u64> {
        if self.block.is_empty() {
            return Ok(0);
        }
        output.write_all(MAGIC)?;
        output.write_all(&(self.block.len() as u32).to_le_bytes())?;
        output.write_all(&self.block)?;
        let written = MAGIC.len() as u64 + 4 + self.block.len() as u64;
        self.block.clear();
        Ok(written)
    }
}

// Reads the entries of a binpack, block by block.

/// The largest block that Stockfish's tools read.
const LARGEST_BLOCK: u32 = 100 << 20;

/// The state of a file between two entries.
#[derive(Debug, Default)]
pub(crate) struct BinpackReader {
    block: Vec<u8>,
    start: u64,
    /// The offset in the block of what follows: a chain, or the rest of one after its first entry.
    at: usize,
    chain: Option<ReadChain>,
    /// The error after the last whole entry of a truncated block.
    truncated: Option<ReadError>,
}

#[derive(Debug)]
struct ReadChain {
    last: Entry,
    left: u16,
    bits: BitReader,
}

impl BinpackReader {
    pub(crate) fn next<R: Read>(
        &mut self,
        input: &mut Input<R>,
    ) -> Option<Result<Entry, ReadError>> {
        loop {
            match self.in_block() {
                Ok(Some(entry)) => return Some(Ok(entry)),
                // Damage at the end of a truncated block is a consequence.
                Err(error) => return Some(Err(self.truncated.take().unwrap_or(error))),
                Ok(None) => {}
            }
            if let Some(error) = self.truncated.take() {
                return Some(Err(error));
            }
            match self.next_block(input) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Reads a block; `false` at the end of the file.
    fn next_block<R: Read>(&mut self, input: &mut Input<R>) -> Result<bool, ReadError> {
        let offset = input.offset;
        let Some(header) = input.next::<8>("the header of a block")? else { return Ok(false) };
        let [magic @ .., a, b, c, d] = header;
        if &magic != MAGIC {
            return Err(ReadError { offset, damage: Damage::NoBlock(magic) });
        }
        let len = u32::from_le_bytes([a, b, c, d]);
        if len > LARGEST_BLOCK {
            return Err(ReadError { offset, damage: Damage::BlockTooLarge(len) });
        }
        (self.start, self.at) = (input.offset, 0);
        self.truncated = input.block(len, &mut self.block);
        Ok(true)
    }

    /// Reads the next entry of the block; `None` at its end.
    fn in_block(&mut self) -> Result<Option<Entry>, ReadError> {
        let offset = self.start
            + (self.at + self.chain.as_ref().map_or(0, |chain| chain.bits.bytes())) as u64;
        let entry = match self.chain {
            None if self.at == self.block.len() => return Ok(None),
            None => self.begin_chain(),
            Some(_) => self.continue_chain(),
        };
        entry.map(Some).map_err(|damage| ReadError { offset, damage })
    }

    fn begin_chain(&mut self) -> Result<Entry, Damage> {
        let rest = &self.block[self.at..];
        let (packed, rest) = rest.split_first_chunk().ok_or(Damage::Truncated("a chain"))?;
        let (count, _) = rest.split_first_chunk().ok_or(Damage::Truncated("a chain"))?;
        let first = read(packed)?;
        let left = u16::from_be_bytes(*count);
        self.at += POSITION + count.len();
        if left > 0 {
            self.chain = Some(ReadChain {
                last: Entry { is_start: false, ..first.clone() },
                left,
                bits: BitReader::default(),
            });
        }
        Ok(first)
    }

    fn continue_chain(&mut self) -> Result<Entry, Damage> {
        let Some(chain) = &mut self.chain else { return Err(Damage::Truncated("a chain")) };
        chain.advance(&self.block[self.at..])?;
        let next = chain.last.clone();
        if chain.left == 0 {
            self.at += chain.bits.bytes();
            self.chain = None;
        }
        Ok(next)
    }
}

impl ReadChain {
    fn advance(&mut self, bytes: &[u8]) -> Result<(), Damage> {
        let ReadChain { last, left, bits } = self;
        let Entry { position, played, score, ply, .. } = last;
        let next = played.ok_or_else(|| Damage::IllegalMove(0, position.to_string()))?;
        position.play_unchecked(next);
        let turn = position.turn();
        let ours = position.side(turn);
        let number = bits.next(bits_below(ours.count() as u32), bytes)?;
        let missing = || Damage::NoMove(number, ours.count() as u32);
        let from = nth(ours, number.into()).ok_or_else(missing)?;
        let role = position.role(from).ok_or_else(missing)?;
        let destinations = Destinations::of(position, from, role);
        let number = bits.next(bits_below(destinations.count()), bytes)?;
        let (to, promotion) = destinations.target(number, turn)?;
        let promotion = promotion.map_or(0, |role| role as u16);
        *played = Some(find(position, from as u16 | (to as u16) << 6 | promotion << 12)?);
        let difference = signed(bits.next_digits(bytes)?);
        *score = Score::of_raw(score.of_other_side().get().wrapping_add(difference));
        (*ply, *left) = (*ply + 1, *left - 1);
        debug_assert!(Bitboard::from_square(from).is_subset(ours));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        let numbers = [(1, 1), (5, 3), (0, 0), (200, 8), (3, 7), (0, 5), (255, 8), (1, 2)];
        let (mut bytes, mut writer) = (Vec::new(), BitWriter::default());
        for (number, count) in numbers {
            let mut numbers = Bits::default();
            numbers.add(number, count);
            numbers.add_digits(u16::from(number) * 257);
            writer.push(numbers, &mut bytes);
        }
        let mut reader = BitReader::default();
        for (number, count) in numbers {
            assert_eq!(reader.next(count, &bytes).unwrap(), number);
            assert_eq!(reader.next_digits(&bytes).unwrap(), u16::from(number) * 257);
        }
        assert_eq!(reader.bytes(), bytes.len());
        assert!(reader.next(8, &bytes).is_err());
    }

    #[test]
    fn the_highest_bits_come_first() {
        let (mut bytes, mut writer) = (Vec::new(), BitWriter::default());
        for (number, count) in [(0b1, 1), (0b01, 2), (0b11111, 5), (0b1011, 4), (0b110011, 6)] {
            let mut numbers = Bits::default();
            numbers.add(number, count);
            writer.push(numbers, &mut bytes);
        }
        writer.push(Bits::default(), &mut bytes);
        assert_eq!(bytes, [0b1011_1111, 0b1011_1100, 0b1100_0000]);
    }

    #[test]
    fn five_digits_are_too_many() {
        let bytes = [0xff; 8];
        assert!(matches!(BitReader::default().next_digits(&bytes), Err(Damage::LongNumber)));
    }

    #[test]
    fn enough_bits_for_each_number() {
        for (count, bits) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (16, 4), (17, 5)] {
            assert_eq!(bits_below(count), bits, "{count}");
        }
    }

    #[test]
    fn small_numbers_of_either_sign_are_small() {
        for (number, expected) in
            [(0, 0), (-1, 1), (1, 2), (-2, 3), (i16::MAX, 65534), (i16::MIN, 65535)]
        {
            assert_eq!(unsigned(number), expected);
            assert_eq!(signed(expected), number);
        }
    }
}
