//! Keyword arguments as options of the library.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgn2epd::input::input_name;
use pgn2epd::openings::Openings;
use pgn2epd::options::{NameSource, RegisterStyle};
use pgn2epd::{OptionError, Options};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::problem::{self, invalid};

pub(crate) type Pairs = Vec<(String, String)>;

pub(crate) fn pairs(
    py: Python<'_>,
    function: &str,
    command: &str,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<Pairs> {
    let named = named.map_or_else(|| PyDict::new(py), Clone::clone);
    py.import("pgn2epd._program")?.getattr("pairs")?.call1((function, command, named))?.extract()
}

/// `function` appears in messages; `fixed` are options that are not the user's.
pub(crate) fn read(
    py: Python<'_>,
    function: &str,
    named: Option<&Bound<'_, PyDict>>,
    fixed: &[(&str, &str)],
) -> PyResult<Options> {
    let mut pairs = pairs(py, function, "", named)?;
    if let Some((name, _)) = pairs.iter().find(|(name, _)| fixed.iter().any(|(own, _)| own == name))
    {
        return Err(PyTypeError::new_err(format!("{function}() has its own {name}")));
    }
    let tables: Pairs = pairs.extract_if(.., |(name, _)| name == "openings").collect();
    let pairs = pairs.iter().map(|(name, value)| (&**name, &**value));
    let options = Options::from_names(pairs.chain(fixed.iter().copied()));
    let mut options = options.map_err(|error| exception(function, error))?;
    // Records are used one by one and out of order, so each contains all of its registers.
    options.registers = options.registers.or(Some(RegisterStyle::Full));
    if !tables.is_empty() {
        let (NameSource::Embedded | NameSource::Table(_)) = options.names else {
            return Err(invalid("openings is for names=\"table\""));
        };
        let tables: Vec<PathBuf> = tables.into_iter().map(|(_, path)| path.into()).collect();
        options.names = NameSource::Table(openings(&tables)?);
    }
    Ok(options)
}

/// Returns the exception for an error in options, in terms of keyword arguments.
pub(crate) fn exception(function: &str, error: OptionError) -> PyErr {
    match error {
        OptionError::Unknown(name) => {
            let name = name.replace('-', "_");
            let text = format!("{function}() got an unexpected keyword argument '{name}'");
            PyTypeError::new_err(text)
        }
        OptionError::Value { name, value, reason } => {
            invalid(format!("{}={value:?}: {reason}", name.replace('-', "_")))
        }
        error => problem::failure(&error.into()),
    }
}

pub(crate) fn refuse_several_files(options: &Options) -> PyResult<()> {
    match options.has_folder() {
        true => Err(invalid("split and rows_per_file write several files: use convert")),
        false => Ok(()),
    }
}

fn openings(tables: &[PathBuf]) -> PyResult<Arc<Openings>> {
    let mut openings = Openings::default();
    for path in tables {
        if path == Path::new("default") {
            openings.layer_embedded();
            continue;
        }
        let file = fs::read(path).map_err(|error| crate::input::os_error(&error, path))?;
        openings.layer(&file).map_err(|error| invalid(format!("{}:{error}", input_name(path))))?;
    }
    Ok(Arc::new(openings))
}
