//! What was typed to convert games.

mod words;

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use pgn2epd::{
    CastlingStyle, Conflicts, EnPassantPolicy, Filter, Misfit, NameSource, OnError, Ops, Options,
    RegisterStyle, Sample, Skip, Template,
};

pub(in crate::cli) use self::words::SummaryForm;
pub(super) use self::words::{Bad, Castling, Ep};
use self::words::{Conflict, Format, Names, Registers, Stay};
use super::name::OpeningTables;
use super::preset::Preset;
use super::values::{Bytes, Jobs, Letters, Plies, Size};

const OPS_HELP: &str = "\
Operations, in any order, with commas between, or none [default: c,eco,fmvn,hmvc,nic,sm,v in epd, none in the others]

The game:     c (c0 the game, c1 the comment on the position), fmvn, hmvc, sm (the move played)
The opening:  eco, nic, v (v0-v9, its names)
An engine:    acd, acn, acs, ce, dm, pv, from the comments of Lichess, cutechess, fastchess, TCEC and others; ce is the
              view of the side to move
By the rules: rc (how often the position was there), draw_claim, resign";

const OP_HELP: &str = "\
Add an operation made from tags and facts; may be given several times: --op 'c9={Result}' --op 'id={White}-{Black}.{ply}'

{Name} with a capital letter is a tag; facts are
  ply, move   plies played before the position; the number of its move
  san, uci    the move played from it
  turn, fen   w or b; the six fields
  key         Polyglot's key of the position, 16 hexadecimal digits
  eval        what an engine thought of it, as in ce: centipawns from the view of the side to move
  clock       the seconds left to the player who has just moved
  game, line  the number of the game, and the line of the file where it begins
  file        the name of the file
{Name|text} says what to take where there is none, else the record has no such operation. {{ and }} are braces.
A number stays a number, and moves are checked and written in SAN, where the opcode takes them";

/// Everything about a conversion.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Convert {
    /// Files of games, converted one after the other; none, or -, for standard input. They may be
    /// compressed (gzip, bzip2, zstd, xz) or archives of .pgn files (zip, 7z), whatever their names
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(in crate::cli) records: Records,

    #[command(flatten)]
    positions: Positions,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    pub(in crate::cli) run: Run,

    #[command(flatten)]
    pub(in crate::cli) messages: Messages,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What a record looks like")]
pub(in crate::cli) struct Records {
    /// Options for a purpose; those that are typed win over those of the preset
    #[arg(long, value_name = "NAME", value_enum)]
    preset: Option<Preset>,

    /// The form of a record; from c9 on positions with the result of their game, for tuning
    #[arg(long, value_enum, default_value_t = Format::Epd)]
    format: Format,

    /// Operations, with commas between, or none [default: c,eco,fmvn,hmvc,nic,sm,v in epd, none in the others]
    #[arg(long, value_name = "LIST", long_help = OPS_HELP)]
    ops: Option<Ops>,

    /// How to keep up c0-c9, v0-v9, eco and nic
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Registers::Delta)]
    registers: Registers,

    /// Where the names of openings come from: eco, nic, v0-v9
    #[arg(long, value_name = "SOURCE", value_enum, default_value_t = Names::Table)]
    names: Names,

    #[command(flatten)]
    pub(in crate::cli) openings: OpeningTables,

    /// Add an operation made from tags and facts, as 'c9={Result}'; may be given several times
    #[arg(long = "op", value_name = "OPCODE=TEMPLATE", long_help = OP_HELP)]
    templates: Vec<Template>,

    /// Write the positions of variations too, each marked with the operation Rav
    #[arg(long)]
    variations: bool,

    /// Leave commands such as [%csl Ra1] and [%clk 0:01:00] in the text of comments
    #[arg(long)]
    keep_commands: bool,

    /// When to give the en passant square
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Ep::Always)]
    ep: Ep,

    /// How to write castling rights
    #[arg(long, value_name = "STYLE", value_enum, default_value_t = Castling::Xfen)]
    castling: Castling,

    /// Put an empty line behind the records of each game
    #[arg(long)]
    blank_line: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which positions")]
