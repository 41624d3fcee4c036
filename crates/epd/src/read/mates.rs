//! Evaluations and mates as other programs write them.

use crate::centipawns::Centipawns;

/// Parses `#4`, `#+4`, `#-4` or `-4`.
pub(crate) fn mate_count(text: &str) -> Option<i64> {
    let text = text.strip_prefix("#+").or_else(|| text.strip_prefix('#')).unwrap_or(text);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// The evaluation of being mated in `-moves` moves (EPD 5.6).
pub(crate) fn mated(moves: i64) -> Option<Centipawns> {
    u32::try_from(moves.checked_neg()?).ok().and_then(Centipawns::gets_mated_in_moves)
}

/// For the side to move: centipawns, or a mate in plies, `M13`, `-M12` or 29987.
pub(crate) fn chessdb_evaluation(text: &str) -> Option<Centipawns> {
    const MATE: u32 = 30000;
    const TABLEBASE_WIN: u32 = 25000;
    let bare = text.strip_prefix('-').unwrap_or(text);
    let is_lost = bare.len() < text.len();
    let plies: u32 = match bare.strip_prefix('M') {
        Some(plies) => plies.parse().ok()?,
        None => match bare.parse().ok()? {
            value @ ..=TABLEBASE_WIN => {
                let value = i64::from(value);
                return Centipawns::new(if is_lost { -value } else { value });
            }
            value => MATE.checked_sub(value)?,
        },
    };
    match is_lost {
        true => Centipawns::gets_mated_in_plies(plies),
        false => Centipawns::gives_mate_in_plies(plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_of_chessdb_are_counted_in_plies() {
        // 32767 - plies, -32767 + plies (EPD 5.6).
        for (text, expected) in [
            ("95", Some(95)),
            ("-7", Some(-7)),
            ("M13", Some(32754)),
            ("-M12", Some(-32755)),
            ("29987", Some(32754)),
            ("-29988", Some(-32755)),
            // Wins of tablebases.
            ("24990", Some(24990)),
            ("-20001", Some(-20001)),
            ("30000", None),
            ("30001", None),
            ("M0", None),
            ("mated", None),
            ("--7", None),
            ("-", None),
            ("", None),
        ] {
            let found = chessdb_evaluation(text).map(|ce| i64::from(ce.get()));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_number_of_moves_until_mate_has_a_sign() {
        for (text, expected) in [
            ("#4", Some(4)),
            ("#+4", Some(4)),
            ("#-4", Some(-4)),
            ("-4", Some(-4)),
            ("#x", None),
            ("#", None),
        ] {
            assert_eq!(mate_count(text), expected, "{text}");
        }
    }
}
