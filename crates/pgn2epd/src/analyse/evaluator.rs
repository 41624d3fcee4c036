//! Asks an engine for records, and writes them in their order.

use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::rc::Rc;

use engine::{Answer, EngineError, Pool};
use epd::{LONGEST_STRING, RegisterStyle};

use super::error::AnalyseError;
use super::evaluation::{EvaluationForm, Operations};
use super::options::AnalyseOptions;
use super::record::{RecordOfLine, seal, unseal};
use crate::convert::ConvertError;
use crate::options::OptionSet;

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

/// The evaluation of a position; `None` if there is none.
type Evaluation = Option<Rc<Operations>>;

pub(crate) struct Evaluator<'o> {
    output: Box<dyn Write + 'o>,
    pool: Pool,
    options: AnalyseOptions,
    form: EvaluationForm,
    header: Header,
    /// The records of an earlier run.
    earlier: Option<Box<dyn BufRead + 'o>>,
    /// Whether the output is kept for a later run.
    is_kept: bool,
    cache: Option<Box<dyn Write + 'o>>,
    on_failure: Box<dyn FnMut(&FailedPosition) + 'o>,
    on_progress: Box<dyn FnMut(u64) + 'o>,
    /// The beginning of a line.
    text: Vec<u8>,
    waiting: VecDeque<Waiting>,
    /// What is known of positions, and those that the engine was asked for.
    known: HashMap<String, Option<Evaluation>>,
    /// The number of positions of the cache among them.
    cached: usize,
    /// The number of other positions that may be among them.
    most_known: usize,
    counts: Analysed,
    /// The number of records that were read.
    read: u64,
    /// The number of records that were written.
    written: u64,
    failure: Option<AnalyseError>,
}

/// The engine and its limits, which a comment register of the first record names.
struct Header {
    /// As an operand: the description, and the digits that stand for all settings.
    text: String,
    description: String,
    settings: String,
    style: RegisterStyle,
    /// The register, once there is a record.
    register: Option<&'static str>,
}

enum Waiting {
    /// It is complete.
    Line(Vec<u8>),
    /// A position that the engine was asked for, with its key if the answer is to be known.
    Asked(String, Option<String>),
    /// A position that is equal to an earlier one.
    Same(String, String),
}

/// Number of lines that may wait for the engine.
const MOST_WAITING: usize = 4096;

/// Number of positions whose evaluations are kept for equal ones, some 180 MB.
pub(super) const MOST_KNOWN: usize = 1 << 18;

/// The register in which a cache has the engine and its limits.
const ENGINE: &str = "c9";

/// The registers for comments, those first that are rarely used.
const COMMENTS: [&str; 10] = [ENGINE, "c8", "c7", "c6", "c5", "c4", "c3", "c2", "c1", "c0"];

impl<'o> Evaluator<'o> {
    /// Starts an engine. The evaluations of `most_known` positions are kept for equal ones.
    pub(crate) fn start(
        output: Box<dyn Write + 'o>,
        style: RegisterStyle,
        options: &AnalyseOptions,
        most_known: usize,
    ) -> Result<Self, AnalyseError> {
        options.conflict().map_or(Ok(()), Err)?;
        let pool = options.start(options.one_engine()?)?;
        let (description, settings) = options.description(pool.name(), options.one_engine()?);
        let room = description.floor_char_boundary(LONGEST_STRING - settings.len() - "; #".len());
        let text = format!("\"{}; #{settings}\"", description[..room].trim_end());
        let header = Header { text, description, settings, style, register: None };
        Ok(Evaluator {
            output,
            pool,
            options: options.clone(),
            form: EvaluationForm::new(options),
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
            failure: None,
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
            let record = RecordOfLine::read(line, self.options.variant);
            if let Some(mut record) = record.filter(|_| settings == self.header.settings) {
                let evaluation = record.take(self.form.opcodes());
                self.known.insert(record.key(), Some(Some(Rc::new(evaluation))));
            }
        }
        self.cached = self.known.len();
        self.cache = Some(additions);
        Ok(())
    }

    pub(crate) fn on_failure(&mut self, report: Box<dyn FnMut(&FailedPosition) + 'o>) {
        self.on_failure = report;
    }

    pub(super) fn on_progress(&mut self, report: Box<dyn FnMut(u64) + 'o>) {
        self.on_progress = report;
    }

    /// Returns why the conversion ended early: also if it could not pass on its text.
    pub(super) fn reason(&mut self, error: ConvertError) -> AnalyseError {
        self.failure.take().unwrap_or(AnalyseError::Convert(error))
    }

    /// Returns the engine and its limits.
    pub(crate) fn description(&self) -> &str {
        &self.header.description
    }

    pub(crate) fn analysed(&self) -> Analysed {
        self.counts
    }

    /// Takes text of the conversion: records, each a line.
    pub(super) fn text(&mut self, text: &[u8]) -> io::Result<()> {
        let taken = self.lines(text);
        taken.map_err(|error| {
            let reason = error.to_string();
            self.failure = Some(error);
            io::Error::other(reason)
        })
    }

    pub(crate) fn lines(&mut self, mut text: &[u8]) -> Result<(), AnalyseError> {
        while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            self.text.extend_from_slice(&text[..end]);
            text = &text[end + 1..];
            let line = std::mem::take(&mut self.text);
            self.line(&String::from_utf8_lossy(&line))?;
            self.write_ready()?;
        }
        self.text.extend_from_slice(text);
        Ok(())
    }

