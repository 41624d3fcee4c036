//! The value of a fact for a position.

use std::time::Duration;

use epd::{Centipawns, Mate, RecordRef};
use openings::Opening;
use pgn::TagPair;
use san::{AnyPosition, Bitboard, Buffer, Color, FieldStyle, File, MoveText, Position, Role};

use super::{Fact, FactSet};
use crate::annotations::{append_text, commands, possible, read_comments, reported_evaluation};
use crate::ply::{Known, Ply};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FactValue<'v> {
    Number(u64),
    Signed(i32),
    Decimal(f64),
    Seconds(Duration),
    Key(u64),
    Packed([u8; 32]),
    /// Days since 1 January 1970.
    Date(i32),
    Board([u8; 64]),
    Bitboards([u64; 12]),
    /// The legal moves, which the caller lists with [`legal_moves`](legal_moves).
    LegalMoves,
    Truth(bool),
    Text(&'v str),
    Move(MoveText),
    /// A text that the caller writes with [`write_text`](write_text).
    Written(Written),
}

/// A text that is not made before it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Written {
    /// The field of the FEN with this number, from 0; nothing if it is a hyphen.
    Field(usize),
    /// The four fields of the position.
    Epd,
    /// The six fields.
    Fen,
    Nags,
    /// The text of the comments; nothing if that is empty.
    Comment,
    /// The pieces.
    Material,
}

// Numbers, ratings and dates in tags: one reading for conditions, columns, templates and books.

