//! Finds the opening names of a chunk's games as they are played.

use std::io::Write;

use emit::{Ply, Problem, Sink};
use openings::{GameName, OpeningTracker, Openings};
use pgn::{Outcome, TagPair, known_value};

/// The opening of a game, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NamedGame {
    eco: Option<String>,
    nic: Option<String>,
    opening: Option<String>,
    /// The ply of the deepest position with a name.
    ply: Option<u32>,
    plies: u32,
    white: Option<String>,
    black: Option<String>,
}

impl NamedGame {
    pub(super) fn is_named(&self) -> bool {
        self.ply.is_some()
    }

    pub(super) fn write_tags(&self, has_nic: bool, text: &mut Vec<u8>) {
        let tags = [("ECO", &self.eco), ("NIC", &self.nic), ("Opening", &self.opening)];
        for (name, value) in tags.into_iter().filter(|(name, _)| *name != "NIC" || has_nic) {
            pgn::write_tag(name, value.as_deref().unwrap_or("?"), text);
            text.push(b'\n');
        }
        text.push(b'\n');
    }

    pub(super) fn write_row(&self, number: u64, text: &mut Vec<u8>) {
        // Writing to memory does not fail.
        let _ = match self.ply {
            Some(ply) => write!(text, "{number}\t{ply}\t{}", self.plies),
            None => write!(text, "{number}\t-\t{}", self.plies),
        };
        for field in [&self.eco, &self.nic, &self.opening, &self.white, &self.black] {
            let field = field.as_deref().map(str::trim).filter(|field| !field.is_empty());
            text.push(b'\t');
            let shown = field.unwrap_or("-").chars().map(|c| if c.is_control() { ' ' } else { c });
            text.extend_from_slice(shown.collect::<String>().as_bytes());
        }
        text.push(b'\n');
    }
}

/// Names the games of a chunk in sequence.
#[derive(Debug)]
pub(super) struct Naming<'c> {
    tracker: OpeningTracker<'c>,
    plies: u32,
    players: [Option<String>; 2],
    problems: Vec<Problem>,
}

impl<'c> Naming<'c> {
    pub(super) fn new(openings: &'c Openings) -> Self {
        Naming {
            tracker: OpeningTracker::of_table(Some(openings), false),
            plies: 0,
            players: [None, None],
            problems: Vec::new(),
        }
    }

    pub(super) fn take_game(&mut self) -> NamedGame {
        let name = GameName::of(&self.tracker);
        let [white, black] = std::mem::take(&mut self.players);
        NamedGame {
            eco: name.eco().map(str::to_owned),
            nic: name.nic().map(str::to_owned),
            opening: name.opening().map(str::to_owned),
            ply: name.ply(),
            plies: std::mem::take(&mut self.plies),
            white,
            black,
        }
    }

    pub(super) fn take_problems(self) -> Vec<Problem> {
        self.problems
    }
}

impl Sink for Naming<'_> {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.tracker.begin(tags);
        self.plies = 0;
        let value = |name| known_value(tags, name).map(std::borrow::Cow::into_owned);
        self.players = [value(b"White"), value(b"Black")];
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.tracker.follow(ply.position, ply.next, ply.number);
        self.plies = ply.number;
    }

    fn end(&mut self, _outcome: Option<Outcome>) {}

    fn discard_game(&mut self) {
        self.tracker.begin(&[]);
        self.plies = 0;
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
