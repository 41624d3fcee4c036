//! Lines that are not records of the standard: labeled lines for tuning, the six fields of FEN, and
//! positions of HIARCS and early Crafty.

use std::borrow::Cow;
use std::ops::Range;

use san::{AnyPosition, Color, EnPassantPolicy, FieldStyle, Position, Rank, Square};

use crate::centipawns::Centipawns;
use crate::diagnostic::{EpdDiagnostic, EpdDiagnosticKind as Kind};
use crate::read::text::{Token, is_blank};

// Labeled lines for tuning: `<fields> [0.5]`, `<fields> [0.5] 12`, `<fields> | 35 | 0.5`,
// `<fields> | 35 | 0.5 | e2e4`, `<fields> | 0.5`, `<fields>;0.5`, `<fields>;35;0.5`,
// `<fields> 0.5`, `<fields> 35 0.5`, `<fields> "1/2-1/2"`, from White's point of view, and
// `<fields>,35,1` of c-chess-cli from that of the side to move.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LabelText<'a> {
    /// The result: `1-0`, `0-1` or `1/2-1/2`; for several games, White's mean score as written.
    pub(crate) result: Option<Cow<'a, str>>,
    pub(crate) score: Option<Centipawns>,
    pub(crate) played: Option<&'a str>,
}

impl LabelText<'_> {
    pub(crate) fn evaluation(&self, turn: Color) -> Option<Centipawns> {
        self.score.map(|score| if turn == Color::White { score } else { score.of_other_side() })
    }
}

/// `[`, `|`, a result, or a score and points; a score and a whole number may be clocks.
pub(crate) fn is_label(text: &str, has_clocks: bool) -> bool {
    let pair = |text| {
        pair(text).is_some_and(|_| {
            has_clocks
                || text.contains(['.', '/', '½', ';'])
                || text.ends_with("1-0")
                || text.ends_with("0-1")
        })
    };
    match text.as_bytes().first() {
        Some(b'[') => {
            let text = text[1..].trim_start();
            text.starts_with(|c: char| c.is_ascii_digit() || "+-.½".contains(c))
        }
        Some(b'|') => true,
        Some(b',') => with_commas(text, Color::White).is_some(),
        Some(b';') => alone(text).is_some() || pair(&text[..end(text)]),
        Some(b'"' | b'.' | b'0'..=b'9' | b'+' | b'-') | Some(0x80..) => {
            alone(text).is_some() || pair(text)
        }
        _ => false,
    }
}

/// Up to a semicolon that is not one of its own, before any operations.
pub(crate) fn end(text: &str) -> usize {
    let next = |from: usize| text[from..].find(';').map(|len| from + len);
    let Some(end) = next(usize::from(text.starts_with(';'))) else { return text.len() };
    match text.strip_prefix(';').and_then(|_| centipawns(text[1..end].trim())) {
        Some(_) => next(end + 1).unwrap_or(text.len()),
        None => end,
    }
}

/// An error has the offending part.
pub(crate) fn read(text: Token<'_>, turn: Color) -> Result<LabelText<'_>, (Range<usize>, Kind)> {
    let text = text.trim_end();
    let error = || (text.at..text.end(), Kind::BadLabel(text.text.to_owned()));
    let label = match text.text.as_bytes().first() {
        Some(b'[') => bracketed(&text.text[1..]),
        Some(b'|') => barred(text.text),
        Some(b',') => with_commas(text.text, turn),
        _ => alone(text.text).or_else(|| pair(text.text)),
    };
    label.ok_or_else(error)
}

/// `0.5]`, optionally followed by an evaluation.
fn bracketed(text: &str) -> Option<LabelText<'_>> {
    let (result, score) = text.split_once(']')?;
    let score = match score.trim() {
        "" => None,
        score => Some(centipawns(score)?),
    };
    Some(LabelText { result: Some(result_of(result)?), score, played: None })
}

/// `35 0.5`, `;35;0.5`
fn pair(text: &str) -> Option<LabelText<'_>> {
    let mut parts = text.split(|c: char| c == ';' || c.is_ascii_whitespace());
    let mut next = || parts.find(|part| !part.is_empty());
    let (score, result) = (next()?, next()?);
    let (score, result) = (centipawns(score)?, result_of(result)?);
    next().is_none().then_some(LabelText { score: Some(score), result: Some(result), played: None })
}

