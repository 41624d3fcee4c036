//! Generates any number of legal games from a seed, in the styles of real files.
//!
//! Playing a random game is far slower than writing it. Therefore a generator plays a few hundred
//! games once (`pool`), and then writes prefixes of them, each time with different tags, clocks and
//! comments. It is faster than any reader, and still covers the difficult cases: castling, en
//! passant, promotions, checks, mates and moves that need disambiguation.
//!
//!
//! ```
//! use testkit::generate::{Generator, Style};
//!
//! let mut games = Vec::new();
//! let mut generator = Generator::new(Style::Lichess, 42);
//! generator.append_game(&mut games);
//! assert!(games.starts_with(b"[Event "));
//! ```

mod annotated;
mod chess960;
mod cutechess;
mod engine;
mod lichess;
mod plain;
mod pool;
mod reader;
mod records;
mod tags;
mod variations;
mod wrap;

use std::collections::BTreeMap;
use std::io::Read;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

pub use records::records;

use crate::rng::Rng;
use pool::{Pool, Start};

/// The style of generated games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Style {
    /// The seven tag roster, ratings and ECO; movetext in lines of 80 columns, moves only.
    Plain,
    /// Lichess database: one long line, evaluations and clocks in comments, `1...` after each
    /// comment.
    Lichess,
    /// TCEC archive: hundreds of bytes of engine output after each move.
    Engine,
    /// A match of engines played by cutechess: `{+0.25/12 0.300s}` after each move, as in data for
    /// training.
    Cutechess,
    /// Annotated book: nested variations, NAGs, `!?`, comments over several lines, `;` comments.
    Annotated,
    /// Chess960 from all 960 start positions, with X-FEN castling rights, otherwise like
    /// [`Style::Plain`].
    Chess960,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 6] = [
        Style::Plain,
        Style::Lichess,
        Style::Engine,
        Style::Cutechess,
        Style::Annotated,
        Style::Chess960,
    ];

    /// Returns the name in lower case, as parsed by [`FromStr`].
    pub fn name(self) -> &'static str {
        match self {
            Style::Plain => "plain",
            Style::Lichess => "lichess",
            Style::Engine => "engine",
            Style::Cutechess => "cutechess",
            Style::Annotated => "annotated",
            Style::Chess960 => "chess960",
        }
    }
}

impl FromStr for Style {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Style::ALL.into_iter().find(|style| style.name() == name.to_ascii_lowercase()).ok_or_else(
            || {
                let names = Style::ALL.map(Style::name).join(", ");
                format!("no style {name:?}; there are {names}")
            },
        )
    }
}

/// Writes games one by one. The same style and seed give the same bytes.
#[derive(Clone, Debug)]
pub struct Generator {
    style: Style,
    rng: Rng,
    pool: Arc<Pool>,
}

/// Generators that were made, since tests need the same ones again and again.
static MADE: Mutex<BTreeMap<(Style, u64), Generator>> = Mutex::new(BTreeMap::new());

impl Generator {
    /// Creates a generator. The first one of a style and seed plays the games of the pool, which
    /// takes most of a second without optimization.
    pub fn new(style: Style, seed: u64) -> Self {
        let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(generator) = made().get(&(style, seed)) {
            return generator.clone();
        }
        let generator = Generator::play_pool(style, seed);
        made().insert((style, seed), generator.clone());
        generator
    }

    fn play_pool(style: Style, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let start = if style == Style::Chess960 { Start::Chess960 } else { Start::Standard };
        let mut pool = Pool::play(&mut rng, start);
        if style == Style::Annotated {
            pool.add_variations(&mut rng);
        }
        Self { style, rng, pool: Arc::new(pool) }
    }

    /// Appends one game, with the empty line that separates it from the next.
    pub fn append_game(&mut self, out: &mut Vec<u8>) {
        let part = self.pool.draw(&mut self.rng);
        match self.style {
            Style::Plain | Style::Chess960 => plain::append(&part, &mut self.rng, out),
            Style::Lichess => lichess::append(&part, &mut self.rng, out),
            Style::Engine => engine::append(&part, &mut self.rng, out),
            Style::Cutechess => cutechess::append(&part, &mut self.rng, out),
            Style::Annotated => annotated::append(&part, &mut self.rng, out),
        }
        out.push(b'\n');
    }

    /// Returns a stream of games that ends with the game in which `bytes` is reached. Memory use is
    /// independent of `bytes`.
    pub fn reader(style: Style, seed: u64, bytes: u64) -> impl Read {
        reader::GameReader::new(Generator::new(style, seed), bytes)
    }

    /// Like [`Generator::reader`], as text in memory; for small amounts.
    pub fn text(style: Style, seed: u64, bytes: u64) -> Vec<u8> {
        let mut text = Vec::new();
        // Reading from a `GameReader` cannot fail.
        Self::reader(style, seed, bytes).read_to_end(&mut text).expect("memory can be read");
        text
    }
}

/// Appends a decimal number; `write!` is too slow, since numbers are most of a game besides moves.
fn append_number(number: u32, out: &mut Vec<u8>) {
    let mut digits = [0; 10];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends a number with at least two digits.
fn append_two_digits(number: u32, out: &mut Vec<u8>) {
    if number < 10 {
        out.push(b'0');
    }
    append_number(number, out);
}

/// Appends a signed number of hundredths, the format of evaluations by engines and servers:
/// `-0.35`.
fn append_hundredths(number: i32, out: &mut Vec<u8>) {
    if number < 0 {
        out.push(b'-');
    }
    append_number(number.unsigned_abs() / 100, out);
    out.push(b'.');
    append_two_digits(number.unsigned_abs() % 100, out);
}

#[cfg(test)]
mod tests;
