//! Reads opening files; the format is detected from their text.

use std::borrow::Cow;
use std::fmt;

use epd::{EpdDiagnosticKind, Opcode, ReadOptions, Registers, Severity, TextLines, read_line};
use pgn::{Chunk, Place, Scanner, TagPair, Token, known_value, text_of};
use san::{Color, FenError, Position, PositionKey, SanError, Setup};

use crate::move_graph::{KnownLines, KnownNode, START};
use crate::name::Name;
use crate::table::{EnPassant, Openings};

/// An error in an opening file, and its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {reason}")]
pub struct LoadError {
    /// Line number, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
    /// The reason.
    pub reason: LoadReason,
}

/// Why an opening file was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum LoadReason {
    #[error(
        "unknown format of an opening table; supported are those of Lichess (eco, name, pgn), EPD records, PGN, .eco files of SCID, and CSV of code and EPD"
    )]
    Unknown,
    #[error("missing column {0}")]
    NoColumn(&'static str),
    #[error("this line has neither a code nor a name")]
    NoName,
    #[error("{token}: illegal: {error}")]
    Move { token: String, error: SanError },
    #[error("{0}")]
    Position(FenError),
    #[error("{0}")]
    Record(EpdDiagnosticKind),
    #[error("the name is not quoted")]
    NoQuotes,
    #[error("{0}")]
    Csv(String),
    #[error("{0}")]
    Text(pgn::PgnDiagnosticKind),
    #[error("{0}: neither a move nor a comment")]
    Token(String),
}

/// Formats of opening files.
///
/// Text is UTF-8 or else ISO 8859-1. Except in PGN, lines that begin with `#` are comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFormat {
    /// Tab-separated columns `eco`, `name` and `pgn`, as in the Lichess data set; a header line may
    /// give another order. Other columns are ignored.
    Tsv,
    /// EPD records with any of the operations `eco`, `nic`, `v0` to `v9`, read as registers that
    /// keep their value until an operation changes it (EPD 5.5, 5.12, 5.26). In a file without `v0`
    /// to `v9`, `c0` is the name. Positions without code and name are skipped.
    Epd,
    /// A PGN file with one line per game and the tags ECO, NIC, Opening, Variation, SubVariation,
    /// as supplied with pgn-extract. The final position of each game is named.
    Pgn,
    /// The format of SCID: code, quoted name, moves, `*`. Only the first three characters of a code
    /// (`B90a1`) are used, since the rest is specific to SCID.
    Scid,
    /// The tables of Perl's Chess::PGN::EPD: CSV of a code and four fields, for ECO codes, NIC
    /// codes or names, recognized by the first code. Rows whose position is not reachable by a move
    /// are skipped, because the module never finds them: the starting position, and positions with
    /// impossible castling rights.
    PerlCsv,
}

impl FileFormat {
    /// Detects the format of a file from its first lines.
    ///
    /// ```
    /// use openings::FileFormat;
    ///
    /// assert_eq!(FileFormat::of(b"eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\n"), Some(FileFormat::Tsv));
    /// assert_eq!(FileFormat::of(b"# SCID\nA00b \"Barnes Opening\"  1.f3 *\n"), Some(FileFormat::Scid));
    /// assert_eq!(FileFormat::of(b"Barnes Opening\n"), None);
    /// ```
    pub fn of(file: &[u8]) -> Option<FileFormat> {
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        let mut lines = ::epd::Lines::new(file).map(|line| line.bytes);
        let line = lines.find(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"))?;
        match line.trim_ascii_start() {
            [b'[' | b'{' | b';' | b'%', ..] => Some(FileFormat::Pgn),
            [b'"', ..] => Some(FileFormat::PerlCsv),
            _ if line.contains(&b'\t') => Some(FileFormat::Tsv),
            line if begins_entry(line) => Some(FileFormat::Scid),
            // A line that begins with eight ranks of pieces.
            line if line.split(|byte| *byte == b' ').next().is_some_and(|placement| {
                placement.iter().filter(|byte| **byte == b'/').count() == 7
            }) =>
            {
                Some(FileFormat::Epd)
            }
            [b'1', b'.', ..] => Some(FileFormat::Pgn),
            _ => None,
        }
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileFormat::Tsv => "TSV",
            FileFormat::Epd => "EPD",
            FileFormat::Pgn => "PGN",
            FileFormat::Scid => "SCID",
            FileFormat::PerlCsv => "CSV",
        })
    }
}

