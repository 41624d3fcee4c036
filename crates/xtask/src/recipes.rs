//! The recipes of package managers, from the templates in `packaging/`.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use crate::checksums::sha256;
use crate::dist::source_archive;
use crate::project::Project;
use crate::target::Target;

/// The templates, each with the path of the recipe in the folder of results.
const RECIPES: [(&str, &str); 2] = [
    ("packaging/homebrew/pgn2epd.rb", "recipes/homebrew/pgn2epd.rb"),
    ("packaging/conda/recipe.yaml", "recipes/conda/recipe.yaml"),
];

/// Fills in all templates with the version and the checksums of the archives in `folder`.
pub(crate) fn write(project: &Project, folder: &Path) -> anyhow::Result<()> {
    for (template, recipe) in RECIPES {
        let text = fs::read_to_string(project.root.join(template))?;
        let text = filled(&text, |name| value(project, folder, name)).with_context(|| {
            format!("cannot fill in {template}; the archives are written by dist and source")
        })?;
        let recipe = folder.join(recipe);
        fs::create_dir_all(recipe.parent().expect("a recipe has a folder"))?;
        fs::write(&recipe, text)?;
        println!("{}", recipe.display());
    }
    Ok(())
}

/// The value of a name in a template: `VERSION`, `SHA256 source`, `SHA256 x86_64-apple-darwin`.
fn value(project: &Project, folder: &Path, name: &str) -> anyhow::Result<String> {
    match name.split_once(' ') {
        None if name == "VERSION" => Ok(project.version.clone()),
        Some(("SHA256", "source")) => sha256(&folder.join(source_archive(&project.version))),
        Some(("SHA256", triple)) => {
            let target = Target::ALL.into_iter().find(|target| target.triple() == triple);
            let target = target.with_context(|| format!("{triple} is not a target"))?;
            sha256(&folder.join(target.archive(&project.version)))
        }
        _ => bail!("@{name}@ has no meaning"),
    }
}

/// Replaces each `@NAME@` in a template.
fn filled(
    template: &str,
    value: impl Fn(&str) -> anyhow::Result<String>,
) -> anyhow::Result<String> {
    let mut parts = template.split('@');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let Some(name) = parts.next() {
        let rest = parts.next().with_context(|| format!("@{name} has no end"))?;
        text.push_str(&value(name)?);
        text.push_str(rest);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_templates_are_replaced() {
        let value = |name: &str| Ok(format!("<{name}>"));
        for (template, expected) in [
            ("", ""),
            ("plain\n", "plain\n"),
            ("v@VERSION@/x", "v<VERSION>/x"),
            ("@VERSION@@SHA256 source@", "<VERSION><SHA256 source>"),
        ] {
            assert_eq!(filled(template, value).unwrap(), expected);
        }
        assert!(filled("a@b", value).is_err());
    }

    #[test]
    fn the_templates_have_only_names_with_a_meaning() {
        let project = Project {
            root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
            target_folder: "".into(),
            version: "1.2.3".into(),
        };
        let folder = tempfile::tempdir().unwrap();
        let archives = Target::ALL.map(|target| target.archive("1.2.3"));
        for name in archives.into_iter().chain([source_archive("1.2.3")]) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        write(&project, folder.path()).unwrap();
        let formula = folder.path().join("recipes/homebrew/pgn2epd.rb");
        let formula = fs::read_to_string(formula).unwrap();
        assert!(
            formula.contains("/v1.2.3/pgn2epd-1.2.3-aarch64-apple-darwin.tar.gz\"\n"),
            "{formula}"
        );
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(formula.matches(&format!("sha256 \"{empty}\"")).count(), 4);
    }
}
