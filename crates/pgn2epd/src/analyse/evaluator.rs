//! Asks an engine for records, and writes them in their order.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::rc::Rc;

#[cfg(feature = "output")]
use emit::{Evaluated, Evaluations};
use engine::{Answer, Board, EngineError, EvaluatedLine, Pool, Question, Score, WinDrawLoss};
use epd::{
    Centipawns, Dialect, LONGEST_STRING, Line, OperationRef, OperationWriter, ReadOptions,
    RegisterStyle, Rules, fields_len, read_line,
};
use san::MoveText;
#[cfg(feature = "book")]
use san::Position;

use super::options::{AnalyseOptions, BestMoves, digest};
use crate::convert::ConvertError;
use crate::options::{OptionConflict, OptionSet};

/// Why an analysis ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum AnalyseError {
    #[error(transparent)]
    Conflict(#[from] OptionConflict),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Convert(ConvertError),
    #[cfg(feature = "output")]
    #[error(transparent)]
    Output(#[from] stream::output::OutputError),
    #[error("the output cannot be written")]
    Write(#[source] io::Error),
    #[error("the earlier results cannot be read")]
    Earlier(#[source] io::Error),
    #[error("the cache cannot be read")]
    Cache(#[source] io::Error),
    #[error("line {0} of the cache is damaged: remove it, or the file")]
    CacheLine(u64),
    #[error(
        "line {0} of the earlier results is damaged: remove it and those after it, or the file"
    )]
    EarlierLine(u64),
    #[error("{} does not say in its first record what it was made with, so --resume cannot go on", .0.display())]
    NoSettings(PathBuf),
    #[error(
        "the earlier results were made with {found:?}, these would be made with {expected:?}; the digits after # stand for all settings, and the command of the engine"
    )]
    OtherSettings { found: String, expected: String },
    #[error("the earlier results are of another input: record {0} is not the same")]
    OtherInput(u64),
    #[error("{} has the results of a run that was interrupted: continue it with --resume, or remove the file", .0.display())]
    Interrupted(PathBuf),
    #[error("{} is not a cache of evaluations", .0.display())]
    NotACache(PathBuf),
    #[error("cannot use {}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("no position asks anything: bm, am, dm, or points in c0, or in c8 and c9")]
    NothingAsked,
}

/// The reason of an evaluator, if a conversion could not pass on its text to one.
impl From<ConvertError> for AnalyseError {
    fn from(error: ConvertError) -> Self {
        let ConvertError::Write(error) = error else { return AnalyseError::Convert(error) };
        error.downcast().unwrap_or_else(|error| AnalyseError::Convert(ConvertError::Write(error)))
    }
}

pub(crate) type NamedOperands = Vec<(&'static str, String)>;

impl AnalyseOptions {
    fn opcodes(&self) -> &'static [&'static str] {
        const ALL: &[&str] = &["acd", "acn", "acs", "ce", "dm", "pm", "pv", "wdl", "bm"];
        if self.bm.is_some() { ALL } else { &ALL[..ALL.len() - 1] }
    }

    fn operations(&self, answer: &Answer) -> NamedOperands {
        let mut operations = NamedOperands::new();
        let line = answer.lines.first();
        let mut add = |name, value: Option<String>| {
            operations.extend(value.map(|value| (name, value)));
        };
        add("acd", line.and_then(|line| line.depth).map(|depth| depth.to_string()));
        add("acn", answer.nodes.map(|nodes| nodes.to_string()));
        // The time is not the same in each run, unless it is the limit.
        let time = answer.time.filter(|_| self.movetime.is_some());
        add("acs", time.map(|time| time.as_secs().to_string()));
        let score = line.map(|line| line.score);
        add("ce", score.and_then(centipawns).map(|ce| ce.to_string()));
        add("dm", mate(score).map(|moves| moves.to_string()));
        add("pv", line.map(|line| words(&line.moves)).filter(|pv| !pv.is_empty()));
        let wdl = line.and_then(|line| line.wdl).filter(|_| self.has_wdl());
        let text = |WinDrawLoss { wins, draws, losses }| format!("{wins} {draws} {losses}");
        add("wdl", wdl.map(text));
        match self.bm {
            None => add("pm", Some(answer.best.to_string())),
            Some(bm) => add("bm", Some(words(&best_moves(answer, bm)))),
        }
        operations
    }
}