impl Openings {
    /// Reads an opening file as a layer over the existing names: its names take precedence, and all
    /// others are kept. If the file names a position twice, the later line takes precedence. Fails
    /// with the first error; names before it have been added.
    ///
    /// ```
    /// use openings::Openings;
    ///
    /// let mut openings = Openings::default();
    /// openings.layer(b"A00\tAmar Opening\t1. Nh3\n")?;
    /// let error = openings.layer(b"A00\tAmar Opening\t1. Nh4\n").unwrap_err();
    /// assert_eq!(error.to_string(), "1:21: Nh4: illegal: no white knight can reach h4");
    /// # Ok::<_, openings::LoadError>(())
    /// ```
    pub fn layer(&mut self, file: &[u8]) -> Result<FileFormat, LoadError> {
        let unknown = || LoadError { line: 1, column: 1, reason: LoadReason::Unknown };
        let format = FileFormat::of(file).ok_or_else(unknown)?;
        match format {
            FileFormat::Tsv => read_tsv(&text(file), self)?,
            FileFormat::Epd => read_epd(&text(file), self)?,
            FileFormat::Pgn => read_eco_pgn(file, self)?,
            FileFormat::Scid => read_scid(&text(file), self)?,
            FileFormat::PerlCsv => read_perl_csv(&text(file), self)?,
        }
        Ok(format)
    }
}

// Plays move sequences that share prefixes.

/// The previous line: a common prefix, three of four built-in plies, is not replayed.
struct Walk<'t> {
    /// The text of the line, as far as it is contiguous.
    text: &'t str,
    ends: Vec<usize>,
    /// One more than the number of moves.
    positions: Vec<(Position, KnownNode)>,
}

impl<'t> Walk<'t> {
    fn new() -> Self {
        Walk { text: "", ends: Vec::new(), positions: vec![(Position::default(), START)] }
    }

    /// Plays a line of moves; numbers are skipped. Returns `true` if it ends with a result.
    fn play(
        &mut self,
        line: &TableLine<'_>,
        text: &'t str,
        known: &mut KnownLines,
    ) -> Result<bool, LoadError> {
        let common = common_bytes(self.text.as_bytes(), text.as_bytes());
        // A longer word is a different move: `Nf3` and `Nf3+`.
        let goes_on = text.as_bytes().get(common).is_some_and(|byte| !byte.is_ascii_whitespace());
        let is_same = |end: &usize| *end < common || *end == common && !goes_on;
        let plies = self.ends.partition_point(is_same);
        let at = plies.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.ends.truncate(plies);
        self.positions.truncate(plies + 1);
        self.text = text;
        self.play_on(line, text, at, known)
    }

    fn play_on(
        &mut self,
        line: &TableLine<'_>,
        text: &'t str,
        start: usize,
        known: &mut KnownLines,
    ) -> Result<bool, LoadError> {
        for word in text[start..].split_ascii_whitespace() {
            let token = without_number(word);
            match token.as_bytes() {
                [] => {}
                [b'*' | b'0' | b'1', ..] if RESULTS.contains(&token) => return Ok(true),
                _ => {
                    let (mut position, node) = self.last().clone();
                    let next = san::resolve(&position, token.as_bytes()).map_err(|error| {
                        line.error_at(token, LoadReason::Move { token: token.to_owned(), error })
                    })?;
                    position.play_unchecked(next);
                    let node = known.go_on(node, next, || PositionKey::of(&position));
                    self.positions.push((position, node));
                    self.ends.push(token.as_ptr().addr() + token.len() - text.as_ptr().addr());
                }
            }
        }
        Ok(false)
    }

    fn last(&self) -> &(Position, KnownNode) {
        self.positions.last().expect("there is the start at least")
    }

    fn give_name(&self, name: Name, openings: &mut Openings) {
        let ply = self.ends.len() as u32;
        openings.insert(&self.last().0, Some(ply), EnPassant::WhereLegal, name);
    }
}

