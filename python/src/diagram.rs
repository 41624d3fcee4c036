//! Diagrams of positions.

use pgn2epd::diagram::{self, Colours, Marks};
use pgn2epd::{Color, illustrate};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::epd::word_of;

/// The diagram of a position: a FEN, a record, or the text of one. Notebooks show it as a picture.
///
/// >>> print(pgn2epd.show("4k3/8/8/8/8/8/4P3/4K3 w - - sm e4;", coordinates=False))
///     ·     ·  ♚  ·     ·
///  ·     ·     ·     ·
///     ·     ·     ·     ·
///  ·     ·     ·     ·
///     ·     ·     ·     ·
///  ·     ·     ·     ·
///     ·     ·  ♙  ·     ·
///  ·     ·     ♔     ·
/// White to move, e2-e4
///
/// The moves of `sm`, `bm` and `am` become arrows, `[%csl …]` and `[%cal …]` in comments become coloured squares and arrows; `marks=False` omits
/// them. `view` is "white", "black" or "mover", the side at the bottom; `theme` is "light" or "dark".
#[pyfunction]
#[pyo3(signature = (position, *, view="white", coordinates=true, marks=true, theme="light"))]
pub(crate) fn show(
    position: &Bound<'_, PyAny>,
    view: &str,
    coordinates: bool,
    marks: bool,
    theme: &str,
) -> PyResult<Diagram> {
    let entry = entry(position.str()?.to_str()?)?;
    let mut inner = entry.diagram;
    inner.theme = word_of("theme", theme)?;
    inner.coordinates = coordinates;
    inner.from = match view {
        "white" => Color::White,
        "black" => Color::Black,
        "mover" => inner.turn.unwrap_or(Color::White),
        _ => {
            let text = format!("view={view:?}: choose from white, black, mover");
            return Err(PyValueError::new_err(text));
        }
    };
    if !marks {
        inner.marks = Marks::default();
    }
    Ok(Diagram { inner, heading: entry.heading, fen: entry.fen })
}

/// The picture of a record.
pub(crate) fn svg(record: &str) -> PyResult<String> {
    Ok(diagram::svg(&entry(record)?.diagram))
}

fn entry(record: &str) -> PyResult<diagram::Entry> {
    illustrate::record(record).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A diagram. `str(diagram)` draws it with characters, `diagram.svg` is the picture.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Diagram {
    inner: diagram::Diagram,
    /// What is written above it: the operation `id`.
    #[pyo3(get)]
    heading: String,
    /// The position.
    #[pyo3(get)]
    fen: String,
}

#[pymethods]
impl Diagram {
    /// The picture as SVG.
    #[getter]
    fn svg(&self) -> String {
        diagram::svg(&self.inner)
    }

    /// The picture as PNG, with this width in pixels.
    #[pyo3(signature = (width=480))]
    fn png(&self, width: u32) -> PyResult<Vec<u8>> {
        diagram::png(&self.inner, width).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The picture for notebooks.
    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        diagram::text(&self.inner, Colours::Plain).trim_end_matches('\n').to_owned()
    }

    fn __repr__(&self) -> String {
        format!("<Diagram {}>", self.fen)
    }
}
