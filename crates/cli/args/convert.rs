//! Arguments for converting games.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use pgn2epd::{
    CastlingStyle, Conflicts, EnPassantPolicy, ExcludePositions, Filter, Format, KeepOrSkip,
    LabelForm, LongComments, NamesFrom, OnError, Ops, OptionConflict, Options, RegisterStyle,
    Sample, Template, Words,
};

use super::damage::DamageArgs;
use super::name::OpeningTables;
use super::preset::Preset;
use super::suffix;
use super::values::{Bytes, Jobs, LanguageChoice, Plies, Size, words};

const OPS_HELP: &str = "\
Operations in any order, separated by commas, or none [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats]

  The game:      c (c0 the game, c1 the comment on the position), fmvn, hmvc,
                 sm (the move played)
  The opening:   eco, nic, v (v0-v9, its names)
  Variations:    Rav (with --variations: the ply and the move at which a
                 variation begins, such as \"7 Be7\")
  An engine:     acd, acn, acs, ce, dm, pv, from comments of Lichess, cutechess,
                 fastchess, TCEC and others; ce is for the side to move
  By the rules:  rc (how often the position has occurred), draw_claim, resign";

const OP_HELP: &str = "\
Add an operation made from tags and variables; may be repeated: --op 'c9={Result}' --op 'id={White}-{Black}.{ply}'

{Name} with a capital letter is a tag; the others are variables:
  ply, move      plies played before the position; the number of its move
  san, uci       the move played from it
  turn, check    w or b; whether the side to move is in check: true or false
  epd, fen       the four fields; the six fields
  pieces         pieces on the board, kings and pawns included
  key            Polyglot's key of the position, 16 hexadecimal digits
  eval           engine evaluation in centipawns for the side to move, as in ce
  clock          remaining seconds of the player who has just moved
  nags           NAGs of the move that led to it, such as $1 $14; ! is $1, ? is $2
  eco, opening   code and name of the opening so far, from --names
  plies, elo     plies of the whole game; mean of WhiteElo and BlackElo
  game, line     number of the game in its file; line of the file where it begins
  file           name of the file
{Name|text} writes text if the value is missing or unknown (?, -, ????.??.??); without it the operation is \
omitted. {{ and }} are braces. The value gets the type of the opcode: string, number, or moves, which are checked and written in SAN.
tcri and tcsi take two strings: --op 'tcri=a@b.c|A B'; noop takes operands as they are: --op 'noop=1 \"x\" e4'.
draw_offer and draw_claim add the move played, sm; pm is omitted if it is not the first move of pv";

const WHERE_HELP: &str = "\
Only games and positions that match a condition: 'WhiteElo >= 2400 and Result = \"1-0\" and ply > 20'

A name with a capital letter is a tag; alone it is true if the game has it with a known value (not ?, -, ????.??.?? or, for Result, *). The \
others are variables of the position or the game, with the values and units of --op:
  numbers        ply, move, pieces, plies, line, clock (seconds), elo,
                 eval (centipawns for the side to move: > 0 if it is better)
  text           turn (w or b), san, uci, epd, fen, key, nags, eco, opening, file
  true or false  check
Comparisons are = != < <= > >= and ~ for \"contains\", ignoring case; text is in quotes. A tag is compared with a number as \
a number, and dates are compared to the precision given. With a missing value != is true and every other comparison is false. Conditions are combined with \
and, or, not and parentheses";

/// Everything about a conversion.
#[derive(Debug, clap::Args)]
pub(crate) struct Convert {
    /// PGN files, compressed or not, or - for standard input, the default
    ///
    /// Files may be compressed (gzip, bzip2, zstd, xz) or archives of .pgn files (zip, 7z); the format is detected
    /// from the content.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) records: Records,

    #[command(flatten)]
    positions: Positions,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    pub(crate) run: Run,

    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Records")]
pub(crate) struct Records {
    /// Use a set of options for a purpose; options given on the command line override it
    #[arg(long, value_name = "NAME", value_enum)]
    preset: Option<Preset>,

    /// Output format; the formats from c9 on are labels for tuning: positions with the result of their game
    #[arg(long, value_parser = words::<Format>(), default_value = "epd")]
    format: Format,

    /// Operations, separated by commas, or none [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats]
    #[arg(long, value_name = "LIST", long_help = OPS_HELP)]
    ops: Option<Ops>,

    /// How to write the registers c0-c9, v0-v9, eco and nic: changes only, all, or none [default: delta; full with --unique, --skip, --limit, --sample]
    #[arg(long, value_name = "HOW", value_parser = words::<RegisterStyle>(), hide_short_help = true)]
    registers: Option<RegisterStyle>,

    /// Source of the opening names in eco, nic and v0-v9
    #[arg(long, value_name = "SOURCE", value_parser = words::<NamesFrom>(), default_value = "table", hide_short_help = true)]
    names: NamesFrom,

    #[command(flatten)]
    pub(crate) openings: OpeningTables,

    /// Add an operation made from tags and variables, such as 'c9={Result}'; may be repeated
    #[arg(long = "op", value_name = "OPCODE=TEMPLATE", long_help = OP_HELP, hide_short_help = true)]
    templates: Vec<Template>,

    /// Also write the positions of variations, each with the operation Rav
    #[arg(long, hide_short_help = true)]
    variations: bool,

    /// Keep commands such as [%csl Ra1] and [%clk 0:01:00] in the text of comments
    #[arg(long, hide_short_help = true)]
    keep_commands: bool,

    /// What to do with comments longer than 255 bytes, the limit for strings in EPD
    #[arg(long, value_name = "WHAT", value_parser = words::<LongComments>(), default_value = "cut", hide_short_help = true)]
    long_comments: LongComments,

    /// Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger
    #[arg(long, hide_short_help = true)]
    ascii: bool,

    /// When to write the en passant square
    #[arg(long, value_name = "WHEN", value_parser = words::<EnPassantPolicy>(), default_value = "always")]
    ep: EnPassantPolicy,

    /// How to write castling rights
    #[arg(long, value_name = "STYLE", value_parser = words::<CastlingStyle>(), default_value = "xfen", hide_short_help = true)]
    castling: CastlingStyle,

    /// Write an empty line after the records of each game
    #[arg(long, hide_short_help = true)]
    blank_line: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Positions")]
struct Positions {
    /// Omit the starting position of each game
    #[arg(long, hide_short_help = true)]
    skip_start: bool,

    /// Only positions after this number of plies: 8..24, 8.., ..24 or 16; 0 is the start
    #[arg(long, value_name = "FIRST..LAST", allow_hyphen_values = true)]
    ply: Option<Plies>,

    /// Only positions after N or more plies, like --ply N..
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        hide_short_help = true
    )]
    min_ply: u32,

    /// Whether to keep positions in which the side to move is in check
    #[arg(long, value_name = "WHAT", value_parser = words::<KeepOrSkip>(), default_value = "keep", hide_short_help = true)]
    in_check: KeepOrSkip,

    /// Whether to keep positions in which the move played is a capture, a promotion or a check
    #[arg(long, value_name = "WHAT", value_parser = words::<KeepOrSkip>(), default_value = "keep", hide_short_help = true)]
    captures: KeepOrSkip,

    /// Omit positions with an evaluation beyond N centipawns, or a mate; positions without one are kept
    #[arg(long, value_name = "N", hide_short_help = true)]
    max_eval: Option<u32>,

    /// Only the last position of each game
    #[arg(long)]
    last: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
struct Reading {
    /// Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk
    #[arg(long, value_name = "CODE", default_value = "en", long_help = LANGUAGE_HELP, hide_short_help = true)]
    language: LanguageChoice,

    /// Accept null moves (--, Z0, 0000 ...), which are otherwise errors
    #[arg(long, hide_short_help = true)]
    null_moves: bool,

    /// Report harmless departures from the PGN standard: unusual spellings, missing results
    #[arg(long, hide_short_help = true)]
    notes: bool,

    /// Treat every departure from the PGN standard as an error; unambiguous moves are still played
    #[arg(long, hide_short_help = true)]
    strict: bool,
}

const LANGUAGE_HELP: &str = "\
Language of the piece letters: cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv or uk; figurines are read in \
all of them. With auto the language is detected for each game: English if all moves of the main line are legal in English, otherwise \
the language in which they are, unless they are different moves in two of them";

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Selection")]
struct Choice {
    /// Only games and positions that match a condition: 'WhiteElo >= 2400 and Result = "1-0" and ply > 20'
    #[arg(long = "where", value_name = "CONDITION", long_help = WHERE_HELP)]
    filter: Option<Filter>,

    /// What to do with equal positions that have different results, in the formats from c9 on
    ///
    /// Positions are compared as with --unique. With drop and mean all positions are held in memory, about 250 bytes each.
    #[arg(long, value_name = "HOW", value_parser = words::<Conflicts>(), default_value = "keep", hide_short_help = true)]
    conflicts: Conflicts,

    /// Only the first of equal positions; the en passant square counts if a capture is legal
    #[arg(long)]
    unique: bool,

    /// Omit the first N positions
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        hide_short_help = true
    )]
    skip: u64,

    /// At most N positions
    #[arg(long, value_name = "N", hide_short_help = true)]
    limit: Option<u64>,

    /// N positions at random, each equally likely, in their order
    #[arg(long, value_name = "N", hide_short_help = true)]
    sample: Option<u64>,

    /// Random seed: the same seed selects the same positions
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 0,
        requires = "sample",
        hide_short_help = true
    )]
    seed: u64,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Run {
    /// Write to a file, which is replaced when everything has been written
    ///
    /// The suffix of the name does not select the format; see --format.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,

    /// Only the games whose first byte is in this range of the file, as printed by `pgn2epd splits`
    ///
    /// However a file is divided into ranges, each game is converted once. Lines and games are counted from the first game of the range, which
    /// is printed as FILE@BYTE; --unique, --limit and the like apply within the range. For compressed files see `pgn2epd splits --help`.
    #[arg(long, value_name = "START:END", hide_short_help = true)]
    pub(crate) range: Option<Bytes>,

    /// What to do with a game that has an error
    #[arg(long, value_name = "WHAT", value_parser = words::<OnError>(), default_value = "keep")]
    on_error: OnError,

    #[command(flatten)]
    pub(crate) damage: DamageArgs,

    /// Maximum size of a game in bytes, or with K, M or G; it bounds memory
    #[arg(long, value_name = "SIZE", default_value = "64M", hide_short_help = true)]
    max_game_bytes: Size,

    /// Size of a chunk in bytes; it does not affect the output
    #[arg(long, value_name = "SIZE", hide = true, default_value = "256K")]
    chunk_bytes: Size,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Messages {
    /// Write every problem to a file as a line of JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) report: Option<PathBuf>,

    /// Print a summary at the end: games, positions, errors, bytes, seconds
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text", hide_short_help = true)]
    pub(crate) summary: Option<SummaryForm>,

    /// Print no messages, except why the run failed
    #[arg(short, long, conflicts_with = "progress", hide_short_help = true)]
    pub(crate) quiet: bool,

    /// Show a progress bar [default: on a terminal, unless the records are written there too]
    #[arg(long, hide_short_help = true)]
    pub(crate) progress: bool,
}

/// The form of the summary.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SummaryForm {
    /// A line of text
    Text,
    /// A JSON object
    Json,
}

