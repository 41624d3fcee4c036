//! Parses the fields of a record (EPD 3), also with missing or superfluous spaces and with
//! characters that only look like ASCII, and detects the dialect.

use std::borrow::Cow;

use san::{FenError, Position, Setup};

use super::operations::{OperationRef, Operations};
use super::position::{Unread, position};
use super::record_ref::{ReadOptions, RecordRef};
use super::text::{Escapes, Token, is_blank};
use crate::diagnostic::{Blanks, EpdDiagnostic, EpdDiagnosticKind as Kind, Faults};
use crate::dialect::{Dialect, forms};
use crate::opcode::Opcode;
use crate::string::{is_look_alike, plain};

pub(super) struct Fields<'a> {
    pub(super) position: Position,
    pub(super) dialect: Dialect,
    pub(super) escapes: Escapes,
    pub(super) rest: Token<'a>,
}

#[inline]
pub(super) fn read<'a>(
    line: Token<'a>,
    words: [Token<'a>; 4],
    rest: Token<'a>,
    options: &ReadOptions,
    faults: Faults<'_>,
) -> Result<Fields<'a>, Unread> {
    let dialect = options.dialect;
    let [placement, side, castling, en_passant] = words;
    if let Some(command) = uci_command(line.text) {
        faults(EpdDiagnostic::new(line.at, command, Kind::Uci(command.to_owned())));
        return Err(Unread::Bad);
    }
    let looks_like_crafty = forms::is_placement(placement.text);
    let whole_placement = placement;
    let placement = match looks_like_crafty && matches!(dialect, None | Some(Dialect::Fen)) {
        true => without_final_slash(line, words, rest, faults),
        false => placement,
    };
    match dialect {
        _ if placement.text.len() < whole_placement.text.len() => {}
        None if looks_like_crafty => {
            faults(EpdDiagnostic::new(line.at, placement.text, Kind::Dialect(Dialect::Crafty)));
            return read_crafty(line, options, faults);
        }
        Some(Dialect::Crafty) if looks_like_crafty => return read_crafty(line, options, faults),
        Some(Dialect::Crafty) => {
            faults(EpdDiagnostic::new(line.at, placement.text, Kind::NotDialect(Dialect::Crafty)));
            return Err(Unread::Bad);
        }
        _ => {}
    }
    let (en_passant, mut rest) = last_field(line, en_passant, rest);
    let mut tokens = [placement, side, castling, en_passant];
    let mut setup = setup(&tokens, placement.text, en_passant.text);
    let respaced = if setup.is_ok() { None } else { read_respaced(line) };
    match respaced {
        None => blanks(line, &[whole_placement, side, castling, en_passant], rest, faults),
        Some((fields, placement, behind)) => {
            (tokens, rest) = (fields, behind);
            if let Some(at) = tokens[0].text.bytes().position(is_blank) {
                let at = tokens[0].at + at..tokens[0].at + at + 1;
                faults(EpdDiagnostic { at, kind: Kind::BlankInPlacement });
            }
            blanks(line, &tokens, rest, faults);
            setup = self::setup(&tokens, &placement, tokens[3].text);
        }
    }
    let setup = setup.as_mut().map_err(|error| *error);
    Ok(Fields {
        position: position(line, tokens, setup, options, faults)?,
        dialect: dialect.unwrap_or_default(),
        escapes: Escapes::of(dialect),
        rest,
    })
}

#[inline]
fn setup(fields: &[Token<'_>; 4], placement: &str, square: &str) -> Result<Setup, FenError> {
    let turn = match fields[1].text {
        "W" => "w",
        "B" => "b",
        text => text,
    };
    Setup::from_fields([placement, turn, fields[2].text, square])
}

/// Removes it from a FEN with two counters: the form of Crafty has such a slash, but no counters.
#[cold]
fn without_final_slash<'a>(
    line: Token<'a>,
    words: [Token<'a>; 4],
    rest: Token<'a>,
    faults: Faults<'_>,
) -> Token<'a> {
    let [placement, side, castling, en_passant] = words;
    let (pieces, slash) = placement.split_at(placement.text.len() - 1);
    let (en_passant, rest) = last_field(line, en_passant, rest);
    let has_counters = forms::clocks(rest).is_some_and(|clocks| clocks.fullmoves.is_some());
    let tokens = [pieces, side, castling, en_passant];
    if !has_counters || setup(&tokens, pieces.text, en_passant.text).is_err() {
        return placement;
    }
    faults(slash.fault(Kind::FinalSlash));
    pieces
}

