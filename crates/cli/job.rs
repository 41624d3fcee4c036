//! The run of a command over its inputs: each text is read, its problems and the progress are
//! reported, and an input that cannot be read does not end the others.

use std::io;
use std::ops::ControlFlow;

use pgn2epd::input::{InputError, InputText, Inputs, Meter};
use pgn2epd::options::OnDamage;
use pgn2epd::output::printable;
use pgn2epd::{ConvertError, Observer, Problem, Summary};

use crate::files::Progress;
use crate::host::{self, host};
use crate::report::{self, LossNotes, Report, ReportLine};

#[derive(Default)]
pub(super) struct Job {
    pub(super) progress: Progress,
    pub(super) report: Option<Report>,
    quiet: bool,
    /// What is noted of each text that was not written, or not in full.
    pub(super) notes: Option<LossNotes>,
    on_damage: OnDamage,
    pub(super) done: Summary,
    text: Summary,
    file: String,
    /// The same, with the byte from which lines are counted if it is not 0.
    counted_from: String,
    from: u64,
    meter: Meter,
    /// Problems of the text printed once: what they share, the line of the first, their number.
    once: Vec<(&'static str, u64, u64)>,
    /// The last error of an input: the others are reported, and this is the error of the run.
    unread: Option<anyhow::Error>,
}

impl Job {
    pub(super) fn new(quiet: bool, on_damage: OnDamage) -> Self {
        Job { quiet, on_damage, ..Job::default() }
    }

    /// Reads all texts. `read` passes one on, and returns whether no other is needed.
    pub(super) fn read(
        &mut self,
        mut inputs: Inputs,
        mut read: impl FnMut(InputText<'_>, &mut Self) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        while self.read_next(&mut inputs, &mut read)? == Some(false) {}
        Ok(())
    }

    /// Reads the next text; returns whether it is the last that is needed, and `None` at the end.
    pub(super) fn read_next(
        &mut self,
        inputs: &mut Inputs,
        read: impl FnOnce(InputText<'_>, &mut Self) -> anyhow::Result<bool>,
    ) -> anyhow::Result<Option<bool>> {
        let Some(text) = inputs.next() else { return Ok(None) };
        self.meter = inputs.meter().clone();
        let text = match text {
            Ok(text) => text,
            Err(note) if note.is_note() => {
                self.print(|| format!("{}: {}", note.name, note.error));
                return Ok(Some(false));
            }
            Err(error) => return self.add_unread(error).map(|()| Some(false)),
        };
        self.from = text.start();
        text.name().clone_into(&mut self.file);
        self.counted_from = text.counted_from().into_owned();
        let outcome = read(text, self);
        self.end_text()?;
        match outcome.map_err(anyhow::Error::downcast) {
            Ok(is_over) => Ok(Some(is_over)),
            Err(Ok(ConvertError::Read(error))) => {
                self.add_unread(InputError::new(&*self.file, error)).map(|()| Some(false))
            }
            Err(Ok(error)) => Err(error.into()),
            Err(Err(error)) => Err(error),
        }
    }

    fn print(&self, text: impl FnOnce() -> String) {
        if !self.quiet {
            self.progress.suspend(|| report::print(&printable(&text())));
        }
    }

    fn end_text(&mut self) -> anyhow::Result<()> {
        if let Some(notes) = self.notes.filter(|_| !self.quiet) {
            let text = &self.text;
            self.progress.suspend(|| report::note_of_losses(&self.file, text, notes));
        }
        for (kind, line, count) in std::mem::take(&mut self.once) {
            if count > 1 {
                let more = report::count(count - 1, "more problem");
                self.print(|| format!("{}: {more} like that in line {line} ({kind})", self.file));
            }
        }
        self.done += std::mem::take(&mut self.text);
        host::check()
    }

    fn add_unread(&mut self, error: InputError) -> anyhow::Result<()> {
        let is_damage = error.is_damage();
        let error = error.into();
        host().unreadable(&error);
        host::check()?;
        if let Some(before) = self.unread.take() {
            self.progress.suspend(|| report::print(&report::failure(&before)));
        }
        if is_damage && self.on_damage == OnDamage::Stop {
            self.progress.clear();
            let text = format!("{error:#}; --on-damage keep uses what can be read");
            return Err(io::Error::other(text).into());
        }
        self.unread = Some(error);
        Ok(())
    }

    pub(super) fn is_all_read(&self) -> bool {
        self.unread.is_none()
    }

    /// Ends a run whose result is of all inputs: one not read is an error with `--on-damage stop`.
    pub(super) fn end_of_whole(&mut self) -> anyhow::Result<()> {
        if self.on_damage == OnDamage::Stop {
            return self.end_of_all();
        }
        self.progress.clear();
        Ok(())
    }

    pub(super) fn end_of_all(&mut self) -> anyhow::Result<()> {
        self.progress.clear();
        self.unread.take().map_or(Ok(()), Err)
    }

    pub(super) fn finish_report(&mut self) -> io::Result<()> {
        self.report.take().map_or(Ok(()), Report::finish)
    }
}

impl Observer for Job {
    fn problem(&mut self, problem: &Problem) {
        let finding = ReportLine::of(&self.file, self.from, problem);
        if let Some(report) = &mut self.report {
            report.write(&finding);
        }
        let message = report::message(&self.counted_from, problem);
        if host().finding(&finding, &message) {
            return;
        }
        let once = problem.reason.printed_once();
        if let Some((.., count)) = self.once.iter_mut().find(|(kind, ..)| Some(*kind) == once) {
            *count += 1;
            return;
        }
        self.once.extend(once.map(|kind| (kind, problem.place.line, 1)));
        self.print(|| message);
    }

    fn progress(&mut self, summary: &Summary) -> ControlFlow<()> {
        self.text = *summary;
        let mut all = self.done;
        all += *summary;
        self.progress.show(&all, self.meter.bytes());
        host().progress(&all)
    }
}