/// The number of moves in which the side to move mates.
pub(super) fn mate(score: Option<Score>) -> Option<i64> {
    if let Some(Score::Mate(moves @ 1..)) = score { Some(moves) } else { None }
}

pub(super) fn centipawns(score: Score) -> Option<i32> {
    let ce = match score {
        Score::Centipawns(value) => Some(Centipawns::without_mate(value)),
        Score::Mate(moves) => Centipawns::mate_in_moves(moves),
    };
    ce.map(Centipawns::get)
}

fn best_moves(answer: &Answer, bm: BestMoves) -> Vec<MoveText> {
    let mut moves = vec![answer.best];
    if let (BestMoves::Within(centipawns), Some(best)) = (bm, answer.lines.first()) {
        let least = operation_of_value(best.score) - i64::from(centipawns);
        let good = |line: &&EvaluatedLine| operation_of_value(line.score) >= least;
        let first = |line: &EvaluatedLine| line.moves.first().copied();
        for mv in answer.lines.iter().filter(good).filter_map(first) {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
    }
    moves
}

/// Makes evaluations comparable: a mate is better than all else, an early one than a late one.
fn operation_of_value(score: Score) -> i64 {
    const MATE: i64 = 1 << 40;
    match score {
        Score::Centipawns(value) => value.clamp(-MATE / 2, MATE / 2),
        Score::Mate(moves @ 1..) => MATE - moves.min(MATE / 4),
        Score::Mate(moves) => -MATE - moves.max(-MATE / 4),
    }
}

fn words(moves: &[MoveText]) -> String {
    let words: Vec<&str> = moves.iter().map(MoveText::as_str).collect();
    words.join(" ")
}

/// What a kept record was made with; a checksum of all that precedes it follows.
const SETTINGS: &str = " settings ";
const CHECKSUM: &str = " checksum ";

pub(super) fn seal(line: &mut Vec<u8>, settings: &str) {
    line.truncate(line.trim_ascii_end().len());
    line.extend([SETTINGS, settings, ";"].concat().bytes());
    let checksum = digest(line);
    line.extend([CHECKSUM, &*checksum, ";\n"].concat().bytes());
}

/// Returns a line that was kept, and what it was made with; `None` if it is damaged.
pub(super) fn unseal(line: &str) -> Option<(&str, &str)> {
    let (sealed, checksum) = line.strip_suffix(';')?.rsplit_once(CHECKSUM)?;
    let (record, settings) = sealed.strip_suffix(';')?.rsplit_once(SETTINGS)?;
    (digest(sealed.as_bytes()) == checksum).then_some((record, settings))
}

#[derive(Clone, Debug)]
pub(crate) struct EngineRecord {
    fields: String,
    operations: BTreeMap<String, String>,
    pub(crate) question: Question,
}

impl EngineRecord {
    pub(crate) fn read(line: &str, rules: Rules) -> Option<Self> {
        let options = ReadOptions {
            dialect: Some(Dialect::Standard),
            moves: false,
            rules,
            ..ReadOptions::default()
        };
        let pair = |operation: OperationRef<'_>| {
            (operation.name().to_owned(), operation.operands().to_owned())
        };
        let (board, operations) = match read_line(line, &options, &mut |_| {}) {
            Line::Record(record) => {
                (Board::Chess(record.position().clone()), record.operations().map(pair).collect())
            }
            Line::Variant(variant) => {
                let operations = variant.operations().operations().map(pair).collect();
                (Board::Variant(variant.position().clone()), operations)
            }
            _ => return None,
        };
        let fields = line[..fields_len(line)].trim_end().to_owned();
        Some(EngineRecord { fields, operations, question: Question::new(board) })
    }

    #[cfg(feature = "book")]
    pub(crate) fn of(position: &Position, fields: String) -> Self {
        let clocks = [("fmvn", position.fullmoves()), ("hmvc", position.halfmoves())];
        let operations = clocks.map(|(name, clock)| (name.to_owned(), clock.to_string())).into();
        let question = Question::new(Board::Chess(position.clone()));
        EngineRecord { fields, operations, question }
    }

    #[cfg(feature = "output")]
    pub(super) fn add_to(&self, evaluations: &mut Evaluations) {
        let number = |name| self.operands(name).and_then(|text| text.parse().ok());
        let Some(centipawns) = number("ce").and_then(Centipawns::new) else { return };
        let depth = self.operands("acd").and_then(|text| text.parse().ok());
        let line = self.operands("pv").unwrap_or_default().to_owned();
        let evaluated = Evaluated { centipawns, depth, line };
        match self.question.board() {
            Board::Chess(position) => evaluations.add(position, evaluated),
            Board::Variant(position) => evaluations.add(position, evaluated),
        }
    }

    /// Returns what equal positions share: fields, and plies since the last capture or pawn move.
    pub(super) fn key(&self) -> String {
        let fen = self.question.fen();
        fen.rsplit_once(' ').map_or(&*fen, |(key, _)| key).to_owned()
    }

    pub(crate) fn operands(&self, name: &str) -> Option<&str> {
        self.operations.get(name).map(String::as_str)
    }

    fn take(&mut self, names: &[&'static str]) -> NamedOperands {
        let take = |name: &&'static str| Some((*name, self.operations.remove(*name)?));
        names.iter().filter_map(take).collect()
    }

    fn is_same(&self, other: &EngineRecord) -> bool {
        self.fields == other.fields && self.operations == other.operations
    }

    fn line_with(&self, operations: &NamedOperands) -> Vec<u8> {
        let own = self.operations.iter().map(|(name, operands)| (&**name, &**operands));
        let mut all: BTreeMap<&str, &str> = own.collect();
        all.extend(operations.iter().map(|(name, operands)| (*name, &**operands)));
        let mut line = self.fields.clone().into_bytes();
        for (name, operands) in all {
            let writer = OperationWriter::new(name, &mut line);
            if operands.is_empty() { writer.end() } else { writer.word(operands).end() }
        }
        line.push(b'\n');
        line
    }
}

/// The totals of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Analysed {
    /// Positions that the engine was asked for.
    pub asked: u64,
    /// Positions with the evaluation of an equal one.
    pub repeated: u64,
    /// Positions of the earlier run that was continued.
    pub earlier: u64,
    /// Positions without a legal move.
    pub over: u64,
    /// Positions that the engine did not evaluate.
    pub failed: u64,
    /// Positions of which the engine gave a best move, but no evaluation, or only bounds.
    pub unevaluated: u64,
    /// Positions whose search ended far below its limits.
    pub short: u64,
}