/// The field may end at a semicolon, at a table's comma, or at a label or comment unspaced.
#[inline]
fn last_field<'a>(line: Token<'a>, field: Token<'a>, rest: Token<'a>) -> (Token<'a>, Token<'a>) {
    // Nearly all fields are these.
    if matches!(field.text.as_bytes(), b"-" | [b'a'..=b'h', b'3' | b'6']) {
        return (field, rest);
    }
    match field.text.bytes().position(|b| b";,|[{(<\"/#".contains(&b)) {
        Some(len) => (field.split_at(len).0, line.skip(field.at + len - line.at)),
        None => (field, rest),
    }
}

/// Returns the length of the fields of a record that this program wrote, in any form.
pub fn fields_len(record: &str) -> usize {
    let record = Token { at: 0, text: record };
    let (placement, mut rest) = record.split_word();
    if forms::is_placement(placement.text) {
        return forms::fields(record).rest.at;
    }
    for _ in 0..3 {
        rest = rest.split_word().1;
    }
    // Clocks, and the check counts of Three-check. An opcode begins with a letter.
    while rest.text.starts_with(|c: char| !c.is_ascii_alphabetic()) {
        rest = rest.split_word().1;
    }
    rest.at
}

/// Divides a record that this program wrote into its fields and operations.
pub fn divided(record: &str) -> (&str, impl Iterator<Item = OperationRef<'_>>) {
    let (fields, rest) = Token { at: 0, text: record }.split_at(fields_len(record));
    let operations = Operations::new(rest, Escapes::of(Some(Dialect::Standard)));
    (fields.text.trim_end(), operations.filter(OperationRef::is_real))
}

pub(super) fn tail(record: &mut RecordRef<'_>, dialect: Option<Dialect>, faults: Faults<'_>) {
    use Dialect::{Fen, Label, Perft, Perl};
    let rest = record.rest;
    let found = |record: &mut RecordRef<'_>, found, at: Token<'_>, faults: Faults<'_>| {
        if dialect.is_none() {
            record.dialect = found;
            let text = at.split_word().0.text;
            faults(EpdDiagnostic::new(at.at, text, Kind::Dialect(found)));
        }
    };
    let clocks = match dialect {
        None | Some(Fen | Perft | Label) => forms::clocks(rest),
        Some(_) => None,
    };
    if let Some(clocks) = clocks {
        let (halfmoves, fullmoves) = clocks.read(faults);
        record.position.set_clocks(halfmoves, fullmoves);
        (record.has_clocks, record.rest) = (true, clocks.rest);
    }
    let is_label = forms::is_label(record.rest.text, record.has_clocks)
        && matches!(dialect, None | Some(Label));
    let is_perft = is_perft(record.rest.text) && matches!(dialect, None | Some(Perft));
    if is_label {
        found(record, Label, record.rest, faults);
        // Operations may follow after a semicolon.
        let (text, behind) = record.rest.split_at(forms::end(record.rest.text));
        match forms::read(text, record.position.turn()) {
            Ok(label) => record.label = Some((text.trim_end(), label)),
            Err((at, kind)) => faults(EpdDiagnostic { at, kind }),
        }
        let len = usize::from(!behind.is_empty());
        record.rest = behind.skip(len).trim_start();
    } else if is_perft {
        found(record, Perft, record.rest, faults);
        record.rest = record.rest.skip(1).trim_start();
    } else if record.has_clocks {
        found(record, Fen, rest, faults);
    }
    let missing = match dialect {
        Some(Fen) => !record.has_clocks,
        Some(Label) => !is_label,
        Some(Perft) => !is_perft,
        Some(Perl) => !record.rest.is_empty(),
        _ => false,
    };
    if let (true, Some(dialect)) = (missing, dialect) {
        faults(rest.fault(Kind::NotDialect(dialect)));
    }
}