impl Convert {
    pub(super) fn preset(&self) -> Option<Preset> {
        self.records.preset
    }

    /// Returns the conflict between the given options, if any.
    pub(crate) fn conflict(&self) -> Option<String> {
        let name = self.records.format.word();
        let is_csv = self.records.format == Format::Label(LabelForm::CChessCli);
        let table = suffix::of_table(self.run.output.as_deref());
        if let Some(suffix) = table.filter(|suffix| !(is_csv && *suffix == "csv")) {
            return Some(format!(
                "-o: the format is {name}, not {suffix}; `pgn2epd book` writes counted positions as .{suffix}, \
                 and `to_arrow` of the Python package makes tables of positions"
            ));
        }
        let conflict = self.options().conflict()?;
        Some(match conflict {
            OptionConflict::Operations(_) => format!(
                "--format {name} has no operations: omit --ops, --op and presets that contain them"
            ),
            OptionConflict::Variations(_) => format!(
                "--format {name} has no positions of variations: the result is that of the main line"
            ),
            OptionConflict::Means(_) => format!(
                "--conflicts mean is not for --format {name}, which has no results between a draw and a win; \
                 use drop, or bracket, bullet or c-chess-cli"
            ),
            _ => format!(
                "--conflicts is for formats with results (c9, bracket, bullet, c-chess-cli, plain), not for {name}"
            ),
        })
    }

