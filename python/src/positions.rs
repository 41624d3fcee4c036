//! The positions of one list of moves.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::problem;

/// The position after each of the moves, as four fields, like `epdlist` in Perl's Chess::PGN::EPD.
///
/// Moves are in any notation found in games: SAN, long algebraic, UCI, with figurines or marks.
/// `fen` is the position to start from, if it is not the standard starting position.
///
/// >>> pgn2epd.epdlist(["e4", "c5", "Nf3"])[-1]
/// 'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -'
///
/// A move that cannot be played raises a `PgnError`; its `index` is the index of the move.
#[pyfunction]
#[pyo3(signature = (moves, fen=None))]
pub(crate) fn epdlist(moves: &Bound<'_, PyAny>, fen: Option<&str>) -> PyResult<Vec<String>> {
    if moves.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("moves is a list: of a str take moves.split()"));
    }
    let texts: Vec<String> =
        moves.try_iter()?.map(|text| text?.extract()).collect::<PyResult<_>>()?;
    let positions = match fen {
        Some(fen) => pgn2epd::epdlist_from(fen, &texts),
        None => pgn2epd::epdlist(&texts),
    };
    positions.map_err(|error| problem::of_moves(moves.py(), &error))
}
