//! The sinks that write games: positions as PGN, and the text of games with a selected position.

use epd::Mate;
use openings::{GameName, OpeningTracker};
use pgn::{Chunk, Outcome, write_tag};
use san::{AnyPosition, Color, FieldStyle, Move, Position, san_of};
use training::{TrainingFormat, Unfit};

use super::game_form::GameStyle;
use super::normal_game::{Edit, MoveLines, NormalGame, apply, edits, known_tags, line_end};
use crate::annotations::evaluation;
use crate::game::GameContext;
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::records::{Text, TextCounts};
use crate::selection::Omission;
use crate::sink::{Movetext, RecordSink, Sink};

/// The operations of records that a game of one position has: its name, and a line of moves, if it
/// has no move that was played.
pub const OPERATIONS_OF_GAMES: [&str; 3] = ["id", "pv", "bm"];

/// Writes games in PGN, with the evaluations in comments: `{+0.25/12}`.
#[derive(Debug)]
pub struct PgnSink<'t> {
    text: &'t mut Text,
    style: FieldStyle,
    is_of_positions: bool,
    name: String,
    line: String,
    before: (usize, TextCounts),
    lines: MoveLines,
}

impl<'t> PgnSink<'t> {
    /// Makes a sink that appends games to `text`. With `is_of_positions` each position is a game,
    /// with the [operations](OPERATIONS_OF_GAMES) among its tags.
    pub fn new(text: &'t mut Text, style: FieldStyle, is_of_positions: bool) -> Self {
        let (name, line, before, lines) = Default::default();
        PgnSink { text, style, is_of_positions, name, line, before, lines }
    }

    fn word(&mut self, word: &str) {
        self.text.bytes.extend(self.lines.before(word).as_bytes());
        self.text.bytes.extend(word.as_bytes());
    }

    fn tags(&mut self, position: &Position, result: Outcome) {
        let bytes = &mut self.text.bytes;
        for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
            let value = match name {
                "Date" => "????.??.??",
                "Event" if !self.name.is_empty() => &self.name,
                _ => "?",
            };
            let mut tag = Vec::new();
            write_tag(name, value, &mut tag);
            bytes.extend(&tag);
            bytes.extend(b"\n");
        }
        bytes.extend(format!("[Result \"{}\"]\n", result.as_str()).as_bytes());
        if *position != Position::default() {
            if TrainingFormat::Binpack.unfit(position) == Some(Unfit::Castling) {
                bytes.extend(b"[Variant \"Chess960\"]\n");
            }
            bytes.extend(b"[SetUp \"1\"]\n[FEN \"");
            bytes.extend(position.fen(self.style).as_bytes());
            bytes.extend(b"\"]\n");
        }
        bytes.extend(b"\n");
    }

    fn played(&mut self, position: &Position, next: Move, is_first: bool) {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => self.word(&format!("{number}.")),
            Color::Black if is_first => self.word(&format!("{number}...")),
            Color::Black => {}
        }
        self.word(san_of(position, next).as_ref());
    }

    fn line(&mut self, position: &Position) {
        let (line, mut position) = (std::mem::take(&mut self.line), position.clone());
        for (index, word) in line.split(' ').enumerate() {
            let Ok(next) = san::resolve(&position, word.as_bytes()) else { return };
            self.played(&position, next, index == 0);
            position.play_unchecked(next);
        }
    }
}

impl RecordSink for PgnSink<'_> {
    fn text(&self) -> &[u8] {
        self.text.bytes.as_bytes()
    }

    fn positions(&self) -> u64 {
        self.text.counts.positions
    }

    fn has_game(&self) -> Option<bool> {
        Some(self.text.bytes.len() > self.before.0)
    }
}

