//! What `--version` prints.

/// The optional features, in the order of the alphabet, and whether this program has them.
const FEATURES: [(&str, bool); 9] = [
    ("7z", cfg!(feature = "7z")),
    ("arrow", cfg!(feature = "arrow")),
    ("bzip2", cfg!(feature = "bzip2")),
    ("gzip", cfg!(feature = "gzip")),
    ("mimalloc", cfg!(feature = "mimalloc")),
    ("png", cfg!(feature = "png")),
    ("xz", cfg!(feature = "xz")),
    ("zip", cfg!(feature = "zip")),
    ("zstd", cfg!(feature = "zstd")),
];

/// The version and how the program was built, for reports of errors.
pub(super) fn long() -> String {
    let present = FEATURES.iter().filter(|(_, is_present)| *is_present);
    let features: Vec<&str> = present.map(|(name, _)| *name).collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(" ") };
    let (version, target) = (env!("CARGO_PKG_VERSION"), env!("PGN2EPD_TARGET"));
    let commit = commit().unwrap_or("unknown");
    format!("{version}\ncommit: {commit}\nfeatures: {features}\ntarget: {target}")
}

/// The commit that the program was built from, if it is known.
pub(super) fn commit() -> Option<&'static str> {
    option_env!("PGN2EPD_COMMIT")
}

/// The name and the version of the program.
pub(super) fn program() -> &'static str {
    concat!("pgn2epd ", env!("CARGO_PKG_VERSION"))
}
