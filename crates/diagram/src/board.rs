//! The contents of a diagram: pieces in any arrangement, reachable in a game or not; marks, and
//! lists of them as text; colours.

use std::fmt;
use std::str::FromStr;

use san::{Color, FenError, File, Piece, Position, Rank, Setup, Square, keywords};

/// The pieces on the board, without any other state.
///
/// ```
/// use diagram::Placement;
/// use san::Square;
///
/// let placement: Placement = "8/8/8/4k3/8/8/4P3/4K3".parse()?;
/// assert_eq!(placement.letter(Square::E2), Some('P'));
/// assert_eq!(placement.to_string(), "8/8/8/4k3/8/8/4P3/4K3");
/// # Ok::<_, diagram::NotAPlacement>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    pieces: [Option<Piece>; 64],
}

/// The text is not a piece placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAPlacement(FenError);

impl Placement {
    /// Returns the FEN letter of the piece on a square; white pieces are upper case.
    pub fn letter(&self, square: Square) -> Option<char> {
        self.piece(square).map(Piece::char)
    }

    /// Returns the piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.pieces[square.to_usize()]
    }

    /// Puts a piece on a square, or removes it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.pieces[square.to_usize()] = piece;
    }

    /// Iterates over the occupied squares and their pieces: a1, b1, …, h8.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::ALL.into_iter().filter_map(|square| Some((square, self.piece(square)?)))
    }
}

impl Default for Placement {
    fn default() -> Self {
        Placement { pieces: [None; 64] }
    }
}

impl From<&Position> for Placement {
    fn from(position: &Position) -> Self {
        from_letters(|square| position.letter(square))
    }
}

impl From<&Setup> for Placement {
    fn from(setup: &Setup) -> Self {
        from_letters(|square| setup.letter(square))
    }
}

fn from_letters(letter: impl Fn(Square) -> Option<char>) -> Placement {
    let piece = |square| letter(square).and_then(Piece::from_char);
    Placement { pieces: Square::ALL.map(piece) }
}

impl FromIterator<(Square, Piece)> for Placement {
    fn from_iter<I: IntoIterator<Item = (Square, Piece)>>(pieces: I) -> Self {
        let mut placement = Placement::default();
        for (square, piece) in pieces {
            placement.set(square, Some(piece));
        }
        placement
    }
}

impl FromStr for Placement {
    type Err = NotAPlacement;

    /// Reads the first field of an EPD or FEN record, which may be passed as a whole. Fails if it is
    /// not eight ranks of eight squares each, with pieces and counts of empty squares.
    fn from_str(text: &str) -> Result<Self, NotAPlacement> {
        let field = text.split_whitespace().next().ok_or(NotAPlacement(FenError::Empty))?;
        let fen = format!("{field} w - - 0 1");
        Setup::from_fen(fen.as_bytes()).map(|setup| Placement::from(&setup)).map_err(NotAPlacement)
    }
}

impl TryFrom<&str> for Placement {
    type Error = NotAPlacement;

    fn try_from(text: &str) -> Result<Self, NotAPlacement> {
        text.parse()
    }
}

impl fmt::Display for Placement {
    /// Writes the first field of an EPD or FEN record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().collect::<shakmaty::Board>().fmt(f)
    }
}

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

    pub(crate) fn hex(self) -> &'static str {
        match self {
            Paint::Green => "#1f8a3b",
            Paint::Red => "#c3272b",
            Paint::Yellow => "#eda800",
            Paint::Blue => "#1f62c4",
        }
    }
}

/// Extracts the coloured squares and arrows of a comment, and returns the rest of the comment with
/// them. They are written as `[%csl Ra3,Gb4]` and `[%cal Gg1f3,Re7e5]` by ChessBase, Lichess and
/// Scid. A command that cannot be parsed completely stays in the text.
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
pub struct ArrowList(pub Marks);

/// Coloured squares as a list: `e4,Rd5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareList(pub Marks);

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

keywords! {
    /// Colour scheme.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Theme {
        /// Light colours.
        #[default]
        Light = "light",
        /// Dark colours.
        Dark = "dark",
    }
}

