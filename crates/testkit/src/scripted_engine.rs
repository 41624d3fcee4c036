//! A chess engine that does what a test wants, right or wrong.
//!
//! It is the test binary itself, so nothing else has to be built: a test calls [`run`], which
//! returns at once unless the binary was started by a [`command`].
//!
//! ```no_run
//! #[test]
//! fn scripted_engine() {
//!     testkit::scripted_engine::run();
//! }
//! ```
//!
//! A script consists of words:
//!
//! * `crash=2`, `hang=2`, `lie=2`, `close=2`, `garbage=2`: at the second search of a process; with
//!   a text instead of a number, in positions whose FEN contains it;
//! * `endless=2`, `says=info nodes #`: then it writes this line again and again, with a number that
//!   grows, up to `stop`, and goes on until `quit`;
//! * `slow=20`: searches take up to 20 milliseconds, depending on the position;
//! * `chatty`: much on standard error, lines that say nothing, lines that are not UCI;
//! * `bounds`: the last lines are bounds;
//! * `mute`: no evaluations, only the best move; `vague`: only bounds;
//! * `short`: searches end at the first depth, whatever the limit;
//! * `name=TEXT`: another name;
//! * `mates`: the scores are mates of either sign;
//! * `scale=3`: the scores are three times as large;
//! * `late`: another move is better at depth 4;
//! * `lacks=UCI_Chess960`: an option that it lacks;
//! * `log=FILE`: the lines that it reads are appended to a file.
//!
//! Its answers are [`expected`].

use std::env;
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::process;
use std::thread;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Position};

/// How the standard library calls the status of a process on this system.
pub const EXIT_STATUS: &str = if cfg!(windows) { "exit code" } else { "exit status" };

/// What script words begin with: the arguments of a test binary are names of tests.
const PREFIX: &str = "engine:";

/// Returns the words that start the engine with a script: the test binary, and the test that calls
/// [`run`].
pub fn command(test: &str, script: &[&str]) -> Vec<String> {
    let binary = env::current_exe().expect("a test has a binary");
    let mut words = vec![binary.to_string_lossy().into_owned()];
    words.extend(["--exact", test, "--test-threads=1"].map(str::to_owned));
    words.push(PREFIX.to_owned());
    words.extend(script.iter().map(|word| format!("{PREFIX}{word}")));
    words
}

/// An evaluation of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Centipawns, or moves to mate with `mates`.
    pub score: i64,
    /// The moves of the line, in UCI notation.
    pub moves: Vec<String>,
}

/// Returns the lines that the engine answers for a FEN, best first, without a script.
pub fn expected(fen: &str, chess960: bool, multipv: usize, searchmoves: &[&str]) -> Vec<Expected> {
    let Some((position, mode)) = read(fen, Variant::Chess, chess960) else { return Vec::new() };
    lines(&position, mode, fen, multipv, searchmoves)
}

/// Runs the engine on standard input and output, if the binary was started for this; ends the
/// process then.
#[expect(clippy::exit, reason = "the test that calls it does not go on")]
pub fn run() {
    let words: Vec<String> =
        env::args().filter_map(|word| word.strip_prefix(PREFIX).map(str::to_owned)).collect();
    if words.is_empty() {
        return;
    }
    let mut engine = Engine {
        script: words,
        variant: Variant::Chess,
        chess960: false,
        multipv: 1,
        wdl: false,
        fen: String::new(),
        searches: 0,
    };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        // A writer that is gone: the program has ended.
        if engine.line(&line).is_err() {
            break;
        }
    }
    process::exit(0);
}

struct Engine {
    script: Vec<String>,
    variant: Variant,
    chess960: bool,
    multipv: usize,
    wdl: bool,
    fen: String,
    searches: u64,
}

const OPTIONS: &[(&str, &str)] = &[
    ("Hash", "type spin default 16 min 1 max 1024"),
    ("Clear Hash", "type button"),
    ("MultiPV", "type spin default 1 min 1 max 256"),
    ("UCI_Chess960", "type check default false"),
    ("UCI_ShowWDL", "type check default false"),
    ("UCI_Variant", "type combo default chess var chess var atomic var crazyhouse var 3check"),
    ("Text", "type string default <empty>"),
];

