//! The pipes of standard input and output.

/// Enlarges a pipe, so that the programs at its ends can run ahead of each other; with the default
/// of 64 KB, each waits for the other. Has no effect on other files, or if it is not permitted.
///
/// Worth a third of the time of `zstd -dc games.pgn.zst | pgn2epd -j 1`, and a sixth of that of
/// `pgn2epd -j 1 games.pgn | cat`; with two threads the output does not gain.
#[cfg(target_os = "linux")]
pub(super) fn enlarge(stream: &impl std::os::fd::AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(stream, 1 << 20);
}

/// Pipes have one size.
#[cfg(not(target_os = "linux"))]
pub(super) fn enlarge<T>(_: &T) {}
