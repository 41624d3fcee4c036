//! Encoding of counts in the runs of partial results. Runs are sorted by the hash of the key,
//! as temporary files are.

use std::io::{self, BufRead};

use pgn::Outcome;
use san::{MoveCode, PositionKey};
use stream::spill::{read_number, write_number};

use crate::encoding::{
    damaged, read_byte, read_info, read_occurrence, read_small, read_text, write_occurrence,
    write_text,
};
use crate::row::{Counted, GameInfoRef, Row};
use crate::tally::{NotableGame, Tally};

/// Encoded counts in order, to which others may be appended.
#[derive(Debug, Default)]
pub(crate) struct EncodedRun {
    pub(crate) bytes: Vec<u8>,
    last: Option<PositionKey>,
}

/// Marker before each count.
const SAME_KEY: u8 = 1;
const NEW_KEY: u8 = 2;
/// Marker after the last count; a run without it is truncated.
pub(crate) const END: u8 = 3;

impl EncodedRun {
    /// Appends a count; the counts of a position are not divided among runs.
    pub(crate) fn push(&mut self, Counted { key, next, class, tally }: &Row<'_>) {
        let EncodedRun { bytes, last } = self;
        if *last == Some(*key) {
            bytes.push(SAME_KEY);
        } else {
            bytes.push(NEW_KEY);
            bytes.extend_from_slice(&key.to_bytes());
            *last = Some(*key);
        }
        bytes.extend_from_slice(&next.0.to_le_bytes());
        write_text(class, bytes);
        write_tally(tally, bytes);
    }
}

#[derive(Debug)]
pub(crate) struct RunReader<R> {
    input: R,
    last: PositionKey,
    /// The numbers of files among those of all runs.
    files: Vec<u32>,
}

impl<R: BufRead> RunReader<R> {
    pub(crate) fn new(input: R, files: Vec<u32>) -> Self {
        RunReader { input, last: PositionKey::default(), files }
    }

    pub(crate) fn into_input(self) -> R {
        self.input
    }

    pub(crate) fn read(&mut self) -> io::Result<Option<Counted>> {
        match read_byte(&mut self.input)? {
            SAME_KEY => {}
            NEW_KEY => {
                let mut bytes = [0; 32];
                self.input.read_exact(&mut bytes)?;
                self.last = PositionKey::from_bytes(bytes);
            }
            END => return Ok(None),
            _ => return Err(damaged()),
        }
        let mut next = [0; 2];
        self.input.read_exact(&mut next)?;
        let (key, next) = (self.last, MoveCode(u16::from_le_bytes(next)));
        let class = read_text(&mut self.input)?;
        let mut tally = read_tally_with(&mut self.input, read_info)?;
        let latest = tally.latest.as_mut().map(|latest| &mut latest.at);
        for at in [&mut tally.first, &mut tally.strongest.at].into_iter().chain(latest) {
            at.file = *self.files.get(at.file as usize).ok_or_else(damaged)?;
        }
        Ok(Some(Counted { key, next, class, tally }))
    }
}

/// What follows: the strongest game; counts and this game; counts, this and the latest game.
const ONE_GAME: u8 = 1;
const COUNTS: u8 = 0;
const WITH_LATEST: u8 = 2;

/// Most counts are those of a single game, and follow from it.
pub(crate) fn write_tally(tally: &Tally<GameInfoRef<'_>>, out: &mut Vec<u8>) {
    let counts = tally.map_info(|_| ());
    let kind = match &tally.latest {
        Some(_) => WITH_LATEST,
        None if counts == Tally::of_one(counts.strongest) => ONE_GAME,
        None => COUNTS,
    };
    out.push(kind);
    if kind != ONE_GAME {
        let Tally { games, white, draws, black, rated, rating_sum, .. } = *tally;
        for number in [games, white, draws, black, rated, rating_sum] {
            write_number(number, out);
        }
        write_number(tally.first_year.into(), out);
        write_number(tally.last_year.into(), out);
        write_occurrence(&tally.first, out);
    }
    for NotableGame { elo_sum, at, outcome, year, info } in tally.notable_games() {
        write_number(u64::from(*elo_sum), out);
        write_number(u64::from(*year), out);
        out.push(*outcome as u8);
        write_occurrence(at, out);
        info.write(out);
    }
}

/// Reads a tally; `info` reads what is known of the players and moves of a game.
pub(crate) fn read_tally_with<R: BufRead, I>(
    input: &mut R,
    info: impl Fn(&mut R) -> io::Result<I>,
) -> io::Result<Tally<I>> {
    let kind = read_byte(input)?;
    match kind {
        COUNTS | WITH_LATEST => {}
        ONE_GAME => return Ok(Tally::of_one(read_game(input, &info)?)),
        _ => return Err(damaged()),
    }
    let mut numbers = [0; 6];
    for number in &mut numbers {
        *number = read_number(input)?;
    }
    let [games, white, draws, black, rated, rating_sum] = numbers;
    Ok(Tally {
        games,
        white,
        draws,
        black,
        rated,
        rating_sum,
        first_year: read_small(input)?,
        last_year: read_small(input)?,
        first: read_occurrence(input)?,
        strongest: read_game(input, &info)?,
        latest: if kind == WITH_LATEST { Some(read_game(input, &info)?) } else { None },
    })
}

fn read_game<R: BufRead, I>(
    input: &mut R,
    info: impl Fn(&mut R) -> io::Result<I>,
) -> io::Result<NotableGame<I>> {
    Ok(NotableGame {
        elo_sum: read_small(input)?,
        year: read_small(input)?,
        outcome: Outcome::of_number(read_byte(input)?).ok_or_else(damaged)?,
        at: read_occurrence(input)?,
        info: info(input)?,
    })
}
