//! Equal positions of several games, with results that may contradict each other: one record comes of them, or none.

use std::collections::HashMap;

use emit::{Label, LabelForm, Labelled};
use san::Packed;

/// What is done with positions that several games had, where their results are written: equal ones have the same placement, side,
/// castling rights, and legal en passant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Conflicts {
    /// Each is written, with the result of its game.
    #[default]
    Keep,
    /// Those whose results contradict are left out; of the others the first is written, as it is.
    Drop,
    /// The first is written, with the mean of all results and of all evaluations. Forms that [have no
    /// means](LabelForm::has_means) drop instead.
    Mean,
}

/// Holds each position once, until all games are known.
#[derive(Debug)]
pub(crate) struct Merger {
    /// The form, if means are written.
    means: Option<LabelForm>,
    /// Which of the positions it is.
    places: HashMap<Packed, usize>,
    merged: Vec<Merged>,
    /// The records one behind the other; if means are written only their fields.
    text: Vec<u8>,
}

#[derive(Debug)]
struct Merged {
    /// Where its text begins, and that of the one before ends.
    start: usize,
    /// The game that had it first.
    game: u64,
    label: Label,
    is_contradicted: bool,
}

impl Merger {
    /// One for records of that form, if something is to be done.
    pub(crate) fn new(conflicts: Conflicts, form: LabelForm) -> Option<Self> {
        let means = match conflicts {
            Conflicts::Keep => return None,
            Conflicts::Mean if form.has_means() => Some(form),
            Conflicts::Drop | Conflicts::Mean => None,
        };
        let (places, merged, text) = Default::default();
        Some(Merger { means, places, merged, text })
    }

    /// Takes the next record.
    pub(crate) fn add(&mut self, key: Packed, labelled: Labelled, record: &[u8], game: u64) {
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

    /// The records that come of it, with their games, in the order in which the positions came first.
    pub(crate) fn finish(mut self) -> impl Iterator<Item = (Vec<u8>, u64)> {
        self.places = HashMap::new();
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
