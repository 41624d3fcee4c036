//! Damage in compressed inputs: decoders detect it late, by a checksum after all of the decoded
//! data.
//!
//! A text is assumed to be sound up to the first error in its games. At that error the file is
//! decompressed again to its end, without being parsed: only if a checksum fails is the error
//! attributed to damage. Data decoded from that game on is then dropped or kept, depending on
//! [`OnDamage`]. A stream cannot be decompressed twice, so its problems are deferred until its
//! end.

use std::cell::OnceCell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use pgn::Place;
use san::keywords;
use stream::error_at_end::ErrorAtEnd;
use stream::ordered::{ChunkWorker, Pipeline, in_order_from};
use stream::source::{Source, SourceError};

use super::InputText;
use crate::epd::line_diagnostic::LineDiagnostic;
use crate::observer::Observer;
use crate::summary::Summary;
use emit::Problem;

keywords! {
    /// What to do with games decoded from a damaged compressed file.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum OnDamage {
        /// Use the games before the first error in the file.
        #[default]
        Stop = "stop",
        /// Use all games that can be decoded.
        Keep = "keep",
    }
}

/// Determines whether a text is damaged.
#[derive(Clone, Default)]
pub(crate) struct Integrity {
    /// Whether the decoder could produce something other than the original data.
    is_packed: bool,
    /// The file to decompress again, and the index of this text in it.
    again: Option<(Rc<Packed>, usize)>,
    on_damage: OnDamage,
}

/// A compressed file that can be decompressed again.
#[derive(Debug)]
pub(super) struct Packed {
    path: PathBuf,
    /// The damage of each text, if any; computed on first use.
    damage: OnceCell<Vec<Option<String>>>,
}

impl Packed {
    pub(super) fn new(path: PathBuf) -> Self {
        Packed { path, damage: OnceCell::new() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn damage(&self) -> &[Option<String>] {
        self.damage.get_or_init(|| {
            let mut damage = Vec::new();
            let file = File::open(&self.path).and_then(Source::file);
            let Ok(mut source) = file else { return damage };
            // Damage to the archive itself is reported when it is read.
            while let Ok(Some(mut text)) = source.next_text() {
                let error = io::copy(&mut text, &mut io::sink()).err();
                damage.push(error.filter(is_damage).map(|error| error.to_string()));
            }
            damage
        })
    }
}

/// Whether the decoded data may differ from the original; false if the data merely ends too early.
fn is_damage(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    matches!(inner, Some(SourceError::Damaged { .. }))
}

impl Integrity {
    pub(super) fn new(
        is_packed: bool,
        again: Option<(Rc<Packed>, usize)>,
        on_damage: OnDamage,
    ) -> Self {
        Integrity { is_packed, again: again.filter(|_| is_packed), on_damage }
    }

    /// Whether damage is only known at the end of the text, because it cannot be decompressed twice
    /// or is used in any case.
    fn is_known_at_end(&self) -> bool {
        self.is_packed && (self.again.is_none() || self.on_damage == OnDamage::Keep)
    }

    /// Returns the damage because of which the text is dropped from an error on, if any. The first
    /// call decompresses the file.
    pub(crate) fn damage(&self) -> Option<&str> {
        if self.on_damage == OnDamage::Keep {
            return None;
        }
        let (packed, index) = self.again.as_ref()?;
        packed.damage().get(*index)?.as_deref()
    }

    /// Opens the text again.
    fn again(&self) -> io::Result<Box<dyn Read>> {
        let Some((packed, index)) = &self.again else { return Ok(Box::new(io::empty())) };
        let mut source = Source::file(File::open(&packed.path)?)?;
        for _ in 0..*index {
            source.next_text()?;
        }
        Ok(source.next_text()?.map_or(Box::new(io::empty()), |text| Box::new(text)))
    }
}

/// The error for a damaged text that was dropped from a line on.
#[derive(Debug, thiserror::Error)]
#[error(
    "{damage}; not used from line {line} on, where the first error is (--on-damage keep uses all)"
)]
struct Stopped {
    damage: String,
    line: u64,
}

impl Stopped {
    fn at(line: u64, damage: &str) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, Stopped { damage: damage.to_owned(), line })
    }
}

