//! Facts about a position: one table for templates (`--add`), columns and conditions (`--where`),
//! with names, types, units, documentation and places of use. Only requested facts are computed.

pub(crate) mod value;

use std::fmt;

/// Where a fact may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactPlace {
    /// `{name}` in a `--add` template.
    Template,
    /// A column of a table with a row for each position.
    Column,
    /// A column of a table with a row for each game.
    GameColumn,
    /// A `--where` condition.
    Condition,
    /// A variable of `--sort`.
    SortKey,
}

impl FactPlace {
    fn name(self) -> &'static str {
        match self {
            FactPlace::Template => "templates",
            FactPlace::Column => "columns",
            FactPlace::GameColumn => "columns of games",
            FactPlace::Condition => "conditions",
            FactPlace::SortKey => "sort keys",
        }
    }
}

const ALL: &[FactPlace] =
    &[FactPlace::Template, FactPlace::Column, FactPlace::Condition, FactPlace::SortKey];

const WRITTEN: &[FactPlace] = &[FactPlace::Template, FactPlace::Column];
const COLUMN: &[FactPlace] = &[FactPlace::Column];
const CONDITION: &[FactPlace] = &[FactPlace::Condition];
const GAME_COLUMN: &[FactPlace] = &[FactPlace::GameColumn];

const NOWHERE: &[FactPlace] = &[];

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

#[derive(Clone, Copy)]
struct FactEntry {
    fact: Fact,
    name: &'static str,
    kind: FactKind,
    unit: Option<&'static str>,
    places: &'static [FactPlace],
    about: &'static str,
    /// What holds for the fact: bits of the constants below.
    traits: u16,
}

const OF_GAME: u16 = 1;
const OF_MOVE: u16 = 1 << 1;
pub(crate) const WITH_SPACES: u16 = 1 << 2;
pub(crate) const REPEATED: u16 = 1 << 3;
const FROM_COMMENTS: u16 = 1 << 4;
const FROM_NAMES: u16 = 1 << 5;
const OPTIONAL: u16 = 1 << 6;
pub(crate) const OF_PLAYER: u16 = 1 << 7;
const MISSING: u16 = OPTIONAL | OF_MOVE | FROM_COMMENTS;

const USUAL: FactEntry = FactEntry {
    fact: Fact::Ply,
    name: "",
    kind: FactKind::Number,
    unit: None,
    places: ALL,
    about: "",
    traits: 0,
};

macro_rules! facts {
    ($(
        $fact:ident $name:literal $kind:ident $(in $places:ident)? $(unit $unit:literal)?
        $(, $($traits:ident)|+)?: $about:literal;
    )+) => {
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
            $(#[doc = $about] $fact,)+
        }

        #[expect(clippy::needless_update, reason = "most rows lack a unit or places of use")]
        static TABLE: &[FactEntry] = &[$(FactEntry {
            fact: Fact::$fact,
            name: $name,
            kind: FactKind::$kind,
            $(unit: Some($unit),)?
            $(places: $places,)?
            about: $about,
            traits: 0 $($(| $traits)+)?,
            ..USUAL
        }),+];

        const COUNT: usize = [$(Fact::$fact),+].len();
    };
}

