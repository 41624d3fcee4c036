//! Options of an analysis.

use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use engine::{EngineCommand, EngineError, Limits, OptionSetting, Pool, Settings, StopCheck};
use epd::Rules;
use san::{AnyPosition, Position, SanError};
use sha2::{Digest, Sha256};

use crate::options::option_spec::{OptionSet, first_set, options};
use crate::options::value::values_with_display;
use crate::options::{Format, OptionConflict, Options, Preset, ShareRange, ValueError};

options! {
    /// Options of an analysis: the engine, its limits, what is written.
    ///
    /// ```
    /// use pgn2epd::analyse::{AnalyseOptions, BestMoves};
    ///
    /// let names = [("engine", "lc0 -b blas"), ("nodes", "800"), ("multipv", "3"), ("bm", "within:20")];
    /// assert_eq!(AnalyseOptions::from_names(names)?.bm, Some(BestMoves::Within(20)));
    /// assert!(AnalyseOptions::from_names([("engine", "stockfish")]).is_err(), "no limit");
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct AnalyseOptions {
        "Engine": {
            /// Command that starts a UCI engine: a program and its arguments, as words; no shell
            /// reads it. May be repeated for `solve`.
            engine: Vec<EngineCommand> = Vec::new(), value("COMMAND"), common();

            /// Number of processes [default: the number of cores].
            engines: Option<NonZeroU64> = None, value("N"), common();

            /// Option of the engine, as in Hash=64; may be repeated.
            settings: Vec<OptionSetting> = Vec::new(), name("option"), value("NAME=VALUE"), common();

            /// Search this number of nodes.
            nodes: Option<NonZeroU64> = None, value("N"), common();

            /// Search to this depth, in plies.
            depth: Option<NonZeroU64> = None, value("N"), common();

            /// Search for this time, in milliseconds.
            movetime: Option<NonZeroU64> = None, value("MS"), common();

            /// Number of best moves that are evaluated, for --bm within.
            multipv: NonZeroU64 = NonZeroU64::MIN, value("N");

            /// Search only these moves, separated by commas, where they are legal.
            searchmoves: MoveNames = MoveNames::default(), value("MOVES");

            /// Let the engine keep what it learned from earlier positions; the output then depends
            /// on --engines.
            keep_hash: bool = false;

            /// Seconds without anything new from the engine after which it hangs, and is started again.
            timeout: NonZeroU64 = NonZeroU64::new(60).expect("60 is not 0"), value("SECONDS");

            /// Rules of all positions.
            variant: Rules = Rules::Detected, value("NAME");
        }
        "Evaluations": {
            /// Write the best move as bm instead of pm: best, or within:CP for all moves that are
            /// at most CP centipawns worse.
            bm: Option<BestMoves> = None, value("WHICH");

            /// Write wins, draws and losses in a thousand games as the operation wdl, if the
            /// engine knows them.
            wdl: bool = false;

            /// In games, add the expected moves as a variation where the move that was played is at
            /// least CP centipawns worse [default: 50].
            annotate: Option<NonZeroU64> = None, value("CP"), optional("50");

            /// Only positions in which the engine expects this share of draws, such as 0.48..0.52
            draws: Option<ShareRange> = None, value("MIN..MAX"), common();
        }

        /// Whether the run ends early.
        stop: StopCheck = StopCheck::default();
    }
}

/// Which moves are written as best ones.
///
/// ```
/// use pgn2epd::analyse::BestMoves;
///
/// assert_eq!("within:30".parse(), Ok(BestMoves::Within(30)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMoves {
    /// The best one.
    Best,
    /// All moves that are at most this number of centipawns worse.
    Within(u32),
}

impl FromStr for BestMoves {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let within = text.strip_prefix("within:").and_then(|number| number.parse().ok());
        match (text, within) {
            ("best", _) => Ok(BestMoves::Best),
            (_, Some(centipawns)) => Ok(BestMoves::Within(centipawns)),
            _ => Err(ValueError::new("choose from best, within:CP, such as within:30")),
        }
    }
}

