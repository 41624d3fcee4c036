//! Turns chess games (PGN) into positions (EPD): one record for the start of each game and one after every ply.
//!
//! * [`epdlist`] makes the positions of one list of moves;
//! * [`convert`] turns a stream of games into a stream of records, on all cores, in memory that does not grow;
//! * [`splits`] cuts a file into ranges for many machines, [`part`] reads the games of one;
//! * [`name()`] says which openings games have, or writes it into their tags;
//! * [`games`] and [`records`] are iterators, for those who want values and not text;
//! * [`perl`] has the functions of Perl's Chess::PGN::EPD under their names;
//! * [`diagram`] draws positions, [`illustrate`] makes the diagrams of records and games.
//!
//! ```
//! let positions = pgn2epd::epdlist(["e4", "c5"])?;
//! assert_eq!(positions[0], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3");
//! assert_eq!(positions[1], "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6");
//! # Ok::<_, pgn2epd::EpdListError>(())
//! ```
//!
//! What can be wrong with games is a value, a [`Problem`], with its place and its reason; nothing good around it is lost.

pub mod book;
mod choose;
mod conflicts;
mod convert;
pub mod epd;
mod epdlist;
mod games;
pub mod illustrate;
mod name;
mod options;
pub mod perl;
mod summary;
mod tabulation;

pub use conflicts::Conflicts;
pub use convert::{Conversion, ConvertError, Watch, convert, convert_watched};
pub use epdlist::{EpdListError, epdlist, epdlist_from};
pub use games::{Game, Games, Record, Records, Tag, games, records};
pub use name::{NameForm, NameOptions, name};
pub use options::{
    Format, Jobs, Letters, Misfit, OptionError, Options, Plies, Sample, Size, preset,
};
pub use summary::Summary;
pub use tabulation::Tabulation;

pub use diagram;
pub use emit::{
    Column, ColumnError, ColumnValues, Filter, FilterError, LabelForm, MoveNode, MoveNumber,
    MoveTree, NameSource, Names, OnError, Op, Ops, OpsError, Problem, Reason, RegisterStyle, Rows,
    Severity, Skip, Template, TemplateError, Values,
};
pub use openings::{EnPassant, FileFormat, GameName, LoadError, LoadReason, Name, Openings};
pub use pgn::{Meter, Part, Place, Source, SourceError, Split, Text, Unit, part, splits};
pub use san::{
    CastlingStyle, Color, EnPassantPolicy, FenError, FieldStyle, Language, Move, MoveText, Piece,
    Position, SanError, Square, san_of,
};

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeDoctests;