struct Positions {
    /// Leave out the position that a game starts from
    #[arg(long)]
    skip_start: bool,

    /// Only positions after so many plies, as 8..24, 8.., ..24 or 16; 0 is the start
    #[arg(long, value_name = "FIRST..LAST", allow_hyphen_values = true)]
    ply: Option<Plies>,

    /// Only positions after so many plies or more, like --ply N..
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    min_ply: u32,

    /// Positions in which the side to move is in check
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Stay::Keep)]
    in_check: Stay,

    /// Positions from which the move played is a capture, a promotion or a check; without a move a position stays
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Stay::Keep)]
    captures: Stay,

    /// Only positions evaluated within N centipawns of 0; a mate is beyond, and without an evaluation a position stays
    #[arg(long, value_name = "N")]
    max_eval: Option<u32>,

    /// Only the position that a game ends with, as for a book of openings
    #[arg(long)]
    last: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How to read")]
struct Reading {
    /// The language of the pieces' letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk
    #[arg(long, value_name = "CODE", default_value = "en", long_help = LANGUAGE_HELP)]
    language: Letters,

    /// Play null moves (--, Z0, 0000 ...), which are errors otherwise
    #[arg(long)]
    null_moves: bool,

    /// Tell of what the standard has otherwise though it changes nothing: odd spellings, missing results
    #[arg(long)]
    notes: bool,

    /// Every departure from the PGN standard is an error; what has one reading is played all the same
    #[arg(long)]
    strict: bool,
}

const LANGUAGE_HELP: &str = "\
The language of the pieces' letters: cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv or uk; figurines are read in \
all of them. With auto it is found out, game by game: English if all moves of the main line are legal in English, else the language \
in which they are, unless two of them play different moves";

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which of them")]
struct Choice {
    /// Only games and positions for which this holds, as 'WhiteElo >= 2400 and Result = "1-0" and ply > 20'
    ///
    /// Names with a capital are tags; ply, move, pieces, turn, check, plies and elo are facts. With a number a tag is compared as a
    /// number, dates as far as they are given. = != < <= > >=, ~ for "contains", and, or, not, parentheses.
    #[arg(long = "where", value_name = "CONDITION")]
    filter: Option<Filter>,

    /// Equal positions with other results, in the formats from c9 on; equal is what it is for --unique
    ///
    /// But for keep, all positions are held in memory until the end, some 250 bytes for each that is not equal to another.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Conflict::Keep)]
    conflicts: Conflict,

    /// Of equal positions only the first; en passant counts where it is legal
    #[arg(long)]
    unique: bool,

    /// Leave out the first N positions
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    skip: u64,

    /// At most N positions
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// N positions drawn by chance, each as likely as any other, in their order
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// What chance begins with: the same seed draws the same
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "sample")]
    seed: u64,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How to run")]
pub(in crate::cli) struct Run {
    /// Write to a file; it is replaced only when all has gone well
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Threads that work [default: as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,

    /// Only the games of one file whose first byte lies in this range, as `pgn2epd splits` prints them
    ///
    /// However a file is cut into ranges, each game is converted once. Lines and games are counted from where the range's first game
    /// begins, which is said as FILE@BYTE; what is chosen, as with --unique or --limit, is chosen within the range. Of compressed files see
    /// `pgn2epd splits --help`.
    #[arg(long, value_name = "START:END")]
    pub(in crate::cli) range: Option<Bytes>,

    /// What to do with a game that has an error
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Bad::Keep)]
    on_error: Bad,

    /// The largest game to read, in bytes, or with K, M or G; memory is bounded by it
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    max_game_bytes: Size,

    /// Bytes to work on at once; it changes nothing about the output
    #[arg(long, value_name = "SIZE", hide = true, default_value = "256K")]
    chunk_bytes: Size,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What to say")]
pub(in crate::cli) struct Messages {
    /// Write every problem to a file, as a line of JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) report: Option<PathBuf>,