/// Parses the value of a tag as a number, ignoring white space around it.
pub(crate) fn decimal(text: &[u8]) -> Option<f64> {
    let text = text.trim_ascii();
    // Fast path for ratings, which nearly all values are.
    if text.len() <= 9 && !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
        return Some(text.iter().fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0')).into());
    }
    if !text.last()?.is_ascii_digit() {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The ratings of the players, if they are numbers above 0 and below 10,000.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ratings {
    /// The rating of White.
    pub white: Option<f64>,
    /// The rating of Black.
    pub black: Option<f64>,
}

impl Ratings {
    /// Returns the ratings in the tags of a game.
    ///
    /// ```
    /// use emit::Ratings;
    /// use pgn::Scanner;
    ///
    /// let mut scanner = Scanner::new(b"[WhiteElo \"2800\"]\n[BlackElo \" 2701.0 \"]\n\n1. e4 *");
    /// scanner.next_game();
    /// assert_eq!(Ratings::of(scanner.tags()).mean(), Some(2750.5));
    /// ```
    pub fn of(tags: &[TagPair<'_>]) -> Self {
        let elo = |name: &[u8]| {
            let tag = tags.iter().find(|tag| tag.name() == name)?;
            decimal(&tag.value()).filter(|elo| *elo > 0.0 && *elo < 9999.5)
        };
        Ratings { white: elo(b"WhiteElo"), black: elo(b"BlackElo") }
    }

    /// Returns the mean, if both are known.
    pub fn mean(self) -> Option<f64> {
        Some((self.white? + self.black?) / 2.0)
    }

    pub(crate) fn value(self, fact: Fact) -> Option<f64> {
        match fact {
            Fact::BlackElo => self.black.map(f64::round),
            Fact::WhiteElo => self.white.map(f64::round),
            _ => self.mean(),
        }
    }
}

/// Reads year, month, day: `1851.06.21`, `18510621`, `1851-??-??`; 0 from an unknown part on.
pub(crate) fn date(text: &[u8]) -> [u32; 3] {
    let text = text.trim_ascii();
    if text.len() == 8 && text.iter().all(u8::is_ascii_digit) {
        return date_of_parts([&text[..4], &text[4..6], &text[6..]].into_iter());
    }
    date_of_parts(text.split(|byte| matches!(byte, b'.' | b'-' | b'/')))
}

fn date_of_parts<'t>(parts: impl Iterator<Item = &'t [u8]>) -> [u32; 3] {
    let mut date = [0; 3];
    for (index, part) in parts.map(<[u8]>::trim_ascii).take(3).enumerate() {
        let len = if index == 0 { 4..=4 } else { 1..=2 };
        if !len.contains(&part.len()) || !part.iter().all(u8::is_ascii_digit) {
            break;
        }
        let number = part.iter().fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0'));
        let most = match index {
            0 => 9999,
            1 => 12,
            _ => days_of_month(date[0], date[1]),
        };
        if !(1..=most).contains(&number) {
            break;
        }
        date[index] = number;
    }
    date
}

fn days_of_month(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns year, month and day of a game: those of the tag `Date`, or else of `UTCDate`, if the
/// year is known.
///
/// Lichess writes both; other servers have only the second.
///
/// ```
/// let game = pgn::games(b"[UTCDate \"2019.05.03\"]\n[Date \"????.??.??\"]\n\n*").next().unwrap();
/// assert_eq!(emit::date_of_game(game.tags()), [2019, 5, 3]);
/// ```
pub fn date_of_game(tags: &[TagPair<'_>]) -> [u32; 3] {
    let value = |name: &[u8]| tags.iter().find(|tag| tag.name() == name).map(TagPair::value);
    let dates = [b"Date".as_slice(), b"UTCDate"].into_iter().filter_map(value);
    dates.map(|text| date(&text)).find(|[year, ..]| *year > 0).unwrap_or_default()
}

// The date and the time control of a game, from its tags.

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TimeTags {
    /// Days since 1 January 1970, if year, month and day are known.
    pub(crate) date: Option<i32>,
    pub(crate) year: Option<u32>,
    /// Seconds of the first period.
    pub(crate) base: Option<f64>,
    /// Seconds added for each move of the first period.
    pub(crate) increment: Option<f64>,
}

impl TimeTags {
    pub(crate) fn of(tags: &[TagPair<'_>]) -> Self {
        let [year, month, day] = date_of_game(tags);
        let date = (day > 0).then(|| days((year as i32, month as i32, day as i32)));
        let (base, increment) = time_control(tags).unzip();
        TimeTags { date, year: (year > 0).then_some(year), base, increment }
    }
}

/// Returns the seconds of the first period of a game, and those added for each move, if known.
pub fn time_control(tags: &[TagPair<'_>]) -> Option<(f64, f64)> {
    let tag = tags.iter().find(|tag| tag.name() == b"TimeControl")?;
    read_time_control(&tag.value())
}

/// Returns seconds and increment of the first period (PGN 9.6.1): `40/9000`, `300`, `300+3`.
fn read_time_control(text: &[u8]) -> Option<(f64, f64)> {
    let period = text.trim_ascii().split(|byte| *byte == b':').next()?;
    let time = period.rsplit(|byte| *byte == b'/').next()?;
    let mut parts = time.splitn(2, |byte| *byte == b'+');
    let is_time = |seconds: &f64| seconds.is_finite() && *seconds >= 0.0;
    let base = decimal(parts.next()?).filter(is_time)?;
    let increment = match parts.next() {
        Some(part) => decimal(part).filter(is_time)?,
        None => 0.0,
    };
    Some((base, increment))
}

/// Days from 1 March of year 0 to 1 January 1970.
const EPOCH: i32 = 719_468;

// A library for dates would bring more crates than the library may depend on without features.
/// Returns the days since 1 January 1970 of a date in the Gregorian calendar: year, month, day.
fn days((year, month, day): (i32, i32, i32)) -> i32 {
    // Years begin in March, so that a leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    of_years + (153 * month + 2) / 5 + day - 1 - EPOCH
}

// Facts that follow from the board and the move played: counts of pieces, pawns, the rules.

#[inline(never)]
pub(super) fn value_of_board<P: AnyPosition>(
    fact: Fact,
    ply: &Ply<'_, P>,
) -> Option<FactValue<'static>> {
    let position = ply.position;
    match fact {
        Fact::Capture => return Some(FactValue::Truth(position.is_capture(ply.next?))),
        Fact::Captured => {
            let (next, chess) = (ply.next?, position.as_chess()?);
            if !position.is_capture(next) {
                return None;
            }
            // En passant the square is empty.
            let role = chess.role(position.squares_of(next)?.1).unwrap_or(Role::Pawn);
            return Some(FactValue::Text(role_name(role)));
        }
        Fact::Castle => return Some(FactValue::Truth(position.is_castling(ply.next?))),
        Fact::Castling => return Some(FactValue::Written(Written::Field(2))),
        Fact::Ep => return Some(FactValue::Written(Written::Field(3))),
        Fact::Hmvc => {
            let written = ply.known().and_then(|known| known.written);
            let is_known = written.is_none_or(RecordRef::has_halfmove_clock);
            return is_known.then(|| FactValue::Number(position.halfmoves().into()));
        }
        Fact::Insufficient => return Some(FactValue::Truth(position.is_insufficient_material())),
        Fact::Piece => return Some(FactValue::Text(role_name(position.role_of(ply.next?)))),
        _ => {}
    }
    of_chess(fact, position.as_chess()?)
}

fn of_chess(fact: Fact, position: &Position) -> Option<FactValue<'static>> {
    if let Some(count) = count(fact, position, u32::MAX) {
        return Some(FactValue::Number(count.into()));
    }
    truth(fact, position).map(FactValue::Truth)
}

/// Returns the value of a fact that is a count on the board of chess; of legal moves up to `most`.
#[inline(never)]
pub(super) fn count(fact: Fact, position: &Position, most: u32) -> Option<u32> {
    let both = |role| position.pieces(role).count();
    let of = |color, role| (position.pieces(role) & position.side(color)).count();
    let (white, black) = (|role| of(Color::White, role), |role| of(Color::Black, role));
    let count = match fact {
        Fact::BlackBishops => black(Role::Bishop),
        Fact::BlackKnights => black(Role::Knight),
        Fact::BlackPawns => black(Role::Pawn),
        Fact::BlackQueens => black(Role::Queen),
        Fact::BlackRooks => black(Role::Rook),
        Fact::WhiteBishops => white(Role::Bishop),
        Fact::WhiteKnights => white(Role::Knight),
        Fact::WhitePawns => white(Role::Pawn),
        Fact::WhiteQueens => white(Role::Queen),
        Fact::WhiteRooks => white(Role::Rook),
        Fact::Bishops => both(Role::Bishop),
        Fact::Knights => both(Role::Knight),
        Fact::Pawns => both(Role::Pawn),
        Fact::Queens => both(Role::Queen),
        Fact::Rooks => both(Role::Rook),
        Fact::Minors => both(Role::Bishop) + both(Role::Knight),
        Fact::Npm => {
            let minors = both(Role::Bishop) + both(Role::Knight);
            9 * both(Role::Queen) + 5 * both(Role::Rook) + 3 * minors
        }
        Fact::Legal => position.count_legal_moves(most) as usize,
        Fact::Blocked | Fact::Doubled | Fact::Islands | Fact::Isolated | Fact::Passed => {
            Color::ALL.into_iter().map(|color| of_pawns(fact, position, color)).sum()
        }
        _ => return None,
    };
    Some(count as u32)
}

/// Counts the pawns of a side of which something holds, or their groups.
fn of_pawns(fact: Fact, position: &Position, color: Color) -> usize {
    let all = position.pieces(Role::Pawn);
    let own = (all & position.side(color)).0;
    let enemies = (all & position.side(!color)).0;
    let (a, h) = (Bitboard::from(File::A).0, Bitboard::from(File::H).0);
    let beside = |squares: u64| (squares & !a) >> 1 | (squares & !h) << 1;
    // The squares behind some, seen from this side.
    let behind = |squares: u64| color.fold_wb(south(squares), north(squares));
    let files = |squares: u64| north(squares) | south(squares) | squares;
    let found = match fact {
        Fact::Blocked => own & color.fold_wb(enemies >> 8, enemies << 8),
        Fact::Doubled => own & behind(own),
        Fact::Isolated => own & !files(beside(own)),
        Fact::Passed => {
            let in_front = behind(enemies);
            own & !(in_front | beside(in_front))
        }
        // The first file of each group, on one rank.
        _ => {
            let files = files(own) & 0xff;
            files & !(files << 1)
        }
    };
    found.count_ones() as usize
}

fn north(squares: u64) -> u64 {
    let mut all = squares << 8;
    all |= all << 8;
    all |= all << 16;
    all | all << 32
}

fn south(squares: u64) -> u64 {
    let mut all = squares >> 8;
    all |= all >> 8;
    all |= all >> 16;
    all | all >> 32
}

pub(super) fn truth(fact: Fact, position: &Position) -> Option<bool> {
    let bishops = |color| position.pieces(Role::Bishop) & position.side(color);
    Some(match fact {
        Fact::Checkmate => position.is_checkmate(),
        Fact::Stalemate => position.is_stalemate(),
        Fact::OppositeBishops => {
            let [white, black] = Color::ALL.map(bishops);
            let is_light = |bishops: Bitboard| (bishops & Bitboard::LIGHT_SQUARES).any();
            white.count() == 1 && black.count() == 1 && is_light(white) != is_light(black)
        }
        Fact::OppositeCastling => {
            let [white, black] = Color::ALL.map(|color| position.king(color).file());
            let are_apart = |queen: File, king: File| queen <= File::C && king >= File::F;
            are_apart(white, black) || are_apart(black, white)
        }
        _ => return None,
    })
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::King => "K",
        Role::Queen => "Q",
        Role::Rook => "R",
        Role::Bishop => "B",
        Role::Knight => "N",
        Role::Pawn => "P",
    }
}

// The facts that are read from the machine-written parts of comments, all at once.

#[derive(Clone, Copy, Debug)]
pub(crate) struct CommentFacts {
    turn: Color,
    evaluation: Option<Centipawns>,
    depth: Option<u32>,
    selective_depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<Duration>,
    clock: Option<Duration>,
}

impl CommentFacts {
    pub(crate) fn of<P: AnyPosition>(ply: &Ply<'_, P>, wanted: FactSet) -> Self {
        use Fact::{Clock, Depth, Eval, EvalCp, Mate, Nodes, Seldepth, Time, WhiteCp, WhiteMate};
        let turn = ply.position.turn();
        if let Some(known) = ply.known() {
            let &Known { evaluation, depth, selective_depth, nodes, time, clock, .. } = known;
            return CommentFacts { turn, evaluation, depth, selective_depth, nodes, time, clock };
        }
        let ahead = ply.ahead.map_or(&[][..], |ahead| ahead.comments);
        let has_any = |facts: &[Fact]| facts.iter().any(|fact| wanted.has(*fact));
        let needs_reports = has_any(&[Depth, Nodes, Seldepth, Time]);
        let needs_evaluation = has_any(&[Eval, EvalCp, Mate, WhiteCp, WhiteMate]);
        let (report, played) =
            if needs_reports { read_comments(ahead, turn) } else { Default::default() };
        let mut evaluation = report.and_then(|report| report.evaluation);
        // Later reports may have an evaluation. Without a report nothing has.
        let may_have_other = !needs_reports || report.is_some() && ahead.len() > 1;
        if needs_evaluation && evaluation.is_none() && may_have_other {
            evaluation = ahead.iter().find_map(|comment| reported_evaluation(comment, turn));
        }
        let report = report.unwrap_or_default();
        let lacks = |fact, is_known: bool| wanted.has(fact) && !is_known;
        let needs_commands = wanted.has(Clock)
            || needs_evaluation && evaluation.is_none()
            || lacks(Depth, report.depth.is_some());
        let before = if needs_commands { commands(ply.comments, turn) } else { Default::default() };
        CommentFacts {
            turn,
            evaluation: evaluation
                .or(before.evaluation)
                .map(|evaluation| possible(ply, evaluation)),
            depth: report.depth.or(before.depth),
            selective_depth: report.selective_depth,
            nodes: report.nodes,
            time: report.time.or(played.elapsed),
            clock: before.clock,
        }
    }

    #[inline(always)]
    pub(crate) fn value<'v>(&self, fact: Fact) -> Option<FactValue<'v>> {
        Some(match fact {
            Fact::Clock => FactValue::Seconds(self.clock?),
            Fact::Depth => FactValue::Number(self.depth?.into()),
            Fact::Eval => FactValue::Signed(self.evaluation?.get()),
            Fact::EvalCp => FactValue::Signed(centipawns(self.evaluation?)?),
            Fact::Mate => FactValue::Signed(moves_to_mate(self.evaluation?)?),
            Fact::Nodes => FactValue::Number(self.nodes?),
            Fact::Seldepth => FactValue::Number(self.selective_depth?.into()),
            Fact::Time => FactValue::Seconds(self.time?),
            Fact::WhiteCp => FactValue::Signed(self.for_white(centipawns(self.evaluation?)?)),
            Fact::WhiteMate => FactValue::Signed(self.for_white(moves_to_mate(self.evaluation?)?)),
            _ => return None,
        })
    }

    fn for_white(&self, value: i32) -> i32 {
        if self.turn.is_white() { value } else { -value }
    }
}

/// Returns an evaluation that is not a mate.
fn centipawns(evaluation: Centipawns) -> Option<i32> {
    let is_number = evaluation.mate().is_none() && !evaluation.is_illegal_position();
    is_number.then(|| evaluation.get())
}

/// Returns the moves to a mate, negative if the side to move is mated.
fn moves_to_mate(evaluation: Centipawns) -> Option<i32> {
    Some(match evaluation.mate()? {
        Mate::Gives { plies } => plies.div_ceil(2) as i32,
        Mate::Gets { plies } => -(plies.div_ceil(2) as i32),
    })
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameFacts<'g> {
    pub(crate) file: &'g str,
    pub(crate) number: u64,
    pub(crate) line: u64,
    /// Byte of the file at which the game begins.
    pub(crate) offset: u64,
    /// Number of plies in the main line.
    pub(crate) plies: u32,
    /// How it ends, if a fact needs it.
    pub(crate) termination: Option<&'static str>,
    /// The ratings of the players, if a fact needs them.
    pub(crate) ratings: Ratings,
    /// The date and the time control, if a fact needs them.
    pub(crate) times: TimeTags,
    /// The result in PGN notation, if a fact needs it and the game has one.
    pub(crate) result: Option<&'static str>,
}

/// Returns no value for [`Fact::Record`], which only the writer of the record can supply.
#[inline(always)]
pub(crate) fn value<'v, P: AnyPosition>(
    fact: Fact,
    ply: &Ply<'_, P>,
    game: &GameFacts<'v>,
    opening: &Opening<'v>,
) -> Option<FactValue<'v>> {
    let position = ply.position;
    Some(match fact {
        Fact::Bitboards => FactValue::Bitboards(bitboards(position.as_chess()?)),
        Fact::Board => FactValue::Board(board(position.as_chess()?)),
        Fact::From => FactValue::Number(position.squares_of(ply.next?)?.0 as u64),
        Fact::LegalMoves => {
            position.as_chess()?;
            FactValue::LegalMoves
        }
        Fact::Points => FactValue::Decimal(points(game.result?, position.turn())?),
        Fact::Promotion => FactValue::Text(promotion(&position.uci_of(ply.next?))?),
        Fact::To => FactValue::Number(position.squares_of(ply.next?)?.1 as u64),
        Fact::Check => FactValue::Truth(position.is_check()),
        Fact::Comment if ply.comments.is_empty() => return None,
        Fact::Comment => FactValue::Written(Written::Comment),
        Fact::Epd => FactValue::Written(Written::Epd),
        Fact::Fen => FactValue::Written(Written::Fen),
        Fact::Key => FactValue::Key(position.polyglot_key()?),
        Fact::Material => {
            position.as_chess()?;
            FactValue::Written(Written::Material)
        }
        Fact::Move => FactValue::Number(position.fullmoves().into()),
        Fact::Nags if ply.nags.is_empty() => return None,
        Fact::Nags => FactValue::Written(Written::Nags),
        Fact::Packed => FactValue::Packed(training::packed(position.as_chess()?)),
        Fact::Pieces => FactValue::Number(position.piece_count().into()),
        Fact::Ply => FactValue::Number(ply.number.into()),
        Fact::Record => return None,
        Fact::San => FactValue::Move(position.san_of(ply.next?)),
        Fact::Turn => FactValue::Text(turn(position.turn())),
        Fact::Uci => FactValue::Move(position.uci_of(ply.next?)),
        fact if fact.is_of_board() => return value_of_board(fact, ply),
        fact if fact.needs_comments() => {
            return CommentFacts::of(ply, [fact].into_iter().collect()).value(fact);
        }
        _ => return value_of_game(fact, game, opening),
    })
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum QuickValue {
    Number(u32),
    Truth(bool),
}

/// `None` without a value or if not of the board alone; a number above `most` may be any such.
#[inline]
pub(crate) fn quick_value<P: AnyPosition>(
    fact: Fact,
    ply: &Ply<'_, P>,
    most: u32,
) -> Option<QuickValue> {
    let position = ply.position;
    Some(match fact {
        Fact::Ply => QuickValue::Number(ply.number),
        Fact::Pieces => QuickValue::Number(position.piece_count()),
        Fact::Move => QuickValue::Number(position.fullmoves()),
        Fact::Check => QuickValue::Truth(position.is_check()),
        Fact::Capture => QuickValue::Truth(position.is_capture(ply.next?)),
        _ => {
            let chess = position.as_chess()?;
            match count(fact, chess, most.saturating_add(1)) {
                Some(count) => QuickValue::Number(count),
                None => QuickValue::Truth(truth(fact, chess)?),
            }
        }
    })
}

/// Returns the piece on each square: 0 for none, 1 to 6 for White's and 7 to 12 for Black's.
fn board(position: &Position) -> [u8; 64] {
    let mut board = [0; 64];
    for (piece, squares) in (1..).zip(bitboards(position)) {
        for square in Bitboard(squares) {
            board[square as usize] = piece;
        }
    }
    board
}

/// Returns the squares of White's pawns, knights, bishops, rooks, queens and kings, then Black's.
fn bitboards(position: &Position) -> [u64; 12] {
    let of = |color, role| (position.pieces(role) & position.side(color)).0;
    let mut bitboards = [0; 12];
    let kinds = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| (color, role)));
    for (squares, (color, role)) in bitboards.iter_mut().zip(kinds) {
        *squares = of(color, role);
    }
    bitboards
}

