//! Merges equal positions of several games whose results may conflict into one record or none.

use emit::{Label, LabelForm, Labelled};
use san::{PositionKey, PositionMap, keywords};

/// What to do with equal positions of several games, in formats with results. Positions are equal
/// if they have the same placement, side to move, castling rights and legal en passant square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Conflicts {
    /// Writes each position, with the result of its game.
    #[default]
    Keep,
    /// Drops positions with conflicting results; of the others, writes the first record unchanged.
    Drop,
    /// Writes the first, with the mean of all results and of all evaluations. Formats that [have no
    /// means](LabelForm::has_means) drop conflicting positions instead.
    Mean,
}

keywords! { Conflicts:
    "keep" [Conflicts::Keep] "Write each with the result of its game";
    "drop" [Conflicts::Drop] "Write none if their results differ, otherwise the first";
    "mean" [Conflicts::Mean] "Write one, with the mean of results and evaluations; not for c9 and plain";
}

/// Merges records of equal positions, until all games have been read.
#[derive(Debug)]
pub(crate) struct Merger {
    /// The format, if means are written.
    means: Option<LabelForm>,
    /// The index of each position.
    places: PositionMap<usize>,
    merged: Vec<Merged>,
}

#[derive(Debug)]
struct Merged {
    /// The number of its first record among those stored.
    number: usize,
    /// The first game with this position.
    game: u64,
    label: Label,
    is_contradicted: bool,
}

/// The record of one or more equal positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MergedRecord {
    /// The number of the stored record.
    pub(crate) number: usize,
    /// The label to write after its fields, if means are written.
    pub(crate) label: Option<(LabelForm, Label)>,
    /// The game of its first position.
    pub(crate) game: u64,
}

impl Merger {
    /// Creates a merger for a format, unless all records are kept.
    pub(crate) fn new(conflicts: Conflicts, form: LabelForm) -> Option<Self> {
        let means = match conflicts {
            Conflicts::Keep => return None,
            Conflicts::Mean if form.has_means() => Some(form),
            Conflicts::Drop | Conflicts::Mean => None,
        };
        Some(Merger { means, places: PositionMap::default(), merged: Vec::new() })
    }

    /// Adds the next record. `keep` stores the first record of each position, or only the given
    /// number of bytes of it, and returns its number.
    pub(crate) fn add(
        &mut self,
        key: PositionKey,
        labelled: Labelled,
        game: u64,
        keep: impl FnOnce(Option<usize>) -> usize,
    ) {
        let Labelled { label, fields } = labelled;
        let place = *self.places.entry(key).or_insert(self.merged.len());
        if let Some(merged) = self.merged.get_mut(place) {
            merged.is_contradicted |= merged.label.contradicts(label);
            merged.label += label;
            return;
        }
        let number = keep(self.means.map(|_| fields));
        self.merged.push(Merged { number, game, label, is_contradicted: false });
    }

    /// Returns the merged records, in order of first occurrence.
    pub(crate) fn finish(self) -> impl Iterator<Item = MergedRecord> {
        let means = self.means;
        let is_written = move |merged: &Merged| means.is_some() || !merged.is_contradicted;
        self.merged.into_iter().filter(is_written).map(move |merged| MergedRecord {
            number: merged.number,
            label: means.map(|form| (form, merged.label)),
            game: merged.game,
        })
    }
}
