//! Presets: named groups of options.

use std::ffi::OsString;

use clap::ValueEnum;
use clap::parser::ValueSource;

/// A list of ordinary options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// Openings for engine matches, which cutechess, fastchess and python-chess read in the same way: --format epd --ops fmvn,hmvc --registers
    /// off --ep legal --castling standard. Castling rights of Chess960 become KQkq. Add --last for one position per game
    Match,
    /// A test suite with the move played as bm: --where 'san != ""' --format epd --ops none --registers off --ep legal --op
    /// bm={san} --op 'id={White|?} - {Black|?} {Date|?}, ply {ply}'. The condition omits the
    /// last position of a game; a --where of your own replaces it, so add 'and san != ""' to yours. Add --unique
    Suite,
    /// Quiet positions with the result, for tuning: --format c9 --ep legal --in-check skip --captures skip
    Tuning,
}

impl Preset {
    fn options(self) -> &'static [(&'static str, &'static str)] {
        let name = self.to_possible_value();
        name.and_then(|name| pgn2epd::preset(name.get_name())).unwrap_or_default()
    }

    /// Returns the command line `given`, as parsed by `command`, preceded by those options of the
    /// preset that it does not contain.
    pub(super) fn put_before(self, given: &[OsString], command: clap::Command) -> Vec<OsString> {
        let matches = command.clone().get_matches_from(given);
        let is_given = |long: &str| {
            let arg = command.get_arguments().find(|arg| arg.get_long() == Some(long));
            let source = arg.and_then(|arg| matches.value_source(arg.get_id().as_str()));
            source == Some(ValueSource::CommandLine)
        };
        let (program, rest) = given.split_at(1.min(given.len()));
        let options = self.options().iter().filter(|(long, _)| !is_given(long));
        let options = options.map(|(long, value)| OsString::from(format!("--{long}={value}")));
        program.iter().cloned().chain(options).chain(rest.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Args;

    #[test]
    fn the_help_of_a_preset_lists_its_options() {
        for preset in Preset::value_variants() {
            let help = preset.to_possible_value().unwrap().get_help().unwrap().to_string();
            let help = help.replace('\'', "");
            for (long, value) in preset.options() {
                assert!(
                    help.contains(&format!("--{long} {value}")),
                    "{preset:?}: --{long} {value}"
                );
            }
            assert_eq!(
                help.matches("--").count() - count_of_advice(*preset),
                preset.options().len()
            );
        }
    }

    /// Number of options that are only mentioned in the help.
    fn count_of_advice(preset: Preset) -> usize {
        match preset {
            Preset::Match => 1,
            Preset::Suite => 2,
            Preset::Tuning => 0,
        }
    }

    #[test]
    fn given_options_override_a_preset() {
        let given =
            ["pgn2epd", "--ep", "always", "--preset", "tuning", "a.pgn"].map(OsString::from);
        let all = Preset::Tuning.put_before(&given, Args::command());
        let expected =
            ["pgn2epd", "--format=c9", "--in-check=skip", "--captures=skip", "--ep", "always"];
        assert_eq!(all[..6], expected.map(OsString::from));
    }
}
