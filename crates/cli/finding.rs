//! Problems for programs.

use pgn2epd::Problem;
use pgn2epd::epd::EpdDiagnosticKind;
use pgn2epd::game::Severity;
use serde::Serialize;

/// A problem; as JSON a line of `--report`.
#[derive(Debug, Default, Serialize)]
pub struct Finding<'a> {
    file: Option<&'a str>,
    /// The byte from which lines and games are counted, if it is not the beginning of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u64>,
    line: Option<u64>,
    column: Option<u64>,
    byte: Option<u64>,
    game: Option<u64>,
    white: Option<&'a str>,
    black: Option<&'a str>,
    site: Option<&'a str>,
    round: Option<&'a str>,
    #[serde(rename = "move")]
    move_number: Option<String>,
    token: Option<&'a str>,
    severity: &'static str,
    kind: &'static str,
    reason: String,
}

impl<'a> Finding<'a> {
    /// Creates it for a problem of a text that begins at the byte `from` of a file.
    pub fn of(file: &'a str, from: u64, problem: &'a Problem) -> Self {
        Finding {
            file: Some(file),
            from: Some(from).filter(|from| *from > 0),
            line: Some(problem.place.line),
            column: Some(problem.place.column),
            byte: Some(from + problem.place.byte),
            game: Some(problem.game).filter(|game| *game > 0),
            white: problem.identity.white.as_deref(),
            black: problem.identity.black.as_deref(),
            site: problem.identity.site.as_deref(),
            round: problem.identity.round.as_deref(),
            move_number: problem.move_number.map(|number| number.to_string()),
            token: Some(&problem.token),
            severity: problem.severity().as_str(),
            kind: problem.reason.kind(),
            reason: problem.reason.to_string(),
        }
    }

    /// Creates it for what concerns the record with this number, or none.
    pub(super) fn of_run(
        record: Option<u64>,
        severity: Severity,
        kind: &'static str,
        reason: String,
    ) -> Self {
        let severity = severity.as_str();
        Finding { line: record, severity, kind, reason, ..Finding::default() }
    }

    /// Creates it for a fault of a record, which is in a line of a file, or comes from none.
    pub fn of_record(
        place: Option<(&'a str, u64)>,
        column: u64,
        token: &'a str,
        kind: &EpdDiagnosticKind,
    ) -> Self {
        Finding {
            file: place.map(|(file, _)| file),
            line: place.map(|(_, line)| line),
            column: Some(column),
            token: Some(token),
            severity: kind.severity().as_str(),
            kind: kind.name(),
            reason: kind.to_string(),
            ..Finding::default()
        }
    }
}
