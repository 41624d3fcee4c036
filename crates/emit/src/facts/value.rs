//! The value of a fact: of a game, or of a position in it.

use std::time::Duration;

use epd::{Centipawns, Mate, RecordRef};
use openings::Opening;
use pgn::Outcome;
use san::{AnyPosition, Bitboard, Buffer, Color, FieldStyle, File, MoveText, Position, Role};

use super::{Fact, FactKind, FactSet};
use crate::annotations::{append_text, commands, is_book, possible, read_comments, reported};
use crate::game::GameContext;
use crate::ply::{Ahead, Known, Ply};

/// A value of a fact, a tag or a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'v> {
    Truth(bool),
    Integer(i64),
    Decimal(f64),
    /// Year, month and day; 0 from an unknown part on.
    Date([u32; 3]),
    Key(u64),
    Move(MoveText),
    Text(&'v str),
    /// The value of a tag, which is a number next to one if it parses as one.
    Tag(&'v str),
    /// What is written for its reader: a text, or the numbers of a column.
    Written(&'v [u8]),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Later;

pub(crate) type FoundValue<'v> = Result<Option<Value<'v>>, Later>;

impl Value<'_> {
    pub(crate) fn write(&self, text: &mut String) {
        match self {
            Value::Truth(truth) => text.push_str(if *truth { "true" } else { "false" }),
            Value::Integer(number) => text.push_str(itoa::Buffer::new().format(*number)),
            Value::Decimal(number) => text.push_str(&number.to_string()),
            Value::Date([year, month, day]) => {
                text.push_str(&format!("{year:04}-{month:02}-{day:02}"));
            }
            Value::Key(key) => text.push_str(&format!("{key:016x}")),
            Value::Move(mv) => text.push_str(mv.as_str()),
            Value::Text(value) | Value::Tag(value) => text.push_str(value),
            Value::Written(value) => text.push_str(&String::from_utf8_lossy(value)),
        }
    }
}

/// `opening` is that of a position, `side` the player that facts of players are about.
pub(crate) fn value_of_game<'v>(
    fact: Fact,
    game: &'v GameContext<'_>,
    opening: Option<&Opening<'v>>,
    side: Color,
) -> FoundValue<'v> {
    let rating = |side: Color| {
        let rating = side.fold_wb(game.ratings().white, game.ratings().black);
        rating.map(|rating| Value::Integer(rating.round() as i64))
    };
    let number = |number: u64| Some(Value::Integer(number as i64));
    let result = || match game.result() {
        None if game.outcome.is_none() => Err(Later),
        result => Ok(result),
    };
    Ok(match fact {
        // Only the tags are known.
        Fact::File | Fact::Line if game.number == 0 => return Err(Later),
        Fact::BaseTime => game.time_control().map(|(base, _)| Value::Decimal(base)),
        Fact::BlackElo => rating(Color::Black),
        Fact::Color => Some(Value::Text(turn(side))),
        Fact::Date => Some(game.date()).filter(|[.., day]| *day > 0).map(Value::Date),
        Fact::Eco => opening.ok_or(Later)?.eco().map(Value::Text),
        Fact::Elo => game.ratings().mean().map(Value::Decimal),
        Fact::File => Some(Value::Text(game.file)),
        Fact::Game => number(game.number),
        Fact::Increment => game.time_control().map(|(_, increment)| Value::Decimal(increment)),
        Fact::Line => number(game.place.line),
        Fact::Offset => number(game.start + game.place.byte),
        Fact::Opening => {
            opening.ok_or(Later)?.name().and_then(|name| name.opening()).map(Value::Text)
        }
        Fact::Opponent => game.player(!side).map(Value::Text),
        Fact::OpponentElo => rating(!side),
        Fact::Player => game.player(side).map(Value::Text),
        Fact::PlayerElo => rating(side),
        Fact::Plies => number(game.end.ok_or(Later)?.plies.into()),
        Fact::Result => result()?.map(|result| Value::Text(result.as_str())),
        Fact::Score => result()?.and_then(|result| points(result, side)).map(Value::Decimal),
        Fact::Termination => game.end.ok_or(Later)?.termination.map(Value::Text),
        Fact::WhiteElo => rating(Color::White),
        Fact::Year => number(game.date()[0].into()).filter(|_| game.date()[0] > 0),
        _ => None,
    })
}

