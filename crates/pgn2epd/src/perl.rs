//! The functions of Chess::PGN::EPD 0.31 for Perl, under their original names.
//!
//! Names, arguments and results are those of the module, with these differences:
//!
//! * errors of the module are corrected: `docs/perl.md` lists them;
//! * an illegal move or position is an error with a reason, instead of a warning or nothing;
//! * [`epdset`] returns the position as a value, a [`Board`], instead of setting a global one;
//!   [`Board::epdlist`] plays from it.
//!
//! ```
//! use pgn2epd::perl;
//!
//! for epd in perl::epdlist(["e4", "c5", "Nf3"])? {
//!     println!("{epd}"); // rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 …
//! }
//! let endgame = perl::epdset("8/8/8/4k3/8/8/4P3/4K3 w - -")?;
//! assert_eq!(endgame.epdlist(["e4"])?, ["8/8/8/4k3/4P3/8/8/4K3 b - e3"]);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

pub use diagram::{Border, Corner, Look, Placement};

use std::collections::HashMap;
use std::convert::Infallible;
use std::str::FromStr;

use diagram::{Font, NotAPlacement, UnknownFont};
use openings::Openings;
use san::{CastlingSide, Color, FenError, File, Move, Position, Setup, Square};

use crate::epdlist::{EpdListError, fields, play};

/// A position as given by an EPD string: the pieces, the side to move, the castling flags.
///
/// The position and its rights may be impossible; only playing moves from it requires a legal
/// position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    squares: Placement,
    white: bool,
    castling: String,
    en_passant: String,
}

impl Default for Board {
    fn default() -> Self {
        Board {
            squares: Placement::from(&Position::default()),
            white: true,
            castling: "KQkq".into(),
            en_passant: "-".into(),
        }
    }
}

impl Board {
    /// `$w`: whether White is to move; as in the module, only a lower-case `w` means White.
    pub fn white(&self) -> bool {
        self.white
    }

    /// `$Kc`, `$Qc`, `$kc`, `$qc`: whether castling has that letter, whatever is on the board.
    ///
    /// ```
    /// let board = pgn2epd::perl::epdset("r3k2r/8/8/8/8/8/8/R3K2R b Kq -")?;
    /// assert_eq!(['K', 'Q', 'k', 'q'].map(|letter| board.castling(letter)), [true, false, false, true]);
    /// # Ok::<_, pgn2epd::chess::FenError>(())
    /// ```
    pub fn castling(&self, letter: char) -> bool {
        self.castling.contains(letter)
    }

    /// Returns `%board`: the pieces by square.
    pub fn squares(&self) -> &Placement {
        &self.squares
    }

    /// Returns the position to play from, without impossible rights and en passant square.
    fn position(&self) -> Result<Position, FenError> {
        let side = if self.white { 'w' } else { 'b' };
        let fen = format!("{} {side} {} {}", self.squares, self.castling, self.en_passant);
        let mut setup = Setup::from_fen(fen.as_bytes())?;
        setup.repair();
        setup.position()
    }