/// `;D1 20`: a semicolon, then an operation.
fn is_perft(text: &str) -> bool {
    let behind = text.strip_prefix(';').map(str::trim_start).unwrap_or_default();
    let mut bytes = behind.bytes();
    matches!(bytes.next(), Some(b'D' | b'd')) && bytes.next().is_some_and(|b| b.is_ascii_digit())
}

fn uci_command(line: &str) -> Option<&str> {
    // Nearly no line is one, so avoid a function call for each.
    if !matches!(line.as_bytes(), [b'p', b'o', ..] | [b'f', b'e', ..]) {
        return None;
    }
    ["position fen", "position startpos", "fen "]
        .into_iter()
        .find(|command| line.starts_with(command))
        .map(|command| &line[..command.trim_end().len()])
}

#[cold]
fn read_crafty<'a>(
    line: Token<'a>,
    options: &ReadOptions,
    faults: Faults<'_>,
) -> Result<Fields<'a>, Unread> {
    let fields = forms::fields(line);
    let (placement, _) = line.split_word();
    let tokens = [placement, fields.side, fields.castling, fields.en_passant];
    let mut setup = setup(&tokens, &fields.placement, &fields.square);
    let setup = setup.as_mut().map_err(|error| *error);
    let position = position(line, tokens, setup, options, faults)?;
    // “"Trailing" empty squares are not listed explicitly, unless the entire rank is empty, in
    // which case an "8" is used.”
    if placement.text.starts_with('/') || placement.text.contains("//") {
        faults(placement.fault(Kind::EmptyRank));
    }
    if !fields.has_hyphen {
        faults(EpdDiagnostic::new(fields.rest.at, "", Kind::MissingHyphen));
    }
    let (dialect, escapes) = (Dialect::Crafty, Escapes::None);
    Ok(Fields { position, dialect, escapes, rest: fields.rest })
}

/// Reports the first place without exactly one space, between the fields and the text after them.
#[inline]
fn blanks(line: Token<'_>, fields: &[Token<'_>; 4], rest: Token<'_>, faults: Faults<'_>) {
    let mut end = fields[0].end();
    for next in [fields[1], fields[2], fields[3], rest] {
        if next.is_empty() {
            return;
        }
        // Nearly always one space.
        if next.at == end + 1 && line.text.as_bytes()[end - line.at] == b' ' {
            end = next.end();
            continue;
        }
        let between = &line.text[end - line.at..next.at - line.at];
        if let Some(kind) = Blanks::of(between) {
            return faults(EpdDiagnostic::new(end, between, Kind::Blanks(kind)));
        }
        end = next.end();
    }
}

impl Blanks {
    #[inline]
    pub(crate) fn of(between: &str) -> Option<Self> {
        match between {
            " " => None,
            "" => Some(Blanks::None),
            _ if between.contains('\t') => Some(Blanks::Tab),
            _ if between.contains(['=', ':']) => Some(Blanks::Sign),
            _ if between.bytes().any(|b| b != b' ') => Some(Blanks::Control),
            _ => Some(Blanks::Several),
        }
    }
}

// Recovers fields with missing or superfluous spaces: `- -1 12`, `wKQkq -`, `8/8/8/ 8/…`.

/// The fields as in the line, where the first may have spaces, the pieces without, and the rest.
type Respaced<'a> = ([Token<'a>; 4], String, Token<'a>);

