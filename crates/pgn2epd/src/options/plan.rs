//! What follows from options: the plan of a run, steps of its data set, notes of each record.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use dataset::{AppendMean, Order, Preference, Steps};
use emit::{
    Column, ColumnList, Fact, FactSet, Filter, GameForm, Label, LabelForm, OPERATIONS_OF_GAMES,
    Omission, OpList, Ops, Plan, SortOrder, missing_name,
};
use epd::{Register, RegisterClearer, RegisterStyle};
use openings::NameSource;
use san::{EnPassantPolicy, FieldStyle};
use stream::compress::Compression;
use stream::ordered::{Pipeline, Threads};
use training::TrainingFormat;

use super::{
    Conflicts, Format, GAME_OF_LEGAL_MOVES, GAME_OF_VALUES, Options, PositionFile, RowKind,
    names_of, select,
};
use crate::data_set::index::IndexPlan;
use crate::inputs::TextKind;
use crate::run::Reading;
use crate::summary::Summary;

impl Options {
    pub(crate) fn plan(&self) -> Plan {
        let is_perl = self.format == Format::Perl;
        let is_label = matches!(self.format, Format::Label(_));
        let is_epd = matches!(self.format, Format::Epd | Format::Table(_));
        let is_pgn = self.format == Format::Pgn;
        let games = if is_pgn { self.games } else { GameForm::default() };
        let default_ops = if is_epd { Ops::default() } else { Ops::NONE };
        let of_training = self.training().map(|_| Fact::Eval).into_iter().collect();
        Plan {
            fields: FieldStyle { castling: self.castling, en_passant: self.en_passant },
            format: match self.format {
                // The records of a table, if it has a column for them.
                Format::Epd | Format::Perl | Format::Table(_) => emit::Format::Epd,
                Format::Fen => emit::Format::Fen,
                Format::Crafty => emit::Format::Crafty,
                Format::Label(form) => emit::Format::Label(form),
                // Positions are encoded instead of written.
                Format::Training(_) | Format::Pgn => emit::Format::Fen,
            },
            ops: match &self.ops {
                _ if is_label => Ops::NONE,
                None => default_ops,
                // What is not made from games is refused before games are read.
                Some(list) => list.of_games(default_ops).unwrap_or_default(),
            },
            kept: OpList::NONE,
            held: Vec::new(),
            registers: match self.registers {
                Some(RegisterStyle::Off) => RegisterStyle::Off,
                // Records are selected later.
                _ if !self.keeps_order() => RegisterStyle::Full,
                style => style.unwrap_or_default(),
            },
            names: self.names.clone(),
            // The result is that of the main line.
            variations: (self.variations || games.is_normal())
                && !is_label
                && self.training().is_none(),
            raw_comments: false,
            comments: self.comments,
            ascii: self.ascii,
            language: self.language,
            null_moves: self.null_moves,
            notes: self.notes || self.strict,
            strict: self.strict,
            templates: if is_label { Vec::new() } else { self.templates.clone() },
            file: self.file.clone(),
            evaluated: self.evaluated.clone(),
            start: 0,
            facts: self.facts_of_selection().union(of_training),
            operations: names_of(self.sort_columns()).collect(),
            rules: self.rules,
            column_names: self.column_names.clone(),
            select: select(self.plies, self.moves, self.only_final),
            omit: match is_perl {
                true => self.omit.with(Omission::Start),
                false => self.omit,
            },
            eval: self.eval,
            filter: PositionFile::and_filter(self.reach.as_ref(), self.filter.clone()),
            named: self.named().into_iter().map(|(_, name)| name.into()).collect(),
            wants_text: is_pgn || self.split.is_some(),
            games,
            reports_faults: false,
            last_played: u32::MAX,
            blank_line: self.blank_line || is_perl,
            second_blank_line: is_perl,
            on_error: self.on_error,
            max_game_bytes: self.max_game_bytes,
        }
    }

