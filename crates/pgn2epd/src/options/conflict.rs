//! Options that exclude each other, or have no effect.

#[cfg(test)]
mod tests;

use dataset::Conflicts;
use emit::{
    Column, Comments, Evals, Fact, FactPlace, FactSet, Filter, GameForm, GameStyle, Op, OpList,
    Ops, OpsError, SortOrder, Template, did_you_mean,
};
use epd::RegisterStyle;
use openings::NameSource;
use san::Language;
use table::{NOT_BUILT, TableFormat};
use training::ScoreUnit;

use super::Options;
use super::values::{Format, FormatKind, RowKind};
use crate::inputs::TextKind;

/// A conflict between options. The message names options and values as on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum OptionConflict {
    #[error("--{0} is for {1}")]
    Unused(&'static str, &'static str),
    #[error("--{0} is for {others}", others = listed(.1))]
    Needs(&'static str, &'static [&'static str]),
    #[error("--{0} is for {1}")]
    Format(&'static str, FormatKind),
    #[error(
        "--format {} has no operations{}: omit --ops, --add and presets that contain them",
        .0,
        if .0.kind() == FormatKind::Tables { ", unless `record` is one of the --columns" } else { "" }
    )]
    Operations(Format),
    #[error("--format {0} has no positions of variations: the result is that of the main line")]
    Variations(Format),
    #[error(
        "--conflicts mean is not for --format {0}, which has no results between a draw and a win; use drop, or bracket, bullet or c-chess-cli"
    )]
    Means(Format),
    #[error(
        "--unique, --skip, --limit, --sample and --sort are not for --format {0}, whose positions follow from those before"
    )]
    Selection(Format),
    #[error("--unique, and --variations with --rows games, are for positions, not games")]
    SelectionOfGames,
    #[error(
        "--registers delta is for all records in their order: use full with --unique, --skip, --limit, --sample, --sort, --shuffle and --rows-per-file"
    )]
    Delta,
    #[error("--{0}: {1} is not for {2}")]
    Column(&'static str, Fact, RowKind),
    #[error("{0} is missing: {1}")]
    Missing(&'static str, &'static str),
    #[error("--{0} and --{1} exclude each other")]
    Exclusive(&'static str, &'static str),
    #[error("--compress is not for --format {0}: the output would not be an Arrow stream")]
    Compress(Format),
    #[error("{NOT_BUILT}")]
    NotBuilt(Format),
}

/// An option that has no meaning for what a file contains.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum SourceConflict {
    #[error("--{0} is for games; this file has positions")]
    Games(String),
    #[error("--score is for {}", FormatKind::Training)]
    Score,
    #[error("--evals is for evaluations of Lichess; this file has none")]
    Evals,
    #[error(
        "--{0}: {1} is not known of games{advice}", advice = advice(.1)
    )]
    Operation(&'static str, String),
    #[error("--ops: {0}")]
    Ops(OpsError),
}

fn listed(names: &[&str]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => {
            format!("--{} and --{last}", others.join(", --"))
        }
        names => format!("--{}", names.concat()),
    }
}

fn advice(name: &str) -> String {
    match did_you_mean(name) {
        similar if similar.is_empty() => {
            ": see `pgn2epd help variables`; operations are known of files of positions".to_owned()
        }
        similar => similar,
    }
}

impl Options {
    pub(crate) fn conflict_with(&self, kind: TextKind) -> Option<SourceConflict> {
        let is_binary = matches!(kind, TextKind::Training(_)) || self.training().is_some();
        if self.score != ScoreUnit::default() && !is_binary {
            return Some(SourceConflict::Score);
        }
        if self.evals != Evals::default() && kind != TextKind::Evaluations {
            return Some(SourceConflict::Evals);
        }
        if kind.has_positions() {
            let by_game = |template: &Template| template.facts().has(Fact::Game);
            let style = |style: &GameStyle| *style != GameStyle::Normal;
            let style = self.games.iter().find(style).map(|style| format!("games {style}"));
            let of_games = [
                ("variations", self.variations),
                ("unique-games", self.unique_games.is_some()),
                ("last", self.only_final),
                ("rows", self.rows == RowKind::Games),
                ("null-moves", self.null_moves),
                ("language", self.language != Some(Language::English)),
                ("names", !matches!(self.names, NameSource::Embedded)),
                ("blank-line", self.blank_line),
                ("notes", self.notes),
                (style.as_deref().unwrap_or_default(), style.is_some()),
                ("add with {game}", self.templates.iter().any(by_game)),
            ];
            let (option, _) = of_games.into_iter().find(|(_, is_given)| *is_given)?;
            return Some(SourceConflict::Games(option.to_owned()));
        }
        if let Some(Err(error)) = self.ops.as_ref().map(|list| list.of_games(Ops::default())) {
            return Some(SourceConflict::Ops(error));
        }
        let columns = self.given_columns();
        let mut of_filter = self.filter.iter().flat_map(Filter::operations);
        let mut of_templates = self.templates.iter().flat_map(Template::operations);
        let mut of_columns = columns.iter().filter_map(Column::operation);
        let mut of_sort = self.sort_columns().iter().filter_map(Column::operation);
        let named = [
            ("where", of_filter.next()),
            ("add", of_templates.next()),
            ("columns", of_columns.next()),
            ("sort", of_sort.next()),
        ];
        let mut named = named.into_iter().filter_map(|(option, name)| Some((option, name?)));
        let (option, name) = named.next()?;
        Some(SourceConflict::Operation(option, name.to_owned()))
    }

