//! Writes the positions of a match as training data with pgn-reader, shakmaty and the crates of the
//! formats.
//!
//! `pgn_reader_training viriformat|binpack FILE` writes to standard output. A comment such as
//! `{+0.25/12 0.300s}` after a move is the score of the position before it, from the view of the
//! side to move. Where it is missing, a game or chain ends, and another one begins with the next
//! position that has one. Chess960 and variants are not supported.

use std::borrow::Cow;
use std::env;
use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use sfbinpack::chess::color::Color as BinpackColor;
use sfbinpack::chess::coords::Square as BinpackSquare;
use sfbinpack::chess::r#move::Move as BinpackMove;
use sfbinpack::chess::piece::Piece as BinpackPiece;
use sfbinpack::chess::piecetype::PieceType as BinpackRole;
use sfbinpack::chess::position::Position as BinpackPosition;
use sfbinpack::{CompressedTrainingDataEntryWriter, TrainingDataEntry};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, KnownOutcome, Move, Outcome, Position, Role};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as ViriMove, MoveFlags};
use viriformat::chess::piece::PieceType as ViriRole;
use viriformat::chess::types::Square as ViriSquare;
use viriformat::dataformat::Game;

/// The result of a game.
type Winner = Option<shakmaty::Color>;

/// What differs between the formats.
trait Sink {
    /// Begins a run of positions that follow each other.
    fn begin(&mut self, position: &Chess, ply: u16);
    /// Adds the next position of the run, with the score of the side to move.
    fn push(&mut self, turn: shakmaty::Color, played: Move, score: i16);
    /// Ends the game.
    fn end(&mut self, winner: Option<Winner>) -> io::Result<()>;
}

#[derive(Default)]
struct Viriformat {
    out: Option<BufWriter<Stdout>>,
    runs: Vec<Game>,
    /// Plays each move, as in pgn2binpack, which compares the boards in this way.
    board: Board,
}

impl Sink for Viriformat {
    fn begin(&mut self, position: &Chess, _: u16) {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        self.board.set_from_fen(&fen, false).expect("a position of shakmaty is legal");
        self.runs.push(Game::new(&self.board));
    }

    fn push(&mut self, turn: shakmaty::Color, played: Move, score: i16) {
        let square = |square: shakmaty::Square| {
            ViriSquare::new(square as u8).expect("squares are numbered alike")
        };
        let (from, to) = (square(played.from().expect("no drops")), square(played.to()));
        let coded = match played {
            Move::EnPassant { .. } => ViriMove::new_with_flags(from, to, MoveFlags::EnPassant),
            Move::Castle { .. } => ViriMove::new_with_flags(from, to, MoveFlags::Castle),
            _ => match played.promotion() {
                Some(role) => ViriMove::new_with_promo(from, to, viri_role(role)),
                None => ViriMove::new(from, to),
            },
        };
        assert!(self.board.make_move_simple(coded), "an illegal move");
        let white = turn.fold_wb(score, -score);
        self.runs.last_mut().expect("a run has begun").add_move(coded, white);
    }

    fn end(&mut self, winner: Option<Winner>) -> io::Result<()> {
        let out = self.out.get_or_insert_with(|| BufWriter::with_capacity(1 << 18, io::stdout()));
        for mut game in self.runs.drain(..) {
            let Some(winner) = winner else { continue };
            game.set_outcome(match winner {
                Some(shakmaty::Color::White) => GameOutcome::WhiteWin(WinType::Adjudication),
                Some(shakmaty::Color::Black) => GameOutcome::BlackWin(WinType::Adjudication),
                None => GameOutcome::Draw(DrawType::Adjudication),
            });
            game.serialise_into(out)?;
        }
        Ok(())
    }
}

fn viri_role(role: Role) -> ViriRole {
    match role {
        Role::Knight => ViriRole::Knight,
        Role::Bishop => ViriRole::Bishop,
        Role::Rook => ViriRole::Rook,
        _ => ViriRole::Queen,
    }
}

struct Binpack {
    writer: CompressedTrainingDataEntryWriter<BufWriter<Stdout>>,
    position: BinpackPosition,
    ply: u16,
    entries: Vec<(TrainingDataEntry, shakmaty::Color)>,
}

impl Binpack {
    fn new() -> Self {
        let out = BufWriter::with_capacity(1 << 18, io::stdout());
        let writer = CompressedTrainingDataEntryWriter::new(out).expect("a writer");
        Binpack { writer, position: BinpackPosition::new(), ply: 0, entries: Vec::new() }
    }
}

impl Sink for Binpack {
    fn begin(&mut self, position: &Chess, ply: u16) {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        self.position = BinpackPosition::from_fen(&fen).expect("a position of shakmaty is legal");
        self.ply = ply;
    }

    fn push(&mut self, turn: shakmaty::Color, played: Move, score: i16) {
        let square = |square: shakmaty::Square| BinpackSquare::new(square as u32);
        let (from, to) = (square(played.from().expect("no drops")), square(played.to()));
        let coded = match played {
            Move::EnPassant { .. } => BinpackMove::en_passant(from, to),
            Move::Castle { .. } => BinpackMove::castle(from, to),
            _ => match played.promotion() {
                Some(role) => BinpackMove::promotion(from, to, binpack_piece(role, turn)),
                None => BinpackMove::normal(from, to),
            },
        };
        let (pos, ply) = (self.position, self.ply);
        let entry = TrainingDataEntry { pos, mv: coded, score, ply, result: 0 };
        self.entries.push((entry, turn));
        self.position.do_move(coded);
        self.ply += 1;
    }