/// Returns the error for a damaged text that was used to its end.
fn kept_from(error: &io::Error, line: u64, problems: u64) -> io::Error {
    let s = if problems == 1 { "" } else { "s" };
    let text =
        format!("{error}; it may be wrong from line {line} on ({problems} problem{s} not shown)");
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Processes the games or lines of a text like [`in_order`](stream::ordered::in_order), but stops a
/// damaged file at the item with the first error. `first_error` returns a place in that item from
/// the result of a chunk.
pub(crate) fn in_order_until_damage<W: ChunkWorker>(
    text: InputText<'_>,
    pipeline: &Pipeline,
    work: &W,
    first_error: fn(&W::Output) -> Option<Place>,
    deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    let integrity = text.integrity().clone();
    let (mut delivered, mut in_parts) = (0, false);
    let mut error = None;
    let read = text.in_order(pipeline, work, &mut |output, bytes| {
        if let Some(place) = first_error(output)
            && integrity.damage().is_some()
        {
            error = Some(place);
            return ControlFlow::Break(());
        }
        delivered += bytes;
        in_parts = bytes == 0;
        deliver(output, bytes)
    });
    let Some(error) = error else { return read };
    let Some(damage) = integrity.damage() else { return read };
    let stopped = Stopped::at(error.line, damage);
    // A huge item that was delivered in parts cannot be delivered again.
    if in_parts {
        return Err(stopped);
    }
    // The chunk has items before the error: process it again, up to the error.
    let mut again = integrity.again()?;
    let start = skip(&mut again, delivered)?;
    let before =
        again.take(error.byte.saturating_sub(delivered)).chain(ErrorAtEnd::from(Some(stopped)));
    in_order_from(start, before, pipeline, work, deliver)
}

/// Reads `bytes` bytes, and returns the place after them.
fn skip(reader: &mut dyn Read, bytes: u64) -> io::Result<Place> {
    const PIECE: usize = 64 << 10;
    let mut place = Place::default();
    let mut piece = Vec::new();
    let mut left = bytes;
    while left > 0 {
        let wanted = left.min(PIECE as u64);
        let read = reader.take(wanted).read_to_end(&mut piece)? as u64;
        left = if read < wanted { 0 } else { left - read };
        // Do not split a two-byte line end when counting.
        let torn = usize::from(left > 0 && piece.ends_with(b"\r"));
        let end = piece.len() - torn;
        place = place.after(&piece[..end]);
        piece.drain(..end);
    }
    Ok(place)
}

/// An observer of a text that cannot be decompressed twice: what is found in it is deferred until
/// it is known whether damage is the cause.
pub(crate) struct DeferringObserver<'w> {
    observer: &'w mut dyn Observer,
    deferred: Vec<Finding>,
    /// Number of findings, and the line of the first one.
    count: u64,
    first_line: Option<u64>,
    defers: bool,
}

/// What is reported to an observer.
enum Finding {
    Problem(Problem),
    Line(LineDiagnostic),
}

/// Maximum number of findings that are deferred; beyond it they are reported immediately.
const MOST_DEFERRED: usize = 10_000;

impl<'w> DeferringObserver<'w> {
    pub(crate) fn new(observer: &'w mut dyn Observer, integrity: &Integrity) -> Self {
        let defers = integrity.is_known_at_end();
        DeferringObserver { observer, deferred: Vec::new(), count: 0, first_line: None, defers }
    }

    fn defer(&mut self, line: u64, finding: Finding) {
        self.count += 1;
        self.first_line.get_or_insert(line);
        self.deferred.push(finding);
        if self.deferred.len() == MOST_DEFERRED {
            self.defers = false;
            self.report();
        }
    }

    fn report(&mut self) {
        for finding in self.deferred.drain(..) {
            match finding {
                Finding::Problem(problem) => self.observer.problem(&problem),
                Finding::Line(fault) => self.observer.line_diagnostic(&fault),
            }
        }
    }

    /// Called after the text was read: reports what was deferred, unless damage caused it; in that
    /// case the error has the number of findings.
    pub(crate) fn finish(mut self, read: io::Result<()>) -> io::Result<()> {
        match (&read, self.first_line) {
            (Err(error), Some(line)) if self.defers && is_damage(error) => {
                Err(kept_from(error, line, self.count))
            }
            _ => {
                self.report();
                read
            }
        }
    }
}

impl Observer for DeferringObserver<'_> {
    fn member(&mut self, name: &str) {
        self.observer.member(name);
    }

    fn problem(&mut self, problem: &Problem) {
        match self.defers {
            true => self.defer(problem.place.line, Finding::Problem(problem.clone())),
            false => self.observer.problem(problem),
        }
    }

    fn line_diagnostic(&mut self, fault: &LineDiagnostic) {
        match self.defers {
            true => self.defer(fault.line, Finding::Line(fault.clone())),
            false => self.observer.line_diagnostic(fault),
        }
    }

    fn progress(&mut self, summary: &Summary) {
        self.observer.progress(summary);
    }
}

impl fmt::Debug for Integrity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Integrity").field("is_packed", &self.is_packed).finish_non_exhaustive()
    }
}
