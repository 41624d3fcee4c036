//! The components of a rule in the [table](super::rules).

use std::ops::Range;

use crate::diagnostic::misreading::{Consumer, Misreading};
use crate::diagnostic::shortened;
use crate::read::record_ref::{Line, RecordRef};
use crate::severity::Severity;

/// One way in which a program misreads a line.
pub(super) struct Rule {
    pub(super) name: &'static str,
    /// [`Severity::Error`] if the program rejects the whole line.
    pub(super) level: Severity,
    /// What the program does. `{}` is replaced with the text of a finding.
    pub(super) message: &'static str,
    /// Finds the places in a line to which the rule applies.
    pub(super) find: fn(&Seen<'_>) -> Vec<Finding>,
}

pub(super) struct Seen<'l> {
    pub(super) line: &'l str,
    pub(super) read: &'l Line<'l>,
}

impl<'l> Seen<'l> {
    pub(super) fn record(&self) -> Option<&'l RecordRef<'l>> {
        match self.read {
            Line::Record(record) => Some(record),
            _ => None,
        }
    }
}

/// A place in a line, and the text for the message.
pub(super) struct Finding {
    pub(super) at: Range<usize>,
    pub(super) text: String,
}

impl Finding {
    pub(super) fn new(at: Range<usize>, text: &str) -> Self {
        Finding { at, text: shortened(text) }
    }
}

impl Rule {
    /// Creates the misreading for this rule; `text` replaces `{}` in the message.
    pub(super) fn misreading(&self, consumer: Consumer, text: String) -> Misreading {
        let &Rule { name, level, message, .. } = self;
        Misreading { consumer, rule: name, severity: level, message, text }
    }
}