    /// Returns the positions after each move, from this position. The board is not changed. Fails
    /// if the position or a move is illegal.
    pub fn epdlist(
        &self,
        moves: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<Vec<String>, EpdListError> {
        let moves: Vec<_> = moves.into_iter().collect();
        let mut positions = Vec::new();
        play(self.position()?, trimmed(&moves), |_, _, after| positions.push(fields(after)))?;
        Ok(positions)
    }

    /// Returns the effect of each move, from this position. The board is not changed. Fails if the
    /// position or a move is illegal.
    pub fn epdfromto(
        &self,
        moves: impl IntoIterator<Item: AsRef<str>>,
    ) -> Result<Vec<FromTo>, EpdListError> {
        let moves: Vec<_> = moves.into_iter().collect();
        let mut all = Vec::new();
        play(self.position()?, trimmed(&moves), |token, next, after| {
            all.push(from_to(token, next, !after.turn()));
        })?;
        Ok(all)
    }
}

impl From<&Board> for Placement {
    fn from(board: &Board) -> Self {
        board.squares
    }
}

/// Returns the position of an EPD string; `epdset()` in the module is [`Board::default`]. Fails if
/// the string is not valid EPD; legality is checked when moves are played, with [`Board::epdlist`],
/// since `epdlist` of the module resets the board.
pub fn epdset(epd: &str) -> Result<Board, FenError> {
    let fields: Vec<&str> = epd.split_whitespace().take(4).collect();
    let setup = Setup::from_fen(fields.join(" ").as_bytes())?;
    let field = |index: usize| fields.get(index).copied().unwrap_or("-");
    let (castling, en_passant) = (field(2).to_owned(), field(3).to_owned());
    Ok(Board { squares: Placement::from(&setup), white: field(1) == "w", castling, en_passant })
}

/// Returns the side to move, the castling flags and the pieces of an EPD string.
///
/// The module returns them as a list, `($w, $Kc, $Qc, $kc, $qc, %board)`; here they are methods of
/// [`Board`]. Keeping the board replaces `epdgetboard()` without a string. Fails if the string is
/// not valid EPD.
///
/// ```
/// use pgn2epd::perl;
/// use pgn2epd::chess::Square;
///
/// let board = perl::epdgetboard("8/8/8/4k3/8/8/4P3/4K3 w - -")?;
/// assert!(board.white() && !board.castling('K'));
/// assert_eq!(board.squares().letter(Square::E5), Some('k'));
/// # Ok::<_, pgn2epd::chess::FenError>(())
/// ```
pub fn epdgetboard(epd: &str) -> Result<Board, FenError> {
    epdset(epd)
}

/// Returns the squares of a piece in the order of their names: a1, a2, …, h8.
///
/// ```
/// let board = pgn2epd::perl::epdset("8/8/8/4k3/8/8/4P2P/R3K2R w KQ -")?;
/// let rooks = pgn2epd::perl::psquares('R', board.squares());
/// assert_eq!(rooks.map(|square| square.to_string()).collect::<Vec<_>>(), ["a1", "h1"]);
/// # Ok::<_, pgn2epd::chess::FenError>(())
/// ```
pub fn psquares(piece: char, board: &Placement) -> impl Iterator<Item = Square> {
    let mut squares = Square::ALL;
    squares.sort_by_key(|square| square.coords());
    let board = *board;
    squares.into_iter().filter(move |square| board.letter(*square) == Some(piece))
}

/// An error of [`epdstr`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EpdStrError {
    #[error("EPD: {0}")]
    Epd(#[from] NotAPlacement),
    #[error("{0}; the other types are diagram, text, palview and latex")]
    Type(#[from] UnknownFont),
}

impl From<Infallible> for EpdStrError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Returns a diagram of a position as rows of a type: that of a font, or `diagram`, `text`,
/// `palview` or `latex`.
///
/// The position is an EPD string, a [`Board`], a [`Position`] or a
/// [`Placement`], which corresponds to `%board` in the module. Types are case-insensitive. The look
/// applies to fonts that support it.
///
/// Each character of a row is one of ISO 8859-1, as in Perl; for a font, write it as one byte.
/// Fails if the string is not valid EPD, or the type does not exist.
///
/// ```
/// use pgn2epd::perl::{Look, epdstr};
///
/// let rows = epdstr("8/8/8/4k3/8/8/4P3/4K3 w - -", "LaTeX", Look::default())?;
/// assert_eq!(rows[0], "\\begin{diagram}");
/// assert_eq!(rows[9], "{* * K * }");
/// # Ok::<_, pgn2epd::perl::EpdStrError>(())
/// ```
pub fn epdstr<P>(position: P, kind: &str, look: Look) -> Result<Vec<String>, EpdStrError>
where
    P: TryInto<Placement>,
    EpdStrError: From<P::Error>,
{
    let placement = position.try_into()?;
    Ok(match &*kind.to_ascii_lowercase() {
        "diagram" => {
            let rows = diagram::checkered(&placement, '-');
            let ranks = (1..=8).rev().zip(rows).map(|(rank, row)| format!("{rank}  {row}"));
            ranks.chain(["   abcdefgh".to_owned()]).collect()
        }
        "text" => diagram::checkered(&placement, '-'),
        "palview" => {
            let rows = diagram::checkered(&placement, ' ');
            rows.iter().map(|row| row.chars().map(palview).collect::<String>() + "<BR>").collect()
        }
        "latex" => {
            let rows = diagram::checkered(&placement, '*');
            let rows = rows.into_iter().map(|row| format!("{{{row}}}"));
            let frame = |line: &str| std::iter::once(line.to_owned());
            frame("\\begin{diagram}")
                .chain(frame("\\board"))
                .chain(rows)
                .chain(frame("\\end{diagram}"))
                .collect()
        }
        font => diagram::font_rows(&placement, Font::named(font)?, look),
    })
}

/// Returns a look from the keywords of the module, which are case-insensitive. As there, any border
/// but `single` is double, any corner but `rounded` is square, and any legend but `yes` is none.
///
/// ```
/// use pgn2epd::perl::{Look, look};
///
/// assert_eq!(look("single", "square", "no"), Look::default());
/// assert!(look("Double", "ROUNDED", "Yes").legend);
/// ```
pub fn look(border: &str, corner: &str, legend: &str) -> Look {
    let is = |value: &str, name| value.eq_ignore_ascii_case(name);
    Look {
        border: if is(border, "single") { Border::Single } else { Border::Double },
        corner: if is(corner, "rounded") { Corner::Rounded } else { Corner::Square },
        legend: is(legend, "yes"),
    }
}

fn palview(letter: char) -> String {
    let name = match letter {
        ' ' => "i".to_owned(),
        white if white.is_ascii_uppercase() => format!("w{}", white.to_ascii_lowercase()),
        black => format!("b{black}"),
    };
    format!("<IMG SRC=\"jpc/{name}.gif\">")
}

/// `%font2map`: font names, and the type with which [`epdstr`] draws a diagram.
pub const FONT2MAP: &[(&str, &str)] = &[
    ("Chess Adventurer", "marroquin"),
    ("Chess Alfonso-X", "marroquin"),
    ("Chess Alpha", "bentzen1"),
    ("Chess Berlin", "bentzen2"),
    ("Chess Cases", "leschemelle"),
    ("Chess Condal", "marroquin"),
    ("Chess Harlequin", "marroquin"),
    ("Chess Kingdom", "marroquin"),
    ("Chess Leipzig", "marroquin"),
    ("Chess Line", "marroquin"),
    ("Chess Lucena", "marroquin"),
    ("Chess Magnetic", "marroquin"),
    ("Chess Mark", "marroquin"),
    ("Chess Marroquin", "marroquin"),
    ("Chess Maya", "marroquin"),
    ("Chess Mediaeval", "marroquin"),
    ("Chess Merida", "marroquin"),
    ("Chess Millennia", "marroquin"),
    ("Chess Miscel", "marroquin"),
    ("Chess Montreal", "katch"),
    ("Chess Motif", "marroquin"),
    ("Chess Plain", "hickey"),
    ("Chess Regular", "scott1"),
    ("Chess Usual", "scott2"),
    ("Chess Utrecht", "bodlaender"),
    ("Tilburg", "tilburg"),
    ("Traveller Standard V3", "cowderoy"),
];

/// Returns the type for a font, `$font2map{$font}`.
///
/// ```
/// assert_eq!(pgn2epd::perl::font2map("Chess Merida"), Some("marroquin"));
/// assert_eq!(pgn2epd::perl::font2map("Helvetica"), None);
/// ```
pub fn font2map(font: &str) -> Option<&'static str> {
    FONT2MAP.iter().find(|(name, _)| *name == font).map(|(_, kind)| *kind)
}

/// Returns the positions after each move, from the starting position.
///
/// As in the module, empty strings and `0` are ignored, as is white space around a move. Moves may
/// be in any supported notation, not only in plain SAN. Fails if a move is illegal. The module
/// continues with a wrong position.
///
/// ```
/// let positions = pgn2epd::perl::epdlist(["e4", "e5"])?;
/// assert_eq!(positions[1], "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6");
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdlist(moves: impl IntoIterator<Item: AsRef<str>>) -> Result<Vec<String>, EpdListError> {
    Board::default().epdlist(moves)
}

fn trimmed<T: AsRef<str>>(moves: &[T]) -> impl Iterator<Item = (usize, &str)> {
    let moves = moves.iter().map(|token| token.as_ref().trim()).enumerate();
    moves.filter(|(_, token)| !matches!(*token, "" | "0"))
}

/// The effect of a move, in the terms of the module. Fields that do not apply are empty strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FromTo {
    /// The FEN letter of the piece that moves; `KR` when castling.
    pub piece: String,
    /// The origin square; for castling those of king and rook, `e1h1`.
    pub from: String,
    /// The destination square; for castling those of king and rook, `g1f1`.
    pub to: String,
    /// The FEN letter of the promotion piece.
    pub promotion: String,
    /// The square of the pawn that is captured en passant.
    pub enpassant: String,
    /// `O-O` or `O-O-O`, with the check mark given in the list.
    pub castles: String,
}