impl fmt::Display for BestMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BestMoves::Best => f.write_str("best"),
            BestMoves::Within(centipawns) => write!(f, "within:{centipawns}"),
        }
    }
}

/// Moves in any notation, separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveNames(pub(crate) Vec<String>);

impl FromStr for MoveNames {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let moves: Vec<String> = text.split(',').map(|mv| mv.trim().to_owned()).collect();
        // Such a text is a move in no position; others are one where they are legal.
        let is_none = |mv: &&String| {
            let read = Position::default().resolve(mv.as_bytes());
            matches!(read, Err(SanError::NotAMove | SanError::NullMove))
        };
        match moves.iter().find(is_none) {
            Some(mv) => Err(ValueError::new(format!(
                "{mv:?} is not a move; write moves with commas between them: e4,Nf3"
            ))),
            None => Ok(MoveNames(moves)),
        }
    }
}

impl fmt::Display for MoveNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

values_with_display! {
    MoveNames: List unless default, BestMoves: Text, EngineCommand: Text, OptionSetting: Text,
    ShareRange: Range,
}

impl OptionSet for AnalyseOptions {
    const PRESETS: &'static [Preset] = &[Preset {
        name: "stockfish",
        help: "Stockfish with one thread and 64 MB: --engine stockfish --option Threads=1 --option \
               Hash=64",
        options: &[("engine", "stockfish"), ("option", "Threads=1"), ("option", "Hash=64")],
    }];

    fn conflict(&self) -> Option<OptionConflict> {
        if self.engine.is_empty() {
            return Some(OptionConflict::Missing("an engine", "--engine stockfish"));
        }
        if !self.limits().are_any() {
            return Some(OptionConflict::Missing("a limit", "--nodes, --depth or --movetime"));
        }
        if self.engines.is_some_and(|engines| engines.get() > MOST_ENGINES) {
            return Some(OptionConflict::Unused("engines", "at most 1024 processes"));
        }
        let is_single = self.multipv == NonZeroU64::MIN;
        match self.bm {
            Some(BestMoves::Within(_)) if is_single => {
                Some(OptionConflict::Missing("a number of moves for --bm within", "--multipv 2"))
            }
            Some(BestMoves::Within(_)) => None,
            _ if is_single => None,
            _ => Some(OptionConflict::Unused("multipv", "--bm within:CP")),
        }
    }
}

/// Whether the evaluation of a book's positions has an option of an analysis.
pub fn book_has(name: &str) -> bool {
    !["preset", "multipv", "searchmoves", "variant", "bm", "annotate"].contains(&name)
}

/// The greatest number of processes: each has threads of its own.
const MOST_ENGINES: u64 = 1024;
const SHOW_WDL: &str = "UCI_ShowWDL=true";

impl AnalyseOptions {
    pub(super) fn conflict_with(&self, options: &Options) -> Option<OptionConflict> {
        let is_pgn = options.format == Format::Pgn;
        let of_positions = ["skip", "limit", "sample", "sort", "shuffle"];
        match first_set(options, &of_positions).filter(|_| is_pgn) {
            Some(name) => {
                Some(OptionConflict::Unused(name, "positions, but --format pgn has whole games"))
            }
            None if self.annotate.is_some() && !is_pgn => {
                Some(OptionConflict::Unused("annotate", "--format pgn"))
            }
            None => None,
        }
    }

