//! The pipes of standard input and output.

/// Enlarges a pipe, if permitted; with the default of 64 KB, its programs wait for each other.
/// Worth a third of the time of `zstd -dc F | pgn2epd -j 1`, a sixth of `pgn2epd -j 1 F | cat`.
#[cfg(target_os = "linux")]
pub(super) fn enlarge(stream: &impl std::os::fd::AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(stream, 1 << 20);
}

/// Pipes have one size.
#[cfg(not(target_os = "linux"))]
pub(super) fn enlarge<T>(_: &T) {}