/// A position that the engine did not evaluate.
#[derive(Debug)]
#[non_exhaustive]
pub struct FailedPosition {
    /// The number of its record in the output, from 1.
    pub record: u64,
    /// The position.
    pub fen: String,
    /// The reason.
    pub error: EngineError,
}

pub(crate) type SharedOperands = Option<Rc<NamedOperands>>;

pub(crate) struct Evaluator<'o> {
    output: AnsweredRecords<'o>,
    pool: Pool,
    options: AnalyseOptions,
    pub(crate) header: EngineHeader,
    earlier: Option<Box<dyn BufRead + 'o>>,
    is_kept: bool,
    cache: Option<Box<dyn Write + 'o>>,
    pub(crate) on_failure: Box<dyn FnMut(&FailedPosition) + 'o>,
    pub(super) on_progress: Box<dyn FnMut(u64) + 'o>,
    text: Vec<u8>,
    waiting: VecDeque<WaitingRecord>,
    /// What is known of positions, and those that the engine was asked for.
    known: HashMap<String, Option<SharedOperands>>,
    cached: usize,
    /// The number of other positions that may be among them.
    most_known: usize,
    pub(crate) counts: Analysed,
    read: u64,
    written: u64,
}

pub(crate) enum AnsweredRecords<'o> {
    Lines(Box<dyn Write + 'o>),
    Answers(Vec<(EngineRecord, SharedOperands)>),
}

pub(crate) struct EngineHeader {
    text: String,
    pub(crate) description: String,
    settings: String,
    style: RegisterStyle,
    register: Option<&'static str>,
}

enum WaitingRecord {
    /// No record.
    Line(Vec<u8>),
    /// A position that the engine is not asked for.
    Over(EngineRecord),
    /// A position that the engine was asked for, with its key if the answer is to be known.
    Asked(EngineRecord, Option<String>),
    /// A position that is equal to an earlier one.
    Same(EngineRecord, String),
}

const MOST_WAITING: usize = 4096;

/// Number of positions whose evaluations are kept for equal ones, some 180 MB.
pub(super) const MOST_KNOWN: usize = 1 << 18;
const ENGINE: &str = "c9";

