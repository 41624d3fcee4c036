//! Writes entries as records and labels.

use ::epd::{Centipawns, OperationWriter};
use emit::{LabelSource, evaluation_of};
use pgn::Outcome;
use san::{
    Buffer, CastlingStyle, EnPassantPolicy, FieldStyle, Position, san_of, write_fen, write_fields,
};
use training::{Entry, GameResult, ScoreUnit, TrainingFormat};

use super::form::DecodedForm;

/// The formats store an en passant square at most if a pawn can capture, so others are not written.
pub(super) const STYLE: FieldStyle =
    FieldStyle { castling: CastlingStyle::XFen, en_passant: EnPassantPolicy::Legal };

/// Returns the result in PGN.
pub(super) fn outcome(result: GameResult) -> Outcome {
    match result {
        GameResult::WhiteWins => Outcome::WhiteWins,
        GameResult::Draw => Outcome::Draw,
        GameResult::BlackWins => Outcome::BlackWins,
    }
}

/// Writes an entry; `false` if the form needs a score or a move that it lacks.
pub(super) fn write(
    entry: &Entry,
    format: TrainingFormat,
    form: DecodedForm,
    unit: ScoreUnit,
    buffer: &mut Buffer,
) -> bool {
    let evaluation = evaluation_of(entry.score, unit, &entry.position);
    match form {
        DecodedForm::Label(form) => {
            let source = LabelSource {
                position: &entry.position,
                played: entry.played,
                ply: entry.ply.into(),
                outcome: outcome(entry.result),
                evaluation,
            };
            source.write(form, STYLE, buffer).is_some()
        }
        DecodedForm::Fen | DecodedForm::Pgn => {
            fen(&entry.position, buffer);
            buffer.extend(b"\n");
            true
        }
        DecodedForm::Epd => {
            let mut line = buffer.line();
            write_fields(&entry.position, STYLE, &mut line);
            line.finish();
            operations(entry, format, evaluation, buffer);
            buffer.extend(b"\n");
            true
        }
    }
}

pub(super) fn fen(position: &Position, buffer: &mut Buffer) {
    let mut line = buffer.line();
    write_fen(position, STYLE, &mut line);
    line.finish();
}

fn number(name: &str, value: i64, buffer: &mut Buffer) {
    OperationWriter::new(name, buffer).word(value.to_string()).end();
}

fn operations(
    entry: &Entry,
    format: TrainingFormat,
    evaluation: Option<Centipawns>,
    buffer: &mut Buffer,
) {
    OperationWriter::new("c9", buffer).string(outcome(entry.result).as_str()).end();
    if let Some(evaluation) = evaluation {
        number("ce", evaluation.get().into(), buffer);
    }
    if format != TrainingFormat::Bulletformat {
        number("fmvn", entry.position.fullmoves().into(), buffer);
        number("hmvc", entry.position.halfmoves().into(), buffer);
    }
    if let Some(played) = entry.played {
        OperationWriter::new("sm", buffer).word(san_of(&entry.position, played).as_str()).end();
    }
}
