//! Lists of arrows and squares as text.

use std::fmt;
use std::str::FromStr;

use crate::marks::{Marks, Paint, take_marks};

/// Arrows as a list, green unless a letter says otherwise: `e2e4,Rd1d8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrowList(Marks);

/// Coloured squares as a list: `e4,Rd5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareList(Marks);

impl ArrowList {
    /// Returns the arrows as markings.
    pub fn marks(&self) -> &Marks {
        &self.0
    }
}

impl SquareList {
    /// Returns the squares as markings.
    pub fn marks(&self) -> &Marks {
        &self.0
    }
}

impl FromStr for ArrowList {
    type Err = &'static str;

    fn from_str(list: &str) -> Result<Self, Self::Err> {
        let marks = marks("cal", list).map(ArrowList);
        marks.ok_or("write an arrow such as e2e4, with G, R, Y or B before it for a colour")
    }
}

impl FromStr for SquareList {
    type Err = &'static str;

    fn from_str(list: &str) -> Result<Self, Self::Err> {
        let marks = marks("csl", list).map(SquareList);
        marks.ok_or("write a square such as e4, with G, R, Y or B before it for a colour")
    }
}

impl fmt::Display for ArrowList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrows = self.0.arrows.iter();
        list(f, arrows.map(|arrow| (arrow.paint, format!("{}{}", arrow.from, arrow.to))))
    }
}

impl fmt::Display for SquareList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, self.0.squares.iter().map(|(square, paint)| (*paint, square.to_string())))
    }
}

fn list(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = (Paint, String)>) -> fmt::Result {
    for (index, (paint, item)) in items.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(f, "{comma}{}{item}", paint.letter())?;
    }
    Ok(())
}

/// Parses a list of markings in the notation of comments; the default colour is green.
fn marks(command: &str, list: &str) -> Option<Marks> {
    if list.contains(['[', ']']) {
        return None; // it would end the command, and could begin another
    }
    let painted = list.split(',').map(|item| {
        let item = item.trim();
        let is_painted = item.starts_with(|c: char| c.is_ascii_uppercase());
        if is_painted { item.to_owned() } else { format!("G{item}") }
    });
    let list = painted.collect::<Vec<_>>().join(",");
    let (rest, marks) = take_marks(&format!("[%{command} {list}]"));
    (rest.is_empty() && marks != Marks::default()).then_some(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_as_they_are_read() {
        for (text, expected) in [("e2e4, Rd1d8", "Ge2e4,Rd1d8"), ("Ya1h8,Bb2b3", "Ya1h8,Bb2b3")] {
            let list: ArrowList = text.parse().unwrap();
            assert_eq!(list.to_string(), expected);
            assert_eq!((list.marks().arrows.len(), list.marks().squares.len()), (2, 0));
        }
        let squares: SquareList = "Yf7,a1,Rb2".parse().unwrap();
        assert_eq!(squares.to_string(), "Yf7,Ga1,Rb2");
        for wrong in ["", "e2", "e2e9", "Xe2e4", "e2e4] [%csl Ra1", "e2e4,,"] {
            assert!(wrong.parse::<ArrowList>().is_err(), "{wrong}");
        }
        for wrong in ["", "e9", "e2e4", "Xe2"] {
            assert!(wrong.parse::<SquareList>().is_err(), "{wrong}");
        }
    }
}