    /// Say at the end what was done: games, positions, errors, bytes, seconds
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub(in crate::cli) summary: Option<SummaryForm>,

    /// Say nothing but why the run failed, if it did
    #[arg(short, long, conflicts_with = "progress")]
    pub(in crate::cli) quiet: bool,

    /// Show how far it is [default: on a terminal, unless the records go there too]
    #[arg(long)]
    pub(in crate::cli) progress: bool,
}

impl Convert {
    pub(super) fn preset(&self) -> Option<Preset> {
        self.records.preset
    }

    /// What was asked for and cannot be had together.
    pub(in crate::cli) fn misfit(&self) -> Option<String> {
        let misfit = self.options().misfit()?;
        let name = self.records.format.to_possible_value();
        let name = name.as_ref().map_or("", |name| name.get_name());
        Some(match misfit {
            Misfit::Operations(_) => format!(
                "--format {name} has no operations: leave out --ops and --op, and presets with them"
            ),
            Misfit::Variations(_) => format!(
                "--format {name} has no positions of variations: the result is that of the main line"
            ),
            Misfit::Means(_) => format!(
                "--conflicts mean is not for --format {name}, which has no results between a draw and a win; \
                 use drop, or bracket, bullet or csv"
            ),
            _ => format!(
                "--conflicts is for formats with results (c9, bracket, bullet, csv, plain), not for {name}"
            ),
        })
    }

    /// What the library is to do.
    pub(in crate::cli) fn options(&self) -> Options {
        let Plies { first, last } = self.positions.ply.unwrap_or_default();
        Options {
            format: self.records.format.form(),
            en_passant: match self.records.ep {
                Ep::Always => EnPassantPolicy::Always,
                Ep::Pseudo => EnPassantPolicy::Pseudo,
                Ep::Legal => EnPassantPolicy::Legal,
            },
            castling: match self.records.castling {
                Castling::Xfen => CastlingStyle::XFen,
                Castling::Shredder => CastlingStyle::Shredder,
                Castling::Standard => CastlingStyle::Standard,
            },
            ops: self.records.ops,
            registers: match self.records.registers {
                Registers::Delta => RegisterStyle::Delta,
                Registers::Full => RegisterStyle::Full,
                Registers::Off => RegisterStyle::Off,
            },
            names: match self.records.names {
                Names::Table => Options::default().names,
                Names::Tags => NameSource::Tags,
                Names::Off => NameSource::Off,
            },
            templates: self.records.templates.clone(),
            file: String::new(),
            variations: self.records.variations,
            keep_commands: self.records.keep_commands,
            language: self.reading.language.0,
            null_moves: self.reading.null_moves,
            notes: self.reading.notes,
            strict: self.reading.strict,
            first_ply: first.max(u32::from(self.positions.skip_start)).max(self.positions.min_ply),
            last_ply: last,
            only_final: self.positions.last,
            leave_out: Skip {
                in_check: self.positions.in_check == Stay::Skip,
                captures: self.positions.captures == Stay::Skip,
                beyond: self.positions.max_eval,
                ..Skip::default()
            },
            filter: self.choice.filter.clone(),
            conflicts: match self.choice.conflicts {
                Conflict::Keep => Conflicts::Keep,
                Conflict::Drop => Conflicts::Drop,
                Conflict::Mean => Conflicts::Mean,
            },
            unique: self.choice.unique,
            skip: self.choice.skip,
            limit: self.choice.limit,
            sample: self.choice.sample.map(|count| Sample { count, seed: self.choice.seed }),
            blank_line: self.records.blank_line,
            on_error: match self.run.on_error {
                Bad::Keep => OnError::Keep,
                Bad::Skip => OnError::Skip,
                Bad::Stop => OnError::Stop,
            },
            max_game_bytes: self.run.max_game_bytes.0,
            jobs: self.run.jobs.map(|Jobs(jobs)| jobs),
            chunk_bytes: self.run.chunk_bytes.0,
        }
    }
}

#[cfg(test)]
mod tests;
