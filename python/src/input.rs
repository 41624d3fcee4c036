//! Inputs: paths, bytes, file objects, and ranges of these.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use pgn2epd::input::{InputError, Inputs, input_name};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::problem;

pub(crate) enum Input {
    Path(PathBuf),
    Bytes(PyBackedBytes),
    /// An object with a method `read`.
    Object(Py<PyAny>),
    /// What begins in a range of an input.
    Range(Box<Input>, Range<u64>),
}

/// Divides a file into ranges of equal size, about `size` bytes each, of which each game, or line
/// of a file of positions, belongs to one. A file that cannot be divided is one range.
#[pyfunction]
pub(crate) fn splits<'py>(
    source: &Bound<'py, PyAny>,
    size: u64,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let input = Input::of(&of_module(source.py(), "one")?.call1((source,))?)?;
    let name = input.name();
    let input = Input::Range(Box::new(input), 0..0).into_library();
    let splits = source.py().detach(|| input.splits(size));
    let splits = splits.map_err(|error| problem::failure(&InputError::new(name, error).into()))?;
    let byte_range = of_module(source.py(), "ByteRange")?;
    let ranges = splits.into_iter().map(|split| split.range);
    ranges.map(|range| byte_range.call1((source, range.start, range.end))).collect()
}

fn of_module<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("pgn2epd._values")?.getattr(name)
}

/// The name of a file for messages.
#[pyfunction(name = "input_name")]
pub(crate) fn name_of(path: PathBuf) -> String {
    input_name(&path)
}

pub(crate) fn opened(inputs: Vec<Input>) -> Inputs {
    Inputs::new(inputs.into_iter().map(Input::into_library))
}

impl Input {
    pub(crate) fn all(source: &Bound<'_, PyAny>) -> PyResult<Vec<Input>> {
        let inputs = of_module(source.py(), "inputs")?.call1((source,))?;
        inputs.try_iter()?.map(|input| Input::of(&input?)).collect()
    }

    /// What `pgn2epd._values.one` returns.
    fn of(input: &Bound<'_, PyAny>) -> PyResult<Input> {
        if input.is_instance(&of_module(input.py(), "ByteRange")?)? {
            let range = input.getattr("start")?.extract()?..input.getattr("end")?.extract()?;
            return Ok(Input::Range(Box::new(Input::of(&input.getattr("source")?)?), range));
        }
        let path = || input.extract::<PathBuf>().map(Input::Path).ok();
        let bytes = input.extract::<PyBackedBytes>().map(Input::Bytes).ok();
        Ok(bytes.or_else(path).unwrap_or_else(|| Input::Object(input.clone().unbind())))
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Input::Path(path) => input_name(path),
            Input::Bytes(_) => "<bytes>".to_owned(),
            Input::Range(input, _) => input.name(),
            Input::Object(object) => Python::attach(|py| {
                let name = object.bind(py).getattr("name").ok();
                let name = name.and_then(|name| name.extract::<String>().ok());
                name.map_or_else(|| "<file>".to_owned(), |name| input_name(name.as_ref()))
            }),
        }
    }

    pub(crate) fn is_lasting(&self) -> bool {
        match self {
            Input::Path(_) | Input::Bytes(_) => true,
            Input::Object(_) => false,
            Input::Range(input, _) => input.is_lasting(),
        }
    }

    pub(crate) fn again(&self, py: Python<'_>) -> Self {
        match self {
            Input::Path(path) => Input::Path(path.clone()),
            Input::Bytes(bytes) => Input::Bytes(bytes.clone_ref(py)),
            Input::Object(object) => Input::Object(object.clone_ref(py)),
            Input::Range(input, range) => Input::Range(Box::new(input.again(py)), range.clone()),
        }
    }

    pub(crate) fn into_library(self) -> pgn2epd::input::Input {
        use pgn2epd::input::Input as Library;
        let name = self.name();
        let (input, range) = match self {
            Input::Path(path) => return Library::file(path),
            Input::Bytes(bytes) => return Library::reader(name, Cursor::new(bytes)),
            Input::Object(object) => return Library::reader(name, Object(object)),
            Input::Range(input, range) => (*input, range),
        };
        match input {
            Input::Path(path) => Library::range(path, range),
            Input::Bytes(bytes) => Library::range_of(name, Cursor::new(bytes), range),
            Input::Object(object) => Library::range_of(name, Object(object), range),
            part @ Input::Range(..) => part.into_library(),
        }
    }
}

pub(crate) fn os_error(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(code) => PyOSError::new_err((
            code,
            error.to_string().split(" (os error").next().unwrap_or_default().to_owned(),
            input_name(path),
        )),
        None => PyOSError::new_err(format!("{}: {error}", input_name(path))),
    }
}

/// A Python file object. Its exceptions are returned inside of errors.
#[derive(Debug)]
pub(crate) struct Object(pub(crate) Py<PyAny>);

impl Read for Object {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = Python::try_attach(|py| {
            let bytes = self.0.call_method1(py, "read", (buffer.len(),))?;
            let bytes = bytes.bind(py).cast::<PyBytes>().map_err(|_| {
                PyTypeError::new_err("the file object gives no bytes: open it in binary mode")
            })?;
            let len = bytes.as_bytes().len().min(buffer.len());
            buffer[..len].copy_from_slice(&bytes.as_bytes()[..len]);
            PyResult::Ok(len)
        });
        read.ok_or_else(gone)?.map_err(io::Error::other)
    }
}

impl Seek for Object {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (offset as i64, 0),
            SeekFrom::Current(offset) => (offset, 1),
            SeekFrom::End(offset) => (offset, 2),
        };
        let place = Python::try_attach(|py| {
            self.0.call_method1(py, "seek", (offset, whence))?;
            // `seek` of some objects returns nothing.
            self.0.call_method0(py, "tell")?.extract(py)
        });
        place.ok_or_else(gone)?.map_err(io::Error::other)
    }
}

impl Write for Object {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = Python::try_attach(|py| {
            let written = self.0.call_method1(py, "write", (PyBytes::new(py, bytes),))?;
            // A raw file may write a part; `None` means that it has written everything.
            PyResult::Ok(written.extract::<usize>(py).unwrap_or(bytes.len()))
        });
        written.ok_or_else(gone)?.map_err(io::Error::other)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = Python::try_attach(|py| match self.0.bind(py).hasattr("flush")? {
            true => self.0.call_method0(py, "flush").map(drop),
            false => Ok(()),
        });
        flushed.ok_or_else(gone)?.map_err(io::Error::other)
    }
}

fn gone() -> io::Error {
    io::Error::other("Python is shutting down")
}
