//! Engines: positions evaluated, test suites solved.

use std::io::{BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

use pgn2epd::analyse::{
    AnalyseError, AnalyseOptions, Analysis, FailedPosition, PartialFile, StopCheck, Suite,
    analysis_has, solution_has, use_cache,
};
use pgn2epd::game::Severity;
use pgn2epd::input::Inputs;
use pgn2epd::options::Format;
use pgn2epd::output::{Output, OutputPath};
use pgn2epd::{Conversion, ConvertError, OptionError, Options};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{self, Raised, Summary, Watcher, os_error_of, refuse_to_write_over};
use crate::input::{Input, Object};
use crate::options;
use crate::problem::{self, EngineProblem, Listener, Problem};

/// Writes the positions in `source` to `target`, each with what a UCI engine says of it.
///
/// >>> suite = b"4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;"
/// >>> pgn2epd.analyse(suite, "/tmp/evaluated.epd", engine="stockfish", nodes=1000)
/// <Analysed asked=1 repeated=0 earlier=0 over=0 failed=0>
///
/// `source`, `target`, `problems` and `progress` are as for `convert`. `engine` is a program and
/// its arguments, as words: of a path with blanks take `shlex.quote(path)`.
///
/// A position that the engine does not evaluate is written without an evaluation, and is a problem
/// of the kind "engine". If the engine cannot be used, a `PgnError` is raised.
///
/// With the path of a file, results are kept in `TARGET.partial` until all are there. After Ctrl-C
/// or another exception, `resume=True` goes on. `cache` is the path of a file that keeps
/// evaluations for later calls. Other formats than EPD, as `format` or the name states them, need a
/// path; for games with evaluations (`"x.pgn"`), `source` must be paths.
///
/// The options are those of `pgn2epd analyse`; `help(pgn2epd.AnalyseOptions)` describes them.
#[pyfunction]
#[pyo3(signature = (source, target, *, cache=None, resume=false, problems=None, progress=None, **options))]
#[expect(clippy::too_many_arguments, reason = "the arguments of Python")]
pub(crate) fn analyse(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    cache: Option<PathBuf>,
    resume: bool,
    problems: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Analysed> {
    let raised = Raised::default();
    let path: Option<PathBuf> =
        match target.hasattr("write")? {
            true => None,
            false => Some(target.extract().map_err(|_| {
                PyTypeError::new_err("records go to a path or a binary file object")
            })?),
        };
    let has = |_: &str, name: &str| analysis_has(name);
    let (options, engine) = read("analyse", path.as_deref(), options, has, &raised)?;
    let (inputs, listener) = (Input::all(source)?, Listener::new(problems)?);
    let failures = Watcher::new(listener.again(py), raised.clone());
    let mut watcher = Watcher::new(listener, raised.clone());
    watcher.progress = convert::progress_of(progress)?;
    let partial = path.as_deref().and_then(PartialFile::name);
    if resume && partial.is_none() {
        return Err(PyValueError::new_err("resume is for the path of a file"));
    }
    if let Some(path) = &path {
        OutputPath::new(path, &options)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    if options.format != Format::Epd && partial.is_none() {
        return Err(PyValueError::new_err("formats other than EPD are for the path of a file"));
    }
    let again = (options.format == Format::Pgn).then(|| Input::all(source)).transpose()?;
    if again.iter().flatten().any(|input| !matches!(input, Input::Path(path) if path.is_file())) {
        return Err(PyValueError::new_err("games are read twice for PGN: they must be files"));
    }
    refuse_to_write_over(&inputs, options.reach.as_ref(), |guard| {
        match &path {
            None => convert::add_object(guard, target)?,
            Some(path) => guard.output("the target", path)?,
        }
        partial.iter().try_for_each(|name| guard.output("the target", name))?;
        cache.iter().try_for_each(|cache| guard.output("the cache", cache))
    })?;
    let object = Object(target.clone().unbind());
    py.detach(|| {
        let name = path.as_ref().map_or("the file object".into(), |path| path.to_string_lossy());
        let (form, settings) = (options.clone(), engine.clone());
        let run = Run { inputs, options, engine, cache, watcher, failures, raised, name: &name };
        let (analysed, stopped_by) = match (&path, partial) {
            (None, _) => run.write(BufWriter::new(object), None::<&[u8]>)?,
            (Some(path), None) => {
                let mut output = Output::open(path).map_err(|error| os_error_of(&error))?;
                let written = run.write(&mut output, None::<&[u8]>)?;
                output.finish().map_err(|error| os_error_of(&error))?;
                written
            }
            (Some(path), Some(partial)) => {
                let failed = |error| exception(error, &name, &name);
                let mut partial = PartialFile::open(partial, path, resume).map_err(failed)?;
                let written =
                    run.write(partial.file(), Some(partial.earlier().map_err(failed)?))?;
                let summary = written.0.summary;
                let again = again.filter(|_| summary.games > summary.records);
                let games = again.map(|inputs| {
                    |conversion: &mut Conversion<'_>| {
                        let inputs = Inputs::new(inputs.into_iter().map(Input::into_library));
                        // Their problems have been reported.
                        for text in inputs.of_kind(form.input) {
                            match text {
                                Ok(text) => drop(conversion.text(text, &mut ())?),
                                Err(note) if note.is_note() => {}
                                Err(failed) => return Err(ConvertError::Read(failed.error).into()),
                            }
                        }
                        Ok(())
                    }
                });
                partial.finish(path, &form, &settings, games).map_err(failed)?;
                written
            }
        };
        stopped_by.map_or(Ok(analysed), |problem| Err(Python::attach(|py| problem.to_error(py))))
    })
}

struct Run<'r> {
    inputs: Vec<Input>,
    options: Options,
    engine: AnalyseOptions,
    cache: Option<PathBuf>,
    watcher: Watcher,
    /// Reports what the engine does not evaluate.
    failures: Watcher,
    raised: Raised,
    /// The target in messages.
    name: &'r str,
}

impl Run<'_> {
    /// Writes all records; returns the totals, and the error of `on_error="stop"`.
    fn write(
        self,
        output: impl Write,
        earlier: Option<impl BufRead>,
    ) -> PyResult<(Analysed, Option<Problem>)> {
        let Run { inputs, options, engine, cache, mut watcher, mut failures, raised, name } = self;
        let run = || {
            let mut analysis = Analysis::new(raised.interrupt(output), &options, &engine)?;
            analysis.on_failure(|FailedPosition { record, fen, error, .. }| {
                let message = format!("{name}:{record}: {fen}: {error}");
                failures.tell(&EngineProblem::failed(Some(*record), error.to_string(), message));
            });
            cache.map_or(Ok(()), |path| {
                use_cache(&path, |cache, additions| analysis.use_cache(cache, additions))
            })?;
            if let Some(earlier) = earlier {
                analysis.continue_after(earlier);
            }
            convert::read_all(inputs, &options, &mut watcher, |text, watcher| {
                analysis.text(text, watcher)?;
                Ok::<_, AnalyseError>(analysis.is_over())
            })?;
            analysis.finish()
        };
        let outcome = run();
        if let Ok((_, totals)) = &outcome
            && let Some(text) = engine.warning(totals.short, totals.asked - totals.failed)
        {
            let (kind, severity, reason) = ("engine", Severity::Warning, text.clone());
            failures.tell(&EngineProblem { kind, severity, record: None, reason, message: text });
        }
        let (stopped_by, file) = watcher.close()?;
        failures.end()?;
        let (summary, totals) = outcome.map_err(|error| exception(error, &file, name))?;
        Python::attach(|py| problem::warn_of_condition(py, options.filter.as_ref(), &summary))?;
        let pgn2epd::analyse::Analysed { asked, repeated, earlier, over, failed, .. } = totals;
        Ok((Analysed { asked, repeated, earlier, over, failed, summary }, stopped_by))
    }
}

