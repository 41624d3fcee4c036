//! A position to be searched, what an engine says of it, and why an answer is missing.

use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use san::{
    AnyPosition, Buffer, CastlingStyle, Color, EnPassantPolicy, FieldStyle, MoveText, Position,
    SanError, Variant, VariantPosition, uci_of,
};

use crate::settings::{Limits, MOST_TIMEOUTS, OptionSetting, Settings};

/// A position of chess or of a variant.
#[derive(Clone, Debug)]
pub enum Board {
    /// Chess, or Chess960.
    Chess(Position),
    /// A variant.
    Variant(VariantPosition),
}

/// A position to be searched.
///
/// ```
/// use engine::{Board, Question};
/// use san::Position;
///
/// let mut question = Question::new(Board::Chess(Position::default()));
/// question.search_only(["e4", "Nf3"])?;
/// assert!(question.search_only(["Ke2"]).is_err());
/// # Ok::<_, san::SanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Question {
    board: Board,
    /// The moves to be searched, in UCI notation; all if there are none.
    pub(crate) searchmoves: Vec<MoveText>,
}

impl Question {
    /// Asks for a position.
    pub fn new(board: Board) -> Self {
        Question { board, searchmoves: Vec::new() }
    }

    /// Limits the search to further moves, in any notation. Fails at the first that is illegal.
    pub fn search_only<'a>(
        &mut self,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), SanError> {
        for text in moves {
            let mv = match &self.board {
                Board::Chess(position) if self.is_chess960() => uci(position, text)?,
                // Also if the rules of Chess960 are given.
                Board::Chess(position) => uci_of(position.resolve(text.as_bytes())?),
                Board::Variant(position) => uci(position, text)?,
            };
            self.searchmoves.push(mv);
        }
        Ok(())
    }

    /// Returns a move in any notation as SAN. Fails if it is illegal.
    pub fn san_of(&self, text: &str) -> Result<MoveText, SanError> {
        match &self.board {
            Board::Chess(position) => san_of(position, text),
            Board::Variant(position) => san_of(position, text),
        }
    }

    /// Returns the position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        match &self.board {
            Board::Chess(position) => position.turn(),
            Board::Variant(position) => position.turn(),
        }
    }

    /// Returns the position as engines get it: the en passant square only if a capture is legal,
    /// and the castling rights of Chess960 as the files of the rooks.
    pub fn fen(&self) -> String {
        let castling = match self.is_chess960() {
            true => CastlingStyle::Shredder,
            false => CastlingStyle::XFen,
        };
        let style = FieldStyle { castling, en_passant: EnPassantPolicy::Legal };
        match &self.board {
            Board::Chess(position) => fen(position, style),
            Board::Variant(position) => fen(position, style),
        }
    }

    /// Whether no move is legal; an engine need not be asked then.
    pub fn is_over(&self) -> bool {
        match &self.board {
            Board::Chess(position) => !position.has_legal_move(),
            Board::Variant(position) => position.is_finished(),
        }
    }

    /// Whether more than one move is to be searched, as far as is known.
    pub(crate) fn has_choice(&self) -> bool {
        let has_moves = match &self.board {
            Board::Chess(position) => position.count_legal_moves(2) > 1,
            Board::Variant(_) => true,
        };
        has_moves && self.searchmoves.len() != 1
    }

    pub(crate) fn is_chess960(&self) -> bool {
        matches!(&self.board, Board::Chess(position) if position.has_chess960_rights())
    }

    pub(crate) fn variant(&self) -> Variant {
        match &self.board {
            Board::Chess(_) => Variant::Chess,
            Board::Variant(position) => position.variant(),
        }
    }

    /// Returns moves in UCI notation as SAN, up to the first that is illegal.
    pub(crate) fn san<'a>(&self, moves: impl IntoIterator<Item = &'a str>) -> Vec<MoveText> {
        match &self.board {
            Board::Chess(position) => san(position.clone(), moves),
            Board::Variant(position) => san(position.clone(), moves),
        }
    }
}

fn uci<P: AnyPosition>(position: &P, text: &str) -> Result<MoveText, SanError> {
    position.resolve(text.as_bytes()).map(|mv| position.uci_of(mv))
}