    /// Waits for the last answers.
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
        self.output.flush().map_err(AnalyseError::Write)?;
        Ok(self.counts)
    }

    fn line(&mut self, line: &str) -> Result<(), AnalyseError> {
        let Some(mut record) = RecordOfLine::read(line, self.options.variant) else {
            self.waiting.push_back(Waiting::Line([line.as_bytes(), b"\n"].concat()));
            return Ok(());
        };
        self.read += 1;
        record.take(self.form.opcodes());
        let header = self.header.add_to(&record, self.read == 1);
        let key = record.key();
        if self.earlier.is_some() && self.is_earlier(&record, &header, &key)? {
            return Ok(());
        }
        let mut question = record.question.clone();
        let mut text = Vec::new();
        record.write_with(&header, &mut text);
        let line = String::from_utf8_lossy(&text).into_owned();
        if question.is_over() {
            self.counts.over += 1;
            self.waiting.push_back(Waiting::Line(text));
        } else if self.known.contains_key(&key) {
            self.counts.repeated += 1;
            self.waiting.push_back(Waiting::Same(line, key));
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
            self.waiting.push_back(Waiting::Asked(line, is_kept.then_some(key)));
        }
        Ok(())
    }

    /// Reads a record of the earlier run, which is that of this one, if there is another.
    fn is_earlier(
        &mut self,
        record: &RecordOfLine<'_>,
        header: &Operations,
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
        let Some(mut earlier) = RecordOfLine::read(line, self.options.variant) else {
            return Err(other);
        };
        let evaluation = earlier.take(self.form.opcodes());
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
                Waiting::Asked(..) if !is_full => {
                    let Some(answer) = self.pool.next_ready() else { return Ok(()) };
                    self.answered(answer?)?;
                }
                _ => self.write_first()?,
            }
        }
        Ok(())
    }

    /// Writes the first line that waits, when it is complete.
    fn write_first(&mut self) -> Result<(), AnalyseError> {
        match self.waiting.front() {
            Some(Waiting::Asked(..)) => {
                let answer = self.pool.wait().expect("the engine was asked");
                self.answered(answer?)
            }
            _ => match self.waiting.pop_front() {
                Some(Waiting::Same(line, key)) => {
                    let known = self.known.get(&key).cloned().flatten().flatten();
                    self.write(&line, known.as_deref())
                }
                Some(Waiting::Line(line)) => self.put(line),
                _ => Ok(()),
            },
        }
    }

    /// Writes the first line, for which there is an answer.
    fn answered(&mut self, answer: Result<Answer, EngineError>) -> Result<(), AnalyseError> {
        let Some(Waiting::Asked(line, key)) = self.waiting.pop_front() else { return Ok(()) };
        let evaluation = match answer {
            Ok(answer) => {
                self.counts.unevaluated += u64::from(answer.lines.is_empty());
                self.counts.short += u64::from(answer.is_short);
                let operations = self.form.operations(&answer);
                self.add_to_cache(&line, &operations)?;
                Some(Rc::new(operations))
            }
            Err(error) => {
                self.counts.failed += 1;
                let record = self.written + 1;
                let fen = RecordOfLine::read(line.trim_end(), self.options.variant);
                let fen = fen.map(|record| record.question.fen()).unwrap_or_default();
                (self.on_failure)(&FailedPosition { record, fen, error });
                None
            }
        };
        if let Some(key) = key {
            self.known.insert(key, Some(evaluation.clone()));
        }
        self.write(&line, evaluation.as_deref())
    }

    fn add_to_cache(&mut self, line: &str, operations: &Operations) -> Result<(), AnalyseError> {
        let record = RecordOfLine::read(line.trim_end(), self.options.variant);
        let (Some(cache), Some(mut record)) = (&mut self.cache, record) else { return Ok(()) };
        let mut text = Vec::new();
        record.keep(&["hmvc"]);
        let engine = (ENGINE, self.header.text.clone());
        let operations = [&operations[..], &[engine]].concat();
        record.write_with(&operations, &mut text);
        seal(&mut text, &self.header.settings);
        cache.write_all(&text).map_err(AnalyseError::Write)
    }

    fn write(&mut self, line: &str, operations: Option<&Operations>) -> Result<(), AnalyseError> {
        let mut text = Vec::new();
        match (operations, RecordOfLine::read(line.trim_end(), self.options.variant)) {
            (Some(operations), Some(record)) => record.write_with(operations, &mut text),
            _ => text.extend_from_slice(line.as_bytes()),
        }
        self.put(text)
    }

    fn put(&mut self, mut text: Vec<u8>) -> Result<(), AnalyseError> {
        self.written += 1;
        (self.on_progress)(self.written);
        if self.is_kept {
            seal(&mut text, &self.header.settings);
        }
        self.output.write_all(&text).map_err(AnalyseError::Write)
    }
}

impl Header {
    /// Returns the operation that names the engine, if a record gets it.
    fn add_to(&mut self, record: &RecordOfLine<'_>, is_first: bool) -> Operations {
        if is_first {
            self.register =
                COMMENTS.into_iter().find(|register| record.operands(register).is_none());
        }
        match (self.register, self.style) {
            (None, _) | (_, RegisterStyle::Off) => Operations::new(),
            (Some(_), RegisterStyle::Delta) if !is_first => Operations::new(),
            (Some(register), _) => vec![(register, self.text.clone())],
        }
    }
}