/// Calls `add` with each legal move in UCI notation, in the order of their text.
pub(crate) fn legal_moves(position: &Position, mut add: impl FnMut(&[u8])) {
    let mut moves: Vec<MoveText> =
        position.legal_moves().into_iter().map(|mv| position.uci_of(mv)).collect();
    moves.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    moves.iter().for_each(|text| add(text.as_bytes()));
}

fn promotion(uci: &MoveText) -> Option<&'static str> {
    Some(match uci.as_bytes().get(4)? {
        b'q' => "q",
        b'r' => "r",
        b'b' => "b",
        b'n' => "n",
        // In antichess.
        b'k' => "k",
        _ => return None,
    })
}

/// Returns the name of a side, as in FEN.
pub(crate) fn turn(turn: Color) -> &'static str {
    if turn.is_white() { "w" } else { "b" }
}

pub(crate) fn points(result: &str, turn: Color) -> Option<f64> {
    let white = match result {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" => 0.5,
        _ => return None,
    };
    Some(if turn.is_white() { white } else { 1.0 - white })
}

/// Returns no value for [`Fact::Problem`], which only the sink of games can supply.
#[inline(always)]
pub(crate) fn value_of_game<'v>(
    fact: Fact,
    game: &GameFacts<'v>,
    opening: &Opening<'v>,
) -> Option<FactValue<'v>> {
    Some(match fact {
        Fact::BaseTime => FactValue::Decimal(game.times.base?),
        Fact::BlackElo | Fact::WhiteElo => FactValue::Number(game.ratings.value(fact)? as u64),
        Fact::Date => FactValue::Date(game.times.date?),
        Fact::Eco => FactValue::Text(opening.eco()?),
        Fact::Elo => FactValue::Decimal(game.ratings.mean()?),
        Fact::File => FactValue::Text(game.file),
        Fact::Game => FactValue::Number(game.number),
        Fact::Increment => FactValue::Decimal(game.times.increment?),
        Fact::Line => FactValue::Number(game.line),
        Fact::Offset => FactValue::Number(game.offset),
        Fact::Opening => FactValue::Text(opening.name()?.opening()?),
        Fact::Plies => FactValue::Number(game.plies.into()),
        Fact::Result => FactValue::Text(game.result?),
        Fact::Termination => FactValue::Text(game.termination?),
        Fact::Year => FactValue::Number(game.times.year?.into()),
        _ => return None,
    })
}

