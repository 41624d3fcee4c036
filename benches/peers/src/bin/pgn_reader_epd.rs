//! Prints the positions of all games with pgn-reader and shakmaty.
//!
//! `pgn_reader_epd FILE > positions.epd` writes the start and the position after each move of the
//! main line, with the counters, like `pgn2epd --ops hmvc,fmvn FILE`. It is a program that a good
//! programmer writes in an hour with these two libraries: text is not allocated twice, the output
//! is buffered, variations are skipped. It silently stops a game at the first illegal move.

use std::env;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::{Epd, Fen};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// Writes a record for each position. A game that ends early is an `Err` only if writing failed.
struct RecordWriter<W: Write> {
    out: W,
}

impl<W: Write> RecordWriter<W> {
    fn write(&mut self, position: &Chess) -> io::Result<()> {
        let epd = Epd::from_position(position, EnPassantMode::Always);
        writeln!(self.out, "{epd} hmvc {}; fmvn {};", position.halfmoves(), position.fullmoves())
    }

    fn write_or_break(&mut self, position: &Chess) -> ControlFlow<io::Result<()>> {
        match self.write(position) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }
}

impl<W: Write> Visitor for RecordWriter<W> {
    type Tags = Option<Fen>;
    type Movetext = Chess;
    type Output = io::Result<()>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        fen: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            match Fen::from_ascii(&value.decode()) {
                Ok(parsed) => *fen = Some(parsed),
                Err(_) => return ControlFlow::Break(Ok(())),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, fen: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        let position = match fen {
            None => Chess::default(),
            Some(fen) => {
                let setup = fen.into_setup();
                let mode = CastlingMode::detect(&setup);
                match setup.position(mode) {
                    Ok(position) => position,
                    Err(_) => return ControlFlow::Break(Ok(())),
                }
            }
        };
        self.write_or_break(&position).map_continue(|()| position)
    }

    fn san(&mut self, position: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(position) {
            Ok(m) => position.play_unchecked(m),
            Err(_) => return ControlFlow::Break(Ok(())),
        }
        self.write_or_break(position)
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _: Self::Movetext) -> Self::Output {
        Ok(())
    }
}

fn run(path: &str) -> io::Result<()> {
    let mut reader = Reader::new(File::open(path)?);
    let mut writer = RecordWriter { out: BufWriter::with_capacity(1 << 16, io::stdout().lock()) };
    while let Some(game) = reader.read_game(&mut writer)? {
        game?;
    }
    writer.out.flush()
}

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: pgn_reader_epd FILE");
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