/// The value of a fact that is not of the game alone; what must be written is written into `out`.
pub(crate) fn value_of_ply<'v, P: AnyPosition>(
    fact: Fact,
    ply: &Ply<'_, P>,
    game: &GameContext<'_>,
    style: FieldStyle,
    out: &'v mut Buffer,
) -> Option<Value<'v>> {
    let (position, next) = (ply.position, ply.next);
    out.clear();
    match fact {
        Fact::Bitboards => {
            bitboards(position.as_chess()?).iter().for_each(|of| out.extend(&of.to_le_bytes()));
        }
        Fact::Board => out.extend(&board(position.as_chess()?)),
        Fact::Captured => {
            let (next, chess) = (next?, position.as_chess()?);
            if !position.is_capture(next) {
                return None;
            }
            // En passant the square is empty.
            let role = chess.role(position.squares_of(next)?.1).unwrap_or(Role::Pawn);
            return Some(Value::Text(role_name(role)));
        }
        Fact::Castling => write_field(position, style, 2, out)?,
        Fact::Comment => write_comment(ply, out)?,
        Fact::Ep => write_field(position, style, 3, out)?,
        Fact::Epd | Fact::Fen => {
            let mut line = out.line();
            match fact {
                Fact::Epd => position.write_fields(style, &mut line),
                _ => position.write_fen(style, &mut line),
            }
            line.finish();
        }
        Fact::From => return Some(Value::Integer(position.squares_of(next?)?.0 as i64)),
        Fact::Hmvc => {
            let written = ply.known().and_then(|known| known.written);
            let is_known = written.is_none_or(RecordRef::has_halfmove_clock);
            return is_known.then(|| Value::Integer(position.halfmoves().into()));
        }
        Fact::Key => return Some(Value::Key(position.as_chess()?.key())),
        Fact::LegalMoves => {
            let chess = position.as_chess()?;
            let moves = chess.legal_moves().into_iter().map(|mv| chess.uci_of(mv));
            let moves: Vec<MoveText> = moves.collect();
            let mut texts: Vec<&[u8]> = moves.iter().map(MoveText::as_bytes).collect();
            texts.sort_unstable();
            out.extend(&texts.join(&b' '));
        }
        Fact::Material => write_material(position.as_chess()?, out),
        Fact::Nags if ply.nags.is_empty() => return None,
        Fact::Nags => {
            let nags: Vec<String> = ply.nags.iter().map(|nag| format!("${nag}")).collect();
            out.extend(nags.join(" ").as_bytes());
        }
        Fact::Packed => out.extend(&training::packed(position.as_chess()?)),
        Fact::Piece => return Some(Value::Text(role_name(position.role_of(next?)))),
        Fact::Points => return points(game.result()?, position.turn()).map(Value::Decimal),
        Fact::Promotion => return Some(Value::Text(promotion(&position.uci_of(next?))?)),
        Fact::San => return Some(Value::Move(position.san_of(next?))),
        Fact::To => return Some(Value::Integer(position.squares_of(next?)?.1 as i64)),
        Fact::Turn => return Some(Value::Text(turn(position.turn()))),
        Fact::Uci => return Some(Value::Move(position.uci_of(next?))),
        fact if fact.needs_comments() => {
            return CommentFacts::of(ply, [fact].into_iter().collect()).value(fact);
        }
        fact => {
            let number = number(fact, ply, u32::MAX)?;
            return Some(match fact.kind() {
                FactKind::Truth => Value::Truth(number == 1),
                _ => Value::Integer(number.into()),
            });
        }
    }
    Some(Value::Written(out.as_bytes()))
}

/// A number of the position, or 1 for what is true; one above `most` may be any such.
#[inline]
pub(crate) fn number<P: AnyPosition>(fact: Fact, ply: &Ply<'_, P>, most: u32) -> Option<u32> {
    let position = ply.position;
    Some(match fact {
        Fact::Ply => ply.number,
        Fact::Pieces => position.piece_count(),
        Fact::Move => position.fullmoves(),
        Fact::Check => position.is_check().into(),
        Fact::Capture => position.is_capture(ply.next?).into(),
        Fact::Castle => position.is_castling(ply.next?).into(),
        Fact::Insufficient => position.is_insufficient_material().into(),
        Fact::BookMove => {
            let is_of_book = |ahead: &Ahead<'_>| ahead.comments.iter().any(|text| is_book(text));
            ply.ahead.is_some_and(is_of_book).into()
        }
        Fact::Finished => {
            // Whoever has a move to play has one that is legal.
            let may_be_over = ply.next.is_none() || position.is_insufficient_material();
            (may_be_over && position.is_finished()).into()
        }
        Fact::GivesCheck => {
            let (mut after, next) = (position.clone(), ply.next?);
            after.play_unchecked(next);
            after.is_check().into()
        }
        Fact::Mated => {
            let may_be_mate = ply.next.is_none() && !position.is_insufficient_material();
            (may_be_mate && position.is_check() && position.is_finished()).into()
        }
        _ => return of_board(fact, position.as_chess()?, most.saturating_add(1)),
    })
}

