//! The table of facts.

use std::fmt;

use super::place::{FactPlace, FactPlaces};
use super::similar::{self, KNOWN_TAGS};

/// A property of a position or its game, other than a tag.
///
/// ```
/// use emit::{Fact, FactPlace};
///
/// let eval = Fact::named("eval", FactPlace::Condition)?;
/// assert_eq!((eval, eval.unit()), (Fact::Eval, Some("centipawns")));
///
/// let error = Fact::named("record", FactPlace::Condition).unwrap_err();
/// assert_eq!(error.to_string(), "record is not available in conditions, only in columns");
/// # Ok::<_, emit::UnknownField>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Fact {
    /// The thinking time of the first period.
    BaseTime,
    /// The squares of each kind of piece.
    Bitboards,
    /// The rating of Black.
    BlackElo,
    /// The piece on each square.
    Board,
    /// Whether the side to move is in check.
    Check,
    /// The remaining time of the player who has just moved.
    Clock,
    /// The text of the comments on the position.
    Comment,
    /// The date of the game.
    Date,
    /// The depth of the engine's evaluation.
    Depth,
    /// The ECO code of the opening up to this position.
    Eco,
    /// The mean of both ratings.
    Elo,
    /// The four fields of EPD.
    Epd,
    /// An engine's evaluation, from the view of the side to move.
    Eval,
    /// An engine's evaluation, from the view of the side to move, unless it is a mate.
    EvalCp,
    /// The six fields of FEN.
    Fen,
    /// The name of the file.
    File,
    /// The square that the move played from the position leaves.
    From,
    /// The number of the game in its file.
    Game,
    /// The time added for each move.
    Increment,
    /// The Polyglot key.
    Key,
    /// The legal moves.
    LegalMoves,
    /// The line of the file on which the game begins.
    Line,
    /// The number of moves to a mate, from the view of the side to move.
    Mate,
    /// The pieces of both sides.
    Material,
    /// The fullmove number.
    Move,
    /// The annotations of the move that led to the position.
    Nags,
    /// The number of nodes that the engine searched.
    Nodes,
    /// The name of the opening up to this position.
    Opening,
    /// The position in 32 bytes.
    Packed,
    /// The number of pieces on the board.
    Pieces,
    /// The number of plies in the game.
    Plies,
    /// The number of plies played before the position.
    Ply,
    /// The points of the side to move in the result of the game.
    Points,
    /// The first problem of the game.
    Problem,
    /// The piece that a pawn becomes with the move played from the position.
    Promotion,
    /// The record as it is written.
    Record,
    /// The result of the game.
    Result,
    /// The move played from the position, in SAN.
    San,
    /// The greatest depth of any line that the engine searched.
    Seldepth,
    /// The way the game ended.
    Termination,
    /// The time spent on the move played from the position.
    Time,
    /// The square that the move played from the position reaches.
    To,
    /// The side to move.
    Turn,
    /// The move played from the position, in UCI notation.
    Uci,
    /// An engine's evaluation, from the view of White, unless it is a mate.
    WhiteCp,
    /// The rating of White.
    WhiteElo,
    /// The number of moves to a mate, from the view of White.
    WhiteMate,
    /// The year of the game.
    Year,
}

/// The type of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactKind {
    /// An unsigned integer of up to 64 bits.
    Number,
    /// An unsigned integer of up to 32 bits.
    SmallNumber,
    /// A signed integer.
    Signed,
    /// A decimal number.
    Decimal,
    /// A date: `1851-06-21` in text.
    Date,
    /// 64 bits: sixteen hexadecimal digits in text, an integer in a column.
    Key,
    /// 64 numbers of up to 8 bits, one for each square from a1, b1 to h8.
    Board,
    /// 12 numbers of 64 bits.
    Bitboards,
    /// A list of texts.
    Texts,
    /// A position in 32 bytes: 64 hexadecimal digits in text.
    Packed,
    /// Text.
    Text,
    /// `true` or `false`.
    Truth,
}

struct Entry {
    fact: Fact,
    name: &'static str,
    kind: FactKind,
    unit: Option<&'static str>,
    places: FactPlaces,
    about: &'static str,
}

