//! The counts of a position, encoded.

use std::cmp::Reverse;
use std::io;

use pgn::Outcome;
use san::{MoveCode, PositionKey};
use stream::spill::{read_number, write_number};

use super::section::LARGEST;
use crate::class::GameClass;
use crate::encoding::{damaged, read_byte, read_occurrence, read_small, write_occurrence};
use crate::row::GameInfoRef;
use crate::tally::{GameInfo, NotableGame, Tally};

/// A position of an explorer file, and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplorerEntry {
    /// The position.
    pub key: PositionKey,
    /// The ECO code of the position, if it has one.
    pub eco: Option<String>,
    /// The name of the opening, if the position has one.
    pub opening: Option<String>,
    /// The counts of all games that reached the position.
    pub total: Tally,
    /// The moves played from it, and [`MoveCode::NONE`] for games that ended there, sorted by code.
    pub moves: Vec<(MoveCode, Tally)>,
    /// The notable games and their moves, the strongest game first: for each move and class its
    /// strongest game, and its most recent one if it is another.
    pub games: Vec<(MoveCode, NotableGame)>,
    /// The counts of each move for the classes of games that have it. Empty if all games are
    /// counted together.
    pub classes: Vec<(MoveCode, GameClass, Tally)>,
}

impl ExplorerEntry {
    /// Returns the counts of the games of some classes; `None` if no such game reached the
    /// position, or all games are counted together.
    #[must_use]
    pub fn of_classes(&self, mut is_wanted: impl FnMut(&GameClass) -> bool) -> Option<Self> {
        let mut entry = ExplorerEntry {
            key: self.key,
            eco: self.eco.clone(),
            opening: self.opening.clone(),
            total: Tally::default(),
            moves: Vec::new(),
            games: Vec::new(),
            classes: self.classes.clone(),
        };
        entry.classes.retain(|(_, class, _)| is_wanted(class));
        for (code, _, tally) in &entry.classes {
            entry.total += tally.clone();
            entry.games.extend(tally.notable_games().map(|game| (*code, game.clone())));
            match entry.moves.last_mut() {
                Some((last, counts)) if last == code => *counts += tally.clone(),
                _ => entry.moves.push((*code, tally.clone())),
            }
        }
        sort_games(&mut entry.games);
        (!entry.classes.is_empty()).then_some(entry)
    }
}

/// Sorts notable games: the strongest one first, the first of equals.
fn sort_games(games: &mut [(MoveCode, NotableGame)]) {
    games.sort_by_key(|(code, game)| (Reverse(game.elo_sum), game.at, *code));
}

/// A position's counts before they are encoded.
pub(crate) struct EntryParts<'e> {
    pub(crate) eco: Option<&'e str>,
    pub(crate) opening: Option<&'e str>,
    pub(crate) moves: &'e [(MoveCode, Tally<GameInfoRef<'e>>)],
    /// The same in each class of games, if there are classes.
    pub(crate) classes: &'e [(MoveCode, Box<str>, Tally<GameInfoRef<'e>>)],
}

/// Longest name of an opening or a player in bytes; others are cut.
const LONGEST_NAME: usize = 255;

/// In bytes, for a position: a small file could name a long text often; ours name one thrice.
pub(super) const MOST_TEXT: usize = 4 * LARGEST;

/// The texts of a block, which entries refer to by number; 0 is the empty text.
pub(super) trait Texts {
    /// Returns the number of a text, which is added if it is new.
    fn number(&mut self, text: &str) -> u64;
}

pub(super) fn write_entry(entry: &EntryParts<'_>, texts: &mut impl Texts, out: &mut Vec<u8>) {
    for text in [entry.eco, entry.opening] {
        write_number(texts.number(cut(text.unwrap_or_default())), out);
    }
    write_number(entry.moves.len() as u64, out);
    let mut classes = entry.classes.chunk_by(|a, b| a.0 == b.0);
    for (code, tally) in entry.moves {
        out.extend_from_slice(&code.0.to_le_bytes());
        let Some(classes) = classes.next() else {
            write_counts(tally, texts, out);
            continue;
        };
        write_number(classes.len() as u64, out);
        for (_, class, tally) in classes {
            write_number(texts.number(class), out);
            write_counts(tally, texts, out);
        }
    }
}

fn cut(name: &str) -> &str {
    &name[..name.floor_char_boundary(LONGEST_NAME)]
}

