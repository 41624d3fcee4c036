//! Scores in comments: pawns with decimals, or a mate.

use epd::Centipawns;
use san::Color;

use super::decimal::digits;

/// A score as written, from the view of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Score {
    is_negative: bool,
    amount: Amount,
    /// Whether a sign, a point or the letter of a mate shows that the number is a score.
    pub(super) is_marked: bool,
    pub(super) has_point: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    /// Hundredths of a pawn, rounded to the nearest.
    Hundredths(u64),
    /// A mate, in plies or moves.
    Mate(u64),
}

impl Score {
    /// Reads a score at the start; a line may be broken after its point: `0.`, then `58`.
    #[inline(always)]
    pub(super) fn read(text: &[u8]) -> Option<(Score, &[u8])> {
        let (is_negative, unsigned) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let has_sign = unsigned.len() < text.len();
        if let [b'M' | b'#', mate @ ..] = unsigned {
            return Score::read_mate(is_negative, mate);
        }
        let (pawns, rest) = digits(unsigned);
        let has_whole = rest.len() < unsigned.len();
        let [b'.', decimals @ ..] = rest else {
            let amount = Amount::Hundredths(pawns.saturating_mul(100));
            let score = Score { is_negative, amount, is_marked: has_sign, has_point: false };
            return has_whole.then_some((score, rest));
        };
        let (mut hundredths, mut rest) = (0, decimals);
        let decimals = match decimals {
            [b'\n', more @ ..] | [b'\r', b'\n', more @ ..] if has_whole => more,
            _ => decimals,
        };
        let mut len = 0;
        while let Some(digit) = decimals.get(len).map(|byte| byte.wrapping_sub(b'0'))
            && digit < 10
        {
            hundredths += match len {
                0 => 10 * u64::from(digit),
                1 => digit.into(),
                2 => u64::from(digit >= 5),
                _ => 0,
            };
            len += 1;
        }
        if len > 0 {
            rest = &decimals[len..];
        }
        let amount = Amount::Hundredths(pawns.saturating_mul(100).saturating_add(hundredths));
        let score = Score { is_negative, amount, is_marked: true, has_point: true };
        (has_whole || len > 0).then_some((score, rest))
    }

    /// Reads the number of a mate. `#-3` and `-#3` both mean that White is mated.
    #[cold]
    fn read_mate(is_negative: bool, mate: &[u8]) -> Option<(Score, &[u8])> {
        let (is_negative, unsigned) = match mate {
            [b'-', rest @ ..] => (!is_negative, rest),
            _ => (is_negative, mate),
        };
        let (number, rest) = digits(unsigned);
        let amount = Amount::Mate(number);
        let score = Score { is_negative, amount, is_marked: true, has_point: false };
        (rest.len() < unsigned.len()).then_some((score, rest))
    }

    /// Returns the evaluation from the same view, if the number of a mate counts plies.
    #[inline]
    pub(super) fn with_mate_in_plies(self) -> Option<Centipawns> {
        self.value(Some)
    }

    /// For the side to move, if the score is White's view and the side that mates counts moves.
    #[inline]
    pub(super) fn of_white_with_mate_in_moves(self, turn: Color) -> Option<Centipawns> {
        let mover_mates = self.is_negative == (turn == Color::Black);
        Some(as_mover(self.with_moves_of(mover_mates)?, turn))
    }

    /// For the side to move, if the score is its view and a mate is counted in moves.
    pub(super) fn with_mate_in_moves(self) -> Option<Centipawns> {
        self.with_moves_of(!self.is_negative)
    }

    /// From the same view; if the side to move mates, it also makes the last ply.
    #[inline]
    fn with_moves_of(self, mover_mates: bool) -> Option<Centipawns> {
        self.value(|moves| match mover_mates {
            true => moves.checked_mul(2)?.checked_sub(1),
            false => moves.checked_mul(2),
        })
    }

    pub(super) fn is_mate(self) -> bool {
        matches!(self.amount, Amount::Mate(_))
    }

    /// In centipawns if it is written without a point, as by programs that write centipawns.
    pub(super) fn as_centipawns(self) -> Score {
        match self.amount {
            Amount::Hundredths(hundredths) if !self.has_point => {
                Score { amount: Amount::Hundredths(hundredths / 100), ..self }
            }
            _ => self,
        }
    }

    #[inline]
    fn value(self, plies: impl Fn(u32) -> Option<u32>) -> Option<Centipawns> {
        let value = match self.amount {
            Amount::Hundredths(value) => {
                Centipawns::without_mate(i64::try_from(value).unwrap_or(i64::MAX))
            }
            Amount::Mate(number) => {
                Centipawns::gives_mate_in_plies(plies(u32::try_from(number).ok()?)?)?
            }
        };
        Some(if self.is_negative { value.of_other_side() } else { value })
    }
}

#[inline]
pub(super) fn as_mover(white: Centipawns, mover: Color) -> Centipawns {
    if mover == Color::White { white } else { white.of_other_side() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_rounded_to_hundredths_and_may_be_mates() {
        // text, centipawns with mates in plies, what follows
        let cases = [
            ("0.25", Some(25), ""),
            ("+0.25/12", Some(25), "/12"),
            ("-1.5,22", Some(-150), ",22"),
            ("12", Some(1200), ""),
            (".5", Some(50), ""),
            ("7.", Some(700), ""),
            ("0.254", Some(25), ""),
            ("0.285", Some(29), ""),
            ("-0.0051", Some(-1), ""),
            ("0.\n58/19", Some(58), "/19"),
            ("0.\r\n58/19", Some(58), "/19"),
            ("0. 58", Some(0), " 58"),
            ("400.00", Some(32000), ""),
            ("-99999999999999999999999.0", Some(-32000), ""),
            ("M12", Some(32755), ""),
            ("+M7/20", Some(32760), "/20"),
            ("-M6", Some(-32761), ""),
            ("#-3 ", Some(-32764), " "),
            ("-#3", Some(-32764), ""),
            ("-#-3", Some(32764), ""),
            ("M0", None, ""),
            ("M99999999999", None, ""),
            ("M", None, ""),
            ("+", None, ""),
            (".", None, ""),
            ("\n58", None, ""),
            ("x", None, ""),
            ("", None, ""),
        ];
        for (text, expected, rest) in cases {
            let read = Score::read(text.as_bytes());
            let value = read.and_then(|(score, _)| score.with_mate_in_plies());
            assert_eq!(value.map(Centipawns::get), expected, "{text}");
            if let (Some(_), Some((_, found))) = (expected, read) {
                assert_eq!(found, rest.as_bytes(), "{text}");
            }
        }
    }
}