const fn entry(
    fact: Fact,
    name: &'static str,
    kind: FactKind,
    unit: &'static str,
    about: &'static str,
) -> Entry {
    let unit = if unit.is_empty() { None } else { Some(unit) };
    let places = match fact {
        // Game numbers are assigned on delivery, after the positions were selected.
        Fact::Game => FactPlaces::WRITTEN,
        // The record is only complete when it is written, and the result at the end of the game.
        Fact::Packed | Fact::Record | Fact::Result => FactPlaces::COLUMN,
        Fact::BaseTime | Fact::Date | Fact::Increment | Fact::Year => FactPlaces::COLUMN,
        Fact::Board | Fact::Bitboards | Fact::From | Fact::LegalMoves => FactPlaces::COLUMN,
        Fact::Points | Fact::Promotion | Fact::To => FactPlaces::COLUMN,
        // Both are only known when the game has been read.
        Fact::Problem | Fact::Termination => FactPlaces::GAME_COLUMN,
        _ => FactPlaces::ALL,
    };
    Entry { fact, name, kind, unit, places, about }
}

use FactKind::{
    Bitboards, Board, Date, Decimal, Key, Number, Packed, Signed, SmallNumber, Text, Texts, Truth,
};

/// Sorted by name.
static TABLE: [Entry; 48] = [
    entry(
        Fact::BaseTime,
        "base_time",
        Decimal,
        "seconds",
        "thinking time of the first period, from TimeControl: 300 in 300+3, 9000 in 40/9000",
    ),
    entry(
        Fact::Bitboards,
        "bitboards",
        Bitboards,
        "",
        "squares of White's pawns, knights, bishops, rooks, queens and king, then of Black's: bit 0 is a1, bit 1 b1, bit 63 h8; nothing \
         in variants",
    ),
    entry(
        Fact::BlackElo,
        "black_elo",
        SmallNumber,
        "rating",
        "BlackElo, if it is a number above 0",
    ),
    entry(
        Fact::Board,
        "board",
        Board,
        "",
        "the piece on a1, b1 to h8: 0 for none, 1 to 6 for White's pawn, knight, bishop, rook, queen and king, 7 to 12 for Black's; \
         nothing in variants",
    ),
    entry(Fact::Check, "check", Truth, "", "whether the side to move is in check"),
    entry(
        Fact::Clock,
        "clock",
        Decimal,
        "seconds",
        "remaining time of the player who has just moved ([%clk])",
    ),
    entry(
        Fact::Comment,
        "comment",
        Text,
        "",
        "comments on the move that led to the position, without commands such as [%clk] and \
         reports of engines",
    ),
    entry(
        Fact::Date,
        "date",
        Date,
        "",
        "date of the game, from Date or else UTCDate; nothing unless year, month and day are known",
    ),
    entry(Fact::Depth, "depth", SmallNumber, "plies", "depth of the engine evaluation (EPD acd)"),
    entry(Fact::Eco, "eco", Text, "", "ECO code of the opening so far, from --names"),
    entry(
        Fact::Elo,
        "elo",
        Decimal,
        "rating",
        "mean of WhiteElo and BlackElo; nothing unless both are numbers above 0",
    ),
    entry(
        Fact::Epd,
        "epd",
        Text,
        "",
        "the four fields: placement, side to move, castling, en passant",
    ),
    entry(
        Fact::Eval,
        "eval",
        Signed,
        "centipawns",
        "engine evaluation for the side to move (EPD ce): positive if the side to move is better, \
         a mate in N plies is 32767 - N, being mated -32767 + N",
    ),
    entry(
        Fact::EvalCp,
        "eval_cp",
        Signed,
        "centipawns",
        "engine evaluation for the side to move, unless it is a mate",
    ),
    entry(Fact::Fen, "fen", Text, "", "the six fields of a FEN"),
    entry(Fact::File, "file", Text, "", "name of the file"),
    entry(
        Fact::From,
        "from",
        SmallNumber,
        "",
        "square that the move played from the position leaves: 0 is a1, 1 b1, 63 h8; that of the king when castling",
    ),
    entry(Fact::Game, "game", Number, "", "number of the game in its file, from 1"),
    entry(
        Fact::Increment,
        "increment",
        Decimal,
        "seconds",
        "time added for each move in the first period, from TimeControl: 3 in 300+3, 0 in 300",
    ),
    entry(Fact::Key, "key", Key, "", "Polyglot's key; nothing in variants"),
    entry(
        Fact::LegalMoves,
        "legal_moves",
        Texts,
        "",
        "legal moves in UCI notation, in the order of their text; nothing in variants",
    ),
    entry(Fact::Line, "line", Number, "", "line of the file on which the game begins, from 1"),
    entry(
        Fact::Mate,
        "mate",
        Signed,
        "moves",
        "moves to the mate that an engine announces: positive if the side to move mates, negative \
         if it is mated",
    ),
    entry(
        Fact::Material,
        "material",
        Text,
        "",
        "pieces of White and Black, such as KRPvKR; nothing in variants",
    ),
    entry(Fact::Move, "move", SmallNumber, "", "fullmove number"),
    entry(
        Fact::Nags,
        "nags",
        Text,
        "",
        "NAGs of the move that led to the position, such as $1 $14; ! ? !! ?? !? ?! are $1 to $6",
    ),
    entry(
        Fact::Nodes,
        "nodes",
        Number,
        "nodes",
        "nodes that the engine searched before its move (EPD acn)",
    ),
    entry(Fact::Opening, "opening", Text, "", "name of the opening so far, from --names"),
    entry(
        Fact::Packed,
        "packed",
        Packed,
        "",
        "position in 32 bytes as in marlinformat, with a score and a result of 0; nothing in \
         variants",
    ),
    entry(Fact::Pieces, "pieces", SmallNumber, "", "pieces on the board, kings and pawns included"),
    entry(
        Fact::Plies,
        "plies",
        SmallNumber,
        "plies",
        "moves in the main line of the game, each side's counted",
    ),
    entry(
        Fact::Ply,
        "ply",
        SmallNumber,
        "plies",
        "plies played before the position; 0 at the start",
    ),
    entry(
        Fact::Points,
        "points",
        Decimal,
        "points",
        "points of the side to move in the result of the game: 1, 0.5 or 0",
    ),
    entry(
        Fact::Problem,
        "problem",
        Text,
        "",
        "first problem of the game, such as 12... Nf6: illegal: ...; nothing if there is none",
    ),
    entry(
        Fact::Promotion,
        "promotion",
        Text,
        "",
        "piece that a pawn becomes with the move played from the position: q, r, b or n",
    ),
    entry(Fact::Record, "record", Text, "", "the record as it is written, without its line end"),
    entry(
        Fact::Result,
        "result",
        Text,
        "",
        "result of the game, from the tag or else the movetext: 1-0, 0-1 or 1/2-1/2",
    ),
    entry(
        Fact::San,
        "san",
        Text,
        "",
        "move played from the position, in SAN; nothing at the end of the game",
    ),
    entry(
        Fact::Seldepth,
        "seldepth",
        SmallNumber,
        "plies",
        "greatest depth of any line that the engine searched before its move",
    ),
    entry(
        Fact::Termination,
        "termination",
        Text,
        "",
        "checkmate or stalemate by the last position, or else time forfeit, abandoned or adjudication \
         as the tag Termination says",
    ),
    entry(
        Fact::Time,
        "time",
        Decimal,
        "seconds",
        "time spent on the move played from the position, by an engine or a player ([%emt])",
    ),
    entry(
        Fact::To,
        "to",
        SmallNumber,
        "",
        "square that the move played from the position reaches; that of the king when castling, as in standard chess",
    ),
    entry(Fact::Turn, "turn", Text, "", "side to move: w or b"),
    entry(
        Fact::Uci,
        "uci",
        Text,
        "",
        "move played from the position, in UCI notation, in Chess960 with castling as the king taking its rook; nothing at the end of the game",
    ),
    entry(
        Fact::WhiteCp,
        "white_cp",
        Signed,
        "centipawns",
        "engine evaluation for White, unless it is a mate",
    ),
    entry(
        Fact::WhiteElo,
        "white_elo",
        SmallNumber,
        "rating",
        "WhiteElo, if it is a number above 0",
    ),
    entry(
        Fact::WhiteMate,
        "white_mate",
        Signed,
        "moves",
        "moves to the mate that an engine announces: positive if White mates, negative if Black \
         mates",
    ),
    entry(Fact::Year, "year", SmallNumber, "", "year of the game, from Date or else UTCDate"),
];