// Days, for columns of dates.

/// Days from 1 March of year 0 to 1 January 1970.
const EPOCH: i32 = 719_468;

// A library for dates would bring more crates than the library may depend on without features.
/// Returns the days since 1 January 1970 of a date in the Gregorian calendar: year, month, day.
pub(crate) fn days(date: [u32; 3]) -> i32 {
    let [year, month, day] = date.map(|part| part as i32);
    // Years begin in March, so that a leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_years = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    of_years + (153 * month + 2) / 5 + day - 1 - EPOCH
}

// Facts that follow from the board: counts of pieces, pawns, the rules.

/// Returns a number on the board of chess, or 1 for what is true; of legal moves up to `most`.
#[inline(never)]
fn of_board(fact: Fact, position: &Position, most: u32) -> Option<u32> {
    let both = |role| position.pieces(role).count();
    let of = |color, role| (position.pieces(role) & position.side(color)).count();
    let (white, black) = (|role| of(Color::White, role), |role| of(Color::Black, role));
    let bishops = |color| position.pieces(Role::Bishop) & position.side(color);
    let number = match fact {
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
        Fact::Checkmate => position.is_checkmate().into(),
        Fact::Stalemate => position.is_stalemate().into(),
        Fact::OppositeBishops => {
            let [white, black] = Color::ALL.map(bishops);
            let is_light = |bishops: Bitboard| (bishops & Bitboard::LIGHT_SQUARES).any();
            let are_single = white.count() == 1 && black.count() == 1;
            (are_single && is_light(white) != is_light(black)).into()
        }
        Fact::OppositeCastling => {
            let [white, black] = Color::ALL.map(|color| position.king(color).file());
            let are_apart = |queen: File, king: File| queen <= File::C && king >= File::F;
            (are_apart(white, black) || are_apart(black, white)).into()
        }
        _ => return None,
    };
    Some(number as u32)
}

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

fn role_name(role: Role) -> &'static str {
    let at = role as usize - 1;
    &"PNBRQK"[at..=at]
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
        use Fact::{Clock, Depth, Eval, EvalCp, Mate, Nodes, Seldepth, Time};
        use Fact::{WhiteCp, WhiteEval, WhiteMate};
        let turn = ply.position.turn();
        if let Some(known) = ply.known() {
            let &Known { evaluation, depth, selective_depth, nodes, time, clock, .. } = known;
            return CommentFacts { turn, evaluation, depth, selective_depth, nodes, time, clock };
        }
        let ahead = ply.ahead.map_or(&[][..], |ahead| ahead.comments);
        let has_any = |facts: &[Fact]| facts.iter().any(|fact| wanted.has(*fact));
        let needs_reports = has_any(&[Depth, Nodes, Seldepth, Time]);
        let needs_evaluation = has_any(&[Eval, EvalCp, Mate, WhiteCp, WhiteEval, WhiteMate]);
        let (report, played) =
            if needs_reports { read_comments(ahead, turn) } else { Default::default() };
        // Without a report no comment has an evaluation; one after the first may have it.
        let may_have_other = !needs_reports || report.is_some() && ahead.len() > 1;
        let report = report.unwrap_or_default();
        let evaluation = match report.evaluation {
            None if needs_evaluation && may_have_other => reported(ply),
            evaluation => evaluation,
        };
        let needs_commands = wanted.has(Clock)
            || needs_evaluation && evaluation.is_none()
            || wanted.has(Depth) && report.depth.is_none();
        let before = if needs_commands { commands(ply.comments, turn) } else { Default::default() };
        CommentFacts {
            turn,
            evaluation: evaluation.or(before.evaluation).map(|of| possible(ply, of)),
            depth: report.depth.or(before.depth),
            selective_depth: report.selective_depth,
            nodes: report.nodes,
            time: report.time.or(played.elapsed),
            clock: before.clock,
        }
    }

    #[inline(always)]
    pub(crate) fn value(&self, fact: Fact) -> Option<Value<'static>> {
        Some(match fact {
            Fact::Clock => Value::Decimal(seconds(self.clock?)),
            Fact::Depth => Value::Integer(self.depth?.into()),
            Fact::Eval => Value::Integer(self.evaluation?.get().into()),
            Fact::EvalCp => Value::Integer(centipawns(self.evaluation?)?.into()),
            Fact::Mate => Value::Integer(moves_to_mate(self.evaluation?)?.into()),
            Fact::Nodes => Value::Integer(self.nodes?.try_into().unwrap_or(i64::MAX)),
            Fact::Seldepth => Value::Integer(self.selective_depth?.into()),
            Fact::Time => Value::Decimal(seconds(self.time?)),
            Fact::WhiteCp => Value::Integer(self.for_white(centipawns(self.evaluation?)?).into()),
            Fact::WhiteEval => Value::Integer(self.for_white(self.evaluation?.get()).into()),
            Fact::WhiteMate => {
                Value::Integer(self.for_white(moves_to_mate(self.evaluation?)?).into())
            }
            _ => return None,
        })
    }

    fn for_white(&self, value: i32) -> i32 {
        if self.turn.is_white() { value } else { -value }
    }
}

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

