//! Keyword arguments as options of the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgn2epd::input::input_name;
use pgn2epd::openings::Openings;
use pgn2epd::options::{NameSource, OptionSet, RegisterStyle, ValueKind};
use pgn2epd::{OptionError, Options};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// `function` appears in messages; `more` are the options that are its own parameters.
pub(crate) fn read(
    function: &str,
    named: Option<&Bound<'_, PyDict>>,
    more: &[(&str, &Bound<'_, PyAny>)],
) -> PyResult<Options> {
    read_for(None, function, named, more)
}

/// Reads options like [`read`]; the name of the output may select the format if no option does.
pub(crate) fn read_for(
    output: Option<&Path>,
    function: &str,
    named: Option<&Bound<'_, PyDict>>,
    more: &[(&str, &Bound<'_, PyAny>)],
) -> PyResult<Options> {
    let mut tables = Vec::new();
    let values = texts_of::<Options>(function, named, more, &mut |value| {
        tables = paths(value)?;
        Ok(())
    })?;
    let pairs = pairs(&values);
    let options = match output {
        Some(output) => Options::from_names_for(pairs, output),
        None => Options::from_names(pairs),
    };
    let mut options = options.map_err(|error| exception::<Options>(function, error))?;
    // Records are used one by one and out of order, so each contains all of its registers.
    options.registers = options.registers.or(Some(RegisterStyle::Full));
    if !tables.is_empty() {
        let (NameSource::Embedded | NameSource::Table(_)) = options.names else {
            return Err(PyValueError::new_err("openings is for names=\"table\""));
        };
        options.names = NameSource::Table(openings(&tables)?);
    }
    Ok(options)
}

/// Names and values in command-line form; `take_openings` receives the opening tables.
pub(crate) fn texts_of<T: OptionSet>(
    function: &str,
    named: Option<&Bound<'_, PyDict>>,
    more: &[(&str, &Bound<'_, PyAny>)],
    take_openings: &mut dyn FnMut(&Bound<'_, PyAny>) -> PyResult<()>,
) -> PyResult<Vec<(String, String)>> {
    let mut values: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: &Bound<'_, PyAny>| {
        values.extend(texts::<T>(name, value)?.into_iter().map(|text| (name.to_owned(), text)));
        PyResult::Ok(())
    };
    for (name, value) in more {
        add(name, value)?;
    }
    for (name, value) in named.into_iter().flatten() {
        let name: String = name.extract()?;
        if more.iter().any(|(other, _)| *other == name) {
            return Err(PyTypeError::new_err(format!("{function}() has its own {name}")));
        }
        match &*name {
            _ if value.is_none() => {}
            "openings" => take_openings(&value)?,
            name => add(name, &value)?,
        }
    }
    Ok(values)
}

pub(crate) fn pairs(values: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    values.iter().map(|(name, value)| (&**name, &**value))
}

/// Returns the exception for an error in options, in terms of keyword arguments.
pub(crate) fn exception<T: OptionSet>(function: &str, error: OptionError) -> PyErr {
    match error {
        OptionError::Unknown(name) => unknown::<T>(function, &name.replace('-', "_")),
        OptionError::Value { name, value, reason } => {
            PyValueError::new_err(format!("{}={value:?}: {reason}", name.replace('-', "_")))
        }
        error => PyValueError::new_err(keywords(&error.to_string())),
    }
}

/// Replaces the names of options by those of keyword arguments: `--on-error` by `on_error`.
pub(crate) fn keywords(message: &str) -> String {
    let word = |word: &str| match word.strip_prefix("--") {
        Some(name) => name.replace('-', "_"),
        None => word.to_owned(),
    };
    message.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The exception for an unknown keyword argument, with the option that may be meant.
pub(crate) fn unknown<T: OptionSet>(function: &str, name: &str) -> PyErr {
    let others = ["openings", "preset", "problems", "progress"].into_iter().map(str::to_owned);
    let specs = T::SPECS.iter().map(|spec| spec.name.replace('-', "_"));
    let names: Vec<String> = specs.chain(others).collect();
    let close = Python::attach(|py| -> PyResult<Vec<String>> {
        py.import("difflib")?.call_method1("get_close_matches", (name, names, 1))?.extract()
    });
    let close = close.unwrap_or_default();
    let meant =
        close.first().map_or_else(String::new, |meant| format!(". Did you mean '{meant}'?"));
    PyTypeError::new_err(format!("{function}() got an unexpected keyword argument '{name}'{meant}"))
}

pub(crate) fn refuse_several_files(options: &Options, reason: &str) -> PyResult<()> {
    match options.has_folder() {
        true => Err(PyValueError::new_err(format!(
            "split and rows_per_file write several files{reason}"
        ))),
        false => Ok(()),
    }
}

/// A value in its command-line form, or several values of an option that may be repeated.
fn texts<T: OptionSet>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(vec![if flag.is_true() { "true" } else { "false" }.to_owned()]);
    }
    if value.is_instance_of::<PyString>() {
        return Ok(vec![value.extract()?]);
    }
    let spec = T::SPECS.iter().find(|spec| spec.name == name.replace('_', "-"));
    let kind = spec.map(|spec| spec.kind);
    let is_share = kind == Some(ValueKind::Share) && value.is_instance_of::<PyFloat>();
    if value.is_instance_of::<PyInt>() || is_share {
        return Ok(vec![value.str()?.extract()?]);
    }
    if kind == Some(ValueKind::Range) && value.is_instance_of::<PyTuple>() {
        let (first, last): (Option<i64>, Option<i64>) = value.extract()?;
        let text = |bound: Option<i64>| bound.map_or_else(String::new, |bound| bound.to_string());
        return Ok(vec![format!("{}..{}", text(first), text(last))]);
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let several: Vec<String> = value.extract()?;
        return match kind {
            Some(ValueKind::List) if several.is_empty() => Ok(vec!["none".to_owned()]),
            Some(ValueKind::List) => Ok(vec![several.join(",")]),
            _ if spec.is_some_and(|spec| spec.repeats) => Ok(several),
            _ => Err(PyTypeError::new_err(format!("{name} takes one value"))),
        };
    }
    if let Ok(path) = value.extract::<PathBuf>() {
        return Ok(vec![path.to_string_lossy().into_owned()]);
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("{name} takes a str, an int or a bool, not {kind}")))
}

pub(crate) fn paths(value: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    match value.extract() {
        Ok(path) => Ok(vec![path]),
        Err(_) => value.extract(),
    }
}

/// Reads opening tables; later ones override earlier ones.
pub(crate) fn openings(tables: &[PathBuf]) -> PyResult<Arc<Openings>> {
    let mut openings = Openings::default();
    for path in tables {
        if path.as_os_str() == "default" {
            openings.layer_embedded();
            continue;
        }
        let file = fs::read(path).map_err(|error| crate::input::os_error(&error, path))?;
        openings
            .layer(&file)
            .map_err(|error| PyValueError::new_err(format!("{}:{error}", input_name(path))))?;
    }
    Ok(Arc::new(openings))
}