impl Fact {
    /// Returns all facts, sorted by name.
    pub fn all() -> impl Iterator<Item = Fact> {
        TABLE.iter().map(|entry| entry.fact)
    }

    fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the type.
    pub fn kind(self) -> FactKind {
        self.entry().kind
    }

    /// Returns the unit, if there is one.
    pub fn unit(self) -> Option<&'static str> {
        self.entry().unit
    }

    /// Returns a one-line description.
    pub fn about(self) -> &'static str {
        self.entry().about
    }

    /// Returns the places where it may be used.
    pub fn places(self) -> FactPlaces {
        self.entry().places
    }

    /// Returns whether it may be used in `place`.
    pub fn is_available_in(self, place: FactPlace) -> bool {
        let places = self.entry().places.all();
        // A table of games has the values of each position as a list.
        let is_of_positions =
            matches!(self.kind(), Board | Bitboards | Texts) || self == Fact::Points;
        let is_in_both = place == FactPlace::GameColumn
            && places.contains(&FactPlace::Column)
            && !is_of_positions;
        places.contains(&place) || is_in_both
    }

    /// Returns whether it has one value for a game, rather than one for each position: in a table of games it is not a list.
    ///
    /// The opening of a game is that of its last position.
    pub fn is_of_game(self) -> bool {
        use Fact::{BaseTime, BlackElo, Date, Eco, Elo, File, Game, Increment, Line, Opening};
        use Fact::{Plies, Problem, Result, Termination, WhiteElo, Year};
        matches!(self, BaseTime | BlackElo | Date | Eco | Elo | File | Game | Increment | Line)
            || matches!(self, Opening | Plies | Problem | Result | Termination | WhiteElo | Year)
    }

    /// Returns whether it is about the move played from a position: in a table of games, a list has no value for the last
    /// position of a game.
    pub fn is_of_move(self) -> bool {
        matches!(self, Fact::From | Fact::Promotion | Fact::San | Fact::Time | Fact::To | Fact::Uci)
    }

    /// Returns whether its text may have spaces.
    pub(crate) fn has_spaces(self) -> bool {
        use Fact::{Comment, Epd, Fen, File, Nags, Opening, Problem, Record, Termination};
        matches!(self, Comment | Epd | Fen | File | Nags | Opening | Problem | Record | Termination)
    }

    /// Returns whether it is a text that many positions have in common, or a move.
    pub(crate) fn repeats(self) -> bool {
        use Fact::{Eco, File, Opening, Promotion, Result, San, Termination, Turn, Uci};
        matches!(self, Eco | File | Opening | Promotion | Result | San | Termination | Turn | Uci)
    }

    /// Returns whether it is made from tags about time.
    pub(crate) fn needs_time_tags(self) -> bool {
        matches!(self, Fact::BaseTime | Fact::Date | Fact::Increment | Fact::Year)
    }

    /// Returns whether it is read from the machine-written parts of comments, on the position or on
    /// the move played from it.
    pub(crate) fn needs_comments(self) -> bool {
        use Fact::{Clock, Depth, Eval, EvalCp, Mate, Nodes, Seldepth, Time, WhiteCp, WhiteMate};
        matches!(
            self,
            Clock | Depth | Eval | EvalCp | Mate | Nodes | Seldepth | Time | WhiteCp | WhiteMate
        )
    }

    /// Returns whether it depends on the ratings of the players.
    pub(crate) fn needs_ratings(self) -> bool {
        matches!(self, Fact::BlackElo | Fact::Elo | Fact::WhiteElo)
    }

    /// Returns whether it depends on the name of the opening.
    pub(crate) fn needs_names(self) -> bool {
        matches!(self, Fact::Eco | Fact::Opening)
    }

    /// Returns whether some positions have no value.
    pub fn may_be_missing(self) -> bool {
        use Fact::{Comment, Eco, Key, Material, Nags, Opening, Packed, Result, San, Uci};
        self.needs_comments()
            || self.needs_ratings()
            || self.needs_time_tags()
            || self.is_of_move()
            || matches!(self.kind(), Board | Bitboards | Texts)
            || matches!(self, Fact::Points | Fact::Problem | Fact::Termination)
            || matches!(
                self,
                Comment | Eco | Key | Material | Nags | Opening | Packed | Result | San | Uci
            )
    }

    /// Looks up a fact by its name in `place`.
    ///
    /// # Errors
    ///
    /// If the fact is unknown or not available in `place`.
    pub fn named(name: &str, place: FactPlace) -> Result<Fact, UnknownField> {
        match Fact::all().find(|fact| fact.name() == name) {
            Some(fact) if fact.is_available_in(place) => Ok(fact),
            fact => Err(UnknownField { name: name.to_owned(), place, fact }),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is neither a tag nor a fact available at its place of use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField {
    /// The name.
    pub name: String,
    /// Where it is used.
    pub place: FactPlace,
    /// The fact of that name, if it is available elsewhere.
    pub fact: Option<Fact>,
}

impl std::error::Error for UnknownField {}

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.place {
            FactPlace::Template => format!("{{{}}}", self.name.escape_debug()),
            _ => self.name.escape_debug().to_string(),
        };
        if let Some(fact) = self.fact {
            let place = self.place.name();
            return write!(f, "{name} is not available in {place}, only in {}", fact.places());
        }
        let known: Vec<&str> =
            Fact::all().filter(|fact| fact.is_available_in(self.place)).map(Fact::name).collect();
        let similar = similar::names(&self.name, known.iter().copied().chain(KNOWN_TAGS));
        let known = known.join(", ");
        write!(f, "unknown variable {name}; ")?;
        if !similar.is_empty() {
            write!(f, "did you mean {}? ", similar.join(" or "))?;
        }
        write!(f, "available: {known}; names of tags begin with a capital letter")
    }
}

