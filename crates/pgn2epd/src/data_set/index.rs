//! The records of a chunk: where their bytes are, and what their selection depends on.

use std::borrow::Cow;
use std::ops::Range;

use dataset::{Batch, ComparedGame, Label, Preference, Record, RecordChunk, random_rank_of};
use emit::{GameContext, Labelled, Ply, Problem, RecordNotes, RecordSink, VariantPly, Written};
use pgn::known_value;
use san::{AnyPosition, FieldStyle, MoveCode, PositionKey, VariantPosition};

use crate::options::values::{DataSplit, GameEquality};

#[derive(Debug, Default)]
struct GameKey {
    number: u64,
    /// All tags, for games without moves.
    tags: Vec<u8>,
    variant: String,
    start: Vec<u8>,
    /// The moves that are compared, and the one after the last position.
    moves: Vec<u8>,
    /// The length of those before it.
    end: usize,
    plies: u32,
    is_discarded: bool,
}

impl GameKey {
    fn begin(&mut self, game: &GameContext<'_>) {
        let tags = &game.tags;
        self.number = game.number;
        self.tags.clear();
        for part in tags.iter().flat_map(|tag| [tag.name(), tag.raw_value()]) {
            self.tags.extend_from_slice(part);
            self.tags.push(0);
        }
        // Names of the same variant are the same.
        self.variant = known_value(tags, b"Variant")
            .map(|name| format!("{:?}", VariantPosition::variant_named(name.as_bytes())))
            .unwrap_or_default();
        self.start.clear();
        self.moves.clear();
        (self.end, self.plies, self.is_discarded) = (0, 0, false);
    }

    fn ply(&mut self, ply: &Ply<'_>) {
        if ply.number == 0 {
            self.start = PositionKey::of(ply.position).to_bytes().to_vec();
        }
        // A null move has the code of no move.
        self.add(ply, || MoveCode::of(ply.next).0.to_be_bytes());
    }

    fn variant(&mut self, ply: &VariantPly<'_>) {
        if ply.number == 0 {
            let fields = ply.position.fields(FieldStyle::default());
            self.start = format!("{} {fields}", self.variant).into_bytes();
        }
        let uci = || ply.next.map(|next| format!("{} ", ply.position.uci_of(next)));
        self.add(ply, || uci().unwrap_or_default().into_bytes());
    }

    fn add<P: AnyPosition, B: AsRef<[u8]>>(&mut self, ply: &Ply<'_, P>, next: impl Fn() -> B) {
        if !ply.branches.is_empty() {
            return;
        }
        (self.plies, self.end) = (ply.number, self.moves.len());
        self.moves.extend_from_slice(next().as_ref());
    }

    fn end(&self, equality: GameEquality) -> Option<ComparedGame> {
        let moves = &self.moves[..self.end];
        // What must be equal, and what may be the beginning of that of another game.
        let (kind, fixed, beginning) = match equality {
            _ if self.is_discarded => return None,
            _ if self.plies == 0 => ("tags/", &*self.tags, &[][..]),
            GameEquality::Prefix(least) if self.plies >= least => ("prefix/", &[][..], moves),
            _ => ("moves/", moves, &[][..]),
        };
        let fixed = [kind.as_bytes(), fixed, &self.start].concat();
        // That two of 10^8 different games have the same 128 bits has a probability of 10^-23.
        let mut key = Vec::with_capacity(2 * size_of::<u64>() + beginning.len());
        key.extend(random_rank_of(0, &fixed).to_be_bytes());
        key.extend(random_rank_of(1, &fixed).to_be_bytes());
        key.extend_from_slice(beginning);
        // The longest game is preferred, which makes a difference for beginnings alone.
        Some(ComparedGame { key, is_damaged: false, rank: self.plies })
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct IndexPlan {
    pub(crate) is_needed: bool,
    pub(crate) keys: bool,
    /// The number of threads that look up keys; zero if none does.
    pub(crate) threads: usize,
    pub(crate) labels: bool,
    /// Whether labels are replaced by their mean.
    pub(crate) has_means: bool,
    pub(crate) preference: Preference,
    pub(crate) unique_games: Option<GameEquality>,
    pub(crate) split: Option<DataSplit>,
    pub(crate) seed: u64,
}

/// The records of a chunk; until they are gathered, their bytes are in its text.
#[derive(Debug, Default)]
pub(crate) struct RecordIndex {
    pub(crate) chunk: RecordChunk,
    before: usize,
    part: u32,
}

impl RecordIndex {
    /// Copies the bytes of each record: its sort key, then its contents, given their place.
    pub(crate) fn gather(
        &mut self,
        len: usize,
        sort_key: impl Fn(usize, &mut Vec<u8>),
        contents: impl Fn(usize, Range<usize>, &mut Vec<u8>),
    ) {
        let Batch { bytes, records } = &mut self.chunk.batch;
        bytes.reserve(len);
        for (index, record) in records.iter_mut().enumerate() {
            let place = record.contents..record.end;
            record.start = bytes.len();
            sort_key(index, bytes);
            record.contents = bytes.len();
            contents(index, place, bytes);
            record.end = bytes.len();
        }
    }

    fn push(&mut self, Range { start, end }: Range<usize>, positions: u64) {
        let records = &mut self.chunk.batch.records;
        records.push(Record {
            number: records.len() as u64,
            game: u64::from(self.chunk.games) - 1,
            games_before: 0,
            part: self.part,
            positions: positions as u32,
            start,
            contents: start,
            end,
        });
    }
}

/// Replaces the other ends of lines, a carriage return alone or before a line feed.
fn with_line_feeds(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\r', text).is_none() {
        return text.into();
    }
    let mut lines = Vec::with_capacity(text.len());
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'\r' if text.get(index + 1) == Some(&b'\n') => {}
            b'\r' => lines.push(b'\n'),
            _ => lines.push(*byte),
        }
    }
    lines.into()
}