/// Lets UCI engines solve the test suites in `source`, one engine after the other: best moves,
/// moves to avoid, mates, points.
///
/// >>> [result] = pgn2epd.solve("suite.epd", engine="stockfish", nodes=100000)
/// >>> result["solved"], result["exercises"]
/// (17, 24)
/// >>> [each["position"] for each in result["positions"] if not each["solved"]]
/// ['BK.03', 'BK.07', 'BK.10', 'BK.18', 'BK.22', 'BK.23', 'BK.24']
///
/// Returns a dict for each engine, as `pgn2epd solve --format json` writes it. With `target` the
/// result is also written to this file: as "text", "markdown", "json" or "csv", by `format`.
///
/// `source` and `problems` are as for `records`. A position at which an engine fails is a problem
/// of the kind "engine", a record whose points cannot be read one of the kind "points". If an
/// engine cannot be used, a `PgnError` is raised.
///
/// `engine` is one command or a list. The options are those of `pgn2epd solve`;
/// `help(pgn2epd.SolveOptions)` describes them.
#[pyfunction]
#[pyo3(signature = (source, target=None, *, format=None, problems=None, **options))]
pub(crate) fn solve(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: Option<PathBuf>,
    format: Option<&str>,
    problems: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyAny>> {
    let raised = Raised::default();
    let (options, engines) = read("solve", None, options, solution_has, &raised)?;
    let has_time = engines.movetime.is_some();
    let text = |suite: &Suite, results: &[_]| match format.unwrap_or("text") {
        "text" => Ok(suite.tables(results, has_time, false)),
        "markdown" => Ok(suite.tables(results, has_time, true)),
        "json" => Ok(suite.json(results, has_time)),
        "csv" => Ok(suite.csv(results, has_time)),
        other => {
            let text = format!("format={other:?}: choose from text, markdown, json, csv");
            Err(PyValueError::new_err(text))
        }
    };
    text(&Suite::default(), &[])?;
    if target.is_none() && format.is_some() {
        return Err(PyValueError::new_err("format is for a target"));
    }
    let inputs = Input::all(source)?;
    let mut watcher = Watcher::new(Listener::new(problems)?, raised.clone());
    refuse_to_write_over(&inputs, options.reach.as_ref(), |guard| {
        target.iter().try_for_each(|path| guard.output("the target", path))
    })?;
    let json = py.detach(|| {
        let open = |path: &PathBuf| Output::open(path).map_err(|error| os_error_of(&error));
        let output = target.as_ref().map(open).transpose()?;
        let suite = read_suite(inputs, &options, &engines, &mut watcher)?;
        let results = suite.solve(&engines, &mut |exercise, error| {
            if let Some(error) = error {
                let message = format!("record {}: {}: {error}", exercise.record, exercise.name);
                let record = Some(exercise.record);
                watcher.tell(&EngineProblem::failed(record, error.to_string(), message));
            }
        });
        let (stopped_by, file) = watcher.close()?;
        let results = results.map_err(|error| exception(error, &file, &file))?;
        if let (Some(mut output), Some(path)) = (output, &target) {
            output.write_all(text(&suite, &results)?.as_bytes()).map_err(|error| {
                problem::failure(ConvertError::Write(error), &path.to_string_lossy())
            })?;
            output.finish().map_err(|error| os_error_of(&error))?;
        }
        match stopped_by {
            Some(problem) => Err(Python::attach(|py| problem.to_error(py))),
            None => Ok(suite.json(&results, has_time)),
        }
    })?;
    Ok(py.import("json")?.call_method1("loads", (json,))?.unbind())
}

/// Reads a test suite, and reports what it does not ask.
fn read_suite(
    inputs: Vec<Input>,
    options: &Options,
    engines: &AnalyseOptions,
    watcher: &mut Watcher,
) -> PyResult<Suite> {
    let mut epd = Vec::new();
    let mut conversion = Conversion::new(&mut epd, options);
    let read = convert::read_all(inputs, options, watcher, |text, watcher| {
        conversion.text(text, watcher)?;
        Ok(conversion.is_over())
    });
    let read = read.and_then(|()| conversion.finish());
    watcher.check()?;
    read.map_err(|error| problem::failure(error, &watcher.file))?;
    let suite = Suite::read(&String::from_utf8_lossy(&epd), engines.variant);
    let mut tell = |kind, severity, message: String| {
        let reason = message.clone();
        watcher.tell(&EngineProblem { kind, severity, record: None, reason, message });
    };
    for problem in &suite.problems {
        tell("points", Severity::Error, problem.clone());
    }
    if suite.others > 0 {
        let s = if suite.others == 1 { "" } else { "s" };
        let text = format!("{} record{s} without bm, am, dm or points", suite.others);
        tell("no-task", Severity::Note, text);
    }
    Ok(suite)
}

/// Reads the options of a conversion and of an engine; `has` says which of them the function has.
fn read(
    function: &str,
    output: Option<&Path>,
    named: Option<&Bound<'_, PyDict>>,
    has: fn(&str, &str) -> bool,
    raised: &Raised,
) -> PyResult<(Options, AnalyseOptions)> {
    let (others, values) = divide(function, named, has)?;
    for (key, _) in others.iter().flatten() {
        let name = key.extract::<String>()?.replace('_', "-");
        if !Options::SPECS.iter().any(|spec| spec.name == name && has(spec.heading, &name)) {
            return Err(options::unknown::<AnalyseOptions>(function, &name.replace('-', "_")));
        }
    }
    let options = options::read_for(output, function, others.as_ref(), &[])?;
    Ok((options, engine(function, &values, raised)?))
}

type Named<'py> = Option<Bound<'py, PyDict>>;

/// Separates the engine options that `has` accepts, in command-line form, from other arguments.
pub(crate) fn divide<'py>(
    function: &str,
    named: Option<&Bound<'py, PyDict>>,
    has: fn(&str, &str) -> bool,
) -> PyResult<(Named<'py>, Vec<(String, String)>)> {
    let mut of_engine = Vec::new();
    let others = named.map(|named| named.copy()).transpose()?;
    for (key, value) in named.into_iter().flatten() {
        let name = key.extract::<String>()?.replace('_', "-");
        let is_of_engine =
            AnalyseOptions::SPECS.iter().any(|spec| spec.name == name && has(spec.heading, &name));
        if is_of_engine {
            others.iter().try_for_each(|others| others.del_item(&key))?;
            of_engine.push((name, value));
        }
    }
    let of_engine: Vec<_> = of_engine.iter().map(|(name, value)| (&**name, value)).collect();
    let values = options::texts_of::<AnalyseOptions>(function, None, &of_engine, &mut |_| Ok(()))?;
    Ok((others, values))
}

