//! The folders of values of variables, with names as Hive, Spark and DuckDB read them: `ECO=C33`.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use table::ColumnValues;

use super::index::RecordIndex;
use crate::options::Options;

/// The name of the value that is missing.
const MISSING: &str = "__HIVE_DEFAULT_PARTITION__";

/// The longest name of a folder, in bytes, that all file systems have.
const LONGEST: usize = 255;

/// Ends a value in a key; no text in UTF-8 has this byte.
const END: u8 = 0xff;

/// The first byte of a value that is missing; no text in UTF-8 has this byte.
const IS_MISSING: u8 = 0xfe;

/// Appends the values of a row, by which [`Folders`] divides records.
pub(crate) fn write_folder_key(values: &[ColumnValues], row: usize, key: &mut Vec<u8>) {
    for values in values {
        if !values.write_cell(row, key) {
            key.push(IS_MISSING);
        }
        key.push(END);
    }
}

/// The folders of values so far, numbered in the order of the input.
#[derive(Debug)]
pub(crate) struct Folders {
    /// The names of the variables, and of the parts of a split.
    variables: Vec<String>,
    splits: Vec<String>,
    is_by_player: bool,
    /// The number of each combination of values in a part of the split, and its folders: one, or
    /// those of two players.
    parts: HashMap<(u32, Box<[u8]>), u32>,
    of_parts: Vec<[usize; 2]>,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The name for each value of a variable.
    of_values: HashMap<(usize, Box<[u8]>), String>,
    /// The names of a variable, as file systems compare them.
    used: HashSet<(usize, String)>,
}

impl Folders {
    /// Makes those that the options ask for.
    pub(crate) fn of(options: &Options) -> Option<Self> {
        let partition = options.partition_by.as_ref()?;
        let splits = options.split.iter().flat_map(|split| split.names());
        Some(Folders {
            variables: partition.names().map(str::to_owned).collect(),
            splits: splits.map(str::to_owned).collect(),
            is_by_player: partition.is_by_player(),
            parts: HashMap::new(),
            of_parts: Vec::new(),
            names: Vec::new(),
            numbers: HashMap::new(),
            of_values: HashMap::new(),
            used: HashSet::new(),
        })
    }

    /// Returns the names of the folders.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Returns the folders of a part.
    pub(crate) fn of_part(&self, part: usize) -> [usize; 2] {
        self.of_parts[part]
    }

    /// Sets the part of each record by its values.
    pub(crate) fn assign(&mut self, index: &mut RecordIndex) {
        for (row, record) in index.records.list.iter_mut().enumerate() {
            let key = index.folder_keys.get(row).unwrap_or_default();
            record.part = self.part(record.part, key);
        }
    }

    fn part(&mut self, split: u32, key: &[u8]) -> u32 {
        let whole = (split, Box::from(key));
        if let Some(part) = self.parts.get(&whole) {
            return *part;
        }
        let values = key.split_inclusive(|byte| *byte == END).enumerate();
        let names: Vec<String> = values
            .map(|(index, value)| {
                let variable = if self.is_by_player { 0 } else { index };
                self.name(variable, &value[..value.len() - 1]).to_owned()
            })
            .collect();
        let paths = if self.is_by_player { names } else { vec![names.join("/")] };
        let folders: Vec<usize> = paths.iter().map(|path| self.folder(split, path)).collect();
        let (first, last) = (folders[0], folders[folders.len() - 1]);
        let part = self.of_parts.len() as u32;
        self.of_parts.push([first, last]);
        self.parts.insert(whole, part);
        part
    }

    /// Returns the number of a folder.
    fn folder(&mut self, split: u32, path: &str) -> usize {
        let path = match self.splits.get(split as usize) {
            Some(split) => format!("{split}/{path}"),
            None => path.to_owned(),
        };
        let next = self.names.len();
        let number = *self.numbers.entry(path.clone()).or_insert(next);
        if number == next {
            self.names.push(path);
        }
        number
    }

