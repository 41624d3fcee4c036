//! User options that determine what is counted, and how.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use ::book::{EvaluationRange, EvaluationView, PositionFilter, Queens};
use emit::{Fact, OnError, Plan, Select};
use openings::NameSource;
use stream::ordered::Threads;

use crate::options::Options;
use emit::Filter;

/// Selects the games and positions to count.
///
/// ```
/// use pgn2epd::book::{BookOptions, Choice, Counting, EpdOps, Form, Style, write_book};
///
/// let games = b"1. e4 e5 1-0\n1. e4 c5 0-1\n1. d4 d5 *\n";
/// let options = BookOptions { last_ply: 1, ..BookOptions::default() };
/// let mut counting = Counting::new(&options, ["games.pgn"]);
/// counting.input("games.pgn", &games[..], &mut ())?;
///
/// let choice = Choice { min_games: 2, ..Choice::default() };
/// let style = Style { form: Form::Epd, ops: EpdOps::None, names: None };
/// let mut book = Vec::new();
/// write_book(counting.finish(), &choice, &style, options.memory, &options.temp_dir, &mut book)?;
/// assert_eq!(
///     String::from_utf8(book)?,
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
///      rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n",
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookOptions {
    /// Counts only games and positions for which this filter holds.
    pub filter: Option<Filter>,
    /// The first ply of a game to count; 0 is the starting position.
    pub first_ply: u32,
    /// The last ply to count. Later moves of a game are not played.
    pub last_ply: u32,
    /// Within the window, counts only the final position of a game.
    pub only_final: bool,
    /// Whether positions of variations are counted.
    pub variations: bool,
    /// Counts only positions with these queens.
    pub queens: Option<Queens>,
    /// Excludes checkmates.
    pub no_mate: bool,
    /// Excludes positions in which the side to move is in check.
    pub no_check: bool,
    /// The minimum and maximum number of pieces, including kings and pawns.
    pub pieces: Option<(u32, u32)>,
    /// Counts only positions with an evaluation in this range: from an engine comment or, in a file
    /// of positions, `ce`. Positions without an evaluation do not count.
    pub eval: Option<EvaluationRange>,
    /// Counts only the first position of each game that meets all other options.
    pub once_per_game: bool,
    /// Whether the moves of the strongest game are kept, as needed for a book in PGN.
    pub moves: bool,
    /// What to do with a game that has an error.
    pub on_error: OnError,
    /// Maximum size of a game in bytes; a larger game is an error.
    pub max_game_bytes: usize,
    /// Number of worker threads; `None` for one per core.
    pub jobs: Option<NonZeroUsize>,
    /// Memory limit for counting, in bytes.
    pub memory: usize,
    /// The directory for temporary files.
    pub temp_dir: PathBuf,
}

impl Default for BookOptions {
    fn default() -> Self {
        let Options { on_error, max_game_bytes, plies, .. } = Options::default();
        BookOptions {
            filter: None,
            first_ply: plies.first,
            last_ply: plies.last,
            only_final: false,
            variations: false,
            queens: None,
            no_mate: false,
            no_check: false,
            pieces: None,
            eval: None,
            once_per_game: false,
            moves: false,
            on_error,
            max_game_bytes,
            jobs: None,
            memory: 1 << 30,
            temp_dir: std::env::temp_dir(),
        }
    }
}

impl BookOptions {
    /// Returns the threads of a run with these options, which the merge of [`Source::Parts`] needs too.
    ///
    /// [`Source::Parts`]: super::Source::Parts
    pub fn threads(&self) -> Threads {
        Threads::new(Options::default().jobs(self.jobs).workers())
    }

    pub(super) fn plan(&self) -> Plan {
        let whole = self.only_final || self.variations;
        let facts = self.filter.as_ref().map(Filter::facts).unwrap_or_default();
        let needs_next = self.eval.is_some() || facts.needs_comments();
        Plan {
            select: Select {
                first: self.first_ply,
                last: self.last_ply,
                only_final: self.only_final,
            },
            filter: self.filter.clone(),
            // The evaluation of the last position may follow the next move.
            last_played: match (whole, needs_next) {
                (true, _) => u32::MAX,
                (false, true) => self.last_ply.saturating_add(1),
                (false, false) => self.last_ply,
            },
            facts: self.eval.iter().map(|_| Fact::Eval).collect(),
            names: if facts.needs_names() { Options::default().names } else { NameSource::Off },
            variations: self.variations,
            on_error: self.on_error,
            max_game_bytes: self.max_game_bytes,
            ops: emit::Ops::NONE,
            ..Plan::default()
        }
    }

    pub(super) fn wanted(&self) -> PositionFilter {
        PositionFilter {
            queens: self.queens,
            no_mate: self.no_mate,
            no_check: self.no_check,
            pieces: self.pieces,
            eval: self.eval,
            once_per_game: self.once_per_game,
            moves: self.moves,
            variations: self.variations,
        }
    }

    /// Returns all options that affect the counts, as text.
    pub(super) fn counted(&self) -> String {
        let mut text = format!("plies {}..{}", self.first_ply, self.last_ply);
        if self.last_ply == u32::MAX {
            text = format!("plies {}..", self.first_ply);
        }
        let mut add = |part: String| text = format!("{text}, {part}");
        if let Some(filter) = &self.filter {
            add(format!("where {filter}"));
        }
        if self.only_final {
            add("last".into());
        }
        if self.variations {
            add("variations".into());
        }
        if let Some(queens) = self.queens {
            add(format!("queens {}", if queens == Queens::Both { "both" } else { "any" }));
        }
        if self.no_mate {
            add("no mate".into());
        }
        if self.no_check {
            add("no check".into());
        }
        if let Some((least, most)) = self.pieces {
            add(format!("pieces {least}..{most}"));
        }
        if let Some(EvaluationRange { least, most, view }) = self.eval {
            let view = match view {
                EvaluationView::Mover => "the side to move",
                EvaluationView::White => "White",
            };
            add(format!("eval {least}..{most} in the view of {view}"));
        }
        if self.once_per_game {
            add("once per game".into());
        }
        if self.moves {
            add("moves".into());
        }
        if self.on_error != OnError::Keep {
            add(format!(
                "on error {}",
                if self.on_error == OnError::Skip { "skip" } else { "stop" }
            ));
        }
        text
    }
}