impl Engine {
    fn value(&self, key: &str) -> Option<&str> {
        let with_key = |word: &String| word.split_once('=').is_some_and(|(name, _)| name == key);
        let word = self.script.iter().find(|word| with_key(word))?;
        word.split_once('=').map(|(_, value)| value)
    }

    fn has(&self, word: &str) -> bool {
        self.script.iter().any(|known| known == word)
    }

    /// Whether this search does something wrong.
    fn does(&self, key: &str) -> bool {
        self.value(key).is_some_and(|value| match value.parse::<u64>() {
            Ok(number) => number == self.searches,
            Err(_) => self.fen.contains(value),
        })
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        if let Some(path) = self.value("log") {
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            file.write_all(format!("{line}\n").as_bytes())?;
        }
        let mut out = io::stdout().lock();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" => {
                // The test that this is has begun a line.
                let name = self.value("name").unwrap_or("Scripted 1.0");
                writeln!(out, "\nid name {name}\nid author pgn2epd")?;
                for (name, described) in OPTIONS {
                    if self.value("lacks") != Some(name) {
                        writeln!(out, "option name {name} {described}")?;
                    }
                }
                writeln!(out, "uciok")?;
            }
            "isready" => writeln!(out, "readyok")?,
            "setoption" => {
                let rest = rest.strip_prefix("name ").unwrap_or(rest);
                match rest.split_once(" value ") {
                    Some(("UCI_Chess960", value)) => self.chess960 = value == "true",
                    Some(("UCI_ShowWDL", value)) => self.wdl = value == "true",
                    Some(("MultiPV", value)) => self.multipv = value.parse().unwrap_or(1),
                    Some(("UCI_Variant", value)) => {
                        self.variant = Variant::from_uci(value).unwrap_or(Variant::Chess);
                    }
                    _ => {}
                }
            }
            "position" => rest.strip_prefix("fen ").unwrap_or(rest).clone_into(&mut self.fen),
            "go" => {
                self.searches += 1;
                self.go(rest, &mut out)?;
            }
            "quit" => process::exit(0),
            _ => {}
        }
        out.flush()
    }

    fn go(&mut self, limits: &str, out: &mut impl Write) -> io::Result<()> {
        let hash = hash(&self.fen);
        if let Some(most) = self.value("slow").and_then(|most| most.parse::<u64>().ok()) {
            thread::sleep(Duration::from_millis(hash % (most + 1)));
        }
        if self.does("crash") {
            // Not `eprintln`, whose output a test keeps.
            writeln!(io::stderr(), "a piece fell off the board")?;
            process::exit(3);
        }
        if self.does("endless") {
            let text = self.value("says").unwrap_or_default().to_owned();
            // Not `println`, whose output a test keeps.
            let write = move |number: u64| {
                writeln!(io::stdout(), "{}", text.replace('#', &number.to_string()))
            };
            thread::spawn(move || {
                for number in 1.. {
                    write(number)?;
                    thread::sleep(Duration::from_millis(10));
                }
                io::Result::Ok(())
            });
            return Ok(());
        }
        if self.does("hang") {
            thread::sleep(Duration::from_secs(3600));
        }
        if self.does("garbage") {
            // More than a reader may want to ignore, and no answer.
            (0..5000).try_for_each(|number| writeln!(out, "segment {number} of the log"))?;
            out.flush()?;
            thread::sleep(Duration::from_secs(3600));
        }
        if self.does("lie") {
            writeln!(out, "info depth 1 score cp 999 pv a1a1\nbestmove a1a1")?;
            return Ok(());
        }
        let Some((position, mode)) = read(&self.fen, self.variant, self.chess960) else {
            return writeln!(out, "bestmove (none)");
        };
        let (limits, searchmoves) = limits.split_once("searchmoves ").unwrap_or((limits, ""));
        let searchmoves: Vec<&str> = searchmoves.split_whitespace().collect();
        let best = lines(&position, mode, &self.fen, self.multipv, &searchmoves);
        let limit = |name| {
            let mut words = limits.split_whitespace().skip_while(|word| *word != name);
            words.nth(1).and_then(|number| number.parse::<u64>().ok())
        };
        let is_short = self.has("short");
        let nodes = limit("nodes").filter(|_| !is_short).unwrap_or(if is_short { 5 } else { 1000 });
        let depth = limit("depth").filter(|_| !is_short).unwrap_or(if is_short { 1 } else { 7 });
        if self.has("chatty") {
            let mut messages = io::stderr().lock();
            (0..4000).try_for_each(|number| writeln!(messages, "thinking again: {number}"))?;
            writeln!(out, "info string NNUE evaluation using scripted.nnue\nhello\n\ninfo")?;
            writeln!(out, "info depth {depth} currmove e2e4 currmovenumber 1")?;
        }
        let scale = self.value("scale").and_then(|scale| scale.parse().ok()).unwrap_or(1);
        let shown = if self.has("mute") { &[] } else { &best[..] };
        for (rank, line) in shown.iter().enumerate() {
            if self.has("vague") {
                let (score, first) = (line.score, &line.moves[0]);
                writeln!(out, "info depth 7 score cp {score} upperbound nodes 500 pv {first}")?;
                continue;
            }
            let kind = if self.has("mates") { "mate" } else { "cp" };
            let (rank, moves) = (rank + 1, line.moves.join(" "));
            // An earlier evaluation, which does not count.
            writeln!(
                out,
                "info depth 1 multipv {rank} score cp 7777 nodes 1 pv {}",
                line.moves[0]
            )?;
            if self.has("late") {
                let both = lines(&position, mode, &self.fen, 2, &searchmoves);
                for (depth, line) in [3, 4].into_iter().zip(both) {
                    let first = &line.moves[0];
                    writeln!(
                        out,
                        "info depth {depth} score cp 1 nodes {depth}0 time 5 pv {first}"
                    )?;
                }
            }
            write!(
                out,
                "info depth {depth} seldepth 9 multipv {rank} score {kind} {}",
                line.score * scale
            )?;
            if self.wdl {
                let wins = hash % 1000;
                write!(out, " wdl {wins} {} 0", 1000 - wins)?;
            }
            writeln!(out, " nodes {nodes} nps 1000 time 12 pv {moves}")?;
            if self.has("bounds") {
                let kind = if hash.is_multiple_of(2) { "lowerbound" } else { "upperbound" };
                let depth = depth + 1;
                let first = &line.moves[0];
                writeln!(out, "info depth {depth} multipv {rank} score cp 8888 {kind} pv {first}")?;
            }
        }
        let best = match best.first().map(|line| &line.moves[..]) {
            Some([best, reply, ..]) => format!("bestmove {best} ponder {reply}"),
            Some([best, ..]) => format!("bestmove {best}"),
            _ => "bestmove (none)".to_owned(),
        };
        writeln!(out, "{best}")?;
        out.flush()?;
        if self.does("close") {
            process::exit(0);
        }
        Ok(())
    }
}

