//! What `--version` prints.

pub(super) fn long() -> String {
    let features = match env!("PGN2EPD_FEATURES") {
        "" => "none",
        features => features,
    };
    let (version, target) = (env!("CARGO_PKG_VERSION"), env!("PGN2EPD_TARGET"));
    let commit = commit().unwrap_or("unknown");
    format!("{version}\ncommit: {commit}\nfeatures: {features}\ntarget: {target}")
}

pub(super) fn commit() -> Option<&'static str> {
    option_env!("PGN2EPD_COMMIT")
}

pub(super) fn program() -> &'static str {
    concat!("pgn2epd ", env!("CARGO_PKG_VERSION"))
}
