//! The dialect of HIARCS and early Crafty: `k2r/ppp5/8/8/8/Q/5PPP/7K/ b -`.
//!
//! Trailing empty squares of a rank are omitted unless the rank is empty, a slash ends each of the
//! eight ranks, an empty field is omitted, and a hyphen ends the description. The en passant field
//! is present if a capture is legal, and names the square of the pawn that can be captured.

use san::{Buffer, Color, EnPassantPolicy, FieldStyle, Position, Rank, Square};

use crate::read::text::Token;

pub(crate) struct Fields<'a> {
    /// The placement, with all squares and without the final slash.
    pub(crate) placement: String,
    pub(crate) side: Token<'a>,
    pub(crate) castling: Token<'a>,
    pub(crate) en_passant: Token<'a>,
    /// The square passed by the pawn that the field names.
    pub(crate) square: String,
    pub(crate) has_hyphen: bool,
    /// The text after the hyphen.
    pub(crate) rest: Token<'a>,
}

/// Whether a placement can only be in Crafty's form: eight ranks, each with its slash.
pub(crate) fn is_placement(placement: &str) -> bool {
    placement.ends_with('/') && placement.bytes().filter(|b| *b == b'/').count() == 8
}

/// Splits a line into its fields; missing ones are `-`.
pub(crate) fn fields<'a>(line: Token<'a>) -> Fields<'a> {
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
    Fields {
        placement: full_ranks(placement.text),
        side,
        castling,
        square: square_of(en_passant.text),
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

/// Returns the en passant square of the standard; other text is unchanged.
fn square_of(field: &str) -> String {
    let square = Square::from_ascii(field.as_bytes()).ok().and_then(behind_pawn);
    square.map_or_else(|| field.to_owned(), |square| square.to_string())
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
    let mut buffer = Buffer::default();
    let mut line = buffer.line();
    san::write_fields(position, style, &mut line);
    line.finish();
    let fields = String::from_utf8_lossy(buffer.as_bytes());
    let mut fields = fields.split(' ');
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

    fn written(fen: &str) -> String {
        description(&Position::from_fen(fen).unwrap(), FieldStyle::default())
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let fen = "k2r4/ppp5/8/8/8/Q7/5PPP/7K b - - 0 1";
        assert_eq!(written(fen), "k2r/ppp/8/8/8/Q/5PPP/7K/ b -");
    }

    #[test]
    fn the_en_passant_field_names_the_pawn() {
        let fen = "4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1";
        assert_eq!(written(fen), "4k/8/8/8/3pP/8/8/4K2R/ b K e4 -");
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
            assert_eq!(
                (found.castling.text, found.en_passant.text),
                (castling, en_passant),
                "{text}"
            );
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
