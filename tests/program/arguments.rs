//! Wrong arguments: the messages name the error and the correct usage.

use crate::support::program;

#[test]
fn the_version_is_that_of_the_package() {
    let outcome = program().arg("-V").succeed();
    assert_eq!(outcome.text(), concat!("pgn2epd ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn the_long_version_names_commit_features_and_target() {
    let outcome = program().arg("--version").succeed();
    let lines: Vec<&str> = outcome.text().lines().collect();
    assert_eq!(lines[0], concat!("pgn2epd ", env!("CARGO_PKG_VERSION")));
    let commit = lines[1].strip_prefix("commit: ").unwrap();
    let is_hash = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(is_hash || commit == "unknown", "{commit}");
    let all = [
        ("7z", cfg!(feature = "7z")),
        ("arrow", cfg!(feature = "arrow")),
        ("bzip2", cfg!(feature = "bzip2")),
        ("gzip", cfg!(feature = "gzip")),
        ("mimalloc", cfg!(feature = "mimalloc")),
        ("png", cfg!(feature = "png")),
        ("serve", cfg!(feature = "serve")),
        ("xz", cfg!(feature = "xz")),
        ("zip", cfg!(feature = "zip")),
        ("zstd", cfg!(feature = "zstd")),
    ];
    let present = all.iter().filter(|(_, is_present)| *is_present).map(|(name, _)| *name);
    let present = present.collect::<Vec<_>>().join(" ");
    let present = if present.is_empty() { "none" } else { &present };
    assert_eq!(lines[2], format!("features: {present}"));
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    let manifest: toml::Table = manifest.unwrap().parse().unwrap();
    let declared = manifest["features"].as_table().unwrap().keys();
    let groups = ["compression", "default", "full"];
    let mut declared: Vec<_> = declared.filter(|name| !groups.contains(&name.as_str())).collect();
    declared.sort();
    assert_eq!(declared, all.map(|(name, _)| name));
    assert!(lines[3].strip_prefix("target: ").unwrap().contains(std::env::consts::ARCH));
    assert_eq!(lines.len(), 4);
}
