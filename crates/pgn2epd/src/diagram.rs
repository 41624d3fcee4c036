//! Diagrams of positions, and of the records and games of a text.

pub mod illustrate;

pub use crate::options::values::View;
pub use diagram::*;

use epd::Rules;
use san::Color;

use crate::inputs::InputKind;
use crate::options::Filter;
use crate::options::option_spec::{OptionSet, options};

options! {
    /// Options for diagrams: which positions are drawn, and how.
    ///
    /// ```
    /// use pgn2epd::diagram::{DiagramOptions, View, illustrate, svg};
    ///
    /// let options = DiagramOptions::from_names([("view", "mover"), ("arrows", "Rg7g5,e7e5")])?;
    /// assert_eq!(options.view, View::Mover);
    /// let record = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    /// let mut diagram = illustrate::record(record).unwrap().diagram;
    /// options.apply(&mut diagram);
    /// assert_eq!((diagram.from, diagram.marks.arrows.len()), (pgn2epd::chess::Color::Black, 2));
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct DiagramOptions {
        "Reading": {
            input: Option<InputKind> = None, shared();
            rules: Rules = Rules::Detected, name("variant"), shared();
            filter: Option<Filter> = None, name("where"), shared();
        }
        "Diagrams": {
            /// The side at the bottom of the board.
            view: View = View::White, value("SIDE"), common();

            /// Omit the names of files and ranks.
            no_coordinates: bool = false, common();

            /// Do not mark the last move and checks, nor the arrows and squares of comments.
            no_marks: bool = false, common();

            /// Draw arrows, such as e2e4 or Rd1d8,Gb1c3; R, G, Y and B mean red, green, yellow and
            /// blue.
            arrows: Option<ArrowList> = None, value("LIST"), common();

            /// Colour squares, such as e4 or Rd5,Yf7; R, G, Y and B mean red, green, yellow and
            /// blue.
            squares: Option<SquareList> = None, value("LIST"), common();

            /// Colours of a picture.
            theme: Theme = Theme::Light, value("THEME"), common();
        }
    }
}

impl OptionSet for DiagramOptions {}

impl DiagramOptions {
    /// Sets the appearance of a diagram, and adds the markings of the options.
    pub fn apply(&self, diagram: &mut Diagram) {
        diagram.from = match self.view {
            View::White => Color::White,
            View::Black => Color::Black,
            View::Mover => diagram.turn.unwrap_or(Color::White),
        };
        diagram.coordinates = !self.no_coordinates;
        diagram.theme = self.theme;
        if self.no_marks {
            diagram.marks = Marks::default();
        }
        let arrows = self.arrows.iter().map(|list| &list.0);
        for marks in arrows.chain(self.squares.iter().map(|list| &list.0)) {
            diagram.marks.extend(marks.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use san::Position;

    use super::*;

    #[test]
    fn each_option_changes_what_it_says() {
        let drawn = |named: &[(&str, &str)]| {
            let mut diagram = Diagram::from(&Position::default());
            diagram.marks = "e2e4".parse::<ArrowList>().unwrap().0;
            DiagramOptions::from_names(named.iter().copied()).unwrap().apply(&mut diagram);
            let marks = (diagram.marks.arrows.len(), diagram.marks.squares.len());
            (diagram.from, diagram.coordinates, diagram.theme, marks)
        };
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(drawn(&[]), (white, true, Theme::Light, (1, 0)));
        assert_eq!(drawn(&[("view", "black")]), (black, true, Theme::Light, (1, 0)));
        assert_eq!(drawn(&[("no-coordinates", "true")]), (white, false, Theme::Light, (1, 0)));
        assert_eq!(drawn(&[("theme", "dark")]), (white, true, Theme::Dark, (1, 0)));
        let marks = [("no-marks", "true"), ("arrows", "a1a2,b1b2"), ("squares", "c3")];
        assert_eq!(drawn(&marks), (white, true, Theme::Light, (2, 1)));
    }

    #[test]
    fn options_of_diagrams_are_written_as_they_are_read() {
        for (name, value, expected) in [
            ("view", "mover", "mover"),
            ("arrows", "e2e4, Rd1d8", "Ge2e4,Rd1d8"),
            ("squares", "Yf7,a1", "Yf7,Ga1"),
            ("theme", "dark", "dark"),
            ("no_marks", "true", "true"),
        ] {
            let options = DiagramOptions::from_names([(name, value)]).unwrap();
            let written = options.to_names().unwrap();
            assert_eq!(written, [(&*name.replace('_', "-"), expected.to_owned())]);
        }
        for (name, value) in [("arrows", "e2"), ("arrows", ""), ("squares", "e9"), ("view", "red")]
        {
            assert!(DiagramOptions::from_names([(name, value)]).is_err(), "{name}={value}");
        }
    }
}
