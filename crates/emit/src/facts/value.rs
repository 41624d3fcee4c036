//! The value of a fact for a position.

use std::time::Duration;

use openings::Opening;
use san::{AnyPosition, Bitboard, Buffer, Color, FieldStyle, MoveText, Position, Role};

use super::comment_facts::CommentFacts;
use super::fact_value::{FactValue, Written};
use super::tag_values::Ratings;
use super::time_tags::TimeTags;
use super::{Fact, board_facts};
use crate::annotations::comment::{self, append_text};
use crate::ply::Ply;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameFacts<'g> {
    pub(crate) file: &'g str,
    pub(crate) number: u64,
    pub(crate) line: u64,
    /// Byte of the file at which the game begins.
    pub(crate) offset: u64,
    /// Number of plies in the main line.
    pub(crate) plies: u32,
    /// How it ends, if a fact needs it.
    pub(crate) termination: Option<&'static str>,
    /// The ratings of the players, if a fact needs them.
    pub(crate) ratings: Ratings,
    /// The date and the time control, if a fact needs them.
    pub(crate) times: TimeTags,
    /// The result in PGN notation, if a fact needs it and the game has one.
    pub(crate) result: Option<&'static str>,
}

/// Returns no value for [`Fact::Record`], which only the writer of the record can supply.
#[inline(always)]
pub(crate) fn value<'v, P: AnyPosition>(
    fact: Fact,
    ply: &Ply<'_, P>,
    game: &GameFacts<'v>,
    opening: &Opening<'v>,
) -> Option<FactValue<'v>> {
    let position = ply.position;
    Some(match fact {
        Fact::Bitboards => FactValue::Bitboards(bitboards(position.as_chess()?)),
        Fact::Board => FactValue::Board(board(position.as_chess()?)),
        Fact::From => FactValue::Number(position.squares_of(ply.next?)?.0 as u64),
        Fact::LegalMoves => {
            position.as_chess()?;
            FactValue::LegalMoves
        }
        Fact::Points => FactValue::Decimal(points(game.result?, position.turn())?),
        Fact::Promotion => FactValue::Text(promotion(&position.uci_of(ply.next?))?),
        Fact::To => FactValue::Number(position.squares_of(ply.next?)?.1 as u64),
        Fact::Check => FactValue::Truth(position.is_check()),
        Fact::Comment if ply.comments.is_empty() => return None,
        Fact::Comment => FactValue::Written(Written::Comment),
        Fact::Epd => FactValue::Written(Written::Epd),
        Fact::Fen => FactValue::Written(Written::Fen),
        Fact::Key => FactValue::Key(position.polyglot_key()?),
        Fact::Material => {
            position.as_chess()?;
            FactValue::Written(Written::Material)
        }
        Fact::Move => FactValue::Number(position.fullmoves().into()),
        Fact::Nags if ply.nags.is_empty() => return None,
        Fact::Nags => FactValue::Written(Written::Nags),
        Fact::Packed => FactValue::Packed(training::packed(position.as_chess()?)),
        Fact::Pieces => FactValue::Number(position.piece_count().into()),
        Fact::Ply => FactValue::Number(ply.number.into()),
        Fact::Record => return None,
        Fact::San => FactValue::Move(position.san_of(ply.next?)),
        Fact::Turn => FactValue::Text(turn(position.turn())),
        Fact::Uci => FactValue::Move(position.uci_of(ply.next?)),
        fact if fact.is_of_board() => return board_facts::value(fact, ply),
        fact if fact.needs_comments() => {
            return CommentFacts::of(ply, [fact].into_iter().collect()).value(fact);
        }
        _ => return value_of_game(fact, game, opening),
    })
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum QuickValue {
    Number(u32),
    Truth(bool),
}