    /// The plan for a text; `held` registers may have been set in the output.
    pub(crate) fn plan_of<'p>(
        &self,
        plan: &'p Plan,
        kind: TextKind,
        held: &[Register],
    ) -> Cow<'p, Plan> {
        if !kind.has_positions() {
            return Cow::Borrowed(plan);
        }
        let mut plan = plan.of_records(self.kept(), held);
        if self.format == Format::Pgn && !kind.has_games() {
            // Each position is a game.
            plan.operations.extend(OPERATIONS_OF_GAMES.map(Box::from));
        }
        let is_training = matches!(kind, TextKind::Training(_));
        if is_training && plan.fields.en_passant == EnPassantPolicy::Always {
            // The formats have the square at most if a pawn can capture.
            plan.fields.en_passant = EnPassantPolicy::Legal;
        }
        Cow::Owned(plan)
    }

    pub(crate) fn plan_of_columns(&self, columns: &[Column]) -> Plan {
        // Rows of games find how a game ends when it does.
        let is_late = |fact: &Fact| *fact == Fact::Termination && self.rows == RowKind::Games;
        let facts = columns.iter().filter_map(Column::fact).filter(|fact| !is_late(fact));
        let facts: FactSet = facts.collect();
        let filter = self.filter.as_ref().map(Filter::facts).unwrap_or_default();
        let mut plan = self.plan();
        let has_lists = facts.has(Fact::LegalMoves);
        let largest = if has_lists { GAME_OF_LEGAL_MOVES } else { GAME_OF_VALUES };
        plan.max_game_bytes = self.game_limit(largest);
        let names = self.names.clone();
        if !facts.has(Fact::Record) {
            plan.ops = Ops::NONE;
            plan.registers = RegisterStyle::Off;
            plan.templates = Vec::new();
            plan.names = NameSource::Off;
            if !matches!(self.format, Format::Label(_)) {
                plan.format = match (facts.has(Fact::Fen), facts.has(Fact::Epd)) {
                    (true, _) => emit::Format::Fen,
                    (false, true) => emit::Format::Epd,
                    (false, false) => emit::Format::Nothing,
                };
            }
        }
        plan.facts = facts.union(self.facts_of_selection());
        if plan.facts.union(filter).needs_names() {
            plan.names = names;
        }
        plan.operations.extend(names_of(columns));
        // An empty line is not a row.
        (plan.blank_line, plan.second_blank_line) = (false, false);
        plan
    }

    fn kept(&self) -> OpList {
        let is_epd = matches!(self.format, Format::Epd | Format::Crafty);
        let has_records = match self.format {
            Format::Table(_) => self.column_list().columns().contains(&Column::Fact(Fact::Record)),
            _ => is_epd,
        };
        self.ops.clone().unwrap_or(if has_records { OpList::KEEP } else { OpList::NONE })
    }

    /// Returns the columns of a table: those selected, or else the default ones for its rows.
    ///
    /// ```
    /// use pgn2epd::Options;
    /// use pgn2epd::options::RowKind;
    ///
    /// let positions = Options::default().column_list();
    /// assert!(positions.names().any(|name| name == "fen"));
    /// let games = Options::default().rows(RowKind::Games).column_list();
    /// assert!(games.names().any(|name| name == "White"));
    /// ```
    pub fn column_list(&self) -> ColumnList {
        match (&self.columns, self.rows) {
            (Some(list), RowKind::Positions) => list.clone(),
            (None, RowKind::Positions) => ColumnList::default(),
            (Some(list), RowKind::Games) => list.clone().of_games(),
            (None, RowKind::Games) => ColumnList::default_of_games().of_games(),
        }
    }

    pub(crate) fn given_columns(&self) -> &[Column] {
        self.columns.as_ref().map(ColumnList::columns).unwrap_or_default()
    }

    /// The limit of a game held as values, in bytes: as set, or by default at most `largest`.
    pub(crate) fn game_limit(&self, largest: usize) -> usize {
        let is_set = self.max_game_bytes != Options::default().max_game_bytes;
        if is_set { self.max_game_bytes } else { self.max_game_bytes.min(largest) }
    }

    /// Whether the output is a folder of files.
    ///
    /// ```
    /// use std::num::NonZeroU64;
    /// use pgn2epd::Options;
    ///
    /// assert!(Options::default().rows_per_file(NonZeroU64::new(1000)).has_folder());
    /// assert!(!Options::default().has_folder());
    /// ```
    pub fn has_folder(&self) -> bool {
        self.rows_per_file.is_some() || self.split.is_some()
    }

    pub(crate) fn has_games(&self) -> bool {
        self.format == Format::Pgn || self.rows == RowKind::Games
    }

    pub(crate) fn compress_outputs(&self) -> Option<Compression> {
        let is_binary = matches!(self.format, Format::Table(table) if table.is_binary());
        self.compress.filter(|_| !is_binary)
    }

    pub(crate) fn suffix(&self) -> String {
        match self.compress_outputs() {
            Some(compression) => format!("{}.{}", self.format.suffix(), compression.suffix()),
            None => self.format.suffix().to_owned(),
        }
    }

    pub(crate) fn training(&self) -> Option<TrainingFormat> {
        match self.format {
            Format::Training(format) => Some(format),
            _ => None,
        }
    }

    pub(crate) fn chooses(&self) -> bool {
        let leaves_out = self.selects() || self.merges() || self.unique_games.is_some();
        leaves_out || self.reorders() || self.has_folder()
    }

    pub(super) fn reorders(&self) -> bool {
        self.shuffle || self.sort_order().is_some()
    }

    pub(crate) fn sort_order(&self) -> Option<&SortOrder> {
        self.sort.as_ref().filter(|_| self.training().is_none())
    }

    pub(crate) fn sort_columns(&self) -> &[Column] {
        self.sort_order().map(SortOrder::columns).unwrap_or_default()
    }

    fn named(&self) -> Vec<(&'static str, &str)> {
        let is_table = matches!(self.format, Format::Table(_));
        let columns = if is_table { self.given_columns() } else { &[] };
        let all = [("columns", columns), ("sort", self.sort_columns())];
        let named = all.into_iter().flat_map(|(option, columns)| {
            columns.iter().filter_map(Column::tag).map(move |name| (option, name))
        });
        named.take(u64::BITS as usize).collect()
    }

    /// Returns the tags and operations named in columns and sort keys that no game and no record of
    /// a run has, each with its option and what it may have been meant to be.
    pub fn missing_names(&self, summary: &Summary) -> Vec<(&'static str, String)> {
        let is_missing = |bit: usize| summary.games > 0 && summary.named >> bit & 1 == 0;
        let named = self.named().into_iter().enumerate().filter(|(bit, _)| is_missing(*bit));
        let of_records = summary.records > 0;
        named.map(|(_, (option, name))| (option, missing_name(name, of_records))).collect()
    }

    pub(crate) fn selects(&self) -> bool {
        self.unique.is_some() || self.skip > 0 || self.limit.is_some() || self.sample.is_some()
    }

    /// Whether the records of a game stay together in one file, which needs only what changes.
    pub(super) fn keeps_order(&self) -> bool {
        let separates = self.selects() || self.merges() || self.reorders();
        !separates && self.rows_per_file.is_none()
    }

    pub(crate) fn steps(&self) -> Steps {
        let form = match self.format {
            Format::Label(form) if self.merges() => Some(form),
            _ => None,
        };
        let append_mean = |form: LabelForm| {
            AppendMean::new(move |key, dataset::Label { count, results, scores }, out| {
                Label::from_sums(key.turn(), (count, results, scores)).write(form, out);
            })
        };
        let has_means = |form: &LabelForm| self.conflicts == Conflicts::Mean && form.has_means();
        Steps {
            unique: self.unique.is_some(),
            keep: self.unique.unwrap_or_default(),
            conflicts: form.map_or(Conflicts::Keep, |_| self.conflicts),
            append_mean: form.filter(has_means).map(append_mean),
            unique_games: self.unique_games.is_some(),
            skip: self.skip,
            limit: self.limit,
            sample: self.sample,
            order: match (self.sort_order(), self.shuffle) {
                (Some(_), _) => Order::SortKey,
                (None, true) => Order::Random,
                (None, false) => Order::Input,
            },
            seed: self.seed,
            memory: self.memory,
            folder: self.temporary_folder(),
        }
    }

    pub(crate) fn pipeline(&self, plan: &Plan) -> Pipeline {
        Pipeline {
            threads: Threads::new(self.workers()),
            chunk_bytes: self.chunk_bytes,
            max_item_bytes: plan.max_game_bytes,
        }
    }

    pub(crate) fn reading(&self) -> Reading {
        Reading { score: self.score, evals: self.evals, folder: self.temporary_folder() }
    }

    pub(crate) fn temporary_folder(&self) -> PathBuf {
        self.temp_dir.clone().unwrap_or_else(std::env::temp_dir)
    }

    pub(crate) fn index_plan(&self) -> IndexPlan {
        let steps = self.steps();
        IndexPlan {
            is_needed: self.chooses(),
            keys: self.unique.is_some() || self.merges(),
            threads: if steps.keeps_first() { self.workers() } else { 0 },
            labels: self.merges(),
            has_means: steps.append_mean.is_some(),
            preference: steps.keep,
            unique_games: self.unique_games,
            split: self.split.clone(),
            seed: self.seed,
        }
    }

    pub(crate) fn facts_of_selection(&self) -> FactSet {
        let depth = (self.unique == Some(Preference::Deepest)).then_some(Fact::Depth);
        let place = self.unique_games.is_some().then_some(Fact::Line);
        let of_keys = self.sort_columns().iter().filter_map(Column::fact);
        depth.into_iter().chain(place).chain(of_keys).collect()
    }

    /// What clears registers of records selected later, unless each can be read alone.
    pub(crate) fn register_clearer(&self, plan: &Plan) -> Option<RegisterClearer> {
        let is_needed = self.registers != Some(RegisterStyle::Full) && !self.keeps_order();
        if is_needed { plan.register_clearer() } else { None }
    }

    pub(crate) fn merges(&self) -> bool {
        self.conflicts != Conflicts::Keep && matches!(self.format, Format::Label(_))
    }

    pub(crate) fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(cores).get()
    }
}
