//! Counts as bytes, in [postcard](https://postcard.jamesmunns.com/wire-format): the blocks of count
//! files and of temporary files, and one selected position. Each has its own table of games.

use std::borrow::Cow;
use std::sync::Arc;

use indexmap::IndexSet;
use postcard::{Error, Result, take_from_bytes, to_extend};
use san::{MoveCode, PositionKey};
use serde::{Deserialize, Serialize};

use crate::tally::{Game, Occurrence, Tally};

pub(crate) type MoveCount = (MoveCode, Tally);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CountsEntry<'g> {
    pub(crate) key: PositionKey,
    /// The counts of all games that reached it.
    pub(crate) total: Tally,
    /// The moves played from it, and [`MoveCode::NONE`] for games that ended there, in each class
    /// of games that has the move, sorted by both.
    pub(crate) counts: Vec<MoveCount>,
    /// Has the games to which the counts refer.
    pub(crate) games: Cow<'g, [Arc<Game>]>,
}

impl<'g> CountsEntry<'g> {
    pub(crate) fn new(
        key: PositionKey,
        counts: Vec<MoveCount>,
        games: impl Into<Cow<'g, [Arc<Game>]>>,
    ) -> Self {
        let games = games.into();
        CountsEntry { key, total: total(&counts, &games), counts, games }
    }

    pub(crate) fn game(&self, at: Occurrence) -> &Game {
        at.of(&self.games)
    }

    /// Copies the games to which the counts refer. `numbers` is scratch space.
    pub(crate) fn owned(self, numbers: &mut Numbers<u32>) -> CountsEntry<'static> {
        let CountsEntry { key, mut total, mut counts, games } = self;
        let tallies = counts.iter_mut().map(|(_, tally)| tally).chain([&mut total]);
        for at in tallies.flat_map(Tally::occurrences) {
            at.game = numbers.insert_full(at.game).0 as u32;
        }
        let games: Vec<_> = numbers.drain(..).map(|game| games[game as usize].clone()).collect();
        CountsEntry { key, total, counts, games: games.into() }
    }
}

pub(crate) type Numbers<T> = IndexSet<T, foldhash::fast::RandomState>;

pub(crate) fn total(counts: &[MoveCount], games: &[Arc<Game>]) -> Tally {
    let mut total = Tally::default();
    counts.iter().for_each(|(_, tally)| total.add(*tally, games));
    total
}

/// Adds up the counts of each move, in each class or in all, and sorts them.
pub(crate) fn add_up(counts: &mut Vec<MoveCount>, games: &[Arc<Game>], by_class: bool) {
    let class = |tally: &Tally| tally.strongest.of(games).class.as_ref().filter(|_| by_class);
    counts.sort_by(|(a, of_a), (b, of_b)| a.cmp(b).then_with(|| class(of_a).cmp(&class(of_b))));
    counts.dedup_by(|(code, tally), (last, sum)| {
        let is_same = code == last && class(tally) == class(sum);
        if is_same {
            sum.add(*tally, games);
        }
        is_same
    });
}

/// Plane 2 (rooks, queens, kings) first: it changes least in openings, so neighbours are alike.
const PLANES: [usize; 4] = [2, 0, 1, 3];

pub(crate) fn sort_key(key: PositionKey) -> [u8; 32] {
    let planes = PLANES.map(|plane| key.0[plane].to_be_bytes());
    *planes.as_flattened().first_chunk().expect("four planes have 32 bytes")
}

pub(crate) fn key_of_sort_key(sort_key: [u8; 32]) -> PositionKey {
    let mut key = PositionKey::default();
    for (plane, bytes) in PLANES.into_iter().zip(sort_key.as_chunks().0) {
        key.0[plane] = u64::from_be_bytes(*bytes);
    }
    key
}

/// The first bytes of a sort key: positions with equal ranks are in the order of their keys.
pub(crate) fn rank(sort_key: &[u8; 32]) -> u128 {
    u128::from_be_bytes(*sort_key.first_chunk().expect("a key has 32 bytes"))
}

/// Most counts are those of a single game, and follow from it.
#[derive(Serialize, Deserialize)]
enum StoredCount {
    One(u16, Occurrence),
    Several(u16, Tally),
}

fn append(value: &impl Serialize, out: &mut Vec<u8>) {
    *out = to_extend(value, std::mem::take(out)).expect("the values have lengths");
}

