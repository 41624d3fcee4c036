//! Reads the entries of a binpack, block by block.

use std::io::Read;

use san::Bitboard;

use super::bits::{BitReader, bits_below};
use super::blocks::MAGIC;
use super::destinations::{Destinations, nth};
use super::stem;
use crate::entry::Entry;
use crate::error::{Damage, ReadError};
use crate::input::Input;
use crate::score::Score;

/// The largest block that Stockfish's tools read.
const LARGEST: u32 = 100 << 20;

/// The state of a file between two entries.
#[derive(Debug, Default)]
pub(crate) struct BinpackReader {
    block: Vec<u8>,
    /// The offset of the block in the file.
    start: u64,
    /// The offset in the block of what follows: a chain, or the rest of one after its first entry.
    at: usize,
    chain: Option<Chain>,
    /// The error after the last whole entry of a truncated block.
    truncated: Option<ReadError>,
}

#[derive(Debug)]
struct Chain {
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
        let offset = input.offset();
        let Some(header) = input.next::<8>("the header of a block")? else { return Ok(false) };
        let [magic @ .., a, b, c, d] = header;
        if &magic != MAGIC {
            return Err(ReadError { offset, damage: Damage::NoBlock(magic) });
        }
        let len = u32::from_le_bytes([a, b, c, d]);
        if len > LARGEST {
            return Err(ReadError { offset, damage: Damage::BlockTooLarge(len) });
        }
        (self.start, self.at) = (input.offset(), 0);
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
        let first = stem::read(packed)?;
        let left = u16::from_be_bytes(*count);
        self.at += stem::LEN + count.len();
        if left > 0 {
            self.chain = Some(Chain {
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

impl Chain {
    fn advance(&mut self, bytes: &[u8]) -> Result<(), Damage> {
        let Chain { last, left, bits } = self;
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
        *played = Some(stem::find(position, from as u16 | (to as u16) << 6 | promotion << 12)?);
        let difference = stem::signed(bits.next_digits(bytes)?);
        *score = Score::of_raw(score.of_other_side().get().wrapping_add(difference));
        (*ply, *left) = (*ply + 1, *left - 1);
        debug_assert!(Bitboard::from_square(from).is_subset(ours));
        Ok(())
    }
}