fn san_of<P: AnyPosition>(position: &P, text: &str) -> Result<MoveText, SanError> {
    position.resolve(text.as_bytes()).map(|mv| position.san_of(mv))
}

fn fen<P: AnyPosition>(position: &P, style: FieldStyle) -> String {
    let mut buffer = Buffer::default();
    let mut line = buffer.line();
    position.write_fen(style, &mut line);
    line.finish();
    String::from_utf8_lossy(buffer.as_bytes()).into_owned()
}

fn san<'a, P: AnyPosition>(
    mut position: P,
    moves: impl IntoIterator<Item = &'a str>,
) -> Vec<MoveText> {
    let mut line = Vec::new();
    for text in moves {
        // SAN is not an answer: a word such as `b6` in it would be garbage that is legal.
        let is_uci = text.len() >= 4 && text.is_ascii();
        let Some(mv) = is_uci.then(|| position.resolve(text.as_bytes()).ok()).flatten() else {
            break;
        };
        line.push(position.san_of(mv));
        position.play_unchecked(mv);
    }
    line
}

/// A line about a search. What cannot be read is left out, as UCI demands.
///
/// ```
/// use engine::{Bound, Info, Score};
///
/// let info = Info::read("depth 9 seldepth 12 score cp -31 upperbound nodes 5000 pv e7e5 g1f3");
/// assert_eq!((info.depth, info.score, info.bound), (Some(9), Some(Score::Centipawns(-31)), Some(Bound::Upper)));
/// assert_eq!((info.nodes, info.pv), (Some(5000), vec!["e7e5", "g1f3"]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info<'a> {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// The greatest depth of a line, in plies.
    pub seldepth: Option<u32>,
    /// Time since the search began.
    pub time: Option<Duration>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// The rank of the move among the best ones, from 1.
    pub multipv: Option<u32>,
    /// The evaluation for the side to move.
    pub score: Option<Score>,
    /// Whether the evaluation is only a bound.
    pub bound: Option<Bound>,
    /// How often the side to move wins, draws and loses.
    pub wdl: Option<WinDrawLoss>,
    /// The expected moves, in UCI notation.
    pub pv: Vec<&'a str>,
    /// The move that is searched.
    pub currmove: Option<&'a str>,
    /// A message; nothing follows it.
    pub string: Option<&'a str>,
}

/// An evaluation for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In centipawns.
    Centipawns(i64),
    /// Mate in a number of moves; not positive if the side to move is mated.
    Mate(i64),
}

/// How an evaluation limits the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
}

/// Wins, draws and losses of the side to move in a thousand games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinDrawLoss {
    /// Wins.
    pub wins: u32,
    /// Draws.
    pub draws: u32,
    /// Losses.
    pub losses: u32,
}

impl<'a> Info<'a> {
    /// Reads what follows the word `info`.
    pub fn read(text: &'a str) -> Self {
        let mut info = Info::default();
        let mut rest = AnswerWords(text);
        while let Some(word) = rest.next() {
            match word {
                "depth" => info.depth = rest.number(),
                "seldepth" => info.seldepth = rest.number(),
                "time" => info.time = rest.number().map(Duration::from_millis),
                "nodes" => info.nodes = rest.number(),
                "multipv" => info.multipv = rest.number(),
                "cp" => info.score = rest.number().map(Score::Centipawns),
                "mate" => info.score = rest.number().map(Score::Mate),
                "lowerbound" => info.bound = Some(Bound::Lower),
                "upperbound" => info.bound = Some(Bound::Upper),
                "wdl" => {
                    let numbers = [rest.number(), rest.number(), rest.number()];
                    if let [Some(wins), Some(draws), Some(losses)] = numbers {
                        info.wdl = Some(WinDrawLoss { wins, draws, losses });
                    }
                }
                "currmove" => info.currmove = rest.value(),
                "pv" => info.pv.extend(std::iter::from_fn(|| rest.mv())),
                "refutation" | "currline" => while rest.value().is_some() {},
                "string" => {
                    info.string = Some(rest.0.trim_start());
                    return info;
                }
                _ => {}
            }
        }
        info
    }
}

struct AnswerWords<'a>(&'a str);