const COMMENTS: [&str; 10] = [ENGINE, "c8", "c7", "c6", "c5", "c4", "c3", "c2", "c1", "c0"];

impl<'o> Evaluator<'o> {
    pub(crate) fn start(
        output: AnsweredRecords<'o>,
        style: RegisterStyle,
        options: &AnalyseOptions,
        most_known: usize,
    ) -> Result<Self, AnalyseError> {
        options.conflict().map_or(Ok(()), Err)?;
        let pool = options.start(options.one_engine()?)?;
        let (description, settings) = options.description(pool.name(), options.one_engine()?);
        let room = description.floor_char_boundary(LONGEST_STRING - settings.len() - "; #".len());
        let text = format!("\"{}; #{settings}\"", description[..room].trim_end());
        let header = EngineHeader { text, description, settings, style, register: None };
        Ok(Evaluator {
            output,
            pool,
            options: options.clone(),
            header,
            earlier: None,
            is_kept: false,
            cache: None,
            on_failure: Box::new(|_| {}),
            on_progress: Box::new(|_| {}),
            text: Vec::new(),
            waiting: VecDeque::new(),
            known: HashMap::new(),
            cached: 0,
            most_known,
            counts: Analysed::default(),
            read: 0,
            written: 0,
        })
    }

    pub(super) fn continue_after(&mut self, earlier: Box<dyn BufRead + 'o>) {
        (self.earlier, self.is_kept) = (Some(earlier), true);
    }