// The board as numbers, and texts.

fn board(position: &Position) -> [u8; 64] {
    let mut board = [0; 64];
    for (piece, squares) in (1..).zip(bitboards(position)) {
        for square in Bitboard(squares) {
            board[square as usize] = piece;
        }
    }
    board
}

fn bitboards(position: &Position) -> [u64; 12] {
    std::array::from_fn(|kind| {
        let (color, role) = (Color::ALL[kind / 6], Role::ALL[kind % 6]);
        (position.pieces(role) & position.side(color)).0
    })
}

fn promotion(uci: &MoveText) -> Option<&'static str> {
    // `k` in antichess.
    let at = "qrbnk".find(char::from(*uci.as_bytes().get(4)?))?;
    "qrbnk".get(at..=at)
}

pub(crate) fn turn(turn: Color) -> &'static str {
    if turn.is_white() { "w" } else { "b" }
}

fn points(result: Outcome, turn: Color) -> Option<f64> {
    let white = f64::from(result.halves()?) / 2.0;
    Some(if turn.is_white() { white } else { 1.0 - white })
}

fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

// What is written.

fn write_field<P: AnyPosition>(
    position: &P,
    style: FieldStyle,
    number: usize,
    out: &mut Buffer,
) -> Option<()> {
    let fen = position.fen(style);
    let field = fen.split(' ').nth(number)?;
    out.extend(field.as_bytes());
    (field != "-").then_some(())
}

fn write_comment<P: AnyPosition>(ply: &Ply<'_, P>, out: &mut Buffer) -> Option<()> {
    let mover = !ply.position.turn();
    let mut text = String::new();
    for bytes in ply.comments {
        for word in crate::annotations::comment_text(bytes, mover, false).split_whitespace() {
            append_text(&mut text, word);
        }
    }
    out.extend(text.as_bytes());
    (!text.is_empty()).then_some(())
}

