//! Reads training data with the crates that trainers use: sfbinpack and bulletformat.
//!
//! `cargo run -p pgn2epd-training --example load -- data.binpack data.bullet`

use std::error::Error;
use std::fs::File;
use std::path::Path;

use bulletformat::{BulletFormat, ChessBoard, DataLoader};
use sfbinpack::CompressedTrainingDataEntryReader;

type Positions<T> = Result<Vec<T>, Box<dyn Error>>;

/// Returns the positions of a binpack: FEN, move, score and result for the side to move.
pub(crate) fn binpack(path: &Path) -> Positions<(String, String, i16, i16)> {
    let mut reader = CompressedTrainingDataEntryReader::new(File::open(path)?)?;
    let mut positions = Vec::new();
    while reader.has_next() {
        let entry = reader.next();
        let fen = entry.pos.fen().map_err(|_| "a position without kings")?;
        positions.push((fen, entry.mv.as_uci(), entry.score, entry.result));
    }
    Ok(positions)
}

/// Returns the positions of bullet's data: number of pieces, score and points of the side to move.
pub(crate) fn bullet(path: &Path) -> Positions<(usize, i16, f32)> {
    let loader = DataLoader::<ChessBoard>::new(path, 1)?;
    let mut positions = Vec::new();
    loader.map_positions(|board| {
        positions.push((board.into_iter().count(), board.score(), board.result()));
    });
    Ok(positions)
}

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args_os().skip(1) {
        let path = Path::new(&path);
        let count = match path.extension().and_then(|suffix| suffix.to_str()) {
            Some("binpack") => binpack(path)?.len(),
            _ => bullet(path)?.len(),
        };
        println!("{}: {count} positions", path.display());
    }
    Ok(())
}