/// Returns the effect of each move, from the starting position. Fails if a move is illegal. The
/// module returns `Not yet handled` as the piece.
///
/// ```
/// let moves = pgn2epd::perl::epdfromto(["e4", "a6", "e5", "d5", "exd6"])?;
/// assert_eq!((&*moves[4].from, &*moves[4].to, &*moves[4].enpassant), ("e5", "d6", "d5"));
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdfromto(moves: impl IntoIterator<Item: AsRef<str>>) -> Result<Vec<FromTo>, EpdListError> {
    Board::default().epdfromto(moves)
}

fn from_to(token: &str, next: Move, color: Color) -> FromTo {
    if let (Some(side), Some(rook)) = (next.castling(), next.castling_rook()) {
        return castling(token, next, side, rook);
    }
    let promotion = next.promotion().map(|role| role.of(color).char().to_string());
    let captured = Square::from_coords(next.to().file(), next.from().rank());
    FromTo {
        piece: next.role().of(color).char().to_string(),
        from: next.from().to_string(),
        to: next.to().to_string(),
        promotion: promotion.unwrap_or_default(),
        enpassant: if next.is_en_passant() { captured.to_string() } else { String::new() },
        castles: String::new(),
    }
}

fn castling(token: &str, next: Move, side: CastlingSide, rook: Square) -> FromTo {
    let (name, rook_file) = match side {
        CastlingSide::KingSide => ("O-O", File::F),
        CastlingSide::QueenSide => ("O-O-O", File::D),
    };
    let mark = token.trim_end_matches(['!', '?']).chars().last();
    let mark = mark.filter(|mark| matches!(mark, '+' | '#')).map(String::from);
    FromTo {
        piece: "KR".into(),
        from: format!("{}{rook}", next.from()),
        to: format!("{}{}", next.to(), Square::from_coords(rook_file, rook.rank())),
        castles: format!("{name}{}", mark.unwrap_or_default()),
        ..FromTo::default()
    }
}