impl Sink for PgnSink<'_> {
    fn begin(&mut self, game: &GameContext<'_>) {
        self.before = (self.text.bytes.len(), self.text.counts);
        if self.is_of_positions {
            let [name, pv, bm] = OPERATIONS_OF_GAMES.map(|name| {
                let tag = game.tags.iter().find(|tag| tag.name() == name.as_bytes());
                tag.map(|tag| tag.text().into_owned()).unwrap_or_default()
            });
            // Several best moves are no line.
            let bm = if bm.contains(' ') { String::new() } else { bm };
            (self.name, self.line) = (name, if pv.is_empty() { bm } else { pv });
        }
    }

    fn ply(&mut self, ply: Ply<'_>, game: &GameContext<'_>) {
        let is_first = self.text.bytes.len() == self.before.0;
        if is_first {
            self.tags(ply.position, game.result().unwrap_or_default());
        }
        let Some(next) = ply.next else {
            match self.is_of_positions {
                true => self.text.counts.positions += 1,
                false => self.text.counts.unlabelled += 1,
            }
            return self.line(ply.position);
        };
        self.text.counts.positions += 1;
        self.played(ply.position, next, is_first);
        if let Some(evaluation) = evaluation(&ply) {
            let text = match evaluation.mate() {
                Some(Mate::Gives { plies }) => format!("+M{plies}"),
                Some(Mate::Gets { plies }) => format!("-M{plies}"),
                None => {
                    let (sign, size) = (evaluation.get() < 0, evaluation.get().abs());
                    let sign = if sign { '-' } else { '+' };
                    format!("{sign}{}.{:02}", size / 100, size % 100)
                }
            };
            // The depth of the search is not known.
            self.word(&format!("{{{text}/0}}"));
        }
    }

    fn end(&mut self, game: &GameContext<'_>) {
        if self.text.bytes.len() > self.before.0 {
            self.word(game.result().unwrap_or_default().as_str());
            self.text.bytes.extend(b"\n\n");
            self.lines = MoveLines::default();
        }
    }

    fn discard_game(&mut self) {
        self.text.bytes.truncate(self.before.0);
        (self.text.counts, self.lines) = (self.before.1, MoveLines::default());
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}

/// Writes the games of a chunk that have a selected position: the text of each, from its beginning
/// to that of the next one, or its normal form. As a record, it ends with an empty line, and the
/// text between games is left out.
#[derive(Debug)]
pub struct SelectedGames<'t> {
    text: &'t mut Text,
    plan: &'t Plan,
    chunk: Chunk<'t>,
    start: Option<usize>,
    /// Whether all its positions are selected, so that it may have none.
    is_wanted: bool,
    is_selected: bool,
    before: TextCounts,
    edges: ChunkEdges,
    normal: Option<NormalGame>,
    naming: Option<OpeningTracker<'t>>,
    edits: Vec<Edit>,
    has_variations: bool,
    are_records: bool,
}

/// What must be known of a chunk to write the text between its games and those of other chunks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkEdges {
    /// The text before the first game, which follows the last game of earlier chunks.
    pub before: Vec<u8>,
    /// Whether the first and the last game are selected; `None` without games.
    pub games: Option<(bool, bool)>,
}

impl<'t> SelectedGames<'t> {
    /// Makes a sink that appends games of this chunk to `text`, in the [form](Plan::games) of
    /// the plan. It must [ask for texts](Plan::wants_text).
    /// Positions of variations count with `has_variations`.
    pub fn new(text: &'t mut Text, plan: &'t Plan, chunk: Chunk<'t>, has_variations: bool) -> Self {
        SelectedGames {
            text,
            plan,
            chunk,
            start: None,
            is_wanted: false,
            is_selected: false,
            before: TextCounts::default(),
            edges: ChunkEdges::default(),
            normal: plan.games.is_normal().then(|| NormalGame::new(plan.games)),
            naming: plan
                .games
                .has(GameStyle::Openings)
                .then(|| OpeningTracker::of(&plan.names, false)),
            edits: Vec::new(),
            has_variations,
            are_records: false,
        }
    }

    /// Writes each game as a record.
    pub fn as_records(self) -> Self {
        SelectedGames { are_records: true, ..self }
    }

    /// Copies the last game, if it ends in the chunk, of which this many bytes are complete.
    pub fn finish(mut self, up_to: usize) -> ChunkEdges {
        match self.start {
            _ if self.has_no_edges() => {}
            // The last game is cut, and the text before it belongs to the next chunk.
            Some(start) if start >= up_to => match self.edges.games {
                None => self.edges.before.truncate(up_to),
                Some((_, true)) => {
                    let len = self.text.bytes.len();
                    self.text.bytes.truncate(len - (start - up_to));
                }
                Some((_, false)) => {}
            },
            _ => self.next_begins(up_to),
        }
        self.edges
    }

