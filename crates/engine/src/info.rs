//! What an engine says while it searches: lines that begin with `info`.

use std::time::Duration;

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

/// The words that begin another part of a line.
const KEYS: &[&str] = &[
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "lowerbound",
    "upperbound",
    "wdl",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
];

impl<'a> Info<'a> {
    /// Reads what follows the word `info`.
    pub fn read(text: &'a str) -> Self {
        let mut info = Info::default();
        let mut rest = Words(text);
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

struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    /// Returns the next word if it begins no other part.
    fn value(&mut self) -> Option<&'a str> {
        let word = self.0.split_ascii_whitespace().next()?;
        if KEYS.contains(&word) { None } else { self.next() }
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

impl<'a> Iterator for Words<'a> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_come_in_any_order_with_any_blanks() {
        let info = Info::read(
            " nodes 12\t time 34  pv e2e4 e7e5 score mate -3 wdl 0 1 999 multipv 2 depth 5 nps 7",
        );
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
            "depth x",
            "depth",
            "score cp",
            "score cp 1e9",
            "score mate 99999999999999999999",
            "wdl 1 2",
            "wdl 1 2 -3",
            "currline 1 e2e4 e7e5",
            "refutation d1h5 g6h5",
            "pv",
            "hello world",
        ] {
            assert_eq!(Info::read(text), Info::default(), "{text}");
        }
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
}
