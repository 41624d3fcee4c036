//! Detection of the language in which a game is written.

use pgn::{Scanner, Token};
use san::{Language, Position, SanError};

use super::Replay;
use crate::problem::Reason;

/// State of the game when read in one language.
struct Reading {
    language: Language,
    position: Position,
}

impl Replay<'_> {
    /// Sets the language of the game: the one in the plan, or else the one in which all moves of
    /// the main line are legal. English takes precedence; two other languages that read different
    /// moves are a problem.
    ///
    /// Returns `true` if moves in plain SAN may be resolved directly, without regard to other
    /// languages or to notes.
    pub(super) fn find_language(&mut self, start: &Position) -> bool {
        self.language = match self.plan.language {
            Some(language) => language,
            None => match detect(&self.scanner, start, self.plan.null_moves) {
                Ok(language) => language,
                Err((first, second)) => {
                    let at = self.scanner.position();
                    self.problem(at, at, None, Reason::Language { first, second });
                    Language::English
                }
            },
        };
        self.language == Language::English && !self.plan.notes
    }
}

impl Replay<'_> {
    /// Counts a game whose main line ends at a move that is legal in another language than English.
    #[cold]
    pub(super) fn count_foreign(&mut self, position: &Position, text: &[u8], why: &Reason) {
        let is_foreign = *why == Reason::Move(SanError::NotAMove)
            && self.outer.is_empty()
            && self.plan.language == Some(Language::English)
            && Language::all().any(|language| san::resolve_in(position, text, language).is_ok());
        self.counts.foreign_games += u64::from(is_foreign);
    }
}

/// Detects the language of a game; two languages that read it differently are an error.
fn detect(
    scanner: &Scanner<'_>,
    start: &Position,
    null_moves: bool,
) -> Result<Language, (Language, Language)> {
    let reads = |languages: &mut dyn Iterator<Item = Language>| {
        readings(scanner.clone(), start, null_moves, languages)
    };
    let english = reads(&mut std::iter::once(Language::English))?;
    match english {
        Some(language) => Ok(language),
        None => Ok(reads(&mut Language::all().skip(1))?.unwrap_or_default()),
    }
}

/// Returns the first language that makes the main line legal; another reading is an error.
fn readings(
    mut scanner: Scanner<'_>,
    start: &Position,
    null_moves: bool,
    languages: &mut dyn Iterator<Item = Language>,
) -> Result<Option<Language>, (Language, Language)> {
    let mut readings: Vec<Reading> =
        languages.map(|language| Reading { language, position: start.clone() }).collect();
    // Readings that differ are an error only if both reach the end of the game.
    let mut differ = false;
    while let Some(token) = scanner.next_token() {
        let Token::Move(text) = token else { continue };
        if scanner.depth() > 0 {
            continue;
        }
        readings.retain_mut(|Reading { language, position }| {
            match san::resolve_in(position, text, *language) {
                Ok(next) => position.play_unchecked(next),
                Err(SanError::NullMove) if null_moves => return position.pass(),
                Err(_) => return false,
            }
            true
        });
        let Some((first, others)) = readings.split_first() else { return Ok(None) };
        differ = others.iter().any(|other| other.position != first.position);
    }
    match &readings[..] {
        [] => Ok(None),
        [first, others @ ..] => match others.iter().find(|o| o.position != first.position) {
            Some(other) if differ => Err((first.language, other.language)),
            _ => Ok(Some(first.language)),
        },
    }
}
