//! The Python package `pgn2epd`, an interface to the library.
//!
//! * [`options`] reads keyword arguments as the options of the command line;
//! * [`input`] opens paths, bytes and file objects;
//! * [`feed`] runs a tabulation on a separate thread;
//! * [`records`] returns its rows one by one, [`table`] as an Arrow stream;
//! * [`convert`] writes records, [`positions`] makes those of a list of moves;
//! * [`problem`] reports errors in games.

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

/// The contents of the package, which users import from `pgn2epd`.
#[pymodule]
mod _pgn2epd {
    #[pymodule_export]
    use crate::convert::{Summary, convert, to_parquet};
    #[pymodule_export]
    use crate::positions::epdlist;
    #[pymodule_export]
    use crate::records::{Game, Record, Records, records};
    #[pymodule_export]
    use crate::table::{ArrowTable, to_arrow};
}