/// Returns the fields of a line if its letters have exactly one reading, regardless of spaces.
#[cold]
pub(super) fn read_respaced(line: Token<'_>) -> Option<Respaced<'_>> {
    let (placement_token, placement, rest) = placement(line)?;
    let (side, rest) = take(rest.trim_start(), |text| {
        matches!(text.as_bytes().first()?, b'w' | b'b' | b'W' | b'B').then_some(1)
    })?;
    let (castling, rest) = take(rest.trim_start(), castling_len)?;
    let (en_passant, rest) = take(rest.trim_start(), |text| match text.as_bytes() {
        [b'-', ..] => Some(1),
        [b'a'..=b'h', b'3' | b'6', ..] => Some(2),
        _ => None,
    })?;
    // `K- -` may be a right and two hyphens, or contain one hyphen too many; `KQk-q` may be a
    // damaged field of rights.
    if rest.text.trim_start().starts_with('-') || !may_be_glued(rest) {
        return None;
    }
    Some(([placement_token, side, castling, en_passant], placement, rest.trim_start()))
}

/// Whether the text may follow the fields directly: a semicolon, both counters, a known opcode.
fn may_be_glued(rest: Token<'_>) -> bool {
    let word = rest.split_word().0.text;
    let word = &word[..word.find([';', '=', ':']).unwrap_or(word.len())];
    let has_counters = forms::clocks(rest).is_some_and(|clocks| clocks.fullmoves.is_some());
    word.is_empty() || has_counters || Opcode::from_name(word).is_some()
}

fn take<'a>(
    text: Token<'a>,
    len: impl Fn(&str) -> Option<usize>,
) -> Option<(Token<'a>, Token<'a>)> {
    len(text.text).map(|len| text.split_at(len))
}

/// File letters, which could be part of the en passant square, require a space after them.
fn castling_len(text: &str) -> Option<usize> {
    let run = |is_right: fn(u8) -> bool| text.bytes().take_while(|b| is_right(*b)).count();
    if text.starts_with('-') {
        return Some(1);
    }
    let files = run(|b| matches!(b.to_ascii_lowercase(), b'a'..=b'h' | b'k' | b'q'));
    let ends = text.as_bytes().get(files).is_some_and(|b| is_blank(*b));
    let sides = run(|b| matches!(b, b'K' | b'Q' | b'k' | b'q'));
    match (files, sides) {
        (files, _) if files > 0 && ends => Some(files),
        (_, sides) if sides > 0 => Some(sides),
        _ => None,
    }
}

/// Parses eight ranks of eight squares, between them a slash or a space; spaces may be anywhere.
fn placement(line: Token<'_>) -> Option<(Token<'_>, String, Token<'_>)> {
    let (mut placement, mut ranks, mut squares) = (String::new(), 0, 0);
    // Whether a slash, or at least a space, separates the next rank from the previous one.
    let (mut is_separated, mut has_solidus) = (true, true);
    for (at, byte) in line.text.bytes().enumerate() {
        match byte {
            _ if is_blank(byte) => is_separated = true,
            b'/' if squares == 0 && ranks > 0 && !has_solidus => {
                (is_separated, has_solidus) = (true, true)
            }
            _ if b"12345678PNBRQKpnbrqk".contains(&byte) => {
                if squares == 0 && !is_separated {
                    return None;
                }
                if squares == 0 && ranks > 0 {
                    placement.push('/');
                }
                squares += if byte.is_ascii_digit() { usize::from(byte - b'0') } else { 1 };
                placement.push(char::from(byte));
                if squares == 8 {
                    ranks += 1;
                    (squares, is_separated, has_solidus) = (0, false, false);
                }
                if ranks == 8 {
                    let (token, rest) = line.split_at(at + 1);
                    return Some((token, placement, rest));
                }
            }
            _ => return None,
        }
        if squares > 8 {
            return None;
        }
    }
    None
}

// Spaces, hyphens and invisible characters that word processors and web pages insert.