/// Writes the pieces of White and those of Black as in the names of tablebases: `KRPvKR`.
fn write_material(position: &Position, buffer: &mut Buffer) {
    for color in Color::ALL {
        if color.is_black() {
            buffer.extend(b"v");
        }
        for role in Role::ALL.into_iter().rev() {
            for _ in position.pieces(role) & position.side(color) {
                buffer.extend(role_name(role).as_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use table::write_date;

    use super::*;

    #[test]
    fn each_day_of_the_calendar_has_one_number() {
        let mut expected = days([1, 1, 1]);
        for year in 1..=2400 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let february = if is_leap { 29 } else { 28 };
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                for day in 1..=length {
                    assert_eq!(days([year, month, day]), expected);
                    let mut text = Vec::new();
                    write_date(expected, &mut text);
                    assert_eq!(text, format!("{year:04}-{month:02}-{day:02}").as_bytes());
                    expected += 1;
                }
            }
        }
        assert_eq!((days([1970, 1, 1]), days([2000, 3, 1])), (0, 11_017));
    }

    /// Returns the value at a position as text.
    fn of_position(fact: Fact, position: &Position, next: Option<san::Move>) -> Option<String> {
        let (game, ply) = (GameContext::default(), Ply::new(position, next, 0));
        let (mut text, mut out) = (String::new(), Buffer::default());
        value_of_ply(fact, &ply, &game, FieldStyle::default(), &mut out)?.write(&mut text);
        Some(text)
    }

    /// Positions with values that were counted by hand.
    #[test]
    fn the_facts_of_a_board_are_those_counted_by_hand() {
        let rooks = "4k3/p1p2p2/p7/1P3P2/3r4/3P4/5P1R/1B2K1b1 w - - 0 1";
        let cases = [
            (
                rooks,
                // f7 is before f5, b5 before a6 and c7, and c7 before d3. Isolated are b5, d3, f2,
                // f5, and all of Black, doubled f2 and a7; islands are b, d, f; a, c, f.
                "wP 4, bP 4, pawns 8, wR 1, bR 1, rooks 2, wB 1, bB 1, minors 2, npm 16, passed 0, \
                 isolated 8, doubled 2, blocked 0, islands 6",
            ),
            (
                "4k3/3p4/3P4/8/pP6/8/6pP/4K3 w - - 0 1",
                // Passed are a4, b4, g2 and h2: no pawn is before one beside it.
                "blocked 2, passed 4, isolated 6, islands 6",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "npm 62, legal 20, islands 2, passed 0, queens 2, knights 4, wQ 1, bN 2, \
                 hmvc 0",
            ),
            ("4k3/8/8/8/8/8/8/4K3 b - - 7 90", "npm 0, legal 5, hmvc 7"),
        ];
        for (fen, facts) in cases {
            let position = Position::from_fen(fen).unwrap();
            for (name, expected) in facts.split(", ").map(|fact| fact.split_once(' ').unwrap()) {
                let fact = Fact::named(name, crate::FactPlace::Condition).unwrap();
                let found = of_position(fact, &position, None);
                assert_eq!(found.as_deref(), Some(expected), "{fact} of {fen}");
            }
        }
    }

    #[test]
    fn what_is_true_of_a_board_and_a_move() {
        use Fact::{Checkmate, Insufficient, OppositeBishops, OppositeCastling, Stalemate};
        let truths = [Checkmate, Stalemate, Insufficient, OppositeBishops, OppositeCastling];
        let cases: [(&str, &[Fact]); 6] = [
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", &[Checkmate]),
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", &[Stalemate, OppositeCastling]),
            ("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", &[Insufficient]),
            ("2b1k3/p7/8/8/8/8/P7/2B1K3 w - - 0 1", &[OppositeBishops]),
            ("4kb2/p7/8/8/8/8/P7/2B1K3 w - - 0 1", &[]),
            ("2kr4/p7/8/8/8/8/P7/5RK1 w - - 0 1", &[OppositeCastling]),
        ];
        for (fen, expected) in cases {
            let position = Position::from_fen(fen).unwrap();
            for fact in truths {
                let found = of_position(fact, &position, None);
                let expected = expected.contains(&fact);
                assert_eq!(found, Some(expected.to_string()), "{fact} of {fen}");
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
            let of = |fact| of_position(fact, &position, Some(next));
            assert_eq!(of(Fact::Capture), Some(capture.to_string()), "{san}");
            assert_eq!(of(Fact::Captured), captured.map(str::to_owned), "{san}");
            assert_eq!(of(Fact::Castle), Some(castle.to_string()), "{san}");
            assert_eq!(of(Fact::Piece), Some(piece.to_owned()), "{san}");
        }
        let of_moves = [Fact::Capture, Fact::Captured, Fact::Castle, Fact::Piece];
        assert!(of_moves.into_iter().all(|fact| of_position(fact, &position, None).is_none()));
    }

    #[test]
    fn seconds_have_up_to_three_decimals() {
        let below = [(0, "0"), (5, "0.005"), (40, "0.04"), (300, "0.3")];
        let above = [(1_020, "1.02"), (3_723_400, "3723.4"), (60_000, "60")];
        for (milliseconds, expected) in below.into_iter().chain(above) {
            let mut text = String::new();
            Value::Decimal(seconds(Duration::from_millis(milliseconds))).write(&mut text);
            assert_eq!(text, expected);
        }
    }
}
