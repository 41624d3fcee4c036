//! Stockfish's .plain: entries as lines of text, `fen`, `move`, `score`, `ply`, `result` and `e`.

use std::io::{self, BufRead, BufReader, Read};

use san::{FenError, Position, PositionKey, SanError};

use crate::entry::{Entry, GameResult, Score};

const LONGEST_LINE: usize = 1 << 16;

/// Reads the entries of a text. A damaged one is an error, after which the others follow.
///
/// ```
/// use training::PlainEntries;
///
/// let text = "fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 9\nmove e2e4\nscore 35\nply 16\nresult 1\ne\n\
///             fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 9\nmove e2e5\nscore 35\nply 16\nresult 1\ne\n";
/// let mut entries = PlainEntries::new(text.as_bytes());
/// assert_eq!(entries.next().unwrap()?.ply, 16);
/// assert_eq!(entries.next().unwrap().unwrap_err().to_string(), "line 8: move e2e5: no white pawn on e2 can reach e5");
/// assert!(entries.next().is_none());
/// # Ok::<_, training::PlainError>(())
/// ```
#[derive(Debug)]
pub struct PlainEntries<R> {
    read: BufReader<R>,
    /// The number of the last line, and of bytes up to its end.
    line: u64,
    bytes: u64,
    buffer: Vec<u8>,
    /// The ply and the position after the last entry.
    after: Option<(u32, Position)>,
    is_over: bool,
}

/// An error in an entry.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct PlainError {
    /// The line, from 1.
    pub line: u64,
    /// The kind of fault.
    pub fault: PlainFault,
}

/// The kind of fault of an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum PlainFault {
    #[error("fen: {0}")]
    Fen(FenError),
    #[error("move {0}: {1}")]
    Move(String, SanError),
    #[error("{0} {1:?}: a number is needed")]
    Number(&'static str, String),
    #[error("{0:?} is not a line of an entry: fen, move, score, ply, result or e")]
    Line(String),
    #[error("the entry ends without {0}")]
    Missing(&'static str),
    /// No entry follows.
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

/// The fields of an entry, as far as they were read.
#[derive(Default)]
struct PlainFields {
    position: Option<Position>,
    played: Option<(u64, String)>,
    score: Option<i16>,
    ply: Option<u32>,
    result: Option<i8>,
}

impl<R: Read> PlainEntries<R> {
    /// Reads a text.
    pub fn new(read: R) -> Self {
        let (line, bytes, buffer, after, is_over) = Default::default();
        PlainEntries { read: BufReader::new(read), line, bytes, buffer, after, is_over }
    }

    /// Returns the number of bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes
    }

    /// Reads the next line, without its end; returns `false` at the end.
    fn next_line(&mut self) -> io::Result<bool> {
        self.buffer.clear();
        let most = LONGEST_LINE as u64;
        let len = (&mut self.read).take(most).read_until(b'\n', &mut self.buffer)?;
        if len == LONGEST_LINE && !self.buffer.ends_with(b"\n") {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a line is longer than 64 KiB"));
        }
        self.line += u64::from(len > 0);
        self.bytes += len as u64;
        Ok(len > 0)
    }

    /// Reads up to the end of an entry; returns its first fault, or `None` at the end of the text.
    fn read_entry(&mut self) -> Option<Result<Entry, PlainError>> {
        let (mut fields, mut fault, mut is_begun) = (PlainFields::default(), None, false);
        loop {
            match self.next_line() {
                Ok(true) => {}
                Ok(false) if is_begun => {
                    let error = |fault| PlainError { line: self.line, fault };
                    return Some(Err(fault.unwrap_or_else(|| error(PlainFault::Missing("e")))));
                }
                Ok(false) => return None,
                Err(error) => {
                    self.is_over = true;
                    let fault = PlainFault::Unreadable(error.to_string());
                    return Some(Err(PlainError { line: self.line + 1, fault }));
                }
            }
            let text = String::from_utf8_lossy(&self.buffer);
            match text.trim_start_matches('\u{feff}').trim() {
                "" => continue,
                "e" => break,
                text => {
                    is_begun = true;
                    if let Err(found) = fields.read(self.line, text) {
                        fault.get_or_insert(PlainError { line: self.line, fault: found });
                    }
                }
            }
        }
        Some(match fault {
            Some(fault) => Err(fault),
            None => fields.entry(self.line),
        })
    }
}

impl<R: Read> Iterator for PlainEntries<R> {
    type Item = Result<Entry, PlainError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let mut entry = match self.read_entry()? {
            Ok(entry) => entry,
            Err(error) => {
                self.after = None;
                return Some(Err(error));
            }
        };
        // Some programs write en passant squares only if a pawn can capture.
        let identity = |position: &Position| {
            (PositionKey::of(position), position.halfmoves(), position.fullmoves())
        };
        let continues = |(ply, after): &(u32, Position)| {
            *ply == entry.ply && identity(after) == identity(&entry.position)
        };
        entry.is_start = !self.after.as_ref().is_some_and(continues);
        self.after = entry.played.map(|played| {
            let mut after = entry.position.clone();
            after.play_unchecked(played);
            (entry.ply + 1, after)
        });
        Some(Ok(entry))
    }
}

impl PlainFields {
    fn read(&mut self, line: u64, text: &str) -> Result<(), PlainFault> {
        let (name, value) = text.split_once(' ').unwrap_or((text, ""));
        let value = value.trim();
        fn number<T: std::str::FromStr>(
            name: &'static str,
            text: &str,
        ) -> Result<Option<T>, PlainFault> {
            text.parse().map(Some).map_err(|_| PlainFault::Number(name, text.to_owned()))
        }
        match name {
            "fen" => self.position = Some(Position::from_fen(value).map_err(PlainFault::Fen)?),
            "move" => self.played = Some((line, value.to_owned())),
            "score" => self.score = number("score", value)?,
            "ply" => self.ply = number("ply", value)?,
            "result" => self.result = number("result", value)?,
            _ => return Err(PlainFault::Line(text.chars().take(40).collect())),
        }
        Ok(())
    }

    fn entry(self, line: u64) -> Result<Entry, PlainError> {
        let missing = |name| PlainError { line, fault: PlainFault::Missing(name) };
        let position = self.position.ok_or_else(|| missing("fen"))?;
        let (move_line, text) = self.played.ok_or_else(|| missing("move"))?;
        let played = san::resolve(&position, text.as_bytes()).map_err(|error| PlainError {
            line: move_line,
            fault: PlainFault::Move(text, error),
        })?;
        let result = self.result.ok_or_else(|| missing("result"))?;
        let number =
            || PlainError { line, fault: PlainFault::Number("result", result.to_string()) };
        let halves = u8::try_from(result + 1).map_err(|_| number())?;
        Ok(Entry {
            score: Score::of_raw(self.score.ok_or_else(|| missing("score"))?),
            ply: self.ply.ok_or_else(|| missing("ply"))?,
            result: GameResult::of_halves(halves, position.turn()).ok_or_else(number)?,
            played: Some(played),
            position,
            is_start: true,
        })
    }
}