/// Returns seconds with up to three decimals, as in a column of decimal numbers.
pub(crate) fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// Appends a time in seconds with up to three decimals, without trailing zeros.
pub(crate) fn write_seconds(time: Duration, text: &mut String) {
    text.push_str(itoa::Buffer::new().format(time.as_secs()));
    let mut rest = time.subsec_millis();
    if rest > 0 {
        text.push('.');
    }
    let mut place = 100;
    while rest > 0 {
        text.push(char::from(b'0' + (rest / place) as u8));
        (rest, place) = (rest % place, place / 10);
    }
}

/// Appends a text; returns whether there is one.
#[inline(always)]
pub(crate) fn write_text<P: AnyPosition>(
    text: Written,
    ply: &Ply<'_, P>,
    style: FieldStyle,
    buffer: &mut Buffer,
) -> bool {
    match text {
        Written::Nags => write_nags(ply.nags, buffer),
        Written::Comment => return write_comment(ply, buffer),
        Written::Field(number) => return write_field(ply, style, number, buffer),
        Written::Material => {
            ply.position
                .as_chess()
                .into_iter()
                .for_each(|position| write_material(position, buffer));
        }
        Written::Epd | Written::Fen => {
            let mut line = buffer.line();
            match text {
                Written::Epd => ply.position.write_fields(style, &mut line),
                _ => ply.position.write_fen(style, &mut line),
            }
            line.finish();
        }
    }
    true
}