/// `| 35 | 0.5`, `| 35 | 0.5 | e2e4` or `| 0.5`
fn barred(text: &str) -> Option<LabelText<'_>> {
    let mut parts = text.strip_prefix('|')?.split('|');
    let (first, second) = (parts.next()?, parts.next());
    let played = parts.next().map(str::trim);
    let is_move = played.is_none_or(|text| {
        text.starts_with(|c: char| c.is_ascii_alphabetic()) && !text.contains(' ')
    });
    if parts.next().is_some() || !is_move {
        return None;
    }
    match second {
        Some(result) => {
            let (score, result) = (centipawns(first.trim())?, result_of(result)?);
            Some(LabelText { score: Some(score), result: Some(result), played })
        }
        // A number alone may be a score.
        None => alone(first),
    }
}

/// `0.5`, `"1/2-1/2"`, `;1.0`: a result that is not a whole number.
fn alone(text: &str) -> Option<LabelText<'_>> {
    let text = text.strip_prefix(';').unwrap_or(text).trim();
    let text = text.strip_suffix(';').unwrap_or(text).trim_end();
    let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let result = result_of(bare).filter(|_| bare.contains(['.', '-', '/', '½']))?;
    Some(LabelText { result: Some(result), ..LabelText::default() })
}

/// `,35,1` or `,35,0.5`: the mover's score, and half points, or points if with a decimal point.
fn with_commas(text: &str, turn: Color) -> Option<LabelText<'_>> {
    let (score, halves) = text.strip_prefix(',')?.split_once(',')?;
    let score = centipawns(score.trim())?;
    let halves = halves.trim();
    let is_plain = halves.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let unit = if halves.contains('.') { 2.0 } else { 1.0 };
    let halves: f64 = halves.parse().ok().filter(|_| is_plain)?;
    let halves = Some(unit * halves).filter(|halves| *halves <= 2.0)?;
    let white = turn.fold_wb(halves, 2.0 - halves);
    let result = match white {
        0.0 => "0-1".into(),
        1.0 => "1/2-1/2".into(),
        2.0 => "1-0".into(),
        mean => format!("{:.5}", mean / 2.0).trim_end_matches('0').to_owned().into(),
    };
    let score = turn.fold_wb(score, score.of_other_side());
    Some(LabelText { result: Some(result), score: Some(score), played: None })
}

fn centipawns(text: &str) -> Option<Centipawns> {
    text.parse().ok().and_then(Centipawns::new)
}

/// Returns the result of a game: `1-0`, `0-1`, `1/2-1/2` in any spelling, or White's points; of
/// several games, their mean as written.
pub fn result_of(text: &str) -> Option<Cow<'_, str>> {
    Some(Cow::Borrowed(match text.trim() {
        "1" | "1.0" | "1-0" => "1-0",
        "0.5" | ".5" | "1/2-1/2" | "1/2" | "½-½" => "1/2-1/2",
        "0" | "0.0" | "0-1" => "0-1",
        mean => {
            // Without sign or exponent.
            let is_plain = mean.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let share: f64 = mean.parse().ok().filter(|_| is_plain)?;
            Some(mean).filter(|_| (0.0..=1.0).contains(&share))?
        }
    }))
}

// The six fields of FEN in a file of records: Fritz and ChessBase, the books of Stockfish,
// matetrack, perft suites.

pub(crate) struct Clocks<'a> {
    pub(crate) halfmoves: Token<'a>,
    /// `None` if the line ends before it.
    pub(crate) fullmoves: Option<Token<'a>>,
    pub(crate) rest: Token<'a>,
}

