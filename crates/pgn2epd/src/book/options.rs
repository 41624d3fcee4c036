//! User options that determine what is counted, which positions a book has, and how it is written.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use ::book::{
    Details, EpdOps, Form, GroupBy, MoveChoice, Order, PositionFilter, Queens, Selection, Style,
    UnknownResult, Weights,
};
use emit::{EvaluationRange, Fact, Filter, Omission, Omissions, OnError, OpList, Plan};
use epd::Rules;
use openings::{NameSource, Openings};
use stream::ordered::Threads;

use crate::inputs::InputKind;
use crate::options::OnDamage;
use crate::options::option_spec::{OptionSpec, options};
use crate::options::{
    OptionConflict, OptionSet, Options, Plies, PositionFile, Preset, Share, select,
};

options! {
    /// Options of opening books: what is counted, selected and written.
    ///
    /// ```
    /// use pgn2epd::book::{BookOptions, Counting, write_book};
    ///
    /// let games = b"1. e4 e5 1-0\n1. e4 c5 0-1\n1. d4 d5 *\n";
    /// let options = BookOptions::from_names([("ply", "..1"), ("min-games", "2"), ("ops", "none")])?;
    /// let mut counting = Counting::new(&options, ["games.pgn"]);
    /// counting.input("games.pgn", &games[..], &mut ())?;
    ///
    /// let mut book = Vec::new();
    /// write_book(counting.finish(), &options, &mut book)?;
    /// assert_eq!(
    ///     String::from_utf8(book)?,
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
    ///      rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n",
    /// );
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct BookOptions {
        "Positions": {
            filter: Option<Filter> = None, name("where"), shared();
            reach: Option<PositionFile> = None, shared();
            plies: Plies = Plies::ALL, name("ply"), shared();
            moves: Plies = Plies::ALL, name("move"), shared();
            only_final: bool = false, name("last"), shared();
            omit: Omissions = Omissions::NONE, shared();

            /// Only positions with queens.
            queens: Option<Queens> = None, value("WHOSE");

            /// Only positions with this number of pieces, kings and pawns included: 20..32
            pieces: Plies = Plies::ALL, value("MIN..MAX");

            /// As in [`Options`](crate::Options). The evaluation is written as `ce` or in the
            /// column `eval`.
            eval: Option<EvaluationRange> = None, shared();
        }
        "Counting": {
            input: Option<InputKind> = None, shared();

            /// As in [`Options`](crate::Options). Positions of variants are not counted.
            rules: Rules = Rules::Detected, name("variant"), shared();

            /// Also count the moves of variations; a game counts once for each move.
            variations: bool = false;

            /// Count only the first position of each game that the other options select.
            once_per_game: bool = false;

            /// For an explorer file, count classes of games separately: rating:1600,2000 speed year
            /// month player
            ///
            /// Several are separated by commas. Ratings are the least mean ratings of bands, by
            /// default those of Lichess; speeds are those of Lichess, by the tag TimeControl. Other
            /// formats have the sums of all classes.
            group_by: GroupBy = GroupBy::default(), value("CLASSES");

            on_error: OnError = OnError::Keep, shared();
        }
        "Selection": {
            /// Only positions that occur in at least N games.
            min_games: u64 = 0, value("N"), common();

            /// Only positions in which White scored at least this share of the points, such as 0.45
            min_score: Option<Share> = None, value("SHARE");

            /// Only positions in which White scored at most this share of the points, such as 0.6
            max_score: Option<Share> = None, value("SHARE");

            /// Only positions with at most this share of draws among the games with a result, such
            /// as 0.7
            max_draws: Option<Share> = None, value("SHARE");

            /// How games without a result count in --min-score, --max-score, --max-draws, --order
            /// score and the weights of a Polyglot book.
            ///
            /// The default is draw for a Polyglot book (--format bin), as in Polyglot's make-book,
            /// and skip for all other formats. Counts are written unchanged.
            unknown_result: Option<UnknownResult> = None, value("HOW");

            /// Of the games that reach the same position, count only the one with the highest mean
            /// rating.
            best_rated: bool = false;

            /// The same number of positions with White and with Black to move, drawn at random.
            ///
            /// After N plies from the starting position the same side is to move in all games, so
            /// use --ply N..N+1, not --ply N. For positions in which neither side is better, use
            /// --eval.
            equal_turns: bool = false;

            /// Polyglot: only moves played in at least N games, like -min-game of Polyglot.
            min_move_games: u64 = 0, value("N");

            /// Polyglot: only moves with which the side that plays them scored at least this share
            /// of the points, like -min-score of Polyglot.
            min_move_score: Option<Share> = None, value("SHARE");

            /// Polyglot: the weights of the moves.
            weights: Weights = Weights::Points, value("HOW");

            /// N positions at random, each equally likely.
            sample: Option<u64> = None, value("N");

            /// Random seed: the same seed gives the same book.
            seed: u64 = 0, value("SEED");

            /// Order of the positions.
            order: Order = Order::Input, value("ORDER"), common();
        }
        "Output": {
            /// Format of the book [default: from the suffix of the output, otherwise epd]
            ///
            /// Suffixes: .epd and .txt, .pgn, .bin, .explorer, .csv, .jsonl and .ndjson, .arrow and
            /// .arrows, .parquet; .part for a partial result. Another suffix without --format is an
            /// error.
            format: Option<Form> = None, short('f'), value("FORMAT"), common();

            /// Operations in EPD.
            ops: EpdOps = EpdOps::Counts, value("WHICH");

            /// With --partial, keep the moves that lead to each position, which a book as PGN
            /// needs.
            keep_moves: bool = false;
        }
        "Running": {
            jobs: Option<NonZeroUsize> = None, shared();

            /// Maximum memory for counting; counts that do not fit are written to --temp-dir
            memory: usize = 1 << 30, value("SIZE");

            temp_dir: Option<PathBuf> = None, shared();
            on_damage: OnDamage = OnDamage::Stop, shared();
            max_game_bytes: usize = 64 << 20, shared();
        }
    }
}

