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
    let commit = option_env!("PGN2EPD_COMMIT").unwrap_or("unknown");
    let (version, target) = (env!("CARGO_PKG_VERSION"), env!("PGN2EPD_TARGET"));
    format!("{version}\ncommit: {commit}\nfeatures: {features}\ntarget: {target}")
}