    /// Returns the options for the library.
    pub(crate) fn options(&self) -> Options {
        let Plies { first, last } = self.positions.ply.unwrap_or_default();
        Options {
            format: self.records.format,
            en_passant: self.records.ep,
            castling: self.records.castling,
            ops: self.records.ops,
            registers: self.records.registers,
            names: self.records.names.into(),
            templates: self.records.templates.clone(),
            file: String::new(),
            variations: self.records.variations,
            keep_commands: self.records.keep_commands,
            long_comments: self.records.long_comments,
            ascii: self.records.ascii,
            language: self.reading.language.0,
            null_moves: self.reading.null_moves,
            notes: self.reading.notes,
            strict: self.reading.strict,
            first_ply: first.max(u32::from(self.positions.skip_start)).max(self.positions.min_ply),
            last_ply: last,
            only_final: self.positions.last,
            exclude: ExcludePositions {
                in_check: self.positions.in_check == KeepOrSkip::Skip,
                captures: self.positions.captures == KeepOrSkip::Skip,
                beyond: self.positions.max_eval,
            },
            filter: self.choice.filter.clone(),
            conflicts: self.choice.conflicts,
            unique: self.choice.unique,
            skip: self.choice.skip,
            limit: self.choice.limit,
            sample: self.choice.sample.map(|count| Sample { count, seed: self.choice.seed }),
            blank_line: self.records.blank_line,
            on_error: self.run.on_error,
            on_damage: self.run.damage.on_damage(),
            max_game_bytes: self.run.max_game_bytes.0,
            jobs: self.run.jobs.map(|Jobs(jobs)| jobs),
            chunk_bytes: self.run.chunk_bytes.0,
        }
    }
}

#[cfg(test)]
mod tests;