const LEAST_MEMORY: usize = 1 << 20;

impl OptionSet for BookOptions {
    const PRESETS: &'static [Preset] = &[Preset {
        name: "match",
        help: "Openings for engine matches with cutechess, fastchess and others: --ops clocks --omit finished",
        options: &[("ops", "clocks"), ("omit", "finished")],
    }];

    fn conflict(&self) -> Option<OptionConflict> {
        let of_moves = [
            ("min-move-games", self.min_move_games > 0),
            ("min-move-score", self.min_move_score.is_some()),
            ("weights", self.weights != Weights::default()),
        ];
        if self.is_sorted() && self.order != Order::default() {
            let what = "other formats: explorer files and Polyglot books are sorted by position";
            return Some(OptionConflict::Unused("order", what));
        }
        let (given, _) = of_moves.into_iter().find(|(_, is_given)| *is_given)?;
        let what = "Polyglot books: -o book.bin";
        (self.form() != Form::Polyglot).then_some(OptionConflict::Unused(given, what))
    }
}

impl BookOptions {
    pub(crate) fn form(&self) -> Form {
        self.format.unwrap_or_default()
    }

    fn is_sorted(&self) -> bool {
        matches!(self.form(), Form::Explorer | Form::Polyglot)
    }

    /// Whether an option of this group differs from its default: `Selection`.
    pub fn has_any_of(&self, heading: &str) -> bool {
        let specs = Self::SPECS.iter().filter(|spec| spec.heading == heading);
        specs.into_iter().any(|spec| spec.is_set(self))
    }

    /// Returns the threads of a run, which the merge of [`Source::Parts`] needs, too.
    ///
    /// [`Source::Parts`]: super::Source::Parts
    pub fn threads(&self) -> Threads {
        Threads::new(Options::default().jobs(self.jobs).workers())
    }

    pub(super) fn memory_limit(&self) -> usize {
        self.memory.max(LEAST_MEMORY)
    }

    pub(super) fn temp_folder(&self) -> PathBuf {
        self.temp_dir.clone().unwrap_or_else(std::env::temp_dir)
    }