const RESULTS: [&str; 4] = ["*", "1-0", "0-1", "1/2-1/2"];

fn common_bytes(a: &[u8], b: &[u8]) -> usize {
    const PIECE: usize = size_of::<u64>();
    fn words(text: &[u8]) -> impl Iterator<Item = u64> {
        text.as_chunks().0.iter().map(|piece| u64::from_ne_bytes(*piece))
    }
    let pieces = words(a).zip(words(b));
    let start = PIECE * pieces.take_while(|(a, b)| a == b).count();
    start + a[start..].iter().zip(&b[start..]).take_while(|(a, b)| a == b).count()
}

/// Strips a move number: `1.e4`, `2...`.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let dots = word[digits..].bytes().take_while(|byte| *byte == b'.').count();
    // Digits without a dot are a number only if the word ends; otherwise they belong to a result or
    // to castling with zeros.
    if dots > 0 || digits == word.len() { &word[digits + dots..] } else { word }
}

// Lines of text with line numbers.

/// Decodes a file: UTF-8, or else ISO 8859-1.
fn text(file: &[u8]) -> Cow<'_, str> {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    pgn::text_of(file)
}

/// A line that is neither empty nor a comment.
#[derive(Clone, Copy, Debug)]
struct TableLine<'t> {
    number: u64,
    text: &'t str,
}

fn lines(text: &str) -> impl Iterator<Item = TableLine<'_>> {
    let lines = TextLines::new(text).map(|(number, text)| TableLine { number, text });
    lines.filter(|line| !line.text.trim().is_empty() && !line.text.starts_with('#'))
}

impl TableLine<'_> {
    fn error_at(&self, part: &str, reason: LoadReason) -> LoadError {
        let at = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let before = self.text.get(..at).unwrap_or_default();
        let column = 1 + before.chars().count() as u64;
        LoadError { line: self.number, column, reason }
    }

    fn error(&self, reason: LoadReason) -> LoadError {
        self.error_at(self.text, reason)
    }
}

// Tab-separated `eco`, `name` and `pgn`: the Lichess data set and the built-in table.

struct NameColumns {
    eco: Option<usize>,
    nic: Option<usize>,
    name: usize,
    pgn: usize,
}

const USUAL: NameColumns = NameColumns { eco: Some(0), nic: None, name: 1, pgn: 2 };

/// Typical length of a line, in bytes.
const TYPICAL_LINE: usize = 90;

fn read_tsv(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    let mut columns = USUAL;
    let mut walk = Walk::new();
    openings.entries.reserve(text.len() / TYPICAL_LINE);
    let mut fields = Vec::new();
    for (index, line) in lines(text).enumerate() {
        if index == 0
            && let Some(headed) = tsv_header(&line)?
        {
            columns = headed;
            continue;
        }
        fields.clear();
        fields.extend(line.text.split('\t').map(str::trim));
        let field = |column: usize| fields.get(column).copied();
        let needed =
            |column, called| field(column).ok_or_else(|| line.error(LoadReason::NoColumn(called)));
        let (opening, moves) = (needed(columns.name, "name")?, needed(columns.pgn, "pgn")?);
        let code = |column: Option<usize>| column.and_then(field).filter(|code| !code.is_empty());
        let name = Name::new(code(columns.eco), code(columns.nic), opening);
        if name == Name::default() {
            return Err(line.error(LoadReason::NoName));
        }
        walk.play(&line, moves, &mut openings.known_lines)?;
        walk.give_name(name, openings);
    }
    Ok(())
}

fn tsv_header(line: &TableLine<'_>) -> Result<Option<NameColumns>, LoadError> {
    let names: Vec<String> = line.text.split('\t').map(|c| c.trim().to_lowercase()).collect();
    let column = |any_of: &[&str]| names.iter().position(|name| any_of.contains(&&**name));
    let (name, pgn) = (column(&["name", "opening"]), column(&["pgn", "moves"]));
    if name.is_none() && pgn.is_none() {
        return Ok(None);
    }
    let missing = |called| move || line.error(LoadReason::NoColumn(called));
    Ok(Some(NameColumns {
        eco: column(&["eco"]),
        nic: column(&["nic"]),
        name: name.ok_or_else(missing("name"))?,
        pgn: pgn.ok_or_else(missing("pgn"))?,
    }))
}