/// Codes and names by position.
///
/// [`Tables::default`] contains the embedded ECO codes and opening names, and no NIC codes. A table
/// of the module, a CSV file for one [`Code`], replaces one of them; like in the module, it is
/// looked up by the exact text of a position.
///
/// ```
/// use pgn2epd::perl::{Code, Tables, epdlist};
///
/// let mut tables = Tables::default();
/// tables.load(Code::Nic, "\"CODE\",\"FEN\"\n\"KP 1\",\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3\"\n")?;
/// let mut positions = epdlist(["e4", "e5"])?;
/// positions.reverse();
/// assert_eq!(tables.epdcode(Code::Nic, &positions), "KP 1");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tables {
    loaded: [Option<HashMap<String, String>>; 3],
}

/// The kind of value that is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The code of the *Encyclopaedia of Chess Openings*.
    Eco,
    /// The code of the *New In Chess* yearbooks.
    Nic,
    /// The name of the opening.
    Opening,
}

/// A name other than `ECO`, `NIC` and `Opening`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown code {0:?}; the codes are ECO, NIC and Opening")]
pub struct UnknownCode(String);

impl FromStr for Code {
    type Err = UnknownCode;

    /// Parses the key of the module, in its spelling. For any other key the module returns
    /// `Unknown`.
    ///
    /// ```
    /// use pgn2epd::perl::Code;
    ///
    /// assert_eq!("NIC".parse(), Ok(Code::Nic));
    /// assert!("eco".parse::<Code>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        let all = [Code::Eco, Code::Nic, Code::Opening];
        let named = all.into_iter().find(|code| code.name() == name);
        named.ok_or_else(|| UnknownCode(name.to_owned()))
    }
}

/// An error in a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum TableError {
    #[error("{0}")]
    Csv(#[from] csv::Error),
    #[error("line {line}: a row is a code and a position")]
    Columns { line: u64 },
}

impl Code {
    /// Returns `ECO`, `NIC` or `Opening`, the spelling of the module and the name of the tag.
    pub fn name(self) -> &'static str {
        match self {
            Code::Eco => "ECO",
            Code::Nic => "NIC",
            Code::Opening => "Opening",
        }
    }
}