fn read(fen: &str, variant: Variant, chess960: bool) -> Option<(VariantPosition, CastlingMode)> {
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let setup = Fen::from_ascii(fen.as_bytes()).ok()?.into_setup();
    Some((VariantPosition::from_setup(variant, setup, mode).ok()?, mode))
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step) >> 8
}

fn lines(
    position: &VariantPosition,
    mode: CastlingMode,
    fen: &str,
    multipv: usize,
    searchmoves: &[&str],
) -> Vec<Expected> {
    let hash = hash(fen);
    let mut moves: Vec<(String, shakmaty::Move)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| (UciMove::from_move(mv, mode).to_string(), mv))
        .collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    moves.retain(|(text, _)| searchmoves.is_empty() || searchmoves.contains(&&**text));
    let count = moves.len();
    (0..multipv.min(count))
        .map(|rank| {
            let (text, mv) = &moves[(hash as usize + rank) % count];
            let mut line = vec![text.clone()];
            let mut next = position.clone();
            next.play_unchecked(*mv);
            if let Some(reply) = next.legal_moves().first() {
                line.push(UciMove::from_move(*reply, mode).to_string());
            }
            // 1 to 40 of either sign.
            let magnitude = (hash % 40 + 1) as i64;
            let score = if hash & 64 == 0 { magnitude } else { -magnitude };
            Expected { score: score - 10 * rank as i64, moves: line }
        })
        .collect()
}
