//! Games for fuzz targets: moves are legal, and everything around them is arbitrary. Count files
//! with arbitrary contents.

use arbitrary::Arbitrary;
use pgn2epd::book::count_file::MAGIC;
use san::{Position, san_of};

/// A game: tags, moves and the text between them.
#[derive(Arbitrary, Debug)]
pub struct Game<'a> {
    start: u8,
    tags: Vec<(u8, &'a str)>,
    plies: Vec<Ply<'a>>,
    result: u8,
}

/// A move, as an index into the legal moves, and the text after it.
#[derive(Arbitrary, Debug)]
struct Ply<'a> {
    choice: u8,
    after: After<'a>,
}

#[derive(Arbitrary, Debug)]
enum After<'a> {
    Nothing,
    Comment(&'a str),
    Clock(u16),
    Eval(i16, u8),
    Mate(i8),
    Engine(i16, u8, u16),
    /// As in cutechess and TCEC: score, depth, nodes, moves of the line, and whether the line
    /// begins with the move played.
    Line(i16, u8, u32, u8, bool),
    Tcec(i16, u8, u32, u8, bool),
    Book,
    Ending(u8),
    Nag(u8),
    Variation(u8, u8),
    Blank(u8),
}

/// Chooses the move that reverses the last move of the side to move, if it is legal, so that
/// positions are repeated.
const BACK: u8 = 255;

const STARTS: &[&str] = &[
    "",
    "",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 b - - 97 120",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/8/8/4k3/8/4K3/8/N7 w - - 98 200",
];

const TAGS: &[&str] = &[
    "White", "Black", "Result", "WhiteElo", "BlackElo", "Date", "ECO", "Opening", "Variation",
    "SubVariation", "Termination", "Event", "NIC", "Annotator",
];

const RESULTS: &[&str] = &["*", "1-0", "0-1", "1/2-1/2", ""];

/// A game as text, and the positions of its main line.
#[derive(Debug, Default)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The start, then the position after each move.
    pub positions: Vec<Position>,
}

impl Game<'_> {
    /// Writes the game: at most `plies` moves.
    pub fn write(&self, plies: usize) -> Written {
        let mut text = String::from("[Event \"x\"]\n");
        let start = STARTS[usize::from(self.start) % STARTS.len()];
        if !start.is_empty() {
            text += &format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n");
        }
        for (name, value) in self.tags.iter().take(8) {
            let name = TAGS[usize::from(*name) % TAGS.len()];
            let value = value.replace(['\\', '"', '\n', '\r'], "'");
            text += &format!("[{name} \"{value}\"]\n");
        }
        let result = RESULTS[usize::from(self.result) % RESULTS.len()];
        text += &format!("[Result \"{result}\"]\n\n");
        let mut position = Position::from_fen(start).unwrap_or_default();
        let mut positions = vec![position.clone()];
        let mut played = Vec::new();
        for ply in self.plies.iter().take(plies) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let back =
                played.len().checked_sub(2).map(|at| played[at]).and_then(|last: san::Move| {
                    moves.iter().find(|next| next.from() == last.to() && next.to() == last.from())
                });
            let next = match back {
                Some(back) if ply.choice == BACK => *back,
                _ => moves[usize::from(ply.choice) % moves.len()],
            };
            let other = moves[usize::from(ply.choice / 2) % moves.len()];
            text += &format!("{} ", san_of(&position, next));
            ply.after.write(&position, next, other, &mut text);
            position.play_unchecked(next);
            played.push(next);
            positions.push(position.clone());
        }
        text += result;
        text += "\n\n";
        Written { text, positions }
    }
}

