//! EPD records from games: a game is replayed, and each position becomes a record.
//!
//! * [`Replay`] plays the games of a chunk and passes each [`Ply`] to a [`Sink`];
//! * a [`GameContext`] is what is known of the game that is read, for all of the following;
//! * [`Filter`] selects games and positions;
//! * [`Fact`] is a property of a position, for use in templates, filters and columns;
//! * [`Text`] is the output of the sink that writes records according to a [`Plan`];
//! * a [`GameSink`] makes values of the same records: a [`Game`] with its [`PlayedPosition`]s;
//! * [`TableRows`] makes rows of a table of what a [`RecordSink`] writes;
//! * a [`TrainingSink`] encodes games as training data of engines;
//! * [`write_record`] is the only function that writes a record;
//! * [`Problem`] describes an error or warning: problems are collected and do not end the run.
mod annotations;
mod facts;
mod game;
mod games;
mod labels;
mod look_ahead;
mod ply;
mod problem;
mod record_replay;
mod records;
mod replay;
mod rows;
mod selection;
mod shown_positions;
mod sink;
mod source;
mod start;
mod template;
mod training;

pub use annotations::report::Report;
pub use annotations::{Commands, comment_text, depth, evaluation, is_book, read_comment};
pub use facts::{COUNTS, Fact, FactKind, FactPlace, FactSet, UnknownField, did_you_mean};
pub use game::{Ending, GameContext, GameEnd, Ratings, date_of_game, time_control};
pub use games::game_form::{Evaluated, Evaluations, GameForm, GameFormError, GameStyle};
pub use games::pgn_sink::{ChunkEdges, OPERATIONS_OF_GAMES, PgnSink, SelectedGames};
pub use games::{Game, GameList, GameSink, GameTags, PlayedPosition, Tag};
pub use labels::{Label, LabelForm, Labelled};
pub use ply::{Ahead, Branch, Known, Ply, VariantPly};
pub use problem::{GameIdentity, MoveNumber, Problem, Reason};
pub use record_replay::{ReadRegisters, RecordReplay};
pub use records::op::{Op, OpList, Ops, OpsError};
pub use records::plan::{Comments, Format, OnError, Plan};
pub use records::text_sink::TextSink;
pub use records::{Text, TextCounts, Unstorable, write_record};
pub use replay::{Counts, Replay};
pub use rows::{Column, ColumnList, ColumnListError, SortOrder, TableRows, add_games, empty_rows};
pub use selection::filter::{ConditionValues, Filter, FilterError, missing_name};
pub use selection::{
    EvaluationRange, EvaluationRangeError, Losses, Omission, Omissions, Omitted, Select,
};
pub use sink::{Movetext, NotedSink, RecordNotes, RecordSink, Sink, Written};
pub use source::CsvHeader;
#[cfg(feature = "evaluations")]
pub use source::json::keys_of_lines;
pub use source::table::{ColumnNames, ColumnNamesError, TableColumns, begins_with_fen};
pub use source::{Evals, LineFault, LineKind};
pub use template::{Template, TemplateError};
pub use training::{EntryReplay, TrainingSink};