    fn end(&mut self, winner: Option<Winner>) -> io::Result<()> {
        for (mut entry, turn) in self.entries.drain(..) {
            let Some(winner) = winner else { continue };
            entry.result = winner.map_or(0, |winner| if winner == turn { 1 } else { -1 });
            self.writer.write_entry(&entry).map_err(io::Error::other)?;
        }
        Ok(())
    }
}

fn binpack_piece(role: Role, color: shakmaty::Color) -> BinpackPiece {
    let role = match role {
        Role::Knight => BinpackRole::Knight,
        Role::Bishop => BinpackRole::Bishop,
        Role::Rook => BinpackRole::Rook,
        _ => BinpackRole::Queen,
    };
    BinpackPiece::new(role, color.fold_wb(BinpackColor::White, BinpackColor::Black))
}

struct Training<S>(S);

#[derive(Default)]
struct Tags {
    fen: Option<Fen>,
    outcome: Option<KnownOutcome>,
}

struct Movetext {
    position: Chess,
    ply: u16,
    winner: Option<Winner>,
    /// The move whose comment has not been read yet.
    played: Option<Move>,
    /// The score in the comment after it.
    score: Option<i16>,
    is_run: bool,
}

impl Movetext {
    /// Adds the position before the last move, and plays this.
    fn flush<S: Sink>(&mut self, sink: &mut S) {
        let (played, score) = (self.played.take(), self.score.take());
        let Some(played) = played else { return };
        if let Some(score) = score {
            if !self.is_run {
                sink.begin(&self.position, self.ply);
            }
            sink.push(self.position.turn(), played, score);
        }
        self.is_run = score.is_some();
        self.position.play_unchecked(played);
        self.ply += 1;
    }
}

impl<S: Sink> Visitor for Training<S> {
    type Tags = Tags;
    type Movetext = Movetext;
    type Output = io::Result<()>;

    fn begin_tags(&mut self) -> ControlFlow<io::Result<()>, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<io::Result<()>> {
        match name {
            b"FEN" => tags.fen = Fen::from_ascii(&value.decode()).ok(),
            b"Result" => {
                let outcome = Outcome::from_ascii(&value.decode());
                tags.outcome = outcome.ok().and_then(|outcome| outcome.known());
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<io::Result<()>, Movetext> {
        let start = tags.fen.map(|fen| fen.into_position(CastlingMode::Standard));
        let Ok(position) = start.unwrap_or_else(|| Ok(Chess::default())) else {
            return ControlFlow::Break(Ok(()));
        };
        let turn = position.turn().fold_wb(0, 1);
        let ply = (position.fullmoves().get() as u16 - 1) * 2 + turn;
        let winner = tags.outcome.map(|outcome| outcome.winner());
        let (played, score, is_run) = (None, None, false);
        ControlFlow::Continue(Movetext { position, ply, winner, played, score, is_run })
    }

    fn san(&mut self, game: &mut Movetext, san: SanPlus) -> ControlFlow<io::Result<()>> {
        game.flush(&mut self.0);
        match san.san.to_move(&game.position) {
            Ok(played) => {
                game.played = Some(played);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(self.0.end(game.winner)),
        }
    }

    fn comment(
        &mut self,
        game: &mut Movetext,
        comment: RawComment<'_>,
    ) -> ControlFlow<io::Result<()>> {
        game.score = game.score.or(score(comment.as_bytes()));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Movetext) -> ControlFlow<io::Result<()>, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, mut game: Movetext) -> io::Result<()> {
        game.flush(&mut self.0);
        self.0.end(game.winner)
    }
}

/// The score in a comment of cutechess: `+0.25/12 0.300s` or `-M12/20 0.1s`.
fn score(comment: &[u8]) -> Option<i16> {
    let text: Cow<'_, str> = String::from_utf8_lossy(comment);
    let (score, _) = text.trim_ascii().split_once('/')?;
    let (sign, plain) = match score.strip_prefix('-') {
        Some(plain) => (-1, plain),
        None => (1, score.strip_prefix('+').unwrap_or(score)),
    };
    let score = match plain.strip_prefix('M') {
        Some(plies) => 32_000 - plies.parse::<i16>().ok()?,
        None => (plain.parse::<f64>().ok()? * 100.0).round().min(31_753.0) as i16,
    };
    Some(sign * score)
}

fn run<S: Sink>(path: &str, sink: S) -> io::Result<()> {
    let mut reader = Reader::new(File::open(path)?);
    let mut training = Training(sink);
    while let Some(written) = reader.read_game(&mut training)? {
        written?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [format, path] if format == "viriformat" => run(path, Viriformat::default()),
        [format, path] if format == "binpack" => run(path, Binpack::new()),
        _ => {
            eprintln!("usage: pgn_reader_training viriformat|binpack FILE");
            return ExitCode::from(2);
        }
    };
    match done.and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
