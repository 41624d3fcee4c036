//! Converts chess games (PGN) to positions (EPD): one record for the start of each game and one
//! after every ply.
//!
//! * [`epdlist`] returns the positions of one list of moves;
//! * [`convert`] converts a stream of games to a stream of records, on all cores, in constant
//!   memory;
//! * [`Inputs`] opens files, archives and streams, and yields their texts with names;
//! * [`splits`] divides a file into ranges for distributed processing, and [`part`] reads the games
//!   of one range;
//! * [`name()`] finds the openings of games, or writes them to their tags;
//! * [`games`] and [`records`] are iterators that yield values instead of text;
//! * [`perl`] has the functions of Chess::PGN::EPD under their original names;
//! * [`diagram`] draws positions, and [`illustrate`] creates the diagrams of records and games.
//!
//! ```
//! let positions = pgn2epd::epdlist(["e4", "c5"])?;
//! assert_eq!(positions[0], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3");
//! assert_eq!(positions[1], "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6");
//! # Ok::<_, pgn2epd::EpdListError>(())
//! ```
//!
//! Errors in games are values: a [`Problem`] has a location and a reason, and does not affect valid
//! data around it.

pub mod book;
mod choose;
mod conflicts;
mod convert;
pub mod epd;
mod epdlist;
mod games;
pub mod illustrate;
mod inputs;
mod name;
mod options;
pub mod perl;
mod summary;
mod tabulation;

pub use conflicts::Conflicts;
pub use convert::{Conversion, ConvertError, Watch, convert, convert_watched};
pub use epdlist::{EpdListError, epdlist, epdlist_from};
pub use games::{Game, Games, Record, Records, Tag, find_game, games, records};
pub use inputs::{Input, InputError, InputText, Inputs, OnDamage, TextKind};
pub use name::{NameForm, NameOptions, name, name_text};
pub use options::{
    Format, Jobs, Letters, Misfit, NamesFrom, NoSuchWord, OptionError, Options, Plies, Sample,
    Size, Stay, Words, preset,
};
pub use summary::Summary;
pub use tabulation::Tabulation;

pub use ::epd::{RegisterStyle, Severity};
pub use diagram;
pub use emit::{
    Column, ColumnValues, Fact, FactKind, FactPlace, FactPlaces, FactSet, Filter, FilterError,
    GameIdentity, LabelForm, LongComments, Losses, MoveNode, MoveNumber, MoveTree, NameSource,
    Names, OnError, Op, Ops, OpsError, Problem, Reason, Rows, Skip, Template, TemplateError,
    UnknownField, Values,
};
pub use openings::{EnPassant, FileFormat, GameName, LoadError, LoadReason, Name, Openings};
pub use pgn::{Meter, Metered, Part, Place, Source, SourceError, Split, Text, Unit, part, splits};
pub use san::{
    CastlingStyle, Color, EnPassantPolicy, FenError, FieldStyle, Language, Move, MoveText, Piece,
    Position, PositionKey, SanError, Square, san_of,
};
#[cfg(feature = "output")]
pub use stream::output;

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeDoctests;
