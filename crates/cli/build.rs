//! Passes the commit, the features and the target on to `pgn2epd --version`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=crates/cli/build.rs");
    println!("cargo::rerun-if-env-changed=PGN2EPD_COMMIT");
    let commit = env::var("PGN2EPD_COMMIT").ok().or_else(packaged_commit).or_else(head);
    if let Some(commit) = commit.filter(|commit| !commit.is_empty()) {
        println!("cargo::rustc-env=PGN2EPD_COMMIT={commit}");
    }
    let features = env::var("CARGO_CFG_FEATURE").unwrap_or_default();
    // These three consist of others.
    let is_one = |name: &&str| !["", "default", "compression", "full"].contains(name);
    let mut features: Vec<&str> = features.split(',').filter(is_one).collect();
    features.sort_unstable();
    println!("cargo::rustc-env=PGN2EPD_FEATURES={}", features.join(" "));
    let target = env::var("TARGET").expect("cargo sets TARGET");
    println!("cargo::rustc-env=PGN2EPD_TARGET={target}");
}

/// The commit that a package from crates.io was made from; cargo writes it into the package.
fn packaged_commit() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    println!("cargo::rerun-if-changed=.cargo_vcs_info.json");
    let (_, rest) = text.split_once("\"sha1\"")?;
    rest.split('"').nth(1).map(str::to_owned)
}

/// Only optimised programs have the commit: otherwise each would compile the tests anew.
fn head() -> Option<String> {
    if env::var("PROFILE").as_deref() != Ok("release") || !Path::new(".git").exists() {
        return None;
    }
    // This file changes with each commit and each checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
    Some(text.trim().to_owned())
}