/// Returns the clocks, if present: nothing else after the fourth field consists of a number alone.
#[inline]
pub(crate) fn clocks(rest: Token<'_>) -> Option<Clocks<'_>> {
    let (halfmoves, behind) = number(rest)?;
    // A comma ends the last field of a table; between two numbers it means something else.
    if behind.text.starts_with(',') {
        return None;
    }
    match number(behind.trim_start()) {
        Some((fullmoves, rest)) => {
            Some(Clocks { halfmoves, fullmoves: Some(fullmoves), rest: rest.trim_start() })
        }
        // A score and a result.
        None if alone(behind.trim_start().text).is_some() => None,
        None => Some(Clocks { halfmoves, fullmoves: None, rest: behind.trim_start() }),
    }
}

/// Splits off leading digits, unless a letter follows them, and a full stop.
#[inline]
fn number(text: Token<'_>) -> Option<(Token<'_>, Token<'_>)> {
    let bytes = text.text.as_bytes();
    let len = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let ends =
        bytes.get(len).is_none_or(|b| is_blank(*b) || matches!(b, b';' | b',' | b'[' | b'|'));
    // “0 1.”, at the end of a sentence.
    let stop = usize::from(bytes[len..].starts_with(b".") && bytes.len() == len + 1);
    (len > 0 && (ends || stop > 0)).then(|| (text.split_at(len).0, text.skip(len + stop)))
}

impl Clocks<'_> {
    /// Returns the numbers; 0 and 1 replace invalid or missing ones.
    pub(crate) fn read(&self, faults: &mut dyn FnMut(EpdDiagnostic)) -> (u32, u32) {
        use san::Field::{FullmoveNumber, HalfmoveClock};
        let mut read = |token: Token<'_>, field, default| {
            token.text.parse().unwrap_or_else(|_| {
                faults(token.fault(Kind::BadClock { field, text: token.text.to_owned() }));
                default
            })
        };
        let halfmoves = read(self.halfmoves, HalfmoveClock, 0);
        let Some(token) = self.fullmoves else {
            let kind = Kind::MissingField(FullmoveNumber);
            faults(EpdDiagnostic::new(self.halfmoves.end(), "", kind));
            return (halfmoves, 1);
        };
        let fullmoves = read(token, FullmoveNumber, 1);
        if fullmoves == 0 {
            faults(token.fault(Kind::ZeroFullmove));
        }
        (halfmoves, fullmoves.max(1))
    }
}

// The dialect of HIARCS and early Crafty: `k2r/ppp5/8/8/8/Q/5PPP/7K/ b -`. Trailing empty squares
// of a rank are omitted unless the rank is empty, a slash ends each of the eight ranks, an empty
// field is omitted, and a hyphen ends the description. The en passant field is present if a capture
// is legal, and names the square of the pawn that can be captured.

pub(crate) struct FormFields<'a> {
    /// The placement, with all squares and without the final slash.
    pub(crate) placement: String,
    pub(crate) side: Token<'a>,
    pub(crate) castling: Token<'a>,
    pub(crate) en_passant: Token<'a>,
    /// The square passed by the pawn that the field names.
    pub(crate) square: String,
    pub(crate) has_hyphen: bool,
    pub(crate) rest: Token<'a>,
}

/// Whether a placement can only be in Crafty's form: eight ranks, each with its slash.
pub(crate) fn is_placement(placement: &str) -> bool {
    placement.ends_with('/') && placement.bytes().filter(|b| *b == b'/').count() == 8
}

pub(crate) fn fields<'a>(line: Token<'a>) -> FormFields<'a> {
    let (placement, rest) = line.split_word();
    let (side, mut rest) = rest.split_word();
    let nothing = Token { at: rest.at, text: "-" };
    let (mut castling, mut en_passant) = (nothing, nothing);
    let mut has_hyphen = false;
    loop {
        let (word, behind) = rest.split_word();
        match word.text {
            "-" => {
                has_hyphen = true;
                rest = behind;
                break;
            }
            letters if castling.text == "-" && is_castling(letters, behind.text) => castling = word,
            square if is_square(square) && en_passant.text == "-" => en_passant = word,
            _ => break,
        }
        rest = behind;
    }
    FormFields {
        placement: full_ranks(placement.text),
        side,
        castling,
        square: Square::from_ascii(en_passant.text.as_bytes())
            .ok()
            .and_then(behind_pawn)
            .map_or_else(|| en_passant.text.to_owned(), |square| square.to_string()),
        en_passant,
        has_hyphen,
        rest,
    }
}

