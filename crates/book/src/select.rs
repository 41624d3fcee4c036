//! Which positions become the book, and in which order; decided when all is counted.

use std::io;

use emit::draw;
use san::{Buffer, EnPassantPolicy, FieldStyle, Packed, Position};

use crate::hash::hash;
use crate::merge::Entry;
use crate::run::{damaged, read_number, read_tally, write_number, write_tally};
use crate::sorter::Sorter;
use crate::tally::{Occurrence, Tally};
use crate::temporary::Temporary;
use crate::{BookError, MoveCode};

/// Which positions, and in which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Only positions of so many games.
    pub min_games: u64,
    /// Only those where White's share of the points, in millionths, is so much at least; not those without a result.
    pub min_score: Option<u64>,
    /// Only those where it is so much at most.
    pub max_score: Option<u64>,
    /// Of all games that reached a position only the strongest counts.
    pub keep_strongest: bool,
    /// As many positions with White to move as with Black; those left out are drawn by chance.
    pub balance: bool,
    /// So many positions, drawn by chance.
    pub sample: Option<u64>,
    /// What chance begins with.
    pub seed: u64,
    /// The order.
    pub order: Order,
}

/// The order of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// As the games first came to the positions: files by name, games by number, plies.
    #[default]
    Input,
    /// Those with the most games first; of equals by text.
    Count,
    /// By the text of the four fields, byte by byte.
    Key,
    /// Those with the best score for White first, those without a result last; of equals by text.
    Score,
    /// By chance.
    Shuffle,
}

/// A position of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The position, with the clocks that it had where it came from.
    pub position: Position,
    /// What is counted of it.
    pub total: Tally,
    /// What is counted of its moves.
    pub moves: Vec<(MoveCode, Tally)>,
    /// Where it came from: the first game that reached it, or the strongest if only that counts.
    pub source: Occurrence,
}

/// How positions are written as text.
pub(crate) const STYLE: FieldStyle =
    FieldStyle { castling: san::CastlingStyle::XFen, en_passant: EnPassantPolicy::Legal };

/// The four fields of a position as books have them: X-FEN's castling rights, and en passant where it is legal.
pub fn fields(position: &Position) -> String {
    let mut buffer = Buffer::default();
    let mut line = buffer.line();
    san::write_fields(position, STYLE, &mut line);
    line.finish();
    String::from_utf8_lossy(buffer.as_bytes()).into_owned()
}

impl Choice {
    fn wants(&self, total: &Tally) -> bool {
        if total.games < self.min_games {
            return false;
        }
        if self.min_score.is_none() && self.max_score.is_none() {
            return true;
        }
        total.score_millionths().is_some_and(|score| {
            self.min_score.is_none_or(|least| score >= least)
                && self.max_score.is_none_or(|most| score <= most)
        })
    }

    fn source(&self, total: &Tally) -> Occurrence {
        if self.keep_strongest { total.strongest.at } else { total.first }
    }

    fn order_key(&self, entry: &Entry, position: &Position) -> Vec<u8> {
        let mut key = Vec::new();
        match self.order {
            Order::Input => {
                let at = self.source(&entry.total);
                key.extend_from_slice(&at.file.to_be_bytes());
                key.extend_from_slice(&at.game.to_be_bytes());
                key.extend_from_slice(&at.ply.to_be_bytes());
            }
            Order::Count => key.extend_from_slice(&(!entry.total.games).to_be_bytes()),
            Order::Score => {
                let score = entry.total.score_millionths().map_or(0, |score| score + 1);
                key.extend_from_slice(&(!score).to_be_bytes());
            }
            Order::Key => {}
            Order::Shuffle => key.extend_from_slice(&self.lot(entry.key).to_be_bytes()),
        }
        key.extend_from_slice(fields(position).as_bytes());
        key
    }

    /// What is drawn for a position: it depends on the seed and on nothing else.
    fn lot(&self, key: Packed) -> u64 {
        draw(self.seed, hash(key))
    }

    /// Hands over the chosen positions, in their order.
    pub(crate) fn choose(
        &self,
        entries: impl Iterator<Item = io::Result<Entry>>,
        memory: usize,
        temporary: &Temporary,
        take: &mut dyn FnMut(Chosen) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let mut ordered = Sorter::new(memory / 4, temporary.clone());
        let mut drawn = Sorter::new(memory / 4, temporary.clone());
        let by_lot = self.balance || self.sample.is_some();
        let mut sides = [0_u64; 2];
        let mut bytes = Vec::new();
        for entry in entries {
            let mut entry = entry.map_err(|error| temporary.failed(error))?;
            if !self.wants(&entry.total) {
                continue;
            }
            if self.keep_strongest {
                entry.total = entry.total.of_strongest();
                let at = entry.total.first;
                entry.moves.retain(|(_, tally)| tally.strongest.at == at);
                for (_, tally) in &mut entry.moves {
                    *tally = tally.of_strongest();
                }
            }
            sides[entry.key.turn() as usize] += 1;
            bytes.clear();
            write_entry(&entry, &mut bytes);
            if by_lot {
                let lot = self.lot(entry.key).to_be_bytes();
                drawn.push(&[&lot[..], &entry.key.to_bytes()].concat(), &bytes)?;
            } else {
                let position = entry.key.position(0, 1)?;
                ordered.push(&self.order_key(&entry, &position), &bytes)?;
            }
        }
        if by_lot {
            let mut left = self.quotas(sides);
            drawn.drain(&mut |_, thing| {
                let entry = read_entry(thing).map_err(|error| temporary.failed(error))?;
                let quota =
                    if self.balance { &mut left[entry.key.turn() as usize] } else { &mut left[2] };
                if *quota > 0 {
                    *quota -= 1;
                    let position = entry.key.position(0, 1)?;
                    ordered.push(&self.order_key(&entry, &position), thing)?;
                }
                Ok(left.iter().any(|left| *left > 0))
            })?;
        }
        ordered.drain(&mut |_, thing| {
            let Entry { key, total, moves } =
                read_entry(thing).map_err(|error| temporary.failed(error))?;
            let source = self.source(&total);
            let position = key.position(source.halfmoves.into(), source.fullmoves.max(1).into())?;
            take(Chosen { position, total, moves, source })?;
            Ok(true)
        })
    }

    /// How many positions of each side may be taken, or of both together.
    fn quotas(&self, sides: [u64; 2]) -> [u64; 3] {
        let sample = self.sample.unwrap_or(u64::MAX);
        if !self.balance {
            return [0, 0, sample];
        }
        let each = sides[0].min(sides[1]).min(sample / 2);
        [each, each, 0]
    }
}

fn write_entry(entry: &Entry, out: &mut Vec<u8>) {
    out.extend_from_slice(&entry.key.to_bytes());
    write_tally(&entry.total, out);
    write_number(entry.moves.len() as u64, out);
    for (code, tally) in &entry.moves {
        out.extend_from_slice(&code.0.to_le_bytes());
        write_tally(tally, out);
    }
}

fn read_entry(mut bytes: &[u8]) -> io::Result<Entry> {
    let (key, rest) = bytes.split_first_chunk::<32>().ok_or_else(damaged)?;
    bytes = rest;
    let total = read_tally(&mut bytes)?;
    let count = read_number(&mut bytes)?;
    let mut moves = Vec::new();
    for _ in 0..count {
        let (code, rest) = bytes.split_first_chunk::<2>().ok_or_else(damaged)?;
        bytes = rest;
        moves.push((MoveCode(u16::from_le_bytes(*code)), read_tally(&mut bytes)?));
    }
    Ok(Entry { key: Packed::from_bytes(*key), total, moves })
}