/// `None` without a value or if not of the board alone; a number above `most` may be any such.
#[inline]
pub(crate) fn quick_value<P: AnyPosition>(
    fact: Fact,
    ply: &Ply<'_, P>,
    most: u32,
) -> Option<QuickValue> {
    let position = ply.position;
    Some(match fact {
        Fact::Ply => QuickValue::Number(ply.number),
        Fact::Pieces => QuickValue::Number(position.piece_count()),
        Fact::Move => QuickValue::Number(position.fullmoves()),
        Fact::Check => QuickValue::Truth(position.is_check()),
        Fact::Capture => QuickValue::Truth(position.is_capture(ply.next?)),
        _ => {
            let chess = position.as_chess()?;
            match board_facts::count(fact, chess, most.saturating_add(1)) {
                Some(count) => QuickValue::Number(count),
                None => QuickValue::Truth(board_facts::truth(fact, chess)?),
            }
        }
    })
}

/// Returns the piece on each square: 0 for none, 1 to 6 for White's and 7 to 12 for Black's.
fn board(position: &Position) -> [u8; 64] {
    let mut board = [0; 64];
    for (piece, squares) in (1..).zip(bitboards(position)) {
        for square in Bitboard(squares) {
            board[square as usize] = piece;
        }
    }
    board
}

/// Returns the squares of White's pawns, knights, bishops, rooks, queens and kings, then Black's.
fn bitboards(position: &Position) -> [u64; 12] {
    let of = |color, role| (position.pieces(role) & position.side(color)).0;
    let mut bitboards = [0; 12];
    let kinds = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| (color, role)));
    for (squares, (color, role)) in bitboards.iter_mut().zip(kinds) {
        *squares = of(color, role);
    }
    bitboards
}

/// Calls `add` with each legal move in UCI notation, in the order of their text.
pub(crate) fn legal_moves(position: &Position, mut add: impl FnMut(&[u8])) {
    let mut moves: Vec<MoveText> =
        position.legal_moves().into_iter().map(|mv| position.uci_of(mv)).collect();
    moves.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    moves.iter().for_each(|text| add(text.as_bytes()));
}

fn promotion(uci: &MoveText) -> Option<&'static str> {
    Some(match uci.as_bytes().get(4)? {
        b'q' => "q",
        b'r' => "r",
        b'b' => "b",
        b'n' => "n",
        // In antichess.
        b'k' => "k",
        _ => return None,
    })
}

/// Returns the name of a side, as in FEN.
pub(crate) fn turn(turn: Color) -> &'static str {
    if turn.is_white() { "w" } else { "b" }
}

pub(crate) fn points(result: &str, turn: Color) -> Option<f64> {
    let white = match result {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" => 0.5,
        _ => return None,
    };
    Some(if turn.is_white() { white } else { 1.0 - white })
}

/// Returns no value for [`Fact::Problem`], which only the sink of games can supply.
#[inline(always)]
pub(crate) fn value_of_game<'v>(
    fact: Fact,
    game: &GameFacts<'v>,
    opening: &Opening<'v>,
) -> Option<FactValue<'v>> {
    Some(match fact {
        Fact::BaseTime => FactValue::Decimal(game.times.base?),
        Fact::BlackElo | Fact::WhiteElo => FactValue::Number(game.ratings.value(fact)? as u64),
        Fact::Date => FactValue::Date(game.times.date?),
        Fact::Eco => FactValue::Text(opening.eco()?),
        Fact::Elo => FactValue::Decimal(game.ratings.mean()?),
        Fact::File => FactValue::Text(game.file),
        Fact::Game => FactValue::Number(game.number),
        Fact::Increment => FactValue::Decimal(game.times.increment?),
        Fact::Line => FactValue::Number(game.line),
        Fact::Offset => FactValue::Number(game.offset),
        Fact::Opening => FactValue::Text(opening.name()?.opening()?),
        Fact::Plies => FactValue::Number(game.plies.into()),
        Fact::Result => FactValue::Text(game.result?),
        Fact::Termination => FactValue::Text(game.termination?),
        Fact::Year => FactValue::Number(game.times.year?.into()),
        _ => return None,
    })
}

