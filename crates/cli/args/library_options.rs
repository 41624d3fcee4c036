//! The options that the library declares, as arguments.

use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use pgn2epd::{OptionError, OptionSpec, Options, PRESETS, ValueKind, Visibility};

/// The options of a conversion, as declared by the library.
#[derive(Debug)]
pub(crate) struct LibraryOptions {
    /// The names and values given.
    given: Vec<(&'static str, String)>,
}

impl LibraryOptions {
    /// Returns the options, or the conflict between those given. The name of the output may select the format if no option does.
    pub(crate) fn options(&self, output: Option<&Path>) -> Result<Options, OptionError> {
        let given = self.given.iter().map(|(name, value)| (*name, &**value));
        match output {
            Some(output) => Options::from_names_for(given, output),
            None => Options::from_names(given),
        }
    }
}

impl clap::Args for LibraryOptions {
    fn augment_args(command: Command) -> Command {
        let args = Options::SPECS.iter().map(arg);
        command.arg(preset()).args(args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for LibraryOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let names = Options::SPECS.iter().map(|spec| (spec.name, spec.kind));
        let mut given = Vec::new();
        for (name, kind) in names.chain([("preset", ValueKind::Keyword)]) {
            if matches.value_source(name) != Some(ValueSource::CommandLine) {
                continue;
            }
            if kind == ValueKind::Flag {
                given.push((name, "true".to_owned()));
                continue;
            }
            let values = matches.get_many::<String>(name).into_iter().flatten();
            given.extend(values.map(|value| (name, value.clone())));
        }
        Ok(LibraryOptions { given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the argument for an option.
fn arg(spec: &'static OptionSpec<Options>) -> Arg {
    let mut arg = Arg::new(spec.name)
        .long(spec.name)
        .short(spec.short)
        .help_heading(spec.heading)
        .help(spec.help())
        .hide(spec.visibility == Visibility::Hidden)
        .hide_short_help(spec.visibility == Visibility::Full);
    if let Some(help) = spec.long_help() {
        arg = arg.long_help(help);
    }
    if let Some(other) = spec.requires {
        arg = arg.requires(other);
    }
    if let Some(default) = spec.default_value() {
        arg = arg.default_value(default);
    }
    if spec.kind == ValueKind::Flag {
        return arg.action(ArgAction::SetTrue);
    }
    arg = arg
        .value_name(spec.value_name)
        .allow_hyphen_values(spec.allows_hyphen)
        .action(if spec.repeats { ArgAction::Append } else { ArgAction::Set });
    match spec.keywords() {
        keywords if keywords.is_empty() => {
            arg.value_parser(|value: &str| spec.check(value).map(|()| value.to_owned()))
        }
        keywords => arg.value_parser(keyword_parser(keywords)),
    }
}

fn keyword_parser(keywords: Vec<(&'static str, &'static str)>) -> PossibleValuesParser {
    keywords.into_iter().map(|(word, help)| PossibleValue::new(word).help(help)).into()
}

/// Returns the argument for the presets of the library.
fn preset() -> Arg {
    let presets = PRESETS.iter().map(|preset| (preset.name, preset.help)).collect();
    Arg::new("preset")
        .long("preset")
        .value_name("NAME")
        .help_heading("Records")
        .help("Use a set of options for a purpose; options given on the command line override it")
        .value_parser(keyword_parser(presets))
}
