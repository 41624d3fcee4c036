//! The Python package `pgn2epd`: the face of the library for Python, and nothing besides.
//!
//! * [`options`] reads keyword arguments as the options of the command line;
//! * [`input`] opens what games come from: paths, bytes, file objects;
//! * [`feed`] runs a tabulation on a thread of its own, as far ahead as its reader takes;
//! * [`records`] gives its rows one by one, [`table`] as a stream of Arrow;
//! * [`convert`] writes records, [`positions`] makes those of a list of moves;
//! * [`problem`] tells what is wrong with games.

mod convert;
mod feed;
mod input;
mod operations;
mod options;
mod positions;
mod problem;
mod records;
mod table;

use pyo3::prelude::*;

/// What the package is made of; users import it from `pgn2epd`.
#[pymodule]
mod _pgn2epd {
    #[pymodule_export]
    use crate::convert::{Summary, convert};
    #[pymodule_export]
    use crate::positions::epdlist;
    #[pymodule_export]
    use crate::records::{Game, Record, Records, records};
    #[pymodule_export]
    use crate::table::{ArrowTable, to_arrow};
}