// PGN files of openings: one line per game, with its name in the tags.

fn read_eco_pgn(file: &[u8], openings: &mut Openings) -> Result<(), LoadError> {
    let chunk = Chunk::whole(file);
    let mut scanner = Scanner::of_chunk(chunk);
    let error_at = |at: usize, reason| {
        let Place { line, column, .. } = chunk.place(at);
        LoadError { line, column, reason }
    };
    while scanner.next_game() {
        let start = scanner.game_start();
        let name = name_of(scanner.tags());
        let position = last_position(&mut scanner, &mut openings.known_lines)
            .map_err(|(at, why)| error_at(at, why))?;
        if let Some(fault) = scanner.diagnostics().find(|fault| fault.kind.loses_text()) {
            return Err(error_at(fault.span.start, LoadReason::Text(fault.kind)));
        }
        if name == Name::default() {
            return Err(error_at(start, LoadReason::NoName));
        }
        openings.insert(&position, Some(plies_before(&position)), EnPassant::WhereLegal, name);
    }
    match scanner.diagnostics().find(|fault| fault.kind.loses_text()) {
        Some(fault) => Err(error_at(fault.span.start, LoadReason::Text(fault.kind))),
        None => Ok(()),
    }
}

/// Returns the number of plies before this position, according to its move number.
fn plies_before(position: &Position) -> u32 {
    let moves = position.fullmoves().saturating_sub(1);
    moves.saturating_mul(2).saturating_add(u32::from(position.turn() == Color::Black))
}

fn name_of(tags: &[TagPair<'_>]) -> Name {
    let tag = |name: &[u8]| known_value(tags, name);
    let mut opening = tag(b"Opening").unwrap_or_default().into_owned();
    for (name, separator) in [(&b"Variation"[..], ": "), (b"SubVariation", ", ")] {
        if let Some(part) = tag(name) {
            opening += if opening.is_empty() { "" } else { separator };
            opening += &part;
        }
    }
    Name::new(tag(b"ECO").as_deref(), tag(b"NIC").as_deref(), &opening)
}

/// Adds its moves to `known` if it begins at the start; an error has the offset of its text.
fn last_position(
    scanner: &mut Scanner<'_>,
    known: &mut KnownLines,
) -> Result<Position, (usize, LoadReason)> {
    let fen = scanner.tags().iter().find(|tag| tag.name() == b"FEN").map(TagPair::value);
    let mut position = match &fen {
        Some(fen) => Position::from_fen(fen)
            .map_err(|error| (scanner.game_start(), LoadReason::Position(error)))?,
        None => Position::default(),
    };
    let mut node = (position == Position::default()).then_some(START);
    while let Some(token) = scanner.next_token() {
        if scanner.depth() > 0 {
            continue;
        }
        let at = scanner.token_span().start;
        match token {
            Token::Move(text) => {
                let next = san::resolve(&position, text).map_err(|error| {
                    (at, LoadReason::Move { token: text_of(text).into_owned(), error })
                })?;
                position.play_unchecked(next);
                node = node.map(|node| known.go_on(node, next, || PositionKey::of(&position)));
            }
            Token::Unknown(text) => {
                return Err((at, LoadReason::Token(text_of(text).into_owned())));
            }
            _ => {}
        }
    }
    Ok(position)
}

// EPD records that name positions: `eco`, `nic`, `v0` to `v9`, or `c0`.

/// Operations with moves are irrelevant here and are not checked.
fn epd_options() -> ReadOptions {
    ReadOptions { moves: false, ..ReadOptions::default() }
}

fn read_epd(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    let from_comments = !has_variation_names(text);
    // A record may give its names as changes to those of the previous record (EPD 5.26).
    let mut registers = Registers::default();
    for line in lines(text) {
        let mut wrong = None;
        let read = read_line(line.text, &epd_options(), &mut |fault| {
            // Other text names no opening.
            let is_text = matches!(fault.kind, EpdDiagnosticKind::FreeText(_));
            if fault.kind.severity() == Severity::Error && !is_text {
                wrong.get_or_insert(fault);
            }
        });
        if let Some(fault) = wrong {
            let part = line.text.get(fault.at.start..).unwrap_or_default();
            return Err(line.error_at(part, LoadReason::Record(fault.kind)));
        }
        if let epd::Line::Variant(_) = read {
            return Err(line.error(LoadReason::Record(EpdDiagnosticKind::Variant)));
        }
        let epd::Line::Record(record) = read else { continue };
        registers.read(&record);
        let name = epd_name(&registers, from_comments);
        if name != Name::default() {
            let ply = record.has_fullmove_number().then(|| plies_before(record.position()));
            openings.insert(record.position(), ply, EnPassant::WhereLegal, name);
        }
    }
    Ok(())
}

/// Whether any record has `v0` to `v9`; then `c0` is not an opening name.
fn has_variation_names(text: &str) -> bool {
    let is_variation = |opcode: Opcode| (Opcode::V0..=Opcode::V9).contains(&opcode);
    lines(text).any(|line| match read_line(line.text, &epd_options(), &mut |_| {}) {
        epd::Line::Record(record) => {
            record.operations().filter_map(|operation| operation.opcode()).any(is_variation)
        }
        _ => false,
    })
}

fn epd_name(registers: &Registers, from_comments: bool) -> Name {
    let mut opening = String::new();
    for (rank, part) in (0..10).filter_map(|rank| registers.variation(rank)).enumerate() {
        opening += match rank {
            0 => "",
            1 => ": ",
            _ => ", ",
        };
        opening += part;
    }
    if from_comments {
        opening += registers.comment(0).unwrap_or_default();
    }
    Name::new(registers.eco(), registers.nic(), &opening)
}

// The tables of Perl's Chess::PGN::EPD: `"B90","rnbqkb1r/… w KQkq -"`. That module looks up the
// text of a position, which has an en passant square after every two-square advance. Positions
// therefore match only if the preceding advance is the same.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PerlTable {
    Eco,
    Nic,
    Opening,
}