    #[cfg(feature = "output")]
    pub(super) fn columns(&self) -> Vec<&'static str> {
        let mut columns = vec!["ce", "dm", "acd", "acn"];
        columns.extend(self.movetime.map(|_| "acs"));
        columns.extend([if self.bm.is_some() { "bm" } else { "pm" }, "pv"]);
        columns.extend(self.wdl.then_some("wdl"));
        columns
    }

    fn limits(&self) -> Limits {
        let depth = self.depth.map(|depth| depth.get().try_into().unwrap_or(u32::MAX));
        let movetime = self.movetime.map(|time| Duration::from_millis(time.get()));
        Limits { nodes: self.nodes.map(NonZeroU64::get), depth, movetime }
    }

    pub(super) fn has_wdl(&self) -> bool {
        self.wdl || self.draws.is_some()
    }

    pub(super) fn one_engine(&self) -> Result<&EngineCommand, OptionConflict> {
        match &self.engine[..] {
            [engine] => Ok(engine),
            _ => Err(OptionConflict::Unused("engine", "one engine; solve takes several")),
        }
    }

    pub(super) fn start(&self, engine: &EngineCommand) -> Result<Pool, EngineError> {
        let mut settings = Settings {
            options: self.settings.clone(),
            limits: self.limits(),
            multipv: self.multipv.get().try_into().unwrap_or(u32::MAX),
            shows_wdl: self.has_wdl(),
            keeps_hash: self.keep_hash,
            timeout: Duration::from_secs(self.timeout.get()),
            stop: self.stop.clone(),
            ..Settings::new(engine.clone())
        };
        if self.draws.is_some() {
            // An engine without it has no position of the range.
            settings.options.push(SHOW_WDL.parse().expect("a setting"));
        }
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let engines = self.engines.map(|engines| engines.try_into().unwrap_or(NonZeroUsize::MAX));
        Pool::start(settings, engines.unwrap_or_else(cores))
    }

    /// Returns a warning if most searches ended far below their limit.
    pub fn warning(&self, short: u64, searches: u64) -> Option<String> {
        let (known, other) = match self.limits() {
            Limits { nodes: Some(_), .. } => ("nodes", "depth"),
            Limits { depth: Some(_), .. } => ("depth", "nodes"),
            _ => ("movetime", "nodes"),
        };
        let text = format!(
            "{short} of {searches} searches ended far below the limit: the engine may not know `go \
             {known}`; try --{other}"
        );
        (2 * short > searches).then_some(text)
    }

    /// Returns what evaluations depend on, and digits for all of it, also for what has no room.
    pub(super) fn description(&self, name: &str, engine: &EngineCommand) -> (String, String) {
        let mut parts = vec![name.to_owned(), self.limits().to_string()];
        if self.multipv > NonZeroU64::MIN {
            parts.push(format!("multipv {}", self.multipv));
        }
        if !self.searchmoves.0.is_empty() {
            parts.push(format!("searchmoves {}", self.searchmoves));
        }
        parts.extend(self.settings.iter().map(OptionSetting::to_string));
        if self.keep_hash {
            parts.push("keep-hash".to_owned());
        }
        if self.variant != Rules::Detected {
            parts.push(self.variant.to_string());
        }
        parts.extend(self.bm.map(|bm| format!("bm {bm}")));
        if self.has_wdl() {
            parts.push("wdl".to_owned());
        }
        let description = epd::legal_string(&parts.join("; ")).into_owned();
        (description, digest(format!("{:?}", (parts, engine.words())).as_bytes()))
    }
}