/// Returns seconds with up to three decimals, as in a column of decimal numbers.
pub(crate) fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// Appends a time in seconds with up to three decimals, without trailing zeros.
pub(crate) fn write_seconds(time: Duration, text: &mut String) {
    text.push_str(itoa::Buffer::new().format(time.as_secs()));
    let mut rest = time.subsec_millis();
    if rest > 0 {
        text.push('.');
    }
    let mut place = 100;
    while rest > 0 {
        text.push(char::from(b'0' + (rest / place) as u8));
        (rest, place) = (rest % place, place / 10);
    }
}

/// Appends a text; returns whether there is one.
#[inline(always)]
pub(crate) fn write_text<P: AnyPosition>(
    text: Written,
    ply: &Ply<'_, P>,
    style: FieldStyle,
    buffer: &mut Buffer,
) -> bool {
    match text {
        Written::Nags => write_nags(ply.nags, buffer),
        Written::Comment => return write_comment(ply, buffer),
        Written::Field(number) => return write_field(ply, style, number, buffer),
        Written::Material => {
            ply.position
                .as_chess()
                .into_iter()
                .for_each(|position| write_material(position, buffer));
        }
        Written::Epd | Written::Fen => {
            let mut line = buffer.line();
            match text {
                Written::Epd => ply.position.write_fields(style, &mut line),
                _ => ply.position.write_fen(style, &mut line),
            }
            line.finish();
        }
    }
    true
}

/// Writes a field of the FEN; returns whether it is not a hyphen.
fn write_field<P: AnyPosition>(
    ply: &Ply<'_, P>,
    style: FieldStyle,
    number: usize,
    buffer: &mut Buffer,
) -> bool {
    let mut fields = Buffer::default();
    let mut line = fields.line();
    ply.position.write_fields(style, &mut line);
    line.finish();
    let field = fields.as_bytes().split(|byte| *byte == b' ').nth(number).unwrap_or(b"-");
    buffer.extend(field);
    field != b"-"
}

/// Writes the comments as one line, since programs may wrap them; returns whether any has text.
fn write_comment<P: AnyPosition>(ply: &Ply<'_, P>, buffer: &mut Buffer) -> bool {
    let mover = !ply.position.turn();
    let mut text = String::new();
    for bytes in ply.comments {
        for word in comment::text(bytes, mover, false).split_whitespace() {
            append_text(&mut text, word);
        }
    }
    buffer.extend(text.as_bytes());
    !text.is_empty()
}

/// Writes the pieces of White and those of Black as in the names of tablebases: `KRPvKR`.
fn write_material(position: &Position, buffer: &mut Buffer) {
    const ROLES: [(Role, &[u8; 1]); 6] = [
        (Role::King, b"K"),
        (Role::Queen, b"Q"),
        (Role::Rook, b"R"),
        (Role::Bishop, b"B"),
        (Role::Knight, b"N"),
        (Role::Pawn, b"P"),
    ];
    for color in Color::ALL {
        if color.is_black() {
            buffer.extend(b"v");
        }
        for (role, letter) in ROLES {
            for _ in position.pieces(role) & position.side(color) {
                buffer.extend(letter);
            }
        }
    }
}

/// Writes NAGs as in movetext: `$1 $14`.
#[cold]
fn write_nags(nags: &[u8], buffer: &mut Buffer) {
    for (index, nag) in nags.iter().enumerate() {
        let space = if index > 0 { " " } else { "" };
        buffer.extend(format!("{space}${nag}").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_up_to_three_decimals() {
        let cases = [
            (0, "0"),
            (5, "0.005"),
            (40, "0.04"),
            (300, "0.3"),
            (1_020, "1.02"),
            (3_723_400, "3723.4"),
            (60_000, "60"),
        ];
        for (milliseconds, expected) in cases {
            let mut text = String::new();
            write_seconds(Duration::from_millis(milliseconds), &mut text);
            assert_eq!(text, expected);
            assert_eq!(seconds(Duration::from_millis(milliseconds)).to_string(), expected);
        }
    }
}