/// Appends the counts of a move. Most are those of a single game, and follow from it.
fn write_counts(tally: &Tally<GameInfoRef<'_>>, texts: &mut impl Texts, out: &mut Vec<u8>) {
    let counts = tally.map_info(|_| ());
    if counts == Tally::of_one(counts.strongest) {
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
        out.push(*outcome as u8);
        for number in [*elo_sum, *year] {
            write_number(number.into(), out);
        }
        write_occurrence(at, out);
        for text in info.players() {
            write_number(texts.number(cut(text)), out);
        }
    }
}

pub(super) fn read_entry(
    key: PositionKey,
    has_classes: bool,
    texts: &[&str],
    mut bytes: &[u8],
) -> io::Result<ExplorerEntry> {
    let input = &mut bytes;
    let texts = &mut BlockTexts { texts, room: MOST_TEXT };
    let [eco, opening] = [texts.read(input)?, texts.read(input)?];
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut entry = ExplorerEntry {
        key,
        eco: given(eco),
        opening: given(opening),
        total: Tally::default(),
        moves: Vec::new(),
        games: Vec::new(),
        classes: Vec::new(),
    };
    for _ in 0..read_number(input)? {
        let (code, rest) = input.split_first_chunk().ok_or_else(damaged)?;
        *input = rest;
        let code = MoveCode(u16::from_le_bytes(*code));
        let mut counts = Tally::default();
        let classes = if has_classes { read_number(input)? } else { 1 };
        for _ in 0..classes {
            let class = if has_classes { Some(texts.read(input)?) } else { None };
            let tally = read_counts(code, texts, &mut entry.games, input)?;
            if let Some(class) = class {
                let class = GameClass::of_text(class).ok_or_else(damaged)?;
                entry.classes.push((code, class, tally.clone()));
            }
            counts += tally;
        }
        entry.total += counts.clone();
        entry.moves.push((code, counts));
    }
    sort_games(&mut entry.games);
    if bytes.is_empty() { Ok(entry) } else { Err(damaged()) }
}

/// Reads the counts of a move, and appends its notable games.
fn read_counts(
    code: MoveCode,
    texts: &mut BlockTexts<'_>,
    games: &mut Vec<(MoveCode, NotableGame)>,
    input: &mut &[u8],
) -> io::Result<Tally> {
    let number = read_number(input)?;
    if number == 0 {
        let game = read_game(texts, input)?;
        games.push((code, game.clone()));
        return Ok(Tally::of_one(game));
    }
    let mut tally = Tally { games: number, ..Tally::default() };
    let Tally { white, draws, black, rated, rating_sum, .. } = &mut tally;
    for sum in [white, draws, black, rated, rating_sum] {
        *sum = read_number(input)?;
    }
    (tally.first_year, tally.last_year) = (read_small(input)?, read_small(input)?);
    tally.first = read_occurrence(input)?;
    let start = games.len();
    for _ in 0..read_number(input)? {
        games.push((code, read_game(texts, input)?));
    }
    let mut notable = games[start..].iter().map(|(_, game)| game.clone());
    tally.strongest = notable.next().ok_or_else(damaged)?;
    // Other programs may write more.
    tally.latest = notable.next();
    Ok(tally)
}

fn read_game(texts: &mut BlockTexts<'_>, input: &mut &[u8]) -> io::Result<NotableGame> {
    Ok(NotableGame {
        outcome: Outcome::of_number(read_byte(input)?).ok_or_else(damaged)?,
        elo_sum: read_small(input)?,
        year: read_small(input)?,
        at: read_occurrence(input)?,
        info: GameInfo {
            white: texts.read(input)?.into(),
            black: texts.read(input)?.into(),
            ..GameInfo::default()
        },
    })
}

/// The texts of a block, for one position.
struct BlockTexts<'b> {
    texts: &'b [&'b str],
    /// How many bytes of text the position may still have.
    room: usize,
}

impl<'b> BlockTexts<'b> {
    fn read(&mut self, input: &mut &[u8]) -> io::Result<&'b str> {
        let text = match read_small::<usize>(input)? {
            0 => "",
            number => self.texts.get(number - 1).copied().ok_or_else(damaged)?,
        };
        self.room = self.room.checked_sub(text.len()).ok_or_else(damaged)?;
        Ok(text)
    }
}
