//! Arguments of the command that checks files of positions.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use pgn2epd::epd::{CheckOptions, Consumer, Dialect, Form, Rewrite, Rules, Unreadable};
use pgn2epd::{CastlingStyle, EnPassantPolicy, FieldStyle, Format};

use super::damage::DamageArgs;
use super::values::{Jobs, words};

const AFTER_HELP: &str = "\
A problem is printed with its location, its level if it is a warning or a note, and the reason:
  suite.epd:12:32: e5: illegal: no white pawn can reach e5
Problems go to standard output, or to standard error if records go to standard output. The dialect of
a file is reported once. No output means that there are no problems.

--fix repairs everything that has exactly one reading, and omits comments and empty lines. Text after
the fields that cannot be read becomes a comment. Lines whose position cannot be read are written to
--rejects FILE; without that option their number and the first few of them are printed. With --unique,
records of equal positions are merged: their best moves are united, other operations are those of the
first record that has them.

Examples:
  pgn2epd check suite.epd
  pgn2epd check --stats --moves off book.epd
  pgn2epd check --fix --ep legal --unique book.epd -o clean.epd
  pgn2epd check --fix --format fen book.epd > book.fen
  pgn2epd check --fix suite.epd -o clean.epd --rejects unclear.epd

Exit status: 0 no errors, or with --fix nothing is lost; 1 errors, or with --fix something is rejected
or left out; 2 wrong arguments, or a file that cannot be read or written.";

/// Check files of positions: grammar, fields, operations, moves; repair, convert and count them.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Check {
    /// Files of positions, one per line, compressed or not, or - for standard input, the default
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// The dialect of all lines [default: detected for each line]
    #[arg(long, value_name = "NAME", value_parser = words::<Dialect>())]
    dialect: Option<Dialect>,

    /// Whether to play the moves in operands
    #[arg(long, value_name = "WHETHER", value_enum, default_value_t = Switch::On)]
    moves: Switch,

    /// Rules of all positions
    #[arg(long, value_name = "NAME", value_parser = words::<Rules>(), default_value = "auto")]
    variant: Rules,

    /// Refuse positions that no game leads to, even if moves can be played
    #[arg(long)]
    strict: bool,

    /// Also report what this program refuses or reads differently; may be repeated
    #[arg(long = "for", value_name = "PROGRAM", value_parser = words::<Consumer>())]
    consumers: Vec<Consumer>,

    /// Write the records in their normal form
    #[arg(long)]
    fix: bool,

    /// Format of the records that --fix writes [default: epd, or fen for a file .fen]
    #[arg(long, value_parser = words::<Form>(), requires = "fix")]
    format: Option<Form>,

    /// When --fix writes the en passant square
    #[arg(long, value_name = "WHEN", value_parser = words::<EnPassantPolicy>(), requires = "fix", default_value = "always")]
    ep: EnPassantPolicy,

    /// How --fix writes castling rights
    #[arg(long, value_name = "STYLE", value_parser = words::<CastlingStyle>(), requires = "fix", default_value = "xfen")]
    castling: CastlingStyle,

    /// What becomes of text that --fix cannot read
    #[arg(long, value_name = "WHAT", value_parser = words::<Unreadable>(), requires = "fix", default_value = "comment")]
    unreadable: Unreadable,

    /// Replace characters outside of ASCII in the records that --fix writes: Kröger becomes Kroger
    #[arg(long, requires = "fix")]
    ascii: bool,

    /// Write only the first of the records with equal positions; counters make no difference, en passant squares only if a capture is legal
    #[arg(long)]
    unique: bool,

    /// Count positions and different positions, in the terms used for the books of Stockfish
    #[arg(long)]
    pub(crate) stats: bool,

    /// Print problems and statistics as lines of JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the records to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write the lines whose position --fix cannot read to a file, unchanged
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) rejects: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) damage: DamageArgs,

    /// Print no problems; the exit status is 1 if there are errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Switch {
    /// Report illegal moves, and moves in a notation other than SAN
    On,
    /// Only check the grammar of moves, which is faster
    Off,
}

impl Check {
    /// Whether records are written in normal form.
    pub(crate) fn fixes(&self) -> bool {
        self.fix
    }

    fn form(&self) -> Form {
        let by_name = match self.output.as_deref().and_then(Format::of_file_name) {
            Some(Format::Fen) => Form::Fen,
            _ => Form::Epd,
        };
        self.format.unwrap_or(by_name)
    }

    /// Returns the format of the records that are written, as that of a conversion.
    pub(crate) fn written(&self) -> Format {
        match self.form() {
            Form::Fen => Format::Fen,
            _ => Format::Epd,
        }
    }

    /// Whether records are written.
    pub(crate) fn writes(&self) -> bool {
        self.fix || self.unique
    }

    /// Returns the options for the library.
    pub(crate) fn options(&self) -> CheckOptions {
        let style = FieldStyle { castling: self.castling, en_passant: self.ep };
        let form = self.form();
        CheckOptions {
            dialect: self.dialect,
            moves: matches!(self.moves, Switch::On),
            rules: self.variant,
            strict: self.strict,
            unreadable: self.unreadable,
            consumers: self.consumers.clone(),
            rewrite: match (self.fix, self.unique) {
                (true, _) => Some(Rewrite::Normal(form, style)),
                (false, true) => Some(Rewrite::AsTheyStand),
                (false, false) => None,
            },
            ascii: self.ascii,
            unique: self.unique,
            statistics: self.stats,
            jobs: self.jobs.map(|Jobs(jobs)| jobs),
        }
    }
}
