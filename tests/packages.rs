//! What the published packages promise: metadata, few dependencies of the library, one version.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{ROOT, text_of};

/// Returns what cargo prints when it is run offline in the workspace.
fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--offline")
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The packages of the workspace.
pub(crate) fn workspace() -> Vec<Value> {
    let text = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&text).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// The packages that are published.
fn published() -> Vec<Value> {
    workspace().into_iter().filter(|package| package["publish"].is_null()).collect()
}

#[test]
fn published_packages_describe_themselves() {
    let packages = published();
    assert_eq!(packages.len(), 15);
    for package in packages {
        let name = package["name"].as_str().unwrap();
        for field in ["description", "license", "readme", "repository", "rust_version"] {
            assert!(package[field].is_string(), "{name} has no {field}");
        }
        for (field, most) in [("keywords", 5), ("categories", 5)] {
            let count = package[field].as_array().unwrap().len();
            assert!((1..=most).contains(&count), "{name} has {count} {field}");
        }
        let is_library = package["targets"][0]["kind"][0] == "lib";
        let has_all_features = &package["metadata"]["docs"]["rs"]["all-features"];
        assert!(!is_library || has_all_features == true, "{name} on docs.rs");
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        let licence = fs::read(folder.join("COPYING")).expect(name);
        assert!(licence == fs::read(Path::new(ROOT).join("COPYING")).unwrap(), "{name}");
        assert!(folder.join(package["readme"].as_str().unwrap()).is_file(), "{name}");
    }
}

#[test]
fn the_library_without_features_has_few_dependencies() {
    let tree = ["tree", "-p", "pgn2epd", "--no-default-features", "-e", "normal"];
    let text = cargo(&[&tree[..], &["--prefix", "none", "--no-dedupe", "--locked"]].concat());
    let package = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let packages: BTreeSet<String> = text.lines().map(package).collect();
    // README.md gives this limit.
    assert!(packages.len() - 1 < 45, "{packages:#?}");
    for of_features in ["tempfile", "serde_json", "flate2", "rustix", "resvg"] {
        let prefix = format!("{of_features} ");
        assert!(!packages.iter().any(|package| package.starts_with(&prefix)), "{of_features}");
    }
}

#[test]
fn every_file_that_states_the_version_states_the_same() {
    let version = env!("CARGO_PKG_VERSION");
    for package in published() {
        assert_eq!(package["version"], version, "{}", package["name"]);
    }
    let citation = text_of("CITATION.cff");
    assert!(citation.contains(&format!("\nversion: {version}\n")), "CITATION.cff");
    // The workflow of a release builds with `--locked`.
    for file in ["Cargo.lock", "fuzz/Cargo.lock"] {
        let text = text_of(file);
        let ours = |package: &&str| package.starts_with("name = \"pgn2epd");
        let packages: Vec<&str> = text.split("[[package]]\n").filter(ours).collect();
        assert!(packages.len() > 10, "{file}");
        for package in packages.iter().filter(|package| !package.contains("\"0.0.0\"\n")) {
            let is_same = package.contains(&format!("\nversion = \"{version}\"\n"));
            assert!(is_same, "{file}: RELEASING.md says how it is updated\n{package}");
        }
    }
    let compatible = version.rsplit_once('.').unwrap().0;
    for file in ["README.md", "crates/pgn2epd/src/lib.rs"] {
        let text = text_of(file);
        let dependency = format!("pgn2epd = {{ version = \"{compatible}\", ");
        assert!(text.contains(&dependency), "{file}: {dependency}");
    }
    let minimum = env!("CARGO_PKG_RUST_VERSION");
    for page in ["README.md", "docs/getting-started.md"] {
        let text = text_of(page);
        assert!(text.contains(&format!("[Rust](https://rustup.rs) {minimum} or newer")), "{page}");
    }
}

/// What a release consists of does not depend on the day on which it is built.
#[test]
fn the_tools_of_a_release_have_their_versions() {
    let workflow = text_of(".github/workflows/release.yml");
    let commands = |name: &str| -> Vec<&str> {
        workflow.lines().filter(|line| line.contains(name)).map(str::trim).collect()
    };
    for line in commands("pip install") {
        let is_ours = line.contains("--no-build-isolation target/wheels/");
        assert!(is_ours || line.ends_with("--require-hashes -r packaging/tools.txt"), "{line}");
    }
    for line in commands("cargo install") {
        assert!(
            line.rsplit_once('@').is_some_and(|(_, version)| version.split('.').count() == 3),
            "{line}"
        );
    }
    for line in commands("toolchain install") {
        assert!(line.contains("\"$RUST\""), "{line}");
    }
    for line in commands("uses: ") {
        let hash = line.rsplit_once('@').unwrap().1.split(' ').next().unwrap();
        assert_eq!(hash.len(), 40, "{line}");
    }
    let tools = text_of("packaging/tools.txt");
    for name in ["cargo-zigbuild==", "maturin==", "ziglang=="] {
        assert!(tools.lines().any(|line| line.starts_with(name)), "{name}");
    }
}
