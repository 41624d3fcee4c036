"""What can be wrong with games."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """Something wrong with a game, where, and why.

    `severity` is "error" where positions were lost, "warning" where there was one reading, which was taken, and "note" where
    nothing changes; `kind` is the reason in one word, for programs. `str(problem)` is the message.
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
    move: str | None = None
    token: str | None = None
    index: int | None = None

    def __str__(self) -> str:
        return self.message


class PgnError(Exception):
    """A `Problem`, raised. It has the problem's attributes: `file`, `line`, `column`, `game`, `move`, `token`, `reason` and so on."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem

    def __getattr__(self, name: str):
        if name != "problem" and name in Problem.__dataclass_fields__:
            return getattr(self.problem, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class PgnWarning(UserWarning):
    """A `Problem`, as a warning."""