#[derive(Debug)]
pub(crate) struct IndexNotes<'t> {
    index: &'t mut RecordIndex,
    plan: &'t IndexPlan,
    before: (usize, u64, u64),
    game: Option<GameKey>,
}

impl<'t> IndexNotes<'t> {
    pub(crate) fn new(index: &'t mut RecordIndex, plan: &'t IndexPlan) -> Self {
        let game = plan.unique_games.map(|_| GameKey::default());
        IndexNotes { index, plan, before: (0, 0, 0), game }
    }

    #[inline]
    fn position<P: AnyPosition>(
        &mut self,
        ply: &Ply<'_, P>,
        written: Option<Written<'_>>,
        key: impl FnOnce(&P) -> PositionKey,
    ) {
        let Some(Written { place, labelled, .. }) = written else { return };
        self.index.push(place, 1);
        let (plan, chunk) = (self.plan, &mut self.index.chunk);
        if !plan.keys {
            return;
        }
        chunk.keys.push(key(ply.position));
        if plan.preference == Preference::Deepest {
            chunk.ranks.push(emit::depth(ply).unwrap_or(0));
        }
        if let Some(Labelled { label, fields }) = labelled.filter(|_| plan.labels) {
            let (count, results, scores) = label.sums();
            chunk.labels.push(Label { count, results, scores });
            // The mean follows the fields.
            if let Some(record) = chunk.batch.records.last_mut().filter(|_| plan.has_means) {
                record.end = record.start + fields;
            }
        }
    }
}

impl RecordNotes for IndexNotes<'_> {
    fn begin(&mut self, game: &GameContext<'_>, sink: &impl RecordSink) {
        self.before = (sink.text().len(), sink.records(), sink.positions());
        let RecordIndex { chunk, before, part } = &mut *self.index;
        (*before, *part) = (chunk.batch.records.len(), 0);
        chunk.games += 1;
        chunk.compared.push(None);
        if let Some(key) = &mut self.game {
            key.begin(game);
        }
    }

    fn ply(&mut self, ply: &Ply<'_>, written: Option<Written<'_>>) {
        if let Some(key) = &mut self.game {
            key.ply(ply);
        }
        self.position(ply, written, PositionKey::of);
    }

    fn variant(&mut self, ply: &VariantPly<'_>, written: Option<Written<'_>>) {
        if let Some(key) = &mut self.game {
            key.variant(ply);
        }
        self.position(ply, written, VariantPosition::key);
    }

    fn takes_variants(&self) -> bool {
        // Labels are merged by the side to move, which the key of a position of chess has.
        !self.plan.labels
    }

    fn end(&mut self, game: &GameContext<'_>, sink: &impl RecordSink) {
        let RecordIndex { chunk, before, part } = &mut *self.index;
        let of_game = &mut chunk.batch.records[*before..];
        if let Some(split) = &self.plan.split {
            let drawn = random_rank_of(self.plan.seed, &with_line_feeds(game.text));
            *part = split.part_of(drawn) as u32;
            of_game.iter_mut().for_each(|record| record.part = *part);
        }
        let noted = of_game.len() as u64;
        let (bytes, records, positions) = self.before;
        // A game is written at its end.
        if sink.records() - records > noted {
            self.index.push(bytes..sink.text().len(), sink.positions() - positions);
        }
        sink.units().into_iter().for_each(|(bytes, positions)| self.index.push(bytes, positions));
        if let (Some(key), Some(equality)) = (&self.game, self.plan.unique_games)
            && let Some(compared) = self.index.chunk.compared.last_mut()
        {
            *compared = key.end(equality);
        }
    }

    fn discard_game(&mut self) {
        self.index.chunk.truncate(self.index.before);
        self.game.iter_mut().for_each(|key| key.is_discarded = true);
    }

    fn problem(&mut self, problem: &Problem) {
        // The problems of a game follow it.
        if problem.is_error()
            && !problem.in_variation
            && let Some(key) = &self.game
            && key.number == problem.game
            && let Some(compared) = self.index.chunk.compared.last_mut()
            && let Some(game) = compared
        {
            game.is_damaged = true;
            *compared = compared.take().filter(|_| key.plies > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_line_feeds() {
        for (text, expected) in
            [("a\nb", "a\nb"), ("a\r\nb\r\n", "a\nb\n"), ("a\rb\r\r\nc\r", "a\nb\n\nc\n")]
        {
            assert_eq!(with_line_feeds(text.as_bytes()), expected.as_bytes(), "{text:?}");
        }
    }
}
