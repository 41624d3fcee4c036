//! A line with its place, for problems in it.

use std::ops::Range;

use epd::{Columns, EpdDiagnostic};
use pgn::Place;

use crate::problem::{self, Problem, Reason};

pub(super) struct Whole<'l> {
    pub(super) text: &'l str,
    pub(super) place: Place,
}

impl Whole<'_> {
    pub(super) fn problem(&self, fault: EpdDiagnostic) -> Problem {
        self.problem_at(fault.at, Reason::Record(fault.kind))
    }

    pub(super) fn token(&self, at: usize) -> Range<usize> {
        let at = self.text.floor_char_boundary(at);
        let at = self.text.len() - self.text[at..].trim_start().len();
        at..self.text[at..].find([',', '"']).map_or(self.text.len(), |len| at + len)
    }

    pub(super) fn problem_at(&self, at: Range<usize>, reason: Reason) -> Problem {
        let (byte, column) = (at.start as u64, Columns::new(self.text).of(at.start) as u64);
        let place = Place { byte: self.place.byte + byte, column, ..self.place };
        let token = problem::shown_token(self.text[at].as_bytes());
        Problem { token, ..Problem::at(place, reason) }
    }
}