/// Returns counts, and what follows. Their games are those of this table from a number on.
fn read_counts<'b>(
    bytes: &'b [u8],
    games: &[Arc<Game>],
    first: usize,
) -> Result<(Vec<MoveCount>, &'b [u8])> {
    let (stored, rest) = take_from_bytes::<Vec<StoredCount>>(bytes)?;
    let number = |at: &mut Occurrence| {
        at.game = at.game.checked_add(first as u32)?;
        games.get(at.game as usize)
    };
    let count = |stored| match stored {
        StoredCount::One(code, mut at) => {
            let game = number(&mut at)?;
            Some((MoveCode(code), Tally::of_one(at, game)))
        }
        StoredCount::Several(code, mut tally) => {
            let is_known = tally.games > 0 && tally.occurrences().all(|at| number(at).is_some());
            is_known.then_some((MoveCode(code), tally))
        }
    };
    Ok((stored.into_iter().map(count).collect::<Option<_>>().ok_or(DAMAGED)?, rest))
}

const DAMAGED: Error = Error::SerdeDeCustom;

/// Appends a position that is sorted with others, by their keys if nothing precedes them, and the
/// games to which its counts refer. `numbers` is scratch space.
pub(crate) fn write_entry(entry: &CountsEntry<'_>, numbers: &mut Numbers<u32>, out: &mut Vec<u8>) {
    out.extend_from_slice(&sort_key(entry.key));
    let number = |game| numbers.insert_full(game).0;
    let counts = stored_counts(&entry.counts, entry, number);
    let games: Vec<&Game> = numbers.drain(..).map(|game| &*entry.games[game as usize]).collect();
    append(&(games, counts), out);
}

/// Returns some of the counts of a position, with other numbers of their games.
fn stored_counts(
    counts: &[MoveCount],
    entry: &CountsEntry<'_>,
    mut number: impl FnMut(u32) -> usize,
) -> Vec<StoredCount> {
    let stored = |(code, tally): &MoveCount| {
        let (mut tally, is_one) = (*tally, tally.is_one(&entry.games));
        tally.occurrences().for_each(|at| at.game = number(at.game) as u32);
        match is_one {
            true => StoredCount::One(code.0, tally.strongest),
            false => StoredCount::Several(code.0, tally),
        }
    };
    counts.iter().map(stored).collect()
}

pub(crate) fn read_entry(bytes: &[u8]) -> Result<(CountsEntry<'static>, &[u8])> {
    let (key, bytes) = bytes.split_first_chunk().ok_or(DAMAGED)?;
    let (games, bytes) = take_from_bytes::<Vec<Arc<Game>>>(bytes)?;
    let (counts, bytes) = read_counts(bytes, &games, 0)?;
    Ok((CountsEntry::new(key_of_sort_key(*key), counts, games), bytes))
}

/// Largest block or page before compression.
pub(crate) const LARGEST: usize = 16 << 20;

/// Usual size of a block before compression, from which no position is added, in bytes.
pub(crate) const BLOCK: usize = 16 << 10;

/// Size of the counts of a position from which they are divided among several blocks.
const LARGE: usize = 1 << 20;

/// The most bytes of a count besides its games, with numbers of usual games.
const COUNT: usize = 64;

/// The positions of a block, in order. A position that is too large has some of its counts in each
/// of several blocks, which have no other position.
#[derive(Debug, Default)]
pub(crate) struct BlockBuilder {
    size: usize,
    first: Option<[u8; 32]>,
    last: [u8; 32],
    numbers: Numbers<Arc<Game>>,
    /// The games and the positions.
    games: Vec<u8>,
    positions: Vec<u8>,
    position: Vec<u8>,
}

impl BlockBuilder {
    /// Ends blocks from this size.
    pub(crate) fn of_size(size: usize) -> Self {
        BlockBuilder { size, ..BlockBuilder::default() }
    }