pub(crate) fn engine(
    function: &str,
    values: &[(String, String)],
    raised: &Raised,
) -> PyResult<AnalyseOptions> {
    let engine = AnalyseOptions::from_names(options::pairs(values));
    let engine = engine.map_err(|error| options::exception::<AnalyseOptions>(function, error))?;
    let raised = raised.clone();
    Ok(engine.stop(StopCheck::new(move || raised.look())))
}

pub(crate) fn exception(error: AnalyseError, file: &str, target: &str) -> PyErr {
    match error {
        AnalyseError::Convert(error) => problem::failure(error, file),
        AnalyseError::Write(error) => problem::failure(ConvertError::Write(error), target),
        AnalyseError::Conflict(conflict) => {
            options::exception::<AnalyseOptions>("analyse", OptionError::from(conflict))
        }
        AnalyseError::Engine(error) => {
            let text = problem::with_causes(&error);
            let problem = EngineProblem::failed(None, text.clone(), text);
            Python::attach(|py| problem::error(py, problem.to_python(py)))
        }
        error @ AnalyseError::NothingAsked => PyValueError::new_err(error.to_string()),
        error => PyOSError::new_err(options::keywords(&problem::with_causes(&error))),
    }
}

/// The totals of an analysis.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Analysed {
    /// Positions that the engine was asked for.
    #[pyo3(get)]
    asked: u64,
    /// Positions with the evaluation of an equal one, or of the cache.
    #[pyo3(get)]
    repeated: u64,
    /// Positions of the earlier run, with `resume`.
    #[pyo3(get)]
    earlier: u64,
    /// Positions without a legal move.
    #[pyo3(get)]
    over: u64,
    /// Positions that the engine did not evaluate.
    #[pyo3(get)]
    failed: u64,
    summary: pgn2epd::Summary,
}

#[pymethods]
impl Analysed {
    /// The counts of the input.
    #[getter]
    fn summary(&self) -> Summary {
        Summary::new(self.summary)
    }

    fn __repr__(&self) -> String {
        let Analysed { asked, repeated, earlier, over, failed, .. } = self;
        format!(
            "<Analysed asked={asked} repeated={repeated} earlier={earlier} over={over} failed={failed}>"
        )
    }
}
