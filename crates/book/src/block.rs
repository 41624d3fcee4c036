//! Counts as bytes: in the blocks of count files and of temporary files, which have a table of
//! texts, and of one selected position, with the texts themselves.

use std::io;

use pgn::Outcome;
use san::{MoveCode, PositionKey};
use stream::spill::{read_number, write_number};
use table::Dictionary;

use crate::tally::{Evaluation, GameInfo, NotableGame, SourceLocation, Tally};

pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

/// A [`GameInfo`] that is not copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GameInfoRef<'s> {
    pub(crate) white: &'s str,
    pub(crate) black: &'s str,
    pub(crate) start: &'s str,
    pub(crate) moves: &'s [u8],
}

impl<'s> GameInfoRef<'s> {
    pub(crate) fn of(info: &'s GameInfo) -> Self {
        let GameInfo { white, black, start, moves } = info;
        GameInfoRef { white, black, start, moves }
    }

    pub(crate) fn decoded(&self) -> GameInfo {
        let GameInfoRef { white, black, start, moves } = *self;
        GameInfo {
            white: white.into(),
            black: black.into(),
            start: start.into(),
            moves: moves.into(),
        }
    }
}

/// A move, the text of a class, or an empty one, and the counts.
pub(crate) type MoveCount<'s> = (MoveCode, &'s str, Tally<GameInfoRef<'s>>);

/// The counts of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'s> {
    pub(crate) key: PositionKey,
    /// The counts of all games that reached it.
    pub(crate) total: Tally<GameInfoRef<'s>>,
    /// The moves played from it, and [`MoveCode::NONE`] for games that ended there, in each class
    /// of games that has the move, sorted by both.
    pub(crate) counts: Vec<MoveCount<'s>>,
}

impl<'s> Entry<'s> {
    pub(crate) fn new(key: PositionKey, counts: Vec<MoveCount<'s>>) -> Self {
        let mut tallies = counts.iter().map(|(.., tally)| *tally);
        let mut total = tallies.next().unwrap_or_default();
        tallies.for_each(|tally| total += tally);
        Entry { key, total, counts }
    }
}

/// Adds a count of the last move or of a later one.
pub(crate) fn add_move<I: PartialOrd>(
    moves: &mut Vec<(MoveCode, Tally<I>)>,
    next: MoveCode,
    tally: Tally<I>,
) {
    match moves.last_mut() {
        Some((code, counts)) if *code == next => *counts += tally,
        Some(_) => moves.push((next, tally)),
        // Most positions have one move.
        None => *moves = vec![(next, tally)],
    }
}

// The order of positions.

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
#[inline]
pub(crate) fn rank(sort_key: &[u8; 32]) -> u128 {
    u128::from_be_bytes(*sort_key.first_chunk().expect("a key has 32 bytes"))
}

// Numbers and texts.

/// Reads a number that was written in as few bytes as possible, seven bits each.
pub(crate) fn read_small<T: TryFrom<u64>>(input: &mut &[u8]) -> io::Result<T> {
    T::try_from(read_number(input)?).map_err(|_| damaged())
}

fn split<'b>(input: &mut &'b [u8], len: usize) -> io::Result<&'b [u8]> {
    let (bytes, rest) = input.split_at_checked(len).ok_or_else(damaged)?;
    *input = rest;
    Ok(bytes)
}

fn split_array<const N: usize>(input: &mut &[u8]) -> io::Result<[u8; N]> {
    let (bytes, rest) = input.split_first_chunk().ok_or_else(damaged)?;
    *input = rest;
    Ok(*bytes)
}

/// Writes texts.
pub(crate) trait WriteTexts {
    fn write(&mut self, text: &str, out: &mut Vec<u8>);
}

/// Reads them.
pub(crate) trait ReadTexts<'b> {
    fn read(&mut self, input: &mut &'b [u8]) -> io::Result<&'b str>;
}

/// Texts in their place, after their length.
pub(crate) struct InPlace;

impl WriteTexts for InPlace {
    fn write(&mut self, text: &str, out: &mut Vec<u8>) {
        write_number(text.len() as u64, out);
        out.extend_from_slice(text.as_bytes());
    }
}

