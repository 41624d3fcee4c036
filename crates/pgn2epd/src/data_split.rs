//! The division of records among several outputs.

use std::fmt;
use std::str::FromStr;

use crate::value_error::ValueError;

/// Named parts of a data set and their shares, which add up to 1.
///
/// ```
/// use pgn2epd::options::DataSplit;
///
/// let split: DataSplit = "train=0.98,valid=0.01,test=0.01".parse()?;
/// assert_eq!(split.names().collect::<Vec<_>>(), ["train", "valid", "test"]);
/// assert_eq!((split.part_of(0), split.part_of(u64::MAX)), (0, 2));
///
/// let error = "train=0.9,test=0.2".parse::<DataSplit>().unwrap_err();
/// assert_eq!(error.to_string(), "the shares add up to 1.1, not to 1");
/// # Ok::<_, pgn2epd::options::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DataSplit {
    parts: Vec<(String, f64)>,
    /// The first number after each part, except the last one.
    ends: Vec<u64>,
}

impl DataSplit {
    /// Returns the names of the parts.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.parts.iter().map(|(name, _)| &**name)
    }

    /// Returns the index of the part to which a random number belongs.
    pub fn part_of(&self, drawn: u64) -> usize {
        self.ends.partition_point(|end| *end <= drawn)
    }
}

impl FromStr for DataSplit {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let mut parts: Vec<(String, f64)> = Vec::new();
        for part in text.split(',') {
            let (name, share) = part.split_once('=').ok_or_else(|| {
                ValueError::new(format!("{part:?} is not NAME=SHARE, as in train=0.9,test=0.1"))
            })?;
            let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            if name.is_empty() || !name.chars().all(is_letter) {
                return Err(ValueError::new(format!(
                    "{name:?} is not a name of a part: letters, digits, - and _"
                )));
            }
            if parts.iter().any(|(other, _)| other == name) {
                return Err(ValueError::new(format!("the part {name} occurs twice")));
            }
            let share = share.parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
            let share = share.ok_or_else(|| {
                ValueError::new(format!("the share of {name} is not a number between 0 and 1"))
            })?;
            parts.push((name.to_owned(), share));
        }
        let sum: f64 = parts.iter().map(|(_, share)| share).sum();
        if (sum - 1.0).abs() > 1e-6 {
            let sum = (sum * 1e6).round() / 1e6;
            return Err(ValueError::new(format!("the shares add up to {sum}, not to 1")));
        }
        let mut end = 0.0;
        let end_of = |(_, share): &(String, f64)| {
            end += share;
            (end * 2_f64.powi(64)) as u64
        };
        let ends = parts[..parts.len() - 1].iter().map(end_of).collect();
        Ok(DataSplit { parts, ends })
    }
}

impl fmt::Display for DataSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, share)) in self.parts.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{name}={share}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_large_as_their_shares() {
        let split: DataSplit = "a=0.5,b=0.3,c=0.2".parse().unwrap();
        let mut counts = [0; 3];
        for number in 0..100_000 {
            counts[split.part_of(dataset::random_rank(7, number))] += 1;
        }
        for (count, expected) in counts.into_iter().zip([50_000_i32, 30_000, 20_000]) {
            assert!((count - expected).abs() < 600, "{counts:?}");
        }
    }

    #[test]
    fn a_split_is_read_as_it_is_written_or_refused_with_the_reason() {
        for text in ["a=0.5,b=0.5", "train=0.98,valid=0.01,test=0.01"] {
            assert_eq!(text.parse::<DataSplit>().unwrap().to_string(), text);
        }
        let cases = [
            ("", "\"\" is not NAME=SHARE"),
            ("a", "\"a\" is not NAME=SHARE"),
            ("a=1", "the share of a is not a number between 0 and 1"),
            ("a=0.5,b=x", "the share of b is not"),
            ("a=0.5,a=0.5", "the part a occurs twice"),
            ("a/b=0.5,c=0.5", "\"a/b\" is not a name"),
            ("a=0.5,b=0.4", "the shares add up to 0.9, not to 1"),
            ("a=0.5,b=NaN", "the share of b is not"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<DataSplit>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