impl After<'_> {
    fn write(&self, position: &Position, next: san::Move, other: san::Move, text: &mut String) {
        *text += &match self {
            After::Nothing => return,
            After::Comment(comment) => format!("{{{}}} ", comment.replace('}', ")")),
            After::Clock(seconds) => {
                let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
                format!("{{[%clk {hours}:{minutes:02}:{seconds:02}]}} ")
            }
            After::Eval(centipawns, depth) => {
                format!("{{[%eval {:.2},{depth}]}} ", f64::from(*centipawns) / 100.0)
            }
            After::Mate(moves) => format!("{{[%eval #{moves}]}} "),
            After::Engine(centipawns, depth, millis) => {
                let seconds = f64::from(*millis) / 1000.0;
                format!("{{{:+.2}/{depth} {seconds:.3}s}} ", f64::from(*centipawns) / 100.0)
            }
            After::Line(centipawns, depth, nodes, moves, is_legal) => {
                let line = line(position, if *is_legal { next } else { other }, *moves);
                let score = f64::from(*centipawns) / 100.0;
                format!("{{{score:+.2}/{depth} 0.1s, n={nodes}, pv=\"{line}\"}} ")
            }
            After::Tcec(centipawns, depth, nodes, moves, is_legal) => {
                let line = line(position, if *is_legal { next } else { other }, *moves);
                let score = f64::from(*centipawns) / 100.0;
                format!(
                    "{{d={depth}, sd={depth}, mt={nodes}, tl=1218074, n={nodes}, pv={line}, tb=0, wv={score:.2}, R50=50,}} "
                )
            }
            After::Book => "{book} ".into(),
            After::Ending(which) => {
                let endings = [
                    "{White resigns} ",
                    "{Black resigns} ",
                    "{+M5/12 0.1s, White mates} ",
                    "{0.00/1 0s, Draw by 3-fold repetition} ",
                    "{-M2/3 0s} ",
                ];
                endings[usize::from(*which) % endings.len()].into()
            }
            After::Nag(number) => format!("${number} "),
            After::Variation(first, second) => {
                let mut line = format!("({} ", san_of(position, other));
                let mut position = position.clone();
                position.play_unchecked(other);
                let moves = position.legal_moves();
                if !moves.is_empty() {
                    let next = moves[usize::from(*first) % moves.len()];
                    line += &format!("{{v{second}}} {}", san_of(&position, next));
                }
                line + ") "
            }
            After::Blank(which) => {
                let blanks = [
                    "\t", "\r\n", "\n", "\u{a0}", "\u{b}", "\u{2026} ", "..", "\n% escaped\n",
                    " ; rest\n", "!? ",
                ];
                blanks[usize::from(*which) % blanks.len()].into()
            }
        };
    }
}

/// A line of legal moves that begins with `first`.
fn line(position: &Position, first: san::Move, moves: u8) -> String {
    let (mut position, mut next) = (position.clone(), Some(first));
    let mut line = Vec::new();
    for choice in 0..=usize::from(moves % 8) {
        let Some(mv) = next else { break };
        line.push(san_of(&position, mv).to_string());
        position.play_unchecked(mv);
        let legal = position.legal_moves();
        next = legal.get(choice * 7 % legal.len().max(1)).copied();
    }
    line.join(" ")
}

/// Appends a stored part to a count file, and returns its record, with the key of the position that
/// a block without texts begins with.
fn add(file: &mut Vec<u8>, part: &[u8], first: &[u8; 32]) -> Vec<u8> {
    let (bytes, offset) = ([&[0], part].concat(), file.len() as u64);
    file.extend_from_slice(&bytes);
    let (len, crc) = (bytes.len() as u32, crc32fast::hash(&bytes));
    [&first[..], &offset.to_le_bytes(), &len.to_le_bytes(), &crc.to_le_bytes()].concat()
}

/// A file of any bytes, or whose block or page has these, and whose checksums are right.
pub fn count_file(kind: u8, data: &[u8]) -> Vec<u8> {
    let mut file = [&MAGIC[..], &1_u32.to_le_bytes()].concat();
    let first = data.get(3..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; 32]);
    let page = match kind % 3 {
        0 => return data.to_vec(),
        1 => add(&mut file, data, first),
        _ => data.to_vec(),
    };
    let header = r#"{"positions":1,"files":["a.pgn"],"counted":"","moves":true}"#;
    let record = add(&mut file, &page, page.first_chunk().unwrap_or(&[0; 32]));
    let root = [header.as_bytes(), b"\n", &record].concat();
    let len = (root.len() as u64).to_le_bytes();
    let crc = crc32fast::hash(&[&root[..], &len].concat()).to_le_bytes();
    [&file[..], &root, &len, &crc, MAGIC].concat()
}