#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) background: &'static str,
    /// Colour of coordinates and frame.
    pub(crate) ink: &'static str,
    pub(crate) light_square: &'static str,
    pub(crate) dark_square: &'static str,
    pub(crate) last_move: &'static str,
}

impl Theme {
    pub(crate) fn palette(self) -> &'static Palette {
        match self {
            Theme::Light => &Palette {
                background: "#ffffff",
                ink: "#3f3a36",
                light_square: "#f0e1c8",
                dark_square: "#b88b66",
                last_move: "#dbb928",
            },
            Theme::Dark => &Palette {
                background: "#1d1f23",
                ink: "#c9c6bf",
                light_square: "#c3c8cf",
                dark_square: "#76808d",
                last_move: "#d3c04a",
            },
        }
    }
}

/// A position to be drawn, with its marks and orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The pieces.
    pub placement: Placement,
    /// The side to move, if it is to be shown.
    pub turn: Option<Color>,
    /// Whether that side has no move, so that it is not shown as the one to move.
    pub is_over: bool,
    /// Marked squares and arrows.
    pub marks: Marks,
    /// The side whose first rank is at the bottom.
    pub from: Color,
    /// Whether files and ranks are labelled.
    pub coordinates: bool,
    /// The colours of the picture.
    pub theme: Theme,
    /// Description of the picture for screen readers; if empty, the placement is used.
    pub title: String,
}

impl From<Placement> for Diagram {
    fn from(placement: Placement) -> Self {
        Diagram {
            placement,
            turn: None,
            is_over: false,
            marks: Marks::default(),
            from: Color::White,
            coordinates: true,
            theme: Theme::default(),
            title: String::new(),
        }
    }
}

impl From<&Position> for Diagram {
    /// Takes the position with its side to move, and marks a king in check.
    fn from(position: &Position) -> Self {
        let mut diagram = Diagram::from(Placement::from(position));
        diagram.turn = Some(position.turn());
        diagram.is_over = position.legal_moves().is_empty();
        diagram.marks.check = position.is_check().then(|| position.king(position.turn()));
        diagram.title = position.to_string();
        diagram
    }
}

impl Diagram {
    pub(crate) fn to_move(&self) -> Option<Color> {
        self.turn.filter(|_| !self.is_over)
    }

    pub(crate) fn ranks(&self) -> [Rank; 8] {
        let mut ranks = Rank::ALL;
        if self.from.is_white() {
            ranks.reverse();
        }
        ranks
    }

    pub(crate) fn files(&self) -> [File; 8] {
        let mut files = File::ALL;
        if self.from.is_black() {
            files.reverse();
        }
        files
    }

    /// Returns the column and the row of a square, from the top left corner.
    pub(crate) fn cell(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        if self.from.is_white() { (file, 7 - rank) } else { (7 - file, rank) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_invalid_placement_gives_the_reason() {
        let cases = [
            ("", "it is empty"),
            ("8/8/8", "3 ranks, not 8"),
            ("8/8/8/8/8/8/8/7", "rank 1 has 7 squares, not 8"),
            ("8/8/8/8/8/8/8/7x", "rank 1: x is not a piece"),
        ];
        for (text, message) in cases {
            assert_eq!(text.parse::<Placement>().unwrap_err().to_string(), message, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_placement_survives_a_round_trip(pieces in prop::collection::vec((0u32..64, 0usize..12), 0..40)) {
            let piece = |index| Piece::from_char("PNBRQKpnbrqk".chars().nth(index).unwrap()).unwrap();
            let placed = pieces.into_iter().map(|(square, index)| (Square::new(square), piece(index)));
            let placement: Placement = placed.collect();
            prop_assert_eq!(placement.to_string().parse::<Placement>(), Ok(placement));
        }
    }

    #[test]
    fn an_unknown_command_stays_in_the_comment() {
        for comment in [
            "[%csl Xa1]", "[%csl Ga9]", "[%csl G]", "[%cal Ga1]", "[%cal Ga1é]", "[%clk 0:01] x",
            "[%csl Ga1", "[%c",
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
            assert_eq!((list.0.arrows.len(), list.0.squares.len()), (2, 0));
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