impl<'b> ReadTexts<'b> for InPlace {
    fn read(&mut self, input: &mut &'b [u8]) -> io::Result<&'b str> {
        let len = read_small(input)?;
        std::str::from_utf8(split(input, len)?).map_err(|_| damaged())
    }
}

// Counts.

fn write_occurrence(at: &SourceLocation, out: &mut Vec<u8>) {
    let SourceLocation { file, game, ply, halfmoves, fullmoves, evaluation } = *at;
    // One bit for the presence of an evaluation, which is absent without `--eval`.
    let halfmoves = u64::from(halfmoves) << 1 | u64::from(evaluation != Evaluation::NONE);
    for number in [file.into(), game, ply.into(), halfmoves, fullmoves.into()] {
        write_number(number, out);
    }
    if evaluation != Evaluation::NONE {
        out.extend_from_slice(&evaluation.bits().to_le_bytes());
    }
}

fn read_occurrence(input: &mut &[u8]) -> io::Result<SourceLocation> {
    let (file, game, ply) = (read_small(input)?, read_number(input)?, read_small(input)?);
    let halfmoves = read_number(input)?;
    let fullmoves = read_small(input)?;
    let evaluation = match halfmoves & 1 {
        0 => Evaluation::NONE,
        _ => Evaluation::of_bits(u16::from_le_bytes(split_array(input)?)),
    };
    let halfmoves = u16::try_from(halfmoves >> 1).map_err(|_| damaged())?;
    Ok(SourceLocation { file, game, ply, halfmoves, fullmoves, evaluation })
}

/// Appends the counts of a position: those of each move, in classes if there are some.
pub(crate) fn write_counts(
    counts: &[MoveCount<'_>],
    has_classes: bool,
    texts: &mut impl WriteTexts,
    out: &mut Vec<u8>,
) {
    let moves = counts.chunk_by(|(code, ..), (next, ..)| code == next);
    write_number(moves.clone().count() as u64, out);
    for counts in moves {
        out.extend_from_slice(&counts[0].0.0.to_le_bytes());
        if has_classes {
            write_number(counts.len() as u64, out);
        }
        for (_, class, tally) in counts {
            if has_classes {
                texts.write(class, out);
            }
            write_tally(tally, texts, out);
        }
    }
}

/// Number of counts for which memory is allocated before it is known that there are more.
const USUAL_COUNTS: u64 = 8;

pub(crate) fn read_counts<'b>(
    has_classes: bool,
    texts: &mut impl ReadTexts<'b>,
    input: &mut &'b [u8],
) -> io::Result<Vec<MoveCount<'b>>> {
    let moves = read_number(input)?;
    let mut counts = Vec::with_capacity(moves.min(USUAL_COUNTS) as usize);
    for _ in 0..moves {
        let code = MoveCode(u16::from_le_bytes(split_array(input)?));
        for _ in 0..if has_classes { read_number(input)? } else { 1 } {
            let class = if has_classes { texts.read(input)? } else { "" };
            counts.push((code, class, read_tally(texts, input)?));
        }
    }
    Ok(counts)
}

/// Most counts are those of a single game, and follow from it.
fn write_tally(tally: &Tally<GameInfoRef<'_>>, texts: &mut impl WriteTexts, out: &mut Vec<u8>) {
    if tally.is_one() {
        write_number(0, out);
    } else {
        let Tally { games, white, draws, black, rated, rating_sum, .. } = *tally;
        for number in [games, white, draws, black, rated, rating_sum] {
            write_number(number, out);
        }
        for year in [tally.first_year, tally.last_year] {
            write_number(year.into(), out);
        }
        write_occurrence(&tally.first, out);
        write_number(tally.notable_games().count() as u64, out);
    }
    for NotableGame { elo_sum, at, outcome, year, info } in tally.notable_games() {
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        let kind = flag(!info.start.is_empty(), START) | flag(!info.moves.is_empty(), MOVES);
        out.push(*outcome as u8 | kind);
        for number in [*elo_sum, *year] {
            write_number(number.into(), out);
        }
        write_occurrence(at, out);
        texts.write(info.white, out);
        texts.write(info.black, out);
        if kind & START > 0 {
            texts.write(info.start, out);
        }
        if kind & MOVES > 0 {
            write_number(info.moves.len() as u64 / 2, out);
            out.extend_from_slice(info.moves);
        }
    }
}

/// Flags beside the result of a game: its start and its moves follow.
const START: u8 = 4;
const MOVES: u8 = 8;

fn read_tally<'b>(
    texts: &mut impl ReadTexts<'b>,
    input: &mut &'b [u8],
) -> io::Result<Tally<GameInfoRef<'b>>> {
    let number = read_number(input)?;
    if number == 0 {
        return Ok(Tally::of_one(read_game(texts, input)?));
    }
    let mut tally = Tally { games: number, ..Tally::default() };
    let Tally { white, draws, black, rated, rating_sum, .. } = &mut tally;
    for sum in [white, draws, black, rated, rating_sum] {
        *sum = read_number(input)?;
    }
    (tally.first_year, tally.last_year) = (read_small(input)?, read_small(input)?);
    tally.first = read_occurrence(input)?;
    let notable = read_number(input)?;
    tally.strongest = read_game(texts, input)?;
    // Other programs may write more.
    for number in 1..notable {
        let game = read_game(texts, input)?;
        if number == 1 {
            tally.latest = Some(game);
        }
    }
    if notable == 0 { Err(damaged()) } else { Ok(tally) }
}

