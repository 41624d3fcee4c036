//! What is counted, and how, as a user says it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use ::book::{Queens, Wanted};
use emit::{OnError, Plan, Select, Skip};

use crate::{Filter, Options};

/// Which positions of which games are counted, and how.
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
    /// Only games and positions for which this holds.
    pub filter: Option<Filter>,
    /// The first position of a game that counts, in plies: 0 is the start.
    pub first_ply: u32,
    /// The last position that counts, in plies. What comes behind it in a game is not played.
    pub last_ply: u32,
    /// Of these only the one that the game ends with.
    pub only_final: bool,
    /// Whether the positions of variations count too.
    pub variations: bool,
    /// Only positions with these queens.
    pub queens: Option<Queens>,
    /// No position in which somebody is mated.
    pub no_mate: bool,
    /// No position in which the side to move is in check.
    pub no_check: bool,
    /// The least and the most pieces, with kings and pawns.
    pub pieces: Option<(u32, u32)>,
    /// The least and the greatest evaluation, in centipawns, in the view of the side to move: what engines wrote into comments,
    /// or in a book `ce`. A mate is 32767 less its plies. What has no evaluation is left out.
    pub eval: Option<(i32, i32)>,
    /// Whether the moves of the strongest game are kept: a book in PGN needs them.
    pub moves: bool,
    /// What is done with a game that has an error.
    pub on_error: OnError,
    /// A game larger than this, in bytes, is an error.
    pub max_game_bytes: usize,
    /// Threads that work; `None` for as many as there are cores.
    pub jobs: Option<NonZeroUsize>,
    /// How much memory counting may take, in bytes.
    pub memory: usize,
    /// Where temporary files go.
    pub temp_dir: PathBuf,
}

impl Default for BookOptions {
    fn default() -> Self {
        let Options { on_error, max_game_bytes, first_ply, last_ply, .. } = Options::default();
        BookOptions {
            filter: None,
            first_ply,
            last_ply,
            only_final: false,
            variations: false,
            queens: None,
            no_mate: false,
            no_check: false,
            pieces: None,
            eval: None,
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
    pub(super) fn plan(&self) -> Plan {
        let whole = self.only_final || self.variations;
        Plan {
            select: Select {
                first: self.first_ply,
                last: self.last_ply,
                only_final: self.only_final,
            },
            filter: self.filter.clone(),
            // What the last position is worth may be said behind the next move.
            last_played: match (whole, self.eval) {
                (true, _) => u32::MAX,
                (false, Some(_)) => self.last_ply.saturating_add(1),
                (false, None) => self.last_ply,
            },
            skip: Skip { outside: self.eval, ..Skip::default() },
            variations: self.variations,
            on_error: self.on_error,
            max_game_bytes: self.max_game_bytes,
            ops: emit::Ops::NONE,
            ..Plan::default()
        }
    }

    pub(super) fn wanted(&self) -> Wanted {
        Wanted {
            queens: self.queens,
            no_mate: self.no_mate,
            no_check: self.no_check,
            pieces: self.pieces,
            eval: self.eval,
            moves: self.moves,
            variations: self.variations,
        }
    }

    /// All that makes a difference to the counts, as text.
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
        if let Some((least, most)) = self.eval {
            add(format!("eval {least}..{most}"));
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
