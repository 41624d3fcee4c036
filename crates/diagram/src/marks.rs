//! Marks on a board: the last move, squares, arrows, a king in check; and lists of them as text.

use std::fmt;
use std::str::FromStr;

use san::Square;

/// The marks of a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Origin and target of the last move.
    pub last_move: Option<(Square, Square)>,
    /// The king that is in check.
    pub check: Option<Square>,
    /// Coloured squares.
    pub squares: Vec<(Square, Paint)>,
    /// Arrows, in drawing order.
    pub arrows: Vec<Arrow>,
}

/// An arrow from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// Its origin.
    pub from: Square,
    /// Its head.
    pub to: Square,
    /// Its colour.
    pub paint: Paint,
}

/// Colours of marks, as named by `G`, `R`, `Y` and `B` in comments of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Paint {
    /// Good moves, and marks without a specific meaning.
    Green,
    /// Bad moves and threats.
    Red,
    /// Points of interest.
    Yellow,
    /// The played or supplied move.
    Blue,
}

impl Marks {
    /// Adds an arrow, unless there is already one between these squares.
    pub fn arrow(&mut self, from: Square, to: Square, paint: Paint) {
        if !self.arrows.iter().any(|arrow| (arrow.from, arrow.to) == (from, to)) {
            self.arrows.push(Arrow { from, to, paint });
        }
    }

    /// Adds the marks of `other`.
    pub fn extend(&mut self, other: Marks) {
        self.last_move = other.last_move.or(self.last_move);
        self.check = other.check.or(self.check);
        self.squares.extend(other.squares);
        self.arrows.extend(other.arrows);
    }
}

impl Paint {
    /// Parses the letter of the colour in `[%csl …]` and `[%cal …]`.
    pub fn from_letter(letter: char) -> Option<Self> {
        let all = [Paint::Green, Paint::Red, Paint::Yellow, Paint::Blue];
        all.into_iter().find(|paint| paint.letter() == letter)
    }

    /// Returns the letter of the colour.
    pub fn letter(self) -> char {
        match self {
            Paint::Green => 'G',
            Paint::Red => 'R',
            Paint::Yellow => 'Y',
            Paint::Blue => 'B',
        }
    }
}

/// Extracts the coloured squares and arrows of a comment, and returns the rest of the comment with
/// them.
///
/// They are written as `[%csl Ra3,Gb4]` and `[%cal Gg1f3,Re7e5]` by ChessBase, Lichess and Scid. A
/// command that cannot be parsed completely stays in the text.
///
/// ```
/// use diagram::Paint;
/// use san::Square;
///
/// let (text, marks) = diagram::take_marks("The point: [%csl Gd5] [%cal Rf3e5]a fork.");
/// assert_eq!(text, "The point: a fork.");
/// assert_eq!(marks.squares, [(Square::D5, Paint::Green)]);
/// assert_eq!((marks.arrows[0].to, marks.arrows[0].paint), (Square::E5, Paint::Red));
/// ```
pub fn take_marks(comment: &str) -> (String, Marks) {
    let (mut text, mut marks) = (String::new(), Marks::default());
    let mut rest = comment;
    while let Some(start) = rest.find("[%c") {
        let (before, command) = rest.split_at(start);
        text.push_str(before);
        // A command has no bracket inside, so each byte is searched once.
        let end = command[1..].find(['[', ']']).map(|end| end + 2);
        match end.and_then(|end| read_command(&command[..end], &mut marks)) {
            Some(()) => rest = &command[end.unwrap_or(command.len())..],
            None => {
                text.push_str("[%c");
                rest = &command["[%c".len()..];
            }
        }
    }
    text.push_str(rest);
    if marks != Marks::default() {
        text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    (text, marks)
}

fn read_command(command: &str, marks: &mut Marks) -> Option<()> {
    let inside = command.strip_prefix("[%c")?.strip_suffix(']')?;
    let (name, list) = inside.split_once(char::is_whitespace)?;
    let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
    let painted = items.map(|item| {
        let letter = item.chars().next()?;
        Some((Paint::from_letter(letter)?, item.get(letter.len_utf8()..)?))
    });
    let painted: Vec<(Paint, &str)> = painted.collect::<Option<_>>()?;
    match name {
        "sl" => {
            let square = |(paint, name): (Paint, &str)| Some((name.parse().ok()?, paint));
            let squares: Vec<(Square, Paint)> =
                painted.into_iter().map(square).collect::<Option<_>>()?;
            marks.squares.extend(squares);
        }
        "al" => {
            let arrow = |(paint, name): (Paint, &str)| {
                let (from, to) = (name.get(..2)?.parse().ok()?, name.get(2..)?.parse().ok()?);
                Some(Arrow { from, to, paint })
            };
            let arrows: Vec<Arrow> = painted.into_iter().map(arrow).collect::<Option<_>>()?;
            marks.arrows.extend(arrows);
        }
        _ => return None,
    }
    Some(())
}

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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_unknown_command_stays_in_the_comment() {
        for comment in [
            "[%csl Xa1]",
            "[%csl Ga9]",
            "[%csl G]",
            "[%cal Ga1]",
            "[%cal Ga1é]",
            "[%clk 0:01:00] thinks",
            "[%csl Ga1",
            "[%c",
        ] {
            let (text, marks) = take_marks(comment);
            assert_eq!((&*text, marks), (comment, Marks::default()), "{comment}");
        }
    }

    #[test]
    fn lists_are_read_with_and_without_spaces() {
        let (text, marks) = take_marks("a [%csl Ga1, Rb2,Yc3,Bd4] b [%cal Ga1a8,Bh1h8]");
        assert_eq!(text, "a b");
        assert_eq!((marks.squares.len(), marks.arrows.len()), (4, 2));
        assert_eq!(marks.arrows[1], Arrow { from: Square::H1, to: Square::H8, paint: Paint::Blue });
    }

    proptest! {
        #[test]
        fn any_comment_is_accepted(comment in r"(\[%c[sa]l ?|[GRYBX]|[a-i][0-9]|,|\]|é|\[|.){0,30}") {
            let (text, _) = take_marks(&comment);
            prop_assert!(text.len() <= comment.len());
        }
    }

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