    pub(super) fn first_conflict(&self) -> Option<OptionConflict> {
        let has_operations = self.ops.is_some() || !self.templates.is_empty();
        let of_kind = [
            ("columns", FormatKind::Tables, self.columns.is_some()),
            ("rows", FormatKind::Tables, self.rows != RowKind::Positions),
            ("games", FormatKind::Games, self.games != GameForm::default()),
            ("conflicts", FormatKind::Labels, self.conflicts != Conflicts::Keep),
        ];
        for (option, kind, is_given) in of_kind {
            if is_given && self.format.kind() != kind {
                return Some(OptionConflict::Format(option, kind));
            }
        }
        let (format, kind) = (self.format, self.format.kind());
        let table = if let Format::Table(table) = format { Some(table) } else { None };
        let has_records = self.given_columns().contains(&Column::Fact(Fact::Record));
        let has_other_table = table.is_some_and(|table| !table.is_built());
        let is_arrow = table == Some(TableFormat::Arrow);
        let of_tables = [
            (has_other_table, OptionConflict::NotBuilt(format)),
            (table.is_some() && has_operations && !has_records, OptionConflict::Operations(format)),
            (is_arrow && self.compress.is_some(), OptionConflict::Compress(format)),
        ];
        let is_delta = self.registers == Some(RegisterStyle::Delta);
        let has_results = matches!(kind, FormatKind::Labels | FormatKind::Training);
        let is_selected = self.selects() || self.sort.is_some();
        let has_no_means = matches!(format, Format::Label(form) if !form.has_means());
        let of_others = [
            (is_delta && !self.keeps_order(), OptionConflict::Delta),
            (
                has_operations && (has_results || kind == FormatKind::Games),
                OptionConflict::Operations(format),
            ),
            (self.variations && has_results, OptionConflict::Variations(format)),
            (kind == FormatKind::Training && is_selected, OptionConflict::Selection(format)),
            (self.conflicts == Conflicts::Mean && has_no_means, OptionConflict::Means(format)),
        ];
        let first = |conflicts: &[(bool, OptionConflict)]| {
            conflicts.iter().find(|(holds, _)| *holds).map(|(_, conflict)| *conflict)
        };
        let conflict = self.conflict_of_rows().or_else(|| first(&of_tables));
        conflict.or_else(|| self.unused()).or_else(|| first(&of_others))
    }

    fn unused(&self) -> Option<OptionConflict> {
        let columns = match self.format {
            Format::Table(_) => self.column_list().columns().to_vec(),
            _ => Vec::new(),
        };
        let has_records = match self.format {
            Format::Table(_) => columns.contains(&Column::Fact(Fact::Record)),
            format => !matches!(format, Format::Label(_) | Format::Training(_) | Format::Pgn),
        };
        let plan = self.plan();
        let by_template = has_records && !self.templates.is_empty();
        let has = |ops: &[Op]| has_records && plan.ops.has_any(Ops::of(ops));
        let has_comments = by_template || has(&[Op::C]);
        let names = || {
            let templates = self.templates.iter().map(Template::facts);
            let columns = columns.iter().filter_map(Column::fact).collect();
            let filter = self.filter.as_ref().map(Filter::facts).unwrap_or_default();
            let selection = filter.union(self.facts_of_selection());
            templates.fold(selection.union(columns), FactSet::union).needs_names()
        };
        let is_other = matches!(self.format, Format::Table(_) | Format::Training(_) | Format::Pgn);
        let is_csv = self.format == Format::Table(TableFormat::Csv);
        let registers = matches!(self.registers, Some(RegisterStyle::Full | RegisterStyle::Delta));
        let of_names = [Op::Eco, Op::Nic, Op::V];
        // Records of files keep any operation that is named.
        let keeps = has_records && self.ops.as_ref().is_some_and(OpList::has_registers);
        let registers = registers && !keeps && !has(&of_names) && !has_comments;
        let names = matches!(self.names, NameSource::Tags) && !has(&of_names) && !names();
        let comments = self.comments != Comments::Cut && !has_comments;
        let unused = [
            (registers, "registers", "records with c0-c9, v0-v9, eco or nic"),
            (comments, "comments", "records with comments"),
            (names, "names", "names of openings: the operations eco, nic and v, variables"),
            (self.blank_line && is_other, "blank-line", "records, FENs and labels"),
            (self.csv_safe && !is_csv, "csv-safe", "format csv"),
        ];
        let (_, option, what) = unused.into_iter().find(|(is_unused, ..)| *is_unused)?;
        Some(OptionConflict::Unused(option, what))
    }

    fn conflict_of_rows(&self) -> Option<OptionConflict> {
        let kind = if self.has_games() { RowKind::Games } else { RowKind::Positions };
        let place = match kind {
            RowKind::Positions => FactPlace::Column,
            RowKind::Games => FactPlace::GameColumn,
        };
        let has_variations = self.variations && self.rows == RowKind::Games;
        if kind == RowKind::Games && (self.unique.is_some() || has_variations) {
            return Some(OptionConflict::SelectionOfGames);
        }
        let columns = self.given_columns();
        let sorted = self.sort.as_ref().map(SortOrder::columns).unwrap_or_default();
        let is_column = |fact: Fact| fact.is_available_in(place);
        let is_sort_key = |fact: Fact| kind == RowKind::Positions || fact.is_of_game();
        let wrong = |option, columns: &[Column], is_right: &dyn Fn(Fact) -> bool| {
            let mut facts = columns.iter().filter_map(Column::fact);
            let wrong = facts.find(|fact| !is_right(*fact))?;
            Some(OptionConflict::Column(option, wrong, kind))
        };
        wrong("columns", columns, &is_column).or_else(|| wrong("sort", sorted, &is_sort_key))
    }
}