    pub(crate) fn use_cache(
        &mut self,
        cache: impl BufRead,
        additions: Box<dyn Write + 'o>,
    ) -> Result<(), AnalyseError> {
        for (number, line) in (1..).zip(cache.lines()) {
            let line = line.map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => AnalyseError::CacheLine(number),
                _ => AnalyseError::Cache(error),
            })?;
            if line.starts_with('#') {
                continue;
            }
            let (line, settings) = unseal(&line).ok_or(AnalyseError::CacheLine(number))?;
            let record = EngineRecord::read(line, self.options.variant);
            if let Some(mut record) = record.filter(|_| settings == self.header.settings) {
                let evaluation = record.take(self.options.opcodes());
                self.known.insert(record.key(), Some(Some(Rc::new(evaluation))));
            }
        }
        self.cached = self.known.len();
        self.cache = Some(additions);
        Ok(())
    }

    pub(super) fn text(&mut self, mut text: &[u8]) -> Result<(), AnalyseError> {
        while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            self.text.extend_from_slice(&text[..end]);
            text = &text[end + 1..];
            let line = std::mem::take(&mut self.text);
            self.line(&String::from_utf8_lossy(&line))?;
        }
        self.text.extend_from_slice(text);
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Result<Analysed, AnalyseError> {
        while !self.waiting.is_empty() {
            self.write_first()?;
            self.write_ready()?;
        }
        if let Some(earlier) = &mut self.earlier
            && !earlier.fill_buf().map_err(AnalyseError::Earlier)?.is_empty()
        {
            return Err(AnalyseError::OtherInput(self.read + 1));
        }
        if let AnsweredRecords::Lines(output) = &mut self.output {
            output.flush().map_err(AnalyseError::Write)?;
        }
        Ok(self.counts)
    }

    #[cfg(feature = "book")]
    pub(crate) fn take_answers(&mut self) -> Vec<(EngineRecord, SharedOperands)> {
        match &mut self.output {
            AnsweredRecords::Answers(answers) => std::mem::take(answers),
            AnsweredRecords::Lines(_) => Vec::new(),
        }
    }

    fn line(&mut self, line: &str) -> Result<(), AnalyseError> {
        match EngineRecord::read(line, self.options.variant) {
            Some(record) => self.record(record),
            None => {
                self.waiting.push_back(WaitingRecord::Line([line.as_bytes(), b"\n"].concat()));
                self.write_ready()
            }
        }
    }

    pub(crate) fn record(&mut self, mut record: EngineRecord) -> Result<(), AnalyseError> {
        self.read += 1;
        record.take(self.options.opcodes());
        let header = self.header.add_to(&record, self.read == 1);
        let key = record.key();
        if self.earlier.is_some() && self.is_earlier(&record, &header, &key)? {
            return self.write_ready();
        }
        let mut question = record.question.clone();
        let header = header.into_iter().map(|(name, operands)| (name.to_owned(), operands));
        record.operations.extend(header);
        if question.is_over() {
            self.counts.over += 1;
            self.waiting.push_back(WaitingRecord::Over(record));
        } else if self.known.contains_key(&key) {
            self.counts.repeated += 1;
            self.waiting.push_back(WaitingRecord::Same(record, key));
        } else {
            let moves = &self.options.searchmoves.0;
            // Those that are legal.
            for mv in moves {
                let _ = question.search_only([&**mv]);
            }
            self.counts.asked += 1;
            self.pool.push(question);
            let is_kept = self.known.len() - self.cached < self.most_known;
            if is_kept {
                self.known.insert(key.clone(), None);
            }
            self.waiting.push_back(WaitingRecord::Asked(record, is_kept.then_some(key)));
        }
        self.write_ready()
    }

    fn is_earlier(
        &mut self,
        record: &EngineRecord,
        header: &NamedOperands,
        key: &str,
    ) -> Result<bool, AnalyseError> {
        let mut line = String::new();
        let read = self.earlier.as_mut().map_or(Ok(0), |earlier| earlier.read_line(&mut line));
        let read = read.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => AnalyseError::EarlierLine(self.read),
            _ => AnalyseError::Earlier(error),
        });
        if read? == 0 {
            self.earlier = None;
            return Ok(false);
        }
        let other = AnalyseError::OtherInput(self.read);
        let damaged = AnalyseError::EarlierLine(self.read);
        let (line, settings) = unseal(line.trim_end_matches('\n')).ok_or(damaged)?;
        let earlier = EngineRecord::read(line, self.options.variant);
        let Some(mut earlier) = earlier else { return Err(other) };
        let evaluation = earlier.take(self.options.opcodes());
        let said = header.first().and_then(|(register, _)| earlier.operands(register));
        if settings != self.header.settings || said != header.first().map(|(_, text)| &**text) {
            let text = |operand: &str| operand.trim_matches('"').to_owned();
            let found = said.map_or_else(|| format!("#{settings}"), text);
            let expected = text(&self.header.text);
            return Err(AnalyseError::OtherSettings { found, expected });
        }
        header.iter().for_each(|(register, _)| drop(earlier.take(&[*register])));
        if !earlier.is_same(record) {
            return Err(other);
        }
        if !evaluation.is_empty() && self.known.len() - self.cached < self.most_known {
            self.known.insert(key.to_owned(), Some(Some(Rc::new(evaluation))));
        }
        self.counts.earlier += 1;
        self.written += 1;
        (self.on_progress)(self.written);
        Ok(true)
    }

    /// Writes the lines that wait for nothing, and those for which others would wait too long.
    fn write_ready(&mut self) -> Result<(), AnalyseError> {
        while let Some(first) = self.waiting.front() {
            let is_full = self.waiting.len() >= MOST_WAITING;
            match first {
                WaitingRecord::Asked(..) if !is_full => {
                    let Some(answer) = self.pool.next_ready() else { return Ok(()) };
                    self.answered(answer?)?;
                }
                _ => self.write_first()?,
            }
        }
        Ok(())
    }

    fn write_first(&mut self) -> Result<(), AnalyseError> {
        match self.waiting.front() {
            Some(WaitingRecord::Asked(..)) => {
                let answer = self.pool.wait().expect("the engine was asked");
                self.answered(answer?)
            }
            _ => match self.waiting.pop_front() {
                Some(WaitingRecord::Same(record, key)) => {
                    let known = self.known.get(&key).cloned().flatten().flatten();
                    self.write(record, known)
                }
                Some(WaitingRecord::Over(record)) => self.write(record, None),
                Some(WaitingRecord::Line(line)) => self.put(line),
                _ => Ok(()),
            },
        }
    }

    fn answered(&mut self, answer: Result<Answer, EngineError>) -> Result<(), AnalyseError> {
        let Some(WaitingRecord::Asked(record, key)) = self.waiting.pop_front() else {
            return Ok(());
        };
        let evaluation = match answer {
            Ok(answer) => {
                self.counts.unevaluated += u64::from(answer.lines.is_empty());
                self.counts.short += u64::from(answer.is_short);
                let operations = self.options.operations(&answer);
                self.add_to_cache(&record, &operations)?;
                Some(Rc::new(operations))
            }
            Err(error) => {
                self.counts.failed += 1;
                let (number, fen) = (self.written + 1, record.question.fen());
                (self.on_failure)(&FailedPosition { record: number, fen, error });
                None
            }
        };
        if let Some(key) = key {
            self.known.insert(key, Some(evaluation.clone()));
        }
        self.write(record, evaluation)
    }

    fn add_to_cache(
        &mut self,
        record: &EngineRecord,
        operations: &NamedOperands,
    ) -> Result<(), AnalyseError> {
        let Some(cache) = &mut self.cache else { return Ok(()) };
        let mut record = record.clone();
        record.operations.retain(|name, _| name == "hmvc");
        let engine = (ENGINE, self.header.text.clone());
        let mut text = record.line_with(&[&operations[..], &[engine]].concat());
        seal(&mut text, &self.header.settings);
        cache.write_all(&text).map_err(AnalyseError::Write)
    }

    fn write(
        &mut self,
        record: EngineRecord,
        evaluation: SharedOperands,
    ) -> Result<(), AnalyseError> {
        if let AnsweredRecords::Answers(answers) = &mut self.output {
            answers.push((record, evaluation));
            self.written += 1;
            return Ok(());
        }
        self.put(record.line_with(evaluation.as_deref().unwrap_or(&NamedOperands::new())))
    }

    fn put(&mut self, mut text: Vec<u8>) -> Result<(), AnalyseError> {
        self.written += 1;
        (self.on_progress)(self.written);
        if self.is_kept {
            seal(&mut text, &self.header.settings);
        }
        match &mut self.output {
            AnsweredRecords::Lines(output) => output.write_all(&text).map_err(AnalyseError::Write),
            AnsweredRecords::Answers(_) => Ok(()),
        }
    }
}

