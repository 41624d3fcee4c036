//! The Python package `pgn2epd`, an interface to the library.
//!
//! * [`options`] reads keyword arguments as the options of the command line;
//! * [`input`] opens paths, bytes and file objects;
//! * [`feed`] runs a tabulation on a separate thread;
//! * [`records`] and [`games`] return its rows one by one, [`table`] as an Arrow stream; [`value`]
//!   makes Python objects of values;
//! * [`positions`] makes the records of a list of moves;
//! * [`epd`] reads records, [`diagram`] draws them;
//! * [`explorer`] looks up positions in books;
//! * [`problem`] reports errors in games and records;
//! * [`program`] is the program, which the functions from files to files call.

mod diagram;
mod epd;
mod explorer;
mod feed;
mod games;
mod input;
mod operations;
mod options;
mod positions;
mod problem;
mod program;
mod records;
mod table;
mod value;

use pyo3::prelude::*;

/// The contents of the package, which users import from `pgn2epd`.
#[pymodule]
mod _pgn2epd {
    #[pymodule_export]
    use crate::diagram::{Diagram, show};
    #[pymodule_export]
    use crate::epd::parse;
    #[pymodule_export]
    use crate::explorer::Explorer;
    #[pymodule_export]
    use crate::games::{Games, games};
    #[pymodule_export]
    use crate::input::{name_of, splits};
    #[pymodule_export]
    use crate::operations::operations;
    #[pymodule_export]
    use crate::positions::epdlist;
    #[pymodule_export]
    use crate::program::{call, definition, run};
    #[pymodule_export]
    use crate::records::{Record, Records, records};
    #[pymodule_export]
    use crate::table::{ArrowTable, to_arrow};

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python has for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