/// Letters of sides or of rook files; as `ce` is an opcode too, a field must follow files.
fn is_castling(text: &str, behind: &str) -> bool {
    let is_right = |b: u8| matches!(b.to_ascii_lowercase(), b'k' | b'q' | b'a'..=b'h');
    let is_side = |b: u8| matches!(b, b'K' | b'Q' | b'k' | b'q');
    let next = behind.split(' ').next().unwrap_or_default();
    !text.is_empty()
        && text.bytes().all(is_right)
        && (text.bytes().all(is_side) || matches!(next, "" | "-") || is_square(next))
}

fn is_square(text: &str) -> bool {
    Square::from_ascii(text.as_bytes()).is_ok()
}

/// Adds the trailing empty squares to each rank; malformed ranks are unchanged.
fn full_ranks(placement: &str) -> String {
    let ranks = placement.strip_suffix('/').unwrap_or(placement).split('/').map(|rank| {
        let digit = |b: u8| if b.is_ascii_digit() { u32::from(b - b'0') } else { 1 };
        match rank.bytes().map(digit).sum() {
            squares @ 0..8 => format!("{rank}{}", 8 - squares),
            _ => rank.to_owned(),
        }
    });
    // Adjacent digits, as in `k25`, are summed by the placement reader.
    ranks.collect::<Vec<_>>().join("/")
}

/// Returns the square that a pawn on `pawn` has just passed.
pub(crate) fn behind_pawn(pawn: Square) -> Option<Square> {
    let rank = match pawn.rank() {
        Rank::Fourth => Rank::Third,
        Rank::Fifth => Rank::Sixth,
        _ => return None,
    };
    Some(Square::from_coords(pawn.file(), rank))
}