// Sorted by name. What is known only when the record is written, or the game has been read, is not
// available everywhere: game numbers are assigned on delivery, after the positions were selected.
facts! {
    BlackBishops "bB" SmallNumber, OPTIONAL:
        "bishops of Black; nothing in variants";
    BlackKnights "bN" SmallNumber, OPTIONAL:
        "knights of Black; nothing in variants";
    BlackPawns "bP" SmallNumber, OPTIONAL:
        "pawns of Black; nothing in variants";
    BlackQueens "bQ" SmallNumber, OPTIONAL:
        "queens of Black; nothing in variants";
    BlackRooks "bR" SmallNumber, OPTIONAL:
        "rooks of Black; nothing in variants";
    BaseTime "base_time" Decimal unit "seconds", OF_GAME | OPTIONAL:
        "thinking time of the first period, from TimeControl: 300 in 300+3, 9000 in 40/9000";
    Bishops "bishops" SmallNumber, OPTIONAL:
        "bishops of both sides; nothing in variants";
    Bitboards "bitboards" Bitboards in COLUMN, OPTIONAL:
        "squares of White's pawns, knights, bishops, rooks, queens and king, then of Black's: bit 0 is a1, bit 1 b1, bit 63 h8; nothing in variants";
    BlackElo "black_elo" SmallNumber unit "rating", OF_GAME | OPTIONAL:
        "BlackElo, if it is a number above 0";
    Blocked "blocked" SmallNumber, OPTIONAL:
        "pawns of both sides with a pawn of the other side directly before them; nothing in variants";
    Board "board" Board in COLUMN, OPTIONAL:
        "the piece on a1, b1 to h8: 0 for none, 1 to 6 for White's pawn, knight, bishop, rook, queen and king, 7 to 12 for Black's; nothing in variants";
    BookMove "book_move" Truth in NOWHERE, FROM_COMMENTS:
        "whether the move played from the position comes from a book: its comment is \"book\"";
    Capture "capture" Truth, OF_MOVE:
        "whether the move played from the position is a capture";
    Captured "captured" Text, OF_MOVE | REPEATED:
        "piece that the move played from the position captures: Q, R, B, N or P; nothing in variants";
    Castle "castle" Truth, OF_MOVE:
        "whether the move played from the position is castling";
    Castling "castling" Text, REPEATED | OPTIONAL:
        "castling rights, as in a FEN; nothing if there are none";
    Check "check" Truth:
        "whether the side to move is in check";
    Checkmate "checkmate" Truth, OPTIONAL:
        "whether the side to move is checkmated; nothing in variants";
    Clock "clock" Decimal unit "seconds", FROM_COMMENTS:
        "remaining time of the player who has just moved ([%clk])";
    Color "color" Text in CONDITION, OF_GAME | OF_PLAYER | REPEATED:
        "colour of the player: w or b";
    Comment "comment" Text, WITH_SPACES | OPTIONAL:
        "comments on the move that led to the position, without commands such as [%clk] and reports of engines";
    Date "date" Date, OF_GAME | OPTIONAL:
        "date of the game, from Date or else UTCDate; nothing unless year, month and day are known";
    Depth "depth" SmallNumber unit "plies", FROM_COMMENTS:
        "depth of the engine evaluation (EPD acd)";
    Doubled "doubled" SmallNumber, OPTIONAL:
        "pawns of both sides behind another pawn of their side on the same file; nothing in variants";
    Eco "eco" Text, OF_GAME | REPEATED | FROM_NAMES | OPTIONAL:
        "ECO code of the opening so far, from --names";
    Elo "elo" Decimal unit "rating", OF_GAME | OPTIONAL:
        "mean of WhiteElo and BlackElo; nothing unless both are numbers above 0";
    Ep "ep" Text, REPEATED | OPTIONAL:
        "en passant square, as in a FEN; nothing if there is none";
    Epd "epd" Text, WITH_SPACES:
        "the four fields: placement, side to move, castling, en passant";
    Eval "eval" Signed unit "centipawns", FROM_COMMENTS:
        "engine evaluation for the side to move (EPD ce): positive if the side to move is better, a mate in N plies is 32767 - N, being mated -32767 + N";
    EvalCp "eval_cp" Signed unit "centipawns", FROM_COMMENTS:
        "engine evaluation for the side to move, unless it is a mate";
    Fen "fen" Text, WITH_SPACES:
        "the six fields of a FEN";
    File "file" Text, OF_GAME | WITH_SPACES | REPEATED:
        "name of the file";
    Finished "finished" Truth in NOWHERE:
        "whether the game is over: no legal move, or neither side can win with the pieces left";
    From "from" SmallNumber, OF_MOVE:
        "square that the move played from the position leaves: 0 is a1, 1 b1, 63 h8; that of the king when castling";
    Game "game" Number in WRITTEN, OF_GAME:
        "number of the game in its file, from 1";
    GivesCheck "gives_check" Truth in NOWHERE, OF_MOVE:
        "whether the move played from the position gives check";
    Hmvc "hmvc" SmallNumber unit "plies", OPTIONAL:
        "plies since the last capture or move of a pawn; nothing if a record does not have it";
    Increment "increment" Decimal unit "seconds", OF_GAME | OPTIONAL:
        "time added for each move in the first period, from TimeControl: 3 in 300+3, 0 in 300";
    Insufficient "insufficient" Truth:
        "whether neither side can win with the pieces left";
    Islands "islands" SmallNumber, OPTIONAL:
        "groups of neighbouring files with pawns of a side, of both sides; nothing in variants";
    Isolated "isolated" SmallNumber, OPTIONAL:
        "pawns of both sides without a pawn of their side on a neighbouring file; nothing in variants";
    Key "key" Key, OPTIONAL:
        "Polyglot's key; nothing in variants";
    Knights "knights" SmallNumber, OPTIONAL:
        "knights of both sides; nothing in variants";
    Legal "legal" SmallNumber, OPTIONAL:
        "number of legal moves; nothing in variants";
    LegalMoves "legal_moves" Texts in COLUMN, OPTIONAL:
        "legal moves in UCI notation, in the order of their text; nothing in variants";
    Line "line" Number, OF_GAME:
        "line of the file on which the game begins, from 1";
    Mate "mate" Signed unit "moves", FROM_COMMENTS:
        "moves to the mate that an engine announces: positive if the side to move mates, negative if it is mated";
    Mated "mated" Truth in NOWHERE:
        "whether the game ends with the position, and the side to move is checkmated";
    Material "material" Text, REPEATED | OPTIONAL:
        "pieces of White and Black, such as KRPvKR; nothing in variants";
    Minors "minors" SmallNumber, OPTIONAL:
        "knights and bishops of both sides; nothing in variants";
    Move "move" SmallNumber:
        "fullmove number";
    Nags "nags" Text, WITH_SPACES | REPEATED | OPTIONAL:
        "NAGs of the move that led to the position, such as $1 $14; ! ? !! ?? !? ?! are $1 to $6";
    Nodes "nodes" Number unit "nodes", FROM_COMMENTS:
        "nodes that the engine searched before its move (EPD acn)";
    Npm "npm" SmallNumber unit "pawns", OPTIONAL:
        "pieces of both sides other than kings and pawns: 3 for a knight or a bishop, 5 for a rook, 9 for a queen; nothing in variants";
    Offset "offset" Number in WRITTEN, OF_GAME:
        "byte of the file, uncompressed, at which the game begins, from 0; 0 in files that are not text";
    Opening "opening" Text, OF_GAME | WITH_SPACES | REPEATED | FROM_NAMES | OPTIONAL:
        "name of the opening so far, from --names";
    Opponent "opponent" Text in CONDITION, OF_GAME | OF_PLAYER | WITH_SPACES | OPTIONAL:
        "name of the other player";
    OpponentElo "opponent_elo" SmallNumber in CONDITION unit "rating", OF_GAME | OF_PLAYER | OPTIONAL:
        "rating of the other player";
    OppositeBishops "opposite_bishops" Truth, OPTIONAL:
        "whether each side has one bishop, on squares of different colours; nothing in variants";
    OppositeCastling "opposite_castling" Truth, OPTIONAL:
        "whether one king is on the files a to c and the other on f to h; nothing in variants";
    Packed "packed" Packed in COLUMN, OPTIONAL:
        "position in 32 bytes as in marlinformat, with a score and a result of 0; nothing in variants";
    Passed "passed" SmallNumber, OPTIONAL:
        "pawns of both sides with no pawn of the other side before them, on their file or a neighbouring one; nothing in variants";
    Pawns "pawns" SmallNumber, OPTIONAL:
        "pawns of both sides; nothing in variants";
    Piece "piece" Text, OF_MOVE | REPEATED:
        "piece that the move played from the position moves: K, Q, R, B, N or P";
    Pieces "pieces" SmallNumber:
        "pieces on the board, kings and pawns included";
    Player "player" Text in CONDITION, OF_GAME | OF_PLAYER | WITH_SPACES | OPTIONAL:
        "name of a player; a condition with this variable and those of the opponent, color and score holds if it does for White or for Black";
    PlayerElo "player_elo" SmallNumber in CONDITION unit "rating", OF_GAME | OF_PLAYER | OPTIONAL:
        "rating of the player";
    Plies "plies" SmallNumber unit "plies", OF_GAME:
        "moves in the main line of the game up to an error, each side's counted";
    Ply "ply" SmallNumber unit "plies":
        "plies played before the position; 0 at the start";
    Points "points" Decimal unit "points", OPTIONAL:
        "points of the side to move in the result of the game: 1, 0.5 or 0";
    Problem "problem" Text in GAME_COLUMN, OF_GAME | WITH_SPACES | REPEATED | OPTIONAL:
        "first problem of the game, such as 12... Nf6: illegal: ...; nothing if there is none";
    Promotion "promotion" Text, OF_MOVE | REPEATED:
        "piece that a pawn becomes with the move played from the position: q, r, b or n";
    Queens "queens" SmallNumber, OPTIONAL:
        "queens of both sides; nothing in variants";
    Record "record" Text in COLUMN, WITH_SPACES:
        "the record as it is written, without its line end";
    Repetition "repetition" SmallNumber in CONDITION, OPTIONAL:
        "how often the position has occurred in the game, this time included; nothing in files of positions";
    Result "result" Text, OF_GAME | REPEATED | OPTIONAL:
        "result of the game, from the tag or else the movetext: 1-0, 0-1 or 1/2-1/2";
    Rooks "rooks" SmallNumber, OPTIONAL:
        "rooks of both sides; nothing in variants";
    San "san" Text, OF_MOVE | REPEATED:
        "move played from the position, in SAN; nothing at the end of the game";
    Score "score" Decimal in CONDITION unit "points", OF_GAME | OF_PLAYER | OPTIONAL:
        "points of the player in the result of the game: 1, 0.5 or 0";
    Seldepth "seldepth" SmallNumber unit "plies", FROM_COMMENTS:
        "greatest depth of any line that the engine searched before its move";
    Stalemate "stalemate" Truth, OPTIONAL:
        "whether the side to move has no legal move and is not in check; nothing in variants";
    Termination "termination" Text, OF_GAME | WITH_SPACES | REPEATED | OPTIONAL:
        "checkmate or stalemate by the last position, or else time forfeit, abandoned or adjudication as the tag Termination says";
    Time "time" Decimal unit "seconds", OF_MOVE | FROM_COMMENTS:
        "time spent on the move played from the position, by an engine or a player ([%emt])";
    To "to" SmallNumber, OF_MOVE:
        "square that the move played from the position reaches; that of the king when castling, as in standard chess";
    Turn "turn" Text, REPEATED:
        "side to move: w or b";
    Uci "uci" Text, OF_MOVE | REPEATED:
        "move played from the position, in UCI notation, in Chess960 with castling as the king taking its rook; nothing at the end of the game";
    WhiteBishops "wB" SmallNumber, OPTIONAL:
        "bishops of White; nothing in variants";
    WhiteKnights "wN" SmallNumber, OPTIONAL:
        "knights of White; nothing in variants";
    WhitePawns "wP" SmallNumber, OPTIONAL:
        "pawns of White; nothing in variants";
    WhiteQueens "wQ" SmallNumber, OPTIONAL:
        "queens of White; nothing in variants";
    WhiteRooks "wR" SmallNumber, OPTIONAL:
        "rooks of White; nothing in variants";
    WhiteCp "white_cp" Signed unit "centipawns", FROM_COMMENTS:
        "engine evaluation for White, unless it is a mate";
    WhiteElo "white_elo" SmallNumber unit "rating", OF_GAME | OPTIONAL:
        "WhiteElo, if it is a number above 0";
    WhiteEval "white_eval" Signed in NOWHERE, FROM_COMMENTS:
        "engine evaluation for White, as eval";
    WhiteMate "white_mate" Signed unit "moves", FROM_COMMENTS:
        "moves to the mate that an engine announces: positive if White mates, negative if Black mates";
    Year "year" SmallNumber, OF_GAME | OPTIONAL:
        "year of the game, from Date or else UTCDate";
}

