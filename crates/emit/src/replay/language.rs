//! Which language a game is written in, where that is to be found out.

use pgn::{Scanner, Token};
use san::{Language, Position, SanError};

use super::Replay;
use crate::problem::Reason;

/// A game as one language reads it.
struct Reading {
    language: Language,
    position: Position,
}

impl Replay<'_> {
    /// The language of the game that begins: the one that the plan names, or that in which all moves of the main line are
    /// legal. English comes before all others. Two languages that play different moves are no answer.
    /// `true` says that moves in plain SAN may be taken as they stand.
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

/// The language of a game; two that read it otherwise if there are such.
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

/// The first of the languages in which the whole main line is legal, if the others that are agree with it.
fn readings(
    mut scanner: Scanner<'_>,
    start: &Position,
    null_moves: bool,
    languages: &mut dyn Iterator<Item = Language>,
) -> Result<Option<Language>, (Language, Language)> {
    let mut readings: Vec<Reading> =
        languages.map(|language| Reading { language, position: start.clone() }).collect();
    // They were at one until they differ; which of them goes on to the end is known later.
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
