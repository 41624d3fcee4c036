//! The order of counts, and the partitions of positions in it.

use std::sync::{Arc, OnceLock};

use san::PositionKey;

/// In sort order, and each is small enough to be sorted within the caches.
pub(crate) const PARTITIONS: usize = 256;

/// Number of ranks among which those are chosen that divide partitions.
const SAMPLED: usize = 1 << 16;

/// Plane 2 (rooks, queens, kings) first: it changes least in openings, so neighbours are alike.
const PLANES: [usize; 4] = [2, 0, 1, 3];

pub(crate) fn sort_key(key: PositionKey) -> [u8; 32] {
    let planes = PLANES.map(|plane| key.0[plane].to_be_bytes());
    *planes.as_flattened().first_chunk().expect("four planes have 32 bytes")
}

pub(crate) fn key_of(sort_key: [u8; 32]) -> PositionKey {
    let mut key = PositionKey::default();
    for (plane, bytes) in PLANES.into_iter().zip(sort_key.as_chunks().0) {
        key.0[plane] = u64::from_be_bytes(*bytes);
    }
    key
}

/// What counts are sorted by before their position: a number that follows from it.
#[derive(Clone, Debug)]
pub(crate) enum CountOrder {
    /// Hashes, by which partial results are sorted.
    Hash,
    /// The first bytes of the keys of explorer files. The ranks at which partitions begin, except
    /// the first, are chosen when they are needed.
    Position(Arc<OnceLock<Vec<u128>>>),
}

impl CountOrder {
    /// Returns the order of explorer files.
    pub(crate) fn of_positions() -> Self {
        CountOrder::Position(Arc::default())
    }

    /// Positions with equal ranks are in the order of their keys.
    #[inline]
    pub(crate) fn rank(&self, key: PositionKey) -> u128 {
        match self {
            CountOrder::Hash => u128::from(key.stable_hash()) << 64,
            CountOrder::Position(_) => {
                u128::from_be_bytes(*sort_key(key).first_chunk().expect("a key has 32 bytes"))
            }
        }
    }

    /// Chooses partitions in which about the same number of such positions are.
    pub(crate) fn choose_partitions(&self, len: usize, key: impl Fn(usize) -> PositionKey) {
        let CountOrder::Position(starts) = self else { return };
        starts.get_or_init(|| {
            let sampled = (0..len).step_by(len.div_ceil(SAMPLED).max(1));
            let mut ranks: Vec<u128> = sampled.map(|index| self.rank(key(index))).collect();
            ranks.sort_unstable();
            let start = |partition| ranks.get(partition * ranks.len() / PARTITIONS).copied();
            (1..PARTITIONS).filter_map(start).collect()
        });
    }

    #[inline]
    pub(crate) fn partition_of(&self, rank: u128) -> usize {
        match self {
            CountOrder::Hash => partition_of_hash((rank >> 64) as u64),
            CountOrder::Position(starts) => {
                starts.get().map_or(0, |starts| starts.partition_point(|start| *start <= rank))
            }
        }
    }
}

/// Returns the partition of a hash: its first bits.
#[inline]
pub(crate) fn partition_of_hash(hash: u64) -> usize {
    (hash >> 56) as usize
}
