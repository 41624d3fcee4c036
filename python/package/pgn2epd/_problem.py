"""Problems in games: errors, warnings and notes."""

from __future__ import annotations

from dataclasses import dataclass


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