impl PerlTable {
    fn of(code: &str) -> Self {
        match code.as_bytes() {
            [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'] => PerlTable::Eco,
            [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', b'*' | b'/', ..] => PerlTable::Eco,
            [a, b, b' ', c, ..]
                if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_digit() =>
            {
                PerlTable::Nic
            }
            _ => PerlTable::Opening,
        }
    }

    fn name(self, code: &str) -> Name {
        match self {
            PerlTable::Eco => Name::new(Some(code), None, ""),
            PerlTable::Nic => Name::new(None, Some(code), ""),
            PerlTable::Opening => Name::new(None, None, code),
        }
    }
}

fn read_perl_csv(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .comment(Some(b'#'))
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut kind = None;
    for row in reader.records() {
        let row = row.map_err(|error| {
            let line = error.position().map_or(1, |at| line_at(text, at.byte()));
            error_in(line, LoadReason::Csv(error.to_string()))
        })?;
        let error =
            |reason| error_in(row.position().map_or(1, |at| line_at(text, at.byte())), reason);
        let (Some(code), Some(fields)) = (row.get(0), row.get(1)) else {
            return Err(error(LoadReason::NoColumn("FEN")));
        };
        if (code, fields) == ("CODE", "FEN") {
            continue;
        }
        let kind = *kind.get_or_insert(PerlTable::of(code));
        if code.trim().is_empty() || kind != PerlTable::Opening && PerlTable::of(code) != kind {
            return Err(error(LoadReason::NoName));
        }
        if let Some(position) = position(fields).map_err(|why| error(LoadReason::Position(why)))? {
            openings.insert(&position, None, EnPassant::AsWritten, kind.name(code));
        }
    }
    Ok(())
}

/// `None` if no move leads to it, as the module requires: the starting position, or
/// one with castling rights but no rook, as in some rows of the module's tables.
fn position(fields: &str) -> Result<Option<Position>, FenError> {
    let mut setup = Setup::from_fen(fields.as_bytes())?;
    match setup.position() {
        Ok(position) => Ok(Some(position).filter(|position| *position != Position::default())),
        Err(_) => {
            setup.repair();
            setup.position().map(|_| None)
        }
    }
}

/// The row begins at offset `byte`; the preceding line end may not be counted yet.
fn line_at(text: &str, byte: u64) -> u64 {
    let (before, row) = text.split_at(byte as usize);
    let ends = |text: &str| text.matches('\n').count();
    let blank = row.len() - row.trim_start().len();
    1 + ends(before) as u64 + ends(&row[..blank]) as u64
}

fn error_in(line: u64, reason: LoadReason) -> LoadError {
    LoadError { line, column: 1, reason }
}

// The `.eco` files of SCID: `B90a "Sicilian: Najdorf" 1.e4 c5 … *`, over one or several lines.

/// Whether a line begins an entry: a code, a space, a quote.
fn begins_entry(line: &[u8]) -> bool {
    let end = line.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(line.len());
    let (code, rest) = line.split_at(end);
    // SCID extends a code by a letter and an optional digit.
    matches!(code, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', more @ ..]
        if matches!(more, [] | [b'a'..=b'z'] | [b'a'..=b'z', b'0'..=b'9']))
        && rest.trim_ascii_start().first() == Some(&b'"')
}

fn read_scid(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    let mut walk = Walk::new();
    let mut open: Option<Name> = None;
    for line in lines(text) {
        let ended = if begins_entry(line.text.trim_start().as_bytes()) {
            end_entry(&mut open, &walk, openings);
            let (code, rest) = line.text.trim_start().split_at(3);
            let mut quoted = rest.splitn(3, '"').skip(1);
            let (Some(opening), Some(behind)) = (quoted.next(), quoted.next()) else {
                return Err(line.error(LoadReason::NoQuotes));
            };
            open = Some(Name::new(Some(code), None, opening));
            walk.play(&line, behind, &mut openings.known_lines)?
        } else if open.is_some() {
            walk.text = "";
            walk.play_on(&line, line.text, 0, &mut openings.known_lines)?
        } else {
            return Err(line.error(LoadReason::NoName));
        };
        if ended {
            end_entry(&mut open, &walk, openings);
        }
    }
    end_entry(&mut open, &walk, openings);
    Ok(())
}

fn end_entry(open: &mut Option<Name>, walk: &Walk<'_>, openings: &mut Openings) {
    if let Some(name) = open.take() {
        walk.give_name(name, openings);
    }
}

#[cfg(test)]
mod tests {
    use super::lines;
    use super::*;

    #[test]
    fn what_two_lines_have_in_common_is_played_once_and_is_the_same() {
        let text = "1. e4 e5 2. Nf3\n1. e4 e5 2.Nc3 * Nf6\n1. e4\n\n1. d4 d5 2. c4\n1. d4 d5 2. c4 e6\n1. d4 d5 2. c4 e6\n";
        let (mut walk, mut known) = (Walk::new(), KnownLines::default());
        let mut fens = Vec::new();
        for line in lines(text) {
            walk.play(&line, line.text, &mut known).unwrap();
            fens.push(format!("{} {}", walk.last().0, walk.ends.len()));
        }
        assert_eq!(
            fens,
            [
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 3",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 2 3",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 1",
                "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq c3 0 2 3",
                "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3 4",
                "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3 4",
            ]
        );
    }

    #[test]
    fn a_move_that_is_longer_is_another_one() {
        let (mut walk, mut known) = (Walk::new(), KnownLines::default());
        for (text, target) in
            [("1. e4 c5 2. N", false), ("1. e4 c5 2. Nf3", true), ("1. e4 c5 2. Nf3d", false)]
        {
            let line = lines(text).next().unwrap();
            assert_eq!(walk.play(&line, text, &mut known).is_ok(), target, "{text}");
        }
    }

    #[test]
    fn numbers_are_told_from_castling() {
        assert_eq!(without_number("12."), "");
        assert_eq!(without_number("12"), "");
        assert_eq!(without_number("..."), "");
        assert_eq!(without_number("12...Nf6"), "Nf6");
        assert_eq!(without_number("0-0-0"), "0-0-0");
        assert_eq!(without_number("1-0"), "1-0");
        assert_eq!(without_number("e4"), "e4");
    }
}
