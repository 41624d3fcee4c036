//! Checks that moves in operands are legal and written canonically.

use san::{AnyPosition, SanError};

use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::diagnostic::{EpdDiagnostic, Faults};
use crate::opcode::Opcode;
use crate::read::operands::MoveTexts;
use crate::read::text::Token;

#[derive(Clone, Copy, Debug)]
pub(crate) struct First<'a, M> {
    pub(crate) token: Token<'a>,
    /// The move, or `None` if it is illegal or was not played.
    next: Option<M>,
}

impl<M: Copy + PartialEq> First<'_, M> {
    /// Whether both are one move, or only one can be played; if neither can, by their text.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self.next, other.next) {
            (Some(one), Some(other)) => one == other,
            _ => {
                bare(self.token.text) == bare(other.token.text)
                    || self.next.is_some() != other.next.is_some()
            }
        }
    }
}

fn bare(text: &str) -> &str {
    text.trim_end_matches(['+', '#', '!', '?'])
}

/// Checks moves that are all played in the position; several must be in ASCII order.
#[inline]
pub(crate) fn set<'a, P: AnyPosition>(
    position: &P,
    opcode: Opcode,
    texts: MoveTexts<'a>,
    is_played: bool,
    faults: Faults<'_>,
) -> Option<First<'a, P::Move>> {
    let mut first = None;
    let mut before: Option<Token<'a>> = None;
    for token in texts.tokens() {
        let next = if is_played { check(position, token, faults) } else { None };
        first.get_or_insert(First { token, next });
        match before.map(|before| before.text.cmp(token.text)) {
            Some(std::cmp::Ordering::Greater) => {
                let kind = EpdDiagnosticKind::MovesOrder(token.text.to_owned(), opcode);
                faults(EpdDiagnostic::of(token, kind));
                // Reports only the first.
                before = None;
                continue;
            }
            Some(std::cmp::Ordering::Equal) => {
                let kind = EpdDiagnosticKind::RepeatedMove(token.text.to_owned());
                faults(EpdDiagnostic::of(token, kind));
            }
            _ => {}
        }
        before = Some(token);
    }
    first
}

/// Checks moves played in sequence. After an illegal move the rest is not checked.
#[inline]
pub(crate) fn line<'a, P: AnyPosition>(
    position: &P,
    texts: MoveTexts<'a>,
    is_played: bool,
    faults: Faults<'_>,
) -> Option<First<'a, P::Move>> {
    let mut words = texts.tokens();
    let token = words.next()?;
    if !is_played {
        return Some(First { token, next: None });
    }
    let next = check(position, token, faults);
    let first = Some(First { token, next });
    let Some(next) = next else { return first };
    let mut position = position.clone();
    position.play_unchecked(next);
    for token in words {
        let Some(next) = check(&position, token, faults) else { break };
        position.play_unchecked(next);
    }
    first
}

#[inline]
fn check<P: AnyPosition>(position: &P, token: Token<'_>, faults: Faults<'_>) -> Option<P::Move> {
    match position.resolve(token.text.as_bytes()) {
        Ok(next) => {
            let san = position.san_of(next);
            if san.as_bytes() != token.text.as_bytes() {
                let (token_text, san) = (token.text.to_owned(), san.to_string());
                let kind = EpdDiagnosticKind::NotCanonical { token: token_text, san };
                faults(EpdDiagnostic::of(token, kind));
            }
            Some(next)
        }
        Err(reason) => {
            illegal(token, reason, faults);
            None
        }
    }
}

#[cold]
fn illegal(token: Token<'_>, reason: SanError, faults: Faults<'_>) {
    let kind = EpdDiagnosticKind::IllegalMove { token: token.text.to_owned(), reason };
    faults(EpdDiagnostic::of(token, kind));
}