/// Returns whether a name has the form of a tag: a capital letter, then letters, digits and
/// underscores.
pub(crate) fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_fact_at_its_place_and_in_the_order_of_the_names() {
        for (index, entry) in TABLE.iter().enumerate() {
            assert_eq!(entry.fact as usize, index, "{}", entry.name);
            assert_eq!(Fact::all().find(|fact| fact.name() == entry.name), Some(entry.fact));
            assert!(!entry.about.is_empty() && !is_tag_name(entry.name), "{}", entry.name);
        }
        assert!(TABLE.is_sorted_by_key(|entry| entry.name));
    }

    #[test]
    fn a_field_that_cannot_be_used_is_refused_with_the_places_where_it_can() {
        let error = |name, place| Fact::named(name, place).unwrap_err().to_string();
        assert_eq!(
            error("record", FactPlace::Template),
            "{record} is not available in templates, only in columns"
        );
        assert_eq!(
            error("game", FactPlace::Condition),
            "game is not available in conditions, only in templates and columns"
        );
        let unknown = error("plyy", FactPlace::Condition);
        assert!(
            unknown.starts_with(
                "unknown variable plyy; did you mean ply? available: black_elo, check, clock, "
            ),
            "{unknown}"
        );
        assert!(!unknown.contains("record") && !unknown.contains("game"), "{unknown}");
        assert!(error("x", FactPlace::Column).contains("x; available: "));
        assert!(error("x", FactPlace::Column).contains("record"));
        let cases = [
            ("fenn", "fen or FEN"),
            ("evalcp", "eval_cp"),
            ("evaluation", "eval"),
            ("whiteelo", "white_elo or WhiteElo"),
            ("result_", "result or Result"),
            ("timecontrol", "TimeControl"),
            ("openings", "opening or Opening"),
        ];
        for (name, expected) in cases {
            let message = error(name, FactPlace::Column);
            assert!(message.contains(&format!("did you mean {expected}? ")), "{message}");
        }
    }
}
