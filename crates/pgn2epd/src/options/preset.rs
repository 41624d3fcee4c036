//! Presets: named groups of options.

use std::str::FromStr;

use san::UnknownKeyword;

/// A named group of options. Options that are set explicitly override it.
///
/// ```
/// let tuning: pgn2epd::options::Preset = "tuning".parse()?;
/// assert_eq!(tuning.options[0], ("format", "c9"));
/// # Ok::<_, pgn2epd::options::UnknownKeyword>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it is for, and its options.
    pub help: &'static str,
    /// The names and values of the options.
    pub options: &'static [(&'static str, &'static str)],
}

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "fishnet-evals",
        help: "Evaluated positions with the columns of the data set fishnet-evals of Lichess, for White: --columns \
            fen,cp=white_cp,mate=white_mate,move=uci --omit unevaluated --ep legal. The move is the one played. Add -o evals.parquet",
        options: &[
            ("ep", "legal"),
            ("columns", "fen,cp=white_cp,mate=white_mate,move=uci"),
            ("omit", "unevaluated"),
        ],
    },
    Preset {
        name: "match",
        help: "Openings for engine matches, which cutechess, fastchess and python-chess read in the same way: --format epd --ops fmvn,hmvc \
            --registers off --ep legal --castling standard --omit finished. Castling rights of Chess960 become KQkq. Add --last for one \
            position per game",
        options: &[
            ("format", "epd"),
            ("ops", "fmvn,hmvc"),
            ("registers", "off"),
            ("ep", "legal"),
            ("castling", "standard"),
            ("omit", "finished"),
        ],
    },
    Preset {
        name: "suite",
        help: "A test suite with the move played as bm: --where san --format epd --ops none --registers off --ep legal --add \
            bm={san} --add 'id={White|?} - {Black|?} {Date|?}, ply {ply}'. The condition omits the last position of a game; a --where of \
            your own replaces it, so add 'and san' to yours. Add --unique",
        options: &[
            // A program that runs a test suite stops at a record without `bm`, such as the last
            // position of a game.
            ("where", "san"),
            ("format", "epd"),
            ("ops", "none"),
            ("registers", "off"),
            ("ep", "legal"),
            ("add", "bm={san}"),
            ("add", "id={White|?} - {Black|?} {Date|?}, ply {ply}"),
        ],
    },
    Preset {
        name: "tuning",
        help: "Quiet positions with the result, for tuning: --format c9 --ep legal --omit check,captures,promotions,checking-moves",
        options: &[
            ("format", "c9"),
            ("ep", "legal"),
            ("omit", "check,captures,promotions,checking-moves"),
        ],
    },
];

pub(crate) fn preset(presets: &[Preset], name: &str) -> Result<Preset, UnknownKeyword> {
    let found = presets.iter().copied().find(|preset| preset.name == name);
    found.ok_or_else(|| UnknownKeyword::new(presets.iter().map(|preset| preset.name)))
}

impl FromStr for Preset {
    type Err = UnknownKeyword;

    fn from_str(name: &str) -> Result<Self, UnknownKeyword> {
        preset(PRESETS, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_of_a_preset_lists_its_options() {
        // Options that are only mentioned: --last; --where and --unique.
        for (preset, mentioned) in PRESETS.iter().zip([0, 1, 2, 0]) {
            let help = preset.help.replace('\'', "");
            for (name, value) in preset.options {
                let option = format!("--{name} {value}");
                assert!(help.contains(&option), "{}: {option}", preset.name);
            }
            let count = preset.options.len() + mentioned;
            assert_eq!(help.matches("--").count(), count, "{}", preset.name);
        }
    }
}