/// Writes a field of the FEN; returns whether it is not a hyphen.
fn write_field<P: AnyPosition>(
    ply: &Ply<'_, P>,
    style: FieldStyle,
    number: usize,
    buffer: &mut Buffer,
) -> bool {
    let mut fields = Buffer::default();
    let mut line = fields.line();
    ply.position.write_fields(style, &mut line);
    line.finish();
    let field = fields.as_bytes().split(|byte| *byte == b' ').nth(number).unwrap_or(b"-");
    buffer.extend(field);
    field != b"-"
}

/// Writes the comments as one line, since programs may wrap them; returns whether any has text.
fn write_comment<P: AnyPosition>(ply: &Ply<'_, P>, buffer: &mut Buffer) -> bool {
    let mover = !ply.position.turn();
    let mut text = String::new();
    for bytes in ply.comments {
        for word in crate::annotations::comment_text(bytes, mover, false).split_whitespace() {
            append_text(&mut text, word);
        }
    }
    buffer.extend(text.as_bytes());
    !text.is_empty()
}

/// Writes the pieces of White and those of Black as in the names of tablebases: `KRPvKR`.
fn write_material(position: &Position, buffer: &mut Buffer) {
    const ROLES: [(Role, &[u8; 1]); 6] = [
        (Role::King, b"K"),
        (Role::Queen, b"Q"),
        (Role::Rook, b"R"),
        (Role::Bishop, b"B"),
        (Role::Knight, b"N"),
        (Role::Pawn, b"P"),
    ];
    for color in Color::ALL {
        if color.is_black() {
            buffer.extend(b"v");
        }
        for (role, letter) in ROLES {
            for _ in position.pieces(role) & position.side(color) {
                buffer.extend(letter);
            }
        }
    }
}

