//! The Python package `pgn2epd`, an interface to the library.
//!
//! [`program`] is the program, which functions from files to files call; for the others, [`feed`]
//! runs a tabulation on a thread of its own.

mod diagram;
mod epd;
mod explorer;
mod feed;
mod games;
mod input;
mod options;
mod problem;
mod program;
mod records;
mod table;

use pyo3::prelude::*;

/// The contents of the package, which users import from `pgn2epd`.
#[pymodule]
mod _pgn2epd {
    #[pymodule_export]
    use crate::diagram::{Diagram, show};
    #[pymodule_export]
    use crate::epd::{epdlist, operations, parse};
    #[pymodule_export]
    use crate::explorer::Explorer;
    #[pymodule_export]
    use crate::games::{Games, games};
    #[pymodule_export]
    use crate::input::{name_of, splits};
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