    fn has_no_edges(&self) -> bool {
        self.are_records || self.normal.is_some()
    }

    fn next_begins(&mut self, at: usize) {
        if self.has_no_edges() {
            return;
        }
        let Some(start) = self.start else {
            return self.edges.before.extend_from_slice(&self.chunk.bytes()[..at]);
        };
        let first = self.edges.games.map_or(self.is_selected, |(first, _)| first);
        self.edges.games = Some((first, self.is_selected));
        if self.is_selected {
            let text = &mut self.text.bytes;
            apply(&self.edits, self.chunk.bytes(), start..at, text);
        }
    }

    fn position<P: AnyPosition>(&mut self, ply: &Ply<'_, P>) {
        if self.has_variations || ply.branches.is_empty() {
            self.text.counts.positions += 1;
            self.is_selected = true;
            if let Some(normal) = self.normal.as_mut().filter(|_| ply.branches.is_empty()) {
                normal.select(ply, self.plan.fields);
            }
        }
    }

    fn follow(&mut self, ply: &Ply<'_>) {
        if let Some(naming) = self.naming.as_mut().filter(|_| ply.branches.is_empty()) {
            naming.follow(ply.position, ply.next, ply.number);
        }
    }

    fn skipped<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, why: Omission) {
        if self.has_variations || ply.branches.is_empty() {
            self.text.counts.omitted.add(why);
        }
    }
}

impl RecordSink for SelectedGames<'_> {
    fn text(&self) -> &[u8] {
        self.text.bytes.as_bytes()
    }

    fn positions(&self) -> u64 {
        self.text.counts.positions
    }

    fn has_game(&self) -> Option<bool> {
        Some(self.is_selected || self.is_wanted)
    }
}

impl Sink for SelectedGames<'_> {
    fn game_start(&mut self, at: usize, is_wanted: bool) {
        self.next_begins(at);
        (self.start, self.is_wanted, self.is_selected) = (Some(at), is_wanted, is_wanted);
        self.before = self.text.counts;
        self.edits.clear();
    }

    fn begin(&mut self, game: &GameContext<'_>) {
        self.is_selected = false;
        if let Some(normal) = &mut self.normal {
            normal.begin(game);
        }
        if let Some(naming) = &mut self.naming {
            naming.begin(&game.tags);
        }
    }

    fn movetext(&mut self, part: Movetext<'_>) {
        if let Some(normal) = &mut self.normal {
            normal.add(part);
        }
    }

    fn ply(&mut self, ply: Ply<'_>, _: &GameContext<'_>) {
        self.follow(&ply);
        self.position(&ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>, why: Omission) {
        self.follow(&ply);
        self.skipped(&ply, why);
    }

    fn takes_variants(&self) -> bool {
        true
    }

    fn variant(&mut self, ply: VariantPly<'_>, _: &GameContext<'_>, omitted: Option<Omission>) {
        match omitted {
            None => self.position(&ply),
            Some(why) => self.skipped(&ply, why),
        }
    }

    fn end(&mut self, game: &GameContext<'_>) {
        self.is_selected |= self.is_wanted;
        if !self.is_selected {
            return;
        }
        let name = self.naming.as_ref().map(GameName::of);
        let known = name.as_ref().map(known_tags).unwrap_or_default();
        if let Some(normal) = &mut self.normal {
            return self.text.bytes.extend(normal.end(game, known).as_bytes());
        }
        if let (Some(_), Some(start)) = (&name, self.start) {
            self.edits = edits(self.chunk, start, &game.tags, known);
        }
        if self.are_records {
            let chunk = self.chunk.bytes();
            let start = game.text.as_ptr().addr() - chunk.as_ptr().addr();
            apply(&self.edits, chunk, start..start + game.text.len(), &mut self.text.bytes);
            let end = line_end(game.text, 0);
            [end, end].into_iter().for_each(|end| self.text.bytes.extend(end));
        }
    }

    fn discard_game(&mut self) {
        self.text.counts = self.before;
        self.is_selected = false;
        if let Some(naming) = &mut self.naming {
            naming.begin(&[]);
        }
        // A game that is too large ends all the same; perhaps not all of its tags were read.
        self.is_wanted &= self.plan.keeps_all_games() && !self.has_no_edges();
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}
