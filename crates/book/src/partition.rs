//! The partitions of positions.

/// Number of partitions, chosen by the first bits of the hash. Partitions are in sort order, and
/// each is small enough to be sorted within the caches.
pub(crate) const PARTITIONS: usize = 256;

/// Returns the partition of a hash.
#[inline]
pub(crate) fn partition_of(hash: u64) -> usize {
    (hash >> 56) as usize
}
