//! Numbers of pieces of both sides: `KRP*vKR`.

use std::ops::RangeInclusive;

use san::{Color, Position, Role};

use super::PatternFault;

#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct MaterialPattern([Side; 2]);

#[derive(Clone, Debug, PartialEq)]
struct Side {
    /// Numbers of pawns, knights, bishops, rooks and queens.
    counts: [RangeInclusive<u8>; 5],
    minors: RangeInclusive<u8>,
}

/// The most pieces of a kind.
const MOST: u8 = 64;

impl MaterialPattern {
    /// Reads the pieces of White, `v`, and those of Black. A letter without a number is one piece,
    /// and several are counted; `*` is any number, `+` at least one, `?` at most one, `2` exactly
    /// two, `2+` and `2-` at least and at most two, `1-3` one to three. `M` is a knight or a
    /// bishop. A piece without a letter is not on the board; kings are.
    pub(in super::super) fn read(text: &str) -> Result<Self, PatternFault> {
        let Some(v) = text.find('v') else {
            let reason = "material of both sides has a v between them, such as KR*vKR*";
            return Err((0..text.len(), reason.into()));
        };
        Ok(MaterialPattern([Side::read(text, 0..v)?, Side::read(text, v + 1..text.len())?]))
    }

    pub(super) fn holds(&self, position: &Position) -> bool {
        Color::ALL.into_iter().zip(&self.0).all(|(color, side)| side.holds(position, color))
    }

    pub(super) fn for_other_colors(&self) -> Self {
        let [white, black] = self.0.clone();
        MaterialPattern([black, white])
    }
}

impl Side {
    fn read(text: &str, range: std::ops::Range<usize>) -> Result<Side, PatternFault> {
        let mut side = Side { counts: std::array::from_fn(|_| 0..=0), minors: 0..=0 };
        let mut has_minors = false;
        let bytes = &text.as_bytes()[..range.end];
        let mut at = range.start;
        while let Some(&byte) = bytes.get(at) {
            let begin = at;
            at += 1;
            if byte == b' ' {
                continue;
            }
            let (number, len) = number_at(&bytes[at..]);
            at += len;
            let fault = |reason: &str| Err((begin..at, reason.to_owned()));
            let added = match byte {
                b'K' => match number {
                    None => continue,
                    Some(number) if number == (1..=1) => continue,
                    Some(_) => return fault("each side has one king"),
                },
                b'M' => {
                    has_minors = true;
                    &mut side.minors
                }
                b'P' => &mut side.counts[0],
                b'N' => &mut side.counts[1],
                b'B' => &mut side.counts[2],
                b'R' => &mut side.counts[3],
                b'Q' => &mut side.counts[4],
                _ => {
                    let len = text[begin..].chars().next().map_or(1, char::len_utf8);
                    let reason = "a piece is K, Q, R, B, N, P, or M for a knight or a bishop";
                    return Err((begin..begin + len, reason.into()));
                }
            };
            let number = number.unwrap_or(1..=1);
            if number.is_empty() {
                return fault("the range is empty");
            }
            let sum = |one: u8, other: u8| one.saturating_add(other).min(MOST);
            *added = sum(*added.start(), *number.start())..=sum(*added.end(), *number.end());
        }
        let [_, knights, bishops, ..] = &mut side.counts;
        if has_minors {
            // Those that are named besides are among them, and the others are minors.
            let (least, most) = (*side.minors.start(), *side.minors.end());
            side.minors = least.saturating_add(knights.start() + bishops.start())
                ..=most.saturating_add(knights.end().saturating_add(*bishops.end()));
            *knights = *knights.start()..=most.saturating_add(*knights.end());
            *bishops = *bishops.start()..=most.saturating_add(*bishops.end());
        } else {
            side.minors = 0..=MOST * 2;
        }
        Ok(side)
    }

    fn holds(&self, position: &Position, color: Color) -> bool {
        let count = |role| (position.pieces(role) & position.side(color)).count() as u8;
        let [pawns, knights, bishops, rooks, queens] = &self.counts;
        let (knight_count, bishop_count) = (count(Role::Knight), count(Role::Bishop));
        queens.contains(&count(Role::Queen))
            && rooks.contains(&count(Role::Rook))
            && knights.contains(&knight_count)
            && bishops.contains(&bishop_count)
            && self.minors.contains(&(knight_count + bishop_count))
            && pawns.contains(&count(Role::Pawn))
    }
}

/// Reads how many pieces a letter stands for, if the text says it, and returns the length of that.
fn number_at(text: &[u8]) -> (Option<RangeInclusive<u8>>, usize) {
    let digits = |from: usize| {
        let len = text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let number = std::str::from_utf8(&text[from..from + len]).ok()?.parse::<u8>().ok()?;
        Some((number.min(MOST), len))
    };
    match (text.first(), digits(0)) {
        (Some(b'*'), _) => (Some(0..=MOST), 1),
        (Some(b'+'), _) => (Some(1..=MOST), 1),
        (Some(b'?'), _) => (Some(0..=1), 1),
        (_, Some((number, len))) => match text.get(len) {
            Some(b'+') => (Some(number..=MOST), len + 1),
            Some(b'-') => match digits(len + 1) {
                Some((last, more)) => (Some(number..=last), len + 1 + more),
                None => (Some(0..=number), len + 1),
            },
            _ => (Some(number..=number), len),
        },
        _ => (None, 0),
    }
}
