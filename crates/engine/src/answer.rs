//! What an engine says of a position.

use std::time::Duration;

use san::MoveText;

use crate::error::EngineError;
use crate::info::{Info, Score, WinDrawLoss, first_word};
use crate::question::Question;
use crate::settings::{Limits, Settings};

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
    /// Whether the search ended far below its limits although there was something to search: the
    /// engine may not know them.
    pub is_short: bool,
}

impl Answer {
    /// Reads what an engine writes during a search: the lines up to `bestmove`.
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
    ///
    /// # Errors
    ///
    /// If a move is illegal, or the best one is missing.
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
    is_past: bool,
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

    /// Whether the engine has searched more than it was told to.
    pub(crate) fn is_past(&self) -> bool {
        self.is_past
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

    /// Takes note of another best move, or of another mate.
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
    use san::Position;

    use super::*;
    use crate::question::Board;

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
        assert!(search.is_past());
        let mut search = Search::new(&question, &settings);
        assert_eq!((search.add("nodes 101"), search.is_past()), (false, true));
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
        let time = |milliseconds| Some(Duration::from_millis(milliseconds));
        assert_eq!(
            (findings[1].time, findings[2].time, findings[4].time),
            (None, time(9), time(11))
        );
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