/// Writes NAGs as in movetext: `$1 $14`.
#[cold]
fn write_nags(nags: &[u8], buffer: &mut Buffer) {
    for (index, nag) in nags.iter().enumerate() {
        let space = if index > 0 { " " } else { "" };
        buffer.extend(format!("{space}${nag}").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use table::write_date;

    use super::*;

    #[test]
    fn dates_are_read_as_far_as_they_are_known() {
        let cases = [
            ("1970.01.01", [1970, 1, 1]),
            ("2024.02.29", [2024, 2, 29]),
            (" 1851-06-21", [1851, 6, 21]),
            ("1851/6/1 ", [1851, 6, 1]),
            ("19990503", [1999, 5, 3]),
            ("19991340", [1999, 0, 0]),
            ("1992.08.??", [1992, 8, 0]),
            ("1992.??.01", [1992, 0, 0]),
            ("1992", [1992, 0, 0]),
            ("2023.02.29", [2023, 2, 0]),
            ("1900.02.29", [1900, 2, 0]),
            ("2000.02.29", [2000, 2, 29]),
            ("2023.13.01", [2023, 0, 0]),
            ("99.01.01", [0; 3]),
            ("0000.01.01", [0; 3]),
            ("21.06.1851", [0; 3]),
            ("????.??.??", [0; 3]),
            ("199905031", [0; 3]),
            ("", [0; 3]),
        ];
        for (text, expected) in cases {
            assert_eq!(date(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn ratings_are_numbers_that_a_player_may_have() {
        let cases = [
            ("2400", Some(2400.0)),
            (" 2400 ", Some(2400.0)),
            ("2500.5", Some(2500.5)),
            ("0", None),
            ("-5", None),
            ("10000", None),
            ("1e9", None),
            ("?", None),
            ("2400?", None),
            ("nan", None),
        ];
        for (value, expected) in cases {
            let text = format!("[WhiteElo \"{value}\"]\n\n*");
            let game = pgn::games(text.as_bytes()).next().unwrap();
            let ratings = Ratings { white: expected, black: None };
            assert_eq!(Ratings::of(game.tags()), ratings, "{value}");
        }
    }

    #[test]
    fn each_day_of_the_calendar_has_one_number() {
        let mut expected = days((1, 1, 1));
        for year in 1..=2400 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let february = if is_leap { 29 } else { 28 };
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                for day in 1..=length {
                    assert_eq!(days((year, month, day)), expected);
                    let mut text = Vec::new();
                    write_date(expected, &mut text);
                    assert_eq!(text, format!("{year:04}-{month:02}-{day:02}").as_bytes());
                    expected += 1;
                }
            }
        }
        assert_eq!((days((1970, 1, 1)), days((2000, 3, 1))), (0, 11_017));
    }

    #[test]
    fn the_first_period_of_a_time_control_is_read() {
        let cases = [
            ("300+3", Some((300.0, 3.0))),
            ("10+0.1", Some((10.0, 0.1))),
            ("300", Some((300.0, 0.0))),
            ("40/9000", Some((9000.0, 0.0))),
            ("40/5400+30:1800+30", Some((5400.0, 30.0))),
            ("1/86400", Some((86400.0, 0.0))),
            ("-", None),
            ("?", None),
            ("*180", None),
            ("300+", None),
            ("40 moves", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read_time_control(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn the_date_of_the_game_counts_before_that_of_the_server() {
        let tags = "[UTCDate \"2020.01.02\"]\n[Date \"2019.??.??\"]\n[TimeControl \"60+1\"]\n\n*";
        let game = pgn::games(tags.as_bytes()).next().unwrap();
        let expected =
            TimeTags { date: None, year: Some(2019), base: Some(60.0), increment: Some(1.0) };
        assert_eq!(TimeTags::of(game.tags()), expected);
        let tags = "[UTCDate \"1970.01.02\"]\n[Date \"????.??.??\"]\n\n*";
        let game = pgn::games(tags.as_bytes()).next().unwrap();
        assert_eq!(TimeTags::of(game.tags()).date, Some(1));
    }

    /// Positions with values that were counted by hand.
    #[test]
    fn the_facts_of_a_board_are_those_counted_by_hand() {
        let rooks = "4k3/p1p2p2/p7/1P3P2/3r4/3P4/5P1R/1B2K1b1 w - - 0 1";
        let cases: [(&str, &[(Fact, u64)]); 4] = [
            (
                rooks,
                &[
                    (Fact::WhitePawns, 4),
                    (Fact::BlackPawns, 4),
                    (Fact::Pawns, 8),
                    (Fact::WhiteRooks, 1),
                    (Fact::BlackRooks, 1),
                    (Fact::Rooks, 2),
                    (Fact::WhiteBishops, 1),
                    (Fact::BlackBishops, 1),
                    (Fact::Minors, 2),
                    (Fact::Npm, 16),
                    // f7 is before f5, b5 before a6 and c7, and c7 before d3.
                    (Fact::Passed, 0),
                    // b5, d3, f2, f5, and all of Black.
                    (Fact::Isolated, 8),
                    // f2, a7.
                    (Fact::Doubled, 2),
                    (Fact::Blocked, 0),
                    // b, d, f; a, c, f.
                    (Fact::Islands, 6),
                ],
            ),
            (
                "4k3/3p4/3P4/8/pP6/8/6pP/4K3 w - - 0 1",
                &[
                    (Fact::Blocked, 2),
                    // a4, b4, g2 and h2: no pawn is before one beside it.
                    (Fact::Passed, 4),
                    (Fact::Isolated, 6),
                    (Fact::Islands, 6),
                ],
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                &[
                    (Fact::Npm, 62),
                    (Fact::Legal, 20),
                    (Fact::Islands, 2),
                    (Fact::Passed, 0),
                    (Fact::Queens, 2),
                    (Fact::Knights, 4),
                    (Fact::WhiteQueens, 1),
                    (Fact::BlackKnights, 2),
                    (Fact::Hmvc, 0),
                ],
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 b - - 7 90",
                &[(Fact::Npm, 0), (Fact::Legal, 5), (Fact::Hmvc, 7)],
            ),
        ];
        for (fen, facts) in cases {
            let position = Position::from_fen(fen).unwrap();
            for (fact, expected) in facts {
                let found = value_of_board(*fact, &Ply::new(&position, None, 0));
                assert_eq!(found, Some(FactValue::Number(*expected)), "{fact} of {fen}");
            }
        }
    }

    #[test]
    fn what_is_true_of_a_board_and_a_move() {
        let truths = [
            Fact::Checkmate,
            Fact::Stalemate,
            Fact::Insufficient,
            Fact::OppositeBishops,
            Fact::OppositeCastling,
        ];
        let cases: [(&str, &[Fact]); 6] = [
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", &[Fact::Checkmate]),
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", &[Fact::Stalemate, Fact::OppositeCastling]),
            ("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", &[Fact::Insufficient]),
            ("2b1k3/p7/8/8/8/8/P7/2B1K3 w - - 0 1", &[Fact::OppositeBishops]),
            ("4kb2/p7/8/8/8/8/P7/2B1K3 w - - 0 1", &[]),
            ("2kr4/p7/8/8/8/8/P7/5RK1 w - - 0 1", &[Fact::OppositeCastling]),
        ];
        for (fen, expected) in cases {
            let position = Position::from_fen(fen).unwrap();
            for fact in truths {
                let found = value_of_board(fact, &Ply::new(&position, None, 0));
                let expected = expected.contains(&fact);
                assert_eq!(found, Some(FactValue::Truth(expected)), "{fact} of {fen}");
            }
        }
        let position = Position::from_fen("r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2").unwrap();
        let moves = [
            ("O-O", None, true, "K"),
            ("exd6", Some("P"), false, "P"),
            ("Rxa8+", Some("R"), false, "R"),
            ("b8=N", None, false, "P"),
            ("Kd2", None, false, "K"),
        ];
        for (san, captured, castle, piece) in moves {
            let capture = captured.is_some();
            let next = san::resolve(&position, san.as_bytes()).unwrap();
            let of = |fact| value_of_board(fact, &Ply::new(&position, Some(next), 0));
            assert_eq!(of(Fact::Capture), Some(FactValue::Truth(capture)), "{san}");
            assert_eq!(of(Fact::Captured), captured.map(FactValue::Text), "{san}");
            assert_eq!(of(Fact::Castle), Some(FactValue::Truth(castle)), "{san}");
            assert_eq!(of(Fact::Piece), Some(FactValue::Text(piece)), "{san}");
        }
        let end = Ply::new(&position, None, 0);
        let of_moves = [Fact::Capture, Fact::Captured, Fact::Castle, Fact::Piece];
        assert!(of_moves.into_iter().all(|fact| value_of_board(fact, &end).is_none()));
    }

    #[test]
    fn seconds_have_up_to_three_decimals() {
        let cases = [
            (0, "0"),
            (5, "0.005"),
            (40, "0.04"),
            (300, "0.3"),
            (1_020, "1.02"),
            (3_723_400, "3723.4"),
            (60_000, "60"),
        ];
        for (milliseconds, expected) in cases {
            let mut text = String::new();
            write_seconds(Duration::from_millis(milliseconds), &mut text);
            assert_eq!(text, expected);
            assert_eq!(seconds(Duration::from_millis(milliseconds)).to_string(), expected);
        }
    }
}