    /// Returns the name of the folder of a value.
    fn name(&mut self, variable: usize, value: &[u8]) -> &str {
        let Folders { variables, of_values, used, .. } = self;
        of_values.entry((variable, value.into())).or_insert_with(|| {
            let of_variable = &variables[variable];
            if value == [IS_MISSING] {
                return format!("{of_variable}={MISSING}");
            }
            let is_free = |name: &String| {
                let folded = name.to_uppercase().to_lowercase();
                name.len() <= LONGEST && !name.ends_with(MISSING) && used.insert((variable, folded))
            };
            let mut names = candidates(of_variable, &String::from_utf8_lossy(value));
            names.find(is_free).unwrap_or_default()
        })
    }
}

/// Returns names for a value, of which the first is taken that no other value has, also where upper
/// and lower case are the same.
fn candidates(variable: &str, value: &str) -> impl Iterator<Item = String> + use<> {
    let name = |is_plain: &dyn Fn(char) -> bool| format!("{variable}={}", escaped(value, is_plain));
    // Characters with marks can be written in two ways, which some file systems take for the same.
    let is_plain = |c: char| c.is_alphanumeric() && c < '\u{250}' || " -_.,'()".contains(c);
    let (plain, all) = (name(&is_plain), name(&|_| false));
    let start: String = plain.chars().take(LONGEST / 4).collect();
    let numbered = (1..).map(move |number| format!("{start}~{number}"));
    [plain, all].into_iter().chain(numbered)
}

/// Writes characters that are not plain as the bytes of UTF-8 in hexadecimal digits, and blanks and
/// full stops at the end, which Windows removes.
fn escaped(value: &str, is_plain: &dyn Fn(char) -> bool) -> String {
    let end = value.trim_end_matches(['.', ' ']).len();
    let mut text = String::new();
    for (at, char) in value.char_indices() {
        if is_plain(char) && at < end {
            text.push(char);
            continue;
        }
        for byte in char.encode_utf8(&mut [0; 4]).bytes() {
            // Writing to a string does not fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(partition: &str) -> Folders {
        Folders::of(&Options::from_names([("partition-by", partition)]).unwrap()).unwrap()
    }

    #[test]
    fn each_value_has_a_name_of_its_own() {
        let mut folders = folders("White");
        let long = "x".repeat(300);
        let cases: [(&str, &str); 16] = [
            ("Carlsen, Magnus", "Carlsen, Magnus"),
            ("carlsen, magnus", "%63%61%72%6C%73%65%6E%2C%20%6D%61%67%6E%75%73"),
            ("CARLSEN, MAGNUS", "%43%41%52%4C%53%45%4E%2C%20%4D%41%47%4E%55%53"),
            ("Kr\u{f6}ger", "Kr\u{f6}ger"),
            ("Kro\u{308}ger", "Kro%CC%88ger"),
            ("stra\u{df}e", "stra\u{df}e"),
            ("STRASSE", "%53%54%52%41%53%53%45"),
            (
                "a/b\\c:d*e?f\"g<h>i|j%k=l~m\n\0\u{7f}",
                "a%2Fb%5Cc%3Ad%2Ae%3Ff%22g%3Ch%3Ei%7Cj%25k%3Dl%7Em%0A%00%7F",
            ),
            ("..", "%2E%2E"),
            ("x. ", "x%2E%20"),
            ("", ""),
            (
                MISSING,
                "%5F%5F%48%49%56%45%5F%44%45%46%41%55%4C%54%5F%50%41%52%54%49%54%49%4F%4E%5F%5F",
            ),
            (&long, "x~1"),
            ("\u{41c}\u{433}", "%D0%9C%D0%B3"),
            ("CON", "CON"),
            ("%41", "%2541"),
        ];
        assert_eq!(folders.name(0, &[IS_MISSING]), format!("White={MISSING}"));
        for (value, expected) in cases {
            let expected = match expected {
                "x~1" => format!("White={}~1", "x".repeat(LONGEST / 4 - 6)),
                name => format!("White={name}"),
            };
            assert_eq!(folders.name(0, value.as_bytes()), expected, "{value}");
        }
        assert_eq!(folders.name(0, b"Carlsen, Magnus"), "White=Carlsen, Magnus");
    }
}