/// Formats a position.
pub fn description(position: &Position, style: FieldStyle) -> String {
    let fen = position.fen(style);
    let mut fields = fen.split(' ');
    let mut text = String::new();
    for rank in fields.next().unwrap_or_default().split('/') {
        let digit = |c: char| c.is_ascii_digit();
        text += if rank == "8" { rank } else { rank.trim_end_matches(digit) };
        text.push('/');
    }
    for field in fields.take(2).filter(|field| *field != "-") {
        text.push(' ');
        text += field;
    }
    // Independent of the policy: the dialect gives the square only if a capture is legal.
    if let Some(square) = position.en_passant(EnPassantPolicy::Legal) {
        let rank = if position.turn() == Color::Black { Rank::Fourth } else { Rank::Fifth };
        text += &format!(" {}", Square::from_coords(square.file(), rank));
    }
    text += " -";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_and_evaluations_are_those_of_white() {
        let label = |text| read(Token { at: 0, text }, Color::Black);
        let white = |result, score: Option<i64>| {
            let (result, score) = (Some(Cow::Borrowed(result)), score.and_then(Centipawns::new));
            Ok(LabelText { result, score, played: None })
        };
        assert_eq!(label("[1.0]"), white("1-0", None));
        assert_eq!(label("[0.5] -12"), white("1/2-1/2", Some(-12)));
        assert_eq!(label("| 35 | 0.0"), white("0-1", Some(35)));
        assert_eq!(label("[1/2]"), white("1/2-1/2", None));
        assert_eq!(label("[0.75]"), white("0.75", None));
        assert_eq!(label("| 3 | 0.3333"), white("0.3333", Some(3)));
        for text in ["| 1.0", "1.0", ";1.0", "; 1.0;", "\"1-0\"", "1-0"] {
            assert_eq!(label(text), white("1-0", None), "{text}");
        }
        // The score and the half points of Black, who is to move.
        assert_eq!(label(",35,2"), white("0-1", Some(-35)));
        assert_eq!(label(", -12, 1"), white("1/2-1/2", Some(12)));
        assert_eq!(label(",0,0.5"), white("1/2-1/2", Some(0)));
        assert_eq!(label(",0,0.25"), white("0.75", Some(0)));
        assert_eq!(label(",0,1.0"), white("0-1", Some(0)));
        for text in ["35 0.0", "35\t0-1", ";35;0.0", "; 35 ; 0", "+35 0"] {
            assert_eq!(label(text), white("0-1", Some(35)), "{text}");
        }
        let played = LabelText { played: Some("e7e5"), ..white("0-1", Some(35)).unwrap() };
        assert_eq!(label("| 35 | 0.0 | e7e5"), Ok(played));
        let of_white = |text| read(Token { at: 0, text }, Color::White);
        assert_eq!(of_white(",35,2"), white("1-0", Some(35)));
        assert_eq!(of_white(",35,0.3333"), white("0.3333", Some(35)));
        for text in [
            "[2]", "[1.0", "| x | 0.5", "| 35", ",35,3", ",35,1.5", "35 2", ";35;x",
            "| 35 | 0.5 |", "| 35 | 0.5 | e4 e5", ",35", ",x,1", "| 1 | 0.5 | 3", "[1.5]",
            "[-0.5]", "[5e-1]", "[0.5] 99999",
        ] {
            assert!(label(text).is_err(), "{text}");
        }
        let label = label("[0.5] -12").unwrap();
        assert_eq!(label.evaluation(Color::Black), Centipawns::new(12));
    }

    #[test]
    fn a_result_is_written_in_many_ways() {
        for (expected, texts) in [
            (Some("1-0"), &["1", "1.0", "1-0", " 1.0 "][..]),
            (Some("1/2-1/2"), &["0.5", ".5", "1/2-1/2", "1/2", "½-½"]),
            (Some("0-1"), &["0", "0.0", "0-1"]),
            (None, &["", "1.01", "-1", "+1", "1e0", ".", "x", "2", "0.5.5"]),
        ] {
            for text in texts {
                assert_eq!(result_of(text).as_deref(), expected, "{text:?}");
            }
        }
        assert_eq!(result_of(" 0.25 ").as_deref(), Some("0.25"));
        assert_eq!(result_of("1.000").as_deref(), Some("1.000"));
    }

    #[test]
    fn a_label_is_no_operation() {
        for text in
            ["[0.5]", "| 35 | 0.5", "0.5", "0 1", "-7 0.5", ";35;1.0; c0 \"x\";", ",35,1", "[ ½-½]"]
        {
            assert!(is_label(text, true), "{text:?}");
        }
        for text in [
            "1", "0 3", "-", "5-1", ";D1 20", ";", "\"WAC.1\"", ",bm,e4", "", " [", "[%eval 0.5]",
            "[bm e4]",
        ] {
            assert!(!is_label(text, true), "{text:?}");
        }
        for (text, expected) in [("-1 1", false), ("-1 1.0", true), ("7 1-0", true), (";7;1", true)]
        {
            assert_eq!(is_label(text, false), expected, "{text:?}");
        }
        let evaluation = |label: LabelText<'_>, turn| label.evaluation(turn).map(Centipawns::get);
        let label = read(Token { at: 5, text: "| -7 | 1.0  " }, Color::White).unwrap();
        assert_eq!(evaluation(label.clone(), Color::White), Some(-7));
        assert_eq!(evaluation(label, Color::Black), Some(7));
        assert_eq!(read(Token { at: 5, text: "[x]  " }, Color::White).unwrap_err().0, 5..8);
    }

    #[test]
    fn clocks_are_numbers_that_stand_alone() {
        // The text after four fields: the clocks, the rest, and the number of faults.
        let cases = [
            ("0 1", (0, 1, "", 0)),
            ("12 345 bm e4;", (12, 345, "bm e4;", 0)),
            ("5 39;", (5, 39, ";", 0)),
            ("5 39[0.5]", (5, 39, "[0.5]", 0)),
            ("5 39,0.35", (5, 39, ",0.35", 0)),
            ("5 39.", (5, 39, "", 0)),
            ("5.", (5, 1, "", 1)),
            ("5 39. x", (5, 1, "39. x", 1)),
            ("5 39|3", (5, 39, "|3", 0)),
            ("5  39  x", (5, 39, "x", 0)),
            ("5", (5, 1, "", 1)),
            ("5 bm e4;", (5, 1, "bm e4;", 1)),
            ("5 3x", (5, 1, "3x", 1)),
            ("5 0", (5, 1, "", 1)),
            ("4294967296 4294967296", (0, 1, "", 2)),
        ];
        for (text, expected) in cases {
            let (clocks, mut faults) = (clocks(Token { at: 0, text }).unwrap(), 0);
            let (halfmoves, fullmoves) = clocks.read(&mut |_| faults += 1);
            assert_eq!((halfmoves, fullmoves, clocks.rest.text, faults), expected, "{text:?}");
        }
        for text in ["5, 39, bm e4;", "35 0.5", "35 1-0", "", "x", "3+3 0 1", "-1 5"] {
            assert!(clocks(Token { at: 0, text }).is_none(), "{text:?}");
        }
    }

    #[test]
    fn castling_square_and_hyphen_are_found_wherever_they_are_left_out() {
        // After the side to move: castling, en passant, the square that the pawn passed, hyphen,
        // the rest.
        let cases = [
            (" Kk - bm Kd1;", "Kk", "-", "-", true, "bm Kd1;"),
            (" Hh -", "Hh", "-", "-", true, ""),
            (" Hh", "Hh", "-", "-", false, ""),
            (" Hh e5 - x;", "Hh", "e5", "e6", true, "x;"),
            (" e4 Kk -", "Kk", "e4", "e3", true, ""),
            (" e4 -", "-", "e4", "e3", true, ""),
            (" e6 -", "-", "e6", "e6", true, ""),
            (" e2 -", "-", "e2", "e2", true, ""),
            (" -", "-", "-", "-", true, ""),
            ("", "-", "-", "-", false, ""),
            // The opcode `ce`, and what no field can be.
            (" ce 5;", "-", "-", "-", false, "ce 5;"),
            (" KQ ce 5;", "KQ", "-", "-", false, "ce 5;"),
            (" K k -", "K", "-", "-", false, "k -"),
            (" e5 d5 -", "-", "e5", "e6", false, "d5 -"),
            (" Kx -", "-", "-", "-", false, "Kx -"),
            (" e9 -", "-", "-", "-", false, "e9 -"),
        ];
        for (text, castling, en_passant, square, has_hyphen, rest) in cases {
            let line = format!("  4k/8/8/8/8/8/8/4K/ w{text}");
            let found = fields(Token { at: 10, text: &line[2..] });
            assert_eq!((found.side.text, found.placement.as_str()), ("w", "4k3/8/8/8/8/8/8/4K3"));
            assert_eq!(found.castling.text, castling, "{text}");
            assert_eq!(found.en_passant.text, en_passant, "{text}");
            assert_eq!((found.square.as_str(), found.has_hyphen), (square, has_hyphen), "{text}");
            assert_eq!(found.rest.text, rest, "{text}");
            assert_eq!(found.rest.at, line.len() - rest.len() + 8, "{text}");
        }
    }

    #[test]
    fn a_placement_of_this_dialect_has_eight_slashes_and_ends_with_one() {
        for (placement, expected) in [
            ("4k/8/8/8/8/8/8/4K/", true),
            ("4k3/8/8/8/8/8/8/4K3/", true),
            ("4k3/8/8/8/8/8/8/4K3", false),
            ("4k/8/8/8/8/8/4K/", false),
            ("4k/8/8/8/8/8/8/8/4K/", false),
            ("/4k/8/8/8/8/8/8/4K", false),
        ] {
            assert_eq!(is_placement(placement), expected, "{placement}");
        }
    }

    #[test]
    fn ranks_are_filled_up() {
        for (placement, full) in [
            ("k/p6p/8/1/Q7/PPP5/4K1/7K/", "k7/p6p/8/17/Q7/PPP5/4K12/7K"),
            ("k7/8/8/8/8/8/8/K/", "k7/8/8/8/8/8/8/K7"),
            ("k8/8/8/8/8/8/8/4K4/", "k8/8/8/8/8/8/8/4K4"),
            ("//8/8/8/8/8/K/", "8/8/8/8/8/8/8/K7"),
        ] {
            assert_eq!(full_ranks(placement), full, "{placement}");
        }
    }
}