impl Fact {
    /// Returns all facts that may be used by their names, sorted by these.
    pub fn all() -> impl Iterator<Item = Fact> {
        let named = TABLE.iter().filter(|entry| !entry.places.is_empty());
        named.map(|entry| entry.fact)
    }

    fn entry(self) -> &'static FactEntry {
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

    /// Returns the names of the places where it may be used, as in `templates and columns`.
    pub fn places(self) -> String {
        let names: Vec<&str> = self.entry().places.iter().map(|place| place.name()).collect();
        match names.split_last() {
            Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => names.concat(),
        }
    }

    /// Returns whether it may be used in `place`.
    pub fn is_available_in(self, place: FactPlace) -> bool {
        let places = self.entry().places;
        // A table of games has the values of each position as a list.
        let is_of_positions =
            matches!(self.kind(), FactKind::Board | FactKind::Bitboards | FactKind::Texts)
                || self == Fact::Points;
        let is_in_both = place == FactPlace::GameColumn
            && places.contains(&FactPlace::Column)
            && !is_of_positions;
        places.contains(&place) || is_in_both
    }

    pub(crate) fn has(self, traits: u16) -> bool {
        self.entry().traits & traits != 0
    }

    /// Returns whether it has one value for a game, for the opening that of its last position, so
    /// that it is not a list in a table of games.
    pub fn is_of_game(self) -> bool {
        self.has(OF_GAME)
    }

