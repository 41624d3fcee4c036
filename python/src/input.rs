//! Inputs: a path or a pattern, bytes, a file object, or a list of them.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use pgn2epd::input::{InputError, Inputs, input_name};
use pyo3::PyTypeInfo;
use pyo3::exceptions::{
    PyFileNotFoundError, PyIsADirectoryError, PyOSError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{IntoPyDict, PyBytes, PyList, PyMemoryView, PyTuple};

use crate::problem;

pub(crate) enum Input {
    Path(PathBuf),
    Bytes(PyBackedBytes),
    /// An object with a method `read`.
    Object(Py<PyAny>),
    /// What begins in a range of an input.
    Range(Box<Input>, Range<u64>),
}

/// The games of a file whose first byte is in a range, from `start` to `end`, exclusive: a source
/// for all functions, as `--range` of the program.
///
/// >>> [part] = pgn2epd.splits("fixtures/classics.pgn", 1 << 28)
/// >>> part
/// ByteRange('fixtures/classics.pgn', 0, 1205)
/// >>> len(list(pgn2epd.games(pgn2epd.ByteRange("fixtures/classics.pgn", 1, 1205))))
/// 2
///
/// `source` is a path, bytes, or a binary file object with `seek`, of which only the range is read,
/// and what is needed to find its first game. Bytes are those of the uncompressed text if the file
/// can be read from the middle: text, zstd with a seek table, and gzip in blocks. Any other file, and
/// Parquet, Arrow and training data, is read as a whole by the range with byte 0.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct ByteRange {
    /// The file.
    #[pyo3(get)]
    source: Py<PyAny>,
    /// The first byte.
    #[pyo3(get)]
    start: u64,
    /// The byte after the last one.
    #[pyo3(get)]
    end: u64,
}

#[pymethods]
impl ByteRange {
    #[new]
    fn new(source: Py<PyAny>, start: u64, end: u64) -> Self {
        ByteRange { source, start, end }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let source = self.source.bind(py).repr()?;
        Ok(format!("ByteRange({source}, {}, {})", self.start, self.end))
    }
}

/// Divides a file into ranges of equal size, about `size` bytes each, of which each game, or line
/// of a file of positions, belongs to one. A file that cannot be divided is one range.
#[pyfunction]
pub(crate) fn splits(source: &Bound<'_, PyAny>, size: u64) -> PyResult<Vec<ByteRange>> {
    let input = Input::one(source)?;
    let name = input.name();
    let input = Input::Range(Box::new(input), 0..0).into_library();
    let splits = source.py().detach(|| input.splits(size));
    let splits = splits.map_err(|error| problem::failure(&InputError::new(name, error).into()))?;
    let range = |range: Range<u64>| ByteRange::new(source.clone().unbind(), range.start, range.end);
    Ok(splits.into_iter().map(|split| range(split.range)).collect())
}

pub(crate) fn opened(inputs: Vec<Input>) -> Inputs {
    Inputs::new(inputs.into_iter().map(Input::into_library))
}

impl Input {
    /// The inputs of an argument. Missing files are an error.
    pub(crate) fn all(source: &Bound<'_, PyAny>) -> PyResult<Vec<Input>> {
        if !source.is_instance_of::<PyList>() && !source.is_instance_of::<PyTuple>() {
            return Input::some(source);
        }
        let mut inputs = Vec::new();
        for one in source.try_iter()? {
            inputs.extend(Input::some(&one?)?);
        }
        Ok(inputs)
    }

    /// One input, or the files that match a pattern.
    fn some(source: &Bound<'_, PyAny>) -> PyResult<Vec<Input>> {
        let Some(pattern) = source.extract::<PathBuf>().ok().filter(|path| is_pattern(path)) else {
            return Ok(vec![Input::one(source)?]);
        };
        let glob = source.py().import("glob")?.getattr("glob")?;
        let recursive = [("recursive", true)].into_py_dict(source.py())?;
        // `glob` accepts no `Path`.
        let mut files: Vec<PathBuf> =
            glob.call((pattern.as_os_str(),), Some(&recursive))?.extract()?;
        if files.is_empty() {
            let text = format!("no file matches {}", input_name(&pattern));
            return Err(PyFileNotFoundError::new_err(text));
        }
        files.sort();
        Ok(files.into_iter().filter(|file| !file.is_dir()).map(Input::Path).collect())
    }

    fn one(source: &Bound<'_, PyAny>) -> PyResult<Input> {
        if let Ok(part) = source.cast::<ByteRange>() {
            let ByteRange { source, start, end } = part.get();
            return Ok(Input::Range(Box::new(Input::one(source.bind(part.py()))?), *start..*end));
        }
        if let Ok(bytes) = source.extract::<PyBackedBytes>() {
            return Ok(Input::Bytes(bytes));
        }
        if source.is_instance_of::<PyMemoryView>() {
            let bytes = PyBytes::type_object(source.py()).call1((source,))?;
            return Ok(Input::Bytes(bytes.extract::<PyBackedBytes>()?));
        }
        if source.hasattr("read")? {
            return Ok(Input::Object(source.clone().unbind()));
        }
        let Ok(path) = source.extract::<PathBuf>() else {
            let kind = source.get_type().name()?;
            let text = format!(
                "games come from a path, bytes, a memoryview, a binary file object, or a list of them, not from {kind}"
            );
            return Err(PyTypeError::new_err(text));
        };
        let metadata = path.metadata().map_err(|error| match looks_like_games(&path) {
            true => PyValueError::new_err(
                "a str is the path of a file, and this one looks like a game: give text.encode()",
            ),
            false => os_error(&error, &path),
        })?;
        if metadata.is_dir() {
            let text = format!("{} is a folder: name the files in it", input_name(&path));
            return Err(PyIsADirectoryError::new_err(text));
        }
        Ok(Input::Path(path))
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

    /// Whether it can be read again.
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

/// Whether a path is a pattern, and not a file whose name has such characters.
fn is_pattern(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.iter().any(|byte| b"*?[".contains(byte)) && !looks_like_games(path) && !path.exists()
}

/// Whether text that names no file is a game: begins with a tag or `1.`, or has several lines.
fn looks_like_games(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let begins_with_tag = text.starts_with('[') && text.contains(" \"");
    begins_with_tag || text.trim_start().starts_with("1.") || text.contains('\n')
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
