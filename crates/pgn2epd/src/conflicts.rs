//! Merges equal positions of several games whose results may conflict into one record or none.

use emit::{Label, LabelForm, Labelled};
use san::keywords;
use san::{PositionKey, PositionMap};

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

/// Stores each position once, until all games have been read.
#[derive(Debug)]
pub(crate) struct Merger {
    /// The format, if means are written.
    means: Option<LabelForm>,
    /// The index of each position.
    places: PositionMap<usize>,
    merged: Vec<Merged>,
    /// The concatenated records, or only their fields if means are written.
    text: Vec<u8>,
}

#[derive(Debug)]
struct Merged {
    /// The offset at which its text begins and the previous one ends.
    start: usize,
    /// The first game with this position.
    game: u64,
    label: Label,
    is_contradicted: bool,
}

impl Merger {
    /// Creates a merger for a format, unless all records are kept.
    pub(crate) fn new(conflicts: Conflicts, form: LabelForm) -> Option<Self> {
        let means = match conflicts {
            Conflicts::Keep => return None,
            Conflicts::Mean if form.has_means() => Some(form),
            Conflicts::Drop | Conflicts::Mean => None,
        };
        let (places, merged, text) = Default::default();
        Some(Merger { means, places, merged, text })
    }

    /// Adds the next record.
    pub(crate) fn add(&mut self, key: PositionKey, labelled: Labelled, record: &[u8], game: u64) {
        let Labelled { label, fields } = labelled;
        let place = *self.places.entry(key).or_insert(self.merged.len());
        if let Some(merged) = self.merged.get_mut(place) {
            merged.is_contradicted |= merged.label.contradicts(label);
            merged.label += label;
            return;
        }
        let start = self.text.len();
        self.text.extend_from_slice(if self.means.is_some() { &record[..fields] } else { record });
        self.merged.push(Merged { start, game, label, is_contradicted: false });
    }

    /// Returns the merged records with their games, in order of first occurrence.
    pub(crate) fn finish(mut self) -> impl Iterator<Item = (Vec<u8>, u64)> {
        self.places = PositionMap::default();
        let ends: Vec<usize> = self.merged.iter().skip(1).map(|merged| merged.start).collect();
        let ends = ends.into_iter().chain([self.text.len()]);
        self.merged.into_iter().zip(ends).filter_map(move |(merged, end)| {
            let mut record = self.text[merged.start..end].to_vec();
            match self.means {
                Some(form) => merged.label.write(form, &mut record),
                None if merged.is_contradicted => return None,
                None => {}
            }
            Some((record, merged.game))
        })
    }
}