    /// Returns whether it is about the move played: a list lacks it for the last position.
    pub fn is_of_move(self) -> bool {
        self.has(OF_MOVE)
    }

    /// Whether it is in the machine-written parts of comments, on the position or on the next move.
    pub(crate) fn needs_comments(self) -> bool {
        self.has(FROM_COMMENTS)
    }

    /// Returns whether some positions have no value.
    pub fn may_be_missing(self) -> bool {
        self.has(MISSING)
    }

    /// Looks up a fact by its name in `place`. Fails if the fact is unknown or not available in
    /// `place`.
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

/// Whether a name has the form of a tag: a capital letter, then letters, digits and underscores.
pub(crate) fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A set of facts, such as those used by a filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactSet(u128);

const _: () = assert!(COUNT <= u128::BITS as usize, "the set has a bit for each fact");

impl FactSet {
    /// Adds a fact.
    pub fn insert(&mut self, fact: Fact) {
        self.0 |= 1 << fact as u8;
    }

    /// Returns whether the set contains a fact.
    pub fn has(self, fact: Fact) -> bool {
        self.0 & 1 << fact as u8 != 0
    }

    /// Returns the union of two sets.
    #[must_use]
    pub fn union(self, other: FactSet) -> FactSet {
        FactSet(self.0 | other.0)
    }