impl<'a> AnswerWords<'a> {
    /// Returns the next word if it begins no other part.
    fn value(&mut self) -> Option<&'a str> {
        match self.0.split_ascii_whitespace().next()? {
            "depth" | "seldepth" | "time" | "nodes" | "pv" | "multipv" | "score" | "lowerbound"
            | "upperbound" | "wdl" | "currmove" | "currmovenumber" | "hashfull" | "nps"
            | "tbhits" | "sbhits" | "cpuload" | "string" | "refutation" | "currline" => None,
            _ => self.next(),
        }
    }

    /// The next word if it may be a move: most are, and comparing with all keys took half the time.
    fn mv(&mut self) -> Option<&'a str> {
        let second = self.0.trim_ascii_start().as_bytes().get(1)?;
        if second.is_ascii_digit() || *second == b'@' { self.next() } else { None }
    }

    fn number<N: std::str::FromStr>(&mut self) -> Option<N> {
        self.value()?.parse().ok()
    }
}

impl<'a> Iterator for AnswerWords<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_ascii_start();
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        self.0 = &text[end..];
        (end > 0).then(|| &text[..end])
    }
}

pub(crate) fn first_word(line: &str) -> (&str, &str) {
    let end = line.find(|c: char| c.is_ascii_whitespace()).unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii_start())
}

/// Why an answer is missing.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EngineError {
    #[error("{program} cannot be started")]
    Start {
        program: String,
        #[source]
        source: io::Error,
    },
    #[error("the engine has no option {name}; it has {}", known.join(", "))]
    NoOption { name: String, known: Vec<String> },
    #[error("{setting}: the engine expects {expected}")]
    Value { setting: OptionSetting, expected: String },
    #[error("the engine does not play {}", .0.uci())]
    NoVariant(Variant),
    #[error("the engine does not play Chess960")]
    NoChess960,
    #[error("the engine ended{}", EndOf(*status, said))]
    Ended { status: Option<ExitStatus>, said: String },
    #[error("{program} wrote no {answer} for {} s{}", time.as_secs_f64(), if *answer == "uciok" { ": is it a UCI engine?" } else { "" })]
    NoAnswer { program: String, answer: &'static str, time: Duration },
    #[error("the engine wrote nothing{} for {} s", if *babbles { " new" } else { "" }, time.as_secs_f64())]
    Silent { time: Duration, babbles: bool },
    #[error("the engine searched on for {} s after its limit, {limits}", time.as_secs_f64())]
    Overrun { time: Duration, limits: Limits },
    #[error("the search took more than {} s, {} times the time-out", .0.as_secs_f64(), MOST_TIMEOUTS)]
    TooLong(Duration),
    #[error("the engine answered {0:?}, which is illegal")]
    IllegalMove(String),
    #[error("the engine wrote {0:?}, and more that is not UCI")]
    Garbage(String),
    /// The [`StopCheck`](crate::StopCheck) ended the run.
    #[error("the run was stopped")]
    Stopped,
}

impl EngineError {
    /// Whether the engine goes on as if nothing had happened.
    pub(crate) fn is_harmless(&self) -> bool {
        matches!(self, EngineError::NoVariant(_) | EngineError::NoChess960)
    }

    /// Whether a new process may find an answer.
    pub(crate) fn may_pass(&self) -> bool {
        !self.is_harmless()
            && !matches!(self, EngineError::Overrun { .. } | EngineError::TooLong(_))
    }
}

struct EndOf<'e>(Option<ExitStatus>, &'e str);

impl fmt::Display for EndOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |status| write!(f, " ({status})"))?;
        if self.1.is_empty() { Ok(()) } else { write!(f, ": {}", self.1) }
    }
}

/// What an engine says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The best move, in SAN.
    pub best: MoveText,
    /// The best moves that were evaluated, by their rank. A bound is not an evaluation.
    pub lines: Vec<EvaluatedLine>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Time of the search.
    pub time: Option<Duration>,
    /// What the engine found in the course of the search.
    pub findings: Vec<Finding>,
    /// Whether the search ended far below its limits, so that the engine may not know them.
    pub is_short: bool,
}