fn read_game<'b>(
    texts: &mut impl ReadTexts<'b>,
    input: &mut &'b [u8],
) -> io::Result<NotableGame<GameInfoRef<'b>>> {
    let [kind] = split_array(input)?;
    Ok(NotableGame {
        outcome: Outcome::of_number(kind & !(START | MOVES)).ok_or_else(damaged)?,
        elo_sum: read_small(input)?,
        year: read_small(input)?,
        at: read_occurrence(input)?,
        info: GameInfoRef {
            white: texts.read(input)?,
            black: texts.read(input)?,
            start: if kind & START > 0 { texts.read(input)? } else { "" },
            moves: match kind & MOVES {
                0 => &[],
                _ => {
                    let len = read_small::<usize>(input)?;
                    split(input, len.checked_mul(2).ok_or_else(damaged)?)?
                }
            },
        },
    })
}

// Blocks: positions sorted by key, with the texts that several of them have.

/// Largest block or page before compression.
pub(crate) const LARGEST: usize = 16 << 20;

/// Most bytes of text that the counts of a block may name: a small file could name a long text
/// often.
const MOST_TEXT: usize = 4 * LARGEST;

/// Usual size of a block before compression, from which no position is added, in bytes.
pub(crate) const BLOCK: usize = 16 << 10;

/// Size of the counts of a position from which they are divided among several blocks.
const LARGE: usize = 1 << 20;

/// The most bytes of a count besides its texts and moves, with numbers of usual games.
const COUNT: usize = 64;

/// The positions of a block, in order. A position that is too large has some of its counts in each
/// of several blocks, which have no other position.
#[derive(Debug)]
pub(crate) struct BlockBuilder {
    size: usize,
    first: Option<[u8; 32]>,
    last: [u8; 32],
    has_classes: bool,
    texts: BlockTexts,
    positions: Vec<u8>,
    position: Vec<u8>,
}

/// The numbers of texts; 0 is the empty text.
#[derive(Debug, Default)]
struct BlockTexts {
    texts: Dictionary,
    /// The lengths of the texts and the texts.
    encoded: Vec<u8>,
}

impl WriteTexts for BlockTexts {
    fn write(&mut self, text: &str, out: &mut Vec<u8>) {
        if text.is_empty() {
            return write_number(0, out);
        }
        let others = self.texts.len();
        let number = self.texts.key(text.as_bytes());
        if self.texts.len() > others {
            InPlace.write(text, &mut self.encoded);
        }
        write_number(u64::from(number) + 1, out);
    }
}

impl Default for BlockBuilder {
    fn default() -> Self {
        BlockBuilder::of_size(BLOCK)
    }
}

impl BlockBuilder {
    /// Ends blocks from this size.
    pub(crate) fn of_size(size: usize) -> Self {
        BlockBuilder {
            size,
            first: None,
            last: [0; 32],
            has_classes: false,
            texts: BlockTexts::default(),
            positions: Vec::new(),
            position: Vec::new(),
        }
    }

    /// Adds a position, given its ECO code and name; calls `end` with blocks that are full.
    pub(crate) fn push(
        &mut self,
        key: PositionKey,
        names: [&str; 2],
        counts: &[MoveCount<'_>],
        end: &mut impl FnMut([u8; 32], &[u8]),
    ) {
        let mut parts = large_parts(counts).peekable();
        let is_divided = parts.peek().is_some_and(|part| part.len() < counts.len());
        if is_divided {
            self.end(end);
        }
        for part in parts {
            self.push_part(key, names, part);
            if is_divided || self.positions.len() + self.texts.encoded.len() >= self.size {
                self.end(end);
            }
        }
    }

    fn push_part(&mut self, key: PositionKey, names: [&str; 2], counts: &[MoveCount<'_>]) {
        let key = sort_key(key);
        let BlockBuilder { first, last, has_classes, texts, positions, position, .. } = self;
        let shared = match first {
            None => 0,
            Some(_) => key.iter().zip(&*last).take_while(|(a, b)| a == b).count(),
        };
        if first.is_none() {
            *has_classes = counts.iter().any(|(_, class, _)| !class.is_empty());
        }
        first.get_or_insert(key);
        positions.push(shared as u8);
        positions.extend_from_slice(&key[shared..]);
        position.clear();
        names.into_iter().for_each(|name| texts.write(name, position));
        write_counts(counts, *has_classes, texts, position);
        write_number(position.len() as u64, positions);
        positions.extend_from_slice(position);
        *last = key;
    }

    /// Passes on the block and its first key, unless it is empty.
    pub(crate) fn end(&mut self, end: &mut impl FnMut([u8; 32], &[u8])) {
        let BlockBuilder { first, has_classes, texts, positions, position, .. } = self;
        let Some(first) = first.take() else { return };
        position.clear();
        position.push((*has_classes).into());
        write_number(texts.texts.len() as u64, position);
        position.extend_from_slice(&texts.encoded);
        position.extend_from_slice(positions);
        texts.texts.clear();
        texts.encoded.clear();
        positions.clear();
        end(first, position);
    }
}

/// Divides the counts of a position.
fn large_parts<'c, 's>(counts: &'c [MoveCount<'s>]) -> impl Iterator<Item = &'c [MoveCount<'s>]> {
    let len = |(_, class, tally): &MoveCount<'_>| {
        let of_game = |game: &NotableGame<GameInfoRef<'_>>| {
            let GameInfoRef { white, black, start, moves } = game.info;
            white.len() + black.len() + start.len() + moves.len()
        };
        COUNT + class.len() + tally.notable_games().map(of_game).sum::<usize>()
    };
    let mut used = 0;
    counts.chunk_by(move |count, _| {
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
    pub(crate) counts: Vec<MoveCount<'b>>,
}

/// The positions of a decompressed block.
pub(crate) struct Block<'b> {
    has_classes: bool,
    texts: TextsOfBlock<'b>,
    last: Option<[u8; 32]>,
    rest: &'b [u8],
}

