//! EPD records from games: a game is replayed, and each position becomes a record.
//!
//! * [`Replay`] plays the games of a chunk and passes each [`Ply`] to a [`Sink`];
//! * [`Filter`] selects games and positions;
//! * [`Fact`] is a property of a position, for use in templates, filters and columns;
//! * [`Text`] is the output of the sink that writes records according to a [`Plan`];
//! * a [`GameSink`] makes values of the same records: a [`Game`] with its [`PlayedPosition`]s;
//! * a [`RowSink`] makes rows of a table of the same positions;
//! * a [`TrainingSink`] encodes games as training data of engines;
//! * [`write_record`] is the only function that writes a record;
//! * [`Problem`] describes an error or warning: problems are collected and do not end the run.
mod annotations;
mod facts;
mod games;
mod known;
mod labels;
mod look_ahead;
mod ply;
mod problem;
mod record_replay;
mod records;
mod repetition;
mod replay;
mod rows;
mod selection;
#[cfg(feature = "serde")]
mod serialize;
mod shown_positions;
mod sink;
mod source;
mod start;
mod template;
mod training;

pub use annotations::analysis::{depth, evaluation};
pub use annotations::command::Commands;
pub use annotations::comment::text as comment_text;
pub use annotations::reader::{is_book, read_comment};
pub use annotations::report::Report;
pub use facts::{
    COUNTS, Fact, FactKind, FactPlace, FactPlaces, FactSet, Ratings, UnknownField, date_of_game,
    did_you_mean, time_control,
};
pub use games::evaluations::{Evaluated, Evaluations};
pub use games::game::{Game, GameTags, PlayedPosition, Tag};
pub use games::game_form::{GameForm, GameFormError, GameStyle};
pub use games::game_identity::GameIdentity;
pub use games::game_parts::GamePart;
pub use games::game_sink::{GameList, GameSink};
pub use games::losses::Losses;
pub use games::pgn_sink::{OPERATIONS_OF_GAMES, PgnSink};
pub use games::selected_games::{ChunkEdges, SelectedGames};
pub use known::Known;
pub use labels::label::{Label, LabelSource, Labelled};
pub use labels::label_form::LabelForm;
pub use look_ahead::LookAhead;
pub use ply::{Ahead, Branch, Ply, VariantPly};
pub use problem::{MoveNumber, Problem, Reason};
pub use record_replay::RecordReplay;
pub use record_replay::registers::ReadRegisters;
pub use records::op::{Op, Ops, OpsError};
pub use records::op_list::OpList;
pub use records::plan::{Comments, Format, OnError, Plan};
pub use records::text::{Text, Unstorable};
pub use records::text_sink::TextSink;
pub use records::write::plain as write_record;
pub use replay::{Counts, Replay};
pub use rows::{
    Column, ColumnList, ColumnListError, GameRows, PositionRows, RecordText, RowSink, SortOrder,
    add_games, empty_rows,
};
pub use selection::ending::Ending;
pub use selection::evaluation_range::{EvaluationRange, EvaluationRangeError};
pub use selection::filter::{ConditionValues, Filter, FilterError, Verdict, missing_name};
pub use selection::omission::{Omission, Omissions};
pub use selection::omitted::Omitted;
pub use selection::select::Select;
pub use sink::{GameAhead, Movetext, Sink};
pub use source::csv::CsvHeader;
#[cfg(feature = "evaluations")]
pub use source::json::keys_of_lines;
pub use source::table::{ColumnNames, ColumnNamesError, TableColumns, begins_with_fen};
pub use source::{Evals, LineFault, LineKind};
pub use template::{Template, TemplateError};
pub use training::entry_replay::EntryReplay;
pub use training::score::{evaluation_of, plain_score_of, score_of};
pub use training::training_sink::TrainingSink;
