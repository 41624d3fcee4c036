//! Costs that do not depend on other load of the machine.

/// Nanoseconds of processor time of this thread; always 0 on Windows, where nothing is measured.
/// Not from the files of Linux, which are only brought up to date some milliseconds apart.
fn processor_time() -> u64 {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }
    #[cfg(not(unix))]
    0
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