impl Answer {
    /// Reads what an engine writes during a search: the lines up to `bestmove`. Fails if a move is
    /// illegal, or the best one is missing.
    ///
    /// ```
    /// use engine::{Answer, Board, Question, Settings};
    ///
    /// let question = Question::new(Board::Chess(Default::default()));
    /// let settings = Settings::new("stockfish".parse()?);
    /// let lines = ["info depth 9 score cp 31 pv e2e4 e7e5", "bestmove e2e4 ponder e7e5"];
    /// assert_eq!(Answer::read(&question, &settings, lines)?.best.as_str(), "e4");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn read<'l>(
        question: &Question,
        settings: &Settings,
        lines: impl IntoIterator<Item = &'l str>,
    ) -> Result<Self, EngineError> {
        let mut search = Search::new(question, settings);
        for line in lines {
            match first_word(line) {
                ("info", rest) => drop(search.add(rest)),
                ("bestmove", rest) => return search.finish(rest),
                _ => {}
            }
        }
        Err(EngineError::Ended { status: None, said: String::new() })
    }
}

/// What an engine holds for best from some moment of a search on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The move, in SAN.
    pub best: MoveText,
    /// The number of moves in which it mates, if it does.
    pub mate: Option<i64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Time since the search began.
    pub time: Option<Duration>,
}

/// A move that was evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluatedLine {
    /// The evaluation for the side to move.
    pub score: Score,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// How often the side to move wins, draws and loses.
    pub wdl: Option<WinDrawLoss>,
    /// The expected moves, in SAN, up to one that is illegal.
    pub moves: Vec<MoveText>,
}

pub(crate) struct Search<'q> {
    question: &'q Question,
    /// The last line of each rank that has an evaluation, as the engine wrote it.
    lines: Vec<String>,
    nodes: Option<u64>,
    time: Option<Duration>,
    /// The first move of the best line, as the engine wrote it.
    best: String,
    findings: Vec<Finding>,
    /// The greatest depth so far, and the current move.
    depth: Option<u32>,
    currmove: String,
    settings: &'q Settings,
    /// Whether the engine has searched more than it was told to.
    pub(crate) is_past: bool,
}

/// The greatest number of legal moves of a position is 218, with drops some more.
const MOST_LINES: usize = 1024;

/// A depth that is reached before other limits in the simplest endings alone.
const DEEP: u32 = 60;

/// The last ones are kept. Engines change their mind some dozens of times.
const MOST_FINDINGS: usize = 1024;

impl<'q> Search<'q> {
    pub(crate) fn new(question: &'q Question, settings: &'q Settings) -> Self {
        Search {
            question,
            lines: Vec::new(),
            nodes: None,
            time: None,
            best: String::new(),
            findings: Vec::new(),
            depth: None,
            currmove: String::new(),
            settings,
            is_past: false,
        }
    }

    /// Adds what follows the word `info`; returns whether the search makes progress.
    pub(crate) fn add(&mut self, text: &str) -> bool {
        let info = Info::read(text);
        let Limits { nodes, depth, .. } = self.settings.limits;
        let is_beyond = |limit: Option<u64>, value| limit.is_some_and(|limit| value > Some(limit));
        self.is_past |= is_beyond(nodes, info.nodes)
            || is_beyond(depth.map(u64::from), info.depth.map(u64::from));
        let is_other_move = info.currmove.is_some_and(|mv| mv != self.currmove);
        let is_new = info.nodes > self.nodes || info.depth > self.depth || is_other_move;
        let is_progress = is_new && !self.is_past;
        if let Some(mv) = info.currmove.filter(|_| is_other_move) {
            mv.clone_into(&mut self.currmove);
        }
        self.depth = info.depth.max(self.depth);
        self.nodes = info.nodes.or(self.nodes);
        self.time = info.time.or(self.time);
        let rank = info.multipv.unwrap_or(1).max(1) as usize - 1;
        if rank == 0 {
            self.note(&info);
        }
        if info.score.is_none() || info.bound.is_some() || rank >= MOST_LINES {
            return is_progress;
        }
        if self.lines.len() <= rank {
            self.lines.resize(rank + 1, String::new());
        }
        text.clone_into(&mut self.lines[rank]);
        is_progress
    }

