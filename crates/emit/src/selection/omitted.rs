//! Counts of positions and games that are read but not written, by reason.

use std::ops::AddAssign;

use san::Keyword;

use crate::records::plan::Plan;
use crate::selection::omission::Omission;

/// Numbers of positions and games that were not written, each for the first reason that applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omitted([u64; Omission::COUNT]);

impl Omitted {
    pub(crate) fn add(&mut self, omission: Omission) {
        self.0[omission as usize] += 1;
    }

    /// Counts a position that the start, the window of plies or the condition excludes.
    #[inline(always)]
    pub(crate) fn add_skipped(&mut self, number: u32, fullmoves: u32, plan: &Plan) {
        self.add(match number {
            0 if plan.omit.has(Omission::Start) => Omission::Start,
            _ if plan.select.excludes(number, fullmoves) => Omission::Ply,
            _ => Omission::Where,
        });
    }

    /// Returns the number of positions or games that were omitted for a reason.
    pub fn count(&self, omission: Omission) -> u64 {
        self.0[omission as usize]
    }

    /// Returns each count with its reason.
    pub fn all(&self) -> impl Iterator<Item = (Omission, u64)> {
        Omission::ALL.iter().copied().zip(self.0)
    }
}

impl AddAssign for Omitted {
    fn add_assign(&mut self, other: Omitted) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Omitted {
    /// Serializes a map from words to counts.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.all().map(|(omission, count)| (omission.word(), count)))
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Omitted {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let counts = <std::collections::BTreeMap<String, u64> as serde::Deserialize>::deserialize(
            deserializer,
        )?;
        let mut omitted = Omitted::default();
        for (word, count) in counts {
            let omission = Omission::from_word(&word).map_err(serde::de::Error::custom)?;
            omitted.0[omission as usize] = count;
        }
        Ok(omitted)
    }
}
