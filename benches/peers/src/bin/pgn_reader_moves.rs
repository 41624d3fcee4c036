//! Prints the moves of all games with pgn-reader and shakmaty.
//!
//! `pgn_reader_moves FILE` writes a line for each game: the moves of the main line in SAN up to the
//! first illegal one, followed by `!` if there was one.

use std::env;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::process::ExitCode;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

struct Moves;

struct Game {
    position: Chess,
    moves: Vec<String>,
}

impl Visitor for Moves {
    type Tags = Option<Fen>;
    type Movetext = Game;
    type Output = String;

    fn begin_tags(&mut self) -> ControlFlow<String, Option<Fen>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        fen: &mut Option<Fen>,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<String> {
        if name == b"FEN" {
            match Fen::from_ascii(&value.decode()) {
                Ok(parsed) => *fen = Some(parsed),
                Err(_) => return ControlFlow::Break("!".to_owned()),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Option<Fen>) -> ControlFlow<String, Game> {
        let position = match fen.map(Fen::into_setup) {
            None => Ok(Chess::default()),
            Some(setup) => {
                let mode = CastlingMode::detect(&setup);
                setup.position(mode)
            }
        };
        match position {
            Ok(position) => ControlFlow::Continue(Game { position, moves: Vec::new() }),
            Err(_) => ControlFlow::Break("!".to_owned()),
        }
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<String> {
        match san.san.to_move(&game.position) {
            Ok(next) => {
                let text = SanPlus::from_move_and_play_unchecked(&mut game.position, next);
                game.moves.push(text.to_string());
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(format!("{} !", game.moves.join(" "))),
        }
    }

    fn begin_variation(&mut self, _: &mut Game) -> ControlFlow<String, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, game: Game) -> String {
        game.moves.join(" ")
    }
}

fn run(path: &str) -> io::Result<()> {
    let mut reader = Reader::new(File::open(path)?);
    while let Some(line) = reader.read_game(&mut Moves)? {
        println!("{line}");
    }
    Ok(())
}

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: pgn_reader_moves FILE");
        return ExitCode::from(2);
    };
    match run(&path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}