/// Replaces look-alikes outside of strings by the characters of ASCII that they stand for. Their
/// diagnostics, and those of the returned line, have the same columns as in the line itself, where
/// invisible characters have none.
///
/// ```
/// let mut said = Vec::new();
/// let line = "4k3/8/8/8/8/8/4P3/4K3 w – – id\u{a0}\"a – b\";";
/// let plain = epd::without_look_alikes(line, &mut |fault| said.push(fault.to_string()));
/// assert_eq!(plain, "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a – b\";");
/// assert_eq!(said, ["U+2013 outside of strings: read as a hyphen", "U+00A0 outside of strings: read as a space"]);
/// ```
pub fn without_look_alikes<'l>(
    line: &'l str,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Cow<'l, str> {
    if line.is_ascii() || !line.contains(is_look_alike) {
        return Cow::Borrowed(line);
    }
    let (mut text, mut in_string) = (String::with_capacity(line.len()), false);
    let mut told = None;
    for (at, c) in line.char_indices() {
        in_string ^= c == '"';
        // A byte order mark is reported by the reader.
        if in_string || (at, c) == (0, '\u{feff}') || !is_look_alike(c) {
            text.push(c);
            continue;
        }
        if told != Some(c) {
            faults(EpdDiagnostic::new(text.len(), "", Kind::LookAlike(c)));
            told = Some(c);
        }
        text.extend(plain(c));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the fields separated by single spaces, and the rest.
    fn respaced(line: &str) -> Option<(String, &str)> {
        let (tokens, placement, rest) = read_respaced(Token { at: 0, text: line })?;
        let [_, side, castling, en_passant] = tokens.map(|token| token.text);
        Some((format!("{placement} {side} {castling} {en_passant}"), rest.text))
    }

    #[test]
    fn fields_are_found_wherever_the_spaces_are() {
        const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3";
        let cases = [
            (format!("{KINGS} b - -1 12"), format!("{KINGS} b - -"), "1 12"),
            (format!("{KINGS} w -- bm e4;"), format!("{KINGS} w - -"), "bm e4;"),
            (format!("{KINGS} w - -bm e4;"), format!("{KINGS} w - -"), "bm e4;"),
            (format!("{KINGS}w - -"), format!("{KINGS} w - -"), ""),
            (format!("{KINGS} wKQkqe3 0 1"), format!("{KINGS} w KQkq e3"), "0 1"),
            (format!("{KINGS} w HAha e30 1"), format!("{KINGS} w HAha e3"), "0 1"),
            ("4k3/8/8/ 8/8 /8/4P3/4K3 w - -".to_owned(), format!("{KINGS} w - -"), ""),
            ("4k3 8 8 8 8 8 4P3 4K3 b - -".to_owned(), format!("{KINGS} b - -"), ""),
            ("4 k3/8/8/8/8/8/4P 3/4K3 b - -".to_owned(), format!("{KINGS} b - -"), ""),
        ];
        for (line, fields, rest) in cases {
            assert_eq!(respaced(&line), Some((fields, rest)), "{line}");
        }
    }

    #[test]
    fn what_has_no_reading_or_several_is_left_alone() {
        for line in [
            "4k3/8/8/8/8/8/4P3/4K3 w -",
            "4k3/8/8/8/8/8/4P3/4K3 - -",
            "4k3/8/8/8/8/8/4P3/4K3 white - -",
            "4k3/8/8/8/8/8/4P3/4K3 w K- -",
            "4k3/8/8/8/8/8/4P3 w - -",
            "4k38/8/8/8/8/8/4P3/4K3 w - -",
            "4k3//8/8/8/8/8/4P3/4K3 w - -",
            "4k3/8/8/8/8/8/4P3/4K3/8 w - -",
            "4k3/8/8/8/44p/8/8/4K3 w - -",
            "4k3/8/8/8/8/8/4P3/4K3 w ae3",
            // Rights, or what is left of them.
            "r3k2r/8/8/8/8/8/8/R3K2R b K-Qkq - D1 1; c0 \"sp\";",
            "r3k2r/8/8/8/8/8/8/R3K2R b KQk-q id \"sp\";",
            "r3k2r/8/8/8/8/8/8/R3K2R w Kk -2 eco \"10\";",
            "",
        ] {
            assert!(respaced(line).is_none(), "{line}");
        }
    }

    #[test]
    fn spaces_hyphens_and_invisible_characters_outside_of_strings_are_plain() {
        for (line, expected) in [
            ("w\u{2009}-\u{3000}-", "w - -"),
            ("bm e\u{200b}4\u{ad};", "bm e4;"),
            ("bm O\u{2011}O \u{2212};", "bm O-O -;"),
            ("c0 \"a\u{a0}\u{2014}b\";\u{a0}", "c0 \"a\u{a0}\u{2014}b\"; "),
            ("\u{feff}w", "\u{feff}w"),
            ("\u{a0}w", " w"),
            ("bm e4\u{37e} id x\u{ff1b}", "bm e4; id x;"),
            ("id M\u{fc}ller;", "id M\u{fc}ller;"),
        ] {
            assert_eq!(without_look_alikes(line, &mut |_| {}), expected, "{line}");
        }
    }
}