struct TextsOfBlock<'b> {
    texts: Vec<&'b str>,
    /// How many bytes of text the block may still name.
    room: usize,
}

impl<'b> ReadTexts<'b> for TextsOfBlock<'b> {
    fn read(&mut self, input: &mut &'b [u8]) -> io::Result<&'b str> {
        let text = match read_small::<usize>(input)? {
            0 => "",
            number => self.texts.get(number - 1).copied().ok_or_else(damaged)?,
        };
        self.room = self.room.checked_sub(text.len()).ok_or_else(damaged)?;
        Ok(text)
    }
}

impl<'b> Block<'b> {
    pub(crate) fn new(mut bytes: &'b [u8]) -> io::Result<Self> {
        let [has_classes] = split_array(&mut bytes)?;
        let mut texts = Vec::new();
        for _ in 0..read_number(&mut bytes)? {
            texts.push(InPlace.read(&mut bytes)?);
        }
        let texts = TextsOfBlock { texts, room: MOST_TEXT };
        Ok(Block { has_classes: has_classes != 0, texts, last: None, rest: bytes })
    }

    /// Returns the sort key and the bytes of the next position.
    pub(crate) fn next_bytes(&mut self) -> io::Result<Option<([u8; 32], &'b [u8])>> {
        let Some((shared, rest)) = self.rest.split_first() else { return Ok(None) };
        self.rest = rest;
        let mut key = self.last.unwrap_or_default();
        let place = key.get_mut(usize::from(*shared)..).ok_or_else(damaged)?;
        place.copy_from_slice(split(&mut self.rest, place.len())?);
        if self.last.replace(key).is_some_and(|last| last >= key) {
            return Err(damaged());
        }
        let len = read_small(&mut self.rest)?;
        Ok(Some((key, split(&mut self.rest, len)?)))
    }

    /// Decodes these bytes.
    pub(crate) fn decode(
        &mut self,
        key: [u8; 32],
        mut bytes: &'b [u8],
    ) -> io::Result<BlockPosition<'b>> {
        let Block { has_classes, texts, .. } = self;
        let input = &mut bytes;
        let names = [texts.read(input)?, texts.read(input)?];
        let counts = read_counts(*has_classes, texts, input)?;
        let order = |(code, class, _): &MoveCount<'b>| (*code, *class);
        let is_sorted = counts.is_sorted_by(|a, b| order(a) < order(b)) && !counts.is_empty();
        let is_classed = |(_, class, _): &MoveCount<'b>| class.is_empty() != *has_classes;
        if !is_sorted || !counts.iter().all(is_classed) || !bytes.is_empty() {
            return Err(damaged());
        }
        Ok(BlockPosition { key: key_of_sort_key(key), names, counts })
    }

    /// Returns one position.
    pub(crate) fn find(mut self, key: &[u8; 32]) -> io::Result<Option<BlockPosition<'b>>> {
        while let Some((found, bytes)) = self.next_bytes()? {
            if found == *key {
                return self.decode(found, bytes).map(Some);
            }
        }
        Ok(None)
    }

    /// Returns all positions.
    pub(crate) fn positions(mut self) -> io::Result<Vec<BlockPosition<'b>>> {
        let mut positions = Vec::new();
        while let Some((key, bytes)) = self.next_bytes()? {
            positions.push(self.decode(key, bytes)?);
        }
        Ok(positions)
    }
}
