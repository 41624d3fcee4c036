//! Diagrams of positions.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn2epd::PlayedPosition;
use pgn2epd::diagram::illustrate::{self, Illustrator};
use pgn2epd::diagram::{self, Colours, DiagramOptions};
use pgn2epd::input::{Input, Inputs, input_name};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::input::os_error;
use crate::options;
use crate::problem::invalid;

/// The diagram of a position: a FEN, a record, or the text of one. Notebooks show it as a picture.
///
/// >>> print(pgn2epd.show("4k3/8/8/8/8/8/4P3/4K3 w - - sm e4;", no_coordinates=True))
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
/// With the path of a file of games, the position after `ply` plies of its game number `game`;
/// without `ply` the last one: `show("games.pgn", ply=24)`. Of a file of positions, record number
/// `game`: `show("puzzles.csv", where="Rating > 2500")`; `where` counts only those that meet a
/// condition.
///
/// The moves of `sm`, `bm` and `am` become arrows, `[%csl …]` and `[%cal …]` in comments become
/// coloured squares and arrows. The options are those of the command `show`: `view="mover"`,
/// `arrows="Rd1d8"`, `no_marks=True`, `theme="dark"`.
#[pyfunction]
#[pyo3(signature = (position, *, ply=None, game=None, **options))]
pub(crate) fn show(
    position: &Bound<'_, PyAny>,
    ply: Option<u32>,
    game: Option<u64>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Diagram> {
    let pairs = options::pairs(position.py(), "show", "show", options)?;
    let pairs = pairs.iter().map(|(name, value)| (&**name, &**value));
    let options = DiagramOptions::from_names(pairs);
    let options = options.map_err(|error| options::exception("show", error))?;
    let path = position.extract::<PathBuf>().ok();
    let is_file = |path: &PathBuf| ply.is_some() || game.is_some() || path.is_file();
    let figure = match path.filter(is_file) {
        Some(path) => of_file(&path, game.unwrap_or(1), ply, &options)?,
        None => figure(position.str()?.to_str()?)?,
    };
    let mut inner = figure.diagram;
    options.apply(&mut inner);
    Ok(Diagram { inner, heading: figure.heading, fen: figure.fen })
}

pub(crate) fn svg(record: &str) -> PyResult<String> {
    Ok(diagram::svg(&figure(record)?.diagram))
}

fn of_file(
    path: &Path,
    wanted: u64,
    ply: Option<u32>,
    options: &DiagramOptions,
) -> PyResult<diagram::Figure> {
    let wrong = |text: String| invalid(format!("{}: {text}", input_name(path)));
    let mut number = 0;
    for text in Inputs::new([Input::file(path)]).of_kind(options.input) {
        let text = text.map_err(|error| os_error(&error.error, path))?;
        let (mut illustrator, mut found) = (Illustrator::of(text.kind()), None);
        let read = illustrate::for_each_game(text, options, &mut |game| {
            let last = game.positions.last().map_or(0, |last| last.ply);
            let is_drawn = |played: &PlayedPosition| played.ply == ply.unwrap_or(last);
            let figure = illustrator.figures(&game, is_drawn).pop();
            number += u64::from(figure.is_some() || !game.positions.is_empty());
            if number < wanted {
                return ControlFlow::Continue(());
            }
            found = Some(figure.ok_or_else(|| format!("game {number} has {last} plies")));
            ControlFlow::Break(())
        });
        read.map_err(|error| wrong(error.to_string()))?;
        if let Some(figure) = found {
            return figure.map_err(wrong);
        }
    }
    Err(wrong(format!("it has no game {wanted}")))
}

fn figure(record: &str) -> PyResult<diagram::Figure> {
    illustrate::record(record).map_err(invalid)
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
        diagram::png(&self.inner, width).map_err(invalid)
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
