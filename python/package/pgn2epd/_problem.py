"""What a run reports: problems in games as objects, exceptions or warnings, and what was counted."""

from __future__ import annotations

import collections
import json
import os
import re
import sys
import types
import warnings
from dataclasses import dataclass
from typing import Any

# For one kind of problem; a last warning has the numbers of the others.
MOST_WARNINGS = 10

HERE = os.path.dirname(__file__)


@dataclass(frozen=True)
class Problem:
    """A problem in a game, with its location and reason.

    `severity` is "error" if positions were lost, "warning" if unambiguous text was repaired or skipped, and "note" for a harmless
    departure from the standard. `kind` is the reason in one word, for programs. `str(problem)` is the message.
    """

    message: str
    severity: str
    kind: str
    reason: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    byte: int | None = None
    game: int | None = None
    white: str | None = None
    black: str | None = None
    site: str | None = None
    round: str | None = None
    move: str | None = None
    token: str | None = None
    index: int | None = None

    def __str__(self) -> str:
        return self.message


class PgnError(Exception):
    """A `Problem` as an exception, with its attributes: `file`, `line`, `column`, `game`, `move`, `token`, `reason` and so on."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem

    def __getattr__(self, name: str):
        if name != "problem" and name in Problem.__dataclass_fields__:
            return getattr(self.problem, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class PgnWarning(UserWarning):
    """A `Problem` as a warning."""


class Result(types.SimpleNamespace):
    """What a function has counted, by the names of `--summary json`. `messages` are the other lines that the program prints."""

    def __repr__(self) -> str:
        counts = [f"{name}={value}" for name, value in vars(self).items() if type(value) is int and value]
        return f"<{' '.join(['Result', *counts])}>"

    def _repr_html_(self) -> str:
        rows = (f"<tr><td>{name}</td><td>{value:,}</td></tr>" for name, value in vars(self).items() if type(value) is int and value)
        return f"<table>{''.join(rows)}</table>"


def result(text: str) -> Any:
    """What the program has counted, from JSON."""
    counts = json.loads(text)
    if not isinstance(counts, dict):
        return counts
    return Result(**{name: Result(**value) if name == "summary" else value for name, value in counts.items()})


def problem(message: str, fields: str) -> Problem:
    """A problem from its message and the line of `--report`."""
    values = json.loads(fields)
    if values.pop("from", None) is not None:
        # In a range these are unknown.
        values["line"] = values["game"] = None
    return Problem(message, **values)


def warn(text: str) -> None:
    """Warns at the line of the caller of this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(HERE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, PgnWarning, stacklevel=level)


class Listener:
    """Gives problems to a list or a callable, or makes warnings of them. With `stops` the first error is raised at the end."""

    def __init__(self, problems: Any, stops: bool = False) -> None:
        if not (problems is None or isinstance(problems, list) or callable(problems)):
            raise TypeError("problems is a list, a callable or None")
        self.problems, self.stops = problems, stops
        self.stopped_by: Problem | None = None
        self.counts: collections.Counter[str] = collections.Counter()

    def again(self) -> Listener:
        return Listener(self.problems, self.stops)

    def tell(self, message: str, fields: str) -> None:
        told = problem(message, fields)
        if self.stops and told.severity == "error":
            self.stopped_by = told
        elif isinstance(self.problems, list):
            self.problems.append(told)
        elif self.problems is not None:
            self.problems(told)
        else:
            self.counts[told.kind] += 1
            if self.counts[told.kind] <= MOST_WARNINGS:
                warn(message)

    def end(self) -> None:
        hidden = {kind: count - MOST_WARNINGS for kind, count in self.counts.items() if count > MOST_WARNINGS}
        if hidden:
            kinds, number = ", ".join(f"{kind} {count}" for kind, count in hidden.items()), sum(hidden.values())
            warn(f"{number} more problem{'s' if number > 1 else ''} ({kinds}): problems=[] collects them all")
        if self.stopped_by is not None:
            raise PgnError(self.stopped_by)


def keywords(text: str) -> str:
    """A message with the names of keyword arguments instead of options: `split_by` for `'--split-by <LIST>'`."""
    return re.sub(r"'?--([a-z][a-z-]*)(?:\[?[ =]<[^>]*>\]?)?'?", lambda option: option[1].replace("-", "_"), text)


def failure(kind: str, text: str) -> Exception:
    """The exception for an error of the library or the program: of an "engine", a "file", or in the use."""
    if kind == "engine":
        return PgnError(Problem(text, "error", kind, text))
    if kind == "file":
        return OSError(keywords(text))
    # Of a message of clap the reason, without advice for the command line.
    text = " ".join(keywords(text).removeprefix("error: ").split("\n\n")[0].split())
    text = re.sub(r"^invalid value '(.*?)' for (\w+) \[possible values: (.*)\]$", r"invalid value '\1' for \2: choose from \3", text)
    return ValueError(re.sub(r"^invalid value '(.*?)' for (\w+): ", r'\2="\1": ', text))
