//! Names as a tree of openings, variations and subvariations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::name::Name;
use crate::table::Openings;

/// A part of a name, with its subtree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    /// The ECO codes of the positions with exactly this name.
    pub eco: BTreeSet<String>,
    /// The number of positions with exactly this name.
    pub positions: usize,
    /// Subvariations, by the next part of their names.
    pub below: BTreeMap<String, Branch>,
}

impl Openings {
    /// Returns the tree of all names that begin with `prefix`, ignoring case; if `prefix` is an ECO
    /// code or the beginning of one, all names with such a code.
    ///
    /// ```
    /// let openings = openings::Openings::embedded();
    /// let tree = openings.tree("Sicilian Defense: Najdorf");
    /// let najdorf = &tree.below["Sicilian Defense"].below["Najdorf Variation"];
    /// assert!(najdorf.below.contains_key("English Attack"));
    /// assert!(openings.tree("B9").below["Sicilian Defense"].below.contains_key("Najdorf Variation"));
    /// ```
    pub fn tree(&self, prefix: &str) -> Branch {
        let mut tree = Branch::default();
        let is_code = is_beginning_of_code(prefix);
        for name in self.names() {
            let wanted = match is_code {
                true => name.eco().is_some_and(|eco| begins(eco, prefix)),
                false => name.opening().is_some_and(|opening| begins(opening, prefix)),
            };
            if wanted && name.opening().is_some() {
                tree.add(name);
            }
        }
        tree
    }
}

impl Branch {
    fn add(&mut self, name: &Name) {
        let branch = name
            .parts()
            .fold(self, |branch, part| branch.below.entry(part.to_owned()).or_default());
        branch.positions += 1;
        branch.eco.extend(name.eco().map(str::to_owned));
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        for (part, branch) in &self.below {
            write!(f, "{:width$}{part}", "", width = 2 * depth)?;
            if let Some(first) = branch.eco.first() {
                write!(f, "  {first}")?;
                let last = branch.eco.last().filter(|last| *last != first);
                last.map_or(Ok(()), |last| write!(f, "-{last}"))?;
            }
            writeln!(f)?;
            branch.write(f, depth + 1)?;
        }
        Ok(())
    }
}

impl fmt::Display for Branch {
    /// Writes a line per part of a name, indented by two spaces per level, followed by its codes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

fn begins(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

/// Whether this is an ECO code or the beginning of one: `B`, `B9`, `B90`.
fn is_beginning_of_code(prefix: &str) -> bool {
    let mut bytes = prefix.bytes();
    matches!(bytes.next(), Some(b'A'..=b'E' | b'a'..=b'e'))
        && prefix.len() <= 3
        && bytes.all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_written_with_its_codes() {
        let mut openings = Openings::default();
        let mut text = String::from("eco\tname\tpgn\n");
        text += "A00\tB: C\t1. a3\nA02\tB: C\t1. a4\nA01\tB\t1. b3\nA09\tBc: D, E\t1. c3\n";
        openings.layer(text.as_bytes()).unwrap();
        assert_eq!(openings.tree("").to_string(), "B  A01\n  C  A00-A02\nBc\n  D\n    E  A09\n");
        assert_eq!(openings.tree("b: ").to_string(), "B\n  C  A00-A02\n");
        assert_eq!(openings.tree("A01").to_string(), "B  A01\n");
        assert_eq!(openings.tree("nothing").to_string(), "");
    }
}
