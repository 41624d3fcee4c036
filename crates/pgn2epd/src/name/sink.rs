//! Finds the opening names of a chunk's games as they are played.

use std::io::Write;

use emit::{Ply, Problem, Sink};
use openings::{GameName, OpeningTracker, Openings};
use pgn::{Outcome, TagPair, known_value};

/// The opening of a game, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NamedGame {
    /// Its number in the chunk.
    number: u64,
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

    pub(super) fn write_row(&self, games_before: u64, text: &mut Vec<u8>) {
        let number = games_before + self.number;
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
    /// The number of games so far.
    number: u64,
    keeps_unread: bool,
    is_selected: bool,
    plies: u32,
    players: [Option<String>; 2],
    problems: Vec<Problem>,
}

impl<'c> Naming<'c> {
    /// Makes a sink of games with a selected position; `keeps_unread` says that a game is selected
    /// if it is too large to be read.
    pub(super) fn new(openings: &'c Openings, keeps_unread: bool) -> Self {
        Naming {
            tracker: OpeningTracker::of_table(Some(openings), false),
            number: 0,
            keeps_unread,
            is_selected: keeps_unread,
            plies: 0,
            players: [None, None],
            problems: Vec::new(),
        }
    }

    pub(super) fn take_game(&mut self) -> Option<NamedGame> {
        self.number += 1;
        let is_selected = std::mem::replace(&mut self.is_selected, self.keeps_unread);
        let name = GameName::of(&self.tracker);
        let [white, black] = std::mem::take(&mut self.players);
        is_selected.then(|| NamedGame {
            number: self.number,
            eco: name.eco().map(str::to_owned),
            nic: name.nic().map(str::to_owned),
            opening: name.opening().map(str::to_owned),
            ply: name.ply(),
            plies: std::mem::take(&mut self.plies),
            white,
            black,
        })
    }

    pub(super) fn take_problems(self) -> Vec<Problem> {
        self.problems
    }
}

impl Sink for Naming<'_> {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.tracker.begin(tags);
        (self.plies, self.is_selected) = (0, false);
        let value = |name| known_value(tags, name).map(std::borrow::Cow::into_owned);
        self.players = [value(b"White"), value(b"Black")];
    }

    fn game_filtered_out(&mut self) {
        self.number += 1;
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.is_selected = true;
        self.skipped_ply(ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.tracker.follow(ply.position, ply.next, ply.number);
        self.plies = ply.number;
    }

    fn end(&mut self, _outcome: Option<Outcome>) {}

    fn discard_game(&mut self) {
        self.tracker.begin(&[]);
        (self.plies, self.is_selected) = (0, self.keeps_unread);
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