    /// Returns whether any of the facts is read from machine-written parts of comments.
    pub fn needs_comments(self) -> bool {
        self.has_any(FROM_COMMENTS)
    }

    pub(crate) fn needs_result(self) -> bool {
        self.has(Fact::Result) || self.has(Fact::Points) || self.has(Fact::Score)
    }

    pub(crate) fn names_players(self) -> bool {
        self.has_any(OF_PLAYER)
    }

    /// Returns whether any of the facts depends on the name of the opening.
    pub fn needs_names(self) -> bool {
        self.has_any(FROM_NAMES)
    }

    fn has_any(self, traits: u16) -> bool {
        TABLE.iter().any(|entry| entry.traits & traits != 0 && self.has(entry.fact))
    }
}

impl FromIterator<Fact> for FactSet {
    fn from_iter<T: IntoIterator<Item = Fact>>(facts: T) -> Self {
        let mut set = FactSet::default();
        facts.into_iter().for_each(|fact| set.insert(fact));
        set
    }
}

// Names that are similar to one that is unknown.

pub(crate) const KNOWN_TAGS: [&str; 43] = [
    "Annotator", "Black", "BlackElo", "BlackFideId", "BlackNA", "BlackTeam", "BlackTitle",
    "BlackType", "BlackUSCF", "Board", "Date", "ECO", "Event", "EventDate", "EventRounds",
    "EventSponsor", "EventType", "FEN", "GameId", "Mode", "NIC", "Opening", "PlyCount", "Result",
    "Round", "Section", "SetUp", "Site", "Source", "Stage", "SubVariation", "Termination", "Time",
    "TimeControl", "UTCDate", "UTCTime", "Variant", "Variation", "White", "WhiteElo",
    "WhiteFideId", "WhiteTeam", "WhiteTitle",
];

/// Returns names that differ in case, separators or one letter; else prefixes and extensions.
pub(crate) fn similar_names<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    let plain = |name: &str| name.replace(['_', '-', ' '], "").to_ascii_lowercase();
    let plain_name = plain(name);
    let (mut close, mut longer) = (Vec::new(), Vec::new());
    for known in known {
        let plain_known = plain(known);
        let least = plain_name.len().min(plain_known.len());
        let (a, b) = (plain_name.as_str(), plain_known.as_str());
        if a == b || least >= 3 && differ_in_one(a, b) {
            close.push(known);
        } else if least >= 4 && (a.starts_with(b) || b.starts_with(a)) {
            longer.push(known);
        }
    }
    if close.is_empty() { longer } else { close }
}