    fn note(&mut self, info: &Info<'_>) {
        let Some(best) = info.pv.first() else { return };
        let last = self.findings.last().filter(|_| self.best == *best);
        let mate = match (info.score, info.bound) {
            (Some(Score::Mate(moves @ 1..)), None) => Some(moves),
            (Some(_), None) => None,
            // A bound says nothing of a mate that is known.
            _ => last.and_then(|last| last.mate),
        };
        if last.is_some_and(|last| last.mate == mate) {
            return;
        }
        if let [san] = self.question.san([*best])[..] {
            let Search { nodes, time, .. } = *self;
            (*best).clone_into(&mut self.best);
            if self.findings.len() == MOST_FINDINGS {
                self.findings.drain(..MOST_FINDINGS / 2);
            }
            self.findings.push(Finding { best: san, mate, depth: info.depth, nodes, time });
        }
    }

    /// Ends the search with the best move, in UCI notation, before other words.
    pub(crate) fn finish(self, best: &str) -> Result<Answer, EngineError> {
        let best = first_word(best).0;
        let illegal = |mv: &str| EngineError::IllegalMove(mv.to_owned());
        let san = self.question.san([best]).first().copied().ok_or_else(|| illegal(best))?;
        let mut lines = Vec::new();
        for text in self.lines.iter().filter(|text| !text.is_empty()) {
            let info = Info::read(text);
            let moves = self.question.san(info.pv.iter().copied());
            if let (Some(first), true) = (info.pv.first(), moves.is_empty()) {
                return Err(illegal(first));
            }
            let score = info.score.expect("lines without one are not added");
            lines.push(EvaluatedLine { score, depth: info.depth, wdl: info.wdl, moves });
        }
        let is_short = self.is_short(lines.first());
        let Search { nodes, time, findings, .. } = self;
        Ok(Answer { best: san, lines, nodes, time, findings, is_short })
    }