pub(super) fn digest(text: &[u8]) -> String {
    Sha256::digest(text)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(more: &[(&str, &str)]) -> AnalyseOptions {
        let needed = [("engine", "x"), ("nodes", "1")];
        AnalyseOptions::from_names(needed.iter().chain(more).copied()).unwrap()
    }

    #[test]
    fn games_are_whole_and_lines_are_added_to_games_only() {
        for (name, value) in
            [("skip", "1"), ("limit", "1"), ("sample", "1"), ("sort", "file"), ("shuffle", "true")]
        {
            for (format, is_refused) in [("pgn", true), ("fen", false)] {
                let options = Options::from_names([("format", format), (name, value)]).unwrap();
                let conflict = engine(&[]).conflict_with(&options).map(|error| error.to_string());
                let expected =
                    format!("--{name} is for positions, but --format pgn has whole games");
                assert_eq!(conflict, is_refused.then_some(expected));
            }
        }
        for (format, is_refused) in [("pgn", false), ("epd", true)] {
            let options = Options::from_names([("format", format)]).unwrap();
            assert_eq!(engine(&[]).conflict_with(&options), None);
            let annotated = engine(&[("annotate", "50")]).conflict_with(&options);
            let expected = OptionConflict::Unused("annotate", "--format pgn");
            assert_eq!(annotated, is_refused.then_some(expected));
        }
    }

    #[test]
    fn the_preset_is_replaced_by_what_is_given() {
        let preset = [("preset", "stockfish"), ("nodes", "1")];
        let options = AnalyseOptions::from_names(preset).unwrap();
        let description = |options: &AnalyseOptions| options.description("x", &options.engine[0]).0;
        assert_eq!(description(&options), "x; nodes 1; Threads=1; Hash=64");
        assert_eq!(options.engine.len(), 1);
        let given = preset.into_iter().chain([("option", "Hash=9")]);
        let options = AnalyseOptions::from_names(given).unwrap();
        assert_eq!(description(&options), "x; nodes 1; Hash=9");
    }

    #[test]
    fn all_that_evaluations_depend_on_is_told_apart() {
        let long = format!("SyzygyPath={}", "a".repeat(300));
        let given: [&[(&str, &str)]; 22] = [
            &[],
            &[("engine", "x -w a")],
            &[("engine", "x -w b")],
            &[("engine", "x '-w b'")],
            &[("engine", "./x")],
            &[("nodes", "2")],
            &[("depth", "2")],
            &[("movetime", "2")],
            &[("option", "A=1"), ("option", "B=2")],
            &[("option", "A=1; B=2")],
            &[("option", &long)],
            &[("option", &long), ("option", "Style=1")],
            &[("option", &long), ("option", "Style=99")],
            &[("option", &long), ("keep-hash", "true")],
            &[("option", &long), ("variant", "atomic")],
            &[("option", &long), ("bm", "best")],
            &[("option", &long), ("wdl", "true")],
            &[("option", &long), ("searchmoves", "e4")],
            &[("option", &long), ("searchmoves", "d4")],
            &[("bm", "within:1"), ("multipv", "2")],
            &[("bm", "within:1"), ("multipv", "3")],
            &[("bm", "within:2"), ("multipv", "2")],
        ];
        let named = |name: &str, options: &[(&str, &str)]| {
            let defaults = [("engine", "x"), ("nodes", "1")];
            let is_given = |key| options.iter().any(|(other, _)| *other == key);
            let defaults = defaults.into_iter().filter(|(key, _)| !is_given(*key));
            let all = AnalyseOptions::from_names(defaults.chain(options.iter().copied())).unwrap();
            let (text, settings) = all.description(name, &all.engine[0]);
            assert!(text.len() <= epd::LONGEST_STRING);
            settings
        };
        let all: Vec<String> = given.iter().map(|options| named("x", options)).collect();
        for (index, settings) in all.iter().enumerate() {
            assert_eq!(all.iter().filter(|other| *other == settings).count(), 1, "{index}");
        }
        assert_ne!(named("y", &[]), all[0], "another name");
        // Neither changes an evaluation.
        for (name, value) in [("timeout", "1"), ("engines", "3")] {
            assert_eq!(named("x", &[(name, value)]), all[0]);
        }
    }

    #[cfg(feature = "output")]
    #[test]
    fn a_table_has_the_operations_that_are_written() {
        let columns = |more| engine(more).columns().join(",");
        assert_eq!(columns(&[]), "ce,dm,acd,acn,pm,pv");
        let all = [("movetime", "1"), ("bm", "best"), ("wdl", "true")];
        assert_eq!(columns(&all), "ce,dm,acd,acn,acs,bm,pv,wdl");
    }
}