impl Tables {
    /// Loads a table, CSV of code and position, which replaces the one for `code`. The last row for
    /// a position is used. Fails if the table is invalid.
    pub fn load(&mut self, code: Code, table: &str) -> Result<(), TableError> {
        let mut codes = HashMap::new();
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(table.as_bytes());
        for row in reader.records() {
            let row = row?;
            let (Some(code), Some(position)) = (row.get(0), row.get(1)) else {
                let line = row.position().map_or(0, csv::Position::line);
                return Err(TableError::Columns { line });
            };
            // The heading, which the module reads as a row.
            if (code, position) != ("CODE", "FEN") {
                codes.insert(position.to_owned(), code.to_owned());
            }
        }
        self.loaded[code as usize] = Some(codes);
        Ok(())
    }

    /// Returns the code of the first position that has one, or `Unknown`.
    pub fn epdcode(&self, code: Code, epds: impl IntoIterator<Item: AsRef<str>>) -> String {
        let found =
            epds.into_iter().find_map(|epd| self.code(code, epd.as_ref()).map(str::to_owned));
        found.unwrap_or_else(|| "Unknown".to_owned())
    }

    /// Returns the codes and the name of a game. Fails if a move is illegal.
    pub fn epdtaxonomy(
        &self,
        moves: impl IntoIterator<Item: AsRef<str>>,
        options: Taxonomy,
    ) -> Result<Vec<String>, EpdListError> {
        let positions = Board::default().epdlist(moves)?;
        let Taxonomy { all, eco, nic, opening, astags } = options;
        let asked = [(Code::Eco, eco), (Code::Nic, nic), (Code::Opening, opening)];
        let answer = |(code, _): (Code, bool)| {
            let value = self.epdcode(code, positions.iter().rev());
            if astags { tag(code, &value) } else { value }
        };
        Ok(asked.into_iter().filter(|(_, is_asked)| all || *is_asked).map(answer).collect())
    }

    fn code(&self, code: Code, epd: &str) -> Option<&str> {
        if let Some(codes) = &self.loaded[code as usize] {
            return codes.get(epd).map(|code| &**code).filter(|code| !code.is_empty());
        }
        let position = Position::from_fen(epd).ok()?;
        let name = Openings::embedded().classify(&position)?;
        match code {
            Code::Eco => name.eco(),
            Code::Nic => name.nic(),
            Code::Opening => name.opening(),
        }
    }
}

/// Returns the code of the first position that has one in the embedded tables, or `Unknown`.
///
/// As in the module, the positions of a game are in reverse order.
///
/// ```
/// use pgn2epd::perl::{Code, epdcode, epdlist};
///
/// let mut positions = epdlist(["e4", "c5", "Nf3", "a6", "a3"])?;
/// positions.reverse();
/// assert_eq!(epdcode(Code::Eco, &positions), "B28");
/// assert_eq!(epdcode(Code::Eco, [""; 0]), "Unknown");
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdcode(code: Code, epds: impl IntoIterator<Item: AsRef<str>>) -> String {
    Tables::default().epdcode(code, epds)
}

/// The values that [`epdtaxonomy`] returns.
///
/// The module returns a result only if `all` is set; here each field has an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Taxonomy {
    /// All values.
    pub all: bool,
    /// The ECO code.
    pub eco: bool,
    /// The NIC code.
    pub nic: bool,
    /// The name of the opening.
    pub opening: bool,
    /// Whether values are PGN tag pairs, `[ECO "B90"]`, instead of plain text.
    pub astags: bool,
}

/// Returns the codes and the name of a game from the embedded tables: `epdTaxonomy`. Unknown values
/// are `Unknown`. Fails if a move is illegal.
///
/// ```
/// use pgn2epd::perl::{Taxonomy, epdtaxonomy};
///
/// let tags = epdtaxonomy(["e4", "e5", "f4"], Taxonomy { eco: true, opening: true, astags: true, ..Taxonomy::default() })?;
/// assert_eq!(tags, [r#"[ECO "C30"]"#, r#"[Opening "King's Gambit"]"#]);
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdtaxonomy(
    moves: impl IntoIterator<Item: AsRef<str>>,
    options: Taxonomy,
) -> Result<Vec<String>, EpdListError> {
    Tables::default().epdtaxonomy(moves, options)
}

fn tag(code: Code, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{} \"{value}\"]", code.name())
}
