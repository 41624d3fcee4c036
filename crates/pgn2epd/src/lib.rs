//! Converts chess games (PGN) to positions (EPD): one record for the start of each game and one
//! after every ply.
//!
//! # Which function do I want?
//!
//! | I have | I want | function |
//! | --- | --- | --- |
//! | a list of moves | the positions | [`epdlist`], [`epdlist_from`] |
//! | a stream of PGN, records, labels or training data | a stream of records, on all cores, in constant memory | [`convert`], [`convert_observed`], [`Conversion`] |
//! | a stream of PGN | the records one by one, as values with position, move, tags and operations | [`records`] |
//! | a stream of PGN | the games one by one, with their tags, positions and problems | [`games`] |
//! | a stream of PGN | a visitor of [`pgn_reader`] run over all games, on all cores | [`visit()`] |
//! | files, archives, streams | their texts, with names and progress | [`input::Inputs`] |
//! | a stream of PGN | columns as values or Arrow arrays | [`Conversion::to_rows`], the module `arrow` |
//! | a stream of PGN | a table as CSV, JSON lines, Arrow or Parquet | [`convert`] with a [`Format::Table`](options::Format::Table) |
//! | two streams of records | one with the operations of the other, or their differences | [`join::Join`] |
//! | a stream of EPD | diagnostics, repaired records, statistics | [`epd::Checker`] |
//! | a line of EPD | its fields and operations | [`epd::Record`], [`epd::read_line`] |
//! | games | an opening book | [`book::Counting`] |
//! | positions or games | diagrams | [`diagram`] |
//! | a file that several machines share | ranges, and the games of one range | [`Input::splits`](input::Input::splits), [`input::part`] |
//! | a program that uses Chess::PGN::EPD | its functions under their names | [`perl`] |
//!
//! ```
//! let positions = pgn2epd::epdlist(["e4", "c5"])?;
//! assert_eq!(positions[0], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3");
//! assert_eq!(positions[1], "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6");
//! # Ok::<_, pgn2epd::EpdListError>(())
//! ```
//!
//! The same options apply to text, values and columns; here to an iterator:
//!
//! ```
//! use pgn2epd::{Options, records};
//!
//! let pgn = &b"[White \"A\"] 1. e4 e5 2. Nf3 *"[..]; // or a file, compressed or not
//! let options = Options::from_names([("where", "turn = \"b\""), ("ops", "sm")])?;
//! for record in records(pgn, &options) {
//!     println!("{}", record?);
//! }
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! The folder `examples` has programs: `records` reads a stream, `table` consumes columns,
//! `visitor` counts moves on all cores, `book` writes an opening book; `epdlist`, `epdstr` and `taxonomy` are the samples of Chess::PGN::EPD.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `book` | yes | the module `book`: opening books |
//! | `gzip`, `bzip2`, `zstd` | yes | reading .gz, .bz2, .zst; `zstd` needs a C compiler |
//! | `zip` | yes | reading archives; members compressed with bzip2 or zstd need that feature, too |
//! | `xz`, `7z` | no | reading .xz, which needs a C compiler, and .7z |
//! | `compression` | no | all of these |
//! | `png` | no | PNG diagrams: some 30 crates |
//! | `arrow` | no | tables and books as Arrow and Parquet: a minute of build time |
//! | `serde` | no | `Serialize` and `Deserialize` for positions, EPD records, operations, options and totals; `Serialize` for problems |
//! | `engine` | no | the module `analyse`: positions evaluated, and test suites solved, by engines |
//! | `output` | yes | the module `output`: files that are replaced at once, and a guard that keeps outputs apart from inputs |
//!
//! `pgn2epd = { version = "0.1", default-features = false }` is enough to convert games, to check
//! records and to draw diagrams; it needs no C compiler, and fewer than 45
//! crates. A compressed input whose feature is missing is an error that names it.
//!
//! # Errors
//!
//! Errors in games are values: a [`Problem`] has a location and a reason, and does not affect valid
//! data around it. All errors and problems implement [`std::error::Error`], so that `?` works:
//!
//! ```
//! fn checked(pgn: &'static [u8]) -> Result<(), Box<dyn std::error::Error>> {
//!     let options = pgn2epd::Options::from_names([("strict", "true")])?;
//!     for game in pgn2epd::games(pgn, &options) {
//!         game?.into_result()?;
//!     }
//!     Ok(())
//! }
//! let error = checked(b"1. e4 e5").unwrap_err();
//! assert_eq!(error.to_string(), "1:9: game 1, the game has no result");
//! ```