impl EngineHeader {
    fn add_to(&mut self, record: &EngineRecord, is_first: bool) -> NamedOperands {
        if is_first {
            self.register =
                COMMENTS.into_iter().find(|register| record.operands(register).is_none());
        }
        match (self.register, self.style) {
            (None, _) | (_, RegisterStyle::Off) => NamedOperands::new(),
            (Some(_), RegisterStyle::Delta) if !is_first => NamedOperands::new(),
            (Some(register), _) => vec![(register, self.text.clone())],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The better, the earlier in the list.
    #[test]
    fn a_mate_is_better_than_all_else_and_the_sooner_the_better_for_who_gives_it() {
        let mates = [1, 2, 3, 99, 1_000_000].map(Score::Mate);
        let mated = [i64::MIN, -1_000_000, -99, -3, -2, -1, 0].map(Score::Mate);
        let others = [i64::MAX / 2, 32_766, 5, 0, -5, -32_766, i64::MIN].map(Score::Centipawns);
        let order = [&mates[..], &others, &mated].concat();
        for pair in order.windows(2) {
            assert!(operation_of_value(pair[0]) > operation_of_value(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn a_line_that_is_kept_is_read_as_it_was_written_or_not_at_all() {
        let sealed = |line: &str, settings| {
            let mut line = line.as_bytes().to_vec();
            seal(&mut line, settings);
            String::from_utf8(line).unwrap()
        };
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - acd 7; ce 21; id \"a checksum 12; settings b;\";";
        let (one, other) = (sealed(text, "0123"), sealed("8/8/8/8/8/8/8/K1k5 b - - ce 3;", "4567"));
        let (one, other) = (one.trim_end(), other.trim_end());
        assert_eq!((unseal(one), unseal(text)), (Some((text, "0123")), None));
        for at in 0..one.len() {
            for byte in [b' ', b'0', b'a', b';', one.as_bytes()[at] ^ 1, one.as_bytes()[at] ^ 32] {
                let mut changed = one.as_bytes().to_vec();
                changed[at] = byte;
                let changed = String::from_utf8(changed).unwrap();
                assert!(changed == one || unseal(&changed).is_none(), "{changed}");
            }
            for end in at + 1..one.len() {
                let (before, piece, after) = (&one[..at], &one[at..end], &one[end..]);
                for changed in
                    [[before, after, ""], [before, piece, &one[at..]]].map(|it| it.concat())
                {
                    assert!(unseal(&changed).is_none(), "{changed}");
                }
            }
            // What a lost line end makes of two lines.
            for from in 0..other.len() {
                let joined = [&one[..at], &other[from..]].concat();
                let is_whole = joined == one || joined == other;
                assert!(is_whole || unseal(&joined).is_none(), "{joined}");
            }
        }
    }
}