    /// Adds a position, given its ECO code and name; calls `end` with blocks that are full.
    pub(crate) fn push<E>(
        &mut self,
        names: [&str; 2],
        entry: &CountsEntry<'_>,
        end: &mut impl FnMut([u8; 32], &[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let mut parts = large_parts(entry).peekable();
        let is_divided = parts.peek().is_some_and(|part| part.len() < entry.counts.len());
        if is_divided {
            self.end(end)?;
        }
        for part in parts {
            self.push_part(names, entry, part);
            if is_divided || self.positions.len() + self.games.len() >= self.size {
                self.end(end)?;
            }
        }
        Ok(())
    }

    fn push_part(&mut self, names: [&str; 2], entry: &CountsEntry<'_>, counts: &[MoveCount]) {
        let key = sort_key(entry.key);
        let BlockBuilder { first, last, numbers, games, positions, position, .. } = self;
        let shared = match first {
            None => 0,
            Some(_) => key.iter().zip(&*last).take_while(|(a, b)| a == b).count(),
        };
        first.get_or_insert(key);
        *last = key;
        positions.push(shared as u8);
        positions.extend_from_slice(&key[shared..]);
        position.clear();
        let number = |game| {
            let game = &entry.games[game as usize];
            numbers.get_index_of(game).unwrap_or_else(|| {
                append(game, games);
                numbers.insert_full(game.clone()).0
            })
        };
        append(&(names, stored_counts(counts, entry, number)), position);
        append(&position.len(), positions);
        positions.extend_from_slice(position);
    }

    /// Passes on the block and its first key, unless it is empty.
    pub(crate) fn end<E>(
        &mut self,
        end: &mut impl FnMut([u8; 32], &[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let BlockBuilder { first, numbers, games, positions, position, .. } = self;
        let Some(first) = first.take() else { return Ok(()) };
        position.clear();
        append(&numbers.len(), position);
        position.extend_from_slice(games);
        position.extend_from_slice(positions);
        numbers.clear();
        games.clear();
        positions.clear();
        end(first, position)
    }
}

fn large_parts<'e>(entry: &'e CountsEntry<'_>) -> impl Iterator<Item = &'e [MoveCount]> {
    let len = |(_, tally): &MoveCount| {
        let of_games = tally.notable_games().map(|at| entry.game(at).text_bytes());
        COUNT + of_games.sum::<usize>()
    };
    let mut used = 0;
    entry.counts.chunk_by(move |count, _| {
        used += len(count);
        let fits = used < LARGE;
        used = if fits { used } else { 0 };
        fits
    })
}

/// A position of a block, or some of its counts.
pub(crate) struct BlockPosition<'b> {
    pub(crate) key: PositionKey,
    /// Its ECO code and name, which may be empty.
    pub(crate) names: [&'b str; 2],
    /// Sorted by move and class.
    pub(crate) counts: Vec<MoveCount>,
}

pub(crate) struct Block<'b> {
    /// The number of its first game among those of several blocks.
    first_game: usize,
    last: Option<[u8; 32]>,
    rest: &'b [u8],
}

impl<'b> Block<'b> {
    /// Begins to read a block, whose games are appended to those of other blocks.
    pub(crate) fn new(bytes: &'b [u8], games: &mut Vec<Arc<Game>>) -> Result<Self> {
        let first_game = games.len();
        let (mut own, rest) = take_from_bytes(bytes)?;
        games.append(&mut own);
        Ok(Block { first_game, last: None, rest })
    }

    /// Returns the sort key and the bytes of the next position.
    pub(crate) fn next_bytes(&mut self) -> Result<Option<([u8; 32], &'b [u8])>> {
        let Some((shared, rest)) = self.rest.split_first() else { return Ok(None) };
        let mut key = self.last.unwrap_or_default();
        let place = key.get_mut(usize::from(*shared)..).ok_or(DAMAGED)?;
        let (other, rest) = rest.split_at_checked(place.len()).ok_or(DAMAGED)?;
        place.copy_from_slice(other);
        if self.last.replace(key).is_some_and(|last| last >= key) {
            return Err(DAMAGED);
        }
        let (bytes, rest) = take_from_bytes::<&[u8]>(rest)?;
        self.rest = rest;
        Ok(Some((key, bytes)))
    }

    /// Decodes these bytes, given the games of all blocks.
    pub(crate) fn decode(
        &self,
        key: [u8; 32],
        bytes: &'b [u8],
        games: &[Arc<Game>],
    ) -> Result<BlockPosition<'b>> {
        let (names, bytes) = take_from_bytes(bytes)?;
        let (counts, rest) = read_counts(bytes, games, self.first_game)?;
        let order = |(code, tally): &MoveCount| (*code, &tally.strongest.of(games).class);
        let is_sorted = counts.windows(2).all(|pair| order(&pair[0]) < order(&pair[1]));
        if !is_sorted || counts.is_empty() || !rest.is_empty() {
            return Err(DAMAGED);
        }
        Ok(BlockPosition { key: key_of_sort_key(key), names, counts })
    }
}