#[cfg(feature = "engine")]
pub mod analyse;
#[cfg(feature = "book")]
pub mod book;
mod convert;
mod data_set;
pub mod diagram;
pub mod epd;
mod epdlist;
mod games;
mod inputs;
pub mod join;
pub mod options;
#[cfg(feature = "output")]
mod output_files;
pub mod perl;
mod run;
#[cfg(feature = "serve")]
pub mod serve;
mod summary;

pub use convert::{Conversion, ConvertError, convert, convert_observed};
pub use emit::{Game, PlayedPosition, Problem};
pub use epdlist::{EpdListError, epdlist, epdlist_from};
pub use games::{GameError, Values, games, records, visit};
pub use options::{OptionError, Options};
pub use pgn::Outcome;
pub use san::Position;
pub use summary::{Observer, Summary};

/// Rows as Arrow arrays, which share their memory.
///
/// ```
/// use pgn2epd::{Conversion, Options, arrow};
/// use pgn2epd::table::ColumnList;
///
/// let list: ColumnList = "ply,uci,White".parse()?;
/// let schema = arrow::schema(&list);
/// let mut batches = Vec::new();
/// let mut conversion = Conversion::to_rows(list.columns(), &Options::default(), |rows| {
///     batches.push(arrow::record_batch(rows, &schema).map_err(std::io::Error::other)?);
///     Ok(())
/// });
/// conversion.input(&b"[White \"Anderssen\"]\n\n1. e4 e5 *"[..], &mut ())?;
/// conversion.finish()?;
/// assert_eq!((batches[0].num_rows(), batches[0].num_columns()), (3, 3));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "arrow")]
pub mod arrow {
    pub use ::table::arrow::record_batch;

    /// Returns the names and types of the columns.
    pub fn schema(list: &emit::ColumnList) -> arrow_schema::SchemaRef {
        ::table::arrow::schema(&list.schema())
    }
}

/// Positions, moves and their texts.
pub mod chess {
    pub use crate::epdlist::position_after;
    pub use san::{
        AnyPosition, Color, FenError, Move, MoveText, Piece, PositionKey, SanError, Square,
        VariantPosition, san_of,
    };
}

/// What games consist of, and what of them was lost or left out.
pub mod game {
    pub use crate::summary::OutputCounts;
    pub use emit::{
        Ahead, Branch, GameContext, GameIdentity, GameTags, Losses, MoveNumber, Omitted, Reason,
        Tag, Unstorable, VariantPly,
    };
    pub use epd::Severity;
    pub use pgn::{Place, TagPair};
}

/// Files, archives and streams, their texts, and ranges of files.
pub mod input {
    pub use crate::inputs::{
        Input, InputError, InputText, Inputs, ReadFile, TextKind, input_name, open_file,
    };
    pub use pgn::{Part, Split, Unit, part};
    pub use stream::source::{Meter, Metered, Source, SourceError, Text, decompressed};
}

/// Names of openings: tables, and the names of positions and games.
pub mod openings {
    pub use ::openings::{
        EnPassant, FileFormat, GameName, LoadError, LoadReason, Name, Opening, OpeningTracker,
        Openings,
    };
}

/// Files that are replaced at once, and a guard that keeps outputs apart from inputs.
#[cfg(feature = "output")]
pub mod output {
    pub use crate::output_files::{OutputFiles, OutputNameError};
    pub use stream::output::*;
}

/// Columns of values, and the formats of tables.
pub mod table {
    pub use ::table::{ColumnValues, Rows, TableFormat, Values};
    pub use emit::{Column, ColumnList, ColumnListError, Fact, FactKind, FactPlace, FactSet};
}

/// Training data: viriformat, binpack, bulletformat.
pub mod training {
    pub use ::training::{
        Damage, Entries, Entry, GameResult, ReadError, Score, ScoreUnit, TrainingFormat,
    };
}

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeDoctests;