pub(crate) fn is_close(known: &str, name: &str) -> bool {
    known != name
        && (known.eq_ignore_ascii_case(name) || (known.len() > 4 && differ_in_one(known, name)))
}

/// Returns whether two words differ by one insertion, deletion, substitution or transposition.
pub(crate) fn differ_in_one(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    match a.len().abs_diff(b.len()) {
        0 => a.len() <= 1 || a[1..] == b[1..] || a[2..] == b[2..] && a[0] == b[1] && a[1] == b[0],
        1 if a.len() > b.len() => a[1..] == *b,
        1 => b[1..] == *a,
        _ => false,
    }
}

// Facts by their names, and the error for a name that cannot be used.

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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// A tag of games, or an operation of records.
    Tag(String),
    Fact(Fact),
}

/// Before a name that means an operation or a column, even if it is the name of a fact.
pub(crate) const OF_RECORD: &str = "record.";

impl Variable {
    /// The rule for all names: a fact; else, or with a capital or [`OF_RECORD`], a tag or column.
    pub(crate) fn named(name: &str, place: FactPlace) -> Result<Self, UnknownField> {
        if let Some(own) = name.strip_prefix(OF_RECORD).filter(|own| is_name(own)) {
            return Ok(Variable::Tag(own.to_owned()));
        }
        if is_tag_name(name) {
            return Ok(Variable::Tag(name.to_owned()));
        }
        match Fact::named(name, place) {
            Ok(fact) => Ok(Variable::Fact(fact)),
            Err(error) if error.fact.is_none() && is_name(name) => {
                Ok(Variable::Tag(name.to_owned()))
            }
            Err(error) => Err(error),
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the names of variables and tags to which a name is similar, for a message.
pub fn did_you_mean(name: &str) -> String {
    let known = Fact::all().map(Fact::name).chain(KNOWN_TAGS);
    let similar: Vec<&str> =
        similar_names(name, known).into_iter().filter(|known| *known != name).collect();
    match similar.is_empty() {
        true => String::new(),
        false => format!("; did you mean {}?", similar.join(" or ")),
    }
}

/// The variables of positions with counts, which explorer files have.
pub const COUNTS: [&str; 8] = [
    "games", "white_wins", "draws", "black_wins", "white_score", "rating", "first_year",
    "last_year",
];

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
        let known = || Fact::all().filter(|fact| fact.is_available_in(self.place)).map(Fact::name);
        let similar = similar_names(&self.name, known().chain(KNOWN_TAGS));
        if !similar.is_empty() {
            return write!(f, "unknown variable {name}; did you mean {}?", similar.join(" or "));
        }
        let known = known().collect::<Vec<_>>().join(", ");
        write!(f, "unknown variable {name}; available: {known}")?;
        f.write_str("; names of tags begin with a capital letter")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_names() {
        for entry in TABLE {
            let named = Fact::all().find(|fact| fact.name() == entry.name);
            let is_named = !entry.places.is_empty();
            assert_eq!(named, is_named.then_some(entry.fact));
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
        assert_eq!(unknown, "unknown variable plyy; did you mean ply?");
        let unknown = error("qqqqqqqq", FactPlace::Condition);
        let expected = "unknown variable qqqqqqqq; available: bB, bN, bP, bQ, bR, base_time, ";
        assert!(unknown.starts_with(expected), "{unknown}");
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
            assert!(message.ends_with(&format!("did you mean {expected}?")), "{message}");
        }
    }

    #[test]
    fn no_known_tag_is_taken_for_another_one() {
        assert!(KNOWN_TAGS.is_sorted());
        for known in KNOWN_TAGS {
            assert!(!KNOWN_TAGS.into_iter().any(|other| is_close(other, known)), "{known}");
        }
    }
}