    pub(super) fn choice(&self) -> Selection {
        let share = |share: Option<Share>| share.map(|Share(millionths)| millionths);
        let usual =
            if self.form() == Form::Polyglot { UnknownResult::Draw } else { UnknownResult::Skip };
        Selection {
            min_games: self.min_games,
            min_score: share(self.min_score),
            max_score: share(self.max_score),
            max_draws: share(self.max_draws),
            unknown_result: self.unknown_result.unwrap_or(usual),
            best_rated: self.best_rated,
            omits_finished: self.omit.has(Omission::Finished),
            equal_turns: self.equal_turns,
            sample: self.sample,
            seed: self.seed,
            order: if self.is_sorted() { Order::Position } else { self.order },
            moves: MoveChoice {
                min_games: self.min_move_games,
                min_score: share(self.min_move_score),
                weights: self.weights,
            },
        }
    }

    pub(super) fn style(&self) -> Style<'static> {
        Style { form: self.form(), ops: self.ops, names: Some(Openings::embedded()) }
    }

    pub(super) fn keeps_moves(&self) -> bool {
        self.keep_moves || self.form() == Form::Pgn
    }

    pub(super) fn selection(&self) -> Options {
        let options = Options::default().filter(self.filter.clone()).plies(self.plies);
        let options = options
            .reach(self.reach.clone())
            .moves(self.moves)
            .only_final(self.only_final)
            .omit(self.omit);
        let options = options.variations(self.variations).on_error(self.on_error);
        options
            .input(self.input)
            .rules(self.rules)
            .ops(Some(OpList::NONE))
            .temp_dir(self.temp_dir.clone())
    }

    pub(super) fn plan(&self) -> Plan {
        let whole = self.only_final || self.variations;
        let facts = self.filter.as_ref().map(Filter::facts).unwrap_or_default();
        let select = select(self.plies, self.moves, self.only_final);
        let plan = Plan { select, omit: self.omit, rules: self.rules, ..Plan::default() };
        // No game has more plies before the end of a move, whose number may be 0 at the start.
        let last = self.plies.last.min(self.moves.last.saturating_mul(2).saturating_add(1));
        let needs_next = self.eval.is_some() || facts.needs_comments() || plan.omits_by_comments();
        Plan {
            filter: PositionFile::and_filter(self.reach.as_ref(), self.filter.clone()),
            // The evaluation of the last position may follow the next move.
            last_played: match (whole, needs_next) {
                (true, _) => u32::MAX,
                (false, true) => last.saturating_add(1),
                (false, false) => last,
            },
            facts: self.eval.iter().map(|_| Fact::Eval).collect(),
            names: if facts.needs_names() { Options::default().names } else { NameSource::Off },
            variations: self.variations,
            on_error: self.on_error,
            max_game_bytes: self.max_game_bytes,
            ops: emit::Ops::NONE,
            ..plan
        }
    }

    pub(super) fn wanted(&self) -> PositionFilter {
        PositionFilter {
            queens: self.queens,
            pieces: (self.pieces != Plies::ALL).then_some((self.pieces.first, self.pieces.last)),
            eval: self.eval,
            once_per_game: self.once_per_game,
            moves: self.keeps_moves(),
            variations: self.variations,
            details: Details::ALL,
            group_by: self.group_by.clone(),
        }
    }

    pub(super) fn details(&self) -> Details {
        self.style().details(&self.choice())
    }

    /// Returns all options that affect the counts, as text: `ply=..24, last`.
    pub(super) fn counted(&self) -> String {
        let mut counted = vec![format!("ply {}", self.plies)];
        let is_counted = |spec: &&OptionSpec<Self>| {
            let affects = ["Positions", "Counting"].contains(&spec.heading) && spec.name != "ply";
            affects && spec.is_set(self)
        };
        for spec in Self::SPECS.iter().filter(is_counted) {
            let values = spec.values(self).unwrap_or_default();
            counted.extend(values.into_iter().map(|value| match &*value {
                "true" => spec.name.to_owned(),
                value => format!("{} {value}", spec.name),
            }));
        }
        if self.keeps_moves() {
            counted.push("keep-moves".to_owned());
        }
        counted.join(", ")
    }
}
