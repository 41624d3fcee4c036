//! Puzzles of Lichess: `PuzzleId,FEN,Moves,Rating,…`.

use epd::{Opcode, Operand, Record, legal_string};
use san::Position;

use super::{Found, LineFault, line_of};

/// The columns, as in the first line of the file.
const COLUMNS: [&str; 10] = [
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
];

/// Reads a line: the position after the first move, with the solution; `None` for the names of the columns.
///
/// # Errors
///
/// Returns the place in the line, in bytes, and the fault.
pub(crate) fn read(line: &str) -> Result<Option<Found>, (usize, LineFault)> {
    if line.starts_with("PuzzleId,") {
        return Ok(None);
    }
    let mut at = 0;
    let mut columns = line.split(',').map(|text| {
        let start = at;
        at += text.len() + 1;
        (start, text)
    });
    let mut column = |name| columns.next().ok_or((line.len(), LineFault::Column(name)));
    let [id, fen, moves] = [column("PuzzleId")?, column("FEN")?, column("Moves")?];
    let mut position = Position::from_fen(fen.1).map_err(|error| (fen.0, LineFault::Fen(error)))?;
    let illegal = |error| (moves.0, LineFault::Move(error));
    let mut texts = moves.1.split(' ');
    let first = texts.next().unwrap_or_default();
    position.play_unchecked(san::resolve(&position, first.as_bytes()).map_err(illegal)?);
    let (solution, played, error) = line_of(&position, texts);
    error.map_or(Ok(()), |error| Err(illegal(error)))?;
    let mut found = Found::new(Record::with_clocks(position));
    found.played = played;
    let id = legal_string(id.1).into_owned();
    found.set(Opcode::Id, Operand::Text(id));
    found.set(Opcode::Bm, Operand::Moves(solution.iter().take(1).cloned().collect()));
    found.set(Opcode::Pv, Operand::Moves(solution));
    for (name, (_, text)) in COLUMNS.into_iter().skip(3).zip(columns) {
        if text.is_empty() {
            continue;
        }
        found.tags.push((name, text.to_owned()));
        let is_number = text.parse::<i64>().is_ok();
        let operand =
            if is_number { text.to_owned() } else { format!("\"{}\"", legal_string(text)) };
        // A private opcode begins with a capital letter (EPD 4.2). What cannot be an operand is a tag only.
        let _ = found.record.set_other(name, &operand);
    }
    Ok(Some(found))
}
