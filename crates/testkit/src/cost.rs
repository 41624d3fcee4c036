//! Costs that do not depend on other load of the machine.

use std::fs;

/// Nanoseconds of processor time of this thread; always 0 on systems without this file, where
/// nothing is measured.
fn processor_time() -> u64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").ok();
    statistics.and_then(|text| text.split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// The processor time of work in this thread, in nanoseconds.
pub fn cost(work: impl FnOnce()) -> u64 {
    let before = processor_time();
    work();
    processor_time() - before
}

/// Asserts that the costs of some tasks grow no faster than their size: with sixteen times the
/// size, quadratic time would grow by a factor of 256. Other load disturbs a measurement at times,
/// but not ten in a row.
#[track_caller]
pub fn assert_linear<const N: usize>(what: &str, size: usize, costs: impl Fn(usize) -> [u64; N]) {
    let is_linear = || {
        let (small, large) = (costs(size), costs(16 * size));
        small.iter().zip(large).all(|(small, large)| large < 64 * (*small).max(1_000_000))
    };
    assert!((0..10).any(|_| is_linear()), "{what}");
}