    /// Below a tenth of the nodes or time, or half of the depth, without a mate or another reason.
    fn is_short(&self, best: Option<&EvaluatedLine>) -> bool {
        let Limits { nodes, depth, movetime } = self.settings.limits;
        let is_mate = best.is_some_and(|line| matches!(line.score, Score::Mate(_)));
        let is_below = [
            nodes.map(|limit| self.nodes.is_some_and(|nodes| nodes < limit / 10)),
            depth.map(|limit| self.depth.is_some_and(|depth| depth < limit / 2)),
            movetime.map(|limit| self.time.is_some_and(|time| time < limit / 10)),
        ];
        let mut is_below = is_below.into_iter().flatten().peekable();
        is_below.peek().is_some()
            && is_below.all(|is_below| is_below)
            && !(is_mate || self.depth >= Some(DEEP))
            && self.question.has_choice()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use san::Position;

    use super::{Board, *};

    fn chess(fen: &str) -> Question {
        Question::new(Board::Chess(Position::from_fen(fen).unwrap()))
    }

    fn words(moves: &[MoveText]) -> Vec<&str> {
        moves.iter().map(MoveText::as_str).collect()
    }

    #[test]
    fn positions_are_written_for_engines() {
        for (fen, written, is_chess960) in [
            // The rook's pawn cannot be taken en passant.
            ("4k3/8/8/8/4P3/8/8/R3K2R b KQ e3 3 9", "4k3/8/8/8/4P3/8/8/R3K2R b KQ - 3 9", false),
            ("4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 9", "4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 9", false),
            ("1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1", "1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1", true),
            ("4k3/8/8/8/8/8/8/R3K1R1 w Q - 0 1", "4k3/8/8/8/8/8/8/R3K1R1 w Q - 0 1", false),
            ("4k3/8/8/8/8/8/8/R3K1R1 w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K1R1 w GA - 0 1", true),
            // Only the king is not where it is in chess.
            ("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", "4k3/8/8/8/8/8/8/R2K3R w HA - 0 1", true),
            ("r4k1r/8/8/8/8/8/8/4K3 w kq - 0 1", "r4k1r/8/8/8/8/8/8/4K3 w ha - 0 1", true),
            ("r4k1r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "r4k1r/8/8/8/8/8/8/R3K2R w KQ - 0 1", false),
            ("r4k1r/8/8/8/8/8/8/R3K2R w KQq - 0 1", "r4k1r/8/8/8/8/8/8/R3K2R w HAa - 0 1", true),
        ] {
            let question = chess(fen);
            assert_eq!((question.fen(), question.is_chess960()), (written.to_owned(), is_chess960));
        }
    }

    #[test]
    fn answers_become_san_up_to_an_illegal_move() {
        let question = chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let line = question.san(["e1g1", "e8c8", "e1g1", "a1a8"]);
        assert_eq!(words(&line), ["O-O", "O-O-O"]);
        assert_eq!(question.san(["Ra7"]), []);
        // Castling of Chess960 is the king taking its rook.
        let question = chess("4k3/8/8/8/8/8/8/1RK4R w KQ - 0 1");
        assert_eq!(words(&question.san(["c1b1"])), ["O-O-O"]);
        assert_eq!(words(&question.san(["c1h1", "e8d7"])), ["O-O", "Kd7"]);
    }

    #[test]
    fn moves_to_be_searched_are_written_as_engines_read_them() {
        let mut question = chess("4k3/8/8/8/8/8/8/1RK4R w KQ - 0 1");
        question.search_only(["O-O", "Kd2"]).unwrap();
        assert_eq!(words(&question.searchmoves), ["c1h1", "c1d2"]);
        // Here one of the rooks is where it is in chess.
        let mut question = chess("4k3/8/8/8/8/8/8/R3K1R1 w KQ - 0 1");
        question.search_only(["O-O-O", "O-O"]).unwrap();
        assert_eq!(words(&question.searchmoves), ["e1a1", "e1g1"]);
        let mut position = Position::from_fen("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        position.set_chess960();
        let mut question = Question::new(Board::Chess(position));
        question.search_only(["O-O", "a8=N"]).unwrap();
        assert_eq!(words(&question.searchmoves), ["e1g1", "a7a8n"]);
    }

    #[test]
    fn variants_have_their_own_moves() {
        let crazyhouse = Variant::Crazyhouse;
        let fen = b"4k3/8/8/8/8/8/8/4K3[N] w - - 0 1";
        let (position, _, _) = VariantPosition::playable_from_fen(crazyhouse, fen).unwrap();
        let question = Question::new(Board::Variant(position));
        assert_eq!(question.variant(), crazyhouse);
        assert_eq!(words(&question.san(["N@f6", "e8e7"])), ["N@f6+", "Ke7"]);
        assert_eq!(question.fen(), "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1");
    }

    #[test]
    fn a_position_without_moves_is_over() {
        assert!(chess("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").is_over());
        assert!(chess("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").is_over());
        assert!(!chess("7k/8/6K1/8/8/8/8/8 b - - 0 1").is_over());
    }

    #[test]
    fn parts_come_in_any_order_with_any_blanks() {
        let scores = "score mate -3 wdl 0 1 999 multipv 2 depth 5 nps 7";
        let text = format!(" nodes 12\t time 34  pv e2e4 e7e5 {scores}");
        let info = Info::read(&text);
        let expected = Info {
            depth: Some(5),
            time: Some(Duration::from_millis(34)),
            nodes: Some(12),
            multipv: Some(2),
            score: Some(Score::Mate(-3)),
            wdl: Some(WinDrawLoss { wins: 0, draws: 1, losses: 999 }),
            pv: vec!["e2e4", "e7e5"],
            ..Info::default()
        };
        assert_eq!(info, expected);
    }

    #[test]
    fn a_message_is_the_rest_of_the_line() {
        let info = Info::read("depth 3 string score cp 5 pv e2e4");
        let expected =
            Info { depth: Some(3), string: Some("score cp 5 pv e2e4"), ..Info::default() };
        assert_eq!(info, expected);
    }

    #[test]
    fn what_cannot_be_read_is_left_out() {
        for text in [
            "depth x", "depth", "score cp", "score cp 1e9", "wdl 1 2", "wdl 1 2 -3", "pv",
            "currline 1 e2e4", "refutation d1h5", "hello world",
        ] {
            assert_eq!(Info::read(text), Info::default(), "{text}");
        }
        assert_eq!(Info::read("score mate 99999999999999999999"), Info::default());
        assert_eq!(Info::read("depth nodes 5").nodes, Some(5));
    }

    #[test]
    fn a_current_move_is_no_line() {
        let info = Info::read("depth 20 currmove e2e4 currmovenumber 1");
        assert_eq!((info.currmove, info.pv, info.score), (Some("e2e4"), vec![], None));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC*") {
            let _ = Info::read(&text);
        }
    }

    fn answer(infos: &[&str], best: &str) -> Result<Answer, EngineError> {
        let question = Question::new(Board::Chess(Position::default()));
        let settings = Settings::new("x".parse().unwrap());
        let mut search = Search::new(&question, &settings);
        for info in infos {
            search.add(info);
        }
        search.finish(best)
    }

    fn scores(answer: &Answer) -> Vec<(Score, String)> {
        let text = |line: &EvaluatedLine| {
            let moves: Vec<&str> = line.moves.iter().map(MoveText::as_str).collect();
            (line.score, moves.join(" "))
        };
        answer.lines.iter().map(text).collect()
    }

    #[test]
    fn a_bound_does_not_replace_an_evaluation() {
        let answer = answer(
            &[
                "depth 8 score cp 20 nodes 100 time 1 pv e2e4 e7e5",
                "depth 9 currmove d2d4 currmovenumber 2",
                "depth 9 score cp 35 lowerbound nodes 200 time 2 pv d2d4",
                "nodes 250 time 3 nps 99",
                "string evaluation by a net",
            ],
            "d2d4",
        )
        .unwrap();
        assert_eq!((answer.best.as_str(), answer.nodes), ("d4", Some(250)));
        assert_eq!(answer.time, Some(Duration::from_millis(3)));
        assert_eq!(answer.lines[0].depth, Some(8));
        assert_eq!(scores(&answer), [(Score::Centipawns(20), "e4 e5".to_owned())]);
    }

    #[test]
    fn a_search_goes_on_if_it_says_something_new_within_its_limits() {
        let question = Question::new(Board::Chess(Position::default()));
        let limits = Limits { nodes: Some(100), depth: Some(5), movetime: None };
        let settings = Settings { limits, ..Settings::new("x".parse().unwrap()) };
        let mut search = Search::new(&question, &settings);
        for (info, course) in [
            ("depth 1 score cp 1 nodes 10 pv e2e4", true),
            ("depth 1 score cp 2 nodes 10 time 9 pv d2d4", false),
            ("string still here", false),
            ("depth 2", true),
            ("nodes 11", true),
            ("depth 2 currmove e2e4", true),
            ("depth 2 currmove e2e4", false),
            ("depth 2 currmove d2d4", true),
            ("depth 5 nodes 100", true),
            ("depth 6 nodes 100", false),
            ("depth 5 nodes 99 currmove a2a3", false),
        ] {
            assert_eq!(search.add(info), course, "{info}");
        }
        assert!(search.is_past);
        let mut search = Search::new(&question, &settings);
        assert_eq!((search.add("nodes 101"), search.is_past), (false, true));
    }

    #[test]
    fn a_search_that_ends_far_below_its_limits_is_short() {
        let limits = |nodes, depth, time: Option<u64>| Limits {
            nodes,
            depth,
            movetime: time.map(Duration::from_millis),
        };
        let (choice, single) = (Position::default(), "k7/8/1K6/8/8/8/8/7R b - - 0 1");
        let single = Position::from_fen(single).unwrap();
        for (limits, info, best, is_short) in [
            (limits(Some(5000), None, None), "depth 1 score cp 1 nodes 5", "e2e4", true),
            (limits(Some(5000), None, None), "depth 9 score cp 1 nodes 499", "e2e4", true),
            (limits(Some(5000), None, None), "depth 9 score cp 1 nodes 500", "e2e4", false),
            (limits(Some(5000), None, None), "depth 9 score cp 1", "e2e4", false),
            (limits(Some(5000), None, None), "depth 9 score mate 3 nodes 5", "e2e4", false),
            (limits(Some(5000), None, None), "depth 99 score cp 0 nodes 450", "e2e4", false),
            (limits(Some(5000), None, None), "depth 1 score cp 1 nodes 5", "a8b8", false),
            (limits(None, Some(20), None), "depth 1 score cp 1 nodes 5", "e2e4", true),
            (limits(None, Some(20), None), "depth 10 score cp 1 nodes 5", "e2e4", false),
            (limits(None, None, Some(900)), "depth 1 score cp 1 time 89", "e2e4", true),
            (limits(None, None, Some(900)), "depth 1 score cp 1 time 90", "e2e4", false),
            (limits(Some(5000), Some(2), None), "depth 2 score cp 1 nodes 5", "e2e4", false),
            (limits(None, None, None), "depth 2 score cp 1 nodes 5", "e2e4", false),
        ] {
            let board = if best == "a8b8" { &single } else { &choice };
            let question = Question::new(Board::Chess(board.clone()));
            let settings = Settings { limits, ..Settings::new("x".parse().unwrap()) };
            let mut search = Search::new(&question, &settings);
            search.add(&format!("{info} pv {best}"));
            assert_eq!(search.finish(best).unwrap().is_short, is_short, "{limits:?} {info}");
        }
    }

    #[test]
    fn the_memory_of_a_search_is_bounded() {
        let question = Question::new(Board::Chess(Position::default()));
        let settings = Settings::new("x".parse().unwrap());
        let mut search = Search::new(&question, &settings);
        for number in 0..100_000 {
            let mv = ["e2e4", "d2d4"][number % 2];
            search.add(&format!("depth 1 multipv {number} score cp 1 nodes {number} pv {mv}"));
            search.add(&format!("depth 1 score cp 1 nodes {number} pv {mv}"));
        }
        let answer = search.finish("e2e4").unwrap();
        assert!(answer.findings.len() <= MOST_FINDINGS && answer.lines.len() <= MOST_LINES);
        assert_eq!(answer.findings.last().unwrap().nodes, Some(99_999));
    }

    #[test]
    fn a_finding_is_another_move_or_another_mate() {
        let infos = [
            "depth 1 score cp 1 nodes 10 pv e2e4",
            "depth 2 score cp 2 nodes 20 pv e2e4",
            "depth 3 score cp 3 lowerbound nodes 30 pv d2d4",
            "depth 3 multipv 2 score cp 3 nodes 31 pv c2c4",
            "depth 4 score mate 5 nodes 40 time 9 pv d2d4",
            "depth 5 score mate 2 upperbound nodes 50 pv d2d4",
            "depth 5 score mate 4 nodes 60 time 11 pv d2d4",
            "depth 6 score mate 4 nodes 70 pv d2d5",
            "depth 7 score mate -4 nodes 80 pv e2e4",
        ];
        let findings = answer(&infos, "e2e4").unwrap().findings;
        let found = findings.iter().map(|found| {
            (found.best.as_str(), found.mate, found.depth.unwrap(), found.nodes.unwrap())
        });
        let expected = [
            ("e4", None, 1, 10),
            ("d4", None, 3, 30),
            ("d4", Some(5), 4, 40),
            ("d4", Some(4), 5, 60),
            ("e4", None, 7, 80),
        ];
        assert!(found.eq(expected), "{findings:?}");
        let times =
            [1, 2, 4].map(|number: usize| findings[number].time.map(|time| time.as_millis()));
        assert_eq!(times, [None, Some(9), Some(11)]);
    }

    #[test]
    fn the_last_line_of_each_rank_counts() {
        let answer = answer(
            &[
                "depth 1 multipv 1 score cp 1 pv e2e4",
                "depth 1 multipv 2 score mate -4 pv d2d4",
                "depth 2 multipv 1 score cp 3 wdl 400 500 100 pv g1f3 g1f3",
                "depth 2 multipv 4000000000 score cp 3 pv b1c3",
                "depth 2 multipv 0 score cp 4 pv g1f3",
            ],
            "g1f3",
        )
        .unwrap();
        let expected =
            [(Score::Centipawns(4), "Nf3".to_owned()), (Score::Mate(-4), "d4".to_owned())];
        assert_eq!(scores(&answer), expected);
    }

    #[test]
    fn moves_that_cannot_be_played_are_errors() {
        for (infos, best, illegal) in [
            (&["score cp 1 pv e2e4"][..], "e2e5", "e2e5"),
            (&["score cp 1 pv e2e5"], "e2e4", "e2e5"),
            (&[], "(none)", "(none)"),
            (&[], "0000", "0000"),
            (&[], "e4", "e4"),
        ] {
            let error = answer(infos, best).unwrap_err();
            assert!(matches!(&error, EngineError::IllegalMove(mv) if mv == illegal), "{error}");
        }
    }
}
