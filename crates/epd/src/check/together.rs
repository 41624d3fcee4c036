//! Checks evaluations, mates and best moves against the position and each other (EPD 5.3 to 5.7).

use std::collections::HashSet;

use san::{Position, resolve, san_of};

use crate::centipawns::{Centipawns, Mate};
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::diagnostic::{EpdDiagnostic, Faults};
use crate::opcode::Opcode;
use crate::read::operands::MoveTexts;
use crate::read::text::Token;

#[derive(Default)]
pub(crate) struct Verdicts<'a> {
    /// `ce`.
    pub(crate) evaluation: Option<(Token<'a>, Centipawns)>,
    /// `dm`.
    pub(crate) mate: Option<(Token<'a>, i64)>,
    /// The operands of `bm`.
    pub(crate) best: Option<Token<'a>>,
    avoided: Option<MoveTexts<'a>>,
}

impl<'a> Verdicts<'a> {
    #[inline]
    pub(crate) fn set(&mut self, opcode: Opcode, operands: Token<'a>) {
        match opcode {
            Opcode::Bm => self.best = Some(operands),
            Opcode::Am => self.avoided = Some(MoveTexts::of(operands)),
            _ => {}
        }
    }

    #[inline]
    pub(crate) fn check(&self, position: &Position, is_played: bool, faults: Faults<'_>) {
        if let Some((at, ce)) = self.evaluation {
            evaluation(position, at, ce, faults);
        }
        if let Some((at, dm)) = self.mate {
            self.mate(position, at, dm, faults);
        }
        if let (Some(best), Some(avoided)) = (self.best, self.avoided) {
            best_and_avoided(position, MoveTexts::of(best), avoided, is_played, faults);
        }
    }

    /// “The number of fullmoves until checkmate is to be delivered by the active color” (EPD 5.7).
    fn mate(&self, position: &Position, at: Token<'_>, dm: i64, faults: Faults<'_>) {
        if !position.has_legal_move() {
            let end = if position.is_check() { "checkmate" } else { "stalemate" };
            faults(EpdDiagnostic::of(at, EpdDiagnosticKind::NoMateToDeliver(end)));
            return;
        }
        // “A winning mate in N fullmoves […] has a corresponding centipawn evaluation of (32767 –
        // ((2 * N) – 1))” (EPD 5.6).
        let expected = dm.checked_mul(2).map(|plies| 32768 - plies);
        if let (Some((_, ce)), Some(expected)) = (self.evaluation, expected)
            && ce.mate().is_some()
            && i64::from(ce.get()) != expected
        {
            faults(EpdDiagnostic::of(at, EpdDiagnosticKind::MatesDiffer { dm, ce, expected }));
        }
    }
}

/// Checks the parity of mates, and evaluations of positions in which the game is over (EPD 5.6).
#[inline]
fn evaluation(position: &Position, at: Token<'_>, ce: Centipawns, faults: Faults<'_>) {
    let is_possible = match ce.mate() {
        Some(Mate::Gives { plies }) => plies % 2 == 1,
        Some(Mate::Gets { plies }) => plies % 2 == 0,
        None => true,
    };
    if !is_possible {
        faults(EpdDiagnostic::of(at, EpdDiagnosticKind::MateParity { ce }));
    }
    let is_over = !position.has_legal_move();
    let is_checkmate = is_over && position.is_check();
    if is_checkmate || ce.is_illegal_position() {
        // In a checkmate this is the limit of mates in fewer and fewer plies.
        match (is_checkmate, ce.is_illegal_position()) {
            (true, true) => {}
            (true, false) => {
                faults(EpdDiagnostic::of(at, EpdDiagnosticKind::CheckmateEvaluated { ce }));
            }
            (false, _) => faults(EpdDiagnostic::of(at, EpdDiagnosticKind::LegalPosition { ce })),
        }
        return;
    }
    if ce.get() == 0 {
        return;
    }
    // “A stalemate position has a centipawn evaluation of zero as does a position drawn due to
    // insufficient mating material.”
    let reason = if position.is_insufficient_material() {
        "insufficient material"
    } else if is_over {
        "stalemate"
    } else {
        return;
    };
    faults(EpdDiagnostic::of(at, EpdDiagnosticKind::DrawnPosition { ce, reason }));
}

/// Reports the first move that is both best and “to be avoided” (EPD 5.3, 5.4).
#[cold]
fn best_and_avoided<'a>(
    position: &Position,
    best: MoveTexts<'a>,
    avoided: MoveTexts<'a>,
    is_played: bool,
    faults: Faults<'_>,
) {
    let san = |text: &'a str| match resolve(position, text.as_bytes()) {
        Ok(next) if is_played => san_of(position, next).to_string(),
        _ => text.to_owned(),
    };
    let best: HashSet<String> = best.map(san).collect();
    if let Some(both) = avoided.tokens().find(|token| best.contains(&san(token.text))) {
        let kind = EpdDiagnosticKind::BestAndAvoided(both.text.to_owned());
        faults(EpdDiagnostic::of(both, kind));
    }
}
