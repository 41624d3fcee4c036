//! Sets up the start of a game and reports problems with it.

use pgn::{PgnDiagnosticKind, Scanner, Span, Token};
use san::{Language, Position, SanError, VariantPosition};

use super::Replay;
use crate::problem::Reason;
use crate::start;

pub(super) enum GameBeginning {
    Chess,
    Variant(Box<VariantPosition>),
    Nowhere,
}

impl Replay<'_> {
    /// `position` holds the starting position of chess. A start that is not valid is a problem.
    #[inline]
    pub(super) fn start(&mut self, position: &mut Position, takes_variants: bool) -> GameBeginning {
        let has_faults = !self.scanner.pending_diagnostics().is_empty();
        if start::is_usual(self.scanner.tags()) && !has_faults {
            return GameBeginning::Chess;
        }
        self.unusual_start(position, takes_variants)
    }

    #[inline(never)]
    fn unusual_start(&mut self, position: &mut Position, takes_variants: bool) -> GameBeginning {
        if let Some((span, name)) = self.hidden_tag() {
            self.problem(span.start, span.end, None, Reason::HiddenTag { name });
            return GameBeginning::Nowhere;
        }
        let mut warnings = Vec::new();
        let mut warn = |index, reason| warnings.push((index, reason));
        let outcome = start::position(self.scanner.tags(), self.plan.strict, &mut warn);
        let variant = match outcome {
            Err((_, Reason::Variant)) if takes_variants => {
                Some(start::variant(self.scanner.tags(), warn))
            }
            _ => None,
        };
        for (index, reason) in warnings {
            self.tag_problem(index, reason);
        }
        if let Some(Ok(position)) = variant {
            return GameBeginning::Variant(Box::new(position));
        }
        match variant.and_then(Result::err).map_or(outcome, Err) {
            Ok(start) => {
                *position = start;
                GameBeginning::Chess
            }
            Err((index, reason)) => {
                let value = self.scanner.tags()[index].value();
                let is_here =
                    reason == Reason::Variant && VariantPosition::variant_named(&value).is_some();
                let reason = if is_here { Reason::VariantHere } else { reason };
                self.tag_problem(index, reason);
                GameBeginning::Nowhere
            }
        }
    }

    pub(super) fn hidden_tag(&self) -> Option<(Span, &'static str)> {
        // Text before the game may be in another chunk.
        let is_between = |kind| {
            use PgnDiagnosticKind::{LooseTag, MalformedTag, TextBetweenTags};
            matches!(kind, LooseTag | MalformedTag | TextBetweenTags)
        };
        let faults = self.scanner.pending_diagnostics().iter();
        faults.filter(|fault| is_between(fault.kind)).find_map(|fault| {
            let text = &self.chunk.bytes()[fault.span.range()];
            // A tag in other form may have another position: [CurrentPosition "…""].
            let has_fen = fault.kind != PgnDiagnosticKind::LooseTag && pgn::has_placement(text);
            let tags = self.scanner.tags();
            let name = start::hidden_tag(tags, text);
            name.or((has_fen && !start::is_set_up(tags)).then_some("FEN"))
                .map(|name| (fault.span, name))
        })
    }

    #[cold]
    pub(super) fn explained(&self, why: Reason) -> Reason {
        let is_after_escaped_brace = || {
            let before = self.scanner.game_start()..self.scanner.token_span().start;
            self.chunk.bytes()[before].trim_ascii_end().ends_with(b"\\}")
        };
        match why {
            Reason::UnknownToken | Reason::Move(_) if is_after_escaped_brace() => {
                Reason::EscapedBrace
            }
            Reason::Move(_) if self.outer.is_empty() && self.is_last_position() => {
                Reason::FenIsLast
            }
            why => why,
        }
    }

    /// Whether the tags have the position that the moves lead to from the starting position.
    fn is_last_position(&self) -> bool {
        let tags = self.scanner.tags();
        let Ok(last) = start::position(tags, false, |_, _| {}) else { return false };
        let mut game = Scanner::new(&self.chunk.bytes()[self.scanner.game_start()..]);
        let mut position = Position::default();
        if start::is_usual(tags) || !game.next_game() {
            return false;
        }
        while let Some(token) = game.next_token() {
            match token {
                Token::Move(text) if game.depth() == 0 => match self.resolve(&position, text) {
                    Ok(next) => position.play_unchecked(next),
                    Err(_) => return false,
                },
                _ => {}
            }
        }
        let board = |position: &Position| position.to_string().split(' ').next().map(str::to_owned);
        position.turn() == last.turn() && board(&position) == board(&last)
    }
}

// Detection of the language in which a game is written.

struct LanguageReading {
    language: Language,
    position: Position,
}

impl Replay<'_> {
    /// That of the plan, or the one in which the main line is legal, English before others; two
    /// that read different moves are a problem. Returns whether plain SAN may be resolved directly.
    #[inline]
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

    #[cold]
    pub(super) fn count_foreign(&mut self, position: &Position, text: &[u8], why: &Reason) {
        let is_foreign = *why == Reason::Move(SanError::NotAMove)
            && self.outer.is_empty()
            && self.plan.language == Some(Language::English)
            && Language::all().any(|language| san::resolve_in(position, text, language).is_ok());
        self.counts.foreign_games += u64::from(is_foreign);
    }
}

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
    let mut readings: Vec<LanguageReading> =
        languages.map(|language| LanguageReading { language, position: start.clone() }).collect();
    while let Some(token) = scanner.next_token() {
        let Token::Move(text) = token else { continue };
        if scanner.depth() > 0 {
            continue;
        }
        readings.retain_mut(|LanguageReading { language, position }| {
            match san::resolve_in(position, text, *language) {
                Ok(next) => position.play_unchecked(next),
                Err(SanError::NullMove) if null_moves => return position.pass(),
                Err(_) => return false,
            }
            true
        });
        if readings.is_empty() {
            return Ok(None);
        }
    }
    // Readings that differ are an error only if both reach the end of the game.
    let Some((first, others)) = readings.split_first() else { return Ok(None) };
    match others.iter().find(|other| other.position != first.position) {
        Some(other) => Err((first.language, other.language)),
        None => Ok(Some(first.language)),
    }
}
