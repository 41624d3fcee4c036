//! Writes entries as records and labels.

use ::epd::{Centipawns, OperationWriter};
use emit::{Label, LabelForm, evaluation_of, plain_score_of};
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
        DecodedForm::Label(form) => label(entry, form, evaluation, buffer),
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

fn label(
    entry: &Entry,
    form: LabelForm,
    evaluation: Option<Centipawns>,
    buffer: &mut Buffer,
) -> bool {
    let position = &entry.position;
    let evaluation = match (form, evaluation) {
        (LabelForm::Plain, Some(evaluation)) => {
            plain_score_of(evaluation).map(|score| score.get().into())
        }
        (_, Some(evaluation)) if form.needs_evaluation() => Some(i64::from(evaluation.get())),
        _ if form.needs_evaluation() => return false,
        _ => None,
    };
    let turn = position.turn();
    let Some(label) = Label::new(outcome(entry.result), evaluation, turn) else { return false };
    match (form, entry.played) {
        (LabelForm::C9, _) => {
            let mut line = buffer.line();
            write_fields(position, STYLE, &mut line);
            line.finish();
            OperationWriter::new("c9", buffer).string(outcome(entry.result).as_str()).end();
            buffer.extend(b"\n");
        }
        (LabelForm::Plain, None) => return false,
        (LabelForm::Plain, Some(played)) => {
            buffer.extend(b"fen ");
            fen(position, buffer);
            let (score, ply) = (evaluation.unwrap_or_default(), entry.ply);
            let result = i32::from(entry.result.halves(turn)) - 1;
            let move_text = position.uci_of(played);
            let lines =
                format!("\nmove {move_text}\nscore {score}\nply {ply}\nresult {result}\ne\n");
            buffer.extend(lines.as_bytes());
        }
        _ => {
            fen(position, buffer);
            label.write(form, buffer);
        }
    }
    true
}
